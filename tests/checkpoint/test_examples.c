/* test_examples.c - the worked examples at the heads of pieces.c, needs.c, write.c and read.c. */
#include "checkpoint/checkpoint_rig.h"
#include "support/heads.h"
#include <sys/syscall.h>

/* the lines of an example; text: what they must be, each with its end */
static void assert_head(const char *source, const char *text)
{
	char *lines = head_indented(source), found[2000] = "";

	assert_non_null(lines);
	for (const char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		strcat(strcat(found, line), "\n");
	free(lines);
	assert_string_equal(found, text);
}

static tsr *cut(tsr_ctx *ctx, const tsr_mesh *mesh, const char *spec, const int64_t *dims, int ndim)
{
	const type *t = type_make(&ctx->ir, TSR_F32, dims, ndim, 0);
	static const float zeros[24];
	const sharding *s = sharding_of_text(&ctx->shards, mesh, spec);

	assert_non_null(s);
	return handle_of_array(ctx, array_from_host(ctx, t, zeros, s, true));
}

static void test_pieces(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	array *x = (array *)(uintptr_t)handle_array(NULL, cut(ctx, mesh, "[y]", (int64_t[]){8}, 1));
	const saved_leaf leaf = {"x", TSR_F32, 1, x->type->dims, x->sharding};
	const call_site site = {ctx, "test.c:1", "test"};
	arena *a = arena_make(&ctx->base);
	pieces p = {0};
	char text[400] = "";

	(void)state;
	assert_true(pieces_find(&site, a, &leaf, &x, 1, &p));
	for (int64_t k = 0; k < 4; k++) {
		int64_t start, stop;
		bool writes = false;
		sharding_box(x->sharding, x->type->dims, 1, k, &start, &stop);
		for (size_t f = 0; f < p.nfiles; f++)
			writes |= p.file[f].device == k && *p.file[f].piece[0]->start == start &&
			          *p.file[f].piece[0]->dims == stop - start;
		sprintf(text + strlen(text), "device %d holds [%d:%d]%s\n", (int)k, (int)start,
		        (int)stop, writes ? " and writes it" : "");
	}
	assert_head("src/lib/checkpoint/pieces.c", text);
	pieces_free(&ctx->base, &p);
	arena_free(a);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void test_needs(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	const int64_t dims[2] = {4, 6};
	const array *saved_as = handle_array(NULL, cut(ctx, mesh, "[-,x]", dims, 2));
	const array *wanted = handle_array(NULL, cut(ctx, mesh, "[x,-]", dims, 2));
	const saved_leaf leaf = {"x", TSR_F32, 2, dims, saved_as->sharding};
	const checkpoint c = {.base = &ctx->base};
	needs n = {.arena = arena_make(&ctx->base)};
	char text[400] = "";

	(void)state;
	assert_true(needs_add(&c, &n, &leaf, wanted));
	assert_int_equal(n.n, 4);
	for (size_t k = 0; k < 2; k++) { /* of device 0 */
		const need *x = n.need[k];
		assert_true(x->block == wanted->shard[0] && x->n == 1);
		sprintf(text + strlen(text),
		        "file of device %d, piece [%d:%d,%d:%d]: %d runs of %d bytes, "
		        "from %d, %d to %d, %d of the block\n",
		        (int)x->device, (int)x->piece_start[0],
		        (int)(x->piece_start[0] + x->piece_dims[0]), (int)x->piece_start[1],
		        (int)(x->piece_start[1] + x->piece_dims[1]), (int)x->count[0], (int)x->run,
		        (int)x->from_begin, (int)(x->from_begin + x->from[0]), (int)x->to_begin,
		        (int)(x->to_begin + x->to[0]));
	}
	assert_head("src/lib/checkpoint/needs.c", text);
	needs_free(&n);
	arena_free(n.arena);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- pictures of a file: a sign for each eighth of a chunk */

enum { SIGN = CHUNK / 8, SIGNS = 36 };
static size_t header, data; /* of the file */
static char seen[200];      /* what is read or written */
static const char *array_at;
static size_t array_size;

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	const size_t from = (size_t)at - header;

	for (size_t k = 0; header && (size_t)at >= header && k * SIGN < n; k++)
		seen[from / SIGN + k] =
			from % CHUNK == 0 && (n == CHUNK || from + n == data) ? '=' : '-';
	return syscall(SYS_pread64, fd, to, n, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	const char *from = bytes;
	const bool in_array = from >= array_at && from + n <= array_at + array_size;

	if (array_at && at && n >= CHUNK / 2)
		sprintf(seen + strlen(seen), "%-8s", in_array ? "in a" : "in the room");
	return syscall(SYS_pwrite64, fd, bytes, n, at);
}

/* the line at the head of a source that begins with a word, behind that */
static char *head_line(const char *source, const char *word)
{
	char *lines = head_indented(source), *at = strstr(lines, word);

	assert_non_null(at);
	at += strlen(word);
	at[strcspn(at, "\n")] = 0;
	at = strdup(at);
	free(lines);
	return at;
}

static void test_write(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 1);
	char *drawn = head_line("src/lib/checkpoint/write.c", "pieces    ");
	char *hashed = head_line("src/lib/checkpoint/write.c", "hashed    ");
	int64_t size[3] = {0};
	tsr *x[3];

	(void)state;
	for (const char *at = drawn; *at; at++) size[*at - 'a'] += SIGN;
	for (int k = 0; k < 3; k++) x[k] = tsr_zeros(ctx, TSR_DIMS(size[k]), .dtype = TSR_U8);
	array_at = tsr_shard_borrow(x[0], 0, NULL);
	array_size = (size_t)size[0];
	assert_true(tsr_checkpoint_save(folder, 0, TSR_LEAVES(x, 3)));
	array_at = NULL;
	assert_string_equal(seen, hashed);
	free(drawn);
	free(hashed);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* what a line shows as needed of a leaf of SIGNS signs */
static void add_drawn(needs *n, const char *line, const saved_leaf *leaf, buffer *block)
{
	static const int64_t start;
	static int64_t at;

	for (size_t k = 0, m; line[k]; k += m ? m : 1) {
		m = strspn(line + k, "-");
		if (!m) continue;
		need *x = arena_alloc(n->arena, sizeof *x);
		const int64_t from = (int64_t)k * SIGN;
		*x = (need){.leaf = leaf,
		            .piece_start = &start,
		            .piece_dims = leaf->dims,
		            .run = (int64_t)m * SIGN,
		            .from_begin = from,
		            .to_begin = from,
		            .block = block,
		            .at = &at};
		assert_true(
			mem_room(arena_base(n->arena), (void **)&n->need, n->n, &n->cap, sizeof x));
		n->need[n->n++] = x;
	}
}

static void test_read(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 1);
	char *drawn = head_line("src/lib/checkpoint/read.c", "needed  ");
	char *read = head_line("src/lib/checkpoint/read.c", "read    ");
	tsr *x = tsr_zeros(ctx, TSR_DIMS(SIGNS * SIGN), .dtype = TSR_U8);

	(void)state;
	assert_true(tsr_checkpoint_save(folder, 1, TSR_LEAVES(&x, 1)));
	checkpoint c = {
		.base = &ctx->base, .where = "test.c:1", .op = "test", .path = in_folder("1")};
	assert_true(checkpoint_read(&c));
	needs n = {.arena = c.arena};
	add_drawn(&n, drawn, &c.leaf[0], handle_array(NULL, x)->shard[0]);
	header = c.file[0].header;
	data = SIGNS * SIGN;
	memset(seen, ' ', SIGNS);
	seen[SIGNS] = 0;
	assert_true(needs_read(&c, &n));
	header = 0;
	assert_string_equal(seen, read);
	needs_free(&n);
	checkpoint_free(&c);
	free(drawn);
	free(read);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
