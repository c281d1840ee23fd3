/* read_params.c - reads parameters of an equation into its record, by the field table of the row.
 *
 * Example:
 *
 *     f(%0: f32[4,2]) -> f32[4] {
 *       %1: f32[4] = reduce_sum %0 dim=[1]
 *       return %1
 *     }
 *
 * Rows have no parser of their own: the table that prints, compares and hashes a record (params.c)
 * also reads it, and knows what could be meant:
 *
 *     head: line 2, column 28: reduce_sum has no parameter 'dim'; did you mean 'dims'? */
#include "program/text.h"

/* ---- lists */

typedef struct filling {
	const tsr_prim *prim;
	const axis *axes;
	int naxes;
	char *params;
	uint64_t *seen;
	uint64_t *named; /* by the list that is read: positions in the mesh */
} filling;

/* what ints, groups, programs and the other lists of a record are */
typedef struct items {
	int n;
	const void *v;
} items;
_Static_assert(sizeof(items) == sizeof(ints) && sizeof(items) == sizeof(programs), "see above");

/* one item, of what the record has until now; its memory is cleared */
typedef bool read_item(reader *, const filling *, void *item);

/* items of this size between two marks, "[]" say, into a list; least: how many at least, 0 or 1 */
static bool read_items(reader *r, const filling *to, const char *marks, int least, size_t size,
                       read_item *read, void *out)
{
	list l = {0};

	if (!expect(r, marks[0])) return false;
	if (least || !skip_char(r, marks[1])) {
		do {
			void *item = list_push(r, &l, size);
			if (!item || !read(r, to, item)) return false;
		} while (skip_char(r, ','));
		if (!expect(r, marks[1])) return false;
	}
	memcpy(out, &(items){(int)l.n, l.v}, sizeof(items));
	return true;
}

static bool read_whole(reader *r, const filling *to, void *item)
{
	return (void)to, read_integer(r, INT64_MIN, INT64_MAX, item);
}

static bool read_ints(reader *r, const filling *to, ints *out)
{
	return read_items(r, to, "[]", 0, sizeof(int64_t), read_whole, out);
}

static bool read_pair(reader *r, const filling *to, void *item)
{
	int64_t *pair = item;

	return read_whole(r, to, &pair[0]) && expect(r, '>') && read_whole(r, to, &pair[1]);
}

static bool read_pairs(reader *r, const filling *to, ints *out)
{
	const bool ok = read_items(r, to, "[]", 0, 2 * sizeof(int64_t), read_pair, out);

	if (ok) out->n *= 2;
	return ok;
}

static bool read_group(reader *r, const filling *to, void *item) { return read_ints(r, to, item); }

static bool read_entry(reader *r, const filling *to, void *item)
{
	int entry;

	if (!read_axis(r, to->axes, to->naxes, &entry)) return false;
	*(int64_t *)item = entry;
	return true;
}

/* ---- meshes and specs */

static bool read_mesh_axes(reader *r, tsr_axis *axes, size_t *n)
{
	*n = 0;
	if (!expect(r, '(')) return false;
	do {
		if (*n == MAX_AXES)
			return fail_at(r, r->at, "a mesh has at most %d axes", MAX_AXES);
		tsr_axis *a = &axes[(*n)++];
		if (!(a->name = read_name(r, "the name of an axis")) || !expect(r, ':') ||
		    !read_integer(r, 1, INT64_MAX, &a->size))
			return false;
	} while (skip_char(r, ','));
	return expect(r, ')');
}

bool read_mesh(reader *r, const mesh **out)
{
	tsr_axis axes[MAX_AXES];
	size_t n;
	ints devices = {0, NULL};

	skip_blanks(r);
	const char *start = r->at;
	if (!read_mesh_axes(r, axes, &n)) return false;
	const char *list = r->at;
	if (*list == '[' && !read_ints(r, NULL, &devices)) return false;
	if (*list == '[' && !devices.n)
		return fail_at(r, list, "a mesh needs devices: that of a tsr_pmap whose body is "
		                        "being traced has none yet, and cannot be read");
	*out = mesh_make(r->ir->shards, r->where, axes, n, devices.v, (size_t)devices.n);
	if (!*out) note_place(r, start);
	return *out;
}

