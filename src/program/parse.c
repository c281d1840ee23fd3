/* parse.c - reads programs from text; docs/program-text.md is the grammar.
 *
 * Example:
 *
 *     f(%0: f32[3]) -> f32[4] {
 *       %1: f32[4] = neg %0
 *       return %1
 *     }
 *
 * The text has all types, and they are inferred as well. A text with other ones is refused:
 *
 *     head: line 2, column 1: the text says f32[4], and the type is f32[3]
 *
 * Nothing in the text is trusted. Each equation goes through build_eqn_exact, which infers its
 * types; they must be those that the text gives. Depth is limited, and everything else is linear in
 * the length of the text. */
#include "program/text.h"

/* one program being read */
typedef struct parsing {
	reader *r;
	build *b;
	const axis *axes;
	int naxes;
	table vars;                /* by number */
	list results;              /* declared types */
} parsing;

typedef struct definition {        /* "%3: f32[2]" */
	int64_t number;
	const type *type;
	const char *at;
	var v;
} definition;

/* ---- variables and literals */

static bool has_number(const void *entry, const void *wanted)
{
	return ((const definition *)entry)->number == *(const int64_t *)wanted;
}

static bool read_number(reader *r, int64_t *out)
{
	r->at++;
	if (!is_digit(*r->at)) return fail_expected(r, "the number of a variable");
	return read_integer(r, 0, INT32_MAX, out);
}

static bool read_definition(parsing *p, definition *d)
{
	reader *r = p->r;

	skip_blanks(r);
	d->at = r->at;
	if (*r->at != '%') return fail_expected(r, "a variable (%0, %1, ...)");
	return read_number(r, &d->number) && expect(r, ':') &&
	       read_type(r, p->axes, p->naxes, &d->type);
}

static bool define(parsing *p, const definition *d, var v)
{
	const uint64_t hash = hash_u64((uint64_t)d->number, 0);
	definition *entry;

	if (table_find(&p->vars, hash, has_number, &d->number))
		return fail_at(p->r, d->at, "%%%lld is defined twice", (long long)d->number);
	if (!(entry = arena_copy(p->r->scratch, d, sizeof *d))) return false;
	entry->v = v;
	return table_add(&p->vars, hash, entry);
}

static bool read_use(parsing *p, var *out)
{
	const char *start = p->r->at;
	int64_t number;

	if (!read_number(p->r, &number)) return false;
	const uint64_t hash = hash_u64((uint64_t)number, 0);
	const definition *d = table_find(&p->vars, hash, has_number, &number);
	if (!d) return fail_at(p->r, start, "%%%lld is not defined before this", (long long)number);
	*out = d->v;
	return true;
}

/* where the dtype of a literal begins: after the ':' that ends its number; NULL: no literal */
static const char *literal_dtype(const char *at)
{
	const bool pair = *at == '(';

	while (is_word_part(*at) || *at == '+' || *at == '-' ||
	       (pair && *at && strchr("(,) ", *at)))
		at++;
	return *at == ':' ? at + 1 : NULL;
}

static bool read_literal(parsing *p, const char *dtype_at, var *out)
{
	_Alignas(16) unsigned char value[16] = {0};
	reader *r = p->r;
	const char *start = r->at, *at = start;
	etype of;

	const int len = (int)(dtype_at - 1 - start);
	r->at = dtype_at;
	if (!read_etype(r, &of)) return false;
	/* the sign of a nan is not in its text */
	const bool negative_nan = memmem(start, (size_t)len, "-nan", 4);
	if (negative_nan || !number_read(&at, of.dtype, value) || at != dtype_at - 1)
		return fail_at(r, start, "'%.*s' is no %s", len > 64 ? 64 : len, start,
		               tsr_dtype_name(of.dtype));
	const type *t = type_make(r->ir, of.dtype, NULL, 0, 0);
	*out = build_literal_as(p->b, t ? type_weaken(r->ir, t, of.weak) : NULL, value);
	return out->id;
}

