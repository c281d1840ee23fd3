/* hide.c - hides AVX-512 and AMX from a process, and from every library in it that asks the
 * processor: LD_PRELOAD=build/release/bench/hide.so PROGRAM. Some in JAX obey no setting: its f32
 * products used AVX-512 under --xla_cpu_max_isa=AVX2.
 *
 * The kernel lets a process fault at the instruction cpuid (arch_prctl, ARCH_SET_CPUID). The
 * handler executes it and takes bits out of the answer:
 *
 *     cpuid  ->  SIGSEGV  ->  cpuid, less bits  ->  the instruction after it
 *
 * What is read before the constructor here runs is not hidden: that is glibc's choice of its own
 * functions. Where the processor or the kernel cannot do it, the process ends with status 77 before
 * its main(). */
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { SET_CPUID = 0x1012, CANNOT = 77 };

typedef struct registers {
	uint32_t a, b, c, d;
} registers;

#define BIT(n) (UINT32_C(1) << (n))

/* leaf 7, part 0 and part 1, by the names of the instruction sets */
static const registers hidden[2] = {
	{.b = BIT(16) | BIT(17) | BIT(21) | BIT(26) | /* F, DQ, IFMA, PF */
              BIT(27) | BIT(28) | BIT(30) | BIT(31),  /* ER, CD, BW, VL */
         .c = BIT(1) | BIT(6) | BIT(11) | BIT(12) |
              BIT(14),                                  /* VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ */
         .d = BIT(2) | BIT(3) | BIT(8) | BIT(23) |      /* 4VNNIW, 4FMAPS, VP2INTERSECT, FP16 */
              BIT(22) | BIT(24) | BIT(25)},             /* AMX: BF16, TILE, INT8 */
	{.a = BIT(5) | BIT(21), .d = BIT(8) | BIT(19)}, /* BF16, AMX-FP16; AMX-COMPLEX, AVX10 */
};

static long set_cpuid(long on) { return syscall(SYS_arch_prctl, SET_CPUID, on); }

static registers ask(uint32_t leaf, uint32_t part)
{
	registers r = {.a = leaf, .c = part};

	set_cpuid(1);
	__asm__ volatile("cpuid" : "+a"(r.a), "=b"(r.b), "+c"(r.c), "=d"(r.d));
	set_cpuid(0);
	if (leaf != 7 || part > 1) return r;
	const registers *h = &hidden[part];
	return (registers){r.a & ~h->a, r.b & ~h->b, r.c & ~h->c, r.d & ~h->d};
}

static void at_fault(int number, siginfo_t *info, void *of)
{
	greg_t *at = ((ucontext_t *)of)->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)(uintptr_t)at[REG_RIP];

	(void)info;
	if (code[0] != 0x0f || code[1] != 0xa2) { /* not cpuid: it faults again, for good */
		signal(number, SIG_DFL);
		return;
	}
	const registers r = ask((uint32_t)at[REG_RAX], (uint32_t)at[REG_RCX]);
	at[REG_RAX] = r.a;
	at[REG_RBX] = r.b;
	at[REG_RCX] = r.c;
	at[REG_RDX] = r.d;
	at[REG_RIP] += 2;
}

__attribute__((constructor)) static void hide(void)
{
	const struct sigaction action = {.sa_sigaction = at_fault,
	                                 .sa_flags = SA_SIGINFO | SA_NODEFER};

	if (sigaction(SIGSEGV, &action, NULL) || set_cpuid(0)) _exit(CANNOT);
}
