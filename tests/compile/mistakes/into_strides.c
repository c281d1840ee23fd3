/* into_strides.c - strides of memory for a result without their name */
#include <tsr/tsr.h>

void use(tsr_fn *f);
void use(tsr_fn *f)
{
	float y[4];

#ifdef MISTAKE
	tsr_call_into(TSR_OUT(TSR_INTO(y, TSR_F32, TSR_DIMS(4), TSR_DIMS(4))), f);
#else
	tsr_call_into(TSR_OUT(TSR_INTO(y, TSR_F32, TSR_DIMS(4), .strides = TSR_DIMS(4))), f);
#endif
}
