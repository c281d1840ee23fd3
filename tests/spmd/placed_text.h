/* placed_text.h - programs as text, their inputs, meshes that they are spread over; and the same
 * programs with constraints and maps put in at random. */
#ifndef TSR_TESTS_SPMD_PLACED_TEXT_H
#define TSR_TESTS_SPMD_PLACED_TEXT_H
#include "support/draws.h"
#include "support/recipe_draw.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
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
	tsr_dims dims = {.d = {1 + s->ndim}};

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
	int manual; /* axes behind these, which a map around the program has made manual */
} meshes[] = {{1, {2}, 0},    {1, {4}, 0},       {1, {8}, 0},    {2, {2, 2}, 0},
              {2, {4, 2}, 0}, {3, {2, 2, 2}, 0}, {1, {3}, 0},    {1, {6}, 0},
              {2, {3, 2}, 0}, {2, {1, 4}, 0}, {3, {2, 1, 3}, 0}};

static inline tsr_mesh *make_mesh(tsr_ctx *ctx, const struct mesh_case *m)
{
	switch (m->naxes + m->manual) {
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
	for (int a = 0; a < m->naxes + m->manual; a++)
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
	struct mesh_case line = {1, {1}, 0};
	char entry[NDIM][16];
	const char *comma = "";

	for (int a = 0; a < m->naxes; a++) line.size[0] *= m->size[a];
	if (!m->manual && dice_below(dice, 6) == 0) m = &line;
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

/* " axes=(x,z)": the axes that specs name, and some of the others; the map leaves the rest */
static inline void put_manual(written *w, uint64_t *dice, const struct mesh_case *m,
                              const shape *s, char entry[NDIM][16])
{
	const char *comma = "";

	put(w, " axes=(");
	for (int a = 0; a < m->naxes; a++) {
		bool named = false;
		for (int d = 0; d < s->ndim; d++)
			named = named || strchr(entry[d], "xyz"[a]);
		if (!named && (*comma || a + 1 < m->naxes) && dice_below(dice, 2)) continue;
		put(w, "%s%c", comma, "xyz"[a]);
		comma = ",";
	}
	put(w, ")");
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
	put_manual(w, dice, m, s, in);
	put(w, " in=[");
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

#endif
