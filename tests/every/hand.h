/* hand.h - arguments for calls of every public function: for each type one usual value, and odd
 * ones.
 *
 * The calls are made by make_calls.py. A call draws its arguments one after the other. Each draw is
 * a place, counted from 1; the draw at the place `odd` gets odd value number `which` of its type,
 * the others the usual value. Keywords that are not odd are not given. With a seed, every place may
 * be odd. So all calls with one odd value can be walked, and others be sampled:
 *
 *     tsr_take_at(where, x, 0, indices, {})             odd 0
 *     tsr_take_at(where, poison, 0, indices, {})        odd 1, which 0
 *     tsr_take_at(where, x, INT_MAX, indices, {})       odd 2, which 5
 *
 * Lists lie in memory that is large enough for every length that is drawn, so that what the address
 * sanitizer sees is the library's. */
#ifndef TSR_TESTS_EVERY_HAND_H
#define TSR_TESTS_EVERY_HAND_H
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "trace/trace.h"

enum { ROOM = 400, LISTED = 4, MEMORY = 1 << 30 };
enum { RETURNED_HANDLE = 1 };
enum { IN_NOTHING, IN_JIT, IN_MAP, WAYS }; /* where a call stands */

typedef struct hand {
	tsr_ctx *ctx, *other, *dead; /* other: of handles that are foreign here */
	tsr_mesh *mesh;              /* x:2, y:2 */
	tsr_fn *fn, *released;
	const tsr_sharding *sharding;
	tsr_batches *batches, *closed;
	tsr_progress *progress;
	tsr_frame *frame; /* of the body around the call; NULL: it is in none */
	char *memory;     /* MEMORY bytes of zeros */
	/* handles: what usual operands are; a key; indices; of which scopes have ended; foreign */
	tsr *x, *key, *indices, *stale, *foreign, *odd_x[12];
	int nodd_x;
	/* this call */
	const char *name;
	int odd, which, place,
		nvalues;    /* nvalues: how many odd ones there are at the place `odd` */
	uint64_t seed;      /* not 0: any place may be odd */
	char room[1 << 16]; /* for lists and records */
	size_t used;
	void (*ready)(struct hand *); /* called when all is drawn, right before the call; or NULL */
	void (*done)(struct hand *);  /* and right behind it */
	int returned;                 /* RETURNED_HANDLE; 0: something else */
	bool failed;                  /* it was poison, false or NULL */
	bool quiet;                   /* and no error need be told of that */
} hand;

#define LEAVES(l, n, t) \
	{ \
		.leaf = l, .count = n, .type = t \
	}

/* ---- places */

static inline uint64_t hand_random(hand *h)
{
	h->seed ^= h->seed << 13;
	h->seed ^= h->seed >> 7;
	h->seed ^= h->seed << 17;
	return h->seed;
}

/* the number of the odd value at the next place, which has n of them; -1: the usual one */
static inline int odd_here(hand *h, int n)
{
	if (++h->place == h->odd) {
		h->nvalues = n;
		return h->which < n ? h->which : n - 1;
	}
	if (!h->seed || hand_random(h) % 3) return -1;
	return (int)(hand_random(h) % (unsigned)n);
}

/* one of several odd values, or the usual one */
#define ODD(h, usual, ...) \
	__extension__({ \
		const __typeof__(usual) odd_[] = {__VA_ARGS__}; \
		const int at_ = odd_here(h, (int)(sizeof odd_ / sizeof *odd_)); \
		at_ < 0 ? (usual) : odd_[at_]; \
	})

static inline void *room_of(hand *h, size_t size)
{
	void *at = h->room + h->used;

	h->used += (size + 63) / 64 * 64;
	return h->used <= sizeof h->room ? memset(at, 0, size) : NULL;
}

/* a record of keywords: of its own size, of an older release's, none, or of no size */
static inline bool keyword_record(hand *h, void *record, size_t size)
{
	const size_t said = ODD(h, size, 0, sizeof(size_t), size + 8, SIZE_MAX, 3);
	const bool given = ODD(h, true, false);

	memcpy(record, &said, sizeof said);
	return given;
}

