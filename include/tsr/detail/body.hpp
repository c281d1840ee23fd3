/* tsr/detail/body.hpp - functions and lambdas of C++ as bodies of fns. Part of tsr/tsr.hpp.
 *
 * A body gets arrays and trees and returns one, or a tuple of several. What it throws is kept here
 * while the library unwinds by its own means, and thrown again where the fn was called. A lambda
 * without captures is one fn however often it is passed; one with captures is a new fn each
 * time. */
#ifndef TSR_DETAIL_BODY_HPP
#define TSR_DETAIL_BODY_HPP
#include "tree.hpp"

namespace tsr {
namespace detail {

/* parameters and result of a callable; of a generic lambda they are not known */
template <class F, class = void> struct signature {
	static constexpr bool known = false;
	using result = array;
	using parameters = std::tuple<>;
};
template <class R, class... P> struct known_signature {
	static constexpr bool known = true;
	using result = std::decay_t<R>;
	using parameters = std::tuple<std::decay_t<P>...>;
};
template <class> struct member_signature;
template <class C, class R, class... P>
struct member_signature<R (C::*)(P...)> : known_signature<R, P...> {};
template <class C, class R, class... P>
struct member_signature<R (C::*)(P...) const> : known_signature<R, P...> {};
template <class F>
struct signature<F, std::void_t<decltype(&F::operator())>>
	: member_signature<decltype(&F::operator())> {};
template <class R, class... P> struct signature<R (*)(P...), void> : known_signature<R, P...> {};

template <class F> using result_of = typename signature<std::decay_t<F>>::result;
template <class F, std::size_t k, bool known = signature<std::decay_t<F>>::known>
struct parameter { using type = array; };
template <class F, std::size_t k> struct parameter<F, k, true> {
	using type = std::tuple_element_t<k, typename signature<std::decay_t<F>>::parameters>;
};

/* argument k of a body */
template <class T> T argument_of(tsr_frame *frame, std::size_t k)
{
	if constexpr (std::is_same_v<T, array>) {
		tsr_handle *x = tsr_frame_arg_at(nullptr, frame, k);
		if (tsr_is_poison(x)) raise(tsr_frame_ctx(frame));
		return array::retain(x);
	} else {
		const tsr_tree t = tsr_frame_tree_at(nullptr, frame, k);
		T x{};
		shape_tree(x, sizes_of(t.type));
		fill_tree(x, t, [](tsr_handle *leaf) { return array::retain(leaf); });
		return x;
	}
}

/* the results of a body: their handles stay until the call that runs it is done */
class results {
public:
	explicit results(state &home) : home_(home) {}
	template <class T> void add(T &&x)
	{
		using U = std::decay_t<T>;
		if constexpr (is_number<U>) {
			const tsr_arg v = arg_of_number(x);
			add(array::adopt(tsr_scalar_at(nullptr, home_.ctx, v, nullptr)));
		} else if constexpr (std::is_same_v<U, array>) {
			arg_.push_back(tsr_arg_one(keep(x)));
		} else {
			auto list = std::make_unique<std::vector<tsr_handle *>>();
			each_leaf(x, [&](const array &leaf) { list->push_back(keep(leaf)); });
			const tsr_tree t = {list->data(), list->size(), nullptr};
			arg_.push_back(tsr_arg_tree(t));
			list_.push_back(std::move(list));
		}
	}
	void give(tsr_frame *frame)
	{
		tsr_return_at(nullptr, frame, arg_.data(), arg_.size());
		for (tsr_handle *each : kept_) home_.kept.push_back(each);
	}

private:
	tsr_handle *keep(const array &x)
	{
		if (x.empty()) return nullptr;
		kept_.push_back(array(x).release());
		return kept_.back();
	}

