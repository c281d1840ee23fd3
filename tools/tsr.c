/* tsr.c - the command-line tool: devices, prims, list, checkpoint, print, explain, run,
 * collectives, conform. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tool.h"

static const char help[] =
	"tsr - programs of the Tessera library\n"
	"\n"
	"  tsr devices [--devices N]   list the virtual devices\n"
	"  tsr prims                   list the primitives of programs: operands and parameters,\n"
	"                              and what they compute\n"
	"  tsr list ARRAYS             list the arrays in a file named .npy, .npz or\n"
	"                              .safetensors: names, types and bytes\n"
	"  tsr checkpoint ls DIR       list the checkpoints in a folder\n"
	"  tsr checkpoint verify DIR [STEP]\n"
	"                              read a checkpoint, the newest if there is no STEP, and\n"
	"                              check the hashes of all that is in it\n"
	"  tsr print FILE [--pass NAME] [--graph] [--devices N]\n"
	"                              read a program and print it as the library writes it, or\n"
	"                              what a pass makes of it; with --graph as a graph, in the\n"
	"                              language of Graphviz: tsr print FILE --graph | dot -Tsvg\n"
	"  tsr explain FILE [--json | --html OUT] [--devices N]\n"
	"                              print what automatic partitioning makes of a program:\n"
	"                              where values are and why, what is exchanged and its cost\n"
	"  tsr run FILE [INPUT.npy ...] [--devices N] [--output PREFIX] [--time-limit S]\n"
	"                              run a program; results are printed, or written to\n"
	"                              PREFIX0.npy, PREFIX1.npy, ...; Ctrl-C ends it\n"
	"  tsr collectives [--devices N] [--dims 1000x1000]\n"
	"                              how long collectives take, beside what memory allows: of\n"
	"                              an f32 array of these dims, cut along the first one\n"
	"  tsr conform ENGINE [--plugin-dir DIR]\n"
	"                              check that an engine does what tsr/engine/engine.h says\n"
	"  tsr --help, tsr COMMAND --help, tsr --version\n"
	"\n"
	"  FILE and INPUT.npy may be pipes; - is standard input.\n"
	"  --devices N   number of virtual devices; by default 1 for devices, 4 for collectives,\n"
	"                and as many as the meshes of the program need for print,\n"
	"                explain and run\n"
	"  --time-limit S\n"
	"                end the program after S seconds\n"
	"  --json        as JSON\n"
	"  --html OUT    as a page, in the file OUT\n"
	"  --plugin-dir DIR\n"
	"                where the plug-in of the engine is\n"
	"  --pass NAME   one of these:\n",
	help_end[] =
	"\n"
	"Errors go to stderr; the exit status is 1 for them, also where the output cannot be\n"
	"written, 2 for wrong usage, 124 if a time limit ended the program, and 130 if Ctrl-C\n"
	"did.\n";

enum { MANY = 1 << 20 }; /* as many devices as a context can have */

typedef struct options {
	long devices;      /* 0: not given */
	double time_limit; /* seconds; 0: not given */
	tsr_dims dims;     /* d[0] is 0: not given */
	bool help, graph, json;
	const char *output, *file, *pass, *plugin_dir, *html;
	char **input; /* the file names, moved to the front of the arguments */
	int ninputs;
} options;

static int misuse(const char *what, const char *which)
{
	fprintf(stderr, "tsr: %s%s", what, *which ? ": " : "");
	/* others may have chosen the name of a file: a terminal must not obey it */
	for (const char *c = which; *c; c++)
		fputc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, stderr);
	fputs("\ntry 'tsr --help'\n", stderr);
	return MISUSED;
}

/* ---- options */

static bool read_count(const char *text, long *out)
{
	char *end;

	*out = strtol(text, &end, 10);
	return *text && !*end && *out >= 1 && *out <= MANY;
}

static bool read_seconds(const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return *text && !*end && *out > 0 && *out <= 1e9;
}

