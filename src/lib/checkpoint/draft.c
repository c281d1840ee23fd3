/* draft.c - makes a checkpoint of a draft, at one stroke.
 *
 *     process 0                          process 1
 *     mkdir dir/12.draft-PID-TIME        opens it, or makes it if it is sooner
 *     writes 00000-*.safetensors         writes 00001-*.safetensors      each is synced
 *                                        leaves 00001.note, which has its lines of the index
 *     reads 00001.note
 *     writes index.json, syncs it
 *     removes the notes, syncs the draft
 *     renames it to dir/12, syncs dir
 *
 * A process may be stopped anywhere: there is no dir/12 then, or one that is complete. The notes
 * go by way of the disk, which all processes share anyway, so a thread can wait for them where
 * nothing else may talk to other processes. The next program that saves there removes the draft of
 * a stopped one: process 0 holds a lock on its draft as long as it lives. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "lib/checkpoint/checkpoint.h"

#define DRAFT ".draft-"
enum { NOTE_NAME = 32 };

/* ---- the folders */

bool draft_begin(draft *d, const char *dir)
{
	d->path = dir;
	if (*dir != '/') d->from = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return d->from != -1 || fault_note(&d->fault, ".");
}

void draft_call(draft *d)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(d->name, sizeof d->name, "%lld" DRAFT "%ld-%llx", (long long)d->step,
	         (long)getpid(), now.tv_sec * 1000000000ll + now.tv_nsec);
}

