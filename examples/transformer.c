/* transformer.c - a notebook's transformer layer, tensor parallel over one axis of a 2 x 2 mesh,
 * the batch over the other. Its parameters are a tree in the order in which Flax numbers them, and
 * each device draws its own parts. transformer FILE.npy saves what the layer gives. */
#include <math.h>
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

TSR_TREE_TYPE(attention, { tsr *Wq, *Wk, *Wv, *Wo; });
TSR_TREE_TYPE(mlp, { tsr *W1, *W2; });
TSR_TREE_TYPE(layer, { attention attention; mlp mlp; });
enum { HEADS = 16, HIDDEN = 1024 };

static bool make_layer(layer *w, tsr *key, int64_t h)
{
	const tsr_spec columns = TSR_SPEC(NULL, "model"), rows = TSR_SPEC("model", NULL);
	const tsr_param params[] = {
		{D(h, h), tsr_init_kaiming_normal, columns},     /* Wq */
		{D(h, h), tsr_init_kaiming_normal, columns},     /* Wk */
		{D(h, h), tsr_init_kaiming_normal, columns},     /* Wv */
		{D(h, h), tsr_init_kaiming_normal, rows},        /* Wo */
		{D(h, 4 * h), tsr_init_kaiming_normal, columns}, /* W1 */
		{D(4 * h, h), tsr_init_kaiming_normal, rows},    /* W2 */
	};

	return tsr_make_params(TSR_TREE(layer, w), key, NULL, params, 6);
}

/* [batch, length, hidden] -> [batch, HEADS, length, hidden / HEADS] */
static tsr *heads(tsr *x)
{
	x = tsr_reshape(x, D(tsr_dim(x, 0), tsr_dim(x, 1), HEADS, -1));
	return tsr_transpose(x, .perm = D(0, 2, 1, 3));
}

static tsr *attend(const attention *w, tsr *x)
{
	tsr *q = heads(tsr_dot(x, w->Wq)), *k = heads(tsr_dot(x, w->Wk));
	tsr *v = heads(tsr_dot(x, w->Wv));

	q = tsr_mul(q, 1 / sqrt((double)tsr_dim(x, 2)));
	tsr *scores = tsr_softmax(tsr_einsum("bhqd,bhkd->bhqk", q, k), -1);
	tsr *out = tsr_einsum("bhqk,bhkd->bhqd", scores, v);
	out = tsr_reshape(tsr_transpose(out, .perm = D(0, 2, 1, 3)), tsr_shape(x));
	return tsr_dot(out, w->Wo);
}

static tsr *forward(const mlp *w, tsr *x)
{
	return tsr_dot(tsr_relu(tsr_dot(x, w->W1)), w->W2);
}

static tsr *model(tsr_tree params, tsr *x)
{
	const layer *w = TSR_TREE_OF(layer, params);

	x = tsr_add(x, attend(&w->attention, x));
	return tsr_add(x, forward(&w->mlp, x));
}

int main(int argc, char **argv)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	TSR_MESH(tsr_mesh_make(ctx, {"data", 2}, {"model", 2}));
	tsr *key = tsr_key(ctx, 0);
	layer w;

	tsr *X = tsr_put(tsr_normal(key, D(2, 128, HIDDEN)), NULL, P("data", NULL));
	if (!make_layer(&w, key, HIDDEN)) return tsr_close(ctx);
	for (size_t k = 0; k < sizeof w.leaf / sizeof *w.leaf; k++)
		tsr_printf(ctx, "%-13s %-14s %s\n", tsr_tree_path(TSR_TREE(layer, &w), k),
		           tsr_type_text(w.leaf[k]), tsr_sharding_text(tsr_sharding_of(w.leaf[k])));
	tsr *y = tsr_call(tsr_jit(ctx, model), TSR_TREE(layer, &w), X);
	tsr_show_sharding(tsr_reshape(y, D(2, -1)));
	if (argc > 1) tsr_save_npy(tsr_gather_whole(y), argv[1]);
	return tsr_close(ctx);
}
