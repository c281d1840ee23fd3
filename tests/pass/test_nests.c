/* test_nests.c - every row that holds programs, nested, through every pass and transformation: the
 * work grows with the depth, not as a power of two.
 *
 * Work is counted in requests for memory, of which each program that is made needs a few. A rule
 * that asks twice for a body needs 2^60 times as many for the innermost one, and never ends. Here
 * twice as many levels must cost twice as much (three times is too much: the square would be four).
 * All of it runs on a thread with a stack of 512 KiB.
 *
 *     TSR_SHOW=1 test_nests       says how much work everything is
 *     TSR_PART=2/3 test_nests     the second of every three nests and passes */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include "support/part.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { DEPTH = 60, MOST_VALUES = 2 * DEPTH };

/* ---- nests. Their programs have two inputs of one type, and one or two results of it. Most levels
 * change the places of the two, so that it takes one step of a loop more until it is known what
 * moves, is mapped, or is used */

typedef struct nest {
	const char *name;
	const char *level; /* $: the program inside; @: the mesh; #: the number of the level */
	const char *core;
	bool still; /* no reverse mode */
	bool twice; /* a level is two programs inside each other, so half as many levels fit */
} nest;

#define ONE "(%0: f32[2], %1: f32[2]) -> f32[2]"
#define TWO "(%0: f32[2], %1: f32[2]) -> f32[2], f32[2]"
#define LAST_ONE "g" ONE " {\n %2: f32[2] = sin %0\n %3: f32[2] = mul %2 %1\n return %3\n}"
#define LAST_TWO "g" TWO " {\n %2: f32[2] = sin %0\n %3: f32[2] = mul %2 %1\n return %3 %1\n}"
#define TEST \
	"(%0: f32[2], %1: f32[2]) -> bool[] {\n %2: f32[] = reduce_sum %1 dims=[0]\n" \
	" %3: bool[] = lt %2 1.0:f32\n return %3\n}"
#define KEEP "(%0: f32[2], %1: f32[2]) -> f32[2], f32[2] {\n return %0 %1\n}"

static const nest nests[] = {
	{"call", TWO " {\n %2: f32[2], %3: f32[2] = call %0 %1 program=$\n return %3 %2\n}",
         LAST_TWO, false, false},
	{"cond",
         TWO " {\n %2: f32[] = reduce_sum %1 dims=[0]\n %3: bool[] = lt %2 1.0:f32\n"
             " %4: f32[2], %5: f32[2] = cond %3 %0 %1 branches=[" KEEP ", $]\n"
             " return %4 %1\n}",
         LAST_TWO, false, false},
	{"cond, parting",
         TWO " {\n %2: f32[] = reduce_sum %0 dims=[0]\n %3: bool[] = lt %2 1.0:f32\n"
             " %4: f32[2], %5: f32[2] = cond %3 %0 %1 branches=[$, " KEEP "]\n"
             " return %5 %4\n}",
         LAST_TWO, false, false},
	{"while",
         TWO " {\n %2: f32[2], %3: f32[2] = while %0 %1 cond_consts=0 body_consts=0 cond=" TEST
             " body=$\n return %3 %2\n}",
         LAST_TWO, true, false},
	{"while, constants",
         ONE " {\n %2: f32[2] = while %0 %0 %1 cond_consts=1 body_consts=1 cond=" TEST
             " body=$\n return %2\n}",
         LAST_ONE, true, false},
	{"while, asking",
         ONE " {\n %2: f32[2] = while %0 %1 cond_consts=1 body_consts=0 cond="
             "(%0: f32[2], %1: f32[2]) -> bool[] {\n"
             " %2: f32[2] = call %0 %1 program=$\n"
             " %3: f32[] = reduce_sum %2 dims=[0]\n"
             " %4: bool[] = lt %3 1.0:f32\n return %4\n} "
             "body=(%0: f32[2]) -> f32[2] {\n %1: f32[2] = sin %0\n return %1\n}\n"
             " return %2\n}",
         LAST_ONE, true, true},
	{"scan",
         TWO " {\n %2: f32[2], %3: f32[2] = scan %0 %1 length=1 consts=0 carry=2 unroll=1 "
             "body=$\n return %3 %2\n}",
         LAST_TWO, false, false},
	{"scan, constants",
         ONE " {\n %2: f32[2] = scan %0 %1 length=1 consts=1 carry=1 unroll=1 "
             "body=$\n %3: f32[2] = add %2 %0\n return %3\n}",
         LAST_ONE, false, false},
	{"scan, stacking",
         TWO " {\n %2: f32[1,2] = broadcast_in_dim %1 dims=[1,2] at=[1]\n"
             " %3: f32[2], %4: f32[1,2] = scan %0 %2 length=1 consts=0 carry=1 "
             "unroll=1 body=$\n %5: f32[2] = reduce_sum %4 dims=[0]\n"
             " return %5 %3\n}",
         LAST_TWO, false, false},
	{"scan of cond",
         TWO " {\n %2: f32[2], %3: f32[1,2] = scan %0 %1 length=1 consts=1 carry=1 "
             "unroll=1 body=" TWO " {\n %2: f32[] = reduce_sum %0 dims=[0]\n"
             " %3: bool[] = lt %2 1.0:f32\n %4: f32[2], %5: f32[2] = cond %3 %0 "
             "%1 branches=[$, " KEEP "]\n return %4 %5\n}\n"
             " %4: f32[2] = reduce_sum %3 dims=[0]\n return %4 %2\n}",
         LAST_TWO, false, true},
	{"shard_map",
         TWO " {\n %2: f32[2], %3: f32[2] = shard_map %0 %1 mesh=@ axes=(a#) "
             "in=[[],[]] out=[[],[]] body=$\n return %3 %2\n}",
         LAST_TWO, false, false},
};

