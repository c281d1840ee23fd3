/* npy_format.c - the header of .npy files, versions 1.0 to 3.0, and the layout of their data.
 *
 * A file is "\x93NUMPY", a version, the length of the header (16 bits in version 1.0, 32 from 2.0
 * on, little endian), the header, and the elements. The header is a Python dict literal with the
 * keys descr (the dtype), fortran_order and shape, in any order. The reader takes what NumPy's
 * takes of the dtypes there are here, and trusts nothing.
 *
 * bf16: NumPy has none. Arrays of the ml_dtypes package, which JAX uses, are saved as '<V2', two
 * bytes of unknown meaning, and so are ours; two-byte voids are read as bf16. In Python,
 * numpy.load(path).view(ml_dtypes.bfloat16) gives the numbers back. */
#include "lib/files/files.h"

/* longer headers belong to files that were never written by a NumPy, or to dtypes with fields */
enum { HEADER_MAX = 1 << 20 };

static const struct code {
	tsr_dtype dtype;
	char kind, size;
} codes[] = {
	{TSR_BOOL, 'b', 1}, {TSR_BOOL, '?', 0}, {TSR_I8, 'i', 1},  {TSR_I16, 'i', 2},
	{TSR_I32, 'i', 4},  {TSR_I64, 'i', 8},  {TSR_U8, 'u', 1},  {TSR_U16, 'u', 2},
	{TSR_U32, 'u', 4},  {TSR_U64, 'u', 8},  {TSR_F16, 'f', 2}, {TSR_BF16, 'V', 2},
	{TSR_F32, 'f', 4},  {TSR_F64, 'f', 8},  {TSR_C64, 'c', 8}, {TSR_C128, 'c', 16},
};

static bool big_endian(void)
{
	const uint16_t one = 1;

	return !*(const unsigned char *)&one;
}

/* ---- the dict literal */

typedef struct npy_reader {
	base *base;
	const char *where, *name, *at, *end;
	npy *out;
	unsigned seen; /* keys: 1 << enum key */
} npy_reader;

enum key { KEY_DESCR, KEY_ORDER, KEY_SHAPE, KEYS };
static const char *const key_names[KEYS] = {"descr", "fortran_order", "shape"};

static bool wrong(const npy_reader *r, const char *what)
{
	return fail(r->base, r->where, TSR_ERROR_FILE, "%s: %s", r->name, what);
}

static void skip_blanks(npy_reader *r)
{
	while (r->at < r->end && strchr(" \t\n\r\f", *r->at) && *r->at) r->at++;
}

static bool take(npy_reader *r, char c)
{
	skip_blanks(r);
	if (r->at == r->end || *r->at != c) return false;
	r->at++;
	return true;
}

static bool take_word(npy_reader *r, const char *word)
{
	const size_t n = strlen(word);

	skip_blanks(r);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
	r->at += n;
	return true;
}

/* 'text' or "text", without escapes, which no known name needs */
static bool read_string(npy_reader *r, const char **text, size_t *n)
{
	skip_blanks(r);
	if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
		return wrong(r, "the header is not a dict of descr, fortran_order and shape");
	const char *close = memchr(r->at + 1, *r->at, (size_t)(r->end - r->at - 1));
	if (!close) return wrong(r, "the header ends inside a string");
	*text = r->at + 1;
	*n = (size_t)(close - *text);
	r->at = close + 1;
	return true;
}

