// The client library of PostgreSQL, version 14 or later.
#include <libpq-fe.h>
