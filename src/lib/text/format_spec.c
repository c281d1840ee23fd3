/* format_spec.c - reads the format specs of Python's str.format(), and writes numbers and texts by
 * them, as NumPy's scalars and Python's texts do.
 *
 *     spec     value      text
 *     .3f      1.23456    1.235
 *     >9.1e    -1234.5    -1.2e+03    (and a space before it)
 *     +08.1f   2.25       +00002.2
 *     #06x     42         0x002a
 *     ,d       1234567    1,234,567
 *     *^7      42         **42***
 *     .1%      0.125      12.5%
 *
 * A spec is [[fill]align][sign][#][0][width][, or _][.precision][type]. Floats are formatted as the
 * double they are equal to, integers of up to 64 bits as they are. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include "lib/host.h"

enum { MOST = INT16_MAX }; /* of a width or a precision */

/* ---- reading */

static bool is_align(char c) { return c && strchr("<>=^", c); }

/* bytes of the first character of a UTF-8 text; 1 where it is none */
static size_t character(const char *text, const char *end)
{
	const unsigned char first = (unsigned char)*text;
	const size_t n = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	return n <= (size_t)(end - text) ? n : 1;
}

static void read_fill(format_spec *f, const char **at, const char *end)
{
	const size_t n = *at < end ? character(*at, end) : 0;

	if (n && *at + n < end && is_align((*at)[n])) {
		memcpy(f->fill, *at, n);
		f->align = (*at)[n];
		*at += n + 1;
	} else if (n && is_align(**at)) {
		f->align = *(*at)++;
	}
}

/* -1: none; more than MOST: too many */
static int read_count(const char **at, const char *end)
{
	int n = -1;

	for (; *at < end && isdigit((unsigned char)**at); ++*at)
		if (n <= MOST) n = 10 * (n < 0 ? 0 : n) + (**at - '0');
	return n;
}

static bool takes(const char **at, const char *end, const char *any, char *out)
{
	if (*at == end || !**at || !strchr(any, **at)) return false;
	*out = *(*at)++;
	return true;
}

const char *format_spec_read(format_spec *f, const char *text, size_t n, bool of_text)
{
	const char *at = text, *const end = text + n;
	char flag;

	*f = (format_spec){.given = n, .of_text = of_text, .precision = -1};
	read_fill(f, &at, end);
	const bool filled = *f->fill;
	if (!filled) strcpy(f->fill, " ");
	takes(&at, end, "+- ", &f->sign);
	f->alternate = takes(&at, end, "#", &flag);
	if (!filled && takes(&at, end, "0", f->fill) && !f->align && !of_text) f->align = '=';
	f->width = read_count(&at, end);
	takes(&at, end, ",_", &f->group);
	if (takes(&at, end, ".", &flag) && (f->precision = read_count(&at, end)) < 0)
		return "digits are missing behind the '.'";
	if (f->width > MOST || f->precision > MOST) return "a width or precision is above 32767";
	if (at < end) f->type = *at++;
	if (at < end)
		return "a format spec is [[fill]align][sign][#][0][width][,][.precision]"
		       "[type], as in {:>10.3f}";
	return NULL;
}

/* ---- does it fit what is printed? */

static const char *text_fault(const format_spec *f)
{
	if (f->type && f->type != 's') return "behind !s the type is s, or left out: {!s:>20}";
	if (f->sign || f->alternate || f->group || f->align == '=')
		return "behind !s there is no sign, '#', ',' or '=': {!s:>20}";
	return NULL;
}

static const char *group_fault(const format_spec *f)
{
	if (!f->group || !f->type || strchr("deEfFgG%", f->type)) return NULL;
	return f->group == '_' ? NULL : "',' is for decimal digits: write '_'";
}

static const char *integer_fault(const format_spec *f)
{
	const bool real = f->type && strchr("eEfFgG%", f->type);

	if (f->precision >= 0 && !real)
		return "an integer has no precision: leave it out, or write {:.3f} for a fraction";
	return f->alternate && (real || f->type == 'd' || !f->type)
	               ? "'#' is for the types b, o, x and X"
	               : NULL;
}

