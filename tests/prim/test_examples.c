/* test_examples.c - the worked examples at the heads of the files of rows: each row gives the
 * result of its example; and no row is without one.
 *
 * An example is indented by four in the first comment of a file, and begins with the name of a row.
 * It is an equation on numbers, and what comes out:
 *
 *     sort [2 1 2] [10 20 30]:i32 dim=0 num_keys=1   gives   [1 2 2] [20 10 30]:i32
 *
 * The rows of a matrix are apart by semicolons: [1 2; 3 4], and one row is [5 6;]. Numbers are of
 * f32, complex ones such as 1-2i of c64, true and false of bool; another dtype stands behind them.
 * A number with a point may be off by half a unit of its last digit. The members of a collective
 * are apart by bars. They are the devices along x, or with axes=(x,y) two along y, for each of x:
 *
 *     psum [1 2] | [3 4] axes=(x) to=invarying   gives   [4 6] | [4 6]
 *
 *     test_examples FILE ...       only these files, and whatever rows they leave out */
#include "local_rig.h"
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include "support/heads.h"

#define FOLDER "src/prim"
enum { MEMBERS = 8, MOST_VALUES = 64, MOST_NUMBERS = 64 };

static char **files;
static int nfiles;

/* ---- numbers */

typedef struct numbers {
	tsr_dtype dtype;
	int ndim;
	int64_t dims[2];
	int n;
	const char *number[MOST_NUMBERS]; /* as it is written */
} numbers;

static double _Complex number_of(const char *text)
{
	char *end;

	if (*text == 't' || *text == 'f') return *text == 't';
	const double re = strtod(text, &end);
	if (end == text) fail_msg("no number: %.20s", text);
	if (*end == 'i') return __builtin_complex(0.0, re);
	return *end == '+' || *end == '-' ? __builtin_complex(re, strtod(end, NULL))
	                                   : re;
}

/* how far a number may be off: 0.05 for 3.1, 5e-6 for 1.00e-3, 0 for 3 */
static double tolerance_of(const char *text)
{
	const char *c = text + strspn(text, "+-0123456789");
	int digits = 0, exponent = 0;

	if (*c != '.') return 0;
	while (isdigit((unsigned char)*++c)) digits++;
	if (*c == 'e') exponent = atoi(c + 1);
	return 0.5 * pow(10, exponent - digits);
}

static size_t number_length(const char *at) { return strcspn(at, " :;]"); }

static tsr_dtype dtype_of(const char **at, const numbers *x)
{
	for (int t = 0; **at == ':' && t < TSR_DTYPE_COUNT_; t++) {
		const char *name = tsr_dtype_name((tsr_dtype)t);
		const size_t n = strlen(name);
		if (strncmp(*at + 1, name, n) != 0 || isalnum((unsigned char)(*at)[1 + n]))
			continue;
		*at += 1 + n;
		return (tsr_dtype)t;
	}
	for (int i = 0; i < x->n; i++) {
		const char *c = x->number[i];
		if (*c == 't' || *c == 'f') return TSR_BOOL;
		if (c[number_length(c) - 1] == 'i') return TSR_C64;
	}
	return TSR_F32;
}

/* "[1 2; 3 4]:i32" or "5" */
static void read_numbers(const char **at, numbers *x)
{
	int rows = 0, in_row = 0;

	*x = (numbers){.ndim = **at == '['};
	*at += x->ndim;
	do {
		*at += x->ndim ? strspn(*at, " ") : 0;
		if (**at == ';') {
			rows++;
			in_row = 0;
			++*at;
		} else if (**at != ']') {
			assert_true(x->n < MOST_NUMBERS);
			x->number[x->n++] = *at;
			*at += number_length(*at);
			in_row++;
		}
	} while (x->ndim && **at && **at != ']');
	*at += x->ndim;
	rows += rows && in_row;
	x->dims[0] = x->n;
	if (rows) {
		assert_int_equal(x->n % rows, 0);
		x->ndim = 2;
		x->dims[0] = rows;
		x->dims[1] = x->n / rows;
	}
	x->dtype = dtype_of(at, x);
}

static void *block_of(const numbers *x)
{
	void *block = block_make((size_t)x->n * tsr_dtype_size(x->dtype));

	for (int i = 0; i < x->n; i++) {
		const double _Complex z = number_of(x->number[i]);
		dtype_convert(x->dtype, (char *)block + (size_t)i * tsr_dtype_size(x->dtype),
		              TSR_C128, &z, 1);
	}
	return block;
}

static bool is_off(double got, double want, double tolerance)
{
	if (isnan(want)) return !isnan(got);
	if (want == 0 && signbit(want)) return got != 0 || !signbit(got);
	return got != want && !(fabs(got - want) <= tolerance);
}

static bool same_numbers(const numbers *want, const void *block)
{
	for (int i = 0; i < want->n; i++) {
		const double _Complex z = number_of(want->number[i]);
		const double tolerance = tolerance_of(want->number[i]);
		double got[2];
		dtype_get_complex(want->dtype, block, i, got);
		if (is_off(got[0], creal(z), tolerance) || is_off(got[1], cimag(z), tolerance))
			return false;
	}
	return true;
}

