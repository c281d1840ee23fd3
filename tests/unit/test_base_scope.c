/* test_base_scope.c - handles and scopes, in order and out of it, for a long time. */
#include "unit/base_rig.h"

/* ---- scope.c. A payload is a counter of the handles that hold it. */

static void retain_count(handle_slot *s) { ++*(int *)s->payload; }
static void release_count(handle_slot *s) { --*(int *)s->payload; }

typedef struct room {
	base base;
	handles all;
	size_t before;
} room;

static void room_open(room *r)
{
	base_open(&r->base);
	r->before = mem_in_use(&r->base);
	assert_true(handles_init(&r->all, &r->base, NULL, retain_count, release_count));
}

static void room_close(room *r)
{
	handles_fini(&r->all);
	assert_int_equal(mem_in_use(&r->base), r->before);
	base_close(&r->base);
}

static tsr *make(room *r, int *payload)
{
	++*payload;
	return handle_make(&r->all, HANDLE_ARRAY, payload, 0);
}

static void test_handles(void **state)
{
	room r;
	int p = 0, q = 0;
	(void)state;
	room_open(&r);
	tsr *poison = r.all.poison;
	assert_true(handle_live(poison) && handle_slot_of(poison)->kind == HANDLE_POISON);
	assert_false(handle_live(NULL));
	assert_null(handle_slot_of(NULL));
	assert_null(handles_of(NULL));
	tsr_scope *s = scope_open(&r.all, false);
	tsr *a = make(&r, &p);
	q = 1;
	tsr *t = handle_make(&r.all, HANDLE_TRACED, &q, 42);
	assert_ptr_equal(handle_slot_of(a)->payload, &p);
	assert_int_equal((uintptr_t)handle_slot_of(a) % 64, 0);
	assert_int_equal(handle_slot_of(t)->var, 42);
	assert_ptr_equal(handles_of(a), &r.all);
	assert_true(handle_live(a) && handle_live(t) && !handle_slot_of(a)->owned);
	scope_close(s);
	assert_false(handle_live(a) || handle_live(t));
	assert_ptr_equal(handles_of(a), &r.all);
	assert_int_equal(p, 0);
	assert_int_equal(q, 0);
	assert_true(handle_live(poison));
	make(&r, &p);
	room_close(&r);
	assert_int_equal(p, 0);
	handles_fini(&r.all);
}

static void test_scopes_out_of_order(void **state)
{
	room r;
	int p[6] = {0};
	(void)state;
	room_open(&r);
	tsr *outermost = make(&r, &p[0]);
	tsr_scope *a = scope_open(&r.all, false), *none = NULL;
	make(&r, &p[1]);
	tsr_scope *b = scope_open(&r.all, false);
	tsr *in_b = make(&r, &p[2]);
	tsr_scope *c = scope_open(&r.all, false);
	make(&r, &p[3]);
	scope_close(b);
	assert_true(p[1] == 1 && !p[2] && !p[3]);
	scope_close(c);
	scope_close(b);
	scope_close(none);
	tsr_scope *d = scope_open(&r.all, false);
	tsr *in_d = make(&r, &p[4]);
	scope_close(b);
	scope_close(c);
	assert_true(handle_live(in_d) && !handle_live(in_b));
	scope_close(a);
	assert_true(!p[1] && !p[4]);
	scope_close(d);
	scope_close(a);
	scope_close(r.all.innermost);
	assert_true(handle_live(outermost));
	assert_int_equal(p[0], 1);
	assert_true(handle_live(make(&r, &p[5])));
	room_close(&r);
	assert_true(!p[0] && !p[5]);
}

/* some of many scopes closed in any order, some twice: the first one opened still closes all, and
 * all is released */
