/* sort.c - sort: several operands in the order of the first ones, along a dim.
 *
 *     sort [2 1 2] [10 20 30] dim=0 num_keys=1    gives    [1 2 2] [20 10 30]
 *     sort [2 1 2] [30 20 10] dim=0 num_keys=2    gives    [1 2 2] [20 10 30]
 *
 * Equal elements stay in their order, so the keys alone say which element goes where: any further
 * operand behind the same keys is moved alike. The rules of derivatives rest on that. */
#include "prim/checks.h"
#include "prim/order/order.h"
#include "prim/row.h"

static const sort_params *params_of(const eqn *e) { return e->params; }

static bool sort_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const sort_params *p = params_of(e);

	if (p->num_keys < 1 || p->num_keys > e->nin)
		return fail_type(b, e,
		                 "%s: num_keys %lld must be between 1 and %d, the number of "
		                 "operands",
		                 eqn_name(b, e), (long long)p->num_keys, e->nin);
	for (int i = 1; i < e->nin; i++)
		if (!dims_same(in[i]->dims, in[i]->ndim, in[0]->dims, in[0]->ndim))
			return fail_type(b, e, "%s requires operands of equal shapes, got %s",
			                 eqn_name(b, e), types_words(b, in, e->nin));
	if (!check_dim(b, e, p->dim, in[0]->ndim)) return false;
	for (int i = 0; i < e->nin; i++) out[i] = in[i];
	return true;
}

static void sort_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	(void)out;
	for (int d = 0; d < in[0]->ndim; d++) {
		const bool along = d == params_of(e)->dim;
		if (along && in[0]->dims[d] == 1) continue;
		const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		if (along) factor_own(f, factor);
		for (int v = 0; v < 2 * e->nin; v++) factor_at(f, v, d, factor);
	}
}

/* ---- eval: records of keys and of where elements are (order.h), first by the last key, and last
 * by the first one; a complex key is two, the imaginary part and the real one. Then all operands go
 * where the records say.
 *
 * Few long lines are cut into parts, and all parts go from step to step together. Each counts the
 * digits of its own records; these belong behind those of lower digits and, of the same digit,
 * behind those of the parts before it. In two parts:
 *
 *     records 3 1 1 | 2 1 3      counts of 1, 2, 3    2 0 1 | 1 1 1
 *                                places               0 3 4 | 2 3 5 */
typedef struct sorting {
	const eval_args *args;
	const sort_params *p;
	const records *of;
	int64_t n, lines, parts; /* elements of a line, lines, and parts of each line */
} sorting;

static word own_word(const sorting *s, int number)
{
	return word_of(s->args->in, s->p->num_keys, number);
}

static keys keys_at(const sorting *s, word w, int64_t line)
{
	const type *t = s->args->in[w.operand];
	const int dim = (int)s->p->dim;

	return word_keys(w, t->dtype, s->args->x[w.operand], line_at(t, dim, line),
	                 dims_stride(t, dim));
}

/* The n elements of a line from `first` on, in the order of their records, whose keys are those of
 * the first operand now, or of its real part */
static void put_elements(const sorting *s, const char *record, int64_t line, int64_t first,
                         int64_t n)
{
	const type *t = s->args->in[0];
	const int64_t at = line_at(t, (int)s->p->dim, line);
	const int64_t stride = dims_stride(t, (int)s->p->dim);

	for (int k = 0; k < s->args->eqn->nin; k++) {
		const size_t item = tsr_dtype_size(s->args->in[k]->dtype);
		const char *x = (const char *)s->args->x[k] + (size_t)at * item;
		char *y = (char *)s->args->y[k] + (size_t)(at + first * stride) * item;
		if (k == 0 && dtype_kind(t->dtype) != KIND_COMPLEX) {
			const keys own = keys_of(t->dtype, x, stride);
			s->of->give(record, n, &own, y);
		} else {
			s->of->take(record, n, x, y, stride, item);
		}
	}
}

/* one part does all of it */
static void sort_line(const sorting *s, int64_t line, char *record)
{
	char *room = record + (size_t)s->n * s->of->size;

	for (int i = 0; own_word(s, i).bits; i++) {
		const keys k = keys_at(s, own_word(s, i), line);
		if (i == 0) s->of->number(record, &k, 0, s->n);
		else s->of->key(record, &k, s->n);
		s->of->sort(record, room, s->n, k.bits);
	}
	put_elements(s, record, line, 0, s->n);
}

/* ---- in parts */

/* by line: records, room for as many, and the counts of each part */
static size_t line_scratch(const sorting *s)
{
	return 2 * (size_t)s->n * s->of->size + (size_t)s->parts * DIGITS * sizeof(int64_t);
}

