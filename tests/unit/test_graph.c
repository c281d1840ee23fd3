/* test_graph.c - programs as graphs: each is text that Graphviz reads, with any names in it, and
 * has all equations of the program. Where `dot` is installed, it draws each of them too. */
#include "runtime/runtime.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/heads.h"
#include "support/counted_bytes.h"
#include <cmocka.h> /* after base.h: it takes the name fail */
#define D TSR_DIMS
#define P TSR_P

enum { MOST_NODES = 4096 };

/* ---- a graph, read: a statement a line */

typedef struct graph {
	const char *text;
	int depth, nodes, arrows, clusters, collectives;
	bool seen[MOST_NODES]; /* by node */
	double received;
} graph;

/* behind the string that begins at a quote */
static const char *string_end(const char *at)
{
	for (at++; *at != '"'; at++) {
		if (*at == '\\') at++;
		if (!*at || *at == '\n') fail_msg("a string does not end");
	}
	return at + 1;
}

/* what stands in brackets: name=value, with blanks between */
static const char *attributes_end(const char *at)
{
	while (*at != ']') {
		at += strspn(at, "abcdefghijklmnopqrstuvwxyz");
		if (*at++ != '=') fail_msg("no attribute: %.40s", at - 1);
		at = *at == '"' ? string_end(at) : at + strcspn(at, " ]\n");
		at += *at == ' ';
	}
	return at + 1;
}

static int node_at(const char **at)
{
	if (*(*at)++ != 'n') fail_msg("no node: %.40s", *at - 1);
	const long node = strtol(*at, (char **)at, 10);
	assert_in_range(node, 0, MOST_NODES - 1);
	return (int)node;
}

static const char *read_node(graph *g, const char *at)
{
	const int node = node_at(&at);
	const char *bytes;

	if (!strncmp(at, " -> ", 4)) {
		const int to = (at += 4, node_at(&at));
		if (!g->seen[node] || !g->seen[to]) fail_msg("an arrow from or to no node");
		g->arrows++;
		return *at == ' ' ? attributes_end(at + 2) : at;
	}
	if (strncmp(at, " [", 2) != 0) fail_msg("no node: %.40s in\n%s", at, g->text);
	assert_false(g->seen[node]);
	g->seen[node] = true;
	g->nodes++;
	const char *end = attributes_end(at + 2);
	if (!strncmp(at, " [class=collective ", 19)) g->collectives++;
	if ((bytes = strstr(at, " bytes received")) && bytes < end) {
		while (bytes[-1] >= '0' && bytes[-1] <= '9') bytes--;
		g->received += strtod(bytes, NULL);
	}
	return end;
}

static const char *read_statement(graph *g, const char *at)
{
	if (!strcmp(at, "}\n") || *at == '}') return g->depth--, at + 1;
	if (!strncmp(at, "digraph program {", 17)) return g->depth++, at + 17;
	if (!strncmp(at, "subgraph cluster_", 17)) {
		strtol(at + 17, (char **)&at, 10);
		return g->depth++, g->clusters++, at + 2;
	}
	if (!strncmp(at, "graph [", 7)) return attributes_end(at + 7);
	if (!strncmp(at, "node [", 6) || !strncmp(at, "edge [", 6)) return attributes_end(at + 6);
	if (!strncmp(at, "label=", 6)) return string_end(at + 6);
	if (!strncmp(at, "tooltip=", 8)) return string_end(at + 8);
	return read_node(g, at);
}

/* where it is installed, dot draws it */
static void draw(const char *text)
{
#ifdef DOT
	FILE *to = popen("\"" DOT "\" -Tsvg >/dev/null", "w");
	assert_non_null(to);
	fputs(text, to);
	if (pclose(to)) fail_msg("dot does not draw\n%s", text);
#else
	(void)text;
#endif
}

static graph read_graph(const char *text)
{
	graph g = {.text = text};

	assert_int_equal(strncmp(text, "digraph program {\n", 18), 0);
	for (const char *at = text; *at; at++) {
		at = read_statement(&g, at);
		if (*at != '\n') fail_msg("more behind a statement: %.40s", at);
		if (!g.depth) assert_string_equal(at, "\n");
	}
	assert_int_equal(g.depth, 0);
	draw(text);
	return g;
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part)) fail_msg("%s is not in\n%s", part, text);
}

