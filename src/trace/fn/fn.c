/* fn.c - makes fns: a body with its options, interned, so that making one inside a loop is a
 * look-up.
 *
 * Example:
 *
 *     tsr_fn *a = tsr_jit(ctx, tsr_sin), *b = tsr_jit(ctx, tsr_sin);
 *     tsr_fn *c = tsr_jit(ctx, tsr_sin, .name = "sine");
 *
 * A name is an option, since messages and program texts have it:
 *
 *     a == b, a != c */
#include "trace/trace.h"

/* ---- identity */

static uint64_t specs_hash(const arg_specs *s, int n, uint64_t h)
{
	for (int i = 0; i < n; i++) {
		h = hash_bytes(s[i].leaf, (size_t)s[i].n * sizeof *s[i].leaf, h);
		for (int k = 0; k < s[i].n; k++) h = hash_u64((uint64_t)s[i].given[k].ndim, h);
	}
	return hash_u64((uint64_t)n, h);
}

static uint64_t dims_hash(const mapped_dims *m, int n, uint64_t h)
{
	for (int i = 0; i < n; i++) h = hash_bytes(m[i].dim, (size_t)m[i].n * sizeof(int), h);
	return hash_u64((uint64_t)n, h);
}

static uint64_t map_hash(const fn_map *m, uint64_t h)
{
	h = hash_u64((uint64_t)(uintptr_t)m->mesh, hash_u64(m->manual, hash_u64(m->unchecked, h)));
	return specs_hash(m->out, m->nout, specs_hash(m->in, m->nin, h));
}

static uint64_t mapped_hash(const fn_mapped *m, uint64_t h)
{
	h = dims_hash(m->out_dims, m->nout_dims, dims_hash(m->in_dims, m->nin_dims, h));
	h = hash_bytes(m->device, m->ndevices * sizeof *m->device, h);
	return hash_str(m->axis ? m->axis : "", hash_u64((uint64_t)m->axis_size, h));
}

/* the hash of the options that only this kind of fn has */
static uint64_t part_hash(const fn *f, uint64_t h)
{
	switch (f->kind) {
	case FN_JIT: return hash_u64(f->donate, map_hash(&f->map, h));
	case FN_SHARD_MAP: return map_hash(&f->map, h);
	case FN_TEXT: return hash_u64(f->given.program->hash, h);
	case FN_VMAP:
	case FN_PMAP: return hash_u64(f->donate, mapped_hash(&f->mapped, h));
	case FN_REMAT: return hash_str(f->remat.names, hash_u64((uint64_t)f->remat.policy, h));
	case FN_CUSTOM_JVP:
	case FN_CUSTOM_VJP: return hash_u64(f->custom.nondiff, h);
	default:
		return hash_bytes(f->derive.wrt, (size_t)f->derive.nwrt * sizeof *f->derive.wrt,
		                  hash_u64((uint64_t)f->derive.nvalues, h));
	}
}

static uint64_t fn_hash(const fn *f)
{
	uint64_t h = hash_u64((uint64_t)f->kind, hash_u64((uint64_t)f->body.form, 0));

	h = hash_u64((uint64_t)(uintptr_t)f->body.raw,
	             hash_u64((uint64_t)(uintptr_t)f->body.fn, h));
	h = hash_u64((uint64_t)(uintptr_t)f->env_release, h);
	h = hash_str(f->name, hash_bytes(f->env, f->env_size, h));
	h = hash_u64((uint64_t)(uintptr_t)f->captures.leaf, hash_u64(f->captures.count, h));
	h = hash_bytes(f->used, (size_t)f->nused * sizeof *f->used, h);
	return part_hash(f, h);
}

static bool specs_same(const arg_specs *a, const arg_specs *b, int n)
{
	for (int i = 0; i < n; i++) {
		if (a[i].n != b[i].n) return false;
		for (int k = 0; k < a[i].n; k++)
			if (a[i].leaf[k] != b[i].leaf[k] ||
			    a[i].given[k].ndim != b[i].given[k].ndim)
				return false;
	}
	return true;
}

static bool dims_alike(const mapped_dims *a, const mapped_dims *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i].n != b[i].n || memcmp(a[i].dim, b[i].dim, (size_t)a[i].n * sizeof(int)))
			return false;
	return true;
}

static bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static int leaf_total(const program_form *f)
{
	int n = 0;

	for (int i = 0; i < f->nargs; i++) n += f->nleaves[i];
	return n;
}

static bool form_same(const program_form *a, const program_form *b)
{
	if (a == b) return true;
	return a && b && a->nargs == b->nargs && a->nout == b->nout &&
	       a->results.n == b->results.n &&
	       !memcmp(a->nleaves, b->nleaves, (size_t)a->nargs * sizeof(int)) &&
	       !memcmp(a->present, b->present, (size_t)leaf_total(a)) &&
	       !memcmp(a->out, b->out, (size_t)a->nout * sizeof(int)) &&
	       !memcmp(a->results.count, b->results.count, (size_t)a->results.n * sizeof(int));
}

