/* specs.h - reads specs and shardings from the text of one spec, as in a signature: "[x*y,-]". */
#ifndef TSR_TESTS_SPECS_H
#define TSR_TESTS_SPECS_H
#include "shard/shard.h"

/* Text behind the spec is left alone. false: an error is recorded */
static inline bool spec_of_text(base *b, const mesh *m, const char *text, spec_room *out)
{
	str sig = {.base = b};
	spec_room none;
	int nin, nout;

	str_putn(&sig, text, strcspn(text, "]") + 1);
	str_put(&sig, " ->");
	const bool ok = !sig.lost && sig_read(b, NULL, m, sig.s, out, &nin, &none, &nout, 1);
	str_free(&sig);
	return ok;
}

/* likewise; NULL: an error is recorded */
static inline const sharding *sharding_of_text(shards *all, const mesh *m, const char *text)
{
	spec_room room;

	return spec_of_text(all->base, m, text, &room) ? sharding_of_room(all, m, &room) : NULL;
}

#endif
