/* test_schedules.c - the messages that processes make of collectives (pass/crossing/) fit: sends
 * match receives, message by message; each process receives as many bytes as a formula says; and
 * together they take at most 1.1 of the least time (schedule_kinds.h). The programs of all
 * processes are made; nothing runs.
 *
 *     test_schedules           up to 128 processes, and some of 4,096
 *     test_schedules all       all up to 4,096, and some of 65,536
 *
 * The programs of one process after the other are read and forgotten: what is kept is a sum over
 * all messages, to which sending adds and receiving subtracts, and what each round takes at most.
 * So the time is that in which all wait for all others in each round. Where it is more than 1.1 of
 * the least, they are read once more, and all messages are walked as LogGP has it
 * (support/loggp.h). Those of sums are kept and walked at once, since a process that sends and
 * receives nothing in a round leaves it out. */
#include "pass/replicate.h"
#include "schedule_rig.h"
#include "support/other_costs.h"
#include <math.h>

enum { MOST_ROUNDS = 64 };

/* ---- all processes, one after the other */

typedef struct reading {
	const kind *kind;
	place at;
	int64_t *to, *from;  /* by process: messages of this one so far */
	uint64_t balance;    /* of all messages of all: 0 if each that is sent is received */
	double round[MOST_ROUNDS]; /* the longest of any process */
	double *since;       /* pbroadcast: when a process has the value */
	loggp *walked;       /* of a sum, all messages */
} reading;

/* a number for message `number` from a to b, of so many bytes */
static uint64_t message_hash(int64_t a, int64_t b, int64_t number, int64_t bytes)
{
	return hash_u64((uint64_t)bytes,
	                hash_u64((uint64_t)number, hash_u64((uint64_t)b, (uint64_t)a)));
}

/* when those have the value that a process passes it on to, round by round */
static void follow_source(reading *r, int64_t process, const transfer_params *t, int64_t bytes)
{
	const double takes = messages_ns(r->at.level, 1, (double)bytes);

	for (int j = 0; r->since && j < t->to.n; j++) {
		r->since[process] += takes;
		r->since[t->to.v[j]] = r->since[process];
	}
}

static double read_messages(reading *r, const program *p, int64_t process)
{
	double all = 0;
	int round = 0;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const transfer_params *t = e->params;
		double sent = 0, received = 0;
		if (e->prim != &tsr__prim_transfer_begin) continue;
		for (int j = 0; j < t->to.n; j++) {
			const int64_t bytes = type_bytes(type_of(p, e->in[j])), to = t->to.v[j];
			r->balance += message_hash(process, to, r->to[to]++, bytes);
			sent += (double)bytes;
		}
		for (int j = 0; j < t->from.n; j++) {
			const int64_t bytes = type_bytes(t->types.v[j]), from = t->from.v[j];
			r->balance -= message_hash(from, process, r->from[from]++, bytes);
			received += (double)bytes;
		}
		follow_source(r, process, t, (int64_t)sent);
		const int n = t->to.n > t->from.n ? t->to.n : t->from.n;
		const double ns = messages_ns(r->at.level, n, sent > received ? sent : received);
		assert_true(round < MOST_ROUNDS);
		if (ns > r->round[round]) r->round[round] = ns;
		round++;
		all += received;
	}
	return all;
}

static void read_process(reading *r, crowd *c, const program *p, int64_t process)
{
	const size_t bytes = (size_t)r->at.n * sizeof *r->to;
	const device_set set = {r->at.e, c->ids + process * r->at.e};
	const double wants = r->kind->bytes(&r->at, process);
	replicated to;

	memset(r->to, 0, bytes);
	memset(r->from, 0, bytes);
	assert_true(pass_replicate(p, set, c->devices, &to));
	assert_non_null(to.program);
	const double has = read_messages(r, to.program, process);
	if (r->walked) loggp_add(r->walked, process, to.program);
	replicated_free(&to);
	if (has != wants)
		fail_msg("%s of %lld on %lld processes of %lld: process %lld receives %.0f bytes, "
		         "not %.0f",
		         r->kind->name, (long long)r->at.x, (long long)r->at.n, (long long)r->at.e,
		         (long long)process, has, wants);
}

static double time_of(const reading *r)
{
	double ns = 0;

	for (int i = 0; !r->since && i < MOST_ROUNDS; i++) ns += r->round[i];
	for (int64_t k = 0; r->since && k < r->at.n; k++) ns = r->since[k] > ns ? r->since[k] : ns;
	return ns;
}

static void open_place(place *p, crowd *c)
{
	p->base = &c->base;
	p->way = calloc(1, sizeof *p->way);
	p->way->received = calloc((size_t)p->n, sizeof *p->way->received);
}

