/* device_file.c - opens the file of a device, and checks it.
 *
 * Its size and its header are those that the index says, and each chunk of its data has the hash
 * that the header says. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/checkpoint/checkpoint.h"

bool device_file_fail(const device_file *f, const char *format, ...)
{
	const checkpoint *c = f->in;
	const size_t mark = error_mark(c->base);
	char text[500];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return !failed_since(c->base, mark) && fail(c->base, c->where, TSR_ERROR_FILE, "%s: %s: %s",
	                                            c->op, f->path.s ? f->path.s : c->path, text);
}

static bool read_at(const device_file *f, size_t at, size_t n, char *to)
{
	const char *fault = fd_read_at(f->fd, at, n, to);

	return !fault || device_file_fail(f, "%s", fault);
}

bool device_file_read(const device_file *f, size_t at, size_t n, char *to)
{
	return read_at(f, f->saved->header + at, n, to);
}

bool device_file_check(const device_file *f, size_t k, const char *chunk, size_t n)
{
	char digits[HASH_DIGITS + 1];

	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash_bytes(chunk, n, 0));
	return memcmp(digits, f->hashes + k * HASH_DIGITS, HASH_DIGITS) == 0 ||
	       device_file_fail(f, "it is damaged: MiB %zu of its data does not have its hash", k);
}

#ifdef TSR_JANSSON
#include <jansson.h>

static bool open_file(device_file *f)
{
	struct stat about;
	char name[FILE_NAME];

	file_name_of(name, f->saved->rank, f->saved->device);
	str_printf(&f->path, "%s/%s", f->in->path, name);
	if (f->path.lost) return false;
	f->fd = open(f->path.s, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (f->fd < 0 || fstat(f->fd, &about) != 0)
		return device_file_fail(f, "%s", strerror(errno));
	if (!S_ISREG(about.st_mode)) return device_file_fail(f, "it is no regular file");
	if ((uint64_t)about.st_size != f->saved->bytes)
		return device_file_fail(f, "it has %lld bytes, and was saved with %zu",
		                        (long long)about.st_size, f->saved->bytes);
	posix_fadvise(f->fd, 0, 0, POSIX_FADV_RANDOM);
	return true;
}

static bool read_header(device_file *f)
{
	base *b = f->in->base;
	const size_t n = f->saved->header;

	if (!(f->header = mem_alloc(b, n + 1)) || !read_at(f, 0, n, f->header)) return false;
	if (hash_bytes(f->header, n, 0) != f->saved->hash)
		return device_file_fail(f, "it is damaged: its header does not have its hash");
	f->archive = (archive){
		.file = {.base = b, .where = f->in->where, .op = f->in->op, .path = f->path.s},
		.type = &safetensors_type};
	file_of_memory(&f->archive.file, f->header, n);
	f->archive.file.size = f->saved->bytes; /* the data is elsewhere */
	return archive_open(&f->archive);
}

static const char *note_of(const device_file *f, const char *key)
{
	for (size_t k = 0; k < f->archive.nnotes; k++)
		if (strcmp(f->archive.note[k].key, key) == 0) return f->archive.note[k].text;
	return "";
}

static bool read_notes(device_file *f)
{
	const size_t data = f->saved->bytes - f->saved->header;
	const size_t chunks = data / CHUNK + (data % CHUNK != 0);
	const char *sharding = note_of(f, SHARDING_KEY);

	f->hashes = note_of(f, HASHES_KEY);
	if (strlen(f->hashes) != chunks * HASH_DIGITS)
		return device_file_fail(f, "its header has not one hash for each MiB");
	f->offsets = json_loads(sharding, JSON_REJECT_DUPLICATES, NULL);
	return f->offsets || device_file_fail(f, "its header does not say where pieces belong");
}

bool device_file_open(device_file *f, const checkpoint *c, const saved_file *saved)
{
	*f = (device_file){.in = c, .saved = saved, .fd = -1, .path = {.base = c->base}};
	return open_file(f) && read_header(f) && read_notes(f);
}

void device_file_close(device_file *f)
{
	json_decref(f->offsets);
	if (f->archive.file.base) archive_close(&f->archive);
	mem_free(f->in->base, f->header);
	if (f->fd >= 0) close(f->fd);
	str_free(&f->path);
}

static bool begins_at(const device_file *f, const char *name, const int64_t *start, int n)
{
	const json_t *list = json_object_get(json_object_get(f->offsets, name), OFFSETS_KEY);

	if (json_array_size(list) != (size_t)n) return false;
	for (int d = 0; d < n; d++)
		if (json_integer_value(json_array_get(list, (size_t)d)) != start[d]) return false;
	return json_is_array(list);
}

bool device_file_find(const device_file *f, const saved_leaf *leaf, const int64_t *start,
                      const int64_t *dims, size_t *begin)
{
	archive *a = (archive *)(uintptr_t)&f->archive;
	const stored *of = archive_find(a, leaf->name);

	if (!of) return false;
	if (of->dtype != leaf->dtype || !dims_same(of->dims, of->ndim, dims, leaf->ndim) ||
	    !begins_at(f, leaf->name, start, leaf->ndim))
		return archive_fail(a, of, TSR_ERROR_FILE,
		                    "it is not the piece of the leaf that "
		                    "the index promises");
	if (of->begin % tsr_dtype_size(of->dtype) || of->offset - of->begin != f->saved->header)
		return archive_fail(a, of, TSR_ERROR_FILE, "it is not aligned");
	*begin = of->begin;
	return true;
}
#else
bool device_file_open(device_file *f, const checkpoint *c, const saved_file *saved)
{
	*f = (device_file){.in = c, .saved = saved, .fd = -1};
	return checkpoint_fail(c, TSR_ERROR_UNSUPPORTED, "this library was built without Jansson");
}

void device_file_close(device_file *f) { (void)f; }

bool device_file_find(const device_file *f, const saved_leaf *leaf, const int64_t *start,
                      const int64_t *dims, size_t *begin)
{
	(void)f, (void)leaf, (void)start, (void)dims, (void)begin;
	return false;
}
#endif
