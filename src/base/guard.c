/* guard.c - has a C frame been left without its function's knowing?
 *
 * A function that calls out (into a body, say) puts a number on its frame, leaves some room below
 * it, and remembers where both are. The frame is gone, and longjmp or something like it has left
 * the function, when a later call
 *
 *   - stands above the end of that room (stacks grow down), or
 *   - finds another number there: calls since then have written over it.
 *
 *     main          | setjmp             | setjmp                  | setjmp
 *       tsr_call    |   the number: 17   |   tsr_add: stands in    |   a large frame:
 *                   |   (room)           |   the room: left        |   another number: left
 *       body        |     longjmp        |                         |     tsr_add
 *
 * The room is more than a function of ours takes before it looks. What looks alive and is not: a
 * call out of a frame so large, and so little written, that the number is still there. The next
 * call from further up notices. On another thread or stack (that of a coroutine) addresses say
 * nothing: the frame is taken to be alive there. */
#include "base/base.h"
#include <pthread.h>

static _Thread_local char here;

const void *thread_here(void) { return &here; }

void guard_set(guard *g, volatile uintptr_t *on_frame, const void *room)
{
	static _Atomic uintptr_t last = 0x7473720000000000;

	*g = (guard){thread_here(), on_frame, room, ++last};
	*on_frame = g->number;
}

/* Is it on the stack that this thread began with? Asked only where a guard seems to be gone. */
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

/* The number may lie in a frame of others by now, which a sanitizer watches. */
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
