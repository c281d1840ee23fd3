/* test_faults.c - every public function while memory fails at its n-th request, and while it is
 * cancelled at its n-th point: it gives poison and says so, or all is well. Alone, in a jit and in
 * a map, where the trace of its operations fails.
 *
 *     test_faults                all functions, each in a process of its own
 *     test_faults tsr_gelu_at    this one */
#include "every/watch.h"

enum { MOST_FAULTS = 400 };

static int64_t fault, points;

static void fail_memory(hand *h) { h->ctx->base.mem.fail_at = fault; }
static void mend_memory(hand *h)
{
	points = h->ctx->base.mem.fail_at;
	h->ctx->base.mem.fail_at = -1;
}

/* until no request is left to fail */
static void check_memory(size_t k, int way)
{
	static const char *const names[] = {"memory", "memory, in a jit", "memory, in a map"};

	at_work = names[way];
	the.ready = fail_memory;
	the.done = mend_memory;
	for (fault = 1; fault < MOST_FAULTS; fault += 1 + fault / 16) {
		check_call(k, way);
		the.which = (int)fault;
		if (points > 0) break;
	}
	the.ready = the.done = NULL;
}

static void cancel_there(void *user, engine_run *run)
{
	(void)user, (void)run;
	if (++points == fault) tsr_cancel(the.ctx);
}

static void check_cancelled(size_t k)
{
	at_work = "cancelled";
	the.ctx->engine->progress = cancel_there;
	for (fault = 1; fault < MOST_FAULTS; fault++) {
		points = 0;
		the.which = (int)fault;
		check_call(k, IN_NOTHING);
		if (points < fault) break;
	}
	the.ctx->engine->progress = NULL;
}

static void check_function(size_t k)
{
	scene_open("", 0);
	for (int way = IN_NOTHING; way < WAYS; way++) check_memory(k, way);
	check_cancelled(k);
	scene_close();
}

int main(int n, char **names) { return check_functions(n, names, check_function); }
