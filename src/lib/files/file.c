/* file.c - reads and writes files; every format goes through here.
 *
 * A part of a file is read whole and then taken apart, so that nothing is believed before it is
 * there: no memory is asked for what a header merely promises.
 *
 * Writing goes to a new file beside the target, which takes its name when it is complete: a reader
 * sees the old file or the new one, never half of one. The target is what the path leads to, so
 * symbolic links stay. The new file has the owner, the group and the permissions of the old one,
 * which must allow writing. What is no regular file, such as a terminal or a FIFO, is written to as
 * it is, and so is a file whose owner the new one cannot be given to. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/resource.h>
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

/* devices other than a terminal are refused, because they may never end */
static bool can_be_read(file_reader *r)
{
	struct stat about;

	if (r->fd < 0 || fstat(r->fd, &about) != 0) return false;
	const bool regular = S_ISREG(about.st_mode);
	r->size = regular ? (size_t)about.st_size : 0;
	if (regular || S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) || isatty(r->fd))
		return true;
	errno = S_ISDIR(about.st_mode) ? EISDIR : ENODEV;
	return false;
}

bool file_open(file_reader *r)
{
	r->fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return can_be_read(r) || file_error(r->base, r->where, r->op, r->path, strerror(errno));
}

void file_close(file_reader *r)
{
	if (r->fd >= 0) close(r->fd);
	mem_free(r->base, r->bytes);
}

/* as much room as there are bytes, if the file tells; else twice as much as before */
static bool make_room(file_reader *r, size_t upto)
{
	const size_t likely = r->size > r->n ? r->size : r->n ? 2 * r->n : 4096;
	const size_t cap = (upto < likely ? upto : likely) + 2;
	char *more = cap > r->cap ? mem_grow(r->base, r->bytes, cap) : r->bytes;

	if (!more) return false;
	if (cap > r->cap) r->cap = cap;
	r->bytes = more;
	return true;
}

static bool take_bytes(file_reader *r, size_t upto)
{
	for (ssize_t n = 1; n && r->n < upto;) {
		if (r->n + 1 >= r->cap && !make_room(r, upto)) return false;
		const size_t room = r->cap - r->n - 1;
		const size_t want = upto - r->n < room ? upto - r->n : room;
		n = read(r->fd, r->bytes + r->n, want);
		if (n < 0 && errno != EINTR) return false;
		if (n > 0) r->n += (size_t)n;
	}
	r->bytes[r->n] = 0;
	return true;
}

bool file_take(file_reader *r, size_t upto)
{
	const size_t mark = error_mark(r->base);

	if (make_room(r, upto) && take_bytes(r, upto)) return true;
	return !failed_since(r->base, mark) &&
	       file_error(r->base, r->where, r->op, r->path, strerror(errno));
}

char *file_read(base *b, const char *where, const char *op, const char *path, size_t most,
                size_t *n)
{
	file_reader r = {.base = b, .where = where, .op = op, .path = path};
	bool ok = file_open(&r) && file_take(&r, most + 1);
	char *bytes = r.bytes;

	if (ok && r.n > most) ok = file_error(b, where, op, path, strerror(EFBIG));
	*n = r.n;
	if (ok) r.bytes = NULL;
	file_close(&r);
	return ok ? bytes : NULL;
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

/* A file that would grow beyond the limit of the process costs it a signal, which ends it */
static bool is_within_limit(int fd, const file_content *c)
{
	struct stat about;
	struct rlimit most;

	if (fstat(fd, &about) != 0 || getrlimit(RLIMIT_FSIZE, &most) != 0) return false;
	errno = EFBIG;
	return !S_ISREG(about.st_mode) || most.rlim_cur == RLIM_INFINITY ||
	       (c->header_bytes <= most.rlim_cur && c->bytes <= most.rlim_cur - c->header_bytes);
}

static bool write_content(int fd, const file_content *c)
{
	return is_within_limit(fd, c) && write_whole(fd, c->header, c->header_bytes) &&
	       write_whole(fd, c->data, c->bytes);
}

/* closes fd; false if that failed or `ok` was, with the errno of the first failure */
static bool close_after(int fd, bool ok)
{
	const int error = errno;
	const bool closed = close(fd) == 0;

	if (!ok) errno = error;
	return ok && closed;
}

static bool write_into(const char *path, const file_content *c)
{
	const int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
	return fd >= 0 && close_after(fd, write_content(fd, c));
}

/* Writes a new file, open as fd and called `name`, and gives it the name `target`; on failure no
 * file is left behind */
static bool complete(int fd, const str *name, const char *target, const file_content *c)
{
	const bool written = close_after(fd, write_content(fd, c) && fsync(fd) == 0);

	if (written && rename(name->s, target) == 0) return true;
	const int error = errno;
	unlink(name->s);
	errno = error;
	return false;
}

/* makes a new file's owner, group and permissions those of the old one */
static bool make_alike(int fd, const struct stat *old)
{
	struct stat is;

	if (fstat(fd, &is) != 0) return false;
	const bool same = is.st_uid == old->st_uid && is.st_gid == old->st_gid;
	return (same || fchown(fd, old->st_uid, old->st_gid) == 0) &&
	       fchmod(fd, old->st_mode & 0777) == 0;
}

/* old: the file that has the name `target` now, or NULL */
static bool replace(base *b, const char *target, const struct stat *old, const file_content *c)
{
	str name = {.base = b};

	if (old && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0) return false;
	const int fd = create_beside(&name, target, old ? 0600 : 0666);
	bool ok = fd >= 0;
	if (ok && old && !make_alike(fd, old)) {
		close(fd);
		unlink(name.s);
		ok = write_into(target, c);
	} else if (ok) {
		ok = complete(fd, &name, target, c);
	}
	const int error = errno;
	str_free(&name);
	errno = error;
	return ok;
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
