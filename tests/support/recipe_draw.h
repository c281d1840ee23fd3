/* recipe_draw.h - inside the drawing of recipes. */
#ifndef TSR_TESTS_RECIPE_DRAW_H
#define TSR_TESTS_RECIPE_DRAW_H
#include "support/recipe.h"

/* a region being drawn */
typedef struct site {
	recipe *r;
	region *g;
	uint64_t *dice;
	const recipe_limits *limits;
	int levels;         /* of derivatives around it */
	bool slopes;        /* there are some, or rules that say them */
	uint32_t forbidden; /* axes over which nothing may be exchanged: devices may take different
	                       branches along them */
} site;

int size_most(const recipe *); /* elements of a value */
enum { DEEPEST = 4, LEVELS_MOST = 3 };

/* what a region is to be */
typedef struct plan {
	nest_kind kind[DEEPEST]; /* of the nests in it, outermost first */
	int depth;
	const form *like; /* of the first nlike results; of the first `typed` what varies too */
	int nlike, typed;
	bool scalar;    /* the first result has no dims */
	bool bare;      /* nothing but the nest */
	uint32_t clear; /* axes over which the first result may not vary */
} plan;

/* ---- recipe_draw.c */
bool draw_region(site *, const plan *);

/* ---- recipe_nests.c */
site site_of(const site *around, int region);
/* A new region, of which there must be one left, with the axes of this one in scope; its inputs are
 * the nest's arguments. In a branch, what a body takes from outside and what is differentiated by
 * varies over the axes over which devices part */
int region_new(site *, const nest *);
uint32_t bound_bits(const site *, bool mesh); /* axes in scope, of the mesh or of batches */
bool draw_body(site *inner, const nest *, plan *);
const form *result_form(const site *, int k);
bool grow_form(form *, int at, int size); /* one more dim; false: there are too many */
/* the first nest of the plan; false: it does not fit, and all is as before */
bool draw_nest(site *, const plan *);

/* ---- recipe_nests_map.c. Each kind of nest draws its region and gives the forms of the nest's
 * results; 0: it does not fit */
typedef int draw_kind(site *, nest *, const plan *, plan *, form *made);
draw_kind draw_vmap, draw_shard_map, draw_pmap;

/* ---- chance */

int dice_below(uint64_t *dice, int n); /* 0 .. n - 1 */
bool dice_chance(uint64_t *dice, int percent);
void dice_shuffle(uint64_t *dice, int *v, int n); /* the numbers 0 .. n - 1 */
/* some axes of a set in any order, at least `least` of them, each with this chance */
axis_list some_axes(uint64_t *dice, const recipe *, uint32_t set, int percent, int least);
uint32_t mesh_bits(const recipe *);
void split_by(split *, int dim, int axis); /* by one more, behind the others */

/* ---- recipe_propose_exchange.c */
uint32_t nameable(const site *);                  /* axes that a collective may name here */
int members_of(const recipe *, const exchange *); /* of the first group */
/* What it makes of an operand of the form *to (and of `with`, for ragged). false: it does not fit
 */
bool exchange_form(const recipe *, const exchange *, bool unchecked, const form *with, form *to);
bool propose_exchange(site *);

/* ---- recipe_propose_random.c */
/* a key of the region, of several at once if ndim is 2; 0: of any kind; -1: there is none */
int some_key(site *, int ndim);
int add_folded(site *, int key); /* a new key of it, as step_add */
/* a key, or numbers that one draws; false: it did not fit */
bool propose_random(site *);

/* ---- recipe_propose.c: single steps. They give the number of the first value made, -1 if there is
 * no room. */
int step_add(site *, step *, const form *made, int n);
bool propose_step(site *); /* any step but a nest; false: it did not fit */
int add_unary(site *, op, int x);
int add_cast(site *, int x, uint32_t axes);
int add_psum(site *, int x, uint32_t axes); /* the mean: the psum, scaled */
int add_reduction(site *, op, int x);       /* of all dims */
int add_expanded(site *, int x);            /* with a dim 0 of size 1 */
/* x as a value of these dims: as it is, or its sum everywhere */
int add_fitted(site *, int x, const form *);
int add_sum(site *, int a, int b); /* a and b, as a value of the dims of a */
int some_value(site *); /* no key */
int last_value(const site *);
/* where a part begins: a number, or where the point is along an axis, over which *to varies then */
void draw_start(site *, step *, form *to);
const form *form_of(const site *, int value);
void drop_dim(form *, int dim);
void insert_dim(form *, int dim, int size);
axis_list listed(uint32_t axes); /* in the order of their numbers */

#endif
