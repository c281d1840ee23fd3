/* values.c - operations as functions without a place; tools/make_headers.py made it of api/.
 *
 * A macro is no value. What is passed on, as in tsr_vmap(ctx, tsr_add), or called in a debugger, is
 * one of these: keywords are not given, and errors name no line. */
#include <tsr/tsr.h>

tsr *(tsr_from)(tsr_ctx *ctx, const void *data, tsr_dtype dtype, tsr_dims dims)
{
	return tsr_from_at(NULL, ctx, TSR_DTYPE_DEFAULT, data, dtype, dims);
}

tsr *(tsr_wrap)(tsr_ctx *ctx, const void *data, tsr_dtype dtype, tsr_dims dims)
{
	return tsr_wrap_at(NULL, ctx, TSR_DTYPE_DEFAULT, data, dtype, dims, NULL);
}

tsr *(tsr_zeros)(tsr_ctx *ctx, tsr_dims dims)
{
	return tsr_zeros_at(NULL, ctx, dims, NULL);
}

tsr *(tsr_ones)(tsr_ctx *ctx, tsr_dims dims)
{
	return tsr_ones_at(NULL, ctx, dims, NULL);
}

tsr *(tsr_full)(tsr_ctx *ctx, tsr_dims dims, double number)
{
	return tsr_full_at(NULL, ctx, dims, tsr_arg_float(number), NULL);
}

tsr *(tsr_scalar)(tsr_ctx *ctx, double number)
{
	return tsr_scalar_at(NULL, ctx, tsr_arg_float(number), NULL);
}

tsr *(tsr_arange)(tsr_ctx *ctx, int64_t n)
{
	return tsr_arange_at(NULL, ctx, n, NULL);
}

tsr *(tsr_eye)(tsr_ctx *ctx, int64_t n)
{
	return tsr_eye_at(NULL, ctx, n, NULL);
}

tsr *(tsr_zeros_like)(tsr *x)
{
	return tsr_zeros_like_at(NULL, x);
}

tsr *(tsr_ones_like)(tsr *x)
{
	return tsr_ones_like_at(NULL, x);
}

int64_t (tsr_dim)(const tsr *x, int d)
{
	return tsr_dim_at(NULL, x, d);
}

tsr_dims (tsr_shape)(const tsr *x)
{
	return tsr_shape_at(NULL, x);
}

bool (tsr_varying)(const tsr *x, const char *axis)
{
	return tsr_varying_at(NULL, x, axis);
}

double (tsr_item)(const tsr *x)
{
	return tsr_item_at(NULL, x);
}

int64_t (tsr_item_int)(const tsr *x)
{
	return tsr_item_int_at(NULL, x);
}

bool (tsr_read)(const tsr *x, void *out, size_t bytes)
{
	return tsr_read_at(NULL, x, TSR_DTYPE_DEFAULT, out, bytes);
}

bool (tsr_read_into)(const tsr *x, void *out)
{
	return tsr_read_into_at(NULL, x, TSR_DTYPE_DEFAULT, out, NULL);
}

bool (tsr_allclose)(const tsr *a, const tsr *b, double rtol, double atol)
{
	return tsr_allclose_at(NULL, a, b, rtol, atol);
}

bool (tsr_array_equal)(const tsr *a, const tsr *b)
{
	return tsr_array_equal_at(NULL, a, b);
}

bool (tsr_wait)(const tsr *x)
{
	return tsr_wait_at(NULL, x);
}

void (tsr_print)(const tsr *x)
{
	tsr_print_at(NULL, x, NULL);
}

const char *(tsr_text)(const tsr *x)
{
	return tsr_text_at(NULL, x, NULL);
}

tsr *(tsr_put)(tsr *x, const tsr_mesh *mesh, tsr_spec spec)
{
	return tsr_put_at(NULL, x, mesh, spec);
}

bool (tsr_put_tree)(tsr_tree to, tsr_tree x, const tsr_mesh *mesh)
{
	return tsr_put_tree_at(NULL, to, x, mesh, NULL);
}

tsr *(tsr_put_device)(tsr *x, int64_t device)
{
	return tsr_put_device_at(NULL, x, device);
}

tsr *(tsr_gather_whole)(tsr *x)
{
	return tsr_gather_whole_at(NULL, x);
}

tsr *(tsr_put_sharding)(tsr *x, const tsr_sharding *sharding)
{
	return tsr_put_sharding_at(NULL, x, sharding);
}

tsr *(tsr_constrain)(tsr *x, const tsr_mesh *mesh, tsr_spec spec)
{
	return tsr_constrain_at(NULL, x, mesh, spec);
}

bool (tsr_constrain_tree)(tsr_tree to, tsr_tree x, const tsr_mesh *mesh)
{
	return tsr_constrain_tree_at(NULL, to, x, mesh, NULL);
}

tsr *(tsr_constrain_sharding)(tsr *x, const tsr_sharding *sharding)
{
	return tsr_constrain_sharding_at(NULL, x, sharding);
}

tsr *(tsr_shard_alike)(tsr *x, tsr *like)
{
	return tsr_shard_alike_at(NULL, x, like);
}

bool (tsr_shard_of)(const tsr *x, int64_t k, tsr_shard *out)
{
	return tsr_shard_of_at(NULL, x, k, out);
}

tsr *(tsr_shard_data)(const tsr *x, int64_t k)
{
	return tsr_shard_data_at(NULL, x, k);
}

const void *(tsr_shard_borrow)(const tsr *x, int64_t k, int64_t *strides_out)
{
	return tsr_shard_borrow_at(NULL, x, k, strides_out);
}

tsr *(tsr_from_shards)(tsr_ctx *ctx, const tsr_sharding *sharding, tsr_dims dims,
                       tsr *const *pieces, size_t n)
{
	return tsr_from_shards_at(NULL, ctx, sharding, dims, pieces, n);
}

tsr *(tsr_from_local)(const tsr_sharding *sharding, tsr *x, tsr_dims dims)
{
	return tsr_from_local_at(NULL, sharding, x, dims);
}

tsr_batches *(tsr_batches_open)(tsr_ctx *ctx, const char *const *paths, size_t n, int64_t rows)
{
	return tsr_batches_open_at(NULL, ctx, paths, n, rows, NULL);
}

bool (tsr_batches_next)(tsr_batches *b, tsr **out, size_t n)
{
	return tsr_batches_next_at(NULL, b, out, n);
}

void (tsr_check_finite)(tsr *x, const char *what)
{
	tsr_check_finite_at(NULL, x, what);
}

bool (tsr_checkpoint_save)(const char *dir, int64_t step, tsr_tree tree)
{
	return tsr_checkpoint_save_at(NULL, dir, step, tree, NULL);
}

bool (tsr_checkpoint_load)(const char *dir, int64_t step, tsr_tree like)
{
	return tsr_checkpoint_load_at(NULL, dir, step, like, NULL);
}

int64_t (tsr_checkpoint_latest)(tsr_ctx *ctx, const char *dir)
{
	return tsr_checkpoint_latest_at(NULL, ctx, dir);
}

bool (tsr_checkpoint_wait)(tsr_ctx *ctx)
{
	return tsr_checkpoint_wait_at(NULL, ctx);
}

const char *(tsr_checkpoint_text)(tsr_ctx *ctx, const char *dir)
{
	return tsr_checkpoint_text_at(NULL, ctx, dir);
}

bool (tsr_checkpoint_verify)(tsr_ctx *ctx, const char *dir, int64_t step)
{
	return tsr_checkpoint_verify_at(NULL, ctx, dir, step);
}

tsr *(tsr_psum)(tsr *x, const char *axis)
{
	return tsr_psum_at(NULL, x, axis, NULL);
}

tsr *(tsr_pmean)(tsr *x, const char *axis)
{
	return tsr_pmean_at(NULL, x, axis, NULL);
}

tsr *(tsr_pmax)(tsr *x, const char *axis)
{
	return tsr_pmax_at(NULL, x, axis, NULL);
}

tsr *(tsr_pmin)(tsr *x, const char *axis)
{
	return tsr_pmin_at(NULL, x, axis, NULL);
}

tsr *(tsr_all_gather)(tsr *x, const char *axis)
{
	return tsr_all_gather_at(NULL, x, axis, NULL);
}

tsr *(tsr_psum_scatter)(tsr *x, const char *axis)
{
	return tsr_psum_scatter_at(NULL, x, axis, NULL);
}

tsr *(tsr_all_to_all)(tsr *x, const char *axis)
{
	return tsr_all_to_all_at(NULL, x, axis, NULL);
}

tsr *(tsr_pswapaxes)(tsr *x, const char *axis, int dim)
{
	return tsr_pswapaxes_at(NULL, x, axis, dim, NULL);
}

tsr *(tsr_ppermute)(tsr *x, const char *axis, tsr_perm perm)
{
	return tsr_ppermute_at(NULL, x, axis, perm, NULL);
}

tsr *(tsr_pshuffle)(tsr *x, const char *axis, const int *source, size_t count)
{
	return tsr_pshuffle_at(NULL, x, axis, source, count, NULL);
}

tsr *(tsr_pbroadcast)(tsr *x, const char *axis, int source)
{
	return tsr_pbroadcast_at(NULL, x, axis, source, NULL);
}

tsr *(tsr_ragged_all_to_all)(tsr *operand, tsr *output, tsr *input_offsets, tsr *send_sizes,
                             tsr *output_offsets, tsr *recv_sizes, const char *axis)
{
	return tsr_ragged_all_to_all_at(NULL, operand, output, input_offsets, send_sizes,
	                                output_offsets, recv_sizes, axis, NULL);
}

tsr *(tsr_axis_index)(tsr_ctx *ctx, const char *axis)
{
	return tsr_axis_index_at(NULL, ctx, axis, NULL);
}

int64_t (tsr_axis_size)(tsr_ctx *ctx, const char *axis)
{
	return tsr_axis_size_at(NULL, ctx, axis, NULL);
}

tsr *(tsr_pcast)(tsr *x, const char *axis)
{
	return tsr_pcast_at(NULL, x, axis, NULL);
}

tsr_ctx *(tsr_open)(void)
{
	return tsr_open_at(NULL, NULL);
}

tsr *(tsr_fail)(tsr_ctx *ctx, const char *text)
{
	return tsr_fail_at(NULL, ctx, text);
}

