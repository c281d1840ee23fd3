/* order_body.h - sorts records of one size; order.c includes it for each. RECORD has a `key` and
 * the number of an element, `at`. */

#define EACH_SIZE(bits_, LOOP) \
	switch (bits_) { \
	case 8: LOOP(uint8_t); break; \
	case 16: LOOP(uint16_t); break; \
	case 32: LOOP(uint32_t); break; \
	default: LOOP(uint64_t); \
	}

static void OF(number)(void *to, const keys *of, int64_t first, int64_t n)
{
	const keys own = *of, *k = &own;
	RECORD *r = to;

#define NUMBER(mem_) \
	for (int64_t i = 0; i < n; i++) { \
		const uint64_t bits = ((const mem_ *)k->x)[i * k->stride]; \
		r[i] = (RECORD){(KEY)key_of(k, bits), (KEY)(first + i)}; \
	}
	EACH_SIZE(k->bits, NUMBER)
#undef NUMBER
}

static void OF(key)(void *to, const keys *of, int64_t n)
{
	const keys own = *of, *k = &own;
	RECORD *r = to;

#define REPLACE(mem_) \
	for (int64_t i = 0; i < n; i++) \
		r[i].key = (KEY)key_of(k, ((const mem_ *)k->x)[(int64_t)r[i].at * k->stride]);
	EACH_SIZE(k->bits, REPLACE)
#undef REPLACE
}

static void OF(count)(const void *from, int64_t n, int shift, int64_t *count)
{
	const RECORD *r = from;

	for (int64_t i = 0; i < n; i++) count[r[i].key >> shift & (DIGITS - 1)]++;
}

static void OF(move)(const void *from, int64_t n, int shift, int64_t *place, void *to)
{
	const RECORD *r = from;
	RECORD *y = to;

	for (int64_t i = 0; i < n; i++) y[place[r[i].key >> shift & (DIGITS - 1)]++] = r[i];
}

static void OF(insert)(RECORD *r, int64_t n)
{
	for (int64_t i = 1; i < n; i++) {
		const RECORD x = r[i];
		int64_t j = i;
		for (; j > 0 && x.key < r[j - 1].key; j--) r[j] = r[j - 1];
		r[j] = x;
	}
}

/* a digit that is the same in all keys moves nothing */
static void OF(sort)(void *to, void *room, int64_t n, int bits)
{
	RECORD *from = to, *other = room;

	if (n <= TUNE_INSERTED) {
		OF(insert)(from, n);
		return;
	}
	for (int shift = 0; shift < bits; shift += DIGIT) {
		int64_t count[DIGITS] = {0}, before = 0;
		OF(count)(from, n, shift, count);
		if (count[from->key >> shift & (DIGITS - 1)] == n) continue;
		for (int d = 0; d < DIGITS; d++) {
			const int64_t here = count[d];
			count[d] = before;
			before += here;
		}
		OF(move)(from, n, shift, count, other);
		RECORD *moved = other;
		other = from;
		from = moved;
	}
	if (from != to) memcpy(to, from, (size_t)n * sizeof *from);
}

static int64_t OF(at)(const void *r, int64_t i) { return (int64_t)((const RECORD *)r)[i].at; }

static void OF(take)(const void *from, int64_t n, const char *x, char *y, int64_t stride,
                     size_t item)
{
	const RECORD *r = from;

#define TAKE(mem_) \
	for (int64_t i = 0; i < n; i++) \
		((mem_ *)y)[i * stride] = ((const mem_ *)x)[(int64_t)r[i].at * stride];
	if (item == sizeof(c128))
		TAKE(c128)
	else
		EACH_SIZE(8 * item, TAKE)
#undef TAKE
}

/* Elements from their keys alone, but where several numbers have one key (-0 and 0, NaN): those
 * come from their places */
static void OF(give)(const void *from, int64_t n, const keys *of, char *y)
{
	const keys own = *of, *k = &own;
	const RECORD *r = from;

#define GIVE(mem_) \
	for (int64_t i = 0; i < n; i++) { \
		((mem_ *)y)[i * k->stride] = (mem_)( \
			key_is_alone(k, r[i].key) \
				? key_bits(k, r[i].key) \
				: ((const mem_ *)k->x)[(int64_t)r[i].at * k->stride]); \
	}
	EACH_SIZE(k->bits, GIVE)
#undef GIVE
}

static const records OF(records) = {
	.size = sizeof(RECORD),
	.number = OF(number),
	.key = OF(key),
	.count = OF(count),
	.move = OF(move),
	.sort = OF(sort),
	.at = OF(at),
	.take = OF(take),
	.give = OF(give),
};
#undef EACH_SIZE
