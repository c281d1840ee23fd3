/* windows.h - declares helpers of pooling and convolutions: they read the keywords of windows, make
 * patches, and check the dims of convolutions. */
#ifndef TSR_SRC_LIB_WINDOWS_H
#define TSR_SRC_LIB_WINDOWS_H
#include "lib/lib.h"

/* ---- windows.c */
typedef struct windows { /* lists of n entries: of dims that rise */
	int n;
	int64_t along[MAX_NDIM], size[MAX_NDIM], stride[MAX_NDIM], dilation[MAX_NDIM];
	int64_t low[MAX_NDIM], high[MAX_NDIM], base[MAX_NDIM]; /* of the padding */
} windows;
static inline bool pads_same(enum tsr_window_padding padding)
{
	return padding == TSR_SAME || padding == TSR_SAME_LOWER;
}
/* keywords; names: those of the two dilations */
typedef struct windows_given {
	const tsr_dims *strides, *low, *high, *base, *dilation;
	const char *base_name, *dilation_name;
	enum tsr_window_padding padding;
} windows_given;
/* w->n, along and size are known. size: of the dims. false: an error is recorded */
bool windows_read(const call_site *, const windows_given *, const int64_t *size, windows *);
/* all of it, as keywords of operations whose windows have the dims of x say */
bool window_args_read(const call_site *, const type *x, const tsr_dims *window,
                      const tsr_window_args *, windows *);
/* The patches of x, with a number or a scalar where it is padded: the dims of windows are the last.
 * Passes poison on */
tsr *take_patches(const call_site *, const windows *, tsr *x, const tsr_arg *outside);

/* ---- convolution.c */
/* which dims of an array a text such as "NHWC" names: those of the letters N and C, or O and I, and
 * the others in the order of the spatial letters */
typedef struct dims_named {
	int64_t first, second, spatial[MAX_NDIM];
} dims_named;
typedef struct convolution {
	call_site site;
	bool of_layer; /* tsr_conv(): features come last */
	tsr_precision precision; /* of its product */
	int n; /* spatial dims */
	dims_named lhs, rhs, out;
	int64_t features, batches; /* groups of these */
	windows w;
	tsr_dtype dtype;
} convolution;
/* all of it; poison: an error is recorded */
tsr *convolution_run(convolution *, const tsr_conv_args *, tsr *lhs, tsr *rhs);
/* n is known; given: the specs of lhs, rhs and the result. Those that are not: the batch, features
 * and then places, and results, features, places; or features_last: batch, places, features, and
 * places, features, results. false: an error is recorded */
bool convolution_specs(convolution *, const char *const given[3], bool features_last);
/* the specs are known; window: sizes. false: an error is recorded */
bool convolution_windows(convolution *, const tsr_conv_args *, const type *lhs,
                         const int64_t *window);
/* [batch, places, features, window] */
tsr *convolution_patches(const convolution *, tsr *lhs);
/* [places, features, results] of a kernel; its places are those of a window, or of results */
tsr *convolution_kernel(const convolution *, tsr *rhs);
/* [batch, places, results] in the order of the spec */
tsr *convolution_result(const convolution *, tsr *y);

#endif
