/* values.c - small arrays on the host and the results of programs on them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/values.h"

typedef struct kept {
	struct kept *next;
	program *program;
	void *memory;
} kept;

/* ---- the lab */

static _Noreturn void no_memory(void)
{
	fprintf(stderr, "no memory for a test\n");
	exit(1);
}

lab *lab_open(uint64_t seed)
{
	lab *l = calloc(1, sizeof *l);

	if (!l || !base_init(&l->base, NULL, NULL, 0) ||
	    !shards_init(&l->shards, &l->base, NULL, l->device, ARRAY_LEN(l->device)) ||
	    !ir_init(&l->ir, &l->base, &l->shards, all_prims, all_prims_count) ||
	    !(l->arena = arena_make(&l->base)))
		no_memory();
	l->dice = seed;
	for (size_t i = 0; i < ARRAY_LEN(l->device); i++) l->device[i].id = (int64_t)i;
	return l;
}

void lab_clear(lab *l)
{
	while (l->kept) {
		kept *k = l->kept;
		l->kept = k->next;
		program_release(k->program);
		free(k->memory);
		free(k);
	}
	arena_free(l->arena);
	if (!(l->arena = arena_make(&l->base))) no_memory();
}

void lab_close(lab *l)
{
	lab_clear(l);
	arena_free(l->arena);
	ir_fini(&l->ir);
	shards_fini(&l->shards);
	base_fini(&l->base);
	free(l);
}

static void keep(lab *l, program *p, void *memory)
{
	kept *k = malloc(sizeof *k);

	if (!k) no_memory();
	*k = (kept){l->kept, p, memory};
	l->kept = k;
}

void lab_fail(lab *l, const program *p, const char *format, ...)
{
	str text = {.base = &l->base};
	va_list list;

	va_start(list, format);
	fprintf(stderr, "FAILED: %s | %s: ", l->about, l->set);
	vfprintf(stderr, format, list);
	fprintf(stderr, "\n");
	va_end(list);
	if (p) program_print(&text, p, 0);
	if (text.s) fprintf(stderr, "%s\n", text.s);
	str_free(&text);
	l->failures++;
}

program *lab_keep(lab *l, program *p, const char *made_by)
{
	if (p) {
		keep(l, p, NULL);
		if (program_verify(p, made_by)) return p;
	}
	lab_fail(l, p, "%s: %s", made_by, error_text(&l->base));
	error_clear(&l->base);
	return NULL;
}

int64_t lab_without_memory(lab *l, const program *p, program *(*pass)(const program *))
{
	int64_t requests = 0;
	program *q = pass(p); /* types that it needs are interned now */

	program_release(q);
	const size_t in_use = mem_in_use(&l->base);
	for (q = NULL; !q && !l->failures; requests++) {
		l->base.mem.fail_at = requests;
		q = pass(p);
		l->base.mem.fail_at = -1;
		if (!q && !failed(&l->base)) lab_fail(l, p, "no program, and no error");
		error_clear(&l->base);
		if (!q && mem_in_use(&l->base) != in_use)
			lab_fail(l, p, "request %lld: memory is lost", (long long)requests);
	}
	program_release(q);
	if (mem_in_use(&l->base) != in_use) lab_fail(l, p, "memory is lost");
	return requests;
}

program *lab_parse(lab *l, const char *text)
{
	program *p = program_parse(&l->ir, NULL, text, strlen(text));

	if (p) keep(l, p, NULL);
	return p;
}

/* ---- random numbers */

uint64_t dice_bits(lab *l)
{
	l->dice = l->dice * 6364136223846793005u + 1442695040888963407u;
	const uint64_t z = (l->dice ^ l->dice >> 29) * 0xbf58476d1ce4e5b9u;
	return z ^ z >> 32;
}

int64_t dice_roll(lab *l, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(dice_bits(l) % (uint64_t)(hi - lo + 1));
}

double dice_in(lab *l, double lo, double hi)
{
	return lo + (hi - lo) * ((double)(dice_bits(l) >> 11) * 0x1p-53);
}

/* ---- elements */

bool inexact(tsr_dtype t) { return dtype_kind(t) == KIND_FLOAT || dtype_kind(t) == KIND_COMPLEX; }

static void *element(const value *x, int64_t i)
{
	return (char *)x->data + (size_t)i * tsr_dtype_size(x->type->dtype);
}

double _Complex value_at(const value *x, int64_t i)
{
	double _Complex wide;

	dtype_convert(TSR_C128, &wide, x->type->dtype, element(x, i), 1);
	return wide;
}

void value_set(const value *x, int64_t i, double _Complex to)
{
	dtype_convert(x->type->dtype, element(x, i), TSR_C128, &to, 1);
}

