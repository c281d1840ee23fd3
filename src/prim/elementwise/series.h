/* series.h - holds the numbers of our own elementary functions (math_real.h), one record for each
 * dtype.
 *
 * Polynomials begin with the coefficient of the highest degree. They are minimax fits (Remez
 * exchange in 40 digits or more; each coefficient was rounded, from the lowest degree up,
 * before the remaining ones were fitted again). docs/numerics.md has the formulas and errors. */
#ifndef TSR_SRC_PRIM_SERIES_H
#define TSR_SRC_PRIM_SERIES_H

typedef struct series {
	int n; /* coefficients */
	double c[23];
} series;

/* of a dtype */
typedef struct real_form {
	int mantissa;              /* bits below the exponent */
	double whole;              /* 2^mantissa */
	double to_field;           /* whole + 127 or 1023, the exponent of 1 */
	double least_normal, most; /* the smallest and the largest number with all its digits */
	/* added: the low bits are the exponent of 2^n, where n is the nearest integer; likewise the
	 * sum of the exponents of two powers */
	double to_exponent, to_exponents;
	double per_ln2, per_half_ln2; /* 1 / ln 2, 2 / ln 2 */
	double ln2, ln2_rest;         /* ln 2; the first is the nearest number */
	double ln2_high, ln2_low;     /* the same; the first times a small integer is exact */
	/* ln 2 / 2; the rest is 0 where the first alone is near enough */
	double half_ln2, half_ln2_rest;
	double root_half; /* 2^-1/2 */
	/* beyond these the results do not change */
	double exp_limits[2], exp2_limits[2], expm1_limits[2], tanh_limit;
	series exp, exp2;  /* e^r, 2^r */
	series expm1;      /* (e^r - 1 - r) / r^2 */
	series log, log1p; /* (log(1 + f) - f) / f^2: 2^-1/2 <= 1 + f < 2^1/2, 3/4 <= 1 + f < 3/2 */
	/* tanh(h) / h, a polynomial of h^2. In f32 the last digits of the first two are those that
	 * gave the smallest error */
	series tanh;
	double sine_limit;  /* from here on sin and cos are SLEEF's */
	double per_quarter; /* 2 / pi */
	double quarter[3];  /* pi / 2 in parts. The first product subtracted is exact: what is left
	                       is a multiple of its last digit, and less than 1 */
	series sin;         /* (sin(r) / r - 1) / r^2, a polynomial of r^2 */
	series cos;         /* cos(r), a polynomial of r^2 */
} real_form;

static const real_form form_f32 = {
	.mantissa = 23,
	.whole = 0x1p23,
	.to_field = 0x1p23 + 127,
	.least_normal = 0x1p-126,
	.most = 0x1.fffffep127,
	.to_exponent = 0x1.8p23 + 127,
	.to_exponents = 0x1.8p23 + 254,
	.per_ln2 = 0x1.715476p0,
	.ln2_high = 0x1.62e4p-1,
	.ln2_low = 0x1.7f7d1cp-20,
	.ln2 = 0x1.62e43p-1,
	.ln2_rest = -0x1.05c61p-29,
	.per_half_ln2 = 0x1.715476p1,
	.half_ln2 = 0x1.62e43p-2,
	.root_half = 0x1.6a09e6p-1,
	.exp_limits = {-104, 89},
	.exp2_limits = {-151, 128},
	.expm1_limits = {-25, 89},
	.tanh_limit = 9.02f,
	.exp = {7,
                {0x1.6ac6b2p-10, 0x1.123dep-7, 0x1.555858p-5, 0x1.55548cp-3, 0x1.fffffcp-2, 1, 1}},
	.exp2 = {7,
                 {0x1.1799eap-13, 0x1.5ef4dcp-10, 0x1.3b6816p-7, 0x1.c6af9ep-5, 0x1.ebfb94p-3,
                  0x1.62e43p-1, 1}},
	.expm1 = {6,
                  {0x1.3b88c2p-13, 0x1.6d2e48p-10, 0x1.1155a8p-7, 0x1.555502p-5, 0x1.55552cp-3,
                   0.5}},
	.log = {10,
                {0x1.1c6d12p-4, -0x1.e4a3eap-4, 0x1.e6756ap-4, -0x1.fadccap-4, 0x1.2327bep-3,
                 -0x1.55664cp-3, 0x1.99a626p-3, -0x1.ffffep-3, 0x1.555544p-2, -0.5}},
	.log1p = {10,
                  {0x1.310c58p-5, -0x1.73ed3ap-4, 0x1.df2b54p-4, -0x1.04bfe4p-3, 0x1.246452p-3,
                   -0x1.5518fcp-3, 0x1.999754p-3, -0x1.00007p-2, 0x1.55555ap-2, -0.5}},
	.tanh = {3, {0x1.0c3174p-3, -0x1.554ecep-2, 1}},
	.sine_limit = 0x1p18,
	.per_quarter = 0x1.45f306p-1,
	.quarter = {0x1.921fb6p0, -0x1.777a5cp-25, -0x1.ee59dap-50},
	.sin = {3, {-0x1.9952fap-13, 0x1.110776p-7, -0x1.555546p-3}},
	.cos = {5, {0x1.99e80cp-16, -0x1.6c0c28p-10, 0x1.55554ap-5, -0.5, 1}},
};

