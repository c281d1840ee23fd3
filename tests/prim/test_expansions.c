/* test_expansions.c - rows made of others (src/program/expand.c): their scalar programs consist of
 * rows that are not, and strips of elements give the same as single elements. Expanded, no row
 * calls a function of another library. */
#include "kernel/kernel_rig.h"
#include "pass/pass.h"

enum { MOST = 600, OPERANDS = 3 };

typedef struct law {
	rig *r;
	const tsr_prim *prim;
	tsr_dtype dtype;
} law;

/* one equation on arrays of n elements, n 0: on scalars; operand `number` is a scalar. NULL: the
 * row does not take this dtype, or there is no memory */
static program *equation(const law *l, int64_t n, int number)
{
	build *b = build_begin(&l->r->ir, "f", NULL, 0);
	const integer_pow_params power = {-3};
	const precision_params precision = {5, 3};
	const void *params = l->prim == &tsr__prim_integer_pow       ? (const void *)&power
	                     : l->prim == &tsr__prim_reduce_precision ? &precision
	                                                              : NULL;
	var x[OPERANDS], y;

	bool ok = b && (!l->prim->params || params);

	for (int i = 0; ok && i < l->prim->nin; i++) {
		double value[2] = {2.5, 0.25};
		const type *t = type_make(&l->r->ir, l->dtype, &n, n && i != number, 0);
		char bytes[16];
		dtype_convert(l->dtype, bytes, TSR_C128, value, 1);
		x[i] = (var){0};
		if (t) x[i] = i == number ? build_literal(b, l->dtype, bytes) : build_input(b, t);
		ok = x[i].id;
	}
	if (ok && build_eqn(b, l->prim, params, x, l->prim->nin, &y, NULL))
		return build_end(b, &y, 1);
	error_clear(&l->r->base);
	build_abandon(b);
	return NULL;
}

static void is_of_other_rows(const program *p)
{
	assert_true(p->neqns > 0);
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		bool depends = false; /* on an operand, so that its elements are those of arrays */
		for (int k = 0; k < e->nin; k++) depends |= !p->vars[e->in[k].id].literal;
		if (!depends || eqn_expansion(e) || !e->prim->eval || !e->prim->lower ||
		    e->nout != 1 || type_of(p, e->out[0])->ndim)
			fail_msg("%s has %s, which is no step of it", p->name, e->prim->name);
	}
}

/* the kernel of the expanded program consists of operations that kernels have */
static void calls_nothing(const program *p)
{
	bool fits;
	program *expanded = pass_expand(p);
	kernel *k = kernel_lower(expanded, &fits);

	assert_true(k);
	for (int i = 0; i < k->nnodes; i++)
		if (k->nodes[i].op == K_CALL)
			fail_msg("%s calls %s", p->eqns[0].prim->name,
			         kfn_name((kfn)k->nodes[i].bits));
	kernel_free(k);
	program_release(expanded);
}

static void eval_some(const program *p, const char *const *x, int64_t at, int64_t end, char *y)
{
	const eqn *e = &p->eqns[0];
	const type *in[OPERANDS], *out = type_of(p, e->out[0]);
	const void *from[OPERANDS];

	for (int i = 0, k = 0; i < e->nin; i++) {
		const var_info *v = &p->vars[e->in[i].id];
		in[i] = v->type;
		if ((from[i] = v->literal)) continue;
		from[i] = x[k++] + at * (int64_t)tsr_dtype_size(v->type->dtype);
	}
	void *scratch = block_make(eqn_scratch(e, in));
	eqn_eval(&(eval_args){.eqn = e, .in = in, .out = &out, .n = 1, .x = from,
	                      .y = (void *[]){y}, .scratch = scratch, .end = end});
	free(scratch);
}

/* strips of elements, the last one not whole, and elements one by one */
static void strips_agree(const law *l, int64_t n, int number)
{
	program *all = equation(l, n, number), *one = equation(l, 0, number);
	char *x[OPERANDS], *y = block_make(16 * MOST), *alone = block_make(16);
	const type *t = type_of(all, all->out[0]);
	const size_t size = tsr_dtype_size(t->dtype);
	uint64_t seed = 7;

	for (int i = 0; i < all->nin; i++) {
		x[i] = block_make(type_bytes(type_of(all, all->in[i])));
		fill_hard(l->dtype, x[i], n, &seed);
	}
	eval_some(all, (const char *const *)x, 0, 0, y);
	for (int64_t i = 0; i < n; i++) {
		eval_some(one, (const char *const *)x, i, 0, alone);
		if (first_difference(type_of(one, one->out[0]), y + (size_t)i * size, alone) >= 0)
			fail_msg("%s: element %lld of %lld", l->prim->name, (long long)i,
			         (long long)n);
	}
	for (int i = 0; i < all->nin; i++) free(x[i]);
	free(y);
	free(alone);
	program_release(all);
	program_release(one);
}

static void expansions(void **state)
{
	static const int64_t sizes[] = {1, 255, 256, 257, MOST};
	int n = 0;

	for (int k = 0; k < all_prims_count; k++)
		for (int d = TSR_BOOL; d <= TSR_C128; d++) {
			const law l = {*state, all_prims[k], (tsr_dtype)d};
			if (!(l.prim->flags & PRIM_ELEMENTWISE) || l.prim->nin > OPERANDS) continue;
			program *p = equation(&l, 3, -1);
			const eqn *e = p ? &p->eqns[0] : NULL;
			if (e && eqn_expansion(e)) is_of_other_rows(eqn_expansion(e));
			if (e && (e->prim->lower || eqn_steps(e))) calls_nothing(p);
			for (size_t i = 0; e && e->expansion && i < ARRAY_LEN(sizes); i++)
				for (int number = -1; number < (e->nin > 1 ? e->nin : 0); number++)
					strips_agree(&l, sizes[i], number);
			n += e && e->expansion;
			program_release(p);
		}
	assert_true(n > 40);
}

/* while an expansion is made each allocation in turn fails: an error, and nothing else */
static bool made_without(const tsr_prim *prim, tsr_dtype dtype, int64_t n)
{
	void *state;

	assert_int_equal(rig_open(&state), 0);
	const law l = {state, prim, dtype};
	l.r->base.mem.fail_at = n;
	program *p = equation(&l, 3, -1);
	const bool refused = l.r->base.mem.fail_at > 0;
	l.r->base.mem.fail_at = -1;
	program_release(p);
	assert_int_equal(rig_close(&state), 0);
	return refused;
}

static void allocations_may_fail(void **state)
{
	static const tsr_dtype dtypes[] = {TSR_I8, TSR_F16, TSR_C64};
	int n = 0;

	for (int k = 0; k < all_prims_count; k++)
		for (size_t d = 0; d < ARRAY_LEN(dtypes); d++) {
			const law l = {*state, all_prims[k], dtypes[d]};
			if (!l.prim->expand && !l.prim->prepare) continue;
			program *p = equation(&l, 3, -1);
			const bool expands = p && p->eqns[0].expansion;
			program_release(p);
			int64_t i = 1;
			while (expands && !made_without(l.prim, l.dtype, i)) i += 1 + i / 16;
			assert_true(i < 100000);
			n += expands;
		}
	assert_true(n > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expansions),
		cmocka_unit_test(allocations_may_fail),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
