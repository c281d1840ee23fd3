/* tsr/detail/keywords.hpp - keywords as classes with setters that are called in a row. Part of
 * tsr/tsr.hpp.
 *
 * Comments are those of C: TSR_DIMS(2, 3) is {2, 3} here, TSR_F32 is what it was, and a keyword
 * .dims = TSR_DIMS(0) of sum() is sum_args().dims({0}). */
/* Made by tools/make_bindings.py of api/: change that one. */
#ifndef TSR_DETAIL_KEYWORDS_HPP
#define TSR_DETAIL_KEYWORDS_HPP
#include "tree.hpp"

namespace tsr {

/** Keywords of eye(). */
class eye_args : public detail::keywords<tsr_eye_args> {
public:
	/** how many; as many as rows when not given */
	eye_args &columns(int64_t v)
	{
		tsr_eye_args::columns = v;
		return *this;
	}
	/** the ones are the elements (i, i + k) */
	eye_args &k(int v)
	{
		tsr_eye_args::k = v;
		return *this;
	}
	/** f32 when not given */
	eye_args &dtype(tsr_dtype v)
	{
		tsr_eye_args::dtype = v;
		return *this;
	}
};
/** Keyword of makers: the dtype. */
class new_args : public detail::keywords<tsr_new_args> {
public:
	new_args &dtype(tsr_dtype v)
	{
		tsr_new_args::dtype = v;
		return *this;
	}
};
/** Keywords of arange(). */
class arange_args : public detail::keywords<tsr_arange_args> {
public:
	/** when not given i32, or i64 where the numbers need it; f32 if start or step is not a
	 * whole number */
	arange_args &dtype(tsr_dtype v)
	{
		tsr_arange_args::dtype = v;
		return *this;
	}
	/** the first element */
	arange_args &start(double v)
	{
		tsr_arange_args::start = v;
		return *this;
	}
	/** 1 when not given */
	arange_args &step(double v)
	{
		tsr_arange_args::step = v;
		return *this;
	}
};
/** Keywords of wrap(). */
class wrap_args : public detail::keywords<tsr_wrap_args> {
public:
	/** Bytes from one index to the next, one a dim, may be negative or 0; row-major when not
	 * given. */
	wrap_args &strides(const tsr::dims &v)
	{
		tsr_wrap_args::strides = v;
		return *this;
	}
	/** handed to release */
	wrap_args &user(void *v)
	{
		tsr_wrap_args::user = v;
		return *this;
	}
	/** The memory may be written, once the array was donated (.donate of jit()). */
	wrap_args &writable(bool v)
	{
		tsr_wrap_args::writable = v;
		return *this;
	}
};
/** Keywords of read_into(). */
class read_args : public detail::keywords<tsr_read_args> {
public:
	/** bytes, one a dim, may be negative; row-major when not given */
	read_args &strides(const tsr::dims &v)
	{
		tsr_read_args::strides = v;
		return *this;
	}
	/** converted to this, as astype() does; that of x when not given */
	read_args &dtype(tsr_dtype v)
	{
		tsr_read_args::dtype = v;
		return *this;
	}
};
/** Keywords of print() and text(): NumPy's print options, and who prints. */
class print_args : public detail::keywords<tsr_print_args> {
public:
	/** most digits behind the point, -1: none. 8 when not given, and a scalar has all its
	 * digits then */
	print_args &precision(int v)
	{
		tsr_print_args::precision = v;
		return *this;
	}
	/** rows are broken at this column; 75 when not given */
	print_args &linewidth(int v)
	{
		tsr_print_args::linewidth = v;
		return *this;
	}
	/** above so many elements the middle of long dims is left out; 1000 when not given */
	print_args &threshold(int64_t v)
	{
		tsr_print_args::threshold = v;
		return *this;
	}
	/** Every process that makes the call prints, if it has all of x; where there are
	 * several, each line begins with "[rank] ". Not of text() */
	print_args &all(bool v)
	{
		tsr_print_args::all = v;
		return *this;
	}
};
/** Keyword of put_tree() and constrain_tree(). */
class put_args : public detail::keywords<tsr_put_args> {
public:
	/** One for all leaves, TSR_FOR_ALL(TSR_P("x")), or one a leaf, TSR_FOR_EACH(array); all
	 * of each leaf on every device when not given. */
	put_args &spec(const tsr::spec &v)
	{
		tsr_put_args &own = *this;
		own.spec.leaf = hold(std::vector<tsr_spec>(1, v));
		own.spec.count = 1;
		return *this;
	}
	/** Where all leaves go, in place of a mesh, which is NULL then, and of .spec. */
	put_args &sharding(const tsr::sharding &v)
	{
		tsr_put_args::sharding = v.get();
		return *this;
	}
};
/** Keywords of batches_open(). */
class batches_args : public detail::keywords<tsr_batches_args> {
public:
	/** epoch e has the rows in the order permutation(fold_in(key, e), rows); when not given,
	 * in that of the files */
	batches_args &key(const array &v)
	{
		tsr_batches_args::key = v.get();
		return *this;
	}
	/** where batches are put; when not given, on the first device */
	batches_args &mesh(const tsr::mesh &v)
	{
		tsr_batches_args::mesh = v.get();
		return *this;
	}
	/** over the mesh, for all files: TSR_SPEC("data") cuts the rows */
	batches_args &spec(const tsr::spec &v)
	{
		tsr_batches_args::spec = v;
		return *this;
	}
	/** how many batches are read ahead: 2 when not given, -1 none */
	batches_args &prefetch(int v)
	{
		tsr_batches_args::prefetch = v;
		return *this;
	}
	/** the rows left at the end of an epoch are a shorter batch */
	batches_args &short_last(bool v)
	{
		tsr_batches_args::short_last = v;
		return *this;
	}
	/** the number of the first batch, counted from the beginning of epoch 0: to go on where
	 * a program was ended */
	batches_args &first(int64_t v)
	{
		tsr_batches_args::first = v;
		return *this;
	}
};
/** Keywords of callbacks. */
class callback_args : public detail::keywords<tsr_callback_args> {
public:
	/** for messages and program texts; what the call says when not given */
	callback_args &name(const char *v)
	{
		tsr_callback_args::name = v;
		return *this;
	}
	/** Handed to the function. It must live as long as programs that call the function. */
	callback_args &user(void *v)
	{
		tsr_callback_args::user = v;
		return *this;
	}
	/** The results of one call, up to the first without a dtype: TSR_RESULTS({TSR_F32,
	 * TSR_DIMS(8)}, {TSR_I32, TSR_DIMS()}). Not given: none. */
	callback_args &results(std::initializer_list<tsr_result_type> v)
	{
		tsr_callback_args &own = *this;
		std::size_t i = 0;
		for (const tsr_result_type &each : v)
			if (i < TSR_MAX_ARGS) own.results[i++] = each;
		return *this;
	}
	/** io_callback(): the order of the calls on different devices counts too. Then it must
	 * not be in a branch or loop whose predicate varies over devices (TSR_ERROR_SHARDING). */
	callback_args &ordered(bool v)
	{
		tsr_callback_args::ordered = v;
		return *this;
	}
};
/** Keywords of checkpoint_save(). */
class checkpoint_save_args : public detail::keywords<tsr_checkpoint_save_args> {
public:
	/** Returns at once, and writes behind the calls that follow. The arrays are held until
	 * they are written, and not copied: a call with .donate that would overwrite them makes
	 * its results elsewhere. A failure is an error of the next call of this header, or of
	 * close(). */
	checkpoint_save_args &async(bool v)
	{
		tsr_checkpoint_save_args::async = v;
		return *this;
	}
	/** Checkpoints that stay in the folder, with this one: the others with the lowest steps
	 * are removed when it is complete. All stay when not given. */
	checkpoint_save_args &keep(int64_t v)
	{
		tsr_checkpoint_save_args::keep = v;
		return *this;
	}
};
/** Keywords of checkpoint_load(). */
class checkpoint_load_args : public detail::keywords<tsr_checkpoint_load_args> {
public:
	/** Where the arrays go. Not given: where each leaf is, and for an absent one as load()
	 * says. */
	checkpoint_load_args &mesh(const tsr::mesh &v)
	{
		tsr_checkpoint_load_args::mesh = v.get();
		return *this;
	}
	/** One for all leaves, TSR_FOR_ALL(TSR_P("x")), or one a leaf, TSR_FOR_EACH(array); all
	 * of each leaf on every device of the mesh when not given. */
	checkpoint_load_args &spec(const tsr::spec &v)
	{
		tsr_checkpoint_load_args &own = *this;
		own.spec.leaf = hold(std::vector<tsr_spec>(1, v));
		own.spec.count = 1;
		return *this;
	}
};
/** Keyword of those collectives that take groups and nothing else. */
class group_args : public detail::keywords<tsr_group_args> {
public:
	group_args &groups(tsr_groups v)
	{
		tsr_group_args::groups = v;
		return *this;
	}
};
/** Keywords of all_gather(). */
class all_gather_args : public detail::keywords<tsr_all_gather_args> {
public:
	/** one dim, 0 when not given: where the new one is in the result, or, tiled, which dim
	 * grows */
	all_gather_args &dim(const tsr::dims &v)
	{
		tsr_all_gather_args::dim = v;
		return *this;
	}
	/** no new dim: concatenated along .dim */
	all_gather_args &tiled(bool v)
	{
		tsr_all_gather_args::tiled = v;
		return *this;
	}
	all_gather_args &groups(tsr_groups v)
	{
		tsr_all_gather_args::groups = v;
		return *this;
	}
	/** TSR_TO_INVARYING: not with groups */
	all_gather_args &to(enum tsr_to v)
	{
		tsr_all_gather_args::to = v;
		return *this;
	}
};
/** Keywords of psum_scatter(). */
class psum_scatter_args : public detail::keywords<tsr_psum_scatter_args> {
public:
	/** one dim, which is dealt out; 0 when not given */
	psum_scatter_args &dim(const tsr::dims &v)
	{
		tsr_psum_scatter_args::dim = v;
		return *this;
	}
	/** the dim stays, divided by n; otherwise its size is n and it is dropped */
	psum_scatter_args &tiled(bool v)
	{
		tsr_psum_scatter_args::tiled = v;
		return *this;
	}
	psum_scatter_args &groups(tsr_groups v)
	{
		tsr_psum_scatter_args::groups = v;
		return *this;
	}
};
/** Keywords of all_to_all(). */
class all_to_all_args : public detail::keywords<tsr_all_to_all_args> {
public:
	/** one dim, which is dealt out; 0 when not given */
	all_to_all_args &split(const tsr::dims &v)
	{
		tsr_all_to_all_args::split = v;
		return *this;
	}
	/** one dim, where it goes, 0 when not given: the new dim of the result, or, tiled, the
	 * dim that grows */
	all_to_all_args &concat(const tsr::dims &v)
	{
		tsr_all_to_all_args::concat = v;
		return *this;
	}
	/** dims stay; otherwise dim .split has size n and moves */
	all_to_all_args &tiled(bool v)
	{
		tsr_all_to_all_args::tiled = v;
		return *this;
	}
	all_to_all_args &groups(tsr_groups v)
	{
		tsr_all_to_all_args::groups = v;
		return *this;
	}
};
/** Keywords of pbroadcast(). */
class pbroadcast_args : public detail::keywords<tsr_pbroadcast_args> {
public:
	pbroadcast_args &groups(tsr_groups v)
	{
		tsr_pbroadcast_args::groups = v;
		return *this;
	}
	/** TSR_TO_INVARYING: not with groups */
	pbroadcast_args &to(enum tsr_to v)
	{
		tsr_pbroadcast_args::to = v;
		return *this;
	}
};
/** Keyword of pcast(). */
class pcast_args : public detail::keywords<tsr_pcast_args> {
public:
	/** TSR_TO_VARYING is the one cast there is */
	pcast_args &to(enum tsr_to v)
	{
		tsr_pcast_args::to = v;
		return *this;
	}
};
/** Keywords of open(). */
class open_args : public detail::keywords<tsr_open_args> {
public:
	/** number of virtual devices; 1 when not given */
	open_args &devices(int v)
	{
		tsr_open_args::devices = v;
		return *this;
	}
	/** Name of the engine: "cpu", which compiles; "interp", the slow interpreter that it is
	 * tested against; or that of a plug-in. Not given: the environment variable TSR_ENGINE,
	 * or "cpu". */
	open_args &engine(const char *v)
	{
		tsr_open_args::engine = v;
		return *this;
	}
	/** handed to both hooks */
	open_args &user(void *v)
	{
		tsr_open_args::user = v;
		return *this;
	}
	/** bytes that the context may hold; 0: no limit */
	open_args &memory_limit(size_t v)
	{
		tsr_open_args::memory_limit = v;
		return *this;
	}
	/** n > 0: the n-th request for memory and all after it fail */
	open_args &fail_at(int64_t v)
	{
		tsr_open_args::fail_at = v;
		return *this;
	}
	/** Folder of the plug-ins; a relative one counts from where the process is now. Not
	 * given: the environment variable TSR_PLUGIN_DIR, or else the folder of the library. A
	 * program that is linked with libtsr.a looks beside itself, where the library was
	 * installed, and along its run path. A file is loaded only if root or the user owns it
	 * and nobody else may write to it. */
	open_args &plugin_dir(const char *v)
	{
		tsr_open_args::plugin_dir = v;
		return *this;
	}
	/** Letters, as in the environment variable TSR_DEBUG, which adds to them. Programs go to
	 * the log: t as traced, d as transformed, i after inline, s simplify, p partition, f as
	 * the engine gets it, o operations outside bodies, j jvp, l split, x transpose, b
	 * batch, a after every pass. Checks: v verifies after every pass, r traces again at
	 * each call and compares. n: no simplify; c: compile everything. docs/debugging.md says
	 * more. */
	open_args &debug(const char *v)
	{
		tsr_open_args::debug = v;
		return *this;
	}
	/** Threads that compute side by side, the calling one included; 1: that one alone. Not
	 * given: the number in the environment variable TSR_WORKERS, or else one per core that
	 * the process may use; more than these are not made. No result depends on it. */
	open_args &workers(int v)
	{
		tsr_open_args::workers = v;
		return *this;
	}
	/** Makes it an error (TSR_ERROR_UNSUPPORTED) if machine code cannot be made:
	 * open(.require_compiled = true) fails where the engine can make none, and a call fails
	 * if its program cannot be compiled, or would call the interpreter's code for a row
	 * that docs/debugging.md does not list. Without it such programs are interpreted, and
	 * the log has a warning. A program that is not worth compiling is interpreted in either
	 * case. */
	open_args &require_compiled(bool v)
	{
		tsr_open_args::require_compiled = v;
		return *this;
	}
	/** Receives the code of the failure, or TSR_OK. The status of the dead context may be
	 * that of a later error. */
	open_args &code(int *v)
	{
		tsr_open_args::code = v;
		return *this;
	}
	/** Bytes that what the context keeps to be faster the next time may take: fns, their
	 * tracings, programs, and executables, whose machine code is estimated. What was not
	 * used for the longest time goes first, and is made again when it is needed. Fns that
	 * were not released, and what a call is using, stay even above the limit. Not given:
	 * the number in the environment variable TSR_CACHE, such as 64M (k, M or G), or else
	 * 256 MiB. */
	open_args &cache_limit(size_t v)
	{
		tsr_open_args::cache_limit = v;
		return *this;
	}
	/** Random numbers in the form that JAX had before 0.5, or has with
	 * jax_threefry_partitionable = False: the numbers that older programs printed. Elements
	 * of an array are made in pairs then, so that their values depend on its size. */
	open_args &threefry_original(bool v)
	{
		tsr_open_args::threefry_original = v;
		return *this;
	}
	/** The dtype of floats where nobody names one: TSR_F32, or TSR_F64, as with JAX's
	 * jax_enable_x64. Then C numbers, arrays without a .dtype, random numbers, counts,
	 * indices and sums of integers have 64 bits: f64, i64, u64, c128. Arrays of 32 bits
	 * stay what they are. Not given: the one that the environment variable TSR_DTYPE names
	 * (f32, f64), or else TSR_F32. docs/numerics.md says more. */
	open_args &dtype(tsr_dtype v)
	{
		tsr_open_args::dtype = v;
		return *this;
	}
	/** TSR_BY_MESH: sums, products of matrices and running sums have the bits that they have
	 * on one device, however arrays are split. Devices send each other what is added
	 * instead of parts of the sum, and each makes the whole; in one memory it is made once
	 * for all. Bodies of shard_map() and pmap() say themselves what is added in which
	 * order. Not given: TSR_BY_DEVICES. */
	open_args &reproducible(tsr_reproducible v)
	{
		tsr_open_args::reproducible = v;
		return *this;
	}
	/** How exact products of f32 are that name no .precision: those of matrices,
	 * convolutions, layers and attention, and their derivatives. Not given:
	 * TSR_PRECISION_HIGHEST. */
	open_args &precision(tsr_precision v)
	{
		tsr_open_args::precision = v;
		return *this;
	}
	/** The way to other processes of the same program: "self": there are none; "mpi": those
	 * that mpirun started together, by the MPI that the program is linked with, or else the
	 * one whose launcher started it; "openmpi", "mpich": by this one. Not given: the
	 * environment variable TSR_COMM, or else "self". Opening is collective then: all
	 * processes open a context, with the same keywords, and make the same calls with it.
	 * docs/processes.md says more. */
	open_args &comm(const char *v)
	{
		tsr_open_args::comm = v;
		return *this;
	}
	/** How many devices this process has of its own, where processes have different numbers.
	 * Not given: .devices are divided evenly among the processes; and if these are not
	 * given either, each has one. */
	open_args &devices_here(int64_t v)
	{
		tsr_open_args::devices_here = v;
		return *this;
	}
	/** Seconds after which a process that is stopped or silent is waited for no longer: an
	 * error (TSR_ERROR_PROCESS) that says which, and in which call it was last. One that is
	 * dead is found within two seconds. Not given: 600. */
	open_args &wait_limit(double v)
	{
		tsr_open_args::wait_limit = v;
		return *this;
	}
};
/** Keywords of scan(). */
class scan_args : public detail::keywords<tsr_scan_args> {
public:
	/** number of steps; where it is not given, the size of dim 0 of xs */
	scan_args &length(int64_t v)
	{
		tsr_scan_args::length = v;
		return *this;
	}
	/** from the last slice to the first; results stay in the order of xs */
	scan_args &reverse(bool v)
	{
		tsr_scan_args::reverse = v;
		return *this;
	}
	/** How many steps are written out for each turn of the loop: 0 and 1 one, TSR_UNROLL_ALL
	 * all, so that there is no loop. Changes no result. */
	scan_args &unroll(int v)
	{
		tsr_scan_args::unroll = v;
		return *this;
	}
};
/** Keywords of associative_scan(). */
class associative_scan_args : public detail::keywords<tsr_associative_scan_args> {
public:
	/** one dim; the first one when not given */
	associative_scan_args &dim(const tsr::dims &v)
	{
		tsr_associative_scan_args::dim = v;
		return *this;
	}
	/** from the last element to the first */
	associative_scan_args &reverse(bool v)
	{
		tsr_associative_scan_args::reverse = v;
		return *this;
	}
};
/** Keywords of reduce(). */
class reduce_by_args : public detail::keywords<tsr_reduce_by_args> {
public:
	/** along which elements are combined; all when not given */
	reduce_by_args &dims(const tsr::dims &v)
	{
		tsr_reduce_by_args::dims = v;
		return *this;
	}
};
/** Keywords of linspace() and geomspace(). */
class linspace_args : public detail::keywords<tsr_linspace_args> {
public:
	/** stop itself is left out */
	linspace_args &open(bool v)
	{
		tsr_linspace_args::open = v;
		return *this;
	}
	/** the dim of the n numbers, if an end has dims; 0 when not given */
	linspace_args &dim(const tsr::dims &v)
	{
		tsr_linspace_args::dim = v;
		return *this;
	}
	/** that of start and stop as floats when not given; integers are rounded down */
	linspace_args &dtype(tsr_dtype v)
	{
		tsr_linspace_args::dtype = v;
		return *this;
	}
};
/** Keywords of logspace(). */
class logspace_args : public detail::keywords<tsr_logspace_args> {
public:
	logspace_args &open(bool v)
	{
		tsr_logspace_args::open = v;
		return *this;
	}
	logspace_args &dim(const tsr::dims &v)
	{
		tsr_logspace_args::dim = v;
		return *this;
	}
	logspace_args &dtype(tsr_dtype v)
	{
		tsr_logspace_args::dtype = v;
		return *this;
	}
	/** 10 when not given */
	logspace_args &base(double v)
	{
		tsr_logspace_args::base = v;
		return *this;
	}
};
/** Keywords of diff(). */
class diff_args : public detail::keywords<tsr_diff_args> {
public:
	/** one dim; the last one when not given */
	diff_args &dim(const tsr::dims &v)
	{
		tsr_diff_args::dim = v;
		return *this;
	}
	/** how many times; 1 when not given */
	diff_args &n(int v)
	{
		tsr_diff_args::n = v;
		return *this;
	}
	/** before and behind x first; of the other dims of x, or scalars: TSR_ARG(0), TSR_ARG(y) */
	diff_args &prepend(const operand &v)
	{
		tsr_diff_args::prepend = v.arg();
		return *this;
	}
	/** before and behind x first; of the other dims of x, or scalars: TSR_ARG(0), TSR_ARG(y) */
	diff_args &append(const operand &v)
	{
		tsr_diff_args::append = v.arg();
		return *this;
	}
};
/** Keywords of trapezoid(). */
class trapezoid_args : public detail::keywords<tsr_trapezoid_args> {
public:
	/** one dim; the last one when not given */
	trapezoid_args &dim(const tsr::dims &v)
	{
		tsr_trapezoid_args::dim = v;
		return *this;
	}
	/** the places of the values: of one dim, or of all of y */
	trapezoid_args &x(const array &v)
	{
		tsr_trapezoid_args::x = v.get();
		return *this;
	}
	/** otherwise their distance; 1 when not given */
	trapezoid_args &dx(double v)
	{
		tsr_trapezoid_args::dx = v;
		return *this;
	}
};
/** Keywords of unwrap(). */
class unwrap_args : public detail::keywords<tsr_unwrap_args> {
public:
	/** one dim; the last one when not given */
	unwrap_args &dim(const tsr::dims &v)
	{
		tsr_unwrap_args::dim = v;
		return *this;
	}
	/** 2 pi when not given */
	unwrap_args &period(double v)
	{
		tsr_unwrap_args::period = v;
		return *this;
	}
	/** smaller steps stay; half the period when not given */
	unwrap_args &discont(double v)
	{
		tsr_unwrap_args::discont = v;
		return *this;
	}
};
/** Keywords of transforms along one dim. */
class fft_args : public detail::keywords<tsr_fft_args> {
public:
	/** the length, of irfft and hfft that of the result; x is cut, or filled up with zeros.
	 * When not given that of the dim, of irfft and hfft twice one less */
	fft_args &n(int64_t v)
	{
		tsr_fft_args::n = v;
		return *this;
	}
	/** one dim; the last one when not given */
	fft_args &dim(const tsr::dims &v)
	{
		tsr_fft_args::dim = v;
		return *this;
	}
	/** what is divided by what */
	fft_args &norm(tsr_fft_norm v)
	{
		tsr_fft_args::norm = v;
		return *this;
	}
};
/** Keywords of transforms along several dims. */
class fftn_args : public detail::keywords<tsr_fftn_args> {
public:
	/** as tsr_fft_args.n, one for each dim */
	fftn_args &lengths(const tsr::dims &v)
	{
		tsr_fftn_args::lengths = v;
		return *this;
	}
	/** all when not given, or as many last ones as there are lengths */
	fftn_args &dims(const tsr::dims &v)
	{
		tsr_fftn_args::dims = v;
		return *this;
	}
	/** what is divided by what */
	fftn_args &norm(tsr_fft_norm v)
	{
		tsr_fftn_args::norm = v;
		return *this;
	}
};
/** Keyword of fftshift() and ifftshift(). */
class fftshift_args : public detail::keywords<tsr_fftshift_args> {
public:
	/** all when not given */
	fftshift_args &dims(const tsr::dims &v)
	{
		tsr_fftshift_args::dims = v;
		return *this;
	}
};
/** Keywords of fftfreq() and rfftfreq(). */
class fftfreq_args : public detail::keywords<tsr_fftfreq_args> {
public:
	/** the time between two samples; 1 when not given */
	fftfreq_args &d(double v)
	{
		tsr_fftfreq_args::d = v;
		return *this;
	}
	/** f32 when not given */
	fftfreq_args &dtype(tsr_dtype v)
	{
		tsr_fftfreq_args::dtype = v;
		return *this;
	}
};
/** Keywords of nan_to_num(). */
class nan_to_num_args : public detail::keywords<tsr_nan_to_num_args> {
public:
	/** what NaN becomes; 0 when not given */
	nan_to_num_args &nan(const operand &v)
	{
		tsr_nan_to_num_args::nan = v.arg();
		return *this;
	}
	/** what infinities become; the largest and the lowest number */
	nan_to_num_args &posinf(const operand &v)
	{
		tsr_nan_to_num_args::posinf = v.arg();
		return *this;
	}
	/** what infinities become; the largest and the lowest number */
	nan_to_num_args &neginf(const operand &v)
	{
		tsr_nan_to_num_args::neginf = v.arg();
		return *this;
	}
};
/** Keywords of save(). */
class save_args : public detail::keywords<tsr_save_args> {
public:
	/** One a leaf, in the order of the tree; NULL for a leaf that is not saved. Not given:
	 * the paths of the leaves, tree_path(). */
	save_args &names(std::initializer_list<const char *> v)
	{
		tsr_save_args &own = *this;
		own.names.name = hold(std::vector<const char *>(v));
		own.names.count = static_cast<std::int64_t>(v.size());
		return *this;
	}
	/** Of these arrays, the last two dims are exchanged in the file: a layer of PyTorch has
	 * its weights as [out, in]. */
	save_args &turned(std::initializer_list<const char *> v)
	{
		tsr_save_args &own = *this;
		own.turned.name = hold(std::vector<const char *>(v));
		own.turned.count = static_cast<std::int64_t>(v.size());
		return *this;
	}
};
/** Keywords of load(). */
class load_args : public detail::keywords<tsr_load_args> {
public:
	/** Where the arrays go. Not given: the mesh in use, or if there is none the first device
	 * of the context that is open on this thread, which must be one alone then. */
	load_args &mesh(const tsr::mesh &v)
	{
		tsr_load_args::mesh = v.get();
		return *this;
	}
	/** One for all leaves, TSR_FOR_ALL(TSR_P("x")), or one a leaf, TSR_FOR_EACH(array); all
	 * of each leaf on every device when not given. */
	load_args &spec(const tsr::spec &v)
	{
		tsr_load_args &own = *this;
		own.spec.leaf = hold(std::vector<tsr_spec>(1, v));
		own.spec.count = 1;
		return *this;
	}
	/** One a leaf, in the order of the tree; NULL for a leaf that is in no file, which
	 * becomes absent. Not given: the paths of the leaves, tree_path(). */
	load_args &names(std::initializer_list<const char *> v)
	{
		tsr_load_args &own = *this;
		own.names.name = hold(std::vector<const char *>(v));
		own.names.count = static_cast<std::int64_t>(v.size());
		return *this;
	}
	/** Of these arrays, the last two dims are exchanged in the file, as in save(). */
	load_args &turned(std::initializer_list<const char *> v)
	{
		tsr_load_args &own = *this;
		own.turned.name = hold(std::vector<const char *>(v));
		own.turned.count = static_cast<std::int64_t>(v.size());
		return *this;
	}
};
/** Keywords of load_text(). */
class load_text_args : public detail::keywords<tsr_load_text_args> {
public:
	/** one character between columns; blanks when not given */
	load_text_args &delimiter(const char *v)
	{
		tsr_load_text_args::delimiter = v;
		return *this;
	}
	/** what follows this in a line is left out: "#" when not given, "": nothing is */
	load_text_args &comments(const char *v)
	{
		tsr_load_text_args::comments = v;
		return *this;
	}
	/** so many lines at the beginning are left out */
	load_text_args &skip(int64_t v)
	{
		tsr_load_text_args::skip = v;
		return *this;
	}
	/** which ones, negative from the end; all when not given */
	load_text_args &columns(const tsr::dims &v)
	{
		tsr_load_text_args::columns = v;
		return *this;
	}
	/** f32 when not given */
	load_text_args &dtype(tsr_dtype v)
	{
		tsr_load_text_args::dtype = v;
		return *this;
	}
};
/** Keyword of linear() and embed(). */
class linear_args : public detail::keywords<tsr_linear_args> {
public:
	/** in which is computed, a float or complex one; that of the result */
	linear_args &dtype(tsr_dtype v)
	{
		tsr_linear_args::dtype = v;
		return *this;
	}
};
/** Keywords of conv(). Lists have one entry for each dim of the window. */
class conv_layer_args : public detail::keywords<tsr_conv_layer_args> {
public:
	/** from one window to the next; 1 when not given */
	conv_layer_args &strides(const tsr::dims &v)
	{
		tsr_conv_layer_args::strides = v;
		return *this;
	}
	/** zeros before and behind x; negative ones cut off */
	conv_layer_args &low(const tsr::dims &v)
	{
		tsr_conv_layer_args::low = v;
		return *this;
	}
	/** zeros before and behind x; negative ones cut off */
	conv_layer_args &high(const tsr::dims &v)
	{
		tsr_conv_layer_args::high = v;
		return *this;
	}
	/** TSR_SAME when not given, nor .low and .high */
	conv_layer_args &padding(enum tsr_window_padding v)
	{
		tsr_conv_layer_args::padding = v;
		return *this;
	}
	/** places from one element of x to the next */
	conv_layer_args &input_dilation(const tsr::dims &v)
	{
		tsr_conv_layer_args::input_dilation = v;
		return *this;
	}
	/** places from one element of a window to the next */
	conv_layer_args &kernel_dilation(const tsr::dims &v)
	{
		tsr_conv_layer_args::kernel_dilation = v;
		return *this;
	}
	/** each group of features has its own part of the kernel */
	conv_layer_args &feature_group_count(int64_t v)
	{
		tsr_conv_layer_args::feature_group_count = v;
		return *this;
	}
	/** as in tsr_linear_args */
	conv_layer_args &dtype(tsr_dtype v)
	{
		tsr_conv_layer_args::dtype = v;
		return *this;
	}
};
/** Keywords of layer_norm() and rms_norm(). */
class layer_norm_args : public detail::keywords<tsr_layer_norm_args> {
public:
	/** over which means are taken; the last one when not given */
	layer_norm_args &dims(const tsr::dims &v)
	{
		tsr_layer_norm_args::dims = v;
		return *this;
	}
	/** those of scale and bias; the last one when not given */
	layer_norm_args &feature_dims(const tsr::dims &v)
	{
		tsr_layer_norm_args::feature_dims = v;
		return *this;
	}
	/** added to the variance; 1e-6 when not given */
	layer_norm_args &epsilon(double v)
	{
		tsr_layer_norm_args::epsilon = v;
		return *this;
	}
	/** bool, broadcast to x: only elements where it is true count in means */
	layer_norm_args &where(const array &v)
	{
		tsr_layer_norm_args::where = v.get();
		return *this;
	}
	/** the variance is the mean of (x - mean)^2, which is exact where the mean is far from
	 * 0; otherwise that of x^2 less mean^2, in one pass */
	layer_norm_args &exact(bool v)
	{
		tsr_layer_norm_args::exact = v;
		return *this;
	}
	/** inside maps: means are over this axis, "x" or "x*y", too */
	layer_norm_args &axis(const char *v)
	{
		tsr_layer_norm_args::axis = v;
		return *this;
	}
	/** as in tsr_linear_args */
	layer_norm_args &dtype(tsr_dtype v)
	{
		tsr_layer_norm_args::dtype = v;
		return *this;
	}
};
/** Keywords of group_norm(). */
class group_norm_args : public detail::keywords<tsr_group_norm_args> {
public:
	/** features of a group, in place of how many groups there are */
	group_norm_args &group_size(int64_t v)
	{
		tsr_group_norm_args::group_size = v;
		return *this;
	}
	/** over which means are taken, besides the features of a group; all but the first one
	 * when not given */
	group_norm_args &dims(const tsr::dims &v)
	{
		tsr_group_norm_args::dims = v;
		return *this;
	}
	/** as in tsr_layer_norm_args, and the next ones too */
	group_norm_args &epsilon(double v)
	{
		tsr_group_norm_args::epsilon = v;
		return *this;
	}
	group_norm_args &where(const array &v)
	{
		tsr_group_norm_args::where = v.get();
		return *this;
	}
	group_norm_args &exact(bool v)
	{
		tsr_group_norm_args::exact = v;
		return *this;
	}
	group_norm_args &axis(const char *v)
	{
		tsr_group_norm_args::axis = v;
		return *this;
	}
	group_norm_args &dtype(tsr_dtype v)
	{
		tsr_group_norm_args::dtype = v;
		return *this;
	}
};
/** Keywords of batch_norm(). */
class batch_norm_args : public detail::keywords<tsr_batch_norm_args> {
public:
	/** x is normalized by the mean and variance given */
	batch_norm_args &use_running_average(bool v)
	{
		tsr_batch_norm_args::use_running_average = v;
		return *this;
	}
	/** what an average keeps of itself: TSR_ARG(0.9); 0.99 when not given */
	batch_norm_args &momentum(const operand &v)
	{
		tsr_batch_norm_args::momentum = v.arg();
		return *this;
	}
	/** that of the features; the last one when not given */
	batch_norm_args &dim(const tsr::dims &v)
	{
		tsr_batch_norm_args::dim = v;
		return *this;
	}
	/** 1e-5 when not given */
	batch_norm_args &epsilon(double v)
	{
		tsr_batch_norm_args::epsilon = v;
		return *this;
	}
	/** as in tsr_layer_norm_args, and the next ones too */
	batch_norm_args &where(const array &v)
	{
		tsr_batch_norm_args::where = v.get();
		return *this;
	}
	batch_norm_args &exact(bool v)
	{
		tsr_batch_norm_args::exact = v;
		return *this;
	}
	batch_norm_args &axis(const char *v)
	{
		tsr_batch_norm_args::axis = v;
		return *this;
	}
	batch_norm_args &dtype(tsr_dtype v)
	{
		tsr_batch_norm_args::dtype = v;
		return *this;
	}
};
/** Keywords of dropout(). */
class dropout_args : public detail::keywords<tsr_dropout_args> {
public:
	/** nothing is dropped, as when a model is used */
	dropout_args &deterministic(bool v)
	{
		tsr_dropout_args::deterministic = v;
		return *this;
	}
	/** along these dims the same is dropped everywhere */
	dropout_args &broadcast_dims(const tsr::dims &v)
	{
		tsr_dropout_args::broadcast_dims = v;
		return *this;
	}
	/** as in tsr_draw_args, of a mask with the dims of x */
	dropout_args &whole(const tsr::dims &v)
	{
		tsr_dropout_args::whole = v;
		return *this;
	}
	/** as in tsr_draw_args */
	dropout_args &start(const array &v)
	{
		tsr_dropout_args::start = v.get();
		return *this;
	}
};
/** Keywords of rnn_cell(). */
class rnn_cell_args : public detail::keywords<tsr_rnn_cell_args> {
public:
	/** h is added before tanh */
	rnn_cell_args &residual(bool v)
	{
		tsr_rnn_cell_args::residual = v;
		return *this;
	}
	/** as in tsr_linear_args */
	rnn_cell_args &dtype(tsr_dtype v)
	{
		tsr_rnn_cell_args::dtype = v;
		return *this;
	}
};
/** Keyword of lstm_cell(). */
class lstm_cell_args : public detail::keywords<tsr_lstm_cell_args> {
public:
	/** as in tsr_linear_args */
	lstm_cell_args &dtype(tsr_dtype v)
	{
		tsr_lstm_cell_args::dtype = v;
		return *this;
	}
};
/** Keywords of gru_cell(). */
class gru_cell_args : public detail::keywords<tsr_gru_cell_args> {
public:
	/** [hidden]: added to the third part of h @ recurrent */
	gru_cell_args &recurrent_bias(const array &v)
	{
		tsr_gru_cell_args::recurrent_bias = v.get();
		return *this;
	}
	/** as in tsr_linear_args */
	gru_cell_args &dtype(tsr_dtype v)
	{
		tsr_gru_cell_args::dtype = v;
		return *this;
	}
};
/** Keywords of cholesky(). */
class cholesky_args : public detail::keywords<tsr_cholesky_args> {
public:
	/** L^H in place of L */
	cholesky_args &upper(bool v)
	{
		tsr_cholesky_args::upper = v;
		return *this;
	}
	/** a is not made Hermitian first, by (a + a^H) / 2: its lower triangle alone is read */
	cholesky_args &lower_only(bool v)
	{
		tsr_cholesky_args::lower_only = v;
		return *this;
	}
};
/** Keywords of triangular_solve(), op(a) x = b. */
class triangular_solve_args : public detail::keywords<tsr_triangular_solve_args> {
public:
	/** op(a) x = b in place of x op(a) = b */
	triangular_solve_args &left_side(bool v)
	{
		tsr_triangular_solve_args::left_side = v;
		return *this;
	}
	/** the lower triangle of a is read, in place of the upper one */
	triangular_solve_args &lower(bool v)
	{
		tsr_triangular_solve_args::lower = v;
		return *this;
	}
	/** op is the transpose */
	triangular_solve_args &transpose_a(bool v)
	{
		tsr_triangular_solve_args::transpose_a = v;
		return *this;
	}
	/** op is the conjugate, of the transpose if both are given */
	triangular_solve_args &conjugate_a(bool v)
	{
		tsr_triangular_solve_args::conjugate_a = v;
		return *this;
	}
	/** the diagonal of a counts as ones, whatever is there */
	triangular_solve_args &unit_diagonal(bool v)
	{
		tsr_triangular_solve_args::unit_diagonal = v;
		return *this;
	}
};
/** Keywords of solve_triangular(). */
class solve_triangular_args : public detail::keywords<tsr_solve_triangular_args> {
public:
	/** 0: a x = b; 1: a^T x = b; 2: a^H x = b */
	solve_triangular_args &trans(int v)
	{
		tsr_solve_triangular_args::trans = v;
		return *this;
	}
	/** the lower triangle of a is read, in place of the upper one */
	solve_triangular_args &lower(bool v)
	{
		tsr_solve_triangular_args::lower = v;
		return *this;
	}
	/** the diagonal of a counts as ones, whatever is there */
	solve_triangular_args &unit_diagonal(bool v)
	{
		tsr_solve_triangular_args::unit_diagonal = v;
		return *this;
	}
};
/** Keyword of cho_solve(). */
class cho_solve_args : public detail::keywords<tsr_cho_solve_args> {
public:
	/** the factor is L, in place of L^H */
	cho_solve_args &lower(bool v)
	{
		tsr_cho_solve_args::lower = v;
		return *this;
	}
};
/** Keyword of qr(). */
class qr_args : public detail::keywords<tsr_qr_args> {
public:
	/** q is square (NumPy's mode "complete") */
	qr_args &full_matrices(bool v)
	{
		tsr_qr_args::full_matrices = v;
		return *this;
	}
};
/** Keywords of eigh() and eigvalsh(). */
class eigh_args : public detail::keywords<tsr_eigh_args> {
public:
	/** with .triangle_only the upper one is read, in place of the lower */
	eigh_args &upper(bool v)
	{
		tsr_eigh_args::upper = v;
		return *this;
	}
	/** a is not made Hermitian first, by (a + a^H) / 2 */
	eigh_args &triangle_only(bool v)
	{
		tsr_eigh_args::triangle_only = v;
		return *this;
	}
};
/** Keyword of eig(). */
class eig_args : public detail::keywords<tsr_eig_args> {
public:
	/** eigenvectors from the left, too, as a third result */
	eig_args &left(bool v)
	{
		tsr_eig_args::left = v;
		return *this;
	}
};
/** Keyword of tridiagonal(). */
class tridiagonal_args : public detail::keywords<tsr_tridiagonal_args> {
public:
	/** the upper triangle of a is read, in place of the lower one */
	tridiagonal_args &upper(bool v)
	{
		tsr_tridiagonal_args::upper = v;
		return *this;
	}
};
/** Keyword of svd(). */
class svd_args : public detail::keywords<tsr_svd_args> {
public:
	/** u has as many columns, and vh as many rows, as there are singular values
	 * (full_matrices=False); otherwise they are square */
	svd_args &thin(bool v)
	{
		tsr_svd_args::thin = v;
		return *this;
	}
};
/** Keyword of matrix_rank(), pinv() and lstsq(). */
class rank_args : public detail::keywords<tsr_rank_args> {
public:
	/** singular values up to that much of the largest one count as 0. When not given, the
	 * longer side times the precision of the dtype; of pinv ten times that */
	rank_args &rtol(double v)
	{
		tsr_rank_args::rtol = v;
		return *this;
	}
};
/** Keywords of ormqr(). */
class ormqr_args : public detail::keywords<tsr_ormqr_args> {
public:
	/** c q in place of q c (left=False) */
	ormqr_args &right(bool v)
	{
		tsr_ormqr_args::right = v;
		return *this;
	}
	/** q^H in place of q */
	ormqr_args &transpose(bool v)
	{
		tsr_ormqr_args::transpose = v;
		return *this;
	}
};
/** Keywords of symmetric_product(). */
class symmetric_product_args : public detail::keywords<tsr_symmetric_product_args> {
public:
	/** 1 when not given */
	symmetric_product_args &alpha(double v)
	{
		tsr_symmetric_product_args::alpha = v;
		return *this;
	}
	/** 0 when not given */
	symmetric_product_args &beta(double v)
	{
		tsr_symmetric_product_args::beta = v;
		return *this;
	}
};
/** Keyword of tensorsolve(). */
class tensorsolve_args : public detail::keywords<tsr_tensorsolve_args> {
public:
	/** of a, which come last (axes): those of the unknown numbers */
	tensorsolve_args &dims(const tsr::dims &v)
	{
		tsr_tensorsolve_args::dims = v;
		return *this;
	}
};
/** Keywords of matrix_norm(). */
class matrix_norm_args : public detail::keywords<tsr_matrix_norm_args> {
public:
	/** 1, 2, INFINITY, or minus that */
	matrix_norm_args &ord(double v)
	{
		tsr_matrix_norm_args::ord = v;
		return *this;
	}
	/** the root of the sum of squares: when nothing is given */
	matrix_norm_args &frobenius(bool v)
	{
		tsr_matrix_norm_args::frobenius = v;
		return *this;
	}
	/** the sum of the singular values */
	matrix_norm_args &nuclear(bool v)
	{
		tsr_matrix_norm_args::nuclear = v;
		return *this;
	}
	/** the two dims stay, with size 1 */
	matrix_norm_args &keep(bool v)
	{
		tsr_matrix_norm_args::keep = v;
		return *this;
	}
};
/** Keywords of cond_number(). */
class cond_number_args : public detail::keywords<tsr_cond_number_args> {
public:
	/** as in tsr_matrix_norm_args; 2 when nothing is given */
	cond_number_args &ord(double v)
	{
		tsr_cond_number_args::ord = v;
		return *this;
	}
	/** of the Frobenius norm */
	cond_number_args &frobenius(bool v)
	{
		tsr_cond_number_args::frobenius = v;
		return *this;
	}
	/** of the nuclear norm */
	cond_number_args &nuclear(bool v)
	{
		tsr_cond_number_args::nuclear = v;
		return *this;
	}
};
/** Keywords of vector_norm() and norm(). */
class norm_args : public detail::keywords<tsr_norm_args> {
public:
	/** p, also negative or infinite; 2 when not given */
	norm_args &ord(double v)
	{
		tsr_norm_args::ord = v;
		return *this;
	}
	/** p is 0 */
	norm_args &zero(bool v)
	{
		tsr_norm_args::zero = v;
		return *this;
	}
	/** all when not given */
	norm_args &dims(const tsr::dims &v)
	{
		tsr_norm_args::dims = v;
		return *this;
	}
	/** they stay, with size 1 */
	norm_args &keep(bool v)
	{
		tsr_norm_args::keep = v;
		return *this;
	}
};
/** Keywords of the softmax cross entropies and smooth_labels(). */
class classes_args : public detail::keywords<tsr_classes_args> {
public:
	/** that of the classes; the last one when not given */
	classes_args &dim(const tsr::dims &v)
	{
		tsr_classes_args::dim = v;
		return *this;
	}
	/** bool: only classes where it is true count; without the dim of the classes, whole
	 * predictions, and the others have the loss 0 */
	classes_args &where(const array &v)
	{
		tsr_classes_args::where = v.get();
		return *this;
	}
};
/** Keyword of huber_loss(). */
class huber_args : public detail::keywords<tsr_huber_args> {
public:
	/** where the square becomes a line; 1 when not given */
	huber_args &delta(double v)
	{
		tsr_huber_args::delta = v;
		return *this;
	}
};
/** Keywords of sharding_positional(). */
class positional_args : public detail::keywords<tsr_positional_args> {
public:
	/** their ids; the first ones of the context when not given. TSR_DEVICES(ids) gives both,
	 * for an array */
	positional_args &devices(const int64_t *v)
	{
		tsr_positional_args::devices = v;
		return *this;
	}
	positional_args &device_count(size_t v)
	{
		tsr_positional_args::device_count = v;
		return *this;
	}
};
/** Keywords of sharding_replicate(). */
class replicate_args : public detail::keywords<tsr_replicate_args> {
public:
	/** of the grid, from the end if negative; all when not given */
	replicate_args &dim(const tsr::dims &v)
	{
		tsr_replicate_args::dim = v;
		return *this;
	}
	/** they go; otherwise they stay, with size 1 */
	replicate_args &drop(bool v)
	{
		tsr_replicate_args::drop = v;
		return *this;
	}
};
/** Keyword of gelu(). */
class gelu_args : public detail::keywords<tsr_gelu_args> {
public:
	/** by the normal distribution; otherwise by tanh */
	gelu_args &exact(bool v)
	{
		tsr_gelu_args::exact = v;
		return *this;
	}
};
/** Keyword of softmax() and log_softmax(). */
class softmax_args : public detail::keywords<tsr_softmax_args> {
public:
	/** bool, broadcast to x: only elements where it is true count; the others give 0, or
	 * -inf */
	softmax_args &where(const array &v)
	{
		tsr_softmax_args::where = v.get();
		return *this;
	}
};
/** Keywords of logmeanexp(). */
class logmeanexp_args : public detail::keywords<tsr_logmeanexp_args> {
public:
	/** reduced over; all when not given */
	logmeanexp_args &dims(const tsr::dims &v)
	{
		tsr_logmeanexp_args::dims = v;
		return *this;
	}
	/** they stay, with size 1 */
	logmeanexp_args &keep(bool v)
	{
		tsr_logmeanexp_args::keep = v;
		return *this;
	}
	/** bool, broadcast to x: only elements where it is true count */
	logmeanexp_args &where(const array &v)
	{
		tsr_logmeanexp_args::where = v.get();
		return *this;
	}
};
/** Keywords of standardize(). */
class standardize_args : public detail::keywords<tsr_standardize_args> {
public:
	/** bool, broadcast to x: only elements where it is true count */
	standardize_args &where(const array &v)
	{
		tsr_standardize_args::where = v.get();
		return *this;
	}
	/** where they are known, broadcast with x: TSR_ARG(0) */
	standardize_args &mean(const operand &v)
	{
		tsr_standardize_args::mean = v.arg();
		return *this;
	}
	/** where they are known, broadcast with x: TSR_ARG(0) */
	standardize_args &variance(const operand &v)
	{
		tsr_standardize_args::variance = v.arg();
		return *this;
	}
};
/** Keywords of one_hot(). */
class one_hot_args : public detail::keywords<tsr_one_hot_args> {
public:
	/** the new dim; the last one when not given */
	one_hot_args &dim(const tsr::dims &v)
	{
		tsr_one_hot_args::dim = v;
		return *this;
	}
	/** f32 when not given */
	one_hot_args &dtype(tsr_dtype v)
	{
		tsr_one_hot_args::dtype = v;
		return *this;
	}
};
/** Keywords of dot_product_attention(). */
class attention_args : public detail::keywords<tsr_attention_args> {
public:
	/** added to the scores [batch, heads, queries, keys], broadcast */
	attention_args &bias(const array &v)
	{
		tsr_attention_args::bias = v.get();
		return *this;
	}
	/** bool, broadcast to them: keys where it is false do not count */
	attention_args &mask(const array &v)
	{
		tsr_attention_args::mask = v.get();
		return *this;
	}
	/** of the scores; 1 / sqrt(head) when not given */
	attention_args &scale(double v)
	{
		tsr_attention_args::scale = v;
		return *this;
	}
	/** only keys that are not behind their query count */
	attention_args &causal(bool v)
	{
		tsr_attention_args::causal = v;
		return *this;
	}
};
/** Keywords of rotary(). */
class rotary_args : public detail::keywords<tsr_rotary_args> {
public:
	/** The place of each row, [length] or with dims before it; a scalar is that of the first
	 * row, from which the others are counted: .position = TSR_ARG(16). 0 when not given. */
	rotary_args &position(const operand &v)
	{
		tsr_rotary_args::position = v.arg();
		return *this;
	}
	/** of the angles; 10000 when not given */
	rotary_args &base(double v)
	{
		tsr_rotary_args::base = v;
		return *this;
	}
};
/** Keywords of multi_head_attention(). */
class multi_head_args : public detail::keywords<tsr_multi_head_args> {
public:
	/** [batch, keys, features], what keys are made of; x when not given */
	multi_head_args &key_input(const array &v)
	{
		tsr_multi_head_args::key_input = v.get();
		return *this;
	}
	/** what values are made of; .key_input when not given */
	multi_head_args &value_input(const array &v)
	{
		tsr_multi_head_args::value_input = v.get();
		return *this;
	}
	/** [heads, head], [kv_heads, head] twice */
	multi_head_args &query_bias(const array &v)
	{
		tsr_multi_head_args::query_bias = v.get();
		return *this;
	}
	/** [heads, head], [kv_heads, head] twice */
	multi_head_args &key_bias(const array &v)
	{
		tsr_multi_head_args::key_bias = v.get();
		return *this;
	}
	/** [heads, head], [kv_heads, head] twice */
	multi_head_args &value_bias(const array &v)
	{
		tsr_multi_head_args::value_bias = v.get();
		return *this;
	}
	/** [features] of the result */
	multi_head_args &out_bias(const array &v)
	{
		tsr_multi_head_args::out_bias = v.get();
		return *this;
	}
	/** as in tsr_attention_args, and the next three too */
	multi_head_args &bias(const array &v)
	{
		tsr_multi_head_args::bias = v.get();
		return *this;
	}
	multi_head_args &mask(const array &v)
	{
		tsr_multi_head_args::mask = v.get();
		return *this;
	}
	multi_head_args &scale(double v)
	{
		tsr_multi_head_args::scale = v;
		return *this;
	}
	multi_head_args &causal(bool v)
	{
		tsr_multi_head_args::causal = v;
		return *this;
	}
	/** The base of rotary(), by which queries and keys are turned; 0: they are not. */
	multi_head_args &rotary(double v)
	{
		tsr_multi_head_args::rotary = v;
		return *this;
	}
	/** The keys and values of places before these, [batch, length, kv_heads, head] both, for
	 * decoding: those of x are written at .position, and queries see all keys up to the
	 * last one of x, with .causal up to their own. */
	multi_head_args &key_cache(const array &v)
	{
		tsr_multi_head_args::key_cache = v.get();
		return *this;
	}
	/** The keys and values of places before these, [batch, length, kv_heads, head] both, for
	 * decoding: those of x are written at .position, and queries see all keys up to the
	 * last one of x, with .causal up to their own. */
	multi_head_args &value_cache(const array &v)
	{
		tsr_multi_head_args::value_cache = v.get();
		return *this;
	}
	/** The place of the first row of x: an integer, or a handle of one. It is moved so that
	 * all rows fit into the cache. 0 when not given. */
	multi_head_args &position(const operand &v)
	{
		tsr_multi_head_args::position = v.arg();
		return *this;
	}
};
/** Keyword of round(). */
class round_args : public detail::keywords<tsr_round_args> {
public:
	/** how many are left; -1: whole tens */
	round_args &decimals(int v)
	{
		tsr_round_args::decimals = v;
		return *this;
	}
};
/** Keywords of dot_general(): dims of a and b in pairs. */
class dot_args : public detail::keywords<tsr_dot_args> {
public:
	/** summed over */
	dot_args &contract_a(const tsr::dims &v)
	{
		tsr_dot_args::contract_a = v;
		return *this;
	}
	/** summed over */
	dot_args &contract_b(const tsr::dims &v)
	{
		tsr_dot_args::contract_b = v;
		return *this;
	}
	/** kept, one product for each index */
	dot_args &batch_a(const tsr::dims &v)
	{
		tsr_dot_args::batch_a = v;
		return *this;
	}
	/** kept, one product for each index */
	dot_args &batch_b(const tsr::dims &v)
	{
		tsr_dot_args::batch_b = v;
		return *this;
	}
	/** of the result; the promoted one when not given */
	dot_args &dtype(tsr_dtype v)
	{
		tsr_dot_args::dtype = v;
		return *this;
	}
	/** how exact products of f32 are; not given: what open() was given */
	dot_args &precision(tsr_precision v)
	{
		tsr_dot_args::precision = v;
		return *this;
	}
};
/** Keywords of dot() and matmul(). */
class product_args : public detail::keywords<tsr_product_args> {
public:
	/** of the result; the promoted one when not given */
	product_args &dtype(tsr_dtype v)
	{
		tsr_product_args::dtype = v;
		return *this;
	}
	/** how exact products of f32 are; not given: what open() was given */
	product_args &precision(tsr_precision v)
	{
		tsr_product_args::precision = v;
		return *this;
	}
};
/** Keyword of transpose(). */
class transpose_args : public detail::keywords<tsr_transpose_args> {
public:
	/** dim d of the result is dim perm[d] of x; reversed when not given */
	transpose_args &perm(const tsr::dims &v)
	{
		tsr_transpose_args::perm = v;
		return *this;
	}
};
/** Keyword of pad(). */
class pad_args : public detail::keywords<tsr_pad_args> {
public:
	/** how many between two elements, one a dim; 0 when not given */
	pad_args &interior(const tsr::dims &v)
	{
		tsr_pad_args::interior = v;
		return *this;
	}
};
/** Keyword of split(). */
class split_args : public detail::keywords<tsr_split_args> {
public:
	/** Where the second part begins, the third, and so on: with 2, 5 the parts are x[:2],
	 * x[2:5], x[5:]. Not given: parts of equal size. */
	split_args &indices(const tsr::dims &v)
	{
		tsr_split_args::indices = v;
		return *this;
	}
};
/** Keyword of slice_strided(). */
class slice_args : public detail::keywords<tsr_slice_args> {
public:
	/** one a dim; 1 when not given; a negative one goes down */
	slice_args &steps(const tsr::dims &v)
	{
		tsr_slice_args::steps = v;
		return *this;
	}
};
/** Keywords of take(), take_along() and at_set() with its kin. */
class index_args : public detail::keywords<tsr_index_args> {
public:
	index_args &mode(enum tsr_index_mode v)
	{
		tsr_index_args::mode = v;
		return *this;
	}
	/** a hint */
	index_args &indices_are_sorted(bool v)
	{
		tsr_index_args::indices_are_sorted = v;
		return *this;
	}
	/** no two are equal: needed by derivatives of at_mul() */
	index_args &unique_indices(bool v)
	{
		tsr_index_args::unique_indices = v;
		return *this;
	}
};
/** Keywords of gather(): JAX's GatherDimensionNumbers. */
class gather_args : public detail::keywords<tsr_gather_args> {
public:
	/** dims of the result that go through a window */
	gather_args &offset_dims(const tsr::dims &v)
	{
		tsr_gather_args::offset_dims = v;
		return *this;
	}
	/** dims of x, of slice size 1, that the result has not */
	gather_args &collapsed_slice_dims(const tsr::dims &v)
	{
		tsr_gather_args::collapsed_slice_dims = v;
		return *this;
	}
	/** by entry of an index vector: the dim of x */
	gather_args &start_index_map(const tsr::dims &v)
	{
		tsr_gather_args::start_index_map = v;
		return *this;
	}
	/** in step, in pairs */
	gather_args &operand_batching_dims(const tsr::dims &v)
	{
		tsr_gather_args::operand_batching_dims = v;
		return *this;
	}
	/** in step, in pairs */
	gather_args &start_indices_batching_dims(const tsr::dims &v)
	{
		tsr_gather_args::start_indices_batching_dims = v;
		return *this;
	}
	gather_args &mode(enum tsr_index_mode v)
	{
		tsr_gather_args::mode = v;
		return *this;
	}
	gather_args &indices_are_sorted(bool v)
	{
		tsr_gather_args::indices_are_sorted = v;
		return *this;
	}
	gather_args &unique_indices(bool v)
	{
		tsr_gather_args::unique_indices = v;
		return *this;
	}
};
/** Keywords of scatter(): JAX's ScatterDimensionNumbers. */
class scatter_args : public detail::keywords<tsr_scatter_args> {
public:
	/** dims of the updates that go through a window */
	scatter_args &update_window_dims(const tsr::dims &v)
	{
		tsr_scatter_args::update_window_dims = v;
		return *this;
	}
	/** dims of x in which a window has size 1, and the updates have none */
	scatter_args &inserted_window_dims(const tsr::dims &v)
	{
		tsr_scatter_args::inserted_window_dims = v;
		return *this;
	}
	/** by entry of an index vector: the dim of x */
	scatter_args &scatter_dims_to_operand_dims(const tsr::dims &v)
	{
		tsr_scatter_args::scatter_dims_to_operand_dims = v;
		return *this;
	}
	/** in step, in pairs */
	scatter_args &operand_batching_dims(const tsr::dims &v)
	{
		tsr_scatter_args::operand_batching_dims = v;
		return *this;
	}
	/** in step, in pairs */
	scatter_args &scatter_indices_batching_dims(const tsr::dims &v)
	{
		tsr_scatter_args::scatter_indices_batching_dims = v;
		return *this;
	}
	scatter_args &combine(enum tsr_combine v)
	{
		tsr_scatter_args::combine = v;
		return *this;
	}
	scatter_args &mode(enum tsr_index_mode v)
	{
		tsr_scatter_args::mode = v;
		return *this;
	}
	scatter_args &indices_are_sorted(bool v)
	{
		tsr_scatter_args::indices_are_sorted = v;
		return *this;
	}
	scatter_args &unique_indices(bool v)
	{
		tsr_scatter_args::unique_indices = v;
		return *this;
	}
};
/** Keywords of max() and min(). The first three are those of all reductions. */
class reduce_args : public detail::keywords<tsr_reduce_args> {
public:
	/** reduced over; all when not given */
	reduce_args &dims(const tsr::dims &v)
	{
		tsr_reduce_args::dims = v;
		return *this;
	}
	/** they stay, with size 1 */
	reduce_args &keep(bool v)
	{
		tsr_reduce_args::keep = v;
		return *this;
	}
	/** bool, broadcast to x: only elements where it is true count */
	reduce_args &where(const array &v)
	{
		tsr_reduce_args::where = v.get();
		return *this;
	}
	/** one more element, a scalar: TSR_ARG(0) or TSR_ARG(y); required with .where */
	reduce_args &initial(const operand &v)
	{
		tsr_reduce_args::initial = v.arg();
		return *this;
	}
};
/** Keywords of sum() and prod(). */
class sum_args : public detail::keywords<tsr_sum_args> {
public:
	sum_args &dims(const tsr::dims &v)
	{
		tsr_sum_args::dims = v;
		return *this;
	}
	sum_args &keep(bool v)
	{
		tsr_sum_args::keep = v;
		return *this;
	}
	sum_args &where(const array &v)
	{
		tsr_sum_args::where = v.get();
		return *this;
	}
	/** one more element, a scalar: TSR_ARG(1) or TSR_ARG(y) */
	sum_args &initial(const operand &v)
	{
		tsr_sum_args::initial = v.arg();
		return *this;
	}
	/** elements are converted to it first, as astype() does */
	sum_args &dtype(tsr_dtype v)
	{
		tsr_sum_args::dtype = v;
		return *this;
	}
};
/** Keywords of mean(). */
class mean_args : public detail::keywords<tsr_mean_args> {
public:
	mean_args &dims(const tsr::dims &v)
	{
		tsr_mean_args::dims = v;
		return *this;
	}
	mean_args &keep(bool v)
	{
		tsr_mean_args::keep = v;
		return *this;
	}
	mean_args &where(const array &v)
	{
		tsr_mean_args::where = v.get();
		return *this;
	}
	/** as in tsr_sum_args; for an integer dtype the quotient is truncated */
	mean_args &dtype(tsr_dtype v)
	{
		tsr_mean_args::dtype = v;
		return *this;
	}
};
/** Keywords of all() and any(). */
class all_args : public detail::keywords<tsr_all_args> {
public:
	all_args &dims(const tsr::dims &v)
	{
		tsr_all_args::dims = v;
		return *this;
	}
	all_args &keep(bool v)
	{
		tsr_all_args::keep = v;
		return *this;
	}
	all_args &where(const array &v)
	{
		tsr_all_args::where = v.get();
		return *this;
	}
};
/** Keywords of reduce_and() and its kin, and of reductions of statistics.h. */
class dims_args : public detail::keywords<tsr_dims_args> {
public:
	dims_args &dims(const tsr::dims &v)
	{
		tsr_dims_args::dims = v;
		return *this;
	}
	dims_args &keep(bool v)
	{
		tsr_dims_args::keep = v;
		return *this;
	}
};
/** Keywords of logsumexp(). */
class logsumexp_args : public detail::keywords<tsr_logsumexp_args> {
public:
	logsumexp_args &dims(const tsr::dims &v)
	{
		tsr_logsumexp_args::dims = v;
		return *this;
	}
	logsumexp_args &keep(bool v)
	{
		tsr_logsumexp_args::keep = v;
		return *this;
	}
	logsumexp_args &where(const array &v)
	{
		tsr_logsumexp_args::where = v.get();
		return *this;
	}
	/** factors of the e^x, broadcast with x: TSR_ARG(0.5), TSR_ARG(y) */
	logsumexp_args &b(const operand &v)
	{
		tsr_logsumexp_args::b = v.arg();
		return *this;
	}
};
/** Keywords of argmax() and argmin(). */
class arg_args : public detail::keywords<tsr_arg_args> {
public:
	/** one dim; all when not given, and the index then counts row-major */
	arg_args &dim(const tsr::dims &v)
	{
		tsr_arg_args::dim = v;
		return *this;
	}
	/** the dims stay, with size 1 */
	arg_args &keep(bool v)
	{
		tsr_arg_args::keep = v;
		return *this;
	}
	/** of the index, an integer one; when not given i32, or i64 where the dim needs it */
	arg_args &dtype(tsr_dtype v)
	{
		tsr_arg_args::dtype = v;
		return *this;
	}
};
/** Keywords of sort(). */
class sort_args : public detail::keywords<tsr_sort_args> {
public:
	/** one dim; the last one when not given */
	sort_args &dim(const tsr::dims &v)
	{
		tsr_sort_args::dim = v;
		return *this;
	}
	/** the largest first: what is ascending, turned over */
	sort_args &descending(bool v)
	{
		tsr_sort_args::descending = v;
		return *this;
	}
};
/** Keywords of argsort(). */
class argsort_args : public detail::keywords<tsr_argsort_args> {
public:
	/** one dim; the last one when not given */
	argsort_args &dim(const tsr::dims &v)
	{
		tsr_argsort_args::dim = v;
		return *this;
	}
	/** the largest first */
	argsort_args &descending(bool v)
	{
		tsr_argsort_args::descending = v;
		return *this;
	}
	/** equal elements need not keep their order */
	argsort_args &unstable(bool v)
	{
		tsr_argsort_args::unstable = v;
		return *this;
	}
	/** of the indices, an integer one; when not given i32, or i64 where the dim needs it */
	argsort_args &dtype(tsr_dtype v)
	{
		tsr_argsort_args::dtype = v;
		return *this;
	}
};
/** Keywords of sort_operands(). */
class sort_operands_args : public detail::keywords<tsr_sort_operands_args> {
public:
	/** one dim; the last one when not given */
	sort_operands_args &dim(const tsr::dims &v)
	{
		tsr_sort_operands_args::dim = v;
		return *this;
	}
	/** how many of the operands say the order; 1 when not given */
	sort_operands_args &num_keys(int v)
	{
		tsr_sort_operands_args::num_keys = v;
		return *this;
	}
	/** elements with equal keys need not keep their order */
	sort_operands_args &unstable(bool v)
	{
		tsr_sort_operands_args::unstable = v;
		return *this;
	}
};
/** Keyword of top_k(). */
class top_k_args : public detail::keywords<tsr_top_k_args> {
public:
	/** one dim; the last one when not given */
	top_k_args &dim(const tsr::dims &v)
	{
		tsr_top_k_args::dim = v;
		return *this;
	}
};
/** Keywords of cumsum(), cumprod() and theirs without NaN. */
class cumsum_args : public detail::keywords<tsr_cumsum_args> {
public:
	/** one dim; when not given x is ravelled first */
	cumsum_args &dim(const tsr::dims &v)
	{
		tsr_cumsum_args::dim = v;
		return *this;
	}
	/** each element and all behind it, in place of all before it */
	cumsum_args &reverse(bool v)
	{
		tsr_cumsum_args::reverse = v;
		return *this;
	}
	/** to which elements are converted first, and of the result */
	cumsum_args &dtype(tsr_dtype v)
	{
		tsr_cumsum_args::dtype = v;
		return *this;
	}
};
/** Keywords of cummax(), cummin() and cumlogsumexp(). */
class cummax_args : public detail::keywords<tsr_cummax_args> {
public:
	/** one dim; the first one when not given */
	cummax_args &dim(const tsr::dims &v)
	{
		tsr_cummax_args::dim = v;
		return *this;
	}
	/** each element and all behind it, in place of all before it */
	cummax_args &reverse(bool v)
	{
		tsr_cummax_args::reverse = v;
		return *this;
	}
};
/** Keywords of cumulative_sum() and cumulative_prod(). */
class cumulative_args : public detail::keywords<tsr_cumulative_args> {
public:
	/** one dim; need not be given where x has only one */
	cumulative_args &dim(const tsr::dims &v)
	{
		tsr_cumulative_args::dim = v;
		return *this;
	}
	/** to which elements are converted first, and of the result */
	cumulative_args &dtype(tsr_dtype v)
	{
		tsr_cumulative_args::dtype = v;
		return *this;
	}
	/** the sum, or product, of no element is in front */
	cumulative_args &include_initial(bool v)
	{
		tsr_cumulative_args::include_initial = v;
		return *this;
	}
};
/** Keywords of reduce_window(), one entry for each dim of x. */
class window_args : public detail::keywords<tsr_window_args> {
public:
	/** from one window to the next; 1 when not given */
	window_args &strides(const tsr::dims &v)
	{
		tsr_window_args::strides = v;
		return *this;
	}
	/** elements before and behind x; negative ones are cut off */
	window_args &low(const tsr::dims &v)
	{
		tsr_window_args::low = v;
		return *this;
	}
	/** elements before and behind x; negative ones are cut off */
	window_args &high(const tsr::dims &v)
	{
		tsr_window_args::high = v;
		return *this;
	}
	/** places from one element of x to the next */
	window_args &base_dilation(const tsr::dims &v)
	{
		tsr_window_args::base_dilation = v;
		return *this;
	}
	/** places from one element of a window to the next */
	window_args &window_dilation(const tsr::dims &v)
	{
		tsr_window_args::window_dilation = v;
		return *this;
	}
	window_args &padding(enum tsr_window_padding v)
	{
		tsr_window_args::padding = v;
		return *this;
	}
};
/** Keywords of max_pool(), min_pool() and avg_pool(), one entry for each dim of the window. */
class pool_args : public detail::keywords<tsr_pool_args> {
public:
	/** from one window to the next; 1 when not given */
	pool_args &strides(const tsr::dims &v)
	{
		tsr_pool_args::strides = v;
		return *this;
	}
	/** elements before and behind */
	pool_args &low(const tsr::dims &v)
	{
		tsr_pool_args::low = v;
		return *this;
	}
	/** elements before and behind */
	pool_args &high(const tsr::dims &v)
	{
		tsr_pool_args::high = v;
		return *this;
	}
	pool_args &padding(enum tsr_window_padding v)
	{
		tsr_pool_args::padding = v;
		return *this;
	}
	/** avg_pool() divides by the number of elements that are of x */
	pool_args &exclude_padding(bool v)
	{
		tsr_pool_args::exclude_padding = v;
		return *this;
	}
};
/** Keywords of conv_general_dilated(). Lists have one entry for each spatial dim. A spec names
 * the dims of an array by letters: N (batch) and C (features) in lhs and the result, O and I
 * (output and input features) in rhs, and any others for spatial dims. */
class conv_args : public detail::keywords<tsr_conv_args> {
public:
	/** from one window to the next; 1 when not given */
	conv_args &strides(const tsr::dims &v)
	{
		tsr_conv_args::strides = v;
		return *this;
	}
	/** zeros before and behind lhs; negative ones cut off */
	conv_args &low(const tsr::dims &v)
	{
		tsr_conv_args::low = v;
		return *this;
	}
	/** zeros before and behind lhs; negative ones cut off */
	conv_args &high(const tsr::dims &v)
	{
		tsr_conv_args::high = v;
		return *this;
	}
	/** places from one element of lhs to the next */
	conv_args &lhs_dilation(const tsr::dims &v)
	{
		tsr_conv_args::lhs_dilation = v;
		return *this;
	}
	/** places from one element of a window to the next */
	conv_args &rhs_dilation(const tsr::dims &v)
	{
		tsr_conv_args::rhs_dilation = v;
		return *this;
	}
	conv_args &padding(enum tsr_window_padding v)
	{
		tsr_conv_args::padding = v;
		return *this;
	}
	/** "NCHW" when not given, with all spatial dims */
	conv_args &lhs_spec(const char *v)
	{
		tsr_conv_args::lhs_spec = v;
		return *this;
	}
	/** "OIHW" when not given */
	conv_args &rhs_spec(const char *v)
	{
		tsr_conv_args::rhs_spec = v;
		return *this;
	}
	/** that of lhs when not given */
	conv_args &out_spec(const char *v)
	{
		tsr_conv_args::out_spec = v;
		return *this;
	}
	/** each group of features has its own part of rhs */
	conv_args &feature_group_count(int64_t v)
	{
		tsr_conv_args::feature_group_count = v;
		return *this;
	}
	/** each group of the batch has */
	conv_args &batch_group_count(int64_t v)
	{
		tsr_conv_args::batch_group_count = v;
		return *this;
	}
	/** of the result; that of lhs and rhs when not given */
	conv_args &dtype(tsr_dtype v)
	{
		tsr_conv_args::dtype = v;
		return *this;
	}
	/** how exact products of f32 are; not given: what open() was given */
	conv_args &precision(tsr_precision v)
	{
		tsr_conv_args::precision = v;
		return *this;
	}
};
/** Keywords of conv_transpose(). Lists have one entry for each spatial dim; specs are those of
 * conv_general_dilated(). */
class conv_transpose_args : public detail::keywords<tsr_conv_transpose_args> {
public:
	/** from one element of lhs to the next in the result; 1 when not given */
	conv_transpose_args &strides(const tsr::dims &v)
	{
		tsr_conv_transpose_args::strides = v;
		return *this;
	}
	/** zeros before and behind the elements of lhs so apart */
	conv_transpose_args &low(const tsr::dims &v)
	{
		tsr_conv_transpose_args::low = v;
		return *this;
	}
	/** zeros before and behind the elements of lhs so apart */
	conv_transpose_args &high(const tsr::dims &v)
	{
		tsr_conv_transpose_args::high = v;
		return *this;
	}
	/** places from one element of a window to the next */
	conv_transpose_args &rhs_dilation(const tsr::dims &v)
	{
		tsr_conv_transpose_args::rhs_dilation = v;
		return *this;
	}
	/** of the convolution that this undoes: TSR_VALID when .low and .high are not given, or
	 * TSR_SAME */
	conv_transpose_args &padding(enum tsr_window_padding v)
	{
		tsr_conv_transpose_args::padding = v;
		return *this;
	}
	/** .low and .high are those of that convolution, too */
	conv_transpose_args &forward_padding(bool v)
	{
		tsr_conv_transpose_args::forward_padding = v;
		return *this;
	}
	/** rhs is that convolution's: it is turned over, and its input and output features
	 * change places */
	conv_transpose_args &transpose_kernel(bool v)
	{
		tsr_conv_transpose_args::transpose_kernel = v;
		return *this;
	}
	/** "NHWC" when not given, with all spatial dims */
	conv_transpose_args &lhs_spec(const char *v)
	{
		tsr_conv_transpose_args::lhs_spec = v;
		return *this;
	}
	/** "HWIO" when not given */
	conv_transpose_args &rhs_spec(const char *v)
	{
		tsr_conv_transpose_args::rhs_spec = v;
		return *this;
	}
	/** that of lhs when not given */
	conv_transpose_args &out_spec(const char *v)
	{
		tsr_conv_transpose_args::out_spec = v;
		return *this;
	}
	/** of the result; that of lhs and rhs when not given */
	conv_transpose_args &dtype(tsr_dtype v)
	{
		tsr_conv_transpose_args::dtype = v;
		return *this;
	}
};
/** Keyword of convolve() and correlate(). */
class convolve_args : public detail::keywords<tsr_convolve_args> {
public:
	convolve_args &mode(enum tsr_overlap v)
	{
		tsr_convolve_args::mode = v;
		return *this;
	}
};
/** Keyword of iota(). */
class iota_args : public detail::keywords<tsr_iota_args> {
public:
	/** when not given i32, or i64 where the dim needs it */
	iota_args &dtype(tsr_dtype v)
	{
		tsr_iota_args::dtype = v;
		return *this;
	}
};
/** Keyword of schedules: the step before which nothing changes yet; 0 when not given. */
class schedule_args : public detail::keywords<tsr_schedule_args> {
public:
	schedule_args &transition_begin(int64_t v)
	{
		tsr_schedule_args::transition_begin = v;
		return *this;
	}
};
/** Keywords of cosine_decay_schedule(). */
class cosine_decay_args : public detail::keywords<tsr_cosine_decay_args> {
public:
	/** what part of the value is left at the end; 0 when not given */
	cosine_decay_args &alpha(double v)
	{
		tsr_cosine_decay_args::alpha = v;
		return *this;
	}
	/** of the half wave; 1 when not given */
	cosine_decay_args &exponent(double v)
	{
		tsr_cosine_decay_args::exponent = v;
		return *this;
	}
};
/** Keywords of exponential_decay(). */
class exponential_decay_args : public detail::keywords<tsr_exponential_decay_args> {
public:
	/** the step before which nothing changes yet */
	exponential_decay_args &transition_begin(int64_t v)
	{
		tsr_exponential_decay_args::transition_begin = v;
		return *this;
	}
	/** only whole multiples of transition_steps count */
	exponential_decay_args &staircase(bool v)
	{
		tsr_exponential_decay_args::staircase = v;
		return *this;
	}
	/** it goes no further than this; any number when not given */
	exponential_decay_args &end_value(double v)
	{
		tsr_exponential_decay_args::end_value = v;
		return *this;
	}
};
/** Keywords of warmup_cosine_decay_schedule(). */
class warmup_cosine_decay_args : public detail::keywords<tsr_warmup_cosine_decay_args> {
public:
	/** at the last step and behind it; 0 when not given */
	warmup_cosine_decay_args &end_value(double v)
	{
		tsr_warmup_cosine_decay_args::end_value = v;
		return *this;
	}
	/** of the half wave; 1 when not given */
	warmup_cosine_decay_args &exponent(double v)
	{
		tsr_warmup_cosine_decay_args::exponent = v;
		return *this;
	}
};
/** Keywords of sgd(). */
class sgd_args : public detail::keywords<tsr_sgd_args> {
public:
	/** what part of the last update goes on; without it there is no state */
	sgd_args &momentum(double v)
	{
		tsr_sgd_args::momentum = v;
		return *this;
	}
	/** the momentum is looked at one step ahead */
	sgd_args &nesterov(bool v)
	{
		tsr_sgd_args::nesterov = v;
		return *this;
	}
	/** of the momentum; that of the parameter when not given */
	sgd_args &dtype(tsr_dtype v)
	{
		tsr_sgd_args::dtype = v;
		return *this;
	}
	/** the axis of the mesh along which state is cut too, "x" or "x*y" */
	sgd_args &zero(const char *v)
	{
		tsr_sgd_args::zero = v;
		return *this;
	}
};
/** Keywords of adam(). */
class adam_args : public detail::keywords<tsr_adam_args> {
public:
	/** decay of the moments; 0.9 and 0.999 when not given */
	adam_args &b1(double v)
	{
		tsr_adam_args::b1 = v;
		return *this;
	}
	/** decay of the moments; 0.9 and 0.999 when not given */
	adam_args &b2(double v)
	{
		tsr_adam_args::b2 = v;
		return *this;
	}
	/** added to the root; 1e-8 when not given */
	adam_args &eps(double v)
	{
		tsr_adam_args::eps = v;
		return *this;
	}
	/** added under the root; 0 when not given */
	adam_args &eps_root(double v)
	{
		tsr_adam_args::eps_root = v;
		return *this;
	}
	/** of the first moment; that of the parameter when not given */
	adam_args &mu_dtype(tsr_dtype v)
	{
		tsr_adam_args::mu_dtype = v;
		return *this;
	}
	/** the first moment is looked at one step ahead (NAdam) */
	adam_args &nesterov(bool v)
	{
		tsr_adam_args::nesterov = v;
		return *this;
	}
	/** as in tsr_sgd_args */
	adam_args &zero(const char *v)
	{
		tsr_adam_args::zero = v;
		return *this;
	}
};
/** Keywords of adamw(). */
class adamw_args : public detail::keywords<tsr_adamw_args> {
public:
	/** as in tsr_adam_args, and all down to nesterov */
	adamw_args &b1(double v)
	{
		tsr_adamw_args::b1 = v;
		return *this;
	}
	/** as in tsr_adam_args, and all down to nesterov */
	adamw_args &b2(double v)
	{
		tsr_adamw_args::b2 = v;
		return *this;
	}
	adamw_args &eps(double v)
	{
		tsr_adamw_args::eps = v;
		return *this;
	}
	adamw_args &eps_root(double v)
	{
		tsr_adamw_args::eps_root = v;
		return *this;
	}
	adamw_args &mu_dtype(tsr_dtype v)
	{
		tsr_adamw_args::mu_dtype = v;
		return *this;
	}
	adamw_args &nesterov(bool v)
	{
		tsr_adamw_args::nesterov = v;
		return *this;
	}
	/** 1e-4 when not given */
	adamw_args &weight_decay(double v)
	{
		tsr_adamw_args::weight_decay = v;
		return *this;
	}
	/** one a leaf of the parameters: decays it? All when not given. TSR_DECAYED(array) gives
	 * both */
	adamw_args &mask(const bool *v)
	{
		tsr_adamw_args::mask = v;
		return *this;
	}
	adamw_args &mask_count(size_t v)
	{
		tsr_adamw_args::mask_count = v;
		return *this;
	}
	/** as in tsr_sgd_args */
	adamw_args &zero(const char *v)
	{
		tsr_adamw_args::zero = v;
		return *this;
	}
};
/** Keywords of lion(). */
class lion_args : public detail::keywords<tsr_lion_args> {
public:
	/** 0.9 and 0.99 when not given */
	lion_args &b1(double v)
	{
		tsr_lion_args::b1 = v;
		return *this;
	}
	/** 0.9 and 0.99 when not given */
	lion_args &b2(double v)
	{
		tsr_lion_args::b2 = v;
		return *this;
	}
	/** of the moment; that of the parameter when not given */
	lion_args &mu_dtype(tsr_dtype v)
	{
		tsr_lion_args::mu_dtype = v;
		return *this;
	}
	/** 1e-3 when not given */
	lion_args &weight_decay(double v)
	{
		tsr_lion_args::weight_decay = v;
		return *this;
	}
	/** as in tsr_adamw_args, and the next one too */
	lion_args &mask(const bool *v)
	{
		tsr_lion_args::mask = v;
		return *this;
	}
	lion_args &mask_count(size_t v)
	{
		tsr_lion_args::mask_count = v;
		return *this;
	}
	/** as in tsr_sgd_args */
	lion_args &zero(const char *v)
	{
		tsr_lion_args::zero = v;
		return *this;
	}
};
/** Keywords of adafactor(). */
class adafactor_args : public detail::keywords<tsr_adafactor_args> {
public:
	/** a parameter with two dims of this size has the means of their rows and columns in
	 * place of a second moment; 128 when not given */
	adafactor_args &min_dim_size_to_factor(int64_t v)
	{
		tsr_adafactor_args::min_dim_size_to_factor = v;
		return *this;
	}
	/** the second moment decays by 1 - t^-decay_rate; 0.8 when not given */
	adafactor_args &decay_rate(double v)
	{
		tsr_adafactor_args::decay_rate = v;
		return *this;
	}
	/** subtracted from t */
	adafactor_args &decay_offset(int64_t v)
	{
		tsr_adafactor_args::decay_offset = v;
		return *this;
	}
	/** the rate is not multiplied by the size of the parameter */
	adafactor_args &unscaled(bool v)
	{
		tsr_adafactor_args::unscaled = v;
		return *this;
	}
	/** of the root mean square of an update; 1 when not given, INFINITY for none */
	adafactor_args &clipping_threshold(double v)
	{
		tsr_adafactor_args::clipping_threshold = v;
		return *this;
	}
	/** none when not given */
	adafactor_args &momentum(double v)
	{
		tsr_adafactor_args::momentum = v;
		return *this;
	}
	/** f32 when not given */
	adafactor_args &dtype_momentum(tsr_dtype v)
	{
		tsr_adafactor_args::dtype_momentum = v;
		return *this;
	}
	/** 0 when not given */
	adafactor_args &weight_decay_rate(double v)
	{
		tsr_adafactor_args::weight_decay_rate = v;
		return *this;
	}
	/** added to |g|^2; 1e-30 when not given */
	adafactor_args &eps(double v)
	{
		tsr_adafactor_args::eps = v;
		return *this;
	}
	/** all parameters have a second moment */
	adafactor_args &whole(bool v)
	{
		tsr_adafactor_args::whole = v;
		return *this;
	}
	/** as in tsr_adamw_args, and the next one too */
	adafactor_args &mask(const bool *v)
	{
		tsr_adafactor_args::mask = v;
		return *this;
	}
	adafactor_args &mask_count(size_t v)
	{
		tsr_adafactor_args::mask_count = v;
		return *this;
	}
	/** as in tsr_sgd_args */
	adafactor_args &zero(const char *v)
	{
		tsr_adafactor_args::zero = v;
		return *this;
	}
};
/** Keyword of ema_params(). */
class ema_args : public detail::keywords<tsr_ema_args> {
public:
	/** as in tsr_sgd_args */
	ema_args &zero(const char *v)
	{
		tsr_ema_args::zero = v;
		return *this;
	}
};
/** Keywords of multi_steps(). */
class multi_steps_args : public detail::keywords<tsr_multi_steps_args> {
public:
	/** gradients are added up; otherwise their mean is taken */
	multi_steps_args &sum(bool v)
	{
		tsr_multi_steps_args::sum = v;
		return *this;
	}
	/** that they are added up in; f32 when not given */
	multi_steps_args &dtype(tsr_dtype v)
	{
		tsr_multi_steps_args::dtype = v;
		return *this;
	}
	/** as in tsr_sgd_args, of what is added up; not of the state of opt */
	multi_steps_args &zero(const char *v)
	{
		tsr_multi_steps_args::zero = v;
		return *this;
	}
};
/** Keywords of train_step(). */
class train_step_args : public detail::keywords<tsr_train_step_args> {
public:
	/** for messages and program texts; "train_step" when not given */
	train_step_args &name(const char *v)
	{
		tsr_train_step_args::name = v;
		return *this;
	}
	/** the loss is the first result of several; the others are passed on */
	train_step_args &has_aux(bool v)
	{
		tsr_train_step_args::has_aux = v;
		return *this;
	}
};
/** Keywords of init_constant(). */
class init_constant_args : public detail::keywords<tsr_init_constant_args> {
public:
	/** TSR_ARG(0.5), TSR_ARG(x), broadcast to the dims; must be given */
	init_constant_args &value(const operand &v)
	{
		tsr_init_constant_args::value = v.arg();
		return *this;
	}
	/** f32 when not given */
	init_constant_args &dtype(tsr_dtype v)
	{
		tsr_init_constant_args::dtype = v;
		return *this;
	}
};
/** Keywords of init_uniform(). */
class init_uniform_args : public detail::keywords<tsr_init_uniform_args> {
public:
	/** the upper limit; 0.01 when not given */
	init_uniform_args &scale(double v)
	{
		tsr_init_uniform_args::scale = v;
		return *this;
	}
	/** a float; f32 when not given */
	init_uniform_args &dtype(tsr_dtype v)
	{
		tsr_init_uniform_args::dtype = v;
		return *this;
	}
};
/** Keywords of init_normal(). */
class init_normal_args : public detail::keywords<tsr_init_normal_args> {
public:
	/** the standard deviation; 0.01 when not given */
	init_normal_args &stddev(double v)
	{
		tsr_init_normal_args::stddev = v;
		return *this;
	}
	/** float or complex; f32 when not given */
	init_normal_args &dtype(tsr_dtype v)
	{
		tsr_init_normal_args::dtype = v;
		return *this;
	}
};
/** Keywords of init_truncated_normal(). */
class init_truncated_normal_args : public detail::keywords<tsr_init_truncated_normal_args> {
public:
	/** the standard deviation before it is truncated; 0.01 when not given */
	init_truncated_normal_args &stddev(double v)
	{
		tsr_init_truncated_normal_args::stddev = v;
		return *this;
	}
	/** a float; f32 when not given */
	init_truncated_normal_args &dtype(tsr_dtype v)
	{
		tsr_init_truncated_normal_args::dtype = v;
		return *this;
	}
	/** in standard deviations; TSR_ARG(-2) and TSR_ARG(2) when not given */
	init_truncated_normal_args &lower(const operand &v)
	{
		tsr_init_truncated_normal_args::lower = v.arg();
		return *this;
	}
	/** in standard deviations; TSR_ARG(-2) and TSR_ARG(2) when not given */
	init_truncated_normal_args &upper(const operand &v)
	{
		tsr_init_truncated_normal_args::upper = v.arg();
		return *this;
	}
};
/** Keywords of init_variance_scaling(). */
class init_scaling_args : public detail::keywords<tsr_init_scaling_args> {
public:
	/** 1 when not given */
	init_scaling_args &scale(double v)
	{
		tsr_init_scaling_args::scale = v;
		return *this;
	}
	/** TSR_FAN_IN when not given */
	init_scaling_args &mode(enum tsr_fan v)
	{
		tsr_init_scaling_args::mode = v;
		return *this;
	}
	/** a truncated normal one when not given */
	init_scaling_args &distribution(enum tsr_init_distribution v)
	{
		tsr_init_scaling_args::distribution = v;
		return *this;
	}
	/** as in tsr_init_fan_args */
	init_scaling_args &in(const tsr::dims &v)
	{
		tsr_init_scaling_args::in = v;
		return *this;
	}
	/** as in tsr_init_fan_args */
	init_scaling_args &out(const tsr::dims &v)
	{
		tsr_init_scaling_args::out = v;
		return *this;
	}
	/** as in tsr_init_fan_args */
	init_scaling_args &batch(const tsr::dims &v)
	{
		tsr_init_scaling_args::batch = v;
		return *this;
	}
	/** float or complex; f32 when not given */
	init_scaling_args &dtype(tsr_dtype v)
	{
		tsr_init_scaling_args::dtype = v;
		return *this;
	}
};
/** Keywords of initialisers that look at what dims are for. */
class init_fan_args : public detail::keywords<tsr_init_fan_args> {
public:
	/** dims of what comes in; TSR_DIMS(-2) when not given */
	init_fan_args &in(const tsr::dims &v)
	{
		tsr_init_fan_args::in = v;
		return *this;
	}
	/** dims of what comes out; TSR_DIMS(-1) when not given */
	init_fan_args &out(const tsr::dims &v)
	{
		tsr_init_fan_args::out = v;
		return *this;
	}
	/** dims that do not count; none when not given */
	init_fan_args &batch(const tsr::dims &v)
	{
		tsr_init_fan_args::batch = v;
		return *this;
	}
	/** float or complex; f32 when not given */
	init_fan_args &dtype(tsr_dtype v)
	{
		tsr_init_fan_args::dtype = v;
		return *this;
	}
};
/** Keywords of init_orthogonal() and init_delta_orthogonal(). */
class init_orthogonal_args : public detail::keywords<tsr_init_orthogonal_args> {
public:
	/** of the matrices; 1 when not given */
	init_orthogonal_args &scale(double v)
	{
		tsr_init_orthogonal_args::scale = v;
		return *this;
	}
	/** one dim: that of the columns; the last one when not given */
	init_orthogonal_args &column(const tsr::dims &v)
	{
		tsr_init_orthogonal_args::column = v;
		return *this;
	}
	/** float or complex; f32 when not given */
	init_orthogonal_args &dtype(tsr_dtype v)
	{
		tsr_init_orthogonal_args::dtype = v;
		return *this;
	}
};
/** Keywords of tensordot(). */
class tensordot_args : public detail::keywords<tsr_tensordot_args> {
public:
	/** the last n dims of a and the first n of b; 2 when not given */
	tensordot_args &n(int v)
	{
		tsr_tensordot_args::n = v;
		return *this;
	}
	/** instead: these, in pairs; TSR_DIMS() twice: none */
	tensordot_args &dims_a(const tsr::dims &v)
	{
		tsr_tensordot_args::dims_a = v;
		return *this;
	}
	/** instead: these, in pairs; TSR_DIMS() twice: none */
	tensordot_args &dims_b(const tsr::dims &v)
	{
		tsr_tensordot_args::dims_b = v;
		return *this;
	}
	/** of the result; the promoted one when not given */
	tensordot_args &dtype(tsr_dtype v)
	{
		tsr_tensordot_args::dtype = v;
		return *this;
	}
	/** how exact products of f32 are; not given: what open() was given */
	tensordot_args &precision(tsr_precision v)
	{
		tsr_tensordot_args::precision = v;
		return *this;
	}
};
/** Keyword of vecdot(). */
class vecdot_args : public detail::keywords<tsr_vecdot_args> {
public:
	/** one dim of both; the last one when not given */
	vecdot_args &dim(const tsr::dims &v)
	{
		tsr_vecdot_args::dim = v;
		return *this;
	}
};
/** Keyword of cross(). */
class cross_args : public detail::keywords<tsr_cross_args> {
public:
	/** one dim of both and of the result; the last one when not given */
	cross_args &dim(const tsr::dims &v)
	{
		tsr_cross_args::dim = v;
		return *this;
	}
};
/** Keywords of samplers. With .whole and .start a sampler makes a part of an array, as a device
 * with that part would: in shard_map() with four devices along "x", and at an i32[2] with the
 * entries 2 * axis_index(ctx, "x") and 0, normal(key, TSR_DIMS(2, 6), .whole = TSR_DIMS(8, 6),
 * .start = at) makes the blocks of normal(key, TSR_DIMS(8, 6)). Further errors: one without the
 * other (TSR_ERROR_ARGUMENT), not an integer for each dim (TSR_ERROR_TYPE), a context with
 * .threefry_original (TSR_ERROR_UNSUPPORTED). */
class draw_args : public detail::keywords<tsr_draw_args> {
public:
	draw_args &dtype(tsr_dtype v)
	{
		tsr_draw_args::dtype = v;
		return *this;
	}
	/** dims of the array of which a part is made */
	draw_args &whole(const tsr::dims &v)
	{
		tsr_draw_args::whole = v;
		return *this;
	}
	/** [ndim], integers: the indices at which the part begins */
	draw_args &start(const array &v)
	{
		tsr_draw_args::start = v.get();
		return *this;
	}
};
/** Keywords of uniform(). */
class uniform_args : public detail::keywords<tsr_uniform_args> {
public:
	uniform_args &dtype(tsr_dtype v)
	{
		tsr_uniform_args::dtype = v;
		return *this;
	}
	/** as in tsr_draw_args */
	uniform_args &whole(const tsr::dims &v)
	{
		tsr_uniform_args::whole = v;
		return *this;
	}
	/** as in tsr_draw_args */
	uniform_args &start(const array &v)
	{
		tsr_uniform_args::start = v.get();
		return *this;
	}
	/** TSR_ARG(-1), TSR_ARG(x); 0 and 1 when not given */
	uniform_args &minval(const operand &v)
	{
		tsr_uniform_args::minval = v.arg();
		return *this;
	}
	/** TSR_ARG(-1), TSR_ARG(x); 0 and 1 when not given */
	uniform_args &maxval(const operand &v)
	{
		tsr_uniform_args::maxval = v.arg();
		return *this;
	}
};
/** Keywords of samplers with parameters. */
class sample_args : public detail::keywords<tsr_sample_args> {
public:
	sample_args &dtype(tsr_dtype v)
	{
		tsr_sample_args::dtype = v;
		return *this;
	}
	/** of the result; when not given those that the parameters broadcast to */
	sample_args &dims(const tsr::dims &v)
	{
		tsr_sample_args::dims = v;
		return *this;
	}
};
/** Keywords of gumbel(). */
class gumbel_args : public detail::keywords<tsr_gumbel_args> {
public:
	gumbel_args &dtype(tsr_dtype v)
	{
		tsr_gumbel_args::dtype = v;
		return *this;
	}
	/** as in tsr_draw_args */
	gumbel_args &whole(const tsr::dims &v)
	{
		tsr_gumbel_args::whole = v;
		return *this;
	}
	/** as in tsr_draw_args */
	gumbel_args &start(const array &v)
	{
		tsr_gumbel_args::start = v.get();
		return *this;
	}
	/** of twice as many bits, so that in f32 numbers up to 32 occur, in place of 16: JAX's
	 * mode="high" */
	gumbel_args &high(bool v)
	{
		tsr_gumbel_args::high = v;
		return *this;
	}
};
/** Keywords of bernoulli(). */
class bernoulli_args : public detail::keywords<tsr_bernoulli_args> {
public:
	/** of the result; those of p when not given */
	bernoulli_args &dims(const tsr::dims &v)
	{
		tsr_bernoulli_args::dims = v;
		return *this;
	}
	/** of twice as many bits, for a p below 1e-7 (f32): JAX's mode="high" */
	bernoulli_args &high(bool v)
	{
		tsr_bernoulli_args::high = v;
		return *this;
	}
};
/** Keywords of categorical(). */
class categorical_args : public detail::keywords<tsr_categorical_args> {
public:
	/** one dim: that of the categories; the last one when not given */
	categorical_args &dim(const tsr::dims &v)
	{
		tsr_categorical_args::dim = v;
		return *this;
	}
	/** of the result; they end with those of the logits without .dim, which are the usual
	 * ones */
	categorical_args &dims(const tsr::dims &v)
	{
		tsr_categorical_args::dims = v;
		return *this;
	}
	/** numbers of one distribution all differ: JAX's replace = False */
	categorical_args &no_replace(bool v)
	{
		tsr_categorical_args::no_replace = v;
		return *this;
	}
	/** as in tsr_gumbel_args */
	categorical_args &high(bool v)
	{
		tsr_categorical_args::high = v;
		return *this;
	}
};
/** Keywords of permutation(). */
class permutation_args : public detail::keywords<tsr_permutation_args> {
public:
	/** one dim, along which elements move; dim 0 when not given */
	permutation_args &dim(const tsr::dims &v)
	{
		tsr_permutation_args::dim = v;
		return *this;
	}
	/** each row along the dim gets an order of its own */
	permutation_args &independent(bool v)
	{
		tsr_permutation_args::independent = v;
		return *this;
	}
};
/** Keywords of choice(). */
class choice_args : public detail::keywords<tsr_choice_args> {
public:
	/** one dim, along which elements are chosen; dim 0 when not given */
	choice_args &dim(const tsr::dims &v)
	{
		tsr_choice_args::dim = v;
		return *this;
	}
	/** [n]: the probability of each; all are equally likely when not given */
	choice_args &p(const array &v)
	{
		tsr_choice_args::p = v.get();
		return *this;
	}
	/** none is chosen twice: JAX's replace = False */
	choice_args &no_replace(bool v)
	{
		tsr_choice_args::no_replace = v;
		return *this;
	}
	/** with .p and .no_replace as in tsr_gumbel_args */
	choice_args &high(bool v)
	{
		tsr_choice_args::high = v;
		return *this;
	}
};
/** Keywords of ball(). */
class ball_args : public detail::keywords<tsr_ball_args> {
public:
	ball_args &dtype(tsr_dtype v)
	{
		tsr_ball_args::dtype = v;
		return *this;
	}
	/** in front of that of the vectors; when not given, one vector */
	ball_args &dims(const tsr::dims &v)
	{
		tsr_ball_args::dims = v;
		return *this;
	}
	/** of the norm, one number: TSR_ARG(1); 2 when not given */
	ball_args &p(const operand &v)
	{
		tsr_ball_args::p = v.arg();
		return *this;
	}
};
/** Keywords of orthogonal(). */
class orthogonal_args : public detail::keywords<tsr_orthogonal_args> {
public:
	orthogonal_args &dtype(tsr_dtype v)
	{
		tsr_orthogonal_args::dtype = v;
		return *this;
	}
	/** in front of those of the matrices; when not given, one matrix */
	orthogonal_args &dims(const tsr::dims &v)
	{
		tsr_orthogonal_args::dims = v;
		return *this;
	}
	/** how many columns; n when not given */
	orthogonal_args &m(int64_t v)
	{
		tsr_orthogonal_args::m = v;
		return *this;
	}
};
/** Keywords of multivariate_normal(). */
class multivariate_normal_args : public detail::keywords<tsr_multivariate_normal_args> {
public:
	/** that of the mean and of cov when not given */
	multivariate_normal_args &dtype(tsr_dtype v)
	{
		tsr_multivariate_normal_args::dtype = v;
		return *this;
	}
	/** in front of that of the vectors; when not given, those that the leading dims of the
	 * mean and of cov broadcast to */
	multivariate_normal_args &dims(const tsr::dims &v)
	{
		tsr_multivariate_normal_args::dims = v;
		return *this;
	}
	/** JAX's method */
	multivariate_normal_args &factor(enum tsr_covariance_factor v)
	{
		tsr_multivariate_normal_args::factor = v;
		return *this;
	}
};
/** Keywords of diagonal() and trace(). */
class diagonal_args : public detail::keywords<tsr_diagonal_args> {
public:
	/** which diagonal */
	diagonal_args &k(int v)
	{
		tsr_diagonal_args::k = v;
		return *this;
	}
	/** two dims; 0 and 1 when not given */
	diagonal_args &dims(const tsr::dims &v)
	{
		tsr_diagonal_args::dims = v;
		return *this;
	}
	/** of trace(), as that of sum() */
	diagonal_args &dtype(tsr_dtype v)
	{
		tsr_diagonal_args::dtype = v;
		return *this;
	}
};
/** Keywords of meshgrid(). */
class meshgrid_args : public detail::keywords<tsr_meshgrid_args> {
public:
	/** array i goes along dim i; otherwise the first two go along each other's */
	meshgrid_args &ij(bool v)
	{
		tsr_meshgrid_args::ij = v;
		return *this;
	}
	/** the other dims have size 1 */
	meshgrid_args &sparse(bool v)
	{
		tsr_meshgrid_args::sparse = v;
		return *this;
	}
};
/** Keywords of var() and std(), and theirs without NaN. */
class var_args : public detail::keywords<tsr_var_args> {
public:
	/** reduced over; all when not given */
	var_args &dims(const tsr::dims &v)
	{
		tsr_var_args::dims = v;
		return *this;
	}
	/** they stay, with size 1 */
	var_args &keep(bool v)
	{
		tsr_var_args::keep = v;
		return *this;
	}
	/** bool, broadcast to x: only elements where it is true count */
	var_args &where(const array &v)
	{
		tsr_var_args::where = v.get();
		return *this;
	}
	/** of the result, a float or complex one */
	var_args &dtype(tsr_dtype v)
	{
		tsr_var_args::dtype = v;
		return *this;
	}
	/** taken from the number of elements that squares are divided by; 1: the variance that a
	 * sample is of */
	var_args &correction(double v)
	{
		tsr_var_args::correction = v;
		return *this;
	}
	/** the mean, where it is known, broadcast with x: TSR_ARG(0) */
	var_args &mean(const operand &v)
	{
		tsr_var_args::mean = v.arg();
		return *this;
	}
};
/** Keywords of average(). */
class average_args : public detail::keywords<tsr_average_args> {
public:
	average_args &dims(const tsr::dims &v)
	{
		tsr_average_args::dims = v;
		return *this;
	}
	average_args &keep(bool v)
	{
		tsr_average_args::keep = v;
		return *this;
	}
	/** of the dims of x, or of those in .dims, in their order */
	average_args &weights(const array &v)
	{
		tsr_average_args::weights = v.get();
		return *this;
	}
};
/** Keywords of quantile() and percentile(), and theirs without NaN. */
class quantile_args : public detail::keywords<tsr_quantile_args> {
public:
	quantile_args &dims(const tsr::dims &v)
	{
		tsr_quantile_args::dims = v;
		return *this;
	}
	quantile_args &keep(bool v)
	{
		tsr_quantile_args::keep = v;
		return *this;
	}
	quantile_args &method(enum tsr_quantile_method v)
	{
		tsr_quantile_args::method = v;
		return *this;
	}
	/** with TSR_QUANTILE_INVERTED_CDF: what each element counts, of the dims of x or of
	 * those in .dims, in order; where one is negative or NaN, NaN */
	quantile_args &weights(const array &v)
	{
		tsr_quantile_args::weights = v.get();
		return *this;
	}
};
/** Keywords of cov(). */
class cov_args : public detail::keywords<tsr_cov_args> {
public:
	/** further variables */
	cov_args &y(const array &v)
	{
		tsr_cov_args::y = v.get();
		return *this;
	}
	/** variables are columns; otherwise rows */
	cov_args &columns(bool v)
	{
		tsr_cov_args::columns = v;
		return *this;
	}
	/** divides by the number of observations; otherwise by one less */
	cov_args &bias(bool v)
	{
		tsr_cov_args::bias = v;
		return *this;
	}
	/** how many times each observation counts, integers */
	cov_args &fweights(const array &v)
	{
		tsr_cov_args::fweights = v.get();
		return *this;
	}
	/** weights of the observations */
	cov_args &aweights(const array &v)
	{
		tsr_cov_args::aweights = v.get();
		return *this;
	}
};
/** Keywords of corrcoef(). */
class corrcoef_args : public detail::keywords<tsr_corrcoef_args> {
public:
	corrcoef_args &y(const array &v)
	{
		tsr_corrcoef_args::y = v.get();
		return *this;
	}
	corrcoef_args &columns(bool v)
	{
		tsr_corrcoef_args::columns = v;
		return *this;
	}
};
/** Keyword of searchsorted() and digitize(). */
class searchsorted_args : public detail::keywords<tsr_searchsorted_args> {
public:
	/** NumPy's side="right", or right=True */
	searchsorted_args &right(bool v)
	{
		tsr_searchsorted_args::right = v;
		return *this;
	}
};
/** Keywords of bincount(). */
class bincount_args : public detail::keywords<tsr_bincount_args> {
public:
	/** what each element counts; otherwise 1, and the result is i32, or i64 where x has so
	 * many elements */
	bincount_args &weights(const array &v)
	{
		tsr_bincount_args::weights = v.get();
		return *this;
	}
};
/** Keywords of histogram(). */
class histogram_args : public detail::keywords<tsr_histogram_args> {
public:
	/** the ends of the first and the last bin; the smallest and the largest element when not
	 * given */
	histogram_args &low(const operand &v)
	{
		tsr_histogram_args::low = v.arg();
		return *this;
	}
	/** the ends of the first and the last bin; the smallest and the largest element when not
	 * given */
	histogram_args &high(const operand &v)
	{
		tsr_histogram_args::high = v.arg();
		return *this;
	}
	/** the edges, sorted, in place of these and the number */
	histogram_args &edges(const array &v)
	{
		tsr_histogram_args::edges = v.get();
		return *this;
	}
	/** what each element counts, of the dims of x */
	histogram_args &weights(const array &v)
	{
		tsr_histogram_args::weights = v.get();
		return *this;
	}
	/** the area is 1 */
	histogram_args &density(bool v)
	{
		tsr_histogram_args::density = v;
		return *this;
	}
};
/** Keywords of interp(). */
class interp_args : public detail::keywords<tsr_interp_args> {
public:
	/** the values before and behind all xp; fp's first and last */
	interp_args &left(const operand &v)
	{
		tsr_interp_args::left = v.arg();
		return *this;
	}
	/** the values before and behind all xp; fp's first and last */
	interp_args &right(const operand &v)
	{
		tsr_interp_args::right = v.arg();
		return *this;
	}
	/** instead: the first and the last line go on */
	interp_args &extrapolate(bool v)
	{
		tsr_interp_args::extrapolate = v;
		return *this;
	}
	/** instead: places repeat so, and the points need not rise */
	interp_args &period(double v)
	{
		tsr_interp_args::period = v;
		return *this;
	}
};
/** Keywords of progress_begin(). */
class progress_args : public detail::keywords<tsr_progress_args> {
public:
	/** in front of the line; none when not given */
	progress_args &label(const char *v)
	{
		tsr_progress_args::label = v;
		return *this;
	}
	/** what is counted, one of it: "step" when not given */
	progress_args &unit(const char *v)
	{
		tsr_progress_args::unit = v;
		return *this;
	}
};
/** Keywords of jit(). */
class jit_args : public detail::keywords<tsr_jit_args> {
public:
	/** for messages and program texts; what the call says when not given */
	jit_args &name(const char *v)
	{
		tsr_jit_args::name = v;
		return *this;
	}
	/** Arguments that a call gives up, by number, .donate = TSR_DIMS(0, 2); of a tree, all
	 * leaves. Their memory is freed or reused as soon as the call no longer needs it, and
	 * using any handle of these arrays afterwards is an error (TSR_ERROR_HANDLE) that names
	 * the call. A call inside a body gives nothing up. */
	jit_args &donate(const tsr::dims &v)
	{
		tsr_jit_args::donate = v;
		return *this;
	}
	/** Where arguments and results are, as specs over .mesh or, if that is not given, over
	 * the mesh in use (TSR_MESH()): .mesh = mesh, .in = TSR_SPECS(TSR_P("x"), TSR_P()),
	 * .out = TSR_SPECS(TSR_P("x")). What is not given is where the caller has it, or where
	 * the program has it best: .in = {[1] = TSR_FOR_ALL(TSR_P())} says nothing of argument
	 * 0, and a tsr_spec of zeros nothing of its leaf. An argument that the caller has put
	 * nowhere goes there; one that is committed to other places is an error
	 * (TSR_ERROR_SHARDING). Inside bodies, and in derivatives and batches, they are as
	 * constrain(). */
	jit_args &mesh(const tsr::mesh &v)
	{
		tsr_jit_args::mesh = v.get();
		return *this;
	}
	jit_args &in(std::initializer_list<tsr::spec> v)
	{
		tsr_jit_args &own = *this;
		const tsr_spec *all = hold(std::vector<tsr_spec>(v.begin(), v.end()));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.in[i].count = 1, own.in[i].leaf = all + i;
		return *this;
	}
	jit_args &out(std::initializer_list<tsr::spec> v)
	{
		tsr_jit_args &own = *this;
		const tsr_spec *all = hold(std::vector<tsr_spec>(v.begin(), v.end()));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.out[i].count = 1, own.out[i].leaf = all + i;
		return *this;
	}
};
/** Keywords of shard_map(). Either .in and .out, or .sig, or, for a body without arguments, .out
 * alone. */
class shard_map_args : public detail::keywords<tsr_shard_map_args> {
public:
	/** as in tsr_jit_args, and the next three too */
	shard_map_args &name(const char *v)
	{
		tsr_shard_map_args::name = v;
		return *this;
	}
	/** how arguments are cut: TSR_SPECS(TSR_P("x"), TSR_P()) */
	shard_map_args &in(std::initializer_list<tsr::spec> v)
	{
		tsr_shard_map_args &own = *this;
		const tsr_spec *all = hold(std::vector<tsr_spec>(v.begin(), v.end()));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.in[i].count = 1, own.in[i].leaf = all + i;
		return *this;
	}
	/** how the blocks of each result are put together */
	shard_map_args &out(std::initializer_list<tsr::spec> v)
	{
		tsr_shard_map_args &own = *this;
		const tsr_spec *all = hold(std::vector<tsr_spec>(v.begin(), v.end()));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.out[i].count = 1, own.out[i].leaf = all + i;
		return *this;
	}
	/** both in one text, "[x,y] [y,-] -> [x,-]"; [] splits nothing */
	shard_map_args &sig(const char *v)
	{
		tsr_shard_map_args::sig = v;
		return *this;
	}
	/** Those that become manual, "x*y"; all that are left when not given. Along the others
	 * the body is as any program outside of maps: its values are wherever they are best,
	 * which constrain() may say. */
	shard_map_args &axes(const char *v)
	{
		tsr_shard_map_args::axes = v;
		return *this;
	}
	/** Results are not checked to be equal along the axes that their specs leave out: the
	 * value of the first device is taken. */
	shard_map_args &unchecked(bool v)
	{
		tsr_shard_map_args::unchecked = v;
		return *this;
	}
};
/** Keywords of grad() and its kin. */
class grad_args : public detail::keywords<tsr_grad_args> {
public:
	/** as in tsr_jit_args, and the next three too */
	grad_args &name(const char *v)
	{
		tsr_grad_args::name = v;
		return *this;
	}
	/** With respect to these arguments, by number, in this order: TSR_DIMS(0, 2). Not given:
	 * argument 0, and for jvp() all. */
	grad_args &wrt(const tsr::dims &v)
	{
		tsr_grad_args::wrt = v;
		return *this;
	}
	/** the first result is differentiated; the others are passed on */
	grad_args &has_aux(bool v)
	{
		tsr_grad_args::has_aux = v;
		return *this;
	}
	/** The body is holomorphic: arguments and results are complex, and so is the derivative.
	 * Not for jvp(), which takes complex numbers as they are. */
	grad_args &holomorphic(bool v)
	{
		tsr_grad_args::holomorphic = v;
		return *this;
	}
	/** Integer and bool arguments in .wrt are legal; their derivatives are absent. Only for
	 * grad(), value_and_grad() and jacrev(). */
	grad_args &allow_int(bool v)
	{
		tsr_grad_args::allow_int = v;
		return *this;
	}
};
/** Keywords of custom_jvp() and custom_vjp(). */
class custom_args : public detail::keywords<tsr_custom_args> {
public:
	/** as in tsr_jit_args, and the next three too; rules see the same */
	custom_args &name(const char *v)
	{
		tsr_custom_args::name = v;
		return *this;
	}
	/** Arguments that the rules say nothing of, by number: TSR_DIMS(1). */
	custom_args &nondiff(const tsr::dims &v)
	{
		tsr_custom_args::nondiff = v;
		return *this;
	}
};
/** Keywords of remat(). */
class remat_args : public detail::keywords<tsr_remat_args> {
public:
	/** as in tsr_jit_args, and the next three too */
	remat_args &name(const char *v)
	{
		tsr_remat_args::name = v;
		return *this;
	}
	/** nothing when not given */
	remat_args &save(tsr_remat_save v)
	{
		tsr_remat_args::save = v;
		return *this;
	}
	/** also what has one of these (checkpoint_name()): "q" or "q*k" */
	remat_args &names(const char *v)
	{
		tsr_remat_args::names = v;
		return *this;
	}
};
/** Keywords of vmap(). */
class vmap_args : public detail::keywords<tsr_vmap_args> {
public:
	/** as in tsr_jit_args, and the next three too */
	vmap_args &name(const char *v)
	{
		tsr_vmap_args::name = v;
		return *this;
	}
	/** Which dim of each argument is mapped, from the end if negative: TSR_MAPPED(0,
	 * TSR_UNMAPPED), or a list of TSR_FOR_EACH(array) and TSR_MAPPED_ALL(dim). Dim 0 of all
	 * when not given. */
	vmap_args &in(std::initializer_list<int> v)
	{
		tsr_vmap_args &own = *this;
		const int *all = hold(std::vector<int>(v));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.in[i].count = 1, own.in[i].dim = all + i;
		return *this;
	}
	/** where the batch goes in each result, likewise */
	vmap_args &out(std::initializer_list<int> v)
	{
		tsr_vmap_args &own = *this;
		const int *all = hold(std::vector<int>(v));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.out[i].count = 1, own.out[i].dim = all + i;
		return *this;
	}
	/** the name of the batch for collectives in the body */
	vmap_args &axis(const char *v)
	{
		tsr_vmap_args::axis = v;
		return *this;
	}
	/** of the batch, where no argument is mapped */
	vmap_args &axis_size(int64_t v)
	{
		tsr_vmap_args::axis_size = v;
		return *this;
	}
	/** The mesh axes, "x" or "x*y", over which a shard_map() inside splits the batch. */
	vmap_args &spmd_axis(const char *v)
	{
		tsr_vmap_args::spmd_axis = v;
		return *this;
	}
};
/** Keywords of pmap(). */
class pmap_args : public detail::keywords<tsr_pmap_args> {
public:
	/** as in tsr_jit_args, and the next three too */
	pmap_args &name(const char *v)
	{
		tsr_pmap_args::name = v;
		return *this;
	}
	/** the mapped dim of each argument, as in tsr_vmap_args */
	pmap_args &in(std::initializer_list<int> v)
	{
		tsr_pmap_args &own = *this;
		const int *all = hold(std::vector<int>(v));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.in[i].count = 1, own.in[i].dim = all + i;
		return *this;
	}
	/** Where the mapped dim goes in each result, likewise. TSR_UNMAPPED: all devices have
	 * the same result, which is not checked, and that of the first one is taken. */
	pmap_args &out(std::initializer_list<int> v)
	{
		tsr_pmap_args &own = *this;
		const int *all = hold(std::vector<int>(v));
		for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)
			own.out[i].count = 1, own.out[i].dim = all + i;
		return *this;
	}
	/** its name, for collectives in the body */
	pmap_args &axis(const char *v)
	{
		tsr_pmap_args::axis = v;
		return *this;
	}
	/** how many devices, where no argument is mapped */
	pmap_args &axis_size(int64_t v)
	{
		tsr_pmap_args::axis_size = v;
		return *this;
	}
	/** Ids of devices, device_count of them, of which the first ones are used; the context's
	 * in their order when not given. TSR_DEVICES(ids) gives both, for an array. Only for
	 * the outermost one. */
	pmap_args &devices(const int64_t *v)
	{
		tsr_pmap_args::devices = v;
		return *this;
	}
	pmap_args &device_count(size_t v)
	{
		tsr_pmap_args::device_count = v;
		return *this;
	}
	/** as in tsr_jit_args, and the next one too */
	pmap_args &donate(const tsr::dims &v)
	{
		tsr_pmap_args::donate = v;
		return *this;
	}
};
/** Memory of the caller's for a result; what TSR_INTO() fills in. data: where element 0, 0, ...
 * goes. */
