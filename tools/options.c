/* options.c - reads the command line as GNU tools do, by getopt_long and the table.
 *
 * Example: these say the same:
 *
 *     tsr print FILE --pass simplify --devices 8
 *     tsr print --devices=8 --pa=simplify -- FILE */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "tool.h"

#define OPTION(id, name, value, completes, text) {name, value, completes, text},
const option_row option_rows[OPTIONS] = {
#include "commands.def"
};

const command *command_named(const char *name)
{
	for (const command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0) return c;
	return NULL;
}

void write_name(FILE *out, const char *name)
{
	for (const char *c = name; *c; c++)
		fputc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, out);
}

int misuse(const options *o, const char *what, const char *which)
{
	fprintf(stderr, "tsr: %s%s", what, *which ? ": " : "");
	write_name(stderr, which);
	fprintf(stderr, "\ntry 'tsr %s%s--help'\n", o->of ? o->of->name : "", o->of ? " " : "");
	return MISUSED;
}

/* ---- values */

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

/* what the value of an option must be; NULL: nothing more than to be there */
static const char *needs(option_id id)
{
	switch (id) {
	case OPTION_DEVICES: return "--devices needs a number from 1 to 1048576";
	case OPTION_TIME_LIMIT: return "--time-limit needs a number of seconds";
	case OPTION_DIMS: return "--dims needs sizes with an x between them";
	case OPTION_PASS: return "--pass needs a name";
	case OPTION_EXPAND: return "--expand needs the name of a primitive";
	case OPTION_OUTPUT: return "--output needs a prefix";
	case OPTION_HTML: return "--html needs the name of a file";
	case OPTION_PLUGIN_DIR: return "--plugin-dir needs a folder";
	default: return "";
	}
}

static bool take(options *o, option_id id, const char *value)
{
	switch (id) {
	case OPTION_DEVICES: return read_count(value, &o->devices);
	case OPTION_TIME_LIMIT: return read_seconds(value, &o->time_limit);
	case OPTION_DIMS: return read_dims(value, &o->dims);
	case OPTION_PASS: o->pass = value; break;
	case OPTION_EXPAND: o->expand = value; break;
	case OPTION_OUTPUT: o->output = value; break;
	case OPTION_HTML: o->html = value; break;
	case OPTION_PLUGIN_DIR: o->plugin_dir = value; break;
	case OPTION_HELP: o->help = true; break;
	case OPTION_GRAPH: o->graph = true; break;
	case OPTION_JSON: o->json = true; break;
	case OPTIONS: break;
	}
	return true;
}

/* ---- the line */

/* getopt_long found no option: which one was it, and why not? word is as it was written, letter
 * what getopt says of it */
static int refuse(const options *o, const struct option *known, const char *word, int letter)
{
	const char *name = word + 2;
	const size_t n = strcspn(name, "=");
	char one[] = {'-', (char)letter, 0};
	int alike = 0;

	if (letter > 0 && letter <= 255) return misuse(o, "unknown option", one);
	for (const struct option *k = known; k->name; k++) {
		if (k->val == letter) return misuse(o, "this option has no value", word);
		alike += strncmp(k->name, name, n) == 0;
	}
	return misuse(o, alike > 1 ? "several options begin like this" : "unknown option", word);
}

/* `-` is standard input */
static char *operand(char *text)
{
	static char input[] = "/dev/stdin";

	return strcmp(text, "-") == 0 ? input : text;
}

int read_options(options *o, int argc, char **argv)
{
	enum { FIRST = 256 }; /* above all letters */
	struct option known[OPTIONS + 1] = {0};
	int n = 0, found;

	for (int k = 0; k < OPTIONS; k++) {
		const option_row *row = &option_rows[k];
		if (!((o->of->options | HAS(HELP)) >> k & 1)) continue;
		known[n++] = (struct option){
			.name = row->name, .has_arg = row->value != NULL, .val = FIRST + k};
	}
	opterr = 0;
	while ((found = getopt_long(argc, argv, ":", known, NULL)) != -1) {
		const option_id id = (option_id)((found == ':' ? optopt : found) - FIRST);
		if (found == '?') return refuse(o, known, argv[optind - 1], optopt);
		if (found == ':' || !take(o, id, optarg)) return misuse(o, needs(id), "");
	}
	for (int k = optind; k < argc; k++) argv[k] = operand(argv[k]);
	o->file = optind < argc ? argv[optind] : NULL;
	o->input = argv + optind + 1;
	o->ninputs = optind < argc ? argc - optind - 1 : 0;
	return FINE;
}
