/* replay.c - runs a fuzzer's entry on stored inputs, without libFuzzer: replay FILE-OR-FOLDER...
 *
 * Exit status 1 when an argument cannot be read or when no input was found at all. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* the whole file in memory of exactly its size, so that a sanitizer sees a read past its end */
static uint8_t *read_all(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	if (!file) return NULL;
	struct stat about;
	uint8_t *data = NULL;
	if (fstat(fileno(file), &about) == 0) {
		*size = (size_t)about.st_size;
		data = malloc(*size ? *size : 1);
		if (data && fread(data, 1, *size, file) != *size) {
			free(data);
			data = NULL;
		}
	}
	fclose(file);
	return data;
}

static int replay_file(const char *path, int *count)
{
	size_t size;
	uint8_t *data = read_all(path, &size);

	if (!data) {
		fprintf(stderr, "replay: cannot read %s\n", path);
		return 1;
	}
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	++*count;
	return 0;
}

static int replay(const char *path, int *count)
{
	DIR *dir = opendir(path);
	if (!dir) return replay_file(path, count);

	int status = 0;
	for (const struct dirent *entry; (entry = readdir(dir));) {
		char name[4096];
		if (entry->d_name[0] == '.') continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		status |= replay_file(name, count);
	}
	closedir(dir);
	return status;
}

int main(int argc, char **argv)
{
	int count = 0, status = 0;

	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++) status |= replay(argv[i], &count);
	printf("%d stored inputs\n", count);
	return status || count == 0;
}
