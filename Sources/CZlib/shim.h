// zlib: gzip in pieces. Its version macro is needed by inflateInit2, which is itself a macro that Swift cannot import.
#ifndef MIRROR_CZLIB_SHIM_H
#define MIRROR_CZLIB_SHIM_H

#include <zlib.h>

/// Begins to read gzip (RFC 1952).
static inline int mirror_gunzip_begin(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

#endif
