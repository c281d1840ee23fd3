/* files.c - writes arrays and trees to files, and reads them back onto a mesh: files [FOLDER] */
#include <stdio.h>
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

TSR_TREE_TYPE(linear, { tsr *weight, *bias; });

static const char *inside(char path[512], const char *folder, const char *name)
{
	snprintf(path, 512, "%s/%s", folder, name);
	return path;
}

/* one array: what numpy.save writes, and numpy.load reads */
static void one_array(tsr_ctx *ctx, const char *folder)
{
	TSR_SCOPE(ctx);
	char path[512];
	tsr *x = tsr_reshape(tsr_arange(ctx, 6, .dtype = TSR_F32), D(2, 3));

	tsr_save_npy(x, inside(path, folder, "x.npy"));
	tsr_printf(ctx, "equal: %d\n", tsr_array_equal(x, tsr_load_npy(ctx, path)));
}

/* a tree: its leaves by their paths, each read to where it is wanted */
static void a_tree(tsr_ctx *ctx, tsr_mesh *mesh, const char *folder)
{
	TSR_SCOPE(ctx);
	const tsr_spec specs[] = {TSR_SPEC("x", NULL), TSR_SPEC()};
	linear w = {.weight = tsr_ones(ctx, D(8, 4)), .bias = tsr_zeros(ctx, D(4))}, read = {0};
	char path[512];

	tsr_save(TSR_TREE(linear, &w), inside(path, folder, "linear.npz"));
	tsr_load(TSR_TREE(linear, &read), path, .mesh = mesh, .spec = TSR_FOR_EACH(specs));
	tsr_printf(ctx, "%s", tsr_file_text(ctx, path));
	tsr_printf(ctx, "weight: %s\n", tsr_sharding_text(tsr_sharding_of(read.weight)));
}

/* steps of training: each is complete or not there, and the newest three are kept */
static void checkpoints(tsr_ctx *ctx, tsr_mesh *mesh, const char *folder)
{
	linear w = {0};
	char path[512];

	inside(path, folder, "run");
	const int64_t next = tsr_checkpoint_latest(ctx, path) + 1; /* 0: there is none yet */
	tsr_set(&w.weight, tsr_put(tsr_zeros(ctx, D(8, 4)), mesh, P("x", NULL)));
	tsr_set(&w.bias, tsr_put(tsr_zeros(ctx, D(4)), mesh, P()));
	for (int64_t step = next; step < next + 5; step++) {
		TSR_SCOPE(ctx);
		tsr_set(&w.bias, tsr_add(w.bias, 1));
		tsr_checkpoint_save(path, step, TSR_TREE(linear, &w), .async = true, .keep = 3);
	}
	tsr_checkpoint_wait(ctx);
	tsr_set(&w.bias, tsr_zeros_like(w.bias));
	tsr_checkpoint_load(path, tsr_checkpoint_latest(ctx, path), TSR_TREE(linear, &w));
	tsr_print(w.bias);
	tsr_drop_tree(TSR_TREE(linear, &w));
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : ".";
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});

	one_array(ctx, folder);
	a_tree(ctx, mesh, folder);
	checkpoints(ctx, mesh, folder);
	return tsr_close(ctx);
}