static void test_scopes_random(void **state)
{
	enum { N = 24 };
	room r;
	int p = 0;
	tsr_scope *s[N] = {NULL};
	(void)state;
	room_open(&r);
	tsr_scope *outermost = r.all.innermost, *first = scope_open(&r.all, false);
	for (int i = 0; i < 20000; i++) {
		const size_t k = random_u64() % N;
		if (random_u64() % 3)
			s[k] = scope_open(&r.all, false);
		else
			scope_close(s[k]);
		tsr *h = make(&r, &p);
		if (random_u64() % 2) handle_keep(h);
		assert_true(handle_live(h));
	}
	scope_close(first);
	assert_ptr_equal(r.all.innermost, outermost);
	room_close(&r);
	assert_int_equal(p, 0);
}

static void test_handle_keep(void **state)
{
	room r;
	int p = 0, q = 0;
	(void)state;
	room_open(&r);
	tsr *top = make(&r, &p);
	assert_ptr_equal(handle_keep(top), top);
	tsr_scope *a = scope_open(&r.all, false), *b = scope_open(&r.all, false);
	tsr *h = make(&r, &q);
	assert_ptr_equal(handle_keep(h), h);
	scope_close(b);
	assert_true(handle_live(h));
	b = scope_open(&r.all, false);
	handle_keep(h);
	scope_close(b);
	handle_keep(top);
	scope_close(a);
	assert_false(handle_live(h));
	assert_int_equal(q, 0);
	assert_ptr_equal(handle_keep(h), h);
	assert_null(handle_keep(NULL));
	assert_ptr_equal(handle_keep(r.all.poison), r.all.poison);
	assert_true(handle_live(top));
	room_close(&r);
	assert_int_equal(p, 0);
}

static void test_handle_own(void **state)
{
	room r, other;
	int p = 0, q = 0;
	tsr *x = NULL, *y = NULL;
	(void)state;
	room_open(&r);
	room_open(&other);
	tsr_scope *s = scope_open(&r.all, false);
	tsr *h = make(&r, &p), *g = make(&r, &q);
	handle_own(&r.all, &x, h);
	assert_true(x != h && handle_live(x) && handle_slot_of(x)->owned && p == 2);
	handle_own(&r.all, &y, x);
	assert_int_equal(p, 3);
	tsr *old = x;
	handle_own(&r.all, &x, x);
	assert_true(handle_live(x) && !handle_live(old) && p == 3);
	scope_close(s);
	assert_true(handle_live(x) && handle_live(y) && p == 2 && q == 0);
	assert_ptr_equal(handle_slot_of(x)->payload, &p);
	handle_keep(x);
	handle_own(&r.all, &x, g);
	assert_ptr_equal(x, r.all.poison);
	assert_int_equal(p, 1);
	handle_own(&r.all, &x, y);
	handle_own(&r.all, &x, r.all.poison);
	assert_true(x == r.all.poison && p == 1);
	handle_own(&r.all, &x, make(&other, &q));
	assert_true(x == r.all.poison && q == 1);
	handle_own(&r.all, &y, NULL);
	assert_true(!y && p == 0);
	handle_drop(&y);
	handle_drop(&x);
	assert_null(x);
	tsr *scoped = make(&r, &p);
	x = scoped;
	handle_drop(&x);
	assert_true(!x && handle_live(scoped));
	x = scoped;
	handle_own(&r.all, &x, scoped);
	assert_true(x != scoped && handle_live(scoped) && p == 2);
	room_close(&other);
	room_close(&r);
	assert_true(p == 0 && q == 0);
}

/* A stale handle is noticed until its slot has been taken 63 times more; slots are taken oldest
 * first. */
static void test_handle_serials(void **state)
{
	room r;
	int p = 0;
	(void)state;
	room_open(&r);
	tsr *keep = make(&r, &p), *x = NULL;
	tsr_scope *s = scope_open(&r.all, false);
	tsr *stale = make(&r, &p);
	scope_close(s);
	int taken = 0;
	long between = 0, apart = 0;
	while (taken < 63) {
		assert_false(handle_live(stale));
		handle_own(&r.all, &x, keep);
		between++;
		if (handle_slot_of(x) != handle_slot_of(stale)) continue;
		if (taken > 1) assert_int_equal(between, apart);
		apart = between, between = 0;
		taken++;
	}
	assert_ptr_equal(x, stale);
	assert_true(apart > 200);
	room_close(&r);
	assert_int_equal(p, 0);
}

