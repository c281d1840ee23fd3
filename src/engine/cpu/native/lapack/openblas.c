/* openblas.c - calls OpenBLAS from several threads, since its LAPACK factorises large matrices, and
 * gives it the memory that it packs operands into.
 *
 * The archive is linked in and hidden, so it neither conflicts with a BLAS of the host program nor
 * shares its settings. On a processor that is newer than itself, the library falls back to code
 * that is five times slower, unless the environment names a processor. The link wraps its getenv,
 * so that we name one, which has the instructions that code is made for (cmake/Native.cmake).
 *
 * The library is built for one thread: it would give two threads that call it at once the same
 * memory, it fails when no piece is left (distributions build it with 128), and where the system
 * refuses a piece it asks again for ever. So the link wraps the functions that hand out the memory
 * (cmake/Native.cmake), and the pieces are ours. A call begins only when it can have one. It waits
 * for another to end where the system refuses more:
 *
 *     first question, blas_ready()    a piece is mapped, or the library is not used at all
 *     one call                        has it
 *     a second at the same time       one more is mapped; or it waits until the first has ended
 *
 * The library alone knows how large a piece must be. It is asked for one, when the system has just
 * shown that it can give as much, and what it maps is seen. (Debian: 128 MiB, of address space; a
 * page of it takes memory once it was used.)
 *
 * When the process ends, the library's destructor frees everything. Ours runs before it, since it
 * is linked after the library. It waits until all calls have returned, except one of the exiting
 * thread itself, which may exit in a signal handler. Whoever wants to call after that waits for the
 * end of the process. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include "engine/cpu/native/jit.h"

char *__wrap_getenv(const char *name);

/* Sandybridge is the newest of its processors without AVX2 */
static const char *core_type(void)
{
	const int bytes = instructions_chosen();

	return bytes == 64 ? "SkylakeX" : bytes == 32 ? "Haswell" : bytes ? "Sandybridge" : NULL;
}

/* OpenBLAS settings in the environment are meant for the host's own copy; ours ignores them. LLVM
 * asks here too */
char *__wrap_getenv(const char *name)
{
	if (strcmp(name, "OPENBLAS_CORETYPE") == 0) return (char *)(uintptr_t)core_type();
	return strncmp(name, "OPENBLAS_", 9) == 0 ? NULL : (char *)(uintptr_t)environment(name);
}

/* in OpenBLAS's dynamic.c, where it has code for several processors: its choice as it was loaded */
extern void *gotoblas __attribute__((weak));
void gotoblas_dynamic_init(void) __attribute__((weak));

enum { MOST_CALLS = 64 };           /* at once; each has a piece */
#define LARGEST ((size_t)512 << 20) /* bytes that must be free before the library may ask */

static struct packing {
	pthread_mutex_t lock;
	pthread_cond_t less;
	int calls;
	bool ended; /* the process ends */
	pthread_once_t once;
	size_t size; /* of a piece; 0: not known */
	int pieces;
	struct piece {
		void *at;
		bool used;
	} piece[MOST_CALLS];
} packing = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .less = PTHREAD_COND_INITIALIZER,
             .once = PTHREAD_ONCE_INIT};

/* calls of this thread */
static _Thread_local __attribute__((tls_model("initial-exec"))) int own;

/* ---- fork and exit */

/* a fork waits until nobody is at the table; threads that are in a call are not in the child */
static void before_fork(void) { pthread_mutex_lock(&packing.lock); }
static void after_fork(void) { pthread_mutex_unlock(&packing.lock); }
static void in_child(void)
{
	packing.calls = own;
	for (int k = 0; !own && k < packing.pieces; k++) packing.piece[k].used = false;
	pthread_cond_init(&packing.less, NULL);
	pthread_mutex_unlock(&packing.lock);
}

__attribute__((destructor)) static void at_the_end(void)
{
	pthread_mutex_lock(&packing.lock);
	packing.ended = true;
	while (packing.calls > own) pthread_cond_wait(&packing.less, &packing.lock);
	pthread_mutex_unlock(&packing.lock);
}

/* ---- pieces */

void *__real_blas_memory_alloc(int kind);
void *__wrap_blas_memory_alloc(int kind);
void __wrap_blas_memory_free(void *);
void *__real_mmap(void *, size_t, int, int, int, off_t);
void *__wrap_mmap(void *, size_t, int, int, int, off_t);

static size_t *watched; /* while the library asks: what it maps */

void *__wrap_mmap(void *at, size_t size, int access, int flags, int file, off_t offset)
{
	if (watched && size > *watched) *watched = size;
	return __real_mmap(at, size, access, flags, file, offset);
}

static void *map(size_t size)
{
	void *at = __real_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	                       0);

	return at == MAP_FAILED ? NULL : at;
}

static bool add_piece(void *at)
{
	if (at) packing.piece[packing.pieces++] = (struct piece){at, false};
	return at;
}

/* the first piece is the one that the library maps */
static void begin(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
	void *room = map(LARGEST);
	if (!room) return;
	munmap(room, LARGEST);
	watched = &packing.size;
	void *first = __real_blas_memory_alloc(0);
	watched = NULL;
	if (packing.size) add_piece(first);
}

bool blas_choose(void)
{
	if (packing.pieces) return false;
	if (!&gotoblas || !gotoblas_dynamic_init) return true;
	gotoblas = NULL;
	gotoblas_dynamic_init();
	return true;
}

bool blas_ready(void)
{
	pthread_once(&packing.once, begin);
	return packing.pieces;
}

/* Can one more call have its pieces? */
static bool has_room(void)
{
	if (packing.ended || packing.calls == MOST_CALLS) return false;
	return packing.pieces > packing.calls || add_piece(map(packing.size));
}

void *__wrap_blas_memory_alloc(int kind)
{
	struct piece *p = packing.piece;

	(void)kind;
	pthread_mutex_lock(&packing.lock);
	while (p->used) p++;
	assert(p->at); /* a call that has begun has its pieces */
	p->used = true;
	pthread_mutex_unlock(&packing.lock);
	return p->at;
}

void __wrap_blas_memory_free(void *at)
{
	struct piece *p = packing.piece;

	pthread_mutex_lock(&packing.lock);
	while (p->at != at) p++;
	p->used = false;
	pthread_mutex_unlock(&packing.lock);
}

/* ---- calls */

void blas_begin(void)
{
	pthread_mutex_lock(&packing.lock);
	while (!has_room()) pthread_cond_wait(&packing.less, &packing.lock);
	packing.calls++;
	own++;
	pthread_mutex_unlock(&packing.lock);
}

void blas_end(void)
{
	pthread_mutex_lock(&packing.lock);
	packing.calls--;
	own--;
	pthread_cond_broadcast(&packing.less);
	pthread_mutex_unlock(&packing.lock);
}
