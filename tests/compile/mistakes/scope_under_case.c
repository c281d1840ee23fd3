/* scope_under_case.c - a scope that another case jumps past would be closed without being open */
#include <tsr/tsr.h>

int use(tsr_ctx *ctx, int kind);
int use(tsr_ctx *ctx, int kind)
{
	switch (kind) {
#ifdef MISTAKE
	case 1:;
		TSR_SCOPE(ctx);
		return 1;
#else
	case 1: {
		TSR_SCOPE(ctx);
		return 1;
	}
#endif
	default: return 0;
	}
}