/* is the next keyword given: because it is the odd one? */
static inline bool keyword_given(hand *h)
{
	if (h->place + 1 == h->odd) return true;
	if (h->seed) return hand_random(h) % 3 == 0;
	h->place++;
	return false;
}

/* ---- handles */

static inline tsr *draw_tsr_p(hand *h)
{
	const int at = odd_here(h, 4 + h->nodd_x);
	tsr *const bad[] = {NULL, h->ctx->handles.poison, h->stale, h->foreign};

	return at < 0 ? h->x : at < 4 ? bad[at] : h->odd_x[at - 4];
}

static inline tsr *draw_key(hand *h)
{
	tsr *x = h->x;

	h->x = h->key;
	tsr *key = draw_tsr_p(h);
	h->x = x;
	return key;
}

static inline tsr *draw_indices(hand *h)
{
	tsr *x = h->x;

	h->x = h->indices;
	tsr *key = draw_tsr_p(h);
	h->x = x;
	return key;
}

/* a list that is read or written: handles in front, and much room */
static inline tsr **draw_tsr_p_p(hand *h)
{
	tsr **list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++) list[i] = i < 2 ? draw_tsr_p(h) : h->x;
	return ODD(h, list, NULL);
}

/* a slot of tsr_set() and the like: empty, or it owns */
static inline tsr **draw_slot(hand *h)
{
	tsr **slot = room_of(h, sizeof *slot);

	return ODD(h, slot, NULL);
}

static inline size_t length_of(hand *h, const void *list)
{
	return list ? ODD(h, (size_t)2, 0, 1, 3, LISTED)
	            : ODD(h, (size_t)0, 2, SIZE_MAX, (size_t)INT_MAX + 1, (size_t)1 << 61);
}

static inline tsr_tree draw_tsr_tree(hand *h)
{
	static const tsr_tree_type pair = {"tsr *w, *b;", 2, "pair", NULL},
				   lies = {"tsr *w, *b;", 2000, "lies", NULL};
	tsr **list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++) list[i] = i < 2 ? draw_tsr_p(h) : h->x;
	return ODD(h, ((tsr_tree)LEAVES(list, 2, &pair)), LEAVES(NULL, 0, NULL),
	           LEAVES(NULL, 2, NULL), LEAVES(list, 0, &pair), LEAVES(list, 3, NULL),
	           LEAVES(list, 3, &pair), LEAVES(list, 2, &lies), LEAVES(room_of(h, 64), 2, NULL));
}

static inline const tsr_tree_type *draw_tsr_tree_type_p(hand *h)
{
	static const tsr_tree_type types[] = {{"tsr *w, *b;", 2, "pair", NULL},
	                                      {NULL, 3, NULL, NULL},
	                                      {"", 0, "", NULL},
	                                      {"tsr *w", 100000, "lies", NULL}};

	return ODD(h, &types[0], &types[1], &types[2], &types[3]);
}

/* ---- numbers and texts */

static inline int draw_int(hand *h) { return ODD(h, 0, 1, -1, 2, 3, -4, 7, 254, INT_MAX, INT_MIN); }

static inline int draw_count(hand *h) { return ODD(h, 1, 0, -1, 2, 3, INT_MIN); }

static inline tsr_timing draw_tsr_timing(hand *h)
{
	static const tsr_timing usual = {sizeof usual, 10, 5, 1e-3, 1e-6, 1e-3, 1e-3}, odd[] = {
		{sizeof(tsr_timing), INT_MAX, INT_MAX, DBL_MAX, DBL_MAX, 0, 0},
		{sizeof(tsr_timing), INT_MIN, -1, -INFINITY, NAN, NAN, NAN},
		{0, 1, 1, 1e-320, 0, 0, 0},
		{SIZE_MAX, 1, 1, 60, -1, 0, 0}};

	const int n = (int)(sizeof odd / sizeof *odd), at = odd_here(h, n + 1);

	return at >= 0 && at < n ? odd[at] : usual;
}

