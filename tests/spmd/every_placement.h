/* every_placement.h - a program under all placements of its operands over a mesh, against the same
 * on one device. On x:2 and y:2 an operand of one dim can lie in five ways:
 *
 *     [-]   [x]   [y]   [x*y]   [y*x]
 *
 * As axes of one size are alike, the first operand takes [x] for [y] too, and [x*y] for [y*x]. A
 * fourth operand with dims lies as the first does: there would be millions of placements. */
#ifndef TSR_TESTS_SPMD_EVERY_PLACEMENT_H
#define TSR_TESTS_SPMD_EVERY_PLACEMENT_H
#include "spmd/placed_rig.h"

enum { FEW_MESHES = 8 }; /* of `meshes`: those with three axes are left out but for 2x2x2 */

typedef struct placing { /* of an operand: the axes of each dim, major first */
	int n[NDIM], axis[NDIM][3];
} placing;

typedef struct every {
	tsr_ctx *ctx;
	const written *w;
	const struct mesh_case *m;
	tsr_mesh *mesh;
	tsr_fn *f;
	int nout;
	tsr *x[INPUTS], *placed[INPUTS], *want[VALUES];
	placing first; /* of the first operand */
	long tried;
} every;

static inline void place_operand(every *t, int operand);

static inline tsr_spec spec_of(const placing *l, int ndim, char entry[NDIM][16])
{
	tsr_spec spec = {.n1 = 1 + ndim};

	for (int d = 0; d < ndim; d++) {
		*entry[d] = 0;
		for (int i = 0; i < l->n[d]; i++)
			snprintf(entry[d] + strlen(entry[d]), 4, "%s%c", i ? "*" : "",
			         "xyz"[l->axis[d][i]]);
		spec.d[1 + d] = *entry[d] ? entry[d] : NULL;
	}
	return spec;
}

static inline void place_as(every *t, int operand, const placing *l)
{
	TSR_SCOPE(t->ctx);
	char entry[NDIM][16];

	if (operand == 0) t->first = *l;
	t->placed[operand] =
		tsr_put(t->x[operand], t->mesh, spec_of(l, t->w->value[operand].ndim, entry));
	place_operand(t, operand + 1);
}

/* The axis cuts nothing, or a dim, behind any of those that cut it already. In the first operand
 * axes of one size come in order. before: the dim of the axis before this one */
static inline void place_axis(every *t, int operand, int axis, int before, placing *l)
{
	const int ndim = t->w->value[operand].ndim;
	const bool ordered = operand == 0 && axis && t->m->size[axis] == t->m->size[axis - 1];

	if (axis == t->m->naxes) {
		place_as(t, operand, l);
		return;
	}
	for (int d = ordered ? before : 0; d < ndim; d++)
		for (int at = ordered && d == before ? l->n[d] : 0; at <= l->n[d]; at++) {
			placing with = *l;
			for (int i = with.n[d]++; i > at; i--)
				with.axis[d][i] = with.axis[d][i - 1];
			with.axis[d][at] = axis;
			place_axis(t, operand, axis + 1, d, &with);
		}
	place_axis(t, operand, axis + 1, ndim, l);
}

static inline void call_case(every *t, tsr *const *x, tsr **results)
{
	tsr_arg args[INPUTS];
	tsr_out to[VALUES];

	for (int i = 0; i < t->w->ninputs; i++) args[i] = TSR_ARG(x[i]);
	for (int j = 0; j < t->nout; j++)
		to[j] = (tsr_out){.to = {.leaf = &results[j], .count = 1}};
	tsr_call_into_at(TSR_HERE, to, (size_t)t->nout, t->f, args, (size_t)t->w->ninputs);
}

static inline void try_placed(every *t)
{
	TSR_SCOPE(t->ctx);
	tsr *got[VALUES] = {0};

	call_case(t, t->placed, got);
	t->tried++;
	for (int j = 0; j < t->nout; j++) {
		if (!tsr_status(t->ctx) && same_values(t->w, t->want[j], got[j])) continue;
		print_error("mesh %s, %s\n", tsr_mesh_text(t->mesh), tsr_message(t->ctx));
		for (int i = 0; i < t->w->ninputs; i++)
			print_error("%%%d: %s\n", i,
			            tsr_sharding_text(tsr_sharding_of(t->placed[i])));
		fail_msg("result %d of\n%s", j, t->w->text);
	}
}

/* the weights of a loss stay where they are */
static inline void place_operand(every *t, int operand)
{
	if (operand == t->w->ninputs - t->w->derived)
		try_placed(t);
	else if (operand >= 3 && t->w->value[operand].ndim == t->w->value[0].ndim)
		place_as(t, operand, &t->first);
	else
		place_axis(t, operand, 0, 0, &(placing){{0}, {{0}}});
}

/* gives how many placements there are */
static inline long try_every_placement(const char *engine, const written *w, int nout,
                                       const struct mesh_case *m)
{
	every t = {tsr_open(.devices = 8, .log = log_nothing, .reproducible = asked_for(),
	                    .engine = engine),
	           w, m, .nout = nout};

	t.mesh = make_mesh(t.ctx, m);
	t.f = fn_of(t.ctx, w, &t.nout);
	for (int i = 0; i < w->ninputs; i++)
		t.x[i] = t.placed[i] = input(t.ctx, &w->value[i], i, w->more);
	call_case(&t, t.x, t.want);
	if (tsr_status(t.ctx)) fail_msg("%s in\n%s", tsr_message(t.ctx), w->text);
	place_operand(&t, 0);
	assert_int_equal(tsr_close(t.ctx), 0);
	return t.tried;
}

#endif
