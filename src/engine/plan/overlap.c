/* overlap.c - chooses the waves that transfers end in, so that something is computed while messages
 * travel.
 *
 *     f(%0: f32[100000], %1: f32[100000]) -> f32[100000] {
 *       %2: f32[100000] = transfer_begin %0 ..           wave 0
 *       %3: f32[100000] = transfer_end %0 %2 ..          wave 1, or later
 *       %4: f32[100000] = cumsum %1 ..                   wave 0
 *       %5: f32[100000] = cumsum %4 ..                   wave 1
 *       %6: f32[100000] = cumsum %5 ..                   wave 2
 *       %7: f32[100000] = add %3 %6                      wave 3, or later
 *       return %7
 *     }
 *
 * A transfer ends as soon as it can, but not before as much has been computed as it is predicted to
 * take: if that is as long as two of the sums, in wave 1, which comes behind them. Where there is
 * less to compute than that, what needs it waits.
 *
 * Transfers begin in the order of the program, which is the same in all processes. Where they end
 * is nobody else's business. */
#include "engine/plan/values.h"

static bool is_end(const eqn *e) { return e->prim == &tsr__prim_transfer_end; }

/* ---- predictions, in nanoseconds */

static axis_level farthest(const shards *s, const ints *processes, axis_level level)
{
	for (int i = 0; i < processes->n; i++) {
		const axis_level of = processes_level(s->node, s->process, (int)processes->v[i]);
		level = of > level ? of : level;
	}
	return level;
}

/* of what it sends and receives, which goes both ways at the same time */
static double transfer_ns(const program *p, const eqn *e)
{
	const transfer_params *t = e->params;
	const axis_level level = farthest(p->ir->shards, &t->to,
	                                  farthest(p->ir->shards, &t->from, LEVEL_MEMORY));
	const int n = t->to.n > t->from.n ? t->to.n : t->from.n;
	double sent = 0, received = 0;

	for (int i = 0; i < e->nin; i++) {
		const double bytes = (double)value_bytes(type_of(p, e->in[i]));
		*(i < t->to.n ? &sent : &received) += bytes;
	}
	return messages_ns(level, n, sent > received ? sent : received);
}

static double program_ns(const level *l, const program *p);

static double inside_ns(const level *l, const eqn *e)
{
	const bool scan = e->prim == &tsr__prim_scan;
	const double turns = scan ? (double)((const scan_params *)e->params)->length : 1;
	double ns = 0;

	for (inner k = {0}; inner_next(e->prim, e->params, &k);) ns += program_ns(l, k.program);
	return ns * turns;
}

static double equation_ns(const level *l, const program *p, const eqn *e)
{
	const target *on = l->s->target;
	matrix_product product;
	double ns = 0;

	if (is_end(e) || e->prim == &tsr__prim_transfer_begin || eqn_makes_nothing(p, e)) return 0;
	if (maker_of(on, p, e, &product) == BY_MATRICES) return product_ns(on, &product);
	if (e->prim == &tsr__prim_call)
		return kernel_ns(on, l->arena, ((const call_params *)e->params)->program, &ns) ? ns
		                                                                              : 0;
	if (eqn_program(e)) return inside_ns(l, e);
	return is_called(e) ? eval_ns(on, p, e) : on->code_start + on->code_work * work_of(p, e);
}

static double program_ns(const level *l, const program *p)
{
	double ns = 0;

	for (int i = 0; i < p->neqns; i++) ns += equation_ns(l, p, &p->eqns[i]);
	return ns;
}

/* ---- waves */

bool find_busy(const level *l, double **busy)
{
	bool ends = false;

	*busy = NULL;
	for (int i = 0; i < l->p->neqns; i++) ends = ends || is_end(&l->p->eqns[i]);
	if (!ends) return true;
	double *ns = arena_array(l->arena, (size_t)l->nwaves + 1, sizeof *ns);
	for (int i = 0; ns && i < l->p->neqns; i++)
		if (!l->idle[i]) ns[l->wave[i] + 1] += equation_ns(l, l->p, &l->p->eqns[i]);
	for (int w = 0; ns && w < l->nwaves; w++) ns[w + 1] += ns[w];
	*busy = ns;
	return ns;
}

int32_t end_wave(const level *l, const eqn *e, int32_t first, const double *busy, int32_t nwaves)
{
	int32_t wave = first;

	if (!is_end(e) || first >= nwaves) return first;
	const double until = busy[first > 0 ? first - 1 : 0] + transfer_ns(l->p, e);
	while (wave < nwaves - 1 && busy[wave + 1] < until) wave++;
	return wave;
}

int32_t *find_next_ends(const level *l)
{
	int32_t *next = arena_array(l->arena, (size_t)l->nwaves + 1, sizeof *next);

	if (!next) return NULL;
	for (int w = 0; w <= l->nwaves; w++) next[w] = l->nwaves;
	for (int i = 0; i < l->p->neqns; i++)
		if (is_end(&l->p->eqns[i])) next[l->wave[i]] = l->wave[i];
	for (int w = l->nwaves - 1; w >= 0; w--)
		if (next[w] > next[w + 1]) next[w] = next[w + 1];
	return next;
}
