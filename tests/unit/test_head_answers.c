/* test_head_answers.c - the examples at the heads of src/base, src/program, src/kernel, src/shard
 * and src/runtime, and of kernels in tests/support: a program, or a few words, and the answers of
 * the source's functions.
 *
 * support/heads.h has the form of an example. A table below has for each source the function that
 * reads the example and prints the answer. How much space is between two words does not count.
 *
 *     test_head_answers [FILE ...]       prints the answers, of these files only
 *
 * cmocka.h comes last: it makes fail() a macro. */
#include "runtime/boxes.h"
#include "support/heads.h"
#include "support/kernels.h"
#include "support/quiet.h"
#include "support/specs.h"
#include "trace/trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* ---- what is asked */

typedef struct question {
	tsr_ctx *ctx;
	arena *arena;
	const char *text; /* the lines of the example, each without the spaces before it */
} question;

/* begin: of one program; end: where the next one begins. NULL: none is left */
static program *parse_next(const question *q, const char **text)
{
	static const char stop[] = "\n}\n";
	const char *end = strstr(*text, stop);
	const size_t n = end ? (size_t)(end - *text) + sizeof stop - 1 : strlen(*text);

	if (!**text) return NULL;
	program *p = program_parse(&q->ctx->ir, "head", *text, n);
	if (!p) fail_msg("%s in\n%s", tsr_message(q->ctx), *text);
	*text += n;
	return p;
}

static program *parse_all(const question *q)
{
	program *p = program_parse(&q->ctx->ir, "head", q->text, strlen(q->text));

	if (!p) fail_msg("%s in\n%s", tsr_message(q->ctx), q->text);
	return p;
}

static void print_and_release(str *out, program *p)
{
	assert_non_null(p);
	program_print(out, p, 0);
	program_release(p);
}

/* ---- src/base */

/* of dtype.c: an i64 as bf16 */
static void converted(const question *q, str *out)
{
	const int64_t n = strtoll(q->text, NULL, 10);
	uint16_t narrow;
	double wide;

	dtype_convert(TSR_BF16, &narrow, TSR_I64, &n, 1);
	dtype_convert(TSR_F64, &wide, TSR_BF16, &narrow, 1);
	str_printf(out, "%.0f", wide);
}

/* ---- src/program */

/* of axes.c: the table of each program inside */
static void tables(const question *q, str *out)
{
	program *p = parse_all(q);
	axis inside[MAX_AXES];

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (!eqn_program(e)) continue;
		const int n = inner_axes(e->prim, e->params, p->axes, p->naxes, inside);
		for (int k = 0; k < n; k++)
			str_printf(out, "%d: %s of size %lld\n", k, inside[k].name,
			           (long long)inside[k].size);
	}
	program_release(p);
}

/* of expand.c: the scalar program of the first equation */
static void expanded(const question *q, str *out)
{
	program *p = parse_all(q);

	assert_non_null(eqn_expansion(&p->eqns[0]));
	program_print(out, eqn_expansion(&p->eqns[0]), 0);
	program_release(p);
}

/* of end.c */
static void in_order(const question *q, str *out) { print_and_release(out, parse_all(q)); }

/* a star: the device is not in the set */
static void put_group(str *out, const member_groups *g, int i)
{
	str_put(out, " {");
	for (int k = g->start[i]; k < g->start[i + 1]; k++)
		str_printf(out, "%s%lld%s", k > g->start[i] ? "," : "", (long long)g->device[k],
		           g->member[k] < 0 ? "*" : "");
	str_put(out, "}");
}

/* of groups.c: of all devices of the mesh, and of the first two */
static void members(const question *q, str *out)
{
	static const int64_t devices[] = {0, 1, 2, 3};
	static const device_set sets[] = {{4, devices}, {2, devices}};
	program *p = parse_all(q);

	for (int i = 0; i < p->neqns; i++)
		for (int k = 0; k < 2; k++) {
			const collective *c = p->eqns[i].params;
			member_groups g;
			assert_true(member_groups_make(&q->ctx->base, q->arena, p, sets[k],
			                               &c->axes, &c->groups, &g));
			str_printf(out, "%%%d, %lld devices:", p->eqns[i].out[0].id - 1,
			           (long long)sets[k].n);
			for (int j = 0; j < g.ngroups; j++) put_group(out, &g, j);
			str_put(out, "\n");
		}
	program_release(p);
}

