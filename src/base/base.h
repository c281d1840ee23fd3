/* base.h - declares services that all folders use and that know no arrays: memory, errors, scopes,
 * strings, tables, dims, dtypes, number text, floating-point state, guards of frames, threads,
 * instruction sets.
 *
 * Words: a `base` is the part of a context that the folders below see: where memory comes from and
 * where errors go. The `hook` is the user's allocator, an `arena` memory that is freed all at once.
 * `where` is "file:line" of the user's call. A `handle` is what the user holds of a value, a `slot`
 * the record behind it, and a `scope` owns slots. An `etype` is a dtype and whether it is weak. A
 * `str` is a string that grows. A `board` is where a caller publishes a `phase`, of which `helpers`
 * claim `pieces`; a `worker` is the caller or a helper. */
#ifndef TSR_SRC_BASE_H
#define TSR_SRC_BASE_H
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "tsr/base.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof *(a))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* ---- spares.c: freed blocks by size, for memory.c */
typedef struct block_head {
	size_t size, offset; /* usable bytes; where these begin in the hook's memory */
	struct block_head *next;
} block_head;
typedef struct spares {
	block_head *list[104];
	_Atomic(block_head *) returned;
} spares;
size_t spare_size(size_t); /* a request's size, rounded up to one that blocks are kept in */
void spare_return(spares *, block_head *); /* from any thread; all else from one at a time */
block_head *spares_returned(spares *);     /* the list of returned blocks, emptied */
void spare_keep(spares *, block_head *);
block_head *spare_take(spares *, size_t size); /* at least this large; NULL: there is none */
block_head *spare_take_any(spares *);          /* NULL: none is left */

/* ---- memory.c: every byte of a context comes through here. The hook gets (user, old, size): old
 * NULL allocates, size 0 frees. Blocks are 64-byte aligned. NULL on failure: an error is recorded
 * unless the caller uses the _quiet form. What is freed is kept for the next request of its
 * size. */
typedef struct mem {
	void *(*hook)(void *user, void *old, size_t size);
	void *user;
	size_t in_use;   /* bytes of the hook's memory in blocks that are used, or just returned */
	size_t held;     /* in_use and the bytes of blocks that are kept */
	size_t peak;     /* the largest in_use so far */
	size_t limit;    /* of held; 0: none */
	size_t refusals; /* how often there was no memory */
	int64_t fail_at; /* counts down; the request that reaches 0 and all later ones fail;
	                    < 0: none fails */
	bool keeps;      /* freed blocks are kept; false: they go back to the hook at once */
	/* Frees something that can be made again, when there is no memory for a request; false:
	 * there is no such thing. NULL: likewise. It may be called wherever memory is asked for */
	bool (*reclaim)(void *of);
	void *reclaims;
	spares spares;
} mem;

/* ---- turn.c: two threads must not be inside of one context together. TURN(b, where) declares a
 * turn that ends with its block; `turn_` is false where another thread is inside of one, and then
 * the block must change nothing. `where` is the place of the user's call, or NULL. Turns nest.
 * Functions below that change the context ask OWN_TURN(b), since refused calls may reach them */
typedef struct turn_mark {
	const void *thread;       /* whose */
	_Atomic(const char *) at; /* the place of the call that it is inside of; NULL: of none */
	const void *frame;        /* of that call */
} turn_mark;
typedef struct turn_record {
	_Atomic(const void *) owner; /* the thread that had the last turn */
	int mark;                    /* its mark, in `of` */
	atomic_int claim;            /* another thread asks, or a clash is to be told */
	turn_mark of[4];
} turn_record;
enum { TURN_CLAIMED = 1, TURN_CLASHED = 2 };

typedef struct errors errors;
typedef struct profile profile;
typedef struct base {
	mem mem;
	errors *errors;
	turn_record turns;
	bool x64; /* dtypes that nobody names have 64 bits: tsr_open(.dtype = TSR_F64) */
	profile *profile; /* being written; NULL: none is */
} base;
/* Names this thread while it lives. In static TLS, where its address is one addition: every call of
 * the library asks for it */
extern _Thread_local __attribute__((tls_model("initial-exec"))) char thread_mark;
static inline const void *thread_here(void) { return &thread_mark; }

/* The public function that is at work on this thread for the call at this place. It may be written
 * with others, which its user did not ask for: messages name it, whichever context they belong to
 */
