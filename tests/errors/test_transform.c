/* test_transform.c - derivatives and batches: arguments that have none, losses that are no real
 * scalar, lists that do not fit, operations without a rule, sizes and dims of batches, and the mesh
 * axis of a batch. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define P TSR_P
#define D TSR_DIMS
TSR_TREE_TYPE(linear, { tsr *weight, *bias; });

/* ---- bodies */

enum { squares_line = __LINE__ + 1, product_line };
static tsr *squares(tsr *x) { return tsr_sum(tsr_square(x)); }
static tsr *product(tsr *x, tsr *y) { return tsr_sum(tsr_mul(x, y)); }
static tsr *squared(tsr *x) { return tsr_square(x); }
static tsr *how_many(tsr *x) { return tsr_sum(tsr_astype(tsr_gt(x, 0), TSR_I32)); }
static tsr *turned(tsr *x) { return tsr_sum(tsr_astype(x, TSR_C64)); }
static tsr *layer_loss(tsr_tree t, tsr *x)
{
	const linear *l = TSR_TREE_OF(linear, t);
	tsr *y = tsr_mul(x, l->weight);
	return tsr_sum(l->bias ? tsr_add(y, l->bias) : y);
}

static void two(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_return(frame, tsr_sum(x), tsr_neg(x));
}

static void a_tree(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	linear l = {.weight = tsr_sum(x), .bias = tsr_neg(x)};
	tsr_return(frame, TSR_TREE(linear, &l));
}

static tsr *complex_of(world *w) { return tsr_astype(w->v, TSR_C64); }
#define CASE(name, call) \
	static tsr *name(world *w) { return WRONG(w, call); }

/* ---- which arguments */

CASE(wrt_beyond, tsr_call(tsr_grad(w->ctx, squares, .wrt = D(1)), w->v))
CASE(wrt_too_large, tsr_call(tsr_grad(w->ctx, squares, .wrt = D(8)), w->v))
CASE(wrt_negative, tsr_call(tsr_hessian(w->ctx, squares, .wrt = D(-1)), w->v))
CASE(wrt_twice, tsr_call(tsr_jvp(w->ctx, product, .wrt = D(1, 1)), w->v, w->v, w->v, w->v))
CASE(wrt_of_nothing, tsr_call(tsr_value_and_grad(w->ctx, squares, .wrt = D()), w->v))
CASE(wrt_is_no_list, tsr_call(tsr_grad(w->ctx, squares, .wrt = {.d = {-3}}), w->v))
CASE(wrt_is_too_long, tsr_call(tsr_grad(w->ctx, squares, .wrt = {.d = {99}}), w->v))
CASE(donate_is_no_list, tsr_call(tsr_jit(w->ctx, squares, .donate = {.d = {99}}), w->v))
CASE(wrt_without_arguments, tsr_call(tsr_grad(w->ctx, squares)))
CASE(grad_of_integers, tsr_call(tsr_grad(w->ctx, squares), w->i))
CASE(grad_of_a_number, tsr_call(tsr_grad(w->ctx, squares), 3))
CASE(grad_of_truths, tsr_call(tsr_value_and_grad(w->ctx, squares), tsr_gt(w->v, 0)))
CASE(grad_of_the_second, tsr_call(tsr_grad(w->ctx, product, .wrt = D(1)), w->i, w->i))
CASE(jvp_of_integers, tsr_call(tsr_jvp(w->ctx, squares), w->i, w->i))
static tsr *sines(tsr *x) { return tsr_sum(tsr_sin(x)); }
static tsr *moduli(tsr *x) { return tsr_sum(tsr_abs(x)); }
CASE(holomorphic_of_reals, tsr_call(tsr_grad(w->ctx, sines, .holomorphic = true), w->v))
CASE(holomorphic_to_reals, tsr_call(tsr_grad(w->ctx, moduli, .holomorphic = true), complex_of(w)))
CASE(holomorphic_columns, tsr_call(tsr_jacfwd(w->ctx, moduli, .holomorphic = true), complex_of(w)))
static tsr *holomorphic_of_integers(world *w)
{
	tsr_fn *f = tsr_grad(w->ctx, sines, .holomorphic = true, .allow_int = true);
	return WRONG(w, tsr_call(f, tsr_astype(w->v, TSR_I32)));
}
CASE(holomorphic_jvp, tsr_call(tsr_jvp(w->ctx, sines, .holomorphic = true), w->v, w->v))
CASE(integers_forward, tsr_call(tsr_jacfwd(w->ctx, sines, .allow_int = true), w->v))
CASE(integers_twice, tsr_call(tsr_hessian(w->ctx, sines, .allow_int = true), w->v))
CASE(jacfwd_of_complex, tsr_call(tsr_jacfwd(w->ctx, squared), complex_of(w)))
CASE(jacrev_of_complex, tsr_call(tsr_jacrev(w->ctx, squared), complex_of(w)))
CASE(hessian_of_integers, tsr_call(tsr_hessian(w->ctx, squares), w->i))

