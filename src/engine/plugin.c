/* plugin.c - finding an engine by name: the built-in one, or a plug-in object beside libtsr.
 *
 * A plug-in is linked against the private symbol version of the release it was made for
 * (cmake/libtsr.map.in), so the loader itself refuses one of another release. One that is not
 * linked against libtsr.so is refused by the text of tsr__abi. The name of its file has the version
 * too, so that several releases can lie side by side. A plug-in is opened privately and never
 * closed: a thread may still be running its code. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include "engine/engine.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define RELEASE TEXT(TSR_VERSION_MAJOR) "." TEXT(TSR_VERSION_MINOR) "." TEXT(TSR_VERSION_PATCH)
const char tsr__abi[] = "tsr " RELEASE " engine 6";

/* ---- where plug-ins are */

/* The folder that libtsr.a was installed in, or "". A shared library sees where it lies; a program
 * that the archive was linked into does not, so `cmake --install` writes the folder into this
 * section (cmake/Install.cmake). */
static const volatile char installed_in[4096] __attribute__((section("tsr_installed_in"), used)) =
	"";

/* the folder that holds this very code; its length, 0 when the loader does not say */
static int own_folder(const char **folder)
{
	Dl_info info;
	const char *slash = NULL;

	if (dladdr((void *)(uintptr_t)tsr__abi, &info) && info.dli_fname)
		slash = strrchr(*folder = info.dli_fname, '/');
	return slash ? (int)(slash - info.dli_fname) : 0;
}

static int installed_folder(char folder[sizeof installed_in])
{
	int n = 0;

	while (n < (int)sizeof installed_in - 1 && installed_in[n]) {
		folder[n] = installed_in[n];
		n++;
	}
	folder[n] = 0;
	return n;
}

bool plugin_refuse(plugin *p, const char *why)
{
	snprintf(p->why, sizeof p->why, "the plug-in %s cannot be used: %s", p->path,
	         why ? why : "the loader gives no reason");
	p->object = NULL;
	return false;
}

/* a lock that the loader holds during a fork stays locked in the child, so a fork waits */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static void before_fork(void) { pthread_mutex_lock(&loading); }
static void after_fork(void) { pthread_mutex_unlock(&loading); }
static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork); }

static void *load(const char *path)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&loading);
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	pthread_mutex_unlock(&loading);
	return object;
}

/* length 0: no folder; the loader then searches as for any library, first along the run path of the
 * program. *absent: the file does not exist, so the next folder may be tried */
static bool open_in(plugin *p, const char *folder, int length, const char *name, bool *absent)
{
	const int n = snprintf(p->path, sizeof p->path, "%.*s%slibtsr-%s-" RELEASE ".so", length,
	                       folder, length ? "/" : "", name);

	*absent = length && access(p->path, F_OK) != 0;
	if (n < 0 || (size_t)n >= sizeof p->path) return plugin_refuse(p, "its path is too long");
	p->object = load(p->path);
	return p->object || plugin_refuse(p, dlerror());
}

bool plugin_open(plugin *p, const char *dir, const char *name)
{
	char installed[sizeof installed_in];
	const char *own;
	const int own_length = own_folder(&own), installed_length = installed_folder(installed);
	bool absent;

	*p = (plugin){0};
	if (dir) return open_in(p, dir, (int)strlen(dir), name, &absent);
	if (own_length && (open_in(p, own, own_length, name, &absent) || !absent)) return p->object;
	if (installed_length && (open_in(p, installed, installed_length, name, &absent) || !absent))
		return p->object;
	if (open_in(p, "", 0, name, &absent)) return true;
	const size_t said = strlen(p->why);
	snprintf(p->why + said, sizeof p->why - said, "; nor is it in %.*s%s%s", own_length, own,
	         installed_length ? " or " : "", installed);
	return false;
}

/* ---- engines */

static const engine_type *refuse_engine(base *bs, const char *where, const plugin *p)
{
	fail(bs, where, TSR_ERROR_PLUGIN, "%s", p->why);
	fail_note(bs, "engines that need none are \"%s\" and \"%s\"", cpu_engine.name,
	          interp_engine.name);
	return NULL;
}

static const engine_type *engine_of(plugin *p)
{
	const engine_type *t = dlsym(p->object, "tsr__engine");
	const char *const *abi = dlsym(p->object, "tsr__engine_abi");
	const char *wrong = NULL;

	if (!t || !abi)
		wrong = "it does not define tsr__engine and tsr__engine_abi";
	else if (strcmp(*abi, tsr__abi) != 0)
		wrong = "it was made for another release of libtsr";
	else if (!t->name || !t->why_not || !t->alloc || !t->wrap || !t->free || !t->read ||
	         !t->write || !t->copy || !t->borrow || !t->ready || !t->compile || !t->compiled ||
	         !t->bytes || !t->start || !t->poll || !t->wait || !t->cancel || !t->release ||
	         !t->close)
		wrong = "its table of functions has holes";
	if (!wrong) return t;
	plugin_refuse(p, wrong);
	return NULL;
}

static bool name_is_plain(const char *name)
{
	const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
	return n && n <= 200 && !name[n];
}

const engine_type *engine_find(base *bs, const char *where, const char *name, const char *dir,
                               plugin *from)
{
	char file[256];

	*from = (plugin){0};
	if (!name || strcmp(name, cpu_engine.name) == 0) return &cpu_engine;
	if (strcmp(name, interp_engine.name) == 0) return &interp_engine;
	if (!name_is_plain(name)) {
		fail(bs, where, TSR_ERROR_ARGUMENT,
		     ".engine \"%s\" is not a name: up to 200 lower-case letters, digits, '-' and "
		     "'_'",
		     name);
		return NULL;
	}
	snprintf(file, sizeof file, "engine-%s", name);
	const engine_type *t = plugin_open(from, dir, file) ? engine_of(from) : NULL;
	return t ? t : refuse_engine(bs, where, from);
}
