/* test_fuse_large.c - programs of thousands of equations, and copies of one piece of code: how many
 * kernels they become, that these fit, and that copies have one body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "kernel/kernel.h"
#include "pass/fuse/fuse.h"
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

typedef struct maker {
	lab *l;
	build *b;
} maker;

static const type *array_type(const maker *m, int64_t rows, int64_t columns)
{
	return type_make(&m->l->ir, TSR_F32, (int64_t[]){rows, columns}, columns ? 2 : 1, 0);
}

static var input(const maker *m, int64_t rows, int64_t columns)
{
	return build_input(m->b, array_type(m, rows, columns));
}

static var one(const maker *m, const tsr_prim *p, var x) { return emit_1(m->b, p, x); }
static var two(const maker *m, const tsr_prim *p, var x, var y) { return emit_2(m->b, p, x, y); }

/* over the last dim, or dim 0 */
static var sum(const maker *m, var x, int64_t dim) { return emit_sum(m->b, x, &dim, 1); }

static var spread(const maker *m, var x, var like, int64_t dim)
{
	const type *t = build_type(m->b, like);

	return emit_broadcast(m->b, x, t->dims, t->ndim, &dim);
}

/* ---- programs of n equations or a few more; gives the number of results */

static int chain(maker *m, int n, var *out)
{
	const var y = input(m, 1000, 1000);
	var x = y;

	for (int i = 0; i < n; i++) x = two(m, i % 3 ? &tsr__prim_add : &tsr__prim_mul, x, y);
	out[0] = x;
	return 1;
}

static int tree(maker *m, int n, var *out)
{
	for (int i = 0; i <= n; i++) out[i] = input(m, 5000, 0);
	for (int left = n + 1; left > 1; left = (left + 1) / 2) {
		for (int i = 0; i < left / 2; i++)
			out[i] = two(m, &tsr__prim_add, out[2 * i], out[2 * i + 1]);
		if (left % 2) out[left / 2] = out[left - 1];
	}
	return 1;
}

/* many users of one expensive value */
static int fan(maker *m, int n, var *out)
{
	const var x = one(m, &tsr__prim_exp, input(m, 5000, 0));

	for (int i = 0; i < n; i++)
		out[i] = two(m, &tsr__prim_mul, x, emit_scalar(m->b, TSR_F32, i));
	return n;
}

static int small_fan(maker *m, int n, var *out)
{
	const var x = input(m, 8, 0);

	for (int i = 0; i < n; i++)
		out[i] = two(m, &tsr__prim_mul, x, emit_scalar(m->b, TSR_F32, i));
	return n;
}

static int norms(maker *m, int n, var *out)
{
	var x = input(m, 500, 100);

	for (int i = 0; i < n / 5; i++) {
		const var s = one(m, &tsr__prim_tanh, sum(m, x, 1));
		x = one(m, &tsr__prim_exp, two(m, &tsr__prim_sub, x, spread(m, s, x, 0)));
	}
	out[0] = x;
	return 1;
}

/* each takes a late value and any other one */
static int net(maker *m, int n, var *out)
{
	int made = 0;

	for (; made < 8; made++) out[made] = input(m, 5000, 0);
	for (; made < n + 8; made++) {
		const int late = made - 1 - (int)dice_roll(m->l, 0, made < 20 ? made - 1 : 19);
		const int any = (int)dice_roll(m->l, 0, made - 1);
		out[made] = two(m, made % 2 ? &tsr__prim_add : &tsr__prim_mul, out[late], out[any]);
	}
	for (int i = 0; i < 10; i++) out[i] = out[made - 1 - i];
	return 10;
}

/* a step of an optimiser for n / 6 parameters of different sizes */
static int optimiser(maker *m, int n, var *out)
{
	int results = 0;

	for (int i = 0; i < n / 6; i++) {
		var p = input(m, 5000 + i, 0), g = input(m, 5000 + i, 0), v = input(m, 5000 + i, 0);
		v = two(m, &tsr__prim_add, v, g);
		const var size = one(m, &tsr__prim_sqrt, one(m, &tsr__prim_square, v));
		p = two(m, &tsr__prim_sub, p, two(m, &tsr__prim_div, v, size));
		out[results++] = p;
		out[results++] = v;
	}
	return results;
}

