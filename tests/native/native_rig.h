/* native_rig.h - kernels compiled for vectors of each width, against the slow evaluator: the same
 * bits, whatever way the items are cut, and nothing written but the results. */
#ifndef TSR_TESTS_NATIVE_RIG_H
#define TSR_TESTS_NATIVE_RIG_H
#include "kernel/kernel_rig.h"
#include "engine/cpu/native.h"
#include "engine/engine.h"

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif
#define WIDTHS 3
#define MARGIN 64

typedef struct natives {
	const native_type *type;
	void *open[WIDTHS]; /* for vectors of at most 16, 32, 64 bytes */
} natives;

static inline const natives *natives_get(void)
{
	static natives n;
	char error[256];
	plugin from;

	if (n.type) return &n;
	n.type = native_find(PLUGIN_DIR, &from);
	if (!n.type) fail_msg("%s", from.why);
	for (int w = 0; w < WIDTHS; w++) {
		const native_options o = {
			.sanitize = SANITIZED, .max_width = 16 << w, .past_caches = true};
		n.open[w] = n.type->open(&o, error, sizeof error);
		if (!n.open[w]) fail_msg("%s", error);
	}
	return &n;
}

/* bytes with a margin on both sides, at an odd multiple of the element */
typedef struct room {
	char *all, *data;
	size_t bytes;
} room;

static inline room room_make(const type *t)
{
	const size_t align = tsr_dtype_size(dtype_real(t->dtype));
	room r = {.bytes = type_bytes(t)};

	r.all = aligned_alloc(MARGIN, (r.bytes + 3 * MARGIN) / MARGIN * MARGIN);
	assert_non_null(r.all);
	r.data = r.all + MARGIN - align;
	memset(r.all, 0x5a, (r.bytes + 3 * MARGIN) / MARGIN * MARGIN);
	return r;
}

static inline bool margins_are_whole(const room *r)
{
	for (const char *c = r->all; c < r->data; c++)
		if (*c != 0x5a) return false;
	for (int i = 0; i < MARGIN; i++)
		if (r->data[r->bytes + (size_t)i] != 0x5a) return false;
	return true;
}

/* all items, in pieces, from the last to the first or in turn */
static inline void run_cut(const native_code *c, char *const *x, uint64_t *random)
{
	const int64_t piece = 1 + (int64_t)(random_bits(random) % (uint64_t)(c->items + 1));
	const int64_t pieces = (c->items + piece - 1) / piece;
	const bool backwards = random_bits(random) & 1;

	for (int64_t i = 0; i < pieces; i++) {
		const int64_t at = (backwards ? pieces - 1 - i : i) * piece;
		c->run(x, at, at + piece < c->items ? at + piece : c->items);
	}
}

typedef struct operands {
	const program *p;
	room in[16], want[16], got[16];
} operands;

static inline const char *difference(const operands *o, int width)
{
	static char text[256];
	const program *p = o->p;

	for (int j = 0; j < p->nout; j++) {
		const type *t = type_of(p, p->out[j]);
		if (!margins_are_whole(&o->got[j])) {
			snprintf(text, sizeof text, "width %d: result %d: written outside", width,
			         j);
			return text;
		}
		const int64_t at = first_difference(t, o->got[j].data, o->want[j].data);
		if (at < 0) continue;
		snprintf(text, sizeof text,
		         "width %d: element %lld of result %d is %.17g, not %.17g", width,
		         (long long)at, j, dtype_get(t->dtype, o->got[j].data, at),
		         dtype_get(t->dtype, o->want[j].data, at));
		return text;
	}
	return NULL;
}

static inline const char *compiled_fault(const operands *o, const kernel *k, int w,
                                         uint64_t *random)
{
	static char error[256];
	const natives *n = natives_get();
	native_code code;
	char *x[33];
	int nin = 0;

	if (!n->type->compile(n->open[w], &k, NULL, 1, &code, error, sizeof error)) return error;
	for (int i = 0; i < o->p->nin; i++) x[nin++] = o->in[i].data;
	if (k->nliterals) x[nin++] = (char *)(uintptr_t)k->literals;
	for (int j = 0; j < o->p->nout; j++) {
		x[nin + j] = o->got[j].data;
		memset(o->got[j].data, 0xa5, o->got[j].bytes);
	}
	if (k->held >= 0) memcpy(o->got[0].data, o->in[k->held].data, o->got[0].bytes);
	if (k->held < 0 || o->got[0].bytes) run_cut(&code, x, random);
	n->type->release(n->open[w], &code);
	return difference(o, 16 << w);
}

static inline operands operands_make(const program *p, uint64_t *random)
{
	operands o = {.p = p};

	assert_true(p->nin <= 16 && p->nout <= 16);
	for (int i = 0; i < p->nin; i++) {
		const type *t = type_of(p, p->in[i]);
		o.in[i] = room_make(t);
		fill_hard(t->dtype, o.in[i].data, t->size, random);
	}
	for (int j = 0; j < p->nout; j++) {
		o.want[j] = room_make(type_of(p, p->out[j]));
		o.got[j] = room_make(type_of(p, p->out[j]));
	}
	return o;
}

static inline bool operands_evaluate(const operands *o, const kernel *k)
{
	const void *x[16];
	void *y[16];

	for (int i = 0; i < o->p->nin; i++) x[i] = o->in[i].data;
	for (int j = 0; j < o->p->nout; j++) y[j] = o->want[j].data;
	return kernel_eval(k, x, y);
}

static inline void operands_free(operands *o)
{
	for (int i = 0; i < o->p->nin; i++) free(o->in[i].all);
	for (int j = 0; j < o->p->nout; j++) free(o->want[j].all);
	for (int j = 0; j < o->p->nout; j++) free(o->got[j].all);
}

/* a kernel_check: each width of vectors */
static inline const char *native_fault(const program *p, uint64_t *random, bool *fits)
{
	kernel *k = kernel_lower(p, fits);
	const char *fault = NULL;

	if (!k) return *fits ? error_text(p->ir->base) : NULL;
	operands o = operands_make(p, random);
	if (!operands_evaluate(&o, k)) fault = error_text(p->ir->base);
	for (int w = 0; !fault && w < WIDTHS; w++) fault = compiled_fault(&o, k, w, random);
	operands_free(&o);
	kernel_free(k);
	return fault;
}

#endif
