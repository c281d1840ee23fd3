/* environment.c - reads environment variables, unless the program has rights that its caller lacks.
 *
 * Whoever starts a set-user-id program chooses its environment. A variable could name code to load,
 * or make the program tell what only its owner may know, so all of them count as not set there. */
#define _GNU_SOURCE
#include <stdlib.h>
#include "base/base.h"

const char *environment(const char *name) { return secure_getenv(name); }
