/* explain.c - the public report of a call, its totals as numbers, and conditions on it. */
#include "lib/explain/explain.h"

static const char *report_text(const char *where, const char *op, tsr_fn *fn, const tsr_arg *args,
                               size_t n, void (*put)(str *, const report *))
{
	report r;

	if (!report_of_call(where, op, fn, args, n, &r)) return "";
	str s = {.base = r.base};
	tsr_ctx *ctx = tsr_fn_ctx(fn);
	put(&s, &r);
	report_free(&r);
	const char *text = scope_text(ctx, &s);
	return text ? text : "";
}

void tsr_explain_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	TURN_OF(tsr_fn_ctx(fn), where, );
	report r;

	if (!report_of_call(where, "explain", fn, args, n, &r)) return;
	str s = {.base = r.base};
	explain_text(&s, &r);
	if (s.s && !s.lost) print_in(tsr_fn_ctx(fn), 0, false, s.s);
	str_free(&s);
	report_free(&r);
}

void tsr_explain_measured_at(const char *where, tsr_fn *h, const tsr_arg *args, size_t n)
{
	TURN_OF(tsr_fn_ctx(h), where, );
	timed t = {.fn = fn_of(where, "explain_measured", h),
	           .handle = h,
	           .where = where,
	           .op = "explain_measured",
	           .args = args,
	           .n = n};
	report r;

	if (!t.fn || !report_of_call(where, t.op, h, args, n, &r)) return;
	str s = {.base = r.base};
	if (explain_measure(&t, &r)) explain_text(&s, &r);
	if (s.s && !s.lost) print_in(tsr_fn_ctx(h), 0, false, s.s);
	str_free(&s);
	report_free(&r);
}

const char *tsr_explain_text_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	TURN_OF(tsr_fn_ctx(fn), where, "");
	return report_text(where, "explain_text", fn, args, n, explain_text);
}

const char *tsr_explain_json_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	TURN_OF(tsr_fn_ctx(fn), where, "");
	return report_text(where, "explain_json", fn, args, n, explain_json);
}

const char *tsr_explain_html_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n)
{
	TURN_OF(tsr_fn_ctx(fn), where, "");
	return report_text(where, "explain_html", fn, args, n, explain_html);
}

/* as much of the record as the caller knows */
static void give_costs(tsr_costs *to, const tsr_costs *from)
{
	const size_t size = to->size < sizeof *from ? to->size : sizeof *from;

	if (size <= sizeof to->size) return;
	memcpy((char *)to + sizeof to->size, (const char *)from + sizeof from->size,
	       size - sizeof from->size);
}

bool tsr_fn_costs_at(const char *where, tsr_fn *fn, tsr_costs *costs, const tsr_arg *args, size_t n)
{
	tsr_ctx *ctx = tsr_fn_ctx(fn);
	tsr_costs c = {0};
	report r;

	TURN_OF(ctx, where, false);
	if (!costs || !costs->size)
		return fail(&ctx_or_here(ctx)->base, where, TSR_ERROR_ARGUMENT,
		            "fn_costs: %s; write tsr_costs c = {.size = sizeof c} and pass &c",
		            costs ? "the record has no .size" : "the record is NULL");
	const bool ok = report_of_call(where, "fn_costs", fn, args, n, &r);
	if (ok) {
		c = (tsr_costs){.collectives = (int64_t)collectives_run(&r),
		                .bytes = r.bytes,
		                .seconds = r.ns * 1e-9,
		                .operations = r.flops,
		                .argument_bytes = r.argument_bytes,
		                .result_bytes = r.result_bytes,
		                .peak_bytes = r.peak_bytes,
		                .in_while = r.in_while};
		report_free(&r);
	}
	give_costs(costs, &c);
	return ok;
}

bool tsr_expect_collectives_at(const char *where, const char *expected, tsr_fn *fn,
                               const tsr_arg *args, size_t n)
{
	TURN_OF(tsr_fn_ctx(fn), where, false);
	report r;

	if (!report_of_call(where, "expect_collectives", fn, args, n, &r)) return false;
	const bool ok = explain_expect(r.base, where, expected, &r);
	report_free(&r);
	return ok;
}
