/* local.c - an equation on blocks of its values.
 *
 *     pass partition
 *     f(%0: f32[4,8], %1: f32[8,4]) -> f32[4,4] {
 *       %2: f32[4,8] = shard_map %0 mesh=(x:2) axes=(x) in=[[-,x]] out=[[-,x]]
 *             body=(%0: f32[4,4]{x}) -> f32[4,4]{x} {
 *         %1: f32[4,4]{x} = sin %0
 *         return %1
 *       }
 *       %3: f32[4,4] = dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %4: f32[4,4] = shard_map %3 mesh=(x:2) axes=(x) in=[[x]] out=[[x]]
 *             body=(%0: f32[2,4]{x}) -> f32[2,4]{x} {
 *         %1: f32[2,4]{x} = cos %0
 *         return %1
 *       }
 *       return %4
 *     }
 *     gives
 *     axes (x of (x:2)) f(%0: f32[4,4]{x}, %1: f32[4,4]{x}) -> f32[2,4]{x} {
 *       %2: f32[4,4]{x} = sin %0
 *       %3: f32[4,4]{x} = dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *             dtype=f32
 *       %4: f32[2,4]{x} = psum_scatter %3 axes=(x) dim=0 tiled=true
 *       %5: f32[2,4]{x} = cos %4
 *       return %5
 *     }
 *
 * The summed factor is cut along x: each device multiplies f32[4,4] by f32[4,4], and has a term of
 * the whole result. That is wanted in rows, so the terms are joined and scattered at once. */
#include "pass/partition/partition.h"

static bool read_equation(partitioning *p, const places *in, const eqn *e, blocks *k)
{
	const size_t n = (size_t)e->nin + (size_t)e->nout;

	k->type = arena_array(p->scratch, n + 1, sizeof *k->type);
	k->block = arena_array(p->scratch, n + 1, sizeof *k->block);
	k->at = arena_array(p->scratch, n + 1, sizeof *k->at);
	k->form = arena_array(p->scratch, n + 1, sizeof *k->form);
	k->start = arena_array(p->scratch, n + 1, sizeof *k->start);
	k->cut = arena_array(p->scratch, n + 1, sizeof *k->cut);
	k->origin = arena_array(p->scratch, n + 1, sizeof *k->origin);
	if (!k->type || !k->block || !k->at || !k->form || !k->start || !k->cut || !k->origin)
		return false;
	for (int v = 0; v < e->nin + e->nout; v++) {
		const var x = v < e->nin ? e->in[v] : e->out[v - e->nin];
		k->type[v] = type_of(in->program, x);
		k->at[v] = in->program->vars[x.id].literal ? NULL : in->at[x.id];
	}
	return true;
}

static bool is_cut(blocks *k)
{
	bool cut = k->nmoves;

	k->joined = 0;
	k->own = k->nmoves;
	for (int f = 0; f < k->c.f.n; f++) {
		cut = cut || k->by_factor[f].n;
		k->own = k->own || (k->by_factor[f].n && !factor_same_row(&k->c.f, f));
		if (k->c.f.kind[f] != FACTOR_REDUCE || k->c.f.op[f] == FACTOR_ROW) continue;
		for (int i = 0; i < k->by_factor[f].n; i++) {
			k->joined |= axis_bit(k->by_factor[f].axis[i]);
			k->op = k->c.f.op[f];
		}
	}
	return cut;
}

/* ---- terms of a result */

/* The collective that joins by an operator; NULL: none does. Of bools, any is the largest and all
 * the smallest */
static const tsr_prim *collective_for(factor_op op, tsr_dtype dtype)
{
	if (dtype == TSR_BOOL && op == FACTOR_OR) op = FACTOR_MAX;
	if (dtype == TSR_BOOL && op == FACTOR_AND) op = FACTOR_MIN;
	const tsr_prim *prim = operators[op].collective;
	return prim && collective_joins(prim, dtype) ? prim : NULL;
}

static bool gather_and_reduce(partitioning *p, blocks *k, var y, var *out)
{
	int64_t axes[MAX_AXES];
	const all_gather_params g = {
		{axes_listed(k->joined, axes), {0, NULL}}, 0, false, COLL_TO_INVARYING};
	const reduce_params first = {{1, (const int64_t[]){0}}};
	return build_eqn(p->b, &tsr__prim_all_gather, &g, &y, 1, out, p->where) &&
	       build_eqn(p->b, operators[k->op].reduce, &first, out, 1, out, p->where);
}

static const unsigned char no_number[16]; /* nobody knows what is in the padding of terms */

