/* placed_rig.h - programs as text, on operands that are spread over a mesh at random, against the
 * same on one device, bit for bit: whole numbers, so that sums are exact in any order. In what is
 * spread, copies are constraints to some sharding, and every second neg is a map. */
#ifndef TSR_TESTS_SPMD_PLACED_RIG_H
#define TSR_TESTS_SPMD_PLACED_RIG_H
#include "prim/prim.h"
#include "support/draws.h"
#include "support/recipe_draw.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

enum { NDIM = 6, VALUES = 24, INPUTS = 5 };

/* ---- a program, as text, and its inputs */

typedef struct shape {
	int ndim;
	int64_t dim[NDIM];
	const char *dtype;
} shape;

typedef struct written {
	char text[1 << 15];
	size_t n;
	shape value[VALUES];
	int nvalues, ninputs;
	int more;     /* is added to all inputs, which otherwise are from -1 to 4 */
	bool derived; /* what is called is the loss and its gradients by the inputs of f32 */
	bool rounds;  /* some result is no whole number */
} written;

static inline void put(written *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	w->n += (size_t)vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
	va_end(args);
	assert_true(w->n < sizeof w->text);
}

static inline void put_type(written *w, const shape *s)
{
	put(w, "%s[", s->dtype);
	for (int d = 0; d < s->ndim; d++) put(w, "%s%lld", d ? "," : "", (long long)s->dim[d]);
	put(w, "]");
}

/* f(%0: i32[8,4]) -> i32[32] */
static inline void put_signature(written *w, const shape *out, int nout)
{
	put(w, "f(");
	for (int i = 0; i < w->ninputs; i++) {
		put(w, "%s%%%d: ", i ? ", " : "", i);
		put_type(w, &w->value[i]);
	}
	put(w, ") -> ");
	for (int j = 0; j < nout; j++) {
		put(w, j ? ", " : "");
		put_type(w, &out[j]);
	}
}

/* "i32[6,4]" */
static inline shape read_shape(const char *text)
{
	shape s = {0};

	for (tsr_dtype d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++) {
		const char *name = tsr_dtype_name(d);
		const size_t n = strlen(name);
		if (strncmp(text, name, n) == 0 && text[n] == '[') s.dtype = name;
	}
	assert_non_null(s.dtype);
	for (const char *at = strchr(text, '[') + 1; *at != ']'; at += *at == ',')
		s.dim[s.ndim++] = strtoll(at, (char **)&at, 10);
	return s;
}

static inline tsr_dims dims_of(const shape *s)
{
	tsr_dims dims = {{1 + s->ndim}};

	for (int d = 0; d < s->ndim; d++) dims.d[1 + d] = s->dim[d];
	return dims;
}

static inline tsr_dtype dtype_of(const shape *s)
{
	tsr_dtype d = TSR_BOOL;

	while (strcmp(s->dtype, tsr_dtype_name(d)) != 0) d++;
	return d;
}

/* small whole numbers */
static inline tsr *input(tsr_ctx *ctx, const shape *s, int which, int more)
{
	int64_t n = 1;
	static int32_t v[1 << 14];

	for (int d = 0; d < s->ndim; d++) n *= s->dim[d];
	assert_true(n <= 1 << 14);
	for (int64_t i = 0; i < n; i++)
		v[i] = (int32_t)((i * 7 + which * 3 + i / 5) % 5) - !which + more;
	return tsr_astype(tsr_from(ctx, v, TSR_I32, dims_of(s)), dtype_of(s));
}

/* ---- meshes and placements */

static const struct mesh_case {
	int naxes;
	int64_t size[3];
} meshes[] = {{1, {2}},    {1, {4}},    {1, {8}},       {2, {2, 2}}, {2, {4, 2}}, {3, {2, 2, 2}},
              {1, {3}},    {1, {6}},    {2, {3, 2}},    {2, {1, 4}}, {3, {2, 1, 3}}};

static inline tsr_mesh *make_mesh(tsr_ctx *ctx, const struct mesh_case *m)
{
	switch (m->naxes) {
	case 1: return tsr_mesh_make(ctx, {"x", m->size[0]});
	case 2: return tsr_mesh_make(ctx, {"x", m->size[0]}, {"y", m->size[1]});
	default: return tsr_mesh_make(ctx, {"x", m->size[0]}, {"y", m->size[1]}, {"z", m->size[2]});
	}
}

/* the text of a spec, such as "[x*y,-]" */
static inline tsr_spec draw_spec(uint64_t *dice, const shape *s, const struct mesh_case *m,
                                 char entry[NDIM][16])
{
	tsr_spec spec = {.n1 = 1 + s->ndim};

	for (int d = 0; d < s->ndim; d++) *entry[d] = 0;
	for (int k = 0, first = dice_below(dice, 3); k < m->naxes; k++) {
		const int a = (first + k) % m->naxes, d = dice_below(dice, s->ndim + 1);
		if (d == s->ndim) continue;
		if (*entry[d]) strcat(entry[d], "*");
		strncat(entry[d], &"xyz"[a], 1);
	}
	for (int d = 0; d < s->ndim; d++) spec.d[1 + d] = *entry[d] ? entry[d] : NULL;
	return spec;
}

