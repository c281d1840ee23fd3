/* tsr/detail/tree.hpp - trees of arrays from aggregates, vectors, std::array and tuples. Part of
 * tsr/tsr.hpp.
 *
 *     struct dense { tsr::array w, b; };
 *     struct net { std::vector<dense> layer; tsr::array scale; };
 *
 * A net of two layers has the five leaves layer[0].w, layer[0].b, layer[1].w, layer[1].b, scale, in
 * this order; an empty array is an absent leaf. C++ does not tell the names of fields: messages
 * number the leaves. The sizes of vectors are a part of the type that the library sees, "{ tsr
 * *leaf[5]; } 2", so that a body gets vectors of the sizes that the caller has. */
#ifndef TSR_DETAIL_TREE_HPP
#define TSR_DETAIL_TREE_HPP
#include "values.hpp"

namespace tsr {
namespace detail {

template <class T> struct is_tuple : std::false_type {};
template <class... E> struct is_tuple<std::tuple<E...>> : std::true_type {};
template <class A, class B> struct is_tuple<std::pair<A, B>> : std::true_type {};
template <class T> struct is_std_array : std::false_type {};
template <class E, std::size_t n> struct is_std_array<std::array<E, n>> : std::true_type {};
template <class T> struct is_vector : std::false_type {};
template <class E> struct is_vector<std::vector<E>> : std::true_type {};

/* how many fields an aggregate has: as many as it can be initialised with */
struct anything {
	template <class T> operator T() const;
};
template <std::size_t> using anything_of = anything;
template <class T, class Numbers, class = void> struct takes : std::false_type {};
template <class T, std::size_t... i>
struct takes<T, std::index_sequence<i...>, std::void_t<decltype(T{anything_of<i>()...})>>
	: std::true_type {};
constexpr std::size_t most_fields = 16;
template <class T, std::size_t n> constexpr std::size_t count_fields()
{
	if constexpr (takes<T, std::make_index_sequence<n>>::value) return n;
	else if constexpr (n == 0) return 0;
	else return count_fields<T, n - 1>();
}
template <class T> constexpr std::size_t field_count()
{
	static_assert(!takes<T, std::make_index_sequence<most_fields + 1>>::value,
	              "a tree has at most 16 fields: put some of them into a record of their own");
	return count_fields<T, most_fields>();
}

/* the fields of an aggregate, as a tuple of references */
#define TSR_BIND_(n, ...) \
	if constexpr (count == n) { \
		auto &[__VA_ARGS__] = x; \
		return std::tie(__VA_ARGS__); \
	} else
template <class T> auto fields(T &x)
{
	constexpr std::size_t count = field_count<std::remove_const_t<T>>();
	TSR_BIND_(1, a)
	TSR_BIND_(2, a, b)
	TSR_BIND_(3, a, b, c)
	TSR_BIND_(4, a, b, c, d)
	TSR_BIND_(5, a, b, c, d, e)
	TSR_BIND_(6, a, b, c, d, e, f)
	TSR_BIND_(7, a, b, c, d, e, f, g)
	TSR_BIND_(8, a, b, c, d, e, f, g, h)
	TSR_BIND_(9, a, b, c, d, e, f, g, h, i)
	TSR_BIND_(10, a, b, c, d, e, f, g, h, i, j)
	TSR_BIND_(11, a, b, c, d, e, f, g, h, i, j, k)
	TSR_BIND_(12, a, b, c, d, e, f, g, h, i, j, k, l)
	TSR_BIND_(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
	TSR_BIND_(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
	TSR_BIND_(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
	TSR_BIND_(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
	return std::tuple<>();
}
#undef TSR_BIND_

/* is it a tree that is no array? Its leaves are checked where they are visited */
template <class T>
constexpr bool is_tree = is_tuple<T>::value || is_std_array<T>::value || is_vector<T>::value ||
                         (std::is_class_v<T> && std::is_aggregate_v<T>);

/* has it a vector anywhere, so that values of its type differ in their leaves? */
template <class T> constexpr bool has_vector();
template <class Tuple, std::size_t... i>
constexpr bool any_has_vector(std::index_sequence<i...>)
{
	return (has_vector<std::decay_t<std::tuple_element_t<i, Tuple>>>() || ...);
}
template <class T> constexpr bool has_vector()
{
	if constexpr (std::is_same_v<T, array>) return false;
	else if constexpr (is_vector<T>::value) return true;
	else if constexpr (is_std_array<T>::value) return has_vector<typename T::value_type>();
	else if constexpr (is_tuple<T>::value)
		return any_has_vector<T>(std::make_index_sequence<std::tuple_size_v<T>>());
	else {
		using all = decltype(fields(std::declval<T &>()));
		return any_has_vector<all>(std::make_index_sequence<std::tuple_size_v<all>>());
	}
}

/* calls leaf(array &) for each leaf, and vector(v) for each vector before its elements */
template <class T, class Leaf, class Vector> void walk(T &x, Leaf &&leaf, Vector &&vector)
{
	using U = std::remove_const_t<T>;
	const auto all = [&](auto &...each) { (walk(each, leaf, vector), ...); };
	if constexpr (std::is_same_v<U, array>) {
		leaf(x);
	} else if constexpr (is_vector<U>::value) {
		vector(x);
		for (auto &each : x) walk(each, leaf, vector);
	} else if constexpr (is_std_array<U>::value) {
		for (auto &each : x) walk(each, leaf, vector);
	} else if constexpr (is_tuple<U>::value) {
		std::apply(all, x);
	} else {
		static_assert(is_tree<U>, "a field of a tree is no tsr::array and no tree");
		auto each = fields(x);
		std::apply(all, each);
	}
}

/* the type of a tree with these sizes of vectors; lives as long as the program */
inline const tsr_tree_type *tree_type(std::size_t count, const std::vector<std::size_t> &sizes)
{
	struct entry { std::string text; tsr_tree_type type; };
	struct less {
		bool operator()(const entry &a, const entry &b) const { return a.text < b.text; }
	};
	static std::mutex lock;
	static auto *const all = new std::set<entry, less>;

	entry made{"{ tsr *leaf[" + std::to_string(count) + "]; }", {}};
	for (const std::size_t n : sizes) made.text += " " + std::to_string(n);
	const std::lock_guard<std::mutex> held(lock);
	const auto at = all->insert(std::move(made)).first;
	auto &type = const_cast<tsr_tree_type &>(at->type); /* no part of the order */
	type = {at->text.c_str(), count, "tree", nullptr};
	return &at->type;
}

/* the sizes in the text of a type */
inline std::vector<std::size_t> sizes_of(const tsr_tree_type *type)
{
	std::vector<std::size_t> sizes;
	const char *at = type && type->fields ? std::strchr(type->fields, '}') : nullptr;
	for (at = at ? at + 1 : ""; *at == ' ';) {
		std::size_t n = 0;
		for (at++; *at >= '0' && *at <= '9'; at++)
			n = 10 * n + static_cast<std::size_t>(*at - '0');
		sizes.push_back(n);
	}
	return sizes;
}

/* the leaves of a tree as C takes them; `to` of results is filled from them */
template <class T> struct leaves {
	std::vector<tsr_handle *> handle;
	std::vector<std::size_t> sizes;

	leaves() = default;
	explicit leaves(const T &x)
	{
		walk(x, [&](const array &each) { handle.push_back(each.get()); },
		     [&](const auto &v) { sizes.push_back(v.size()); });
	}
	tsr_tree tree()
	{
		tsr_tree t = {};
		if (handle.capacity() == 0) handle.reserve(1);
		t.leaf = handle.data(), t.count = handle.size();
		if constexpr (has_vector<T>()) t.type = tree_type(t.count, sizes);
		return t;
	}
};

/* a tree whose vectors have these sizes */
template <class T> void shape_tree(T &x, const std::vector<std::size_t> &sizes)
{
	std::size_t at = 0;
	walk(x, [](array &) {},
	     [&](auto &v) { v.resize(at < sizes.size() ? sizes[at] : 0), at++; });
}

/* fills a tree that has its shape */
template <class T, class Take> void fill_tree(T &x, const tsr_tree &from, Take &&take)
{
	std::size_t at = 0;
	walk(x, [&](array &) { at++; }, [](auto &) {});
	if (at != from.count)
		refuse(("a tree of " + std::to_string(from.count) + " leaves was read as one of " +
		        std::to_string(at)).c_str());
	at = 0;
	walk(x, [&](array &leaf) { leaf = take(from.leaf[at++]); }, [](auto &) {});
}

} // namespace detail

/** Calls leaf(array &) for each leaf of a tree, in their order. */
template <class T, class Leaf> void each_leaf(T &x, Leaf &&leaf)
{
	detail::walk(x, std::forward<Leaf>(leaf), [](auto &) {});
}

/** A tree as functions of C take it: tsr::tree(w). Refers to the handles of x, which stays. */
class tree {
public:
	template <class T> explicit tree(const T &x)
	{
		detail::leaves<T> all(x);
		handle_ = all.handle;
		t_ = all.tree();
	}
	tsr_tree get() const
	{
		tsr_tree t = t_;
		t.leaf = const_cast<tsr_handle **>(handle_.data());
		return t;
	}
	std::size_t size() const { return handle_.size(); }

private:
	std::vector<tsr_handle *> handle_;
	tsr_tree t_ = {};
};

/** An argument of a call: an array, a number, or a tree. */
class argument {
public:
	template <class T> argument(const T &x)
	{
		if constexpr (std::is_same_v<T, array>) arg_ = tsr_arg_one(x.get());
		else if constexpr (std::is_same_v<T, none_t>) arg_ = tsr_arg();
		else if constexpr (detail::is_number<T>) arg_ = detail::arg_of_number(x);
		else if constexpr (std::is_same_v<T, operand> || std::is_same_v<T, number>)
			arg_ = x.arg();
		else if constexpr (std::is_same_v<T, tree>) set(x);
		else set(tree(x));
	}
	tsr_arg arg() const
	{
		tsr_arg a = arg_;
		if (a.kind == TSR_KIND_TREE) a.as.tree = tree_->get();
		return a;
	}

private:
	void set(const tree &t)
	{
		tree_ = std::make_shared<tree>(t);
		arg_ = tsr_arg_tree(tree_->get());
	}

	tsr_arg arg_;
	std::shared_ptr<tree> tree_;
};

} // namespace tsr
#endif
