/* exchange.h - an exchange of the host model as a call of the library's collective. */
#ifndef TSR_TESTS_EXCHANGE_H
#define TSR_TESTS_EXCHANGE_H
#include "support/oracle.h"

/* In a body: the exchange of x. negative: dims are counted from the end. An axis index is given as
 * the dtype `index`. */
tsr *exchange_run(const grid *, const exchange *, bool negative, tsr *x, tsr_dtype index);

#endif