bool (tsr_set)(tsr **slot, tsr *value)
{
	return tsr_set_at(NULL, slot, value);
}

bool (tsr_set_tree)(tsr_tree slots, tsr_tree values)
{
	return tsr_set_tree_at(NULL, slots, values);
}

tsr *(tsr_linspace)(tsr_ctx *ctx, tsr *start, tsr *stop, int64_t n)
{
	return tsr_linspace_at(NULL, ctx, tsr_arg_one(start), tsr_arg_one(stop), n, NULL);
}

tsr *(tsr_logspace)(tsr_ctx *ctx, tsr *start, tsr *stop, int64_t n)
{
	return tsr_logspace_at(NULL, ctx, tsr_arg_one(start), tsr_arg_one(stop), n, NULL);
}

tsr *(tsr_geomspace)(tsr_ctx *ctx, tsr *start, tsr *stop, int64_t n)
{
	return tsr_geomspace_at(NULL, ctx, tsr_arg_one(start), tsr_arg_one(stop), n, NULL);
}

tsr *(tsr_bartlett)(tsr_ctx *ctx, int64_t n)
{
	return tsr_bartlett_at(NULL, ctx, n, NULL);
}

tsr *(tsr_blackman)(tsr_ctx *ctx, int64_t n)
{
	return tsr_blackman_at(NULL, ctx, n, NULL);
}

tsr *(tsr_hamming)(tsr_ctx *ctx, int64_t n)
{
	return tsr_hamming_at(NULL, ctx, n, NULL);
}

tsr *(tsr_hanning)(tsr_ctx *ctx, int64_t n)
{
	return tsr_hanning_at(NULL, ctx, n, NULL);
}

tsr *(tsr_kaiser)(tsr_ctx *ctx, int64_t n, double beta)
{
	return tsr_kaiser_at(NULL, ctx, n, beta, NULL);
}

tsr *(tsr_diff)(tsr *x)
{
	return tsr_diff_at(NULL, x, NULL);
}

tsr *(tsr_ediff1d)(tsr *x)
{
	return tsr_ediff1d_at(NULL, x);
}

tsr *(tsr_gradient)(tsr *x, int dim, tsr *h)
{
	return tsr_gradient_at(NULL, x, dim, tsr_arg_one(h));
}

tsr *(tsr_trapezoid)(tsr *y)
{
	return tsr_trapezoid_at(NULL, y, NULL);
}

tsr *(tsr_unwrap)(tsr *x)
{
	return tsr_unwrap_at(NULL, x, NULL);
}

tsr *(tsr_polyval)(tsr *p, tsr *x)
{
	return tsr_polyval_at(NULL, p, x);
}

tsr *(tsr_polyadd)(tsr *a, tsr *b)
{
	return tsr_polyadd_at(NULL, a, b);
}

tsr *(tsr_polysub)(tsr *a, tsr *b)
{
	return tsr_polysub_at(NULL, a, b);
}

tsr *(tsr_polymul)(tsr *a, tsr *b)
{
	return tsr_polymul_at(NULL, a, b);
}

tsr *(tsr_polyder)(tsr *p, int m)
{
	return tsr_polyder_at(NULL, p, m);
}

tsr *(tsr_polyint)(tsr *p, int m)
{
	return tsr_polyint_at(NULL, p, m);
}

tsr *(tsr_poly)(tsr *zeros)
{
	return tsr_poly_at(NULL, zeros);
}

tsr *(tsr_roots)(tsr *p)
{
	return tsr_roots_at(NULL, p);
}

tsr_fn *(tsr_parse)(tsr_ctx *ctx, const char *text)
{
	return tsr_parse_at(NULL, ctx, text);
}

tsr_fn *(tsr_load_program)(tsr_ctx *ctx, const char *path)
{
	return tsr_load_program_at(NULL, ctx, path);
}

const char *(tsr_program_text)(const tsr_fn *fn)
{
	return tsr_program_text_at(NULL, fn);
}

const char *(tsr_program_graph)(const tsr_fn *fn)
{
	return tsr_program_graph_at(NULL, fn);
}

tsr_fn *(tsr_program_pass)(tsr_fn *fn, const char *pass)
{
	return tsr_program_pass_at(NULL, fn, pass);
}

tsr *(tsr_fft)(tsr *x)
{
	return tsr_fft_at(NULL, x, NULL);
}

tsr *(tsr_ifft)(tsr *x)
{
	return tsr_ifft_at(NULL, x, NULL);
}

tsr *(tsr_rfft)(tsr *x)
{
	return tsr_rfft_at(NULL, x, NULL);
}

tsr *(tsr_irfft)(tsr *x)
{
	return tsr_irfft_at(NULL, x, NULL);
}

tsr *(tsr_hfft)(tsr *x)
{
	return tsr_hfft_at(NULL, x, NULL);
}

tsr *(tsr_ihfft)(tsr *x)
{
	return tsr_ihfft_at(NULL, x, NULL);
}

tsr *(tsr_fftn)(tsr *x)
{
	return tsr_fftn_at(NULL, x, NULL);
}

tsr *(tsr_ifftn)(tsr *x)
{
	return tsr_ifftn_at(NULL, x, NULL);
}

tsr *(tsr_rfftn)(tsr *x)
{
	return tsr_rfftn_at(NULL, x, NULL);
}

tsr *(tsr_irfftn)(tsr *x)
{
	return tsr_irfftn_at(NULL, x, NULL);
}

tsr *(tsr_fft2)(tsr *x)
{
	return tsr_fft2_at(NULL, x, NULL);
}

tsr *(tsr_ifft2)(tsr *x)
{
	return tsr_ifft2_at(NULL, x, NULL);
}

tsr *(tsr_rfft2)(tsr *x)
{
	return tsr_rfft2_at(NULL, x, NULL);
}

tsr *(tsr_irfft2)(tsr *x)
{
	return tsr_irfft2_at(NULL, x, NULL);
}

tsr *(tsr_fftfreq)(tsr_ctx *ctx, int64_t n)
{
	return tsr_fftfreq_at(NULL, ctx, n, NULL);
}

tsr *(tsr_rfftfreq)(tsr_ctx *ctx, int64_t n)
{
	return tsr_rfftfreq_at(NULL, ctx, n, NULL);
}

tsr *(tsr_fftshift)(tsr *x)
{
	return tsr_fftshift_at(NULL, x, NULL);
}

tsr *(tsr_ifftshift)(tsr *x)
{
	return tsr_ifftshift_at(NULL, x, NULL);
}

tsr *(tsr_deg2rad)(tsr *x)
{
	return tsr_deg2rad_at(NULL, x);
}

tsr *(tsr_rad2deg)(tsr *x)
{
	return tsr_rad2deg_at(NULL, x);
}

tsr *(tsr_angle)(tsr *x)
{
	return tsr_angle_at(NULL, x);
}

tsr *(tsr_log2)(tsr *x)
{
	return tsr_log2_at(NULL, x);
}

tsr *(tsr_log10)(tsr *x)
{
	return tsr_log10_at(NULL, x);
}

tsr *(tsr_reciprocal)(tsr *x)
{
	return tsr_reciprocal_at(NULL, x);
}

tsr *(tsr_fabs)(tsr *x)
{
	return tsr_fabs_at(NULL, x);
}

tsr *(tsr_float_power)(tsr *a, tsr *b)
{
	return tsr_float_power_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_hypot)(tsr *a, tsr *b)
{
	return tsr_hypot_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_logaddexp)(tsr *a, tsr *b)
{
	return tsr_logaddexp_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_logaddexp2)(tsr *a, tsr *b)
{
	return tsr_logaddexp2_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_sinc)(tsr *x)
{
	return tsr_sinc_at(NULL, x);
}