static const real_form form_f64 = {
	.mantissa = 52,
	.whole = 0x1p52,
	.to_field = 0x1p52 + 1023,
	.least_normal = 0x1p-1022,
	.most = 0x1.fffffffffffffp1023,
	.to_exponent = 0x1.8p52 + 1023,
	.to_exponents = 0x1.8p52 + 2046,
	.per_ln2 = 0x1.71547652b82fep0,
	.ln2_high = 0x1.62e42fefa38p-1,
	.ln2_low = 0x1.ef35793c7673p-45,
	.ln2 = 0x1.62e42fefa39efp-1,
	.ln2_rest = 0x1.abc9e3b39803fp-56,
	.per_half_ln2 = 0x1.71547652b82fep1,
	.half_ln2 = 0x1.62e42fefa39efp-2,
	.half_ln2_rest = 0x1.abc9e3b39803fp-57,
	.root_half = 0x1.6a09e667f3bcdp-1,
	.exp_limits = {-746, 710},
	.exp2_limits = {-1076, 1024},
	.expm1_limits = {-40, 710},
	.tanh_limit = 19.1,
	.exp = {12,
                {0x1.ad9cae98326fap-26, 0x1.28ad42f85a866p-22, 0x1.71df0deb90c14p-19,
                 0x1.a0199a2ad4218p-16, 0x1.a01a0137ef3bcp-13, 0x1.6c16c1842ec4fp-10,
                 0x1.11111111245dfp-7, 0x1.55555555507c3p-5, 0x1.555555555550dp-3,
                 0x1.000000000000ap-1, 1, 1}},
	.exp2 = {12,
                 {0x1.e80c874a6b451p-32, 0x1.e611a3be96c59p-28, 0x1.b5260efbecdaep-24,
                  0x1.62bfcddc96c2bp-20, 0x1.ffcbfbf8495c4p-17, 0x1.4309130c01d3bp-13,
                  0x1.5d87fe78b3c7bp-10, 0x1.3b2ab6fba11f2p-7, 0x1.c6b08d704a0d4p-5,
                  0x1.ebfbdff82c59cp-3, 0x1.62e42fefa39efp-1, 1}},
	.expm1 = {11,
                  {0x1.1f39e8d780e02p-29, 0x1.af5d079c74045p-26, 0x1.27e4f82653a96p-22,
                   0x1.71ddf9374ce47p-19, 0x1.a01a019e889d5p-16, 0x1.a01a01af9d292p-13,
                   0x1.6c16c16c167b1p-10, 0x1.111111110f708p-7, 0x1.5555555555559p-5,
                   0x1.5555555555559p-3, 0.5}},
	.log = {20, {0x1.ac6e2c174008dp-6, -0x1.e9f82d221bd4bp-5,
                     0x1.0a5d4d10cb5b5p-4, -0x1.d1220265be936p-5,
                     0x1.d05e413215822p-5, -0x1.fba201e94d21ep-5,
                     0x1.11ccb498fa1ecp-4, -0x1.24d742fac7228p-4,
                     0x1.3b0b8f3d140abp-4, -0x1.5550efa61c50ep-4,
                     0x1.745d3ed3c6cb3p-4, -0x1.9999c25c13b23p-4,
                     0x1.c71c71e20a871p-4, -0x1.ffffff2c5924bp-4,
                     0x1.24924922a0238p-3, -0x1.555555566aa7p-3,
                     0x1.999999999f7cdp-3, -0x1.fffffffffef1bp-3,
                     0x1.5555555555533p-2, -0.5}},
	.log1p = {20, {0x1.093675b22462ap-7, -0x1.e19d4c13da005p-6,
                       0x1.9f579f598c67ap-5, -0x1.e8e98779714dbp-5,
                       0x1.f24fcabab445p-5,  -0x1.fffb6773fed33p-5,
                       0x1.101cb7ae96829p-4, -0x1.24658fd4c18ep-4,
                       0x1.3b1f072b96003p-4, -0x1.555937f16e2b1p-4,
                       0x1.745cebb8fc99cp-4, -0x1.999972d1c753ep-4,
                       0x1.c71c70e2c00cdp-4, -0x1.00000063e483ep-3,
                       0x1.249249296b2ecp-3, -0x1.5555555458c0ep-3,
                       0x1.999999998c801p-3, -0x1.0000000000778p-2,
                       0x1.55555555555ap-2,  -0.5}},
	.tanh = {7,
                 {0x1.c382d28f5292ep-9, -0x1.223c6f7013584p-7, 0x1.664ec9c955e56p-6,
                  -0x1.ba1ba116b3e1bp-5, 0x1.11111110e0966p-3, -0x1.55555555554bcp-2, 1}},
	.sine_limit = 0x1p30,
	.per_quarter = 0x1.45f306dc9c883p-1,
	.quarter = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110},
	.sin = {6,
                {0x1.5d8b54f93fabbp-33, -0x1.ae5e4b820b1a3p-26, 0x1.71de355529c68p-19,
                 -0x1.a01a019be920cp-13, 0x1.111111110f73p-7, -0x1.5555555555548p-3}},
	.cos = {8,
                {-0x1.8fa5ec61b3375p-37, 0x1.1ee9dacb47aa3p-29, -0x1.27e4f7f04fcadp-22,
                 0x1.a01a019c8dd19p-16, -0x1.6c16c16c1500dp-10, 0x1.555555555554bp-5, -0.5, 1}},
};

