/* safetensors.c - the format of files named .safetensors, as the library of that name reads and
 * writes it.
 *
 * A file is the length of its header (64 bits, little endian), the header, and the elements of all
 * arrays, one behind the other. The header is JSON:
 *
 *     {"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"__metadata__":{"format":"pt"}}
 *
 * Offsets count from the end of the header. Together the arrays cover all bytes behind it, without
 * gaps. We write the larger elements first, and spaces behind the header up to a multiple of 64
 * bytes: then each array is aligned to its elements where the file is mapped. c128 has no name in
 * this format. */
#include <stdlib.h>
#include "lib/files/files.h"

static const struct dtype_name {
	tsr_dtype dtype;
	const char *name;
} dtype_names[] = {
	{TSR_BOOL, "BOOL"}, {TSR_I8, "I8"},   {TSR_I16, "I16"}, {TSR_I32, "I32"},
	{TSR_I64, "I64"},   {TSR_U8, "U8"},   {TSR_U16, "U16"}, {TSR_U32, "U32"},
	{TSR_U64, "U64"},   {TSR_F16, "F16"}, {TSR_BF16, "BF16"}, {TSR_F32, "F32"},
	{TSR_F64, "F64"},   {TSR_C64, "C64"},
};

const char *safetensors_dtype(tsr_dtype dtype)
{
	for (size_t i = 0; i < ARRAY_LEN(dtype_names); i++)
		if (dtype_names[i].dtype == dtype) return dtype_names[i].name;
	return NULL;
}

tsr_dtype safetensors_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(dtype_names); i++)
		if (strcmp(dtype_names[i].name, name) == 0) return dtype_names[i].dtype;
	return TSR_DTYPE_DEFAULT;
}

/* ---- reading: the header, which nobody believes */

#ifdef TSR_JANSSON
#include <jansson.h>

/* as in the library of the format */
enum { LENGTH = 8, HEADER_MAX = 100000000 };

static bool wrong(const archive *a, const stored *of, const char *what)
{
	return archive_fail(a, of, TSR_ERROR_FILE, "%s", what);
}

static bool read_shape(archive *a, stored *of, const json_t *shape)
{
	const size_t n = json_array_size(shape);
	int64_t *dims = arena_array(a->arena, n + 1, sizeof *dims);

	if (!dims) return false;
	if (!json_is_array(shape)) return wrong(a, of, "its shape is not a list");
	if (n > MAX_NDIM)
		return archive_fail(a, of, TSR_ERROR_FILE, "its shape has more than %d dims",
		                    MAX_NDIM);
	for (size_t i = 0; i < n; i++) {
		const json_t *dim = json_array_get(shape, i);
		if (!json_is_integer(dim) || json_integer_value(dim) < 0)
			return wrong(a, of, "a dim of its shape is no number from 0 to 2^63 - 1");
		dims[i] = json_integer_value(dim);
	}
	of->ndim = (int)n;
	of->dims = dims;
	return true;
}

static bool read_dtype(archive *a, stored *of, const json_t *dtype)
{
	if (!json_is_string(dtype)) return wrong(a, of, "its dtype is not a text");
	of->dtype = safetensors_named(json_string_value(dtype));
	str shown = {.base = a->file.base}; /* in quotes, which go */
	json_text(&shown, json_string_value(dtype));
	char *own = shown.lost ? NULL : arena_str(a->arena, shown.s + 1);
	if (own) own[shown.len - 2] = 0;
	str_free(&shown);
	of->own = own;
	return own;
}

