/* print.c - prints programs as text; docs/program-text.md is the grammar.
 *
 * Example:
 *
 *     axes (x of (x:4))
 *     f(%7: f32[2,3]{x}) -> f32[2] { %9: f32[2]{x} = reduce_sum %7 dims=[1]
 *       %8: f32[2] = psum %9 axes=(x) to=invarying
 *       return %8 }
 *
 * is printed with numbers in the order of the equations, one equation a line:
 *
 *     axes (x of (x:4)) f(%0: f32[2,3]{x}) -> f32[2] {
 *       %1: f32[2]{x} = reduce_sum %0 dims=[1]
 *       %2: f32[2] = psum %1 axes=(x) to=invarying
 *       return %2
 *     }
 *
 * All names of axes are those of the table at the head of the text. So programs inside equations
 * read back correctly even if they were traced under other names. */
#include "program/text.h"

typedef struct printer {
	str *s;
	const program *p;
	const axis *axes;
	int naxes;
	int indent;
	unsigned flags;
	bool brief;                /* programs inside equations as "{ ... }" */
} printer;

/* ---- names and types */

static bool is_word(const char *name)
{
	size_t n = 0;

	if (!is_letter(name[0])) return false;
	while (is_word_part(name[n])) n++;
	return !name[n];
}

static void put_string(str *s, const char *text)
{
	str_put(s, "\"");
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\') str_printf(s, "\\%c", c);
		else if (is_control(*text)) str_printf(s, "\\x%02x", (unsigned)c);
		else str_putn(s, text, 1);
	}
	str_put(s, "\"");
}

static void put_name(str *s, const char *name)
{
	if (is_word(name)) str_put(s, name);
	else put_string(s, name);
}

/* "x", or "x^1" when one later entry has the same name */
static void put_axis(str *s, const axis *axes, int naxes, int64_t entry)
{
	int later = 0;

	if (entry < 0 || entry >= naxes) {
		str_put(s, "?");
		return;
	}
	put_name(s, axes[entry].name);
	for (int i = (int)entry + 1; i < naxes; i++)
		if (strcmp(axes[i].name, axes[entry].name) == 0) later++;
	if (later) str_printf(s, "^%d", later);
}

void etype_text(str *s, etype of)
{
	str_put(s, tsr_dtype_name(of.dtype));
	if (of.weak) str_put(s, "*");
}

static void put_type(str *s, etype of, const type *t, axis_set varying, const axis *axes,
                     int naxes)
{
	const char *between = "{";

	etype_text(s, of);
	str_put(s, "[");
	str_dims(s, t->dims, t->ndim);
	str_put(s, "]");
	if (!varying) return;
	for (int i = 0; i < MAX_AXES; i++) {
		if (!(varying >> i & 1)) continue;
		str_put(s, between);
		put_axis(s, axes, naxes, i);
		between = ",";
	}
	str_put(s, "}");
}

void type_print(str *s, const type *t, const axis *axes, int naxes)
{
	put_type(s, etype_of(t), t, t->varying, axes, naxes);
}

void type_text(str *s, const type *t, const axis *axes, int naxes)
{
	const tsr_dtype dtype = etype_default(s->base, etype_of(t)).dtype;
	axis_set named = t->varying;

	for (int i = 0; i < naxes; i++)
		if (axis_unnamed(axes[i].name)) named &= ~axis_bit(i);
	put_type(s, (etype){dtype, false}, t, named, axes, naxes);
}

/* ---- parameters */

static void put_ints(str *s, const ints *a)
{
	str_put(s, "[");
	for (int i = 0; i < a->n; i++) str_printf(s, i ? ",%lld" : "%lld", (long long)a->v[i]);
	str_put(s, "]");
}

static void put_pairs(str *s, const ints *a)
{
	str_put(s, "[");
	for (int i = 0; i + 1 < a->n; i += 2)
		str_printf(s, "%s%lld>%lld", i ? "," : "", (long long)a->v[i],
		           (long long)a->v[i + 1]);
	str_put(s, "]");
}

static void put_groups(str *s, const groups *a)
{
	str_put(s, "[");
	for (int i = 0; i < a->n; i++) {
		str_put(s, i ? "," : "");
		put_ints(s, &a->group[i]);
	}
	str_put(s, "]");
}

static void put_mesh(str *s, const mesh *m)
{
	const char *between = "(";

	for (int i = 0; i < m->naxes; i++) {
		str_put(s, between);
		put_name(s, m->axis[i].name);
		str_printf(s, ":%lld", (long long)m->axis[i].size);
		between = ",";
	}
	str_put(s, ")");
	if (mesh_is_open(m)) str_put(s, "[]");
	if (!m->list || m->list->ordered || m->size > INT32_MAX) return;
	put_ints(s, &(ints){(int)m->size, m->device});
}

static void put_entries(const printer *w, const ints *a)
{
	str_put(w->s, "(");
	for (int i = 0; i < a->n; i++) {
		str_put(w->s, i ? "," : "");
		put_axis(w->s, w->axes, w->naxes, a->v[i]);
	}
	str_put(w->s, ")");
}

