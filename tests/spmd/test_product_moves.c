/* test_product_moves.c - products of sampled matrices, spread over a mesh, with a wanted layout of
 * the result: none takes longer than another way would, by the planner's numbers
 * (src/pass/partition, steps.c and gathering.c). The other ways are made with constraints: either
 * operand, or both, without the axes that cut what is summed. */
#include "support/draws.h"
#include "support/recorded_bytes.h"
#include "support/part.h"
#include "support/recipe_draw.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

enum { DRAWS = 150 };

typedef struct layout2 {
	char entry[2][8];
} layout2;

typedef struct product {
	int64_t m, k, n;
	layout2 a, b, y;
	tsr_mesh *mesh;
	bool a_whole, b_whole; /* along k, by a constraint */
} product;

static tsr_spec spec_of(const layout2 *l, int dropped)
{
	const char *first = dropped != 0 && *l->entry[0] ? l->entry[0] : NULL;
	const char *second = dropped != 1 && *l->entry[1] ? l->entry[1] : NULL;

	return (tsr_spec)TSR_SPEC(first, second);
}

static void multiply(tsr_frame *f)
{
	const product *p = tsr_frame_env(f);
	tsr *a = tsr_frame_arg(f, 0), *b = tsr_frame_arg(f, 1);

	if (p->a_whole) a = tsr_constrain(a, p->mesh, spec_of(&p->a, 1));
	if (p->b_whole) b = tsr_constrain(b, p->mesh, spec_of(&p->b, 0));
	tsr_return(f, tsr_constrain(tsr_dot(a, b), p->mesh, spec_of(&p->y, -1)));
}

/* each axis cuts a dim, or none */
static void draw(uint64_t *dice, layout2 *l)
{
	for (int axis = 0; axis < 2; axis++) {
		const int d = dice_below(dice, 3);
		if (d == 2) continue;
		if (*l->entry[d]) strcat(l->entry[d], "*");
		strcat(l->entry[d], axis ? "y" : "x");
	}
}

typedef struct moved {
	double bytes, ns;
} moved;

/* a collective takes 500 ns, and 0.1 ns a byte */
static moved moved_by(tsr *a, tsr *b, const product *p)
{
	tsr_fn *f = tsr_jit(tsr_ctx_of(a), multiply, .env = p, .env_size = sizeof *p);
	tsr_costs costs = {.size = sizeof costs};

	assert_true(tsr_fn_costs(f, &costs, a, b));
	return (moved){costs.bytes, 500 * (double)costs.collectives + 0.1 * costs.bytes};
}

static void try_draw(tsr_ctx *ctx, int seed)
{
	static const int64_t sizes[][2] = {{4, 2}, {2, 2}, {8, 1}, {3, 2}, {1, 4}};
	static const int64_t of[] = {1, 2, 4, 8, 12, 16};
	TSR_SCOPE(ctx);
	uint64_t dice = (uint64_t)seed;
	const int64_t *size = sizes[dice_below(&dice, 5)];
	product p;

	memset(&p, 0, sizeof p); /* it is compared as bytes */
	p.m = of[dice_below(&dice, 6)] * 8;
	p.k = of[dice_below(&dice, 6)];
	p.n = of[dice_below(&dice, 6)] * 4;

	p.mesh = tsr_mesh_make(ctx, {"x", size[0]}, {"y", size[1]});
	draw(&dice, &p.a);
	draw(&dice, &p.b);
	draw(&dice, &p.y);
	tsr *a = tsr_put(tsr_ones(ctx, TSR_DIMS(p.m, p.k)), p.mesh, spec_of(&p.a, -1));
	tsr *b = tsr_put(tsr_ones(ctx, TSR_DIMS(p.k, p.n)), p.mesh, spec_of(&p.b, -1));
	const moved ours = moved_by(a, b, &p);
	const double work = 0.02 * (double)(p.m * p.k * p.n); /* at most, in ns */
	for (int way = 1; way < 4; way++) {
		p.a_whole = way & 1;
		p.b_whole = way >> 1;
		const moved other = moved_by(a, b, &p);
		if (tsr_status(ctx)) fail_msg("seed %d: %s", seed, tsr_message(ctx));
		if (ours.ns > other.ns + work && ours.bytes > other.bytes)
			fail_msg("seed %d, %s: [%lld,%lld] at [%s,%s] times [%lld,%lld] at "
			         "[%s,%s], wanted at [%s,%s], moves %g bytes, and %g with %s%s "
			         "whole",
			         seed, tsr_mesh_text(p.mesh), (long long)p.m, (long long)p.k,
			         p.a.entry[0], p.a.entry[1], (long long)p.k, (long long)p.n,
			         p.b.entry[0], p.b.entry[1], p.y.entry[0], p.y.entry[1], ours.bytes,
			         other.bytes,
			         p.a_whole ? "a" : "", p.b_whole ? "b" : "");
	}
}

static void none_takes_longer(void **state)
{
	const int first = number_from("TSR_SEED", 1),
		  n = getenv("TSR_SEED") ? 1 : number_from("TSR_DRAWS", DRAWS);
	tsr_ctx *ctx = tsr_open(.devices = 8);

	(void)state;
	for (int k = 0; k < n; k++) try_draw(ctx, first + k);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(none_takes_longer)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
