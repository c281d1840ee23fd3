/* graph.c - programs as graphs, in the language of Graphviz: docs/program-text.md, "As a graph".
 *
 * Example, for two devices along x:
 *
 *     axes (x of (x:2)) mean(%0: f32[4]{x}) -> f32[4] {
 *       %1: f32[4] = psum %0 axes=(x) to=invarying
 *       %2: f32[4] = mul %1 0.5:f32
 *       return %2
 *     }
 *
 * An equation is a box, and what a program is given and gives is an oval. A collective has a colour
 * of its own, the axes it goes over, and the bytes that a device receives by it:
 *
 *     digraph program {
 *     graph [label="mean\naxes (x of (x:2))" ..]
 *     ..
 *     n0 [shape=oval .. label="%0: f32[4]{x}"]
 *     n1 [.. label="psum %0 over x\nto=invarying\n16 bytes received\n%1: f32[4]"]
 *     n0 -> n1
 *     n2 [label="mul %1 0.5:f32\n%2: f32[4]"]
 *     n1 -> n2
 *     n3 [shape=oval .. label="return %2"]
 *     n2 -> n3
 *     }
 *
 * A program inside an equation is a cluster, with an oval for each of its inputs, to which an arrow
 * leads from the operand. The results of the equation are ovals too, to which arrows lead from what
 * the programs inside return: of a choice, from each branch. What one step of a loop leaves to the
 * next one is a dashed arrow back to an input.
 *
 * Names come from users and may be anything. So may the names of their files, which a node has as
 * its tooltip, with the line. */
#include "program/text.h"

enum { LINE_MOST = 72 }; /* bytes of a line of a label; what is longer ends in "..." */

/* one program of the graph, which may be inside an equation of another one */
typedef struct drawer {
	str *s;
	arena *scratch;
	const program *p;
	const axis *axes; /* with the names of the table at the head of the text, as in print.c */
	int naxes;
	int *nodes; /* how many the graph has */
	int *made;  /* by variable: the node that it comes from */
} drawer;

/* a program inside an equation, once it is drawn */
typedef struct drawn {
	int which;
	const program *p;
	int *input, *result; /* the nodes of the inputs, and those that the results come from */
	struct drawn *next;
} drawn;

/* ---- text in quotes */

/* Between quotes Graphviz sees \ and ", and in what it shows also entities, as &lt; */
static void put_escaped(str *s, const char *text)
{
	for (int n; *text; text += n ? n : 1) {
		n = is_control(*text) ? 0 : character_size(text);
		if (!n) str_printf(s, "\\\\x%02x", (unsigned)(unsigned char)*text);
		else if (*text == '"' || *text == '\\') str_printf(s, "\\%c", *text);
		else if (*text == '&') str_put(s, "&amp;");
		else str_putn(s, text, (size_t)n);
	}
}

/* a line of a label, without the space before it, which is emptied */
static void put_line(str *s, bool first, str *line)
{
	if (!line->s) return;
	if (line->len > LINE_MOST) {
		size_t end = LINE_MOST - 3;
		while (end && (line->s[end] & 0xc0) == 0x80) end--;
		memcpy(line->s + end, "...", 4);
	}
	if (!first) str_put(s, "\\n");
	put_escaped(s, line->s + (line->s[0] == ' '));
	str_free(line);
}

/* ---- nodes and arrows */

static str line_of(const drawer *d) { return (str){.base = d->s->base}; }

static int next_node(const drawer *d) { return (*d->nodes)++; }

static void draw_arrow(const drawer *d, int from, int to, const char *how)
{
	str_printf(d->s, "n%d -> n%d%s\n", from, to, how);
}

static void put_definition(const drawer *d, str *to, var v)
{
	var_print(to, d->p, v);
	str_put(to, ": ");
	type_print(to, type_of(d->p, v), d->axes, d->naxes);
}

/* of one line, which it empties */
static int draw_node(const drawer *d, const char *shape, str *line)
{
	const int node = next_node(d);

	str_printf(d->s, "n%d [shape=%s style=filled label=\"", node, shape);
	put_line(d->s, true, line);
	str_put(d->s, "\"]\n");
	return node;
}

/* what a program is given, or an equation with programs inside gives */
static int draw_value(const drawer *d, var v)
{
	str line = line_of(d);

	put_definition(d, &line, v);
	return d->made[v.id] = draw_node(d, "oval", &line);
}

/* the node that a value comes from; a literal gets one of its own */
static int source_of(const drawer *d, var v)
{
	str line = line_of(d);

	if (!d->p->vars[v.id].literal) return d->made[v.id];
	var_print(&line, d->p, v);
	return draw_node(d, "plaintext", &line);
}

/* ---- what equations are called */

/* "psum %0 over x*y" */
static void put_head(const drawer *d, const eqn *e)
{
	const collective *on = e->prim->flags & PRIM_COLLECTIVE ? e->params : NULL;
	str line = line_of(d);

	str_put(&line, e->prim->name);
	for (int i = 0; i < e->nin; i++) {
		str_put(&line, " ");
		var_print(&line, d->p, e->in[i]);
	}
	for (int i = 0; on && i < on->axes.n; i++) {
		str_put(&line, i ? "*" : " over ");
		axis_print(&line, d->axes, d->naxes, on->axes.v[i]);
	}
	put_line(d->s, true, &line);
}

