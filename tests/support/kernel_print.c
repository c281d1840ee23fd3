/* kernel_print.c - prints kernels; docs/kernel-text.md has the grammar.
 *
 * Example:
 *
 *     f(%0: f32[4,3]) -> f32[4] {
 *       %1: f32[4,3] = mul %0 2.0:f32
 *       %2: f32[4] = reduce_max %1 dims=[1]
 *       return %2
 *     }
 *
 * Loops are nested as they run, and each node is a line in its loop:
 *
 *     kernel(in0: f32[4,3]) -> (out0: f32[4]) {
 *       for i0 < 4 {
 *         %0: f32 = max r0 < 3 {
 *           %1: f32 = load in0[i0, r0]
 *           %2: f32 = mul %1 2.0:f32
 *           yield %2 }
 *         store out0 = %0 } } */
#include "support/kernels.h"

static const char *const op_names[KOPS] = {
	[K_NONE] = "none",
	[K_CONST] = "const",
	[K_INDEX] = "index",
	[K_LOAD] = "load",
	[K_NEG] = "neg",
	[K_NOT] = "not",
	[K_ABS] = "abs",
	[K_FLOOR] = "floor",
	[K_CEIL] = "ceil",
	[K_ROUND] = "round",
	[K_SQRT] = "sqrt",
	[K_CONVERT] = "convert",
	[K_BITCAST] = "bitcast",
	[K_RE] = "re",
	[K_IM] = "im",
	[K_ADD] = "add",
	[K_SUB] = "sub",
	[K_MUL] = "mul",
	[K_DIV] = "div",
	[K_REM] = "rem",
	[K_MIN] = "min",
	[K_MAX] = "max",
	[K_AND] = "and",
	[K_OR] = "or",
	[K_XOR] = "xor",
	[K_SHL] = "shl",
	[K_SHR] = "shr",
	[K_SAR] = "sar",
	[K_COPYSIGN] = "copysign",
	[K_COMPLEX] = "complex",
	[K_EQ] = "eq",
	[K_NE] = "ne",
	[K_LT] = "lt",
	[K_LE] = "le",
	[K_GT] = "gt",
	[K_GE] = "ge",
	[K_FMA] = "fma",
	[K_SELECT] = "select",
	[K_CALL] = "call",
	[K_IF] = "if",
	[K_REDUCE] = "reduce",
};

static const char *const reduction_names[KREDUCTIONS] = {
	[KR_SUM] = "sum",       [KR_PROD] = "prod",     [KR_MAX] = "max", [KR_MIN] = "min",
	[KR_AND] = "and",       [KR_OR] = "or",         [KR_XOR] = "xor", [KR_DOT] = "dot",
	[KR_ARGMAX] = "argmax", [KR_ARGMIN] = "argmin",
};

static const char *const fn_names[KFNS] = {
#define FUNCTION(NAME, name, ...) #name,
#define FUNCTION_F64 FUNCTION
#include "kernel/functions.def"
};

const char *kop_name(kop op) { return op_names[op]; }
const char *kfn_name(kfn f) { return fn_names[f]; }

static void print_region(str *, const kernel *, int32_t region, int depth);

static void start_line(str *s, int depth)
{
	for (int i = 0; i < depth; i++) str_put(s, "  ");
}

static void print_value(str *s, const kernel *k, kvar v)
{
	const knode *n = &k->nodes[v.id];

	if (n->op == K_INDEX && n->number <= k->ndim)
		str_printf(s, "i%d", n->number - 1);
	else if (n->op == K_INDEX)
		str_printf(s, "r%d", n->number - 1 - k->ndim);
	else if (n->op != K_CONST)
		str_printf(s, "%%%d", n->number - 1);
	else {
		str_number(s, n->dtype, &n->bits, 0);
		if (n->dtype != TSR_I64) str_printf(s, ":%s", tsr_dtype_name(n->dtype));
	}
}

static void print_values(str *s, const kernel *k, const kvar *v, int32_t n, const char *between)
{
	for (int32_t i = 0; i < n; i++) {
		if (i) str_put(s, between);
		print_value(s, k, v[i]);
	}
}

static void print_place(str *s, const kernel *k, const kvar *at, int32_t n)
{
	str_put(s, "[");
	print_values(s, k, at, n, ", ");
	str_put(s, "]");
}

static void print_extents(str *s, const kernel *k, const kregion *r)
{
	for (int32_t d = 0; d < r->ndim; d++) {
		str_put(s, d ? ", " : " ");
		if (r->extents[d] == 1)
			str_put(s, "0");
		else
			print_value(s, k, r->index[d]);
		str_printf(s, " < %lld", (long long)r->extents[d]);
	}
}