typedef struct asked_call {
	const char *where, *name;
} asked_call;
extern _Thread_local __attribute__((tls_model("initial-exec"))) asked_call asked_here;
/* the name that messages give to what is done for the call at `where`, and calls itself `own`.
 * Where longjmp has left that call, its place is nobody else's */
static inline const char *name_asked(const char *where, const char *own)
{
	return where && asked_here.where == where ? asked_here.name : own;
}
/* begins what is done for the call at `where`; gives what asked_here is again behind it */
static inline asked_call asked_begin(const char *where, const char *own)
{
	const asked_call outer = asked_here;

	asked_here = (asked_call){where, name_asked(where, own)};
	return outer;
}

/* the turn of a thread that did not have the last one, or that another has asked; NULL: another is
 * inside of one */
turn_mark *turn_take(base *, const char *where, const void *frame);
/* Can the thread go on? Its mark goes to *own if the turn is not within another. A mark that is not
 * from further out than this frame was left by longjmp */
static inline bool turn_begin(base *b, const char *where, const void *frame, turn_mark **own)
{
	turn_record *t = &b->turns;
	turn_mark *m = &t->of[t->mark]; /* a record may be copied: no pointer */
	const void *here = thread_here();

	if (__builtin_expect(atomic_load_explicit(&t->owner, memory_order_relaxed) == here, 1)) {
		if (atomic_load_explicit(&m->at, memory_order_relaxed) &&
		    (uintptr_t)frame < (uintptr_t)m->frame)
			return true;
		m->frame = frame;
		atomic_store_explicit(&m->at, where ? where : "", memory_order_relaxed);
		atomic_signal_fence(memory_order_seq_cst);
		*own = m;
		if (__builtin_expect(
			    !atomic_load_explicit(&t->claim, memory_order_relaxed) &&
				    atomic_load_explicit(&t->owner, memory_order_relaxed) == here,
			    1))
			return true;
		atomic_store_explicit(&m->at, NULL, memory_order_relaxed);
	}
	return (*own = turn_take(b, where, frame));
}
/* the place of the call that this thread is inside of, or "" */
static inline const char *turn_place(base *b)
{
	const char *at = atomic_load_explicit(&b->turns.of[b->turns.mark].at, memory_order_relaxed);

	return at ? at : "";
}
static inline void turn_end(turn_mark *const *own)
{
	if (*own) atomic_store_explicit(&(*own)->at, NULL, memory_order_release);
}
#define TURN(b, where) \
	__attribute__((cleanup(turn_end))) turn_mark *own_turn_ = NULL; \
	const bool turn_ = turn_begin(b, where, __builtin_frame_address(0), &own_turn_)
bool turn_own(base *); /* takes the context over, unless another thread is inside of a turn; and
			  records a clash that is to be told */
#define OWN_TURN(b) \
	(__builtin_expect(atomic_load_explicit(&(b)->turns.owner, memory_order_relaxed) == \
				  thread_here(), \
			  1) || \
	 turn_own(b))

/* ---- memory.c: what the whole library asks of it */
bool base_init(base *, void *(*hook)(void *, void *, size_t), void *user,
               size_t limit); /* hook NULL: malloc's family */
void base_fini(base *);
size_t mem_refusals(const base *); /* how often there was no memory */
size_t mem_in_use(base *); /* without returned blocks */
size_t mem_held(base *);   /* what the hook has given and not got back: in use, or kept */
void *mem_alloc(base *, size_t size); /* not cleared */
void *mem_alloc_quiet(base *, size_t size);
void *mem_zalloc(base *, size_t size);
void *mem_array(base *, size_t n, size_t size); /* cleared; n * size checked for overflow */
void *mem_grow(base *, void *old, size_t size); /* realloc; old stays valid on failure */
void mem_free(base *, void *);                  /* NULL is fine; legal from any thread */
size_t mem_bytes(const void *); /* what a block counts in in_use; NULL: 0 */
/* room for one more in a growing array of `size`-byte items: may move *items */
bool mem_room(base *, void **items, size_t count, size_t *cap, size_t size);

/* ---- arena.c: memory that is freed all at once. arena_alloc is cleared and 16-byte aligned; NULL
 * (error recorded) on failure. */
