/* heads.c - reads the worked examples at the heads of sources. */
#include "support/heads.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 20, INDENT = 5 };

/* the first comment of a file. NULL: there is none */
static char *first_comment(const char *path)
{
	char *text = calloc(1, MOST_TEXT);
	FILE *f = text ? fopen(path, "r") : NULL;
	const size_t n = f ? fread(text, 1, MOST_TEXT - 1, f) : 0;
	char *end = n ? strstr(text, "*/") : NULL;

	if (f) fclose(f);
	if (end) {
		*end = 0;
		return text;
	}
	free(text);
	return NULL;
}

/* the next line, without its star and the spaces around; *indent: how many there were before */
static char *comment_line(char **rest, int *indent)
{
	char *line = strsep(rest, "\n");

	if (!line) return NULL;
	line += strspn(line, " ");
	if (*line == '*') line++;
	*indent = (int)strspn(line, " ");
	line += *indent;
	for (size_t n = strlen(line); n && line[n - 1] == ' ';) line[--n] = 0;
	return line;
}

bool line_goes_on(const char *line)
{
	line += strspn(line, " ");
	const char *c = line;

	while (isalnum((unsigned char)*c) || *c == '_') c++;
	return c > line && *c == '=';
}

static void add_line(char *to, const char *line)
{
	const size_t n = strlen(to);

	if (n && line_goes_on(line)) to[n - 1] = ' ';
	strcat(strcat(to, line), "\n");
}

bool head_example_read(const char *path, head_example *x)
{
	char *text = first_comment(path), *rest = text, *line;
	char *program = calloc(1, MOST_TEXT), *lines = calloc(1, MOST_TEXT), *to = program;
	int indent;

	*x = (head_example){0, program, lines};
	while (program && lines && (line = comment_line(&rest, &indent)))
		if (strncmp(line, "Example", 7) == 0) {
			x->number = atoi(line + strcspn(line, "0123456789"));
			break;
		}
	while (rest && (line = comment_line(&rest, &indent))) {
		if (indent >= INDENT) add_line(to, line);
		if (!*line || indent >= INDENT) continue;
		if (*lines) break;
		if (*program) to = lines;
	}
	free(text);
	if (program && lines && *program) return true;
	head_example_free(x);
	return false;
}

char *head_indented(const char *path)
{
	char *text = first_comment(path), *rest = text, *line;
	char *lines = text ? calloc(1, strlen(text) + 2) : NULL;
	int indent;

	while (lines && (line = comment_line(&rest, &indent)))
		strcat(strcat(lines, indent >= INDENT ? line : ""), "\n");
	free(text);
	return lines;
}

void head_example_free(head_example *x)
{
	free(x->program);
	free(x->lines);
	*x = (head_example){0};
}

bool line_fits(const char *line, size_t n, const char *pattern)
{
	const char *at = line, *end = line + n;
	bool anywhere = false;

	for (;;) {
		const char *dots = strstr(pattern, "..");
		const size_t part = dots ? (size_t)(dots - pattern) : strlen(pattern);
		if (!dots && anywhere && (size_t)(end - at) >= part) at = end - part;
		const char *found = anywhere ? memmem(at, (size_t)(end - at), pattern, part) : at;
		if (!found || (size_t)(end - found) < part || memcmp(found, pattern, part) != 0)
			return false;
		at = found + part;
		if (!dots) return at == end;
		pattern = dots + 2;
		anywhere = true;
	}
}

char *squeeze(const char *text, size_t n)
{
	char *out = malloc(n + 1);
	size_t len = 0;

	if (!out) return NULL;
	for (const char *at = text; at < text + n; at++) {
		const bool space = strchr(" \t\n", *at);
		if (!space) out[len++] = *at;
		if (space && len && out[len - 1] != ' ') out[len++] = ' ';
	}
	while (len && out[len - 1] == ' ') len--;
	out[len] = 0;
	return out;
}

bool text_fits(const char *text, const char *pattern)
{
	char *got = squeeze(text, strlen(text)), *wanted = squeeze(pattern, strlen(pattern));
	const bool fits = got && wanted && line_fits(got, strlen(got), wanted);

	free(got);
	free(wanted);
	return fits;
}
