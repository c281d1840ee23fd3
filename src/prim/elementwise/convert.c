/* convert.c - casts to another dtype, and copies, also those that derivatives do not see, or that
 * have a name.
 *
 *     convert_element_type [2.7 -2.7 300 nan] dtype=u8    gives  [2 0 255 0]:u8
 *     convert_element_type [0 300 -1]:i32 dtype=u8        gives  [0 44 255]:u8
 *     copy [1 2]                                          gives  [1 2]
 *     stop_gradient [1 2]                                 gives  [1 2]
 *     name [1 2] name="q"                                 gives  [1 2] */
#include "prim/elementwise/elementwise.h"

/* ---- convert_element_type: base/dtype.c has the casts */

static bool convert_element_type_types(build *b, const eqn *e, const type *const *in,
                                       const type **out)
{
	const dtype_params *to = e->params;

	return check_known_dtype(b, e, to->dtype) &&
	       give_type(b, to->dtype, in[0]->dims, in[0]->ndim, out) && weaken(b, to->weak, out);
}

static void convert_element_type_eval(const eval_args *args)
{
	const type *to = args->out[0];

	dtype_convert(to->dtype, args->y[0], args->in[0]->dtype, args->x[0], to->size);
}

static void convert_element_type_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	to[0] = k_convert(k, k_operand(k, e, 0, index), k_result_type(k, e)->dtype);
}

static etype converted(const eqn *e)
{
	const dtype_params *to = e->params;
	return (etype){to->dtype, to->weak};
}

TANGENT_1(convert_element_type, emit_as(b, dx, converted(e)))
TRANSPOSE_AS(convert_element_type,
             has_tangent(in[0]->dtype) ? emit_as(b, *ct, etype_of(in[0])) : FLAT)

static const field dtype_fields[] = {PARAM(dtype_params, dtype, FIELD_DTYPE),
                                     PARAM(dtype_params, weak, FIELD_BOOL), PARAMS_END};
const tsr_prim tsr__prim_convert_element_type = {
	.flags = PRIM_ELEMENTWISE | PRIM_OWN_WEAK,
	ELEMENTWISE_RULES(convert_element_type, "the same numbers in another dtype", 1, 1),
	.params = dtype_fields,
	LINEAR(convert_element_type),
};

/* ---- copy */

#define copy_eval eval_kept
static bool copy_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	return types_elementwise(b, e, in, out, ALL_KINDS, TSR_DTYPE_DEFAULT);
}

static void copy_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	to[0] = k_operand(k, e, 0, index);
}

TANGENT_1(copy, OF_1(copy, dx))
TRANSPOSE_AS(copy, OF_1(copy, *ct))
const tsr_prim tsr__prim_copy = {
	ELEMENTWISE(copy, "the same elements in memory of their own", 1, 1),
	LINEAR(copy),
};

/* ---- stop_gradient */

#define stop_gradient_types copy_types
#define stop_gradient_eval eval_kept
#define stop_gradient_lower copy_lower
const tsr_prim tsr__prim_stop_gradient = {
	ELEMENTWISE(stop_gradient, "the same elements, with a derivative that counts as zero", 1,
	            1),
	NO_SLOPE,
};

/* ---- name: the tangent has none */

#define name_types copy_types
#define name_eval eval_kept
#define name_lower copy_lower
TANGENT_1(name, dx)
TRANSPOSE_AS(name, ((void)b, *ct))
static const field name_fields[] = {PARAM(name_params, name, FIELD_TEXT), PARAMS_END};
const tsr_prim tsr__prim_name = {
	ELEMENTWISE(name, "the same elements, under a name that a remat can save them by", 1, 1),
	.params = name_fields,
	LINEAR(name),
};