tsr *(tsr_floor_divide)(tsr *a, tsr *b)
{
	return tsr_floor_divide_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_remainder)(tsr *a, tsr *b)
{
	return tsr_remainder_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

bool (tsr_divmod)(tsr *a, tsr *b, tsr *out[2])
{
	return tsr_divmod_at(NULL, tsr_arg_one(a), tsr_arg_one(b), out);
}

tsr *(tsr_fmod)(tsr *a, tsr *b)
{
	return tsr_fmod_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_trunc)(tsr *x)
{
	return tsr_trunc_at(NULL, x);
}

tsr *(tsr_rint)(tsr *x)
{
	return tsr_rint_at(NULL, x);
}

tsr *(tsr_gcd)(tsr *a, tsr *b)
{
	return tsr_gcd_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_lcm)(tsr *a, tsr *b)
{
	return tsr_lcm_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_mulhi)(tsr *a, tsr *b)
{
	return tsr_mulhi_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

bool (tsr_modf)(tsr *x, tsr *out[2])
{
	return tsr_modf_at(NULL, x, out);
}

tsr *(tsr_bitwise_count)(tsr *x)
{
	return tsr_bitwise_count_at(NULL, x);
}

bool (tsr_frexp)(tsr *x, tsr *out[2])
{
	return tsr_frexp_at(NULL, x, out);
}

tsr *(tsr_ldexp)(tsr *a, tsr *b)
{
	return tsr_ldexp_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_spacing)(tsr *x)
{
	return tsr_spacing_at(NULL, x);
}

tsr *(tsr_signbit)(tsr *x)
{
	return tsr_signbit_at(NULL, x);
}

tsr *(tsr_copysign)(tsr *a, tsr *b)
{
	return tsr_copysign_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_heaviside)(tsr *a, tsr *b)
{
	return tsr_heaviside_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_isinf)(tsr *x)
{
	return tsr_isinf_at(NULL, x);
}

tsr *(tsr_isposinf)(tsr *x)
{
	return tsr_isposinf_at(NULL, x);
}

tsr *(tsr_isneginf)(tsr *x)
{
	return tsr_isneginf_at(NULL, x);
}

tsr *(tsr_iscomplex)(tsr *x)
{
	return tsr_iscomplex_at(NULL, x);
}

tsr *(tsr_isreal)(tsr *x)
{
	return tsr_isreal_at(NULL, x);
}

tsr *(tsr_fmax)(tsr *a, tsr *b)
{
	return tsr_fmax_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_fmin)(tsr *a, tsr *b)
{
	return tsr_fmin_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_nan_to_num)(tsr *x)
{
	return tsr_nan_to_num_at(NULL, x, NULL);
}

tsr *(tsr_isclose)(tsr *a, tsr *b, double rtol, double atol)
{
	return tsr_isclose_at(NULL, tsr_arg_one(a), tsr_arg_one(b), rtol, atol);
}

tsr *(tsr_logical_xor)(tsr *a, tsr *b)
{
	return tsr_logical_xor_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_select)(tsr *const *conditions, tsr *const *x, size_t n, tsr *otherwise)
{
	return tsr_select_at(NULL, conditions, x, n, tsr_arg_one(otherwise));
}

tsr *(tsr_choose)(tsr *i, tsr *const *x, size_t n, enum tsr_index_mode mode)
{
	return tsr_choose_at(NULL, i, x, n, mode);
}

tsr *(tsr_gamma_function)(tsr *x)
{
	return tsr_gamma_function_at(NULL, x);
}

tsr *(tsr_gammasgn)(tsr *x)
{
	return tsr_gammasgn_at(NULL, x);
}

tsr *(tsr_log_gamma)(tsr *x)
{
	return tsr_log_gamma_at(NULL, x);
}

tsr *(tsr_factorial)(tsr *x)
{
	return tsr_factorial_at(NULL, x);
}

tsr *(tsr_beta_function)(tsr *a, tsr *b)
{
	return tsr_beta_function_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_betaln)(tsr *a, tsr *b)
{
	return tsr_betaln_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_comb)(tsr *a, tsr *b)
{
	return tsr_comb_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_poch)(tsr *a, tsr *b)
{
	return tsr_poch_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_multigammaln)(tsr *x, int d)
{
	return tsr_multigammaln_at(NULL, x, d);
}

tsr *(tsr_i0)(tsr *x)
{
	return tsr_i0_at(NULL, x);
}

tsr *(tsr_i1)(tsr *x)
{
	return tsr_i1_at(NULL, x);
}

tsr *(tsr_boxcox)(tsr *a, tsr *b)
{
	return tsr_boxcox_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_boxcox1p)(tsr *a, tsr *b)
{
	return tsr_boxcox1p_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_xlogy)(tsr *a, tsr *b)
{
	return tsr_xlogy_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_xlog1py)(tsr *a, tsr *b)
{
	return tsr_xlog1py_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_entr)(tsr *x)
{
	return tsr_entr_at(NULL, x);
}

tsr *(tsr_rel_entr)(tsr *a, tsr *b)
{
	return tsr_rel_entr_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_kl_div)(tsr *a, tsr *b)
{
	return tsr_kl_div_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_logit)(tsr *x)
{
	return tsr_logit_at(NULL, x);
}

tsr *(tsr_ndtr)(tsr *x)
{
	return tsr_ndtr_at(NULL, x);
}

tsr *(tsr_log_ndtr)(tsr *x)
{
	return tsr_log_ndtr_at(NULL, x);
}

tsr *(tsr_ndtri)(tsr *p)
{
	return tsr_ndtri_at(NULL, p);
}

bool (tsr_save)(tsr_tree tree, const char *path)
{
	return tsr_save_at(NULL, tree, path, NULL);
}

bool (tsr_load)(tsr_tree to, const char *path)
{
	return tsr_load_at(NULL, to, path, NULL);
}

tsr *(tsr_load_npy)(tsr_ctx *ctx, const char *path)
{
	return tsr_load_npy_at(NULL, ctx, path);
}

tsr *(tsr_read_npy)(tsr_ctx *ctx, const void *bytes, size_t n)
{
	return tsr_read_npy_at(NULL, ctx, bytes, n);
}

bool (tsr_save_npy)(const tsr *x, const char *path)
{
	return tsr_save_npy_at(NULL, x, path);
}

const char *(tsr_file_text)(tsr_ctx *ctx, const char *path)
{
	return tsr_file_text_at(NULL, ctx, path);
}

tsr *(tsr_load_text)(tsr_ctx *ctx, const char *path)
{
	return tsr_load_text_at(NULL, ctx, path, NULL);
}

tsr_dlpack *(tsr_to_dlpack)(const tsr *x)
{
	return tsr_to_dlpack_at(NULL, x);
}

tsr_dlpack_old *(tsr_to_dlpack_old)(const tsr *x)
{
	return tsr_to_dlpack_old_at(NULL, x);
}

tsr *(tsr_from_dlpack)(tsr_ctx *ctx, tsr_dlpack *from)
{
	return tsr_from_dlpack_at(NULL, ctx, from);
}

tsr *(tsr_from_dlpack_old)(tsr_ctx *ctx, tsr_dlpack_old *from)
{
	return tsr_from_dlpack_old_at(NULL, ctx, from);
}

tsr *(tsr_linear)(tsr *x, tsr *kernel, tsr *bias)
{
	return tsr_linear_at(NULL, x, kernel, bias, NULL);
}

tsr *(tsr_embed)(tsr *x, tsr *table)
{
	return tsr_embed_at(NULL, x, table, NULL);
}

tsr *(tsr_conv)(tsr *x, tsr *kernel, tsr *bias)
{
	return tsr_conv_at(NULL, x, kernel, bias, NULL);
}

tsr *(tsr_layer_norm)(tsr *x, tsr *scale, tsr *bias)
{
	return tsr_layer_norm_at(NULL, x, scale, bias, NULL);
}

tsr *(tsr_rms_norm)(tsr *x, tsr *scale)
{
	return tsr_rms_norm_at(NULL, x, scale, NULL);
}

tsr *(tsr_group_norm)(tsr *x, int64_t groups, tsr *scale, tsr *bias)
{
	return tsr_group_norm_at(NULL, x, groups, scale, bias, NULL);
}

tsr *(tsr_batch_norm)(tsr *x, tsr *scale, tsr *bias, tsr *mean, tsr *var)
{
	return tsr_batch_norm_at(NULL, x, scale, bias, mean, var, NULL);
}

tsr *(tsr_dropout)(tsr *key, tsr *x, double rate)
{
	return tsr_dropout_at(NULL, key, x, rate, NULL);
}

tsr *(tsr_rnn_cell)(tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias)
{
	return tsr_rnn_cell_at(NULL, h, x, kernel, recurrent, bias, NULL);
}

bool (tsr_lstm_cell)(tsr *c, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias, tsr *out[2])
{
	return tsr_lstm_cell_at(NULL, c, h, x, kernel, recurrent, bias, out, NULL);
}

tsr *(tsr_gru_cell)(tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias)
{
	return tsr_gru_cell_at(NULL, h, x, kernel, recurrent, bias, NULL);
}

tsr *(tsr_cholesky)(tsr *a)
{
	return tsr_cholesky_at(NULL, a, NULL);
}

tsr *(tsr_triangular_solve)(tsr *a, tsr *b)
{
	return tsr_triangular_solve_at(NULL, a, b, NULL);
}

tsr *(tsr_solve_triangular)(tsr *a, tsr *b)
{
	return tsr_solve_triangular_at(NULL, a, b, NULL);
}

tsr *(tsr_cho_solve)(tsr *factor, tsr *b)
{
	return tsr_cho_solve_at(NULL, factor, b, NULL);
}

bool (tsr_lu)(tsr *a, tsr *out[3])
{
	return tsr_lu_at(NULL, a, out);
}

bool (tsr_qr)(tsr *a, tsr *out[2])
{
	return tsr_qr_at(NULL, a, out, NULL);
}

bool (tsr_eigh)(tsr *a, tsr *out[2])
{
	return tsr_eigh_at(NULL, a, out, NULL);
}

tsr *(tsr_eigvalsh)(tsr *a)
{
	return tsr_eigvalsh_at(NULL, a, NULL);
}

bool (tsr_svd)(tsr *a, tsr *out[3])
{
	return tsr_svd_at(NULL, a, out, NULL);
}

tsr *(tsr_svdvals)(tsr *a)
{
	return tsr_svdvals_at(NULL, a);
}

bool (tsr_polar)(tsr *a, tsr *out[2])
{
	return tsr_polar_at(NULL, a, out);
}

bool (tsr_eig)(tsr *a, tsr *out[3])
{
	return tsr_eig_at(NULL, a, out, NULL);
}

tsr *(tsr_eigvals)(tsr *a)
{
	return tsr_eigvals_at(NULL, a);
}

bool (tsr_schur)(tsr *a, tsr *out[2])
{
	return tsr_schur_at(NULL, a, out);
}

bool (tsr_hessenberg)(tsr *a, tsr *out[2])
{
	return tsr_hessenberg_at(NULL, a, out);
}

bool (tsr_tridiagonal)(tsr *a, tsr *out[4])
{
	return tsr_tridiagonal_at(NULL, a, out, NULL);
}

tsr *(tsr_solve)(tsr *a, tsr *b)
{
	return tsr_solve_at(NULL, a, b);
}

tsr *(tsr_inv)(tsr *a)
{
	return tsr_inv_at(NULL, a);
}

tsr *(tsr_det)(tsr *a)
{
	return tsr_det_at(NULL, a);
}

bool (tsr_slogdet)(tsr *a, tsr *out[2])
{
	return tsr_slogdet_at(NULL, a, out);
}

tsr *(tsr_matrix_rank)(tsr *a)
{
	return tsr_matrix_rank_at(NULL, a, NULL);
}

tsr *(tsr_pinv)(tsr *a)
{
	return tsr_pinv_at(NULL, a, NULL);
}

bool (tsr_lstsq)(tsr *a, tsr *b, tsr *out[4])
{
	return tsr_lstsq_at(NULL, a, b, out, NULL);
}

tsr *(tsr_householder_product)(tsr *a, tsr *taus)
{
	return tsr_householder_product_at(NULL, a, taus);
}

tsr *(tsr_ormqr)(tsr *a, tsr *taus, tsr *c)
{
	return tsr_ormqr_at(NULL, a, taus, c, NULL);
}

tsr *(tsr_tridiagonal_solve)(tsr *dl, tsr *d, tsr *du, tsr *b)
{
	return tsr_tridiagonal_solve_at(NULL, dl, d, du, b);
}

tsr *(tsr_cholesky_update)(tsr *r, tsr *w)
{
	return tsr_cholesky_update_at(NULL, r, w);
}

tsr *(tsr_symmetric_product)(tsr *a, tsr *c)
{
	return tsr_symmetric_product_at(NULL, a, c, NULL);
}

tsr *(tsr_tensorsolve)(tsr *a, tsr *b)
{
	return tsr_tensorsolve_at(NULL, a, b, NULL);
}

tsr *(tsr_tensorinv)(tsr *a, int ind)
{
	return tsr_tensorinv_at(NULL, a, ind);
}

tsr *(tsr_expm)(tsr *a)
{
	return tsr_expm_at(NULL, a);
}

tsr *(tsr_matrix_power)(tsr *a, int n)
{
	return tsr_matrix_power_at(NULL, a, n);
}

tsr *(tsr_matrix_transpose)(tsr *a)
{
	return tsr_matrix_transpose_at(NULL, a);
}

tsr *(tsr_vector_norm)(tsr *x)
{
	return tsr_vector_norm_at(NULL, x, NULL);
}

tsr *(tsr_matrix_norm)(tsr *x)
{
	return tsr_matrix_norm_at(NULL, x, NULL);
}

tsr *(tsr_norm)(tsr *x)
{
	return tsr_norm_at(NULL, x, NULL);
}

tsr *(tsr_cond_number)(tsr *a)
{
	return tsr_cond_number_at(NULL, a, NULL);
}

tsr *(tsr_softmax_cross_entropy)(tsr *logits, tsr *labels)
{
	return tsr_softmax_cross_entropy_at(NULL, logits, labels, NULL);
}

tsr *(tsr_softmax_cross_entropy_with_integer_labels)(tsr *logits, tsr *labels)
{
	return tsr_softmax_cross_entropy_with_integer_labels_at(NULL, logits, labels, NULL);
}

tsr *(tsr_sigmoid_binary_cross_entropy)(tsr *logits, tsr *labels)
{
	return tsr_sigmoid_binary_cross_entropy_at(NULL, logits, labels);
}

tsr *(tsr_squared_error)(tsr *predictions, tsr *targets)
{
	return tsr_squared_error_at(NULL, predictions, targets);
}

tsr *(tsr_l2_loss)(tsr *predictions, tsr *targets)
{
	return tsr_l2_loss_at(NULL, predictions, targets);
}

tsr *(tsr_huber_loss)(tsr *predictions, tsr *targets)
{
	return tsr_huber_loss_at(NULL, predictions, targets, NULL);
}

tsr *(tsr_smooth_labels)(tsr *labels, tsr *alpha)
{
	return tsr_smooth_labels_at(NULL, labels, tsr_arg_one(alpha), NULL);
}

tsr_mesh_use (tsr_mesh_begin)(const tsr_mesh *mesh)
{
	return tsr_mesh_begin_at(NULL, mesh);
}

const tsr_sharding *(tsr_sharding_make)(const tsr_mesh *mesh, tsr_spec spec)
{
	return tsr_sharding_make_at(NULL, mesh, spec);
}

const tsr_sharding *(tsr_sharding_device)(tsr_ctx *ctx, int64_t id)
{
	return tsr_sharding_device_at(NULL, ctx, id);
}

const tsr_sharding *(tsr_sharding_positional)(tsr_ctx *ctx, tsr_dims dims)
{
	return tsr_sharding_positional_at(NULL, ctx, dims, NULL);
}

const tsr_sharding *(tsr_sharding_reshape)(const tsr_sharding *sharding, tsr_dims dims)
{
	return tsr_sharding_reshape_at(NULL, sharding, dims);
}

const tsr_sharding *(tsr_sharding_replicate)(const tsr_sharding *sharding)
{
	return tsr_sharding_replicate_at(NULL, sharding, NULL);
}

tsr_dims (tsr_sharding_shard_shape)(const tsr_sharding *sharding, tsr_dims dims)
{
	return tsr_sharding_shard_shape_at(NULL, sharding, dims);
}

bool (tsr_sharding_index)(const tsr_sharding *sharding, tsr_dims dims, int64_t k, tsr_shard *out)
{
	return tsr_sharding_index_at(NULL, sharding, dims, k, out);
}

tsr *(tsr_relu6)(tsr *x)
{
	return tsr_relu6_at(NULL, x);
}

tsr *(tsr_softplus)(tsr *x)
{
	return tsr_softplus_at(NULL, x);
}

tsr *(tsr_sparse_plus)(tsr *x)
{
	return tsr_sparse_plus_at(NULL, x);
}

tsr *(tsr_sparse_sigmoid)(tsr *x)
{
	return tsr_sparse_sigmoid_at(NULL, x);
}

tsr *(tsr_soft_sign)(tsr *x)
{
	return tsr_soft_sign_at(NULL, x);
}

tsr *(tsr_silu)(tsr *x)
{
	return tsr_silu_at(NULL, x);
}

tsr *(tsr_log_sigmoid)(tsr *x)
{
	return tsr_log_sigmoid_at(NULL, x);
}

tsr *(tsr_hard_tanh)(tsr *x)
{
	return tsr_hard_tanh_at(NULL, x);
}

tsr *(tsr_hard_sigmoid)(tsr *x)
{
	return tsr_hard_sigmoid_at(NULL, x);
}

tsr *(tsr_hard_silu)(tsr *x)
{
	return tsr_hard_silu_at(NULL, x);
}

tsr *(tsr_mish)(tsr *x)
{
	return tsr_mish_at(NULL, x);
}

tsr *(tsr_log1mexp)(tsr *x)
{
	return tsr_log1mexp_at(NULL, x);
}

tsr *(tsr_leaky_relu)(tsr *a, tsr *b)
{
	return tsr_leaky_relu_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_elu)(tsr *a, tsr *b)
{
	return tsr_elu_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_celu)(tsr *a, tsr *b)
{
	return tsr_celu_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_selu)(tsr *x)
{
	return tsr_selu_at(NULL, x);
}

tsr *(tsr_squareplus)(tsr *a, tsr *b)
{
	return tsr_squareplus_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_gelu)(tsr *x)
{
	return tsr_gelu_at(NULL, x, NULL);
}

tsr *(tsr_glu)(tsr *x, int dim)
{
	return tsr_glu_at(NULL, x, dim);
}

tsr *(tsr_softmax)(tsr *x, int dim)
{
	return tsr_softmax_at(NULL, x, dim, NULL);
}

tsr *(tsr_log_softmax)(tsr *x, int dim)
{
	return tsr_log_softmax_at(NULL, x, dim, NULL);
}

tsr *(tsr_logmeanexp)(tsr *x)
{
	return tsr_logmeanexp_at(NULL, x, NULL);
}

tsr *(tsr_standardize)(tsr *x, int dim, double epsilon)
{
	return tsr_standardize_at(NULL, x, dim, epsilon, NULL);
}

tsr *(tsr_one_hot)(tsr *x, int64_t n)
{
	return tsr_one_hot_at(NULL, x, n, NULL);
}

tsr *(tsr_dot_product_attention)(tsr *query, tsr *key, tsr *value)
{
	return tsr_dot_product_attention_at(NULL, query, key, value, NULL);
}

tsr *(tsr_rotary)(tsr *x)
{
	return tsr_rotary_at(NULL, x, NULL);
}

tsr *(tsr_multi_head_attention)(tsr *x, tsr *query, tsr *key, tsr *value, tsr *out)
{
	return tsr_multi_head_attention_at(NULL, x, query, key, value, out, NULL);
}

tsr *(tsr_neg)(tsr *x)
{
	return tsr_neg_at(NULL, x);
}

tsr *(tsr_sign)(tsr *x)
{
	return tsr_sign_at(NULL, x);
}

tsr *(tsr_abs)(tsr *x)
{
	return tsr_abs_at(NULL, x);
}

tsr *(tsr_floor)(tsr *x)
{
	return tsr_floor_at(NULL, x);
}

tsr *(tsr_ceil)(tsr *x)
{
	return tsr_ceil_at(NULL, x);
}

tsr *(tsr_round)(tsr *x)
{
	return tsr_round_at(NULL, x, NULL);
}

tsr *(tsr_exp)(tsr *x)
{
	return tsr_exp_at(NULL, x);
}

tsr *(tsr_exp2)(tsr *x)
{
	return tsr_exp2_at(NULL, x);
}

tsr *(tsr_expm1)(tsr *x)
{
	return tsr_expm1_at(NULL, x);
}

tsr *(tsr_log)(tsr *x)
{
	return tsr_log_at(NULL, x);
}

tsr *(tsr_log1p)(tsr *x)
{
	return tsr_log1p_at(NULL, x);
}

tsr *(tsr_sqrt)(tsr *x)
{
	return tsr_sqrt_at(NULL, x);
}

tsr *(tsr_rsqrt)(tsr *x)
{
	return tsr_rsqrt_at(NULL, x);
}

tsr *(tsr_square)(tsr *x)
{
	return tsr_square_at(NULL, x);
}

tsr *(tsr_tanh)(tsr *x)
{
	return tsr_tanh_at(NULL, x);
}

tsr *(tsr_logistic)(tsr *x)
{
	return tsr_logistic_at(NULL, x);
}

tsr *(tsr_sin)(tsr *x)
{
	return tsr_sin_at(NULL, x);
}

tsr *(tsr_cos)(tsr *x)
{
	return tsr_cos_at(NULL, x);
}

tsr *(tsr_tan)(tsr *x)
{
	return tsr_tan_at(NULL, x);
}

tsr *(tsr_asin)(tsr *x)
{
	return tsr_asin_at(NULL, x);
}

tsr *(tsr_acos)(tsr *x)
{
	return tsr_acos_at(NULL, x);
}

tsr *(tsr_atan)(tsr *x)
{
	return tsr_atan_at(NULL, x);
}

tsr *(tsr_sinh)(tsr *x)
{
	return tsr_sinh_at(NULL, x);
}

tsr *(tsr_cosh)(tsr *x)
{
	return tsr_cosh_at(NULL, x);
}

tsr *(tsr_asinh)(tsr *x)
{
	return tsr_asinh_at(NULL, x);
}

tsr *(tsr_acosh)(tsr *x)
{
	return tsr_acosh_at(NULL, x);
}

tsr *(tsr_atanh)(tsr *x)
{
	return tsr_atanh_at(NULL, x);
}

tsr *(tsr_cbrt)(tsr *x)
{
	return tsr_cbrt_at(NULL, x);
}

tsr *(tsr_erf)(tsr *x)
{
	return tsr_erf_at(NULL, x);
}

tsr *(tsr_erfc)(tsr *x)
{
	return tsr_erfc_at(NULL, x);
}

tsr *(tsr_erf_inv)(tsr *x)
{
	return tsr_erf_inv_at(NULL, x);
}

tsr *(tsr_lgamma)(tsr *x)
{
	return tsr_lgamma_at(NULL, x);
}

tsr *(tsr_digamma)(tsr *x)
{
	return tsr_digamma_at(NULL, x);
}

tsr *(tsr_bessel_i0e)(tsr *x)
{
	return tsr_bessel_i0e_at(NULL, x);
}

tsr *(tsr_bessel_i1e)(tsr *x)
{
	return tsr_bessel_i1e_at(NULL, x);
}

tsr *(tsr_is_finite)(tsr *x)
{
	return tsr_is_finite_at(NULL, x);
}

tsr *(tsr_isnan)(tsr *x)
{
	return tsr_isnan_at(NULL, x);
}

tsr *(tsr_bitwise_not)(tsr *x)
{
	return tsr_bitwise_not_at(NULL, x);
}

tsr *(tsr_population_count)(tsr *x)
{
	return tsr_population_count_at(NULL, x);
}

tsr *(tsr_clz)(tsr *x)
{
	return tsr_clz_at(NULL, x);
}

tsr *(tsr_real)(tsr *x)
{
	return tsr_real_at(NULL, x);
}

tsr *(tsr_imag)(tsr *x)
{
	return tsr_imag_at(NULL, x);
}

tsr *(tsr_conj)(tsr *x)
{
	return tsr_conj_at(NULL, x);
}

tsr *(tsr_reduce_precision)(tsr *x, int exponent_bits, int mantissa_bits)
{
	return tsr_reduce_precision_at(NULL, x, exponent_bits, mantissa_bits);
}

tsr *(tsr_bitcast_convert_type)(tsr *x, tsr_dtype dtype)
{
	return tsr_bitcast_convert_type_at(NULL, x, dtype);
}

tsr *(tsr_logical_not)(tsr *x)
{
	return tsr_logical_not_at(NULL, x);
}

tsr *(tsr_relu)(tsr *x)
{
	return tsr_relu_at(NULL, x);
}

tsr *(tsr_copy)(tsr *x)
{
	return tsr_copy_at(NULL, x);
}

tsr *(tsr_stop_gradient)(tsr *x)
{
	return tsr_stop_gradient_at(NULL, x);
}

tsr *(tsr_t)(tsr *x)
{
	return tsr_t_at(NULL, x);
}

tsr *(tsr_ravel)(tsr *x)
{
	return tsr_ravel_at(NULL, x);
}

tsr *(tsr_integer_pow)(tsr *x, int n)
{
	return tsr_integer_pow_at(NULL, x, n);
}

tsr *(tsr_astype)(tsr *x, tsr_dtype dtype)
{
	return tsr_astype_at(NULL, x, dtype);
}

tsr *(tsr_add)(tsr *a, tsr *b)
{
	return tsr_add_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_sub)(tsr *a, tsr *b)
{
	return tsr_sub_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_mul)(tsr *a, tsr *b)
{
	return tsr_mul_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_div)(tsr *a, tsr *b)
{
	return tsr_div_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_rem)(tsr *a, tsr *b)
{
	return tsr_rem_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_pow)(tsr *a, tsr *b)
{
	return tsr_pow_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_atan2)(tsr *a, tsr *b)
{
	return tsr_atan2_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_zeta)(tsr *a, tsr *b)
{
	return tsr_zeta_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_polygamma)(tsr *a, tsr *b)
{
	return tsr_polygamma_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_igamma)(tsr *a, tsr *b)
{
	return tsr_igamma_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_igammac)(tsr *a, tsr *b)
{
	return tsr_igammac_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_igamma_grad_a)(tsr *a, tsr *b)
{
	return tsr_igamma_grad_a_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_random_gamma_grad)(tsr *a, tsr *b)
{
	return tsr_random_gamma_grad_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_nextafter)(tsr *a, tsr *b)
{
	return tsr_nextafter_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_complex)(tsr *a, tsr *b)
{
	return tsr_complex_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_maximum)(tsr *a, tsr *b)
{
	return tsr_maximum_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_minimum)(tsr *a, tsr *b)
{
	return tsr_minimum_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_bitwise_and)(tsr *a, tsr *b)
{
	return tsr_bitwise_and_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_bitwise_or)(tsr *a, tsr *b)
{
	return tsr_bitwise_or_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_bitwise_xor)(tsr *a, tsr *b)
{
	return tsr_bitwise_xor_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_shift_left)(tsr *a, tsr *b)
{
	return tsr_shift_left_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_shift_right)(tsr *a, tsr *b)
{
	return tsr_shift_right_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_eq)(tsr *a, tsr *b)
{
	return tsr_eq_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_ne)(tsr *a, tsr *b)
{
	return tsr_ne_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_lt)(tsr *a, tsr *b)
{
	return tsr_lt_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_le)(tsr *a, tsr *b)
{
	return tsr_le_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_gt)(tsr *a, tsr *b)
{
	return tsr_gt_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_ge)(tsr *a, tsr *b)
{
	return tsr_ge_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_logical_and)(tsr *a, tsr *b)
{
	return tsr_logical_and_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_logical_or)(tsr *a, tsr *b)
{
	return tsr_logical_or_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_fma)(tsr *a, tsr *b, tsr *c)
{
	return tsr_fma_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b), tsr_arg_one(c)});
}

