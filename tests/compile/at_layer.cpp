/* at_layer.cpp - the library from C++17, through the _at functions alone: a product on a 2x2 mesh.
 *
 * [[0,1,2,3],[4,5,6,7]] times its transpose, the contracted dim split over "y": each device
 * multiplies its blocks and the psum puts the parts together. A scan. And bodies that throw: the
 * exception arrives, nothing else happens, and no memory is lost. Status 0: all was right. */
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <tsr/tsr.h>

#ifdef TSR_MACROS_
#error "C++ has no macro layer"
#endif

extern "C" {
static tsr *product(tsr *a, tsr *b)
{
	return tsr_psum_at(TSR_HERE, tsr_dot(a, b), "y", nullptr);
}

static tsr *sum_of_two(tsr *a, tsr *b)
{
	const tsr_arg both[2] = {tsr_arg_one(a), tsr_arg_one(b)};
	return tsr_add_at(TSR_HERE, both);
}

/* what it makes first is traced, and given back */
static tsr *throws(tsr *x)
{
	const tsr_arg both[2] = {tsr_arg_one(x), tsr_arg_int(2)};
	if (tsr_mul_at(TSR_HERE, both)) throw std::runtime_error("from a body");
	return x;
}

static tsr *same(tsr *x)
{
	return x;
}

/* blocks, each behind its size, and how much they are; warnings are not printed */
static std::size_t held;

static void *counted(void *, void *old, std::size_t size)
{
	std::size_t *from = old ? static_cast<std::size_t *>(old) - 8 : nullptr;
	if (from) held -= *from;
	if (!size) {
		std::free(from);
		return nullptr;
	}
	std::size_t *block = static_cast<std::size_t *>(std::realloc(from, size + 64));
	if (!block) std::abort();
	held += *block = size;
	return block + 8;
}

static void log_nothing(void *, int, const char *) {}

/* one handle and one tree in, two results out */
static void both_ways(tsr_frame *frame)
{
	const tsr_tree pair = tsr_frame_tree(frame, 0);
	const tsr_arg sum[2] = {tsr_arg_one(pair.leaf[0]), tsr_arg_one(pair.leaf[1])};
	const tsr_arg twice[2] = {tsr_arg_int(2), tsr_arg_one(tsr_frame_arg(frame, 1))};
	const tsr_arg results[2] = {tsr_arg_one(tsr_add_at(TSR_HERE, sum)),
	                            tsr_arg_one(tsr_mul_at(TSR_HERE, twice))};

	tsr_return_at(TSR_HERE, frame, results, 2);
}
}

