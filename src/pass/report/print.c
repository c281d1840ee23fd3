/* print.c - prints parts of the record for TSR_DEBUG: P, where values are and why
 * (partition/reasons.c shows the text), and C, the moves of partition (partition/collectives.c). */
#include "pass/report/report.h"
#include "pass/pass.h"

static void put_reason(str *s, const report_reason *r)
{
	str_put(s, r->axes);
	str_put(s, " as ");
	if (r->as) str_printf(s, "%s, by ", r->as);
	str_put(s, r->text);
	if (r->round) str_printf(s, ", round %d", r->round);
	if (r->where) str_printf(s, ", at %s", r->where);
}

void report_reasons_text(str *s, const report_value *v)
{
	if (v->held) str_put(s, v->held);
	for (int i = 0; i < v->nreasons; i++) {
		str_put(s, i || v->held ? "; " : "");
		put_reason(s, &v->reason[i]);
	}
	if (!v->held && !v->nreasons) str_put(s, "nothing cuts it");
}

void report_values_print(const report *r)
{
	str s = {.base = r->base};

	if (!r->mesh) return;
	str_printf(&s, "where propagation has the values of %s, over %s:\n", r->name, r->mesh);
	for (const report_value *v = r->first_value; v; v = v->next) {
		str_printf(&s, "%*s", 2 + 2 * v->depth, "");
		if (v->kind == REPORT_PROGRAM) {
			str_printf(&s, "inside %s:\n", v->name);
			continue;
		}
		str_printf(&s, "%s: %s %s: ", v->name, v->type, v->at);
		report_reasons_text(&s, v);
		str_put(&s, "\n");
	}
	debug_text(&s);
}

void report_cost_text(str *s, double bytes, double ns)
{
	str_printf(s, bytes == 1 ? "%.0f byte, " : "%.0f bytes, ", bytes);
	str_printf(s, ns < 1e6 ? "%.1f us" : "%.1f ms", ns < 1e6 ? ns / 1e3 : ns / 1e6);
}

/* "psum over x: f32[8], [-] sum x -> [-]"; where the layouts are not known, "ppermute over x:
 * f32[1] -> f32[1]", the types of blocks */
static void put_move(str *s, const report_move *m)
{
	str_printf(s, "  %s over %s: %s", m->row, m->axes, m->type);
	if (m->from) str_printf(s, ", %s -> %s, ", m->from, m->to);
	else str_printf(s, " -> %s, ", m->becomes);
	report_cost_text(s, m->bytes, m->ns);
	if (m->times != 1) str_printf(s, ", %.0f times", m->times);
	if (m->in_while) str_put(s, " at each turn of a while");
	if (m->where) str_printf(s, "  # %s", m->where);
	str_put(s, "\n");
}

void report_moves_print(const report *r)
{
	str s = {.base = r->base};
	double bytes = 0, ns = 0;
	int n = 0;

	if (!r->mesh) return;
	str_printf(&s, "the collectives that partition made for %s, over %s%s\n", r->name, r->mesh,
	           r->first_move ? ":" : ": none");
	for (const report_move *m = r->first_move; m; m = m->next, n++) {
		put_move(&s, m);
		bytes += m->bytes * m->times;
		ns += m->ns * m->times;
	}
	if (n) str_printf(&s, "%d in all: each device receives ", n);
	if (n) report_cost_text(&s, bytes, ns);
	if (n) str_put(&s, " by the planner's numbers\n");
	debug_text(&s);
}
