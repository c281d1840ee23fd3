/* functions.c - calls a line of functions/NAME.def; tests/peer/lines.py explains them.
 *
 * A call is an expression of the variables below. Those that a draw does not have are 0, which for
 * a keyword is "not given". The bodies are those of loops and transformations in the lines. */
#include "functions.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 64 };

static tsr_ctx *ctx;
static tsr_mesh *mesh;
static tsr *x, *y, *z, *w, *v, *key;
static int64_t n, m, k, dim, to, mode;
static bool keep, flag, flag2, flag3;
static double a, b;
static tsr_dtype dtype;
static tsr_dims dims, sizes, strides, low, high, base, apart, starts, stops;
static char text[MOST_TEXT], text2[MOST_TEXT], text3[MOST_TEXT];

static const struct {
	const char *name;
	enum { ARRAY, INTEGER, FLAG, REAL, DTYPE, DIMS, TEXT } kind;
	void *at;
} variables[] = {
	{"x", ARRAY, &x}, {"y", ARRAY, &y}, {"z", ARRAY, &z}, {"w", ARRAY, &w}, {"v", ARRAY, &v},
	{"key", ARRAY, &key}, {"n", INTEGER, &n}, {"m", INTEGER, &m}, {"k", INTEGER, &k},
	{"dim", INTEGER, &dim}, {"to", INTEGER, &to}, {"mode", INTEGER, &mode},
	{"keep", FLAG, &keep}, {"flag", FLAG, &flag}, {"flag2", FLAG, &flag2},
	{"flag3", FLAG, &flag3}, {"a", REAL, &a}, {"b", REAL, &b}, {"dtype", DTYPE, &dtype},
	{"dims", DIMS, &dims}, {"sizes", DIMS, &sizes}, {"strides", DIMS, &strides},
	{"low", DIMS, &low}, {"high", DIMS, &high}, {"base", DIMS, &base},
	{"apart", DIMS, &apart}, {"starts", DIMS, &starts}, {"stops", DIMS, &stops},
	{"text", TEXT, text}, {"text2", TEXT, text2}, {"text3", TEXT, text3}};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* ---- words */

static tsr *array_of(const char *word, tsr *const *in)
{
	tsr *bits = in[atoi(word + 1)];

	return strstr(word, ":bf16") ? tsr_bitcast_convert_type(bits, TSR_BF16) : bits;
}

static tsr_dtype dtype_of(const char *word)
{
	for (int d = TSR_DTYPE_DEFAULT + 1; d < TSR_DTYPE_COUNT_; d++)
		if (!strcmp(word, tsr_dtype_name((tsr_dtype)d))) return (tsr_dtype)d;
	return TSR_DTYPE_DEFAULT;
}

static tsr_dims dims_of(const char *word)
{
	tsr_dims list = TSR_DIMS();
	char *end;

	for (; *word; word = *end ? end + 1 : end) list.d[list.d[0]++] = strtoll(word, &end, 10);
	return list;
}

static bool set_variable(char *word, tsr *const *in)
{
	char *value = strchr(word, '=');
	int j = 0;

	if (!value) return false;
	*value++ = 0;
	while (j < VARIABLES && strcmp(variables[j].name, word) != 0) j++;
	if (j == VARIABLES) return false;
	void *at = variables[j].at;
	switch (variables[j].kind) {
	case ARRAY: *(tsr **)at = array_of(value, in); break;
	case INTEGER: *(int64_t *)at = strtoll(value, NULL, 10); break;
	case FLAG: *(bool *)at = *value == '1'; break;
	case REAL: *(double *)at = strtod(value, NULL); break;
	case DTYPE: *(tsr_dtype *)at = dtype_of(value); break;
	case DIMS: *(tsr_dims *)at = dims_of(value); break;
	case TEXT: strncpy(at, value, MOST_TEXT - 1); break;
	}
	return true;
}

static void forget(void)
{
	static const size_t bytes[] = {
		[ARRAY] = sizeof(tsr *), [INTEGER] = sizeof(int64_t), [FLAG] = sizeof(bool),
		[REAL] = sizeof(double), [DTYPE] = sizeof(tsr_dtype), [DIMS] = sizeof(tsr_dims),
		[TEXT] = MOST_TEXT};

	for (int j = 0; j < VARIABLES; j++) memset(variables[j].at, 0, bytes[variables[j].kind]);
}

/* ---- bodies */

static tsr *sine_of_square(tsr *s)
{
	return tsr_sin(tsr_square(s));
}

static tsr *sine_of_product(tsr *s, tsr *t)
{
	return tsr_sin(tsr_mul(s, t));
}

static tsr *sum_of_sines(tsr *s)
{
	return tsr_sum(sine_of_square(s));
}

static tsr *halves(tsr *s)
{
	return tsr_mul(s, 0.5);
}

static tsr *is_large(tsr *s)
{
	return tsr_gt(tsr_sum(tsr_abs(s)), 1);
}

static tsr *add_index(tsr *i, tsr *s)
{
	return tsr_add(s, tsr_astype(i, tsr_dtype_of(s)));
}

static tsr *tripled(tsr *s, tsr *t)
{
	return tsr_mul(sine_of_square(s), tsr_mul(t, 3));
}

static void value_and_triple(tsr_frame *frame)
{
	tsr *s = tsr_frame_arg(frame, 0);

	tsr_return(frame, sine_of_square(s), tripled(s, tsr_frame_arg(frame, 1)));
}

