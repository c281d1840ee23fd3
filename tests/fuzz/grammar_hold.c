/* grammar_hold.c - equations that hold programs: operands of each kind of program, the program, and
 * its results. Loops end: a scan is short, and a while counts. Rules of custom rows are any
 * programs of their types, since nothing is differentiated. */
#include "grammar.h"

static const type *at(const drawing *d, var v) { return build_type(d->b, v); }

/* n values and their types */
static void operands(drawing *d, var *x, const type **in, int n)
{
	for (int i = 0; i < n; i++) {
		x[i] = draw_any(d);
		in[i] = at(d, x[i]);
	}
}

static const program *draw_here(drawing *d, const type *const *in, int nin,
                                const type *const *first, int nfirst, int more, int counted)
{
	return draw_inner(d, d->axes, d->naxes, in, nin, first, nfirst, more, counted);
}

static void draw_call(drawing *d)
{
	const int n = 1 + pick(d->bytes, 3);
	const type *in[MOST_HELD];
	var x[MOST_HELD];

	operands(d, x, in, n);
	const call_params p = {draw_here(d, in, n, NULL, 0, 1 + pick(d->bytes, 2), -1)};
	if (p.program) draw_append(d, &tsr__prim_call, &p, x, n);
}

static void draw_remat(drawing *d)
{
	const int n = 1 + pick(d->bytes, 3);
	const type *in[MOST_HELD];
	var x[MOST_HELD];

	operands(d, x, in, n);
	const remat_params p = {.policy = pick(d->bytes, 3),
	                        .names = "",
	                        .program = draw_here(d, in, n, NULL, 0, 1 + pick(d->bytes, 2), -1)};
	if (p.program) draw_append(d, &tsr__prim_remat, &p, x, n);
}

/* those of n types that have tangents: their numbers, and their types behind to[at] */
static int with_tangents(const type *const *t, int n, int64_t *number, const type **to, int at)
{
	int count = 0;

	for (int i = 0; i < n; i++) {
		if (!has_tangent(t[i]->dtype)) continue;
		if (number) number[count] = i;
		to[at + count++] = t[i];
	}
	return count;
}

static void draw_custom(drawing *d, const tsr_prim *row)
{
	const int n = 1 + pick(d->bytes, 3), nout = 1 + pick(d->bytes, 2), nres = pick(d->bytes, 3);
	const type *in[2 * MOST_HELD], *out[2 * MOST_HELD], *back[2 * MOST_HELD], *dx[MOST_HELD];
	int64_t wrt[MOST_HELD];
	var x[MOST_HELD];

	operands(d, x, in, n);
	const program *p = draw_here(d, in, n, NULL, 0, nout, -1);
	for (int i = 0; p && i < nout; i++) out[i] = type_of(p, p->out[i]);
	if (!p) return;
	const ints of = {with_tangents(in, n, wrt, dx, 0), wrt};
	if (row == &tsr__prim_custom_jvp) {
		for (int i = 0; i < of.n; i++) in[n + i] = dx[i];
		const int dy = with_tangents(out, nout, NULL, out, nout);
		const custom_jvp_params q = {
			of, p, draw_here(d, in, n + of.n, out, nout + dy, 0, -1)};
		if (q.rule) draw_append(d, row, &q, x, n);
		return;
	}
	const program *forward = draw_here(d, in, n, out, nout, nres, -1);
	for (int i = 0; forward && i < nres; i++)
		back[i] = type_of(forward, forward->out[nout + i]);
	const int ct = forward ? with_tangents(out, nout, NULL, back, nres) : 0;
	const custom_vjp_params q = {
		of, p, forward, forward ? draw_here(d, back, nres + ct, dx, of.n, 0, -1) : NULL};
	if (q.backward) draw_append(d, row, &q, x, n);
}

