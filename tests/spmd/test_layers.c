/* test_layers.c - the loss of each row of layer_rows.h, and its gradient, is the same with each dim
 * of each operand cut over a mesh, and with all of them cut. Inside maps: means over devices, and
 * the parts of a mask. With TSR_PART=1/5 a fifth of the placements. */
#include "support/layer_rows.h"
#include "support/part.h"
#define P TSR_P

typedef struct world {
	tsr_ctx *c;
	tsr_mesh *mesh; /* x:2, y:2 */
} world;

static int set_up(void **state)
{
	static world w;

	w.c = tsr_open(.devices = 4, .log = log_nothing);
	w.mesh = tsr_mesh_make(w.c, {"x", 2}, {"y", 2});
	*state = &w;
	return 0;
}

static int tear_down(void **state)
{
	const world *w = *state;

	return tsr_close(w->c);
}

/* ---- cut by the library */

/* x with a dim cut over an axis */
static tsr *cut(const world *w, tsr *x, int dim, const char *axis)
{
	tsr_spec spec = {.n1 = 1 + tsr_ndim(x)};

	spec.d[1 + dim] = axis;
	return tsr_put(x, w->mesh, spec);
}

/* the loss and its gradients, with operands that are placed, are what they are without */
static void check_placed(const world *w, const layer_row *r, tsr *const *a, tsr *const *placed,
                         const char *what)
{
	tsr *want[1 + MOST_OPERANDS], *got[1 + MOST_OPERANDS];
	if (is_left_out()) return;
	tsr_fn *g = gradient_of(w->c, r);
	const int n = gradients_at(g, r, a, want);

	gradients_at(g, r, placed, got);
	for (int j = 0; j < n; j++) near_enough(r->name, what, got[j], want[j], 1e-12);
}

static void check_row(const world *w, const layer_row *r)
{
	tsr *a[MOST_OPERANDS] = {NULL}, *placed[MOST_OPERANDS], *all[MOST_OPERANDS];
	char what[64];

	operands_make(w->c, r, 0, a);
	memcpy(all, a, sizeof all);
	for (int k = 0; k < operands_of(r); k++) {
		const int ndim = r->of[k].kind == KEY ? 0 : tsr_ndim(a[k]);
		for (int d = 0; d < ndim; d++) {
			TSR_SCOPE(w->c);
			memcpy(placed, a, sizeof placed);
			placed[k] = cut(w, a[k], d, "x*y");
			snprintf(what, sizeof what, "operand %d cut along dim %d", k, d);
			check_placed(w, r, a, placed, what);
		}
		if (ndim) all[k] = cut(w, a[k], k % 2 ? ndim - 1 : 0, k % 2 ? "y" : "x");
	}
	check_placed(w, r, a, all, "all operands cut");
}

static void placed_anywhere(void **state)
{
	const world *w = *state;

	for (int i = 0; i < LAYERS; i++) {
		TSR_SCOPE(w->c);
		check_row(w, &layer_rows[i]);
	}
}

/* ---- in maps */

static tsr *waves(const world *w, tsr_dims dims)
{
	return operand(w->c, &(layer_operand){FLOATS, 0, dims}, 1, 0);
}

/* y and the new averages of f32[8,3] cut into rows */
static void batch_body(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *mean, *var;
	tsr *zero = tsr_zeros(tsr_frame_ctx(f), D(3)), *one = tsr_ones(tsr_frame_ctx(f), D(3));
	const char *const *axis = tsr_frame_env(f);
	tsr *y = tsr_batch_norm(x, NULL, NULL, zero, one, .new_mean = &mean, .new_var = &var,
	                        .axis = *axis);

	tsr_return(f, y, mean, var);
}

static void batches_over_devices(void **state)
{
	const world *w = *state;
	const char *none = NULL, *both = "x*y", *line = "i";
	tsr *x = waves(w, D(8, 3)), *want[3], *got[3];

	tsr_call_into(TSR_OUT(&want[0], &want[1], &want[2]),
	              tsr_jit(w->c, batch_body, TSR_ENV(&none)), x);
	tsr_call_into(TSR_OUT(&got[0], &got[1], &got[2]),
	              tsr_shard_map(w->mesh, batch_body, TSR_ENV(&both), .in = TSR_SPECS(P("x*y")),
	                            .out = TSR_SPECS(P("x*y"), P(), P())), x);
	for (int j = 0; j < 3; j++) /* averages are f32 */
		near_enough("batch_norm", "in a map", got[j], want[j], j ? 1e-6 : 1e-12);
	tsr_call_into(TSR_OUT(&got[0], &got[1], &got[2]),
	              tsr_pmap(w->c, batch_body, TSR_ENV(&line), .axis = "i"),
	              tsr_reshape(x, D(4, 2, 3)));
	near_enough("batch_norm", "in a pmap", tsr_reshape(got[0], D(8, 3)), want[0], 1e-12);
	for (int k = 0; k < 4; k++)
		for (int j = 1; j < 3; j++)
			near_enough("batch_norm", "its averages in a pmap",
			            tsr_index(got[j], 0, k), want[j], 1e-6);
}

