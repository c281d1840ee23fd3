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
 * reads every second element, each lane from its own address, and stores neighbours. A mask selects
 * the four lanes that are left for the second vector:
 *
 *     call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> ..
 *     store <8 x float> ..
 *     call <8 x float> @llvm.masked.gather..<i1 true, i1 true, i1 true, i1 true, i1 false, ..
 *     call void @llvm.masked.store..<i1 true, i1 true, i1 true, i1 true, i1 false, ..
 *
 * The constant part of an address is separate. Of accesses that differ in it alone, as in an
 * unrolled loop, LLVM then sees one address and many displacements, which it compiles in less time:
 *
 *     (%0: f32[64]) -> f32[48] {
 *       %1: f32[48] = slice %0 start=[3] stop=[51] step=[1]
 *       %2: f32[48] = slice %0 start=[16] stop=[64] step=[1]
 *       %3: f32[48] = add %1 %2
 *       return %3
 *     }
 *
 *     getelementptr float, ptr .., i64 %
 *     getelementptr float, ptr .., i64 3
 *     getelementptr float, ptr .., i64 %
 *     getelementptr float, ptr .., i64 16
 *     vmovups 12(
 *     vaddps 64(
 */
#include "engine/cpu/native/emit/emit.h"

/* where the lanes of an access go */
typedef struct lane_address {
	LLVMValueRef first;   /* i64: with `constant`, the element of lane 0, and what is added to
				 all offsets; NULL: 0 */
	int64_t constant;
	int64_t step;         /* from one lane to the next */
	LLVMValueRef offsets; /* a vector: the offset of each lane; NULL: none */
} lane_address;

static LLVMValueRef times(emitter *g, LLVMValueRef v, int64_t by)
{
	return by == 1 ? v
	               : LLVMBuildMul(g->b, v, constant_int(g, LLVMTypeOf(v), (uint64_t)by), "");
}

static LLVMValueRef with(emitter *g, LLVMValueRef a, LLVMValueRef b)
{
	return a ? LLVMBuildAdd(g->b, a, b, "") : b;
}

/* index `i` times `by` is added, the constant part of a sum apart: of r0 + 3, as copies of a step
 * have it, times 64, r0 times 64 goes to `first` and 192 to `constant` */
static void add_index(emitter *g, lane_address *p, LLVMValueRef i, int64_t by)
{
	while (LLVMIsABinaryOperator(i) && LLVMGetInstructionOpcode(i) == LLVMAdd &&
	       LLVMIsAConstantInt(LLVMGetOperand(i, 1))) {
		p->constant += by * LLVMConstIntGetSExtValue(LLVMGetOperand(i, 1));
		i = LLVMGetOperand(i, 0);
	}
	p->first = with(g, p->first, times(g, i, by));
}

static lane_address lane_address_of(emitter *g, const address *a)
{
	lane_address p = {.constant = a->constant};

	for (int i = 0; i < a->n; i++) {
		const term *t = &a->term[i];
		const LLVMValueRef v = g->value[t->atom.id].v;
		if (!t->times) continue;
		if (g->in.lanes && t->atom.id == g->in.along.id) {
			p.step = t->times;
			add_index(g, &p, g->in.start, t->times);
		} else if (llvm_is_vector(v)) {
			p.offsets = with(g, p.offsets, times(g, v, t->times));
		} else {
			add_index(g, &p, v, t->times);
		}
	}
	return p;
}

static LLVMTypeRef stored_type(const emitter *g, tsr_dtype t)
{
	if (t == TSR_BOOL) return LLVMInt8TypeInContext(g->c);
	return type_one(g, t);
}

static LLVMValueRef displaced(emitter *g, LLVMTypeRef t, LLVMValueRef from, LLVMValueRef by)
{
	return LLVMBuildGEP2(g->b, t, from, &by, 1, "");
}

/* the address of the first lane's element, and `more` numbers after it; a complex element is two
 * numbers */
static LLVMValueRef element(emitter *g, tsr_dtype t, LLVMValueRef array, const lane_address *p,
                            int64_t more)
{
	const LLVMTypeRef one = stored_type(g, t);
	const int64_t each = is_complex(t) ? 2 : 1, constant = p->constant * each + more;

	if (p->first) array = displaced(g, one, array, times(g, p->first, each));
	return constant ? displaced(g, one, array, i64_of(g, constant)) : array;
}

static unsigned alignment(tsr_dtype t) { return (unsigned)bits_of(part_of(t)) / 8; }

static LLVMValueRef call_masked(emitter *g, const char *name, LLVMTypeRef result,
                                LLVMTypeRef pointers, LLVMValueRef *args, int n)
{
	const unsigned id = LLVMLookupIntrinsicID(name, __builtin_strlen(name));
	LLVMTypeRef types[2] = {result, pointers};
	const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(g->m, id, types, 2);

	return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, args, (unsigned)n, "");
}

/* ---- neighbours: n numbers as they are stored; mask: which of them, NULL: all */

static LLVMValueRef read_many(emitter *g, LLVMTypeRef one, LLVMValueRef at, int n, unsigned align,
                              LLVMValueRef mask)
{
	const LLVMTypeRef many = LLVMVectorType(one, (unsigned)n);
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(g->c);

	if (!mask) {
		const LLVMValueRef v = LLVMBuildLoad2(g->b, many, at, "");
		LLVMSetAlignment(v, align);
		return v;
	}
	LLVMValueRef args[] = {at, LLVMConstInt(i32, align, 0), mask, LLVMConstNull(many)};
	return call_masked(g, "llvm.masked.load", many, LLVMTypeOf(at), args, 4);
}

static void write_many(emitter *g, LLVMValueRef v, LLVMValueRef at, unsigned align,
                       LLVMValueRef mask)
{
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(g->c);

	if (!mask) {
		LLVMSetAlignment(LLVMBuildStore(g->b, v, at), align);
		return;
	}
	LLVMValueRef args[] = {v, at, LLVMConstInt(i32, align, 0), mask};
	call_masked(g, "llvm.masked.store", LLVMTypeOf(v), LLVMTypeOf(at), args, 4);
}

/* whole vectors, at multiples of their size */
static void stream_many(emitter *g, LLVMValueRef v, LLVMValueRef at)
{
	const LLVMValueRef store = LLVMBuildStore(g->b, v, at);
	LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(g->c), 1, 0));
	const LLVMMetadataRef list = LLVMMDNodeInContext2(g->c, &one, 1);

	LLVMSetAlignment(store, (unsigned)g->max_bytes);
	LLVMSetMetadata(store, LLVMGetMDKindIDInContext(g->c, "nontemporal", 11),
	                LLVMMetadataAsValue(g->c, list));
}

