/* ctx.c - opens and closes contexts, makes their devices, and tells their errors.
 *
 * Example:
 *
 *     tsr_ctx *none = tsr_open(.devices = -1, .log = log_nothing);
 *     tsr *y = tsr_neg(tsr_ones(none, TSR_DIMS(4)));
 *
 * A context that could not be opened is the dead one instead of NULL. Whatever is made in it is
 * poison, so that a program may look for errors once, at its end:
 *
 *     y: poison, ..: .devices must be from 1 to 1048576, got -1 */
#include "runtime/runtime.h"
#include "tsr/engine/test.h"

static void retain_payload(handle_slot *s) { counted_retain(s->payload); }
static void release_payload(handle_slot *s) { counted_release(s->payload); }

/* those of each process divided evenly and in order among so many memories */
static bool devices_fill(tsr_ctx *ctx, const int64_t *each, int processes, int memories)
{
	int64_t n = 0, id = 0;

	for (int p = 0; p < processes; p++) {
		if (each[p] < 1 || each[p] > (1 << 20) - n)
			return fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
			            ".devices must be from 1 to %d, got %lld", 1 << 20,
			            (long long)each[p]);
		if (memories < 1 || each[p] % memories)
			return fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
			            "%lld devices cannot be divided among %d memories",
			            (long long)each[p], memories);
		n += each[p];
	}
	if (!(ctx->devices = mem_array(&ctx->base, (size_t)n, sizeof *ctx->devices))) return false;
	for (int p = 0; p < processes; p++) {
		if (p == ctx->process) ctx->home = id;
		for (int64_t k = 0; k < each[p]; k++, id++)
			ctx->devices[id] =
				(device){id, p, p * memories + (int)(k / (each[p] / memories))};
	}
	ctx->ndevices = n;
	return true;
}

/* the devices of all processes */
static bool devices_make(tsr_ctx *ctx, const char *where, const tsr_open_args *args, int memories)
{
	const int64_t own = args->devices_here ? args->devices_here
	                    : args->devices    ? args->devices
	                                       : 1;

	if (args->devices < 0 || args->devices_here < 0 ||
	    (!ctx->processes && args->devices && own != args->devices))
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            ".devices must be from 1 to %d, got %lld", 1 << 20,
		            (long long)args->devices);
	if (!ctx->processes) return devices_fill(ctx, &own, 1, memories);
	int64_t *each = devices_divide(ctx, where, args->devices, args->devices_here);
	const bool ok = each && devices_fill(ctx, each, ctx->processes->comm->size, memories);
	mem_free(&ctx->base, each);
	return ok;
}

/* the way to the other processes: by a comm that the caller has found, or by name */
static bool join_others(tsr_ctx *ctx, const char *where, const tsr_open_args *args,
                        const comm_type *comm, const void *given)
{
	if (!comm && !comm_find(ctx, where, args->comm, &comm)) return false;
	if (!comm) return true;
	ctx->processes = processes_open(&ctx->base, where, comm, given, args->wait_limit);
	if (!ctx->processes) return false;
	ctx->process = ctx->processes->comm->rank;
	ctx->nprocesses = ctx->processes->comm->size;
	return instructions_agree(ctx);
}

/* .dtype, else TSR_DTYPE, else f32: do dtypes that nobody names have 64 bits? */
static bool default_read(base *bs, const char *where, tsr_dtype given)
{
	const char *text = given ? NULL : environment("TSR_DTYPE");
	const tsr_dtype dtype = text && *text ? dtype_parse(text, strlen(text)) : given;

	bs->x64 = dtype == TSR_F64;
	if (dtype == TSR_F32 || dtype == TSR_F64 || (!given && !(text && *text))) return true;
	if (!given)
		return fail(bs, where, TSR_ERROR_ARGUMENT,
		            "TSR_DTYPE must be f32 or f64, got \"%s\"", text);
	return fail(bs, where, TSR_ERROR_ARGUMENT, ".dtype must be TSR_F32 or TSR_F64, got %s",
	            dtype_ok(given) ? tsr_dtype_name(given) : "a number that is no dtype");
}

