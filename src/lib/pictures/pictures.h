/* pictures.h - draws for people where the parts of an array are, and their contents.
 *
 * What is declared here needs base and shard alone: no context, no handle. */
#ifndef TSR_SRC_PICTURES_H
#define TSR_SRC_PICTURES_H
#include "shard/shard.h"

/* ---- cells.c: which devices hold which part, and how large it is drawn, in characters */
/* the dims that are drawn: one goes across, of two the first down and the second across */
typedef struct shown_dims {
	int n, dim[2];
} shown_dims;
typedef struct picture_options {
	bool colour;              /* cells are areas of one colour, without borders */
	double scale;             /* the whole is 10 times as many lines high */
	int min_width, max_width; /* of a cell; max_width also of the whole picture */
} picture_options;
#define PICTURE_OPTIONS(colour) (&(const picture_options){colour, 1, 9, 80}) /* JAX's own */
#define PICTURE_KIND "CPU " /* in front of the ids of devices */
typedef struct picture_cell {
	int64_t ndevices, *device;        /* ids, ascending */
	int64_t drawn;                    /* how many of them the lines so far name */
	int64_t length;                   /* of the text in one line */
	int64_t top, bottom, left, right; /* blanks around it */
} picture_cell;
typedef struct picture {
	/* what is drawn */
	const sharding *sharding;
	const int64_t *dims;
	int ndim;
	shown_dims shown;
	picture_options options;
	/* what picture_make finds */
	double height; /* of the whole, in lines */
	int64_t rows, columns;
	picture_cell *cell; /* row by row */
	int64_t *devices;   /* of all cells, one cell after another */
	int64_t *width;     /* of the columns */
} picture;
/* What is drawn if nobody says otherwise: all of one dim or two, else those that are cut, the first
 * two of them */
shown_dims picture_dims(const sharding *, int ndim);
/* false: no memory. picture_free also of what could not be made */
bool picture_make(base *, picture *);
void picture_free(base *, picture *);
bool picture_has_all_dims(const picture *); /* in their order */
/* "dim 0 down, dim 2 across, of [8,4,16]; dim 1 is cut too" */
void picture_caption(str *, const picture *);
/* the indices of dim d that are in a part */
void picture_range(const picture *, int d, int64_t part, int64_t *start, int64_t *stop);
/* how many lines a row has; how many the text of a cell has in a column so wide; how many devices
 * from number `first` on its next line names, and how long that is; and these names */
int64_t picture_row_lines(const picture *, int64_t row);
int64_t picture_lines(const picture_cell *, int64_t width);
int64_t picture_line(const picture_cell *, int64_t first, int64_t width, int64_t *length);
void picture_names(str *, const picture_cell *, int64_t first, int64_t n);
/* red, green and blue */
enum { PICTURE_COLOURS = 20 };
extern const uint8_t picture_palette[PICTURE_COLOURS][3];

/* ---- picture.c: as JAX's visualize_array_sharding draws it, below a caption if not all dims are
 * shown; lost in `out` when memory ran out */
void picture_draw(str *out, picture *);

/* ---- svg.c: as an SVG document. type: of the array, above it; lost likewise */
void picture_svg(str *out, picture *, const char *type);

/* ---- grid.c: texts in the frame that Python's tabulate calls "fancy_grid" */
typedef struct grid {
	int64_t rows, columns;
	str *cell;         /* rows * columns, row by row: lines, the last one not ended */
	int64_t *width;    /* of the columns, in characters */
	const char **rest; /* of the row that is drawn: the lines that are not yet */
} grid;
/* empty cells. false: no memory. grid_free also of what could not be made */
bool grid_make(base *, grid *, int64_t rows, int64_t columns);
void grid_free(base *, grid *);
/* finds the width of each column; then draws n rows from row `first` on, framed, each line ended */
void grid_measure(const grid *);
void grid_draw(str *out, const grid *, int64_t first, int64_t n);

#endif
