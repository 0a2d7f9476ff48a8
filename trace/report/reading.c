#include "report/reading.h"

#include "read/drain.h"

bool reading_open(struct reading* reading, const char* command, const char* path, uint64_t from,
                  uint64_t to) {
    char error[4400];
    unsigned rows;
    trace_drain(path, NULL);
    if (!trace_file_open(&reading->file, path, 0, error, sizeof(error))) {
        fprintf(stderr, "phasor %s: %s\n", command, error);
        return false;
    }
    for (size_t i = 0; i < reading->file.problem_count; i++)
        fprintf(stderr, "phasor %s: %s: %s\n", command, path, reading->file.problems[i]);
    reading->symbols = symbols_open(&reading->file);
    report_make(&reading->report, &reading->file, reading->symbols, from, to);
    terminal_size(&reading->report.columns, &rows);
    return true;
}

void reading_close(struct reading* reading) {
    report_free(&reading->report);
    symbols_close(reading->symbols);
    trace_file_close(&reading->file);
}
