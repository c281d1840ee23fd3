"""random.py - the functions of tsr/random.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, dims
from .._lib import lib
from .._types import Array, ArrayLike, Choice, DTypeLike, Dims, Optional

__all__ = ["ball", "bernoulli", "binomial", "categorical", "cauchy", "chisquare", "choice",
           "dirichlet", "double_sided_maxwell", "exponential", "fold_in", "generalized_normal",
           "geometric", "gumbel", "key", "laplace", "lognormal", "maxwell", "multinomial",
           "multivariate_normal", "normal", "orthogonal", "pareto", "permutation", "poisson",
           "rademacher", "randint", "random_beta", "random_bits", "random_f", "random_gamma",
           "random_loggamma", "random_logistic", "random_t", "rayleigh", "split_keys",
           "triangular", "truncated_normal", "uniform", "wald", "weibull_min"]

_key = lib.tsr_key_at
_split_keys = lib.tsr_split_keys_at
_fold_in = lib.tsr_fold_in_at
_random_bits = lib.tsr_random_bits_at
_uniform = lib.tsr_uniform_at
_normal = lib.tsr_normal_at
_truncated_normal = lib.tsr_truncated_normal_at
_randint = lib.tsr_randint_at
_bernoulli = lib.tsr_bernoulli_at
_rademacher = lib.tsr_rademacher_at
_categorical = lib.tsr_categorical_at
_permutation = lib.tsr_permutation_at
_choice = lib.tsr_choice_at
_geometric = lib.tsr_geometric_at
_poisson = lib.tsr_poisson_at
_binomial = lib.tsr_binomial_at
_multinomial = lib.tsr_multinomial_at
_gumbel = lib.tsr_gumbel_at
_exponential = lib.tsr_exponential_at
_laplace = lib.tsr_laplace_at
_random_logistic = lib.tsr_random_logistic_at
_cauchy = lib.tsr_cauchy_at
_maxwell = lib.tsr_maxwell_at
_pareto = lib.tsr_pareto_at
_rayleigh = lib.tsr_rayleigh_at
_lognormal = lib.tsr_lognormal_at
_wald = lib.tsr_wald_at
_weibull_min = lib.tsr_weibull_min_at
_double_sided_maxwell = lib.tsr_double_sided_maxwell_at
_triangular = lib.tsr_triangular_at
_random_gamma = lib.tsr_random_gamma_at
_random_loggamma = lib.tsr_random_loggamma_at
_random_beta = lib.tsr_random_beta_at
_chisquare = lib.tsr_chisquare_at
_random_t = lib.tsr_random_t_at
_random_f = lib.tsr_random_f_at
_generalized_normal = lib.tsr_generalized_normal_at
_ball = lib.tsr_ball_at
_dirichlet = lib.tsr_dirichlet_at
_orthogonal = lib.tsr_orthogonal_at
_multivariate_normal = lib.tsr_multivariate_normal_at


def key(seed: ArrayLike) -> Array:
    """The key of a seed: its upper and its lower 32 bits, [2] of u32: key(42), key(seed) of an
    integer array without dims, which may be traced. The upper half is 0 where the array has at
    most 32 bits. (JAX without 64-bit types drops the upper half: its key(-1) is key(UINT32_MAX).)
    Error (Error.ERROR_TYPE): it is no integer, or has dims."""
    c = context_of(seed)
    seed = c.operand(seed)
    return c.scoped(_key, c.place(), c.pointer, seed)


def split_keys(key: ArrayLike, shape: Dims) -> Array:
    """An array of new keys, [dims..., 2]: split_keys(key, (8,)) is u32[8,2], and its rows are the
    keys of split_key(key, out, 8)."""
    c = context_of(key)
    key = c.handle(key)
    return c.scoped(_split_keys, c.place(), key._h, dims(shape))


def fold_in(key: ArrayLike, data: ArrayLike) -> Array:
    """A new key, of a key and an integer: fold_in(key, 7), fold_in(key, step). The integer counts
    modulo 2^32. Error (Error.ERROR_TYPE): it is no integer, or has dims."""
    c = context_of(key, data)
    key = c.handle(key)
    data = c.operand(data)
    return c.scoped(_fold_in, c.place(), key._h, data)


def random_bits(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
                start: ArrayLike = None) -> Array:
    """Random bits: u8, u16, u32 or u64; u32 when no dtype is given: random_bits(key, (6,),
    dtype=u8)."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_random_bits, c.place(), key._h, dims(shape), args)


