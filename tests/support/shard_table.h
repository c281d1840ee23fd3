/* shard_table.h - the parts of an array as the third seed prints them. */
#ifndef TSR_TESTS_SHARD_TABLE_H
#define TSR_TESTS_SHARD_TABLE_H
#include <tsr/tsr.h>

/* The part of x on each device of a mesh of two axes, as a table with a cell for each: axis 0 goes
 * down. names: each cell begins with "cpu:3" and an empty line. As tabulate's "fancy_grid" draws
 * it, with three digits behind the point; valid until the next call */
const char *shard_table(tsr *x, const tsr_mesh *mesh, bool names);
#endif
