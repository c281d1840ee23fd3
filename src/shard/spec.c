/* spec.c - reads and prints specs.
 *
 * A spec is given as an array of entries (tsr_spec) or in the text of a signature. Both become a
 * list of pieces first, so that names are looked up and mistakes are reported in one place. An
 * entry is one or more axis names with '*' between them, major first, or "-"; blanks around a name
 * are ignored.
 *
 * Example, of signatures on a mesh:
 *
 *     x:2 y:4
 *     [x*y,-] ->
 *     [-, y] ->
 *     [x,x] ->
 *     [x,z] ->
 *
 * A text is printed as JAX prints it. Columns in messages count from 1:
 *
 *     P(('x', 'y'),)
 *     P(None, 'y')
 *     .in[0]: a spec can map every mesh axis to at most one dim, but P('x', 'x') has
 *     duplicate entries for 'x' at column 4 of "[x,x] ->"; keep one of them
 *     .in[0]: axis 'z' of P('x', 'z') is not found in mesh Mesh('x': 2, 'y': 4) at column 4 of
 *     "[x,z] ->"; name one of its axes, or "-" for not split */
#include "shard/shard.h"

/* An entry or a name as the user wrote it, without the blanks around it; s NULL: not split. */
typedef struct written_piece {
	const char *s;
	size_t len;
} written_piece;

typedef struct source {
	base *base;
	const char *where, *what;
	const mesh *mesh;
	const char *text; /* the text in which columns count; NULL: given as an array of entries */
	int n;
	written_piece *entry; /* room for MAX_NDIM */
} source;

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static written_piece trimmed(const char *s, size_t len)
{
	while (len > 0 && is_blank(s[0])) {
		s++;
		len--;
	}
	while (len > 0 && is_blank(s[len - 1]))
		len--;
	return (written_piece){s, len};
}

/* The next name of an entry; *rest is what follows its '*', or has s NULL after the last name. */
static written_piece next_name(written_piece *rest)
{
	const char *star = memchr(rest->s, '*', rest->len);
	const size_t len = star ? (size_t)(star - rest->s) : rest->len;
	const written_piece name = trimmed(rest->s, len);
	*rest = star ? (written_piece){star + 1, rest->len - len - 1} : (written_piece){NULL, 0};
	return name;
}

static void name_text(str *out, written_piece name)
{
	str_put(out, "'");
	str_putn(out, name.s, name.len);
	str_put(out, "'");
}

/* P('x', ('x', 'y'), None) with the names as written */
static void written_text(str *out, const source *src)
{
	str_put(out, "P(");
	for (int d = 0; d < src->n; d++) {
		written_piece rest = src->entry[d];
		if (d > 0)
			str_put(out, ", ");
		if (!rest.s) {
			str_put(out, "None");
			continue;
		}
		const bool several = memchr(rest.s, '*', rest.len) != NULL;
		str_put(out, several ? "(" : "");
		name_text(out, next_name(&rest));
		while (rest.s) {
			str_put(out, ", ");
			name_text(out, next_name(&rest));
		}
		str_put(out, several ? ")" : "");
	}
	str_put(out, src->n == 1 ? ",)" : ")");
}

/* The column of a place in the text; nothing if the spec was given as an array of entries. */
static void column_text(str *out, const source *src, const char *at)
{
	if (src->text)
		str_printf(out, " at column %lld of \"%s\"", (long long)(at - src->text) + 1,
		           src->text);
}

static bool fail_entry(const source *src, int d, const char *at, const char *why)
{
	const written_piece entry = src->entry[d];
	str column = {.base = src->base};
	column_text(&column, src, at);
	fail(src->base, src->where, TSR_ERROR_SHARDING,
	     "%s: entry %d, \"%.*s\", %s%s; write \"x\", \"x*y\", or \"-\" for not split",
	     src->what, d, (int)entry.len, entry.s, why, column.s ? column.s : "");
	str_free(&column);
	return false;
}

static bool fail_unknown(const source *src, written_piece name)
{
	str column = {.base = src->base};
	str entries = {.base = src->base};
	str axes = {.base = src->base};
	column_text(&column, src, name.s);
	written_text(&entries, src);
	mesh_text(&axes, src->mesh);
	if (!column.lost && !entries.lost && !axes.lost)
		fail(src->base, src->where, TSR_ERROR_SHARDING,
		     "%s: axis '%.*s' of %s is not found in mesh %s%s; name one of its "
		     "axes, or \"-\" for not split",
		     src->what, (int)name.len, name.s, entries.s, axes.s, column.s ? column.s : "");
	str_free(&column);
	str_free(&entries);
	str_free(&axes);
	return false;
}

static bool fail_duplicate(const source *src, written_piece name)
{
	str column = {.base = src->base};
	str entries = {.base = src->base};
	column_text(&column, src, name.s);
	written_text(&entries, src);
	if (!column.lost && !entries.lost)
		fail(src->base, src->where, TSR_ERROR_SHARDING,
		     "%s: a spec can map every mesh axis to at most one dim, but %s has "
		     "duplicate entries for '%.*s'%s; keep one of them",
		     src->what, entries.s, (int)name.len, name.s, column.s ? column.s : "");
	str_free(&column);
	str_free(&entries);
	return false;
}

