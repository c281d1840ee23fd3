/* make.c - makes the fns of tsr_jit, tsr_shard_map and programs given as text, of keywords.
 *
 * Example:
 *
 *     tsr_fn *a = tsr_jit(ctx, layer), *b = tsr_jit(ctx, chosen[0]);
 *
 * C does not tell the name of a function, so the macro passes the text of its call, and a name is
 * read from that. Where the body is no plain name, the fn has none of its own:
 *
 *     layer, fn */
#include <ctype.h>
#include <stdio.h>
#include "trace/trace.h"

/* ---- names: given, or the body's as it is in the text of the macro call, "ctx, matmul, .name =
 * ..." */

/* behind the next comma that is in no parentheses; NULL: there is none */
static const char *next_argument(const char *at)
{
	for (int depth = 0; *at; at++) {
		depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
		if (*at == ',' && !depth) return at + 1;
	}
	return NULL;
}

const char *name_in_call(const char *call, int argument, char *room, size_t size)
{
	const char *at = call;

	for (int i = 0; at && i < argument; i++) at = next_argument(at);
	if (!at) return NULL;
	while (isspace((unsigned char)*at)) at++;
	size_t n = 0;
	while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
	const char *end = at + n;
	while (isspace((unsigned char)*end)) end++;
	if (!n || isdigit((unsigned char)*at) || (*end && *end != ',') || n >= size) return NULL;
	memcpy(room, at, n);
	room[n] = 0;
	return room;
}

const char *fn_name_of(const fn *key, const char *given, const char *call, char *room, size_t size)
{
	if (given) return given;
	if (key->body.fn) return key->body.fn->name;
	const char *name = name_in_call(call, 1, room, size);
	return name ? name : "fn";
}

static bool body_read(fn *key, const call_site *s, const tsr_body *b)
{
	if (b->fn) {
		key->body.form = -1;
		key->body.fn = fn_of(s->where, s->op, b->fn);
		return key->body.fn &&
		       (key->body.fn->ctx == s->ctx ||
		        fail_op(s, TSR_ERROR_ARGUMENT, "the fn belongs to another context"));
	}
	const bool known = (b->form >= TSR_FORM_CTX && b->form <= TSR_FORM_4) ||
	                   (b->form >= TSR_FORM_TREE_0 && b->form <= TSR_FORM_TREE_3) ||
	                   b->form == TSR_FORM_FRAME;
	key->body.form = b->form;
	key->body.raw = b->raw;
	return (known && b->raw) ||
	       fail_op(s, TSR_ERROR_ARGUMENT, "the body is NULL or of an unknown form");
}

bool fn_head(fn *key, const call_site *s, tsr_body body, fn_keywords k)
{
	*key = (fn){.env = k.env,
	            .env_size = k.env_size,
	            .env_release = k.env_release,
	            .env_mask = k.env_mask,
	            .captures = k.captures};
	if (!body_read(key, s, &body)) return false;
	if (!k.env != !k.env_size)
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               ".env and .env_size go together; TSR_ENV(&record) gives both");
	if (k.env_release && !k.env)
		return fail_op(s, TSR_ERROR_ARGUMENT,
		               "there is an .env_release, and no .env for it");
	if (k.captures.count && !k.captures.leaf)
		return fail_op(s, TSR_ERROR_ARGUMENT, ".captures has %zu leaves and no slots",
		               k.captures.count);
	/* a fn whose body is a fn takes over its captures, so that they are inputs of both */
	if (key->body.fn && !k.captures.count) key->captures = key->body.fn->captures;
	return tree_type_ok(s, k.captures.type);
}

/* ---- specs */

typedef struct reader {
	call_site site;
	bool optional; /* what is not given stays so */
	const mesh *mesh;
	arena *scratch;
} reader;

