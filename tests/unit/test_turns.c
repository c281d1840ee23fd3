/* test_turns.c - one context and several threads: at once is an error that names both calls, in
 * turn is legal. */
#include "support/quiet.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

enum { THREADS = 4 };

/* ---- at once */

typedef struct shared {
	tsr_ctx *ctx;
	tsr *x;
	atomic_bool failed;
	const char *done; /* what the second thread could do */
} shared;

/* until the mistake is noticed, or so long that it would have been */
static void *computes(void *user)
{
	shared *s = user;
	const char *where = "a.c:1";

	for (int i = 0; i < 200000 && !atomic_load(&s->failed); i++) {
		tsr *y = tsr_mul_at(where, (tsr_arg[]){TSR_ARG(s->x), TSR_ARG(s->x)});
		if (tsr_is_poison(y)) atomic_store(&s->failed, true);
		if (i % 100 == 0 && tsr_status(s->ctx)) atomic_store(&s->failed, true);
	}
	return NULL;
}

static void at_once_is_an_error(void **state)
{
	pthread_t thread[THREADS];
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	shared s = {ctx, tsr_ones(ctx, TSR_DIMS(1000)), false, NULL};

	(void)state;
	for (int k = 0; k < THREADS; k++)
		assert_int_equal(pthread_create(&thread[k], NULL, computes, &s), 0);
	for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
	assert_int_equal(tsr_status(ctx), TSR_ERROR_THREAD);
	const char *text = tsr_message(ctx);
	assert_non_null(strstr(text, "a call while another thread is inside of"));
	assert_non_null(strstr(text, "A context belongs to one thread at a time"));
	assert_non_null(strstr(text, "a.c:1"));
	/* it goes on, when only one is left */
	tsr_clear(ctx);
	assert_true(tsr_item(tsr_sum(s.x)) == 1000);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- while a callback of the first is under way: both places are certain */

static atomic_int stage; /* 1: inside, 2: the other has tried */
static bool waits(const tsr_host_call *c)
{
	atomic_store(&stage, 1);
	while (atomic_load(&stage) != 2) continue;
	*(float *)c->out[0] = *(const float *)c->in[0];
	return true;
}

static tsr *calls_back(tsr *x)
{
	tsr_fn *f = tsr_io_callback(x, waits, .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));

	return tsr_call(f, x);
}

static tsr *none_left(tsr *x) { return tsr_gt(x, 0); }

/* whatever is no operation is refused as well, and changes nothing. NULL, or what is not */
static const char *else_done(const shared *s)
{
	tsr *slot = s->x, *kept = NULL, *x = s->x;
	float to;
	const tsr_mesh *m = tsr_mesh_make(s->ctx, {"x", 1});

	if (tsr_mesh_ndim(m)) return "mesh_make";
	if (tsr_scope_open(s->ctx)) return "scope_open";
	if (*tsr_text(x) || *tsr_type_text(x)) return "text";
	if (tsr_set(&kept, x)) return "set";
	if (tsr_keep(x) != x) return "keep";
	if (tsr_item(x) == 2.5 || tsr_read(x, &to, sizeof to)) return "read";
	if (!tsr_is_poison(tsr_zeros(s->ctx, TSR_DIMS(2)))) return "zeros";
	if (!tsr_is_poison(tsr_from(s->ctx, &to, TSR_F32, TSR_DIMS()))) return "from";
	if (!tsr_is_poison(tsr_key(s->ctx, 7))) return "key";
	if (!tsr_is_poison(tsr_put_device(x, 0))) return "put_device";
	if (!tsr_is_poison(tsr_while(none_left, tsr_neg, x))) return "while";
	if (!tsr_is_poison(tsr_call(tsr_jit(s->ctx, tsr_neg), x))) return "jit";
	tsr_drop(&slot);
	return tsr_is_poison(x) ? "drop" : NULL;
}

static void *intrudes(void *user)
{
	shared *s = user;

	while (atomic_load(&stage) != 1) continue;
	atomic_store(&s->failed, tsr_is_poison(tsr_neg_at("b.c:2", s->x)) &&
	                                 tsr_status(s->ctx) == TSR_ERROR_THREAD &&
	                                 tsr_close(s->ctx) == TSR_ERROR_THREAD);
	s->done = else_done(s);
	atomic_store(&stage, 2);
	return NULL;
}

static void both_calls_are_named(void **state)
{
	pthread_t thread;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	shared s = {ctx, tsr_scalar(ctx, 2.5f), false, NULL};
	tsr_fn *f = tsr_jit(ctx, calls_back);

	(void)state;
	atomic_store(&stage, 0);
	assert_int_equal(pthread_create(&thread, NULL, intrudes, &s), 0);
	tsr *y = tsr_call_at("a.c:1", f, (tsr_arg[]){TSR_ARG(s.x)}, 1);
	pthread_join(thread, NULL);
	if (s.done) fail_msg("%s in a second thread", s.done);
	assert_true(s.failed);
	assert_true(tsr_item(y) == 2.5); /* the first is not disturbed */
	assert_int_equal(tsr_status(ctx), TSR_ERROR_THREAD);
	assert_non_null(strstr(tsr_message(ctx), "b.c:2: a call while another thread is inside of "
	                                         "the call at a.c:1"));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_THREAD);
}

/* ---- in turn */

typedef struct relay {
	tsr_ctx *ctx;
	tsr *sum;
	pthread_mutex_t lock;
} relay;

static void *adds(void *user)
{
	relay *r = user;

	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&r->lock);
		{
			TSR_SCOPE(r->ctx);
			tsr_set(&r->sum, tsr_add(r->sum, 1));
		}
		pthread_mutex_unlock(&r->lock);
	}
	return NULL;
}

static void in_turn_is_legal(void **state)
{
	pthread_t thread[THREADS];
	relay r = {.ctx = tsr_open(), .lock = PTHREAD_MUTEX_INITIALIZER};

	(void)state;
	tsr_set(&r.sum, tsr_scalar(r.ctx, 0));
	for (int round = 0; round < 2; round++) {
		for (int k = 0; k < THREADS; k++)
			assert_int_equal(pthread_create(&thread[k], NULL, adds, &r), 0);
		for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
	}
	assert_true(tsr_item(r.sum) == 2 * THREADS * 200);
	assert_int_equal(tsr_close(r.ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(at_once_is_an_error),
	                                   cmocka_unit_test(both_calls_are_named),
	                                   cmocka_unit_test(in_turn_is_legal)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
