/* help.c - prints the help of the tool, or of one command, out of the table. */
#include <errno.h>
#include <string.h>
#include "tool.h"

enum { WIDTH = 88, COMMANDS_AT = 30, OPTIONS_AT = 16 };

/* one write says why it failed; of several, the last one may have had nothing to write */
void gather_output(void)
{
	static char buffer[1 << 16];

	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

int flush_output(void)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout)) return FINE;
	fprintf(stderr, "tsr: standard output: %s\n", errno ? strerror(errno) : "a write failed");
	return FAILED;
}

/* words of text from `column` on; further lines begin behind `indent` spaces */
void write_wrapped(FILE *out, int column, int indent, const char *text)
{
	for (bool first = true; *text; first = false) {
		const int n = (int)strcspn(text, " ");
		if (!first && column + 1 + n > WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", n, text);
		column += n;
		text += n + (text[n] == ' ');
	}
	fputc('\n', out);
}

/* "tsr print FILE [--pass NAME] [--graph] [--devices N]", as snprintf */
void synopsis(const command *of, char *text, size_t room)
{
	size_t n = (size_t)snprintf(text, room, "tsr %s%s%s", of->name, *of->operands ? " " : "",
	                            of->operands);

	for (int k = 0; k < OPTIONS; k++) {
		const option_row *row = &option_rows[k];
		if (!(of->options >> k & 1) || n >= room) continue;
		n += (size_t)snprintf(text + n, room - n, " [--%s%s%s]", row->name,
		                      row->value ? " " : "", row->value ? row->value : "");
	}
}

static void help_command(const command *of)
{
	char text[512];

	synopsis(of, text, sizeof text);
	const int n = (int)strlen(text) + 2;
	printf("  %s", text);
	if (n + 2 > COMMANDS_AT)
		printf("\n%*s", COMMANDS_AT, "");
	else
		printf("%*s", COMMANDS_AT - n, "");
	write_wrapped(stdout, COMMANDS_AT, COMMANDS_AT, of->text);
}

static void help_option(option_id id)
{
	const option_row *row = &option_rows[id];
	char text[64];

	snprintf(text, sizeof text, "  --%s %s", row->name, row->value ? row->value : "");
	const int n = (int)strlen(text);
	printf("%s", text);
	if (n >= OPTIONS_AT)
		printf("\n%*s", OPTIONS_AT, "");
	else
		printf("%*s", OPTIONS_AT - n, "");
	write_wrapped(stdout, OPTIONS_AT, OPTIONS_AT, row->text);
	for (int64_t k = 0; id == OPTION_PASS && tsr_pass_name(k); k++)
		printf("      %-11s %s\n", tsr_pass_name(k), tsr_pass_meaning(k));
}

static const char notes[] =
	"  tsr --help, tsr COMMAND --help, tsr --version\n"
	"\n"
	"  FILE and INPUT.npy may be pipes; - is standard input. Options may follow\n"
	"  operands, --devices=8 is --devices 8, and behind -- there are operands alone.\n",
	statuses[] =
	"\n"
	"Errors go to stderr; the exit status is 1 for them, also where the output cannot be\n"
	"written, 2 for wrong usage, 124 if a time limit ended the program, and 130 if Ctrl-C\n"
	"did.\n";

int show_help(const command *of)
{
	unsigned options = of ? of->options | HAS(HELP) : 0;

	gather_output();
	if (of) {
		help_command(of);
	} else {
		fputs("tsr - programs of the Tessera library\n\n", stdout);
		for (const command *c = commands; c->name; c++) {
			help_command(c);
			options |= c->options;
		}
		fputs(notes, stdout);
	}
	fputc('\n', stdout);
	for (int k = 0; k < OPTIONS; k++)
		if (options >> k & 1) help_option((option_id)k);
	if (!of) fputs(statuses, stdout);
	return flush_output();
}
