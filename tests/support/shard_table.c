/* shard_table.c - the parts of an array as a table with a cell for each device of a mesh. */
#include "support/shard_table.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 8, ROOM = 512 };

typedef struct cell {
	char text[ROOM];
} cell;

typedef struct table {
	int rows, columns;
	int width[MOST];
	cell cells[MOST * MOST];
} table;

static char printed[1 << 14];
static size_t at;

static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	at += (size_t)vsnprintf(printed + at, sizeof printed - at, format, args);
	va_end(args);
	assert_true(at < sizeof printed);
}

/* the n-th line of a text, and its length; empty behind the last one */
static const char *line_of(const char *text, int n, int *length)
{
	while (n && *text) n -= *text++ == '\n';
	*length = (int)strcspn(text, "\n");
	return text;
}

static int lines_in(const char *text)
{
	int n = 1;

	for (; *text; text++) n += *text == '\n';
	return n;
}

static void put_bar(const table *t, const char *left, const char *line, const char *cross,
                    const char *right)
{
	for (int j = 0; j < t->columns; j++) {
		put("%s", j ? cross : left);
		for (int i = 0; i < t->width[j] + 2; i++) put("%s", line);
	}
	put("%s\n", right);
}

static void put_row(const table *t, int row)
{
	const cell *cells = &t->cells[row * t->columns];
	int height = 0;

	for (int j = 0; j < t->columns; j++)
		if (lines_in(cells[j].text) > height) height = lines_in(cells[j].text);
	for (int i = 0; i < height; i++) {
		for (int j = 0; j < t->columns; j++) {
			int length;
			const char *line = line_of(cells[j].text, i, &length);
			put("│ %.*s%*s ", length, line, t->width[j] - length, "");
		}
		put("│\n");
	}
}

static void fill(table *t, tsr *x, const tsr_mesh *mesh, bool names)
{
	for (int64_t k = 0; k < tsr_shard_count(x); k++) {
		tsr_shard s;
		int place = 0;
		assert_true(tsr_shard_of(x, k, &s));
		while (tsr_mesh_device(mesh, place) != s.device) place++;
		char *text = t->cells[place].text;
		const int size = names ? snprintf(text, ROOM, "cpu:%" PRId64 "\n\n", s.device) : 0;
		snprintf(text + size, ROOM - (size_t)size, "%s",
		         tsr_text(tsr_shard_data(x, k), .precision = 3));
		for (int i = 0; i < lines_in(text); i++) {
			int length, *width = &t->width[place % t->columns];
			line_of(text, i, &length);
			if (length > *width) *width = length;
		}
	}
}

const char *shard_table(tsr *x, const tsr_mesh *mesh, bool names)
{
	static table t;

	t = (table){.rows = (int)tsr_mesh_axis(mesh, 0).size,
	            .columns = (int)tsr_mesh_axis(mesh, 1).size};
	assert_true(t.rows <= MOST && t.columns <= MOST);
	assert_int_equal(tsr_shard_count(x), t.rows * t.columns);
	fill(&t, x, mesh, names);
	at = 0;
	put_bar(&t, "╒", "═", "╤", "╕");
	for (int i = 0; i < t.rows; i++) {
		if (i) put_bar(&t, "├", "─", "┼", "┤");
		put_row(&t, i);
	}
	put_bar(&t, "╘", "═", "╧", "╛");
	return printed;
}
