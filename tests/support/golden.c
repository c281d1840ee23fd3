/* golden.c - reading the recorded arrays and texts of tests/golden/data and comparing with them.
 *
 * Expected values are read here and not by the library: the files are .npy 1.0, little endian,
 * C order, with bfloat16 as uint16. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FOLDER "tests/golden/data/"

typedef struct row {
	char kind[8], file[96], dtype[16], shape[32];
	double rtol, atol;
} row;

int golden_open(void **state)
{
	*state = tsr_open(.devices = 8);
	return 0;
}

int golden_close(void **state) { return tsr_close(*state); }

/* ---- records */

static row find(const char *id, const char *name)
{
	row r = {0};
	char line[512], row_id[64], row_name[64];
	bool found = false;
	FILE *index = fopen(FOLDER "index.tsv", "r");
	if (!index) fail_msg("no " FOLDER "index.tsv: tests run from the root of the source tree");
	while (!found && fgets(line, sizeof line, index))
		found = sscanf(line, "%63s %7s %63s %95s %15s %31s %lf %lf", row_id, r.kind,
		               row_name, r.file, r.dtype, r.shape, &r.rtol, &r.atol) == 8 &&
		        !strcmp(row_id, id) && !strcmp(row_name, name);
	fclose(index);
	if (!found) fail_msg("%s %s: not in the index", id, name);
	return r;
}

/* a whole file, ended by a 0 that size does not count; to be freed */
static char *file_bytes(const char *file, size_t *size)
{
	char path[128];
	snprintf(path, sizeof path, FOLDER "%s", file);
	FILE *in = fopen(path, "rb");
	if (!in) fail_msg("cannot open %s", path);
	assert_int_equal(fseek(in, 0, SEEK_END), 0);
	const long all = ftell(in);
	assert_true(all >= 0);
	rewind(in);
	char *bytes = malloc((size_t)all + 1);
	assert_non_null(bytes);
	*size = fread(bytes, 1, (size_t)all, in);
	bytes[*size] = 0;
	assert_int_equal(*size, all);
	fclose(in);
	return bytes;
}

/* the elements in an .npy file of `size` bytes of elements; to be freed */
static char *elements(const char *file, size_t size)
{
	size_t all;
	char *bytes = file_bytes(file, &all);
	assert_true(all >= 10 && !memcmp(bytes, "\x93NUMPY\x01", 8));
	const size_t start = 10 + (unsigned char)bytes[8] + 256 * (size_t)(unsigned char)bytes[9];
	if (all != start + size) fail_msg("%s has not %zu bytes of elements", file, size);
	memmove(bytes, bytes + start, size);
	return bytes;
}

static tsr_dtype dtype_of(const row *r)
{
	static const struct {
		const char *name;
		tsr_dtype dtype;
	} all[] = {
		{"bool", TSR_BOOL},     {"int8", TSR_I8},     {"int16", TSR_I16},
		{"int32", TSR_I32},     {"uint8", TSR_U8},    {"uint16", TSR_U16},
		{"uint32", TSR_U32},    {"key<fry>", TSR_U32}, {"float16", TSR_F16},
		{"bfloat16", TSR_BF16}, {"float32", TSR_F32}, {"complex64", TSR_C64},
		{"float64", TSR_F64},
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i].name, r->dtype)) return all[i].dtype;
	fail_msg("%s: unknown dtype %s", r->file, r->dtype);
	return TSR_DTYPE_DEFAULT;
}

/* poison, a wrong dtype or a wrong shape end the test */
static void same_type(const tsr *x, const row *r)
{
	char shape[64] = "-";
	if (tsr_is_poison(x)) fail_msg("%s: %s", r->file, tsr_message(tsr_ctx_of(x)));
	for (int d = 0, at = 0; d < tsr_ndim(x); d++)
		at += snprintf(shape + at, sizeof shape - (size_t)at, "%s%" PRId64, d ? "x" : "",
		               tsr_dim(x, d));
	if (tsr_dtype_of(x) != dtype_of(r) || strcmp(shape, r->shape))
		fail_msg("%s: got %s %s, want %s %s", r->file, tsr_dtype_name(tsr_dtype_of(x)),
		         shape, r->dtype, r->shape);
}

tsr *golden_load(tsr_ctx *ctx, const char *id, const char *name)
{
	char path[128];
	const row r = find(id, name);
	snprintf(path, sizeof path, FOLDER "%s", r.file);
	tsr *x = tsr_load_npy(ctx, path);
	if (dtype_of(&r) == TSR_BF16) {
		uint16_t bits[64];
		assert_true(tsr_nbytes(x) <= (int64_t)sizeof bits);
		assert_true(tsr_read(x, bits, (size_t)tsr_nbytes(x)));
		x = tsr_from(ctx, bits, TSR_BF16, tsr_shape(x));
	}
	same_type(x, &r);
	return x;
}

