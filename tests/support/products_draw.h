/* products_draw.h - draws programs of products and of equations before and behind them. */
#ifndef TSR_TESTS_PRODUCTS_DRAW_H
#define TSR_TESTS_PRODUCTS_DRAW_H
#include <stdbool.h>
#include <stdint.h>

enum { PRODUCTS_TEXT = 1 << 15, PRODUCTS_INPUTS = 4, PRODUCTS_RESULTS = 3 };

/* The text of a program of f32[batch,side,side], batch 0: of f32[side,side]. Inputs 0 and 1 are
 * arrays like that, 2 a row [side], 3 a column [side]; results are arrays. exact: of whole numbers
 * up to 3 each value is one, small enough that no sum of products is rounded */
const char *products_draw(uint64_t seed, int batch, int side, bool exact,
                          char text[PRODUCTS_TEXT]);

#endif
