#include "analysis_page.h"

// A SwiftPM resource would be a file beside the program, and the array that SwiftPM embeds in Swift
// takes seconds to compile. All compilers with Swift 6.3 accept C23's directive.
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
