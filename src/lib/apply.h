/* apply.h - public functions that outside of bodies are one program each. */
#ifndef TSR_SRC_LIB_APPLY_H
#define TSR_SRC_LIB_APPLY_H
#include "lib/lib.h"

/* one parameter of a public function, by its kind: a handle; a whole number, or how many; a real
 * one; the address of what is larger */
typedef union slot {
	tsr *handle;
	int64_t whole;
	double real;
	const void *at;
	tsr_ctx *ctx;
} slot;

/* a keyword: where it is in its record, and its kind: TAKES_HANDLE, _ARG, _DIMS, _TEXT, _PLACE or
 * _PLAIN */
typedef struct keyword {
	uint16_t offset, size;
	char kind;
} keyword;
typedef struct keywords {
	const char *type; /* the record's name */
	size_t size;
	int n;
	const keyword *each;
} keywords;

/* the kinds of parameters, as letters of function.takes */
enum {
	TAKES_CONTEXT = 'c',
	TAKES_HANDLE = 'h',
	TAKES_OPTIONAL = 'q', /* a handle, or NULL */
	TAKES_HANDLES = 'H',  /* a list; TAKES_COUNT says how many handles, or the dims do */
	TAKES_OPERAND = 'o',  /* a tsr_arg, of which C numbers are operands */
	TAKES_EXACT = 'x',    /* the same; numbers have 64 bits, whatever they are computed with */
	TAKES_OPERANDS = 'O', /* a list of them; TAKES_COUNT says how many */
	TAKES_PAIR = '2',     /* two of them */
	TAKES_TRIPLE = '3',
	TAKES_POWER = 'e',    /* two; a whole number as the second is part of the program */
	TAKES_ARG = 'a',      /* a tsr_arg, of which C numbers are part of the program */
	TAKES_WHOLE = 'i',
	TAKES_COUNT = 'n',
	TAKES_REAL = 'f',
	TAKES_DIMS = 'd',
	TAKES_TEXT = 't',
	TAKES_KEYWORDS = 'k',
	/* of keywords alone: */
	TAKES_PLACE = 'r', /* a tsr **, where another result goes */
	TAKES_PLAIN = 'p'  /* bytes */
};
typedef struct function {
	const char *name;
	const char *takes;        /* the kind of each slot */
	const keywords *keywords; /* of TAKES_KEYWORDS */
	/* What it does, with primitives and other public functions. Its record of keywords is
	 * whole; results go to out[0..]. false: a result is poison */
	bool (*does)(call_site *, const slot *, tsr **out);
} function;

/* Does it: in a body its operations are recorded there; outside, where it is given arrays of one
 * context, they are one program, made once for what it is given. It has at most nout results. */
bool apply(const function *, const char *where, const slot *, tsr **out, int nout);
static inline tsr *apply_one(const function *f, const char *where, const slot *given)
{
	tsr *out;

	apply(f, where, given, &out, 1);
	return out;
}

#endif
