/* steps.c - finds the steps in a folder, by the numbers that are their names. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include "lib/checkpoint/checkpoint.h"

bool step_read(const char *name, int64_t *step)
{
	const char *at = name;

	if (*name < '0' || *name > '9' || (*name == '0' && name[1])) return false;
	return integer_read(&at, step) && !*at;
}

static int by_number(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return a < b ? -1 : a > b;
}

int64_t steps_in(const call_site *site, arena *a, const char *dir, int64_t **out)
{
	base *b = &site->ctx->base;
	DIR *list = opendir(dir);
	int64_t *step = NULL;
	size_t n = 0, cap = 0;
	bool ok = true;

	if (!list && errno != ENOENT)
		return fail_op(site, TSR_ERROR_FILE, "%s: %s", dir, strerror(errno)), -1;
	for (const struct dirent *e; ok && list && (e = readdir(list));) {
		int64_t number;
		if (!step_read(e->d_name, &number)) continue;
		ok = mem_room(b, (void **)&step, n, &cap, sizeof *step);
		if (ok) step[n++] = number;
	}
	if (list) closedir(list);
	if (n) qsort(step, n, sizeof *step, by_number);
	*out = ok ? arena_copy(a, n ? step : &(int64_t){0}, n * sizeof *step) : NULL;
	mem_free(b, step);
	return *out ? (int64_t)n : -1;
}
