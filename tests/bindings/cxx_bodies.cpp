/* cxx_bodies.cpp - functions and lambdas of C++ as bodies: a product on a mesh, a gradient through
 * shard_map, captures, control flow, callbacks, and exceptions that come out where they should. */
#include "check.hpp"
#include <functional>
#include <memory>
#include <thread>

using tsr::array;

namespace {

array product(array a, array b)
{
	return tsr::psum(tsr::dot(a, b), "y");
}

/* [[0,1,2,3],[4,5,6,7]] times its transpose, the dim that is summed split over "y" */
void on_a_mesh(tsr::context &ctx)
{
	const tsr::mesh m(ctx, {{"x", 2}, {"y", 2}});
	const array a = tsr::of(ctx, {{0.0, 1.0, 2.0, 3.0}, {4.0, 5.0, 6.0, 7.0}});
	const auto f = tsr::shard_map(m, product,
	                              tsr::shard_map_args().sig("[x,y] [y,-] -> [x,-]"));
	const array c = f(a, tsr::t(a));

	CHECK(holds(c, {14, 38, 38, 126}) && tsr::shard_count(c) == 4);
	const auto again = tsr::shard_map(m, product, tsr::shard_map_args()
		.in({tsr::P("x", "y"), tsr::P("y", nullptr)}).out({tsr::P("x", nullptr)}));
	CHECK(holds(again(a, tsr::t(a)), {14, 38, 38, 126}));

	{ /* an empty mesh is the one in use */
		const tsr::mesh_in_use use(m);
		const auto third = tsr::shard_map(tsr::mesh(), product, tsr::shard_map_args()
			.sig("[x,y] [y,-] -> [x,-]"));
		CHECK(holds(third(a, tsr::t(a)), {14, 38, 38, 126}) && third.get() == f.get());
		CHECK(tsr::shard_count(tsr::put(a, tsr::mesh(), tsr::P("y"))) == 4);
	}

	/* the gradient of the sum of its squares: 2 c b', with b' the transpose of b */
	const auto loss = [f](array l, array r) { return tsr::sum(tsr::square(f(l, r))); };
	const auto [value, ga, gb] = tsr::value_and_grad<0, 1>(ctx, loss)(a, tsr::t(a));
	CHECK(value.item() == 14 * 14 + 2 * 38 * 38 + 126 * 126);
	CHECK(tsr::array_equal(ga, 2 * tsr::dot(c, a)));
	CHECK(tsr::array_equal(gb, 2 * tsr::dot(tsr::t(a), c)));
	const array g = tsr::grad(ctx, loss)(a, tsr::t(a));
	CHECK(tsr::array_equal(g, ga));
}

/* a lambda lives until its fn goes, and what it has captured with it */
void captures(tsr::context &ctx)
{
	std::weak_ptr<int> watched;
	const array x = tsr::of(ctx, {1.0, 2.0});
	int traced = 0;
	{
		tsr::function<array(array)> f, copy;
		{
			const auto power = std::make_shared<int>(3);
			const array offset = tsr::of(ctx, {10.0, 20.0});
			watched = power;
			f = tsr::jit(ctx, [power, offset, &traced](array v) {
				traced++;
				return tsr::integer_pow(v, *power) + offset;
			}, tsr::jit_args().name("cubes"));
		}
		CHECK(holds(f(x), {11, 28}) && f.name() == "cubes" && !watched.expired());
		copy = f;
		f = tsr::function<array(array)>();
		CHECK(holds(copy(x), {11, 28}) && !watched.expired());
	}
	CHECK(watched.expired() && traced >= 1);
	/* one without captures is one fn, and traced once */
	const auto twice = [](array v) { return v * 2; };
	const auto f = tsr::jit(ctx, twice), g = tsr::jit(ctx, twice);
	CHECK(f.get() == g.get() && holds(f(x), {2, 4}) && holds(g(x + 1), {4, 6}));
	CHECK(f.stats().traces == 1 && f.stats().hits == 1);
	const auto p = tsr::jit(ctx, product), q = tsr::jit(ctx, product);
	CHECK(p.get() == q.get());
	/* a generic one takes arrays */
	const auto h = tsr::jit(ctx, [](auto a, auto b) { return std::make_tuple(a + b, a - b); });
	const auto [sum, difference] = h(x, 1);
	CHECK(holds(sum, {2, 3}) && holds(difference, {0, 1}));
	const std::function<array(array)> any = [](array v) { return -v; };
	CHECK(holds(tsr::vmap(ctx, any)(x), {-1, -2}));
	/* a body may return its argument, and what it has captured */
	const auto same = tsr::jit(ctx, [x](array v) { return std::make_tuple(v, x); });
	const auto [v, w] = same(x + 1);
	CHECK(holds(v, {2, 3}) && holds(w, {1, 2}));
	CHECK(tsr::jit(ctx, [] { return 3; }, tsr::jit_args())().item<int>() == 3);
}

void derivatives(tsr::context &ctx)
{
	const array x = tsr::of(ctx, {1.0, 2.0}), dx = tsr::of(ctx, {1.0, 0.0});
	const auto f = tsr::jit(ctx, [](array v) { return tsr::sin(v) * v; });
	const auto [y, dy] = tsr::jvp(ctx, f).call<std::tuple<array, array>>(x, dx);
	const auto [y2, pull] = tsr::vjp(f, x);
	const auto [y3, push] = tsr::linearize(f, x);

	CHECK(tsr::array_equal(y, y2) && tsr::array_equal(y, y3) && tsr::array_equal(push(dx), dy));
	CHECK(tsr::array_equal(pull(dx), dy) && dy[1].item() == 0);
	const array jacobian = tsr::jacrev(ctx, f).call<array>(x);
	CHECK(tsr::array_equal(jacobian[0], dy) && jacobian.ndim() == 2);
	/* a rule of one's own: clipping passes everything on backwards */
	const auto clip = tsr::custom_vjp(ctx, [](array v) { return tsr::minimum(v, 1); },
		[](array v) { return std::make_tuple(tsr::minimum(v, 1), v); },
		[](array v, array ct) { return ct * v; });
	const auto g = tsr::grad(ctx, [clip](array v) { return tsr::sum(clip(v)); });
	CHECK(holds(g(x), {1, 2}) && holds(clip(x), {1, 1}));
}

void control(tsr::context &ctx)
{
	const array x = tsr::of(ctx, {1.0, 2.0, 3.0});
	const double by = 3;
	const array big = tsr::cond(x[0] > 0, [by](array v) { return v * by; },
	                            [](array v) { return -v; }, x);
	CHECK(holds(big, {3, 6, 9}));
	CHECK(holds(tsr::switch_(1, tsr::branches([](array v) { return v; },
	                                          [](array v) { return v + 1; }), x), {2, 3, 4}));
	const array power = tsr::while_([](array v) { return v < 1000; },
	                                [](array v) { return v * 2; }, x[0]);
	CHECK(power.item() == 1024);
	CHECK(tsr::fori(0, 10, [](array i, array s) { return s + i; }, 0).item<int>() == 45);
	const auto [total, partial] = tsr::scan([](array c, array v) {
		const array next = c + v;
		return std::make_tuple(next, next * 10);
	}, 0.0, x);
	CHECK(total.item() == 6 && holds(partial, {10, 30, 60}));
	CHECK(holds(tsr::map([](array v) { return v * v; }, x), {1, 4, 9}));
	CHECK(holds(tsr::associative_scan([](array a, array b) { return a * b; }, x), {1, 2, 6}));
	const auto larger = [](array a, array b) { return tsr::maximum(a, b); };
	CHECK(tsr::reduce(larger, x, -1.0).item() == 3);
	int calls = 0;
	const auto seen = tsr::pure_callback(ctx, [&calls](const tsr_host_call &c) {
		calls++;
		static_cast<float *>(c.out[0])[0] = static_cast<const float *>(c.in[0])[2] + 1;
	}, tsr::callback_args().results({{TSR_F32, tsr::dims{}}}));
	CHECK(seen.call<array>(x).item() == 4 && calls == 1);
}

struct my_exception : std::runtime_error {
	using std::runtime_error::runtime_error;
	int number = 7;
};

template <class F> bool throws_mine(F &&f)
{
	try {
		f();
	} catch (const my_exception &e) {
		return e.number == 7 && std::string(e.what()) == "mine";
	}
	return false;
}

/* the exception arrives as it was thrown, and nothing else happens */
void exceptions(tsr::context &ctx)
{
	const array x = tsr::of(ctx, {1.0, 2.0, 3.0});
	const auto bad = [x](array v) -> array {
		const array made = v * x;
		if (made.ndim() == 1) throw my_exception("mine");
		return made;
	};
	const auto fine = [](array v) { return v; };
	const auto inner = tsr::jit(ctx, bad);

	CHECK(throws_mine([&] { inner(x); }) && throws_mine([&] { tsr::cond(1, bad, fine, x); }));
	CHECK(throws_mine([&] { tsr::grad(ctx, bad)(x); }) && throws_mine([&] { inner.text(x); }));
	CHECK(throws_mine([&] { tsr::vmap(ctx, bad)(tsr::ones(ctx, {2, 3})); }));
	const auto outer = tsr::jit(ctx, [inner](array v) { return inner(v + 1) * 2; });
	CHECK(throws_mine([&] { outer(x); }));
	const auto host = tsr::pure_callback(ctx, [](const tsr_host_call &) {
		throw my_exception("mine");
	}, tsr::callback_args().results({{TSR_F32, tsr::dims{}}}));
	CHECK(throws_mine([&] { host.call<array>(x); }));
	bool caught = false;
	try {
		tsr::jit(ctx, [](array) -> array { throw 5; })(x);
	} catch (int n) {
		caught = n == 5;
	}
	CHECK(caught && tsr_status(ctx.get()) == TSR_OK && holds(x + x, {2, 4, 6}));

	/* an error has the place where it arose, and notes of the calls around it */
	const auto wrong = tsr::jit(ctx, [](array v) { return v + tsr::ones(v, {7}); },
	                            tsr::jit_args().name("wrong"));
	const auto around = tsr::jit(ctx, [wrong](array v) { return wrong(v); },
	                             tsr::jit_args().name("around"));
	CHECK(code_of([&] { around(x); }, "cxx_bodies.cpp:") == TSR_ERROR_TYPE);
	CHECK(code_of([&] { around(x); }, "while tracing wrong") == TSR_ERROR_TYPE);
	CHECK(code_of([&] { around(x); }, "while tracing around") == TSR_ERROR_TYPE);
	/* a body that catches it goes on */
	const auto careful = tsr::jit(ctx, [wrong](array v) {
		try {
			return wrong(v);
		} catch (const tsr::error &) {
			return v * 5;
		}
	});
	CHECK(holds(careful(x), {5, 10, 15}));
	/* a value that outlives its body is noticed */
	array escaped;
	tsr::jit(ctx, [&escaped](array v) { return escaped = v * 2; })(x);
	CHECK(code_of([&] { (void)(escaped + 1); }, "") == TSR_ERROR_HANDLE);
	const auto reads = tsr::jit(ctx, [](array v) { return v.item() > 0 ? v : -v; });
	CHECK(code_of([&] { reads(x[0]); }, "") == TSR_ERROR_HANDLE);
	CHECK(code_of([&] { tsr::jit(ctx, fine).call<array>(x, x); }, "2") == TSR_ERROR_ARGUMENT);
}

/* a context for each thread, and one lambda for all */
void threads()
{
	const auto twice = [](array v) { return v * 2; };
	std::vector<std::thread> all;

	for (int k = 0; k < 4; k++)
		all.emplace_back([&twice, k] {
			tsr::context own;
			const array x = tsr::of(own, {1.0 * k, 3.0});
			CHECK(holds(tsr::jit(own, twice)(x), {2.0 * k, 6}));
			CHECK(code_of([&] { tsr::dot(x, tsr::ones(own, {5})); }, "5") ==
			      TSR_ERROR_TYPE);
		});
	for (auto &each : all) each.join();
}

/* gradients with further results, and lists of arguments by number */
void auxiliary(tsr::context &ctx)
{
	const array x = tsr::of(ctx, {1.0, 2.0}), w = tsr::of(ctx, {3.0, 4.0});
	const auto loss = [](array v, array u) {
		const array y = v * u;
		return std::make_tuple(tsr::sum(y), y);
	};
	const auto f = tsr::value_and_grad<1>(ctx, loss, tsr::grad_args().has_aux(true));
	const auto [value, y, g] = f.template call<std::tuple<array, array, array>>(x, w);

	CHECK(value.item() == 11 && holds(y, {3, 8}) && holds(g, {1, 2}));
}

}

int main()
{
	tsr_log_to([](void *, int, const char *) {}, nullptr);
	tsr::context ctx(4);

	on_a_mesh(ctx);
	captures(ctx);
	derivatives(ctx);
	control(ctx);
	exceptions(ctx);
	threads();
	auxiliary(ctx);
	const std::size_t size = tsr_memory(ctx.get()).in_use;
	const array x = tsr::ones(ctx, {1000});
	for (int i = 0; i < 1000; i++) {
		const array factor = x + i;
		(void)tsr::jit(ctx, [factor](array v) { return v * factor; })(x);
	}
	CHECK(tsr_memory(ctx.get()).in_use < size + (1 << 20));
	CHECK(ctx.close() == 0);
	return failures != 0;
}
