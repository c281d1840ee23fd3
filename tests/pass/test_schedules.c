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
#include "prim/prim.h"
#include "schedule_kinds.h"
#include "support/crowd.h"
#include "support/loggp.h"
#include "support/other_costs.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST_ROUNDS = 64 };

static program *program_for(crowd *c, const kind *k, int64_t block)
{
	const int64_t n = c->n;
	char *perm = calloc((size_t)n, 24), *text = calloc((size_t)n + 64, 24);
	const bool varies = !strstr(k->text ? k->text : "", "invarying");
	size_t at = 0;
	const int64_t result = strcmp(k->name, "psum_scatter") == 0 ? block / n
	                       : strcmp(k->name, "all_gather") == 0 ? n * block
	                                                            : block;

	for (int64_t i = 0; i < n; i++)
		at += (size_t)sprintf(perm + at, "%s%lld>%lld", i ? "," : "", (long long)i,
		                      (long long)((i + 1) % n));
	const size_t head = (size_t)sprintf(
		text,
		"axes (x of (x:%lld)) f(%%0: f32[%lld]{x}) -> f32[%lld]%s {\n"
		"  %%1: f32[%lld]%s = ",
		(long long)n, (long long)block, (long long)result, varies ? "{x}" : "",
		(long long)result, varies ? "{x}" : "");
	if (k->text) sprintf(text + head, "%s\n  return %%1\n}\n", k->text);
	else sprintf(text + head, "ppermute %%0 axes=(x) perm=[%s]\n  return %%1\n}\n", perm);
	program *p = program_parse(&c->ir, k->name, text, strlen(text));
	if (!p) print_error("%s\n", error_text(&c->base));
	assert_non_null(p);
	free(perm);
	free(text);
	return p;
}

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

static int64_t type_bytes(const type *t) { return t->size * (int64_t)tsr_dtype_size(t->dtype); }

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

/* Sums of middle size over these numbers of processes take more than 1.1 of the least: psum of 3000
 * elements, and psum_scatter of 20000 a process. Over a network the start of a message takes as
 * long as 40,000 bytes of one, and the tree of one process fixes which sums are joined.
 *
 * Rows (crossing/rows.c): none. (Of 7, 15 and 29 to 31 the least time is longer, which is proved:
 * schedule_kinds.h.)
 *
 * Parts (crossing/ways.c): of 9 processes the last one has to receive its part in several messages,
 * or one of the block a part more in each round; the record has a plan of 1.09, for 9 alone. */
static const struct above {
	int64_t n;
	double psum, psum_scatter[2];
} above[] = {
	{9, 0, {0, 1.14}},
};

static double most_of(const reading *r)
{
	const bool is_sum = r->kind->bytes == of_sum, scatters = r->kind->bytes == of_chunks;
	double most = 0;

	for (size_t i = 0; i < ARRAY_LEN(above); i++) {
		if (above[i].n != r->at.n) continue;
		if (is_sum && r->at.x == r->kind->block[1]) most = above[i].psum;
		for (int j = 0; scatters && j < 2; j++)
			if (r->at.x == r->kind->block[j] * r->at.n * r->at.e)
				most = above[i].psum_scatter[j];
	}
	return most > 1.1 ? most : 1.1;
}

/* in LogGP: processes wait only for what they receive */
static double walk_all(const place *at, crowd *c, const program *p)
{
	loggp *l = loggp_open(at->n, at->level);

	for (int64_t k = 0; k < at->n; k++) {
		replicated to;
		assert_true(pass_replicate(p, (device_set){at->e, c->ids + k * at->e}, c->devices,
		                           &to));
		loggp_add(l, k, to.program);
		replicated_free(&to);
	}
	const double ns = loggp_ns(l);
	loggp_free(l);
	assert_true(ns >= 0);
	return ns;
}

