/* test_fault.c - every request for memory fails once, in functions that make arrays and compute
 * with them, on one device or in maps. test_transforms.c has derivatives, batches, loops and
 * effects; test_spread.c has automatic mode. */
#include "fault/fault_rig.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static char file[64];
static char file_npz[64], file_safetensors[64];

/* a sum in which the largest of a row counts most */
static tsr *sum_of_sorted(tsr *x)
{
	return tsr_sum(tsr_cumsum(tsr_mul(tsr_sort(x), 0.5), .dim = D(-1), .reverse = true));
}

static bool opening(tsr_ctx *ctx)
{
	return tsr_device_count(ctx) == 8;
}

static bool making(tsr_ctx *ctx)
{
	static float mine[6] = {1, 2, 3, 4, 5, 6};
	tsr *x = tsr_from(ctx, mine, TSR_F32, D(2, 3)), *w = tsr_wrap(ctx, mine, TSR_F32, D(2, 3));
	tsr *i = tsr_eye(ctx, 4), *f = tsr_full(ctx, D(3), 2.5), *s = tsr_scalar(ctx, 7);
	tsr *z = tsr_zeros_like(tsr_ones(ctx, D(5), .dtype = TSR_I64));
	return tsr_array_equal(x, w) && tsr_item(tsr_sum(i)) == 4 && tsr_item(tsr_sum(f)) == 7.5 &&
	       tsr_item_int(s) == 7 && tsr_size(z) == 5;
}

static bool eager(tsr_ctx *ctx)
{
	tsr *x = numbers(ctx, 3, 4), *half[2];
	tsr *y = tsr_add(tsr_mul(x, 2), tsr_sum(x, .dims = D(1), .keep = true));
	tsr *d = tsr_dot(tsr_t(x), y), *c = tsr_concatenate(0, x, y, x);
	bool right = tsr_item(tsr_sum(y)) == 396 && tsr_dim(d, 0) == 4 && tsr_dim(c, 0) == 9;
	tsr_split(y, 1, half, 2);
	tsr *p = tsr_pad(half[1], D(1, 0), D(0, 2), -1);
	tsr *u = tsr_dynamic_update(p, tsr_zeros(ctx, D(1, 4)), 0, 2);
	right &= tsr_item(tsr_index(tsr_ravel(u), 0, 2)) == -1;
	tsr *m = tsr_where(tsr_gt(x, 5), x, 0), *t = tsr_argmax(x, .dim = D(1));
	return right && tsr_item(tsr_max(m)) == 11 && tsr_item_int(tsr_sum(t)) == 9 &&
	       tsr_item(tsr_sum(tsr_astype(tsr_flip(tsr_slice(x, 0, 1, 2), D(1)), TSR_I32))) == 22;
}

static bool along(tsr_ctx *ctx)
{
	tsr *x = tsr_neg(numbers(ctx, 3, 4)), *kv[] = {x, numbers(ctx, 3, 4)};
	tsr *y = tsr_sort(x, .dim = D(0), .descending = true), *at = tsr_argsort(x);
	tsr *c = tsr_cumsum(x, .dim = D(1), .reverse = true);
	tsr *g = tsr_call(tsr_grad(ctx, sum_of_sorted), x);
	tsr *word[2];
	bool right = tsr_threefry2x32(0, 42, 0, tsr_iota(x, D(3), 0, .dtype = TSR_U32), word);
	right &= tsr_item_int(tsr_max(word[1])) == 2916123636;
	right &= tsr_sort_operands(kv, kv, 2);
	return right && tsr_item(tsr_index(tsr_ravel(kv[1]), 0, 0)) == 3 &&
	       tsr_array_equal(y, x) && tsr_item_int(tsr_max(at)) == 3 &&
	       tsr_item(tsr_min(c)) == -38 && tsr_item(tsr_max(g)) == 2;
}

static tsr *noise(tsr *key) { return tsr_normal(tsr_fold_in(key, 1), D(4)); }