static void put_manual(str *s, const mesh *m, const ints *a)
{
	str_put(s, "(");
	for (int i = 0; m && i < a->n; i++) {
		str_put(s, i ? "," : "");
		put_name(s, m->axis[a->v[i]].name);
	}
	str_put(s, ")");
}

static void put_spec(str *s, const sharding *of)
{
	const spec *p = &of->spec;

	str_put(s, "[");
	for (int d = 0; of->mesh && d < p->ndim; d++) {
		str_put(s, d ? "," : "");
		if (p->start[d] == p->start[d + 1]) str_put(s, "-");
		for (int i = p->start[d]; i < p->start[d + 1]; i++) {
			str_put(s, i > p->start[d] ? "*" : "");
			put_name(s, of->mesh->axis[p->axis[i]].name);
		}
	}
	str_put(s, "]");
}

static void put_specs(str *s, const shardings *a)
{
	str_put(s, "[");
	for (int i = 0; i < a->n; i++) {
		str_put(s, i ? "," : "");
		put_spec(s, a->v[i]);
	}
	str_put(s, "]");
}

static void put_types(const printer *w, const type_list *a)
{
	str_put(w->s, "[");
	for (int i = 0; i < a->n; i++) {
		str_put(w->s, i ? "," : "");
		type_print(w->s, a->v[i], w->axes, w->naxes);
	}
	str_put(w->s, "]");
}

static const char *word_of(const field *f, int at)
{
	for (int i = 0; f->words[i]; i++)
		if (i == at) return f->words[i];
	return "?";
}

static bool is_default(const field *f, const void *at)
{
	return (f->kind == FIELD_BOOL && !*(const bool *)at) ||
	       (f->kind == FIELD_WORD && !*word_of(f, *(const int *)at)) ||
	       (f->kind == FIELD_GROUPS && !((const groups *)at)->n);
}

static void put_value(const printer *w, const eqn *e, const field *f, const void *at)
{
	const mesh *const *m;

	switch (f->kind) {
	case FIELD_BOOL: str_put(w->s, "true"); break;
	case FIELD_INT: str_printf(w->s, "%lld", (long long)*(const int64_t *)at); break;
	case FIELD_DTYPE: str_put(w->s, tsr_dtype_name(*(const tsr_dtype *)at)); break;
	case FIELD_WORD: str_put(w->s, word_of(f, *(const int *)at)); break;
	case FIELD_INTS:
	case FIELD_DIMS:
	case FIELD_SIZES: put_ints(w->s, at); break;
	case FIELD_AXES: put_entries(w, at); break;
	case FIELD_PAIRS: put_pairs(w->s, at); break;
	case FIELD_GROUPS: put_groups(w->s, at); break;
	case FIELD_MESH: put_mesh(w->s, *(const mesh *const *)at); break;
	case FIELD_MANUAL:
		m = params_field(e->prim, e->params, FIELD_MESH);
		put_manual(w->s, m ? *m : NULL, at);
		break;
	case FIELD_SPECS: put_specs(w->s, at); break;
	case FIELD_TEXT: put_string(w->s, *(const char *const *)at); break;
	case FIELD_TYPES: put_types(w, at); break;
	case FIELD_FUNCTION: put_name(w->s, ((const host_function *)at)->name); break;
	case FIELD_PROGRAM:
	case FIELD_PROGRAMS:
	case FIELD_RULE: break;
	}
}

/* " name=value", or nothing */
static void put_param(const printer *w, const eqn *e, const field *f)
{
	const void *at = (const char *)e->params + f->offset;

	if (f->kind >= FIELD_PROGRAM || is_default(f, at)) return;
	str_printf(w->s, " %s=", f->name);
	put_value(w, e, f, at);
}

static void put_params(const printer *w, const eqn *e)
{
	for (const field *f = e->prim->params; f && f->name; f++) put_param(w, e, f);
}

/* ---- equations and programs */

static void put_program(const printer *w);

static const programs *programs_of(const inner *i, const void *params)
{
	return (const void *)((const char *)params + i->field->offset);
}

static void put_inner(const printer *w, const eqn *e)
{
	axis axes[MAX_AXES];
	const int naxes = inner_axes(e->prim, e->params, w->axes, w->naxes, axes);

	for (inner i = {0}; inner_next(e->prim, e->params, &i);) {
		const program *p = i.program;
		const bool list = i.field->kind == FIELD_PROGRAMS;
		if (i.at) str_put(w->s, ", ");
		else str_printf(w->s, list ? " %s=[" : " %s=", i.field->name);
		printer in = {w->s, p, p->axes, p->naxes, w->indent + 1, w->flags, false};
		if (naxes == p->naxes) in.axes = axes;
		if (w->brief) str_put(w->s, "{ ... }");
		else put_program(&in);
		if (list && i.at + 1 == programs_of(&i, e->params)->n) str_put(w->s, "]");
	}
}

