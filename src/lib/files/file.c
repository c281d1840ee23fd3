/* file.c - opens files and gives their parts: mapped where that is safe, else read.
 *
 * Nothing is believed before it is there: no memory is asked for what a header merely promises.
 *
 * A file that is mapped costs a reader one copy, and only the pages that it looks at. But whoever
 * shortens it takes these pages away, and the reader gets SIGBUS, which nobody can handle in a
 * library. So a file is mapped only if fstat says that nobody but this user and root may write to
 * it; others, and whatever is no regular file, are read:
 *
 *     -rw-r--r-- ours      mapped          -rw-rw-r-- ours      read
 *     -r--r--r-- root's    mapped          -rw-r--r-- another's read
 *
 * Whether it was written to in the meantime is asked again before each array. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/files/files.h"

enum { PAGE = 4096 }; /* small runs are read by it; mapped pages may be larger */

static bool file_error(const file_reader *r, const char *what)
{
	return fail(r->base, r->where, TSR_ERROR_FILE, "%s: %s: %s", r->op, r->path, what);
}

/* where a function here returns false, errno is set, or the lack of memory is recorded */

static int64_t time_of(const struct stat *s)
{
	return (int64_t)s->st_mtim.tv_sec * 1000000000 + s->st_mtim.tv_nsec;
}

/* devices other than a terminal are refused, because they may never end */
static bool can_be_read(file_reader *r, struct stat *about)
{
	if (r->fd < 0 || fstat(r->fd, about) != 0) return false;
	r->regular = S_ISREG(about->st_mode);
	r->size = r->regular ? (size_t)about->st_size : 0;
	r->changed = time_of(about);
	if (r->regular || S_ISFIFO(about->st_mode) || S_ISSOCK(about->st_mode) || isatty(r->fd))
		return true;
	errno = S_ISDIR(about->st_mode) ? EISDIR : ENODEV;
	return false;
}

static bool only_we_write(const struct stat *s)
{
	return (s->st_uid == geteuid() || s->st_uid == 0) && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

/* Maps the file where parts of it are wanted, so that the rest stays on the disk */
static void map(file_reader *r)
{
	void *at = mmap(NULL, r->size, PROT_READ, MAP_PRIVATE, r->fd, 0);

	if (at == MAP_FAILED) return; /* it is read, then */
	madvise(at, r->size, MADV_RANDOM);
	r->mapped = true;
	r->bytes = at;
	r->n = r->size;
}

bool file_open(file_reader *r)
{
	struct stat about;

	r->fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (!can_be_read(r, &about)) return file_error(r, strerror(errno));
	if (r->regular && r->size && only_we_write(&about)) map(r);
	else if (r->regular) posix_fadvise(r->fd, 0, 0, POSIX_FADV_RANDOM);
	return true;
}

void file_of_memory(file_reader *r, const void *bytes, size_t n)
{
	r->fd = -1;
	r->mapped = true;
	r->bytes = (char *)(uintptr_t)bytes;
	r->n = r->size = n;
}

void file_close(file_reader *r)
{
	if (r->mapped && r->fd >= 0) munmap(r->bytes, r->size);
	if (!r->mapped) mem_free(r->base, r->bytes);
	mem_free(r->base, r->page);
	if (r->fd >= 0) close(r->fd);
}

bool file_unchanged(file_reader *r)
{
	struct stat now;

	if (r->fd < 0 || !r->regular) return true;
	if (fstat(r->fd, &now) != 0) return file_error(r, strerror(errno));
	return ((size_t)now.st_size == r->size && time_of(&now) == r->changed) ||
	       file_error(r, "it was written to while it was read");
}

/* ---- from the beginning */

/* as much room as there are bytes, if the file tells; else twice as much as before */
static bool make_room(file_reader *r, size_t upto)
{
	const size_t likely = r->size > r->n ? r->size : r->n ? 2 * r->n : PAGE;
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

	if (r->mapped || (make_room(r, upto) && take_bytes(r, upto))) return true;
	return !failed_since(r->base, mark) && file_error(r, strerror(errno));
}

char *file_read(base *b, const char *where, const char *op, const char *path, size_t most,
                size_t *n)
{
	file_reader r = {.base = b, .where = where, .op = op, .path = path};
	bool ok = file_open(&r) && file_take(&r, most + 1);

	if (ok && r.n > most) ok = file_error(&r, strerror(EFBIG));
	char *bytes = ok && r.mapped ? mem_alloc(b, r.n + 1) : ok ? r.bytes : NULL;
	if (bytes && r.mapped) {
		memcpy(bytes, r.bytes, r.n);
		bytes[r.n] = 0;
	} else if (bytes) {
		r.bytes = NULL;
	}
	*n = r.n;
	file_close(&r);
	return bytes;
}

/* ---- parts of it */

const char *fd_read_at(int fd, size_t offset, size_t n, char *to)
{
	while (n) {
		const ssize_t done = pread(fd, to, n, (off_t)offset);
		if (done < 0 && errno == EINTR) continue;
		if (done < 0) return strerror(errno);
		if (!done) return "it was shortened while it was read";
		offset += (size_t)done;
		to += done;
		n -= (size_t)done;
	}
	return NULL;
}

/* false: recorded. A file that ends sooner than it did is an error */
static bool read_at(file_reader *r, size_t offset, size_t n, char *to)
{
	const char *fault = fd_read_at(r->fd, offset, n, to);

	return !fault || file_error(r, fault);
}

/* a small run, out of the pages that it is in */
static bool read_small(file_reader *r, size_t offset, size_t n, char *to)
{
	if (!r->page && !(r->page = mem_alloc(r->base, PAGE))) return false;
	while (n) {
		const size_t at = offset / PAGE * PAGE, skip = offset - at;
		const size_t whole = r->size - at < PAGE ? r->size - at : PAGE;
		const size_t here = whole - skip < n ? whole - skip : n;
		if (!r->page_bytes || r->page_at != at) {
			r->page_bytes = 0;
			if (!read_at(r, at, whole, r->page)) return false;
			r->page_at = at;
			r->page_bytes = whole;
		}
		memcpy(to, r->page + skip, here);
		offset += here;
		to += here;
		n -= here;
	}
	return true;
}

const void *file_part(file_reader *r, size_t offset, size_t n, void *room)
{
	const bool in_room = !r->mapped && r->regular && room;

	if (r->regular || r->mapped ? offset > r->size || n > r->size - offset
	                            : n > SIZE_MAX - 2 - offset)
		return file_error(r, "it ends too soon"), NULL;
	if (in_room && (offset >= r->n || n > r->n - offset))
		return (n < PAGE ? read_small : read_at)(r, offset, n, room) ? room : NULL;
	if (!file_take(r, offset + n)) return NULL;
	if (r->n < offset || r->n - offset < n) return file_error(r, "it ends too soon"), NULL;
	return r->bytes + offset;
}

void file_wants(const file_reader *r, size_t offset, size_t n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), begin = offset / page * page;

	if (r->mapped && r->fd >= 0 && n > page)
		madvise(r->bytes + begin, offset + n - begin, MADV_WILLNEED);
}