static bool map_same(const fn_map *a, const fn_map *b)
{
	return a->mesh == b->mesh && a->manual == b->manual && a->unchecked == b->unchecked &&
	       a->nin == b->nin && a->nout == b->nout && specs_same(a->in, b->in, a->nin) &&
	       specs_same(a->out, b->out, a->nout);
}

static bool given_same(const fn_given *a, const fn_given *b)
{
	return (a->program == b->program ||
	        (program_same_lines(a->program, b->program) &&
	         program_same_meshes(a->program, b->program))) &&
	       form_same(a->form, b->form);
}

static bool mapped_same(const fn_mapped *a, const fn_mapped *b)
{
	return a->nin_dims == b->nin_dims && a->nout_dims == b->nout_dims &&
	       dims_alike(a->in_dims, b->in_dims, a->nin_dims) &&
	       dims_alike(a->out_dims, b->out_dims, a->nout_dims) &&
	       a->axis_size == b->axis_size && text_same(a->axis, b->axis) &&
	       text_same(a->spmd_axis, b->spmd_axis) && a->ndevices == b->ndevices &&
	       (!a->ndevices || !memcmp(a->device, b->device, a->ndevices * sizeof *a->device));
}

static bool derive_same(const fn_derive *a, const fn_derive *b)
{
	return a->nwrt == b->nwrt && a->nvalues == b->nvalues &&
	       a->holomorphic == b->holomorphic && a->allow_int == b->allow_int &&
	       !memcmp(a->wrt, b->wrt, (size_t)a->nwrt * sizeof *a->wrt);
}

/* of one kind */
static bool part_same(const fn *a, const fn *b)
{
	switch (a->kind) {
	case FN_JIT: return a->donate == b->donate && map_same(&a->map, &b->map);
	case FN_SHARD_MAP: return map_same(&a->map, &b->map);
	case FN_TEXT: return given_same(&a->given, &b->given);
	case FN_VMAP:
	case FN_PMAP: return a->donate == b->donate && mapped_same(&a->mapped, &b->mapped);
	case FN_REMAT:
		return a->remat.policy == b->remat.policy &&
		       strcmp(a->remat.names, b->remat.names) == 0;
	case FN_CUSTOM_JVP:
	case FN_CUSTOM_VJP: return a->custom.nondiff == b->custom.nondiff;
	default: return derive_same(&a->derive, &b->derive);
	}
}

static bool fn_same(const void *entry, const void *key)
{
	const fn *a = entry, *b = key;

	return a->kind == b->kind && a->body.form == b->body.form && a->body.raw == b->body.raw &&
	       a->body.fn == b->body.fn && strcmp(a->name, b->name) == 0 &&
	       a->env_size == b->env_size && a->env_release == b->env_release &&
	       (!a->env_size || memcmp(a->env, b->env, a->env_size) == 0) &&
	       a->captures.leaf == b->captures.leaf && a->captures.count == b->captures.count &&
	       (!a->captures.count || tree_type_same(a->captures.type, b->captures.type)) &&
	       a->nused == b->nused &&
	       (!a->nused || !memcmp(a->used, b->used, (size_t)a->nused * sizeof *a->used)) &&
	       part_same(a, b);
}

static bool keep_specs(arena *a, arg_specs *s, int n)
{
	for (int i = 0; i < n; i++) {
		if (!s[i].n) continue;
		const sharding **each = arena_copy(a, s[i].leaf, (size_t)s[i].n * sizeof *each);
		spec *given = arena_copy(a, s[i].given, (size_t)s[i].n * sizeof *given);
		if (!each || !given) return false;
		for (int k = 0; k < s[i].n; k++) {
			const int last = given[k].start[given[k].ndim];
			given[k].start = arena_copy(a, given[k].start,
			                            ((size_t)given[k].ndim + 1) * sizeof(int));
			given[k].axis = arena_copy(a, given[k].axis, (size_t)last * sizeof(int));
			if (!given[k].start || !given[k].axis) return false;
		}
		s[i] = (arg_specs){s[i].n, each, given};
	}
	return true;
}

static bool keep_dims(arena *a, mapped_dims *m, int n)
{
	for (int i = 0; i < n; i++)
		if (!(m[i].dim = arena_copy(a, m[i].dim, (size_t)m[i].n * sizeof(int))))
			return false;
	return true;
}

