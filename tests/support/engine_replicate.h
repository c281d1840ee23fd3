/* engine_replicate.h - an engine that replicates each program, fuses it, and has the interpreter
 * run the result on one device.
 *
 * A test program that is linked with --wrap=tsr_open_at has it in each context. */
#ifndef TSR_TESTS_ENGINE_REPLICATE_H
#define TSR_TESTS_ENGINE_REPLICATE_H
#include "engine/engine.h"

extern const engine_type replicate_engine;

/* programs compiled in this process, and those of them that the interpreter runs as they are */
extern int replicate_engine_programs, replicate_engine_left;

#endif
