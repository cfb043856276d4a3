// The signatures and digests of libcrypto, version 3 or later.
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
