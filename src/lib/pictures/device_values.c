/* device_values.c - prints the public table of the values that each device of a mesh holds of an
 * array.
 *
 * The mesh arranges the cells as NumPy would print the array of its devices: its last axis goes
 * right, the one before it down, and for each place along the others there is a table of its own,
 * with the place above it. tsr_arange(ctx, 4), cut over a and c of a mesh a:2, b:1, c:2, is
 *
 *     a=0
 *     ╒═════╤═════╕
 *     │ [0] │ [1] │
 *     ╘═════╧═════╛
 *     a=1
 *     ╒═════╤═════╕
 *     │ [2] │ [3] │
 *     ╘═════╧═════╛
 *
 * Columns are equally wide in all of them. Where nobody named the axes, in positional shardings,
 * the dims of the grid take their place, and the devices of a set are beside each other. */
#include <stdio.h>
#include "lib/host.h"
#include "lib/lib.h"
#include "lib/pictures/pictures.h"

typedef struct device_table {
	call_site site;
	const tsr_shards_args *a;
	array *x;
	char *whole;               /* the bytes of .whole, or NULL, */
	int64_t strides[MAX_NDIM]; /* and of their elements, in elements */
	int64_t start[MAX_NDIM];   /* of the piece that is cut from it */
	/* how cells are arranged: axes of the mesh, or if that is NULL dims of the grid */
	const mesh *mesh;
	int naxes;
	int64_t size[MAX_NDIM], ncells;
	int64_t *device; /* of each cell */
	int64_t *holder; /* by device id: 1 + the number of its shard of x */
	grid cells;
	str text;
} device_table;

/* ---- where the cells are. false: recorded */

static bool arrange_by_mesh(device_table *t, const mesh *m)
{
	t->mesh = m;
	t->ncells = m->size;
	t->naxes = m->naxes;
	for (int a = 0; a < m->naxes; a++) t->size[a] = m->axis[a].size;
	t->device = mem_array(&t->site.ctx->base, (size_t)m->size, sizeof *t->device);
	if (t->device) memcpy(t->device, m->device, (size_t)m->size * sizeof *t->device);
	return t->device;
}

/* a positional sharding, or one device, which is a grid of no dims */
static bool arrange_by_grid(device_table *t, const sharding *s)
{
	int64_t nsets = 1;

	t->ncells = sharding_ndevices(s);
	t->naxes = s->spec.ndim;
	for (int d = 0; d < t->naxes; d++) nsets *= t->size[d] = sharding_parts(s, d);
	const int64_t each = t->ncells / nsets;
	if (t->naxes) t->size[t->naxes - 1] *= each;
	t->device = mem_array(&t->site.ctx->base, (size_t)t->ncells, sizeof *t->device);
	for (int64_t k = 0; t->device && k < t->ncells; k++) {
		int64_t set = 0;
		for (int d = 0; d < t->naxes; d++)
			set = set * sharding_parts(s, d) + sharding_part(s, d, k);
		t->device[set * each + sharding_replica(s, k)] = sharding_device(s, k);
	}
	return t->device;
}

static bool arrange(device_table *t)
{
	const mesh *given = t->a->mesh;
	const sharding *s = t->x->sharding;

	if (!given)
		return s->mesh && !sharding_is_positional(s) ? arrange_by_mesh(t, s->mesh)
		                                             : arrange_by_grid(t, s);
	if (!mesh_ok(t->site.where, t->site.op, given)) return false;
	if (given->ctx != t->site.ctx)
		return fail_op(&t->site, TSR_ERROR_HANDLE,
		               ".mesh belongs to another context than the array");
	return arrange_by_mesh(t, given);
}

/* Finds each cell's shard. false: recorded: the mesh is not over the devices of x */
static bool find_holders(device_table *t)
{
	const sharding *s = t->x->sharding;
	base *b = &t->site.ctx->base;
	const int64_t n = sharding_ndevices(s);
	bool same = t->ncells == n;

	t->holder = mem_array(b, (size_t)t->site.ctx->ndevices, sizeof *t->holder);
	if (!t->holder) return false;
	for (int64_t k = 0; k < n; k++) t->holder[sharding_device(s, k)] = 1 + k;
	for (int64_t i = 0; same && i < n; i++) same = t->holder[t->device[i]];
	if (same) return true;
	str of_mesh = {.base = b}, of_x = {.base = b};
	devices_text(&of_mesh, t->device, t->ncells);
	devices_text(&of_x, sharding_devices(s), n);
	fail_op(&t->site, TSR_ERROR_SHARDING,
	        ".mesh is over the devices %s and the array over %s; give a mesh over those",
	        of_mesh.s ? of_mesh.s : "?", of_x.s ? of_x.s : "?");
	str_free(&of_mesh);
	str_free(&of_x);
	return false;
}

/* ---- what the cells show: shards, or pieces of the same form cut from .whole */

