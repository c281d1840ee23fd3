/* collective_rig.h - functions that the tests of the collectives' rules share: programs of one
 * equation over a table of axes, some of them a map's, and runs of them on devices.
 *
 * The oracle of a map is a mesh: the same equation over a mesh that has the map's axis as one more
 * axis of its own. A point is one device of that mesh. */
#ifndef TSR_TESTS_COLLECTIVE_RIG_H
#define TSR_TESTS_COLLECTIVE_RIG_H
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "engine/engine.h"
#include "pass/pass.h"
#include <setjmp.h>
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { POINTS = 24, MOST_AXES = 3, MOST_OPERANDS = 6, MOST_KEPT = 4096 };

/* the axes of a program: of one mesh, but for those of maps */
typedef struct grid {
	int n;
	int64_t size[MOST_AXES];
	bool map[MOST_AXES];
} grid;

typedef struct rig {
	base base;
	shards shards;
	ir ir;
	engine engine;
	device devices[POINTS];
	uint64_t dice;
	program *programs[MOST_KEPT];
	buffer *buffers[MOST_KEPT];
	int nprograms, nbuffers;
} rig;

/* what an equation is given: by its type it varies over `over`, and its values are the same along
 * the axes in `same` */
typedef struct operand {
	tsr_dtype dtype;
	int ndim;
	int64_t dims[4];
	axis_set over, same;
	bool rough; /* with NaNs and zeros of both signs */
	/* element k at a point of those coordinates; NULL: small whole numbers, of all signs */
	double (*number)(const grid *, const int64_t *at, int64_t k);
} operand;

/* a value on some devices */
typedef struct blocks {
	const type *type;
	buffer *at[POINTS];
} blocks;

static const char *const axis_letters[] = {"x", "y", "z"};

/* ---- the rig */

static inline void rig_open(rig *w)
{
	memset(w, 0, sizeof *w);
	for (int i = 0; i < POINTS; i++) w->devices[i].id = i;
	assert_true(base_init(&w->base, NULL, NULL, 0));
	assert_true(shards_init(&w->shards, &w->base, NULL, w->devices, POINTS));
	assert_true(ir_init(&w->ir, &w->base, &w->shards, all_prims, all_prims_count));
	w->engine = (engine){.type = &interp_engine,
	                     .base = &w->base,
	                     .devices = w->devices,
	                     .ndevices = POINTS};
}

static inline void rig_clear(rig *w)
{
	while (w->nprograms) program_release(w->programs[--w->nprograms]);
	while (w->nbuffers) tsr__buffer_release(w->buffers[--w->nbuffers]);
}

static inline void rig_close(rig *w)
{
	rig_clear(w);
	ir_fini(&w->ir);
	shards_fini(&w->shards);
	error_clear(&w->base);
	base_fini(&w->base);
	assert_int_equal(mem_in_use(&w->base), 0);
}

static inline void complain(rig *w, const program *p, const char *what)
{
	str text = {.base = &w->base};

	if (p) program_print(&text, p, 0);
	fail_msg("%s: %s\n%s", what, error_text(&w->base), text.s ? text.s : "");
}

/* the rig owns it. It verifies */
static inline program *rig_keep(rig *w, program *p, const char *made_by)
{
	if (!p) complain(w, NULL, made_by);
	assert_true(w->nprograms < MOST_KEPT);
	w->programs[w->nprograms++] = p;
	if (!program_verify(p, made_by)) complain(w, p, made_by);
	return p;
}

/* ---- points */

static inline int64_t grid_points(const grid *g)
{
	int64_t n = 1;

	for (int i = 0; i < g->n; i++) n *= g->size[i];
	return n;
}

static inline void grid_at(const grid *g, int64_t point, int64_t *at)
{
	for (int i = g->n - 1; i >= 0; point /= g->size[i--]) at[i] = point % g->size[i];
}

