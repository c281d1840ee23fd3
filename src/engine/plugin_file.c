/* plugin_file.c - finds the file of a plug-in, and loads it if nobody else could have written it.
 *
 * Code is loaded from absolute paths alone. So the folder that a program is in, when it compiles
 * for the first time, plays no part, and neither does the name that it was started under: where
 * libtsr is (the shared library, or the program that the archive was linked into) the system says.
 *
 * The program /opt/app/bin/solver was linked with the archive, which was installed in
 * /usr/local/lib, and has the run path /opt/app/lib. These are looked at, in this order:
 *
 *     /opt/app/bin/libtsr-cpu-0.2.0.so      beside libtsr
 *     /usr/local/lib/libtsr-cpu-0.2.0.so    where the archive was installed
 *     /opt/app/lib/libtsr-cpu-0.2.0.so      along the run path, and where the loader looks then
 *
 * The first that exists is taken. If it belongs to another user than root and the one who runs the
 * program, or if others may write to it, it is refused. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "engine/engine.h"

/* ---- folders */

/* The folder that libtsr.a was installed in, or "". A shared library sees where it is; a program
 * that the archive was linked into does not, so `cmake --install` writes the folder into this
 * section (cmake/Install.cmake). */
static const volatile char installed_in[PATH_MAX]
	__attribute__((section("tsr_installed_in"), used)) = "";

static void installed_folder(char folder[PATH_MAX])
{
	int n = 0;

	while (n < PATH_MAX - 1 && installed_in[n]) {
		folder[n] = installed_in[n];
		n++;
	}
	folder[n] = 0;
}

/* the folder of the file that this very code was mapped from, or "" */
static char own_folder[PATH_MAX];

static void find_own_folder(void);

/* a line of /proc/self/maps: "7f00-7f10 r--p 00000000 fe:01 1234   /usr/lib/libtsr.so.0.2.0" */
static bool maps_this(const char *line, const char **path)
{
	unsigned long from, to;
	const uintptr_t here = (uintptr_t)find_own_folder;

	*path = strchr(line, '/');
	return sscanf(line, "%lx-%lx", &from, &to) == 2 && here >= from && here < to && *path;
}

static void find_own_folder(void)
{
	char line[PATH_MAX + 128];
	const char *path, *slash;
	FILE *maps = fopen("/proc/self/maps", "re");

	while (maps && fgets(line, sizeof line, maps)) {
		if (!maps_this(line, &path)) continue;
		slash = strrchr(path, '/');
		memcpy(own_folder, path, (size_t)(slash - path));
		break;
	}
	if (maps) fclose(maps);
}

void plugins_locate(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_own_folder);
}

char *plugin_folder(base *bs, arena *a, const char *given)
{
	char here[PATH_MAX] = "";
	str path = {.base = bs};

	if (given[0] == '/') return arena_str(a, given);
	if (!getcwd(here, sizeof here)) {
		fail(bs, NULL, TSR_ERROR_PLUGIN, "the folder of plug-ins \"%s\": %s", given,
		     strerror(errno));
		return NULL;
	}
	str_printf(&path, "%s/%s", here, given);
	char *folder = path.s ? arena_str(a, path.s) : NULL;
	str_free(&path);
	return folder;
}

/* ---- files */

/* why the file must not be loaded; NULL: it may be */
static const char *distrust(const char *path)
{
	struct stat file, folder;
	char parent[PATH_MAX];
	const size_t n = (size_t)(strrchr(path, '/') - path);

	memcpy(parent, path, n);
	parent[n] = 0;
	if (stat(path, &file) != 0 || stat(n ? parent : "/", &folder) != 0) return strerror(errno);
	if (!S_ISREG(file.st_mode)) return "it is no file";
	if (file.st_uid != 0 && file.st_uid != geteuid())
		return "it belongs neither to root nor to the user who runs this program";
	if (file.st_mode & (S_IWGRP | S_IWOTH))
		return "others may write to it (chmod go-w makes it safe)";
	if (folder.st_mode & S_IWOTH && !(folder.st_mode & S_ISVTX))
		return "everyone may write to its folder";
	return NULL;
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

/* *absent: the file does not exist, so the next folder may be tried */
static bool open_in(plugin *p, const char *folder, const char *name, bool *absent)
{
	char real[PATH_MAX];
	const int n =
		snprintf(p->path, sizeof p->path, "%s/libtsr-%s-" RELEASE ".so", folder, name);

	*absent = false;
	if (n < 0 || (size_t)n >= sizeof p->path) return plugin_refuse(p, "its path is too long");
	if (!realpath(p->path, real)) {
		*absent = errno == ENOENT || errno == ENOTDIR;
		return plugin_refuse(p, strerror(errno));
	}
	const char *why = distrust(real);
	if (why) return plugin_refuse(p, why);
	p->object = load(real);
	return p->object || plugin_refuse(p, dlerror());
}

/* along the run path of the program, and where the loader looks for libraries then */
static bool open_along_run_path(plugin *p, const char *name, bool *absent)
{
	void *program = dlopen(NULL, RTLD_LAZY);
	Dl_serinfo size, *path;

	*absent = true;
	if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return false;
	if (!(path = malloc(size.dls_size))) return false;
	path->dls_size = size.dls_size;
	path->dls_cnt = size.dls_cnt;
	const unsigned n = dlinfo(program, RTLD_DI_SERINFO, path) == 0 ? path->dls_cnt : 0;
	for (unsigned k = 0; k < n && *absent; k++) {
		const char *folder = path->dls_serpath[k].dls_name;
		if (folder[0] == '/') open_in(p, folder, name, absent);
	}
	free(path);
	return p->object;
}

/* the reason why none was found; folders with very long names are cut */
static void say_where(plugin *p, const char *installed)
{
	enum { SHOWN = 300 };

	snprintf(p->why, sizeof p->why,
	         "the plug-in %.*s is neither in %.*s nor %s%.*s%salong the run path of the "
	         "program",
	         SHOWN, p->path, SHOWN,
	         own_folder[0] ? own_folder : "the folder of libtsr, which is not known",
	         installed[0] ? "in " : "", SHOWN, installed, installed[0] ? " nor " : "");
}

bool plugin_open(plugin *p, const char *dir, const char *name)
{
	char installed[PATH_MAX];
	bool absent = true;

	*p = (plugin){0};
	if (dir) return open_in(p, dir, name, &absent);
	plugins_locate();
	installed_folder(installed);
	if (own_folder[0] && (open_in(p, own_folder, name, &absent) || !absent)) return p->object;
	if (installed[0] && (open_in(p, installed, name, &absent) || !absent)) return p->object;
	if (open_along_run_path(p, name, &absent) || !absent) return p->object;
	snprintf(p->path, sizeof p->path, "libtsr-%s-" RELEASE ".so", name);
	say_where(p, installed);
	return false;
}
