/* mpi.c - provides the comm `mpi`: a plug-in that is built with one MPI, and alone calls it.
 *
 * It needs little of MPI: messages that do not wait, on a communicator of our own, and memory that
 * the ranks of a node share. Functions that wait for others are called to open and to close alone.
 *
 * MPI can be initialised once in a process, and not again after it was finalised. So if a context
 * initialises it, that is finalised when the process exits: others may be open, or are opened
 * later. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"

/* Open MPI copies all of a long message into memory that is shared, before the receiver takes any
 * of it out. The others take it from where it is, and only want lengths that are ints */
#ifdef OPEN_MPI
enum { PIECE = TUNE_OPENMPI_PIECE };
#else
enum { PIECE = 1 << 30 };
#endif

typedef struct mpi_comm {
	comm comm;
	MPI_Comm on;   /* ours alone */
	MPI_Win board; /* MPI_WIN_NULL: there is none */
	int *node;
	transfer *live;
	void *dropped; /* a message that nobody wants, */
	transfer *dropping;
} mpi_comm;

struct transfer {
	transfer *next, **at; /* among those that are not over */
	int n, receives;      /* these come first */
	int *bytes;           /* that each of them expects; behind the requests */
	MPI_Request *request; /* behind it, */
	MPI_Status *status;   /* as is this */
};

static comm *give_up(mpi_comm *m, char why[COMM_WHY], const char *text)
{
	snprintf(why, COMM_WHY, "%s", text);
	if (m) free(m->node);
	free(m);
	return NULL;
}

static bool failed_in(mpi_comm *m, const char *what, int code)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int n;

	if (code == MPI_SUCCESS) return false;
	MPI_Error_string(code, text, &n);
	snprintf(m->comm.why, COMM_WHY, "%s: %s", what, text);
	return true;
}

/* ---- open */

/* the number of processes that a launcher says it has started, or 0 */
static int launched(const char **by)
{
	static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
	                                        "MPI_LOCALNRANKS"};

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *text = getenv(*by = variables[i]);
		if (text && atoi(text) > 0) return atoi(text);
	}
	return 0;
}

static struct {
	pid_t initialised; /* the process in which we did; not what it forks */
	int open;          /* contexts */
	bool whole;        /* the last one was closed by all */
} ours;

/* When the process exits. If some are still open, or the last one was closed by this process alone,
 * others may not come here, and MPI would wait for them */
static void finalise(void)
{
	int finalised = 0;

	if (ours.initialised != getpid() || ours.open || !ours.whole) return;
	MPI_Finalized(&finalised);
	if (!finalised) MPI_Finalize();
}

static bool initialise(const MPI_Comm *given, char why[COMM_WHY])
{
	int flag = 0, level = MPI_THREAD_SINGLE, main_thread = 1;

	MPI_Finalized(&flag);
	if (flag)
		return give_up(NULL, why, "MPI was finalised already; open the context before"),
		       false;
	MPI_Initialized(&flag);
	if (!flag && given)
		return give_up(NULL, why,
		               "MPI is not initialised; call MPI_Init_thread with "
		               "MPI_THREAD_FUNNELED or more before"),
		       false;
	if (!flag) {
		if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
			return give_up(NULL, why, "MPI_Init_thread failed"), false;
		ours.initialised = getpid();
		return atexit(finalise) == 0;
	}
	MPI_Query_thread(&level);
	if (level == MPI_THREAD_FUNNELED) MPI_Is_thread_main(&main_thread);
	if (level != MPI_THREAD_SINGLE && main_thread) return true;
	give_up(NULL, why,
	        level == MPI_THREAD_SINGLE
	                ? "the program initialised MPI for a single thread, and workers are "
	                  "threads; call MPI_Init_thread with MPI_THREAD_FUNNELED or more"
	                : "the program initialised MPI with MPI_THREAD_FUNNELED, so the context "
	                  "must be opened on the thread that did");
	return false;
}

