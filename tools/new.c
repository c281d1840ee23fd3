/* new.c - begins a project: writes the files of template/, with the project's name in them.
 *
 * Example: `tsr new work/net`, by /usr/bin/tsr, writes work/net/Makefile from template/Makefile.
 * @NAME@ becomes net, @PREFIX@ /usr, and @PKGCONFIG@ /usr/lib/x86_64-linux-gnu/pkgconfig; these two
 * are empty where the library was not installed. The name template/gitignore becomes .gitignore. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tool.h"

static const struct file {
	const char *name, *text;
} files[] = {
#include "template.inc"
};
enum { NFILES = sizeof files / sizeof *files };

typedef struct project {
	const char *folder, *name; /* work/net, net */
	char prefix[PATH_MAX], pkgconfig[PATH_MAX];
} project;

/* letters, digits, - and _, so that it can be the name of a program and of a target */
static bool good_name(const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	static const char others[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789-_";

	return strspn(name, letters) > 0 && !name[strspn(name, others)] && strlen(name) <= 64;
}

/* where the library is installed that this tool belongs to: PREFIX/bin/tsr and PREFIX/TSR_LIBDIR */
static void find_library(project *p)
{
	char self[PATH_MAX], file[PATH_MAX + 64];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash = NULL;

	self[n > 0 ? n : 0] = 0;
	for (int up = 0; up < 2; up++)
		if ((slash = strrchr(self, '/'))) *slash = 0;
	snprintf(file, sizeof file, "%s/%s/pkgconfig/tsr.pc", self, TSR_LIBDIR);
	if (!slash || strlen(file) >= PATH_MAX || access(file, R_OK) != 0) return;
	strcpy(p->prefix, self);
	*strrchr(file, '/') = 0;
	strcpy(p->pkgconfig, file);
}

static void write_text(FILE *out, const project *p, const char *text)
{
	const struct {
		const char *mark, *is;
	} marks[] = {{"@NAME@", p->name}, {"@PREFIX@", p->prefix}, {"@PKGCONFIG@", p->pkgconfig}};

	while (*text) {
		size_t passed = 0;
		for (size_t k = 0; *text == '@' && k < sizeof marks / sizeof *marks; k++) {
			if (strncmp(text, marks[k].mark, strlen(marks[k].mark)) != 0) continue;
			fputs(marks[k].is, out);
			passed = strlen(marks[k].mark);
			break;
		}
		if (!passed) fputc(*text++, out);
		text += passed;
	}
}

/* the path of a file of the project: the caller frees it; NULL without memory */
static char *path_of(const project *p, const struct file *f)
{
	const bool hidden = strcmp(f->name, "gitignore") == 0;
	char *path;

	return asprintf(&path, "%s/%s%s", p->folder, hidden ? "." : "", f->name) < 0 ? NULL : path;
}

/* false: errno says why it could not be written */
static bool write_file(const project *p, const struct file *f)
{
	char *path = path_of(p, f);
	FILE *out = path ? fopen(path, "wx") : NULL;
	bool written = out != NULL;

	free(path);
	if (!out) return false;
	write_text(out, p, f->text);
	written = fflush(out) == 0 && !ferror(out);
	const int why = errno;
	if (fclose(out) != 0 && written) return false;
	errno = why;
	return written;
}

static void take_back(const project *p)
{
	for (int k = 0; k < NFILES; k++) {
		char *path = path_of(p, &files[k]);
		if (path) unlink(path);
		free(path);
	}
	rmdir(p->folder);
}

/* says what errno says of a file of the folder, or of the folder itself, "" */
static int failed(const char *folder, const char *file)
{
	const char *why = strerror(errno);

	fputs("tsr: ", stderr);
	write_name(stderr, folder);
	fprintf(stderr, "%s%s: %s\n", *file ? "/" : "", file, why);
	return FAILED;
}

int do_new(const options *o)
{
	project p = {.folder = o->file};

	if (!o->file) return misuse(o, "a NAME is missing", "");
	if (o->ninputs) return misuse(o, "new takes one NAME", o->input[0]);
	p.name = strrchr(o->file, '/') ? strrchr(o->file, '/') + 1 : o->file;
	if (!good_name(p.name))
		return misuse(o, "a NAME is a letter and further letters, digits, - and _",
		              o->file);
	find_library(&p);
	signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error like others */
	if (mkdir(p.folder, 0777) != 0) return failed(p.folder, "");
	for (int k = 0; k < NFILES; k++) {
		if (write_file(&p, &files[k])) continue;
		failed(p.folder, files[k].name);
		take_back(&p);
		return FAILED;
	}
	fputs("a project: make -C ", stdout);
	write_name(stdout, p.folder);
	fputs(" run\n", stdout);
	return flush_output();
}