static bool numbers_read(tsr_ctx *ctx, const char *where, const tsr_open_args *args)
{
	if (args->reproducible != TSR_BY_DEVICES && args->reproducible != TSR_BY_MESH)
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            ".reproducible must be TSR_BY_DEVICES or TSR_BY_MESH, got %d",
		            (int)args->reproducible);
	if ((unsigned)args->precision > TSR_BF16_PAIRS)
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            ".precision must be one of enum tsr_precision, got %d",
		            (int)args->precision);
	ctx->precision = args->precision;
	ctx->ir.by_mesh = args->reproducible == TSR_BY_MESH;
	return true;
}

/* .workers, else TSR_WORKERS, else 0: as many as the machine has */
static bool workers_read(base *bs, const char *where, int given, int *out)
{
	const char *text = environment("TSR_WORKERS"), *at = text;
	int64_t n = given;

	if (given < 0 || given > WORKERS_MOST)
		return fail(bs, where, TSR_ERROR_ARGUMENT, ".workers must be from 0 to %d, got %d",
		            WORKERS_MOST, given);
	if (!given && text && *text && (!integer_read(&at, &n) || *at || n < 0 || n > WORKERS_MOST))
		return fail(bs, where, TSR_ERROR_ARGUMENT,
		            "TSR_WORKERS must be a number from 0 to %d, got \"%s\"", WORKERS_MOST,
		            text);
	*out = (int)n;
	return true;
}

/* TSR_CPU, which holds for the process (base/processor.c): is it a set that can be used? */
static bool instructions_check(base *bs, const char *where)
{
	const char *name = environment("TSR_CPU");
	const int bytes = name ? instructions_named(name) : 0;

	if (!name || !*name || instructions_have(name)) return true;
	if (!bytes)
		return fail(bs, where, TSR_ERROR_ARGUMENT,
		            "TSR_CPU must be fma, avx2, avx512 or avx512_bf16, got \"%s\"", name);
	return fail(bs, where, TSR_ERROR_UNSUPPORTED,
	            "TSR_CPU is %s: this processor does not have it", name);
}

static bool engine_make(tsr_ctx *ctx, const char *where, const tsr_open_args *args)
{
	const char *name = args->engine ? args->engine : environment("TSR_ENGINE");
	base *bs = &ctx->base;
	plugin from;
	const engine_type *t = engine_find(bs, where, name, ctx->plugin_dir, &from);
	const char *path = t && from.object ? arena_str(ctx->arena, from.path) : NULL;
	int workers;

	if (!t || (from.object && !path) || !workers_read(bs, where, args->workers, &workers) ||
	    !instructions_check(bs, where) || !(ctx->engine = mem_zalloc(bs, sizeof *ctx->engine)))
		return false;
	*ctx->engine = (engine){.type = t,
	                        .base = bs,
	                        .devices = ctx->devices,
	                        .ndevices = ctx->ndevices,
	                        .processes = ctx->processes,
	                        .sharers = 1,
	                        .workers = workers,
	                        .require_compiled = args->require_compiled,
	                        .plugin_dir = ctx->plugin_dir,
	                        .plugin = path};
	if (ctx->processes)
		ctx->engine->sharers = processes_sharers(ctx->processes, &ctx->engine->place);
	const char *why = args->require_compiled ? t->why_not(ctx->engine) : NULL;
	return !why || fail(bs, where, TSR_ERROR_UNSUPPORTED,
	                    ".require_compiled: no machine code can be made here: %s", why);
}

