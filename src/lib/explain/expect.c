/* expect.c - reads and checks conditions on the exchanges of a call.
 *
 *     psum=1 all_gather=0 bytes<=4096
 *
 * is true of a report with one psum, no all_gather, and at most 4,096 bytes in all. A psum in a
 * scan of ten steps is ten. Names are those of the primitives whose devices receive something. */
#include "lib/explain/explain.h"
#include <ctype.h>
#include <stdlib.h>
#include "prim/prim.h"

typedef struct condition {
	const char *name;
	size_t length;
	char relation[3]; /* one of = < <= > >= */
	double limit;
} condition;

static bool named(const condition *c, const char *name)
{
	return strlen(name) == c->length && strncmp(name, c->name, c->length) == 0;
}

static bool is_known(const condition *c)
{
	for (int i = 0; i < all_prims_count; i++)
		if (all_prims[i]->received && named(c, all_prims[i]->name)) return true;
	return named(c, "collectives") || named(c, "bytes");
}

/* the next condition of a text, or one of length 0 at its end. false: it is none */
static bool read_condition(const char **at, condition *c)
{
	while (isspace((unsigned char)**at)) ++*at;
	*c = (condition){.name = *at};
	while (islower((unsigned char)**at) || **at == '_') ++*at;
	c->length = (size_t)(*at - c->name);
	if (!c->length) return !**at;
	size_t n = 0;
	while (n < 2 && strchr("<=>", **at) && **at) c->relation[n++] = *(*at)++;
	if (n == 0 || (n == 2 && (c->relation[0] == '=' || c->relation[1] != '='))) return false;
	char *end;
	if (!isdigit((unsigned char)**at)) return false;
	c->limit = strtod(*at, &end);
	*at = end;
	return is_known(c) && (!*end || isspace((unsigned char)*end));
}

static double value_of(const condition *c, const report *r)
{
	double n = 0;

	if (named(c, "bytes")) return r->bytes;
	if (named(c, "collectives")) return collectives_run(r);
	for (int i = 0; i < r->ncollectives; i++)
		if (named(c, r->collective[i].row)) n += r->collective[i].times;
	return n;
}

static bool is_true(const condition *c, double x)
{
	const bool equal = c->relation[0] == '=' || c->relation[1] == '=';

	if (equal && x == c->limit) return true;
	return (c->relation[0] == '<' && x < c->limit) || (c->relation[0] == '>' && x > c->limit);
}

static bool fail_false(base *b, const char *where, const condition *c, double x, const report *r)
{
	str s = {.base = b};

	explain_text(&s, r);
	fail(b, where, TSR_ERROR_USER,
	     "expect_collectives: %.*s%s%.0f is not true of %s: it is %.0f\n%s", (int)c->length,
	     c->name, c->relation, c->limit, r->name, x, s.s ? s.s : "");
	str_free(&s);
	return false;
}

static bool fail_unread(base *b, const char *where, const char *at)
{
	str names = {.base = b};

	for (int i = 0; i < all_prims_count; i++)
		if (all_prims[i]->received) str_printf(&names, "%s, ", all_prims[i]->name);
	fail(b, where, TSR_ERROR_ARGUMENT,
	     "expect_collectives: \"%s\" is no condition; write a name, one of = < <= > >=, and a "
	     "number, as psum=1 or bytes<=4096; names are %scollectives and bytes",
	     at, names.s ? names.s : "");
	str_free(&names);
	return false;
}

bool explain_expect(base *b, const char *where, const char *expected, const report *r)
{
	const char *at = expected ? expected : "";
	condition c;

	if (!expected)
		return fail(b, where, TSR_ERROR_ARGUMENT,
		            "expect_collectives: the conditions are NULL; write \"psum=1 "
		            "bytes<=4096\"");
	do {
		if (!read_condition(&at, &c))
			return fail_unread(b, where, c.name);
		const double x = c.length ? value_of(&c, r) : 0;
		if (c.length && !is_true(&c, x)) return fail_false(b, where, &c, x, r);
	} while (c.length);
	return true;
}
