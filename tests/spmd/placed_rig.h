/* placed_rig.h - programs as text, on operands that are spread over a mesh at random, against the
 * same on one device, bit for bit: whole numbers, so that sums are exact in any order. In what is
 * spread, copies are constraints to some sharding, and every second neg is a map. make check
 * compiles a part of the draws (support/part.h), make check-slow all. */
#ifndef TSR_TESTS_SPMD_PLACED_RIG_H
#define TSR_TESTS_SPMD_PLACED_RIG_H
#include "prim/prim.h"
#include "support/counted_bytes.h"
#include "spmd/placed_text.h"
#include "support/quiet.h"
#include <math.h>

/* ---- a draw: all results are the same */

static inline bool same_bytes(tsr *a, tsr *b)
{
	static char x[1 << 16], y[1 << 16];
	const size_t bytes = (size_t)tsr_size(a) * tsr_dtype_size(tsr_dtype_of(a));

	assert_true(bytes <= sizeof x);
	tsr_read(a, x, bytes);
	tsr_read(b, y, bytes);
	return memcmp(x, y, bytes) == 0;
}

/* Of whole numbers most rows make whole numbers, in any order. These round, or make numbers so
 * large that their sums do */
static inline bool has_rounding_row(const written *w)
{
	static const char *const rounding[] = {
		"cumprod",  "cumlogsumexp",     "lu",  "qr",         "eigh",        "svd",
		"cholesky", "triangular_solve", "fft", "hessenberg", "tridiagonal", "schur",
		"eig"};

	for (size_t k = 0; k < sizeof rounding / sizeof *rounding; k++) {
		const char *at = strstr(w->text, rounding[k]);
		if (at && at[strlen(rounding[k])] == ' ') return true;
	}
	return false;
}

/* two f32 as close as roundings may make them */
static inline bool near_bytes(tsr *a, tsr *b)
{
	static float x[1 << 14], y[1 << 14];
	const size_t n = (size_t)tsr_size(a);

	if (tsr_dtype_of(a) != TSR_F32) return false;
	assert_true(n * sizeof *x <= sizeof x);
	tsr_read(a, x, n * sizeof *x);
	tsr_read(b, y, n * sizeof *y);
	for (size_t i = 0; i < n; i++) {
		const bool same = x[i] == y[i] || (isnan(x[i]) && isnan(y[i]));
		if (!same && !(fabsf(x[i] - y[i]) <= 1e-5f * (1 + fabsf(x[i])))) return false;
	}
	return true;
}

/* with TSR_SAME_BITS in the environment all sums have the bits of one device */
static inline tsr_reproducible asked_for(void)
{
	return getenv("TSR_SAME_BITS") ? TSR_BY_MESH : TSR_BY_DEVICES;
}

static inline bool same_values(const written *w, tsr *a, tsr *b)
{
	if (same_bytes(a, b)) return true;
	return asked_for() != TSR_BY_MESH && (w->rounds || has_rounding_row(w)) &&
	       near_bytes(a, b);
}

/* the fn of the text; *nout: how many results it has */
static inline tsr_fn *fn_of(tsr_ctx *ctx, const written *w, int *nout)
{
	tsr_fn *f = tsr_parse(ctx, w->text);
	tsr_dims wrt = {.d = {0}};
	int n = 0;

	if (!w->derived) return f;
	for (int i = 0; i < w->ninputs; i++)
		if (*w->value[i].dtype == 'f') wrt.d[++n] = i;
	wrt.d[0] = n + 1;
	*nout = 1 + n;
	return tsr_value_and_grad(ctx, f, .wrt = wrt);
}

/* the devices of the mesh along one axis, from the last to the first, or as they are there */
static inline tsr_mesh *make_line(tsr_ctx *ctx, const tsr_mesh *mesh, bool back)
{
	const int64_t n = tsr_mesh_size(mesh);
	int64_t ids[8];

	for (int64_t k = 0; k < n; k++) ids[k] = tsr_mesh_device(mesh, back ? n - 1 - k : k);
	return tsr_mesh_make_devices(ctx, ids, (size_t)n, {"w", n});
}

/* now and then all results are pinned somewhere, and all operands are given up */
typedef struct wish {
	bool pins, donates;
	tsr_spec spec[VALUES];
	char entry[VALUES][NDIM][16];
} wish;