static bool ctx_fill(tsr_ctx *ctx, const char *where, const tsr_open_args *args, int memories,
                     const comm_type *comm, const void *given)
{
	base *bs = &ctx->base;

	ctx->executables.base = ctx->eager.base = ctx->fns.base = bs;
	ctx->optimizers.base = ctx->teams.base = bs;
	ctx->poison_mesh.ctx = ctx->poison_sharding.ctx = ctx;
	ctx->threefry_original = args->threefry_original;
	if (!cache_init(ctx, where, args->cache_limit) || !default_read(bs, where, args->dtype))
		return false;
	if (!math_works_here())
		return fail(bs, where, TSR_ERROR_UNSUPPORTED,
		            "this processor has no fused multiply-add, which the arithmetic needs");
	if (!(ctx->arena = arena_make(bs)) ||
	    !handles_init(&ctx->handles, bs, ctx, retain_payload, release_payload))
		return false;
	const char *dir = args->plugin_dir ? args->plugin_dir : environment("TSR_PLUGIN_DIR");
	plugins_locate();
	if (dir && !(ctx->plugin_dir = plugin_folder(bs, ctx->arena, dir))) return false;
	return join_others(ctx, where, args, comm, given) &&
	       devices_make(ctx, where, args, memories) &&
	       shards_init(&ctx->shards, bs, ctx, ctx->devices, ctx->ndevices) &&
	       ir_init(&ctx->ir, bs, &ctx->shards, all_prims, all_prims_count) &&
	       numbers_read(ctx, where, args) &&
	       debug_read(bs, where, ".debug", args->debug, &ctx->ir.debug) &&
	       debug_read(bs, where, "TSR_DEBUG", environment("TSR_DEBUG"), &ctx->ir.debug) &&
	       engine_make(ctx, where, args) && (!ctx->processes || processes_agree(ctx, where));
}

/* Frees everything but what outlives tsr_close(): the slots of handles, which scopes of blocks may
 * still read, and the engine, which memory that was lent goes back to */
static void ctx_empty(tsr_ctx *ctx)
{
	handles_empty(&ctx->handles);
	cache_empty(ctx);
	arena_free(ctx->arena);
	table_free(&ctx->optimizers, NULL);
	table_free(&ctx->fns, NULL);
	table_free(&ctx->eager, NULL);
	table_free(&ctx->executables, NULL);
	table_free(&ctx->teams, NULL);
	ir_fini(&ctx->ir);
	shards_fini(&ctx->shards);
}

static void ctx_free(tsr_ctx *ctx)
{
	if (ctx->engine) ctx->engine->type->close(ctx->engine);
	mem_free(&ctx->base, ctx->engine);
	mem_free(&ctx->base, ctx->devices);
	handles_fini(&ctx->handles);
	base own = ctx->base;
	mem_free(&own, ctx);
	base_fini(&own);
}

void ctx_lend(tsr_ctx *ctx) { atomic_fetch_add(&ctx->lent, 1); }

void ctx_returned(tsr_ctx *ctx)
{
	if (atomic_fetch_sub(&ctx->lent, 1) == 1) ctx_free(ctx);
}

void ctx_block_ended(tsr_ctx *ctx)
{
	if (ctx->closed && !ctx->handles.block_scopes && !ctx->in_use.blocks) ctx_returned(ctx);
}

static void tell_code(const tsr_open_args *args, int code)
{
	if (args->code) *args->code = code;
}

static tsr_ctx *open_failed(const tsr_open_args *args, tsr_ctx *ctx, base *own)
{
	static const char none[] = "tsr_open: no memory for a context";

	if (own->errors) {
		fail(own, NULL, TSR_ERROR_MEMORY, none); /* unless there is an error */
		error_log_once(own);
		error_keep_last((tsr_code)error_code(own), error_text(own));
		tell_code(args, error_code(own));
	} else {
		log_message(args->log, args->user, 0, none);
		error_keep_last(TSR_ERROR_MEMORY, none);
		tell_code(args, TSR_ERROR_MEMORY);
	}
	if (ctx) {
		if (ctx->processes) processes_die(ctx->processes, NULL, "a process could not open");
		processes_close(ctx->processes);
		ctx_empty(ctx);
		ctx_free(ctx);
	} else {
		base_fini(own);
	}
	return ctx_dead();
}

