/* threefry.h - encrypts a counter under a key by Threefry-2x32 with 20 rounds, in the words of
 * words.h: random.c includes it for C and for kernels.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel random numbers: as easy as 1, 2,
 * 3 (SC 2011). */

static inline BITS OF(rotated) ARGS(BITS x, int turn)
{
	return OR(SHL(x, B(turn)), SHR(x, B(32 - turn)));
}

/* io[] is encrypted. A round adds, rotates and mixes; the key is injected, with a count, before the
 * first round and behind each fourth */
static inline void OF(threefry) ARGS(const BITS words[2], BITS io[2])
{
	static const int turns[8] = {13, 15, 26, 6, 17, 29, 16, 24};
	const BITS x = words[0], mixed = XOR(x, words[1]);
	const BITS key[3] = {x, words[1], XOR(mixed, B(0x1bd11bda))};

	io[0] = ADD(io[0], key[0]);
	io[1] = ADD(io[1], key[1]);
	for (int i = 0; i < 20; i++) {
		const int count = i / 4 + 1;
		io[0] = ADD(io[0], io[1]);
		io[1] = XOR(io[0], CALL(rotated, io[1], turns[i % 8]));
		if (i % 4 < 3) continue;
		io[0] = ADD(io[0], key[count % 3]);
		io[1] = ADD(io[1], ADD(key[(count + 1) % 3], B(count)));
	}
}
