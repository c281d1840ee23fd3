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

/* ---- buffer.c: bytes in one memory, counted; release is legal from any thread */
typedef struct buffer {
	_Atomic int refs;
	int memory; /* which memory: device.memory */
	base *base;
	void *data;
	size_t bytes;
	void (*release)(void *user,
	                void *data); /* of wrapped memory: called once, when the last reference
					goes */
	void *user;
} buffer;
TSR_API buffer *tsr__buffer_make(base *, int memory,
                                 size_t bytes); /* not cleared, 64-byte aligned */
buffer *buffer_wrap(base *, int memory, void *data, size_t bytes, void (*release)(void *, void *),
                    void *user);
bool buffer_is_wrapped(const buffer *); /* the caller's memory, which is not to be written */
buffer *buffer_retain(buffer *);        /* NULL is fine in both */
void buffer_share(buffer *, int refs);  /* gives a buffer with one reference this many */
TSR_API void tsr__buffer_release(buffer *);

/* ---- the contract */
typedef struct engine engine;
typedef struct executable executable;

typedef struct engine_type {
	const char *name, *doc;
	/* NULL: it makes machine code here. Otherwise why it does not, in a text that lives as
	 * long as the engine */
	const char *(*why_not)(engine *);
	/* bytes for a shard; NULL: error recorded */
	buffer *(*alloc)(engine *, int memory, size_t bytes);
	/* checks the program and prepares to run it on these devices; keeps its own reference.
	 * NULL: error recorded */
	executable *(*compile)(engine *, const program *, device_set);
	/* is it machine code by now? An engine may wait until compiling pays */
	bool (*compiled)(const executable *);
	/* in[i * n + k]: input i on the k-th device. run takes one reference to each, also on
	 * failure, so that what nobody else holds can be freed or reused after its last use. out
	 * likewise: one reference each for the caller; a buffer may be an input too, and serve
	 * several devices of one memory. false: error recorded, nothing in out. A run that
	 * siglongjmp has left is ended by the next run, or by release: no worker is at it any
	 * more */
	bool (*run)(executable *, buffer *const *in, buffer **out);
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
	void *state;            /* the engine's own */
};

extern const engine_type interp_engine, cpu_engine;

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
