/* test_fuse_products.c - the choice between a kernel and the code for large products. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include "support/values.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

struct product {
	const char *a, *b, *c, *params, *from, *to;
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

/* ---- who computes it */

static int64_t all_of_them(const matrix_product *p) { return p->batch; }
static int64_t none_of_them(const matrix_product *p) { return (void)p, 0; }
static int64_t only_f32(const matrix_product *p) { return p->dtype == TSR_F32; }

#define PLAIN "contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]"
static const struct {
	struct product product;
	product_maker nobody_asked, all, f32, none; /* by what the library takes */
} makers[] = {
	{{"[64,64]", "[64,64]", "[64,64]", PLAIN, "f32", "f32"},
         BY_MATRICES,
         BY_MATRICES,
         BY_MATRICES,
         BY_KERNEL},
	{{"[64,64]", "[64,64]", "[64,64]", PLAIN, "f64", "f64"},
         BY_MATRICES,
         BY_MATRICES,
         BY_KERNEL,
         BY_KERNEL},
	{{"[64,63]", "[63,64]", "[64,64]", PLAIN, "f32", "f32"},
         BY_KERNEL,
         BY_KERNEL,
         BY_KERNEL,
         BY_KERNEL},
	{{"[7,512]", "[512,512]", "[7,512]", PLAIN, "f32", "f32"},
         BY_KERNEL,
         BY_KERNEL,
         BY_KERNEL,
         BY_KERNEL},
	{{"[0,512]", "[512,512]", "[0,512]", PLAIN, "f32", "f32"},
         BY_KERNEL,
         BY_KERNEL,
         BY_KERNEL,
         BY_KERNEL},
	/* its dims are in any order */
	{{"[16,64,4]", "[64,16,4]", "[64,64]",
          "contract_a=[0,2] contract_b=[1,2] batch_a=[] batch_b=[]", "f32", "f32"},
         BY_MATRICES,
         BY_MATRICES,
         BY_MATRICES,
         BY_KERNEL},
	{{"[64,2,64,2]", "[64,2,64,2]", "[2,2,64,64]",
          "contract_a=[2] contract_b=[0] batch_a=[3,1] batch_b=[1,3]", "f64", "f64"},
         BY_MATRICES,
         BY_MATRICES,
         BY_KERNEL,
         BY_KERNEL},
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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_function_decides)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
