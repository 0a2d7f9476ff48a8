#ifndef PH_TOOLS_TOP_PAGE_H
#define PH_TOOLS_TOP_PAGE_H

/* `phasor top --html`: the page of the last moments of a recording that is being written, live. */

#include <signal.h>

struct top_page;

/* Tells on standard output where the page is. NULL: it can't be served; errno says why. */
struct top_page* top_page_open(const char* file);
/* Serves it for so many seconds, or until *stop is set. */
void top_page_run(struct top_page* page, double seconds, const volatile sig_atomic_t* stop);
void top_page_close(struct top_page* page);

#endif