tsr *(tsr_betainc)(tsr *a, tsr *b, tsr *c)
{
	return tsr_betainc_at(NULL,
	                      (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b), tsr_arg_one(c)});
}

tsr *(tsr_where)(tsr *c, tsr *a, tsr *b)
{
	return tsr_where_at(NULL,
	                    (const tsr_arg[]){tsr_arg_one(c), tsr_arg_one(a), tsr_arg_one(b)});
}

tsr *(tsr_clamp)(tsr *low, tsr *x, tsr *high)
{
	return tsr_clamp_at(NULL, tsr_arg_one(low), tsr_arg_one(x), tsr_arg_one(high));
}

tsr *(tsr_dot)(tsr *a, tsr *b)
{
	return tsr_dot_at(NULL, a, b, NULL);
}

tsr *(tsr_matmul)(tsr *a, tsr *b)
{
	return tsr_matmul_at(NULL, a, b, NULL);
}

tsr *(tsr_dot_general)(tsr *a, tsr *b)
{
	return tsr_dot_general_at(NULL, a, b, NULL);
}

tsr *(tsr_reshape)(tsr *x, tsr_dims dims)
{
	return tsr_reshape_at(NULL, x, dims);
}

tsr *(tsr_transpose)(tsr *x)
{
	return tsr_transpose_at(NULL, x, NULL);
}

