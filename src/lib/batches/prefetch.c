/* prefetch.c - reads batches ahead, in a thread of its own.
 *
 *     asked for   0  1  2  3  4          the caller says which rows, while there is room
 *     read        0  1  2                the thread copies them from the files
 *     taken       0  1                   the caller makes arrays of them
 *
 * The thread copies bytes and knows neither context nor arrays, for a context belongs to one
 * thread. All memory is the caller's, from prefetch_begin() on. */
#include <signal.h>
#include "lib/batches/batches.h"

static void read_batch(const prefetch *p, batch *b)
{
	b->error = 0;
	for (int i = 0; i < p->nfiles && !b->error; i++) {
		b->failed = i;
		b->error = row_file_copy(&p->file[i], b->row, b->n, b->data[i]);
	}
}

static void *read_all(void *of)
{
	prefetch *p = of;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (!p->ends && p->read == p->asked) pthread_cond_wait(&p->changed, &p->lock);
		if (p->ends) break;
		batch *b = &p->batch[p->read % p->most];
		pthread_mutex_unlock(&p->lock);
		read_batch(p, b);
		pthread_mutex_lock(&p->lock);
		p->read++;
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* the signals of the process are its own threads' */
static bool start_thread(prefetch *p)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const bool ok = pthread_create(&p->thread, NULL, read_all, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

static bool batch_room(base *b, const prefetch *p, batch *k, int64_t rows)
{
	k->row = mem_array(b, (size_t)rows, sizeof *k->row);
	k->data = mem_array(b, (size_t)p->nfiles, sizeof *k->data);
	bool ok = k->row && k->data;
	for (int i = 0; ok && i < p->nfiles; i++) {
		const size_t bytes = (size_t)rows * p->file[i].row_bytes; /* as in the file */
		ok = (k->data[i] = mem_alloc(b, bytes + 1)) != NULL;
	}
	return ok;
}

/* `rows` is no more than the files have */
bool prefetch_begin(base *b, prefetch *p, int64_t rows)
{
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	p->batch = mem_array(b, (size_t)p->most, sizeof *p->batch);
	for (int k = 0; k < p->most; k++)
		if (!p->batch || !batch_room(b, p, &p->batch[k], rows)) return false;
	p->threaded = p->most > 1 && start_thread(p);
	return true;
}

bool prefetch_has_room(const prefetch *p) { return p->asked - p->taken < p->most; }

int64_t *prefetch_next(prefetch *p, int64_t n)
{
	batch *b = &p->batch[p->asked % p->most];

	b->n = n;
	return b->row;
}

void prefetch_ask(prefetch *p)
{
	pthread_mutex_lock(&p->lock);
	p->asked++;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

const batch *prefetch_take(prefetch *p)
{
	batch *b = &p->batch[p->taken % p->most];

	pthread_mutex_lock(&p->lock);
	while (p->threaded && p->read == p->taken) pthread_cond_wait(&p->changed, &p->lock);
	pthread_mutex_unlock(&p->lock);
	if (!p->threaded) {
		read_batch(p, b);
		p->read++;
	}
	p->taken++;
	return b;
}

void prefetch_end(base *b, prefetch *p)
{
	pthread_mutex_lock(&p->lock);
	p->ends = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	if (p->threaded) pthread_join(p->thread, NULL);
	for (int k = 0; p->batch && k < p->most; k++) {
		for (int i = 0; p->batch[k].data && i < p->nfiles; i++)
			mem_free(b, p->batch[k].data[i]);
		mem_free(b, p->batch[k].data);
		mem_free(b, p->batch[k].row);
	}
	mem_free(b, p->batch);
	p->batch = NULL;
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
}