static inline int64_t draw_int64_t(hand *h)
{
	return ODD(h, (int64_t)1, 0, 2, -1, 3, (int64_t)1 << 31, (int64_t)1 << 32,
	           -((int64_t)1 << 40), INT64_MAX, INT64_MIN);
}

static inline size_t draw_size_t(hand *h) { return ODD(h, (size_t)0, 1, 7, SIZE_MAX); }
static inline bool draw_bool(hand *h) { return ODD(h, false, true); }

static inline double draw_double(hand *h)
{
	return ODD(h, 0.5, 0, 1, -1, NAN, INFINITY, -INFINITY, DBL_MAX, 5e-324, 1e10);
}

static inline tsr_dtype draw_tsr_dtype(hand *h)
{
	const int at = odd_here(h, TSR_DTYPE_COUNT_ + 2);

	return at < 0                   ? TSR_F32
	       : at < TSR_DTYPE_COUNT_  ? (tsr_dtype)at
	       : at == TSR_DTYPE_COUNT_ ? TSR_DTYPE_COUNT_
	                                : (tsr_dtype)-7;
}

#define draw_tsr_fft_norm(h) ((tsr_fft_norm)draw_int(h))
#define draw_tsr_remat_save(h) ((tsr_remat_save)draw_int(h))
#define draw_tsr_precision(h)  ((tsr_precision)draw_int(h))
#define draw_tsr_reproducible(h) ((tsr_reproducible)draw_int(h))

static inline tsr_arg draw_tsr_arg(hand *h)
{
	static const tsr_arg odd[] = {
		{.kind = TSR_KIND_INT, .as = {.i = 0}},
		{.kind = TSR_KIND_INT, .as = {.i = INT64_MIN}},
		{.kind = TSR_KIND_UINT, .as = {.u = UINT64_MAX}},
		{.kind = TSR_KIND_BOOL, .as = {.i = 1}},
		{.kind = TSR_KIND_FLOAT, .as = {.f = {0.5, 0}}},
		{.kind = TSR_KIND_FLOAT, .as = {.f = {NAN, 0}}},
		{.kind = TSR_KIND_COMPLEX, .as = {.f = {1, -1}}},
		{.kind = TSR_KIND_NONE},
		{.kind = TSR_KIND_TREE, .as = {.tree = LEAVES(NULL, 2, NULL)}},
		{.kind = 99}};
	const int n = (int)(sizeof odd / sizeof *odd), at = odd_here(h, n + 1);

	if (at >= 0 && at < n) return odd[at];
	return tsr_arg_one(draw_tsr_p(h));
}

static inline tsr_arg *draw_tsr_arg_p(hand *h)
{
	tsr_arg *list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++) list[i] = i < 3 ? draw_tsr_arg(h) : tsr_arg_one(h->x);
	return list;
}

/* where texts name files or folders, none has any of these names */
static inline const char *draw_text(hand *h, const char *name)
{
	static char long_text[5000];
	const bool is_axis = !strcmp(name, "axis") || !strcmp(name, "axes");

	memset(long_text, 'x', sizeof long_text - 1);
	if (!strcmp(name, "path"))
		return ODD(h, (const char *)"/nowhere/x.npy", NULL, "", "/", "/nowhere/\x1b[31m",
		           "/nowhere/%n%s", "/nowhere/x.npz", "/nowhere/x.safetensors");
	if (!strcmp(name, "dir"))
		return ODD(h, (const char *)"/nowhere/run", NULL, "", "/proc", "/nowhere/\x1b[31m",
		           "/nowhere/%n%s", "/dev/null");
	return ODD(h, (const char *)(is_axis ? "x" : "{}"), NULL, "", "x", "x*y", "y*x*x", "-",
	           "[x] -> [x]", "%n%s{:.3f}{", "\xff\xfe", "ij,jk->ik", long_text);
}

/* ---- lists of dims */

