/* exchanges.h - tries every collective over every choice of axes, in any order, of a mesh and of
 * batches: tiled and not, over groups and not. Each is a recipe of this one exchange. */
#ifndef TSR_TESTS_EXCHANGES_H
#define TSR_TESTS_EXCHANGES_H
#include "support/recipe.h"

typedef struct exchanges {
	tsr_ctx *ctx;
	recipe r; /* its axes are given; exchanges_compare makes the rest */
	exchange e;
	bool negative; /* dims are written from the end */
	int count;     /* of those compared */
	void (*each)(struct exchanges *);
} exchanges;

/* with a context of its own; the sizes end with 0 */
exchanges exchanges_open(const int *mesh, const int *batch, void (*each)(exchanges *));
int exchanges_close(exchanges *); /* how many were compared */
void exchanges_try_all(exchanges *); /* calls each for every exchange */
bool exchanges_have(const exchanges *, tsr_dtype); /* is there this exchange in that dtype? */
/* makes .r of .e and its operand, whole numbers that every dtype holds, and gives what the oracle
 * says of it */
void exchanges_make(exchanges *, tsr_dtype, const double **in, const double **want);
/* the library against the oracle */
void exchanges_compare(exchanges *, tsr_dtype);

#endif
