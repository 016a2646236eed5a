// yajl, of which the parser is used: JSON as events, in pieces. Its options are set by a variadic function, which Swift
// cannot call.
#ifndef MIRROR_CYAJL_SHIM_H
#define MIRROR_CYAJL_SHIM_H

#include <yajl/yajl_parse.h>

/// Strings are taken as they are, for names need not be UTF-8, and bytes behind the value are left alone.
static inline void mirror_yajl_set_lenient(yajl_handle handle) {
    yajl_config(handle, yajl_dont_validate_strings, 1);
    yajl_config(handle, yajl_allow_trailing_garbage, 1);
}

#endif