static void draw_cond(drawing *d)
{
	const int n = 1 + pick(d->bytes, 3), nout = 1 + pick(d->bytes, 2);
	const bool two = pick(d->bytes, 2);
	const type *in[1 + MOST_HELD], *out[MOST_HELD];
	const program *branch[3];
	var x[1 + MOST_HELD];

	operands(d, x + 1, in + 1, n);
	x[0] = draw_of_type(d, type_make(d->ir, two ? TSR_BOOL : TSR_I32, NULL, 0, 0));
	branch[0] = draw_here(d, in + 1, n, NULL, 0, nout, -1);
	for (int i = 0; branch[0] && i < nout; i++) out[i] = type_of(branch[0], branch[0]->out[i]);
	for (int k = 1; branch[k - 1] && k < (two ? 2 : 3); k++)
		branch[k] = draw_here(d, in + 1, n, out, nout, 0, -1);
	const cond_params p = {{two ? 2 : 3, branch}};
	for (int k = 0; k < p.branches.n; k++)
		if (!branch[k]) return;
	if (x[0].id) draw_append(d, &tsr__prim_cond, &p, x, 1 + n);
}

/* is the first of its inputs below a number? */
static const program *counts_to(drawing *d, const type *const *in, int nin, int32_t most)
{
	build *b = build_begin(d->ir, "cond", d->axes, d->naxes);
	var x[MOST_HELD], y = {0};

	if (!b) return NULL;
	for (int i = 0; i < nin; i++) x[i] = build_input(b, in[i]);
	if (build_eqn(b, &tsr__prim_lt, NULL, (var[]){x[0], build_literal(b, TSR_I32, &most)}, 2,
	              &y, NULL))
		return build_keep(d->b, build_end(b, &y, 1));
	build_abandon(b);
	return NULL;
}

static void draw_while(drawing *d)
{
	const int consts = pick(d->bytes, 3), carry = 1 + pick(d->bytes, 3);
	const int32_t zero = 0;
	const type *in[MOST_HELD];
	var x[MOST_HELD];

	operands(d, x, in, consts + carry);
	x[consts] = build_literal(d->b, TSR_I32, &zero);
	in[consts] = at(d, x[consts]);
	const while_params p = {
		.body_consts = consts,
		.cond = counts_to(d, in + consts, carry, pick(d->bytes, 5)),
		.body = draw_here(d, in, consts + carry, in + consts, carry, 0, consts)};
	if (p.cond && p.body) draw_append(d, &tsr__prim_while, &p, x, consts + carry);
}

static void draw_scan(drawing *d)
{
	const int consts = pick(d->bytes, 3), carry = pick(d->bytes, 3), ys = 1 + pick(d->bytes, 2);
	const type *in[2 * MOST_HELD];
	var x[2 * MOST_HELD];
	int n = consts + carry;

	operands(d, x, in, n);
	const var sliced = draw_any(d);
	const type *t = at(d, sliced);
	const int64_t length = t->ndim && t->dims[0] <= 8 ? t->dims[0] : pick(d->bytes, 4);
	if (t->ndim && t->dims[0] == length) {
		x[n] = sliced;
		in[n] = type_slice(d->ir, t);
		if (!in[n++]) return;
	}
	if (!n) return;
	const scan_params p = {length, consts, carry, 1, pick(d->bytes, 2),
	                       draw_here(d, in, n, in + consts, carry, ys, -1)};
	if (p.body) draw_append(d, &tsr__prim_scan, &p, x, n);
}

/* ---- mapped regions */

/* each axis of the set at some dim that it divides; false: at none. Dims of blocks, if wanted */
static const sharding *cut(drawing *d, const mesh *m, const type *t, axis_set axes, int64_t *block)
{
	spec_room room = {.ndim = t->ndim};
	int where[GRID], n = 0;

	for (int a = 0; a < GRID; a++) {
		where[a] = -1;
		if (!(axes & axis_bit(a))) continue;
		for (int k = 0; k < t->ndim; k++)
			if (where[a] < 0 && (!block || block[k] % m->axis[a].size == 0))
				where[a] = pick(d->bytes, 3) || k == t->ndim - 1 ? k : -1;
		if (where[a] < 0) return NULL;
		if (block) block[where[a]] /= m->axis[a].size;
	}
	for (int k = 0; k < t->ndim; k++) {
		room.start[k] = n;
		for (int a = 0; a < GRID; a++)
			if (where[a] == k) room.axis[n++] = a;
	}
	room.start[t->ndim] = n;
	return sharding_of_room(d->ir->shards, m, &room);
}