/* of one device, with an axis for each level */
static void put_mesh(str *s)
{
	for (int i = 0; i < DEPTH; i++) str_printf(s, "%sa%d:1", i ? "," : "(", i);
	str_put(s, ")");
}

static void put_level(str *s, const nest *n, int level, int depth)
{
	if (level == depth) {
		str_put(s, n->core);
		return;
	}
	for (const char *c = n->level; *c; c++) {
		if (*c == '$')
			put_level(s, n, level + 1, depth);
		else if (*c == '@')
			put_mesh(s);
		else if (*c == '#')
			str_printf(s, "%d", level);
		else
			str_putn(s, c, 1);
	}
}

/* A level around the program inside is one branch more often than it has levels: both branches of
 * each choice are the same program, so that a walk along all paths would be 2^DEPTH long */
static program *shared_nest(ir *r, int depth)
{
	static const char core[] = LAST_TWO;
	program *p = program_parse(r, NULL, core, sizeof core - 1);

	for (int i = 0; i < depth; i++) {
		build *b = build_begin(r, "shared", NULL, 0);
		var *x = inputs_like(b, p, 0), y[2];
		const reduce_params all = {{1, (const int64_t[]){0}}};
		const program *both[2] = {p, p};
		const var sum = emit(b, &tsr__prim_reduce_sum, &all, &x[1], 1);
		const var less = emit_2(b, &tsr__prim_lt, sum, emit_scalar(b, TSR_F32, 1));
		assert_false(build_failed(b));
		emit_all(b, &tsr__prim_cond, &(cond_params){{2, both}}, (var[]){less, x[0], x[1]},
		         3, y);
		program_release(p);
		p = build_end(b, (var[]){y[1], y[0]}, 2);
		assert_non_null(p);
	}
	return p;
}

/* ---- passes. They give something to release, or nothing */

typedef struct job {
	tsr_ctx *ctx;
	const program *p; /* calls are inlined, but for `inline` and text */
	arena *a;
	bool *some, *all, *told;
} job;

static void must(const job *j, const program *made)
{
	if (!made) fail_msg("%s", tsr_message(j->ctx));
}

static void release(const job *j, program *made)
{
	must(j, made);
	program_release(made);
}

static void run_inline(job *j) { release(j, pass_inline(j->p)); }
static void run_simplify(job *j) { release(j, pass_simplify(j->p)); }
static void run_unroll(job *j) { release(j, pass_unroll(j->p)); }
static void run_dead(job *j) { release(j, pass_dead(j->p)); }
static void run_prune(job *j) { release(j, pass_prune(j->p, j->some, j->told)); }
static void run_verify(job *j) { assert_true(program_verify(j->p, "nest")); }
static void run_jvp(job *j) { release(j, pass_jvp(j->p, j->some, NULL, j->told)); }
static void run_grad(job *j) { release(j, pass_jacobian(j->p, j->some, j->some, true)); }
static void run_jacobian(job *j) { release(j, pass_jacobian(j->p, j->some, NULL, false)); }

