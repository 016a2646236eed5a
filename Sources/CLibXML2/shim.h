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

/// The version of the library that is loaded, a macro in some versions, which Swift cannot import.
static inline const char *mirror_xml_parser_version(void) {
    return xmlParserVersion;
}

#endif