static void close_place(place *p)
{
	free(p->way->received);
	free(p->way);
}

/* the time of all, whose messages fit and have the bytes of the formula, and the least */
static double time_of_all(const kind *k, place at, double *least)
{
	crowd c;
	program *p = program_for(crowd_at(&c, &at), k, at.x);

	open_place(&at, &c);
	reading r = {.kind = k,
	             .at = at,
	             .to = calloc((size_t)at.n, sizeof *r.to),
	             .from = calloc((size_t)at.n, sizeof *r.from)};
	const int64_t source = k->bytes == of_source ? 3 / at.e : 0;

	if (k->bytes == of_source) r.since = calloc((size_t)at.n, sizeof *r.since);
	if (k < kinds + SUMS) r.walked = loggp_open(at.n, at.level);
	for (int64_t a = 0; a < at.n; a++) read_process(&r, &c, p, (source + a) % at.n);
	if (r.balance)
		fail_msg("%s of %lld on %lld processes: messages do not fit", k->name,
		         (long long)at.x, (long long)at.n);
	double ns = r.walked ? loggp_ns(r.walked) : time_of(&r);

	*least = k->least(&at);
	if (!r.walked && ns > 1.1 * *least) ns = walk_all(&at, &c, p);
	assert_true(ns >= 0);
	free(r.to);
	free(r.from);
	free(r.since);
	if (r.walked) loggp_free(r.walked);
	close_place(&at);
	program_release(p);
	crowd_done(&c);
	return ns;
}

static void check_all(const kind *k, place at)
{
	double least;
	const double ns = time_of_all(k, at, &least);

	if (getenv("TSR_VERBOSE"))
		printf("%-12s %8lld elements, %5lld processes of %lld, %s: %.2f us, %.3f\n",
		       k->name, (long long)at.x, (long long)at.n, (long long)at.e,
		       at.level == LEVEL_NODE ? "node" : "network", ns / 1e3, ns / least);
	if (ns > 1.1 * least)
		fail_msg("%s of %lld on %lld processes, level %d: %.0f ns, and the least are %.0f",
		         k->name, (long long)at.x, (long long)at.n, (int)at.level, ns, least);
}

static void check_kind(const kind *k, int64_t n, int64_t e)
{
	for (size_t i = 0; i < ARRAY_LEN(k->block) && k->block[i]; i++)
		for (axis_level l = LEVEL_NODE; l < LEVELS; l++) {
			const int64_t x = k->block[i] * (k->share ? n * e : 1);
			if (k->bytes == of_source && n * e <= 3) continue;
			if (k < kinds + SUMS || x * n * e < (int64_t)1 << 33)
				check_all(k, (place){.n = n, .e = e, .x = x, .level = l});
		}
}

static void check_kinds(int64_t n, int64_t e, size_t nkinds)
{
	for (size_t k = 0; k < nkinds; k++) check_kind(&kinds[k], n, e);
}

static bool all_of_them;

static void every_process(void **state)
{
	static const int64_t sizes[][2] = {{2, 1},  {3, 1},  {2, 2}, {4, 1}, {3, 2},
	                                   {5, 1},  {7, 2},  {8, 1}, {4, 8}, {12, 1},
	                                   {16, 1}, {33, 1}, {96, 1}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		check_kinds(sizes[i][0], sizes[i][1], ARRAY_LEN(kinds));
	for (int64_t n = 128; all_of_them && n <= 4096; n *= 2) check_kinds(n, 1, ARRAY_LEN(kinds));
	if (all_of_them) check_kinds(1000, 1, ARRAY_LEN(kinds));
	if (all_of_them) check_kinds(4095, 1, ARRAY_LEN(kinds));
}

/* numbers of processes with a large odd factor */
static void sums_of_odd_numbers(void **state)
{
	static const int64_t few[] = {9, 11, 13, 15, 19, 21, 31, 35, 40},
			     many[] = {40, 56, 65, 67, 72, 100, 127, 1025, 3000};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(few); i++) check_kinds(few[i], 1, SUMS);
	for (int64_t n = 5; all_of_them && n < 48; n += 2) check_kinds(n, 1, SUMS);
	for (size_t i = 0; all_of_them && i < ARRAY_LEN(many); i++) check_kinds(many[i], 1, SUMS);
}

/* Sums of whole rows, where the start of a message takes as long as most of one: what the plan of
 * each says, and of fewer processes the messages themselves */
