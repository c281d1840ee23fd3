/* mesh_use_under_case.c - a block that another case jumps past would end before it began. */
#include <tsr/tsr.h>

int use(const tsr_mesh *mesh, int kind);
int use(const tsr_mesh *mesh, int kind)
{
	switch (kind) {
#ifdef MISTAKE
	case 1:;
		TSR_MESH(mesh);
		return 1;
#else
	case 1: {
		TSR_MESH(mesh);
		return 1;
	}
#endif
	default: return 0;
	}
}
