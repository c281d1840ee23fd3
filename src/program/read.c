/* read.c - reads the tokens of program text, and gives messages with line and column.
 *
 * Example:
 *
 *     f(%0: f32[3]) -> f32[3] {
 *       %1: f32[3] = neg &0
 *       return %1
 *     }
 *
 * is refused with
 *
 *     head: line 2, column 18: expected a parameter or the end of the line, found '&'
 *
 * The text is a copy that ends in a NUL, so looking one character ahead is always safe; a NUL
 * before its end fits no token. */
#include <stdio.h>
#include "program/text.h"

#define MAX_WORD 64                /* characters of a word in a message */

/* ---- messages */

static void text_place(const reader *r, const char *at, int64_t *line, int64_t *col)
{
	const char *start = r->text;

	*line = 1;
	for (const char *c = r->text; c < at; c++)
		if (*c == '\n') {
			++*line;
			start = c + 1;
		}
	*col = at - start + 1;
}

bool fail_at(const reader *r, const char *at, const char *format, ...)
{
	char text[512];
	int64_t line, col;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	text_place(r, at, &line, &col);
	return fail(r->base, r->where, TSR_ERROR_TEXT, "line %lld, column %lld: %s",
	            (long long)line,
	            (long long)col, text);
}

void note_place(const reader *r, const char *at)
{
	int64_t line, col;

	if (r->had_error) return;
	text_place(r, at, &line, &col);
	fail_note(r->base, "line %lld, column %lld of the program text", (long long)line,
	          (long long)col);
}

bool fail_expected(const reader *r, const char *what)
{
	const char c = *r->at;

	if (r->at >= r->end)
		return fail_at(r, r->at, "expected %s, found the end of the text", what);
	if (c == '\n') return fail_at(r, r->at, "expected %s, found the end of the line", what);
	if (is_control(c) || (unsigned char)c > 0x7e)
		return fail_at(r, r->at, "expected %s, found the byte 0x%02x", what,
		               (unsigned)(unsigned char)c);
	return fail_at(r, r->at, "expected %s, found '%c'", what, c);
}

