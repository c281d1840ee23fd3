/* tsr/detail/control.hpp - calls branches, loops, linear functions, rules of derivatives and host
 * functions with bodies of C++. Part of tsr/tsr.hpp. */
#ifndef TSR_DETAIL_CONTROL_HPP
#define TSR_DETAIL_CONTROL_HPP
#include "fn.hpp"

namespace tsr {

namespace detail {
template <class F, class... A>
using result_given = typename returns<typename type_of_fn<F>::type>::template of<A...>;

inline tsr_ctx *context_or(const operand &x, tsr_ctx *other)
{
	const tsr_arg a = x.arg();
	return a.kind == TSR_KIND_ONE && a.as.one ? tsr_ctx_of(a.as.one) : other;
}
template <class X> tsr_ctx *home_of(const X &x) { return context_of(x); }
} // namespace detail

/** What yes(x...) gives where pred is true, otherwise no(x...). Only one of them runs. */
template <class T, class F, class... A>
detail::result_given<T, A...> cond(const operand &pred, T &&yes, F &&no, const A &...x)
{
	tsr_ctx *ctx = detail::context_or(pred, detail::context_of(x...));
	detail::body f(std::forward<T>(yes)), g(std::forward<F>(no));
	const tsr_body of[2] = {f.plain(ctx), g.plain(ctx)};
	const detail::given<A...> args(x...);
	using R = detail::result_given<T, A...>;
	return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
		tsr_cond_into_at(pred.where(), out, n, pred.arg(), of[0], of[1], args.data(),
		                 args.size());
	}, x...);
}

/** The branches of switch_(): branches(f, g, h). */
template <class F, class... G> struct branches_of {
	std::tuple<F, G...> all;
	using first = F;
};
template <class... F> branches_of<std::decay_t<F>...> branches(F &&...f)
{
	return {std::tuple<std::decay_t<F>...>(std::forward<F>(f)...)};
}
/** What one of several functions gives, by its number: switch_(i, branches(f, g, h), x). */
template <class... F, class... A>
auto switch_(const operand &index, const branches_of<F...> &fs, const A &...x)
{
	using R = detail::result_given<typename branches_of<F...>::first, A...>;
	tsr_ctx *ctx = detail::context_or(index, detail::context_of(x...));
	return std::apply([&](const auto &...f) {
		detail::body made[] = {detail::body(f)...};
		std::vector<tsr_body> of;
		for (auto &each : made) of.push_back(each.plain(ctx));
		const tsr_branches all = {of.data(), of.size()};
		const detail::given<A...> args(x...);
		return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
			tsr_switch_into_at(index.where(), out, n, index.arg(), all, args.data(),
			                   args.size());
		}, x...);
	}, fs.all);
}

/** As long as test(carry...) is true, replaces the carry by step(carry...): while_(more, twice,
 * x). */
template <class T, class F, class... A>
detail::result_given<F, A...> while_(T &&test, F &&step, const A &...init)
{
	tsr_ctx *ctx = detail::context_of(init...);
	detail::body f(std::forward<T>(test)), g(std::forward<F>(step));
	const tsr_body of[2] = {f.plain(ctx), g.plain(ctx)};
	const detail::given<A...> args(init...);
	using R = detail::result_given<F, A...>;
	return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
		tsr_while_into_at(nullptr, out, n, of[0], of[1], args.data(), args.size());
	}, init...);
}

/** Replaces the carry by step(i, carry...) for i = lower .. upper - 1, with `unroll` steps written
 * out for each turn: fori_unrolled(4, 0, 16, step, x). */
template <class F, class... A>
detail::result_given<F, array, A...> fori_unrolled(int unroll, const operand &lower,
                                                   const operand &upper, F &&step, const A &...init)
{
	using R = detail::result_given<F, array, A...>;
	tsr_ctx *ctx = detail::context_of(init...);
	ctx = detail::context_or(lower, detail::context_or(upper, ctx));
	detail::body f(std::forward<F>(step));
	const tsr_body of = f.plain(ctx);
	const detail::given<A...> args(init...);
	return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
		if (unroll > 1)
			tsr_fori_unrolled_into_at(lower.where(), out, n, unroll, lower.arg(),
			                          upper.arg(), of, args.data(), args.size());
		else
			tsr_fori_into_at(lower.where(), out, n, lower.arg(), upper.arg(), of,
			                 args.data(), args.size());
	}, init...);
}
/** Replaces the carry by step(i, carry...) for i = lower .. upper - 1: fori(0, 10, step, x). */
template <class F, class... A>
detail::result_given<F, array, A...> fori(const operand &lower, const operand &upper, F &&step,
                                          const A &...init)
{
	return fori_unrolled(1, lower, upper, std::forward<F>(step), init...);
}

