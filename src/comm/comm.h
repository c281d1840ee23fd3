/* comm.h - moves bytes between the processes of a program, and lets these processes agree.
 *
 * A comm moves bytes, and knows nothing else: `mpi` is a plug-in (comm/mpi), `threads` makes
 * processes of the threads of a test. All that needs more than two processes at once is written
 * once, above that: agreement in agree.c, calls that all processes make in call.c.
 *
 * Words: `rank` numbers the processes; ranks of one `node` share its memory; a `team` is the ranks
 * that make a call together, as those with devices of one mesh. A `transfer` is a set of messages
 * under way. A `notice` tells that a rank gives up. */
#ifndef TSR_SRC_COMM_H
#define TSR_SRC_COMM_H
#include "base/base.h"
#include "tsr/engine/exchange.h"

/* ---- the contract of a comm */

/* Messages of one tag between two ranks arrive in the order in which they were started. A message
 * has the length that its receive expects, or 0; any other is a failure. For a receive, the peer
 * may be COMM_ANY: whoever sends first. Tags are from 0 on */
enum { COMM_ANY = -1, COMM_WHY = 512, COMM_SHORT = 1024 };

typedef struct transfer transfer; /* the comm's own */
typedef enum comm_state { COMM_BUSY, COMM_DONE, COMM_FAILED } comm_state;

typedef struct comm { /* what a comm keeps of itself begins with this */
	const struct comm_type *type;
	int rank, size;
	const int *node;    /* by rank: the lowest rank on its node */
	size_t piece;       /* messages of data of more bytes come in pieces; 0: none does */
	char why[COMM_WHY]; /* the reason of the last failure */
} comm;

typedef struct comm_type {
	const char *abi; /* COMM_ABI */
	const char *name;
	/* given: a communicator of the caller's, in this comm's own form, or NULL. Collective.
	 * NULL: `why` says what is wrong */
	comm *(*open)(const void *given, char why[COMM_WHY]);
	/* Begins to send and to receive. The memory of the messages stays as it is until `test` has
	 * said that the transfer is over; the lists may go at once. Never waits. NULL: comm->why */
	transfer *(*start)(comm *, const message *out, int nout, const message *in, int nin);
	/* Moves on what can be moved, and never waits. COMM_DONE, COMM_FAILED (comm->why): the
	 * transfer is over and forgotten */
	comm_state (*test)(comm *, transfer *);
	/* Receives the next message from this rank, for which no receive was started, and forgets
	 * it. COMM_BUSY: it has not come; the same again */
	comm_state (*drop)(comm *, int peer, int tag);
	/* forgets receives that nobody will answer */
	void (*cancel)(comm *, transfer *);
	/* Memory that the ranks of this node share: `bytes` for each, in the order of their ranks,
	 * all 0 at first. Collective; once. NULL: comm->why */
	void *(*board)(comm *, size_t bytes);
	/* Gives up all transfers: afterwards no memory of their messages is used any more, but that
	 * of messages up to COMM_SHORT bytes, which are on their way, may still arrive */
	void (*stop)(comm *);
	/* Forgets all. Collective if `whole`; else it waits for nobody */
	void (*close)(comm *, bool whole);
} comm_type;
#define COMM_ABI "tsr comm 1"

/* ---- processes.c: the processes of a context, as one of them sees them */

typedef struct team {
	int n, mine;     /* how many ranks, and which of them is this process */
	const int *rank; /* ascending */
	uint64_t id;     /* the same in all processes */
	int64_t calls;   /* that it has begun, */
	uint64_t sum;    /* and a hash of what these were */
	struct team *next;
} team;

typedef struct notice {
	uint64_t team;
	int64_t call;
	int32_t rank, dead; /* who; whether nothing more can be exchanged */
	char text[480];     /* of the error, where it is dead */
} notice;

typedef struct call_name {    /* a call, as all processes make it */
	uint64_t hash;        /* of what it does */
	const char *name;     /* "psum", or NULL */
	const char *where;    /* "file.c:12", or NULL */
	size_t errors_before; /* error_mark as it began */
	/* how this rank can exchange, by number, where there are several ways; the way of all is
	 * the lowest that a rank has. WAY_ANY: it exchanges nothing */
	int way;
} call_name;
enum { WAY_ANY = INT32_MAX };

typedef struct message_count { /* of messages of data between two ranks */
	int64_t sent, got;
} message_count;

