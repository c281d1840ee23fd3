/* oracle.h - mapped computation on the host, the slow way: whole arrays of integers are sliced by
 * spec for each device of a grid, every block is a plain C array, and an exchange between devices
 * is a loop over the blocks of a group. It shares no code with the library.
 *
 * Memory of the arrays is a pool; oracle_reset() empties it. */
#ifndef TSR_TESTS_ORACLE_H
#define TSR_TESTS_ORACLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tsr/tsr.h>

enum { ORACLE_NDIM = 8, ORACLE_AXES = 3, ORACLE_DEVICES = 8 };

/* a whole array, or the block of one device; row-major */
typedef struct host {
	int ndim;
	int64_t dim[ORACLE_NDIM], size;
	int64_t *v;
} host;

/* axes "x", "y", "z" over row-major devices */
typedef struct grid {
	int naxes, count;
	int64_t size[ORACLE_AXES];
} grid;

/* some axes in order, major first */
typedef struct axes {
	int n, at[ORACLE_AXES];
} axes;

/* over which axes each dim is split; dims beyond n are not */
typedef struct cut {
	int n;
	axes dim[ORACLE_NDIM];
} cut;

/* groups of an exchange: the members one group after the other; count 0: one group of all */
typedef struct circles {
	int count, size[ORACLE_DEVICES], member[ORACLE_DEVICES];
} circles;

enum exchange_kind {
	EX_PSUM, EX_PMAX, EX_PMIN, EX_ALL_GATHER, EX_PSUM_SCATTER, EX_ALL_TO_ALL, EX_PPERMUTE,
	EX_PSHUFFLE, EX_PBROADCAST, EX_AXIS_INDEX, EX_COUNT
};
typedef struct exchange {
	int kind;
	axes over;
	circles groups;
	int dim, concat;            /* dims, not negative; all_to_all: dim is what is split */
	bool tiled;
	bool invarying;             /* all_gather, pbroadcast: the result is typed as equal */
	bool swap;                  /* all_to_all: written as pswapaxes */
	int source[ORACLE_DEVICES]; /* ppermute, pshuffle: whose value each place gets, -1: zeros;
	                               pbroadcast: source[0] */
} exchange;

void oracle_reset(void);

/* ---- arrays */
host host_make(int ndim, const int64_t *dim); /* zeros */
host host_map(const host *x, int64_t (*f)(int64_t x, int64_t k), int64_t k);
host host_zip(const host *a, const host *b, int64_t (*f)(int64_t a, int64_t b)); /* same dims */
host host_transpose(const host *x, const int *perm);
host host_flip(const host *x, int dim);
host host_reshape(const host *x, int ndim, const int64_t *dim);
host host_expand(const host *x, int dim);  /* a new dim of size 1 */
host host_drop(const host *x, int dim);    /* without a dim of size 1 */
host host_fold(const host *x, int dim, int64_t (*f)(int64_t a, int64_t b), bool keep);
host host_concat(const host *x, int n, int dim);
host host_slice(const host *x, int dim, int64_t start, int64_t stop);
host host_dot(const host *a, const host *b); /* [m,k] [k,n] */
int64_t host_largest(const host *x);         /* the largest |x|, 0 of nothing */

int64_t add_up(int64_t a, int64_t b);
int64_t larger(int64_t a, int64_t b);
int64_t smaller(int64_t a, int64_t b);

/* ---- grids */
int64_t grid_parts(const grid *, const axes *);
int grid_device(const grid *, const int64_t *coord);
void grid_coord(const grid *, int device, int64_t *coord);
uint32_t axes_mask(const axes *);
uint32_t cut_mask(const cut *);
const char *axes_text(const axes *, char out[16]); /* "x*y"; NULL for no axis */

/* The block of one device; where a dim does not divide, the last blocks are smaller, or empty. */
host host_block(const host *whole, const grid *, const cut *, int device);
/* Blocks put together along the axes of mask `manual`: along axes that the cut leaves out, the
 * first device's; along other axes, those where `device` is. */
host host_whole(const host *block, const grid *, const cut *, uint32_t manual, int device);
/* What an exchange leaves on one device. */
host host_exchange(const host *block, const grid *, const exchange *, int device);
/* Number of devices that exchange with this one, itself included; member: which, in order; place:
 * its own place. */
int exchange_members(const grid *, const exchange *, int device, int *member, int *place);

/* ---- to and from the library */
tsr *host_array(tsr_ctx *, const host *, tsr_dtype);
/* Same dims, dtype and values? If not, says why. */
bool host_matches(const host *want, tsr_dtype, const tsr *got, char *why, size_t size);
tsr_mesh *grid_mesh(tsr_ctx *, const grid *, const int64_t *device_ids);
/* text: room for the entries, which must live as long as the spec */
tsr_spec cut_spec(const cut *, char text[ORACLE_NDIM][16]);

#endif