/* reads an axis name and gives its position in the mesh; an error if `seen` has it already */
static bool read_position(reader *r, const mesh *m, uint64_t *seen, int *out)
{
	skip_blanks(r);
	const char *start = r->at, *name = read_name(r, "the name of a mesh axis");

	if (!name) return false;
	*out = mesh_axis(m, name, strlen(name));
	if (*out < 0) return fail_at(r, start, "the mesh has no axis named '%.64s'", name);
	if (*seen >> *out & 1) return fail_at(r, start, "axis '%.64s' is there twice", name);
	*seen |= (uint64_t)1 << *out;
	return true;
}

static const mesh *mesh_of(const filling *to)
{
	const mesh *const *m = params_field(to->prim, to->params, FIELD_MESH);

	return m ? *m : NULL;
}

static bool read_manual_axis(reader *r, const filling *to, void *item)
{
	int at;

	if (!read_position(r, mesh_of(to), to->named, &at)) return false;
	*(int64_t *)item = at;
	return true;
}

static bool read_manual(reader *r, const filling *to, ints *out)
{
	uint64_t named = 0;
	filling with = *to;

	with.named = &named;
	return read_items(r, &with, "()", 0, sizeof(int64_t), read_manual_axis, out);
}

static bool read_spec_entry(reader *r, const mesh *m, spec_room *room, uint64_t *seen)
{
	if (skip_char(r, '-')) return true;
	do {
		int at;
		if (!read_position(r, m, seen, &at)) return false;
		room->axis[room->start[room->ndim]++] = at;
	} while (skip_char(r, '*'));
	return true;
}

static bool read_spec(reader *r, const filling *to, void *item)
{
	const mesh *m = mesh_of(to);
	spec_room room = {.ndim = 0};
	uint64_t seen = 0;

	if (!expect(r, '[')) return false;
	if (!skip_char(r, ']')) {
		do {
			if (room.ndim + 1 == (int)ARRAY_LEN(room.start))
				return fail_at(r, r->at, "a spec has at most %d entries",
				               room.ndim);
			room.ndim++;
			room.start[room.ndim] = room.start[room.ndim - 1];
			if (!read_spec_entry(r, m, &room, &seen)) return false;
		} while (skip_char(r, ','));
		if (!expect(r, ']')) return false;
	}
	return (*(const sharding **)item = sharding_of_room(r->ir->shards, m, &room));
}

/* ---- texts, types, functions */

static bool read_text(reader *r, const char **out)
{
	skip_blanks(r);
	return (*out = read_string(r, "a text"));
}

static bool read_type_item(reader *r, const filling *to, void *item)
{
	return (void)to, read_type(r, NULL, 0, item);
}

/* a text that names a C function cannot say where that is */
static bool refuse_function(reader *r)
{
	skip_blanks(r);
	const char *start = r->at, *name = read_name(r, "the name of a function");

	return name && fail_at(r, start,
	                       "'%.64s' is a C function, which a text cannot bring along: make its "
	                       "fn with tsr_pure_callback or its kin",
	                       name);
}

/* ---- words */

static const char *listed_word(const void *from, int i) { return ((const char *const *)from)[i]; }

static bool fail_choice(reader *r, const char *at, const char *problem, const char *word,
                        const char *meant)
{
	return fail_at(r, at, "%s '%.64s'%s%s%s", problem, word, meant ? "; did you mean '" : "",
	               meant ? meant : "", meant ? "'?" : "");
}

static bool read_choice(reader *r, const char *const *words, int *out)
{
	skip_blanks(r);
	const char *start = r->at, *word = read_word(r, "a word");

	if (!word) return false;
	for (*out = 0; words[*out]; ++*out)
		if (strcmp(words[*out], word) == 0) return true;
	return fail_choice(r, start, "there is no choice", word,
	                   nearest(word, listed_word, words, *out));
}

static const char *const bool_words[] = {"false", "true", NULL};

static bool read_bool(reader *r, bool *out)
{
	int at;

	if (!read_choice(r, bool_words, &at)) return false;
	*out = at;
	return true;
}

/* ---- fields */

