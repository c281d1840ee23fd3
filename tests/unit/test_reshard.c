/* test_reshard.c - plans from layout to layout: each of their steps against the bytes that the
 * devices lack, and their bytes against the least of all ways, found by relaxing all pairs of
 * layouts. */
#include "shard/shard.h"
#include "support/heads.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { NDIM = 3, NAXES = 3, MOST_LAYOUTS = 400, ITEM = 4 };

static const layout_axis twos[NAXES] = {{2, LEVEL_MEMORY}, {2, LEVEL_MEMORY}, {2, LEVEL_MEMORY}};
static const message_cost by_bytes[LEVELS] = {{.byte = 1}, {.byte = 1}, {.byte = 1}};
static const message_cost by_time[LEVELS] = {{20, 0, 1}, {20, 0, 1}, {20, 0, 1}};

/* "[ab,-] sum c" */
static layout layout_of(const char *text)
{
	layout l = {0};
	int dim = 0;
	bool sum = false;

	for (const char *c = text; *c; c++) {
		if (*c == ',') dim++;
		if (*c == 's') sum = true;
		if (*c == 's' || *c == ']')
			c += *c == 's' ? 2 : 0;
		else if (*c >= 'a' && *c <= 'f' && sum)
			l.partial |= 1u << (*c - 'a');
		else if (*c >= 'a' && *c <= 'f')
			layout_cut(&l, dim, *c - 'a');
	}
	return l;
}

static const char *text_of(base *b, const layout *l, int ndim)
{
	static char text[4][200];
	static int next;
	str s = {.base = b};

	layout_text(&s, l, ndim, NULL);
	snprintf(text[next = (next + 1) % 4], sizeof *text, "%s", s.s);
	str_free(&s);
	return text[next];
}

typedef struct world {
	base base;
	arena *arena;
} world;

static int open_world(void **state)
{
	world *w = calloc(1, sizeof *w);

	assert_true(w && base_init(&w->base, NULL, NULL, 0) && (w->arena = arena_make(&w->base)));
	*state = w;
	return 0;
}

static int close_world(void **state)
{
	world *w = *state;

	arena_free(w->arena);
	base_fini(&w->base);
	free(w);
	return 0;
}

/* ---- what a device holds, element by element */

static int64_t index_in(const layout *l, const layout_axis *axis, int dim, const int64_t *at)
{
	int64_t index = 0;

	for (int i = 0; i < l->n; i++)
		if (l->dim[i] == dim) index = index * axis[l->axis[i]].size + at[l->axis[i]];
	return index;
}

static bool holds(const reshard_case *c, const layout *l, const int64_t *at, const int64_t *element)
{
	for (int d = 0; d < c->ndim; d++)
		if (element[d] / layout_block(l, c->axis, c->dims, d) !=
		    index_in(l, c->axis, d, at))
			return false;
	return true;
}

/* the most bytes that a device has under `to` and not under `from` */
static double lacking(const reshard_case *c, const layout *from, const layout *to)
{
	int64_t at[MAX_AXES] = {0};
	double most = 0;

	for (int a = 0; a < c->naxes;) {
		int64_t element[8] = {0}, size = 1;
		double n = 0;
		for (int d = 0; d < c->ndim; d++) size *= c->dims[d];
		for (int64_t i = 0; i < size; i++) {
			int64_t left = i;
			for (int d = c->ndim - 1; d >= 0; left /= c->dims[d--])
				element[d] = left % c->dims[d];
			n += holds(c, to, at, element) && !holds(c, from, at, element);
		}
		if (n > most) most = n;
		for (a = 0; a < c->naxes && ++at[a] == c->axis[a].size; a++) at[a] = 0;
	}
	return most * (double)c->item;
}

/* ---- plans that are written down; the first is the example of reshard.c */

static const struct written {
	const char *dims, *sizes, *from, *to, *plan;
} written[] = {
	{"88", "222", "[abc,-]", "[-,bc]", "all_to_all [a,bc] 24, all_gather [-,bc] 32"},
	{"88", "222", "[-,-]", "[a,b]", "slice [a,-] 0, slice [a,b] 0"},
	{"88", "222", "[abc,-]", "[a,-]", "all_gather [a,-] 96"},
	{"88", "222", "[a,b]", "[b,a]", "permute [b,a] 64"},
	{"88", "222", "[a]", "[a]", ""},
	{"8", "222", "[-] sum ab", "[-]", "all_reduce [-] 48"},
	{"8", "222", "[-] sum a", "[a]", "reduce_scatter [a] 16"},
	{"8", "222", "[b] sum a", "[a]", "all_gather [-] sum a 16, reduce_scatter [a] 16"},
	{"7", "222", "[a]", "[b]", "permute [b] 16"},
	{"7", "222", "[a] sum b", "[-]",
         "slice [ac] sum b 0, reduce_scatter [acb] 4, all_gather [-] 28"},
	{"7", "222", "[a]", "[ab]", "slice [ab] 0"},
	{"9", "222", "[a]", "[ab]", "slice [ab] 4"},
	{"9", "222", "[ab]", "[a]", "all_gather [a] 16"},
	{"9", "222", "[-] sum ab", "[ab]", "reduce_scatter [ab] 36"},
	{"49", "222", "[a,b]", "[-,ba]", "all_to_all [-,ba] 32"},
};

