/* hash.c - compares and hashes programs by structure: no names, no locations, no notes.
 *
 * Example:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = mul %0 2.0:f32
 *       return %1
 *     }
 *     g(%7: f32[4]) -> f32[4] {
 *       %8: f32[4] = mul %7 2.0:f32
 *       return %8
 *     }
 *     h(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = mul %0 3.0:f32
 *       return %1
 *     }
 *
 * build_end numbers all variables but literals densely, in order of definition, so variables with
 * equal numbers have equal roles. Literals are compared by their bits. The types of results need no
 * comparison: they follow from those of the inputs.
 *
 *     g is the same as f
 *     h is not the same as f */
#include "program/program.h"

static uint64_t var_hash(const program *p, var v, uint64_t hash)
{
	const var_info *info = &p->vars[v.id];

	if (!info->literal) return hash_u64((uint64_t)v.id, hash);
	return hash_bytes(info->literal, tsr_dtype_size(info->type->dtype),
	                  hash_u64(info->type->hash, hash));
}

static uint64_t axes_hash(const axis *axes, int naxes)
{
	uint64_t hash = hash_u64((uint64_t)naxes, 0);

	for (int i = 0; i < naxes; i++) {
		const axis *a = &axes[i];
		hash = hash_u64((uint64_t)a->size, hash_u64((uint64_t)a->kind, hash));
		if (a->over) hash = hash_str(a->over, hash);
		if (a->kind == AXIS_MESH)
			hash = hash_u64((uint64_t)a->position, hash_u64(a->mesh->hash, hash));
	}
	return hash;
}

static uint64_t eqn_hash(const program *p, const eqn *e, uint64_t hash)
{
	hash = hash_str(e->prim->name, hash);
	hash = hash_u64((uint64_t)e->nin << 32 | (uint64_t)e->nout, hash);
	for (int i = 0; i < e->nin; i++) hash = var_hash(p, e->in[i], hash);
	return e->prim->params ? hash_u64(params_hash(e->prim->params, e->params), hash) : hash;
}

static uint64_t hash_of(const program *p)
{
	uint64_t hash = axes_hash(p->axes, p->naxes);

	hash = hash_u64((uint64_t)p->nin << 32 | (uint64_t)p->nout, hash);
	for (int i = 0; i < p->nin; i++) hash = hash_u64(type_of(p, p->in[i])->hash, hash);
	for (int i = 0; i < p->neqns; i++) hash = eqn_hash(p, &p->eqns[i], hash);
	for (int i = 0; i < p->nout; i++) hash = var_hash(p, p->out[i], hash);
	return hash;
}

/* build_end stores it; 0 means "not yet", so no program has it */
uint64_t program_hash(const program *p)
{
	if (p->hash) return p->hash;
	const uint64_t hash = hash_of(p);
	return hash ? hash : 1;
}

static bool type_same(const type *s, const type *t)
{
	return s == t || (s->hash == t->hash && s->dtype == t->dtype && s->weak == t->weak &&
	                  s->varying == t->varying &&
	                  dims_same(s->dims, s->ndim, t->dims, t->ndim));
}

static bool var_same(const program *p, var v, const program *q, var w)
{
	const var_info *a = &p->vars[v.id], *b = &q->vars[w.id];

	if (!a->literal || !b->literal) return !a->literal && !b->literal && v.id == w.id;
	return type_same(a->type, b->type) &&
	       memcmp(a->literal, b->literal, tsr_dtype_size(a->type->dtype)) == 0;
}

static bool eqn_same(const program *p, const eqn *e, const program *q, const eqn *f)
{
	bool same = e->prim == f->prim && e->nin == f->nin && e->nout == f->nout;

	for (int i = 0; same && i < e->nin; i++) same = var_same(p, e->in[i], q, f->in[i]);
	return same && (!e->prim->params || params_same(e->prim->params, e->params, f->params));
}

bool program_same(const program *p, const program *q)
{
	if (p == q) return true;
	if (program_hash(p) != program_hash(q) || p->nin != q->nin || p->nout != q->nout ||
	    p->neqns != q->neqns || !axes_same(p->axes, p->naxes, q->axes, q->naxes))
		return false;
	bool same = true;
	for (int i = 0; same && i < p->nin; i++)
		same = type_same(type_of(p, p->in[i]), type_of(q, q->in[i]));
	for (int i = 0; same && i < p->neqns; i++) same = eqn_same(p, &p->eqns[i], q, &q->eqns[i]);
	for (int i = 0; same && i < p->nout; i++) same = var_same(p, p->out[i], q, q->out[i]);
	return same;
}

bool program_same_meshes(const program *p, const program *q)
{
	bool same = true;

	for (int i = 0; p != q && same && i < p->neqns; i++) {
		const eqn *e = &p->eqns[i], *f = &q->eqns[i];
		const mesh *const *m = params_field(e->prim, e->params, FIELD_MESH);
		same = !m || *m == *(const mesh *const *)params_field(f->prim, f->params,
		                                                      FIELD_MESH);
		for (inner j = {0}, k = {0}; same && inner_next(e->prim, e->params, &j) &&
		                             inner_next(f->prim, f->params, &k);)
			same = program_same_meshes(j.program, k.program);
	}
	return same;
}
