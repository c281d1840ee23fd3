/* recipe_propose_random.c - proposes the random numbers of recipes: keys, keys made of keys, and
 * numbers that are drawn with them. */
#include "support/recipe_draw.h"

/* several keys, or if n is 0 one */
static form key_form(int n, uint32_t varying)
{
	form f = {.varying = varying, .key = true};

	if (n) f.dim[f.ndim++] = n;
	f.dim[f.ndim++] = 2;
	return f;
}

int some_key(site *s, int ndim)
{
	int chosen = -1;

	for (int v = 0, n = 0; v < s->g->nvalues; v++) {
		const form *f = form_of(s, v);
		if (f->key && (!ndim || f->ndim == ndim) && dice_below(s->dice, ++n) == 0)
			chosen = v;
	}
	return chosen;
}

static int add_key(site *s)
{
	step t = {.op = OP_KEY, .axis = -1, .start = dice_below(s->dice, 1000)};
	const form y = key_form(0, 0);

	return step_add(s, &t, &y, 1);
}

static int add_split(site *s, int key)
{
	step t = {.op = OP_SPLIT, .in = {key}, .nin = 1, .axis = -1};

	t.stop = 2 + dice_below(s->dice, 3);
	t.start = dice_below(s->dice, t.stop);
	t.keep = dice_chance(s->dice, 40);
	const form y = key_form(t.keep ? 0 : t.stop, form_of(s, key)->varying);
	return step_add(s, &t, &y, 1);
}

int add_folded(site *s, int key)
{
	step t = {.op = OP_FOLD_IN, .in = {key}, .nin = 1, .axis = -1};
	const form y = *form_of(s, key);

	t.start = dice_below(s->dice, 100);
	return step_add(s, &t, &y, 1);
}

/* with a number, the index along an axis, or what is known when it runs */
static int add_some_fold(site *s, int key)
{
	step t = {.op = OP_FOLD_IN, .in = {key, some_value(s)}, .nin = 1, .axis = -1};
	form y = *form_of(s, key);

	if (dice_chance(s->dice, 40)) {
		t.nin = 2;
		t.k = 0.11 * (dice_below(s->dice, 7) - 3) + 0.037;
		y.varying |= form_of(s, t.in[1])->varying;
	} else
		draw_start(s, &t, &y);
	return step_add(s, &t, &y, 1);
}

static int add_one_of(site *s, int keys)
{
	step t = {.op = OP_KEY_AT, .in = {keys}, .nin = 1};
	form y = key_form(0, form_of(s, keys)->varying);

	draw_start(s, &t, &y);
	t.start %= form_of(s, keys)->dim[0];
	return step_add(s, &t, &y, 1);
}

static int add_numbers(site *s, int key)
{
	static const op ops[] = {OP_BITS, OP_UNIFORM, OP_UNIFORM, OP_NORMAL};
	step t = {.op = ops[dice_below(s->dice, 4)], .in = {key}, .nin = 1, .axis = -1};
	form y = {.ndim = dice_below(s->dice, 4), .varying = form_of(s, key)->varying};

	for (int d = 0; d < y.ndim; d++) y.dim[d] = 1 + dice_below(s->dice, 4);
	while (form_size(&y) > size_most(s->r)) y.ndim--;
	t.stop = 8 << dice_below(s->dice, 4);
	if (y.ndim && dice_chance(s->dice, 30)) {
		t.at = dice_below(s->dice, y.ndim);
		t.to = y.dim[t.at] + RECIPE_DEVICES;
		draw_start(s, &t, &y);
	}
	return step_add(s, &t, &y, 1);
}

bool propose_random(site *s)
{
	int key = dice_chance(s->dice, 60) ? some_key(s, 0) : -1;

	if (key < 0) key = add_key(s);
	for (int more = dice_below(s->dice, 3); key >= 0 && more; more--)
		if (form_of(s, key)->ndim > 1)
			key = add_one_of(s, key);
		else
			key = dice_chance(s->dice, 50) ? add_split(s, key) : add_some_fold(s, key);
	if (key >= 0 && form_of(s, key)->ndim > 1) {
		if (dice_chance(s->dice, 40)) return true; /* for nests, which split them */
		key = add_one_of(s, key);
	}
	return key >= 0 && add_numbers(s, key) >= 0;
}
