/* row.h - constructors of rows that are not elementwise (those are in elementwise.h). */
#ifndef TSR_SRC_PRIM_ROW_H
#define TSR_SRC_PRIM_ROW_H
#include "kernel/kernel.h"
#include "prim/prim.h"

/* entries of a table of parameters */
#define PARAM(record, member, kind) {#member, offsetof(record, member), kind, NULL}
#define PARAMS_END {NULL, 0, 0, NULL}

/* columns of rows that only move elements: where one comes from depends on all indices of the
 * result, or on that of the same dim alone */
#define MOVES(cost_) .flags = PRIM_MOVES, .cost = cost_
#define MOVES_ALONG(cost_) .flags = PRIM_MOVES | PRIM_ALONG, .cost = cost_

/* A row: its name and its sentence, the number of operands, the table of parameters and further
 * columns. Its rules are called name_types, name_factors, name_eval and name_lower. */
#define LOCAL_ROW(prim_, doc_, nin_, fields_, ...) \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, .doc = doc_, .nin = nin_, .nout = 1, .params = fields_, \
		.types = prim_##_types, .factors = prim_##_factors, .eval = prim_##_eval, \
		.lower = prim_##_lower, __VA_ARGS__ \
	};

/* Rules of a row with one operand. TRANSPOSE_AS: the cotangent of the operand, whose type is in[0],
 * from that of the result, *ct. BATCH_AS: the same row, with these parameters, for a batch of
 * to->size */
#define TRANSPOSE_AS(prim_, ...) \
	static void prim_##_transpose(build *b, const eqn *e, const type *const *in, const var *x, \
	                              const var *ct, var *dx) \
	{ \
		(void)e, (void)in, (void)x; \
		dx[0] = __VA_ARGS__; \
	}
#define BATCH_AS(prim_, ...) \
	static void prim_##_batch(build *b, const eqn *e, const batching *to, const var *x, \
	                          const bool *mapped, var *y, bool *ymapped) \
	{ \
		(void)to, (void)mapped; \
		y[0] = emit(b, e->prim, &(__VA_ARGS__), x, 1); \
		ymapped[0] = true; \
	}

#endif
