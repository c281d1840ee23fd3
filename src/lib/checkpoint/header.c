/* header.c - writes the header of a file of pieces, in any thread.
 *
 * It is that of a .safetensors file:
 *
 *     {"__metadata__":{"DCP_SHARDING_INFO":"{\"w\":{\"saved_offsets\":[0,2]}}",
 *     "XXH3_64_OF_EACH_MIB":"f9c9accde20b7197"},
 *     "w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}
 *
 * on one line, with its length before it, and spaces behind it up to a multiple of 64. PyTorch's
 * distributed checkpoints read and write the offsets of pieces in this way. Hashes come later. */
#include <stdio.h>
#include "lib/checkpoint/checkpoint.h"

enum { LENGTH = 8, ALIGN = 64, NUMBER = 21, ENTRY = 100, FRAME = 200 };

static size_t hash_digits(const piece_file *f)
{
	return (f->data + CHUNK - 1) / CHUNK * HASH_DIGITS;
}

size_t header_room(const piece_file *f)
{
	size_t bytes = FRAME + hash_digits(f);

	for (size_t k = 0; k < f->n; k++) {
		const piece *p = f->piece[k];
		bytes +=
			strlen(p->quoted) + strlen(p->twice) + ENTRY + 2 * NUMBER * (size_t)p->ndim;
	}
	return bytes;
}

static char *put(char *to, const char *text)
{
	const size_t n = strlen(text);

	memcpy(to, text, n);
	return to + n;
}

static char *put_number(char *to, uint64_t x)
{
	char figures[NUMBER];
	int n = 0;

	do figures[n++] = (char)('0' + x % 10);
	while (x /= 10);
	while (n) *to++ = figures[--n];
	return to;
}

static char *put_list(char *to, const int64_t *x, int n)
{
	*to++ = '[';
	for (int i = 0; i < n; i++) {
		if (i) *to++ = ',';
		to = put_number(to, (uint64_t)x[i]);
	}
	*to++ = ']';
	return to;
}

/* the text of another JSON text. A name that is quoted twice has one pair of quotes to lose */
static char *put_offsets(char *to, const piece_file *f)
{
	to = put(to, "\"{");
	for (size_t k = 0; k < f->n; k++) {
		const piece *p = f->piece[k];
		const size_t n = strlen(p->twice);
		if (k) *to++ = ',';
		memcpy(to, p->twice + 1, n - 2);
		to = put(to + n - 2, ":{\\\"" OFFSETS_KEY "\\\":");
		to = put(put_list(to, p->start, p->ndim), "}");
	}
	return put(to, "}\"");
}

static char *put_entry(char *to, const piece *p)
{
	to = put(put(to, ","), p->quoted);
	to = put(put(to, ":{\"dtype\":\""), safetensors_dtype(p->dtype));
	to = put_list(put(to, "\",\"shape\":"), p->dims, p->ndim);
	to = put_number(put(to, ",\"data_offsets\":["), p->begin);
	return put(put_number(put(to, ","), p->begin + p->bytes), "]}");
}

void header_make(piece_file *f)
{
	char *to = put(f->header + LENGTH, "{\"__metadata__\":{\"" SHARDING_KEY "\":");

	to = put(put_offsets(to, f), ",\"" HASHES_KEY "\":\"");
	f->hashes = (size_t)(to - f->header);
	to = put(to + hash_digits(f), "\"}");
	for (size_t k = 0; k < f->n; k++) to = put_entry(to, f->piece[k]);
	*to++ = '}';
	while ((to - f->header) % ALIGN) *to++ = ' ';
	f->header_bytes = (size_t)(to - f->header);
	for (int i = 0; i < LENGTH; i++) f->header[i] = (char)((f->header_bytes - LENGTH) >> 8 * i);
}