/* Copies the text of a dtype for messages; characters that are not printable become '?'. */
static void show(char shown[33], const char *text, size_t n)
{
	const size_t most = n < 32 ? n : 32;

	for (size_t i = 0; i < most; i++)
		shown[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	shown[most] = 0;
}

/* [<>|=] kind size, and the name ml_dtypes gives its dtype */
static tsr_dtype dtype_of(const char *text, size_t n, bool *swapped)
{
	const char order = n && strchr("<>|=", *text) && *text ? *text : '=';
	const bool given = n && *text == order;

	*swapped = order == (big_endian() ? '<' : '>');
	if (n == 8 && memcmp(text, "bfloat16", 8) == 0) return TSR_BF16;
	text += given;
	n -= given;
	if (n < 1 || n > 3) return TSR_DTYPE_DEFAULT;
	int size = 0;
	for (size_t i = 1; i < n; i++) {
		if (text[i] < '0' || text[i] > '9' || (i == 1 && text[i] == '0'))
			return TSR_DTYPE_DEFAULT;
		size = 10 * size + (text[i] - '0');
	}
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (codes[i].kind == *text && codes[i].size == size) return codes[i].dtype;
	return TSR_DTYPE_DEFAULT;
}

static bool read_descr(npy_reader *r)
{
	const char *text;
	size_t n;
	char shown[33];

	skip_blanks(r);
	if (r->at < r->end && (*r->at == '[' || *r->at == '('))
		return fail(r->base, r->where, TSR_ERROR_UNSUPPORTED, "%s: the dtype has fields",
		            r->name);
	if (!read_string(r, &text, &n)) return false;
	r->out->dtype = dtype_of(text, n, &r->out->swapped);
	if (r->out->dtype) return true;
	show(shown, text, n);
	return fail(r->base, r->where, TSR_ERROR_UNSUPPORTED,
	            "%s: the dtype '%s' is not one of bool, i1 to i8, u1 to u8, f2, f4, f8, c8, "
	            "c16, V2 (bf16)",
	            r->name, shown);
}

static bool read_order(npy_reader *r)
{
	r->out->fortran = take_word(r, "True");
	return r->out->fortran || take_word(r, "False") ||
	       wrong(r, "fortran_order is neither True nor False");
}

/* an integer, with the L that Python 2 wrote behind long ones */
static bool read_dim(npy_reader *r, int64_t *out)
{
	const bool negative = take(r, '-');
	const char *start = (skip_blanks(r), r->at);
	int64_t dim = 0;

	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
		if (!mul_ok(dim, 10, &dim) || !add_ok(dim, *r->at - '0', &dim))
			return wrong(r, "a dim of the shape is too large");
	if (r->at == start) return wrong(r, "the shape is not a tuple of integers");
	if (r->at < r->end && *r->at == 'L') r->at++;
	*out = dim;
	return (!negative || !dim) || wrong(r, "a dim of the shape is negative");
}

static bool read_shape(npy_reader *r)
{
	npy *o = r->out;
	bool comma = true;

	if (!take(r, '(')) return wrong(r, "the shape is not a tuple");
	for (o->ndim = 0; !take(r, ')'); o->ndim++) {
		if (!comma) return wrong(r, "the header ends or breaks inside the shape");
		if (o->ndim == MAX_NDIM)
			return fail(r->base, r->where, TSR_ERROR_FILE,
			            "%s: the shape has more than %d dims", r->name, MAX_NDIM);
		if (!read_dim(r, &o->dims[o->ndim])) return false;
		comma = take(r, ',');
	}
	return o->ndim != 1 || comma || wrong(r, "the shape is a number, not a tuple");
}

static bool read_entry(npy_reader *r)
{
	const char *text;
	size_t n;
	enum key key = KEY_DESCR;

	if (!read_string(r, &text, &n)) return false;
	while (key < KEYS && (strlen(key_names[key]) != n || memcmp(key_names[key], text, n) != 0))
		key++;
	if (key == KEYS)
		return wrong(r, "the header has a key other than descr, fortran_order and shape");
	if (r->seen >> key & 1)
		return fail(r->base, r->where, TSR_ERROR_FILE, "%s: the header has %s twice",
		            r->name, key_names[key]);
	r->seen |= 1u << key;
	if (!take(r, ':')) return wrong(r, "a key of the header has no value");
	return key == KEY_DESCR ? read_descr(r) : key == KEY_ORDER ? read_order(r) : read_shape(r);
}

static bool read_dict(npy_reader *r)
{
	bool comma = true;

	if (!take(r, '{'))
		return wrong(r, "the header is not a dict of descr, fortran_order and shape");
	while (!take(r, '}')) {
		if (!comma) return wrong(r, "the header ends or breaks between its entries");
		if (!read_entry(r)) return false;
		comma = take(r, ',');
	}
	skip_blanks(r);
	if (r->at < r->end) return wrong(r, "something follows the dict in the header");
	for (int key = 0; key < KEYS; key++)
		if (!(r->seen >> key & 1))
			return fail(r->base, r->where, TSR_ERROR_FILE, "%s: the header lacks %s",
			            r->name, key_names[key]);
	return true;
}

/* ---- the file */

/* the bytes of the length */
static size_t width_of(const unsigned char *bytes, size_t n)
{
	return n > 6 && bytes[6] > 1 ? 4 : 2;
}

static size_t length_of(const unsigned char *bytes, size_t width)
{
	size_t length = 0;

	for (size_t i = width; i-- > 0;) length = length << 8 | bytes[8 + i];
	return length;
}

size_t npy_header_bytes(const void *bytes, size_t n)
{
	const size_t width = width_of(bytes, n);
	const size_t length = n < 8 + width ? 0 : length_of(bytes, width);

	return length > HEADER_MAX ? n : 8 + width + length;
}

/* magic, version and length: the span of the header in `r` */
static bool read_preamble(npy_reader *r, const unsigned char *bytes, size_t n)
{
	const size_t width = width_of(bytes, n);

	if (n < 6 || memcmp(bytes, "\x93NUMPY", 6) != 0)
		return wrong(r, "this is not an .npy file");
	if (n < 8 + width) return wrong(r, "the file ends before its header");
	if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
		return fail(r->base, r->where, TSR_ERROR_FILE,
		            "%s: version %d.%d of the format is not known", r->name, bytes[6],
		            bytes[7]);
	const size_t length = length_of(bytes, width);
	if (length > HEADER_MAX)
		return fail(r->base, r->where, TSR_ERROR_FILE,
		            "%s: a header of %zu bytes is too large", r->name, length);
	if (length > n - 8 - width)
		return fail(r->base, r->where, TSR_ERROR_FILE,
		            "%s: the file ends inside its header of %zu bytes", r->name, length);
	r->at = (const char *)bytes + 8 + width;
	r->end = r->at + length;
	return true;
}

bool npy_parse_header(base *b, const char *where, const char *name, const void *bytes, size_t n,
                      npy *out)
{
	npy_reader r = {.base = b, .where = where, .name = name, .out = out};
	int64_t need;

	*out = (npy){0};
	if (!read_preamble(&r, bytes, n)) return false;
	out->offset = (size_t)(r.end - (const char *)bytes);
	if (!read_dict(&r)) return false;
	if (!dims_bytes(out->dtype, out->dims, out->ndim, &need))
		return wrong(&r, "an array of this shape is too large");
	out->bytes = (size_t)need;
	return true;
}

bool npy_has_data(base *b, const char *where, const char *name, const npy *f, size_t n)
{
	return f->bytes <= n - f->offset ||
	       fail(b, where, TSR_ERROR_FILE,
	            "%s: the header promises %zu bytes of data and %zu are there", name, f->bytes,
	            n - f->offset);
}

bool npy_parse(base *b, const char *where, const char *name, const void *bytes, size_t n, npy *out)
{
	return npy_parse_header(b, where, name, bytes, n, out) &&
	       npy_has_data(b, where, name, out, n);
}

/* ---- the data */

static void swap_bytes(unsigned char *p, size_t bytes, size_t unit)
{
	for (size_t i = 0; unit > 1 && i + unit <= bytes; i += unit)
		for (size_t k = 0; k < unit / 2; k++) {
			const unsigned char kept = p[i + k];
			p[i + k] = p[i + unit - 1 - k];
			p[i + unit - 1 - k] = kept;
		}
}

/* the two parts of a complex number are swapped separately */
static size_t swap_unit(tsr_dtype dtype) { return tsr_dtype_size(dtype_real(dtype)); }

void npy_little_endian(void *data, size_t bytes, tsr_dtype dtype)
{
	if (big_endian()) swap_bytes(data, bytes, swap_unit(dtype));
}

void npy_native(void *data, size_t bytes, tsr_dtype dtype, bool swapped)
{
	unsigned char *p = data;

	if (swapped) swap_bytes(p, bytes, swap_unit(dtype));
	for (size_t i = 0; dtype == TSR_BOOL && i < bytes; i++) p[i] = p[i] != 0;
}

/* The dict, with NumPy's spare room: the first dim could grow to 21 digits, and the data begins at
 * a multiple of 64 bytes. Doing the same makes files equal, byte for byte. */
static void put_dict(str *s, tsr_dtype dtype, const int64_t *dims, int ndim)
{
	size_t k = 0;

	while (codes[k].dtype != dtype) k++;
	str_printf(s, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
	           codes[k].size == 1 ? '|' : '<', codes[k].kind, codes[k].size);
	size_t first = s->len;
	for (int d = 0; d < ndim; d++) {
		str_printf(s, d ? ", %lld" : "%lld", (long long)dims[d]);
		if (d == 0) first = s->len - first;
	}
	str_put(s, ndim == 1 ? ",), }" : "), }");
	for (size_t i = first; ndim && i < 21; i++) str_put(s, " ");
	for (size_t i = (10 + s->len + 1) % 64; i < 64; i++) str_put(s, " ");
	str_put(s, "\n");
}

void npy_header(str *out, tsr_dtype dtype, const int64_t *dims, int ndim)
{
	str s = {.base = out->base};

	put_dict(&s, dtype, dims, ndim);
	const char preamble[] = {
		'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(s.len & 0xff), (char)(s.len >> 8)};
	str_putn(out, preamble, sizeof preamble);
	if (!s.lost) str_putn(out, s.s, s.len);
	out->lost |= s.lost;
	str_free(&s);
}
