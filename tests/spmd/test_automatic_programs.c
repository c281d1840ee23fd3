/* test_automatic_programs.c - sampled programs with operands spread over a mesh, against the same
 * on one device, bit for bit: whole numbers, so that sums are exact in any order.
 *
 * Each draw places the operands at random: every axis cuts a dim, which it need not divide, or
 * none. Programs hold others, in loops and choices, and maps over the mesh, or some of its axes,
 * there too. The same programs run on blocks, inside maps that leave axes.
 * TSR_SEED=n in the environment runs that draw alone; TSR_DRAWS=n changes how many there are. */
#include "spmd/placed_rig.h"

enum { PROGRAMS = 600, IN_MAPS = 300, DRAWS_A_CONTEXT = 60 };

/* ---- equations */

static int64_t size_of(const shape *s)
{
	int64_t n = 1;

	for (int d = 0; d < s->ndim; d++) n *= s->dim[d];
	return n;
}

static bool same_shape(const shape *a, const shape *b)
{
	return a->ndim == b->ndim && strcmp(a->dtype, b->dtype) == 0 &&
	       memcmp(a->dim, b->dim, (size_t)a->ndim * sizeof *a->dim) == 0;
}

static void begin(written *w, const shape *to)
{
	put(w, "  %%%d: ", w->nvalues);
	put_type(w, to);
	put(w, " = ");
	w->value[w->nvalues++] = *to;
}

static void put_list(written *w, const char *name, const int64_t *v, int n)
{
	put(w, " %s=[", name);
	for (int i = 0; i < n; i++) put(w, "%s%lld", i ? "," : "", (long long)v[i]);
	put(w, "]");
}

static void write_reshape(written *w, uint64_t *dice, int x)
{
	shape to = {.dtype = "i32"};
	int64_t rest = size_of(&w->value[x]);

	while (to.ndim < NDIM - 1 && dice_below(dice, 4)) {
		static const int64_t parts[] = {2, 3, 4, 6, 8};
		const int64_t part = parts[dice_below(dice, 5)];
		if (rest % part) continue;
		to.dim[to.ndim++] = part;
		rest /= part;
	}
	to.dim[to.ndim++] = rest;
	begin(w, &to);
	put(w, "reshape %%%d", x);
	put_list(w, "dims", to.dim, to.ndim);
}

static void write_transpose(written *w, uint64_t *dice, int x)
{
	shape to = w->value[x];
	int64_t perm[NDIM] = {0, 1, 2, 3, 4, 5};

	for (int d = to.ndim - 1; d > 0; d--) {
		const int k = dice_below(dice, d + 1);
		const int64_t was = perm[d];
		perm[d] = perm[k];
		perm[k] = was;
	}
	for (int d = 0; d < to.ndim; d++) to.dim[d] = w->value[x].dim[perm[d]];
	begin(w, &to);
	put(w, "transpose %%%d", x);
	put_list(w, "perm", perm, to.ndim);
}

static void write_reduction(written *w, uint64_t *dice, int x)
{
	static const char *const rows[] = {"sum", "max", "min", "prod", "xor", "and"};
	const shape *from = &w->value[x];
	shape to = {.dtype = "i32"};
	int64_t dims[NDIM];
	int n = 0;

	for (int d = 0; d < from->ndim; d++)
		if (dice_below(dice, 2))
			dims[n++] = d;
		else
			to.dim[to.ndim++] = from->dim[d];
	begin(w, &to);
	put(w, "reduce_%s %%%d", rows[dice_below(dice, 6)], x);
	put_list(w, "dims", dims, n);
}

