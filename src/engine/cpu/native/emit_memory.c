/* emit_memory.c - loads and stores: one element for all lanes, neighbours, neighbours in reverse,
 * or elements anywhere.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[24]) -> f32[12] {
 *       %1: f32[12] = slice %0 start=[0] stop=[24] step=[2]
 *       return %1
 *     }
 *
 * reads every other element, each lane at an address of its own, and stores neighbours. Of the
 * second vector four lanes are left, which a mask says:
 *
 *     call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> ..
 *     store <8 x float> ..
 *     call <8 x float> @llvm.masked.gather..<i1 true, i1 true, i1 true, i1 true, i1 false, ..
 *     call void @llvm.masked.store..<i1 true, i1 true, i1 true, i1 true, i1 false, ..
 */
#include "engine/cpu/native/emit.h"

/* where the lanes of an access go */
typedef struct place {
	LLVMValueRef first;   /* i64: the element of lane 0; with offsets, what all lanes add to
			         theirs */
	int64_t step;         /* from one lane to the next */
	LLVMValueRef offsets; /* a vector: what each lane adds of its own; NULL: nothing */
} place;

static LLVMValueRef times(emitter *e, LLVMValueRef v, int64_t by)
{
	return by == 1 ? v
	               : LLVMBuildMul(e->b, v, constant_int(e, LLVMTypeOf(v), (uint64_t)by), "");
}

static LLVMValueRef plus(emitter *e, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildAdd(e->b, a, b, "") : b;
}

static place place_of(emitter *e, const address *a)
{
	place p = {.first = a->constant ? i64_of(e, a->constant) : NULL};

	for (int i = 0; i < a->n; i++) {
		const term *t = &a->term[i];
		const LLVMValueRef v = e->value[t->atom.id].v;
		if (!t->times) continue;
		if (e->lanes && t->atom.id == e->along.id) {
			p.step = t->times;
			p.first = plus(e, p.first, times(e, e->start, t->times));
		} else if (llvm_is_vector(v)) {
			p.offsets = plus(e, p.offsets, times(e, v, t->times));
		} else {
			p.first = plus(e, p.first, times(e, v, t->times));
		}
	}
	if (!p.first) p.first = i64_of(e, 0);
	return p;
}

static LLVMTypeRef stored_type(const emitter *e, tsr_dtype t)
{
	if (t == TSR_BOOL) return LLVMInt8TypeInContext(e->c);
	return type_one(e, t);
}

static LLVMValueRef next_to(emitter *e, LLVMValueRef at)
{
	return LLVMBuildAdd(e->b, at, i64_of(e, 1), "");
}

static LLVMValueRef element(emitter *e, LLVMTypeRef t, LLVMValueRef array, LLVMValueRef at)
{
	return LLVMBuildGEP2(e->b, t, array, &at, 1, "");
}

static unsigned alignment(tsr_dtype t) { return (unsigned)bits_of(part_of(t)) / 8; }

static LLVMValueRef call_masked(emitter *e, const char *name, LLVMTypeRef result,
                                LLVMTypeRef pointers, LLVMValueRef *args, int n)
{
	const unsigned id = LLVMLookupIntrinsicID(name, __builtin_strlen(name));
	LLVMTypeRef types[2] = {result, pointers};
	const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->m, id, types, 2);

	return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, args, (unsigned)n, "");
}

/* ---- neighbours: n numbers as they are stored; mask: which of them, NULL: all */

static LLVMValueRef read_many(emitter *e, LLVMTypeRef one, LLVMValueRef at, int n, unsigned align,
                              LLVMValueRef mask)
{
	const LLVMTypeRef many = LLVMVectorType(one, (unsigned)n);
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(e->c);

	if (!mask) {
		const LLVMValueRef v = LLVMBuildLoad2(e->b, many, at, "");
		LLVMSetAlignment(v, align);
		return v;
	}
	LLVMValueRef args[] = {at, LLVMConstInt(i32, align, 0), mask, LLVMConstNull(many)};
	return call_masked(e, "llvm.masked.load", many, LLVMTypeOf(at), args, 4);
}

