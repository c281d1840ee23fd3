/* npz.c - the format of files named .npz, as numpy.savez and savez_compressed write it: a zip
 * archive with an .npy file for each array.
 *
 * minizip reads the directory and unpacks, through functions that take the bytes from our reader.
 * An array that is not compressed is a run of the file, so it is mapped as others are. Its checksum
 * is not looked at then, since that would read all of it; those of compressed arrays are.
 *
 * No memory is asked for what an entry merely claims: compressed data grows at most 1032 times, by
 * the rules of deflate, and arrays that are loaded must not share bytes of the file. So what is
 * loaded has at most 1032 times the bytes of the file.
 *
 * We write arrays as they are. A field of spare bytes in front of each makes its elements begin at
 * a multiple of 64 bytes:
 *
 *     local header, name, spare bytes, zip64 field | header of .npy, 64 k bytes | elements */
#include "lib/files/files.h"

#ifdef TSR_MINIZIP
#include <minizip/unzip.h>
#include <minizip/zip.h>

enum { GROWTH = 1032 };

static bool bad(const archive *a, const stored *of, const char *what)
{
	return archive_fail(a, of, TSR_ERROR_FILE, "%s", what);
}

/* ---- the file, as minizip sees it: a place in it */

typedef struct zip_stream {
	archive *archive;
	unzFile zip;
	ZPOS64_T at;
	file_writer *to; /* when it is written */
} zip_stream;

static void *begin(void *opaque, const void *name, int mode)
{
	(void)name, (void)mode;
	return opaque;
}

static uLong take_bytes(void *opaque, void *stream, void *to, uLong n)
{
	zip_stream *p = opaque;
	file_reader *f = &p->archive->file;
	const size_t left = p->at < f->size ? f->size - (size_t)p->at : 0;
	const size_t here = n < left ? n : left;
	const void *from = here ? file_part(f, (size_t)p->at, here, to) : NULL;

	(void)stream;
	if (!from) return 0;
	if (from != to) memcpy(to, from, here);
	p->at += here;
	return here;
}

static uLong put_bytes(void *opaque, void *stream, const void *from, uLong n)
{
	zip_stream *p = opaque;

	(void)stream;
	return file_put(p->to, from, n) ? n : 0;
}

static ZPOS64_T tell(void *opaque, void *stream)
{
	const zip_stream *p = opaque;

	(void)stream;
	return p->to ? p->to->at : p->at;
}

static long go(void *opaque, void *stream, ZPOS64_T offset, int origin)
{
	zip_stream *p = opaque;
	const ZPOS64_T end = p->to ? p->to->at : p->archive->file.size;
	const ZPOS64_T from = origin == ZLIB_FILEFUNC_SEEK_END   ? end
	                      : origin == ZLIB_FILEFUNC_SEEK_CUR ? tell(p, stream)
	                                                         : 0;
	if (offset > INT64_MAX || from + offset > INT64_MAX) return -1;
	if (p->to) return file_go(p->to, (size_t)(from + offset)) ? 0 : -1;
	if (from + offset > end) return -1;
	p->at = from + offset;
	return 0;
}

static int end(void *opaque, void *stream) { return (void)opaque, (void)stream, 0; }

#define FUNCTIONS(p) \
	{begin, take_bytes, put_bytes, tell, go, end, end, p}

/* ---- the directory */

static bool is_array(const char *name)
{
	const size_t n = strlen(name);

	return n > 4 && strcmp(name + n - 4, ".npy") == 0;
}

