// The page of RegistryAnalysis, without its data.

#ifndef ANALYSIS_PAGE_H
#define ANALYSIS_PAGE_H

/// Returns the HTML, which names the style sheet, the script, and the data.
const char *analysis_page(void);
const char *analysis_page_style(void);
const char *analysis_page_script(void);

#endif