/* ---- the example, and each row that holds programs */

static void the_example_at_the_head_is_true(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	head_example x;

	(void)state;
	assert_true(head_example_read("src/program/graph.c", &x));
	const char *text = tsr_program_graph(tsr_parse(ctx, x.program));
	assert_string_equal(tsr_message(ctx), "");
	if (!line_fits(text, strlen(text), x.lines)) fail_msg("%s is not\n%s", text, x.lines);
	read_graph(text);
	head_example_free(&x);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static const struct holds {
	const char *what;
	int nodes, arrows, clusters;
	const char *parts[4], *text;
} holds[] = {
	/* a branch that gives a literal, a node of which the result comes */
	{"cond", 9, 7, 3,
         {"label=\"cond %0 %1\"", "label=\"branches 1\"", "label=\"which?\"",
          "shape=plaintext style=filled label=\"1.5:f32\""},
         "f(%0: bool[], %1: f32[]) -> f32[] {\n"
         "  %2: f32[] = cond %0 %1 branches=[(%0: f32[]) -> f32[] {\n"
         "    return 1.5:f32\n"
         "  }, g(%0: f32[]) -> f32[] {\n"
         "    %1: f32[] = sin %0\n"
         "    return %1\n"
         "  }]\n"
         "  return %2\n"
         "}\n"},
	{"while", 12, 13, 3,
         {"label=\"cond\"", "label=\"body\"", "label=\"again?\"",
          "[style=dashed constraint=false]"},
         "f(%0: f32[], %1: f32[]) -> f32[] {\n"
         "  %2: f32[] = while %0 %1 cond_consts=0 body_consts=1 cond=(%0: f32[]) -> bool[] {\n"
         "    %1: bool[] = lt %0 9.0:f32\n"
         "    return %1\n"
         "  } body=(%0: f32[], %1: f32[]) -> f32[] {\n"
         "    %2: f32[] = add %0 %1\n"
         "    return %2\n"
         "  }\n"
         "  %3: f32[] = sin %2\n"
         "  %4: f32[] = cos %3\n"
         "  return %4\n"
         "}\n"},
	/* a scan whose operand is a literal, and a program in one inside */
	{"scan", 10, 10, 2,
         {"length=3", "shape=plaintext style=filled label=\"0.0:f32\"", "call %0 %1\\nplus",
          "[style=dashed constraint=false]"},
         "f(%0: f32[3]) -> f32[] {\n"
         "  %1: f32[] = scan 0.0:f32 %0 length=3 consts=0 carry=1 unroll=1 "
         "body=(%0: f32[], %1: f32[]) -> f32[] {\n"
         "    %2: f32[] = call %0 %1 program=plus(%0: f32[], %1: f32[]) -> f32[] {\n"
         "      %2: f32[] = add %0 %1\n"
         "      return %2\n"
         "    }\n"
         "    return %2\n"
         "  }\n"
         "  return %1\n"
         "}\n"},
	/* rules do not run */
	{"custom_vjp", 5, 4, 1, {"wrt=[0]"},
         "f(%0: f32[2]) -> f32[2] {\n"
         "  %1: f32[2] = custom_vjp %0 wrt=[0] program=(%0: f32[2]) -> f32[2] {\n"
         "    %1: f32[2] = sin %0\n"
         "    return %1\n"
         "  } forward=(%0: f32[2]) -> f32[2], f32[2] {\n"
         "    return %0 %0\n"
         "  } backward=(%0: f32[2], %1: f32[2]) -> f32[2] {\n"
         "    return %1\n"
         "  }\n"
         "  return %1\n"
         "}\n"},
	{"nothing", 1, 0, 0, {"label=\"return 2.0:f32\""}, "() -> f32[] {\n  return 2.0:f32\n}\n"},
	/* groups of two, of which a device gets one block from the other */
	{"groups", 5, 4, 1, {"psum %0 over x", "groups=[[0,1],[2,3]]", "8 bytes received"},
         "f(%0: f32[8]) -> f32[8] {\n"
         "  %1: f32[8] = shard_map %0 mesh=(x:4) axes=(x) in=[[x]] out=[[x]] "
         "body=(%0: f32[2]{x}) -> f32[2]{x} {\n"
         "    %1: f32[2]{x} = psum %0 axes=(x) groups=[[0,1],[2,3]] to=varying\n"
         "    return %1\n"
         "  }\n"
         "  return %1\n"
         "}\n"},
};

static void programs_inside_are_clusters(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(holds); i++) {
		const struct holds *c = &holds[i];
		const char *text = tsr_program_graph(tsr_parse(ctx, c->text));
		assert_string_equal(tsr_message(ctx), "");
		const graph g = read_graph(text);
		for (size_t k = 0; k < ARRAY_LEN(c->parts); k++)
			if (c->parts[k]) has(text, c->parts[k]);
		if (g.nodes != c->nodes || g.arrows != c->arrows || g.clusters != c->clusters)
			fail_msg("%s has %d nodes, %d arrows and %d clusters:\n%s", c->what,
			         g.nodes, g.arrows, g.clusters, text);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- names */

static const char *here; /* of the sine */

static tsr *sine(tsr *x) { return tsr_sin_at(here, tsr_psum(x, "x")); }

/* quotes, backslashes, entities, control characters, what is no UTF-8, and what no XML may hold */
static const struct name {
	const char *name, *escaped;
} names[] = {
	{"\"]; n0 -> n0 [label=\"", "\\\"]; n0 -> n0 [label=\\\""},
	{"\\", "\\\\"},
	{"\\N\\G\\l\\\"", "\\\\N\\\\G\\\\l\\\\\\\""},
	{"&lt;&amp;&#0;<b>", "&amp;lt;&amp;amp;&amp;#0;<b>"},
	{"a\nb\x1b[0m\x7f", "a\\\\x0ab\\\\x1b[0m\\\\x7f"},
	{"\xc3\xa4 \xf0\x9f\x98\x80", "\xc3\xa4 \xf0\x9f\x98\x80"},
	{"\xff\xc3", "\\\\xff\\\\xc3"},
	{"\xed\xa0\x80", "\\\\xed\\\\xa0\\\\x80"},         /* half of a surrogate pair */
	{"\xef\xbf\xbf", "\\\\xef\\\\xbf\\\\xbf"},         /* U+FFFF */
	{"\xc0\x80\xe0\x80\x80", "\\\\xc0\\\\x80\\\\xe0\\\\x80\\\\x80"}, /* longer than needed */
	{"\xf0\x80\x80\x80", "\\\\xf0\\\\x80\\\\x80\\\\x80"},
	{"\xf4\x90\x80\x80", "\\\\xf4\\\\x90\\\\x80\\\\x80"}, /* above U+10FFFF */
	{"{|}<f0>", "{|}<f0>"},
};

static void names_may_be_anything(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char want[128], where[64];
		snprintf(where, sizeof where, "dir/%s.c:7", names[i].name);
		snprintf(want, sizeof want, "tooltip=\"%s.c:7\"]", names[i].escaped);
		here = where;
		const char *text = tsr_fn_graph(
			tsr_shard_map(mesh, sine, .name = names[i].name,
		                      .in = TSR_SPECS(P("x")), .out = TSR_SPECS(P())),
			tsr_ones(ctx, D(2)));
		assert_string_equal(tsr_message(ctx), "");
		assert_int_equal(read_graph(text).collectives, 1);
		has(text, want);
		snprintf(want, sizeof want, "graph [label=\"%s\"", names[i].escaped);
		has(text, want);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* a line of a label is cut between two characters */
static void long_lines_are_cut(void **state)
{
	tsr_ctx *ctx = tsr_open();
	char name[256] = "";

	(void)state;
	for (int i = 0; i < 60; i++) strcat(name, "\xc3\xa4");
	const char *text = tsr_fn_graph(tsr_jit(ctx, tsr_sin, .name = name), tsr_ones(ctx, D(2)));
	has(text, "graph [label=\"\xc3\xa4");
	has(text, "\xc3\xa4...\" ");
	read_graph(text);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- what each device runs */

static tsr *mlp(tsr *x, tsr *w1, tsr *w2) { return tsr_dot(tsr_maximum(tsr_dot(x, w1), 0), w2); }
static tsr *loss(tsr *x, tsr *w1, tsr *w2) { return tsr_sum(tsr_square(mlp(x, w1, w2))); }
static tsr *ordered(tsr *x, tsr *w1, tsr *w2)
{
	return tsr_dot(tsr_sort(tsr_flip(x, D(0))), tsr_dot(w1, w2));
}

static tsr *each_collective(tsr *x)
{
	tsr *a = tsr_psum(x, "x"), *b = tsr_pmax(x, "x*y"), *c = tsr_pmin(x, "y");
	tsr *d = tsr_all_gather(x, "y", .dim = D(0), .tiled = true);
	tsr *e = tsr_psum_scatter(x, "x", .dim = D(1), .tiled = true);
	tsr *f = tsr_all_to_all(x, "x", .split = D(1), .concat = D(0), .tiled = true);
	tsr *g = tsr_ppermute(x, "y", TSR_PAIRS({0, 1}, {1, 0})), *h = tsr_pbroadcast(x, "x", 2);
	return tsr_add(tsr_add(tsr_add(tsr_sum(a), tsr_sum(b)), tsr_add(tsr_sum(c), tsr_sum(d))),
	               tsr_add(tsr_add(tsr_sum(e), tsr_sum(f)), tsr_add(tsr_sum(g), tsr_sum(h))));
}

/* as many bytes as the text of the same program moves, by another count (counted_bytes.h) */
static void moves(tsr_ctx *ctx, const char *graph_text, const char *text, int collectives)
{
	assert_string_equal(tsr_message(ctx), "");
	const graph g = read_graph(graph_text);
	const double moved = counted_bytes(text);

	if (g.collectives < collectives)
		fail_msg("%d collectives in\n%s", g.collectives, graph_text);
	/* what is no whole number of bytes is rounded */
	if (!(fabs(g.received - moved) <= 0.5 * g.collectives))
		fail_msg("%g bytes are received, and %g move in\n%s", g.received, moved, text);
}

static void collectives_say_what_they_move(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 4}, {"model", 2});
	tsr_mesh *other = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_ones(ctx, D(8, 4)), mesh, P("data", "model"));
	tsr *w1 = tsr_put(tsr_ones(ctx, D(4, 8)), mesh, P("data", "model"));
	tsr *w2 = tsr_put(tsr_ones(ctx, D(8, 4)), mesh, P("data", "model"));
	tsr_fn *f = tsr_jit(ctx, mlp), *g = tsr_jit(ctx, tsr_grad(ctx, loss, .wrt = D(1, 2)));
	tsr_fn *o = tsr_jit(ctx, ordered);
	tsr_fn *all = tsr_shard_map(other, each_collective, .sig = "[x,-] -> []",
	                            .unchecked = true);

	(void)state;
	moves(ctx, tsr_fn_compiled_graph(f, x, w1, w2), tsr_fn_compiled_text(f, x, w1, w2), 4);
	moves(ctx, tsr_fn_compiled_graph(g, x, w1, w2), tsr_fn_compiled_text(g, x, w1, w2), 4);
	moves(ctx, tsr_fn_compiled_graph(o, x, w1, w2), tsr_fn_compiled_text(o, x, w1, w2), 2);
	tsr *y = tsr_ones(ctx, D(16, 4));
	moves(ctx, tsr_fn_compiled_graph(all, y), tsr_fn_compiled_text(all, y), 8);
	has(tsr_fn_compiled_graph(f, x, w1, w2), "tooltip=\"test_graph.c:");
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_at_the_head_is_true),
		cmocka_unit_test(programs_inside_are_clusters),
		cmocka_unit_test(names_may_be_anything),
		cmocka_unit_test(long_lines_are_cut),
		cmocka_unit_test(collectives_say_what_they_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
