/* scan.c - the row that runs a program a known number of times, on a carry and on slices of
 * operands, and stacks its other results. */
#include "pass/structured/structured.h"

static const field scan_fields[] = {{"length", offsetof(scan_params, length), FIELD_INT, NULL},
                                    {"consts", offsetof(scan_params, consts), FIELD_INT, NULL},
                                    {"carry", offsetof(scan_params, carry), FIELD_INT, NULL},
                                    {"unroll", offsetof(scan_params, unroll), FIELD_INT, NULL},
                                    {"reverse", offsetof(scan_params, reverse), FIELD_BOOL, NULL},
                                    {"body", offsetof(scan_params, body), FIELD_PROGRAM, NULL},
                                    {NULL, 0, 0, NULL}};

static bool check_numbers(build *b, const eqn *e)
{
	const scan_params *p = e->params;

	if (p->length < 0 || p->unroll < 0)
		return fail(build_base(b), e->where, TSR_ERROR_ARGUMENT,
		            "scan: length and unroll cannot be negative");
	return (p->consts >= 0 && p->carry >= 0 && p->consts <= e->nin &&
	        p->carry <= e->nin - p->consts && p->carry <= p->body->nout) ||
	       fail_type(b, e, "scan: %lld constants and a carry of %lld are more than there is",
	                 (long long)p->consts, (long long)p->carry);
}

static bool scan_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const scan_params *p = e->params;

	if (!check_numbers(b, e)) return false;
	for (int i = (int)(p->consts + p->carry); i < e->nin; i++)
		if (!in[i]->ndim || in[i]->dims[0] != p->length)
			return fail_type(b, e, "scan: operand %d has no leading dim of size %lld",
			                 i, (long long)p->length);
	if (!check_inside(b, e, in, out)) return false;
	for (int r = (int)p->carry; r < e->nout; r++)
		if (!(out[r] = type_stack(build_ir(b), out[r], p->length))) return false;
	return true;
}

/* ---- run. Devices that share a block of xs share its slices; devices share a block of ys as long
 * as they make the same slices */

typedef struct scan {
	const run_args *a;
	const scan_params *p;
	int64_t n;               /* devices */
	int64_t carry, nxs, nys; /* values */
	block **in;              /* operands of the body: constants, carry, slices */
	block **out;             /* its results: carry, slices of ys */
} scan;

static size_t slice_bytes(const type *t)
{
	return t->size ? (size_t)t->size / (size_t)t->dims[0] * tsr_dtype_size(t->dtype) : 0;
}

static bool scan_init(scan *s, const run_args *a)
{
	const scan_params *p = a->eqn->params;
	const int64_t n = a->on->n, before = (p->consts + p->carry) * n;

	*s = (scan){
		a,    p,   n, p->carry, a->eqn->nin - p->consts - p->carry, a->eqn->nout - p->carry,
		NULL, NULL};
	s->in = mem_array(a->on->base, (size_t)((a->eqn->nin + a->eqn->nout) * n) + 1,
	                  sizeof *s->in);
	if (!s->in) return false;
	s->out = s->in + a->eqn->nin * n;
	blocks_retain(a, a->x, s->in, before);
	return true;
}

/* slice i of operand x for all devices */
static bool cut(const scan *s, int64_t x, int64_t i)
{
	const runner *on = s->a->on;
	const size_t bytes = slice_bytes(s->a->in[x]);
	block *const *whole = s->a->x + x * s->n;
	block **to = s->in + x * s->n;

	for (int64_t k = 0; k < s->n; k++) {
		if (!s->a->active[k]) continue;
		if (k && to[k - 1] && whole[k] == whole[k - 1]) {
			to[k] = on->retain(to[k - 1]);
			continue;
		}
		if (!(to[k] = on->make(on, k, bytes))) return false;
		if (bytes)
			memcpy(on->data(to[k]),
			       (const char *)on->data(whole[k]) + (size_t)i * bytes, bytes);
	}
	return true;
}

static block **ys_of(const scan *s, int64_t y) { return s->a->y + (s->carry + y) * s->n; }
static block **made_of(const scan *s, int64_t y) { return s->out + (s->carry + y) * s->n; }
static const type *type_of_ys(const scan *s, int64_t y) { return s->a->out[s->carry + y]; }

static bool ys_make(const scan *s, int64_t y, const block *const *made)
{
	const runner *on = s->a->on;
	const type *t = type_of_ys(s, y);
	block **ys = ys_of(s, y);

	for (int64_t k = 0; k < s->n; k++) {
		const bool shared = k && ys[k - 1] && made && made[k] == made[k - 1];
		if (!s->a->active[k]) continue;
		ys[k] = shared ? on->retain(ys[k - 1])
		               : on->make(on, k, (size_t)t->size * tsr_dtype_size(t->dtype));
		if (!ys[k]) return false;
	}
	return true;
}