/* each lane twice, for the two parts of complex numbers */
static LLVMValueRef doubled(emitter *g, LLVMValueRef mask, int lanes)
{
	int at[2 * MOST_LANES];

	for (int i = 0; i < 2 * lanes; i++) at[i] = i / 2;
	return mask ? shuffled(g, mask, NULL, at, 2 * lanes) : NULL;
}

static LLVMValueRef reversed(emitter *g, LLVMValueRef v)
{
	return v ? lanes_from(g, v, g->in.lanes - 1, -1, g->in.lanes) : NULL;
}

static value read_neighbours(emitter *g, tsr_dtype t, LLVMValueRef array, const lane_address *p)
{
	const int each = is_complex(t) ? 2 : 1, n = each * g->in.lanes;
	const int before = p->step < 0 ? g->in.lanes - 1 : 0;
	LLVMValueRef mask = p->step < 0 ? reversed(g, g->in.mask) : g->in.mask;
	value x = {NULL, NULL};

	if (is_complex(t)) mask = doubled(g, mask, g->in.lanes);
	x.v = read_many(g, stored_type(g, t), element(g, t, array, p, -before * each), n,
	                alignment(t), mask);
	if (is_complex(t)) {
		x.im = lanes_from(g, x.v, 1, 2, g->in.lanes);
		x.v = lanes_from(g, x.v, 0, 2, g->in.lanes);
	}
	if (p->step < 0) x = (value){reversed(g, x.v), reversed(g, x.im)};
	return x;
}

static LLVMValueRef interleaved(emitter *g, value x, int lanes)
{
	int at[2 * MOST_LANES];

	for (int i = 0; i < 2 * lanes; i++) at[i] = i / 2 + i % 2 * lanes;
	return shuffled(g, x.v, x.im, at, 2 * lanes);
}

/* ---- anywhere */

/* the addresses of all lanes; part: 0, or 1 for imaginary parts */
static LLVMValueRef addresses(emitter *g, tsr_dtype t, LLVMValueRef array, const lane_address *p,
                              int part)
{
	const int64_t each = is_complex(t) ? 2 : 1;
	LLVMValueRef at = counting(g, LLVMInt64TypeInContext(g->c), g->in.lanes, p->step * each);

	if (p->offsets) at = LLVMBuildAdd(g->b, at, times(g, p->offsets, each), "");
	return displaced(g, stored_type(g, t), element(g, t, array, p, part), at);
}

static LLVMValueRef all_lanes(emitter *g)
{
	return LLVMConstAllOnes(LLVMVectorType(LLVMInt1TypeInContext(g->c), (unsigned)g->in.lanes));
}

static LLVMValueRef gather(emitter *g, tsr_dtype t, LLVMValueRef from)
{
	const LLVMTypeRef many = type_many(stored_type(g, t), g->in.lanes);
	LLVMValueRef args[] = {from, LLVMConstInt(LLVMInt32TypeInContext(g->c), alignment(t), 0),
	                       g->in.mask ? g->in.mask : all_lanes(g), LLVMConstNull(many)};

	return call_masked(g, "llvm.masked.gather", many, LLVMTypeOf(from), args, 4);
}

