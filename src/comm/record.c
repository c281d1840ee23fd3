/* record.c - writes down the last calls of a process, in a file of the folder in TSR_RECORD.
 *
 * Two processes that have gone apart differ in a line of their files; who was killed has left his.
 * So a line is written as the call begins. A file has room for 256 of them, and a new one takes the
 * place of the oldest. All lines have one length, and `sort -n` puts them in order:
 *
 *             0  rank 1 of 4, host b, pid 71: open
 *           117  call 117  sum 0c94f3a17e52b608  of 4 ranks from 0  "step" (app.c:88)
 *           118  call 1    sum 9ae01d75c4f2630b  of 2 ranks from 0  "put" (app.c:93)
 *
 * The sum is a hash of all calls that these ranks have made together, up to this one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"

enum { RECORDS = 256, LINE = 256, MOST_FILES = 1000 };

static void write_line(const processes *ps, int place, const char *text)
{
	char line[LINE];

	/* a byte of a name may be anything, and must not begin another line */
	const int n = snprintf(line, LINE, "%.*s", LINE - 2, text);
	for (int i = 0; i < n; i++)
		if (line[i] == '\n') line[i] = ' ';
	memset(line + n, ' ', (size_t)(LINE - 1 - n));
	line[LINE - 1] = '\n';
	/* what cannot be written is missing: it is no reason to fail */
	if (pwrite(ps->record, line, LINE, (off_t)place * LINE) != LINE) return;
}

static void write_head(const processes *ps, const char *state)
{
	const process_name *own = &ps->names[ps->comm->rank];
	char text[LINE];

	snprintf(text, LINE, "%9d  rank %d of %d, host %s, pid %d: %s", 0, ps->comm->rank,
	         ps->comm->size, own->host, own->pid, state);
	write_line(ps, 0, text);
}

/* a context may have been open in this process before */
static int file_make(const processes *ps, const char *folder, char *path, size_t room)
{
	const process_name *own = &ps->names[ps->comm->rank];
	int file = -1;

	for (int i = 1; file < 0 && i < MOST_FILES; i++) {
		snprintf(path, room, "%s/rank-%d.%s.%d.%d", folder, ps->comm->rank, own->host,
		         own->pid, i);
		file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file < 0 && errno != EEXIST) break;
	}
	return file;
}

bool record_begin(processes *ps, const char *where)
{
	const char *folder = environment("TSR_RECORD");
	char path[4096];

	ps->record = -1;
	if (!folder || !*folder) return true;
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return fail(ps->base, where, TSR_ERROR_FILE, "TSR_RECORD: %s: %s", folder,
		            strerror(errno));
	ps->record = file_make(ps, folder, path, sizeof path);
	if (ps->record < 0)
		return fail(ps->base, where, TSR_ERROR_FILE, "TSR_RECORD: %s: %s", path,
		            strerror(errno));
	write_head(ps, "open");
	return true;
}

void record_call(processes *ps, const team *t, const call_name *call)
{
	char text[LINE];

	if (ps->record < 0) return;
	const int64_t number = ++ps->nrecords;
	snprintf(text, LINE, "%9lld  call %-6lld  sum %016llx  of %d ranks from %d  \"%s\"%s%s%s",
	         (long long)number, (long long)t->calls, (unsigned long long)t->sum, t->n,
	         t->rank[0], call->name ? call->name : "a program", call->where ? " (" : "",
	         call->where ? call->where : "", call->where ? ")" : "");
	write_line(ps, 1 + (int)((number - 1) % RECORDS), text);
}

void record_state(processes *ps, const char *state)
{
	if (ps->record >= 0) write_head(ps, state);
}

void record_end(processes *ps)
{
	if (ps->record >= 0) close(ps->record);
	ps->record = -1;
}
