/* cache.c - keeps the compiled kernels of the process, so that equal ones are compiled once; they
 * stay for a while after their last user has gone. */
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
	native_window window;
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

static bool same_window(const native_window *a, const native_window *b)
{
	return a->rows == b->rows && a->columns == b->columns && a->input == b->input &&
	       a->dtype == b->dtype && a->whole_rows == b->whole_rows;
}

/* window NULL: any */
static entry *find(const kernel *k, const native_window *window, jit_options o)
{
	for (entry *x = *bucket_of(k->hash); x; x = x->next)
		if (x->hash == k->hash && x->ncode == k->ncode &&
		    (!window || same_window(&x->window, window)) &&
		    x->options.sanitize == o.sanitize && x->options.max_bytes == o.max_bytes &&
		    x->options.cache == o.cache &&
		    x->state != ENTRY_FAILED &&
		    !memcmp(x->words, k->code, k->ncode * sizeof *k->code))
			return x;
	return NULL;
}

static entry *add(const kernel *k, const native_window *window, jit_options o)
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
	             .window = *window,
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

/* ---- compiling what is not there yet, several at a time
 *
 * Threads take kernels from a list until it is empty. Long ones come first, so that nobody begins
 * one when the others are about to end. Two threads, kernels that take 2, 3, 1 and 6:
 *
 *     as they come    |-2-|-1|-----6------|        the longest first    |-----6------|
 *                     |--3--|                                           |--3--|-2-|-1|
 *
 * An object gets several (jit.c says why), and fewer towards the end of the list: who waits for the
 * last one, made by a thread that shares its core with somebody else, waits for little. */

typedef struct fresh { /* a kernel that is not there yet */
	const kernel *k;
	native_window window;
	entry *entry;
	double price, before; /* ns: to compile it, and those that are taken before it */
} fresh;

typedef struct batch {
	jit_options options;
	fresh *fresh;
	double price; /* of all */
	int count, threads;
	atomic_int next;
	pthread_mutex_t lock; /* of error */
	char *error;
	size_t n;
} batch;

static void entries_finish(const fresh *f, int count, const jit_code *code)
{
	pthread_mutex_lock(&cache.lock);
	for (int i = 0; i < count; i++) {
		f[i].entry->state = code ? ENTRY_READY : ENTRY_FAILED;
		if (code) f[i].entry->code = code[i];
	}
	pthread_cond_broadcast(&cache.done);
	pthread_mutex_unlock(&cache.lock);
}

static int least(int a, int b) { return a < b ? a : b; }

static int by_price(const void *a, const void *b)
{
	const fresh *x = a, *y = b;

	return (x->price < y->price) - (x->price > y->price);
}

static void put_in_order(batch *b)
{
	for (int i = 0; i < b->count; i++) b->fresh[i].price = native_price(b->fresh[i].k);
	qsort(b->fresh, (size_t)b->count, sizeof *b->fresh, by_price);
	for (int i = 0; i < b->count; i++) {
		b->fresh[i].before = b->price;
		b->price += b->fresh[i].price;
	}
}

/* how many kernels the object has whose first one this is: of two threads, two fifths of the rest,
 * with the last one if at least half of it fits */
static int some(const batch *b, int first)
{
	const fresh *f = &b->fresh[first];
	const double part = 2 * (b->price - f->before) / (3 * b->threads - 1);
	int n = 1;

	while (n < TUNE_COMPILE_TOGETHER && first + n < b->count &&
	       f[n].before + f[n].price / 2 - f->before <= part)
		n++;
	return n;
}

static int take(batch *b, int *first)
{
	int n = 0;

	*first = atomic_load(&b->next);
	do
		n = *first < b->count ? some(b, *first) : 0;
	while (n && !atomic_compare_exchange_weak(&b->next, first, *first + n));
	return n;
}

static void *work(void *of)
{
	batch *b = of;
	char text[256];
	const kernel *k[TUNE_COMPILE_TOGETHER];
	native_window window[TUNE_COMPILE_TOGETHER];
	jit_code code[TUNE_COMPILE_TOGETHER];

	for (int i, n; (n = take(b, &i));) {
		for (int at = 0; at < n; at++) {
			k[at] = b->fresh[i + at].k;
			window[at] = b->fresh[i + at].window;
		}
		const bool ok = jit_compile(k, window, n, b->options, code, text, sizeof text);
		entries_finish(b->fresh + i, n, ok ? code : NULL);
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
	put_in_order(b);
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
static bool look_up(const kernel *const *k, const native_window *window, int count, entry **x,
                    batch *b)
{
	static const native_window none;
	bool room = true;

	pthread_mutex_lock(&cache.lock);
	for (int i = 0; room && i < count; i++) {
		const native_window *own = window ? &window[i] : &none;
		x[i] = find(k[i], own, b->options);
		if (!x[i] && (x[i] = add(k[i], own, b->options)))
			b->fresh[b->count++] = (fresh){.k = k[i], .window = *own, .entry = x[i]};
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

static bool compile_new(const kernel *const *k, const native_window *window, int count, entry **x,
                        batch *b)
{
	bool ok = x && b->fresh;

	if (!ok) return false;
	ok = look_up(k, window, count, x, b);
	if (b->count) compile_all(b);
	return all_ready(x, count) && ok;
}

bool cache_compile(jit_options o, const kernel *const *k, const native_window *window, int count,
                   native_code *code, char *error, size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	entry **x = calloc((size_t)count + 1, sizeof(entry *));
	batch b = {.options = o,
	           .fresh = calloc((size_t)count + 1, sizeof(fresh)),
	           .lock = PTHREAD_MUTEX_INITIALIZER,
	           .error = error,
	           .n = n};

	pthread_once(&once, watch_forks);
	snprintf(error, n, "out of memory");
	const bool ok = compile_new(k, window, count, x, &b);
	for (int i = 0; x && i < count; i++)
		if (ok)
			code[i] = (native_code){x[i]->code.run, x[i]->code.items, x[i]->code.cut,
			                        x[i], x[i]->code.bytes};
		else
			give_up(x[i]);
	free(x);
	free(b.fresh);
	return ok;
}

bool cache_knows(jit_options o, const kernel *k)
{
	pthread_mutex_lock(&cache.lock);
	const bool known = find(k, NULL, o);
	pthread_mutex_unlock(&cache.lock);
	return known;
}

void cache_release(native_code *c)
{
	give_up(c->held);
	*c = (native_code){0};
}
