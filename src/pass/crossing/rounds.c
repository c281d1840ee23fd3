/* rounds.c - exchanges between many processes in log2(n) rounds, of one message each.
 *
 * Where each process sends a message to each other one, n - 1 of them leave one after the other. A
 * short one takes hardly longer than its start, so among many processes it is less to let blocks
 * travel together and be passed on. What takes less is chosen by message_costs. A process may be
 * the source of a value, of which here is the first device, and the others are in processes 1, 2,
 * 3:
 *
 *     pass replicate 1023
 *     axes (x of (x:4)) f(%0: f32[2]{x}) -> f32[2] {
 *       %1: f32[2] = pbroadcast %0 axes=(x) source=0 to=invarying
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2] {
 *       transfer_begin %0 number=1 to=[1] from=[] types=[]
 *       transfer_end %0 number=1 to=[1] from=[] types=[]
 *       transfer_begin %0 number=2 to=[2] from=[] types=[]
 *       transfer_end %0 number=2 to=[2] from=[] types=[]
 *       return %0
 *     }
 *     operand 0 on each device: 0
 *     result 0 on each device: 0
 *
 * Process 1 passes it on to 3 in the second round. To gather, process k first gets the block of k +
 * 1, then those of k + 2 and k + 3 from k + 2, and so on: blocks k, k + 1, .. in this order. To
 * trade (all_to_all), block j of a row is that for process k + j; in round i those whose bit i is
 * set move on by 2^i processes, so that each travels j processes in all. (Bruck, Ho, Kipnis, Upfal,
 * Weathersbee, 1997.) */
#include "pass/replicate.h"

/* ---- processes in a line: each has as many members of a group, one behind the other */

bool is_lined_up(const replicating *r, const eqn *e, const group *g)
{
	bool rows = g->n % g->here == 0;

	for (int m = 0; rows && m < g->n; m++) rows = g->before[m] == (m % g->here ? m - 1 : -1);
	return rows && e->nin == 1 && !r->from->vars[e->in[0].id].literal;
}

lineup lineup_of(const replicating *r, const eqn *e, group *g)
{
	const axis_level level = collective_level(r->from, e->params);

	return (lineup){.g = g,
	                .n = g->n / g->here,
	                .mine = g->own[0] / g->here,
	                .each = g->here,
	                .level = level > LEVEL_NODE ? level : LEVEL_NODE};
}

int process_at(const replicating *r, const lineup *l, int k)
{
	return process_of(r, l->g->device[k % l->n * l->each]);
}

/* ---- what takes less. All in units of one message: what both ways send counts alike */

int rounds_of(int n)
{
	int rounds = 0;

	for (int64_t span = 1; span < n; span *= 2) rounds++;
	return rounds;
}

double direct_ns(axis_level level, int n, double bytes) { return messages_ns(level, n - 1, bytes); }

double rounds_ns(axis_level level, int n, double bytes)
{
	return (rounds_of(n) - 1) * message_costs[level].latency + messages_ns(level, 1, bytes);
}

/* of n blocks, those that travel in the round of this span: the numbers with this bit */
int64_t traded(int64_t n, int64_t span)
{
	const int64_t rest = n % (2 * span);

	return n / (2 * span) * span + (rest > span ? rest - span : 0);
}

bool gathers_in_rounds(axis_level level, int n)
{
	return rounds_ns(level, n, 0) < direct_ns(level, n, 0);
}

bool trades_in_rounds(axis_level level, int n, double bytes)
{
	double blocks = 0;

	for (int64_t span = 1; span < n; span *= 2) blocks += (double)traded(n, span);
	return rounds_ns(level, n, blocks * bytes) < direct_ns(level, n, (n - 1) * bytes);
}

/* ---- gathering */

int64_t part_begin(int64_t all, int64_t n, int64_t k)
{
	return all / n * k + (k < all % n ? k : all % n);
}

int64_t filled(int64_t all, int64_t n) { return (all + n - 1) / n * n; }

/* the elements of so many parts from number `first` on, and behind the last one from 0 on */
static int64_t parts_size(int64_t all, int n, int first, int count)
{
	const int over = first + count - n;

	if (over <= 0) return part_begin(all, n, first + count) - part_begin(all, n, first);
	return all - part_begin(all, n, first) + part_begin(all, n, over);
}

static var first_of(build *b, var row, int64_t size)
{
	return build_type(b, row)->size == size ? row : emit_part(b, row, 0, 0, size);
}

var turned_row(build *b, var row, int64_t at)
{
	const int64_t size = is_zero(row) ? 0 : build_type(b, row)->size;

	if (!at || at == size) return row;
	return emit_join(b, (var[]){emit_part(b, row, 0, at, size), emit_part(b, row, 0, 0, at)}, 2,
	                 0);
}