def uniform(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
            start: ArrayLike = None, minval: ArrayLike = None, maxval: ArrayLike = None) -> Array:
    """Floats spread evenly over minval <= y < maxval; f32 when no dtype is given: uniform(key,
    (8,), minval=-1). Error (Error.ERROR_TYPE): limits that do not broadcast to the dims."""
    c = context_of(key, start, minval, maxval)
    key = c.handle(key)
    args = c.record("tsr_uniform_args", dtype=dtype, whole=whole, start=start, minval=minval,
                    maxval=maxval)
    return c.scoped(_uniform, c.place(), key._h, dims(shape), args)


def normal(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
           start: ArrayLike = None) -> Array:
    """Normal numbers with mean 0 and variance 1, of a float or complex dtype; f32 when not given.
    Both parts of complex ones have half the variance."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_normal, c.place(), key._h, dims(shape), args)


def truncated_normal(key: ArrayLike, lower: ArrayLike, upper: ArrayLike, *,
                     dtype: DTypeLike = None, shape: Dims = None) -> Array:
    """Normal numbers of which those outside of lower < y < upper are left out:
    truncated_normal(key, -2, 2, axis=(8,)). This one, and all samplers with parameters below: f32
    or another float dtype, and parameters that are arrays or C numbers and broadcast to axis
    (Error.ERROR_TYPE if not)."""
    c = context_of(key, lower, upper)
    key = c.handle(key)
    lower = c.operand(lower)
    upper = c.operand(upper)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_truncated_normal, c.place(), key._h, lower, upper, args)


def randint(key: ArrayLike, shape: Dims, minval: ArrayLike, maxval: ArrayLike, *,
            dtype: DTypeLike = None, whole: Dims = None, start: ArrayLike = None) -> Array:
    """Integers minval <= y < maxval; i32 when no dtype is given: randint(key, (8,), 0, 10). Limits
    beyond the dtype count as its own, so 0 and 256 are all of u8; where maxval is not above
    minval, minval. The remainder of twice as many random bits as the dtype has: nearly even."""
    c = context_of(key, minval, maxval, start)
    key = c.handle(key)
    minval = c.operand(minval)
    maxval = c.operand(maxval)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_randint, c.place(), key._h, dims(shape), minval, maxval, args)


def bernoulli(key: ArrayLike, p: ArrayLike, *, shape: Dims = None,
              high: Optional[bool] = None) -> Array:
    """bool: true with probability p: bernoulli(key, 0.3, axis=(4,))."""
    c = context_of(key, p)
    key = c.handle(key)
    p = c.operand(p)
    args = c.record("tsr_bernoulli_args", dims=shape, high=high)
    return c.scoped(_bernoulli, c.place(), key._h, p, args)


def rademacher(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
               start: ArrayLike = None) -> Array:
    """Each element -1 or 1 with equal probability; i32, or another integer dtype."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_rademacher, c.place(), key._h, dims(shape), args)


def categorical(key: ArrayLike, logits: ArrayLike, axis: Dims = None, *, shape: Dims = None,
                without_replacement: Optional[bool] = None, high: Optional[bool] = None) -> Array:
    """The number of a category, each with a probability proportional to e to the power of its
    logit: categorical(key, logits), categorical(key, logits, axis=(0,)). Errors
    (Error.ERROR_TYPE): logits that are no floats, axis that do not end as they must."""
    c = context_of(key, logits)
    key = c.handle(key)
    logits = c.handle(logits)
    args = c.record("tsr_categorical_args", dim=axis, dims=shape, no_replace=without_replacement,
                    high=high)
    return c.scoped(_categorical, c.place(), key._h, logits._h, args)


def permutation(key: ArrayLike, x: ArrayLike, axis: Dims = None, *,
                independent: Optional[bool] = None) -> Array:
    """An array whose elements along a dim are in random order, or the numbers from 0 to n - 1, of
    i32, or i64 where they need it: permutation(key, x), permutation(key, 100). Error
    (Error.ERROR_ARGUMENT): so many that no array holds them."""
    c = context_of(key, x)
    key = c.handle(key)
    x = c.operand(x)
    args = c.record("tsr_permutation_args", dim=axis, independent=independent)
    return c.scoped(_permutation, c.place(), key._h, x, args)


