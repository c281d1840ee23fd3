/* folder.h - gives a program a new folder to work in, so that its files have the plain names that
 * documents use. */
#ifndef TSR_TESTS_DOCUMENTS_FOLDER_H
#define TSR_TESTS_DOCUMENTS_FOLDER_H
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* what is written there is left to the system's folder of temporary files, and is small */
static inline bool in_new_folder(void)
{
	char folder[] = "/tmp/tsr-documents-XXXXXX";
	return mkdtemp(folder) && chdir(folder) == 0;
}

#endif
