/* workers.c - shares work among threads: one pool of helpers, made at first need and kept.
 *
 * A caller publishes a phase on a board of its own and begins to do its pieces; helpers claim some
 * of them. A phase ends when its pieces are done, so nobody waits for a helper who has not come:
 * one whose core is busy with something else costs nothing but his help.
 *
 *     7 pieces, a caller and two helpers: each part of the pieces has a word {next, end}
 *
 *         part 0  {1, 3}  the caller's      does 0, which nobody else may; claims 1: {2, 3}
 *         part 1  {3, 5}  helper 1's        claims 3, then 4: {5, 5}, and has no more of his own:
 *         part 2  {5, 7}  helper 2's          takes the last one of part 2: {5, 6}
 *
 *     Helper 2 sleeps all the while. Caller or helper 1 take 2 and 5, and the phase is over.
 *
 * A part is the same fraction of every phase, so that what a worker finds in its cache is what it
 * wrote there in the phase before; others take from its end.
 *
 * What has to move from core to core costs more than all else here: some 70 ns a cache line. So a
 * part is one line, with all that a worker must know to do pieces of it. For a phase of two workers
 * who find their own pieces, the line of part 1 moves twice: to the helper, who sees that there is
 * something new, claims, works and counts, and back to the caller, who sees that nothing is left.
 *
 * What orders memory (docs/design/0017):
 *
 *   - The description of a phase is written before the word of its part (release). It is read only
 *     by a thread that has claimed a piece of that part (acquire), and stays until that piece is
 *     done: a claimed piece is always one of the phase that is there now, however old the word was
 *     that the claim began with. So words need no number of the phase.
 *   - `left` counts the pieces of a part that are not done. The thread that has done one takes
 *     it off (release); the caller goes on when it reads 0 in all parts (acquire).
 *   - Parts are written in their order. A phase that a helper has looked through, and whose number
 *     is in the last part too, has nothing more for it.
 *   - A thread that wants to sleep counts itself, and looks once more; one that has written
 *     something for sleepers reads that count, by an operation that writes as well: whichever comes
 *     second sees what the other one wrote before.
 *
 * A helper that was stopped in the middle of a piece must be waited for. So pieces are short, and
 * who has taken ten times the estimate of the longest stays away for a while, longer each time that
 * it happens. (Pieces are whole items, so they differ: with their mean for an estimate, whoever got
 * a product among copies was taken for late.)
 *
 * A signal handler may leave a phase by siglongjmp. `board_leave` takes back what nobody has
 * claimed, and waits for helpers that are at the board. After fork() the child has no helpers; a
 * handler empties its pool, which fills again. */
#include "base/base.h"
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif
#ifdef WORKERS_NAP /* tests put workers to sleep where anything may happen */
void WORKERS_NAP(void);
#else
#define WORKERS_NAP() ((void)0)
#endif

/* ---- waiting */

/* times: how often the thread has looked in vain */
static void pause_briefly(int times)
{
	if (times >= TUNE_SPINS_POLITE) {
		sched_yield();
		return;
	}
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("isb");
#endif
}

/* while the word is as it was; may return early */
static void sleep_while(_Atomic uint32_t *word, uint32_t old)
{
#ifdef __linux__
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
#else
	if (atomic_load(word) == old) sched_yield();
#endif
}

static void wake(_Atomic uint32_t *word, int sleepers)
{
#ifdef __linux__
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, sleepers, NULL, NULL, 0);
#else
	(void)word, (void)sleepers;
#endif
}

/* ---- boards */

enum { BOARDS = 64, PARTS = 64 };

typedef struct claimed_pieces { /* of the pieces of a phase */
	/* next .. end - 1 are not claimed: next in the upper half */
	_Alignas(64) _Atomic uint64_t word;
	_Atomic uint32_t left;   /* of its pieces: not done */
	_Atomic uint32_t posted; /* the number of the phase */
	phase phase;
} claimed_pieces;
static_assert(sizeof(claimed_pieces) == 64, "a part is a cache line");

struct board {
	_Atomic int parts;
	_Atomic bool sleeper; /* the caller waits for the last pieces */
	/* the caller's */
	_Alignas(64) const void *thread;
	int spins;       /* before it sleeps */
	uint32_t posted; /* phases, ever */
	double unhelped; /* nanoseconds that were published since sleepers were woken */
	claimed_pieces part[PARTS];
};

