/* tsr/detail/operators.hpp - the operators of arrays. Part of tsr/tsr.hpp.
 *
 * Each is the function of C with numbers on either side, element by element: a == b is an array of
 * bools. a % b has the sign of b, as in Python, and a / b of integers is a float. */
#ifndef TSR_DETAIL_OPERATORS_HPP
#define TSR_DETAIL_OPERATORS_HPP
#include "ops.hpp"

namespace tsr {

#define TSR_OPERATOR_(sign, name) \
	inline array operator sign(const operand &a, const operand &b) { return name(a, b); }
TSR_OPERATOR_(+, add)
TSR_OPERATOR_(-, sub)
TSR_OPERATOR_(*, mul)
TSR_OPERATOR_(/, div)
TSR_OPERATOR_(%, remainder)
TSR_OPERATOR_(==, eq)
TSR_OPERATOR_(!=, ne)
TSR_OPERATOR_(<, lt)
TSR_OPERATOR_(<=, le)
TSR_OPERATOR_(>, gt)
TSR_OPERATOR_(>=, ge)
TSR_OPERATOR_(&, bitwise_and)
TSR_OPERATOR_(|, bitwise_or)
TSR_OPERATOR_(^, bitwise_xor)
TSR_OPERATOR_(<<, shift_left)
TSR_OPERATOR_(>>, shift_right)
#undef TSR_OPERATOR_

#define TSR_ASSIGN_(sign, name) \
	inline array &operator sign(array &a, const operand &b) { return a = name(a, b); }
TSR_ASSIGN_(+=, add)
TSR_ASSIGN_(-=, sub)
TSR_ASSIGN_(*=, mul)
TSR_ASSIGN_(/=, div)
TSR_ASSIGN_(%=, remainder)
#undef TSR_ASSIGN_

inline array array::operator-() const { return neg(*this); }
inline array array::operator~() const { return bitwise_not(*this); }
inline array array::operator!() const { return logical_not(*this); }
inline array array::operator[](std::int64_t i) const { return index(*this, 0, i); }

} // namespace tsr
#endif