static void write_many(emitter *e, LLVMValueRef v, LLVMValueRef at, unsigned align,
                       LLVMValueRef mask)
{
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(e->c);

	if (!mask) {
		LLVMSetAlignment(LLVMBuildStore(e->b, v, at), align);
		return;
	}
	LLVMValueRef args[] = {v, at, LLVMConstInt(i32, align, 0), mask};
	call_masked(e, "llvm.masked.store", LLVMTypeOf(v), LLVMTypeOf(at), args, 4);
}

/* each lane twice, for the two parts of complex numbers */
static LLVMValueRef doubled(emitter *e, LLVMValueRef mask, int lanes)
{
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(e->c);
	LLVMValueRef at[2 * MOST_LANES];

	if (!mask) return NULL;
	for (int i = 0; i < 2 * lanes; i++) at[i] = LLVMConstInt(i32, (unsigned)i / 2, 0);
	return LLVMBuildShuffleVector(e->b, mask, LLVMGetPoison(LLVMTypeOf(mask)),
	                              LLVMConstVector(at, 2 * (unsigned)lanes), "");
}

static LLVMValueRef reversed(emitter *e, LLVMValueRef v)
{
	return v ? lanes_from(e, v, e->lanes - 1, -1, e->lanes) : NULL;
}

static value read_neighbours(emitter *e, tsr_dtype t, LLVMValueRef array, const place *p)
{
	const LLVMTypeRef one = stored_type(e, t);
	const int n = is_complex(t) ? 2 * e->lanes : e->lanes;
	LLVMValueRef at = p->first, mask = e->mask;
	value x = {NULL, NULL};

	if (p->step < 0) {
		at = LLVMBuildAdd(e->b, at, i64_of(e, 1 - e->lanes), "");
		mask = reversed(e, mask);
	}
	if (is_complex(t)) at = times(e, at, 2);
	if (is_complex(t)) mask = doubled(e, mask, e->lanes);
	x.v = read_many(e, one, element(e, one, array, at), n, alignment(t), mask);
	if (is_complex(t)) {
		x.im = lanes_from(e, x.v, 1, 2, e->lanes);
		x.v = lanes_from(e, x.v, 0, 2, e->lanes);
	}
	if (p->step < 0) x = (value){reversed(e, x.v), reversed(e, x.im)};
	return x;
}

static LLVMValueRef interleaved(emitter *e, value x, int lanes)
{
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(e->c);
	LLVMValueRef at[2 * MOST_LANES];

	for (int i = 0; i < 2 * lanes; i++)
		at[i] = LLVMConstInt(i32, (unsigned)(i / 2 + i % 2 * lanes), 0);
	return LLVMBuildShuffleVector(e->b, x.v, x.im, LLVMConstVector(at, 2 * (unsigned)lanes),
	                              "");
}

/* ---- anywhere */

/* the addresses of all lanes; part: 0, or 1 for imaginary parts */
static LLVMValueRef addresses(emitter *e, tsr_dtype t, LLVMValueRef array, const place *p, int part)
{
	const LLVMTypeRef one = stored_type(e, t);
	const int64_t each = is_complex(t) ? 2 : 1;
	LLVMValueRef at = counting(e, LLVMInt64TypeInContext(e->c), e->lanes, p->step * each);

	array = element(e, one, array, times(e, p->first, each));
	if (part) array = element(e, one, array, i64_of(e, part));
	if (p->offsets) at = LLVMBuildAdd(e->b, at, times(e, p->offsets, each), "");
	return element(e, one, array, at);
}

static LLVMValueRef all_lanes(emitter *e)
{
	return LLVMConstAllOnes(LLVMVectorType(LLVMInt1TypeInContext(e->c), (unsigned)e->lanes));
}

static LLVMValueRef gather(emitter *e, tsr_dtype t, LLVMValueRef from)
{
	const LLVMTypeRef many = type_many(stored_type(e, t), e->lanes);
	LLVMValueRef args[] = {from, LLVMConstInt(LLVMInt32TypeInContext(e->c), alignment(t), 0),
	                       e->mask ? e->mask : all_lanes(e), LLVMConstNull(many)};

	return call_masked(e, "llvm.masked.gather", many, LLVMTypeOf(from), args, 4);
}

static void scatter(emitter *e, tsr_dtype t, LLVMValueRef v, LLVMValueRef to)
{
	LLVMValueRef args[] = {v, to, LLVMConstInt(LLVMInt32TypeInContext(e->c), alignment(t), 0),
	                       e->mask ? e->mask : all_lanes(e)};

	call_masked(e, "llvm.masked.scatter", LLVMTypeOf(v), LLVMTypeOf(to), args, 4);
}

