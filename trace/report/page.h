#ifndef PH_TOOLS_REPORT_PAGE_H
#define PH_TOOLS_REPORT_PAGE_H

/* The page of viewer/, made by trace/viewer/build.py: what stands before the data and after it. A
 * build
 * without the page has nothing in both (report_page_none.c). */

#include <stddef.h>

extern const unsigned char phasor_page_head[], phasor_page_tail[];
extern const size_t phasor_page_head_size, phasor_page_tail_size;

#endif
