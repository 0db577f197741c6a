#include "analysis_page.h"

// A SwiftPM resource would be a file beside the program, and the Swift array that SwiftPM generates
// to embed a file takes seconds to compile. The clang in every Swift 6.3 toolchain accepts #embed.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char page[] = {
#embed "page.html"
    , 0};
static const char style[] = {
#embed "page.css"
    , 0};
static const char script[] = {
#embed "page.js"
    , 0};

const char *analysis_page(void) { return page; }
const char *analysis_page_style(void) { return style; }
const char *analysis_page_script(void) { return script; }
