/* test_collective_rules.c - the rules of the collectives: tangents, transposes, batches.
 *
 * A trial is one equation over some axes of a grid, in any order of them. Batches are compared with
 * the same equation over one more mesh axis instead of the map's, byte for byte. Transposes by
 * <J v, u> = <v, J' u>: the sum over all devices and elements of the batch, in which what does not
 * vary over a mesh axis is one value. All numbers are whole and small, so that sums are exact. */
#include "transform/collective_trials.h"

static bool names_map(const trial *t)
{
	const ints *axes = &on_of(t)->axes;

	for (int i = 0; i < axes->n; i++)
		if (t->g.map[axes->v[i]]) return true;
	return false;
}

static bool refused(const trial *t)
{
	return t->prim != &tsr__prim_pcast && names_map(t) &&
	       (t->prim == &tsr__prim_ragged_all_to_all ||
	        (on_of(t)->groups.n && on_of(t)->axes.n > 1));
}

static const char *about(const trial *t)
{
	static char text[256];
	int n = snprintf(text, sizeof text, "%s over", t->prim->name);
	const ints *axes = &on_of(t)->axes;

	for (int i = 0; i < axes->n; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, " %s:%d%s",
		              axis_letters[axes->v[i]], (int)t->g.size[axes->v[i]],
		              t->g.map[axes->v[i]] ? "(map)" : "");
	return text;
}

static bool tried[512]; /* of all_prims */

static program *program_of(rig *w, const trial *t)
{
	program *p = one_eqn(w, &t->g, t->prim, t->params, t->x, t->nx);

	if (!p) complain(w, NULL, about(t));
	for (int k = 0; k < all_prims_count; k++) tried[k] |= all_prims[k] == t->prim;
	return p;
}

/* ---- batches */

/* is point `point` of the oracle what the batched program gives there? */
static void same_at(rig *w, const trial *t, const program *p, const blocks *got, bool mapped,
                    const blocks *want, int64_t point)
{
	int64_t at[MOST_AXES];

	grid_at(&t->g, point, at);
	const size_t bytes = (size_t)want->type->size * element_size(want->type);
	const char *data = host_bytes(got->at[grid_index(&t->g, at, false)]);
	const size_t first = mapped ? (size_t)grid_index(&t->g, at, true) * bytes : 0;
	if (got->type->size != want->type->size * (mapped ? grid_part(&t->g, true) : 1))
		complain(w, p, about(t));
	if (memcmp(data + first, host_bytes(want->at[point]), bytes) != 0) complain(w, p, about(t));
}

/* the same over meshes alone. A cast goes over the mesh axes that it names, or is a copy: over the
 * axis of a map it does nothing */
static trial over_meshes(const trial *t, const bool *mapped, pcast_params *cast)
{
	const axis_set maps = grid_axes(&t->g, true);
	static int64_t axes[MOST_AXES];
	trial all = *t;

	all.g = all_mesh(&t->g);
	for (int i = 0; i < t->nx; i++) {
		all.x[i].over |= maps;
		if (!mapped[i]) all.x[i].same |= maps;
	}
	if (t->prim != &tsr__prim_pcast) return all;
	*cast = (pcast_params){{0, axes}};
	for (int i = 0; i < on_of(t)->axes.n; i++)
		if (!t->g.map[on_of(t)->axes.v[i]]) axes[cast->axes.n++] = on_of(t)->axes.v[i];
	all.params = cast;
	if (!cast->axes.n) all.prim = &tsr__prim_copy;
	return all;
}

/* several maps at once: all operands and results have all their dims */
static void batch_check(rig *w, const trial *t, const bool *mapped, bool all)
{
	blocks in[MOST_OPERANDS], want, got;
	bool mapped_out[MOST_OPERANDS] = {true};
	pcast_params cast;

	const trial on_mesh = over_meshes(t, mapped, &cast);
	const program *oracle = program_of(w, &on_mesh);
	for (int i = 0; i < t->nx; i++)
		in[i] = fill_blocks(w, &on_mesh.g, oracle, i, &on_mesh.x[i], w->dice);
	run_program(w, grid_points(&t->g), oracle, in, &want);

	const program *p =
		batch_all(w, &t->g, program_of(w, t), all ? NULL : mapped, all ? NULL : mapped_out);
	for (int i = 0; i < t->nx; i++) in[i] = fill_blocks(w, &t->g, p, i, &on_mesh.x[i], w->dice);
	run_program(w, grid_part(&t->g, false), p, in, &got);
	for (int64_t point = 0; point < grid_points(&t->g); point++)
		same_at(w, t, p, &got, mapped_out[0], &want, point);
}