/* x^y of f32 = 2^(y log2 |x|), computed in f64 */
static const struct power_form {
	double most;      /* of f32 */
	double limits[2]; /* beyond these 2^x is 0 or infinite in f32 */
	series log2;      /* log2((1 + s) / (1 - s)) / s, a polynomial of s^2 */
	series exp2;      /* 2^r */
} form_pow = {
	.most = 0x1.fffffep127,
	.limits = {-152, 129},
	.log2 = {5,
                 {0x1.5ce7d0a1b3a0bp-2, 0x1.a58d8f91c1527p-2, 0x1.27777fdad3a2ap-1,
                  0x1.ec709d12e0d25p-1, 0x1.71547652bede4p+1}},
	.exp2 = {8,
                 {0x1.fe19b9a76a3ffp-17, 0x1.446a3eeedba5fp-13, 0x1.5d8a71590be86p-10,
                  0x1.3b29dc41a34fep-7, 0x1.c6b08aaf2eb5p-5, 0x1.ebfbe0a4bd94bp-3,
                  0x1.62e42ff11622ep-1, 0x1.ffffffffabbd2p-1}},
};

/* of pow of f64: pairs of numbers are a number and what its rounding leaves */
static const struct wide_power_form {
	double limits[2];        /* beyond these 2^x is 0 or infinite */
	double factor[2];        /* 2 / ln 2 */
	double third[2];         /* a third of that */
	series log2;             /* (log2((1 + s) / (1 - s)) / s - factor - third s^2) / s^4, a
	                            polynomial of s^2 */
} form_wide_pow = {
	.limits = {-1080, 1025},
	.factor = {0x1.71547652b82fep1, 0x1.777d0ffda0d24p-55},
	.third = {0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55},
	.log2 = {8,
                 {0x1.5a6195038be7cp-3, 0x1.59e072019720dp-3, 0x1.89fed34ed479ep-3,
                  0x1.c68f2efdf41f5p-3, 0x1.0c9a84bf55276p-2, 0x1.484b13d79c362p-2,
                  0x1.a61762a7adfa8p-2, 0x1.2776c50ef9bfep-1}},
};

#endif