static void run_placed(job *j, placing_pass *pass, program *(*then)(const program *))
{
	placed to;

	if (!pass(j->p, NULL, NULL, NULL, &to)) fail_msg("%s", tsr_message(j->ctx));
	if (then) release(j, then(to.program));
	placed_free(&to);
}

static void run_partition(job *j) { run_placed(j, pass_partition, NULL); }

/* on operands that are cut, so that programs inside are, too */
static void run_spread(job *j)
{
	tsr_mesh *mesh = tsr_mesh_make(j->ctx, {"x", 2});
	const sharding *cut = tsr_sharding_make(mesh, TSR_P("x")), *held[2] = {cut, cut};
	placed to;

	if (!pass_partition(j->p, held, NULL, NULL, &to)) fail_msg("%s", tsr_message(j->ctx));
	assert_ptr_equal(to.out[0], cut);
	placed_free(&to);
}

static void run_pipeline(job *j) { run_placed(j, pipeline, NULL); }
static program *fuse(const program *p) { return pass_fuse(p, target_of(32)); }
static void run_fuse(job *j) { run_placed(j, pipeline, fuse); }

static program *replicate(const program *p)
{
	const int64_t device = 0;
	replicated to;

	if (!pass_replicate(p, (device_set){1, &device}, NULL, &to)) return NULL;
	program_retain(to.program);
	program *made = to.program;
	replicated_free(&to);
	return made;
}

static void run_replicate(job *j) { run_placed(j, pipeline, replicate); }

static void run_split(job *j)
{
	halves h;

	if (!pass_split(j->p, j->a, j->some, NULL, &h)) fail_msg("%s", tsr_message(j->ctx));
	halves_free(&h);
}

static void run_linearize(job *j)
{
	halves h;

	if (!pass_linearize(j->p, j->a, j->some, NULL, NULL, &h, j->told))
		fail_msg("%s", tsr_message(j->ctx));
	halves_free(&h);
}

static void run_transpose(job *j)
{
	halves h;

	if (!pass_linearize(j->p, j->a, j->all, NULL, NULL, &h, j->told))
		fail_msg("%s", tsr_message(j->ctx));
	release(j, pass_vjp(&h, j->a, j->p->nin, NULL));
	halves_free(&h);
}

static void run_batch(job *j)
{
	const batching of = {.size = 3, .axis = -1};

	release(j, pass_batch(j->p, &of, j->some, NULL, j->told));
}

/* into a scope with one axis more, on values that vary over it */
static void run_vary(job *j)
{
	const axis more = {"more", 2, AXIS_MAP, NULL, 0, NULL};
	const type *in[2];

	for (int i = 0; i < 2; i++) in[i] = type_vary(j->p->ir, type_of(j->p, j->p->in[i]), 1);
	release(j, pass_vary(j->p, &more, 1, in));
}

/* axes renumbered, of programs inside too */
static void run_renumber(job *j)
{
	const axis more[] = {{"i", 2, AXIS_MAP, NULL, 0, NULL}};
	build *b = build_begin(j->p->ir, NULL, more, 1);
	var *x = inputs_like(b, j->p, j->p->nout);
	const int map[1] = {0};

	assert_true(build_inline(b, j->p, x, x + j->p->nin, map));
	release(j, build_end(b, x + j->p->nin, j->p->nout));
}

static void run_text(job *j)
{
	str text = {.base = &j->ctx->base};

	program_print(&text, j->p, 0);
	program *again = program_parse(j->p->ir, NULL, text.s, text.len);
	must(j, again);
	assert_true(program_same(j->p, again));
	program_release(again);
	str_free(&text);
}

/* by the engine, which interprets until machine code pays */
static void run_compile(job *j)
{
	const int64_t device = 0;
	engine *on = j->ctx->engine;
	placed to;

	if (!pipeline(j->p, NULL, NULL, NULL, &to)) fail_msg("%s", tsr_message(j->ctx));
	executable *x = on->type->compile(on, to.program, (device_set){1, &device});
	if (!x) fail_msg("%s", tsr_message(j->ctx));
	on->type->release(x);
	placed_free(&to);
}