static bool random_numbers(tsr_ctx *ctx)
{
	tsr *key[2], *start = tsr_from(ctx, (int[]){2}, TSR_I32, D(1));
	const bool right = tsr_split_key(tsr_key(ctx, 42), key, 2);
	tsr *bits = tsr_random_bits(key[0], D(3), .dtype = TSR_U64);
	tsr *part = tsr_uniform(key[1], D(2), .whole = D(6), .start = start);
	tsr *whole = tsr_uniform(key[1], D(6)), *y = tsr_call(tsr_jit(ctx, noise), key[0]);
	tsr *some = tsr_random_beta(key[0], 2, 0.5);
	return right && tsr_size(some) == 1 && tsr_size(bits) == 3 &&
	       tsr_array_equal(part, tsr_slice(whole, 0, 2, 4)) &&
	       tsr_array_equal(y, noise(key[0]));
}

/* a sum of the squares of x, where a x = b and a is made of one matrix */
static tsr *solve_squares(tsr *g)
{
	tsr *a = tsr_add(tsr_matmul(g, tsr_t(g)), tsr_eye(g, 3)), *low = tsr_cholesky(a);
	return tsr_sum(tsr_square(tsr_cho_solve(low, tsr_ones(g, D(3)), .lower = true)));
}

static tsr *twice_eye(tsr_ctx *ctx) { return tsr_mul(tsr_eye(ctx, 3), 2); }

static bool factored(tsr_ctx *ctx)
{
	tsr *x = twice_eye(ctx), *out[3] = {x};
	tsr *many = tsr_broadcast_to(x, D(2, 3, 3));
	tsr *y = tsr_triangular_solve(many, tsr_ones(ctx, D(2, 1, 3)), .lower = true);
	bool right = tsr_svd(x, out) && tsr_item(tsr_sum(out[1])) == 6;
	right &= tsr_eigh(x, out) && tsr_item(tsr_sum(out[0])) == 6;
	right &= tsr_qr(x, out) && tsr_item(tsr_sum(out[1])) == 6;
	return right && tsr_item(tsr_sum(y)) == 3;
}

static bool made_similar(tsr_ctx *ctx)
{
	tsr *x = twice_eye(ctx), *out[4] = {x};
	bool right = tsr_eig(x, out, .left = true) && tsr_item(tsr_sum(tsr_real(out[0]))) == 6;
	right &= tsr_schur(x, out) && tsr_item(tsr_sum(out[0])) == 6;
	right &= tsr_hessenberg(x, out) && tsr_item(tsr_sum(out[0])) == 6;
	right &= tsr_tridiagonal(x, out) && tsr_item(tsr_sum(out[1])) == 6;
	return right && tsr_polar(x, out) && tsr_item(tsr_sum(out[1])) == 6;
}

static tsr *squares_of_roots(tsr *p) { return tsr_sum(tsr_real(tsr_square(tsr_roots(p)))); }

static bool rooted(tsr_ctx *ctx)
{
	tsr *p = tsr_from(ctx, ((const float[]){1, -3, 2}), TSR_F32, D(3));
	tsr *y = tsr_call(tsr_grad(ctx, squares_of_roots), p);
	return fabs(tsr_item(tsr_index(y, 0, 2)) + 2) < 1e-4 &&
	       fabs(tsr_item(squares_of_roots(p)) - 5) < 1e-4;
}

static bool inverted(tsr_ctx *ctx)
{
	tsr *x = twice_eye(ctx), *many = tsr_broadcast_to(x, D(2, 3, 3));
	const bool right = tsr_item(tsr_sum(tsr_pinv(x))) == 1.5;
	return right && tsr_item_int(tsr_matrix_rank(x)) == 3 && tsr_item(tsr_det(x)) == 8 &&
	       tsr_item(tsr_sum(tsr_inv(many))) == 3;
}

static bool waves(tsr_ctx *ctx)
{
	tsr *x = twice_eye(ctx), *wave = tsr_irfftn(tsr_rfftn(x), .lengths = D(3, 3));
	return tsr_allclose(wave, x, 0, 1e-6) && tsr_size(tsr_fftfreq(ctx, 5)) == 5;
}

static bool solved(tsr_ctx *ctx)
{
	tsr *x = twice_eye(ctx), *g = tsr_call(tsr_grad(ctx, solve_squares), x);
	return fabs(tsr_item(solve_squares(x)) - 0.12) < 1e-6 &&
	       fabs(tsr_item(tsr_sum(g)) + 0.576) < 1e-6;
}