/* the operands up to what is none */
static bool read_operands(parsing *p, list *l)
{
	reader *r = p->r;

	for (;;) {
		skip_spaces(r);
		const char *dtype_at = *r->at == '%' ? NULL : literal_dtype(r->at);
		if (*r->at != '%' && !dtype_at) return true;
		var *v = list_push(r, l, sizeof *v);
		if (!v || !(dtype_at ? read_literal(p, dtype_at, v) : read_use(p, v))) return false;
	}
}

/* ---- equations */

typedef struct sentence {          /* one equation as read */
	list results, operands;    /* of definition, var */
	const tsr_prim *prim;
	const char *prim_at;
	void *params;
	uint64_t seen;
	const char *note, *where;
} sentence;

static const char *prim_name(const void *from, int i) { return ((const ir *)from)->prims[i]->name; }

static bool read_prim(reader *r, sentence *s)
{
	skip_blanks(r);
	s->prim_at = r->at;
	const char *name = read_word(r, "an equation or return");
	if (!name) return false;
	s->prim = prim_named(r->ir, name, strlen(name));
	if (s->prim) return (s->params = arena_alloc(r->scratch, params_size(s->prim->params) + 1));
	const char *meant = nearest(name, prim_name, r->ir, r->ir->nprims);
	return fail_at(r, s->prim_at, "there is no primitive '%.64s'%s%s%s", name,
	               meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

/* a comment ends the line, and may be the equation's location */
static bool read_line_end(reader *r, const char **where)
{
	skip_spaces(r);
	if (*r->at == '#') {
		const char *start = r->at + 1;
		while (r->at < r->end && *r->at != '\n') r->at++;
		const char *end = r->at;
		while (*start == ' ' || *start == '\t') start++;
		while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
		if (end > start && location_fits(start, (size_t)(end - start))) {
			char *copy = arena_alloc(r->scratch, (size_t)(end - start) + 1);
			if (!copy) return false;
			*where = memcpy(copy, start, (size_t)(end - start));
		}
	}
	return *r->at == '\n' || fail_expected(r, "a parameter or the end of the line");
}

static bool read_sentence(parsing *p, sentence *s)
{
	reader *r = p->r;

	if (*r->at == '%') {
		do {
			definition *d = list_push(r, &s->results, sizeof *d);
			if (!d || !read_definition(p, d)) return false;
		} while (skip_char(r, ','));
		if (!expect(r, '=')) return false;
	}
	if (!read_prim(r, s) || !read_operands(p, &s->operands)) return false;
	for (skip_spaces(r); is_letter(*r->at) || (*r->at == '"' && !s->note); skip_spaces(r)) {
		const bool ok = *r->at == '"' ? (s->note = read_string(r, "a note")) != NULL
		                              : read_param(r, s->prim, p->axes, p->naxes, s->params,
		                                           &s->seen);
		if (!ok) return false;
	}
	return read_line_end(r, &s->where) && params_complete(r, s->prim_at, s->prim, s->seen);
}

static bool same_type(parsing *p, const char *at, const type *declared, const type *is)
{
	str a = {.base = p->r->base}, b = {.base = p->r->base};

	if (declared == is) return true;
	type_print(&a, declared, p->axes, p->naxes);
	type_print(&b, is, p->axes, p->naxes);
	fail_at(p->r, at, "the text says %s, and the type is %s", a.s ? a.s : "?", b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return false;
}

static bool read_eqn(parsing *p)
{
	reader *r = p->r;
	sentence s = {0};

	if (!read_sentence(p, &s)) return false;
	const int nout = prim_nout(s.prim, s.params, (int)s.operands.n);
	if ((size_t)nout != s.results.n)
		return fail_at(r, s.prim_at, "%s has %d result%s, not %zu", s.prim->name, nout,
		               nout == 1 ? "" : "s", s.results.n);
	var *out = arena_array(r->scratch, (size_t)nout + 1, sizeof *out);
	if (!out) return false;
	if (!build_eqn_exact(p->b, s.prim, s.params, s.operands.v, (int)s.operands.n, out, s.where,
	                     s.note)) {
		note_place(r, s.prim_at);
		return false;
	}
	const definition *d = s.results.v;
	for (int i = 0; i < nout; i++)
		if (!same_type(p, d[i].at, d[i].type, build_type(p->b, out[i])) ||
		    !define(p, &d[i], out[i]))
			return false;
	return true;
}

/* ---- programs */

static bool read_inputs(parsing *p)
{
	if (!expect(p->r, '(')) return false;
	if (skip_char(p->r, ')')) return true;
	do {
		definition d = {0};
		if (!read_definition(p, &d)) return false;
		const var v = build_input(p->b, d.type);
		if (!v.id || !define(p, &d, v)) return false;
	} while (skip_char(p->r, ','));
	return expect(p->r, ')');
}

static bool read_result_types(parsing *p)
{
	if (!expect(p->r, '-') || !expect(p->r, '>')) return false;
	if (skip_char(p->r, '(')) return expect(p->r, ')');
	do {
		const type **t = list_push(p->r, &p->results, sizeof *t);
		if (!t || !read_type(p->r, p->axes, p->naxes, t)) return false;
	} while (skip_char(p->r, ','));
	return true;
}

static bool at_return(const reader *r)
{
	return word_length(r->at) == 6 && strncmp(r->at, "return", 6) == 0;
}

static bool read_return(parsing *p, list *out)
{
	reader *r = p->r;
	const char *start = r->at;

	r->at += 6;
	if (!read_operands(p, out)) return false;
	if (out->n != p->results.n)
		return fail_at(r, start, "%zu results are returned, not %zu as declared", out->n,
		               p->results.n);
	const var *v = out->v;
	const type *const *declared = p->results.v;
	for (size_t i = 0; i < out->n; i++)
		if (!same_type(p, start, declared[i], build_type(p->b, v[i]))) return false;
	return expect(r, '}');
}

static bool read_body(parsing *p, list *out)
{
	reader *r = p->r;

	if (!read_inputs(p) || !read_result_types(p) || !expect(r, '{')) return false;
	for (skip_blanks(r); !at_return(r); skip_blanks(r))
		if (!read_eqn(p)) return false;
	return read_return(p, out);
}

static void release_deferred(void *p) { program_release(p); }

/* the program is released with the scratch arena */
static const program *end_program(reader *r, build *b, const list *out)
{
	program *made = build_end(b, out->v, (int)out->n);

	if (!made || arena_defer(r->scratch, release_deferred, made)) return made;
	program_release(made);
	return NULL;
}

const program *read_program(reader *r, const axis *axes, int naxes)
{
	const char *name = NULL;
	parsing p = {.r = r, .axes = axes, .naxes = naxes, .vars = {.base = r->base}};
	list out = {0};

	skip_blanks(r);
	if (r->depth == MAX_PROGRAM_DEPTH) {
		fail_at(r, r->at, "programs nest deeper than %d", MAX_PROGRAM_DEPTH);
		return NULL;
	}
	if (*r->at != '(' && !(name = read_name(r, "a program"))) return NULL;
	if (!(p.b = build_begin(r->ir, name, axes, naxes))) return NULL;
	r->depth++;
	const bool ok = read_body(&p, &out);
	r->depth--;
	table_free(&p.vars, NULL);
	if (ok) return end_program(r, p.b, &out);
	build_abandon(p.b);
	return NULL;
}

/* ---- the axis table */

static bool add_axis(const reader *r, axis *axes, int *naxes, axis a)
{
	if (*naxes == MAX_AXES)
		return fail_at(r, r->at, "more than %d axes are in scope", MAX_AXES);
	axes[(*naxes)++] = a;
	return true;
}

static bool take_of(reader *r)
{
	skip_blanks(r);
	if (word_length(r->at) != 2 || strncmp(r->at, "of", 2) != 0) return false;
	r->at += 2;
	return true;
}

/* "x, y of mesh": the entries from `from` to `to` are axes of the mesh that follows */
static bool read_mesh_of(reader *r, axis *axes, int from, int to)
{
	const char *start = r->at;
	const mesh *m;

	if (!read_mesh(r, &m)) return false;
	for (int i = from; i < to; i++) {
		const int at = mesh_axis(m, axes[i].name, strlen(axes[i].name));
		if (at < 0)
			return fail_at(r, start, "this mesh has no axis named '%.64s'",
			               axes[i].name);
		axes[i] = (axis){axes[i].name, m->axis[at].size, AXIS_MESH, m, at, NULL};
	}
	return true;
}

/* "over x*y" behind the size of a map, or nothing */
static bool read_over(reader *r, const char **over)
{
	const char *name;
	str all = {.base = r->base};

	skip_blanks(r);
	if (word_length(r->at) != 4 || strncmp(r->at, "over", 4) != 0) return true;
	r->at += 4;
	do {
		if (!(name = read_name(r, "a mesh axis that splits the batch"))) break;
		str_printf(&all, "%s%s", all.len ? "*" : "", name);
	} while (skip_char(r, '*'));
	*over = name && all.s ? arena_str(r->scratch, all.s) : NULL;
	str_free(&all);
	return *over;
}

static bool read_axes(reader *r, axis *axes, int *naxes)
{
	int from = 0;                  /* the first name whose mesh has not been read yet */

	if (!expect(r, '(')) return false;
	if (skip_char(r, ')')) return true;
	do {
		axis a = {.kind = AXIS_MAP};
		if (!(a.name = read_name(r, "the name of an axis"))) return false;
		if (from == *naxes && skip_char(r, ':')) {
			if (!read_integer(r, 1, INT64_MAX, &a.size) || !read_over(r, &a.over) ||
			    !add_axis(r, axes, naxes, a))
				return false;
			from = *naxes;
			continue;
		}
		if (!add_axis(r, axes, naxes, a)) return false;
		if (!take_of(r)) continue;
		if (!read_mesh_of(r, axes, from, *naxes)) return false;
		from = *naxes;
	} while (skip_char(r, ','));
	return (from == *naxes || fail_expected(r, "'of' and a mesh")) && expect(r, ')');
}

static const program *read_text(reader *r)
{
	axis axes[MAX_AXES];
	int naxes = 0;

	skip_blanks(r);
	if (word_length(r->at) == 4 && strncmp(r->at, "axes", 4) == 0) {
		r->at += 4;
		if (!read_axes(r, axes, &naxes)) return NULL;
	}
	const program *p = read_program(r, axes, naxes);
	if (!p) return NULL;
	skip_blanks(r);
	if (r->at < r->end) {
		fail_expected(r, "the end of the text");
		return NULL;
	}
	program_retain(p);
	return p;
}

program *program_parse(ir *ctx, const char *where, const char *text, size_t len)
{
	reader r = {.ir = ctx, .base = ctx->base, .where = where, .had_error = failed(ctx->base)};

	if (len >= INT32_MAX) {
		fail(r.base, where, TSR_ERROR_TEXT, "a program text of %zu bytes is too long", len);
		return NULL;
	}
	if (!(r.scratch = arena_make(r.base))) return NULL;
	char *copy = arena_alloc(r.scratch, len + 1);
	const program *p = NULL;
	if (copy) {
		if (len) memcpy(copy, text, len);
		r.text = r.at = copy;
		r.end = copy + len;
		p = read_text(&r);
	}
	arena_free(r.scratch);
	return (program *)(uintptr_t)p;
}
