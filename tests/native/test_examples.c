/* test_examples.c - inside of the plug-in: the worked examples at the heads of the files that make
 * code, so that none of them goes stale; and LLVM's fatal errors.
 *
 * support/heads.h has the form of an example; its line "Example" says how wide vectors are. What
 * becomes of the program is the plan of its loops (put_plan below), then its code in LLVM's form,
 * then its machine code, if the processor has vectors as wide. The example shows some of these
 * lines, in their order, and of each a part. */
#include <dirent.h>
#include <llvm-c/Disassembler.h>
#include <sys/wait.h>
#include <unistd.h>
#include "native_rig.h"
#include "engine/cpu/native/emit/emit.h"
#include "engine/cpu/native/jit.h"
#include "support/heads.h"

#define FOLDER "src/engine/cpu/native"
enum { MOST_TEXT = 1 << 20 };

/* ---- the plan of a kernel */

typedef struct text {
	char *s;
	size_t n;
} text;

static void put(text *t, const char *format, ...) PRINTF_LIKE(2, 3);
static void put(text *t, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	t->n += (size_t)vsnprintf(t->s + t->n, MOST_TEXT - t->n, format, list);
	va_end(list);
	assert_true(t->n < MOST_TEXT);
}

/* as in the text of kernels: i0 of the loops, r of reductions, %1 of others */
static void put_name(text *t, const kernel *k, kvar v)
{
	const knode *n = &k->nodes[v.id];

	if (n->op != K_INDEX)
		put(t, "%%%d", n->number);
	else if (k->regions[n->region].kind == KREGION_REDUCE)
		put(t, "r%d", (int)n->bits);
	else
		put(t, "i%d", n->region - 1);
}

static void put_address(text *t, const kernel *k, const address *a)
{
	const char *plus = "";

	for (int i = 0; i < a->n; i++) {
		if (!a->term[i].times) continue;
		put(t, "%s", plus);
		if (a->term[i].times != 1) put(t, "%lld ", (long long)a->term[i].times);
		put_name(t, k, a->term[i].atom);
		plus = " + ";
	}
	if (a->constant || !*plus) put(t, "%s%lld", plus, (long long)a->constant);
	put(t, "\n");
}

static void put_walks(text *t, const nest *s, const walks *w, bool loops)
{
	for (int i = 0; i < w->n; i++) {
		put(t, loops ? "for " : "reduce ");
		put_name(t, s->k, w->walk[i].index);
		put(t, " < %lld", (long long)w->walk[i].extent);
		if (loops && i == s->vector) put(t, ", %d lanes", s->lanes);
		if (loops && i == s->jam) put(t, ", %d steps side by side", s->copies);
		put(t, "\n");
	}
}

static void put_values(text *t, const nest *s)
{
	for (int32_t id = 1; id < s->k->nnodes; id++) {
		const knode *n = &s->k->nodes[id];
		if (!s->needed[id] || !n->number) continue;
		if (n->op == K_LOAD) {
			put(t, "load %%%d: in%d at ", n->number, (int)n->bits);
			put_address(t, s->k, &s->load[id]);
		}
		if (s->row[id]) put(t, "row %d: %%%d\n", s->row[id], n->number);
		if (s->columns[id]) put(t, "%%%d in lanes of its own\n", n->number);
	}
}

/* which loops there are, and what they do at a time; where loads and stores go */
static void put_plan(text *t, const nest *s)
{
	put_walks(t, s, &s->loops, true);
	for (int32_t r = 0; r < s->k->nregions; r++) put_walks(t, s, &s->reductions[r], false);
	put(t, "%lld items\n", (long long)s->items);
	put_values(t, s);
	for (int32_t i = 0; i < s->k->nresults; i++) {
		put(t, "store out%d at ", i);
		put_address(t, s->k, &s->store[i]);
	}
	for (int i = 0; i < s->npieces; i++)
		put(t, "piece %lld to %lld\n", (long long)s->piece[i].first,
		    (long long)s->piece[i].end);
	for (int i = 0; i < s->ntiled; i++)
		put(t, "squares of %%%d\n", s->k->nodes[s->tiled[i].id].number);
}

