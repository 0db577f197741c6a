#include "diagnostics_page.h"

// A SwiftPM resource would be a file beside the tool, and a Swift literal of this length takes
// seconds to compile. The clang in every Swift 6.3 toolchain accepts C23's #embed directive.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char page[] = {
#embed "../../Documentation/Diagnostics.md"
    , 0};

const char *diagnostics_page(void) { return page; }
