/* list.c - lists the arrays of a file as text.
 *
 *     layer[0].kernel  f32[4,6]  96 bytes
 *     scale            f32[]     4 bytes */
#include "lib/files/files.h"

static void put_type_of(str *s, const stored *of)
{
	str_put(s, of->dtype ? tsr_dtype_name(of->dtype) : of->own);
	str_put(s, "[");
	str_dims(s, of->dims, of->ndim);
	str_put(s, "]");
}

/* a name as it is, or with escapes where a terminal would obey it */
static void put_name(str *s, const char *name)
{
	str quoted = {.base = s->base};

	json_text(&quoted, name);
	const bool plain = !quoted.lost && strlen(name) + 2 == quoted.len;
	str_put(s, plain ? name : quoted.lost ? "?" : quoted.s);
	str_free(&quoted);
}

/* lines of a table: each text is given a column that is as wide as its longest */
static void put_padded(str *s, const char *text, size_t width)
{
	str_put(s, text);
	str_many(s, " ", (int64_t)(width - strlen(text)));
}

static bool put_arrays(str *out, archive *a)
{
	base *b = out->base;
	str *cell = mem_array(b, 2 * a->n + 1, sizeof *cell);
	size_t width[2] = {0, 0};
	bool ok = cell;

	if (!a->n) str_put(out, "no arrays\n");
	for (size_t i = 0; ok && i < a->n; i++) {
		stored *of = a->array[i];
		cell[2 * i].base = cell[2 * i + 1].base = b;
		if (!(ok = archive_know(a, of))) break;
		put_name(&cell[2 * i], of->name);
		put_type_of(&cell[2 * i + 1], of);
		for (size_t k = 0; k < 2; k++) {
			ok = ok && !cell[2 * i + k].lost;
			if (cell[2 * i + k].len > width[k]) width[k] = cell[2 * i + k].len;
		}
	}
	for (size_t i = 0; ok && i < a->n; i++) {
		for (size_t k = 0; k < 2; k++) {
			put_padded(out, cell[2 * i + k].s, width[k]);
			str_put(out, width[k] ? "  " : "");
		}
		str_printf(out, "%zu bytes%s\n", a->array[i]->bytes,
		           a->array[i]->packed ? ", packed" : "");
	}
	for (size_t i = 0; cell && i < 2 * a->n; i++) str_free(&cell[i]);
	mem_free(b, cell);
	return ok;
}

const char *tsr_file_text_at(const char *where, tsr_ctx *ctx, const char *path)
{
	TURN_OF(ctx, where, "");

	if (!ctx_ok(where, "file_text", ctx)) return "";
	base *b = &ctx->base;
	archive a = {.file = {.base = b, .where = where, .op = "file_text", .path = path,
	                      .fd = -1},
	             .type = archive_type_of(b, where, "file_text", path, true)};
	str s = {.base = b};
	if (!a.type) return "";
	const bool ok = file_open(&a.file) && archive_open(&a) && put_arrays(&s, &a);
	archive_close(&a);
	if (ok) return scope_text(ctx, &s);
	str_free(&s);
	return "";
}