/* to a new leading dim, and back in some place */
static void write_broadcast(written *w, uint64_t *dice, int x)
{
	const shape *from = &w->value[x];
	const int new = dice_below(dice, from->ndim + 1);
	shape to = {.dtype = "i32", .ndim = from->ndim + 1};
	int64_t at[NDIM];

	for (int d = 0; d < to.ndim; d++)
		to.dim[d] = d == new ? 2 + dice_below(dice, 4) : from->dim[d - (d > new)];
	for (int d = 0; d < from->ndim; d++) at[d] = d + (d >= new);
	begin(w, &to);
	put(w, "broadcast_in_dim %%%d", x);
	put_list(w, "dims", to.dim, to.ndim);
	put_list(w, "at", at, from->ndim);
}

/* a value as this dtype; gives its number */
static int put_converted(written *w, int x, const char *dtype)
{
	shape to = w->value[x];

	to.dtype = dtype;
	begin(w, &to);
	put(w, "convert_element_type %%%d dtype=%s", x, dtype);
	return w->nvalues - 1;
}

/* the sign of a value, as f32 */
static int put_sign(written *w, int x)
{
	begin(w, &w->value[x]);
	put(w, "sign %%%d\n", x);
	const int y = put_converted(w, w->nvalues - 1, "f32");
	put(w, "\n");
	return y;
}

/* The first dim of the same size in both, contracted. Now and then of signs, as bools or u8: what
 * parts of a sum are in these is not what the sum is */
static bool write_product(written *w, uint64_t *dice, int x, int y)
{
	static const char *const dtypes[] = {"i32", "i32", "i32", "bool", "u8"};
	const shape *a = &w->value[x], *b = &w->value[y];
	shape to = {.dtype = dtypes[dice_below(dice, 5)]};
	const bool signs = dtype_of(&to) != TSR_I32;

	for (int i = 0; i < a->ndim; i++)
		for (int j = 0; j < b->ndim; j++) {
			if (a->dim[i] != b->dim[j] || a->ndim + b->ndim - 2 > 3) continue;
			for (int d = 0; d < a->ndim; d++)
				if (d != i) to.dim[to.ndim++] = a->dim[d];
			for (int d = 0; d < b->ndim; d++)
				if (d != j) to.dim[to.ndim++] = b->dim[d];
			if (size_of(&to) > 4096 || (signs && w->nvalues > VALUES - 7)) return false;
			if (signs) x = put_sign(w, x), y = put_sign(w, y);
			begin(w, &to);
			put(w,
			    "dot_general %%%d %%%d contract_a=[%d] contract_b=[%d] batch_a=[] "
			    "batch_b=[] dtype=%s",
			    x, y, i, j, to.dtype);
			if (!signs) return true;
			put(w, "\n");
			put_converted(w, w->nvalues - 1, "i32");
			return true;
		}
	return false;
}

/* every index of a run of a dim, or every second one */
static void write_slice(written *w, uint64_t *dice, int x, int dim)
{
	const shape from = w->value[x];
	int64_t start[NDIM] = {0}, stop[NDIM], step[NDIM];
	shape to = from;

	for (int d = 0; d < from.ndim; d++) {
		stop[d] = from.dim[d];
		step[d] = 1;
	}
	start[dim] = dice_below(dice, (int)from.dim[dim]);
	stop[dim] = start[dim] + 1 + dice_below(dice, (int)(from.dim[dim] - start[dim]));
	step[dim] = 1 + dice_below(dice, 2);
	to.dim[dim] = (stop[dim] - start[dim] - 1) / step[dim] + 1;
	begin(w, &to);
	put(w, "slice %%%d", x);
	put_list(w, "start", start, from.ndim);
	put_list(w, "stop", stop, from.ndim);
	put_list(w, "step", step, from.ndim);
}

