/* text.c - makes growing strings, and turns numbers into text and back.
 *
 * The C library's printf and strtod round correctly, but use the locale's decimal point. So for
 * each call the thread's locale is set to "C" and put back (the "C" locale is static: nothing is
 * allocated). */
#include "base/base.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- strings */

void str_free(str *s)
{
	mem_free(s->base, s->s);
	*s = (str){.base = s->base};
}

/* room for `more` bytes and the end; false when memory ran out, now or before */
static bool room(str *s, size_t more)
{
	size_t cap = s->cap ? s->cap : 64, need;

	if (s->lost) return false;
	if (__builtin_add_overflow(s->len, more, &need)) need = SIZE_MAX;
	if (need < s->cap) return true;
	while (cap <= need && cap <= PTRDIFF_MAX) cap *= 2;
	char *grown = mem_grow(s->base, s->s, cap > need ? cap : SIZE_MAX);
	s->lost = !grown;
	if (!grown) return false;
	grown[s->len] = 0;
	s->s = grown;
	s->cap = cap;
	return true;
}

void str_putn(str *s, const char *text, size_t n)
{
	if (!room(s, n)) return;
	if (n) memcpy(s->s + s->len, text, n);
	s->s[s->len += n] = 0;
}

void str_put(str *s, const char *text) { str_putn(s, text, strlen(text)); }

void str_many(str *s, const char *text, int64_t n)
{
	for (; n > 0; n--) str_put(s, text);
}

void str_printf(str *s, const char *format, ...)
{
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);
	const int n = vsnprintf(NULL, 0, format, args);
	if (n >= 0 && room(s, (size_t)n)) {
		vsnprintf(s->s + s->len, (size_t)n + 1, format, again);
		s->len += (size_t)n;
	}
	va_end(again);
	va_end(args);
}

void str_dims(str *s, const int64_t *dims, int ndim)
{
	for (int i = 0; i < ndim; i++) str_printf(s, i ? ",%lld" : "%lld", (long long)dims[i]);
}

const char *base_name(const char *where)
{
	const char *slash = where ? strrchr(where, '/') : NULL;

	return slash ? slash + 1 : where;
}

/* ---- the C locale */

static locale_t locale_enter(void)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	return c ? uselocale(c) : (locale_t)0;
}

static void locale_leave(locale_t before)
{
	if (before) freelocale(uselocale(before));
}

/* ---- numbers to text */

void str_real(str *s, double x, char form, int precision)
{
	const char format[] = {'%', '.', '*', form, 0};
	FLOAT_DEFAULT;
	const locale_t before = locale_enter();

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	const int n = snprintf(NULL, 0, format, precision, x);
	if (n >= 0 && room(s, (size_t)n)) {
		snprintf(s->s + s->len, (size_t)n + 1, format, precision, x);
		s->len += (size_t)n;
	}
#pragma GCC diagnostic pop
	locale_leave(before);
}

/* `text` as a number of a real dtype; under the C locale. The 16-bit
 * dtypes go through double: a decimal that is within 2^-53 of the midpoint of two neighbours, but
 * not on it, may round to the wrong one. No decimal that str_number writes is so close. */
static double read_as(const char *text, tsr_dtype dtype)
{
	switch (dtype) {
	case TSR_F16: return (double)f16_to_f32(f64_to_f16(strtod(text, NULL)));
	case TSR_BF16: return (double)bf16_to_f32(f64_to_bf16(strtod(text, NULL)));
	case TSR_F32: return (double)strtof(text, NULL);
	default: return strtod(text, NULL);
	}
}

/* d.ddd with the point moved to its place, for exponents from -4 to 15 */
static void put_positional(str *s, const digits *d)
{
	const int whole = d->exponent < 0 ? 0 : d->exponent + 1;
	const int given = whole < d->count ? whole : d->count;

	if (!whole) str_put(s, "0");
	str_putn(s, d->digit, (size_t)given);
	str_putn(s, "000000000000000", (size_t)(whole - given));
	str_put(s, ".");
	if (d->exponent < 0) str_putn(s, "000", (size_t)(-d->exponent - 1));
	if (given == d->count) str_put(s, "0");
	str_putn(s, d->digit + given, (size_t)(d->count - given));
}

