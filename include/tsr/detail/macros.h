/* tsr/detail/macros.h - the machinery behind the macros of the public headers; nothing here is
 * meant to be called by name.
 *
 * Rules of the macro layer: an argument is expanded once, so that nests of calls cost linear text;
 * a value that has to be looked at twice goes through a variable of its own name (TSR_ONCE_), in a
 * block of its own, with which compound literals inside the argument end their life; "the
 * k arguments, then keywords" is told apart by an empty argument appended to the list, so that no
 * keyword, one, or several are all plain C17. The macros need gcc or clang; the _at functions need
 * neither, and are what C++ and other languages call. */
#ifndef TSR_DETAIL_MACROS_H
#define TSR_DETAIL_MACROS_H
#include "../base.h"

#define TSR_CAT_(a, b)  TSR_CAT1_(a, b)
#define TSR_CAT1_(a, b) a##b
#define TSR_STR_(x)     TSR_STR1_(x)
#define TSR_STR1_(x)    #x

/** The caller's place, "file.c:12", the first argument of every _at function; NULL is legal too. */
#define TSR_HERE __FILE__ ":" TSR_STR_(__LINE__)

/* ---- keyword records. Their first member is their size, by which a later release knows what the
 * caller's record had room for; the second one takes no value, so that an argument without a
 * keyword does not compile (detail/keywords.h). gcc has a word for members that want their names,
 * which is true of all behind these two. A record of one's own is {.size =
 * sizeof(tsr_reduce_args)}; NULL in place of a record means that no keyword is given. */
typedef bool tsr_write_keywords_as_dot_name_equals_value;
#if defined __cplusplus || !defined __GNUC__
#define TSR_KEYWORDS_     size_t size; void *keyword_;
#define TSR_KEYWORDS_END_
#elif defined __clang__
#define TSR_KEYWORDS_ size_t size; union { tsr_write_keywords_as_dot_name_equals_value keyword_[8] \
	__attribute__((unavailable("write keywords as .name = value"))); void *no_keyword_; };
#define TSR_KEYWORDS_END_
#else
#define TSR_KEYWORDS_ size_t size; union { union { \
	const struct tsr_write_keywords_as_dot_name_equals_value *keyword_; }; }; \
	struct __attribute__((designated_init)) {
#define TSR_KEYWORDS_END_ };
#endif

/* In front of a member that is added to a record: it begins where the record has ended, never in
 * what was padding, so that the size of a caller's record tells whether it has the member. */
#ifdef __cplusplus
#define TSR_ADDED_ alignas(8)
#else
#define TSR_ADDED_ _Alignas(8)
#endif

/* Functions that macros call, which a debugger steps over: they have no lines where they are not
 * inlined, with clang because that can be said, with gcc because the library has a copy of each
 * (src/lib/arguments.c). */
#if defined TSR_INLINE_
#elif defined __clang__
#define TSR_INLINE_ static inline __attribute__((always_inline, nodebug, unused))
#elif defined __GNUC__
#define TSR_INLINE_ \
	extern inline __attribute__((gnu_inline, artificial, visibility("default")))
#else
#define TSR_INLINE_ static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one argument as a value; C++ uses these as they are */
#ifdef __cplusplus
#define TSR_ARG_OF_(kind) {kind, {NULL}}
#else
#define TSR_ARG_OF_(what) {.kind = what}
#endif
TSR_INLINE_ tsr_arg tsr_arg_one(const tsr *x)
{
	tsr_arg a = TSR_ARG_OF_(TSR_KIND_ONE);
	a.as.one = (tsr *)(uintptr_t)x;
	return a;
}
TSR_INLINE_ tsr_arg tsr_arg_tree(tsr_tree t)
{
	tsr_arg a = TSR_ARG_OF_(TSR_KIND_TREE);
	a.as.tree = t;
	return a;
}
TSR_INLINE_ tsr_arg tsr_arg_bool(bool b)
{
	tsr_arg a = TSR_ARG_OF_(TSR_KIND_BOOL);
	a.as.i = b;
	return a;
}
TSR_INLINE_ tsr_arg tsr_arg_int(int64_t i)
{
	tsr_arg a = TSR_ARG_OF_(TSR_KIND_INT);
	a.as.i = i;
	return a;
}
TSR_INLINE_ tsr_arg tsr_arg_uint(uint64_t u)
{
	tsr_arg a = TSR_ARG_OF_(TSR_KIND_UINT);
	a.as.u = u;
	return a;
}
TSR_INLINE_ tsr_arg tsr_arg_float(double f)
{
	tsr_arg a = TSR_ARG_OF_(TSR_KIND_FLOAT);
	a.as.f[0] = f;
	a.as.f[1] = 0;
	return a;
}
TSR_INLINE_ tsr_arg tsr_arg_complex(double real, double imag)
{
	tsr_arg a = TSR_ARG_OF_(TSR_KIND_COMPLEX);
	a.as.f[0] = real;
	a.as.f[1] = imag;
	return a;
}

#ifdef __cplusplus
}
#endif

