/* test_calls.c - every public function with every dtype, with poison, NULL, stale and foreign
 * handles, with extreme numbers, texts and lists, and with arrays of 9, 64 and 255 dims. Each call
 * gives a value, or poison and an error, and none ends the process; writes past an end the address
 * sanitizer sees.
 *
 *     test_calls                 all functions, each in a process of its own
 *     test_calls tsr_fft_at      this one
 *     TSR_PART=2/5 test_calls    the second of every five functions */
#include "every/watch.h"

static void check_dtypes(size_t k)
{
	const tsr_dims dims[] = {DIMS(3, 3), RAW(1), DIMS(0, 3), DIMS(2, 3, 3)};

	at_work = "dtypes";
	for (tsr_dtype t = TSR_BOOL; t < TSR_DTYPE_COUNT_; t++)
		for (size_t d = 0; d < sizeof dims / sizeof *dims; d++) {
			the.x = scene_numbers(t, dims[d]);
			check_call(k, IN_NOTHING);
		}
}

static void check_many_dims(size_t k)
{
	const int ndim[] = {9, 64, 255};

	at_work = "many dims";
	for (size_t i = 0; i < sizeof ndim / sizeof *ndim; i++) {
		tsr *x = scene_spread(scene_numbers(TSR_F32, TSR_DIMS(3, 1)), ndim[i]);
		for (the.odd = 0, the.nvalues = 1; the.odd < 12 && the.nvalues; the.odd++) {
			the.nvalues = 0;
			the.x = x;
			the.which = 1;
			check_call(k, IN_NOTHING);
			if (!the.odd) the.nvalues = 1;
		}
	}
	the.odd = 0;
	scene_handles();
}

/* each odd value, at each place */
static void check_odd(size_t k)
{
	at_work = "one odd value";
	for (the.odd = 1;; the.odd++) {
		int n = 1;
		for (the.which = 0; the.which < n; the.which++) {
			the.nvalues = 0;
			check_call(k, IN_NOTHING);
			n = the.nvalues;
		}
		if (!n) break;
	}
	the.odd = 0;
}

static void check_sampled(size_t k, int way, uint64_t n)
{
	static const char *const names[] = {"sampled", "sampled, in a jit", "sampled, in a map"};

	at_work = names[way];
	for (uint64_t i = 0; i < n; i++) {
		the.seed = (i + 1) * 0x9e3779b97f4a7c15u + k;
		check_call(k, way);
	}
	the.seed = 0;
}

static void check_function(size_t k)
{
	scene_open("", 64 << 20);
	check_dtypes(k);
	scene_handles();
	check_odd(k);
	check_many_dims(k);
	for (int way = IN_NOTHING; way < WAYS; way++) check_sampled(k, way, way ? 10 : 20);
	scene_close();
}

int main(int n, char **names) { return check_functions(n, names, check_function); }
