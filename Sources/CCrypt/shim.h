// The system's own password hashing, where the platform has one.
#include <crypt.h>
