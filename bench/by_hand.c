/* by_hand.c - cases as a C programmer writes them: loops with OpenMP, products by CBLAS. A module
 * that bench opens (hand.c), compiled once for this machine's processor and once for AVX2. */
#include <cblas.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench.h"

/* room for n numbers that the end of the work frees; NULL: no memory, and the work fails */
static float *room(by_hand *w, int64_t n)
{
	float *x = aligned_alloc(64, ((size_t)n * sizeof *x + 63) / 64 * 64);

	if (!x) w->failed = true;
	return w->at[w->count++] = x;
}

/* as ours begin with (inputs.c) */
static float *numbers(by_hand *w, uint32_t seed, int64_t n, double scale)
{
	float *x = room(w, n);

	if (x) scatter_numbers(x, n, seed, scale);
	return x;
}

/* ---- x / 2 + y: into y, or into memory of its own */

static void begin_saxpy_donated(by_hand *w)
{
	numbers(w, 1, w->size[0], 2);
	w->out[0] = (hand_result){numbers(w, 2, w->size[0], 2), w->size[0]};
}

static void begin_saxpy(by_hand *w)
{
	begin_saxpy_donated(w);
	w->out[0].at = room(w, w->size[0]);
}

static void saxpy(by_hand *w)
{
	const float *x = w->at[0], *y = w->at[1];
	float *z = w->out[0].at;

#pragma omp parallel for simd schedule(static)
	for (int64_t i = 0; i < w->size[0]; i++) z[i] = x[i] * 0.5f + y[i];
}

/* ---- softmax of rows */

static void begin_softmax(by_hand *w)
{
	const int64_t n = w->size[0] * w->size[1];

	numbers(w, 1, n, 4);
	w->out[0] = (hand_result){room(w, n), n};
}

