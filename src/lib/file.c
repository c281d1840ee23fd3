/* file.c - whole files, read and written; every format goes through here.
 *
 * A file is read whole and then taken apart, so that nothing is believed before it is there. A pipe
 * is read to its end.
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

static bool file_error(base *b, const char *where, const char *op, const char *path,
                       const char *what)
{
	return fail(b, where, TSR_ERROR_FILE, "%s: %s: %s", op, path, what);
}

/* ---- reading; where a function here returns false, errno is set, or the lack of memory is
 * recorded */

typedef struct file_reader {
	base *base;
	char *bytes;
	size_t n, cap, most;
} file_reader;

/* everything up to the end of fd, and a 0; cap: bytes that are likely enough */
static bool read_all(file_reader *r, int fd)
{
	if (!(r->bytes = mem_alloc(r->base, r->cap))) return false;
	for (;;) {
		if (r->n + 1 == r->cap) {
			char *more = mem_grow(r->base, r->bytes, 2 * r->cap);
			if (!more) return false;
			r->bytes = more;
			r->cap *= 2;
		}
		const ssize_t n = read(fd, r->bytes + r->n, r->cap - r->n - 1);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return false;
		r->bytes[r->n += (size_t)n] = 0;
		if (!n) return true;
		if (r->n > r->most) return errno = EFBIG, false;
	}
}

/* devices other than a terminal are refused, because they may never end */
static bool read_fd(file_reader *r, int fd)
{
	struct stat about;

	if (fstat(fd, &about) != 0) return false;
	const bool ends = S_ISREG(about.st_mode) || S_ISFIFO(about.st_mode) ||
	                  S_ISSOCK(about.st_mode) || isatty(fd);
	errno = S_ISDIR(about.st_mode) ? EISDIR : ENODEV;
	r->cap = S_ISREG(about.st_mode) && about.st_size ? (size_t)about.st_size + 2 : 4096;
	return ends && read_all(r, fd);
}

char *file_read(base *b, const char *where, const char *op, const char *path, size_t most,
                size_t *n)
{
	const size_t mark = error_mark(b);
	file_reader r = {.base = b, .most = most};
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	const bool ok = fd >= 0 && read_fd(&r, fd);
	const int error = errno;

	if (fd >= 0) close(fd);
	*n = r.n;
	if (ok) return r.bytes;
	if (!failed_since(b, mark)) file_error(b, where, op, path, strerror(error));
	mem_free(b, r.bytes);
	return NULL;
}

/* ---- writing; where a function here returns false, errno is set, or a text was lost for lack of
 * memory */

/* the part of a path before its last name, "" or up to a slash */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* replaces a path that is a symbolic link by its target, which need not exist */
static bool follow_links(str *path)
{
	char to[PATH_MAX];

	for (int links = 0; !path->lost && links < 40; links++) {
		const ssize_t n = readlink(path->s, to, sizeof to);
		if (n < 0) return true; /* other failures show when the name is used */
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

static bool write_content(int fd, const file_content *c)
{
	return write_whole(fd, c->header, c->header_bytes) && write_whole(fd, c->data, c->bytes);
}

/* closes fd; false if that failed or `ok` was, with the errno of the first failure */
static bool close_after(int fd, bool ok)
{
	const int error = errno;
	const bool closed = close(fd) == 0;

	if (!ok) errno = error;
	return ok && closed;
}

/* Writes a new file and gives it the name `target`; on failure no file is left behind. old: the
 * file that has the name now, or NULL. */
static bool replace(base *b, const char *target, const struct stat *old, const file_content *c)
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

static bool write_into(const char *path, const file_content *c)
{
	const int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
	return fd >= 0 && close_after(fd, write_content(fd, c));
}

/* Replaces `target` if the name is free, or if it is the regular file that `path` leads to; else
 * writes into what is there. A deleted file that /dev/stdout still leads to is therefore written
 * into. */
static bool write_target(base *b, const char *path, const char *target, const file_content *c)
{
	struct stat old, named;

	if (stat(path, &old) != 0) return errno == ENOENT && replace(b, target, NULL, c);
	const bool by_name = S_ISREG(old.st_mode) && stat(target, &named) == 0 &&
	                     named.st_dev == old.st_dev && named.st_ino == old.st_ino;
	return by_name ? replace(b, target, &old, c) : write_into(path, c);
}

bool file_write(base *b, const char *where, const char *op, const char *path,
                const file_content *c)
{
	const size_t mark = error_mark(b);
	str target = {.base = b};

	str_put(&target, path);
	const bool ok = follow_links(&target) && write_target(b, path, target.s, c);
	const int error = errno;
	if (!ok && !failed_since(b, mark)) file_error(b, where, op, path, strerror(error));
	str_free(&target);
	return ok;
}