/* -3 to 3 indices before and behind those of a dim, and perhaps some between them */
static void write_pad(written *w, uint64_t *dice, int x, int dim)
{
	int64_t low[NDIM] = {0}, high[NDIM] = {0}, between[NDIM] = {0};
	shape to = w->value[x];

	low[dim] = dice_below(dice, 7) - 3;
	high[dim] = dice_below(dice, 7) - 3;
	between[dim] = to.dim[dim] ? dice_below(dice, 2) * dice_below(dice, 3) : 0;
	to.dim[dim] += low[dim] + high[dim] + (to.dim[dim] - 1) * between[dim];
	if (to.dim[dim] < 1) return;
	begin(w, &to);
	put(w, "pad %%%d 7:i32", x);
	put_list(w, "low", low, to.ndim);
	put_list(w, "high", high, to.ndim);
	put_list(w, "interior", between, to.ndim);
}

static bool joins(const shape *a, const shape *b, int dim)
{
	shape like = *b;

	if (dim < b->ndim) like.dim[dim] = a->dim[dim];
	return same_shape(a, &like);
}

/* two or three values, one after the other: x, and of the latest values those that fit, which may
 * be joins themselves */
static void write_join(written *w, uint64_t *dice, int x, int dim)
{
	int part[3] = {x}, n = 1;
	shape to = w->value[x];

	for (int k = w->nvalues - 1; k >= 0 && n < 3; k--) {
		if (!joins(&w->value[x], &w->value[k], dim) || dice_below(dice, 3) == 0) continue;
		part[n++] = k;
		to.dim[dim] += w->value[k].dim[dim];
	}
	if (n == 1 || size_of(&to) > 4096) return;
	const int first = dice_below(dice, n);
	begin(w, &to);
	put(w, "concatenate");
	for (int k = 0; k < n; k++) put(w, " %%%d", part[(first + k) % n]);
	put(w, " dim=%d", dim);
}

/* the last indices of a dim before the first ones */
static void write_roll(written *w, uint64_t *dice, int x, int dim)
{
	const shape all = w->value[x];
	const int64_t by = 1 + dice_below(dice, (int)all.dim[dim]);
	const int first = w->nvalues;

	if (by == all.dim[dim] || w->nvalues > VALUES - 3) return;
	for (int part = 0; part < 2; part++) {
		int64_t start[NDIM] = {0}, step[NDIM];
		shape to = all, stop = all;
		for (int d = 0; d < all.ndim; d++) step[d] = 1;
		start[dim] = part ? 0 : all.dim[dim] - by;
		stop.dim[dim] = part ? all.dim[dim] - by : all.dim[dim];
		to.dim[dim] = stop.dim[dim] - start[dim];
		begin(w, &to);
		put(w, "slice %%%d", x);
		put_list(w, "start", start, all.ndim);
		put_list(w, "stop", stop.dim, all.ndim);
		put_list(w, "step", step, all.ndim);
		put(w, "\n");
	}
	begin(w, &all);
	put(w, "concatenate %%%d %%%d dim=%d", first, first + 1, dim);
}

/* a part of a dim, replaced by its double */
static void write_update(written *w, uint64_t *dice, int x, int dim)
{
	shape part = w->value[x];
	const shape all = part;
	const int at = dice_below(dice, (int)all.dim[dim] + 2), first = w->nvalues;

	if (w->nvalues > VALUES - 3) return;
	part.dim[dim] = 1 + dice_below(dice, (int)all.dim[dim]);
	begin(w, &part);
	put(w, "dynamic_slice %%%d", x);
	for (int d = 0; d < all.ndim; d++) put(w, " %d:i32", d == dim ? at : 0);
	put_list(w, "dims", part.dim, part.ndim);
	put(w, "\n");
	begin(w, &part);
	put(w, "add %%%d %%%d\n", first, first);
	begin(w, &all);
	put(w, "dynamic_update_slice %%%d %%%d", x, first + 1);
	for (int d = 0; d < all.ndim; d++) put(w, " %d:i32", d == dim ? at - 1 : 0);
}