tsr *(tsr_broadcast_to)(tsr *x, tsr_dims dims)
{
	return tsr_broadcast_to_at(NULL, x, dims);
}

tsr *(tsr_broadcast_in_dim)(tsr *x, tsr_dims dims, tsr_dims at)
{
	return tsr_broadcast_in_dim_at(NULL, x, dims, at);
}

tsr *(tsr_squeeze)(tsr *x, tsr_dims dims)
{
	return tsr_squeeze_at(NULL, x, dims);
}

tsr *(tsr_expand_dims)(tsr *x, tsr_dims dims)
{
	return tsr_expand_dims_at(NULL, x, dims);
}

tsr *(tsr_flip)(tsr *x, tsr_dims dims)
{
	return tsr_flip_at(NULL, x, dims);
}

bool (tsr_split)(tsr *x, int dim, tsr **out, size_t n)
{
	return tsr_split_at(NULL, x, dim, out, n, NULL);
}

tsr *(tsr_pad)(tsr *x, tsr_dims low, tsr_dims high, double number)
{
	return tsr_pad_at(NULL, x, low, high, tsr_arg_float(number), NULL);
}

tsr *(tsr_slice)(tsr *x, int dim, int64_t start, int64_t stop)
{
	return tsr_slice_at(NULL, x, dim, start, stop);
}

tsr *(tsr_slice_strided)(tsr *x, tsr_dims starts, tsr_dims stops)
{
	return tsr_slice_strided_at(NULL, x, starts, stops, NULL);
}

tsr *(tsr_index)(tsr *x, int dim, int64_t i)
{
	return tsr_index_at(NULL, x, dim, i);
}

tsr *(tsr_dynamic_slice)(tsr *x, int dim, tsr *start, int64_t size)
{
	return tsr_dynamic_slice_at(NULL, x, dim, tsr_arg_one(start), size);
}

tsr *(tsr_dynamic_update)(tsr *x, tsr *update, int dim, tsr *start)
{
	return tsr_dynamic_update_at(NULL, x, update, dim, tsr_arg_one(start));
}

tsr *(tsr_dynamic_index)(tsr *x, int dim, tsr *i)
{
	return tsr_dynamic_index_at(NULL, x, dim, tsr_arg_one(i));
}

tsr *(tsr_take)(tsr *x, int dim, tsr *indices)
{
	return tsr_take_at(NULL, x, dim, indices, NULL);
}

tsr *(tsr_take_along)(tsr *x, int dim, tsr *indices)
{
	return tsr_take_along_at(NULL, x, dim, indices, NULL);
}

tsr *(tsr_at_set)(tsr *x, int dim, tsr *indices, tsr *updates)
{
	return tsr_at_set_at(NULL, x, dim, indices, tsr_arg_one(updates), NULL);
}

tsr *(tsr_at_add)(tsr *x, int dim, tsr *indices, tsr *updates)
{
	return tsr_at_add_at(NULL, x, dim, indices, tsr_arg_one(updates), NULL);
}

tsr *(tsr_at_mul)(tsr *x, int dim, tsr *indices, tsr *updates)
{
	return tsr_at_mul_at(NULL, x, dim, indices, tsr_arg_one(updates), NULL);
}

tsr *(tsr_at_min)(tsr *x, int dim, tsr *indices, tsr *updates)
{
	return tsr_at_min_at(NULL, x, dim, indices, tsr_arg_one(updates), NULL);
}

tsr *(tsr_at_max)(tsr *x, int dim, tsr *indices, tsr *updates)
{
	return tsr_at_max_at(NULL, x, dim, indices, tsr_arg_one(updates), NULL);
}

tsr *(tsr_gather)(tsr *x, tsr *indices, tsr_dims slice_sizes)
{
	return tsr_gather_at(NULL, x, indices, slice_sizes, NULL);
}

tsr *(tsr_scatter)(tsr *x, tsr *indices, tsr *updates)
{
	return tsr_scatter_at(NULL, x, indices, updates, NULL);
}

