/* values.h - declares the facts about each value of a program that values.c finds, and the
 * questions that results.c asks. */
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

/* ---- overlap.c */
/* (*busy)[w]: nanoseconds that all waves before w compute, if each is as early as can be; NULL: no
 * transfer ends here. false: no memory */
bool find_busy(const level *, double **busy);
/* the wave of an equation that can be in wave `first`: a later one, if it is the end of a transfer
 * and there is work of nwaves waves to do meanwhile */
int32_t end_wave(const level *, const eqn *, int32_t first, const double *busy, int32_t nwaves);
/* by wave: the first one from there on in which a transfer ends; nwaves: none does. NULL: no
 * memory */
int32_t *find_next_ends(const level *);

/* ---- results.c */
/* nothing reads this input any more: an output may take its memory. false: no memory */
bool vacate(level *, struct value *);

#endif
