/* fft_lines.c - evaluates fft: it makes blocks of lines, gives parts to workers, and handles
 * inconvenient lengths.
 *
 * A line of up to TUNE_FFT_BLOCK complex numbers is transformed in a block, with others beside it;
 * fft_long.c has longer ones, and what becomes of inconvenient lengths.
 *
 * An inverse is a transform whose operand and result have their parts swapped. Real numbers of an
 * even count are taken for half as many complex ones. */
#include "prim/fourier/fft.h"
#include "prim/cursors.h"

static const fft_params *params_of(const eqn *e) { return e->params; }

/* ---- blocks */

/* of convolutions in blocks */
static void fill_kernel(const fft_plan *p)
{
	const fft_place line = fft_numbers(p->line), made = fft_numbers(p->kernel);

	fft_fill_chirp(p);
	p->v->load(&line, p->size, p->x);
	p->v->store(&made, p->size, p->v->transform(&p->columns, p->x, p->y), 1 / (double)p->size);
}

/* m complex numbers of x, with y for room, or the other way round */
static void *complex_block(const fft_plan *p, void *x, void *y)
{
	const size_t item = (size_t)p->v->lanes * fft_number_size(p);

	if (p->size == p->m) return p->v->transform(&p->columns, x, y);
	p->v->multiply(p->m, x, p->chirp, false);
	memset((char *)x + (size_t)p->m * item, 0, (size_t)(p->size - p->m) * item);
	void *z = p->v->transform(&p->columns, x, y);
	p->v->multiply(p->size, z, p->kernel, true);
	z = p->v->transform(&p->columns, z, z == x ? y : x);
	p->v->multiply(p->m, z, p->back, true);
	return z;
}

static void do_block(const fft_plan *p, fft_place from, fft_place to)
{
	const double scale = 1 / (double)p->n;
	void *z;

	switch (p->type) {
	case FFT_FFT:
		p->v->load(&from, p->n, p->x);
		p->v->store(&to, p->n, complex_block(p, p->x, p->y), 1);
		break;
	case FFT_IFFT:
		from = fft_parts_swapped(from);
		to = fft_parts_swapped(to);
		p->v->load(&from, p->n, p->x);
		p->v->store(&to, p->n, complex_block(p, p->x, p->y), scale);
		break;
	case FFT_RFFT:
		from = fft_as_complex(p, from);
		p->v->load(&from, p->m, p->x);
		z = complex_block(p, p->x, p->y);
		if (p->half) {
			void *const whole = z == p->x ? p->y : p->x;
			p->v->untangle(p->m, p->halves, z, whole);
			z = whole;
		}
		p->v->store(&to, p->n / 2 + 1, z, 1);
		break;
	default:
		p->v->load(&from, p->n / 2 + 1, p->x);
		to = fft_as_complex(p, to);
		if (p->half) {
			p->v->tangle(p->m, p->halves, p->x, p->y);
			to = fft_parts_swapped(to);
			z = complex_block(p, p->y, p->x);
		} else {
			p->v->mirror(p->n, p->x);
			z = complex_block(p, p->x, p->y);
		}
		p->v->store(&to, p->m, z, scale);
	}
}

/* ---- who does what */

static const fft_share alone = {.part = 0, .parts = 1};

/* Few long lines are cut: the parts of one go from stage to stage together, and share memory. How
 * many they are; 1: parts have whole lines, and memory and tables of their own each */
static int64_t parts_of_line(const eqn *e, const type *const *in)
{
	const int64_t lines = lines_of(in[0], (int)params_of(e)->dim);
	fft_room count = {0};
	const fft_plan p = fft_plan_in(&count, params_of(e), dtype_real(in[0]->dtype), alone);

	if (!p.is_long || lines < 1 || lines >= TUNE_FFT_PARTS) return 1;
	const int64_t parts = line_parts(lines, p.size);
	return parts < TUNE_FFT_PARTS ? parts : TUNE_FFT_PARTS;
}

/* lines that stay in one part: those of a block */
static int64_t lines_together(const eqn *e)
{
	return params_of(e)->length > TUNE_FFT_BLOCK ? 1 : FFT_MOST_LANES;
}

/* of whole lines */
static int64_t groups_of(const eqn *e, const type *const *in)
{
	const int64_t each = lines_together(e), most = TUNE_FFT_PARTS;
	const int64_t blocks = (lines_of(in[0], (int)params_of(e)->dim) + each - 1) / each;

	return blocks < 1 ? 1 : blocks < most ? blocks : most;
}

static int64_t first_line(const eqn *e, const type *x, int64_t part, int64_t parts)
{
	const int64_t each = lines_together(e), lines = lines_of(x, (int)params_of(e)->dim);
	const int64_t blocks = (lines + each - 1) / each;
	const int64_t first = (blocks / parts * part + blocks % parts * part / parts) * each;

	return first < lines ? first : lines;
}

/* what a line needs that has so many parts */
static size_t line_scratch(const eqn *e, const type *const *in, int64_t parts)
{
	fft_room count = {0};

	fft_plan_in(&count, params_of(e), dtype_real(in[0]->dtype), (fft_share){.parts = parts});
	return count.bytes;
}

