/* test_programs.c - golden programs: the result of each pass on the programs in
 * tests/transform/programs.
 *
 *     test_programs [FILE ...]       only these files; otherwise every .txt file of the folder
 *
 * A file has lines of comment (#) and any number of cases as support/passes.h says.
 *
 * TSR_UPDATE=1 in the environment writes what the passes give into the files: look at the
 * difference before it is kept. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/passes.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define FOLDER "tests/transform/programs/"

/* ---- files */

typedef struct golden {
	const char *file;
	int line;
	tsr_ctx *ctx;
	char head[256];    /* "pass simplify" */
	str before, after; /* of the case that is being read */
	str updated;       /* the file as it should be */
	bool in_after, in_case;
	int cases, failed, differ;
} golden;

static void reported(const golden *g, const char *what, const char *text)
{
	print_error("%s, the case before line %d (%.*s) %s%s\n", g->file, g->line,
	            (int)strcspn(g->head, "\n"), g->head, what, text);
}

static void end_case(golden *g)
{
	str out = {.base = &g->ctx->base};

	if (!g->in_case) return;
	g->cases++;
	const char *after = g->after.s ? g->after.s : "";
	const bool ok = run_pass(g->ctx, g->file, g->head, &g->before, &out);
	const bool same = ok && strcmp(after, out.s) == 0;
	if (!ok) reported(g, "fails: ", tsr_message(g->ctx));
	if (ok && !same && !getenv("TSR_UPDATE")) reported(g, "gives\n", out.s);
	g->failed += !ok;
	g->differ += ok && !same;
	str_put(&g->updated, ok ? out.s : after);
	tsr_clear(g->ctx);
	str_free(&out);
	str_free(&g->before);
	str_free(&g->after);
	g->in_case = g->in_after = false;
}

/* comments between cases stay where they are */
static void take_line(golden *g, const char *line)
{
	g->line++;
	if (strncmp(line, "pass ", 5) == 0 || (g->in_after && strchr("#\n", *line))) {
		end_case(g);
		str_put(&g->updated, line);
		g->in_case = strncmp(line, "pass ", 5) == 0;
		if (g->in_case) snprintf(g->head, sizeof g->head, "%s", line);
	} else if (g->in_after) {
		str_put(&g->after, line);
	} else {
		str_put(&g->updated, line);
		g->in_after = g->in_case && strcmp(line, "gives\n") == 0;
		if (g->in_case && !g->in_after) str_put(&g->before, line);
	}
}

static void update_file(golden *g)
{
	FILE *out = fopen(g->file, "w");

	if (!out || fputs(g->updated.s, out) < 0 || fclose(out))
		fail_msg("cannot write %s", g->file);
	print_message("%s: %d updated\n", g->file, g->differ);
}

/* how many cases are wrong */
static int check_file(tsr_ctx *ctx, const char *path)
{
	base *bs = &ctx->base;
	golden g = {.file = path,
	            .ctx = ctx,
	            .before = {.base = bs},
	            .after = {.base = bs},
	            .updated = {.base = bs}};
	char line[4096];
	FILE *in = fopen(path, "r");

	if (!in) fail_msg("no %s: tests run from the root of the source tree", path);
	while (fgets(line, sizeof line, in)) take_line(&g, line);
	fclose(in);
	take_line(&g, "");
	if (getenv("TSR_UPDATE") && g.differ) {
		update_file(&g);
		g.differ = 0;
	}
	if (!g.cases) print_error("%s has no case\n", path);
	str_free(&g.updated);
	return g.failed + g.differ + !g.cases;
}

static int nfiles;
static char **files;

static int check_folder(tsr_ctx *ctx)
{
	char path[4096];
	int wrong = 0, n = 0;
	DIR *folder = opendir(FOLDER);

	if (!folder) fail_msg("no " FOLDER ": tests run from the root of the source tree");
	for (const struct dirent *d; (d = readdir(folder));) {
		const char *ending = strrchr(d->d_name, '.');
		if (!ending || strcmp(ending, ".txt") != 0) continue;
		snprintf(path, sizeof path, FOLDER "%s", d->d_name);
		wrong += check_file(ctx, path);
		n++;
	}
	closedir(folder);
	assert_true(n > 0);
	return wrong;
}

static void test_programs(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	int wrong = 0;

	(void)state;
	for (int i = 0; i < nfiles; i++) wrong += check_file(ctx, files[i]);
	if (!nfiles) wrong = check_folder(ctx);
	assert_int_equal(tsr_close(ctx), 0);
	if (wrong)
		fail_msg("%d cases are wrong; TSR_UPDATE=1 writes what the passes give now", wrong);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};

	nfiles = argc - 1;
	files = argv + 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