static bool take_room(const reader *r, const spec_room *from, const sharding **out, spec *given)
{
	const size_t ndim = (size_t)from->ndim, n = (size_t)from->start[ndim];
	int *start = arena_copy(r->scratch, from->start, (ndim + 1) * sizeof *start);
	int *axis = arena_copy(r->scratch, from->axis, n * sizeof *axis);

	if (!start || !axis) return false;
	*given = (spec){from->ndim, start, axis};
	return (*out = sharding_of_room(&r->site.ctx->shards, r->mesh, from)) != NULL;
}

/* "in_specs[2]"; of a tree, which leaf too */
static void spec_name(char *out, size_t size, const char *side, int arg, int64_t k, int64_t n)
{
	if (n > 1)
		snprintf(out, size, "%s[%d] (leaf %lld)", side, arg, (long long)k);
	else
		snprintf(out, size, "%s[%d]", side, arg);
}

static bool read_arg(const reader *r, const char *side, int arg, const tsr_specs *from,
                     arg_specs *to)
{
	const sharding **leaf_of = arena_array(r->scratch, (size_t)from->count, sizeof *leaf_of);
	spec *given = arena_array(r->scratch, (size_t)from->count, sizeof *given);
	char what[80];

	if (!from->leaf || from->count > INT32_MAX)
		return fail_op(&r->site, TSR_ERROR_ARGUMENT,
		               "%s[%d] has a count and no list of specs", side, arg);
	if (!leaf_of || !given) return false;
	for (int64_t k = 0; k < from->count; k++) {
		spec_room room;
		spec_name(what, sizeof what, side, arg, k, from->count);
		if (!spec_read(&r->site.ctx->base, r->site.where, what, r->mesh, &from->leaf[k],
		               &room) ||
		    !take_room(r, &room, &leaf_of[k], &given[k]))
			return false;
		if (r->optional && !from->leaf[k].n1) leaf_of[k] = NULL;
	}
	*to = (arg_specs){(int)from->count, leaf_of, given};
	return true;
}

static bool read_specs(const reader *r, const char *side, const tsr_specs *from, arg_specs *to,
                       int *n)
{
	for (int i = *n = 0; i < TSR_MAX_ARGS && (from[i].count > 0 || r->optional); i++) {
		if (from[i].count <= 0) continue;
		if (!read_arg(r, side, i, &from[i], &to[i])) return false;
		*n = i + 1;
	}
	return true;
}

/* ---- jit */

static bool any_given(const tsr_specs *s)
{
	for (int i = 0; i < TSR_MAX_ARGS; i++)
		if (s[i].count) return true;
	return false;
}

static bool read_pins(const reader *r, const tsr_jit_args *a, fn_map *m)
{
	if (!a->mesh && !any_given(a->in) && !any_given(a->out)) return true;
	if (!r->mesh)
		return fail_op(
			&r->site, TSR_ERROR_ARGUMENT,
			".in and .out are specs over .mesh, which is not given, and no mesh is in "
			"use: name one, or declare TSR_MESH(mesh) in a block around the call");
	if (!mesh_ok(r->site.where, "jit", r->mesh)) return false;
	if (r->mesh->ctx != r->site.ctx)
		return fail_op(&r->site, TSR_ERROR_ARGUMENT, ".mesh belongs to another context");
	m->mesh = r->mesh;
	return read_specs(r, ".in", a->in, m->in, &m->nin) &&
	       read_specs(r, ".out", a->out, m->out, &m->nout);
}

tsr_fn *tsr_jit_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                   const tsr_jit_args *given)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_jit_args *a = KEYWORDS(tsr_jit_args, where, ctx, given);
	if (!a) return fn_poison(ctx);
	const call_site site = {ctx, where, "jit"};
	char room[256];
	fn key;

	if (!ctx_ok(where, "jit", ctx)) return fn_poison(ctx);
	if (!fn_head(&key, &site, body, FN_KEYWORDS(a))) return fn_poison(ctx);
	key.kind = FN_JIT;
	if (!donate_read(&site, &a->donate, &key.donate)) return fn_poison(ctx);
	key.name = fn_name_of(&key, a->name, text, room, sizeof room);
	arena *scratch = arena_make(&ctx->base);
	const reader r = {site, true, mesh_meant(ctx, a->mesh), scratch};
	fn *made = scratch && read_pins(&r, a, &key.map) ? fn_intern(ctx, &key) : NULL;
	arena_free(scratch);
	return fn_give(ctx, made);
}

