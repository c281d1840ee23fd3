/* guard.c - detects C frames that longjmp abandoned.
 *
 * A function that calls out (into a body, say) puts a number on its frame, leaves some room below
 * the frame, and remembers where both are. A later call knows that longjmp or something like it has
 * removed the frame when
 *
 *   - the later call's own frame is above the end of that room (stacks grow down), or
 *   - the number is no longer there: calls since then have written over it.
 *
 *     main          | setjmp             | setjmp                  | setjmp
 *       tsr_call    |   the number: 17   |   tsr_add: stands in    |   a large frame:
 *                   |   (room)           |   the room: left        |   another number: left
 *       body        |     longjmp        |                         |     tsr_add
 *
 * The room is larger than what any function of ours takes before it looks. One case is missed: a
 * call from a frame that is so large, and of which so little was written, that the number is still
 * there. The next call from further up notices. On another thread or stack (that of a coroutine)
 * addresses tell nothing, and the frame is taken to be alive. */
#include "base/base.h"
#include <pthread.h>

_Thread_local __attribute__((tls_model("initial-exec"))) char thread_mark;

void guard_set(guard *g, volatile uintptr_t *on_frame, const void *room)
{
	static _Atomic uintptr_t last = 0x7473720000000000;

	*g = (guard){thread_here(), on_frame, room, ++last};
	*on_frame = g->number;
}

/* Is the address on the stack that this thread began with? Slow; asked only when a guard seems
 * gone. */
static bool on_own_stack(const void *at)
{
	pthread_attr_t about;
	void *low = NULL;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &about) != 0) return false;
	pthread_attr_getstack(&about, &low, &size);
	pthread_attr_destroy(&about);
	return (uintptr_t)at - (uintptr_t)low < size;
}

/* The number may by now be in the frame of another function, where a sanitizer would report the
 * read. */
__attribute__((no_sanitize("address", "thread"))) static bool number_stands(const guard *g)
{
	return *g->at == g->number;
}

bool guard_left(const guard *g)
{
	const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	if (g->thread != thread_here()) return false;
	if (frame < (uintptr_t)g->room && number_stands(g)) return false;
	return on_own_stack((const void *)frame) && on_own_stack((const void *)g->at);
}