static const char *float_fault(const format_spec *f, bool complex)
{
	if (f->type && strchr("bdoxX", f->type))
		return "the types b, d, o, x and X are for integers: write {:.0f}, or convert the "
		       "value by tsr_astype(x, TSR_I32)";
	if (f->alternate) return "'#' is for integers";
	if (complex && (f->type == '%' || f->align == '=' || *f->fill == '0'))
		return "a complex number has no '%', '=' or 0 to fill: write {:>20.3f}";
	return NULL;
}

const char *format_spec_fault(const format_spec *f, tsr_dtype dtype)
{
	if (f->of_text) return text_fault(f);
	if (f->type == 's') return "the type s is for texts: write {!s:>20}, or {:>20}";
	if (f->type && !strchr("bdoxXeEfFgG%", f->type))
		return "the type of a format spec is one of b, d, o, x, X, e, E, f, F, g, G and %";
	const char *fault = group_fault(f);
	if (fault) return fault;
	const enum dtype_kind kind = dtype_kind(dtype);
	return kind < KIND_FLOAT ? integer_fault(f) : float_fault(f, kind == KIND_COMPLEX);
}

/* ---- writing. A number is a sign, a prefix, digits, and the rest: "-", "0x", "2a", "" or "", "",
 * "12", ".5%" */

static int64_t above_0(int64_t n) { return n > 0 ? n : 0; }

/* `n` digits with zeros before them and a mark in front of each `step` digits, at least `width`
 * wide */
static void put_digits(str *s, const format_spec *f, const char *digits, int64_t n, int64_t width)
{
	const int step = f->type && strchr("boxX", f->type) ? 4 : 3;
	int64_t all = n;

	while (f->group && n && all + (all - 1) / step < width) all++;
	for (int64_t i = 0; i < all; i++) {
		if (f->group && i && (all - i) % step == 0) str_putn(s, &f->group, 1);
		str_putn(s, i < all - n ? "0" : digits + (i - (all - n)), 1);
	}
}

static void put_number(str *s, const format_spec *f, const char *front, const char *text)
{
	const bool inside = f->align == '=', zeros = inside && !strcmp(f->fill, "0");
	const int64_t n = (int64_t)strspn(text, f->type == 'x' || f->type == 'X'
	                                               ? "0123456789abcdefABCDEF"
	                                               : "0123456789");
	const char *rest = text + n;
	const int64_t others = (int64_t)(strlen(front) + strlen(rest));
	str body = {.base = s->base};

	put_digits(&body, f, text, n, zeros ? f->width - others : 0);
	const int64_t pad = above_0(f->width - others - (int64_t)body.len);
	const int64_t left = inside || f->align == '<' ? 0 : f->align == '^' ? pad / 2 : pad;
	str_many(s, f->fill, left);
	str_put(s, front);
	if (inside) str_many(s, f->fill, pad);
	str_put(s, body.s ? body.s : "");
	str_put(s, rest);
	if (!inside) str_many(s, f->fill, pad - left);
	s->lost |= body.lost;
	str_free(&body);
}

static const char *sign_of(const format_spec *f, bool negative)
{
	return negative ? "-" : f->sign == '+' ? "+" : f->sign == ' ' ? " " : "";
}

static unsigned base_of(char type)
{
	return type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
}

static void put_integer(str *s, const format_spec *f, bool negative, uint64_t x)
{
	const bool upper = f->type == 'X';
	const unsigned base = base_of(f->type);
	char digits[65], front[4], *at = digits + 64;

	*at = 0;
	do *--at = (upper ? "0123456789ABCDEF" : "0123456789abcdef")[x % base];
	while (x /= base);
	snprintf(front, sizeof front, "%s%s%.1s", sign_of(f, negative), f->alternate ? "0" : "",
	         f->alternate ? &f->type : "");
	put_number(s, f, front, at);
}

/* Without a type: digits as in %g, but with one behind the point, and with an exponent where there
 * is no room for that: 12.0 of two digits is 1.2e+01 */
static void put_with_point(str *s, double x, int precision)
{
	const size_t before = s->len;

	str_real(s, x, 'g', precision);
	if (s->lost || strpbrk(s->s + before, ".en")) return;
	if (s->len - before < (size_t)(precision ? precision : 1)) {
		str_put(s, ".0");
		return;
	}
	s->len = before;
	str_real(s, x, 'e', (precision ? precision : 1) - 1);
	char *mark = s->lost ? NULL : strchr(s->s + before, 'e'), *end = mark;
	if (!mark || !strchr(s->s + before, '.')) return;
	while (end[-1] == '0') end--;
	if (end[-1] == '.') end--;
	memmove(end, mark, strlen(mark) + 1);
	s->len -= (size_t)(mark - end);
}

