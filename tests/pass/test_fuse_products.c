/* test_fuse_products.c - large products become products of matrices of f32 or f64, whatever their
 * dims and dtypes are, and by the rules of rows they have the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

static const struct product {
	const char *a, *b, *c, *params, *from, *to;
	bool due;
} products[] = {
	{"[256,256]", "[256,256]", "[256,256]",
	 "contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]", "bf16", "bf16", true},
	{"[260,257]", "[256,257]", "[260,256]",
	 "contract_a=[1] contract_b=[1] batch_a=[] batch_b=[]", "f16", "f16", true},
	{"[256,256]", "[256,256]", "[256,256]",
	 "contract_a=[0] contract_b=[0] batch_a=[] batch_b=[]", "f16", "f32", true},
	{"[256,256]", "[256,256]", "[256,256]",
	 "contract_a=[0] contract_b=[0] batch_a=[] batch_b=[]", "f32", "f64", true},
	{"[2,256,2,65]", "[2,256,2,65]", "[2,2,256,256]",
	 "contract_a=[3] contract_b=[3] batch_a=[0,2] batch_b=[0,2]", "f32", "f32", true},
	{"[256,2,65,2]", "[65,2,256,2]", "[2,2,256,256]",
	 "contract_a=[2] contract_b=[0] batch_a=[3,1] batch_b=[1,3]", "f64", "f64", true},
	{"[16,300,16]", "[16,16,300]", "[300,300]",
	 "contract_a=[2,0] contract_b=[0,1] batch_a=[] batch_b=[]", "bf16", "bf16", true},
	{"[16,300,16]", "[16,16,300]", "[300,300]",
	 "contract_a=[0,2] contract_b=[1,0] batch_a=[] batch_b=[]", "f32", "f32", true},
	{"[256,255]", "[255,256]", "[256,256]",
	 "contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]", "bf16", "bf16", false},
	{"[600,256]", "[256,127]", "[600,127]",
	 "contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]", "bf16", "bf16", false},
	{"[256,256]", "[256,256]", "[256,256]",
	 "contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]", "i32", "i32", false},
	{"[256,256]", "[256,256]", "[256,256]",
	 "contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]", "c64", "c64", false},
};

static const program *make(lab *l, const struct product *x)
{
	char text[600];

	snprintf(text, sizeof text,
	         "product(%%0: %s%s, %%1: %s%s) -> %s%s {\n"
	         "  %%2: %s%s = dot_general %%0 %%1 %s dtype=%s\n  return %%2\n}\n",
	         x->from, x->a, x->from, x->b, x->to, x->c, x->to, x->c, x->params, x->to);
	return lab_keep(l, program_parse(&l->ir, NULL, text, strlen(text)), "the parser");
}

/* a product that stands by itself */
static const eqn *product_in(const program *p)
{
	for (int i = 0; i < p->neqns; i++)
		if (p->eqns[i].prim == &tsr__prim_dot_general) return &p->eqns[i];
	return NULL;
}

static bool is_plain(const program *p, const eqn *e)
{
	matrix_product product;

	return maker_of(target_of(32), p, e, &product) == BY_LIBRARY;
}

static void check(lab *l, const struct product *x)
{
	static const double bounds[2][2] = {{-2, 2}, {-1, 3}};
	const program *p = make(l, x), *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
	value in[2], want, got;

	if (!q) return;
	const eqn *e = product_in(q);
	if (x->due != (e != NULL) || (e && !is_plain(q, e))) lab_fail(l, q, "due: %d", x->due);
	if (!x->due) return;
	for (int i = 0; i < 2; i++) in[i] = value_zeros(l, type_of(p, p->in[i]));
	values_points(l, in, 2, bounds);
	if (!lab_run(l, p, in, &want) || !lab_run(l, q, in, &got)) return;
	const int64_t differs = value_same(&want, &got);
	if (differs >= 0) lab_fail(l, q, "differs at element %lld", (long long)differs);
}

static void products_are_of_matrices(void **state)
{
	lab *l = lab_open(9);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(products); i++) {
		check(l, &products[i]);
		lab_clear(l);
	}
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* ---- long sums of few results, in parts */

#define FIRST "contract_a=[0] contract_b=[0] batch_a=[] batch_b=[]"
static const struct {
	struct product product;
	int64_t parts; /* 1: it stays one product */
} sums[] = {
	{{"[4096,64]", "[4096,80]", "[64,80]", FIRST, "f32", "f32", true}, 8},
	{{"[4100,64]", "[4100,80]", "[64,80]", FIRST, "f64", "f64", true}, 4},
	{{"[1,3,1500,64]", "[1,3,1500,80]", "[64,80]",
	  "contract_a=[0,1,2] contract_b=[0,1,2] batch_a=[] batch_b=[]", "f32", "f32", true}, 3},
	{{"[2,5,900,64]", "[2,5,900,80]", "[2,64,80]",
	  "contract_a=[1,2] contract_b=[1,2] batch_a=[0] batch_b=[0]", "f32", "f32", true}, 5},
	/* an odd number; another order; parts that are too short; too little; a batch to share */
	{{"[4095,64]", "[4095,80]", "[64,80]", FIRST, "f32", "f32", true}, 1},
	{{"[4096,64]", "[80,4096]", "[64,80]",
	  "contract_a=[0] contract_b=[1] batch_a=[] batch_b=[]", "f32", "f32", true}, 1},
	{{"[800,200]", "[800,200]", "[200,200]", FIRST, "f32", "f32", true}, 1},
	{{"[2048,64]", "[2048,80]", "[64,80]", FIRST, "f32", "f32", true}, 1},
	{{"[4,4096,64]", "[4,4096,80]", "[4,64,80]",
	  "contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0]", "f32", "f32", true}, 1},
};

