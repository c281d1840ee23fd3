/* apply.c - runs a public function that is called outside of bodies as one program, as JAX's
 * functions are jitted.
 *
 * Arrays and C numbers are the operands of its program. All other arguments are put into a list of
 * bytes. The program is kept under the function, these bytes and the types of the operands:
 *
 *     tsr_gelu(x, .exact = true)    gelu, [1], f32[4000000]
 *     tsr_elu(x, 0.5)               elu, [], f32[4000000] and a number: that of all numbers
 *     tsr_sum(x, .dims = D(1))      sum, [1 dim, 1, not kept, ...], f32[4,5]
 *
 * To make it, the function is done once in a trace, on handles of that trace in place of its
 * operands. What does not fit this, such as NULL or poison, is given to the function as it is, so
 * that there is one place that says what is wrong.
 *
 * A function that is written with others, such as ndtr with fma, is the one that their messages
 * name, in a body too: "ndtr does not accept dtype c64". */
#include <assert.h>
#include "lib/apply.h"

/* A call takes half of GUARD_ROOM on the stack at most, so that a body that was left is noticed */
enum { MOST_BYTES = 1024, MOST_OPERANDS = 64, MOST_SLOTS = 12, MOST_RESULTS = 256, MOST_MORE = 2 };

/* A call, which is read first, and then, with a trace, given again with handles of that trace. */
typedef struct call {
	const function *f;
	tsr_ctx *ctx;
	size_t nbytes;
	int n, nnumbers;
	bool wide, exact; /* numbers have 64 bits; they must have */
	trace *trace;
	const var *input; /* of the next operand */
	/* places of results that keywords name; of the trace's copy, results_of.given */
	tsr **more[MOST_MORE], **inner;
	int nmore;
	struct {
		tsr *handle;           /* NULL: it is the number */
		const tsr_arg *number;
	} operand[MOST_OPERANDS];
	array *x[MOST_OPERANDS]; /* those of numbers are made when all is read */
	const type *types[MOST_OPERANDS];
	unsigned char bytes[MOST_BYTES];
} call;
_Static_assert(sizeof(call) <= GUARD_ROOM / 2, "see above");

/* ---- reading a call, and giving it again. Each function is false where a call is not one of
 * arrays */

static bool put(call *c, const void *from, size_t n)
{
	if (c->trace) return true;
	if (n > MOST_BYTES - c->nbytes) return false;
	memcpy(c->bytes + c->nbytes, from, n);
	c->nbytes += n;
	return true;
}

static bool put_whole(call *c, int64_t i) { return put(c, &i, sizeof i); }

/* what the trace's copy of a call may change; NULL: no memory */
static void *own(call *c, const void *from, size_t n)
{
	if (c->trace) return arena_copy(build_arena(c->trace->build), from, n);
	return (void *)(uintptr_t)from; /* not changed while it is read */
}

static bool in_context(call *c, tsr_ctx *ctx)
{
	if (c->ctx) return true;
	if (!ctx) return false;
	ctx_use(c->ctx = ctx);
	return !in_trace(ctx);
}

static bool add_array(call *c, tsr *handle, array *x)
{
	if (c->n == MOST_OPERANDS) return false;
	c->operand[c->n].handle = handle;
	c->x[c->n] = x;
	c->types[c->n++] = x->type;
	return true;
}

static bool add_number(call *c, const tsr_arg *number)
{
	if (c->n == MOST_OPERANDS) return false;
	c->operand[c->n].handle = NULL;
	c->x[c->n] = NULL;
	c->operand[c->n++].number = number;
	c->nnumbers++;
	return true;
}

static tsr *inside(call *c) { return trace_handle(c->trace, *c->input++); }

static bool take_handle(call *c, tsr **x)
{
	if (c->trace) {
		*x = inside(c);
		return true;
	}
	if (!*x || !in_context(c, handles_of(*x)->ctx) || handle_fault(c->ctx, *x)) return false;
	const handle_slot *s = handle_slot_of(*x);
	return s->kind == HANDLE_ARRAY && add_array(c, *x, s->payload);
}