/* at: in what layout the terms are; then, in what layout the result is */
static bool join_terms(partitioning *p, blocks *k, var y, const type *whole, const layout *wanted,
                       layout *at, var *out)
{
	const layout terms = *at;
	int64_t axes[MAX_AXES];
	const preduce_params over = {{axes_listed(k->joined, axes), {0, NULL}}, COLL_TO_INVARYING};
	const tsr_prim *collective = collective_for(k->op, whole->dtype);

	if (collective == &tsr__prim_psum) {
		bool kept;
		*at = *wanted;
		return reshard(p, y, whole, &terms, wanted, no_number, out, &kept);
	}
	at->partial = 0;
	if (!collective) return gather_and_reduce(p, k, y, out);
	return build_eqn(p->b, collective, &over, &y, 1, out, p->where);
}

/* Terms are joined in the dtype in which the row reduces, and cast then: of 0.6 + 0.6 as i32, on
 * two devices, each has 0.6, not 0. So is a sum of bf16, which is one of f32 */
static tsr_dtype dtype_of_terms(const blocks *k, int result)
{
	const eqn *e = k->c.e;
	const type *const *out = k->type + e->nin;

	return k->joined && e->prim->reduces_in ? e->prim->reduces_in(e, k->type, out)
	                                        : out[result]->dtype;
}

static const type *with_dtype(const partitioning *p, const type *t, tsr_dtype dtype)
{
	return t->dtype == dtype ? t
	                         : type_make(build_ir(p->b), dtype, t->dims, t->ndim, t->varying);
}

/* y, the terms of a result; then the result, in a layout */
static bool join_result(partitioning *p, blocks *k, int result, const layout *wanted, layout *at,
                        var *y)
{
	const type *t = k->type[k->c.e->nin + result];
	const type *whole = with_dtype(p, t, dtype_of_terms(k, result));

	p->ask = (ask){ASK_TERMS, k->c.e, result, &k->c};

	if (!whole || !join_terms(p, k, *y, whole, wanted, at, y)) return false;
	if (whole->dtype == t->dtype) return true;
	build_at(p->b, p->where);
	*y = emit_as(p->b, *y, etype_of(t));
	return !build_failed(p->b);
}

/* ---- the equation */

/* what the padding of an operand must hold: its reductions are all by one operator */
static padding needed(const blocks *k, int operand)
{
	const factors *f = &k->c.f;
	padding need = PAD_ANY;

	for (int i = 0; i < f->nslots; i++) {
		const int factor = f->slot[i].factor;
		if (f->slot[i].value != operand) continue;
		if (axes_divide(&k->c, factor, &k->by_factor[factor])) continue;
		const padding here = eqn_needs(k->c.e, k->type, f, operand, factor);
		if (here != PAD_ANY) need = here;
	}
	return need;
}

/* the number of the device's part along a factor that moves */
static bool move_part(partitioning *p, const blocks *k, const move *m, var *part)
{
	const ints axes = axis_ints(p, &k->by_factor[m->factor]);

	return axes.v && block_start(p, &axes, 1, k->index, part);
}

/* where the window of a move begins: an index of the operand */
static bool move_start(partitioning *p, const blocks *k, const move *m, var *start)
{
	var part;

	return move_part(p, k, m, &part) && window_start(p, &m->w, part, start);
}

static const move *move_along(const blocks *k, int operand, int dim)
{
	for (int i = 0; i < k->nmoves; i++)
		if (k->move[i].operand == operand && k->move[i].dim == dim) return &k->move[i];
	return NULL;
}

/* Blocks come from the operand, without its padding: the padding value is put where a window is
 * outside of the operand, and beside a dim that is whole */
static bool pad_dim(partitioning *p, const blocks *k, int operand, int dim, const pad_params *pad,
                    var value, var *x)
{
	build *b = p->b;
	const move *m = move_along(k, operand, dim);
	const int64_t low = pad->low.v[dim], high = pad->high.v[dim];
	var start;

	if (!m) {
		*x = emit_pad_dim(b, *x, dim, low, high, value);
		return !build_failed(b);
	}
	if (!move_start(p, k, m, &start)) return false;
	const type *t = build_type(b, *x);
	const var place = emit_places(b, t->dims, t->ndim, dim, start);
	const var before = emit_before(b, place, low);
	const var inside = emit_before(b, place, k->type[operand]->dims[dim] - high);
	const var all = emit_spread(b, value, *x);
	*x = emit_select(b, before, all, emit_select(b, inside, *x, all));
	return !build_failed(b);
}

