/* cond.h - a choice that is being transformed, as cond_rules.c and cond_split.c see it. */
#ifndef TSR_SRC_PASS_STRUCTURED_COND_H
#define TSR_SRC_PASS_STRUCTURED_COND_H
#include "pass/structured/structured.h"

static inline const cond_params *cond_params_of(const eqn *e) { return e->params; }
/* emits the choice between these branches; takes the references to them (NULL: the build has
 * failed) */
void cond_finish(build *, program *const *branch, int n, const var *x, int nx, var *y);

#endif