typedef struct helper {
	_Alignas(64) _Atomic(board *) at; /* it may be doing a piece of this one */
	uint32_t seen[BOARDS];            /* by board: the phase that was looked through last; it
	                                     is not looked through again */
	int64_t away;                     /* nanoseconds to stay away, the next time it is late */
} helper;

static struct {
	_Alignas(64) _Atomic uint64_t taken; /* boards, as bits */
	_Alignas(64) _Atomic uint32_t bell;  /* wakes those who sleep */
	_Atomic int sleepers;
	_Alignas(64) _Atomic bool growing;
	_Atomic int helpers; /* threads that there are */
	_Atomic int cores;   /* that this process may use */
	bool prepared;
	board board[BOARDS];
	helper helper[WORKERS_MOST];
} pool;

static uint64_t word_of(int64_t next, int64_t end) { return (uint64_t)next << 32 | (uint64_t)end; }

/* a piece of a part: its next one for the worker whose part it is, its last one for others */
static bool claim(claimed_pieces *p, bool own, int32_t *piece)
{
	uint64_t word = atomic_load_explicit(&p->word, memory_order_relaxed);

	for (;;) {
		const uint32_t next = (uint32_t)(word >> 32), end = (uint32_t)word;
		if (next >= end) return false;
		WORKERS_NAP();
		*piece = (int32_t)(own ? next : end - 1);
		if (atomic_compare_exchange_weak_explicit(
			    &p->word, &word, own ? word_of(next + 1, end) : word_of(next, end - 1),
			    memory_order_acq_rel, memory_order_relaxed))
			return true;
	}
}

/* the part of a worker; a board that is being taken for the first time has none */
static int own_part(const board *b, int worker)
{
	const int n = atomic_load_explicit(&b->parts, memory_order_relaxed);

	return n ? worker % n : 0;
}

/* of the worker's own part, and then of the others; *at: the part where the last one was found */
static bool claim_any(board *b, int worker, int *at, int32_t *piece)
{
	const int n = atomic_load_explicit(&b->parts, memory_order_relaxed);
	const int own = own_part(b, worker);

	for (int i = 0; i < n; i++) {
		const int p = (*at + i) % n;
		if (!claim(&b->part[p], p == own, piece)) continue;
		*at = p;
		return true;
	}
	return false;
}

/* was it the last one of the part? */
static bool piece_done(claimed_pieces *p)
{
	WORKERS_NAP();
	return atomic_fetch_sub(&p->left, 1) == 1;
}

/* ---- helpers */

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static bool is_late(int64_t took, double estimate)
{
	return took >= TUNE_LATE && (double)took >= TUNE_LATE_TIMES * estimate;
}

int64_t workers_away(int64_t away, int64_t worked, int64_t took, double estimate)
{
	if (!is_late(took, estimate)) return away > worked ? away - worked : 0;
	if (away < took) return took;
	return 2 * away < TUNE_AWAY_TIMES * took ? 2 * away : TUNE_AWAY_TIMES * took;
}

static void judge(helper *h, int64_t worked, int64_t took, double estimate)
{
	h->away = workers_away(h->away, worked, took, estimate);
	if (is_late(took, estimate))
		nanosleep(&(struct timespec){h->away / 1000000000, h->away % 1000000000}, NULL);
}

/* What there is to do on a board; *all: until all was claimed. The judgement may send the helper
 * away, when it is at none */
static bool help(helper *h, board *b, int worker, bool *all)
{
	int at = own_part(b, worker);
	bool any = false;
	int32_t piece;
	int64_t began = 0, worked = 0, longest = 0;
	double estimate = 0;

	atomic_store_explicit(&h->at, b, memory_order_relaxed);
	while (!(*all = !claim_any(b, worker, &at, &piece))) {
		claimed_pieces *p = &b->part[at];
		const int64_t start = began ? began : now();
		estimate = p->phase.longest;
		WORKERS_NAP();
		p->phase.work(p->phase.user, p->phase.of, piece);
		if (piece_done(p) && atomic_load(&b->sleeper)) wake(&p->left, 1);
		began = now();
		if (began - start > longest) longest = began - start;
		worked += began - start;
		any = true;
		if (longest >= TUNE_LATE) break;
	}
	atomic_store_explicit(&h->at, NULL, memory_order_release);
	if (any) judge(h, worked, longest, estimate);
	return any;
}

