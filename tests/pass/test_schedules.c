/* test_schedules.c - the messages that processes make of collectives (pass/crossing.c) fit: what
 * one sends to another is what that receives, message by message, and together they are as many
 * bytes as a formula says. The programs of all processes are made, or of some of many; nothing
 * runs. */
#include "pass/pass.h"
#include "prim/prim.h"
#include "support/crowd.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* ---- the messages of one process, in their order */

typedef struct sent {
	int64_t peer, bytes;
	bool out;
} sent;
typedef struct schedule_of {
	sent *v;
	int64_t n, cap;
	double received; /* bytes */
} schedule_of;

static void note(schedule_of *s, int64_t peer, const type *t, bool out)
{
	const int64_t bytes = t->size * (int64_t)tsr_dtype_size(t->dtype);

	if (s->n == s->cap) {
		s->cap = 2 * s->cap + 64;
		s->v = realloc(s->v, (size_t)s->cap * sizeof *s->v);
	}
	s->v[s->n++] = (sent){peer, bytes, out};
	if (!out) s->received += (double)bytes;
}

static void read_messages(const program *p, schedule_of *s)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const transfer_params *t = e->params;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			read_messages(k.program, s);
		if (e->prim != &tsr__prim_transfer_begin) continue;
		for (int j = 0; j < t->to.n; j++) note(s, t->to.v[j], type_of(p, e->in[j]), true);
		for (int j = 0; j < t->from.n; j++) note(s, t->from.v[j], t->types.v[j], false);
	}
}

static schedule_of schedule_at(crowd *c, const program *p, int64_t process, int64_t each)
{
	schedule_of s = {0};
	replicated to;

	const device_set set = {each, c->ids + process * each};

	assert_true(pass_replicate(p, set, c->devices, &to));
	assert_non_null(to.program);
	read_messages(to.program, &s);
	replicated_free(&to);
	return s;
}

/* what `a` sends to b is what b receives from a */
static bool fit(const schedule_of *from, int64_t a, const schedule_of *to, int64_t b)
{
	int64_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < from->n && !(from->v[i].out && from->v[i].peer == b)) i++;
		while (j < to->n && !(!to->v[j].out && to->v[j].peer == a)) j++;
		if (i == from->n || j == to->n) return i == from->n && j == to->n;
		if (from->v[i].bytes != to->v[j].bytes) return false;
	}
}

/* ---- programs, and the bytes that process `at` of n receives, each with e members */

typedef double formula(int64_t n, int64_t e, int64_t at);
typedef struct kind {
	const char *name, *text; /* %lld: the number of devices, or of elements */
	int64_t block;           /* %lld elements of a block: this many for each device, or */
	bool fixed;              /* just as many */
	formula *bytes;
} kind;

static double of_little(int64_t n, int64_t e, int64_t at)
{
	double rounds = 0;

	(void)e;
	for (int64_t span = 1; span < n; span *= 2) rounds += (at / span ^ 1) * span < n;
	return rounds * 4 * 3;
}

static int64_t owned(int64_t size, int64_t n, int64_t at)
{
	const int64_t each = (size + n - 1) / n, first = at * each < size ? at * each : size;

	return size - first < each ? size - first : each;
}

enum { MUCH = 1 << 22 };
static double of_much(int64_t n, int64_t e, int64_t at)
{
	const double own = (double)owned(MUCH, n, at);

	(void)e;
	if (n == 2) return 4.0 * MUCH; /* one round, and not two */
	return 4 * (own * (double)(n - 1) + (MUCH - own));
}

static double of_chunks(int64_t n, int64_t e, int64_t at)
{
	return (void)at, 4.0 * (double)(n - 1) * (double)e * 2;
}
static double of_blocks(int64_t n, int64_t e, int64_t at)
{
	return (void)at, 4.0 * (double)(n - 1) * (double)e * 5;
}
static double of_pairs(int64_t n, int64_t e, int64_t at)
{
	return (void)at, 4.0 * (double)(n - 1) * (double)(e * e) * 2;
}
static double of_one(int64_t n, int64_t e, int64_t at)
{
	return (void)n, (void)e, (void)at, 4.0 * 5;
}
static double of_source(int64_t n, int64_t e, int64_t at)
{
	return (void)n, at * e <= 3 && 3 < at * e + e ? 0 : 4.0 * 5;
}

