/* disk.c - calls the system for checkpoints, from any thread: failures are noted.
 *
 * Files are opened in folders that are open, so it does not matter where the process goes. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/checkpoint/checkpoint.h"

bool fault_note(fault *f, const char *name)
{
	if (f->error) return false;
	f->error = errno ? errno : EIO;
	snprintf(f->what, sizeof f->what, "%s", name);
	return false;
}

bool disk_write(fault *f, int fd, const char *name, const void *bytes, size_t n, size_t at)
{
	while (n) {
		const ssize_t done = pwrite(fd, bytes, n, (off_t)at);
		if (done < 0 && errno == EINTR) continue;
		if (done < 0) return fault_note(f, name);
		bytes = (const char *)bytes + done;
		n -= (size_t)done;
		at += (size_t)done;
	}
	return true;
}

void disk_begin(int fd, size_t at, size_t n)
{
	sync_file_range(fd, (off_t)at, (off_t)n, SYNC_FILE_RANGE_WRITE);
}

bool disk_sync(fault *f, int fd, const char *name) { return fsync(fd) == 0 || fault_note(f, name); }

int disk_create(fault *f, int folder, const char *name)
{
	const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0) fault_note(f, name);
	return fd;
}

bool disk_close(fault *f, int fd, const char *name)
{
	return close(fd) == 0 || fault_note(f, name);
}

static bool ends_in(const char *name, const char *ending)
{
	const size_t n = strlen(name), m = strlen(ending);

	return n > m && strcmp(name + n - m, ending) == 0;
}

bool disk_remove(int folder, const char *name)
{
	const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	for (const struct dirent *e; list && (e = readdir(list));)
		if (strcmp(e->d_name, INDEX_NAME) == 0 || ends_in(e->d_name, ".safetensors") ||
		    ends_in(e->d_name, ".note"))
			unlinkat(fd, e->d_name, 0);
	if (list)
		closedir(list);
	else if (fd >= 0)
		close(fd);
	return unlinkat(folder, name, AT_REMOVEDIR) == 0;
}
