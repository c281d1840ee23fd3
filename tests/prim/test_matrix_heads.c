/* test_matrix_heads.c - the examples at the heads of the rows of linear algebra and of their
 * algorithms. Each is a row, a matrix for each operand, parameters, and for each result its
 * elements, to four digits, over one line or several:
 *
 *     lu [1 2; 3 4]    gives [3 4; 0.3333 0.6667] i32[1 1] i32[1 0]
 *
 * Without a dtype they are f64. What has no semicolon is a vector. */
#include <complex.h>
#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include "prim/local_rig.h"

enum { MOST = 16, OPERANDS = 2, RESULTS = 4 };

typedef struct matrix {
	char type[32];
	double _Complex x[MOST];
	int n;
} matrix;

typedef struct example {
	char row[32], params[64];
	matrix in[OPERANDS], out[RESULTS];
	int nin, nout;
} example;

/* one number: a part, or two, of which one that ends with an i is imaginary */
static double _Complex read_number(const char **at)
{
	double _Complex z = 0;

	do {
		char *end;
		const double part = strtod(*at, &end);
		if (end == *at) fail_msg("no number: %.20s", *at);
		z += *end == 'i' ? part * I : part;
		*at = end + (*end == 'i');
	} while (**at == '+' || **at == '-');
	return z;
}

/* [1 2; 3 4], with or without a dtype. false: that is not what stands there */
static bool read_matrix(const char **from, matrix *m)
{
	const char *at = *from;
	const int length = (int)strcspn(at, "[");
	int rows = 1;

	*m = (matrix){.n = 0};
	if (at[length] != '[' || length > 4) return false;
	for (int i = 0; i < length; i++)
		if (!isalnum((unsigned char)at[i])) return false;
	const char *dtype = at;
	for (at += length + 1; *at != ']'; at += strspn(at, "; ")) {
		assert_true(m->n < MOST);
		m->x[m->n++] = read_number(&at);
		rows += *at == ';';
	}
	snprintf(m->type, sizeof m->type, "%.*s[%d", length ? length : 3, length ? dtype : "f64",
	         rows > 1 ? rows : m->n);
	if (rows > 1)
		snprintf(m->type + strlen(m->type), 8, ",%d", m->n / rows);
	strcat(m->type, "]");
	*from = at + 1 + strspn(at + 1, " \n*");
	return true;
}

/* from the name of a row on; where its results begin */
static const char *read_example(const char *at, example *x)
{
	int end = 0;

	*x = (example){.nin = 0};
	assert_int_equal(sscanf(at, "%31[a-z_] %n", x->row, &end), 1);
	for (at += end; x->nin < OPERANDS && read_matrix(&at, &x->in[x->nin]);) x->nin++;
	const char *gives = strstr(at, "gives ");
	assert_true(gives && (size_t)(gives - at) < sizeof x->params);
	for (const char *c = at; c < gives && *c != '\n'; c++) strncat(x->params, c, 1);
	for (at = gives + 6; x->nout < RESULTS && read_matrix(&at, &x->out[x->nout]);) x->nout++;
	assert_true(x->nin && x->nout);
	return gives;
}

static double _Complex element(const type *t, const void *y, int k)
{
	switch (t->dtype) {
	case TSR_I32: return ((const int32_t *)y)[k];
	case TSR_F64: return ((const double *)y)[k];
	default: return ((const double _Complex *)y)[k];
	}
}

static void try_example(rig *r, const char *path, const example *x)
{
	char operands[64] = "", results[160] = "", equation[160];
	double numbers[OPERANDS][MOST];
	void *in[OPERANDS], *out[RESULTS];

	snprintf(equation, sizeof equation, "%s", x->row);
	for (int i = 0; i < x->nin; i++) {
		snprintf(operands + strlen(operands), 32, "%s%s", i ? "; " : "", x->in[i].type);
		snprintf(equation + strlen(equation), 8, " %%%d", i);
		for (int k = 0; k < x->in[i].n; k++) numbers[i][k] = creal(x->in[i].x[k]);
		in[i] = numbers[i];
	}
	for (int j = 0; j < x->nout; j++)
		snprintf(results + strlen(results), 32, "%s%s", j ? "; " : "", x->out[j].type);
	snprintf(equation + strlen(equation), 80, " %s", x->params);
	const program *p = rig_program(r, operands, equation, results, TSR_F64);
	rig_eval_all(p, in, out);
	for (int j = 0; j < x->nout; j++) {
		const type *t = type_of(p, p->eqns[0].out[j]);
		for (int k = 0; k < x->out[j].n; k++) {
			const double _Complex got = element(t, out[j], k);
			if (!(cabs(got - x->out[j].x[k]) < 1e-4))
				fail_msg("%s: element %d of result %d of %s is %g%+gi", path, k, j,
				         equation, creal(got), cimag(got));
		}
		free(out[j]);
	}
}

/* the examples in the first comment of a file: lines that begin with the name of a row and a
 * bracket. How many there are */
static int try_head(rig *r, const char *path)
{
	static char text[4096];
	FILE *file = fopen(path, "r");
	int tried = 0;

	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	fclose(file);
	char *end = strstr(text, "*/");
	assert_non_null(end);
	*end = 0;
	for (const char *line = text; (line = strstr(line, "\n *     "));) {
		example x;
		line += strlen("\n *     ");
		if (!isalpha((unsigned char)*line) || !strchr(line, '[')) continue;
		line = read_example(line, &x);
		try_example(r, path, &x);
		tried++;
	}
	return tried;
}

static void heads(void **state)
{
	static const struct {
		const char *path;
		int examples;
	} files[] = {
		{"src/prim/triangular.c", 2}, {"src/prim/lu.c", 1},
		{"src/prim/qr.c", 1},         {"src/prim/spectral.c", 2},
		{"src/prim/schur.c", 3},      {"src/prim/schur_body.h", 3},
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		assert_int_equal(try_head(*state, files[i].path), files[i].examples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(heads, rig_open, rig_close)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
