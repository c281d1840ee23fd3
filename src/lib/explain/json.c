/* json.c - writes the report of a call as JSON (RFC 8259).
 *
 *     {"name":"loss","mesh":"Mesh('x': 4)","costs":{"collectives":2,"bytes":216,...},
 *      "collectives":[{"operation":"psum","axes":"x",...}],"memory":[...],"values":[...]} */
#include "lib/explain/explain.h"

static void put_text(str *s, const char *text)
{
	if (text) json_text(s, text);
	else str_put(s, "null");
}

static void put_member(str *s, const char *name, const char *text)
{
	str_printf(s, "\"%s\":", name);
	put_text(s, text);
	str_put(s, ",");
}

static void put_number(str *s, const char *name, double x)
{
	str_printf(s, "\"%s\":%.17g,", name, x);
}

/* over the comma behind the last one */
static void end_list(str *s, char end)
{
	if (s->s && s->len && s->s[s->len - 1] == ',') s->s[s->len - 1] = end;
	else str_putn(s, &end, 1);
}

static void put_costs(str *s, const report *r)
{
	str_put(s, "\"costs\":{");
	put_number(s, "collectives", collectives_run(r));
	put_number(s, "bytes", r->bytes);
	put_number(s, "seconds", r->ns * 1e-9);
	put_number(s, "operations", r->flops);
	put_number(s, "argument_bytes", r->argument_bytes);
	put_number(s, "result_bytes", r->result_bytes);
	put_number(s, "peak_bytes", r->peak_bytes);
	str_printf(s, "\"in_while\":%s},", r->in_while ? "true" : "false");
}

static void put_collective(str *s, const report_collective *c)
{
	const report_move *m = c->move;

	str_put(s, "{");
	put_member(s, "operation", c->row);
	put_member(s, "axes", c->axes);
	put_member(s, "from_type", c->type);
	put_member(s, "to_type", c->becomes);
	put_number(s, "bytes", c->bytes);
	put_number(s, "seconds", c->ns * 1e-9);
	put_number(s, "times", c->times);
	str_printf(s, "\"in_while\":%s,", c->in_while ? "true" : "false");
	put_member(s, "where", c->where);
	str_printf(s, "\"own\":%s,", m ? "false" : "true");
	put_member(s, "from", m ? m->from : NULL);
	put_member(s, "to", m ? m->to : NULL);
	put_member(s, "why", m ? m->why : NULL);
	put_member(s, "whole", m ? m->whole : NULL);
	put_member(s, "cure", m ? m->cure : NULL);
	end_list(s, '}');
	str_put(s, ",");
}

static void put_value(str *s, const report_value *v)
{
	str_put(s, "{");
	put_member(s, v->kind == REPORT_PROGRAM ? "inside" : "name", v->name);
	put_number(s, "depth", v->depth);
	if (v->kind != REPORT_PROGRAM) {
		str reasons = {.base = s->base};
		report_reasons_text(&reasons, v);
		put_member(s, "type", v->type);
		put_member(s, "at", v->at);
		put_number(s, "bytes", v->bytes);
		put_number(s, "whole_bytes", v->whole_bytes);
		put_member(s, "made_by", v->made_by);
		put_member(s, "where", v->where);
		str_printf(s, "\"result\":%s,", v->is_result ? "true" : "false");
		put_member(s, "why", reasons.s);
		s->lost = s->lost || reasons.lost;
		str_free(&reasons);
	}
	end_list(s, '}');
	str_put(s, ",");
}

void explain_json(str *s, const report *r)
{
	str_put(s, "{");
	put_member(s, "name", r->name);
	put_member(s, "mesh", r->mesh);
	put_costs(s, r);
	str_put(s, "\"collectives\":[");
	for (int i = 0; i < r->ncollectives; i++) put_collective(s, &r->collective[i]);
	end_list(s, ']');
	str_put(s, ",\"memory\":[");
	for (int i = 0; i < r->nlines; i++) {
		str_put(s, "{");
		put_member(s, "where", r->line[i].where);
		put_number(s, "bytes", r->line[i].bytes);
		end_list(s, '}');
		str_put(s, ",");
	}
	end_list(s, ']');
	str_put(s, ",\"values\":[");
	for (const report_value *v = r->first_value; v; v = v->next) put_value(s, v);
	end_list(s, ']');
	str_put(s, "}\n");
}