#if defined __GNUC__ && !defined __cplusplus
#define TSR_MACROS_ /* the macro layer is there */
#include "keywords.h"

/* ---- what compilers say of a value of no type that there is: it is given to a function that takes
 * none, and whose name they tell. No such function is defined */
#define TSR_NEEDS_(returns, name) struct name { int none; }; returns name(struct name)
TSR_NEEDS_(tsr_arg, tsr_give_a_handle_or_a_number);
TSR_NEEDS_(tsr_arg, tsr_give_a_handle_a_tree_or_a_number);
TSR_NEEDS_(tsr_arg, tsr_give_a_number_and_no_handle);
TSR_NEEDS_(tsr_arg, tsr_give_a_handle_or_a_tree);
TSR_NEEDS_(tsr_ctx *, tsr_give_a_context_first);
TSR_NEEDS_(const char *, tsr_give_the_name_of_an_axis);
TSR_NEEDS_(tsr_out, tsr_give_the_address_of_a_handle_or_TSR_TREE);
TSR_NEEDS_(tsr_body, tsr_give_a_function_of_handles_or_a_fn);

/* ---- looking at a value twice without expanding it twice */
#define TSR_PREFIX_ TSR_CAT_(tsr_v_, __COUNTER__)
#define TSR_ONCE_(x, pick, v) __extension__({ __auto_type v = x; pick(v); })

TSR_INLINE_ tsr_arg tsr_arg_complex_(double _Complex c)
{
	return __extension__ tsr_arg_complex(__real__ c, __imag__ c);
}
#define TSR_NUMBERS_ \
	bool: tsr_arg_bool, char: tsr_arg_int, \
	signed char: tsr_arg_int, short: tsr_arg_int, int: tsr_arg_int, long: tsr_arg_int, \
	long long: tsr_arg_int, unsigned char: tsr_arg_uint, unsigned short: tsr_arg_uint, \
	unsigned: tsr_arg_uint, unsigned long: tsr_arg_uint, unsigned long long: tsr_arg_uint, \
	float: tsr_arg_float, double: tsr_arg_float, \
	float _Complex: tsr_arg_complex_, double _Complex: tsr_arg_complex_
TSR_INLINE_ tsr_arg tsr_arg_self_(tsr_arg a) { return a; }
#define TSR_HANDLES_ tsr *: tsr_arg_one, const tsr *: tsr_arg_one

/* an argument of a call: handle, tree, C number, or one of these as a tsr_arg; an operand: handle
 * or C number; a result: handle or tree */
#define TSR_ARG_PICK_(v) \
	_Generic((v), TSR_HANDLES_, tsr_tree: tsr_arg_tree, tsr_arg: tsr_arg_self_, \
		TSR_NUMBERS_, default: tsr_give_a_handle_a_tree_or_a_number)(v)
#define TSR_OPERAND_PICK_(v) \
	_Generic((v), TSR_HANDLES_, TSR_NUMBERS_, default: tsr_give_a_handle_or_a_number)(v)
#define TSR_NUMBER_PICK_(v) \
	_Generic((v), TSR_NUMBERS_, default: tsr_give_a_number_and_no_handle)(v)
#define TSR_RESULT_PICK_(v) \
	_Generic((v), TSR_HANDLES_, tsr_tree: tsr_arg_tree, \
		default: tsr_give_a_handle_or_a_tree)(v)
#define TSR_ARG(x)           TSR_ONCE_(x, TSR_ARG_PICK_, TSR_PREFIX_)

/* the context, or the context of a handle, mesh, fn or frame; the functions are those of
 * tsr/context.h */
TSR_INLINE_ tsr_ctx *tsr_ctx_self_(tsr_ctx *ctx) { return ctx; }
#define TSR_CTX_PICK_(v) _Generic((v), tsr_ctx *: tsr_ctx_self_, \
	tsr *: tsr_ctx_of, const tsr *: tsr_ctx_of, tsr_mesh *: tsr_mesh_ctx, \
	const tsr_mesh *: tsr_mesh_ctx, tsr_fn *: tsr_fn_ctx, const tsr_fn *: tsr_fn_ctx, \
	tsr_frame *: tsr_frame_ctx, const tsr_frame *: tsr_frame_ctx, \
	default: tsr_give_a_context_first)(v)
