/* functions.c - the elementary functions that are SLEEF's: its deterministic family (finz: fused
 * multiply-add, the same bits for one lane and for sixteen). */
#include "kernel/kernel.h"

/* sleef.h declares this family only for compilers that may use fma everywhere, but libsleef always
 * has it */
float Sleef_finz_sinf1_u10purecfma(float), Sleef_finz_cosf1_u10purecfma(float);
double Sleef_finz_sind1_u10purecfma(double), Sleef_finz_cosd1_u10purecfma(double);
double Sleef_finz_powd1_u10purecfma(double, double);
double Sleef_finz_atan2d1_u10purecfma(double, double);
double Sleef_finz_hypotd1_u05purecfma(double, double);

float sin_far_f32(float x) { return Sleef_finz_sinf1_u10purecfma(x); }
float cos_far_f32(float x) { return Sleef_finz_cosf1_u10purecfma(x); }
double sin_far_f64(double x) { return Sleef_finz_sind1_u10purecfma(x); }
double cos_far_f64(double x) { return Sleef_finz_cosd1_u10purecfma(x); }
double pow_f64(double x, double y) { return Sleef_finz_powd1_u10purecfma(x, y); }
double atan2_f64(double y, double x) { return Sleef_finz_atan2d1_u10purecfma(y, x); }
double hypot_f64(double x, double y) { return Sleef_finz_hypotd1_u05purecfma(x, y); }

static const struct kfn_row {
	const char *name;
	int nargs;
	bool f32;
} fns[KFNS] = {
	[KFN_SIN] = {"sin", 1, true},      [KFN_COS] = {"cos", 1, true},
	[KFN_POW] = {"pow", 2, false},     [KFN_ATAN2] = {"atan2", 2, false},
	[KFN_HYPOT] = {"hypot", 2, false},
};

const char *kfn_name(kfn f) { return fns[f].name; }
int kfn_nargs(kfn f) { return fns[f].nargs; }
bool kfn_takes(kfn f, tsr_dtype t) { return t == TSR_F64 || (t == TSR_F32 && fns[f].f32); }

float kfn_f32(kfn f, const float *x)
{
	switch (f) {
	case KFN_SIN: return sin_far_f32(x[0]);
	default: return cos_far_f32(x[0]);
	}
}

double kfn_f64(kfn f, const double *x)
{
	switch (f) {
	case KFN_SIN: return sin_far_f64(x[0]);
	case KFN_COS: return cos_far_f64(x[0]);
	case KFN_ATAN2: return atan2_f64(x[0], x[1]);
	case KFN_HYPOT: return hypot_f64(x[0], x[1]);
	default: return pow_f64(x[0], x[1]);
	}
}
