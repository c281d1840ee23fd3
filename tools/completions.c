/* completions.c - prints the completions of `tsr` for bash, zsh and fish, from the table. */
#include <string.h>
#include "tool.h"

/* the text of a row up to its first colon or semicolon, within single quotes; quote is how the
 * shell writes one of these there */
static void brief(const char *text, const char *quote)
{
	for (; *text && *text != ';' && *text != ':'; text++) {
		if (*text == '\'')
			fputs(quote, stdout);
		else
			putchar(*text);
	}
}

static void pass_names(void)
{
	for (int64_t k = 0; tsr_pass_name(k); k++) printf("%s%s", k ? " " : "", tsr_pass_name(k));
}

static unsigned options_of(const command *c) { return c->options | HAS(HELP); }

/* ---- bash */

static void bash_reply(completes completes)
{
	switch (completes) {
	case FILES: fputs("_tsr_names -f", stdout); break;
	case FOLDERS: fputs("_tsr_names -d", stdout); break;
	case PASSES:
		fputs("_tsr_words '", stdout);
		pass_names();
		fputs("'", stdout);
		break;
	case NOTHING: fputs(":", stdout); break;
	}
}

static void bash_command(const command *c)
{
	printf("\t%s)\n\t\tcase $option in\n", c->name);
	for (int k = 0; k < OPTIONS; k++) {
		if (!(options_of(c) >> k & 1) || !option_rows[k].value) continue;
		printf("\t\t--%s) ", option_rows[k].name);
		bash_reply(option_rows[k].completes);
		fputs("; return ;;\n", stdout);
	}
	fputs("\t\tesac\n\t\tcase $word in\n\t\t-*) _tsr_words '", stdout);
	for (int k = 0; k < OPTIONS; k++)
		if (options_of(c) >> k & 1) printf("--%s ", option_rows[k].name);
	fputs("' ;;\n\t\t*) ", stdout);
	if (*c->words)
		printf("if [ \"$COMP_CWORD\" -eq 2 ]; then _tsr_words '%s'; else ", c->words);
	bash_reply(c->completes);
	printf("%s ;;\n\t\tesac\n\t\t;;\n", *c->words ? "; fi" : "");
}

static void bash(void)
{
	fputs("# what bash completes behind tsr; printed by `tsr completions bash`\n"
	      "_tsr_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\"); }\n"
	      "_tsr_names() {\n"
	      "\tcompopt -o filenames 2>/dev/null\n"
	      "\tmapfile -t COMPREPLY < <(compgen \"$1\" -- \"$word\")\n"
	      "}\n"
	      "_tsr() {\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	      "\t\t_tsr_words '",
	      stdout);
	for (const command *c = commands; c->name; c++) printf("%s ", c->name);
	fputs("--help --version'\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\t# --pass=NAME comes as three words\n"
	      "\tif [ \"$word\" = = ]; then word=\n"
	      "\telif [ \"$option\" = = ]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
	      "\tfi\n"
	      "\tcase ${COMP_WORDS[1]} in\n",
	      stdout);
	for (const command *c = commands; c->name; c++) bash_command(c);
	fputs("\tesac\n}\ncomplete -F _tsr tsr\n", stdout);
}

/* ---- zsh */

static void zsh_reply(completes completes, const char *words)
{
	switch (completes) {
	case FILES: fputs("_files", stdout); break;
	case FOLDERS: fputs("_files -/", stdout); break;
	case PASSES:
		fputs("(", stdout);
		pass_names();
		fputs(")", stdout);
		break;
	case NOTHING: printf(*words ? "(%s)" : " ", words); break;
	}
}

