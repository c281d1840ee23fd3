/* row_cases.h - reads row_cases.def, the one list of equations for all laws of rows.
 *
 * A case is an equation, its operands and its results, as program text with letters. Example: of
 *
 *     CASE("T[A,B]", "cumsum %0 dim=0", "T[A,B]", LINEAR)
 *
 * the law of lowering makes "cumsum %0 dim=0" of f32[2,3], and of the other dtypes that the row
 * takes; the law of uneven blocks draws other sizes for A and B. The letters are
 *
 *     T        each dtype that the law has and the row takes
 *     R        the dtype of its real part
 *     W        the next wider one; in tests/spmd/test_joined.c each dtype
 *     N        a number of dtype T
 *     S        some dims, fewer where there are more operands
 *     A B C    sizes, which may be 0
 *     D        a size that is not 0
 *     L        a large size
 *     P Q U V  A * B, B + C, B + 3, B + 1
 */
#ifndef TSR_TESTS_SUPPORT_ROW_CASES_H
#define TSR_TESTS_SUPPORT_ROW_CASES_H
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* the laws: each is a test that draws from the list */
enum {
	LOWERED = 1, /* kernels equal `eval`, bit for bit: tests/kernel, tests/native */
	DERIVED = 2, /* jvp, transpose and batch: tests/transform/test_rules.c */
	CONFORM = 4, /* engines equal the interpreter: tools/conform */
	BLOCKS = 8,  /* factors, one by one: tests/prim/test_blocks.c */
	SPREAD = 16, /* operands over meshes: tests/spmd/test_automatic.c, test_uneven.c */
	SLOPES = 32, /* gradients there */
	FORMS = 64,  /* forms for blocks of rows that have their own: test_blocks_local.c */
};

/* kinds of T */
enum { OF_WHOLE = 1, OF_REAL = 2, OF_COMPLEX = 4 };

typedef struct row_case {
	const char *operands, *equation, *results;
	bool edge;           /* of sizes or parameters: not for CONFORM, SPREAD, SLOPES */
	unsigned not_in;     /* laws that it is no case of */
	unsigned kinds;      /* of T, for derivatives; none given: all that the row accepts */
	bool joins;          /* dims along which devices join what they have: test_joined.c */
	bool halves;         /* the first operand may hold halves there: sums stay exact */
	bool rounds;         /* joined in another order, f32 has other bits */
	bool linear;         /* in all that can move together, but for a constant */
	bool flat_complex;   /* as in JAX, the derivative at complex numbers is 0 */
	double points[2];    /* derivatives between these; none given: -2 and 2 */
	double bounds[3][2]; /* points of single operands, where they are others */
} row_case;

/* clang-format off */
/* ...: the results, and what else there is to say */
#define CASE(...) CASE_(__VA_ARGS__) /* DOT has two of the arguments */
#define EDGE(...) EDGE_(__VA_ARGS__)
#define CASE_(operands_, equation_, ...) \
	{.operands = operands_, .equation = equation_, .results = __VA_ARGS__}
#define EDGE_(operands_, equation_, ...) \
	{.edge = true, .operands = operands_, .equation = equation_, .results = __VA_ARGS__}
#define NOT(laws) .not_in = (unsigned)(laws)
#define ONLY_DERIVED NOT(~DERIVED)
#define KINDS(of) .kinds = (of)
#define JOINS .joins = true
#define HALVES .joins = true, .halves = true
#define ROUNDS .rounds = true
#define LINEAR .linear = true
#define POINTS(a, b) .points = {a, b}
#define BOUNDS(...) .bounds = {__VA_ARGS__}

#define UNARY(...) UNARY_(__VA_ARGS__, ) /* ...: may be nothing */
#define UNARY_(name, ...) CASE("T[S]", name " %0", "T[S]", __VA_ARGS__)
/* with other points for the derivatives at complex numbers */
#define UNARY_COMPLEX(name, ...) \
	UNARY(name, __VA_ARGS__), UNARY(name, KINDS(OF_COMPLEX), ONLY_DERIVED)
#define BINARY(...) BINARY_(__VA_ARGS__, )
#define BINARY_(name, ...) \
	CASE("T[S]; T[S]", name " %0 %1", "T[S]", __VA_ARGS__), \
	EDGE("T[S]", name " %0 N", "T[S]", __VA_ARGS__), \
	EDGE("T[S]", name " N %0", "T[S]", __VA_ARGS__), \
	EDGE("T[S]", name " %0 %0", "T[S]", __VA_ARGS__)