static void put_scientific(str *s, const digits *d)
{
	str_putn(s, d->digit, 1);
	if (d->count > 1) str_put(s, ".");
	str_putn(s, d->digit + 1, (size_t)(d->count - 1));
	str_printf(s, "e%+03d", d->exponent);
}

/* as NumPy writes one number: "0.0001", "1e-05", "1e+16", "-0.0" */
static void put_real(str *s, double x, tsr_dtype dtype)
{
	digits d;
	FLOAT_DEFAULT;

	if (isnan(x)) {
		str_put(s, "nan");
		return;
	}
	if (signbit(x)) str_put(s, "-");
	if (isinf(x)) {
		str_put(s, "inf");
		return;
	}
	digits_make(&d, x, dtype, (digit_limits){false, -1, -1});
	if (d.exponent < -4 || d.exponent >= 16)
		put_scientific(s, &d);
	else
		put_positional(s, &d);
}

void str_number(str *s, tsr_dtype d, const void *data, int64_t index)
{
	const char *at = (const char *)data + (size_t)index * tsr_dtype_size(d);
	const tsr_dtype real = dtype_real(d);
	union { int64_t i; uint64_t u; double f[2]; } x;

	switch (dtype_kind(d)) {
	case KIND_BOOL: str_put(s, *at ? "true" : "false"); break;
	case KIND_INT:
		dtype_convert(TSR_I64, &x.i, d, at, 1);
		str_printf(s, "%lld", (long long)x.i);
		break;
	case KIND_UINT:
		dtype_convert(TSR_U64, &x.u, d, at, 1);
		str_printf(s, "%llu", (unsigned long long)x.u);
		break;
	case KIND_FLOAT:
		dtype_convert(TSR_F64, x.f, d, at, 1);
		put_real(s, x.f[0], real);
		break;
	case KIND_COMPLEX:
		dtype_convert(TSR_C128, x.f, d, at, 1);
		str_put(s, "(");
		put_real(s, x.f[0], real);
		str_put(s, ",");
		put_real(s, x.f[1], real);
		str_put(s, ")");
		break;
	}
}

/* ---- text to numbers: each reader moves *at only when it succeeds */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* may c follow a word or a number? Not if it would be part of it */
static bool ends_number(char c)
{
	return !is_digit(c) && !((c | 32) >= 'a' && (c | 32) <= 'z') && c != '_' && c != '.';
}

static bool word(const char **at, const char *text)
{
	const size_t n = strlen(text);

	if (strncmp(*at, text, n) || !ends_number((*at)[n])) return false;
	*at += n;
	return true;
}

static bool magnitude_read(const char **at, uint64_t *out)
{
	const char *s = *at;
	uint64_t x = 0;

	if (!is_digit(*s)) return false;
	for (; is_digit(*s); s++) {
		const uint64_t digit = (uint64_t)(*s - '0');
		if (x > (UINT64_MAX - digit) / 10) return false;
		x = 10 * x + digit;
	}
	*at = s;
	*out = x;
	return true;
}

/* an integer of `bits` (at most 64), as two's complement in 64 bits */
static bool int_read(const char **at, int bits, bool is_signed, uint64_t *out)
{
	const char *s = *at;
	const bool negative = *s == '-';
	const uint64_t half = (uint64_t)1 << (bits - 1);
	const uint64_t lowest = is_signed ? half : 0;
	const uint64_t highest = is_signed ? half - 1 : half - 1 + half;
	uint64_t x;

	s += negative;
	if (!magnitude_read(&s, &x) || x > (negative ? lowest : highest)) return false;
	*at = s;
	*out = negative ? -x : x;
	return true;
}

bool integer_read(const char **at, int64_t *out)
{
	uint64_t x;

	if (!int_read(at, 64, true, &x)) return false;
	*out = (int64_t)x;
	return true;
}

/* the length of "ddd" or "ddd.ddd", with or without "e-dd", at s; 0 if there is none, or if it runs
 * on ("0x1p3", "1e", "1.") */
