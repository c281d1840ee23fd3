/* symbols.c - lists the functions that compiled kernels call: SLEEF's deterministic functions at
 * every width, the remainder of floats, and those that LLVM itself may insert. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "engine/cpu/native/emit/emit.h"

/* sleef.h declares a function only if the compiler may use its registers everywhere. The table
 * needs nothing but addresses, so they are declared here */
#define EACH_F32(X, name, u) \
	X(Sleef_finz_##name##f1_##u##purecfma) \
	X(Sleef_finz_##name##f4_##u##avx2128) \
	X(Sleef_finz_##name##f8_##u##avx2) X(Sleef_finz_##name##f16_##u##avx512f)
#define EACH_F64(X, name, u) \
	X(Sleef_finz_##name##d1_##u##purecfma) \
	X(Sleef_finz_##name##d2_##u##avx2128) \
	X(Sleef_finz_##name##d4_##u##avx2) X(Sleef_finz_##name##d8_##u##avx512f)

#define DECLARED(name) extern char name[];
#define FUNCTION(NAME, name, n, u) EACH_F32(DECLARED, name, u) EACH_F64(DECLARED, name, u)
#define FUNCTION_F64(NAME, name, n, u) EACH_F64(DECLARED, name, u)
#include "kernel/functions.def"

#define ROW(name) {#name, name},
static const struct {
	const char *name;
	char *address;
} rows[] = {
#define FUNCTION(NAME, name, n, u) EACH_F32(ROW, name, u) EACH_F64(ROW, name, u)
#define FUNCTION_F64(NAME, name, n, u) EACH_F64(ROW, name, u)
#include "kernel/functions.def"
};
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
	static const struct {
		const char *name, *bound;
	} functions[KFNS] = {
#define FUNCTION(NAME, name, n, u) {#name, #u},
#define FUNCTION_F64 FUNCTION
#include "kernel/functions.def"
	};
	const int bytes = n * bits_of(t) / 8;
	const char *kind = bytes == 64 ? "avx512f" : bytes == 32 ? "avx2" : "avx2128";

	snprintf(text, MOST_SYMBOL, "Sleef_finz_%s%c%d_%s%s", functions[f].name,
	         t == TSR_F32 ? 'f' : 'd', n, functions[f].bound, n == 1 ? "purecfma" : kind);
}