static const char *const kind_names[] = {"slice",      "permute",        "all_to_all",
                                         "all_gather", "reduce_scatter", "all_reduce",
                                         "exchange"};

static void written_plans(void **state)
{
	world *w = *state;

	for (size_t k = 0; k < ARRAY_LEN(written); k++) {
		const struct written *t = &written[k];
		layout_axis axis[8];
		int64_t dims[8];
		reshard_case c = {.naxes = (int)strlen(t->sizes),
		                  .ndim = (int)strlen(t->dims),
		                  .dims = dims,
		                  .item = ITEM,
		                  .axis = axis,
		                  .from = layout_of(t->from),
		                  .to = layout_of(t->to),
		                  .cost = by_time};
		reshard_plan p;
		str s = {.base = &w->base};
		for (int i = 0; i < c.naxes; i++) axis[i] = (layout_axis){t->sizes[i] - '0', 0};
		for (int d = 0; d < c.ndim; d++) dims[d] = t->dims[d] - '0';
		assert_true(reshard_make(w->arena, &c, &p));
		for (int i = 0; i < p.n; i++)
			str_printf(&s, "%s%s %s %g", i ? ", " : "",
			           kind_names[p.step[i].kind],
			           text_of(&w->base, &p.step[i].to, c.ndim), p.step[i].bytes);
		if (strcmp(s.s ? s.s : "", t->plan) != 0)
			fail_msg("%s to %s: %s, wanted %s", t->from, t->to, s.s, t->plan);
		str_free(&s);
	}
}

static void head_of_reshard(void **state)
{
	char layouts[32];
	head_example x;

	(void)state;
	assert_true(head_example_read("src/shard/reshard.c", &x));
	snprintf(layouts, sizeof layouts, "%s %s", written[0].from, written[0].to);
	assert_true(text_fits(x.program, layouts));
	assert_true(text_fits(x.lines, written[0].plan));
	head_example_free(&x);
}

/* ---- all pairs */

static int add_layouts(layout *to, int n, layout l)
{
	to[n++] = l;
	for (int a = 0; a < NAXES; a++) {
		bool used = false;
		for (int i = 0; i < l.n; i++) used = used || l.axis[i] == a;
		for (int d = 0; d < NDIM && !used; d++) {
			layout more = l;
			layout_cut(&more, d, a);
			bool known = false;
			for (int i = 0; i < n; i++) known = known || layout_same(&to[i], &more);
			if (!known) n = add_layouts(to, n, more);
		}
	}
	return n;
}

/* the axes of a dim, major first, as a text */
static void axes_of(const layout *l, int dim, char *to)
{
	for (int i = 0; i < l->n; i++)
		if (l->dim[i] == dim) *to++ = (char)('a' + l->axis[i]);
	*to = 0;
}

/* is `a` the beginning of `b`? */
static bool begins(const char *a, const char *b) { return strncmp(a, b, strlen(a)) == 0; }

/* one collective from a to b */
static bool is_one_step(const layout *a, const layout *b)
{
	char x[NDIM][8], y[NDIM][8];
	int longer = -1, shorter = -1, same = 0, sliced = 0, as_many = 0;

	for (int d = 0; d < NDIM; d++) {
		axes_of(a, d, x[d]);
		axes_of(b, d, y[d]);
		same += strcmp(x[d], y[d]) == 0;
		sliced += begins(x[d], y[d]);
		as_many += strlen(x[d]) == strlen(y[d]);
		if (begins(x[d], y[d]) && strcmp(x[d], y[d])) longer = d;
		if (begins(y[d], x[d]) && strcmp(x[d], y[d])) shorter = d;
	}
	if (sliced == NDIM || as_many == NDIM) return true;    /* slice, permute */
	if (same == NDIM - 1 && shorter >= 0) return true;     /* all_gather */
	return same == NDIM - 2 && longer >= 0 && shorter >= 0 /* all_to_all */
	       && strcmp(x[shorter] + strlen(y[shorter]), y[longer] + strlen(x[longer])) == 0;
}

/* axes of one size can change names: their first one is a, and so on */
static bool is_first_of_its_kind(const layout *l)
{
	for (int i = 0; i < l->n; i++)
		if (l->axis[i] != i) return false;
	return true;
}