static void rows_of_middle_size(void **state)
{
	const kind *sum = &kinds[0];
	crowd c;

	(void)state;
	crowd_open(&c, 2, 1);
	for (int64_t n = 2; n <= 130; n++) {
		const place at = {n, 1, sum->block[1], LEVEL_NETWORK, &c.base, NULL};
		if (n < 32 || all_of_them) check_all(sum, at);
		if (!(n & (n - 1))) continue;
		const double ns = choose_rows(at.base, at.level, (int)n, 4 * (double)at.x).ns;
		if (ns > 1.1 * least_sum(&at))
			fail_msg("%lld processes: %.0f ns, and the least are %.0f", (long long)n,
			         ns, least_sum(&at));
	}
	crowd_close(&c);
}

/* Parts of two elements, which go around; and those of a psum of more, which then all get: their
 * messages fit */
static void little_parts(void **state)
{
	static const int64_t numbers[] = {51, 85, 243, 700, 1286, 2999, 4093};
	const place more = {28, 1, 13633, LEVEL_NETWORK, NULL, NULL};
	double least;

	(void)state;
	assert_true(time_of_all(&kinds[0], more, &least) > 0);
	for (size_t i = 0; i < (all_of_them ? ARRAY_LEN(numbers) : 4); i++) {
		const place at = {numbers[i], 1, 2 * numbers[i], LEVEL_NETWORK, NULL, NULL};
		check_all(&kinds[1], at);
	}
}

static void parts_of_all_numbers(void **state)
{
	(void)state;
	for (int64_t n = 3; n <= (all_of_them ? 130 : 34); n++) check_kind(&kinds[1], n, 1);
}

/* Parts of few elements, some of them empty: the messages of each plan fit. ways: counts those sums
 * that go in parts, by way */
static void fit_of_few(int64_t n, int64_t elements, int *ways)
{
	const place at = {.n = n, .e = 1, .x = elements, .level = LEVEL_NODE};
	const double row = 4 * (double)elements, all = 4 * (double)filled(elements, n);
	double least;
	base b;

	time_of_all(&kinds[0], at, &least);
	assert_true(base_init(&b, NULL, NULL, 0));
	if (choose_sum(&b, at.level, (int)n, row).kind == SUMS_IN_PARTS)
		ways[choose_scatter(&b, at.level, (int)n, all)]++;
	base_fini(&b);
}

static void parts_of_few(void **state)
{
	static const double costs[][3] = {{100, 2000, 1000}, {1000, 1000, 1000}, {100, 100, 20}};
	int listed = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(costs); i++) {
		int ways[SCATTER_WAYS] = {0};
		set_costs(costs[i][0], costs[i][1], costs[i][2]);
		for (int64_t n = 5; n <= (all_of_them ? 66 : 35); n++) {
			const int64_t few[] = {1, 2, 3, 5, n / 2, n - 1, n + 1, 2 * n - 1};
			for (size_t k = 0; k < ARRAY_LEN(few); k++) fit_of_few(n, few[k], ways);
		}
		assert_true(ways[SCATTERS_IN_ROUNDS] >= 90);
		listed += ways[SCATTERS_AS_LISTED];
	}
	assert_true(listed >= 10);
}

static int real_costs(void **state)
{
	(void)state;
	set_real_costs();
	return 0;
}

/* ---- some of many, and those that they exchange with: the messages of each pair */

/* what `a` sends to b is what b receives from a */
static bool fit(const messages *from, int64_t a, const messages *to, int64_t b)
{
	int64_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < from->n && !(from->v[i].out && from->v[i].peer == b)) i++;
		while (j < to->n && !(!to->v[j].out && to->v[j].peer == a)) j++;
		if (i == from->n || j == to->n) return i == from->n && j == to->n;
		if (from->v[i].bytes != to->v[j].bytes) return false;
	}
}

static void check_some(const kind *k, place at)
{
	const int64_t some[] = {0, 1, at.n / 2 - 1, at.n - 1};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), k, at.x);

	open_place(&at, &c);
	for (size_t i = 0; i < ARRAY_LEN(some); i++) {
		messages own = messages_of(&c, p, some[i]);
		double received = 0;
		for (int64_t j = 0; j < own.n; j++)
			received += own.v[j].out ? 0 : (double)own.v[j].bytes;
		assert_true(received == k->bytes(&at, some[i]));
		for (int64_t j = 0; j < own.n; j += 1 + own.n / 3) {
			const int64_t b = own.v[j].peer;
			messages other = messages_of(&c, p, b);
			assert_true(fit(&own, some[i], &other, b) && fit(&other, b, &own, some[i]));
			free(other.v);
		}
		free(own.v);
	}
	close_place(&at);
	program_release(p);
	crowd_done(&c);
}

