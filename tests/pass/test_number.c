/* test_number.c - the numbers of equations that exchange between devices or have effects: 1, 2, ...
 * in the order of the per-device program, also of programs inside, and copies keep them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

/* local, exchange, a loop with two, a branch in each way, exchange, and one that has no operands */
static const char text[] =
	"f(%0: f32[8], %1: i32[]) -> f32[8], i32[2] {\n"
	"  %2: f32[8], %3: i32[2] =\n"
	"    shard_map %0 %1 mesh=(x:2) axes=(x) in=[[x],[]] out=[[x],[x]] "
	"body=(%0: f32[4]{x}, %1: i32[]) -> f32[4]{x}, i32[1]{x} {\n"
	"      %2: f32[4]{x} = sin %0\n"
	"      %3: f32[4]{x} = ppermute %2 axes=(x) perm=[0>1,1>0]\n"
	"      %4: f32[4]{x} = scan %3 length=3 consts=0 carry=1 unroll=1 "
	"body=(%0: f32[4]{x}) -> f32[4]{x} {\n"
	"        %1: f32[4] = psum %0 axes=(x) to=invarying\n"
	"        %2: f32[4]{x} = pcast %1 axes=(x)\n"
	"        %3: f32[4]{x} = ppermute %2 axes=(x) perm=[0>1,1>0]\n"
	"        return %3\n"
	"      }\n"
	"      %5: f32[4]{x} = cond %1 %4 branches=[(%0: f32[4]{x}) -> f32[4]{x} {\n"
	"        %1: f32[4]{x} = ppermute %0 axes=(x) perm=[0>1,1>0]\n"
	"        return %1\n"
	"      }, (%0: f32[4]{x}) -> f32[4]{x} {\n"
	"        %1: f32[4] = pmax %0 axes=(x) to=invarying\n"
	"        %2: f32[4]{x} = pcast %1 axes=(x)\n"
	"        return %2\n"
	"      }]\n"
	"      %6: f32[4]{x} = ppermute %5 axes=(x) perm=[0>1,1>0]\n"
	"      %7: i32[]{x} = axis_index axes=(x)\n"
	"      %8: i32[1]{x} = reshape %7 dims=[1]\n"
	"      return %6 %8\n"
	"    }\n"
	"  return %2 %3\n"
	"}\n";

/* all equations, those inside behind the one that holds them; *at: the numbers so far */
static void look_at(const program *p, int32_t *at, int *unnumbered)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (eqn_exchanges(e)) assert_int_equal(e->number, ++*at);
		else assert_int_equal(e->number, 0);
		*unnumbered += !e->number;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			look_at(k.program, at, unnumbered);
	}
}

static bool copy(void *user, value_map *v, const eqn *e) { return (void)user, copy_equation(v, e); }

static void in_the_order_of_the_program(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	program *p = program_parse(&ctx->ir, TSR_HERE, text, strlen(text));
	placed to;
	int32_t last = 0;
	int unnumbered = 0;

	(void)state;
	assert_string_equal(tsr_message(ctx), "");
	assert_true(pipeline(p, NULL, TSR_HERE, NULL, &to));
	look_at(to.program, &last, &unnumbered);
	assert_int_equal(last, 6);
	assert_true(unnumbered >= 5);
	assert_true(to.program->exchanges);

	/* what an engine makes of it keeps them */
	program *again = copy_with(to.program, copy, NULL);
	last = 0;
	look_at(again, &last, &unnumbered);
	assert_int_equal(last, 6);
	program_release(again);
	placed_free(&to);
	program_release(p);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(in_the_order_of_the_program)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
