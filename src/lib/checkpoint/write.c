/* write.c - writes the files of pieces, in any thread, chunk by chunk.
 *
 * A chunk is hashed where it is, if one dense piece covers it; else it is put together in a room:
 *
 *     chunk     0       1       2
 *     pieces    aaaaaaaaaaaaaaaaaaabbccc
 *     hashed    in a    in a    in the room
 *
 * The header has room for the hashes, and is written last. */
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include "lib/checkpoint/checkpoint.h"

/* the first piece that has bytes from `at` on */
static size_t piece_at(const piece_file *f, size_t at)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		if (f->piece[mid]->begin + f->piece[mid]->bytes <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* the bytes from `at` to `end` of the data */
static const char *chunk_of(const piece_file *f, size_t at, size_t end, char *room)
{
	size_t k = piece_at(f, at);
	const piece *p = f->piece[k];

	if (!p->strides && p->begin + p->bytes >= end) return p->data + (at - p->begin);
	for (char *to = room; at < end; k++) {
		p = f->piece[k];
		const size_t from = at - p->begin;
		const size_t n = p->bytes - from < end - at ? p->bytes - from : end - at;
		piece_copy(p, from, n, to);
		to += n;
		at += n;
	}
	return room;
}

static void put_hash(char *to, uint64_t hash)
{
	char digits[HASH_DIGITS + 1];

	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
	memcpy(to, digits, HASH_DIGITS);
}

static bool write_chunks(fault *f, int fd, const char *name, piece_file *of, char *room)
{
	char *hash = of->header + of->hashes;

	for (size_t at = 0; at < of->data; at += CHUNK, hash += HASH_DIGITS) {
		const size_t end = of->data - at < CHUNK ? of->data : at + CHUNK;
		const char *bytes = chunk_of(of, at, end, room);
		put_hash(hash, hash_bytes(bytes, end - at, 0));
		if (!disk_write(f, fd, name, bytes, end - at, of->header_bytes + at)) return false;
		disk_begin(fd, of->header_bytes + at, end - at);
	}
	return true;
}

/* a file that would grow beyond the limit of the process costs it a signal, which ends it */
static bool may_be_written(fault *f, const char *name, size_t bytes)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_FSIZE, &most) == 0 &&
	    (most.rlim_cur == RLIM_INFINITY || bytes <= most.rlim_cur))
		return true;
	errno = EFBIG;
	return fault_note(f, name);
}

bool piece_file_write(fault *f, int folder, int rank, piece_file *of, char *room, saved_file *out)
{
	char name[FILE_NAME];

	header_make(of);
	const size_t bytes = of->header_bytes + of->data;
	file_name_of(name, rank, of->device);
	if (!may_be_written(f, name, bytes)) return false;
	const int fd = disk_create(f, folder, name);
	if (fd < 0) return false;
	const bool ok = write_chunks(f, fd, name, of, room) &&
	                disk_write(f, fd, name, of->header, of->header_bytes, 0) &&
	                disk_sync(f, fd, name);
	*out = (saved_file){.rank = rank,
	                    .device = of->device,
	                    .header = of->header_bytes,
	                    .bytes = bytes,
	                    .hash = hash_bytes(of->header, of->header_bytes, 0)};
	return disk_close(f, fd, name) && ok;
}