/* has it a phase that the helper did not look through? */
static bool is_new(const helper *h, int worker, int i, uint32_t *posted)
{
	board *b = &pool.board[i];

	*posted = atomic_load_explicit(&b->part[own_part(b, worker)].posted, memory_order_acquire);
	return *posted != h->seen[i];
}

/* is all of that phase there to be looked through? */
static bool is_whole(const board *b, uint32_t posted)
{
	const int n = atomic_load_explicit(&b->parts, memory_order_relaxed);

	return atomic_load_explicit(&b->part[n - 1].posted, memory_order_acquire) == posted;
}

static bool help_all(helper *h, int worker)
{
	bool any = false, all;
	uint32_t posted;

	for (uint64_t open = atomic_load(&pool.taken); open; open &= open - 1) {
		const int i = __builtin_ctzll(open);
		if (!is_new(h, worker, i, &posted)) continue;
		const bool whole = is_whole(&pool.board[i], posted);
		any = help(h, &pool.board[i], worker, &all) || any;
		if (all && whole) h->seen[i] = posted;
	}
	return any;
}

static bool any_new(const helper *h, int worker)
{
	uint32_t posted;

	for (uint64_t open = atomic_load(&pool.taken); open; open &= open - 1)
		if (is_new(h, worker, __builtin_ctzll(open), &posted)) return true;
	return false;
}

static void wait_for_bell(const helper *h, int worker)
{
	const uint32_t bell = atomic_load(&pool.bell);

	atomic_fetch_add(&pool.sleepers, 1);
	WORKERS_NAP();
	if (!any_new(h, worker)) sleep_while(&pool.bell, bell);
	atomic_fetch_sub(&pool.sleepers, 1);
}

static void *helper_main(void *argument)
{
	helper *h = argument;
	const int worker = (int)(h - pool.helper) + 1;

	float_default();
	for (int idle = 0;; idle++) {
		if (help_all(h, worker)) idle = 0;
		pause_briefly(idle);
		if (idle < TUNE_SPINS && worker < pool.cores) continue;
		wait_for_bell(h, worker);
		idle = 0;
	}
	return NULL;
}

/* ---- the pool */

static int usable_cores(void)
{
#ifdef __linux__
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

uint64_t cores_hash(void)
{
#ifdef __linux__
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0) return hash_bytes(&set, sizeof set, 0);
#endif
	return 0;
}

static void board_empty(board *b)
{
	for (int i = 0; i < PARTS; i++) atomic_exchange(&b->part[i].word, 0);
}

/* in the child of a fork: the helpers have stayed behind, and so have other threads with what they
 * had published */
static void pool_empty(void)
{
	for (int i = 0; i < atomic_load(&pool.helpers); i++) pool.helper[i] = (helper){.at = NULL};
	atomic_store(&pool.helpers, 0);
	atomic_store(&pool.sleepers, 0);
	atomic_store(&pool.growing, false);
	for (int i = 0; i < BOARDS; i++) {
		board *b = &pool.board[i];
		if (b->thread == thread_here()) continue;
		board_empty(b);
		atomic_fetch_and(&pool.taken, ~(UINT64_C(1) << i));
	}
}

