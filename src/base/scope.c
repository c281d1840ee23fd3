/* scope.c - handles and the scopes that own them.
 *
 * Handles and scopes are both slots of 64 bytes, named by address plus serial number. So closing a
 * scope twice is noticed, as using a stale handle is. A freed slot goes to the end of one free
 * list, and gets its next serial number when it is taken again; only after it was taken 63 times
 * more can an old name be mistaken for a new one.
 *
 * In a slot that is a scope, `payload` is the enclosing scope, `var` the number of its handles and
 * `next` the first of them, whose `prev` is the scope's slot; so a handle can be unlinked without a
 * search. Releasing a payload may drop other handles, so a handle is unlinked before its payload is
 * released. */
#include "base/base.h"

#define SLOT ((size_t)64)
#define SERIAL ((uintptr_t)63)
#define CHUNK_FIRST ((size_t)256)
#define CHUNK_MOST ((size_t)4096)

enum { IS_SCOPE = HANDLE_FN + 1 };

struct handle_chunk {
	struct handle_chunk *next;
	size_t count;               /* of slots, which begin SLOT bytes after the chunk does */
};

_Static_assert(sizeof(handle_slot) <= SLOT && sizeof(struct handle_chunk) <= SLOT,
               "a slot holds either");

/* ---- slots */

static void *name_of(const handle_slot *s) { return (void *)((uintptr_t)s | s->serial); }

static handle_slot *slot_named(const void *name)
{
	return (handle_slot *)((uintptr_t)name & ~SERIAL);
}

static bool name_fits(const void *name)
{
	return name && slot_named(name)->serial == ((uintptr_t)name & SERIAL);
}

static bool is_handle(const handle_slot *s)
{
	return s->kind >= HANDLE_ARRAY && s->kind <= HANDLE_BYTES;
}

static handle_slot *slot_in(struct handle_chunk *c, size_t i)
{
	return (handle_slot *)((char *)c + (1 + i) * SLOT);
}

static void free_put(handles *home, handle_slot *s)
{
	s->kind = HANDLE_FREE;
	s->next = NULL;
	*(home->free_first ? &home->free_last->next : &home->free_first) = s;
	home->free_last = s;
}

static bool chunk_add(handles *home)
{
	const size_t last = home->chunks ? home->chunks->count : CHUNK_FIRST / 2;
	const size_t count = last < CHUNK_MOST ? 2 * last : CHUNK_MOST;
	struct handle_chunk *c = mem_array(home->base, 1 + count, SLOT);

	if (!c) return false;
	*c = (struct handle_chunk){home->chunks, count};
	home->chunks = c;
	for (size_t i = 0; i < count; i++) {
		slot_in(c, i)->home = home;
		free_put(home, slot_in(c, i));
	}
	return true;
}

static handle_slot *slot_take(handles *home, int kind)
{
	if (!home->free_first && !chunk_add(home)) return NULL;
	handle_slot *s = home->free_first;
	home->free_first = s->next;
	const uint8_t serial = (uint8_t)(s->serial % 63 + 1);
	*s = (handle_slot){.home = home, .kind = (uint8_t)kind, .serial = serial};
	return s;
}

static void link_to(handle_slot *s, tsr_scope *scope)
{
	handle_slot *list = slot_named(scope);

	s->scope = scope;
	list->var++;
	s->prev = list;
	s->next = list->next;
	if (s->next) s->next->prev = s;
	list->next = s;
}

static void unlink_slot(handle_slot *s)
{
	if (!s->scope) return;
	slot_named(s->scope)->var--;
	s->prev->next = s->next;
	if (s->next) s->next->prev = s->prev;
	s->scope = NULL;
}

/* the handle ends; its payload is given up last, from a copy of the slot */
static void slot_end(handle_slot *s)
{
	unlink_slot(s);
	handle_slot was = *s;
	free_put(s->home, s);
	was.home->release(&was);
}

/* ---- the whole */

bool handles_init(handles *home, base *b, tsr_ctx *ctx, void (*retain)(handle_slot *),
                  void (*release)(handle_slot *))
{
	*home = (handles){.base = b, .ctx = ctx, .retain = retain, .release = release};
	growth_begin(home);
	handle_slot *poison = slot_take(home, HANDLE_POISON);
	if (!poison) return false;
	home->poison = name_of(poison);
	/* the first chunk has room for both */
	home->innermost = name_of(slot_take(home, IS_SCOPE));
	return true;
}

void handles_empty(handles *home)
{
	for (struct handle_chunk *c = home->chunks; c; c = c->next)
		for (size_t i = 0; i < c->count; i++)
			if (is_handle(slot_in(c, i))) slot_end(slot_in(c, i));
}

