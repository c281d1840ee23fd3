/* keywords.c - records that begin with their size: keywords that a caller gives, and records that
 * are filled for the caller.
 *
 * A program and the library that it runs with may be of different releases. A later release appends
 * members, so that one side may have a shorter record, with fewer members:
 *
 *     the caller's   size keyword_ dims            missing ones are not given
 *     ours           size keyword_ dims dtype
 *     the caller's   size keyword_ dims dtype x    x must be zero: we do not know it
 *
 * A record whose size was forgotten would be taken for one without members, and is an error. */
#include "runtime/runtime.h"

/* size and keyword_ together; far above any real record */
enum { HEAD = 2 * sizeof(void *), LARGEST = 1 << 16 };

static bool all_zero(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i]) return false;
	return true;
}

static bool fail_size(tsr_ctx *ctx, const char *where, const char *type, size_t size)
{
	return fail(&ctx_or_here(ctx)->base, where, TSR_ERROR_ARGUMENT,
	            "a record of type %s has .size %zu: set it to sizeof(%s)", type, size, type);
}

const void *keywords_read(tsr_ctx *ctx, const char *where, const char *type, void *own, size_t size,
                          const void *given)
{
	size_t had = size;

	if (!given) return own;
	memcpy(&had, given, sizeof had);
	if (had < HEAD || had > LARGEST) {
		fail_size(ctx, where, type, had);
		return NULL;
	}
	if (had > size && !all_zero((const char *)given + size, had - size)) {
		fail(&ctx_or_here(ctx)->base, where, TSR_ERROR_UNSUPPORTED,
		     "a record of type %s gives a keyword of a later release than %s", type,
		     tsr_version());
		return NULL;
	}
	memcpy(own, given, had < size ? had : size);
	memcpy(own, &size, sizeof size); /* for whom it is handed on to */
	return own;
}

bool record_fill(tsr_ctx *ctx, const char *name, void *to, const void *from, size_t size)
{
	size_t had = 0;

	if (to) memcpy(&had, to, sizeof had);
	if (had < sizeof had || had > LARGEST)
		return fail(&ctx_or_here(ctx)->base, NULL, TSR_ERROR_ARGUMENT,
		            "%s: the record to fill is NULL, or its .size is not set", name);
	memcpy((char *)to + sizeof had, (const char *)from + sizeof had,
	       (had < size ? had : size) - sizeof had);
	return true;
}
