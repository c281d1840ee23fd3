/* test_unroll.c - loops with steps written out, and maps in batches: the same results as without,
 * to the bit, and the program that the options ask for. */
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

enum { LONGEST = 7 };
static const int unrolls[] = {0, 2, 3, 4, 6, 7, 8, TSR_UNROLL_ALL};

/* ---- scans. Bodies get the keywords by a record of their own, so that each is a fn of its own */

typedef struct how {
	int unroll, length;
	bool reverse;
} how;

static tsr *add_wave(tsr *c, tsr *x) { return tsr_add(tsr_mul(c, 0.5), tsr_sin(tsr_mul(c, x))); }

static void carry_and_ys(tsr_frame *f)
{
	tsr *c = tsr_frame_arg(f, 0), *x = tsr_frame_arg(f, 1), *next = add_wave(c, x);
	tsr_return(f, next, tsr_mul(next, x), tsr_gt(next, c));
}

static void only_ys(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, tsr_exp(x), tsr_add(x, 1));
}

/* the sum of all that a scan gives, or all of it */
static void scan_all(tsr_frame *f)
{
	const how *h = tsr_frame_env(f);
	tsr *x = tsr_frame_arg(f, 0), *xs = tsr_frame_arg(f, 1), *c, *ys, *more, *a, *b;
	tsr_scan_into(TSR_OUT(&c, &ys, &more), carry_and_ys, x, xs, .unroll = h->unroll,
	              .reverse = h->reverse);
	tsr_scan_into(TSR_OUT(&a, &b), only_ys, TSR_NONE, xs, .unroll = h->unroll,
	              .reverse = h->reverse);
	tsr_return(f, c, ys, more, a, b,
	           tsr_scan(tsr_sin, x, TSR_NONE, .length = h->length, .unroll = h->unroll));
}

static void scan_loss(tsr_frame *f)
{
	const how *h = tsr_frame_env(f);
	tsr *x = tsr_frame_arg(f, 0), *xs = tsr_frame_arg(f, 1), *c, *ys, *more;
	tsr_scan_into(TSR_OUT(&c, &ys, &more), carry_and_ys, x, xs, .unroll = h->unroll,
	              .reverse = h->reverse);
	tsr_return(f, tsr_add(tsr_sum(c), tsr_sum(ys)));
}

static tsr *range(tsr_ctx *ctx, int n)
{
	return tsr_div(tsr_add(tsr_arange(ctx, n, .dtype = TSR_F64), 1), 8);
}

/* a fn of the body with these keywords */
#define WITH(make, body, h) make(ctx, body, .env = (h), .env_size = sizeof *(h))

static void same_scans(tsr_ctx *ctx, const how *h)
{
	const how plain = {1, h->length, h->reverse};
	tsr *x = range(ctx, 3), *xs = tsr_reshape(range(ctx, 3 * h->length), D(h->length, 3));
	tsr *y[6], *want[6], *d[2], *dwant[2];
	tsr_call_into(TSR_OUT(&y[0], &y[1], &y[2], &y[3], &y[4], &y[5]), WITH(tsr_jit, scan_all, h),
	              x, xs);
	tsr_call_into(TSR_OUT(&want[0], &want[1], &want[2], &want[3], &want[4], &want[5]),
	              WITH(tsr_jit, scan_all, &plain), x, xs);
	for (int i = 0; i < 6; i++) SAME(y[i], want[i]);
	tsr_call_into(TSR_OUT(&d[0], &d[1]),
	              tsr_grad(ctx, scan_loss, .env = h, .env_size = sizeof *h, .wrt = D(0, 1)), x,
	              xs);
	tsr_call_into(
		TSR_OUT(&dwant[0], &dwant[1]),
		tsr_grad(ctx, scan_loss, .env = &plain, .env_size = sizeof plain, .wrt = D(0, 1)),
		x, xs);
	ALIKE(d[0], dwant[0], 1e-15);
	ALIKE(d[1], dwant[1], 1e-15);
	tsr *b = tsr_add(tsr_reshape(range(ctx, 6), D(2, 3)), 1);
	SAME(tsr_call(tsr_vmap(ctx, scan_loss, .env = h, .env_size = sizeof *h,
	                       .in = TSR_MAPPED(0, TSR_UNMAPPED)),
	              b, xs),
	     tsr_call(tsr_vmap(ctx, scan_loss, .env = &plain, .env_size = sizeof plain,
	                       .in = TSR_MAPPED(0, TSR_UNMAPPED)),
	              b, xs));
}

static void scans(void **state)
{
	for (int length = 0; length <= LONGEST; length++)
		for (size_t u = 0; u < sizeof unrolls / sizeof *unrolls; u++)
			for (int reverse = 0; reverse < 2; reverse++) {
				const how h = {unrolls[u], length, reverse};
				/* steps without a value to scan over need a length */
				if (length) same_scans(*state, &h);
			}
}

static void empty_scans(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *c, *ys, *more, *none = tsr_zeros(ctx, D(0, 3), .dtype = TSR_F64), *x = range(ctx, 3);
	for (size_t u = 0; u < sizeof unrolls / sizeof *unrolls; u++) {
		tsr_scan_into(TSR_OUT(&c, &ys, &more), carry_and_ys, x, none, .unroll = unrolls[u]);
		SAME(c, x);
		SAME(ys, none);
		SHAPE(more, 0, 3);
	}
}

/* ---- in a map, on blocks that vary */

static void scan_in_map(tsr_frame *f)
{
	const how *h = tsr_frame_env(f);
	tsr *x = tsr_frame_arg(f, 0), *c, *ys, *more;
	tsr_scan_into(TSR_OUT(&c, &ys, &more), carry_and_ys, tsr_sum(x), x, .unroll = h->unroll);
	tsr_return(f, tsr_psum(c, "x"), ys);
}

