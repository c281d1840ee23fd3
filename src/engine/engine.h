/* engine.h - declares the tools that the engines of the library share; tsr/engine/engine.h has the
 * contract of an engine, and is installed.
 *
 * `interp` (engine/interp), the lock-step interpreter, and `cpu` (engine/cpu), which compiles, are
 * built in; others are plug-in objects, opened at first need. An engine sees only per-device
 * programs: every axis of the program's table is a mesh axis. Of the rows that hold programs it
 * sees only control flow (cond, while, scan): their `run` rules say what they do, and get a
 * function from the engine that runs a program. */
#ifndef TSR_SRC_ENGINE_H
#define TSR_SRC_ENGINE_H
#include "program/program.h"
#include "tsr/engine/engine.h"

/* ---- buffer.c */
buffer *buffer_retain(buffer *);       /* NULL is fine */
void buffer_share(buffer *, int refs); /* gives a buffer with one reference this many */
/* Behind each function of the contract that can fail, whose name is `what`: an engine that failed
 * and recorded no error gets one. Returns ok */
bool engine_did(engine *, const char *what, bool ok);
buffer *buffer_alloc(engine *, int memory, size_t bytes, bool clear); /* NULL: error recorded */

/* starts a run and waits for it */
static inline bool run_to_end(const engine_type *by, executable *x, buffer *const *in,
                              buffer *const *into, buffer **out)
{
	engine_run *r = by->start(x, in, into);

	return r && by->wait(r, out);
}

extern const engine_type interp_engine, cpu_engine;

/* ---- interp.c: who sees each equation that was interpreted, unless it holds programs. Operand i
 * of the k-th device is x[i * n + k], result j is y[j * n + k]; NULL where it did not take part */
typedef struct look {
	base *base;
	const eqn *eqn;
	const type *const *in, *const *out;
	device_set set;
	const void *const *x;
	void *const *y;
} look;
typedef struct onlooker {
	bool (*look)(struct onlooker *, const look *); /* false: it has recorded an error */
} onlooker;
/* Interprets a program on buffers in the memory of the host, but for effects without results.
 * Results are dropped. false: error recorded */
bool interp_watched(engine *, const program *, device_set, buffer *const *in, onlooker *);
bool interp_can_watch(const engine *); /* are its buffers there? */

/* ---- host.c: memory of the host, for engines that compute there. The functions of the contract */
buffer *host_alloc(engine *, int memory, size_t bytes, bool clear);
buffer *host_wrap(engine *, int memory, void *data, size_t bytes, bool writable,
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
bool host_may_write(const buffer *); /* false: the caller's memory, to stay as it is */
void host_cancel(engine *);
/* between two equations: lets others make progress. false: the run was cancelled, at once or where
 * it comes to this equation, which is recorded */
bool host_goes_on(engine *, engine_run *, const eqn *next);
/* records that a run was cancelled, which is over with that; false. where: of the step that was
 * not begun any more */
bool host_cancelled(engine *, const char *where);

/* ---- plugin_file.c: plug-ins are files libtsr-NAME-RELEASE.so */
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define RELEASE TEXT(TSR_VERSION_MAJOR) "." TEXT(TSR_VERSION_MINOR) "." TEXT(TSR_VERSION_PATCH)
typedef struct plugin {
	void *object;    /* the loader's; NULL: it cannot be used */
	char path[1024]; /* of the file */
	char why[1536];  /* the reason why it cannot */
} plugin;
/* finds out, once, where libtsr is: the sooner, the less can have been moved since it was loaded */
void plugins_locate(void);
/* `given` as an absolute path in the arena, from the folder that the process is in now; NULL: error
 * recorded */
char *plugin_folder(base *, arena *, const char *given);
/* Opens the plug-in NAME of exactly this release: in the folder `dir`, an absolute path, or if that
 * is NULL beside libtsr, else in the folder where libtsr.a was installed, else along the run path
 * of the program. It is never unloaded; opening it again costs some microseconds. false: `why` says
 * what is wrong */
bool plugin_open(plugin *, const char *dir, const char *name);
bool plugin_refuse(plugin *, const char *why); /* gives up what was opened, for this reason;
						  false */

/* ---- plugin.c */
/* The engine called `name`: "cpu" (also for NULL), "interp", or the one in the plug-in engine-NAME,
 * whose path goes to *from. Such a plug-in exports `const engine_type tsr__engine` and `const char
 * *const tsr__engine_abi`, which is tsr__abi. It is linked against the private symbol version of
 * exactly this release, so that the loader refuses one of another release. NULL: error recorded */
const engine_type *engine_find(base *, const char *where, const char *name, const char *dir,
                               plugin *from);

#endif