static void print_numbers(const numbers *like, const void *block)
{
	for (int i = 0; i < like->n; i++) {
		double got[2];
		dtype_get_complex(like->dtype, block, i, got);
		print_error(" %.9g", got[0]);
		if (got[1] != 0) print_error("%+.9gi", got[1]);
	}
	print_error("\n");
}

/* ---- an example */

typedef struct values { /* of the members, one after the other */
	int members, n;     /* n of each */
	numbers v[MOST_VALUES];
} values;

typedef struct example {
	char row[64], params[1024];
	values in, out;
} example;

static void read_values(const char **at, values *x)
{
	int all = 0;

	x->members = 1;
	for (; *(*at += strspn(*at, " ")); ) {
		if (**at == '|') {
			x->members++;
			++*at;
			continue;
		}
		if (isalpha((unsigned char)**at) && strncmp(*at, "true", 4) != 0 &&
		    strncmp(*at, "false", 5) != 0 && strncmp(*at, "nan", 3) != 0 &&
		    strncmp(*at, "inf", 3) != 0)
			break;
		assert_true(all < MOST_VALUES);
		read_numbers(at, &x->v[all++]);
	}
	if (all % x->members) fail_msg("the members have different numbers of values");
	x->n = all / x->members;
}

static void read_example(const char *text, example *x)
{
	const char *gives = strstr(text, " gives ");

	if (!gives) fail_msg("without \" gives \": %s", text);
	const int row = (int)strcspn(text, " ");
	snprintf(x->row, sizeof x->row, "%.*s", row, text);
	const char *at = text + row;
	read_values(&at, &x->in);
	snprintf(x->params, sizeof x->params, "%.*s", at < gives ? (int)(gives - at) : 0, at);
	at = gives + strlen(" gives ");
	read_values(&at, &x->out);
	if (*at) fail_msg("behind the results: %s", at);
	if (!x->in.n) x->in.members = x->out.members;
	assert_int_equal(x->in.members, x->out.members);
	assert_true(x->out.members <= MEMBERS);
}

/* ---- what the row gives */

static void put_type(str *to, const numbers *x, const char *varies)
{
	str_printf(to, "%s[", tsr_dtype_name(x->dtype));
	for (int d = 0; d < x->ndim; d++)
		str_printf(to, d ? ",%lld" : "%lld", (long long)x->dims[d]);
	str_printf(to, "]%s", varies);
}

static void put_list(str *to, const values *x, int first, const char *varies)
{
	for (int i = 0; i < x->n; i++) {
		str_put(to, i ? ", " : "");
		if (first >= 0) str_printf(to, "%%%d: ", first + i);
		put_type(to, &x->v[i], varies);
	}
}

/* the equation as a program; given: the axes over which its results are said to vary */
static program *program_of(rig *r, const example *x, const char *varies, const char *given)
{
	str s = {.base = &r->base};
	const int n = x->in.members;

	if (*varies)
		str_printf(&s, strcmp(varies, "{x}") == 0 ? "axes (x of (x:%d)) "
		                                          : "axes (x, y of (x:%d,y:2)) ",
		           strcmp(varies, "{x}") == 0 ? n : n / 2);
	str_put(&s, "(");
	put_list(&s, &x->in, 0, varies);
	str_put(&s, ") -> ");
	put_list(&s, &x->out, -1, given);
	str_put(&s, " {\n");
	put_list(&s, &x->out, x->in.n, given);
	str_printf(&s, " = %s", x->row);
	for (int i = 0; i < x->in.n; i++) str_printf(&s, " %%%d", i);
	str_printf(&s, " %s\nreturn", x->params);
	for (int i = 0; i < x->out.n; i++) str_printf(&s, " %%%d", x->in.n + i);
	str_put(&s, "\n}");
	assert_non_null(s.s);
	program *p = program_parse(&r->ir, NULL, s.s, s.len);
	str_free(&s);
	return p;
}

/* results of members vary, or are the same for all */
static program *any_program_of(rig *r, const example *x)
{
	const char *varies = x->in.members == 1                 ? ""
	                     : strstr(x->params, "axes=(x,y)") ? "{x,y}"
	                                                       : "{x}";
	program *p = program_of(r, x, varies, varies);

	if (p || !*varies) return p;
	error_clear(&r->base);
	return program_of(r, x, varies, "");
}

