/* engine.h - the contract of an engine: allocate and copy buffers, compile a per-device program for
 * a device set, run it.
 *
 * `interp` (engine/interp), the lock-step interpreter, and `cpu` (engine/cpu), which compiles, are
 * built in; others are plug-in objects, opened at first need. An engine sees only per-device
 * programs: every axis of the program's table is a mesh axis. Of the rows that hold programs it
 * sees only control flow (cond, while, scan): their `run` rules say what they do, and get a
 * function from the engine that runs a program. */
#ifndef TSR_SRC_ENGINE_H
#define TSR_SRC_ENGINE_H
#include "program/program.h"

typedef struct engine engine;
typedef struct executable executable;

/* ---- buffer.c: bytes in one memory of an engine, counted; release is legal from any thread. What
 * an engine keeps of a buffer begins with this. Nobody else touches the bytes but through the
 * contract below */
typedef struct buffer {
	_Atomic int refs;
	int memory; /* which memory: device.memory */
	engine *engine;
	size_t bytes;
	size_t align; /* of the first byte: a power of two */
} buffer;
/* for engines: a buffer that is held once */
TSR_API void tsr__buffer_init(buffer *, engine *, int memory, size_t bytes, size_t align);
buffer *buffer_retain(buffer *);       /* NULL is fine in both */
void buffer_share(buffer *, int refs); /* gives a buffer with one reference this many */
TSR_API void tsr__buffer_release(buffer *);

/* Elements somewhere in memory: element [i, j] is `size` bytes at offset + i * strides[0] + j *
 * strides[1] */
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
	const struct engine_type *by; /* which began it */
} engine_run;

/* ---- the contract */
typedef struct engine_type {
	const char *name, *doc;
	/* NULL: it makes machine code here. Otherwise why it does not, in a text that lives as
	 * long as the engine */
	const char *(*why_not)(engine *);

	/* Memory. NULL or false, where nothing else is said: an error is recorded. alloc: bytes for
	 * a shard, all 0 if `clear` says so. wrap: the caller's bytes, in the memory of the host,
	 * which are not written; `release` is called once, when the last reference goes, not on
	 * failure. read and write: elements of a buffer to the host, and from there; they wait
	 * until the buffer is ready. copy: between two buffers. borrow: the address of the first
	 * byte for the host, valid while the buffer is held; NULL, without an error: the host
	 * cannot read this memory. ready: is what a run makes of the buffer there? wait: returns
	 * when it is. false: not yet; or the run has failed, and an error is recorded */
	buffer *(*alloc)(engine *, int memory, size_t bytes, bool clear);
	buffer *(*wrap)(engine *, int memory, void *data, size_t bytes,
	                void (*release)(void *user, void *data), void *user);
	void (*free)(buffer *);
	bool (*read)(buffer *, elements, void *to, const int64_t *strides, const extent *);
	bool (*write)(buffer *, elements, const void *from, const int64_t *strides, const extent *);
	bool (*copy)(buffer *to, elements, buffer *from, elements, const extent *);
	void *(*borrow)(buffer *);
	bool (*ready)(buffer *, bool wait);

	/* checks the program and prepares to run it on these devices; keeps its own reference.
	 * NULL: error recorded */
	executable *(*compile)(engine *, const program *, device_set);
	/* is it machine code by now? An engine may wait until compiling pays */
	bool (*compiled)(const executable *);
	/* of memory that it takes, of all kinds, without programs; machine code may be estimated */
	size_t (*bytes)(const executable *);
	/* Begins a run. in[i * n + k]: input i on the k-th device. It takes one reference to each,
	 * also on failure, so that what nobody else holds can be freed or reused after its last
	 * use. An executable may run several times at once. NULL: error recorded */
	engine_run *(*start)(executable *, buffer *const *in);
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
struct engine {
	const engine_type *type;
	base *base;
	const device *devices;
	int64_t ndevices;
	int workers;            /* that a run may use; 0: one for each core that we may use */
	bool require_compiled;  /* to interpret what cannot be compiled is an error */
	const char *plugin_dir; /* NULL: where the library is */
	const char *plugin;     /* path of the plug-in in use; NULL: none yet */
	_Atomic bool cancelled; /* for engines that look at it between steps */
	void *state;            /* the engine's own */
};

/* starts a run and waits for it */
static inline bool run_to_end(const engine_type *by, executable *x, buffer *const *in, buffer **out)
{
	engine_run *r = by->start(x, in);

	return r && by->wait(r, out);
}

extern const engine_type interp_engine, cpu_engine;

/* ---- host.c: memory of the host, for engines that compute there. The functions of the contract */
buffer *host_alloc(engine *, int memory, size_t bytes, bool clear);
buffer *host_wrap(engine *, int memory, void *data, size_t bytes,
                  void (*release)(void *user, void *data), void *user);
void host_free(buffer *);
bool host_read(buffer *, elements, void *to, const int64_t *strides, const extent *);
bool host_write(buffer *, elements, const void *from, const int64_t *strides, const extent *);
bool host_copy(buffer *to, elements, buffer *from, elements, const extent *);
void *host_bytes(buffer *); /* borrow: never NULL */
bool host_ready(buffer *, bool wait);
/* these in a table */
#define HOST_MEMORY \
	.alloc = host_alloc, .wrap = host_wrap, .free = host_free, .read = host_read, \
	.write = host_write, .copy = host_copy, .borrow = host_bytes, .ready = host_ready
bool host_is_wrapped(const buffer *); /* the caller's memory, which is not to be written */
void host_cancel(engine *);
/* records that a run was cancelled, which is over with that; false. where: of the step that was
 * not begun any more */
bool host_cancelled(engine *, const char *where);

/* ---- plugin.c: plug-ins are files libtsr-NAME-VERSION.so */
typedef struct plugin {
	void *object;    /* the loader's; NULL: it cannot be used */
	char path[1024]; /* of the file; its name alone if the loader searched for it */
	char why[1536];  /* the reason why it cannot */
} plugin;
/* Opens the plug-in NAME of exactly this release: in the folder `dir`, or if that is NULL beside
 * libtsr, else in the folder where libtsr.a was installed, else where the loader looks for
 * libraries. It is never unloaded; opening it again costs a microsecond. false: `why` says what is
 * wrong */
bool plugin_open(plugin *, const char *dir, const char *name);
bool plugin_refuse(plugin *, const char *why); /* gives up what was opened, for this reason;
						  false */

/* The engine called `name`: "cpu" (also for NULL), "interp", or the one in the plug-in engine-NAME,
 * whose path goes to *from. Such a plug-in exports `const engine_type tsr__engine` and `const char
 * *const tsr__engine_abi`, which is tsr__abi. It is linked against the private symbol version of
 * exactly this release, so that the loader refuses one of another release. NULL: error recorded */
const engine_type *engine_find(base *, const char *where, const char *name, const char *dir,
                               plugin *from);
extern TSR_API const char tsr__abi[]; /* the version a plug-in was made for */

#endif