static bool take_optional(call *c, tsr **x)
{
	return put(c, &(char){*x != NULL}, 1) && (!*x || take_handle(c, x));
}

static bool take_list(call *c, const void **list, int64_t n)
{
	if (n < 0 || n > MOST_OPERANDS || (n && !*list)) return false;
	tsr **x = own(c, *list, (size_t)n * sizeof *x);
	if (!x) return false;
	for (int64_t i = 0; i < n; i++)
		if (!take_handle(c, &x[i])) return false;
	*list = x;
	return true;
}

/* inputs: C numbers are operands */
static bool take_arg(call *c, tsr_arg *a, bool inputs)
{
	const bool one = a->kind == TSR_KIND_ONE;
	const bool complex = a->kind == TSR_KIND_COMPLEX;

	if (!put_whole(c, a->kind)) return false;
	if (one) return take_handle(c, &a->as.one);
	if (a->kind == TSR_KIND_NONE) return true;
	if (number_fault(a)) return false;
	if (!inputs) return put(c, &a->as, complex ? sizeof a->as.f : sizeof a->as.i);
	if (!c->trace) return add_number(c, a);
	*a = tsr_arg_one(inside(c));
	return true;
}

static bool take_args(call *c, const void **list, int64_t n, bool power)
{
	if (n < 0 || n > MOST_OPERANDS || (n && !*list)) return false;
	tsr_arg *a = own(c, *list, (size_t)n * sizeof *a);
	if (!a) return false;
	for (int64_t i = 0; i < n; i++) {
		const bool whole = a[i].kind == TSR_KIND_INT || a[i].kind == TSR_KIND_UINT;
		if (!take_arg(c, &a[i], !(power && i == 1 && whole))) return false;
	}
	*list = a;
	return true;
}

static bool is_list(const tsr_dims *dims)
{
	return dims->d[0] >= 0 && dims->d[0] <= 1 + TSR_MAX_NDIM;
}

static bool take_dims(call *c, const tsr_dims *dims)
{
	return is_list(dims) &&
	       put(c, dims->d, (size_t)(dims->d[0] ? dims->d[0] : 1) * sizeof *dims->d);
}

static bool take_text(call *c, const char *text)
{
	return put(c, text ? "\1" : "", 1) && (!text || put(c, text, strlen(text) + 1));
}

static bool take_place(call *c, tsr ***to)
{
	if (!put(c, &(char){*to != NULL}, 1) || !*to) return !*to;
	if (c->trace) {
		*to = c->inner++;
		return true;
	}
	if (c->nmore == MOST_MORE) return false;
	c->more[c->nmore++] = *to;
	return true;
}

static bool take_keyword(call *c, const keyword *k, char *at)
{
	switch (k->kind) {
	case TAKES_HANDLE: return take_optional(c, (tsr **)(void *)at);
	case TAKES_PLACE: return take_place(c, (tsr ***)(void *)at);
	case TAKES_ARG: return take_arg(c, (tsr_arg *)(void *)at, false);
	case TAKES_DIMS: return take_dims(c, (const tsr_dims *)(void *)at);
	case TAKES_TEXT: return take_text(c, *(const char **)(void *)at);
	default: return put(c, at, k->size);
	}
}

static bool is_whole(const keywords *of, const void *record)
{
	size_t size = 0;

	if (record) memcpy(&size, record, sizeof size);
	return size == of->size;
}

static bool take_keywords(call *c, const void **given)
{
	const keywords *of = c->f->keywords;

	if (!*given) return true;
	if (!is_whole(of, *given)) return false; /* of another release */
	char *record = own(c, *given, of->size);
	if (!record) return false;
	for (int i = 0; i < of->n; i++)
		if (!take_keyword(c, &of->each[i], record + of->each[i].offset)) return false;
	*given = record;
	return true;
}

/* how many handles there are in the lists; -1: their count is no number of dims */
static int64_t list_length(const char *takes, const slot *given)
{
	const char *count = strchr(takes, TAKES_COUNT), *at = strchr(takes, TAKES_DIMS);

	if (count) return given[count - takes].whole;
	const tsr_dims *dims = at ? given[at - takes].at : NULL;
	return !dims ? 0 : is_list(dims) ? dims_count(dims) : -1;
}