/* data: how many bytes all arrays have */
static bool read_offsets(archive *a, stored *of, const json_t *offsets, size_t data)
{
	const json_t *begin = json_array_get(offsets, 0), *end = json_array_get(offsets, 1);

	if (json_array_size(offsets) != 2 || !json_is_integer(begin) || !json_is_integer(end))
		return wrong(a, of, "its data_offsets are not two numbers");
	const json_int_t from = json_integer_value(begin), to = json_integer_value(end);
	if (from < 0 || to < from)
		return wrong(a, of, "its data_offsets are not a beginning and an end");
	if ((uint64_t)to > data)
		return archive_fail(a, of, TSR_ERROR_FILE,
		                    "it ends at byte %lld of the data, which has %zu",
		                    (long long)to, data);
	of->begin = (size_t)from;
	of->end = (size_t)to;
	of->bytes = (size_t)(to - from);
	return true;
}

static bool read_array(archive *a, const char *name, const json_t *entry, size_t header,
                       size_t data)
{
	stored *of = archive_add(a, name);
	int64_t bytes;

	if (!of) return false;
	if (!json_is_object(entry)) return wrong(a, of, "what the header says of it is no object");
	if (!read_dtype(a, of, json_object_get(entry, "dtype")) ||
	    !read_shape(a, of, json_object_get(entry, "shape")) ||
	    !read_offsets(a, of, json_object_get(entry, "data_offsets"), data))
		return false;
	of->offset = header + of->begin;
	of->known = true;
	if (!of->dtype) return true;
	if (!dims_bytes(of->dtype, of->dims, of->ndim, &bytes))
		return wrong(a, of, "an array of its shape is too large");
	return (size_t)bytes == of->bytes ||
	       archive_fail(a, of, TSR_ERROR_FILE,
	                    "its shape needs %lld bytes, and it has %zu in the file",
	                    (long long)bytes, of->bytes);
}

static bool read_metadata(archive *a, json_t *metadata)
{
	const char *key;
	json_t *value;

	if (!json_is_object(metadata)) return wrong(a, NULL, "__metadata__ is no object");
	if (!(a->note = arena_array(a->arena, json_object_size(metadata) + 1, sizeof *a->note)))
		return false;
	json_object_foreach(metadata, key, value) {
		text_pair *to = &a->note[a->nnotes++];
		if (!json_is_string(value))
			return wrong(a, NULL, "__metadata__ has a value that is not a text");
		to->key = arena_str(a->arena, key);
		to->text = arena_str(a->arena, json_string_value(value));
		if (!to->key || !to->text) return false;
	}
	return true;
}

static int by_place(const void *x, const void *y)
{
	const stored *a = *(const stored *const *)x, *b = *(const stored *const *)y;

	if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* puts the arrays in the order of their places, and checks that they cover the data */
static bool covers(archive *a, size_t data)
{
	size_t end = 0;

	if (a->n) qsort(a->array, a->n, sizeof(stored *), by_place);
	for (size_t i = 0; i < a->n; i++) {
		const stored *of = a->array[i];
		if (of->begin != end)
			return wrong(a, of, of->begin < end ? "it overlaps the one before it"
			                                    : "there is a hole in front of it");
		end = of->end;
	}
	return end == data || archive_fail(a, NULL, TSR_ERROR_FILE,
	                                   "the arrays cover %zu of the %zu bytes of data", end,
	                                   data);
}

static bool read_header(archive *a, json_t *root, size_t header, size_t data)
{
	const char *key;
	json_t *value;

	if (!json_is_object(root)) return wrong(a, NULL, "the header is no JSON object");
	json_object_foreach(root, key, value)
		if (strcmp(key, "__metadata__") == 0 ? !read_metadata(a, value)
		                                     : !read_array(a, key, value, header, data))
			return false;
	return covers(a, data);
}

/* the text of the error without the part of the file that it quotes */
static bool refuse_json(const archive *a, json_error_t *e)
{
	char *quote = strstr(e->text, " near '");

	if (json_error_code(e) == json_error_out_of_memory)
		return archive_fail(a, NULL, TSR_ERROR_MEMORY, "no memory for its header");
	if (quote) *quote = 0;
	return archive_fail(a, NULL, TSR_ERROR_FILE, "byte %d of the header: %s", e->position,
	                    e->text);
}

static bool open_safetensors(archive *a)
{
	file_reader *f = &a->file;
	const unsigned char *first =
		f->size < LENGTH ? NULL : file_part(f, 0, LENGTH, NULL);
	uint64_t length = 0;
	json_error_t error;

	if (f->size < LENGTH)
		return wrong(a, NULL, "it is too short for a .safetensors file");
	if (!first) return false;
	for (int i = LENGTH; i-- > 0;) length = length << 8 | first[i];
	if (length > HEADER_MAX || length > f->size - LENGTH)
		return archive_fail(a, NULL, TSR_ERROR_FILE,
		                    "a header of %llu bytes is too large for it",
		                    (unsigned long long)length);
	const char *text = file_part(f, LENGTH, (size_t)length, NULL);
	if (!text) return false;
	if (!length || *text != '{')
		return wrong(a, NULL, "the header does not begin with {");
	json_t *root = json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &error);
	const size_t header = LENGTH + (size_t)length;
	const bool ok = root ? read_header(a, root, header, f->size - header)
	                     : refuse_json(a, &error);
	json_decref(root);
	return ok;
}
#else
static bool open_safetensors(archive *a)
{
	return archive_fail(a, NULL, TSR_ERROR_UNSUPPORTED,
	                    "this library was built without Jansson, which reads .safetensors");
}
#endif