/* of hash.c: each program and the first one */
static void compared(const question *q, str *out)
{
	const char *text = q->text;
	program *first = parse_next(q, &text), *p;

	while ((p = parse_next(q, &text))) {
		const bool same = program_same(first, p);
		assert_int_equal(same, program_hash(first) == program_hash(p));
		str_printf(out, "%s is %s as %s\n", p->name, same ? "the same" : "not the same",
		           first->name);
		program_release(p);
	}
	program_release(first);
}

/* of inline.c: the program, on its own result */
static void twice(const question *q, str *out)
{
	program *p = parse_all(q);
	build *b = build_begin(&q->ctx->ir, "twice", p->axes, p->naxes);
	var x = build_input(b, type_of(p, p->in[0]));

	assert_true(build_inline(b, p, &x, &x, NULL) && build_inline(b, p, &x, &x, NULL));
	print_and_release(out, build_end(b, &x, 1));
	program_release(p);
}

/* of lines.c: of two programs */
static void matched_lines(const question *q, str *out)
{
	const char *text = q->text, *to = NULL;
	program *f = parse_next(q, &text), *g = parse_next(q, &text);

	for (int i = 0; i < f->neqns; i++) {
		assert_true(program_lines(f, g, f->eqns[i].where, &to));
		str_printf(out, "%s is %s\n", f->eqns[i].where, to);
	}
	if (!program_lines(g, f, NULL, NULL)) str_put(out, "no answer");
	program_release(f);
	program_release(g);
}

/* of memo.c: a pass that leaves a program as it is; does it do its work? */
static const char *pass_on(program *p, int argument)
{
	memo m;
	const bool made =
		memo_begin(&m, "same", p, MEMO_PARTS({&argument, sizeof argument}), NULL, 0);

	if (made) {
		m.to[0] = p;
		program_retain(p);
	}
	program_release(memo_end(&m));
	return made ? "made" : "known";
}

static void remembered(const question *q, str *out)
{
	program *p = parse_all(q);

	memo_open(&q->ctx->ir);
	str_printf(out, "inside another pass: %s, ", pass_on(p, 1));
	str_printf(out, "%s, with another argument %s", pass_on(p, 1), pass_on(p, 2));
	memo_close(&q->ctx->ir);
	str_printf(out, ", after its end %s", pass_on(p, 1));
	program_release(p);
}

static void put_number(str *out, tsr_dtype dtype, const void *number)
{
	double value;

	dtype_convert(TSR_F64, &value, dtype, number, 1);
	str_printf(out, "%g", value);
}

/* of padding.c: of the factor that goes */
static void needed(const question *q, str *out)
{
	program *p = parse_all(q);
	const type *t[2];
	uint64_t number;
	factors f;

	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		t[0] = type_of(p, e->in[0]);
		t[1] = type_of(p, e->out[0]);
		factors_begin(&f);
		e->prim->factors(e, t, t + 1, &f);
		str_printf(out, "%s: ", e->prim->name);
		const padding need = eqn_needs(e, t, &f, 0, 0);
		padding_number(need, t[0]->dtype, &number);
		if (need == PAD_ANY) str_put(out, "anything");
		else put_number(out, t[0]->dtype, &number);
		str_put(out, "\n");
	}
	program_release(p);
}

