/* memo.c - remembers the results of passes until the outermost pass ends.
 *
 * The rule of a loop looks for a fixpoint: it transforms the body until the result no longer
 * changes, and then once more for the final body. In a nest of loops each level would thus
 * transform the next one at least twice, which makes 2^depth times for the innermost.
 *
 * Example, where a pass asks twice for this program, and then for it with another argument:
 *
 *     f(%0: f32[4]) -> f32[4] {
 *       %1: f32[4] = sin %0
 *       return %1
 *     }
 *
 * The result is made once for each argument. It is forgotten in the end, as few passes ask again:
 *
 *     inside another pass: made, known, with another argument made, after its end made */
#include "program/program.h"

struct memo_entry {
	const char *pass;
	const program *from; /* a reference, so that no other program gets its address */
	program *to[2];
	size_t nkey, ntold;
	unsigned char bytes[]; /* the arguments, then the answer that is not a program */
};

void memo_open(ir *r)
{
	r->made.base = r->base;
	r->passes++;
}

static void made_free(base *bs, void *entry)
{
	struct memo_entry *m = entry;

	program_release(m->from);
	program_release(m->to[0]);
	program_release(m->to[1]);
	mem_free(bs, m);
}

void memo_close(ir *r)
{
	if (--r->passes == 0) table_free(&r->made, made_free);
}

static bool same_made(const void *entry, const void *key)
{
	const struct memo_entry *a = entry, *b = key;

	return a->pass == b->pass && a->from == b->from && a->nkey == b->nkey &&
	       memcmp(a->bytes, b->bytes, a->nkey) == 0;
}

static uint64_t made_hash(const struct memo_entry *m)
{
	return hash_bytes(m->bytes, m->nkey,
	                  hash_u64((uint64_t)(uintptr_t)m->from, (uint64_t)(uintptr_t)m->pass));
}

/* an entry for this question, without an answer; NULL: no memory */
static struct memo_entry *ask(const char *pass, const program *p, const memo_part *part, int n,
                              size_t ntold)
{
	size_t nkey = 0, at = 0;

	for (int i = 0; i < n; i++) nkey += part[i].bytes;
	struct memo_entry *m = mem_zalloc(p->ir->base, sizeof *m + nkey + ntold);
	if (!m) return NULL;
	program_retain(p);
	m->pass = pass;
	m->from = p;
	m->nkey = nkey;
	m->ntold = ntold;
	for (int i = 0; i < n; i++) {
		if (part[i].bytes) memcpy(m->bytes + at, part[i].at, part[i].bytes);
		at += part[i].bytes;
	}
	return m;
}

static void answer(memo *m, const struct memo_entry *known)
{
	if (known->ntold) memcpy(m->told, known->bytes + known->nkey, known->ntold);
	for (int i = 0; i < 2; i++) {
		m->to[i] = known->to[i];
		if (m->to[i]) program_retain(m->to[i]);
	}
}

bool memo_begin(memo *m, const char *pass, const program *p, const memo_part *part, int n,
                void *told, size_t ntold)
{
	*m = (memo){.ir = p->ir, .told = told};
	memo_open(m->ir);
	struct memo_entry *asked = ask(pass, p, part, n, ntold);
	const struct memo_entry *known =
		asked ? table_find(&m->ir->made, made_hash(asked), same_made, asked) : NULL;
	m->asked = known ? NULL : asked;
	if (!known) return asked;
	answer(m, known);
	made_free(m->ir->base, asked);
	return false;
}

/* the answer, into the entry */
static bool remember(const memo *m)
{
	struct memo_entry *known = m->asked;

	if (known->ntold) memcpy(known->bytes + known->nkey, m->told, known->ntold);
	for (int i = 0; i < 2; i++) {
		known->to[i] = m->to[i];
		if (m->to[i]) program_retain(m->to[i]);
	}
	return table_add(&m->ir->made, made_hash(known), known);
}

program *memo_end(memo *m)
{
	if (m->asked && !(m->to[0] && remember(m))) {
		made_free(m->ir->base, m->asked);
		program_release(m->to[0]);
		program_release(m->to[1]);
		m->to[0] = m->to[1] = NULL;
	}
	memo_close(m->ir);
	return m->to[0];
}
