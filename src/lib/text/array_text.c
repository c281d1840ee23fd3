/* array_text.c - the text NumPy's str() gives an array, with some of its print options.
 *
 * All elements of an array are written alike: a first pass over those that will be shown finds the
 * number of digits before and behind the point, and whether exponents are needed; a second one
 * writes them. Above `threshold` elements only the 3 first and last of each dim longer than 6 are
 * shown. Rows are broken at `linewidth` columns. NumPy does not know bf16: its elements are written
 * as printf's %g would, without alignment, as arrays of JAX's bf16 print. No option changes
 * that. */
#include <math.h>
#include "lib/host.h"

enum { EDGE = 3 };

/* the elements that are shown */
typedef struct view {
	tsr_dtype dtype;
	const char *data;
	const int64_t *dims;
	int ndim;
	bool cut;
	const text_options *options;
} view;

/* Calls each(state, element) in row-major order, from dim d and element `at` on. */
static void visit(const view *v, int d, int64_t at, void (*each)(void *, int64_t), void *state)
{
	if (d == v->ndim) {
		each(state, at);
		return;
	}
	const int64_t n = v->dims[d];
	for (int64_t i = 0; i < n; i++) {
		if (v->cut && n > 2 * EDGE && i == EDGE) i = n - EDGE;
		visit(v, d + 1, at * n + i, each, state);
	}
}

/* ---- one real number */

/* which zeros at the end are dropped: none ("1.50"), all ("1."), all but the first ("1.0"), or all
 * and the point too ("1") */
enum trim { TRIM_NONE, TRIM_ZEROS, TRIM_TO_ONE, TRIM_POINT };

/* what is wanted of a number's text; pads and digits are counted in characters */
typedef struct text_form {
	tsr_dtype dtype;     /* f16, f32 or f64 */
	bool exponent, plus; /* 1.e+00; a sign also before positive numbers */
	enum trim trim;
	int most, least; /* digits behind the point, -1: no limit */
	int left, right; /* padded to this width in front of the point (sign included) and behind
	                    it */
	int exponent_digits;
} text_form;

static const char *sign_of(double x, bool plus) { return signbit(x) ? "-" : plus ? "+" : ""; }

/* Writes the point, `zeros` zeros, and the digits from number `from` on. Returns the length; a
 * point that is left out counts too, so that columns stay aligned. */
static int put_fraction(str *s, const digits *d, int zeros, int from, const text_form *l)
{
	int count = d->count;

	while (l->trim != TRIM_NONE && count > from && d->digit[count - 1] == '0') count--;
	const int given = count > from ? zeros + count - from : 0;
	if (given || l->trim != TRIM_POINT) str_put(s, ".");
	if (given) {
		str_many(s, "0", zeros);
		str_putn(s, d->digit + from, (size_t)(count - from));
	}
	int more = l->trim == TRIM_NONE ? l->most - given : l->trim == TRIM_TO_ONE && !given;
	if (more < 0) more = 0;
	str_many(s, "0", more);
	return given + more;
}

static void put_scientific(str *s, double x, const text_form *l)
{
	digits d;
	const char *sign = sign_of(x, l->plus);
	const int most = l->most < 0 ? -1 : 1 + l->most, least = l->least < 0 ? -1 : 1 + l->least;

	digits_make(&d, x, l->dtype, (digit_limits){false, most, least});
	str_many(s, " ", l->left - 1 - (int)strlen(sign));
	str_put(s, sign);
	str_putn(s, d.digit, 1);
	put_fraction(s, &d, 0, 1, l);
	str_put(s, d.exponent < 0 ? "e-" : "e+");
	const int size = d.exponent < 0 ? -d.exponent : d.exponent;
	str_many(s, "0", l->exponent_digits - (size > 99 ? 3 : size > 9 ? 2 : 1));
	str_printf(s, "%d", size);
}

static void put_positional(str *s, double x, const text_form *l)
{
	digits d;
	const char *sign = sign_of(x, l->plus);

	digits_make(&d, x, l->dtype, (digit_limits){true, l->most, l->least});
	const int whole = d.exponent < 0 ? 0 : d.exponent + 1;
	const int given = whole < d.count ? whole : d.count;
	str_many(s, " ", l->left - (whole ? whole : 1) - (int)strlen(sign));
	str_put(s, sign);
	str_putn(s, d.digit, (size_t)given);
	str_many(s, "0", whole ? whole - given : 1);
	const int fraction = put_fraction(s, &d, whole ? 0 : -d.exponent - 1, given, l);
	str_many(s, " ", l->right - fraction);
}