/* node[r]: the lowest rank on the node of rank r */
static bool find_nodes(mpi_comm *m)
{
	MPI_Comm here;
	int lowest = m->comm.rank;

	if (!(m->node = malloc((size_t)m->comm.size * sizeof *m->node))) return false;
	if (MPI_Comm_split_type(m->on, MPI_COMM_TYPE_SHARED, m->comm.rank, MPI_INFO_NULL, &here) !=
	    MPI_SUCCESS)
		return false;
	const bool ok =
		MPI_Bcast(&lowest, 1, MPI_INT, 0, here) == MPI_SUCCESS &&
		MPI_Allgather(&lowest, 1, MPI_INT, m->node, 1, MPI_INT, m->on) == MPI_SUCCESS;
	MPI_Comm_free(&here);
	m->comm.node = m->node;
	return ok;
}

extern const comm_type tsr__comm;

static comm *mpi_open(const void *given, char why[COMM_WHY])
{
	mpi_comm *m = calloc(1, sizeof *m);
	const char *by;

	if (!m) return give_up(m, why, "no memory");
	m->comm.type = &tsr__comm;
	m->comm.piece = PIECE;
	m->board = MPI_WIN_NULL;
	if (!initialise(given, why)) return free(m), NULL;
	const MPI_Comm from = given ? *(const MPI_Comm *)given : MPI_COMM_WORLD;
	int between = 0;
	if (from == MPI_COMM_NULL)
		return give_up(m, why,
		               "the communicator is MPI_COMM_NULL: this process is not in it");
	MPI_Comm_test_inter(from, &between);
	if (between)
		return give_up(m, why,
		               "an inter-communicator joins two groups of processes; merge them");
	if (MPI_Comm_dup(from, &m->on) != MPI_SUCCESS)
		return give_up(m, why, "MPI_Comm_dup failed");
	MPI_Comm_set_errhandler(m->on, MPI_ERRORS_RETURN);
	MPI_Comm_rank(m->on, &m->comm.rank);
	MPI_Comm_size(m->on, &m->comm.size);
	const int n = launched(&by);
	if (!given && n > 1 && m->comm.size == 1) {
		snprintf(why, COMM_WHY,
		         "a launcher started %d processes (%s), but this MPI, " MPI_NAME
		         ", sees one: mpirun belongs to another MPI",
		         n, by);
		MPI_Comm_free(&m->on);
		free(m);
		return NULL;
	}
	if (!find_nodes(m)) return give_up(m, why, "the ranks of a node could not be found");
	ours.open++;
	return &m->comm;
}

/* ---- messages */

static int start_pieces(mpi_comm *m, const message *x, size_t piece, bool out, transfer *t)
{
	const int from = x->peer == COMM_ANY ? MPI_ANY_SOURCE : x->peer;
	const int n = message_pieces(x, piece);
	int code = x->bytes / INT_MAX < (size_t)n ? MPI_SUCCESS : MPI_ERR_COUNT;

	for (int k = 0; code == MPI_SUCCESS && k < n; k++) {
		const message p = message_piece(x, n, k);
		const int bytes = (int)p.bytes;
		MPI_Request *r = &t->request[t->n];
		code = out ? MPI_Isend(p.data, bytes, MPI_BYTE, from, p.tag, m->on, r)
		           : MPI_Irecv(p.data, bytes, MPI_BYTE, from, p.tag, m->on, r);
		t->bytes[t->n] = bytes;
		t->n += code == MPI_SUCCESS;
	}
	return code;
}

static transfer *start(mpi_comm *m, size_t piece, const message *out, int nout, const message *in,
                       int nin)
{
	transfer *t;
	int n = 0, code = MPI_SUCCESS;

	for (int i = 0; i < nout; i++) n += message_pieces(&out[i], piece);
	for (int i = 0; i < nin; i++) n += message_pieces(&in[i], piece);
	const size_t each = sizeof *t->status + sizeof *t->request + sizeof *t->bytes;
	t = malloc(sizeof *t + (size_t)n * each);
	if (!t) return snprintf(m->comm.why, COMM_WHY, "no memory for a message"), NULL;
	t->n = 0;
	t->request = (MPI_Request *)(t + 1);
	t->status = (MPI_Status *)(t->request + n);
	t->bytes = (int *)(t->status + n);
	for (int i = 0; code == MPI_SUCCESS && i < nin; i++)
		code = start_pieces(m, &in[i], piece, false, t);
	t->receives = t->n;
	for (int i = 0; code == MPI_SUCCESS && i < nout; i++)
		code = start_pieces(m, &out[i], piece, true, t);
	t->next = m->live;
	t->at = &m->live;
	if (t->next) t->next->at = &t->next;
	m->live = t;
	/* what was started is given up by mpi_stop */
	return failed_in(m, "a message could not be started", code) ? NULL : t;
}