static crowd *crowd_at(crowd *c, const place *p)
{
	int *node = calloc((size_t)p->n, sizeof *node);

	crowd_open(c, p->n * p->e, p->e);
	for (int64_t k = 0; k < p->n; k++) node[k] = p->level == LEVEL_NODE ? 0 : (int)k;
	c->shards.node = node;
	return c;
}

static void crowd_done(crowd *c)
{
	free((int *)(uintptr_t)c->shards.node);
	crowd_close(c);
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
	const reading r = {.kind = k, .at = at};
	double least;
	const double ns = time_of_all(k, at, &least);

	if (getenv("TSR_VERBOSE"))
		printf("%-12s %8lld elements, %5lld processes of %lld, %s: %.2f us, %.3f\n",
		       k->name, (long long)at.x, (long long)at.n, (long long)at.e,
		       at.level == LEVEL_NODE ? "node" : "network", ns / 1e3, ns / least);
	if (ns > most_of(&r) * least)
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
		const reading r = {.kind = sum, .at = at};
		if (n < 32 || all_of_them) check_all(sum, at);
		if (!(n & (n - 1))) continue;
		const double ns = choose_rows(at.base, at.level, (int)n, 4 * (double)at.x).ns;
		if (ns > most_of(&r) * least_sum(&at))
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

/* Parts of few elements, some of them empty: the messages of each plan fit */
static int fit_of_few(int64_t n, int64_t elements)
{
	const place at = {.n = n, .e = 1, .x = elements, .level = LEVEL_NODE};
	const double row = 4 * (double)elements, all = 4 * (double)filled(elements, n);
	double least;
	base b;

	time_of_all(&kinds[0], at, &least);
	assert_true(base_init(&b, NULL, NULL, 0));
	const bool in_rounds =
		choose_sum(&b, at.level, (int)n, row).kind == SUMS_IN_PARTS &&
		choose_scatter(&b, at.level, (int)n, all) == SCATTERS_IN_ROUNDS;
	base_fini(&b);
	return in_rounds;
}

static void parts_of_few(void **state)
{
	static const double costs[][3] = {{100, 2000, 1000}, {1000, 1000, 1000}, {100, 100, 20}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(costs); i++) {
		int in_rounds = 0;
		set_costs(costs[i][0], costs[i][1], costs[i][2]);
		for (int64_t n = 5; n <= (all_of_them ? 66 : 27); n++) {
			const int64_t few[] = {1, 2, 3, 5, n / 2, n - 1, n + 1, 2 * n - 1};
			for (size_t k = 0; k < ARRAY_LEN(few); k++)
				in_rounds += fit_of_few(n, few[k]);
		}
		assert_true(in_rounds >= 90);
	}
}

static int real_costs(void **state)
{
	(void)state;
	set_real_costs();
	return 0;
}

/* ---- some of many, and those that they exchange with: the messages of each pair */

typedef struct sent {
	int64_t peer, bytes;
	bool out;
} sent;
typedef struct messages {
	sent *v;
	int64_t n, cap;
} messages;

static void note(messages *m, int64_t peer, int64_t bytes, bool out)
{
	if (m->n == m->cap) {
		m->cap = 2 * m->cap + 64;
		m->v = realloc(m->v, (size_t)m->cap * sizeof *m->v);
	}
	m->v[m->n++] = (sent){peer, bytes, out};
}

static messages messages_of(crowd *c, const program *p, int64_t process)
{
	replicated to;
	messages m = {0};

	assert_true(pass_replicate(p, (device_set){1, c->ids + process}, c->devices, &to));
	for (int i = 0; i < to.program->neqns; i++) {
		const eqn *e = &to.program->eqns[i];
		const transfer_params *t = e->params;
		if (e->prim != &tsr__prim_transfer_begin) continue;
		for (int j = 0; j < t->to.n; j++)
			note(&m, t->to.v[j], type_bytes(type_of(to.program, e->in[j])), true);
		for (int j = 0; j < t->from.n; j++)
			note(&m, t->from.v[j], type_bytes(t->types.v[j]), false);
	}
	replicated_free(&to);
	return m;
}

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

/* process k sends and receives these, in this order; their bytes are in units */
static void check_messages(crowd *c, const program *p, int64_t k, const sent *wants, size_t n,
                           int64_t unit)
{
	messages m = messages_of(c, p, k);

	assert_int_equal(m.n, n);
	for (int64_t j = 0; j < m.n; j++) {
		assert_int_equal(m.v[j].peer, wants[j].peer);
		assert_int_equal(m.v[j].bytes, unit * wants[j].bytes);
		assert_int_equal(m.v[j].out, wants[j].out);
	}
	free(m.v);
}

/* the head of crossing/shares.c has these shares, of parts of 12,000 elements */
static void shares_of_seven(void **state)
{
	static const sent two[] = {{3, 42, true}, {3, 42, false}, {0, 21, true}, {0, 21, false},
	                           {5, 6, true},  {4, 3, true},   {5, 8, false}, {4, 4, false}};
	static const sent four[] = {{6, 28, true}, {5, 28, true}, {5, 28, false}, {6, 28, false},
	                            {2, 4, true},  {0, 12, true}, {2, 3, false},  {0, 9, false}};
	const place at = {.n = 7, .e = 1, .x = 7 * 12000, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);

	(void)state;
	check_messages(&c, p, 2, two, ARRAY_LEN(two), 4000);
	check_messages(&c, p, 4, four, ARRAY_LEN(four), 4000);
	program_release(p);
	crowd_done(&c);
}

/* the head of crossing/ways.c: the last of 17 sends ten messages, and receives three shares */
static void ten_of_seventeen(void **state)
{
	const place at = {.n = 17, .e = 1, .x = 17 * 20000, .level = LEVEL_NETWORK};
	int64_t received[3] = {0}, two = 0, one = 0;
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);
	messages m = messages_of(&c, p, 16), passes = messages_of(&c, p, 10);

	(void)state;
	for (int64_t j = 0; j < m.n; j++) {
		const sent *x = &m.v[j];
		if (!x->out) received[x->peer] += x->bytes;
		else if (x->peer >= 10) two += x->bytes == 160000;
		else one += x->bytes == 80000 && (x->peer < 2 || x->peer >= 8);
	}
	assert_int_equal(m.n, 13);
	assert_int_equal(two, 6);
	assert_int_equal(one, 4);
	assert_int_equal(received[0] + received[1] + received[2], 80000);
	assert_true(received[1] > received[0] && received[0] > received[2] && received[2] > 0);
	assert_int_equal(passes.v[passes.n - 1].peer, 2);
	free(m.v);
	free(passes.v);
	program_release(p);
	crowd_done(&c);
}