#define DIMS(...) \
	{ \
		.d = { TSR_N_(__VA_ARGS__) + 1, __VA_ARGS__ } \
	}
#define RAW(...) \
	{ \
		.d = { __VA_ARGS__ } \
	}
static inline tsr_dims draw_tsr_dims(hand *h)
{
	const int64_t large = (int64_t)1 << 32;

	return ODD(h, ((tsr_dims)DIMS(1)), RAW(0), RAW(1), DIMS(0), DIMS(-1), DIMS(1, 0),
	           DIMS(0, 0), DIMS(3, 3), DIMS(9), DIMS(1, 3, 3), DIMS(3, 3, 0), DIMS(-3, 2),
	           DIMS(254), DIMS(large), DIMS(large, large), DIMS(large, 0), DIMS(INT64_MAX),
	           DIMS(INT64_MIN, INT64_MIN), DIMS(INT64_MAX, 0, INT64_MAX),
	           DIMS(1, 1, 1, 1, 1, 1, 1, 1), DIMS(0, 1, 2, 3, 4, 5, 6, 7), RAW(10, 2),
	           RAW(60, 2), RAW(INT64_MAX), RAW(-5, 1), RAW(INT64_MIN));
}

/* strides of memory that is there */
static inline tsr_dims draw_near(hand *h)
{
	return ODD(h, ((tsr_dims)RAW(0)), RAW(1), DIMS(4), DIMS(12, 4), DIMS(-12, -4), DIMS(0, 0),
	           DIMS(3, 1), RAW(60), RAW(-5));
}

#define SPEC(n, ...) \
	{ \
		.n1 = n, .d = { __VA_ARGS__ } \
	}
static inline tsr_spec draw_tsr_spec(hand *h)
{
	return ODD(h, ((tsr_spec)SPEC(2, NULL, "x")), SPEC(0, NULL), SPEC(1, NULL),
	           SPEC(3, NULL, "x", "y"), SPEC(2, NULL, "x*y"), SPEC(2, NULL, "z"),
	           SPEC(3, NULL, "x", "x"), SPEC(3, NULL, NULL, "-"), SPEC(60, NULL),
	           SPEC(-5, NULL), SPEC(INT64_MAX, NULL), SPEC(INT64_MIN, NULL));
}

static inline tsr_specs draw_tsr_specs(hand *h)
{
	tsr_spec *one = room_of(h, 4 * sizeof *one);

	one[0] = draw_tsr_spec(h);
	return ODD(h, ((tsr_specs){.count = 1, .leaf = one}), {.count = 0}, {.count = 1},
	           {.count = 2, .leaf = one}, {.count = -3, .leaf = one}, {.count = -1});
}

static inline tsr_names draw_tsr_names(hand *h)
{
	static const char *const name[4] = {"w", NULL, "b", "\xff"};

	return ODD(h, ((tsr_names){.count = 1, .name = name}), {.count = 0}, {.count = 2},
	           {.count = 3, .name = name}, {.count = 4, .name = name}, {.count = -1});
}

static inline tsr_mapped draw_tsr_mapped(hand *h)
{
	static const int dims[4] = {0, 1, INT_MAX, INT_MIN};

	return ODD(h, ((tsr_mapped){.count = 1, .dim = dims}), {.count = 0}, {.count = 2},
	           {.count = 4, .dim = dims}, {.count = -1, .dim = dims},
	           {.count = 1, .dim = dims + 2});
}

#define GROUPS(m, n, each, of) \
	{ \
		.member = m, .count = n, .size = each, .sizes = of \
	}
static inline tsr_groups draw_tsr_groups(hand *h)
{
	static const int member[] = {0, 1, INT_MAX, -1};
	static const size_t sizes[] = {2, 0, 1, 3};

	return ODD(h, ((tsr_groups)GROUPS(member, 1, 2, NULL)), GROUPS(NULL, 2, 2, NULL),
	           GROUPS(member, 0, 0, NULL), GROUPS(member, 2, 2, NULL),
	           GROUPS(member, (size_t)1 << 40, (size_t)1 << 40, NULL),
	           GROUPS(member, 2, 0, sizes), GROUPS(NULL, SIZE_MAX, 0, sizes),
	           GROUPS(member, 1, 1, sizes));
}

