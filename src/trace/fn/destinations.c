/* destinations.c - checks the places for the results of a call (slots for handles, owned slots, the
 * caller's memory), and gives them the results.
 *
 * Example:
 *
 *     float row[3] = {1, 2, 3};
 *     tsr_fn *f = tsr_jit(ctx, swap);
 *     tsr_call_into(TSR_OUT(&y, TSR_INTO(row, TSR_F32, TSR_DIMS(3))), f, x, x);
 *
 * The second result has four elements. All that can be wrong with places is found before the call
 * runs, so that no place has a new value beside others that have old ones:
 *
 *     y: poison, row: 1 2 3, ..: result 1 of swap is f32[4], and the memory for it f32[3] */
#include "trace/trace.h"

static bool is_memory(const tsr_out *out) { return out->own == TSR_PLACE_MEMORY; }

/* ---- do they fit? */

static bool memory_read(const call_site *s, arena *scratch, size_t i, const tsr_out *out,
                        const caller_memory **to)
{
	base *bs = &s->ctx->base;
	tsr_into_args *own = arena_alloc(scratch, sizeof *own);
	caller_memory *m = arena_alloc(scratch, sizeof *m);

	if (!own || !m) return false;
	*own = (tsr_into_args){.size = sizeof *own};
	const tsr_into_args *a =
		keywords_read(s->ctx, s->where, "tsr_into_args", own, sizeof *own, out->memory);
	if (!a) return false;
	if (!dtype_ok(a->dtype))
		return fail(bs, s->where, TSR_ERROR_ARGUMENT,
		            "the memory for result %zu of %s has no dtype: %d is none", i, s->op,
		            (int)a->dtype);
	if (!dims_ok(s, "the dims of TSR_INTO", &a->dims, true) ||
	    !dims_match(s, ".strides", &a->strides, dims_count(&a->dims), false))
		return false;
	if (!element_fits(s->ctx, s->where, s->op, a->element, a->dtype)) return false;
	int64_t bytes;
	if (!dims_bytes(a->dtype, dims_of(&a->dims), dims_count(&a->dims), &bytes))
		return fail(bs, s->where, TSR_ERROR_ARGUMENT,
		            "the memory for result %zu of %s: a dim is negative, or the whole too "
		            "large",
		            i, s->op);
	if (!a->data && bytes)
		return fail(bs, s->where, TSR_ERROR_ARGUMENT,
		            "the memory for result %zu of %s is NULL", i, s->op);
	m->type = type_make(&s->ctx->ir, a->dtype, dims_of(&a->dims), dims_count(&a->dims), 0);
	m->data = a->data;
	m->strides = dims_given(&a->strides) ? dims_of(&a->strides) : NULL;
	*to = m;
	return m->type && memory_measure(s->ctx, s->where, s->op, m);
}

/* dense results are made in their places at once, so that one would be in the other's way */
static bool memories_apart(const call_site *s, const places *p)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < i; k++)
			if (p->memory[i] && p->memory[k] && !p->memory[i]->strides &&
			    !p->memory[k]->strides &&
			    memory_overlaps(p->memory[i], p->memory[k]))
				return fail(&s->ctx->base, s->where, TSR_ERROR_ARGUMENT,
				            "the memory for result %zu of %s overlaps that for "
				            "result %zu",
				            i, s->op, k);
	return true;
}

static bool memories_read(const call_site *s, arena *scratch, places *p)
{
	size_t many = 0;

	for (size_t i = 0; i < p->n; i++) many += is_memory(&p->out[i]);
	if (!many) return true;
	if (in_trace(s->ctx))
		return fail(&s->ctx->base, s->where, TSR_ERROR_HANDLE,
		            "the results of %s are not known while a body is traced, so no memory "
		            "can have them: take them as handles, return them, and give the memory "
		            "to the call outside",
		            s->op);
	if (!(p->memory = arena_array(scratch, p->n, sizeof *p->memory))) return false;
	for (size_t i = 0; i < p->n; i++)
		if (is_memory(&p->out[i]) &&
		    !memory_read(s, scratch, i, &p->out[i], &p->memory[i]))
			return false;
	return memories_apart(s, p);
}

static size_t leaves_of(const tsr_out *out) { return is_memory(out) ? 1 : out->to.count; }

