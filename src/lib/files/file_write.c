/* file_write.c - writes files as a whole, or not at all.
 *
 * Writing goes to a new file beside the target, which takes its name when it is complete: a reader
 * sees the old file or the new one, never half of one, also where the writer was killed. The target
 * is what the path leads to, so symbolic links stay. The new file has the owner, the group and the
 * permissions of the old one, which must allow writing. What is no regular file, such as a terminal
 * or a FIFO, is written to as it is, and so is a file whose owner the new one cannot be given to.
 *
 *     save x.npz    begins .tsr-PID-N.tmp beside it, ends with its new name x.npz
 *     killed        leaves x.npz as it was, and .tsr-PID-N.tmp */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/files/files.h"

/* where a function here returns false, errno is set, or a text was lost for lack of memory */

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

/* A new file in the folder of the target */
static bool create_beside(file_writer *w, mode_t mode)
{
	static _Atomic unsigned counter;

	for (int attempt = 0; attempt < 100; attempt++) {
		w->name.len = 0;
		str_putn(&w->name, w->target.s, folder_length(w->target.s));
		str_printf(&w->name, ".tsr-%ld-%u.tmp", (long)getpid(),
		           atomic_fetch_add(&counter, 1));
		if (w->name.lost) return false;
		w->fd = open(w->name.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		w->is_new = w->fd >= 0;
		if (w->is_new || errno != EEXIST) return w->is_new;
	}
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

/* forgets the file that was opened, and removes it if it was made; errno stays */
static void drop(file_writer *w)
{
	const int error = errno;

	if (w->fd >= 0) close(w->fd);
	if (w->is_new) unlink(w->name.s);
	w->fd = -1;
	w->is_new = false;
	errno = error;
}

static bool open_as_it_is(file_writer *w, const char *path)
{
	w->fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
	return w->fd >= 0;
}

/* old: the file that has the name of the target now, or NULL */
static bool open_new(file_writer *w, const struct stat *old)
{
	if (old && faccessat(AT_FDCWD, w->target.s, W_OK, AT_EACCESS) != 0) return false;
	if (!create_beside(w, old ? 0600 : 0666)) return false;
	if (!old || make_alike(w->fd, old)) return true;
	drop(w);
	return open_as_it_is(w, w->target.s);
}

/* Replaces the target if its name is free, or if it is the regular file that `path` leads to; else
 * writes into what is there. A deleted file that /dev/stdout still leads to is therefore written
 * into. */
static bool open_target(file_writer *w)
{
	struct stat old, named;

	str_put(&w->target, w->path);
	if (!follow_links(&w->target)) return false;
	if (stat(w->path, &old) != 0) return errno == ENOENT && open_new(w, NULL);
	const bool by_name = S_ISREG(old.st_mode) && stat(w->target.s, &named) == 0 &&
	                     named.st_dev == old.st_dev && named.st_ino == old.st_ino;
	return by_name ? open_new(w, &old) : open_as_it_is(w, w->path);
}

/* A file that would grow beyond the limit of the process costs it a signal, which ends it */
static bool find_limit(file_writer *w)
{
	struct stat about;
	struct rlimit most;

	if (fstat(w->fd, &about) != 0 || getrlimit(RLIMIT_FSIZE, &most) != 0) return false;
	w->most = !S_ISREG(about.st_mode) || most.rlim_cur == RLIM_INFINITY ||
	                          most.rlim_cur > INT64_MAX
	                  ? INT64_MAX
	                  : (size_t)most.rlim_cur;
	return true;
}

/* records the failure, unless the lack of memory is recorded */
static bool file_failed(file_writer *w, size_t mark, int error)
{
	return !failed_since(w->base, mark) &&
	       fail(w->base, w->where, TSR_ERROR_FILE, "%s: %s: %s", w->op, w->path,
	            strerror(error));
}

static void free_names(file_writer *w)
{
	str_free(&w->target);
	str_free(&w->name);
}

bool file_begin(file_writer *w)
{
	const size_t mark = error_mark(w->base);

	w->fd = -1;
	w->is_new = false;
	w->target = w->name = (str){.base = w->base};
	w->at = 0;
	w->error = 0;
	if (open_target(w) && find_limit(w)) return true;
	const int error = errno;
	drop(w);
	file_failed(w, mark, error);
	free_names(w);
	return false;
}

/* ---- the content */

bool file_put(file_writer *w, const void *bytes, size_t n)
{
	if (!w->error && (w->at > w->most || n > w->most - w->at)) w->error = EFBIG;
	while (n && !w->error) {
		const ssize_t done = write(w->fd, bytes, n);
		if (done < 0 && errno != EINTR) w->error = errno;
		if (done <= 0) continue;
		bytes = (const char *)bytes + done;
		n -= (size_t)done;
		w->at += (size_t)done;
	}
	return !w->error;
}

bool file_go(file_writer *w, size_t at)
{
	if (at == w->at || w->error) return !w->error;
	if (lseek(w->fd, (off_t)at, SEEK_SET) < 0) w->error = errno;
	else w->at = at;
	return !w->error;
}

/* ---- the end */

/* closes the file, and gives a new one the name of the target; false: it has an error */
static bool complete(file_writer *w)
{
	if (w->is_new && fsync(w->fd) != 0) w->error = errno;
	if (close(w->fd) != 0 && !w->error) w->error = errno;
	w->fd = -1;
	if (!w->error && w->is_new && rename(w->name.s, w->target.s) != 0) w->error = errno;
	return !w->error;
}

bool file_end(file_writer *w, bool ok)
{
	const bool done = ok && !w->error && complete(w);

	if (!done) {
		const int error = w->error;
		drop(w);
		if (error) file_failed(w, error_mark(w->base), error);
	}
	free_names(w);
	return done;
}
