/* panel.h - a panel: as many columns of b as a tile has, or rows of a, copied line by line. */
#ifndef TSR_SRC_NATIVE_PANEL_H
#define TSR_SRC_NATIVE_PANEL_H
#include "engine/cpu/native/products/numbers.h"
#include "engine/cpu/native/products/tile.h"

/* an operand of a product: where its own index and the contracted one are in memory */
typedef struct side {
	const char *at;
	const view_dims *own, *sum;
	const reading *read;
} side;
/* which columns (or rows) and lines; those of width - n that there are not are 0 */
typedef struct panel_part {
	int64_t line, lines; /* of the contracted index */
	int64_t column, n;
	int64_t width;
} panel_part;

/* ---- products/panel.c */
/* each line has `width` numbers, in the dtype of the sums */
void panel_pack(const side *, const panel_part *, char *to);
/* where it is, if its lines are runs that are as far apart as contracted elements; NULL: they are
 * not */
const char *panel_in_place(const side *, const panel_part *);
/* The memory of it, to be asked for: lines, or columns, that are as far apart as each other; one
 * place, if it is in more pieces than that */
tile_lines panel_lines(const side *, const panel_part *);
/* the contracted elements first .. first + n - 1, in bytes; returns the end of the runs. As many
 * as elements at most */
tile_run *runs_find(const side *, int64_t first, int64_t n, tile_run *to);
/* are all its contracted elements one behind the other? */
static inline bool is_run(const side *s) { return s->sum->n == 1 && s->sum->stride[0] == 1; }
/* The columns of a panel, if an operand is laid out in panels that are as wide as some tiles
 * (pass/fuse/panels.c); 0: it is not */
int64_t panel_columns(const tile_kind *, const view_dims *own, const view_dims *sum);
/* bytes from one element to the next along the last dim */
int64_t side_step(const side *, const view_dims *);

#endif