static inline tsr_perm draw_tsr_perm(hand *h)
{
	static const int pairs[][2] = {{0, 1}, {1, 0}, {INT_MAX, 0}, {0, INT_MIN}};

	return ODD(h, ((tsr_perm){1, 0, NULL}), {INT64_MAX, 0, NULL}, {INT64_MIN, 0, NULL},
	           {0, 2, pairs}, {0, 3, pairs}, {0, 4, pairs}, {0, 2, NULL}, {0, SIZE_MAX, pairs});
}

/* ---- bodies and fns */

static tsr *hand_neg(tsr *x) { return tsr_neg(x); }
static tsr *hand_two(tsr *x, tsr *y) { return tsr_add(x, y); }
static void hand_frame(tsr_frame *f) { tsr_return(f, tsr_frame_arg(f, 0)); }
static void hand_nothing(tsr_frame *f) { (void)f; }
static tsr *hand_null(tsr *x) { return (void)x, NULL; }

static inline tsr_body draw_tsr_body(hand *h)
{
	return ODD(h, ((tsr_body){TSR_FORM_1, (tsr_raw)hand_neg, NULL}),
	           {TSR_FORM_2, (tsr_raw)hand_two, NULL},
	           {TSR_FORM_FRAME, (tsr_raw)hand_frame, NULL},
	           {TSR_FORM_FRAME, (tsr_raw)hand_nothing, NULL},
	           {TSR_FORM_1, (tsr_raw)hand_null, NULL}, {TSR_FORM_1, NULL, NULL},
	           {99, (tsr_raw)hand_neg, NULL}, {-1, NULL, h->fn}, {-1, NULL, h->released},
	           {-1, NULL, NULL});
}

static inline tsr_branches draw_tsr_branches(hand *h)
{
	tsr_body *two = room_of(h, 4 * sizeof *two);

	for (int i = 0; i < 2; i++) two[i] = draw_tsr_body(h);
	return ODD(h, ((tsr_branches){two, 2}), {two, 0}, {two, 1}, {NULL, 2}, {NULL, SIZE_MAX});
}

static inline tsr_fn *draw_tsr_fn_p(hand *h)
{
	return ODD(h, h->fn, NULL, h->released, fn_poison(h->ctx));
}

#define ROWS_PATH "tests/fuzz/corpus/npy/rank1.npy"
static inline const char *const *draw_char_p_p(hand *h)
{
	const char **list = room_of(h, LISTED * sizeof *list);

	for (int i = 0; i < LISTED; i++)
		list[i] = ODD(h, (const char *)ROWS_PATH, NULL, "", "/nowhere/x.npy", "/",
		              "tests/fuzz/corpus/npy/product.npy");
	return list;
}

static inline tsr_batches *draw_tsr_batches_p(hand *h)
{
	return ODD(h, h->batches, NULL, h->closed);
}
static inline void saw_tsr_batches_p(hand *h, tsr_batches *b)
{
	h->failed = tsr_batches_count(b) == 0;
	tsr_batches_close(b);
}

static inline tsr_progress *draw_tsr_progress_p(hand *h) { return ODD(h, h->progress, NULL); }
/* it shows nothing here, where stderr is no terminal */
static inline void saw_tsr_progress_p(hand *h, tsr_progress *p) { h->failed = !p; }

/* ---- optimisers: the usual one has a state of two leaves for two parameters */

static inline const tsr_optimizer *poison_optimizer(hand *h)
{
	return tsr_chain_at(NULL, h->dead, NULL, 0);
}

static inline const tsr_optimizer *draw_tsr_optimizer_p(hand *h)
{
	return ODD(h, tsr_sgd(h->ctx, 0.1, .momentum = 0.9), NULL, poison_optimizer(h),
	           tsr_sgd(h->other, 0.1), tsr_adamw(h->ctx, 0.1, .zero = "x"),
	           tsr_adafactor(h->ctx, 0.1, .min_dim_size_to_factor = 1),
	           tsr_adam(h->ctx, h->fn), tsr_chain_at(NULL, h->ctx, NULL, 0));
}