/* Looks up the axes of entry d and adds them to the room. */
static bool read_entry(const source *src, int d, uint64_t *named, spec_room *out)
{
	written_piece rest = src->entry[d];
	while (rest.s) {
		const written_piece name = next_name(&rest);
		if (name.len == 0)
			return fail_entry(src, d, name.s, "lacks a name");
		for (size_t i = 0; i < name.len; i++) {
			if (is_blank(name.s[i]) || strchr(",[]-", name.s[i]))
				return fail_entry(src, d, name.s + i, "is malformed");
		}
		const int axis = mesh_axis(src->mesh, name.s, name.len);
		if (axis < 0)
			return fail_unknown(src, name);
		if (*named >> axis & 1)
			return fail_duplicate(src, name);
		*named |= (uint64_t)1 << axis;
		out->axis[out->start[d + 1]++] = axis;
	}
	return true;
}

static bool read_entries(const source *src, spec_room *out)
{
	uint64_t named = 0;
	out->ndim = src->n;
	out->start[0] = 0;
	for (int d = 0; d < src->n; d++) {
		out->start[d + 1] = out->start[d];
		if (!read_entry(src, d, &named, out))
			return false;
	}
	return true;
}

/* An entry as written; "-" means not split, and so does an empty entry if `empty` allows it. */
static written_piece entry_of(const char *s, size_t len, bool empty)
{
	const written_piece entry = trimmed(s, len);
	const bool dash = entry.len == 1 && entry.s[0] == '-';
	return dash || (empty && entry.len == 0) ? (written_piece){NULL, 0} : entry;
}

bool spec_read(base *b, const char *where, const char *what, const mesh *m, const tsr_spec *written,
               spec_room *out)
{
	if (written->n1 < 0 || written->n1 > 1 + TSR_MAX_NDIM)
		return fail(b, where, TSR_ERROR_SHARDING,
		            "%s: a spec has 0 to %d entries, not %lld; write TSR_P(...)", what,
		            TSR_MAX_NDIM, (long long)written->n1 - (written->n1 > INT64_MIN));
	written_piece room[MAX_NDIM];
	source src = {.base = b, .where = where, .what = what, .mesh = m, .entry = room};
	src.n = written->n1 > 0 ? (int)written->n1 - 1 : 0;
	for (int d = 0; d < src.n; d++) {
		const char *entry = written->d[1 + d];
		room[d] = entry ? entry_of(entry, strlen(entry), false) : (written_piece){NULL, 0};
	}
	return read_entries(&src, out);
}

static const char *skip_blanks(const char *at)
{
	while (is_blank(*at))
		at++;
	return at;
}

static bool fail_text(const source *src, const char *at, const char *expected)
{
	return fail(src->base, src->where, TSR_ERROR_SHARDING,
	            "%s: expected %s at column %lld of \"%s\"", src->what, expected,
	            (long long)(at - src->text) + 1, src->text);
}

/* Cuts "[a,b,c]" into entries; **at is its '['. */
static bool split_text(source *src, const char **at)
{
	const char *from = *at + 1;
	src->n = 0;
	for (;;) {
		const size_t len = strcspn(from, ",[]");
		const char *end = from + len;
		if (*end != ',' && *end != ']')
			return fail_text(src, end, "',' or ']'");
		const bool scalar = *end == ']' && src->n == 0 && trimmed(from, len).len == 0;
		if (src->n == MAX_NDIM)
			return fail_text(src, from, "']', as a spec has at most 255 entries,");
		if (!scalar)
			src->entry[src->n++] = entry_of(from, len, true);
		from = end + 1;
		if (*end == ']')
			break;
	}
	*at = from;
	return true;
}

/* Reads the specs of one side of a signature, until no '[' follows. `side` names it in messages. */
static bool read_side(source *src, const char **at, const char *side, spec_room *room, int *n,
                      int most)
{
	for (*n = 0; *(*at = skip_blanks(*at)) == '['; ++*n) {
		str what = {.base = src->base};
		str_printf(&what, "%s[%d]", side, *n);
		src->what = what.s ? what.s : side;
		bool ok = !what.lost;
		if (ok && *n == most)
			ok = fail(src->base, src->where, TSR_ERROR_SHARDING,
			          "%s: at most %d specs fit on this side of \"%s\" (column %lld)",
			          src->what, most, src->text, (long long)(*at - src->text) + 1);
		ok = ok && split_text(src, at) && read_entries(src, &room[*n]);
		str_free(&what);
		src->what = "sig";
		if (!ok)
			return false;
	}
	return true;
}

bool sig_read(base *b, const char *where, const mesh *m, const char *sig, spec_room *in, int *nin,
              spec_room *out, int *nout, int most)
{
	if (!sig)
		return fail(b, where, TSR_ERROR_ARGUMENT,
		            "sig: is NULL; write one like \"[x,y] [y,-] -> [x,-]\"");
	written_piece room[MAX_NDIM];
	source src = {b, where, "sig", m, .text = sig, .entry = room};
	const char *at = sig;
	if (!read_side(&src, &at, ".in", in, nin, most))
		return false;
	if (strncmp(at, "->", 2) != 0)
		return fail_text(&src, at, "'[' or \"->\"");
	at += 2;
	if (!read_side(&src, &at, ".out", out, nout, most))
		return false;
	return *at == '\0' || fail_text(&src, at, "'[' or the end");
}

void spec_text(str *out, const mesh *m, const spec *p)
{
	str_put(out, "P(");
	for (int d = 0; d < p->ndim; d++) {
		const int first = p->start[d], end = p->start[d + 1];
		str_put(out, d > 0 ? ", " : "");
		str_put(out, first == end ? "None" : end - first > 1 ? "(" : "");
		for (int i = first; i < end; i++)
			str_printf(out, "%s'%s'", i > first ? ", " : "", m->axis[p->axis[i]].name);
		str_put(out, end - first > 1 ? ")" : "");
	}
	str_put(out, p->ndim == 1 ? ",)" : ")");
}
