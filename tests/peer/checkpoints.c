/* checkpoints.c - saves leaves of each dtype, cut over three meshes, for run_checkpoints.py:
 * checkpoints FOLDER
 *
 * Byte i of leaf k is the highest one of (i + 977 k + 1) * 2654435761, of 32 bits; of a bool the
 * highest bit. */
#include <stdlib.h>
#include <tsr/tsr.h>

enum { DTYPES = 14, SHAPES = 4, LEAVES = DTYPES * SHAPES };
static const tsr_dtype dtypes[DTYPES] = {TSR_BOOL, TSR_I8,  TSR_I16, TSR_I32, TSR_I64,
                                         TSR_U8,   TSR_U16, TSR_U32, TSR_U64, TSR_F16,
                                         TSR_BF16, TSR_F32, TSR_F64, TSR_C64};

static tsr *leaf(tsr_ctx *ctx, uint32_t k, tsr_dtype dtype, tsr_dims dims)
{
	size_t bytes = tsr_dtype_size(dtype);

	for (int d = 1; d < dims.d[0]; d++) bytes *= (size_t)dims.d[d];
	unsigned char *data = malloc(bytes + 1);
	if (!data) return NULL;
	for (size_t i = 0; i < bytes; i++)
		data[i] = (unsigned char)(((uint32_t)i + 977 * k + 1) * 2654435761u >>
		                          (dtype == TSR_BOOL ? 31 : 24));
	tsr *x = tsr_from(ctx, (const void *)data, dtype, dims);
	free(data);
	return x;
}

static bool save(const char *folder, int step, tsr_ctx *ctx, const tsr_mesh *mesh,
                 const tsr_spec *spec)
{
	const tsr_dims dims[SHAPES] = {TSR_DIMS(8, 6), TSR_DIMS(5, 7), TSR_DIMS(300, 1001),
	                               TSR_DIMS(0, 3)};
	tsr *x[LEAVES];

	for (uint32_t k = 0; k < LEAVES; k++)
		x[k] = tsr_put(leaf(ctx, k, dtypes[k % DTYPES], dims[k / DTYPES]), mesh, *spec);
	return tsr_checkpoint_save(folder, step, TSR_LEAVES(x, LEAVES));
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	tsr_ctx *ctx = tsr_open(.devices = 8);
	const tsr_spec rows = TSR_SPEC("x"), both = TSR_SPEC("y", "x"),
		       columns = TSR_SPEC(NULL, "y*x");

	save(argv[1], 0, ctx, tsr_mesh_make(ctx, {"x", 8}), &rows);
	save(argv[1], 1, ctx, tsr_mesh_make(ctx, {"x", 4}, {"y", 2}), &both);
	save(argv[1], 2, ctx, tsr_mesh_make(ctx, {"x", 2}, {"y", 3}), &columns);
	return tsr_close(ctx);
}
