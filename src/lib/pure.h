/* pure.h - declares functions that record the operations of public functions: outside of bodies
 * these are one program. Made by tools/make_headers.py of api/. */
#ifndef TSR_SRC_LIB_PURE_H
#define TSR_SRC_LIB_PURE_H
#include <tsr/tsr.h>

tsr *lib_arange(const char *where, tsr_ctx *ctx, int64_t n, const tsr_arange_args *args);
tsr *lib_eye(const char *where, tsr_ctx *ctx, int64_t n, const tsr_eye_args *args);
tsr *lib_linspace(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                  const tsr_linspace_args *args);
tsr *lib_logspace(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                  const tsr_logspace_args *args);
tsr *lib_geomspace(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                   const tsr_linspace_args *args);
tsr *lib_bartlett(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
tsr *lib_blackman(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
tsr *lib_hamming(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
tsr *lib_hanning(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
tsr *lib_kaiser(const char *where, tsr_ctx *ctx, int64_t n, double beta, const tsr_new_args *args);
tsr *lib_diff(const char *where, tsr *x, const tsr_diff_args *args);
tsr *lib_ediff1d(const char *where, tsr *x);
tsr *lib_gradient(const char *where, tsr *x, int dim, tsr_arg h);
tsr *lib_trapezoid(const char *where, tsr *y, const tsr_trapezoid_args *args);
tsr *lib_unwrap(const char *where, tsr *x, const tsr_unwrap_args *args);
tsr *lib_polyval(const char *where, tsr *p, tsr *x);
tsr *lib_polyadd(const char *where, tsr *a, tsr *b);
tsr *lib_polysub(const char *where, tsr *a, tsr *b);
tsr *lib_polymul(const char *where, tsr *a, tsr *b);
tsr *lib_polyder(const char *where, tsr *p, int m);
tsr *lib_polyint(const char *where, tsr *p, int m);
tsr *lib_poly(const char *where, tsr *zeros);
tsr *lib_roots(const char *where, tsr *p);
tsr *lib_fft(const char *where, tsr *x, const tsr_fft_args *args);
tsr *lib_ifft(const char *where, tsr *x, const tsr_fft_args *args);
tsr *lib_rfft(const char *where, tsr *x, const tsr_fft_args *args);
tsr *lib_irfft(const char *where, tsr *x, const tsr_fft_args *args);
tsr *lib_hfft(const char *where, tsr *x, const tsr_fft_args *args);
tsr *lib_ihfft(const char *where, tsr *x, const tsr_fft_args *args);
tsr *lib_fftn(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_ifftn(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_rfftn(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_irfftn(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_fft2(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_ifft2(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_rfft2(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_irfft2(const char *where, tsr *x, const tsr_fftn_args *args);
tsr *lib_fftfreq(const char *where, tsr_ctx *ctx, int64_t n, const tsr_fftfreq_args *args);
tsr *lib_rfftfreq(const char *where, tsr_ctx *ctx, int64_t n, const tsr_fftfreq_args *args);
tsr *lib_fftshift(const char *where, tsr *x, const tsr_fftshift_args *args);
tsr *lib_ifftshift(const char *where, tsr *x, const tsr_fftshift_args *args);
tsr *lib_deg2rad(const char *where, tsr *x);
tsr *lib_rad2deg(const char *where, tsr *x);
tsr *lib_angle(const char *where, tsr *x);
tsr *lib_log2(const char *where, tsr *x);
tsr *lib_log10(const char *where, tsr *x);
tsr *lib_reciprocal(const char *where, tsr *x);
tsr *lib_fabs(const char *where, tsr *x);
tsr *lib_float_power(const char *where, const tsr_arg ab[2]);
tsr *lib_hypot(const char *where, const tsr_arg ab[2]);
tsr *lib_logaddexp(const char *where, const tsr_arg ab[2]);
tsr *lib_logaddexp2(const char *where, const tsr_arg ab[2]);
tsr *lib_sinc(const char *where, tsr *x);
tsr *lib_floor_divide(const char *where, const tsr_arg ab[2]);
tsr *lib_remainder(const char *where, const tsr_arg ab[2]);
bool lib_divmod(const char *where, tsr_arg a, tsr_arg b, tsr *out[2]);
tsr *lib_fmod(const char *where, const tsr_arg ab[2]);
tsr *lib_trunc(const char *where, tsr *x);
tsr *lib_rint(const char *where, tsr *x);
tsr *lib_gcd(const char *where, const tsr_arg ab[2]);
tsr *lib_lcm(const char *where, const tsr_arg ab[2]);
tsr *lib_mulhi(const char *where, const tsr_arg ab[2]);
bool lib_modf(const char *where, tsr *x, tsr *out[2]);
tsr *lib_bitwise_count(const char *where, tsr *x);
bool lib_frexp(const char *where, tsr *x, tsr *out[2]);
tsr *lib_ldexp(const char *where, const tsr_arg ab[2]);
tsr *lib_spacing(const char *where, tsr *x);
tsr *lib_signbit(const char *where, tsr *x);
tsr *lib_copysign(const char *where, const tsr_arg ab[2]);
tsr *lib_heaviside(const char *where, const tsr_arg ab[2]);
tsr *lib_isinf(const char *where, tsr *x);
tsr *lib_isposinf(const char *where, tsr *x);
tsr *lib_isneginf(const char *where, tsr *x);
tsr *lib_iscomplex(const char *where, tsr *x);
tsr *lib_isreal(const char *where, tsr *x);
tsr *lib_fmax(const char *where, const tsr_arg ab[2]);
tsr *lib_fmin(const char *where, const tsr_arg ab[2]);
tsr *lib_nan_to_num(const char *where, tsr *x, const tsr_nan_to_num_args *args);
tsr *lib_isclose(const char *where, tsr_arg a, tsr_arg b, double rtol, double atol);
tsr *lib_logical_xor(const char *where, const tsr_arg ab[2]);
tsr *lib_select(const char *where, tsr *const *conditions, tsr *const *x, size_t n,
                tsr_arg otherwise);
tsr *lib_choose(const char *where, tsr *i, tsr *const *x, size_t n, enum tsr_index_mode mode);
tsr *lib_gamma_function(const char *where, tsr *x);
tsr *lib_gammasgn(const char *where, tsr *x);
tsr *lib_log_gamma(const char *where, tsr *x);
tsr *lib_factorial(const char *where, tsr *x);
tsr *lib_beta_function(const char *where, const tsr_arg ab[2]);
tsr *lib_betaln(const char *where, const tsr_arg ab[2]);
tsr *lib_comb(const char *where, const tsr_arg ab[2]);
tsr *lib_poch(const char *where, const tsr_arg ab[2]);
tsr *lib_multigammaln(const char *where, tsr *x, int d);
tsr *lib_i0(const char *where, tsr *x);
tsr *lib_i1(const char *where, tsr *x);
tsr *lib_boxcox(const char *where, const tsr_arg ab[2]);
tsr *lib_boxcox1p(const char *where, const tsr_arg ab[2]);
tsr *lib_xlogy(const char *where, const tsr_arg ab[2]);
tsr *lib_xlog1py(const char *where, const tsr_arg ab[2]);
tsr *lib_entr(const char *where, tsr *x);
tsr *lib_rel_entr(const char *where, const tsr_arg ab[2]);
tsr *lib_kl_div(const char *where, const tsr_arg ab[2]);
tsr *lib_logit(const char *where, tsr *x);
tsr *lib_ndtr(const char *where, tsr *x);
tsr *lib_log_ndtr(const char *where, tsr *x);
tsr *lib_ndtri(const char *where, tsr *p);
tsr *lib_linear(const char *where, tsr *x, tsr *kernel, tsr *bias, const tsr_linear_args *args);
tsr *lib_embed(const char *where, tsr *x, tsr *table, const tsr_linear_args *args);
tsr *lib_conv(const char *where, tsr *x, tsr *kernel, tsr *bias, const tsr_conv_layer_args *args);
tsr *lib_layer_norm(const char *where, tsr *x, tsr *scale, tsr *bias,
                    const tsr_layer_norm_args *args);
tsr *lib_rms_norm(const char *where, tsr *x, tsr *scale, const tsr_layer_norm_args *args);
tsr *lib_group_norm(const char *where, tsr *x, int64_t groups, tsr *scale, tsr *bias,
                    const tsr_group_norm_args *args);
tsr *lib_batch_norm(const char *where, tsr *x, tsr *scale, tsr *bias, tsr *mean, tsr *var,
                    const tsr_batch_norm_args *args);
tsr *lib_dropout(const char *where, tsr *key, tsr *x, double rate, const tsr_dropout_args *args);
tsr *lib_rnn_cell(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                  const tsr_rnn_cell_args *args);
bool lib_lstm_cell(const char *where, tsr *c, tsr *h, tsr *x, tsr *kernel, tsr *recurrent,
                   tsr *bias, tsr *out[2], const tsr_lstm_cell_args *args);
tsr *lib_gru_cell(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                  const tsr_gru_cell_args *args);
tsr *lib_cholesky(const char *where, tsr *a, const tsr_cholesky_args *args);
tsr *lib_triangular_solve(const char *where, tsr *a, tsr *b, const tsr_triangular_solve_args *args);
tsr *lib_solve_triangular(const char *where, tsr *a, tsr *b, const tsr_solve_triangular_args *args);
tsr *lib_cho_solve(const char *where, tsr *factor, tsr *b, const tsr_cho_solve_args *args);
bool lib_lu(const char *where, tsr *a, tsr *out[3]);
bool lib_qr(const char *where, tsr *a, tsr *out[2], const tsr_qr_args *args);
bool lib_eigh(const char *where, tsr *a, tsr *out[2], const tsr_eigh_args *args);
tsr *lib_eigvalsh(const char *where, tsr *a, const tsr_eigh_args *args);
bool lib_svd(const char *where, tsr *a, tsr *out[3], const tsr_svd_args *args);
tsr *lib_svdvals(const char *where, tsr *a);
bool lib_polar(const char *where, tsr *a, tsr *out[2]);
bool lib_eig(const char *where, tsr *a, tsr *out[3], const tsr_eig_args *args);
tsr *lib_eigvals(const char *where, tsr *a);
bool lib_schur(const char *where, tsr *a, tsr *out[2]);
bool lib_hessenberg(const char *where, tsr *a, tsr *out[2]);
bool lib_tridiagonal(const char *where, tsr *a, tsr *out[4], const tsr_tridiagonal_args *args);
tsr *lib_solve(const char *where, tsr *a, tsr *b);
tsr *lib_inv(const char *where, tsr *a);
tsr *lib_det(const char *where, tsr *a);
bool lib_slogdet(const char *where, tsr *a, tsr *out[2]);
tsr *lib_matrix_rank(const char *where, tsr *a, const tsr_rank_args *args);
tsr *lib_pinv(const char *where, tsr *a, const tsr_rank_args *args);
bool lib_lstsq(const char *where, tsr *a, tsr *b, tsr *out[4], const tsr_rank_args *args);
tsr *lib_householder_product(const char *where, tsr *a, tsr *taus);
tsr *lib_ormqr(const char *where, tsr *a, tsr *taus, tsr *c, const tsr_ormqr_args *args);
tsr *lib_tridiagonal_solve(const char *where, tsr *dl, tsr *d, tsr *du, tsr *b);
tsr *lib_cholesky_update(const char *where, tsr *r, tsr *w);
tsr *lib_symmetric_product(const char *where, tsr *a, tsr *c,
                           const tsr_symmetric_product_args *args);
tsr *lib_tensorsolve(const char *where, tsr *a, tsr *b, const tsr_tensorsolve_args *args);
tsr *lib_tensorinv(const char *where, tsr *a, int ind);
tsr *lib_multi_dot(const char *where, tsr *const *x, size_t n);
tsr *lib_expm(const char *where, tsr *a);
tsr *lib_matrix_power(const char *where, tsr *a, int n);
tsr *lib_matrix_transpose(const char *where, tsr *a);
tsr *lib_vector_norm(const char *where, tsr *x, const tsr_norm_args *args);
tsr *lib_matrix_norm(const char *where, tsr *x, const tsr_matrix_norm_args *args);
tsr *lib_norm(const char *where, tsr *x, const tsr_norm_args *args);
tsr *lib_cond_number(const char *where, tsr *a, const tsr_cond_number_args *args);
tsr *lib_softmax_cross_entropy(const char *where, tsr *logits, tsr *labels,
                               const tsr_classes_args *args);
tsr *lib_softmax_cross_entropy_with_integer_labels(const char *where, tsr *logits, tsr *labels,
                                                   const tsr_classes_args *args);
tsr *lib_sigmoid_binary_cross_entropy(const char *where, tsr *logits, tsr *labels);
tsr *lib_squared_error(const char *where, tsr *predictions, tsr *targets);
tsr *lib_l2_loss(const char *where, tsr *predictions, tsr *targets);
tsr *lib_huber_loss(const char *where, tsr *predictions, tsr *targets, const tsr_huber_args *args);
tsr *lib_smooth_labels(const char *where, tsr *labels, tsr_arg alpha, const tsr_classes_args *args);
tsr *lib_relu6(const char *where, tsr *x);
tsr *lib_softplus(const char *where, tsr *x);
tsr *lib_sparse_plus(const char *where, tsr *x);
tsr *lib_sparse_sigmoid(const char *where, tsr *x);
tsr *lib_soft_sign(const char *where, tsr *x);
tsr *lib_silu(const char *where, tsr *x);
tsr *lib_log_sigmoid(const char *where, tsr *x);
tsr *lib_hard_tanh(const char *where, tsr *x);
tsr *lib_hard_sigmoid(const char *where, tsr *x);
tsr *lib_hard_silu(const char *where, tsr *x);
tsr *lib_mish(const char *where, tsr *x);
tsr *lib_log1mexp(const char *where, tsr *x);
tsr *lib_leaky_relu(const char *where, const tsr_arg ab[2]);
tsr *lib_elu(const char *where, const tsr_arg ab[2]);
tsr *lib_celu(const char *where, const tsr_arg ab[2]);
tsr *lib_selu(const char *where, tsr *x);
tsr *lib_squareplus(const char *where, const tsr_arg ab[2]);
tsr *lib_gelu(const char *where, tsr *x, const tsr_gelu_args *args);
tsr *lib_glu(const char *where, tsr *x, int dim);
tsr *lib_softmax(const char *where, tsr *x, int dim, const tsr_softmax_args *args);
tsr *lib_log_softmax(const char *where, tsr *x, int dim, const tsr_softmax_args *args);
tsr *lib_logmeanexp(const char *where, tsr *x, const tsr_logmeanexp_args *args);
tsr *lib_standardize(const char *where, tsr *x, int dim, double epsilon,
                     const tsr_standardize_args *args);
tsr *lib_one_hot(const char *where, tsr *x, int64_t n, const tsr_one_hot_args *args);
tsr *lib_dot_product_attention(const char *where, tsr *query, tsr *key, tsr *value,
                               const tsr_attention_args *args);
tsr *lib_rotary(const char *where, tsr *x, const tsr_rotary_args *args);
tsr *lib_multi_head_attention(const char *where, tsr *x, tsr *query, tsr *key, tsr *value, tsr *out,
                              const tsr_multi_head_args *args);
tsr *lib_neg(const char *where, tsr *x);
tsr *lib_sign(const char *where, tsr *x);
tsr *lib_abs(const char *where, tsr *x);
tsr *lib_floor(const char *where, tsr *x);
tsr *lib_ceil(const char *where, tsr *x);
tsr *lib_round(const char *where, tsr *x, const tsr_round_args *args);
tsr *lib_exp(const char *where, tsr *x);
tsr *lib_exp2(const char *where, tsr *x);
tsr *lib_expm1(const char *where, tsr *x);
tsr *lib_log(const char *where, tsr *x);
tsr *lib_log1p(const char *where, tsr *x);
tsr *lib_sqrt(const char *where, tsr *x);
tsr *lib_rsqrt(const char *where, tsr *x);
tsr *lib_square(const char *where, tsr *x);
tsr *lib_tanh(const char *where, tsr *x);
tsr *lib_logistic(const char *where, tsr *x);
tsr *lib_sin(const char *where, tsr *x);
tsr *lib_cos(const char *where, tsr *x);
tsr *lib_tan(const char *where, tsr *x);
tsr *lib_asin(const char *where, tsr *x);
tsr *lib_acos(const char *where, tsr *x);
tsr *lib_atan(const char *where, tsr *x);
tsr *lib_sinh(const char *where, tsr *x);
tsr *lib_cosh(const char *where, tsr *x);
tsr *lib_asinh(const char *where, tsr *x);
tsr *lib_acosh(const char *where, tsr *x);
tsr *lib_atanh(const char *where, tsr *x);
tsr *lib_cbrt(const char *where, tsr *x);
tsr *lib_erf(const char *where, tsr *x);
tsr *lib_erfc(const char *where, tsr *x);
tsr *lib_erf_inv(const char *where, tsr *x);
tsr *lib_lgamma(const char *where, tsr *x);
tsr *lib_digamma(const char *where, tsr *x);
tsr *lib_bessel_i0e(const char *where, tsr *x);
tsr *lib_bessel_i1e(const char *where, tsr *x);
tsr *lib_is_finite(const char *where, tsr *x);
tsr *lib_isnan(const char *where, tsr *x);
tsr *lib_bitwise_not(const char *where, tsr *x);
tsr *lib_population_count(const char *where, tsr *x);
tsr *lib_clz(const char *where, tsr *x);
tsr *lib_real(const char *where, tsr *x);
tsr *lib_imag(const char *where, tsr *x);
tsr *lib_conj(const char *where, tsr *x);
tsr *lib_reduce_precision(const char *where, tsr *x, int exponent_bits, int mantissa_bits);
tsr *lib_bitcast_convert_type(const char *where, tsr *x, tsr_dtype dtype);
tsr *lib_logical_not(const char *where, tsr *x);
tsr *lib_relu(const char *where, tsr *x);
tsr *lib_copy(const char *where, tsr *x);
tsr *lib_stop_gradient(const char *where, tsr *x);
tsr *lib_t(const char *where, tsr *x);
tsr *lib_ravel(const char *where, tsr *x);
tsr *lib_integer_pow(const char *where, tsr *x, int n);
tsr *lib_astype(const char *where, tsr *x, tsr_dtype dtype);
tsr *lib_add(const char *where, const tsr_arg ab[2]);
tsr *lib_sub(const char *where, const tsr_arg ab[2]);
tsr *lib_mul(const char *where, const tsr_arg ab[2]);
tsr *lib_div(const char *where, const tsr_arg ab[2]);
tsr *lib_rem(const char *where, const tsr_arg ab[2]);
tsr *lib_pow(const char *where, const tsr_arg ab[2]);
tsr *lib_atan2(const char *where, const tsr_arg ab[2]);
tsr *lib_zeta(const char *where, const tsr_arg ab[2]);
tsr *lib_polygamma(const char *where, const tsr_arg ab[2]);
tsr *lib_igamma(const char *where, const tsr_arg ab[2]);
tsr *lib_igammac(const char *where, const tsr_arg ab[2]);
tsr *lib_igamma_grad_a(const char *where, const tsr_arg ab[2]);
tsr *lib_random_gamma_grad(const char *where, const tsr_arg ab[2]);
tsr *lib_nextafter(const char *where, const tsr_arg ab[2]);
tsr *lib_complex(const char *where, const tsr_arg ab[2]);
tsr *lib_maximum(const char *where, const tsr_arg ab[2]);
tsr *lib_minimum(const char *where, const tsr_arg ab[2]);
tsr *lib_bitwise_and(const char *where, const tsr_arg ab[2]);
tsr *lib_bitwise_or(const char *where, const tsr_arg ab[2]);
tsr *lib_bitwise_xor(const char *where, const tsr_arg ab[2]);
tsr *lib_shift_left(const char *where, const tsr_arg ab[2]);
tsr *lib_shift_right(const char *where, const tsr_arg ab[2]);
tsr *lib_eq(const char *where, const tsr_arg ab[2]);
tsr *lib_ne(const char *where, const tsr_arg ab[2]);
tsr *lib_lt(const char *where, const tsr_arg ab[2]);
tsr *lib_le(const char *where, const tsr_arg ab[2]);
tsr *lib_gt(const char *where, const tsr_arg ab[2]);
tsr *lib_ge(const char *where, const tsr_arg ab[2]);
tsr *lib_logical_and(const char *where, const tsr_arg ab[2]);
tsr *lib_logical_or(const char *where, const tsr_arg ab[2]);
tsr *lib_fma(const char *where, const tsr_arg abc[3]);
tsr *lib_betainc(const char *where, const tsr_arg abc[3]);
tsr *lib_where(const char *where, const tsr_arg cab[3]);
tsr *lib_clamp(const char *where, tsr_arg low, tsr_arg x, tsr_arg high);
tsr *lib_dot(const char *where, tsr *a, tsr *b, const tsr_product_args *args);
tsr *lib_matmul(const char *where, tsr *a, tsr *b, const tsr_product_args *args);
tsr *lib_dot_general(const char *where, tsr *a, tsr *b, const tsr_dot_args *args);
tsr *lib_reshape(const char *where, tsr *x, tsr_dims dims);
tsr *lib_transpose(const char *where, tsr *x, const tsr_transpose_args *args);
tsr *lib_broadcast_to(const char *where, tsr *x, tsr_dims dims);
tsr *lib_broadcast_in_dim(const char *where, tsr *x, tsr_dims dims, tsr_dims at);
tsr *lib_squeeze(const char *where, tsr *x, tsr_dims dims);
tsr *lib_expand_dims(const char *where, tsr *x, tsr_dims dims);
tsr *lib_flip(const char *where, tsr *x, tsr_dims dims);
tsr *lib_concatenate(const char *where, int dim, tsr *const *x, size_t n);
tsr *lib_stack(const char *where, int dim, tsr *const *x, size_t n);
bool lib_split(const char *where, tsr *x, int dim, tsr **out, size_t n, const tsr_split_args *args);
tsr *lib_pad(const char *where, tsr *x, tsr_dims low, tsr_dims high, tsr_arg number,
             const tsr_pad_args *args);
tsr *lib_slice(const char *where, tsr *x, int dim, int64_t start, int64_t stop);
tsr *lib_slice_strided(const char *where, tsr *x, tsr_dims starts, tsr_dims stops,
                       const tsr_slice_args *args);
tsr *lib_index(const char *where, tsr *x, int dim, int64_t i);
tsr *lib_dynamic_slice(const char *where, tsr *x, int dim, tsr_arg start, int64_t size);
tsr *lib_dynamic_update(const char *where, tsr *x, tsr *update, int dim, tsr_arg start);
tsr *lib_dynamic_slice_dims(const char *where, tsr *x, tsr_dims sizes, const tsr_arg *starts,
                            size_t n);
tsr *lib_dynamic_update_dims(const char *where, tsr *x, tsr *update, const tsr_arg *starts,
                             size_t n);
tsr *lib_dynamic_index(const char *where, tsr *x, int dim, tsr_arg i);
tsr *lib_take(const char *where, tsr *x, int dim, tsr *indices, const tsr_index_args *args);
tsr *lib_take_along(const char *where, tsr *x, int dim, tsr *indices, const tsr_index_args *args);
tsr *lib_at_set(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                const tsr_index_args *args);
tsr *lib_at_add(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                const tsr_index_args *args);
tsr *lib_at_mul(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                const tsr_index_args *args);
tsr *lib_at_min(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                const tsr_index_args *args);
tsr *lib_at_max(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                const tsr_index_args *args);
tsr *lib_gather(const char *where, tsr *x, tsr *indices, tsr_dims slice_sizes,
                const tsr_gather_args *args);
tsr *lib_scatter(const char *where, tsr *x, tsr *indices, tsr *updates,
                 const tsr_scatter_args *args);
tsr *lib_sum(const char *where, tsr *x, const tsr_sum_args *args);
tsr *lib_prod(const char *where, tsr *x, const tsr_sum_args *args);
tsr *lib_max(const char *where, tsr *x, const tsr_reduce_args *args);
tsr *lib_min(const char *where, tsr *x, const tsr_reduce_args *args);
tsr *lib_all(const char *where, tsr *x, const tsr_all_args *args);
tsr *lib_any(const char *where, tsr *x, const tsr_all_args *args);
tsr *lib_reduce_and(const char *where, tsr *x, const tsr_dims_args *args);
tsr *lib_reduce_or(const char *where, tsr *x, const tsr_dims_args *args);
tsr *lib_reduce_xor(const char *where, tsr *x, const tsr_dims_args *args);
tsr *lib_mean(const char *where, tsr *x, const tsr_mean_args *args);
tsr *lib_logsumexp(const char *where, tsr *x, const tsr_logsumexp_args *args);
tsr *lib_argmax(const char *where, tsr *x, const tsr_arg_args *args);
tsr *lib_argmin(const char *where, tsr *x, const tsr_arg_args *args);
tsr *lib_sort(const char *where, tsr *x, const tsr_sort_args *args);
tsr *lib_argsort(const char *where, tsr *x, const tsr_argsort_args *args);
bool lib_sort_operands(const char *where, tsr *const *x, tsr **out, size_t n,
                       const tsr_sort_operands_args *args);
bool lib_top_k(const char *where, tsr *x, int64_t k, tsr *out[2], const tsr_top_k_args *args);
tsr *lib_cumsum(const char *where, tsr *x, const tsr_cumsum_args *args);
tsr *lib_cumprod(const char *where, tsr *x, const tsr_cumsum_args *args);
tsr *lib_nancumsum(const char *where, tsr *x, const tsr_cumsum_args *args);
tsr *lib_nancumprod(const char *where, tsr *x, const tsr_cumsum_args *args);
tsr *lib_cumulative_sum(const char *where, tsr *x, const tsr_cumulative_args *args);
tsr *lib_cumulative_prod(const char *where, tsr *x, const tsr_cumulative_args *args);
tsr *lib_cummax(const char *where, tsr *x, const tsr_cummax_args *args);
tsr *lib_cummin(const char *where, tsr *x, const tsr_cummax_args *args);
tsr *lib_cumlogsumexp(const char *where, tsr *x, const tsr_cummax_args *args);
tsr *lib_reduce_window(const char *where, tsr *x, enum tsr_combine combine, tsr_dims window,
                       const tsr_window_args *args);
tsr *lib_max_pool(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args);
tsr *lib_min_pool(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args);
tsr *lib_avg_pool(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args);
tsr *lib_conv_general_dilated(const char *where, tsr *lhs, tsr *rhs, const tsr_conv_args *args);
tsr *lib_conv_general_dilated_patches(const char *where, tsr *lhs, tsr_dims window,
                                      const tsr_conv_args *args);
tsr *lib_conv_general_dilated_local(const char *where, tsr *lhs, tsr *rhs, tsr_dims window,
                                    const tsr_conv_args *args);
tsr *lib_conv_transpose(const char *where, tsr *lhs, tsr *rhs, const tsr_conv_transpose_args *args);
tsr *lib_convolve(const char *where, tsr *a, tsr *v, const tsr_convolve_args *args);
tsr *lib_correlate(const char *where, tsr *a, tsr *v, const tsr_convolve_args *args);
bool lib_threefry2x32(const char *where, tsr_arg key0, tsr_arg key1, tsr_arg x0, tsr_arg x1,
                      tsr *out[2]);
tsr *lib_init_zeros(const char *where, tsr *key, tsr_dims dims, const tsr_new_args *args);
tsr *lib_init_ones(const char *where, tsr *key, tsr_dims dims, const tsr_new_args *args);
tsr *lib_init_constant(const char *where, tsr *key, tsr_dims dims,
                       const tsr_init_constant_args *args);
tsr *lib_init_uniform(const char *where, tsr *key, tsr_dims dims,
                      const tsr_init_uniform_args *args);
tsr *lib_init_normal(const char *where, tsr *key, tsr_dims dims, const tsr_init_normal_args *args);
tsr *lib_init_truncated_normal(const char *where, tsr *key, tsr_dims dims,
                               const tsr_init_truncated_normal_args *args);
tsr *lib_init_variance_scaling(const char *where, tsr *key, tsr_dims dims,
                               const tsr_init_scaling_args *args);
tsr *lib_init_glorot_uniform(const char *where, tsr *key, tsr_dims dims,
                             const tsr_init_fan_args *args);
tsr *lib_init_glorot_normal(const char *where, tsr *key, tsr_dims dims,
                            const tsr_init_fan_args *args);
tsr *lib_init_xavier_uniform(const char *where, tsr *key, tsr_dims dims,
                             const tsr_init_fan_args *args);
tsr *lib_init_xavier_normal(const char *where, tsr *key, tsr_dims dims,
                            const tsr_init_fan_args *args);
tsr *lib_init_lecun_uniform(const char *where, tsr *key, tsr_dims dims,
                            const tsr_init_fan_args *args);
tsr *lib_init_lecun_normal(const char *where, tsr *key, tsr_dims dims,
                           const tsr_init_fan_args *args);
tsr *lib_init_he_uniform(const char *where, tsr *key, tsr_dims dims, const tsr_init_fan_args *args);
tsr *lib_init_he_normal(const char *where, tsr *key, tsr_dims dims, const tsr_init_fan_args *args);
tsr *lib_init_kaiming_uniform(const char *where, tsr *key, tsr_dims dims,
                              const tsr_init_fan_args *args);
tsr *lib_init_kaiming_normal(const char *where, tsr *key, tsr_dims dims,
                             const tsr_init_fan_args *args);
tsr *lib_init_orthogonal(const char *where, tsr *key, tsr_dims dims,
                         const tsr_init_orthogonal_args *args);
tsr *lib_init_delta_orthogonal(const char *where, tsr *key, tsr_dims dims,
                               const tsr_init_orthogonal_args *args);
tsr *lib_einsum(const char *where, const char *subscripts, tsr *const *x, size_t n);
tsr *lib_tensordot(const char *where, tsr *a, tsr *b, const tsr_tensordot_args *args);
tsr *lib_inner(const char *where, tsr *a, tsr *b);
tsr *lib_outer(const char *where, tsr *a, tsr *b);
tsr *lib_vdot(const char *where, tsr *a, tsr *b);
tsr *lib_vecdot(const char *where, tsr *a, tsr *b, const tsr_vecdot_args *args);
tsr *lib_matvec(const char *where, tsr *a, tsr *b);
tsr *lib_vecmat(const char *where, tsr *a, tsr *b);
tsr *lib_kron(const char *where, tsr *a, tsr *b);
tsr *lib_cross(const char *where, tsr *a, tsr *b, const tsr_cross_args *args);
bool lib_split_key(const char *where, tsr *key, tsr **out, size_t n);
tsr *lib_moveaxis(const char *where, tsr *x, tsr_dims from, tsr_dims to);
tsr *lib_swapaxes(const char *where, tsr *x, int a, int b);
tsr *lib_atleast_1d(const char *where, tsr *x);
tsr *lib_atleast_2d(const char *where, tsr *x);
tsr *lib_atleast_3d(const char *where, tsr *x);
bool lib_broadcast_arrays(const char *where, tsr *const *x, tsr **out, size_t n);
tsr *lib_roll(const char *where, tsr *x, int64_t shift, int dim);
tsr *lib_dynamic_roll(const char *where, tsr *x, tsr_arg shift, int dim);
tsr *lib_rot90(const char *where, tsr *x, int k, int a, int b);
tsr *lib_tile(const char *where, tsr *x, tsr_dims times);
tsr *lib_repeat(const char *where, tsr *x, int64_t n, int dim);
tsr *lib_repeat_each(const char *where, tsr *x, tsr *times, int64_t n, int dim);
tsr *lib_resize(const char *where, tsr *x, tsr_dims dims);
tsr *lib_hstack(const char *where, tsr *const *x, size_t n);
tsr *lib_vstack(const char *where, tsr *const *x, size_t n);
tsr *lib_dstack(const char *where, tsr *const *x, size_t n);
tsr *lib_column_stack(const char *where, tsr *const *x, size_t n);
bool lib_array_split(const char *where, tsr *x, int dim, tsr **out, size_t n);
bool lib_unstack(const char *where, tsr *x, int dim, tsr **out, size_t n);
tsr *lib_view_as_real(const char *where, tsr *z);
tsr *lib_view_as_complex(const char *where, tsr *x);
tsr *lib_diagonal(const char *where, tsr *x, const tsr_diagonal_args *args);
tsr *lib_trace(const char *where, tsr *x, const tsr_diagonal_args *args);
tsr *lib_diag(const char *where, tsr *x, int k);
tsr *lib_diagflat(const char *where, tsr *x, int k);
tsr *lib_tril(const char *where, tsr *x, int k);
tsr *lib_triu(const char *where, tsr *x, int k);
tsr *lib_tri(const char *where, tsr_ctx *ctx, int64_t n, int64_t m, int k,
             const tsr_new_args *args);
tsr *lib_fill_diagonal(const char *where, tsr *x, tsr_arg value);
tsr *lib_vander(const char *where, tsr *x, int64_t n, bool increasing);
bool lib_meshgrid(const char *where, tsr *const *x, tsr **out, size_t n,
                  const tsr_meshgrid_args *args);
tsr *lib_indices(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *args);
bool lib_unravel_index(const char *where, tsr *x, tsr_dims dims, tsr **out);
tsr *lib_ravel_multi_index(const char *where, tsr *const *x, tsr_dims dims,
                           enum tsr_index_mode mode);
tsr *lib_var(const char *where, tsr *x, const tsr_var_args *args);
tsr *lib_std(const char *where, tsr *x, const tsr_var_args *args);
tsr *lib_average(const char *where, tsr *x, const tsr_average_args *args);
tsr *lib_count_nonzero(const char *where, tsr *x, const tsr_dims_args *args);
tsr *lib_ptp(const char *where, tsr *x, const tsr_dims_args *args);
tsr *lib_nansum(const char *where, tsr *x, const tsr_sum_args *args);
tsr *lib_nanprod(const char *where, tsr *x, const tsr_sum_args *args);
tsr *lib_nanmax(const char *where, tsr *x, const tsr_reduce_args *args);
tsr *lib_nanmin(const char *where, tsr *x, const tsr_reduce_args *args);
tsr *lib_nanmean(const char *where, tsr *x, const tsr_mean_args *args);
tsr *lib_nanvar(const char *where, tsr *x, const tsr_var_args *args);
tsr *lib_nanstd(const char *where, tsr *x, const tsr_var_args *args);
tsr *lib_nanargmax(const char *where, tsr *x, const tsr_arg_args *args);
tsr *lib_nanargmin(const char *where, tsr *x, const tsr_arg_args *args);
tsr *lib_quantile(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args);
tsr *lib_percentile(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args);
tsr *lib_median(const char *where, tsr *x, const tsr_dims_args *args);
tsr *lib_nanquantile(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args);
tsr *lib_nanpercentile(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args);
tsr *lib_nanmedian(const char *where, tsr *x, const tsr_dims_args *args);
tsr *lib_cov(const char *where, tsr *x, const tsr_cov_args *args);
tsr *lib_corrcoef(const char *where, tsr *x, const tsr_corrcoef_args *args);
tsr *lib_searchsorted(const char *where, tsr *a, tsr *v, const tsr_searchsorted_args *args);
tsr *lib_digitize(const char *where, tsr *x, tsr *bins, const tsr_searchsorted_args *args);
tsr *lib_isin(const char *where, tsr *x, tsr *set);
tsr *lib_bincount(const char *where, tsr *x, int64_t n, const tsr_bincount_args *args);
bool lib_histogram(const char *where, tsr *x, int64_t n, tsr *out[2],
                   const tsr_histogram_args *args);
tsr *lib_interp(const char *where, tsr *x, tsr *xp, tsr *fp, const tsr_interp_args *args);

#endif
