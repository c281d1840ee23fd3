/* engine_tiny.c - the smallest engine that runs local programs on one device: what a plug-in must
 * bring. Its memory is its own: bytes are stored inverted, so that who reads or writes them past
 * the contract gets what is wrong. */
#include <stdlib.h>
#include "engine/engine.h"

struct executable {
	engine *engine;
	const program *program;
};

/* ---- memory */

typedef struct tiny_buffer {
	buffer buffer;
	unsigned char *bytes; /* inverted */
} tiny_buffer;

static unsigned char *bytes_of(buffer *b) { return ((tiny_buffer *)b)->bytes; }

static buffer *tiny_alloc(engine *of, int memory, size_t bytes, bool clear)
{
	tiny_buffer *b = malloc(sizeof *b);

	if (!b) return NULL;
	tsr__buffer_init(&b->buffer, of, memory, bytes, 64);
	b->bytes = malloc(bytes + 1);
	for (size_t i = 0; clear && b->bytes && i < bytes; i++) b->bytes[i] = 0xff;
	if (b->bytes) return &b->buffer;
	free(b);
	return NULL;
}

static void tiny_free(buffer *b)
{
	free(bytes_of(b));
	free(b);
}

/* what is done with each element: to a buffer if inverted is 0xff, else between two of ours */
static void move(unsigned char *to, const int64_t *to_strides, const unsigned char *from,
                 const int64_t *from_strides, const extent *x, unsigned char inverted, int dim)
{
	if (dim == x->ndim) {
		for (size_t i = 0; i < x->size; i++) to[i] = from[i] ^ inverted;
		return;
	}
	for (int64_t i = 0; i < x->dims[dim]; i++)
		move(to + i * to_strides[dim], to_strides, from + i * from_strides[dim],
		     from_strides, x, inverted, dim + 1);
}

static bool tiny_read(buffer *b, elements at, void *to, const int64_t *strides, const extent *x)
{
	move(to, strides, bytes_of(b) + at.offset, at.strides, x, 0xff, 0);
	return true;
}

static bool tiny_write(buffer *b, elements at, const void *from, const int64_t *strides,
                       const extent *x)
{
	move(bytes_of(b) + at.offset, at.strides, from, strides, x, 0xff, 0);
	return true;
}

static bool tiny_copy(buffer *to, elements at, buffer *from, elements there, const extent *x)
{
	move(bytes_of(to) + at.offset, at.strides, bytes_of(from) + there.offset, there.strides, x,
	     0, 0);
	return true;
}

/* the host's memory is none of ours: a copy, and the host may have its own back at once */
static buffer *tiny_wrap(engine *of, int memory, void *data, size_t bytes,
                         void (*release)(void *user, void *data), void *user)
{
	buffer *b = tiny_alloc(of, memory, bytes, false);

	for (size_t i = 0; b && i < bytes; i++) bytes_of(b)[i] = ((unsigned char *)data)[i] ^ 0xff;
	if (b && release) release(user, data);
	return b;
}

static void *tiny_borrow(buffer *b) { return (void)b, NULL; }
static bool tiny_ready(buffer *b, bool wait) { return (void)b, (void)wait, true; }

/* ---- programs */

static executable *tiny_compile(engine *of, const program *p, device_set set)
{
	executable *x = set.n == 1 ? malloc(sizeof *x) : NULL;

	if (x) *x = (executable){of, p};
	return x;
}

/* all bytes of a buffer turned over: for eval, and back */
static void *turned(buffer *b)
{
	for (size_t i = 0; i < b->bytes; i++) bytes_of(b)[i] ^= 0xff;
	return bytes_of(b);
}