#define TSR_CTX(x) TSR_ONCE_(x, TSR_CTX_PICK_, TSR_PREFIX_)

/* ---- counting 1..8 arguments; 9..16 give a name that says what is wrong */
#define TSR_17TH_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, n, ...) n
#define TSR_N_(...) TSR_17TH_(__VA_ARGS__, at_most_8, at_most_8, at_most_8, at_most_8, at_most_8, \
	at_most_8, at_most_8, at_most_8, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TSR_M1_(m, a)      m(a)
#define TSR_M2_(m, a, ...) m(a), TSR_M1_(m, __VA_ARGS__)
#define TSR_M3_(m, a, ...) m(a), TSR_M2_(m, __VA_ARGS__)
#define TSR_M4_(m, a, ...) m(a), TSR_M3_(m, __VA_ARGS__)
#define TSR_M5_(m, a, ...) m(a), TSR_M4_(m, __VA_ARGS__)
#define TSR_M6_(m, a, ...) m(a), TSR_M5_(m, __VA_ARGS__)
#define TSR_M7_(m, a, ...) m(a), TSR_M6_(m, __VA_ARGS__)
#define TSR_M8_(m, a, ...) m(a), TSR_M7_(m, __VA_ARGS__)
#define TSR_MAP_(m, ...) TSR_CAT_(TSR_CAT_(TSR_M, TSR_N_(__VA_ARGS__)), _)(m, __VA_ARGS__)

/* ---- arguments of a call, each a variable of the block around the call: evaluated from left to
 * right, and a compound literal in one lives as long as the block. v: a prefix of their names */
#define TSR_LET_(v, k, a)    __auto_type TSR_CAT_(v, k) = a;
/* what an operation returns: where it is left unused, compilers say so */
TSR_INLINE_ __attribute__((warn_unused_result)) tsr *tsr_result_(tsr *x) { return x; }

#define TSR_OPERANDS2_(at, v, a, b) tsr_result_(__extension__({ \
	TSR_LET_(v, _0, a) TSR_LET_(v, _1, b) \
	at(TSR_HERE, (const tsr_arg[2]){TSR_OPERAND_PICK_(TSR_CAT_(v, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v, _1))}); }))
#define TSR_OPERANDS3_(at, v, a, b, c) tsr_result_(__extension__({ \
	TSR_LET_(v, _0, a) TSR_LET_(v, _1, b) TSR_LET_(v, _2, c) \
	at(TSR_HERE, (const tsr_arg[3]){TSR_OPERAND_PICK_(TSR_CAT_(v, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v, _2))}); }))
#define TSR_LET1_(v, a)      TSR_LET_(v, a1, a)
#define TSR_LET2_(v, a, ...) TSR_LET_(v, a2, a) TSR_LET1_(v, __VA_ARGS__)
#define TSR_LET3_(v, a, ...) TSR_LET_(v, a3, a) TSR_LET2_(v, __VA_ARGS__)
#define TSR_LET4_(v, a, ...) TSR_LET_(v, a4, a) TSR_LET3_(v, __VA_ARGS__)
#define TSR_LET5_(v, a, ...) TSR_LET_(v, a5, a) TSR_LET4_(v, __VA_ARGS__)
#define TSR_LET6_(v, a, ...) TSR_LET_(v, a6, a) TSR_LET5_(v, __VA_ARGS__)
#define TSR_LET7_(v, a, ...) TSR_LET_(v, a7, a) TSR_LET6_(v, __VA_ARGS__)
#define TSR_LET8_(v, a, ...) TSR_LET_(v, a8, a) TSR_LET7_(v, __VA_ARGS__)
#define TSR_LETS_(v, ...)    TSR_CAT_(TSR_CAT_(TSR_LET, TSR_N_(__VA_ARGS__)), _)(v, __VA_ARGS__)
#define TSR_PICK1_(pick, v)  pick(v##a1)
#define TSR_PICK2_(pick, v)  pick(v##a2), TSR_PICK1_(pick, v)
#define TSR_PICK3_(pick, v)  pick(v##a3), TSR_PICK2_(pick, v)
#define TSR_PICK4_(pick, v)  pick(v##a4), TSR_PICK3_(pick, v)
#define TSR_PICK5_(pick, v)  pick(v##a5), TSR_PICK4_(pick, v)
#define TSR_PICK6_(pick, v)  pick(v##a6), TSR_PICK5_(pick, v)
#define TSR_PICK7_(pick, v)  pick(v##a7), TSR_PICK6_(pick, v)
#define TSR_PICK8_(pick, v)  pick(v##a8), TSR_PICK7_(pick, v)
#define TSR_PICKS_(pick, v, ...) (const tsr_arg[]){ \
	TSR_CAT_(TSR_CAT_(TSR_PICK, TSR_N_(__VA_ARGS__)), _)(pick, v)}, TSR_N_(__VA_ARGS__)
