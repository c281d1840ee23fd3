/* windows.h - how the dims of gather and scatter are written in program text. Dims: those that go
 * through windows, those that are dropped, starts, batching dims of operand and of indices. */
#ifndef TSR_TESTS_SUPPORT_WINDOWS_H
#define TSR_TESTS_SUPPORT_WINDOWS_H

#define GATHER_DIMS(through, dropped, starts, batch, index_batch) \
	" offset_dims=[" through "] collapsed_slice_dims=[" dropped "] start_index_map=[" starts \
	"] operand_batching_dims=[" batch "] start_indices_batching_dims=[" index_batch "]"
#define SCATTER_DIMS(through, dropped, starts, batch, index_batch) \
	" update_window_dims=[" through "] inserted_window_dims=[" dropped \
	"] scatter_dims_to_operand_dims=[" starts "] operand_batching_dims=[" batch \
	"] scatter_indices_batching_dims=[" index_batch "]"

#endif