tsr *(tsr_sum)(tsr *x)
{
	return tsr_sum_at(NULL, x, NULL);
}

tsr *(tsr_prod)(tsr *x)
{
	return tsr_prod_at(NULL, x, NULL);
}

tsr *(tsr_max)(tsr *x)
{
	return tsr_max_at(NULL, x, NULL);
}

tsr *(tsr_min)(tsr *x)
{
	return tsr_min_at(NULL, x, NULL);
}

tsr *(tsr_all)(tsr *x)
{
	return tsr_all_at(NULL, x, NULL);
}

tsr *(tsr_any)(tsr *x)
{
	return tsr_any_at(NULL, x, NULL);
}

tsr *(tsr_reduce_and)(tsr *x)
{
	return tsr_reduce_and_at(NULL, x, NULL);
}

tsr *(tsr_reduce_or)(tsr *x)
{
	return tsr_reduce_or_at(NULL, x, NULL);
}

tsr *(tsr_reduce_xor)(tsr *x)
{
	return tsr_reduce_xor_at(NULL, x, NULL);
}

tsr *(tsr_mean)(tsr *x)
{
	return tsr_mean_at(NULL, x, NULL);
}

tsr *(tsr_logsumexp)(tsr *x)
{
	return tsr_logsumexp_at(NULL, x, NULL);
}

tsr *(tsr_argmax)(tsr *x)
{
	return tsr_argmax_at(NULL, x, NULL);
}

tsr *(tsr_argmin)(tsr *x)
{
	return tsr_argmin_at(NULL, x, NULL);
}

tsr *(tsr_sort)(tsr *x)
{
	return tsr_sort_at(NULL, x, NULL);
}

tsr *(tsr_argsort)(tsr *x)
{
	return tsr_argsort_at(NULL, x, NULL);
}

bool (tsr_sort_operands)(tsr *const *x, tsr **out, size_t n)
{
	return tsr_sort_operands_at(NULL, x, out, n, NULL);
}

bool (tsr_top_k)(tsr *x, int64_t k, tsr *out[2])
{
	return tsr_top_k_at(NULL, x, k, out, NULL);
}

tsr *(tsr_cumsum)(tsr *x)
{
	return tsr_cumsum_at(NULL, x, NULL);
}

tsr *(tsr_cumprod)(tsr *x)
{
	return tsr_cumprod_at(NULL, x, NULL);
}

tsr *(tsr_nancumsum)(tsr *x)
{
	return tsr_nancumsum_at(NULL, x, NULL);
}

tsr *(tsr_nancumprod)(tsr *x)
{
	return tsr_nancumprod_at(NULL, x, NULL);
}

tsr *(tsr_cumulative_sum)(tsr *x)
{
	return tsr_cumulative_sum_at(NULL, x, NULL);
}

tsr *(tsr_cumulative_prod)(tsr *x)
{
	return tsr_cumulative_prod_at(NULL, x, NULL);
}

tsr *(tsr_cummax)(tsr *x)
{
	return tsr_cummax_at(NULL, x, NULL);
}

tsr *(tsr_cummin)(tsr *x)
{
	return tsr_cummin_at(NULL, x, NULL);
}

tsr *(tsr_cumlogsumexp)(tsr *x)
{
	return tsr_cumlogsumexp_at(NULL, x, NULL);
}

tsr *(tsr_reduce_window)(tsr *x, enum tsr_combine combine, tsr_dims window)
{
	return tsr_reduce_window_at(NULL, x, combine, window, NULL);
}

tsr *(tsr_max_pool)(tsr *x, tsr_dims window)
{
	return tsr_max_pool_at(NULL, x, window, NULL);
}

tsr *(tsr_min_pool)(tsr *x, tsr_dims window)
{
	return tsr_min_pool_at(NULL, x, window, NULL);
}

tsr *(tsr_avg_pool)(tsr *x, tsr_dims window)
{
	return tsr_avg_pool_at(NULL, x, window, NULL);
}

tsr *(tsr_conv_general_dilated)(tsr *lhs, tsr *rhs)
{
	return tsr_conv_general_dilated_at(NULL, lhs, rhs, NULL);
}

tsr *(tsr_conv_general_dilated_patches)(tsr *lhs, tsr_dims window)
{
	return tsr_conv_general_dilated_patches_at(NULL, lhs, window, NULL);
}

tsr *(tsr_conv_general_dilated_local)(tsr *lhs, tsr *rhs, tsr_dims window)
{
	return tsr_conv_general_dilated_local_at(NULL, lhs, rhs, window, NULL);
}

tsr *(tsr_conv_transpose)(tsr *lhs, tsr *rhs)
{
	return tsr_conv_transpose_at(NULL, lhs, rhs, NULL);
}

tsr *(tsr_convolve)(tsr *a, tsr *v)
{
	return tsr_convolve_at(NULL, a, v, NULL);
}

tsr *(tsr_correlate)(tsr *a, tsr *v)
{
	return tsr_correlate_at(NULL, a, v, NULL);
}

bool (tsr_threefry2x32)(tsr *key0, tsr *key1, tsr *x0, tsr *x1, tsr *out[2])
{
	return tsr_threefry2x32_at(NULL, tsr_arg_one(key0), tsr_arg_one(key1), tsr_arg_one(x0),
	                           tsr_arg_one(x1), out);
}

tsr *(tsr_iota)(tsr_ctx *ctx, tsr_dims dims, int dim)
{
	return tsr_iota_at(NULL, ctx, dims, dim, NULL);
}

tsr_fn *(tsr_constant_schedule)(tsr_ctx *ctx, double value)
{
	return tsr_constant_schedule_at(NULL, ctx, value);
}

tsr_fn *(tsr_linear_schedule)(tsr_ctx *ctx, double init_value, double end_value,
                              int64_t transition_steps)
{
	return tsr_linear_schedule_at(NULL, ctx, init_value, end_value, transition_steps, NULL);
}

tsr_fn *(tsr_polynomial_schedule)(tsr_ctx *ctx, double init_value, double end_value, double power,
                                  int64_t transition_steps)
{
	return tsr_polynomial_schedule_at(NULL, ctx, init_value, end_value, power, transition_steps,
	                                  NULL);
}

tsr_fn *(tsr_cosine_decay_schedule)(tsr_ctx *ctx, double init_value, int64_t decay_steps)
{
	return tsr_cosine_decay_schedule_at(NULL, ctx, init_value, decay_steps, NULL);
}

tsr_fn *(tsr_exponential_decay)(tsr_ctx *ctx, double init_value, int64_t transition_steps,
                                double decay_rate)
{
	return tsr_exponential_decay_at(NULL, ctx, init_value, transition_steps, decay_rate, NULL);
}

tsr_fn *(tsr_warmup_cosine_decay_schedule)(tsr_ctx *ctx, double init_value, double peak_value,
                                           int64_t warmup_steps, int64_t decay_steps)
{
	return tsr_warmup_cosine_decay_schedule_at(NULL, ctx, init_value, peak_value, warmup_steps,
	                                           decay_steps, NULL);
}

const tsr_optimizer *(tsr_sgd)(tsr_ctx *ctx, double rate)
{
	return tsr_sgd_at(NULL, ctx, (tsr_rate){.value = rate}, NULL);
}

const tsr_optimizer *(tsr_adam)(tsr_ctx *ctx, double rate)
{
	return tsr_adam_at(NULL, ctx, (tsr_rate){.value = rate}, NULL);
}

const tsr_optimizer *(tsr_adamw)(tsr_ctx *ctx, double rate)
{
	return tsr_adamw_at(NULL, ctx, (tsr_rate){.value = rate}, NULL);
}

const tsr_optimizer *(tsr_lion)(tsr_ctx *ctx, double rate)
{
	return tsr_lion_at(NULL, ctx, (tsr_rate){.value = rate}, NULL);
}

const tsr_optimizer *(tsr_adafactor)(tsr_ctx *ctx, double rate)
{
	return tsr_adafactor_at(NULL, ctx, (tsr_rate){.value = rate}, NULL);
}

const tsr_optimizer *(tsr_clip_by_global_norm)(tsr_ctx *ctx, double max_norm)
{
	return tsr_clip_by_global_norm_at(NULL, ctx, max_norm);
}

const tsr_optimizer *(tsr_ema_params)(tsr_ctx *ctx, double decay)
{
	return tsr_ema_params_at(NULL, ctx, decay, NULL);
}

const tsr_optimizer *(tsr_multi_steps)(const tsr_optimizer *opt, int64_t k)
{
	return tsr_multi_steps_at(NULL, opt, k, NULL);
}

tsr_tree (tsr_optimizer_init)(const tsr_optimizer *opt, tsr_tree params)
{
	return tsr_optimizer_init_at(NULL, opt, params);
}

bool (tsr_optimizer_update)(const tsr_optimizer *opt, tsr_tree grads, tsr_tree params,
                            tsr_tree state)
{
	return tsr_optimizer_update_at(NULL, opt, grads, params, state);
}

tsr *(tsr_init_zeros)(tsr *key, tsr_dims dims)
{
	return tsr_init_zeros_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_ones)(tsr *key, tsr_dims dims)
{
	return tsr_init_ones_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_constant)(tsr *key, tsr_dims dims)
{
	return tsr_init_constant_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_uniform)(tsr *key, tsr_dims dims)
{
	return tsr_init_uniform_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_normal)(tsr *key, tsr_dims dims)
{
	return tsr_init_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_truncated_normal)(tsr *key, tsr_dims dims)
{
	return tsr_init_truncated_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_variance_scaling)(tsr *key, tsr_dims dims)
{
	return tsr_init_variance_scaling_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_glorot_uniform)(tsr *key, tsr_dims dims)
{
	return tsr_init_glorot_uniform_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_glorot_normal)(tsr *key, tsr_dims dims)
{
	return tsr_init_glorot_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_xavier_uniform)(tsr *key, tsr_dims dims)
{
	return tsr_init_xavier_uniform_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_xavier_normal)(tsr *key, tsr_dims dims)
{
	return tsr_init_xavier_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_lecun_uniform)(tsr *key, tsr_dims dims)
{
	return tsr_init_lecun_uniform_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_lecun_normal)(tsr *key, tsr_dims dims)
{
	return tsr_init_lecun_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_he_uniform)(tsr *key, tsr_dims dims)
{
	return tsr_init_he_uniform_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_he_normal)(tsr *key, tsr_dims dims)
{
	return tsr_init_he_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_kaiming_uniform)(tsr *key, tsr_dims dims)
{
	return tsr_init_kaiming_uniform_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_kaiming_normal)(tsr *key, tsr_dims dims)
{
	return tsr_init_kaiming_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_orthogonal)(tsr *key, tsr_dims dims)
{
	return tsr_init_orthogonal_at(NULL, key, dims, NULL);
}