/* ---- values */

static void same_bits(tsr *got, const row *r)
{
	const size_t size = (size_t)tsr_nbytes(got), step = tsr_dtype_size(tsr_dtype_of(got));
	char *have = malloc(size + 1), *want = elements(r->file, size);
	assert_non_null(have);
	assert_true(tsr_read(got, have, size));
	for (size_t i = 0; i < size; i += step)
		if (memcmp(have + i, want + i, step))
			fail_msg("%s: element %zu differs; got\n%s", r->file, i / step,
			         tsr_text(got));
	free(have);
	free(want);
}

static double *as_doubles(tsr *x)
{
	double *values = malloc((size_t)tsr_size(x) * sizeof *values + 1);
	assert_non_null(values);
	assert_true(tsr_read_into(x, values, .dtype = TSR_F64));
	return values;
}

static bool close_to(double got, double want, const row *r)
{
	return fabs(got - want) <= r->atol + r->rtol * fabs(want);
}

static void same_numbers(tsr *got, const row *r)
{
	char *bytes = elements(r->file, (size_t)tsr_nbytes(got));
	double *have = as_doubles(got);
	double *want = as_doubles(tsr_from(got, bytes, tsr_dtype_of(got), tsr_shape(got)));
	for (int64_t i = 0; i < tsr_size(got); i++)
		if (!close_to(have[i], want[i], r))
			fail_msg("%s: element %" PRId64 ": got %.9g, want %.9g", r->file, i,
			         have[i], want[i]);
	free(have);
	free(want);
	free(bytes);
}

void golden_equal(tsr *got, const char *id, const char *name)
{
	const row r = find(id, name);
	same_type(got, &r);
	if (r.rtol == 0 && r.atol == 0)
		same_bits(got, &r);
	else
		same_numbers(got, &r);
}

void golden_sampled(tsr *x, const char *id, const char *names)
{
	enum { MOST = 64 };
	const char *blank = strchr(names, ' ');
	char places[64];
	int32_t at[MOST];
	const size_t each = tsr_dtype_size(tsr_dtype_of(x));
	char found[MOST * 16], *all = malloc((size_t)tsr_nbytes(x));

	assert_non_null(all);
	assert_non_null(blank);
	snprintf(places, sizeof places, "%.*s", (int)(blank - names), names);
	const tsr *wanted = golden_load(tsr_ctx_of(x), id, places);
	const int64_t n = tsr_size(wanted);
	assert_in_range(n, 1, MOST);
	assert_true(tsr_read(wanted, at, (size_t)n * sizeof *at));
	assert_true(tsr_read(x, all, (size_t)tsr_nbytes(x)));
	for (size_t k = 0; k < (size_t)n; k++)
		memcpy(found + k * each, all + (size_t)at[k] * each, each);
	free(all);
	golden_equal(tsr_from(x, found, tsr_dtype_of(x), TSR_DIMS(n)), id, blank + 1);
}

void golden_sharded(tsr *x, const tsr_mesh *mesh, tsr_spec spec)
{
	const tsr_sharding *want = tsr_sharding_make(mesh, spec), *got = tsr_sharding_of(x);
	bool split = false;
	assert_non_null(got);
	if (!tsr_sharding_equivalent(got, want, tsr_ndim(x)))
		fail_msg("got %s, want %s", tsr_sharding_text(got), tsr_sharding_text(want));
	for (int64_t i = 1; i < spec.n1; i++) split |= spec.d[i] != NULL;
	assert_int_equal(tsr_is_fully_replicated(x), !split);
}

/* ---- collectives */

void golden_moves(double bytes, const char *id, const char *name)
{
	char line[1024], row_id[64], row_name[64], what[160];
	int text = 0; /* where the collectives begin */
	FILE *table = fopen(FOLDER "collectives.tsv", "r");
	if (!table) fail_msg("no " FOLDER "collectives.tsv");
	while (!text && fgets(line, sizeof line, table))
		if (sscanf(line, "%63s %63s %n", row_id, row_name, &text) != 2 ||
		    strcmp(row_id, id) != 0 || strcmp(row_name, name) != 0)
			text = 0;
	fclose(table);
	snprintf(what, sizeof what, "%s %s", id, name);
	if (!text) fail_msg("%s: not in the table of collectives", what);
	moves_at_most(what, bytes, line + text);
}

/* ---- gradients */

/* x..., ct -> the sum over ct * f(x...) */
static void weighted(tsr_frame *frame)
{
	tsr_fn *const *f = tsr_frame_env(frame);
	const size_t n = tsr_frame_count(frame) - 1;
	tsr_arg x[TSR_MAX_ARGS];
	for (size_t i = 0; i < n; i++) x[i] = TSR_ARG(tsr_frame_arg(frame, i));
	tsr *y = tsr_call_at(TSR_HERE, *f, x, n);
	tsr_return(frame, tsr_sum(tsr_mul(y, tsr_frame_arg(frame, n))));
}