/* ---- shard_map */

static bool specs_of_rooms(const reader *r, const spec_room *room, int n, arg_specs *to)
{
	for (int i = 0; i < n; i++) {
		const sharding **leaf_of = arena_array(r->scratch, 1, sizeof *leaf_of);
		spec *given = arena_array(r->scratch, 1, sizeof *given);
		if (!leaf_of || !given || !take_room(r, &room[i], leaf_of, given)) return false;
		to[i] = (arg_specs){1, leaf_of, given};
	}
	return true;
}

static bool read_sig(const reader *r, const char *sig, fn_map *m)
{
	size_t most = 1; /* as many specs as have a beginning */
	for (const char *at = sig; *at; at++) most += *at == '[';
	if (most > TSR_MAX_ARGS) most = TSR_MAX_ARGS;
	spec_room *in = arena_array(r->scratch, most, sizeof *in),
		  *out = arena_array(r->scratch, most, sizeof *out);

	return in && out &&
	       sig_read(&r->site.ctx->base, r->site.where, r->mesh, sig, in, &m->nin, out, &m->nout,
	                TSR_MAX_ARGS) &&
	       specs_of_rooms(r, in, m->nin, m->in) && specs_of_rooms(r, out, m->nout, m->out);
}

static bool read_all_specs(const reader *r, const tsr_shard_map_args *a, fn_map *m)
{
	if (a->sig && (a->in[0].count || a->out[0].count))
		return fail_op(&r->site, TSR_ERROR_ARGUMENT,
		               "give .sig, or .in and .out, not both");
	if (a->sig) return read_sig(r, a->sig, m);
	if (!a->out[0].count)
		return fail_op(&r->site, TSR_ERROR_ARGUMENT,
		               "neither .sig nor .out is given: say how the results are put "
		               "together, .out = TSR_SPECS(TSR_P(\"x\"))");
	return read_specs(r, ".in", a->in, m->in, &m->nin) &&
	       read_specs(r, ".out", a->out, m->out, &m->nout);
}

/* "x*y" as a set of mesh axes; NULL: 0, all that are not manual yet */
static bool read_manual(const reader *r, const char *axes, axis_set *out)
{
	const tsr_spec as_entry = {.n1 = 2, .d = {NULL, axes}};
	spec_room room;

	*out = 0;
	if (!axes) return true;
	if (!spec_read(&r->site.ctx->base, r->site.where, ".axes of shard_map", r->mesh, &as_entry,
	               &room))
		return false;
	for (int i = 0; i < room.start[1]; i++) *out |= axis_bit(room.axis[i]);
	return *out || fail_op(&r->site, TSR_ERROR_ARGUMENT, ".axes names no axis");
}

static fn *map_make(const reader *r, tsr_body body, const char *text,
                        const tsr_shard_map_args *a)
{
	char room[256];
	fn key;
	const bool failed_before = failed(&r->site.ctx->base);

	if (!fn_head(&key, &r->site, body, FN_KEYWORDS(a))) return NULL;
	key.kind = FN_SHARD_MAP;
	key.map.mesh = r->mesh;
	key.map.unchecked = a->unchecked;
	key.name = fn_name_of(&key, a->name, text, room, sizeof room);
	if (!read_all_specs(r, a, &key.map) || !read_manual(r, a->axes, &key.map.manual)) {
		if (!failed_before)
			fail_note(&r->site.ctx->base, "in tsr_shard_map of %s", key.name);
		return NULL;
	}
	return fn_intern(r->site.ctx, &key);
}