/* the head of crossing/rows.c: what the last of 17 sends, and one that passes it on, with a half
 * once, and receives. Halves are sent to 9, 10 and 12, and the last one comes from 7 */
static void rows_of_seventeen(void **state)
{
	static const sent last[] = {{0, 1, true},  {8, 1, true},  {1, 1, true},
	                            {10, 1, true}, {13, 1, true}, {6, 1, false}};
	static const sent passes[] = {{9, 1, true},   {9, 1, false},  {10, 1, true}, {16, 1, false},
	                              {2, 1, true},   {10, 1, false}, {12, 2, true}, {12, 1, false},
	                              {7, 1, false},  {6, 1, true}};
	const place at = {.n = 17, .e = 1, .x = 3000, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[0], at.x);

	(void)state;
	check_messages(&c, p, 16, last, ARRAY_LEN(last), 12000);
	check_messages(&c, p, 8, passes, ARRAY_LEN(passes), 12000);
	program_release(p);
	crowd_done(&c);
}

/* the example of crossing/around.c */
static void parts_around_seven(void **state)
{
	static const sent of[] = {{6, 3, true},  {4, 3, false}, {0, 2, true},
	                          {3, 2, false}, {2, 2, true},  {1, 2, false}};
	const place at = {.n = 7, .e = 1, .x = 14, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);

	(void)state;
	check_messages(&c, p, 5, of, ARRAY_LEN(of), 8);
	program_release(p);
	crowd_done(&c);
}

