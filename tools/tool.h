/* tool.h - declares the functions that the files of the tool share. */
#ifndef TSR_TOOLS_TOOL_H
#define TSR_TOOLS_TOOL_H
#include <stdbool.h>
#include <stdio.h>
#include <tsr/tsr.h>

enum { FINE = 0, FAILED = 1, MISUSED = 2, TOO_LONG = 124, INTERRUPTED = 130 }; /* exit statuses */

/* ---- the table (commands.def), in options.c */
#define OPTION(id, ...) OPTION_##id,
typedef enum option_id {
#include "commands.def"
	OPTIONS
} option_id;
#define HAS(id) (1u << OPTION_##id)

typedef enum completes { NOTHING, FILES, FOLDERS, PASSES } completes;

typedef struct option_row {
	const char *name, *value; /* value: NULL if it has none */
	completes completes;
	const char *text;
} option_row;

typedef struct options options;
typedef struct command {
	const char *name, *operands;
	unsigned options; /* HAS(...); --help is known to all */
	const char *words;
	completes completes;
	const char *text;
	int (*run)(const options *);
} command;

extern const option_row option_rows[OPTIONS];
extern const command commands[]; /* in tsr.c; ends with a row without a name */
const command *command_named(const char *name); /* or NULL */

/* ---- options.c: what a command line says */
enum { MANY = 1 << 20 }; /* as many devices as a context can have */

struct options {
	const command *of; /* NULL: none is known yet */
	long devices;      /* 0: not given */
	double time_limit; /* seconds; 0: not given */
	tsr_dims dims;     /* d[0] is 0: not given */
	bool help, graph, json;
	const char *output, *file, *pass, *plugin_dir, *html, *expand;
	char **input; /* the operands behind the first one */
	int ninputs;
};

/* argv[0] is the command. FINE, or MISUSED with a message */
int read_options(options *o, int argc, char **argv);
/* others may have chosen the name of a file: control characters, which a terminal obeys, are ? */
void write_name(FILE *out, const char *name);
int misuse(const options *o, const char *what, const char *which); /* MISUSED; which: or "" */

/* ---- help.c */
void write_wrapped(FILE *out, int column, int indent, const char *text);
void synopsis(const command *of, char *text, size_t room);
int show_help(const command *of); /* NULL: of all. The exit status, as of those below */
void gather_output(void);         /* before any: it is written at once, if it is 64 KiB or less */
int flush_output(void);           /* FAILED, with a message, if output could not be written */

/* ---- tsr.c, manual.c, completions.c and new.c: what each command does. The exit status */
#define COMMAND(name, ...) int do_##name(const options *o);
#include "commands.def"

/* conform/conform.c: checks an engine, says what is wrong on standard output. The exit status */
int conform(const char *engine, const char *plugin_dir);

/* ---- interrupt.c: from now on Ctrl-C ends the process, and so does the time limit, if it is not 0
 */
void interrupt_take(double time_limit);
void interrupt_cancels(tsr_ctx *); /* what it runs is cancelled before that; NULL: nothing runs */
int interrupt_status(void);        /* the exit status if one of them struck, or FINE */

#endif
