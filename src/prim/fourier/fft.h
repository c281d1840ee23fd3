/* fft.h - declares Fourier transforms: lines of numbers in memory (fft_lines.c, and fft_long.c for
 * long ones), and blocks of lines that are transformed side by side (fft_lanes.c).
 *
 * A block has two vectors for each element: its real parts in all lines, and its imaginary ones. */
#ifndef TSR_SRC_PRIM_FFT_H
#define TSR_SRC_PRIM_FFT_H
#include "prim/numbers.h"
#include "prim/row.h"

enum {
	FFT_MOST_LANES = 16,    /* of any vector */
	FFT_LONGEST_PRIME = 61, /* a length with a larger prime factor is a convolution */
	FFT_MOST_FACTORS = 64
};

/* Where the elements of `count` lines are: element k of line l has its real part at
 * x[at[l] + k * step], and its imaginary part `imag` behind that. imag 0: it has none */
typedef struct fft_place {
	void *x;
	int64_t at[FFT_MOST_LANES];
	int64_t step, imag;
	int count;
} fft_place;

/* a length as a product, and its powers of w = e^(-2 pi i / n), real and imaginary parts */
typedef struct fft_product {
	int64_t n;
	int nfactors, factor[FFT_MOST_FACTORS];
	void *root;
} fft_product;

/* All powers of w = e^(-2 pi i / n) by few: number e is coarse[e >> bits] * fine[e % 2^bits] */
typedef struct fft_circle {
	int64_t n;
	int bits;
	c128 *fine, *coarse;
} fft_circle;

/* Powers of w for each row k and FFT_MOST_LANES numbers j from `first` on: w^(k first), a complex
 * number, and w^(k l) for l < FFT_MOST_LANES, all real parts before all imaginary ones */
typedef struct fft_powers {
	void *first, *behind;
} fft_powers;

/* What is computed with vectors of one size, on parts of one dtype. Whatever the size, the numbers
 * are the same */
typedef struct fft_lanes {
	int lanes;
	/* n elements of count <= lanes lines; the other lanes get 0 */
	void (*load)(const fft_place *, int64_t n, void *of);
	void (*store)(const fft_place *, int64_t n, const void *of, double scale);
	/* of x, whose room is lost, as is that of y: one of the two has the result, and is given */
	void *(*transform)(const fft_product *, void *x, void *y);
	/* element k by factor[k]; swapped: the parts of the factors' products change places */
	void (*multiply)(int64_t n, void *of, const void *factor, bool swapped);
	/* element k of lane l by w^(k (j + l)), to element j + l of line k: as many lines as there
	 * are lanes are a block of `columns` elements, and such blocks come one behind another */
	void (*twist)(const fft_powers *, int64_t rows, int64_t columns, int64_t j, int count,
	              const void *of, void *to);
	/* The transform y of 2m real numbers, its first half and one more element, from that of m
	 * complex ones made of two each, x; and back, twice as large, with its parts swapped.
	 * root: e^(-2 pi i k / 2m) */
	void (*untangle)(int64_t m, const void *root, const void *x, void *y);
	void (*tangle)(int64_t m, const void *root, const void *x, void *y);
	/* the same of one element of each line, k to x and m - k to partner, in place, where lane l
	 * has k = first + l */
	void (*untangle_pairs)(const fft_powers *, void *x, void *partner);
	void (*tangle_pairs)(const fft_powers *, void *x, void *partner);
	/* n / 2 + 1 numbers of a transform of n real ones, n odd, become the conjugates of all */
	void (*mirror)(int64_t n, void *of);
} fft_lanes;

/* real: f32 or f64. The largest vectors that instructions_chosen allows */
const fft_lanes *fft_lanes_of(tsr_dtype real);

/* ---- numbers of either dtype: parts of complex ones, one behind the other */

static inline c128 fft_get(tsr_dtype real, const void *x, int64_t k)
{
	if (real == TSR_F64) return ((const c128 *)x)[k];
	const c64 z = ((const c64 *)x)[k];
	return __builtin_complex((double)crealf(z), (double)cimagf(z));
}

static inline void fft_put(tsr_dtype real, void *x, int64_t k, c128 z)
{
	if (real == TSR_F64)
		((c128 *)x)[k] = z;
	else
		((c64 *)x)[k] = __builtin_complex((float)creal(z), (float)cimag(z));
}

static inline double fft_get_part(tsr_dtype real, const fft_place *p, int64_t at)
{
	return real == TSR_F64 ? ((const double *)p->x)[at] : (double)((const float *)p->x)[at];
}

