/* sections.c - compares the example at the head of a source with its section in a test. */
#include "support/sections.h"
#include "support/heads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *squeezed(const char *text) { return squeeze(text, strlen(text)); }

/* of a program text, without the places behind equations: "   # file.c:12" */
static char *squeezed_text(const char *text)
{
	char *copy = strdup(text), *to = copy;

	for (const char *at = copy; copy && *at;) {
		if (!strncmp(at, "   # ", 5)) at += strcspn(at, "\n");
		else *to++ = *at++;
	}
	if (copy) *to = 0;
	char *out = squeezed(copy ? copy : "");
	free(copy);
	return out;
}

static char *source_of(const char *test)
{
	enum { MOST = 1 << 16 };
	char *text = calloc(1, MOST);
	FILE *f = text ? fopen(test, "r") : NULL;
	const size_t n = f ? fread(text, 1, MOST - 1, f) : 0;

	if (f) fclose(f);
	if (n && n < MOST - 1) return text;
	free(text);
	return NULL;
}

/* the lines of a source's section, squeezed; NULL: there is none */
static char *section_of(const char *test, const char *file)
{
	char title[256], *source = source_of(test), *section = NULL;

	snprintf(title, sizeof title, "/* ---- %s */", file);
	const char *from = source ? strstr(source, title) : NULL;
	if (from) {
		from += strlen(title);
		section = squeeze(from, (size_t)(strstr(from, "/* ----") - from));
	}
	free(source);
	return section;
}

/* the first line of a program that is not at its place in the section; NULL: all are */
static char *strange_line(char *program, const char *section)
{
	for (char *line; (line = strsep(&program, "\n"));) {
		char *words = squeezed(line);
		const char *at = strstr(section, words);
		if (at) section = at + strlen(words);
		free(words);
		if (!at) return line;
	}
	return NULL;
}

bool head_is_shown(const char *test, const char *file, const char *text)
{
	char *section = section_of(test, file), *got = squeezed_text(text);
	head_example x = {0};
	const char *line = NULL;
	bool ok = section && head_example_read(file, &x);

	if (!ok)
		fprintf(stderr, "%s has no section in %s, or opens without an example\n", file,
		        test);
	if (ok && (line = strange_line(x.program, section)))
		fprintf(stderr, "%s: '%s' is not at its place in %s\n", file, line, test);
	if (ok && !text_fits(got, x.lines)) {
		fprintf(stderr, "%s: the example gives\n%s\n", file, text);
		ok = false;
	}
	head_example_free(&x);
	free(section);
	free(got);
	return ok && !line;
}
