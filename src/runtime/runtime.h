/* runtime.h - contexts, devices, arrays as shards, executables and their cache. run.c is the way
 * of the data (docs/architecture.md).
 *
 * Words: the `dead` context replaces one that could not be opened; the context `here` is the one
 * that a call without a context belongs to. An array is `committed` when the user placed it, or
 * when it was computed from such arrays; others go where they are needed. A `plain` array has
 * contiguous, aligned blocks; a `donated` one has given its shards to a call. An array is `whole`
 * as the user sees it; its `blocks` are what devices hold, padded to one size. A device is `here`
 * if it belongs to this process; arrays and runs count those that are here. */
#ifndef TSR_SRC_RUNTIME_H
#define TSR_SRC_RUNTIME_H
#include "comm/comm.h"
#include "engine/engine.h"
#include "pass/pass.h"
#include "tsr/tsr.h"

/* ---- keywords.c: the caller's record of keywords as one of ours. NULL: recorded, in ctx or, if
 * that is NULL, in ctx_here() */
#define KEYWORDS(T, where, ctx, given) \
	keywords_read(ctx, where, #T, &(T){.size = sizeof(T)}, sizeof(T), (given))
const void *keywords_read(tsr_ctx *, const char *where, const char *type, void *own, size_t size,
                          const void *given);
/* fills the caller's record from ours, as far as its size goes; NULL, or no size, is an error */
#define RECORD_FILL(ctx, to, from) record_fill(ctx, __func__, to, from, sizeof *(from))
bool record_fill(tsr_ctx *, const char *name, void *to, const void *from, size_t size);

typedef struct trace trace; /* src/trace/trace.h */

/* ---- cache.c: what is kept so that it need not be made again, in the order of last use */
typedef struct cached { /* an entry begins with this */
	struct cached *older, *newer;
	void (*evict)(tsr_ctx *, struct cached *); /* forgets it, and frees it */
	size_t bytes;                              /* that it takes, without programs */
	int pins; /* uses and references; while there are any it is not evicted */
} cached;
typedef struct cache {
	cached ring;  /* its `newer` is the oldest entry, its `older` the newest */
	cached aside; /* a ring of entries that stay pinned for long */
	size_t bytes, limit;
	bool closed; /* everything goes, in any order: references no longer matter */
} cache;
/* limit 0: TSR_CACHE, else 256 MiB. false: recorded */
bool cache_init(tsr_ctx *, const char *where, size_t limit);
/* adds an entry, pinned once, and evicts others if need be */
void cache_add(tsr_ctx *, cached *, size_t bytes, void (*evict)(tsr_ctx *, cached *));
void cached_count(tsr_ctx *, cached *, size_t bytes); /* so many it takes by now */
void cached_forget(tsr_ctx *, cached *); /* its `evict` calls this, and then frees it */
void cached_renew(cache *, cached *);    /* it was used last; also one that was set aside */
void cached_set_aside(cache *, cached *); /* it is pinned for long: until cached_renew */
/* A call pins two entries, in turn, so the last two may be in either order */
static inline void cached_pin(cache *c, cached *x)
{
	x->pins++;
	if (c->ring.older != x && c->ring.older->older != x) cached_renew(c, x);
}
static inline void cached_unpin(cached *x) { x->pins--; }
bool cache_reclaim(void *ctx); /* evicts one entry. false: there is none */
void cache_empty(tsr_ctx *);   /* evicts all, pinned or not */

/* ---- mesh_use.c: the mesh that NULL means where one is wanted */
typedef struct mesh_in_use {
	const mesh *mesh; /* NULL: none is */
	int64_t since;    /* grows with each beginning, in any context */
	int64_t blocks;   /* of TSR_MESH() that have not ended */
} mesh_in_use;

/* ---- ctx.c */
struct tsr_ctx {
	base base;
	handles handles;
	shards shards;
	ir ir;
	int64_t ndevices;
	device *devices;
	processes *processes; /* NULL: there is one */
	int process;    /* ours: devices of others are not addressable; */
	int nprocesses; /* and how many there are; 0: one */
	int64_t home; /* the first device of ours: where arrays are that nobody placed */
	engine *engine;
	table executables; /* by program and device */
	table teams;       /* of processes.c */
	table eager;       /* programs of operations outside of bodies, by what is done and types */
	cache cache;       /* these, tracings and fns */
	arena *arena; /* what lives as long as the context; what must be given back at its end is
	                 deferred here */
	table fns;
	table optimizers; /* lib/optim */
	tsr_raw env_body; /* the body of the latest fns with an .env (trace/fn/fn.c) */
	int env_fns;      /* how many there were one after the other */
	bool env_told;    /* that they are many */
	bool closed;  /* but blocks with a TSR_SCOPE() or TSR_MESH() are still open, or memory is
	                 lent: the last one to end frees the rest */
	_Atomic int64_t lent; /* pieces of its memory that others have; and 1 for its user */
	mesh_in_use in_use;
	trace *trace; /* the innermost trace in progress, or NULL */
	const guard *body;            /* of that trace, the frame that runs its body */
	void (*body_left)(tsr_ctx *); /* ends the innermost trace, whose body was left */
	struct held *held;            /* scratch memory of the calls that run bodies */
	int host_calls;               /* of the user's functions by programs, in progress */
	guard host_call;              /* the frame of the outermost one, */
	tsr_scope *host_scope;        /* the scope of its handles, */
	mesh_in_use host_in_use;      /* and the mesh that was in use before */
	char *plugin_dir;
	tsr_precision precision; /* of products that name none */
	bool threefry_original; /* random numbers in the older form of JAX */
	mesh poison_mesh; /* in place of those that could not be made */
	sharding poison_sharding;
	/* What goes on behind the calls of the context, or NULL; `end` waits for it, records what
	 * failed and forgets it. false: it failed */
	struct background {
		bool (*end)(tsr_ctx *, const char *where, const char *op);
	} *background;
	_Atomic(const void *) thread; /* that opened it or used it last */
	tsr_ctx *next_open;
};
/* as tsr_open_at, with the devices of each process divided evenly and in order among so many
 * memories, and with a comm, unless it is NULL; given: a communicator of the caller's, or NULL */
tsr_ctx *ctx_open(const char *where, const tsr_open_args *, int memories, const comm_type *,
                  const void *given);
/* cleared bytes that the innermost scope owns; NULL when there is no memory */
void *scope_bytes(tsr_ctx *, size_t size);
/* a copy of the text in `s` that the innermost scope owns; s is freed. "?" when there is no
 * memory */
const char *scope_text(tsr_ctx *, str *s);
void ctx_block_ended(tsr_ctx *); /* if it is closed and that was the last one, all is freed */
/* Others have got a piece of its memory, which they may give back after tsr_close() */
void ctx_lend(tsr_ctx *);
void ctx_returned(tsr_ctx *); /* from any thread */

/* ---- processes.c: false or NULL: recorded */
/* the comm that is called `given`, or by TSR_COMM; *out NULL: there is one process */
bool comm_find(tsr_ctx *, const char *where, const char *given, const comm_type **out);
/* by process how many devices it has: of `all`, or our own number `here`; 0: not given. The caller
 * frees the list. Collective */
int64_t *devices_divide(tsr_ctx *, const char *where, int64_t all, int64_t here);
bool processes_agree(tsr_ctx *, const char *where); /* on all that must be the same. Collective */
bool instructions_agree(tsr_ctx *); /* the lowest set that a process has is that of all. Likewise */
extern const char *release_here;    /* RELEASE; tests have another one */
/* the processes of the devices of both, which this process is among. NULL: recorded */
team *team_of_shardings(tsr_ctx *, const sharding *, const sharding *);

/* ---- here.c: which context a call counts for */
tsr_ctx *ctx_dead(void); /* static: replaces one that failed to open; takes errors that belong to no
                            other context */
void ctx_enter(tsr_ctx *); /* it is open */
void ctx_leave(const tsr_ctx *);
/* the one tracing on this thread, or the only one of the thread; else the dead one */
tsr_ctx *ctx_here(void);
tsr_ctx *ctx_or_here(tsr_ctx *);
bool ctx_any_here(void); /* does this thread have one, or several? */
/* the context of this thread in which a mesh was put in use last; NULL: none is */
tsr_ctx *ctx_using_mesh(void);
bool ctx_alive(const tsr_ctx *); /* neither NULL nor the dead one */
/* a call belongs to it: it becomes this thread's, and traces and callbacks that were left are
 * ended */
void ctx_use(tsr_ctx *);
/* The rest of a public function is a turn of this thread in the context, or in that of ctx_here()
 * for NULL. Where another thread is inside of one, it gives `otherwise` (base/turn.c) */
#define TURN_OF(ctx, where, otherwise) \
	TURN(&ctx_or_here(ctx)->base, where); \
	if (!turn_) return otherwise
/* Can `op` use the context? false: recorded, except for the dead context, whose error tsr_open has
 * reported */
bool ctx_ok(const char *where, const char *op, tsr_ctx *);
bool mesh_ok(const char *where, const char *op, const tsr_mesh *);
bool sharding_ok(const char *where, const char *op, const tsr_sharding *);

/* ---- mesh_use.c: what a caller's mesh is */
/* the mesh that a caller has given or, for NULL, the one in use, of ctx or, if that is NULL, of
 * this thread. NULL: there is none */
const mesh *mesh_meant(tsr_ctx *, const tsr_mesh *given);
/* the same, which must be there and no poison. NULL: recorded */
const mesh *mesh_found(const char *where, const char *op, tsr_ctx *, const tsr_mesh *given);
void mesh_put_in_use(tsr_ctx *, const mesh *); /* until ctx->in_use is put back */

/* ---- array.c: an array describes all its shards, and holds a buffer for each device of its
 * sharding that this process owns */
/* what a handle can hold begins with this */
typedef struct counted {
	_Atomic int refs;
	void (*free)(void *); /* called with the object when the last reference goes */
} counted;
void counted_retain(void *);
void counted_release(void *); /* NULL is fine */

typedef struct array {
	counted counted;
	tsr_ctx *ctx;
	const type *type;
	const sharding *sharding;
	bool committed;   /* placed by the user, or computed from what was */
	int64_t *strides; /* bytes; NULL: contiguous blocks (always, but for wrapped memory) */
	char *donated;    /* not NULL: it was donated and has no shards any more; what messages
	                     say about it */
	int64_t nshards; /* those that are here */
	buffer *shard[]; /* of the devices that are here, in the sharding's order. Blocks are padded
	                    to sharding_block_dims */
} array;
/* takes no reference to buffers: the caller fills shard[]. NULL: error recorded */
array *array_make(tsr_ctx *, const type *, const sharding *, bool committed);
static inline array *array_retain(array *array)
{
	counted_retain(array);
	return array;
}
static inline void array_release(array *array) { counted_release(array); }
/* gives up its shards; text: "was donated to ...". false: no memory, and nothing happened */
bool array_donate(array *, const char *text);
/* the shard of device k of the sharding; NULL: it is in another process, or donated */
static inline buffer *array_shard(const array *a, int64_t k)
{
	const int64_t i = sharding_local(a->sharding, k);

	return i < 0 ? NULL : a->shard[i];
}
/* its sharding, if programs that it is given to must take it there: it is committed, and on several
 * devices; or NULL */
static inline const sharding *array_held(const array *a)
{
	return a->committed && a->sharding->mesh && a->sharding->mesh->size > 1 ? a->sharding
	                                                                         : NULL;
}
int64_t array_bytes(const array *);           /* of the whole, unpadded */
int64_t block_bytes(const array *);           /* of one padded block */
/* Where a box of an array comes from: host memory with its first element, and strides in bytes.
 * Valid until it is asked for the next. NULL: recorded */
typedef const void *box_source(void *of, const int64_t *start, const int64_t *stop,
                               int64_t *strides);
/* Each device that is here gets its box, if that is not empty; padding is cleared. source NULL: the
 * caller fills the blocks, of which replicas in one memory have one */
array *array_from_boxes(tsr_ctx *, const type *, box_source *, void *of, const sharding *,
                        bool committed);
/* contiguous host data of the whole array, to one device or spread by a sharding (uneven dims:
 * padding is cleared) */
array *array_from_host(tsr_ctx *, const type *, const void *data, const sharding *, bool committed);
/* one element everywhere: each device fills its own block */
array *array_filled(tsr_ctx *, const type *, const void *element, const sharding *, bool committed);
/* Does this process have all of it, or the one that prints? false: an error is recorded, in all
 * processes */
bool array_readable(const char *where, const array *, bool printer);
/* the whole array into host memory with strides in bytes (NULL: contiguous); error naming the
 * gather if a shard is not here */
bool array_to_host(const char *where, const array *, void *out, const int64_t *strides);
/* the whole array on our first device, not committed, in every process. Collective, if it is spread
 * over several. A new reference */
array *array_gather(const char *where, array *);
/* the same value under another sharding, collective likewise: buffers are shared where boxes agree,
 * copied box by box elsewhere. A new reference. */
array *array_place(const char *where, array *, const sharding *, bool committed);
/* the same shards under a type that agrees with its own; NULL: NULL. A new reference */
array *array_typed(const array *, const type *);
/* does it have contiguous, aligned blocks, as engines need? */
bool array_is_plain(const array *);
/* a plain array of the same value. A new reference, to the same array if that is plain already */
array *array_contiguous(array *);
/* a new block for a value of this type, with what a block with these strides in bytes (NULL:
 * contiguous) begins with. NULL: error recorded */
buffer *block_copy(const type *, buffer *from, const int64_t *strides);
/* the same in buffers of its own. A new reference; NULL: error recorded */
array *array_apart(const array *);

/* ---- transfer.c: to another sharding, where shards of either are in several processes */
bool transfer_needed(const array *, const sharding *to);
array *array_transfer(const char *where, array *, const sharding *to, bool committed);

/* ---- caller.c: memory of the caller's, as an array and as a place for a result */
typedef struct caller_memory {
	const type *type;
	char *data;             /* element 0, 0, ... */
	const int64_t *strides; /* bytes; NULL: dense, row-major */
	int64_t low, high;      /* what it reaches: from data - low to data + high */
} caller_memory;
/* finds out what it reaches, and whether its strides are dense. false: recorded, they are too
 * large */
bool memory_measure(tsr_ctx *, const char *where, const char *op, caller_memory *);
/* may memory whose type says that it holds `element` hold this dtype? false: recorded */
bool element_fits(tsr_ctx *, const char *where, const char *op, tsr_dtype element, tsr_dtype);
/* NULL: error recorded, and `release` has not been called */
array *array_wrap(tsr_ctx *, const char *where, const caller_memory *, bool writable,
                  void (*release)(void *user, void *data), void *user);
/* for a run to make a result in, in a memory of the engine; NULL if that cannot be. false:
 * recorded */
bool memory_buffer(tsr_ctx *, const caller_memory *, int memory, buffer **);
bool memory_has(const caller_memory *, buffer *); /* some of its bytes */
bool memory_meets(const caller_memory *, const array *); /* has it bytes of any shard? */
bool memory_overlaps(const caller_memory *, const caller_memory *);
bool memory_holds(const caller_memory *, const array *); /* is the array right there? */

/* ---- executables.c: program -> executable, cached by structure */
/* where an operand or a result is, and which of its shards the program's devices have; NULL: the
 * k-th device has shard[k] */
typedef struct placing {
	const sharding *sharding;
	const int64_t *at;
} placing;
typedef struct compiled {
	cached cached;
	placed placed;
	executable *executable;
	device_set set; /* the devices that are here; if there is none, there is no executable */
	team *team;     /* the processes that have to run it together; NULL: they need not */
	call_name call; /* what these call it */
	int best_way;   /* engine_type.way of any of them, at the last run */
	int64_t one; /* the device of a program without a mesh */
	const program *global;
	const sharding *const *held; /* where its operands stay (array_held); NULL: none does */
	const program *caller; /* that ran last, if not `global` but the same, of other lines */
	const char *where;     /* the call that it was compiled for */
	engine *engine;
	const placing *in, *out;
	/* the buffers of a run: of its operands until it has begun, of its results when it has
	 * ended. A run inside it uses them in between */
	buffer **block;
} compiled;
/* held: by operand, the shardings that it is compiled for (array_held); NULL: none. device: where
 * a program without a mesh runs. The caller unpins it. NULL: error recorded */
compiled *compile_program(tsr_ctx *, const char *where, const program *,
                          const sharding *const *held, int64_t device);
size_t compiled_bytes(const compiled *); /* of memory, with machine code */
/* executables of this program, on whatever device */
int64_t count_executables(const tsr_ctx *, const program *);

/* ---- run.c: program and arrays -> arrays */
/* options of a run, and what it tells */
typedef struct run_options {
	const bool *donated; /* operands that give up their shards as it begins; NULL: none */
	const char *donated_text;
	const caller_memory *const *into; /* by result: where it should be made if that can be, or
	                                     NULL. Their memory has none in common. NULL: none */
	buffer **room;                    /* as many, for the run */
	/* operand i, as its caller knows it; NULL: "operand 2" */
	void (*put_name)(str *, const void *names, int i);
	const void *names;
	/* it is one operation outside of bodies, so its only line is that of the call */
	bool one_line;
	const mesh *over; /* operands on other devices are moved to those of this mesh; NULL: they
	                     are an error */
	bool compiled; /* set by the run: machine code was made for it */
} run_options;
/* compiles (or finds) the program and runs it on the given arrays; out gets new arrays. options
 * NULL: none of the operands is donated */
bool run_program(tsr_ctx *, const char *where, const program *, array *const *in, run_options *,
                 array **out);
/* a callback has left the run by longjmp: ends it in all processes that run it together */
void run_left(tsr_ctx *);

/* ---- first_nan.c */
typedef struct checked_run {
	tsr_ctx *ctx;
	const char *where;
	const compiled *c;
	buffer *const *in; /* in[i * n + k]: operand i on the k-th device */
	void (*put_operand)(str *, const void *of, int i);
	const void *of;
} checked_run;
/* false: one has, and the error says where it comes from. Engines that do not compute in the memory
 * of the host, and programs of several processes, are not looked at */
bool results_without_nan(const checked_run *, array *const *out);

#endif
