/* cache.c - the compiled kernels of the process, found by what they compute: equal ones are
 * compiled once, and kept for a while after their last user has gone. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/cpu/native/jit.h"

#define BUCKETS 1024

typedef enum entry_state { ENTRY_COMPILING, ENTRY_READY, ENTRY_FAILED } entry_state;
typedef struct entry {
	struct entry *next;            /* in the bucket */
	struct entry *older, *younger; /* among the unused */
	uint64_t hash;
	size_t ncode;
	uint64_t *words;
	jit_options options;
	entry_state state;
	int users;
	jit_code code;
} entry;

static struct cache {
	pthread_mutex_t lock;
	pthread_cond_t done;
	entry *bucket[BUCKETS];
	entry *oldest, *youngest;
	int unused;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* ---- the table; under the lock */

static entry **bucket_of(uint64_t hash) { return &cache.bucket[hash % BUCKETS]; }

static entry *find(const kernel *k, jit_options o)
{
	for (entry *x = *bucket_of(k->hash); x; x = x->next)
		if (x->hash == k->hash && x->ncode == k->ncode &&
		    x->options.sanitize == o.sanitize && x->options.max_bytes == o.max_bytes &&
		    x->options.cache == o.cache &&
		    x->state != ENTRY_FAILED &&
		    !memcmp(x->words, k->code, k->ncode * sizeof *k->code))
			return x;
	return NULL;
}

static entry *add(const kernel *k, jit_options o)
{
	entry *x = calloc(1, sizeof *x);
	uint64_t *words = malloc((k->ncode + 1) * sizeof *words);

	if (!x || !words) {
		free(x);
		free(words);
		return NULL;
	}
	memcpy(words, k->code, k->ncode * sizeof *words);
	*x = (entry){.next = *bucket_of(k->hash),
	             .hash = k->hash,
	             .ncode = k->ncode,
	             .words = words,
	             .options = o};
	*bucket_of(k->hash) = x;
	return x;
}

static void take_out(entry *x)
{
	entry **at = bucket_of(x->hash);

	while (*at != x) at = &(*at)->next;
	*at = x->next;
}

static void unused_add(entry *x)
{
	x->older = cache.youngest;
	x->younger = NULL;
	*(cache.youngest ? &cache.youngest->younger : &cache.oldest) = x;
	cache.youngest = x;
	cache.unused++;
}

static void unused_remove(entry *x)
{
	*(x->older ? &x->older->younger : &cache.oldest) = x->younger;
	*(x->younger ? &x->younger->older : &cache.youngest) = x->older;
	cache.unused--;
}

static void use(entry *x)
{
	if (x->state == ENTRY_READY && !x->users) unused_remove(x);
	x->users++;
}

/* what can be freed after the lock, or NULL */
static entry *unuse(entry *x)
{
	if (--x->users) return NULL;
	if (x->state == ENTRY_READY) {
		unused_add(x);
		if (cache.unused <= TUNE_KERNELS_KEPT) return NULL;
		x = cache.oldest;
		unused_remove(x);
	}
	take_out(x);
	return x;
}

static void entry_free(entry *x)
{
	if (!x) return;
	if (x->state == ENTRY_READY) jit_drop(x->code.linked);
	free(x->words);
	free(x);
}

/* ---- compiling what is not there yet, several at a time */

typedef struct batch {
	jit_options options;
	const kernel **k; /* the new ones, and their entries */
	entry **entry;
	int count, threads;
	atomic_int next;
	pthread_mutex_t lock; /* of error */
	char *error;
	size_t n;
} batch;

static void entries_finish(entry **x, int count, const jit_code *code)
{
	pthread_mutex_lock(&cache.lock);
	for (int i = 0; i < count; i++) {
		x[i]->state = code ? ENTRY_READY : ENTRY_FAILED;
		if (code) x[i]->code = code[i];
	}
	pthread_cond_broadcast(&cache.done);
	pthread_mutex_unlock(&cache.lock);
}

static int least(int a, int b) { return a < b ? a : b; }

/* The next kernels for one object, and how many. Objects get smaller: who waits for the last one,
 * made by a thread that shares its core with somebody else, waits for one kernel. Ten kernels for
 * two threads are objects of 3, 2, 2, 1, 1 and 1 */
static int take(batch *b, int *first)
{
	int n = 0;

	*first = atomic_load(&b->next);
	do {
		const int rest = b->count - *first;
		const int some = rest / (2 * b->threads + 1) + 1;
		n = rest > 0 ? least(some, TUNE_COMPILE_TOGETHER) : 0;
	} while (n && !atomic_compare_exchange_weak(&b->next, first, *first + n));
	return n;
}

static void *work(void *of)
{
	batch *b = of;
	char text[256];
	jit_code code[TUNE_COMPILE_TOGETHER];

	for (int i, n; (n = take(b, &i));) {
		const bool ok = jit_compile(b->k + i, n, b->options, code, text, sizeof text);
		entries_finish(b->entry + i, n, ok ? code : NULL);
		if (ok) continue;
		pthread_mutex_lock(&b->lock);
		snprintf(b->error, b->n, "%s", text);
		pthread_mutex_unlock(&b->lock);
	}
	return NULL;
}

static void compile_all(batch *b)
{
	pthread_t thread[TUNE_COMPILE_THREADS];
	sigset_t all, was;
	const int n = least(least(topology_cores(), b->count), TUNE_COMPILE_THREADS);
	int started = 0;

	b->threads = n;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	while (started < n - 1 && !pthread_create(&thread[started], NULL, work, b)) started++;
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	work(b);
	for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
}

/* ---- fork */

static void before_fork(void) { pthread_mutex_lock(&cache.lock); }
static void after_fork(void) { pthread_mutex_unlock(&cache.lock); }

/* The threads that compiled, and those that waited, are not in the child: kernels that were not
 * ready have failed there, and are compiled again when they are asked for */
static void in_child(void)
{
	for (int i = 0; i < BUCKETS; i++)
		for (entry *x = cache.bucket[i]; x; x = x->next)
			if (x->state == ENTRY_COMPILING) x->state = ENTRY_FAILED;
	pthread_cond_init(&cache.done, NULL);
	pthread_mutex_unlock(&cache.lock);
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

/* ---- what others see */

/* finds the entries of all kernels, and puts the new ones into the batch; false: no memory */
static bool look_up(const kernel *const *k, int count, entry **x, batch *b)
{
	bool room = true;

	pthread_mutex_lock(&cache.lock);
	for (int i = 0; room && i < count; i++) {
		x[i] = find(k[i], b->options);
		if (!x[i] && (x[i] = add(k[i], b->options))) {
			b->k[b->count] = k[i];
			b->entry[b->count++] = x[i];
		}
		if (x[i])
			use(x[i]);
		else
			room = false;
	}
	pthread_mutex_unlock(&cache.lock);
	return room;
}

static bool all_ready(entry **x, int count)
{
	bool ready = true;

	pthread_mutex_lock(&cache.lock);
	for (int i = 0; i < count; i++) {
		while (x[i] && x[i]->state == ENTRY_COMPILING)
			pthread_cond_wait(&cache.done, &cache.lock);
		ready = ready && x[i] && x[i]->state == ENTRY_READY;
	}
	pthread_mutex_unlock(&cache.lock);
	return ready;
}

static void give_up(entry *x)
{
	if (!x) return;
	pthread_mutex_lock(&cache.lock);
	entry *old = unuse(x);
	pthread_mutex_unlock(&cache.lock);
	entry_free(old);
}

static bool compile_new(const kernel *const *k, int count, entry **x, batch *b)
{
	bool ok = x && b->k && b->entry;

	if (!ok) return false;
	ok = look_up(k, count, x, b);
	if (b->count) compile_all(b);
	return all_ready(x, count) && ok;
}

bool cache_compile(jit_options o, const kernel *const *k, int count, native_code *code, char *error,
                   size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	entry **x = calloc((size_t)count + 1, sizeof(entry *));
	batch b = {.options = o,
	           .k = calloc((size_t)count + 1, sizeof(kernel *)),
	           .entry = calloc((size_t)count + 1, sizeof(entry *)),
	           .lock = PTHREAD_MUTEX_INITIALIZER,
	           .error = error,
	           .n = n};

	pthread_once(&once, watch_forks);
	snprintf(error, n, "out of memory");
	const bool ok = compile_new(k, count, x, &b);
	for (int i = 0; x && i < count; i++)
		if (ok)
			code[i] = (native_code){x[i]->code.run, x[i]->code.items, x[i]->code.cut,
			                        x[i], x[i]->code.bytes};
		else
			give_up(x[i]);
	free(x);
	free(b.k);
	free(b.entry);
	return ok;
}

void cache_release(native_code *c)
{
	give_up(c->held);
	*c = (native_code){0};
}
