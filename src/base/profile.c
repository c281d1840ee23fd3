/* profile.c - records when a context traces, compiles, runs and waits, in the format that Perfetto
 * and Chrome open (Trace Event Format, "JSON Object Format").
 *
 *     {"traceEvents":[
 *     {"ph":"X","pid":1,"tid":0,"cat":"step","name":"sin add","ts":12.5,"dur":3.25,
 *      "args":{"where":"f.c:12","bytes":8192,"operations":2048}},
 *     ...
 *     ]}
 *
 * Workers note when they began and ended something in a list that exists beforehand, since they
 * must not ask for memory: a note is a few stores and two readings of the clock. The thread that
 * owns the context turns notes into text when a run has ended and nobody notes anything, while the
 * steps that they are about still exist. When the list is full, notes are left out, and the trace
 * says how many. */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include "base/base.h"

enum { MOST_NOTES = 1 << 16, MOST_THREADS = 1024 };

struct profile {
	profile_sink *sink; /* gets the notes instead of a file; NULL: there is a file */
	void *user;
	FILE *out; /* NULL: nothing has been noted yet, of one that the environment asks for */
	char *path;
	double origin;
	_Atomic(size_t) n;
	int64_t left_out;
	bool some; /* an event has been written */
	int nthreads;
	const void *thread[MOST_THREADS];
	profile_note note[MOST_NOTES];
};

double profile_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

void profile_add(profile *p, const profile_note *note)
{
	const size_t i = atomic_fetch_add_explicit(&p->n, 1, memory_order_relaxed);

	if (i >= MOST_NOTES) return;
	p->note[i] = *note;
	p->note[i].thread = thread_here();
	p->note[i].end = profile_clock();
}

static void profile_free(base *b)
{
	profile *p = b->profile;

	b->profile = NULL;
	if (p) mem_free(b, p->path);
	mem_free(b, p);
}

/* ---- as text */

static int thread_number(profile *p, const void *thread)
{
	for (int i = 0; i < p->nthreads; i++)
		if (p->thread[i] == thread) return i;
	if (p->nthreads == MOST_THREADS) return MOST_THREADS;
	p->thread[p->nthreads] = thread;
	return p->nthreads++;
}

static void put_note(profile *p, str *s, const profile_note *n)
{
	str name = {.base = s->base};
	profile_facts facts = {0};

	if (n->describe) n->describe(n, &name, &facts);
	str_printf(s, "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"cat\":\"%s\",\"name\":",
	           p->some ? ",\n" : "\n", thread_number(p, n->thread), n->category);
	json_text(s, name.s ? name.s : n->name ? n->name : n->category);
	str_printf(s, ",\"ts\":%.3f,\"dur\":%.3f,\"args\":{", (n->begin - p->origin) / 1e3,
	           (n->end - n->begin) / 1e3);
	if (n->where) {
		str_put(s, "\"where\":");
		json_text(s, base_name(n->where));
	}
	if (facts.bytes || facts.operations)
		str_printf(s, "%s\"bytes\":%.0f,\"operations\":%.0f", n->where ? "," : "",
		           facts.bytes, facts.operations);
	str_put(s, "}}");
	p->some = true;
	str_free(&name);
}

static bool open_file(base *b, profile *p, const char *where, const char *path)
{
	p->out = fopen(path, "we");
	if (!p->out)
		return fail(b, where, TSR_ERROR_FILE, "profile: %s: %s", path, strerror(errno));
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", p->out);
	return true;
}

/* FILE of the first context that does something, FILE.2 of the second, ... */
static bool open_numbered(base *b, profile *p)
{
	static atomic_int contexts;
	const int n = 1 + atomic_fetch_add_explicit(&contexts, 1, memory_order_relaxed);
	str path = {.base = b};

	str_put(&path, p->path);
	if (n > 1) str_printf(&path, ".%d", n);
	const bool ok = path.s && !path.lost && open_file(b, p, "TSR_PROFILE", path.s);
	str_free(&path);
	return ok;
}

void profile_flush(base *b)
{
	profile *p = b->profile;
	const size_t n = p ? atomic_load_explicit(&p->n, memory_order_acquire) : 0;

	if (n && !p->sink && !p->out && !open_numbered(b, p)) {
		profile_free(b);
		return;
	}
	for (size_t i = 0; p && p->sink && i < n && i < MOST_NOTES; i++)
		p->sink(p->user, &p->note[i]);
	for (size_t i = 0; p && !p->sink && i < n && i < MOST_NOTES; i++) {
		str s = {.base = b};
		put_note(p, &s, &p->note[i]);
		if (s.s && !s.lost) fputs(s.s, p->out);
		else p->left_out++;
		str_free(&s);
	}
	if (n > MOST_NOTES) p->left_out += (int64_t)(n - MOST_NOTES);
	if (p) atomic_store_explicit(&p->n, 0, memory_order_relaxed);
}

/* ---- beginning and end */

static bool is_free(base *b, const char *where)
{
	return !b->profile || fail(b, where, TSR_ERROR_ARGUMENT,
	                           "profile: one is being written to %s: end it first",
	                           b->profile->path ? b->profile->path : "a report");
}

bool profile_begin(base *b, const char *where, const char *path, bool now)
{
	if (!is_free(b, where)) return false;
	profile *p = b->profile = mem_zalloc(b, sizeof *p);
	if (p && (p->path = mem_alloc(b, strlen(path) + 1))) {
		memcpy(p->path, path, strlen(path) + 1);
		p->origin = profile_clock();
		thread_number(p, thread_here());
		if (!now || open_file(b, p, where, path)) return true;
	}
	profile_free(b);
	return false;
}

bool profile_collect(base *b, const char *where, profile_sink *sink, void *user)
{
	if (!is_free(b, where) || !(b->profile = mem_zalloc(b, sizeof *b->profile))) return false;
	b->profile->sink = sink;
	b->profile->user = user;
	return true;
}

/* the names of threads: the one that began the profile is number 0 */
static void put_threads(const profile *p)
{
	for (int i = 0; i < p->nthreads; i++)
		fprintf(p->out,
		        "%s{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\",\"args\":"
		        "{\"name\":\"%s %d\"}}",
		        i || p->some ? ",\n" : "\n", i, i ? "worker" : "caller", i);
}

double profile_start(const base *b) { return b->profile ? profile_clock() : 0; }

void profile_done(base *b, const char *category, const char *name, const char *where, double begin)
{
	if (b->profile && begin)
		profile_add(b->profile, &(profile_note){.category = category,
		                                        .name = name,
		                                        .where = where,
		                                        .begin = begin});
	profile_flush(b);
}

bool profile_end(base *b, const char *where)
{
	if (!b->profile)
		return fail(b, where, TSR_ERROR_ARGUMENT, "profile_end: no profile has begun");
	profile_flush(b);
	profile *p = b->profile;
	bool ok = true;
	if (p && p->out) {
		put_threads(p);
		fprintf(p->out, "\n],\"otherData\":{\"left out\":%lld}}\n", (long long)p->left_out);
		errno = 0;
		const bool lost = ferror(p->out);
		ok = fclose(p->out) == 0 && !lost;
	}
	if (!ok)
		fail(b, where, TSR_ERROR_FILE, "profile: %s: %s", p->path,
		     errno ? strerror(errno) : "a write failed");
	profile_free(b);
	return ok;
}
