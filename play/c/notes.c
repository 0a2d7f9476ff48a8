/* Notes of a C program that is played, in the form of runtime/engine/play.c. Compiled together with
 * the program, by whoever plays it. */

#include <fcntl.h>
#include <phasor.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <uv.h>

#include "notes.h"
#undef uv_timer_start

/* MOST_SECONDS are of computing, LONGEST_SECONDS of whatever it does. */
enum {
    MOST_NOTES = 40000,
    MOST_OUTPUT = 200000,
    MOST_SECONDS = 8,
    LONGEST_SECONDS = 24,
    FIRST_FD = 900,
    ENDED = 125
};
enum { MOST_MEMORY_MB = 512, MOST_FILE_MB = 64, MOST_LINE = 4000 };

static int notes_fd = -1;
static unsigned mark_name;
static unsigned long long note_count;
static size_t output_size;

static void write_line(const char* text, int length) {
    char line[2 * MOST_LINE + 64];
    unsigned long long number = __atomic_add_fetch(&note_count, 1, __ATOMIC_RELAXED);
    int size = snprintf(line, sizeof(line), "%llu %.*s\n", number, length, text);
    if (write(notes_fd, line, (size_t)size) == size)
        phasor_trace_mark(mark_name, PHASOR_MARK_PROGRAM, number);
}

static void end_program(const char* why) {
    char text[64];
    write_line(text, snprintf(text, sizeof(text), "[\"stop\",\"%s\"]", why));
    phasor_trace_stop();
    _exit(ENDED);
}

__attribute__((format(printf, 1, 2))) static void note(const char* format, ...) {
    char text[512];
    va_list values;
    if (notes_fd < 0)
        return;
    if (note_count >= MOST_NOTES)
        end_program("events");
    va_start(values, format);
    int size = vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    if (size > 0 && (size_t)size < sizeof(text))
        write_line(text, size);
}

void phasor_play_at(const char* file, int line, const char* function) {
    const char* base = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
    note("[\"at\",[\"%s\",%d,\"%s\"]]", function, line, base);
}

int phasor_play_timer(uv_timer_t* handle, uv_timer_cb callback, uint64_t timeout, uint64_t repeat) {
    int status = uv_timer_start(handle, callback, timeout, repeat);
    if (status == 0)
        note("[\"timer+\",\"@%p\",%llu,%llu,%llu]", (void*)handle,
             (unsigned long long)(uv_now(handle->loop) + timeout), (unsigned long long)timeout,
             (unsigned long long)repeat);
    return status;
}

int phasor_play_start(uv_handle_t* handle, const char* type, int status) {
    if (status == 0)
        note("[\"start\",\"@%p\",\"%s\"]", (void*)handle, type);
    return status;
}

int phasor_play_stop(uv_handle_t* handle, int status) {
    note("[\"halt\",\"@%p\"]", (void*)handle);
    return status;
}

/* What the program prints, in as many notes as it needs. */
static ssize_t on_output(void* cookie, const char* text, size_t length) {
    char part[2 * MOST_LINE];
    size_t used = 0;
    while (used < length) {
        int size = snprintf(part, sizeof(part), "[\"out\",%d,\"", (int)(intptr_t)cookie);
        for (; used < length && (size < MOST_LINE || (text[used] & 0xc0) == 0x80); used++) {
            unsigned char c = (unsigned char)text[used];
            if (c < 0x20 || c == '"' || c == '\\')
                size += snprintf(part + size, sizeof(part) - (size_t)size, "\\u%04x", c);
            else if (size < 2 * MOST_LINE - 16)
                part[size++] = (char)c;
        }
        size += snprintf(part + size, sizeof(part) - (size_t)size, "\"]");
        write_line(part, size);
    }
    output_size += length;
    if (output_size > MOST_OUTPUT || note_count > MOST_NOTES)
        end_program("output");
    return (ssize_t)length;
}

static FILE* redirect(int fd, int buffering) {
    FILE* file = fopencookie((void*)(intptr_t)fd, "w", (cookie_io_functions_t){.write = on_output});
    if (file != NULL)
        setvbuf(file, NULL, buffering, BUFSIZ);
    return file;
}

static void on_late(int number) {
    (void)number;
    end_program("time");
}

static void limit(int what, rlim_t most) {
    struct rlimit values = {.rlim_cur = most, .rlim_max = most + 5};
    setrlimit(what, &values);
}

__attribute__((constructor)) static void begin(void) {
    const char* file = getenv("PHASOR_PLAY");
    int fd = file != NULL ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    notes_fd = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
    close(fd);
    unsetenv("PHASOR_PLAY");
    mark_name = phasor_trace_name("phasor play", NULL, 0);
    FILE* out = redirect(STDOUT_FILENO, _IOLBF);
    FILE* err = redirect(STDERR_FILENO, _IONBF);
    stdout = out != NULL ? out : stdout;
    stderr = err != NULL ? err : stderr;
    signal(SIGVTALRM, on_late);
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = MOST_SECONDS}, NULL);
    signal(SIGALRM, on_late);
    alarm(LONGEST_SECONDS);
    limit(RLIMIT_DATA, (rlim_t)MOST_MEMORY_MB << 20);
    limit(RLIMIT_FSIZE, (rlim_t)MOST_FILE_MB << 20);
}

__attribute__((destructor)) static void end(void) {
    fflush(stdout);
    note("[\"exit\"]");
}
