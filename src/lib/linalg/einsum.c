/* einsum.c - computes products of any number of arrays, with letters as names of their dims.
 *
 * Each operand is a term: an array and the labels of its dims. Terms are simplified first: of two
 * dims with one label the diagonal is taken, and a label that neither another term nor the result
 * has is summed over. Then two terms at a time become one by dot_general, the two whose product
 * takes the fewest multiplications first, until one is left, whose dims are put in order. Of
 * "ij,jk,kl->il" with sizes i = 2, j = 3, k = 5, l = 7:
 *
 *     ij,jk: 2 * 3 * 5 = 30      jk,kl: 3 * 5 * 7 = 105      ij,kl: 2 * 3 * 5 * 7 = 210
 *     ij,jk -> ik    then    ik,kl -> il
 *
 * A dim of size 1 where its label has another size elsewhere is dropped: it would repeat. */
#include "lib/linalg/products.h"

/* letters in the order of ASCII, then the dims of an ellipsis, the last one last */
enum { LETTERS = 52, LABELS = LETTERS + MAX_NDIM };

typedef struct term {
	tsr *x; /* NULL: the result */
	int n;
	uint16_t label[MAX_NDIM];
} term;

typedef struct sum_of_products {
	const call_site *site;
	const char *text;
	term *of; /* n of them */
	int n, ellipsis; /* ellipsis: dims of the largest one */
	term result;
	int64_t size[LABELS];
	tsr_dtype dtype;
} sum_of_products;

static bool malformed(const sum_of_products *e, const char *why)
{
	return fail_op(e->site, TSR_ERROR_ARGUMENT, "\"%s\" %s", e->text, why);
}