/* where a part puts its records by their digits */
static void find_places(const sorting *s, const int64_t *count, int64_t part, int64_t *place)
{
	int64_t all[DIGITS] = {0}, before = 0;

	memset(place, 0, DIGITS * sizeof *place);
	for (int64_t k = 0; k < s->parts; k++, count += DIGITS)
		for (int d = 0; d < DIGITS; d++) {
			all[d] += count[d];
			if (k < part) place[d] += count[d];
		}
	for (int d = 0; d < DIGITS; d++) {
		place[d] += before;
		before += all[d];
	}
}

/* Each digit of each word takes two steps: it is counted, after the keys are read with the first
 * digit, and records are moved. The last step puts elements. A word of 16 bits, in 5 steps, all
 * parts of a line side by side in each:
 *
 *     0  read keys, count the low digits of each part
 *     1  move by the low digit, from the lower half of scratch to the upper one
 *     2  count the high digits
 *     3  move by the high digit, back
 *     4  put elements */
static int64_t step_count(const sorting *s)
{
	int64_t steps = 1;

	for (int i = 0; own_word(s, i).bits; i++) steps += 2 * (own_word(s, i).bits / DIGIT);
	return steps;
}

static void sort_step(const sorting *s, int64_t line, int64_t part, int64_t step)
{
	const size_t size = s->of->size, all = (size_t)s->n * size;
	char *scratch = (char *)s->args->scratch + (size_t)line * line_scratch(s);
	int64_t *count = (int64_t *)(void *)(scratch + 2 * all), place[DIGITS];
	const int64_t first = part_first(s->n, s->parts, part);
	const int64_t n = part_first(s->n, s->parts, part + 1) - first;
	int number = 0, moved = 0;
	word w;

	for (; (w = own_word(s, number)).bits && step >= 2 * (w.bits / DIGIT); number++) {
		step -= 2 * (w.bits / DIGIT);
		moved += w.bits / DIGIT;
	}
	const int digit = (int)step / 2;
	char *from = scratch + (size_t)((moved + digit) % 2) * all;
	char *to = from == scratch ? from + all : scratch, *record = from + (size_t)first * size;
	if (!w.bits) {
		put_elements(s, record, line, first, n);
		return;
	}
	if (step % 2) {
		find_places(s, count, part, place);
		s->of->move(record, n, digit * DIGIT, place, to);
		return;
	}
	const keys k = keys_at(s, w, line), own = keys_from(k, first);
	if (digit == 0 && number == 0) s->of->number(record, &own, first, n);
	else if (digit == 0) s->of->key(record, &k, n);
	memset(count + part * DIGITS, 0, DIGITS * sizeof *count);
	s->of->count(record, n, digit * DIGIT, count + part * DIGITS);
}

/* ---- columns */

static sorting sorting_of(const eval_args *args)
{
	const sort_params *p = params_of(args->eqn);
	const type *t = args->in[0];
	sorting s = {.args = args, .p = p, .n = t->dims[p->dim], .lines = lines_of(t, (int)p->dim)};

	s.of = records_by(args->in, p->num_keys, s.n);
	s.parts = line_parts(s.lines, s.n);
	return s;
}

static int64_t sort_parts(const eqn *e, const type *const *in)
{
	const sorting s = sorting_of(&(eval_args){.eqn = e, .in = in});

	return s.parts > 1 ? s.lines * s.parts : parts_shared(s.lines, TUNE_PARTS);
}

static int64_t sort_phases(const eqn *e, const type *const *in)
{
	const sorting s = sorting_of(&(eval_args){.eqn = e, .in = in});

	return s.parts > 1 ? step_count(&s) : 1;
}

static size_t sort_scratch(const eqn *e, const type *const *in)
{
	const sorting s = sorting_of(&(eval_args){.eqn = e, .in = in});

	return s.parts > 1 ? (size_t)s.lines * line_scratch(&s) : 2 * (size_t)s.n * s.of->size;
}

static void sort_eval(const eval_args *args)
{
	const sorting s = sorting_of(args);
	const int64_t end = args->end ? args->end : sort_parts(args->eqn, args->in);

	if (s.parts == 1) {
		const part_range lines = range_of_parts(args, s.lines);
		for (int64_t k = lines.first; k < lines.end; k++) sort_line(&s, k, args->scratch);
		return;
	}
	const int64_t steps = args->end ? args->phase + 1 : step_count(&s);
	for (int64_t step = args->phase; step < steps; step++)
		for (int64_t k = args->first; k < end; k++)
			sort_step(&s, k / s.parts, k % s.parts, step);
}

/* ---- derivatives: an operand that is no key is moved, which is linear in it */

/* sorts x, where the keys come before the values that are moved with them, to `moved` */
static void emit_sorted(build *b, const sort_params *p, var *x, int nkeys, int nmoved, var *moved)
{
	const sort_params stable = {p->dim, nkeys, true};
	var *y = var_room(b, nkeys + nmoved);

	if (!y) return;
	emit_all(b, &tsr__prim_sort, &stable, x, nkeys + nmoved, y);
	for (int i = 0; i < nmoved; i++) moved[i] = y[nkeys + i];
}

