/* tsr/extend.h - reads programs from text: the text of tsr_fn_text() can be stored, changed, and
 * run again.
 *
 *     tsr_fn *f = tsr_parse(ctx, text);     (what tsr_fn_text() gave for another call)
 *     tsr *y = tsr_call(f, x);
 *
 * The grammar is in docs/program-text.md. Such a fn takes one handle for each parameter of the
 * program and gives one for each result, and is otherwise like any other. Text is never trusted:
 * what does not parse or does not verify is an error (TSR_ERROR_TEXT) that names line and column,
 * and the fn is the context's poison fn. */
/* Made by tools/make_headers.py of api/extend.h.in: change that one. */
/** @file */
#ifndef TSR_EXTEND_H
#define TSR_EXTEND_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A fn that runs the program in a text, which is copied. */
TSR_OP tsr_fn *tsr_parse_at(const char *where, tsr_ctx *ctx, const char *text);
/** Reads the text of a program from a file, and makes a fn of it as tsr_parse() does:
 * tsr_load_program(ctx, "double.tsr"). Also: the file is missing or unreadable (TSR_ERROR_FILE). */
TSR_OP tsr_fn *tsr_load_program_at(const char *where, tsr_ctx *ctx, const char *path);
/** The text of a fn from tsr_parse() or tsr_load_program(), as the printer writes it: parsing it
 * again gives an equal fn. Lives until tsr_close(). Error (TSR_ERROR_ARGUMENT, gives ""): another
 * kind of fn, whose text depends on a call (tsr_fn_text()). */
TSR_API const char *tsr_program_text_at(const char *where, const tsr_fn *fn);
/** The program of a fn from tsr_parse() or tsr_load_program() as a graph, in Graphviz' language, as
 * tsr_fn_graph(). Valid until the innermost scope ends. */
TSR_API const char *tsr_program_graph_at(const char *where, const tsr_fn *fn);
/** The program of a fn from tsr_parse() or tsr_load_program() after a pass of the compiler, as a fn
 * that can be printed. Error (TSR_ERROR_ARGUMENT): another kind of fn, another pass. */
TSR_OP tsr_fn *tsr_program_pass_at(const char *where, tsr_fn *fn, const char *pass);
/** How many results a fn from tsr_parse() or tsr_load_program() gives; 0 for another kind of fn. */
TSR_API size_t tsr_program_results(const tsr_fn *fn);
/** The name of the k-th pass that tsr_program_pass() knows; NULL: there are no more. */
TSR_API const char *tsr_pass_name(int64_t k);
/** What the k-th pass makes of a program, in a few words; NULL: there are no more. */
TSR_API const char *tsr_pass_meaning(int64_t k);
/** All primitives of program text, in two lines each: its operands and parameters, and its meaning.
 * `tsr prims` prints it. Belongs to the innermost scope. */
TSR_API const char *tsr_prims_text(tsr_ctx *ctx);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_parse_at() as a value. */
TSR_OP tsr_fn *tsr_parse(tsr_ctx *ctx, const char *text);
/** tsr_load_program_at() as a value. */
TSR_OP tsr_fn *tsr_load_program(tsr_ctx *ctx, const char *path);
/** tsr_program_text_at() as a value. */
TSR_API const char *tsr_program_text(const tsr_fn *fn);
/** tsr_program_graph_at() as a value. */
TSR_API const char *tsr_program_graph(const tsr_fn *fn);
/** tsr_program_pass_at() as a value. */
TSR_OP tsr_fn *tsr_program_pass(tsr_fn *fn, const char *pass);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_parse(ctx, ...) TSR_PARSE_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_PARSE_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_parse_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, \
		_0)), __VA_ARGS__); })
#define tsr_load_program(ctx, ...) TSR_LOAD_PROGRAM_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_LOAD_PROGRAM_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_load_program_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_program_text(fn) tsr_program_text_at(TSR_HERE, fn)
#define tsr_program_graph(fn) tsr_program_graph_at(TSR_HERE, fn)
#define tsr_program_pass(fn, pass) tsr_program_pass_at(TSR_HERE, fn, pass)
#endif

#endif