static int label_of(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

/* which of the first n dims of a term has a label; -1: none */
static int find(const term *t, int n, int label)
{
	for (int i = 0; i < n; i++)
		if (t->label[i] == label) return i;
	return -1;
}

static bool has(const term *t, int label) { return find(t, t->n, label) >= 0; }

/* ---- reading: terms separated by commas, and the result behind an arrow */

/* Letters up to the end of a term. An ellipsis has `more` dims, -1: those of ndim that have no
 * letter */
static bool read_term(sum_of_products *e, const char **at, int ndim, int more, term *to)
{
	uint16_t letter[MAX_NDIM];
	int n = 0, dots = -1;

	for (;; ++*at) {
		const int label = label_of(**at);
		if (label >= 0 && n < MAX_NDIM) letter[n++] = (uint16_t)label;
		else if (!strncmp(*at, "...", 3) && dots < 0) dots = n, *at += 2;
		else if (**at != ' ') break;
	}
	if (**at && **at != ',' && **at != '-')
		return malformed(e, "has a character that is no letter");
	if (more < 0) more = ndim - n;
	if (more < 0 || n + more > MAX_NDIM) return malformed(e, "has more letters than dims");
	if (dots < 0 && to->x && more) return malformed(e, "must have a letter for each dim");
	if (dots < 0) dots = more = 0;
	if (more > e->ellipsis) e->ellipsis = more;
	to->n = n + more;
	for (int i = 0; i < to->n; i++)
		to->label[i] = i < dots          ? letter[i]
		               : i < dots + more ? (uint16_t)(LABELS - more + i - dots)
		                                 : letter[i - more];
	return true;
}

/* without an arrow: the dims of the ellipsis, and the letters that occur once, in order */
static void usual_result(sum_of_products *e)
{
	int times[LABELS] = {0};

	for (int k = 0; k < e->n; k++)
		for (int i = 0; i < e->of[k].n; i++) times[e->of[k].label[i]]++;
	e->result.n = 0;
	for (int l = LABELS - e->ellipsis; l < LABELS; l++)
		e->result.label[e->result.n++] = (uint16_t)l;
	for (int l = 0; l < LETTERS && e->result.n < MAX_NDIM; l++)
		if (times[l] == 1) e->result.label[e->result.n++] = (uint16_t)l;
}

static bool read_subscripts(sum_of_products *e)
{
	const char *at = e->text;

	for (int k = 0; k < e->n; k++) {
		if (!read_term(e, &at, handle_type(e->of[k].x)->ndim, -1, &e->of[k])) return false;
		if (k + 1 < e->n && *at++ != ',')
			return malformed(e, "has fewer terms than there are arrays");
	}
	if (*at == ',') return malformed(e, "has more terms than there are arrays");
	if (!*at) return usual_result(e), true;
	if (strncmp(at, "->", 2)) return malformed(e, "has a character that is no letter");
	at += 2;
	if (!read_term(e, &at, 0, e->ellipsis, &e->result)) return false;
	return !*at || malformed(e, "has a character that is no letter");
}

/* the size of each label, and 0 for those that there are not */
static bool read_sizes(sum_of_products *e)
{
	for (int k = 0; k < e->n; k++)
		for (int i = 0; i < e->of[k].n; i++) {
			const int64_t own = handle_type(e->of[k].x)->dims[i];
			int64_t *size = &e->size[e->of[k].label[i]];
			if (*size >= 0 && *size != 1 && own != 1 && *size != own)
				return fail_op(e->site, TSR_ERROR_TYPE,
				               "\"%s\" gives sizes %lld and %lld one letter",
				               e->text, (long long)*size, (long long)own);
			if (*size < 0 || *size == 1) *size = own;
		}
	for (int i = 0; i < e->result.n; i++) {
		const int label = e->result.label[i];
		if (e->size[label] < 0)
			return malformed(e, "has a letter in the result that no array has");
		if (find(&e->result, i, label) >= 0)
			return malformed(e, "has a letter twice in the result");
	}
	return true;
}

/* ---- one term */

static void drop_label(term *t, int i)
{
	memmove(t->label + i, t->label + i + 1, (size_t)(--t->n - i) * sizeof *t->label);
}

/* dims of size 1 whose label has another size */
static void drop_ones(const sum_of_products *e, term *t)
{
	int64_t dims[MAX_NDIM];
	int kept = 0;
	const type *own = handle_type(t->x);

	for (int i = 0; i < own->ndim; i++) {
		if (own->dims[i] == e->size[t->label[kept]])
			dims[kept++] = own->dims[i];
		else
			drop_label(t, kept);
	}
	t->x = reshape_to(e->site, t->x, dims, kept);
}

/* the diagonal of two dims with one label, which is the last dim then */
static void take_diagonals(const sum_of_products *e, term *t)
{
	for (int i = 0; i < t->n; i++)
		for (int j = i + 1; j < t->n; j++) {
			const uint16_t label = t->label[i];
			if (t->label[j] != label) continue;
			t->x = diagonal_of(e->site, t->x, i, j, 0);
			drop_label(t, j);
			drop_label(t, i);
			t->label[t->n++] = label;
			i = j = -1;
			break;
		}
}

static bool is_needed(const sum_of_products *e, int label, int apart, int beside)
{
	for (int k = 0; k < e->n; k++)
		if (k != apart && k != beside && has(&e->of[k], label)) return true;
	return has(&e->result, label);
}

static void sum_alone(const sum_of_products *e, int k)
{
	term *t = &e->of[k];
	int64_t dims[MAX_NDIM];
	int n = 0, kept = 0;

	for (int i = 0; i < t->n; i++) {
		if (is_needed(e, t->label[i], k, k)) t->label[kept++] = t->label[i];
		else dims[n++] = i;
	}
	t->n = kept;
	if (!n || handle_is_poison(t->x)) return;
	const tsr_prim *prim = handle_type(t->x)->dtype == TSR_BOOL ? &tsr__prim_reduce_or
	                                                           : &tsr__prim_reduce_sum;
	t->x = bind(e->site, prim, &(reduce_params){{n, dims}}, &t->x, 1);
}

/* ---- two terms */

static double multiplications(const sum_of_products *e, int a, int b)
{
	double n = 1;

	for (int l = 0; l < LABELS; l++)
		if (has(&e->of[a], l) || has(&e->of[b], l)) n *= (double)e->size[l];
	return n;
}

/* terms a < b become one, in the place of a; labels of both that are needed are batch dims */
static void multiply(sum_of_products *e, int a, int b)
{
	term *x = &e->of[a], *y = &e->of[b], xy = {.n = 0};
	int64_t dims[2][2][MAX_NDIM];
	int n[2] = {0, 0};

	for (int i = 0; i < x->n; i++) {
		const int at = find(y, y->n, x->label[i]);
		if (at < 0) continue;
		const bool stays = is_needed(e, x->label[i], a, b);
		dims[stays][0][n[stays]] = i;
		dims[stays][1][n[stays]++] = at;
		if (stays) xy.label[xy.n++] = x->label[i];
	}
	int total = xy.n;
	for (int side = 0; side < 2; side++) {
		const term *own = side ? y : x, *other = side ? x : y;
		for (int i = 0; i < own->n; i++) {
			if (has(other, own->label[i])) continue;
			if (total++ < MAX_NDIM) xy.label[xy.n++] = own->label[i];
		}
	}
	if (handle_is_poison(x->x) || handle_is_poison(y->x)) {
		xy.x = poison_of(e->site->ctx);
	} else if (total > MAX_NDIM) {
		xy.x = refuse_op(e->site, TSR_ERROR_TYPE,
		                 "a value has at most %d dims, a product in \"%s\" would have %d",
		                 MAX_NDIM, e->text, total);
	} else {
		const dot_params p = {{n[0], dims[0][0]}, {n[0], dims[0][1]}, {n[1], dims[1][0]},
		                      {n[1], dims[1][1]}, e->dtype, DOT_EXACT};
		xy.x = bind_product(e->site, &p, TSR_PRECISION_DEFAULT, (tsr *[]){x->x, y->x});
	}
	*x = xy;
	memmove(y, y + 1, (size_t)(--e->n - b) * sizeof *y);
}

static void multiply_all(sum_of_products *e)
{
	while (e->n > 1) {
		int best[2] = {0, 1};
		double least = multiplications(e, 0, 1);
		for (int a = 0; a < e->n; a++)
			for (int b = a + 1; b < e->n; b++) {
				const double n = multiplications(e, a, b);
				if (n < least) least = n, best[0] = a, best[1] = b;
			}
		multiply(e, best[0], best[1]);
	}
}

static tsr *in_order(const sum_of_products *e)
{
	const term *t = &e->of[0];
	int64_t perm[MAX_NDIM];

	for (int i = 0; i < e->result.n; i++) perm[i] = find(t, t->n, e->result.label[i]);
	return turn_dims(e->site, t->x, perm, e->result.n);
}

static tsr *evaluate(sum_of_products *e)
{
	for (int l = 0; l < LABELS; l++) e->size[l] = -1;
	if (!read_subscripts(e) || !read_sizes(e)) return poison_of(e->site->ctx);
	for (int k = 0; k < e->n; k++) {
		drop_ones(e, &e->of[k]);
		take_diagonals(e, &e->of[k]);
	}
	for (int k = 0; k < e->n; k++) sum_alone(e, k);
	multiply_all(e);
	return handle_is_poison(e->of[0].x) ? e->of[0].x : in_order(e);
}

tsr *einsum_of(const call_site *given, const char *text, tsr *const *x, size_t n, tsr_dtype dtype)
{
	call_site site = *given;
	tsr_ctx *ctx = operands_check(&site, x, n > INT32_MAX ? INT32_MAX : (int)n);

	if (!ctx) return poison_of(site.ctx);
	if (!text) return refuse_op(&site, TSR_ERROR_ARGUMENT, "the text is NULL");
	etype common = etype_of(handle_type(x[0]));
	for (size_t k = 1; k < n; k++) common = etype_join(common, etype_of(handle_type(x[k])));
	sum_of_products e = {.site = &site, .text = text, .n = (int)n,
	                     .dtype = dtype ? dtype : common.dtype};
	e.of = mem_array(&ctx->base, n, sizeof *e.of);
	bool ok = e.of != NULL;
	for (size_t k = 0; ok && k < n; k++)
		ok = !handle_is_poison(e.of[k].x = promote(&site, x[k], common));
	tsr *y = ok ? evaluate(&e) : poison_of(ctx);
	mem_free(&ctx->base, e.of);
	return y;
}

tsr *lib_einsum(call_site *site, const char *subscripts, tsr *const *x, size_t n)
{
	return einsum_of(site, subscripts, x, n, 0);
}