static bool take(call *c, char kind, slot *s, const char *takes, const slot *all)
{
	switch (kind) {
	case TAKES_CONTEXT: return in_context(c, s->ctx) && s->ctx == c->ctx;
	case TAKES_HANDLE: return take_handle(c, &s->handle);
	case TAKES_OPTIONAL: return take_optional(c, &s->handle);
	case TAKES_HANDLES: return take_list(c, &s->at, list_length(takes, all));
	case TAKES_EXACT: c->exact = true; /* fallthrough */
	case TAKES_OPERAND: return take_args(c, &s->at, 1, false);
	case TAKES_OPERANDS: return take_args(c, &s->at, list_length(takes, all), false);
	case TAKES_PAIR: return take_args(c, &s->at, 2, false);
	case TAKES_TRIPLE: return take_args(c, &s->at, 3, false);
	case TAKES_POWER: return take_args(c, &s->at, 2, true);
	case TAKES_ARG: {
		tsr_arg *a = own(c, s->at, sizeof *a);
		s->at = a;
		return a && take_arg(c, a, false);
	}
	case TAKES_REAL: return put(c, &s->real, sizeof s->real);
	case TAKES_DIMS: return take_dims(c, s->at);
	case TAKES_TEXT: return take_text(c, s->at);
	case TAKES_KEYWORDS: return take_keywords(c, &s->at);
	default: return put_whole(c, s->whole);
	}
}

/* s: a copy of the slots, for the trace to change */
static bool take_all(call *c, const slot *given, slot s[MOST_SLOTS])
{
	const char *takes = c->f->takes;

	for (int i = 0; takes[i]; i++) {
		s[i] = given[i];
		if (!take(c, takes[i], &s[i], takes, given)) return false;
	}
	if (!c->ctx && c->nnumbers && !in_context(c, ctx_here())) return false;
	return ctx_alive(c->ctx);
}

/* Numbers are operands of 64 bits beside a strong value, whose dtype they take, rounded once; else
 * they have the dtype that they would have by themselves. A number must fit what it is computed
 * with: as an operand it would wrap. */
static bool numbers_fit(call *c)
{
	etype all = {TSR_BOOL, false};

	for (int i = 0; c->nnumbers && i < c->n; i++) {
		const tsr_arg *number = c->operand[i].number;
		all = etype_join(all, c->x[i] ? etype_of(c->types[i])
		                              : etype_of_number(&c->ctx->base, number));
	}
	for (int i = 0; c->nnumbers && i < c->n; i++)
		if (!c->x[i] && !number_fits(all.dtype, c->operand[i].number)) return false;
	c->wide = c->exact || !all.weak;
	return true;
}

/* ---- its program */

/* what the function gave, handles of the trace: in `out`, and then where keywords say; and how its
 * program has it */
typedef struct results_of {
	tsr *given[MOST_RESULTS + MOST_MORE];
	int n, out[MOST_RESULTS + MOST_MORE];
	var result[MOST_RESULTS + MOST_MORE];
	int nresults;
} results_of;

/* false: one is poison, which is recorded */
static bool read_results(const call *c, trace *t, const var *input, results_of *r)
{
	r->nresults = 0;
	for (int j = 0; j < r->n; j++) {
		tsr *y = r->given[j];
		var v;
		int k = 0;
		if (y && !trace_var(t, y, &v)) return false;
		while (y && k < c->n && (!c->operand[k].handle || input[k].id != v.id)) k++;
		r->out[j] = !y ? ABSENT : k < c->n ? ~k : r->nresults;
		if (r->out[j] == r->nresults) r->result[r->nresults++] = v;
	}
	return true;
}

/* the one that is given, or that of the first handle; NULL: there is none */
static tsr_ctx *context_given(const function *f, const slot *given)
{
	for (int i = 0; f->takes[i]; i++) {
		tsr *const *list = given[i].at;
		if (f->takes[i] == TAKES_CONTEXT) return given[i].ctx;
		if (f->takes[i] == TAKES_HANDLE) return tsr_ctx_of(given[i].handle);
		if (f->takes[i] == TAKES_HANDLES && list && list_length(f->takes, given) > 0)
			return tsr_ctx_of(*list);
	}
	return NULL;
}