static const mesh *grid(drawing *d)
{
	static const tsr_axis names[GRID] = {{"x", 2}, {"y", 2}};

	return mesh_make(d->ir->shards, NULL, names, GRID, NULL, 0);
}

/* outside of mapped regions; any dims, also those that do not divide */
void draw_constraint(drawing *d)
{
	const mesh *m = grid(d);
	const var x = draw_any(d);
	const axis_set over = (axis_set)pick(d->bytes, 4);
	const sharding *to = m && x.id ? cut(d, m, at(d, x), over, NULL) : NULL;
	const constraint_params p = {.mesh = m, .to = {1, &to}};

	if (to && !d->naxes) draw_append(d, &tsr__prim_sharding_constraint, &p, &x, 1);
}

/* all axes of a mesh, which nothing around has bound */
static void draw_map(drawing *d)
{
	static const int64_t both[GRID] = {0, 1};
	const mesh *m = grid(d);
	const int nin = 1 + pick(d->bytes, 3), nout = 1 + pick(d->bytes, 2);
	const sharding *ins[MOST_HELD], *outs[MOST_HELD];
	const type *in[MOST_HELD];
	axis axes[MAX_AXES];
	var x[MOST_HELD];

	if (!m || d->naxes) return;
	for (int a = 0; a < GRID; a++)
		axes[a] = (axis){.name = m->axis[a].name,
		                 .size = m->axis[a].size,
		                 .kind = AXIS_MESH,
		                 .mesh = m,
		                 .position = a};
	operands(d, x, in, nin);
	for (int i = 0; i < nin; i++) {
		int64_t block[8];
		axis_set over = (axis_set)pick(d->bytes, 4);
		if (in[i]->ndim > 8) return;
		for (int k = 0; k < in[i]->ndim; k++) block[k] = in[i]->dims[k];
		if (!(ins[i] = cut(d, m, in[i], over, block))) {
			over = 0;
			ins[i] = sharding_replicated_on(d->ir->shards, m);
			for (int k = 0; k < in[i]->ndim; k++) block[k] = in[i]->dims[k];
		}
		in[i] = type_make(d->ir, in[i]->dtype, block, in[i]->ndim, over);
		if (!in[i] || !ins[i]) return;
	}
	const program *body = draw_inner(d, axes, GRID, in, nin, NULL, 0, nout, -1);
	for (int i = 0; body && i < nout; i++) {
		const type *t = type_of(body, body->out[i]);
		outs[i] = cut(d, m, t, t->varying, NULL);
		if (!outs[i]) return;
	}
	const shard_map_params p = {.mesh = m,
	                            .manual = {GRID, both},
	                            .in = {nin, ins},
	                            .out = {nout, outs},
	                            .body = body};
	if (body) draw_append(d, &tsr__prim_shard_map, &p, x, nin);
}

void draw_holding(drawing *d, const tsr_prim *row)
{
	if (row == &tsr__prim_call) draw_call(d);
	if (row == &tsr__prim_cond) draw_cond(d);
	if (row == &tsr__prim_while) draw_while(d);
	if (row == &tsr__prim_scan) draw_scan(d);
	if (row == &tsr__prim_shard_map) draw_map(d);
	if (row == &tsr__prim_remat) draw_remat(d);
	if (row == &tsr__prim_custom_jvp || row == &tsr__prim_custom_vjp) draw_custom(d, row);
	error_clear(d->ir->base);
}