/* the entry that the directory is at. Others than arrays are left alone, as NumPy does */
static bool read_entry(archive *a, zip_stream *p)
{
	unz_file_info64 about;
	unz64_file_pos at;
	char *name = NULL;

	if (unzGetCurrentFileInfo64(p->zip, &about, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK ||
	    unzGetFilePos64(p->zip, &at) != UNZ_OK)
		return bad(a, NULL, "its directory is damaged");
	const uLong size = about.size_filename;
	if (!(name = arena_alloc(a->arena, size + 1))) return false;
	if (unzGetCurrentFileInfo64(p->zip, &about, name, size + 1, NULL, 0, NULL, 0) != UNZ_OK)
		return bad(a, NULL, "its directory is damaged");
	name[size] = 0;
	if (strlen(name) != size) return bad(a, NULL, "a name in its directory has a zero byte");
	if (!is_array(name)) return true;
	name[size - 4] = 0;
	stored *of = archive_add(a, name);
	if (!of) return false;
	of->place[0] = at.pos_in_zip_directory;
	of->place[1] = at.num_of_file;
	return true;
}

/* an archive of nothing is the end of its directory alone, which minizip does not look for there */
static bool has_nothing(archive *a)
{
	static const char end_of_directory[] = "PK\5\6";
	const void *first = a->file.size == 22 ? file_part(&a->file, 0, 4, NULL) : NULL;

	return first && memcmp(first, end_of_directory, 4) == 0;
}

static bool open_npz(archive *a)
{
	zip_stream *p = arena_alloc(a->arena, sizeof *p);

	if (!p) return false;
	if (has_nothing(a)) return true;
	*p = (zip_stream){.archive = a};
	zlib_filefunc64_def by = FUNCTIONS(p);
	if (!(p->zip = unzOpen2_64("", &by))) return bad(a, NULL, "it is no zip archive");
	a->own = p;
	int more = unzGoToFirstFile(p->zip);
	unz_global_info64 all;
	if (unzGetGlobalInfo64(p->zip, &all) == UNZ_OK && !all.number_entry) return true;
	for (; more == UNZ_OK; more = unzGoToNextFile(p->zip))
		if (!read_entry(a, p)) return false;
	return more == UNZ_END_OF_LIST_OF_FILE || bad(a, NULL, "its directory is damaged");
}

static void close_npz(archive *a)
{
	const zip_stream *p = a->own;

	unzClose(p->zip);
}

/* ---- an array */

/* opens its entry. raw: as it is in the file */
static bool go_to(archive *a, const stored *of, unz_file_info64 *about, bool raw)
{
	zip_stream *p = a->own;
	const unz64_file_pos at = {of->place[0], of->place[1]};
	int method, level;

	if (unzGoToFilePos64(p->zip, &at) != UNZ_OK ||
	    unzGetCurrentFileInfo64(p->zip, about, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK)
		return bad(a, of, "its entry in the directory is damaged");
	if (about->flag & 1) return bad(a, of, "it is encrypted");
	if (about->compression_method != 0 && about->compression_method != Z_DEFLATED)
		return archive_fail(a, of, TSR_ERROR_UNSUPPORTED,
		                    "its compression, method %lu of zip, is not known here",
		                    about->compression_method);
	return unzOpenCurrentFile3(p->zip, &method, &level, raw, NULL) == UNZ_OK ||
	       bad(a, of, "its entry is damaged");
}

/* unpacks the next n bytes. false: recorded */
static bool unpack_next(archive *a, const stored *of, char *to, size_t n)
{
	const zip_stream *p = a->own;

	while (n) {
		const unsigned some = n < 1u << 30 ? (unsigned)n : 1u << 30;
		const int done = unzReadCurrentFile(p->zip, to, some);
		if (done <= 0) return bad(a, of, "its data is damaged, or ends too soon");
		to += done;
		n -= (size_t)done;
	}
	return true;
}

/* the n bytes of an entry from `at` on; of a packed one, those behind the last. false: recorded */
static bool entry_bytes(archive *a, const stored *of, size_t at, size_t n, char *to)
{
	if (of->packed) return unpack_next(a, of, to, n);
	const void *from = file_part(&a->file, of->begin + at, n, to);
	if (from && from != to) memcpy(to, from, n);
	return from;
}

/* the header of the .npy that an entry of so many bytes holds, in the arena, as far as it is there;
 * *n: its bytes */
static const char *header_of(archive *a, const stored *of, size_t entry, size_t *n)
{
	const size_t first = entry < NPY_PREAMBLE ? entry : NPY_PREAMBLE;
	char preamble[NPY_PREAMBLE];

	if (!entry_bytes(a, of, 0, first, preamble)) return NULL;
	const size_t needed = npy_header_bytes(preamble, first);
	*n = needed < first ? first : needed < entry ? needed : entry;
	char *header = arena_alloc(a->arena, *n + 1);
	if (!header) return NULL;
	memcpy(header, preamble, first);
	return entry_bytes(a, of, first, *n - first, header + first) ? header : NULL;
}

static bool read_header(archive *a, stored *of, size_t entry)
{
	str name = {.base = a->file.base};
	npy file;
	size_t n;
	const char *header = header_of(a, of, entry, &n);

	if (!header) return false;
	str_printf(&name, "%s: %s: ", a->file.op, a->file.path);
	json_text(&name, of->name);
	const bool ok = !name.lost &&
	                npy_parse_header(a->file.base, a->file.where, name.s, header, n, &file) &&
	                npy_has_data(a->file.base, a->file.where, name.s, &file, entry);
	str_free(&name);
	int64_t *dims = ok ? arena_copy(a->arena, file.dims, (size_t)file.ndim * sizeof *dims)
	                   : NULL;
	if (!dims) return false;
	of->dtype = file.dtype;
	of->ndim = file.ndim;
	of->dims = dims;
	of->fortran = file.fortran;
	of->swapped = file.swapped;
	of->offset = of->begin + file.offset;
	of->bytes = file.bytes;
	of->header = file.offset;
	return true;
}

/* where it is, and what its header says */
static bool look_npz(archive *a, stored *of)
{
	const zip_stream *p = a->own;
	const file_reader *f = &a->file;
	unz_file_info64 about;

	if (!go_to(a, of, &about, true)) return false;
	const ZPOS64_T begin = unzGetCurrentFileZStreamPos64(p->zip);
	unzCloseCurrentFile(p->zip);
	if (begin > f->size || about.compressed_size > f->size - begin)
		return bad(a, of, "its data is outside of the file");
	of->begin = (size_t)begin;
	of->end = (size_t)(begin + about.compressed_size);
	of->packed = about.compression_method != 0;
	if (of->packed ? about.uncompressed_size / GROWTH > about.compressed_size
	           : about.uncompressed_size != about.compressed_size)
		return bad(a, of, "it cannot have as many bytes as its entry says");
	if (!about.uncompressed_size) return bad(a, of, "its entry is empty");
	if (of->packed && !go_to(a, of, &about, false)) return false;
	const bool ok = read_header(a, of, (size_t)about.uncompressed_size);
	if (of->packed) unzCloseCurrentFile(p->zip);
	return ok;
}

static char *unpack_npz(archive *a, stored *of)
{
	const zip_stream *p = a->own;
	unz_file_info64 about;
	char *bytes = mem_alloc(a->file.base, of->header + of->bytes + 1);

	if (!bytes || !go_to(a, of, &about, false)) {
		mem_free(a->file.base, bytes);
		return NULL;
	}
	bool ok = unpack_next(a, of, bytes, of->header + of->bytes);
	if (unzCloseCurrentFile(p->zip) == UNZ_CRCERROR && ok)
		ok = bad(a, of, "its data does not have its checksum");
	if (ok) memmove(bytes, bytes + of->header, of->bytes);
	else mem_free(a->file.base, bytes);
	return ok ? bytes : NULL;
}

/* ---- writing */

/* The spare bytes are a field of an unknown kind. The local header has 30 bytes, and 20 of a field
 * with long sizes, which minizip puts behind ours */
static size_t spare_bytes(size_t at, size_t name, char room[68])
{
	const size_t least = at + 30 + name + 4 + 20, n = 4 + (64 - least % 64) % 64;

	memset(room, 0, 68);
	room[0] = 'T';
	room[1] = 'R';
	room[2] = (char)(n - 4);
	return n;
}

static bool save_array(saving *s, zipFile zip, const file_writer *w, const saved *x)
{
	/* 1 January 1980, as numpy.savez writes it; the owner may read and write it */
	const zip_fileinfo about = {.dosDate = 1 << 21 | 1 << 16, .external_fa = 0600u << 16};
	enum { UTF8 = 1 << 11, VERSION = 3 << 8 | 45 };
	str name = {.base = &s->ctx->base}, header = {.base = &s->ctx->base};
	char spare[68];

	str_printf(&name, "%s.npy", x->name);
	npy_header(&header, x->of->type->dtype, x->dims, x->of->type->ndim);
	const uInt n = (uInt)spare_bytes(w->at, name.len, spare);
	const void *bytes = name.lost || header.lost ? NULL : saved_bytes(s, x);
	bool ok = bytes;
	ok = ok && zipOpenNewFileInZip4_64(zip, name.s, &about, spare, n, NULL, 0, NULL, 0, 0, 0,
	                                   -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0,
	                                   VERSION, UTF8, 1) == ZIP_OK;
	ok = ok && zipWriteInFileInZip(zip, header.s, (unsigned)header.len) == ZIP_OK;
	for (size_t at = 0; ok && at < x->bytes;) {
		const size_t left = x->bytes - at;
		const unsigned some = left < 1u << 30 ? (unsigned)left : 1u << 30;
		ok = zipWriteInFileInZip(zip, (const char *)bytes + at, some) == ZIP_OK;
		at += some;
	}
	ok = ok && zipCloseFileInZip(zip) == ZIP_OK;
	str_free(&name);
	str_free(&header);
	return ok;
}

/* false: recorded here, or a fault of the file */
static bool save_npz(saving *s, file_writer *w)
{
	base *b = &s->ctx->base;
	zip_stream p = {.to = w};
	zlib_filefunc64_def by = FUNCTIONS(&p);
	const size_t mark = error_mark(b);
	zipFile zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &by);
	bool ok = zip;

	for (size_t i = 0; ok && i < s->n; i++) ok = save_array(s, zip, w, &s->array[i]);
	if (zip && zipClose(zip, NULL) != ZIP_OK) ok = false;
	if (!ok && !w->error && !failed_since(b, mark))
		fail(b, s->where, TSR_ERROR_MEMORY, "save: %s: no memory for the archive", w->path);
	return ok;
}

static const char *fault_npz(const saved *x)
{
	return strlen(x->name) > UINT16_MAX - 4 ? "it is longer than the format can have" : NULL;
}
#else
static const char why[] = "this library was built without minizip, which .npz needs";

static bool open_npz(archive *a)
{
	return archive_fail(a, NULL, TSR_ERROR_UNSUPPORTED, "%s", why);
}
static bool look_npz(archive *a, stored *of) { return (void)a, (void)of, false; }
static char *unpack_npz(archive *a, stored *of) { return (void)a, (void)of, NULL; }
static void close_npz(archive *a) { (void)a; }
static const char *fault_npz(const saved *x) { return (void)x, NULL; }
static bool save_npz(saving *s, file_writer *w)
{
	(void)w;
	return fail(&s->ctx->base, s->where, TSR_ERROR_UNSUPPORTED, "save: %s", why);
}
#endif

const archive_type npz_type = {.ending = ".npz",
                               .open = open_npz,
                               .look = look_npz,
                               .unpack = unpack_npz,
                               .close = close_npz,
                               .fault = fault_npz,
                               .save = save_npz};
