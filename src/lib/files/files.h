/* files.h - reads and writes files, parses the formats of arrays in them, and makes arrays of
 * these.
 *
 * Words: an `archive` is a file that holds arrays by name, a `stored` array one of these as the
 * file describes it. A `run` is a piece of a file without a gap. */
#ifndef TSR_SRC_LIB_FILES_H
#define TSR_SRC_LIB_FILES_H
#include "lib/lib.h"

/* ---- file.c: reading. Errors are TSR_ERROR_FILE and begin with the name of the operation */
typedef struct file_reader {
	base *base;
	const char *where, *op, *path;
	/* set by file_open */
	int fd;
	size_t size;     /* bytes, as a regular file says; 0: not known */
	bool regular;    /* any part of it can be read, in any order */
	int64_t changed; /* when, as it was opened */
	bool mapped;
	/* the file where it is mapped; else what was read until now, and a 0 behind it */
	char *bytes;
	size_t n, cap;
	char *page; /* the last page that small runs were read from */
	size_t page_at, page_bytes;
} file_reader;
/* false: recorded. file_close frees the bytes, too */
bool file_open(file_reader *);
/* n bytes of memory as a file, which file_close leaves alone */
void file_of_memory(file_reader *, const void *bytes, size_t n);
/* reads on until there are `upto` bytes, below SIZE_MAX - 1, or the file ends. false: recorded */
bool file_take(file_reader *, size_t upto);
/* n bytes of it. Where they are not in memory they are read into `room`, which has as many, or, for
 * NULL, kept with those before. Valid until the next call. NULL: recorded, they are not there */
const void *file_part(file_reader *, size_t offset, size_t n, void *room);
/* n bytes of an open file. Why they are not there; NULL: they are */
const char *fd_read_at(int fd, size_t offset, size_t n, char *to);
/* A run will be read as it is mapped. From a disk it then comes at once */
void file_wants(const file_reader *, size_t offset, size_t n);
/* Is it as it was when it was opened? false: recorded */
bool file_unchanged(file_reader *);
void file_close(file_reader *);
/* all bytes that a regular file or a pipe holds, in the same way; more than `most`, below SIZE_MAX,
 * are an error */
char *file_read(base *, const char *where, const char *op, const char *path, size_t most,
                size_t *n);

/* ---- file_write.c */
typedef struct file_writer {
	base *base;
	const char *where, *op, *path;
	/* set by file_begin */
	int fd;
	str target, name; /* of the file, and of a new one that takes its place */
	bool is_new;      /* false: what is there is written into */
	size_t at;        /* where the next bytes go */
	size_t most;      /* that the file may have */
	int error;        /* errno of the first failure; 0: there was none */
} file_writer;
/* false: recorded, and nothing is left to end */
bool file_begin(file_writer *);
bool file_put(file_writer *, const void *bytes, size_t n); /* false: file_end records it */
/* Writes go on at this place, where bytes were written before. false: likewise */
bool file_go(file_writer *, size_t at);
/* completes the file, if `ok` and nothing failed; else it stays as it was. Returns whether it did,
 * and records what failed in between */
bool file_end(file_writer *, bool ok);

/* ---- npy_format.c */
/* what the header of a file promises */
typedef struct npy {
	tsr_dtype dtype;
	int ndim;
	int64_t dims[MAX_NDIM];
	bool fortran, swapped; /* fortran: the first dim is the fastest; swapped: not the byte
	                          order of this machine */
	size_t offset, bytes;  /* where the data begins, and its size */
} npy;
enum { NPY_PREAMBLE = 12 }; /* bytes that suffice to tell how long the header is, */
size_t npy_header_bytes(const void *bytes, size_t n); /* counted from the start of the file */
/* Parses the header at the start of n bytes. false: an error whose text begins with `name`,
 * TSR_ERROR_FILE or, for a dtype that is not ours, TSR_ERROR_UNSUPPORTED. */
bool npy_parse_header(base *, const char *where, const char *name, const void *bytes, size_t n,
                      npy *);
/* Has a file of n bytes the data that its header promises? false: recorded */
bool npy_has_data(base *, const char *where, const char *name, const npy *, size_t n);
/* both */
bool npy_parse(base *, const char *where, const char *name, const void *bytes, size_t n, npy *);
/* the header numpy.save writes for a C-ordered little-endian array (version 1.0) */
void npy_header(str *out, tsr_dtype, const int64_t *dims, int ndim);
/* contiguous native data to little endian, or back, in place; nothing to do on most machines */
void npy_little_endian(void *data, size_t bytes, tsr_dtype);
/* what was copied from a file as it was, as elements: `swapped` as in npy; a bool becomes 0 or 1 */
void npy_native(void *data, size_t bytes, tsr_dtype, bool swapped);

