// zstd, of which the streaming decompression is used.
#ifndef MIRROR_CZSTD_SHIM_H
#define MIRROR_CZSTD_SHIM_H

#include <zstd.h>

#endif
