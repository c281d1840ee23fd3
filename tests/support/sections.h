/* sections.h - examples of C at the heads of sources, each with a section in a test that runs it.
 *
 * The section begins with the line "---- FILE" as a comment, and ends where the next one begins.
 * It has the lines of the example in their order, so that the head shows what is compiled there.
 * How much space is between two words does not count. support/heads.h has the form. */
#ifndef TSR_TESTS_SECTIONS_H
#define TSR_TESTS_SECTIONS_H
#include <stdbool.h>

/* Has the section the lines of a source's example, and is the text what the head says? If not, the
 * reason is on stderr */
bool head_is_shown(const char *test, const char *file, const char *text);

#endif
