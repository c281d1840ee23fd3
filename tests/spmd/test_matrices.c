/* test_matrices.c - linear algebra on batches that are cut over the axes of a mesh: each device
 * factorises its own matrices, nothing is sent, and results are cut likewise; where matrices are
 * cut, each device gets the missing part of the operand once. The bits are those of one device. */
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

enum { RESULTS = 4, BYTES = 1 << 14 };
#define BATCH   "8,6"
#define MATRIX  "f32[" BATCH ",4,4]"
#define VECTOR  "f32[" BATCH ",4]"
#define SHORT   "f32[" BATCH ",3]"
#define INTS    "i32[" BATCH ",4]"
#define COMPLEX "c64[" BATCH ",4]"
#define VECTORS "c64[" BATCH ",4,4]"

/* %0 and %1 are positive definite matrices */
static const struct row {
	const char *equation, *result[RESULTS];
	int operands;
} rows[] = {
	{"cholesky %0", {MATRIX}, 1},
	{"triangular_solve %0 %1 left_side=true lower=true", {MATRIX}, 2},
	{"triangular_solve %0 %1 transpose_a=true", {MATRIX}, 2},
	{"lu %0", {MATRIX, INTS, INTS}, 1},
	{"qr %0", {MATRIX, MATRIX}, 1},
	{"eigh %0 lower=true", {MATRIX, VECTOR}, 1},
	{"svd %0 compute_uv=true", {VECTOR, MATRIX, MATRIX}, 1},
	{"hessenberg %0", {MATRIX, SHORT}, 1},
	{"tridiagonal %0 lower=true", {MATRIX, VECTOR, SHORT, SHORT}, 1},
	{"schur %0", {MATRIX, MATRIX}, 1},
	{"eig %0 left=true right=true", {COMPLEX, VECTORS, VECTORS}, 1},
};

static int write_program(const struct row *r, char *text, size_t room)
{
	size_t n = 0;
	int nout = 0;

#define PUT(...) n += (size_t)snprintf(text + n, room - n, __VA_ARGS__)
	PUT("f(%%0: " MATRIX "%s) -> ", r->operands == 2 ? ", %1: " MATRIX : "");
	for (; nout < RESULTS && r->result[nout]; nout++)
		PUT("%s%s", nout ? ", " : "", r->result[nout]);
	PUT(" {\n  ");
	for (int i = 0; i < nout; i++) PUT("%s%%%d: %s", i ? ", " : "", 10 + i, r->result[i]);
	PUT(" = %s\n  return", r->equation);
	for (int i = 0; i < nout; i++) PUT(" %%%d", 10 + i);
	PUT("\n}\n");
#undef PUT
	assert_true(n < room);
	return nout;
}

static void call(tsr_fn *f, tsr *const *x, int nin, tsr **y, int nout)
{
	tsr_out to[RESULTS];
	tsr_arg args[2];

	for (int i = 0; i < nin; i++) args[i] = TSR_ARG(x[i]);
	for (int i = 0; i < nout; i++) {
		y[i] = NULL;
		to[i] = (tsr_out){.to = {.leaf = &y[i], .count = 1}};
	}
	tsr_call_into_at(TSR_HERE, to, (size_t)nout, f, args, (size_t)nin);
}

static tsr *definite(tsr_ctx *ctx, double step)
{
	tsr *x = tsr_sin(tsr_mul(tsr_arange(ctx, 8 * 6 * 16, .dtype = TSR_F32), step));
	tsr *m = tsr_reshape(x, TSR_DIMS(8, 6, 4, 4));

	return tsr_add(tsr_matmul(m, tsr_matrix_transpose(m)), tsr_mul(tsr_eye(ctx, 4), 4));
}

static bool same_bits(tsr *a, tsr *b)
{
	static char x[BYTES], y[BYTES];
	const size_t bytes = (size_t)tsr_size(a) * tsr_dtype_size(tsr_dtype_of(a));

	assert_true(bytes <= sizeof x);
	tsr_read(a, x, bytes);
	tsr_read(b, y, bytes);
	return memcmp(x, y, bytes) == 0;
}

/* the operands put there; likewise: results are cut as they are. A device receives so many bytes of
 * each operand */
static void try_placed(const struct row *r, tsr_mesh *mesh, tsr_spec spec, bool likewise,
                       double bytes)
{
	tsr_ctx *ctx = tsr_mesh_ctx(mesh);
	TSR_SCOPE(ctx);
	tsr *x[] = {definite(ctx, 0.7), definite(ctx, 1.3)}, *want[RESULTS], *got[RESULTS];
	char text[1024];
	const int nout = write_program(r, text, sizeof text);
	tsr_fn *f = tsr_parse(ctx, text);

	call(f, x, r->operands, want, nout);
	for (int i = 0; i < 2; i++) x[i] = tsr_put(x[i], mesh, spec);
	call(f, x, r->operands, got, nout);
	const char *compiled = r->operands == 2 ? tsr_fn_compiled_text(f, x[0], x[1])
	                                        : tsr_fn_compiled_text(f, x[0]);
	if (tsr_status(ctx)) fail_msg("%s: %s", r->equation, tsr_message(ctx));
	for (int i = 0; i < nout; i++) {
		if (!same_bits(want[i], got[i]))
			fail_msg("%s: other bits in\n%s", r->equation, compiled);
		if (!likewise) continue;
		tsr *as = tsr_put(want[i], mesh, spec);
		if (tsr_sharding_of(got[i]) != tsr_sharding_of(as))
			fail_msg("%s: result %d is cut otherwise", r->equation, i);
	}
	const double moved = r->operands == 2 ? MOVED(f, x[0], x[1]) : MOVED(f, x[0]);
	if (moved != bytes * r->operands)
		fail_msg("%s: %g bytes in\n%s", r->equation, moved, compiled);
}

static void batches_stay_cut(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		try_placed(&rows[i], mesh, TSR_P("x"), true, 0);
		try_placed(&rows[i], mesh, TSR_P("x", "y"), true, 0);
		try_placed(&rows[i], mesh, TSR_P("x*y"), true, 0);
		try_placed(&rows[i], mesh, TSR_P(NULL, "y"), true, 0);
	}
}

/* 3 of 4 parts of each, or 1 of 2, and of what is cut both ways half of the device's matrices */
static void matrices_are_gathered(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	const double whole = 8 * 6 * 16 * sizeof(float);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].operands == 2) continue;
		try_placed(&rows[i], mesh, TSR_P(NULL, NULL, "x"), false, whole * 3 / 4);
		try_placed(&rows[i], mesh, TSR_P(NULL, NULL, NULL, "y"), false, whole / 2);
		try_placed(&rows[i], mesh, TSR_P("x", NULL, "y"), false, whole / 8);
	}
}

static int open_eight(void **state) { return !(*state = tsr_open(.devices = 8)); }
static int close_clean(void **state) { return tsr_close(*state) != TSR_OK; }

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(batches_stay_cut, open_eight, close_clean),
		cmocka_unit_test_setup_teardown(matrices_are_gathered, open_eight, close_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
