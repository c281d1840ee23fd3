/* links.c - measures a message between two processes: the figures of src/base/tuning.def, LINK_*.
 * links
 *
 * The latency is half the time that a short message takes there and back. Of a burst of short ones,
 * each further one takes as long as its sender and its receiver are busy with it. The rate is that
 * of a message of 4 MiB. All as fast as in the best round: what a machine with others on it can
 * do. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 300, TURNS = 20, BURST = 64, LONG = 4 << 20 };
static int rank;
static char *room;

/* `count` messages of so many bytes, of which the receiver answers the last */
static double there_and_back(int count, int bytes)
{
	MPI_Request requests[BURST];
	const double begin = MPI_Wtime();

	for (int i = 0; i < count; i++)
		if (rank)
			MPI_Irecv(room + (size_t)i * (size_t)bytes, bytes, MPI_CHAR, 0, i,
			          MPI_COMM_WORLD, &requests[i]);
		else
			MPI_Isend(room + (size_t)i * (size_t)bytes, bytes, MPI_CHAR, 1, i,
			          MPI_COMM_WORLD, &requests[i]);
	MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
	if (rank) MPI_Send(room, 8, MPI_CHAR, 0, BURST, MPI_COMM_WORLD);
	else MPI_Recv(room, 8, MPI_CHAR, 1, BURST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return MPI_Wtime() - begin;
}

/* the best mean of some turns, in ns */
static double best(int count, int bytes, int turns)
{
	double least = 1e9;

	for (int k = 0; k < ROUNDS; k++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double time = 0;
		for (int i = 0; i < turns; i++) time += there_and_back(count, bytes);
		least = time / turns < least ? time / turns : least;
	}
	return least * 1e9;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	room = calloc(LONG, 1);
	const double latency = best(1, 8, TURNS) / 2;
	const double start = (best(BURST, 8, TURNS) - 2 * latency) / (BURST - 1);
	const double rate = LONG / (best(1, LONG, 1) - 2 * latency);
	if (!rank)
		printf("a message takes %.0f ns, each further one %.0f ns, and a ns brings %.2f "
		       "bytes\n",
		       latency, start, rate);
	free(room);
	MPI_Finalize();
	return 0;
}