/* and a pair of 14, 0 and 4, which gets the sum of the rest in two parts: 8 to 11, and 12 and 13 */
static void pair_of_fourteen(void **state)
{
	static const sent first[] = {{1, 1, true},   {1, 1, false}, {2, 1, true}, {2, 1, false},
	                             {11, 1, false}, {4, 2, true},  {4, 2, false}};
	static const sent second[] = {{5, 1, true},   {5, 1, false}, {6, 1, true}, {6, 1, false},
	                              {13, 1, false}, {0, 2, true},  {0, 2, false}};
	const place at = {.n = 14, .e = 1, .x = 3000, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[0], at.x);

	(void)state;
	check_messages(&c, p, 0, first, ARRAY_LEN(first), 12000);
	check_messages(&c, p, 4, second, ARRAY_LEN(second), 12000);
	program_release(p);
	crowd_done(&c);
}

/* and one of 25, 0 and 8, which gets the sums of 16 to 23, and of 24. 16 does not send 24 to 19,
 * which has to wait, but another half to 21, and then sends the rest's sum twice */
static void pair_of_twenty_five(void **state)
{
	static const sent first[] = {{1, 1, true}, {1, 1, false}, {2, 1, true},
	                             {2, 1, false}, {4, 1, true}, {4, 1, false},
	                             {22, 1, false}, {8, 2, true}, {8, 2, false}};
	static const sent second[] = {{9, 1, true}, {9, 1, false}, {10, 1, true},
	                              {10, 1, false}, {12, 1, true}, {12, 1, false},
	                              {21, 1, false}, {0, 2, true}, {0, 2, false}};
	static const sent rest[] = {{17, 1, true}, {17, 1, false}, {18, 1, true}, {24, 1, false},
	                            {21, 1, true}, {18, 1, false}, {21, 1, true}, {22, 1, false},
	                            {1, 1, true},  {13, 1, true},  {1, 1, false}};
	const place at = {.n = 25, .e = 1, .x = 3000, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[0], at.x);

	(void)state;
	check_messages(&c, p, 0, first, ARRAY_LEN(first), 12000);
	check_messages(&c, p, 8, second, ARRAY_LEN(second), 12000);
	check_messages(&c, p, 16, rest, ARRAY_LEN(rest), 12000);
	program_release(p);
	crowd_done(&c);
}

/* the head of crossing/shares.c: of the 11 behind a block of 16, those send it three messages that
 * have their sums early */
static void shares_of_eleven(void **state)
{
	const place at = {.n = 27, .e = 1, .x = 27 * 20000, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);

	(void)state;
	assert_true(halving_way_of(&c.base, at.level, 27, 4 * (double)at.x).early[0].shifted);
	for (int64_t k = 16; k < 27; k++) {
		messages m = messages_of(&c, p, k);
		int64_t count = 0;
		for (int64_t j = 0; j < m.n; j++) count += m.v[j].out && m.v[j].peer < 16;
		assert_int_equal(count, k >= 20 && k < 24 ? 3 : 2);
		free(m.v);
	}
	program_release(p);
	crowd_done(&c);
}

/* messages that process k of 49 sends to those from number `first` on, and before `end` */
static int64_t count_sent(crowd *c, const program *p, int64_t k, int64_t first, int64_t end,
                          int64_t *last)
{
	messages m = messages_of(c, p, k);
	int64_t count = 0;

	for (int64_t j = 0; j < m.n; j++) {
		if (!m.v[j].out || m.v[j].peer < first || m.v[j].peer >= end) continue;
		*last = m.v[j].peer;
		count++;
	}
	free(m.v);
	return count;
}

