/* device_values.c - the public table of what each device of a mesh holds of an array.
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
 * Columns are equally wide in all of them. */
#include <stdio.h>
#include "lib/host.h"
#include "lib/lib.h"
#include "lib/pictures/pictures.h"

typedef struct device_table {
	call_site site;
	const tsr_shards_args *a;
	array *x;
	const mesh *mesh; /* NULL: x is on one device */
	int64_t *holder;  /* by device id: 1 + the number of its shard of x */
	grid cells;
	str text;
} device_table;

static int64_t device_of_cell(const device_table *t, int64_t i)
{
	return t->mesh ? t->mesh->device[i] : t->x->sharding->device;
}

/* Finds each cell's shard. false: recorded: the mesh is not over the devices of x */
static bool find_holders(device_table *t)
{
	const sharding *s = t->x->sharding;
	base *b = &t->site.ctx->base;
	const int64_t n = sharding_ndevices(s);
	bool same = !t->mesh || t->mesh->size == n;

	t->holder = mem_array(b, (size_t)t->site.ctx->ndevices, sizeof *t->holder);
	if (!t->holder) return false;
	for (int64_t k = 0; k < n; k++) t->holder[sharding_device(s, k)] = 1 + k;
	for (int64_t i = 0; same && i < n; i++) same = t->holder[device_of_cell(t, i)];
	if (same) return true;
	str of_mesh = {.base = b}, of_x = {.base = b};
	devices_text(&of_mesh, t->mesh->device, t->mesh->size);
	devices_text(&of_x, sharding_devices(s), n);
	fail(b, t->site.where, TSR_ERROR_SHARDING,
	     "%s: .mesh is over the devices %s and the array over %s; give a mesh over those",
	     t->site.op, of_mesh.s ? of_mesh.s : "?", of_x.s ? of_x.s : "?");
	str_free(&of_mesh);
	str_free(&of_x);
	return false;
}

/* the mesh that arranges the cells. false: recorded */
static bool choose_mesh(device_table *t)
{
	const mesh *given = t->a->mesh;

	t->mesh = given ? given : t->x->sharding->mesh;
	if (!given) return true;
	if (!mesh_ok(t->site.where, t->site.op, given)) return false;
	return given->ctx == t->site.ctx ||
	       fail(&t->site.ctx->base, t->site.where, TSR_ERROR_HANDLE,
	            "%s: .mesh belongs to another context than the array", t->site.op);
}

static bool fill_cell(device_table *t, int64_t i, const text_options *o)
{
	const int64_t device = device_of_cell(t, i), k = t->holder[device] - 1;
	str *cell = &t->cells.cell[i];

	if (t->a->devices) str_printf(cell, "cpu:%lld\n\n", (long long)device);
	if (array_shard(t->x, k)) {
		array *piece = shard_piece(t->x, k);
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
	const mesh *m = t->mesh;

	for (int a = 0; a < m->naxes - 2; a++)
		str_printf(&t->text, a ? " %s=%lld" : "%s=%lld", m->axis[a].name,
		           (long long)mesh_coordinate(m, row * t->cells.columns, a));
	str_put(&t->text, "\n");
}

static void draw_tables(device_table *t)
{
	const int naxes = t->mesh ? t->mesh->naxes : 0;
	const int64_t rows = naxes > 1 ? t->mesh->axis[naxes - 2].size : 1;

	grid_measure(&t->cells);
	for (int64_t row = 0; row < t->cells.rows; row += rows) {
		if (naxes > 2) put_place(t, row);
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
	if (!t->x || !choose_mesh(t)) return false;
	const mesh *m = t->mesh;
	const int64_t n = sharding_ndevices(t->x->sharding);
	const int64_t columns = m ? m->axis[m->naxes - 1].size : 1;
	bool ok = find_holders(t) && grid_make(b, &t->cells, n / columns, columns);
	for (int64_t i = 0; ok && i < n; i++) ok = fill_cell(t, i, &o);
	if (ok) draw_tables(t);
	grid_free(b, &t->cells);
	mem_free(b, t->holder);
	return ok && !t->text.lost;
}

void tsr_show_shards_at(const char *where, const tsr *x, const tsr_shards_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, );
	const tsr_shards_args *a = KEYWORDS(tsr_shards_args, where, tsr_ctx_of(x), given);
	if (!a) return;
	device_table t = {.site = {.where = where, .op = "show_shards"}, .a = a};

	if (make_table(&t, x)) fputs(t.text.s, stdout);
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