static inline void put_mesh(written *w, const struct mesh_case *m)
{
	put(w, "mesh=(");
	for (int a = 0; a < m->naxes; a++)
		put(w, "%s%c:%lld", a ? "," : "", "xyz"[a], (long long)m->size[a]);
	put(w, ")");
}

static inline void put_spec(written *w, const shape *s, char entry[NDIM][16])
{
	put(w, "[");
	for (int d = 0; d < s->ndim; d++)
		put(w, "%s%s", d ? "," : "", *entry[d] ? entry[d] : "-");
	put(w, "]");
}

/* "mesh=(x:4,y:2) to=[[x,-]] open=[1]"; now and then over one axis of the same devices */
static inline void put_constraint(written *w, uint64_t *dice, const shape *s,
                                  const struct mesh_case *m)
{
	struct mesh_case line = {1, {1}};
	char entry[NDIM][16];
	const char *comma = "";

	for (int a = 0; a < m->naxes; a++) line.size[0] *= m->size[a];
	if (dice_below(dice, 6) == 0) m = &line;
	draw_spec(dice, s, m, entry);
	put_mesh(w, m);
	put(w, " to=[");
	put_spec(w, s, entry);
	put(w, "] open=[");
	for (int d = 0; d < s->ndim; d++)
		if (!*entry[d] && dice_below(dice, 2)) {
			put(w, "%s%d", comma, d);
			comma = ",";
		}
	put(w, "]");
}

/* the same program, where each copy, "%3: i32[8,4] = copy %1", is wished somewhere */
static inline const written *constrained(const written *w, uint64_t *dice,
                                         const struct mesh_case *m)
{
	static const char copy[] = " = copy ";
	static written to;
	const char *from = w->text;

	to = *w;
	to.n = 0;
	for (const char *at; (at = strstr(from, copy)); from = at) {
		const char *type = at;
		while (type[-1] != ' ') type--;
		const shape s = read_shape(type);
		at += strlen(copy);
		const int operand = (int)strspn(at, "%0123456789");
		put(&to, "%.*s = sharding_constraint %.*s ", (int)(at - strlen(copy) - from), from,
		    operand, at);
		put_constraint(&to, dice, &s, m);
		at += operand;
	}
	put(&to, "%s", from);
	return &to;
}

/* ---- maps: what an equation does to each element, done on blocks */

static inline int64_t parts_of(const struct mesh_case *m, const char *entry)
{
	int64_t n = 1;

	for (const char *at = entry; *at; at++)
		if (*at != '*') n *= m->size[*at - 'x'];
	return n;
}

/* "i32[2,4]{x}": the type of a block */
static inline void put_block(written *w, const shape *s, const struct mesh_case *m,
                             char entry[NDIM][16])
{
	char varying[8] = "";
	shape block = *s;

	for (int a = 0; a < m->naxes; a++)
		for (int d = 0; d < s->ndim; d++) {
			if (!strchr(entry[d], "xyz"[a])) continue;
			strcat(varying, *varying ? "," : "");
			strncat(varying, &"xyz"[a], 1);
		}
	for (int d = 0; d < s->ndim; d++) block.dim[d] /= parts_of(m, entry[d]);
	put_type(w, &block);
	if (*varying) put(w, "{%s}", varying);
}

/* "ppermute %0 axes=(x) perm=[0>1,1>0]": each block to its neighbour, or back */
static inline void put_turn(written *w, const struct mesh_case *m, char axis, int of, int by)
{
	const int n = (int)m->size[axis - 'x'];

	put(w, "ppermute %%%d axes=(%c) perm=[", of, axis);
	for (int k = 0; k < n; k++) put(w, "%s%d>%d", k ? "," : "", k, (k + n + by) % n);
	put(w, "]");
}

/* operand: "%3". The blocks go round along an axis and back, or are gathered along a dim, so that
 * the map gives them elsewhere than it takes them */
static inline void put_map(written *w, uint64_t *dice, const shape *s, const struct mesh_case *m,
                           const char *operand, int length)
{
	char in[NDIM][16], out[NDIM][16];
	int dim = -1;

	draw_spec(dice, s, m, in);
	for (int d = 0; d < s->ndim; d++) {
		if (s->dim[d] % parts_of(m, in[d])) *in[d] = 0;
		if (*in[d] && (dim < 0 || dice_below(dice, 2))) dim = d;
	}
	memcpy(out, in, sizeof out);
	const bool gathers = dim >= 0 && !in[dim][1] && dice_below(dice, 2);
	if (gathers) *out[dim] = 0;
	put(w, "shard_map %.*s ", length, operand);
	put_mesh(w, m);
	put(w, " axes=(%s) in=[", m->naxes == 1 ? "x" : m->naxes == 2 ? "x,y" : "x,y,z");
	put_spec(w, s, in);
	put(w, "] out=[");
	put_spec(w, s, out);
	put(w, "] body=(%%0: ");
	put_block(w, s, m, in);
	put(w, ") -> ");
	put_block(w, s, m, out);
	put(w, " {\n  %%1: ");
	put_block(w, s, m, in);
	put(w, " = neg %%0\n");
	for (int k = 2; dim >= 0 && k < 4 - gathers; k++) {
		put(w, "  %%%d: ", k);
		put_block(w, s, m, out);
		put(w, " = ");
		if (gathers)
			put(w, "all_gather %%1 axes=(%s) dim=%d tiled=true to=invarying", in[dim],
			    dim);
		else
			put_turn(w, m, *in[dim], k - 1, k == 2 ? 1 : -1);
		put(w, "\n");
	}
	put(w, "  return %%%d\n}", dim < 0 ? 1 : 3 - gathers);
}

