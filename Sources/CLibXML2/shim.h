// libxml2 as Swift sees it.
//
// Debian builds libxml2 with ICU, and its headers then pull in ICU's own, which clash with the ICU inside
// Foundation as soon as both are in one module. Nothing here needs the ICU declarations.
#ifndef MIRROR_CLIBXML2_SHIM_H
#define MIRROR_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>

#endif
