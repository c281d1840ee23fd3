/* worth.c - whether a program is worth compiling: what interpreting it costs, and what compiling.
 *
 * Example, vectors of 32 bytes:
 *
 *     f(%0: f32[8]) -> f32[8] {
 *       %1: f32[8] = scan %0 length=1000 consts=0 carry=1 unroll=1
 *         body=half(%0: f32[8]) -> f32[8] {
 *         %1: f32[8] = mul %0 0.5:f32
 *         return %1
 *       }
 *       %2: f32[8] = scan %1 length=10 consts=0 carry=1 unroll=1
 *         body=half(%0: f32[8]) -> f32[8] {
 *         %1: f32[8] = mul %0 0.5:f32
 *         return %1
 *       }
 *       return %2
 *     }
 *
 * Interpreting it takes 1,010 products. Compiling it takes one kernel, since the two are equal:
 *
 *     interpreted: 117.9 us
 *     compiled: 2.06 ms, 1 kernel
 *
 * Inner programs count once for each place where they stand, but each is walked once: a program
 * may hold another one in two places, that one a third, and so on, so that a walk of all places
 * would take 2^depth steps. */
#include "engine/cpu/cpu.h"

/* how often its inner programs run */
static double times_inside(const eqn *e)
{
	if (e->prim == &tsr__prim_scan) return (double)((const scan_params *)e->params)->length;
	return e->prim == &tsr__prim_while ? TUNE_WHILE_TURNS : 1;
}

static bool add_equation(const target *on, const program *p, const eqn *e, weight *w)
{
	matrix_product product;
	weight inside;

	w->ns += eval_ns(on, p, e);
	w->by_library = w->by_library || maker_of(on, p, e, &product) != BY_KERNEL ||
	                library_calls(on, p, e);
	for (inner k = {0}; inner_next(e->prim, e->params, &k);) {
		if (!program_weight(on, k.program, &inside)) return false;
		w->ns += times_inside(e) * inside.ns;
		w->equations += inside.equations;
		w->by_library = w->by_library || inside.by_library;
	}
	return true;
}

bool program_weight(const target *on, const program *p, weight *w)
{
	memo m;
	bool ok = true;

	*w = (weight){.equations = p->neqns};
	if (memo_begin(&m, "weigh", p, MEMO_PARTS({&on, sizeof on}), w, sizeof *w)) {
		for (int i = 0; ok && i < p->neqns; i++) ok = add_equation(on, p, &p->eqns[i], w);
		if (ok) m.to[0] = (program *)(uintptr_t)p;
		if (ok) program_retain(p);
	}
	program *known = memo_end(&m);
	program_release(known);
	return known;
}

/* ---- what compiling costs: nanoseconds of one thread, measured with kernels of 1 to 200
 * equations, from which single ones differ by a factor of 3 either way */

typedef struct pricing {
	const target *target;
	table seen; /* by hash: kernels, and programs that were walked */
	price sum;
	bool ok;
} pricing;

static bool same_hash(const void *entry, const void *key)
{
	(void)entry, (void)key;
	return true;
}

static bool is_first(pricing *w, uint64_t hash)
{
	static char seen;

	if (table_find(&w->seen, hash, same_hash, NULL)) return false;
	w->ok = table_add(&w->seen, hash, &seen) && w->ok;
	return true;
}

static void price_eqn(price *to, const eqn *e)
{
	const bool product = e->prim == &tsr__prim_dot_general;

	to->ns += product           ? TUNE_PRICE_PRODUCT
	          : is_reduction(e) ? TUNE_PRICE_REDUCTION
	                            : TUNE_PRICE_EQUATION;
}

static uint64_t hash_of_kernel(const program *p, const eqn *e)
{
	uint64_t hash = hash_str(e->prim->name, 0);

	if (e->prim->params) hash = params_hash(e->prim->params, e->params) ^ hash;
	for (int i = 0; i < e->nin; i++) hash = hash_u64(type_of(p, e->in[i])->hash, hash);
	return hash;
}

static void price_kernel(pricing *w, const program *p, const eqn *e)
{
	const program *call =
		e->prim == &tsr__prim_call ? ((const call_params *)e->params)->program : NULL;

	if (!is_first(w, call ? program_hash(call) : hash_of_kernel(p, e))) return;
	w->sum.kernels++;
	w->sum.ns += TUNE_PRICE_KERNEL;
	if (!call) price_eqn(&w->sum, e);
	for (int i = 0; call && i < call->neqns; i++) price_eqn(&w->sum, &call->eqns[i]);
}

static void price_program(pricing *w, const program *p)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		matrix_product product;
		if (maker_of(w->target, p, e, &product) != BY_KERNEL || is_called(e)) continue;
		if (e->prim == &tsr__prim_call || !prim_holds_programs(e->prim)) {
			price_kernel(w, p, e);
			continue;
		}
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (is_first(w, program_hash(k.program))) price_program(w, k.program);
	}
}

bool program_price(const target *on, const program *fused, price *to)
{
	pricing w = {.target = on, .seen = {.base = fused->ir->base}, .ok = true};

	price_program(&w, fused);
	table_free(&w.seen, NULL);
	*to = w.sum;
	return w.ok;
}
