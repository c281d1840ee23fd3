/* symbols.c - what compiled kernels call: SLEEF's deterministic functions at every width, the
 * remainder of floats, and what LLVM itself may insert. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "engine/cpu/native/emit.h"

/* sleef.h declares a function only if the compiler may use its registers everywhere. The table
 * needs nothing but addresses, so they are declared here */
#define OF_F32(name, u) \
	extern char Sleef_finz_##name##f1_##u##purecfma[], Sleef_finz_##name##f4_##u##avx2128[], \
		Sleef_finz_##name##f8_##u##avx2[], Sleef_finz_##name##f16_##u##avx512f[];
#define OF_F64(name, u) \
	extern char Sleef_finz_##name##d1_##u##purecfma[], Sleef_finz_##name##d2_##u##avx2128[], \
		Sleef_finz_##name##d4_##u##avx2[], Sleef_finz_##name##d8_##u##avx512f[];
#define ALL_FUNCTIONS(F32, F64) \
	F32(sin, u10) \
	F32(cos, u10) \
	F64(sin, u10) \
	F64(cos, u10) \
	F64(pow, u10) \
	F64(atan2, u10) \
	F64(hypot, u05)
ALL_FUNCTIONS(OF_F32, OF_F64)

#define ROW(name) {#name, name},
#define ROW_F32(name, u) \
	ROW(Sleef_finz_##name##f1_##u##purecfma) \
	ROW(Sleef_finz_##name##f4_##u##avx2128) \
	ROW(Sleef_finz_##name##f8_##u##avx2) ROW(Sleef_finz_##name##f16_##u##avx512f)
#define ROW_F64(name, u) \
	ROW(Sleef_finz_##name##d1_##u##purecfma) \
	ROW(Sleef_finz_##name##d2_##u##avx2128) \
	ROW(Sleef_finz_##name##d4_##u##avx2) ROW(Sleef_finz_##name##d8_##u##avx512f)
static const struct {
	const char *name;
	char *address;
} rows[] = {ALL_FUNCTIONS(ROW_F32, ROW_F64)};
static const struct {
	const char *name;
	void (*address)(void);
} others[] = {{"fmodf", (void (*)(void))(float (*)(float, float))fmodf},
              {"fmod", (void (*)(void))(double (*)(double, double))fmod},
              {"memset", (void (*)(void))memset},
              {"memcpy", (void (*)(void))memcpy},
              {"memmove", (void (*)(void))memmove}};
#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

int symbols_count(void)
{
	_Static_assert(COUNT(rows) + COUNT(others) <= MOST_SYMBOLS, "room for all of them");
	return COUNT(rows) + COUNT(others);
}

const char *symbol_name(int i)
{
	return i < COUNT(rows) ? rows[i].name : others[i - COUNT(rows)].name;
}

void *symbol_address(int i)
{
	if (i < COUNT(rows)) return rows[i].address;
	return (void *)(uintptr_t)others[i - COUNT(rows)].address;
}

void symbol_of_call(char *text, kfn f, tsr_dtype t, int n)
{
	static const char *const names[KFNS] = {[KFN_SIN] = "sin",
	                                        [KFN_COS] = "cos",
	                                        [KFN_POW] = "pow",
	                                        [KFN_ATAN2] = "atan2",
	                                        [KFN_HYPOT] = "hypot"};
	const int bytes = n * bits_of(t) / 8;
	const char *kind = bytes == 64 ? "avx512f" : bytes == 32 ? "avx2" : "avx2128";

	snprintf(text, MOST_SYMBOL, "Sleef_finz_%s%c%d_%s%s", names[f], t == TSR_F32 ? 'f' : 'd', n,
	         f == KFN_HYPOT ? "u05" : "u10", n == 1 ? "purecfma" : kind);
}
