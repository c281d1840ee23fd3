/* cxx_misuse.cpp - arrays, fns and meshes that are used in the wrong way: empty ones, those of a
 * context or a body that has ended. Each is an exception with the place of the call, and the next
 * call is as if it had not been. */
#include "check.hpp"

using tsr::array;

namespace {

const char *const gone = "the array is empty";

/* what f throws is an error of a handle that names this line */
template <class F> bool refused(F &&f, int line)
{
	const std::string place = "cxx_misuse.cpp:" + std::to_string(line);
	return code_of(f, place.c_str()) == TSR_ERROR_HANDLE;
}
#define REFUSED(...) CHECK(refused([&] { __VA_ARGS__; }, __LINE__))

void asked(const array &x, const char *part)
{
	CHECK(code_of([&] { (void)x.ndim(); }, part) == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { (void)x.size(); }, part) == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { (void)x.dtype(); }, part) == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { (void)x.dim(0); }, part) == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { (void)x.shape(); }, part) == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { (void)x.item(); }, part) == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { (void)x.read<float>(); }, part) == TSR_ERROR_HANDLE);
}

void used(array x, const array &one)
{
	REFUSED((void)(x + one));
	REFUSED((void)(1 - x));
	REFUSED((void)-x);
	REFUSED((void)~x);
	REFUSED((void)!x);
	REFUSED((void)x[0]);
	REFUSED(x += one);
	REFUSED(x /= 2);
	REFUSED((void)tsr::sum(x));
	REFUSED((void)tsr::where(one > 0, x, 1));
}

void empty(tsr::context &ctx)
{
	const array one = tsr::of(ctx, {1.0});
	array x = one;
	const array moved = std::move(x);

	asked(x, gone);
	used(x, one);
	CHECK(code_of([&] { (void)x.text(); }, gone) == TSR_ERROR_HANDLE);
	x = moved;
	x += x;
	CHECK(holds(x, {2}) && holds(one, {1}) && holds(+x, {2}) && x[0].item() == 2);
}

void of_ended_bodies(tsr::context &ctx)
{
	const array one = tsr::of(ctx, {1.0});
	array kept;
	const auto f = tsr::jit(ctx, [&kept](array x) { return kept = x, x * 2; });

	CHECK(holds(f(one), {2}));
	asked(kept, "traced body that has ended");
	used(kept, one);
	CHECK(holds(f(one), {2}));
}

void of_closed_contexts()
{
	array x;
	tsr::mesh m;
	tsr::function<array(array)> f;
	{
		tsr::context ctx(2);
		x = tsr::of(ctx, {1.0});
		m = tsr::mesh(ctx, {{"x", 2}});
		CHECK(m.size() == 2 && m.axis_size("x") == 2);
		CHECK(code_of([&] { m.axis_size("y"); }, "y") > 0);
		f = tsr::jit(ctx, [](array y) { return y; });
		CHECK(holds(f(x), {1}));
	}
	tsr::context ctx(2);
	const array one = tsr::of(ctx, {1.0});
	asked(x, gone);
	used(x, one);
	CHECK(code_of([&] { f(one); }, "the fn is empty") == TSR_ERROR_HANDLE);
	CHECK(!m.get() && code_of([&] { (void)m.size(); }, "mesh") == TSR_ERROR_ARGUMENT);
	CHECK(code_of([&] { (void)m.text(); }, "mesh") == TSR_ERROR_ARGUMENT);
	CHECK(code_of([&] { tsr::put(one, m, tsr::P("x")); }, "mesh") == TSR_ERROR_ARGUMENT);
}

/* a fn that is moved from, or that ends while it runs */
void fns(tsr::context &ctx)
{
	const array one = tsr::of(ctx, {1.0});
	tsr::fn f = tsr::jit(ctx, [](array x) { return x * 2; }), g = std::move(f);

	CHECK(code_of([&] { f.call<array>(one); }, "the fn is empty") == TSR_ERROR_HANDLE);
	const double three = 3;
	const auto captures = tsr::jit(ctx, [three](array x) { return x * three; });
	CHECK(holds(captures(one), {3}) && holds(g.call<array>(one), {2}));

	f = tsr::jit(ctx, [&f, three](array x) {
		f = tsr::fn();
		return x * three;
	});
	CHECK(holds(f.call<array>(one), {3}) && !f.get());
	CHECK(holds(tsr::jit(ctx, [](array x) noexcept { return x + 1; })(one), {2}));
}

} // namespace

int main()
{
	{
		tsr::context ctx(2);
		empty(ctx);
		of_ended_bodies(ctx);
		fns(ctx);
		CHECK(ctx.close() == 0);
	}
	of_closed_contexts();
	return failures != 0;
}