static const struct pass {
	const char *name;
	void (*run)(job *);
	enum { ON_CALLS = 1, REVERSE = 2, IS_TREE = 4, NO_MAPS = 8 } needs;
} passes[] = {
	{"text", run_text, ON_CALLS | IS_TREE},
	{"verify", run_verify, ON_CALLS},
	{"inline", run_inline, ON_CALLS},
	{"unroll", run_unroll, 0},
	{"simplify", run_simplify, 0},
	{"dead", run_dead, 0},
	{"prune", run_prune, 0},
	{"partition", run_partition, 0},
	{"partition of blocks", run_spread, NO_MAPS},
	{"pipeline", run_pipeline, ON_CALLS},
	{"fuse", run_fuse, 0},
	{"replicate", run_replicate, IS_TREE},
	{"compile", run_compile, 0},
	{"jvp", run_jvp, 0},
	{"split", run_split, 0},
	{"linearize", run_linearize, 0},
	{"transpose", run_transpose, REVERSE},
	{"gradient", run_grad, REVERSE},
	{"jacobian", run_jacobian, 0},
	{"batch", run_batch, 0},
	{"vary", run_vary, 0},
	{"renumber", run_renumber, 0},
};

/* ---- work */

/* requests for memory while the pass runs on p */
static int64_t work(tsr_ctx *ctx, const struct pass *pass, const program *p)
{
	enum { MANY = INT32_MAX };
	job j = {.ctx = ctx, .p = p, .a = arena_make(&ctx->base)};
	bool *flags = arena_array(j.a, 3 * MOST_VALUES, sizeof *flags);

	j.some = flags;
	j.all = flags + MOST_VALUES;
	j.told = j.all + MOST_VALUES;
	j.some[0] = j.all[0] = j.all[1] = true;
	ctx->base.mem.fail_at = MANY;
	pass->run(&j);
	const int64_t left = ctx->base.mem.fail_at;
	ctx->base.mem.fail_at = -1;
	arena_free(j.a);
	return MANY - left;
}

static program *make_nest(tsr_ctx *ctx, const nest *n, int depth)
{
	str text = {.base = &ctx->base};

	if (!n) return shared_nest(&ctx->ir, depth);
	put_level(&text, n, 0, depth);
	program *p = program_parse(&ctx->ir, NULL, text.s, text.len);
	if (!p) fail_msg("%s: %s", n->name, tsr_message(ctx));
	str_free(&text);
	return p;
}

static int64_t work_at(tsr_ctx *ctx, const nest *n, const struct pass *pass, int depth)
{
	program *p = make_nest(ctx, n, n && n->twice ? depth / 2 : depth), *flat = pass_inline(p);
	const int64_t requests = work(ctx, pass, pass->needs & ON_CALLS ? p : flat);

	program_release(flat);
	program_release(p);
	return requests;
}

static void test_nests(void **state)
{
	enum { MOST_GROWTH = 3 };
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i <= ARRAY_LEN(nests); i++)
		for (size_t k = 0; k < ARRAY_LEN(passes); k++) {
			const nest *n = i < ARRAY_LEN(nests) ? &nests[i] : NULL;
			const struct pass *pass = &passes[k];
			if (n && n->still && pass->needs & REVERSE) continue;
			if (!n && pass->needs & IS_TREE) continue;
			if (n && strstr(n->level, "shard_map") && pass->needs & NO_MAPS) continue;
			if (is_left_out()) continue;
			tsr_ctx *ctx = tsr_open(.devices = 2);
			const int64_t half = work_at(ctx, n, pass, DEPTH / 2);
			const int64_t whole = work_at(ctx, n, pass, DEPTH);
			if (getenv("TSR_SHOW") || whole > MOST_GROWTH * half)
				print_message("%s of %s: %lld requests, of half of it %lld\n",
				              pass->name, n ? n->name : "cond, shared",
				              (long long)whole, (long long)half);
			wrong += whole > MOST_GROWTH * half;
			assert_int_equal(tsr_close(ctx), 0);
		}
	assert_int_equal(wrong, 0);
}

static void *with_small_stack(void *failed)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_nests)};

	*(int *)failed = cmocka_run_group_tests(tests, NULL, NULL);
	return NULL;
}

int main(void)
{
#ifdef __SANITIZE_ADDRESS__
	enum { STACK = 4 << 19 };
#else
	enum { STACK = 1 << 19 };
#endif
	pthread_attr_t attr;
	pthread_t thread;
	int failed = 1;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	if (pthread_create(&thread, &attr, with_small_stack, &failed) == 0)
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	return failed;
}
