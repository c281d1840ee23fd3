/* html.c - writes the report of a call as one page: the totals, the most expensive collective
 * first, memory by line, and values in a part that opens. It needs no other file, is readable on
 * light and dark screens and on narrow ones, and holds nothing that a browser would run. */
#include "lib/explain/explain.h"

static const char style[] =
	":root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#0a6ebd}"
	"@media(prefers-color-scheme:dark){:root{--accent:#6cb8f5}}"
	"body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;padding:1rem;max-width:70rem}"
	"h1{font-size:1.2rem;font-weight:500}h1 code{font-size:1em;font-weight:600}"
	"h2{font-size:1.05rem;margin-top:1.6rem}"
	"dl{display:flex;flex-wrap:wrap;gap:.4rem 1.6rem;margin:0}dt{opacity:.7}dd{margin:0;"
	"font-variant-numeric:tabular-nums;font-weight:600}"
	".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}"
	"th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;"
	"border-top:1px solid var(--line)}"
	"th.n{text-align:right}td[data-n=line] code{white-space:nowrap}"
	"td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
	"code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}"
	".op{color:var(--accent);font-weight:600}.why{opacity:.85}summary{cursor:pointer}"
	"@media(max-width:40rem){table,tbody,tr,td{display:block;width:auto}thead{display:none}"
	"tr{border-top:1px solid var(--line);padding:.4rem 0}td,td.n{border:0;padding:.1rem 0;"
	"text-align:left}td[data-n]::before{content:attr(data-n) ': ';opacity:.7}}";

static void put_code(str *s, const char *text)
{
	str_put(s, "<code>");
	str_markup(s, text);
	str_put(s, "</code>");
}

static void put_total(str *s, const char *name, const char *format, double x)
{
	str_printf(s, "<div><dt>%s</dt><dd>", name);
	str_printf(s, format, x);
	str_put(s, "</dd></div>");
}

static void put_totals(str *s, const report *r)
{
	str_put(s, "<dl>");
	put_total(s, "collectives", "%.0f", collectives_run(r));
	put_total(s, "bytes received by a device", "%.0f", r->bytes);
	put_total(s, "expected time", "%.1f us", r->ns / 1e3);
	put_total(s, "operations of a device", "%.3g", r->flops);
	put_total(s, "arguments", "%.0f bytes", r->argument_bytes);
	put_total(s, "results", "%.0f bytes", r->result_bytes);
	put_total(s, "most memory", "%.0f bytes", r->peak_bytes);
	str_put(s, "</dl>");
	if (r->in_while)
		str_put(s, "<p>Collectives in a while count once: nobody knows how often it "
		           "turns.</p>");
}

static void put_collective(str *s, const report_collective *c)
{
	const report_move *m = c->move;

	str_put(s, "<tr><td><span class=op>");
	str_markup(s, c->row);
	str_put(s, "</span> over ");
	put_code(s, c->axes);
	str_put(s, "<br>");
	put_code(s, c->type);
	str_put(s, " &rarr; ");
	put_code(s, c->becomes);
	str_printf(s, "</td><td class=n data-n=bytes>%.0f</td><td class=n data-n=times>%.0f%s</td>"
	              "<td class=n data-n=expected>%.1f us</td><td data-n=line>",
	           c->bytes, c->times, c->in_while ? " a turn" : "", c->times * c->ns / 1e3);
	put_code(s, c->where ? c->where : "");
	str_put(s, "</td><td class=why>");
	if (!m) str_put(s, "your own");
	if (m) str_markup(s, m->why);
	if (m && m->from) {
		str_put(s, ": ");
		put_code(s, m->from);
		str_put(s, " &rarr; ");
		put_code(s, m->to);
	}
	if (m && m->whole) {
		str_put(s, "<br>needs a dim whole: ");
		str_markup(s, m->whole);
	}
	if (m && *m->cure) {
		str_put(s, "<br>To save it, ");
		str_markup(s, m->cure);
	}
	str_put(s, "</td></tr>\n");
}

static void put_collectives(str *s, const report *r)
{
	str_put(s, "<h2>Collectives</h2>\n");
	if (!r->ncollectives) {
		str_put(s, "<p>None.</p>\n");
		return;
	}
	str_put(s, "<div class=wide><table><thead><tr><th>what<th class=n>bytes<th class=n>"
	           "times<th class=n>expected<th>line<th>for what</tr></thead><tbody>\n");
	for (int i = 0; i < r->ncollectives; i++) put_collective(s, &r->collective[i]);
	str_put(s, "</tbody></table></div>\n");
}

static void put_memory(str *s, const report *r)
{
	if (!r->nlines) return;
	str_put(s, "<h2>Memory, when most is needed</h2>\n<div class=wide><table><thead><tr><th>"
	           "made at<th class=n>bytes</tr></thead><tbody>\n");
	for (int i = 0; i < r->nlines; i++) {
		str_put(s, "<tr><td>");
		put_code(s, *r->line[i].where ? r->line[i].where : "no line");
		str_printf(s, "</td><td class=n data-n=bytes>%.0f</td></tr>\n", r->line[i].bytes);
	}
	str_put(s, "</tbody></table></div>\n");
}

static void put_value(str *s, const report_value *v)
{
	str reasons = {.base = s->base};

	str_printf(s, "<tr><td style=\"padding-left:%d.6rem\">", v->depth);
	if (v->kind == REPORT_PROGRAM) {
		str_put(s, "inside ");
		str_markup(s, v->name);
		str_put(s, "</td></tr>\n");
		return;
	}
	put_code(s, v->name);
	str_put(s, " ");
	put_code(s, v->type);
	str_put(s, "</td><td data-n=layout>");
	put_code(s, v->at);
	str_printf(s, "</td><td class=n data-n=bytes>%.0f of %.0f</td><td data-n=\"made by\">",
	           v->bytes, v->whole_bytes);
	str_markup(s, v->made_by ? v->made_by : "argument");
	str_put(s, " ");
	put_code(s, v->where ? v->where : "");
	str_put(s, "</td><td class=why>");
	report_reasons_text(&reasons, v);
	str_markup(s, reasons.s ? reasons.s : "");
	s->lost = s->lost || reasons.lost;
	str_free(&reasons);
	str_put(s, v->is_result ? " (a result)</td></tr>\n" : "</td></tr>\n");
}

static void put_values(str *s, const report *r)
{
	if (!r->first_value) return;
	str_put(s, "<details><summary>Where each value is, and why</summary><div class=wide><table>"
	           "<tbody>\n");
	for (const report_value *v = r->first_value; v; v = v->next) put_value(s, v);
	str_put(s, "</tbody></table></div></details>\n");
}

void explain_html(str *s, const report *r)
{
	str_put(s, "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
	           "<meta name=viewport content=\"width=device-width,initial-scale=1\"><title>");
	str_markup(s, r->name);
	str_put(s, "</title><style>");
	str_put(s, style);
	str_put(s, "</style></head><body>\n<h1>");
	put_code(s, r->name);
	str_put(s, r->mesh ? " over " : " on one device");
	if (r->mesh) put_code(s, r->mesh);
	str_put(s, "</h1>\n");
	put_totals(s, r);
	put_collectives(s, r);
	put_memory(s, r);
	put_values(s, r);
	str_put(s, "</body></html>\n");
}
