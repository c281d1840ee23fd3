/* while.c - the row that runs a program on a carry as long as another program says so.
 *
 * Each device stops when its own predicate says so: the carry varies over the axes that the
 * predicate varies over. */
#include "pass/structured/structured.h"

static const field while_fields[] = {
	{"cond_consts", offsetof(while_params, cond_consts), FIELD_INT, NULL},
	{"body_consts", offsetof(while_params, body_consts), FIELD_INT, NULL},
	{"cond", offsetof(while_params, cond), FIELD_PROGRAM, NULL},
	{"body", offsetof(while_params, body), FIELD_PROGRAM, NULL},
	{NULL, 0, 0, NULL}};

static bool check_pred(build *b, const eqn *e, const program *cond, const type *const *carry, int n)
{
	const type *pred = type_of(cond, cond->out[0]);
	bool ok = true;

	if (pred->ndim || pred->dtype != TSR_BOOL)
		return fail_type(b, e, "while: its cond must give a scalar of dtype bool");
	for (int i = 0; i < n; i++) ok = ok && !(pred->varying & ~carry[i]->varying);
	return ok || fail_sharding(b, e, "while: the carry must vary over all axes over which the "
	                           "predicate varies");
}

static bool while_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const while_params *p = e->params;

	if (p->cond_consts < 0 || p->body_consts < 0 || p->cond_consts > e->nin ||
	    p->body_consts > e->nin || e->nin != p->cond_consts + p->body_consts + e->nout)
		return fail_type(b, e, "while: %d operands are not %lld and %lld constants and a "
		                 "carry of %d", e->nin, (long long)p->cond_consts,
		                 (long long)p->body_consts, e->nout);
	return check_inside(b, e, in, out) &&
	       check_pred(b, e, p->cond, in + e->nin - e->nout, e->nout);
}

/* the axes over which the predicate varies */
static axis_set predicate_axes(const eqn *e)
{
	const program *cond = ((const while_params *)e->params)->cond;

	return type_of(cond, cond->out[0])->varying;
}

/* ---- run */

typedef struct while_state {
	const run_args *a;
	bool *going;          /* devices that have not stopped */
	block **cond, **body; /* operands of both: constants, carry */
	block **pred, **next; /* their results */
	int64_t carry;        /* blocks of the carry: values times devices */
	int64_t cond_consts, body_consts;
} while_state;

static block **carry_of(const while_state *l) { return l->body + l->body_consts; }

static bool while_state_init(while_state *l, const run_args *a, void **room)
{
	const while_params *p = a->eqn->params;
	const int64_t n = a->on->n, cc = p->cond_consts * n, bc = p->body_consts * n;
	const int64_t carry = a->eqn->nout * n;
	block **v = *room =
		mem_array(a->on->base, (size_t)(cc + bc + 3 * carry + 2 * n), sizeof *v);

	if (!v) return false;
	*l = (while_state){.a = a, .carry = carry, .cond_consts = cc, .body_consts = bc};
	l->cond = v;
	l->body = l->cond + cc + carry;
	l->next = l->body + bc + carry;
	l->pred = l->next + carry;
	l->going = (bool *)(l->pred + n);
	for (int64_t i = 0; i < cc; i++) l->cond[i] = a->x[i];
	for (int64_t i = 0; i < bc; i++) l->body[i] = a->x[cc + i];
	for (int64_t k = 0; k < n; k++) l->going[k] = a->active[k];
	blocks_retain(a, a->x + cc + bc, carry_of(l), carry);
	return true;
}

/* who goes on; *some: does anybody? */
static bool ask(while_state *l, bool *some)
{
	const run_args *a = l->a;

	const int64_t nin = (l->cond_consts + l->carry) / a->on->n;

	for (int64_t i = 0; i < l->carry; i++) l->cond[l->cond_consts + i] = carry_of(l)[i];
	if (!run_inside(a, 0, l->going, l->cond, nin, l->pred)) return false;
	*some = false;
	for (int64_t k = 0; k < a->on->n; k++) {
		if (!l->going[k]) continue;
		l->going[k] = *(const uint8_t *)a->on->data(l->pred[k]);
		*some = *some || l->going[k];
	}
	blocks_release(a, l->pred, a->on->n);
	return true;
}

/* the body takes over the carry, and may update it in place */
static bool advance(while_state *l)
{
	const run_args *a = l->a;
	block **carry = carry_of(l);

	blocks_hold(a, l->going, l->body, l->body_consts / a->on->n);
	const bool ok = a->on->run(a->on, 1, l->going, l->body, l->next);
	for (int64_t i = 0; i < l->carry; i++) {
		if (!l->going[i % a->on->n]) continue;
		carry[i] = l->next[i];
		l->next[i] = NULL;
	}
	return ok;
}

static bool run_together(const run_args *a)
{
	void *room;
	while_state l;
	bool some;

	if (!while_state_init(&l, a, &room)) return false;
	bool ok = ask(&l, &some);
	while (ok && some) ok = advance(&l) && ask(&l, &some);
	if (ok)
		memcpy(a->y, carry_of(&l), (size_t)l.carry * sizeof *a->y);
	else
		blocks_release(a, carry_of(&l), l.carry);
	mem_free(a->on->base, room);
	return ok;
}

static bool while_run(const run_args *a)
{
	const axis_set over = predicate_axes(a->eqn);

	return in_turn(a->eqn, over) ? run_in_turn(a, over, run_together) : run_together(a);
}

const tsr_prim tsr__prim_while = {
	STRUCTURED(while, "a program on a carry, as long as another one says so",
	           while_fields, while_types),
	.edges = &(const edges){
		.in = {{EDGE_SAME, offsetof(while_params, cond_consts), .only = 1 + WHILE_COND},
                       {EDGE_SAME, offsetof(while_params, body_consts), .only = 1 + WHILE_BODY},
                       {.kind = EDGE_CARRY}},
		.out = {{.kind = EDGE_CARRY, .only = 1 + WHILE_BODY}}},
	.jvp = jvp_inside,
	.batch = while_batch,
	.split = while_split,
	.replicate = replicate_inside,
	.run = while_run,
	.no_rule = {[COL_FACTORS] = "partition looks inside",
                    [COL_COST] = PROGRAMS_INSIDE,
                    [COL_TRANSPOSE] = "nobody knows how many steps it will take; use tsr_scan, or "
                                      "tsr_fori with bounds that are C numbers",
                    [COL_LOWER] = STEPS_OF_A_SCHEDULE},
};
