/* passes.c - passes by name, on program texts. */
#include "support/passes.h"
#include <stdio.h>

enum { MOST_WORDS = 64 };

typedef struct job {
	tsr_ctx *ctx;
	const program *p;
	arena *a;
	bool word[MOST_WORDS + 1];
	int process[MOST_WORDS + 1];
	int nwords;
	bool moves_out[MOST_WORDS];
	str *out;
} job;

/* ---- passes; false: an error is recorded */

static bool put(job *j, const program *made, const char *stage)
{
	if (!made || !program_verify(made, stage)) return false;
	program_print(j->out, made, 0);
	return true;
}

static bool put_and_release(job *j, program *made, const char *stage)
{
	const bool ok = put(j, made, stage);

	program_release(made);
	return ok;
}

static bool put_halves(job *j, halves *h, const char *stage)
{
	const bool ok = put(j, h->known, stage) && put(j, h->unknown, stage);

	halves_free(h);
	return ok;
}

static bool run_inline(job *j) { return put_and_release(j, pass_inline_rules(j->p), "inline"); }
static bool run_strong(job *j) { return put_and_release(j, pass_strong(j->p), "strong"); }
static bool run_silent(job *j) { return put_and_release(j, pass_silent(j->p), "silent"); }
static bool run_unroll(job *j) { return put_and_release(j, pass_unroll(j->p), "unroll"); }
static bool run_precision(job *j)
{
	return put_and_release(j, pass_precision(j->p), "precision");
}

static bool run_sink(job *j) { return put_and_release(j, pass_sink(j->p), "sink"); }
static bool run_add_patches(job *j)
{
	return put_and_release(j, pass_add_patches(j->p), "add_patches");
}
static bool run_expand(job *j) { return put_and_release(j, pass_expand(j->p), "expand"); }
static bool run_hoist(job *j) { return put_and_release(j, pass_hoist(j->p), "hoist"); }
static bool run_update(job *j) { return put_and_release(j, pass_update(j->p), "update"); }
static bool run_simplify(job *j) { return put_and_release(j, pass_simplify(j->p), "simplify"); }
static bool run_dead(job *j) { return put_and_release(j, pass_dead(j->p), "dead"); }
static bool run_fuse(job *j) { return put_and_release(j, pass_fuse(j->p, target_of(32)), "fuse"); }

static bool run_placed(job *j, placing_pass *pass)
{
	placed to;
	const bool ok = pass(j->p, NULL, NULL, NULL, &to) && put(j, to.program, "partition");

	if (to.program) placed_free(&to);
	return ok;
}

static void keep_text(void *user, int level, const char *text)
{
	(void)level;
	str_put(user, text);
}

/* what partition says when this letter of TSR_DEBUG asks */
static bool run_letter(job *j, const char *letter)
{
	const uint64_t before = j->ctx->ir.debug;
	placed to;

	errors_log_to(&j->ctx->base, keep_text, j->out);
	const bool ok = debug_read(&j->ctx->base, NULL, "a test", letter, &j->ctx->ir.debug) &&
	                pass_partition(j->p, NULL, NULL, NULL, &to);
	errors_log_to(&j->ctx->base, NULL, NULL);
	j->ctx->ir.debug = before;
	if (ok) placed_free(&to);
	return ok;
}

/* what tsr_explain() counts */
static bool run_report(job *j)
{
	report r;
	placed to;

	if (!report_begin(&r, &j->ctx->base)) return false;
	const bool ok = pipeline(j->p, NULL, NULL, &r, &to) && report_program(&r, to.program);
	for (int i = 0; ok && i < r.ncollectives; i++) {
		const report_collective *c = &r.collective[i];
		str_printf(j->out, "%s over %s: %.0f bytes, %.0f times, %s\n", c->row, c->axes,
		           c->bytes, c->times, c->move ? c->move->why : "the user's own");
	}
	if (ok)
		str_printf(j->out, "%.0f bytes received, %.0f operations, %.0f bytes at most\n",
		           r.bytes, r.flops, r.peak_bytes);
	if (ok) placed_free(&to);
	report_free(&r);
	return ok;
}

static bool run_decisions(job *j) { return run_letter(j, "P"); }
static bool run_collectives(job *j) { return run_letter(j, "C"); }
static bool run_partition(job *j) { return run_placed(j, pass_partition); }
static bool run_pipeline(job *j) { return run_placed(j, pipeline); }

/* values of the program, and for each input and result which of them each device has */
static void put_places(str *s, const char *word, const int *at, int n, int64_t devices)
{
	for (int i = 0; i < n; i++) {
		str_printf(s, "%s %d on each device:", word, i);
		for (int64_t k = 0; k < devices; k++) str_printf(s, " %d", at[i * devices + k]);
		str_put(s, "\n");
	}
}

/* the word says which devices are here, 1; 0 are in process 1, and 2, 3, .. in these processes.
 * Without it all are here */
