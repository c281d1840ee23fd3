/* order.h - puts elements in order: by keys that compare as whole numbers do, in records that are
 * sorted digit by digit.
 *
 * A key is the order that docs/numerics.md gives to `sort`, as an unsigned number of as many bits
 * as the element has:
 *
 *     u8    0 7 255        are  00 07 ff
 *     i8    -128 -1 0 127  are  00 7f 80 ff     with the sign turned
 *     f16   -1 -0 0 1 NaN  are  43ff 8000 8000 bc00 ffff
 *
 * A record is the key of an element, and the number of the element in its line. Records are sorted
 * by the digits of their keys, each of 8 bits, from the lowest one: by each digit they are counted,
 * and then moved to the places that follow from the counts. Records that are equal in a digit stay
 * in their order, so in the end those of equal keys are in the order in which they began.
 *
 *     keys 0203 0101 0103 0201    by the low digit    0101 0201 0203 0103
 *                                 by the high one     0101 0103 0201 0203 */
#ifndef TSR_SRC_PRIM_ORDER_H
#define TSR_SRC_PRIM_ORDER_H
#include "prim/cursors.h"

/* elements of a line whose keys are asked for, or the real or imaginary parts of these */
typedef struct keys {
	const char *x;  /* the first one */
	int64_t stride; /* from one to the next, in numbers of as many bits */
	int bits;
	bool turns;        /* of negative numbers, all bits are turned: floats */
	uint64_t sign;     /* its bit; 0: there is none */
	uint64_t infinity; /* its bits: what has larger ones is a NaN, and all of these are one key;
	                    * 0: there are none */
	bool zeros;        /* -0 and 0 are one key */
	uint64_t flip;     /* turned in each key: all of them for the reverse order, or none */
} keys;
/* of the real numbers of a dtype that begin at x */
keys keys_of(tsr_dtype, const void *x, int64_t stride);
/* in the reverse order, where 0 comes before -0: NaN inf 1 0 -0 -1 -inf */
keys keys_down(tsr_dtype, const void *x, int64_t stride);
/* those from another element on */
static inline keys keys_from(keys k, int64_t first)
{
	k.x += first * k.stride * (k.bits / 8);
	return k;
}

/* Operands in the order of the first num_keys: records are sorted by one word after the other, from
 * the last key to the first one. A complex key is two, its imaginary part and then its real one */
typedef struct word {
	int operand, part; /* 1: the imaginary one */
	int bits;          /* 0: there is no such word */
} word;
word word_of(const type *const *in, int64_t num_keys, int number);
/* of the elements of a line of such an operand, from element `at` of x on */
keys word_keys(word, tsr_dtype, const void *x, int64_t at, int64_t stride);

enum { DIGIT = 8, DIGITS = 1 << DIGIT }; /* bits of a digit; how many digits there are */

/* what is done with records. `at` are numbers of elements; n counts records */
typedef struct records {
	size_t size; /* of a record */
	/* the keys of the next n elements, which have the numbers from `first` on */
	void (*number)(void *r, const keys *, int64_t first, int64_t n);
	/* the keys of the elements whose numbers the records have */
	void (*key)(void *r, const keys *, int64_t n);
	/* adds how often each digit occurs */
	void (*count)(const void *r, int64_t n, int shift, int64_t count[DIGITS]);
	/* to the place of its digit, which becomes the next one */
	void (*move)(const void *r, int64_t n, int shift, int64_t place[DIGITS], void *to);
	/* in the order of their keys; room: for as many */
	void (*sort)(void *r, void *room, int64_t n, int bits);
	int64_t (*at)(const void *r, int64_t i);
	/* elements in the order of the records: y[i] is x[at], in bytes of `item` */
	void (*take)(const void *r, int64_t n, const char *x, char *y, int64_t stride, size_t item);
	/* the elements whose keys the records have */
	void (*give)(const void *r, int64_t n, const keys *, char *y);
} records;
/* of keys of at most so many bits, and lines of n elements */
const records *records_for(int bits, int64_t n);
const records *records_by(const type *const *in, int64_t num_keys, int64_t n); /* of words */

#endif
