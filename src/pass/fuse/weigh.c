/* weigh.c - estimates the work of computing a value anew, from values that are likely to be stored:
 * a walk from the first equation to the last, before groups are known.
 *
 *     pass fuse
 *     f(%0: f32[64]) -> f32[64], f32[64] {
 *       %1: f32[64] = exp %0
 *       %2: f32[64] = add %1 %0
 *       %3: f32[64] = rev %1 dims=[0]
 *       %4: f32[64] = mul %2 %3
 *       %5: f32[64] = rev %2 dims=[0]
 *       return %4 %5
 *     }
 *     gives
 *     f(%0: f32[64]) -> f32[64], f32[64] {
 *       %1: f32[64], %2: f32[64] = call %0 program=exp(%0: f32[64]) -> f32[64], f32[64] {
 *         %1: f32[64] = exp %0
 *         %2: f32[64] = add %1 %0
 *         %3: f32[64] = rev %1 dims=[0]
 *         %4: f32[64] = mul %2 %3
 *         return %1 %4
 *       }
 *       %3: f32[64] = call %1 %0 program=rev(%0: f32[64], %1: f32[64]) -> f32[64] {
 *         %2: f32[64] = add %0 %1
 *         %3: f32[64] = rev %2 dims=[0]
 *         return %3
 *       }
 *       return %2 %3
 *     }
 *
 * The exponential weighs 12 and has several users, so it is likely to be stored. From there the sum
 * weighs 1, and each of its users computes it. */
#include "pass/fuse/fuse.h"

static bool likely_stored(const fuse *f, int32_t var)
{
	const int32_t maker = f->maker[var];

	return !maker || f->cut[var] || f->kind[maker - 1] == EQN_ALONE ||
	       f->p->eqns[maker - 1].prim->put ||
	       (f->weight[var] > f->target->light && (f->consumers[var] > 1 || f->result[var]));
}

/* ---- leaves: the stored values that a value is computed from */

static leaves leaves_of(const fuse *f, const int32_t *var)
{
	if (f->p->vars[*var].literal) return (leaves){0, NULL};
	return likely_stored(f, *var) ? (leaves){1, var} : f->leaves[*var];
}

/* both lists rise; to has room for TUNE_KERNEL_LEAVES + 1 */
static int join_leaves(int32_t *to, const int32_t *a, int na, const leaves *b)
{
	int n = 0, i = 0, j = 0;

	while ((i < na || j < b->n) && n <= TUNE_KERNEL_LEAVES) {
		if (j == b->n || (i < na && a[i] < b->var[j]))
			to[n++] = a[i++];
		else {
			i += i < na && a[i] == b->var[j];
			to[n++] = b->var[j++];
		}
	}
	return n;
}

static void find_leaves(fuse *f, const eqn *e)
{
	const int32_t var = e->out[0].id;
	int32_t lists[2][TUNE_KERNEL_LEAVES + 1];
	int n = 0, now = 0;

	for (int i = 0; i < e->nin && n <= TUNE_KERNEL_LEAVES; i++) {
		const leaves x = leaves_of(f, &e->in[i].id);
		n = join_leaves(lists[!now], lists[now], n, &x);
		now = !now;
	}
	if (n > TUNE_KERNEL_LEAVES) {
		f->cut[var] = true;
		return;
	}
	int32_t *own = arena_copy(f->scratch, lists[now], (size_t)n * sizeof *own);
	if (!own) f->failed = true;
	f->leaves[var] = (leaves){own ? n : 0, own};
}

int wide_leaves(const fuse *f, int32_t var)
{
	const leaves *l = &f->leaves[var];
	int n = f->cut[var] ? TUNE_KERNEL_LEAVES : 0;

	for (int i = 0; i < l->n; i++) n += is_wide(f, l->var[i], fuse_type(f, var));
	return n;
}

/* ---- weights */

bool is_wide(const fuse *f, int32_t var, const type *beside)
{
	const type *t = fuse_type(f, var);

	return t->ndim && t->size * 8 >= beside->size;
}

static void weigh_eqn(fuse *f, const eqn *e)
{
	const type *y = type_of(f->p, e->out[0]);
	const double times = is_reduction(e) ? steps_of(f->p, e) : 1;
	double weight = element_cost(f->p, e);

	for (int i = 0; i < e->nin; i++) {
		const int32_t x = e->in[i].id;
		if (!likely_stored(f, x) && (is_wide(f, x, y) || !y->ndim))
			weight += times * f->weight[x];
	}
	f->weight[e->out[0].id] = weight;
	find_leaves(f, e);
	for (int k = 1; k < e->nout; k++) {
		const int32_t one = e->out[0].id, other = e->out[k].id;
		f->weight[other] = weight;
		f->leaves[other] = f->leaves[one];
		f->cut[other] = f->cut[one];
	}
}

void weigh(fuse *f)
{
	for (int i = 0; i < f->p->neqns && !f->failed; i++)
		if (f->kind[i] != EQN_ALONE) weigh_eqn(f, &f->p->eqns[i]);
}