/* the head of crossing/walks.c: who gets the last message of the last of 49 sends the block one */
static void whole_of_forty_nine(void **state)
{
	const place at = {.n = 49, .e = 1, .x = 49 * 20000, .level = LEVEL_NETWORK};
	const message_cost *cost = &message_costs[at.level];
	const double part = 80000 * cost->byte;
	const double there = 47 * part + 15 * cost->start + cost->latency;
	int64_t last = 0;
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);

	(void)state;
	assert_int_equal(count_sent(&c, p, 48, 32, 48, &last), 16);
	assert_int_equal(last, 32);
	assert_int_equal(count_sent(&c, p, 32, 0, 32, &last), 1);
	assert_int_equal(last, 0);
	assert_int_equal(count_sent(&c, p, 40, 0, 32, &last), 2);
	assert_int_equal(last, 8);
	assert_true(fabs(there - 491500) < 50);
	assert_true(fabs(there - 2 * part - cost->start - 469200) < 50);
	assert_true(fabs(there + part + cost->latency - 506600) < 50);
	const double ns = halving_way_of(&c.base, at.level, 49, 4 * (double)at.x).ns;
	assert_true(ns >= there + part + cost->latency && ns < 506700);
	program_release(p);
	crowd_done(&c);
}

/* ---- the way differs by level */

static int64_t count_messages(axis_level level, const kind *k, int64_t n, int64_t x)
{
	const place at = {.n = n, .e = 1, .x = x, .level = level};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), k, x);
	messages m = messages_of(&c, p, 0);
	int64_t count = 0;

	for (int64_t j = 0; j < m.n; j++) count += m.v[j].out;
	free(m.v);
	program_release(p);
	crowd_done(&c);
	return count;
}

/* eight processes on a node send each other what they have at once; over a network, where a message
 * takes its sender so long, they pass on what they get */
static void ways_by_level(void **state)
{
	const kind *gather = &kinds[2], *sum = &kinds[0];

	(void)state;
	assert_int_equal(count_messages(LEVEL_NODE, gather, 8, 5), 7);
	assert_int_equal(count_messages(LEVEL_NETWORK, gather, 8, 5), 3);
	assert_int_equal(count_messages(LEVEL_NODE, sum, 8, 1 << 22), 7 + 7);
	assert_int_equal(count_messages(LEVEL_NETWORK, sum, 8, 1 << 22), 3 + 3);
	assert_int_equal(count_messages(LEVEL_NODE, sum, 8, 3), 3);
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
	const place at = {.n = n, .e = 1, .x = part * n, .level = LEVEL_NETWORK};
	const double bytes = 4 * (double)at.x;
	double ns = -1;
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);

	*plan = halving_way_of(&c.base, at.level, (int)n, bytes);
	if (choose_scatter(&c.base, at.level, (int)n, bytes) == way) ns = walk_all(&at, &c, p);
	program_release(p);
	crowd_done(&c);
	return ns;
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

/* The formula of parts that go around, without the time to join them. It takes all to wait for
 * those with most roots, and leaves out the few more of processes at both ends: up to 300 it says
 * 0.995 to 1.043 of what the messages take */
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
			if (has < 0.99 * ns || has > 1.05 * ns)
				fail_msg("%lld processes: %.0f ns, and the formula says %.0f",
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
		cmocka_unit_test(shares_of_seven),
		cmocka_unit_test(ten_of_seventeen),
		cmocka_unit_test(rows_of_seventeen),
		cmocka_unit_test(parts_around_seven),
		cmocka_unit_test(pair_of_fourteen),
		cmocka_unit_test(pair_of_twenty_five),
		cmocka_unit_test(shares_of_eleven),
		cmocka_unit_test(whole_of_forty_nine),
		cmocka_unit_test(ways_by_level),
		cmocka_unit_test(plans_are_walked),
		cmocka_unit_test(shares_are_walked),
		cmocka_unit_test(parts_around_are_walked),
	};

	set_real_costs();
	all_of_them = argc > 1 && strcmp(argv[1], "all") == 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