/* a place of a result that is not wanted has as many leaves as the result */
static bool unwanted_counted(arena *scratch, places *p, const result_shape *shape)
{
	tsr_out *own = NULL;

	for (size_t i = 0; i < p->n; i++) {
		if (p->out[i].own != TSR_PLACE_NONE) continue;
		if (!own && !(own = arena_copy(scratch, p->out, p->n * sizeof *own))) return false;
		own[i].to = (tsr_tree){.leaf = NULL, .count = (size_t)shape->count[i]};
	}
	if (own) p->out = own;
	return true;
}

bool places_fit(const call_site *s, arena *scratch, places *p, const result_shape *shape)
{
	base *bs = &s->ctx->base;

	if (p->n != (size_t)shape->n)
		return fail(bs, s->where, TSR_ERROR_ARGUMENT,
		            "%s returns %d results, and there are %zu places for them", s->op,
		            shape->n, p->n);
	if (p->n && !p->out) return fail_op(s, TSR_ERROR_ARGUMENT, "the list of places is NULL");
	if (!unwanted_counted(scratch, p, shape)) return false;
	for (size_t i = 0; i < p->n; i++) {
		const tsr_out *out = &p->out[i];
		if (out->own == TSR_PLACE_NONE) continue;
		if (is_memory(out) ? !out->memory : out->to.count && !out->to.leaf)
			return fail(bs, s->where, TSR_ERROR_ARGUMENT,
			            "the place for result %zu of %s is NULL", i, s->op);
		if (!is_memory(out) && !tree_type_ok(s, out->to.type)) return false;
		if (leaves_of(out) != (size_t)shape->count[i])
			return fail(bs, s->where, TSR_ERROR_ARGUMENT,
			            "result %zu of %s has %d leaves, and its place %zu", i, s->op,
			            shape->count[i], leaves_of(out));
	}
	return memories_read(s, scratch, p);
}

const caller_memory *places_memory(const places *p, int leaf)
{
	size_t i = 0, at = 0;

	if (!p->memory) return NULL;
	for (; i < p->n && at + leaves_of(&p->out[i]) <= (size_t)leaf; i++)
		at += leaves_of(&p->out[i]);
	return i < p->n ? p->memory[i] : NULL;
}

static bool memory_fits(const call_site *s, size_t i, const caller_memory *m, const type *t)
{
	const type *u = m->type;

	if (t && t->dtype == u->dtype && dims_same(t->dims, t->ndim, u->dims, u->ndim)) return true;
	str is = {.base = &s->ctx->base}, given = is;
	if (t) type_text(&is, t, NULL, 0);
	type_text(&given, u, NULL, 0);
	fail(&s->ctx->base, s->where, TSR_ERROR_TYPE,
	     "result %zu of %s is %s, and the memory for it %s%s", i, s->op,
	     !t ? "absent" : is.s ? is.s : "?", given.s ? given.s : "?",
	     t && t->dtype != u->dtype
	             ? "; TSR_INTO converts nothing: use tsr_astype in the body, or "
	               "tsr_read_into with .dtype on a handle"
	             : "");
	str_free(&is);
	str_free(&given);
	return false;
}

bool places_typed(const call_site *s, const places *p, const type *const *types)
{
	size_t at = 0;

	for (size_t i = 0; p->memory && i < p->n; at += leaves_of(&p->out[i++]))
		if (p->memory[i] && !memory_fits(s, i, p->memory[i], types[at])) return false;
	return true;
}

static bool results_typed(const call_site *s, arena *scratch, const places *p, const results *r)
{
	if (!p->memory) return true;
	const type **types = arena_array(scratch, (size_t)r->n + 1, sizeof *types);
	for (int i = 0; types && i < r->n; i++)
		types[i] = r->leaf[i] ? handle_type(r->leaf[i]) : NULL;
	return types && places_typed(s, p, types);
}

/* ---- giving */

void places_poison(const places *p, tsr *poison)
{
	for (size_t i = 0; p->out && i < p->n; i++) {
		const tsr_tree *to = &p->out[i].to;
		if (p->out[i].own != TSR_PLACE_SCOPE || !to->leaf) continue;
		for (size_t k = 0; k < to->count; k++) to->leaf[k] = poison;
	}
}

/* Makes the handles of all owned results before any slot changes, so that without memory all slots
 * keep what they hold. */