static size_t bytes_of(const type *t) { return (size_t)t->size * tsr_dtype_size(t->dtype); }

value value_zeros(lab *l, const type *t)
{
	void *memory = calloc(1, bytes_of(t) ? bytes_of(t) : 1);

	if (!memory) no_memory();
	keep(l, NULL, memory);
	return (value){t, memory};
}

/* ---- made by chance */

static void shuffle(lab *l, int *order, int n)
{
	for (int i = 0; i < n; i++) order[i] = i;
	for (int i = n - 1; i > 0; i--) {
		const int k = (int)dice_roll(l, 0, i), was = order[i];
		order[i] = order[k];
		order[k] = was;
	}
}

/* in the place-th of n parts of the bounds, each whole number's stretch narrowed to its part from
 * 0.1 to 0.4 */
static double point(lab *l, int place, int n, const double *bounds)
{
	const double x = bounds[0] + (bounds[1] - bounds[0]) * (place + dice_in(l, 0.3, 0.7)) / n;

	return floor(x) + 0.1 + 0.3 * (x - floor(x));
}

static int64_t whole_number(lab *l, tsr_dtype t)
{
	return t == TSR_BOOL ? dice_roll(l, 0, 1) : dice_roll(l, -3, 5);
}

void values_points(lab *l, const value *x, int n, const double (*bounds)[2])
{
	int count = 0, at = 0;

	for (int i = 0; i < n; i++) count += 2 * (int)x[i].type->size;
	int *order = calloc((size_t)count + 1, sizeof *order);
	if (!order) no_memory();
	shuffle(l, order, count);
	for (int i = 0; i < n; i++)
		for (int64_t k = 0; k < x[i].type->size; k++) {
			const double re = point(l, order[at++], count, bounds[i]);
			const double im = point(l, order[at++], count, bounds[i]);
			if (!inexact(x[i].type->dtype)) {
				const int64_t whole = whole_number(l, x[i].type->dtype);
				dtype_convert(x[i].type->dtype, element(&x[i], k), TSR_I64, &whole,
				              1);
			} else {
				value_set(&x[i], k, __builtin_complex(re, im));
			}
		}
	free(order);
}

static double direction(lab *l) { return dice_in(l, 0.5, 1.5) * (dice_roll(l, 0, 1) ? 1 : -1); }

value value_direction(lab *l, const type *t, int parts)
{
	const value v = value_zeros(l, t);

	for (int64_t i = 0; i < t->size; i++) {
		const double re = parts & 1 ? direction(l) : 0, im = parts & 2 ? direction(l) : 0;
		value_set(&v, i, __builtin_complex(re, im));
	}
	return v;
}

void value_specials(lab *l, const value *x)
{
	const double special[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0};

	for (int64_t i = 0; i < x->type->size; i++) {
		const double at = special[dice_roll(l, 0, ARRAY_LEN(special) - 1)];
		if (!inexact(x->type->dtype) || dice_roll(l, 0, 3)) continue;
		value_set(x, i, __builtin_complex(at, dice_roll(l, 0, 1) ? at : 1.0));
	}
}

/* ---- made of others */

static const type *with_dims(lab *l, const type *t, const int64_t *dims, int ndim)
{
	const type *made = type_make(&l->ir, t->dtype, dims, ndim, t->varying);

	if (!made) no_memory();
	return made;
}

value value_as(lab *l, const value *x, tsr_dtype dtype)
{
	const type *t = type_as(&l->ir, x->type, (etype){dtype, false});

	if (!t) no_memory();
	const value y = value_zeros(l, t);
	dtype_convert(dtype, y.data, x->type->dtype, x->data, t->size);
	return y;
}

value value_element(lab *l, const value *x, int64_t i)
{
	const value y = value_zeros(l, with_dims(l, x->type, x->type->dims + 1, x->type->ndim - 1));

	if (y.type->size) memcpy(y.data, element(x, i * y.type->size), bytes_of(y.type));
	return y;
}

value value_sum_elements(lab *l, const value *x)
{
	const value y = value_zeros(l, with_dims(l, x->type, x->type->dims + 1, x->type->ndim - 1));

	for (int64_t i = 0; i < x->type->size; i++) {
		const int64_t k = i % y.type->size;
		value_set(&y, k, value_at(&y, k) + value_at(x, i));
	}
	return y;
}

value value_step(lab *l, const value *x, double h, const value *dx)
{
	const value y = value_zeros(l, x->type);

	for (int64_t i = 0; i < x->type->size; i++)
		value_set(&y, i, value_at(x, i) + h * value_at(dx, i));
	return y;
}

/* ---- compared */

