/* golden.h - functions that tests in tests/golden share: recorded arrays, texts and messages, and
 * comparisons with them. They were recorded with JAX 0.10.2 on eight virtual CPU devices.
 *
 * A record is named by the id of its example and its own name, written as two string literals side
 * by side, "s0x.psum", "y"; golden/check_golden.py reads the sources for such pairs, and several
 * names may follow, as literals or separated by blanks. data/index.tsv has a row for each record:
 * kind, file, dtype, shape and tolerances. All functions end the running test where a record is
 * missing or something differs, and say which record. */
#ifndef TESTS_SUPPORT_GOLDEN_H
#define TESTS_SUPPORT_GOLDEN_H
#include <stdbool.h>
#include <tsr/tsr.h>

/* setup and teardown of a cmocka test: *state is a context with 8 devices, closed without error */
int golden_open(void **state);
int golden_close(void **state);

/* the recorded array, of the dtype and shape that its row says */
tsr *golden_load(tsr_ctx *ctx, const char *id, const char *name);
/* dtype, shape and values; bit for bit where both tolerances of the row are 0 */
void golden_equal(tsr *got, const char *id, const char *name);
/* The elements of x at recorded places, which are row-major indices, are the recorded ones. names:
 * of the places and of the elements, separated by a blank */
void golden_sampled(tsr *x, const char *id, const char *names);
/* The sum over ct * f(x...) and its gradients, as tsr_value_and_grad() gives them, against recorded
 * ones; plain and under jit. names, separated by blanks: ct, the sum, a gradient for each argument,
 * and, if it is recorded, the program, whose bytes jit must not exceed (golden_moves). dx: gets the
 * gradients, if not NULL */
void golden_grads(tsr_fn *f, tsr *const *x, tsr **dx, const char *id, const char *names);
/* At most the bytes move that are recorded for a program: golden_moves(MOVED(f, x), "s0x.psum",
 * "forward.moves"). data/collectives.tsv has the collectives of each */
void golden_moves(double bytes, const char *id, const char *name);
/* x is where this mesh and spec put it, and says whether every device holds all of it */
void golden_sharded(tsr *x, const tsr_mesh *mesh, tsr_spec spec);

/* the recorded text; valid until the next call */
const char *golden_text(const char *id, const char *name);
/* got, and a newline if it has none at its end, is the recorded text, byte for byte */
void golden_same_text(const char *got, const char *id, const char *name);
/* got is the "True" or "False" that was recorded */
void golden_truth(bool got, const char *id, const char *name);

/* The context has an error of this code, located in file; its message and the recorded one have all
 * of `facts`, and its message has all of `own` too. Both lists end with NULL. A fact that begins or
 * ends with a letter or digit is found as a whole word only. Clears the error. */
void golden_error(tsr_ctx *ctx, int code, const char *file, const char *id, const char *name,
                  const char *const *facts, const char *const *own);

/* is the word one of the names in a text that separates them by blanks? */
bool golden_has(const char *names, const char *word);
#endif
