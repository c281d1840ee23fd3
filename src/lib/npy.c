/* npy.c - arrays from and to .npy files.
 *
 * A file is read whole and then taken apart, so that nothing is believed before it is there.
 *
 * Writing goes to a new file beside the target, which takes its name when it is complete: a reader
 * sees the old file or the new one, never half of one. The target is what the path leads to, so
 * symbolic links stay. The new file has the permissions of the old one, which must allow writing.
 * What is no regular file, such as a terminal or a FIFO, is written to as it is. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* ---- writing: what returns false here has set errno, or lost a text for want of memory */

/* the part of a path before its last name, "" or up to a slash */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* a path that is a symbolic link becomes what that leads to, which need not be there */
static bool follow_links(str *path)
{
	char to[PATH_MAX];

	for (int links = 0; !path->lost && links < 40; links++) {
		const ssize_t n = readlink(path->s, to, sizeof to);
		if (n < 0) return true; /* a name that cannot be used is found out on using it */
		path->len = *to == '/' ? 0 : folder_length(path->s);
		str_putn(path, to, (size_t)n);
	}
	errno = ELOOP;
	return false;
}

/* A new file in the folder of `target`, named in `name`; -1 on failure. */
static int create_beside(str *name, const char *target, mode_t mode)
{
	static _Atomic unsigned counter;

	for (int attempt = 0; attempt < 100; attempt++) {
		name->len = 0;
		str_putn(name, target, folder_length(target));
		str_printf(name, ".tsr-%ld-%u.tmp", (long)getpid(), atomic_fetch_add(&counter, 1));
		if (name->lost) return -1;
		const int fd = open(name->s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
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

typedef struct content {
	const str *header;
	const void *data;
	size_t bytes;
} content;

static bool write_content(int fd, const content *c)
{
	return write_whole(fd, c->header->s, c->header->len) && write_whole(fd, c->data, c->bytes);
}

/* closes fd; false if that failed or `ok` was, with the errno of the first failure */
static bool close_after(int fd, bool ok)
{
	const int error = errno;
	const bool closed = close(fd) == 0;

	if (!ok) errno = error;
	return ok && closed;
}

/* A new file takes the name `target`; on failure nothing is left behind. old: what has that name
 * now, or NULL. */
static bool replace(base *b, const char *target, const struct stat *old, const content *c)
{
	str name = {.base = b};

	if (old && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0) return false;
	const mode_t mode = old ? old->st_mode & 0777 : 0666;
	const int fd = create_beside(&name, target, mode);
	bool ok = fd >= 0;
	if (ok) {
		ok = (!old || fchmod(fd, mode) == 0) && write_content(fd, c) && fsync(fd) == 0;
		ok = close_after(fd, ok) && rename(name.s, target) == 0;
	}
	const int error = errno;
	if (fd >= 0 && !ok) unlink(name.s);
	str_free(&name);
	errno = error;
	return ok;
}

static bool write_into(const char *path, const content *c)
{
	const int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
	return fd >= 0 && close_after(fd, write_content(fd, c));
}

/* A name is taken over where it is free, or that of the regular file which `path` leads to; so what
 * /dev/stdout leads to is written into even when it was deleted. */
static bool write_target(base *b, const char *path, const char *target, const content *c)
{
	struct stat old, named;

	if (stat(path, &old) != 0) return errno == ENOENT && replace(b, target, NULL, c);
	const bool by_name = S_ISREG(old.st_mode) && stat(target, &named) == 0 &&
	                     named.st_dev == old.st_dev && named.st_ino == old.st_ino;
	return by_name ? replace(b, target, &old, c) : write_into(path, c);
}

/* error recorded on failure */
static bool write_file(base *b, const char *where, const char *path, const content *c)
{
	const size_t mark = error_mark(b);
	str target = {.base = b};

	str_put(&target, path);
	const bool ok = follow_links(&target) && write_target(b, path, target.s, c);
	const int error = errno;
	if (!ok && !failed_since(b, mark)) file_error(b, where, "save_npy", path, strerror(error));
	str_free(&target);
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
		ok = write_file(b, where, path, &(content){&header, data, bytes});
	}
	str_free(&header);
	mem_free(b, data);
	return ok;
}