/* Levenshtein distance; a word longer than MAX_WORD counts as far away */
static int distance(const char *a, const char *b)
{
	int row[MAX_WORD + 1];
	const size_t na = strlen(a), nb = strlen(b);

	if (na > MAX_WORD || nb > MAX_WORD) return MAX_WORD;
	for (size_t j = 0; j <= nb; j++) row[j] = (int)j;
	for (size_t i = 1; i <= na; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= nb; j++) {
			int best = diagonal + (a[i - 1] != b[j - 1]);
			if (row[j] + 1 < best) best = row[j] + 1;
			if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[nb];
}

const char *nearest(const char *word, const char *(*name)(const void *from, int i),
                    const void *from,
                    int n)
{
	const int len = (int)strnlen(word, MAX_WORD);
	int best = 1 + (len < 3 ? 1 : len / 3);
	const char *found = NULL;

	for (int i = 0; i < n; i++) {
		const int far = distance(word, name(from, i));
		if (far >= best) continue;
		best = far;
		found = name(from, i);
	}
	return found;
}

/* ---- characters */

void skip_spaces(reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') r->at++;
}

void skip_blanks(reader *r)
{
	for (;;) {
		skip_spaces(r);
		if (*r->at == '#')
			while (r->at < r->end && *r->at != '\n') r->at++;
		if (*r->at != '\n') return;
		r->at++;
	}
}

bool skip_char(reader *r, char c)
{
	skip_blanks(r);
	if (*r->at != c) return false;
	r->at++;
	return true;
}

bool expect(reader *r, char c)
{
	return skip_char(r, c) || fail_expected(r, (char[]){'\'', c, '\'', 0});
}

/* ---- words, strings, integers */

size_t word_length(const char *at)
{
	size_t n = 0;

	if (!is_letter(at[0])) return 0;
	while (is_word_part(at[n])) n++;
	return n;
}

static const char *keep(reader *r, const char *text, size_t n)
{
	char *copy = arena_alloc(r->scratch, n + 1);

	if (copy) memcpy(copy, text, n);
	return copy;
}

const char *read_word(reader *r, const char *what)
{
	skip_blanks(r);
	const size_t n = word_length(r->at);
	if (!n) {
		fail_expected(r, what);
		return NULL;
	}
	r->at += n;
	return keep(r, r->at - n, n);
}

static int hex_value(char c)
{
	if (is_digit(c)) return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* after a backslash; a NUL cannot be in a name */
static bool read_escape(reader *r, char *out)
{
	const char c = *r->at++;

	*out = c;
	if (c == '"' || c == '\\') return true;
	const int high = c == 'x' ? hex_value(r->at[0]) : -1;
	const int low = high >= 0 ? hex_value(r->at[1]) : -1;
	if (high < 0 || low < 0 || high + low == 0)
		return fail_at(r, r->at - 2,
		               "a backslash comes before '\"', '\\' or x and two hex digits");
	*out = (char)(high * 16 + low);
	r->at += 2;
	return true;
}

const char *read_string(reader *r, const char *what)
{
	if (!skip_char(r, '"')) {
		fail_expected(r, what);
		return NULL;
	}
	const char *end = r->at;
	while (end < r->end && *end != '"' && *end != '\n')
		end += *end == '\\' && end + 1 < r->end ? 2 : 1;
	char *text = arena_alloc(r->scratch, (size_t)(end - r->at) + 1), *to = text;
	if (!text) return NULL;
	while (*r->at != '"') {
		if (is_control(*r->at)) {
			fail_expected(r, "the '\"' that ends a string");
			return NULL;
		}
		*to = *r->at++;
		if (*to == '\\' && !read_escape(r, to)) return NULL;
		to++;
	}
	r->at++;
	return text;
}

const char *read_name(reader *r, const char *what)
{
	skip_blanks(r);
	return *r->at == '"' ? read_string(r, what) : read_word(r, what);
}

bool read_integer(reader *r, int64_t least, int64_t most, int64_t *out)
{
	skip_blanks(r);
	const char *start = r->at;
	if (!is_digit(start[0]) && !(start[0] == '-' && is_digit(start[1])))
		return fail_expected(r, "an integer");
	if (!integer_read(&r->at, out))
		return fail_at(r, start, "an integer that does not fit in 64 bits");
	if (*out < least || *out > most)
		return fail_at(r, start, "%lld is out of range [%lld, %lld]", (long long)*out,
		               (long long)least, (long long)most);
	return true;
}

/* ---- axes, dtypes, types */

bool read_axis(reader *r, const axis *axes, int naxes, int *entry)
{
	skip_blanks(r);
	const char *start = r->at, *name = read_name(r, "the name of an axis");
	int64_t outward = 0;

	if (!name) return false;
	if (*r->at == '^') {
		r->at++;
		if (!read_integer(r, 1, MAX_AXES, &outward)) return false;
	}
	for (*entry = naxes - 1; *entry >= 0; --*entry)
		if (strcmp(axes[*entry].name, name) == 0 && outward-- == 0) return true;
	return fail_at(r, start, "no axis named '%.64s' is in scope", name);
}

bool read_dtype(reader *r, tsr_dtype *out)
{
	skip_blanks(r);
	const size_t n = word_length(r->at);

	*out = n ? dtype_parse(r->at, n) : TSR_DTYPE_DEFAULT;
	if (!dtype_ok(*out)) return fail_expected(r, "a dtype (f32, i32, bool, ...)");
	r->at += n;
	return true;
}

bool read_etype(reader *r, etype *out)
{
	*out = (etype){0};
	if (!read_dtype(r, &out->dtype)) return false;
	if (*r->at != '*') return true;
	if (out->dtype == TSR_BOOL) return fail_at(r, r->at, "a bool is never weak");
	r->at++;
	return out->weak = true;
}

static bool read_set(reader *r, const axis *axes, int naxes, axis_set *set)
{
	*set = 0;
	if (*r->at != '{') return true;
	r->at++;
	do {
		const char *start = r->at;
		int entry;
		if (!read_axis(r, axes, naxes, &entry)) return false;
		if (*set >> entry & 1) return fail_at(r, start, "an axis is in the set twice");
		*set |= (axis_set)1 << entry;
	} while (skip_char(r, ','));
	return expect(r, '}');
}

bool read_type(reader *r, const axis *axes, int naxes, const type **out)
{
	int64_t dims[MAX_NDIM], size, bytes;
	int ndim = 0;
	axis_set set;
	etype of;

	skip_blanks(r);
	const char *start = r->at;
	if (!read_etype(r, &of) || !expect(r, '[')) return false;
	if (!skip_char(r, ']')) {
		do {
			if (ndim == (int)ARRAY_LEN(dims))
				return fail_at(r, start, "a type of more than %d dims", MAX_NDIM);
			if (!read_integer(r, 0, INT64_MAX, &dims[ndim++])) return false;
		} while (skip_char(r, ','));
		if (!expect(r, ']')) return false;
	}
	if (!read_set(r, axes, naxes, &set)) return false;
	if (!dims_size(dims, ndim, &size) || !dims_bytes(of.dtype, dims, ndim, &bytes))
		return fail_at(r, start, "a type of more bytes than can be numbered");
	*out = type_make(r->ir, of.dtype, dims, ndim, set);
	return *out && (*out = type_weaken(r->ir, *out, of.weak));
}

/* ---- lists */

void *list_push(reader *r, list *l, size_t size)
{
	if (l->n == l->cap) {
		const size_t cap = l->cap ? 2 * l->cap : 8;
		char *grown = arena_array(r->scratch, cap, size);
		if (!grown) return NULL;
		if (l->n) memcpy(grown, l->v, l->n * size);
		l->v = grown;
		l->cap = cap;
	}
	return (char *)l->v + l->n++ * size;
}
