/* save.c - saves trees as checkpoints: tsr_checkpoint_save(), tsr_checkpoint_wait().
 *
 * All that needs the context is done first: what is written, where it is in memory, and the headers
 * of files. The rest is writing, which a thread can do: it knows nothing but that memory, which it
 * holds, and the disk. Its failure is recorded when the save is ended, by the next call
 * that has to do with checkpoints, or by tsr_close().
 *
 *     process 0    names the draft     makes it, files, notes, index, rename
 *     others       hear of the name    files, a note             agree    hear how it went
 *                  |-- save ----------|-- thread, or save --------|-- end of the save -----|
 *
 * Agreeing and sharing are done by the context's own thread alone. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include "lib/checkpoint/checkpoint.h"

typedef struct saver {
	struct background background; /* first */
	base *base;
	arena *arena;
	const char *where, *dir;
	pieces pieces;
	saved_file *file; /* what was written: `nfiles` of them */
	size_t nfiles;
	char *room;
	draft draft;
	bool threaded;
	pthread_t thread;
	bool written; /* by this process: its files, and its note */
	bool done;    /* process 0: it is a checkpoint now */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool has_written; /* with the lock: `written` is known */
} saver;

/* ---- what any thread can do */

static bool write_files(saver *s)
{
	draft *d = &s->draft;

	if (!draft_make(d)) return false;
	for (size_t k = 0; k < s->nfiles; k++)
		if (!piece_file_write(&d->fault, d->folder, d->rank, &s->pieces.file[k], s->room,
		                      &s->file[k]))
			return false;
	return d->rank ? draft_tell(d, s->file, s->nfiles) : true;
}

