/* products.h - declares the pieces of operations that are made of products and of moved dims. */
#ifndef TSR_SRC_LIB_PRODUCTS_H
#define TSR_SRC_LIB_PRODUCTS_H
#include "lib/lib.h"

/* ---- einsum.c */
/* "ij,jk->ik" of n operands; the dtype of products, 0: the operands' common one */
tsr *einsum_of(const call_site *, const char *subscripts, tsr *const *x, size_t n, tsr_dtype);

/* ---- diagonals.c */
/* the elements (i, i + offset) of two dims, along a new last dim; x may be poison */
tsr *diagonal_of(const call_site *, tsr *x, int first, int second, int64_t offset);

#endif