static inline tsr_fn *wished(tsr_fn *f, uint64_t *dice, const struct mesh_case *m,
                             const tsr_mesh *mesh, tsr *const *want, int nout, int nin, wish *to)
{
	tsr_jit_args args = {.size = sizeof args, .name = "wished"};

	*to = (wish){.pins = dice_below(dice, 4) == 0, .donates = dice_below(dice, 4) == 0};
	for (int i = 0; to->donates && i < nin; i++) args.donate.d[1 + i] = i;
	if (to->donates) args.donate.d[0] = 1 + nin;
	for (int j = 0; to->pins && j < nout; j++) {
		shape s = {.ndim = tsr_ndim(want[j])};
		for (int d = 0; d < s.ndim; d++) s.dim[d] = tsr_dim(want[j], d);
		to->spec[j] = draw_spec(dice, &s, m, to->entry[j]);
		args.out[j] = (tsr_specs){.count = 1, .leaf = &to->spec[j]};
		args.mesh = mesh;
	}
	return to->pins || to->donates
	               ? tsr_jit_at(TSR_HERE, tsr_ctx_of(want[0]), TSR_BODY(f), NULL, &args)
	               : f;
}

static inline void is_pinned(const wish *w, int j, const tsr *y, const tsr_mesh *mesh, int seed)
{
	const tsr_sharding *at = tsr_sharding_of(y);

	if (!w->pins || at == tsr_sharding_make(mesh, w->spec[j])) return;
	fail_msg("seed %d: result %d is at %s, and shall be at %s", seed, j, tsr_sharding_text(at),
	         tsr_sharding_text(tsr_sharding_make(mesh, w->spec[j])));
}

/* most operands on the mesh, and some on a line of the same devices, or nowhere */
static inline void place(tsr_ctx *ctx, uint64_t *dice, const written *w,
                         const struct mesh_case *m, tsr_mesh *mesh, tsr_arg *whole,
                         tsr_arg *placed)
{
	static const struct mesh_case line = {1, {1}, 0};
	tsr_mesh *other = make_line(ctx, mesh, dice_below(dice, 2));
	char entry[NDIM][16];

	for (int i = 0; i < w->ninputs; i++) {
		const shape *s = &w->value[i];
		tsr *x = input(ctx, s, i, w->more);
		whole[i] = TSR_ARG(x);
		placed[i] = whole[i];
		if (dice_below(dice, 5) == 0) continue;
		tsr *y = tsr_put(x, mesh, draw_spec(dice, s, m, entry));
		if (dice_below(dice, 6) == 0) {
			tsr_spec spec = draw_spec(dice, s, &line, entry);
			for (int d = 0; d < s->ndim; d++) spec.d[1 + d] = *entry[d] ? "w" : NULL;
			y = tsr_put(x, other, spec);
		}
		placed[i] = TSR_ARG(y);
	}
}

/* the library counts what the text of the per-device program says, where that has no loops */
static inline void costs_as_counted(tsr_fn *f, const tsr_arg *args, size_t n, int seed)
{
	const char *text = tsr_fn_compiled_text_at(TSR_HERE, f, args, n);
	tsr_costs c = {.size = sizeof c};

	assert_true(tsr_fn_costs_at(TSR_HERE, f, &c, args, n));
	if (strstr(text, "= scan ") || strstr(text, "= while ")) return;
	const double counted = strstr(text, " of (") ? counted_bytes(text) : 0;
	if (fabs(c.bytes - counted) > 1e-9 * counted)
		fail_msg("seed %d: %g bytes, and counted are %g in\n%s", seed, c.bytes, counted,
		         text);
}