/* of params.c: on blocks of half as many rows */
static void on_halves(const question *q, str *out)
{
	program *p = parse_all(q);
	const eqn *e = &p->eqns[0];
	const type *whole[] = {type_of(p, e->in[0]), type_of(p, e->out[0])}, *half[2];
	build *b = build_begin(&q->ctx->ir, p->name, NULL, 0);
	int64_t dims[MAX_NDIM];

	for (int i = 0; i < 2; i++) {
		memcpy(dims, whole[i]->dims, (size_t)whole[i]->ndim * sizeof *dims);
		dims[0] /= 2;
		half[i] = type_make(&q->ctx->ir, whole[i]->dtype, dims, whole[i]->ndim, 0);
	}
	var x = build_input(b, half[0]);
	const void *params = params_on_blocks(build_arena(b), e, whole, half, half + 1);
	assert_true(params && build_eqn(b, e->prim, params, &x, 1, &x, "head"));
	print_and_release(out, build_end(b, &x, 1));
	program_release(p);
}

/* of prims.c: each line names a row */
static void described(const question *q, str *out)
{
	const tsr_prim *row = prim_named(&q->ctx->ir, q->text, strcspn(q->text, "\n"));

	assert_non_null(row);
	prim_describe(out, row);
}

/* of parse.c, print.c, read.c: the text of the program, or why it is none */
static void read_and_printed(const question *q, str *out)
{
	program *p = program_parse(&q->ctx->ir, "head", q->text, strlen(q->text));

	if (p) {
		print_and_release(out, p);
		return;
	}
	str_put(out, tsr_message(q->ctx));
	tsr_clear(q->ctx);
}

/* of type.c: of each input and the first one */
static void same_types(const question *q, str *out)
{
	program *p = parse_all(q);

	for (int i = 1; i < p->nin; i++)
		str_printf(out, "%%0 and %%%d: %s\n", i,
		           type_of(p, p->in[0]) == type_of(p, p->in[i]) ? "one type" : "two");
	program_release(p);
}

/* of verify.c: with its equations in the opposite order */
static void verified(const question *q, str *out)
{
	program *p = parse_all(q);
	eqn *e = (eqn *)(uintptr_t)p->eqns, first = *e;

	e[0] = e[1];
	e[1] = first;
	assert_false(program_verify(p, "reorder"));
	str_put(out, tsr_message(q->ctx));
	tsr_clear(q->ctx);
	program_release(p);
}

/* ---- src/kernel, and kernels in tests/support */

static kernel *kernel_of(const program *p)
{
	bool fits;
	kernel *k = kernel_lower(p, &fits);

	assert_true(k && kernel_verify(k));
	return k;
}

static void lowered(const question *q, str *out)
{
	program *p = parse_all(q);
	kernel *k = kernel_of(p);

	kernel_print(out, k);
	kernel_free(k);
	program_release(p);
}

/* of end.c: the kernel of the first program, and which others have equal ones */
static void same_kernels(const question *q, str *out)
{
	const char *text = q->text;
	program *first = parse_next(q, &text), *p;
	kernel *k = kernel_of(first);

	kernel_print(out, k);
	while ((p = parse_next(q, &text))) {
		kernel *other = kernel_of(p);
		str_printf(out, "that of %s is %s\n", p->name,
		           kernel_same(k, other) ? "the same" : "another one");
		kernel_free(other);
		program_release(p);
	}
	kernel_free(k);
	program_release(first);
}

/* of kernel_eval.c: for 1e8, 1, 0, .., and -1e8 as element 16 */
static void evaluated(const question *q, str *out)
{
	program *p = parse_all(q);
	kernel *k = kernel_of(p);
	float in[32] = {[0] = 1e8F, [1] = 1, [16] = -1e8F}, sum;
	const void *x[] = {in};
	void *y[] = {&sum};

	assert_true(kernel_eval(k, x, y));
	str_printf(out, "%g\n", (double)sum);
	kernel_free(k);
	program_release(p);
}

/* of kernel_verify.c: with the last two nodes of the innermost loop in the opposite order */
static void kernel_verified(const question *q, str *out)
{
	program *p = parse_all(q);
	kernel *k = kernel_of(p);
	const kregion *loop = &k->regions[k->ndim];
	kvar *last = (kvar *)(uintptr_t)&loop->nodes[loop->nnodes - 1], node = *last;

	*last = last[-1];
	last[-1] = node;
	assert_false(kernel_verify(k));
	str_put(out, tsr_message(q->ctx));
	tsr_clear(q->ctx);
	kernel_free(k);
	program_release(p);
}