static transfer *mpi_start(comm *c, const message *out, int nout, const message *in, int nin)
{
	return start((mpi_comm *)c, c->piece, out, nout, in, nin);
}

static void forget(transfer *t)
{
	*t->at = t->next;
	if (t->next) t->next->at = t->at;
	free(t);
}

static comm_state mpi_test(comm *c, transfer *t)
{
	int done = 0;
	const int code = MPI_Testall(t->n, t->request, &done, t->status);
	bool whole = true;

	if (failed_in((mpi_comm *)c, "a message was lost", code)) return COMM_FAILED;
	if (!done) return COMM_BUSY;
	for (int i = 0; i < t->receives; i++) {
		int bytes = 0;
		MPI_Get_count(&t->status[i], MPI_BYTE, &bytes);
		whole = whole && (bytes == t->bytes[i] || !bytes);
	}
	forget(t);
	if (!whole) snprintf(c->why, COMM_WHY, "a message has another length than its place");
	return whole ? COMM_DONE : COMM_FAILED;
}

static comm_state mpi_drop(comm *c, int peer, int tag)
{
	mpi_comm *m = (mpi_comm *)c;
	MPI_Status status;
	int there = 0, n = 0;

	if (!m->dropped) {
		const int code = MPI_Iprobe(peer, tag, m->on, &there, &status);
		if (failed_in(m, "a message was lost", code)) return COMM_FAILED;
		if (!there) return COMM_BUSY;
		MPI_Get_count(&status, MPI_BYTE, &n);
		const message x = {peer, tag, m->dropped = malloc((size_t)n + 1), (size_t)n};
		if (!m->dropped || !(m->dropping = start(m, 0, NULL, 0, &x, 1)))
			return COMM_FAILED;
	}
	const comm_state s = mpi_test(c, m->dropping);
	if (s != COMM_BUSY) free(m->dropped), m->dropped = NULL;
	return s;
}

static void cancel_receives(transfer *t)
{
	for (int i = 0; i < t->receives; i++) {
		if (t->request[i] == MPI_REQUEST_NULL) continue;
		MPI_Cancel(&t->request[i]);
		MPI_Request_free(&t->request[i]);
	}
}

static void mpi_cancel(comm *c, transfer *t)
{
	(void)c;
	cancel_receives(t);
	forget(t);
}

/* A receive can be taken back. A send cannot: it is ours no more, and nobody makes it go on */
static void mpi_stop(comm *c)
{
	mpi_comm *m = (mpi_comm *)c;

	while (m->live) {
		cancel_receives(m->live);
		forget(m->live);
	}
}

/* ---- a node's memory */

static void *mpi_board(comm *c, size_t bytes)
{
	mpi_comm *m = (mpi_comm *)c;
	MPI_Comm here;
	void *own, *all = NULL;
	MPI_Aint size;
	int unit;

	if (failed_in(m, "a node",
	              MPI_Comm_split_type(m->on, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL,
	                                  &here)))
		return NULL;
	const int code =
		MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, here, &own, &m->board);
	if (!failed_in(m, "memory that a node shares", code)) {
		memset(own, 0, bytes);
		MPI_Win_shared_query(m->board, 0, &size, &unit, &all);
		MPI_Barrier(here);
	}
	MPI_Comm_free(&here);
	return all;
}

/* ---- close */

static void mpi_close(comm *c, bool whole)
{
	mpi_comm *m = (mpi_comm *)c;
	int finalised = 0;

	MPI_Finalized(&finalised);
	if (whole && !finalised) {
		if (m->board != MPI_WIN_NULL) MPI_Win_free(&m->board);
		MPI_Barrier(m->on);
		MPI_Comm_free(&m->on);
	}
	ours.open--;
	ours.whole = whole;
	free(m->node);
	free(m);
}

__attribute__((visibility("default"))) const comm_type tsr__comm = {
	.abi = COMM_ABI,
	.name = "mpi",
	.open = mpi_open,
	.start = mpi_start,
	.test = mpi_test,
	.drop = mpi_drop,
	.cancel = mpi_cancel,
	.stop = mpi_stop,
	.board = mpi_board,
	.close = mpi_close,
};