typedef struct arena arena;
arena *arena_make(base *);
/* An arena that begins in the caller's memory, which is 16-byte aligned and has at least 256 bytes.
 * It asks for more only when that is full, and must be freed while that memory is still there. */
arena *arena_in(base *, void *room, size_t size);
void arena_free(arena *); /* NULL is fine; runs the deferred calls, last first */
void *arena_alloc(arena *, size_t size);
void *arena_array(arena *, size_t n, size_t size);
void *arena_copy(arena *, const void *, size_t size); /* size 0 gives a non-NULL pointer */
char *arena_str(arena *, const char *);
bool arena_defer(arena *, void (*call)(void *), void *argument);
base *arena_base(const arena *);
size_t arena_bytes(const arena *); /* what it counts in in_use; NULL: 0 */

/* ---- error.c: the first error of a context. fail() always returns false; only the first failure
 * is kept. `where` is "file:line" of the user's call, or NULL (then the text is without it).
 * Recording never allocates; long texts are cut. */
errors *errors_make(base *); /* base_init's; NULL when there is no memory */
bool fail(base *, const char *where, tsr_code, const char *format, ...) PRINTF_LIKE(4, 5);
bool vfail(base *, const char *where, tsr_code, const char *format, va_list);
bool failed(const base *);
void fail_note(base *, const char *format, ...)
	PRINTF_LIKE(2, 3);       /* "while tracing matmul"; dropped if there is no error */
size_t error_mark(const base *); /* for failed_since: is there an error that was recorded since? */
bool failed_since(const base *, size_t mark);
/* the place of the recorded error; NULL: it has none. Valid until there is another error */
const char *error_place(const base *);
/* gives it, and notes like "while running psum (f.c:3)", another place, where there is one: not
 * NULL */
void error_move(base *, const char *(*place)(void *of, const char *was), void *of);
/* the text begins with the prefix, behind the place, if it did not before */
void error_prefix(base *, const char *prefix);
/* the error that was recorded since goes, as if it had not been */
void error_take_back(base *, size_t mark);
/* Poison was used, by `what` ("add: operand 1"). If an error is recorded, the poison can come from
 * it, and no other is recorded; otherwise this is an error, which quotes the one that was cleared.
 * Always false. */
bool fail_poison(base *, const char *where, const char *what);
int error_code(const base *);
int error_cleared(const base *);      /* code of the error that was cleared last; 0: none was */
const char *error_text(const base *); /* "file:line: text\n  note\n..."; "" when there is none */
void error_clear(base *);
void errors_log_to(base *, void (*log)(void *user, int level, const char *text),
                   void *user); /* NULL: the process's */
void errors_log_rank(base *, int rank); /* what is logged begins with "[rank] " from now on */
void error_log_once(base *);    /* hands the text to the log, once an error */
void log_text(base *, int level, const char *text);
void log_message(void (*log)(void *user, int level, const char *text), void *user, int level,
                 const char *text); /* log NULL: the process's */
/* The errors of what belongs to no context: static, with the last error instead of the first, each
 * of which is logged at once. A thread sees its own last error, or else that of any thread. */
extern errors errors_process;
void error_keep_last(tsr_code, const char *text); /* in errors_process; it has been logged */
/* sets where messages go that belong to no context or to one without a log; NULL: to stderr */
void process_log_to(void (*log)(void *user, int level, const char *text), void *user);

char *error_clash(errors *); /* room for the text of a clash: CLASH_MOST bytes */
enum { CLASH_MOST = 1024 };

/* ---- dtype.c */
enum dtype_kind { KIND_BOOL, KIND_INT, KIND_UINT, KIND_FLOAT, KIND_COMPLEX };
bool dtype_ok(tsr_dtype);
enum dtype_kind dtype_kind(tsr_dtype);
int dtype_bits(tsr_dtype);
tsr_dtype dtype_parse(const char *name, size_t len); /* TSR_DTYPE_DEFAULT when unknown */
tsr_dtype dtype_real(tsr_dtype);                     /* c64 -> f32, c128 -> f64, others unchanged */
tsr_dtype dtype_wide(tsr_dtype);                     /* f16 and bf16 -> f32, others unchanged */
/* integers of 64 bits -> f64, others and bool -> f32, floats unchanged */
tsr_dtype dtype_inexact(tsr_dtype);
/* of a kind, where nobody names one: 32 bits, or in a context with `x64` 64; bool */
tsr_dtype dtype_usual(const base *, enum dtype_kind);
/* of numbers up to `most`: i32, or i64 where that is too small */
tsr_dtype dtype_holding(int64_t most);
/* the same of counts and indices that a user gets, which are never narrower than is usual */
tsr_dtype dtype_counting(const base *, int64_t most);
/* The type of a value's elements. A value computed from C numbers alone is weak: it takes the dtype
 * of the first strong value that it is combined with, if that dtype can represent its kind. A bool
 * is never weak. */
