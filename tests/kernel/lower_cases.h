/* lower_cases.h - the cases of rows that kernels compute: every dtype, ranks 0 to 4, sizes around
 * lanes and blocks. The tests of kernels and of compiled kernels share them. */
#ifndef TSR_TESTS_KERNEL_LOWER_CASES_H
#define TSR_TESTS_KERNEL_LOWER_CASES_H
#include "kernel/kernel_rig.h"
#include "support/row_cases.h"

/* what is wrong with the kernel of a program; NULL: nothing, or it is too large (*fits is false) */
typedef const char *kernel_check(const program *, uint64_t *random, bool *fits);

static const char *const shapes[] = {"", "0", "1", "17", "3,0", "2,3", "2,1,3", "2,3,1,2", "500"};
/* L; the other sizes are these always */
static const int64_t sizes[] = {0, 1, 2, 15, 16, 17, 255, 256, 257, 1100};

/* how many of either the case has */
static inline size_t shapes_of(const row_case *c)
{
	return row_has(c, "S") ? ARRAY_LEN(shapes) : 1;
}

static inline size_t sizes_of(const row_case *c)
{
	return row_has(c, "L") ? ARRAY_LEN(sizes) : 1;
}

static inline bool is_lowered(rig *r, const row_case *c)
{
	const tsr_prim *p = prim_named(&r->ir, c->equation, strcspn(c->equation, " "));

	if (!p) fail_msg("%s: no such row", c->equation);
	return p->lower && row_law(c, LOWERED);
}

/* of these sizes A, B, C, D and L. Whether the row takes the dtype */
static inline bool case_of_sizes(rig *r, const row_case *c, const char *dims,
                                 const int64_t size[5], tsr_dtype dtype, kernel_check *check,
                                 int draws)
{
	static uint64_t random = 1;
	const row_letters l = row_letters_of(tsr_dtype_name(dtype), dims, size);
	const row_texts t = row_texts_of(c, &l);
	bool fits;

	program *p = rig_parse(r, t.operands, t.equation, t.results, dtype);
	if (!p) {
		error_clear(&r->base);
		return false;
	}
	for (int draw = 0; draw < draws; draw++) {
		const char *fault = check(p, &random, &fits);
		if (!fault && fits) continue;
		print_both(p);
		fail_msg("%s | %s | %s, %s: %s", t.operands, t.equation, t.results,
		         tsr_dtype_name(dtype), fits ? fault : "too large");
	}
	program_release(p);
	return true;
}

static inline bool one_case(rig *r, const row_case *c, const char *dims, int64_t large,
                            tsr_dtype dtype, kernel_check *check, int draws)
{
	return case_of_sizes(r, c, dims, (const int64_t[]){2, 3, 4, 5, large}, dtype, check,
	                     draws);
}

#endif