bool gather_rows(replicating *r, const eqn *e, lineup *const *l, int n, const int64_t *all,
                 var *row)
{
	var *more = arena_array(r->all->arena, (size_t)n + 1, sizeof *more);
	int most = 0;

	if (!more || build_failed(r->to)) return false;
	for (int k = 0; k < n; k++) most = l[k]->n > most ? l[k]->n : most;
	for (int span = 1; span < most; span *= 2) {
		transfer t = {.r = r, .e = e};
		for (int k = 0; k < n; k++) {
			const int mine = l[k]->mine, other = (mine + span) % l[k]->n;
			const int count = l[k]->n - span < span ? l[k]->n - span : span;
			if (count <= 0) continue;
			const int64_t gives = parts_size(all[k], l[k]->n, mine, count);
			const int64_t size = parts_size(all[k], l[k]->n, other, count);
			const type *of = build_type(r->to, row[k]);
			of = of ? type_make(r->from->ir, of->dtype, &size, 1, 0) : NULL;
			if (!of ||
			    !transfer_send(&t, process_at(r, l[k], mine + l[k]->n - span),
			                   first_of(r->to, row[k], gives)) ||
			    !transfer_receive(&t, process_at(r, l[k], other), of, &more[k]))
				return false;
		}
		if (!transfer_emit(&t)) return false;
		for (int k = 0; k < n; k++)
			if (span < l[k]->n)
				row[k] = emit_join(r->to, (var[]){row[k], more[k]}, 2, 0);
	}
	for (int k = 0; k < n; k++) {
		const int64_t before = part_begin(all[k], l[k]->n, l[k]->mine);
		row[k] = turned_row(r->to, row[k], all[k] - before);
	}
	return !build_failed(r->to);
}

/* the blocks of all members, each as `dims` says and one behind the other along a new dim 0, are
 * one behind the other along dim `at`; as the result is */
static var blocks_along(build *b, var row, int64_t n, const int64_t *dims, int ndim, int at,
                        const type *result)
{
	int64_t all[MAX_NDIM + 1] = {n};

	memcpy(all + 1, dims, (size_t)ndim * sizeof *dims);
	const var x = emit_reshape(b, row, all, ndim + 1);
	return emit_reshape(b, emit_move_dim(b, x, 0, at), result->dims, result->ndim);
}

/* own members' operands, one behind the other */
static var own_row(replicating *r, const lineup *l)
{
	var *v = arena_array(r->all->arena, (size_t)l->each, sizeof *v);

	for (int k = 0; v && k < l->each; k++) {
		const var x = l->g->x[l->g->own[k]];
		v[k] = emit_reshape(r->to, x, &build_type(r->to, x)->size, 1);
	}
	return v ? emit_join(r->to, v, l->each, 0) : (var){0};
}

static bool gather_all(replicating *r, const eqn *e, lineup *const *l, int n)
{
	const all_gather_params *p = e->params;
	const type *result = type_of(r->from, e->out[0]);
	int64_t *all = arena_array(r->all->arena, (size_t)n, sizeof *all);
	var *row = arena_array(r->all->arena, (size_t)n, sizeof *row);

	for (int k = 0; all && row && k < n; k++) {
		all[k] = result->size;
		row[k] = own_row(r, l[k]);
	}
	if (!all || !row || !gather_rows(r, e, l, n, all, row)) return false;
	for (int k = 0; k < n; k++) {
		const group *g = l[k]->g;
		const type *t = build_type(r->to, g->x[g->own[0]]);
		const var y = blocks_along(r->to, row[k], g->n, t->dims, t->ndim, (int)p->dim,
		                           result);
		for (int m = 0; m < g->here; m++) g->y[g->own[m]] = y;
	}
	return !build_failed(r->to);
}

/* ---- trading */

/* a row of n blocks as those without and those with the bit of this span: low[0] and high[0] of
 * whole periods, and low[1] and high[1] of the rest at the end; no id where there are none */
typedef struct bit_halves {
	var low[2], high[2];
} bit_halves;

static bit_halves halve(build *b, var row, int64_t n, int64_t span, int64_t block)
{
	const int64_t periods = n / (2 * span), whole = periods * 2 * span, rest = n - whole;
	const int64_t dims[] = {periods, 2, span * block}, flat = periods * span * block;
	bit_halves h = {{{0}}, {{0}}};

	if (periods) {
		const var x = emit_reshape(b, emit_part(b, row, 0, 0, whole * block), dims, 3);
		h.low[0] = emit_reshape(b, emit_part(b, x, 1, 0, 1), &flat, 1);
		h.high[0] = emit_reshape(b, emit_part(b, x, 1, 1, 2), &flat, 1);
	}
	const int64_t end = whole + (rest < span ? rest : span);
	if (rest) h.low[1] = emit_part(b, row, 0, whole * block, end * block);
	if (rest > span) h.high[1] = emit_part(b, row, 0, end * block, n * block);
	return h;
}

