/* plugin.c - finds an engine by name: a built-in one, or one in a plug-in (plugin_file.c).
 *
 * A plug-in is linked against the private symbol version of the release it was made for
 * (cmake/libtsr.map.in), so the loader itself refuses one of another release. One that is not
 * linked against libtsr.so is refused by the text of tsr__abi. The name of its file has the version
 * too, so that several releases can be installed side by side. A plug-in is opened privately and
 * never closed: a thread may still be running its code. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include "engine/engine.h"

const char tsr__abi[] = "tsr " RELEASE " engine 7";

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

	if (!t || !abi || !*abi)
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
