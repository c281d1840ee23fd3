/* values.c - gives the values of one program their memory, from their parts and lifetimes. waves.c
 * orders the equations, and results.c places their results.
 *
 * Example:
 *
 *     f(%0: f32[2048]) -> f32[2048] {
 *       %1: f32[2048] = cumsum %0 dim=0 reverse=false
 *       %2: f32[2048] = cumsum %0 dim=0 reverse=true
 *       %3: f32[4096] = concatenate %1 %2 dim=0
 *       %4: f32[4096] = cumsum %3 dim=0 reverse=false
 *       %5: f32[2048] = slice %4 start=[2048] stop=[4096] step=[1]
 *       %6: f32[2048] = cumsum %5 dim=0 reverse=false
 *       %7: f32[2048] = neg %6
 *       %8: f32[2048] = cumsum %7 dim=0 reverse=true
 *       return %8
 *     }
 *
 * %1 and %2 are parts of %3, and %5 is a part of %4, so joining and slicing need no step. %3, %4,
 * %6 and %7 are wholes; %8 is one too, which is wanted in out0:
 *
 *     the plan of f: 6 steps, 32768 bytes of scratch memory
 *       kernel 0: neg
 *       0  call cumsum  in0 -> scratch+0  ..
 *       1  call cumsum  in0 -> scratch+8192  ..
 *       2  call cumsum  scratch+0 -> scratch+16384  ..
 *       3  call cumsum  scratch+24576 -> scratch+0  ..
 *       4  kernel 0  scratch+0 -> scratch+0  ..
 *       5  call cumsum  scratch+0 -> out0  ..
 *
 * A whole has memory from the wave that makes its first part to the last wave that uses any part.
 * %7 takes that of %6, which ends in the same wave and is read by nothing else there:
 *
 *     scratch     wave 0     wave 1     wave 2     wave 3     wave 4
 *         0       %1         %3         %6         %6, %7     %7
 *      8192       %2         %3
 *     16384                  %4         %4
 *     24576                  %4         %4: %5 */
#include "engine/plan/values.h"

struct borrowed {
	struct borrowed *next;
	int64_t offset, bytes;
};

int64_t value_bytes(const type *t) { return t->size * (int64_t)tsr_dtype_size(t->dtype); }

/* on the way to the whole, each part learns what it is a part of one step further: chains of parts
 * are short when they are walked again. A whole has no delta */
struct value *whole_of(const level *l, var v, int64_t *delta)
{
	struct value *x = value_at(l, v);

	*delta = 0;
	while (x->whole != (int32_t)(x - l->value)) {
		const struct value *of = &l->value[x->whole];
		x->delta += of->delta;
		x->whole = of->whole;
		*delta += x->delta;
		x = &l->value[x->whole];
	}
	return x;
}

/* ---- parts */

/* the first dim that is not of size 1, or ndim */
static int first_dim(const type *t)
{
	int d = 0;

	while (d < t->ndim && t->dims[d] == 1) d++;
	return d;
}

/* is a slice one range of memory? */
static bool slice_is_range(const eqn *e, const type *in, const type *out, int64_t *delta)
{
	const slice_params *p = e->params;
	const int first = first_dim(out);
	int64_t at = 0;

	for (int d = 0; d < in->ndim; d++) {
		if (p->step.v[d] != 1 && out->dims[d] > 1) return false;
		if (d > first && out->dims[d] != in->dims[d]) return false;
		at = at * in->dims[d] + p->start.v[d];
	}
	*delta = at * (int64_t)tsr_dtype_size(in->dtype);
	return true;
}

/* the operand that result j is a part of; -1: none */
static int part_of(const level *l, const eqn *e, int j, int64_t *delta)
{
	const program *p = l->p;

	*delta = 0;
	if (e->prim == &tsr__prim_optimization_barrier) return j;
	if (e->prim == &tsr__prim_transfer_end) return e->nin - e->nout + j;
	if (e->nin != 1 || p->vars[e->in[0].id].literal) return -1;
	const bool part = e->prim == &tsr__prim_reshape || e->prim == &tsr__prim_squeeze ||
	                  e->prim == &tsr__prim_expand_dims ||
	                  (e->prim == &tsr__prim_slice &&
	                   slice_is_range(e, type_of(p, e->in[0]), type_of(p, e->out[0]), delta));
	return part ? 0 : -1;
}

static void find_part(level *l, int i, int j)
{
	const eqn *e = &l->p->eqns[i];
	struct value *y = value_at(l, e->out[j]);
	int64_t delta;
	const int operand = part_of(l, e, j, &delta);

	y->maker = i + 1;
	if (operand < 0) return;
	y->whole = e->in[operand].id;
	y->delta = delta;
	l->idle[i] = e->prim != &tsr__prim_transfer_end;
}

/* The whole that an operand is all of, if it can be made where the operand is joined to others;
 * NULL: it cannot. What is received is made by the begin of its transfer */
