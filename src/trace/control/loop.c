/* loop.c - checks loops: the carry keeps its type, and a row's operands are in its order.
 *
 * What a loop carries must keep its type from step to step. Some carries are adjusted to what the
 * body makes of them, after which the body is traced again: a weak one takes the dtype of the
 * result; a C number also varies over the axes of the result, and in unchecked regions every carry
 * does. Any other difference is an error that names the leaf.
 *
 * Example:
 *
 *     static tsr *add(tsr *sum, tsr *x) { return tsr_add(sum, x); }
 *     static tsr *total(tsr *x) { return tsr_scan(add, 0.0, tsr_astype(x, TSR_BF16)); }
 *
 * The carry 0.0 is f32* at first; the body gives bf16, so that the second trace carries bf16:
 *
 *     total(%0: f32[4]) -> bf16[] {
 *       %1: bf16[4] = convert_element_type %0 dtype=bf16
 *       %2: bf16[] = scan 0.0:bf16 %1 length=4 consts=0 carry=1 unroll=1
 *         body=body(%0: bf16[], %1: bf16[]) -> bf16[] {
 *         %2: bf16[] = add %0 %1
 *         return %2
 *       }
 *       return %2
 *     } */
#include <stdio.h>
#include "trace/control/control.h"

static bool is_number(const loop *l, int i)
{
	return l->f.args.arg[l->f.args.leaf[i].arg].kind > TSR_KIND_TREE;
}

bool loop_args(loop *l, const tsr_arg *args, size_t n, int ncarry)
{
	l->ncarry = ncarry;
	if (!flow_args(&l->f, args, n)) return false;
	const leaves *all = &l->f.args;
	for (int i = 0; i < all->n && all->leaf[i].arg < ncarry; i++) l->nleaves++;
	return true;
}

/* the next value of leaf i of the carry; NULL: absent */
static const type *next_type(const loop *l, int i)
{
	const int k = l->body.out[i];

	return k < 0 ? NULL : type_of(l->body.p, l->body.p->out[k]);
}

/* ---- does the carry keep its type? */

static bool refuse_absent(const loop *l, int i)
{
	str name = {.base = &l->f.site.ctx->base};

	leaf_text(&name, &l->f.args, i);
	flow_fail(&l->f, TSR_ERROR_TYPE,
	          "%s body function carry input and carry output must have the same structure, but "
	          "%s is absent in one of them",
	          l->f.site.op, name.s ? name.s : "a leaf");
	str_free(&name);
	return false;
}

bool carry_fits(const loop *l, bool exact)
{
	const traced_body *t = &l->body;
	const leaves *args = &l->f.args;
	int count[TSR_MAX_ARGS] = {0};

	for (int i = 0; i < l->nleaves; i++) count[args->leaf[i].arg]++;
	if (exact ? t->shape.n != l->ncarry : t->shape.n < l->ncarry)
		return flow_fail(&l->f, TSR_ERROR_TYPE,
		                 "%s body function carry input and carry output must have the same "
		                 "structure, but they differ: the carry has %d values, and the "
		                 "body gives %d",
		                 l->f.site.op, l->ncarry, t->shape.n);
	for (int k = 0; k < l->ncarry; k++)
		if (t->shape.count[k] != count[k])
			return flow_fail(&l->f, TSR_ERROR_TYPE,
			                 "%s body function carry input and carry output must have "
			                 "the same structure, but they differ: args[%d] has %d "
			                 "leaves, and result %d of the body %d",
			                 l->f.site.op, k, count[k], k, t->shape.count[k]);
	for (int i = 0; i < l->nleaves; i++)
		if (!args->types[i] != !next_type(l, i)) return refuse_absent(l, i);
	return true;
}

/* the element type that a carry of element type `of` gets when the body returns `next`. As in JAX,
 * a weak carry stays weak if its default dtype already is the joint one: where the body returns
 * f32, 0.0 is carried as f32*; where it returns bf16, as bf16 */
static etype settled(const base *b, etype of, etype next)
{
	const etype both = etype_join(of, next);

	if (!of.weak) return of;
	return both.dtype == etype_default(b, of).dtype ? (etype){both.dtype, true} : both;
}

/* a C number is converted from what the caller wrote, so that no digits are lost on the way */
static bool settle_dtype(loop *l, int i, const type *next, bool *again)
{
	leaves *args = &l->f.args;
	tsr **x = &args->leaf[i].handle;
	const etype own = etype_of(args->types[i]);
	const etype to = settled(&l->f.site.ctx->base, own, etype_of(next));

	if (to.dtype == own.dtype && to.weak == own.weak) return true;
	*again = true;
	*x = is_number(l, i) ? constant_as(&l->f.site, to, &args->arg[args->leaf[i].arg])
	                     : convert_as(&l->f.site, *x, to);
	args->types[i] = type_as(&l->f.site.ctx->ir, args->types[i], to);
	return args->types[i] && !handle_is_poison(*x);
}

static bool widen(loop *l, int i, axis_set varying, bool *again)
{
	const type **t = &l->f.args.types[i];

	if (!(varying & ~(*t)->varying)) return true;
	*again = true;
	return (*t = type_vary(&l->f.site.ctx->ir, *t, (*t)->varying | varying));
}

/* adjusts the carry; *again: the body must be traced again. over: axes that the predicate varies
 * over */
bool settle(loop *l, axis_set over, bool *again)
{
	const bool unchecked = trace_unchecked(l->f.site.ctx);
	bool ok = true;

	*again = false;
	for (int i = 0; ok && i < l->nleaves; i++) {
		const type *next = next_type(l, i);
		if (!next) continue;
		ok = settle_dtype(l, i, next, again) &&
		     (!(unchecked || is_number(l, i)) || widen(l, i, next->varying | over, again));
	}
	return ok;
}