/* the number of these coordinates among the axes that are a map's, or those that are not */
static inline int64_t grid_index(const grid *g, const int64_t *at, bool map)
{
	int64_t n = 0;

	for (int i = 0; i < g->n; i++)
		if (g->map[i] == map) n = n * g->size[i] + at[i];
	return n;
}

static inline int64_t grid_part(const grid *g, bool map)
{
	int64_t n = 1;

	for (int i = 0; i < g->n; i++)
		if (g->map[i] == map) n *= g->size[i];
	return n;
}

static inline axis_set grid_axes(const grid *g, bool map)
{
	axis_set set = 0;

	for (int i = 0; i < g->n; i++)
		if (g->map[i] == map) set |= axis_bit(i);
	return set;
}

static inline grid all_mesh(const grid *g)
{
	grid all = *g;

	memset(all.map, 0, sizeof all.map);
	return all;
}

/* ---- programs */

/* the table: mesh axes of one mesh, in order */
static inline void grid_table(rig *w, const grid *g, axis *axes)
{
	tsr_axis of_mesh[MOST_AXES];
	int n = 0;

	for (int i = 0; i < g->n; i++)
		if (!g->map[i]) of_mesh[n++] = (tsr_axis){axis_letters[i], g->size[i]};
	const mesh *m = n ? mesh_make(&w->shards, NULL, of_mesh, (size_t)n, NULL,
	                              (size_t)grid_part(g, false))
	                  : NULL;
	assert_true(m || !n);
	for (int i = 0, at = 0; i < g->n; i++)
		axes[i] = g->map[i] ? (axis){axis_letters[i], g->size[i], AXIS_MAP, NULL, 0, NULL}
		                    : (axis){axis_letters[i], g->size[i], AXIS_MESH, m, at++, NULL};
}

/* program text can say all of it */
static inline void reads_back(rig *w, const program *p)
{
	str text = {.base = &w->base};

	program_print(&text, p, 0);
	program *q = program_parse(&w->ir, NULL, text.s, text.len);
	if (!q || !program_same(p, q)) complain(w, p, "parse");
	program_release(q);
	str_free(&text);
}

/* one equation over these operands. NULL: an error is recorded */
static inline program *one_eqn(rig *w, const grid *g, const tsr_prim *prim, const void *params,
                               const operand *x, int n)
{
	axis axes[MOST_AXES];
	var v[MOST_OPERANDS], y;

	grid_table(w, g, axes);
	build *b = build_begin(&w->ir, "f", axes, g->n);
	assert_non_null(b);
	for (int i = 0; i < n; i++) {
		const axis_set varying = x[i].over & grid_axes(g, false);
		v[i] = build_input(b, type_make(&w->ir, x[i].dtype, x[i].dims, x[i].ndim, varying));
		assert_int_not_equal(v[i].id, 0);
	}
	if (!build_eqn_exact(b, prim, params, v, n, &y, "test.c:1", NULL)) {
		build_abandon(b);
		return NULL;
	}
	program *p = rig_keep(w, build_end(b, &y, 1), "build");
	reads_back(w, p);
	return p;
}

/* the axes of maps made dims, the first one outermost: inputs and results have all of these dims,
 * or those results that need not, as told, do not have the one of the only map */
static inline program *batch_all(rig *w, const grid *g, program *p, const bool *mapped,
                                 bool *mapped_out)
{
	bool all[MOST_OPERANDS], out[MOST_OPERANDS];

	for (int i = 0; i < MOST_OPERANDS; i++) all[i] = true;
	for (int i = g->n - 1; i >= 0; i--)
		if (g->map[i])
			p = rig_keep(w,
			             pass_batch(p, &(batching){.size = g->size[i], .axis = i},
			                        mapped ? mapped : all, mapped_out ? NULL : all,
			                        mapped_out ? mapped_out : out),
			             "batch");
	return p;
}

/* ---- values */

static inline uint64_t rig_dice(rig *w)
{
	w->dice = w->dice * 6364136223846793005u + 1442695040888963407u;
	return w->dice >> 33;
}

static inline size_t element_size(const type *t) { return tsr_dtype_size(t->dtype); }

