/* row_file.c - reads rows of a .npy file, by their numbers. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/batches/batches.h"

static bool has_rows(base *b, const char *where, const row_file *f)
{
	const npy *of = &f->npy;

	if (!of->ndim)
		return fail(b, where, TSR_ERROR_TYPE,
		            "batches: %s holds a single number, and a batch takes rows of an array",
		            f->path);
	if (of->fortran && of->ndim > 1)
		return fail(b, where, TSR_ERROR_UNSUPPORTED,
		            "batches: %s has its first dim innermost, so that its rows are "
		            "scattered over the file: save numpy.ascontiguousarray(x)",
		            f->path);
	return true;
}

static bool read_header(base *b, const char *where, row_file *f, const char *name)
{
	file_reader *r = &f->reader;

	return file_open(r) && file_take(r, NPY_PREAMBLE) &&
	       file_take(r, npy_header_bytes(r->bytes, r->n)) &&
	       npy_parse_header(b, where, name, r->bytes, r->n, &f->npy) &&
	       npy_has_data(b, where, name, &f->npy, r->size) && has_rows(b, where, f);
}

bool row_file_open(base *b, const char *where, row_file *f)
{
	str name = {.base = b};

	f->reader = (file_reader){
		.base = b, .where = where, .op = "batches", .path = f->path, .fd = -1};
	if (!f->path) return fail(b, where, TSR_ERROR_ARGUMENT, "batches: a path is NULL");
	str_printf(&name, "batches: %s", f->path);
	const bool ok = !name.lost && read_header(b, where, f, name.s);
	str_free(&name);
	if (!ok) return false;
	f->rows = f->npy.dims[0];
	f->row_bytes = f->rows ? f->npy.bytes / (size_t)f->rows : 0;
	return true;
}

void row_file_close(row_file *f) { file_close(&f->reader); }

/* n bytes at a place of the file; 0, or errno */
static int copy_part(const row_file *f, size_t at, size_t n, char *to)
{
	if (f->reader.mapped) {
		file_wants(&f->reader, at, n);
		memcpy(to, f->reader.bytes + at, n);
		return 0;
	}
	while (n) {
		const ssize_t got = pread(f->reader.fd, to, n, (off_t)at);
		if (got < 0 && errno == EINTR) continue;
		if (got <= 0) return got ? errno : EIO;
		to += got, at += (size_t)got, n -= (size_t)got;
	}
	return 0;
}

/* A mapped file that has become shorter would end the process when it is read. ESTALE, or 0 */
static int has_changed(const file_reader *r)
{
	struct stat now;

	if (fstat(r->fd, &now) != 0) return errno;
	return (size_t)now.st_size == r->size ? 0 : ESTALE;
}

int row_file_copy(const row_file *f, const int64_t *row, int64_t n, char *to)
{
	char *next = to;
	int error = has_changed(&f->reader);

	for (int64_t i = 0, run; i < n && !error; i += run, next += (size_t)run * f->row_bytes) {
		for (run = 1; i + run < n && row[i + run] == row[i] + run;) run++;
		error = copy_part(f, f->npy.offset + (size_t)row[i] * f->row_bytes,
		                  (size_t)run * f->row_bytes, next);
	}
	if (!error) npy_native(to, (size_t)n * f->row_bytes, f->npy.dtype, f->npy.swapped);
	return error;
}