/* the same program, where every second "%3: i32[8,4] = neg %1" is a map */
static inline const written *with_maps(const written *w, uint64_t *dice, const struct mesh_case *m)
{
	static const char neg[] = " = neg ";
	static written to;
	const char *from = w->text;

	to = *w;
	to.n = 0;
	for (const char *at, *begin = from; (at = strstr(begin, neg));) {
		const char *type = at;
		begin = at + strlen(neg);
		if (dice_below(dice, 2)) continue;
		while (type[-1] != ' ') type--;
		const shape s = read_shape(type);
		const int operand = (int)strspn(begin, "%0123456789");
		put(&to, "%.*s = ", (int)(at - from), from);
		put_map(&to, dice, &s, m, begin, operand);
		from = begin += operand;
	}
	put(&to, "%s", from);
	return &to;
}

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

static inline bool same_values(const written *w, tsr *a, tsr *b)
{
	return same_bytes(a, b) || ((w->rounds || has_rounding_row(w)) && near_bytes(a, b));
}

static inline void silent(void *user, int level, const char *text)
{
	(void)user, (void)level, (void)text;
}

/* the fn of the text; *nout: how many results it has */
static inline tsr_fn *fn_of(tsr_ctx *ctx, const written *w, int *nout)
{
	tsr_fn *f = tsr_parse(ctx, w->text);
	tsr_dims wrt = {{0}};
	int n = 0;

	if (!w->derived) return f;
	for (int i = 0; i < w->ninputs; i++)
		if (*w->value[i].dtype == 'f') wrt.d[++n] = i;
	wrt.d[0] = n + 1;
	*nout = 1 + n;
	return tsr_value_and_grad(ctx, f, .wrt = wrt);
}

/* the devices of the mesh from the last to the first, along one axis */
static inline tsr_mesh *make_line(tsr_ctx *ctx, const tsr_mesh *mesh)
{
	const int64_t n = tsr_mesh_size(mesh);
	int64_t ids[8];

	for (int64_t k = 0; k < n; k++) ids[k] = tsr_mesh_device(mesh, n - 1 - k);
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
		args.out[j] = (tsr_specs){1, &to->spec[j]};
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
	static const struct mesh_case line = {1, {1}};
	tsr_mesh *other = make_line(ctx, mesh);
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

static inline void try_program(tsr_ctx *ctx, const written *w, int nout, int seed)
{
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
		to_want[j] = (tsr_out){.to = {&want[j], 1, NULL}};
		to_got[j] = (tsr_out){.to = {&got[j], 1, NULL}};
	}
	tsr_call_into_at(TSR_HERE, to_want, (size_t)nout, f, whole, (size_t)w->ninputs);
	if (tsr_status(ctx)) fail_msg("seed %d: %s in\n%s", seed, tsr_message(ctx), w->text);
	h = wished(g, &wishes, m, mesh, want, nout, w->ninputs, &to);
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

/* ---- which rows were tried */

static bool tried[512]; /* of all_prims */

static inline void note_row(const char *equation)
{
	const size_t length = strcspn(equation, " ");

	for (int k = 0; k < all_prims_count; k++)
		if (strlen(all_prims[k]->name) == length &&
		    memcmp(all_prims[k]->name, equation, length) == 0)
			tried[k] = true;
}

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

/* ---- an equation: operands "i32[8,4]; i32[]", results */

typedef struct one {
	const char *operands, *equation, *results;
} one;

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

/* the sum of its first result, weighted with one more input */
static inline void write_loss(written *w, const one *c)
{
	const shape loss = {.dtype = "f32"};
	shape out[4];
	const int n = read_shapes(c->operands, w->value), nout = read_shapes(c->results, out);
	const int weighted = n + 1 + nout;

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
	put(w, " = %s\n  %%%d: ", c->equation, weighted);
	put_type(w, &out[0]);
	put(w, " = mul %%%d %%%d\n  %%%d: f32[] = reduce_sum %%%d", n + 1, n, weighted + 1,
	    weighted);
	put_dims(w, "dims", out[0].ndim);
	put(w, "\n  return %%%d\n}\n", weighted + 1);
}

#endif
