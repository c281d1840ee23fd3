/* tsr/fft.h - discrete Fourier transforms.
 *
 *     tsr *y = tsr_rfft(x), *same = tsr_irfft(y, .n = tsr_dim(x, -1));
 *
 * y(k) is the sum of x(j) e^(-2 pi i j k / n) along a dim; inverses take the other sign, and divide
 * by n. Names and results are those of jax.numpy.fft, in c64 and c128: integers, bool, f16 and bf16
 * count as f32, integers of 64 bits as f64. Transformed dims must not be split over devices, or are
 * gathered first; all others may be. Errors of all: as in tsr/ops.h; a length below 1, or several
 * dims where one is wanted (TSR_ERROR_ARGUMENT). */
/* Made by tools/make_headers.py of api/fft.h.in: change that one. */
/** @file */
#ifndef TSR_FFT_H
#define TSR_FFT_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** By what transforms over n elements are divided. */
typedef enum tsr_fft_norm {
	TSR_FFT_BACKWARD, /**< inverses by n; when not given */
	TSR_FFT_ORTHO,    /**< all by the root of n */
	TSR_FFT_FORWARD   /**< all but inverses by n */
} tsr_fft_norm;

/** Keywords of transforms along one dim. */
typedef struct tsr_fft_args {
	TSR_KEYWORDS_
	int64_t n;    /**< the length, of irfft and hfft that of the result; x is cut, or filled up
	                   with zeros. When not given that of the dim, of irfft and hfft twice
	                   one less */
	tsr_dims dim; /**< one dim; the last one when not given */
	tsr_fft_norm norm; /**< what is divided by what */
	TSR_KEYWORDS_END_
} tsr_fft_args;

/** Keywords of transforms along several dims. */
typedef struct tsr_fftn_args {
	TSR_KEYWORDS_
	tsr_dims lengths; /**< as tsr_fft_args.n, one for each dim */
	tsr_dims dims;    /**< all when not given, or as many last ones as there are lengths */
	tsr_fft_norm norm; /**< what is divided by what */
	TSR_KEYWORDS_END_
} tsr_fftn_args;

/** Keyword of tsr_fftshift() and tsr_ifftshift(). */
typedef struct tsr_fftshift_args {
	TSR_KEYWORDS_
	tsr_dims dims; /**< all when not given */
	TSR_KEYWORDS_END_
} tsr_fftshift_args;

/** Keywords of tsr_fftfreq() and tsr_rfftfreq(). */
typedef struct tsr_fftfreq_args {
	TSR_KEYWORDS_
	double d;        /**< the time between two samples; 1 when not given */
	tsr_dtype dtype; /**< f32 when not given */
	TSR_KEYWORDS_END_
} tsr_fftfreq_args;

/* ---- along one dim */

/** The discrete Fourier transform of x along one dim, complex: tsr_fft(x, .dim = TSR_DIMS(0)). */
TSR_OP tsr *tsr_fft_at(const char *where, tsr *x, const tsr_fft_args *args);
/** The inverse of tsr_fft() along one dim, complex also where all imaginary parts are 0:
 * tsr_ifft(y). */
TSR_OP tsr *tsr_ifft_at(const char *where, tsr *x, const tsr_fft_args *args);
/** The first half of the transform of a real x: n / 2 + 1 elements. Complex x: TSR_ERROR_TYPE. */
TSR_OP tsr *tsr_rfft_at(const char *where, tsr *x, const tsr_fft_args *args);
/** The inverse of tsr_rfft() along one dim, n real numbers: tsr_irfft(y, .n = 7). */
TSR_OP tsr *tsr_irfft_at(const char *where, tsr *x, const tsr_fft_args *args);
/** The real transform of a signal whose second half is the conjugate of the first, which x is. */
TSR_OP tsr *tsr_hfft_at(const char *where, tsr *x, const tsr_fft_args *args);
/** The inverse of tsr_hfft() along one dim, complex, of a real x: tsr_ihfft(y). */
TSR_OP tsr *tsr_ihfft_at(const char *where, tsr *x, const tsr_fft_args *args);

/* ---- along several dims */

/** The discrete Fourier transform along several dims, one after the other: tsr_fftn(x, .dims =
 * TSR_DIMS(0, 2)). */