static inline const tsr_optimizer **draw_tsr_optimizer_p_p(hand *h)
{
	const tsr_optimizer **list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++) list[i] = draw_tsr_optimizer_p(h);
	return ODD(h, list, NULL);
}

static inline tsr_rate draw_tsr_rate(hand *h)
{
	return ODD(h, ((tsr_rate){NULL, 0.1}), {NULL, 0}, {NULL, NAN}, {NULL, -INFINITY},
	           {h->fn, 0.1}, {h->released, 0}, {fn_poison(h->ctx), 0});
}

static inline tsr_boundary *draw_tsr_boundary_p(hand *h)
{
	tsr_boundary *list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++)
		list[i] = ODD(h, ((tsr_boundary){i, 0.5}), {INT64_MAX, 2}, {INT64_MIN, 0},
		              {-1, INFINITY}, {3, -1}, {3, NAN});
	return ODD(h, list, NULL);
}

static inline tsr_phase *draw_tsr_phase_p(hand *h)
{
	tsr_phase *list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++)
		list[i] = ODD(h, ((tsr_phase){i, h->fn}), {INT64_MAX, h->fn}, {INT64_MIN, h->fn},
		              {1, NULL}, {1, h->released}, {1, fn_poison(h->ctx)});
	return ODD(h, list, NULL);
}

static inline bool *draw_bool_p(hand *h)
{
	bool *list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++) list[i] = i % 2;
	return ODD(h, list, NULL);
}

/* ---- records of DLPack, declared as dlpack.h does */
typedef struct dl_tensor {
	void *data;
	int32_t device[2], ndim;
	uint8_t code, bits;
	uint16_t lanes;
	int64_t *shape, *strides;
	uint64_t byte_offset;
} dl_tensor;
struct DLManagedTensor {
	dl_tensor tensor;
	void *manager_ctx;
	void (*deleter)(tsr_dlpack_old *);
};
struct DLManagedTensorVersioned {
	uint32_t version[2];
	void *manager_ctx;
	void (*deleter)(tsr_dlpack *);
	uint64_t flags;
	dl_tensor tensor;
};
static float dl_data[6];
static int64_t dl_dims[4] = {2, 3, INT64_MAX, -1};
#define DL(at, type, n, code, bits, shape, strides) \
	{ \
		at, {type, 0}, n, code, bits, 1, shape, strides, 0 \
	}

static inline dl_tensor draw_dl_tensor(hand *h)
{
	return ODD(h, ((dl_tensor)DL(dl_data, 1, 2, 2, 32, dl_dims, NULL)),
	           DL(NULL, 1, 2, 2, 32, dl_dims, NULL), DL(dl_data, 2, 2, 2, 32, dl_dims, NULL),
	           DL(dl_data, 1, 256, 2, 32, dl_dims, NULL),
	           DL(dl_data, 1, -1, 2, 32, dl_dims, NULL), DL(dl_data, 1, 2, 2, 32, NULL, NULL),
	           DL(dl_data, 1, 2, 9, 32, dl_dims, NULL),
	           DL(dl_data, 1, 3, 2, 32, dl_dims, NULL),
	           DL(dl_data, 1, 2, 2, 32, dl_dims + 2, NULL),
	           DL(dl_data, 1, 2, 2, 32, dl_dims, dl_dims + 2));
}

static inline tsr_dlpack *draw_tsr_dlpack_p(hand *h)
{
	static tsr_dlpack record, other;

	record = other = (tsr_dlpack){.version = {1, 0}, .tensor = draw_dl_tensor(h)};
	other.version[0] = 9;
	return ODD(h, &record, &other, NULL);
}

static inline tsr_dlpack_old *draw_tsr_dlpack_old_p(hand *h)
{
	static tsr_dlpack_old record;

	record = (tsr_dlpack_old){.tensor = draw_dl_tensor(h)};
	return ODD(h, &record, NULL);
}

