/* tool.h - what the files of the tool share. */
#ifndef TSR_TOOLS_TOOL_H
#define TSR_TOOLS_TOOL_H
#include <stdbool.h>
#include <tsr/tsr.h>

enum { FINE = 0, FAILED = 1, MISUSED = 2, TOO_LONG = 124, INTERRUPTED = 130 }; /* exit statuses */

/* conform/conform.c: checks an engine, says what is wrong on standard output. The exit status */
int conform(const char *engine, const char *plugin_dir);

/* ---- interrupt.c: from now on Ctrl-C ends the process, and so does the time limit, if it is not 0
 */
void interrupt_take(double time_limit);
void interrupt_cancels(tsr_ctx *); /* what it runs is cancelled before that; NULL: nothing runs */
int interrupt_status(void);        /* the exit status if one of them struck, or FINE */

#endif