static const kind kinds[] = {
	{"psum", "psum %0 axes=(x) to=invarying", 3, true, of_little},
	{"much", "psum %0 axes=(x) to=invarying", MUCH, true, of_much},
	{"psum_scatter", "psum_scatter %0 axes=(x) dim=0 tiled=true", 2, false, of_chunks},
	{"all_gather", "all_gather %0 axes=(x) dim=0 tiled=true to=varying", 5, true, of_blocks},
	{"all_to_all", "all_to_all %0 axes=(x) split=0 concat=0 tiled=true", 2, false, of_pairs},
	{"ppermute", NULL, 5, true, of_one},
	{"pbroadcast", "pbroadcast %0 axes=(x) source=3 to=invarying", 5, true, of_source},
};

static program *program_for(crowd *c, const kind *k)
{
	const int64_t n = c->n, block = k->fixed ? k->block : k->block * n;
	char *perm = calloc((size_t)n, 24), *text = calloc((size_t)n + 64, 24);
	const bool varies = !strstr(k->text ? k->text : "", "invarying");
	size_t at = 0;
	const int64_t result = strcmp(k->name, "psum_scatter") == 0 ? k->block
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

static void check_kind(const kind *k, int64_t n, int64_t each)
{
	crowd c;

	crowd_open(&c, n * each, each);
	program *p = program_for(&c, k);
	schedule_of *s = calloc((size_t)n, sizeof *s);
	for (int64_t a = 0; a < n; a++) {
		s[a] = schedule_at(&c, p, a, each);
		if (s[a].received != k->bytes(n, each, a))
			fail_msg("%s on %lld processes of %lld: process %lld receives %.0f bytes, "
			         "not %.0f",
			         k->name, (long long)n, (long long)each, (long long)a,
			         s[a].received, k->bytes(n, each, a));
	}
	for (int64_t a = 0; a < n; a++)
		for (int64_t b = 0; b < n; b++)
			if (!fit(&s[a], a, &s[b], b))
				fail_msg("%s on %lld processes: %lld and %lld do not fit", k->name,
				         (long long)n, (long long)a, (long long)b);
	for (int64_t a = 0; a < n; a++) free(s[a].v);
	free(s);
	program_release(p);
	crowd_close(&c);
}

static void every_kind(void **state)
{
	static const int64_t sizes[][2] = {{2, 1}, {3, 1}, {2, 2}, {4, 1}, {3, 2},
	                                   {5, 1}, {7, 2}, {8, 1}, {4, 8}, {16, 1}, {33, 1}};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
			if (kinds[k].bytes != of_source || sizes[i][0] * sizes[i][1] > 3)
				check_kind(&kinds[k], sizes[i][0], sizes[i][1]);
}

/* some of many, and some of those that they exchange with */
static void check_some(const kind *k, int64_t n)
{
	const int64_t some[] = {0, 1, n / 2 - 1, n - 1};
	crowd c;

	crowd_open(&c, n, 1);
	program *p = program_for(&c, k);
	for (size_t i = 0; i < ARRAY_LEN(some); i++) {
		const int64_t a = some[i];
		schedule_of own = schedule_at(&c, p, a, 1);
		assert_true(own.received == k->bytes(n, 1, a));
		for (int64_t j = 0; j < own.n; j += 1 + own.n / 3) {
			const int64_t b = own.v[j].peer;
			schedule_of other = schedule_at(&c, p, b, 1);
			assert_true(fit(&own, a, &other, b) && fit(&other, b, &own, a));
			free(other.v);
		}
		free(own.v);
	}
	program_release(p);
	crowd_close(&c);
}

static void many_processes(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) check_some(&kinds[k], 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind),
		cmocka_unit_test(many_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