static inline void set_number(const type *t, void *data, int64_t k, double v)
{
	const double pair[2] = {v, 3 - v};
	const int parts = dtype_kind(t->dtype) == KIND_COMPLEX ? 2 : 1;

	dtype_convert(dtype_real(t->dtype), (char *)data + (size_t)k * element_size(t), TSR_F64,
	              pair, parts);
}

static inline double _Complex number_at(const type *t, const void *data, int64_t k)
{
	double _Complex wide;

	dtype_convert(TSR_C128, &wide, t->dtype, (const char *)data + (size_t)k * element_size(t),
	              1);
	return wide;
}

static inline double drawn(uint64_t seed, const operand *x, const int64_t *at, int naxes, int64_t k)
{
	uint64_t hash = hash_u64((uint64_t)k, seed);

	for (int i = 0; i < naxes; i++) hash = hash_u64((uint64_t)at[i], hash);
	const double number = (double)(hash % 15) - 7;
	if (x->dtype == TSR_BOOL) return (double)(hash % 2);
	if (!x->rough || dtype_kind(x->dtype) < KIND_FLOAT) return number;
	return number < -6 ? (double)NAN : number < -5 ? -0.0 : number;
}

static inline buffer *new_buffer(rig *w, const type *t)
{
	buffer *b = host_alloc(&w->engine, 0, (size_t)t->size * element_size(t), false);

	assert_non_null(b);
	assert_true(w->nbuffers < MOST_KEPT);
	return w->buffers[w->nbuffers++] = b;
}

/* input i of p on the devices of its mesh: dims that p's input has more than the operand are the
 * maps', the first map outermost */
static inline blocks fill_blocks(rig *w, const grid *g, const program *p, int i, const operand *x,
                                 uint64_t seed)
{
	blocks v = {.type = type_of(p, p->in[i])};
	const bool mapped = v.type->ndim > x->ndim;
	const int64_t each = mapped ? v.type->size / grid_part(g, true) : v.type->size;

	for (int64_t r = 0; r < grid_part(g, false); r++) v.at[r] = new_buffer(w, v.type);
	for (int64_t point = 0; point < grid_points(g); point++) {
		int64_t at[MOST_AXES];
		grid_at(g, point, at);
		const int64_t first = mapped ? grid_index(g, at, true) * each : 0;
		void *data = host_bytes(v.at[grid_index(g, at, false)]);
		for (int a = 0; a < g->n; a++)
			if (!(x->over >> a & 1) || x->same >> a & 1) at[a] = 0;
		for (int64_t k = 0; k < each; k++)
			set_number(v.type, data, first + k,
			           x->number ? x->number(g, at, k)
			                     : drawn(seed + (uint64_t)i, x, at, g->n, k));
	}
	return v;
}

static inline void run_program(rig *w, int64_t ndevices, const program *p, const blocks *in,
                               blocks *out)
{
	buffer *x[MOST_OPERANDS * POINTS], *y[MOST_OPERANDS * POINTS];
	int64_t ids[POINTS];

	for (int64_t k = 0; k < ndevices; k++) ids[k] = k;
	for (int i = 0; i < p->nin; i++) {
		assert_ptr_equal(in[i].type, type_of(p, p->in[i]));
		for (int64_t k = 0; k < ndevices; k++)
			x[i * ndevices + k] = buffer_retain(in[i].at[k]);
	}
	executable *exe = w->engine.type->compile(&w->engine, p, (device_set){ndevices, ids});
	if (!exe || !run_to_end(w->engine.type, exe, x, NULL, y)) complain(w, p, "run");
	w->engine.type->release(exe);
	for (int j = 0; j < p->nout; j++) {
		out[j].type = type_of(p, p->out[j]);
		for (int64_t k = 0; k < ndevices; k++) {
			assert_true(w->nbuffers < MOST_KEPT);
			w->buffers[w->nbuffers++] = out[j].at[k] = y[j * ndevices + k];
		}
	}
}

#endif
