/* recorded_bytes.h - compares the bytes that collectives move in the library and in records.
 *
 * Counted is what one device receives: of a gather, a trade or a scatter over n devices the n-1
 * parts of others, and for a sum, which is a scatter and a gather, twice that. */
#ifndef TSR_TESTS_RECORDED_BYTES_H
#define TSR_TESTS_RECORDED_BYTES_H

/* what a call moves: MOVED(f, x, y); -1 on failure */
#define MOVED(f, ...) \
	__extension__({ \
		tsr_costs costs_ = {.size = sizeof costs_}; \
		tsr_fn_costs(f, &costs_, __VA_ARGS__) ? costs_.bytes : -1; \
	})
/* of recorded collectives, with types of blocks and the groups of devices:
 * "2x all-gather f32[2,8]->f32[8,8] {{0,2,4,6},{1,3,5,7}}; ...", or "-" for none */
double recorded_bytes(const char *collectives);
/* ends the running test if more than is recorded moves, or if bytes is -1 */
void moves_at_most(const char *what, double bytes, const char *collectives);
#endif
