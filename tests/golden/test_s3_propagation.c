/* test_s3_propagation.c - small programs on operands that are split in many ways over a 4x2 mesh:
 * where their results are, and how many bytes that takes, as JAX's partitioner has it. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

/* ---- the programs, of f32[8,16] and, the first one, f32[16,8] */

static tsr *dot(tsr *a, tsr *b) { return tsr_dot(a, b); }
static tsr *sum0(tsr *a) { return tsr_sum(a, .dims = D(0)); }
static tsr *sum1(tsr *a) { return tsr_sum(a, .dims = D(1)); }
static tsr *sum(tsr *a) { return tsr_sum(a); }
static tsr *transpose(tsr *a) { return tsr_t(a); }
static tsr *sine(tsr *a) { return tsr_sin(a); }
static tsr *reshape_64x2(tsr *a) { return tsr_reshape(a, D(64, 2)); }
static tsr *reshape_128(tsr *a) { return tsr_reshape(a, D(-1)); }
static tsr *reshape_2x4x16(tsr *a) { return tsr_reshape(a, D(2, 4, 16)); }
static tsr *max0(tsr *a) { return tsr_max(a, .dims = D(0)); }
static tsr *row0(tsr *a) { return tsr_index(a, 0, 0); }
static tsr *rows0_4(tsr *a) { return tsr_slice(a, 0, 0, 4); }
static tsr *concat0(tsr *a) { return tsr_concatenate(0, a, a); }
static tsr *cumsum0(tsr *a) { return tsr_cumsum(a, .dim = D(0)); }
static tsr *broadcast(tsr *a) { return tsr_broadcast_to(a, D(3, 8, 16)); }
static tsr *outer_row(tsr *a) { return tsr_add(tsr_slice(a, 1, 0, 1), a); }
static tsr *argmax1(tsr *a) { return tsr_argmax(a, .dim = D(1)); }
static tsr *sort1(tsr *a) { return tsr_sort(a, .dim = D(1)); }
static tsr *pad(tsr *a) { return tsr_pad(a, D(1, 0), D(1, 0), 0); }

static tsr *roll0(tsr *a)
{
	return tsr_concatenate(0, tsr_slice(a, 0, -1, TSR_END), tsr_slice(a, 0, 0, -1));
}

static tsr *softmax(tsr *a)
{
	tsr *largest = tsr_stop_gradient(tsr_max(a, .dims = D(-1), .keep = true));
	tsr *e = tsr_exp(tsr_sub(a, largest));
	return tsr_div(e, tsr_sum(e, .dims = D(-1), .keep = true));
}

static const struct {
	const char *name;
	tsr *(*f)(tsr *);
} programs[] = {
	{"sum0", sum0},
	{"sum1", sum1},
	{"sum", sum},
	{"transpose", transpose},
	{"sin", sine},
	{"reshape_64x2", reshape_64x2},
	{"reshape_128", reshape_128},
	{"reshape_2x4x16", reshape_2x4x16},
	{"softmax", softmax},
	{"max0", max0},
	{"row0", row0},
	{"rows0_4", rows0_4},
	{"concat0", concat0},
	{"cumsum0", cumsum0},
	{"roll0", roll0},
	{"broadcast", broadcast},
	{"outer_row", outer_row},
	{"argmax1", argmax1},
	{"sort1", sort1},
	{"pad", pad},
};

static tsr_fn *program_of(tsr_ctx *ctx, const char *name)
{
	if (!strcmp(name, "dot")) return tsr_jit(ctx, dot);
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (!strcmp(name, programs[i].name)) return tsr_jit(ctx, programs[i].f);
	fail_msg("no program %s", name);
	return NULL;
}

/* ---- recorded specs: "P(('data', 'model'), None)" */

typedef struct spec {
	tsr_spec spec;
	char entry[TSR_MAX_NDIM][24];
} spec;

/* gives what follows */
static const char *read_spec(const char *at, spec *to)
{
	bool within = false;

	*to = (spec){.spec = {.n1 = 1}};
	assert_int_equal(strncmp(at, "P(", 2), 0);
	for (at += 2; within || *at != ')'; at++) {
		char *entry = to->entry[to->spec.n1 - 1];
		if (*at == '(') within = true;
		if (*at == '\'') {
			const int length = (int)strcspn(++at, "'");
			const size_t has = strlen(entry);
			snprintf(entry + has, sizeof to->entry[0] - has, "%s%.*s", has ? "*" : "",
			         length, at);
			at += length;
		}
		if (*at == ')') within = false;
		if (within || (*at != ',' && at[1] != ')')) continue;
		to->spec.d[to->spec.n1++] = *entry ? entry : NULL;
	}
	return at + 1;
}

