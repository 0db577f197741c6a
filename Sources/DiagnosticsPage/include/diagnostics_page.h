// The text of Documentation/Diagnostics.md, for `registry-tool explain`.

#ifndef DIAGNOSTICS_PAGE_H
#define DIAGNOSTICS_PAGE_H

/// Returns the page as Markdown in UTF-8.
const char *diagnostics_page(void);

#endif
