/* equations.h - how many equations programs have, by their text. */
#ifndef TSR_TESTS_EQUATIONS_H
#define TSR_TESTS_EQUATIONS_H

/* Of a program and those inside it: lines with an equation sign. */
int equations_in(const char *text);
/* both: the program of a loss and its gradients. Prints the two numbers; more than four times as
 * many end the running test. */
void at_most_four_times(const char *name, const char *loss, const char *both);

#endif
