/* keyword_without_name_text.c - the same with a text */
#include <tsr/tsr.h>

tsr_ctx *use(void);
tsr_ctx *use(void)
{
#ifdef MISTAKE
	return tsr_open("interp");
#else
	return tsr_open(.engine = "interp");
#endif
}
