/* grammar.h - programs drawn from the grammar of program text, by any bytes: each byte is one
 * decision, and where there are none left each decision is the first.
 *
 * Rows are taken from the table of primitives, with parameters by their field tables, and what a
 * row's own type rule refuses is drawn again: a new row is drawn as soon as it has a name. gather
 * and scatter have lists of dims that must fit each other, so they are drawn as tsr_take() makes
 * them; random_bits wants a key; some collectives stand in grammar_exchange.c. Rows that hold
 * programs have rules of their own for what goes in and out, and stand in grammar_hold.c, with the
 * constraints of where a value is. Callbacks call the function of grammar_call.c; a text cannot
 * bring it along, so programs with one are drawn where they are run. Not drawn is custom_lin, which
 * only the first half of a derivative has. */
#ifndef TSR_TESTS_GRAMMAR_H
#define TSR_TESTS_GRAMMAR_H
#include <tsr/tsr.h>
#include "pass/pass.h"

enum { MOST_DRAWN = 60, MOST_ELEMENTS = 600, MOST_HELD = 6, DEEPEST = 3, GRID = 2 };

typedef struct bytes {
	const uint8_t *at;
	size_t left;
} bytes;
int pick(bytes *, int n); /* 0 .. n - 1 */

/* a program that is being drawn */
typedef struct drawing {
	ir *ir;
	bytes *bytes;
	build *b;
	axis axes[MAX_AXES];
	int naxes;
	var v[MOST_DRAWN];
	int n, depth;
} drawing;

/* NULL: nothing came of it. In it, some 20 equations at most, on meshes of 4 devices */
program *grammar_draw(ir *, bytes *);

/* ---- grammar_draw.c */
const type *draw_type(drawing *);
var draw_any(drawing *);
var draw_of_type(drawing *, const type *); /* made if there is none; no id: it could not be */
var draw_number(drawing *, tsr_dtype);
void draw_keep(drawing *, var);
/* appends it if its rule allows it; its results are kept */
bool draw_append(drawing *, const tsr_prim *, const void *params, const var *in, int nin);
/* a program inside: first[]: types that its first results must have; more: results besides. With
 * `counts`, its input counts[0] plus 1 is result 0 */
const program *draw_inner(drawing *around, const axis *, int naxes, const type *const *in, int nin,
                          const type *const *first, int nfirst, int more, int counted);

/* ---- grammar_call.c: the function that drawn callbacks call. What it gives depends on its
 * operands alone; grammar_calls is a hash of the calls with effects, in their order */
void draw_function(callback_params *);
extern uint64_t grammar_calls;
bool has_callbacks(const program *);

/* ---- grammar_exchange.c: false if the row is not one of those; of some none can be drawn */
bool draw_exchange(drawing *, const tsr_prim *);

/* ---- grammar_hold.c: rows that hold programs; of some no program can be drawn: nothing then */
void draw_holding(drawing *, const tsr_prim *);
void draw_constraint(drawing *);

#endif
