/* shard.h - the meaning of a mesh: mesh, spec, sharding, and the index maths between a whole array
 * and its shards.
 *
 * Pure: knows shapes and devices, no buffers and no programs. Meshes and shardings are interned in
 * a `shards` (one a context), so that equality is pointer equality; trailing empty spec entries are
 * dropped first.
 *
 * Words: a `mesh` is a grid of devices with named axes, a `spec` says along which axes each dim is
 * cut, and a `sharding` is both. A device is named by its id, or by its position k in the mesh; its
 * `coordinate` is its place along an axis. Devices that have the same part of an array are
 * `replicas`. A `block` is a part with the padding that makes all parts equal; a `box` is where the
 * part is in the whole, without the padding. */
#ifndef TSR_SRC_SHARD_H
#define TSR_SRC_SHARD_H
#include "base/base.h"
#include "tsr/engine/device.h"

/* MAX_AXES: in scope, or of one mesh; a set of axes fits 64 bits */
enum { MAX_AXES = 64 };

/* How far apart processes are */
typedef enum axis_level { LEVEL_MEMORY, LEVEL_NODE, LEVEL_NETWORK, LEVELS } axis_level;

/* devices.c: devices in an order */
typedef struct device_list {
	int64_t n;
	const int64_t *id;
	bool ordered;          /* id[k] == k */
	const int64_t *by_id;  /* places, in the order of their ids; NULL: it is ordered */
	const struct device_list *set; /* one list for all of the same devices in any order */
	int64_t nhere;         /* how many of them belong to this process */
	const int64_t *here;   /* their places, ascending; NULL: all of them */
	const int64_t *printer; /* if not all are here: the places of those in the process that has
	                           the lowest id, ascending */
	int64_t nprinter;
	uint64_t hash;
} device_list;

typedef struct tsr_mesh {
	tsr_ctx *ctx;
	int naxes; /* 1..MAX_AXES */
	const tsr_axis *axis;
	int64_t size;          /* product of the axis sizes */
	const device_list *list; /* row-major over the axes, one for all meshes with the same; NULL:
	                            it is open */
	const int64_t *device; /* the ids of that */
	const axis_level *level; /* of each axis: the farthest apart of devices that differ only in
	                            their coordinates on it */
	bool positional;       /* of positional shardings: nobody named its axes */
	const struct tsr_mesh *line; /* positional.c: of the same devices in the order in which they
	                                were listed, if that is another one; else NULL */
	uint64_t hash;         /* by axis sizes and devices, not names */
	const char *text;      /* for public queries; made at the first one */
} mesh;

/* axes of dim d: axis[start[d]] .. axis[start[d + 1] - 1], positions in the mesh, major first; no
 * trailing empty dim, but in positional shardings, whose dims are all there */
typedef struct spec {
	int ndim;
	const int *start, *axis;
} spec;

typedef struct tsr_sharding {
	tsr_ctx *ctx;
	const mesh *mesh; /* NULL: all on one device */
	spec spec;
	int64_t device;   /* that one device's id */
	bool elsewhere;   /* it belongs to another process */
	uint64_t axes;    /* set of mesh axes the spec names */
	const char *text; /* likewise */
} sharding;

typedef struct shards {
	base *base;
	tsr_ctx *ctx;
	arena *arena;
	table meshes, shardings, lists, sets; /* sets: a list for each */
	const device *devices; /* the context's */
	int64_t ndevices;
	int process;     /* ours */
	const int *node; /* by process: the lowest process on its node; NULL: all are on one */
} shards;

bool shards_init(shards *, base *, tsr_ctx *, const device *, int64_t ndevices);
void shards_fini(shards *);
const device *shards_device(const shards *, int64_t id); /* NULL: there is none */

