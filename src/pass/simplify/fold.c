/* fold.c - constants: equations on known numbers are evaluated, by the rows' own eval.
 *
 *     pass simplify
 *     f() -> f32[2,3] {
 *       %0: f32[2,3] = broadcast_in_dim 2.0:f32 dims=[2,3] at=[]
 *       %1: f32[3,2] = transpose %0 perm=[1,0]
 *       %2: f32[3,2] = mul %1 %1
 *       %3: f32[2,3] = reshape %2 dims=[2,3]
 *       return %3
 *     }
 *     gives
 *     f() -> f32[2,3] {
 *       %0: f32[2,3] = broadcast_in_dim 4.0:f32 dims=[2,3] at=[]
 *       return %0
 *     }
 *
 * A constant is a literal, or an array whose elements are all one number, i.e. a literal that was
 * broadcast. Elementwise rows turn constants into constants, and rows that only move elements keep
 * the number. Folding calls the same eval as the interpreter, so a folded number has the bits that
 * a run would have given. */
#include "pass/simplify/simplify.h"

/* ---- elementwise rows, and rows of scalars */

static bool evaluates(const eqn *e)
{
	const unsigned never = PRIM_COLLECTIVE | PRIM_OWN_VARYING;

	return e->nin > 0 && !(e->prim->flags & never) && eqn_evaluates(e) && !eqn_program(e);
}

static bool constant_operands(const simplify *s, const eqn *e, const type *t)
{
	const bool elementwise = e->prim->flags & PRIM_ELEMENTWISE;

	if (!evaluates(e) || (!elementwise && t->ndim)) return false;
	for (int i = 0; i < e->nin; i++)
		if (!element_of(s, e->in[i]) || (!elementwise && type_at(s, e->in[i])->ndim))
			return false;
	return true;
}

/* y, which follows the model that an operand follows */
static var with_model(simplify *s, const eqn *e, const type *t, var y)
{
	for (int i = 0; y.id && i < e->nin; i++) {
		const eqn *like = made_by(s, e->in[i], &tsr__prim_placed_like);
		if (like && type_at(s, e->in[i])->ndim == t->ndim)
			return simplify_make(s, like->prim, NULL, (var[]){y, like->in[1]}, 2, t);
	}
	return y;
}

static var evaluate(simplify *s, const eqn *e, const type *t)
{
	const type **types = simplify_room(s, (size_t)e->nin + 1, sizeof *types);
	const void **x = simplify_room(s, (size_t)e->nin, sizeof *x);
	_Alignas(16) unsigned char y[16] = {0};
	build *b = build_of(s);

	if (!types || !x) return (var){0};
	for (int i = 0; i < e->nin; i++) {
		types[i] = type_at(s, e->in[i]);
		x[i] = element_of(s, e->in[i]);
	}
	types[e->nin] = t;
	if (element_eval(build_ir(b), build_arena(b), e, types, x, (void *[]){y}))
		return with_model(s, e, t, simplify_filled(s, t, y));
	build_fail(b);
	return (var){0};
}

/* ---- rows that move elements */

static bool moves_elements(const eqn *e)
{
	static const tsr_prim *const movers[] = {
		&tsr__prim_reshape,     &tsr__prim_transpose,   &tsr__prim_broadcast_in_dim,
		&tsr__prim_squeeze,     &tsr__prim_expand_dims, &tsr__prim_rev,
		&tsr__prim_concatenate, &tsr__prim_slice,       &tsr__prim_dynamic_slice,
		&tsr__prim_pcast,       &tsr__prim_copy,
	};

	for (size_t i = 0; i < ARRAY_LEN(movers); i++)
		if (movers[i] == e->prim) return true;
	return false;
}

/* the number that all moved elements are; NULL: they differ */
static const void *moved_element(const simplify *s, const eqn *e)
{
	const void *element = element_of(s, e->in[0]);
	const size_t size = tsr_dtype_size(type_at(s, e->in[0])->dtype);

	if (e->prim != &tsr__prim_concatenate) return element;
	for (int i = 1; element && i < e->nin; i++) {
		const void *other = element_of(s, e->in[i]);
		if (!other || memcmp(other, element, size) != 0) return NULL;
	}
	return element;
}

var rewrite_constants(simplify *s, const eqn *e, const type *t)
{
	if (constant_operands(s, e, t)) return evaluate(s, e, t);
	const void *element = moves_elements(e) ? moved_element(s, e) : NULL;
	return element ? simplify_filled(s, t, element) : (var){0};
}

/* ---- literals in place of arrays */

/* the type of one element; NULL: the build has failed */
static const type *scalar_of(simplify *s, tsr_dtype dtype)
{
	const type *t = type_make(build_ir(build_of(s)), dtype, NULL, 0, 0);

	if (!t) build_fail(build_of(s));
	return t;
}

/* One operand must stay an array, to say what dims the result has and over which axes it varies. */
static bool keeps_type(const simplify *s, const eqn *e, const type *t)
{
	for (int i = 0; i < e->nin; i++) {
		const type *in = type_at(s, e->in[i]);
		if (!element_of(s, e->in[i]) && dims_same(in->dims, in->ndim, t->dims, t->ndim))
			return true;
	}
	return false;
}

void literal_operands(simplify *s, const eqn *e, const type *t, var *x)
{
	if (!keeps_type(s, e, t)) return;
	for (int i = 0; i < e->nin; i++) {
		const void *element = element_of(s, e->in[i]);
		const type *in = type_at(s, e->in[i]);
		const type *scalar = element ? scalar_of(s, in->dtype) : NULL;
		if (scalar && scalar != in) x[i] = simplify_filled(s, scalar, element);
	}
}
