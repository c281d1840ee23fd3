/* host.h - numbers and data in host memory as NumPy's text.
 *
 * What is declared here needs base alone: no context, no handle. */
#ifndef TSR_SRC_HOST_H
#define TSR_SRC_HOST_H
#include "base/base.h"

/* ---- array_text.c */
/* NumPy's print options */
typedef struct text_options {
	int precision;     /* most digits behind the point */
	bool scalars;      /* `precision` applies to scalars too; otherwise these have all their
	                      digits, as in str() */
	int linewidth;     /* columns of a line */
	int64_t threshold; /* arrays with more elements are abbreviated */
} text_options;
#define TEXT_OPTIONS (&(const text_options){8, false, 75, 1000}) /* NumPy's own */
/* NumPy's str() of contiguous data; lost in `out` when memory ran out */
void array_text(str *out, tsr_dtype, const void *data, const int64_t *dims, int ndim,
                const text_options *);

/* ---- print.c */
/* The keywords of tsr_print(): what is 0 is not given, and what is out of range becomes the nearest
 * legal value */
text_options text_options_of(int precision, int linewidth, int64_t threshold);

/* ---- format_spec.c: Python's format specs */
typedef struct format_spec {
	bool given;     /* it has characters */
	bool of_text;   /* of a value's text, "!s", not of a number */
	bool alternate; /* '#' */
	char fill[5];   /* one character, UTF-8 */
	char align, sign, group, type; /* 0: not given */
	int width, precision;          /* -1: not given */
} format_spec;
/* reads n characters. What is wrong with them; NULL: nothing */
const char *format_spec_read(format_spec *, const char *text, size_t n, bool of_text);
/* why a value of this dtype cannot be written so; NULL: it can */
const char *format_spec_fault(const format_spec *, tsr_dtype);
/* what has no fault: a number, or n characters, of ASCII; lost in `out` when memory ran out */
void format_spec_put(str *out, const format_spec *, tsr_dtype, const void *number);
void format_spec_put_text(str *out, const format_spec *, const char *text, size_t n);

#endif