/* "1000x1000" */
static bool read_dims(const char *text, tsr_dims *to)
{
	char *end;

	*to = (tsr_dims){.d = {1}};
	errno = 0;
	do {
		if (to->d[0] > TSR_MAX_NDIM || *text < '0' || *text > '9') return false;
		to->d[to->d[0]++] = strtoll(text, &end, 10);
		text = end + 1;
	} while (*end == 'x');
	return !*end && !errno;
}

/* `-` is standard input */
static void read_positional(options *o, char *text)
{
	static char input[] = "/dev/stdin";

	if (strcmp(text, "-") == 0) text = input;
	if (o->file)
		o->input[o->ninputs++] = text;
	else
		o->file = text;
}

static int read_options(options *o, int argc, char **argv)
{
	o->input = argv;
	for (int i = 0; i < argc; i++) {
		const bool last = i + 1 == argc;
		if (strcmp(argv[i], "--help") == 0) {
			o->help = true;
		} else if (strcmp(argv[i], "--graph") == 0) {
			o->graph = true;
		} else if (strcmp(argv[i], "--devices") == 0) {
			if (last || !read_count(argv[++i], &o->devices))
				return misuse("--devices needs a number from 1 to 1048576", "");
		} else if (strcmp(argv[i], "--time-limit") == 0) {
			if (last || !read_seconds(argv[++i], &o->time_limit))
				return misuse("--time-limit needs a number of seconds", "");
		} else if (strcmp(argv[i], "--dims") == 0) {
			if (last || !read_dims(argv[++i], &o->dims))
				return misuse("--dims needs sizes with an x between them", "");
		} else if (strcmp(argv[i], "--pass") == 0) {
			if (last) return misuse("--pass needs a name", "");
			o->pass = argv[++i];
		} else if (strcmp(argv[i], "--output") == 0) {
			if (last) return misuse("--output needs a prefix", "");
			o->output = argv[++i];
		} else if (strcmp(argv[i], "--json") == 0) {
			o->json = true;
		} else if (strcmp(argv[i], "--html") == 0) {
			if (last) return misuse("--html needs the name of a file", "");
			o->html = argv[++i];
		} else if (strcmp(argv[i], "--plugin-dir") == 0) {
			if (last) return misuse("--plugin-dir needs a folder", "");
			o->plugin_dir = argv[++i];
		} else if (argv[i][0] == '-' && argv[i][1]) {
			return misuse("unknown option", argv[i]);
		} else {
			read_positional(o, argv[i]);
		}
	}
	return FINE;
}

/* ---- the program of a command */

static void drop_log(void *user, int level, const char *text)
{
	(void)user, (void)level, (void)text;
}

/* as many as the program's largest mesh has: parses with more and more devices, quietly */
static int needed_devices(const char *program)
{
	int n = 1;

	for (; n < MANY; n *= 2) {
		tsr_ctx *ctx = tsr_open(.devices = n, .log = drop_log);
		(void)!tsr_parse_at(NULL, ctx, program); /* for what it says */
		if (tsr_close(ctx) != TSR_ERROR_SHARDING) break;
	}
	return n;
}

/* The fn has a context of its own. The file is read once, since a pipe cannot be read again: first
 * in a context with many devices; then its text is parsed in one with as few as it needs. */
static tsr_fn *open_program(const options *o)
{
	tsr_ctx *ctx = tsr_open(.devices = o->devices ? (int)o->devices : MANY);
	tsr_fn *fn = tsr_load_program_at(NULL, ctx, o->file);

	if (o->devices || tsr_status(ctx)) return fn;
	const char *program = tsr_program_text(fn);
	fn = tsr_parse_at(NULL, tsr_open(.devices = needed_devices(program)), program);
	tsr_close(ctx);
	return fn;
}

/* ---- commands */

/* FAILED, with a message, if the output could not be written: a full disk, a closed pipe */
static int flush_output(void)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout)) return FINE;
	fprintf(stderr, "tsr: standard output: %s\n", errno ? strerror(errno) : "a write failed");
	return FAILED;
}

static int finish(tsr_ctx *ctx)
{
	const int status = tsr_close(ctx) ? FAILED : FINE;
	return flush_output() ? FAILED : status;
}

