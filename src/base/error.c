/* error.c - keeps the first error of a context: its code, text and notes, and logs them.
 *
 * Recording must work when there is no memory left. So everything is in one buffer that is made
 * with the context: first the text, of at most TEXT_MOST bytes, then the notes. Text that does not
 * fit is cut between two UTF-8 characters and ends in "...".
 *
 * Errors that belong to no context are recorded in errors_process, which is static. It keeps the
 * last error instead of the first, and logs each at once. Threads that record there at once do not
 * see each other's: each has a record of its own, and only who has no error there takes over that
 * of the last thread that had one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/base.h"

_Thread_local __attribute__((tls_model("initial-exec"))) asked_call asked_here;

#define TEXT_MOST ((size_t)4096)
#define NOTES_MOST ((size_t)2048)
#define CLEARED_MOST ((size_t)1024)
#define PLACE_MOST ((size_t)512)

typedef struct log_hook {
	void (*call)(void *user, int level, const char *text); /* NULL: the process's, or stderr */
	void *user;
} log_hook;

struct errors {
	atomic_flag busy; /* of errors_process: threads share it */
	log_hook log;
	int rank;                   /* what it logs begins with "[rank] "; -1: it does not */
	tsr_code code;
	size_t total, cleared;      /* failures so far; the total when last cleared */
	bool logged;
	size_t len;                 /* of `text`, which is always terminated */
	size_t text_len;            /* of it, without notes */
	char place[PLACE_MOST];     /* which `text` begins with; "": none, or a longer one */
	char text[TEXT_MOST + NOTES_MOST];
	/* the error that was cleared last: poison that was made before may come from it */
	size_t nclears;             /* how many errors were cleared */
	tsr_code cleared_code;
	char cleared_text[CLEARED_MOST];
	char clash[CLASH_MOST]; /* turn.c's */
};

errors errors_process = {.busy = ATOMIC_FLAG_INIT, .rank = -1};

static void lock(errors *kept)
{
	while (atomic_flag_test_and_set_explicit(&kept->busy, memory_order_acquire))
		continue;
}

static void unlock(errors *kept) { atomic_flag_clear_explicit(&kept->busy, memory_order_release); }

static pthread_key_t key;
static bool has_key;

static void key_make(void) { has_key = !pthread_key_create(&key, free); }

/* The record of this thread, which the system frees with it. It is not in thread-local storage: of
 * that a program that opens the library with dlopen has some hundred bytes left, for all that is
 * static. Threads for which there is no memory share one */
static errors *of_thread(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static errors shared = {.busy = ATOMIC_FLAG_INIT, .rank = -1};

	pthread_once(&once, key_make);
	errors *own = has_key ? pthread_getspecific(key) : NULL;
	if (own) return own;
	if (!has_key || !(own = malloc(sizeof *own))) return &shared;
	*own = (errors){.busy = ATOMIC_FLAG_INIT, .rank = -1};
	if (!pthread_setspecific(key, own)) return own;
	free(own);
	return &shared;
}

static void copy_error(errors *to, const errors *from)
{
	to->code = from->code;
	to->logged = from->logged;
	to->len = to->text_len = from->len;
	memcpy(to->text, from->text, from->len + 1);
}

/* the record that a thread sees of these errors */
static errors *seen(errors *kept)
{
	if (kept != &errors_process) return kept;
	errors *own = of_thread();
	if (own->code) return own;
	lock(kept);
	if (kept->code) copy_error(own, kept);
	unlock(kept);
	return own;
}

static errors *errors_of(const base *b) { return b && b->errors ? seen(b->errors) : NULL; }

static void tell(const log_hook *own, int level, const char *text)
{
	log_hook to = own == &errors_process.log ? (log_hook){0} : *own;

	if (!to.call) {
		lock(&errors_process);
		to = errors_process.log;
		unlock(&errors_process);
	}
	if (to.call)
		to.call(to.user, level, text);
	else
		fprintf(stderr, "tsr: %s\n", text);
}

char *error_clash(errors *kept) { return kept->clash; }

errors *errors_make(base *b)
{
	errors *kept = mem_alloc_quiet(b, sizeof *kept);

	if (!kept) return NULL;
	*kept = (errors){.busy = ATOMIC_FLAG_INIT, .rank = -1};
	return kept;
}

/* s was cut to `room` bytes: makes it end in "..."; returns its length */
static size_t cut(char *s, size_t room)
{
	size_t len = room - sizeof "...";

	while (len && ((unsigned char)s[len] & 0xC0) == 0x80) len--;
	memcpy(s + len, "...", sizeof "...");
	return len + 3;
}

/* Texts quote names of files and the like, which others may have chosen. A terminal must not obey
 * them, so control characters become '?': escape, and those of UTF-8 from C2 80 to C2 9F */