/* 1_ or N_, by the number of arguments */
#define TSR_1N_(...) TSR_17TH_(__VA_ARGS__, N_, N_, N_, N_, N_, N_, N_, N_, N_, N_, N_, N_, N_, \
	N_, N_, 1_, 0)

/* declares what no jump into its block may pass: C forbids that for types whose size is computed */
TSR_INLINE_ size_t tsr_one_(void) { return 1; }
#define TSR_NO_JUMP_(v) \
	_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wvla\"") \
	char (*v)[tsr_one_()] __attribute__((unused)) = NULL; \
	_Pragma("GCC diagnostic pop")

/* ---- memory: the dtype of its elements, and which others it may hold (bits). Halves have
 * no type in C, parts of complex numbers one each, and void and char are bytes */
#define TSR_C_TYPES_(X) X(bool, TSR_BOOL, 0) \
	X(signed char, TSR_I8, 0) X(unsigned char, TSR_U8, 1u << TSR_BOOL) \
	X(short, TSR_I16, 0) X(unsigned short, TSR_U16, 1u << TSR_F16 | 1u << TSR_BF16) \
	X(int, TSR_I32, 0) X(unsigned, TSR_U32, 0) \
	X(long, sizeof(long) == 8 ? TSR_I64 : TSR_I32, 0) \
	X(unsigned long, sizeof(long) == 8 ? TSR_U64 : TSR_U32, 0) \
	X(long long, TSR_I64, 0) X(unsigned long long, TSR_U64, 0) \
	X(float, TSR_F32, 1u << TSR_C64) X(double, TSR_F64, 1u << TSR_C128) \
	X(float _Complex, TSR_C64, 0) X(double _Complex, TSR_C128, 0)
#define TSR_DTYPE_OF_(T, dtype, also) T *: dtype, const T *: dtype,
#define TSR_BITS_OF_(T, dtype, also) \
	T *: 1u << (dtype) | (also), const T *: 1u << (dtype) | (also),
#define TSR_ELEMENT_(p) _Generic((p), TSR_C_TYPES_(TSR_DTYPE_OF_) default: TSR_DTYPE_DEFAULT)
#define TSR_HOLDS_(p, dtype) \
	((_Generic((p), TSR_C_TYPES_(TSR_BITS_OF_) default: ~0u) | 1u) >> TSR_CONSTANT_(dtype) & 1)
#define TSR_MEMORY_(v) TSR_ELEMENT_(v), v
/* the dtype if it is a constant, else 0 */
#define TSR_CONSTANT_(dtype) \
	__builtin_choose_expr(__builtin_constant_p(dtype), (int)(dtype), 0)
#define TSR_ELEMENTS_(v, dtype, name) \
	enum { TSR_CAT_(v, _holds) = TSR_HOLDS_(v, dtype) }; \
	_Static_assert(TSR_CAT_(v, _holds), \
		name ": the memory holds numbers of another type than the dtype");
/* a dtype, which a text is not, although it may be cast to one */
#define TSR_CHECK_DTYPE_(d, says) \
	_Static_assert(_Generic((d), char *: 0, const char *: 0, tsr_dims: 0, default: 1), says);
/* where the memory is a compound literal with commas, its type is in the parentheses that it begins
 * with: TSR_PARENTHESES_AROUND_DATA_ (float[]){1, 2}, .. declares a pointer to a float[] */
char tsr_literal_unused_(const void *data, tsr_dtype dtype, tsr_dims dims);
#define TSR_PARENTHESES_AROUND_DATA_(...) \
	__typeof__(__VA_ARGS__) *tsr_literal_ __attribute__((unused)) = NULL; \
	(void)sizeof(tsr_literal_unused_((__VA_ARGS__)
#define TSR_LITERAL_TYPE_(...) TSR_PARENTHESES_AROUND_DATA_ __VA_ARGS__));
/* the same in an expression, which gives the dtype of the memory */
#define TSR_ELEMENTS_OF_(p, dtype) ((tsr_dtype)(TSR_ELEMENT_(p) + 0 * sizeof(struct { \
	int the_memory_holds_numbers_of_another_type_than_the_dtype : \
		TSR_HOLDS_(p, dtype) ? 1 : -1; })))