typedef struct process_name { /* whom a message is about */
	char host[28];
	int pid;
	uint64_t cores; /* a hash of those that it may use */
} process_name;

typedef enum watch_state {
	WATCH_USER, /* between calls, or in a callback */
	WATCH_COMPILING,
	WATCH_CALL,    /* it computes, in a call */
	WATCH_WAITING, /* for others */
	WATCH_ENDING,  /* its part of the call is done */
	WATCH_CLOSED
} watch_state;
typedef struct board_entry {      /* what a process says of itself to those of its node */
	_Atomic int pid;          /* 0: it is about to open */
	_Atomic uint64_t started; /* when, as /proc says it: numbers of processes are used again */
	_Atomic int state;
	_Atomic uint64_t beats;              /* changes of state */
	_Atomic int64_t call;                /* the last one that it began */
	_Atomic uint64_t name[6], where[16]; /* of that: 47 and 127 bytes, as words */
	uint64_t unused[5];                  /* up to the end of a cache line */
} board_entry;

enum { AGREE_MOST = 48 };      /* bytes */
typedef struct short_message { /* what ranks send each other to agree: all of one length, */
	uint64_t team;         /* so that a team notices the message of another one */
	char data[AGREE_MOST];
} short_message;
typedef struct mailbox { /* of one rank for one other: a cache line */
	_Atomic uint64_t full;
	short_message message;
} mailbox;

typedef struct processes {
	base *base;
	comm *comm;
	arena *arena;
	team *all, *teams;
	team *in;               /* that of the call in progress; NULL: there is none */
	call_name call;         /* and this call */
	bool leaving;           /* it ends: notices of it say nothing new */
	bool ended;             /* it has ended for all, before its time */
	message_count *started; /* by rank: what was started to it and from it */
	flight *flights;        /* that have not come to their end */
	uint64_t nflights;      /* that have begun */
	int way, best_way;      /* of this call: the lowest of all ranks, and the best */
	/* room, by rank, so that a call can fail where there is no memory */
	message *list;
	message_count *counts;
	size_t refusals;           /* of memory, that all know of: mem_refusals */
	notice hears;              /* room for the next notice, */
	transfer *hearing;         /* which this receives */
	notice says;               /* the last one of ours, */
	transfer *saying;          /* which this sends */
	bool stopped;              /* a notice says that the call in progress fails */
	bool dead;                 /* nothing can be exchanged any more */
	const process_name *names; /* by rank */
	int record;                /* record.c's file, or -1 */
	int64_t nrecords;          /* calls that it was told of */
	char *board;               /* of this node; NULL: there is none */
	size_t stride;             /* bytes of it for each process, */
	const int *places;         /* which come in this order: by rank, among those of its node */
	uint64_t *beats_seen;      /* by rank, at the last warning */
	const message *waits_for;  /* what the exchange in progress receives, */
	int nwaits_for;
	bool waiting;      /* it has waited for long enough to say so */
	int left_by;       /* looks at which one of the senders had ended the call, in a row */
	double wait_limit; /* seconds that it waits for one who is silent */
	double waits_since, looked_at, looks_at, warns_at; /* on the clock of watch.c */
	char why[COMM_WHY];                     /* the reason, if it is */
} processes;

/* How many ranks of this node may use the same cores; *place: which of these this process is, from
 * 0 */
int processes_sharers(const processes *, int *place);
/* opens a comm; wait_limit: in seconds, 0: 600. NULL: recorded */
processes *processes_open(base *, const char *where, const comm_type *, const void *given,
                          double wait_limit);
void processes_close(processes *); /* collective, unless all is dead; NULL is fine */
/* the team of these ranks, ascending, this process among them; kept. NULL: recorded */
team *team_of(processes *, const int *rank, int n);

/* ---- agree.c: what a team does together, in the same order on all its ranks. false: it ended for
 * all, as in call.c */
enum { TAG_NOTICE, TAG_AGREE, TAG_DRAIN, TAG_DATA };
/* messages of data have tags from TAG_DATA on in turn, so that two can never be exchanged */
enum { DATA_TAGS = 1024 };
static inline int data_tag(int64_t number) { return TAG_DATA + (int)(number % DATA_TAGS); }
/* Into how many pieces a message of data is cut. Several travel side by side, and each is still in
 * a cache when the receiver gets it; more than some only cost time. To MPI lengths are ints */
