/* checkpoint_rig.h - trees of arrays with known elements, cut over meshes of any context; and
 * processes that exchange messages through shared memory. */
#ifndef TSR_TESTS_CHECKPOINT_RIG_H
#define TSR_TESTS_CHECKPOINT_RIG_H
#include "lib/checkpoint/checkpoint.h"
#include "support/comm_shared.h"
#include "tsr/tsr.h"
#include "support/quiet.h"
#include "support/specs.h"
#include <dirent.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h> /* last: it makes fail() a macro */

/* ---- a folder for all checkpoints of a test */

static char folder[100];

static inline int remove_entry(const char *path, const struct stat *s, int type, struct FTW *ftw)
{
	(void)s, (void)type, (void)ftw;
	return remove(path);
}

static inline void remove_all(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static inline int folder_make(void **state)
{
	(void)state;
	/* in memory, where fsync costs nothing, if there is such a folder */
	strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/tsr-checkpoint-XXXXXX"
	                                             : "/tmp/tsr-checkpoint-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static inline int folder_remove(void **state)
{
	(void)state;
	remove_all(folder);
	return 0;
}

/* a path, until four others were asked for */
static inline const char *in_folder(const char *name)
{
	static char path[4][300];
	static unsigned next;

	char *const out = path[next++ % ARRAY_LEN(path)];
	snprintf(out, sizeof path[0], "%s/%s", folder, name);
	return out;
}

static inline void assert_message(tsr_ctx *ctx, int code, const char *part)
{
	if (tsr_status(ctx) != code || !strstr(tsr_message(ctx), part))
		fail_msg("not error %d with \"%s\": %s", code, part, tsr_message(ctx));
	tsr_clear(ctx);
}

/* ---- the tree */

enum { LEAVES = 8 };
static const struct known_leaf {
	tsr_dtype dtype;
	int ndim;
	int64_t dims[3];
} known[LEAVES] = {
	{TSR_F32, 2, {8, 12}},     {TSR_I32, 2, {5, 7}},      {TSR_F64, 0, {0}},
	{TSR_BOOL, 1, {9}},        {TSR_BF16, 3, {16, 3, 4}}, {TSR_U8, 2, {0, 4}},
	{TSR_F32, 2, {300, 1001}}, {TSR_C64, 1, {6}},
};

static inline unsigned char known_byte(size_t leaf, size_t at, int salt)
{
	const uint32_t mixed = (uint32_t)(at + 977 * leaf + 31 * (size_t)salt + 1) * 2654435761u;

	return (unsigned char)(mixed >> (known[leaf].dtype == TSR_BOOL ? 31 : 24));
}

static inline const type *known_type(tsr_ctx *ctx, size_t k)
{
	return type_make(&ctx->ir, known[k].dtype, known[k].dims, known[k].ndim, 0);
}

/* the n-th of three meshes of all devices, and a spec of leaf k: axes one after the other, from
 * another dim and another axis on for each leaf */
static inline const sharding *known_sharding(tsr_ctx *ctx, int n, size_t k)
{
	const int64_t devices = ctx->ndevices, half = devices / 2;
	const tsr_axis axes[3][3] = {{{"x", devices}},
	                             {{"x", devices > 1 ? half : 1}, {"y", devices > 1 ? 2 : 1}},
	                             {{"x", devices % 4 ? 1 : 2},
	                              {"y", devices % 4 ? devices : half / 2},
	                              {"z", devices % 4 ? 1 : 2}}};
	const int naxes = n + 1, dims = known[k].ndim < naxes ? known[k].ndim : naxes;
	const mesh *m =
		mesh_make(&ctx->shards, NULL, axes[n], (size_t)naxes, NULL, (size_t)devices);
	spec_room room = {.ndim = dims};

	assert_non_null(m);
	for (int d = 0; d < dims; d++) {
		room.axis[d] = (d + (int)k) % naxes;
		room.start[d + 1] = d + 1;
	}
	if (k == 3) room.ndim = 0; /* whole on each device */
	return sharding_of_room(&ctx->shards, m, &room);
}

/* the leaves with `salt` in their elements, over mesh n */
static inline void make_leaves(tsr_ctx *ctx, int n, int salt, tsr *out[LEAVES])
{
	for (size_t k = 0; k < LEAVES; k++) {
		const type *t = known_type(ctx, k);
		const size_t bytes = (size_t)t->size * tsr_dtype_size(t->dtype);
		unsigned char *data = malloc(bytes + 1);
		for (size_t i = 0; i < bytes; i++) data[i] = known_byte(k, i, salt);
		out[k] = handle_of_array(
			ctx, array_from_host(ctx, t, data, known_sharding(ctx, n, k), true));
		free(data);
	}
}

/* has the block of device i what it must have? */
static inline bool block_is_known(const array *x, size_t leaf, int64_t i, int salt)
{
	const int64_t k = sharding_here(x->sharding, i);
	const size_t item = tsr_dtype_size(x->type->dtype);
	int64_t start[3], stop[3], dims[3], whole[3], strides[3], at[3] = {0};
	const int n = x->type->ndim;
	const unsigned char *data = x->shard[i]->engine->type->borrow(x->shard[i]);

	sharding_box(x->sharding, x->type->dims, n, k, start, stop);
	sharding_block_dims(x->sharding, x->type->dims, n, dims);
	dims_strides(dims, n, strides);
	dims_strides(x->type->dims, n, whole);
	for (int d = 0; d < n; d++) {
		dims[d] = stop[d] - start[d];
		if (dims[d] <= 0) return true;
	}
	do {
		size_t here = 0, there = 0;
		for (int d = 0; d < n; d++) {
			here += (size_t)(at[d] * strides[d]);
			there += (size_t)((start[d] + at[d]) * whole[d]);
		}
		for (size_t b = 0; b < item; b++)
			if (data[here * item + b] != known_byte(leaf, there * item + b, salt))
				return false;
	} while (dims_next(at, dims, n));
	return true;
}

static inline bool leaves_are_known(tsr *const x[LEAVES], int salt)
{
	for (size_t k = 0; k < LEAVES; k++) {
		const array *a = handle_array(NULL, x[k]);
		for (int64_t i = 0; a && i < a->nshards; i++)
			if (!block_is_known(a, k, i, salt)) return false;
		if (!a) return false;
	}
	return true;
}

/* ---- processes */

/* process `rank` of those of the world, which divide the devices */
static inline tsr_ctx *open_member(shared_world *w, int rank, int devices)
{
	const tsr_open_args args = {
		.size = sizeof args, .devices = devices, .log = log_nothing, .workers = 1};
	const shared_place at = {w, rank};

	return ctx_open("rig.c:1", &args, 1, &shared_comm, &at);
}

/* what each of the processes does; its exit status */
typedef int process_work(tsr_ctx *, int rank, void *of);

/* Runs them to their ends, and says whether all gave 0; 1 is expected to happen. If one is killed
 * the others wait for it no longer */
static inline bool run_processes(int size, int devices, process_work *work, void *of)
{
	shared_world *w = shared_world_make(size);
	bool ok = true;

	fflush(NULL);
	for (int rank = 0; rank < size; rank++)
		if (fork() == 0) {
			tsr_ctx *ctx = open_member(w, rank, devices);
			const int status = work(ctx, rank, of);
			if (status > 1) fprintf(stderr, "%d: %s\n", rank, tsr_message(ctx));
			_exit(status);
		}
	for (int rank = 0; rank < size; rank++) {
		int status;
		assert_true(wait(&status) > 0);
		if (!status) continue;
		if (WIFEXITED(status) && WEXITSTATUS(status) > 1)
			fail_msg("a process gave %d", WEXITSTATUS(status));
		ok = false;
		shared_world_end(w);
	}
	shared_world_free(w);
	return ok;
}

#endif
