/* manual.c - prints the manual page tsr(1) out of the table, in the language of man(7). */
#include <string.h>
#include "tool.h"

enum { WIDTH = 70 }; /* of lines that nobody reads but who looks for a fault */

static void plain(const char *text, size_t n)
{
	for (; n--; text++) {
		if (*text == '-' || *text == '\\')
			fputs(*text == '-' ? "\\-" : "\\e", stdout);
		else
			putchar(*text);
	}
}

/* text behind `column` others, in lines of which none begins as a request does */
static void lines(const char *text, size_t column)
{
	while (*text) {
		const size_t n = strcspn(text, " ");
		if (column && column + 1 + n > WIDTH)
			column = 0, putchar('\n');
		else if (column)
			column++, putchar(' ');
		if (!column && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
		plain(text, n);
		column += n;
		text += n + (text[n] == ' ');
	}
	putchar('\n');
}

static void line(const char *text) { lines(text, 0); }

static void manual_option(const option_row *row)
{
	fputs(".TP\n\\fB\\-\\-", stdout);
	plain(row->name, strlen(row->name));
	fputs("\\fR", stdout);
	if (row->value) printf(" \\fI%s\\fR", row->value);
	putchar('\n');
	line(row->text);
	if (row->completes != PASSES) return;
	fputs(".RS\n", stdout);
	for (int64_t k = 0; tsr_pass_name(k); k++) {
		printf(".TP 12\n%s\n", tsr_pass_name(k));
		line(tsr_pass_meaning(k));
	}
	fputs(".RE\n", stdout);
}

int do_manual(const options *o)
{
	char text[512];

	if (o->file) return misuse(o, "manual takes no file", o->file);
	gather_output();
	printf(".TH TSR 1 \"\" \"Tessera %s\" \"User Commands\"\n.SH NAME\n", tsr_version());
	fputs("tsr \\- programs of the Tessera library\n.SH SYNOPSIS\n.nf\n", stdout);
	for (const command *c = commands; c->name; c++) {
		synopsis(c, text, sizeof text);
		plain(text, strlen(text));
		putchar('\n');
	}
	line("tsr --help, tsr COMMAND --help, tsr --version");
	fputs(".fi\n.SH DESCRIPTION\n", stdout);
	line("Tessera is a library for arrays that are spread over a mesh of devices. This tool "
	     "reads, prints, explains and runs programs in its text form, lists files and "
	     "checkpoints, measures collectives, checks engines, and begins projects.");
	fputs(".SH COMMANDS\n", stdout);
	for (const command *c = commands; c->name; c++) {
		printf(".TP\n\\fB%s\\fR", c->name);
		lines(c->operands, strlen(c->name));
		line(c->text);
	}
	fputs(".SH OPTIONS\n", stdout);
	line("Options may follow operands, --devices=8 is --devices 8, and behind -- there are "
	     "operands alone. An option may be shortened to what no other begins with. "
	     "FILE and INPUT.npy may be pipes; - is standard input.");
	for (int k = 0; k < OPTIONS; k++) manual_option(&option_rows[k]);
	fputs(".SH EXIT STATUS\n", stdout);
	line("0 is success, 1 an error, also where the output cannot be written, 2 wrong usage, "
	     "124 a time limit that ended the program, and 130 Ctrl-C.");
	fputs(".SH SEE ALSO\n", stdout);
	line("The documents of the library, which are installed beside it: README.md, "
	     "program-text.md, debugging.md, engines.md and checkpoints.md.");
	return flush_output();
}