static void write_along(written *w, uint64_t *dice, int x)
{
	static const int kinds[] = {0, 1, 2, 2, 4, 7, 8, 3, 5, 6, 9}; /* seven of no index */
	shape to = w->value[x];
	const int dim = dice_below(dice, to.ndim);

	switch (kinds[dice_below(dice, to.dim[dim] ? 11 : 7)]) {
	case 0: begin(w, &to); put(w, "rev %%%d dims=[%d]", x, dim); break;
	case 1: begin(w, &to); put(w, "cumsum %%%d dim=%d reverse=false", x, dim); break;
	case 2: write_join(w, dice, x, dim); break;
	case 3: write_slice(w, dice, x, dim); break;
	case 4: write_pad(w, dice, x, dim); break;
	case 5: write_roll(w, dice, x, dim); break;
	case 6: write_update(w, dice, x, dim); break;
	case 7:
		begin(w, &to);
		put(w, "sort %%%d dim=%d num_keys=1 is_stable=false", x, dim);
		break;
	case 8:
		begin(w, &to);
		put(w, "cummax %%%d dim=%d reverse=true", x, dim);
		break;
	default:
		to.ndim--;
		for (int d = dim; d < to.ndim; d++) to.dim[d] = to.dim[d + 1];
		begin(w, &to);
		put(w, "argmax %%%d dim=%d dtype=i32", x, dim);
	}
}

/* ---- programs inside: of a few equations each. What goes in and comes out has the same shapes */

static void write_equation(written *w, uint64_t *dice);

/* the last value of this shape, but for the first one if there is another */
static int last_like(const written *w, const shape *s)
{
	int k = w->nvalues - 1;

	while (k > 0 && !same_shape(&w->value[k], s)) k--;
	return k;
}

/* ends a program, whose values `out` are its results, and frees it */
static void inner_end(written *to, written *w, const int *out, int nout)
{
	written whole = {.ninputs = w->ninputs};
	shape of[2];

	memcpy(whole.value, w->value, sizeof whole.value);
	for (int k = 0; k < nout; k++) of[k] = w->value[out[k]];
	put_signature(&whole, of, nout);
	put(to, "%s {\n%s  return", whole.text, w->text);
	for (int k = 0; k < nout; k++) put(to, " %%%d", out[k]);
	put(to, "\n}");
	free(w);
}

static void put_equations(written *w, uint64_t *dice)
{
	for (int k = 1 + dice_below(dice, 5); k > 0 && w->nvalues < VALUES - 4; k--)
		write_equation(w, dice);
}

static written *inner_begin(const shape *in, int n)
{
	written *w = calloc(1, sizeof *w);

	assert_non_null(w);
	memcpy(w->value, in, (size_t)n * sizeof *in);
	w->nvalues = w->ninputs = n;
	return w;
}

/* x is carried, c is the same in each step, and each step takes a slice of y and gives one */
static void write_scan(written *w, uint64_t *dice, int c, int x, int y)
{
	shape out[2] = {w->value[x], w->value[y]};

	for (int d = 1; d < out[1].ndim; d++) out[1].dim[d - 1] = out[1].dim[d];
	out[1].ndim--;
	written *body = inner_begin((shape[]){w->value[c], out[0], out[1]}, 3);
	put(w, "  %%%d: ", w->nvalues);
	put_type(w, &w->value[x]);
	put(w, ", %%%d: ", w->nvalues + 1);
	put_type(w, &w->value[y]);
	put(w, " = scan %%%d %%%d %%%d length=%lld consts=1 carry=1 unroll=1 reverse=%s body=", c,
	    x, y, (long long)w->value[y].dim[0], dice_below(dice, 2) ? "true" : "false");
	w->value[w->nvalues] = w->value[x];
	w->value[w->nvalues + 1] = w->value[y];
	w->nvalues += 2;
	put_equations(body, dice);
	inner_end(w, body, (int[]){last_like(body, &out[0]), last_like(body, &out[1])}, 2);
}

