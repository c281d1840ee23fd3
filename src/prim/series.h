/* series.h - the numbers of our own elementary functions, which math.c computes with and nodes.c
 * repeats in kernels.
 *
 * Polynomials begin with the coefficient of the highest degree. They are minimax fits (Remez
 * exchange in 40 digits or more; each coefficient was rounded, from the lowest degree up,
 * before the remaining ones were fitted again). docs/numerics.md has the formulas and errors. */
#ifndef TSR_SRC_PRIM_SERIES_H
#define TSR_SRC_PRIM_SERIES_H

/* added: the low 9 bits are 127 + n, where n is the nearest integer: the exponent of 2^n */
#define TO_EXPONENT (0x1.8p23f + 127)
#define TO_EXPONENTS (0x1.8p23f + 254) /* likewise the sum of the exponents of two powers */
#define LN2_HIGH 0x1.62e4p-1f /* 16 bits of ln 2: its products with small integers are exact */
#define LN2_LOW 0x1.7f7d1cp-20f

/* e^r */
static const float exp_series[] = {
	0x1.6ac6b2p-10f, 0x1.123dep-7f, 0x1.555858p-5f, 0x1.55548cp-3f, 0x1.fffffcp-2f, 1, 1};
/* (e^r - 1 - r) / r^2 */
static const float expm1_series[] = {0x1.3b88c2p-13f, 0x1.6d2e48p-10f, 0x1.1155a8p-7f,
                                     0x1.555502p-5f,  0x1.55552cp-3f,  0.5f};
/* 2^r */
static const float exp2_series[] = {0x1.1799eap-13f,
                                    0x1.5ef4dcp-10f,
                                    0x1.3b6816p-7f,
                                    0x1.c6af9ep-5f,
                                    0x1.ebfb94p-3f,
                                    0x1.62e43p-1f,
                                    1};
/* (log(1 + f) - f) / f^2 for 2^-1/2 <= 1 + f < 2^1/2, and for 3/4 <= 1 + f < 3/2 */
static const float log_series[] = {
	0x1.1c6d12p-4f,  -0x1.e4a3eap-4f, 0x1.e6756ap-4f, -0x1.fadccap-4f, 0x1.2327bep-3f,
	-0x1.55664cp-3f, 0x1.99a626p-3f,  -0x1.ffffep-3f, 0x1.555544p-2f,  -0.5f};
static const float log1p_series[] = {
	0x1.310c58p-5f,  -0x1.73ed3ap-4f, 0x1.df2b54p-4f, -0x1.04bfe4p-3f, 0x1.246452p-3f,
	-0x1.5518fcp-3f, 0x1.999754p-3f,  -0x1.00007p-2f, 0x1.55555ap-2f,  -0.5f};

/* of tanh, by dtype */
typedef struct tanh_form {
	double limit;          /* from here on it is 1 */
	double per_step;       /* 2 / ln 2 */
	double half_ln2, rest; /* ln 2 / 2; rest 0: the first alone is near enough */
	double to_exponent;    /* as TO_EXPONENT */
	int mantissa;          /* bits below the exponent */
	int n;                 /* coefficients of tanh(h) / h, a polynomial of h^2 */
	double series[7];
} tanh_form;
/* the last digits of the first two coefficients are those that gave the smallest error */
static const tanh_form tanh_f32_form = {.limit = 9.02f,
                                        .per_step = 0x1.715476p+1,
                                        .half_ln2 = 0x1.62e43p-2,
                                        .to_exponent = TO_EXPONENT,
                                        .mantissa = 23,
                                        .n = 3,
                                        .series = {0x1.0c3174p-3, -0x1.554ecep-2, 1}};
static const tanh_form tanh_f64_form = {.limit = 19.1,
                                        .per_step = 0x1.71547652b82fep+1,
                                        .half_ln2 = 0x1.62e42fefa39efp-2,
                                        .rest = 0x1.abc9e3b39803fp-57,
                                        .to_exponent = 0x1.8p52 + 1023,
                                        .mantissa = 52,
                                        .n = 7,
                                        .series = {0x1.c382d28f5292ep-9, -0x1.223c6f7013584p-7,
                                                   0x1.664ec9c955e56p-6, -0x1.ba1ba116b3e1bp-5,
                                                   0x1.11111110e0966p-3, -0x1.55555555554bcp-2, 1}};

#endif
