/* pass.h - functions from program to program, one file each; pipeline.c says in which order they
 * make a per-device program. */
#ifndef TSR_SRC_PASS_H
#define TSR_SRC_PASS_H
#include "prim/prim.h"

/* a per-device program, and where its operands and results live. in[i] NULL: whole, on every device
 * of the set */
typedef struct placed {
	arena *arena; /* holds the lists below */
	program *program;
	const mesh
		*mesh; /* its devices in order; NULL: the program runs on one device, whichever */
	const sharding **in, **out;
} placed;
void placed_free(placed *);

/* ---- pipeline.c */
bool pipeline(const program *global, const char *where, placed *out);

/* ---- partition.c: shard_map equations are replaced by their bodies, call equations by what they
 * call. A value between two maps is whole on every device: a map slices what it takes and its
 * results are gathered; where a program's operand or result is only seen as blocks it stays blocks.
 */
bool pass_partition(const program *, const char *where, placed *out);

#endif
