/* numbers.h - converts the numbers of operands to the dtype of a product's sums, and sums to the
 * dtype of results. */
#ifndef TSR_SRC_NATIVE_NUMBERS_H
#define TSR_SRC_NATIVE_NUMBERS_H
#include "prim/prim.h"

/* from an operand's dtype to that of the sums */
typedef struct reading {
	tsr_dtype from, to;
	int64_t item, wide; /* bytes of a number of either */
	int64_t square;     /* rows of a square */
	/* n numbers one behind the other; NULL: bytes (integers.c) */
	void (*line)(char *to, const char *from, int64_t n);
	/* a square of them: row i has what is at x[0] + at, x[1] + at, .. of column i. Rows of the
	 * result are `apart` bytes apart */
	void (*turned)(const char *const *x, int64_t at, char *to, int64_t apart);
} reading;
/* from the dtype of the sums to that of the result: n numbers one behind the other */
typedef struct writing {
	tsr_dtype from, to;
	int64_t wide, item;
	void (*line)(char *to, const char *from, int64_t n);
} writing;

/* ---- products/numbers.c */
/* f32, f64 or i32: to + x, where x has several lines of n numbers, `apart` numbers apart */
void add_lines(tsr_dtype, char *to, const char *x, int64_t n, int64_t apart, int64_t lines);
/* NULL: there is none */
const reading *reading_of(tsr_dtype from, tsr_dtype to);
const writing *writing_of(tsr_dtype from, tsr_dtype to);

#endif
