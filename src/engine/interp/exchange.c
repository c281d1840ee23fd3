/* exchange.c - equations that need other devices: collectives, and effects that happen once for
 * all.
 *
 * A collective is evaluated for a whole group at once, on the operands of all its members. Where
 * some of these are devices of other processes, each process sends the operands of its own members
 * to all the others, evaluates the group as if it were here, and keeps the results of its own:
 *
 *     psum over four devices, two a process      process 0 has   receives   evaluates     keeps
 *                                                a, b            c, d       a + b + c + d  2 of 4
 *
 * That moves more than it must, and is the oracle for engines that move less. */
#include "engine/interp/interp.h"

enum { ALIGN = 64 };

static size_t block_size(const type *t)
{
	const size_t bytes = (size_t)t->size * tsr_dtype_size(t->dtype);

	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static int process_of(const frame *r, int64_t device)
{
	return r->x->engine->devices[device].process;
}

static bool is_literal(const frame *r, var v) { return r->code->program->vars[v.id].literal; }

/* ---- a group */

typedef struct group {
	int n, here;                            /* members, and how many of them are here */
	const int64_t *member, *device, *index; /* as in member_groups */
	arena *arena;                           /* NULL: all are here */
	const void **from;                      /* operand i of member k is from[i * n + k] */
	void **to;                              /* results likewise */
} group;

static group group_at(const step *s, int g)
{
	const member_groups *all = &s->groups;
	const int at = all->start[g];
	group x = {.n = all->start[g + 1] - at,
	           .member = all->member + at,
	           .device = all->device + at,
	           .index = all->index + at};

	for (int k = 0; k < x.n; k++) x.here += x.member[k] >= 0;
	return x;
}

/* does result j differ between the members of a group? If not, it is stored once per memory */
static bool results_differ(const frame *r, const eqn *e, int j)
{
	const collective *on = e->params;

	for (int i = 0; i < on->axes.n; i++)
		if (type_of(r->code->program, e->out[j])->varying >> on->axes.v[i] & 1) return true;
	return false;
}

static bool make_results(const frame *r, const step *s, const group *g)
{
	const eqn *e = s->eqn;

	for (int j = 0; j < e->nout; j++) {
		const bool differ = results_differ(r, e, j);
		int64_t before = -1;
		for (int k = 0; k < g->n; k++) {
			const int64_t m = g->member[k];
			void **to = &g->to[j * g->n + k];
			if (m < 0) {
				if (!(*to = arena_alloc(g->arena, block_size(s->out[j]) + 1)))
					return false;
				continue;
			}
			const bool shared = !differ && before >= 0 &&
			                    device_memory(r->x, m) == device_memory(r->x, before);
			buffer **y = frame_value(r, e->out[j], m);
			*y = shared ? buffer_retain(*frame_value(r, e->out[j], before))
			            : frame_result(r, s->out[j], m);
			if (!*y) return false;
			*to = host_bytes(*y);
			before = m;
		}
	}
	return true;
}

/* ---- operands of members elsewhere */

/* what one member sends: its operands one after the other, but for literals */
static size_t sent_bytes(const frame *r, const step *s)
{
	size_t bytes = 0;

	for (int i = 0; i < s->eqn->nin; i++)
		if (!is_literal(r, s->eqn->in[i])) bytes += block_size(s->in[i]);
	return bytes;
}

static void pack_member(const frame *r, const step *s, int64_t k, char *to)
{
	for (int i = 0; i < s->eqn->nin; i++) {
		if (is_literal(r, s->eqn->in[i])) continue;
		memcpy(to, frame_operand(r, s->eqn->in[i], k),
		       (size_t)s->in[i]->size * tsr_dtype_size(s->in[i]->dtype));
		to += block_size(s->in[i]);
	}
}

static void unpack_member(const frame *r, const step *s, const group *g, int k, const char *from)
{
	for (int i = 0; i < s->eqn->nin; i++) {
		const void *literal = r->code->program->vars[s->eqn->in[i].id].literal;
		g->from[i * g->n + k] = literal ? literal : from;
		if (!literal) from += block_size(s->in[i]);
	}
}

typedef struct peer { /* a process with members of a group */
	size_t bytes, at; /* that it sends, and those of its members before the next one */
	char *room;       /* for them; NULL: none yet */
} peer;

static peer *peers_of(const frame *r, const group *g, size_t each)
{
	const size_t n = (size_t)r->x->engine->processes->comm->size;
	peer *v = arena_array(g->arena, n, sizeof *v);

	for (size_t p = 0; v && p < n; p++) v[p] = (peer){0};
	for (int k = 0; v && k < g->n; k++) v[process_of(r, g->device[k])].bytes += each;
	return v;
}

static bool fetch_operands(const frame *r, const step *s, const group *g)
{
	const size_t each = sent_bytes(r, s);
	message *out = arena_array(g->arena, (size_t)g->n, sizeof *out),
		*in = arena_array(g->arena, (size_t)g->n, sizeof *in);
	char *own = arena_alloc(g->arena, each * (size_t)g->here + 1);
	peer *peers = peers_of(r, g, each);
	size_t at = 0;
	int n = 0;

	if (!out || !in || !own || !peers) return false;
	for (int k = 0; k < g->n; k++) {
		if (g->member[k] < 0) continue;
		pack_member(r, s, g->member[k], own + at);
		at += each;
	}
	for (int k = 0; k < g->n; k++) {
		const int process = process_of(r, g->device[k]);
		peer *p = &peers[process];
		if (g->member[k] >= 0) continue;
		if (!p->room) {
			if (!(p->room = arena_alloc(g->arena, p->bytes + 1))) return false;
			out[n] = (message){process, TAG_DATA, own, at};
			in[n++] = (message){process, TAG_DATA, p->room, p->bytes};
		}
		unpack_member(r, s, g, k, p->room + p->at);
		p->at += each;
	}
	return !each || comm_exchange(r->x->engine->processes, out, n, in, n);
}

static bool run_whole(const frame *r, const step *s, group *g)
{
	const eqn *e = s->eqn;

	for (int i = 0; i < e->nin; i++)
		for (int k = 0; k < g->n; k++)
			if (g->member[k] >= 0)
				g->from[i * g->n + k] = frame_operand(r, e->in[i], g->member[k]);
	if (!make_results(r, s, g) || (g->arena && !fetch_operands(r, s, g))) return false;
	frame of_group = *r;
	of_group.from = g->from;
	of_group.to = g->to;
	return frame_eval(&of_group, s, g->index, g->n);
}

static bool run_crossing(const frame *r, const step *s, group *g)
{
	const size_t n = (size_t)g->n;

	if (!(g->arena = arena_make(r->x->engine->base))) return false;
	g->from = arena_array(g->arena, n * (size_t)s->eqn->nin + 1, sizeof *g->from);
	g->to = arena_array(g->arena, n * (size_t)s->eqn->nout + 1, sizeof *g->to);
	const bool ok = g->from && g->to && run_whole(r, s, g);
	arena_free(g->arena);
	return ok;
}

/* ---- devices that go different ways */

static int count_active(const frame *r, const group *g)
{
	int active = 0;

	for (int k = 0; k < g->n; k++) active += g->member[k] >= 0 && r->active[g->member[k]];
	return active;
}

static void put_members(const frame *r, str *s, const group *g, bool active)
{
	const char *between = "";

	for (int k = 0; k < g->n; k++) {
		if (g->member[k] < 0 || r->active[g->member[k]] != active) continue;
		str_printf(s, "%s%lld", between, (long long)g->device[k]);
		between = ",";
	}
}

/* some devices of a group wait for others that have gone another way */
static bool fail_alone(const frame *r, const step *s, const group *g)
{
	str here = {.base = r->x->engine->base}, away = {.base = r->x->engine->base};

	put_members(r, &here, g, true);
	put_members(r, &away, g, false);
	fail(r->x->engine->base, s->eqn->where, TSR_ERROR_SHARDING,
	     "%s is reached by devices {%s} of a group and not by {%s}: a cond or while around it "
	     "takes different ways on them. Make its predicate the same on all of them (by pmax or "
	     "psum, say), or move the collective out of it",
	     s->eqn->prim->name, here.s ? here.s : "?", away.s ? away.s : "?");
	str_free(&here);
	str_free(&away);
	return false;
}

bool run_collective(const frame *r, const step *s)
{
	for (int i = 0; i < s->groups.ngroups; i++) {
		group g = group_at(s, i);
		const int active = count_active(r, &g);
		g.from = r->from;
		g.to = r->to;
		if (active == 0) continue;
		if (active < g.here && s->eqn->nin) return fail_alone(r, s, &g);
		if (!(g.here < g.n ? run_crossing : run_whole)(r, s, &g)) return false;
	}
	return true;
}

/* ---- effects: one process evaluates, and sends the results to those that have devices at the same
 * place */

static bool effect_moves(const frame *r, const step *s, int64_t k, const int *peer, int n,
                         bool send)
{
	const eqn *e = s->eqn;
	base *bs = r->x->engine->base;
	const int count = n * e->nout;
	message *m = mem_array(bs, (size_t)count + 1, sizeof *m);

	if (!m) return false;
	for (int i = 0; i < count; i++) {
		buffer *y = *frame_value(r, e->out[i % e->nout], k);
		m[i] = (message){peer[i / e->nout], TAG_DATA, host_bytes(y), y->bytes};
	}
	const bool ok = !count || comm_exchange(r->x->engine->processes, m, send ? count : 0, m,
	                                        send ? 0 : count);
	mem_free(bs, m);
	return ok;
}

bool effect_send(const frame *r, const step *s, int64_t k)
{
	const effect_groups *far = &s->alike;

	return !far->from || effect_moves(r, s, k, far->to + far->start[k],
	                                  far->start[k + 1] - far->start[k], true);
}

bool effect_receive(const frame *r, const step *s, int64_t k)
{
	return effect_moves(r, s, k, &s->alike.from[k], 1, false);
}