static void put_var(const printer *w, var v)
{
	const var_info *info = &w->p->vars[v.id];

	if (!info->literal) {
		str_printf(w->s, "%%%d", v.id - 1);
		return;
	}
	str_number(w->s, info->type->dtype, info->literal, 0);
	str_put(w->s, ":");
	etype_text(w->s, etype_of(info->type));
}

static void put_definition(const printer *w, var v)
{
	put_var(w, v);
	str_put(w->s, ": ");
	type_print(w->s, type_of(w->p, v), w->axes, w->naxes);
}

bool location_fits(const char *text, size_t len)
{
	size_t digits = 0;

	while (digits < len && is_digit(text[len - 1 - digits])) digits++;
	if (!digits || len < digits + 2 || text[len - 1 - digits] != ':' || text[0] == ' ')
		return false;
	for (size_t i = 0; i < len; i++)
		if (is_control(text[i])) return false;
	return true;
}

static void put_where(const printer *w, const char *where)
{
	if (!(w->flags & PRINT_WHERE) || !where) return;
	const char *name = base_name(where);
	if (location_fits(name, strlen(name))) str_printf(w->s, "   # %s", name);
}

static void put_eqn(const printer *w, const eqn *e)
{
	for (int i = 0; i < e->nout; i++) {
		str_put(w->s, i ? ", " : "");
		put_definition(w, e->out[i]);
	}
	str_put(w->s, e->nout ? " = " : "");
	str_put(w->s, e->prim->name);
	for (int i = 0; i < e->nin; i++) {
		str_put(w->s, " ");
		put_var(w, e->in[i]);
	}
	put_params(w, e);
	if (e->note) {
		str_put(w->s, " ");
		put_string(w->s, e->note);
	}
	put_inner(w, e);
	put_where(w, e->where);
}

void axis_print(str *s, const axis *axes, int naxes, int64_t entry)
{
	put_axis(s, axes, naxes, entry);
}

void var_print(str *s, const program *p, var v) { put_var(&(printer){.s = s, .p = p}, v); }

void param_print(str *s, const eqn *e, const field *f, const axis *axes, int naxes)
{
	put_param(&(printer){.s = s, .axes = axes, .naxes = naxes}, e, f);
}

void eqn_print(str *s, const program *p, const eqn *e, unsigned flags)
{
	put_eqn(&(printer){s, p, p->axes, p->naxes, 0, flags, true}, e);
}

static void put_line_start(const printer *w, int more)
{
	str_put(w->s, "\n");
	for (int i = 0; i < w->indent + more; i++) str_put(w->s, "  ");
}

static void put_head(const printer *w)
{
	const program *p = w->p;

	if (p->name && strcmp(p->name, "axes") == 0) put_string(w->s, p->name);
	else if (p->name) put_name(w->s, p->name);
	str_put(w->s, "(");
	for (int i = 0; i < p->nin; i++) {
		str_put(w->s, i ? ", " : "");
		put_definition(w, p->in[i]);
	}
	str_put(w->s, p->nout ? ") -> " : ") -> ()");
	for (int i = 0; i < p->nout; i++) {
		str_put(w->s, i ? ", " : "");
		type_print(w->s, type_of(p, p->out[i]), w->axes, w->naxes);
	}
	str_put(w->s, " {");
}

static void put_program(const printer *w)
{
	const program *p = w->p;

	put_head(w);
	for (int i = 0; i < p->neqns; i++) {
		put_line_start(w, 1);
		put_eqn(w, &p->eqns[i]);
	}
	put_line_start(w, 1);
	str_put(w->s, "return");
	for (int i = 0; i < p->nout; i++) {
		str_put(w->s, " ");
		put_var(w, p->out[i]);
	}
	put_line_start(w, 0);
	str_put(w->s, "}");
}

/* the mesh axes that split a batch */
static void put_over(str *s, const char *axes)
{
	const char *before = " over ";
	size_t len;

	for (const char *at = axes, *name; axes && (name = product_next(&at, &len));) {
		str_put(s, before);
		str_putn(s, name, len);
		before = "*";
	}
}

/* axes of one mesh that follow each other share its text */
void axes_print(str *s, const axis *axes, int naxes)
{
	str_put(s, "axes (");
	for (int i = 0; i < naxes; i++) {
		const axis *a = &axes[i];
		str_put(s, i ? ", " : "");
		put_name(s, a->name);
		if (a->kind == AXIS_MAP) {
			str_printf(s, ": %lld", (long long)a->size);
			put_over(s, a->over);
		} else if (i + 1 == naxes || axes[i + 1].mesh != a->mesh ||
		           axes[i + 1].kind == AXIS_MAP) {
			str_put(s, " of ");
			put_mesh(s, a->mesh);
		}
	}
	str_put(s, ")");
}

void program_print(str *s, const program *p, unsigned flags)
{
	if (p->naxes) axes_print(s, p->axes, p->naxes);
	if (p->naxes) str_put(s, " ");
	put_program(&(printer){s, p, p->axes, p->naxes, 0, flags, false});
	str_put(s, "\n");
}