	state &home_;
	std::vector<tsr_handle *> kept_;
	std::vector<tsr_arg> arg_;
	std::vector<std::unique_ptr<std::vector<tsr_handle *>>> list_;
};

/* calls f with the arguments of a frame */
template <class F, class... P, std::size_t... k>
decltype(auto) apply_frame(F &f, tsr_frame *frame, std::tuple<P...> *, std::index_sequence<k...>)
{
	if (tsr_frame_count(frame) != sizeof...(P))
		refuse(("a body of " + std::to_string(sizeof...(P)) + " parameters was given " +
		        std::to_string(tsr_frame_count(frame)) + " arguments").c_str());
	return f(argument_of<P>(frame, k)...);
}
template <std::size_t> struct array_of { using type = array; };
template <class F, std::size_t... k>
constexpr bool invocable_with(std::index_sequence<k...>)
{
	return std::is_invocable_v<F &, typename array_of<k>::type...>;
}
template <class F> void give_results(F &&call, state &home, tsr_frame *frame)
{
	results r(home);
	using R = decltype(call());
	if constexpr (std::is_void_v<R>) {
		call();
	} else {
		auto y = call();
		if constexpr (is_tuple<std::decay_t<R>>::value)
			std::apply([&](auto &...each) { (r.add(each), ...); }, y);
		else
			r.add(y);
	}
	r.give(frame);
}
/* a generic lambda takes as many arrays as it is given */
template <class F, std::size_t n = 0>
void run_generic(F &f, state &home, tsr_frame *frame)
{
	using numbers = std::make_index_sequence<n>;
	if constexpr (invocable_with<F>(numbers())) {
		if (tsr_frame_count(frame) == n) {
			using arrays_n = decltype(std::tuple_cat(
				std::declval<std::array<array, n>>()));
			give_results([&] {
				arrays_n *const types = nullptr;
				return apply_frame(f, frame, types, numbers());
			}, home, frame);
			return;
		}
	}
	if constexpr (n < TSR_MAX_ARGS) run_generic<F, n + 1>(f, home, frame);
	else refuse("a body was given another number of arguments than it takes");
}
template <class F> void run_body_of(F &f, state &home, tsr_frame *frame)
{
	if constexpr (signature<F>::known) {
		using P = typename signature<F>::parameters;
		using numbers = std::make_index_sequence<std::tuple_size_v<P>>;
		give_results([&]() -> decltype(auto) {
			return apply_frame(f, frame, static_cast<P *>(nullptr), numbers());
		}, home, frame);
	} else {
		run_generic(f, home, frame);
	}
}

/* "main.cpp:14" of "main.cpp:14: text", and the text behind it */
inline std::pair<std::string, std::string> split_place(const std::string &text)
{
	const std::size_t end = text.find(": ");
	const std::size_t colon = end == std::string::npos ? end : text.rfind(':', end - 1);
	if (colon == std::string::npos || colon + 1 >= end ||
	    text.find_first_not_of("0123456789", colon + 1) != end)
		return {"", text};
	return {text.substr(0, end), text.substr(end + 2)};
}

/* keeps what is being handled, and raises an error in its place */
inline void keep_thrown(tsr_ctx *ctx, const char *what)
{
	const auto parts = split_place(what);
	state_of(ctx)->thrown = std::current_exception();
	tsr_fail_at(parts.first.empty() ? nullptr : parts.first.c_str(), ctx, parts.second.c_str());
}
template <class Run> bool guarded(tsr_ctx *ctx, Run &&run)
{
	const std::shared_ptr<state> home = state_of(ctx);
	struct inner {
		state &s;
		std::size_t before;
		explicit inner(state &of) : s(of), before(of.floor) { s.floor = s.kept.size(); }
		~inner() { s.floor = before; }
	} const nested(*home);

	try {
		run(*home);
		return true;
#if defined __GLIBCXX__
	} catch (const abi::__forced_unwind &) { /* the thread ends */
		throw;
#endif
	} catch (const std::exception &e) {
		keep_thrown(ctx, e.what());
	} catch (...) {
		keep_thrown(ctx, "an exception that is no std::exception");
	}
	return false;
}

template <class F> struct closure_of final : closure {
	F f;

	explicit closure_of(F given) : f(std::move(given)) {}
	void run(tsr_frame *frame) override
	{
		run_body_of(f, *state_of(tsr_frame_ctx(frame)), frame);
	}
};

/* .env of a fn: its closure */
struct env {
	closure *of;
	std::weak_ptr<state> *home;
};
template <class F> void run_env(tsr_frame *frame)
{
	env e;
	std::memcpy(&e, tsr_frame_env(frame), sizeof e);
	guarded(tsr_frame_ctx(frame), [&](state &) { e.of->run(frame); });
}
inline void bury_env(void *bytes)
{
	env e;
	std::memcpy(&e, bytes, sizeof e);
	std::unique_ptr<closure> dead(e.of);
	const std::unique_ptr<std::weak_ptr<state>> where(e.home);
	if (const auto home = where->lock()) home->buried.push_back(std::move(dead));
}
/* a lambda without captures: any of its type is as good as another, from any thread */
template <class F> std::atomic<F *> &kept_empty()
{
	static std::atomic<F *> one(nullptr);
	return one;
}
template <class F> void run_empty(tsr_frame *frame)
{
	guarded(tsr_frame_ctx(frame),
	        [&](state &home) { run_body_of(*kept_empty<F>(), home, frame); });
}

/* .env of a fn whose body is a pointer to a function */
template <class F> void run_pointer(tsr_frame *frame)
{
	F f;
	std::memcpy(&f, tsr_frame_env(frame), sizeof f);
	guarded(tsr_frame_ctx(frame), [&](state &home) { run_body_of(f, home, frame); });
}

/* a callable as a body, and what its fn has to be made with */
class body {
public:
	template <class F> explicit body(F &&f)
	{
		using T = std::decay_t<F>;
		b_ = tsr_body();
		b_.form = TSR_FORM_FRAME;
		if constexpr (std::is_base_of_v<fn, T>) {
			b_ = tsr_body_of_fn(f);
		} else if constexpr (std::is_pointer_v<T>) {
			static_assert(sizeof(T) == sizeof pointer_, "a pointer to a function");
			const T p = f;
			std::memcpy(&pointer_, &p, sizeof p);
			b_.raw = reinterpret_cast<tsr_raw>(run_pointer<T>);
		} else if constexpr (std::is_class_v<T> && std::is_empty_v<T>) {
			static T one(std::forward<F>(f));
			kept_empty<T>() = &one;
			b_.raw = reinterpret_cast<tsr_raw>(run_empty<T>);
		} else {
			of_.reset(new closure_of<T>(std::forward<F>(f)));
			b_.raw = reinterpret_cast<tsr_raw>(run_env<T>);
		}
	}
	/* makes a fn: make(body, record with .env) */
	template <class Record, class Make>
	tsr_fn *make(tsr_ctx *ctx, const Record *given, Make &&make)
	{
		Record how = *given;
		env e = {};
		if (pointer_) how.env = &pointer_, how.env_size = sizeof pointer_;
		if (of_) {
			home_.reset(new std::weak_ptr<state>(state_of(ctx)));
			e = {of_.get(), home_.get()};
			how.env = &e, how.env_size = sizeof e, how.env_release = bury_env;
		}
		tsr_fn *f = make(b_, &how);
		check(ctx); /* then nobody has the closure */
		(void)of_.release(), (void)home_.release();
		return f;
	}

	/* without keywords: a fn where the body needs one, which goes with this */
	tsr_body plain(tsr_ctx *ctx);
	~body();
	body(const body &) = delete;
	body &operator=(const body &) = delete;

private:
	static tsr_body tsr_body_of_fn(const fn &f);

	tsr_body b_;
	tsr_fn *made_ = nullptr;
	void *pointer_ = nullptr;
	std::unique_ptr<closure> of_;
	std::unique_ptr<std::weak_ptr<state>> home_;
};

} // namespace detail
} // namespace tsr
#endif
