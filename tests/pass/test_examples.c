/* test_examples.c - the examples in the sources of the passes: each pass gives the program that its
 * comment shows.
 *
 * Each file of src/pass opens with one, in the form of support/passes.h and indented by four, or is
 * listed here with the reason why it has none. Lines that are too long for a comment are broken:
 * how much space is between two words of a text does not count.
 *
 *     test_examples FILE ...       only these files */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/heads.h"
#include "support/passes.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define FOLDER "src/pass"
enum { MOST_FILES = 200 };

static const struct exempt {
	const char *file, *why;
} exempt[] = {
	{"src/pass/cost.c", "numbers, which test_cost.c compares"},
	{"src/pass/debug.c", "prints and checks programs"},
	{"src/pass/number.c", "numbers do not stand in texts: test_number.c has them"},
	{"src/pass/target.c", "numbers of machines"},
	{"src/pass/walk.c", "what passes share"},
	{"src/pass/passes.c", "the table of names"},
	{"src/pass/crossing/around.c", "a network: test_schedule_examples.c has them"},
	{"src/pass/crossing/halves.c", "it takes many processes: test_halves.c has them"},
	{"src/pass/crossing/listed.c", "a network: test_schedule_examples.c has it"},
	{"src/pass/crossing/roots.c", "what around.c and listed.c share"},
	{"src/pass/crossing/rows.c", "many processes: test_schedule_examples.c has them"},
	{"src/pass/crossing/shares.c", "many processes: test_schedule_examples.c has them"},
	{"src/pass/crossing/ways.c", "many processes: test_schedule_examples.c has them"},
	{"src/pass/crossing/walks.c", "many processes: test_schedule_examples.c has them"},
	{"src/pass/instances.c", "which devices share a value: replicate.c has the example"},
	{"src/pass/report/print.c", "prints: partition/reasons.c and collectives.c have examples"},
	{"src/pass/partition/pieces.c", "numbers, which windows.c makes equations of"},
	{"src/pass/partition/plans.c", "a table of plans, which steps.c makes equations of"},
	{"src/pass/fuse/groups.c", "what the parts of fuse.c share"},
	{"src/pass/fuse/sums.c", "a part of fuse.c, for sums too large for a comment"},
	{"src/pass/structured/arrange.c", "what rules share"},
	{"src/pass/structured/check.c", "what type rules share"},
	{"src/pass/structured/flow.c", "what rules share: jvp.c and batch.c have the examples"},
	{"src/pass/structured/rebuild.c", "what rules share: NAME_split.c have the examples"},
	{"src/pass/structured/split.c", "what rules share: NAME_split.c have the examples"},
	{"src/pass/structured/call.c", "a row: its types and its run"},
	{"src/pass/structured/remat.c", "a row: its types and its run"},
	{"src/pass/structured/custom.c", "rows: their types and their run"},
	{"src/pass/structured/cond.c", "a row: its types and its run"},
	{"src/pass/structured/scan.c", "a row: its types and its run"},
	{"src/pass/structured/shard_map.c", "a row: its types"},
	{"src/pass/structured/while.c", "a row: its types and its run"},
};

static bool is_exempt(const char *file)
{
	for (size_t i = 0; i < ARRAY_LEN(exempt); i++)
		if (strcmp(exempt[i].file, file) == 0) return true;
	return false;
}

/* ---- the examples of a file */

typedef struct reading {
	tsr_ctx *ctx;
	const char *file;
	int line;
	bool in_head; /* nothing but comment has come yet */
	bool in_example, in_after;
	char head[256];
	str before, after;
	int examples, in_heads, wrong;
} reading;

static void end_example(reading *r)
{
	str out = {.base = &r->ctx->base};

	if (!r->in_example) return;
	const bool ok = run_pass(r->ctx, r->file, r->head, &r->before, &out);
	if (!ok || !out.s || !r->after.s || !text_fits(out.s, r->after.s)) {
		print_error("%s, the example that ends in line %d (%.*s) %s\n%s\n", r->file,
		            r->line - 1, (int)strcspn(r->head, "\n"), r->head,
		            ok ? "gives" : "fails:", ok ? out.s : tsr_message(r->ctx));
		r->wrong++;
	}
	r->examples++;
	r->in_heads += r->in_head;
	r->in_example = r->in_after = false;
	tsr_clear(r->ctx);
	str_free(&out);
	str_free(&r->before);
	str_free(&r->after);
}