typedef struct complaint {
	str lines, fixes;
	int nlines, nfixes;
} complaint;

static void carry_line(const loop *l, complaint *c, int i, const type *next)
{
	const type *t = l->f.args.types[i];
	const axis_set missing = next->varying & ~t->varying;

	str_printf(&c->lines, "%sthe input carry component ", c->nlines++ ? ";\n  * " : "  * ");
	leaf_text(&c->lines, &l->f.args, i);
	str_put(&c->lines, " has type ");
	flow_put_type(&l->f, &c->lines, t);
	str_put(&c->lines, " but the corresponding output carry component has type ");
	flow_put_type(&l->f, &c->lines, next);
	str_printf(&c->lines, ", so %s", difference(t, next));
	if (dtype_kind(t->dtype) < KIND_FLOAT && dtype_kind(next->dtype) >= KIND_FLOAT) {
		str_printf(&c->fixes, "%sbeginning with a float, 0.0 in place of 0, as ",
		           c->nfixes++ ? ";\n  * " : "  * ");
		leaf_text(&c->fixes, &l->f.args, i);
	}
	if (!missing) return;
	str_printf(&c->fixes, "%sapplying tsr_pcast(..., ", c->nfixes++ ? ";\n  * " : "  * ");
	put_axes(&l->f, &c->fixes, missing);
	str_put(&c->fixes, ", .to = TSR_TO_VARYING) to the initial carry value corresponding to "
	                   "the input carry component ");
	leaf_text(&c->fixes, &l->f.args, i);
	str_put(&c->fixes, ", or making it of a value that varies so, as tsr_zeros_like does");
}

/* can `next` be carried on: is it of the type of the carry, or weak and convertible to it? */
static bool continues(const type *next, const type *carry)
{
	if (type_agrees(next, carry)) return true;
	return next->weak && next->varying == carry->varying && type_becomes(next, carry);
}

/* over: axes along which devices may run different numbers of steps */
bool check_carry(const loop *l, axis_set over)
{
	complaint c = {.lines = {.base = &l->f.site.ctx->base},
	               .fixes = {.base = &l->f.site.ctx->base}};
	const bool unchecked = trace_unchecked(l->f.site.ctx);
	char head[120];

	for (int i = 0; i < l->nleaves; i++) {
		const type *t = l->f.args.types[i], *next = next_type(l, i);
		if (!next || !(next = type_vary(&l->f.site.ctx->ir, next, next->varying | over)))
			continue;
		const type *alike =
			unchecked ? type_vary(&l->f.site.ctx->ir, next, t->varying) : next;
		if (!alike || !continues(alike, t)) carry_line(l, &c, i, next);
	}
	if (!c.nlines) return true;
	snprintf(head, sizeof head,
	         "%s body function carry input and carry output must have equal types, but they "
	         "differ",
	         l->f.site.op);
	return fail_lines(&l->f, head, &c.lines, c.nlines, &c.fixes, c.nfixes,
	                  over ? "The predicate varies, so the whole carry does. Revise the "
	                         "functions so that all output types match the corresponding input "
	                         "types."
	                       : "Revise the function so that all output types match the "
	                         "corresponding input types.");
}

/* ---- operands and programs in the order of the rows: constants first */

bool order_make(const flow *f, order *o, int most)
{
	*o = (order){arena_array(f->scratch, (size_t)most + 1, sizeof *o->x),
	             arena_array(f->scratch, (size_t)most + 1, sizeof *o->types), 0};
	return o->x && o->types;
}

void order_add(order *o, tsr *x, const type *t)
{
	o->x[o->n] = x;
	o->types[o->n++] = t;
}

void add_consts(order *o, const traced_body *p)
{
	for (int i = p->nleaves; i < p->p->nin; i++)
		order_add(o, p->x[i], type_of(p->p, p->p->in[i]));
}

void add_carry(order *o, const loop *l)
{
	for (int i = 0; i < l->nleaves; i++)
		if (l->f.args.types[i]) order_add(o, l->f.args.leaf[i].handle, l->f.args.types[i]);
}

int count_carry(const loop *l)
{
	int n = 0;

	for (int i = 0; i < l->nleaves; i++) n += l->f.args.types[i] != NULL;
	return n;
}

/* the body's program with its constants in front; its first ncarry results are cast to vary like
 * the carry */
program *consts_first(const loop *l, const traced_body *p, int ncarry)
{
	const program *from = p->p;
	const int nconsts = traced_body_nconsts(p);
	int *at = arena_array(l->f.scratch, (size_t)from->nin + 1, sizeof *at);
	const type **types = arena_array(l->f.scratch, (size_t)from->nin + 1, sizeof *types);
	const type **out = arena_array(l->f.scratch, (size_t)from->nout + 1, sizeof *out);

	if (!at || !types || !out) return NULL;
	for (int i = 0; i < from->nin; i++) {
		at[i] = i < p->nleaves ? nconsts + i : i - p->nleaves;
		types[at[i]] = type_of(from, from->in[i]);
	}
	for (int i = 0; i < ncarry; i++) out[i] = types[nconsts + i];
	return wrap(&l->f, from, types, from->nin, at, out);
}

/* ---- a body on a carry */

/* traces the body until the carry keeps its type; count: turns the body into a step of fori */
bool settle_body(loop *l, tsr_body body, axis_set over, bool (*count)(loop *))
{
	for (bool again = true; again;) {
		traced_body_done(&l->body);
		if (!traced_body_make(&l->f, body, "body", 0, &l->body) || (count && !count(l)) ||
		    !carry_fits(l, count != NULL) || !settle(l, over, &again))
			return false;
	}
	return check_exchanges(&l->f, l->body.p, over) && check_carry(l, over);
}