static inline void try_program(tsr_ctx *ctx, const written *w, int nout, int seed)
{
	if (is_left_out()) return;
	TSR_SCOPE(ctx);
	uint64_t dice = (uint64_t)seed;
	const struct mesh_case *m = &meshes[dice_below(&dice, sizeof meshes / sizeof *meshes)];
	tsr_mesh *mesh = make_mesh(ctx, m);
	uint64_t wishes = (uint64_t)seed * 31;
	const written *spread = with_maps(constrained(w, &wishes, m), &wishes, m);
	tsr_fn *f = fn_of(ctx, w, &nout), *g = fn_of(ctx, spread, &nout), *h;
	tsr_arg whole[INPUTS], placed[INPUTS];
	tsr *want[VALUES] = {0}, *got[VALUES] = {0};
	tsr_out to_want[VALUES], to_got[VALUES];
	static wish to;

	if (tsr_status(ctx)) fail_msg("seed %d: %s in\n%s", seed, tsr_message(ctx), w->text);
	place(ctx, &dice, w, m, mesh, whole, placed);
	for (int j = 0; j < nout; j++) {
		to_want[j] = (tsr_out){.to = {.leaf = &want[j], .count = 1}};
		to_got[j] = (tsr_out){.to = {.leaf = &got[j], .count = 1}};
	}
	tsr_call_into_at(TSR_HERE, to_want, (size_t)nout, f, whole, (size_t)w->ninputs);
	if (tsr_status(ctx)) fail_msg("seed %d: %s in\n%s", seed, tsr_message(ctx), w->text);
	h = wished(g, &wishes, m, mesh, want, nout, w->ninputs, &to);
	costs_as_counted(h, placed, (size_t)w->ninputs, seed);
	tsr_call_into_at(TSR_HERE, to_got, (size_t)nout, h, placed, (size_t)w->ninputs);
	if (tsr_status(ctx))
		fail_msg("seed %d, mesh %s: %s in\n%s", seed, tsr_mesh_text(mesh), tsr_message(ctx),
		         spread->text);
	for (int j = 0; j < nout; j++) {
		is_pinned(&to, j, got[j], mesh, seed);
		if (same_values(w, want[j], got[j])) continue;
		const char *text = to.donates ? "its operands are gone"
		                              : tsr_fn_compiled_text_at(TSR_HERE, h, placed,
		                                                        (size_t)w->ninputs);
		fail_msg("seed %d, mesh %s: result %d differs in\n%s\nwhich became\n%s", seed,
		         tsr_mesh_text(mesh), j, spread->text, text);
	}
}

/* ---- a program on blocks, inside a map over the last axis of a mesh, which leaves the others */

typedef struct blockwise {
	tsr_fn *fn;
	int nin, nout;
} blockwise;

static inline void on_block(tsr_frame *frame)
{
	const blockwise *b = tsr_frame_env(frame);
	tsr *out[VALUES];
	tsr_arg in[INPUTS], all[VALUES];
	tsr_out to[VALUES];

	for (int i = 0; i < b->nin; i++)
		in[i] = TSR_ARG(tsr_squeeze(tsr_frame_arg(frame, (size_t)i), TSR_DIMS(0)));
	for (int j = 0; j < b->nout; j++)
		to[j] = (tsr_out){.to = {.leaf = &out[j], .count = 1}};
	memset(out, 0, sizeof out);
	tsr_call_into_at(TSR_HERE, to, (size_t)b->nout, b->fn, in, (size_t)b->nin);
	for (int j = 0; j < b->nout; j++)
		all[j] = TSR_ARG(tsr_expand_dims(out[j], TSR_DIMS(0)));
	tsr_return_at(TSR_HERE, frame, all, (size_t)b->nout);
}

static inline tsr_fn *over_blocks(tsr_mesh *mesh, const blockwise *b, const char *axis,
                                  bool unchecked)
{
	tsr_spec spec = {.n1 = 2, .d = {[1] = axis}};
	tsr_shard_map_args a = {.size = sizeof a, .env = b, .env_size = sizeof *b,
	                        .axes = axis, .unchecked = unchecked};

	for (int i = 0; i < b->nin; i++) a.in[i] = (tsr_specs){.count = 1, .leaf = &spec};
	for (int j = 0; j < b->nout; j++) a.out[j] = (tsr_specs){.count = 1, .leaf = &spec};
	return tsr_shard_map_at(TSR_HERE, mesh, TSR_BODY(on_block), "on_block", &a);
}

/* x, whose dim 0 has one block for each index along the axis, anywhere on the mesh, or nowhere */
static inline tsr *placed_blocks(uint64_t *dice, tsr *x, const shape *s, const struct mesh_case *m,
                                 tsr_mesh *mesh, const char *axis)
{
	char entry[NDIM][16];
	const tsr_spec one = draw_spec(dice, s, m, entry);
	tsr_spec spec = {.n1 = one.n1 + 1};

	if (dice_below(dice, 5) == 0) return x;
	for (int d = 0; d < s->ndim; d++) spec.d[2 + d] = one.d[1 + d];
	spec.d[1] = dice_below(dice, 3) ? axis : NULL;
	return tsr_put(x, mesh, spec);
}

/* of what placed_blocks() gives, a block, placed as that is but along the axis of the blocks */
static inline tsr *placed_block(tsr *whole, tsr *block)
{
	const tsr_sharding *at = tsr_sharding_of(whole);
	tsr_mesh *mesh = tsr_sharding_mesh(at);
	tsr_spec spec = tsr_sharding_spec(at);
	tsr *x = tsr_expand_dims(block, TSR_DIMS(0));

	if (spec.n1 > 1) spec.d[1] = NULL;
	return mesh ? tsr_put(x, mesh, spec) : x;
}

