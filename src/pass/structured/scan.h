/* scan.h - a scan that is being transformed, as scan_rules.c and scan_split.c see it. */
#ifndef TSR_SRC_PASS_STRUCTURED_SCAN_H
#define TSR_SRC_PASS_STRUCTURED_SCAN_H
#include "pass/structured/structured.h"

typedef struct scan_parts { /* of operands and results */
	const scan_params *p;
	int consts, carry, xs, first_carry, first_xs, nin, nout;
} scan_parts;

scan_parts scan_parts_of(const eqn *);
/* the equation with another body, whose reference it takes */
void scan_finish(build *, const scan_params *of, int consts, int carry, program *body, const var *x,
                 int nx, var *y);

#endif