/* ---- texts and lists that a scope owns, through a hidden handle that holds them */

typedef struct block {
	counted counted;
	base *base;
	max_align_t bytes[];
} block;

static void block_free(void *object)
{
	block *b = object;

	mem_free(b->base, b);
}

void *scope_bytes(tsr_ctx *ctx, size_t size)
{
	block *b = ctx_alive(ctx) ? mem_zalloc(&ctx->base, sizeof *b + size) : NULL;

	if (!b) return NULL;
	b->counted = (counted){1, block_free};
	b->base = &ctx->base;
	const tsr *h = handle_make(&ctx->handles, HANDLE_BYTES, b, 0);
	return handle_slot_of(h)->kind == HANDLE_BYTES ? b->bytes : NULL;
}

const char *scope_text(tsr_ctx *ctx, str *s)
{
	char *text = s->s && !s->lost ? scope_bytes(ctx, s->len + 1) : NULL;

	if (text) memcpy(text, s->s, s->len + 1);
	str_free(s);
	return text ? text : "?";
}

/* ---- open and close */

static bool profile_asked(tsr_ctx *ctx, const char *where)
{
	const char *path = environment("TSR_PROFILE");

	return !path || !*path || profile_begin(&ctx->base, where, path, false);
}

tsr_ctx *ctx_open(const char *where, const tsr_open_args *args, int memories, const comm_type *comm,
                  const void *given)
{
	base own;

	if (!base_init(&own, args->alloc, args->user, args->memory_limit))
		return open_failed(args, NULL, &own);
	errors_log_to(&own, args->log, args->user);
	own.mem.fail_at = args->fail_at > 0 ? args->fail_at : -1;
	tsr_ctx *ctx = mem_zalloc(&own, sizeof *ctx);
	if (!ctx) return open_failed(args, NULL, &own);
	ctx->base = own;
	ctx->lent = 1;
	if (ctx_fill(ctx, where, args, memories, comm, given) && profile_asked(ctx, where)) {
		ctx->shards.process = ctx->process;
		ctx->shards.node = ctx->processes ? ctx->processes->comm->node : NULL;
		ctx_enter(ctx);
		tell_code(args, TSR_OK);
		return ctx;
	}
	own = ctx->base;
	return open_failed(args, ctx, &own);
}

tsr_ctx *tsr_open_at(const char *where, const tsr_open_args *args)
{
	const tsr_open_args *a = KEYWORDS(tsr_open_args, where, ctx_dead(), args);

	return a ? ctx_open(where, a, 1, NULL, NULL) : ctx_dead();
}

/* as in tsr/mpi.h, which needs the header of an MPI */
TSR_API tsr_ctx *tsr_mpi_open_at(const char *where, const void *comm, const char *mpi,
                                 const tsr_open_args *args);

tsr_ctx *tsr_mpi_open_at(const char *where, const void *comm, const char *mpi,
                         const tsr_open_args *args)
{
	const tsr_open_args *a = KEYWORDS(tsr_open_args, where, ctx_dead(), args);

	if (!a) return ctx_dead();
	tsr_open_args own = *a;
	own.comm = mpi ? mpi : "mpi";
	return ctx_open(where, &own, 1, NULL, comm);
}

/* ---- for tests of engines (tsr/engine/test.h) */

tsr_ctx *tsr__open_among(const char *where, const tsr_open_args *args, int memories,
                         const comm_type *comm, const void *given)
{
	const tsr_open_args *a = KEYWORDS(tsr_open_args, where, ctx_dead(), args);

	return a ? ctx_open(where, a, memories, comm, given) : ctx_dead();
}

bool tsr__run_begin(tsr_ctx *ctx, executable *x)
{
	engine *e = ctx->engine;
	call_name call = {.errors_before = error_mark(&ctx->base)};

	if (e->type->way && !engine_did(e, "way", e->type->way(x, 0, &call.way))) return false;
	if (call.way < 0) call.way = WAY_ANY;
	if (!call_begin(ctx->processes, ctx->processes->all, &call)) return false;
	e->way = ctx->processes->way;
	return true;
}

