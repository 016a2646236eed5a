// xxHash, of which the streaming and the one-shot forms of XXH3 are used.
#ifndef MIRROR_CXXHASH_SHIM_H
#define MIRROR_CXXHASH_SHIM_H

#include <xxhash.h>

#endif
