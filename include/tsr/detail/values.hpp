/* tsr/detail/values.hpp - makes arguments of values of C++: dims, specs, meshes, operands, memory.
 * Part of tsr/tsr.hpp. */
#ifndef TSR_DETAIL_VALUES_HPP
#define TSR_DETAIL_VALUES_HPP
#include "core.hpp"

namespace tsr {

/** The dtype of a type of C++. */
template <class T> constexpr tsr_dtype dtype_of_type()
{
	using U = std::remove_cv_t<T>;
	if constexpr (std::is_same_v<U, bool>) return TSR_BOOL;
	else if constexpr (std::is_same_v<U, float>) return TSR_F32;
	else if constexpr (std::is_same_v<U, double>) return TSR_F64;
	else if constexpr (std::is_same_v<U, std::complex<float>>) return TSR_C64;
	else if constexpr (std::is_same_v<U, std::complex<double>>) return TSR_C128;
	else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>)
		return sizeof(U) == 1   ? TSR_I8
		       : sizeof(U) == 2 ? TSR_I16
		       : sizeof(U) == 4 ? TSR_I32
		                        : TSR_I64;
	else if constexpr (std::is_integral_v<U>)
		return sizeof(U) == 1   ? TSR_U8
		       : sizeof(U) == 2 ? TSR_U16
		       : sizeof(U) == 4 ? TSR_U32
		                        : TSR_U64;
	else
		return TSR_DTYPE_DEFAULT;
}

namespace detail {
template <class T>
constexpr bool is_number = std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<float>> ||
                           std::is_same_v<T, std::complex<double>>;

/* the dtype of memory of this type; void and char are bytes of any dtype */
template <class T> constexpr tsr_dtype element_of()
{
	if constexpr (std::is_void_v<T> || std::is_same_v<std::remove_cv_t<T>, char>)
		return TSR_DTYPE_DEFAULT;
	else
		return dtype_of_type<T>();
}

[[noreturn]] inline void refuse(const char *text)
{
	throw error(TSR_ERROR_ARGUMENT, text);
}
} // namespace detail

/** Sizes, numbers of dims or strides: {2, 3}; {} has none, and none() is "not given". */
class dims {
public:
	dims() { d_.d[0] = 1; }
	dims(std::initializer_list<std::int64_t> list) { set(list.begin(), list.size()); }
	explicit dims(const std::vector<std::int64_t> &list) { set(list.data(), list.size()); }
	dims(const tsr_dims &of) : d_(of) {}
	static dims none() { return dims(tsr_dims{}); }
	operator tsr_dims() const { return d_; }
	std::size_t size() const { return d_.d[0] ? static_cast<std::size_t>(d_.d[0] - 1) : 0; }
	std::int64_t operator[](std::size_t i) const { return d_.d[1 + i]; }
	const std::int64_t *begin() const { return d_.d + 1; }
	const std::int64_t *end() const { return d_.d + 1 + size(); }

private:
	void set(const std::int64_t *list, std::size_t n)
	{
		if (n > TSR_MAX_NDIM) detail::refuse("a list of dims has more than 8 entries");
		d_.d[0] = 1 + static_cast<std::int64_t>(n);
		for (std::size_t i = 0; i < n; i++) d_.d[1 + i] = list[i];
	}

	tsr_dims d_ = {};
};

/** Which axes each dim is split over: P("x", nullptr), P("x*y"), P(). The texts are not copied. */
class spec {
public:
	spec() { s_.n1 = 1; }
	spec(std::initializer_list<const char *> entries)
	{
		if (entries.size() > TSR_MAX_NDIM) detail::refuse("a spec has more than 8 entries");
		for (const char *each : entries) s_.d[++s_.n1] = each;
		++s_.n1;
	}
	spec(const tsr_spec &of) : s_(of) {}
	operator tsr_spec() const { return s_; }

private:
	tsr_spec s_ = {};
};
template <class... Entry> spec P(const Entry &...entry)
{
	return spec{static_cast<const char *>(entry)...};
}

/** A mesh: named axes over a grid of devices. Lives as long as its context. */
class mesh {
public:
	mesh() = default;
	/** tsr::mesh m(ctx, {{"x", 4}, {"y", 2}}); over the first devices */
	mesh(const context &ctx, std::initializer_list<tsr_axis> axes, place at = place::here())
		: mesh(tsr_mesh_make_at(at.text(), ctx.get(), axes.begin(), axes.size()))
	{
		detail::check(tsr_mesh_ctx(m_));
	}
	explicit mesh(tsr_mesh *of) : m_(of)
	{
		if (of) home_ = detail::state_of(tsr_mesh_ctx(of));
	}
	/** The mesh of C; NULL where the context is gone. */
	tsr_mesh *get() const { return home_ && home_->ctx ? m_ : nullptr; }
	std::int64_t size() const { return tsr_mesh_size(get_full()); }
	std::int64_t axis_size(const char *name) const
	{
		const std::int64_t n = tsr_mesh_axis_size(get_full(), name);
		detail::check(home_->ctx);
		return n;
	}
	std::string text() const { return tsr_mesh_text(get_full()); }

private:
	tsr_mesh *get_full() const
	{
		if (!get()) detail::refuse("the mesh is empty, or its context is gone");
		return m_;
	}

