/* The least that libxml2 needs to read an HTML file: its push parser with callbacks that do nothing. What mirror takes
 * for the same page is measured against it. Usage: html-sax FILE */

#include <libxml/HTMLparser.h>
#include <stdio.h>

static void start(void *context, const xmlChar *name, const xmlChar **attributes) {
    (void)context, (void)name, (void)attributes;
}
static void end(void *context, const xmlChar *name) { (void)context, (void)name; }
static void text(void *context, const xmlChar *bytes, int count) { (void)context, (void)bytes, (void)count; }

int main(int count, char **arguments) {
    static char buffer[65536];
    htmlSAXHandler handler = {.startElement = start, .endElement = end, .characters = text};
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    htmlParserCtxtPtr parser = htmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
    if (!file || !parser) return 1;
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;) htmlParseChunk(parser, buffer, (int)got, 0);
    htmlParseChunk(parser, buffer, 0, 1);
    htmlFreeParserCtxt(parser);
    return fclose(file) != 0;
}
