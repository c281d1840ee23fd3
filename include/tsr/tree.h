/* tsr/tree.h - trees of handles: a function of each leaf, the names of leaves, and all leaves as
 * one vector.
 *
 * A tree is a record of handles, of other trees, and of arrays of these (TSR_TREE_TYPE() in
 * tsr/transform.h). Its leaves have an order, that of the fields, and each has a path, which is
 * written as C writes it:
 *
 *     TSR_TREE_TYPE(dense, { tsr *w, *b; });
 *     TSR_TREE_TYPE(mlp, { dense layer[2]; tsr *scale; });
 *     ...
 *     mlp w, g;
 *     tsr_tree_map(TSR_TREE(mlp, &g), tsr_zeros_like, TSR_TREE(mlp, &w));
 *     puts(tsr_tree_path(TSR_TREE(mlp, &w), 3)); -> layer[1].b
 *
 * A leaf that is NULL is absent. Errors of all: a tree that has leaves and no memory of them, trees
 * with different numbers of leaves, or an absent leaf beside one that is there
 * (TSR_ERROR_ARGUMENT). Nothing here is collective across processes. */
/* Made by tools/make_headers.py of api/tree.h.in: change that one. */
/** @file */
#ifndef TSR_TREE_H
#define TSR_TREE_H
#include "array.h"
#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A function of each leaf, into the leaves of `to`, which may be the same tree; absent leaves stay
 * absent: tsr_tree_map(TSR_TREE(mlp, &g), tsr_zeros_like, TSR_TREE(mlp, &w)). f: a C function of
 * one handle, which is called as it is, outside of bodies too; or a fn. false on failure;
 * leaves that could not be made are poison then. Error (TSR_ERROR_ARGUMENT): f takes something
 * else. */
TSR_API bool tsr_tree_map_at(const char *where, tsr_tree to, tsr_body f, tsr_tree x);
/** Calls f with the leaves of several trees that belong together, leaf by leaf, and puts what it
 * gives into the leaves of `to`. Handles and C numbers among the arguments are the same for all
 * leaves: tsr_tree_zip(TSR_TREE(mlp, &w), descend, TSR_TREE(mlp, &w), TSR_TREE(mlp, &g), 0.1) calls
 * descend(w, g, 0.1) of each w and its g. f: a C function of as many handles, 1 to 4, or a fn.
 * Error (TSR_ERROR_ARGUMENT): no tree among the arguments. */
TSR_API bool tsr_tree_zip_at(const char *where, tsr_tree to, tsr_body f, const tsr_arg *args,
                             size_t n);
/** The path of leaf k: "attention.Wq", "layer[3].w"; "[3]" in a tree without a type, and where the
 * fields of a type are not known by its text, "leaf[3]". Valid until the innermost scope ends.
 * Error (TSR_ERROR_ARGUMENT, gives ""): there is no leaf k. */
TSR_API const char *tsr_tree_path_at(const char *where, tsr_tree tree, size_t k);
/** tsr_allclose() of all leaves: tsr_tree_allclose(TSR_TREE(mlp, &a), TSR_TREE(mlp, &b), 1e-5,
 * 1e-8). Leaves that are absent in both are close. */
TSR_API bool tsr_tree_allclose_at(const char *where, tsr_tree a, tsr_tree b, double rtol,
                                  double atol);
/** The root of the sum of |x|^2 over all elements of all leaves, a scalar of the dtype that they
 * promote to: tsr_tree_norm(TSR_TREE(mlp, &g)). 0 of no leaves. */
TSR_OP tsr *tsr_tree_norm_at(const char *where, tsr_tree x);
/** Number of elements of all leaves: of a model, its number of parameters. */
TSR_API int64_t tsr_tree_size(tsr_tree x);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_tree_path_at() as a value. */
TSR_API const char *tsr_tree_path(tsr_tree tree, size_t k);
/** tsr_tree_allclose_at() as a value. */
TSR_API bool tsr_tree_allclose(tsr_tree a, tsr_tree b, double rtol, double atol);
/** tsr_tree_norm_at() as a value. */
TSR_OP tsr *tsr_tree_norm(tsr_tree x);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_tree_map(to, f, x) TSR_TREE_MAP_(TSR_PREFIX_, to, f, x)
#define TSR_TREE_MAP_(v_, to, f, x) \
	__extension__({ TSR_LET_(v_, _1, f) tsr_tree_map_at(TSR_HERE, to, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), x); })
#define tsr_tree_zip(to, ...) \
	TSR_CAT_(TSR_TREE_ZIP_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, to, __VA_ARGS__)
#define TSR_TREE_ZIP_1_(v_, to, f) \
	__extension__({ TSR_LET_(v_, _1, f) tsr_tree_zip_at(TSR_HERE, to, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), NULL, 0); })
#define TSR_TREE_ZIP_N_(v_, to, f, ...) \
	__extension__({ TSR_LET_(v_, _1, f) TSR_LETS_(v_, __VA_ARGS__) tsr_tree_zip_at(TSR_HERE, \
		to, TSR_BODY_PICK_(TSR_CAT_(v_, _1)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); \
		})
#define tsr_tree_path(tree, k) tsr_tree_path_at(TSR_HERE, tree, k)
#define tsr_tree_allclose(a, b, rtol, atol) tsr_tree_allclose_at(TSR_HERE, a, b, rtol, atol)
#define tsr_tree_norm(x) tsr_tree_norm_at(TSR_HERE, x)
#endif

#endif
