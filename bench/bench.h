/* bench.h - declares the record of a case, and the commands, for the files of the benchmark.
 *
 * A case is one piece of work that is done here and, by the same name, in JAX (jax_cases.py). Its
 * record says how to prepare it, what one step is, and which limit of the machine a step could
 * reach at best. run.py starts one process a run and puts the figures together. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tsr/tsr.h>

enum { BENCH_SIZES = 5, BENCH_INPUTS = 4, BENCH_OUTS = 4, BENCH_STATE = 64 };

/* What a process measures. */
enum bench_kind {
	BENCH_STEADY, /* a step that has been taken often: median of many */
	BENCH_FIRST,  /* what the first steps cost more than later ones: trace and compile */
	/* processor time of all threads until the first step of machine code has ended: where
	 * programs are interpreted until it pays to compile them; compiled before they run */
	BENCH_WAITING, BENCH_AT_ONCE,
	BENCH_ROW,    /* size[0] steps one behind the other, whose memory must not grow */
	BENCH_PROCESS /* a command from its start to its end */
};
enum { BENCH_FIRST_CALLS = 8 };

/* What bounds a step from below, measured by `bench limits`; work() is then the bytes read and
 * written, or the floating-point operations, of an inner step where there are some. */
enum bench_limit { LIMIT_NONE, LIMIT_COPY, LIMIT_CACHE, LIMIT_SUM, LIMIT_FMA };

/* One process's instance of a case. Handles are those of the context's outermost scope. */
typedef struct bench {
	tsr_ctx *ctx;
	tsr_mesh *mesh; /* axis "i" over all devices */
	const int64_t *size;
	tsr_fn *fn;
	tsr *in[BENCH_INPUTS];
	tsr *state[BENCH_STATE]; /* slots that steps own and replace */
	void *user;              /* of whoever takes the steps */
} bench;

/* Cases that are written by hand too */
enum hand {
	HAND_NONE,
	HAND_SAXPY,
	HAND_SAXPY_DONATED,
	HAND_SOFTMAX,
	HAND_JACOBI,
	HAND_RULE30,
	HAND_NET,
	HAND_PRODUCT,
	HAND_PRODUCT_F64,
	HAND_READ,
	HAND_WRITE
};

typedef struct bench_case {
	const char *name, *what;
	enum bench_kind kind;
	int devices;
	int64_t size[BENCH_SIZES], tiny[BENCH_SIZES]; /* unused ones are 0 */
	void (*setup)(bench *b);
	/* takes one step; out: up to BENCH_OUTS results, which the caller waits for and releases */
	void (*step)(bench *b, tsr **out);
	/* which size is the number of inner steps that one step consists of, from 1 on; 0: none */
	int inner;
	enum bench_limit limit;
	double (*work)(const int64_t *size);
	double bar;  /* how many times faster than JAX this has to be; 0: nothing is asked */
	const char *than; /* another case of ours, of the same work, that it is compared with */
	double than_bar;  /* how many times faster than that it has to be */
	enum hand c;      /* the same by hand, in C */
	double c_bar;     /* how many times faster than that it has to be */
	double rtol; /* results here and in JAX: |a - b| <= rtol * (largest |b|) */
} bench_case;

/* the cases, each list ended by a record without a name */
extern const bench_case cases_calls[], cases_loops[], cases_arrays[], cases_exchange[],
	cases_products[], cases_windows[], cases_linear[], cases_net[], cases_random[],
	cases_order[], cases_gradients[], cases_places[], cases_called[], cases_compile[],
	cases_attention[], cases_layers[], cases_training[], cases_transformer[], cases_files[];

/* ---- numbers.c, inputs.c: the same numbers here and in jax_cases.py */

/* n f32 in [-scale/2, scale/2), by a hash of seed and index */
void scatter_numbers(float *x, int64_t n, uint32_t seed, double scale);
/* an array of them, by row-major index */
tsr *scattered(tsr_ctx *ctx, uint32_t seed, tsr_dims dims, double scale);

/* ---- instance.c: a case with its context */

/* opens a context for a case with these keywords, besides the number of devices, and prepares it;
 * false: an error. close_case() follows in any case, and gives the exit status. */
bool open_case(bench *b, const bench_case *c, const int64_t *size, const char *engine,
               const char *debug);
int close_case(bench *b);
/* Takes one step and waits for its results, which are then handed to see(), if that is not NULL,
 * and released. */
void take_step(bench *b, const bench_case *c, void (*see)(bench *b, tsr *x, int k));

/* ---- by_hand.c: the work of a case in plain C */

typedef struct hand_result {
	float *at; /* or other elements of 4 bytes, or f64 where they are wide */
	int64_t n;
	bool wide;
} hand_result;

enum { HAND_ROOMS = 32 };
typedef struct by_hand {
	const int64_t *size;
	float *at[HAND_ROOMS]; /* its memory, freed at the end */
	int count;
	bool failed; /* there was no memory */
	hand_result out[BENCH_OUTS];
} by_hand;

typedef struct hand_side {
	void (*begin)(by_hand *w); /* size is set, the rest is 0 */
	void (*step)(by_hand *w);
} hand_side;

/* what the module exports: the sides, by number, and why one of them cannot be measured, or NULL */
extern const hand_side bench_by_hand[];
const char *bench_by_hand_lacks(enum hand side);

/* ---- hand.c */

/* NULL: it is not here, and *why says why */
const hand_side *hand_find(enum hand side, const char **why);
/* false: no memory. hand_end() follows in any case */
bool hand_begin(by_hand *w, const hand_side *side, const int64_t *size);
void hand_end(by_hand *w);

/* ---- values.c: what a case computes. All give the exit status */

/* takes two steps and writes the results of the second to FOLDER/ours.K.npy */
int write_values(const bench_case *c, const int64_t *size, const char *folder);
/* are the results of compiled steps those of the interpreter, bit for bit? prints what differs */
int compare_values(const bench_case *c, const int64_t *size);
/* are the results of two steps those by hand, if these are here? prints what differs */
int compare_by_hand(const bench_case *c, const int64_t *size);

/* ---- measure.c: each prints one line of JSON, and gives the exit status */

/* what c.kind says, for about this many seconds */
int measure(const bench_case *c, const int64_t *size, double seconds);
/* the same by hand, of steady cases */
int measure_by_hand(const bench_case *c, const int64_t *size, double seconds);
/* wall time of a command, from its start to its end, for about this many seconds */
int measure_process(char **command, double seconds);
/* seconds since some moment */
double now(void);

/* ---- limits.c */
int measure_limits(void);
#endif
