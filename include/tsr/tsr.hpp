/* tsr/tsr.hpp - Tessera for C++17: arrays that own their handles, lambdas as bodies, exceptions. In
 * place of tsr/tsr.h, and header only: link with libtsr.
 *
 *     #include <tsr/tsr.hpp>
 *
 *     int main()
 *     {
 *             tsr::context ctx(4);
 *             tsr::mesh m(ctx, {{"x", 2}, {"y", 2}});
 *             tsr::array a = tsr::of(ctx, {{0.0, 1.0, 2.0, 3.0}, {4.0, 5.0, 6.0, 7.0}});
 *             auto f = tsr::shard_map(m, [](tsr::array a, tsr::array b) {
 *                     return tsr::psum(tsr::dot(a, b), "y");
 *             }, tsr::shard_map_args().sig("[x,y] [y,-] -> [x,-]"));
 *             tsr::print(f(a, tsr::t(a)));
 *     }
 *
 * Headers, in the order of reading: detail/core.hpp (contexts, arrays, errors), values.hpp (dims,
 * meshes, operands, memory), tree.hpp (trees from aggregates), body.hpp and fn.hpp (functions and
 * lambdas as fns), control.hpp (branches, loops, callbacks), keywords.hpp and ops.hpp (made: all
 * keywords and functions), operators.hpp. docs/cxx-and-fortran.md begins with examples. */
#ifndef TSR_TSR_HPP
#define TSR_TSR_HPP
#include "detail/core.hpp"
#include "detail/values.hpp"
#include "detail/tree.hpp"
#include "detail/body.hpp"
#include "detail/keywords.hpp"
#include "detail/fn.hpp"
#include "detail/control.hpp"
#include "detail/call.hpp"
#include "detail/ops.hpp"
#include "detail/operators.hpp"

#endif