static bool gives_it(const program *p, const example *x)
{
	const eqn *e = &p->eqns[0];
	const int n = x->in.members;
	const type *in[MOST_VALUES], *out[MOST_VALUES];
	void *blocks[MOST_VALUES], *y[MOST_VALUES];
	int64_t index[MEMBERS];
	bool same = true;

	assert_int_equal(p->neqns, 1);
	for (int i = 0; i < e->nin; i++) in[i] = type_of(p, e->in[i]);
	for (int j = 0; j < e->nout; j++) out[j] = type_of(p, e->out[j]);
	for (int k = 0; k < n; k++) {
		index[k] = k;
		for (int i = 0; i < e->nin; i++)
			blocks[i * n + k] = block_of(&x->in.v[k * e->nin + i]);
		for (int j = 0; j < e->nout; j++) y[j * n + k] = block_make(type_bytes(out[j]));
	}
	void *scratch = block_make(eqn_scratch(e, in));
	eqn_eval(&(eval_args){.eqn = e,
	                           .in = in,
	                           .out = out,
	                           .n = n,
	                           .x = (const void *const *)blocks,
	                           .y = y,
	                           .index = index,
	                           .scratch = scratch});
	for (int i = 0; i < e->nin * n; i++) free(blocks[i]);
	for (int j = 0; j < e->nout * n; j++) {
		const numbers *want = &x->out.v[j % n * e->nout + j / n];
		if (!same_numbers(want, y[j])) {
			print_error("result %d of member %d:", j / n, j % n);
			print_numbers(want, y[j]);
			same = false;
		}
		free(y[j]);
	}
	free(scratch);
	return same;
}

static bool check_example(rig *r, const char *file, const char *text)
{
	static example x;

	read_example(text, &x);
	program *p = any_program_of(r, &x);
	const bool ok = p && gives_it(p, &x);
	if (!p) print_error("%s\n", error_text(&r->base));
	if (!ok) print_error("%s: not so: %s\n\n", file, text);
	error_clear(&r->base);
	program_release(p);
	return ok;
}

/* ---- the examples of a file */

static bool tried[1024]; /* by row */

/* the number of the row that a line begins with; -1: none */
static int row_of(const char *line)
{
	const size_t n = strcspn(line, " ");

	for (int i = 0; n && i < all_prims_count; i++)
		if (strlen(all_prims[i]->name) == n && strncmp(line, all_prims[i]->name, n) == 0)
			return i;
	return -1;
}

/* how many are wrong. A line that begins with no row goes on from the one before, up to an empty
 * line; other runs of lines are no examples */
static int check_file(rig *r, const char *file)
{
	char *text = head_indented(file), *rest = text, *line, one[4096] = "";
	int wrong = 0;

	if (!text) fail_msg("%s: no comment", file);
	for (bool more = true; more;) {
		more = (line = strsep(&rest, "\n"));
		const int row = more ? row_of(line) : -1;
		if (*one && (row >= 0 || !more || !*line)) {
			wrong += !check_example(r, file, one);
			*one = 0;
		}
		if (row >= 0) tried[row] = true;
		const size_t n = strlen(one);
		if (row >= 0 || (*one && more && *line))
			snprintf(one + n, sizeof one - n, "%s%s", n ? " " : "", line);
	}
	free(text);
	return wrong;
}

static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0);
}

/* those of all files in the folder and below it; returns how many are wrong */
static int check_folder(rig *r, const char *folder)
{
	struct dirent **found;
	const int n = scandir(folder, &found, NULL, alphasort);
	int wrong = 0;

	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		char path[512];
		snprintf(path, sizeof path, "%s/%s", folder, found[i]->d_name);
		if (is_source(path)) wrong += check_file(r, path);
		else if (!strchr(found[i]->d_name, '.')) wrong += check_folder(r, path);
		free(found[i]);
	}
	free(found);
	return wrong;
}

static void examples(void **state)
{
	int wrong = nfiles ? 0 : check_folder(*state, FOLDER);

	for (int i = 0; i < nfiles; i++) wrong += check_file(*state, files[i]);
	assert_int_equal(wrong, 0);
}

static const struct exempt {
	const char *row, *why;
} exempt[] = {
	{"pcast", "the value is the same; only its type changes"},
	{"sharding_constraint", "a wish, which partition takes out"},
	{"placed_like", "the value is the first operand; partition takes the row out"},
	{"shard_alike", "the values are the operands; partition takes the row out"},
};

/* what else has no example has no eval: it holds programs, or calls the user */
static void all_rows_have_one(void **state)
{
	int without = 0;

	(void)state;
	for (int i = 0; !nfiles && i < all_prims_count; i++) {
		bool excused = !all_prims[i]->eval && !all_prims[i]->expand;
		for (size_t k = 0; k < ARRAY_LEN(exempt); k++)
			excused = excused || strcmp(exempt[k].row, all_prims[i]->name) == 0;
		if (!excused && !tried[i]) print_error("no example of %s\n", all_prims[i]->name);
		if (excused && tried[i]) print_error("exempt: %s\n", all_prims[i]->name);
		without += excused == tried[i];
	}
	assert_int_equal(without, 0);
}

static int open_devices(void **state)
{
	static device devices[MEMBERS];
	rig *r = calloc(1, sizeof *r);

	for (int k = 0; k < MEMBERS; k++) devices[k].id = k;
	if (!r || !base_init(&r->base, NULL, NULL, 0) ||
	    !shards_init(&r->shards, &r->base, NULL, devices, MEMBERS) ||
	    !ir_init(&r->ir, &r->base, &r->shards, all_prims, all_prims_count))
		return -1;
	*state = r;
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(all_rows_have_one),
	};

	nfiles = argc - 1;
	files = argv + 1;
	return cmocka_run_group_tests(tests, open_devices, rig_close);
}
