#include "live/top_page.h"

#include <errno.h>

#include "live/serve.h"
#include "read/memory.h"
#include "report/page.h"
#include "report/report.h"

/* How many of the last intervals the page is about. */
enum { INTERVALS = 10 };

struct top_page {
    const char* file;
    struct server* server;
    uint64_t seen[INTERVALS]; /* the number of the last block, by interval; 0: from the beginning */
    unsigned next;
};

/* What is written into the page; nothing, if the file can't be read now. */
static bool write_data(const struct top_page* page, FILE* out) {
    struct trace_file file;
    struct report report;
    char error[4400];
    if (!trace_file_open(&file, page->file, page->seen[page->next], error, sizeof(error)))
        return false;
    struct symbols* symbols = symbols_open(&file);
    report_make(&report, &file, symbols, 0, UINT64_MAX);
    report_write_page_data(&report, out);
    report_free(&report);
    symbols_close(symbols);
    trace_file_close(&file);
    return true;
}

static bool write_page(void* context, bool only_data, FILE* out) {
    if (only_data)
        return write_data(context, out);
    fwrite(phasor_page_head, 1, phasor_page_head_size, out);
    fputs("<script type=\"application/json\" id=\"trace-live\"></script>\n", out);
    if (!write_data(context, out))
        return false;
    fwrite(phasor_page_tail, 1, phasor_page_tail_size, out);
    return true;
}

struct top_page* top_page_open(const char* file) {
    struct top_page* page = must(calloc(1, sizeof(*page)));
    page->file = file;
    errno = ENOSYS;
    page->server = phasor_page_head_size > 0 ? server_open(write_page, page) : NULL;
    if (page->server == NULL) {
        free(page);
        return NULL;
    }
    printf("%s shows it, for the browser on this machine; ^C ends.\n",
           server_address(page->server));
    fflush(stdout);
    return page;
}

/* Where the recording is now: the page will begin here, INTERVALS later. */
static void note_position(struct top_page* page) {
    struct trace_file file;
    char error[4400];
    unsigned last = (page->next + INTERVALS - 1) % INTERVALS;
    if (!trace_file_open(&file, page->file, page->seen[last], error, sizeof(error)))
        return;
    page->seen[page->next] = file.last_sequence;
    page->next = (page->next + 1) % INTERVALS;
    trace_file_close(&file);
}

void top_page_run(struct top_page* page, double seconds, const volatile sig_atomic_t* stop) {
    server_run(page->server, seconds, stop);
    note_position(page);
}

void top_page_close(struct top_page* page) {
    server_close(page->server);
    free(page);
}