static inline void saw_tsr_dlpack_p(hand *h, tsr_dlpack *d)
{
	h->failed = !d;
	if (d) d->deleter(d);
}

static inline void saw_tsr_dlpack_old_p(hand *h, tsr_dlpack_old *d)
{
	h->failed = !d;
	if (d) d->deleter(d);
}

static bool hand_host(const tsr_host_call *c)
{
	for (size_t i = 0; i < c->nout; i++)
		memset(c->out[i], 0,
		       (size_t)c->out_type[i].size * tsr_dtype_size(c->out_type[i].dtype));
	return true;
}

static inline tsr_host_fn *draw_tsr_host_fn_p(hand *h) { return ODD(h, &hand_host, NULL); }

static inline tsr_result_type draw_tsr_result_type(hand *h)
{
	return (tsr_result_type){draw_tsr_dtype(h), draw_tsr_dims(h)};
}

static tsr *hand_init(tsr *key, tsr_dims dims) { return tsr_normal(key, dims); }
static tsr *hand_other_dims(tsr *key, tsr_dims dims) { return (void)dims, key; }
static tsr *hand_no_init(tsr *key, tsr_dims dims) { return (void)key, (void)dims, NULL; }

static inline tsr_param *draw_tsr_param_p(hand *h)
{
	tsr_param *list = room_of(h, LISTED * sizeof *list);

	for (int i = 0; i < LISTED; i++)
		list[i] = (tsr_param){draw_tsr_dims(h),
		                      ODD(h, &hand_init, NULL, &hand_other_dims, &hand_no_init),
		                      draw_tsr_spec(h)};
	return ODD(h, list, NULL);
}

#define PLACE(kind, slots, n) \
	{ \
		.own = kind, .to = LEAVES(slots, n, NULL) \
	}
static inline tsr_out *draw_tsr_out_p(hand *h)
{
	tsr_out *list = room_of(h, LISTED * sizeof *list);

	for (int i = 0; i < LISTED; i++) {
		tsr **slot = room_of(h, ROOM * sizeof *slot);
		list[i] = ODD(h, ((tsr_out)PLACE(TSR_PLACE_SCOPE, slot, 1)),
		              PLACE(TSR_PLACE_OWN, slot, 1), PLACE(TSR_PLACE_OWN, NULL, 1),
		              PLACE(TSR_PLACE_SCOPE, NULL, 0), PLACE(TSR_PLACE_SCOPE, slot, 3),
		              {.own = TSR_PLACE_MEMORY, .memory = NULL}, PLACE(99, slot, 1));
	}
	return ODD(h, list, NULL);
}

/* ---- what calls stand on */

/* the dead context has told its error when it was opened, and tells no other */
static inline tsr_ctx *draw_tsr_ctx_p(hand *h)
{
	tsr_ctx *ctx = ODD(h, h->ctx, NULL, h->dead);

	h->quiet |= ctx == h->dead;
	return ctx;
}
static inline tsr_mesh *draw_tsr_mesh_p(hand *h)
{
	return ODD(h, h->mesh, NULL, &h->ctx->poison_mesh);
}
static inline const tsr_sharding *draw_tsr_sharding_p(hand *h)
{
	return ODD(h, h->sharding, NULL, (const tsr_sharding *)&h->ctx->poison_sharding);
}
static inline tsr_frame *draw_tsr_frame_p(hand *h) { return ODD(h, h->frame, NULL); }
static inline tsr_scope *draw_tsr_scope_p(hand *h) { return ODD(h, tsr_scope_open(h->ctx), NULL); }

/* memory on both sides of the address */
static inline void *draw_void_p(hand *h)
{
	return ODD(h, (void *)(h->memory + MEMORY / 2), NULL, h->memory + MEMORY / 2 + 1);
}

static inline int *draw_int_p(hand *h)
{
	int *list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++) list[i] = draw_int(h);
	return ODD(h, list, NULL);
}

