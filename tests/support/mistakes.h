/* mistakes.h - tables of mistakes: each is made in a fresh context, and the message is compared:
 * the code, the place of the call, and the facts that the text must carry. Then the error is
 * cleared, a good call must succeed, and the context must close clean. */
#ifndef TSR_TESTS_MISTAKES_H
#define TSR_TESTS_MISTAKES_H
#include <stddef.h>
#include <tsr/tsr.h>

enum { MISTAKE_FACTS = 8 };

typedef struct world {
	tsr_ctx *ctx, *other;    /* eight devices each */
	tsr_mesh *mesh;          /* x:4, y:2 */
	tsr *a, *b, *v, *i;      /* f32[8,16], f32[16,4], f32[6], i32[8] */
	tsr *elsewhere;          /* f32[8,16] of the other context */
	int line;                /* of the call that is wrong */
} world;

/* notes the line of the call in it */
#define WRONG(w, call) ((w)->line = __LINE__, (call))

typedef struct mistake {
	const char *name;
	tsr *(*make)(world *); /* gives what the wrong call gave, NULL for calls without a handle */
	tsr_code code;
	const char *fact[MISTAKE_FACTS];
} mistake;
#define MISTAKE(f, code, ...) {#f, f, code, {__VA_ARGS__}}

/* file: name of the file that holds the calls. Prints what is wrong with each, and gives how many
 * are. */
int mistakes_check(const char *file, const mistake *table, size_t count);

/* A log hook that counts the errors it gets in *(int *)user, which may be NULL. */
void mistakes_log(void *user, int level, const char *text);

#endif