static tsr *sum_of_windows(tsr *x, tsr *kernel)
{
	tsr *y = tsr_conv_general_dilated(x, kernel, .padding = TSR_SAME, .lhs_spec = "NHWC",
	                                  .rhs_spec = "HWIO");

	return tsr_sum(tsr_max_pool(y, D(2, 2), .strides = D(1, 2)));
}

static bool windows(tsr_ctx *ctx)
{
	tsr *x = tsr_reshape(numbers(ctx, 3, 4), D(1, 3, 4, 1));
	tsr *kernel = tsr_reshape(numbers(ctx, 2, 2), D(2, 2, 1, 1));
	tsr *g = tsr_call(tsr_grad(ctx, sum_of_windows, .wrt = D(1)), x, kernel);
	tsr *p = tsr_cumprod(tsr_reshape(numbers(ctx, 1, 4), D(4)));
	tsr *s = tsr_reduce_window(x, TSR_COMBINE_ADD, D(1, 3, 4, 1));

	return tsr_item(tsr_sum(p)) == 0 && tsr_item(s) == 66 && tsr_item(tsr_max(g)) == 42;
}

static bool placing(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = numbers(ctx, 8, 6), *a = tsr_put(x, mesh, P("x", "y"));
	tsr *b = tsr_put(a, mesh, P("y")), *c = tsr_put(b, mesh, P(NULL, "x*y"));
	tsr *d = tsr_put_device(c, 3);
	const tsr_sharding *s = tsr_sharding_make(mesh, P("x", "y"));
	tsr *piece[8] = {0};
	for (int64_t k = 0; k < 8; k++)
		piece[k] = tsr_shard_data(a, k);
	tsr *e = tsr_from_shards(ctx, s, D(8, 6), piece, 8);
	return tsr_array_equal(d, x) && tsr_array_equal(e, x) &&
	       strlen(tsr_sharding_text(s)) > 10 &&
	       tsr_sharding_equivalent(tsr_sharding_of(e), tsr_sharding_of(a), 2);
}

static tsr *layer(tsr *x, tsr *w)
{
	return tsr_relu(tsr_sub(tsr_dot(x, w), 100));
}

static bool jit(tsr_ctx *ctx)
{
	tsr_fn *f = tsr_jit(ctx, layer, .name = "layer"), *g = tsr_jit(ctx, f);
	tsr *x = numbers(ctx, 4, 3), *w = numbers(ctx, 3, 2);
	const bool same = tsr_array_equal(tsr_call(f, x, w), layer(x, w));
	return same && tsr_array_equal(tsr_call(g, x, w), layer(x, w)) &&
	       tsr_array_equal(tsr_call(f, w, numbers(ctx, 2, 5)), layer(w, numbers(ctx, 2, 5)));
}

static tsr *exchanges(tsr *x)
{
	const tsr_dims one = TSR_DIMS(1);
	tsr *sum = tsr_psum(x, "y"), *all = tsr_all_gather(sum, "x", .dim = one, .tiled = true);
	tsr *part = tsr_psum_scatter(all, "x", .dim = one, .tiled = true);
	tsr *turned = tsr_all_to_all(part, "x*y", .tiled = true);
	tsr *moved = tsr_ppermute(turned, "x", TSR_SHIFT(1));
	tsr *pairs = tsr_pmax(
		moved, "x", .groups = {.member = (const int[]){0, 2, 1, 3}, .count = 2, .size = 2});
	return tsr_add(pairs, tsr_axis_index(x, "y"));
}

static bool mapped(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, exchanges, .in = TSR_SPECS(P("x*y")),
	                          .out = TSR_SPECS(P("x*y")));
	tsr *y = tsr_call(f, numbers(ctx, 64, 2));
	return tsr_dim(y, 0) == 64 && tsr_dim(y, 1) == 2 && tsr_item(tsr_max(y)) > 0;
}

static tsr *inner(tsr *x)
{
	return tsr_psum(tsr_mul(x, tsr_axis_index(x, "y")), "y");
}

static void outer(tsr_frame *frame)
{
	tsr_mesh *const *mesh = tsr_frame_env(frame);
	tsr_fn *f = tsr_shard_map(*mesh, inner, .sig = "[-,y] -> []", .axes = "y");
	tsr *x = tsr_frame_arg(frame, 0), *y = tsr_call(f, x);
	tsr_return(frame, tsr_add(y, 1), tsr_psum(y, "x"));
}

