/* heads.h - reads the worked examples at the heads of sources, so that none goes stale.
 *
 * An example is in the first comment of a file, behind a line that begins with "Example": a
 * program, indented (a line that begins with a parameter goes on from the one before), then, after
 * a line that is not indented, what becomes of it, indented too. There ".." stands for anything. */
#ifndef TSR_TESTS_HEADS_H
#define TSR_TESTS_HEADS_H
#include <stdbool.h>
#include <stddef.h>

typedef struct head_example {
	int number; /* the first in the line that begins with "Example"; 0: none */
	char *program; /* or whatever stands there */
	char *lines; /* of what becomes of it, without the spaces before them */
} head_example;

/* false: there is none. Nothing has to become of it. */
bool head_example_read(const char *path, head_example *);
void head_example_free(head_example *);
/* The indented lines of the first comment of a file, without the spaces before them; for each other
 * line an empty one. To be freed. NULL: there is no comment */
char *head_indented(const char *path);
/* Does a line of a program go on from the one before? It begins with a parameter: NAME=... */
bool line_goes_on(const char *line);
/* Is the line, of n characters, what the pattern says? */
bool line_fits(const char *line, size_t n, const char *pattern);
/* The text with one space for each run of space, and none at the ends. To be freed. NULL: no
 * memory */
char *squeeze(const char *text, size_t n);
/* Is the text what the pattern says, however much space is between two words? */
bool text_fits(const char *text, const char *pattern);

#endif
