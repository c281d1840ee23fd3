/* params.c - the parameters of a model of Flax's layers, drawn in parts on 8 devices, and the
 * results of the layers with them: params FOLDER SEED writes PATH.npy for each leaf, and
 * made.LAYER.npy. run_params.py builds the same model with Flax. */
#include <stdio.h>
#include <stdlib.h>
#include <tsr/tsr.h>
#define D TSR_DIMS
#define P TSR_SPEC

TSR_TREE_TYPE(embed, { tsr *embedding; });
TSR_TREE_TYPE(dense, { tsr *kernel, *bias; });
TSR_TREE_TYPE(plain, { tsr *kernel; });
TSR_TREE_TYPE(norm, { tsr *scale, *bias; });
TSR_TREE_TYPE(attention, { dense query, key, value, out; });
TSR_TREE_TYPE(block, {
	norm norm;
	attention attention;
	dense up, down;
});
TSR_TREE_TYPE(gru, {
	dense dense_i;
	plain dense_h;
});
TSR_TREE_TYPE(lstm, {
	plain dense_i;
	dense dense_h;
});
TSR_TREE_TYPE(model, {
	embed embed;
	block blocks[2];
	dense conv;
	norm batch;
	gru gru;
	lstm lstm;
	dense head;
});
enum { WORDS = 40, H = 16, HEADS = 4, EACH = H / HEADS, UP = 64 };

/* as nnx.Embed draws */
static tsr *embedding(tsr *key, tsr_dims dims)
{
	return tsr_init_variance_scaling(key, dims, .distribution = TSR_INIT_NORMAL, .out = D(0));
}

/* of nnx.LinearGeneral, which draws what has several dims as a matrix: [in, heads, each] and
 * [heads, each, out] */
static tsr *to_heads(tsr *key, tsr_dims dims)
{
	return tsr_reshape(tsr_init_lecun_normal(key, D(H, HEADS * EACH)), dims);
}
static tsr *bias_of_heads(tsr *key, tsr_dims dims)
{
	return tsr_reshape(tsr_init_normal(key, D(HEADS * EACH)), dims);
}
static tsr *from_heads(tsr *key, tsr_dims dims)
{
	return tsr_reshape(tsr_init_lecun_normal(key, D(HEADS * EACH, H)), dims);
}

/* in the order of the leaves */
#define DENSE(in, out, spec, of) \
	{D(in, out), tsr_init_lecun_normal, spec}, { D(out), tsr_init_normal, of }
#define TO_HEADS \
	{D(H, HEADS, EACH), to_heads, P(NULL, "y")}, { D(HEADS, EACH), bias_of_heads, P("y") }
#define NORM \
	{D(H), tsr_init_normal, P()}, { D(H), tsr_init_normal, P() }
#define BLOCK \
	NORM, TO_HEADS, TO_HEADS, TO_HEADS, {D(HEADS, EACH, H), from_heads, P("y")}, \
		{D(H), tsr_init_normal, P()}, DENSE(H, UP, P("x", "y"), P("y")), \
		DENSE(UP, H, P("y", "x"), P("x"))

static bool make_model(tsr_tree to, tsr *key, tsr_mesh *mesh)
{
	const tsr_param params[] = {{D(WORDS, H), embedding, P("x", "y")},
	                            BLOCK,
	                            BLOCK,
	                            {D(3, 3, H, H), tsr_init_he_normal, P(NULL, NULL, "x", "y")},
	                            {D(H), tsr_init_normal, P("y")},
	                            NORM,
	                            DENSE(H, 3 * H, P(NULL, "y"), P("y")),
	                            {D(H, 3 * H), tsr_init_orthogonal, P(NULL, "x*y")},
	                            {D(H, 4 * H), tsr_init_glorot_uniform, P(NULL, "x*y")},
	                            {D(H, 4 * H), tsr_init_orthogonal, P(NULL, "y")},
	                            {D(4 * H), tsr_init_ones, P("x")},
	                            DENSE(H, WORDS, P("y", "x"), P())};

	return tsr_make_params(to, key, mesh, params, sizeof params / sizeof *params);
}

static bool save(tsr *x, const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s.npy", folder, name);
	return tsr_save_npy(x, path);
}

/* sin(0), sin(1), ... */
static tsr *wave(tsr_ctx *ctx, tsr_dims dims)
{
	tsr *one = tsr_ones(ctx, dims);

	return tsr_reshape(tsr_sin(tsr_arange(ctx, tsr_size(one), .dtype = TSR_F32)), dims);
}

static void save_made(const model *w, const char *folder)
{
	tsr_ctx *ctx = tsr_ctx_of(w->embed.embedding);
	tsr *x = wave(ctx, D(8, H)), *h = tsr_cos(x), *c = tsr_mul(h, 2), *mean, *var, *out[2];
	tsr *words = tsr_astype(tsr_arange(ctx, WORDS), TSR_I32);
	const block *b = &w->blocks[0];
	const attention *at = &b->attention;

	tsr_lstm_cell(c, h, x, w->lstm.dense_i.kernel, w->lstm.dense_h.kernel, w->lstm.dense_h.bias,
	              out);
	tsr *batch = tsr_batch_norm(x, w->batch.scale, w->batch.bias, tsr_zeros(ctx, D(H)),
	                            tsr_ones(ctx, D(H)), .new_mean = &mean, .new_var = &var);
	const struct {
		const char *name;
		tsr *made;
	} all[] = {{"made.embed", tsr_embed(words, w->embed.embedding)},
	           {"made.norm", tsr_layer_norm(x, b->norm.scale, b->norm.bias)},
	           {"made.up", tsr_linear(x, b->up.kernel, b->up.bias)},
	           {"made.attention",
	            tsr_multi_head_attention(wave(ctx, D(2, 5, H)), at->query.kernel,
	                                     at->key.kernel, at->value.kernel, at->out.kernel,
	                                     .query_bias = at->query.bias,
	                                     .key_bias = at->key.bias,
	                                     .value_bias = at->value.bias,
	                                     .out_bias = at->out.bias)},
	           {"made.conv", tsr_conv(wave(ctx, D(2, 5, 4, H)), w->conv.kernel, w->conv.bias)},
	           {"made.batch", batch},
	           {"made.mean", mean},
	           {"made.var", var},
	           {"made.gru", tsr_gru_cell(h, x, w->gru.dense_i.kernel, w->gru.dense_h.kernel,
	                                     w->gru.dense_i.bias)},
	           {"made.lstm_c", out[0]},
	           {"made.lstm_h", out[1]}};

	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		save(all[k].made, folder, all[k].name);
}

int main(int argc, char **argv)
{
	if (argc != 3) return fprintf(stderr, "usage: %s FOLDER SEED\n", argv[0]), 2;
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 4});
	model w;
	bool ok = make_model(TSR_TREE(model, &w), tsr_key(ctx, atoll(argv[2])), mesh);

	for (size_t k = 0; ok && k < sizeof w.leaf / sizeof *w.leaf; k++)
		ok = save(w.leaf[k], argv[1], tsr_tree_path(TSR_TREE(model, &w), k));
	if (ok) save_made(&w, argv[1]);
	return tsr_close(ctx);
}