/* a loop of three steps around the kernel, whose operands and results are all that there is */
static bool emit_loop_of(LLVMModuleRef m, const kernel *k, int width, pool *p)
{
	native_place root[32];
	const int n = k->program->nin + k->nresults;
	const native_step steps[] = {
		{.op = NATIVE_BEGIN, .ntargets = 1, .target = (int32_t[]){3}, .length = 3},
		{.op = NATIVE_KERNEL, .nargs = n, .arg = root},
		{.op = NATIVE_NEXT, .ntargets = 1, .target = (int32_t[]){1}, .length = 3}};
	const native_routine r = {.nsteps = 3,
	                          .nkernels = 1,
	                          .nroots = n,
	                          .ncounters = 1,
	                          .step = steps,
	                          .kernel = &k};

	for (int i = 0; i < n; i++) root[i] = (native_place){i, 0};
	return emit_routine(m, &r, "example", width, p);
}

static void put_code(text *t, const nest *s, int width, bool in_loop, pool *p)
{
	const LLVMContextRef c = LLVMContextCreate();
	const LLVMModuleRef m = LLVMModuleCreateWithNameInContext("example", c);

	assert_true(in_loop ? emit_loop_of(m, s->k, width, p)
	                    : emit_kernel(m, s, "example", width, 0, p));
	char *code = LLVMPrintModuleToString(m);
	put(t, "%s", code);
	LLVMDisposeMessage(code);
	LLVMDisposeModule(m);
	LLVMContextDispose(c);
}

static void put_instruction(text *t, const char *line)
{
	for (line += strspn(line, "\t"); *line; line++) put(t, "%c", *line == '\t' ? ' ' : *line);
	put(t, "\n");
}

/* as far as the first return */
static void put_instructions(text *t, const kernel *k, int width)
{
	int most;
	char error[256] = "", line[256] = "";
	jit_code code;

	if (!jit_start(&most, error, sizeof error) || most < width) return;
	LLVMInitializeX86Disassembler();
	const LLVMDisasmContextRef d = LLVMCreateDisasmCPUFeatures(
		"x86_64-linux-gnu", "", "+avx,+avx2,+fma,+f16c", NULL, 0, NULL, NULL);
	if (!d || !jit_compile(&k, NULL, 1, (jit_options){.max_bytes = width}, &code, error,
	                       sizeof error))
		fail_msg("%s", error);
	uint8_t *at = (uint8_t *)(uintptr_t)code.run;
	while (!strstr(line, "ret")) {
		const size_t bytes =
			LLVMDisasmInstruction(d, at, 16, (uintptr_t)at, line, sizeof line);
		assert_true(bytes);
		put_instruction(t, line);
		at += bytes;
	}
	LLVMDisasmDispose(d);
	jit_drop(code.linked);
}

static void what_becomes(text *t, rig *r, const char *of, int width, bool in_loop)
{
	program *p = program_parse(&r->ir, NULL, of, strlen(of));
	pool memory = {NULL, NULL, 0};
	bool fits;
	nest s;

	if (!p) fail_msg("%s in\n%s", error_text(&r->base), of);
	kernel *k = kernel_lower(p, &fits);
	assert_true(k && nest_make(&s, k, NULL, &memory, width));
	put_plan(t, &s);
	put_code(t, &s, width, in_loop, &memory);
	if (!in_loop) put_instructions(t, k, width);
	pool_free(&memory);
	kernel_free(k);
	program_release(p);
}

/* ---- files */

/* the line of which no part follows, in order, in the text; NULL: all do */
static const char *missing(char *lines, const char *in)
{
	char part[256];

	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
		snprintf(part, sizeof part, "..%s..", line);
		for (bool found = false; !found;) {
			const size_t n = strcspn(in, "\n");
			if (!*in) return line;
			found = line_fits(in, n, part);
			in += n + (in[n] != 0);
		}
	}
	return NULL;
}

/* they make no code of a kernel */
static const struct without {
	const char *name, *why;
} without[] = {
	{"cache.c", "kernels that are kept: test_cache.c"},
	{"gate.c", "the way into LLVM: a_fatal_error_comes_back, and test_process.c"},
	{"link.c", "objects: test_process.c"},
	{"plugin.c", "a table of functions"},
	{"symbols.c", "names of functions"},
	{"topology.c", "how many cores there are"},
	{"window.c",
         "what products compute: its example is a picture, for engine/test_epilogues.c"},
};