TSR_OP tsr *tsr_fftn_at(const char *where, tsr *x, const tsr_fftn_args *args);
/** The inverse of tsr_fftn() along the dims in .dims, complex: tsr_ifftn(y). */
TSR_OP tsr *tsr_ifftn_at(const char *where, tsr *x, const tsr_fftn_args *args);
/** tsr_rfft() along the last of the dims, tsr_fft() along the others. */
TSR_OP tsr *tsr_rfftn_at(const char *where, tsr *x, const tsr_fftn_args *args);
/** The inverse of tsr_rfftn() along the dims in .dims, real: tsr_irfftn(y, .lengths = TSR_DIMS(8,
 * 7), .dims = TSR_DIMS(-2, -1)). */
TSR_OP tsr *tsr_irfftn_at(const char *where, tsr *x, const tsr_fftn_args *args);
/** The discrete Fourier transform along the last two dims, tsr_fftn(x, .dims = TSR_DIMS(-2, -1)).
 * */
TSR_OP tsr *tsr_fft2_at(const char *where, tsr *x, const tsr_fftn_args *args);
/** The inverse transform along the last two dims, tsr_ifftn(x, .dims = TSR_DIMS(-2, -1)). */
TSR_OP tsr *tsr_ifft2_at(const char *where, tsr *x, const tsr_fftn_args *args);
/** The transform of real numbers along the last two dims, tsr_rfftn(x, .dims = TSR_DIMS(-2, -1)).
 * */
TSR_OP tsr *tsr_rfft2_at(const char *where, tsr *x, const tsr_fftn_args *args);
/** The inverse transform to real numbers along the last two dims, tsr_irfftn(x, .dims =
 * TSR_DIMS(-2, -1)). */
TSR_OP tsr *tsr_irfft2_at(const char *where, tsr *x, const tsr_fftn_args *args);

/* ---- frequencies */

/** The frequencies of the elements of tsr_fft() of n samples: 0, 1, .. and then the negative ones,
 * by n d. tsr_fftfreq(ctx, 8, .d = 0.1) */
TSR_OP tsr *tsr_fftfreq_at(const char *where, tsr_ctx *ctx, int64_t n,
                           const tsr_fftfreq_args *args);
/** The frequencies of the elements of tsr_rfft(), which are not negative: [n / 2 + 1], f32 when no
 * dtype is given: tsr_rfftfreq(ctx, 8). */
TSR_OP tsr *tsr_rfftfreq_at(const char *where, tsr_ctx *ctx, int64_t n,
                            const tsr_fftfreq_args *args);
/** The elements of x with frequency 0 moved from the front to the middle of the dims:
 * tsr_fftshift(y). */
TSR_OP tsr *tsr_fftshift_at(const char *where, tsr *x, const tsr_fftshift_args *args);
/** The inverse of tsr_fftshift(): the zero frequency moves from the middle of each dim to the
 * front. */
TSR_OP tsr *tsr_ifftshift_at(const char *where, tsr *x, const tsr_fftshift_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_fft_at() as a value. */
TSR_OP tsr *tsr_fft(tsr *x);
/** tsr_ifft_at() as a value. */
TSR_OP tsr *tsr_ifft(tsr *x);
/** tsr_rfft_at() as a value. */
TSR_OP tsr *tsr_rfft(tsr *x);
/** tsr_irfft_at() as a value. */
TSR_OP tsr *tsr_irfft(tsr *x);
/** tsr_hfft_at() as a value. */
TSR_OP tsr *tsr_hfft(tsr *x);
/** tsr_ihfft_at() as a value. */
TSR_OP tsr *tsr_ihfft(tsr *x);
/** tsr_fftn_at() as a value. */
TSR_OP tsr *tsr_fftn(tsr *x);
/** tsr_ifftn_at() as a value. */
TSR_OP tsr *tsr_ifftn(tsr *x);
/** tsr_rfftn_at() as a value. */
TSR_OP tsr *tsr_rfftn(tsr *x);
/** tsr_irfftn_at() as a value. */
TSR_OP tsr *tsr_irfftn(tsr *x);
/** tsr_fft2_at() as a value. */
TSR_OP tsr *tsr_fft2(tsr *x);
/** tsr_ifft2_at() as a value. */
TSR_OP tsr *tsr_ifft2(tsr *x);
/** tsr_rfft2_at() as a value. */
TSR_OP tsr *tsr_rfft2(tsr *x);
/** tsr_irfft2_at() as a value. */
TSR_OP tsr *tsr_irfft2(tsr *x);
/** tsr_fftfreq_at() as a value. */
TSR_OP tsr *tsr_fftfreq(tsr_ctx *ctx, int64_t n);
/** tsr_rfftfreq_at() as a value. */
TSR_OP tsr *tsr_rfftfreq(tsr_ctx *ctx, int64_t n);
/** tsr_fftshift_at() as a value. */
TSR_OP tsr *tsr_fftshift(tsr *x);
/** tsr_ifftshift_at() as a value. */
TSR_OP tsr *tsr_ifftshift(tsr *x);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_fft(...) TSR_FFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_FFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fft_args, v_, __VA_ARGS__) tsr_fft_at(TSR_HERE, x, \
		&v_); }))
