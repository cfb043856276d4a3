// The toolchain's own header; it stands in usr/local/include.
#include <indexstore/indexstore.h>
