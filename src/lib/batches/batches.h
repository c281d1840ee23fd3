/* batches.h - reads batches of rows from files, ahead of the program that computes with them.
 *
 * Words: a `row` is what a file has at one index of its first dim. A batch has the same rows of all
 * files. An `epoch` is each row once. */
#ifndef TSR_SRC_LIB_BATCHES_H
#define TSR_SRC_LIB_BATCHES_H
#include <pthread.h>
#include "lib/files/files.h"

/* ---- row_file.c */
typedef struct row_file {
	file_reader reader;
	npy npy;
	int64_t rows;
	size_t row_bytes;
	const char *path;
} row_file;
/* opens the file of its path. false: recorded, and row_file_close is due all the same */
bool row_file_open(base *, const char *where, row_file *);
void row_file_close(row_file *);
/* Copies rows, by their numbers, to contiguous memory, as elements of this machine. It may run in
 * any thread and records nothing. 0, or errno */
int row_file_copy(const row_file *, const int64_t *row, int64_t n, char *to);

/* ---- prefetch.c: batches are asked for and taken in the same order */
typedef struct batch {
	int64_t *row; /* which rows it has */
	int64_t n;
	char **data; /* those of each row_file */
	/* the file that could not be read, and errno; 0: all could */
	int failed, error;
} batch;
typedef struct prefetch {
	const row_file *file;
	int nfiles;
	batch *batch; /* a ring: number k is batch[k % most] */
	int most;
	int64_t asked, read, taken; /* how many, until now */
	bool threaded;              /* else they are read when they are taken */
	bool ends;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
} prefetch;
/* `rows` at most in each batch. false: recorded, no memory */
bool prefetch_begin(base *, prefetch *, int64_t rows);
bool prefetch_has_room(const prefetch *);
/* Where the next batch's row numbers go, of which there are n; prefetch_ask then has it read */
int64_t *prefetch_next(prefetch *, int64_t n);
void prefetch_ask(prefetch *);
/* waits for the oldest batch that was asked for; its memory is used again after the next call */
const batch *prefetch_take(prefetch *);
void prefetch_end(base *, prefetch *);

/* ---- order.c */
/* The numbers 0 .. rows - 1 in the order of an epoch: tsr_permutation(tsr_fold_in(key, epoch),
 * rows), or without a key as they are. false: recorded */
bool epoch_order(const call_site *, const uint32_t *key, int64_t epoch, int64_t rows, int64_t *out);

#endif