static size_t decimal_span(const char *s)
{
	size_t n = strspn(s, "0123456789");

	if (!n) return 0;
	if (s[n] == '.' && is_digit(s[n + 1])) n += 1 + strspn(s + n + 1, "0123456789");
	if (s[n] == 'e' || s[n] == 'E') {
		const size_t sign = s[n + 1] == '-' || s[n + 1] == '+';
		const size_t digits = strspn(s + n + 1 + sign, "0123456789");
		if (digits) n += 1 + sign + digits;
	}
	return ends_number(s[n]) ? n : 0;
}

static bool real_read(const char **at, tsr_dtype dtype, double *out)
{
	const char *s = *at;
	const bool negative = *s == '-';
	double x;

	s += negative;
	if (word(&s, "nan")) {
		x = (double)NAN;
	} else if (word(&s, "inf")) {
		x = HUGE_VAL;
	} else {
		const size_t n = decimal_span(s);
		if (!n) return false;
		const locale_t before = locale_enter();
		x = read_as(s, dtype);
		locale_leave(before);
		if (isinf(x)) return false;
		s += n;
	}
	*at = s;
	*out = negative ? -x : x;
	return true;
}

/* the length of a word of any case that s begins with; 0: it does not, or the word runs on. A j may
 * follow, which complex numbers end in */
static size_t word_span(const char *s, const char *word)
{
	const size_t n = strlen(word);

	return strncasecmp(s, word, n) == 0 && (ends_number(s[n]) || s[n] == 'j') ? n : 0;
}

/* of "ddd.ddd" with a digit on either side of the point, and perhaps "e-dd"; 0: there is none */
static size_t python_span(const char *s)
{
	const size_t whole = strspn(s, "0123456789"), point = s[whole] == '.';
	const size_t part = point ? strspn(s + whole + 1, "0123456789") : 0;
	size_t n = whole + point + part;

	if (!whole && !part) return 0;
	if (s[n] == 'e' || s[n] == 'E') {
		const size_t sign = s[n + 1] == '-' || s[n + 1] == '+';
		const size_t digits = strspn(s + n + 1 + sign, "0123456789");
		if (!digits) return 0;
		n += 1 + sign + digits;
	}
	return n;
}

bool decimal_read(const char **at, double *out)
{
	const char *s = *at;
	const bool negative = *s == '-';
	double x;
	size_t n;

	s += *s == '-' || *s == '+';
	if ((n = word_span(s, "nan"))) {
		x = (double)NAN;
	} else if ((n = word_span(s, "infinity")) || (n = word_span(s, "inf"))) {
		x = HUGE_VAL;
	} else {
		if (!(n = python_span(s))) return false;
		const locale_t before = locale_enter();
		x = read_as(s, TSR_F64);
		locale_leave(before);
	}
	*at = s + n;
	*out = negative ? -x : x;
	return true;
}

static bool complex_read(const char **at, tsr_dtype dtype, double out[2])
{
	const char *s = *at;

	if (*s++ != '(' || !real_read(&s, dtype, &out[0])) return false;
	if (*s++ != ',' || !real_read(&s, dtype, &out[1])) return false;
	if (*s++ != ')') return false;
	*at = s;
	return true;
}

bool number_read(const char **at, tsr_dtype d, void *out)
{
	const enum dtype_kind kind = dtype_kind(d);
	const char *s = *at;
	uint64_t i = 0;
	double f[2];
	bool ok = false;
	FLOAT_DEFAULT;

	if (!dtype_ok(d)) return false;
	if (kind == KIND_BOOL) ok = (i = word(&s, "true")) || word(&s, "false");
	else if (kind == KIND_FLOAT) ok = real_read(&s, d, f);
	else if (kind == KIND_COMPLEX) ok = complex_read(&s, dtype_real(d), f);
	else ok = int_read(&s, dtype_bits(d), kind == KIND_INT, &i) && ends_number(*s);
	if (!ok) return false;
	if (kind < KIND_FLOAT) dtype_convert(d, out, TSR_U64, &i, 1);
	else dtype_convert(d, out, kind == KIND_FLOAT ? TSR_F64 : TSR_C128, f, 1);
	*at = s;
	return true;
}
