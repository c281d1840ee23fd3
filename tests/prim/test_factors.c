/* test_factors.c - the example at the head of factors.c, and the factors of a reshape: for every
 * two shapes of some sizes, and every two dims of them, the shared factor is the largest part that
 * they have in common, found by trying all. */
#include "prim/local_rig.h"
#include "support/heads.h"

/* ---- the example */

static void example(void **state)
{
	rig *r = *state;
	str s = {.base = &r->base};
	head_example x;
	factors f;

	assert_true(head_example_read("src/program/factors.c", &x));
	program *p = program_parse(&r->ir, NULL, x.program, strlen(x.program));
	if (!p) fail_msg("%s", error_text(&r->base));
	const eqn *e = &p->eqns[0];
	const type *t[] = {type_of(p, e->in[0]), type_of(p, e->out[0])};
	factors_begin(&f);
	e->prim->factors(e, t, t + 1, &f);
	factors_text(&s, &f, 1, (int[]){1, 1}, 2);
	for (int64_t first = 0; first < t[1]->size; first += 2) {
		const index_range need = factor_needs(&f, 0, (index_range){first, first + 2});
		str_printf(&s, "\n%lld..%lld need %lld..%lld", (long long)first,
		           (long long)first + 1, (long long)need.first, (long long)need.end - 1);
	}
	str_put(&s, "\n");
	assert_string_equal(s.s, x.lines);
	str_free(&s);
	program_release(p);
	head_example_free(&x);
}

/* ---- reshapes */

enum { MOST_DIMS = 3, MOST_SHAPES = 64 };

typedef struct shape {
	int64_t dims[MOST_DIMS];
} shape;

/* all shapes of three dims, of that size */
static int shapes_of(int64_t size, shape *to)
{
	int n = 0;

	for (int64_t a = 1; a <= size; a++)
		for (int64_t b = 1; b <= size; b++)
			if (size % (a * b) == 0) {
				assert_true(n < MOST_SHAPES);
				to[n++] = (shape){{a, b, size / a / b}};
			}
	return n;
}

typedef struct part { /* of a dim: (index / below) % size */
	int64_t stride; /* of the dim */
	int64_t below, size;
} part;

static bool same_part(const part *a, const part *b, int64_t size)
{
	for (int64_t i = 0; i < size; i++)
		if (i / a->stride / a->below % a->size != i / b->stride / b->below % b->size)
			return false;
	return true;
}

static int64_t stride_of(const shape *s, int dim)
{
	int64_t stride = 1;

	while (++dim < MOST_DIMS) stride *= s->dims[dim];
	return stride;
}

/* the largest that the two dims have in common */
static int64_t largest_part(const shape *x, int i, const shape *y, int j, int64_t size)
{
	for (int64_t n = x->dims[i]; n > 1; n--)
		for (int64_t below = 1; x->dims[i] % n == 0 && below * n <= x->dims[i]; below++)
			for (int64_t under = 1; under * n <= y->dims[j]; under++) {
				const part a = {stride_of(x, i), below, n};
				const part b = {stride_of(y, j), under, n};
				if (x->dims[i] % (below * n) == 0 &&
				    y->dims[j] % (under * n) == 0 && same_part(&a, &b, size))
					return n;
			}
	return 1;
}

/* the part of a dim that a factor is; size 0: the dim does not have it */
static part part_of(const factors *f, const shape *s, int value, int dim, int factor)
{
	part p = {stride_of(s, dim), 1, 0};

	for (int k = f->nslots; k-- > 0 && !p.size;) {
		if (f->slot[k].value != value || f->slot[k].dim != dim) continue;
		if (f->slot[k].factor == factor) p.size = f->size[factor];
		else p.below *= f->size[f->slot[k].factor];
	}
	return p;
}

static void check_reshape(const factors *f, const shape *x, const shape *y, int64_t size)
{
	for (int i = 0; i < MOST_DIMS; i++)
		for (int j = 0; j < MOST_DIMS; j++) {
			int64_t shared = 1;
			for (int k = 0; k < f->n; k++) {
				const part a = part_of(f, x, 0, i, k), b = part_of(f, y, 1, j, k);
				if (!a.size || !b.size) continue;
				assert_true(f->kind[k] == FACTOR_PASS);
				assert_true(same_part(&a, &b, size));
				shared *= f->size[k];
			}
			assert_int_equal(shared, largest_part(x, i, y, j, size));
		}
}

static void reshapes(void **state)
{
	static const int64_t sizes[] = {1, 8, 12, 24, 30, 36};
	static shape shapes[MOST_SHAPES];
	rig *r = *state;

	for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
		const int n = shapes_of(sizes[s], shapes);
		for (int k = 0; k < n * n; k++) {
			const shape *x = &shapes[k / n], *y = &shapes[k % n];
			const type *in = type_make(&r->ir, TSR_F32, x->dims, MOST_DIMS, 0);
			const type *out = type_make(&r->ir, TSR_F32, y->dims, MOST_DIMS, 0);
			const eqn e = {.prim = &tsr__prim_reshape, .nin = 1, .nout = 1};
			factors f;
			factors_begin(&f);
			e.prim->factors(&e, &in, &out, &f);
			assert_true(factors_agree(&r->base, &e, &in, &out, &f));
			check_reshape(&f, x, y, sizes[s]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(example),
		cmocka_unit_test(reshapes),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
