/* text.c - writes the report of a call as text.
 *
 * The mean of squares of x w, where x is cut along rows and w along its contracted dim:
 *
 *     loss over Mesh('x': 4), for each device:
 *     2 collectives receive 216 bytes, 1.0 us expected
 *       psum over x: f32[8,4] -> f32[8,4], 192 bytes, 0.5 us, at loss.c:7
 *         for the terms of dot_general, which devices hold parts of: [-,-] sum x -> [-,-]
 *         to save it, cut a dim that is not summed, or want the result in parts
 *       ...
 *     memory: 1.2 KiB at most, of it 0.3 KiB arguments and 4 bytes results
 *       0.5 KiB  loss.c:7
 *     values:
 *       %0: f32[8,16] [-,x], 128 of 512 bytes: held, where the caller has it
 *       ... */
#include "lib/explain/explain.h"

double collectives_run(const report *r)
{
	double n = 0;

	for (int i = 0; i < r->ncollectives; i++) n += r->collective[i].times;
	return n;
}

static void put_memory(str *s, double bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	int unit = 0;

	for (; bytes >= 1024 && unit < 4; unit++) bytes /= 1024;
	str_printf(s, unit ? "%.1f %s" : "%.0f %s", bytes,
	           unit == 0 && bytes == 1 ? "byte" : units[unit]);
}

static void put_collective(str *s, const report_collective *c)
{
	const report_move *m = c->move;

	str_printf(s, "  %s over %s: %s -> %s, ", c->row, c->axes, c->type, c->becomes);
	report_cost_text(s, c->bytes, c->ns);
	if (c->times != 1) str_printf(s, ", %.0f times", c->times);
	if (c->in_while) str_put(s, ", at each turn of a while");
	if (c->where) str_printf(s, ", at %s", c->where);
	if (!m) {
		str_put(s, "\n    your own\n");
		return;
	}
	str_printf(s, "\n    for %s", m->why);
	if (m->from) str_printf(s, ": %s -> %s", m->from, m->to);
	if (m->whole) str_printf(s, "\n    which needs a dim whole: %s", m->whole);
	if (*m->cure) str_printf(s, "\n    to save it, %s", m->cure);
	str_put(s, "\n");
}

/* beside what the planner expects of a line's collectives */
static void put_measured(str *s, const report *r)
{
	str_printf(s, "measured: %.1f us, of all workers together:\n", r->run_ns / 1e3);
	for (int i = 0; i < r->nmeasured; i++) {
		const report_measured *m = &r->measured[i];
		double expected = 0;
		for (int k = 0; k < r->ncollectives; k++) {
			const report_collective *c = &r->collective[k];
			if (strcmp(c->where ? c->where : "", m->where) == 0)
				expected += c->ns * c->times;
		}
		str_printf(s, "  %.1f us in %d step%s at %s", m->ns / 1e3, m->steps,
		           m->steps == 1 ? "" : "s", *m->where ? m->where : "no line");
		if (expected) str_printf(s, ", %.1f us expected for collectives", expected / 1e3);
		str_put(s, "\n");
	}
}

static void put_values(str *s, const report *r)
{
	str_put(s, "values:\n");
	for (const report_value *v = r->first_value; v; v = v->next) {
		str_printf(s, "%*s", 2 + 2 * v->depth, "");
		if (v->kind == REPORT_PROGRAM) {
			str_printf(s, "inside %s:\n", v->name);
			continue;
		}
		str_printf(s, "%s: %s %s, %.0f of %.0f bytes", v->name, v->type, v->at, v->bytes,
		           v->whole_bytes);
		if (v->made_by) str_printf(s, ", %s", v->made_by);
		if (v->where) str_printf(s, " at %s", v->where);
		str_put(s, v->is_result ? ", a result: " : ": ");
		report_reasons_text(s, v);
		str_put(s, "\n");
	}
}

void explain_text(str *s, const report *r)
{
	const double n = collectives_run(r);

	str_printf(s, "%s %s%s\n", r->name, r->mesh ? "over " : "on one device",
	           r->mesh ? r->mesh : "");
	if (!r->ncollectives) str_put(s, "no collectives\n");
	if (r->ncollectives) {
		str_printf(s, "%.0f collective%s, in which a device receives ", n,
		           n == 1 ? "" : "s");
		report_cost_text(s, r->bytes, r->ns);
		str_put(s, r->in_while ? " expected, each turn of a while counted once\n"
		                       : " expected\n");
	}
	for (int i = 0; i < r->ncollectives; i++) put_collective(s, &r->collective[i]);
	if (r->run_ns) put_measured(s, r);
	str_put(s, "memory of a device: ");
	put_memory(s, r->peak_bytes);
	str_put(s, " at most, with ");
	put_memory(s, r->argument_bytes);
	str_put(s, " of arguments and ");
	put_memory(s, r->result_bytes);
	str_put(s, " of results\n");
	for (int i = 0; i < r->nlines; i++) {
		str_put(s, "  ");
		put_memory(s, r->line[i].bytes);
		str_printf(s, " made at %s\n", *r->line[i].where ? r->line[i].where : "no line");
	}
	if (r->first_value) put_values(s, r);
}