static tsr *grad_of_an_integer_leaf(world *w)
{
	linear l = {.weight = w->v, .bias = w->i};
	return WRONG(w, tsr_call(tsr_grad(w->ctx, layer_loss), TSR_TREE(linear, &l), w->v));
}

static tsr *body_of_nothing(world *w)
{
	tsr *(*const none)(tsr *) = NULL;
	return WRONG(w, tsr_call(tsr_grad(w->ctx, none), w->v));
}

static tsr *fn_of_another(world *w)
{
	tsr_fn *f = tsr_jit(w->other, squares);
	return WRONG(w, tsr_call(tsr_grad(w->ctx, f), w->v));
}

static tsr *record_without_size(world *w)
{
	static const int record = 1;
	return WRONG(w, tsr_call(tsr_vmap(w->ctx, squares, .env = &record), w->v));
}

/* ---- losses */

CASE(loss_is_a_vector, tsr_call(tsr_grad(w->ctx, squared), w->v))
CASE(loss_of_one_element, tsr_call(tsr_grad(w->ctx, squared), tsr_ones(w->ctx, D(1, 1))))
CASE(loss_is_an_integer, tsr_call(tsr_grad(w->ctx, how_many), w->v))
CASE(loss_is_complex, tsr_call(tsr_grad(w->ctx, turned), w->v))
CASE(loss_is_a_tree, tsr_call(tsr_grad(w->ctx, a_tree), w->v))
CASE(loss_is_a_tree_with_others, tsr_call(tsr_grad(w->ctx, a_tree, .has_aux = true), w->v))
CASE(two_losses, tsr_call(tsr_value_and_grad(w->ctx, two), w->v))
CASE(jacobian_of_counts, tsr_call(tsr_jacfwd(w->ctx, how_many), w->v))
CASE(jacobian_of_complex_results, tsr_call(tsr_jacrev(w->ctx, turned), w->v))
CASE(places_for_fewer, tsr_call(tsr_value_and_grad(w->ctx, squares), w->v))

/* ---- tangents */

CASE(jvp_without_tangent, tsr_call(tsr_jvp(w->ctx, squares), w->v))
CASE(jvp_with_too_few, tsr_call(tsr_jvp(w->ctx, product, .wrt = D(0, 1)), w->v, w->v, w->v))
CASE(tangent_of_other_dims, tsr_call(tsr_jvp(w->ctx, squares), w->v, w->a))
CASE(tangent_of_other_dtype, tsr_call(tsr_jvp(w->ctx, squares), w->v, tsr_astype(w->v, TSR_F64)))

static tsr *tangent_tree_of_others(world *w)
{
	linear l = {.weight = w->v, .bias = w->v};
	tsr *d[3] = {w->v, w->v, w->v};
	return WRONG(w, tsr_call(tsr_jvp(w->ctx, layer_loss, .wrt = D(0)), TSR_TREE(linear, &l),
	                         w->v, TSR_LEAVES(d, 3)));
}

static tsr *tangent_of_an_absent_leaf(world *w)
{
	linear l = {.weight = w->v, .bias = NULL}, d = {.weight = w->v, .bias = w->v};
	return WRONG(w, tsr_call(tsr_jvp(w->ctx, layer_loss, .wrt = D(0)), TSR_TREE(linear, &l),
	                         w->v, TSR_TREE(linear, &d)));
}

/* ---- operations without a derivative */

