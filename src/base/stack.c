/* stack.c - measures how much of the calling thread's stack is left. */
#include "base/base.h"
#include <pthread.h>

size_t stack_left(void)
{
	const char *here = __builtin_frame_address(0), *end = NULL;
	pthread_attr_t attr;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &attr) != 0) return SIZE_MAX;
	void *at = NULL;
	if (pthread_attr_getstack(&attr, &at, &size) == 0) end = at;
	pthread_attr_destroy(&attr);
	if (!end || here < end || (size_t)(here - end) > size) return SIZE_MAX;
	return (size_t)(here - end);
}