/* ---- devices.c */
/* ids NULL: 0, 1, ... The list of these; NULL: there is none yet */
const device_list *device_list_find(const shards *, const int64_t *ids, int64_t n);
/* there is none, and they are devices of the context, each once. NULL: no memory */
const device_list *device_list_make(shards *, const int64_t *ids, int64_t n);
int64_t device_list_place(const device_list *, int64_t id); /* -1: it is not there */
/* the level of each axis of a mesh over the list; false: no memory */
bool axis_levels(shards *, const device_list *, const tsr_axis *, int naxes,
                 const axis_level **out);
/* how far apart two processes are; node: as in shards */
static inline axis_level processes_level(const int *node, int a, int b)
{
	return a == b ? LEVEL_MEMORY : !node || node[a] == node[b] ? LEVEL_NODE : LEVEL_NETWORK;
}

/* ---- message_cost.c */
typedef struct message_cost { /* in ns */
	double latency; /* until a short message is there */
	double start;   /* that each further one takes at the same time */
	double byte;    /* of a byte of a long one */
} message_cost;
extern const message_cost message_costs[LEVELS];
/* of n that are sent and received at once, of so many bytes together */
static inline double messages_ns(axis_level level, double n, double bytes)
{
	const message_cost *c = &message_costs[level];

	return n < 1 ? 0 : c->latency + (n - 1) * c->start + bytes * c->byte;
}

/* ---- mesh.c */
/* ids NULL: devices 0, 1, ... ; count is their number. Errors: no axis, empty or repeated name,
 * name with other than letters, digits, '_' and '.', size < 1, more than 64 axes, size product !=
 * count or > devices, unknown or repeated device */
const mesh *mesh_make(shards *, const char *where, const tsr_axis *, size_t naxes,
                      const int64_t *ids, size_t count);
/* A mesh of one axis that has no devices yet: that of a tsr_pmap while its body is traced */
const mesh *mesh_open(shards *, const char *where, const tsr_axis *);
/* A mesh whose axes, of these sizes, have names of our own. line: as in the mesh */
const mesh *mesh_positional(shards *, const char *where, const int64_t *size, int naxes,
                            const int64_t *ids, size_t count, const mesh *line);
static inline bool mesh_is_open(const mesh *m) { return !m->device; }
/* can it name an axis or a value: letters, digits, '_' and '.', one at least? */
bool name_fits(const char *name, size_t len);
int mesh_axis(const mesh *, const char *name, size_t len);  /* position, or -1 */
void mesh_text(str *, const mesh *);                        /* Mesh('x': 4, 'y': 2) */
void mesh_full_text(str *, const mesh *); /* with the types of axes and the ids of devices */
int64_t mesh_coordinate(const mesh *, int64_t k, int axis); /* of the k-th device */
bool mesh_same_devices(const mesh *, const mesh *);         /* the same devices in the same order */

/* the position in the mesh of each device of the set, in the arena; false: an error is recorded, a
 * device is not in the mesh */
bool mesh_positions(base *, arena *, const mesh *, device_set, int64_t **out);
void devices_text(str *, const int64_t *ids, int64_t n); /* [0, 1, 2] */

/* ---- spec.c: reading what the user wrote */
/* room for any spec: of an array of any number of dims, any of which can be cut */
typedef struct spec_room {
	int ndim;
	int start[MAX_NDIM + 1];
	int axis[MAX_AXES];
} spec_room;
/* `what` names the spec in messages ("put"). Errors: an unknown axis, an axis named twice */
bool spec_read(base *, const char *where, const char *what, const mesh *, const tsr_spec *,
               spec_room *out);
/* "[x,y] [y,-] -> [x,-]": at most `most` specs a side; *nin and *nout are set. A spec has entries
 * separated by commas, "-" or nothing for not split; [] is that of a scalar */
bool sig_read(base *, const char *where, const mesh *, const char *sig, spec_room *in, int *nin,
              spec_room *out, int *nout, int most);
void spec_text(str *, const mesh *, const spec *); /* P('x', ('x', 'y'), None), as JAX prints */

