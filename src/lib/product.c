/* product.c - binds dot_general in the precision that is asked for. */
#include "lib/lib.h"

static const char *const names[] = {"default",          "high",
                                    "highest",          "bf16_bf16_f32",
                                    "bf16_bf16_f32_x3", "bf16_bf16_f32_x6",
                                    "bf16_bf16_f32_x9", "bf16_pairs"};

static dot_precision precision_of(tsr_precision asked, tsr_dtype dtype)
{
	static const dot_precision parts[] = {
		[TSR_PRECISION_DEFAULT] = DOT_EXACT,  [TSR_PRECISION_HIGH] = DOT_BF16_X3,
		[TSR_PRECISION_HIGHEST] = DOT_EXACT,  [TSR_BF16_BF16_F32] = DOT_BF16,
		[TSR_BF16_BF16_F32_X3] = DOT_BF16_X3, [TSR_BF16_BF16_F32_X6] = DOT_BF16_X6,
		[TSR_BF16_BF16_F32_X9] = DOT_BF16_X9, [TSR_BF16_PAIRS] = DOT_BF16_PAIRS,
	};
	const bool takes = dtype == TSR_F32 || (dtype == TSR_BF16 && asked == TSR_BF16_PAIRS);

	return takes ? parts[asked] : DOT_EXACT;
}

tsr *bind_product(const call_site *site, const dot_params *params, tsr_precision given,
                  tsr *const x[2])
{
	dot_params p = *params;

	if (handle_is_poison(x[0])) return poison_of(site->ctx);
	if ((unsigned)given >= ARRAY_LEN(names))
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 ".precision must be one of enum tsr_precision, got %d",
		                 (int)given);
	const tsr_dtype dtype = handle_type(x[0])->dtype;
	if (given >= TSR_BF16_BF16_F32 && dtype != TSR_F32 && dtype != TSR_BF16)
		return refuse_op(site, TSR_ERROR_TYPE,
		                 ".precision %s is of products of f32 or bf16, got %s",
		                 names[given], tsr_dtype_name(dtype));
	p.precision = precision_of(given ? given : site->ctx->precision, dtype);
	/* pairs that nobody asked for here */
	if (!given && p.precision == DOT_BF16_PAIRS && dot_sum_dtype(dtype, p.dtype) != TSR_F32)
		p.precision = DOT_EXACT;
	return bind(site, &tsr__prim_dot_general, &p, x, 2);
}
