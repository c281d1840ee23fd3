/* no_encryption.c - keeps minizip from setting the seed of the process's random numbers.
 *
 * minizip calls srand() and rand() to encrypt, which we never do, and a library must not be able to
 * change them: in libtsr.so its calls lead here (cmake/Library.cmake). */
int __wrap_rand(void);
void __wrap_srand(unsigned seed);

int __wrap_rand(void) { return 0; }
void __wrap_srand(unsigned seed) { (void)seed; }
