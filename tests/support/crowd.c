/* crowd.c - opens and closes many devices. */
#include "support/crowd.h"
#include "prim/prim.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

void crowd_open(crowd *c, int64_t n, int64_t each)
{
	*c = (crowd){.n = n, .devices = calloc((size_t)n, sizeof *c->devices)};
	c->ids = calloc((size_t)n, sizeof *c->ids);
	assert_true(c->devices && c->ids);
	for (int64_t k = 0; k < n; k++) {
		c->devices[k].id = c->ids[k] = k;
		c->devices[k].process = (int)(k / each);
	}
	assert_true(base_init(&c->base, NULL, NULL, 0));
	assert_true(shards_init(&c->shards, &c->base, NULL, c->devices, n));
	assert_true(ir_init(&c->ir, &c->base, &c->shards, all_prims, all_prims_count));
}

void crowd_close(crowd *c)
{
	ir_fini(&c->ir);
	shards_fini(&c->shards);
	base_fini(&c->base);
	assert_int_equal(c->base.mem.in_use, 0);
	free(c->ids);
	free(c->devices);
}
