/* host.h - data in host memory as NumPy's text and as .npy bytes, and files.
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
/* The keywords of tsr_print(): what is 0 is not given, and what is out of range becomes the nearest
 * legal value */
text_options text_options_of(int precision, int linewidth, int64_t threshold); /* print.c */
/* NumPy's str() of contiguous data; lost in `out` when memory ran out */
void array_text(str *out, tsr_dtype, const void *data, const int64_t *dims, int ndim,
                const text_options *);

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

/* ---- npy_format.c */
/* what the header of a file promises */
typedef struct npy {
	tsr_dtype dtype;
	int ndim;
	int64_t dims[MAX_NDIM];
	bool fortran, swapped; /* fortran: the first dim is the fastest; swapped: not the byte
	                          order of this machine */
	size_t offset, bytes;  /* where the data begins, and its size */
} npy;
enum { NPY_PREAMBLE = 12 }; /* bytes that suffice to tell how long the header is, */
size_t npy_header_bytes(const void *bytes, size_t n); /* counted from the start of the file */
/* Parses the header at the start of n bytes. false: an error whose text begins with `name`,
 * TSR_ERROR_FILE or, for a dtype that is not ours, TSR_ERROR_UNSUPPORTED. */
bool npy_parse_header(base *, const char *where, const char *name, const void *bytes, size_t n,
                      npy *);
/* Has a file of n bytes the data that its header promises? false: recorded */
bool npy_has_data(base *, const char *where, const char *name, const npy *, size_t n);
/* both */
bool npy_parse(base *, const char *where, const char *name, const void *bytes, size_t n, npy *);
/* the n elements behind the header as contiguous native data; out has room for npy->bytes */
void npy_unpack(const npy *, const void *bytes, void *out);
/* the header numpy.save writes for a C-ordered little-endian array (version 1.0) */
void npy_header(str *out, tsr_dtype, const int64_t *dims, int ndim);
/* contiguous native data to little endian, or back, in place; nothing to do on most machines */
void npy_little_endian(void *data, size_t bytes, tsr_dtype);

/* ---- file.c: errors are TSR_ERROR_FILE and begin with the name of the operation */
typedef struct file_reader {
	base *base;
	const char *where, *op, *path;
	/* set by file_open */
	int fd;
	size_t size; /* bytes, as a regular file says; 0: not known */
	/* what was read until now, and a 0 behind it */
	char *bytes;
	size_t n, cap;
} file_reader;
/* false: recorded. file_close frees the bytes, too */
bool file_open(file_reader *);
/* reads on until there are `upto` bytes, below SIZE_MAX - 1, or the file ends. false: recorded */
bool file_take(file_reader *, size_t upto);
void file_close(file_reader *);
/* all bytes that a regular file or a pipe holds, in the same way; more than `most`, below SIZE_MAX,
 * are an error */
char *file_read(base *, const char *where, const char *op, const char *path, size_t most,
                size_t *n);
typedef struct file_content {
	const char *header;
	size_t header_bytes;
	const void *data;
	size_t bytes;
} file_content;
/* all of it, or on failure nothing */
bool file_write(base *, const char *where, const char *op, const char *path,
                const file_content *);

#endif