enum { largest_line = __LINE__ + 1 };
static tsr *largest(tsr *x) { return tsr_sum(tsr_pmax(x, "x")); }

static tsr *no_derivative(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, largest, .sig = "[x] -> []");
	w->line = largest_line;
	return tsr_call(tsr_grad(w->ctx, f, .name = "slope"), tsr_ones(w->ctx, D(8)));
}

/* ---- an error in the body is the body's, with notes */

static int body_line;

static tsr *wrong_inside(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_dot(x, tsr_ones(x, D(5)));
}

static tsr *body_fails(world *w)
{
	tsr *y = tsr_call(tsr_grad(w->ctx, wrong_inside, .name = "slope"), w->v);
	w->line = body_line;
	return y;
}

static tsr *body_of_a_batch_fails(world *w)
{
	tsr *y = tsr_call(tsr_vmap(w->ctx, tsr_grad(w->ctx, wrong_inside), .name = "rows"), w->a);
	w->line = body_line;
	return y;
}

/* ---- linear functions at a point */

static tsr *linearized_body_fails(world *w)
{
	tsr *y;
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), tsr_jit(w->ctx, wrong_inside), w->v);
	w->line = body_line;
	return tsr_call(l.fn, l.residuals, w->v);
}

static tsr *linearize_of_what_failed(world *w)
{
	tsr *y;
	tsr_fn *none = WRONG(w, tsr_grad(w->ctx, squares, .wrt = D(9)));
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), none, w->v);
	return tsr_is_poison(y) ? tsr_call(l.fn, l.residuals, w->v) : y;
}

static tsr *vjp_with_places_for_more(world *w)
{
	tsr *y, *z;
	tsr_linearized l = WRONG(w, tsr_vjp(TSR_OUT(&y, &z), tsr_jit(w->ctx, squares), w->v));
	return tsr_call(l.fn, l.residuals, y);
}

static tsr *vjp_of_pmax(world *w)
{
	tsr *y;
	tsr_fn *f = tsr_shard_map(w->mesh, largest, .sig = "[x] -> []");
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), f, tsr_ones(w->ctx, D(8)));
	w->line = largest_line;
	return tsr_call(l.fn, l.residuals, y);
}

static tsr *cotangent_of_other_dims(world *w)
{
	tsr *y;
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), tsr_jit(w->ctx, squares), w->v);
	return WRONG(w, tsr_call(l.fn, l.residuals, w->v));
}

static tsr_linearized slope;
static tsr *by_slope(tsr *dy) { return tsr_call(slope.fn, slope.residuals, dy); }

static tsr *with_own_cotangent(tsr *x, tsr *ct)
{
	tsr *y;
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), tsr_jit(x, squares), x);
	return tsr_call(l.fn, l.residuals, tsr_sum(ct));
}
enum { with_own_cotangent_line = __LINE__ - 2 };

static tsr *cotangent_varies_more(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, with_own_cotangent, .sig = "[] [x] -> []");
	w->line = with_own_cotangent_line;
	return tsr_call(f, w->v, tsr_ones(w->ctx, D(8)));
}

static tsr *tangent_along(tsr *dx)
{
	tsr *y, *dy, *x = tsr_ones(dx, tsr_shape(dx));
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(dx, squares), x, dx);
	return dy;
}
enum { tangent_along_line = __LINE__ - 3 };

static tsr *tangent_varies_more(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, tangent_along, .sig = "[x] -> []");
	w->line = tangent_along_line;
	return tsr_call(f, tsr_ones(w->ctx, D(8)));
}

static tsr *leaks_slope(tsr *x)
{
	tsr *y;
	slope = tsr_vjp(TSR_OUT(&y), tsr_jit(x, squares), x);
	return tsr_call(slope.fn, slope.residuals, y);
}

static tsr *linear_fn_out_of_its_map(world *w)
{
	tsr_call(tsr_shard_map(w->mesh, leaks_slope, .sig = "[x] -> [x]"), tsr_ones(w->ctx, D(8)));
	const tsr_tree none = {.count = 0};
	return WRONG(w, tsr_call(slope.fn, none, 1.0));
}