typedef struct etype {
	tsr_dtype dtype;
	bool weak;
} etype;
/* the elements of an operation's result: bf16 and f32* give bf16, i8 and f32* give f32*, i32* and
 * f32* give f32* */
etype etype_join(etype, etype);
/* a C number: i32*, f32* or c64*, or what is usual; an integer beyond that is i64* or u64* */
etype etype_of_number(const base *, const tsr_arg *);
etype etype_wide(etype);    /* as exact as its kind can be: f32* -> f64*, c64* -> c128* */
etype etype_inexact(etype); /* as dtype_inexact */
/* of default width: f64* -> f32*, c128* -> c64*; where that is 64 bits it stays */
etype etype_default(const base *, etype);
/* Can a number that has these weak elements because of its size fit the dtype? One that is i64* is
 * beyond i32, but may fit u32. Of the usual integers nothing is known: true. */
bool etype_fits(const base *, etype, tsr_dtype);
/* Does the number fit the dtype? A negative integer fits an unsigned dtype if it fits the signed
 * one of as many bits: it wraps. */
bool number_fits(tsr_dtype, const tsr_arg *);
float f16_to_f32(uint16_t);
uint16_t f32_to_f16(float); /* nearest, ties to even; NaN stays NaN */
float bf16_to_f32(uint16_t);
uint16_t f32_to_bf16(float);
uint16_t f64_to_f16(double); /* rounded once */
uint16_t f64_to_bf16(double);
/* n elements, contiguous on both sides; NumPy's and JAX's casts: float to int truncates, saturates
 * and maps NaN to 0; to bool is != 0; int to int wraps; complex to real drops the imaginary part */
void dtype_convert(tsr_dtype to, void *out, tsr_dtype from, const void *in, int64_t n);
/* one element as numbers: for printing and tests */
double dtype_get(tsr_dtype, const void *data, int64_t index); /* real part; i64 and u64 may round */
void dtype_get_complex(tsr_dtype, const void *data, int64_t index, double out[2]);
/* a C number as one element, with as few roundings as possible */
void dtype_from_arg(tsr_dtype, const tsr_arg *, void *out);

/* ---- float_state.c: FLOAT_DEFAULT; goes at the top of a block. Results that are computed in the
 * block do not depend on the caller's rounding mode, traps and flushing of denormals. They are
 * restored, with the exception flags, when the block is left. Takes about 10 ns. */
typedef struct float_state {
	uint64_t control;
	unsigned rounding;
} float_state;
float_state float_default(void); /* what was before */
void float_restore(const float_state *);
#define FLOAT_DEFAULT \
	__attribute__((cleanup(float_restore), unused)) const float_state float_before_ = \
		float_default()

/* ---- guard.c: was a C frame left by longjmp, behind the back of its function? */
typedef struct guard {
	const void *thread;
	volatile uintptr_t *at; /* a variable on the frame */
	const void *room;       /* the low end of the room below the frame */
	uintptr_t number;       /* *at holds it as long as the frame exists */
} guard;
enum { GUARD_ROOM = 8192 };
/* on_frame: a variable of the calling function for this alone; room: memory from its alloca */
void guard_set(guard *, volatile uintptr_t *on_frame, const void *room);
bool guard_left(const guard *);

/* ---- workers.c: the threads of the process */
enum { WORKERS_MOST = 1024 };
/* Work in pieces that may be done in any order, side by side. */
typedef struct phase {
	void (*work)(const void *user, const void *of, int32_t piece);
	const void *user, *of;
	int32_t pieces;
	double cost;    /* nanoseconds of all pieces together, estimated */
	double longest; /* of the longest piece */
} phase;
/* Where a caller publishes phases, one after the other, and helpers claim pieces of them. */
typedef struct board board;
/* One for a run with up to n workers, the caller and n - 1 helpers; there may be fewer. Helpers are
 * made at first need and kept; they block all signals and have the default floating-point state.
 * NULL, and the caller works alone: n is 1, no thread can be had, or too many callers work */
