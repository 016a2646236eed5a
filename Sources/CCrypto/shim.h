// The message digests of OpenSSL's libcrypto.
#ifndef MIRROR_CCRYPTO_SHIM_H
#define MIRROR_CCRYPTO_SHIM_H

#include <openssl/evp.h>

#endif
