/* schedule_rig.h - makes the program of one collective over many processes, and lists the messages
 * of one of them. */
#ifndef TSR_TESTS_SCHEDULE_RIG_H
#define TSR_TESTS_SCHEDULE_RIG_H
#include "prim/prim.h"
#include "schedule_kinds.h"
#include "support/crowd.h"
#include "support/loggp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static inline program *program_for(crowd *c, const kind *k, int64_t block)
{
	const int64_t n = c->n;
	char *perm = calloc((size_t)n, 24), *text = calloc((size_t)n + 64, 24);
	const bool varies = !strstr(k->text ? k->text : "", "invarying");
	size_t at = 0;
	const int64_t result = strcmp(k->name, "psum_scatter") == 0 ? block / n
	                       : strcmp(k->name, "all_gather") == 0 ? n * block
	                                                            : block;

	for (int64_t i = 0; i < n; i++)
		at += (size_t)sprintf(perm + at, "%s%lld>%lld", i ? "," : "", (long long)i,
		                      (long long)((i + 1) % n));
	const size_t head = (size_t)sprintf(
		text,
		"axes (x of (x:%lld)) f(%%0: f32[%lld]{x}) -> f32[%lld]%s {\n"
		"  %%1: f32[%lld]%s = ",
		(long long)n, (long long)block, (long long)result, varies ? "{x}" : "",
		(long long)result, varies ? "{x}" : "");
	if (k->text) sprintf(text + head, "%s\n  return %%1\n}\n", k->text);
	else sprintf(text + head, "ppermute %%0 axes=(x) perm=[%s]\n  return %%1\n}\n", perm);
	program *p = program_parse(&c->ir, k->name, text, strlen(text));
	if (!p) print_error("%s\n", error_text(&c->base));
	assert_non_null(p);
	free(perm);
	free(text);
	return p;
}

static inline crowd *crowd_at(crowd *c, const place *p)
{
	int *node = calloc((size_t)p->n, sizeof *node);

	crowd_open(c, p->n * p->e, p->e);
	for (int64_t k = 0; k < p->n; k++) node[k] = p->level == LEVEL_NODE ? 0 : (int)k;
	c->shards.node = node;
	return c;
}

static inline void crowd_done(crowd *c)
{
	free((int *)(uintptr_t)c->shards.node);
	crowd_close(c);
}

/* in LogGP: processes wait only for what they receive */
static inline double walk_all(const place *at, crowd *c, const program *p)
{
	loggp *l = loggp_open(at->n, at->level);

	for (int64_t k = 0; k < at->n; k++) {
		replicated to;
		assert_true(pass_replicate(p, (device_set){at->e, c->ids + k * at->e}, c->devices,
		                           &to));
		loggp_add(l, k, to.program);
		replicated_free(&to);
	}
	const double ns = loggp_ns(l);
	loggp_free(l);
	assert_true(ns >= 0);
	return ns;
}

/* of a psum_scatter of parts of so many elements, over a network */
static inline double walk_parts(int64_t n, int64_t part)
{
	const place at = {.n = n, .e = 1, .x = n * part, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);
	const double ns = walk_all(&at, &c, p);

	program_release(p);
	crowd_done(&c);
	return ns;
}

static inline int64_t type_bytes(const type *t)
{
	return t->size * (int64_t)tsr_dtype_size(t->dtype);
}

typedef struct sent {
	int64_t peer, bytes;
	bool out;
} sent;
typedef struct messages {
	sent *v;
	int64_t n, cap;
} messages;

static inline void note(messages *m, int64_t peer, int64_t bytes, bool out)
{
	if (m->n == m->cap) {
		m->cap = 2 * m->cap + 64;
		m->v = realloc(m->v, (size_t)m->cap * sizeof *m->v);
	}
	m->v[m->n++] = (sent){peer, bytes, out};
}

static inline messages messages_of(crowd *c, const program *p, int64_t process)
{
	replicated to;
	messages m = {0};

	assert_true(pass_replicate(p, (device_set){1, c->ids + process}, c->devices, &to));
	for (int i = 0; i < to.program->neqns; i++) {
		const eqn *e = &to.program->eqns[i];
		const transfer_params *t = e->params;
		if (e->prim != &tsr__prim_transfer_begin) continue;
		for (int j = 0; j < t->to.n; j++)
			note(&m, t->to.v[j], type_bytes(type_of(to.program, e->in[j])), true);
		for (int j = 0; j < t->from.n; j++)
			note(&m, t->from.v[j], type_bytes(t->types.v[j]), false);
	}
	replicated_free(&to);
	return m;
}

#endif
