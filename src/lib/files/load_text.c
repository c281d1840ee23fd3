/* load_text.c - numbers in columns of text, as numpy.loadtxt reads them.
 *
 *     # t  x           with .dtype = TSR_I32
 *     1  10            gives [[1 10]
 *     2  20  # late           [2 20]], and with .columns = TSR_DIMS(1)  [10 20] */
#include "lib/files/files.h"

typedef struct text_reader {
	tsr_ctx *ctx;
	const char *where, *path;
	const tsr_load_text_args *given;
	tsr_dtype dtype;
	char *at, *end; /* what is left of the text, behind which is a 0 */
	int64_t line;   /* its number, from 1 */
	char **field;   /* the texts of a line, each ends in 0 */
	size_t fields, field_cap;
	char *out; /* the numbers */
	size_t bytes, out_cap;
	int64_t rows;
	size_t columns; /* of the first row */
} text_reader;

static bool wrong(const text_reader *r, const char *format, ...) PRINTF_LIKE(2, 3);
static bool wrong(const text_reader *r, const char *format, ...)
{
	str s = {.base = &r->ctx->base};
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	fail(&r->ctx->base, r->where, TSR_ERROR_FILE, "load_text: %s: line %lld %s", r->path,
	     (long long)r->line, text);
	str_free(&s);
	return false;
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* ---- one number */

static bool read_complex(const char **at, double out[2])
{
	const bool bracket = **at == '(';

	*at += bracket;
	while (bracket && is_blank(**at)) ++*at;
	if (!decimal_read(at, &out[0])) return false;
	out[1] = 0;
	if (**at == 'j') {
		out[1] = out[0];
		out[0] = 0;
		++*at;
	} else if (**at == '+' || **at == '-') {
		if (!decimal_read(at, &out[1]) || *(*at)++ != 'j') return false;
	}
	while (bracket && is_blank(**at)) ++*at;
	return !bracket || *(*at)++ == ')';
}

/* a whole number, as Python's int() reads it, as one of the dtype */
static bool read_whole(const char **at, tsr_dtype dtype, void *out)
{
	int64_t x;

	*at += **at == '+' && (*at)[1] != '-';
	if (dtype != TSR_BOOL) return number_read(at, dtype, out);
	if (!integer_read(at, &x)) return false;
	*(unsigned char *)out = x != 0;
	return true;
}

static bool read_number(const char *text, tsr_dtype dtype, void *out)
{
	double x[2];

	while (is_blank(*text)) text++;
	switch (dtype_kind(dtype)) {
	case KIND_FLOAT:
		if (!decimal_read(&text, x)) return false;
		dtype_convert(dtype, out, TSR_F64, x, 1);
		break;
	case KIND_COMPLEX:
		if (!read_complex(&text, x)) return false;
		dtype_convert(dtype, out, TSR_C128, x, 1);
		break;
	default:
		if (!read_whole(&text, dtype, out)) return false;
	}
	while (is_blank(*text)) text++;
	return !*text;
}

static bool add_number(text_reader *r, size_t column)
{
	const size_t item = tsr_dtype_size(r->dtype), n = r->bytes / item;
	str shown = {.base = &r->ctx->base};

	if (!mem_room(&r->ctx->base, (void **)&r->out, n, &r->out_cap, item)) return false;
	if (read_number(r->field[column], r->dtype, r->out + r->bytes)) {
		r->bytes += item;
		return true;
	}
	json_text(&shown, r->field[column]);
	wrong(r, "has %.100s in column %zu, which is no number of %s", shown.s ? shown.s : "?",
	      column, tsr_dtype_name(r->dtype));
	str_free(&shown);
	return false;
}

/* ---- a line */

/* the next line, without its end and what follows the mark of comments; NULL: there is none */
static char *next_line(text_reader *r)
{
	const char *mark = r->given->comments ? r->given->comments : "#";
	char *line = r->at;

	if (line == r->end) return NULL;
	char *end = line + strcspn(line, "\r\n");
	r->at = end + (*end == '\r' && end[1] == '\n') + (*end != 0);
	*end = 0;
	char *comment = *mark ? strstr(line, mark) : NULL;
	if (comment) *comment = 0;
	r->line++;
	return line;
}

static bool add_field(text_reader *r, char *text)
{
	if (!mem_room(&r->ctx->base, (void **)&r->field, r->fields, &r->field_cap,
	              sizeof *r->field))
		return false;
	r->field[r->fields++] = text;
	return true;
}

/* an empty line has no fields */
static bool split_by(text_reader *r, char *line, char delimiter)
{
	for (char *next = *line ? line : NULL; next;) {
		char *const text = next;
		next = strchr(text, delimiter);
		if (next) *next++ = 0;
		if (!add_field(r, text)) return false;
	}
	return true;
}

static bool split_at_blanks(text_reader *r, char *at)
{
	for (;;) {
		while (is_blank(*at)) at++;
		if (!*at) return true;
		if (!add_field(r, at)) return false;
		while (*at && !is_blank(*at)) at++;
		if (*at) *at++ = 0;
	}
}

static bool read_chosen(text_reader *r, const tsr_dims *columns)
{
	for (int i = 0; i < dims_count(columns); i++) {
		const int64_t k = dims_of(columns)[i];
		const int64_t n = (int64_t)r->fields;
		if (k < -n || k >= n)
			return wrong(r, "has %zu columns, and .columns has %lld", r->fields,
			             (long long)k);
		if (!add_number(r, (size_t)(k < 0 ? k + n : k))) return false;
	}
	return true;
}

static bool read_row(text_reader *r)
{
	const tsr_dims *columns = &r->given->columns;

	if (!r->rows) r->columns = columns->d[0] ? (size_t)dims_count(columns) : r->fields;
	r->rows++;
	if (columns->d[0]) return read_chosen(r, columns);
	if (r->fields != r->columns)
		return wrong(r, "has %zu columns, and those before have %zu: .columns takes some",
		             r->fields, r->columns);
	for (size_t k = 0; k < r->fields; k++)
		if (!add_number(r, k)) return false;
	return true;
}

static bool read_lines(text_reader *r)
{
	const char *delimiter = r->given->delimiter;

	while (r->line < r->given->skip)
		if (!next_line(r)) break;
	for (char *line; (line = next_line(r));) {
		r->fields = 0;
		if (!(delimiter ? split_by(r, line, *delimiter) : split_at_blanks(r, line)))
			return false;
		if (r->fields && !read_row(r)) return false;
	}
	return true;
}

/* ---- the file */

/* rows and columns; one of them alone where the other is 1, as numpy.loadtxt has it */
static array *array_of_rows(text_reader *r)
{
	int64_t dims[2] = {r->rows, (int64_t)r->columns};
	int ndim = 2;

	if (!r->bytes) {
		dims[0] = 0;
		ndim = 1;
	} else if (dims[0] == 1 || dims[1] == 1) {
		dims[0] *= dims[1];
		ndim = dims[0] > 1;
	}
	const type *t = type_make(&r->ctx->ir, r->dtype, dims, ndim, 0);
	const sharding *s = t ? sharding_one(&r->ctx->shards, r->where, r->ctx->home) : NULL;
	return s ? array_from_host(r->ctx, t, r->bytes ? r->out : "", s, false) : NULL;
}

static array *read_text(text_reader *r)
{
	base *b = &r->ctx->base;
	size_t n;
	char *text = file_read(b, r->where, "load_text", r->path, PTRDIFF_MAX - 2, &n);
	array *a = NULL;

	r->at = text;
	r->end = text ? text + n : NULL;
	if (text && memchr(text, 0, n))
		fail(b, r->where, TSR_ERROR_FILE,
		     "load_text: %s is no text: it holds a zero byte", r->path);
	else if (text && read_lines(r))
		a = array_of_rows(r);
	mem_free(b, text);
	mem_free(b, r->field);
	mem_free(b, r->out);
	return a;
}

static bool keywords_fit(const call_site *site, const tsr_load_text_args *a)
{
	base *b = &site->ctx->base;
	const char *d = a->delimiter;

	if (d && (!*d || d[1] || *d == '\n' || *d == '\r' || (unsigned char)*d >= 0x80))
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".delimiter is one character of ASCII, and no end of a line");
	if (a->skip < 0)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".skip is a number of lines, and not negative");
	return dtype_given_ok(site, a->dtype) && dims_ok(site, ".columns", &a->columns, false);
}

tsr *tsr_load_text_at(const char *where, tsr_ctx *ctx, const char *path,
                      const tsr_load_text_args *given)
{
	TURN_OF(ctx, where, poison_of(ctx));
	const call_site site = {ctx, where, "load_text"};

	if (!ctx_ok(where, site.op, ctx)) return poison_of(ctx);
	const tsr_load_text_args *a = KEYWORDS(tsr_load_text_args, where, ctx, given);
	if (!a || !keywords_fit(&site, a)) return poison_of(ctx);
	if (!path) return refuse_op(&site, TSR_ERROR_ARGUMENT, "the path is NULL");
	text_reader r = {.ctx = ctx, .where = where, .path = path, .given = a,
	                 .dtype = dtype_or_usual(ctx, a->dtype, KIND_FLOAT)};
	return handle_of_array(ctx, read_text(&r));
}