#define COMPARE(name) \
	CASE("T[S]; T[S]", name " %0 %1", "bool[S]"), \
	EDGE("T[S]", name " %0 N", "bool[S]"), \
	EDGE("T[S]", name " N %0", "bool[S]")
/* of half the width of T, of a quarter, of an eighth; of twice the width, and so on */
#define BITS(operands, to, dims) \
	EDGE(operands, "bitcast_convert_type %0 dtype=" to, to dims, NOT(DERIVED))
#define JOIN_BITS(to) BITS("T[3,2]", to, "[3]")
#define JOIN_BITS_4(to) JOIN_BITS(to), BITS("T[3,5,4]", to, "[3,5]")
#define JOIN_BITS_8(to) JOIN_BITS_4(to), BITS("T[8]", to, "[]")
#define PART_BITS(to) BITS("T[3]", to, "[3,2]")
#define PART_BITS_4(to) PART_BITS(to), BITS("T[3,5]", to, "[3,5,4]")
#define PART_BITS_8(to) PART_BITS_4(to), BITS("T[]", to, "[8]")
#define CONVERT(from) EDGE(from "[S]", "convert_element_type %0 dtype=T", "T[S]", LINEAR)
#define REDUCE(...) REDUCE_(__VA_ARGS__, )
#define REDUCE_(name, ...) \
	EDGE("T[L]", name " %0 dims=[0]", "T[]", __VA_ARGS__), \
	EDGE("T[3,L]", name " %0 dims=[1]", "T[3]", __VA_ARGS__), \
	EDGE("T[L,3]", name " %0 dims=[0]", "T[3]", __VA_ARGS__), \
	EDGE("T[2,L,3]", name " %0 dims=[0,2]", "T[L]", __VA_ARGS__), \
	EDGE("T[5,L,2,2]", name " %0 dims=[0,1,3]", "T[2]", NOT(DERIVED | BLOCKS)), \
	EDGE("T[L]", name " %0 dims=[]", "T[L]", __VA_ARGS__), \
	EDGE("T[]", name " %0 dims=[]", "T[]", __VA_ARGS__), \
	EDGE("T[1]", name " %0 dims=[0]", "T[]", __VA_ARGS__), \
	EDGE("T[2,3]", name " %0 dims=[0,1]", "T[]", __VA_ARGS__), \
	EDGE("T[2,3,2]", name " %0 dims=[1]", "T[2,2]", __VA_ARGS__), \
	EDGE("T[3,0]", name " %0 dims=[0]", "T[0]", __VA_ARGS__)
/* of nothing at all, where that has a value */
#define REDUCE_NOTHING(...) REDUCE_NOTHING_(__VA_ARGS__, )
#define REDUCE_NOTHING_(name, ...) \
	EDGE("T[0]", name " %0 dims=[0]", "T[]", __VA_ARGS__), \
	EDGE("T[2,0]", name " %0 dims=[1]", "T[2]", __VA_ARGS__)
/* contracted dims and dims of the batch, of both operands */
#define DOT(a, b, ca, cb, ba, bb, dtype) \
	"T[" a "]; T[" b "]", \
	"dot_general %0 %1 contract_a=[" ca "] contract_b=[" cb "] batch_a=[" ba "] batch_b=[" bb \
	"] dtype=" dtype
/* dims that go through windows, dropped ones, starts, batching dims of operand and of indices */
#define GATHER(through, dropped, starts, batch, index_batch) \
	"gather %0 %1 offset_dims=[" through "] collapsed_slice_dims=[" dropped \
	"] start_index_map=[" starts "] operand_batching_dims=[" batch \
	"] start_indices_batching_dims=[" index_batch "] slice_sizes="
#define SCATTER(through, dropped, starts, batch, index_batch) \
	"scatter %0 %1 %2 update_window_dims=[" through "] inserted_window_dims=[" dropped \
	"] scatter_dims_to_operand_dims=[" starts "] operand_batching_dims=[" batch \
	"] scatter_indices_batching_dims=[" index_batch "] combine="
/* each way to combine; windows that meet have no product with a derivative */
#define SCATTERS(operands, dims, mode, result) \
	EDGE(operands, SCATTER dims "set mode=" mode, result, LINEAR, NOT(BLOCKS)), \
	EDGE(operands, SCATTER dims "add mode=" mode, result, LINEAR, NOT(BLOCKS)), \
	EDGE(operands, SCATTER dims "mul mode=" mode, result, NOT(DERIVED | BLOCKS)), \
	EDGE(operands, SCATTER dims "min mode=" mode, result, NOT(BLOCKS)), \
	EDGE(operands, SCATTER dims "max mode=" mode, result, NOT(BLOCKS))