board *board_take(int n);
void board_give(board *); /* NULL is fine */
/* Does all pieces, with the help of whoever comes, and returns when they are done: the caller sees
 * then what they wrote. NULL: alone */
void board_do(board *, const phase *);
/* board_do has been left by siglongjmp, and goes on without its caller: nobody works at it any more
 * when this returns. So the data that `user` leads to must not be on the caller's stack if that can
 * happen. The board is given back. From any thread; NULL is fine */
void board_leave(board *);
/* How long a helper that was late stays away, in ns: after it was away for so long the last time,
 * and has worked so long since, the longest piece of which took so long. The more often it is late
 * the longer: 2 ms after 2 ms, then 4, 8 and so on, up to 32. So little is lost where a core is
 * taken all the time, and one that is free again is soon used. Each ms of good work makes it 1 ms
 * less */
int64_t workers_away(int64_t away, int64_t worked, int64_t took, double estimate);
uint64_t cores_hash(void); /* of the set of cores that this process may use */

/* ---- tuning.def */
enum tuned {
#define TUNING(name, value, ...) TUNE_##name = (value),
#include "base/tuning.def"
};

/* ---- environment.c: the value of an environment variable, which belongs to the process. NULL: not
 * set, or the program has rights that its caller lacks. The one way to read a variable: a list of
 * all is in docs/errors-and-memory.md, "Threads" */
const char *environment(const char *name);

/* ---- processor.c: the sets of instructions that machine code can be made for, each with those
 * below it. A set is known by the bytes of its vectors: 16 (fma), 32 (avx2), 64 (avx512, with
 * VDPBF16PS or without) */
int instructions_named(const char *name); /* 0: no set has this name */
bool instructions_have(const char *name); /* is it a set, and has the processor it? */
int instructions_here(void);              /* the processor's; 0: none of them */
/* that, or a lower one: what TSR_CPU named at the first call, or what was chosen since */
int instructions_chosen(void);
void instructions_lower(int bytes);
/* Is VDPBF16PS what multiplies pairs of bf16? It has the bits of other instructions, and is worth
 * it where the processor is faster by it */
bool instructions_take_pairs(void);
const char *instructions_name(int bytes);

/* ---- what every engine must agree on (docs/numerics.md, "Sums", "Dot products"): the number of
 * elements in a block of a sum or of a product, and of lanes in a block of a sum */
enum { SUM_BLOCK = 256, SUM_LANES = 16 };

/* ---- shape.c: dims are int64, each >= 0; a size or a stride that overflows is an error, never a
 * wrap */
enum { MAX_NDIM = 255 }; /* the most dims of an array (TSR_MAX_NDIM: that a macro takes) */
bool dims_size(const int64_t *dims, int ndim,
               int64_t *size); /* product; false on overflow or a negative dim */
bool dims_bytes(tsr_dtype, const int64_t *dims, int ndim, int64_t *bytes);
void dims_strides(const int64_t *dims, int ndim, int64_t *strides); /* row-major, in elements */
bool dims_same(const int64_t *a, int na, const int64_t *b, int nb);
bool dim_in_range(int64_t dim, int ndim, int *out); /* negative counts from the end */
bool dims_next(int64_t *index, const int64_t *dims,
               int ndim); /* row-major odometer; false after the last */
bool mul_ok(int64_t a, int64_t b, int64_t *out);
bool add_ok(int64_t a, int64_t b, int64_t *out);
int64_t common_divisor(int64_t a, int64_t b); /* the greatest; of 0 and b it is b */
/* copy of an n-d box between two strided arrays; strides in bytes */
void copy_box(void *out, const int64_t *out_strides, const void *in, const int64_t *in_strides,
              const int64_t *dims, int ndim, size_t item);

/* ---- digits.c: d.ddd... * 10^exponent, not negative */
typedef struct digits {
	int count, exponent;
	char digit[24];
} digits;
/* how many digits: counted from the point if `fixed`, otherwise from the first digit; -1: no
 * limit */
typedef struct digit_limits {
	bool fixed;
	int most, least;
} digit_limits;
/* The shortest digits that name |x| (finite) among the numbers of its dtype, a real float. If
 * `most` cuts them short or `least` asks for more, they are digits of the exact value, rounded to
 * nearest, ties to even. */
