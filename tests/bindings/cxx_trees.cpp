/* cxx_trees.cpp - aggregates of C++ as trees: arguments, results, gradients, vectors with sizes
 * that bodies see, files, and a network in training. */
#include "check.hpp"
#include <cstdlib>
#include <unistd.h>

using tsr::array;

namespace {

struct dense {
	array w, b;
};
struct net {
	std::vector<dense> layer;
	array scale;
};
struct state {
	net params;
	std::array<array, 2> moments;
	std::tuple<array, dense> rest;
};
struct wide {
	array a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};

dense filled(tsr::context &ctx, double v)
{
	return {tsr::full(ctx, {2, 2}, v), tsr::full(ctx, {2}, v + 1)};
}

array apply(net n, array x)
{
	for (const dense &each : n.layer) x = tsr::dot(x, each.w) + each.b;
	return x * n.scale;
}

void leaves(tsr::context &ctx)
{
	const array one = tsr::of(ctx, {1.0});
	const net n = {{filled(ctx, 1), filled(ctx, 2), filled(ctx, 3)}, one};
	const state s = {n, {one, one}, {one, filled(ctx, 4)}};
	wide w = {};
	int count = 0;

	tsr::each_leaf(s, [&](const array &leaf) { count += !leaf.empty(); });
	CHECK(count == 12 && tsr::tree(s).size() == 12 && tsr::tree_size(tsr::tree(n)) == 19);
	tsr::each_leaf(w, [&](array &leaf) { leaf = one + count++; });
	CHECK(holds(w.a, {13}) && holds(w.p, {28}));
	const net doubled = tsr::tree_map([](const array &x) { return x * 2; }, n);
	CHECK(holds(doubled.layer[2].b, {8, 8}) && doubled.layer.size() == 3 && holds(one, {1}));
}

void calls(tsr::context &ctx)
{
	const array x = tsr::of(ctx, {1.0, 2.0}), one = tsr::of(ctx, {1.0, 1.0});
	const net two = {{filled(ctx, 1), filled(ctx, 2)}, one}, single = {{filled(ctx, 1)}, one};
	const auto f = tsr::jit(ctx, apply);

	/* the body sees as many layers as there are */
	CHECK(holds(f(single, x), {5, 5}) && holds(f(two, x), {23, 23}) && f.stats().traces == 2);
	CHECK(holds(f(single, x + 1), {7, 7}) && f.stats().traces == 2);

	/* gradients are nets of the same shape */
	const auto loss = [](net n, array v) { return tsr::sum(tsr::square(apply(n, v))); };
	const auto [value, g] = tsr::value_and_grad(ctx, loss)(single, x);
	CHECK(value.item() == 50 && g.layer.size() == 1 && holds(g.layer[0].b, {10, 10}));
	CHECK(holds(g.layer[0].w, {10, 10, 20, 20}) && holds(g.scale, {50, 50}));
	const net h = tsr::grad(ctx, loss)(two, x);
	CHECK(h.layer.size() == 2 && h.layer[1].w.ndim() == 2);

	/* an absent leaf stays absent */
	const dense half = {one, array()};
	const auto same = tsr::jit(ctx, [](dense d) { return dense{d.w * 2, d.b}; });
	const dense back = same(half);
	CHECK(holds(back.w, {2, 2}) && back.b.empty());
}

/* y = 2 x + 1 is learned with an optimiser, whose state is a list of arrays */
void training(tsr::context &ctx)
{
	dense w = {tsr::zeros(ctx, {1, 1}), tsr::zeros(ctx, {1})};
	const array x = tsr::of(ctx, {{0.0}, {1.0}, {2.0}, {3.0}}), y = 2 * x + 1;
	const auto loss = tsr::value_and_grad(ctx, [](dense p, array in, array out) {
		return tsr::mean(tsr::square(tsr::dot(in, p.w) + p.b - out));
	});
	const tsr_optimizer *opt = tsr::sgd(ctx, 0.1);
	auto s = tsr::optimizer_init(opt, tsr::tree(w));
	double last = 1e9;

	for (int i = 0; i < 200; i++) {
		const auto [value, g] = loss(w, x, y);
		CHECK(tsr::optimizer_update(opt, tsr::tree(g), w, s));
		last = value.item();
	}
	CHECK(last < 1e-4 && std::abs(w.w.item() - 2) < 0.02 && std::abs(w.b.item() - 1) < 0.05);

	/* to a file and back */
	const std::string path = "/tmp/tsr-cxx-" + std::to_string(getpid()) + ".safetensors";
	dense r = {array(), array()};
	CHECK(tsr::save(tsr::tree(w), path.c_str()));
	r = tsr::tree_map([](const array &v) { return v * 0; }, w);
	CHECK(tsr::load(r, path.c_str()));
	CHECK(tsr::array_equal(r.w, w.w) && tsr::array_equal(r.b, w.b));
	std::remove(path.c_str());
}

}

int main()
{
	tsr::context ctx(2);

	leaves(ctx);
	calls(ctx);
	training(ctx);
	CHECK(ctx.close() == 0);
	return failures != 0;
}