/** Steps through xs along dim 0: auto [carry, ys] = scan(step, init, xs), where step(carry, x)
 * returns the next carry and what is stacked. none as init or xs is no argument of the body. */
template <class F, class C, class X>
detail::result_given<F, C, X> scan(F &&step, const C &init, const X &xs,
                                   const scan_args &how = scan_args(), place at = place::here())
{
	tsr_ctx *ctx = detail::context_of(init, xs);
	detail::body f(std::forward<F>(step));
	const tsr_body of = f.plain(ctx);
	const argument carry(init), over(xs);
	using R = detail::result_given<F, C, X>;
	return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
		tsr_scan_into_at(at.text(), out, n, of, carry.arg(), over.arg(), how.get());
	}, init, xs);
}

/** f(x[k], y[k], ...) for each k, one batch after the other, stacked: map_batched(64, norm, x). */
template <class F, class... A>
detail::result_given<F, A...> map_batched(std::int64_t batch_size, F &&f, const A &...xs)
{
	tsr_ctx *ctx = detail::context_of(xs...);
	detail::body b(std::forward<F>(f));
	const tsr_body of = b.plain(ctx);
	const detail::given<A...> args(xs...);
	using R = detail::result_given<F, A...>;
	return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
		tsr_map_batched_into_at(nullptr, out, n, batch_size, of, args.data(), args.size());
	}, xs...);
}
/** f(x[k], y[k], ...) for each k, one after the other, stacked along a new dim 0: map(norm, x). */
template <class F, class... A> detail::result_given<F, A...> map(F &&f, const A &...xs)
{
	tsr_ctx *ctx = detail::context_of(xs...);
	detail::body b(std::forward<F>(f));
	const tsr_body of = b.plain(ctx);
	const detail::given<A...> args(xs...);
	using R = detail::result_given<F, A...>;
	return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
		tsr_map_into_at(nullptr, out, n, of, args.data(), args.size());
	}, xs...);
}

/** All partial results of an associative function along a dim, of an array or a tree:
 * associative_scan([](array a, array b) { return a + b; }, x). */
template <class F, class T>
T associative_scan(F &&f, const T &elems,
                   const associative_scan_args &how = associative_scan_args(),
                   place at = place::here())
{
	tsr_ctx *ctx = detail::context_of(elems);
	detail::body b(std::forward<F>(f));
	const tsr_body of = b.plain(ctx);
	const argument x(elems);
	return detail::into<T>(ctx, [&](const tsr_out *out, std::size_t n) {
		tsr_associative_scan_into_at(at.text(), out, n, of, x.arg(), how.get());
	}, elems);
}

/** init and the elements of x along the dims, combined by f: reduce(larger, x, -INFINITY). */
template <class F, class T, class I>
T reduce(F &&f, const T &x, const I &init, const reduce_by_args &how = reduce_by_args(),
         place at = place::here())
{
	tsr_ctx *ctx = detail::context_of(x, init);
	detail::body b(std::forward<F>(f));
	const tsr_body of = b.plain(ctx);
	const argument from(x), begin(init);
	return detail::into<T>(ctx, [&](const tsr_out *out, std::size_t n) {
		tsr_reduce_into_at(at.text(), out, n, of, from.arg(), begin.arg(), how.get());
	}, x);
}
/** The same for each window. */
template <class F>
array reduce_window_by(F &&f, const array &x, const operand &init, const dims &window,
                       const window_args &how = window_args())
{
	tsr_ctx *ctx = tsr_ctx_of(x.get());
	detail::body b(std::forward<F>(f));
	tsr_handle *y = tsr_reduce_window_by_at(init.where(), b.plain(ctx), tsr_arg_one(x.get()),
	                                        init.arg(), window, how.get());
	detail::settle(ctx);
	return array::adopt(y);
}

/** f of each leaf of a tree, into a tree of the same shape: tree_map([](array w) { return w * 2; },
 * w). It is called directly, outside of bodies too. */
template <class F, class T> T tree_map(F &&f, const T &x)
{
	T y = x;
	each_leaf(y, [&](array &leaf) {
		if (!leaf.empty()) leaf = f(leaf);
	});
	return y;
}

/* ---- linear functions at a point */

/** What vjp() and linearize() give: call<R>(dy) gives a (co)tangent for each argument or result. */
class linearized {
public:
	explicit linearized(const tsr_linearized &l) : f_(l.fn)
	{
		for (std::size_t i = 0; i < l.residuals.count; i++)
			residuals_.push_back(array::adopt(l.residuals.leaf[i]));
	}
	template <class R = array, class... A> R call(const A &...x) const
	{
		return f_.call<R>(tree(residuals_), x...);
	}
	array operator()(const array &x) const { return call<array>(x); }

private:
	fn f_;
	std::vector<array> residuals_;
};