static inline int message_pieces(const message *m, size_t piece)
{
	const size_t most = 16, longest = (size_t)1 << 30;
	size_t n = piece && m->tag >= TAG_DATA ? (m->bytes + piece - 1) / piece : 1;

	if (n > most) n = m->bytes / longest < most ? most : m->bytes / longest + 1;
	return n > 1 ? (int)n : 1;
}
/* piece k of n, with a tag of its own: so each is counted, and can be dropped */
static inline message message_piece(const message *m, int n, int k)
{
	const size_t each = (m->bytes / (size_t)n + 64) / 64 * 64, at = (size_t)k * each;
	const size_t first = at < m->bytes ? at : m->bytes, rest = m->bytes - first;

	if (n == 1) return *m;
	return (message){.peer = m->peer,
	                 .tag = data_tag(m->tag - TAG_DATA + k),
	                 .data = (char *)m->data + first,
	                 .bytes = rest < each ? rest : each};
}
/* all these messages, until they have arrived; it sets their tags */
bool comm_exchange(processes *, message *out, int nout, message *in, int nin);
/* The same in two parts. The messages' memory stays as it is until the end, or until the call has
 * ended; the lists may go at once. Several may be under way, and end in any order */
bool flight_begin(processes *, flight *, message *out, int nout, message *in, int nin);
bool flight_end(processes *, flight *, const message *in, int nin);
void flights_poke(processes *); /* moves them on; never waits, and records nothing */
/* Each rank's `data`, of up to AGREE_MOST bytes, becomes the join of those of all. join(a, b) makes
 * a the join of both: of what is in both already too, as max does */
typedef void joins(void *a, const void *b);
bool agree(processes *, const team *, void *data, size_t bytes, joins *);
/* `all` has room for `bytes` of each rank, in their order, with our own in its place; afterwards
 * all has everything */
bool gather_bytes(processes *, const team *, void *all, size_t bytes);
/* to all from the rank at place `from` of the team */
bool broadcast(processes *, const team *, int from, void *data, size_t bytes);
/* brings what is under way of a call that fails to its end. false: all is dead, recorded */
bool comm_drain(processes *);

/* ---- call.c: a call that all ranks of a team make */
/* All come to it, or find out that they do not make the same call. false: recorded */
bool call_begin(processes *, team *, const call_name *);
/* the call fails here before it could begin; false */
bool call_skip(processes *, team *, const call_name *);
/* ok: it went well here; else an error is recorded. Returns whether it went well everywhere; if
 * not, all have recorded the error of the lowest rank that has one */
bool call_end(processes *, bool ok);
/* Nothing can be exchanged any more: tells the others */
void processes_end(processes *, const char *why);
/* the same, for what went wrong here, and recorded; false */
bool processes_die(processes *, const char *where, const char *why);

/* The call in progress fails elsewhere: ends it for all, with what is under way here; false */
bool call_stop(processes *);
/* likewise: others have ended it, and will not send what is waited for; false, recorded */
bool call_left(processes *);
/* Likewise, for an error here, which is recorded, before the memory of what is under way goes;
 * false. Nothing if it has ended */
bool call_fail(processes *);

/* ---- board.c */
bool board_begin(processes *); /* false: recorded */
/* of a rank of this node; NULL: it is on another one, or there is no board */
board_entry *board_entry_of(const processes *, int rank);
bool board_reaches(const processes *, int rank); /* likewise */
/* To and from a rank that it reaches. false: the last message is still there; none has come */
bool mailbox_put(processes *, int to, const short_message *);
bool mailbox_take(processes *, int from, short_message *);

/* ---- watch.c */
void watch_begin(processes *);
/* our own, from now on; returns the one before. NULL is fine */
watch_state watch_note(processes *, watch_state);
void watch_wait(processes *); /* a wait begins */
/* during it: looks at the others now and then. If they are not to be waited for, all is dead
 * afterwards. Returns for how many seconds it has waited */
double watch_others(processes *);
/* the last call that a rank has begun: '"step" (app.c:88)'; nothing where that is not known */
void watch_put_call(str *, const processes *, int rank);

/* ---- record.c */
bool record_begin(processes *, const char *where);              /* false: recorded as an error */
void record_call(processes *, const team *, const call_name *); /* one begins */
void record_state(processes *, const char *);                   /* of the context */
void record_end(processes *);

/* ---- notice.c */
bool notices_begin(processes *);
/* takes notices that have come; false: the call in progress is over, or all is dead */
bool notices_take(processes *);
void notice_send(processes *, const notice *); /* to all others of the call's team, or of all */
#endif