/* one number that all elements have a part in */
static int put_number(written *w, int x)
{
	const shape scalar = {.dtype = "i32"};

	begin(w, &scalar);
	put(w, "reduce_xor %%%d dims=[", x);
	for (int d = 0; d < w->value[x].ndim; d++) put(w, "%s%d", d ? "," : "", d);
	put(w, "]\n");
	return w->nvalues - 1;
}

/* three branches on x and y */
static void write_cond(written *w, uint64_t *dice, int x, int y)
{
	const shape out = w->value[x];
	const int which = put_number(w, y);

	begin(w, &out);
	put(w, "cond %%%d %%%d %%%d branches=[", which, x, y);
	for (int k = 0; k < 3; k++) {
		written *branch = inner_begin((shape[]){out, w->value[y]}, 2);
		put(w, k ? ", " : "");
		put_equations(branch, dice);
		inner_end(w, branch, (int[]){last_like(branch, &out)}, 1);
	}
	put(w, "]");
}

/* at most four steps on x, as long as a number that is made of x and y is even */
static void write_while(written *w, uint64_t *dice, int x, int y)
{
	const shape number = {.dtype = "i32"}, flag = {.dtype = "bool"};
	const shape carry[] = {number, w->value[x]};
	written *cond = inner_begin((shape[]){w->value[y], carry[0], carry[1]}, 3);
	written *body = inner_begin((shape[]){w->value[y], carry[0], carry[1]}, 3);

	put(w, "  %%%d: i32[], %%%d: ", w->nvalues, w->nvalues + 1);
	put_type(w, &carry[1]);
	put(w, " = while %%%d %%%d 0:i32 %%%d cond_consts=1 body_consts=1 cond=", y, y, x);
	const int a = put_number(cond, 0), b = put_number(cond, 2);
	static const char *const rows[] = {"xor %%%d %%%d", "and %%%d 1:i32", "eq %%%d 0:i32",
	                                   "lt %%1 4:i32", "and %%%d %%%d"};
	const int with[][2] = {{a, b}, {b + 1}, {b + 2}, {0}, {b + 3, b + 4}};
	for (int k = 0; k < 5; k++) {
		begin(cond, k < 2 ? &number : &flag);
		put(cond, rows[k], with[k][0], with[k][1]);
		put(cond, "\n");
	}
	inner_end(w, cond, (int[]){b + 5}, 1);
	begin(body, &number);
	put(body, "add %%1 1:i32\n");
	put_equations(body, dice);
	put(w, " body=");
	inner_end(w, body, (int[]){3, last_like(body, &carry[1])}, 2);
	w->value[w->nvalues] = number;
	w->value[w->nvalues + 1] = carry[1];
	w->nvalues += 2;
}

static void write_inside(written *w, uint64_t *dice, int x, int y)
{
	const int c = dice_below(dice, w->nvalues);

	if (w->n > sizeof w->text / 8 || w->nvalues > VALUES - 2) return;
	switch (dice_below(dice, 3)) {
	case 0:
		if (w->value[y].ndim && w->value[y].dim[0] <= 8) write_scan(w, dice, c, x, y);
		break;
	case 1: write_cond(w, dice, x, y); break;
	default: write_while(w, dice, x, y);
	}
}

static void write_barrier(written *w, int x, int y)
{
	const shape of[] = {w->value[x], w->value[y]};

	if (w->nvalues > VALUES - 2) return;
	put(w, "  %%%d: ", w->nvalues);
	put_type(w, &of[0]);
	put(w, ", %%%d: ", w->nvalues + 1);
	put_type(w, &of[1]);
	put(w, " = optimization_barrier %%%d %%%d", x, y);
	w->value[w->nvalues++] = of[0];
	w->value[w->nvalues++] = of[1];
}