static void scatter(emitter *g, tsr_dtype t, LLVMValueRef v, LLVMValueRef to)
{
	LLVMValueRef args[] = {v, to, LLVMConstInt(LLVMInt32TypeInContext(g->c), alignment(t), 0),
	                       g->in.mask ? g->in.mask : all_lanes(g)};

	call_masked(g, "llvm.masked.scatter", LLVMTypeOf(v), LLVMTypeOf(to), args, 4);
}

static value read_anywhere(emitter *g, tsr_dtype t, LLVMValueRef array, const lane_address *p)
{
	value x = {gather(g, t, addresses(g, t, array, p, 0)), NULL};

	if (is_complex(t)) x.im = gather(g, t, addresses(g, t, array, p, 1));
	return x;
}

/* ---- one for all lanes */

static LLVMValueRef read_part(emitter *g, tsr_dtype t, LLVMValueRef from)
{
	const LLVMTypeRef one = stored_type(g, t);

	if (g->in.mask && !g->in.some) {
		LLVMValueRef any = any_lane(g, g->in.mask);
		any = LLVMBuildBitCast(g->b, any, LLVMVectorType(LLVMTypeOf(any), 1), "");
		return LLVMBuildBitCast(g->b, read_many(g, one, from, 1, alignment(t), any), one,
		                        "");
	}
	const LLVMValueRef v = LLVMBuildLoad2(g->b, one, from, "");
	LLVMSetAlignment(v, alignment(t));
	return v;
}

static value read_one(emitter *g, tsr_dtype t, LLVMValueRef array, const lane_address *p)
{
	value x = {read_part(g, t, element(g, t, array, p, 0)), NULL};

	if (is_complex(t)) x.im = read_part(g, t, element(g, t, array, p, 1));
	return x;
}

/* ---- loads and stores */

value emit_load(emitter *g, kvar id)
{
	const knode *n = &g->k->nodes[id.id];
	const LLVMValueRef array = n->op == K_HELD ? g->result[0] : g->input[n->bits];
	const lane_address p = lane_address_of(g, &g->nest->load[id.id]);
	value x;

	if (g->given[id.id]) return (value){g->given[id.id], NULL};
	if (!p.step && !p.offsets)
		x = read_one(g, n->dtype, array, &p);
	else if ((p.step == 1 || p.step == -1) && !p.offsets)
		x = read_neighbours(g, n->dtype, array, &p);
	else
		x = read_anywhere(g, n->dtype, array, &p);
	if (n->dtype == TSR_BOOL)
		x.v = LLVMBuildICmp(g->b, LLVMIntNE, x.v, LLVMConstNull(LLVMTypeOf(x.v)), "");
	return x;
}

static void write_one(emitter *g, tsr_dtype t, value x, LLVMValueRef array, const lane_address *p)
{
	write_many(g, x.v, element(g, t, array, p, 0), alignment(t), NULL);
	if (is_complex(t)) write_many(g, x.im, element(g, t, array, p, 1), alignment(t), NULL);
}

static void write_anywhere(emitter *g, tsr_dtype t, value x, LLVMValueRef array,
                           const lane_address *p)
{
	scatter(g, t, x.v, addresses(g, t, array, p, 0));
	if (is_complex(t)) scatter(g, t, x.im, addresses(g, t, array, p, 1));
}

static void write_neighbours(emitter *g, tsr_dtype t, value x, LLVMValueRef array,
                             const lane_address *p)
{
	LLVMValueRef mask = g->in.mask, v = x.v;

	if (is_complex(t)) {
		mask = doubled(g, mask, g->in.lanes);
		v = interleaved(g, x, g->in.lanes);
	}
	write_many(g, v, element(g, t, array, p, 0), alignment(t), mask);
}

void emit_store(emitter *g, int32_t result)
{
	const kresult *r = &g->k->results[result];
	const tsr_dtype t = r->type->dtype;
	const LLVMValueRef array = g->result[result];
	const lane_address p = lane_address_of(g, &g->nest->store[result]);
	value x = g->value[r->value.id];

	const int lanes = p.step || p.offsets ? g->in.lanes : 0;

	x = splat_value(g, x, lanes);
	if (t == TSR_BOOL)
		x.v = LLVMBuildZExt(g->b, x.v, type_many(stored_type(g, t), lanes), "");
	if (!lanes)
		write_one(g, t, x, array, &p);
	else if (g->streams && !g->in.mask && result_streams(g, result))
		stream_many(g, x.v, element(g, t, array, &p, 0));
	else if (p.step == 1 && !p.offsets)
		write_neighbours(g, t, x, array, &p);
	else
		write_anywhere(g, t, x, array, &p);
}
