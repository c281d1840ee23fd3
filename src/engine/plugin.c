/* plugin.c - finding an engine by name: the built-in one, or a plug-in object beside libtsr.
 *
 * A plug-in is linked against the private symbol version of the release it was made for
 * (cmake/libtsr.map.in), so the loader itself refuses one of another release; a plug-in linked into
 * something else is refused by the text of tsr__abi. Opened privately, and never closed: code that
 * is gone while a thread still runs it cannot be made safe. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include "engine/engine.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define RELEASE TEXT(TSR_VERSION_MAJOR) "." TEXT(TSR_VERSION_MINOR) "." TEXT(TSR_VERSION_PATCH)
const char tsr__abi[] = "tsr " RELEASE " engine 1";

/* the folder that holds this very code, with its slash; "" when the loader does not say */
static int own_folder(const char **path)
{
	Dl_info info;
	const char *slash = NULL;

	*path = "";
	if (dladdr((void *)(uintptr_t)tsr__abi, &info) && info.dli_fname)
		slash = strrchr(info.dli_fname, '/');
	if (!slash) return 0;
	*path = info.dli_fname;
	return (int)(slash - info.dli_fname) + 1;
}

bool plugin_path(char *path, size_t size, const char *plugin_dir, const char *name)
{
	const char *folder;
	const int length = own_folder(&folder);
	const int n = plugin_dir ? snprintf(path, size, "%s/libtsr-%s.so", plugin_dir, name)
	                         : snprintf(path, size, "%.*slibtsr-%s.so", length, folder, name);

	return n > 0 && (size_t)n < size;
}

static const engine_type *refuse_plugin(base *bs, const char *where, const char *path,
                                        const char *why)
{
	fail(bs, where, TSR_ERROR_PLUGIN, "the engine plug-in %s cannot be used: %s", path,
	     why ? why : "the loader gives no reason");
	fail_note(bs, "engines that need none are \"%s\" and \"%s\"", cpu_engine.name,
	          interp_engine.name);
	return NULL;
}

static const engine_type *plugin_open(base *bs, const char *where, const char *path)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	if (!object) return refuse_plugin(bs, where, path, dlerror());
	const engine_type *t = dlsym(object, "tsr__engine");
	const char *const *abi = dlsym(object, "tsr__engine_abi");
	if (!t || !abi)
		return refuse_plugin(bs, where, path,
		                     "it does not define tsr__engine and tsr__engine_abi");
	if (strcmp(*abi, tsr__abi) != 0)
		return refuse_plugin(bs, where, path, "it was made for another release of libtsr");
	if (!t->name || !t->alloc || !t->compile || !t->run || !t->release || !t->close)
		return refuse_plugin(bs, where, path, "its table of functions has holes");
	return t;
}

static bool name_is_plain(const char *name)
{
	return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(name);
}

const engine_type *engine_find(base *bs, const char *where, const char *name,
                               const char *plugin_dir)
{
	char path[4096], file[256];

	if (!name || strcmp(name, cpu_engine.name) == 0) return &cpu_engine;
	if (strcmp(name, interp_engine.name) == 0) return &interp_engine;
	if (!name_is_plain(name)) {
		fail(bs, where, TSR_ERROR_ARGUMENT,
		     ".engine \"%s\" is not a name: lower-case letters, digits, '-' and '_'", name);
		return NULL;
	}
	snprintf(file, sizeof file, "engine-%.200s", name);
	if (strlen(name) > 200 || !plugin_path(path, sizeof path, plugin_dir, file)) {
		fail(bs, where, TSR_ERROR_ARGUMENT,
		     "the path of the engine plug-in \"%s\" is too long", name);
		return NULL;
	}
	return plugin_open(bs, where, path);
}