static void print_inner(str *s, const kernel *k, const knode *n, int depth)
{
	if (n->op == K_REDUCE) {
		str_put(s, reduction_names[n->bits]);
		print_extents(s, k, &k->regions[n->inner[0]]);
	} else {
		str_put(s, "if ");
		print_value(s, k, n->args[0]);
	}
	str_put(s, " {\n");
	print_region(s, k, n->inner[0], depth + 1);
	if (n->op == K_IF) {
		start_line(s, depth);
		str_put(s, "} else {\n");
		print_region(s, k, n->inner[1], depth + 1);
	}
	start_line(s, depth);
	str_put(s, "}");
}

static void print_node(str *s, const kernel *k, const knode *n, int depth)
{
	start_line(s, depth);
	str_printf(s, "%%%d: %s = ", n->number - 1, tsr_dtype_name(n->dtype));
	if (n->op == K_REDUCE || n->op == K_IF) {
		print_inner(s, k, n, depth);
	} else if (n->op == K_LOAD) {
		str_printf(s, "load in%d", (int)n->bits);
		print_place(s, k, n->args, n->nargs);
	} else if (n->op == K_HELD) {
		str_put(s, "held out0");
		print_place(s, k, n->args, n->nargs);
	} else {
		str_put(s, n->op == K_CALL ? kfn_name((kfn)n->bits) : kop_name(n->op));
		str_put(s, " ");
		print_values(s, k, n->args, n->nargs, " ");
	}
	str_put(s, "\n");
}

static void print_region(str *s, const kernel *k, int32_t region, int depth)
{
	const kregion *r = &k->regions[region];

	for (int32_t i = 0; i < r->nnodes; i++) print_node(s, k, &k->nodes[r->nodes[i].id], depth);
	if (!r->nyields) return;
	start_line(s, depth);
	str_put(s, "yield ");
	print_values(s, k, r->yield, r->nyields, " ");
	str_put(s, "\n");
}

static void print_store(str *s, const kernel *k, int32_t j, int depth)
{
	const kresult *r = &k->results[j];

	start_line(s, depth);
	str_printf(s, "store out%d", j);
	if (r->at) print_place(s, k, r->at, r->type->ndim);
	str_put(s, " = ");
	print_value(s, k, r->value);
	str_put(s, "\n");
}

static void print_guarded(str *s, const kernel *k, int32_t j, int depth)
{
	const kresult *r = &k->results[j];

	start_line(s, depth);
	str_put(s, "if ");
	print_value(s, k, r->guard);
	str_put(s, " {\n");
	print_region(s, k, r->branch, depth + 1);
	print_store(s, k, j, depth + 1);
	start_line(s, depth);
	str_put(s, "}\n");
}

static void print_stores(str *s, const kernel *k, int32_t ndim)
{
	for (int32_t j = 0; j < k->nresults; j++) {
		if (k->results[j].loops != ndim) continue;
		if (k->results[j].guard.id)
			print_guarded(s, k, j, ndim + 1);
		else
			print_store(s, k, j, ndim + 1);
	}
}

static void print_types(str *s, const type *const *t, int n)
{
	for (int i = 0; i < n; i++) {
		str_printf(s, "%s%s[", i ? ", " : "", tsr_dtype_name(t[i]->dtype));
		str_dims(s, t[i]->dims, t[i]->ndim);
		str_put(s, "]");
	}
}

void kernel_print(str *s, const kernel *k)
{
	const program *p = k->program;

	str_put(s, "kernel(");
	for (int i = 0; i < p->nin; i++) {
		const type *t = type_of(p, p->in[i]);
		str_printf(s, "%sin%d: ", i ? ", " : "", i);
		print_types(s, &t, 1);
	}
	str_put(s, ") -> (");
	for (int32_t j = 0; j < k->nresults; j++) {
		str_printf(s, "%sout%d: ", j ? ", " : "", j);
		print_types(s, &k->results[j].type, 1);
		if (k->held >= 0) str_printf(s, " holds in%d", k->held);
	}
	str_put(s, ") {\n");
	for (int32_t d = 0; k->nresults && d <= k->ndim; d++) {
		if (d) {
			start_line(s, d);
			const bool ordered = k->held >= 0 && d > k->ordered && d <= k->ordered_end;
			str_printf(s, "for i%d < %lld%s {\n", d - 1,
			           (long long)k->regions[d].extents[0], ordered ? " in order" : "");
		}
		print_region(s, k, d, d + 1);
		print_stores(s, k, d);
	}
	for (int32_t d = k->nresults ? k->ndim : 0; d > 0; d--) {
		start_line(s, d);
		str_put(s, "}\n");
	}
	str_put(s, "}\n");
}