static bool pad_windows(partitioning *p, const blocks *k, const places *in, spot *spots, var *x)
{
	const layout whole = {0};

	for (int i = 0; i < k->c.e->nin; i++) {
		const eqn *e = pad_before(&k->c, in, i);
		const pad_params *pad = e ? e->params : NULL;
		if (!e || operand_read(k, i).id == k->c.e->in[i].id) continue;
		const form *value = spot_form(p, &spots[e->in[1].id], &whole, PAD_ANY);
		if (!value) return false;
		for (int d = 0; d < pad->low.n; d++)
			if ((pad->low.v[d] || pad->high.v[d]) &&
			    !pad_dim(p, k, i, d, pad, value->v, &x[i]))
				return false;
	}
	return true;
}

static bool operands(partitioning *p, blocks *k, const places *in, spot *spots, var *x)
{
	const eqn *e = k->c.e;
	axis_set over = 0;

	for (int i = 0; i < e->nin; i++) {
		const layout at = operand_layout(k, i);
		const layout stays = factors_layout(&k->c, i, k->by_factor);
		over |= layout_axes(&stays);
		p->ask = (ask){ASK_OPERAND, e, i, &k->c};
		k->form[i] = spot_form(p, &spots[operand_read(k, i).id], &at, needed(k, i));
		if (!k->form[i]) return false;
		x[i] = k->form[i]->v;
	}
	for (int i = 0; i < e->nin; i++) {
		int same = 0; /* operands that are one value stay so */
		while (k->form[same] != k->form[i]) same++;
		if (same < i)
			x[i] = x[same];
		else if (!build_literal_of(p->b, x[i]))
			x[i] = build_vary(p->b, x[i], over, e->where);
		if (!x[i].id) return false;
	}
	p->ask = (ask){ASK_BLOCKS, e, 0, &k->c};
	if (!take_windows(p, k, x) || !pad_windows(p, k, in, spots, x)) return false;
	for (int i = 0; i < e->nin; i++) k->block[i] = build_type(p->b, x[i]);
	return true;
}

static int dim_with(const cutting *c, int value, int factor)
{
	for (int i = 0; i < c->f.nslots; i++)
		if (c->f.slot[i].value == value && c->f.slot[i].factor == factor)
			return c->f.slot[i].dim;
	return -1;
}

/* where the blocks of a value begin, and what cuts it */
static bool find_starts(partitioning *p, blocks *k, int value)
{
	const type *t = k->type[value];
	const layout l = factors_layout(&k->c, value, k->by_factor);
	var *start = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *start);
	ints *cut = arena_array(p->scratch, (size_t)t->ndim + 1, sizeof *cut);

	k->start[value] = start;
	k->cut[value] = cut;
	if (!start || !cut) return false;
	for (int i = 0; i < l.n; i++) {
		axis_list axes = {0};
		const int d = l.dim[i];
		if (start[d].id) continue;
		for (int j = i; j < l.n && l.dim[j] == d; j++) axes.axis[axes.n++] = l.axis[j];
		cut[d] = axis_ints(p, &axes);
		if (!cut[d].v ||
		    !block_start(p, &cut[d], k->block[value]->dims[d], k->index, &start[d]))
			return false;
	}
	for (int i = 0; i < k->nmoves; i++) {
		const move *m = &k->move[i];
		const int dim = dim_with(&k->c, value, m->factor);
		const bool whole = !k->by_factor[m->factor].n; /* a whole dim begins at 0 */
		if (dim < 0 || (value < k->c.e->nin && m->operand != value)) continue;
		if (value < k->c.e->nin ? !move_start(p, k, m, &start[dim])
		                        : whole && !move_part(p, k, m, &start[dim]))
			return false;
	}
	return true;
}

static bool own_form(partitioning *p, blocks *k, const var *x, var *y)
{
	const eqn *e = k->c.e;
	const localizing to = {k->type, k->block, k->start, k->cut, k->joined};

	for (int v = 0; v < e->nin + e->nout; v++)
		if (!find_starts(p, k, v)) return false;
	e->prim->local(p->b, e, &to, x, y);
	return !build_failed(p->b);
}

/* where no parameter says in what dtype a row gives its result, its operands do */
static void widen_operands(partitioning *p, const blocks *k, var *x)
{
	const eqn *e = k->c.e;

	if (params_field(e->prim, e->params, FIELD_DTYPE)) return;
	for (int i = 0; i < e->nin; i++)
		if (k->type[i]->dtype == k->type[e->nin]->dtype)
			x[i] = emit_convert(p->b, x[i], k->block[e->nin]->dtype);
}

static bool same_row(partitioning *p, blocks *k, var *x, var *y)
{
	const eqn *e = k->c.e;
	const void *params = params_on_blocks(p->scratch, e, k->type, k->block, k->block + e->nin);

	if (params && p->axis_map)
		params = params_copy(p->scratch, e->prim->params, params, p->axis_map);
	widen_operands(p, k, x);
	if ((e->prim->params && !params) || build_failed(p->b) || !record_rest(p) ||
	    !build_eqn_exact(p->b, e->prim, params, x, e->nin, y, e->where, e->note))
		return false;
	record_copied(p);
	return true;
}