/* Does the function, with a whole record of its keywords */
static bool do_whole(const function *f, const char *where, const slot *given, tsr **out, int nout)
{
	const keywords *of = f->keywords;
	const char *k = strchr(f->takes, TAKES_KEYWORDS);
	call_site site = {.where = where, .op = f->name};
	slot whole[MOST_SLOTS];

	if (*f->takes == TAKES_CONTEXT) site.ctx = given->ctx;
	if (!k || is_whole(of, given[k - f->takes].at)) return f->does(&site, given, out);
	tsr_ctx *ctx = context_given(f, given);
	void *own = memset(__builtin_alloca(of->size), 0, of->size);
	memcpy(own, &of->size, sizeof of->size);
	memcpy(whole, given, strlen(f->takes) * sizeof *whole);
	slot *record = &whole[k - f->takes];
	record->at = keywords_read(ctx, where, of->type, own, of->size, record->at);
	if (record->at) return f->does(&site, whole, out);
	for (int j = 0; j < nout; j++) out[j] = poison_of(ctx);
	return false;
}

/* It is the one that was asked for, if it is no part of another */
static bool do_asked(const call *c, const char *where, const slot *given, tsr **out, int nout)
{
	const asked_call outer = asked_begin(where, c->f->name);
	const bool ok = do_whole(c->f, where, given, out, nout);
	asked_here = outer;
	return ok;
}

/* does the function in the trace. NULL: recorded */
static program *traced_program_of(call *c, const char *where, const slot *given, trace *t,
                                  results_of *r)
{
	var input[MOST_OPERANDS];
	slot inside[MOST_SLOTS];

	for (int i = 0; i < c->n; i++)
		if (!(input[i] = build_input(t->build, c->types[i])).id) return NULL;
	c->trace = t;
	c->input = input;
	c->inner = r->given + r->n - c->nmore;
	const bool ok = take_all(c, given, inside) && do_asked(c, where, inside, r->given, r->n) &&
	                read_results(c, t, input, r);
	c->trace = NULL;
	assert(!t->nlifted); /* a function has what it is given alone */
	program *p = ok ? trace_program(t, r->result, r->nresults) : NULL;
	return p && p->neqns > 1 ? pass_done(p, "trace") : p;
}

/* in a trace of its own, which ends however a log function of the user is left */
static program *make_program(call *c, const char *where, const slot *given, results_of *r)
{
	const trace_of of = {.name = c->f->name, .where = where};
	__attribute__((cleanup(trace_unwound))) trace *running = trace_begin(c->ctx, &of);
	trace *const t = running;
	volatile uintptr_t on_frame;

	if (!t) return NULL;
	guard_set(&t->body, &on_frame, __builtin_alloca(GUARD_ROOM));
	program *p = traced_program_of(c, where, given, t, r);
	running = NULL;
	trace_end(t);
	return p;
}

/* ---- running it */

/* where result j goes */
static tsr **place_of(const call *c, tsr **out, int nout, int j)
{
	return j < nout ? &out[j] : c->more[j - nout];
}

/* The program of a call, made, and pinned. NULL: recorded, and all results are poison */
static eager_entry *entry_make(call *c, const char *where, const slot *given, const eager_key *key,
                               tsr **out, int nout)
{
	results_of r = {.n = nout + c->nmore};
	program *p = make_program(c, where, given, &r);
	eager_entry *op = eager_keep(c->ctx, key, p, r.out, r.n);

	if (!op && !r.given[0]) do_asked(c, where, given, out, nout); /* there is no memory */
	for (int j = 0; !op && r.given[0] && j < r.n; j++)
		if (r.given[j]) *place_of(c, out, nout, j) = poison_of(c->ctx);
	return op;
}

