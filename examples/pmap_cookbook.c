/* pmap_cookbook.c - the cells of JAX's Pmap Cookbook, one after the other: pmap_cookbook [ROWS
 * COLUMNS]
 *
 * One program on all devices, each on its own data. The random matrices have 50 rows and 60
 * columns, or as many as are asked for; in the notebook 5000 and 6000. */
#include <stdlib.h>
#include <tsr/tsr.h>
#define D TSR_DIMS

enum { DEVICES = 8 };

/* the pieces of what a map gives are on the devices, which may be those of several processes */
static void print(tsr *x) { tsr_print(tsr_gather_whole(x)); }

/* ---- pure maps, with no communication */

static tsr *f(tsr *x, tsr *y) { return tsr_tanh(tsr_dot(x, y)); }

static void pure_maps(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	print(tsr_call(tsr_pmap(ctx, tsr_square), tsr_arange(ctx, 7)));

	/* the values are those of tsr_vmap, computed by a device each */
	tsr *x = tsr_from(ctx, (float[]){1, 2, 3}, TSR_F32, D(3));
	tsr *y = tsr_from(ctx, (float[]){2, 4, 6}, TSR_F32, D(3));
	print(tsr_call(tsr_vmap(ctx, tsr_add), x, y));
	print(tsr_call(tsr_pmap(ctx, tsr_add), x, y));

	tsr *xs = tsr_ones(ctx, D(8, 2, 3)), *ys = tsr_ones(ctx, D(8, 3, 4));
	tsr_fn *one = tsr_jit(ctx, f), *batch = tsr_vmap(ctx, f), *map = tsr_pmap(ctx, f);
	tsr_printf(ctx, "f\n%s", tsr_fn_text(one, tsr_index(xs, 0, 0), tsr_index(ys, 0, 0)));
	tsr_printf(ctx, "vmap(f)\n%s", tsr_fn_text(batch, xs, ys));
	tsr_printf(ctx, "pmap(f)\n%s", tsr_fn_text(map, xs, ys));
}

/* what a map gives is an array like any other, in pieces on the devices */
static void outputs(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	tsr *y = tsr_call(tsr_pmap(ctx, tsr_square), tsr_arange(ctx, 8));
	print(tsr_div(y, 2));
	print(y);
	tsr_printf(ctx, "%s", tsr_sharding_picture(y));
	print(tsr_sin(tsr_astype(y, TSR_F64)));
}

static void print_shape(tsr_ctx *ctx, tsr *x)
{
	tsr_printf(ctx, "(%lld, %lld, %lld)\n", (long long)tsr_dim(x, 0), (long long)tsr_dim(x, 1),
	           (long long)tsr_dim(x, 2));
}

struct size {
	int64_t rows, columns;
};

static void random_matrix(tsr_frame *frame)
{
	const struct size *s = tsr_frame_env(frame);
	tsr_return(frame, tsr_normal(tsr_frame_arg(frame, 0), D(s->rows, s->columns)));
}

static tsr *gram(tsr *x) { return tsr_dot(x, tsr_t(x)); }

/* large random matrices in parallel, and their products: nothing moves between devices but the
 * means, one number each */
static void products(tsr_ctx *ctx, struct size size)
{
	TSR_SCOPE(ctx);
	tsr *keys = tsr_split_keys(tsr_key(ctx, 0), D(DEVICES));
	tsr *mats = tsr_call(tsr_pmap(ctx, random_matrix, TSR_ENV(&size)), keys);
	print_shape(ctx, mats);
	tsr *result = tsr_call(tsr_pmap(ctx, gram), mats);
	print_shape(ctx, result);
	print(tsr_call(tsr_pmap(ctx, tsr_mean), result));
}

/* ---- collective communication */

static tsr *normalize(tsr *x) { return tsr_div(x, tsr_psum(x, "i")); }

/* axes of maps inside each other, by their names: three results */
static void normalize_all(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr *row_normed = tsr_div(x, tsr_psum(x, "rows"));
	tsr *col_normed = tsr_div(x, tsr_psum(x, "cols"));
	tsr *doubly_normed = tsr_div(x, tsr_psum(x, "rows*cols"));
	tsr_return(frame, row_normed, col_normed, doubly_normed);
}

