/* sites.c - finds the indices that the kernel of a group asks for elements of values at.
 *
 * kernel_lower pulls elements; here the same is followed with hashes in place of nodes. A site is
 * one index tuple, and which loop it needs says how often it is computed. Equal sites are one
 * element to the kernel, which it computes once; different sites may be equal there too, so that
 * there are never fewer sites than elements.
 *
 *     pass fuse
 *     f(%0: f32[1000]) -> f32[1000] {
 *       %1: f32[1000] = exp %0
 *       %2: f32[1000] = neg %1
 *       %3: f32[1000] = rev %2 dims=[0]
 *       %4: f32[1000] = mul %2 %3
 *       return %4
 *     }
 *     gives
 *     f(%0: f32[1000]) -> f32[1000] {
 *       %1: f32[1000] = call %0 program=neg(%0: f32[1000]) -> f32[1000] {
 *         %1: f32[1000] = exp %0
 *         %2: f32[1000] = neg %1
 *         return %2
 *       }
 *       %2: f32[1000] = call %1 program=mul(%0: f32[1000]) -> f32[1000] {
 *         %1: f32[1000] = rev %0 dims=[0]
 *         %2: f32[1000] = mul %0 %1
 *         return %2
 *       }
 *       return %2
 *     }
 *
 * In the loop over the elements of %4, %2 has two sites, i and 999 - i. To compute both would be
 * 2000 exponentials instead of 1000, so it is stored. %1 has one site, that of %2, which computes
 * it. */
#include "pass/fuse/fuse.h"

/* ---- loops */

int32_t loop_open(fuse *f, int32_t parent, double extent, bool of_results)
{
	if (!mem_room(f->base, (void **)&f->loops, f->nloops, &f->loops_cap, sizeof *f->loops)) {
		f->failed = true;
		return 0;
	}
	const double steps = extent * (f->nloops ? f->loops[parent].steps : 1);
	f->loops[f->nloops] =
		(loop){parent, steps, of_results || !f->nloops ? steps : f->loops[parent].rows};
	return (int32_t)f->nloops++;
}

static site_dim loop_index(int32_t loop, int64_t extent, uint64_t which)
{
	if (extent == 1) return (site_dim){0, 0, true};
	return (site_dim){hash_u64(which, (uint64_t)loop), loop, true};
}

/* ---- sites */

static site *site_room(fuse *f, int ndim)
{
	site *s = arena_alloc(f->scratch, sizeof *s + (size_t)ndim * sizeof *s->dim);

	if (!s)
		f->failed = true;
	else
		s->ndim = ndim;
	return s;
}

static void site_done(site *s, int32_t branch)
{
	s->branch = s->loop = branch;
	s->id = hash_u64((uint64_t)branch, 0);
	for (int d = 0; d < s->ndim; d++) {
		s->id = hash_u64(s->dim[d].id, s->id);
		if (s->dim[d].loop > s->loop) s->loop = s->dim[d].loop;
	}
}

site *site_of_loops(fuse *f, const group *g, const type *t)
{
	site *s = site_room(f, t->ndim);

	if (!s) return NULL;
	for (int d = 0; d < t->ndim; d++) s->dim[d] = loop_index(g->loop[d], t->dims[d], 0);
	site_done(s, 0);
	return s;
}

const site *site_find(const site *s, uint64_t id)
{
	while (s && s->id != id) s = s->next;
	return s;
}

void ask_at(use *u, site *s)
{
	if (site_find(u->sites, s->id)) return;
	s->next = u->sites;
	u->sites = s;
	u->nsites++;
}

/* ---- from a result to its operands */

typedef struct asking {
	fuse *f;
	const eqn *e;
	const site *at;
	unsigned flags;
	int32_t loop; /* of what is reduced; 0: nothing */
	uint64_t salt;
	const factors *factors;
	int value;      /* whose index `at` is: the result, or the operand that is put into it */
	site_dim *of;   /* by factor: the index along it */
	uint64_t known; /* the set of factors that this value has */
} asking;

static const type *operand_type(const asking *a, int i) { return type_of(a->f->p, a->e->in[i]); }

static int factors_of_dim(const factors *f, int value, int dim)
{
	int n = 0;

	for (int i = 0; i < f->nslots; i++) n += f->slot[i].value == value && f->slot[i].dim == dim;
	return n;
}

/* what the index of the result, or of what is put, says of each factor */
static void read_result(asking *a)
{
	const factors *f = a->factors;

	for (int i = 0; i < f->nslots; i++) {
		const int factor = f->slot[i].factor;
		if (f->slot[i].value != a->value) continue;
		a->known |= (uint64_t)1 << factor;
		a->of[factor] = a->at->dim[f->slot[i].dim];
		if (factors_of_dim(f, a->value, f->slot[i].dim) == 1) continue;
		a->of[factor].id = hash_u64(a->of[factor].id, hash_u64((uint64_t)i, a->salt));
		a->of[factor].plain = false;
	}
}

/* The index in an operand, of that of the result; equal windows make equal ones of equal ones.
 * Where one index needs several, other dims of the result say which, or what is reduced does */