static bool run_one(const executable *x, const eqn *e, buffer **value)
{
	const type *in[8], *out[8];
	const void *operand[8];
	void *result[8];
	buffer *turn[16];
	int n = 0;

	for (int i = 0; i < e->nin; i++) {
		const var_info *v = &x->program->vars[e->in[i].id];
		buffer *b = value[e->in[i].id];
		bool again = v->literal;
		for (int k = 0; k < n; k++) again = again || turn[k] == b;
		in[i] = v->type;
		operand[i] = v->literal ? v->literal : again ? bytes_of(b) : turned(b);
		if (!again) turn[n++] = b;
	}
	for (int j = 0; j < e->nout; j++) {
		out[j] = type_of(x->program, e->out[j]);
		buffer *b = value[e->out[j].id] =
			tiny_alloc(x->engine, 0, (size_t)out[j]->size * 16 + 16, false);
		if (!b) return false;
		result[j] = bytes_of(b);
		turn[n++] = b;
	}
	void *scratch = malloc(eqn_scratch(e, in) + 1);
	if (!scratch) return false;
	e->prim->eval(&(eval_args){.eqn = e,
	                           .in = in,
	                           .out = out,
	                           .n = 1,
	                           .x = operand,
	                           .y = result,
	                           .scratch = scratch});
	free(scratch);
	for (int k = 0; k < n; k++) turned(turn[k]);
	return true;
}

static bool run_all(const executable *x, buffer **value)
{
	const program *p = x->program;

	for (int i = 0; i < p->neqns; i++)
		if (p->eqns[i].nin > 8 || !run_one(x, &p->eqns[i], value)) return false;
	return true;
}

typedef struct tiny_run {
	engine_run run;
	buffer **value;
} tiny_run;

static engine_run *tiny_start(executable *x, buffer *const *in)
{
	const program *p = x->program;
	tiny_run *r = malloc(sizeof *r);
	buffer **value = r ? calloc((size_t)p->nvars, sizeof *value) : NULL;

	for (int i = 0; i < p->nin; i++) {
		if (value)
			value[p->in[i].id] = in[i];
		else
			tsr__buffer_release(in[i]);
	}
	if (value) {
		*r = (tiny_run){{x, NULL}, value};
		return &r->run;
	}
	free(r);
	return NULL;
}

static bool tiny_poll(engine_run *r) { return (void)r, false; }

static bool tiny_wait(engine_run *given, buffer **out)
{
	tiny_run *r = (tiny_run *)given;
	const program *p = given->of->program;
	const bool ok = run_all(given->of, r->value);

	for (int i = 0; ok && i < p->nout; i++) {
		out[i] = r->value[p->out[i].id];
		out[i]->refs++;
	}
	for (int v = 0; v < p->nvars; v++) tsr__buffer_release(r->value[v]);
	free(r->value);
	free(r);
	return ok;
}

static void tiny_cancel(engine *of) { (void)of; }
static void tiny_release(executable *x) { free(x); }
static const char *tiny_why_not(engine *of) { return (void)of, "the engine tiny is too small"; }
static bool tiny_compiled(const executable *x) { return (void)x, false; }
static size_t tiny_bytes(const executable *x) { return sizeof *x; }
static void tiny_close(engine *of) { (void)of; }

__attribute__((visibility("default"))) extern const engine_type tsr__engine;
__attribute__((visibility("default"))) extern const char *const tsr__engine_abi;
const engine_type tsr__engine = {
	.name = "tiny",
	.doc = "one device, local programs, memory of its own",
	.why_not = tiny_why_not,
	.alloc = tiny_alloc,
	.wrap = tiny_wrap,
	.free = tiny_free,
	.read = tiny_read,
	.write = tiny_write,
	.copy = tiny_copy,
	.borrow = tiny_borrow,
	.ready = tiny_ready,
	.compile = tiny_compile,
	.compiled = tiny_compiled,
	.bytes = tiny_bytes,
	.start = tiny_start,
	.poll = tiny_poll,
	.wait = tiny_wait,
	.cancel = tiny_cancel,
	.release = tiny_release,
	.close = tiny_close,
};
const char *const tsr__engine_abi = tsr__abi;