void digits_make(digits *, double x, tsr_dtype, digit_limits);

/* ---- text.c: growing strings and number text, all independent of the locale */
typedef struct str {
	base *base;
	char *s;
	size_t len, cap;
	bool lost;
} str; /* lost: there was no memory for all of it; s is terminated, or NULL */
void str_free(str *);
void str_put(str *, const char *);
void str_putn(str *, const char *, size_t);
void str_many(str *, const char *, int64_t n); /* n times; not at all for n < 1 */
void str_printf(str *, const char *format, ...) PRINTF_LIKE(2, 3); /* integers and strings only */
void str_dims(str *, const int64_t *dims, int ndim);               /* "2,8" */
void str_number(str *, tsr_dtype, const void *data,
                int64_t index); /* shortest text that reads back to the same bits:
                                   "true", "-3", "1.5", "1e-07", "nan", "-inf", "(1.0,-2.0)" */
/* x, finite, as printf writes it: form is 'e', 'f' or 'g' */
void str_real(str *, double x, char form, int precision);
bool number_read(
	const char **at, tsr_dtype,
	void *out); /* what str_number writes; advances *at; false: no number or out of range */
bool integer_read(const char **at, int64_t *out);
/* a number as Python's float() reads it, without blanks: "+1.", ".5e3", "-Infinity", "NaN"; beyond
 * the range infinite; advances *at */
bool decimal_read(const char **at, double *out);
const char *base_name(const char *where); /* "a/b.c:7" -> "b.c:7" */

/* ---- markup.c */
/* A text as the content, or as a quoted attribute, of XML and HTML: < > & " ' are written as
 * entities, and what XML cannot have, control characters and bytes that are not UTF-8, as U+FFFD */
void str_markup(str *, const char *);
void json_text(str *, const char *); /* in quotes, with escapes; what is no UTF-8 as U+FFFD */
/* the bytes of the character that a text begins with; 0: it begins with none that XML can have */
int character_size(const char *);

/* ---- stack.c: bytes of the calling thread's stack below the caller's frame; SIZE_MAX: not known,
 * as on a coroutine's own stack. It takes microseconds */
size_t stack_left(void);

/* ---- profile.c: a trace of what is done when. Notes come from any thread; all else from that of
 * the context */
typedef struct profile_facts {
	double bytes, operations; /* 0: not known */
} profile_facts;
typedef struct profile_note { /* something that was done */
	const char *category, *name, *where;
	double begin, end; /* by profile_clock() */
	/* what it was, if it has no name: it writes that when the notes become text */
	void (*describe)(const struct profile_note *, str *name, profile_facts *);
	const void *of, *in;
	double share; /* of `of` */
	const void *thread;
} profile_note;
double profile_clock(void); /* nanoseconds */
/* it ends now, on this thread */
void profile_add(profile *, const profile_note *);
void profile_flush(base *); /* what notes are about may go afterwards; nobody notes anything now */
/* now: the file is made at once; else when something has been noted, and under a name of its own if
 * another context of the process has one. false: recorded */
bool profile_begin(base *, const char *where, const char *path, bool now);
/* the notes go to a function instead, on the thread of the context. false: likewise */
typedef void profile_sink(void *user, const profile_note *);
bool profile_collect(base *, const char *where, profile_sink *, void *user);
bool profile_end(base *, const char *where); /* false: likewise */
/* Of what the thread of the context does itself, and names: begin is 0 where there is no profile */
double profile_start(const base *);
void profile_done(base *, const char *category, const char *name, const char *where, double begin);

/* ---- hash.c and table.c: 64-bit hashes (xxHash) and a table of pointers by hash */
uint64_t hash_bytes(const void *, size_t, uint64_t seed);
uint64_t hash_str(const char *, uint64_t seed); /* NULL is a value of its own */
uint64_t hash_u64(uint64_t, uint64_t seed);
/* hash_bytes() with the seed 0, of bytes that come one after the other */
typedef struct hash_stream {
	_Alignas(64) char state[576];
} hash_stream;
void hash_begin(hash_stream *);
void hash_more(hash_stream *, const void *, size_t n);
uint64_t hash_end(const hash_stream *); /* of all until now */
typedef struct table {
	base *base;
	struct table_slot *slot;
	size_t count, cap;
} table;
void *table_find(const table *, uint64_t hash, bool (*same)(const void *entry, const void *key),
                 const void *key);
