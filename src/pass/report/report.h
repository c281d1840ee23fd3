/* report.h - records the decisions of automatic partitioning about a program: where each value is
 * and why, the moves and their reasons, and the memory that each line needs.
 *
 * Partition fills in values and moves while it decides (reasons.c and collectives.c of partition/).
 * report_program adds what is left of the moves in the per-device program, where passes behind
 * partition have dropped some and made equal ones once, and the user's own collectives. TSR_DEBUG=P
 * and C print parts of the record (print.c); tsr_explain and its kin read all of it (lib/explain/).
 *
 * All strings are in the record's arena. Bytes are those that one device receives. */
#ifndef TSR_SRC_PASS_REPORT_H
#define TSR_SRC_PASS_REPORT_H
#include "program/program.h"

/* why some axes cut a value */
typedef struct report_reason {
	const char *axes;  /* "x, y" */
	const char *as;    /* the value that had them before, "%2"; NULL: the text says all */
	const char *text;  /* the equation that says so, and its factors */
	int round;         /* of propagation, from 1 on; 0: before it */
	const char *where; /* NULL: no line says it */
} report_reason;
typedef enum report_kind { REPORT_INPUT, REPORT_MADE, REPORT_PROGRAM } report_kind;
typedef struct report_value {
	report_kind kind;
	int depth;             /* of programs inside programs; a REPORT_PROGRAM begins one */
	const char *name;      /* "%3"; of a REPORT_PROGRAM the row that holds it, "scan" */
	const char *made_by;   /* the row; NULL: it is an input */
	bool is_result;
	const char *type, *at; /* "f32[8,4]", "[x,-]" */
	double bytes, whole_bytes; /* of a device, and of all of it */
	const char *held;      /* why it stays where it is, whatever is done with it; NULL: it may
	                        * be elsewhere */
	const report_reason *reason;
	int nreasons;
	const char *where;
	struct report_value *next;
} report_value;

/* what partition moves */
typedef struct report_move {
	const char *row, *axes;    /* "psum", "x*y" */
	const char *type;          /* of the value; where at is NULL, of the block */
	const char *from, *to;     /* its layouts; NULL: they are none */
	const char *becomes;       /* the type of the block then; NULL: to says it */
	double bytes, ns;          /* each time */
	double times;
	bool in_while;             /* at each turn of a while, which nobody knows the number of */
	const char *where;
	const char *why, *cure;    /* for what it is, and what would make it unnecessary */
	const char *whole;         /* why the row needs a dim whole; NULL: it does not */
	int build, eqn;            /* the equation of the build that it was made as */
	int32_t number;            /* the cause of equations that are made for it */
	struct report_move *next;
} report_move;

/* a collective of the per-device program */
typedef struct report_collective {
	int index;                 /* in the order of the program */
	const report_move *move;   /* NULL: the user's own */
	const char *row, *axes, *type, *becomes;
	double bytes, ns, times;
	bool in_while;
	const char *where;
} report_collective;

/* bytes of a device's memory, when it needs most: values that a line makes */
typedef struct report_line {
	const char *where; /* NULL: none says it; "arguments" are apart */
	double bytes;
} report_line;

/* what the steps of a line took in a run that was measured, of all workers together */
typedef struct report_measured {
	const char *where; /* "": none says it */
	double ns;
	int steps;
} report_measured;

typedef struct report {
	base *base;
	arena *arena;
	const char *name, *mesh; /* of the program; mesh NULL: it is on one device */
	report_value *first_value, **last_value;
	report_move *first_move, **last_move;
	bool lost; /* there was no memory for all of it */
	int builds;
	int32_t nmoves; /* also those that nothing needs in the end */
	report_collective *collective; /* the most expensive first */
	int ncollectives;
	report_line *line; /* the largest first */
	int nlines;
	double bytes, ns;      /* of all collectives */
	bool in_while;         /* some are in a while, and count once here */
	double flops;          /* additions and products of numbers, of one device */
	double argument_bytes, result_bytes, peak_bytes; /* of one device; peak: with both */
	report_measured *measured; /* the longest first; NULL: nothing was measured */
	int nmeasured;
	double run_ns;
} report;
bool report_begin(report *, base *);
void report_free(report *);
/* texts in the record's arena; where there is no memory they are NULL, and the record is `lost` */
const char *report_keep(report *, str *); /* the text is freed */
const char *report_keep_text(report *, const char *);
const char *report_keep_place(report *, const char *where); /* without folders; NULL stays so */
const char *report_keep_type(report *, const type *, const axis *, int naxes);
const char *report_keep_axes(report *, const axis *, const ints *entries); /* "x*y" */
/* reads the per-device program. false: no memory */
bool report_program(report *, const program *);

/* ---- print.c */
/* why a value is where it is: "x as %2, by sin ab->ab, round 1" */
void report_reasons_text(str *, const report_value *);
void report_cost_text(str *, double bytes, double ns); /* "64 bytes, 0.5 us" */
/* the texts of TSR_DEBUG=P and C, to the log */
void report_values_print(const report *);
void report_moves_print(const report *);
#endif
