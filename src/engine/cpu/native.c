/* native.c - finds the plug-in of the CPU engine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include "engine/cpu/native.h"
#include "engine/engine.h"

const native_type *native_find(const char *plugin_dir, plugin *from)
{
	if (!plugin_open(from, plugin_dir, "cpu")) return NULL;
	const native_type *t = dlsym(from->object, "tsr__native");
	if (t && strcmp(t->abi, NATIVE_ABI) == 0) return t;
	plugin_refuse(from, t ? "it was made for another release of libtsr"
	                      : "it does not define tsr__native");
	return NULL;
}