/* ---- src/shard: a line "x:2 y:3 [y] 10" has a mesh, a spec and a dim */

typedef struct shard_case {
	const mesh *mesh;
	const sharding *sharding;
	const type *type;
} shard_case;

static const mesh *mesh_of(shards *all, const char **text)
{
	char name[4][8];
	tsr_axis axis[4];
	size_t n = 0;
	long long size;
	int64_t count = 1;

	for (int used; sscanf(*text, "%7[a-z]:%lld%n", name[n], &size, &used) == 2; n++) {
		axis[n] = (tsr_axis){name[n], size};
		count *= size;
		*text += used;
		*text += **text == ' ';
	}
	return mesh_make(all, "head", axis, n, NULL, (size_t)count);
}

static shard_case read_case(const question *q, shards *all)
{
	const char *text = q->text;
	shard_case c;

	assert_non_null(c.mesh = mesh_of(all, &text));
	assert_non_null(c.sharding = sharding_of_text(all, c.mesh, text));
	const int64_t dim = strtoll(strchr(text, ']') + 1, NULL, 10);
	assert_non_null(c.type = type_make(&q->ctx->ir, TSR_F32, &dim, 1, 0));
	return c;
}

/* of sharding.c */
static void parts(const question *q, str *out)
{
	const shard_case c = read_case(q, &q->ctx->shards);
	int64_t start, stop;

	for (int64_t k = 0; k < c.mesh->size; k++) {
		sharding_box(c.sharding, c.type->dims, 1, k, &start, &stop);
		str_printf(out, "device %lld: %lld:%lld\n", (long long)k, (long long)start,
		           (long long)stop);
	}
}

/* of layout.c: a letter is an axis, of 2, 4, 8, .. */
static void layout_parts_of(const question *q, str *out)
{
	static const layout_axis axes[] = {{2, LEVEL_MEMORY}, {4, LEVEL_MEMORY}, {8, LEVEL_MEMORY}};
	const char *at = q->text + 1;
	long long size;
	layout l = {0};
	int dim = 0;

	for (; *at != ']'; at++) {
		if (*at == ',') dim++;
		else if (*at != '-') layout_cut(&l, dim, *at - 'a');
	}
	assert_int_equal(sscanf(at, "] of %lld", &size), 1);
	const int64_t dims[] = {size};
	layout_text(out, &l, dim + 1, NULL);
	str_printf(out, ": %lld parts of %lld\n", (long long)layout_parts(&l, axes, 0),
	           (long long)layout_block(&l, axes, dims, 0));
	layout_uncut(&l, 0);
	layout_text(out, &l, dim + 1, NULL);
	str_printf(out, ": %lld part of %lld\n", (long long)layout_parts(&l, axes, 0),
	           (long long)layout_block(&l, axes, dims, 0));
}

/* of mesh.c: each line and the first one */
static void meshes(const question *q, str *out)
{
	const char *text = q->text;
	const mesh *first = mesh_of(&q->ctx->shards, &text);

	while (*(text += strspn(text, "\n"))) {
		const mesh *m = mesh_of(&q->ctx->shards, &text);
		mesh_text(out, m);
		str_put(out, m == first                 ? ": the same\n"
		             : m->hash == first->hash   ? ": the same but for names\n"
		             : m->list == first->list   ? ": another one of the same devices\n"
		                                        : ": another one\n");
	}
}