bool tsr__run_end(tsr_ctx *ctx, bool ok) { return call_end(ctx->processes, ok); }

engine *tsr__ctx_engine(tsr_ctx *ctx) { return ctx_alive(ctx) ? ctx->engine : NULL; }

void tsr__fail_memory(tsr_ctx *ctx, int64_t n)
{
	if (ctx_alive(ctx)) ctx->base.mem.fail_at = n;
}

const char *tsr__row_name(int k)
{
	return k >= 0 && k < all_prims_count ? all_prims[k]->name : NULL;
}

program *tsr__program_parse(tsr_ctx *ctx, const char *text)
{
	return ctx_alive(ctx) ? program_parse(&ctx->ir, NULL, text, strlen(text)) : NULL;
}

/* a call as all others: whoever closes while another one computes is told so */
static void leave_others(tsr_ctx *ctx)
{
	const call_name close = {.hash = hash_str("tsr_close", 0),
	                         .name = "tsr_close",
	                         .errors_before = error_mark(&ctx->base)};

	const bool alone = !ctx->processes;
	const bool begun = alone || call_begin(ctx->processes, ctx->processes->all, &close);
	if (ctx->background) ctx->background->end(ctx, NULL, "tsr_close");
	if (!alone && begun) call_end(ctx->processes, true);
	processes_close(ctx->processes);
	ctx->processes = ctx->engine->processes = NULL;
}

int tsr_close(tsr_ctx *ctx)
{
	if (!ctx) return TSR_OK;
	if (!turn_own(&ctx->base)) return TSR_ERROR_THREAD;
	ctx_use(ctx);
	if (ctx->trace)
		fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
		     "tsr_close: a body cannot close the context that traces it");
	const bool calls = ctx->host_calls;
	if (calls)
		fail(&ctx->base, NULL, TSR_ERROR_ARGUMENT,
		     "tsr_close: a callback cannot close the context of the program that calls "
		     "it");
	const bool ends = ctx_alive(ctx) && !ctx->trace && !calls && !ctx->closed;
	if (ends && ctx->base.profile) profile_end(&ctx->base, NULL);
	if (ends) leave_others(ctx);
	const int code = error_code(&ctx->base);
	error_log_once(&ctx->base);
	if (!ends) return code;
	ctx_leave(ctx);
	ctx_empty(ctx);
	ctx->closed = true;
	ctx_block_ended(ctx);
	return code;
}

/* ---- errors, memory, devices */

int tsr_status(const tsr_ctx *ctx)
{
	if (!ctx) return TSR_ERROR_ARGUMENT;
	tsr_ctx *own = (tsr_ctx *)(uintptr_t)ctx;
	if (!turn_own(&own->base)) return TSR_ERROR_THREAD;
	ctx_use(own); /* so that the error of a body that was left is recorded */
	return error_code(&ctx->base);
}

const char *tsr_message(const tsr_ctx *ctx)
{
	return tsr_status(ctx) && ctx ? error_text(&ctx->base) : ctx ? "" : "the context is NULL";
}

void tsr_clear(tsr_ctx *ctx)
{
	if (ctx) error_clear(&ctx->base);
}

int tsr_cleared(const tsr_ctx *ctx) { return ctx ? error_cleared(&ctx->base) : TSR_OK; }

void tsr_cancel(tsr_ctx *ctx)
{
	if (ctx && ctx->engine) ctx->engine->type->cancel(ctx->engine);
}

void tsr_log_to(void (*log)(void *user, int level, const char *text), void *user)
{
	process_log_to(log, user);
}

tsr *tsr_poison(tsr_ctx *ctx) { return ctx_or_here(ctx)->handles.poison; }
bool tsr_is_poison(const tsr *x) { return !x || !handle_live(x) || handle_is_poison(x); }