static int show_help(void)
{
	fputs(help, stdout);
	for (int64_t k = 0; tsr_pass_name(k); k++)
		printf("      %-11s %s\n", tsr_pass_name(k), tsr_pass_meaning(k));
	fputs(help_end, stdout);
	return flush_output();
}

static int devices(const options *o)
{
	if (o->file) return misuse("devices takes no file", o->file);
	tsr_ctx *ctx = tsr_open(.devices = o->devices ? (int)o->devices : 1);

	for (int64_t k = 0; k < tsr_device_count(ctx); k++) {
		const tsr_device_info d = tsr_device(ctx, k);
		printf("cpu:%lld  process %d  memory %d\n", (long long)d.id, d.process, d.memory);
	}
	return finish(ctx);
}

static int prims(const options *o)
{
	if (o->file) return misuse("prims takes no file", o->file);
	tsr_ctx *ctx = tsr_open();

	fputs(tsr_prims_text(ctx), stdout);
	return finish(ctx);
}

static int list(const options *o)
{
	if (!o->file) return misuse("a file of ARRAYS is missing", "");
	if (o->ninputs) return misuse("list takes one file of ARRAYS", o->input[0]);
	tsr_ctx *ctx = tsr_open();

	fputs(tsr_file_text_at(NULL, ctx, o->file), stdout);
	return finish(ctx);
}