/* ---- rows of the table: program, specs of its operands, spec of its result, collectives */

typedef struct record {
	char program[32], in[64], out[64], moved[512];
} record;

/* where our result is elsewhere */
typedef struct exception {
	const char *program, *in, *out;
	double bytes; /* received by a device, at most */
	const char *why;
} exception;

#define UNEVEN "9 rows: a result of JAX cannot lie in parts of 3, 3, 3 and 0 rows"

static const exception exceptions[] = {
	{"pad", "P('data', None)", "P('data')", 128, UNEVEN},
	{"pad", "P('data', 'model')", "P('data', 'model')", 64, UNEVEN},
	{"pad", "P(('data', 'model'), None)", "P(('data', 'model'))", 128, UNEVEN},
};

static const exception *exception_of(const record *r)
{
	for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
		if (!strcmp(r->program, exceptions[i].program) && !strcmp(r->in, exceptions[i].in))
			return &exceptions[i];
	return NULL;
}

static bool lies_as(const tsr *x, const tsr_mesh *m, const char *text)
{
	spec s;

	read_spec(text, &s);
	return tsr_sharding_equivalent(tsr_sharding_of(x), tsr_sharding_make(m, s.spec),
	                               tsr_ndim(x));
}

/* A row that is listed as an exception and none any more fails: it is to be taken off the list */
static void judge(const tsr *got, const tsr_mesh *m, double bytes, const char *text,
                  const record *r)
{
	const exception *e = exception_of(r);
	const double most = recorded_bytes(r->moved);
	const char *where = e ? e->out : r->out, *why = e ? e->why : "";

	if (!lies_as(got, m, where))
		fail_msg("%s %s: got %s, want %s. %s", r->program, r->in,
		         tsr_sharding_text(tsr_sharding_of(got)), where, why);
	if (bytes > (e ? e->bytes : most))
		fail_msg("%s %s: %g bytes, recorded are %g: %s. %s\n%s", r->program, r->in, bytes,
		         most, r->moved, why, text);
	if (e && bytes <= most && lies_as(got, m, r->out))
		fail_msg("%s %s: no exception any more", r->program, r->in);
}

/* the operands, whole on one device, and as they are placed */
static void compare(tsr_mesh *m, tsr *a, tsr *b, const record *r)
{
	tsr_fn *f = program_of(tsr_ctx_of(a), r->program);
	spec in[2];
	const char *rest = read_spec(r->in, &in[0]);
	tsr *x = tsr_put(a, m, in[0].spec);

	if (!*rest) {
		tsr *got = tsr_call(f, x);
		const char *text = tsr_fn_compiled_text(f, x);
		assert_true(tsr_allclose(got, tsr_call(f, a), 1e-5, 1e-5));
		judge(got, m, MOVED(f, x), text, r);
		return;
	}
	read_spec(rest + 1, &in[1]);
	tsr *y = tsr_put(b, m, in[1].spec), *got = tsr_call(f, x, y);
	const char *text = tsr_fn_compiled_text(f, x, y);
	assert_true(tsr_allclose(got, tsr_call(f, a, b), 1e-5, 1e-5));
	judge(got, m, MOVED(f, x, y), text, r);
}

static void propagation(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"data", 4}, {"model", 2});
	tsr *a = golden_load(ctx, "s3.propagation", "a");
	tsr *b = golden_load(ctx, "s3.propagation", "b");
	char table[1 << 14];
	record r;
	int rows = 0, listed = 0, size;

	snprintf(table, sizeof table, "%s", golden_text("s3.propagation", "table"));
	for (const char *at = table; *at; at += size, rows++) {
		assert_int_equal(sscanf(at, "%31[^\t]\t%63[^\t]\t%63[^\t]\t%511[^\n]\n%n",
		                        r.program, r.in, r.out, r.moved, &size),
		                 4);
		listed += exception_of(&r) != NULL;
		compare(m, a, b, &r);
	}
	assert_int_equal(rows, 92);
	assert_int_equal(listed, sizeof exceptions / sizeof *exceptions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(propagation, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