static struct value *joinable(const level *l, var v)
{
	int64_t delta;
	struct value *x = whole_of(l, v, &delta);
	const struct value *part = value_at(l, v);
	const bool all = !delta && x->bytes == part->bytes && !x->is_result && !part->is_result;

	return all && x->maker && !l->idle[x->maker - 1] ? x : NULL;
}

/* true: every operand is computed right where the result has it */
static bool join_operands(const level *l, const eqn *e)
{
	const type *out = type_of(l->p, e->out[0]);
	bool all = true;
	int64_t at = 0;

	if (((const dim_params *)e->params)->dim > first_dim(out)) return false;
	for (int i = 0; i < e->nin; i++) {
		struct value *x = joinable(l, e->in[i]);
		if (x) {
			x->whole = e->out[0].id;
			x->delta = at;
		}
		all = all && x;
		at += value_at(l, e->in[i])->bytes;
	}
	return all;
}

static void find_parts(level *l)
{
	for (int i = 0; i < l->p->neqns; i++) {
		const eqn *e = &l->p->eqns[i];
		for (int j = 0; j < e->nout; j++) find_part(l, i, j);
		if (e->prim == &tsr__prim_concatenate) l->idle[i] = join_operands(l, e);
	}
}

/* ---- lifetimes */

static void use(const level *l, var v, int32_t wave)
{
	int64_t delta;
	struct value *x = whole_of(l, v, &delta);

	if (wave < x->last) return;
	x->nuses = wave > x->last ? 1 : x->nuses + 1;
	x->last = wave;
}

static bool has_kernel(const level *l, const eqn *e)
{
	matrix_product p;

	return !is_called(e) && !eqn_has_effects(e) &&
	       maker_of(l->s->target, l->p, e, &p) != BY_MATRICES;
}

/* An engine may compute a kernel together with a product that it reads, if the results are not
 * where the operands of the product are. So these stay until the kernel's wave ends:
 *
 *     wave 0    c = a b          a, b, c
 *     wave 1    d = tanh(c)      a, b, c, which becomes d
 *
 * Small products gain nothing by that. */
static void keep_products(const level *l, int kernel)
{
	const eqn *e = &l->p->eqns[kernel];
	int64_t delta;
	matrix_product p;

	for (int j = 0; j < e->nin; j++) {
		const int maker = whole_of(l, e->in[j], &delta)->maker - 1;
		const eqn *product = maker >= 0 ? &l->p->eqns[maker] : NULL;
		if (!product || l->wave[maker] + 1 != l->wave[kernel] ||
		    (value_at(l, product->out[0])->bytes < TUNE_EPILOGUE_BYTES &&
		     !l->s->all_large) ||
		    maker_of(l->s->target, l->p, product, &p) != BY_MATRICES)
			continue;
		for (int k = 0; k < product->nin; k++) {
			struct value *x = whole_of(l, product->in[k], &delta);
			if (!x->maker || x->last != l->wave[maker]) continue;
			x->last = l->wave[kernel];
			x->nuses = 0;
		}
	}
}

/* Is an output a part of a value that has memory of its own? It is copied as soon as it is there,
 * so that the rest need not wait for the end of the program */
static bool leaves_early(const level *l, const wanted *want, int i)
{
	int64_t delta;
	const struct value *y = value_at(l, l->p->out[i]);
	const struct value *whole = whole_of(l, l->p->out[i], &delta);

	return l->outermost && want[i].at.root >= 0 && whole->maker && y->bytes < whole->bytes &&
	       y->ready < l->nwaves;
}

static void find_lifetimes(const level *l, const wanted *want)
{
	int64_t delta;

	for (int v = 1; v < l->p->nvars; v++) l->value[v].last = -1;
	for (int i = 0; i < l->p->neqns; i++) {
		const eqn *e = &l->p->eqns[i];
		if (l->idle[i]) continue;
		for (int j = 0; j < e->nin; j++) use(l, e->in[j], l->wave[i]);
		for (int j = 0; j < e->nout; j++) use(l, e->out[j], l->wave[i]);
	}
	for (int i = 0; i < l->p->neqns; i++)
		if (!l->idle[i] && has_kernel(l, &l->p->eqns[i])) keep_products(l, i);
	for (int i = 0; i < l->p->nout; i++) {
		l->leaves[i] = leaves_early(l, want, i) ? value_at(l, l->p->out[i])->ready : -1;
		if (l->leaves[i] >= 0)
			use(l, l->p->out[i], l->leaves[i]);
		else
			whole_of(l, l->p->out[i], &delta)->last = INT32_MAX;
	}
}

/* What an equation updates, and nothing needs afterwards, is made where the result shall be. From
 * the last one to the first: an array that is updated several times is there from the beginning */
static void join_updated(const level *l)
{
	int64_t delta;

	for (int i = l->p->neqns - 1; i >= 0; i--) {
		const eqn *e = &l->p->eqns[i];
		const int updated = updated_operand(e);
		if (updated < 0) continue;
		struct value *x = whole_of(l, e->in[updated], &delta);
		if (!x->maker || l->idle[x->maker - 1] || x->last != l->wave[i] || x->nuses != 1 ||
		    x->bytes != value_at(l, e->out[0])->bytes)
			continue;
		x->whole = e->out[0].id;
		x->delta = 0;
	}
}

