/* cxx_arrays.cpp - tests that arrays of C++ own their handles: copies, moves, operators, lists,
 * memory read back, errors as exceptions, and arrays that outlive their context. */
#include "check.hpp"
#include <complex>
#include <functional>

using tsr::array;

namespace {

void lists(tsr::context &ctx)
{
	const array v = tsr::of(ctx, {1.5, 2.5, -3.0}), rows = tsr::of(ctx, {{1, 2, 3}, {4, 5, 6}});
	const std::vector<std::int64_t> two_by_three = {2, 3};

	CHECK(v.dtype() == TSR_F32 && holds(v, {1.5, 2.5, -3}));
	CHECK(rows.dtype() == TSR_I32 && rows.shape() == two_by_three && rows.size() == 6);
	CHECK(holds(rows[1], {4, 5, 6}) && holds(rows[-1][0], {4}) && rows.dim(-1) == 3);
	CHECK(code_of([&] { tsr::of(ctx, {{1, 2}, {3}}); }, "rows") == TSR_ERROR_ARGUMENT);
	const float memory[6] = {0, 1, 2, 3, 4, 5};
	const array m = tsr::from(ctx, memory, {3, 2});
	CHECK(m.read<float>() == std::vector<float>(memory, memory + 6));
	float back[6] = {};
	m.read(back, 6);
	CHECK(back[5] == 5 && m.read<int>()[4] == 4 && m[2][1].item<float>() == 5);
	CHECK(code_of([&] { m.read(back, 5); }, "room") == TSR_ERROR_ARGUMENT);
	const std::vector<bool> mask = {true, false, true};
	CHECK(tsr::from(ctx, mask).read<bool>() == mask);
	const std::vector<std::complex<double>> z = {{1, 2}, {3, -4}};
	CHECK(tsr::from(ctx, z).read<std::complex<double>>() == z);
	CHECK(tsr::from(ctx, std::vector<float>()).size() == 0);
	CHECK(tsr::zeros(ctx, {2, 3}, tsr::new_args().dtype(TSR_I8)).dtype() == TSR_I8);
	CHECK(tsr::ones(ctx, {}).ndim() == 0 && tsr::ones(ctx, {}).item() == 1);
}

void operators(tsr::context &ctx)
{
	const array a = tsr::of(ctx, {1.0, 2.0, -3.0}), b = tsr::of(ctx, {2.0, 2.0, 2.0});

	CHECK(holds(a + b, {3, 4, -1}) && holds(a - 1, {0, 1, -4}) && holds(2 - a, {1, 0, 5}));
	CHECK(holds(a * b, {2, 4, -6}) && holds(1 / b, {.5, .5, .5}) && holds(-a, {-1, -2, 3}));
	CHECK(holds(a % 2, {1, 0, 1}) && (a % 2).dtype() == TSR_F32);
	CHECK(holds(a < b, {1, 0, 1}) && holds(a == b, {0, 1, 0}) && (a != b).dtype() == TSR_BOOL);
	CHECK(holds(a <= 1.0, {1, 0, 1}) && holds(1 > a, {0, 0, 1}) && holds(a >= b, {0, 1, 0}));
	CHECK(holds(!(a < b), {0, 1, 0}) && holds(~(a < b), {0, 1, 0}));
	const array i = tsr::of(ctx, {6, 5});
	CHECK(holds(i & 3, {2, 1}) && holds(i | 1, {7, 5}) && holds(i ^ i, {0, 0}));
	CHECK(holds(i << 1, {12, 10}) && holds(i >> 1, {3, 2}) && (i + 1).dtype() == TSR_I32);
	array c = a;
	c += 1, c *= b;
	CHECK(holds(c, {4, 6, -4}) && holds(a, {1, 2, -3}));
	CHECK(holds(tsr::sum(tsr::of(ctx, {{1, 2}, {3, 4}}), tsr::sum_args().dims({0})), {4, 6}));
}

void lives(tsr::context &ctx)
{
	const tsr_memory_info before = tsr_memory(ctx.get());
	{
		array a = tsr::ones(ctx, {1 << 16});
		array copy = a, moved = std::move(a);
		CHECK(a.empty() && !copy.empty() && copy.get() != moved.get());
		moved = array();
		CHECK(copy.size() == 1 << 16);
		a = copy;
		array &same = copy;
		copy = same;
		std::vector<array> many(8, a);
		many.erase(many.begin(), many.begin() + 4);
		CHECK(many[3].size() == 1 << 16);
		array raw = array::adopt(many[0].release());
		CHECK(many[0].empty() && raw.size() == 1 << 16);
	}
	CHECK(tsr_memory(ctx.get()).in_use < before.in_use + (1 << 16));
}

void errors(tsr::context &ctx)
{
	const array a = tsr::ones(ctx, {4}), b = tsr::ones(ctx, {3});
	const auto wrong = [&] { (void)(a + b); };
	CHECK(code_of(wrong, "shapes for broadcasting: (4,), (3,)") == TSR_ERROR_TYPE);
	/* with the place of the operator */
	const std::string here = "cxx_arrays.cpp:" + std::to_string(__LINE__ - 3) + ": add";
	CHECK(code_of(wrong, here.c_str()) == TSR_ERROR_TYPE);
	/* nothing is left behind */
	CHECK(tsr_status(ctx.get()) == TSR_OK && holds(a + a, {2, 2, 2, 2}));
	CHECK(code_of([&] { tsr::exp(array()); }, "NULL") == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { a.dim(1); }, "dim") == TSR_ERROR_ARGUMENT);
	CHECK(code_of([&] { tsr::mesh(ctx, {{"x", 99}}); }, "99") == TSR_ERROR_SHARDING);
	CHECK(code_of([] { tsr::context none(tsr::open_args().engine("none")); }, "none") ==
	      TSR_ERROR_PLUGIN);
}

/* arrays and fns that outlive their context are empty, and go without harm */
void outlive()
{
	array late, copy;
	tsr::function<array(array)> f;
	{
		tsr::context ctx;
		late = tsr::ones(ctx, {2});
		const array factor = late + 1;
		const auto body = [factor](array x) { return x * factor; };
		f = tsr::jit(ctx, std::function<array(array)>(body));
		CHECK(holds(f(late), {2, 2}));
		CHECK(ctx.close() == 0 && ctx.close() == 0);
	}
	CHECK(late.empty() && f.get() == nullptr);
	copy = late;
	CHECK(code_of([&] { (void)(late + 1); }, "NULL") == TSR_ERROR_HANDLE);
	tsr::context again;
	late = tsr::ones(again, {1});
	tsr::context moved = std::move(again);
	CHECK(late.item<int>() == 1 && !moved.close());
}

}

int main()
{
	tsr_log_to([](void *, int, const char *) {}, nullptr);
	{
		tsr::context ctx(2);
		lists(ctx);
		operators(ctx);
		lives(ctx);
		errors(ctx);
	}
	outlive();
	return failures != 0;
}
