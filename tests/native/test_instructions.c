/* test_instructions.c - code is made of the instructions that TSR_CPU allows, or of all that the
 * processor has, and OpenBLAS chooses its own alike. ctest runs it for each set. */
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include "engine/cpu/native/jit.h"
#include "native_rig.h"

/* the bytes of a set's vectors; 0: TSR_CPU is not set */
static int asked_for(void)
{
	const char *name = getenv("TSR_CPU");

	return name ? instructions_named(name) : 0;
}

static int most_bytes(void)
{
	int most = 0;
	char error[256];

	if (!jit_start(&most, error, sizeof error)) fail_msg("%s", error);
	return most;
}

static void vectors_are_as_wide(void **state)
{
	const int asked = asked_for();

	(void)state;
	assert_int_equal(most_bytes(), asked ? asked : instructions_here());
}

/* the widest register that the code names, up to its first return */
static int widest_register(const void *run)
{
	const LLVMDisasmContextRef d = LLVMCreateDisasmCPUFeatures(
		"x86_64-linux-gnu", "", "+avx2,+fma,+f16c,+avx512f,+avx512vl,+avx512bw,+avx512dq",
		NULL, 0, NULL, NULL);
	uint8_t *at = (uint8_t *)(uintptr_t)run;
	char line[256] = "";
	int widest = 0;

	assert_non_null(d);
	while (!strstr(line, "ret")) {
		const size_t bytes =
			LLVMDisasmInstruction(d, at, 16, (uintptr_t)at, line, sizeof line);
		assert_true(bytes);
		at += bytes;
		const int one = strstr(line, "%zmm")   ? 64
		                : strstr(line, "%ymm") ? 32
		                : strstr(line, "%xmm") ? 16
		                                       : 0;
		if (one > widest) widest = one;
	}
	LLVMDisasmDispose(d);
	return widest;
}

/* asked for less, or for more than is allowed, it is the lesser of both */
static void code_has_no_wider_registers(void **state)
{
	rig *r = *state;
	const int most = most_bytes();
	char error[256];
	bool fits;
	program *p = rig_program(r, "f32[1024]", "mul %0 %0", "f32[1024]", TSR_F32);
	kernel *k = kernel_lower(p, &fits);
	const natives *n = natives_get();

	LLVMInitializeX86Disassembler();
	for (int w = 0; w < WIDTHS; w++) {
		native_code code;
		if (!n->type->compile(n->open[w], (const kernel *const *)&k, NULL, 1, &code, error,
		                      sizeof error))
			fail_msg("%s", error);
		assert_int_equal(widest_register((const void *)(uintptr_t)code.run),
		                 16 << w < most ? 16 << w : most);
		n->type->release(n->open[w], &code);
	}
	kernel_free(k);
	program_release(p);
}

#ifdef TSR_OPENBLAS
char *openblas_get_corename(void);

static void the_library_follows(void **state)
{
	static const struct {
		int bytes;
		const char *core;
	} cores[] = {{16, "Sandybridge"}, {32, "Haswell"}, {64, "SkylakeX"}};

	(void)state;
	for (int i = 0; i < WIDTHS; i++)
		if (cores[i].bytes == most_bytes())
			assert_string_equal(openblas_get_corename(), cores[i].core);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_are_as_wide),
		cmocka_unit_test(code_has_no_wider_registers),
#ifdef TSR_OPENBLAS
		cmocka_unit_test(the_library_follows),
#endif
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