tsr *(tsr_init_delta_orthogonal)(tsr *key, tsr_dims dims)
{
	return tsr_init_delta_orthogonal_at(NULL, key, dims, NULL);
}

bool (tsr_make_params)(tsr_tree to, tsr *key, const tsr_mesh *mesh, const tsr_param *params,
                       size_t n)
{
	return tsr_make_params_at(NULL, to, key, mesh, params, n);
}

tsr *(tsr_tensordot)(tsr *a, tsr *b)
{
	return tsr_tensordot_at(NULL, a, b, NULL);
}

tsr *(tsr_inner)(tsr *a, tsr *b)
{
	return tsr_inner_at(NULL, a, b);
}

tsr *(tsr_outer)(tsr *a, tsr *b)
{
	return tsr_outer_at(NULL, a, b);
}

tsr *(tsr_vdot)(tsr *a, tsr *b)
{
	return tsr_vdot_at(NULL, a, b);
}

tsr *(tsr_vecdot)(tsr *a, tsr *b)
{
	return tsr_vecdot_at(NULL, a, b, NULL);
}

tsr *(tsr_matvec)(tsr *a, tsr *b)
{
	return tsr_matvec_at(NULL, a, b);
}

tsr *(tsr_vecmat)(tsr *a, tsr *b)
{
	return tsr_vecmat_at(NULL, a, b);
}

tsr *(tsr_kron)(tsr *a, tsr *b)
{
	return tsr_kron_at(NULL, a, b);
}

tsr *(tsr_cross)(tsr *a, tsr *b)
{
	return tsr_cross_at(NULL, a, b, NULL);
}

bool (tsr_profile)(tsr_ctx *ctx, const char *path)
{
	return tsr_profile_at(NULL, ctx, path);
}

bool (tsr_profile_end)(tsr_ctx *ctx)
{
	return tsr_profile_end_at(NULL, ctx);
}

tsr *(tsr_key)(tsr_ctx *ctx, tsr *seed)
{
	return tsr_key_at(NULL, ctx, tsr_arg_one(seed));
}

bool (tsr_split_key)(tsr *key, tsr **out, size_t n)
{
	return tsr_split_key_at(NULL, key, out, n);
}

tsr *(tsr_split_keys)(tsr *key, tsr_dims dims)
{
	return tsr_split_keys_at(NULL, key, dims);
}

tsr *(tsr_fold_in)(tsr *key, tsr *data)
{
	return tsr_fold_in_at(NULL, key, tsr_arg_one(data));
}

tsr *(tsr_random_bits)(tsr *key, tsr_dims dims)
{
	return tsr_random_bits_at(NULL, key, dims, NULL);
}

tsr *(tsr_uniform)(tsr *key, tsr_dims dims)
{
	return tsr_uniform_at(NULL, key, dims, NULL);
}

tsr *(tsr_normal)(tsr *key, tsr_dims dims)
{
	return tsr_normal_at(NULL, key, dims, NULL);
}

tsr *(tsr_truncated_normal)(tsr *key, tsr *lower, tsr *upper)
{
	return tsr_truncated_normal_at(NULL, key, tsr_arg_one(lower), tsr_arg_one(upper), NULL);
}

tsr *(tsr_randint)(tsr *key, tsr_dims dims, tsr *minval, tsr *maxval)
{
	return tsr_randint_at(NULL, key, dims, tsr_arg_one(minval), tsr_arg_one(maxval), NULL);
}

tsr *(tsr_bernoulli)(tsr *key, tsr *p)
{
	return tsr_bernoulli_at(NULL, key, tsr_arg_one(p), NULL);
}

tsr *(tsr_rademacher)(tsr *key, tsr_dims dims)
{
	return tsr_rademacher_at(NULL, key, dims, NULL);
}

tsr *(tsr_categorical)(tsr *key, tsr *logits)
{
	return tsr_categorical_at(NULL, key, logits, NULL);
}

tsr *(tsr_permutation)(tsr *key, tsr *x)
{
	return tsr_permutation_at(NULL, key, tsr_arg_one(x), NULL);
}

tsr *(tsr_choice)(tsr *key, tsr *from, tsr_dims dims)
{
	return tsr_choice_at(NULL, key, tsr_arg_one(from), dims, NULL);
}

tsr *(tsr_geometric)(tsr *key, tsr *p)
{
	return tsr_geometric_at(NULL, key, tsr_arg_one(p), NULL);
}

tsr *(tsr_poisson)(tsr *key, tsr *lam)
{
	return tsr_poisson_at(NULL, key, tsr_arg_one(lam), NULL);
}

tsr *(tsr_binomial)(tsr *key, tsr *n, tsr *p)
{
	return tsr_binomial_at(NULL, key, tsr_arg_one(n), tsr_arg_one(p), NULL);
}

tsr *(tsr_multinomial)(tsr *key, tsr *n, tsr *p)
{
	return tsr_multinomial_at(NULL, key, tsr_arg_one(n), p, NULL);
}

tsr *(tsr_gumbel)(tsr *key, tsr_dims dims)
{
	return tsr_gumbel_at(NULL, key, dims, NULL);
}

tsr *(tsr_exponential)(tsr *key, tsr_dims dims)
{
	return tsr_exponential_at(NULL, key, dims, NULL);
}

tsr *(tsr_laplace)(tsr *key, tsr_dims dims)
{
	return tsr_laplace_at(NULL, key, dims, NULL);
}

tsr *(tsr_random_logistic)(tsr *key, tsr_dims dims)
{
	return tsr_random_logistic_at(NULL, key, dims, NULL);
}

tsr *(tsr_cauchy)(tsr *key, tsr_dims dims)
{
	return tsr_cauchy_at(NULL, key, dims, NULL);
}

tsr *(tsr_maxwell)(tsr *key, tsr_dims dims)
{
	return tsr_maxwell_at(NULL, key, dims, NULL);
}

tsr *(tsr_pareto)(tsr *key, tsr *b)
{
	return tsr_pareto_at(NULL, key, tsr_arg_one(b), NULL);
}

tsr *(tsr_rayleigh)(tsr *key, tsr *scale)
{
	return tsr_rayleigh_at(NULL, key, tsr_arg_one(scale), NULL);
}

tsr *(tsr_lognormal)(tsr *key, tsr *sigma)
{
	return tsr_lognormal_at(NULL, key, tsr_arg_one(sigma), NULL);
}

tsr *(tsr_wald)(tsr *key, tsr *mean)
{
	return tsr_wald_at(NULL, key, tsr_arg_one(mean), NULL);
}

tsr *(tsr_weibull_min)(tsr *key, tsr *scale, tsr *concentration)
{
	return tsr_weibull_min_at(NULL, key, tsr_arg_one(scale), tsr_arg_one(concentration), NULL);
}

tsr *(tsr_double_sided_maxwell)(tsr *key, tsr *loc, tsr *scale)
{
	return tsr_double_sided_maxwell_at(NULL, key, tsr_arg_one(loc), tsr_arg_one(scale), NULL);
}

tsr *(tsr_triangular)(tsr *key, tsr *left, tsr *mode, tsr *right)
{
	return tsr_triangular_at(NULL, key, tsr_arg_one(left), tsr_arg_one(mode),
	                         tsr_arg_one(right), NULL);
}

tsr *(tsr_random_gamma)(tsr *key, tsr *a)
{
	return tsr_random_gamma_at(NULL, key, tsr_arg_one(a), NULL);
}

tsr *(tsr_random_loggamma)(tsr *key, tsr *a)
{
	return tsr_random_loggamma_at(NULL, key, tsr_arg_one(a), NULL);
}

tsr *(tsr_random_beta)(tsr *key, tsr *a, tsr *b)
{
	return tsr_random_beta_at(NULL, key, tsr_arg_one(a), tsr_arg_one(b), NULL);
}

tsr *(tsr_chisquare)(tsr *key, tsr *df)
{
	return tsr_chisquare_at(NULL, key, tsr_arg_one(df), NULL);
}

tsr *(tsr_random_t)(tsr *key, tsr *df)
{
	return tsr_random_t_at(NULL, key, tsr_arg_one(df), NULL);
}

tsr *(tsr_random_f)(tsr *key, tsr *dfnum, tsr *dfden)
{
	return tsr_random_f_at(NULL, key, tsr_arg_one(dfnum), tsr_arg_one(dfden), NULL);
}

tsr *(tsr_generalized_normal)(tsr *key, tsr *p)
{
	return tsr_generalized_normal_at(NULL, key, tsr_arg_one(p), NULL);
}

tsr *(tsr_ball)(tsr *key, int64_t n)
{
	return tsr_ball_at(NULL, key, n, NULL);
}

tsr *(tsr_dirichlet)(tsr *key, tsr *alpha)
{
	return tsr_dirichlet_at(NULL, key, alpha, NULL);
}

tsr *(tsr_orthogonal)(tsr *key, int64_t n)
{
	return tsr_orthogonal_at(NULL, key, n, NULL);
}

tsr *(tsr_multivariate_normal)(tsr *key, tsr *mean, tsr *cov)
{
	return tsr_multivariate_normal_at(NULL, key, mean, cov, NULL);
}

tsr *(tsr_moveaxis)(tsr *x, tsr_dims from, tsr_dims to)
{
	return tsr_moveaxis_at(NULL, x, from, to);
}

tsr *(tsr_swapaxes)(tsr *x, int a, int b)
{
	return tsr_swapaxes_at(NULL, x, a, b);
}

tsr *(tsr_atleast_1d)(tsr *x)
{
	return tsr_atleast_1d_at(NULL, x);
}

tsr *(tsr_atleast_2d)(tsr *x)
{
	return tsr_atleast_2d_at(NULL, x);
}

tsr *(tsr_atleast_3d)(tsr *x)
{
	return tsr_atleast_3d_at(NULL, x);
}

