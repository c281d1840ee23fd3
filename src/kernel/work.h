/* work.h - holds the state of a kernel while it is built. */
#ifndef TSR_SRC_KERNEL_WORK_H
#define TSR_SRC_KERNEL_WORK_H
#include "kernel/kernel.h"

#define MAX_KERNEL_NODES 20000
#define MAX_KERNEL_DEPTH 500 /* of equations that are lowered in place, one inside the other */

typedef struct knodes { /* of one region */
	kvar *v;
	int32_t n, cap;
} knodes;

typedef struct kbranch { /* between k_if and k_end */
	kvar condition;
	int32_t region[2];
	int32_t opener; /* the region it is in */
	int known;      /* 0 or 1; -1: not */
} kbranch;

typedef struct kmade { /* an element of a variable that has been lowered */
	int32_t var;
	kvar *index, value;
} kmade;

struct kwork {
	bool failed; /* no memory: an error is recorded */
	bool too_large;
	int32_t current; /* the region that is being filled */
	int32_t depth;
	table nodes, made;
	size_t node_cap, region_cap, inside_cap, branch_cap, open_cap;
	knodes *inside; /* of each region */
	kbranch *branch;
	int32_t nbranches;
	int32_t *open; /* where the open reductions are */
	int32_t nopen;
	int32_t *source; /* of each variable: i for input i, -1 - j for a result of equation j */
	/* an expansion that is being lowered, and the values of its variables; NULL: none */
	const program *expansion;
	kvar *values;
	kvar *spare;     /* what k_room gives when there is no memory */
	int64_t *spare_extents;
};

static inline bool stopped(const kernel *k) { return k->work->failed || k->work->too_large; }
static inline const knode *node_of(const kernel *k, kvar v) { return &k->nodes[v.id]; }
/* a number of the program, to become one of the kernel's literals where the operation allows it */
kvar literal_make(kernel *, tsr_dtype, const void *value);
/* may a node of region `from` use a value of region `home`? */
bool region_sees(const kernel *, int32_t from, int32_t home);
int32_t region_open(kernel *, kregion_kind, const int64_t *extents, int ndim, kvar *index);
bool is_known(const kernel *, kvar, int64_t *value); /* an i64 or bool constant */
void set_range(const kernel *, knode *);             /* index.c */

#endif