/* a new folder is on the disk when its parent is */
static bool sync_parent(draft *d)
{
	const int parent = openat(d->dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool ok =
		parent >= 0 ? disk_sync(&d->fault, parent, "..") : fault_note(&d->fault, "..");

	if (parent >= 0) close(parent);
	return ok;
}

/* the folder of all steps */
static bool open_dir(draft *d)
{
	const int made = mkdirat(d->from, d->path, 0777);

	if (made != 0 && errno != EEXIST) return fault_note(&d->fault, d->path);
	d->dir = openat(d->from, d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->dir < 0) return fault_note(&d->fault, d->path);
	return made != 0 || sync_parent(d);
}

/* ---- drafts of stopped programs */

/* calls `each` with the names in the folder of all steps */
static void for_each_name(draft *d, void (*each)(draft *, const char *name, void *of), void *of)
{
	const int fd = openat(d->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	for (const struct dirent *e; list && (e = readdir(list));) each(d, e->d_name, of);
	if (list)
		closedir(list);
	else if (fd >= 0)
		close(fd);
}

/* as draft_call names them: nothing else is touched */
static bool is_draft(const char *name)
{
	const char *at = strchr(name, '.');
	char step[DRAFT_NAME];
	int64_t number;

	if (!at || (size_t)(at - name) >= sizeof step) return false;
	snprintf(step, sizeof step, "%.*s", (int)(at - name), name);
	if (!step_read(step, &number) || strncmp(at, DRAFT, strlen(DRAFT)) != 0) return false;
	at += strlen(DRAFT);
	const size_t pid = strspn(at, "0123456789");
	const size_t time = at[pid] == '-' ? strspn(at + pid + 1, "0123456789abcdef") : 0;
	return pid && time && !at[pid + 1 + time];
}

/* a draft that nobody writes any more: its lock can be had */
static void sweep(draft *d, const char *name, void *of)
{
	int fd;

	(void)of;
	if (!is_draft(name) || strcmp(name, d->name) == 0) return;
	fd = openat(d->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) disk_remove(d->dir, name);
	close(fd);
}

/* ---- a draft */

/* process 0 says whether the step can be saved, and has the lock: that of the open folder. A file
 * system that has none does without */
static bool own_folder(draft *d)
{
	struct stat about;
	char step[DRAFT_NAME];

	snprintf(step, sizeof step, "%lld", (long long)d->step);
	errno = EEXIST;
	if (fstatat(d->dir, step, &about, AT_SYMLINK_NOFOLLOW) == 0)
		return fault_note(&d->fault, step);
	if (flock(d->folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
	return fault_note(&d->fault, d->name); /* somebody thought that it was left */
}

bool draft_make(draft *d)
{
	if (!open_dir(d)) return false;
	if (!d->rank) for_each_name(d, sweep, NULL);
	if (mkdirat(d->dir, d->name, 0777) != 0 && errno != EEXIST)
		return fault_note(&d->fault, d->name);
	d->folder = openat(d->dir, d->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->folder < 0) return fault_note(&d->fault, d->name);
	return d->rank || own_folder(d);
}

void draft_drop(draft *d)
{
	if (d->folder >= 0) disk_remove(d->dir, d->name);
}

void draft_close(draft *d)
{
	if (d->folder >= 0) close(d->folder);
	if (d->dir >= 0) close(d->dir);
	if (d->from >= 0) close(d->from);
	d->folder = d->dir = d->from = -1;
}

/* ---- notes */

static void note_name(char out[NOTE_NAME], int rank)
{
	snprintf(out, NOTE_NAME, "%05d.note", rank);
}

/* text that goes to a file, which is hashed on the way */
typedef struct sink {
	fault *fault;
	const char *name;
	int fd;
	size_t at, n;
	hash_stream hash;
	char room[1 << 14];
} sink;

static bool sink_flush(sink *s)
{
	const bool ok = disk_write(s->fault, s->fd, s->name, s->room, s->n, s->at);

	s->at += s->n;
	s->n = 0;
	return ok;
}

static bool sink_put(sink *s, const char *text, size_t n)
{
	hash_more(&s->hash, text, n);
	while (n) {
		const size_t here = sizeof s->room - s->n < n ? sizeof s->room - s->n : n;
		memcpy(s->room + s->n, text, here);
		s->n += here;
		text += here;
		n -= here;
		if (s->n == sizeof s->room && !sink_flush(s)) return false;
	}
	return true;
}

/* lines of the index, one a file, with a comma between two */
static bool put_lines(sink *s, const saved_file *f, size_t n)
{
	char line[INDEX_LINE];

	for (size_t k = 0; k < n; k++) {
		index_line(line, sizeof line, &f[k]);
		if (k && !sink_put(s, ",\n", 2)) return false;
		if (!sink_put(s, line, strlen(line))) return false;
	}
	return true;
}

bool draft_tell(draft *d, const saved_file *f, size_t n)
{
	char name[NOTE_NAME], made[NOTE_NAME + 8];

	note_name(name, d->rank);
	snprintf(made, sizeof made, "new-%s", name);
	sink s = {.fault = &d->fault, .name = made, .fd = disk_create(&d->fault, d->folder, made)};
	if (s.fd < 0) return false;
	hash_begin(&s.hash);
	const bool ok = put_lines(&s, f, n) && sink_flush(&s) && disk_sync(&d->fault, s.fd, made);
	if (!disk_close(&d->fault, s.fd, made) || !ok || !disk_sync(&d->fault, d->folder, d->name))
		return false;
	return renameat(d->folder, made, d->folder, name) == 0 || fault_note(&d->fault, name);
}

/* does it go on, after another wait of 5 ms? */
static bool waits_on(draft *d, int *polls)
{
	enum { SHORT = 60 * 200 }; /* a minute */
	const int wait = atomic_load(&d->waits);

	if (wait == WAIT_NO || (wait == WAIT_SHORT && ++*polls > SHORT)) return false;
	nanosleep(&(struct timespec){0, 5000000}, NULL);
	return true;
}

/* opens a note, which may come later: other machines see it with a delay. -1: noted, but for what
 * another process failed to do */
static int wait_for_note(draft *d, const char *name)
{
	int polls = 0, fd;

	while ((fd = openat(d->folder, name, O_RDONLY | O_CLOEXEC)) < 0) {
		if (errno == ENOENT && waits_on(d, &polls)) continue;
		if (errno != ENOENT || atomic_load(&d->waits) != WAIT_NO)
			fault_note(&d->fault, name);
		return -1;
	}
	return fd;
}

/* any: there is a line already */
static bool copy_note(draft *d, sink *s, int rank, bool *any)
{
	char name[NOTE_NAME], room[1 << 12];
	bool ok = true;

	note_name(name, rank);
	const int fd = wait_for_note(d, name);
	if (fd < 0) return false;
	for (ssize_t n = 1, all = 0; ok && n; all += n) {
		while ((n = read(fd, room, sizeof room)) < 0 && errno == EINTR) {
		}
		if (n < 0) ok = fault_note(&d->fault, name);
		if (n <= 0) break;
		ok = (all || !*any || sink_put(s, ",\n", 2)) && sink_put(s, room, (size_t)n);
		*any = true;
	}
	close(fd);
	return ok;
}

static bool write_index(draft *d, const saved_file *f, size_t n)
{
	char end[INDEX_END];
	bool any = n;
	sink s = {.fault = &d->fault,
	          .name = INDEX_NAME,
	          .fd = disk_create(&d->fault, d->folder, INDEX_NAME)};

	if (s.fd < 0) return false;
	hash_begin(&s.hash);
	bool ok = sink_put(&s, d->head.s, d->head.len) && put_lines(&s, f, n);
	for (int rank = 1; ok && rank < d->size; rank++) ok = copy_note(d, &s, rank, &any);
	ok = ok && sink_put(&s, "]", 1);
	if (ok) index_end(end, hash_end(&s.hash));
	ok = ok && sink_put(&s, end, strlen(end)) && sink_flush(&s) &&
	     disk_sync(&d->fault, s.fd, INDEX_NAME);
	return disk_close(&d->fault, s.fd, INDEX_NAME) && ok;
}

/* ---- the end */

/* it gets the name of a draft first: the next save removes it if this one cannot */
static bool remove_step(draft *d, int64_t step)
{
	char name[DRAFT_NAME], gone[DRAFT_NAME];

	snprintf(name, sizeof name, "%lld", (long long)step);
	snprintf(gone, sizeof gone, "%lld" DRAFT "%ld-0", (long long)step, (long)getpid());
	return renameat(d->dir, name, d->dir, gone) == 0 && disk_remove(d->dir, gone);
}

/* the oldest of the others, and how many they are */
typedef struct oldest {
	int64_t step, count;
} oldest;

static void look_for_oldest(draft *d, const char *name, void *of)
{
	oldest *o = of;
	int64_t step;
	char index[DRAFT_NAME + sizeof INDEX_NAME];

	if (!step_read(name, &step) || step == d->step) return;
	snprintf(index, sizeof index, "%lld/" INDEX_NAME, (long long)step);
	if (faccessat(d->dir, index, F_OK, 0) != 0) return; /* it is something else */
	if (!o->count++ || step < o->step) o->step = step;
}

static void keep_some(draft *d)
{
	for (oldest o = {0}; d->keep; o = (oldest){0}) {
		for_each_name(d, look_for_oldest, &o);
		if (o.count < d->keep) return;
		if (remove_step(d, o.step)) continue;
		d->left = true;
		return;
	}
}

bool draft_commit(draft *d, const saved_file *f, size_t n)
{
	char name[NOTE_NAME], step[DRAFT_NAME];

	if (!write_index(d, f, n)) return false;
	for (int rank = 1; rank < d->size; rank++) {
		note_name(name, rank);
		unlinkat(d->folder, name, 0);
	}
	if (!disk_sync(&d->fault, d->folder, d->name)) return false;
	snprintf(step, sizeof step, "%lld", (long long)d->step);
	if (renameat(d->dir, d->name, d->dir, step) != 0) return fault_note(&d->fault, step);
	if (!disk_sync(&d->fault, d->dir, step)) return false;
	keep_some(d);
	return true;
}
