/* tsr/detail/core.hpp - owns contexts and handles for C++, and turns errors into exceptions. Part
 * of tsr/tsr.hpp.
 *
 * C's name of a handle's type is that of the namespace here: what C calls tsr is tsr_handle. */
#ifndef TSR_DETAIL_CORE_HPP
#define TSR_DETAIL_CORE_HPP
#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef TSR_BASE_H
#error "include tsr/tsr.hpp in place of tsr/tsr.h: a C++ source has handles of the one or the other"
#endif
#define tsr tsr_handle
#include "../tsr.h"
#undef tsr
#if defined __GLIBCXX__
#include <cxxabi.h>
#endif

/** The library for C++. Names are those of C without tsr_, with _ behind words of C++: while_. */
namespace tsr {

/** What a call that failed throws. what() is the text, "main.cpp:14: dot got incompatible shapes",
 * with notes in lines of their own; code() is one of tsr_code. */
class error : public std::runtime_error {
public:
	error(int code, const std::string &text) : std::runtime_error(text), code_(code) {}
	int code() const noexcept { return code_; }

private:
	int code_;
};

/** A place in a source. As an argument that is not given it is the place of the call. */
struct place {
	const char *file = nullptr;
	int line = 0;

	static constexpr place here(const char *file = __builtin_FILE(),
	                            int line = __builtin_LINE()) noexcept
	{
		return {file, line};
	}
	/** "main.cpp:14", for the _at functions of C; lives as long as the program. */
	const char *text() const
	{
		static std::mutex lock;
		static std::set<std::string> *const all = new std::set<std::string>;
		struct known { place at; const char *text; };
		thread_local known recent[64] = {};

		if (!file) return nullptr;
		known &k = recent[(reinterpret_cast<std::uintptr_t>(file) / 8 +
		                   static_cast<std::uintptr_t>(line)) % 64];
		if (k.text && k.at.file == file && k.at.line == line) return k.text;
		const std::lock_guard<std::mutex> held(lock);
		k.text = all->insert(std::string(file) + ":" + std::to_string(line)).first->c_str();
		k.at = *this;
		return k.text;
	}
};

namespace detail {

/* what a fn keeps until it goes, such as what its body has captured */
struct kept {
	kept() = default;
	kept(const kept &) = delete;
	kept &operator=(const kept &) = delete;
	virtual ~kept() = default;
};
struct closure : kept {
	virtual void run(tsr_frame *frame) = 0;
};

/* What C++ knows of a context. Arrays share it, so those that outlive the context are harmless.
 * kept: handles that bodies have returned, which stay until the call that ran these is done; of
 * those below `floor` an outer call takes care. buried: closures of fns that are gone; the library
 * does not let them use the context while they go, and they may hold arrays. */
struct state {
	tsr_ctx *ctx = nullptr;
	std::vector<tsr_handle *> kept;
	std::size_t floor = 0;
	std::exception_ptr thrown;
	std::vector<std::unique_ptr<closure>> buried;
	std::vector<std::unique_ptr<detail::kept>> held; /* host functions, for good */

	void settle()
	{
		while (kept.size() > floor) {
			tsr_drop(&kept.back());
			kept.pop_back();
		}
		while (!buried.empty()) {
			std::vector<std::unique_ptr<closure>> dead;
			dead.swap(buried);
		}
	}
};

struct registry {
	std::mutex lock;
	std::vector<std::weak_ptr<state>> all;

	static registry &get()
	{
		static registry *const one = new registry;
		return *one;
	}
	std::shared_ptr<state> find(tsr_ctx *ctx)
	{
		const std::lock_guard<std::mutex> held(lock);
		std::shared_ptr<state> found;
		std::size_t n = 0;
		for (auto &each : all) {
			auto s = each.lock();
			if (!s || !s->ctx) continue;
			if (s->ctx == ctx) found = s;
			all[n++] = std::move(each);
		}
		all.resize(n);
		if (found) return found;
		found = std::make_shared<state>();
		found->ctx = ctx;
		all.push_back(found);
		return found;
	}
};

inline std::shared_ptr<state> &recent_state()
{
	thread_local std::shared_ptr<state> recent;
	return recent;
}

inline const std::shared_ptr<state> &state_of(tsr_ctx *ctx)
{
	auto &recent = recent_state();
	if (!recent || recent->ctx != ctx) recent = registry::get().find(ctx);
	return recent;
}

/* the context that was used last on this thread */
inline tsr_ctx *recent_context()
{
	return recent_state() ? recent_state()->ctx : nullptr;
}

/* the error of a context, which is forgotten there; or what a body has thrown */
[[noreturn]] inline void raise(tsr_ctx *ctx)
{
	const int code = tsr_status(ctx);
	const std::string text = tsr_message(ctx);
	const std::shared_ptr<state> s = state_of(ctx);
	const std::exception_ptr thrown = std::exchange(s->thrown, nullptr);

	tsr_clear(ctx);
	s->settle();
	if (!thrown) throw error(code, text);
	try {
		std::rethrow_exception(thrown);
	} catch (const error &e) { /* again, with the notes of the calls in between */
		throw error(e.code(), text);
	}
}

inline void check(tsr_ctx *ctx)
{
	if (tsr_status(ctx)) raise(ctx);
}

/* behind a call that may have run bodies */
inline void settle(tsr_ctx *ctx)
{
	check(ctx);
	const std::shared_ptr<state> s = state_of(ctx);
	s->thrown = nullptr;
	s->settle();
}

/* a record of keywords whose size is known, and what its members refer to */
template <class Record> struct keywords : Record {
	keywords() : Record() { this->size = sizeof(Record); }
	const Record *get() const { return this; }

protected:
	template <class Value> const Value *hold(std::vector<Value> list)
	{
		auto all = std::make_shared<std::vector<Value>>(std::move(list));
		held_.push_back(all);
		return all->data();
	}

private:
	std::vector<std::shared_ptr<const void>> held_;
};

} // namespace detail

/** An array: owns a handle, which is released when the last copy of the array goes. Arrays do not
 * change; assigning gives the variable another one. One that is made without a value is empty: a
 * leaf that is absent, or an operand that is left out. It belongs to the thread of its context. In
 * a body it is a value that an array will have, and ends with the body. */
class array {
public:
	array() noexcept = default;
	/** Takes over a handle that a scope or nobody else owns; throws what made it poison. */
	static array adopt(tsr_handle *handle)
	{
		if (tsr_is_poison(handle)) detail::raise(tsr_ctx_of(handle));
		array made;
		made.handle_ = handle;
		made.state_ = detail::state_of(tsr_ctx_of(handle));
		return made;
	}
	/** Another handle to the value of one that stays the caller's; empty for NULL. */
	static array retain(tsr_handle *handle)
	{
		tsr_handle *own = nullptr;
		if (!handle) return array();
		if (!tsr_set(&own, handle)) detail::raise(tsr_ctx_of(handle));
		return adopt(own);
	}
	array(const array &other) : array(retain(other.get())) {}
	array(array &&other) noexcept
		: handle_(std::exchange(other.handle_, nullptr)), state_(std::move(other.state_))
	{
	}
	array &operator=(const array &other)
	{
		if (this != &other) *this = array(other);
		return *this;
	}
	array &operator=(array &&other) noexcept
	{
		std::swap(handle_, other.handle_);
		std::swap(state_, other.state_);
		return *this;
	}
	~array()
	{
		if (handle_ && state_->ctx) tsr_drop(&handle_);
	}
	/** The handle, for functions of C; NULL of an empty array, or where the context is gone. */
	tsr_handle *get() const noexcept { return state_ && state_->ctx ? handle_ : nullptr; }
	/** The handle, which becomes the caller's: tsr_drop() ends it. */
	tsr_handle *release() noexcept
	{
		state_.reset();
		return std::exchange(handle_, nullptr);
	}
	bool empty() const noexcept { return !get(); }