static void softmax_row(const float *restrict x, float *restrict y, int64_t n)
{
	float most = -INFINITY, sum = 0;

#pragma omp simd reduction(max : most)
	for (int64_t i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
#pragma omp simd reduction(+ : sum)
	for (int64_t i = 0; i < n; i++) sum += y[i] = expf(x[i] - most);
	const float scale = 1 / sum;
#pragma omp simd
	for (int64_t i = 0; i < n; i++) y[i] *= scale;
}

static void softmax(by_hand *w)
{
	const int64_t n = w->size[1];

#pragma omp parallel for schedule(static)
	for (int64_t i = 0; i < w->size[0]; i++)
		softmax_row(w->at[0] + i * n, w->out[0].at + i * n, n);
}

/* ---- the mean of the four neighbours, on a torus: fields have a border of halos */

static void begin_jacobi(by_hand *w)
{
	const int64_t n = w->size[1];

	numbers(w, 1, n * n, 2);
	room(w, (n + 2) * (n + 2));
	room(w, (n + 2) * (n + 2));
	w->out[0] = (hand_result){room(w, n * n), n * n};
}

/* row i of a field, at its first inner column */
static float *inner_row(float *field, int64_t n, int64_t i)
{
	return field + (i + 1) * (n + 2) + 1;
}

static void fill_halos(float *field, int64_t n)
{
	memcpy(inner_row(field, n, -1), inner_row(field, n, n - 1), (size_t)n * sizeof *field);
	memcpy(inner_row(field, n, n), inner_row(field, n, 0), (size_t)n * sizeof *field);
	for (int64_t i = 0; i < n; i++) {
		float *row = inner_row(field, n, i);
		row[-1] = row[n - 1];
		row[n] = row[0];
	}
}

static void jacobi_row(const float *restrict x, float *restrict y, int64_t n)
{
	const float *up = x - (n + 2), *down = x + (n + 2);

#pragma omp simd
	for (int64_t j = 0; j < n; j++)
		y[j] = ((up[j] + down[j]) + (x[j - 1] + x[j + 1])) * 0.25f;
}

static void jacobi(by_hand *w)
{
	const int64_t steps = w->size[0], n = w->size[1];
	const size_t bytes = (size_t)n * sizeof(float);
	float *from = w->at[1], *to = w->at[2];

#pragma omp parallel firstprivate(from, to)
	{
#pragma omp for schedule(static)
		for (int64_t i = 0; i < n; i++)
			memcpy(inner_row(from, n, i), w->at[0] + i * n, bytes);
		for (int64_t k = 0; k < steps; k++) {
#pragma omp single
			fill_halos(from, n);
#pragma omp for schedule(static)
			for (int64_t i = 0; i < n; i++)
				jacobi_row(inner_row(from, n, i), inner_row(to, n, i), n);
			float *last = from;
			from = to;
			to = last;
		}
#pragma omp for schedule(static)
		for (int64_t i = 0; i < n; i++)
			memcpy(w->out[0].at + i * n, inner_row(from, n, i), bytes);
	}
}

/* ---- Rule 30 on a ring */

static void begin_rule30(by_hand *w)
{
	room(w, w->size[1] + 2);
	w->out[0] = (hand_result){room(w, w->size[1] + 2), w->size[1]};
}

static void rule30(by_hand *w)
{
	const int64_t steps = w->size[0], n = w->size[1];
	uint32_t *from = (uint32_t *)w->at[0] + 1, *to = (uint32_t *)w->at[1] + 1;

	memset(from, 0, (size_t)n * sizeof *from);
	from[n / 2] = 1;
#pragma omp parallel firstprivate(from, to)
	for (int64_t k = 0; k < steps; k++) {
#pragma omp single
		{
			from[-1] = from[n - 1];
			from[n] = from[0];
		}
#pragma omp for simd schedule(static)
		for (int64_t i = 0; i < n; i++) to[i] = from[i - 1] ^ (from[i] | from[i + 1]);
		uint32_t *last = from;
		from = to;
		to = last;
	}
	w->out[0].at = w->at[steps % 2] + 1;
}

/* ---- x y of square matrices, by CBLAS and its own threads */

static void product(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int64_t m, int64_t n, int64_t k,
                    float alpha, const float *a, const float *b, float beta, float *c)
{
	cblas_sgemm(CblasRowMajor, ta, tb, (int)m, (int)n, (int)k, alpha, a,
	            (int)(ta == CblasTrans ? m : k), b, (int)(tb == CblasTrans ? k : n), beta, c,
	            (int)n);
}

static void begin_square(by_hand *w)
{
	const int64_t n = w->size[0] * w->size[0];

	numbers(w, 1, n, 2);
	numbers(w, 2, n, 2);
	w->out[0] = (hand_result){room(w, n), n};
}

static void square(by_hand *w)
{
	const int64_t n = w->size[0];

	product(CblasNoTrans, CblasNoTrans, n, n, n, 1, w->at[0], w->at[1], 0, w->at[2]);
}

/* x, y and their product are behind the numbers that they are converted from */
static void begin_square_f64(by_hand *w)
{
	const int64_t n = w->size[0] * w->size[0];

	numbers(w, 1, n, 2);
	numbers(w, 2, n, 2);
	for (int k = 0; k < 3; k++) room(w, 2 * n);
	for (int k = 0; k < 2 && !w->failed; k++)
		for (int64_t i = 0; i < n; i++) ((double *)w->at[2 + k])[i] = w->at[k][i];
	w->out[0] = (hand_result){w->at[4], n, .wide = true};
}

static void square_f64(by_hand *w)
{
	const int n = (int)w->size[0];

	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, (double *)w->at[2], n,
	            (double *)w->at[3], n, 0, (double *)w->at[4], n);
}

/* ---- a step of gradient descent of a relu network */

enum { BATCH, IN, INNER, OUT, LAYERS };
enum { INPUTS, TARGETS, FIRST }; /* then w, b, what comes out, and its cotangent, of each layer */
static const float RATE = 1e-3F;
enum { WORTH_SHARING = 1 << 15 }; /* elements */

static int64_t fan_in(const by_hand *w, int64_t k) { return w->size[k ? INNER : IN]; }
static int64_t fan_out(const by_hand *w, int64_t k)
{
	return w->size[k < w->size[LAYERS] - 1 ? INNER : OUT];
}