class into_args : public detail::keywords<tsr_into_args> {
public:
	/** bytes, one a dim, may be negative; row-major when not given */
	into_args &strides(const tsr::dims &v)
	{
		tsr_into_args::strides = v;
		return *this;
	}
	into_args &data(void *v)
	{
		tsr_into_args::data = v;
		return *this;
	}
	into_args &dims(const tsr::dims &v)
	{
		tsr_into_args::dims = v;
		return *this;
	}
	into_args &dtype(tsr_dtype v)
	{
		tsr_into_args::dtype = v;
		return *this;
	}
	/** of the memory, when its type says so */
	into_args &element(tsr_dtype v)
	{
		tsr_into_args::element = v;
		return *this;
	}
};
/** Keywords of pictures. */
class picture_args : public detail::keywords<tsr_picture_args> {
public:
	/** cells as coloured areas (ANSI escapes) instead of boxes */
	picture_args &color(bool v)
	{
		tsr_picture_args::color = v;
		return *this;
	}
	/** how many times as large; 1 when not given, at most 1000 */
	picture_args &scale(double v)
	{
		tsr_picture_args::scale = v;
		return *this;
	}
	/** columns of the narrowest cell; 9 when not given */
	picture_args &min_width(int v)
	{
		tsr_picture_args::min_width = v;
		return *this;
	}
	/** of the widest one, and of the whole where names allow; 80 when not given */
	picture_args &max_width(int v)
	{
		tsr_picture_args::max_width = v;
		return *this;
	}
	/** which ones are drawn: the first goes down and the second across, one alone goes
	 * across; -1 is the last */
	picture_args &dims(const tsr::dims &v)
	{
		tsr_picture_args::dims = v;
		return *this;
	}
	/** show_sharding() prints in every process, as print() does */
	picture_args &all(bool v)
	{
		tsr_picture_args::all = v;
		return *this;
	}
};
/** Keyword of sharding_svg() and sharding_svg_of(). */
class svg_args : public detail::keywords<tsr_svg_args> {
public:
	/** as of a picture */
	svg_args &dims(const tsr::dims &v)
	{
		tsr_svg_args::dims = v;
		return *this;
	}
};
/** Keywords of show_shards() and shards_text(). .precision, .linewidth and .threshold are those
 * of print(). */
