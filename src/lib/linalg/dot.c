/* dot.c - the public products: NumPy's dot and matmul, and the general contraction. */
#include "lib/lib.h"

/* both operands checked and of one dtype */
static tsr_ctx *product_prepare(call_site *site, tsr *x[2])
{
	tsr_ctx *ctx = operands_check(site, x, 2);

	if (!ctx) return NULL;
	const etype common = etype_join(etype_of(handle_type(x[0])), etype_of(handle_type(x[1])));
	for (int i = 0; i < 2; i++)
		if (handle_is_poison(x[i] = promote(site, x[i], common))) return NULL;
	return ctx;
}

static tsr *refuse_product(const call_site *site, tsr *const x[2], int da, int db)
{
	const type *a = handle_type(x[0]), *b = handle_type(x[1]);
	str s = {.base = &site->ctx->base}, t = {.base = &site->ctx->base};

	shape_text(&s, a->dims, a->ndim);
	shape_text(&t, b->dims, b->ndim);
	fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
	     "%s cannot contract shapes %s and %s: dim %d of the first has size %lld and dim %d of "
	     "the second %lld",
	     site->op, s.s ? s.s : "?", t.s ? t.s : "?", da, (long long)a->dims[da], db,
	     (long long)b->dims[db]);
	str_free(&s);
	str_free(&t);
	return poison_of(site->ctx);
}

/* the dtype of the result where none was given */
static tsr_dtype result_dtype(tsr_dtype given, tsr *const x[2])
{
	return given ? given : handle_type(x[0])->dtype;
}

static tsr *contract(const call_site *site, tsr *const x[2], int da, int db, int64_t batch,
                     const tsr_product_args *g)
{
	int64_t all[MAX_NDIM];

	if (handle_type(x[0])->dims[da] != handle_type(x[1])->dims[db])
		return refuse_product(site, x, da, db);
	for (int64_t d = 0; d < batch; d++) all[d] = d;
	const dot_params p = {{1, (int64_t[]){da}},
	                      {1, (int64_t[]){db}},
	                      {(int)batch, all},
	                      {(int)batch, all},
	                      result_dtype(g->dtype, x),
	                      DOT_EXACT};
	return bind_product(site, &p, g->precision, x);
}

/* a scalar multiplies; otherwise the last dim of a is contracted with the last but one of b, or
 * with the only one */
tsr *lib_dot(call_site *site, tsr *a, tsr *b, const tsr_product_args *g)
{
	tsr *x[2] = {a, b};
	tsr_ctx *ctx = product_prepare(site, x);

	if (!ctx) return poison_of(site->ctx);
	const int na = handle_type(x[0])->ndim, nb = handle_type(x[1])->ndim;
	if (na == 0 || nb == 0) {
		tsr *y = tsr_mul_at(site->where,
		                    (tsr_arg[]){{.kind = TSR_KIND_ONE, .as.one = x[0]},
		                                {.kind = TSR_KIND_ONE, .as.one = x[1]}});
		return g->dtype ? tsr_astype_at(site->where, y, g->dtype) : y;
	}
	return contract(site, x, na - 1, nb == 1 ? 0 : nb - 2, 0, g);
}

/* broadcasts the leading dims of both operands together; they become batch dims */
static bool batch_together(const call_site *site, tsr *x[2], int *batch)
{
	const type *t[2] = {handle_type(x[0]), handle_type(x[1])};
	int64_t dims[2][MAX_NDIM];
	const int n = (t[0]->ndim > t[1]->ndim ? t[0]->ndim : t[1]->ndim) - 2;
	const axis_set all = varying_of(site, x, 2);

	for (int d = 0; d < n; d++) {
		int64_t size = 1;
		for (int i = 0; i < 2; i++) {
			const int own = d - (n - (t[i]->ndim - 2));
			const int64_t s = own < 0 ? 1 : t[i]->dims[own];
			if (s == 1) continue;
			if (size != 1 && size != s)
				return fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
				            "%s cannot broadcast leading dims of sizes %lld "
				            "and %lld",
				            site->op, (long long)size, (long long)s);
			size = s;
		}
		dims[0][d] = dims[1][d] = size;
	}
	for (int i = 0; i < 2; i++) {
		dims[i][n] = t[i]->dims[t[i]->ndim - 2];
		dims[i][n + 1] = t[i]->dims[t[i]->ndim - 1];
		x[i] = broadcast_beside(site, x[i], dims[i], n + 2, all);
		if (handle_is_poison(x[i])) return false;
	}
	*batch = n;
	return true;
}

tsr *lib_matmul(call_site *site, tsr *a, tsr *b, const tsr_product_args *g)
{
	tsr *x[2] = {a, b};
	tsr_ctx *ctx = product_prepare(site, x);
	int batch = 0;

	if (!ctx) return poison_of(site->ctx);
	const int na = handle_type(x[0])->ndim, nb = handle_type(x[1])->ndim;
	if (na == 0 || nb == 0)
		return refuse(site, TSR_ERROR_TYPE,
		              "%s does not take values of rank 0: multiply instead", site->op);
	if (na == 1) return contract(site, x, 0, nb == 1 ? 0 : nb - 2, 0, g);
	if (nb == 1) return contract(site, x, na - 1, 0, 0, g);
	if (handle_type(x[0])->dims[na - 1] != handle_type(x[1])->dims[nb - 2])
		return refuse_product(site, x, na - 1, nb - 2);
	if (nb == 2) return contract(site, x, na - 1, 0, 0, g);
	if (!batch_together(site, x, &batch)) return poison_of(site->ctx);
	return contract(site, x, batch + 1, batch, batch, g);
}

tsr *lib_dot_general(call_site *site, tsr *a, tsr *b, const tsr_dot_args *g)
{
	tsr *x[2] = {a, b};
	tsr_ctx *ctx = product_prepare(site, x);
	const tsr_dims *lists[4] = {&g->contract_a, &g->contract_b, &g->batch_a, &g->batch_b};
	tsr_dims dims[4];

	if (!ctx) return poison_of(site->ctx);
	for (int i = 0; i < 4; i++)
		if (!dims_resolved(site, "a list of dims", lists[i], handle_type(x[i % 2])->ndim,
		                   &dims[i]))
			return poison_of(site->ctx);
	const dot_params p = {{dims_count(&dims[0]), dims_of(&dims[0])},
	                      {dims_count(&dims[1]), dims_of(&dims[1])},
	                      {dims_count(&dims[2]), dims_of(&dims[2])},
	                      {dims_count(&dims[3]), dims_of(&dims[3])},
	                      result_dtype(g->dtype, x),
	                      DOT_EXACT};
	return bind_product(site, &p, g->precision, x);
}
