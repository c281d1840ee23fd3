/* float_state.c - sets the processor's floating-point state to the default of all results (round
 * to nearest, no traps, denormals kept), and restores the caller's.
 *
 * The state is the register that compiled arithmetic obeys: MXCSR (x86-64) or FPCR (AArch64). On
 * x86-64 the C library rounds decimals by the x87 control word, so its two rounding bits are set
 * too. */
#include "base/base.h"

#if defined __x86_64__

static const uint32_t mxcsr_default = 0x1f80, mxcsr_flags = 0x3f, x87_rounding = 0xc00;

static void x87_round(unsigned rounding)
{
	uint16_t control;

	__asm__ volatile("fnstcw %0" : "=m"(control));
	control = (uint16_t)((control & ~x87_rounding) | rounding);
	__asm__ volatile("fldcw %0" : : "m"(control));
}

float_state float_default(void)
{
	const uint32_t control = __builtin_ia32_stmxcsr();
	uint16_t x87;

	__asm__ volatile("fnstcw %0" : "=m"(x87));
	if ((control & ~mxcsr_flags) != mxcsr_default) __builtin_ia32_ldmxcsr(mxcsr_default);
	if (x87 & x87_rounding) x87_round(0);
	return (float_state){control, x87 & x87_rounding};
}

void float_restore(const float_state *before)
{
	if (__builtin_ia32_stmxcsr() != before->control)
		__builtin_ia32_ldmxcsr((uint32_t)before->control);
	if (before->rounding) x87_round(before->rounding);
}

#elif defined __aarch64__

float_state float_default(void)
{
	uint64_t control;

	__asm__ volatile("mrs %0, fpcr" : "=r"(control));
	if (control) __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
	return (float_state){control, 0};
}

void float_restore(const float_state *before)
{
	if (before->control) __asm__ volatile("msr fpcr, %0" : : "r"(before->control));
}

#else

float_state float_default(void) { return (float_state){0, 0}; }
void float_restore(const float_state *before) { (void)before; }

#endif
