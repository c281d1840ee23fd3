/* test_sanitize.c - kernels compiled for the address sanitizer report reads and writes outside of
 * their operands; where the host has no sanitizer, compiling them says so. */
#include <sys/wait.h>
#include <unistd.h>
#include "native_rig.h"

#ifdef __SANITIZE_ADDRESS__
/* operands of which one is an element shorter than its type says: every way to reach memory */
static const struct {
	const char *operands, *equation, *result;
	int short_one; /* 0: the first input; -1: the result; 1: none */
} cases[] = {
	{"f32[64]", "neg %0", "f32[64]", 0},
	{"f32[64]", "neg %0", "f32[64]", -1},
	{"f32[67]", "neg %0", "f32[67]", 0},
	{"f32[67]", "neg %0", "f32[67]", -1},
	{"f32[64]", "rev %0 dims=[0]", "f32[64]", 0},
	{"f32[64]", "slice %0 start=[1] stop=[64] step=[2]", "f32[32]", 0},
	{"f32[40,3]", "transpose %0 perm=[1,0]", "f32[3,40]", 0},
	{"f32[]", "neg %0", "f32[]", -1},
	{"f32[300]", "reduce_sum %0 dims=[0]", "f32[]", 0},
	{"f32[5,300]", "reduce_sum %0 dims=[0]", "f32[300]", 0},
	{"f32[30]; f32[34]", "concatenate %1 %0 dim=0", "f32[64]", 0},
	{"c64[40]", "mul %0 %0", "c64[40]", 0},
};

static void run_short(const kernel *k, const program *p, int short_one)
{
	const natives *n = natives_get();
	native_code code;
	char error[256], *x[4];

	if (!n->type->compile(n->open[WIDTHS - 1], &k, NULL, 1, &code, error, sizeof error))
		_exit(3);
	for (int i = 0; i < p->nin + p->nout; i++) {
		const bool is_in = i < p->nin, cut = is_in ? i == short_one : short_one < 0;
		const type *t = type_of(p, is_in ? p->in[i] : p->out[i - p->nin]);
		const size_t bytes = type_bytes(t) - cut * tsr_dtype_size(t->dtype);
		x[i] = malloc(bytes);
		if (x[i]) memset(x[i], 1, bytes);
	}
	code.run(x, 0, code.items);
}

/* what a child that runs the kernel says on its way out */
static void report_of_child(const kernel *k, const program *p, int short_one, char *text, size_t n)
{
	int pipes[2], status;
	size_t got = 0;

	assert_int_equal(pipe(pipes), 0);
	const pid_t child = fork();
	if (child == 0) {
		dup2(pipes[1], 2);
		run_short(k, p, short_one);
		_exit(0);
	}
	close(pipes[1]);
	for (ssize_t some; (some = read(pipes[0], text + got, n - 1 - got)) > 0;)
		got += (size_t)some;
	text[got] = 0;
	close(pipes[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) ? WEXITSTATUS(status) != 0 : WIFSIGNALED(status));
}

/* an index map that is wrong: a slice that starts where its operand has ended */
static void broken_indices_are_reported(void **state)
{
	static char text[1 << 16];
	bool fits;
	program *p = rig_program(*state, "f32[71]", "slice %0 start=[5] stop=[71] step=[1]",
	                         "f32[66]", TSR_F32);
	kernel *k = kernel_lower(p, &fits);
	int broken = 0;

	assert_non_null(k);
	for (int32_t id = 1; id < k->nnodes; id++)
		if (k->nodes[id].op == K_CONST && k->nodes[id].bits == 5)
			k->nodes[id].bits = (uint64_t)(6 + broken++);
	assert_int_equal(broken, 1);
	natives_get();
	report_of_child(k, p, 1, text, sizeof text);
	if (!strstr(text, "AddressSanitizer: heap-buffer-overflow")) fail_msg("%s", text);
	kernel_free(k);
	program_release(p);
}

static void accesses_outside_are_reported(void **state)
{
	static char text[1 << 16];

	natives_get();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool fits;
		program *p = rig_program(*state, cases[i].operands, cases[i].equation,
		                         cases[i].result, TSR_F32);
		kernel *k = kernel_lower(p, &fits);
		assert_non_null(k);
		report_of_child(k, p, cases[i].short_one, text, sizeof text);
		if (!strstr(text, "AddressSanitizer: heap-buffer-overflow"))
			fail_msg("%s | %s: %s", cases[i].operands, cases[i].equation, text);
		kernel_free(k);
		program_release(p);
	}
}
#else
static void accesses_outside_are_reported(void **state)
{
	const natives *n = natives_get();
	const native_options o = {.sanitize = true};
	char error[256];
	native_code code;
	bool fits;
	program *p = rig_program(*state, "f32[5]", "neg %0", "f32[5]", TSR_F32);
	kernel *k = kernel_lower(p, &fits);
	const kernel *one = k;
	void *open = n->type->open(&o, error, sizeof error);

	assert_true(k && open);
	assert_false(n->type->compile(open, &one, NULL, 1, &code, error, sizeof error));
	if (!strstr(error, "__asan")) fail_msg("%s", error);
	n->type->close(open);
	kernel_free(k);
	program_release(p);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses_outside_are_reported),
#ifdef __SANITIZE_ADDRESS__
		cmocka_unit_test(broken_indices_are_reported),
#endif
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
