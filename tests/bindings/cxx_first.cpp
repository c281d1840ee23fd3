/* cxx_first.cpp - a first program in C++, shown in docs/cxx-and-fortran.md. */
#include <cstdio>
#include <tsr/tsr.hpp>
#include <vector>

struct layer {
	tsr::array w, b;
};
struct net {
	std::vector<layer> layers;
};

static tsr::array predict(net n, tsr::array x)
{
	for (const layer &l : n.layers) x = tsr::tanh(tsr::dot(x, l.w) + l.b);
	return x;
}

int main()
try {
	tsr::context ctx(4);
	tsr::mesh m(ctx, {{"x", 2}, {"y", 2}});

	/* arrays */
	tsr::array a = tsr::of(ctx, {{0.0, 1.0, 2.0, 3.0}, {4.0, 5.0, 6.0, 7.0}});
	tsr::array b = 2 * a + 1;
	tsr::array rows = tsr::sum(b, tsr::sum_args().dims({1}));
	std::vector<float> on_host = rows.read<float>();
	if (on_host != std::vector<float>{16, 48}) return 1;

	/* a body on each device, its blocks and one sum */
	auto product = tsr::shard_map(m, [](tsr::array l, tsr::array r) {
		return tsr::psum(tsr::dot(l, r), "y");
	}, tsr::shard_map_args().sig("[x,y] [y,-] -> [x,-]"));
	tsr::print(product(a, tsr::t(a)));

	/* its gradient; a lambda keeps what it captures until its fn goes */
	double scale = 0.5;
	auto loss = [product, scale](tsr::array l, tsr::array r) {
		return scale * tsr::sum(tsr::square(product(l, r)));
	};
	auto [value, dl, dr] = tsr::value_and_grad<0, 1>(ctx, loss)(a, tsr::t(a));
	std::printf("%g\n", value.item());
	if (dl.shape() != a.shape() || dr.dim(0) != 4) return 1;

	/* aggregates are trees: the gradient of a net is a net */
	net n = {{{tsr::ones(ctx, {4, 3}), tsr::zeros(ctx, {3})}}};
	net g = tsr::grad(ctx, [](net p, tsr::array x) { return tsr::mean(predict(p, x)); })(n, a);
	n.layers[0].w -= 0.1 * g.layers[0].w;

	/* an error has the place of the call */
	try {
		a + tsr::ones(ctx, {3});
	} catch (const tsr::error &e) {
		std::printf("%d: %s\n", e.code(), e.what());
	}
	return 0;
} catch (const std::exception &e) {
	std::fprintf(stderr, "%s\n", e.what());
	return 1;
}