/* the most elements of it that a device holds */
static inline int64_t held(const tsr *x)
{
	const tsr_dims part = tsr_sharding_shard_shape(tsr_sharding_of(x), tsr_shape(x));
	int64_t n = 1;

	for (int d = 1; d < part.d[0]; d++) n *= part.d[d];
	return n;
}

/* a dim of one element, which an axis may cut, passes that on to none */
static inline bool has_thin_dim(const written *w)
{
	for (int i = 0; i < w->ninputs; i++)
		for (int d = 0; d < w->value[i].ndim; d++)
			if (w->value[i].dim[d] < 2) return true;
	return false;
}

/* Devices hold no more of the map's results than of those of its body on one block, outside of
 * maps. Other dims may be cut: there arguments stay where they are */
static inline void cut_alike(tsr_ctx *ctx, const blockwise *b, tsr_arg *in, tsr *const *got,
                             int seed)
{
	tsr *alone[VALUES] = {0};
	tsr_out to[VALUES];

	for (int j = 0; j < b->nout; j++) to[j] = (tsr_out){.to = {.leaf = &alone[j], .count = 1}};
	tsr_fn *f = tsr_jit(ctx, on_block, .env = b, .env_size = sizeof *b);
	tsr_call_into_at(TSR_HERE, to, (size_t)b->nout, f, in, (size_t)b->nin);
	if (tsr_status(ctx)) fail_msg("seed %d: %s alone", seed, tsr_message(ctx));
	for (int j = 0; j < b->nout; j++)
		if (held(got[j]) > held(alone[j]))
			fail_msg("seed %d: result %d is at %s, and alone at %s", seed, j,
			         tsr_sharding_text(tsr_sharding_of(got[j])),
			         tsr_sharding_text(tsr_sharding_of(alone[j])));
}

/* each block of the results is what the program makes of a block on one device */
static inline void try_in_map(tsr_ctx *ctx, const written *w, int nout, int seed)
{
	static const struct mesh_case cases[] = {{1, {2, 2}, 1},    {1, {4, 2}, 1},
	                                         {1, {3, 2}, 1},    {1, {2, 3}, 1},
	                                         {2, {2, 2, 2}, 1}, {2, {3, 1, 2}, 1}};
	if (is_left_out()) return;
	TSR_SCOPE(ctx);
	uint64_t dice = (uint64_t)seed * 17, wishes = (uint64_t)seed * 131;
	const struct mesh_case *m = &cases[dice_below(&dice, sizeof cases / sizeof *cases)];
	const char axis[] = {"xyz"[m->naxes], 0};
	const int n = (int)m->size[m->naxes];
	tsr_mesh *mesh = make_mesh(ctx, m);
	const written *spread = with_maps(constrained(w, &wishes, m), &wishes, m);
	tsr_fn *f = fn_of(ctx, w, &nout);
	const blockwise b = {fn_of(ctx, spread, &nout), w->ninputs, nout};
	tsr *want[VALUES][8] = {{0}}, *got[VALUES] = {0}, *block[INPUTS][8];
	tsr_arg in[INPUTS], alone[INPUTS];
	tsr_out to[VALUES];

	for (int k = 0; k < n; k++) {
		for (int i = 0; i < w->ninputs; i++)
			in[i] = TSR_ARG(block[i][k] = input(ctx, &w->value[i], i + 5 * k, w->more));
		for (int j = 0; j < nout; j++)
			to[j] = (tsr_out){.to = {.leaf = &want[j][k], .count = 1}};
		tsr_call_into_at(TSR_HERE, to, (size_t)nout, f, in, (size_t)w->ninputs);
	}
	for (int i = 0; i < w->ninputs; i++) {
		tsr *x = placed_blocks(&dice, tsr_stack_list(0, block[i], (size_t)n), &w->value[i],
		                       m, mesh, axis);
		in[i] = TSR_ARG(x);
		alone[i] = TSR_ARG(placed_block(x, block[i][0]));
	}
	for (int j = 0; j < nout; j++) to[j] = (tsr_out){.to = {.leaf = &got[j], .count = 1}};
	if (tsr_status(ctx)) fail_msg("seed %d: %s in\n%s", seed, tsr_message(ctx), w->text);
	tsr_fn *g = over_blocks(mesh, &b, axis, dice_below(&dice, 3) == 0);
	if (dice_below(&dice, 2)) g = tsr_jit(ctx, g);
	tsr_call_into_at(TSR_HERE, to, (size_t)nout, g, in, (size_t)w->ninputs);
	if (tsr_status(ctx))
		fail_msg("seed %d, mesh %s: %s in\n%s", seed, tsr_mesh_text(mesh), tsr_message(ctx),
		         spread->text);
	for (int j = 0; j < nout; j++)
		for (int k = 0; k < n; k++)
			if (!same_values(w, want[j][k], tsr_squeeze(tsr_slice(got[j], 0, k, k + 1),
			                                            TSR_DIMS(0))))
				fail_msg("seed %d, mesh %s: block %d of result %d differs in\n%s\n"
				         "which became\n%s",
				         seed, tsr_mesh_text(mesh), k, j, spread->text,
				         tsr_fn_compiled_text_at(TSR_HERE, g, in,
				                                 (size_t)w->ninputs));
	if (!has_thin_dim(w)) cut_alike(ctx, &b, alone, got, seed);
}