static void give_results(const call *c, const char *where, const eager_entry *op,
                         array *const *made, tsr **out, int nout)
{
	const call_site site = {c->ctx, where, c->f->name};

	for (int j = 0; j < op->nout; j++) {
		tsr **to = place_of(c, out, nout, j);
		const int k = op->out[j];
		if (k < 0)
			*to = c->operand[~k].handle;
		else if (k != ABSENT)
			*to = handle_of_array(c->ctx, made[k]);
	}
	for (int j = 0; j < op->nout; j++) {
		const int k = op->out[j];
		if (k < 0 || k == ABSENT || !made[k]->type->weak) continue;
		tsr **to = place_of(c, out, nout, j);
		*to = as_default(&site, *to);
	}
}

static bool run(call *c, const char *where, const slot *given, tsr **out, int nout)
{
	array *made[MOST_RESULTS + MOST_MORE];
	eager_key key = {.what = c->f, .params = c->bytes, .nbytes = c->nbytes, .n = c->n,
	                 .types = c->types};
	eager_entry *op = eager_find(c->ctx, &key);

	if (!op && !(op = entry_make(c, where, given, &key, out, nout))) return false;
	const bool ok = !op->program->nout ||
	                run_program(c->ctx, where, op->program, c->x,
	                            &(run_options){.one_line = true}, made);
	for (int j = 0; !ok && j < op->nout; j++)
		if (op->out[j] != ABSENT) *place_of(c, out, nout, j) = poison_of(c->ctx);
	if (ok) give_results(c, where, op, made, out, nout);
	cached_unpin(&op->cached);
	return ok;
}

static array *number_array(const call *c, const char *where, const tsr_arg *number)
{
	_Alignas(16) unsigned char value[16] = {0};
	tsr_ctx *ctx = c->ctx;
	const etype own = etype_of_number(&ctx->base, number), of = c->wide ? etype_wide(own) : own;
	const type *t = type_make(&ctx->ir, of.dtype, NULL, 0, 0);
	const sharding *s = sharding_one(&ctx->shards, where, ctx->home);

	dtype_from_arg(of.dtype, number, value);
	return t && s && (t = type_as(&ctx->ir, t, of)) ? array_from_host(ctx, t, value, s, false)
	                                                : NULL;
}

/* arrays for the numbers; NULL: it is not made. false: recorded */
static bool make_numbers(call *c, const char *where)
{
	bool ok = true;

	for (int i = 0; ok && i < c->n; i++) {
		if (c->operand[i].handle) continue;
		ok = (c->x[i] = number_array(c, where, c->operand[i].number));
		if (ok) c->types[i] = c->x[i]->type;
	}
	return ok;
}

/* are there results that are to go nowhere? However many, which an int might not hold */
static bool lacks_list(const function *f, const slot *given, tsr *const *out, int nout)
{
	bool some = nout;

	for (int i = 0; f->takes[i]; i++) some |= f->takes[i] == TAKES_COUNT && given[i].whole;
	return some && !out;
}

static bool no_list(const function *f, const char *where, const slot *given)
{
	return fail(&ctx_or_here(context_given(f, given))->base, where, TSR_ERROR_ARGUMENT,
	            "%s: the list of results is NULL", f->name);
}

bool apply(const function *f, const char *where, const slot *given, tsr **out, int nout)
{
	call c;
	slot same[MOST_SLOTS];

	if (lacks_list(f, given, out, nout)) return no_list(f, where, given);
	c.f = f;
	c.ctx = NULL;
	c.trace = NULL;
	c.exact = false;
	c.nbytes = 0;
	c.n = c.nnumbers = c.nmore = 0;
	if (nout > MOST_RESULTS || !take_all(&c, given, same) || !numbers_fit(&c))
		return do_asked(&c, where, given, out, nout);
	TURN(&c.ctx->base, where);
	if (!turn_) return do_asked(&c, where, given, out, nout); /* poison, each in its place */
	if (!c.nnumbers) return run(&c, where, given, out, nout);
	const bool ok = make_numbers(&c, where) ? run(&c, where, given, out, nout)
	                                        : do_asked(&c, where, given, out, nout);
	for (int i = 0; i < c.n; i++)
		if (!c.operand[i].handle && c.x[i]) array_release(c.x[i]);
	return ok;
}
