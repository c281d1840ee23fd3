/* rig.c - a program on an engine: operands from a draw, a run, results as bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

size_t type_bytes(const type *t) { return (size_t)t->size * tsr_dtype_size(t->dtype); }

const type *result_type(const rig *r, int64_t i)
{
	return type_of(r->program, r->program->out[i / r->n]);
}

static executable *compile(rig *r)
{
	int64_t *device = calloc((size_t)r->n, sizeof *device);

	for (int64_t k = 0; device && k < r->n; k++) device[k] = r->first + k;
	executable *x =
		device ? r->engine->type->compile(r->engine, r->program, (device_set){r->n, device})
		       : NULL;
	free(device); /* the engine has a list of its own */
	return x;
}

bool rig_open(rig *r, trial *t, const char *name, int devices, int memories, const char *text)
{
	const int parts = t->place ? t->place->size : 1;

	*r = (rig){.trial = t, .n = devices / parts};
	r->first = t->place ? t->place->rank * r->n : 0;
	if (!(r->ctx = trial_open(t, name, devices, memories))) return false;
	r->engine = tsr__ctx_engine(r->ctx);
	r->program = tsr__program_parse(r->ctx, text);
	if (check(t, r->program, "no program: %s\n%s", tsr_message(r->ctx), text)) {
		r->in = calloc((size_t)(r->program->nin * r->n) + 1, sizeof *r->in);
		r->out = calloc((size_t)(r->program->nout * r->n) + 1, sizeof *r->out);
		r->executable = r->in && r->out ? compile(r) : NULL;
		if (check(t, r->executable, "compile fails: %s\n%s", tsr_message(r->ctx), text))
			return true;
	}
	rig_close(r, tsr_status(r->ctx));
	return false;
}

static void drop(buffer **b, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		tsr__buffer_release(b[i]);
		b[i] = NULL;
	}
}

void rig_drop_in(rig *r) { drop(r->in, r->program->nin * r->n); }
void rig_drop_out(rig *r) { drop(r->out, r->program->nout * r->n); }

void rig_close(rig *r, int code)
{
	if (r->executable) r->engine->type->release(r->executable);
	tsr__program_release(r->program);
	free(r->in);
	free(r->out);
	trial_close(r->trial, r->ctx, code);
	*r = (rig){0};
}

/* ---- operands */

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0x9e3779b97f4a7c15u) + 0x632be59bd9b4e019u;

	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 27) * 0x94d049bb133111ebu;
	return h ^ h >> 31;
}

/* the place of a device along the axes over which a value varies */
static uint64_t place_of(const program *p, axis_set varying, int64_t k)
{
	uint64_t place = 0;

	for (int i = p->naxes - 1; i >= 0; k /= p->axes[i--].size)
		if (varying >> i & 1) place = mix(place, (uint64_t)(k % p->axes[i].size) + 1);
	return place;
}

static void put_real(unsigned char *to, tsr_dtype dtype, uint64_t h, bool special)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0};
	const bool is_odd = special && h >> 56 < 16;
	const double wide = is_odd ? odd[h % 4] : (double)(int64_t)(h >> 8) / 0x1p55 * 8 - 4;
	const float narrow = (float)wide;
	uint16_t bits;

	switch (dtype) {
	case TSR_F64: memcpy(to, &wide, sizeof wide); break;
	case TSR_F32: memcpy(to, &narrow, sizeof narrow); break;
	case TSR_F16: /* 0.25 .. 4, and an infinity, a NaN */
		bits = (uint16_t)(is_odd ? 0x7c00 | (h & 1) << 9 : (13 + h % 4) << 10 | h >> 54);
		bits = (uint16_t)(bits | (h & 16) << 11);
		memcpy(to, &bits, sizeof bits);
		break;
	default: /* bf16 */
		bits = (uint16_t)(is_odd ? 0x7f80 | (h & 1) << 6 : (125 + h % 4) << 7 | h >> 57);
		bits = (uint16_t)(bits | (h & 16) << 11);
		memcpy(to, &bits, sizeof bits);
	}
}

static void put_element(unsigned char *to, tsr_dtype dtype, uint64_t h, bool special)
{
	const size_t size = tsr_dtype_size(dtype);
	const int64_t small = (int64_t)(h % 12) - 3;

	switch (dtype) {
	case TSR_BOOL: *to = h & 1; break;
	case TSR_F16:
	case TSR_BF16:
	case TSR_F32:
	case TSR_F64: put_real(to, dtype, h, special); break;
	case TSR_C64:
	case TSR_C128:
		for (int part = 0; part < 2; part++)
			put_real(to + (size_t)part * size / 2, dtype == TSR_C64 ? TSR_F32 : TSR_F64,
			         mix(h, (uint64_t)part), special);
		break;
	default: /* integers: two's complement, little-endian */
		memcpy(to, &(int64_t){h >> 60 ? small : (int64_t)mix(h, 1)}, size);
	}
}