/* ---- what rows are */

/* rows of maps, and constraints, which test_constrain.c has */
static inline bool names_axes(const tsr_prim *p)
{
	for (const field *f = p->params; f && f->name; f++)
		if (f->kind == FIELD_AXES || f->kind == FIELD_SPECS) return true;
	return false;
}

static inline bool is_elementwise(const tsr_prim *p)
{
	return p->flags & PRIM_ELEMENTWISE && !p->params && p->nin >= 1 && p->nin <= 3;
}

/* has it a derivative that is not 0? */
static inline bool needs_gradient(const tsr_prim *p)
{
	return p->jvp && p->jvp != jvp_zero && p->eval && p->nin && !names_axes(p);
}

/* ---- an equation: operands "i32[8,4]; i32[]", results */

typedef struct one {
	const char *operands, *equation, *results;
} one;

static inline bool is_case_of(const one *c, const tsr_prim *p)
{
	const size_t length = strlen(p->name);

	return strncmp(c->equation, p->name, length) == 0 && c->equation[length] == ' ';
}

/* the types of a list "i32[8]; f32[]", and how many */
static inline int read_shapes(const char *list, shape *to)
{
	int n = 0;

	for (const char *at = list; at && *at; at = strchr(at, ';'), at += at ? 2 : 0)
		to[n++] = read_shape(at);
	return n;
}

static inline int write_case(written *w, const one *c)
{
	shape out[4];
	const int nout = read_shapes(c->results, out);

	w->derived = w->rounds = false;
	w->n = 0;
	w->ninputs = read_shapes(c->operands, w->value);
	put_signature(w, out, nout);
	put(w, " {\n  ");
	for (int j = 0; j < nout; j++) {
		put(w, "%s%%%d: ", j ? ", " : "", w->ninputs + j);
		put_type(w, &out[j]);
	}
	put(w, " = %s\n  return", c->equation);
	for (int j = 0; j < nout; j++) put(w, " %%%d", w->ninputs + j);
	put(w, "\n}\n");
	return nout;
}

static inline void put_dims(written *w, const char *name, int n)
{
	put(w, " %s=[", name);
	for (int d = 0; d < n; d++) put(w, "%s%d", d ? "," : "", d);
	put(w, "]");
}

/* the sum of its first result, weighted with one more input; of a complex one, of the real part */
static inline void write_loss(written *w, const one *c)
{
	const shape loss = {.dtype = "f32"};
	shape out[4];
	const int n = read_shapes(c->operands, w->value), nout = read_shapes(c->results, out);
	int last = n + 1 + nout;

	w->derived = true;
	w->rounds = false;
	w->n = 0;
	w->ninputs = n + 1;
	w->value[n] = out[0];
	put_signature(w, &loss, 1);
	put(w, " {\n  ");
	for (int j = 0; j < nout; j++) {
		put(w, "%s%%%d: ", j ? ", " : "", n + 1 + j);
		put_type(w, &out[j]);
	}
	put(w, " = %s\n  %%%d: ", c->equation, last);
	put_type(w, &out[0]);
	put(w, " = mul %%%d %%%d\n", n + 1, n);
	if (*out[0].dtype == 'c') {
		out[0].dtype = "f32";
		put(w, "  %%%d: ", last + 1);
		put_type(w, &out[0]);
		put(w, " = real %%%d\n", last++);
	}
	put(w, "  %%%d: f32[] = reduce_sum %%%d", last + 1, last);
	put_dims(w, "dims", out[0].ndim);
	put(w, "\n  return %%%d\n}\n", last + 1);
}

#endif