static inline int64_t *draw_int64_t_p(hand *h)
{
	int64_t *list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++) list[i] = i;
	list[0] = draw_int64_t(h);
	return ODD(h, list, NULL);
}

static inline tsr_axis *draw_tsr_axis_p(hand *h)
{
	tsr_axis *list = room_of(h, ROOM * sizeof *list);

	for (int i = 0; i < LISTED; i++)
		list[i] = ODD(h, ((tsr_axis){i % 2 ? "y" : "x", 2}), {NULL, 2}, {"", 1}, {"z", 0},
		              {"z", -1}, {"z", INT64_MAX}, {"x*y", 2});
	return ODD(h, list, NULL);
}

/* records that are filled: their first member is their size */
static inline void *draw_record(hand *h, size_t size)
{
	void *record = room_of(h, 4096);
	const size_t said = ODD(h, size, 0, 8, 4096);

	memcpy(record, &said, sizeof said);
	return ODD(h, record, NULL);
}
#define draw_tsr_mesh_use_p(h) ODD(h, (tsr_mesh_use *)room_of(h, sizeof(tsr_mesh_use)), NULL)
#define draw_tsr_memory_info_p(h) draw_record(h, sizeof(tsr_memory_info))
#define draw_tsr_engine_info_p(h) draw_record(h, sizeof(tsr_engine_info))
#define draw_tsr_device_info_p(h) draw_record(h, sizeof(tsr_device_info))
#define draw_tsr_fn_info_p(h) draw_record(h, sizeof(tsr_fn_info))
#define draw_tsr_costs_p(h) draw_record(h, sizeof(tsr_costs))
static inline tsr_shard *draw_tsr_shard_p(hand *h)
{
	return ODD(h, (tsr_shard *)room_of(h, sizeof(tsr_shard)), NULL);
}

/* ---- what is seen of results */

static inline void saw_tsr_p(hand *h, tsr *y)
{
	h->returned = RETURNED_HANDLE;
	h->failed = !y || !handle_live(y) || handle_is_poison(y);
}
static inline void saw_bool(hand *h, bool ok) { h->failed = !ok; }
static inline void saw_char_p(hand *h, const char *text)
{
	h->failed = !text || strlen(text) > 1 << 20;
}
static inline void saw_tsr_fn_p(hand *h, tsr_fn *f) { h->failed = !f || fn_is_poison(f); }
static inline void saw_tsr_mesh_use(hand *h, tsr_mesh_use use)
{
	h->failed = !use.ctx || use.ctx->in_use.mesh == &use.ctx->poison_mesh;
	tsr_mesh_end(&use);
}
static inline void saw_tsr_optimizer_p(hand *h, const tsr_optimizer *o)
{
	h->failed = !o || o == poison_optimizer(h);
}
#define SAW(name, type) \
	static inline void saw_##name(hand *h, type y) { (void)h, (void)y; }
SAW(double, double)
SAW(int, int)
SAW(int64_t, int64_t)
SAW(size_t, size_t)
SAW(void_p, const void *)
SAW(tsr_axis, tsr_axis)
SAW(tsr_ctx_p, tsr_ctx *)
SAW(tsr_device_info, tsr_device_info)
SAW(tsr_dims, tsr_dims)
SAW(tsr_dtype, tsr_dtype)
SAW(tsr_fn_info, tsr_fn_info)
SAW(tsr_linearized, tsr_linearized)
SAW(tsr_memory_info, tsr_memory_info)
SAW(tsr_mesh_p, tsr_mesh *)
SAW(tsr_scope_p, tsr_scope *)
SAW(tsr_sharding_p, const tsr_sharding *)
SAW(tsr_spec, tsr_spec)
SAW(tsr_timing, tsr_timing)
SAW(tsr_tree, tsr_tree)

static inline void before_call(hand *h)
{
	if (h->ready) h->ready(h);
}
static inline void after_call(hand *h)
{
	if (h->done) h->done(h);
}

#include "every_calls.h"

#endif
