/* tsr/engine/engine.h - defines engines: tables of functions that keep bytes in one or several
 * memories, and run programs on them.
 *
 * An engine from outside is a loadable object libtsr-engine-NAME-VERSION.so that defines
 * tsr__engine and tsr__engine_abi, below, and is linked against libtsr. It belongs to exactly this
 * release: the loader refuses it with another one. `tsr_open(.engine = "NAME", .plugin_dir =
 * "...")` opens it, and `tsr conform NAME` says whether it does what is written here. A small one
 * that does, with its lines explained, is installed beside the documents, in engine/tiny.c;
 * docs/engines.md is the page to begin with.
 *
 * The functions are called by one thread at a time for each context, though not always the same
 * one; those that say "from any thread" here also at the same time as others. They may be called
 * again from inside a run: a function that a run calls back may compute with the same context, and
 * with the same executable. Errors are recorded with tsr__fail; a function that fails leaves what
 * it was given as it was, if nothing else is said. The library has set the default floating-point
 * state of the calling thread (docs/numerics.md); threads of the engine's own need it too. */
#ifndef TSR_ENGINE_ENGINE_H
#define TSR_ENGINE_ENGINE_H
#include "tsr/engine/program.h"

typedef struct engine engine;
typedef struct executable executable; /* the engine's own: what it made of a program */

/* ---- buffers: bytes in one memory of an engine, counted. What an engine keeps of a buffer begins
 * with this. Nobody else touches the bytes but through the functions of the engine */
typedef struct buffer {
	_Atomic int refs;
	int memory; /* which memory: device.memory */
	engine *engine;
	size_t bytes;
	size_t align; /* of the first byte: a power of two */
} buffer;
/* for engines: a buffer that is held once */
TSR_API void tsr__buffer_init(buffer *, engine *, int memory, size_t bytes, size_t align);
/* both from any thread; NULL is fine. The last release calls `free` */
TSR_API buffer *tsr__buffer_retain(buffer *);
TSR_API void tsr__buffer_release(buffer *);

/* Elements somewhere in memory: element [i, j] is `size` bytes at offset + i * strides[0] + j *
 * strides[1]. A stride may be 0 or negative where elements are only read */
typedef struct elements {
	int64_t offset; /* bytes, as the strides */
	const int64_t *strides;
} elements;
typedef struct extent {
	const int64_t *dims;
	int ndim;
	size_t size;
} extent;

/* ---- a run: what an engine keeps of one begins with this */
typedef struct engine_run {
	executable *of;
	const struct engine_type *by; /* which began it; for its own use */
	/* The run ends before it comes, the next time, to the equation with this number
	 * (eqn.number) that has effects or exchanges between memories, and fails with
	 * TSR_ERROR_CANCELLED: what it has begun it brings to its end, and then nothing of it goes
	 * on. Processes that agree on a number stop at the same place. 0: it does not. Set from any
	 * thread while the run goes on, as by `progress`; an engine begins with 0 */
	_Atomic int32_t stop;
} engine_run;

/* ---- the contract */
typedef struct engine_type {
	const char *name, *doc;
	/* NULL: it makes machine code here. Otherwise why it does not, in a text that lives as
	 * long as the engine */
	const char *(*why_not)(engine *);

	/* Memory. NULL or false, where nothing else is said: an error is recorded. alloc: bytes for
	 * a shard, all 0 if `clear` says so. wrap: the caller's bytes, in the memory of the host,
	 * which are not written unless they are `writable`; `release` is called once, when the last
	 * reference goes, not on failure. An engine that copies them may call it at once. free: the
	 * last reference has gone; from any thread. read and write: elements of a buffer to the
	 * host, and from there; they wait until the buffer is ready. copy: between two buffers, of
	 * any memories. borrow: the address of the first byte for the host, valid while the buffer
	 * is held; NULL, without an error: the host cannot read this memory. ready: is what a run
	 * makes of the buffer there? wait: returns when it is. false: not yet; or the run has
	 * failed, and an error is recorded */
	buffer *(*alloc)(engine *, int memory, size_t bytes, bool clear);
	buffer *(*wrap)(engine *, int memory, void *data, size_t bytes, bool writable,
	                void (*release)(void *user, void *data), void *user);
	void (*free)(buffer *);
	bool (*read)(buffer *, elements, void *to, const int64_t *strides, const extent *);
	bool (*write)(buffer *, elements, const void *from, const int64_t *strides, const extent *);
	bool (*copy)(buffer *to, elements, buffer *from, elements, const extent *);
	void *(*borrow)(buffer *);
	bool (*ready)(buffer *, bool wait);

	/* Checks the program and prepares to run it on these devices, all of them of this process;
	 * keeps its own reference to the program, and its own list of the devices. NULL: error
	 * recorded. compile and release never talk to other processes: each process makes and
	 * forgets what it likes, when it likes. Whether it is compiled, when, and how shows neither
	 * in the bits of the results nor in the order of effects and exchanges */
	executable *(*compile)(engine *, const program *, device_set);
	/* is it machine code by now? An engine may wait until compiling pays */
	bool (*compiled)(const executable *);
	/* Of an executable that exchanges with other processes, before each run: in which way it
	 * can, as a number; 0 is one that it always can. The run takes the lowest of all processes,
	 * which is then engine.way, so that all exchange alike. best: of all at the last run; a
	 * process that is not as far may catch up now. -1: it exchanges nothing here. false: an
	 * error is recorded. NULL: there is one way */
	bool (*way)(executable *, int best, int *way);
	/* of memory that it takes, of all kinds, without programs; machine code may be estimated */
	size_t (*bytes)(const executable *);
	/* Begins a run. in[i * n + k]: input i on the k-th device, not to be written while others
	 * hold it. It takes one reference to each, also on failure, so that what nobody else holds
	 * can be freed or reused after its last use. into[i * n + k]: NULL, or a buffer of just the
	 * bytes of result i, the caller's memory, that nothing else has; an engine may make the
	 * result in it, which `wait` then gives with a reference of its own. into NULL: there are
	 * none. The state of a run is its own: an executable may run several times at once, and
	 * runs may end in another order than they began. An exchange between memories may begin
	 * early and end late: its operands and the places of its results stay as they are in
	 * between. NULL: error recorded */
	engine_run *(*start)(executable *, buffer *const *in, buffer *const *into);
	bool (*poll)(engine_run *); /* has it ended? An engine may compute in wait alone */
	/* Returns when it has ended, and forgets it. out[i * n + k]: one reference each for the
	 * caller; a buffer may be an input too, and serve several devices of one memory. false:
	 * error recorded, nothing in out */
	bool (*wait)(engine_run *, buffer **out);
	/* All runs that have not ended, or the next one if there is none, end before their next
	 * step, and fail with TSR_ERROR_CANCELLED. From any thread and from signal handlers */
	void (*cancel)(engine *);
	/* A run that siglongjmp has left is ended by the next one, or by these */
	void (*release)(executable *);
	void (*close)(engine *);
} engine_type;

