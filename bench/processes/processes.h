/* processes.h - declares the functions that both files of this benchmark share. */
#ifndef BENCH_PROCESSES_H
#define BENCH_PROCESSES_H
#include <tsr/tsr.h>

/* of n numbers, which it sorts */
double median(double *x, int n);
/* training.c: prints its line, on rank 0 */
void compare_training(tsr_ctx *, int rank, int rounds);

#endif
