/* draw.h - checks keys and draws by one program, for all samplers. */
#ifndef TSR_SRC_LIB_DRAW_H
#define TSR_SRC_LIB_DRAW_H
#include "lib/lib.h"

/* The elements that a sampler makes: an array of these dims; or of an array with the dims `whole`
 * the part that begins at the indices `start`, an integer for each dim. start NULL: there is no
 * larger array */
typedef struct sample_box {
	tsr_dims dims, whole;
	tsr *start;
} sample_box;

/* What is drawn. Plain bytes: outside of bodies it is the .env of a fn, so that an array is made by
 * one program, in one pass over its memory. */
typedef struct draw draw;
/* x: the parameters, of which there are as many as draw_run was given */
typedef tsr *sampler(const call_site *, const draw *, tsr *key, const sample_box *, tsr *const *x);
struct draw {
	sampler *sample;
	int64_t dtype, number, flags; /* number, flags: what else the sampler must know */
	tsr_dims dims, whole;
};
enum { MAX_DRAW_ARGS = 6 };
enum { DRAW_HIGH = 1, DRAW_ONCE = 2, DRAW_FROM = 4, DRAW_WEIGHED = 8 };

/* the dtypes that a sampler has */
typedef enum draws { DRAWS_BITS, DRAWS_INTEGERS, DRAWS_FLOATS, DRAWS_INEXACT } draws;

/* ---- draw.c */
/* one key, whose context becomes the site's. false: recorded */
bool key_ok(call_site *, tsr *key);
/* Checks the key, the dims and the dtype; given 0 is what is usual for these. false: recorded */
bool draw_begin(call_site *, tsr *key, draw *, tsr_dtype given, draws);
/* is it an integer of either kind? */
static inline bool is_integer(tsr_dtype t)
{
	return dtype_kind(t) == KIND_INT || dtype_kind(t) == KIND_UINT;
}
/* the keywords .whole and .start of a sampler. false: recorded */
bool place_ok(const call_site *, draw *, const tsr_dims *whole, tsr *start);
/* Checks parameters, handles of the site's context or C numbers, and that the dims of the draw are
 * those that they broadcast to; if these are not given, they become so. false: recorded */
bool parameters_ok(const call_site *, draw *, const tsr_arg *, int n);
/* a parameter [..., n]. false: recorded */
bool vector_ok(call_site *, const char *what, tsr *x, int64_t *n);
/* One more dim of size n behind .dims, where they are given. false: they are no list, or have no
 * room, recorded */
bool last_dim_added(const call_site *, tsr_dims *, int64_t n);
/* a box with a new dim of n at `at`, all of which each element needs */
bool box_widened(const call_site *, sample_box *, int at, int64_t n);
/* the dtype in which a parameter, probabilities say, is computed with: its own, of integers and C
 * numbers that of floats */
tsr_dtype inexact_dtype_of(tsr *parameter);
/* dim `from` as the first one, or as the last one */
tsr *dim_to_end(const call_site *, tsr *x, int from, bool first);
/* a key, the start of the place or NULL, and parameters: handles of its context or C numbers */
tsr *draw_run(const call_site *, const draw *, tsr *key, tsr *start, const tsr_arg *args, int n);
/* all of this for a sampler that needs a key alone, and for one with n parameters */
tsr *draw_simple(call_site *, sampler *, tsr *key, tsr_dims, const tsr_draw_args *given,
                 draws);
tsr *draw_with(call_site *, sampler *, tsr *key, const tsr_arg *parameters, int n,
               const tsr_sample_args *given, draws);

/* ---- keys.c: of a checked key */
tsr *bits_of_key(const call_site *, tsr *key, tsr_dtype, const sample_box *);
/* a new key for each place, as u64: the first word above the second one */
tsr *key_of_each(const call_site *, tsr *key, const sample_box *);
/* n new keys. false: all are poison */
bool keys_of_key(const call_site *, tsr *key, tsr **out, size_t n);

/* ---- samplers.c, samplers_real.c, samplers_whole.c: as parts of other samplers */
tsr *unit_of_key(const call_site *, tsr *key, tsr_dtype, const sample_box *); /* 0 <= y < 1 */
/* the same, and with the digits behind those of the result another one, *rest */
tsr *unit_and_rest(const call_site *, tsr *key, tsr_dtype, const sample_box *, tsr **rest);
int digits_of(tsr_dtype); /* behind the point of 1.0 */
tsr *uniform_of_key(const call_site *, tsr *key, tsr_dtype, const sample_box *, tsr *low,
                    tsr *high);
tsr *normal_of_key(const call_site *, tsr *key, tsr_dtype, const sample_box *);
/* high: JAX's mode="high" */
tsr *gumbel_of_key(const call_site *, tsr *key, tsr_dtype, const sample_box *, bool high);
tsr *exponential_of_key(const call_site *, tsr *key, tsr_dtype, const sample_box *);
/* -1 or 1, in the dtype */
tsr *sign_of_key(const call_site *, tsr *key, tsr_dtype, const sample_box *);
tsr *below_of_key(const call_site *, tsr *key, const sample_box *, int64_t n); /* 0 <= y < n */

/* ---- words for samplers */

/* the public function of a sampler that needs a key alone, or one or two parameters; of: its
 * dtypes */
#define SAMPLER(name, sample, of) \
	tsr *tsr_##name##_at(const char *where, tsr *key, tsr_dims dims, \
	                     const tsr_draw_args *args) \
	{ \
		return draw_simple(&(call_site){.where = where, .op = #name}, sample, key, dims, \
		                   args, DRAWS_##of); \
	}
#define SAMPLER_1(name, sample, p, of) \
	tsr *tsr_##name##_at(const char *where, tsr *key, tsr_arg p, const tsr_sample_args *args) \
	{ \
		return draw_with(&(call_site){.where = where, .op = #name}, sample, key, &p, 1, \
		                 args, DRAWS_##of); \
	}
#define SAMPLER_2(name, sample, p, q, of) \
	tsr *tsr_##name##_at(const char *where, tsr *key, tsr_arg p, tsr_arg q, \
	                     const tsr_sample_args *args) \
	{ \
		return draw_with(&(call_site){.where = where, .op = #name}, sample, key, \
		                 (tsr_arg[]){p, q}, 2, args, DRAWS_##of); \
	}
/* a sampler, in whose body x are the parameters; OF: those in the dtype that is drawn */
#define SAMPLE(name) \
	static tsr *name(const call_site *site, const draw *d, tsr *key, const sample_box *at, \
	                 tsr *const *x)
#define DTYPE ((tsr_dtype)d->dtype)
#define OF(i) RTO(DTYPE, x[i])
#define UNIT unit_of_key(site, key, DTYPE, at)

#endif