static bool read_step(const char *text, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* step -1: the newest */
static int verify(const char *dir, int64_t step)
{
	tsr_ctx *ctx = tsr_open();

	if (step < 0) step = tsr_checkpoint_latest_at(NULL, ctx, dir);
	if (step < 0 && !tsr_status(ctx)) {
		fputs("tsr: there is no complete checkpoint in the folder\n", stderr);
		tsr_close(ctx);
		return FAILED;
	}
	if (step >= 0 && tsr_checkpoint_verify_at(NULL, ctx, dir, step))
		printf("step %lld is sound\n", (long long)step);
	return finish(ctx);
}

static int checkpoint(const options *o)
{
	int64_t step = -1;

	if (!o->file || (strcmp(o->file, "ls") != 0 && strcmp(o->file, "verify") != 0))
		return misuse("checkpoint does ls or verify", o->file ? o->file : "");
	const bool lists = strcmp(o->file, "ls") == 0;
	if (!o->ninputs) return misuse("a DIR is missing", "");
	if (o->ninputs > 1 + !lists) return misuse("more than is known", o->input[o->ninputs - 1]);
	if (o->ninputs == 2 && !read_step(o->input[1], &step))
		return misuse("a STEP is a number from 0", o->input[1]);
	if (!lists) return verify(o->input[0], step);
	tsr_ctx *ctx = tsr_open();
	fputs(tsr_checkpoint_text_at(NULL, ctx, o->input[0]), stdout);
	return finish(ctx);
}

static int print(const options *o)
{
	if (!o->file) return misuse("a FILE is missing", "");
	if (o->ninputs) return misuse("print takes one FILE", o->input[0]);
	tsr_fn *fn = open_program(o);
	tsr_ctx *ctx = tsr_fn_ctx(fn);

	if (o->pass) fn = tsr_program_pass_at(NULL, fn, o->pass);
	fputs(o->graph ? tsr_program_graph(fn) : tsr_program_text(fn), stdout);
	return finish(ctx);
}

/* FAILED, with a message, if it could not be written */
static int write_file(const char *path, const char *text)
{
	errno = 0;
	FILE *out = fopen(path, "w");
	const bool written = out && fputs(text, out) >= 0;

	if (out && fclose(out) == 0 && written) return FINE;
	fprintf(stderr, "tsr: the file of --html: %s\n",
	        errno ? strerror(errno) : "a write failed");
	return FAILED;
}

static int explain(const options *o)
{
	if (!o->file) return misuse("a FILE is missing", "");
	if (o->ninputs) return misuse("explain takes one FILE", o->input[0]);
	if (o->json && o->html) return misuse("--json and --html exclude each other", "");
	tsr_fn *fn = open_program(o);
	tsr_ctx *ctx = tsr_fn_ctx(fn);
	const char *text = o->json   ? tsr_explain_json_at(NULL, fn, NULL, 0)
	                   : o->html ? tsr_explain_html_at(NULL, fn, NULL, 0)
	                             : tsr_explain_text_at(NULL, fn, NULL, 0);
	int wrote = FINE;

	if (!o->html) fputs(text, stdout);
	else if (!tsr_status(ctx)) wrote = write_file(o->html, text);
	const int status = finish(ctx);
	return status ? status : wrote;
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

/* calls fn with x[nx], and gives its n results, for which there is room in y and out */
static void call(const options *o, tsr_fn *fn, tsr **x, tsr **y, tsr_out *out, size_t n)
{
	const tsr_arg all = tsr_arg_tree(TSR_LEAVES(x, (size_t)o->ninputs));
	tsr_ctx *ctx = tsr_fn_ctx(fn);

	for (int i = 0; i < o->ninputs; i++) x[i] = tsr_load_npy_at(NULL, ctx, o->input[i]);
	for (size_t k = 0; k < n; k++) out[k].to = TSR_LEAVES(&y[k], 1);
	if (tsr_status(ctx)) return;
	interrupt_cancels(ctx);
	tsr_call_into_at(o->file, out, n, fn, &all, 1);
	for (size_t k = 0; k < n && !tsr_status(ctx); k++) give_result(o, y[k], k, n);
}

static int run(const options *o)
{
	if (!o->file) return misuse("a FILE is missing", "");
	interrupt_take(o->time_limit);
	tsr_fn *fn = open_program(o);
	tsr_ctx *ctx = tsr_fn_ctx(fn);
	const size_t n = tsr_program_results(fn);
	tsr **x = calloc((size_t)o->ninputs + 1, sizeof(tsr *));
	tsr **y = calloc(n + 1, sizeof(tsr *));
	tsr_out *out = calloc(n + 1, sizeof *out);
	const bool room = x && y && out;

	if (room)
		call(o, fn, x, y, out, n);
	else
		fputs("tsr: out of memory\n", stderr);
	interrupt_cancels(NULL);
	free(x);
	free(y);
	free(out);
	const int status = finish(ctx) || !room ? FAILED : FINE;
	return status && interrupt_status() ? interrupt_status() : status;
}

static int collectives(const options *o)
{
	if (o->file) return misuse("collectives takes no file", o->file);
	const int n = o->devices ? (int)o->devices : 4;
	tsr_ctx *ctx = tsr_open(.devices = n);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", n});
	const tsr_dims dims = o->dims.d[0] ? o->dims : TSR_DIMS(1000, 1000);

	tsr_bench_collectives_at(NULL, mesh, "x", tsr_normal(tsr_key(ctx, 0), dims));
	return finish(ctx);
}

static int conforms(const options *o)
{
	if (!o->file) return misuse("an ENGINE is missing", "");
	if (o->ninputs) return misuse("conform takes one ENGINE", o->input[0]);
	const int status = conform(o->file, o->plugin_dir);
	return flush_output() ? FAILED : status;
}

static const struct command {
	const char *name;
	int (*run)(const options *);
} commands[] = {{"devices", devices},
                {"prims", prims},
                {"list", list},
                {"checkpoint", checkpoint},
                {"print", print},
                {"explain", explain},
                {"run", run},
                {"collectives", collectives},
                {"conform", conforms}};

int main(int argc, char **argv)
{
	options o = {0};

	if (argc < 2) return misuse("a command is missing", "");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) return show_help();
	if (strcmp(argv[1], "--version") == 0) {
		printf("tsr %s\n", tsr_version());
		return flush_output();
	}
	for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
		if (strcmp(argv[1], commands[k].name) != 0) continue;
		const int status = read_options(&o, argc - 2, argv + 2);
		if (status) return status;
		return o.help ? show_help() : commands[k].run(&o);
	}
	return misuse("unknown command", argv[1]);
}
