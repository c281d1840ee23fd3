/* shard_rig.h - functions that the tests of src/shard share: a world of devices, meshes and
 * shardings by their text. cmocka.h comes last: it makes fail() a macro. */
#ifndef TSR_TESTS_SHARD_RIG_H
#define TSR_TESTS_SHARD_RIG_H
#include "support/specs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct world {
	base base;
	shards all;
	device *device;
} world;

static inline void world_open(world *w, int64_t ndevices)
{
	assert_true(base_init(&w->base, NULL, NULL, 0));
	w->device = calloc((size_t)ndevices, sizeof *w->device);
	assert_non_null(w->device);
	for (int64_t k = 0; k < ndevices; k++) w->device[k].id = k;
	assert_true(shards_init(&w->all, &w->base, NULL, w->device, ndevices));
}

static inline void world_close(world *w)
{
	shards_fini(&w->all);
	error_clear(&w->base);
	base_fini(&w->base);
	assert_int_equal(mem_in_use(&w->base), 0);
	free(w->device);
}

/* "1,2,3"; returns how many */
static inline int read_numbers(const char *text, int64_t *out)
{
	int n = 0;
	for (char *end; *text; text = *end ? end + 1 : end) out[n++] = strtoll(text, &end, 10);
	return n;
}

/* axes "x:4 y:2"; ids "" for the first devices */
static inline const mesh *mesh_like(world *w, const char *axes, const char *ids)
{
	char name[8][16];
	tsr_axis axis[8];
	int64_t id[64];
	size_t n = 0;
	for (int used; *axes; axes += used, n++) {
		long long size = 0;
		assert_int_equal(sscanf(axes, "%15[^:]:%lld%n", name[n], &size, &used), 2);
		used += axes[used] == ' ';
		axis[n] = (tsr_axis){name[n], size};
	}
	const int nids = read_numbers(ids, id);
	return mesh_make(&w->all, "t.c:1", axis, n, nids > 0 ? id : NULL, (size_t)nids);
}

static inline const sharding *sharding_like(world *w, const mesh *m, const char *text)
{
	const sharding *s = sharding_of_text(&w->all, m, text);
	assert_non_null(s);
	return s;
}

static inline void assert_error(world *w, tsr_code code, const char *text)
{
	assert_int_equal(error_code(&w->base), code);
	if (!strstr(error_text(&w->base), text))
		fail_msg("got:  %s\nwant: %s", error_text(&w->base), text);
	error_clear(&w->base);
}

static inline void assert_text(str *got, const char *want)
{
	assert_false(got->lost);
	assert_string_equal(got->s, want);
	str_free(got);
}

static inline void put_box(str *out, const sharding *s, const int64_t *dims, int ndim, int64_t k)
{
	int64_t start[8], stop[8];
	sharding_box(s, dims, ndim, k, start, stop);
	for (int d = 0; d < ndim; d++)
		str_printf(out, "%s%lld:%lld", d > 0 ? "," : "", (long long)start[d],
		           (long long)stop[d]);
}

#endif
