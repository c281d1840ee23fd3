/* npy.c - arrays from and to .npy files. */
#include "lib/host.h"
#include "lib/lib.h"

/* an array in host memory, to the first device */
static tsr *array_of_npy(const char *where, tsr_ctx *ctx, const npy *file, const void *bytes)
{
	array *a = NULL;
	const type *t = type_make(&ctx->ir, file->dtype, file->dims, file->ndim, 0);
	const sharding *s = t ? sharding_one(&ctx->shards, where, ctx->home) : NULL;
	void *data = s ? mem_alloc(&ctx->base, file->bytes + 1) : NULL;

	if (data) {
		npy_unpack(file, bytes, data);
		a = array_from_host(ctx, t, data, s, false);
	}
	mem_free(&ctx->base, data);
	return handle_of_array(ctx, a);
}

tsr *tsr_read_npy_at(const char *where, tsr_ctx *ctx, const void *bytes, size_t n)
{
	TURN_OF(ctx, where, poison_of(ctx));
	npy file;

	if (!ctx_ok(where, "read_npy", ctx)) return poison_of(ctx);
	if (!bytes && n)
		return refuse(&(call_site){ctx, where, "read_npy"}, TSR_ERROR_ARGUMENT,
		              "read_npy: the bytes are NULL");
	if (!bytes) bytes = "";
	return npy_parse(&ctx->base, where, "read_npy", bytes, n, &file)
	               ? array_of_npy(where, ctx, &file, bytes)
	               : poison_of(ctx);
}

/* the header before anything behind it, and nothing behind the data */
static bool read_npy(file_reader *r, const char *name, npy *file)
{
	base *b = r->base;

	return file_open(r) && file_take(r, NPY_PREAMBLE) &&
	       file_take(r, npy_header_bytes(r->bytes, r->n)) &&
	       npy_parse_header(b, r->where, name, r->bytes, r->n, file) &&
	       file_take(r, file->offset + file->bytes) &&
	       npy_has_data(b, r->where, name, file, r->n);
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
	tsr *x = !name.lost && read_npy(&r, name.s, &file)
	                 ? array_of_npy(where, ctx, &file, r.bytes)
	                 : poison_of(ctx);
	file_close(&r);
	str_free(&name);
	return x;
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
	str header = {.base = b};
	const size_t bytes = (size_t)array_bytes(a);
	void *data = mem_alloc(b, bytes + 1);
	npy_header(&header, a->type->dtype, a->type->dims, a->type->ndim);
	bool ok = data && !header.lost && array_to_host(where, a, data, NULL);
	if (ok) {
		npy_little_endian(data, bytes, a->type->dtype);
		ok = file_write(b, where, "save_npy", path,
		                &(file_content){header.s, header.len, data, bytes});
	}
	str_free(&header);
	mem_free(b, data);
	return ok;
}