/* ---- stored.c: arrays of a file as arrays of ours */
typedef struct stored {
	const char *name;
	tsr_dtype dtype; /* TSR_DTYPE_DEFAULT: none of ours */
	const char *own; /* what the file calls it then */
	int ndim;
	const int64_t *dims;
	bool fortran, swapped; /* as in npy */
	size_t offset, bytes;  /* of its elements in the file */
	const char *unpacked;  /* its elements, where they are compressed in the file; or NULL */
	/* for the archive's own use */
	size_t begin, end; /* what it takes of the file */
	uint64_t place[2];
	size_t header; /* bytes in front of its elements */
	bool packed;   /* it is compressed */
	bool known;    /* all of the above is set */
} stored;
/* an array of it (its dtype is one of ours), where the sharding says: each device reads its own
 * part. turned: its last two dims are exchanged. NULL: recorded */
array *stored_array(tsr_ctx *, file_reader *, const stored *, bool turned, const sharding *,
                    bool committed);

/* ---- archive.c */
typedef struct archive archive;
typedef struct text_pair {
	const char *key, *text;
} text_pair;
/* an array to be saved; `turned` as in stored_array, and dims as they are in the file */
typedef struct saved {
	const char *name;
	const array *of;
	bool turned;
	int64_t dims[MAX_NDIM];
	size_t bytes;
} saved;
typedef struct saving saving;
typedef struct archive_type {
	const char *ending; /* of names of files */
	/* false: recorded */
	bool (*open)(archive *);              /* finds all arrays */
	bool (*look)(archive *, stored *);    /* finds out all about one; NULL: `open` did */
	char *(*unpack)(archive *, stored *); /* the elements of a packed one, to be freed */
	void (*close)(archive *);
	/* why it cannot have an array of this name or dtype; NULL: it can */
	const char *(*fault)(const saved *);
	bool (*save)(saving *, file_writer *);
} archive_type;
extern const archive_type npz_type, safetensors_type;
extern const archive_type npy_type; /* of one array, without a name: to be listed */
/* the type that the ending of a path names, with or without those of one array; NULL: recorded */
const archive_type *archive_type_of(base *, const char *where, const char *op, const char *path,
                                    bool of_one);

struct archive {
	file_reader file; /* open; archive_close closes it */
	const archive_type *type;
	/* set by archive_open */
	arena *arena;
	stored **array; /* in the order of the file */
	size_t n, cap;
	table names;
	text_pair *note; /* what else a .safetensors file says of itself: its __metadata__ */
	size_t nnotes;
	void *own; /* of its type */
};
/* false: recorded. archive_close is due in either case */
bool archive_open(archive *);
void archive_close(archive *);
/* for types: one more array, of a name that no other has. NULL: recorded */
stored *archive_add(archive *, const char *name);
bool archive_know(archive *, stored *); /* finds out all about it. false: recorded */
/* an array by its name, known. NULL: recorded, with some of the names that there are */
stored *archive_find(archive *, const char *name);
/* records what is wrong with the file, or with an array in it (or NULL); false */
bool archive_fail(const archive *, const stored *, tsr_code, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* none of the arrays that are known overlaps another in the file. false: recorded */
bool archive_is_disjoint(archive *);
bool archive_has_dtype(const archive *, const stored *); /* one of ours. false: recorded */
/* as stored_array */
array *archive_array(archive *, tsr_ctx *, stored *, bool turned, const sharding *,
                     bool committed);

/* ---- safetensors.c: its names of dtypes; NULL, or TSR_DTYPE_DEFAULT: there is none */
const char *safetensors_dtype(tsr_dtype);
tsr_dtype safetensors_named(const char *name);

/* ---- save.c: what is saved */
struct saving {
	const char *where;
	tsr_ctx *ctx;
	saved *array;
	size_t n;
	char *room; /* for the elements of the largest */
};
/* the elements as they are in the file. NULL: recorded. Valid until the next call */
const void *saved_bytes(saving *, const saved *);

/* ---- names.c */
typedef struct turned_name {
	const char *name;
	bool found;
} turned_name;
typedef struct leaf_names {
	const char **name; /* of each leaf: its path, or what the caller says; NULL: in no file */
	bool *is_turned;   /* of each leaf: as in stored_array */
	turned_name *turned;
	size_t nturned;
} leaf_names;
/* reads the keywords of tsr_save() and tsr_load(); the lists are in the arena. false: recorded */
bool leaf_names_read(const call_site *, arena *, tsr_tree, const tsr_names *names,
                     const tsr_names *turned, leaf_names *out);

#endif