static bool twins_make(arena *scratch, const places *p, tsr *const *result, tsr ***twin)
{
	size_t n = 0, made = 0;

	for (size_t i = 0; i < p->n; i++) n += leaves_of(&p->out[i]);
	*twin = arena_array(scratch, n + 1, sizeof **twin);
	bool ok = *twin;
	for (size_t i = 0; ok && i < p->n; i++)
		for (size_t k = 0; ok && k < leaves_of(&p->out[i]); k++, made++)
			if (p->out[i].own == TSR_PLACE_OWN && result[made])
				ok = handle_own(handles_of(result[made]), &(*twin)[made],
				                result[made]);
	for (size_t i = 0; !ok && *twin && i < made; i++) handle_drop(&(*twin)[i]);
	return ok;
}

static array *array_of(const tsr *h) { return h ? handle_slot_of(h)->payload : NULL; }

static bool is_in_the_way(const places *p, const array *a, const caller_memory *own)
{
	bool meets = false;

	for (size_t i = 0; i < p->n && !meets; i++)
		meets = p->memory[i] && memory_meets(p->memory[i], a);
	return meets && !(own && memory_holds(own, a));
}

/* Results may have memory of the caller's that others go to: an operand that is returned as it is,
 * a result that is wanted twice. They get memory of their own before anything is written */
static bool results_apart(const call_site *s, const places *p, results *r)
{
	for (int i = 0; i < r->n; i++) {
		array *a = array_of(r->leaf[i]);
		if (!a || !is_in_the_way(p, a, places_memory(p, i))) continue;
		r->leaf[i] = handle_of_array(s->ctx, array_apart(a));
		if (handle_is_poison(r->leaf[i])) return false;
	}
	return true;
}

static bool memories_give(const call_site *s, const places *p, const results *r)
{
	for (int i = 0; i < r->n; i++) {
		const caller_memory *m = places_memory(p, i);
		const array *a = array_of(r->leaf[i]);
		if (m && !memory_holds(m, a) && !array_to_host(s->where, a, m->data, m->strides))
			return false;
	}
	return true;
}

static bool is_given(const places *p, const results *r, const tsr *h)
{
	for (int i = 0; i < r->n; i++)
		if (r->leaf[i] == h && !places_memory(p, i)) return true;
	return false;
}

/* handles that no place gets: their arrays would live until the scope ends */
static void end_rest(const places *p, const results *r, tsr *const *before)
{
	for (int i = 0; i < r->n; i++) {
		tsr *const made[] = {before[i], r->leaf[i]};
		for (int k = 0; k < 2; k++)
			if (handle_live(made[k]) && !is_given(p, r, made[k])) handle_end(made[k]);
	}
}

static bool give_memory(const call_site *s, arena *scratch, const places *p, results *r)
{
	if (!p->memory) return true;
	tsr **before = arena_copy(scratch, r->leaf, (size_t)r->n * sizeof *before);
	if (!before || !results_apart(s, p, r)) return false;
	const bool ok = memories_give(s, p, r);
	end_rest(p, r, before);
	return ok;
}

static void give_handles(const places *p, tsr *const *result, tsr *const *twin)
{
	size_t at = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < leaves_of(&p->out[i]); k++, at++) {
			if (is_memory(&p->out[i]) || p->out[i].own == TSR_PLACE_NONE) continue;
			tsr **slot = &p->out[i].to.leaf[k];
			if (p->out[i].own) handle_drop(slot);
			*slot = p->out[i].own ? twin[at] : result[at];
		}
}

bool places_give(const call_site *s, arena *scratch, const places *p, results *r)
{
	tsr **twin;
	size_t n = 0;

	if (!twins_make(scratch, p, r->leaf, &twin)) return false;
	if (give_memory(s, scratch, p, r)) {
		give_handles(p, r->leaf, twin);
		return true;
	}
	for (size_t i = 0; i < p->n; i++) n += leaves_of(&p->out[i]);
	for (size_t i = 0; i < n; i++) handle_drop(&twin[i]);
	return false;
}

void results_into(const call_site *s, arena *scratch, bool ok, const tsr_out *outs, size_t nout,
                  results *r)
{
	places p = {outs, nout, NULL};

	if (!ok || !places_fit(s, scratch, &p, &r->shape) || !results_typed(s, scratch, &p, r) ||
	    !places_give(s, scratch, &p, r))
		places_poison(&p, poison_of(s->ctx));
}