static void refusal_check(rig *w, const trial *t)
{
	bool all[MOST_OPERANDS] = {true, true, true, true, true, true}, out;
	int entry = 0;

	program *p = program_of(w, t);
	while (!t->g.map[entry] || !has_axis(eqn_names(&p->eqns[0]), entry)) entry++;
	assert_null(pass_batch(p, &(batching){.size = t->g.size[entry], .axis = entry}, all, NULL,
	                       &out));
	assert_int_equal(error_code(&w->base), TSR_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error_text(&w->base), t->prim->name));
	assert_non_null(strstr(error_text(&w->base), "the axis name of a vmap"));
	error_clear(&w->base);
}

static void batch_visit(rig *w, const trial *t)
{
	bool mapped[MOST_OPERANDS] = {true, true, true, true, true, true};
	const unsigned sets = t->nx ? 1u << t->nx : 1;
	int nmaps = 0;

	for (int i = 0; i < t->g.n; i++) nmaps += t->g.map[i];
	if (refused(t)) {
		refusal_check(w, t);
	} else if (nmaps > 1) {
		batch_check(w, t, mapped, true);
	} else {
		for (unsigned set = 0; set<sets; set += t->nx> 1 ? 5 : 1) {
			for (int i = 0; i < t->nx; i++) mapped[i] = !(set >> i & 1);
			batch_check(w, t, mapped, false);
		}
	}
	rig_clear(w);
}

/* ---- tangents */

static double zero(const grid *g, const int64_t *at, int64_t k)
{
	(void)g, (void)at, (void)k;
	return 0;
}

/* the equation is linear in what moves: its tangent is itself on the tangents */
static void jvp_check(rig *w, const trial *t, unsigned moving)
{
	const int64_t n = grid_points(&t->g);
	bool moves[MOST_OPERANDS], moves_out[1];
	blocks in[2 * MOST_OPERANDS], tangents[MOST_OPERANDS], y[2], want[2];
	int nin = t->nx;

	program *p = program_of(w, t);
	for (int i = 0; i < t->nx; i++) {
		const bool inexact = has_tangent(t->x[i].dtype);
		operand direction = t->x[i];
		moves[i] = inexact && moving >> i & 1;
		in[i] = fill_blocks(w, &t->g, p, i, &t->x[i], w->dice);
		if (inexact && !moves[i]) direction.number = zero;
		tangents[i] = inexact ? fill_blocks(w, &t->g, p, i, &direction, ~w->dice) : in[i];
		if (moves[i]) in[nin++] = tangents[i];
	}
	program *j = rig_keep(w, pass_jvp(p, moves, NULL, moves_out), "jvp");
	run_program(w, n, p, in, &want[0]);
	run_program(w, n, p, tangents, &want[1]);
	run_program(w, n, j, in, y);
	assert_true(moves_out[0]);
	for (int64_t point = 0; point < n; point++)
		for (int i = 0; i < 2; i++) {
			assert_ptr_equal(y[i].type, want[i].type);
			same_at(w, t, j, &y[i], false, &want[i], point);
		}
}

static unsigned inexact_operands(const trial *t)
{
	unsigned set = 0;

	for (int i = 0; i < t->nx; i++)
		if (has_tangent(t->x[i].dtype)) set |= 1u << i;
	return set;
}

static bool has_slope(const trial *t)
{
	return t->prim != &tsr__prim_pmax && t->prim != &tsr__prim_pmin && inexact_operands(t);
}

static void jvp_visit(rig *w, const trial *t)
{
	const unsigned inexact = inexact_operands(t);

	if (has_slope(t))
		for (unsigned set = 1; set <= inexact; set++) jvp_check(w, t, set);
	rig_clear(w);
}

/* ---- transposes */

/* the sum of products; once: devices that hold the same value, counted as one */
static double _Complex product(const grid *g, const blocks *a, const blocks *b, int64_t copies)
{
	double _Complex sum = 0;

	for (int64_t r = 0; r < grid_part(g, false); r++)
		for (int64_t k = 0; k < a->type->size; k++)
			sum += number_at(a->type, host_bytes(a->at[r]), k) *
			       number_at(b->type, host_bytes(b->at[r]), k);
	return sum / (double)copies;
}