static bool run_replicate(job *j)
{
	const mesh *m = j->p->axes[0].mesh;
	device devices[MOST_WORDS];
	int64_t here[MOST_WORDS], n = 0;
	replicated to;

	for (int64_t k = 0; k < m->size; k++) {
		devices[k] = (device){k, j->process[k], 0};
		if (j->word[k]) here[n++] = m->device[k];
	}
	if (!pass_replicate(j->p, n ? (device_set){n, here} : (device_set){m->size, m->device},
	                    n ? devices : NULL, &to))
		return false;
	if (!n) n = m->size;
	const bool ok = !to.program || put(j, to.program, "replicate");
	if (to.program) put_places(j->out, "operand", to.in, j->p->nin, n);
	if (to.program) put_places(j->out, "result", to.out, j->p->nout, n);
	if (!to.program) str_put(j->out, "only a run can tell\n");
	replicated_free(&to);
	return ok;
}

static bool run_prune(job *j)
{
	bool used[MOST_WORDS] = {0};

	return put_and_release(j, pass_prune(j->p, j->word, used), "prune");
}

static bool run_jvp(job *j)
{
	return put_and_release(j, pass_jvp(j->p, j->word, NULL, j->moves_out), "jvp");
}

static bool run_split(job *j)
{
	halves h;

	return pass_split(j->p, j->a, j->word, NULL, &h) && put_halves(j, &h, "split");
}

static bool run_linearize(job *j)
{
	halves h;

	return pass_linearize(j->p, j->a, j->word, NULL, NULL, &h, j->moves_out) &&
	       put_halves(j, &h, "linearize");
}

static bool run_grad(job *j) { return put_and_release(j, pass_grad(j->p, j->word, 0), "grad"); }

static bool run_columns(job *j)
{
	return put_and_release(j, pass_jacobian(j->p, j->word, NULL, false), "jacobian");
}

static bool run_rows(job *j)
{
	return put_and_release(j, pass_jacobian(j->p, j->word, NULL, true), "jacobian");
}

static bool run_transpose(job *j)
{
	bool given[MOST_WORDS];

	for (int i = 0; i < MOST_WORDS; i++) given[i] = true;
	return put_and_release(j, pass_transpose(j->p, j->word, given, NULL), "transpose");
}

static bool run_batch(job *j)
{
	const int last = j->p->naxes - 1;
	const batching of = {.size = j->p->axes[last].size, .axis = last};
	bool mapped[MOST_WORDS] = {0};

	return put_and_release(j, pass_batch(j->p, &of, j->word, NULL, mapped), "batch");
}

/* into a scope with an axis z of two devices, over which the inputs of the words vary */
static bool run_vary(job *j)
{
	const mesh *m = mesh_make(&j->ctx->shards, NULL, (const tsr_axis[]){{"z", 2}}, 1, NULL, 0);
	axis axes[MAX_AXES];
	const type *in[MOST_WORDS];
	const int n = j->p->naxes;

	if (!m || n == MAX_AXES) return false;
	for (int i = 0; i < n; i++) axes[i] = j->p->axes[i];
	axes[n] = (axis){.name = "z", .size = 2, .kind = AXIS_MESH, .mesh = m};
	for (int i = 0; i < j->p->nin; i++) {
		const type *t = type_of(j->p, j->p->in[i]);
		in[i] = type_vary(j->p->ir, t, t->varying | (j->word[i] ? axis_bit(n) : 0));
	}
	return put_and_release(j, pass_vary(j->p, axes, n + 1, in), "vary");
}

static const struct {
	const char *name;
	bool (*run)(job *);
} passes[] = {
	{"inline", run_inline},
	{"strong", run_strong},
	{"unroll", run_unroll},
	{"sink", run_sink},
	{"add_patches", run_add_patches},
	{"precision", run_precision},
	{"expand", run_expand},
	{"hoist", run_hoist},
	{"update", run_update},
	{"simplify", run_simplify},
	{"dead", run_dead},
	{"partition", run_partition},
	{"decisions", run_decisions},
	{"collectives", run_collectives},
	{"report", run_report},
	{"prune", run_prune},
	{"pipeline", run_pipeline},
	{"jvp", run_jvp},
	{"split", run_split},
	{"linearize", run_linearize},
	{"grad", run_grad},
	{"jacobian_by_columns", run_columns},
	{"jacobian_by_rows", run_rows},
	{"transpose", run_transpose},
	{"batch", run_batch},
	{"vary", run_vary},
	{"silent", run_silent},
	{"fuse", run_fuse},
	{"replicate", run_replicate},
};

/* ---- one case */

static bool read_head(job *j, const char *head, char name[64])
{
	int at = 0;

	if (sscanf(head, "pass %63s%n", name, &at) != 1) return false;
	for (const char *c = head + at; *c; c++) {
		if (*c == ' ' || *c == '\n') continue;
		if (*c < '0' || *c > '9' || j->nwords == MOST_WORDS) return false;
		j->process[j->nwords] = *c > '1' ? *c - '0' : *c == '0';
		j->word[j->nwords++] = *c == '1';
	}
	return true;
}

bool run_pass(tsr_ctx *ctx, const char *file, const char *head, const str *text, str *out)
{
	job j = {.ctx = ctx, .out = out, .a = arena_make(&ctx->base)};
	char name[64];
	bool ok = false;

	if (j.a && text->s && read_head(&j, head, name)) {
		program *p = program_parse(&ctx->ir, file, text->s, text->len);
		j.p = p;
		for (size_t i = 0; p && i < ARRAY_LEN(passes); i++)
			if (strcmp(passes[i].name, name) == 0) ok = passes[i].run(&j);
		program_release(p);
	}
	arena_free(j.a);
	return ok;
}
