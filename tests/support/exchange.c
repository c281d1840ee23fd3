/* exchange.c - an exchange of the host model as a call of the library's collective. */
#include "support/exchange.h"

/* pairs {source, destination}; a shift where they are one */
static tsr *run_permute(const exchange *e, bool negative, tsr *x, const char *axis, int n,
                        tsr_groups groups)
{
	int pair[ORACLE_DEVICES][2];
	size_t count = 0;
	const int by = (n - e->source[0]) % n;
	bool shift = e->source[0] >= 0;
	for (int i = 0; i < n; i++) {
		shift = shift && e->source[i] == (i - by + n) % n;
		if (e->source[i] < 0)
			continue;
		pair[count][0] = e->source[i];
		pair[count++][1] = i;
	}
	if (shift)
		return tsr_ppermute(x, axis, TSR_SHIFT(negative ? by - n : by), .groups = groups);
	if (!count) /* no pair at all cannot be written: zeros that vary over the axes */
		return tsr_mul(tsr_pbroadcast(x, axis, 0, .groups = groups), 0);
	const tsr_perm perm = {.count = count, .pairs = (const int (*)[2])pair};
	return tsr_ppermute(x, axis, perm, .groups = groups);
}

static tsr *run_all_to_all(const exchange *e, int from, tsr *x, const char *axis,
                           tsr_groups groups)
{
	if (e->swap)
		return tsr_pswapaxes(x, axis, e->dim - from, .groups = groups);
	return tsr_all_to_all(x, axis, .split = TSR_DIMS(e->dim - from),
	                      .concat = TSR_DIMS(e->concat - from), .tiled = e->tiled,
	                      .groups = groups);
}

static tsr_groups groups_of(const circles *c, size_t sizes[ORACLE_DEVICES])
{
	tsr_groups groups = {.member = c->count ? c->member : NULL, .count = (size_t)c->count};
	for (int k = 0; k < c->count; k++)
		sizes[k] = (size_t)c->size[k];
	for (int k = 1; k < c->count; k++)
		if (c->size[k] != c->size[0])
			groups.sizes = sizes;
	if (c->count && !groups.sizes)
		groups.size = sizes[0];
	return groups;
}

tsr *exchange_run(const grid *g, const exchange *e, bool negative, tsr *x, tsr_dtype index)
{
	char text[16];
	size_t sizes[ORACLE_DEVICES];
	const char *axis = axes_text(&e->over, text);
	const tsr_groups groups = groups_of(&e->groups, sizes);
	const int n = e->groups.count ? e->groups.size[0] : (int)grid_parts(g, &e->over);
	const int grown = tsr_ndim(x) + (e->kind == EX_ALL_GATHER && !e->tiled);
	const int from = negative ? grown : 0;
	const tsr_dims dim = TSR_DIMS(e->dim - from);
	switch (e->kind) {
	case EX_PSUM: return tsr_psum(x, axis, .groups = groups);
	case EX_PMAX: return tsr_pmax(x, axis, .groups = groups);
	case EX_PMIN: return tsr_pmin(x, axis, .groups = groups);
	case EX_ALL_GATHER:
		return tsr_all_gather(x, axis, .dim = dim, .tiled = e->tiled, .groups = groups,
		                      .to = e->invarying ? TSR_TO_INVARYING : TSR_TO_VARYING);
	case EX_PSUM_SCATTER:
		return tsr_psum_scatter(x, axis, .dim = dim, .tiled = e->tiled, .groups = groups);
	case EX_ALL_TO_ALL: return run_all_to_all(e, from, x, axis, groups);
	case EX_PPERMUTE: return run_permute(e, negative, x, axis, n, groups);
	case EX_PSHUFFLE: return tsr_pshuffle(x, axis, e->source, (size_t)n, .groups = groups);
	case EX_PBROADCAST:
		return tsr_pbroadcast(x, axis, e->source[0], .groups = groups,
		                      .to = e->invarying ? TSR_TO_INVARYING : TSR_TO_VARYING);
	default: return tsr_astype(tsr_axis_index(x, axis, .groups = groups), index);
	}
}