static void put_real(str *s, double x, const text_form *l)
{
	if (isfinite(x)) {
		if (l->exponent)
			put_scientific(s, x, l);
		else
			put_positional(s, x, l);
		return;
	}
	const char *sign = isnan(x) ? l->plus ? "+" : "" : sign_of(x, l->plus);
	str_many(s, " ", l->left + l->right + 1 - 3 - (int)strlen(sign));
	str_put(s, sign);
	str_put(s, isnan(x) ? "nan" : "inf");
}

/* ---- how a column of real numbers is laid out */

typedef struct survey {
	const view *v;
	int part; /* 0 real, 1 imaginary */
	bool finite, special, minus_inf;
	double most, least; /* largest and smallest magnitude of finite numbers other than 0;
	                       most 0: there are none */
	str text;
	text_form *out;
} survey;

static double element(const view *v, int64_t at, int part)
{
	double x[2];

	dtype_get_complex(v->dtype, v->data, at, x);
	return x[part];
}

static void survey_range(void *state, int64_t at)
{
	survey *s = state;
	const double x = element(s->v, at, s->part), size = fabs(x);

	if (!isfinite(x)) {
		s->special = true;
		s->minus_inf |= isinf(x) && x < 0;
		return;
	}
	s->finite = true;
	if (x == 0) return;
	if (s->most == 0 || size < s->least) s->least = size;
	if (size > s->most) s->most = size;
}

/* Are exponents needed? As in NumPy: where the largest number is at least 10^3 for f16, 10^6 for
 * f32 or 10^8 for f64, the smallest is below 0.0001, or their ratio is above 1000, compared and
 * divided in the dtype of the array. */
static bool wants_exponent(const survey *s, tsr_dtype dtype)
{
	const float ratio = (float)s->most / (float)s->least;

	if (s->most == 0) return false;
	switch (dtype) {
	case TSR_F16:
		return s->most >= 1e3 || s->least < (double)f16_to_f32(f64_to_f16(1e-4)) ||
		       f16_to_f32(f32_to_f16(ratio)) > 1000.0f;
	case TSR_F32: return s->most >= 1e6 || s->least < (double)1e-4f || ratio > 1000.0f;
	default: return s->most >= 1e8 || s->least < 1e-4 || s->most / s->least > 1000.0;
	}
}

static void grow(int *max, int64_t n)
{
	if (n > *max) *max = (int)n;
}

/* the widths of one finite number, written without padding */
static void survey_width(void *state, int64_t at)
{
	survey *s = state;
	text_form *l = s->out;
	const text_form bare = {
		l->dtype, l->exponent, l->plus, TRIM_ZEROS, s->v->options->precision, -1, 0, 0, 2};
	const double x = element(s->v, at, s->part);

	if (!isfinite(x)) return;
	s->text.len = 0;
	put_real(&s->text, x, &bare);
	if (s->text.lost) return;
	const char *point = strchr(s->text.s, '.'), *mark = strchr(s->text.s, 'e');
	const char *end = s->text.s + s->text.len;
	grow(&l->left, point - s->text.s);
	grow(&l->right, (mark ? mark : end) - point - 1);
	if (mark) grow(&l->exponent_digits, end - mark - 2);
}

/* false: no memory */
static bool layout_make(text_form *l, const view *v, int part, bool plus, base *b)
{
	survey s = {.v = v, .part = part, .text = {.base = b}, .out = l};

	visit(v, 0, 0, survey_range, &s);
	*l = (text_form){.dtype = dtype_real(v->dtype), .plus = plus, .trim = TRIM_ZEROS};
	l->most = v->options->precision;
	l->exponent = wants_exponent(&s, l->dtype);
	visit(v, 0, 0, survey_width, &s);
	const bool ok = !s.text.lost;
	str_free(&s.text);
	if (l->exponent) {
		l->trim = TRIM_NONE;
		l->most = l->least = l->right;
	}
	const int behind = 1 + (l->exponent ? l->exponent_digits + 2 + l->right : l->right);
	if (s.special) {
		grow(&l->left, 3 - behind);
		grow(&l->left, 3 + (plus || s.minus_inf) - behind);
	}
	if (l->exponent)
		l->right = behind - 1; /* nan and inf are aligned with the whole text,
	                                           exponent included */
	return ok;
}

