/* engine.h - the contract of an engine: allocate and copy buffers, compile a per-device program for
 * a device set, run it.
 *
 * `interp` (engine/interp), the lock-step interpreter, and `cpu` (engine/cpu), which compiles, are
 * built in; others are plug-in objects, opened at first need. An engine sees only per-device
 * programs: every axis of the program's table is a mesh axis. Of the rows that hold programs it
 * sees those of control flow (cond, while, scan), whose `run` rules say what they do, in terms of a
 * function of the engine that runs a program. */
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
	                void *data); /* wrapped memory: called once when the last holder lets go */
	void *user;
} buffer;
TSR_API buffer *tsr__buffer_make(base *, int memory,
                                 size_t bytes); /* not cleared, 64-byte aligned */
buffer *buffer_wrap(base *, int memory, void *data, size_t bytes, void (*release)(void *, void *),
                    void *user);
bool buffer_is_wrapped(const buffer *); /* the caller's memory, which is not to be written */
buffer *buffer_retain(buffer *);        /* NULL is fine in both */
void buffer_share(buffer *, int refs);  /* of one with one reference: there are so many now */
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
	/* in[i * n + k]: input i on the k-th device, one reference each, which run takes, also on
	 * failure: what nobody else holds can be freed, or reused, after its last use. out
	 * likewise, each one reference for the caller, possibly shared with inputs and with other
	 * devices of the same memory. false: error recorded, nothing in out. A run that
	 * siglongjmp leaves is over when the next one begins, or release: nobody works at it */
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
	const char *plugin;     /* path of the plug-in that is in use; NULL: none is, yet */
	void *state;            /* the engine's own */
};

extern const engine_type interp_engine, cpu_engine;

/* ---- plugin.c: plug-ins are files libtsr-NAME-VERSION.so */
typedef struct plugin {
	void *object;    /* the loader's; NULL: it cannot be used */
	char path[1024]; /* of the file, or its name alone where the loader has found it */
	char why[1536];  /* it cannot be used */
} plugin;
/* Opens the plug-in NAME of this very release in the folder `dir`, or when that is NULL beside
 * libtsr, or else in the folder that libtsr.a was installed in, or where the loader looks for
 * libraries. It is never unloaded, and opening it again costs a microsecond. false: why says what
 * is wrong */
bool plugin_open(plugin *, const char *dir, const char *name);
bool plugin_refuse(plugin *, const char *why); /* false: this is wrong with what was opened */

/* The engine called `name`: "cpu", which NULL is too, or "interp"; others from the plug-in
 * engine-NAME, whose path goes to *from. That exports `const engine_type tsr__engine` and `const
 * char *const tsr__engine_abi`, which is tsr__abi, and is linked against the private symbol version
 * of this very release, so that another one is refused by the loader. NULL: error recorded */
const engine_type *engine_find(base *, const char *where, const char *name, const char *dir,
                               plugin *from);
extern TSR_API const char tsr__abi[]; /* the version a plug-in was made for */

#endif