	tsr_dtype dtype() const { return tsr_dtype_of(get()); }
	int ndim() const { return tsr_ndim(get()); }
	/** Elements. */
	std::int64_t size() const { return tsr_size(get()); }
	/** The size of a dim, of which the last one is -1. */
	std::int64_t dim(int d, place at = place::here()) const
	{
		const std::int64_t n = tsr_dim_at(at.text(), get(), d);
		detail::check(context_of());
		return n;
	}
	std::vector<std::int64_t> shape() const
	{
		std::vector<std::int64_t> sizes;
		for (int d = 0, n = ndim(); d < n; d++) sizes.push_back(dim(d));
		return sizes;
	}
	/** All elements, row-major, converted to T: x.read<float>(). */
	template <class T> std::vector<T> read(place at = place::here()) const;
	/** All elements to memory with room for so many: float y[6]; x.read(y, 6). */
	template <class T> void read(T *to, std::size_t count, place at = place::here()) const;
	/** The one element: x.item<double>(). */
	template <class T = double> T item(place at = place::here()) const;
	/** x[i] of dim 0, without that dim; from the end if negative. */
	array operator[](std::int64_t i) const;
	/** What print() prints; of a traced value its type, "f32[2,8]{x}". */
	std::string text() const { return tsr_text_at(nullptr, get(), nullptr); }

	array operator-() const;
	array operator+() const { return *this; }
	array operator~() const;
	array operator!() const;

private:
	tsr_ctx *context_of() const { return state_ ? state_->ctx : nullptr; }

	tsr_handle *handle_ = nullptr;
	std::shared_ptr<detail::state> state_;
};

class open_args;

/** A context: devices, caches, memory. It is closed when the variable goes; arrays and fns that
 * outlive it are empty then. */
class context {
public:
	/** tsr::context ctx(8): so many virtual devices. */
	explicit context(int devices = 1, place at = place::here())
	{
		detail::keywords<tsr_open_args> how;
		how.devices = devices;
		open(how.get(), at);
	}
	/** tsr::context ctx(tsr::open_args().devices(8).workers(2)) */
	explicit context(const open_args &how, place at = place::here());
	context(context &&) noexcept = default;
	context &operator=(context &&other) noexcept
	{
		std::swap(state_, other.state_);
		return *this;
	}
	context(const context &) = delete;
	context &operator=(const context &) = delete;
	~context() { close(); }
	/** Ends it now: everything it owns is freed. The code of an error that nobody was told. */
	int close() noexcept
	{
		const std::shared_ptr<detail::state> s = std::exchange(state_, nullptr);
		if (!s || !s->ctx) return 0;
		s->floor = 0;
		s->settle();
		const int code = tsr_close(s->ctx);
		s->ctx = nullptr; /* arrays in what follows are dead */
		s->kept.clear();
		s->buried.clear();
		s->held.clear();
		return code;
	}
	tsr_ctx *get() const noexcept { return state_ ? state_->ctx : nullptr; }

private:
	void open(const tsr_open_args *how, place at)
	{
		tsr_ctx *ctx = tsr_open_at(at.text(), how);
		if (tsr_status(ctx)) throw error(tsr_status(ctx), tsr_message(ctx));
		state_ = detail::state_of(ctx);
	}

	std::shared_ptr<detail::state> state_;
};

namespace detail {

/* the handle that a call has made, as what the caller owns */
inline array made(tsr_handle *handle) { return array::adopt(handle); }

} // namespace detail

} // namespace tsr
#endif
