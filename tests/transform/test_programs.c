/* test_programs.c - golden programs: what each pass makes of the programs in
 * tests/transform/programs.
 *
 *     test_programs [FILE ...]       only these files; otherwise every .txt file of the folder
 *
 * A file has lines of comment (#) and any number of cases:
 *
 *     pass NAME [WORDS]
 *     program text
 *     gives
 *     program texts, as the library prints them
 *
 * Words are 0 or 1, one an input (jvp: those that move; split: those that are known; batch: those
 * that are mapped, along the last axis of the table; transpose: those it is linear in) or result
 * (prune: those that are used). TSR_UPDATE=1 in the environment writes what the passes give into
 * the files: look at the difference before it is kept. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define FOLDER "tests/transform/programs/"
enum { MOST_WORDS = 64 };

typedef struct job {
	tsr_ctx *ctx;
	const program *p;
	bool word[MOST_WORDS + 1];
	int nwords;
	str out;
} job;

/* ---- passes; false: an error is recorded */

static bool put(job *j, const program *made, const char *stage)
{
	if (!made || !program_verify(made, stage)) return false;
	program_print(&j->out, made, 0);
	return true;
}

static bool put_and_release(job *j, program *made, const char *stage)
{
	const bool ok = put(j, made, stage);

	program_release(made);
	return ok;
}

static bool run_inline(job *j) { return put_and_release(j, pass_inline(j->p), "inline"); }
static bool run_simplify(job *j) { return put_and_release(j, pass_simplify(j->p), "simplify"); }

static bool run_fuse(job *j) { return put_and_release(j, pass_fuse(j->p), "fuse"); }

static bool run_placed(job *j, bool (*pass)(const program *, const char *, placed *))
{
	placed to;
	const bool ok = pass(j->p, NULL, &to) && put(j, to.program, "partition");

	if (to.program) placed_free(&to);
	return ok;
}

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

static bool run_replicate(job *j)
{
	const mesh *m = j->p->axes[0].mesh;
	replicated to;

	if (!pass_replicate(j->p, (device_set){m->size, m->device}, &to)) return false;
	const bool ok = !to.program || put(j, to.program, "replicate");
	if (to.program) put_places(&j->out, "operand", to.in, j->p->nin, m->size);
	if (to.program) put_places(&j->out, "result", to.out, j->p->nout, m->size);
	if (!to.program) str_put(&j->out, "only a run can tell\n");
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
	bool moves[MOST_WORDS] = {0};

	return put_and_release(j, pass_jvp(j->p, j->word, NULL, moves), "jvp");
}

