/* checkpoint.h - saves trees of arrays as folders of files, and loads them on other devices.
 *
 * Words: a `checkpoint` is a folder dir/STEP with an `index`, index.json, and files. The file of a
 * device has the `pieces` that it writes: of each leaf at most one. `Data` is all behind the
 * header of a file, a `chunk` 1 MiB of that, counted from its beginning, which has a hash. A `need`
 * is what a device wants of a piece. A `note` tells process 0 which files another process wrote. A
 * `draft` is a checkpoint that is not complete, under another name. */
#ifndef TSR_SRC_LIB_CHECKPOINT_H
#define TSR_SRC_LIB_CHECKPOINT_H
#include <pthread.h>
#include "lib/files/files.h"

enum { CHUNK = 1 << 20, HASH_DIGITS = 16, FILE_NAME = 48 };
/* of the texts in the header of a file: hashes of its chunks, one behind the other */
#define HASHES_KEY "XXH3_64_OF_EACH_MIB"
#define SHARDING_KEY "DCP_SHARDING_INFO" /* as PyTorch's distributed checkpoints name it */
#define OFFSETS_KEY "saved_offsets"
#define INDEX_NAME "index.json"
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files hold what memory holds");

/* ---- index.c: what a checkpoint says of itself */
typedef struct saved_leaf {
	const char *name;
	tsr_dtype dtype; /* TSR_DTYPE_DEFAULT: the leaf was absent */
	int ndim;
	const int64_t *dims;
	/* how it was cut when it was saved. In an index that was read it belongs to no context: its
	 * mesh need not exist here */
	const sharding *sharding;
} saved_leaf;
typedef struct saved_file {
	int rank; /* of the process that wrote it */
	int64_t device;
	size_t header, bytes; /* of its header, and of all of it */
	uint64_t hash;        /* of its header */
} saved_file;
typedef struct checkpoint {
	base *base;
	const char *where, *op, *path; /* of its folder */
	bool quiet;                    /* damage is no error */
	/* set by checkpoint_read */
	arena *arena;
	int64_t step;
	saved_leaf *leaf;
	size_t nleaves;
	saved_file *file; /* by device, ascending */
	size_t nfiles;
	table names; /* of leaves */
} checkpoint;
/* records what is wrong with the checkpoint, unless it is `quiet` or the lack of memory is
 * recorded; false */
bool checkpoint_fail(const checkpoint *, tsr_code, const char *format, ...) PRINTF_LIKE(3, 4);
/* Reads the index in the folder. false: recorded. checkpoint_free is due in either case */
bool checkpoint_read(checkpoint *);
/* the same of n bytes */
bool checkpoint_parse(checkpoint *, const char *text, size_t n);
void checkpoint_free(checkpoint *);
const saved_leaf *checkpoint_find(const checkpoint *, const char *name); /* NULL: it has none */

/* ---- index_text.c: the index as it is written: what index_begin gives, lines of files with a
 * comma between two, and what index_end gives of the hash of all that is in front */
void index_begin(str *, int64_t step, const saved_leaf *, size_t n);
void index_line(char *out, size_t room, const saved_file *);
enum { INDEX_LINE = 200, INDEX_END = 64 };
void index_end(char out[INDEX_END], uint64_t hash);
/* "00002-00005.safetensors": process 2, device 5 */
void file_name_of(char out[FILE_NAME], int rank, int64_t device);

/* ---- pieces.c: what this process writes */
typedef struct piece {
	const char *quoted, *twice; /* the name of its leaf as JSON, and that as JSON */
	tsr_dtype dtype;
	int ndim;
	const int64_t *start, *dims; /* of the whole array */
	const int64_t *strides;      /* bytes, in memory; NULL: it is dense there */
	const char *data;            /* in memory of the host */
	buffer *held;                /* which has it, or NULL */
	char *own;                   /* or a copy of it */
	size_t begin, bytes;         /* in the data of the file */
} piece;
typedef struct piece_file {
	int64_t device;
	piece **piece; /* in the order of the file */
	size_t n;
	size_t data;                 /* bytes of all */
	char *header;                /* room for it; of header.c: */
	size_t header_bytes, hashes; /* where these begin */
} piece_file;
typedef struct pieces {
	piece *piece;
	size_t n;
	piece_file *file; /* by device, ascending */
	size_t nfiles;
} pieces;
/* Finds the pieces of arrays that this process writes, and holds their memory; the lists are in the
 * arena. leaf[i].name is that of x[i], NULL where absent. false: recorded. pieces_free is due in
 * either case */
bool pieces_find(const call_site *, arena *, const saved_leaf *, array *const *x, size_t n,
                 pieces *);
void pieces_free(base *, pieces *); /* lets go of the memory; from any thread */
/* n bytes of a piece, from the byte `from` on */
void piece_copy(const piece *, size_t from, size_t n, char *to);

/* ---- header.c */
size_t header_room(const piece_file *); /* bytes that suffice */
void header_make(piece_file *);         /* hashes are to be filled in */

/* ---- disk.c: calls of the system that any thread may make. Failures are noted, not recorded */
typedef struct fault {
	int error; /* errno; 0: nothing failed */
	char what[200];
} fault;
/* notes that `name` failed by errno, unless something did before; false */
bool fault_note(fault *, const char *name);
bool disk_write(fault *, int fd, const char *name, const void *, size_t n, size_t at);
/* the system may begin to put these bytes on the disk */
void disk_begin(int fd, size_t at, size_t n);
bool disk_sync(fault *, int fd, const char *name);
/* a new file in a folder. -1: noted */
int disk_create(fault *, int folder, const char *name);
bool disk_close(fault *, int fd, const char *name);
/* removes a folder in another, with the files in it that checkpoints have. false: not all */
bool disk_remove(int folder, const char *name);

