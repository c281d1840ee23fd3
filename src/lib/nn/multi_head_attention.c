/* multi_head_attention.c - a layer of attention: flax's MultiHeadDotProductAttention
 * (flax/linen/attention.py), with fewer heads of keys and values than of queries, rotary embedding
 * and a cache. */
#include <math.h>
#include "lib/linalg/products.h"
#include "lib/nn/attention.h"
#include "lib/nn/layers.h"

/* the operands, which have one dtype; those behind OUT may be NULL */
enum {
	X, QUERY, KEY, VALUE, OUT, KEY_INPUT, VALUE_INPUT, QUERY_BIAS, KEY_BIAS, VALUE_BIAS,
	OUT_BIAS, KEY_CACHE, VALUE_CACHE, OPERANDS
};

typedef struct layer {
	call_site site;
	const tsr_multi_head_args *keywords;
	tsr *x[OPERANDS];
	tsr *position; /* an integer; NULL: 0 */
} layer;

_Static_assert((int)OPERANDS <= (int)LAYER_OPERANDS, "they are converted together");

/* have all of them three dims, and features that fit? */
static bool kernels_fit(const layer *l)
{
	static const int inputs[] = {X, KEY_INPUT, VALUE_INPUT};
	const type *q = handle_type(l->x[QUERY]), *out = handle_type(l->x[OUT]);
	tsr *const ends[] = {l->x[QUERY], l->x[OUT]};

	for (int i = 0; i < 3; i++) {
		tsr *const pair[] = {l->x[inputs[i]], l->x[QUERY + i]};
		const type *x = handle_type(pair[0]), *kernel = handle_type(pair[1]);
		if (x->ndim != 3 || kernel->ndim != 3 || x->dims[2] != kernel->dims[0])
			return fail_types(&l->site, "takes [batch, length, features] and a kernel "
			                  "[features, heads, head], not", pair, 2);
	}
	return (out->ndim == 3 && dims_same(q->dims + 1, 2, out->dims, 2)) ||
	       fail_types(&l->site, "takes a query [features, heads, head] and an out [heads, "
	                  "head, features], not", ends, 2);
}

static bool biases_fit(const layer *l)
{
	static const char *const names[] = {".query_bias", ".key_bias", ".value_bias", ".out_bias"};

	for (int i = 0; i < 4; i++) {
		tsr *bias = l->x[QUERY_BIAS + i];
		const bool last = i == 3;
		const int64_t *dims = handle_type(l->x[last ? OUT : QUERY + i])->dims;
		if (bias && !parameter_fits(&l->site, names[i], bias, dims + 1 + last, 2 - last))
			return false;
	}
	return true;
}

static bool read_position(layer *l)
{
	const tsr_arg *given = &l->keywords->position;

	if (!keyword_operand(&l->site, ".position", given)) return false;
	if (!given_arg(given)) return true;
	l->position = operand_alone(&l->site, given);
	if (handle_is_poison(l->position)) return false;
	const type *t = handle_type(l->position);
	const enum dtype_kind kind = dtype_kind(t->dtype);
	return (t->ndim == 0 && (kind == KIND_INT || kind == KIND_UINT)) ||
	       fail_op(&l->site, TSR_ERROR_ARGUMENT, ".position must be an integer scalar");
}

static bool read_layer(layer *l, const tsr_multi_head_args *a, tsr *const given[5])
{
	tsr *const x[OPERANDS] = {
		given[0], given[1], given[2], given[3], given[4], a->key_input, a->value_input,
		a->query_bias, a->key_bias, a->value_bias, a->out_bias, a->key_cache,
		a->value_cache};

	l->keywords = a;
	memcpy(l->x, x, sizeof x);
	if (!layer_operands(&l->site, TSR_DTYPE_DEFAULT, l->x, OPERANDS, OUT + 1)) return false;
	if (dtype_kind(handle_type(l->x[X])->dtype) == KIND_COMPLEX)
		return fail(&l->site.ctx->base, l->site.where, TSR_ERROR_TYPE,
		            "%s does not accept dtype %s", l->site.op,
		            tsr_dtype_name(handle_type(l->x[X])->dtype));
	if (!l->x[KEY_INPUT]) l->x[KEY_INPUT] = l->x[X];
	if (!l->x[VALUE_INPUT]) l->x[VALUE_INPUT] = l->x[KEY_INPUT];
	if (!kernels_fit(l) || !biases_fit(l) || !read_position(l)) return false;
	return !a->key_cache == !a->value_cache ||
	       fail_op(&l->site, TSR_ERROR_ARGUMENT, ".key_cache and .value_cache go together");
}

