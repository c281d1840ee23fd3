/* result_number.c - a C number as the result of a body */
#include <tsr/tsr.h>

void use(tsr_frame *frame);
void use(tsr_frame *frame)
{
#ifdef MISTAKE
	tsr_return(frame, 2.0);
#else
	tsr_return(frame, tsr_scalar(frame, 2.0));
#endif
}
