/* boxes.h - declares the boxes of an array that devices hold, and copies between them. */
#ifndef TSR_SRC_RUNTIME_BOXES_H
#define TSR_SRC_RUNTIME_BOXES_H
#include "runtime/runtime.h"

typedef struct box {
	int64_t start[MAX_NDIM], stop[MAX_NDIM];
} box;

/* elements of an array in the memory of a device, or of the host */
typedef struct strided_piece {
	buffer *block;          /* NULL: the host's */
	char *data;             /* of the host */
	const int64_t *origin;  /* global index of the first element */
	const int64_t *strides; /* bytes */
} strided_piece;


/* in bytes: of a block's storage, of an array's shards, of contiguous elements */
void block_strides(const sharding *, const type *, int64_t *strides);
void array_strides(const array *, int64_t *strides);
void type_strides(const type *, int64_t *strides);
int64_t sharding_block_bytes(const sharding *, const type *);
int64_t offset_at(const int64_t *at, const int64_t *origin, const int64_t *strides, int ndim);
bool box_is_dense(const sharding *, const type *); /* are blocks without padding? */
/* the part that both boxes share; false if that is empty */
bool boxes_meet(const box *a, const box *b, int ndim, box *common);
/* at least one of the two is a block. false: recorded */
bool common_copy(const strided_piece *to, const strided_piece *from, const box *common,
                const type *);
/* the parts of arrays of this type that a box overlaps: first[d] .. first[d] + count[d] - 1 of each
 * dim; false: none, for the box is empty */
bool parts_touched(const sharding *, const type *, const box *want, int64_t *first,
                   int64_t *count);

#endif