def choice(key: ArrayLike, a: ArrayLike, shape: Dims, axis: Dims = None, *, p: ArrayLike = None,
           without_replacement: Optional[bool] = None, high: Optional[bool] = None) -> Array:
    """Elements of an array along a dim, or of the numbers from 0 to n - 1, i32. dims says how
    many, and replaces that dim: choice(key, 10, (3,)), choice(key, rows, (5,), no_replace=True),
    choice(key, 4, (9,), p=p). Errors: more samples than elements with without_replacement, nothing
    to choose from (Error.ERROR_ARGUMENT); a p of other dims (Error.ERROR_TYPE)."""
    c = context_of(key, a, p)
    key = c.handle(key)
    a = c.operand(a)
    args = c.record("tsr_choice_args", dim=axis, p=p, no_replace=without_replacement, high=high)
    return c.scoped(_choice, c.place(), key._h, a, dims(shape), args)


def geometric(key: ArrayLike, p: ArrayLike, *, dtype: DTypeLike = None,
              shape: Dims = None) -> Array:
    """How many trials with probability p it takes until one succeeds; i32, or another integer
    dtype."""
    c = context_of(key, p)
    key = c.handle(key)
    p = c.operand(p)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_geometric, c.place(), key._h, p, args)


def poisson(key: ArrayLike, lam: ArrayLike, *, dtype: DTypeLike = None,
            shape: Dims = None) -> Array:
    """How many events there are where lam are expected, lam >= 0; i32, or another integer dtype.
    All elements try with numbers of the same keys until each one is done. From lam = 10 on the
    last trial that succeeds counts, as in JAX: there an element depends on how long the others
    take. A lam that is negative or NaN gives -1."""
    c = context_of(key, lam)
    key = c.handle(key)
    lam = c.operand(lam)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_poisson, c.place(), key._h, lam, args)


def binomial(key: ArrayLike, n: ArrayLike, p: ArrayLike, *, dtype: DTypeLike = None,
             shape: Dims = None) -> Array:
    """How many of n trials with probability p succeed, as floats (f32, or another float dtype):
    binomial(key, 10, p). Fractions of n are dropped; NaN where n is negative or p not between 0
    and 1, infinity where n is infinite. Where n min(p, 1 - p) > 10, elements depend on each other
    as in poisson()."""
    c = context_of(key, n, p)
    key = c.handle(key)
    n = c.operand(n)
    p = c.operand(p)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_binomial, c.place(), key._h, n, p, args)


def multinomial(key: ArrayLike, n: ArrayLike, p: ArrayLike, *, dtype: DTypeLike = None,
                shape: Dims = None) -> Array:
    """How many of n trials have each outcome, of probabilities p [..., k], as floats: [.dims...,
    k], where axis are those in front of the last one of p when not given, and n broadcasts to
    them. multinomial(key, 100, p). Errors (Error.ERROR_TYPE): a p without dims, dims that do not
    broadcast."""
    c = context_of(key, n, p)
    key = c.handle(key)
    n = c.operand(n)
    p = c.handle(p)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_multinomial, c.place(), key._h, n, p._h, args)


def gumbel(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
           start: ArrayLike = None, high: Optional[bool] = None) -> Array:
    """-log(-log(u)) with u evenly between 0 and 1: the noise of categorical(). This one, and those
    below without parameters: f32 or another float dtype."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_gumbel_args", dtype=dtype, whole=whole, start=start, high=high)
    return c.scoped(_gumbel, c.place(), key._h, dims(shape), args)


def exponential(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
                start: ArrayLike = None) -> Array:
    """Numbers of the exponential distribution with mean 1: -log(1 - u) with u evenly between 0 and
    1."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_exponential, c.place(), key._h, dims(shape), args)


def laplace(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
            start: ArrayLike = None) -> Array:
    """Numbers of the Laplace distribution: exponential ones with a random sign."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_laplace, c.place(), key._h, dims(shape), args)


def random_logistic(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
                    start: ArrayLike = None) -> Array:
    """Numbers of the logistic distribution: log(u / (1 - u)) with u evenly between 0 and 1."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_random_logistic, c.place(), key._h, dims(shape), args)