#define SCATTERS_APART(operands, dims, mode, result) \
	EDGE(operands, SCATTER dims "set mode=" mode " unique_indices=true", result, LINEAR, \
	     NOT(BLOCKS)), \
	EDGE(operands, SCATTER dims "mul mode=" mode " unique_indices=true", result, NOT(BLOCKS)), \
	EDGE(operands, SCATTER dims "max mode=" mode " unique_indices=true", result, NOT(BLOCKS))
#define TRIANGULAR(operands_, how, ...) \
	EDGE(operands_, "triangular_solve %0 %1 " how, __VA_ARGS__, NOT(BLOCKS), \
	     BOUNDS({0.5, 2}, {-2, 2}))

static const row_case row_cases[] = {
#include "support/row_cases.def"
};
/* clang-format on */
enum { ROW_CASES = sizeof row_cases / sizeof *row_cases };

/* ---- the words of letters */

typedef struct row_letters {
	const char *dtype, *wide; /* T and W */
	const char *dims;         /* S; it may have letters of sizes */
	int64_t size[26];
} row_letters;

static inline unsigned row_kind(const char *dtype)
{
	return *dtype == 'c' ? OF_COMPLEX : *dtype == 'f' || dtype[1] == 'f' ? OF_REAL : OF_WHOLE;
}

static inline const char *row_real(const char *dtype)
{
	return !strcmp(dtype, "c64") ? "f32" : !strcmp(dtype, "c128") ? "f64" : dtype;
}

static inline const char *row_wider(const char *dtype)
{
	return !strcmp(dtype, "f16") || !strcmp(dtype, "bf16") ? "f32"
	       : !strcmp(dtype, "f32")                         ? "f64"
	       : !strcmp(dtype, "c64")                         ? "c128"
	                                                       : dtype;
}

/* sizes: A, B, C, D, L */
static inline row_letters row_letters_of(const char *dtype, const char *dims,
                                         const int64_t sizes[5])
{
	row_letters l = {.dtype = dtype, .wide = row_wider(dtype), .dims = dims};
	int64_t *size = l.size - 'A';

	for (int k = 0; k < 5; k++) size[(int)"ABCDL"[k]] = sizes[k];
	size['P'] = size['A'] * size['B'];
	size['Q'] = size['B'] + size['C'];
	size['U'] = size['B'] + 3;
	size['V'] = size['B'] + 1;
	return l;
}

static inline const char *row_number(const char *dtype)
{
	return row_kind(dtype) == OF_COMPLEX ? "(0.75,-0.5)"
	       : row_kind(dtype) == OF_REAL  ? "0.75"
	       : *dtype == 'b'               ? "true"
	                                     : "3";
}

/* the text with words in the place of letters; gives how long it is */
static inline size_t row_text(char *to, size_t room, const char *text, const row_letters *l)
{
	size_t n = 0;

	for (; *text && n + 64 < room; text++)
		switch (*text) {
		case 'T': n += (size_t)snprintf(to + n, room - n, "%s", l->dtype); break;
		case 'R': n += (size_t)snprintf(to + n, room - n, "%s", row_real(l->dtype)); break;
		case 'W': n += (size_t)snprintf(to + n, room - n, "%s", l->wide); break;
		case 'S': n += row_text(to + n, room - n, l->dims, l); break;
		case 'N':
			n += (size_t)snprintf(to + n, room - n, "%s:%s", row_number(l->dtype),
			                      l->dtype);
			break;
		default:
			if (*text >= 'A' && *text <= 'Z')
				n += (size_t)snprintf(to + n, room - n, "%" PRId64,
				                      l->size[*text - 'A']);
			else
				to[n++] = *text;
		}
	to[n] = 0;
	return n;
}

typedef struct row_texts {
	char operands[256], equation[512], results[128];
} row_texts;

static inline row_texts row_texts_of(const row_case *c, const row_letters *l)
{
	row_texts t;

	row_text(t.operands, sizeof t.operands, c->operands, l);
	row_text(t.equation, sizeof t.equation, c->equation, l);
	row_text(t.results, sizeof t.results, c->results, l);
	return t;
}

static inline bool row_has(const row_case *c, const char *letters)
{
	return strpbrk(c->operands, letters) || strpbrk(c->equation, letters) ||
	       strpbrk(c->results, letters);
}

static inline bool row_is_of(const row_case *c, const char *name)
{
	const size_t length = strlen(name);

	return !strncmp(c->equation, name, length) && c->equation[length] == ' ';
}

static inline bool row_law(const row_case *c, unsigned law)
{
	return !(c->not_in & law) && !(c->edge && law & (CONFORM | SPREAD | SLOPES));
}

#endif