static var unite(build *b, const bit_halves *h, int64_t n, int64_t span, int64_t block)
{
	const int64_t periods = n / (2 * span), dims[] = {periods, 1, span * block};
	const int64_t flat = periods * 2 * span * block;
	var part[3];
	int count = 0;

	if (periods) {
		const var both[] = {emit_reshape(b, h->low[0], dims, 3),
		                    emit_reshape(b, h->high[0], dims, 3)};
		part[count++] = emit_reshape(b, emit_join(b, both, 2, 1), &flat, 1);
	}
	if (!is_zero(h->low[1])) part[count++] = h->low[1];
	if (!is_zero(h->high[1])) part[count++] = h->high[1];
	return emit_join(b, part, count, 0);
}

/* a row of l->n blocks, of which number j is for process j, becomes one of which number j is from
 * process j */
static bool trade_rows(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	bit_halves *h = arena_array(r->all->arena, (size_t)n, sizeof *h);
	var(*more)[2] = arena_array(r->all->arena, (size_t)n, sizeof *more);
	int most = 0;

	for (int k = 0; k < n; k++) {
		const int64_t size = is_zero(row[k]) ? 0 : build_type(r->to, row[k])->size;
		most = l[k]->n > most ? l[k]->n : most;
		row[k] = turned_row(r->to, row[k], size / l[k]->n * l[k]->mine);
	}
	if (!h || !more || build_failed(r->to)) return false;
	for (int span = 1; span < most; span *= 2) {
		transfer t = {.r = r, .e = e};
		for (int k = 0; k < n; k++) {
			if (span >= l[k]->n) continue;
			const int to = process_at(r, l[k], l[k]->mine + span);
			const int from = process_at(r, l[k], l[k]->mine + l[k]->n - span);
			h[k] = halve(r->to, row[k], l[k]->n, span,
			             build_type(r->to, row[k])->size / l[k]->n);
			for (int i = 0; i < 2; i++) {
				if (is_zero(h[k].high[i])) continue;
				const type *of = build_type(r->to, h[k].high[i]);
				if (!transfer_send(&t, to, h[k].high[i]) ||
				    !transfer_receive(&t, from, of, &more[k][i]))
					return false;
			}
		}
		if (!transfer_emit(&t)) return false;
		for (int k = 0; k < n; k++) {
			if (span >= l[k]->n) continue;
			for (int i = 0; i < 2; i++)
				if (!is_zero(h[k].high[i])) h[k].high[i] = more[k][i];
			row[k] = unite(r->to, &h[k], l[k]->n, span,
			               build_type(r->to, row[k])->size / l[k]->n);
		}
	}
	return !build_failed(r->to);
}

/* block j is from process mine - j: the other way round, and from process 0 on */
static var from_first(build *b, var row, const lineup *l)
{
	const int64_t size = build_failed(b) ? 0 : build_type(b, row)->size;
	const int64_t dims[] = {l->n, size / l->n}, rows = 0;

	const var x = emit_reshape(b, row, dims, 2);
	const var back = emit(b, &tsr__prim_rev, &(dims_params){{1, &rows}}, &x, 1);
	return turned_row(b, emit_reshape(b, back, &size, 1), dims[1] * (l->n - 1 - l->mine));
}

/* own members' chunks, [processes, own members, members of a process, elements] as a row */
static var chunks_row(replicating *r, const eqn *e, const lineup *l)
{
	const all_to_all_params *p = e->params;
	const int split = (int)p->split;
	var *v = arena_array(r->all->arena, (size_t)l->each, sizeof *v);
	int64_t dims[MAX_NDIM + 1];

	for (int k = 0; v && k < l->each; k++) {
		const var x = l->g->x[l->g->own[k]];
		const type *t = build_type(r->to, x);
		for (int d = 0; d <= t->ndim; d++)
			dims[d] = d < split ? t->dims[d] : d > split ? t->dims[d - 1] : l->g->n;
		dims[split + 1] /= l->g->n;
		const var chunks = emit_move_dim(r->to, emit_reshape(r->to, x, dims, t->ndim + 1),
		                                 split, 0);
		const int64_t rows[] = {l->n, 1, t->size / l->n};
		v[k] = emit_reshape(r->to, chunks, rows, 3);
	}
	const var all = v ? emit_join(r->to, v, l->each, 1) : (var){0};
	const int64_t size = build_failed(r->to) ? 0 : build_type(r->to, all)->size;
	return emit_reshape(r->to, all, &size, 1);
}