static bool nested(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_shard_map(mesh, outer, .sig = "[x] -> [x] []", .axes = "x", TSR_ENV(&mesh));
	tsr *a = NULL, *b = NULL;
	tsr_call_into(TSR_OUT(&a, &b), tsr_jit(ctx, f), numbers(ctx, 4, 6));
	tsr *right = tsr_slice(numbers(ctx, 4, 6), 1, 3, TSR_END);
	return tsr_array_equal(a, tsr_add(right, 1)) &&
	       tsr_array_equal(b, tsr_sum(right, .dims = D(0), .keep = true));
}

TSR_TREE_TYPE(linear, { tsr *w, *b; });
TSR_TREE_TYPE(network, { linear up, down; });

static void step(tsr_frame *frame)
{
	const network *n = TSR_TREE_OF(network, tsr_frame_tree(frame, 0));
	const linear *extra = TSR_TREE_OF(linear, tsr_frame_captures(frame));
	tsr *x = tsr_frame_arg(frame, 1);
	network out = *n;
	out.up.w = tsr_add(n->up.w, x);
	out.down.w = tsr_neg(n->down.w);
	tsr_return(frame, TSR_TREE(network, &out), tsr_add(tsr_sum(x), extra->w));
}

static bool trees(tsr_ctx *ctx)
{
	network n = {0};
	linear extra = {.w = tsr_scalar(ctx, 0.5)};
	tsr *loss = NULL;
	tsr_set(&n.up.w, tsr_ones(ctx, D(3)));
	tsr_set(&n.up.b, tsr_zeros(ctx, D(2)));
	tsr_set(&n.down.w, tsr_ones(ctx, D(4)));
	tsr_fn *f = tsr_jit(ctx, step, .captures = TSR_TREE(linear, &extra));
	for (int k = 0; k < 3; k++) {
		TSR_SCOPE(ctx);
		tsr_call_into(TSR_OUT(TSR_OWN(network, &n), &loss), f, TSR_TREE(network, &n), 2.0);
		loss = tsr_keep(loss);
	}
	float memory[3] = {0};
	tsr_call_into(TSR_OUT(TSR_INTO(memory, TSR_F32, D(3))), tsr_jit(ctx, tsr_neg), n.up.w);
	tsr_call_into(TSR_OUT(TSR_INTO(memory + 2, TSR_F32, D(3), .strides = D(-4))),
	              tsr_jit(ctx, tsr_neg), tsr_wrap(ctx, memory, TSR_F32, D(3)));
	const bool right = tsr_item(loss) == 2.5 && memory[0] == 7 &&
		tsr_item(tsr_sum(n.up.w)) == 21 && tsr_item(tsr_sum(n.down.w)) == -4 && !n.down.b;
	tsr_drop_tree(TSR_TREE(network, &n));
	return right;
}

/* constants fold, equal equations are one, and arguments are given up */
static tsr *simple(tsr *x, tsr *y)
{
	tsr *two = tsr_mul(tsr_full(x, D(4, 2), 0.5), 4);
	tsr *a = tsr_t(tsr_neg(x)), *b = tsr_t(tsr_neg(x));
	return tsr_add(tsr_add(tsr_neg(a), tsr_mul(b, 1.0)), tsr_mul(tsr_t(tsr_t(y)), tsr_t(two)));
}

static bool donated(tsr_ctx *ctx)
{
	tsr *owned = NULL, *y = numbers(ctx, 2, 4);
	tsr_set(&owned, numbers(ctx, 4, 2));
	tsr_fn *f = tsr_jit(ctx, simple, .donate = D(0));
	tsr *sum = tsr_sum(tsr_call(f, owned, y));
	const char *text = tsr_fn_compiled_text(f, numbers(ctx, 4, 2), y);
	tsr_drop(&owned);
	return tsr_item(sum) == 56 && strstr(text, "transpose") && !strstr(text, "broadcast");
}

static tsr *of_cols(tsr *x) { return tsr_div(x, tsr_psum(x, "rows*cols")); }
static tsr *of_rows(tsr *x)
{
	return tsr_call(tsr_jit(x, tsr_pmap(x, of_cols, .axis = "cols")), x);
}