static bool keep_form(arena *a, fn_given *f)
{
	if (!f->form) return true;
	program_form *own = arena_copy(a, f->form, sizeof *own);
	if (!own) return false;
	own->present = arena_copy(a, own->present, (size_t)leaf_total(own));
	own->nleaves = arena_copy(a, own->nleaves, (size_t)own->nargs * sizeof(int));
	own->out = arena_copy(a, own->out, (size_t)own->nout * sizeof(int));
	own->results.count =
		arena_copy(a, own->results.count, (size_t)own->results.n * sizeof(int));
	f->form = own;
	return own->present && own->nleaves && own->out && own->results.count;
}

static bool keep_mapped(arena *a, fn_mapped *m)
{
	if (m->axis && !(m->axis = arena_str(a, m->axis))) return false;
	if (m->spmd_axis && !(m->spmd_axis = arena_str(a, m->spmd_axis))) return false;
	if (m->device &&
	    !(m->device = arena_copy(a, m->device, m->ndevices * sizeof *m->device)))
		return false;
	return keep_dims(a, m->in_dims, m->nin_dims) && keep_dims(a, m->out_dims, m->nout_dims);
}

/* copies what the options of its kind point to */
static bool keep_part(arena *a, fn *f)
{
	switch (f->kind) {
	case FN_JIT:
	case FN_SHARD_MAP:
		return keep_specs(a, f->map.in, f->map.nin) &&
		       keep_specs(a, f->map.out, f->map.nout);
	case FN_TEXT: return keep_form(a, &f->given);
	case FN_VMAP:
	case FN_PMAP: return keep_mapped(a, &f->mapped);
	case FN_REMAT: return (f->remat.names = arena_str(a, f->remat.names));
	default: return true;
	}
}

/* a copy of *key in an arena of its own; NULL: no memory */
static fn *fn_make(tsr_ctx *ctx, const fn *key)
{
	arena *a = arena_make(&ctx->base);
	fn *f = a ? arena_copy(a, key, sizeof *key) : NULL;
	bool ok = f;

	if (ok) {
		f->arena = a;
		f->traces = (table){.base = &ctx->base};
		f->name = arena_str(a, key->name);
		f->env = arena_copy(a, key->env, key->env_size);
		f->used = arena_copy(a, key->used, (size_t)key->nused * sizeof *f->used);
		ok = f->name && f->env && f->used && keep_part(a, f);
	}
	if (ok && f->captures.type)
		ok = (f->captures.type = tree_type_keep(a, f->captures.type));
	if (ok && table_add(&ctx->fns, f->hash, f)) return f;
	arena_free(a);
	return NULL;
}

const unsigned char env_of_library[1];

/* A body that is given other bytes again and again is traced and compiled as often: that is told
 * once, for often the bytes alone differ, in padding. Bytes that are released are the name of a
 * thing, such as a closure of another language, and differ because the things do. */
static void look_at_env(tsr_ctx *ctx, const fn *made)
{
	enum { MANY = 16 };
	str s = {.base = &ctx->base};

	if (!made->env_size || made->env_mask == env_of_library || ctx->env_told) return;
	if (made->env_release) return;
	ctx->env_fns = ctx->env_body == made->body.raw ? ctx->env_fns + 1 : 1;
	ctx->env_body = made->body.raw;
	if (ctx->env_fns < MANY) return;
	ctx->env_told = true;
	str_printf(&s,
	           "%s was made with %d different .env, and is traced and compiled for each: pass "
	           "numbers that change as arguments%s",
	           made->name, ctx->env_fns,
	           made->env_mask ? ""
	                          : "; where members are alike, padding between them differs: set "
	                            "the record to 0 first");
	if (s.s) log_text(&ctx->base, 1, s.s);
	str_free(&s);
}

/* key->env is as it counts: without padding */
static fn *intern(tsr_ctx *ctx, fn *key)
{
	key->hash = fn_hash(key);
	fn *f = table_find(&ctx->fns, key->hash, fn_same, key);
	if (f) return fn_hold(f);
	if (!(f = fn_make(ctx, key))) return NULL;
	if (f->kind == FN_TEXT) program_retain(f->given.program);
	if (f->body.fn) fn_hold(f->body.fn);
	for (int i = 0; i < f->nused; i++) fn_hold(f->used[i]);
	cache_add(ctx, &f->cached, arena_bytes(f->arena), fn_evict);
	look_at_env(ctx, f);
	return f;
}

fn *fn_intern(tsr_ctx *ctx, fn *key)
{
	const unsigned char *given = key->env, *mask = key->env_mask;

	key->ctx = ctx;
	if (!given || !mask || mask == env_of_library) return intern(ctx, key);
	unsigned char *env = mem_alloc(&ctx->base, key->env_size);
	if (!env) return NULL;
	for (size_t i = 0; i < key->env_size; i++) env[i] = given[i] & mask[i];
	key->env = env;
	fn *f = intern(ctx, key);
	key->env = given;
	mem_free(&ctx->base, env);
	return f;
}