static inline void fft_put_part(tsr_dtype real, const fft_place *p, int64_t at, double value)
{
	if (real == TSR_F64)
		((double *)p->x)[at] = value;
	else
		((float *)p->x)[at] = (float)value;
}

/* ---- fourier/fft_plan.c */

/* which of those that do a line together, and how many they are; room: the part whose own memory it
 * uses, since one that does several uses it again */
typedef struct fft_share {
	int64_t part, parts, room;
} fft_share;

typedef struct fft_plan {
	const fft_lanes *v;
	fft_share share;
	tsr_dtype real;
	int type;
	int64_t n, m, size; /* of the equation; complex numbers; of those of a convolution, or m */
	bool half;          /* two real numbers are one complex one: n = 2m */
	bool is_long;       /* not in one block */
	fft_product rows, columns; /* of `size`; in a block there are columns alone */
	void *x, *y;               /* blocks, of the room's own */
	void *halves;              /* powers for n = 2m numbers, in a block */
	void *chirp, *back; /* of m numbers: c, 1 / c */
	void *kernel;       /* of `size`: the transform of 1 / c */
	void *line;         /* `size` numbers, which are convolved */
	/* of long lines */
	void *turned; /* blocks of rows */
	void *other;  /* n + 1 numbers, of which real ones are made, or the other way round */
	fft_circle circle, ends; /* of `size`, of n = 2m */
	fft_powers twist, pairs; /* of these; the first powers are the room's own */
} fft_plan;

/* Memory in segments. With at NULL they are only counted */
typedef struct fft_room {
	char *at;
	size_t bytes;
} fft_room;

static inline size_t fft_number_size(const fft_plan *p) { return 2 * tsr_dtype_size(p->real); }
fft_plan fft_plan_in(fft_room *, const fft_params *, tsr_dtype real, fft_share);
/* This part's share of n things, in runs of FFT_MOST_LANES: first .. end - 1 */
void fft_share_of(const fft_plan *, int64_t n, int64_t *first, int64_t *end);
/* this part's share of the tables, and of those that are made of these */
void fft_fill_tables(const fft_plan *);
void fft_fill_powers(const fft_plan *);
/* of a convolution: c and 1 / c, and in `line` what is to be transformed to its kernel */
void fft_fill_chirp(const fft_plan *);
c128 fft_power(const fft_circle *, int64_t e);
/* w^(k first) for k < rows */
void fft_fill_first(tsr_dtype real, const fft_circle *, int64_t rows, int64_t first, void *to);

/* ---- places */
static inline fft_place fft_line(void *x, int64_t at, int64_t step, int64_t imag)
{
	return (fft_place){.x = x, .at = {at}, .step = step, .imag = imag, .count = 1};
}

static inline fft_place fft_numbers(void *x) { return fft_line(x, 0, 2, 1); }

static inline fft_place fft_parts_swapped(fft_place p)
{
	for (int l = 0; l < p.count; l++) p.at[l] += p.imag;
	p.imag = -p.imag;
	return p;
}

/* a line of the equation, whose elements have imag 1 if they are complex: of real numbers, two by
 * two, or as the real parts of complex ones */
static inline fft_place fft_as_complex(const fft_plan *p, fft_place at)
{
	at.imag = p->half ? at.step : 0;
	if (p->half) at.step *= 2;
	return at;
}

/* ---- fourier/fft_long.c: long lines, in stages. All parts of a line finish one before the next
 * begins */
typedef void fft_work(const fft_plan *, const fft_place *from, const fft_place *to, double scale);
enum { FFT_MOST_STAGES = 16 };
typedef struct fft_stages {
	int n, tables; /* stages; how many of them, the first ones, do not depend on the line */
	struct fft_stage {
		fft_work *work;
		fft_place from, to;
		double scale;
	} v[FFT_MOST_STAGES];
} fft_stages;
/* those that transform `from` to `to` */
void fft_stages_of(const fft_plan *, const fft_place *from, const fft_place *to, fft_stages *);
static inline void fft_do_stages(const fft_plan *p, const fft_stages *s, int first, int end)
{
	for (const struct fft_stage *x = s->v + first; x < s->v + end; x++)
		x->work(p, &x->from, &x->to, x->scale);
}

/* ---- fourier/fft_lines.c: the columns eval, parts, phases and scratch of the row */
void fft_eval(const eval_args *);
int64_t fft_parts(const eqn *, const type *const *in);
int64_t fft_phases(const eqn *, const type *const *in);
size_t fft_scratch(const eqn *, const type *const *in);

#endif