/* ---- arguments that are nothing, tsr_softmax(x), keywords, tsr_softmax(x, .dim = 1), or lists in
 * braces, tsr_zeros(ctx, {2, 3}), are told by their text, before the compiler comes to them */
#define TSR_CHECK_TEXT_(v, text, says) \
	enum { TSR_CAT_(v, _given) = sizeof text > 1 && __builtin_strncmp(text, ".", 1) != 0 && \
		__builtin_strncmp(text, "{", 1) != 0 && __builtin_strncmp(text, "[", 1) != 0 }; \
	_Static_assert(TSR_CAT_(v, _given), says);
/* TSR_OUT() gives a list of places and its length, which is no pointer (of class 5) */
#define TSR_CHECK_PLACES_(n, says) _Static_assert(__builtin_classify_type(n) < 5, says);
/* the text of what ends in the middle of a literal, tsr_from(ctx, (int[]){1}, TSR_DIMS(2)), and
 * of what begins with none: tsr_from(ctx, data, TSR_F32, {2, 3}) */
#define TSR_CHECK_LAST_(v, text, says) \
	enum { TSR_CAT_(v, _given) = __builtin_strcmp(&text[sizeof text - 2], "}") != 0 }; \
	_Static_assert(TSR_CAT_(v, _given), says);
#define TSR_CHECK_LITERAL_(v, text, says) \
	enum { TSR_CAT_(v, _given) = __builtin_strncmp(text, "(", 1) == 0 }; \
	_Static_assert(TSR_CAT_(v, _given), says);
/* a list of dims as a variable, and what is said of anything else */
#define TSR_LET_DIMS_(v, k, dims, says) \
	TSR_LET_(v, k, dims) \
	_Static_assert(__builtin_types_compatible_p(__typeof__(TSR_CAT_(v, k)), tsr_dims), says);
/* a text, which 0 is not, although C takes it for a pointer */
TSR_INLINE_ const char *tsr_axis_self_(const char *text) { return text; }
#define TSR_AXIS_TEXT_(s) _Generic((s), char *: tsr_axis_self_, const char *: tsr_axis_self_, \
	default: tsr_give_the_name_of_an_axis)(s)

/* ---- lists that know their length: 1 + the number of entries. The text of an argument is that
 * before macros in it are replaced, so that it stays short in nests. A comma behind the last entry,
 * as in Python's (3,), is none more */
#define TSR_1AND_(text, n) (sizeof text > 1 ? 1 + (n) - TSR_ENDS_IN_COMMA_(text) : 1)
#define TSR_ENDS_IN_COMMA_(text) !__builtin_strcmp(&(" " text)[sizeof text - 1], ",")
#define TSR_LEN1_(text, ...) TSR_1AND_(text, TSR_N_(__VA_ARGS__))

/* ---- places for results */
TSR_INLINE_ tsr_out tsr_out_one_(tsr **x) { return (tsr_out){.to = {.leaf = x, .count = 1}}; }
TSR_INLINE_ tsr_out tsr_out_tree_(tsr_tree t) { return (tsr_out){.to = t}; }
TSR_INLINE_ tsr_out tsr_out_self_(tsr_out o) { return o; }
TSR_INLINE_ tsr_out tsr_out_none_(void *null)
{
	(void)null;
	return (tsr_out){.own = TSR_PLACE_NONE};
}
#define TSR_OUT_PICK_(v) \
	_Generic((v), void *: tsr_out_none_, tsr **: tsr_out_one_, tsr_tree: tsr_out_tree_, \
		tsr_out: tsr_out_self_, \
		default: tsr_give_the_address_of_a_handle_or_TSR_TREE)(v)
/* expands twice, where there is no nest of calls: a literal in it must live as long as the list of
 * places */
#define TSR_OUT_(x) TSR_OUT_PICK_(x)

/* ---- bodies by their type */
#define TSR_FORM_(name, number, type) \
	TSR_INLINE_ tsr_body name(type) { return (tsr_body){.form = number, .raw = (tsr_raw)f}; }
