/* grammar_call.c - the C function that drawn callbacks call. */
#include <math.h>
#include "grammar.h"

uint64_t grammar_calls;

/* of numbers: all NaNs are alike */
static uint64_t hash_of(const tsr_host_type *t, const char *x, uint64_t hash)
{
	const tsr_dtype part = dtype_real(t->dtype);
	const size_t item = tsr_dtype_size(part);
	const int64_t n = t->size * (part == t->dtype ? 1 : 2);

	for (int64_t i = 0; i < n; i++) {
		const char *at = x + (size_t)i * item;
		const bool is_nan = dtype_kind(part) == KIND_FLOAT && isnan(dtype_get(part, at, 0));
		hash = is_nan ? hash_u64(7, hash) : hash_bytes(at, item, hash);
	}
	return hash;
}

/* small whole numbers */
static void fill(const tsr_host_type *t, char *y, uint64_t hash)
{
	const bool is_complex = dtype_kind(t->dtype) == KIND_COMPLEX;

	for (int64_t i = 0; i < t->size; i++) {
		const uint64_t bits = hash_u64((uint64_t)i, hash);
		const double parts[2] = {(double)(bits % 5), (double)(bits / 5 % 5)};
		dtype_convert(t->dtype, y + (size_t)i * tsr_dtype_size(t->dtype),
		              is_complex ? TSR_C128 : TSR_F64, parts, 1);
	}
}

static bool called(const tsr_host_call *c)
{
	uint64_t hash = c->nin;

	for (size_t i = 0; i < c->nin; i++) hash = hash_of(&c->in_type[i], c->in[i], hash);
	for (size_t i = 0; i < c->nout; i++) fill(&c->out_type[i], c->out[i], hash + i);
	if (c->user) grammar_calls = hash_u64(hash, grammar_calls);
	return true;
}

void draw_function(callback_params *p)
{
	p->function = (host_function){(void (*)(void))called,
	                              p->effect == CALLBACK_PURE ? NULL : &grammar_calls,
	                              "called"};
}

bool has_callbacks(const program *p)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (e->prim == &tsr__prim_callback) return true;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (has_callbacks(k.program)) return true;
	}
	return false;
}
