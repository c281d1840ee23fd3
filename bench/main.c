/* main.c - the commands of the benchmark's program; bench/run.py calls them. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_case *const lists[] = {
	cases_calls,  cases_loops,     cases_arrays, cases_exchange, cases_products,
	cases_windows, cases_linear,   cases_net,    cases_random,   cases_order,
	cases_gradients, cases_places, cases_called, cases_compile,  cases_attention,
	cases_layers, cases_training, cases_transformer, cases_files};
enum { LISTS = sizeof lists / sizeof *lists };
static const char *const kinds[] = {"steady", "first", "waiting", "at once", "row", "process"};
static const char *const limits[] = {"", "copy", "cache", "sum", "fma"};

static const bench_case *find(const char *name)
{
	for (int k = 0; k < LISTS; k++)
		for (const bench_case *c = lists[k]; c->name; c++)
			if (!strcmp(c->name, name)) return c;
	fprintf(stderr, "bench: there is no case '%s'\n", name);
	return NULL;
}

static void print_sizes(const char *key, const int64_t *size)
{
	printf("\"%s\": [%lld", key, (long long)size[0]);
	for (int d = 1; d < BENCH_SIZES; d++) printf(", %lld", (long long)size[d]);
	printf("], ");
}

/* c_lacks: why it is not here */
static void print_by_hand(const bench_case *c)
{
	const char *why = "";
	const bool here = c->c && hand_find(c->c, &why);

	printf("\"c\": %s, \"c_bar\": %g, \"c_lacks\": \"%s\"}\n", here ? "true" : "false",
	       c->c_bar, here || !c->c ? "" : why);
}

static void print_case(const bench_case *c)
{
	const double work = c->work ? c->work(c->size) : 0;
	printf("{\"case\": \"%s\", \"what\": \"%s\", \"kind\": \"%s\", \"devices\": %d, ", c->name,
	       c->what, kinds[c->kind], c->devices);
	print_sizes("full", c->size);
	print_sizes("tiny", c->tiny);
	printf("\"limit\": \"%s\", \"work\": %.9g, \"bar\": %g, \"rtol\": %g, \"inner\": %d, ",
	       limits[c->limit], work, c->bar, c->rtol, c->inner);
	printf("\"than\": \"%s\", \"than_bar\": %g, ", c->than ? c->than : "", c->than_bar);
	print_by_hand(c);
}

static int list(void)
{
	for (int k = 0; k < LISTS; k++)
		for (const bench_case *c = lists[k]; c->name; c++) print_case(c);
	return 0;
}

/* sizes as "8,4"; those not named are 0 */
static bool read_sizes(const char *text, int64_t *size)
{
	memset(size, 0, BENCH_SIZES * sizeof *size);
	for (int d = 0; d < BENCH_SIZES; d++) {
		char *end;
		size[d] = strtoll(text, &end, 10);
		if (end == text || size[d] < 0) return false;
		if (!*end) return true;
		if (*end != ',') return false;
		text = end + 1;
	}
	return false;
}

/* every case at its tiny sizes: fails where one fails, or differs from the interpreter */
static int self_test(void)
{
	int failed = 0;
	for (int k = 0; k < LISTS; k++)
		for (const bench_case *c = lists[k]; c->name; c++) {
			if (c->kind == BENCH_PROCESS) continue;
			printf("%s ", c->name);
			fflush(stdout);
			failed |= measure(c, c->tiny, 0.001) | compare_values(c, c->tiny) |
			          compare_by_hand(c, c->tiny);
		}
	return failed ? 1 : 0;
}

static int usage(void)
{
	fputs("usage: bench list\n"
	      "       bench limits\n"
	      "       bench time CASE SIZES SECONDS\n"
	      "       bench by-hand CASE SIZES SECONDS\n"
	      "       bench values CASE SIZES FOLDER\n"
	      "       bench process SECONDS COMMAND...\n"
	      "       bench self-test\n"
	      "SIZES are numbers with commas between them.\n",
	      stderr);
	return 2;
}

static int run_case(const char *command, char **arg)
{
	int64_t size[BENCH_SIZES];
	const bench_case *c = find(arg[0]);

	if (!c || c->kind == BENCH_PROCESS) return 2;
	if (!read_sizes(arg[1], size)) return usage();
	if (!strcmp(command, "values"))
		return write_values(c, size, arg[2]) | compare_by_hand(c, size);
	const double seconds = strtod(arg[2], NULL);
	return !strcmp(command, "time") ? measure(c, size, seconds)
	                                : measure_by_hand(c, size, seconds);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	if (argc == 2 && !strcmp(command, "list")) return list();
	if (argc == 2 && !strcmp(command, "limits")) return measure_limits();
	if (argc == 2 && !strcmp(command, "self-test")) return self_test();
	if (argc == 5 && (!strcmp(command, "time") || !strcmp(command, "by-hand") ||
	                  !strcmp(command, "values")))
		return run_case(command, argv + 2);
	if (argc > 3 && !strcmp(command, "process"))
		return measure_process(argv + 3, strtod(argv[2], NULL));
	return usage();
}