	tsr_mesh *m_ = nullptr;
	std::shared_ptr<detail::state> home_;
};

namespace detail {
/* an empty mesh is the one in use, of the context that was used last */
inline tsr_ctx *context_of_mesh(const mesh &m)
{
	return m.get() ? tsr_mesh_ctx(m.get()) : recent_context();
}
} // namespace detail

/** Says which mesh an empty one, mesh(), means until the block ends: mesh_in_use use(m); */
class mesh_in_use {
public:
	explicit mesh_in_use(const mesh &m, place at = place::here())
		: use_(tsr_mesh_begin_at(at.text(), m.get()))
	{
	}
	~mesh_in_use() { tsr_mesh_end(&use_); }
	mesh_in_use(const mesh_in_use &) = delete;
	mesh_in_use &operator=(const mesh_in_use &) = delete;

private:
	tsr_mesh_use use_;
};

/** A sharding: a mesh and a spec, or one device. Lives as long as its context. */
class sharding {
public:
	sharding() = default;
	sharding(const mesh &m, const spec &s, place at = place::here())
		: s_(tsr_sharding_make_at(at.text(), m.get(), s))
	{
		detail::check(detail::context_of_mesh(m));
	}
	explicit sharding(const tsr_sharding *of) : s_(of) {}
	const tsr_sharding *get() const { return s_; }
	std::string text() const { return tsr_sharding_text(s_); }

private:
	const tsr_sharding *s_ = nullptr;
};

class fn;

/** Where a call is: a context, or what has one. */
class within {
public:
	within(const context &ctx, place at = place::here()) : ctx_(ctx.get()), at_(at) {}
	within(const array &x, place at = place::here()) : ctx_(tsr_ctx_of(x.get())), at_(at) {}
	within(const mesh &m, place at = place::here()) : ctx_(tsr_mesh_ctx(m.get())), at_(at) {}
	within(const fn &f, place at = place::here());
	within(tsr_ctx *ctx, place at = place::here()) : ctx_(ctx), at_(at) {}
	tsr_ctx *get() const { return ctx_; }
	const char *where() const { return at_.text(); }

private:
	tsr_ctx *ctx_;
	place at_;
};

namespace detail {
template <class T> tsr_arg arg_of_number(T v)
{
	if constexpr (std::is_same_v<T, bool>) return tsr_arg_bool(v);
	else if constexpr (std::is_floating_point_v<T>)
		return tsr_arg_float(static_cast<double>(v));
	else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
		return tsr_arg_int(static_cast<std::int64_t>(v));
	else if constexpr (std::is_integral_v<T>)
		return tsr_arg_uint(static_cast<std::uint64_t>(v));
	else
		return tsr_arg_complex(static_cast<double>(v.real()),
		                       static_cast<double>(v.imag()));
}
} // namespace detail

/** Replaces an operand that is left out: a bound of clip(), a carry of scan(). */
struct none_t {};
constexpr none_t none;

/** A number of C++, which takes the dtype of the array that it is computed with. */
class number {
public:
	template <class T, class = std::enable_if_t<detail::is_number<T>>>
	number(T v) : arg_(detail::arg_of_number(v))
	{
	}
	tsr_arg arg() const { return arg_; }

private:
	tsr_arg arg_;
};

/** An operand: an array, or a number. Keeps the place of the call. */
class operand {
public:
	operand(const array &x, place at = place::here()) : arg_(tsr_arg_one(x.get())), at_(at) {}
	template <class T, class = std::enable_if_t<detail::is_number<T>>>
	operand(T v, place at = place::here()) : arg_(detail::arg_of_number(v)), at_(at)
	{
	}
	operand(none_t, place at = place::here()) : arg_(), at_(at) {}
	tsr_arg arg() const { return arg_; }
	const char *where() const { return at_.text(); }
	place at() const { return at_; }

private:
	tsr_arg arg_;
	place at_;
};

/** Several arrays: {a, b}, or a vector. */
class arrays {
public:
	arrays(std::initializer_list<array> list)
	{
		for (const array &each : list) handle_.push_back(each.get());
		kept_.assign(list.begin(), list.end());
		for (std::size_t i = 0; i < kept_.size(); i++) handle_[i] = kept_[i].get();
	}
	arrays(const std::vector<array> &list)
	{
		for (const array &each : list) handle_.push_back(each.get());
	}
	tsr_handle *const *data() const { return handle_.data(); }
	std::size_t size() const { return handle_.size(); }

private:
	std::vector<array> kept_;
	std::vector<tsr_handle *> handle_;
};