/* the numbers of the elements along the dim, which become where each came from */
static var numbers(build *b, const type *like, int64_t dim)
{
	const tsr_dtype dtype = like->dims[dim] > INT32_MAX ? TSR_I64 : TSR_I32;

	return emit_iota(b, dtype, like->dims, like->ndim, (int)dim);
}

/* tangents are further operands behind the same keys */
static void sort_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const int nkeys = (int)params_of(e)->num_keys;
	var *operand = var_room(b, nkeys + e->nin), *moved = var_room(b, e->nin);
	int n = 0;

	(void)y;
	for (int i = 0; i < e->nin; i++) dy[i] = (var){0};
	if (!operand || !moved) return;
	for (int i = 0; i < nkeys; i++) operand[i] = x[i];
	for (int i = 0; i < e->nin; i++)
		if (!is_zero(dx[i])) operand[nkeys + n++] = dx[i];
	emit_sorted(b, params_of(e), operand, nkeys, n, moved);
	for (int i = 0, k = 0; i < e->nin; i++)
		if (!is_zero(dx[i])) dy[i] = moved[k++];
}

/* With `from` where each result came from, the cotangent of a result belongs to the element
 * from[j]: sorted by these numbers, cotangents are where their elements were.
 *
 *     keys 30 10 20    sorted 10 20 30    from 1 2 0    cotangents a b c, by `from`: c a b */
static void sort_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                           const var *ct, var *dx)
{
	const sort_params *p = params_of(e);
	const int nkeys = (int)p->num_keys;
	var *operand = var_room(b, nkeys + e->nin), *moved = var_room(b, e->nin);
	int n = 0;

	for (int i = 0; i < nkeys; i++)
		if (is_zero(x[i])) dx[i] = not_linear(b, e, "it is not linear in its keys");
	if (!operand || !moved || build_failed(b)) return;
	for (int i = 0; i < nkeys; i++) operand[i] = x[i];
	operand[nkeys] = numbers(b, in[0], p->dim);
	emit_sorted(b, p, operand, nkeys, 1, operand);
	for (int i = nkeys; i < e->nin; i++)
		if (is_zero(x[i]) && !is_zero(ct[i])) operand[1 + n++] = ct[i];
	emit_sorted(b, p, operand, 1, n, moved);
	for (int i = nkeys, k = 0; i < e->nin; i++)
		if (is_zero(x[i]) && !is_zero(ct[i])) dx[i] = moved[k++];
}

static void sort_batch(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                       var *y, bool *ymapped)
{
	sort_params p = *params_of(e);
	var *operand = var_room(b, e->nin);

	for (int i = 0; i < e->nin; i++) {
		ymapped[i] = true;
		if (operand) operand[i] = batch_whole(b, to, x[i], mapped[i]);
	}
	p.dim++;
	if (operand) emit_all(b, &tsr__prim_sort, &p, operand, e->nin, y);
}

/* each device gets its block of what is sorted */
static void sort_local(build *b, const eqn *e, const localizing *to, const var *x, var *y)
{
	const sort_params *p = params_of(e);
	const int64_t size = to->whole[0]->dims[p->dim];
	const ints *axes = &to->cut[0][p->dim];

	if (to->start[0][p->dim].id)
		emit_all(b, &tsr__prim_psort,
		         &(psort_params){{*axes, {0, NULL}}, p->dim, p->num_keys, size}, x, e->nin,
		         y);
	else
		emit_all(b, e->prim, p, x, e->nin, y);
}

/* each digit of an element is counted and moved, and each operand is put in order */
static double sort_times(const program *p, const eqn *e)
{
	int64_t each = e->nin;

	for (int k = 0; k < params_of(e)->num_keys; k++)
		each += 2 * dtype_bits(type_of(p, e->in[k])->dtype) / DIGIT;
	return (double)each * (double)type_of(p, e->in[0])->size;
}

static const field sort_fields[] = {
	PARAM(sort_params, dim, FIELD_INT),
	PARAM(sort_params, num_keys, FIELD_INT),
	PARAM(sort_params, is_stable, FIELD_BOOL),
	PARAMS_END,
};
const tsr_prim tsr__prim_sort = {
	.name = "sort",
	.doc = "operands along a dim in the order of the first num_keys; equal ones stay in theirs",
	.flags = PRIM_OWN_WEAK | PRIM_CALLED,
	.cost = 3,
	.times = sort_times,
	.nin = -1,
	.nout = -1,
	.results = results_kept,
	.params = sort_fields,
	.types = sort_types,
	.factors = sort_factors,
	.local = sort_local,
	.jvp = sort_jvp,
	.transpose = sort_transpose,
	.batch = sort_batch,
	.eval = sort_eval,
	.parts = sort_parts,
	.phases = sort_phases,
	.scratch = sort_scratch,
	TSR_NO_RULE(COL_LOWER, "where an element goes depends on all the others"),
};