/* false: recorded */
static bool read_whole(device_table *t)
{
	const type *is = t->x->type;
	array *whole = t->a->whole ? array_checked(&t->site, t->a->whole) : NULL;
	base *b = &t->x->ctx->base;

	if (!t->a->whole) return true;
	if (!whole) return false;
	if (whole->type != is)
		return fail(b, t->site.where, TSR_ERROR_TYPE,
		            "%s: .whole is another array than x: its dtype or its dims are others",
		            t->site.op);
	dims_strides(is->dims, is->ndim, t->strides);
	t->whole = mem_alloc(b, (size_t)array_bytes(whole) + 1);
	return t->whole && array_to_host(t->site.where, whole, t->whole, NULL);
}

static const void *piece_of_whole(void *of, const int64_t *start, const int64_t *stop,
                                  int64_t *strides)
{
	const device_table *t = of;
	const int ndim = t->x->type->ndim;
	const int64_t item = (int64_t)tsr_dtype_size(t->x->type->dtype);
	int64_t at = 0;

	(void)start, (void)stop; /* all of the piece */
	for (int d = 0; d < ndim; d++) {
		strides[d] = t->strides[d] * item;
		at += t->start[d] * strides[d];
	}
	return t->whole + at;
}

static array *cut_piece(device_table *t, int64_t k)
{
	tsr_ctx *ctx = t->site.ctx;
	const type *is = t->x->type;
	const sharding *home = sharding_one(&ctx->shards, t->site.where, ctx->home);
	int64_t dims[MAX_NDIM];

	sharding_box(t->x->sharding, is->dims, is->ndim, k, t->start, dims);
	for (int d = 0; d < is->ndim; d++) dims[d] -= t->start[d];
	const type *part = type_make(&ctx->ir, is->dtype, dims, is->ndim, 0);
	return part && home ? array_from_boxes(ctx, part, piece_of_whole, t, home, false) : NULL;
}

/* ---- the cells */

static bool fill_cell(device_table *t, int64_t i, const text_options *o)
{
	const int64_t device = t->device[i], k = t->holder[device] - 1;
	str *cell = &t->cells.cell[i];

	if (t->a->devices) str_printf(cell, "cpu:%lld\n\n", (long long)device);
	if (t->whole || array_shard(t->x, k)) {
		array *piece = t->whole ? cut_piece(t, k) : shard_piece(t->x, k);
		if (piece) array_put_text(cell, piece, o);
		cell->lost |= !piece;
		array_release(piece);
	} else {
		str_put(cell, "(in another process)");
	}
	return !cell->lost;
}

/* where the table that begins with a row is along the axes but the last two: "a=0 b=1" */
static void put_place(device_table *t, int64_t row)
{
	int64_t after = t->cells.rows; /* how many rows a step along the axis has */

	for (int a = 0; a < t->naxes - 2; a++) {
		after /= t->size[a];
		if (a) str_put(&t->text, " ");
		if (t->mesh)
			str_put(&t->text, t->mesh->axis[a].name);
		else
			str_printf(&t->text, "dim %d", a);
		str_printf(&t->text, "=%lld", (long long)(row / after % t->size[a]));
	}
	str_put(&t->text, "\n");
}

static void draw_tables(device_table *t)
{
	const int64_t rows = t->naxes > 1 ? t->size[t->naxes - 2] : 1;

	grid_measure(&t->cells);
	for (int64_t row = 0; row < t->cells.rows; row += rows) {
		if (t->naxes > 2) put_place(t, row);
		grid_draw(&t->text, &t->cells, row, rows);
	}
}

/* false: recorded */
static bool make_table(device_table *t, const tsr *x)
{
	const tsr_shards_args *a = t->a;
	const text_options o = text_options_of(a->precision, a->linewidth, a->threshold);

	t->x = array_checked(&t->site, x);
	base *b = t->text.base = &t->site.ctx->base;
	if (!t->x) error_log_once(b);
	bool ok = t->x && read_whole(t) && arrange(t) && find_holders(t);
	const int64_t columns = t->naxes ? t->size[t->naxes - 1] : 1;
	ok = ok && grid_make(b, &t->cells, t->ncells / columns, columns);
	for (int64_t i = 0; ok && i < t->ncells; i++) ok = fill_cell(t, i, &o);
	if (ok) draw_tables(t);
	grid_free(b, &t->cells);
	mem_free(b, t->holder);
	mem_free(b, t->device);
	mem_free(b, t->whole);
	return ok && !t->text.lost;
}

void tsr_show_shards_at(const char *where, const tsr *x, const tsr_shards_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, );
	const tsr_shards_args *a = KEYWORDS(tsr_shards_args, where, tsr_ctx_of(x), given);
	if (!a) return;
	device_table t = {.site = {.where = where, .op = "show_shards"}, .a = a};

	if (make_table(&t, x))
		print_in(t.site.ctx, process_of_least(t.x->sharding), a->all, t.text.s);
	str_free(&t.text);
}

const char *tsr_shards_text_at(const char *where, const tsr *x, const tsr_shards_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, "");
	const tsr_shards_args *a = KEYWORDS(tsr_shards_args, where, tsr_ctx_of(x), given);
	if (!a) return "";
	device_table t = {.site = {.where = where, .op = "shards_text"}, .a = a};

	if (make_table(&t, x)) return scope_text(t.site.ctx, &t.text);
	str_free(&t.text);
	return "";
}
