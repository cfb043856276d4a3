// The system's SQLite, version 3.37 or later for strict tables.
#include <sqlite3.h>