#define tsr_ifft(...) TSR_IFFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IFFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fft_args, v_, __VA_ARGS__) tsr_ifft_at(TSR_HERE, \
		x, &v_); }))
#define tsr_rfft(...) TSR_RFFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_RFFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fft_args, v_, __VA_ARGS__) tsr_rfft_at(TSR_HERE, \
		x, &v_); }))
#define tsr_irfft(...) TSR_IRFFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IRFFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fft_args, v_, __VA_ARGS__) tsr_irfft_at(TSR_HERE, \
		x, &v_); }))
#define tsr_hfft(...) TSR_HFFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_HFFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fft_args, v_, __VA_ARGS__) tsr_hfft_at(TSR_HERE, \
		x, &v_); }))
#define tsr_ihfft(...) TSR_IHFFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IHFFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fft_args, v_, __VA_ARGS__) tsr_ihfft_at(TSR_HERE, \
		x, &v_); }))
#define tsr_fftn(...) TSR_FFTN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_FFTN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) tsr_fftn_at(TSR_HERE, \
		x, &v_); }))
#define tsr_ifftn(...) TSR_IFFTN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IFFTN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) tsr_ifftn_at(TSR_HERE, \
		x, &v_); }))
#define tsr_rfftn(...) TSR_RFFTN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_RFFTN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) tsr_rfftn_at(TSR_HERE, \
		x, &v_); }))
#define tsr_irfftn(...) TSR_IRFFTN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IRFFTN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) \
		tsr_irfftn_at(TSR_HERE, x, &v_); }))
#define tsr_fft2(...) TSR_FFT2_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_FFT2_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) tsr_fft2_at(TSR_HERE, \
		x, &v_); }))
#define tsr_ifft2(...) TSR_IFFT2_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IFFT2_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) tsr_ifft2_at(TSR_HERE, \
		x, &v_); }))
#define tsr_rfft2(...) TSR_RFFT2_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_RFFT2_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) tsr_rfft2_at(TSR_HERE, \
		x, &v_); }))
#define tsr_irfft2(...) TSR_IRFFT2_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IRFFT2_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftn_args, v_, __VA_ARGS__) \
		tsr_irfft2_at(TSR_HERE, x, &v_); }))
#define tsr_fftfreq(ctx, ...) TSR_FFTFREQ_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_FFTFREQ_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_fftfreq: give the argument n, without a name") TSR_KW_(tsr_fftfreq_args, v_, \
		__VA_ARGS__) tsr_fftfreq_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); \
		}))
#define tsr_rfftfreq(ctx, ...) TSR_RFFTFREQ_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_RFFTFREQ_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_rfftfreq: give the argument n, without a name") TSR_KW_(tsr_fftfreq_args, v_, \
		__VA_ARGS__) tsr_rfftfreq_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); \
		}))
#define tsr_fftshift(...) TSR_FFTSHIFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_FFTSHIFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftshift_args, v_, __VA_ARGS__) \
		tsr_fftshift_at(TSR_HERE, x, &v_); }))
#define tsr_ifftshift(...) TSR_IFFTSHIFT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IFFTSHIFT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_fftshift_args, v_, __VA_ARGS__) \
		tsr_ifftshift_at(TSR_HERE, x, &v_); }))
#endif

#endif