namespace {

template <typename F> tsr_body body_of(tsr_form form, F *f)
{
	return tsr_body{form, reinterpret_cast<tsr_raw>(f), nullptr};
}

/* an empty record: a release of the library may have more keywords than the caller knows */
template <typename T> T keywords()
{
	T record{};
	record.size = sizeof record;
	return record;
}

/* the scope of a block */
class scope {
public:
	explicit scope(tsr_ctx *ctx) : own(tsr_scope_open(ctx)) {}
	~scope() { tsr_scope_close_(&own); }
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;

private:
	tsr_scope *own;
};

bool product_is_right(tsr_ctx *ctx, tsr_mesh *mesh)
{
	const scope block(ctx);
	const float data[8] = {0, 1, 2, 3, 4, 5, 6, 7}, expected[4] = {14, 38, 38, 126};
	float got[4] = {};
	tsr_shard_map_args how = keywords<tsr_shard_map_args>();

	how.sig = "[x,y] [y,-] -> [x,-]";
	how.name = "product";
	tsr_fn *f = tsr_shard_map_at(TSR_HERE, mesh, body_of(TSR_FORM_2, product), nullptr, &how);
	tsr *a = tsr_from_at(TSR_HERE, ctx, TSR_F32, data, TSR_F32, tsr_dims{{3, 2, 4}});
	const tsr_arg args[2] = {tsr_arg_one(a), tsr_arg_one(tsr_t(a))};
	tsr *c = tsr_call_at(TSR_HERE, f, args, 2);
	bool right = tsr_read_at(TSR_HERE, c, TSR_F32, got, sizeof got) && tsr_shard_count(c) == 4;
	for (std::size_t i = 0; i < 4; i++) right = right && got[i] == expected[i];
	return right;
}

bool frame_is_right(tsr_ctx *ctx)
{
	const scope block(ctx);
	tsr *leaves[2], *results[2] = {};
	const tsr_arange_args three = keywords<tsr_arange_args>();

	leaves[0] = leaves[1] = tsr_arange_at(TSR_HERE, ctx, 3, &three);
	const tsr_tree pair = {leaves, 2, nullptr};
	const tsr_body body = body_of(TSR_FORM_FRAME, both_ways);
	tsr_fn *f = tsr_jit_at(TSR_HERE, ctx, body, nullptr, nullptr);
	const tsr_arg args[2] = {tsr_arg_tree(pair), tsr_arg_one(leaves[0])};
	const tsr_out outs[2] = {{0, {{results, 1, nullptr}}}, {0, {{results + 1, 1, nullptr}}}};
	tsr_call_into_at(TSR_HERE, outs, 2, f, args, 2);
	int memory[3] = {};
	tsr_into_args into = keywords<tsr_into_args>();
	into.data = memory, into.dtype = TSR_I32, into.dims = tsr_dims{{2, 3}};
	tsr_out place = {};
	place.own = TSR_PLACE_MEMORY, place.memory = &into;
	tsr_fn *unchanged = tsr_jit_at(TSR_HERE, ctx, body_of(TSR_FORM_1, same), nullptr, nullptr);
	tsr_call_into_at(TSR_HERE, &place, 1, unchanged, args + 1, 1);
	if (memory[2] != 2) return false;
	return tsr_array_equal_at(TSR_HERE, results[0], results[1]) && tsr_fn_stats(f).traces == 1;
}

/* tree types by hand: where a list of them says what their fields are, paths go into these */
extern const tsr_tree_unit these;
const tsr_tree_type pair_type = {"{ tsr *w, *b; }", 2, "pair", &these};
const tsr_tree_type net_type = {"{ pair pair; pair layer[2]; tsr *scale; }", 7, "net", &these};
const tsr_tree_type *const listed[] = {&pair_type, &net_type};
const tsr_tree_unit these = {listed, listed + 2};

bool trees_are_right(tsr_ctx *ctx)
{
	const scope block(ctx);
	const tsr_arange_args three = keywords<tsr_arange_args>();
	tsr *leaves[7], *twice[7];

	for (auto &leaf : leaves) leaf = tsr_arange_at(TSR_HERE, ctx, 3, &three);
	const tsr_tree net = {leaves, 7, &net_type}, to = {twice, 7, &net_type};
	const tsr_arg args[2] = {tsr_arg_tree(net), tsr_arg_one(leaves[0])};
	return std::strcmp(tsr_tree_path_at(TSR_HERE, net, 1), "pair.b") == 0 &&
	       std::strcmp(tsr_tree_path_at(TSR_HERE, net, 4), "layer[1].w") == 0 &&
	       std::strcmp(tsr_tree_path_at(TSR_HERE, net, 6), "scale") == 0 &&
	       tsr_tree_zip_at(TSR_HERE, to, body_of(TSR_FORM_2, sum_of_two), args, 2) &&
	       tsr_item_int_at(TSR_HERE, tsr_index_at(TSR_HERE, twice[6], 0, 2)) == 4 &&
	       tsr_tree_size(to) == 21;
}

bool scan_is_right(tsr_ctx *ctx)
{
	const scope block(ctx);
	const tsr_arange_args three = keywords<tsr_arange_args>();
	tsr_scan_args how = keywords<tsr_scan_args>();

	how.reverse = true;
	const tsr_arg xs = tsr_arg_one(tsr_arange_at(TSR_HERE, ctx, 3, &three));
	const tsr_body body = body_of(TSR_FORM_2, sum_of_two);
	tsr *sum = tsr_scan_at(TSR_HERE, body, tsr_arg_int(4), xs, &how);
	return tsr_item_int_at(TSR_HERE, sum) == 7;
}

/* the ways that lead into a body */
void call_body_that_throws(tsr_ctx *ctx, int way, tsr *x)
{
	const tsr_body body = body_of(TSR_FORM_1, throws), fine = body_of(TSR_FORM_1, same);
	const tsr_arg arg = tsr_arg_one(x);
	tsr_fn *f = tsr_jit_at(TSR_HERE, ctx, body, nullptr, nullptr);
	const tsr_body outer = {0, nullptr, f};

	switch (way) {
	case 0: x = tsr_call_at(TSR_HERE, f, &arg, 1); break;
	case 1: x = tsr_cond_at(TSR_HERE, tsr_arg_int(1), body, fine, &arg, 1); break;
	case 2:
		f = tsr_grad_at(TSR_HERE, ctx, outer, nullptr, nullptr);
		x = tsr_call_at(TSR_HERE, f, &arg, 1);
		break;
	default: (void)!tsr_fn_text_at(TSR_HERE, f, &arg, 1);
	}
}

bool exceptions_are_right(tsr_ctx *ctx)
{
	const scope block(ctx);
	tsr_arange_args three = keywords<tsr_arange_args>();

	three.dtype = TSR_F32;
	tsr *x = tsr_arange_at(TSR_HERE, ctx, 3, &three);
	for (int way = 0; way < 4; way++) {
		bool caught = false;
		try {
			call_body_that_throws(ctx, way, x);
		} catch (const std::runtime_error &) {
			caught = true;
		}
		const tsr_arg both[2] = {tsr_arg_one(x), tsr_arg_one(x)};
		tsr *sum = tsr_sum_at(TSR_HERE, tsr_add_at(TSR_HERE, both), nullptr);
		if (!caught || tsr_status(ctx) || tsr_item_int_at(TSR_HERE, sum) != 6) return false;
	}
	return true;
}

}

int main()
{
	tsr_open_args how = keywords<tsr_open_args>();
	const tsr_axis axes[2] = {{"x", 2}, {"y", 2}};

	how.devices = 4;
	how.alloc = counted;
	how.log = log_nothing;
	tsr_ctx *ctx = tsr_open_at(TSR_HERE, &how);
	tsr_mesh *mesh = tsr_mesh_make_at(TSR_HERE, ctx, axes, 2);
	const bool right = product_is_right(ctx, mesh) && frame_is_right(ctx) &&
	                   scan_is_right(ctx) && trees_are_right(ctx) &&
	                   exceptions_are_right(ctx);
	const int code = tsr_close(ctx);
	return code ? code : right && !held ? 0 : 126;
}
