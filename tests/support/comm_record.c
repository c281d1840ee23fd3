/* comm_record.c - one process of many that sends nothing, and writes down its messages. */
#include "support/comm_record.h"
#include <stdlib.h>

typedef struct record {
	comm comm;
	record_place *place;
	int node[];
} record;

struct transfer {
	bool waits; /* for anyone: never over */
};

static comm *record_open(const void *given, char why[COMM_WHY])
{
	record_place *at = (record_place *)(uintptr_t)given;
	record *r = calloc(1, sizeof *r + (size_t)at->size * sizeof *r->node);

	(void)why;
	r->comm = (comm){.type = &record_comm, .rank = at->rank, .size = at->size, .node = r->node};
	r->place = at;
	for (int i = 0; i < at->size; i++) r->node[i] = i;
	return &r->comm;
}

static void note(record_place *at, const message *m, bool out)
{
	if (at->all && at->n < at->most)
		at->all[at->n] = (recorded){m->peer, m->tag, m->bytes, out};
	at->n++;
}

static transfer *record_start(comm *c, const message *out, int nout, const message *in, int nin)
{
	record_place *at = ((record *)c)->place;
	transfer *t = calloc(1, sizeof *t);

	for (int i = 0; i < nout; i++) note(at, &out[i], true);
	for (int i = 0; i < nin; i++) {
		const bool same =
			i < nout && in[i].tag == out[i].tag && in[i].bytes == out[i].bytes;
		t->waits |= in[i].peer == COMM_ANY;
		if (in[i].peer == COMM_ANY) continue;
		note(at, &in[i], false);
		if (in[i].bytes && same) memcpy(in[i].data, out[i].data, in[i].bytes);
		if (in[i].bytes && !same) memset(in[i].data, 0, in[i].bytes);
	}
	return t;
}

static comm_state record_test(comm *c, transfer *t)
{
	(void)c;
	if (t->waits) return COMM_BUSY;
	free(t);
	return COMM_DONE;
}

static comm_state record_drop(comm *c, int peer, int tag)
{
	(void)c, (void)peer, (void)tag;
	return COMM_DONE;
}

static void record_cancel(comm *c, transfer *t)
{
	(void)c;
	free(t);
}

static void record_stop(comm *c) { (void)c; }

static void *record_board(comm *c, size_t bytes)
{
	(void)c, (void)bytes;
	return NULL;
}

static void record_close(comm *c, bool whole)
{
	(void)whole;
	free(c);
}

const comm_type record_comm = {.abi = COMM_ABI,
                               .name = "record",
                               .open = record_open,
                               .start = record_start,
                               .test = record_test,
                               .drop = record_drop,
                               .cancel = record_cancel,
                               .stop = record_stop,
                               .board = record_board,
                               .close = record_close};
