/* values.c - operations as functions without a place; tools/make_headers.py made it of api/.
 *
 * A macro is no value. What is passed on, as in tsr_vmap(ctx, tsr_add), or called in a debugger, is
 * one of these: keywords are not given, and errors name no line. */
#include <tsr/tsr.h>

/* Functions by their parameters, as in pure.c: K are keywords */
#define OF_HANDLE(name) \
	tsr *(tsr_##name)(tsr *x) \
	{ \
		return tsr_##name##_at(NULL, x); \
	}
#define OF_HANDLE_K(name) \
	tsr *(tsr_##name)(tsr *x) \
	{ \
		return tsr_##name##_at(NULL, x, NULL); \
	}
#define OF_HANDLES(name) \
	tsr *(tsr_##name)(tsr *a, tsr *b) \
	{ \
		return tsr_##name##_at(NULL, a, b); \
	}
#define OF_HANDLES_K(name) \
	tsr *(tsr_##name)(tsr *a, tsr *b) \
	{ \
		return tsr_##name##_at(NULL, a, b, NULL); \
	}
#define OF_DIMS(name) \
	tsr *(tsr_##name)(tsr *x, tsr_dims dims) \
	{ \
		return tsr_##name##_at(NULL, x, dims); \
	}
#define OF_DIMS_K(name) \
	tsr *(tsr_##name)(tsr *x, tsr_dims dims) \
	{ \
		return tsr_##name##_at(NULL, x, dims, NULL); \
	}
#define OF_INT(name) \
	tsr *(tsr_##name)(tsr *x, int i) \
	{ \
		return tsr_##name##_at(NULL, x, i); \
	}
#define OF_COUNT_K(name) \
	tsr *(tsr_##name)(tsr_ctx *ctx, int64_t n) \
	{ \
		return tsr_##name##_at(NULL, ctx, n, NULL); \
	}
#define OF_AXIS_K(name) \
	tsr *(tsr_##name)(tsr *x, const char *axis) \
	{ \
		return tsr_##name##_at(NULL, x, axis, NULL); \
	}
#define OF_PLACES_K(name) \
	tsr *(tsr_##name)(tsr *x, int dim, tsr *indices, tsr *updates) \
	{ \
		return tsr_##name##_at(NULL, x, dim, indices, tsr_arg_one(updates), NULL); \
	}
#define TO_SEVERAL(name, count) \
	bool (tsr_##name)(tsr *x, tsr *out[count]) \
	{ \
		return tsr_##name##_at(NULL, x, out); \
	}
#define TO_SEVERAL_K(name, count) \
	bool (tsr_##name)(tsr *x, tsr *out[count]) \
	{ \
		return tsr_##name##_at(NULL, x, out, NULL); \
	}
#define OF_PAIR(name) \
	tsr *(tsr_##name)(tsr *a, tsr *b) \
	{ \
		return tsr_##name##_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)}); \
	}

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

OF_COUNT_K(arange)
OF_COUNT_K(eye)
OF_HANDLE(zeros_like)
OF_HANDLE(ones_like)

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

OF_HANDLE(gather_whole)

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

OF_HANDLES(shard_alike)

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

OF_AXIS_K(psum)
OF_AXIS_K(pmean)
OF_AXIS_K(pmax)
OF_AXIS_K(pmin)
OF_AXIS_K(all_gather)
OF_AXIS_K(psum_scatter)
OF_AXIS_K(all_to_all)

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

OF_AXIS_K(pcast)

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

OF_COUNT_K(bartlett)
OF_COUNT_K(blackman)
OF_COUNT_K(hamming)
OF_COUNT_K(hanning)

tsr *(tsr_kaiser)(tsr_ctx *ctx, int64_t n, double beta)
{
	return tsr_kaiser_at(NULL, ctx, n, beta, NULL);
}

OF_HANDLE_K(diff)
OF_HANDLE(ediff1d)

tsr *(tsr_gradient)(tsr *x, int dim, tsr *h)
{
	return tsr_gradient_at(NULL, x, dim, tsr_arg_one(h));
}

OF_HANDLE_K(trapezoid)
OF_HANDLE_K(unwrap)
OF_HANDLES(polyval)
OF_HANDLES(polyadd)
OF_HANDLES(polysub)
OF_HANDLES(polymul)
OF_INT(polyder)
OF_INT(polyint)
OF_HANDLE(poly)
OF_HANDLE(roots)

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

OF_HANDLE_K(fft)
OF_HANDLE_K(ifft)
OF_HANDLE_K(rfft)
OF_HANDLE_K(irfft)
OF_HANDLE_K(hfft)
OF_HANDLE_K(ihfft)
OF_HANDLE_K(fftn)
OF_HANDLE_K(ifftn)
OF_HANDLE_K(rfftn)
OF_HANDLE_K(irfftn)
OF_HANDLE_K(fft2)
OF_HANDLE_K(ifft2)
OF_HANDLE_K(rfft2)
OF_HANDLE_K(irfft2)
OF_COUNT_K(fftfreq)
OF_COUNT_K(rfftfreq)
OF_HANDLE_K(fftshift)
OF_HANDLE_K(ifftshift)
OF_HANDLE(deg2rad)
OF_HANDLE(rad2deg)
OF_HANDLE(angle)
OF_HANDLE(log2)
OF_HANDLE(log10)
OF_HANDLE(reciprocal)
OF_HANDLE(fabs)
OF_PAIR(float_power)
OF_PAIR(hypot)
OF_PAIR(logaddexp)
OF_PAIR(logaddexp2)
OF_HANDLE(sinc)
OF_PAIR(floor_divide)
OF_PAIR(remainder)

bool (tsr_divmod)(tsr *a, tsr *b, tsr *out[2])
{
	return tsr_divmod_at(NULL, tsr_arg_one(a), tsr_arg_one(b), out);
}

OF_PAIR(fmod)
OF_HANDLE(trunc)
OF_HANDLE(rint)
OF_PAIR(gcd)
OF_PAIR(lcm)
OF_PAIR(mulhi)
TO_SEVERAL(modf, 2)
OF_HANDLE(bitwise_count)
TO_SEVERAL(frexp, 2)
OF_PAIR(ldexp)
OF_HANDLE(spacing)
OF_HANDLE(signbit)
OF_PAIR(copysign)
OF_PAIR(heaviside)
OF_HANDLE(isinf)
OF_HANDLE(isposinf)
OF_HANDLE(isneginf)
OF_HANDLE(iscomplex)
OF_HANDLE(isreal)
OF_PAIR(fmax)
OF_PAIR(fmin)
OF_HANDLE_K(nan_to_num)

tsr *(tsr_isclose)(tsr *a, tsr *b, double rtol, double atol)
{
	return tsr_isclose_at(NULL, tsr_arg_one(a), tsr_arg_one(b), rtol, atol);
}

OF_PAIR(logical_xor)

tsr *(tsr_select)(tsr *const *conditions, tsr *const *x, size_t n, tsr *otherwise)
{
	return tsr_select_at(NULL, conditions, x, n, tsr_arg_one(otherwise));
}

tsr *(tsr_choose)(tsr *i, tsr *const *x, size_t n, enum tsr_index_mode mode)
{
	return tsr_choose_at(NULL, i, x, n, mode);
}

OF_HANDLE(gamma_function)
OF_HANDLE(gammasgn)
OF_HANDLE(log_gamma)
OF_HANDLE(factorial)
OF_PAIR(beta_function)
OF_PAIR(betaln)
OF_PAIR(comb)
OF_PAIR(poch)
OF_INT(multigammaln)
OF_HANDLE(i0)
OF_HANDLE(i1)
OF_PAIR(boxcox)
OF_PAIR(boxcox1p)
OF_PAIR(xlogy)
OF_PAIR(xlog1py)
OF_HANDLE(entr)
OF_PAIR(rel_entr)
OF_PAIR(kl_div)
OF_HANDLE(logit)
OF_HANDLE(ndtr)
OF_HANDLE(log_ndtr)
OF_HANDLE(ndtri)

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

OF_HANDLES_K(embed)

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

OF_HANDLE_K(cholesky)
OF_HANDLES_K(triangular_solve)
OF_HANDLES_K(solve_triangular)
OF_HANDLES_K(cho_solve)
TO_SEVERAL(lu, 3)
TO_SEVERAL_K(qr, 2)
TO_SEVERAL_K(eigh, 2)
OF_HANDLE_K(eigvalsh)
TO_SEVERAL_K(svd, 3)
OF_HANDLE(svdvals)
TO_SEVERAL(polar, 2)
TO_SEVERAL_K(eig, 3)
OF_HANDLE(eigvals)
TO_SEVERAL(schur, 2)
TO_SEVERAL(hessenberg, 2)
TO_SEVERAL_K(tridiagonal, 4)
OF_HANDLES(solve)
OF_HANDLE(inv)
OF_HANDLE(det)
TO_SEVERAL(slogdet, 2)
OF_HANDLE_K(matrix_rank)
OF_HANDLE_K(pinv)

bool (tsr_lstsq)(tsr *a, tsr *b, tsr *out[4])
{
	return tsr_lstsq_at(NULL, a, b, out, NULL);
}

OF_HANDLES(householder_product)

tsr *(tsr_ormqr)(tsr *a, tsr *taus, tsr *c)
{
	return tsr_ormqr_at(NULL, a, taus, c, NULL);
}

tsr *(tsr_tridiagonal_solve)(tsr *dl, tsr *d, tsr *du, tsr *b)
{
	return tsr_tridiagonal_solve_at(NULL, dl, d, du, b);
}

OF_HANDLES(cholesky_update)
OF_HANDLES_K(symmetric_product)
OF_HANDLES_K(tensorsolve)
OF_INT(tensorinv)
OF_HANDLE(expm)
OF_INT(matrix_power)
OF_HANDLE(matrix_transpose)
OF_HANDLE_K(vector_norm)
OF_HANDLE_K(matrix_norm)
OF_HANDLE_K(norm)
OF_HANDLE_K(cond_number)
OF_HANDLES_K(softmax_cross_entropy)
OF_HANDLES_K(softmax_cross_entropy_with_integer_labels)
OF_HANDLES(sigmoid_binary_cross_entropy)

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

OF_HANDLE(relu6)
OF_HANDLE(softplus)
OF_HANDLE(sparse_plus)
OF_HANDLE(sparse_sigmoid)
OF_HANDLE(soft_sign)
OF_HANDLE(silu)
OF_HANDLE(log_sigmoid)
OF_HANDLE(hard_tanh)
OF_HANDLE(hard_sigmoid)
OF_HANDLE(hard_silu)
OF_HANDLE(mish)
OF_HANDLE(log1mexp)
OF_PAIR(leaky_relu)
OF_PAIR(elu)
OF_PAIR(celu)
OF_HANDLE(selu)
OF_PAIR(squareplus)
OF_HANDLE_K(gelu)
OF_INT(glu)

tsr *(tsr_softmax)(tsr *x, int dim)
{
	return tsr_softmax_at(NULL, x, dim, NULL);
}

tsr *(tsr_log_softmax)(tsr *x, int dim)
{
	return tsr_log_softmax_at(NULL, x, dim, NULL);
}

OF_HANDLE_K(logmeanexp)

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

OF_HANDLE_K(rotary)

tsr *(tsr_multi_head_attention)(tsr *x, tsr *query, tsr *key, tsr *value, tsr *out)
{
	return tsr_multi_head_attention_at(NULL, x, query, key, value, out, NULL);
}

OF_HANDLE(neg)
OF_HANDLE(sign)
OF_HANDLE(abs)
OF_HANDLE(floor)
OF_HANDLE(ceil)
OF_HANDLE_K(round)
OF_HANDLE(exp)
OF_HANDLE(exp2)
OF_HANDLE(expm1)
OF_HANDLE(log)
OF_HANDLE(log1p)
OF_HANDLE(sqrt)
OF_HANDLE(rsqrt)
OF_HANDLE(square)
OF_HANDLE(tanh)
OF_HANDLE(logistic)
OF_HANDLE(sin)
OF_HANDLE(cos)
OF_HANDLE(tan)
OF_HANDLE(asin)
OF_HANDLE(acos)
OF_HANDLE(atan)
OF_HANDLE(sinh)
OF_HANDLE(cosh)
OF_HANDLE(asinh)
OF_HANDLE(acosh)
OF_HANDLE(atanh)
OF_HANDLE(cbrt)
OF_HANDLE(erf)
OF_HANDLE(erfc)
OF_HANDLE(erf_inv)
OF_HANDLE(lgamma)
OF_HANDLE(digamma)
OF_HANDLE(bessel_i0e)
OF_HANDLE(bessel_i1e)
OF_HANDLE(is_finite)
OF_HANDLE(isnan)
OF_HANDLE(bitwise_not)
OF_HANDLE(population_count)
OF_HANDLE(clz)
OF_HANDLE(real)
OF_HANDLE(imag)
OF_HANDLE(conj)

tsr *(tsr_reduce_precision)(tsr *x, int exponent_bits, int mantissa_bits)
{
	return tsr_reduce_precision_at(NULL, x, exponent_bits, mantissa_bits);
}

tsr *(tsr_bitcast_convert_type)(tsr *x, tsr_dtype dtype)
{
	return tsr_bitcast_convert_type_at(NULL, x, dtype);
}

OF_HANDLE(logical_not)
OF_HANDLE(relu)
OF_HANDLE(copy)
OF_HANDLE(stop_gradient)
OF_HANDLE(t)
OF_HANDLE(ravel)
OF_INT(integer_pow)

tsr *(tsr_astype)(tsr *x, tsr_dtype dtype)
{
	return tsr_astype_at(NULL, x, dtype);
}

OF_PAIR(add)
OF_PAIR(sub)
OF_PAIR(mul)
OF_PAIR(div)
OF_PAIR(rem)
OF_PAIR(pow)
OF_PAIR(atan2)
OF_PAIR(zeta)
OF_PAIR(polygamma)
OF_PAIR(igamma)
OF_PAIR(igammac)
OF_PAIR(igamma_grad_a)
OF_PAIR(random_gamma_grad)
OF_PAIR(nextafter)
OF_PAIR(complex)
OF_PAIR(maximum)
OF_PAIR(minimum)
OF_PAIR(bitwise_and)
OF_PAIR(bitwise_or)
OF_PAIR(bitwise_xor)
OF_PAIR(shift_left)
OF_PAIR(shift_right)
OF_PAIR(eq)
OF_PAIR(ne)
OF_PAIR(lt)
OF_PAIR(le)
OF_PAIR(gt)
OF_PAIR(ge)
OF_PAIR(logical_and)
OF_PAIR(logical_or)

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

OF_HANDLES_K(dot)
OF_HANDLES_K(matmul)
OF_HANDLES_K(dot_general)
OF_DIMS(reshape)
OF_HANDLE_K(transpose)
OF_DIMS(broadcast_to)

tsr *(tsr_broadcast_in_dim)(tsr *x, tsr_dims dims, tsr_dims at)
{
	return tsr_broadcast_in_dim_at(NULL, x, dims, at);
}

OF_DIMS(squeeze)
OF_DIMS(expand_dims)
OF_DIMS(flip)

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

OF_PLACES_K(at_set)
OF_PLACES_K(at_add)
OF_PLACES_K(at_mul)
OF_PLACES_K(at_min)
OF_PLACES_K(at_max)

tsr *(tsr_gather)(tsr *x, tsr *indices, tsr_dims slice_sizes)
{
	return tsr_gather_at(NULL, x, indices, slice_sizes, NULL);
}

tsr *(tsr_scatter)(tsr *x, tsr *indices, tsr *updates)
{
	return tsr_scatter_at(NULL, x, indices, updates, NULL);
}

OF_HANDLE_K(sum)
OF_HANDLE_K(prod)
OF_HANDLE_K(max)
OF_HANDLE_K(min)
OF_HANDLE_K(all)
OF_HANDLE_K(any)
OF_HANDLE_K(reduce_and)
OF_HANDLE_K(reduce_or)
OF_HANDLE_K(reduce_xor)
OF_HANDLE_K(mean)
OF_HANDLE_K(logsumexp)
OF_HANDLE_K(argmax)
OF_HANDLE_K(argmin)
OF_HANDLE_K(sort)
OF_HANDLE_K(argsort)

bool (tsr_sort_operands)(tsr *const *x, tsr **out, size_t n)
{
	return tsr_sort_operands_at(NULL, x, out, n, NULL);
}

bool (tsr_top_k)(tsr *x, int64_t k, tsr *out[2])
{
	return tsr_top_k_at(NULL, x, k, out, NULL);
}

OF_HANDLE_K(cumsum)
OF_HANDLE_K(cumprod)
OF_HANDLE_K(nancumsum)
OF_HANDLE_K(nancumprod)
OF_HANDLE_K(cumulative_sum)
OF_HANDLE_K(cumulative_prod)
OF_HANDLE_K(cummax)
OF_HANDLE_K(cummin)
OF_HANDLE_K(cumlogsumexp)

tsr *(tsr_reduce_window)(tsr *x, enum tsr_combine combine, tsr_dims window)
{
	return tsr_reduce_window_at(NULL, x, combine, window, NULL);
}

OF_DIMS_K(max_pool)
OF_DIMS_K(min_pool)
OF_DIMS_K(avg_pool)
OF_HANDLES_K(conv_general_dilated)
OF_DIMS_K(conv_general_dilated_patches)

tsr *(tsr_conv_general_dilated_local)(tsr *lhs, tsr *rhs, tsr_dims window)
{
	return tsr_conv_general_dilated_local_at(NULL, lhs, rhs, window, NULL);
}

OF_HANDLES_K(conv_transpose)
OF_HANDLES_K(convolve)
OF_HANDLES_K(correlate)

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

OF_DIMS_K(init_zeros)
OF_DIMS_K(init_ones)
OF_DIMS_K(init_constant)
OF_DIMS_K(init_uniform)
OF_DIMS_K(init_normal)
OF_DIMS_K(init_truncated_normal)
OF_DIMS_K(init_variance_scaling)
OF_DIMS_K(init_glorot_uniform)
OF_DIMS_K(init_glorot_normal)
OF_DIMS_K(init_xavier_uniform)
OF_DIMS_K(init_xavier_normal)
OF_DIMS_K(init_lecun_uniform)
OF_DIMS_K(init_lecun_normal)
OF_DIMS_K(init_he_uniform)
OF_DIMS_K(init_he_normal)
OF_DIMS_K(init_kaiming_uniform)
OF_DIMS_K(init_kaiming_normal)
OF_DIMS_K(init_orthogonal)
OF_DIMS_K(init_delta_orthogonal)

bool (tsr_make_params)(tsr_tree to, tsr *key, const tsr_mesh *mesh, const tsr_param *params,
                       size_t n)
{
	return tsr_make_params_at(NULL, to, key, mesh, params, n);
}

OF_HANDLES_K(tensordot)
OF_HANDLES(inner)
OF_HANDLES(outer)
OF_HANDLES(vdot)
OF_HANDLES_K(vecdot)
OF_HANDLES(matvec)
OF_HANDLES(vecmat)
OF_HANDLES(kron)
OF_HANDLES_K(cross)

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

OF_DIMS(split_keys)

tsr *(tsr_fold_in)(tsr *key, tsr *data)
{
	return tsr_fold_in_at(NULL, key, tsr_arg_one(data));
}

OF_DIMS_K(random_bits)
OF_DIMS_K(uniform)
OF_DIMS_K(normal)

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

OF_DIMS_K(rademacher)
OF_HANDLES_K(categorical)

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

OF_DIMS_K(gumbel)
OF_DIMS_K(exponential)
OF_DIMS_K(laplace)
OF_DIMS_K(random_logistic)
OF_DIMS_K(cauchy)
OF_DIMS_K(maxwell)

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

OF_HANDLES_K(dirichlet)

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

OF_HANDLE(atleast_1d)
OF_HANDLE(atleast_2d)
OF_HANDLE(atleast_3d)

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

OF_DIMS(tile)

tsr *(tsr_repeat)(tsr *x, int64_t n, int dim)
{
	return tsr_repeat_at(NULL, x, n, dim);
}

tsr *(tsr_repeat_each)(tsr *x, tsr *times, int64_t n, int dim)
{
	return tsr_repeat_each_at(NULL, x, times, n, dim);
}

OF_DIMS(resize)

bool (tsr_array_split)(tsr *x, int dim, tsr **out, size_t n)
{
	return tsr_array_split_at(NULL, x, dim, out, n);
}

bool (tsr_unstack)(tsr *x, int dim, tsr **out, size_t n)
{
	return tsr_unstack_at(NULL, x, dim, out, n);
}

OF_HANDLE(view_as_real)
OF_HANDLE(view_as_complex)
OF_HANDLE_K(diagonal)
OF_HANDLE_K(trace)
OF_INT(diag)
OF_INT(diagflat)
OF_INT(tril)
OF_INT(triu)

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

OF_HANDLE_K(var)
OF_HANDLE_K(std)
OF_HANDLE_K(average)
OF_HANDLE_K(count_nonzero)
OF_HANDLE_K(ptp)
OF_HANDLE_K(nansum)
OF_HANDLE_K(nanprod)
OF_HANDLE_K(nanmax)
OF_HANDLE_K(nanmin)
OF_HANDLE_K(nanmean)
OF_HANDLE_K(nanvar)
OF_HANDLE_K(nanstd)
OF_HANDLE_K(nanargmax)
OF_HANDLE_K(nanargmin)

tsr *(tsr_quantile)(tsr *x, tsr *q)
{
	return tsr_quantile_at(NULL, x, tsr_arg_one(q), NULL);
}

tsr *(tsr_percentile)(tsr *x, tsr *q)
{
	return tsr_percentile_at(NULL, x, tsr_arg_one(q), NULL);
}

OF_HANDLE_K(median)

tsr *(tsr_nanquantile)(tsr *x, tsr *q)
{
	return tsr_nanquantile_at(NULL, x, tsr_arg_one(q), NULL);
}

tsr *(tsr_nanpercentile)(tsr *x, tsr *q)
{
	return tsr_nanpercentile_at(NULL, x, tsr_arg_one(q), NULL);
}

OF_HANDLE_K(nanmedian)
OF_HANDLE_K(cov)
OF_HANDLE_K(corrcoef)
OF_HANDLES_K(searchsorted)
OF_HANDLES_K(digitize)
OF_HANDLES(isin)

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

OF_HANDLE(optimization_barrier)

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