tsr *tsr_fail_at(const char *where, tsr_ctx *ctx, const char *why)
{
	fail(&ctx_or_here(ctx)->base, where, TSR_ERROR_USER, "%s",
	     why ? why : "tsr_fail was given no text");
	return tsr_poison(ctx);
}

void tsr_memory_fill(const tsr_ctx *ctx, tsr_memory_info *info)
{
	tsr_ctx *own = (tsr_ctx *)(uintptr_t)ctx; /* what other threads have freed is counted now */
	tsr_memory_info is = {.size = sizeof is};

	if (ctx) {
		is.in_use = mem_in_use(&own->base);
		is.peak = own->base.mem.peak;
		is.held = mem_held(&own->base);
	}
	RECORD_FILL(own, info, &is);
}

tsr_memory_info tsr_memory(const tsr_ctx *ctx)
{
	tsr_memory_info info = {.size = sizeof info};

	tsr_memory_fill(ctx, &info);
	return info;
}

bool tsr_engine(tsr_ctx *ctx, tsr_engine_info *info)
{
	if (!ctx_ok(NULL, "engine", ctx)) return false;
	engine *own = ctx->engine;
	const char *why = own->type->why_not(own);
	const tsr_engine_info is = {.size = sizeof is,
	                            .name = own->type->name,
	                            .compiles = !why,
	                            .why_not = why,
	                            .plugin = own->plugin};
	return RECORD_FILL(ctx, info, &is);
}

int tsr_process(const tsr_ctx *ctx) { return ctx ? ctx->process : 0; }
int tsr_process_count(const tsr_ctx *ctx) { return ctx && ctx->nprocesses ? ctx->nprocesses : 1; }
int64_t tsr_device_count(const tsr_ctx *ctx) { return ctx ? ctx->ndevices : 0; }

void tsr_device_fill(const tsr_ctx *ctx, int64_t k, tsr_device_info *info)
{
	tsr_device_info is = {.size = sizeof is, .id = -1};

	if (k >= 0 && k < tsr_device_count(ctx)) {
		is.id = ctx->devices[k].id;
		is.process = ctx->devices[k].process;
		is.memory = ctx->devices[k].memory;
	}
	RECORD_FILL((tsr_ctx *)(uintptr_t)ctx, info, &is);
}

tsr_device_info tsr_device(const tsr_ctx *ctx, int64_t k)
{
	tsr_device_info info = {.size = sizeof info, .id = -1};

	tsr_device_fill(ctx, k, &info);
	return info;
}

/* ---- scopes and slots */

static tsr_scope *open_scope(tsr_ctx *ctx, const char *op, bool of_block)
{
	TURN_OF(ctx, NULL, NULL);
	return ctx_ok(NULL, op, ctx) ? scope_open(&ctx->handles, of_block) : NULL;
}

tsr_scope *tsr_scope_open(tsr_ctx *ctx) { return open_scope(ctx, "scope_open", false); }
tsr_scope *tsr_scope_open_(tsr_ctx *ctx) { return open_scope(ctx, "TSR_SCOPE", true); }

static void close_scope(tsr_ctx *ctx, tsr_scope *scope)
{
	TURN_OF(ctx, NULL, );
	scope_close(scope);
}

void tsr_scope_close(tsr_scope *scope)
{
	const handles *home = scope_home(scope);

	if (home) close_scope(home->ctx, scope);
}

void tsr_scope_close_(tsr_scope **scope)
{
	handles *home = scope ? scope_home(*scope) : NULL;

	if (!home) return;
	tsr_ctx *ctx = home->ctx;
	close_scope(ctx, *scope);
	*scope = NULL;
	ctx_block_ended(ctx);
}

tsr *tsr_keep(tsr *x)
{
	TURN_OF(tsr_ctx_of(x), NULL, x);
	return x && handle_live(x) ? handle_keep(x) : x;
}

/* ---- owned slots: a slot keeps its value if the new one could not be made */