static bool fill_handles(base *b)
{
	enum { N = 3000 };
	static tsr *slot[N];
	handles all;
	int p = 0, poisoned = 0;

	bool ok = handles_init(&all, b, NULL, retain_count, release_count);
	for (int i = 0; i < N && all.poison; i++) {
		slot[i] = NULL;
		tsr_scope *s = scope_open(&all, false);
		p++;
		tsr *h = handle_make(&all, HANDLE_ARRAY, &p, 0);
		handle_own(&all, &slot[i], h);
		poisoned += !s || h == all.poison || slot[i] == all.poison;
		if (i % 3 == 0) scope_close(s);
	}
	ok = ok && !poisoned;
	handles_fini(&all);
	assert_int_equal(p, 0);
	return ok;
}

static void test_handle_failures(void **state)
{
	(void)state;
	with_failures(fill_handles, 4);
}

/* a payload that owns a handle, as a trace owns what it lifted: its release drops that one */
typedef struct owner {
	tsr *inner;
	int *count;
} owner;

static void release_owner(handle_slot *s)
{
	owner *o = s->payload;
	--*o->count;
	handle_drop(&o->inner);
}

static void test_release_drops_others(void **state)
{
	enum { N = 50 };
	owner chain[N];
	int count = N;
	base b;
	handles all;
	(void)state;
	for (int closing = 0; closing < 2; closing++) {
		base_open(&b);
		count = N;
		assert_true(handles_init(&all, &b, NULL, retain_count, release_owner));
		tsr_scope *s = scope_open(&all, false);
		for (int i = 0; i < N; i++) {
			tsr *inner = i ? handle_make(&all, HANDLE_TRACED, &chain[i - 1], 0) : NULL;
			if (i % 2) handle_slot_of(inner)->owned = true;
			chain[i] = (owner){inner, &count};
		}
		handle_make(&all, HANDLE_TRACED, &chain[N - 1], 0);
		if (closing)
			scope_close(s);
		else
			handles_fini(&all);
		assert_int_equal(count, 0);
		handles_fini(&all);
		base_close(&b);
	}
}

/* a training loop: memory is where it was after a million turns */
static void test_steady_memory(void **state)
{
	room r;
	int p = 0;
	tsr *x = NULL;
	size_t settled = 0;
	(void)state;
	room_open(&r);
	tsr_scope *outer = scope_open(&r.all, false);
	for (int i = 0; i < 1000000; i++) {
		tsr_scope *s = scope_open(&r.all, false);
		handle_own(&r.all, &x, make(&r, &p));
		handle_keep(make(&r, &p));
		tsr_scope *inner = scope_open(&r.all, false);
		make(&r, &p);
		if (i % 2) scope_close(inner);
		scope_close(s);
		scope_close(inner);
		if (i % 300 == 299) {
			assert_int_equal(p, 301);
			scope_close(outer);
			assert_int_equal(p, 1);
			outer = scope_open(&r.all, false);
		}
		if (i == 999) settled = r.base.mem.peak;
	}
	assert_int_equal(r.base.mem.peak, settled);
	room_close(&r);
	assert_int_equal(p, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handles),         cmocka_unit_test(test_scopes_out_of_order),
		cmocka_unit_test(test_scopes_random),   cmocka_unit_test(test_handle_keep),
		cmocka_unit_test(test_handle_own),      cmocka_unit_test(test_handle_serials),
		cmocka_unit_test(test_handle_failures), cmocka_unit_test(test_release_drops_others),
		cmocka_unit_test(test_steady_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
