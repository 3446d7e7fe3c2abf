#pragma once
#include <libxml/xmlversion.h>
// ICU's headers, of which libxml2's include some for converters that are not used here, declare what Foundation's own ICU declares too.
#undef LIBXML_ICU_ENABLED
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
