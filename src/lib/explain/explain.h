/* explain.h - the report of a call, in the forms that users read. */
#ifndef TSR_SRC_LIB_EXPLAIN_H
#define TSR_SRC_LIB_EXPLAIN_H
#include "lib/lib.h"
#include "lib/timing/timing.h"
#include "pass/pass.h"

void explain_text(str *, const report *);
void explain_json(str *, const report *);
void explain_html(str *, const report *);
/* runs the call, and adds to its report what the steps of each line took. false: recorded */
bool explain_measure(timed *, report *);
/* are these conditions true of it? false: recorded, at `where` */
bool explain_expect(base *, const char *where, const char *expected, const report *);
double collectives_run(const report *); /* each as often as it is executed */
#endif