/* devices that hold the same value of a type of the unbatched program */
static int64_t copies_of(const grid *g, const type *t)
{
	int64_t n = 1;

	for (int i = 0; i < g->n; i++)
		if (!g->map[i] && !(t->varying >> i & 1)) n *= g->size[i];
	return n;
}

/* a value of this type of the unbatched program, mapped over all maps */
static operand operand_of(const grid *g, const type *t)
{
	operand x = {.dtype = t->dtype, .ndim = t->ndim};

	x.over = t->varying | grid_axes(g, true);
	memcpy(x.dims, t->dims, (size_t)t->ndim * sizeof *x.dims);
	return x;
}

static void transpose_check(rig *w, const trial *t, unsigned moving)
{
	const grid *g = &t->g;
	bool linear[MOST_OPERANDS];
	blocks v[MOST_OPERANDS], u[MOST_OPERANDS], jv, back[MOST_OPERANDS];
	double _Complex there, here = 0;
	int n = 0, k = 0;

	program *p = program_of(w, t);
	for (int i = 0; i < t->nx; i++) linear[i] = moving >> i & 1;
	program *q = rig_keep(w, pass_transpose(p, linear, (bool[]){true}, NULL), "transpose");
	program *bp = batch_all(w, g, p, NULL, NULL), *bq = batch_all(w, g, q, NULL, NULL);
	for (int i = 0; i < t->nx; i++) {
		operand x = t->x[i];
		x.over |= grid_axes(g, true);
		x.rough = false;
		if (!linear[i] && has_tangent(x.dtype)) x.number = zero;
		v[i] = fill_blocks(w, g, bp, i, &x, w->dice);
		if (!linear[i]) u[n++] = v[i];
	}
	const type *result = type_of(p, p->out[0]);
	const operand ct = operand_of(g, result);
	u[n] = fill_blocks(w, g, bq, n, &ct, ~w->dice);
	run_program(w, grid_part(g, false), bp, v, &jv);
	run_program(w, grid_part(g, false), bq, u, back);
	there = product(g, &jv, &u[n], copies_of(g, result));
	for (int i = 0; i < t->nx; i++) {
		if (!linear[i]) continue;
		assert_ptr_equal(type_of(q, q->out[k]), type_of(p, p->in[i]));
		here += product(g, &v[i], &back[k++], copies_of(g, type_of(p, p->in[i])));
	}
	/* only assume_equal divides */
	const double most = t->prim == &tsr__prim_assume_equal ? 1e-5 * (1 + cabs(there)) : 0;
	if (!(cabs(there - here) <= most)) {
		fprintf(stderr, "<J v, u> = %g %+gi, <v, J' u> = %g %+gi\n", creal(there),
		        cimag(there), creal(here), cimag(here));
		complain(w, q, about(t));
	}
}

static void transpose_visit(rig *w, const trial *t)
{
	const unsigned inexact = inexact_operands(t);

	if (has_slope(t) && !refused(t) && !t->wild)
		for (unsigned set = 1; set <= inexact; set++) transpose_check(w, t, set);
	rig_clear(w);
}

/* ---- each allocation of a pass in turn fails: an error, and nothing else */

typedef program *pass(const program *, const trial *);

static program *jvp_pass(const program *p, const trial *t)
{
	bool moves[MOST_OPERANDS], out;

	for (int i = 0; i < t->nx; i++) moves[i] = inexact_operands(t) >> i & 1;
	return pass_jvp(p, moves, NULL, &out);
}

static program *transpose_pass(const program *p, const trial *t)
{
	bool linear[MOST_OPERANDS];

	for (int i = 0; i < t->nx; i++) linear[i] = inexact_operands(t) >> i & 1;
	return pass_transpose(p, linear, (bool[]){true}, NULL);
}

static program *batch_pass(const program *p, const trial *t)
{
	bool all[MOST_OPERANDS] = {true, true, true, true, true, true}, out;
	int entry = 0;

	while (!t->g.map[entry]) entry++;
	return pass_batch(p, &(batching){.size = t->g.size[entry], .axis = entry}, all, NULL, &out);
}

static void fail_each(rig *w, const program *p, const trial *t, pass *make)
{
	program *made = NULL;

	for (int64_t n = 1; !made; n++) {
		assert_true(n < 10000);
		w->base.mem.fail_at = n;
		made = make(p, t);
		w->base.mem.fail_at = -1;
		assert_int_equal(!made, failed(&w->base));
		error_clear(&w->base);
	}
	program_release(made);
}

