/* code.c - the machine code of a schedule: what the plug-in makes of its kernels.
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

/* false: an error is recorded, or *why says why there is no code */
static bool compile_units(coded *c, str *why)
{
	schedule *s = c->plan;
	const kernel **k = mem_array(s->base, s->nunits + 1, sizeof *k);
	char text[256];

	c->code = mem_zalloc(s->base, (s->nunits + 1) * sizeof *c->code);
	bool ok = k && c->code;
	for (size_t i = 0; ok && i < s->nunits; i++) k[i] = s->unit[i].kernel;
	if (ok && !c->native->compile(c->machine, k, (int)s->nunits, c->code, text, sizeof text)) {
		str_printf(why, "%s", text);
		ok = false;
	}
	for (size_t i = 0; ok && i < s->nsteps; i++)
		if (s->step[i].kind == STEP_KERNEL)
			s->step[i].items = c->code[s->step[i].unit].items;
	mem_free(s->base, k);
	return ok;
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
	             .share_all = debugs(fused->ir, 'w'),
	             .halts = debugs(fused->ir, 'h')};
	c->plan = schedule_make(bs, on, fused, why);
	if (c->plan && compile_units(c, why) && code_share(c, workers)) return c;
	code_free(c);
	return NULL;
}

void code_free(coded *c)
{
	if (!c) return;
	for (size_t i = 0; c->code && i < c->plan->nunits; i++)
		if (c->code[i].held) c->native->release(c->machine, &c->code[i]);
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
	for (int32_t i = 0; i < c->nroutines; i++) bytes += c->routine[i].bytes;
	return bytes;
}

/* ---- as text */

static void remark(str *s, const step *x, const void *user)
{
	const coded *c = user;
	const shared_wave *v = x->made && step_computes(x) ? &c->wave[x->made - 1] : NULL;

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
