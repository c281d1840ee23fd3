/* shard_map_tutorial.c - the cells of a tutorial of shard_map, one after the other: a product of
 * matrices on blocks, the same by the compiler, and the meaning of vmap and shard_map, as loops. */
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

/* what cells leave for later ones */
typedef struct notebook {
	tsr_ctx *ctx;
	tsr_mesh *mesh;
	tsr *a, *b, *c;
} notebook;

/* parts of both may be in several processes */
static void print_allclose(tsr_ctx *ctx, tsr *a, tsr *b)
{
	const bool same = tsr_allclose(tsr_gather_whole(a), tsr_gather_whole(b), 1e-2, 1e-2);
	tsr_printf(ctx, "%s\n", same ? "True" : "False");
}

/* ---- a shard_map */

static tsr *matmul_basic(tsr *a_block, tsr *b_block) /* f32[2,8], f32[8,4] */
{
	tsr *c_partialsum = tsr_dot(a_block, b_block);
	tsr *c_block = tsr_psum(c_partialsum, "y");
	return c_block; /* f32[2,4] */
}

static void see_a_shard_map(notebook *n)
{
	n->mesh = tsr_mesh_make(n->ctx, {"x", 4}, {"y", 2});
	n->a = tsr_reshape(tsr_arange(n->ctx, 8 * 16, .dtype = TSR_F32), D(8, 16));
	n->b = tsr_reshape(tsr_arange(n->ctx, 16 * 4, .dtype = TSR_F32), D(16, 4));
	tsr_fn *f = tsr_shard_map(n->mesh, matmul_basic, .in = TSR_SPECS(P("x", "y"), P("y", NULL)),
	                          .out = TSR_SPECS(P("x", NULL)));
	n->c = tsr_call(f, n->a, n->b);
}

static void visualize_c(notebook *n) { tsr_show_sharding(n->c); }

static void compare(notebook *n) { print_allclose(n->ctx, tsr_dot(n->a, n->b), n->c); }

static void show_mesh(notebook *n) { tsr_printf(n->ctx, "%s\n", tsr_mesh_text(n->mesh)); }

/* ---- the same code with automatic parallelization */

static tsr *matmul_reference(tsr *a, tsr *b)
{
	return tsr_constrain(tsr_dot(a, b), NULL, P("x", NULL));
}

static void automatic(notebook *n)
{
	TSR_MESH(n->mesh);
	n->a = tsr_put(n->a, NULL, P("x", "y"));
	n->b = tsr_put(n->b, NULL, P("y", NULL));
	tsr *c_ref = tsr_call(tsr_jit(n->ctx, matmul_reference), n->a, n->b);
	print_allclose(n->ctx, c_ref, tsr_dot(n->a, n->b));
}

static void visualize_blocks(notebook *n)
{
	tsr_printf(n->ctx, "a blocks:\n");
	tsr_show_sharding(n->a);
	tsr_printf(n->ctx, "b blocks:\n");
	tsr_show_sharding(n->b);
	tsr_printf(n->ctx, "c blocks:\n");
	tsr_show_sharding(n->c);
}

/* ---- the basics: vmap takes elements along a dim, and stacks what comes of them */

static tsr *dot_self(tsr *x) { return tsr_matmul(x, x); }

static void check_vmap(notebook *n)
{
	tsr *xs = tsr_reshape(tsr_arange(n->ctx, 12), D(4, 3)), *each[4];
	tsr *ans = tsr_call(tsr_vmap(n->ctx, dot_self), xs);

	for (int i = 0; i < 4; i++) each[i] = dot_self(tsr_index(xs, 0, i));
	print_allclose(n->ctx, ans, tsr_stack(0, each[0], each[1], each[2], each[3]));
}

/* shard_map takes blocks, and concatenates them: the rank stays */

static tsr *gram(tsr *x) { return tsr_matmul(tsr_t(x), x); }

static void check_shmap(notebook *n)
{
	tsr_mesh *mesh = tsr_mesh_make(n->ctx, {"i", 4});
	tsr *y = tsr_reshape(tsr_arange(n->ctx, 32), D(8, 4)), *block[4];
	tsr_fn *f = tsr_shard_map(mesh, gram, .in = TSR_SPECS(P("i")), .out = TSR_SPECS(P("i")));
	tsr *ans = tsr_call(f, y);

	tsr_split(y, 0, block, 4);
	for (int i = 0; i < 4; i++) block[i] = gram(block[i]);
	print_allclose(n->ctx, ans, tsr_concatenate(0, block[0], block[1], block[2], block[3]));
}

int main(void)
{
	void (*const cells[])(notebook *) = {
		see_a_shard_map, visualize_c,      compare,    show_mesh,
		automatic,       visualize_blocks, check_vmap, check_shmap,
	};
	notebook n = {.ctx = tsr_open(.devices = 8)};

	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) cells[i](&n);
	return tsr_close(n.ctx);
}