/* ---- one element of any dtype */

typedef struct format {
	const view *v;
	text_form part[2];
	int width; /* of integers */
} format;

static void put_integer(str *s, const view *v, int64_t at)
{
	const char *p = v->data + (size_t)at * tsr_dtype_size(v->dtype);
	union {
		int64_t i;
		uint64_t u;
	} x;

	if (dtype_kind(v->dtype) == KIND_INT) {
		dtype_convert(TSR_I64, &x.i, v->dtype, p, 1);
		str_printf(s, "%lld", (long long)x.i);
	} else {
		dtype_convert(TSR_U64, &x.u, v->dtype, p, 1);
		str_printf(s, "%llu", (unsigned long long)x.u);
	}
}

/* %g */
static void put_bf16(str *s, double x)
{
	digits d;
	text_form l = {TSR_F64, false, false, TRIM_POINT, -1, -1, 0, 0, 2};

	if (isfinite(x)) {
		digits_make(&d, x, TSR_F64, (digit_limits){false, 6, -1});
		l.exponent = d.exponent < -4 || d.exponent >= 6;
		l.most = l.exponent ? 5 : 5 - d.exponent;
	}
	put_real(s, x, &l);
}

static void put_complex(str *s, const format *f, int64_t at)
{
	put_real(s, element(f->v, at, 0), &f->part[0]);
	put_real(s, element(f->v, at, 1), &f->part[1]);
	if (s->lost) return;
	size_t end = s->len; /* the j goes before the padding */
	while (s->s[end - 1] == ' ') end--;
	str_put(s, "j");
	if (s->lost) return;
	memmove(s->s + end + 1, s->s + end, s->len - 1 - end);
	s->s[end] = 'j';
}

static void put_element(str *s, const format *f, int64_t at)
{
	const view *v = f->v;
	const size_t start = s->len;

	switch (dtype_kind(v->dtype)) {
	case KIND_BOOL: str_put(s, !v->data[at] ? "False" : v->ndim ? " True" : "True"); break;
	case KIND_INT:
	case KIND_UINT:
		put_integer(s, v, at);
		if (s->lost) break;
		const int pad = f->width - (int)(s->len - start);
		str_many(s, " ", pad);
		if (s->lost || pad <= 0) break;
		memmove(s->s + start + pad, s->s + start, s->len - start - (size_t)pad);
		memset(s->s + start, ' ', (size_t)pad);
		break;
	case KIND_FLOAT:
		if (v->dtype == TSR_BF16)
			put_bf16(s, element(v, at, 0));
		else
			put_real(s, element(v, at, 0), &f->part[0]);
		break;
	case KIND_COMPLEX: put_complex(s, f, at); break;
	}
}

typedef struct widest {
	const view *v;
	int *width;
	str text;
} widest;

static void integer_width(void *state, int64_t at)
{
	widest *w = state;

	w->text.len = 0;
	put_integer(&w->text, w->v, at);
	grow(w->width, (int64_t)w->text.len);
}

static bool format_make(format *f, const view *v, base *b)
{
	const enum dtype_kind kind = dtype_kind(v->dtype);
	widest w = {v, &f->width, {.base = b}};

	*f = (format){.v = v};
	if (v->dtype == TSR_BF16) return true;
	if (kind == KIND_FLOAT || kind == KIND_COMPLEX) {
		if (!layout_make(&f->part[0], v, 0, false, b)) return false;
		return kind == KIND_FLOAT || layout_make(&f->part[1], v, 1, true, b);
	}
	if (kind != KIND_BOOL) visit(v, 0, 0, integer_width, &w);
	const bool ok = !w.text.lost;
	str_free(&w.text);
	return ok;
}

/* ---- brackets and lines */

typedef struct writer {
	str *out;
	size_t line; /* where the line being written began */
	const format *format;
} writer;

static void new_line(writer *w, int count, int indent)
{
	str_many(w->out, "\n", count);
	w->line = w->out->len;
	str_many(w->out, " ", indent);
}

/* Moves what was written since `start`, an element or "...", to a new line if the current one has
 * become too long and does not begin with it. Blanks at the end of the old line are dropped. */
