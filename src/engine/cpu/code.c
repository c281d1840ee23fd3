/* code.c - makes the machine code of a schedule: it asks the plug-in for its kernels.
 *
 * Example:
 *
 *     h(%0: f32[], %1: f32[65536]) -> f32[], f32[65536] {
 *       %2: f32[] = scan %0 length=1000 consts=0 carry=1 unroll=1 body=half(%0: f32[]) -> f32[] {
 *         %1: f32[] = mul %0 0.5:f32
 *         return %1
 *       }
 *       %3: f32[65536] = sin %1
 *       return %2 %3
 *     }
 *
 * and its plan (engine/plan/text.c), with what this folder adds to it: workers share the sine
 * (share.c), and the loop is one piece of machine code (routine.c).
 *
 *     the plan of h: 7 steps, 64 bytes of scratch memory
 *       kernel 0: sin
 *       kernel 1: mul
 *       0  kernel 0  in1 -> out1  52.4 us, 64 items, shared: 2 pieces
 *       1  all up to 7, one routine
 *       2  copy 4 bytes  in0 -> out0  0.0052 us
 *       3  loop 0, 1000 times, ends at 7
 *       4  next slices of loop 0
 *       5  kernel 1  out0, constant -> out0  0.00525 us
 *       6  loop 0 again from 4 */
#include "engine/cpu/cpu.h"

/* ---- kernels */

/* What is to be compiled: the kernels of units that a step computes by itself, and behind them
 * those of epilogues */
typedef struct requests {
	int count;
	const kernel **kernel;
	native_window *window;
	native_code *code, **to; /* where it goes */
} requests;

static void request(requests *r, const kernel *k, const native_window *w, native_code *to)
{
	r->kernel[r->count] = k;
	if (w) r->window[r->count] = *w;
	r->to[r->count++] = to;
}

static void request_all(requests *r, const coded *c)
{
	const schedule *s = c->plan;

	for (size_t i = 0; i < s->nsteps; i++) {
		const step *x = &s->step[i];
		if (x->kind != STEP_KERNEL || !x->items || c->code[x->unit].items) continue;
		c->code[x->unit].items = 1; /* it is in the list */
		request(r, s->unit[x->unit].kernel, NULL, &c->code[x->unit]);
	}
	for (int32_t i = 0; i < c->nepilogues; i++) {
		epilogue *e = &c->epilogue[i];
		request(r, s->unit[s->step[e->kernel].unit].kernel, &e->window, &e->code);
	}
}

static bool compile_requests(const coded *c, requests *r, str *why)
{
	char text[256];
	const bool ok = c->native->compile(c->machine, r->kernel, r->window, r->count, r->code,
	                                   text, sizeof text);

	if (!ok) str_printf(why, "%s", text);
	for (int i = 0; i < r->count; i++) *r->to[i] = ok ? r->code[i] : (native_code){0};
	return ok;
}

/* false: an error is recorded, or *why says why there is no code */
static bool compile_units(coded *c, str *why)
{
	schedule *s = c->plan;
	const size_t most = s->nunits + (size_t)c->nepilogues + 1;
	requests r = {.kernel = mem_array(s->base, most, sizeof *r.kernel),
	              .window = mem_zalloc(s->base, most * sizeof *r.window),
	              .code = mem_array(s->base, most, sizeof *r.code),
	              .to = mem_array(s->base, most, sizeof *r.to)};

	c->code = mem_zalloc(s->base, (s->nunits + 1) * sizeof *c->code);
	bool ok = r.kernel && r.window && r.code && r.to && c->code;
	if (ok) request_all(&r, c);
	ok = ok && compile_requests(c, &r, why);
	for (size_t i = 0; ok && i < s->nsteps; i++)
		if (s->step[i].kind == STEP_KERNEL && s->step[i].items)
			s->step[i].items = c->code[s->step[i].unit].items;
	mem_free(s->base, r.kernel);
	mem_free(s->base, r.window);
	mem_free(s->base, r.code);
	mem_free(s->base, r.to);
	return ok;
}

static bool find_entered(coded *c)
{
	const schedule *s = c->plan;
	bool *entered = arena_array(s->arena, s->nsteps + 1, sizeof *entered);

	c->entered = entered;
	for (size_t i = 0; entered && i < s->nsteps; i++)
		for (int32_t k = 0; k < s->step[i].ntargets; k++)
			entered[s->step[i].target[k]] = true;
	return entered;
}

/* ---- the whole */

coded *code_make(base *bs, const native_type *native, void *machine, const target *on,
                 const program *fused, int workers, str *why)
{
	coded *c = mem_zalloc(bs, sizeof *c);

	if (!c) return NULL;
	*c = (coded){.base = bs,
	             .native = native,
	             .machine = machine,
	             .workers = workers,
	             .share_all = debugs(fused->ir, 'w'),
	             .halts = debugs(fused->ir, 'h')};
	c->plan = schedule_make(bs, on, fused, why);
	if (c->plan && find_entered(c) && epilogues_find(c) && compile_units(c, why) &&
	    code_share(c, workers))
		return c;
	code_free(c);
	return NULL;
}

void code_free(coded *c)
{
	if (!c) return;
	for (size_t i = 0; c->code && i < c->plan->nunits; i++)
		if (c->code[i].held) c->native->release(c->machine, &c->code[i]);
	for (int32_t i = 0; i < c->nepilogues; i++)
		if (c->epilogue[i].code.held)
			c->native->release(c->machine, &c->epilogue[i].code);
	routines_release(c);
	schedule_free(c->plan);
	mem_free(c->base, c->code);
	mem_free(c->base, c->routine);
	mem_free(c->base, c);
}

size_t code_bytes(const coded *c)
{
	if (!c) return 0;
	size_t bytes = mem_bytes(c) + mem_bytes(c->code) + mem_bytes(c->routine) +
	               schedule_bytes(c->plan);
	for (size_t i = 0; i < c->plan->nunits; i++) bytes += c->code[i].bytes;
	for (int32_t i = 0; i < c->nepilogues; i++) bytes += c->epilogue[i].code.bytes;
	for (int32_t i = 0; i < c->nroutines; i++) bytes += c->routine[i].bytes;
	return bytes;
}

/* ---- as text */

static void remark(str *s, const step *x, const void *user)
{
	const coded *c = user;
	const epilogue *e = epilogue_of(c, (int32_t)(x - c->plan->step));
	const shared_wave *v = x->made && step_computes(x) ? &c->wave[x->made - 1] : NULL;

	if (e) str_printf(s, ", then %d", (int)e->kernel);
	if (!x->made) return;
	if (!v)
		str_put(s, ", one routine");
	else if (c->plan->step[v->first].wave == c->plan->step[v->end - 1].wave)
		str_printf(s, ", shared: %d pieces", (int)v->pieces);
	else
		str_printf(s, ", %d-%d in %d pieces", (int)v->first, (int)v->end - 1,
		           (int)v->pieces);
}

void code_text(str *s, const coded *c) { schedule_text(s, c->plan, remark, c); }
