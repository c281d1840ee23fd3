/* npy.c - arrays from and to .npy files.
 *
 * A file is read whole and then taken apart, so that nothing is believed before it is there.
 * Writing goes to a new file beside the target, which takes its name when it is complete: a reader
 * sees the old file or the new one, never half of one. Where the target is a symbolic link, the
 * link is replaced. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/host.h"
#include "lib/lib.h"

static tsr *poison_or_dead(tsr_ctx *ctx) { return poison_of(ctx_alive(ctx) ? ctx : ctx_dead()); }

static bool file_error(base *b, const char *where, const char *op, const char *path,
                       const char *what)
{
	return fail(b, where, TSR_ERROR_FILE, "%s: %s: %s", op, path, what);
}

/* ---- reading */

/* an array in host memory, to the first device */
static tsr *array_of_npy(const char *where, tsr_ctx *ctx, const char *name, const void *bytes,
                         size_t n)
{
	npy file;
	array *a = NULL;

	if (!npy_parse(&ctx->base, where, name, bytes, n, &file)) return poison_of(ctx);
	const type *t = type_make(&ctx->ir, file.dtype, file.dims, file.ndim, 0);
	const sharding *s = t ? sharding_one(&ctx->shards, where, ctx->devices[0].id) : NULL;
	void *data = s ? mem_alloc(&ctx->base, file.bytes + 1) : NULL;
	if (data) {
		npy_unpack(&file, bytes, data);
		a = array_from_host(ctx, t, data, s, false);
	}
	mem_free(&ctx->base, data);
	return handle_of_array(ctx, a);
}

tsr *tsr_read_npy_at(const char *where, tsr_ctx *ctx, const void *bytes, size_t n)
{
	if (!ctx_alive(ctx)) return poison_or_dead(ctx);
	if (!bytes && n)
		return refuse(ctx, where, TSR_ERROR_ARGUMENT, "read_npy: the bytes are NULL");
	return array_of_npy(where, ctx, "read_npy", bytes ? bytes : "", n);
}

/* the file behind fd; *n is its size. NULL: error recorded */
static void *read_whole(base *b, const char *where, const char *path, int fd, size_t *n)
{
	struct stat about;
	size_t got = 0;

	if (fstat(fd, &about) != 0) {
		file_error(b, where, "load_npy", path, strerror(errno));
		return NULL;
	}
	if (!S_ISREG(about.st_mode)) {
		file_error(b, where, "load_npy", path, "this is not a regular file");
		return NULL;
	}
	*n = (size_t)about.st_size;
	char *bytes = mem_alloc(b, *n + 1);
	while (bytes && got < *n) {
		const ssize_t more = read(fd, bytes + got, *n - got);
		if (more < 0 && errno == EINTR) continue;
		if (more <= 0) {
			file_error(b, where, "load_npy", path,
			           more ? strerror(errno) : "the file became shorter meanwhile");
			mem_free(b, bytes);
			return NULL;
		}
		got += (size_t)more;
	}
	return bytes;
}

tsr *tsr_load_npy_at(const char *where, tsr_ctx *ctx, const char *path)
{
	if (!ctx_alive(ctx)) return poison_or_dead(ctx);
	if (!path) return refuse(ctx, where, TSR_ERROR_ARGUMENT, "load_npy: the path is NULL");
	base *b = &ctx->base;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		file_error(b, where, "load_npy", path, strerror(errno));
		return poison_of(ctx);
	}
	size_t n;
	void *bytes = read_whole(b, where, path, fd, &n);
	close(fd);
	str name = {.base = b};
	str_printf(&name, "load_npy: %s", path);
	tsr *x = bytes && !name.lost ? array_of_npy(where, ctx, name.s, bytes, n) : poison_of(ctx);
	str_free(&name);
	mem_free(b, bytes);
	return x;
}

/* ---- writing */

/* a new file beside `path`, named in `name`; -1: errno is set, or no memory (name->lost) */
static int create_beside(str *name, const char *path)
{
	static _Atomic unsigned counter;

	for (int attempt = 0; attempt < 100; attempt++) {
		name->len = 0;
		str_printf(name, "%s.%ld-%u.tmp", path, (long)getpid(),
		           atomic_fetch_add(&counter, 1));
		if (name->lost) return -1;
		const int fd = open(name->s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST) return fd;
	}
	return -1;
}

static bool write_whole(int fd, const char *bytes, size_t n)
{
	while (n) {
		const ssize_t done = write(fd, bytes, n);
		if (done < 0 && errno == EINTR) continue;
		if (done < 0) return false;
		bytes += done;
		n -= (size_t)done;
	}
	return true;
}

/* header and data to `path`; on failure nothing is left behind */
static bool write_file(base *b, const char *where, const char *path, const str *header,
                       const void *data, size_t bytes)
{
	str name = {.base = b};
	const int fd = create_beside(&name, path);
	bool ok = fd >= 0 && write_whole(fd, header->s, header->len) &&
	          write_whole(fd, data, bytes) && fsync(fd) == 0;
	int error = errno;

	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		error = errno;
	}
	if (ok && rename(name.s, path) != 0) {
		ok = false;
		error = errno;
	}
	if (!ok && fd >= 0) unlink(name.s);
	if (!ok && !name.lost) file_error(b, where, "save_npy", path, strerror(error));
	str_free(&name);
	return ok;
}

bool tsr_save_npy_at(const char *where, const tsr *x, const char *path)
{
	tsr *poison, *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(where, "save_npy", &h, 1, &poison);
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
		ok = write_file(b, where, path, &header, data, bytes);
	}
	str_free(&header);
	mem_free(b, data);
	return ok;
}