static int scalars(maker *m, int n, var *out)
{
	var y = emit_1(m->b, &tsr__prim_neg,
	               build_input(m->b, type_make(&m->l->ir, TSR_F32, NULL, 0, 0)));
	var x = y;

	for (int i = 0; i < n; i++) {
		x = two(m, i % 3 ? &tsr__prim_add : &tsr__prim_mul, x, y);
		if (i % 7 == 0) y = x;
	}
	out[0] = x;
	return 1;
}

static const struct {
	const char *name;
	int (*make)(maker *, int n, var *out);
	int each; /* equations in a kernel, at least, on the average of 3,000 */
} programs_of[] = {
	{"chain", chain, 150},        {"tree", tree, 30},        {"fan", fan, 1},
	{"small fan", small_fan, 30}, {"norms", norms, 5},       {"net", net, 10},
	{"optimiser", optimiser, 5},  {"scalars", scalars, 150},
};

static program *make_one(lab *l, int which, int n)
{
	maker m = {.l = l, .b = build_begin(&l->ir, programs_of[which].name, NULL, 0)};
	var *out = calloc((size_t)n + 20, sizeof *out);

	assert_non_null(out);
	const int nout = programs_of[which].make(&m, n, out);
	program *p = build_end(m.b, out, nout);
	free(out);
	return p;
}

static void check_fits(lab *l, const program *q)
{
	for (int i = 0; i < q->neqns; i++) {
		const program *body = eqn_program(&q->eqns[i]);
		bool fits;
		kernel *k = body ? kernel_lower(body, &fits) : NULL;
		if (body && !k) lab_fail(l, body, "does not fit: %s", error_text(&l->base));
		if (body && body->nin + body->nout > 64)
			lab_fail(l, body, "%d values", body->nin + body->nout);
		kernel_free(k);
	}
}

