/* values.h - what values.c knows of each value of a program, and results.c asks. */
#ifndef TSR_SRC_ENGINE_PLAN_VALUES_H
#define TSR_SRC_ENGINE_PLAN_VALUES_H
#include "engine/plan/plan.h"

struct value {
	int32_t whole; /* what it is a part of; itself: it is a whole */
	int64_t delta; /* where in the whole, bytes */
	int64_t bytes;
	int32_t ready; /* the first wave that can use it */
	int32_t maker; /* 1 + the equation; 0: an input or a literal */
	int32_t input; /* 1 + its number; 0: none */
	bool is_result;
	/* of a whole */
	place at;
	bool owned;    /* its memory comes from this level's storage */
	int32_t last;  /* the last wave that uses it or a part; INT32_MAX: a result */
	int32_t nuses; /* how many operands of that wave are it or a part of it */
	int32_t next;  /* in the list of those that end with the same wave, or of vacant inputs */
	const wanted *want;
};

static inline struct value *value_at(const level *l, var v) { return &l->value[v.id]; }

/* ---- values.c */
/* what a value is a part of, or itself; *delta: where in it, bytes */
struct value *whole_of(const level *, var, int64_t *delta);
/* the whole ends with its last wave */
void end_with(const level *, struct value *);

/* ---- waves.c */
/* the waves of all equations, once it is known which are idle. false: no memory */
bool find_waves(level *, const wanted *);

/* ---- results.c */
/* nothing reads this input any more: an output may take its memory. false: no memory */
bool vacate(level *, struct value *);

#endif
