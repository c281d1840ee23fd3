! tsr_c.f90 - declares the functions, records and constants of C for Fortran.
! Made by tools/make_bindings.py of api/: change that one.
! Names are those of C; functions without a place have _c behind their names.
module tsr_c
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: TSR_MAX_NDIM = 8
  integer(c_int), parameter :: TSR_MAX_ARGS = 8
  integer(c_int), parameter :: TSR_FLAT = -2147483647 - 1
  integer(c_int), parameter :: TSR_UNROLL_ALL = 2147483647
  integer(c_int), parameter :: TSR_UNMAPPED = -2147483647 - 1
  !> "not given": f32, i32 or what the operation says
  integer(c_int), parameter :: TSR_DTYPE_DEFAULT = 0
  integer(c_int), parameter :: TSR_BOOL = 1
  integer(c_int), parameter :: TSR_I8 = 2
  integer(c_int), parameter :: TSR_I16 = 3
  integer(c_int), parameter :: TSR_I32 = 4
  integer(c_int), parameter :: TSR_I64 = 5
  integer(c_int), parameter :: TSR_U8 = 6
  integer(c_int), parameter :: TSR_U16 = 7
  integer(c_int), parameter :: TSR_U32 = 8
  integer(c_int), parameter :: TSR_U64 = 9
  integer(c_int), parameter :: TSR_F16 = 10
  integer(c_int), parameter :: TSR_BF16 = 11
  integer(c_int), parameter :: TSR_F32 = 12
  integer(c_int), parameter :: TSR_F64 = 13
  integer(c_int), parameter :: TSR_C64 = 14
  integer(c_int), parameter :: TSR_C128 = 15
  integer(c_int), parameter :: TSR_OK = 0
  !> an argument is out of its range or of the wrong kind
  integer(c_int), parameter :: TSR_ERROR_ARGUMENT = 1
  !> shapes or dtypes that do not fit the operation
  integer(c_int), parameter :: TSR_ERROR_TYPE = 2
  !> mesh, spec, axis or varying-axes rules broken
  integer(c_int), parameter :: TSR_ERROR_SHARDING = 3
  !> NULL, stale or foreign handle
  integer(c_int), parameter :: TSR_ERROR_HANDLE = 4
  !> the allocator refused, or .memory_limit was reached
  integer(c_int), parameter :: TSR_ERROR_MEMORY = 5
  !> a file is missing, unreadable or malformed
  integer(c_int), parameter :: TSR_ERROR_FILE = 6
  !> program text that does not parse or verify
  integer(c_int), parameter :: TSR_ERROR_TEXT = 7
  !> legal, and not built in or not available here
  integer(c_int), parameter :: TSR_ERROR_UNSUPPORTED = 8
  !> raised by tsr_fail()
  integer(c_int), parameter :: TSR_ERROR_USER = 9
  !> a plug-in could not be opened
  integer(c_int), parameter :: TSR_ERROR_PLUGIN = 10
  !> tsr_cancel() ended the run
  integer(c_int), parameter :: TSR_ERROR_CANCELLED = 11
  !> two threads are inside of one context at once
  integer(c_int), parameter :: TSR_ERROR_THREAD = 12
  !> another process died, stopped, or does something else
  integer(c_int), parameter :: TSR_ERROR_PROCESS = 13
  !> left out: no bound of a clamp, no carry of a scan, no keyword
  integer(c_int), parameter :: TSR_KIND_NONE = 0
  integer(c_int), parameter :: TSR_KIND_ONE = 1
  integer(c_int), parameter :: TSR_KIND_TREE = 2
  integer(c_int), parameter :: TSR_KIND_BOOL = 3
  integer(c_int), parameter :: TSR_KIND_INT = 4
  integer(c_int), parameter :: TSR_KIND_UINT = 5
  integer(c_int), parameter :: TSR_KIND_FLOAT = 6
  integer(c_int), parameter :: TSR_KIND_COMPLEX = 7
  !> slots that receive handles of the innermost scope
  integer(c_int), parameter :: TSR_PLACE_SCOPE = 0
  !> owned slots: each result replaces what was there, as tsr_set() does
  integer(c_int), parameter :: TSR_PLACE_OWN = 1
  !> the caller's memory
  integer(c_int), parameter :: TSR_PLACE_MEMORY = 2
  !> the result is not wanted
  integer(c_int), parameter :: TSR_PLACE_NONE = 3
  integer(c_int), parameter :: TSR_FORM_CTX = 0
  integer(c_int), parameter :: TSR_FORM_1 = 1
  integer(c_int), parameter :: TSR_FORM_2 = 2
  integer(c_int), parameter :: TSR_FORM_3 = 3
  integer(c_int), parameter :: TSR_FORM_4 = 4
  integer(c_int), parameter :: TSR_FORM_TREE_0 = 10
  integer(c_int), parameter :: TSR_FORM_TREE_1 = 11
  integer(c_int), parameter :: TSR_FORM_TREE_2 = 12
  integer(c_int), parameter :: TSR_FORM_TREE_3 = 13
  integer(c_int), parameter :: TSR_FORM_FRAME = 20
  integer(c_int), parameter :: TSR_TO_VARYING = 0
  !> it is the same on all devices, and typed so
  integer(c_int), parameter :: TSR_TO_INVARYING = 1
  !> on how many devices add up a part
  integer(c_int), parameter :: TSR_BY_DEVICES = 0
  !> on nothing: equal bits on any mesh, of any number of devices
  integer(c_int), parameter :: TSR_BY_MESH = 1
  !> what tsr_open() was given, or else TSR_PRECISION_HIGHEST
  integer(c_int), parameter :: TSR_PRECISION_DEFAULT = 0
  !> as TSR_BF16_BF16_F32_X3
  integer(c_int), parameter :: TSR_PRECISION_HIGH = 1
  !> f32, as docs/numerics.md has it
  integer(c_int), parameter :: TSR_PRECISION_HIGHEST = 2
  !> both operands rounded to bf16, summed in f32: 8 digits
  integer(c_int), parameter :: TSR_BF16_BF16_F32 = 3
  !> as two bf16 each, in three products: 16 digits
  integer(c_int), parameter :: TSR_BF16_BF16_F32_X3 = 4
  !> as three bf16 each, in six products: 23 digits
  integer(c_int), parameter :: TSR_BF16_BF16_F32_X6 = 5
  !> as three bf16 each, in all nine products
  integer(c_int), parameter :: TSR_BF16_BF16_F32_X9 = 6
  !> as TSR_BF16_BF16_F32, summed by pairs, without denormals
  integer(c_int), parameter :: TSR_BF16_PAIRS = 7
  !> inverses by n; when not given
  integer(c_int), parameter :: TSR_FFT_BACKWARD = 0
  !> all by the root of n
  integer(c_int), parameter :: TSR_FFT_ORTHO = 1
  !> all but inverses by n
  integer(c_int), parameter :: TSR_FFT_FORWARD = 2
  !> taken, they are NaN, the lowest signed or the highest unsigned integer, or true; put
  !! there, an update is dropped
  integer(c_int), parameter :: TSR_FILL_OR_DROP = 0
  !> moved to the nearest place that is
  integer(c_int), parameter :: TSR_CLIP = 1
  !> modulo the size of the dim; not with windows
  integer(c_int), parameter :: TSR_WRAP_VALUE = 2
  !> there are none, says the caller; if there are, what is taken is moved and updates are
  !! dropped
  integer(c_int), parameter :: TSR_PROMISE_IN_BOUNDS = 3
  !> the last one stays
  integer(c_int), parameter :: TSR_COMBINE_SET = 0
  !> not bool, as products
  integer(c_int), parameter :: TSR_COMBINE_ADD = 1
  integer(c_int), parameter :: TSR_COMBINE_MUL = 2
  integer(c_int), parameter :: TSR_COMBINE_MIN = 3
  integer(c_int), parameter :: TSR_COMBINE_MAX = 4
  !> as .low and .high say; where they are not given, not at all, and in tsr_conv() TSR_SAME
  integer(c_int), parameter :: TSR_PADDING_DEFAULT = 0
  !> so that there are as many windows as strides in the dim; one more element behind than
  !! before where their number is odd
  integer(c_int), parameter :: TSR_SAME = 1
  !> as TSR_SAME, with one more before
  integer(c_int), parameter :: TSR_SAME_LOWER = 2
  !> as .low and .high say; not given: not at all
  integer(c_int), parameter :: TSR_VALID = 3
  !> of tsr_conv(): behind the end the dim begins again; a window of n elements has (n - 1) /
  !! 2 of them before and n / 2 behind
  integer(c_int), parameter :: TSR_CIRCULAR = 4
  !> of tsr_conv(): behind the end it goes back, c b a b c for a b c
  integer(c_int), parameter :: TSR_REFLECT = 5
  !> of tsr_conv() along one dim: all zeros before, so that a result is made of elements up to
  !! its place
  integer(c_int), parameter :: TSR_CAUSAL = 6
  !> NumPy's: full in tsr_convolve(), valid in tsr_correlate()
  integer(c_int), parameter :: TSR_OVERLAP_DEFAULT = 0
  !> all places where any elements overlap
  integer(c_int), parameter :: TSR_OVERLAP_FULL = 1
  !> as many as the longer operand has
  integer(c_int), parameter :: TSR_OVERLAP_SAME = 2
  !> where the shorter one is all inside
  integer(c_int), parameter :: TSR_OVERLAP_VALID = 3
  !> as many as one element of a result is the sum of
  integer(c_int), parameter :: TSR_FAN_IN = 0
  !> as many as one element of an operand counts to
  integer(c_int), parameter :: TSR_FAN_OUT = 1
  !> the mean of both
  integer(c_int), parameter :: TSR_FAN_AVG = 2
  !> the root of their product
  integer(c_int), parameter :: TSR_FAN_GEO_AVG = 3
  !> normal numbers below 2 standard deviations
  integer(c_int), parameter :: TSR_INIT_TRUNCATED_NORMAL_VALUE = 0
  integer(c_int), parameter :: TSR_INIT_NORMAL_VALUE = 1
  !> evenly in an interval, complex numbers in a disk
  integer(c_int), parameter :: TSR_INIT_UNIFORM_VALUE = 2
  !> the triangular one, of positive definite matrices
  integer(c_int), parameter :: TSR_FACTOR_CHOLESKY = 0
  !> eigenvectors times the roots of the eigenvalues
  integer(c_int), parameter :: TSR_FACTOR_EIGH = 1
  !> singular vectors times the roots of the singular values
  integer(c_int), parameter :: TSR_FACTOR_SVD = 2
  !> what a line between them has there
  integer(c_int), parameter :: TSR_QUANTILE_LINEAR = 0
  !> the one below
  integer(c_int), parameter :: TSR_QUANTILE_LOWER = 1
  !> the one above
  integer(c_int), parameter :: TSR_QUANTILE_HIGHER = 2
  !> their mean
  integer(c_int), parameter :: TSR_QUANTILE_MIDPOINT = 3
  !> the nearer one; the one below in the middle
  integer(c_int), parameter :: TSR_QUANTILE_NEAREST = 4
  !> in place of all that: the first element up to which there is q of all weight
  integer(c_int), parameter :: TSR_QUANTILE_INVERTED_CDF = 5
  integer(c_int), parameter :: TSR_SAVE_NOTHING = 0
  !> the results of products (tsr_dot() and its kin)
  integer(c_int), parameter :: TSR_SAVE_DOTS = 1
  !> of those that have no batch dims
  integer(c_int), parameter :: TSR_SAVE_DOTS_WITHOUT_BATCH = 2

  type, bind(c) :: tsr_dims
    integer(c_int64_t) :: d(9) = 0
  end type
  type, bind(c) :: tsr_axis
    type(c_ptr) :: name = c_null_ptr
    integer(c_int64_t) :: size = 0
  end type
  type, bind(c) :: tsr_spec
    integer(c_int64_t) :: n1 = 0
    type(c_ptr) :: d(9) = c_null_ptr
  end type
  type, bind(c) :: tsr_specs
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: leaf = c_null_ptr
  end type
  type, bind(c) :: tsr_tree_type
    type(c_ptr) :: fields = c_null_ptr
    integer(c_size_t) :: count = 0
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: unit = c_null_ptr
  end type
  type, bind(c) :: tsr_tree_unit
    type(c_ptr) :: first = c_null_ptr
    type(c_ptr) :: end = c_null_ptr
  end type
  type, bind(c) :: tsr_tree
    type(c_ptr) :: leaf = c_null_ptr
    integer(c_size_t) :: count = 0
    type(c_ptr) :: type = c_null_ptr
  end type
  type, bind(c) :: tsr_arg
    integer(c_int64_t) :: kind = 0, word(3) = 0
  end type
  type, bind(c) :: tsr_out
    integer(c_int64_t) :: own = 0
    type(tsr_tree) :: to
  end type
  type, bind(c) :: tsr_body_c
    integer(c_int64_t) :: form = 0
    type(c_funptr) :: raw = c_null_funptr
    type(c_ptr) :: fn = c_null_ptr
  end type
  type, bind(c) :: tsr_groups
    type(c_ptr) :: member = c_null_ptr
    integer(c_size_t) :: count = 0
    integer(c_size_t) :: size = 0
    type(c_ptr) :: sizes = c_null_ptr
  end type
  type, bind(c) :: tsr_perm
    integer(c_int64_t) :: shift = 0
    integer(c_size_t) :: count = 0
    type(c_ptr) :: pairs = c_null_ptr
  end type
  type, bind(c) :: tsr_eye_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int64_t) :: columns = 0
    integer(c_int) :: k = 0
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_new_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_arange_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    real(c_double) :: start = 0
    real(c_double) :: step = 0
  end type
  type, bind(c) :: tsr_wrap_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    type(c_funptr) :: release = c_null_funptr
    type(c_ptr) :: user = c_null_ptr
    logical(c_bool) :: writable = .false.
  end type
  type, bind(c) :: tsr_read_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_print_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: precision = 0
    integer(c_int) :: linewidth = 0
    integer(c_int64_t) :: threshold = 0
    logical(c_bool) :: all = .false.
  end type
  type, bind(c) :: tsr_put_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_specs) :: spec
    type(c_ptr) :: sharding = c_null_ptr
  end type
  type, bind(c) :: tsr_batches_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: key = c_null_ptr
    type(c_ptr) :: mesh = c_null_ptr
    type(tsr_spec) :: spec
    integer(c_int) :: prefetch = 0
    logical(c_bool) :: short_last = .false.
    integer(c_int64_t) :: first = 0
  end type
  type, bind(c) :: tsr_result_type
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: dims
  end type
  type, bind(c) :: tsr_callback_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: user = c_null_ptr
    type(tsr_result_type) :: results(8)
    logical(c_bool) :: ordered = .false.
  end type
  type, bind(c) :: tsr_checkpoint_save_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: async = .false.
    integer(c_int64_t) :: keep = 0
  end type
  type, bind(c) :: tsr_checkpoint_load_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: mesh = c_null_ptr
    type(tsr_specs) :: spec
  end type
  type, bind(c) :: tsr_group_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_groups) :: groups
  end type
  type, bind(c) :: tsr_all_gather_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: tiled = .false.
    type(tsr_groups) :: groups
    integer(c_int) :: to = 0
  end type
  type, bind(c) :: tsr_psum_scatter_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: tiled = .false.
    type(tsr_groups) :: groups
  end type
  type, bind(c) :: tsr_all_to_all_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: split
    type(tsr_dims) :: concat
    logical(c_bool) :: tiled = .false.
    type(tsr_groups) :: groups
  end type
  type, bind(c) :: tsr_pbroadcast_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_groups) :: groups
    integer(c_int) :: to = 0
  end type
  type, bind(c) :: tsr_pcast_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: to = 0
  end type
  type, bind(c) :: tsr_open_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: devices = 0
    type(c_ptr) :: engine = c_null_ptr
    type(c_funptr) :: alloc = c_null_funptr
    type(c_funptr) :: log = c_null_funptr
    type(c_ptr) :: user = c_null_ptr
    integer(c_size_t) :: memory_limit = 0
    integer(c_int64_t) :: fail_at = 0
    type(c_ptr) :: plugin_dir = c_null_ptr
    type(c_ptr) :: debug = c_null_ptr
    integer(c_int) :: workers = 0
    logical(c_bool) :: require_compiled = .false.
    type(c_ptr) :: code = c_null_ptr
    integer(c_size_t) :: cache_limit = 0
    logical(c_bool) :: threefry_original = .false.
    character(kind=c_char) :: pad_1(4) = c_null_char
    integer(c_int) :: dtype = 0
    character(kind=c_char) :: pad_2(4) = c_null_char
    integer(c_int) :: reproducible = 0
    character(kind=c_char) :: pad_3(4) = c_null_char
    integer(c_int) :: precision = 0
    type(c_ptr) :: comm = c_null_ptr
    integer(c_int64_t) :: devices_here = 0
    real(c_double) :: wait_limit = 0
  end type
  type, bind(c) :: tsr_memory_info
    integer(c_size_t) :: size = 0
    integer(c_size_t) :: in_use = 0
    integer(c_size_t) :: peak = 0
    integer(c_size_t) :: held = 0
  end type
  type, bind(c) :: tsr_engine_info
    integer(c_size_t) :: size = 0
    type(c_ptr) :: name = c_null_ptr
    logical(c_bool) :: compiles = .false.
    type(c_ptr) :: why_not = c_null_ptr
    type(c_ptr) :: plugin = c_null_ptr
  end type
  type, bind(c) :: tsr_device_info
    integer(c_size_t) :: size = 0
    integer(c_int64_t) :: id = 0
    integer(c_int) :: process = 0
    integer(c_int) :: memory = 0
  end type
  type, bind(c) :: tsr_branches
    type(c_ptr) :: body = c_null_ptr
    integer(c_size_t) :: count = 0
  end type
  type, bind(c) :: tsr_scan_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int64_t) :: length = 0
    logical(c_bool) :: reverse = .false.
    integer(c_int) :: unroll = 0
  end type
  type, bind(c) :: tsr_associative_scan_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: reverse = .false.
  end type
  type, bind(c) :: tsr_reduce_by_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
  end type
  type, bind(c) :: tsr_linspace_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: open = .false.
    type(tsr_dims) :: dim
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_logspace_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: open = .false.
    type(tsr_dims) :: dim
    integer(c_int) :: dtype = 0
    real(c_double) :: base = 0
  end type
  type, bind(c) :: tsr_diff_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    integer(c_int) :: n = 0
    type(tsr_arg) :: prepend
    type(tsr_arg) :: append
  end type
  type, bind(c) :: tsr_trapezoid_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    type(c_ptr) :: x = c_null_ptr
    real(c_double) :: dx = 0
  end type
  type, bind(c) :: tsr_unwrap_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    real(c_double) :: period = 0
    real(c_double) :: discont = 0
  end type
  type, bind(c) :: tsr_costs
    integer(c_size_t) :: size = 0
    integer(c_int64_t) :: collectives = 0
    real(c_double) :: bytes = 0
    real(c_double) :: seconds = 0
    real(c_double) :: operations = 0
    real(c_double) :: argument_bytes = 0
    real(c_double) :: result_bytes = 0
    real(c_double) :: peak_bytes = 0
    logical(c_bool) :: in_while = .false.
  end type
  type, bind(c) :: tsr_fft_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int64_t) :: n = 0
    type(tsr_dims) :: dim
    integer(c_int) :: norm = 0
  end type
  type, bind(c) :: tsr_fftn_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: lengths
    type(tsr_dims) :: dims
    integer(c_int) :: norm = 0
  end type
  type, bind(c) :: tsr_fftshift_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
  end type
  type, bind(c) :: tsr_fftfreq_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: d = 0
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_nan_to_num_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_arg) :: nan
    type(tsr_arg) :: posinf
    type(tsr_arg) :: neginf
  end type
  type, bind(c) :: tsr_names
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: name = c_null_ptr
  end type
  type, bind(c) :: tsr_save_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_names) :: names
    type(tsr_names) :: turned
  end type
  type, bind(c) :: tsr_load_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: mesh = c_null_ptr
    type(tsr_specs) :: spec
    type(tsr_names) :: names
    type(tsr_names) :: turned
  end type
  type, bind(c) :: tsr_load_text_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: delimiter = c_null_ptr
    type(c_ptr) :: comments = c_null_ptr
    integer(c_int64_t) :: skip = 0
    type(tsr_dims) :: columns
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_linear_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_conv_layer_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    type(tsr_dims) :: low
    type(tsr_dims) :: high
    integer(c_int) :: padding = 0
    type(tsr_dims) :: input_dilation
    type(tsr_dims) :: kernel_dilation
    integer(c_int64_t) :: feature_group_count = 0
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_layer_norm_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    type(tsr_dims) :: feature_dims
    real(c_double) :: epsilon = 0
    type(c_ptr) :: where = c_null_ptr
    logical(c_bool) :: exact = .false.
    type(c_ptr) :: axis = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_group_norm_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int64_t) :: group_size = 0
    type(tsr_dims) :: dims
    real(c_double) :: epsilon = 0
    type(c_ptr) :: where = c_null_ptr
    logical(c_bool) :: exact = .false.
    type(c_ptr) :: axis = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_batch_norm_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: use_running_average = .false.
    type(c_ptr) :: new_mean = c_null_ptr
    type(c_ptr) :: new_var = c_null_ptr
    type(tsr_arg) :: momentum
    type(tsr_dims) :: dim
    real(c_double) :: epsilon = 0
    type(c_ptr) :: where = c_null_ptr
    logical(c_bool) :: exact = .false.
    type(c_ptr) :: axis = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_dropout_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: deterministic = .false.
    type(tsr_dims) :: broadcast_dims
    type(tsr_dims) :: whole
    type(c_ptr) :: start = c_null_ptr
  end type
  type, bind(c) :: tsr_rnn_cell_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: residual = .false.
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_lstm_cell_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_gru_cell_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: recurrent_bias = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_cholesky_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: upper = .false.
    logical(c_bool) :: lower_only = .false.
  end type
  type, bind(c) :: tsr_triangular_solve_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: left_side = .false.
    logical(c_bool) :: lower = .false.
    logical(c_bool) :: transpose_a = .false.
    logical(c_bool) :: conjugate_a = .false.
    logical(c_bool) :: unit_diagonal = .false.
  end type
  type, bind(c) :: tsr_solve_triangular_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: trans = 0
    logical(c_bool) :: lower = .false.
    logical(c_bool) :: unit_diagonal = .false.
  end type
  type, bind(c) :: tsr_cho_solve_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: lower = .false.
  end type
  type, bind(c) :: tsr_qr_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: full_matrices = .false.
  end type
  type, bind(c) :: tsr_eigh_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: upper = .false.
    logical(c_bool) :: triangle_only = .false.
  end type
  type, bind(c) :: tsr_eig_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: left = .false.
  end type
  type, bind(c) :: tsr_tridiagonal_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: upper = .false.
  end type
  type, bind(c) :: tsr_svd_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: thin = .false.
  end type
  type, bind(c) :: tsr_rank_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: rtol = 0
  end type
  type, bind(c) :: tsr_ormqr_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: right = .false.
    logical(c_bool) :: transpose = .false.
  end type
  type, bind(c) :: tsr_symmetric_product_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: alpha = 0
    real(c_double) :: beta = 0
  end type
  type, bind(c) :: tsr_tensorsolve_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
  end type
  type, bind(c) :: tsr_matrix_norm_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: ord = 0
    logical(c_bool) :: frobenius = .false.
    logical(c_bool) :: nuclear = .false.
    logical(c_bool) :: keep = .false.
  end type
  type, bind(c) :: tsr_cond_number_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: ord = 0
    logical(c_bool) :: frobenius = .false.
    logical(c_bool) :: nuclear = .false.
  end type
  type, bind(c) :: tsr_norm_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: ord = 0
    logical(c_bool) :: zero = .false.
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
  end type
  type, bind(c) :: tsr_classes_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    type(c_ptr) :: where = c_null_ptr
  end type
  type, bind(c) :: tsr_huber_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: delta = 0
  end type
  type, bind(c) :: tsr_shard
    integer(c_int64_t) :: device = 0
    integer(c_int64_t) :: replica = 0
    integer(c_int) :: ndim = 0
    integer(c_int64_t) :: start(8) = 0
    integer(c_int64_t) :: stop(8) = 0
    logical(c_bool) :: here = .false.
  end type
  type, bind(c) :: tsr_mesh_use
    type(c_ptr) :: ctx = c_null_ptr
    type(c_ptr) :: before = c_null_ptr
    integer(c_int64_t) :: since = 0
    integer(c_int64_t) :: blocks = 0
  end type
  type, bind(c) :: tsr_positional_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: devices = c_null_ptr
    integer(c_size_t) :: device_count = 0
  end type
  type, bind(c) :: tsr_replicate_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: drop = .false.
  end type
  type, bind(c) :: tsr_gelu_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: exact = .false.
  end type
  type, bind(c) :: tsr_softmax_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: where = c_null_ptr
  end type
  type, bind(c) :: tsr_logmeanexp_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: where = c_null_ptr
  end type
  type, bind(c) :: tsr_standardize_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: where = c_null_ptr
    type(tsr_arg) :: mean
    type(tsr_arg) :: variance
  end type
  type, bind(c) :: tsr_one_hot_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_attention_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: bias = c_null_ptr
    type(c_ptr) :: mask = c_null_ptr
    real(c_double) :: scale = 0
    logical(c_bool) :: causal = .false.
  end type
  type, bind(c) :: tsr_rotary_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_arg) :: position
    real(c_double) :: base = 0
  end type
  type, bind(c) :: tsr_multi_head_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: key_input = c_null_ptr
    type(c_ptr) :: value_input = c_null_ptr
    type(c_ptr) :: query_bias = c_null_ptr
    type(c_ptr) :: key_bias = c_null_ptr
    type(c_ptr) :: value_bias = c_null_ptr
    type(c_ptr) :: out_bias = c_null_ptr
    type(c_ptr) :: bias = c_null_ptr
    type(c_ptr) :: mask = c_null_ptr
    real(c_double) :: scale = 0
    logical(c_bool) :: causal = .false.
    real(c_double) :: rotary = 0
    type(c_ptr) :: key_cache = c_null_ptr
    type(c_ptr) :: value_cache = c_null_ptr
    type(tsr_arg) :: position
    type(c_ptr) :: new_key_cache = c_null_ptr
    type(c_ptr) :: new_value_cache = c_null_ptr
  end type
  type, bind(c) :: tsr_round_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: decimals = 0
  end type
  type, bind(c) :: tsr_dot_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: contract_a
    type(tsr_dims) :: contract_b
    type(tsr_dims) :: batch_a
    type(tsr_dims) :: batch_b
    integer(c_int) :: dtype = 0
    character(kind=c_char) :: pad_1(4) = c_null_char
    integer(c_int) :: precision = 0
  end type
  type, bind(c) :: tsr_product_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    character(kind=c_char) :: pad_1(4) = c_null_char
    integer(c_int) :: precision = 0
  end type
  type, bind(c) :: tsr_transpose_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: perm
  end type
  type, bind(c) :: tsr_pad_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: interior
  end type
  type, bind(c) :: tsr_split_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: indices
  end type
  type, bind(c) :: tsr_slice_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: steps
  end type
  type, bind(c) :: tsr_index_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: mode = 0
    logical(c_bool) :: indices_are_sorted = .false.
    logical(c_bool) :: unique_indices = .false.
  end type
  type, bind(c) :: tsr_gather_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: offset_dims
    type(tsr_dims) :: collapsed_slice_dims
    type(tsr_dims) :: start_index_map
    type(tsr_dims) :: operand_batching_dims
    type(tsr_dims) :: start_indices_batching_dims
    integer(c_int) :: mode = 0
    logical(c_bool) :: indices_are_sorted = .false.
    logical(c_bool) :: unique_indices = .false.
  end type
  type, bind(c) :: tsr_scatter_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: update_window_dims
    type(tsr_dims) :: inserted_window_dims
    type(tsr_dims) :: scatter_dims_to_operand_dims
    type(tsr_dims) :: operand_batching_dims
    type(tsr_dims) :: scatter_indices_batching_dims
    integer(c_int) :: combine = 0
    integer(c_int) :: mode = 0
    logical(c_bool) :: indices_are_sorted = .false.
    logical(c_bool) :: unique_indices = .false.
  end type
  type, bind(c) :: tsr_reduce_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: where = c_null_ptr
    type(tsr_arg) :: initial
  end type
  type, bind(c) :: tsr_sum_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: where = c_null_ptr
    type(tsr_arg) :: initial
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_mean_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: where = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_all_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: where = c_null_ptr
  end type
  type, bind(c) :: tsr_dims_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
  end type
  type, bind(c) :: tsr_logsumexp_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: where = c_null_ptr
    type(tsr_arg) :: b
    type(c_ptr) :: sign = c_null_ptr
  end type
  type, bind(c) :: tsr_arg_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: keep = .false.
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_sort_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: descending = .false.
  end type
  type, bind(c) :: tsr_argsort_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: descending = .false.
    logical(c_bool) :: unstable = .false.
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_sort_operands_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    integer(c_int) :: num_keys = 0
    logical(c_bool) :: unstable = .false.
  end type
  type, bind(c) :: tsr_top_k_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
  end type
  type, bind(c) :: tsr_cumsum_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: reverse = .false.
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_cummax_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: reverse = .false.
  end type
  type, bind(c) :: tsr_cumulative_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    integer(c_int) :: dtype = 0
    logical(c_bool) :: include_initial = .false.
  end type
  type, bind(c) :: tsr_window_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    type(tsr_dims) :: low
    type(tsr_dims) :: high
    type(tsr_dims) :: base_dilation
    type(tsr_dims) :: window_dilation
    integer(c_int) :: padding = 0
  end type
  type, bind(c) :: tsr_pool_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    type(tsr_dims) :: low
    type(tsr_dims) :: high
    integer(c_int) :: padding = 0
    logical(c_bool) :: exclude_padding = .false.
  end type
  type, bind(c) :: tsr_conv_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    type(tsr_dims) :: low
    type(tsr_dims) :: high
    type(tsr_dims) :: lhs_dilation
    type(tsr_dims) :: rhs_dilation
    integer(c_int) :: padding = 0
    type(c_ptr) :: lhs_spec = c_null_ptr
    type(c_ptr) :: rhs_spec = c_null_ptr
    type(c_ptr) :: out_spec = c_null_ptr
    integer(c_int64_t) :: feature_group_count = 0
    integer(c_int64_t) :: batch_group_count = 0
    integer(c_int) :: dtype = 0
    character(kind=c_char) :: pad_1(4) = c_null_char
    integer(c_int) :: precision = 0
  end type
  type, bind(c) :: tsr_conv_transpose_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    type(tsr_dims) :: low
    type(tsr_dims) :: high
    type(tsr_dims) :: rhs_dilation
    integer(c_int) :: padding = 0
    logical(c_bool) :: forward_padding = .false.
    logical(c_bool) :: transpose_kernel = .false.
    type(c_ptr) :: lhs_spec = c_null_ptr
    type(c_ptr) :: rhs_spec = c_null_ptr
    type(c_ptr) :: out_spec = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_convolve_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: mode = 0
  end type
  type, bind(c) :: tsr_iota_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_rate
    type(c_ptr) :: schedule = c_null_ptr
    real(c_double) :: value = 0
  end type
  type, bind(c) :: tsr_schedule_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int64_t) :: transition_begin = 0
  end type
  type, bind(c) :: tsr_cosine_decay_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: alpha = 0
    real(c_double) :: exponent = 0
  end type
  type, bind(c) :: tsr_exponential_decay_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int64_t) :: transition_begin = 0
    logical(c_bool) :: staircase = .false.
    real(c_double) :: end_value = 0
  end type
  type, bind(c) :: tsr_warmup_cosine_decay_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: end_value = 0
    real(c_double) :: exponent = 0
  end type
  type, bind(c) :: tsr_boundary
    integer(c_int64_t) :: step = 0
    real(c_double) :: scale = 0
  end type
  type, bind(c) :: tsr_phase
    integer(c_int64_t) :: from = 0
    type(c_ptr) :: schedule = c_null_ptr
  end type
  type, bind(c) :: tsr_sgd_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: momentum = 0
    logical(c_bool) :: nesterov = .false.
    integer(c_int) :: dtype = 0
    type(c_ptr) :: zero = c_null_ptr
  end type
  type, bind(c) :: tsr_adam_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: b1 = 0
    real(c_double) :: b2 = 0
    real(c_double) :: eps = 0
    real(c_double) :: eps_root = 0
    integer(c_int) :: mu_dtype = 0
    logical(c_bool) :: nesterov = .false.
    type(c_ptr) :: zero = c_null_ptr
  end type
  type, bind(c) :: tsr_adamw_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: b1 = 0
    real(c_double) :: b2 = 0
    real(c_double) :: eps = 0
    real(c_double) :: eps_root = 0
    integer(c_int) :: mu_dtype = 0
    logical(c_bool) :: nesterov = .false.
    real(c_double) :: weight_decay = 0
    type(c_ptr) :: mask = c_null_ptr
    integer(c_size_t) :: mask_count = 0
    type(c_ptr) :: zero = c_null_ptr
  end type
  type, bind(c) :: tsr_lion_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: b1 = 0
    real(c_double) :: b2 = 0
    integer(c_int) :: mu_dtype = 0
    real(c_double) :: weight_decay = 0
    type(c_ptr) :: mask = c_null_ptr
    integer(c_size_t) :: mask_count = 0
    type(c_ptr) :: zero = c_null_ptr
  end type
  type, bind(c) :: tsr_adafactor_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int64_t) :: min_dim_size_to_factor = 0
    real(c_double) :: decay_rate = 0
    integer(c_int64_t) :: decay_offset = 0
    logical(c_bool) :: unscaled = .false.
    real(c_double) :: clipping_threshold = 0
    real(c_double) :: momentum = 0
    integer(c_int) :: dtype_momentum = 0
    real(c_double) :: weight_decay_rate = 0
    real(c_double) :: eps = 0
    logical(c_bool) :: whole = .false.
    type(c_ptr) :: mask = c_null_ptr
    integer(c_size_t) :: mask_count = 0
    type(c_ptr) :: zero = c_null_ptr
  end type
  type, bind(c) :: tsr_ema_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: zero = c_null_ptr
  end type
  type, bind(c) :: tsr_multi_steps_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: sum = .false.
    integer(c_int) :: dtype = 0
    type(c_ptr) :: zero = c_null_ptr
  end type
  type, bind(c) :: tsr_train_step_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    logical(c_bool) :: has_aux = .false.
  end type
  type, bind(c) :: tsr_init_constant_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_arg) :: value
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_init_uniform_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: scale = 0
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_init_normal_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: stddev = 0
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_init_truncated_normal_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: stddev = 0
    integer(c_int) :: dtype = 0
    type(tsr_arg) :: lower
    type(tsr_arg) :: upper
  end type
  type, bind(c) :: tsr_init_scaling_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: scale = 0
    integer(c_int) :: mode = 0
    integer(c_int) :: distribution = 0
    type(tsr_dims) :: in
    type(tsr_dims) :: out
    type(tsr_dims) :: batch
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_init_fan_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: in
    type(tsr_dims) :: out
    type(tsr_dims) :: batch
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_init_orthogonal_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    real(c_double) :: scale = 0
    type(tsr_dims) :: column
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_param
    type(tsr_dims) :: dims
    type(c_ptr) :: init = c_null_ptr
    type(tsr_spec) :: spec
  end type
  type, bind(c) :: tsr_tensordot_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: n = 0
    type(tsr_dims) :: dims_a
    type(tsr_dims) :: dims_b
    integer(c_int) :: dtype = 0
    character(kind=c_char) :: pad_1(4) = c_null_char
    integer(c_int) :: precision = 0
  end type
  type, bind(c) :: tsr_vecdot_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
  end type
  type, bind(c) :: tsr_cross_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
  end type
  type, bind(c) :: tsr_draw_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: whole
    type(c_ptr) :: start = c_null_ptr
  end type
  type, bind(c) :: tsr_uniform_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: whole
    type(c_ptr) :: start = c_null_ptr
    type(tsr_arg) :: minval
    type(tsr_arg) :: maxval
  end type
  type, bind(c) :: tsr_sample_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: dims
  end type
  type, bind(c) :: tsr_gumbel_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: whole
    type(c_ptr) :: start = c_null_ptr
    logical(c_bool) :: high = .false.
  end type
  type, bind(c) :: tsr_bernoulli_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: high = .false.
  end type
  type, bind(c) :: tsr_categorical_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    type(tsr_dims) :: dims
    logical(c_bool) :: no_replace = .false.
    logical(c_bool) :: high = .false.
  end type
  type, bind(c) :: tsr_permutation_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    logical(c_bool) :: independent = .false.
  end type
  type, bind(c) :: tsr_choice_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dim
    type(c_ptr) :: p = c_null_ptr
    logical(c_bool) :: no_replace = .false.
    logical(c_bool) :: high = .false.
  end type
  type, bind(c) :: tsr_ball_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: dims
    type(tsr_arg) :: p
  end type
  type, bind(c) :: tsr_orthogonal_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: dims
    integer(c_int64_t) :: m = 0
  end type
  type, bind(c) :: tsr_multivariate_normal_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: dtype = 0
    type(tsr_dims) :: dims
    integer(c_int) :: factor = 0
  end type
  type, bind(c) :: tsr_diagonal_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    integer(c_int) :: k = 0
    type(tsr_dims) :: dims
    integer(c_int) :: dtype = 0
  end type
  type, bind(c) :: tsr_meshgrid_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: ij = .false.
    logical(c_bool) :: sparse = .false.
  end type
  type, bind(c) :: tsr_var_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: where = c_null_ptr
    integer(c_int) :: dtype = 0
    real(c_double) :: correction = 0
    type(tsr_arg) :: mean
  end type
  type, bind(c) :: tsr_average_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    type(c_ptr) :: weights = c_null_ptr
    type(c_ptr) :: sum = c_null_ptr
  end type
  type, bind(c) :: tsr_quantile_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
    logical(c_bool) :: keep = .false.
    integer(c_int) :: method = 0
    type(c_ptr) :: weights = c_null_ptr
  end type
  type, bind(c) :: tsr_cov_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    logical(c_bool) :: columns = .false.
    logical(c_bool) :: bias = .false.
    type(c_ptr) :: fweights = c_null_ptr
    type(c_ptr) :: aweights = c_null_ptr
  end type
  type, bind(c) :: tsr_corrcoef_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: y = c_null_ptr
    logical(c_bool) :: columns = .false.
  end type
  type, bind(c) :: tsr_searchsorted_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: right = .false.
  end type
  type, bind(c) :: tsr_bincount_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: weights = c_null_ptr
  end type
  type, bind(c) :: tsr_histogram_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_arg) :: low
    type(tsr_arg) :: high
    type(c_ptr) :: edges = c_null_ptr
    type(c_ptr) :: weights = c_null_ptr
    logical(c_bool) :: density = .false.
  end type
  type, bind(c) :: tsr_interp_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_arg) :: left
    type(tsr_arg) :: right
    logical(c_bool) :: extrapolate = .false.
    real(c_double) :: period = 0
  end type
  type, bind(c) :: tsr_timing
    integer(c_size_t) :: size = 0
    integer(c_int) :: runs = 0
    integer(c_int) :: loops = 0
    real(c_double) :: mean = 0
    real(c_double) :: deviation = 0
    real(c_double) :: least = 0
    real(c_double) :: most = 0
  end type
  type, bind(c) :: tsr_progress_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: label = c_null_ptr
    type(c_ptr) :: unit = c_null_ptr
  end type
  type, bind(c) :: tsr_jit_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: env = c_null_ptr
    integer(c_size_t) :: env_size = 0
    type(tsr_tree) :: captures
    type(tsr_dims) :: donate
    type(c_funptr) :: env_release = c_null_funptr
    type(c_ptr) :: mesh = c_null_ptr
    type(tsr_specs) :: in(8)
    type(tsr_specs) :: out(8)
    type(c_ptr) :: env_mask = c_null_ptr
  end type
  type, bind(c) :: tsr_shard_map_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: env = c_null_ptr
    integer(c_size_t) :: env_size = 0
    type(tsr_tree) :: captures
    type(tsr_specs) :: in(8)
    type(tsr_specs) :: out(8)
    type(c_ptr) :: sig = c_null_ptr
    type(c_ptr) :: axes = c_null_ptr
    logical(c_bool) :: unchecked = .false.
    type(c_funptr) :: env_release = c_null_funptr
    type(c_ptr) :: env_mask = c_null_ptr
  end type
  type, bind(c) :: tsr_grad_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: env = c_null_ptr
    integer(c_size_t) :: env_size = 0
    type(tsr_tree) :: captures
    type(tsr_dims) :: wrt
    logical(c_bool) :: has_aux = .false.
    logical(c_bool) :: holomorphic = .false.
    logical(c_bool) :: allow_int = .false.
    type(c_funptr) :: env_release = c_null_funptr
    type(c_ptr) :: env_mask = c_null_ptr
  end type
  type, bind(c) :: tsr_linearized
    type(c_ptr) :: fn = c_null_ptr
    type(tsr_tree) :: residuals
  end type
  type, bind(c) :: tsr_custom_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: env = c_null_ptr
    integer(c_size_t) :: env_size = 0
    type(tsr_tree) :: captures
    type(tsr_dims) :: nondiff
    type(c_funptr) :: env_release = c_null_funptr
    type(c_ptr) :: env_mask = c_null_ptr
  end type
  type, bind(c) :: tsr_remat_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: env = c_null_ptr
    integer(c_size_t) :: env_size = 0
    type(tsr_tree) :: captures
    integer(c_int) :: save = 0
    type(c_ptr) :: names = c_null_ptr
    type(c_funptr) :: env_release = c_null_funptr
    type(c_ptr) :: env_mask = c_null_ptr
  end type
  type, bind(c) :: tsr_mapped
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: dim = c_null_ptr
  end type
  type, bind(c) :: tsr_vmap_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: env = c_null_ptr
    integer(c_size_t) :: env_size = 0
    type(tsr_tree) :: captures
    type(tsr_mapped) :: in(8)
    type(tsr_mapped) :: out(8)
    type(c_ptr) :: axis = c_null_ptr
    integer(c_int64_t) :: axis_size = 0
    type(c_ptr) :: spmd_axis = c_null_ptr
    type(c_funptr) :: env_release = c_null_funptr
    type(c_ptr) :: env_mask = c_null_ptr
  end type
  type, bind(c) :: tsr_pmap_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: env = c_null_ptr
    integer(c_size_t) :: env_size = 0
    type(tsr_tree) :: captures
    type(tsr_mapped) :: in(8)
    type(tsr_mapped) :: out(8)
    type(c_ptr) :: axis = c_null_ptr
    integer(c_int64_t) :: axis_size = 0
    type(c_ptr) :: devices = c_null_ptr
    integer(c_size_t) :: device_count = 0
    type(tsr_dims) :: donate
    type(c_funptr) :: env_release = c_null_funptr
    type(c_ptr) :: env_mask = c_null_ptr
  end type
  type, bind(c) :: tsr_fn_info
    integer(c_size_t) :: size = 0
    integer(c_int64_t) :: calls = 0
    integer(c_int64_t) :: traces = 0
    integer(c_int64_t) :: hits = 0
    integer(c_int64_t) :: compiles = 0
    integer(c_int64_t) :: executables = 0
  end type
  type, bind(c) :: tsr_into_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: strides
    type(c_ptr) :: data = c_null_ptr
    type(tsr_dims) :: dims
    integer(c_int) :: dtype = 0
    integer(c_int) :: element = 0
  end type
  type, bind(c) :: tsr_picture_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    logical(c_bool) :: color = .false.
    real(c_double) :: scale = 0
    integer(c_int) :: min_width = 0
    integer(c_int) :: max_width = 0
    type(tsr_dims) :: dims
    logical(c_bool) :: all = .false.
  end type
  type, bind(c) :: tsr_svg_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(tsr_dims) :: dims
  end type
  type, bind(c) :: tsr_shards_args
    integer(c_size_t) :: size = 0
    type(c_ptr) :: keyword_ = c_null_ptr
    type(c_ptr) :: mesh = c_null_ptr
    logical(c_bool) :: devices = .false.
    integer(c_int) :: precision = 0
    integer(c_int) :: linewidth = 0
    integer(c_int64_t) :: threshold = 0
    type(c_ptr) :: whole = c_null_ptr
    logical(c_bool) :: all = .false.
  end type

  interface
    !> "f32", "bool", ...; "?" for what is no dtype.
    function tsr_dtype_name_c(dtype) bind(c, name='tsr_dtype_name') result(made)
      import
      integer(c_int), value :: dtype
      type(c_ptr) :: made
    end function
    !> Bytes of one element; 0 for what is no dtype.
    function tsr_dtype_size_c(dtype) bind(c, name='tsr_dtype_size') result(made)
      import
      integer(c_int), value :: dtype
      integer(c_size_t) :: made
    end function
    !> The common dtype of two operands, by JAX's promotion table: bool < u8.. i8.. <
    !! bf16, f16 < f32 < f64 < c64 < c128. 64-bit dtypes are never truncated; u64 with a
    !! signed integer gives f64, as the table has it.
    function tsr_promote_c(a, b) bind(c, name='tsr_promote') result(made)
      import
      integer(c_int), value :: a
      integer(c_int), value :: b
      integer(c_int) :: made
    end function
    !> The version of the library that runs, as "0.2.0"; that of the headers is
    !! TSR_VERSION_MAJOR and its kin.
    function tsr_version_c() bind(c, name='tsr_version') result(made)
      import
      type(c_ptr) :: made
    end function
    !> A copy of contiguous, row-major data: tsr_from(ctx, numbers, TSR_F32, TSR_DIMS(8,
    !! 16)). Error (TSR_ERROR_ARGUMENT): data is NULL and the array has elements. Here
    !! and wherever memory is given, C numbers of another type than the dtype do not
    !! compile, or where the dtype is no constant are an error (TSR_ERROR_TYPE). void
    !! and char are bytes of any dtype, float and double also parts of complex numbers,
    !! uint16_t also f16 and bf16, and uint8_t also bool.
    function tsr_from_at(where, ctx, element, data, dtype, &
      dims) bind(c, name='tsr_from_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int), value :: element
      type(c_ptr), value :: data
      integer(c_int), value :: dtype
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> The caller's memory as an array, without a copy: tsr_wrap(ctx, data, TSR_F32,
    !! TSR_DIMS(n), .release = done). The memory must stay valid and unchanged until
    !! release is called; if tsr_wrap() fails, that is at once. data: the address of
    !! element 0, 0, ...; computing is fastest where that is a multiple of 64
    !! (aligned_alloc(64, ...)). With .writable a call that the array is donated to may
    !! make a result of the same size there; then the memory holds that result, and
    !! stays in use until it goes too. Errors: as tsr_from(), and a number of strides
    !! that is not the number of dims.
    function tsr_wrap_at(where, ctx, element, data, dtype, dims, &
      args) bind(c, name='tsr_wrap_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int), value :: element
      type(c_ptr), value :: data
      integer(c_int), value :: dtype
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> An array with all elements 0 (false), f32 when no dtype is given: tsr_zeros(ctx,
    !! TSR_DIMS(2, 3), .dtype = TSR_I32).
    function tsr_zeros_at(where, ctx, dims, &
      args) bind(c, name='tsr_zeros_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> An array with all elements 1 (true), f32 when no dtype is given: tsr_ones(ctx,
    !! TSR_DIMS(2, 3), .dtype = TSR_BOOL).
    function tsr_ones_at(where, ctx, dims, &
      args) bind(c, name='tsr_ones_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> An array with all elements one number: tsr_full(ctx, TSR_DIMS(4), 2.5). dtype
    !! when not given: bool, i32, f32 or c64, by the kind of number.
    function tsr_full_at(where, ctx, dims, number, &
      args) bind(c, name='tsr_full_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_dims), value :: dims
      type(tsr_arg), value :: number
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A number as an array without dims: tsr_scalar(ctx, 0.5). dtype as for tsr_full().
    function tsr_scalar_at(where, ctx, number, &
      args) bind(c, name='tsr_scalar_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_arg), value :: number
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> start + step * i for i = 0 .. n - 1, in double, then converted: [n];
    !! tsr_arange(ctx, 10, .dtype = TSR_F32).
    function tsr_arange_at(where, ctx, n, &
      args) bind(c, name='tsr_arange_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The n x n identity matrix, [n, n], or [n, .columns]; f32 when no dtype is given:
    !! tsr_eye(ctx, 3).
    function tsr_eye_at(where, ctx, n, args) bind(c, name='tsr_eye_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Zeros of the dims and dtype of x, and where x was put, each device with its own
    !! part: tsr_zeros_like(w) for the state of an optimiser. In a traced body they are
    !! where x is, if what is computed from them does not decide otherwise, and vary
    !! over the same axes as x.
    function tsr_zeros_like_at(where, &
      x) bind(c, name='tsr_zeros_like_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Ones of the dims and dtype of x, and where x was put, each device with its own
    !! part; in a traced body placed as tsr_zeros_like() places zeros.
    function tsr_ones_like_at(where, x) bind(c, name='tsr_ones_like_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The dtype of the elements of x; TSR_DTYPE_DEFAULT where x is poison.
    function tsr_dtype_of_c(x) bind(c, name='tsr_dtype_of') result(made)
      import
      type(c_ptr), value :: x
      integer(c_int) :: made
    end function
    !> Whether x is weak: made of C numbers alone, as tsr_where(mask, 1.0, 0.0) is. In
    !! an operation it then takes the dtype of the other operand. tsr_astype(x,
    !! tsr_dtype_of(x)) is never weak. False for poison.
    function tsr_is_weak_c(x) bind(c, name='tsr_is_weak') result(made)
      import
      type(c_ptr), value :: x
      logical(c_bool) :: made
    end function
    !> How many dims x has: 0 for a scalar, and for poison.
    function tsr_ndim_c(x) bind(c, name='tsr_ndim') result(made)
      import
      type(c_ptr), value :: x
      integer(c_int) :: made
    end function
    !> Size of dim d, negative d from the end: tsr_dim(x, -1). Error
    !! (TSR_ERROR_ARGUMENT, gives 0): d out of range.
    function tsr_dim_at(where, x, d) bind(c, name='tsr_dim_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: d
      integer(c_int64_t) :: made
    end function
    !> The sizes of all dims of x, as a list: tsr_zeros(ctx, tsr_shape(x)). Error
    !! (TSR_ERROR_UNSUPPORTED, gives "not given"): more than 8 dims.
    function tsr_shape_at(where, x) bind(c, name='tsr_shape_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims) :: made
    end function
    !> Number of elements of the whole array x, wherever its parts are.
    function tsr_size_c(x) bind(c, name='tsr_size') result(made)
      import
      type(c_ptr), value :: x
      integer(c_int64_t) :: made
    end function
    !> Bytes that all elements of x take, each counted once, on however many devices it
    !! is.
    function tsr_nbytes_c(x) bind(c, name='tsr_nbytes') result(made)
      import
      type(c_ptr), value :: x
      integer(c_int64_t) :: made
    end function
    !> In a traced body: may x differ between the devices along this axis ("x", or
    !! "x*y": along any of them)? Error (TSR_ERROR_SHARDING, gives false): the axis is
    !! not bound here.
    function tsr_varying_at(where, x, &
      axis) bind(c, name='tsr_varying_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      logical(c_bool) :: made
    end function
    !> The one element of x as a double (real part; bool: 0 or 1; 64-bit integers may
    !! round). Error (TSR_ERROR_TYPE, gives NaN): x has not exactly one element.
    function tsr_item_at(where, x) bind(c, name='tsr_item_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      real(c_double) :: made
    end function
    !> The one element of x as an integer, converted as tsr_astype() to i64 does. Errors
    !! as tsr_item(), but gives 0; tsr_status() tells that from an element that is 0.
    function tsr_item_int_at(where, x) bind(c, name='tsr_item_int_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t) :: made
    end function
    !> Copies all elements, row-major, to out: float y[6]; tsr_read(x, y, sizeof y).
    !! Error (TSR_ERROR_ARGUMENT): bytes is not tsr_nbytes(x). false on failure.
    function tsr_read_at(where, x, element, out, &
      bytes) bind(c, name='tsr_read_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: element
      type(c_ptr), value :: out
      integer(c_size_t), value :: bytes
      logical(c_bool) :: made
    end function
    !> Copies all elements into memory with strides, or as another dtype:
    !! tsr_read_into(x, y, .dtype = TSR_F64). out: where element 0, 0, ... goes. Error
    !! (TSR_ERROR_ARGUMENT): a number of strides that is not the number of dims. false
    !! on failure.
    function tsr_read_into_at(where, x, element, out, &
      args) bind(c, name='tsr_read_into_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: element
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> |a - b| <= atol + rtol * |b| for all elements, in double, after NumPy's
    !! broadcasting; NaN is close to nothing, an infinity to itself. Error
    !! (TSR_ERROR_TYPE): dims that do not fit.
    function tsr_allclose_at(where, a, b, rtol, &
      atol) bind(c, name='tsr_allclose_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      real(c_double), value :: rtol
      real(c_double), value :: atol
      logical(c_bool) :: made
    end function
    !> The same dims and equal values, after promotion; NaN equals nothing.
    function tsr_array_equal_at(where, a, &
      b) bind(c, name='tsr_array_equal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      logical(c_bool) :: made
    end function
    !> Waits until x is computed. false: x is, or has become, poison.
    function tsr_wait_at(where, x) bind(c, name='tsr_wait_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      logical(c_bool) :: made
    end function
    !> Prints x to stdout as NumPy's str does, then a newline: tsr_print(x),
    !! tsr_print(x, .precision = 3). Where several processes make this call, the one
    !! with the lowest device of x prints; it is an error in all of them
    !! (TSR_ERROR_UNSUPPORTED) if that lacks a part: print tsr_gather_whole(x).
    !! tsr_print(x, .all = true) prints in each of them.
    subroutine tsr_print_at(where, x, args) bind(c, name='tsr_print_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
    end subroutine
    !> The text that tsr_print() prints, without the newline; a traced handle gives its
    !! type, "f32[2,8]{x}", poison gives the error. Valid until the innermost scope
    !! ends. For logs and debuggers: never NULL, and records nothing.
    function tsr_text_at(where, x, args) bind(c, name='tsr_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Dtype and dims, "f32[2,3]", and of a traced handle over which axes it varies,
    !! "f32[2,8]{x}". Otherwise as tsr_text().
    function tsr_type_text_c(x) bind(c, name='tsr_type_text') result(made)
      import
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x on a mesh, split as the spec says; dims need not divide: tsr_put(x, mesh,
    !! TSR_P("x", NULL)). A mesh that is NULL is the one in use (TSR_MESH()), here and
    !! below; if there is none, that is an error (TSR_ERROR_ARGUMENT). In a traced body
    !! it is tsr_constrain(). Errors (TSR_ERROR_SHARDING): as tsr_sharding_make(), or a
    !! spec longer than x has dims; in a body those of tsr_constrain() too.
    function tsr_put_at(where, x, mesh, spec) bind(c, name='tsr_put_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: mesh
      type(tsr_spec), value :: spec
      type(c_ptr) :: made
    end function
    !> tsr_put() of each leaf of a tree, into the leaves of `to`, which may be the same
    !! tree; absent leaves stay absent: tsr_put_tree(TSR_TREE(mlp, &w), TSR_TREE(mlp,
    !! &w), mesh, .spec = TSR_FOR_EACH(specs)), or with one sharding for all,
    !! tsr_put_tree(to, x, NULL, .sharding = s). Errors: as tsr_put(); trees with
    !! different numbers of leaves; a number of specs that is neither one nor that of
    !! the leaves, .sharding beside a mesh or .spec (TSR_ERROR_ARGUMENT). false on
    !! failure; `to` is then unchanged.
    function tsr_put_tree_at(where, to, x, mesh, &
      args) bind(c, name='tsr_put_tree_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: to
      type(tsr_tree), value :: x
      type(c_ptr), value :: mesh
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> x whole on one device, by id: tsr_put_device(x, 3). Errors (TSR_ERROR_SHARDING):
    !! an id that no device has; in a traced body always, for its program runs where its
    !! arguments are.
    function tsr_put_device_at(where, x, &
      device) bind(c, name='tsr_put_device_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: device
      type(c_ptr) :: made
    end function
    !> All of x in this process, on its first device, not committed to it: what
    !! tsr_read(), tsr_print() and files need where x is spread over devices of several
    !! processes. Collective: every process with a device of x makes this call, and each
    !! gets the whole. Elsewhere it moves x to the first device.
    !! tsr_print(tsr_gather_whole(x)). Errors: in a traced body (TSR_ERROR_SHARDING),
    !! where tsr_all_gather() and tsr_constrain() are meant; those of tsr_put().
    function tsr_gather_whole_at(where, &
      x) bind(c, name='tsr_gather_whole_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x where a sharding says: tsr_put_sharding(x, tsr_sharding_of(y)). Errors as
    !! tsr_put(), or tsr_put_device() for a sharding of one device.
    function tsr_put_sharding_at(where, x, &
      sharding) bind(c, name='tsr_put_sharding_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: sharding
      type(c_ptr) :: made
    end function
    !> x itself, brought to where a spec says, as JAX's with_sharding_constraint: y =
    !! tsr_constrain(y, mesh, TSR_P("x", NULL)). In a traced body the program has the
    !! value there, whatever would be decided without it, and its tangents and
    !! cotangents too. In tsr_vmap() the dim of the batch is cut along the axes of
    !! .spmd_axis, or as its operands are. Outside of bodies it moves x, but not away
    !! from the devices that x is committed to. Dims need not divide. Errors
    !! (TSR_ERROR_SHARDING): as tsr_sharding_make(), a spec longer than x has dims, a
    !! mesh of other devices than x is committed to, or the program runs on, and in
    !! tsr_shard_map() an axis that is manual there.
    function tsr_constrain_at(where, x, mesh, &
      spec) bind(c, name='tsr_constrain_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: mesh
      type(tsr_spec), value :: spec
      type(c_ptr) :: made
    end function
    !> tsr_constrain() of each leaf of a tree, into the leaves of `to`, as
    !! tsr_put_tree(): tsr_constrain_tree(TSR_TREE(mlp, &g), TSR_TREE(mlp, &g), mesh,
    !! .spec = TSR_FOR_EACH(specs)).
    function tsr_constrain_tree_at(where, to, x, mesh, &
      args) bind(c, name='tsr_constrain_tree_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: to
      type(tsr_tree), value :: x
      type(c_ptr), value :: mesh
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> tsr_constrain() with a sharding over a mesh, in place of a mesh and a spec:
    !! tsr_constrain_sharding(dw, tsr_sharding_of(w)). One device is an error
    !! (TSR_ERROR_SHARDING).
    function tsr_constrain_sharding_at(where, x, &
      sharding) bind(c, name='tsr_constrain_sharding_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: sharding
      type(c_ptr) :: made
    end function
    !> x itself, placed as like is, which has the same dims: y = tsr_shard_alike(y, x),
    !! as JAX's shard_alike. In a traced body the program has both alike, also where
    !! only x is placed by something else, and their tangents and cotangents too; where
    !! both are, like decides. Outside of bodies it moves x, but not away from the
    !! devices that x is committed to. Error (TSR_ERROR_TYPE): other dims.
    function tsr_shard_alike_at(where, x, &
      like) bind(c, name='tsr_shard_alike_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: like
      type(c_ptr) :: made
    end function
    !> Where x is. NULL of poison and of a traced handle.
    function tsr_sharding_of_c(x) bind(c, name='tsr_sharding_of') result(made)
      import
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Number of shards: one for each device of its sharding.
    function tsr_shard_count_c(x) bind(c, name='tsr_shard_count') result(made)
      import
      type(c_ptr), value :: x
      integer(c_int64_t) :: made
    end function
    !> Describes the k-th shard, in the order of the sharding's devices: tsr_shard s;
    !! tsr_shard_of(x, 0, &s). Errors, false and *out untouched: k out of range
    !! (TSR_ERROR_ARGUMENT), more than 8 dims (TSR_ERROR_UNSUPPORTED).
    function tsr_shard_of_at(where, x, k, &
      out) bind(c, name='tsr_shard_of_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: k
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> The k-th shard as an array on its device, without padding. Errors: k out of
    !! range, the shard is in another process.
    function tsr_shard_data_at(where, x, &
      k) bind(c, name='tsr_shard_data_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: k
      type(c_ptr) :: made
    end function
    !> The memory of the k-th shard, without a copy: where its element 0, 0, ... is, and
    !! in strides_out (8 numbers, or NULL) the bytes from one index to the next. Read
    !! only, valid while the handle lives. NULL on failure: k out of range, the shard is
    !! in another process, more than 8 dims. A shard without elements also gives NULL,
    !! without an error.
    function tsr_shard_borrow_at(where, x, k, &
      strides_out) bind(c, name='tsr_shard_borrow_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: k
      type(c_ptr), value :: strides_out
      type(c_ptr) :: made
    end function
    !> Does every device of its sharding hold all of x?
    function tsr_is_fully_replicated_c( &
      x) bind(c, name='tsr_is_fully_replicated') result(made)
      import
      type(c_ptr), value :: x
      logical(c_bool) :: made
    end function
    !> One array made of pieces: pieces[k] is an array on the k-th of this process's
    !! devices, in the order of the sharding, and has the dims of that device's part:
    !! tsr_from_shards(ctx, sharding, TSR_DIMS(8, 2), pieces, 8). A process without
    !! devices of the sharding gives one piece, of which only the dtype counts. Nothing
    !! is exchanged. Errors (TSR_ERROR_SHARDING, TSR_ERROR_TYPE): a wrong number of
    !! pieces, dims, dtypes or devices that do not fit, a piece with several shards.
    function tsr_from_shards_at(where, ctx, sharding, dims, pieces, &
      n) bind(c, name='tsr_from_shards_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: sharding
      type(tsr_dims), value :: dims
      type(c_ptr), value :: pieces
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> An array of which each process gives what its devices need, as one block: of rows
    !! that are split over eight devices, two of them here, tsr_from_local(sharding, x,
    !! TSR_DIMS(4096, 64)) takes an f32[1024,64]. Along each dim x has all of the array,
    !! or the parts that devices of this process have, one behind the other in their
    !! order, each once. x is on one device, or the same on several; what a process
    !! without devices of the sharding gives is not looked at, but for its dtype and
    !! rank. Nothing is exchanged: devices of several processes with the same part must
    !! be given the same. Errors: another rank, or a dim of x that is neither
    !! (TSR_ERROR_TYPE).
    function tsr_from_local_at(where, sharding, x, &
      dims) bind(c, name='tsr_from_local_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: sharding
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> Opens n .npy files with as many rows each, which are the indices of dim 0, to
    !! give `rows` of them at a time: tsr_batches_open(ctx, paths, 2, 128, .key = key).
    !! Never NULL; on failure there are none. Errors: a file that cannot be read, is no
    !! .npy file, or is changed while it is open (TSR_ERROR_FILE); a dtype that is none
    !! of ours, or an array with its first dim innermost (TSR_ERROR_UNSUPPORTED); no
    !! dims, or other numbers of rows than the first file has (TSR_ERROR_TYPE); fewer
    !! than one row, or more than the files have without .short_last
    !! (TSR_ERROR_ARGUMENT); a spec that does not fit the mesh or an array
    !! (TSR_ERROR_SHARDING).
    function tsr_batches_open_at(where, ctx, paths, n, rows, &
      args) bind(c, name='tsr_batches_open_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: paths
      integer(c_size_t), value :: n
      integer(c_int64_t), value :: rows
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The next batch, an array for each file, in their order: tsr *xy[2]; while
    !! (tsr_batches_next(b, xy, 2)). The arrays are valid until the next call or the end
    !! of the batches; tsr_set() keeps one longer. False at the end of an epoch, after
    !! which the next call begins another; and on failure, which tsr_ok() tells apart.
    !! Then out holds poison. Errors: n is not the number of files (TSR_ERROR_ARGUMENT),
    !! a file could not be read (TSR_ERROR_FILE), the batches are closed, or a body is
    !! being traced (TSR_ERROR_HANDLE).
    function tsr_batches_next_at(where, b, out, &
      n) bind(c, name='tsr_batches_next_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: b
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> How many batches an epoch has. 0 where they could not be opened.
    function tsr_batches_count_c(b) bind(c, name='tsr_batches_count') result(made)
      import
      type(c_ptr), value :: b
      integer(c_int64_t) :: made
    end function
    !> Closes the files, ends the thread, and gives memory back. NULL is allowed.
    subroutine tsr_batches_close_c(b) bind(c, name='tsr_batches_close')
      import
      type(c_ptr), value :: b
    end subroutine
    !> A fn that calls a host function whose results depend on its operands alone, and
    !! which does nothing else: tsr_pure_callback(ctx, solve, .results =
    !! TSR_RESULTS({TSR_F32, TSR_DIMS(64)})). It need not be called where its results
    !! are not used, and devices with the same operands may share a call. It has no
    !! derivative (TSR_ERROR_UNSUPPORTED): put tsr_stop_gradient() around its operands,
    !! or compute the derivative in another way. Errors: a NULL function, results
    !! without dims (TSR_ERROR_ARGUMENT).
    function tsr_pure_callback_at(where, ctx, function, text, &
      args) bind(c, name='tsr_pure_callback_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: function
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A fn that calls a host function with effects, such as one that reads a file or
    !! sends a message: tsr_io_callback(ctx, next_batch, .results = ...). It is called
    !! whether its results are used or not. In a mapped region they may differ on all
    !! devices. Otherwise as tsr_pure_callback().
    function tsr_io_callback_at(where, ctx, function, text, &
      args) bind(c, name='tsr_io_callback_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: function
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A fn without results that calls a host function which looks at values:
    !! tsr_call_into(TSR_NO_OUT, tsr_debug_callback(ctx, look), x). Derivatives pass it
    !! by: it sees values, not tangents. Otherwise as tsr_io_callback(). Error
    !! (TSR_ERROR_ARGUMENT): .results are given.
    function tsr_debug_callback_at(where, ctx, function, text, &
      args) bind(c, name='tsr_debug_callback_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: function
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Prints values to stdout, and then a newline, each time that the program runs:
    !! tsr_debug_print("step {}: loss = {:.3f}", i, loss). format is as in Python's
    !! str.format(): {} is the next value, {0} the first one, {{ and }} are braces.
    !! Values are printed as tsr_print() does, or as a format spec behind a colon says,
    !! [[fill]align][sign][#][0][width][group][.precision] [type], which means what it
    !! means there: fill, align a character, and < > ^, or = (behind the sign) {:*^12}
    !! sign, 0 + - or a space; zeros behind the sign {:+08.2f} group , or _ between
    !! groups of digits {:,} type of floats e E f F g G %, of integers these without a
    !! precision too, and b d o x X (# puts 0b, 0o, 0x in front) {:.1%} {:#x} A spec is
    !! for scalars. An array, or any value, has the spec of its text behind !s, with
    !! fill, align, width and the most characters: {!s:>40}. Not supported: the types c
    !! and n, # of floats, !r, and places with names, members or places inside. Outside
    !! bodies it prints at once. In a mapped region every device prints its blocks, in
    !! the order of the devices; under tsr_vmap() every element that differs;
    !! derivatives pass it by. Arguments are handles and C numbers. Errors
    !! (TSR_ERROR_ARGUMENT): a place without a value, a value without a place, braces
    !! that do not match, a spec that the value does not have.
    subroutine tsr_debug_print_at(where, format, args, &
      n) bind(c, name='tsr_debug_print_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: format
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
    end subroutine
    !> An error (TSR_ERROR_USER) at this line, each time that the program runs and an
    !! element of x is infinite or no number: tsr_check_finite(loss, "the loss"). It
    !! tells the first such element, its index, and in a mapped region the device. what:
    !! what the message calls x; NULL is legal. x passes as it is: derivatives pass the
    !! check by, and under tsr_vmap() it is made for every element. Error
    !! (TSR_ERROR_TYPE): x is not of floating or complex dtype.
    subroutine tsr_check_finite_at(where, x, what) bind(c, name='tsr_check_finite_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: what
    end subroutine
    !> Saves the leaves of a tree, by their paths, as the checkpoint of a step in a
    !! folder, which is made if it is not there: tsr_checkpoint_save("run", 100,
    !! TSR_TREE(mlp, &w)). Collective. The one before must be complete, and is waited
    !! for. false on failure; then the folder is as it was. Errors: a step below 0, or
    !! one that is there already, or a tree that differs between processes
    !! (TSR_ERROR_ARGUMENT); a leaf of c128 (TSR_ERROR_UNSUPPORTED); a file that cannot
    !! be written (TSR_ERROR_FILE); leaves as for tsr_read().
    function tsr_checkpoint_save_at(where, dir, step, tree, &
      args) bind(c, name='tsr_checkpoint_save_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: dir
      integer(c_int64_t), value :: step
      type(tsr_tree), value :: tree
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> Replaces the leaves of a tree by those of a checkpoint, which have the same
    !! paths, dtypes and dims: tsr_checkpoint_load("run", 100, TSR_TREE(mlp, &w), .mesh
    !! = mesh, .spec = TSR_FOR_EACH(s)). An absent leaf is loaded with any dtype and
    !! dims, or stays absent if it was saved so. Each process reads the bytes that its
    !! devices need, and checks the hash of each MiB that it reads whole. Collective.
    !! false on failure; `like` is then unchanged. Errors: there is no such checkpoint,
    !! or it is damaged, or lacks a leaf (TSR_ERROR_FILE); a leaf of other dims or
    !! another dtype (TSR_ERROR_TYPE); a number of specs that is not that of the leaves
    !! (TSR_ERROR_ARGUMENT); as tsr_put() for specs.
    function tsr_checkpoint_load_at(where, dir, step, like, &
      args) bind(c, name='tsr_checkpoint_load_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: dir
      integer(c_int64_t), value :: step
      type(tsr_tree), value :: like
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The highest step of the complete checkpoints in a folder; -1: there is none, or
    !! an error (of TSR_ERROR_FILE, the folder cannot be read). Folders without a sound
    !! index are left out. Collective: tsr_checkpoint_latest(ctx, "run").
    function tsr_checkpoint_latest_at(where, ctx, &
      dir) bind(c, name='tsr_checkpoint_latest_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: dir
      integer(c_int64_t) :: made
    end function
    !> Waits until the checkpoint that is being saved with .async is complete.
    !! Collective. false: it failed (TSR_ERROR_FILE). True if there is none:
    !! tsr_checkpoint_wait(ctx).
    function tsr_checkpoint_wait_at(where, &
      ctx) bind(c, name='tsr_checkpoint_wait_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      logical(c_bool) :: made
    end function
    !> The checkpoints in a folder, a line for each, by step:
    !! fputs(tsr_checkpoint_text(ctx, "run"), stdout). Valid until the innermost scope
    !! ends. Error (TSR_ERROR_FILE, gives ""): the folder cannot be read. Local.
    function tsr_checkpoint_text_at(where, ctx, &
      dir) bind(c, name='tsr_checkpoint_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: dir
      type(c_ptr) :: made
    end function
    !> Reads a checkpoint, every byte of it, and checks its hashes:
    !! tsr_checkpoint_verify(ctx, "run", 100). false: it is not sound; the error says
    !! which file is damaged, and where (TSR_ERROR_FILE). Local.
    function tsr_checkpoint_verify_at(where, ctx, dir, &
      step) bind(c, name='tsr_checkpoint_verify_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: dir
      integer(c_int64_t), value :: step
      logical(c_bool) :: made
    end function
    !> The sum over all i, by a fixed binary tree over i (docs/numerics.md); bool as
    !! i32. Does not vary over the axes, except with groups, which may differ in size.
    !! tsr_psum(x, "x*y")
    function tsr_psum_at(where, x, axis, &
      args) bind(c, name='tsr_psum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_psum() divided by n; 16-bit floats in f32, rounded once; integers and bool
    !! give f32, integers of 64 bits f64. Groups are of one size.
    function tsr_pmean_at(where, x, axis, &
      args) bind(c, name='tsr_pmean_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The largest x[i] over all i along an axis, in the dtype of x, compared as by
    !! tsr_maximum(): tsr_pmax(x, "x"). Otherwise as tsr_psum().
    function tsr_pmax_at(where, x, axis, &
      args) bind(c, name='tsr_pmax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The smallest x[i] over all i along an axis, in the dtype of x, compared as by
    !! tsr_minimum(): tsr_pmin(x, "x"). Otherwise as tsr_psum().
    function tsr_pmin_at(where, x, axis, &
      args) bind(c, name='tsr_pmin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> All x[i] in order of i: stacked along a new dim of size n, or with .tiled
    !! concatenated along a dim, whose size is multiplied by n. tsr_all_gather(x, "x",
    !! .dim = TSR_DIMS(0), .tiled = true)
    function tsr_all_gather_at(where, x, axis, &
      args) bind(c, name='tsr_all_gather_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The sum over all devices, of which each keeps its part along a dim:
    !! tsr_psum_scatter(x, "x", .dim = TSR_DIMS(1), .tiled = true).
    function tsr_psum_scatter_at(where, x, axis, &
      args) bind(c, name='tsr_psum_scatter_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Device i cuts x into n parts along dim .split, sends part j to device j, and puts
    !! what comes from j at place j along dim .concat: tsr_all_to_all(x, "x", .split =
    !! TSR_DIMS(1), .tiled = true).
    function tsr_all_to_all_at(where, x, axis, &
      args) bind(c, name='tsr_all_to_all_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Exchanges an axis with a dim of size n: tsr_all_to_all() with .split and .concat
    !! this dim, not tiled. tsr_pswapaxes(x, "x", 0)
    function tsr_pswapaxes_at(where, x, axis, dim, &
      args) bind(c, name='tsr_pswapaxes_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      integer(c_int), value :: dim
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Device d gets x[s] for each pair {s, d}. A device that is no destination gets
    !! zeros: tsr_ppermute(x, "x", TSR_SHIFT(1)). Error (TSR_ERROR_ARGUMENT): a source
    !! or a destination that occurs twice, or is not one of 0 .. n - 1.
    function tsr_ppermute_at(where, x, axis, perm, &
      args) bind(c, name='tsr_ppermute_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(tsr_perm), value :: perm
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Device i gets x[source[i]]; source is a permutation of 0 .. n - 1 and count is n:
    !! tsr_pshuffle(x, "x", order, 4).
    function tsr_pshuffle_at(where, x, axis, source, count, &
      args) bind(c, name='tsr_pshuffle_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: source
      integer(c_size_t), value :: count
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Every device gets x[source], 0 <= source < n: tsr_pbroadcast(x, "x", 0, .to =
    !! TSR_TO_INVARYING).
    function tsr_pbroadcast_at(where, x, axis, source, &
      args) bind(c, name='tsr_pbroadcast_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      integer(c_int), value :: source
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Device i sends send_sizes[j] rows of operand, from row input_offsets[j] on, to
    !! device j. There they go into the result from row output_offsets[j] on, with the
    !! output_offsets of device i. Rows that nobody writes are those of output.
    !! recv_sizes[j]: how many rows come from j. operand and output have the same dtype,
    !! and the same dims except dim 0. The four lists are integers of dims [n], or [m *
    !! n] for m pieces for each device. Gradients are right if recv_sizes is, and if no
    !! row is sent twice or written twice. tsr_ragged_all_to_all(operand, output,
    !! input_offsets, send_sizes, output_offsets, recv_sizes, "x")
    function tsr_ragged_all_to_all_at(where, operand, output, input_offsets, &
      send_sizes, output_offsets, recv_sizes, axis, &
      args) bind(c, name='tsr_ragged_all_to_all_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: operand
      type(c_ptr), value :: output
      type(c_ptr), value :: input_offsets
      type(c_ptr), value :: send_sizes
      type(c_ptr), value :: output_offsets
      type(c_ptr), value :: recv_sizes
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The device's own i, an i32 scalar: tsr_axis_index(x, "x"), where x only says
    !! which context.
    function tsr_axis_index_at(where, ctx, axis, &
      args) bind(c, name='tsr_axis_index_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> n, known while tracing: tsr_axis_size(x, "x*y"). Groups are of one size. 0 on
    !! failure.
    function tsr_axis_size_at(where, ctx, axis, &
      args) bind(c, name='tsr_axis_size_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      integer(c_int64_t) :: made
    end function
    !> x, typed as varying over the axes. Nothing is moved, so there are no groups:
    !! tsr_pcast(x, "x", .to = TSR_TO_VARYING). Errors (TSR_ERROR_SHARDING): x varies
    !! over one of them already; .to is TSR_TO_INVARYING, which only a collective can
    !! make true.
    function tsr_pcast_at(where, x, axis, &
      args) bind(c, name='tsr_pcast_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: axis
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Opens a context: tsr_open(.devices = 8), tsr_open(). On failure (devices < 1,
    !! unknown engine, unknown letter of .debug, a wrong number of workers or bytes, a
    !! wrong .dtype or other keyword, no compiler where one is required, no memory)
    !! returns a static dead context: every call on it gives poison, and tsr_close()
    !! gives the code of the failure, unless another error that belongs to no context
    !! followed. The code itself: tsr_open(.devices = 8, .code = &code).
    function tsr_open_at(where, args) bind(c, name='tsr_open_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Sets where messages go that belong to no context or to one without a .log: to
    !! log, with levels as for .log, or if that is NULL to stderr, as at the start.
    !! Holds for the whole process. Any thread may call this, and log may be called on
    !! any thread.
    subroutine tsr_log_to_c(log, user) bind(c, name='tsr_log_to')
      import
      type(c_funptr), value :: log
      type(c_ptr), value :: user
    end subroutine
    !> Ends all scopes, frees everything the context owns, and returns the code of its
    !! first error (enum tsr_code, 0 for none), which is fit for an exit status. An
    !! error that nobody has read is logged. NULL is legal and returns 0.
    function tsr_close_c(ctx) bind(c, name='tsr_close') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int) :: made
    end function
    !> The context of a handle, also of a stale one; NULL of NULL.
    function tsr_ctx_of_c(x) bind(c, name='tsr_ctx_of') result(made)
      import
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The context that a mesh was made in; NULL where the mesh is NULL.
    function tsr_mesh_ctx_c(mesh) bind(c, name='tsr_mesh_ctx') result(made)
      import
      type(c_ptr), value :: mesh
      type(c_ptr) :: made
    end function
    !> The context that a fn was made in; NULL where the fn is NULL.
    function tsr_fn_ctx_c(fn) bind(c, name='tsr_fn_ctx') result(made)
      import
      type(c_ptr), value :: fn
      type(c_ptr) :: made
    end function
    !> The context of a body in the frame form; NULL of NULL.
    function tsr_frame_ctx_c(frame) bind(c, name='tsr_frame_ctx') result(made)
      import
      type(c_ptr), value :: frame
      type(c_ptr) :: made
    end function
    !> Code of the first error since the context was opened or cleared: enum tsr_code, 0
    !! for none. The error of a call whose context, mesh, fn or handles are all NULL
    !! belongs to the context that is tracing on the thread; if none is, to the context
    !! that the thread opened or used last, if there is exactly one of these; otherwise
    !! to the dead context. NULL gives TSR_ERROR_ARGUMENT.
    function tsr_status_c(ctx) bind(c, name='tsr_status') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int) :: made
    end function
    !> Text of that error, "file.c:12: text" and notes in lines of their own; "" for
    !! none. Valid until the context is cleared or closed.
    function tsr_message_c(ctx) bind(c, name='tsr_message') result(made)
      import
      type(c_ptr), value :: ctx
      type(c_ptr) :: made
    end function
    !> Forgets the error, so that the next one counts as the first. Poison stays poison:
    !! using it is a new error (TSR_ERROR_HANDLE), whose text contains that of the
    !! cleared one.
    subroutine tsr_clear_c(ctx) bind(c, name='tsr_clear')
      import
      type(c_ptr), value :: ctx
    end subroutine
    !> Code of the error that was cleared last; 0: none was.
    function tsr_cleared_c(ctx) bind(c, name='tsr_cleared') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int) :: made
    end function
    !> Ends the run in progress before its next step, or the next run if there is none:
    !! it fails with TSR_ERROR_CANCELLED, and its results are poison; arrays that were
    !! donated to it are gone. May be called from any thread, and from signal handlers.
    !! Most steps take microseconds to milliseconds; a long one, such as a large
    !! product, is done first. NULL is ignored.
    subroutine tsr_cancel_c(ctx) bind(c, name='tsr_cancel')
      import
      type(c_ptr), value :: ctx
    end subroutine
    !> Raises an error (TSR_ERROR_USER) with this text and returns poison: in a body,
    !! `return tsr_fail(x, "rate < 0");`.
    function tsr_fail_at(where, ctx, text) bind(c, name='tsr_fail_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: text
      type(c_ptr) :: made
    end function
    !> The handle in place of a value that could not be made.
    function tsr_poison_c(ctx) bind(c, name='tsr_poison') result(made)
      import
      type(c_ptr), value :: ctx
      type(c_ptr) :: made
    end function
    !> Whether x is poison, the handle in place of a value that could not be made; also
    !! true of NULL. Looking records nothing.
    function tsr_is_poison_c(x) bind(c, name='tsr_is_poison') result(made)
      import
      type(c_ptr), value :: x
      logical(c_bool) :: made
    end function
    !> Fills a record, whose .size says how much of it the caller knows. NULL as
    !! context: zeros.
    subroutine tsr_memory_fill_c(ctx, info) bind(c, name='tsr_memory_fill')
      import
      type(c_ptr), value :: ctx
      type(c_ptr), value :: info
    end subroutine
    !> Bytes in use, their peak, and bytes held, buffers and programs included:
    !! tsr_memory(ctx).peak.
    function tsr_memory_c(ctx) bind(c, name='tsr_memory') result(made)
      import
      type(c_ptr), value :: ctx
      type(tsr_memory_info) :: made
    end function
    !> Fills a record that begins with its own size, and gives true. The texts live
    !! until tsr_close(). Error (TSR_ERROR_ARGUMENT, gives false): info is NULL, or its
    !! size is 0. tsr_engine_info e = {.size = sizeof e}; if (tsr_engine(ctx, &e) &&
    !! !e.compiles) printf("interpreted: %s\n", e.why_not);
    function tsr_engine_c(ctx, info) bind(c, name='tsr_engine') result(made)
      import
      type(c_ptr), value :: ctx
      type(c_ptr), value :: info
      logical(c_bool) :: made
    end function
    !> Which of the processes of the context this one is, from 0; 0 where there is one,
    !! and of NULL.
    function tsr_process_c(ctx) bind(c, name='tsr_process') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int) :: made
    end function
    !> How many processes the context has: 1 unless it was opened with a .comm, and of
    !! NULL.
    function tsr_process_count_c(ctx) bind(c, name='tsr_process_count') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int) :: made
    end function
    !> How many devices the context has, those of all its processes together.
    function tsr_device_count_c(ctx) bind(c, name='tsr_device_count') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int64_t) :: made
    end function
    !> Fills a record, whose .size says how much of it the caller knows.
    subroutine tsr_device_fill_c(ctx, k, info) bind(c, name='tsr_device_fill')
      import
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: k
      type(c_ptr), value :: info
    end subroutine
    !> The k-th device, 0 <= k < tsr_device_count(); id -1 for another k.
    function tsr_device_c(ctx, k) bind(c, name='tsr_device') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: k
      type(tsr_device_info) :: made
    end function
    !> The name of a device by its id, "cpu:0"; "" for another id. Valid until the
    !! innermost scope ends.
    function tsr_device_text_c(ctx, id) bind(c, name='tsr_device_text') result(made)
      import
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: id
      type(c_ptr) :: made
    end function
    !> Opens a scope: it owns the handles made while it is the innermost one, and
    !! releases them when it ends. NULL when there is no memory (an error is recorded).
    !! In C, `TSR_SCOPE(ctx);` opens one that ends with the block.
    function tsr_scope_open_c(ctx) bind(c, name='tsr_scope_open') result(made)
      import
      type(c_ptr), value :: ctx
      type(c_ptr) :: made
    end function
    !> Ends the scope and those opened inside it. Does nothing if scope is NULL or has
    !! ended.
    subroutine tsr_scope_close_c(scope) bind(c, name='tsr_scope_close')
      import
      type(c_ptr), value :: scope
    end subroutine
    !> What TSR_SCOPE() calls: a scope that its block ends, also when the context was
    !! closed before.
    function tsr_scope_open_c_(ctx) bind(c, name='tsr_scope_open_') result(made)
      import
      type(c_ptr), value :: ctx
      type(c_ptr) :: made
    end function
    !> Ends the scope and those opened inside it, and sets *scope to NULL. NULL, or
    !! ended already: nothing happens.
    subroutine tsr_scope_close_c_(scope) bind(c, name='tsr_scope_close_')
      import
      type(c_ptr), value :: scope
    end subroutine
    !> Moves a handle from the innermost scope, if that owns it, to the one around it,
    !! and returns it: `return tsr_keep(y);` out of a block with a TSR_SCOPE. Any other
    !! handle is returned as it is.
    function tsr_keep_c(x) bind(c, name='tsr_keep') result(made)
      import
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Makes *slot own a value: releases what it held, then holds its own handle to the
    !! same value, which no scope ends. *slot must be NULL or set by this call before.
    !! False, with an error, if the value is NULL, stale or poison, or there is no
    !! memory: the slot then keeps what it held, and an empty one gets poison.
    function tsr_set_at(where, slot, value) bind(c, name='tsr_set_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: slot
      type(c_ptr), value :: value
      logical(c_bool) :: made
    end function
    !> Releases what a slot holds, whether tsr_set() put it there or a scope owns it,
    !! and sets the slot to NULL: the handle has ended, and so have copies of it. A slot
    !! that holds NULL is left alone.
    subroutine tsr_drop_c(slot) bind(c, name='tsr_drop')
      import
      type(c_ptr), value :: slot
    end subroutine
    !> tsr_set() for each leaf; an absent (NULL) value drops its slot. False, and slots
    !! keep what they held, where one of the values cannot be set, or the numbers of
    !! leaves differ (TSR_ERROR_ARGUMENT).
    function tsr_set_tree_at(where, slots, &
      values) bind(c, name='tsr_set_tree_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: slots
      type(tsr_tree), value :: values
      logical(c_bool) :: made
    end function
    !> tsr_drop() of each leaf of a tree of slots, which are NULL afterwards.
    subroutine tsr_drop_tree_c(slots) bind(c, name='tsr_drop_tree')
      import
      type(tsr_tree), value :: slots
    end subroutine
    !> The result of true_fn on the arguments if pred is true, otherwise that of
    !! false_fn: tsr_cond(tsr_lt(x, 0), negate, same, x). Only one of them runs. pred is
    !! a scalar: bool, or a real number that counts as true where it is not 0. The
    !! functions take the same arguments and give results of the same types.
    function tsr_cond_at(where, pred, true_fn, false_fn, args, &
      n) bind(c, name='tsr_cond_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_arg), value :: pred
      type(tsr_body_c), value :: true_fn
      type(tsr_body_c), value :: false_fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> tsr_cond() for functions of any number of results, which go to the places:
    !! tsr_cond_into(TSR_OUT(&y, &z), pred, f, g, x).
    subroutine tsr_cond_into_at(where, outs, nout, pred, true_fn, false_fn, args, &
      n) bind(c, name='tsr_cond_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_arg), value :: pred
      type(tsr_body_c), value :: true_fn
      type(tsr_body_c), value :: false_fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
    end subroutine
    !> The result of one of several functions on the arguments: tsr_switch(i,
    !! TSR_BRANCHES(f, g, h), x). index is an integer scalar, and is clamped to 0 ..
    !! count - 1.
    function tsr_switch_at(where, index, branches, args, &
      n) bind(c, name='tsr_switch_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_arg), value :: index
      type(tsr_branches), value :: branches
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> tsr_switch() for functions of any number of results, which go to the places:
    !! tsr_switch_into(TSR_OUT(&y, &z), i, TSR_BRANCHES(f, g), x).
    subroutine tsr_switch_into_at(where, outs, nout, index, branches, args, &
      n) bind(c, name='tsr_switch_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_arg), value :: index
      type(tsr_branches), value :: branches
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
    end subroutine
    !> Starts with the arguments as the carry, and as long as cond_fn(carry), a bool
    !! scalar, is true, replaces the carry by body(carry): tsr_while(more, twice, x).
    !! Has no reverse derivative, because the number of steps is not known beforehand;
    !! tsr_scan() has one, and tsr_fori() with known bounds.
    function tsr_while_at(where, cond_fn, body, init, &
      n) bind(c, name='tsr_while_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_body_c), value :: cond_fn
      type(tsr_body_c), value :: body
      type(c_ptr), value :: init
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> tsr_while() for a carry of several values, of which body takes and returns as
    !! many: tsr_while_into(TSR_OUT(&x, &y), more, step, x, y).
    subroutine tsr_while_into_at(where, outs, nout, cond_fn, body, init, &
      n) bind(c, name='tsr_while_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_body_c), value :: cond_fn
      type(tsr_body_c), value :: body
      type(c_ptr), value :: init
      integer(c_size_t), value :: n
    end subroutine
    !> Replaces the carry by body(i, carry) for i = lower, lower + 1, .. upper - 1:
    !! tsr_fori(0, 10, body, x). i is a weak i32 scalar (i64 for bounds that need it),
    !! so that i8 + i is i8; if a bound is a handle, i has its dtype. If both bounds are
    !! C numbers, the number of steps is known and the loop is a scan; otherwise it is a
    !! while.
    function tsr_fori_at(where, lower, upper, body, init, &
      n) bind(c, name='tsr_fori_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_arg), value :: lower
      type(tsr_arg), value :: upper
      type(tsr_body_c), value :: body
      type(c_ptr), value :: init
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> tsr_fori() for a carry of several values, of which body takes and returns as
    !! many: tsr_fori_into(TSR_OUT(&x, &y), 0, 10, body, x, y).
    subroutine tsr_fori_into_at(where, outs, nout, lower, upper, body, init, &
      n) bind(c, name='tsr_fori_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_arg), value :: lower
      type(tsr_arg), value :: upper
      type(tsr_body_c), value :: body
      type(c_ptr), value :: init
      integer(c_size_t), value :: n
    end subroutine
    !> tsr_fori() with `unroll` steps written out for each turn of the loop,
    !! TSR_UNROLL_ALL: all. Then the bounds must be C numbers (else TSR_ERROR_ARGUMENT):
    !! tsr_fori_unrolled(4, 0, 16, body, x).
    function tsr_fori_unrolled_at(where, unroll, lower, upper, body, init, &
      n) bind(c, name='tsr_fori_unrolled_at') result(made)
      import
      type(c_ptr), value :: where
      integer(c_int), value :: unroll
      type(tsr_arg), value :: lower
      type(tsr_arg), value :: upper
      type(tsr_body_c), value :: body
      type(c_ptr), value :: init
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> tsr_fori_unrolled() for a carry of several values, of which body takes and
    !! returns as many.
    subroutine tsr_fori_unrolled_into_at(where, outs, nout, unroll, lower, upper, &
      body, init, n) bind(c, name='tsr_fori_unrolled_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      integer(c_int), value :: unroll
      type(tsr_arg), value :: lower
      type(tsr_arg), value :: upper
      type(tsr_body_c), value :: body
      type(c_ptr), value :: init
      integer(c_size_t), value :: n
    end subroutine
    !> Steps through xs along dim 0: step k replaces the carry, which begins as init, by
    !! what body(carry, xs[k]) returns first: tsr *total = tsr_scan(add, 0, x). init and
    !! xs are a handle or a tree each (init also a C number); one without leaves,
    !! TSR_NONE, is no argument of the body.
    function tsr_scan_at(where, body, init, xs, &
      args) bind(c, name='tsr_scan_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_body_c), value :: body
      type(tsr_arg), value :: init
      type(tsr_arg), value :: xs
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_scan() for any number of results: the carry goes to the first place, and what
    !! the body returns behind it is stacked along a new dim 0:
    !! tsr_scan_into(TSR_OUT(&carry, &ys), step, init, xs, .reverse = true). Without a
    !! carry all results are stacked.
    subroutine tsr_scan_into_at(where, outs, nout, body, init, xs, &
      args) bind(c, name='tsr_scan_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_body_c), value :: body
      type(tsr_arg), value :: init
      type(tsr_arg), value :: xs
      type(c_ptr), value :: args
    end subroutine
    !> body(x[k], y[k], ...) for each k, one after the other, stacked along a new dim 0:
    !! tsr_map(norm, x). tsr_vmap() computes the same at once, with more memory.
    function tsr_map_at(where, body, xs, n) bind(c, name='tsr_map_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_body_c), value :: body
      type(c_ptr), value :: xs
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> tsr_map() for a body of any number of results, each stacked along a new dim 0:
    !! tsr_map_into(TSR_OUT(&y, &z), body, x).
    subroutine tsr_map_into_at(where, outs, nout, body, xs, &
      n) bind(c, name='tsr_map_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_body_c), value :: body
      type(c_ptr), value :: xs
      integer(c_size_t), value :: n
    end subroutine
    !> tsr_map() over batches of `batch_size` elements, each computed at once as by
    !! tsr_vmap(); a last, smaller batch takes what is left over: tsr_map_batched(64,
    !! norm, x). The results are the same; it needs more memory than tsr_map() and less
    !! than tsr_vmap(). batch_size is at least 1.
    function tsr_map_batched_at(where, batch_size, body, xs, &
      n) bind(c, name='tsr_map_batched_at') result(made)
      import
      type(c_ptr), value :: where
      integer(c_int64_t), value :: batch_size
      type(tsr_body_c), value :: body
      type(c_ptr), value :: xs
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> tsr_map_batched() for a body of any number of results, each stacked along a new
    !! dim 0.
    subroutine tsr_map_batched_into_at(where, outs, nout, batch_size, body, xs, &
      n) bind(c, name='tsr_map_batched_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      integer(c_int64_t), value :: batch_size
      type(tsr_body_c), value :: body
      type(c_ptr), value :: xs
      integer(c_size_t), value :: n
    end subroutine
    !> All partial results of an associative function along a dim: element k is
    !! fn(..fn(x[0], x[1]) .., x[k]), in about 2 log2(n) calls of fn on whole arrays:
    !! tsr_associative_scan(add, x). fn(a, b) combines the elements of a and b place by
    !! place along the dim, and its result has the type of a. Elements are grouped as by
    !! jax.lax.associative_scan.
    function tsr_associative_scan_at(where, fn, elems, &
      args) bind(c, name='tsr_associative_scan_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_body_c), value :: fn
      type(tsr_arg), value :: elems
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_associative_scan() for a tree, which fn (in the frame form) takes twice and
    !! returns: tsr_associative_scan_into(TSR_OUT(TSR_TREE(pair, &r)), combine,
    !! TSR_TREE(pair, &p)).
    subroutine tsr_associative_scan_into_at(where, outs, nout, fn, elems, &
      args) bind(c, name='tsr_associative_scan_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_body_c), value :: fn
      type(tsr_arg), value :: elems
      type(c_ptr), value :: args
    end subroutine
    !> lax.reduce: init and the elements of x along the dims, combined by fn, which must
    !! be associative and commutative: tsr_reduce(larger, x, -INFINITY, .dims =
    !! TSR_DIMS(1)). fn(a, b) combines two arrays place by place, in about 2 log2(n)
    !! calls on whole halves; its result has the dims and the dtype of a. x is an array
    !! or a tree of arrays with the same dims, init a scalar or such a tree of them.
    function tsr_reduce_at(where, fn, x, init, &
      args) bind(c, name='tsr_reduce_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_body_c), value :: fn
      type(tsr_arg), value :: x
      type(tsr_arg), value :: init
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_reduce() for a tree, which fn (in the frame form) takes twice and returns:
    !! tsr_reduce_into(TSR_OUT(TSR_TREE(pair, &r)), best, TSR_TREE(pair, &p),
    !! TSR_TREE(pair, &init)).
    subroutine tsr_reduce_into_at(where, outs, nout, fn, x, init, &
      args) bind(c, name='tsr_reduce_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(tsr_body_c), value :: fn
      type(tsr_arg), value :: x
      type(tsr_arg), value :: init
      type(c_ptr), value :: args
    end subroutine
    !> lax.reduce_window by any fn, which is as that of tsr_reduce(): init and the
    !! elements of each window combined, where elements outside of x are init:
    !! tsr_reduce_window_by(larger, x, -INFINITY, TSR_DIMS(1, 3), .padding = TSR_SAME).
    !! Keywords and errors are those of tsr_reduce_window().
    function tsr_reduce_window_by_at(where, fn, x, init, window, &
      args) bind(c, name='tsr_reduce_window_by_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_body_c), value :: fn
      type(tsr_arg), value :: x
      type(tsr_arg), value :: init
      type(tsr_dims), value :: window
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> n numbers from start to stop in equal steps: tsr_linspace(ctx, 0, 1, 5). Error
    !! (TSR_ERROR_ARGUMENT): n < 0.
    function tsr_linspace_at(where, ctx, start, stop, n, &
      args) bind(c, name='tsr_linspace_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_arg), value :: start
      type(tsr_arg), value :: stop
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> n numbers, .base to the power of those of tsr_linspace(): tsr_logspace(ctx, 0, 3,
    !! 4) is 1, 10, 100, 1000. Error (TSR_ERROR_ARGUMENT): n < 0.
    function tsr_logspace_at(where, ctx, start, stop, n, &
      args) bind(c, name='tsr_logspace_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_arg), value :: start
      type(tsr_arg), value :: stop
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> n numbers from start to stop in equal ratios: tsr_geomspace(ctx, 1, 8, 4) is 1,
    !! 2, 4, 8. Error (TSR_ERROR_ARGUMENT): n < 0.
    function tsr_geomspace_at(where, ctx, start, stop, n, &
      args) bind(c, name='tsr_geomspace_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_arg), value :: start
      type(tsr_arg), value :: stop
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Bartlett's window of n numbers, which rises from 0 to 1 in one line and falls in
    !! another; f32 when no dtype is given.
    function tsr_bartlett_at(where, ctx, n, &
      args) bind(c, name='tsr_bartlett_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Blackman's window of n numbers, 0.42 - 0.5 cos(2 pi i / (n - 1)) + 0.08 cos(4 pi
    !! i / (n - 1)); f32 when no dtype is given.
    function tsr_blackman_at(where, ctx, n, &
      args) bind(c, name='tsr_blackman_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Hamming's window of n numbers, 0.54 - 0.46 cos(2 pi i / (n - 1)); f32 when no
    !! dtype is given.
    function tsr_hamming_at(where, ctx, n, &
      args) bind(c, name='tsr_hamming_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Hann's window of n numbers, 0.5 - 0.5 cos(2 pi i / (n - 1)); f32 when no dtype is
    !! given.
    function tsr_hanning_at(where, ctx, n, &
      args) bind(c, name='tsr_hanning_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Kaiser's window of n numbers, i0(beta sqrt(1 - (2 i / (n - 1) - 1)^2)) /
    !! i0(beta); f32 when no dtype is given.
    function tsr_kaiser_at(where, ctx, n, beta, &
      args) bind(c, name='tsr_kaiser_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      real(c_double), value :: beta
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Each element less the one before it along a dim; bool: whether they differ.
    !! tsr_diff(x, .n = 2). Errors: x without dims (TSR_ERROR_ARGUMENT).
    function tsr_diff_at(where, x, args) bind(c, name='tsr_diff_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The differences of neighbours of all elements of x, ravelled, [size - 1]:
    !! tsr_diff(tsr_ravel(x)).
    function tsr_ediff1d_at(where, x) bind(c, name='tsr_ediff1d_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Slopes along a dim: (x[i + 1] - x[i - 1]) / 2 h, at the ends the difference of
    !! the last two over h. h is the distance, or an array of one dim with the places of
    !! elements: tsr_gradient(x, 0, 1.0). Errors (TSR_ERROR_TYPE): less than two
    !! elements, places of another size.
    function tsr_gradient_at(where, x, dim, &
      h) bind(c, name='tsr_gradient_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(tsr_arg), value :: h
      type(c_ptr) :: made
    end function
    !> The area below the lines between the values, along a dim: tsr_trapezoid(y, .dx =
    !! 0.1).
    function tsr_trapezoid_at(where, y, &
      args) bind(c, name='tsr_trapezoid_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: y
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Angles without jumps: a step along the dim of more than half a period is taken as
    !! one of less. Not complex.
    function tsr_unwrap_at(where, x, args) bind(c, name='tsr_unwrap_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The value of a polynomial at each element of x, p[0] x^(n - 1) + ... + p[n - 1],
    !! with the dims of x.
    function tsr_polyval_at(where, p, x) bind(c, name='tsr_polyval_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: p
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The coefficients of the sum of two polynomials, as many as the longer of a and b
    !! has.
    function tsr_polyadd_at(where, a, b) bind(c, name='tsr_polyadd_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The coefficients of the polynomial a less the polynomial b, as many as the longer
    !! one has.
    function tsr_polysub_at(where, a, b) bind(c, name='tsr_polysub_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The coefficients of the product of two polynomials, in floats: tsr_polymul(a, b)
    !! of [m] and [n] is [m + n - 1].
    function tsr_polymul_at(where, a, b) bind(c, name='tsr_polymul_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The m-th derivative of a polynomial, in floats: tsr_polyder(p, 1). Error
    !! (TSR_ERROR_ARGUMENT): m < 0.
    function tsr_polyder_at(where, p, m) bind(c, name='tsr_polyder_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: p
      integer(c_int), value :: m
      type(c_ptr) :: made
    end function
    !> The m-th integral of a polynomial, with 0 as the constants, in floats:
    !! tsr_polyint(p, 1). Error (TSR_ERROR_ARGUMENT): m < 0.
    function tsr_polyint_at(where, p, m) bind(c, name='tsr_polyint_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: p
      integer(c_int), value :: m
      type(c_ptr) :: made
    end function
    !> The polynomial with these zeros and 1 as its first coefficient, in floats; with
    !! no zeros, the number 1.
    function tsr_poly_at(where, zeros) bind(c, name='tsr_poly_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: zeros
      type(c_ptr) :: made
    end function
    !> The n - 1 zeros of a polynomial, complex; those that are 0 come last. For each
    !! coefficient in front that is 0 there is one zero less, and a NaN at the end
    !! (strip_zeros=False): tsr_roots(p).
    function tsr_roots_at(where, p) bind(c, name='tsr_roots_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: p
      type(c_ptr) :: made
    end function
    !> Prints the report of a call to stdout: tsr_explain(f, a, b). It names, with lines
    !! of your source: each collective, the most expensive first, with its axes, bytes,
    !! number of times and expected time, for what it is, and what would remove it; what
    !! is made whole, with the reason of the operation; the memory of a device by line;
    !! where each value is, and why.
    subroutine tsr_explain_at(where, fn, args, n) bind(c, name='tsr_explain_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
    end subroutine
    !> Runs a call twice, the first time to make its machine code and the second time to
    !! measure it, and prints the report of tsr_explain() with what that took. Beside
    !! what is expected the report then has what the steps of each line took, of all
    !! workers together. Further errors: a fn that donates arguments
    !! (TSR_ERROR_ARGUMENT), a call while a body is traced (TSR_ERROR_HANDLE), a profile
    !! that is being written (TSR_ERROR_ARGUMENT).
    subroutine tsr_explain_measured_at(where, fn, args, &
      n) bind(c, name='tsr_explain_measured_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
    end subroutine
    !> The report as text: tsr_explain_text(f, a, b). Valid until the innermost scope
    !! ends; "" on failure.
    function tsr_explain_text_at(where, fn, args, &
      n) bind(c, name='tsr_explain_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> The report as JSON: an object with "name", "mesh", "costs" (the fields of
    !! tsr_costs), "collectives", "memory" and "values". Valid until the innermost scope
    !! ends; "" on failure.
    function tsr_explain_json_at(where, fn, args, &
      n) bind(c, name='tsr_explain_json_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> The report as one HTML page that needs no other file. Valid until the innermost
    !! scope ends; "" on failure.
    function tsr_explain_html_at(where, fn, args, &
      n) bind(c, name='tsr_explain_html_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Fills the record, of which .size says how much the caller knows: tsr_costs c =
    !! {.size = sizeof c}; tsr_fn_costs(f, &c, a, b). False, with zeros, on failure.
    function tsr_fn_costs_at(where, fn, costs, args, &
      n) bind(c, name='tsr_fn_costs_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: costs
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> Checks what a call exchanges, for tests: tsr_expect_collectives("psum=1
    !! all_gather=0 bytes<=4096", f, a, b). expected: conditions with blanks between
    !! them. A condition is a name, one of = < <= > >=, and a number. Names are those of
    !! primitives that exchange (psum, pmax, pmin, all_gather, psum_scatter, all_to_all,
    !! ragged_all_to_all, ppermute, pbroadcast, exchange, psort), `collectives` for all
    !! of them, and `bytes`. Those in a loop count once for each of its steps. False,
    !! with an error, where a condition is not true (TSR_ERROR_USER; the message ends
    !! with the report), or the text has something that is none (TSR_ERROR_ARGUMENT).
    function tsr_expect_collectives_at(where, expected, fn, args, &
      n) bind(c, name='tsr_expect_collectives_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: expected
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> A fn that runs the program in a text, which is copied.
    function tsr_parse_at(where, ctx, text) bind(c, name='tsr_parse_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: text
      type(c_ptr) :: made
    end function
    !> Reads the text of a program from a file, and makes a fn of it as tsr_parse()
    !! does: tsr_load_program(ctx, "double.tsr"). Also: the file is missing or
    !! unreadable (TSR_ERROR_FILE).
    function tsr_load_program_at(where, ctx, &
      path) bind(c, name='tsr_load_program_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: path
      type(c_ptr) :: made
    end function
    !> The text of a fn from tsr_parse() or tsr_load_program(), as the printer writes
    !! it: parsing it again gives an equal fn. Lives until tsr_close(). Error
    !! (TSR_ERROR_ARGUMENT, gives ""): another kind of fn, whose text depends on a call
    !! (tsr_fn_text()).
    function tsr_program_text_at(where, &
      fn) bind(c, name='tsr_program_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr) :: made
    end function
    !> The program of a fn from tsr_parse() or tsr_load_program() as a graph, in
    !! Graphviz' language, as tsr_fn_graph(). Valid until the innermost scope ends.
    function tsr_program_graph_at(where, &
      fn) bind(c, name='tsr_program_graph_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr) :: made
    end function
    !> The program of a fn from tsr_parse() or tsr_load_program() after a pass of the
    !! compiler, as a fn that can be printed. Error (TSR_ERROR_ARGUMENT): another kind
    !! of fn, another pass.
    function tsr_program_pass_at(where, fn, &
      pass) bind(c, name='tsr_program_pass_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: pass
      type(c_ptr) :: made
    end function
    !> How many results a fn from tsr_parse() or tsr_load_program() gives; 0 for another
    !! kind of fn.
    function tsr_program_results_c( &
      fn) bind(c, name='tsr_program_results') result(made)
      import
      type(c_ptr), value :: fn
      integer(c_size_t) :: made
    end function
    !> The name of the k-th pass that tsr_program_pass() knows; NULL: there are no more.
    function tsr_pass_name_c(k) bind(c, name='tsr_pass_name') result(made)
      import
      integer(c_int64_t), value :: k
      type(c_ptr) :: made
    end function
    !> What the k-th pass makes of a program, in a few words; NULL: there are no more.
    function tsr_pass_meaning_c(k) bind(c, name='tsr_pass_meaning') result(made)
      import
      integer(c_int64_t), value :: k
      type(c_ptr) :: made
    end function
    !> All primitives of program text, in two lines each: its operands and parameters,
    !! and its meaning. `tsr prims` prints it. Belongs to the innermost scope.
    function tsr_prims_text_c(ctx) bind(c, name='tsr_prims_text') result(made)
      import
      type(c_ptr), value :: ctx
      type(c_ptr) :: made
    end function
    !> The discrete Fourier transform of x along one dim, complex: tsr_fft(x, .dim =
    !! TSR_DIMS(0)).
    function tsr_fft_at(where, x, args) bind(c, name='tsr_fft_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse of tsr_fft() along one dim, complex also where all imaginary parts
    !! are 0: tsr_ifft(y).
    function tsr_ifft_at(where, x, args) bind(c, name='tsr_ifft_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The first half of the transform of a real x: n / 2 + 1 elements. Complex x:
    !! TSR_ERROR_TYPE.
    function tsr_rfft_at(where, x, args) bind(c, name='tsr_rfft_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse of tsr_rfft() along one dim, n real numbers: tsr_irfft(y, .n = 7).
    function tsr_irfft_at(where, x, args) bind(c, name='tsr_irfft_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The real transform of a signal whose second half is the conjugate of the first,
    !! which x is.
    function tsr_hfft_at(where, x, args) bind(c, name='tsr_hfft_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse of tsr_hfft() along one dim, complex, of a real x: tsr_ihfft(y).
    function tsr_ihfft_at(where, x, args) bind(c, name='tsr_ihfft_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The discrete Fourier transform along several dims, one after the other:
    !! tsr_fftn(x, .dims = TSR_DIMS(0, 2)).
    function tsr_fftn_at(where, x, args) bind(c, name='tsr_fftn_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse of tsr_fftn() along the dims in .dims, complex: tsr_ifftn(y).
    function tsr_ifftn_at(where, x, args) bind(c, name='tsr_ifftn_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_rfft() along the last of the dims, tsr_fft() along the others.
    function tsr_rfftn_at(where, x, args) bind(c, name='tsr_rfftn_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse of tsr_rfftn() along the dims in .dims, real: tsr_irfftn(y, .lengths
    !! = TSR_DIMS(8, 7), .dims = TSR_DIMS(-2, -1)).
    function tsr_irfftn_at(where, x, args) bind(c, name='tsr_irfftn_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The discrete Fourier transform along the last two dims, tsr_fftn(x, .dims =
    !! TSR_DIMS(-2, -1)).
    function tsr_fft2_at(where, x, args) bind(c, name='tsr_fft2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse transform along the last two dims, tsr_ifftn(x, .dims = TSR_DIMS(-2,
    !! -1)).
    function tsr_ifft2_at(where, x, args) bind(c, name='tsr_ifft2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The transform of real numbers along the last two dims, tsr_rfftn(x, .dims =
    !! TSR_DIMS(-2, -1)).
    function tsr_rfft2_at(where, x, args) bind(c, name='tsr_rfft2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse transform to real numbers along the last two dims, tsr_irfftn(x,
    !! .dims = TSR_DIMS(-2, -1)).
    function tsr_irfft2_at(where, x, args) bind(c, name='tsr_irfft2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The frequencies of the elements of tsr_fft() of n samples: 0, 1, .. and then the
    !! negative ones, by n d. tsr_fftfreq(ctx, 8, .d = 0.1)
    function tsr_fftfreq_at(where, ctx, n, &
      args) bind(c, name='tsr_fftfreq_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The frequencies of the elements of tsr_rfft(), which are not negative: [n / 2 +
    !! 1], f32 when no dtype is given: tsr_rfftfreq(ctx, 8).
    function tsr_rfftfreq_at(where, ctx, n, &
      args) bind(c, name='tsr_rfftfreq_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The elements of x with frequency 0 moved from the front to the middle of the
    !! dims: tsr_fftshift(y).
    function tsr_fftshift_at(where, x, &
      args) bind(c, name='tsr_fftshift_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse of tsr_fftshift(): the zero frequency moves from the middle of each
    !! dim to the front.
    function tsr_ifftshift_at(where, x, &
      args) bind(c, name='tsr_ifftshift_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Angles in degrees, converted to radians: x pi / 180. Also complex.
    function tsr_deg2rad_at(where, x) bind(c, name='tsr_deg2rad_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Angles in radians, converted to degrees: 180 x / pi. Also complex.
    function tsr_rad2deg_at(where, x) bind(c, name='tsr_rad2deg_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The angle of a complex number, between -pi and pi; of real ones 0 or pi.
    function tsr_angle_at(where, x) bind(c, name='tsr_angle_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The logarithm of x to the base 2, a float: tsr_log2(x). Also complex.
    function tsr_log2_at(where, x) bind(c, name='tsr_log2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The logarithm of x to the base 10, a float: tsr_log10(x). Also complex.
    function tsr_log10_at(where, x) bind(c, name='tsr_log10_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> 1 / x for each element, in floats. Also complex.
    function tsr_reciprocal_at(where, &
      x) bind(c, name='tsr_reciprocal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The absolute value |x| of each element, in floats.
    function tsr_fabs_at(where, x) bind(c, name='tsr_fabs_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> a to the power b for each pair of elements, in floats. Also complex.
    function tsr_float_power_at(where, &
      ab) bind(c, name='tsr_float_power_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> sqrt(a^2 + b^2), which does not overflow on the way.
    function tsr_hypot_at(where, ab) bind(c, name='tsr_hypot_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> log(e^a + e^b), which does not overflow on the way.
    function tsr_logaddexp_at(where, ab) bind(c, name='tsr_logaddexp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> log2(2^a + 2^b) for each pair of elements, which does not overflow on the way.
    function tsr_logaddexp2_at(where, &
      ab) bind(c, name='tsr_logaddexp2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> sin(pi x) / (pi x); 1 at 0, with the derivatives there. Also complex.
    function tsr_sinc_at(where, x) bind(c, name='tsr_sinc_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The largest whole number <= a / b, in the dtype of a and b; x / 0 is that of
    !! tsr_div() for floats, and for integers one less where a < 0. tsr_floor_divide(x,
    !! 3)
    function tsr_floor_divide_at(where, &
      ab) bind(c, name='tsr_floor_divide_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> What tsr_floor_divide() leaves, with the sign of b; of integers 0 for b = 0.
    function tsr_remainder_at(where, ab) bind(c, name='tsr_remainder_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> tsr_floor_divide() and tsr_remainder(), to out[0] and out[1]. false: both are
    !! poison.
    function tsr_divmod_at(where, a, b, &
      out) bind(c, name='tsr_divmod_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_arg), value :: a
      type(tsr_arg), value :: b
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> What a / b towards 0 leaves, with the sign of a; of integers 0 for b = 0.
    function tsr_fmod_at(where, ab) bind(c, name='tsr_fmod_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The whole number next to x towards 0; integers are left as they are.
    function tsr_trunc_at(where, x) bind(c, name='tsr_trunc_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The nearest whole number as a float, ties to even. Complex: each part.
    function tsr_rint_at(where, x) bind(c, name='tsr_rint_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The greatest common divisor of a and b, which is not negative; 0 where both are.
    !! Integers. It has no derivative in reverse mode.
    function tsr_gcd_at(where, ab) bind(c, name='tsr_gcd_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The least common multiple, not negative; 0 where a or b is. Integers.
    function tsr_lcm_at(where, ab) bind(c, name='tsr_lcm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The upper half of the bits of the product a b, in the dtype of a and b. Integers.
    function tsr_mulhi_at(where, ab) bind(c, name='tsr_mulhi_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> x - trunc(x) and trunc(x), to out[0] and out[1]. false: both are poison.
    function tsr_modf_at(where, x, out) bind(c, name='tsr_modf_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> How many bits of |x| are set, for each element, u8. Integers and bool.
    function tsr_bitwise_count_at(where, &
      x) bind(c, name='tsr_bitwise_count_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x as m 2^e with 1/2 <= |m| < 1: m to out[0], and e, i32, to out[1]; of 0,
    !! infinities and NaN x and 0. false: both are poison.
    function tsr_frexp_at(where, x, out) bind(c, name='tsr_frexp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> a 2^b for each pair of elements, a as floats and b of integers. Error
    !! (TSR_ERROR_TYPE): a b that is not of integers.
    function tsr_ldexp_at(where, ab) bind(c, name='tsr_ldexp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The distance from x to the number next to it, away from 0.
    function tsr_spacing_at(where, x) bind(c, name='tsr_spacing_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Is the sign bit set? bool; of integers: is x < 0?
    function tsr_signbit_at(where, x) bind(c, name='tsr_signbit_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> |a| with the sign bit of b, for each pair of elements, in floats.
    function tsr_copysign_at(where, ab) bind(c, name='tsr_copysign_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> 0 where a < 0, 1 where a > 0, b where a is 0.
    function tsr_heaviside_at(where, ab) bind(c, name='tsr_heaviside_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether each element is infinite, in a part where it is complex: bool. Also
    !! complex.
    function tsr_isinf_at(where, x) bind(c, name='tsr_isinf_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Whether each element is +infinite, a bool: tsr_isposinf(x).
    function tsr_isposinf_at(where, x) bind(c, name='tsr_isposinf_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Whether each element is -infinite, a bool: tsr_isneginf(x).
    function tsr_isneginf_at(where, x) bind(c, name='tsr_isneginf_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Whether the imaginary part of each element is other than 0: bool, false for real
    !! dtypes. Also complex.
    function tsr_iscomplex_at(where, x) bind(c, name='tsr_iscomplex_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Whether the imaginary part of each element is 0: bool, true for real dtypes. Also
    !! complex.
    function tsr_isreal_at(where, x) bind(c, name='tsr_isreal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The larger one of a and b, element by element; a number wins over NaN.
    function tsr_fmax_at(where, ab) bind(c, name='tsr_fmax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The smaller one of a and b, element by element; a number wins over NaN.
    function tsr_fmin_at(where, ab) bind(c, name='tsr_fmin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> 0 for NaN, the largest and the lowest number of the dtype for infinities.
    !! Complex: each part. tsr_nan_to_num(x, .nan = TSR_ARG(-1))
    function tsr_nan_to_num_at(where, x, &
      args) bind(c, name='tsr_nan_to_num_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> |a - b| <= atol + rtol |b|, or a == b; bool. NaN is close to nothing. NumPy's
    !! usual numbers: tsr_isclose(a, b, 1e-5, 1e-8). Also complex.
    function tsr_isclose_at(where, a, b, rtol, &
      atol) bind(c, name='tsr_isclose_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_arg), value :: a
      type(tsr_arg), value :: b
      real(c_double), value :: rtol
      real(c_double), value :: atol
      type(c_ptr) :: made
    end function
    !> Whether one of a and b is other than 0 and the other is not, for each pair of
    !! elements: a bool. Also complex.
    function tsr_logical_xor_at(where, &
      ab) bind(c, name='tsr_logical_xor_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The elements of the first of the n arrays whose condition is not 0, and
    !! `otherwise` where none is: tsr_select(conditions, x, 2, 0).
    function tsr_select_at(where, conditions, x, n, &
      otherwise) bind(c, name='tsr_select_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: conditions
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(tsr_arg), value :: otherwise
      type(c_ptr) :: made
    end function
    !> The elements of array number i, integers, of n: moved to the nearest one with
    !! TSR_CLIP, modulo n with TSR_WRAP. Error (TSR_ERROR_ARGUMENT): another mode.
    function tsr_choose_at(where, i, x, n, &
      mode) bind(c, name='tsr_choose_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: i
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      integer(c_int), value :: mode
      type(c_ptr) :: made
    end function
    !> The gamma function; NaN at negative whole numbers.
    function tsr_gamma_function_at(where, &
      x) bind(c, name='tsr_gamma_function_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The sign of the gamma function; NaN at negative whole numbers.
    function tsr_gammasgn_at(where, x) bind(c, name='tsr_gammasgn_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The logarithm of the gamma function, tsr_lgamma(x) for x > 0, else NaN.
    function tsr_log_gamma_at(where, x) bind(c, name='tsr_log_gamma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x! for each element, as gamma(x + 1); 0 where x is below 0.
    function tsr_factorial_at(where, x) bind(c, name='tsr_factorial_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The beta function gamma(a) gamma(b) / gamma(a + b).
    function tsr_beta_function_at(where, &
      ab) bind(c, name='tsr_beta_function_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The logarithm of the absolute value of tsr_beta_function(), for floats:
    !! tsr_betaln(a, b).
    function tsr_betaln_at(where, ab) bind(c, name='tsr_betaln_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> How many ways there are to choose b of a things; 0 outside.
    function tsr_comb_at(where, ab) bind(c, name='tsr_comb_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Pochhammer's symbol gamma(a + b) / gamma(a) for each pair of elements.
    function tsr_poch_at(where, ab) bind(c, name='tsr_poch_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The logarithm of the gamma function of d x d matrices: tsr_multigammaln(x, 3).
    !! Error (TSR_ERROR_ARGUMENT): d is less than 1.
    function tsr_multigammaln_at(where, x, &
      d) bind(c, name='tsr_multigammaln_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: d
      type(c_ptr) :: made
    end function
    !> The modified Bessel function of the first kind and order 0 of x; tsr_bessel_i0e()
    !! does not overflow.
    function tsr_i0_at(where, x) bind(c, name='tsr_i0_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The modified Bessel function of the first kind and order 1 of x; tsr_bessel_i1e()
    !! does not overflow.
    function tsr_i1_at(where, x) bind(c, name='tsr_i1_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Box and Cox' transform (a^b - 1) / b for each pair of elements, and log(a) for b
    !! = 0.
    function tsr_boxcox_at(where, ab) bind(c, name='tsr_boxcox_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Box and Cox' transform of 1 + a, tsr_boxcox(1 + a, b), exact where a is near 0.
    function tsr_boxcox1p_at(where, ab) bind(c, name='tsr_boxcox1p_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a log(b) for each pair of elements; 0 where a is 0, unless b is NaN.
    function tsr_xlogy_at(where, ab) bind(c, name='tsr_xlogy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a log(1 + b) for each pair of elements; 0 where a is 0, unless b is NaN.
    function tsr_xlog1py_at(where, ab) bind(c, name='tsr_xlog1py_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The entropy -x log(x) for each element; 0 at 0, and -inf below 0.
    function tsr_entr_at(where, x) bind(c, name='tsr_entr_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The relative entropy a log(a / b) for each pair of elements; 0 for a = 0 and b >=
    !! 0, inf outside.
    function tsr_rel_entr_at(where, ab) bind(c, name='tsr_rel_entr_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Kullback and Leibler's divergence tsr_rel_entr(a, b) - a + b, for each pair of
    !! elements.
    function tsr_kl_div_at(where, ab) bind(c, name='tsr_kl_div_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> log(x / (1 - x)) for each element, the inverse of tsr_logistic(). Also complex.
    function tsr_logit_at(where, x) bind(c, name='tsr_logit_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The normal distribution: the integral of its density up to x.
    function tsr_ndtr_at(where, x) bind(c, name='tsr_ndtr_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The logarithm of tsr_ndtr(), which does not underflow on the way.
    function tsr_log_ndtr_at(where, x) bind(c, name='tsr_log_ndtr_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The x with tsr_ndtr(x) = p; infinite at 0 and 1, NaN outside.
    function tsr_ndtri_at(where, p) bind(c, name='tsr_ndtri_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: p
      type(c_ptr) :: made
    end function
    !> Writes the leaves of a tree to a file. Absent leaves are left out:
    !! tsr_save(TSR_TREE(mlp, &w), "mlp.npz"). A .safetensors file is what the library
    !! of that name writes, with the larger dtypes first; an .npz file is what
    !! numpy.savez writes. In both, each array is aligned where the file is mapped.
    !! false on failure; then the file is as it was. Errors: an ending that is neither,
    !! two leaves of one name, a name that is no text (TSR_ERROR_ARGUMENT); a dtype that
    !! the format lacks, a build without the library that the format needs
    !! (TSR_ERROR_UNSUPPORTED); the file cannot be written (TSR_ERROR_FILE); what
    !! tsr_read() says of leaves.
    function tsr_save_at(where, tree, path, &
      args) bind(c, name='tsr_save_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: tree
      type(c_ptr), value :: path
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> Reads the arrays with the names of the leaves into the leaves of `to`. They have
    !! the dtypes and dims that the file says, which may hold others too:
    !! tsr_load(TSR_TREE(mlp, &w), "mlp.npz"), tsr_load(to, "model.safetensors", .names
    !! = TSR_NAMES("fc.weight", "fc.bias"), .turned = TSR_NAMES("fc.weight")). Each
    !! process reads for itself. false on failure; `to` is then unchanged. Errors: a
    !! file that is missing or malformed, or lacks a name (TSR_ERROR_FILE); dtypes and
    !! kinds of compression that are not supported (TSR_ERROR_UNSUPPORTED); an ending
    !! that is neither, a number of names or specs that is not that of the leaves
    !! (TSR_ERROR_ARGUMENT); as tsr_put() for specs.
    function tsr_load_at(where, to, path, &
      args) bind(c, name='tsr_load_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: to
      type(c_ptr), value :: path
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> Reads the array in a .npy file, with its dtype and dims, to the first device:
    !! tsr_load_npy(ctx, "x.npy"). Errors: a file that is missing, unreadable, truncated
    !! or malformed (TSR_ERROR_FILE), a dtype that is not supported
    !! (TSR_ERROR_UNSUPPORTED). Each process reads for itself.
    function tsr_load_npy_at(where, ctx, &
      path) bind(c, name='tsr_load_npy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: path
      type(c_ptr) :: made
    end function
    !> Reads an array from the n bytes of a .npy file in memory, which are copied:
    !! tsr_read_npy(ctx, bytes, n). Errors as tsr_load_npy().
    function tsr_read_npy_at(where, ctx, bytes, &
      n) bind(c, name='tsr_read_npy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: bytes
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Writes all of x, version 1 (2 for a long header), little endian, C order. false
    !! on failure: the file cannot be written (TSR_ERROR_FILE), or x cannot be read, as
    !! for tsr_read(). tsr_save_npy(x, "x.npy").
    function tsr_save_npy_at(where, x, &
      path) bind(c, name='tsr_save_npy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: path
      logical(c_bool) :: made
    end function
    !> What is in a file of arrays, .npy, .npz or .safetensors: a line for each array,
    !! in the order of the file, with its name, its type and its bytes:
    !! fputs(tsr_file_text(ctx, "mlp.npz"), stdout). Valid until the innermost scope
    !! ends. Errors as tsr_load(), gives "".
    function tsr_file_text_at(where, ctx, &
      path) bind(c, name='tsr_file_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: path
      type(c_ptr) :: made
    end function
    !> Numbers in columns of a text, on the first device, as numpy.loadtxt reads them:
    !! [rows, columns]; [rows] of one column, [columns] of one row, [] of one number,
    !! [0] of none. Empty lines are left out. tsr_load_text(ctx, "data.csv", .delimiter
    !! = ",", .skip = 1). Floats are what Python's float() reads, complex numbers 1+2j,
    !! whole numbers and bool (0 is false) have no point. Errors: a file that cannot be
    !! read, a text that is no number of the dtype, rows of different lengths
    !! (TSR_ERROR_FILE, with the number of the line); a delimiter of more than one
    !! character, a negative .skip (TSR_ERROR_ARGUMENT).
    function tsr_load_text_at(where, ctx, path, &
      args) bind(c, name='tsr_load_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: path
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> x for another library, which shares its memory and must not write there: the
    !! record says so (DLPACK_FLAG_BITMASK_READ_ONLY). x is on one device, or whole on
    !! each. The memory stays until `deleter` is called, also when tsr_close() comes
    !! before. In Python a PyCapsule with the name "dltensor_versioned" holds it. NULL
    !! on failure. Errors: x is split (TSR_ERROR_SHARDING: tsr_shard_data() gives each
    !! part), memory that the host cannot read (TSR_ERROR_UNSUPPORTED), what tsr_read()
    !! says.
    function tsr_to_dlpack_at(where, x) bind(c, name='tsr_to_dlpack_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x for a library that knows only the record of DLPack without a version, otherwise
    !! as tsr_to_dlpack(): in Python, a PyCapsule "dltensor". NumPy takes such memory as
    !! read only; others may write to it, and must not.
    function tsr_to_dlpack_old_at(where, &
      x) bind(c, name='tsr_to_dlpack_old_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> An array in the memory of another library, on the first device, without a copy.
    !! The memory must not change while the array lives; then the record's `deleter` is
    !! called, from any thread; on failure, at once. Errors: NULL, dims or strides that
    !! are none (TSR_ERROR_ARGUMENT); another version than 1, memory of another device
    !! than the host, dtypes that are none of ours (TSR_ERROR_UNSUPPORTED). tsr *x =
    !! tsr_from_dlpack(ctx, tensor);
    function tsr_from_dlpack_at(where, ctx, &
      from) bind(c, name='tsr_from_dlpack_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: from
      type(c_ptr) :: made
    end function
    !> An array in the memory of another library, from the record of DLPack without a
    !! version, otherwise as tsr_from_dlpack().
    function tsr_from_dlpack_old_at(where, ctx, &
      from) bind(c, name='tsr_from_dlpack_old_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: from
      type(c_ptr) :: made
    end function
    !> x @ kernel + bias: x [..., in], kernel [in, out ...], bias [out ...]. Also
    !! complex. tsr_linear(x, w.kernel, w.bias), tsr_linear(x, kernel, NULL)
    function tsr_linear_at(where, x, kernel, bias, &
      args) bind(c, name='tsr_linear_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: kernel
      type(c_ptr), value :: bias
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The rows of a table [n, features] that integers name, [..., features]:
    !! tsr_embed(words, table). Negative ones count from the end, as in tsr_take();
    !! others that name none give NaN, but if n is 1 all give that row. Further error
    !! (TSR_ERROR_TYPE): x is not of integers.
    function tsr_embed_at(where, x, table, &
      args) bind(c, name='tsr_embed_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: table
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A convolution: x [batch ..., spatial ..., in], with any number of dims as the
    !! batch, or none, kernel [window ..., in / groups, out], bias [out]: tsr_conv(x,
    !! kernel, bias, .strides = TSR_DIMS(2, 2)). Windows are those of
    !! tsr_conv_general_dilated(). Also complex. Further errors (TSR_ERROR_ARGUMENT):
    !! those of its keywords, TSR_CAUSAL along several dims.
    function tsr_conv_at(where, x, kernel, bias, &
      args) bind(c, name='tsr_conv_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: kernel
      type(c_ptr), value :: bias
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> By the mean and variance of each row, or of .dims: tsr_layer_norm(x, scale,
    !! bias).
    function tsr_layer_norm_at(where, x, scale, bias, &
      args) bind(c, name='tsr_layer_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: scale
      type(c_ptr), value :: bias
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> x / sqrt(mean of x^2 + epsilon) * scale: tsr_rms_norm(x, scale).
    function tsr_rms_norm_at(where, x, scale, &
      args) bind(c, name='tsr_rms_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: scale
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> By means over groups of as many features, the last dim, and over all dims but the
    !! first one: tsr_group_norm(x, 32, scale, bias). 0 groups: .group_size says. Error
    !! (TSR_ERROR_ARGUMENT): they do not divide the features.
    function tsr_group_norm_at(where, x, groups, scale, bias, &
      args) bind(c, name='tsr_group_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: groups
      type(c_ptr), value :: scale
      type(c_ptr), value :: bias
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> By the mean and variance of each feature over all other dims. mean and var,
    !! [features], are running averages: new = momentum old + (1 - momentum) that of the
    !! batch, in the dtype of the old one. To train: y = tsr_batch_norm(x, scale, bias,
    !! s.mean, s.var, .new_mean = &t.mean, .new_var = &t.var); afterwards
    !! .use_running_average = true normalizes by mean and var themselves, and they stay.
    !! In tsr_jit() means are of the whole batch, however it is cut; inside maps .axis =
    !! "x" takes them over all devices of an axis.
    function tsr_batch_norm_at(where, x, scale, bias, mean, var, &
      args) bind(c, name='tsr_batch_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: scale
      type(c_ptr), value :: bias
      type(c_ptr), value :: mean
      type(c_ptr), value :: var
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Elements are 0 with the probability rate, the others x / (1 - rate):
    !! tsr_dropout(key, x, 0.1, .deterministic = !training). The key may be NULL where
    !! nothing is drawn. A mask depends on the key and the dims of x, however x is cut;
    !! inside tsr_shard_map() that is each device's block, or with .whole and .start the
    !! block's part of the whole. Errors: a rate that is not between 0 and 1
    !! (TSR_ERROR_ARGUMENT), x of integers (TSR_ERROR_TYPE). Also complex.
    function tsr_dropout_at(where, key, x, rate, &
      args) bind(c, name='tsr_dropout_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(c_ptr), value :: x
      real(c_double), value :: rate
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tanh(x @ kernel + bias + h @ recurrent): kernel [in, hidden], recurrent [hidden,
    !! hidden], bias [hidden]. h = tsr_rnn_cell(h, x, w.kernel, w.recurrent, w.bias)
    function tsr_rnn_cell_at(where, h, x, kernel, recurrent, bias, &
      args) bind(c, name='tsr_rnn_cell_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: h
      type(c_ptr), value :: x
      type(c_ptr), value :: kernel
      type(c_ptr), value :: recurrent
      type(c_ptr), value :: bias
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> i, f, g, o = x @ kernel + h @ recurrent + bias: kernel [in, 4 hidden], recurrent
    !! [hidden, 4 hidden], bias [4 hidden]. out[0], the new c [..., hidden], is
    !! logistic(f) c + logistic(i) tanh(g); out[1], the new h, logistic(o) tanh(new c).
    !! tsr_lstm_cell(c, h, x, w.kernel, w.recurrent, w.bias, out). false: both are
    !! poison.
    function tsr_lstm_cell_at(where, c, h, x, kernel, recurrent, bias, out, &
      args) bind(c, name='tsr_lstm_cell_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: c
      type(c_ptr), value :: h
      type(c_ptr), value :: x
      type(c_ptr), value :: kernel
      type(c_ptr), value :: recurrent
      type(c_ptr), value :: bias
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> r, z, n = x @ kernel + bias, and s, y, m = h @ recurrent: kernel [in, 3 hidden],
    !! recurrent [hidden, 3 hidden], bias [3 hidden]. With u = logistic(z + y), the new
    !! h is (1 - u) tanh(n + logistic(r + s) (m + .recurrent_bias)) + u h. h =
    !! tsr_gru_cell(h, x, w.kernel, w.recurrent, w.bias)
    function tsr_gru_cell_at(where, h, x, kernel, recurrent, bias, &
      args) bind(c, name='tsr_gru_cell_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: h
      type(c_ptr), value :: x
      type(c_ptr), value :: kernel
      type(c_ptr), value :: recurrent
      type(c_ptr), value :: bias
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The lower triangular L of a = L L^H, a Hermitian and positive definite; of others
    !! NaN on and below the diagonal. [..., n, n] to the same: tsr_cholesky(a, .upper =
    !! true).
    function tsr_cholesky_at(where, a, &
      args) bind(c, name='tsr_cholesky_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The x of x op(a) = b with triangular a, [..., m, m] and [..., n, m], of equal
    !! leading dims; with .left_side of op(a) x = b, and b [..., m, n].
    function tsr_triangular_solve_at(where, a, b, &
      args) bind(c, name='tsr_triangular_solve_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The x of a x = b with triangular a [..., m, m] and b [..., m, n], whose leading
    !! dims are broadcast; b may be one vector [m]: tsr_solve_triangular(L, b, .lower =
    !! true). Error (TSR_ERROR_ARGUMENT): .trans that is not 0, 1 or 2.
    function tsr_solve_triangular_at(where, a, b, &
      args) bind(c, name='tsr_solve_triangular_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The x of a x = b from the Cholesky factor of a, which is upper unless .lower says
    !! otherwise; dims as for tsr_solve_triangular().
    function tsr_cho_solve_at(where, factor, b, &
      args) bind(c, name='tsr_cho_solve_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: factor
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Of a [..., m, n], with k the smaller of m and n: out[0] [..., m, n], the upper
    !! triangular U with L below it, whose diagonal is 1 and not stored; out[1] i32[...,
    !! k]: row i was swapped with row out[1][i], one after the other; out[2] i32[...,
    !! m]: the order of the rows that this makes. L U is a in that order of rows.
    !! tsr_lu(a, out)
    function tsr_lu_at(where, a, out) bind(c, name='tsr_lu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> a = q r: out[0], q, [..., m, k], whose columns are orthogonal and of size 1;
    !! out[1], r, [..., k, n], upper triangular. The smaller of m and n is k, or m with
    !! .full_matrices. tsr_qr(a, out)
    function tsr_qr_at(where, a, out, args) bind(c, name='tsr_qr_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> Of a Hermitian a [..., n, n]: out[0], the eigenvalues, rising, real, [..., n];
    !! out[1], the eigenvectors, as columns, whose signs (of complex ones, factors of
    !! size 1) are any. tsr_eigh(a, out)
    function tsr_eigh_at(where, a, out, args) bind(c, name='tsr_eigh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The eigenvalues of tsr_eigh() without the vectors: tsr_eigvalsh(a).
    function tsr_eigvalsh_at(where, a, &
      args) bind(c, name='tsr_eigvalsh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> a = u s vh: out[0], u, whose columns are orthogonal and of size 1; out[1], the
    !! singular values, falling, real, [..., k]; out[2], vh, likewise by rows.
    !! tsr_svd(a, out, .thin = true)
    function tsr_svd_at(where, a, out, args) bind(c, name='tsr_svd_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The singular values of tsr_svd() without the vectors: tsr_svdvals(a).
    function tsr_svdvals_at(where, a) bind(c, name='tsr_svdvals_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr) :: made
    end function
    !> Polar factors, a = u h of a [..., m, n]: out[0], u, of its size, whose columns
    !! (of a wide a, rows) are orthogonal and of size 1; out[1], h, [..., n, n],
    !! Hermitian, without negative eigenvalues. By singular values: any a has factors,
    !! and nothing has to converge. tsr_polar(a, out)
    function tsr_polar_at(where, a, out) bind(c, name='tsr_polar_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> out[0], the eigenvalues w, complex, [..., n], in any order; out[1], the
    !! eigenvectors v of a v = w v, complex, as columns, of size 1, whose largest
    !! elements are real; with .left out[2], likewise those of v^H a = w v^H, and
    !! nothing without. Where there are fewer vectors than columns, some are alike.
    !! Vectors have derivatives where eigenvalues are different and one element of a
    !! vector is the largest one. tsr_eig(a, out, .left = true)
    function tsr_eig_at(where, a, out, args) bind(c, name='tsr_eig_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The eigenvalues of tsr_eig() without the vectors: tsr_eigvals(a).
    function tsr_eigvals_at(where, a) bind(c, name='tsr_eigvals_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr) :: made
    end function
    !> The Schur form, a = q t q^H: out[0], t, upper triangular, but of a real a with
    !! two rows [x b; c x], b c < 0, for each two eigenvalues that are conjugate;
    !! out[1], q, whose columns are orthogonal and of size 1. tsr_astype(a, TSR_C128)
    !! has a triangular one. No derivative. tsr_schur(a, out)
    function tsr_schur_at(where, a, out) bind(c, name='tsr_schur_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> The Hessenberg form h of a = q h q^H: out[0] has h on and above the diagonal and
    !! in the elements next to it, and below these the vectors of the reflections that
    !! make q; out[1], [..., n - 1], their factors. Without its first row and column,
    !! which are those of 1, q is tsr_householder_product() of out[0] without its first
    !! row and last column. No derivative. tsr_hessenberg(a, out)
    function tsr_hessenberg_at(where, a, &
      out) bind(c, name='tsr_hessenberg_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> The tridiagonal form of a Hermitian a, of which the lower triangle is read:
    !! out[0] as of tsr_hessenberg(), in that triangle, and a in the other one; out[1],
    !! [..., n], the diagonal, and out[2], [..., n - 1], the numbers beside it, both
    !! real; out[3], the factors of the reflections. No derivative. tsr_tridiagonal(a,
    !! out)
    function tsr_tridiagonal_at(where, a, out, &
      args) bind(c, name='tsr_tridiagonal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The x of a x = b; dims as for tsr_solve_triangular(). With a singular a,
    !! infinities and NaN: tsr_solve(a, b).
    function tsr_solve_at(where, a, b) bind(c, name='tsr_solve_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The inverse of each matrix in the last two dims, [..., n, n]: tsr_inv(a).
    function tsr_inv_at(where, a) bind(c, name='tsr_inv_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr) :: made
    end function
    !> The determinant of each matrix in the last two dims, [...] of [..., n, n]:
    !! tsr_det(a).
    function tsr_det_at(where, a) bind(c, name='tsr_det_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr) :: made
    end function
    !> out[0], the sign of the determinant, or the number of size 1 that a complex one
    !! is a multiple of; out[1], the logarithm of its size: tsr_slogdet(a, out).
    function tsr_slogdet_at(where, a, out) bind(c, name='tsr_slogdet_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> How many singular values are more than rounding, [...]: tsr_matrix_rank(a).
    function tsr_matrix_rank_at(where, a, &
      args) bind(c, name='tsr_matrix_rank_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The pseudoinverse of a [..., m, n], [..., n, m], without the singular values that
    !! are no more than rounding: tsr_pinv(a, .rtol = 1e-3).
    function tsr_pinv_at(where, a, args) bind(c, name='tsr_pinv_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The x for which a x is nearest to b, a [m, n], b [m, k] or [m], and of several
    !! that of least size. out[0], x, [n, k] or [n]; out[1], the sum of squares of b - a
    !! x for each column; out[2], the rank of a; out[3], its singular values.
    !! tsr_lstsq(a, b, out)
    function tsr_lstsq_at(where, a, b, out, &
      args) bind(c, name='tsr_lstsq_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The first n columns of the product q of the reflections:
    !! tsr_householder_product(a, taus).
    function tsr_householder_product_at(where, a, &
      taus) bind(c, name='tsr_householder_product_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: taus
      type(c_ptr) :: made
    end function
    !> q c for c [..., m, j], without q: tsr_ormqr(a, taus, c, .transpose = true).
    function tsr_ormqr_at(where, a, taus, c, &
      args) bind(c, name='tsr_ormqr_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: taus
      type(c_ptr), value :: c
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The x of a x = b with the tridiagonal a that has dl[i], d[i], du[i] in row i, on
    !! and beside the diagonal, [..., n]; dl[0] and du[n - 1] are not read. b [..., n,
    !! k]. Its steps depend on each other: tsr_tridiagonal_solve(dl, d, du, b).
    function tsr_tridiagonal_solve_at(where, dl, d, du, &
      b) bind(c, name='tsr_tridiagonal_solve_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: dl
      type(c_ptr), value :: d
      type(c_ptr), value :: du
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The upper triangular factor, with a positive diagonal, of r^H r + w w^H, from
    !! that of r^H r, [..., n, n], and w [..., n]: tsr_cholesky_update(r, w).
    function tsr_cholesky_update_at(where, r, &
      w) bind(c, name='tsr_cholesky_update_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: r
      type(c_ptr), value :: w
      type(c_ptr) :: made
    end function
    !> alpha a a^T + beta c, a [..., n, m], c [..., n, n]: tsr_symmetric_product(a, c,
    !! .beta = 1).
    function tsr_symmetric_product_at(where, a, c, &
      args) bind(c, name='tsr_symmetric_product_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: c
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The x of tensordot(a, x) = b: a [..., unknown dims], of which the first dims, as
    !! many as b has, are those of its elements. x has the unknown dims.
    !! tsr_tensorsolve(a, b)
    function tsr_tensorsolve_at(where, a, b, &
      args) bind(c, name='tsr_tensorsolve_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The inverse of a taken for a matrix, whose rows are its first `ind` dims: [first,
    !! others] to [others, first]. 2 is the usual number. Error (TSR_ERROR_ARGUMENT):
    !! these have not as many elements as the others. tsr_tensorinv(a, 2)
    function tsr_tensorinv_at(where, a, &
      ind) bind(c, name='tsr_tensorinv_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      integer(c_int), value :: ind
      type(c_ptr) :: made
    end function
    !> The product of matrices, in the order that takes the least work; the first and
    !! the last one may be vectors: tsr_multi_dot(a, b, c).
    function tsr_multi_dot_at(where, x, &
      n) bind(c, name='tsr_multi_dot_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> e^a of square matrices, by scaling and squaring. With a norm above 250000 (f64:
    !! 350000), NaN, as in JAX: tsr_expm(a).
    function tsr_expm_at(where, a) bind(c, name='tsr_expm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr) :: made
    end function
    !> The product of n matrices a, of the inverse for a negative n: tsr_matrix_power(a,
    !! 3).
    function tsr_matrix_power_at(where, a, &
      n) bind(c, name='tsr_matrix_power_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      integer(c_int), value :: n
      type(c_ptr) :: made
    end function
    !> The last two dims swapped: tsr_matrix_transpose(a).
    function tsr_matrix_transpose_at(where, &
      a) bind(c, name='tsr_matrix_transpose_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr) :: made
    end function
    !> (sum of |x|^p)^(1/p); the largest |x| for p = INFINITY, the least for -INFINITY,
    !! and how many are not 0 for p = 0: tsr_vector_norm(x, .ord = 1, .dims =
    !! TSR_DIMS(0)).
    function tsr_vector_norm_at(where, x, &
      args) bind(c, name='tsr_vector_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Norms of matrices, [..., m, n] to [...]: with .ord 1 the largest sum of sizes in
    !! a column, with INFINITY in a row, with 2 the largest singular value; with minus
    !! that the smallest one. tsr_matrix_norm(a, .nuclear = true)
    function tsr_matrix_norm_at(where, x, &
      args) bind(c, name='tsr_matrix_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Without .ord, the root of the sum of squares over all dims given; else
    !! tsr_vector_norm() over one dim, or tsr_matrix_norm() over two, rows first:
    !! tsr_norm(x, .ord = 1, .dims = TSR_DIMS(0, 1)).
    function tsr_norm_at(where, x, args) bind(c, name='tsr_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The norm of a by that of its inverse, [...] (jnp.linalg.cond): without keywords
    !! the largest singular value over the smallest one, also of matrices that are not
    !! square: tsr_cond_number(a).
    function tsr_cond_number_at(where, a, &
      args) bind(c, name='tsr_cond_number_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> -sum(labels log(softmax(logits))) over the classes. Labels are distributions,
    !! such as those of tsr_one_hot(), broadcast with logits:
    !! tsr_softmax_cross_entropy(logits, labels).
    function tsr_softmax_cross_entropy_at(where, logits, labels, &
      args) bind(c, name='tsr_softmax_cross_entropy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: logits
      type(c_ptr), value :: labels
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> -log(softmax(logits)) of one class, which an integer names: labels have the dims
    !! of logits but for that of the classes. Negative ones count from the end; what
    !! names no class gives NaN. Further error (TSR_ERROR_TYPE): labels that are no
    !! integers.
    function tsr_softmax_cross_entropy_with_integer_labels_at(where, logits, labels, &
      args) bind(c, name='tsr_softmax_cross_entropy_with_integer_labels_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: logits
      type(c_ptr), value :: labels
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> -labels log(logistic(logits)) - (1 - labels) log(1 - logistic(logits)), for yes
    !! or no: labels are 0 or 1, or between, and broadcast with logits.
    function tsr_sigmoid_binary_cross_entropy_at(where, logits, &
      labels) bind(c, name='tsr_sigmoid_binary_cross_entropy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: logits
      type(c_ptr), value :: labels
      type(c_ptr) :: made
    end function
    !> (predictions - targets)^2, of the same dims; targets may be NULL, which is 0.
    function tsr_squared_error_at(where, predictions, &
      targets) bind(c, name='tsr_squared_error_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: predictions
      type(c_ptr), value :: targets
      type(c_ptr) :: made
    end function
    !> Half of the squared difference of predictions and targets, for each element;
    !! targets that are NULL count as 0.
    function tsr_l2_loss_at(where, predictions, &
      targets) bind(c, name='tsr_l2_loss_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: predictions
      type(c_ptr), value :: targets
      type(c_ptr) :: made
    end function
    !> e^2 / 2 for e = |predictions - targets| up to delta, and delta (e - delta / 2)
    !! above; targets may be NULL, which is 0: tsr_huber_loss(y, t, .delta = 2).
    function tsr_huber_loss_at(where, predictions, targets, &
      args) bind(c, name='tsr_huber_loss_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: predictions
      type(c_ptr), value :: targets
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> (1 - alpha) labels + alpha / the number of classes: labels for
    !! tsr_softmax_cross_entropy() that leave each class a chance.
    !! tsr_smooth_labels(tsr_one_hot(classes, 10), 0.1). Further error (TSR_ERROR_TYPE):
    !! labels that are no real floats.
    function tsr_smooth_labels_at(where, labels, alpha, &
      args) bind(c, name='tsr_smooth_labels_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: labels
      type(tsr_arg), value :: alpha
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A mesh over the first devices of the context, row-major: tsr_mesh_make(ctx, {"x",
    !! 4}, {"y", 2}). Errors (TSR_ERROR_SHARDING): no axis, more than 64 axes, an empty
    !! or repeated name, a name with other than letters, digits, '_' and '.', a size <
    !! 1, more devices needed than there are.
    function tsr_mesh_make_at(where, ctx, axes, &
      n) bind(c, name='tsr_mesh_make_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: axes
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> A mesh over devices in an order of one's own, row-major over the axes:
    !! tsr_mesh_make_devices(ctx, ids, 8, {"x", 4}, {"y", 2}). device_ids: count ids;
    !! errors as above, and: count is not the product of the sizes, an unknown or a
    !! repeated id.
    function tsr_mesh_make_devices_at(where, ctx, device_ids, count, axes, &
      n) bind(c, name='tsr_mesh_make_devices_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: device_ids
      integer(c_size_t), value :: count
      type(c_ptr), value :: axes
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> How many axes a mesh has: 2 of tsr_mesh_make(ctx, {"x", 4}, {"y", 2}).
    function tsr_mesh_ndim_c(mesh) bind(c, name='tsr_mesh_ndim') result(made)
      import
      type(c_ptr), value :: mesh
      integer(c_int) :: made
    end function
    !> The k-th axis, 0 <= k < tsr_mesh_ndim(); {NULL, 0} for another k.
    function tsr_mesh_axis_c(mesh, k) bind(c, name='tsr_mesh_axis') result(made)
      import
      type(c_ptr), value :: mesh
      integer(c_int), value :: k
      type(tsr_axis) :: made
    end function
    !> Number of devices: the product of the axis sizes.
    function tsr_mesh_size_c(mesh) bind(c, name='tsr_mesh_size') result(made)
      import
      type(c_ptr), value :: mesh
      integer(c_int64_t) :: made
    end function
    !> Size of the axis of that name; 0 if there is none.
    function tsr_mesh_axis_size_c(mesh, &
      name) bind(c, name='tsr_mesh_axis_size') result(made)
      import
      type(c_ptr), value :: mesh
      type(c_ptr), value :: name
      integer(c_int64_t) :: made
    end function
    !> Id of the k-th device, row-major over the axes; -1 for k out of range.
    function tsr_mesh_device_c(mesh, k) bind(c, name='tsr_mesh_device') result(made)
      import
      type(c_ptr), value :: mesh
      integer(c_int64_t), value :: k
      integer(c_int64_t) :: made
    end function
    !> "Mesh('x': 2, 'y': 1, axis_types=(Auto, Auto), device_ids=[[0], [1]])": outside
    !! of tsr_shard_map() the library decides along all axes (Auto). Lives as long as
    !! the mesh.
    function tsr_mesh_text_c(mesh) bind(c, name='tsr_mesh_text') result(made)
      import
      type(c_ptr), value :: mesh
      type(c_ptr) :: made
    end function
    !> Puts a mesh in use until tsr_mesh_end(). NULL then means it in tsr_put(),
    !! tsr_constrain(), their kin, tsr_sharding_make(), tsr_shard_map(), and for .in and
    !! .out of tsr_jit(), also in bodies that are traced meanwhile: a fn is traced for
    !! each mesh in use that it is called under. An object made with NULL keeps the mesh
    !! that NULL meant then. While the body of a tsr_shard_map() is traced, the mesh of
    !! that is in use. Where nothing else says which context NULL belongs to, it is the
    !! one of the thread's last tsr_mesh_begin() that has not ended. In C,
    !! `TSR_MESH(mesh);` ends with its block. Errors: the mesh is NULL
    !! (TSR_ERROR_ARGUMENT) or poison; NULL then means poison.
    function tsr_mesh_begin_at(where, &
      mesh) bind(c, name='tsr_mesh_begin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: mesh
      type(tsr_mesh_use) :: made
    end function
    !> Puts back what was in use before, and ends all that began since. NULL and what
    !! has ended: nothing happens. May be called after tsr_close().
    subroutine tsr_mesh_end_c(use) bind(c, name='tsr_mesh_end')
      import
      type(c_ptr), value :: use
    end subroutine
    !> The sharding of a mesh and a spec: tsr_sharding_make(mesh, TSR_P("x", "y"));
    !! NULL: the mesh in use. Errors (TSR_ERROR_SHARDING): an axis that the mesh does
    !! not have, an axis named twice.
    function tsr_sharding_make_at(where, mesh, &
      spec) bind(c, name='tsr_sharding_make_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: mesh
      type(tsr_spec), value :: spec
      type(c_ptr) :: made
    end function
    !> All on one device: tsr_sharding_device(ctx, 0). Error (TSR_ERROR_SHARDING): no
    !! device of that id.
    function tsr_sharding_device_at(where, ctx, &
      id) bind(c, name='tsr_sharding_device_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: id
      type(c_ptr) :: made
    end function
    !> A grid of devices without names, as JAX's PositionalSharding:
    !! tsr_sharding_positional(ctx, TSR_DIMS(4, 2)), or of these ones, row-major:
    !! tsr_sharding_positional(ctx, TSR_DIMS(8), TSR_DEVICES(ids)). An array of as many
    !! dims is cut in as many parts in each. It is a sharding like all others, over a
    !! mesh whose axes have names of our own, and equivalent to named ones that place
    !! alike. Errors (TSR_ERROR_SHARDING): a size < 1, more devices than there are,
    !! another number of ids than the product of the sizes, an unknown or a repeated id.
    function tsr_sharding_positional_at(where, ctx, dims, &
      args) bind(c, name='tsr_sharding_positional_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The grid of a positional sharding in another shape, row-major:
    !! tsr_sharding_reshape(s, TSR_DIMS(8, 1)). One size may be -1: what is left over.
    !! Errors (TSR_ERROR_SHARDING): the product of the sizes is another one, the
    !! sharding is not positional.
    function tsr_sharding_reshape_at(where, sharding, &
      dims) bind(c, name='tsr_sharding_reshape_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: sharding
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> The devices along dims of the grid hold the same: tsr_sharding_replicate(s, .dim
    !! = TSR_DIMS(1)), or all, tsr_sharding_replicate(s). Errors: no such dim, or one
    !! twice (TSR_ERROR_ARGUMENT); the sharding is not positional (TSR_ERROR_SHARDING).
    function tsr_sharding_replicate_at(where, sharding, &
      args) bind(c, name='tsr_sharding_replicate_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: sharding
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> "NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P('x', 'y'))",
    !! "PositionalSharding([[{CPU 0, 1}] [{CPU 2, 3}]], shape=(2, 1))", with each row in
    !! a line, or "SingleDeviceSharding(device=0)"; lives as long as the sharding.
    function tsr_sharding_text_c( &
      sharding) bind(c, name='tsr_sharding_text') result(made)
      import
      type(c_ptr), value :: sharding
      type(c_ptr) :: made
    end function
    !> The mesh that a sharding is over; NULL for a sharding of one device.
    function tsr_sharding_mesh_c( &
      sharding) bind(c, name='tsr_sharding_mesh') result(made)
      import
      type(c_ptr), value :: sharding
      type(c_ptr) :: made
    end function
    !> The spec of a sharding: entries as "x", "x*y" or NULL, trailing NULL entries
    !! dropped, but for positional shardings; empty for one device. The texts live as
    !! long as the sharding.
    function tsr_sharding_spec_c( &
      sharding) bind(c, name='tsr_sharding_spec') result(made)
      import
      type(c_ptr), value :: sharding
      type(tsr_spec) :: made
    end function
    !> Do both put every array of ndim dims on the same devices in the same parts?
    !! tsr_sharding_equivalent(a, b, 2)
    function tsr_sharding_equivalent_c(a, b, &
      ndim) bind(c, name='tsr_sharding_equivalent') result(made)
      import
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      integer(c_int), value :: ndim
      logical(c_bool) :: made
    end function
    !> Dims of the largest part of an array of these dims: ceil(dim / parts) each.
    !! Errors: a spec longer than dims (TSR_ERROR_SHARDING), a negative dim
    !! (TSR_ERROR_ARGUMENT); the result is then "not given" (d[0] == 0).
    function tsr_sharding_shard_shape_at(where, sharding, &
      dims) bind(c, name='tsr_sharding_shard_shape_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: sharding
      type(tsr_dims), value :: dims
      type(tsr_dims) :: made
    end function
    !> Which part of an array of these dims the sharding's k-th device holds; false, and
    !! *out untouched, on an error: as for tsr_sharding_shard_shape(), or k out of range
    !! (TSR_ERROR_ARGUMENT).
    function tsr_sharding_index_at(where, sharding, dims, k, &
      out) bind(c, name='tsr_sharding_index_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: sharding
      type(tsr_dims), value :: dims
      integer(c_int64_t), value :: k
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> min(max(x, 0), 6), with the derivative 0 at 0 and 6.
    function tsr_relu6_at(where, x) bind(c, name='tsr_relu6_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> log(1 + e^x) for each element, which does not overflow on the way.
    function tsr_softplus_at(where, x) bind(c, name='tsr_softplus_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> 0 below -1, x above 1, (x + 1)^2 / 4 between.
    function tsr_sparse_plus_at(where, &
      x) bind(c, name='tsr_sparse_plus_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> (x + 1) / 2 for each element, moved to 0 where it is below and to 1 where it is
    !! above.
    function tsr_sparse_sigmoid_at(where, &
      x) bind(c, name='tsr_sparse_sigmoid_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x / (1 + |x|) for each element, which is between -1 and 1.
    function tsr_soft_sign_at(where, x) bind(c, name='tsr_soft_sign_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x tsr_logistic(x) for each element, in the dtype of x; also called swish.
    function tsr_silu_at(where, x) bind(c, name='tsr_silu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> log(tsr_logistic(x)) for each element, which does not underflow on the way.
    function tsr_log_sigmoid_at(where, &
      x) bind(c, name='tsr_log_sigmoid_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> min(max(x, -1), 1) for each element, in the dtype of x; integers stay integers.
    function tsr_hard_tanh_at(where, x) bind(c, name='tsr_hard_tanh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> tsr_relu6(x + 3) / 6 for each element, a logistic function made of lines.
    function tsr_hard_sigmoid_at(where, &
      x) bind(c, name='tsr_hard_sigmoid_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x tsr_hard_sigmoid(x), also called hard_swish.
    function tsr_hard_silu_at(where, x) bind(c, name='tsr_hard_silu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x tanh(tsr_softplus(x)) for each element, in the dtype of x.
    function tsr_mish_at(where, x) bind(c, name='tsr_mish_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> log(1 - e^-x) for each element, exact where x is near 0.
    function tsr_log1mexp_at(where, x) bind(c, name='tsr_log1mexp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x for x >= 0, b x below: tsr_leaky_relu(x, 0.01).
    function tsr_leaky_relu_at(where, &
      ab) bind(c, name='tsr_leaky_relu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> x for x > 0, b (e^x - 1) below: tsr_elu(x, 1.0).
    function tsr_elu_at(where, ab) bind(c, name='tsr_elu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> max(x, 0) + b (e^(min(x, 0) / b) - 1): tsr_celu(x, 1.0).
    function tsr_celu_at(where, ab) bind(c, name='tsr_celu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> 1.0507 times tsr_elu(x, 1.6733), the numbers to their last digit.
    function tsr_selu_at(where, x) bind(c, name='tsr_selu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> (x + sqrt(x^2 + b)) / 2: tsr_squareplus(x, 4).
    function tsr_squareplus_at(where, &
      ab) bind(c, name='tsr_squareplus_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> x times the normal distribution at x, by tanh: tsr_gelu(x), tsr_gelu(x, .exact =
    !! true).
    function tsr_gelu_at(where, x, args) bind(c, name='tsr_gelu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The first half of a dim times tsr_logistic() of the second one: tsr_glu(x, -1).
    function tsr_glu_at(where, x, dim) bind(c, name='tsr_glu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr) :: made
    end function
    !> e^x / the sum of e^x along the dim: tsr_softmax(x, -1), tsr_softmax(x, -1, .where
    !! = m).
    function tsr_softmax_at(where, x, dim, &
      args) bind(c, name='tsr_softmax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The logarithm of tsr_softmax() along a dim, x - log(sum(e^x)), of floats and
    !! without overflow: tsr_log_softmax(logits, -1).
    function tsr_log_softmax_at(where, x, dim, &
      args) bind(c, name='tsr_log_softmax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The logarithm of the mean of e^x, as tsr_logsumexp().
    function tsr_logmeanexp_at(where, x, &
      args) bind(c, name='tsr_logmeanexp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> (x - mean) / sqrt(variance + epsilon) along the dim: tsr_standardize(x, -1,
    !! 1e-5).
    function tsr_standardize_at(where, x, dim, epsilon, &
      args) bind(c, name='tsr_standardize_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      real(c_double), value :: epsilon
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> 1 at the place that an index names in a new dim of size n, else 0:
    !! tsr_one_hot(words, 50). Indices that are not in it give zeros alone.
    function tsr_one_hot_at(where, x, n, &
      args) bind(c, name='tsr_one_hot_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Attention: of queries [batch, queries, heads, head], keys and values [batch,
    !! keys, kv_heads, head], whose heads serve groups of those of the queries, the
    !! values weighed by tsr_softmax() of the scores of their keys, which are in f32:
    !! tsr_dot_product_attention(q, k, v, .causal = true). Many scores are computed by
    !! blocks, in its derivatives too, so that memory is linear in queries and keys.
    !! Error (TSR_ERROR_TYPE): dims or dtypes that do not fit.
    function tsr_dot_product_attention_at(where, query, key, value, &
      args) bind(c, name='tsr_dot_product_attention_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: query
      type(c_ptr), value :: key
      type(c_ptr), value :: value
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Rotary embedding: x [.., length, heads, head] with element i of the first half of
    !! a head and i of the second half turned as a pair, by the place times base^(-2 i /
    !! head): tsr_rotary(q, .base = 500000). Errors (TSR_ERROR_TYPE): a head of odd
    !! size, fewer than 3 dims, complex numbers, places that are not those of the rows;
    !! (TSR_ERROR_ARGUMENT): a negative base.
    function tsr_rotary_at(where, x, args) bind(c, name='tsr_rotary_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A layer of attention, flax's MultiHeadDotProductAttention: x [batch, length,
    !! features] times the kernels query [features, heads, head], and key and value
    !! [features, kv_heads, head], then attention as tsr_dot_product_attention(), but
    !! with the softmax in the dtype of x (f32 for narrower ones), and its result times
    !! out [heads, head, features]: tsr_multi_head_attention(x, w->q, w->k, w->v,
    !! w->out, .causal = true). Operands are converted to their common dtype, f32 where
    !! that is no float. In a map that splits the heads of the kernels over an axis, the
    !! layer's result is tsr_psum() of this one over it (without .out_bias, which is
    !! added behind). Decoding goes row by row, .key_cache = k, .value_cache = v,
    !! .position = TSR_ARG(i), .new_key_cache = &k, .new_value_cache = &v. Errors
    !! (TSR_ERROR_TYPE): dims that do not fit, complex numbers; (TSR_ERROR_ARGUMENT):
    !! one cache alone, a .position that is no integer scalar.
    function tsr_multi_head_attention_at(where, x, query, key, value, out, &
      args) bind(c, name='tsr_multi_head_attention_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: query
      type(c_ptr), value :: key
      type(c_ptr), value :: value
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> -x for each element, in the dtype of x; unsigned integers wrap. Not bool.
    function tsr_neg_at(where, x) bind(c, name='tsr_neg_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> -1, 0 or 1 by the sign of x; NaN stays NaN; complex: x / |x|, 0 at 0. Not bool.
    function tsr_sign_at(where, x) bind(c, name='tsr_sign_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> |x|; the smallest signed integer stays itself; complex gives the real dtype.
    function tsr_abs_at(where, x) bind(c, name='tsr_abs_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The largest whole number <= x; integers are left as they are.
    function tsr_floor_at(where, x) bind(c, name='tsr_floor_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The smallest whole number >= x; integers are left as they are.
    function tsr_ceil_at(where, x) bind(c, name='tsr_ceil_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The nearest whole number, ties to even; integers are left as they are; complex:
    !! each part. tsr_round(x, .decimals = 2) is tsr_round(100 x) / 100, and x itself if
    !! the dtype cannot hold the power of ten. Error (TSR_ERROR_UNSUPPORTED): integers
    !! and negative decimals.
    function tsr_round_at(where, x, args) bind(c, name='tsr_round_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> e to the power x, a float or a complex number: tsr_exp(x).
    function tsr_exp_at(where, x) bind(c, name='tsr_exp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> 2 to the power x for each element: tsr_exp2(x).
    function tsr_exp2_at(where, x) bind(c, name='tsr_exp2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> e^x - 1 for each element, exact where x is near 0.
    function tsr_expm1_at(where, x) bind(c, name='tsr_expm1_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The natural logarithm of x: -inf at 0, NaN below.
    function tsr_log_at(where, x) bind(c, name='tsr_log_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> log(1 + x) for each element, exact where x is near 0.
    function tsr_log1p_at(where, x) bind(c, name='tsr_log1p_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The square root of x, rounded once; NaN below 0.
    function tsr_sqrt_at(where, x) bind(c, name='tsr_sqrt_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> 1 / sqrt(x) for each element; infinite at 0, NaN below.
    function tsr_rsqrt_at(where, x) bind(c, name='tsr_rsqrt_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x * x for each element, in the dtype of x; bool gives i32.
    function tsr_square_at(where, x) bind(c, name='tsr_square_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The hyperbolic tangent of x, (e^x - e^-x) / (e^x + e^-x).
    function tsr_tanh_at(where, x) bind(c, name='tsr_tanh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The logistic function 1 / (1 + e^-x) of each element, also called sigmoid.
    function tsr_logistic_at(where, x) bind(c, name='tsr_logistic_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The sine of each element of x, which is in radians.
    function tsr_sin_at(where, x) bind(c, name='tsr_sin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The cosine of each element of x, which is in radians.
    function tsr_cos_at(where, x) bind(c, name='tsr_cos_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The tangent of each element of x, which is in radians.
    function tsr_tan_at(where, x) bind(c, name='tsr_tan_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The angle whose sine is x, in radians; NaN for |x| > 1.
    function tsr_asin_at(where, x) bind(c, name='tsr_asin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The angle whose cosine is x, in radians; NaN for |x| > 1.
    function tsr_acos_at(where, x) bind(c, name='tsr_acos_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The angle whose tangent is x, in radians, between -pi/2 and pi/2.
    function tsr_atan_at(where, x) bind(c, name='tsr_atan_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The hyperbolic sine (e^x - e^-x) / 2 of each element of x.
    function tsr_sinh_at(where, x) bind(c, name='tsr_sinh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The hyperbolic cosine (e^x + e^-x) / 2 of each element of x.
    function tsr_cosh_at(where, x) bind(c, name='tsr_cosh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The inverse hyperbolic sine of x, log(x + sqrt(x^2 + 1)).
    function tsr_asinh_at(where, x) bind(c, name='tsr_asinh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The inverse hyperbolic cosine of x, log(x + sqrt(x^2 - 1)); NaN for x < 1.
    function tsr_acosh_at(where, x) bind(c, name='tsr_acosh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The inverse hyperbolic tangent of x, log((1 + x) / (1 - x)) / 2; NaN for |x| > 1.
    function tsr_atanh_at(where, x) bind(c, name='tsr_atanh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The cube root of x, negative where x is. Not complex.
    function tsr_cbrt_at(where, x) bind(c, name='tsr_cbrt_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The error function, 2 / sqrt(pi) times the integral of e^-t^2 from 0 to x. Not
    !! complex.
    function tsr_erf_at(where, x) bind(c, name='tsr_erf_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> 1 - erf(x) for each element, exact where x is large. Not complex.
    function tsr_erfc_at(where, x) bind(c, name='tsr_erfc_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The y with erf(y) = x; infinite at 1 and -1, NaN beyond. Not complex.
    function tsr_erf_inv_at(where, x) bind(c, name='tsr_erf_inv_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> log |gamma(x)|; inf at 0 and below at whole numbers. Not complex.
    function tsr_lgamma_at(where, x) bind(c, name='tsr_lgamma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The derivative of log gamma(x); NaN at 0 and below at whole numbers. Not complex.
    function tsr_digamma_at(where, x) bind(c, name='tsr_digamma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The modified Bessel function of order 0, times e^-|x|. Not complex.
    function tsr_bessel_i0e_at(where, &
      x) bind(c, name='tsr_bessel_i0e_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The modified Bessel function of order 1, times e^-|x|. Not complex.
    function tsr_bessel_i1e_at(where, &
      x) bind(c, name='tsr_bessel_i1e_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Is x neither infinite nor NaN, in no part? bool.
    function tsr_is_finite_at(where, x) bind(c, name='tsr_is_finite_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> Whether each element of x is a NaN, in any part: bool.
    function tsr_isnan_at(where, x) bind(c, name='tsr_isnan_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x with every bit turned over, in the dtype of x; of bool: not x. Integers and
    !! bool only.
    function tsr_bitwise_not_at(where, &
      x) bind(c, name='tsr_bitwise_not_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> How many bits are set, in the dtype of x. Integers only.
    function tsr_population_count_at(where, &
      x) bind(c, name='tsr_population_count_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> How many bits above the highest set one are 0, all of them for 0; in the dtype of
    !! x. Integers only.
    function tsr_clz_at(where, x) bind(c, name='tsr_clz_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The real part, in the real dtype; what is not complex is left as it is.
    function tsr_real_at(where, x) bind(c, name='tsr_real_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The imaginary part, in the real dtype; 0 of what is not complex.
    function tsr_imag_at(where, x) bind(c, name='tsr_imag_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The complex conjugate; what is not complex is left as it is.
    function tsr_conj_at(where, x) bind(c, name='tsr_conj_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x as a float with so many bits of exponent and mantissa would hold it, in the
    !! dtype of x: too large numbers become infinite, those below the smallest normal
    !! one 0. bf16 of f32 x is tsr_reduce_precision(x, 8, 7). Floats only. Error
    !! (TSR_ERROR_TYPE): exponent_bits < 1, mantissa_bits < 0.
    function tsr_reduce_precision_at(where, x, exponent_bits, &
      mantissa_bits) bind(c, name='tsr_reduce_precision_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: exponent_bits
      integer(c_int), value :: mantissa_bits
      type(c_ptr) :: made
    end function
    !> The bits of x as numbers of another dtype. Narrower ones are in a new last dim,
    !! the lowest bits first; wider ones take the last dim of x, whose size must be how
    !! many make one (TSR_ERROR_TYPE): f32[3] as TSR_U16 is u16[3,2], and back. Not
    !! bool, not complex. tsr_bitcast_convert_type(x, TSR_U32)
    function tsr_bitcast_convert_type_at(where, x, &
      dtype) bind(c, name='tsr_bitcast_convert_type_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dtype
      type(c_ptr) :: made
    end function
    !> Whether each element of x is 0 (false): x == 0, a bool.
    function tsr_logical_not_at(where, &
      x) bind(c, name='tsr_logical_not_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> max(x, 0), with the derivative 0 at 0 and at NaN; NaN stays NaN. Not complex.
    function tsr_relu_at(where, x) bind(c, name='tsr_relu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x itself, as a handle of its own in the innermost scope: jnp's copy.
    function tsr_copy_at(where, x) bind(c, name='tsr_copy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x itself, which derivatives treat as a constant: tsr_stop_gradient(targets).
    function tsr_stop_gradient_at(where, &
      x) bind(c, name='tsr_stop_gradient_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The dims of x in reverse order: a matrix is transposed.
    function tsr_t_at(where, x) bind(c, name='tsr_t_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> All elements of x, row-major, in one dim: [size].
    function tsr_ravel_at(where, x) bind(c, name='tsr_ravel_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x^n by repeated squaring; n < 0: 1 / x^-n, not for integers. tsr_integer_pow(x,
    !! 3)
    function tsr_integer_pow_at(where, x, &
      n) bind(c, name='tsr_integer_pow_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: n
      type(c_ptr) :: made
    end function
    !> x as another dtype: tsr_astype(x, TSR_F16). Float to integer truncates and
    !! saturates, NaN gives 0; to bool is x != 0; integer to integer wraps; complex to
    !! real drops the imaginary part.
    function tsr_astype_at(where, x, dtype) bind(c, name='tsr_astype_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dtype
      type(c_ptr) :: made
    end function
    !> a + b for each pair of elements, in their common dtype; of bool: or.
    function tsr_add_at(where, ab) bind(c, name='tsr_add_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a - b for each pair of elements, in their common dtype. Not bool.
    function tsr_sub_at(where, ab) bind(c, name='tsr_sub_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a * b for each pair of elements, in their common dtype; of bool: and.
    function tsr_mul_at(where, ab) bind(c, name='tsr_mul_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a / b; integers and bool become f32, integers of 64 bits f64.
    function tsr_div_at(where, ab) bind(c, name='tsr_div_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The remainder of a / b with the sign of a, as C's fmod; integers: x rem 0 = x;
    !! bool gives i32.
    function tsr_rem_at(where, ab) bind(c, name='tsr_rem_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a to the power of b; 1 where b is 0. A b that is a C integer: as
    !! tsr_integer_pow(a, b). Integers to integer powers stay in their dtype (bool in
    !! i32) and are computed by repeated squaring, which uses the six lowest bits of b.
    !! Floats and complex numbers take an integer b of any dtype; the derivative is 0
    !! where b is 0.
    function tsr_pow_at(where, ab) bind(c, name='tsr_pow_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The angle between -pi and pi of the point with the coordinates (b, a). Not
    !! complex.
    function tsr_atan2_at(where, ab) bind(c, name='tsr_atan2_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Hurwitz's zeta function, the sum of (b + n)^-a for n = 0, 1, ...; a > 1. Not
    !! complex; it has no derivative.
    function tsr_zeta_at(where, ab) bind(c, name='tsr_zeta_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Derivative a, a whole number from 0 on, of digamma at b > 0. Not complex; no
    !! derivative by a.
    function tsr_polygamma_at(where, ab) bind(c, name='tsr_polygamma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The share of gamma(a) that the integral of t^(a - 1) e^-t from 0 to b gives; a, b
    !! >= 0, else NaN. Not complex.
    function tsr_igamma_at(where, ab) bind(c, name='tsr_igamma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> 1 - tsr_igamma(a, b), exact where that is near 1.
    function tsr_igammac_at(where, ab) bind(c, name='tsr_igammac_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The derivative of tsr_igamma() by a. It has none itself.
    function tsr_igamma_grad_a_at(where, &
      ab) bind(c, name='tsr_igamma_grad_a_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The derivative by a of the b at which tsr_igamma() is what it is: that of a
    !! sample of a gamma distribution by its shape. It has none itself.
    function tsr_random_gamma_grad_at(where, &
      ab) bind(c, name='tsr_random_gamma_grad_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The number next to a, of those that the dtype has, on the way to b; b where they
    !! are equal. Not complex; it has no derivative.
    function tsr_nextafter_at(where, ab) bind(c, name='tsr_nextafter_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Complex numbers a + bi, c64 of f32 and c128 of f64: tsr_complex(a, b).
    function tsr_complex_at(where, ab) bind(c, name='tsr_complex_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The larger one of a and b, element by element; NaN wins. Complex: by real part,
    !! then imaginary part; a NaN in any part gives one in both.
    function tsr_maximum_at(where, ab) bind(c, name='tsr_maximum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> The smaller one of a and b, element by element; NaN wins. Complex: as
    !! tsr_maximum().
    function tsr_minimum_at(where, ab) bind(c, name='tsr_minimum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a & b for each pair of elements, in their common dtype; integers and bool.
    function tsr_bitwise_and_at(where, &
      ab) bind(c, name='tsr_bitwise_and_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a | b for each pair of elements, in their common dtype; integers and bool.
    function tsr_bitwise_or_at(where, &
      ab) bind(c, name='tsr_bitwise_or_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a ^ b for each pair of elements, in their common dtype; integers and bool.
    function tsr_bitwise_xor_at(where, &
      ab) bind(c, name='tsr_bitwise_xor_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a << b; 0 where b is not within 0 .. bits - 1. Integers.
    function tsr_shift_left_at(where, &
      ab) bind(c, name='tsr_shift_left_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a >> b, arithmetic for signed and logical for unsigned integers; where b is not
    !! within 0 .. bits - 1 all bits are copies of the sign, or 0.
    function tsr_shift_right_at(where, &
      ab) bind(c, name='tsr_shift_right_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a == b, for each pair of elements, a bool: tsr_eq(x, 0).
    function tsr_eq_at(where, ab) bind(c, name='tsr_eq_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a != b, for each pair of elements, a bool: tsr_ne(x, 0). NaN differs from
    !! everything.
    function tsr_ne_at(where, ab) bind(c, name='tsr_ne_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a < b, for each pair of elements, a bool: tsr_lt(x, 0). Not complex, as
    !! the next three.
    function tsr_lt_at(where, ab) bind(c, name='tsr_lt_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a <= b, for each pair of elements, a bool: tsr_le(x, 0).
    function tsr_le_at(where, ab) bind(c, name='tsr_le_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a > b, for each pair of elements, a bool: tsr_gt(x, 0).
    function tsr_gt_at(where, ab) bind(c, name='tsr_gt_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a >= b, for each pair of elements, a bool: tsr_ge(x, 0).
    function tsr_ge_at(where, ab) bind(c, name='tsr_ge_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a and b are other than 0, for each pair of elements: a bool.
    function tsr_logical_and_at(where, &
      ab) bind(c, name='tsr_logical_and_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> Whether a or b is other than 0, for each pair of elements: a bool.
    function tsr_logical_or_at(where, &
      ab) bind(c, name='tsr_logical_or_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ab
      type(c_ptr) :: made
    end function
    !> a b + c, rounded once; f16 and bf16 are computed in f32. Not complex. abc: a, b,
    !! c.
    function tsr_fma_at(where, abc) bind(c, name='tsr_fma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: abc
      type(c_ptr) :: made
    end function
    !> The share of the beta function of a and b that the integral of t^(a - 1) (1 -
    !! t)^(b - 1) from 0 to c gives; a, b >= 0 and c between 0 and 1, else NaN. Not
    !! complex; no derivative by a and b. abc: a, b, c.
    function tsr_betainc_at(where, abc) bind(c, name='tsr_betainc_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: abc
      type(c_ptr) :: made
    end function
    !> a where c is not 0, otherwise b; the dtype is that of a and b. abc: c, a, b.
    !! tsr_where(tsr_gt(x, 0), x, 0.0)
    function tsr_where_at(where, cab) bind(c, name='tsr_where_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: cab
      type(c_ptr) :: made
    end function
    !> min(max(x, low), high); TSR_NONE is no bound. tsr_clamp(0, x, 1), tsr_clamp(0, x,
    !! TSR_NONE)
    function tsr_clamp_at(where, low, x, &
      high) bind(c, name='tsr_clamp_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_arg), value :: low
      type(tsr_arg), value :: x
      type(tsr_arg), value :: high
      type(c_ptr) :: made
    end function
    !> NumPy's dot: a scalar multiplies; otherwise the last dim of a with the last but
    !! one (or only) dim of b. tsr_dot(a, b, .dtype = TSR_F32)
    function tsr_dot_at(where, a, b, args) bind(c, name='tsr_dot_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> NumPy's matmul: products of the last two dims, dims before them broadcast; one
    !! dim is a row (a) or a column (b). No scalars. tsr_matmul(a, b)
    function tsr_matmul_at(where, a, b, &
      args) bind(c, name='tsr_matmul_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Dims of the result: batch, then the others of a, then the others of b.
    !! tsr_dot_general(a, b, .contract_a = TSR_DIMS(1), .contract_b = TSR_DIMS(0)).
    !! Products are summed in the wider of two dtypes, that of the operands and that of
    !! the result, and rounded once. Error (TSR_ERROR_TYPE): a .dtype that is narrower
    !! than operands that are not floats.
    function tsr_dot_general_at(where, a, b, &
      args) bind(c, name='tsr_dot_general_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The elements of x, row-major, with other dims; one of them may be -1, and is then
    !! computed from the rest. tsr_reshape(x, TSR_DIMS(2, -1))
    function tsr_reshape_at(where, x, &
      dims) bind(c, name='tsr_reshape_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> Dims in another order: tsr_transpose(x, .perm = TSR_DIMS(0, 2, 1)).
    function tsr_transpose_at(where, x, &
      args) bind(c, name='tsr_transpose_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> x repeated to these dims by the rules of broadcasting: tsr_broadcast_to(x,
    !! TSR_DIMS(4, 3)).
    function tsr_broadcast_to_at(where, x, &
      dims) bind(c, name='tsr_broadcast_to_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> x repeated to these dims; dim d of x becomes dim at[d], which must be of the same
    !! size, or x's 1; `at` increases. tsr_broadcast_in_dim(x, TSR_DIMS(4, 3),
    !! TSR_DIMS(0))
    function tsr_broadcast_in_dim_at(where, x, dims, &
      at) bind(c, name='tsr_broadcast_in_dim_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(tsr_dims), value :: at
      type(c_ptr) :: made
    end function
    !> x without these dims, which must be of size 1; if not given, (tsr_dims){{0}},
    !! without all dims of size 1. tsr_squeeze(x, TSR_DIMS(0))
    function tsr_squeeze_at(where, x, &
      dims) bind(c, name='tsr_squeeze_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> With new dims of size 1, which are these dims of the result: tsr_expand_dims(x,
    !! TSR_DIMS(0, -1)).
    function tsr_expand_dims_at(where, x, &
      dims) bind(c, name='tsr_expand_dims_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> Elements in reverse order along these dims: tsr_flip(x, TSR_DIMS(0)).
    function tsr_flip_at(where, x, dims) bind(c, name='tsr_flip_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> Joins arrays along a dim. The other dims must agree; dtypes are promoted. Along
    !! TSR_FLAT arrays of any dims are joined, each ravelled first. tsr_concatenate(0,
    !! a, b, c)
    function tsr_concatenate_at(where, dim, x, &
      n) bind(c, name='tsr_concatenate_at') result(made)
      import
      type(c_ptr), value :: where
      integer(c_int), value :: dim
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Arrays of the same dims along a new dim, dim `dim` of the result: tsr_stack(0, a,
    !! b).
    function tsr_stack_at(where, dim, x, n) bind(c, name='tsr_stack_at') result(made)
      import
      type(c_ptr), value :: where
      integer(c_int), value :: dim
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> n parts along a dim, into out: tsr *half[2]; tsr_split(x, 0, half, 2), or tsr
    !! *part[3]; tsr_split(x, 0, part, 3, .indices = TSR_DIMS(2, 5)). Errors: n does not
    !! divide the dim (TSR_ERROR_TYPE); indices that are not ascending within the dim,
    !! or not n - 1 in number (TSR_ERROR_ARGUMENT). false on failure: all of out is
    !! poison.
    function tsr_split_at(where, x, dim, out, n, &
      args) bind(c, name='tsr_split_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> x with low[d] and high[d] elements of this number before and behind dim d;
    !! negative ones take elements away. tsr_pad(x, TSR_DIMS(1, 0), TSR_DIMS(1, 0), 0)
    function tsr_pad_at(where, x, low, high, number, &
      args) bind(c, name='tsr_pad_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: low
      type(tsr_dims), value :: high
      type(tsr_arg), value :: number
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Elements start .. stop - 1 of a dim, as Python's x[start:stop]: negative ones
    !! count from the end, those out of range are cut to the dim, and TSR_END is the
    !! end. tsr_slice(x, 0, 1, TSR_END)
    function tsr_slice_at(where, x, dim, start, &
      stop) bind(c, name='tsr_slice_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      integer(c_int64_t), value :: start
      integer(c_int64_t), value :: stop
      type(c_ptr) :: made
    end function
    !> The elements from start to stop in all dims at once, with steps:
    !! tsr_slice_strided(x, TSR_DIMS(0, 0), TSR_DIMS(8, TSR_END), .steps = TSR_DIMS(2,
    !! 1)). A negative step goes down from start and ends before stop, where TSR_BEGIN
    !! is before the first element: Python's x[::-1] is tsr_slice_strided(x,
    !! TSR_DIMS(TSR_END), TSR_DIMS(TSR_BEGIN), .steps = TSR_DIMS(-1)). Error
    !! (TSR_ERROR_ARGUMENT): a step of 0.
    function tsr_slice_strided_at(where, x, starts, stops, &
      args) bind(c, name='tsr_slice_strided_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: starts
      type(tsr_dims), value :: stops
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Element i of a dim, which is dropped; negative from the end: tsr_index(x, 0, -1).
    !! Error (TSR_ERROR_ARGUMENT): i out of range.
    function tsr_index_at(where, x, dim, i) bind(c, name='tsr_index_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      integer(c_int64_t), value :: i
      type(c_ptr) :: made
    end function
    !> `size` elements of a dim from a start that is computed, an integer scalar or a C
    !! number. Negative starts count from the end; then a start is moved so that the
    !! slice is within x. tsr_dynamic_slice(x, 0, i, 2)
    function tsr_dynamic_slice_at(where, x, dim, start, &
      size) bind(c, name='tsr_dynamic_slice_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(tsr_arg), value :: start
      integer(c_int64_t), value :: size
      type(c_ptr) :: made
    end function
    !> x with `update` in place of elements of a dim, from a start that is computed as
    !! in tsr_dynamic_slice(). update has the dims of x except this one, and is
    !! converted to the dtype of x. tsr_dynamic_update(x, row, 0, i)
    function tsr_dynamic_update_at(where, x, update, dim, &
      start) bind(c, name='tsr_dynamic_update_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: update
      integer(c_int), value :: dim
      type(tsr_arg), value :: start
      type(c_ptr) :: made
    end function
    !> The part of x of these sizes, from starts that are computed, one a dim, each as
    !! in tsr_dynamic_slice(): tsr_dynamic_slice_dims(x, TSR_DIMS(2, 3), i, 0).
    function tsr_dynamic_slice_dims_at(where, x, sizes, starts, &
      n) bind(c, name='tsr_dynamic_slice_dims_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: sizes
      type(c_ptr), value :: starts
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> x with part of it replaced by `update`, which has as many dims, from computed
    !! starts, one for each dim: tsr_dynamic_update_dims(x, block, i, j).
    function tsr_dynamic_update_dims_at(where, x, update, starts, &
      n) bind(c, name='tsr_dynamic_update_dims_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: update
      type(c_ptr), value :: starts
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Element i of a dim, which is dropped; i is computed, and moved as in
    !! tsr_dynamic_slice(). tsr_dynamic_index(x, 0, i)
    function tsr_dynamic_index_at(where, x, dim, &
      i) bind(c, name='tsr_dynamic_index_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(tsr_arg), value :: i
      type(c_ptr) :: made
    end function
    !> jnp's take: the elements of a dim at `indices`, an array whose dims replace that
    !! dim; along TSR_FLAT x is ravelled first. Negative indices count from the end, but
    !! with TSR_CLIP and TSR_PROMISE_IN_BOUNDS. tsr_take(table, 0, words), tsr_take(x,
    !! 1, i, .mode = TSR_CLIP). Error (TSR_ERROR_ARGUMENT): some of a dim without
    !! elements.
    function tsr_take_at(where, x, dim, indices, &
      args) bind(c, name='tsr_take_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: indices
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> jnp's take_along_axis: of each row along a dim the elements at the indices of its
    !! own. Other dims of x and the indices broadcast together, so both have as many.
    !! Negative indices count from the end, but with TSR_PROMISE_IN_BOUNDS.
    !! tsr_take_along(x, -1, i)
    function tsr_take_along_at(where, x, dim, indices, &
      args) bind(c, name='tsr_take_along_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: indices
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> jnp's x.at[..., indices, ...].set(updates): x with the elements of a dim at
    !! `indices` replaced. The updates, an array or a C number, are converted to the
    !! dtype of x and broadcast to what tsr_take() would give; where two go to one
    !! place, the last one, row-major by index, stays. Negative indices count from the
    !! end. tsr_at_set(x, 0, i, 0.0)
    function tsr_at_set_at(where, x, dim, indices, updates, &
      args) bind(c, name='tsr_at_set_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: indices
      type(tsr_arg), value :: updates
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> jnp's x.at[..., indices, ...].add(updates): x with the updates added, each of
    !! those that go to one place: tsr_at_add(x, 0, i, 1). Not bool. Otherwise as
    !! tsr_at_set().
    function tsr_at_add_at(where, x, dim, indices, updates, &
      args) bind(c, name='tsr_at_add_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: indices
      type(tsr_arg), value :: updates
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> jnp's x.at[..., indices, ...].multiply(updates): x multiplied by the updates, by
    !! each of those that go to one place: tsr_at_mul(x, 0, i, 2). Not bool. Otherwise
    !! as tsr_at_set().
    function tsr_at_mul_at(where, x, dim, indices, updates, &
      args) bind(c, name='tsr_at_mul_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: indices
      type(tsr_arg), value :: updates
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> jnp's x.at[..., indices, ...].min(updates): the smallest of x and the updates
    !! that go to one place, as tsr_minimum(). Otherwise as tsr_at_set().
    function tsr_at_min_at(where, x, dim, indices, updates, &
      args) bind(c, name='tsr_at_min_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: indices
      type(tsr_arg), value :: updates
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> jnp's x.at[..., indices, ...].max(updates): the largest of x and the updates that
    !! go to one place, as tsr_maximum(). Otherwise as tsr_at_set().
    function tsr_at_max_at(where, x, dim, indices, updates, &
      args) bind(c, name='tsr_at_max_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: indices
      type(tsr_arg), value :: updates
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> lax.gather: windows of x of these sizes, which start at the index vectors that
    !! are the last dim of the indices. Rows of a matrix: tsr_gather(x,
    !! tsr_expand_dims(i, TSR_DIMS(-1)), TSR_DIMS(1, 4), .offset_dims = TSR_DIMS(1),
    !! .collapsed_slice_dims = TSR_DIMS(0), .start_index_map = TSR_DIMS(0)). Indices are
    !! taken as they are; the mode is TSR_FILL_OR_DROP when not given.
    function tsr_gather_at(where, x, indices, slice_sizes, &
      args) bind(c, name='tsr_gather_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: indices
      type(tsr_dims), value :: slice_sizes
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> lax.scatter and its kin: x with the updates combined with its windows, which
    !! start at the index vectors that are the last dim of the indices. x and updates
    !! have one dtype.
    function tsr_scatter_at(where, x, indices, updates, &
      args) bind(c, name='tsr_scatter_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: indices
      type(c_ptr), value :: updates
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The sum of the elements along dims: tsr_sum(x, .dims = TSR_DIMS(1)). Integers
    !! narrower than 32 bits and bool are summed in i32 (unsigned ones in u32); f16 and
    !! bf16 in f32, rounded once. Of no elements: 0.
    function tsr_sum_at(where, x, args) bind(c, name='tsr_sum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The product of the elements along dims: tsr_prod(x, .dims = TSR_DIMS(1)). Dtypes
    !! are those of tsr_sum(). Of no elements: 1.
    function tsr_prod_at(where, x, args) bind(c, name='tsr_prod_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The largest element along dims, in the dtype of x, compared as by tsr_maximum():
    !! tsr_max(x, .dims = TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element, and no
    !! .initial.
    function tsr_max_at(where, x, args) bind(c, name='tsr_max_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The smallest element along dims, in the dtype of x, compared as by tsr_minimum():
    !! tsr_min(x, .dims = TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element, and no
    !! .initial.
    function tsr_min_at(where, x, args) bind(c, name='tsr_min_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Whether all elements along dims are other than 0, a bool: tsr_all(tsr_isnan(x)).
    !! Of no elements: true.
    function tsr_all_at(where, x, args) bind(c, name='tsr_all_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Whether an element along dims is other than 0, a bool: tsr_any(tsr_isnan(x)). Of
    !! no elements: false.
    function tsr_any_at(where, x, args) bind(c, name='tsr_any_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The bits that are set in all elements along dims, in the dtype of x. Of no
    !! elements: all bits. Integers and bool only, as the next two.
    function tsr_reduce_and_at(where, x, &
      args) bind(c, name='tsr_reduce_and_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The bits that are set in at least one element along dims, in the dtype of x. Of
    !! no elements: none.
    function tsr_reduce_or_at(where, x, &
      args) bind(c, name='tsr_reduce_or_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The bits that are set in an odd number of elements. Of nothing: none.
    function tsr_reduce_xor_at(where, x, &
      args) bind(c, name='tsr_reduce_xor_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Sum divided by the number of elements; 16-bit floats in f32, rounded once;
    !! integers and bool give f32, integers of 64 bits f64. Of nothing: NaN.
    function tsr_mean_at(where, x, args) bind(c, name='tsr_mean_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> log of the sum of e^x, as m + log(sum(e^(x - m))) with m the largest element, or
    !! real part (0 where that is not finite); 16-bit floats in f32, rounded once.
    !! Integers give f32, those of 64 bits f64.
    function tsr_logsumexp_at(where, x, &
      args) bind(c, name='tsr_logsumexp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Index of the first largest element (NaN is larger than all): tsr_argmax(x, .dim =
    !! TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element.
    function tsr_argmax_at(where, x, args) bind(c, name='tsr_argmax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Index of the first smallest element (NaN is smaller than all).
    function tsr_argmin_at(where, x, args) bind(c, name='tsr_argmin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The elements along a dim in rising order: false before true, -0 and +0 as equals,
    !! NaN behind all, complex numbers by the real and then by the imaginary part. Equal
    !! ones keep their order.
    function tsr_sort_at(where, x, args) bind(c, name='tsr_sort_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Where the elements of tsr_sort() were: tsr_argsort(x, .descending = true). Of
    !! equal elements the first one is first, also in descending order. Further error
    !! (TSR_ERROR_TYPE): a .dtype that is not an integer one.
    function tsr_argsort_at(where, x, &
      args) bind(c, name='tsr_argsort_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> n operands of the same dims in one order, into out, which may be x. The first
    !! operand is the key, as tsr_sort() compares; where .num_keys is more than 1,
    !! equals in one key are in the order of the next. tsr *kv[] = {keys, values};
    !! tsr_sort_operands(kv, kv, 2). Further errors: dims that differ, .num_keys that is
    !! not 1 to n (TSR_ERROR_TYPE). false: all of out is poison.
    function tsr_sort_operands_at(where, x, out, n, &
      args) bind(c, name='tsr_sort_operands_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The k largest elements along a dim, the largest first, and where they are, i32
    !! (i64 where the dim needs it): out[0] and out[1]. Of equal ones the first one is
    !! first; floats are in the order of their bits: NaN inf 1 0 -0 -1 -inf -NaN.
    !! Further errors: complex x (TSR_ERROR_TYPE); k that is negative, or more than
    !! there are (TSR_ERROR_ARGUMENT). false: both are poison. tsr *best[2];
    !! tsr_top_k(logits, 5, best);
    function tsr_top_k_at(where, x, k, out, &
      args) bind(c, name='tsr_top_k_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: k
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The sum of each element and all before it along a dim. In the dtype of x, bool in
    !! i32; f16 and bf16 in f32, each result rounded once. With .dtype = TSR_BOOL: was
    !! there one other than 0?
    function tsr_cumsum_at(where, x, args) bind(c, name='tsr_cumsum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The product of each element and all before it along a dim; dtypes as for
    !! tsr_cumsum().
    function tsr_cumprod_at(where, x, &
      args) bind(c, name='tsr_cumprod_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_cumsum() of x with 0 in place of NaN: each element and all before it along a
    !! dim that are no NaN, summed.
    function tsr_nancumsum_at(where, x, &
      args) bind(c, name='tsr_nancumsum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_cumprod() of x with 1 in place of NaN: each element and all before it along a
    !! dim that are no NaN, multiplied.
    function tsr_nancumprod_at(where, x, &
      args) bind(c, name='tsr_nancumprod_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_cumsum() as the array API has it: tsr_cumulative_sum(x, .include_initial =
    !! true). Bools and small integers become i32 and u32, as in tsr_sum(). Further
    !! error (TSR_ERROR_ARGUMENT): no .dim, and x has not one dim.
    function tsr_cumulative_sum_at(where, x, &
      args) bind(c, name='tsr_cumulative_sum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_cumprod() as the array API has it, with the dtypes and errors of
    !! tsr_cumulative_sum(): tsr_cumulative_prod(x, .include_initial = true).
    function tsr_cumulative_prod_at(where, x, &
      args) bind(c, name='tsr_cumulative_prod_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The largest of each element and all before it along a dim, as tsr_maximum(). Not
    !! bool.
    function tsr_cummax_at(where, x, args) bind(c, name='tsr_cummax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The smallest of each element and all before it along a dim, as tsr_minimum(). Not
    !! bool.
    function tsr_cummin_at(where, x, args) bind(c, name='tsr_cummin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The logarithm of the sum of e^x over each element and all before it along a dim.
    !! Floats; f16 and bf16 in f32, each result rounded once.
    function tsr_cumlogsumexp_at(where, x, &
      args) bind(c, name='tsr_cumlogsumexp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> lax.reduce_window: the elements of each window, which has as many dims as x,
    !! combined by TSR_COMBINE_ADD, _MUL, _MIN or _MAX; padding changes no result.
    !! tsr_reduce_window(x, TSR_COMBINE_MAX, TSR_DIMS(1, 3), .padding = TSR_SAME). The
    !! derivative of the largest is the mean over equal elements, as that of tsr_max().
    function tsr_reduce_window_at(where, x, combine, window, &
      args) bind(c, name='tsr_reduce_window_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: combine
      type(tsr_dims), value :: window
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> flax's max_pool: the largest in windows along the dims before the last one, which
    !! counts features; any dims before these are a batch.
    function tsr_max_pool_at(where, x, window, &
      args) bind(c, name='tsr_max_pool_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: window
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> flax's min_pool: the smallest in windows along the dims before the last one,
    !! which counts features; otherwise as tsr_max_pool().
    function tsr_min_pool_at(where, x, window, &
      args) bind(c, name='tsr_min_pool_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: window
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> flax's avg_pool: the mean of windows along the dims before the last one, which
    !! counts features; that of integers is divided as by tsr_div(). Otherwise as
    !! tsr_max_pool().
    function tsr_avg_pool_at(where, x, window, &
      args) bind(c, name='tsr_avg_pool_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: window
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> lax.conv_general_dilated: the products of each window of lhs with rhs, summed;
    !! rhs is not flipped. lhs [batch, features, spatial ...], rhs [output features,
    !! input features, window ...], of one dtype. tsr_conv_general_dilated(x, w,
    !! .strides = TSR_DIMS(2, 2), .padding = TSR_SAME, .lhs_spec = "NHWC", .rhs_spec =
    !! "HWIO"). Sums are those of tsr_dot_general(). Further errors: dtypes, numbers of
    !! dims, features or groups that do not fit (TSR_ERROR_TYPE); a spec that does not
    !! name all dims (TSR_ERROR_ARGUMENT).
    function tsr_conv_general_dilated_at(where, lhs, rhs, &
      args) bind(c, name='tsr_conv_general_dilated_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: lhs
      type(c_ptr), value :: rhs
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The windows of lhs as features: each result has the elements of its window,
    !! [batch, features * window, spatial ...], in the order of the features and then of
    !! .rhs_spec. The keywords are those of tsr_conv_general_dilated() but for groups:
    !! tsr_conv_general_dilated_patches(x, TSR_DIMS(3, 3), .padding = TSR_SAME).
    function tsr_conv_general_dilated_patches_at(where, lhs, window, &
      args) bind(c, name='tsr_conv_general_dilated_patches_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: lhs
      type(tsr_dims), value :: window
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The windows of tsr_conv_general_dilated_patches(), each multiplied with a kernel
    !! of its own: rhs [output features, features * window, spatial ...], where spatial
    !! dims are those of the result. Further error: sizes that do not fit
    !! (TSR_ERROR_TYPE).
    function tsr_conv_general_dilated_local_at(where, lhs, rhs, window, &
      args) bind(c, name='tsr_conv_general_dilated_local_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: lhs
      type(c_ptr), value :: rhs
      type(tsr_dims), value :: window
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> lax.conv_transpose: a convolution in steps of less than an element, from which
    !! there are as many results as a convolution with these strides takes. lhs [batch,
    !! spatial ..., features], rhs [window ..., input features, output features]:
    !! tsr_conv_transpose(x, w, .strides = TSR_DIMS(2, 2), .padding = TSR_SAME). Errors
    !! as of tsr_conv_general_dilated().
    function tsr_conv_transpose_at(where, lhs, rhs, &
      args) bind(c, name='tsr_conv_transpose_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: lhs
      type(c_ptr), value :: rhs
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> NumPy's convolve of two arrays of one dim, v turned over: tsr_convolve(signal,
    !! filter, .mode = TSR_OVERLAP_SAME). Integers as floats. Errors: other numbers of
    !! dims (TSR_ERROR_TYPE), no elements (TSR_ERROR_ARGUMENT).
    function tsr_convolve_at(where, a, v, &
      args) bind(c, name='tsr_convolve_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: v
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> NumPy's correlate: a with the conjugate of v, which is not turned over.
    function tsr_correlate_at(where, a, v, &
      args) bind(c, name='tsr_correlate_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: v
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Random bits as a function of a key and a counter, two words each: u32 operands,
    !! and two u32 results into out. C numbers are u32. The words of
    !! jax.random.split(jax.random.key(42), n) are tsr_threefry2x32(0, 42, 0,
    !! tsr_iota(x, TSR_DIMS(n), 0, .dtype = TSR_U32), out). false: both of out are
    !! poison.
    function tsr_threefry2x32_at(where, key0, key1, x0, x1, &
      out) bind(c, name='tsr_threefry2x32_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_arg), value :: key0
      type(tsr_arg), value :: key1
      type(tsr_arg), value :: x0
      type(tsr_arg), value :: x1
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> Each element is its own index along a dim: tsr_iota(x, TSR_DIMS(2, 3), 1) is 0 1
    !! 2, 0 1 2.
    function tsr_iota_at(where, ctx, dims, dim, &
      args) bind(c, name='tsr_iota_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_dims), value :: dims
      integer(c_int), value :: dim
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Always one value: tsr_constant_schedule(ctx, 1e-3).
    function tsr_constant_schedule_at(where, ctx, &
      value) bind(c, name='tsr_constant_schedule_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: value
      type(c_ptr) :: made
    end function
    !> From init_value to end_value in equal steps, and then the latter:
    !! tsr_linear_schedule(ctx, 0, 1e-3, 100). transition_steps < 1: always init_value.
    function tsr_linear_schedule_at(where, ctx, init_value, end_value, &
      transition_steps, &
      args) bind(c, name='tsr_linear_schedule_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: init_value
      real(c_double), value :: end_value
      integer(c_int64_t), value :: transition_steps
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> end_value + (init_value - end_value) (1 - t)^power, where t goes from 0 to 1:
    !! tsr_polynomial_schedule(ctx, 1e-3, 0, 2, 1000).
    function tsr_polynomial_schedule_at(where, ctx, init_value, end_value, power, &
      transition_steps, &
      args) bind(c, name='tsr_polynomial_schedule_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: init_value
      real(c_double), value :: end_value
      real(c_double), value :: power
      integer(c_int64_t), value :: transition_steps
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> init_value times the first half wave of a cosine, from 1 to 0 (or .alpha) in
    !! decay_steps, and then what is left: tsr_cosine_decay_schedule(ctx, 1e-3, 1000).
    !! Error (TSR_ERROR_ARGUMENT): decay_steps < 1.
    function tsr_cosine_decay_schedule_at(where, ctx, init_value, decay_steps, &
      args) bind(c, name='tsr_cosine_decay_schedule_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: init_value
      integer(c_int64_t), value :: decay_steps
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> init_value decay_rate^(step / transition_steps): tsr_exponential_decay(ctx, 1e-3,
    !! 100, 0.5). transition_steps < 1, or a decay_rate of 0: always init_value.
    function tsr_exponential_decay_at(where, ctx, init_value, transition_steps, &
      decay_rate, args) bind(c, name='tsr_exponential_decay_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: init_value
      integer(c_int64_t), value :: transition_steps
      real(c_double), value :: decay_rate
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_linear_schedule() from init_value to peak_value in warmup_steps, and then
    !! tsr_cosine_decay_schedule() to .end_value, which is reached at step decay_steps:
    !! tsr_warmup_cosine_decay_schedule(ctx, 0, 1e-3, 100, 1000). Error
    !! (TSR_ERROR_ARGUMENT): decay_steps is not more than warmup_steps.
    function tsr_warmup_cosine_decay_schedule_at(where, ctx, init_value, peak_value, &
      warmup_steps, decay_steps, &
      args) bind(c, name='tsr_warmup_cosine_decay_schedule_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: init_value
      real(c_double), value :: peak_value
      integer(c_int64_t), value :: warmup_steps
      integer(c_int64_t), value :: decay_steps
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> init_value times the scales of all boundaries that are reached:
    !! tsr_piecewise_constant_schedule(ctx, 1e-3, {500, 0.1}, {900, 0.1}). Error
    !! (TSR_ERROR_ARGUMENT): a negative scale.
    function tsr_piecewise_constant_schedule_at(where, ctx, init_value, boundaries, &
      n) bind(c, name='tsr_piecewise_constant_schedule_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: init_value
      type(c_ptr), value :: boundaries
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Schedules one behind the other, each of which counts its own steps from 0:
    !! tsr_join_schedules(ctx, {0, warmup}, {100, decay}, {1000, tail}). Error
    !! (TSR_ERROR_ARGUMENT): no phase, a schedule that is NULL, poison or of another
    !! context.
    function tsr_join_schedules_at(where, ctx, phases, &
      n) bind(c, name='tsr_join_schedules_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: phases
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Gradient descent: tsr_sgd(ctx, 0.1), tsr_sgd(ctx, 0.1, .momentum = 0.9).
    function tsr_sgd_at(where, ctx, rate, &
      args) bind(c, name='tsr_sgd_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_rate), value :: rate
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Adam (Kingma and Ba, 2014): with mu the mean of g, and nu that of |g|^2, both
    !! decaying and freed of their bias, p - rate mu / (sqrt(nu + eps_root) + eps).
    !! tsr_adam(ctx, 1e-3)
    function tsr_adam_at(where, ctx, rate, &
      args) bind(c, name='tsr_adam_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_rate), value :: rate
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_adam() with weights that decay by themselves (Loshchilov and Hutter, 2019):
    !! weight_decay p is added to the update before the rate. tsr_adamw(ctx, 1e-3,
    !! .weight_decay = 0.01)
    function tsr_adamw_at(where, ctx, rate, &
      args) bind(c, name='tsr_adamw_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_rate), value :: rate
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Lion (Chen and others, 2023): the sign of b1 mu + (1 - b1) g, where mu is the
    !! mean of g that decays by b2, and decay of weights as in tsr_adamw().
    !! tsr_lion(ctx, 1e-4)
    function tsr_lion_at(where, ctx, rate, &
      args) bind(c, name='tsr_lion_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_rate), value :: rate
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Adafactor (Shazeer and Stern, 2018), whose state is small: tsr_adafactor(ctx,
    !! 1e-3).
    function tsr_adafactor_at(where, ctx, rate, &
      args) bind(c, name='tsr_adafactor_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_rate), value :: rate
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Gradients whose norm, that of all leaves together, is above max_norm are scaled
    !! down to it: tsr_clip_by_global_norm(ctx, 1.0), a part for tsr_chain().
    function tsr_clip_by_global_norm_at(where, ctx, &
      max_norm) bind(c, name='tsr_clip_by_global_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: max_norm
      type(c_ptr) :: made
    end function
    !> An average of the parameters over the steps, which decays, for use when training
    !! is done: a part for the end of a tsr_chain(), whose state it is. It begins as the
    !! parameters, and after each step it is decay times itself and 1 - decay times the
    !! new ones. tsr_ema_params(ctx, 0.999)
    function tsr_ema_params_at(where, ctx, decay, &
      args) bind(c, name='tsr_ema_params_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      real(c_double), value :: decay
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Several optimisers and parts, each of which gets what the one before makes of the
    !! gradients: tsr_chain(ctx, tsr_clip_by_global_norm(ctx, 1.0), tsr_adam(ctx, 1e-3),
    !! tsr_ema_params(ctx, 0.99)). Error (TSR_ERROR_ARGUMENT): one that is NULL, poison,
    !! or of another context.
    function tsr_chain_at(where, ctx, parts, &
      n) bind(c, name='tsr_chain_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: parts
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Gradients are collected for k steps, after which opt makes one step with their
    !! mean; the parameters stay as they are in between: tsr_multi_steps(tsr_adam(ctx,
    !! 1e-3), 4). Error (TSR_ERROR_ARGUMENT): k < 1.
    function tsr_multi_steps_at(where, opt, k, &
      args) bind(c, name='tsr_multi_steps_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: opt
      integer(c_int64_t), value :: k
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> How many leaves the state for these parameters has. Of poison: 0.
    function tsr_optimizer_leaves_c(opt, &
      params) bind(c, name='tsr_optimizer_leaves') result(made)
      import
      type(c_ptr), value :: opt
      type(tsr_tree), value :: params
      integer(c_size_t) :: made
    end function
    !> The state before the first step, as a list of leaves without a type, which has no
    !! leaves if it fails. Outside of bodies each leaf is made where it belongs, by each
    !! device its own part: placed as its parameter is, or cut further by .zero, along
    !! the first of the dims of which the least is then left on a device. Leaves are
    !! owned, as tsr_set() makes them: tsr_drop_tree(state) ends them. The list itself
    !! belongs to the innermost scope. In a body they are values of that, and there
    !! .zero is an error (TSR_ERROR_UNSUPPORTED). Errors: params without leaves, a
    !! number of .mask that is not that of the leaves (TSR_ERROR_ARGUMENT); an axis in
    !! .zero that the mesh of a parameter, or for one that was put nowhere the one in
    !! use, does not have (TSR_ERROR_SHARDING); parameters that are not floating or
    !! complex (TSR_ERROR_TYPE).
    function tsr_optimizer_init_at(where, opt, &
      params) bind(c, name='tsr_optimizer_init_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: opt
      type(tsr_tree), value :: params
      type(tsr_tree) :: made
    end function
    !> One step: params and state, whose leaves are replaced, become the next ones for
    !! these gradients, a tree with as many leaves as params. Absent leaves stay so.
    !! Outside of bodies slots own the new leaves, as with tsr_set(). In a body, where
    !! trees that are arguments must not be written, params is a copy: mlp w =
    !! *TSR_TREE_OF(mlp, params); tsr_optimizer_update(opt, TSR_TREE(mlp, &g),
    !! TSR_TREE(mlp, &w), state). Errors: other numbers of leaves (TSR_ERROR_ARGUMENT),
    !! dims of a gradient that are not those of its parameter (TSR_ERROR_TYPE). false on
    !! failure; nothing is replaced then.
    function tsr_optimizer_update_at(where, opt, grads, params, &
      state) bind(c, name='tsr_optimizer_update_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: opt
      type(tsr_tree), value :: grads
      type(tsr_tree), value :: params
      type(tsr_tree), value :: state
      logical(c_bool) :: made
    end function
    !> The part of a state that is the average of tsr_ema_params(), as a tree like
    !! params; without leaves if there is none. No handle is made: these are those of
    !! the state.
    function tsr_optimizer_ema_c(opt, params, &
      state) bind(c, name='tsr_optimizer_ema') result(made)
      import
      type(c_ptr), value :: opt
      type(tsr_tree), value :: params
      type(tsr_tree), value :: state
      type(tsr_tree) :: made
    end function
    !> A fn of one step of training: it takes the parameters, the state, and the further
    !! arguments of the loss, and gives the loss, the new parameters, the new state, and
    !! what .has_aux passes on. Parameters and state are donated. loss: a body as
    !! tsr_grad() takes, whose argument 0 is the tree of parameters. tsr_train_step(ctx,
    !! loss, tsr_adam(ctx, 1e-3)); tsr_train() calls it.
    function tsr_train_step_at(where, ctx, body, text, opt, &
      args) bind(c, name='tsr_train_step_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: opt
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Calls a step: gives the loss, and puts the new leaves of params and state, which
    !! it owns as with tsr_set(), in the places of those that the call has given up: l =
    !! tsr_train(step, TSR_TREE(mlp, &w), state, x, y). With .has_aux, tsr_call_into()
    !! gives all results. Errors: those of the loss, and of tsr_optimizer_update().
    function tsr_train_at(where, step, params, state, args, &
      n) bind(c, name='tsr_train_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: step
      type(tsr_tree), value :: params
      type(tsr_tree), value :: state
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> An array of zeros, f32 when no dtype is given; the key is not used, here and in
    !! the next two.
    function tsr_init_zeros_at(where, key, dims, &
      args) bind(c, name='tsr_init_zeros_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> An array of ones, f32 when no dtype is given; the key is not used:
    !! tsr_init_ones(key, TSR_DIMS(8)).
    function tsr_init_ones_at(where, key, dims, &
      args) bind(c, name='tsr_init_ones_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> An array with all elements .value: tsr_init_constant(key, TSR_DIMS(8), .value =
    !! TSR_ARG(0.5)). Error (TSR_ERROR_ARGUMENT): no .value.
    function tsr_init_constant_at(where, key, dims, &
      args) bind(c, name='tsr_init_constant_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers spread evenly from 0 to .scale: tsr_init_uniform(key, TSR_DIMS(512, 10),
    !! .scale = 0.1).
    function tsr_init_uniform_at(where, key, dims, &
      args) bind(c, name='tsr_init_uniform_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Normal numbers with mean 0: tsr_init_normal(key, TSR_DIMS(512, 10), .stddev =
    !! 0.02).
    function tsr_init_normal_at(where, key, dims, &
      args) bind(c, name='tsr_init_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Normal numbers with mean 0 of which those outside of two limits are left out.
    function tsr_init_truncated_normal_at(where, key, dims, &
      args) bind(c, name='tsr_init_truncated_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers with mean 0 and variance .scale / n, where n is a number of elements that
    !! .mode names: tsr_init_variance_scaling(key, TSR_DIMS(512, 10), .scale = 2, .mode
    !! = TSR_FAN_AVG). The next ones are this one with the keywords that their comments
    !! say. Errors of all: dims that are none (TSR_ERROR_ARGUMENT), no .in where there
    !! are fewer than two dims (TSR_ERROR_TYPE).
    function tsr_init_variance_scaling_at(where, key, dims, &
      args) bind(c, name='tsr_init_variance_scaling_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_variance_scaling() with .scale = 1, .mode = TSR_FAN_AVG, .distribution =
    !! TSR_INIT_UNIFORM.
    function tsr_init_glorot_uniform_at(where, key, dims, &
      args) bind(c, name='tsr_init_glorot_uniform_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_variance_scaling() with .scale = 1, .mode = TSR_FAN_AVG.
    function tsr_init_glorot_normal_at(where, key, dims, &
      args) bind(c, name='tsr_init_glorot_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_glorot_uniform() by the other name that JAX has for it.
    function tsr_init_xavier_uniform_at(where, key, dims, &
      args) bind(c, name='tsr_init_xavier_uniform_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_glorot_normal() by the other name that JAX has for it.
    function tsr_init_xavier_normal_at(where, key, dims, &
      args) bind(c, name='tsr_init_xavier_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_variance_scaling() with .scale = 1, .distribution = TSR_INIT_UNIFORM.
    function tsr_init_lecun_uniform_at(where, key, dims, &
      args) bind(c, name='tsr_init_lecun_uniform_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_variance_scaling() with .scale = 1: the usual one of kernels in Flax.
    function tsr_init_lecun_normal_at(where, key, dims, &
      args) bind(c, name='tsr_init_lecun_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_variance_scaling() with .scale = 2, .distribution = TSR_INIT_UNIFORM.
    function tsr_init_he_uniform_at(where, key, dims, &
      args) bind(c, name='tsr_init_he_uniform_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_variance_scaling() with .scale = 2, normal numbers below two standard
    !! deviations.
    function tsr_init_he_normal_at(where, key, dims, &
      args) bind(c, name='tsr_init_he_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_he_uniform() by the other name that JAX has for it.
    function tsr_init_kaiming_uniform_at(where, key, dims, &
      args) bind(c, name='tsr_init_kaiming_uniform_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_init_he_normal() by the other name that JAX has for it.
    function tsr_init_kaiming_normal_at(where, key, dims, &
      args) bind(c, name='tsr_init_kaiming_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A matrix with orthonormal rows or columns, whichever are fewer, times .scale. All
    !! dims but .column are its rows. A device makes all of it, and keeps its part.
    !! Error (TSR_ERROR_TYPE): fewer than two dims.
    function tsr_init_orthogonal_at(where, key, dims, &
      args) bind(c, name='tsr_init_orthogonal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A kernel [window..., in, out] that is a matrix of tsr_init_orthogonal() at the
    !! middle of its window, and 0 elsewhere: tsr_init_delta_orthogonal(key, TSR_DIMS(3,
    !! 3, 8, 16)). Error (TSR_ERROR_TYPE): not 3 to 5 dims, or more in than out.
    function tsr_init_delta_orthogonal_at(where, key, dims, &
      args) bind(c, name='tsr_init_delta_orthogonal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The leaves of a tree, leaf k as params[k] says, and over a mesh where it says:
    !! const tsr_param params[] = { {TSR_DIMS(h, 4 * h), tsr_init_kaiming_normal,
    !! TSR_P(NULL, "model")}, {TSR_DIMS(4 * h), tsr_init_zeros, TSR_P("model")}};
    !! tsr_make_params(TSR_TREE(dense, &w), key, mesh, params, 2); Leaf k is drawn with
    !! tsr_fold_in(key, k), as Flax numbers them: a kernel comes before its bias, a
    !! scale before its bias, and zeros and ones have numbers too. Running statistics
    !! have none there: they are a tree of their own. All leaves are drawn by one
    !! program, in which each device makes its own parts and nothing is sent (but in a
    !! context with .threefry_original, whose numbers depend on the whole). A mesh that
    !! is NULL is the one in use; where none is, leaves are where the key is. Errors: n
    !! is not the number of leaves, no initialiser (TSR_ERROR_ARGUMENT), an initialiser
    !! that gives other dims (TSR_ERROR_TYPE), specs as for tsr_put()
    !! (TSR_ERROR_SHARDING). false on failure; all leaves are poison then.
    function tsr_make_params_at(where, to, key, mesh, params, &
      n) bind(c, name='tsr_make_params_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: to
      type(c_ptr), value :: key
      type(c_ptr), value :: mesh
      type(c_ptr), value :: params
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> Products by Einstein's convention: each dim has a letter, and what has a letter
    !! that the result lacks is summed over. tsr_einsum("ij,jk->ik", a, b); "ii->i" is a
    !! diagonal, "..." means any dims, which are broadcast; without an arrow the result
    !! has the letters that occur once, in order. Of more than two arrays the products
    !! that take the fewest multiplications come first. Errors: a text that does not fit
    !! the arrays (TSR_ERROR_ARGUMENT), one letter for different sizes (TSR_ERROR_TYPE).
    function tsr_einsum_at(where, subscripts, x, &
      n) bind(c, name='tsr_einsum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: subscripts
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> NumPy's tensordot: sums over dims of a and b in pairs; the result has the other
    !! dims of a, then those of b. tsr_tensordot(a, b, .dims_a = TSR_DIMS(1), .dims_b =
    !! TSR_DIMS(0)). Errors: dims of different sizes (TSR_ERROR_TYPE), lists of
    !! different lengths (TSR_ERROR_ARGUMENT).
    function tsr_tensordot_at(where, a, b, &
      args) bind(c, name='tsr_tensordot_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Sums over the last dim of both; a scalar multiplies.
    function tsr_inner_at(where, a, b) bind(c, name='tsr_inner_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> Each element of a with each of b, both ravelled: [m, n].
    function tsr_outer_at(where, a, b) bind(c, name='tsr_outer_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The sum of conj(a) b over all elements, both ravelled.
    function tsr_vdot_at(where, a, b) bind(c, name='tsr_vdot_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The sum of conj(a) b along a dim; other dims are broadcast: tsr_vecdot(a, b, .dim
    !! = TSR_DIMS(0)). Error (TSR_ERROR_TYPE): different sizes of the dim.
    function tsr_vecdot_at(where, a, b, &
      args) bind(c, name='tsr_vecdot_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Matrices times vectors: [..., n, m] and [..., m] give [..., n].
    function tsr_matvec_at(where, a, b) bind(c, name='tsr_matvec_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> Conjugated vectors times matrices: [..., n] and [..., n, m] give [..., m].
    function tsr_vecmat_at(where, a, b) bind(c, name='tsr_vecmat_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> Kronecker's product: dim d of the result has the product of both sizes, a's index
    !! in front.
    function tsr_kron_at(where, a, b) bind(c, name='tsr_kron_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr) :: made
    end function
    !> The cross product of vectors of 3 along a dim; those of 2 have 0 as their third
    !! element, and of two of them the result is that element alone. Error
    !! (TSR_ERROR_TYPE): other sizes.
    function tsr_cross_at(where, a, b, args) bind(c, name='tsr_cross_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Begins to write a trace to a file, which is replaced: tsr_profile(ctx,
    !! "trace.json"). It ends with tsr_profile_end() or tsr_close(). Programs that one
    !! routine runs as a whole are run step by step meanwhile. The environment variable
    !! TSR_PROFILE=FILE does this for an unchanged program; if several of its contexts
    !! do something, the second writes FILE.2, and so on. False on failure: the file
    !! cannot be written (TSR_ERROR_FILE), or a trace is being written already
    !! (TSR_ERROR_ARGUMENT).
    function tsr_profile_at(where, ctx, &
      path) bind(c, name='tsr_profile_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(c_ptr), value :: path
      logical(c_bool) :: made
    end function
    !> Ends the trace of tsr_profile_begin(), whose file is complete now. False on
    !! failure: there was none (TSR_ERROR_ARGUMENT), or not all of it could be written
    !! (TSR_ERROR_FILE).
    function tsr_profile_end_at(where, &
      ctx) bind(c, name='tsr_profile_end_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      logical(c_bool) :: made
    end function
    !> The key of a seed: its upper and its lower 32 bits, [2] of u32: tsr_key(ctx, 42),
    !! tsr_key(ctx, seed) of an integer array without dims, which may be traced. The
    !! upper half is 0 where the array has at most 32 bits. (JAX without 64-bit types
    !! drops the upper half: its key(-1) is tsr_key(ctx, UINT32_MAX).) Error
    !! (TSR_ERROR_TYPE): it is no integer, or has dims.
    function tsr_key_at(where, ctx, seed) bind(c, name='tsr_key_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_arg), value :: seed
      type(c_ptr) :: made
    end function
    !> n new keys, into out: tsr *key[2]; tsr_split_key(old, key, 2). false on failure;
    !! out then holds poison.
    function tsr_split_key_at(where, key, out, &
      n) bind(c, name='tsr_split_key_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> An array of new keys, [dims..., 2]: tsr_split_keys(key, TSR_DIMS(8)) is u32[8,2],
    !! and its rows are the keys of tsr_split_key(key, out, 8).
    function tsr_split_keys_at(where, key, &
      dims) bind(c, name='tsr_split_keys_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> A new key, of a key and an integer: tsr_fold_in(key, 7), tsr_fold_in(key, step).
    !! The integer counts modulo 2^32. Error (TSR_ERROR_TYPE): it is no integer, or has
    !! dims.
    function tsr_fold_in_at(where, key, &
      data) bind(c, name='tsr_fold_in_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: data
      type(c_ptr) :: made
    end function
    !> Random bits: u8, u16, u32 or u64; u32 when no dtype is given:
    !! tsr_random_bits(key, TSR_DIMS(6), .dtype = TSR_U8).
    function tsr_random_bits_at(where, key, dims, &
      args) bind(c, name='tsr_random_bits_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Floats spread evenly over minval <= y < maxval; f32 when no dtype is given:
    !! tsr_uniform(key, TSR_DIMS(8), .minval = TSR_ARG(-1)). Error (TSR_ERROR_TYPE):
    !! limits that do not broadcast to the dims.
    function tsr_uniform_at(where, key, dims, &
      args) bind(c, name='tsr_uniform_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Normal numbers with mean 0 and variance 1, of a float or complex dtype; f32 when
    !! not given. Both parts of complex ones have half the variance.
    function tsr_normal_at(where, key, dims, &
      args) bind(c, name='tsr_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Normal numbers of which those outside of lower < y < upper are left out:
    !! tsr_truncated_normal(key, -2, 2, .dims = TSR_DIMS(8)). This one, and all samplers
    !! with parameters below: f32 or another float .dtype, and parameters that are
    !! arrays or C numbers and broadcast to .dims (TSR_ERROR_TYPE if not).
    function tsr_truncated_normal_at(where, key, lower, upper, &
      args) bind(c, name='tsr_truncated_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: lower
      type(tsr_arg), value :: upper
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Integers minval <= y < maxval; i32 when no dtype is given: tsr_randint(key,
    !! TSR_DIMS(8), 0, 10). Limits beyond the dtype count as its own, so 0 and 256 are
    !! all of u8; where maxval is not above minval, minval. The remainder of twice as
    !! many random bits as the dtype has: nearly even.
    function tsr_randint_at(where, key, dims, minval, maxval, &
      args) bind(c, name='tsr_randint_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(tsr_arg), value :: minval
      type(tsr_arg), value :: maxval
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> bool: true with probability p: tsr_bernoulli(key, 0.3, .dims = TSR_DIMS(4)).
    function tsr_bernoulli_at(where, key, p, &
      args) bind(c, name='tsr_bernoulli_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: p
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Each element -1 or 1 with equal probability; i32, or another integer dtype.
    function tsr_rademacher_at(where, key, dims, &
      args) bind(c, name='tsr_rademacher_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The number of a category, each with a probability proportional to e to the power
    !! of its logit: tsr_categorical(key, logits), tsr_categorical(key, logits, .dim =
    !! TSR_DIMS(0)). Errors (TSR_ERROR_TYPE): logits that are no floats, .dims that do
    !! not end as they must.
    function tsr_categorical_at(where, key, logits, &
      args) bind(c, name='tsr_categorical_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(c_ptr), value :: logits
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> An array whose elements along a dim are in random order, or the numbers from 0 to
    !! n - 1, of i32, or i64 where they need it: tsr_permutation(key, x),
    !! tsr_permutation(key, 100). Error (TSR_ERROR_ARGUMENT): so many that no array
    !! holds them.
    function tsr_permutation_at(where, key, x, &
      args) bind(c, name='tsr_permutation_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Elements of an array along a dim, or of the numbers from 0 to n - 1, i32. dims
    !! says how many, and replaces that dim: tsr_choice(key, 10, TSR_DIMS(3)),
    !! tsr_choice(key, rows, TSR_DIMS(5), .no_replace = true), tsr_choice(key, 4,
    !! TSR_DIMS(9), .p = p). Errors: more samples than elements with .no_replace,
    !! nothing to choose from (TSR_ERROR_ARGUMENT); a .p of other dims (TSR_ERROR_TYPE).
    function tsr_choice_at(where, key, from, dims, &
      args) bind(c, name='tsr_choice_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: from
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> How many trials with probability p it takes until one succeeds; i32, or another
    !! integer dtype.
    function tsr_geometric_at(where, key, p, &
      args) bind(c, name='tsr_geometric_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: p
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> How many events there are where lam are expected, lam >= 0; i32, or another
    !! integer dtype. All elements try with numbers of the same keys until each one is
    !! done. From lam = 10 on the last trial that succeeds counts, as in JAX: there an
    !! element depends on how long the others take. A lam that is negative or NaN gives
    !! -1.
    function tsr_poisson_at(where, key, lam, &
      args) bind(c, name='tsr_poisson_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: lam
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> How many of n trials with probability p succeed, as floats (f32, or another float
    !! .dtype): tsr_binomial(key, 10, p). Fractions of n are dropped; NaN where n is
    !! negative or p not between 0 and 1, infinity where n is infinite. Where n min(p, 1
    !! - p) > 10, elements depend on each other as in tsr_poisson().
    function tsr_binomial_at(where, key, n, p, &
      args) bind(c, name='tsr_binomial_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: n
      type(tsr_arg), value :: p
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> How many of n trials have each outcome, of probabilities p [..., k], as floats:
    !! [.dims..., k], where .dims are those in front of the last one of p when not
    !! given, and n broadcasts to them. tsr_multinomial(key, 100, p). Errors
    !! (TSR_ERROR_TYPE): a p without dims, dims that do not broadcast.
    function tsr_multinomial_at(where, key, n, p, &
      args) bind(c, name='tsr_multinomial_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: n
      type(c_ptr), value :: p
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> -log(-log(u)) with u evenly between 0 and 1: the noise of tsr_categorical(). This
    !! one, and those below without parameters: f32 or another float .dtype.
    function tsr_gumbel_at(where, key, dims, &
      args) bind(c, name='tsr_gumbel_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers of the exponential distribution with mean 1: -log(1 - u) with u evenly
    !! between 0 and 1.
    function tsr_exponential_at(where, key, dims, &
      args) bind(c, name='tsr_exponential_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers of the Laplace distribution: exponential ones with a random sign.
    function tsr_laplace_at(where, key, dims, &
      args) bind(c, name='tsr_laplace_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers of the logistic distribution: log(u / (1 - u)) with u evenly between 0
    !! and 1.
    function tsr_random_logistic_at(where, key, dims, &
      args) bind(c, name='tsr_random_logistic_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Cauchy numbers: the tangent of an angle between -pi/2 and pi/2.
    function tsr_cauchy_at(where, key, dims, &
      args) bind(c, name='tsr_cauchy_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Maxwell numbers: the length of three normal ones.
    function tsr_maxwell_at(where, key, dims, &
      args) bind(c, name='tsr_maxwell_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Pareto numbers y >= 1, with density b / y^(b + 1).
    function tsr_pareto_at(where, key, b, &
      args) bind(c, name='tsr_pareto_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Rayleigh numbers: scale times the length of two normal ones.
    function tsr_rayleigh_at(where, key, scale, &
      args) bind(c, name='tsr_rayleigh_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: scale
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> e to the power of sigma times a normal number.
    function tsr_lognormal_at(where, key, sigma, &
      args) bind(c, name='tsr_lognormal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: sigma
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Wald (inverse normal) numbers with a mean, and shape 1.
    function tsr_wald_at(where, key, mean, &
      args) bind(c, name='tsr_wald_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: mean
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Weibull numbers: scale times an exponential one to the power 1 / concentration.
    function tsr_weibull_min_at(where, key, scale, concentration, &
      args) bind(c, name='tsr_weibull_min_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: scale
      type(tsr_arg), value :: concentration
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> loc plus scale times a Maxwell number with a random sign.
    function tsr_double_sided_maxwell_at(where, key, loc, scale, &
      args) bind(c, name='tsr_double_sided_maxwell_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: loc
      type(tsr_arg), value :: scale
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers between left and right whose density rises up to mode, and falls behind
    !! it.
    function tsr_triangular_at(where, key, left, mode, right, &
      args) bind(c, name='tsr_triangular_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: left
      type(tsr_arg), value :: mode
      type(tsr_arg), value :: right
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers of the gamma distribution with parameter a > 0, whose density is a
    !! multiple of y^(a - 1) e^-y: tsr_random_gamma(key, 2.5, .dims = TSR_DIMS(8)). It
    !! has a derivative by a: that of the number with the same share of the distribution
    !! below it. NaN where a <= -2/3.
    function tsr_random_gamma_at(where, key, a, &
      args) bind(c, name='tsr_random_gamma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: a
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The logarithms of numbers of tsr_random_gamma(), which are exact where the
    !! numbers are too small.
    function tsr_random_loggamma_at(where, key, a, &
      args) bind(c, name='tsr_random_loggamma_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: a
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers of the beta distribution: x / (x + y) of gamma numbers x and y, with
    !! parameters a and b.
    function tsr_random_beta_at(where, key, a, b, &
      args) bind(c, name='tsr_random_beta_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: a
      type(tsr_arg), value :: b
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The sum of df squares of normal numbers; df may have a fraction.
    function tsr_chisquare_at(where, key, df, &
      args) bind(c, name='tsr_chisquare_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: df
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers of Student's t distribution: a normal number over the root of the mean of
    !! df squares of normal numbers.
    function tsr_random_t_at(where, key, df, &
      args) bind(c, name='tsr_random_t_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: df
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers of the F distribution: the mean of dfnum squares of normal numbers over
    !! the mean of dfden squares of others.
    function tsr_random_f_at(where, key, dfnum, dfden, &
      args) bind(c, name='tsr_random_f_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: dfnum
      type(tsr_arg), value :: dfden
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Numbers whose density is a multiple of e^-|y|^p.
    function tsr_generalized_normal_at(where, key, p, &
      args) bind(c, name='tsr_generalized_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(tsr_arg), value :: p
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Vectors of n numbers, spread evenly over those whose p-norm is at most 1,
    !! [.dims..., n]: tsr_ball(key, 3, .dims = TSR_DIMS(100)). Error (TSR_ERROR_TYPE):
    !! .p has dims.
    function tsr_ball_at(where, key, n, args) bind(c, name='tsr_ball_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Vectors with the sum 1, of gamma numbers with parameters alpha [..., n] that are
    !! divided by theirs: [.dims..., n], where .dims are those in front of the last one
    !! of alpha when not given. tsr_dirichlet(key, alpha, .dims = TSR_DIMS(5)). Errors
    !! (TSR_ERROR_TYPE): alpha has no dims, or they do not broadcast to these.
    function tsr_dirichlet_at(where, key, alpha, &
      args) bind(c, name='tsr_dirichlet_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(c_ptr), value :: alpha
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Orthogonal matrices, of complex dtype unitary ones, [.dims..., n, n], spread
    !! evenly: tsr_orthogonal(key, 4). With .m columns the rows, or where they are more
    !! the columns, are orthogonal and of size 1. f32 when no dtype is given. Errors: as
    !! of tsr_qr().
    function tsr_orthogonal_at(where, key, n, &
      args) bind(c, name='tsr_orthogonal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Vectors of normal numbers with a mean [..., n] and a covariance [..., n, n],
    !! [.dims..., n]: tsr_multivariate_normal(key, mean, cov, .dims = TSR_DIMS(100)).
    !! The signs of the columns of F are any with .factor = TSR_FACTOR_EIGH or
    !! TSR_FACTOR_SVD, which also takes singular matrices. Errors: other dims
    !! (TSR_ERROR_TYPE), no such .factor (TSR_ERROR_ARGUMENT), those of the factor.
    function tsr_multivariate_normal_at(where, key, mean, cov, &
      args) bind(c, name='tsr_multivariate_normal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: key
      type(c_ptr), value :: mean
      type(c_ptr), value :: cov
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> With dims from[i] as dims to[i] of the result; the others keep their order.
    !! tsr_moveaxis(x, TSR_DIMS(0), TSR_DIMS(-1)). Error (TSR_ERROR_ARGUMENT): lists of
    !! different lengths.
    function tsr_moveaxis_at(where, x, from, &
      to) bind(c, name='tsr_moveaxis_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: from
      type(tsr_dims), value :: to
      type(c_ptr) :: made
    end function
    !> x with the dims a and b in each other's place: tsr_swapaxes(x, 0, 1).
    function tsr_swapaxes_at(where, x, a, &
      b) bind(c, name='tsr_swapaxes_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: a
      integer(c_int), value :: b
      type(c_ptr) :: made
    end function
    !> x with at least one dim: a scalar becomes [1], all else is left as it is.
    function tsr_atleast_1d_at(where, &
      x) bind(c, name='tsr_atleast_1d_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x with at least two dims, of which new ones are in front: [n] becomes [1, n].
    function tsr_atleast_2d_at(where, &
      x) bind(c, name='tsr_atleast_2d_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> x with at least three dims: [n] becomes [1, n, 1], and [m, n] [m, n, 1].
    function tsr_atleast_3d_at(where, &
      x) bind(c, name='tsr_atleast_3d_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> The n arrays of a list broadcast together, into out, which may be the list.
    !! false: all are poison.
    function tsr_broadcast_arrays_at(where, x, out, &
      n) bind(c, name='tsr_broadcast_arrays_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> Elements moved by `shift` places along a dim; those that leave it at one end
    !! enter at the other. Along TSR_FLAT as if x had one dim. tsr_roll(x, 1, 0)
    function tsr_roll_at(where, x, shift, &
      dim) bind(c, name='tsr_roll_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: shift
      integer(c_int), value :: dim
      type(c_ptr) :: made
    end function
    !> tsr_roll() by a shift that may be traced: an integer, of C or an array without
    !! dims, which counts modulo the size of the dim. tsr_dynamic_roll(x, step, 0).
    !! Error (TSR_ERROR_TYPE): another shift.
    function tsr_dynamic_roll_at(where, x, shift, &
      dim) bind(c, name='tsr_dynamic_roll_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_arg), value :: shift
      integer(c_int), value :: dim
      type(c_ptr) :: made
    end function
    !> A quarter turn, k times, from dim a to dim b: tsr_rot90(image, 1, 0, 1). Error
    !! (TSR_ERROR_ARGUMENT): a and b are one dim.
    function tsr_rot90_at(where, x, k, a, b) bind(c, name='tsr_rot90_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: k
      integer(c_int), value :: a
      integer(c_int), value :: b
      type(c_ptr) :: made
    end function
    !> The whole of x times[d] times along dim d: tsr_tile(x, TSR_DIMS(2, 1)). Lists of
    !! different lengths are completed by ones in front. Error (TSR_ERROR_ARGUMENT): a
    !! negative number.
    function tsr_tile_at(where, x, times) bind(c, name='tsr_tile_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: times
      type(c_ptr) :: made
    end function
    !> Each element n times along a dim; along TSR_FLAT x is ravelled first:
    !! tsr_repeat(x, 2, 0).
    function tsr_repeat_at(where, x, n, &
      dim) bind(c, name='tsr_repeat_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: n
      integer(c_int), value :: dim
      type(c_ptr) :: made
    end function
    !> Element i of a dim times[i] times, for an array of integers of one dim, or one
    !! for all elements; along TSR_FLAT x is ravelled first. The dim gets the size n,
    !! whatever they hold: what is too much is cut off, and where there is too little
    !! the last element fills the rest. Negative ones count as 0. jnp.repeat() with
    !! total_repeat_length: tsr_repeat_each(x, counts, 10, 0). Errors: times that are no
    !! integers or not as many (TSR_ERROR_TYPE), a negative n, nothing to repeat
    !! (TSR_ERROR_ARGUMENT).
    function tsr_repeat_each_at(where, x, times, n, &
      dim) bind(c, name='tsr_repeat_each_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: times
      integer(c_int64_t), value :: n
      integer(c_int), value :: dim
      type(c_ptr) :: made
    end function
    !> The elements of x, ravelled, again and again, until these dims are full.
    function tsr_resize_at(where, x, dims) bind(c, name='tsr_resize_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr) :: made
    end function
    !> Arrays joined along dim 1, those of one dim along dim 0: tsr_hstack(a, b).
    function tsr_hstack_at(where, x, n) bind(c, name='tsr_hstack_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Arrays joined along dim 0; those of one dim are rows.
    function tsr_vstack_at(where, x, n) bind(c, name='tsr_vstack_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Arrays joined along dim 2, after tsr_atleast_3d().
    function tsr_dstack_at(where, x, n) bind(c, name='tsr_dstack_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Arrays joined along dim 1; those of one dim are columns.
    function tsr_column_stack_at(where, x, &
      n) bind(c, name='tsr_column_stack_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> As tsr_split() into n parts, of which the first ones have one element more where
    !! n does not divide the dim.
    function tsr_array_split_at(where, x, dim, out, &
      n) bind(c, name='tsr_array_split_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> The n elements of a dim, which is dropped, into out. Error (TSR_ERROR_ARGUMENT):
    !! the dim has not size n. false: all are poison.
    function tsr_unstack_at(where, x, dim, out, &
      n) bind(c, name='tsr_unstack_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: dim
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> Complex numbers [...] as their real and imaginary parts, [..., 2]:
    !! tsr_view_as_real(z). Where z may be real, tsr_real() and tsr_imag() take it.
    !! Error (TSR_ERROR_TYPE): numbers that are not complex.
    function tsr_view_as_real_at(where, &
      z) bind(c, name='tsr_view_as_real_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: z
      type(c_ptr) :: made
    end function
    !> Pairs [..., 2] of f32 or f64 as complex numbers [...]: the inverse. Error
    !! (TSR_ERROR_TYPE): other dims or another dtype.
    function tsr_view_as_complex_at(where, &
      x) bind(c, name='tsr_view_as_complex_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> A diagonal of two dims, as the last dim: tsr_diagonal(x, .k = 1). Error
    !! (TSR_ERROR_TYPE): less than two dims.
    function tsr_diagonal_at(where, x, &
      args) bind(c, name='tsr_diagonal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The sum of the elements of tsr_diagonal(), which the keywords choose:
    !! tsr_trace(x, .k = 1).
    function tsr_trace_at(where, x, args) bind(c, name='tsr_trace_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Of one dim: a square matrix with x as diagonal k, and zeros. Of two: diagonal k.
    function tsr_diag_at(where, x, k) bind(c, name='tsr_diag_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: k
      type(c_ptr) :: made
    end function
    !> A square matrix with the elements of x, ravelled, as diagonal k, and zeros.
    function tsr_diagflat_at(where, x, k) bind(c, name='tsr_diagflat_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: k
      type(c_ptr) :: made
    end function
    !> The elements of each matrix in the last two dims, with zeros above diagonal k:
    !! tsr_tril(x, 0).
    function tsr_tril_at(where, x, k) bind(c, name='tsr_tril_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: k
      type(c_ptr) :: made
    end function
    !> The elements of each matrix in the last two dims, with zeros below diagonal k:
    !! tsr_triu(x, 1).
    function tsr_triu_at(where, x, k) bind(c, name='tsr_triu_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int), value :: k
      type(c_ptr) :: made
    end function
    !> n x m ones up to diagonal k, and zeros above it; f32 when not given.
    function tsr_tri_at(where, ctx, n, m, k, &
      args) bind(c, name='tsr_tri_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: n
      integer(c_int64_t), value :: m
      integer(c_int), value :: k
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> x with its elements (i, i, ...) replaced by a number. Errors (TSR_ERROR_TYPE):
    !! less than two dims, more than two that differ.
    function tsr_fill_diagonal_at(where, x, &
      value) bind(c, name='tsr_fill_diagonal_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_arg), value :: value
      type(c_ptr) :: made
    end function
    !> Columns x^(n - 1), ..., x, 1; increasing: from 1 on. [m] gives [m, n].
    function tsr_vander_at(where, x, n, &
      increasing) bind(c, name='tsr_vander_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: n
      logical(c_bool), value :: increasing
      type(c_ptr) :: made
    end function
    !> Coordinates of a grid of n arrays of one dim, into out, which may be the list:
    !! each goes along its own dim of n. With .ij and .sparse NumPy's ix_. false: all
    !! are poison.
    function tsr_meshgrid_at(where, x, out, n, &
      args) bind(c, name='tsr_meshgrid_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: out
      integer(c_size_t), value :: n
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The index of each element of an array of these dims along each dim: [number of
    !! dims, dims ...]; when not given i32, or i64 where a dim needs it.
    function tsr_indices_at(where, ctx, dims, &
      args) bind(c, name='tsr_indices_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_dims), value :: dims
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The places along each of these dims of row-major numbers, integers, into out;
    !! those beyond an end are moved there, and negative ones count from the end.
    !! tsr_unravel_index(best, TSR_DIMS(4, 5), out). false: all are poison.
    function tsr_unravel_index_at(where, x, dims, &
      out) bind(c, name='tsr_unravel_index_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      type(c_ptr), value :: out
      logical(c_bool) :: made
    end function
    !> The row-major numbers of places, one array for each of these dims, integers:
    !! moved into the dims with TSR_CLIP, modulo their sizes with TSR_WRAP, and
    !! otherwise as they are.
    function tsr_ravel_multi_index_at(where, x, dims, &
      mode) bind(c, name='tsr_ravel_multi_index_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_dims), value :: dims
      integer(c_int), value :: mode
      type(c_ptr) :: made
    end function
    !> The mean of |x - mean|^2, real. NaN where .correction leaves no number to divide
    !! by. tsr_var(x, .dims = TSR_DIMS(0), .correction = 1). Error (TSR_ERROR_TYPE): a
    !! .dtype of integers, or a real one for complex x.
    function tsr_var_at(where, x, args) bind(c, name='tsr_var_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The standard deviation along dims, the square root of tsr_var(): tsr_std(x, .dims
    !! = TSR_DIMS(0)).
    function tsr_std_at(where, x, args) bind(c, name='tsr_std_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The mean with weights, sum(x weights) / sum(weights): tsr_average(x, .weights =
    !! w). Error (TSR_ERROR_TYPE): dims of the weights that do not fit.
    function tsr_average_at(where, x, &
      args) bind(c, name='tsr_average_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> How many elements of x are not 0, along dims; i32.
    function tsr_count_nonzero_at(where, x, &
      args) bind(c, name='tsr_count_nonzero_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The largest element along dims less the smallest one, in the dtype of x:
    !! tsr_ptp(x, .dims = TSR_DIMS(0)).
    function tsr_ptp_at(where, x, args) bind(c, name='tsr_ptp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The sum of those elements along dims that are not NaN, 0 where all are; otherwise
    !! as tsr_sum().
    function tsr_nansum_at(where, x, args) bind(c, name='tsr_nansum_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The product of those elements along dims that are not NaN, 1 where all are;
    !! otherwise as tsr_prod().
    function tsr_nanprod_at(where, x, &
      args) bind(c, name='tsr_nanprod_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_max() of the elements that are not NaN; NaN where all are, unless .initial is
    !! given.
    function tsr_nanmax_at(where, x, args) bind(c, name='tsr_nanmax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_min() of the elements that are not NaN; NaN where all are, unless .initial is
    !! given.
    function tsr_nanmin_at(where, x, args) bind(c, name='tsr_nanmin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The mean of those elements along dims that are not NaN, NaN where all are;
    !! otherwise as tsr_mean().
    function tsr_nanmean_at(where, x, &
      args) bind(c, name='tsr_nanmean_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The variance of those elements along dims that are not NaN; otherwise as
    !! tsr_var().
    function tsr_nanvar_at(where, x, args) bind(c, name='tsr_nanvar_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The standard deviation of those elements along dims that are not NaN; otherwise
    !! as tsr_std().
    function tsr_nanstd_at(where, x, args) bind(c, name='tsr_nanstd_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_argmax() of the elements that are not NaN; -1 where all are.
    function tsr_nanargmax_at(where, x, &
      args) bind(c, name='tsr_nanargmax_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_argmin() of the elements that are not NaN; -1 where all are.
    function tsr_nanargmin_at(where, x, &
      args) bind(c, name='tsr_nanargmin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The element at q of the way; q may be of one dim, which is the first one of the
    !! result then. NaN where there is one. tsr_quantile(x, 0.9, .dims = TSR_DIMS(1))
    function tsr_quantile_at(where, x, q, &
      args) bind(c, name='tsr_quantile_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_arg), value :: q
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_quantile() at q / 100, for q from 0 to 100: tsr_percentile(x, 90).
    function tsr_percentile_at(where, x, q, &
      args) bind(c, name='tsr_percentile_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_arg), value :: q
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The element in the middle, or the mean of the two in the middle.
    function tsr_median_at(where, x, args) bind(c, name='tsr_median_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_quantile() of the elements that are not NaN.
    function tsr_nanquantile_at(where, x, q, &
      args) bind(c, name='tsr_nanquantile_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_arg), value :: q
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_percentile() of the elements that are not NaN.
    function tsr_nanpercentile_at(where, x, q, &
      args) bind(c, name='tsr_nanpercentile_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(tsr_arg), value :: q
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_median() of the elements that are not NaN.
    function tsr_nanmedian_at(where, x, &
      args) bind(c, name='tsr_nanmedian_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The covariances of the rows of x, [m, m]; of one row a scalar: tsr_cov(x, .y =
    !! z). Further error (TSR_ERROR_TYPE): weights that are not one for each
    !! observation.
    function tsr_cov_at(where, x, args) bind(c, name='tsr_cov_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> tsr_cov() over the product of both standard deviations.
    function tsr_corrcoef_at(where, x, &
      args) bind(c, name='tsr_corrcoef_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The place of each of v in a, which is sorted and has one dim: before equal
    !! elements, or, with .right, behind them; i32, i64 where the dim needs it. NaN is
    !! the largest.
    function tsr_searchsorted_at(where, a, v, &
      args) bind(c, name='tsr_searchsorted_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: a
      type(c_ptr), value :: v
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> In which of the bins between edges, rising or falling, each element is: bins[i -
    !! 1] <= x < bins[i], or, with .right, bins[i - 1] < x <= bins[i].
    function tsr_digitize_at(where, x, bins, &
      args) bind(c, name='tsr_digitize_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: bins
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Whether each element of x is one of those of `set`: a bool.
    function tsr_isin_at(where, x, set) bind(c, name='tsr_isin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: set
      type(c_ptr) :: made
    end function
    !> How many times each of 0 .. n - 1 is in x, integers; negative ones count as 0,
    !! larger ones not. tsr_bincount(words, 50)
    function tsr_bincount_at(where, x, n, &
      args) bind(c, name='tsr_bincount_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: n
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> How many elements are in each of n bins, to out[0], in the dtype of x and the
    !! weights as floats, and the n + 1 edges, to out[1]. The last bin has its upper
    !! edge too. false: both are poison.
    function tsr_histogram_at(where, x, n, out, &
      args) bind(c, name='tsr_histogram_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      integer(c_int64_t), value :: n
      type(c_ptr), value :: out
      type(c_ptr), value :: args
      logical(c_bool) :: made
    end function
    !> The values at x of the lines between the points (xp, fp), xp rising. Error
    !! (TSR_ERROR_TYPE): xp and fp not of one dim of the same size.
    function tsr_interp_at(where, x, xp, fp, &
      args) bind(c, name='tsr_interp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: xp
      type(c_ptr), value :: fp
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Calls a fn runs * loops times and measures the runs: tsr_time(10, 5, step, w, x).
    !! A loop is a call, the wait for all its results, and their release, so memory does
    !! not grow. Before the first run there is one call that is not measured, which
    !! traces, and compiles what the engine can. Other threads take part in the time: it
    !! is that of the clock on the wall. Errors: as tsr_call_into(); runs or loops below
    !! 1, a fn that donates arguments, for these are gone after the first loop
    !! (TSR_ERROR_ARGUMENT); a call inside a body (TSR_ERROR_HANDLE). Then runs and
    !! loops are 0, and all else is NaN. Collective across processes if the call is.
    function tsr_time_at(where, runs, loops, fn, args, &
      n) bind(c, name='tsr_time_at') result(made)
      import
      type(c_ptr), value :: where
      integer(c_int), value :: runs
      integer(c_int), value :: loops
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(tsr_timing) :: made
    end function
    !> The line that IPython's %timeit prints, without a newline: "1.23 ms ± 45.6 µs per
    !! loop (mean ± std. dev. of 10 runs, 5 loops each)". Three digits; from a minute on
    !! "1min 5s". UTF-8, valid until the innermost scope ends; "" on failure. Errors
    !! (TSR_ERROR_ARGUMENT): runs or loops below 1, a mean or deviation that is negative
    !! or not finite.
    function tsr_timing_text_at(where, ctx, &
      timing) bind(c, name='tsr_timing_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_timing), value :: timing
      type(c_ptr) :: made
    end function
    !> Prints how long each collective takes over an axis of a mesh, "x" or "x*y", to
    !! stdout: tsr_bench_collectives(mesh, "data", x). x, an array of numbers, is cut
    !! along dim 0, and each device exchanges its part. A line has the bytes that a
    !! device receives, as tsr_fn_graph() counts them; the least time of some runs; the
    !! bytes received in a second; and the share of what memory allows: of the time in
    !! which the same devices read as many bytes as all parts have, and write those of
    !! all results, at the rate of negating x, which is measured in alternation. What is
    !! the same on several devices of one memory is written once; parts that are given
    !! on without being copied have no share. It takes some seconds. Errors: a mesh that
    !! is none (TSR_ERROR_ARGUMENT); x is NULL, traced or of another context, or a body
    !! is being traced (TSR_ERROR_HANDLE); x has no dim or no numbers (TSR_ERROR_TYPE);
    !! the axis is not one of the mesh, or does not divide dim 0 (TSR_ERROR_SHARDING).
    !! Collective across processes.
    subroutine tsr_bench_collectives_at(where, mesh, axis, &
      x) bind(c, name='tsr_bench_collectives_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: mesh
      type(c_ptr), value :: axis
      type(c_ptr), value :: x
    end subroutine
    !> Begins to show how far work is that has `total` steps, 0 for a number that is not
    !! known: tsr_progress_begin(ctx, 1000, .label = "training"). It is a line on
    !! stderr, which is written again and again, and is shown only where stderr is a
    !! terminal and TERM is not "dumb". The rate is that of the steps behind the first
    !! one shown, in which programs are compiled. Never NULL. Local to the process.
    !! Error (TSR_ERROR_ARGUMENT): total is negative; then nothing is shown.
    function tsr_progress_begin_at(where, ctx, total, &
      args) bind(c, name='tsr_progress_begin_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      integer(c_int64_t), value :: total
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> So many steps are done; note: a text for the end of the line, such as "loss
    !! 0.43", or NULL. The line is written ten times a second at most, and always when
    !! all steps are done.
    subroutine tsr_progress_show_c(p, done, note) bind(c, name='tsr_progress_show')
      import
      type(c_ptr), value :: p
      integer(c_int64_t), value :: done
      type(c_ptr), value :: note
    end subroutine
    !> Ends the line of a progress report; tsr_close() does, too. NULL is allowed.
    subroutine tsr_progress_end_c(p) bind(c, name='tsr_progress_end')
      import
      type(c_ptr), value :: p
    end subroutine
    !> The leaves of a tree as the type T it was made as: const mlp *p =
    !! TSR_TREE_OF(mlp, params). Never NULL. If the fields or the number of leaves
    !! differ, an error is recorded (TSR_ERROR_ARGUMENT) and every leaf is poison.
    function tsr_tree_as_at(where, tree, &
      type) bind(c, name='tsr_tree_as_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: tree
      type(c_ptr), value :: type
      type(c_ptr) :: made
    end function
    !> A fn whose call is one program: tsr_jit(ctx, step, .name = "step"). body: a C
    !! function, or a fn. text: the arguments of the call as text, "ctx, step, ...", of
    !! which the second is the name of the fn if .name is not given; NULL is legal.
    !! Errors (TSR_ERROR_ARGUMENT): a NULL body, env without size, a fn or a .mesh of
    !! another context, .in or .out without a mesh; TSR_ERROR_SHARDING: as
    !! tsr_sharding_make() for each spec. At a call: more specs than arguments, results
    !! or leaves (TSR_ERROR_ARGUMENT), a spec longer than its value has dims
    !! (TSR_ERROR_SHARDING).
    function tsr_jit_at(where, ctx, body, text, &
      args) bind(c, name='tsr_jit_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A fn that runs its body on every device of a mesh (NULL: the one in use,
    !! TSR_MESH()), each on its own blocks: an argument is cut as its spec says, so that
    !! dim d of a block is dim d of the argument divided by the sizes of the axes of
    !! that entry; along axes that the spec leaves out every device gets the same block.
    !! Results are put together in the same way. Along axes that their spec leaves out
    !! they must be equal; the check proves that by tracking which values may vary over
    !! which axes (the result of psum does not). Inside, collectives use the axes by
    !! name. May be called inside another tsr_shard_map() over other axes of the same
    !! mesh. Errors here: as tsr_sharding_make() for each spec, a .sig that is
    !! malformed, unknown .axes. Errors at a call (TSR_ERROR_SHARDING): a spec longer
    !! than its value has dims, dims that do not divide, a result that may vary over an
    !! axis its spec leaves out, axes that are manual already.
    function tsr_shard_map_at(where, mesh, body, text, &
      args) bind(c, name='tsr_shard_map_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: mesh
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Gives up a fn, once for each time that it was made: tsr_fn *f = tsr_jit(ctx,
    !! body, TSR_ENV(&hyper)); ... tsr_fn_release(f). After the last one any use of f is
    !! an error (TSR_ERROR_HANDLE). The fn and its tracings go as soon as no call of it
    !! is in progress and no fn that was made of it, say by tsr_grad(ctx, f), is left.
    !! NULL and poison: nothing happens.
    subroutine tsr_fn_release_at(where, fn) bind(c, name='tsr_fn_release_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
    end subroutine
    !> A fn of the gradients of a body's result, one result for each argument in .wrt,
    !! with its type or tree: tsr_call(tsr_grad(ctx, loss), w). The body returns one
    !! real floating scalar. With .has_aux it returns further results, which are passed
    !! on behind the gradients. A tree's absent leaves have no gradient and are absent
    !! again. For complex arguments the gradient is not conjugated, as in JAX. A
    !! gradient that nothing else cuts is cut over a mesh as its argument is. Inside
    !! tsr_shard_map() the gradient for a value that does not vary over an axis is
    !! summed over it. Errors here: as tsr_jit(), .wrt out of range. At a call
    !! (TSR_ERROR_TYPE, TSR_ERROR_ARGUMENT): a loss that is no real scalar, an argument
    !! that is not floating or complex; TSR_ERROR_UNSUPPORTED: an operation that has no
    !! derivative.
    function tsr_grad_at(where, ctx, body, text, &
      args) bind(c, name='tsr_grad_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A fn of the loss, with .has_aux of the other results, and then of the gradients
    !! of tsr_grad(): tsr_call_into(TSR_OUT(&loss, TSR_TREE(mlp, &g)),
    !! tsr_value_and_grad(ctx, body), TSR_TREE(mlp, &w), x).
    function tsr_value_and_grad_at(where, ctx, body, text, &
      args) bind(c, name='tsr_value_and_grad_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Forward mode: a fn that takes the body's arguments, and then a tangent for each
    !! argument in .wrt. A tangent has the type of its argument; an absent leaf counts
    !! as zero, and inside a map a tangent may vary over fewer axes. The results are
    !! those of the body, then their tangents (absent for dtypes that have none), then
    !! what .has_aux passes on: tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(ctx, f), x, dx).
    function tsr_jvp_at(where, ctx, body, text, &
      args) bind(c, name='tsr_jvp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The Jacobians of real results with respect to real arguments, computed column by
    !! column, which is good for few inputs. For each result and each argument in .wrt
    !! there is one result, whose dims are those of the result followed by those of the
    !! argument. For trees it has a leaf for each pair of leaves, of which those of the
    !! argument vary fastest.
    function tsr_jacfwd_at(where, ctx, body, text, &
      args) bind(c, name='tsr_jacfwd_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The Jacobians of tsr_jacfwd(), computed row by row by reverse mode, which is good
    !! for few outputs: tsr_jacrev(ctx, f).
    function tsr_jacrev_at(where, ctx, body, text, &
      args) bind(c, name='tsr_jacrev_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Second derivatives, tsr_jacfwd() of tsr_jacrev(): dims of the result, then twice
    !! those of the argument.
    function tsr_hessian_at(where, ctx, body, text, &
      args) bind(c, name='tsr_hessian_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Runs a fn and gives its derivative there, to be called any number of times:
    !! tsr_linearized l = tsr_linearize(TSR_OUT(&y), f, x); dy = tsr_call(l.fn,
    !! l.residuals, dx). l.fn takes a tangent for each argument with a floating or
    !! complex leaf (leaves of other dtypes are absent), and gives one for each result.
    !! Errors: as tsr_call_into(); then l.fn is poison.
    function tsr_linearize_at(where, outs, nout, fn, args, &
      n) bind(c, name='tsr_linearize_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(tsr_linearized) :: made
    end function
    !> tsr_linearize() where only the first result is differentiated; the others are
    !! passed on to their places: tsr_linearized l = tsr_linearize_aux(TSR_OUT(&y,
    !! &aux), f, x).
    function tsr_linearize_aux_at(where, outs, nout, fn, args, &
      n) bind(c, name='tsr_linearize_aux_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(tsr_linearized) :: made
    end function
    !> Runs a fn and gives its derivative there in reverse mode: l.fn takes a cotangent
    !! for each result with a floating or complex leaf, and gives one for each such
    !! argument: tsr_linearized l = tsr_vjp(TSR_OUT(&y), f, x); dx = tsr_call(l.fn,
    !! l.residuals, dy).
    function tsr_vjp_at(where, outs, nout, fn, args, &
      n) bind(c, name='tsr_vjp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(tsr_linearized) :: made
    end function
    !> tsr_vjp() where only the first result is differentiated, and l.fn takes a
    !! cotangent for it alone; the others are passed on to their places: tsr_linearized
    !! l = tsr_vjp_aux(TSR_OUT(&y, &aux), f, x).
    function tsr_vjp_aux_at(where, outs, nout, fn, args, &
      n) bind(c, name='tsr_vjp_aux_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(tsr_linearized) :: made
    end function
    !> The transpose of a fn that is linear in its arguments; only their types matter:
    !! tsr_linearized l = tsr_linear_transpose(f, x); dx = tsr_call(l.fn, l.residuals,
    !! dy). Error (TSR_ERROR_UNSUPPORTED): the fn is not linear.
    function tsr_linear_transpose_at(where, fn, args, &
      n) bind(c, name='tsr_linear_transpose_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(tsr_linearized) :: made
    end function
    !> A fn whose derivative a rule says: tsr_custom_jvp(ctx, log1pexp, log1pexp_jvp).
    !! The rule takes the body's arguments, and then a tangent for each argument with a
    !! floating or complex leaf (leaves of other dtypes are absent) that is not in
    !! .nondiff. It returns what the body returns, and then a tangent for each result
    !! with a floating or complex leaf, of its type; an absent leaf counts as zero. It
    !! must be linear in the tangents, so that reverse mode can transpose it. A rule is
    !! any body that tsr_jit() takes, and is traced when the fn is called. It may call
    !! the body, which has its own derivatives, or the fn itself, for the derivatives of
    !! the rule: up to the third. Errors here: as tsr_jit(), .nondiff that is no list of
    !! arguments. At a call (TSR_ERROR_TYPE, TSR_ERROR_ARGUMENT): a rule whose results
    !! do not fit those of the body; where it is differentiated (TSR_ERROR_UNSUPPORTED):
    !! with respect to a value that the rule says nothing of, such as one that the body
    !! takes from outside.
    function tsr_custom_jvp_at(where, ctx, body, text, rule, &
      args) bind(c, name='tsr_custom_jvp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(tsr_body_c), value :: rule
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A fn whose derivative in reverse mode two rules say: tsr_custom_vjp(ctx, clip,
    !! clip_forward, clip_backward). It returns a cotangent for each argument with such
    !! a leaf that is not in .nondiff, of its type; an absent leaf counts as zero.
    !! Inside tsr_shard_map() the cotangent of an argument that does not vary over an
    !! axis must not vary over it either: sum it with tsr_psum(). The tangents of
    !! forward mode are an error (TSR_ERROR_UNSUPPORTED).
    function tsr_custom_vjp_at(where, ctx, body, text, forward, backward, &
      args) bind(c, name='tsr_custom_vjp_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(tsr_body_c), value :: forward
      type(tsr_body_c), value :: backward
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A fn that gives what its body gives, and computes it once more for its derivative
    !! in reverse mode, instead of keeping what the derivative needs: tsr_remat(ctx,
    !! layer, .save = TSR_SAVE_DOTS). That takes less memory and more time. What is
    !! printed or called inside is so once. Products inside loops of the body are not
    !! kept; a remat of the loop's body does that. Errors here: as tsr_jit(), a .save or
    !! .names that is none.
    function tsr_remat_at(where, ctx, body, text, &
      args) bind(c, name='tsr_remat_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> x itself, under a name by which .names of tsr_remat() keeps it:
    !! tsr_checkpoint_name(q, "q"). Error (TSR_ERROR_ARGUMENT): a name of other
    !! characters than letters, digits, '_' and '.'.
    function tsr_checkpoint_name_at(where, x, &
      name) bind(c, name='tsr_checkpoint_name_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: name
      type(c_ptr) :: made
    end function
    !> x itself, behind a barrier: whatever is computed from the result is not merged
    !! with what is computed from x, nor simplified together with what made x. Its
    !! derivative is one too.
    function tsr_optimization_barrier_at(where, &
      x) bind(c, name='tsr_optimization_barrier_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr) :: made
    end function
    !> tsr_optimization_barrier() for any number of arguments, no result of which is
    !! there before all arguments are: tsr_optimization_barrier_into(TSR_OUT(&y, &z), x,
    !! w).
    subroutine tsr_optimization_barrier_into_at(where, outs, nout, args, &
      n) bind(c, name='tsr_optimization_barrier_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
    end subroutine
    !> A fn of a whole batch, made of a body of one element: tsr_call(tsr_vmap(ctx, f),
    !! x). The body sees each mapped argument without its mapped dim; results have the
    !! batch as a new dim. What does not depend on a mapped argument is computed once.
    !! Errors at a call (TSR_ERROR_ARGUMENT, TSR_ERROR_TYPE): no argument mapped and no
    !! .axis_size, sizes that differ, a dim out of range, lists that do not fit the
    !! arguments or results, a result that depends on the batch with TSR_UNMAPPED.
    function tsr_vmap_at(where, ctx, body, text, &
      args) bind(c, name='tsr_vmap_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> A fn of as many elements as there are devices, each of which runs the body on its
    !! own: tsr_call(tsr_pmap(ctx, step, .axis = "i"), x). The body sees mapped
    !! arguments without their mapped dim, as under tsr_vmap(), and exchanges values
    !! with tsr_psum(y, "i") and its kin. Results stay on the devices, cut along the
    !! mapped dim. Arguments that are elsewhere go there, unless tsr_jit() is around it.
    !! A tsr_pmap() inside another one maps each of its devices to several: all of them
    !! are over one mesh of the first devices, the outer axis major, and collectives may
    !! name the axes of both. So those side by side inside another one must have one
    !! size. It is tsr_shard_map() with .unchecked over such a mesh, which takes blocks
    !! and may have any mesh. Errors here (TSR_ERROR_ARGUMENT): as tsr_jit(), an empty
    !! list of devices. At a call: as tsr_vmap(); TSR_ERROR_SHARDING: more elements than
    !! devices, a device that is not there or is listed twice, a call inside
    !! tsr_shard_map() or of tsr_shard_map() inside.
    function tsr_pmap_at(where, ctx, body, text, &
      args) bind(c, name='tsr_pmap_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: ctx
      type(tsr_body_c), value :: body
      type(c_ptr), value :: text
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The name of a fn, as messages and program texts have it.
    function tsr_fn_name_c(fn) bind(c, name='tsr_fn_name') result(made)
      import
      type(c_ptr), value :: fn
      type(c_ptr) :: made
    end function
    !> Fills a record, whose .size says how much of it the caller knows. NULL as fn:
    !! zeros.
    subroutine tsr_fn_stats_fill_c(fn, info) bind(c, name='tsr_fn_stats_fill')
      import
      type(c_ptr), value :: fn
      type(c_ptr), value :: info
    end subroutine
    !> Counts since the fn was made: tsr_fn_stats(f).traces.
    function tsr_fn_stats_c(fn) bind(c, name='tsr_fn_stats') result(made)
      import
      type(c_ptr), value :: fn
      type(tsr_fn_info) :: made
    end function
    !> Calls a fn of one result: tsr_call(f, x, 2.0, TSR_TREE(mlp, &w)). Arguments are
    !! handles, trees, or C numbers; at most 8. A number is a weak scalar in the body,
    !! as exact as it was written: beside f64 it is f64, beside bf16 it is bf16. A
    !! result that is made of numbers alone is i32 (i64 if needed), f32 or c64. A call
    !! with another number does not trace the body again, unless it is an integer that
    !! needs another width. Errors: a wrong number of arguments or of results, a tree
    !! for a handle or a handle for a tree (TSR_ERROR_ARGUMENT), whatever the body does
    !! wrong.
    function tsr_call_at(where, fn, args, n) bind(c, name='tsr_call_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> Calls a fn of any number of results: tsr_call_into(TSR_OUT(&loss, TSR_OWN(mlp,
    !! &w)), step, TSR_TREE(mlp, &w), x). outs: one place for each result; a tree takes
    !! as many leaves as the result has, and NULL where one is absent. On failure all
    !! places get poison, but owned slots keep what they hold.
    subroutine tsr_call_into_at(where, outs, nout, fn, args, &
      n) bind(c, name='tsr_call_into_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: outs
      integer(c_size_t), value :: nout
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
    end subroutine
    !> The text of the program that this call of a fn would run (docs/program-text.md):
    !! puts(tsr_fn_text(f, a, b)). Valid until the innermost scope ends; "" on failure,
    !! as for tsr_call().
    function tsr_fn_text_at(where, fn, args, &
      n) bind(c, name='tsr_fn_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> The text of the per-device program that all passes make of a call and the engine
    !! compiles: puts(tsr_fn_compiled_text(f, a, b)). Outside maps only
    !! (TSR_ERROR_ARGUMENT).
    function tsr_fn_compiled_text_at(where, fn, args, &
      n) bind(c, name='tsr_fn_compiled_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> The program that this call of a fn would run as a graph, in the language of
    !! Graphviz, whose `dot` draws it: puts(tsr_fn_graph(f, a, b)). Boxes are equations,
    !! and have the line of the user's source as their tooltip; collectives have a
    !! colour of their own, the axes they go over and the bytes that a device receives
    !! each time; the contents of a frame are a program inside an equation
    !! (docs/program-text.md). Valid until the innermost scope ends; "" on failure, as
    !! for tsr_call().
    function tsr_fn_graph_at(where, fn, args, &
      n) bind(c, name='tsr_fn_graph_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> The per-device program of tsr_fn_compiled_text() as a graph, in the form of
    !! tsr_fn_graph(): puts(tsr_fn_compiled_graph(f, a, b)). Outside maps only
    !! (TSR_ERROR_ARGUMENT).
    function tsr_fn_compiled_graph_at(where, fn, args, &
      n) bind(c, name='tsr_fn_compiled_graph_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: fn
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      type(c_ptr) :: made
    end function
    !> How many arguments the call has whose frame this is; a tree counts as one.
    function tsr_frame_count_c(frame) bind(c, name='tsr_frame_count') result(made)
      import
      type(c_ptr), value :: frame
      integer(c_size_t) :: made
    end function
    !> Argument k of the call whose frame this is, as a handle. Error
    !! (TSR_ERROR_ARGUMENT, gives poison): there is none, or it is a tree.
    function tsr_frame_arg_at(where, frame, &
      k) bind(c, name='tsr_frame_arg_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: frame
      integer(c_size_t), value :: k
      type(c_ptr) :: made
    end function
    !> Argument k of the call whose frame this is, as a tree; one handle is a tree of
    !! one leaf: TSR_TREE_OF(mlp, tsr_frame_tree(frame, 0)). Error (TSR_ERROR_ARGUMENT,
    !! gives a tree without leaves): there is none.
    function tsr_frame_tree_at(where, frame, &
      k) bind(c, name='tsr_frame_tree_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: frame
      integer(c_size_t), value :: k
      type(tsr_tree) :: made
    end function
    !> The fn's copy of its .env, NULL if it has none: const struct hyper *h =
    !! tsr_frame_env(frame).
    function tsr_frame_env_c(frame) bind(c, name='tsr_frame_env') result(made)
      import
      type(c_ptr), value :: frame
      type(c_ptr) :: made
    end function
    !> The .captures that the fn was made with, as values of the body that the frame is
    !! of.
    function tsr_frame_captures_c( &
      frame) bind(c, name='tsr_frame_captures') result(made)
      import
      type(c_ptr), value :: frame
      type(tsr_tree) :: made
    end function
    !> The results of a body in the frame form: tsr_return(frame, loss, TSR_TREE(mlp,
    !! &grads)). Called once, at the end of the body; the handles of trees are taken
    !! now. Errors (TSR_ERROR_ARGUMENT): a second time, more than 8 results, a number.
    subroutine tsr_return_at(where, frame, results, n) bind(c, name='tsr_return_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: frame
      type(c_ptr), value :: results
      integer(c_size_t), value :: n
    end subroutine
    !> The named axes that are bound in the body being traced, outermost map first:
    !! writes at most `most` of them to out and returns their number, 0 outside a body.
    !! The names are there until the body returns. tsr_axis a[4]; size_t n =
    !! tsr_axis_sizes(ctx, a, 4);
    function tsr_axis_sizes_c(ctx, out, &
      most) bind(c, name='tsr_axis_sizes') result(made)
      import
      type(c_ptr), value :: ctx
      type(c_ptr), value :: out
      integer(c_size_t), value :: most
      integer(c_size_t) :: made
    end function
    !> A function of each leaf, into the leaves of `to`, which may be the same tree;
    !! absent leaves stay absent: tsr_tree_map(TSR_TREE(mlp, &g), tsr_zeros_like,
    !! TSR_TREE(mlp, &w)). f: a C function of one handle, which is called as it is,
    !! outside of bodies too; or a fn. false on failure; leaves that could not be made
    !! are poison then. Error (TSR_ERROR_ARGUMENT): f takes something else.
    function tsr_tree_map_at(where, to, f, &
      x) bind(c, name='tsr_tree_map_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: to
      type(tsr_body_c), value :: f
      type(tsr_tree), value :: x
      logical(c_bool) :: made
    end function
    !> Calls f with the leaves of several trees that belong together, leaf by leaf, and
    !! puts what it gives into the leaves of `to`. Handles and C numbers among the
    !! arguments are the same for all leaves: tsr_tree_zip(TSR_TREE(mlp, &w), descend,
    !! TSR_TREE(mlp, &w), TSR_TREE(mlp, &g), 0.1) calls descend(w, g, 0.1) of each w and
    !! its g. f: a C function of as many handles, 1 to 4, or a fn. Error
    !! (TSR_ERROR_ARGUMENT): no tree among the arguments.
    function tsr_tree_zip_at(where, to, f, args, &
      n) bind(c, name='tsr_tree_zip_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: to
      type(tsr_body_c), value :: f
      type(c_ptr), value :: args
      integer(c_size_t), value :: n
      logical(c_bool) :: made
    end function
    !> The path of leaf k: "attention.Wq", "layer[3].w"; "[3]" in a tree without a type,
    !! and where the fields of a type are not known by its text, "leaf[3]". Valid until
    !! the innermost scope ends. Error (TSR_ERROR_ARGUMENT, gives ""): there is no leaf
    !! k.
    function tsr_tree_path_at(where, tree, &
      k) bind(c, name='tsr_tree_path_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: tree
      integer(c_size_t), value :: k
      type(c_ptr) :: made
    end function
    !> tsr_allclose() of all leaves: tsr_tree_allclose(TSR_TREE(mlp, &a), TSR_TREE(mlp,
    !! &b), 1e-5, 1e-8). Leaves that are absent in both are close.
    function tsr_tree_allclose_at(where, a, b, rtol, &
      atol) bind(c, name='tsr_tree_allclose_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: a
      type(tsr_tree), value :: b
      real(c_double), value :: rtol
      real(c_double), value :: atol
      logical(c_bool) :: made
    end function
    !> The root of the sum of |x|^2 over all elements of all leaves, a scalar of the
    !! dtype that they promote to: tsr_tree_norm(TSR_TREE(mlp, &g)). 0 of no leaves.
    function tsr_tree_norm_at(where, x) bind(c, name='tsr_tree_norm_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_tree), value :: x
      type(c_ptr) :: made
    end function
    !> Number of elements of all leaves: of a model, its number of parameters.
    function tsr_tree_size_c(x) bind(c, name='tsr_tree_size') result(made)
      import
      type(tsr_tree), value :: x
      integer(c_int64_t) :: made
    end function
    !> Prints the picture to stdout, in colour also if stdout is a terminal and the
    !! environment has no NO_COLOR: tsr_show_sharding(x, .scale = 0.5).
    subroutine tsr_show_sharding_at(where, x, &
      args) bind(c, name='tsr_show_sharding_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
    end subroutine
    !> The picture as UTF-8 text, each line ended by a newline: tsr_sharding_picture(x,
    !! .color = true). Valid until the innermost scope ends; "" on failure.
    function tsr_sharding_picture_at(where, x, &
      args) bind(c, name='tsr_sharding_picture_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Prints the picture of tsr_show_sharding() for dims and a sharding, without an
    !! array: tsr_show_sharding_of(TSR_DIMS(8, 16), sharding). Further error
    !! (TSR_ERROR_SHARDING): a spec longer than dims.
    subroutine tsr_show_sharding_of_at(where, dims, sharding, &
      args) bind(c, name='tsr_show_sharding_of_at')
      import
      type(c_ptr), value :: where
      type(tsr_dims), value :: dims
      type(c_ptr), value :: sharding
      type(c_ptr), value :: args
    end subroutine
    !> The text that tsr_show_sharding_of() prints, as tsr_sharding_picture().
    function tsr_sharding_picture_of_at(where, dims, sharding, &
      args) bind(c, name='tsr_sharding_picture_of_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_dims), value :: dims
      type(c_ptr), value :: sharding
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The picture as an SVG document, which needs nothing from elsewhere and can be
    !! read on light and dark pages: fputs(tsr_sharding_svg(x), file). Beside rows and
    !! columns are the indices that they hold. Valid until the innermost scope ends; ""
    !! on failure.
    function tsr_sharding_svg_at(where, x, &
      args) bind(c, name='tsr_sharding_svg_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> The picture of tsr_sharding_svg() for dims and a sharding, without an array;
    !! further error as tsr_show_sharding_of().
    function tsr_sharding_svg_of_at(where, dims, sharding, &
      args) bind(c, name='tsr_sharding_svg_of_at') result(made)
      import
      type(c_ptr), value :: where
      type(tsr_dims), value :: dims
      type(c_ptr), value :: sharding
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
    !> Prints what each device holds of x as a table, in the frame that Python's
    !! tabulate calls "fancy_grid": tsr_show_shards(x, .devices = true, .precision = 3).
    !! The last axis of the mesh goes right and the one before it down; if there are
    !! more, each place along them, "a=0 b=1", has a table below it. The dims of a
    !! positional sharding's grid go likewise. Parts may be short, or empty: "[]".
    !! Errors: .mesh has other devices than x (TSR_ERROR_SHARDING) or is of another
    !! context (TSR_ERROR_HANDLE); .whole has another dtype or other dims than x
    !! (TSR_ERROR_TYPE).
    subroutine tsr_show_shards_at(where, x, args) bind(c, name='tsr_show_shards_at')
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
    end subroutine
    !> The table of tsr_show_shards() as UTF-8 text, each line ended by a newline:
    !! tsr_shards_text(x, .mesh = rows). Valid until the innermost scope ends; "" on
    !! failure.
    function tsr_shards_text_at(where, x, &
      args) bind(c, name='tsr_shards_text_at') result(made)
      import
      type(c_ptr), value :: where
      type(c_ptr), value :: x
      type(c_ptr), value :: args
      type(c_ptr) :: made
    end function
  end interface
end module
