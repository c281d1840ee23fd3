/* text.h - declares the words that print.c and parse.c share; docs/program-text.md is the
 * grammar. */
#ifndef TSR_SRC_PROGRAM_TEXT_H
#define TSR_SRC_PROGRAM_TEXT_H
#include "program/program.h"

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline bool is_word_part(char c) { return is_letter(c) || is_digit(c) || c == '.'; }
static inline bool is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

/* ---- print.c */
/* in one line: inner programs as { ... } */
void eqn_print(str *, const program *, const eqn *, unsigned flags);
bool location_fits(const char *text, size_t len);         /* may be a comment: "name.c:12" */
void axes_print(str *, const axis *, int naxes);          /* axes (x, y of (x:4,y:2)) */
/* the parts of an equation's line. axes: the table of the program, with the names of the text */
void axis_print(str *, const axis *axes, int naxes, int64_t entry);
void var_print(str *, const program *, var); /* %3, or a literal */
void param_print(str *, const eqn *, const field *, const axis *axes, int naxes); /* " dim=0" */

/* ---- read.c: tokens. Every function that reads returns false or NULL after recording an error. */
typedef struct reader {
	ir *ir;
	base *base;
	arena *scratch;            /* freed after reading */
	const char *where;         /* of the call that reads */
	const char *text, *end, *at;
	int depth;                 /* of programs */
	bool had_error;            /* before reading began */
} reader;

/* "line L, column C: ..." at a place in the text */
bool fail_at(const reader *, const char *at, const char *format, ...) PRINTF_LIKE(3, 4);
/* "expected <what>, found ..." at the place reached */
bool fail_expected(const reader *, const char *what);
/* adds the place to an error that another function has just recorded */
void note_place(const reader *, const char *at);
void skip_spaces(reader *);                               /* not past a line end */
void skip_blanks(reader *);                               /* past line ends and comments */
bool skip_char(reader *, char);                                /* after blanks, if it is there */
bool expect(reader *, char);
size_t word_length(const char *);                         /* 0: no word */
const char *read_word(reader *, const char *what);
const char *read_name(reader *, const char *what);        /* a word or a string */
const char *read_string(reader *, const char *what);
bool read_integer(reader *, int64_t least, int64_t most, int64_t *);
bool read_axis(reader *, const axis *, int naxes, int *entry);
bool read_dtype(reader *, tsr_dtype *);
bool read_etype(reader *, etype *);
bool read_type(reader *, const axis *, int naxes, const type **);
/* the nearest of the names that name(i) gives, or NULL: for messages */
const char *nearest(const char *word, const char *(*name)(const void *from, int i),
                    const void *from, int n);

/* a growing list of items of one size, in the scratch arena */
typedef struct list {
	void *v;
	size_t n, cap;
} list;
void *list_push(reader *, list *, size_t size);           /* the new item, cleared */

/* ---- read_params.c */
bool read_mesh(reader *, const mesh **);
/* reads `word=value` into params; seen: set of fields that were there */
bool read_param(reader *, const tsr_prim *, const axis *, int naxes, void *params, uint64_t *seen);
bool params_complete(reader *, const char *at, const tsr_prim *, uint64_t seen);

/* ---- parse.c */
/* released with the scratch arena */
const program *read_program(reader *, const axis *, int naxes);

#endif