/* ---- sharding.c */
const sharding *sharding_of_room(shards *, const mesh *, const spec_room *);
const sharding *sharding_of_spec(shards *, const mesh *, const spec *);
const sharding *sharding_replicated_on(shards *, const mesh *);
/* the same as users see it: a positional one is a grid of one set, of one dim */
const sharding *sharding_whole_on(shards *, const mesh *);
/* of arrays with one more dim, in front, which is cut along these axes of the mesh */
const sharding *sharding_batched(shards *, const char *where, const sharding *, const int *axis,
                                 int n);
const sharding *sharding_one(shards *, const char *where, int64_t device);
uint64_t sharding_id(const sharding *); /* a hash that is the same in all processes */
void sharding_text(str *, const sharding *);
/* "... is only valid for values of rank at least N, but was applied to a value of rank r";
 * positional ones are for the rank that their grid has, or are whole */
bool sharding_fits(base *, const char *where, const sharding *, int ndim);
int64_t sharding_ndevices(const sharding *);
int64_t sharding_device(const sharding *, int64_t k);
const int64_t *sharding_devices(const sharding *); /* their ids, sharding_ndevices of them */
/* Of these, those that are here, in this process: how many, the place of the i-th, and which of
 * them device k is; -1: it is elsewhere */
int64_t sharding_nhere(const sharding *);
int64_t sharding_here(const sharding *, int64_t i);
int64_t sharding_local(const sharding *, int64_t k);
/* the place of a device; -1: it is not there */
int64_t sharding_place(const sharding *, int64_t id);
/* the same devices, in any order? */
bool sharding_same_devices(const sharding *, const sharding *);
int64_t sharding_parts(const sharding *, int d);   /* how many parts dim d is cut into */
int64_t sharding_part(const sharding *, int d, int64_t k); /* which of them device k holds */
/* shape of the storage of a shard: ceil(D / parts) in each dim */
void sharding_block_dims(const sharding *, const int64_t *dims, int ndim, int64_t *block);
/* the global index range that device k holds; short or empty at the end */
void sharding_box(const sharding *, const int64_t *dims, int ndim, int64_t k, int64_t *start,
                  int64_t *stop);
int64_t sharding_replica(const sharding *,
                         int64_t k); /* how many devices before k hold the same box */
int64_t sharding_first(const sharding *,
                       int64_t k);             /* first device (position) with the same box as k */
/* how many devices hold the same box, and the one before which `replica` of them hold part[d] of
 * each dim d */
int64_t sharding_replicas(const sharding *);
int64_t sharding_holder(const sharding *, const int64_t *part, int64_t replica);
bool sharding_is_replicated(const sharding *); /* every device holds all of it */
bool sharding_divides(const sharding *, const int64_t *dims, int ndim);
bool sharding_equivalent(const sharding *, const sharding *,
                         int ndim); /* same devices in order, same boxes for every shape */
/* the spec over another mesh of the same devices that says the same: P('d') over d:8 is P(('x',
 * 'y')) over x:4, y:2. false: none does */
bool sharding_over(const mesh *, const sharding *, spec_room *out);
/* The strides of axes, in any mesh of the same devices over which a spec says the same, are as
 * these; gives how many */
int sharding_borders(const sharding *, int64_t out[2 * MAX_AXES]);

/* ---- holders.c: the first device of a part that this process lacks, or the one that prints: that
 * with the device of the lowest id; -1: it has all parts */
int64_t sharding_lacking(const sharding *, bool printer);
int64_t sharding_printer(const sharding *); /* the id of a device of the one that prints */

/* ---- positional.c: shardings that are a grid of sets of devices. NULL: an error is recorded */
static inline bool sharding_is_positional(const sharding *s)
{
	return s->mesh && s->mesh->positional;
}
/* of one device each, row-major; ids NULL: the first devices. Errors: a size < 1, too many devices,
 * count != product of the sizes, an unknown or repeated id */