static buffer *operand(rig *r, int i, int64_t k, uint64_t draw, bool special)
{
	const type *t = type_of(r->program, r->program->in[i]);
	const size_t item = tsr_dtype_size(t->dtype), bytes = type_bytes(t);
	const uint64_t place = place_of(r->program, t->varying, r->first + k);
	const uint64_t seed = mix(mix(draw, (uint64_t)i), place);
	unsigned char *data = malloc(bytes + 1);
	buffer *b = data ? r->engine->type->alloc(
				   r->engine, r->engine->devices[r->first + k].memory, bytes, false)
	                 : NULL;

	for (int64_t j = 0; b && j < t->size; j++)
		put_element(data + (size_t)j * item, t->dtype, mix(seed, (uint64_t)j), special);
	if (b)
		r->engine->type->write(b, (elements){0, &(int64_t){1}}, data, &(int64_t){1},
		                       &(extent){&(int64_t){(int64_t)bytes}, 1, 1});
	free(data);
	return b;
}

bool rig_fill(rig *r, uint64_t draw, bool special)
{
	bool ok = true;

	for (int64_t i = 0; i < r->program->nin * r->n; i++)
		ok = (r->in[i] = operand(r, (int)(i / r->n), i % r->n, draw, special)) && ok;
	return check(r->trial, ok, "operands cannot be made: %s", tsr_message(r->ctx));
}

/* ---- a run, and what it gives */

bool rig_run(rig *r)
{
	if (r->trial->place && !tsr__run_begin(r->ctx, r->executable)) return rig_drop_in(r), false;
	engine_run *run = r->engine->type->start(r->executable, r->in, NULL);

	memset(r->in, 0, (size_t)(r->program->nin * r->n) * sizeof *r->in);
	const bool here = run && r->engine->type->wait(run, r->out);
	if (!r->trial->place || tsr__run_end(r->ctx, here)) return here;
	if (here) rig_drop_out(r);
	return false;
}

void *rig_result(rig *r, int64_t i)
{
	const int64_t bytes = (int64_t)type_bytes(result_type(r, i)), one = 1;
	void *data = malloc((size_t)bytes + 1);

	if (!data) return NULL;
	check(r->trial, r->engine->type->ready(r->out[i], true), "a result does not get ready");
	check(r->trial,
	      r->engine->type->read(r->out[i], (elements){0, &one}, data, &one,
	                            &(extent){&bytes, 1, 1}),
	      "a result cannot be read: %s", tsr_message(r->ctx));
	return data;
}

static double real_part(tsr_dtype dtype, const unsigned char *at)
{
	double wide;
	float narrow;
	uint16_t bits;

	switch (dtype) {
	case TSR_F64: memcpy(&wide, at, sizeof wide); return wide;
	case TSR_F32: memcpy(&narrow, at, sizeof narrow); return (double)narrow;
	case TSR_F16:
		memcpy(&bits, at, sizeof bits);
		return (bits & 0x7c00) == 0x7c00 && bits & 0x3ff ? (double)NAN : 0;
	default:
		memcpy(&bits, at, sizeof bits);
		return (bits & 0x7f80) == 0x7f80 && bits & 0x7f ? (double)NAN : 0;
	}
}

static tsr_dtype part_of(tsr_dtype t)
{
	return t == TSR_C64 ? TSR_F32 : t == TSR_C128 ? TSR_F64 : t;
}

bool same_values(const type *t, const void *a, const void *b, double near)
{
	const tsr_dtype part = part_of(t->dtype);
	const bool is_real =
		part == TSR_F16 || part == TSR_BF16 || part == TSR_F32 || part == TSR_F64;
	const size_t size = tsr_dtype_size(part), bytes = type_bytes(t);

	if (memcmp(a, b, bytes) == 0) return true;
	for (size_t at = 0; is_real && at < bytes; at += size) {
		const unsigned char *x = (const unsigned char *)a + at;
		const unsigned char *y = (const unsigned char *)b + at;
		if (memcmp(x, y, size) == 0) continue;
		const double u = real_part(part, x), v = real_part(part, y);
		if (!(isnan(u) && isnan(v)) && !(near > 0 && fabs(u - v) <= near)) return false;
	}
	return is_real;
}

static void compare(rig *a, rig *b, const char *what, uint64_t draw, double near)
{
	for (int64_t i = 0; i < a->program->nout * a->n; i++) {
		void *x = rig_result(a, i), *y = rig_result(b, i);
		check(a->trial, x && y && same_values(result_type(a, i), x, y, near),
		      "%s: result %lld on device %lld is not interp's (run %llu)", what,
		      (long long)(i / a->n), (long long)(i % a->n), (unsigned long long)draw);
		free(x);
		free(y);
	}
	rig_drop_out(a);
	rig_drop_out(b);
}

void check_program(trial *t, const char *what, const char *text, int devices, int memories,
                   int draws, double near)
{
	rig a, b;

	if (!rig_open(&a, t, NULL, devices, memories, text)) return;
	if (rig_open(&b, t, "interp", devices, memories, text)) {
		for (uint64_t draw = 0; draw < (uint64_t)draws; draw++) {
			const bool special = draw && near <= 0;
			if (!rig_fill(&a, draw, special) || !rig_fill(&b, draw, special)) break;
			const bool ran = check(t, rig_run(&a), "%s: %s", what, tsr_message(a.ctx));
			if (!rig_run(&b) || !ran) break;
			compare(&a, &b, what, draw, near);
		}
		rig_close(&b, TSR_OK);
	}
	rig_close(&a, TSR_OK);
}
