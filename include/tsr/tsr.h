/* tsr/tsr.h - Tessera: arrays over meshes of devices, for programs in C and for all that can call
 * C. Includes everything.
 *
 *     #include <tsr/tsr.h>
 *
 *     int main(void)
 *     {
 *             tsr_ctx *ctx = tsr_open(.devices = 8);
 *             tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
 *             tsr_show_sharding(tsr_put(tsr_ones(ctx, TSR_DIMS(8, 8)), mesh, TSR_P("x", "y")));
 *             return tsr_close(ctx);
 *     }
 *
 * Headers, in the order of reading: base (types), context (errors, scopes), mesh (meshes, specs),
 * array (making, reading, placing), ops (operations), functions (written with those), products
 * (einsum and its like), shapes (moved, repeated, joined), statistics, curves (sampled functions),
 * nn (of neural networks), linalg (linear algebra), fft (Fourier transforms), random (keys,
 * samplers), layers (of neural networks), losses, transform (fns), tree (trees of handles), params
 * (initialisers, trees of parameters), control (branches and loops), callback (C functions,
 * printing), collective (exchange between devices), io (files), checkpoint (trees in folders, for
 * any devices), viz (pictures, tables of what devices hold), timing (how long calls take), explain
 * (what calls exchange and cost), profile (what takes which time), extend (programs as text). Each
 * compiles alone, as C17, C23 and, without the macros, C++17.
 *
 * Records that may grow begin with their size, by which a program and a library of different
 * releases understand each other: the macros set it; whoever calls an _at function with a record of
 * keywords, or a _fill function, writes {.size = sizeof(tsr_reduce_args)}. A record whose size was
 * forgotten is an error (TSR_ERROR_ARGUMENT). All other records are as they are for good, with
 * their TSR_MAX_NDIM dims and TSR_MAX_ARGS arguments. */
/** @file */
#ifndef TSR_TSR_H
#define TSR_TSR_H
#include <stdio.h> /* for programs that print: what is here needs none of it */
#include "base.h"
#include "context.h"
#include "mesh.h"
#include "array.h"
#include "ops.h"
#include "functions.h"
#include "products.h"
#include "shapes.h"
#include "statistics.h"
#include "curves.h"
#include "nn.h"
#include "linalg.h"
#include "fft.h"
#include "random.h"
#include "layers.h"
#include "losses.h"
#include "transform.h"
#include "tree.h"
#include "params.h"
#include "control.h"
#include "optim.h"
#include "callback.h"
#include "collective.h"
#include "io.h"
#include "checkpoint.h"
#include "viz.h"
#include "timing.h"
#include "batches.h"
#include "explain.h"
#include "profile.h"
#include "extend.h"

#endif