class shards_args : public detail::keywords<tsr_shards_args> {
public:
	/** arranges the cells: one over the devices of x, in any order and with any axes; that
	 * of x when not given */
	shards_args &mesh(const tsr::mesh &v)
	{
		tsr_shards_args::mesh = v.get();
		return *this;
	}
	/** each cell begins with its device, "cpu:3", and an empty line */
	shards_args &devices(bool v)
	{
		tsr_shards_args::devices = v;
		return *this;
	}
	/** most digits behind the point, -1: none */
	shards_args &precision(int v)
	{
		tsr_shards_args::precision = v;
		return *this;
	}
	/** rows of a cell are broken at this column */
	shards_args &linewidth(int v)
	{
		tsr_shards_args::linewidth = v;
		return *this;
	}
	/** above so many elements the middle of a cell's dims is left out */
	shards_args &threshold(int64_t v)
	{
		tsr_shards_args::threshold = v;
		return *this;
	}
	/** gather_whole(x), where parts of x may be in other processes: cells show what is
	 * there, not "(in another process)". */
	shards_args &whole(const tsr_handle *v)
	{
		tsr_shards_args::whole = v;
		return *this;
	}
	/** show_shards() prints in every process, as print() does */
	shards_args &all(bool v)
	{
		tsr_shards_args::all = v;
		return *this;
	}
};
inline context::context(const open_args &how, place at)
{
	open(how.get(), at);
}

} // namespace tsr
#endif
