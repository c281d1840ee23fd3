/* tsr/detail/call.hpp - turns arguments and results of the functions in ops.hpp into those of C and
 * back. Part of tsr/tsr.hpp. */
#ifndef TSR_DETAIL_CALL_HPP
#define TSR_DETAIL_CALL_HPP
#include "control.hpp"

namespace tsr {

/** A rate of learning: a number, or a fn of the number of the step. */
class rate {
public:
	rate(double value) : r_() { r_.value = value; }
	rate(const fn &schedule) : r_() { r_.schedule = schedule.get(); }
	tsr_rate get() const { return r_; }

private:
	tsr_rate r_;
};

namespace detail {

inline tsr_ctx *context_of_leaves(tsr_handle *const *leaf, std::size_t n)
{
	for (std::size_t i = 0; i < n; i++)
		if (leaf[i]) return tsr_ctx_of(leaf[i]);
	return recent_context();
}
inline tsr_ctx *context_of_tree(const tree &t)
{
	return context_of_leaves(t.get().leaf, t.size());
}
inline tsr_ctx *context_of_arrays(const arrays &a) { return context_of_leaves(a.data(), a.size()); }

inline std::string text_of(const char *text) { return text ? text : ""; }

/* handles that a call has made, and those of a tree */
inline std::vector<array> take(tsr_handle *const *out, std::size_t n)
{
	std::vector<array> all;
	for (std::size_t i = 0; i < n; i++) all.push_back(array::adopt(out[i]));
	return all;
}
template <std::size_t n> std::array<array, n> take(tsr_handle *const (&out)[n])
{
	std::array<array, n> all;
	for (std::size_t i = 0; i < n; i++) all[i] = array::adopt(out[i]);
	return all;
}
inline std::vector<array> leaves_of(const tsr_tree &t)
{
	std::vector<array> all;
	for (std::size_t i = 0; i < t.count; i++)
		all.push_back(t.leaf[i] ? array::adopt(t.leaf[i]) : array());
	return all;
}

/* a tree whose leaves a call replaces */
template <class T> class written {
public:
	explicit written(T &x) : x_(x), all_(x), before_(all_.handle) {}
	tsr_tree get() { return all_.tree(); }
	void take()
	{
		std::size_t at = 0;
		each_leaf(x_, [&](array &leaf) {
			tsr_handle *now = all_.handle[at];
			if (now != before_[at++]) leaf = now ? array::adopt(now) : array();
		});
	}

private:
	T &x_;
	leaves<T> all_;
	std::vector<tsr_handle *> before_;
};

} // namespace detail
} // namespace tsr
#endif
