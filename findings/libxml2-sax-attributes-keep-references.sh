#!/bin/sh
# Without XML_PARSE_NOENT, libxml2's SAX2 interface hands out attribute values whose '&amp;' is '&#38;', and texts whose '&amp;' is '&'.
#
# Package: Debian's libxml2-dev and libxml2 2.9.14 (seen with 2.9.14+dfsg-1.3~deb12u6; the archive keeps the last revision alone).
# Input:   a well-formed document with the predefined entity &amp; in an attribute and in a text, and a declared one in both.
# Seen:    startElementNs gets 'a &#38; b' for the attribute, while characters gets 'a & b' for the text; a declared entity in an attribute
#          stays '&e;' though its content is reported in the text. With XML_PARSE_NOENT all four are replaced. Tree readers put this right
#          later; who takes values from SAX2 reads wrong ones wherever a URL has a query.
# Expected: the value of an attribute with its references replaced, as XML 1.0 (3.3.3) asks of every processor.
set -eu
version=$(apt-cache policy libxml2-dev | sed -n 's/ *Candidate: //p')
case $version in 2.9.14+*) ;; *) echo "this finding is about libxml2 2.9.14, not '$version'" >&2 && exit 1 ;; esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "libxml2-dev=$version" "libxml2=$version" >/dev/null 2>&1 || { echo "libxml2 $version cannot be had" >&2; exit 1; }
for package in *.deb; do dpkg -x "$package" root; done
cat >sax.c <<'C'
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

static void begin(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int spaces,
                  const xmlChar **declared, int count, int defaulted, const xmlChar **values) {
    for (int i = 0; i < count; i++)
        printf("attribute %s: %.*s\n", values[5 * i], (int)(values[5 * i + 4] - values[5 * i + 3]), values[5 * i + 3]);
    printf("text: ");
}
static void text(void *context, const xmlChar *bytes, int count) { printf("%.*s", count, bytes); }
static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) { printf("\n"); }

int main(void) {
    const char *document = "<!DOCTYPE r [<!ENTITY e \"x\">]><r one=\"a &amp; b\" two=\"&e;\">a &amp; b &e;</r>";
    for (int replaces = 0; replaces < 2; replaces++) {
        xmlSAXHandler handler;
        memset(&handler, 0, sizeof handler);
        xmlSAXVersion(&handler, 2);
        handler.startElementNs = begin;
        handler.characters = text;
        handler.endElementNs = end;
        handler.reference = NULL;
        xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
        xmlCtxtUseOptions(parser, replaces ? XML_PARSE_NOENT : 0);
        parser->sax->startElementNs = begin;
        parser->sax->reference = NULL;
        printf("%s\n", replaces ? "with XML_PARSE_NOENT" : "without");
        xmlParseChunk(parser, document, (int)strlen(document), 1);
        xmlFreeDoc(parser->myDoc);
        xmlFreeParserCtxt(parser);
    }
    return 0;
}
C
libraries=$(dirname "$(find root -name 'libxml2.so.2' | head -1)")
cc -w -I root/usr/include/libxml2 -o sax sax.c "$libraries/libxml2.so.2" -Wl,-rpath,"$folder/$libraries"
./sax | tee seen
cat >expected <<'TEXT'
without
attribute one: a &#38; b
attribute two: &e;
text: a & b x
with XML_PARSE_NOENT
attribute one: a & b
attribute two: x
text: a & b x
TEXT
diff expected seen && echo "as found"