void golden_grads(tsr_fn *f, tsr *const *x, tsr **dx, const char *id, const char *names)
{
	enum { MOST = 1 + TSR_MAX_ARGS };
	char name[MOST][40], ct[40], program[40] = "";
	tsr_arg args[MOST];
	tsr *got[MOST];
	tsr_out outs[MOST];
	tsr_dims wrt = TSR_DIMS();
	size_t n = 0; /* a sum and its gradients, or arguments and ct */
	int size;

	assert_int_equal(sscanf(names, "%39s%n", ct, &size), 1);
	for (const char *at = names + size; n < MOST && sscanf(at, "%39s%n", name[n], &size) == 1;
	     at += size) {
		if (strstr(name[n], ".moves")) {
			strcpy(program, name[n]);
			continue;
		}
		outs[n] = TSR_OUT_(&got[n]);
		if (n) args[n - 1] = TSR_ARG(x[n - 1]);
		if (n) wrt.d[wrt.d[0]++] = (int64_t)n - 1;
		n++;
	}
	args[n - 1] = TSR_ARG(golden_load(tsr_fn_ctx(f), id, ct));
	tsr_fn *g = tsr_value_and_grad(f, weighted, .wrt = wrt, TSR_ENV(&f));
	for (int jit = 0; jit < 2; jit++) {
		tsr_call_into_at(TSR_HERE, outs, n, jit ? tsr_jit(f, g) : g, args, n);
		for (size_t i = 0; i < n; i++) golden_equal(got[i], id, name[i]);
		for (size_t i = 1; dx && i < n; i++) dx[i - 1] = got[i];
	}
	tsr_costs costs = {.size = sizeof costs};
	if (!*program) return;
	assert_true(tsr_fn_costs_at(TSR_HERE, tsr_jit(f, g), &costs, args, n));
	golden_moves(costs.bytes, id, program);
}

/* ---- texts */

const char *golden_text(const char *id, const char *name)
{
	static char text[1 << 14];
	size_t size;
	char *bytes = file_bytes(find(id, name).file, &size);
	assert_true(size < sizeof text);
	memcpy(text, bytes, size + 1);
	free(bytes);
	return text;
}

void golden_same_text(const char *got, const char *id, const char *name)
{
	const char *want = golden_text(id, name);
	const size_t size = strlen(got), ended = size && got[size - 1] == '\n' ? size : size + 1;
	if (ended != strlen(want) || memcmp(got, want, size))
		fail_msg("%s %s: got\n%s\nwant\n%s", id, name, got, want);
}

void golden_truth(bool got, const char *id, const char *name)
{
	golden_same_text(got ? "True" : "False", id, name);
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool says(const char *text, const char *fact)
{
	const size_t size = strlen(fact);
	for (const char *at = text; (at = strstr(at, fact)); at++) {
		const bool begins = at > text && in_word(at[-1]) && in_word(fact[0]);
		if (!begins && !(in_word(fact[size - 1]) && in_word(at[size]))) return true;
	}
	return false;
}

bool golden_has(const char *names, const char *word)
{
	const size_t size = strlen(word);
	for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == size && !memcmp(at, word, size)) return true;
	return false;
}

/* a recorded message as ours would write it: f32 for float32 */
static void in_our_words(const char *message, char *out)
{
	for (const char *at = message; *at;) {
		if (!strncmp(at, "float32", 7)) {
			memcpy(out, "f32", 3);
			out += 3;
			at += 7;
		} else {
			*out++ = *at++;
		}
	}
	*out = 0;
}

void golden_error(tsr_ctx *ctx, int code, const char *file, const char *id, const char *name,
                  const char *const *facts, const char *const *own)
{
	static char recorded[1 << 12];
	const char *message = tsr_message(ctx), *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file;
	if (tsr_status(ctx) != code)
		fail_msg("%s: got code %d, want %d: %s", name, tsr_status(ctx), code, message);
	const char *place = strstr(message, base);
	if (!place) fail_msg("%s: not located in %s: %s", name, base, message);
	message = place + strlen(base) + 1;
	message += strspn(message, "0123456789");
	in_our_words(golden_text(id, name), recorded);
	for (; *facts; facts++) {
		if (!says(recorded, *facts))
			fail_msg("%s: the recorded message has no %s", name, *facts);
		if (!says(message, *facts)) fail_msg("%s: no %s in%s", name, *facts, message);
	}
	for (; *own; own++)
		if (!says(message, *own)) fail_msg("%s: no %s in%s", name, *own, message);
	tsr_clear(ctx);
}