/* ---- the columns */

int64_t fft_parts(const eqn *e, const type *const *in)
{
	const int64_t parts = parts_of_line(e, in);

	return parts > 1 ? parts * lines_of(in[0], (int)params_of(e)->dim) : groups_of(e, in);
}

int64_t fft_phases(const eqn *e, const type *const *in)
{
	const fft_place none = {0};
	fft_room count = {0};
	fft_stages s;

	if (parts_of_line(e, in) == 1) return 1;
	const fft_plan p = fft_plan_in(&count, params_of(e), dtype_real(in[0]->dtype), alone);
	fft_stages_of(&p, &none, &none, &s);
	return s.n;
}

size_t fft_scratch(const eqn *e, const type *const *in)
{
	const int64_t parts = parts_of_line(e, in);
	const int64_t lines = parts > 1 ? lines_of(in[0], (int)params_of(e)->dim) : 1;

	return (size_t)lines * line_scratch(e, in, parts) + 64; /* to align it, too */
}

/* a line of the operand, or of the result */
static fft_place line_in(const eqn *e, const type *t, const void *x, int64_t line)
{
	const int dim = (int)params_of(e)->dim;
	const int64_t unit = t->dtype == dtype_real(t->dtype) ? 1 : 2;

	return fft_line((void *)(uintptr_t)x, line_at(t, dim, line) * unit,
	                dims_stride(t, dim) * unit, 1);
}

/* the next n of them */
static fft_place next_lines(const eqn *e, const type *t, const void *x, cursor *c, int64_t n)
{
	const int64_t unit = t->dtype == dtype_real(t->dtype) ? 1 : 2;
	fft_place p = line_in(e, t, x, 0);

	for (p.count = 0; p.count < n; p.count++) {
		p.at[p.count] = c->at * unit;
		cursor_next(c, 1);
	}
	return p;
}

static char *aligned(void *scratch)
{
	return (char *)(((uintptr_t)scratch + 63) / 64 * 64);
}

/* the stages of all of its lines that are due, for some parts of these */
static void eval_in_stages(const eval_args *args, int64_t parts)
{
	const eqn *e = args->eqn;
	const tsr_dtype real = dtype_real(args->in[0]->dtype);
	const size_t each = line_scratch(e, args->in, parts);
	const int64_t stages = args->end ? args->phase + 1 : fft_phases(e, args->in);
	const int64_t end = args->end ? args->end : fft_parts(e, args->in);

	for (int64_t stage = args->phase; stage < stages; stage++)
		for (int64_t k = args->first; k < end; k++) {
			const int64_t line = k / parts, part = k % parts;
			const int64_t room = line == args->first / parts ? args->first % parts : 0;
			fft_room r = {.at = aligned(args->scratch) + (size_t)line * each};
			const fft_plan p =
				fft_plan_in(&r, params_of(e), real, (fft_share){part, parts, room});
			const fft_place in = line_in(e, args->in[0], args->x[0], line);
			const fft_place out = line_in(e, args->out[0], args->y[0], line);
			fft_stages s;
			fft_stages_of(&p, &in, &out, &s);
			fft_do_stages(&p, &s, (int)stage, (int)stage + 1);
		}
}

static void eval_long(const eval_args *args, const fft_plan *p, int64_t first, int64_t last)
{
	fft_stages s;

	for (int64_t line = first; line < last; line++) {
		const fft_place in = line_in(args->eqn, args->in[0], args->x[0], line);
		const fft_place out = line_in(args->eqn, args->out[0], args->y[0], line);
		fft_stages_of(p, &in, &out, &s);
		fft_do_stages(p, &s, line == first ? 0 : s.tables, s.n);
	}
}

static void eval_blocks(const eval_args *args, const fft_plan *p, int64_t first, int64_t last)
{
	const eqn *e = args->eqn;
	const type *x = args->in[0], *y = args->out[0];
	const int dim = (int)params_of(e)->dim;
	cursor from = cursor_across(x, dim), to = cursor_across(y, dim);

	fft_fill_tables(p);
	if (p->chirp) fill_kernel(p);
	cursor_skip(&from, first);
	cursor_skip(&to, first);
	for (int64_t line = first, n; line < last; line += n) {
		n = last - line < p->v->lanes ? last - line : p->v->lanes;
		do_block(p, next_lines(e, x, args->x[0], &from, n),
		         next_lines(e, y, args->y[0], &to, n));
	}
}

void fft_eval(const eval_args *args)
{
	const eqn *e = args->eqn;
	const type *x = args->in[0];
	const int64_t parts = parts_of_line(e, args->in);

	if (parts > 1) {
		eval_in_stages(args, parts);
		return;
	}
	const int64_t groups = groups_of(e, args->in), end = args->end ? args->end : groups;
	const int64_t first = first_line(e, x, args->first, groups);
	const int64_t last = first_line(e, x, end, groups);
	fft_room r = {.at = aligned(args->scratch)};
	const fft_plan p = fft_plan_in(&r, params_of(e), dtype_real(x->dtype), alone);
	(p.is_long ? eval_long : eval_blocks)(args, &p, first, last);
}