static tsr *map_in_its_own_map(world *w)
{
	tsr *y;
	tsr_fn *f = tsr_shard_map(w->mesh, squared, .sig = "[x] -> [x]");
	slope = WRONG(w, tsr_vjp(TSR_OUT(&y), f, w->a));
	return tsr_call(tsr_shard_map(w->mesh, by_slope, .sig = "[] -> []", .axes = "x"), w->a);
}

CASE(axis_without_letters, tsr_call(tsr_vmap(w->ctx, squared, .axis = "rows*x"), w->v))
CASE(axis_of_no_name, tsr_call(tsr_vmap(w->ctx, squared, .axis = ""), w->v))

static tsr *too_many_names(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, squared);
	tsr *x = tsr_scalar(w->ctx, 1.0);
	for (int k = 0; k < 65; k++) {
		f = tsr_vmap(w->ctx, f, .axis = "rows");
		x = tsr_expand_dims(x, D(0));
	}
	return WRONG(w, tsr_call(f, x));
}

static const char summed[] = "axes (i:6) summed(%0: f32[]) -> f32[] {\n"
			     "  %1: f32[] = psum %0 axes=(i) to=invarying\n  return %1\n}\n";
static tsr *by_text(tsr *x) { return tsr_call(tsr_parse(x, summed), x); }
enum { by_text_line = __LINE__ - 1 };

static tsr *text_under_another_name(world *w)
{
	tsr *y = tsr_call(tsr_vmap(w->ctx, by_text, .axis = "i"), w->v);
	if (tsr_is_poison(y)) return w->v;
	w->line = by_text_line;
	return tsr_call(tsr_vmap(w->ctx, by_text, .axis = "j"), w->v);
}

CASE(wrt_without_end, tsr_call(tsr_grad(w->ctx, squares, .wrt = (tsr_dims){.d = {100}}), w->v))

static tsr *cotangent_missing(world *w)
{
	tsr *y;
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), tsr_jit(w->ctx, squares), w->v);
	return WRONG(w, tsr_call(l.fn, l.residuals));
}

static tsr *residuals_missing(world *w)
{
	tsr *y;
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), tsr_jit(w->ctx, squares), w->v);
	return WRONG(w, tsr_call(l.fn, w->v));
}

/* the list of residuals ends with its scope, as a text does; copied, its handles are stale */
static tsr *residuals_after_their_scope(world *w)
{
	tsr *y, *copy[4];
	tsr_linearized l;
	size_t n = 0;
	{
		TSR_SCOPE(w->ctx);
		l = tsr_linearize(TSR_OUT(&y), tsr_jit(w->ctx, squares), w->v);
		for (; n < l.residuals.count && n < 4; n++) copy[n] = l.residuals.leaf[n];
	}
	return WRONG(w, tsr_call(l.fn, TSR_LEAVES(copy, n), w->v));
}

static tsr *transpose_of_squares(world *w)
{
	tsr_linearized l = tsr_linear_transpose(tsr_jit(w->ctx, squares), w->v);
	w->line = squares_line;
	return tsr_call(l.fn, l.residuals, 1.0);
}

static tsr *transpose_of_a_product(world *w)
{
	tsr_fn *f = tsr_jit(w->ctx, product);
	tsr_linearized l = tsr_linear_transpose(f, w->v, w->v);
	w->line = product_line;
	return tsr_call(l.fn, l.residuals, 1.0);
}

static tsr *transpose_of_integers(world *w)
{
	tsr_linearized l = WRONG(w, tsr_linear_transpose(tsr_jit(w->ctx, tsr_neg), w->i));
	return tsr_call(l.fn, l.residuals, w->i);
}

/* ---- batches: dims and sizes */

static tsr *add(tsr *x, tsr *y) { return tsr_add(x, y); }
static const int two_dims[] = {0, 0};

