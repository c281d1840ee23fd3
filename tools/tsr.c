/* tsr.c - the command-line tool: devices, print, run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>

enum { FINE = 0, FAILED = 1, MISUSED = 2 };

static const char help[] =
	"tsr - programs of the Tessera library\n"
	"\n"
	"  tsr devices [--devices N]              list the virtual devices\n"
	"  tsr print FILE [--devices N]           read a program and print it as the library "
	"writes it\n"
	"  tsr run FILE [INPUT.npy ...] [--devices N] [--output PREFIX]\n"
	"                                         run a program; results are printed, or written "
	"to\n"
	"                                         PREFIX0.npy, PREFIX1.npy, ...\n"
	"  tsr --help, tsr --version\n"
	"\n"
	"  --devices N   number of virtual devices; by default 1 for devices, and as many as the\n"
	"                meshes of the program need for print and run\n"
	"\n"
	"Errors go to stderr; the exit status is 1 for them and 2 for wrong usage.\n";

typedef struct options {
	long devices; /* 0: not given */
	const char *output, *file;
	const char *input[TSR_MAX_ARGS];
	int ninputs;
} options;

static int misuse(const char *what, const char *which)
{
	fprintf(stderr, "tsr: %s%s%s\ntry 'tsr --help'\n", what, *which ? ": " : "", which);
	return MISUSED;
}

/* ---- options */

static bool read_count(const char *text, long *out)
{
	char *end;

	*out = strtol(text, &end, 10);
	return *text && !*end && *out >= 1 && *out <= 1 << 20;
}

static int read_positional(options *o, const char *text)
{
	if (!o->file) {
		o->file = text;
		return FINE;
	}
	if (o->ninputs == TSR_MAX_ARGS) return misuse("more inputs than a call takes", text);
	o->input[o->ninputs++] = text;
	return FINE;
}

static int read_options(options *o, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		const bool last = i + 1 == argc;
		int status = FINE;
		if (strcmp(argv[i], "--devices") == 0) {
			if (last || !read_count(argv[++i], &o->devices))
				return misuse("--devices needs a number from 1 to 1048576", "");
		} else if (strcmp(argv[i], "--output") == 0) {
			if (last) return misuse("--output needs a prefix", "");
			o->output = argv[++i];
		} else if (argv[i][0] == '-' && argv[i][1]) {
			return misuse("unknown option", argv[i]);
		} else {
			status = read_positional(o, argv[i]);
		}
		if (status) return status;
	}
	return FINE;
}

/* ---- a program needs as many devices as its largest mesh: tried from small to large, quietly */

static void drop_log(void *user, int level, const char *text)
{
	(void)user, (void)level, (void)text;
}

static int needed_devices(const char *file)
{
	int n = 1;

	for (; n < 1 << 12; n *= 2) {
		tsr_ctx *ctx = tsr_open(.devices = n, .log = drop_log);
		tsr_load_program_at(NULL, ctx, file);
		if (tsr_close(ctx) != TSR_ERROR_SHARDING) break;
	}
	return n;
}

static tsr_ctx *open_for(const options *o)
{
	return tsr_open(.devices = o->devices ? (int)o->devices : needed_devices(o->file));
}

/* ---- commands */

static int finish(tsr_ctx *ctx) { return tsr_close(ctx) ? FAILED : FINE; }

static int devices(const options *o)
{
	tsr_ctx *ctx = tsr_open(.devices = o->devices ? (int)o->devices : 1);

	for (int64_t k = 0; k < tsr_device_count(ctx); k++) {
		const tsr_device_info d = tsr_device(ctx, k);
		printf("cpu:%lld  process %d  memory %d\n", (long long)d.id, d.process, d.memory);
	}
	return finish(ctx);
}

static int print(const options *o)
{
	tsr_ctx *ctx = open_for(o);

	fputs(tsr_program_text(tsr_load_program_at(NULL, ctx, o->file)), stdout);
	return finish(ctx);
}

static void give_result(const options *o, tsr *y, size_t k, size_t n)
{
	char path[4096];

	if (o->output) {
		snprintf(path, sizeof path, "%s%zu.npy", o->output, k);
		tsr_save_npy_at(NULL, y, path);
		return;
	}
	if (n > 1) printf("result %zu:\n", k);
	tsr_print(y);
}

static int run(const options *o)
{
	tsr_ctx *ctx = open_for(o);
	tsr_fn *fn = tsr_load_program_at(NULL, ctx, o->file);
	const size_t n = tsr_program_results(fn);
	tsr **result = calloc(n + 1, sizeof(tsr *));
	tsr_out *out = calloc(n + 1, sizeof *out);
	tsr_arg arg[TSR_MAX_ARGS];

	for (int i = 0; i < o->ninputs; i++)
		arg[i] = tsr_arg_one(tsr_load_npy_at(NULL, ctx, o->input[i]));
	for (size_t k = 0; result && out && k < n; k++) out[k].to = (tsr_tree){&result[k], 1, NULL};
	if (result && out && !tsr_status(ctx)) {
		tsr_call_into_at(o->file, out, n, fn, arg, (size_t)o->ninputs);
		for (size_t k = 0; k < n && !tsr_status(ctx); k++) give_result(o, result[k], k, n);
	}
	free(result);
	free(out);
	return finish(ctx);
}

int main(int argc, char **argv)
{
	options o = {0};

	if (argc < 2) return misuse("a command is missing", "");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
		return fputs(help, stdout) < 0;
	if (strcmp(argv[1], "--version") == 0) return printf("tsr %s\n", tsr_version()) < 0;
	const int status = read_options(&o, argc - 2, argv + 2);
	if (status) return status;
	const bool wants_file = strcmp(argv[1], "print") == 0 || strcmp(argv[1], "run") == 0;
	if (wants_file && !o.file) return misuse("a FILE is missing", "");
	if (strcmp(argv[1], "devices") == 0)
		return o.file ? misuse("devices takes no file", o.file) : devices(&o);
	if (strcmp(argv[1], "print") == 0)
		return o.ninputs ? misuse("print takes one FILE", o.input[0]) : print(&o);
	if (strcmp(argv[1], "run") == 0) return run(&o);
	return misuse("unknown command", argv[1]);
}