/* ---- what is known of the padding of results */

/* the operand that a row which only moves elements takes them all from, padding from padding */
static const void *padding_moved(const blocks *k, int result)
{
	const cutting *c = &k->c;

	if (!(c->e->prim->flags & PRIM_MOVES) || c->e->nin != 1 || k->own) return NULL;
	for (int i = 0; i < c->f.nslots; i++)
		if (c->f.slot[i].value == result && !value_has(c, 0, c->f.slot[i].factor) &&
		    !axes_divide(c, c->f.slot[i].factor, &k->by_factor[c->f.slot[i].factor]))
			return NULL;
	return k->form[0]->padding;
}

/* an elementwise equation of padding: number[j] gets that of result j. false: not known, or no
 * memory */
static bool padding_computed(partitioning *p, const blocks *k, const void **number)
{
	const eqn *e = k->c.e;
	const void **x = arena_array(p->scratch, (size_t)e->nin + 1, sizeof *x);
	void **y = arena_array(p->scratch, (size_t)e->nout + 1, sizeof *y);

	if (!(e->prim->flags & PRIM_ELEMENTWISE) || !x || !y) return false;
	for (int i = 0; i < e->nin; i++) {
		const void *literal = build_literal_of(p->b, k->form[i]->v);
		if (!(x[i] = literal ? literal : k->form[i]->padding)) return false;
	}
	for (int j = 0; j < e->nout; j++)
		if (!(number[j] = y[j] = arena_alloc(p->scratch, 16))) return false;
	return element_eval(build_ir(p->b), p->scratch, e, k->type, x, y);
}

static bool results(partitioning *p, blocks *k, const places *in, spot *spots, const var *y)
{
	const eqn *e = k->c.e;
	const void **number = arena_array(p->scratch, (size_t)e->nout + 1, sizeof *number);

	if (!number) return false;
	const bool computed = padding_computed(p, k, number);
	for (int j = 0; j < e->nout; j++) {
		const int id = e->out[j].id;
		layout at = factors_layout(&k->c, e->nin + j, k->by_factor);
		var out = y[j];
		at.partial = k->joined;
		if (at.partial && !join_result(p, k, j, in->at[id], &at, &out)) return false;
		form *f = spot_add(p, &spots[id], out, &at, NULL);
		if (!f) return false;
		f->padding = computed ? number[j] : padding_moved(k, e->nin + j);
	}
	return true;
}

static bool equation(partitioning *p, blocks *k, const places *in, spot *spots)
{
	const eqn *e = k->c.e;
	var *x = arena_array(p->scratch, (size_t)e->nin + (size_t)e->nout + 1, sizeof *x);

	build_at(p->b, p->where);
	k->index = TSR_I32;
	for (int v = 0; v < e->nin + e->nout; v++)
		for (int d = 0; d < k->type[v]->ndim; d++)
			if (k->type[v]->dims[d] > INT32_MAX / 4) k->index = TSR_I64;
	if (!x || !operands(p, k, in, spots, x)) return false;
	for (int j = 0; j < e->nout; j++) {
		const layout at = factors_layout(&k->c, e->nin + j, k->by_factor);
		const type *t = block_type(p, k->type[e->nin + j], &at);
		if (!t || !(t = with_dtype(p, t, dtype_of_terms(k, j)))) return false;
		k->block[e->nin + j] = t;
	}
	var *y = x + e->nin;
	const bool ok = k->own && e->prim->local ? own_form(p, k, x, y) : same_row(p, k, x, y);
	return ok && results(p, k, in, spots, y);
}

bool walk_on_blocks(partitioning *p, const places *in, const eqn *e, spot *spots, bool *done)
{
	if (!p->blocks) p->blocks = arena_alloc(p->scratch, sizeof *p->blocks);
	blocks *k = p->blocks;

	*done = false;
	if (!k || !read_equation(p, in, e, k)) return false;
	if (!cutting_make(&k->c, p->ir->by_mesh, e, k->type, p->size)) return true;
	for (int i = 0; i < e->nin; i++) {
		const int id = (k->origin[i] = see_through(&k->c, in, i)).id;
		k->at[i] = in->program->vars[id].literal ? NULL : in->at[id];
	}
	choose_cuts(&k->c, k->at, 0, k->by_factor);
	if (!sum_or_gather(p, k, in, spots) || !find_moves(p, k, spots)) return false;
	*done = is_cut(k);
	return !*done || equation(p, k, in, spots);
}