bool table_add(table *, uint64_t hash, void *entry);         /* the caller has looked first */
void table_remove(table *, uint64_t hash, const void *entry); /* which is there */
void *table_at(const table *, size_t place);                 /* of cap places; NULL: empty */
void table_free(table *, void (*each)(base *, void *entry)); /* each may be NULL */

/* ---- scope.c: handles and the scopes that own them. A handle is the address of a 64-byte slot
 * plus its serial number (1..63) in the low 6 bits; slots are reused oldest first and their memory
 * is kept until handles_fini, so that a stale handle is noticed. */
enum handle_kind {
	HANDLE_FREE,
	HANDLE_POISON,
	HANDLE_ARRAY,
	HANDLE_TRACED,
	HANDLE_BYTES,
	HANDLE_FN /* not of a value: no scope owns it, and its end releases nothing */
};
typedef struct handles handles;
typedef struct handle_slot {
	handles *home;
	void *payload; /* array: the array; traced: its trace; bytes: a block that a scope owns; fn:
	                  the fn */
	int32_t var;   /* traced: the variable */
	uint8_t kind, serial;
	bool owned;                      /* by the user's variable (tsr_set), not by a scope */
	tsr_scope *scope;                /* owner, when not owned */
	struct handle_slot *next, *prev; /* in the scope's list, or the free list */
	const char *where;               /* the call that made it, as long as that lasts */
} handle_slot;
struct handles {
	base *base;
	tsr_ctx *ctx;
	void (*retain)(handle_slot *);  /* one more handle will hold the payload */
	void (*release)(handle_slot *); /* a handle no longer holds the payload */
	tsr_scope *innermost;
	struct handle_chunk *chunks;
	handle_slot *free_first, *free_last;
	tsr *poison;         /* always valid; owned by no scope */
	size_t block_scopes; /* open scopes that the end of a block will close */
	size_t look_at;      /* growth.c looks when the outermost scope has so many handles, */
	int looks;           /* and has looked so often for the line that it wants to name */
};
bool handles_init(handles *, base *, tsr_ctx *, void (*retain)(handle_slot *),
                  void (*release)(handle_slot *)); /* makes poison and the outermost scope */
void handles_empty(handles *);                     /* releases all payloads; scopes stay open */
void handles_fini(handles *);                      /* that, and frees all slots */
tsr *handle_make(handles *, enum handle_kind, void *payload,
                 int32_t var); /* in the innermost scope; poison on failure (payload released) */
handle_slot *handle_slot_of(const tsr *); /* NULL for NULL; no check: look at handle_live first */
bool handle_live(const tsr *);            /* is its slot in use, under its serial? NULL: no */
bool handle_is_poison(const tsr *);       /* of a live handle */
handles *handles_of(const tsr *);         /* also of a stale handle; NULL for NULL */
/* NULL on failure (error recorded). of_block: the scope ends with a C block (TSR_SCOPE), which will
 * close it even after the context was closed */
tsr_scope *scope_open(handles *, bool of_block);
void scope_close(tsr_scope *); /* and those inside it; NULL is fine; closed already is fine */
handles *scope_home(const tsr_scope *); /* NULL for NULL */
void handle_end(tsr *);                 /* before its scope does; not of poison or a stale one */
tsr *handle_keep(tsr *);                /* to the parent scope if the innermost scope owns it */
/* tsr_set: the variable `slot` gets a handle of its own to the value's payload. false: no memory;
 * the variable is unchanged */
bool handle_own(handles *, tsr **slot, tsr *value);
/* of a fn: until fn_handle_end. NULL: no memory */
tsr_fn *fn_handle_make(handles *, void *fn);
void *fn_of_handle(const tsr_fn *); /* NULL: it has ended, or is poison, or NULL */
void fn_handle_end(tsr_fn *);       /* it has not ended */
void handle_drop(tsr **slot); /* releases a handle that the slot owns, and sets the slot to NULL */

/* ---- growth.c: warns when the outermost scope grows in a loop. It has n handles; the first of the
 * list is the newest, made by the call at `here` */
void growth_begin(handles *);
void growth_look(handles *, const handle_slot *first, size_t n, const char *here);

#endif