static void long_sums_are_in_parts(void **state)
{
	lab *l = lab_open(9);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sums); i++) {
		const program *p = make(l, &sums[i].product);
		const program *q = p ? lab_keep(l, lab_fuse(p), "fuse") : NULL;
		const eqn *e = q ? product_in(q) : NULL;
		assert_non_null(e);
		const type *whole = type_of(q, q->out[0]), *made = type_of(q, e->out[0]);
		if (!is_plain(q, e) || made->size != whole->size * sums[i].parts)
			lab_fail(l, q, "%lld parts are due", (long long)sums[i].parts);
		lab_clear(l);
	}
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

/* ---- who computes it */

static int64_t all_of_them(const matrix_product *p) { return p->batch; }
static int64_t none_of_them(const matrix_product *p) { return (void)p, 0; }
static int64_t only_f32(const matrix_product *p) { return p->dtype == TSR_F32; }

#define PLAIN "contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]"
static const struct {
	struct product product;
	product_maker nobody_asked, all, f32, none; /* by what the library takes */
} makers[] = {
	{{"[64,64]", "[64,64]", "[64,64]", PLAIN, "f32", "f32", false},
	 BY_LIBRARY, BY_LIBRARY, BY_LIBRARY, BY_KERNEL},
	{{"[64,64]", "[64,64]", "[64,64]", PLAIN, "f64", "f64", false},
	 BY_LIBRARY, BY_LIBRARY, BY_KERNEL, BY_KERNEL},
	{{"[64,63]", "[63,64]", "[64,64]", PLAIN, "f32", "f32", false},
	 BY_KERNEL, BY_KERNEL, BY_KERNEL, BY_KERNEL},
	{{"[7,512]", "[512,512]", "[7,512]", PLAIN, "f32", "f32", false},
	 BY_KERNEL, BY_KERNEL, BY_KERNEL, BY_KERNEL},
	{{"[0,512]", "[512,512]", "[0,512]", PLAIN, "f32", "f32", false},
	 BY_KERNEL, BY_KERNEL, BY_KERNEL, BY_KERNEL},
	/* its operands are no matrices, and it is too small for copies of them */
	{{"[16,64,4]", "[64,16,4]", "[64,64]",
	  "contract_a=[0,2] contract_b=[1,2] batch_a=[] batch_b=[]", "f32", "f32", false},
	 BY_KERNEL, BY_KERNEL, BY_KERNEL, BY_KERNEL},
	{{"[256,256]", "[256,256]", "[256,256]", PLAIN, "bf16", "bf16", true},
	 BY_LIBRARY_PACKED, BY_LIBRARY_PACKED, BY_LIBRARY_PACKED, BY_KERNEL},
	{{"[256,256]", "[256,256]", "[256,256]", PLAIN, "f32", "f64", true},
	 BY_LIBRARY_PACKED, BY_LIBRARY_PACKED, BY_KERNEL, BY_KERNEL},
	{{"[256,256]", "[256,256]", "[256,256]", PLAIN, "i32", "i32", false},
	 BY_KERNEL, BY_KERNEL, BY_KERNEL, BY_KERNEL},
};

static product_maker made_by(const program *p, int64_t (*parts)(const matrix_product *))
{
	target on = *target_of(32);
	matrix_product product;

	on.product_parts = parts;
	return maker_of(&on, p, &p->eqns[0], &product);
}

static void one_function_decides(void **state)
{
	lab *l = lab_open(3);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(makers); i++) {
		const program *p = make(l, &makers[i].product);
		assert_non_null(p);
		if (made_by(p, NULL) != makers[i].nobody_asked ||
		    made_by(p, all_of_them) != makers[i].all ||
		    made_by(p, only_f32) != makers[i].f32 ||
		    made_by(p, none_of_them) != makers[i].none)
			lab_fail(l, p, "somebody else computes product %zu", i);
	}
	const int failures = l->failures;
	lab_close(l);
	assert_int_equal(failures, 0);
}

static void no_memory_is_an_error(void **state)
{
	lab *l = lab_open(5);
	const program *p = make(l, &products[5]);

	(void)state;
	assert_non_null(p);
	assert_true(lab_without_memory(l, p, lab_fuse) > 20);
	assert_int_equal(l->failures, 0);
	lab_close(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_of_matrices),
	                                   cmocka_unit_test(long_sums_are_in_parts),
	                                   cmocka_unit_test(one_function_decides),
	                                   cmocka_unit_test(no_memory_is_an_error)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