static void break_line(writer *w, size_t start, int indent)
{
	str *s = w->out;
	const size_t length = s->len - w->line, before = start - w->line;
	const size_t most = (size_t)w->format->v->options->linewidth;

	if (s->lost || length + (size_t)indent <= most || before <= (size_t)indent) return;
	const size_t word = s->len - start;
	size_t end = start;
	while (s->s[end - 1] == ' ') end--;
	const size_t added = 1 + (size_t)indent;
	str_many(s, " ", (int64_t)added); /* makes room, which is cut off again below */
	if (s->lost) return;
	memmove(s->s + end + added, s->s + start, word);
	s->s[end] = '\n';
	memset(s->s + end + 1, ' ', (size_t)indent);
	s->len = end + added + word;
	s->s[s->len] = 0;
	w->line = end + 1;
}

static void write_row(writer *w, int64_t at, int64_t n, bool cut)
{
	const int indent = w->format->v->ndim;

	for (int64_t i = 0; i < n; i++) {
		if (i) str_put(w->out, " ");
		const size_t start = w->out->len;
		if (cut && i == EDGE) {
			str_put(w->out, "...");
			i = n - EDGE - 1;
		} else {
			put_element(w->out, w->format, at * n + i);
		}
		break_line(w, start, indent);
	}
}

static void write_dim(writer *w, int d, int64_t at)
{
	const view *v = w->format->v;
	const int64_t n = v->dims[d];
	const bool cut = v->cut && n > 2 * EDGE;

	str_put(w->out, "[");
	if (d == v->ndim - 1) {
		write_row(w, at, n, cut);
	} else {
		for (int64_t i = 0; i < n && !w->out->lost; i++) {
			if (i) new_line(w, v->ndim - 1 - d, d + 1);
			if (cut && i == EDGE) {
				str_put(w->out, "...");
				i = n - EDGE - 1;
			} else {
				write_dim(w, d + 1, at * n + i);
			}
		}
	}
	str_put(w->out, "]");
}

/* ---- arrays without dims: all digits, as NumPy's scalars */

/* exponents begin where they do in arrays, but for f64 at 10^16, near where it ends to hold all
 * integers */
static void put_scalar_real(str *s, double x, tsr_dtype dtype, bool plus, enum trim trim)
{
	const double large = dtype == TSR_F16 ? 1e3 : dtype == TSR_F32 ? 1e6 : 1e16, size = fabs(x);
	const bool exponent = size != 0 && (size < 1e-4 || size >= large);
	const text_form l = {dtype, exponent, plus, exponent ? TRIM_POINT : trim, -1, -1, 0, 0, 2};

	put_real(s, x, &l);
}

/* (1+2j); 2j, without brackets, where the real part is +0 */
static void put_scalar_complex(str *s, const view *v)
{
	const double real = element(v, 0, 0), imaginary = element(v, 0, 1);
	const bool both = real != 0 || signbit(real);

	if (both) {
		str_put(s, "(");
		put_scalar_real(s, real, dtype_real(v->dtype), false, TRIM_POINT);
	}
	put_scalar_real(s, imaginary, dtype_real(v->dtype), both, TRIM_POINT);
	str_put(s, both ? "j)" : "j");
}

static void put_scalar(str *s, const view *v)
{
	const enum dtype_kind kind = dtype_kind(v->dtype);

	if (kind == KIND_BOOL)
		str_put(s, *v->data ? "True" : "False");
	else if (kind < KIND_FLOAT)
		put_integer(s, v, 0);
	else if (v->dtype == TSR_BF16)
		put_bf16(s, element(v, 0, 0));
	else if (kind == KIND_FLOAT)
		put_scalar_real(s, element(v, 0, 0), v->dtype, false, TRIM_TO_ONE);
	else
		put_scalar_complex(s, v);
}

void array_text(str *out, tsr_dtype dtype, const void *data, const int64_t *dims, int ndim,
                const text_options *o)
{
	view v = {dtype, data, dims, ndim, false, o};
	format f;
	int64_t size;
	FLOAT_DEFAULT;

	if (!dims_size(dims, ndim, &size)) return;
	v.cut = size > o->threshold;
	if (ndim == 0 && !o->scalars) {
		put_scalar(out, &v);
	} else if (size == 0) {
		str_put(out, "[]");
	} else if (format_make(&f, &v, out->base)) {
		writer w = {out, out->len, &f};
		if (ndim)
			write_dim(&w, 0, 0);
		else
			put_element(out, &f, 0);
	} else {
		out->lost = true;
	}
}