TSR_FORM_(tsr_body_ctx_, TSR_FORM_CTX, tsr *(*f)(tsr_ctx *))
TSR_FORM_(tsr_body_1_, TSR_FORM_1, tsr *(*f)(tsr *))
TSR_FORM_(tsr_body_2_, TSR_FORM_2, tsr *(*f)(tsr *, tsr *))
TSR_FORM_(tsr_body_3_, TSR_FORM_3, tsr *(*f)(tsr *, tsr *, tsr *))
TSR_FORM_(tsr_body_4_, TSR_FORM_4, tsr *(*f)(tsr *, tsr *, tsr *, tsr *))
TSR_FORM_(tsr_body_t0_, TSR_FORM_TREE_0, tsr *(*f)(tsr_tree))
TSR_FORM_(tsr_body_t1_, TSR_FORM_TREE_1, tsr *(*f)(tsr_tree, tsr *))
TSR_FORM_(tsr_body_t2_, TSR_FORM_TREE_2, tsr *(*f)(tsr_tree, tsr *, tsr *))
TSR_FORM_(tsr_body_t3_, TSR_FORM_TREE_3, tsr *(*f)(tsr_tree, tsr *, tsr *, tsr *))
TSR_FORM_(tsr_body_frame_, TSR_FORM_FRAME, void (*f)(tsr_frame *))
TSR_INLINE_ tsr_body tsr_body_fn_(tsr_fn *fn) { return (tsr_body){.fn = fn}; }
#define TSR_BODY_PICK_(v) _Generic((v), \
	tsr *(*)(tsr_ctx *): tsr_body_ctx_, tsr *(*)(tsr *): tsr_body_1_, \
	tsr *(*)(tsr *, tsr *): tsr_body_2_, tsr *(*)(tsr *, tsr *, tsr *): tsr_body_3_, \
	tsr *(*)(tsr *, tsr *, tsr *, tsr *): tsr_body_4_, tsr *(*)(tsr_tree): tsr_body_t0_, \
	tsr *(*)(tsr_tree, tsr *): tsr_body_t1_, tsr *(*)(tsr_tree, tsr *, tsr *): tsr_body_t2_, \
	tsr *(*)(tsr_tree, tsr *, tsr *, tsr *): tsr_body_t3_, \
	void (*)(tsr_frame *): tsr_body_frame_, tsr_fn *: tsr_body_fn_, \
	default: tsr_give_a_function_of_handles_or_a_fn)(v)
#define TSR_BODY(f) TSR_ONCE_(f, TSR_BODY_PICK_, TSR_PREFIX_)

/* ---- fields of a tree are handles, or trees of them: each of the first 256 leaves is initialised
 * with a handle, which no other type takes. A field too small for a handle shows in the size of the
 * union */
#define TSR_4_(h)   h, h, h, h
#define TSR_16_(h)  TSR_4_(h), TSR_4_(h), TSR_4_(h), TSR_4_(h)
#define TSR_64_(h)  TSR_16_(h), TSR_16_(h), TSR_16_(h), TSR_16_(h)
#define TSR_256_(h) TSR_64_(h), TSR_64_(h), TSR_64_(h), TSR_64_(h)
#define TSR_FIELDS_(...) #__VA_ARGS__
#define TSR_TREE_CHECK_(T) \
	_Static_assert(sizeof(T) == sizeof(((T *)0)->leaf), \
		#T " holds something other than handles"); \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wmissing-braces\"") \
	_Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"") \
	_Pragma("GCC diagnostic error \"-Wint-conversion\"") \
	_Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"") \
	_Static_assert(sizeof((struct { T tree; tsr *rest[256]; }){TSR_256_((tsr *)0)}) != 0, #T); \
	_Pragma("GCC diagnostic pop")

/* ---- the text of a tree's fields names the types of trees inside it, but no macro can turn these
 * names into records. So the linker collects all tree types of a program in one section; those of
 * one file have the address of that file's tsr_tree_unit_ */
extern const tsr_tree_type *const __start_tsr_tree_types[]
	__attribute__((weak, visibility("hidden")));
extern const tsr_tree_type *const __stop_tsr_tree_types[]
	__attribute__((weak, visibility("hidden")));
static const tsr_tree_unit tsr_tree_unit_ __attribute__((unused)) =
	{__start_tsr_tree_types, __stop_tsr_tree_types};
#define TSR_TREE_LIST_(T) \
	static const tsr_tree_type *const T##_listed_ \
		__attribute__((used, section("tsr_tree_types"))) = &T##_tree_
#endif

#endif
