/* puts.c - makes the kernels of rows that put elements into an operand: they loop over the elements
 * that are put, and store nothing but the result.
 *
 *     pass fuse
 *     f(%0: f32[100], %1: i32[9000], %2: f32[9000]) -> f32[100] {
 *       %3: i32[9000] = add %1 50:i32
 *       %4: i32[9000,1] = expand_dims %3 dims=[1]
 *       %5: f32[9000] = sin %2
 *       %6: f32[100] = scatter %0 %4 %5 update_window_dims=[] inserted_window_dims=[0]
 *         scatter_dims_to_operand_dims=[0] operand_batching_dims=[]
 *         scatter_indices_batching_dims=[] combine=add mode=drop
 *       return %6
 *     }
 *     gives
 *     f(%0: f32[100], %1: i32[9000], %2: f32[9000]) -> f32[100] {
 *       %3: f32[9000] = call %2 program=sin(%0: f32[9000]) -> f32[9000] {
 *         %1: f32[9000] = sin %0
 *         return %1
 *       }
 *       %4: f32[100] = call %0 %1 %3
 *         program=scatter(%0: f32[100], %1: i32[9000], %2: f32[9000]) -> f32[100] {
 *         %3: i32[9000] = add %1 50:i32
 *         %4: i32[9000,1] = expand_dims %3 dims=[1]
 *         %5: f32[100] = scatter %0 %4 %2 update_window_dims=[] inserted_window_dims=[0]
 *           scatter_dims_to_operand_dims=[0] operand_batching_dims=[]
 *           scatter_indices_batching_dims=[] combine=add mode=drop
 *         return %5
 *       }
 *       return %4
 *     }
 *
 * One worker puts numbers that may go to one place, so what others could compute together before is
 * not fused with that: the sine here. The index is worth no more than its load. */
#include "pass/fuse/fuse.h"

/* loops over what is put, as its rule orders them: only those whose places differ are shared */
static bool put_begin(fuse *f, group *g, const eqn *e)
{
	const type **in = arena_array(f->scratch, (size_t)e->nin, sizeof *in);
	const type *parts = type_of(f->p, e->in[e->nin - 1]);
	put_loops l = {.dim = arena_array(f->scratch, (size_t)parts->ndim + 1, sizeof *l.dim)};
	int32_t *loops = arena_array(f->scratch, (size_t)parts->ndim + 1, sizeof *loops);
	int32_t around = 0;

	if (!in || !l.dim || !loops) return false;
	for (int i = 0; i < e->nin; i++) in[i] = type_of(f->p, e->in[i]);
	e->prim->put_loops(e, in, &l);
	for (int i = 0; i < parts->ndim && !f->failed; i++) {
		const int d = l.dim[i];
		around = loops[d] = loop_open(f, around, (double)parts->dims[d], i < l.first);
	}
	g->puts = true;
	g->whole = parts;
	g->loop = loops;
	return !f->failed;
}

void begin_put(fuse *f, const eqn *e, int32_t i)
{
	const int32_t at = (int32_t)f->ngroups, var = e->out[0].id;
	group *g = group_new(f, e, i, true);
	member *m = arena_alloc(f->scratch, sizeof *m);

	if (!g || !m || !put_begin(f, g, e)) {
		f->failed = true;
		return;
	}
	*m = (member){i, var, true, NULL, NULL};
	g->members = g->stored = m;
	g->nmembers = g->nresults = g->nvalues = 1;
	g->content = content_of(f->p, e, fuse_type(f, var));
	g->nodes = nodes_of(f->p, e);
	g->work = work_of(f->p, e);
	f->home[var] = 1 + at;
	const site *s = site_of_loops(f, g, g->whole);
	if (s) sites_ask_put(f, at, e, s);
}

/* To compute what goes with an element costs no more than to load it */
bool is_light_put(const fuse *f, const group *g, const use *u)
{
	return g->puts && f->weight[u->var] <= 2 * f->target->light;
}