static void collectives(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	tsr *four = tsr_arange(ctx, 4, .dtype = TSR_F32), *a, *b, *c;
	print(tsr_call(tsr_pmap(ctx, normalize, .axis = "i"), four));

	tsr *x = tsr_reshape(tsr_arange(ctx, 8, .dtype = TSR_F32), D(4, 2));
	tsr_fn *cols = tsr_pmap(ctx, normalize_all, .axis = "cols");
	tsr_call_into(TSR_OUT(&a, &b, &c), tsr_pmap(ctx, cols, .axis = "rows"), x);
	print(a);
	print(tsr_sum(a, .dims = D(0)));
	print(b);
	print(c);
}

/* ---- Rule 30: each step sends a device's last cell to the right, and its first to the left */

static tsr *send_right(tsr *x) { return tsr_ppermute(x, "i", TSR_SHIFT(+1)); }
static tsr *send_left(tsr *x) { return tsr_ppermute(x, "i", TSR_SHIFT(-1)); }

static tsr *update_board(tsr *board)
{
	tsr *left = tsr_slice(board, 0, 0, -2), *right = tsr_slice(board, 0, 2, TSR_END);
	tsr *center = tsr_slice(board, 0, 1, -1);
	return tsr_bitwise_xor(left, tsr_bitwise_or(center, right));
}

static tsr *step(tsr *slice)
{
	tsr *left = send_right(tsr_slice(slice, 0, -1, TSR_END));
	tsr *right = send_left(tsr_slice(slice, 0, 0, 1));
	return update_board(tsr_concatenate(0, left, slice, right));
}

enum { CELLS = 40, STEPS = 20 };

static void print_board(tsr_ctx *ctx, tsr *board)
{
	bool cells[CELLS];
	char line[CELLS + 1] = "";

	tsr_read(tsr_gather_whole(board), cells, sizeof cells);
	for (int i = 0; i < CELLS; i++) line[i] = cells[i] ? '*' : ' ';
	tsr_printf(ctx, "%s\n", line);
}

static void rule_30(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	const bool cells[CELLS] = {[CELLS / 2] = true};
	tsr *board = tsr_from(ctx, cells, TSR_BOOL, D(DEVICES, CELLS / DEVICES));
	tsr_fn *next = tsr_pmap(ctx, step, .axis = "i");

	print_board(ctx, board);
	for (int k = 0; k < STEPS; k++) print_board(ctx, board = tsr_call(next, board));
}

/* ---- gradients: a map whose body takes the gradient of a map inside it */

static tsr *x_of_outer, *y_of_outer; /* what the inner body sees of the outer one */

static tsr *inner(tsr *z)
{
	tsr *product = tsr_mul(tsr_cos(z), tsr_tan(tsr_sum(y_of_outer)));
	return tsr_mul(product, tsr_sum(tsr_tanh(x_of_outer)));
}

static tsr *sum_of_inner(tsr *w) { return tsr_sum(tsr_call(tsr_pmap(w, inner), w)); }

static tsr *outer(tsr *x)
{
	x_of_outer = x;
	y_of_outer = tsr_sin(x);
	return tsr_call(tsr_grad(x, sum_of_inner), x);
}

static tsr *sum_of_outer(tsr *x) { return tsr_sum(tsr_call(tsr_pmap(x, outer), x)); }

static void gradients(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	tsr *x = tsr_reshape(tsr_arange(ctx, 8, .dtype = TSR_F32), D(4, 2));
	print(tsr_call(tsr_pmap(ctx, outer), x));
	print(tsr_call(tsr_grad(ctx, sum_of_outer), x));
}

int main(int argc, char **argv)
{
	const struct size size = {argc > 2 ? atol(argv[1]) : 50, argc > 2 ? atol(argv[2]) : 60};
	tsr_ctx *ctx = tsr_open(.devices = DEVICES);

	pure_maps(ctx);
	outputs(ctx);
	products(ctx, size);
	collectives(ctx);
	rule_30(ctx);
	gradients(ctx);
	return tsr_close(ctx);
}