static bool needs_example(const char *name)
{
	const size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(without); i++)
		if (strcmp(name, without[i].name) == 0) return false;
	return n > 2 && strcmp(name + n - 2, ".c") == 0;
}

static bool is_true(rig *r, const char *folder, const char *name)
{
	char path[512];
	text got = {calloc(1, MOST_TEXT), 0};
	head_example x;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	assert_non_null(got.s);
	if (!head_example_read(path, &x) || !*x.lines) fail_msg("%s has no example", name);
	what_becomes(&got, r, x.program, x.number, strcmp(name, "routine.c") == 0);
	const char *line = missing(x.lines, got.s);
	if (line) printf("%s: '%s' is not at its place in\n%s", name, line, got.s);
	head_example_free(&x);
	free(got.s);
	return !line;
}

/* of the files that need one; adds how many these are */
static int true_examples(rig *r, const char *path, int *count)
{
	DIR *folder = opendir(path);
	int good = 0;

	assert_non_null(folder);
	for (const struct dirent *x; (x = readdir(folder));)
		if (needs_example(x->d_name)) {
			++*count;
			good += is_true(r, path, x->d_name);
		}
	closedir(folder);
	return good;
}

/* products and lapack make no code of kernels */
static void examples_are_true(void **state)
{
	int count = 0;
	const int good = true_examples(*state, FOLDER, &count) +
	                 true_examples(*state, FOLDER "/emit", &count);

	assert_true(count > 15);
	assert_int_equal(good, count);
}

/* ---- LLVM gives up */

/* code by hand, which nobody here can assemble: LLVM calls that a fatal error */
static bool compiles_assembly(void *of)
{
	const LLVMContextRef c = LLVMContextCreate();
	const LLVMModuleRef m = LLVMModuleCreateWithNameInContext("assembly", c);
	const LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0);
	const LLVMValueRef fn = LLVMAddFunction(m, "assembly", type);
	char *triple = LLVMGetDefaultTargetTriple(), *text = NULL;
	LLVMTargetRef target;
	LLVMMemoryBufferRef object = NULL;

	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, fn, ""));
	LLVMBuildCall2(b, type,
	               LLVMGetInlineAsm(type, "nop", 3, "", 0, 1, 0, LLVMInlineAsmDialectATT, 0),
	               NULL, 0, "");
	LLVMBuildRetVoid(b);
	if (LLVMGetTargetFromTriple(triple, &target, &text)) return false;
	const LLVMTargetMachineRef machine =
		LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault,
	                                LLVMRelocPIC, LLVMCodeModelDefault);
	*(bool *)of = true;
	return !LLVMTargetMachineEmitToMemoryBuffer(machine, m, LLVMObjectFile, &text, &object);
}

/* twice: the gate is open again */
static bool gives_up_twice(void)
{
	int max_bytes;
	char error[256] = "";

	if (!jit_start(&max_bytes, error, sizeof error)) return false;
	for (int i = 0; i < 2; i++) {
		bool began = false;
		*error = 0;
		if (gate_visit(compiles_assembly, &began, error, sizeof error) || !began ||
		    !strstr(error, "asm"))
			return false;
	}
	return true;
}

/* in a child, since what LLVM had allocated is lost */
static void a_fatal_error_comes_back(void **state)
{
	enum { YES = 42 };
	int status;
	const pid_t child = fork();

	(void)state;
	if (child == 0) _exit(gives_up_twice() ? YES : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), YES);
}

/* TSR_EXAMPLE=FILE: what becomes of the program in a file, to write an example from */
static void show(const char *path)
{
	text got = {calloc(1, MOST_TEXT), 0}, file = {calloc(1, MOST_TEXT), 0};
	FILE *f = fopen(path, "r");
	void *r = NULL;

	assert_true(f && got.s && file.s && fread(file.s, 1, MOST_TEXT - 1, f) && !rig_open(&r));
	what_becomes(&got, r, file.s, 32, false);
	puts(got.s);
	fclose(f);
	free(got.s);
	free(file.s);
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_are_true),
		cmocka_unit_test(a_fatal_error_comes_back),
	};

	if (getenv("TSR_EXAMPLE")) {
		show(getenv("TSR_EXAMPLE"));
		return 0;
	}
	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