/* mesh before manual axes and specs, all of them before programs */
static bool in_order(const reader *r, const filling *to, const field *f, const char *at)
{
	for (int i = 0; to->prim->params[i].name; i++) {
		const field *other = &to->prim->params[i];
		const bool needed = other->kind == FIELD_MESH ||
		                    (f->kind >= FIELD_PROGRAM && other->kind == FIELD_MANUAL);
		if (needed && !(*to->seen >> i & 1))
			return fail_at(r, at, "parameter %s of %s comes after %s", f->name,
			               to->prim->name,
			               other->name);
	}
	return true;
}

static bool read_inner(reader *r, const filling *to, void *item)
{
	axis axes[MAX_AXES];
	const int naxes = inner_axes(to->prim, to->params, to->axes, to->naxes, axes);

	if (naxes < 0) return fail_at(r, r->at, "more than %d axes are in scope", MAX_AXES);
	return (*(const program **)item = read_program(r, axes, naxes));
}

static bool read_value(reader *r, const filling *to, const field *f)
{
	void *at = to->params + f->offset;

	switch (f->kind) {
	case FIELD_BOOL: return read_bool(r, at);
	case FIELD_INT: return read_integer(r, INT64_MIN, INT64_MAX, at);
	case FIELD_DTYPE: return read_dtype(r, at);
	case FIELD_WORD: return read_choice(r, f->words, at);
	case FIELD_INTS:
	case FIELD_DIMS:
	case FIELD_SIZES: return read_ints(r, to, at);
	case FIELD_AXES: return read_items(r, to, "()", 0, sizeof(int64_t), read_entry, at);
	case FIELD_PAIRS: return read_pairs(r, to, at);
	case FIELD_GROUPS: return read_items(r, to, "[]", 1, sizeof(ints), read_group, at);
	case FIELD_MESH: return read_mesh(r, at);
	case FIELD_MANUAL: return read_manual(r, to, at);
	case FIELD_SPECS:
		return read_items(r, to, "[]", 0, sizeof(const sharding *), read_spec, at);
	case FIELD_TEXT: return read_text(r, at);
	case FIELD_TYPES:
		return read_items(r, to, "[]", 0, sizeof(const type *), read_type_item, at);
	case FIELD_FUNCTION: return refuse_function(r);
	case FIELD_PROGRAM:
	case FIELD_RULE: return read_inner(r, to, at);
	case FIELD_PROGRAMS:
		return read_items(r, to, "[]", 1, sizeof(const program *), read_inner, at);
	}
	return false;
}

static const char *field_name(const void *from, int i) { return ((const field *)from)[i].name; }

static bool find_field(reader *r, const tsr_prim *prim, const char *at, const char *name, int *out)
{
	const field *fields = prim->params;

	for (*out = 0; fields && fields[*out].name; ++*out)
		if (strcmp(fields[*out].name, name) == 0) return true;
	str problem = {.base = r->base};
	str_printf(&problem, "%s has no parameter", prim->name);
	fail_choice(r, at, problem.s ? problem.s : "no parameter", name,
	            nearest(name, field_name, fields, *out));
	str_free(&problem);
	return false;
}

bool read_param(reader *r, const tsr_prim *prim, const axis *axes, int naxes, void *params,
                uint64_t *seen)
{
	const char *start = r->at, *name = read_word(r, "a parameter");
	const filling to = {prim, axes, naxes, params, seen, NULL};
	int i;

	if (!name || !find_field(r, prim, start, name, &i)) return false;
	const field *f = &prim->params[i];
	if (*seen >> i & 1)
		return fail_at(r, start, "parameter %s of %s is given twice", name, prim->name);
	const bool late = f->kind == FIELD_MANUAL || f->kind == FIELD_SPECS ||
	                  f->kind >= FIELD_PROGRAM;
	if (late && !in_order(r, &to, f, start)) return false;
	*seen |= (uint64_t)1 << i;
	return expect(r, '=') && read_value(r, &to, f);
}

bool params_complete(reader *r, const char *at, const tsr_prim *prim, uint64_t seen)
{
	for (int i = 0; prim->params && prim->params[i].name; i++) {
		const field *f = &prim->params[i];
		const bool may_lack = f->kind == FIELD_BOOL || f->kind == FIELD_GROUPS ||
		                      (f->kind == FIELD_WORD && !*f->words[0]);
		if (may_lack || seen >> i & 1) continue;
		return fail_at(r, at, "parameter %s of %s is missing", f->name, prim->name);
	}
	return true;
}