/* The engine of one context */
struct engine {
	const engine_type *type;
	base *base;
	const device *devices; /* of all processes; device k has the id k */
	int64_t ndevices;
	int workers;            /* that a run may use; 0: one for each core that we may use */
	bool require_compiled;  /* to interpret what cannot be compiled is an error */
	const char *plugin_dir; /* NULL: where the library is */
	const char *plugin;     /* path of the plug-in in use; NULL: none yet */
	const char *libraries;  /* whose bits are theirs, with versions, as "OpenBLAS 0.3.21"; set
				   before why_not returns. NULL: none */
	/* so many processes of this context have the same cores, of which each takes a part where
	 * nobody names a number of workers; this one is number `place` of them, from 0 */
	int sharers, place;
	_Atomic bool cancelled; /* for engines that look at it between steps */
	/* Called by the thread that waits for a run, before each equation, or the step that
	 * replaces several, and between two items of work that this thread does: exchanges between
	 * processes go on there. It may set run->stop and call `cancel`, but no other function of
	 * the engine. Set while nothing runs. NULL: there is nothing to call */
	void (*progress)(void *user, engine_run *run);
	void *progress_user;
	struct processes *processes; /* the library's, for tsr/engine/exchange.h; NULL: there is one
	                                process */
	int way;                     /* of the run that begins, as engine_type.way has it */
	void *state;                 /* the engine's own; NULL at first */
};

/* ---- what the library does for engines */

/* Records an error, unless one is recorded; always false. where: of the equation, or NULL */
TSR_API bool tsr__fail(engine *, const char *where, tsr_code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* for `cancel`, and for a run that sees that it was: it is cancelled no more; false */
TSR_API bool tsr__cancelled(engine *, const char *where);
/* Memory of the context, which counts it, that is freed all at once. Cleared, and 16-byte aligned.
 * NULL: an error is recorded */
TSR_API arena *tsr__arena_make(engine *);
TSR_API void *tsr__arena_alloc(arena *, size_t);
TSR_API void tsr__arena_free(arena *);          /* NULL is fine */
TSR_API size_t tsr__arena_bytes(const arena *); /* that it takes; for `bytes` */
/* the groups of a collective on these devices; the lists are in the arena. false: recorded */
TSR_API bool tsr__groups_make(engine *, arena *, const program *, const eqn *, device_set,
                              member_groups *);
/* the devices that evaluate an equation with effects; the lists are in the arena. false:
 * recorded */
TSR_API bool tsr__effect_groups_make(engine *, arena *, const program *, const eqn *, device_set,
                                     effect_groups *);
/* by device the first one that has the same place on these axes; the list is in the arena. NULL:
 * recorded */
TSR_API const int64_t *tsr__devices_alike(engine *, arena *, const program *, device_set,
                                          axis_set over);

/* ---- what an object with an engine defines */
__attribute__((visibility("default"))) extern const engine_type tsr__engine;
/* = tsr__abi, the release that it was made for */
__attribute__((visibility("default"))) extern const char *const tsr__engine_abi;
extern TSR_API const char tsr__abi[];

#endif