/* a line each, without the axes of a collective, and without lists that are empty */
static void put_params(const drawer *d, const eqn *e)
{
	const field *first = e->prim->params;

	if (e->prim->flags & PRIM_COLLECTIVE) first++;
	for (const field *f = first; f && f->name; f++) {
		str line = line_of(d);
		param_print(&line, e, f, d->axes, d->naxes);
		const bool empty = line.len > 2 && !strcmp(line.s + line.len - 2, "[]");
		if (line.len && !empty) put_line(d->s, false, &line);
		str_free(&line);
	}
	if (!e->note) return;
	str note = line_of(d);
	str_put(&note, e->note);
	put_line(d->s, false, &note);
}

/* of a collective. false: no memory */
static bool put_received(const drawer *d, const eqn *e)
{
	const type **t = arena_array(d->scratch, (size_t)(e->nin + e->nout), sizeof *t);
	str line = line_of(d);

	if (!t) return false;
	for (int i = 0; i < e->nin; i++) t[i] = type_of(d->p, e->in[i]);
	for (int j = 0; j < e->nout; j++) t[e->nin + j] = type_of(d->p, e->out[j]);
	const double bytes = eqn_received(e, t, t + e->nin, d->axes);
	str_printf(&line, bytes == 1 ? "%.0f byte received" : "%.0f bytes received", bytes);
	put_line(d->s, false, &line);
	return true;
}

static void put_tooltip(const drawer *d, const char *before, const char *where)
{
	if (!where) return;
	str_printf(d->s, "%stooltip=\"", before);
	put_escaped(d->s, base_name(where));
	str_put(d->s, "\"");
}

/* ---- an equation without programs inside */

#define COLLECTIVE_LOOK "class=collective fillcolor=\"#ffd8a8\" color=\"#b35900\" penwidth=2 "

static bool draw_box(const drawer *d, const eqn *e)
{
	const bool exchanges = eqn_exchanges(e);
	const int node = next_node(d);
	bool ok = true;

	str_printf(d->s, "n%d [%slabel=\"", node, exchanges ? COLLECTIVE_LOOK : "");
	put_head(d, e);
	put_params(d, e);
	if (exchanges) ok = put_received(d, e);
	for (int j = 0; j < e->nout; j++) {
		str line = line_of(d);
		d->made[e->out[j].id] = node;
		put_definition(d, &line, e->out[j]);
		put_line(d->s, false, &line);
	}
	str_put(d->s, "\"");
	put_tooltip(d, " ", e->where);
	str_put(d->s, "]\n");
	for (int i = 0; i < e->nin; i++)
		if (!d->p->vars[e->in[i].id].literal)
			draw_arrow(d, d->made[e->in[i].id], node, "");
	return ok;
}

/* ---- an equation with programs inside */

static bool draw_equations(const drawer *);

/* its nodes and their arrows; those to it and from it must not be in the cluster, to which Graphviz
 * would add the nodes at their other ends */
static drawn *draw_inside(const drawer *d, const eqn *e, const program *p, int which)
{
	axis axes[MAX_AXES];
	const int naxes = inner_axes(e->prim, e->params, d->axes, d->naxes, axes);
	int *made = arena_array(d->scratch, (size_t)p->nvars + 1, sizeof *made);
	drawn *to = arena_alloc(d->scratch, sizeof *to);
	const drawer in = {d->s,     d->scratch, p,    naxes == p->naxes ? axes : p->axes,
	                   p->naxes, d->nodes,   made};

	if (!made || !to) return NULL;
	*to = (drawn){which, p, arena_array(d->scratch, (size_t)p->nin + 1, sizeof(int)),
	              arena_array(d->scratch, (size_t)p->nout + 1, sizeof(int)), NULL};
	if (!to->input || !to->result) return NULL;
	for (int k = 0; k < p->nin; k++) to->input[k] = draw_value(&in, p->in[k]);
	if (!draw_equations(&in)) return NULL;
	for (int k = 0; k < p->nout; k++) to->result[k] = source_of(&in, p->out[k]);
	for (int k = 0; k < p->nout && !edge_gives(e, which); k++) {
		str line = line_of(d);
		str_put(&line, "again?");
		draw_arrow(d, to->result[k], draw_node(d, "diamond", &line), "");
	}
	return to;
}

static void begin_cluster(const drawer *d)
{
	str_printf(d->s, "subgraph cluster_%d {\nlabel=\"", next_node(d));
}

/* alone: there is one, in the cluster of the equation itself */
static bool draw_programs(const drawer *d, const eqn *e, bool alone, drawn **to)
{
	int which = 0;

	for (inner i = {0}; inner_next(e->prim, e->params, &i); which++) {
		if (i.field->kind == FIELD_RULE) continue;
		if (!alone) {
			begin_cluster(d);
			str_put(d->s, i.field->name);
			if (i.field->kind == FIELD_PROGRAMS) str_printf(d->s, " %d", i.at);
			str_put(d->s, "\"\n");
		}
		if (!(*to = draw_inside(d, e, i.program, which))) return false;
		if (!alone) str_put(d->s, "}\n");
		to = &(*to)->next;
	}
	return true;
}