double eps_of(tsr_dtype t)
{
	switch (dtype_real(t)) {
	case TSR_F16: return 0x1p-10;
	case TSR_BF16: return 0x1p-7;
	case TSR_F32: return 0x1p-23;
	case TSR_F64: return 0x1p-52;
	default: return 0;
	}
}

double value_largest(const value *x)
{
	double most = 1;

	for (int64_t i = 0; i < x->type->size; i++) {
		const double at = cabs(value_at(x, i));
		if (isfinite(at) && at > most) most = at;
	}
	return most;
}

static bool same_part(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static bool same_dims(const type *a, const type *b)
{
	return dims_same(a->dims, a->ndim, b->dims, b->ndim);
}

int64_t value_same(const value *got, const value *want)
{
	const size_t size = tsr_dtype_size(got->type->dtype);

	if (got->type->dtype != want->type->dtype || !same_dims(got->type, want->type)) return 0;
	for (int64_t i = 0; i < got->type->size; i++) {
		const double _Complex a = value_at(got, i), b = value_at(want, i);
		if (memcmp(element(got, i), element(want, i), size) == 0) continue;
		if (!inexact(got->type->dtype) || !same_part(creal(a), creal(b)) ||
		    !same_part(cimag(a), cimag(b)))
			return i;
	}
	return -1;
}

int64_t value_close(const value *got, const value *want, double tolerance)
{
	const double most = tolerance * value_largest(want);

	if (got->type->size != want->type->size) return 0;
	for (int64_t i = 0; i < got->type->size; i++)
		if (!(cabs(value_at(got, i) - value_at(want, i)) <= most)) return i;
	return -1;
}

/* ---- programs */

static value value_of(lab *l, const program *p, var v, const value *of)
{
	const var_info *info = &p->vars[v.id];

	if (!info->literal) return of[v.id];
	const value x = value_zeros(l, info->type);
	memcpy(x.data, info->literal, bytes_of(info->type));
	return x;
}

static bool run_call(lab *l, const program *p, const eqn *e, value *of)
{
	value *in = arena_array(l->arena, (size_t)e->nin + (size_t)e->nout + 1, sizeof *in);

	if (!in) no_memory();
	for (int i = 0; i < e->nin; i++) in[i] = value_of(l, p, e->in[i], of);
	if (!lab_run(l, eqn_program(e), in, in + e->nin)) return false;
	for (int k = 0; k < e->nout; k++) of[e->out[k].id] = in[e->nin + k];
	return true;
}

static bool run_eqn(lab *l, const program *p, const eqn *e, value *of)
{
	const type **in = arena_array(l->arena, (size_t)e->nin + (size_t)e->nout + 1, sizeof *in);
	const void **x = arena_array(l->arena, (size_t)e->nin + 1, sizeof *x);
	void **y = arena_array(l->arena, (size_t)e->nout + 1, sizeof *y);

	if (!in || !x || !y) no_memory();
	if (!eqn_evaluates(e) || e->prim->flags & PRIM_COLLECTIVE || eqn_program(e)) {
		lab_fail(l, p, "%s is not a local row", e->prim->name);
		return false;
	}
	const type **out = in + e->nin;
	for (int i = 0; i < e->nin; i++) {
		const var_info *v = &p->vars[e->in[i].id];
		in[i] = v->type;
		x[i] = v->literal ? v->literal : of[e->in[i].id].data;
	}
	for (int k = 0; k < e->nout; k++) {
		out[k] = type_of(p, e->out[k]);
		of[e->out[k].id] = value_zeros(l, out[k]);
		y[k] = of[e->out[k].id].data;
	}
	void *scratch = arena_alloc(l->arena, eqn_scratch(e, in) + 1);
	if (!scratch) no_memory();
	eqn_eval(&(eval_args){
		.eqn = e, .in = in, .out = out, .n = 1, .x = x, .y = y, .scratch = scratch});
	return true;
}

bool lab_run(lab *l, const program *p, const value *in, value *out)
{
	value *of = arena_array(l->arena, (size_t)p->nvars, sizeof *of);

	if (!of) no_memory();
	for (int i = 0; i < p->nin; i++) {
		if (in[i].type != type_of(p, p->in[i])) {
			lab_fail(l, p, "input %d is not of the type that was expected", i);
			return false;
		}
		of[p->in[i].id] = in[i];
	}
	for (int i = 0; i < p->neqns; i++)
		if (!(p->eqns[i].prim == &tsr__prim_call ? run_call : run_eqn)(l, p, &p->eqns[i],
		                                                               of))
			return false;
	for (int k = 0; k < p->nout; k++) out[k] = value_of(l, p, p->out[k], of);
	return true;
}