/* the text of |x|; point: a whole number has one, where there is no type */
static void put_magnitude(str *s, const format_spec *f, double x, bool point)
{
	const size_t before = s->len;
	const char form = f->type ? (char)tolower(f->type) : 'g';

	x = fabs(x);
	if (isnan(x) || isinf(x))
		str_put(s, isnan(x) ? "nan" : "inf");
	else if (f->type == '%')
		str_real(s, 100 * x, 'f', f->precision < 0 ? 6 : f->precision);
	else if (f->type || (f->precision >= 0 && !point))
		str_real(s, x, form, f->precision < 0 ? 6 : f->precision);
	else if (f->precision >= 0)
		put_with_point(s, x, f->precision);
	else
		str_number(s, TSR_F64, &x, 0);
	if (s->lost) return;
	if (!f->type && !point && s->len > before + 2 && !strcmp(s->s + s->len - 2, ".0"))
		s->s[s->len -= 2] = 0;
	if (f->type == '%') str_put(s, "%");
	if (!s->lost && f->type && isupper((unsigned char)f->type))
		for (char *c = s->s + before; *c; c++) *c = (char)toupper((unsigned char)*c);
}

static bool is_negative(double x) { return signbit(x) && !isnan(x); }

static void put_float(str *s, const format_spec *f, double x)
{
	str text = {.base = s->base};

	put_magnitude(&text, f, x, true);
	put_number(s, f, sign_of(f, is_negative(x)), text.s ? text.s : "");
	s->lost |= text.lost;
	str_free(&text);
}

static void put_padded(str *s, const format_spec *f, char usual, const char *text, size_t n)
{
	const char align = f->align ? f->align : usual;
	const int64_t pad = above_0(f->width - (int64_t)n);
	const int64_t left = align == '<' ? 0 : align == '^' ? pad / 2 : pad;

	str_many(s, f->fill, left);
	str_putn(s, text, n);
	str_many(s, f->fill, pad - left);
}

/* "1.50+2.00j", without a type "(1.5+2j)", or "2j" where the real part is 0 */
static void put_complex(str *s, const format_spec *f, const double x[2])
{
	const format_spec bare = {.type = f->type, .group = f->group, .precision = f->precision};
	const bool alone = !f->type && x[0] == 0 && !signbit(x[0]);
	str text = {.base = s->base}, part = {.base = s->base};

	if (!f->type && !alone) str_put(&text, "(");
	for (int i = alone; i < 2; i++) {
		const bool joins = i && !alone && !is_negative(x[1]);
		const char *sign = joins ? "+" : sign_of(f, is_negative(x[i]));
		str_free(&part);
		put_magnitude(&part, &bare, x[i], false);
		put_number(&text, &bare, sign, part.s ? part.s : "");
	}
	str_put(&text, f->type || alone ? "j" : "j)");
	put_padded(s, f, '>', text.s ? text.s : "", text.len);
	s->lost |= text.lost || part.lost;
	str_free(&part);
	str_free(&text);
}

void format_spec_put_text(str *s, const format_spec *f, const char *text, size_t n)
{
	put_padded(s, f, '<', text, f->precision >= 0 && (size_t)f->precision < n
	                                     ? (size_t)f->precision
	                                     : n);
}

void format_spec_put(str *s, const format_spec *f, tsr_dtype dtype, const void *data)
{
	const enum dtype_kind kind = dtype_kind(dtype);
	double x[2];
	uint64_t u;

	FLOAT_DEFAULT;
	if (kind == KIND_COMPLEX) {
		dtype_get_complex(dtype, data, 0, x);
		put_complex(s, f, x);
	} else if (kind == KIND_FLOAT || (f->type && strchr("eEfFgG%", f->type))) {
		put_float(s, f, dtype_get(dtype, data, 0));
	} else {
		dtype_convert(kind == KIND_UINT ? TSR_U64 : TSR_I64, &u, dtype, data, 1);
		const bool negative = kind == KIND_INT && (int64_t)u < 0;
		put_integer(s, f, negative, negative ? -u : u);
	}
}