CASE(nothing_mapped, tsr_call(tsr_vmap(w->ctx, squared, .in = TSR_MAPPED(TSR_UNMAPPED)), w->v))
CASE(sizes_differ, tsr_call(tsr_vmap(w->ctx, add, .in = TSR_MAPPED(0, 1)), w->v, w->a))
CASE(axis_size_differs, tsr_call(tsr_vmap(w->ctx, squared, .axis_size = 5), w->v))
CASE(axis_size_negative, tsr_call(tsr_vmap(w->ctx, squared, .axis_size = -1), w->v))
CASE(dim_of_a_scalar, tsr_call(tsr_vmap(w->ctx, squared), 1.0))
CASE(dim_too_far, tsr_call(tsr_vmap(w->ctx, squared, .in = TSR_MAPPED(INT32_MAX)), w->v))
CASE(dim_too_large, tsr_call(tsr_vmap(w->ctx, squared, .in = TSR_MAPPED(2)), w->a))
CASE(dim_too_negative, tsr_call(tsr_vmap(w->ctx, squared, .in = TSR_MAPPED(-3)), w->a))
CASE(out_dim_too_large, tsr_call(tsr_vmap(w->ctx, squared, .out = TSR_MAPPED(2)), w->a))
CASE(in_of_other_number, tsr_call(tsr_vmap(w->ctx, add, .in = TSR_MAPPED(0)), w->v, w->v))
CASE(out_of_other_number, tsr_call(tsr_vmap(w->ctx, squared, .out = TSR_MAPPED(0, 0)), w->v))
CASE(list_without_dims, tsr_call(tsr_vmap(w->ctx, squared, .in = {{.count = 1}}), w->a))
CASE(body_sees_less, tsr_call(tsr_vmap(w->ctx, tsr_vmap(w->ctx, squared)), w->v))

static tsr *leaf_dims_of_a_handle(world *w)
{
	tsr_fn *f = tsr_vmap(w->ctx, squared, .in = {TSR_FOR_EACH(two_dims)});
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *leaf_dims_of_a_result(world *w)
{
	tsr_fn *f = tsr_vmap(w->ctx, squared, .out = {TSR_FOR_EACH(two_dims)});
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *mapped_result_unmapped(world *w)
{
	tsr_fn *f = tsr_vmap(w->ctx, squared, .out = TSR_MAPPED(TSR_UNMAPPED), .axis = "rows");
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *size_of_a_leaf_differs(world *w)
{
	linear l = {.weight = w->a, .bias = w->v};
	return WRONG(w, tsr_call(tsr_vmap(w->ctx, layer_loss), TSR_TREE(linear, &l), w->a));
}

/* ---- batches: names */

static tsr *sum_rows(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_psum(x, "rows");
}

static tsr *name_not_given(world *w)
{
	tsr *y = tsr_call(tsr_vmap(w->ctx, sum_rows), w->a);
	w->line = body_line;
	return y;
}

static tsr *name_of_the_inner(world *w)
{
	tsr_fn *inner = tsr_vmap(w->ctx, squared, .axis = "rows");
	tsr *y = tsr_call(tsr_vmap(w->ctx, sum_rows, .axis = "cols"), tsr_call(inner, w->a));
	w->line = body_line;
	return y;
}

static const int pairs[] = {0, 1, 2, 3};
static tsr *sum_in_groups(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_psum(x, "rows*x", .groups = {.member = pairs, .count = 2, .size = 2});
}

static tsr *batch_of_two(tsr *x) { return tsr_call(tsr_vmap(x, sum_in_groups, .axis = "rows"), x); }

static tsr *groups_over_both_kinds(world *w)
{
	tsr_mesh *mesh = tsr_mesh_make(w->ctx, {"x", 2});
	tsr *y = tsr_call(tsr_shard_map(mesh, batch_of_two, .sig = "[x] -> [x]"),
	                  tsr_ones(w->ctx, D(4)));
	w->line = body_line;
	return y;
}

/* ---- batches: the mesh axis that splits them */

static tsr *halves(tsr *x) { return tsr_mul(x, 0.5); }
static tsr *over_y(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_psum(x, "y");
}
static tsr *scaled_by_y(tsr *x)
{
	body_line = __LINE__ + 1;
	return tsr_psum(tsr_mul(x, tsr_axis_index(x, "y")), "y");
}
static tsr *halves_of_rows(tsr *x) { return tsr_psum(tsr_mul(x, 0.5), "rows"); }

#define SPLIT(name, body, signature, axis_, shape) \
	static tsr *name(world *w) \
	{ \
		tsr_fn *f = tsr_shard_map(w->mesh, body, .sig = signature); \
		w->line = __LINE__; \
		return tsr_call(tsr_vmap(w->ctx, f, .spmd_axis = axis_), tsr_ones(w->ctx, shape)); \
	}
SPLIT(split_axis_in_in_specs, halves, "[y] -> [y]", "y", D(4, 8))
SPLIT(split_axis_unknown, halves, "[x] -> [x]", "z", D(4, 8))
SPLIT(split_axis_does_not_divide, halves, "[x] -> [x]", "y", D(3, 8))
SPLIT(split_axis_is_named_twice, halves, "[x] -> [x]", "y*y", D(4, 8))
SPLIT(split_axes_unknown, halves, "[x] -> [x]", "y*z", D(4, 8))
SPLIT(split_axes_without_a_name, halves, "[x] -> [x]", "y*", D(4, 8))

static tsr *split_axis_in_out_specs(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, halves, .sig = "[x] -> [x*y]");
	return WRONG(w, tsr_call(tsr_vmap(w->ctx, f, .spmd_axis = "y"), tsr_ones(w->ctx, D(4, 8))));
}

static tsr *split_axis_is_summed(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, scaled_by_y, .sig = "[x] -> [x]");
	tsr *y = tsr_call(tsr_vmap(w->ctx, f, .spmd_axis = "y"), tsr_ones(w->ctx, D(4, 8)));
	w->line = body_line;
	return y;
}

static tsr *split_axis_is_summed_unchecked(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, over_y, .sig = "[x] -> [x]", .unchecked = true);
	tsr *y = tsr_call(tsr_vmap(w->ctx, f, .spmd_axis = "y"), tsr_ones(w->ctx, D(4, 8)));
	w->line = body_line;
	return y;
}