/* ---- write.c */
/* Writes a file of pieces, and tells what it became. room: CHUNK bytes. false: noted */
bool piece_file_write(fault *, int folder, int rank, piece_file *, char *room, saved_file *);

/* ---- draft.c: from a draft to a checkpoint */
enum { DRAFT_NAME = 64 };
typedef enum draft_wait {
	WAIT_LONG,  /* nothing is known of the others */
	WAIT_SHORT, /* all have done their part */
	WAIT_NO     /* one of them will not come */
} draft_wait;
typedef struct draft {
	int from;         /* the folder that the process was in; AT_FDCWD: it does not matter */
	const char *path; /* of the folder of all steps, */
	int dir;          /* which is open; -1: it is not */
	int folder;       /* the draft's */
	char name[DRAFT_NAME];
	int64_t step;
	int rank, size;
	str head;         /* index_begin() */
	int64_t keep;     /* 0: all */
	atomic_int waits; /* how long for notes: as draft_wait says */
	fault fault;
	bool left; /* older checkpoints could not be removed */
} draft;
/* for draft_make, wherever the process goes until then. false: noted */
bool draft_begin(draft *, const char *dir);
void draft_call(draft *); /* process 0: gives it a name that no other has */
/* Opens it, which the first process to come makes, and the folder of all steps. Process 0 removes
 * first what stopped programs left. false: noted */
bool draft_make(draft *);
/* leaves a note of the files that this process wrote, which are on the disk. false: noted */
bool draft_tell(draft *, const saved_file *, size_t n);
/* process 0: waits for all notes, and makes a checkpoint of the draft, with these files of its own
 * first. false: noted */
bool draft_commit(draft *, const saved_file *, size_t n);
void draft_drop(draft *); /* removes it, when nobody writes any more */
void draft_close(draft *);

/* ---- save.c */
/* ends a save that goes on behind the calls. false: it failed, which is recorded */
bool checkpoint_end_last(const call_site *);

/* ---- steps.c: the folder of all steps */
bool step_read(const char *name, int64_t *step); /* "12" */
/* the steps in the folder, ascending, in the arena. -1: recorded; a folder that is not there has
 * none */
int64_t steps_in(const call_site *, arena *, const char *dir, int64_t **out);

/* ---- device_file.c: the file of a device, to be read */
typedef struct device_file {
	const checkpoint *in;
	const saved_file *saved;
	int fd;
	str path;
	char *header;
	archive archive; /* of the header alone */
	void *offsets;   /* where the pieces begin in their arrays, as JSON */
	const char *hashes;
} device_file;
/* opens it and checks its size and header. false: recorded. device_file_close is due in either
 * case */
bool device_file_open(device_file *, const checkpoint *, const saved_file *);
void device_file_close(device_file *);
/* records what is wrong with the file, unless the lack of memory is recorded; false */
bool device_file_fail(const device_file *, const char *format, ...) PRINTF_LIKE(2, 3);
/* the place in the data of the piece of a leaf that has this box. false: recorded, it has none */
bool device_file_find(const device_file *, const saved_leaf *, const int64_t *start,
                      const int64_t *dims, size_t *begin);
/* bytes of the data. false: recorded, they cannot be read */
bool device_file_read(const device_file *, size_t at, size_t n, char *to);
/* Have n bytes the hash of chunk k? false: recorded */
bool device_file_check(const device_file *, size_t k, const char *chunk, size_t n);

/* ---- list.c */
const char *step_path(arena *, const char *dir, int64_t step); /* in the arena; NULL: recorded */

/* ---- needs.c: what devices want of a file, and how it gets to them */
typedef struct need {
	const saved_leaf *leaf;
	int64_t device;                          /* of the file */
	const int64_t *piece_start, *piece_dims; /* of the piece in the whole array */
	/* what is wanted: runs of bytes that are dense in the file and in the block */
	int n;                            /* dims that count them, the slowest first */
	const int64_t *count, *from, *to; /* how many, and strides in bytes here and there */
	int64_t run;                      /* bytes of each */
	int64_t from_begin, to_begin;     /* of the first one, in the piece and in the block */
	buffer *block;
	bool again; /* what the need before it wants, for another memory */
	/* while the file is read */
	size_t begin;       /* of the piece in the data */
	size_t first, last; /* the bytes between which the needs of this piece are */
	int64_t *at;        /* the run that is next */
	bool ended;
} need;
typedef struct needs {
	arena *arena;
	need **need;
	size_t n, cap;
} needs;
/* adds what the blocks of an array want of the pieces of a leaf. false: recorded */
bool needs_add(const checkpoint *, needs *, const saved_leaf *, const array *);
/* the same of all pieces of a leaf, without a block: to be looked for */
bool needs_add_all(const checkpoint *, needs *, const saved_leaf *);
void needs_free(needs *);

/* ---- read.c */
/* reads all that is needed, each file once. false: recorded */
bool needs_read(const checkpoint *, needs *);
/* reads all files, and checks every byte. false: recorded */
bool checkpoint_check(const checkpoint *);

#endif