static void begin_net(by_hand *w)
{
	const int64_t batch = w->size[BATCH], layers = w->size[LAYERS];

	numbers(w, 1, batch * w->size[IN], 2);
	numbers(w, 2, batch * w->size[OUT], 2);
	for (int64_t k = 0; k < layers; k++) {
		const int64_t m = fan_in(w, k), n = fan_out(w, k);
		numbers(w, 3 + (uint32_t)k, m * n, 2 * sqrt(6 / (double)m));
		float *b = room(w, n);
		if (b) memset(b, 0, (size_t)n * sizeof *b);
		room(w, batch * n);
		room(w, batch * n);
	}
	w->out[0] = (hand_result){room(w, 1), 1};
	w->out[1] = (hand_result){w->at[FIRST], fan_in(w, 0) * fan_out(w, 0)};
	w->out[2] = (hand_result){w->at[FIRST + 4 * (layers - 1) + 1], w->size[OUT]};
}

static void forward(by_hand *w, int64_t k)
{
	const int64_t batch = w->size[BATCH], m = fan_in(w, k), n = fan_out(w, k);
	float **of = w->at + FIRST + 4 * k, *y = of[2];
	const float *x = k ? of[-2] : w->at[INPUTS];
	const bool last = k == w->size[LAYERS] - 1;

	product(CblasNoTrans, CblasNoTrans, batch, n, m, 1, x, of[0], 0, y);
#pragma omp parallel for schedule(static) if (batch * n >= WORTH_SHARING)
	for (int64_t i = 0; i < batch; i++)
		for (int64_t j = 0; j < n; j++) {
			const float sum = y[i * n + j] + of[1][j];
			y[i * n + j] = last || sum > 0 ? sum : 0;
		}
}

static float loss(by_hand *w)
{
	const int64_t batch = w->size[BATCH], n = batch * w->size[OUT];
	float **of = w->at + FIRST + 4 * (w->size[LAYERS] - 1);
	const float *y = of[2], *t = w->at[TARGETS];
	float sum = 0;

#pragma omp simd reduction(+ : sum)
	for (int64_t i = 0; i < n; i++) {
		const float apart = y[i] - t[i];
		of[3][i] = 2 * apart / (float)batch;
		sum += apart * apart;
	}
	return sum / (float)batch;
}

/* the cotangent of what goes in, where relu let it through, and then the step */
static void backward(by_hand *w, int64_t k)
{
	const int64_t batch = w->size[BATCH], m = fan_in(w, k), n = fan_out(w, k);
	float **of = w->at + FIRST + 4 * k;
	const float *dy = of[3], *x = k ? of[-2] : w->at[INPUTS];

	if (k) {
		float *dx = of[-1];
		product(CblasNoTrans, CblasTrans, batch, m, n, 1, dy, of[0], 0, dx);
#pragma omp parallel for simd schedule(static) if (batch * m >= WORTH_SHARING)
		for (int64_t i = 0; i < batch * m; i++) dx[i] = x[i] > 0 ? dx[i] : 0;
	}
	product(CblasTrans, CblasNoTrans, m, n, batch, -RATE, x, dy, 1, of[0]);
	for (int64_t i = 0; i < batch; i++)
		for (int64_t j = 0; j < n; j++) of[1][j] -= RATE * dy[i * n + j];
}

static void net(by_hand *w)
{
	for (int64_t k = 0; k < w->size[LAYERS]; k++) forward(w, k);
	*w->out[0].at = loss(w);
	for (int64_t k = w->size[LAYERS] - 1; k >= 0; k--) backward(w, k);
}

/* ---- a file of arrays, into memory that is there; nothing else is in the file */

static FILE *arrays_file;

static void begin_read(by_hand *w)
{
	const int64_t n = w->size[1];

	arrays_file = tmpfile();
	w->failed = !arrays_file;
	for (int64_t k = 0; k < w->size[0] && !w->failed; k++) {
		float *x = room(w, n);
		if (!x) return;
		scatter_numbers(x, n, 1 + (uint32_t)k, 2);
		w->failed = fwrite(x, sizeof *x, (size_t)n, arrays_file) != (size_t)n;
	}
	w->failed = w->failed || fflush(arrays_file) != 0;
	for (int k = 0; k < 2 && !w->failed; k++) w->out[k] = (hand_result){w->at[k], n};
}