bool (tsr_broadcast_arrays)(tsr *const *x, tsr **out, size_t n)
{
	return tsr_broadcast_arrays_at(NULL, x, out, n);
}

tsr *(tsr_roll)(tsr *x, int64_t shift, int dim)
{
	return tsr_roll_at(NULL, x, shift, dim);
}

tsr *(tsr_dynamic_roll)(tsr *x, tsr *shift, int dim)
{
	return tsr_dynamic_roll_at(NULL, x, tsr_arg_one(shift), dim);
}

tsr *(tsr_rot90)(tsr *x, int k, int a, int b)
{
	return tsr_rot90_at(NULL, x, k, a, b);
}

tsr *(tsr_tile)(tsr *x, tsr_dims times)
{
	return tsr_tile_at(NULL, x, times);
}

tsr *(tsr_repeat)(tsr *x, int64_t n, int dim)
{
	return tsr_repeat_at(NULL, x, n, dim);
}

tsr *(tsr_repeat_each)(tsr *x, tsr *times, int64_t n, int dim)
{
	return tsr_repeat_each_at(NULL, x, times, n, dim);
}

tsr *(tsr_resize)(tsr *x, tsr_dims dims)
{
	return tsr_resize_at(NULL, x, dims);
}

bool (tsr_array_split)(tsr *x, int dim, tsr **out, size_t n)
{
	return tsr_array_split_at(NULL, x, dim, out, n);
}

bool (tsr_unstack)(tsr *x, int dim, tsr **out, size_t n)
{
	return tsr_unstack_at(NULL, x, dim, out, n);
}

tsr *(tsr_view_as_real)(tsr *z)
{
	return tsr_view_as_real_at(NULL, z);
}

tsr *(tsr_view_as_complex)(tsr *x)
{
	return tsr_view_as_complex_at(NULL, x);
}

tsr *(tsr_diagonal)(tsr *x)
{
	return tsr_diagonal_at(NULL, x, NULL);
}

tsr *(tsr_trace)(tsr *x)
{
	return tsr_trace_at(NULL, x, NULL);
}

tsr *(tsr_diag)(tsr *x, int k)
{
	return tsr_diag_at(NULL, x, k);
}

tsr *(tsr_diagflat)(tsr *x, int k)
{
	return tsr_diagflat_at(NULL, x, k);
}

tsr *(tsr_tril)(tsr *x, int k)
{
	return tsr_tril_at(NULL, x, k);
}

tsr *(tsr_triu)(tsr *x, int k)
{
	return tsr_triu_at(NULL, x, k);
}

tsr *(tsr_tri)(tsr_ctx *ctx, int64_t n, int64_t m, int k)
{
	return tsr_tri_at(NULL, ctx, n, m, k, NULL);
}

tsr *(tsr_fill_diagonal)(tsr *x, tsr *value)
{
	return tsr_fill_diagonal_at(NULL, x, tsr_arg_one(value));
}

tsr *(tsr_vander)(tsr *x, int64_t n, bool increasing)
{
	return tsr_vander_at(NULL, x, n, increasing);
}

bool (tsr_meshgrid)(tsr *const *x, tsr **out, size_t n)
{
	return tsr_meshgrid_at(NULL, x, out, n, NULL);
}

tsr *(tsr_indices)(tsr_ctx *ctx, tsr_dims dims)
{
	return tsr_indices_at(NULL, ctx, dims, NULL);
}

bool (tsr_unravel_index)(tsr *x, tsr_dims dims, tsr **out)
{
	return tsr_unravel_index_at(NULL, x, dims, out);
}

tsr *(tsr_ravel_multi_index)(tsr *const *x, tsr_dims dims, enum tsr_index_mode mode)
{
	return tsr_ravel_multi_index_at(NULL, x, dims, mode);
}

tsr *(tsr_var)(tsr *x)
{
	return tsr_var_at(NULL, x, NULL);
}

tsr *(tsr_std)(tsr *x)
{
	return tsr_std_at(NULL, x, NULL);
}

tsr *(tsr_average)(tsr *x)
{
	return tsr_average_at(NULL, x, NULL);
}

tsr *(tsr_count_nonzero)(tsr *x)
{
	return tsr_count_nonzero_at(NULL, x, NULL);
}

tsr *(tsr_ptp)(tsr *x)
{
	return tsr_ptp_at(NULL, x, NULL);
}

tsr *(tsr_nansum)(tsr *x)
{
	return tsr_nansum_at(NULL, x, NULL);
}

tsr *(tsr_nanprod)(tsr *x)
{
	return tsr_nanprod_at(NULL, x, NULL);
}

tsr *(tsr_nanmax)(tsr *x)
{
	return tsr_nanmax_at(NULL, x, NULL);
}

tsr *(tsr_nanmin)(tsr *x)
{
	return tsr_nanmin_at(NULL, x, NULL);
}

tsr *(tsr_nanmean)(tsr *x)
{
	return tsr_nanmean_at(NULL, x, NULL);
}

tsr *(tsr_nanvar)(tsr *x)
{
	return tsr_nanvar_at(NULL, x, NULL);
}

tsr *(tsr_nanstd)(tsr *x)
{
	return tsr_nanstd_at(NULL, x, NULL);
}

tsr *(tsr_nanargmax)(tsr *x)
{
	return tsr_nanargmax_at(NULL, x, NULL);
}

tsr *(tsr_nanargmin)(tsr *x)
{
	return tsr_nanargmin_at(NULL, x, NULL);
}

tsr *(tsr_quantile)(tsr *x, tsr *q)
{
	return tsr_quantile_at(NULL, x, tsr_arg_one(q), NULL);
}

tsr *(tsr_percentile)(tsr *x, tsr *q)
{
	return tsr_percentile_at(NULL, x, tsr_arg_one(q), NULL);
}

tsr *(tsr_median)(tsr *x)
{
	return tsr_median_at(NULL, x, NULL);
}

tsr *(tsr_nanquantile)(tsr *x, tsr *q)
{
	return tsr_nanquantile_at(NULL, x, tsr_arg_one(q), NULL);
}

tsr *(tsr_nanpercentile)(tsr *x, tsr *q)
{
	return tsr_nanpercentile_at(NULL, x, tsr_arg_one(q), NULL);
}

tsr *(tsr_nanmedian)(tsr *x)
{
	return tsr_nanmedian_at(NULL, x, NULL);
}

tsr *(tsr_cov)(tsr *x)
{
	return tsr_cov_at(NULL, x, NULL);
}

tsr *(tsr_corrcoef)(tsr *x)
{
	return tsr_corrcoef_at(NULL, x, NULL);
}

tsr *(tsr_searchsorted)(tsr *a, tsr *v)
{
	return tsr_searchsorted_at(NULL, a, v, NULL);
}

tsr *(tsr_digitize)(tsr *x, tsr *bins)
{
	return tsr_digitize_at(NULL, x, bins, NULL);
}

tsr *(tsr_isin)(tsr *x, tsr *set)
{
	return tsr_isin_at(NULL, x, set);
}

tsr *(tsr_bincount)(tsr *x, int64_t n)
{
	return tsr_bincount_at(NULL, x, n, NULL);
}

bool (tsr_histogram)(tsr *x, int64_t n, tsr *out[2])
{
	return tsr_histogram_at(NULL, x, n, out, NULL);
}

tsr *(tsr_interp)(tsr *x, tsr *xp, tsr *fp)
{
	return tsr_interp_at(NULL, x, xp, fp, NULL);
}

const char *(tsr_timing_text)(tsr_ctx *ctx, tsr_timing timing)
{
	return tsr_timing_text_at(NULL, ctx, timing);
}

void (tsr_bench_collectives)(tsr_mesh *mesh, const char *axis, tsr *x)
{
	tsr_bench_collectives_at(NULL, mesh, axis, x);
}

tsr_progress *(tsr_progress_begin)(tsr_ctx *ctx, int64_t total)
{
	return tsr_progress_begin_at(NULL, ctx, total, NULL);
}

const void *(tsr_tree_as)(tsr_tree tree, const tsr_tree_type *type)
{
	return tsr_tree_as_at(NULL, tree, type);
}

void (tsr_fn_release)(tsr_fn *fn)
{
	tsr_fn_release_at(NULL, fn);
}

tsr *(tsr_checkpoint_name)(tsr *x, const char *name)
{
	return tsr_checkpoint_name_at(NULL, x, name);
}

tsr *(tsr_optimization_barrier)(tsr *x)
{
	return tsr_optimization_barrier_at(NULL, x);
}

tsr *(tsr_frame_arg)(tsr_frame *frame, size_t k)
{
	return tsr_frame_arg_at(NULL, frame, k);
}

tsr_tree (tsr_frame_tree)(tsr_frame *frame, size_t k)
{
	return tsr_frame_tree_at(NULL, frame, k);
}

const char *(tsr_tree_path)(tsr_tree tree, size_t k)
{
	return tsr_tree_path_at(NULL, tree, k);
}

bool (tsr_tree_allclose)(tsr_tree a, tsr_tree b, double rtol, double atol)
{
	return tsr_tree_allclose_at(NULL, a, b, rtol, atol);
}

tsr *(tsr_tree_norm)(tsr_tree x)
{
	return tsr_tree_norm_at(NULL, x);
}

void (tsr_show_sharding)(const tsr *x)
{
	tsr_show_sharding_at(NULL, x, NULL);
}

const char *(tsr_sharding_picture)(const tsr *x)
{
	return tsr_sharding_picture_at(NULL, x, NULL);
}

void (tsr_show_sharding_of)(tsr_dims dims, const tsr_sharding *sharding)
{
	tsr_show_sharding_of_at(NULL, dims, sharding, NULL);
}

const char *(tsr_sharding_picture_of)(tsr_dims dims, const tsr_sharding *sharding)
{
	return tsr_sharding_picture_of_at(NULL, dims, sharding, NULL);
}

const char *(tsr_sharding_svg)(const tsr *x)
{
	return tsr_sharding_svg_at(NULL, x, NULL);
}

const char *(tsr_sharding_svg_of)(tsr_dims dims, const tsr_sharding *sharding)
{
	return tsr_sharding_svg_of_at(NULL, dims, sharding, NULL);
}

void (tsr_show_shards)(const tsr *x)
{
	tsr_show_shards_at(NULL, x, NULL);
}

const char *(tsr_shards_text)(const tsr *x)
{
	return tsr_shards_text_at(NULL, x, NULL);
}