/* of spec.c: a mesh, and a signature of one spec in each line, or what is wrong with it */
static void specs(const question *q, str *out)
{
	const char *text = q->text;
	const mesh *m = mesh_of(&q->ctx->shards, &text);
	spec_room in, none;
	int nin, nout;

	while (*(text += strspn(text, "\n"))) {
		const size_t n = strcspn(text, "\n");
		char *copy = arena_copy(q->arena, text, n + 1);
		assert_non_null(copy);
		copy[n] = 0;
		if (sig_read(&q->ctx->base, NULL, m, copy, &in, &nin, &none, &nout, 1))
			spec_text(out, m, &sharding_of_room(&q->ctx->shards, m, &in)->spec);
		else
			str_put(out, tsr_message(q->ctx));
		str_put(out, "\n");
		tsr_clear(q->ctx);
		text += n;
	}
}

/* of holders.c: the other lines have the devices of a process each */
static void lacking(const question *q, str *out)
{
	const char *line = q->text;

	while (*(line += strcspn(line, "\n")) && *++line) {
		device devices[8];
		shards all;
		for (int k = 0; k < 8; k++) devices[k] = (device){.id = k, .process = 1};
		for (const char *at = line; at[-1] == ' ' || at == line; at++)
			devices[strtoll(at, (char **)&at, 10)].process = 0;
		assert_true(shards_init(&all, &q->ctx->base, NULL, devices, 8));
		const int64_t lacks = sharding_lacking(read_case(q, &all).sharding, false);
		if (lacks < 0) str_put(out, "has all\n");
		else str_printf(out, "lacks what device %lld has\n", (long long)lacks);
		shards_fini(&all);
	}
}

/* ---- src/runtime */

/* of boxes.c: for each device, what it has of 2:7 */
static void shared_boxes(const question *q, str *out)
{
	const shard_case c = read_case(q, &q->ctx->shards);
	const box want = {{2}, {7}};
	int64_t first, count, strides;
	box has, both;

	assert_true(parts_touched(c.sharding, c.type, &want, &first, &count));
	str_printf(out, "parts %lld to %lld\n", (long long)first, (long long)(first + count - 1));
	block_strides(c.sharding, c.type, &strides);
	for (int64_t k = 0; k < c.mesh->size; k++) {
		sharding_box(c.sharding, c.type->dims, 1, k, has.start, has.stop);
		if (!boxes_meet(&has, &want, 1, &both)) continue;
		str_printf(out, "device %lld: %lld:%lld, at byte %lld of its block\n", (long long)k,
		           (long long)both.start[0], (long long)both.stop[0],
		           (long long)offset_at(both.start, has.start, &strides, 1));
	}
}

/* of array.c: which devices have one buffer */
static void buffers(const question *q, str *out)
{
	static const float zero = 0;
	const shard_case c = read_case(q, &q->ctx->shards);
	array *a = array_filled(q->ctx, c.type, &zero, c.sharding, true);

	assert_non_null(a);
	for (int64_t k = 0; k < c.mesh->size; k++) {
		int64_t start, stop, first = 0;
		sharding_box(c.sharding, c.type->dims, 1, k, &start, &stop);
		while (a->shard[first] != a->shard[k]) first++;
		str_printf(out, "device %lld: %lld:%lld", (long long)k, (long long)start,
		           (long long)stop);
		if (first < k) str_printf(out, ", with device %lld", (long long)first);
		str_put(out, "\n");
	}
	array_release(a);
}

/* of executables.c: each program is run once */
static void made(const question *q, str *out)
{
	static const float zero = 0;
	const size_t before = q->ctx->executables.count;
	const sharding *one = sharding_one(&q->ctx->shards, "head", 0);
	const char *text = q->text;
	program *p;

	while ((p = parse_next(q, &text))) {
		array *y, *x = array_filled(q->ctx, type_of(p, p->in[0]), &zero, one, false);
		assert_true(x && run_program(q->ctx, "head", p, &x, NULL, &y));
		str_printf(out, "after %s: %d\n", p->name,
		           (int)(q->ctx->executables.count - before));
		array_release(x);
		array_release(y);
		program_release(p);
	}
}

/* ---- src/trace */