static void read_arrays(by_hand *w)
{
	const size_t bytes = (size_t)w->size[1] * sizeof(float);

	for (int64_t k = 0; k < w->size[0]; k++) {
		const off_t start = (off_t)((size_t)k * bytes);
		char *const to = (char *)w->at[k];
		for (size_t at = 0; at < bytes;) {
			const ssize_t n = pread(fileno(arrays_file), to + at, bytes - at,
			                        start + (off_t)at);
			if (n <= 0) return;
			at += (size_t)n;
		}
	}
}

/* ---- files that are on the disk: what a checkpoint of one device is made of, written and synced
 * in the same order */

static char written[64];
static int writes;

static void remove_written(int number)
{
	static const char *const names[] = {"/data", "/index", ""};
	char path[128];

	for (int k = 0; k < 3; k++) {
		snprintf(path, sizeof path, "%s/%d%s", written, number, names[k]);
		remove(path);
	}
}

static void remove_all_written(void)
{
	remove_written(writes - 1);
	rmdir(written);
}

static void begin_write(by_hand *w)
{
	static float one[1] = {1};
	const int64_t n = w->size[1];

	if (!*written) atexit(remove_all_written);
	snprintf(written, sizeof written, "/tmp/tsr-bench-c-%ld", (long)getpid());
	w->failed = mkdir(written, 0700) != 0 && errno != EEXIST;
	for (int64_t k = 0; k < w->size[0] && !w->failed; k++) {
		float *x = room(w, n);
		if (!x) return;
		scatter_numbers(x, n, 1 + (uint32_t)k, 2);
	}
	w->out[0] = (hand_result){one, 1};
}

static bool sync_folder(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY);
	const bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0) close(fd);
	return ok;
}

static bool write_file(const char *folder, const char *name, float *const *at, int64_t count,
                       size_t bytes)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	bool ok = fd >= 0;
	for (int64_t k = 0; ok && k < count; k++)
		for (size_t done = 0; ok && done < bytes;) {
			const ssize_t n = write(fd, (const char *)at[k] + done, bytes - done);
			ok = n > 0;
			done += ok ? (size_t)n : 0;
		}
	ok = ok && fsync(fd) == 0;
	if (fd >= 0) close(fd);
	return ok;
}

static void write_arrays(by_hand *w)
{
	char draft[96], name[96];

	snprintf(draft, sizeof draft, "%s/draft", written);
	snprintf(name, sizeof name, "%s/%d", written, writes);
	const bool ok = mkdir(draft, 0700) == 0 &&
	                write_file(draft, "data", w->at, w->size[0],
	                           (size_t)w->size[1] * sizeof(float)) &&
	                write_file(draft, "index", w->at, 1, 1000) && sync_folder(draft) &&
	                rename(draft, name) == 0 && sync_folder(written);
	if (!ok) w->failed = true;
	remove_written(writes++ - 1);
}

const hand_side bench_by_hand[] = {
	[HAND_SAXPY] = {begin_saxpy, saxpy},
	[HAND_SAXPY_DONATED] = {begin_saxpy_donated, saxpy},
	[HAND_SOFTMAX] = {begin_softmax, softmax},
	[HAND_JACOBI] = {begin_jacobi, jacobi},
	[HAND_RULE30] = {begin_rule30, rule30},
	[HAND_NET] = {begin_net, net},
	[HAND_PRODUCT] = {begin_square, square},
	[HAND_PRODUCT_F64] = {begin_square_f64, square_f64},
	[HAND_READ] = {begin_read, read_arrays},
	[HAND_WRITE] = {begin_write, write_arrays},
};

/* of OpenBLAS: 0 is a build for one thread, which is no match */
extern int openblas_get_parallel(void) __attribute__((weak));

const char *bench_by_hand_lacks(enum hand side)
{
	const bool products = side == HAND_NET || side == HAND_PRODUCT || side == HAND_PRODUCT_F64;

	return products && openblas_get_parallel && !openblas_get_parallel()
	               ? "this CBLAS computes on one thread alone"
	               : NULL;
}