/** The dtype of floats where nobody names one: TSR_F32, unless the context was opened otherwise. */
inline tsr_dtype default_float(const within &ctx)
{
	const tsr_arg zero = tsr_arg_float(0);
	return array::adopt(tsr_scalar_at(ctx.where(), ctx.get(), zero, nullptr)).dtype();
}

/** A copy of row-major memory as an array: from(ctx, data, {2, 3}). */
template <class T> array from(const within &ctx, const T *data, const dims &shape)
{
	static_assert(dtype_of_type<T>() != TSR_DTYPE_DEFAULT, "name the dtype of this memory");
	return array::adopt(tsr_from_at(ctx.where(), ctx.get(), detail::element_of<T>(), data,
	                                dtype_of_type<T>(), shape));
}
/** The same where the type does not say the dtype, as of uint16_t for bf16. */
template <class T>
array from(const within &ctx, const T *data, tsr_dtype dtype, const dims &shape)
{
	return array::adopt(tsr_from_at(ctx.where(), ctx.get(), detail::element_of<T>(), data,
	                                dtype, shape));
}
/** A vector as an array of one dim, or of as many elements: from(ctx, v, {2, 3}). */
template <class T> array from(const within &ctx, const std::vector<T> &v, const dims &shape)
{
	std::int64_t n = 1;
	for (const std::int64_t d : shape) n *= d;
	if (n != static_cast<std::int64_t>(v.size()))
		detail::refuse("from: the vector has another number of elements than the dims");
	if constexpr (std::is_same_v<T, bool>) {
		const std::unique_ptr<bool[]> bytes(new bool[v.size() + 1]);
		std::copy(v.begin(), v.end(), bytes.get());
		return from(ctx, static_cast<const bool *>(bytes.get()), shape);
	} else {
		static const T nothing = T();
		return from(ctx, v.empty() ? &nothing : v.data(), shape);
	}
}
template <class T> array from(const within &ctx, const std::vector<T> &v)
{
	return from(ctx, v, dims{static_cast<std::int64_t>(v.size())});
}

namespace detail {
/* what was written as a list; double is what C++ takes a decimal number for, so it is the usual
 * dtype of floats */
template <class T>
array of_list(const within &ctx, const std::vector<T> &flat, const dims &shape)
{
	const array x = from(ctx, flat, shape);
	const tsr_dtype usual = std::is_same_v<T, double> ? default_float(ctx) : x.dtype();
	return usual == x.dtype() ? x : array::adopt(tsr_astype_at(ctx.where(), x.get(), usual));
}
} // namespace detail

/** A small array: of(ctx, {1.0, 2.0}); decimal numbers are of the usual dtype, f32. */
template <class T> array of(const within &ctx, std::initializer_list<T> list)
{
	return detail::of_list(ctx, std::vector<T>(list),
	                       dims{static_cast<std::int64_t>(list.size())});
}
/** Rows: of(ctx, {{1, 2}, {3, 4}}). */
template <class T>
array of(const within &ctx, std::initializer_list<std::initializer_list<T>> rows)
{
	std::vector<T> flat;
	const std::size_t columns = rows.size() ? rows.begin()->size() : 0;
	for (const auto &row : rows) {
		if (row.size() != columns) detail::refuse("of: rows of different lengths");
		flat.insert(flat.end(), row.begin(), row.end());
	}
	return detail::of_list(ctx, flat, dims{static_cast<std::int64_t>(rows.size()),
	                                       static_cast<std::int64_t>(columns)});
}

template <class T> void array::read(T *to, std::size_t count, place at) const
{
	static_assert(dtype_of_type<T>() != TSR_DTYPE_DEFAULT, "no dtype has this type");
	detail::keywords<tsr_read_args> how;
	if (static_cast<std::int64_t>(count) != size())
		detail::refuse("read: there are not as many elements as there is room for");
	how.dtype = dtype_of_type<T>();
	if (!tsr_read_into_at(at.text(), get(), dtype_of_type<T>(), to, how.get()))
		detail::raise(tsr_ctx_of(get()));
}
template <class T> std::vector<T> array::read(place at) const
{
	const auto n = static_cast<std::size_t>(size());
	if constexpr (std::is_same_v<T, bool>) {
		const std::unique_ptr<bool[]> bytes(new bool[n + 1]);
		read(bytes.get(), n, at);
		return std::vector<bool>(bytes.get(), bytes.get() + n);
	} else {
		std::vector<T> elements(n + 1);
		read(elements.data(), n, at);
		elements.pop_back();
		return elements;
	}
}
template <class T> T array::item(place at) const
{
	T value = T();
	read(&value, 1, at);
	return value;
}

} // namespace tsr
#endif