static value read_anywhere(emitter *e, tsr_dtype t, LLVMValueRef array, const place *p)
{
	value x = {gather(e, t, addresses(e, t, array, p, 0)), NULL};

	if (is_complex(t)) x.im = gather(e, t, addresses(e, t, array, p, 1));
	return x;
}

/* ---- one for all lanes */

static LLVMValueRef read_part(emitter *e, tsr_dtype t, LLVMValueRef array, LLVMValueRef at)
{
	const LLVMTypeRef one = stored_type(e, t);
	const LLVMValueRef from = element(e, one, array, at);

	if (e->mask && !e->some) {
		LLVMValueRef any = any_lane(e, e->mask);
		any = LLVMBuildBitCast(e->b, any, LLVMVectorType(LLVMTypeOf(any), 1), "");
		return LLVMBuildBitCast(e->b, read_many(e, one, from, 1, alignment(t), any), one,
		                        "");
	}
	const LLVMValueRef v = LLVMBuildLoad2(e->b, one, from, "");
	LLVMSetAlignment(v, alignment(t));
	return v;
}

static value read_one(emitter *e, tsr_dtype t, LLVMValueRef array, LLVMValueRef at)
{
	if (!is_complex(t)) return (value){read_part(e, t, array, at), NULL};
	at = times(e, at, 2);
	return (value){read_part(e, t, array, at), read_part(e, t, array, next_to(e, at))};
}

/* ---- loads and stores */

value emit_load(emitter *e, kvar id)
{
	const knode *n = &e->k->nodes[id.id];
	const LLVMValueRef array = e->input[n->bits];
	const place p = place_of(e, &e->nest->load[id.id]);
	value x;

	if (e->given[id.id]) return (value){e->given[id.id], NULL};
	if (!p.step && !p.offsets)
		x = read_one(e, n->dtype, array, p.first);
	else if ((p.step == 1 || p.step == -1) && !p.offsets)
		x = read_neighbours(e, n->dtype, array, &p);
	else
		x = read_anywhere(e, n->dtype, array, &p);
	if (n->dtype == TSR_BOOL)
		x.v = LLVMBuildICmp(e->b, LLVMIntNE, x.v, LLVMConstNull(LLVMTypeOf(x.v)), "");
	return x;
}

static void write_one(emitter *e, tsr_dtype t, value x, LLVMValueRef array, LLVMValueRef at)
{
	const LLVMTypeRef one = stored_type(e, t);

	if (is_complex(t)) at = times(e, at, 2);
	write_many(e, x.v, element(e, one, array, at), alignment(t), NULL);
	if (is_complex(t))
		write_many(e, x.im, element(e, one, array, next_to(e, at)), alignment(t), NULL);
}

static void write_anywhere(emitter *e, tsr_dtype t, value x, LLVMValueRef array, const place *p)
{
	scatter(e, t, x.v, addresses(e, t, array, p, 0));
	if (is_complex(t)) scatter(e, t, x.im, addresses(e, t, array, p, 1));
}

static void write_neighbours(emitter *e, tsr_dtype t, value x, LLVMValueRef array, LLVMValueRef at)
{
	LLVMValueRef mask = e->mask, v = x.v;

	if (is_complex(t)) {
		at = times(e, at, 2);
		mask = doubled(e, mask, e->lanes);
		v = interleaved(e, x, e->lanes);
	}
	write_many(e, v, element(e, stored_type(e, t), array, at), alignment(t), mask);
}

void emit_store(emitter *e, int32_t result)
{
	const kresult *r = &e->k->results[result];
	const tsr_dtype t = r->type->dtype;
	const LLVMValueRef array = e->result[result];
	const place p = place_of(e, &e->nest->store[result]);
	value x = e->value[r->value.id];

	if (p.step) x = splat_value(e, x, e->lanes);
	if (t == TSR_BOOL)
		x.v = LLVMBuildZExt(e->b, x.v, type_many(stored_type(e, t), p.step ? e->lanes : 0),
		                    "");
	if (!p.step)
		write_one(e, t, x, array, p.first);
	else if (p.step == 1)
		write_neighbours(e, t, x, array, p.first);
	else
		write_anywhere(e, t, x, array, &p);
}