/* of eager.c: a line "neg 4" has a row and a dim */
static void eager_programs(const question *q, str *out)
{
	static const float zero = 0;
	call_site site = {q->ctx, "head", "head"};
	const sharding *one = sharding_one(&q->ctx->shards, "head", 0);
	const size_t before = q->ctx->eager.count;
	const char *at = q->text;
	char name[16];
	long long dim;

	for (int used; sscanf(at, "%15s %lld%n", name, &dim, &used) == 2; at += used) {
		const tsr_prim *row = prim_named(&q->ctx->ir, name, strlen(name));
		const type *t = type_make(&q->ctx->ir, TSR_F32, &(int64_t){dim}, 1, 0);
		tsr *x = handle_of_array(q->ctx, array_filled(q->ctx, t, &zero, one, false));
		assert_false(tsr_is_poison(bind(&site, row, NULL, &x, 1)));
		str_printf(out, "%d ", (int)(q->ctx->eager.count - before));
	}
}

/* ---- the heads */

static const struct example {
	const char *file;
	void (*answer)(const question *, str *out);
} examples[] = {
	{"src/base/dtype.c", converted},
	{"src/program/axes.c", tables},
	{"src/program/end.c", in_order},
	{"src/program/expand.c", expanded},
	{"src/program/groups.c", members},
	{"src/program/hash.c", compared},
	{"src/program/inline.c", twice},
	{"src/program/lines.c", matched_lines},
	{"src/program/memo.c", remembered},
	{"src/program/padding.c", needed},
	{"src/program/params.c", on_halves},
	{"src/program/parse.c", read_and_printed},
	{"src/program/print.c", read_and_printed},
	{"src/program/prims.c", described},
	{"src/program/read.c", read_and_printed},
	{"src/program/read_params.c", read_and_printed},
	{"src/program/type.c", same_types},
	{"src/program/verify.c", verified},
	{"src/kernel/build.c", lowered},
	{"src/kernel/end.c", same_kernels},
	{"tests/support/kernel_eval.c", evaluated},
	{"src/kernel/index.c", lowered},
	{"src/kernel/lower.c", lowered},
	{"src/kernel/ops.c", lowered},
	{"tests/support/kernel_print.c", lowered},
	{"src/kernel/scalar.c", lowered},
	{"tests/support/kernel_verify.c", kernel_verified},
	{"src/shard/holders.c", lacking},
	{"src/shard/layout.c", layout_parts_of},
	{"src/shard/mesh.c", meshes},
	{"src/shard/sharding.c", parts},
	{"src/shard/spec.c", specs},
	{"src/runtime/array.c", buffers},
	{"src/runtime/boxes.c", shared_boxes},
	{"src/runtime/executables.c", made},
	{"src/trace/eager.c", eager_programs},
};

/* whether its example gives what it should; show: that is printed */
static bool head_is_true(tsr_ctx *ctx, const struct example *e, bool show)
{
	question q = {.ctx = ctx, .arena = arena_make(&ctx->base)};
	str out = {.base = &ctx->base};
	head_example x;

	assert_non_null(q.arena);
	bool ok = head_example_read(e->file, &x);
	if (!ok) print_error("%s opens without an example\n", e->file);
	if (ok) {
		q.text = x.program;
		e->answer(&q, &out);
		ok = out.s && text_fits(out.s, x.lines);
		if (!ok && !show) print_error("%s: the example gives\n%s\n", e->file, out.s);
		if (show) printf("%s\n%s\n", e->file, out.s);
		head_example_free(&x);
	}
	str_free(&out);
	arena_free(q.arena);
	return ok;
}

static void heads(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		wrong += !head_is_true(ctx, &examples[i], false);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	assert_int_equal(wrong, 0);
}

static int show(int n, char **files)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);

	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		for (int k = 0; k < n; k++)
			if (strstr(examples[i].file, files[k]))
				head_is_true(ctx, &examples[i], true);
	return tsr_close(ctx);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(heads)};

	return argc > 1 ? show(argc - 1, argv + 1)
	                : cmocka_run_group_tests_name("answers of heads", tests, NULL, NULL);
}