#define TSR_LINEARIZE_(name) \
	template <class R = array, class... A> \
	std::pair<R, linearized> name(const fn &f, const A &...x) \
	{ \
		tsr_ctx *ctx = tsr_fn_ctx(f.get()); \
		const detail::given<A...> args(x...); \
		tsr_linearized l = {}; \
		R y = detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) { \
			l = tsr_##name##_at(nullptr, out, n, f.get(), args.data(), args.size()); \
		}, x...); \
		return {std::move(y), linearized(l)}; \
	}
/** Runs a fn and gives its derivative there: auto [y, df] = linearize(f, x); df(dx) */
TSR_LINEARIZE_(linearize)
/** The same where only the first result is differentiated. */
TSR_LINEARIZE_(linearize_aux)
/** The same in reverse mode: auto [y, df] = vjp(f, x); df(dy) */
TSR_LINEARIZE_(vjp)
/** The same where only the first result is differentiated. */
TSR_LINEARIZE_(vjp_aux)
#undef TSR_LINEARIZE_
/** The transpose of a fn that is linear in its arguments; only their types matter. */
template <class... A> linearized linear_transpose(const fn &f, const A &...x)
{
	const detail::given<A...> args(x...);
	const tsr_linearized l =
		tsr_linear_transpose_at(nullptr, f.get(), args.data(), args.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return linearized(l);
}

/* ---- derivatives of your own */

/** A fn whose derivative a rule says, in forward mode. */
template <class F, class Rule>
detail::function_of<F> custom_jvp(const within &ctx, F &&f, Rule &&rule,
                                  const custom_args &how = custom_args())
{
	detail::body b(std::forward<F>(f)), r(std::forward<Rule>(rule));
	const tsr_body by = r.plain(ctx.get());
	return detail::function_of<F>(fn(b.make(ctx.get(), how.get(),
		[&](tsr_body of, const tsr_custom_args *with) {
			return tsr_custom_jvp_at(ctx.where(), ctx.get(), of, nullptr, by, with);
		})));
}
/** The same in reverse mode: forward returns the result and then residuals, backward takes these
 * and the cotangent. */
template <class F, class Forward, class Backward>
detail::function_of<F> custom_vjp(const within &ctx, F &&f, Forward &&forward, Backward &&backward,
                                  const custom_args &how = custom_args())
{
	detail::body b(std::forward<F>(f)), to(std::forward<Forward>(forward)),
		back(std::forward<Backward>(backward));
	const tsr_body rule[2] = {to.plain(ctx.get()), back.plain(ctx.get())};
	return detail::function_of<F>(fn(b.make(ctx.get(), how.get(),
		[&](tsr_body of, const tsr_custom_args *with) {
			return tsr_custom_vjp_at(ctx.where(), ctx.get(), of, nullptr, rule[0],
			                         rule[1], with);
		})));
}
/** A fn that makes a step of training. */
template <class F>
fn train_step(const within &ctx, F &&loss, const tsr_optimizer *opt,
              const train_step_args &how = train_step_args())
{
	detail::body b(std::forward<F>(loss));
	return fn(b.make(ctx.get(), how.get(), [&](tsr_body of, const tsr_train_step_args *with) {
		return tsr_train_step_at(ctx.where(), ctx.get(), of, nullptr, opt, with);
	}));
}

/* ---- functions that programs call while they run */

namespace detail {
template <class F> struct host_function final : kept {
	F f;
	explicit host_function(F given) : f(std::move(given)) {}
	static bool run(const tsr_host_call *call)
	{
		auto *self = static_cast<host_function *>(call->user);
		return guarded(call->ctx, [&](state &) { self->f(*call); });
	}
};
} // namespace detail

#define TSR_HOST_(name) \
	template <class F> \
	fn name(const within &ctx, F &&f, const callback_args &given = callback_args()) \
	{ \
		using T = detail::host_function<std::decay_t<F>>; \
		auto one = std::make_unique<T>(std::forward<F>(f)); \
		callback_args how = given; \
		how.tsr_callback_args::user = one.get(); \
		fn made(tsr_##name##_at(ctx.where(), ctx.get(), T::run, nullptr, how.get())); \
		detail::state_of(ctx.get())->held.push_back(std::move(one)); \
		return made; \
	}
/** A fn that calls f(const tsr_host_call &), whose results depend on its operands alone. f is kept
 * until the context goes; what it throws ends the run and goes on to the caller. */
TSR_HOST_(pure_callback)
/** The same with effects: it is called whether its results are used or not. */
TSR_HOST_(io_callback)
/** The same without results, to look at values. */
TSR_HOST_(debug_callback)
#undef TSR_HOST_

} // namespace tsr
#endif