static bool run_split(job *j)
{
	arena *a = arena_make(&j->ctx->base);
	halves h;
	const bool ok = a && pass_split(j->p, a, j->word, NULL, &h) && put(j, h.known, "split") &&
	                put(j, h.unknown, "split");

	if (ok) halves_free(&h);
	arena_free(a);
	return ok;
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

static const struct {
	const char *name;
	bool (*run)(job *);
} passes[] = {
	{"inline", run_inline}, {"simplify", run_simplify},   {"partition", run_partition},
	{"prune", run_prune},   {"pipeline", run_pipeline},   {"jvp", run_jvp},
	{"split", run_split},   {"transpose", run_transpose}, {"batch", run_batch},
	{"fuse", run_fuse},     {"replicate", run_replicate},
};

/* ---- files */

typedef struct golden {
	const char *file;
	int line;
	tsr_ctx *ctx;
	char head[256];    /* "pass simplify" */
	str before, after; /* of the case that is being read */
	str updated;       /* the file as it should be */
	bool in_after, in_case;
	int cases, failed, differ;
} golden;

static bool read_head(const golden *g, job *j, char *name)
{
	int at = 0;

	if (sscanf(g->head, "pass %63s%n", name, &at) != 1) return false;
	for (const char *c = g->head + at; *c; c++) {
		if (*c == ' ' || *c == '\n') continue;
		if ((*c != '0' && *c != '1') || j->nwords == MOST_WORDS) return false;
		j->word[j->nwords++] = *c == '1';
	}
	return true;
}

static bool run_case(golden *g, job *j)
{
	char name[64];

	if (!read_head(g, j, name)) return false;
	program *p = program_parse(&g->ctx->ir, g->file, g->before.s, g->before.len);
	bool ok = false;
	j->p = p;
	for (size_t i = 0; p && i < ARRAY_LEN(passes); i++)
		if (strcmp(passes[i].name, name) == 0) ok = passes[i].run(j);
	program_release(p);
	return ok;
}

static void report(const golden *g, const char *what, const char *text)
{
	print_error("%s, the case before line %d (%.*s) %s%s\n", g->file, g->line,
	            (int)strcspn(g->head, "\n"), g->head, what, text);
}

static void end_case(golden *g)
{
	job j = {.ctx = g->ctx, .out = {.base = &g->ctx->base}};

	if (!g->in_case) return;
	g->cases++;
	const char *after = g->after.s ? g->after.s : "";
	const bool ok = g->before.s && run_case(g, &j), same = ok && strcmp(after, j.out.s) == 0;
	if (!ok) report(g, "fails: ", tsr_message(g->ctx));
	if (ok && !same && !getenv("TSR_UPDATE")) report(g, "gives\n", j.out.s);
	g->failed += !ok;
	g->differ += ok && !same;
	str_put(&g->updated, ok ? j.out.s : after);
	tsr_clear(g->ctx);
	str_free(&j.out);
	str_free(&g->before);
	str_free(&g->after);
	g->in_case = g->in_after = false;
}

/* comments between cases stay where they are */
static void take_line(golden *g, const char *line)
{
	g->line++;
	if (strncmp(line, "pass ", 5) == 0 || (g->in_after && strchr("#\n", *line))) {
		end_case(g);
		str_put(&g->updated, line);
		g->in_case = strncmp(line, "pass ", 5) == 0;
		if (g->in_case) snprintf(g->head, sizeof g->head, "%s", line);
	} else if (g->in_after) {
		str_put(&g->after, line);
	} else {
		str_put(&g->updated, line);
		g->in_after = g->in_case && strcmp(line, "gives\n") == 0;
		if (g->in_case && !g->in_after) str_put(&g->before, line);
	}
}

static void update_file(golden *g)
{
	FILE *out = fopen(g->file, "w");

	if (!out || fputs(g->updated.s, out) < 0 || fclose(out))
		fail_msg("cannot write %s", g->file);
	print_message("%s: %d updated\n", g->file, g->differ);
}

/* how many cases are wrong */
static int check_file(tsr_ctx *ctx, const char *path)
{
	base *bs = &ctx->base;
	golden g = {.file = path,
	            .ctx = ctx,
	            .before = {.base = bs},
	            .after = {.base = bs},
	            .updated = {.base = bs}};
	char line[4096];
	FILE *in = fopen(path, "r");

	if (!in) fail_msg("no %s: tests run from the root of the source tree", path);
	while (fgets(line, sizeof line, in)) take_line(&g, line);
	fclose(in);
	take_line(&g, "");
	if (getenv("TSR_UPDATE") && g.differ) {
		update_file(&g);
		g.differ = 0;
	}
	if (!g.cases) print_error("%s has no case\n", path);
	str_free(&g.updated);
	return g.failed + g.differ + !g.cases;
}

static int nfiles;
static char **files;

static int check_folder(tsr_ctx *ctx)
{
	char path[4096];
	int wrong = 0, n = 0;
	DIR *folder = opendir(FOLDER);

	if (!folder) fail_msg("no " FOLDER ": tests run from the root of the source tree");
	for (const struct dirent *d; (d = readdir(folder));) {
		const char *ending = strrchr(d->d_name, '.');
		if (!ending || strcmp(ending, ".txt") != 0) continue;
		snprintf(path, sizeof path, FOLDER "%s", d->d_name);
		wrong += check_file(ctx, path);
		n++;
	}
	closedir(folder);
	assert_true(n > 0);
	return wrong;
}

static void test_programs(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	int wrong = 0;

	(void)state;
	for (int i = 0; i < nfiles; i++) wrong += check_file(ctx, files[i]);
	if (!nfiles) wrong = check_folder(ctx);
	assert_int_equal(tsr_close(ctx), 0);
	if (wrong)
		fail_msg("%d cases are wrong; TSR_UPDATE=1 writes what the passes give now", wrong);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};

	nfiles = argc - 1;
	files = argv + 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
