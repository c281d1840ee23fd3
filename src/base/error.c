/* error.c - the first error of a context: its code, text and notes, and where they are logged.
 *
 * Recording must work when there is no memory left, so everything lies in one buffer made with
 * the context: the text first, of at most TEXT_MOST bytes, then the notes. What does not fit is cut
 * between two UTF-8 characters and ends in "...". */
#include "base/base.h"
#include <stdio.h>

#define TEXT_MOST ((size_t)4096)
#define NOTES_MOST ((size_t)2048)

struct errors {
	atomic_flag busy; /* only the dead context's errors are shared by threads */
	void (*log)(void *user, int level, const char *text);
	void *user;
	tsr_code code;
	size_t total, cleared;      /* failures so far, and of these how many when last cleared */
	bool logged;
	size_t len;                 /* of `text`, which is always terminated */
	char text[TEXT_MOST + NOTES_MOST];
};

static void lock(errors *e)
{
	while (atomic_flag_test_and_set_explicit(&e->busy, memory_order_acquire))
		continue;
}

static void unlock(errors *e) { atomic_flag_clear_explicit(&e->busy, memory_order_release); }

static void log_to_stderr(void *user, int level, const char *text)
{
	(void)user, (void)level;
	fprintf(stderr, "tsr: %s\n", text);
}

errors *errors_make(base *b)
{
	errors *e = mem_alloc_quiet(b, sizeof *e);

	if (!e) return NULL;
	*e = (errors){.busy = ATOMIC_FLAG_INIT, .log = log_to_stderr};
	return e;
}

/* s, cut to `room` bytes by an unfinished write, becomes one that ends in "..."; returns its length
 * */
static size_t cut(char *s, size_t room)
{
	size_t len = room - sizeof "...";

	while (len && ((unsigned char)s[len] & 0xC0) == 0x80) len--;
	memcpy(s + len, "...", sizeof "...");
	return len + 3;
}

/* writes `format` at s, which has room for at least "..." and its end; the length of what was
 * written */
PRINTF_LIKE(3, 0)
static size_t write_at(char *s, size_t room, const char *format, va_list args)
{
	const int n = vsnprintf(s, room, format, args);

	if (n < 0) *s = 0;
	return n < 0 ? 0 : (size_t)n < room ? (size_t)n : cut(s, room);
}

PRINTF_LIKE(3, 4)
static size_t write_here(char *s, size_t room, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const size_t n = write_at(s, room, format, args);
	va_end(args);
	return n;
}

static void keep_first(errors *e, const char *where, tsr_code code, const char *format,
                       va_list args)
{
	if (e->total++ != e->cleared) return;
	e->code = code;
	e->logged = false;
	/* a place takes at most half of the room, so that the text is seen */
	e->len = where ? write_here(e->text, TEXT_MOST / 2, "%s", where) : 0;
	if (where) e->len += write_here(e->text + e->len, TEXT_MOST - e->len, ": ");
	e->len += write_at(e->text + e->len, TEXT_MOST - e->len, format, args);
}

bool vfail(base *b, const char *where, tsr_code code, const char *format, va_list args)
{
	errors *e = b ? b->errors : NULL;

	if (!e) return false;
	lock(e);
	keep_first(e, where, code, format, args);
	unlock(e);
	return false;
}

bool fail(base *b, const char *where, tsr_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfail(b, where, code, format, args);
	va_end(args);
	return false;
}

bool failed(const base *b) { return error_code(b) != TSR_OK; }

void fail_note(base *b, const char *format, ...)
{
	static const char lead[] = "\n  ";
	errors *e = b ? b->errors : NULL;
	const size_t least = sizeof lead + sizeof "...";
	va_list args;

	if (!e || !e->code || sizeof e->text - e->len < least) return;
	/* the end of the text stays in place until the note is whole: the note may quote the text
	 * */
	char *note = e->text + e->len + sizeof lead - 1;
	va_start(args, format);
	const size_t n = write_at(note, sizeof e->text - e->len - (sizeof lead - 1), format, args);
	va_end(args);
	/* a note that says what the one before said is not repeated */
	if (n + sizeof lead - 1 < e->len && strncmp(e->text + e->len - n, note, n) == 0 &&
	    strncmp(e->text + e->len - n - (sizeof lead - 1), lead, sizeof lead - 1) == 0) {
		e->text[e->len] = 0;
		return;
	}
	memcpy(e->text + e->len, lead, sizeof lead - 1);
	e->len += sizeof lead - 1 + n;
}

size_t error_mark(const base *b) { return b && b->errors ? b->errors->total : 0; }

bool failed_since(const base *b, size_t mark)
{
	return b && b->errors && b->errors->total > mark && b->errors->total > b->errors->cleared;
}

int error_code(const base *b) { return b && b->errors ? (int)b->errors->code : TSR_OK; }
const char *error_text(const base *b) { return b && b->errors ? b->errors->text : ""; }

void error_clear(base *b)
{
	if (!b || !b->errors) return;
	lock(b->errors);
	b->errors->code = TSR_OK;
	b->errors->cleared = b->errors->total;
	b->errors->len = 0;
	b->errors->text[0] = 0;
	unlock(b->errors);
}

void errors_log_to(base *b, void (*log)(void *user, int level, const char *text), void *user)
{
	if (!b || !b->errors) return;
	b->errors->log = log ? log : log_to_stderr;
	b->errors->user = user;
}

void error_log_once(base *b)
{
	if (!b || !b->errors) return;
	lock(b->errors);
	const bool tell = b->errors->code && !b->errors->logged;
	b->errors->logged = true;
	unlock(b->errors);
	if (tell) log_text(b, 0, b->errors->text);
}

void error_mark_logged(base *b)
{
	if (failed(b)) b->errors->logged = true;
}

void log_text(base *b, int level, const char *text)
{
	if (b && b->errors) b->errors->log(b->errors->user, level, text);
}