/* ---- the ends of wholes */

void end_with(const level *l, struct value *x)
{
	if (x->last == INT32_MAX) return;
	x->next = l->ending[x->last];
	l->ending[x->last] = (int32_t)(x - l->value);
}

/* from the last input to the first, so that lists begin with the first ones */
static bool find_vacancies(level *l)
{
	bool ok = true;

	for (int i = l->p->nin - 1; ok && i >= 0; i--) {
		struct value *x = value_at(l, l->p->in[i]);
		if (x->last < 0)
			ok = vacate(l, x);
		else
			end_with(l, x);
	}
	return ok;
}

/* ---- a level */

static void want_results(const level *l, const wanted *want)
{
	int64_t delta;

	for (int i = 0; i < l->p->nout; i++) {
		const var v = l->p->out[i];
		struct value *x = whole_of(l, v, &delta);
		if (want[i].at.root >= 0 && !x->want && x->maker && delta == 0 &&
		    x->bytes == value_at(l, v)->bytes)
			x->want = &want[i];
	}
}

static bool level_arrays(level *l)
{
	const size_t nvars = (size_t)l->p->nvars, neqns = (size_t)l->p->neqns;

	l->value = arena_array(l->arena, nvars, sizeof *l->value);
	l->wave = arena_array(l->arena, neqns + 1, sizeof *l->wave);
	l->idle = arena_array(l->arena, neqns + 1, sizeof *l->idle);
	/* a wave for each equation, and as many more in which transfers may end */
	l->ending = arena_array(l->arena, 2 * neqns + 2, sizeof *l->ending);
	l->leaves = arena_array(l->arena, (size_t)l->p->nout + 1, sizeof *l->leaves);
	return l->value && l->wave && l->idle && l->ending && l->leaves;
}

static bool place_inputs(const level *l, const place *in)
{
	const program *p = l->p;

	for (int32_t v = 1; v < p->nvars; v++) {
		struct value *x = &l->value[v];
		*x = (struct value){.whole = v,
		                    .at = NOWHERE,
		                    .bytes = value_bytes(p->vars[v].type),
		                    .last = -1};
		if (p->vars[v].literal) x->at = constant_place(l->s, p->vars[v].literal, x->bytes);
		if (p->vars[v].literal && x->at.root < 0) return false;
	}
	for (int i = 0; i < p->nin; i++) {
		value_at(l, p->in[i])->at = in[i];
		value_at(l, p->in[i])->input = i + 1;
	}
	for (int i = 0; i < p->nout; i++) value_at(l, p->out[i])->is_result = true;
	return true;
}

bool level_init(level *l, schedule *s, bool outermost, const program *p, const place *in,
                const wanted *want)
{
	*l = (level){.s = s,
	             .arena = arena_make(s->base),
	             .p = p,
	             .outermost = outermost,
	             .storage.base = s->base,
	             .vacant.base = s->base};
	l->root = root_add(s, (root){.kind = ROOT_SCRATCH, .whole = NOWHERE});
	if (!l->arena || l->root < 0 || !level_arrays(l) || !place_inputs(l, in)) return false;
	find_parts(l);
	if (!find_waves(l, want)) return false;
	find_lifetimes(l, want);
	join_updated(l);
	want_results(l, want);
	return !outermost || find_vacancies(l);
}

void level_free(level *l)
{
	table_free(&l->vacant, NULL);
	storage_free(&l->storage);
	arena_free(l->arena);
}

place level_place(const level *l, var v)
{
	int64_t delta;
	const struct value *x = whole_of(l, v, &delta);

	return (place){x->at.root, x->at.offset + delta};
}

bool level_is_input(const level *l, var v)
{
	int64_t delta;

	return whole_of(l, v, &delta)->input;
}

bool level_next_wave(level *l, int32_t wave)
{
	bool ok = true;

	while (l->borrowed) ok = level_give_back(l) && ok;
	for (int32_t v = wave ? l->ending[wave - 1] : 0, next; v; v = next) {
		struct value *x = &l->value[v];
		next = x->next;
		if (x->owned) ok = storage_give(&l->storage, x->at.offset, x->bytes) && ok;
		if (x->input) ok = vacate(l, x) && ok;
	}
	l->now = wave;
	return ok;
}

int64_t level_borrow(level *l, int64_t bytes)
{
	struct borrowed *b = arena_alloc(l->arena, sizeof *b);

	if (!b) return -1;
	*b = (struct borrowed){l->borrowed, storage_take(&l->storage, bytes), bytes};
	if (b->offset >= 0) l->borrowed = b;
	return b->offset;
}

bool level_give_back(level *l)
{
	const struct borrowed *b = l->borrowed;

	l->borrowed = b->next;
	return storage_give(&l->storage, b->offset, b->bytes);
}
