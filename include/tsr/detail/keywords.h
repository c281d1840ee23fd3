/* tsr/detail/keywords.h - the keywords of a call as a variable of the block around it.
 *
 * What is an error here, whatever warnings the caller has on:
 *
 *     tsr_sum(x, 1), tsr_sum(x, .dims = 1)   gcc: no number is a pointer; clang: unavailable
 *     tsr_sum(x, 0), tsr_sum(x, .dims = 0)   gcc, where a 0 is a pointer: braces are missing
 *     tsr_sum(x, .keep = true, 1)            gcc: a member without its name
 *     tsr_sum(x, .where = 1)                 no number is a handle
 *
 * gcc is silent about what it finds in a system header, as installed ones are, and the brace that
 * is missing beside the 0 belongs to this text. So the line below with a number and no flag says
 * that what follows is from no system header, and from a file of another name. That is what the
 * message begins with; it names the caller's line too. */
#ifndef TSR_DETAIL_KEYWORDS_H
#define TSR_DETAIL_KEYWORDS_H
#ifdef __clang__
#define TSR_KW_ERRORS_ _Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic error \"-Wint-conversion\"")
#else
#define TSR_KW_LINE_
#define TSR_KW_ERRORS_ _Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic error \"-Wdesignated-init\"") \
	_Pragma("GCC diagnostic error \"-Wint-conversion\"") \
	_Pragma("GCC diagnostic error \"-Wmissing-braces\"")
#pragma GCC system_header
#endif
/* 3_ for three arguments before the empty one at the end, 3N_ for more; -Wpedantic of gcc would
 * have a word to say about how */
#define TSR_3N_(a, b, c, ...) TSR_CAT_(3##__VA_OPT__(N), _)
/* an argument; where there is none, a name that nothing has and that says so */
#define TSR_GIVEN_(says, ...) \
	TSR_CAT_(TSR_CAT_(TSR_GIVEN, 0##__VA_OPT__(1)), _)(says, __VA_ARGS__)
#define TSR_GIVEN01_(says, ...) __VA_ARGS__
#define TSR_GIVEN0_(says, ...) says
#ifdef TSR_KW_LINE_
# 1 "<write keywords as .name = value, dims as TSR_DIMS(0), operands as TSR_ARG(0)>"
#endif
/* The macros append an empty argument: what is left behind the others is then either empty or ends
 * in a comma, and both may end an initialiser */
#define TSR_KW_(T, v, ...) TSR_KW_ERRORS_ \
	const T v = {.size = sizeof(T), __VA_ARGS__}; _Pragma("GCC diagnostic pop")
#endif
