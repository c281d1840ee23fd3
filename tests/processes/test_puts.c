/* test_puts.c - the messages of tsr_put between any two placements, each process by itself
 * (support/comm_record.h): sends match receives, and together they have as many bytes as a walk
 * through all devices and elements says: the bytes that a process needs and lacks, once for each of
 * its memories. Values are compared in test_threads.c. */
#include "runtime/runtime.h"
#include "support/comm_record.h"
#include "support/draws.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST_RANKS = 8, EACH = 3, MOST_MESSAGES = 4000, DRAWS = 150 };

static unsigned next_draw(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* ---- a placement, as all ranks make it */

typedef struct placement {
	int64_t x, y;             /* sizes of the axes */
	int64_t id[MOST_RANKS * EACH];
	int kind;                 /* of the spec */
	int64_t one;              /* the device, if it is one */
} placement;

enum { KINDS = 9 };

static const tsr_sharding *sharding_at(tsr_ctx *ctx, const placement *p)
{
	const tsr_spec specs[KINDS - 1] = {
		TSR_SPEC(),         TSR_SPEC("x"),      TSR_SPEC("y"),         TSR_SPEC("x", "y"),
		TSR_SPEC("y", "x"), TSR_SPEC(NULL, "y"), TSR_SPEC(NULL, "x*y"), TSR_SPEC("y*x")};

	if (p->kind == KINDS - 1) return tsr_sharding_device_at(TSR_HERE, ctx, p->one);
	tsr_mesh *m = tsr_mesh_make_devices_at(TSR_HERE, ctx, p->id, (size_t)(p->x * p->y),
	                                       (tsr_axis[]){{"x", p->x}, {"y", p->y}}, 2);
	return tsr_sharding_make_at(TSR_HERE, m, specs[p->kind]);
}

static placement draw_placement(unsigned *seed, int64_t devices)
{
	placement p = {.kind = (int)(next_draw(seed) % KINDS),
	               .one = next_draw(seed) % (unsigned)devices};

	for (int64_t k = 0; k < devices; k++) p.id[k] = k;
	if (next_draw(seed) % 2)
		for (int64_t k = devices - 1; k > 0; k--) {
			const int64_t at = next_draw(seed) % (unsigned)(k + 1), id = p.id[k];
			p.id[k] = p.id[at];
			p.id[at] = id;
		}
	const bool all = next_draw(seed) % 3;
	const int64_t used = all ? devices : 1 + next_draw(seed) % (unsigned)devices;
	p.x = 1 + next_draw(seed) % (unsigned)used;
	p.y = used / p.x;
	return p;
}

/* ---- what one rank exchanges */

typedef struct traffic {
	int64_t sent[MOST_RANKS], received[MOST_RANKS]; /* bytes; by the other one */
} traffic;

static void on_rank(int rank, int ranks, const placement *from, const placement *to,
                    const int64_t dims[2], traffic *out)
{
	static recorded all[MOST_MESSAGES];
	record_place at = {.rank = rank, .size = ranks, .all = all, .most = MOST_MESSAGES};
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = ranks * EACH,
	                            .engine = "interp",
	                            .workers = 1};
	tsr_ctx *ctx = ctx_open(TSR_HERE, &args, EACH, &record_comm, &at);
	const tsr_sharding *a = sharding_at(ctx, from), *b = sharding_at(ctx, to);
	tsr *x = tsr_put_sharding(tsr_zeros(ctx, TSR_DIMS(dims[0], dims[1]), .dtype = TSR_I16), a);

	at.n = 0;
	assert_false(tsr_is_poison(tsr_put_sharding(x, b)));
	assert_true(at.n < at.most);
	*out = (traffic){{0}, {0}};
	for (int64_t i = 0; i < at.n; i++)
		if (all[i].tag >= TAG_DATA)
			(all[i].out ? out->sent : out->received)[all[i].peer] +=
				(int64_t)all[i].bytes;
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- the same, slowly. Each device has a memory of its own */

static bool is_at(const sharding *s, const int64_t *dims, int64_t k, int64_t i, int64_t j)
{
	int64_t start[2], stop[2];

	sharding_box(s, dims, 2, k, start, stop);
	return i >= start[0] && i < stop[0] && j >= start[1] && j < stop[1];
}

static bool has(const tsr_ctx *ctx, const sharding *s, const int64_t *dims, int rank, int64_t i,
                int64_t j)
{
	for (int64_t k = 0; k < sharding_ndevices(s); k++)
		if (ctx->devices[sharding_device(s, k)].process == rank && is_at(s, dims, k, i, j))
			return true;
	return false;
}

static int64_t lacks(const tsr_ctx *ctx, const sharding *from, const sharding *to,
                     const int64_t *dims, int rank)
{
	int64_t bytes = 0;

	for (int64_t i = 0; i < dims[0]; i++)
		for (int64_t j = 0; j < dims[1]; j++) {
			if (has(ctx, from, dims, rank, i, j)) continue;
			for (int64_t k = 0; k < sharding_ndevices(to); k++) {
				const int64_t id = sharding_device(to, k);
				const bool own = ctx->devices[id].process == rank;
				bytes += own && is_at(to, dims, k, i, j) ? 2 : 0;
			}
		}
	return bytes;
}

static void check_draw(unsigned seed)
{
	const unsigned first = seed;
	const int ranks = 2 + (int)(next_draw(&seed) % (MOST_RANKS - 1));
	const placement from = draw_placement(&seed, ranks * EACH);
	const placement to = draw_placement(&seed, ranks * EACH);
	const int64_t dims[] = {next_draw(&seed) % 14, 1 + next_draw(&seed) % 14};
	traffic t[MOST_RANKS];
	tsr_ctx *one = tsr_open(.devices = ranks * EACH, .engine = "interp");

	for (int64_t k = 0; k < ranks * EACH; k++) one->devices[k].process = (int)(k / EACH);
	const sharding *a = sharding_at(one, &from), *b = sharding_at(one, &to);
	for (int r = 0; r < ranks; r++) on_rank(r, ranks, &from, &to, dims, &t[r]);
	for (int r = 0; r < ranks; r++) {
		int64_t received = 0;
		for (int q = 0; q < ranks; q++) {
			received += t[r].received[q];
			if (t[r].received[q] != t[q].sent[r])
				fail_msg("draw %u: %d sends %lld bytes to %d, which receives %lld",
				         first, q, (long long)t[q].sent[r], r,
				         (long long)t[r].received[q]);
		}
		const int64_t wants = a == b ? 0 : lacks(one, a, b, dims, r);
		if (received != wants)
			fail_msg("draw %u: %d receives %lld bytes and lacks %lld", first, r,
			         (long long)received, (long long)wants);
	}
	for (int64_t k = 0; k < ranks * EACH; k++) one->devices[k].process = 0;
	tsr_close(one);
}

static void any_two(void **state)
{
	const int seed = number_from("TSR_SEED", 0), n = number_from("TSR_DRAWS", seed ? 1 : DRAWS);

	(void)state;
	for (int i = 0; i < n; i++) check_draw((unsigned)(seed ? seed : 1) + (unsigned)i);
}

/* ---- what a report says of a psum depends on how far apart the members are */

static tsr *sum_all(tsr *x) { return tsr_psum(x, "x"); }

static double reported(tsr_ctx *ctx)
{
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = tsr_put(tsr_ones(ctx, TSR_DIMS(2)), line, TSR_P("x"));
	tsr_costs c = {.size = sizeof c};

	assert_true(tsr_fn_costs(tsr_shard_map(line, sum_all, .sig = "[x] -> []"), &c, x));
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return c.seconds * 1e9;
}

static void costs_by_level(void **state)
{
	record_place at = {.rank = 0, .size = 2}; /* each on a node of its own */
	const tsr_open_args args = {.size = sizeof args, .devices = 2, .engine = "interp"};
	const double here = reported(tsr_open_at(TSR_HERE, &args));
	const double apart = reported(ctx_open(TSR_HERE, &args, 1, &record_comm, &at));

	(void)state;
	assert_true(here >= TUNE_MEMORY_LATENCY && here < TUNE_MEMORY_LATENCY + 10);
	assert_true(apart >= TUNE_NETWORK_LATENCY && apart < TUNE_NETWORK_LATENCY + 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_two),
		cmocka_unit_test(costs_by_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
