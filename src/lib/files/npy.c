/* npy.c - arrays from and to .npy files. */
#include "lib/files/files.h"

/* to the first device */
static tsr *array_of_npy(tsr_ctx *ctx, file_reader *r, const npy *file)
{
	const stored of = {.dtype = file->dtype,
	                   .ndim = file->ndim,
	                   .dims = file->dims,
	                   .fortran = file->fortran,
	                   .swapped = file->swapped,
	                   .offset = file->offset,
	                   .bytes = file->bytes,
	                   .unpacked = r->mapped || r->regular ? NULL : r->bytes + file->offset};
	const sharding *s = sharding_one(&ctx->shards, r->where, ctx->home);

	return handle_of_array(ctx, s ? stored_array(ctx, r, &of, false, s, false) : NULL);
}

tsr *tsr_read_npy_at(const char *where, tsr_ctx *ctx, const void *bytes, size_t n)
{
	TURN_OF(ctx, where, poison_of(ctx));
	file_reader r = {.where = where, .op = "read_npy"};
	npy file;

	if (!ctx_ok(where, r.op, ctx)) return poison_of(ctx);
	if (!bytes && n)
		return refuse(&(call_site){ctx, where, r.op}, TSR_ERROR_ARGUMENT,
		              "read_npy: the bytes are NULL");
	r.base = &ctx->base;
	file_of_memory(&r, bytes ? bytes : "", n);
	return npy_parse(&ctx->base, where, r.op, r.bytes, n, &file) ? array_of_npy(ctx, &r, &file)
	                                                              : poison_of(ctx);
}

/* the header before anything behind it, and nothing behind the data */
static bool read_npy(file_reader *r, const char *name, npy *file)
{
	base *b = r->base;

	return file_open(r) && file_take(r, NPY_PREAMBLE) &&
	       file_take(r, npy_header_bytes(r->bytes, r->n)) &&
	       npy_parse_header(b, r->where, name, r->bytes, r->n, file) &&
	       (r->regular || file_take(r, file->offset + file->bytes)) &&
	       npy_has_data(b, r->where, name, file, r->regular ? r->size : r->n);
}

tsr *tsr_load_npy_at(const char *where, tsr_ctx *ctx, const char *path)
{
	TURN_OF(ctx, where, poison_of(ctx));
	npy file;

	if (!ctx_ok(where, "load_npy", ctx)) return poison_of(ctx);
	if (!path)
		return refuse(&(call_site){ctx, where, "load_npy"}, TSR_ERROR_ARGUMENT,
		              "load_npy: the path is NULL");
	base *b = &ctx->base;
	str name = {.base = b};
	file_reader r = {.base = b, .where = where, .op = "load_npy", .path = path, .fd = -1};
	str_printf(&name, "load_npy: %s", path);
	tsr *x = !name.lost && read_npy(&r, name.s, &file) ? array_of_npy(ctx, &r, &file)
	                                                   : poison_of(ctx);
	file_close(&r);
	str_free(&name);
	return x;
}

static bool write_npy(file_writer *w, const array *a, const str *header, const void *data)
{
	if (!file_begin(w)) return false;
	file_put(w, header->s, header->len);
	file_put(w, data, (size_t)array_bytes(a));
	return file_end(w, true);
}

bool tsr_save_npy_at(const char *where, const tsr *x, const char *path)
{
	TURN_OF(tsr_ctx_of(x), where, false);
	call_site site = {.where = where, .op = "save_npy"};
	tsr *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(&site, &h, 1);
	const array *a = ctx ? handle_array(where, x) : NULL;

	if (!a) return false;
	base *b = &ctx->base;
	if (!path) return fail(b, where, TSR_ERROR_ARGUMENT, "save_npy: the path is NULL");
	file_writer w = {.base = b, .where = where, .op = site.op, .path = path};
	str header = {.base = b};
	const size_t bytes = (size_t)array_bytes(a);
	void *data = mem_alloc(b, bytes + 1);
	npy_header(&header, a->type->dtype, a->type->dims, a->type->ndim);
	bool ok = data && !header.lost && array_to_host(where, a, data, NULL);
	if (ok) {
		npy_little_endian(data, bytes, a->type->dtype);
		ok = write_npy(&w, a, &header, data);
	}
	str_free(&header);
	mem_free(b, data);
	return ok;
}

/* ---- as an archive of one array */

static bool open_npy(archive *a)
{
	file_reader *f = &a->file;
	str name = {.base = f->base};
	npy file;

	str_printf(&name, "%s: %s", f->op, f->path);
	const bool ok = !name.lost && file_take(f, NPY_PREAMBLE) &&
	                file_take(f, npy_header_bytes(f->bytes, f->n)) &&
	                npy_parse_header(f->base, f->where, name.s, f->bytes, f->n, &file) &&
	                npy_has_data(f->base, f->where, name.s, &file, f->size);
	str_free(&name);
	stored *of = ok ? archive_add(a, "") : NULL;
	const size_t size = ok ? (size_t)file.ndim * sizeof *file.dims : 0;
	if (!of || !(of->dims = arena_copy(a->arena, file.dims, size))) return false;
	of->dtype = file.dtype;
	of->ndim = file.ndim;
	of->fortran = file.fortran;
	of->swapped = file.swapped;
	of->offset = of->begin = file.offset;
	of->bytes = file.bytes;
	of->end = of->begin + of->bytes;
	return of->known = true;
}

const archive_type npy_type = {.ending = ".npy", .open = open_npy};
