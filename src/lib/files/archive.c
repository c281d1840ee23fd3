/* archive.c - files that hold arrays by name, whatever their format. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/files/files.h"

static const archive_type *const types[] = {&npz_type, &safetensors_type, &npy_type};

static bool ends_in(const char *path, const char *ending)
{
	const size_t n = strlen(path), m = strlen(ending);

	return n >= m && strcmp(path + n - m, ending) == 0;
}

const archive_type *archive_type_of(base *b, const char *where, const char *op, const char *path,
                                    bool of_one)
{
	if (!path) {
		fail(b, where, TSR_ERROR_ARGUMENT, "%s: the path is NULL", op);
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (ends_in(path, types[i]->ending) && (of_one || types[i]->save)) return types[i];
	fail(b, where, TSR_ERROR_ARGUMENT,
	     "%s: %s: the name of the file must end in %s.npz or .safetensors, which says what is "
	     "in it",
	     op, path, of_one ? ".npy, " : "");
	return NULL;
}

/* ---- names, which others may have chosen */

/* a name in quotes, with escapes, and cut where it is long */
static void put_name(str *s, const char *name)
{
	enum { MOST = 100 };
	str all = {.base = s->base};

	json_text(&all, name);
	if (!all.lost && all.len > MOST) {
		str_putn(s, all.s, MOST);
		str_put(s, "...\"");
	} else {
		str_put(s, all.lost ? "\"?\"" : all.s);
	}
	str_free(&all);
}

bool archive_fail(const archive *a, const stored *of, tsr_code code, const char *format, ...)
{
	const file_reader *f = &a->file;
	const size_t mark = error_mark(f->base);
	str name = {.base = f->base};
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (of) {
		str_put(&name, "the array ");
		put_name(&name, of->name);
		str_put(&name, ": ");
	}
	if (!failed_since(f->base, mark))
		fail(f->base, f->where, code, "%s: %s: %s%s", f->op, f->path,
		     name.s ? name.s : "", text);
	str_free(&name);
	return false;
}

static bool has_name(const void *entry, const void *name)
{
	return strcmp(((const stored *)entry)->name, name) == 0;
}

stored *archive_add(archive *a, const char *name)
{
	stored *of = arena_alloc(a->arena, sizeof *of);
	const uint64_t hash = hash_str(name, 0);

	if (!of || !(of->name = arena_str(a->arena, name))) return NULL;
	if (table_find(&a->names, hash, has_name, name)) {
		archive_fail(a, of, TSR_ERROR_FILE, "the file has two of this name");
		return NULL;
	}
	if (!table_add(&a->names, hash, of) ||
	    !mem_room(a->file.base, (void **)&a->array, a->n, &a->cap, sizeof *a->array))
		return NULL;
	return a->array[a->n++] = of;
}

/* "; it has "a", "b" and 7 others" */
static void put_names(str *s, const archive *a)
{
	enum { SOME = 5 };

	str_put(s, a->n ? "; it has " : "; it has none");
	for (size_t i = 0; i < a->n && i < SOME; i++) {
		if (i) str_put(s, i + 1 == a->n ? " and " : ", ");
		put_name(s, a->array[i]->name);
	}
	if (a->n > SOME) str_printf(s, " and %zu others", a->n - SOME);
}

stored *archive_find(archive *a, const char *name)
{
	stored *of = table_find(&a->names, hash_str(name, 0), has_name, name);
	base *b = a->file.base;

	if (of) return archive_know(a, of) ? of : NULL;
	str wanted = {.base = b}, names = {.base = b};
	put_name(&wanted, name);
	put_names(&names, a);
	fail(b, a->file.where, TSR_ERROR_FILE, "%s: %s: no array has the name %s%s", a->file.op,
	     a->file.path, wanted.s ? wanted.s : "?", names.s ? names.s : "");
	str_free(&wanted);
	str_free(&names);
	return NULL;
}

bool archive_know(archive *a, stored *of)
{
	of->known = of->known || !a->type->look || a->type->look(a, of);
	return of->known;
}

/* ---- open and close */

bool archive_open(archive *a)
{
	a->names = (table){.base = a->file.base};
	if (!(a->arena = arena_make(a->file.base))) return false;
	if (!a->file.regular && !a->file.mapped)
		return archive_fail(a, NULL, TSR_ERROR_FILE,
		                    "it must be a regular file, of which any part can be read");
	return a->type->open(a);
}

void archive_close(archive *a)
{
	if (a->own) a->type->close(a);
	table_free(&a->names, NULL);
	mem_free(a->file.base, a->array);
	arena_free(a->arena);
	file_close(&a->file);
}

/* ---- what is in it */

static int by_begin(const void *x, const void *y)
{
	const stored *a = *(const stored *const *)x, *b = *(const stored *const *)y;

	if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

bool archive_is_disjoint(archive *a)
{
	stored **sorted = mem_array(a->file.base, a->n + 1, sizeof *sorted);
	size_t n = 0, end = 0;
	bool ok = sorted;

	for (size_t i = 0; ok && i < a->n; i++)
		if (a->array[i]->known) sorted[n++] = a->array[i];
	if (n) qsort(sorted, n, sizeof *sorted, by_begin);
	for (size_t i = 0; ok && i < n; i++) {
		ok = sorted[i]->begin >= end ||
		     archive_fail(a, sorted[i], TSR_ERROR_FILE,
		                  "it overlaps the array before it in the file");
		end = sorted[i]->end;
	}
	mem_free(a->file.base, sorted);
	return ok;
}

bool archive_has_dtype(const archive *a, const stored *of)
{
	return of->dtype || archive_fail(a, of, TSR_ERROR_UNSUPPORTED,
	                                 "its dtype, %s, is none of ours", of->own);
}

array *archive_array(archive *a, tsr_ctx *ctx, stored *of, bool turned, const sharding *s,
                     bool committed)
{
	char *unpacked = of->packed ? a->type->unpack(a, of) : NULL;
	if (of->packed && !unpacked) return NULL;
	stored now = *of;
	now.unpacked = unpacked;
	array *x = stored_array(ctx, &a->file, &now, turned, s, committed);
	mem_free(a->file.base, unpacked);
	return x;
}
