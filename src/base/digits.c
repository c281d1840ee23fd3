/* digits.c - finds digits of a binary number in decimal: the shortest that name it, or exact ones.
 *
 * Steele and White's free-format algorithm with big integers ("How to print floating-point numbers
 * accurately", 1990), with the stopping and rounding rules of NumPy's version of it. The number is
 * |x| = (value / scale) * 10^exponent. Multiplying value by ten and dividing by scale splits off
 * one digit; value keeps the remainder. low and high are half the gaps to the next numbers below
 * and above, by the same scale. Digits end as soon as the remainder is less than low, so that the
 * digits so far read back as x, or as it is so close to scale that they do with 1 added to the last
 * one.
 *
 * Of the f32 0.3, which is 0.300000011920929, half a gap is 0.0000000149. After the digit 3 the
 * remainder is 0.0000000119, less than that: 0.3 is enough.
 *
 * Picking the nearest decimal of each length instead would differ next to powers of two, where the
 * two gaps differ. */
#include "base/base.h"
#include <math.h>

/* A number below 2^(32 * 40): the largest is 2^(53 + 1074 + 2) * 10, for the smallest double. */
typedef struct big {
	int n;
	uint32_t word[40];
} big;

static void big_trim(big *a)
{
	while (a->n && !a->word[a->n - 1]) a->n--;
}

static big big_of(uint64_t x)
{
	big a = {2, {(uint32_t)x, (uint32_t)(x >> 32)}};

	big_trim(&a);
	return a;
}

static void big_multiply(big *a, uint32_t by)
{
	uint64_t carry = 0;

	for (int i = 0; i < a->n; i++) {
		carry += (uint64_t)a->word[i] * by;
		a->word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry) a->word[a->n++] = (uint32_t)carry;
}

static void big_shift(big *a, int bits)
{
	const int words = bits / 32;

	if (!a->n) return;
	memmove(a->word + words, a->word, (size_t)a->n * sizeof *a->word);
	memset(a->word, 0, (size_t)words * sizeof *a->word);
	a->n += words;
	big_multiply(a, (uint32_t)1 << bits % 32);
}

static void big_power_of_ten(big *a, int power)
{
	for (; power > 0; power--) big_multiply(a, 10);
}

static int big_compare(const big *a, const big *b)
{
	if (a->n != b->n) return a->n < b->n ? -1 : 1;
	for (int i = a->n - 1; i >= 0; i--)
		if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
	return 0;
}

static big big_sum(const big *a, const big *b)
{
	const int n = a->n > b->n ? a->n : b->n;
	big sum = {n, {0}};
	uint64_t carry = 0;

	for (int i = 0; i < n; i++) {
		carry += (uint64_t)(i < a->n ? a->word[i] : 0) + (i < b->n ? b->word[i] : 0);
		sum.word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry) sum.word[sum.n++] = (uint32_t)carry;
	return sum;
}

/* a -= b, which is not larger */
static void big_subtract(big *a, const big *b)
{
	int64_t borrow = 0;

	for (int i = 0; i < a->n; i++) {
		borrow += (int64_t)a->word[i] - (i < b->n ? b->word[i] : 0);
		a->word[i] = (uint32_t)borrow;
		borrow >>= 32;
	}
	big_trim(a);
}

/* ---- */

typedef struct state {
	big value, scale, low, high; /* low, high: half the gaps to the neighbours, by scale */
	bool even;                   /* decimals at the very ends of the interval read back as x
	                                too: ties go to an even mantissa */
	int exponent;                /* of the digit split off last */
} state;

static void times_ten(state *s)
{
	big_multiply(&s->value, 10);
	big_multiply(&s->low, 10);
	big_multiply(&s->high, 10);
}

static int mantissa_bits(tsr_dtype dtype)
{
	switch (dtype) {
	case TSR_F16: return 11;
	case TSR_BF16: return 8;
	case TSR_F32: return 24;
	default: return 53;
	}
}

/* |x| = mantissa * 2^exponent, as its dtype stores it; `uneven`: x is a power of two, where the gap
 * to the next number below is half of that above */