static bool pmaps(tsr_ctx *ctx)
{
	static const int64_t ids[] = {3, 2, 1, 0};
	tsr_fn *f = tsr_pmap(ctx, of_rows, .axis = "rows", TSR_DEVICES(ids), .donate = D(0));
	tsr *y = tsr_call(f, numbers(ctx, 2, 2));
	return tsr_dim(y, 0) == 2 && tsr_item(tsr_sum(y)) == 1;
}

static bool texts(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = numbers(ctx, 8, 4);
	const char *text = tsr_text(x), *program = tsr_fn_text(tsr_jit(ctx, layer), x, tsr_t(x));
	tsr *spread = tsr_put(x, mesh, P("x", "y"));
	const char *picture = tsr_sharding_picture(spread, .color = true);
	const char *svg = tsr_sharding_svg(spread);
	const char *parts = tsr_shards_text(spread, .devices = true);
	return strstr(text, "31.") && strstr(program, "dot_general") && strlen(picture) > 20 &&
	       strstr(svg, "</svg>") && strstr(parts, " 31.]]");
}

static bool files(tsr_ctx *ctx)
{
	tsr *x = numbers(ctx, 5, 3);
	const bool saved = tsr_save_npy(x, file);
	return saved && tsr_array_equal(tsr_load_npy(ctx, file), x);
}

#if defined TSR_JANSSON && defined TSR_MINIZIP
/* a tree by names, cut and turned, from a file of either kind */
static bool archive(tsr_ctx *ctx, const char *path)
{
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *x[2] = {numbers(ctx, 5, 3), tsr_gt(numbers(ctx, 4, 2), 3)}, *y[2] = {NULL, NULL};
	const bool saved = tsr_save(TSR_LEAVES(x, 2), path, .turned = TSR_NAMES("[0]"));
	const bool loaded = saved && tsr_load(TSR_LEAVES(y, 2), path, .mesh = mesh,
	                                      .spec = TSR_FOR_ALL(P(NULL, "x")),
	                                      .turned = TSR_NAMES("[0]"));
	const char *text = loaded ? tsr_file_text(ctx, path) : "";
	return loaded && strstr(text, "[1]  bool[4,2]  8 bytes") && tsr_array_equal(x[0], y[0]) &&
	       tsr_array_equal(x[1], y[1]);
}

static bool npz(tsr_ctx *ctx) { return archive(ctx, file_npz); }
static bool safetensors(tsr_ctx *ctx) { return archive(ctx, file_safetensors); }

static bool packed(tsr_ctx *ctx)
{
	tsr *y = NULL;

	(void)ctx; /* the only one */
	return tsr_load(TSR_LEAVES(&y, 1), "tests/files/data/numpy_compressed.npz",
	                .names = TSR_NAMES("fortran")) &&
	       tsr_item(tsr_sum(y)) == 15;
}

#endif

static bool columns(tsr_ctx *ctx)
{
	tsr *x = tsr_load_text(ctx, "tests/files/data/columns.txt", .skip = 1,
	                       .columns = TSR_DIMS(1));
	return tsr_dim(x, 0) == 3 && tsr_item(tsr_sum(x)) == 60;
}

/* no call of its deleter is left out */
static bool lent(tsr_ctx *ctx)
{
	tsr *x = numbers(ctx, 3, 4);
	tsr_dlpack *d = tsr_to_dlpack(x);
	tsr_dlpack_old *o = tsr_to_dlpack_old(x);
	tsr *y = d ? tsr_from_dlpack(ctx, d) : NULL, *z = o ? tsr_from_dlpack_old(ctx, o) : NULL;

	return y && z && tsr_array_equal(x, y) && tsr_array_equal(x, z);
}

static bool programs(tsr_ctx *ctx)
{
	static const char text[] = "twice(%0: f32[2,3], %1: f32[2,3]) -> f32[3,2], f32[2,3] {\n"
		"  %2: f32[2,3] = add %0 %1\n  %3: f32[2,3] = mul %2 2.0:f32\n"
		"  %4: f32[3,2] = transpose %3 perm=[1,0]\n  return %4 %3\n}\n";
	tsr_fn *f = tsr_parse(ctx, text), *again = tsr_parse(ctx, tsr_program_text(f));
	tsr *x = numbers(ctx, 2, 3), *a = NULL, *b = NULL;
	tsr_call_into(TSR_OUT(&a, &b), again, x, tsr_neg(x));
	return tsr_item(tsr_sum(a)) == 0 && tsr_dim(a, 0) == 3 && tsr_item(tsr_sum(b)) == 0;
}