/* an example is a run of lines " *     ..." that begins with "pass NAME" */
static void take_line(reading *r, char *line)
{
	static const char margin[] = " *     ";
	char *end = strstr(line, " */\n");
	const bool last = end;

	r->line++;
	if (end) memcpy(end, "\n", 2);
	const bool indented = strncmp(line, margin, sizeof margin - 1) == 0;
	const char *text = line + sizeof margin - 1;
	if (!indented) {
		end_example(r);
		if (*line != ' ' && strncmp(line, "/*", 2) != 0) r->in_head = false;
		return;
	}
	if (!r->in_example && strncmp(text, "pass ", 5) == 0) {
		snprintf(r->head, sizeof r->head, "%s", text);
		r->in_example = true;
	} else if (r->in_example && strcmp(text, "gives\n") == 0) {
		r->in_after = true;
	} else if (r->in_example) {
		str *to = r->in_after ? &r->after : &r->before;
		if (to->len && line_goes_on(text)) to->s[to->len - 1] = ' ';
		str_put(to, text);
	}
	if (last) end_example(r);
}

/* how many mistakes a file has */
static int check_file(tsr_ctx *ctx, const char *file)
{
	base *bs = &ctx->base;
	reading r = {.ctx = ctx,
	             .file = file,
	             .in_head = true,
	             .before = {.base = bs},
	             .after = {.base = bs}};
	char line[4096];
	FILE *in = fopen(file, "r");

	if (!in) fail_msg("no %s: tests run from the root of the source tree", file);
	while (fgets(line, sizeof line, in)) take_line(&r, line);
	fclose(in);
	if (is_exempt(file) ? r.examples : !r.in_heads) {
		print_error(is_exempt(file) ? "%s has an example, and is listed as having none\n"
		                            : "%s does not open with an example\n",
		            file);
		r.wrong++;
	}
	return r.wrong;
}

/* ---- all files */

typedef struct file_list {
	int n;
	char path[MOST_FILES][256];
} file_list;

static bool ends_with(const char *name, const char *ending)
{
	const size_t n = strlen(name), m = strlen(ending);

	return n > m && strcmp(name + n - m, ending) == 0;
}

static void find_files(file_list *list, const char *folder)
{
	DIR *d = opendir(folder);

	if (!d) fail_msg("no %s: tests run from the root of the source tree", folder);
	for (const struct dirent *e; (e = readdir(d));) {
		char path[256];
		if (snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= 256) continue;
		if (!strchr(e->d_name, '.')) find_files(list, path);
		if (!ends_with(path, ".c")) continue;
		assert_true(list->n < MOST_FILES);
		snprintf(list->path[list->n++], sizeof list->path[0], "%s", path);
	}
	closedir(d);
}

static bool in_list(const file_list *list, const char *file)
{
	for (int i = 0; i < list->n; i++)
		if (strcmp(list->path[i], file) == 0) return true;
	return false;
}

static file_list files;

static void test_examples(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	int wrong = 0;
	const bool all = files.n == 0;

	(void)state;
	if (all) find_files(&files, FOLDER);
	assert_true(files.n > 0);
	for (int i = 0; i < files.n; i++) wrong += check_file(ctx, files.path[i]);
	for (size_t i = 0; all && i < ARRAY_LEN(exempt); i++) {
		if (in_list(&files, exempt[i].file)) continue;
		print_error("%s is listed (%s) and is not there\n", exempt[i].file, exempt[i].why);
		wrong++;
	}
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};

	setenv("TSR_CPU", "avx2", 1); /* whose panels src/pass/fuse/panels.c shows */
	for (int i = 1; i < argc && files.n < MOST_FILES; i++)
		snprintf(files.path[files.n++], sizeof files.path[0], "%s", argv[i]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
