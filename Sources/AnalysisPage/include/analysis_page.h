// The HTML page of RegistryAnalysis, without data.

#ifndef ANALYSIS_PAGE_H
#define ANALYSIS_PAGE_H

/// Returns the HTML, with references to the style sheet and the script and a place for the data.
const char *analysis_page(void);
const char *analysis_page_style(void);
const char *analysis_page_script(void);

#endif
