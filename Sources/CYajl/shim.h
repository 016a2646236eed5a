// yajl, of which the parser is used: JSON as events, in pieces.
#ifndef MIRROR_CYAJL_SHIM_H
#define MIRROR_CYAJL_SHIM_H

#include <yajl/yajl_parse.h>

#endif
