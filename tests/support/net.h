/* net.h - the six-layer relu network of the golden examples s0x.net_*: its mean squared error,
 * computed plainly and in five parallel forms. */
#ifndef TESTS_SUPPORT_NET_H
#define TESTS_SUPPORT_NET_H
#include <stdbool.h>
#include <tsr/tsr.h>

enum { LAYERS = 6, STAGES = 2, MICRO = 8 };

TSR_TREE_TYPE(dense, { tsr *w, *b; });
TSR_TREE_TYPE(net, { dense layer[LAYERS]; });
/* the four inner layers lie behind each other along a new dim 0 */
TSR_TREE_TYPE(pipeline, { dense first, inner, last; });

/* ---- losses of parameters (a net), inputs and targets */

tsr *plain_loss(tsr_tree params, tsr *inputs, tsr *targets);
/* over the axis "batch" of 8 devices; each has all parameters */
tsr_fn *dp_fn(tsr_mesh *m, bool unchecked);
/* the same, with parameters that are split too, and gathered where they are used */
tsr_fn *fsdp_fn(tsr_mesh *m, bool unchecked);
/* over the axis "feats" of 8 devices: a map for each product, inside jit */
tsr_fn *tp_fn(tsr_mesh *m, bool unchecked);
/* over "batch", 4, and "feats", 2: parameters gathered over the first, sums scattered over the
 * second */
tsr_fn *fsdp_tp_fn(tsr_mesh *m, bool unchecked);

/* each leaf on a mesh, split as the spec says */
void put_all(tsr_tree tree, const tsr_mesh *mesh, tsr_spec spec);

/* ---- a pipeline over the axis "stages": parameters are a pipeline */

pipeline packed(const net *params);
net unpacked(const pipeline *p);
/* how the leaves of a pipeline are split */
extern const tsr_spec pp_specs[6];
tsr_fn *pp_fn(tsr_mesh *m, bool unchecked);
/* what a device predicts for its part of the inputs; a body of a map */
tsr *pp_predict(tsr_tree params, tsr *inputs);
#endif