static void write_equation(written *w, uint64_t *dice)
{
	static const char *const one[] = {"neg", "abs", "sign", "not", "copy"};
	static const char *const two[] = {"add", "sub", "mul", "max", "xor"};
	const int x = dice_below(dice, w->nvalues), y = dice_below(dice, w->nvalues);
	const shape s = w->value[x];
	const int n = w->nvalues;

	if (dtype_of(&s) != TSR_I32 || dtype_of(&w->value[y]) != TSR_I32) return;
	switch (dice_below(dice, 10)) {
	case 0: write_reshape(w, dice, x); break;
	case 1:
		if (s.ndim) write_transpose(w, dice, x);
		break;
	case 2:
		if (s.ndim) write_reduction(w, dice, x);
		break;
	case 3:
		if (s.ndim < 3 && size_of(&s) <= 512) write_broadcast(w, dice, x);
		break;
	case 4:
		if (write_product(w, dice, x, y)) break;
		return;
	case 5:
		if (s.ndim && size_of(&s) <= 512) write_along(w, dice, x);
		break;
	case 6:
		if (!same_shape(&s, &w->value[y])) return;
		begin(w, &s);
		put(w, "%s %%%d %%%d", two[dice_below(dice, 5)], x, y);
		break;
	case 7: write_inside(w, dice, x, y); break;
	case 8: write_barrier(w, x, y); break;
	default: begin(w, &s); put(w, "%s %%%d", one[dice_below(dice, 5)], x);
	}
	if (w->nvalues > n) put(w, "\n");
}

/* the last three values are its results */
static int write_program(written *w, int seed)
{
	static const shape inputs[] = {
		{2, {8, 4}, "i32"},    {2, {4, 16}, "i32"}, {1, {8}, "i32"},
		{3, {4, 6, 2}, "i32"}, {2, {6, 8}, "i32"},  {2, {16, 8}, "i32"},
		{2, {7, 4}, "i32"},    {2, {9, 7}, "i32"},  {1, {9}, "i32"},
		{3, {3, 5, 2}, "i32"}, {2, {1, 7}, "i32"},  {2, {8, 3}, "i32"},
		{2, {12, 6}, "i32"},   {2, {0, 4}, "i32"},  {1, {1}, "i32"},
	};
	uint64_t dice = (uint64_t)seed * 977;
	static written body;

	body.n = 0;
	body.ninputs = 1 + dice_below(&dice, 4);
	for (int i = 0; i < body.ninputs; i++)
		body.value[i] = inputs[dice_below(&dice, sizeof inputs / sizeof *inputs)];
	body.nvalues = body.ninputs;
	for (int k = 4 + dice_below(&dice, 20); k > 0 && body.nvalues < VALUES; k--)
		write_equation(&body, &dice);
	const int nout = body.nvalues < 3 ? body.nvalues : 3;
	*w = (written){.ninputs = body.ninputs, .nvalues = body.nvalues};
	memcpy(w->value, body.value, sizeof w->value);
	put_signature(w, &w->value[w->nvalues - nout], nout);
	put(w, " {\n%s  return", body.n ? body.text : "");
	for (int j = 0; j < nout; j++) put(w, " %%%d", w->nvalues - nout + j);
	put(w, "\n}\n");
	return nout;
}

static void sample(void (*try)(tsr_ctx *, const written *, int, int), int programs)
{
	static written w;
	const int first = number_from("TSR_SEED", 1),
		  n = getenv("TSR_SEED") ? 1 : number_from("TSR_DRAWS", programs);
	tsr_ctx *ctx = NULL;

	for (int k = 0; k < n; k++) {
		if (k % DRAWS_A_CONTEXT == 0) {
			assert_int_equal(tsr_close(ctx), 0);
			ctx = tsr_open(.devices = 8, .log = log_nothing,
			               .reproducible = asked_for());
		}
		const int nout = write_program(&w, first + k);
		try(ctx, &w, nout, first + k);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void sampled_programs(void **state)
{
	(void)state;
	sample(try_program, PROGRAMS);
}

static void sampled_in_maps(void **state)
{
	(void)state;
	sample(try_in_map, IN_MAPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sampled_programs),
	                                   cmocka_unit_test(sampled_in_maps)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