static tsr *name_of_a_split_batch(world *w)
{
	tsr_fn *f = tsr_shard_map(w->mesh, halves_of_rows, .sig = "[x] -> [x]");
	return WRONG(w, tsr_call(tsr_vmap(w->ctx, f, .spmd_axis = "y", .axis = "rows"),
	                         tsr_ones(w->ctx, D(4, 8))));
}

#define A TSR_ERROR_ARGUMENT
#define T TSR_ERROR_TYPE
#define S TSR_ERROR_SHARDING
#define U TSR_ERROR_UNSUPPORTED
static const mistake table[] = {
	MISTAKE(wrt_beyond, A, "grad of 'squares'", "argument 1", "2", "1"),
	MISTAKE(wrt_too_large, A, "grad", ".wrt", "8", "0 to 7"),
	MISTAKE(wrt_negative, A, "hessian", ".wrt", "-1"),
	MISTAKE(wrt_twice, A, "jvp", ".wrt", "1 twice"),
	MISTAKE(wrt_of_nothing, A, "value_and_grad", ".wrt"),
	MISTAKE(wrt_is_no_list, A, "grad", ".wrt", "TSR_DIMS"),
	MISTAKE(wrt_is_too_long, A, "grad", ".wrt", "TSR_DIMS"),
	MISTAKE(donate_is_no_list, A, "jit", ".donate", "TSR_DIMS"),
	MISTAKE(wrt_without_arguments, A, "grad of 'squares'", "0"),
	MISTAKE(grad_of_integers, T, "grad requires real- or complex-valued inputs", "i32",
	        ".allow_int",
	        "args[0]", "squares", "tsr_astype", ".wrt"),
	MISTAKE(grad_of_a_number, T, "i32", "args[0]"),
	MISTAKE(grad_of_truths, T, "value_and_grad requires", "bool"),
	MISTAKE(grad_of_the_second, T, "i32", "args[1]", "product"),
	MISTAKE(grad_of_an_integer_leaf, T, "i32", "args[0].bias", "layer_loss"),
	MISTAKE(jvp_of_integers, T, "jvp", "i32", "args[0]"),
	MISTAKE(holomorphic_of_reals, T, "grad with .holomorphic", "complex", "f32", "args[0]"),
	MISTAKE(holomorphic_to_reals, T, "grad with .holomorphic", "outputs", "moduli", "f32"),
	MISTAKE(holomorphic_columns, T, "jacfwd with .holomorphic", "outputs", "f32"),
	MISTAKE(holomorphic_of_integers, T, "grad with .holomorphic", "inputs", "i32"),
	MISTAKE(holomorphic_jvp, TSR_ERROR_ARGUMENT, "jvp has no .holomorphic"),
	MISTAKE(integers_forward, TSR_ERROR_ARGUMENT, "jacfwd has no .allow_int", "tsr_jacrev"),
	MISTAKE(integers_twice, TSR_ERROR_ARGUMENT, "hessian has no .allow_int"),
	MISTAKE(jacfwd_of_complex, T, "jacfwd requires real-valued inputs", "c64", "args[0]"),
	MISTAKE(jacrev_of_complex, T, "jacrev requires real-valued inputs", "c64", "args[0]"),
	MISTAKE(hessian_of_integers, T, "real-valued inputs", "i32", "args[0]"),
	MISTAKE(body_of_nothing, A, "grad", "NULL"),
	MISTAKE(fn_of_another, A, "context"),
	MISTAKE(record_without_size, A, "vmap", "env"),
	MISTAKE(loss_is_a_vector, T, "Gradient only defined for scalar-output functions", "squared",
	        "f32[6]", "tsr_sum"),
	MISTAKE(loss_of_one_element, T, "f32[1,1]", "tsr_reshape"),
	MISTAKE(loss_is_an_integer, T, "grad requires real-valued outputs", "how_many", "i32"),
	MISTAKE(loss_is_complex, T, "grad requires real-valued outputs", "turned", "c64"),
	MISTAKE(loss_is_a_tree, A, "a_tree", "one"),
	MISTAKE(loss_is_a_tree_with_others, A, "a_tree", "one"),
	MISTAKE(two_losses, A, "two", "2", ".has_aux"),
	MISTAKE(jacobian_of_counts, T, "jacfwd requires real-valued outputs", "how_many", "i32"),
	MISTAKE(jacobian_of_complex_results, T, "jacrev requires real-valued outputs", "turned",
	        "c64"),
	MISTAKE(places_for_fewer, A, "squares", "2 values", "tsr_call_into"),
	MISTAKE(jvp_without_tangent, A, "jvp of 'squares'", "tangent", "1"),
	MISTAKE(jvp_with_too_few, A, "jvp of 'product'", "argument 1", "1"),
	MISTAKE(tangent_of_other_dims, T, "jvp of 'squares'", "args[0] is f32[6]",
	        "args[1], is f32[8,16]"),
	MISTAKE(tangent_of_other_dtype, T, "jvp of 'squares'", "f32[6]", "f64[6]"),
	MISTAKE(tangent_tree_of_others, A, "jvp of 'layer_loss'", "args[0]", "2", "args[2]", "3"),
	MISTAKE(tangent_of_an_absent_leaf, T, "layer_loss", "absent", "f32[6]"),
	MISTAKE(no_derivative, U, "Differentiation rule for 'pmax' not implemented",
	        "tsr_all_gather", "in grad of slope, called at test_transform.c"),
	MISTAKE(body_fails, T, "dot", "5", "while tracing slope"),
	MISTAKE(body_of_a_batch_fails, T, "dot", "5", "while tracing rows"),
	MISTAKE(linearized_body_fails, T, "dot", "5", "while tracing"),
	MISTAKE(linearize_of_what_failed, A, ".wrt", "9"),
	MISTAKE(vjp_with_places_for_more, A, "squares", "1", "2"),
	MISTAKE(vjp_of_pmax, U, "'pmax'", "in vjp of", "called at test_transform.c"),
	MISTAKE(cotangent_of_other_dims, T, "args[1]", "f32[]", "f32[6]"),
	MISTAKE(cotangent_varies_more, T, "args[1] must be f32[], got f32[]{x}", "tsr_pcast"),
	MISTAKE(tangent_varies_more, T, "args[0] is f32[2]", "args[1], is f32[2]{x}", "tsr_pcast"),
	MISTAKE(linear_fn_out_of_its_map, TSR_ERROR_TEXT, "squares: a linear fn", "axes"),
	MISTAKE(map_in_its_own_map, S, "axis 'x'", "manual already"),
	MISTAKE(axis_without_letters, A, "vmap", "'rows*x'", ".axis"),
	MISTAKE(axis_of_no_name, A, "vmap", "''", ".axis"),
	MISTAKE(too_many_names, U, "vmap of 'squared'", "64 axes", ".axis"),
	MISTAKE(text_under_another_name, TSR_ERROR_TEXT, "summed", "per-device", "bound"),
	MISTAKE(wrt_without_end, A, "grad", ".wrt", "TSR_DIMS"),
	MISTAKE(cotangent_missing, A, "squares", "2", "1"),
	MISTAKE(residuals_missing, A, "squares", "2", "1"),
	MISTAKE(residuals_after_their_scope, TSR_ERROR_HANDLE, "args[0]"),
	MISTAKE(transpose_of_squares, U, "Transpose rule", "'square'", "linear",
	        "in linear_transpose of squares"),
	MISTAKE(transpose_of_a_product, U, "'mul'", "linear", "in linear_transpose of product"),
	MISTAKE(transpose_of_integers, T, "linear_transpose", "i32"),
	MISTAKE(nothing_mapped, A, "vmap of 'squared'", "at least one argument", ".axis_size"),
	MISTAKE(sizes_differ, T, "vmap of 'add'", "inconsistent sizes",
	        "args[0] has size 6 in its dim 0", "args[1] has size 16 in its dim 1"),
	MISTAKE(axis_size_differs, T, "vmap of 'squared'", ".axis_size", "args[0] has size 6"),
	MISTAKE(axis_size_negative, A, ".axis_size"),
	MISTAKE(dim_of_a_scalar, A, "squared", "args[0]", "dim 0", "at least 1", "only 0"),
	MISTAKE(dim_too_far, A, "args[0]", "dim 2147483647", "at least 2147483648"),
	MISTAKE(dim_too_large, A, "args[0]", "dim 2", "at least 3", "only 2"),
	MISTAKE(dim_too_negative, A, "args[0]", "dim -3", "at least 3", "only 2"),
	MISTAKE(out_dim_too_large, A, ".out[0]", "dim 2", "2 dims"),
	MISTAKE(in_of_other_number, A, "vmap of 'add'", ".in", "1", "2"),
	MISTAKE(out_of_other_number, A, "vmap of 'squared'", ".out", "2", "1"),
	MISTAKE(leaf_dims_of_a_handle, A, ".in[0]", "2 dims", "1"),
	MISTAKE(leaf_dims_of_a_result, A, ".out[0]", "2 dims", "1"),
	MISTAKE(list_without_dims, A, ".in[0]", "dims"),
	MISTAKE(mapped_result_unmapped, A, "vmap of 'squared' has a mapped result", "'rows'",
	        "TSR_UNMAPPED"),
	MISTAKE(body_sees_less, A, "squared", "args[0]", "dim 0", "only 0"),
	MISTAKE(size_of_a_leaf_differs, T, "layer_loss", "args[0].weight has size 8",
	        "args[0].bias has size 6"),
	MISTAKE(name_not_given, S, "unbound axis name", "rows", "psum",
	        "under tsr_vmap or tsr_pmap with it as .axis"),
	MISTAKE(name_of_the_inner, S, "unbound axis name", "rows", "psum"),
	MISTAKE(groups_over_both_kinds, U, "psum", "groups", "vmap"),
	MISTAKE(split_axis_in_in_specs, S, ".spmd_axis 'y'", ".in"),
	MISTAKE(split_axis_in_out_specs, S, ".spmd_axis 'y'", ".out"),
	MISTAKE(split_axis_is_named_twice, S, ".spmd_axis 'y'", "twice"),
	MISTAKE(split_axes_unknown, S, ".spmd_axis 'z'", "manual axis"),
	MISTAKE(split_axes_without_a_name, TSR_ERROR_ARGUMENT, ".spmd_axis", "y*"),
	MISTAKE(split_axis_unknown, S, ".spmd_axis 'z'", "manual axis"),
	MISTAKE(split_axis_does_not_divide, S, ".spmd_axis 'y'", "3", "2"),
	MISTAKE(split_axis_is_summed, S, "(y)", ".spmd_axis", "in vmap of",
	        "called at test_transform.c"),
	MISTAKE(split_axis_is_summed_unchecked, S, "psum", "(y)", ".spmd_axis"),
	MISTAKE(name_of_a_split_batch, S, ".spmd_axis 'y'", "collective"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_transform.c", table, sizeof table / sizeof *table),
	                 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
