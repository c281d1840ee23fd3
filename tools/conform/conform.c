/* conform.c - `tsr conform NAME`: all checks of an engine, part by part. */
#include <stdarg.h>
#include <stdio.h>
#include "conform.h"
#include "../tool.h"

bool check(trial *t, bool ok, const char *format, ...)
{
	va_list args;

	t->checks++;
	if (ok) return true;
	t->faults++;
	va_start(args, format);
	fputs("  FAULT ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	return false;
}

static void drop_log(void *user, int level, const char *text)
{
	(void)user, (void)level, (void)text;
}

tsr_ctx *trial_open(trial *t, const char *name, int devices, int memories)
{
	int code;
	const tsr_open_args args = {.size = sizeof args,
	                            .engine = name ? name : t->engine,
	                            .plugin_dir = t->plugin_dir,
	                            .devices = devices,
	                            .wait_limit = 20,
	                            .log = drop_log,
	                            .code = &code};
	tsr_ctx *ctx =
		tsr__open_among(NULL, &args, memories, t->place ? &threads_comm : NULL, t->place);

	if (check(t, code == TSR_OK, "a context with %d devices in %d memories: %s", devices,
	          memories, tsr_message(ctx)))
		return ctx;
	tsr_close(ctx);
	return NULL;
}

void trial_close(trial *t, tsr_ctx *ctx, int code)
{
	char said[256];

	snprintf(said, sizeof said, "%s", tsr_message(ctx));
	const int was = tsr_close(ctx);
	check(t, was == code, "an error that nothing explains: %s", said);
}

bool check_error(trial *t, tsr_ctx *ctx, int code, const char *what)
{
	const bool ok =
		check(t, tsr_status(ctx) == code, "%s: the error should have code %d, not %d: %s",
	              what, code, tsr_status(ctx), tsr_message(ctx));

	tsr_clear(ctx);
	return ok;
}

static const struct part {
	const char *name;
	void (*run)(trial *);
} parts[] = {
	{"memory", conform_memory},
	{"rows", conform_rows},
	{"control flow", conform_control},
	{"exchanges", conform_exchanges},
	{"runs", conform_runs},
	{"cancelling and errors", conform_control_of_runs},
	{"effects", conform_effects},
	{"arrays", conform_arrays},
	{"processes", conform_processes},
};

int conform(const char *engine, const char *plugin_dir)
{
	trial t = {.engine = engine, .plugin_dir = plugin_dir};
	tsr_ctx *ctx = trial_open(&t, NULL, 1, 1);

	if (!ctx) return 1;
	printf("engine %s: %s\n", engine, tsr__ctx_engine(ctx)->type->doc);
	trial_close(&t, ctx, TSR_OK);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const int checks = t.checks, faults = t.faults;
		printf("%s\n", parts[i].name);
		fflush(stdout); /* so that who watches sees where an engine crashes or hangs */
		parts[i].run(&t);
		printf("  %d checks, %d faults\n", t.checks - checks, t.faults - faults);
	}
	printf("%s\n", t.faults ? "it does not conform" : "it conforms");
	return t.faults ? 1 : 0;
}
