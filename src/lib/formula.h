/* formula.h - words for operations that are written with others.
 *
 * The values of a formula are operands, handles and C numbers, which take the dtype of the handle
 * that they are combined with; poison goes through. The words need `site` in scope. FORMULA_1 and
 * FORMULA_2 make a public operation of one formula, in which x and y are the prepared operands. */
#ifndef TSR_SRC_LIB_FORMULA_H
#define TSR_SRC_LIB_FORMULA_H
#include "lib/lib.h"

#define HANDLE(x) tsr_arg_one(x)
#define NUM(v) ((tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {v, 0}})
#define INT(v) ((tsr_arg){.kind = TSR_KIND_INT, .as.i = v})
/* an operation of one handle, of two operands */
#define OP_1(name, x) HANDLE(tsr_##name##_at(site->where, (x).as.one))
#define OP_2(name, x, y) HANDLE(tsr_##name##_at(site->where, (tsr_arg[]){x, y}))
#define ADD(x, y) OP_2(add, x, y)
#define SUB(x, y) OP_2(sub, x, y)
#define MUL(x, y) OP_2(mul, x, y)
#define DIV(x, y) OP_2(div, x, y)
#define NEG(x) OP_1(neg, x)
#define IS(how, x, y) OP_2(how, x, y)
#define BOTH(x, y) OP_2(logical_and, x, y)
#define EITHER(x, y) OP_2(logical_or, x, y)
#define WHERE(c, x, y) HANDLE(tsr_where_at(site->where, (tsr_arg[]){c, x, y}))
#define CLAMP(low, x, high) HANDLE(tsr_clamp_at(site->where, low, x, high))
#define STOPPED(x) OP_1(stop_gradient, x)
#define TO(dtype, x) HANDLE(tsr_astype_at(site->where, (x).as.one, dtype))

#define FORMULA_1(name, rule, ...) \
	tsr *lib_##name(call_site *site, tsr *a) \
	{ \
		operands o; \
		if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(a)}, 1, rule)) \
			return poison_of(o.site.ctx); \
		const tsr_arg x = HANDLE(o.x[0]); \
		return (__VA_ARGS__).as.one; \
	}
#define FORMULA_2(name, rule, ...) \
	tsr *lib_##name(call_site *site, const tsr_arg ab[2]) \
	{ \
		operands o; \
		if (!operands_prepare(&o, site, ab, 2, rule)) \
			return poison_of(o.site.ctx); \
		const tsr_arg x = HANDLE(o.x[0]), y = HANDLE(o.x[1]); \
		return (__VA_ARGS__).as.one; \
	}

static inline tsr_dtype dtype_of_operand(tsr_arg x) { return handle_type(x.as.one)->dtype; }
static inline enum dtype_kind kind_of_operand(tsr_arg x) { return dtype_kind(dtype_of_operand(x)); }

#endif