/* the gradient by x of a loss of y, and of y over devices */
static tsr *trained(tsr *x, const char *axis)
{
	tsr *mean = tsr_zeros(x, D(3)), *var = tsr_ones(x, D(3));

	return tsr_batch_norm(x, NULL, NULL, mean, var, .axis = axis);
}
static tsr *trained_here(tsr *x) { return trained(x, NULL); }
static tsr *trained_in_parts(tsr *x) { return trained(x, "x*y"); }
static tsr *loss_of(tsr *y)
{
	return tsr_sum(tsr_mul(y, tsr_cos(tsr_reshape(tsr_arange(y, 24), D(8, 3)))));
}
static tsr *loss_here(tsr *x) { return loss_of(trained_here(x)); }
static tsr *loss_in_parts(tsr *x)
{
	return loss_of(tsr_call(tsr_shard_map(NULL, trained_in_parts, .sig = "[x*y] -> [x*y]"), x));
}

static void gradients_over_devices(void **state)
{
	const world *w = *state;
	tsr *x = waves(w, D(8, 3));
	TSR_MESH(w->mesh);

	near_enough("batch_norm", "gradient in a map", tsr_call(tsr_grad(w->c, loss_in_parts), x),
	            tsr_call(tsr_grad(w->c, loss_here), x), 1e-12);
}

/* features are cut: means are over devices */
static tsr *norm_of_features(tsr *x) { return tsr_layer_norm(x, NULL, NULL, .axis = "y"); }
static tsr *rms_of_features(tsr *x) { return tsr_rms_norm(x, NULL, .axis = "y"); }

static void rows_over_devices(void **state)
{
	const world *w = *state;
	tsr *x = waves(w, D(4, 6));

	near_enough("layer_norm", "in a map",
	            tsr_call(tsr_shard_map(w->mesh, norm_of_features, .sig = "[x,y] -> [x,y]"), x),
	            tsr_layer_norm(x, NULL, NULL), 1e-12);
	near_enough("rms_norm", "in a map",
	            tsr_call(tsr_shard_map(w->mesh, rms_of_features, .sig = "[x,y] -> [x,y]"), x),
	            tsr_rms_norm(x, NULL), 1e-12);
}

/* each device drops what the whole would have dropped there; and along dim 1 the same everywhere */
static tsr *start_of(tsr *x)
{
	tsr *at[] = {tsr_mul(tsr_axis_index(tsr_ctx_of(x), "x"), tsr_dim(x, 0)),
	             tsr_mul(tsr_axis_index(tsr_ctx_of(x), "y"), tsr_dim(x, 1))};

	return tsr_stack(0, at[0], at[1]);
}
static tsr *part(tsr *key, tsr *x)
{
	return tsr_dropout(key, x, 0.5, .whole = D(8, 6), .start = start_of(x));
}
static tsr *part_of_rows(tsr *key, tsr *x)
{
	return tsr_dropout(key, x, 0.5, .broadcast_dims = D(1), .whole = D(8, 6),
	                   .start = start_of(x));
}

static void dropped_in_parts(void **state)
{
	const world *w = *state;
	tsr *key = tsr_key(w->c, 3), *x = waves(w, D(8, 6));
	const char *sig = "[] [x,y] -> [x,y]";

	near_enough("dropout", "in a map",
	            tsr_call(tsr_shard_map(w->mesh, part, .sig = sig), key, x),
	            tsr_dropout(key, x, 0.5), 0);
	near_enough("dropout", "of rows, in a map",
	            tsr_call(tsr_shard_map(w->mesh, part_of_rows, .sig = sig), key, x),
	            tsr_dropout(key, x, 0.5, .broadcast_dims = D(1)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placed_anywhere),
		cmocka_unit_test(batches_over_devices),
		cmocka_unit_test(gradients_over_devices),
		cmocka_unit_test(rows_over_devices),
		cmocka_unit_test(dropped_in_parts),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