void handles_fini(handles *home)
{
	handles_empty(home);
	for (struct handle_chunk *c = home->chunks, *next; c; c = next) {
		next = c->next;
		mem_free(home->base, c);
	}
	*home = (handles){.base = home->base, .ctx = home->ctx};
}

/* ---- handles */

tsr *handle_make(handles *home, enum handle_kind kind, void *payload, int32_t var)
{
	handle_slot *s = OWN_TURN(home->base) ? slot_take(home, (int)kind) : NULL;

	if (!s) {
		handle_slot unmade = {.home = home, .payload = payload, .var = var};
		unmade.kind = (uint8_t)kind;
		home->release(&unmade);
		return home->poison;
	}
	s->payload = payload;
	s->var = var;
	s->where = turn_place(home->base);
	link_to(s, home->innermost);
	const handle_slot *list = slot_named(home->innermost);
	if (!list->payload && (size_t)list->var >= home->look_at)
		growth_look(home, s, (size_t)list->var, s->where);
	return name_of(s);
}

handle_slot *handle_slot_of(const tsr *h) { return h ? slot_named(h) : NULL; }
handles *handles_of(const tsr *h) { return h ? slot_named(h)->home : NULL; }

bool handle_live(const tsr *h)
{
	return name_fits(h) && (is_handle(slot_named(h)) || slot_named(h)->kind == HANDLE_POISON);
}

bool handle_is_poison(const tsr *h) { return slot_named(h)->kind == HANDLE_POISON; }

/* h's slot when it is live and not poison */
static handle_slot *held(const tsr *h)
{
	return name_fits(h) && is_handle(slot_named(h)) ? slot_named(h) : NULL;
}

tsr *handle_keep(tsr *h)
{
	handle_slot *s = held(h);

	if (!s || !OWN_TURN(s->home->base)) return h;
	if (!s->scope || s->scope != s->home->innermost) return h;
	tsr_scope *outer = slot_named(s->scope)->payload;
	if (outer) {
		unlink_slot(s);
		link_to(s, outer);
	}
	return h;
}

/* another handle to s's payload, in no scope; NULL on failure */
static tsr *owned_twin(handles *home, const handle_slot *s)
{
	if (!s || s->home != home) return home->poison;
	handle_slot *twin = slot_take(home, s->kind);
	if (!twin) return NULL;
	twin->payload = s->payload;
	twin->var = s->var;
	twin->owned = true;
	home->retain(twin);
	return name_of(twin);
}

bool handle_own(handles *home, tsr **slot, tsr *value)
{
	const bool can = OWN_TURN(home->base);
	tsr *own = can && value ? owned_twin(home, held(value)) : NULL;

	if (!can || (value && !own)) return false;
	handle_drop(slot);
	*slot = own;
	return true;
}

void handle_end(tsr *h)
{
	handle_slot *s = held(h);

	if (s && OWN_TURN(s->home->base)) slot_end(s);
}

void handle_drop(tsr **slot)
{
	handle_slot *s = held(*slot);

	*slot = NULL;
	if (s && s->owned && OWN_TURN(s->home->base)) slot_end(s);
}

/* ---- handles of fns */

tsr_fn *fn_handle_make(handles *home, void *fn)
{
	handle_slot *s = OWN_TURN(home->base) ? slot_take(home, HANDLE_FN) : NULL;

	if (!s) return NULL;
	s->payload = fn;
	return name_of(s);
}

void *fn_of_handle(const tsr_fn *h)
{
	const handle_slot *s = slot_named(h);

	return name_fits(h) && s->kind == HANDLE_FN ? s->payload : NULL;
}

void fn_handle_end(tsr_fn *h)
{
	handle_slot *s = slot_named(h);

	if (OWN_TURN(s->home->base)) free_put(s->home, s);
}

/* ---- scopes */

tsr_scope *scope_open(handles *home, bool of_block)
{
	handle_slot *s = OWN_TURN(home->base) ? slot_take(home, IS_SCOPE) : NULL;

	if (!s) return NULL;
	s->owned = of_block;
	home->block_scopes += of_block;
	s->payload = home->innermost;
	return home->innermost = name_of(s);
}

static void innermost_close(handles *home)
{
	handle_slot *s = slot_named(home->innermost);

	while (s->next) slot_end(s->next);
	home->innermost = s->payload;
	home->block_scopes -= s->owned;
	free_put(home, s);
}

handles *scope_home(const tsr_scope *scope)
{
	return scope ? slot_named(scope)->home : NULL;
}

/* The outermost scope has no scope around it; it ends with the context. */
void scope_close(tsr_scope *scope)
{
	const handle_slot *s = slot_named(scope);

	if (!name_fits(scope) || s->kind != IS_SCOPE || !s->payload) return;
	handles *home = s->home;
	bool last = !OWN_TURN(home->base);
	while (!last) {
		last = home->innermost == scope;
		innermost_close(home);
	}
}