static void draw_arrows(const drawer *d, const eqn *e, const drawn *in)
{
	for (int k = 0; k < in->p->nin; k++)
		draw_arrow(d, source_of(d, e->in[edge_operand(e, in->which, k)]), in->input[k], "");
	for (int k = 0; edge_gives(e, in->which) && k < in->p->nout; k++)
		draw_arrow(d, in->result[k], d->made[e->out[edge_result(e, in->which, k)].id], "");
}

/* from what one step gives to where the next one takes it, in all programs of a loop */
static void draw_back(const drawer *d, const eqn *e, const drawn *from, const drawn *to)
{
	for (int k = 0; edge_gives(e, from->which) && k < from->p->nout; k++) {
		const int operand = edge_back(e, edge_result(e, from->which, k));
		for (int i = 0; operand >= 0 && i < to->p->nin; i++)
			if (edge_operand(e, to->which, i) == operand)
				draw_arrow(d, from->result[k], to->input[i],
				           " [style=dashed constraint=false]");
	}
}

/* those that run: rules do not. *only: the last one */
static int programs_in(const eqn *e, const program **only)
{
	int n = 0;

	for (inner i = {0}; inner_next(e->prim, e->params, &i);) {
		if (i.field->kind == FIELD_RULE) continue;
		*only = i.program;
		n++;
	}
	return n;
}

/* the diamond of what says which program is run; -1: nothing does */
static int draw_choice(const drawer *d, const eqn *e)
{
	str line = line_of(d);

	if (e->prim->edges->in[0].kind != EDGE_WHICH) return -1;
	str_put(&line, "which?");
	return draw_node(d, "diamond", &line);
}

static bool draw_cluster(const drawer *d, const eqn *e)
{
	const program *only;
	const int n = programs_in(e, &only);
	drawn *all = NULL;

	begin_cluster(d);
	put_head(d, e);
	put_params(d, e);
	if (n == 1 && only->name) {
		str line = line_of(d);
		str_put(&line, only->name);
		put_line(d->s, false, &line);
	}
	str_put(d->s, "\"\n");
	put_tooltip(d, "", e->where);
	str_put(d->s, e->where ? "\n" : "");
	const int which = draw_choice(d, e);
	if (!draw_programs(d, e, n == 1, &all)) return false;
	for (int j = 0; j < e->nout; j++) draw_value(d, e->out[j]);
	str_put(d->s, "}\n");
	if (which >= 0) draw_arrow(d, source_of(d, e->in[0]), which, "");
	for (const drawn *in = all; in; in = in->next) {
		draw_arrows(d, e, in);
		for (const drawn *to = all; to; to = to->next) draw_back(d, e, in, to);
	}
	return true;
}

static bool draw_equations(const drawer *d)
{
	const program *inside;
	bool ok = true;

	for (int i = 0; ok && i < d->p->neqns; i++) {
		const eqn *e = &d->p->eqns[i];
		ok = programs_in(e, &inside) ? draw_cluster(d, e) : draw_box(d, e);
	}
	return ok;
}

/* ---- the whole */

#define LOOK "color=\"#76808c\" fontname=Helvetica fontsize=11"

static void put_title(const drawer *d)
{
	str line = line_of(d);

	str_put(d->s, "graph [label=\"");
	str_put(&line, d->p->name ? d->p->name : "program");
	put_line(d->s, true, &line);
	if (d->naxes) axes_print(&line, d->axes, d->naxes);
	put_line(d->s, false, &line);
	str_put(d->s, "\" labelloc=t style=rounded " LOOK "]\n"
	              "node [shape=box style=\"rounded,filled\" fillcolor=\"#f3f5f7\" " LOOK "]\n"
	              "edge [color=\"#505a66\" arrowsize=0.7]\n");
}

bool program_graph(str *s, const program *p)
{
	arena *scratch = arena_make(s->base);
	int nodes = 0;
	int *made = scratch ? arena_array(scratch, (size_t)p->nvars + 1, sizeof *made) : NULL;
	const drawer d = {s, scratch, p, p->axes, p->naxes, &nodes, made};
	bool ok = made;

	if (ok) {
		str_put(s, "digraph program {\n");
		put_title(&d);
		for (int k = 0; k < p->nin; k++) draw_value(&d, p->in[k]);
		ok = draw_equations(&d);
	}
	for (int k = 0; ok && k < p->nout; k++) {
		str line = {.base = s->base};
		str_put(&line, "return ");
		var_print(&line, p, p->out[k]);
		const int node = draw_node(&d, "oval", &line);
		if (!p->vars[p->out[k].id].literal) draw_arrow(&d, made[p->out[k].id], node, "");
	}
	str_put(s, "}\n");
	arena_free(scratch);
	return ok;
}