/* a block for device k alone, with what was stacked up to now */
static bool ys_part(const scan *s, int64_t y, int64_t k)
{
	const runner *on = s->a->on;
	const type *t = type_of_ys(s, y);
	block **ys = ys_of(s, y);
	const size_t bytes = (size_t)t->size * tsr_dtype_size(t->dtype);
	block *own = on->make(on, k, bytes);

	if (!own) return false;
	if (bytes) memcpy(on->data(own), on->data(ys[k]), bytes);
	on->release(ys[k]);
	ys[k] = own;
	return true;
}

/* devices that shared a block of ys but now made different slices are separated; those that made
 * the same slice stay together */
static bool ys_check(const scan *s, int64_t y)
{
	const runner *on = s->a->on;
	block **ys = ys_of(s, y), **made = made_of(s, y);
	const block *before = ys[0];

	for (int64_t k = 1; k < s->n; k++) {
		block *mine = ys[k];
		const bool shared = mine && mine == before;
		before = mine;
		if (!shared || (made[k] == made[k - 1] && ys[k - 1] == mine)) continue;
		if (made[k] != made[k - 1]) {
			if (!ys_part(s, y, k)) return false;
			continue;
		}
		ys[k] = on->retain(ys[k - 1]);
		on->release(mine);
	}
	return true;
}

/* what the body gave becomes slice i of the results */
static bool stack(const scan *s, int64_t y, int64_t i, bool first)
{
	const runner *on = s->a->on;
	block **ys = ys_of(s, y), **made = made_of(s, y);
	const size_t bytes = slice_bytes(type_of_ys(s, y));

	if (!(first ? ys_make(s, y, (const block *const *)made) : ys_check(s, y))) return false;
	for (int64_t k = 0; k < s->n && bytes; k++)
		if (ys[k] && !(k && ys[k] == ys[k - 1]))
			memcpy((char *)on->data(ys[k]) + (size_t)i * bytes, on->data(made[k]),
			       bytes);
	return true;
}

static bool step(const scan *s, int64_t at)
{
	const run_args *a = s->a;
	const int64_t i = s->p->reverse ? s->p->length - 1 - at : at;
	const int64_t first_x = s->p->consts + s->carry;
	block **carry = s->in + s->p->consts * s->n;
	bool ok = true;

	for (int64_t x = first_x; ok && x < first_x + s->nxs; x++) ok = cut(s, x, i);
	if (!ok) return false;
	/* the body takes over the carry, and may update it in place, and the slices */
	blocks_hold(a, a->active, s->in, s->p->consts);
	ok = a->on->run(a->on, 0, a->active, s->in, s->out);
	memset(carry, 0, (size_t)((s->carry + s->nxs) * s->n) * sizeof *carry);
	for (int64_t y = 0; ok && y < s->nys; y++) ok = stack(s, y, i, at == 0);
	if (!ok) return false;
	memcpy(carry, s->out, (size_t)(s->carry * s->n) * sizeof *carry);
	memset(s->out, 0, (size_t)(s->carry * s->n) * sizeof *carry);
	blocks_release(a, made_of(s, 0), s->nys * s->n);
	return true;
}

static bool scan_run(const run_args *a)
{
	scan s;
	bool ok = scan_init(&s, a);

	if (!ok) return false;
	for (int64_t at = 0; ok && at < s.p->length; at++) ok = step(&s, at);
	for (int64_t y = 0; ok && !s.p->length && y < s.nys; y++) ok = ys_make(&s, y, NULL);
	if (ok) blocks_retain(a, s.in + s.p->consts * s.n, a->y, s.carry * s.n);
	blocks_release(a, s.in, (a->eqn->nin + a->eqn->nout) * s.n);
	mem_free(a->on->base, s.in);
	return ok;
}

/* ---- transpose: from the last step to the first */

static void put_backwards(const rebuilt *s, program **inside)
{
	scan_params *p = rebuild_made(s, inside);

	if (p) p->reverse = !p->reverse;
	rebuild_emit(s, p);
}

TRANSPOSE_INSIDE(scan, transpose_linear, put_backwards)

const tsr_prim tsr__prim_scan = {
	STRUCTURED(scan, "a program a number of times, on a carry and slices of the operands",
	           scan_fields, scan_types),
	.edges = &(const edges){.in = {{.kind = EDGE_SAME, .at = offsetof(scan_params, consts)},
                                       {.kind = EDGE_CARRY, .at = offsetof(scan_params, carry)},
                                       {.kind = EDGE_SLICE}},
                                .out = {{.kind = EDGE_CARRY, .at = offsetof(scan_params, carry)},
                                        {.kind = EDGE_SLICE}}},
	.jvp = jvp_inside,
	.transpose = scan_transpose,
	.batch = batch_inside,
	.split = scan_split,
	.replicate = replicate_inside,
	.run = scan_run,
	.no_rule = {[COL_FACTORS] = "partition looks inside",
                    [COL_COST] = PROGRAMS_INSIDE, [COL_LOWER] = STEPS_OF_A_SCHEDULE},
};
