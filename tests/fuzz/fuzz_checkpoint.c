/* fuzz_checkpoint.c - any bytes as the index and the file of a checkpoint: it is refused, or it
 * loads.
 *
 * An input is the index without its last line, a zero byte, and the file of device 0. Hashes that
 * do not fit would hide all else, so what stands for them is filled in: @B and @H, bytes of the
 * file and of its header, @X the hash of that, and the last line. */
#include "fuzz_files.h"
#include "lib/checkpoint/checkpoint.h"
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];

static void remove_dir(void)
{
	char path[200];
	static const char *const names[] = {"/0/" INDEX_NAME, "/0/00000-00000.safetensors", "/0",
	                                    ""};

	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		snprintf(path, sizeof path, "%s%s", dir, names[k]);
		remove(path);
	}
}

static void make_dir(void)
{
	char path[200];

	if (*dir) return;
	snprintf(dir, sizeof dir, "%s/tsr-fuzz-%ld", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
	         (long)getpid());
	snprintf(path, sizeof path, "%s/0", dir);
	require(mkdir(dir, 0700) == 0 && mkdir(path, 0700) == 0 && atexit(remove_dir) == 0);
}

static void write_file(const char *name, const void *bytes, size_t n)
{
	char path[200];

	snprintf(path, sizeof path, "%s/0/%s", dir, name);
	FILE *file = fopen(path, "wb");
	require(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

/* bytes of the header that a file seems to have */
static size_t header_of(const uint8_t *file, size_t n)
{
	uint64_t length = 0;

	for (int i = 7; n >= 8 && i >= 0; i--) length = length << 8 | file[i];
	return n < 8 ? 0 : length > n - 8 ? n : (size_t)length + 8;
}

static void put_index(str *s, const char *text, size_t n, const uint8_t *file, size_t bytes)
{
	const size_t header = header_of(file, bytes);
	char end[INDEX_END];

	for (const char *at = text; at < text + n; at++) {
		const char which = *at == '@' && at + 1 < text + n ? at[1] : 0;
		if (which == 'B')
			str_printf(s, "%zu", bytes);
		else if (which == 'H')
			str_printf(s, "%zu", header);
		else if (which == 'X')
			str_printf(s, "%016llx", (unsigned long long)hash_bytes(file, header, 0));
		else
			str_putn(s, at, 1);
		at += which == 'B' || which == 'H' || which == 'X';
	}
	str_put(s, "");
	index_end(end, hash_bytes(s->s, s->len, 0));
	str_put(s, end);
}

/* the files are written where they can matter; leaves: that are loaded */
static void load(tsr_ctx *ctx, size_t leaves, const str *index, const uint8_t *file, size_t n)
{
	TSR_SCOPE(ctx);
	tsr *x[3] = {0};

	make_dir();
	write_file(INDEX_NAME, index->s, index->len);
	write_file("00000-00000.safetensors", file, n);
	if (!tsr_checkpoint_load(dir, 0, TSR_LEAVES(x, leaves))) require_refused(ctx);
	if (!tsr_checkpoint_verify(ctx, dir, 0)) require_refused(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	tsr_ctx *ctx = fuzz_ctx();
	const uint8_t *zero = n ? memchr(bytes, 0, n) : NULL;
	const size_t text = zero ? (size_t)(zero - bytes) : n;
	const uint8_t *file = zero ? zero + 1 : bytes + n;
	str index = {.base = &ctx->base};
	checkpoint c = {.base = &ctx->base, .where = "fuzz.c:1", .op = "load", .path = "input"};

	put_index(&index, (const char *)bytes, text, file, n - text - !!zero);
	const bool ok = checkpoint_parse(&c, index.s, index.len);
	const size_t leaves = c.nleaves < 3 ? c.nleaves : 3;
	checkpoint_free(&c);
	if (ok)
		load(ctx, leaves, &index, file, n - text - !!zero);
	else
		require_refused(ctx);
	str_free(&index);
	return 0;
}