const sharding *positional_make(shards *, const char *where, const int64_t *ids, size_t count,
                                const int64_t *shape, int ndim);
/* the same sets; one size may be -1. Error: their number is another one */
const sharding *positional_reshape(shards *, const char *where, const sharding *,
                                   const int64_t *shape, int ndim);
/* the sets along these dims, a set of them, are one. drop: the dims go, else they have size 1 */
const sharding *positional_replicate(shards *, const char *where, const sharding *, uint64_t dims,
                                     bool drop);
/* PositionalSharding([[{CPU 0} {CPU 1}]], shape=(1, 2)) */
void positional_text(str *, const sharding *);

/* ---- layout.c: where the elements of a value are, over the entries of an axis table: the one word
 * for it inside automatic partitioning. What users see stays meshes and specs.
 *
 * Dims are cut along axes, major first, as a spec says. Along a `partial` axis every device holds a
 * term of the value, and an operator joins these. Along all other axes the devices hold the same.
 *
 * As text, with letters for the numbers of axes: "[ab,-]" cuts the first dim along a and b; "[a]
 * sum c" is partial along c. */

typedef struct layout_axis {
	int64_t size;
	axis_level level;
} layout_axis;

/* An axis cuts at most one dim, and is not partial then */
typedef struct layout {
	int n;                  /* axes that cut */
	uint8_t dim[MAX_AXES];  /* of each: the dim, rising */
	uint8_t axis[MAX_AXES]; /* and the axis; of one dim the major one first */
	uint64_t partial;       /* a set of axes */
} layout;

bool layout_same(const layout *, const layout *);
void layout_cut(layout *, int dim, int axis); /* along one more axis, the minor one of the dim */
void layout_uncut(layout *, int dim); /* the dim is whole */
void layout_text(str *, const layout *, int ndim, const mesh *); /* NULL: letters, not names */
/* what a device holds of a dim: all parts are as long, the last ones filled up */
int64_t layout_parts(const layout *, const layout_axis *, int dim);
int64_t layout_block(const layout *, const layout_axis *, const int64_t *dims, int dim);
bool layout_divides(const layout *, const layout_axis *, const int64_t *dims, int ndim);

/* ---- reshard.c: from one layout to another, in the fewest bytes */
typedef enum reshard_kind {
	RESHARD_SLICE,          /* each device keeps a part of what it has, but for uneven blocks */
	RESHARD_PERMUTE,        /* whole blocks change devices */
	RESHARD_ALL_TO_ALL,     /* minor axes of one dim become those of another */
	RESHARD_ALL_GATHER,     /* minor axes of a dim go */
	RESHARD_REDUCE_SCATTER, /* partial axes become the minor ones of a dim */
	RESHARD_ALL_REDUCE,     /* partial axes go */
	RESHARD_EXCHANGE        /* all at once, whatever the blocks: where very much changes */
} reshard_kind;
typedef struct reshard_step {
	reshard_kind kind;
	layout to;
	uint64_t axes; /* along which it communicates */
	double bytes;  /* that a device receives */
} reshard_step;
typedef struct reshard_plan {
	int n;
	const reshard_step *step;
	double bytes; /* of all steps */
	double ns;
} reshard_plan;
typedef struct reshard_case {
	int ndim, naxes;
	const int64_t *dims;
	int64_t item; /* bytes of an element */
	const layout_axis *axis;
	layout from, to; /* partial axes of `to` are partial in `from` */
	uint64_t closed; /* axes along which devices have different values, or go different ways:
	                  * no step uses one */
	const message_cost *cost; /* by level: of a collective, its latency and bytes */
} reshard_case;
/* It depends on the case alone, so all processes plan alike. The plan is in the arena. false: no
 * memory */
bool reshard_make(arena *, const reshard_case *, reshard_plan *);

#endif
