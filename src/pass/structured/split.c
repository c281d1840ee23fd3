/* split.c - splits the programs inside an equation in halves, for operands that are known: a
 * carry is unknown before a step if it is after it. How the halves become two equations is a
 * matter of each row (NAME_split.c). */
#include "pass/structured/structured.h"

typedef struct splitter {
	build *b;
	halves *of; /* by program */
} splitter;

/* the property is to be unknown */
static bool make(void *user, int which, const program *p, const bool *in, const bool *must,
                 bool *out)
{
	const splitter *w = user;
	halves *h = &w->of[which];
	bool *known = flags(w->b, p->nin);

	halves_free(h);
	for (int i = 0; known && i < p->nin; i++) known[i] = !in[i];
	if (!known || !pass_split(p, build_arena(w->b), known, must, h)) return false;
	for (int k = 0; k < p->nout; k++) out[k] = !h->known_out[k];
	return true;
}

halves *split_inside(build *b, const eqn *e, const bool *known, bool **stays, bool *known_out)
{
	halves *of = room_inside(b, e, sizeof *of);
	bool *in = *stays = flags(b, e->nin);

	if (!of || !in) return NULL;
	for (int i = 0; i < e->nin; i++) in[i] = !known[i];
	const bool ok = flow_settle(b, &(flow){e, in, known_out, make, &(splitter){b, of}});
	for (int i = 0; i < e->nin; i++) in[i] = !in[i];
	for (int k = 0; k < e->nout; k++) known_out[k] = !known_out[k];
	for (int k = 0; !ok && k < programs_in(e); k++) halves_free(&of[k]);
	return ok ? of : NULL;
}

int *residual_operands(build *b, const eqn *e, int which, const halves *h, const bool *known)
{
	const program *p = h->known;
	int *operand = numbers(b, p->nvars), *list = numbers(b, h->nresiduals);

	if (!operand || !list) return NULL;
	for (int i = 0, k = 0; k < p->nin; i++) {
		const int at = edge_operand(e, which, i);
		if (!known[at]) continue;
		if (operand_role(e, at).of->kind != EDGE_CARRY) operand[p->in[k].id] = 1 + at;
		k++;
	}
	for (int i = 0; i < h->nresiduals; i++)
		list[i] = operand[p->out[known_results(h) + i].id] - 1;
	return list;
}
