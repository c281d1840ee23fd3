/* rows.c - runs programs of one equation: rows FILE_IN FILE_OUT; rows cases prints those that all
 * tests draw from. tests/peer/run_rows.py writes the
 * first file, and compares the second with JAX; run_functions.py has "call LINE VARIABLE=VALUE ..."
 * in place of programs, a line of functions/NAME.def, and gradients.py "gradient LINE N VARIABLES
 * ...", its derivative by these, where the last N inputs are the cotangents of its results.
 *
 * In the first, a program is a line "TEXT_BYTES NIN DTYPE", with the default dtype of its context,
 * f32 or f64, then its text, and its inputs, each a line "BYTES" and that many bytes of .npy. In
 * the second, its answer is a line "ok NOUT" and its results, each a line "BYTES DTYPE" and the
 * .npy, bf16 as the u16 of its bits; or "error MESSAGE". Each program is interpreted and compiled,
 * and both results are there, one after the other. */
#include "functions.h"
#include "support/quiet.h"
#include "support/row_cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INS = 16, PROGRAMS_A_CONTEXT = 200 };

typedef struct bytes {
	char *at;
	size_t n;
} bytes;

static bool read_bytes(FILE *from, bytes *to)
{
	to->at = malloc(to->n + 1);
	if (!to->at || fread(to->at, 1, to->n, from) != to->n) return false;
	to->at[to->n] = 0;
	return true;
}

typedef struct request {
	bytes text, in[INS];
	int nin, bits; /* of the default dtype of floats */
} request;

static bool read_request(FILE *from, request *r)
{
	memset(r, 0, sizeof *r);
	if (fscanf(from, "%zu %d f%d", &r->text.n, &r->nin, &r->bits) != 3 || r->nin > INS)
		return false;
	bool ok = getc(from) == '\n' && read_bytes(from, &r->text);
	for (int k = 0; ok && k < r->nin; k++)
		ok = fscanf(from, "%zu", &r->in[k].n) == 1 && getc(from) == '\n' &&
		     read_bytes(from, &r->in[k]);
	return ok;
}

static void end_request(request *r)
{
	free(r->text.at);
	for (int k = 0; k < r->nin; k++) free(r->in[k].at);
}

static int results_in(const char *text)
{
	const char *at = strstr(text, "return"), *end = at ? strchr(at, '\n') : NULL;
	int n = 0;

	for (; at && at < end; at++) n += *at == '%';
	return n;
}

/* the results of the program, and their number */
static int run_program(tsr_ctx *ctx, const request *r, tsr *const *x, tsr **out)
{
	const int nout = results_in(r->text.at);
	tsr_fn *f = tsr_parse(ctx, r->text.at);
	tsr_arg in[INS];
	tsr_out to[MOST_RESULTS];

	for (int k = 0; k < r->nin; k++) in[k] = TSR_ARG(x[k]);
	for (int k = 0; k < nout; k++) to[k] = (tsr_out){.to = {.leaf = &out[k], .count = 1}};
	tsr_call_into_at(TSR_HERE, to, (size_t)nout, f, in, (size_t)r->nin);
	return nout;
}

/* the results of a program or call in a context, and their number; 0: there is an error */
static int results_of(tsr_ctx *ctx, const request *r, tsr **out)
{
	tsr *x[INS];
	long line;
	int words = 0, last = 0;
	char moved[8];

	for (int k = 0; k < r->nin; k++) x[k] = tsr_read_npy(ctx, r->in[k].at, r->in[k].n);
	int nout;
	if (sscanf(r->text.at, "call %ld%n", &line, &words) == 1)
		nout = call_line(ctx, line, r->text.at + words, x, out);
	else if (sscanf(r->text.at, "gradient %ld %d %7s%n", &line, &last, moved, &words) == 3)
		nout = gradient_of_line(ctx, line, r->text.at + words, x, moved, last,
			x + r->nin - last, out);
	else nout = run_program(ctx, r, x, out);
	for (int k = 0; k < nout; k++)
		if (!tsr_wait(out[k])) return 0;
	return tsr_status(ctx) ? 0 : nout;
}

static bool write_result(tsr *x, const char *path, FILE *to)
{
	const tsr_dtype dtype = tsr_dtype_of(x);
	tsr *plain = dtype == TSR_BF16 ? tsr_bitcast_convert_type(x, TSR_U16) : x;
	bytes file = {.n = 0};
	FILE *from = tsr_save_npy(plain, path) ? fopen(path, "rb") : NULL;

	if (!from) return false;
	fseek(from, 0, SEEK_END);
	file.n = (size_t)ftell(from);
	rewind(from);
	const bool ok = read_bytes(from, &file);
	fprintf(to, "%zu %s\n", file.n, tsr_dtype_name(dtype));
	fwrite(file.at, 1, file.n, to);
	fclose(from);
	free(file.at);
	return ok;
}

static void write_error(const char *message, FILE *to)
{
	fputs("error ", to);
	for (const char *at = message; *at; at++) putc(*at == '\n' ? ' ' : *at, to);
	putc('\n', to);
}

/* both: an interpreting context and a compiling one */
static void answer(tsr_ctx *const both[2], const request *r, const char *path, FILE *to)
{
	TSR_SCOPE(both[0]);
	TSR_SCOPE(both[1]);
	tsr *out[2][MOST_RESULTS] = {0};
	int nout = 0;

	for (int k = 0; k < 2; k++) {
		nout = results_of(both[k], r, out[k]);
		if (nout) continue;
		write_error(tsr_message(both[k]), to);
		tsr_clear(both[0]);
		tsr_clear(both[1]);
		return;
	}
	fprintf(to, "ok %d\n", 2 * nout);
	for (int k = 0; k < 2; k++)
		for (int j = 0; j < nout; j++) write_result(out[k][j], path, to);
}

/* the list that all tests of rows draw from, as "OPERANDS | EQUATION" with letters */
static int print_cases(void)
{
	for (size_t k = 0; k < ROW_CASES; k++)
		printf("%s | %s\n", row_cases[k].operands, row_cases[k].equation);
	return 0;
}

static void close_both(tsr_ctx *const both[2])
{
	tsr_close(both[0]);
	tsr_close(both[1]);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "cases") == 0) return print_cases();
	FILE *from = argc == 3 ? fopen(argv[1], "rb") : NULL;
	FILE *to = from ? fopen(argv[2], "wb") : NULL;
	tsr_ctx *all[2][2] = {0}; /* f32 and f64 */
	char path[1024];
	request r;

	if (!to) {
		fprintf(stderr, "usage: %s FILE_IN FILE_OUT\n", argv[0]);
		return 2;
	}
	snprintf(path, sizeof path, "%s.npy", argv[2]);
	for (int k = 0; read_request(from, &r); k++) {
		for (int j = 0; k % PROGRAMS_A_CONTEXT == 0 && j < 2; j++) {
			const tsr_dtype dtype = j ? TSR_F64 : TSR_F32;
			close_both(all[j]);
			all[j][0] = tsr_open(.devices = 8, .engine = "interp", .log = log_nothing,
				.dtype = dtype);
			all[j][1] = tsr_open(.devices = 8, .debug = "c", .log = log_nothing,
				.dtype = dtype);
		}
		answer(all[r.bits == 64], &r, path, to);
		end_request(&r);
	}
	close_both(all[0]);
	close_both(all[1]);
	remove(path);
	fclose(from);
	return fclose(to) ? 1 : 0;
}
