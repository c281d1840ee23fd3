/* piece_count.c - decides into how many pieces the work of workers is cut.
 *
 *     work        2 workers
 *     5 us        1 piece of 5 us: nothing is shared
 *     8 us        2 pieces of 4 us
 *     30 us       2 pieces of 15 us
 *     200 us      10 pieces of 20 us
 *
 * With little work each worker has one piece, since each costs a claim, if it lasts 3 microseconds
 * at least. With much work a piece lasts 20 microseconds or somewhat more, so that nobody waits
 * long for the last one, and each worker has as many. */
#include "engine/cpu/cpu.h"

int32_t pieces_of(const coded *c, double time)
{
	const int workers = c->workers;
	const double each = time / (TUNE_PIECE_LONG * (double)workers);
	const int most = TUNE_PIECES_MOST / workers;

	if (c->share_all) return 8 * workers;
	if (each >= 1) return (each < most ? (int)each : most) * workers;
	return time < TUNE_PIECE_LEAST * (double)workers ? (int)(time / TUNE_PIECE_LEAST) : workers;
}

double steps_time(const coded *c, int32_t first, int32_t end)
{
	double time = 0;

	for (int32_t i = first; i < end; i++) time += c->plan->step[i].cost;
	return time;
}
