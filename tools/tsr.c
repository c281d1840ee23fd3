/* tsr.c - the command-line tool: runs the command that is asked for: devices, prims, list,
 * checkpoint, print, explain, run, collectives or conform. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tool.h"

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

static int finish(tsr_ctx *ctx)
{
	const int status = tsr_close(ctx) ? FAILED : FINE;
	return flush_output() ? FAILED : status;
}

int do_devices(const options *o)
{
	if (o->file) return misuse(o, "devices takes no file", o->file);
	tsr_ctx *ctx = tsr_open(.devices = o->devices ? (int)o->devices : 1);

	for (int64_t k = 0; k < tsr_device_count(ctx); k++) {
		const tsr_device_info d = tsr_device(ctx, k);
		printf("cpu:%lld  process %d  memory %d\n", (long long)d.id, d.process, d.memory);
	}
	return finish(ctx);
}

int do_prims(const options *o)
{
	if (o->file) return misuse(o, "prims takes no file", o->file);
	tsr_ctx *ctx = tsr_open();

	fputs(tsr_prims_text(ctx), stdout);
	return finish(ctx);
}

int do_list(const options *o)
{
	if (!o->file) return misuse(o, "a file of ARRAYS is missing", "");
	if (o->ninputs) return misuse(o, "list takes one file of ARRAYS", o->input[0]);
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

int do_checkpoint(const options *o)
{
	int64_t step = -1;

	if (!o->file || (strcmp(o->file, "ls") != 0 && strcmp(o->file, "verify") != 0))
		return misuse(o, "checkpoint does ls or verify", o->file ? o->file : "");
	const bool lists = strcmp(o->file, "ls") == 0;
	if (!o->ninputs) return misuse(o, "a DIR is missing", "");
	if (o->ninputs > 1 + !lists)
		return misuse(o, "more than is known", o->input[o->ninputs - 1]);
	if (o->ninputs == 2 && !read_step(o->input[1], &step))
		return misuse(o, "a STEP is a number from 0", o->input[1]);
	if (!lists) return verify(o->input[0], step);
	tsr_ctx *ctx = tsr_open();
	fputs(tsr_checkpoint_text_at(NULL, ctx, o->input[0]), stdout);
	return finish(ctx);
}

/* how many operands the line of `tsr prims` about a primitive shows; -1: there is no such line */
static int operands_of(const char *prims, const char *name, size_t len)
{
	for (const char *line = prims; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, len) != 0 || line[len] != ' ') continue;
		int n = 0;
		for (const char *c = line; *c && *c != '\n'; c++) n += *c == '%';
		return n;
	}
	return -1;
}

/* "lgamma", "exp:c64": a program of one equation, of which the pass shows what it is made of */
static int print_expansion(const options *o)
{
	enum { MOST = 3 };
	const char *dtype = strchr(o->expand, ':');
	const int len = dtype ? (int)(dtype - o->expand) : (int)strlen(o->expand);
	tsr_ctx *ctx = tsr_open();
	const int n = operands_of(tsr_prims_text(ctx), o->expand, (size_t)len);
	char inputs[128] = "", operands[32] = "", text[512];

	dtype = dtype ? dtype + 1 : "f32";
	if (n < 1 || n > MOST || len > 64 || strlen(dtype) > 4) {
		tsr_close(ctx);
		return misuse(o, "this is no primitive of one to three operands", o->expand);
	}
	for (int i = 0; i < n; i++) {
		const size_t at = strlen(inputs), to = strlen(operands);
		snprintf(inputs + at, sizeof inputs - at, "%s%%%d: %s[]", i ? ", " : "", i, dtype);
		snprintf(operands + to, sizeof operands - to, " %%%d", i);
	}
	snprintf(text, sizeof text, "%.*s(%s) -> %s[] {\n%%%d: %s[] = %.*s%s\nreturn %%%d\n}\n",
	         len, o->expand, inputs, dtype, n, dtype, len, o->expand, operands, n);
	fputs(tsr_program_text(tsr_program_pass_at(NULL, tsr_parse_at(NULL, ctx, text), "expand")),
	      stdout);
	return finish(ctx);
}

int do_print(const options *o)
{
	if (o->expand) return print_expansion(o);
	if (!o->file) return misuse(o, "a FILE is missing", "");
	if (o->ninputs) return misuse(o, "print takes one FILE", o->input[0]);
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

int do_explain(const options *o)
{
	if (!o->file) return misuse(o, "a FILE is missing", "");
	if (o->ninputs) return misuse(o, "explain takes one FILE", o->input[0]);
	if (o->json && o->html) return misuse(o, "--json and --html exclude each other", "");
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

int do_run(const options *o)
{
	if (!o->file) return misuse(o, "a FILE is missing", "");
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

int do_collectives(const options *o)
{
	if (o->file) return misuse(o, "collectives takes no file", o->file);
	const int n = o->devices ? (int)o->devices : 4;
	tsr_ctx *ctx = tsr_open(.devices = n);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", n});
	const tsr_dims dims = o->dims.d[0] ? o->dims : TSR_DIMS(1000, 1000);

	tsr_bench_collectives_at(NULL, mesh, "x", tsr_normal(tsr_key(ctx, 0), dims));
	return finish(ctx);
}

int do_conform(const options *o)
{
	if (!o->file) return misuse(o, "an ENGINE is missing", "");
	if (o->ninputs) return misuse(o, "conform takes one ENGINE", o->input[0]);
	const int status = conform(o->file, o->plugin_dir);
	return flush_output() ? FAILED : status;
}

#define COMMAND(name, operands, options, words, completes, text) \
	{#name, operands, options, words, completes, text, do_##name},
const command commands[] = {
#include "commands.def"
	{0}};

/* what begins with no command: tsr --help, tsr --version, tsr help print */
static int general(const options *o, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (!*word) return misuse(o, "a command is missing", "");
	if (strcmp(word, "--help") == 0) return show_help(NULL);
	if (strcmp(word, "help") == 0) {
		const command *of = argc > 2 ? command_named(argv[2]) : NULL;
		if (argc > 2 && !of) return misuse(o, "unknown command", argv[2]);
		return show_help(of);
	}
	if (strcmp(word, "--version") == 0) {
		printf("tsr %s\n", tsr_version());
		return flush_output();
	}
	return misuse(o, *word == '-' ? "unknown option" : "unknown command", word);
}

int main(int argc, char **argv)
{
	options o = {0};

	o.of = argc > 1 ? command_named(argv[1]) : NULL;
	if (!o.of) return general(&o, argc, argv);
	const int status = read_options(&o, argc - 1, argv + 1);
	if (status) return status;
	return o.help ? show_help(o.of) : o.of->run(&o);
}