/* and of a sum with fewer elements than processes, the last of which have empty parts */
static void some_processes(void **state)
{
	(void)state;
	check_some(&kinds[0], (place){.n = 4095, .e = 1, .x = 3000, .level = LEVEL_NODE});
	for (int64_t n = 4095; n <= (all_of_them ? 65536 : 4096); n += n < 4096 ? 1 : n)
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
			const int64_t x = kinds[k].block[0] * (kinds[k].share ? n : 1);
			for (axis_level l = LEVEL_NODE; l < LEVELS; l++)
				check_some(&kinds[k],
				           (place){.n = n, .e = 1, .x = x, .level = l});
		}
}

/* ---- what a plan says that it takes */

static void plans_are_walked(void **state)
{
	static const int64_t many[] = {5,  7,  13, 14, 17, 25,  26,  28,  35,
	                               49, 51, 67, 97, 102, 104, 257, 389};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(many); i++) {
		const place at = {.n = many[i], .e = 1, .x = 3000, .level = LEVEL_NETWORK};
		crowd c;
		program *p = program_for(crowd_at(&c, &at), &kinds[0], at.x);
		const sum_way way =
			choose_sum(&c.base, at.level, (int)at.n, 4 * (double)at.x);
		const double wants = walk_all(&at, &c, p), has = way.rows.ns;
		assert_int_equal(way.kind, SUMS_BY_PLANS);
		if (fabs(has - wants) > 100) /* each message is rounded to a nanosecond */
			fail_msg("%lld processes: %.0f ns, and the plan says %.0f", (long long)at.n,
			         wants, has);
		program_release(p);
		crowd_done(&c);
	}
}

/* what the messages of a psum_scatter take; less than 0: it does not go this way */
static double walked(int64_t n, int64_t part, scatter_way way, halving_way *plan)
{
	const double bytes = 4 * (double)(n * part);
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	*plan = halving_way_of(&b, LEVEL_NETWORK, (int)n, bytes);
	const bool goes = choose_scatter(&b, LEVEL_NETWORK, (int)n, bytes) == way;
	base_fini(&b);
	return goes ? walk_parts(n, part) : -1;
}

/* And of parts: what is sent early and passed on, with halves or before them, or all at the end;
 * the last ones send each other all at once. Of 120 and 124 processes, cut in whole elements, one
 * of these is a message of its own, so it takes a start */
static void shares_are_walked(void **state)
{
	static const int64_t sizes[] = {1000, 5000, 20000};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		int count = 0;
		for (int64_t n = 7; n <= (all_of_them ? 119 : 44); n++) {
			halving_way plan;
			const double ns = walked(n, sizes[i], SCATTERS_IN_ROUNDS, &plan);
			if (ns < 0) continue;
			count++;
			if (fabs(ns - plan.ns) > 100) /* whole elements are sent */
				fail_msg("%lld processes: %.0f ns, and the plan says %.0f",
				         (long long)n, ns, plan.ns);
		}
		assert_true(count >= 12);
	}
}

/* Parts that go around, without the time to join them. The formula for more blocks than are walked
 * takes all to wait for those with most roots, and leaves out the few more of processes at both
 * ends: up to 300 it says 0.995 to 1.008 of what the messages take */
static void parts_around_are_walked(void **state)
{
	const message_cost *c = &message_costs[LEVEL_NETWORK];
	const double join = 1.0 / TUNE_JOIN_RATE;
	int count = 0;

	(void)state;
	for (int64_t n = 7; n <= (all_of_them ? 300 : 60); n++)
		for (int64_t part = 2; part <= 200; part *= 10) {
			halving_way plan;
			const double ns = walked(n, part, SCATTERS_AROUND, &plan);
			const double starts = rounds_of((int)n) * c->latency;
			const double all = scatter_around_ns(LEVEL_NETWORK, (int)n,
			                                     4 * (double)(part * n));
			const double has = starts + (all - starts) * c->byte / (c->byte + join);
			if (ns < 0) continue;
			count++;
			const double near = n / block_of((int)n) > MOST_WALKED ? 0.01 : 1e-6;
			if (fabs(has - ns) > near * ns)
				fail_msg("%lld processes: %.0f ns, and it is said to take %.0f",
				         (long long)n, ns, has);
		}
	assert_true(count >= 60);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_process),
		cmocka_unit_test(sums_of_odd_numbers),
		cmocka_unit_test(rows_of_middle_size),
		cmocka_unit_test(little_parts),
		cmocka_unit_test(parts_of_all_numbers),
		cmocka_unit_test_teardown(parts_of_few, real_costs),
		cmocka_unit_test(some_processes),
		cmocka_unit_test(plans_are_walked),
		cmocka_unit_test(shares_are_walked),
		cmocka_unit_test(parts_around_are_walked),
	};

	set_real_costs();
	all_of_them = argc > 1 && strcmp(argv[1], "all") == 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