tsr_fn *tsr_shard_map_at(const char *where, tsr_mesh *m, tsr_body body, const char *text,
                         const tsr_shard_map_args *given)
{
	const mesh *over = mesh_meant(NULL, m);
	tsr_ctx *ctx = tsr_mesh_ctx(over);
	TURN_OF(ctx, where, fn_poison(ctx));
	const tsr_shard_map_args *a = KEYWORDS(tsr_shard_map_args, where, ctx, given);

	if (!a || !mesh_found(where, "shard_map", NULL, over)) return fn_poison(ctx);
	arena *scratch = arena_make(&ctx->base);
	const reader r = {{ctx, where, "shard_map"}, false, over, scratch};
	fn *made = scratch ? map_make(&r, body, text, a) : NULL;
	arena_free(scratch);
	return fn_give(ctx, made);
}

/* ---- programs given as text */

/* takes the reference */
static tsr_fn *fn_of_program(tsr_ctx *ctx, program *p)
{
	if (!p) return fn_poison(ctx);
	const char *name = p->name ? p->name : "program";
	fn key = {.kind = FN_TEXT, .name = name, .given = {.program = p}};
	fn *made = fn_intern(ctx, &key);
	program_release(p);
	return fn_give(ctx, made);
}

tsr_fn *tsr_parse_at(const char *where, tsr_ctx *ctx, const char *text)
{
	TURN_OF(ctx, where, fn_poison(ctx));
	if (!ctx_ok(where, "parse", ctx)) return fn_poison(ctx);
	if (text) return fn_of_program(ctx, program_parse(&ctx->ir, where, text, strlen(text)));
	fail(&ctx->base, where, TSR_ERROR_ARGUMENT, "parse: the text is NULL");
	return fn_poison(ctx);
}

/* NULL: another kind of fn, which is recorded */
static fn *text_given(const char *where, const char *op, const char *instead, const tsr_fn *h)
{
	fn *fn = fn_of(where, op, h);

	if (!fn || fn->kind == FN_TEXT) return fn;
	fail(&fn->ctx->base, where, TSR_ERROR_ARGUMENT,
	     "%s: %s was not made from a text; tsr_%s(fn, arguments) gives the program of a call",
	     op, fn->name, instead);
	return NULL;
}

const char *tsr_program_text_at(const char *where, const tsr_fn *h)
{
	TURN_OF(tsr_fn_ctx(h), where, "");
	fn *fn = text_given(where, "program_text", "fn_text", h);

	if (!fn) return "";
	str s = {.base = &fn->ctx->base};
	if (!fn->printed) program_print(&s, fn->given.program, PRINT_WHERE);
	if (s.s && !s.lost) fn->printed = arena_str(fn->arena, s.s);
	str_free(&s);
	return fn->printed ? fn->printed : "";
}

const char *tsr_program_graph_at(const char *where, const tsr_fn *h)
{
	TURN_OF(tsr_fn_ctx(h), where, "");
	const fn *fn = text_given(where, "program_graph", "fn_graph", h);

	if (!fn) return "";
	str s = {.base = &fn->ctx->base};
	const char *text = program_graph(&s, fn->given.program) ? scope_text(fn->ctx, &s) : "";
	str_free(&s);
	return text;
}

tsr_fn *tsr_program_pass_at(const char *where, tsr_fn *h, const char *pass)
{
	TURN_OF(tsr_fn_ctx(h), where, fn_poison(tsr_fn_ctx(h)));
	const fn *fn = fn_of(where, "program_pass", h);

	if (!fn) return fn_poison(tsr_fn_ctx(h));
	tsr_ctx *ctx = fn->ctx;
	if (fn->kind != FN_TEXT || !pass) {
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		     pass ? "program_pass: %s was not made from a text"
			  : "program_pass: no pass is named for %s",
		     fn->name);
		return fn_poison(ctx);
	}
	return fn_of_program(ctx, pass_named(fn->given.program, where, pass));
}

size_t tsr_program_results(const tsr_fn *h)
{
	const fn *fn = fn_of_handle(h);

	return fn && fn->kind == FN_TEXT ? (size_t)fn->given.program->nout : 0;
}
