/* tool.h - the commands of the tool that have files of their own. */
#ifndef TSR_TOOLS_TOOL_H
#define TSR_TOOLS_TOOL_H

/* conform/conform.c: checks an engine, says what is wrong on standard output. The exit status */
int conform(const char *engine, const char *plugin_dir);

#endif