static bool scopes(tsr_ctx *ctx)
{
	tsr *kept = numbers(ctx, 2, 2);
	for (int k = 0; k < 40; k++) {
		TSR_SCOPE(ctx);
		{
			TSR_SCOPE(kept);
			kept = tsr_keep(tsr_add(kept, 1));
		}
		kept = tsr_keep(kept);
	}
	return tsr_item(tsr_sum(kept)) == 166;
}

static tsr *roots(tsr *x) { return tsr_sum(tsr_sqrt(x)); }

static bool first_nan(tsr_ctx *ctx)
{
	tsr *y = tsr_call(tsr_jit(ctx, roots), tsr_sub(numbers(ctx, 2, 2), 1));

	if (tsr_status(ctx) != TSR_ERROR_USER) return false;
	const bool told = strstr(tsr_message(ctx), "sqrt makes the first nan");
	tsr_clear(ctx);
	return told && tsr_is_poison(y);
}

static const scenario scenarios[] = {
	SCENARIO(opening), SCENARIO(making), SCENARIO(eager), SCENARIO(along),
	SCENARIO(random_numbers),
	SCENARIO(factored), SCENARIO(made_similar), SCENARIO(rooted), SCENARIO(inverted),
	SCENARIO(waves), SCENARIO(solved),
	SCENARIO(windows),
	SCENARIO(placing), SCENARIO(jit), SCENARIO(mapped), SCENARIO(nested), SCENARIO(pmaps),
	SCENARIO(trees), SCENARIO(donated),
	SCENARIO(texts), SCENARIO(files), SCENARIO(columns), SCENARIO(lent),
#if defined TSR_JANSSON && defined TSR_MINIZIP
	SCENARIO(npz), SCENARIO(safetensors), SCENARIO(packed),
#endif
	SCENARIO(programs), SCENARIO(scopes),
	{"first_nan", first_nan, "N"},
};

static void test_scenarios(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++)
		check_scenario(&scenarios[k]);
}

/* .memory_limit: the same for a budget that is too small, by steps */
static void test_memory_limit(void **state)
{
	(void)state;
	counter c = {0};
	tsr_ctx *ctx = tsr_open(.devices = 8);
	assert_true(nested(ctx));
	const size_t peak = tsr_memory(ctx).peak;
	assert_int_equal(tsr_close(ctx), 0);
	assert_true(peak > 1000);
	for (int part = 1; part <= 20; part++) {
		ctx = tsr_open(.devices = 8, .alloc = counted, .user = &c, .log = log_nothing,
		               .memory_limit = peak / 20 * (size_t)part + 4096);
		const bool opened = tsr_status(ctx) == 0, right = nested(ctx);
		const int code = tsr_status(ctx);
		assert_true(!opened || tsr_memory(ctx).peak <= peak / 20 * (size_t)part + 4096);
		assert_true(code == TSR_ERROR_MEMORY || (code == 0 && right));
		assert_true(part < 20 || code == 0);
		assert_int_equal(tsr_close(ctx), code);
		assert_int_equal(c.held, 0);
	}
}

/* a large request fails where the rest fits, and the context goes on */
static void test_one_large_request(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .memory_limit = 16 << 20);
	assert_true(tsr_is_poison(tsr_zeros(ctx, D(1 << 13, 1 << 13))));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_MEMORY);
	tsr_clear(ctx);
	assert_true(making(ctx) && eager(ctx));
	assert_int_equal(tsr_close(ctx), 0);
}

static int remove_file(void **state)
{
	(void)state;
	unlink(file);
	unlink(file_npz);
	unlink(file_safetensors);
	return access(file, F_OK) == 0 ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_memory_limit),
		cmocka_unit_test(test_one_large_request),
	};
	snprintf(file, sizeof file, "/tmp/tsr_fault_%ld.npy", (long)getpid());
	snprintf(file_npz, sizeof file_npz, "/tmp/tsr_fault_%ld.npz", (long)getpid());
	snprintf(file_safetensors, sizeof file_safetensors, "/tmp/tsr_fault_%ld.safetensors",
	         (long)getpid());
	return cmocka_run_group_tests(tests, NULL, remove_file);
}