static void value_and_itself(tsr_frame *frame)
{
	tsr *s = tsr_frame_arg(frame, 0);

	tsr_return(frame, sine_of_square(s), s);
}

static void carry_and_half(tsr_frame *frame)
{
	tsr *s = tsr_add(tsr_frame_arg(frame, 0), tsr_frame_arg(frame, 1));

	tsr_return(frame, s, halves(s));
}

/* both results of a fn, of s or of s and t */
static bool both(tsr_fn *f, tsr *s, tsr *t, tsr **out)
{
	if (t) tsr_call_into(TSR_OUT(&out[0], &out[1]), f, s, t);
	else tsr_call_into(TSR_OUT(&out[0], &out[1]), f, s);
	return true;
}

/* what a linear function makes of y */
static tsr *applied(tsr_linearized l)
{
	return tsr_call(l.fn, l.residuals, y);
}

/* ---- lines. One with MAP is the body of a map with the axis "i" over x */

/* what tells such a body from others, for which its trace does not count */
static struct { long number, draw; } mapped;

static int results_of(long number, bool inside, tsr **out);

static tsr *in_map(tsr *element)
{
	tsr *result[MOST_RESULTS] = {NULL}, *whole = x;

	x = element;
	results_of(mapped.number, true, result);
	x = whole;
	return result[0];
}

static tsr_fn *over_axis(void)
{
	return flag3 ? tsr_pmap(ctx, in_map, .axis = "i", TSR_ENV(&mapped))
	             : tsr_vmap(ctx, in_map, .axis = "i", TSR_ENV(&mapped));
}

static int results_of(long number, bool inside, tsr **out)
{
	long at = 0;

#define FN(operands, call, ...) if (at++ == number) return out[0] = (call), 1;
#define OUT(operands, results, call, ...) if (at++ == number) return (void)(call), results;
#define MAP(operands, call, ...) \
	if (at++ == number) return out[0] = inside ? (call) : tsr_call(over_axis(), x), 1;
#include "functions/all.def"
	return 0;
}

static int take_words(tsr_ctx *in_ctx, long number, const char *words, tsr *const *in)
{
	char word[256];
	int used;

	forget();
	ctx = in_ctx;
	mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	mapped.number = number;
	mapped.draw++;
	for (; sscanf(words, "%255s%n", word, &used) == 1; words += used)
		if (!set_variable(word, in)) return false;
	return true;
}

int call_line(tsr_ctx *in_ctx, long number, const char *words, tsr *const *in, tsr **out)
{
	return take_words(in_ctx, number, words, in) ? results_of(number, false, out) : 0;
}

long line_of(const char *call)
{
	static const char *const calls[] = {
#define FN(operands, call, ...) #call,
#define OUT(operands, results, call, ...) #call,
#define MAP(operands, call, ...) #call,
#include "functions/all.def"
	};

	for (size_t j = 0; j < sizeof calls / sizeof *calls; j++)
		if (!strcmp(calls[j], call)) return (long)j;
	return -1;
}

/* ---- derivatives of lines, as fns of some operands */

static bool has_derivative(tsr *t)
{
	return tsr_dtype_of(t) >= TSR_F16;
}

static struct {
	tsr **at[VARIABLES];
	int count;
} moved;

static void line_of_moved(tsr_frame *frame)
{
	tsr *result[MOST_RESULTS] = {NULL};
	tsr_arg given[MOST_RESULTS];
	size_t n = 0;

	for (int j = 0; j < moved.count; j++) *moved.at[j] = tsr_frame_arg(frame, (size_t)j);
	const int count = results_of(mapped.number, false, result);
	for (int j = 0; j < count; j++)
		if (has_derivative(result[j])) given[n++] = TSR_ARG(result[j]);
	tsr_return_at(TSR_HERE, frame, given, n);
}

int gradient_of_line(tsr_ctx *in_ctx, long number, const char *words, tsr *const *in,
                     const char *by, int cotangents, tsr *const *cotangent, tsr **out)
{
	tsr *result[MOST_RESULTS];
	tsr_out at[MOST_OPERANDS];
	tsr_arg given[MOST_OPERANDS + 1];

	if (!take_words(in_ctx, number, words, in)) return 0;
	moved.count = 0;
	for (int j = 0; j < VARIABLES; j++) {
		if (variables[j].kind != ARRAY || !strchr(by, *variables[j].name)) continue;
		moved.at[moved.count] = variables[j].at;
		given[moved.count] = TSR_ARG(*moved.at[moved.count]);
		moved.count++;
	}
	for (int j = 0; j < cotangents; j++)
		at[j] = (tsr_out){.to = {.leaf = &result[j], .count = 1}};
	tsr_linearized l = tsr_vjp_at(TSR_HERE, at, (size_t)cotangents,
		tsr_jit(ctx, line_of_moved, TSR_ENV(&mapped)), given, (size_t)moved.count);
	given[0] = TSR_ARG(l.residuals);
	for (int j = 0; j < cotangents; j++) given[1 + j] = TSR_ARG(cotangent[j]);
	for (int j = 0; j < moved.count; j++)
		at[j] = (tsr_out){.to = {.leaf = &out[j], .count = 1}};
	tsr_call_into_at(TSR_HERE, at, (size_t)moved.count, l.fn, given, (size_t)cotangents + 1);
	return moved.count;
}