static void zsh_command(const command *c)
{
	printf("\t\t%s) _arguments", c->name);
	for (int k = 0; k < OPTIONS; k++) {
		const option_row *row = &option_rows[k];
		if (!(options_of(c) >> k & 1)) continue;
		printf(" \\\n\t\t\t'--%s%s[", row->name, row->value ? "=" : "");
		brief(row->text, "'\\''");
		fputs("]", stdout);
		if (row->value) {
			printf(":%s:", row->value);
			zsh_reply(row->completes, "");
		}
		fputs("'", stdout);
	}
	if (*c->words) printf(" \\\n\t\t\t'1:word:(%s)'", c->words);
	if (c->completes != NOTHING) {
		fputs(" \\\n\t\t\t'*:operand:", stdout);
		zsh_reply(c->completes, "");
		fputs("'", stdout);
	}
	fputs(" ;;\n", stdout);
}

static void zsh(void)
{
	fputs("#compdef tsr\n"
	      "# what zsh completes behind tsr; printed by `tsr completions zsh`\n"
	      "_tsr() {\n"
	      "\tlocal state\n"
	      "\tlocal -a commands\n"
	      "\tcommands=(\n",
	      stdout);
	for (const command *c = commands; c->name; c++) {
		printf("\t\t'%s:", c->name);
		brief(c->text, "'\\''");
		fputs("'\n", stdout);
	}
	fputs("\t)\n"
	      "\t_arguments -C '--help[print help]' '--version[print the version]' \\\n"
	      "\t\t'1:command:->command' '*::operand:->operands'\n"
	      "\tcase $state in\n"
	      "\tcommand) _describe command commands ;;\n"
	      "\toperands)\n"
	      "\t\tcase $words[1] in\n",
	      stdout);
	for (const command *c = commands; c->name; c++) zsh_command(c);
	fputs("\t\tesac\n\t\t;;\n\tesac\n}\n"
	      "if [ \"$funcstack[1]\" = _tsr ]; then _tsr; else compdef _tsr tsr; fi\n",
	      stdout);
}

/* ---- fish */

static void fish_line(const char *command)
{
	printf("complete -c tsr -n '__fish_seen_subcommand_from %s'", command);
}

static void fish_command(const command *c)
{
	printf("complete -c tsr -n __fish_use_subcommand -a %s -d '", c->name);
	brief(c->text, "\\'");
	fputs("'\n", stdout);
	for (int k = 0; k < OPTIONS; k++) {
		const option_row *row = &option_rows[k];
		if (!(options_of(c) >> k & 1)) continue;
		fish_line(c->name);
		printf(" -l %s", row->name);
		switch (row->completes) {
		case FILES: fputs(" -rF", stdout); break;
		case FOLDERS: fputs(" -xa '(__fish_complete_directories)'", stdout); break;
		case PASSES:
			fputs(" -xa '", stdout);
			pass_names();
			fputs("'", stdout);
			break;
		case NOTHING: fputs(row->value ? " -x" : "", stdout); break;
		}
		fputs(" -d '", stdout);
		brief(row->text, "\\'");
		fputs("'\n", stdout);
	}
	if (*c->words) {
		fish_line(c->name);
		printf(" -a '%s'\n", c->words);
	}
	if (c->completes != NOTHING) {
		fish_line(c->name);
		fputs(c->completes == FILES ? " -F\n" : " -a '(__fish_complete_directories)'\n",
		      stdout);
	}
}

static void fish(void)
{
	fputs("# what fish completes behind tsr; printed by `tsr completions fish`\n"
	      "complete -c tsr -f\n"
	      "complete -c tsr -n __fish_use_subcommand -l help -d 'print help'\n"
	      "complete -c tsr -n __fish_use_subcommand -l version -d 'print the version'\n",
	      stdout);
	for (const command *c = commands; c->name; c++) fish_command(c);
}

int do_completions(const options *o)
{
	if (!o->file) return misuse(o, "a shell is missing: bash, zsh or fish", "");
	if (o->ninputs) return misuse(o, "completions takes one shell", o->input[0]);
	gather_output();
	if (strcmp(o->file, "bash") == 0)
		bash();
	else if (strcmp(o->file, "zsh") == 0)
		zsh();
	else if (strcmp(o->file, "fish") == 0)
		fish();
	else
		return misuse(o, "completions are for bash, zsh and fish, not", o->file);
	return flush_output();
}