/* Each step is one collective, which brings what the devices lack, and the last one leads there */
static void follow(const reshard_case *c, const reshard_plan *p)
{
	const layout *at = &c->from;
	double bytes = 0;

	for (int k = 0; k < p->n; at = &p->step[k++].to) {
		assert_true(is_one_step(at, &p->step[k].to));
		assert_true(lacking(c, at, &p->step[k].to) <= p->step[k].bytes);
		bytes += p->step[k].bytes;
	}
	assert_true(layout_same(at, &c->to) && bytes == p->bytes);
}

static void every_pair(void **state)
{
	world *w = *state;
	static layout l[MOST_LAYOUTS];
	static double least[MOST_LAYOUTS][MOST_LAYOUTS];
	const int64_t dims[NDIM] = {8, 8, 8};
	const int n = add_layouts(l, 0, (layout){0});
	reshard_case c = {.ndim = NDIM,
	                  .naxes = NAXES,
	                  .dims = dims,
	                  .item = ITEM,
	                  .axis = twos,
	                  .cost = by_bytes};
	int at_bound = 0, pairs = 0;

	assert_int_equal(n, 106); /* sums over m of 3 axes of choose(3, m) m! choose(m + 2, 2) */
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			least[i][j] = is_one_step(&l[i], &l[j]) ? lacking(&c, &l[i], &l[j]) : 1e30;
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				if (least[i][k] + least[k][j] < least[i][j])
					least[i][j] = least[i][k] + least[k][j];
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n && is_first_of_its_kind(&l[i]); j++) {
			reshard_plan p;
			c.from = l[i];
			c.to = l[j];
			assert_true(reshard_make(w->arena, &c, &p));
			follow(&c, &p);
			if (p.bytes > least[i][j])
				fail_msg("%s to %s: %g bytes, %g is enough",
				         text_of(&w->base, &l[i], NDIM),
				         text_of(&w->base, &l[j], NDIM), p.bytes, least[i][j]);
			at_bound += p.bytes == lacking(&c, &l[i], &l[j]);
			pairs++;
			if (j % 16 == 0) arena_free(w->arena), w->arena = arena_make(&w->base);
		}
	print_message("%d of %d plans move no more than the devices lack\n", at_bound, pairs);
}

/* where blocks are filled up, and those of one layout need not be whole blocks of another */
static void every_uneven_pair(void **state)
{
	static const int64_t dims[][NDIM] = {{7, 9, 1}, {5, 3, 2}, {0, 6, 11}};
	world *w = *state;
	static layout l[MOST_LAYOUTS];
	const int n = add_layouts(l, 0, (layout){0});
	reshard_case c = {.ndim = NDIM, .naxes = NAXES, .item = ITEM, .axis = twos};

	for (size_t k = 0; k < ARRAY_LEN(dims); k++)
		for (int i = 0; i < n; i++)
			for (int j = i % 7; j < n && is_first_of_its_kind(&l[i]); j += 7) {
				reshard_plan p;
				c.dims = dims[k];
				c.cost = j % 2 ? by_bytes : by_time;
				c.from = l[i];
				c.to = l[j];
				assert_true(reshard_make(w->arena, &c, &p));
				follow(&c, &p);
				arena_free(w->arena), w->arena = arena_make(&w->base);
			}
}

/* f32[1600000] of 64 devices becomes whole: within one memory that is one gather along both axes.
 * Where a leads to other memories, each block goes there once, and most is gathered along b */
static void levels(void **state)
{
	const world *w = *state;
	const int64_t dims[] = {1600000};
	const axis_level over[] = {LEVEL_MEMORY, LEVEL_NODE, LEVEL_NETWORK};

	for (size_t i = 0; i < ARRAY_LEN(over); i++) {
		const layout_axis axis[] = {{8, over[i]}, {8, LEVEL_MEMORY}};
		reshard_plan plan;
		assert_true(reshard_make(w->arena,
		                         &(reshard_case){.ndim = 1,
		                                         .naxes = 2,
		                                         .dims = dims,
		                                         .item = 4,
		                                         .axis = axis,
		                                         .from = layout_of("[ab]"),
		                                         .to = layout_of("[-]"),
		                                         .cost = message_costs},
		                         &plan));
		str way = {.base = (base *)(uintptr_t)&w->base};
		for (int k = 0; k < plan.n; k++) {
			str_put(&way, " ");
			layout_text(&way, &plan.step[k].to, 1, NULL);
		}
		assert_string_equal(way.s, over[i] == LEVEL_MEMORY ? " [-]" : " [ba] [b] [-]");
		str_free(&way);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(written_plans, open_world, close_world),
		cmocka_unit_test(head_of_reshard),
		cmocka_unit_test_setup_teardown(levels, open_world, close_world),
		cmocka_unit_test_setup_teardown(every_pair, open_world, close_world),
		cmocka_unit_test_setup_teardown(every_uneven_pair, open_world, close_world),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