/* Once: what is true for all threads. The code of threads that nobody ends must not be unloaded. */
static bool pool_prepare(void)
{
	Dl_info info;

	if (pool.prepared) return true;
	if (pthread_atfork(NULL, NULL, pool_empty) != 0) return false;
	if (dladdr(&pool, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	return pool.prepared = true;
}

static void make_helpers(int n)
{
	sigset_t all, before;
	pthread_attr_t detached;
	pthread_t thread;
	int have = atomic_load(&pool.helpers);

	if (!pool_prepare() || pthread_attr_init(&detached) != 0) return;
	atomic_store(&pool.cores, usable_cores());
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (have < n && pthread_create(&thread, &detached, helper_main, &pool.helper[have]) == 0)
		have++;
	atomic_store(&pool.helpers, have);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
}

/* As many as can be had: a thread less is no error. Who finds another one making them goes on with
 * those that there are. */
static int pool_grow(int n)
{
	if (n > WORKERS_MOST) n = WORKERS_MOST;
	if (atomic_load_explicit(&pool.helpers, memory_order_relaxed) < n &&
	    !atomic_exchange(&pool.growing, true)) {
		make_helpers(n);
		atomic_store(&pool.growing, false);
	}
	const int have = atomic_load_explicit(&pool.helpers, memory_order_relaxed);
	return have < n ? have : n;
}

/* ---- callers */

board *board_take(int n)
{
	uint64_t taken = atomic_load(&pool.taken);

	if (n <= 1 || !(n = pool_grow(n - 1))) return NULL;
	for (;;) {
		if (taken == UINT64_MAX) return NULL;
		const int i = __builtin_ctzll(~taken);
		if (!atomic_compare_exchange_weak(&pool.taken, &taken, taken | UINT64_C(1) << i))
			continue;
		board *b = &pool.board[i];
		b->thread = thread_here();
		b->spins = n < pool.cores ? TUNE_SPINS : 0;
		b->unhelped = 0;
		atomic_store_explicit(&b->parts, n < PARTS ? n + 1 : PARTS, memory_order_relaxed);
		return b;
	}
}

void board_give(board *b)
{
	if (!b) return;
	b->thread = NULL;
	atomic_fetch_and(&pool.taken, ~(UINT64_C(1) << (b - pool.board)));
}

/* of n parts, the first of which has a piece if there is one */
static int64_t part_begin(const phase *p, int i, int n)
{
	return ((int64_t)p->pieces * i + n - 1) / n;
}

/* The first piece is the caller's, who need not claim it: a claim waits until all that was written
 * before has gone to the other cores */
static void publish(board *b, const phase *p)
{
	const int n = atomic_load_explicit(&b->parts, memory_order_relaxed);

	b->posted++;
	for (int i = 0; i < n; i++) {
		const int64_t begin = part_begin(p, i, n), end = part_begin(p, i + 1, n);
		claimed_pieces *to = &b->part[i];
		to->phase = *p;
		atomic_store_explicit(&to->left, (uint32_t)(end - begin), memory_order_relaxed);
		atomic_store_explicit(&to->word, word_of(begin + !i, end), memory_order_release);
		atomic_store_explicit(&to->posted, b->posted, memory_order_release);
	}
}

/* those who sleep, if it pays */
static void call_helpers(board *b, const phase *p)
{
	b->unhelped += p->cost;
	if ((p->cost < TUNE_WAKE_PHASE && b->unhelped < TUNE_WAKE_SUM) ||
	    !atomic_fetch_add(&pool.sleepers, 0))
		return;
	b->unhelped = 0;
	atomic_fetch_add(&pool.bell, 1);
	wake(&pool.bell, p->pieces - 1);
}

/* for pieces of a part that others have claimed */
static void wait_for(board *b, claimed_pieces *p, int *spun)
{
	uint32_t left;

	for (; *spun < b->spins; (*spun)++) {
		if (!atomic_load_explicit(&p->left, memory_order_acquire)) return;
		pause_briefly(*spun);
	}
	if (!atomic_load(&p->left)) return;
	atomic_store(&b->sleeper, true);
	while ((left = atomic_load(&p->left))) sleep_while(&p->left, left);
	atomic_store(&b->sleeper, false);
}

void board_do(board *b, const phase *p)
{
	int at = 0, spun = 0;
	int32_t piece = 0;

	if (!b || p->pieces < 2) {
		for (int32_t i = 0; i < p->pieces; i++) p->work(p->user, p->of, i);
		return;
	}
	publish(b, p);
	call_helpers(b, p);
	do {
		p->work(p->user, p->of, piece);
		piece_done(&b->part[at]);
	} while (claim_any(b, 0, &at, &piece));
	const int n = atomic_load_explicit(&b->parts, memory_order_relaxed);
	for (int i = 0; i < n; i++) wait_for(b, &b->part[i], &spun);
}

/* A helper says where it is before it claims. So who has claimed a piece before the parts were
 * emptied is seen, and who comes later finds none. */
void board_leave(board *b)
{
	if (!b) return;
	board_empty(b);
	for (int i = 0; i < atomic_load(&pool.helpers); i++)
		while (atomic_load(&pool.helper[i].at) == b) sched_yield();
	atomic_store(&b->sleeper, false);
	board_give(b);
}
