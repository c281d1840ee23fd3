/* svg.c - prints pictures as SVG, for check_svg.py: in front of each a line with its expected
 * contents, "rows columns devices". */
#include <stdio.h>
#include <tsr/tsr.h>
#define D TSR_DIMS
#define P TSR_P

static void put(int rows, int columns, const tsr_sharding *s, const char *svg)
{
	const tsr_mesh *m = tsr_sharding_mesh(s);

	printf("%d %d %lld\n%s", rows, columns, (long long)(m ? tsr_mesh_size(m) : 1), svg);
}

static void of(int rows, int columns, tsr_dims dims, const tsr_sharding *s)
{
	put(rows, columns, s, tsr_sharding_svg_of(dims, s));
}

static void of_arrays(tsr_ctx *ctx, const tsr_mesh *grid)
{
	tsr *x = tsr_put(tsr_zeros(ctx, D(8, 16)), grid, P("x", "y"));
	tsr *cube = tsr_put(tsr_zeros(ctx, D(8, 3, 16)), grid, P("x", NULL, "y"));

	put(4, 2, tsr_sharding_of(x), tsr_sharding_svg(x));
	put(2, 4, tsr_sharding_of(x), tsr_sharding_svg(x, .dims = D(1, 0)));
	put(4, 2, tsr_sharding_of(cube), tsr_sharding_svg(cube));
	put(1, 2, tsr_sharding_of(cube), tsr_sharding_svg(cube, .dims = D(-1)));
	put(1, 1, tsr_sharding_of(cube), tsr_sharding_svg(cube, .dims = D(1)));
}

/* names of 70 letters each: more than a line above the picture has */
static tsr_mesh *long_names(tsr_ctx *ctx)
{
#define TEN "abcdefghij"
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN
	return tsr_mesh_make(ctx, {SEVENTY "_1", 2}, {SEVENTY "_2", 2});
}

int main(void)
{
	const int64_t order[] = {0, 1, 2, 3, 6, 7, 4, 5};
	tsr_ctx *ctx = tsr_open(.devices = 1000);
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_mesh *large = tsr_mesh_make(ctx, {"x", 10}, {"y", 100});
	tsr_mesh *mixed =
		tsr_mesh_make_devices(ctx, order, 8, {"a_long_name_of_an_axis", 4}, {"y", 2});

	of_arrays(ctx, grid);
	of(1, 1, D(8, 4), tsr_sharding_device(ctx, 7));
	of(4, 1, D(1000, 1000), tsr_sharding_make(grid, P("x")));
	of(1, 8, D(16), tsr_sharding_make(grid, P("x*y")));
	of(1, 1, D(16, 16), tsr_sharding_make(grid, P()));
	of(4, 2, D(7, 3), tsr_sharding_make(grid, P("x", "y"))); /* short parts */
	of(4, 2, D(2, 8), tsr_sharding_make(grid, P("x", "y"))); /* empty ones */
	of(4, 2, D(0, 8), tsr_sharding_make(grid, P("x", "y"))); /* nothing else */
	of(4, 1, D(8, 4), tsr_sharding_make(mixed, P("a_long_name_of_an_axis")));
	of(4, 2, D(8, 8), tsr_sharding_positional(ctx, D(4, 2))); /* its text has many lines */
	of(1, 1, D(4), tsr_sharding_make(long_names(ctx), P()));
	of(4, 2, D(1000000007, 1 << 20), tsr_sharding_make(grid, P("x", "y")));
	of(2, 4, D(1, 1 << 20), tsr_sharding_make(grid, P("y", "x")));
	of(10, 1, D(100, 100), tsr_sharding_make(large, P("x")));
	of(10, 100, D(100, 100), tsr_sharding_make(large, P("x", "y")));
	of(1, 1000, D(1 << 20), tsr_sharding_make(large, P("y*x")));
	return tsr_close(ctx);
}