static void fault_visit(rig *w, const trial *t)
{
	const program *p = program_of(w, t);

	if (has_slope(t)) fail_each(w, p, t, jvp_pass);
	if (has_slope(t)) fail_each(w, p, t, transpose_pass);
	if (!refused(t)) fail_each(w, p, t, batch_pass);
	rig_clear(w);
}

#define M true
static const grid meshes[] = {
	{1, {1}, {0}},    {1, {2}, {0}},    {1, {4}, {0}},
	{2, {2, 2}, {0}}, {2, {3, 2}, {0}}, {3, {2, 2, 2}, {0}},
};
static const grid maps[] = {
	{1, {1}, {M}},
	{1, {4}, {M}},
	{2, {2, 3}, {0, M}},
	{2, {3, 2}, {M, 0}},
	{3, {2, 2, 3}, {0, M}},
	{3, {2, 2, 2}, {M, 0, 0}},
	{3, {2, 2, 2}, {0, 0, M}},
};
static const grid two_maps[] = {{2, {2, 3}, {M, M}}, {3, {2, 2, 3}, {M, 0, M}}};

static void tangents(void **state)
{
	(void)state;
	each_grid(meshes, ARRAY_LEN(meshes), jvp_visit);
}

static void transposes_over_meshes(void **state)
{
	(void)state;
	each_grid(meshes, ARRAY_LEN(meshes), transpose_visit);
}

static void transposes_over_maps(void **state)
{
	(void)state;
	each_grid(maps, ARRAY_LEN(maps), transpose_visit);
	each_grid(two_maps, ARRAY_LEN(two_maps), transpose_visit);
}

static void batches(void **state)
{
	(void)state;
	each_grid(maps, ARRAY_LEN(maps), batch_visit);
}

static void batches_of_batches(void **state)
{
	(void)state;
	each_grid(two_maps, ARRAY_LEN(two_maps), batch_visit);
}

static void allocations_may_fail(void **state)
{
	static const grid mixed[] = {{2, {2, 3}, {0, M}}, {2, {4, 2}, {M, 0}}};

	(void)state;
	each_grid(mixed, ARRAY_LEN(mixed), fault_visit);
}

/* ---- what has no rule */

static void extremes_have_no_slope(void **state)
{
	static const char *const names[] = {"pmax", "pmin"};
	static rig w;
	const grid g = {1, {2}, {0}};
	const operand x = {.dtype = TSR_F32, .over = 1};
	const preduce_params p = {.on = {.axes = {1, (int64_t[]){0}}}, .to = COLL_TO_INVARYING};
	bool out;

	(void)state;
	rig_open(&w);
	for (int i = 0; i < 2; i++) {
		char text[64];
		const tsr_prim *prim = prim_named(&w.ir, names[i], 4);
		const program *f = one_eqn(&w, &g, prim, &p, &x, 1);
		assert_null(pass_jvp(f, (bool[]){true}, NULL, &out));
		assert_int_equal(error_code(&w.base), TSR_ERROR_UNSUPPORTED);
		snprintf(text, sizeof text,
		         "Differentiation rule for '%s' not implemented: ", names[i]);
		assert_non_null(strstr(error_text(&w.base), text));
		assert_non_null(strstr(error_text(&w.base), "tsr_all_gather"));
		error_clear(&w.base);
		assert_null(pass_transpose(f, (bool[]){true}, (bool[]){true}, NULL));
		assert_non_null(strstr(error_text(&w.base), names[i]));
		error_clear(&w.base);
	}
	rig_close(&w);
}

/* After the other tests. Those of exchange, whose parameters have to fit each other, are tried by
 * spmd/test_exchange_layouts.c, and those with effects by test_effects.c */
static void every_row_was_tried(void **state)
{
	(void)state;
	for (int k = 0; k < all_prims_count; k++) {
		const tsr_prim *p = all_prims[k];
		const bool has = p->jvp || p->transpose || p->batch;
		const bool apart = p == &tsr__prim_exchange || p->effects;
		if (params_field(p, "", FIELD_AXES) && has && !tried[k] && !apart)
			fail_msg("the rules of %s are in no trial", p->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tangents),
		cmocka_unit_test(transposes_over_meshes),
		cmocka_unit_test(transposes_over_maps),
		cmocka_unit_test(batches),
		cmocka_unit_test(batches_of_batches),
		cmocka_unit_test(allocations_may_fail),
		cmocka_unit_test(extremes_have_no_slope),
		cmocka_unit_test(every_row_was_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
