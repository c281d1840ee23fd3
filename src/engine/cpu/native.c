/* native.c - finds the plug-in of the CPU engine: once in a process, the first place that is asked
 * for. Opened privately, and never closed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include "engine/cpu/native.h"
#include "engine/engine.h"

static struct found {
	pthread_mutex_t lock;
	bool tried;
	const native_type *type;
	char why[512];
} found = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const native_type *refuse(const char *path, const char *why)
{
	snprintf(found.why, sizeof found.why, "the plug-in %s cannot be used: %s", path,
	         why ? why : "the loader gives no reason");
	return NULL;
}

static const native_type *plugin_open(const char *plugin_dir)
{
	char path[4096];

	if (!plugin_path(path, sizeof path, plugin_dir, "cpu"))
		return refuse("libtsr-cpu.so", "its path is too long");
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!object) return refuse(path, dlerror());
	const native_type *t = dlsym(object, "tsr__native");
	if (!t) return refuse(path, "it does not define tsr__native");
	if (strcmp(t->abi, NATIVE_ABI) != 0)
		return refuse(path, "it was made for another release of libtsr");
	return t;
}

const native_type *native_find(const char *plugin_dir, const char **why)
{
	pthread_mutex_lock(&found.lock);
	if (!found.tried) found.type = plugin_open(plugin_dir);
	found.tried = true;
	pthread_mutex_unlock(&found.lock);
	*why = found.type ? NULL : found.why;
	return found.type;
}