static void in_maps(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = range(ctx, 14), *y[2], *want[2];
	for (size_t u = 0; u < sizeof unrolls / sizeof *unrolls; u++) {
		const how h = {.unroll = unrolls[u]}, plain = {.unroll = 1};
		tsr_call_into(TSR_OUT(&y[0], &y[1]),
		              tsr_shard_map(mesh, scan_in_map, .sig = "[x] -> [] [x]", .env = &h,
		                            .env_size = sizeof h),
		              x);
		tsr_call_into(TSR_OUT(&want[0], &want[1]),
		              tsr_shard_map(mesh, scan_in_map, .sig = "[x] -> [] [x]",
		                            .env = &plain, .env_size = sizeof plain),
		              x);
		SAME(y[0], want[0]);
		SAME(y[1], want[1]);
	}
}

/* ---- what is written out */

static int count(const char *text, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)); text++) n++;
	return n;
}

static void sines(tsr_frame *f)
{
	const how *h = tsr_frame_env(f);
	tsr_return(f, tsr_scan(tsr_sin, tsr_frame_arg(f, 0), TSR_NONE, .length = 8,
	                       .unroll = h->unroll));
}

static void written_out(void **state)
{
	static const struct {
		int unroll, loops, steps;
	} cases[] = {{0, 1, 1}, {1, 1, 1}, {2, 1, 2}, {3, 1, 5},
	             {4, 1, 4}, {5, 0, 8}, {8, 0, 8}, {TSR_UNROLL_ALL, 0, 8}};
	tsr_ctx *ctx = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const how h = {.unroll = cases[i].unroll};
		const char *text = tsr_fn_compiled_text(WITH(tsr_jit, sines, &h), range(ctx, 2));
		assert_int_equal(count(text, "= scan "), cases[i].loops);
		assert_int_equal(count(text, "= sin "), cases[i].steps);
	}
}

/* ---- fori */

static tsr *add_index(tsr *i, tsr *x) { return tsr_add(tsr_mul(x, 0.75), i); }
static void two_carries(tsr_frame *f)
{
	tsr *i = tsr_frame_arg(f, 0), *a = tsr_frame_arg(f, 1), *b = tsr_frame_arg(f, 2);
	tsr_return(f, tsr_add(b, i), tsr_sin(a));
}

static void foris(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = range(ctx, 3), *a, *b, *c, *d;
	for (int to = -1; to <= LONGEST; to++)
		for (size_t u = 0; u < sizeof unrolls / sizeof *unrolls; u++) {
			SAME(tsr_fori_unrolled(unrolls[u], -1, to, add_index, x),
			     tsr_fori(-1, to, add_index, x));
			tsr_fori_unrolled_into(TSR_OUT(&a, &b), unrolls[u], -1, to, two_carries, x,
			                       x);
			tsr_fori_into(TSR_OUT(&c, &d), -1, to, two_carries, x, x);
			SAME(a, c);
			SAME(b, d);
		}
	/* bounds that are not known: as they are, if one step is one turn */
	tsr *n = tsr_astype(tsr_full(ctx, D(), 5.0), TSR_I32);
	SAME(tsr_fori_unrolled(1, 0, n, add_index, x), tsr_fori(0, n, add_index, x));
}

/* ---- maps in batches */

static tsr *norm(tsr *x) { return tsr_sum(tsr_mul(tsr_sin(x), x)); }
static void two_of_each(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *y = tsr_frame_arg(f, 1);
	tsr_return(f, tsr_add(tsr_sum(x), y), tsr_mul(x, y));
}

TSR_TREE_TYPE(pair, { tsr *first, *absent, *second; });

static void swap_pair(tsr_frame *f)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(f, 0));
	pair turned = {.first = tsr_sin(p->second), .second = p->first};
	tsr_return(f, TSR_TREE(pair, &turned));
}

static tsr *batched_loss(tsr *x) { return tsr_sum(tsr_square(tsr_map_batched(3, norm, x))); }
static tsr *mapped_loss(tsr *x) { return tsr_sum(tsr_square(tsr_map(norm, x))); }

static void batched_maps(void **state)
{
	static const int64_t sizes[] = {1, 2, 3, 6, 7, 8, INT64_MAX};
	tsr_ctx *ctx = *state;
	for (int length = 0; length <= LONGEST; length++) {
		tsr *x = tsr_reshape(range(ctx, 4 * length), D(length, 2, 2)),
		    *y = range(ctx, length);
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			tsr *a, *b, *c, *d;
			SAME(tsr_map_batched(sizes[i], norm, x), tsr_map(norm, x));
			tsr_map_batched_into(TSR_OUT(&a, &b), sizes[i], two_of_each, x, y);
			tsr_map_into(TSR_OUT(&c, &d), two_of_each, x, y);
			SAME(a, c);
			SAME(b, d);
		}
		pair p = {.first = x, .second = y}, q = {0}, r = {0};
		tsr_map_batched_into(TSR_OUT(TSR_TREE(pair, &q)), 2, swap_pair, TSR_TREE(pair, &p));
		tsr_map_into(TSR_OUT(TSR_TREE(pair, &r)), swap_pair, TSR_TREE(pair, &p));
		SAME(q.first, r.first);
		SAME(q.second, r.second);
		assert_null(q.absent);
		ALIKE(tsr_call(tsr_grad(ctx, batched_loss), x),
		      tsr_call(tsr_grad(ctx, mapped_loss), x), 1e-15);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(scans),       TEST(empty_scans), TEST(in_maps),
		TEST(written_out), TEST(foris),       TEST(batched_maps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
