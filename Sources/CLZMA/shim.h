// liblzma, of which the decoding of .xz streams is used. LZMA_STREAM_INIT is a macro that Swift cannot import.
#ifndef MIRROR_CLZMA_SHIM_H
#define MIRROR_CLZMA_SHIM_H

#include <lzma.h>

/// A stream in its first state.
static inline lzma_stream mirror_lzma_stream(void) { return (lzma_stream)LZMA_STREAM_INIT; }

#endif