static void make_harmless(char *s)
{
	for (unsigned char *c = (unsigned char *)s; *c; c++) {
		if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7F) *c = '?';
		if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F) c[0] = c[1] = '?';
	}
}

/* writes `format` at s, which has room for at least "..." and the NUL; returns the length */
PRINTF_LIKE(3, 0)
static size_t write_at(char *s, size_t room, const char *format, va_list args)
{
	const int n = vsnprintf(s, room, format, args);

	if (n < 0) *s = 0;
	const size_t len = n < 0 ? 0 : (size_t)n < room ? (size_t)n : cut(s, room);
	make_harmless(s);
	return len;
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

/* "where: text" in `text`, which has room for TEXT_MOST bytes; its length */
PRINTF_LIKE(3, 0)
static size_t write_error(char *text, const char *where, const char *format, va_list args)
{
	/* the place takes at most half of the room, so that some of the text is always seen */
	size_t len = where ? write_here(text, TEXT_MOST / 2, "%s", where) : 0;

	if (where) len += write_here(text + len, TEXT_MOST - len, ": ");
	return len + write_at(text + len, TEXT_MOST - len, format, args);
}

static void keep_first(errors *kept, const char *where, tsr_code code, const char *format,
                       va_list args)
{
	if (kept->total++ != kept->cleared) return;
	kept->code = code;
	kept->logged = false;
	kept->place[0] = 0;
	if (where && strlen(where) < PLACE_MOST) memcpy(kept->place, where, strlen(where) + 1);
	kept->len = kept->text_len = write_error(kept->text, where, format, args);
}

void error_keep_last(tsr_code code, const char *text)
{
	errors *kept = of_thread();

	kept->total++;
	kept->code = code;
	kept->logged = true;
	kept->len = kept->text_len = write_here(kept->text, sizeof kept->text, "%s", text);
	lock(&errors_process);
	copy_error(&errors_process, kept);
	unlock(&errors_process);
}

/* a function of its own in every build: docs/debugging.md tells users to break here */
__attribute__((noinline)) bool vfail(base *b, const char *where, tsr_code code, const char *format,
                                     va_list args)
{
	errors *kept = b ? b->errors : NULL;
	char text[TEXT_MOST];

	if (!kept) return false;
	if (kept != &errors_process) {
		if (OWN_TURN(b)) keep_first(kept, where, code, format, args);
		return false;
	}
	write_error(text, where, format, args);
	error_keep_last(code, text);
	tell(&kept->log, 0, text);
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
	errors *kept = b ? b->errors : NULL;
	const size_t least = sizeof lead + sizeof "...";
	va_list args;

	if (!kept || kept == &errors_process || !kept->code) return;
	if (!OWN_TURN(b) || sizeof kept->text - kept->len < least) return;
	/* the text stays terminated until the note is written: the note may quote it */
	char *note = kept->text + kept->len + sizeof lead - 1;
	va_start(args, format);
	const size_t n =
		write_at(note, sizeof kept->text - kept->len - (sizeof lead - 1), format, args);
	va_end(args);
	/* a note that says what the one before said is not repeated */
	if (n + sizeof lead - 1 < kept->len && strncmp(kept->text + kept->len - n, note, n) == 0 &&
	    strncmp(kept->text + kept->len - n - (sizeof lead - 1), lead, sizeof lead - 1) == 0) {
		kept->text[kept->len] = 0;
		return;
	}
	memcpy(kept->text + kept->len, lead, sizeof lead - 1);
	kept->len += sizeof lead - 1 + n;
}

size_t error_mark(const base *b)
{
	const errors *kept = errors_of(b);

	return kept ? kept->total : 0;
}

bool failed_since(const base *b, size_t mark)
{
	const errors *kept = errors_of(b);

	return kept && kept->total > mark && kept->total > kept->cleared;
}

const char *error_place(const base *b)
{
	const errors *kept = errors_of(b);

	return kept && kept->code && kept->place[0] ? kept->place : NULL;
}

/* text[at, at + had) becomes `to`, if there is room */
static void replace_at(errors *kept, size_t at, size_t had, const char *to)
{
	const size_t n = strlen(to);

	if (kept->len + n - had >= sizeof kept->text) return;
	memmove(kept->text + at + n, kept->text + at + had, kept->len + 1 - at - had);
	memcpy(kept->text + at, to, n);
	kept->len += n - had;
	if (at < kept->text_len) kept->text_len += n - had;
}

/* the place that a note ends with, "while running psum (f.c:3)", of which end is the end */
static void move_note(errors *kept, char *end, const char *(*place)(void *of, const char *was),
                      void *of)
{
	char *begin = end - 1;

	if (*begin != ')') return;
	while (*begin != '(' && *begin != '\n') begin--;
	if (*begin++ != '(') return;
	char was[PLACE_MOST];
	const size_t n = (size_t)(end - 1 - begin);
	if (n >= sizeof was) return;
	memcpy(was, begin, n);
	was[n] = 0;
	const char *to = place(of, was);
	if (to) replace_at(kept, (size_t)(begin - kept->text), n, to);
}

void error_move(base *b, const char *(*place)(void *of, const char *was), void *of)
{
	errors *kept = b->errors;

	for (size_t at = kept->len; at > kept->text_len; at--)
		if (!kept->text[at] || kept->text[at] == '\n')
			move_note(kept, kept->text + at, place, of);
	const char *to = kept->place[0] ? place(of, kept->place) : NULL;
	if (!to || strlen(to) >= PLACE_MOST) return;
	replace_at(kept, 0, strlen(kept->place), to);
	memcpy(kept->place, to, strlen(to) + 1);
}

void error_prefix(base *b, const char *prefix)
{
	errors *kept = b->errors;
	const size_t n = kept->place[0] ? strlen(kept->place) + 2 : 0;

	if (!kept->code || strncmp(kept->text + n, prefix, strlen(prefix)) == 0) return;
	replace_at(kept, n, 0, prefix);
}

void error_take_back(base *b, size_t mark)
{
	errors *kept = b->errors;

	if (mark != kept->cleared || kept->total == mark) return;
	kept->total = mark;
	kept->code = TSR_OK;
	kept->place[0] = kept->text[0] = 0;
	kept->len = kept->text_len = 0;
}

int error_code(const base *b)
{
	const errors *kept = errors_of(b);

	return kept ? (int)kept->code : TSR_OK;
}

const char *error_text(const base *b)
{
	const errors *kept = errors_of(b);

	return kept ? kept->text : "";
}

/* the text as it was, without notes, for fail_poison */
static void keep_cleared(errors *kept)
{
	kept->nclears++;
	kept->cleared_code = kept->code;
	write_here(kept->cleared_text, sizeof kept->cleared_text, "%.*s", (int)kept->text_len,
	           kept->text);
}

void error_clear(base *b)
{
	errors *kept = errors_of(b);

	if (!kept) return;
	if (!OWN_TURN(b)) return;
	if (kept->code) keep_cleared(kept);
	kept->code = TSR_OK;
	kept->cleared = kept->total;
	kept->len = kept->text_len = 0;
	kept->text[0] = 0;
	if (b->errors != &errors_process) return;
	lock(&errors_process);
	copy_error(&errors_process, kept);
	unlock(&errors_process);
}

int error_cleared(const base *b)
{
	const errors *kept = errors_of(b);

	return kept ? (int)kept->cleared_code : TSR_OK;
}

bool fail_poison(base *b, const char *where, const char *what)
{
	const errors *kept = errors_of(b);

	if (!kept || kept->code) return false;
	if (!kept->nclears)
		return fail(b, where, TSR_ERROR_HANDLE, "%s is poison, and there was no error",
		            what);
	if (kept->nclears == 1)
		return fail(b, where, TSR_ERROR_HANDLE,
		            "%s is poison, from an error that was cleared: %s", what,
		            kept->cleared_text);
	return fail(b, where, TSR_ERROR_HANDLE,
	            "%s is poison, from an error that was cleared; of %zu that were, the last is: "
	            "%s",
	            what, kept->nclears, kept->cleared_text);
}

void errors_log_to(base *b, void (*log)(void *user, int level, const char *text), void *user)
{
	if (b && b->errors) b->errors->log = (log_hook){log, user};
}

void errors_log_rank(base *b, int rank)
{
	if (b && b->errors) b->errors->rank = rank;
}

/* "[rank] text", if it has one: several processes may share where their logs go */
static void tell_own(base *b, int level, const char *text)
{
	const errors *kept = b->errors;
	char small[TEXT_MOST + NOTES_MOST], *s = small;
	const size_t n = strlen(text) + sizeof "[] " + 11;

	if (kept->rank < 0) {
		tell(&kept->log, level, text);
		return;
	}
	if (n > sizeof small) s = mem_alloc_quiet(b, n);
	if (s) snprintf(s, n, "[%d] %s", kept->rank, text);
	tell(&kept->log, level, s ? s : text);
	if (s != small) mem_free(b, s);
}

void process_log_to(void (*log)(void *user, int level, const char *text), void *user)
{
	lock(&errors_process);
	errors_process.log = (log_hook){log, user};
	unlock(&errors_process);
}

void error_log_once(base *b)
{
	errors *kept = errors_of(b);

	if (!kept || !kept->code || kept->logged) return;
	kept->logged = true;
	tell_own(b, 0, kept->text);
}

void log_message(void (*log)(void *user, int level, const char *text), void *user, int level,
                 const char *text)
{
	tell(&(log_hook){log, user}, level, text);
}

void log_text(base *b, int level, const char *text)
{
	if (b && b->errors) tell_own(b, level, text);
}
