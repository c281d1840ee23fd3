/* windows.h - what operations on windows share: how keywords say where they go, and patches. */
#ifndef TSR_SRC_LIB_WINDOWS_H
#define TSR_SRC_LIB_WINDOWS_H
#include "lib/lib.h"

/* ---- windows.c */
typedef struct windows { /* lists of n entries: of dims that rise */
	int n;
	int64_t along[MAX_NDIM], size[MAX_NDIM], stride[MAX_NDIM], dilation[MAX_NDIM];
	int64_t low[MAX_NDIM], high[MAX_NDIM], base[MAX_NDIM]; /* of the padding */
} windows;
/* keywords; names: those of the two dilations */
typedef struct windows_given {
	const tsr_dims *strides, *low, *high, *base, *dilation;
	const char *base_name, *dilation_name;
	enum tsr_window_padding padding;
} windows_given;
/* w->n, along and size are known. size: of the dims. false: an error is recorded */
bool windows_read(const call_site *, const windows_given *, const int64_t *size, windows *);
/* The patches of x, with a number where it is padded: the dims of windows stand last. These two
 * pass poison on */
tsr *take_patches(const call_site *, const windows *, tsr *x, const tsr_arg *outside);
tsr *turn_dims(const call_site *, tsr *x, const int64_t *perm, int ndim);

#endif
