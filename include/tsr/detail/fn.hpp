/* tsr/detail/fn.hpp - fns made of functions and lambdas, and their calls. Part of tsr/tsr.hpp. */
#ifndef TSR_DETAIL_FN_HPP
#define TSR_DETAIL_FN_HPP
#include "body.hpp"
#include "keywords.hpp"

namespace tsr {

namespace detail {
struct held_fn {
	tsr_fn *f;
	std::shared_ptr<state> home;

	held_fn(tsr_fn *of, const std::shared_ptr<state> &in) : f(of), home(in) {}
	held_fn(const held_fn &) = delete;
	held_fn &operator=(const held_fn &) = delete;
	~held_fn()
	{
		if (!home->ctx) return;
		tsr_fn_release_at(nullptr, f);
		home->settle();
	}
};

/* the places of the results of a call, whose type is R */
template <class T> using value_of = std::conditional_t<is_number<T>, array, T>;
template <class T> struct values_of { using type = value_of<T>; };
template <class... E> struct values_of<std::tuple<E...>> {
	using type = std::tuple<value_of<E>...>;
};
template <class A, class B> struct values_of<std::pair<A, B>> {
	using type = std::pair<value_of<A>, value_of<B>>;
};

class room {
public:
	/* one result of this shape */
	template <class E> void add(const E &x)
	{
		std::size_t n = 0;
		walk(x, [&](const array &) { n++; }, [](const auto &) {});
		slot_.emplace_back(n ? n : 1, nullptr);
		tsr_out out = {};
		out.own = TSR_PLACE_SCOPE;
		out.to.leaf = slot_.back().data(), out.to.count = n;
		if constexpr (has_vector<E>()) out.to.type = leaves<E>(x).tree().type;
		out_.push_back(out);
	}
	template <class E> void take(E &x)
	{
		fill_tree(x, out_[at_++].to,
		          [](tsr_handle *h) { return h ? array::adopt(h) : array(); });
	}
	const tsr_out *data() const { return out_.data(); }
	std::size_t size() const { return out_.size(); }

private:
	std::vector<std::vector<tsr_handle *>> slot_;
	std::vector<tsr_out> out_;
	std::size_t at_ = 0;
};

/* gives the vectors of a result the sizes of the first argument of its type */
template <class E, class A> void shape_like(E &x, bool &done, const A &arg)
{
	if constexpr (std::is_same_v<E, A>) {
		if (!done) shape_tree(x, leaves<A>(arg).sizes);
		done = true;
	} else {
		(void)x, (void)arg;
	}
}
template <class E, class... A> void shape_as(E &x, const A &...arg)
{
	if constexpr (has_vector<E>()) {
		static_assert((std::is_same_v<E, A> || ...),
		              "a result with vectors has the sizes of an argument of its type, and "
		              "there is none: use std::array");
		bool done = false;
		(shape_like(x, done, arg), ...);
	} else {
		((void)x, ..., (void)arg);
	}
}

/* the results of make(places, their number); arg: the arguments of the call */
template <class R, class Make, class... A> R into(tsr_ctx *ctx, Make &&make, const A &...arg)
{
	room to;
	if constexpr (std::is_void_v<R>) {
		make(to.data(), std::size_t(0));
		settle(ctx);
	} else {
		R y{};
		const auto each = [&](auto &&f) {
			if constexpr (is_tuple<R>::value)
				std::apply([&](auto &...x) { (f(x), ...); }, y);
			else
				f(y);
		};
		each([&](auto &x) { shape_as(x, arg...), to.add(x); });
		make(to.data(), to.size());
		settle(ctx);
		each([&](auto &x) { to.take(x); });
		return y;
	}
}

/* arguments of a call as C takes them; one element more, so that none is legal */
template <class... A> struct given {
	std::tuple<argument, std::conditional_t<true, argument, A>...> all;
	tsr_arg arg[sizeof...(A) + 1];

	explicit given(const A &...x) : all(none, argument(x)...)
	{
		std::apply([&](const auto &...each) {
			std::size_t n = 0;
			((arg[n++] = each.arg()), ...);
		}, all);
	}
	const tsr_arg *data() const { return arg + 1; }
	std::size_t size() const { return sizeof...(A); }
};

/* the context of the first array among arguments, or the one that was used last */
template <class... A> tsr_ctx *context_of(const A &...arg)
{
	tsr_ctx *found = nullptr;
	const auto look = [&](const auto &x) {
		using T = std::decay_t<decltype(x)>;
		if constexpr (std::is_same_v<T, array> || is_tree<T>)
			each_leaf(x, [&](const array &leaf) {
				if (!found) found = tsr_ctx_of(leaf.get());
			});
		else
			(void)x;
	};
	(look(arg), ..., (void)look);
	return found ? found : recent_context();
}
} // namespace detail

/** A fn: a body with its transformations, traced once for each type of arguments. Copies share it;
 * it is given up with the last one. The type of its results is not known: call<R>(x). */
class fn {
public:
	fn() = default;
	/** Takes over a fn of C, which is released with the last copy. */
	explicit fn(tsr_fn *f)
	{
		tsr_ctx *ctx = tsr_fn_ctx(f);
		detail::check(ctx);
		held_ = std::make_shared<detail::held_fn>(f, detail::state_of(ctx));
	}
	tsr_fn *get() const { return held_ && held_->home->ctx ? held_->f : nullptr; }
	std::string name() const { return tsr_fn_name(get()); }
	tsr_fn_info stats() const { return tsr_fn_stats(get()); }
	/** Calls it; R is the type of the result, or std::tuple<A, B> for several, or void. */
	template <class R, class... A> R call(const A &...x) const
	{
		return call_at<R>(place(), x...);
	}
	template <class R, class... A> R call_at(place at, const A &...x) const
	{
		const detail::given<A...> args(x...);
		const char *where = at.text();
		tsr_ctx *ctx = tsr_fn_ctx(get());
		if constexpr (std::is_same_v<R, array>) {
			tsr_handle *y = tsr_call_at(where, get(), args.data(), args.size());
			detail::settle(ctx);
			return array::adopt(y);
		} else {
			return detail::into<R>(ctx, [&](const tsr_out *out, std::size_t n) {
				tsr_call_into_at(where, out, n, get(), args.data(), args.size());
			}, x...);
		}
	}
	/** The text of the program that such a call would run. */
	template <class... A> std::string text(const A &...x) const
	{
		const detail::given<A...> args(x...);
		const std::string text = tsr_fn_text_at(nullptr, get(), args.data(), args.size());
		detail::settle(tsr_fn_ctx(get()));
		return text;
	}

private:
	std::shared_ptr<detail::held_fn> held_;
};

inline within::within(const fn &f, place at) : ctx_(tsr_fn_ctx(f.get())), at_(at) {}

namespace detail {

inline tsr_body body::tsr_body_of_fn(const fn &f)
{
	tsr_body b = {};
	b.fn = f.get();
	return b;
}
inline tsr_body body::plain(tsr_ctx *ctx)
{
	if (!of_ && !pointer_) return b_;
	const keywords<tsr_jit_args> how;
	made_ = make(ctx, how.get(), [&](tsr_body b, const tsr_jit_args *with) {
		return tsr_jit_at(nullptr, ctx, b, nullptr, with);
	});
	pointer_ = nullptr;
	b_ = tsr_body();
	b_.fn = made_;
	return b_;
}
inline body::~body()
{
	if (made_) tsr_fn_release_at(nullptr, made_);
}

/* what a generic lambda returns is known when it is called */
template <class F> struct generic {};
template <class Signature> struct returns;
template <class R, class... P> struct returns<R(P...)> {
	template <class... A> using of = typename values_of<R>::type;
};
template <class F> struct returns<generic<F>> {
	template <class A> struct one { using type = array; };
	template <class... A>
	using result = std::decay_t<std::invoke_result_t<F &, typename one<A>::type...>>;
	template <class... A> using of = typename values_of<result<A...>>::type;
};
template <class R, class P> struct signature_text;
template <class R, class... P> struct signature_text<R, std::tuple<P...>> { using type = R(P...); };
template <class F, bool known = signature<std::decay_t<F>>::known> struct type_of_fn {
	using S = signature<std::decay_t<F>>;
	using type = typename signature_text<typename S::result, typename S::parameters>::type;
};
template <class F> struct type_of_fn<F, false> { using type = generic<std::decay_t<F>>; };

} // namespace detail

/** A fn whose results have a known type: function<array(array, array)>. */
template <class Signature> class function : public fn {
public:
	function() = default;
	explicit function(const fn &f) : fn(f) {}
	template <class... A>
	typename detail::returns<Signature>::template of<A...> operator()(const A &...x) const
	{
		using R = typename detail::returns<Signature>::template of<A...>;
		return this->template call<R>(x...);
	}
};

namespace detail {
template <class R, class... P>
struct signature<function<R(P...)>, void> : known_signature<R, P...> {};
template <class F> struct signature<function<generic<F>>, void> : signature<F> {};
template <class F> struct type_of_fn<function<generic<F>>, false> { using type = generic<F>; };
template <class F> using function_of = function<typename type_of_fn<F>::type>;

/* the type of a derivative: of arguments by number */
template <class F, std::size_t... k> struct gradient {
	using type = std::tuple<typename parameter<F, k>::type...>;
};
template <class F, std::size_t k> struct gradient<F, k> {
	using type = typename parameter<F, k>::type;
};
template <class F> struct gradient<F> : gradient<F, 0> {};
template <class F, class R, class P = typename signature<std::decay_t<F>>::parameters>
struct with_result;
template <class F, class R, class... P> struct with_result<F, R, std::tuple<P...>> {
	using type = function<std::conditional_t<true, R, F>(P...)>;
};
template <class... G> std::tuple<array, G...> behind_value(std::tuple<G...> *);
template <class G> std::tuple<array, G> behind_value(G *);

template <std::size_t... k> void set_wrt(tsr_grad_args &how)
{
	if constexpr (sizeof...(k) > 0) {
		how.wrt = tsr_dims();
		how.wrt.d[0] = 1;
		((how.wrt.d[how.wrt.d[0]++] = static_cast<std::int64_t>(k)), ...);
	}
}
} // namespace detail

#define TSR_MAKE_(name, record) \
	template <class F> \
	detail::function_of<F> name(const within &ctx, F &&f, const record &how = record()) \
	{ \
		detail::body b(std::forward<F>(f)); \
		return detail::function_of<F>(fn(b.make(ctx.get(), how.get(), \
			[&](tsr_body of, const auto *with) { \
				return tsr_##name##_at(ctx.where(), ctx.get(), of, nullptr, with); \
			}))); \
	}
/** A fn whose call is one program: jit(ctx, [](array x) { return x * 2; }). */
TSR_MAKE_(jit, jit_args)
/** A fn of a whole batch, made of a body of one element. */
TSR_MAKE_(vmap, vmap_args)
/** A fn of as many elements as there are devices, each of which runs the body on its own. */
TSR_MAKE_(pmap, pmap_args)
/** A fn that computes its body once more for its derivative. */
TSR_MAKE_(remat, remat_args)
#undef TSR_MAKE_

/** A fn that runs its body on every device of a mesh, each on its own blocks:
 * shard_map(m, product, shard_map_args().sig("[x,y] [y,-] -> [x,-]")). */
template <class F>
detail::function_of<F> shard_map(const mesh &m, F &&f, const shard_map_args &how,
                                 place at = place::here())
{
	detail::body b(std::forward<F>(f));
	tsr_ctx *ctx = detail::context_of_mesh(m);
	return detail::function_of<F>(fn(b.make(ctx, how.get(),
		[&](tsr_body of, const tsr_shard_map_args *with) {
			return tsr_shard_map_at(at.text(), m.get(), of, nullptr, with);
		})));
}

namespace detail {
template <class F, std::size_t... k>
using gradient_fn = typename with_result<F, typename gradient<F, k...>::type>::type;
template <class F, std::size_t... k>
using value_and_gradient_fn = typename with_result<F, decltype(behind_value(
	static_cast<typename gradient<F, k...>::type *>(nullptr)))>::type;
template <class F, std::size_t... k> using plain_fn = std::enable_if_t<!std::is_void_v<F>, fn>;
} // namespace detail

#define TSR_DERIVE_(name, type) \
	template <std::size_t... k, class F> \
	detail::type<F, k...> name(const within &ctx, F &&f, const grad_args &given = grad_args()) \
	{ \
		detail::body b(std::forward<F>(f)); \
		grad_args how = given; \
		detail::set_wrt<k...>(how); \
		return detail::type<F, k...>(fn(b.make(ctx.get(), how.get(), \
			[&](tsr_body of, const tsr_grad_args *with) { \
				return tsr_##name##_at(ctx.where(), ctx.get(), of, nullptr, with); \
			}))); \
	}
/** A fn of the gradient with respect to argument 0: grad(ctx, loss)(w, x); or to others,
 * grad<0, 2>(ctx, loss), which gives a tuple. With .has_aux(true) use call<std::tuple<...>>(). */
TSR_DERIVE_(grad, gradient_fn)
/** The same with the loss in front: auto [loss, g] = value_and_grad(ctx, f)(w, x); */
TSR_DERIVE_(value_and_grad, value_and_gradient_fn)
/** Forward mode: takes arguments and then tangents: jvp(ctx, f).call<std::tuple<array, array>>(x,
 * dx). */
TSR_DERIVE_(jvp, plain_fn)
/** All derivatives, column by column: jacfwd(ctx, f).call<array>(x). */
TSR_DERIVE_(jacfwd, plain_fn)
/** The same, row by row. */
TSR_DERIVE_(jacrev, plain_fn)
/** Second derivatives. */
TSR_DERIVE_(hessian, plain_fn)
#undef TSR_DERIVE_

} // namespace tsr
#endif