/* [batch, length, heads, head]; which: QUERY, KEY or VALUE */
static tsr *heads_of(const layer *l, int which)
{
	const char *where = l->site.where;
	tsr *const pair[] = {l->x[which == QUERY ? X : KEY_INPUT + which - KEY], l->x[which]};
	tsr *y = einsum_of(&l->site, "btf,fnh->btnh", pair, 2, 0);
	tsr *bias = l->x[QUERY_BIAS + which - QUERY];
	const double base = which == VALUE ? 0 : l->keywords->rotary;
	const tsr_arg position = l->position ? HANDLE(l->position) : TSR_NONE;

	y = add_bias(&l->site, y, bias);
	return base != 0 ? rotated(&l->site, y, &position, base) : y;
}

/* the cache with the rows at their position; NULL: there is none */
static tsr *written(const layer *l, int cache, tsr *rows)
{
	const char *where = l->site.where;
	tsr *const pair[] = {l->x[cache], rows};

	if (!l->x[cache] || handle_is_poison(rows)) return rows;
	const type *t = handle_type(l->x[cache]), *new = handle_type(rows);
	if (t->ndim != 4 || t->dims[0] != new->dims[0] || t->dims[1] < new->dims[1] ||
	    t->dims[2] != new->dims[2] || t->dims[3] != new->dims[3]) {
		fail_types(&l->site, "takes a cache [batch, length, kv_heads, head] that has room "
		           "for the new rows, not", pair, 2);
		return poison_of(l->site.ctx);
	}
	return tsr_dynamic_update_at(where, l->x[cache], rows, 1,
	                             l->position ? HANDLE(l->position) : INT(0));
}

/* where in the cache the first row is: not behind where the last one would leave it */
static tsr_arg first_place(const layer *l, int64_t keys, int64_t rows)
{
	const call_site *site = &l->site;
	const tsr_arg position = HANDLE(l->position);

	return CLAMP(INT(0), position, INT(keys - rows));
}

/* [batch, length, heads, head] */
static tsr *attended(layer *l, tsr *const x[3])
{
	const tsr_multi_head_args *a = l->keywords;
	attention c = {.site = l->site, .causal = a->causal};

	if (!attention_read(&c, x, a->bias, a->mask)) return poison_of(l->site.ctx);
	c.softmax = dtype_wide(c.dtype);
	c.scale = a->scale != 0 ? a->scale : 1 / sqrt((double)c.head);
	if (a->key_cache) c.first = first_place(l, c.keys, c.queries);
	return attend(&c);
}

static void give(tsr **place, tsr *x)
{
	if (place) *place = x;
}

tsr *lib_multi_head_attention(call_site *site, tsr *x, tsr *query, tsr *key, tsr *value, tsr *out,
                              const tsr_multi_head_args *a)
{
	layer l = {.site = *site};
	const tsr_arg zero = INT(0);

	give(a->new_key_cache, poison_of(tsr_ctx_of(x)));
	give(a->new_value_cache, poison_of(tsr_ctx_of(x)));
	if (!read_layer(&l, a, (tsr *[]){x, query, key, value, out})) return poison_of(l.site.ctx);
	if (a->key_cache && !l.position) l.position = operand_alone(&l.site, &zero);
	tsr *heads[3] = {heads_of(&l, QUERY), written(&l, KEY_CACHE, heads_of(&l, KEY)),
	                 written(&l, VALUE_CACHE, heads_of(&l, VALUE))};
	for (int i = 0; i < 3; i++)
		if (handle_is_poison(heads[i])) return poison_of(l.site.ctx);
	give(a->new_key_cache, heads[1]);
	give(a->new_value_cache, heads[2]);
	tsr *const pair[] = {attended(&l, heads), l.x[OUT]};
	if (handle_is_poison(pair[0])) return pair[0];
	tsr *y = einsum_of(&l.site, "btnh,nhf->btf", pair, 2, 0);
	return add_bias(site, y, l.x[OUT_BIAS]);
}