static uint64_t take_apart(double x, tsr_dtype dtype, int *exponent, bool *uneven)
{
	const int bits = mantissa_bits(dtype);
	const int lowest = dtype == TSR_F16 ? -24 : dtype == TSR_F64 ? -1074 : -125 - bits;
	uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), exponent), bits);

	*exponent -= bits;
	*uneven = mantissa == (uint64_t)1 << (bits - 1) && *exponent > lowest;
	if (*exponent < lowest) {
		mantissa >>= lowest - *exponent;
		*exponent = lowest;
	}
	return mantissa;
}

/* value / scale = |x| / 10^exponent, in [1/10, 1): multiplied by ten, its whole part is the first
 * digit */
static void state_begin(state *s, double x, tsr_dtype dtype)
{
	int power;
	bool uneven;
	const uint64_t mantissa = take_apart(x, dtype, &power, &uneven);
	const int twice = uneven ? 2 : 1, up = power > 0 ? power : 0, down = power < 0 ? -power : 0;

	*s = (state){
		.value = big_of(mantissa),
		.scale = big_of(1),
		.low = big_of(1),
		.high = big_of(uneven ? 2 : 1),
		.even = !(mantissa & 1),
		.exponent = (int)ceil(log10(fabs(x)) - 1e-9), /* may be 1 too small, which is
		                                                 mended below */
	};
	big_shift(&s->value, up + twice);
	big_shift(&s->scale, down + twice);
	big_shift(&s->low, up);
	big_shift(&s->high, up);
	big_power_of_ten(&s->scale, s->exponent);
	for (int i = s->exponent; i < 0; i++) times_ten(s);
	if (big_compare(&s->value, &s->scale) >= 0) {
		s->exponent++;
		big_multiply(&s->scale, 10);
	}
}

static int next_digit(state *s)
{
	int digit = 0;

	times_ten(s);
	s->exponent--;
	for (; big_compare(&s->value, &s->scale) >= 0; digit++) big_subtract(&s->value, &s->scale);
	return digit;
}

/* Do the digits so far, cut off here, read back as x? The remainder must be less than half the gap
 * to the number below. is_high asks the same of the digits with 1 added to the last one, which are
 * scale - value above x. `even` is 1 where the exact half counts too */
static bool is_low(const state *s) { return big_compare(&s->value, &s->low) < s->even; }

static bool is_high(const state *s)
{
	const big top = big_sum(&s->value, &s->high);

	return big_compare(&top, &s->scale) > -s->even;
}

static bool rounds_up(const state *s, int digit, bool low, bool high)
{
	if (low != high) return high;
	big twice = s->value;
	big_multiply(&twice, 2);
	const int compared = big_compare(&twice, &s->scale);
	return compared > 0 || (compared == 0 && digit % 2 == 1);
}

/* adds 1 to the last digit. Nines at the end carry and are dropped: 1299 becomes 13, and 999
 * becomes 1 with the exponent one higher */
static void round_up(digits *d)
{
	while (d->count && d->digit[d->count - 1] == '9') d->count--;
	if (d->count) {
		d->digit[d->count - 1]++;
		return;
	}
	d->digit[d->count++] = '1';
	d->exponent++;
}

void digits_make(digits *out, double x, tsr_dtype dtype, digit_limits limits)
{
	state s;
	int digit;
	bool low, high;

	*out = (digits){.count = 1, .digit = "0"};
	if (x == 0) return;
	state_begin(&s, x, dtype);
	if (limits.fixed && limits.most >= 0 && s.exponent <= -limits.most) {
		/* x is less than one unit of the last place that is wanted, so it becomes 0 or 1 of
		 * them. With 2 places 0.006 is 0.01, and 0.0004 is 0: less than a tenth of a unit
		 * never rounds up */
		if (s.exponent == -limits.most && rounds_up(&s, 0, false, false))
			*out = (digits){.count = 1, .digit = "1", .exponent = s.exponent};
		return;
	}
	*out = (digits){.exponent = s.exponent - 1};
	const int point = limits.fixed ? 0 : s.exponent, room = (int)sizeof out->digit - 1;
	const int stop = limits.most < 0 ? s.exponent - room : point - limits.most;
	const int want = limits.least < 0 ? s.exponent : point - limits.least;
	for (;;) {
		digit = next_digit(&s);
		low = is_low(&s);
		high = is_high(&s);
		out->digit[out->count++] = (char)('0' + digit);
		if (((low || high) && s.exponent <= want) || s.exponent <= stop ||
		    out->count == room)
			break;
	}
	if (rounds_up(&s, digit, low, high)) round_up(out);
}