static void give_traded(replicating *r, const eqn *e, const lineup *l, var row)
{
	const all_to_all_params *p = e->params;
	const type *t = build_type(r->to, l->g->x[l->g->own[0]]);
	const int64_t size = t->size / l->g->n, rows[] = {l->g->n, l->each, size};
	int64_t dims[MAX_NDIM];
	int ndim = 0;

	for (int d = 0; d < t->ndim; d++)
		if (p->tiled || d != p->split)
			dims[ndim++] = d == p->split ? t->dims[d] / l->g->n : t->dims[d];
	const var all = emit_reshape(r->to, row, rows, 3);
	for (int k = 0; k < l->each; k++)
		l->g->y[l->g->own[k]] =
			blocks_along(r->to, emit_part(r->to, all, 1, k, k + 1), l->g->n, dims, ndim,
		                     (int)p->concat, type_of(r->from, e->out[0]));
}

static bool trade_all(replicating *r, const eqn *e, lineup *const *l, int n)
{
	var *row = arena_array(r->all->arena, (size_t)n, sizeof *row);

	for (int k = 0; row && k < n; k++) row[k] = chunks_row(r, e, l[k]);
	if (!row || !trade_rows(r, e, l, n, row)) return false;
	for (int k = 0; k < n; k++) give_traded(r, e, l[k], from_first(r->to, row[k], l[k]));
	return !build_failed(r->to);
}

/* ---- one source */

static bool pass_on(replicating *r, const eqn *e, lineup *const *l, int n)
{
	const int64_t source = ((const pbroadcast_params *)e->params)->source;
	int most = 0;

	for (int k = 0; k < n; k++) most = l[k]->n > most ? l[k]->n : most;
	for (int span = 1; span < most; span *= 2) {
		transfer t = {.r = r, .e = e};
		for (int k = 0; k < n; k++) {
			const int first = (int)(source / l[k]->each);
			const int at = (l[k]->mine - first + l[k]->n) % l[k]->n;
			var *y = &l[k]->g->y[l[k]->g->own[0]];
			const type *of = build_type(r->to, l[k]->g->x[l[k]->g->own[0]]);
			if (span == 1 && at == 0) *y = l[k]->g->x[source];
			if (at < span && at + span < l[k]->n &&
			    !transfer_send(&t, process_at(r, l[k], l[k]->mine + span), *y))
				return false;
			if (at >= span && at < 2 * span &&
			    !transfer_receive(&t, process_at(r, l[k], l[k]->mine + l[k]->n - span),
			                      of, y))
				return false;
		}
		if (!transfer_emit(&t)) return false;
	}
	for (int k = 0; k < n; k++)
		for (int m = 1; m < l[k]->each; m++)
			l[k]->g->y[l[k]->g->own[m]] = l[k]->g->y[l[k]->g->own[0]];
	return true;
}

/* ---- which groups */

bool moves_in_rounds(const replicating *r, const eqn *e, group *g)
{
	if (!is_lined_up(r, e, g)) return false;
	const lineup l = lineup_of(r, e, g);
	const type *t = type_of(r->from, e->in[0]);
	const double bytes = (double)t->size * (double)tsr_dtype_size(t->dtype);

	if (!t->size || l.n < 3) return false;
	if (e->prim == &tsr__prim_pbroadcast) return true;
	if (e->prim == &tsr__prim_all_gather) return gathers_in_rounds(l.level, l.n);
	return e->prim == &tsr__prim_all_to_all &&
	       trades_in_rounds(l.level, l.n, bytes * l.each / l.n);
}

bool move_in_rounds(replicating *r, const eqn *e, group *g, int n)
{
	lineup **l = arena_array(r->all->arena, (size_t)n + 1, sizeof *l);
	int count = 0;

	if (!l) return false;
	for (int k = 0; k < n; k++) {
		if (!g[k].moves) continue;
		const lineup of = lineup_of(r, e, &g[k]);
		g[k].y = arena_array(r->all->arena, (size_t)g[k].n, sizeof *g[k].y);
		if (!g[k].y || !(l[count++] = arena_copy(r->all->arena, &of, sizeof of)))
			return false;
	}
	if (!count) return true;
	if (e->prim == &tsr__prim_pbroadcast) return pass_on(r, e, l, count);
	return (e->prim == &tsr__prim_all_gather ? gather_all : trade_all)(r, e, l, count);
}