static void write_own(saver *s)
{
	s->written = write_files(s);
	pieces_free(s->base, &s->pieces);
	pthread_mutex_lock(&s->lock);
	s->has_written = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

static void commit(saver *s)
{
	if (s->written && !s->draft.rank) s->done = draft_commit(&s->draft, s->file, s->nfiles);
}

static void *write_all(void *of)
{
	saver *s = of;

	write_own(s);
	commit(s);
	return NULL;
}

/* the signals of the process are its own threads' */
static bool start_thread(saver *s)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const bool ok = pthread_create(&s->thread, NULL, write_all, s) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/* ---- the end of a save */

/* the next call, or the save itself, says why it failed */
static void tell(const saver *s, const char *where, const char *op)
{
	const draft *d = &s->draft;
	const fault *f = &d->fault;
	base *b = s->base;

	if (f->error == EEXIST || f->error == ENOTEMPTY)
		fail(b, where, TSR_ERROR_ARGUMENT, "%s: %s: step %lld is there already", op, s->dir,
		     (long long)d->step);
	else if (!f->error)
		fail(b, where, TSR_ERROR_FILE,
		     "%s: %s: the checkpoint of step %lld could not be completed by another "
		     "process, which says why",
		     op, s->dir, (long long)d->step);
	else
		fail(b, where, TSR_ERROR_FILE, "%s: %s: %s: %s", op, s->dir, f->what,
		     strerror(f->error));
	if (s->where && (!where || strcmp(where, s->where) != 0))
		fail_note(b, "while the checkpoint of step %lld was saved (%s)", (long long)d->step,
		          base_name(s->where));
}

static void saver_free(saver *s)
{
	base *b = s->base;

	draft_close(&s->draft);
	str_free(&s->draft.head);
	pieces_free(b, &s->pieces);
	mem_free(b, s->room);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	arena_free(s->arena);
}

static bool end(tsr_ctx *ctx, const char *where, const char *op)
{
	saver *s = (saver *)(void *)ctx->background;

	ctx->background = NULL;
	pthread_mutex_lock(&s->lock);
	while (s->threaded && !s->has_written) pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
	const bool all = all_agree(ctx, s->written);
	atomic_store(&s->draft.waits, all ? WAIT_SHORT : WAIT_NO);
	if (s->threaded)
		pthread_join(s->thread, NULL);
	else if (all)
		commit(s);
	bool done = all && s->done;
	done = share_of(ctx, 0, &done, sizeof done) && done;
	if (!done) draft_drop(&s->draft);
	if (!done) tell(s, where, op);
	if (s->draft.left)
		log_text(s->base, 1, "tsr_checkpoint_save: older checkpoints could not be removed");
	saver_free(s);
	return done;
}

static bool end_last(tsr_ctx *ctx, const char *where, const char *op)
{
	return !ctx->background || ctx->background->end(ctx, where, op);
}

bool checkpoint_end_last(const call_site *site)
{
	return end_last(site->ctx, site->where, site->op);
}

bool tsr_checkpoint_wait_at(const char *where, tsr_ctx *ctx)
{
	TURN_OF(ctx, where, false);
	const call_site site = {ctx, where, "checkpoint_wait"};

	return ctx_ok(where, site.op, ctx) && together_begin(&site, -1) &&
	       together_end(&site, end_last(ctx, where, site.op));
}

/* ---- the beginning of a save */

static bool refuse_leaf(const call_site *site, const char *name, const char *why)
{
	return fail_op(site, TSR_ERROR_UNSUPPORTED, "the leaf \"%s\": %s", name, why);
}

static bool take_leaf(const call_site *site, tsr *handle, saved_leaf *leaf, array **x)
{
	call_site of = *site;
	const array *a = operands_check(&of, &handle, 1) ? handle_array(site->where, handle) : NULL;

	if (!a) return false;
	if (a->ctx != site->ctx)
		return fail_op(site, TSR_ERROR_HANDLE, "the leaves are of several contexts");
	if (!safetensors_dtype(a->type->dtype))
		return refuse_leaf(site, leaf->name, "the format has no c128");
	*leaf = (saved_leaf){leaf->name, a->type->dtype, a->type->ndim, a->type->dims, a->sharding};
	*x = (array *)(uintptr_t)a;
	return true;
}

static bool prepare(saver *s, const call_site *site, tsr_tree tree)
{
	base *b = s->base;
	const tsr_names none = {.name = NULL};
	leaf_names names;

	saved_leaf *leaf = arena_array(s->arena, tree.count + 1, sizeof *leaf);
	array **x = leaf ? arena_array(s->arena, tree.count + 1, sizeof *x) : NULL;
	if (!x || !leaf_names_read(site, s->arena, tree, &none, &none, &names)) return false;
	for (size_t k = 0; k < tree.count; k++) {
		leaf[k].name = names.name[k];
		if (tree.leaf[k] && !take_leaf(site, tree.leaf[k], &leaf[k], &x[k])) return false;
	}
	if (!pieces_find(site, s->arena, leaf, x, tree.count, &s->pieces)) return false;
	s->nfiles = s->pieces.nfiles;
	s->file = arena_array(s->arena, s->nfiles + 1, sizeof *s->file);
	s->room = mem_alloc(b, CHUNK);
	s->draft.head.base = b;
	index_begin(&s->draft.head, s->draft.step, leaf, tree.count);
	return s->file && s->room && !s->draft.head.lost;
}

/* is the tree that of process 0? tree: a hash of that; 0: process 0 has none. false: recorded */
static bool same_tree(const saver *s, const call_site *site, uint64_t tree)
{
	return !tree || tree == hash_bytes(s->draft.head.s, s->draft.head.len, 0) ||
	       fail(s->base, site->where, TSR_ERROR_ARGUMENT,
	            "%s: the tree differs from that of process 0 in its names, dtypes, dims or "
	            "shardings",
	            site->op);
}

/* all agree whether the save goes on, and get the name of the draft */
static bool begin_draft(saver *s, const call_site *site, bool prepared)
{
	draft *d = &s->draft;
	struct {
		char name[DRAFT_NAME];
		uint64_t tree;
	} first = {.tree = 0};

	if (!d->rank) draft_call(d);
	memcpy(first.name, d->name, sizeof first.name);
	if (prepared) first.tree = hash_bytes(d->head.s, d->head.len, 0);
	if (!share_of(site->ctx, 0, &first, sizeof first)) return false;
	memcpy(d->name, first.name, sizeof first.name);
	return all_agree(site->ctx,
	                 prepared && same_tree(s, site, first.tree) && draft_begin(d, s->dir));
}

static saver *saver_make(tsr_ctx *ctx, const char *where, const char *dir, int64_t step,
                         int64_t keep)
{
	base *b = &ctx->base;
	arena *a = arena_make(b);
	saver *s = a ? arena_alloc(a, sizeof *s) : NULL;

	if (!s || !(s->dir = arena_str(a, dir)) || (where && !(s->where = arena_str(a, where)))) {
		arena_free(a);
		return NULL;
	}
	s->background.end = end;
	s->base = b;
	s->arena = a;
	s->draft = (draft){.from = AT_FDCWD,
	                   .dir = -1,
	                   .folder = -1,
	                   .step = step,
	                   .keep = keep,
	                   .rank = ctx->process,
	                   .size = tsr_process_count(ctx)};
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	return s;
}

static bool save(const call_site *site, saver *s, tsr_tree tree, bool async)
{
	tsr_ctx *ctx = site->ctx;
	const size_t mark = error_mark(s->base);
	const bool prepared = prepare(s, site, tree);

	if (!begin_draft(s, site, prepared)) {
		if (!failed_since(s->base, mark)) tell(s, site->where, site->op);
		saver_free(s);
		return false;
	}
	ctx->background = &s->background;
	s->threaded = async && start_thread(s);
	if (s->threaded) return true;
	write_own(s);
	return async || end(ctx, site->where, site->op);
}

static const char *fault_of(const char *dir, int64_t step, const tsr_checkpoint_save_args *k)
{
	if (!dir || !*dir) return "the folder has no name";
	if (step < 0) return "a step is a number from 0";
	return k->keep < 0 ? ".keep is how many checkpoints stay, from 1" : NULL;
}

bool tsr_checkpoint_save_at(const char *where, const char *dir, int64_t step, tsr_tree tree,
                            const tsr_checkpoint_save_args *given)
{
	tsr_ctx *ctx = ctx_or_here(tree_ctx(tree));
	TURN_OF(ctx, where, false);
	const call_site site = {ctx, where, "checkpoint_save"};
	base *b = &ctx->base;

	if (!ctx_ok(where, site.op, ctx)) return false;
	const tsr_checkpoint_save_args *k = KEYWORDS(tsr_checkpoint_save_args, where, ctx, given);
	if (!k || !together_begin(&site, step)) return false;
	const bool ended = end_last(ctx, where, site.op);
	const char *fault = ended ? fault_of(dir, step, k) : NULL;
	if (fault) fail(b, where, TSR_ERROR_ARGUMENT, "%s: %s", site.op, fault);
	if (!ended || fault) return together_end(&site, false);
	saver *s = saver_make(ctx, where, dir, step, k->keep);
	return together_end(&site, s ? save(&site, s, tree, k->async) : all_agree(ctx, false));
}
