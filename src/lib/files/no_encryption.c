/* no_encryption.c - stands in for the random numbers of minizip, which are for encrypting alone.
 *
 * We never encrypt. But minizip would set the seed of the process's rand() for that, and a library
 * must not be able to: in libtsr.so its calls lead here (cmake/Library.cmake). */
int __wrap_rand(void);
void __wrap_srand(unsigned seed);

int __wrap_rand(void) { return 0; }
void __wrap_srand(unsigned seed) { (void)seed; }