/* ---- writing */

static const char *fault_safetensors(const saved *x)
{
	if (!safetensors_dtype(x->of->type->dtype)) return "the format has no c128; .npz has";
	return strcmp(x->name, "__metadata__") == 0 ? "the format has another use of this name"
	                                            : NULL;
}

/* arrays of equal elements stay in their order */
static int larger_first(const void *x, const void *y)
{
	const saved *a = *(const saved *const *)x, *b = *(const saved *const *)y;
	const size_t na = tsr_dtype_size(a->of->type->dtype);
	const size_t nb = tsr_dtype_size(b->of->type->dtype);

	return na != nb ? (na > nb ? -1 : 1) : a < b ? -1 : a > b;
}

static void put_header(str *s, saved *const *sorted, size_t n)
{
	size_t at = 0;

	str_put(s, "{");
	for (size_t i = 0; i < n; i++) {
		const saved *x = sorted[i];
		if (i) str_put(s, ",");
		json_text(s, x->name);
		str_printf(s, ":{\"dtype\":\"%s\",\"shape\":[",
		           safetensors_dtype(x->of->type->dtype));
		str_dims(s, x->dims, x->of->type->ndim);
		str_printf(s, "],\"data_offsets\":[%zu,%zu]}", at, at + x->bytes);
		at += x->bytes;
	}
	str_put(s, "}");
	while (!s->lost && (s->len + 8) % 64) str_put(s, " ");
}

static bool put_length(file_writer *w, uint64_t length)
{
	unsigned char bytes[8];

	for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(length >> 8 * i);
	return file_put(w, bytes, sizeof bytes);
}

static bool save_safetensors(saving *s, file_writer *w)
{
	base *b = &s->ctx->base;
	saved **sorted = mem_array(b, s->n + 1, sizeof *sorted);
	str header = {.base = b};

	for (size_t i = 0; sorted && i < s->n; i++) sorted[i] = &s->array[i];
	if (sorted && s->n) qsort(sorted, s->n, sizeof *sorted, larger_first);
	if (sorted) put_header(&header, sorted, s->n);
	bool ok = sorted && !header.lost && put_length(w, header.len) &&
	          file_put(w, header.s, header.len);
	for (size_t i = 0; ok && i < s->n; i++) {
		const void *bytes = saved_bytes(s, sorted[i]);
		ok = bytes && file_put(w, bytes, sorted[i]->bytes);
	}
	str_free(&header);
	mem_free(b, sorted);
	return ok;
}

const archive_type safetensors_type = {.ending = ".safetensors",
                                       .open = open_safetensors,
                                       .fault = fault_safetensors,
                                       .save = save_safetensors};