static void large_programs_become_few_kernels_that_fit(void **state)
{
	lab *l = lab_open(1);

	(void)state;
	for (int which = 0; which < (int)ARRAY_LEN(programs_of); which++) {
		const program *p = lab_keep(l, make_one(l, which, 3000), programs_of[which].name);
		const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
		if (!q) break;
		check_fits(l, q);
		print_message("%s: %d equations, %d kernels\n", programs_of[which].name, p->neqns,
		              q->neqns);
		if (q->neqns * programs_of[which].each > p->neqns)
			lab_fail(l, NULL, "%s: %d kernels", programs_of[which].name, q->neqns);
		lab_clear(l);
	}
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* ---- kernels fit because the number of their nodes is known to be small enough */

/* one row on operands of this dtype; NULL: it takes none such */
static program *of_dtype(lab *l, const tsr_prim *prim, tsr_dtype dtype)
{
	const int64_t dims[] = {4, 5};
	build *b = build_begin(&l->ir, prim->name, NULL, 0);
	const integer_pow_params power = {-7};
	var in[4], out[2];

	for (int i = 0; i < 4; i++) {
		const bool chooses = prim == &tsr__prim_select_n && i == 0;
		in[i] = build_input(b, type_make(&l->ir, chooses ? TSR_BOOL : dtype, dims, 2, 0));
	}
	if (build_eqn_exact(b, prim, &power, in, prim->nin, out, NULL, NULL))
		return build_end(b, out, prim->nout);
	build_abandon(b);
	error_clear(&l->base);
	return NULL;
}

static void nodes_are_no_more_than_expected(void **state)
{
	lab *l = lab_open(1);
	double most = 0;

	(void)state;
	for (int i = 0; i < all_prims_count; i++)
		for (tsr_dtype t = TSR_BOOL; t < TSR_DTYPE_COUNT_; t++) {
			const tsr_prim *prim = all_prims[i];
			bool fits;
			if (!(prim->flags & PRIM_ELEMENTWISE)) continue;
			if (prim == &tsr__prim_convert_element_type || prim == &tsr__prim_name)
				continue; /* their parameters are others; they have one node */
			program *p = of_dtype(l, prim, t);
			kernel *k = p ? kernel_lower(p, &fits) : NULL;
			if (!k) {
				program_release(p);
				continue;
			}
			const double room = (double)k->nnodes / nodes_of(p, &p->eqns[0]);
			if (room > 1)
				lab_fail(l, p, "%s %s: %d nodes, not %.0f", prim->name,
				         tsr_dtype_name(t), k->nnodes, nodes_of(p, &p->eqns[0]));
			if (room > most) most = room;
			kernel_free(k);
			program_release(p);
		}
	print_message("at most %d %% of the nodes that are expected\n", (int)(100 * most));
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* ---- copies of one piece of code, as replicate makes them */

enum { COPIES = 8 };

/* q has a call of each body for each copy */
static void check_copies(lab *l, const program *q, int each)
{
	const program *body[16];
	int bodies = 0;

	for (int i = 0; i < q->neqns; i++) {
		const program *b = eqn_program(&q->eqns[i]);
		int at = 0;
		while (at < bodies && body[at] != b) at++;
		if (at == bodies && bodies < 16) body[bodies++] = b;
	}
	if (q->neqns != COPIES * each || bodies != each)
		lab_fail(l, q, "%d calls of %d bodies, not of %d", q->neqns, bodies, each);
}

/* Results of copies come in an order of their own, so their equations do too: the first one makes
 * what all share, and some are reached by their second result */
static void copies_have_one_body(void **state)
{
	lab *l = lab_open(1);
	maker m = {.l = l, .b = build_begin(&l->ir, "copies", NULL, 0)};
	var out[3 * COPIES];

	(void)state;
	const var shared = input(&m, 600, 100), scale = input(&m, 600, 0);
	const var light = two(&m, &tsr__prim_mul, shared, spread(&m, scale, shared, 0));
	for (int k = 0; k < COPIES; k++) {
		const var x = input(&m, 600, 100);
		const var y = one(&m, &tsr__prim_tanh, two(&m, &tsr__prim_add, x, light));
		const var row = sum(&m, y, 1);
		const var z = two(&m, &tsr__prim_sub, y, spread(&m, row, y, 0));
		out[3 * k + k % 3] = one(&m, &tsr__prim_exp, z);
		out[3 * k + (k + 1) % 3] = z;
		out[3 * k + (k + 2) % 3] = row;
	}
	const program *p = lab_keep(l, build_end(m.b, out, 3 * COPIES), "build_end");
	const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
	if (q) check_copies(l, q, 2);
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* a value that all copies use and none may store: it gets a kernel of its own */
static void what_copies_share_is_no_copys(void **state)
{
	lab *l = lab_open(1);
	maker m = {.l = l, .b = build_begin(&l->ir, "shared", NULL, 0)};
	var out[COPIES];

	(void)state;
	const var shared = one(&m, &tsr__prim_exp, input(&m, 600, 100));
	for (int k = 0; k < COPIES; k++)
		out[k] = two(&m, &tsr__prim_sub, shared, input(&m, 600, 100));
	const program *p = lab_keep(l, build_end(m.b, out, COPIES), "build_end");
	const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
	assert_non_null(q);
	assert_int_equal(q->neqns, COPIES + 1);
	for (int k = 2; k < q->neqns; k++)
		assert_ptr_equal(eqn_program(&q->eqns[k]), eqn_program(&q->eqns[1]));
	lab_close(l);
}

/* Small ones do not become one kernel, beside which there would be another one for those that are
 * left over; nor do those that read parts of one value, which become one kernel later */
static void small_copies_have_one_body(void **state)
{
	lab *l = lab_open(1);
	maker m = {.l = l, .b = build_begin(&l->ir, "small", NULL, 0)};
	var out[2 * COPIES];

	(void)state;
	const var shared = input(&m, 10 * COPIES, 16);
	for (int k = 0; k < COPIES; k++) {
		const var x = input(&m, 20, 16), y = input(&m, 20, 16);
		const var z = one(&m, &tsr__prim_neg, two(&m, &tsr__prim_max, x, y));
		out[k] = two(&m, &tsr__prim_sub, z, two(&m, &tsr__prim_mul, x, y));
		const int64_t start[] = {10 * k, 0}, stop[] = {10 * k + 10, 16}, step[] = {1, 1};
		const slice_params part = {{2, start}, {2, stop}, {2, step}};
		const var rows = emit(m.b, &tsr__prim_slice, &part, &shared, 1);
		out[COPIES + k] = two(&m, &tsr__prim_mul, one(&m, &tsr__prim_neg, rows), rows);
	}
	const program *p = lab_keep(l, build_end(m.b, out, 2 * COPIES), "build_end");
	const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
	assert_non_null(q);
	assert_int_equal(q->neqns, 2 * COPIES);
	for (int k = 2; k < q->neqns; k++)
		if (type_of(q, q->eqns[k].out[0])->dims[0] == 20)
			assert_ptr_equal(eqn_program(&q->eqns[k]), eqn_program(&q->eqns[k - 2]));
	lab_close(l);
}

/* ---- the edges of neighbours */

/* equations for (x joined to y, times two), where x has this many of 2048 rows */
static int joined_to(int64_t rows)
{
	lab *l = lab_open(1);
	maker m = {.l = l, .b = build_begin(&l->ir, "joined", NULL, 0)};
	const var x = input(&m, rows, 2048), y = input(&m, 2048 - rows, 2048);
	const var z = emit_join(m.b, (var[]){x, y}, 2, 0);
	const var twice = two(&m, &tsr__prim_add, z, z);
	const program *p = lab_keep(l, build_end(m.b, &twice, 1), "build_end");
	const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;

	assert_non_null(q);
	const int n = q->neqns;
	lab_close(l);
	return n;
}

/* a row of 8 KiB from a neighbour is read where it is; two halves are put together first */
static void edges_are_read_in_place(void **state)
{
	(void)state;
	assert_int_equal(joined_to(1), 1);
	assert_int_equal(joined_to(128), 1);
	assert_int_equal(joined_to(1024), 2);
}

/* ---- effects */

static bool note_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	(void)b, (void)e;
	out[0] = in[0];
	return true;
}

static unsigned seen(const eqn *e) { return (void)e, EFFECT_SEEN; }

/* a row that has an effect, as printing has */
static const tsr_prim note = {
	.name = "note", .effects = seen, .nin = 1, .nout = 1, .types = note_types};

/* the kernel of exp that the first note needs would give the sum as well, but for the second note
 */
static void effects_keep_their_order(void **state)
{
	lab *l = lab_open(1);
	maker m = {.l = l, .b = build_begin(&l->ir, "notes", NULL, 0)};
	const var x = input(&m, 64, 64);
	int seen = 0;

	(void)state;
	const var y = one(&m, &tsr__prim_exp, x);
	const var first = one(&m, &note, y);
	const var second = one(&m, &note, input(&m, 64, 64));
	const var z = two(&m, &tsr__prim_add, y, second);
	const program *p = lab_keep(l, build_end(m.b, (var[]){z, first}, 2), "build_end");
	const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
	assert_non_null(q);
	assert_int_equal(q->neqns, 4);
	for (int i = 0; i < q->neqns; i++) {
		if (q->eqns[i].prim != &note) continue;
		const bool of_input = q->eqns[i].in[0].id == q->in[1].id;
		assert_int_equal(of_input, seen++);
	}
	assert_int_equal(seen, 2);
	lab_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_programs_become_few_kernels_that_fit),
		cmocka_unit_test(nodes_are_no_more_than_expected),
		cmocka_unit_test(copies_have_one_body),
		cmocka_unit_test(what_copies_share_is_no_copys),
		cmocka_unit_test(small_copies_have_one_body),
		cmocka_unit_test(edges_are_read_in_place),
		cmocka_unit_test(effects_keep_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
