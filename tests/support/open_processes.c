/* open_processes.c - gives the devices of a test program to several processes, for programs linked
 * with --wrap of the functions below. TSR_RANKS says how many there are.
 *
 * Before main the program is forked, and each process goes on to main: all make the same calls. A
 * context that is opened belongs to all of them, and what is read, printed or compared is first put
 * onto all devices, so that each has the whole. Standard output is that of process 0, whose exit
 * status also tells when another one has failed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>
#include "lib/lib.h"
#include "support/comm_shared.h"

/* a world is used again when many contexts have been opened after its own */
enum { MOST_RANKS = 8, WORLDS = 128 };

static struct {
	int ranks, rank, opened;
	pid_t child[MOST_RANKS];
	shared_world *world[WORLDS]; /* of each context that is opened */
} all = {.ranks = 1};

static void wait_for_children(void)
{
	for (int i = 1; i < all.ranks; i++) {
		int status;
		if (waitpid(all.child[i], &status, 0) != all.child[i] || status == 0) continue;
		fprintf(stderr, "process %d: status %x\n", i, (unsigned)status);
		fflush(NULL);
		_exit(1);
	}
}

__attribute__((constructor)) static void fork_all(void)
{
	const char *ranks = getenv("TSR_RANKS");

	all.ranks = ranks ? atoi(ranks) : 1;
	if (all.ranks < 1 || all.ranks > MOST_RANKS) abort();
	for (int i = 0; i < WORLDS; i++) all.world[i] = shared_world_make(all.ranks);
	for (int i = 1; i < all.ranks; i++) {
		all.child[i] = fork();
		if (all.child[i] < 0) abort();
		if (all.child[i]) continue;
		all.rank = i;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		const int null = open("/dev/null", O_WRONLY);
		if (null >= 0) dup2(null, STDOUT_FILENO);
		return;
	}
	if (all.ranks > 1) atexit(wait_for_children);
}

/* ---- contexts: with fewer devices than processes, each has one of its own */

tsr_ctx *__real_tsr_open_at(const char *where, const tsr_open_args *args);
tsr_ctx *__wrap_tsr_open_at(const char *where, const tsr_open_args *args);

tsr_ctx *__wrap_tsr_open_at(const char *where, const tsr_open_args *args)
{
	tsr_open_args own = *args;
	const int64_t n = own.devices;

	if (n < all.ranks || n > 4096 || own.devices_here) return __real_tsr_open_at(where, args);
	own.devices_here = n / all.ranks + (all.rank < n % all.ranks);
	own.wait_limit = 120; /* of eight that compile at once, on two cores */
	if (!all.rank && all.opened >= WORLDS / 2)
		shared_world_again(all.world[(all.opened + WORLDS / 2) % WORLDS]);
	const shared_place at = {all.world[all.opened++ % WORLDS], all.rank};
	return ctx_open(where, &own, 1, &shared_comm, &at);
}

/* ---- reading: of what may be elsewhere */

static const tsr *whole(const char *where, const tsr *x)
{
	tsr *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = tsr_ctx_of(x);

	if (!ctx || !ctx->processes || tsr_is_poison(x) || is_traced(x)) return x;
	const array *a = handle_slot_of(x)->payload;
	if (!a->committed) return x;
	tsr_mesh *line = tsr_mesh_make_at(where, ctx,
	                                  (tsr_axis[]){{"all_ranks", tsr_device_count(ctx)}}, 1);
	return tsr_put_at(where, h, line, TSR_P());
}

#define WRAP(type, name, parameters, arguments, first) \
	WRAP_AS(type, return, name, parameters, arguments, first)
#define WRAP_VOID(name, parameters, arguments, first) \
	WRAP_AS(void, , name, parameters, arguments, first)
#define WRAP_AS(type, gives, name, parameters, arguments, first) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		first; \
		gives __real_##name arguments; \
	}
#define WHOLE(x) x = whole(where, x)
WRAP(bool, tsr_read_at,
     (const char *where, const tsr *x, tsr_dtype element, void *out, size_t bytes),
     (where, x, element, out, bytes), WHOLE(x))
WRAP(bool, tsr_read_into_at,
     (const char *where, const tsr *x, tsr_dtype element, void *out, const tsr_read_args *args),
     (where, x, element, out, args), WHOLE(x))
WRAP(double, tsr_item_at, (const char *where, const tsr *x), (where, x), WHOLE(x))
WRAP(int64_t, tsr_item_int_at, (const char *where, const tsr *x), (where, x), WHOLE(x))
WRAP(bool, tsr_allclose_at,
     (const char *where, const tsr *a, const tsr *b, double rtol, double atol),
     (where, a, b, rtol, atol), (WHOLE(a), WHOLE(b)))
WRAP(bool, tsr_array_equal_at, (const char *where, const tsr *a, const tsr *b), (where, a, b),
     (WHOLE(a), WHOLE(b)))
WRAP(const char *, tsr_text_at, (const char *where, const tsr *x, const tsr_print_args *args),
     (where, x, args), WHOLE(x))
WRAP_VOID(tsr_print_at, (const char *where, const tsr *x, const tsr_print_args *args),
          (where, x, args), WHOLE(x))
static tsr_shards_args with_whole(const char *where, const tsr *x, const tsr_shards_args *args)
{
	tsr_shards_args own = *args;

	own.whole = whole(where, x);
	return own;
}
WRAP(const char *, tsr_shards_text_at,
     (const char *where, const tsr *x, const tsr_shards_args *args), (where, x, &own),
     const tsr_shards_args own = with_whole(where, x, args))
WRAP(bool, tsr_save_npy_at, (const char *where, const tsr *x, const char *path), (where, x, path),
     WHOLE(x))

/* a shard that may be elsewhere, as a part of the whole */
tsr *__real_tsr_shard_data_at(const char *where, const tsr *x, int64_t k);
tsr *__wrap_tsr_shard_data_at(const char *where, const tsr *x, int64_t k);

tsr *__wrap_tsr_shard_data_at(const char *where, const tsr *x, int64_t k)
{
	tsr_shard s;
	tsr *y = (tsr *)(uintptr_t)whole(where, x);

	if (y == x || !tsr_shard_of_at(where, x, k, &s))
		return __real_tsr_shard_data_at(where, x, k);
	const type *t = ((const array *)handle_slot_of(y)->payload)->type;
	const size_t bytes = (size_t)t->size * tsr_dtype_size(t->dtype);
	char *data = malloc(bytes + 1);
	tsr_dims dims;
	if (!data || !__real_tsr_read_at(where, y, t->dtype, data, bytes) ||
	    !dims_put(&(call_site){.where = where, .ctx = tsr_ctx_of(x)}, &dims, t->dims, t->ndim))
		abort();
	y = tsr_from_at(where, tsr_ctx_of(x), TSR_DTYPE_DEFAULT, data, t->dtype, dims);
	free(data);
	for (int d = 0; d < tsr_ndim(x); d++)
		y = tsr_slice_at(where, y, d, s.start[d], s.stop[d]);
	return y;
}
