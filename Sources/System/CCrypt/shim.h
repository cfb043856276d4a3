// The system's own password hashing and randomness, where the platform has them.
#include <crypt.h>
#include <sys/random.h>