static tsr_ctx *home_of(const tsr *value, const tsr *held)
{
	const tsr *h = value ? value : held;

	return h ? handles_of(h)->ctx : ctx_here();
}

/* can a slot take the value? false: the reason is recorded */
static bool can_be_set(const char *where, tsr_ctx *ctx, const tsr *value)
{
	if (!value) return fail(&ctx->base, where, TSR_ERROR_HANDLE, "tsr_set: the value is NULL");
	if (!handle_live(value))
		return fail(&ctx->base, where, TSR_ERROR_HANDLE,
		            "tsr_set: the value is a stale handle: its scope has ended, or it was "
		            "dropped");
	return !handle_is_poison(value) || fail_poison(&ctx->base, where, "tsr_set: the value");
}

bool tsr_set_at(const char *where, tsr **slot, tsr *value)
{
	if (!slot)
		return fail(&ctx_or_here(tsr_ctx_of(value))->base, where, TSR_ERROR_ARGUMENT,
		            "tsr_set: the slot is NULL");
	tsr_ctx *ctx = home_of(value, *slot);
	TURN_OF(ctx, where, false);
	ctx_use(ctx);
	if (can_be_set(where, ctx, value) && handle_own(&ctx->handles, slot, value)) return true;
	if (*slot)
		fail_note(&ctx->base, "tsr_set: the slot keeps the value that it had");
	else
		*slot = ctx->handles.poison;
	return false;
}

void tsr_drop(tsr **slot)
{
	if (!slot || !*slot) return;
	TURN_OF(tsr_ctx_of(*slot), NULL, );
	handle_end(*slot);
	*slot = NULL;
}

/* the context of the first handle among the values, and then among what the slots hold */
static tsr_ctx *home_of_trees(const tsr_tree *values, const tsr_tree *slots)
{
	for (size_t i = 0; values->leaf && i < values->count; i++)
		if (values->leaf[i]) return tsr_ctx_of(values->leaf[i]);
	for (size_t i = 0; slots->leaf && i < slots->count; i++)
		if (slots->leaf[i]) return tsr_ctx_of(slots->leaf[i]);
	return ctx_here();
}

static bool tree_can_be_set(const char *where, tsr_ctx *ctx, const tsr_tree *slots,
                            const tsr_tree *values)
{
	if (slots->count != values->count)
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            "tsr_set_tree: %zu slots for %zu values", slots->count, values->count);
	if (slots->count && (!slots->leaf || !values->leaf))
		return fail(&ctx->base, where, TSR_ERROR_ARGUMENT,
		            "tsr_set_tree: the list of leaves is NULL");
	for (size_t i = 0; i < values->count; i++)
		if (values->leaf[i] && !can_be_set(where, ctx, values->leaf[i])) return false;
	return true;
}

bool tsr_set_tree_at(const char *where, tsr_tree slots, tsr_tree values)
{
	bool ok = true;
	tsr_ctx *ctx = home_of_trees(&values, &slots);

	TURN_OF(ctx, where, false);
	ctx_use(ctx);
	if (!tree_can_be_set(where, ctx, &slots, &values)) {
		fail_note(&ctx->base, "tsr_set_tree: the slots keep the values that they had");
		const bool paired = slots.count == values.count && slots.leaf && values.leaf;
		for (size_t i = 0; paired && i < slots.count; i++)
			if (values.leaf[i] && !slots.leaf[i]) slots.leaf[i] = ctx->handles.poison;
		return false;
	}
	for (size_t i = 0; i < slots.count; i++) {
		if (values.leaf[i])
			ok = tsr_set_at(where, &slots.leaf[i], values.leaf[i]) && ok;
		else
			tsr_drop(&slots.leaf[i]);
	}
	return ok;
}

void tsr_drop_tree(tsr_tree slots)
{
	for (size_t i = 0; slots.leaf && i < slots.count; i++) tsr_drop(&slots.leaf[i]);
}