static site_dim index_moved(const asking *a, site_dim of, const factor_window *w)
{
	const int64_t parts[] = {w->step, w->low, w->high, w->every};

	if (factor_window_stays(w)) return of;
	if (w->low != w->high)
		of = (site_dim){hash_u64(a->at->id, hash_u64(of.id, a->salt)),
		                a->loop ? a->loop : a->at->loop, false};
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) of.id = hash_u64((uint64_t)parts[i], of.id);
	of.plain = false;
	return of;
}

/* the index along a factor that the result does not have */
static site_dim index_of_new(const asking *a, int operand, int dim, int factor)
{
	const uint64_t salt = hash_u64((uint64_t)operand << 32 | (uint64_t)dim, a->salt);

	if (a->flags & PRIM_REDUCES)
		return loop_index(a->loop, a->factors->size[factor], 1 + (uint64_t)factor);
	if (a->flags & PRIM_ALONG && dim < a->at->ndim)
		return (site_dim){hash_u64(a->at->dim[dim].id, salt), a->at->dim[dim].loop, false};
	return (site_dim){hash_u64(a->at->id, salt), a->at->loop, false};
}

static site_dim index_of_dim(const asking *a, int operand, int dim)
{
	const factors *f = a->factors;
	site_dim to = {0, 0, true};
	bool some = false;

	if (operand_type(a, operand)->dims[dim] == 1) return to;
	if (f->full) return index_of_new(a, operand, dim, 0);
	for (int i = 0; i < f->nslots; i++) {
		if (f->slot[i].value != operand || f->slot[i].dim != dim) continue;
		const int factor = f->slot[i].factor;
		const factor_window *w = factor_window_of(f, i);
		site_dim one = a->known >> factor & 1 ? a->of[factor]
		                                      : index_of_new(a, operand, dim, factor);
		if (w) one = index_moved(a, one, w);
		to = some ? (site_dim){hash_u64(one.id, to.id),
		                       one.loop > to.loop ? one.loop : to.loop, false}
		          : one;
		some = true;
	}
	return to;
}

static void ask_operand(asking *a, int32_t group, int operand)
{
	fuse *f = a->f;
	const type *x = operand_type(a, operand);
	int32_t branch = a->at->branch;
	site *s = site_room(f, x->ndim);
	use *u = use_in(f, group, a->e->in[operand].id);

	if (!s || !u) return;
	if (a->flags & PRIM_BRANCHES) branch = loop_open(f, a->at->loop, 1, false);
	for (int d = 0; d < x->ndim; d++) s->dim[d] = index_of_dim(a, operand, d);
	site_done(s, branch);
	ask_at(u, s);
}

/* elementwise: each operand at the index of the result */
static void ask_here(fuse *f, int32_t group, const eqn *e, const site *at)
{
	for (int i = 0; i < e->nin; i++) {
		if (f->p->vars[e->in[i].id].literal) continue;
		const int ndim = type_of(f->p, e->in[i])->ndim;
		use *u = use_in(f, group, e->in[i].id);
		site *s = site_room(f, ndim);
		if (!s || !u) return;
		if (ndim) memcpy(s->dim, at->dim, (size_t)ndim * sizeof *s->dim);
		site_done(s, at->branch);
		ask_at(u, s);
	}
}

/* operands first .. nin - 1 */
static void ask_operands(fuse *f, int32_t group, const eqn *e, const site *at, int value, int first)
{
	factors rule; /* large, so not cleared */
	site_dim of[MAX_FACTORS];
	asking a = {.f = f,
	            .e = e,
	            .at = at,
	            .flags = e->prim->flags,
	            .factors = &rule,
	            .value = value,
	            .of = of};
	const type **types = arena_array(f->scratch, (size_t)e->nin + 1, sizeof *types);

	if (!types) {
		f->failed = true;
		return;
	}
	for (int i = 0; i < e->nin; i++) types[i] = type_of(f->p, e->in[i]);
	a.salt = hash_str(e->prim->name,
	                  e->prim->params ? params_hash(e->prim->params, e->params) : 0);
	factors_begin(&rule);
	e->prim->factors(e, types, (const type *[]){type_of(f->p, e->out[0])}, &rule);
	if (a.flags & PRIM_REDUCES) a.loop = loop_open(f, at->loop, steps_of(f->p, e), false);
	read_result(&a);
	for (int i = first; i < e->nin && !f->failed; i++)
		if (!f->p->vars[e->in[i].id].literal) ask_operand(&a, group, i);
}

void sites_ask(fuse *f, int32_t group, const eqn *e, const site *at)
{
	if (e->prim->flags & PRIM_ELEMENTWISE)
		ask_here(f, group, e, at);
	else
		ask_operands(f, group, e, at, e->nin, 0);
}

void sites_ask_put(fuse *f, int32_t group, const eqn *e, const site *at)
{
	use *into = use_in(f, group, e->in[0].id);

	if (!into) return;
	into->held = true;
	ask_operands(f, group, e, at, e->nin - 1, 1);
}