def cauchy(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
           start: ArrayLike = None) -> Array:
    """Cauchy numbers: the tangent of an angle between -pi/2 and pi/2."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_cauchy, c.place(), key._h, dims(shape), args)


def maxwell(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None, whole: Dims = None,
            start: ArrayLike = None) -> Array:
    """Maxwell numbers: the length of three normal ones."""
    c = context_of(key, start)
    key = c.handle(key)
    args = c.record("tsr_draw_args", dtype=dtype, whole=whole, start=start)
    return c.scoped(_maxwell, c.place(), key._h, dims(shape), args)


def pareto(key: ArrayLike, b: ArrayLike, *, dtype: DTypeLike = None, shape: Dims = None) -> Array:
    """Pareto numbers y >= 1, with density b / y^(b + 1)."""
    c = context_of(key, b)
    key = c.handle(key)
    b = c.operand(b)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_pareto, c.place(), key._h, b, args)


def rayleigh(key: ArrayLike, scale: ArrayLike, *, dtype: DTypeLike = None,
             shape: Dims = None) -> Array:
    """Rayleigh numbers: scale times the length of two normal ones."""
    c = context_of(key, scale)
    key = c.handle(key)
    scale = c.operand(scale)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_rayleigh, c.place(), key._h, scale, args)


def lognormal(key: ArrayLike, sigma: ArrayLike, *, dtype: DTypeLike = None,
              shape: Dims = None) -> Array:
    """e to the power of sigma times a normal number."""
    c = context_of(key, sigma)
    key = c.handle(key)
    sigma = c.operand(sigma)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_lognormal, c.place(), key._h, sigma, args)


def wald(key: ArrayLike, mean: ArrayLike, *, dtype: DTypeLike = None, shape: Dims = None) -> Array:
    """Wald (inverse normal) numbers with a mean, and shape 1."""
    c = context_of(key, mean)
    key = c.handle(key)
    mean = c.operand(mean)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_wald, c.place(), key._h, mean, args)


def weibull_min(key: ArrayLike, scale: ArrayLike, concentration: ArrayLike, *,
                dtype: DTypeLike = None, shape: Dims = None) -> Array:
    """Weibull numbers: scale times an exponential one to the power 1 / concentration."""
    c = context_of(key, scale, concentration)
    key = c.handle(key)
    scale = c.operand(scale)
    concentration = c.operand(concentration)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_weibull_min, c.place(), key._h, scale, concentration, args)


def double_sided_maxwell(key: ArrayLike, loc: ArrayLike, scale: ArrayLike, *,
                         dtype: DTypeLike = None, shape: Dims = None) -> Array:
    """loc plus scale times a Maxwell number with a random sign."""
    c = context_of(key, loc, scale)
    key = c.handle(key)
    loc = c.operand(loc)
    scale = c.operand(scale)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_double_sided_maxwell, c.place(), key._h, loc, scale, args)


def triangular(key: ArrayLike, left: ArrayLike, mode: ArrayLike, right: ArrayLike, *,
               dtype: DTypeLike = None, shape: Dims = None) -> Array:
    """Numbers between left and right whose density rises up to mode, and falls behind it."""
    c = context_of(key, left, mode, right)
    key = c.handle(key)
    left = c.operand(left)
    mode = c.operand(mode)
    right = c.operand(right)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_triangular, c.place(), key._h, left, mode, right, args)


def random_gamma(key: ArrayLike, a: ArrayLike, *, dtype: DTypeLike = None,
                 shape: Dims = None) -> Array:
    """Numbers of the gamma distribution with parameter a > 0, whose density is a multiple of y^(a
    - 1) e^-y: random_gamma(key, 2.5, axis=(8,)). It has a derivative by a: that of the number with
    the same share of the distribution below it. NaN where a <= -2/3."""
    c = context_of(key, a)
    key = c.handle(key)
    a = c.operand(a)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_random_gamma, c.place(), key._h, a, args)


def random_loggamma(key: ArrayLike, a: ArrayLike, *, dtype: DTypeLike = None,
                    shape: Dims = None) -> Array:
    """The logarithms of numbers of random_gamma(), which are exact where the numbers are too
    small."""
    c = context_of(key, a)
    key = c.handle(key)
    a = c.operand(a)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_random_loggamma, c.place(), key._h, a, args)


def random_beta(key: ArrayLike, a: ArrayLike, b: ArrayLike, *, dtype: DTypeLike = None,
                shape: Dims = None) -> Array:
    """Numbers of the beta distribution: x / (x + y) of gamma numbers x and y, with parameters a
    and b."""
    c = context_of(key, a, b)
    key = c.handle(key)
    a = c.operand(a)
    b = c.operand(b)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_random_beta, c.place(), key._h, a, b, args)


def chisquare(key: ArrayLike, df: ArrayLike, *, dtype: DTypeLike = None,
              shape: Dims = None) -> Array:
    """The sum of df squares of normal numbers; df may have a fraction."""
    c = context_of(key, df)
    key = c.handle(key)
    df = c.operand(df)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_chisquare, c.place(), key._h, df, args)


def random_t(key: ArrayLike, df: ArrayLike, *, dtype: DTypeLike = None,
             shape: Dims = None) -> Array:
    """Numbers of Student's t distribution: a normal number over the root of the mean of df squares
    of normal numbers."""
    c = context_of(key, df)
    key = c.handle(key)
    df = c.operand(df)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_random_t, c.place(), key._h, df, args)


def random_f(key: ArrayLike, dfnum: ArrayLike, dfden: ArrayLike, *, dtype: DTypeLike = None,
             shape: Dims = None) -> Array:
    """Numbers of the F distribution: the mean of dfnum squares of normal numbers over the mean of
    dfden squares of others."""
    c = context_of(key, dfnum, dfden)
    key = c.handle(key)
    dfnum = c.operand(dfnum)
    dfden = c.operand(dfden)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_random_f, c.place(), key._h, dfnum, dfden, args)


def generalized_normal(key: ArrayLike, p: ArrayLike, *, dtype: DTypeLike = None,
                       shape: Dims = None) -> Array:
    """Numbers whose density is a multiple of e^-|y|^p."""
    c = context_of(key, p)
    key = c.handle(key)
    p = c.operand(p)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_generalized_normal, c.place(), key._h, p, args)


def ball(key: ArrayLike, n: int, *, dtype: DTypeLike = None, shape: Dims = None,
         p: ArrayLike = None) -> Array:
    """Vectors of n numbers, spread evenly over those whose p-norm is at most 1, [.dims..., n]:
    ball(key, 3, axis=(100,)). Error (Error.ERROR_TYPE): p has dims."""
    c = context_of(key, p)
    key = c.handle(key)
    args = c.record("tsr_ball_args", dtype=dtype, dims=shape, p=p)
    return c.scoped(_ball, c.place(), key._h, n, args)


def dirichlet(key: ArrayLike, alpha: ArrayLike, *, dtype: DTypeLike = None,
              shape: Dims = None) -> Array:
    """Vectors with the sum 1, of gamma numbers with parameters alpha [..., n] that are divided by
    theirs: [.dims..., n], where axis are those in front of the last one of alpha when not given.
    dirichlet(key, alpha, axis=(5,)). Errors (Error.ERROR_TYPE): alpha has no dims, or they do not
    broadcast to these."""
    c = context_of(key, alpha)
    key = c.handle(key)
    alpha = c.handle(alpha)
    args = c.record("tsr_sample_args", dtype=dtype, dims=shape)
    return c.scoped(_dirichlet, c.place(), key._h, alpha._h, args)


def orthogonal(key: ArrayLike, n: int, *, dtype: DTypeLike = None, shape: Dims = None,
               m: Optional[int] = None) -> Array:
    """Orthogonal matrices, of complex dtype unitary ones, [.dims..., n, n], spread evenly:
    orthogonal(key, 4). With m columns the rows, or where they are more the columns, are orthogonal
    and of size 1. f32 when no dtype is given. Errors: as of qr()."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_orthogonal_args", dtype=dtype, dims=shape, m=m)
    return c.scoped(_orthogonal, c.place(), key._h, n, args)


def multivariate_normal(key: ArrayLike, mean: ArrayLike, cov: ArrayLike, *,
                        dtype: DTypeLike = None, shape: Dims = None,
                        factor: Optional[Choice] = None) -> Array:
    """Vectors of normal numbers with a mean [..., n] and a covariance [..., n, n], [.dims..., n]:
    multivariate_normal(key, mean, cov, axis=(100,)). The signs of the columns of F are any with
    factor="factor_eigh" or "factor_svd", which also takes singular matrices. Errors: other dims
    (Error.ERROR_TYPE), no such factor (Error.ERROR_ARGUMENT), those of the factor."""
    c = context_of(key, mean, cov)
    key = c.handle(key)
    mean = c.handle(mean)
    cov = c.handle(cov)
    args = c.record("tsr_multivariate_normal_args", dtype=dtype, dims=shape, factor=factor)
    return c.scoped(_multivariate_normal, c.place(), key._h, mean._h, cov._h, args)
