/* fault_rig.h - a scenario runs with .fail_at = 1, 2, 3 and so on until it gets through, so that
 * every request for memory fails once. It must never crash; what it says is TSR_ERROR_MEMORY, or
 * all is well and the result is right; and after tsr_close() every byte has been given back. */
#ifndef TSR_TESTS_FAULT_RIG_H
#define TSR_TESTS_FAULT_RIG_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include "support/counted.h"
#include "support/quiet.h"
#include <tsr/tsr.h>
#include <cmocka.h>

#define P TSR_P
#define D TSR_DIMS

/* ---- the loop */

/* the address sanitizer sees every second one fail, since it takes ten times as long */
#ifdef __SANITIZE_ADDRESS__
enum { EACH_REQUEST = 2 };
#else
enum { EACH_REQUEST = 1 };
#endif

/* run: true if all results are right. It goes on after an error, as callers do. One that is called
 * with .debug = "..." has letters there. The work grows with the square of the requests: several
 * small ones, not one that is large */
typedef struct scenario {
	const char *name;
	bool (*run)(tsr_ctx *);
	const char *debug;
} scenario;
#define SCENARIO(f) {#f, f, NULL}

/* f32[rows,cols]: 0, 1, 2 and so on */
static inline tsr *numbers(tsr_ctx *ctx, int64_t rows, int64_t cols)
{
	return tsr_reshape(tsr_arange(ctx, rows * cols, .dtype = TSR_F32), D(rows, cols));
}

typedef struct outcome { bool right; int code; counter counter; } outcome;

static inline outcome run(const scenario *s, int64_t fail_at)
{
	outcome o = {0};
	tsr_ctx *ctx = tsr_open(.devices = 8, .alloc = counted, .user = &o.counter,
	                        .log = log_nothing, .fail_at = fail_at, .debug = s->debug);
	o.right = s->run(ctx);
	o.code = tsr_status(ctx);
	const int closed = tsr_close(ctx);
	if (closed != o.code)
		fail_msg("tsr_close() gives %d, tsr_status() %d", closed, o.code);
	return o;
}

static inline void check_scenario(const scenario *s)
{
	const outcome clean = run(s, 0);
	if (!clean.right || clean.code || clean.counter.held)
		fail_msg("%s, without failure: right %d, code %d, %zu bytes held", s->name,
		         clean.right, clean.code, clean.counter.held);
	int64_t quiet = 0, n = 1;
	for (bool through = false; !through; n += EACH_REQUEST) {
		const outcome o = run(s, n);
		if (o.counter.held)
			fail_msg("%s, .fail_at = %lld: %zu bytes held", s->name, (long long)n,
			         o.counter.held);
		if (o.code != TSR_ERROR_MEMORY && !(o.code == 0 && o.right))
			fail_msg("%s, .fail_at = %lld: code %d, right %d", s->name, (long long)n,
			         o.code, o.right);
		quiet += o.code == 0 && o.counter.requests < clean.counter.requests;
		through = o.code == 0 && o.counter.requests >= clean.counter.requests;
	}
	print_message("%s: %lld requests, %lld of them dispensable\n", s->name,
	              (long long)(n - 1 - EACH_REQUEST), (long long)quiet);
	assert_true(n - 1 > clean.counter.requests / 2);
}

#endif
