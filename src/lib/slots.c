/* slots.c - owned slots: a slot keeps its value until it is set again or dropped, also if the new
 * value could not be made. */
#include "lib/lib.h"

static tsr_ctx *home_of(const tsr *value, const tsr *held)
{
	const tsr *h = value ? value : held;

	return h ? handles_of(h)->ctx : ctx_here();
}

/* can a slot take the value? false: the reason is recorded */
static bool can_be_set(tsr_ctx *ctx, const tsr *value)
{
	const char *fault = handle_fault(tsr_ctx_of(value), value);

	if (fault)
		return fail(&ctx->base, NULL, TSR_ERROR_HANDLE, "tsr_set: the value %s", fault);
	return !handle_is_poison(value) || fail_poison(&ctx->base, NULL, "tsr_set: the value");
}

bool tsr_set(tsr **slot, tsr *value)
{
	if (!slot)
		return fail(&ctx_or_here(tsr_ctx_of(value))->base, NULL, TSR_ERROR_ARGUMENT,
		            "tsr_set: the slot is NULL");
	tsr_ctx *ctx = home_of(value, *slot);
	ctx_use(ctx);
	if (can_be_set(ctx, value) && handle_own(&ctx->handles, slot, value)) return true;
	if (*slot)
		fail_note(&ctx->base, "tsr_set: the slot keeps the value that it had");
	else
		*slot = ctx->handles.poison;
	return false;
}

void tsr_drop(tsr **slot) { handle_drop(slot); }

/* the context of the first handle among the values, and then among what the slots hold */
static tsr_ctx *home_of_trees(const tsr_tree *values, const tsr_tree *slots)
{
	for (size_t i = 0; i < values->count; i++)
		if (values->leaf[i]) return tsr_ctx_of(values->leaf[i]);
	for (size_t i = 0; i < slots->count; i++)
		if (slots->leaf[i]) return tsr_ctx_of(slots->leaf[i]);
	return ctx_here();
}

static bool tree_can_be_set(tsr_ctx *ctx, const tsr_tree *slots, const tsr_tree *values)
{
	if (slots->count != values->count)
		return fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
		            "tsr_set_tree: %zu slots for %zu values", slots->count, values->count);
	for (size_t i = 0; i < values->count; i++)
		if (values->leaf[i] && !can_be_set(ctx, values->leaf[i])) return false;
	return true;
}

bool tsr_set_tree(tsr_tree slots, tsr_tree values)
{
	bool ok = true;
	tsr_ctx *ctx = home_of_trees(&values, &slots);

	ctx_use(ctx);
	if (!tree_can_be_set(ctx, &slots, &values)) {
		fail_note(&ctx->base, "tsr_set_tree: the slots keep the values that they had");
		for (size_t i = 0; slots.count == values.count && i < slots.count; i++)
			if (values.leaf[i] && !slots.leaf[i]) slots.leaf[i] = ctx->handles.poison;
		return false;
	}
	for (size_t i = 0; i < slots.count; i++) {
		if (values.leaf[i])
			ok = tsr_set(&slots.leaf[i], values.leaf[i]) && ok;
		else
			tsr_drop(&slots.leaf[i]);
	}
	return ok;
}

void tsr_drop_tree(tsr_tree slots)
{
	for (size_t i = 0; i < slots.count; i++) tsr_drop(&slots.leaf[i]);
}
