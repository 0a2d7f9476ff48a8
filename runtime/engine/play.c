#include "engine/play.h"

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

#include "engine/patched.h"
#include "engine/trace.h"

enum {
    MOST_NOTES = 40000,   /* a program that has done so much is ended */
    MOST_OUTPUT = 200000, /* or has printed so many bytes */
    MOST_SECONDS = 8,     /* or has computed for so long */
    LONGEST_SECONDS = 24, /* or has not ended after so long */
    MOST_MEMORY = 512 << 20,
    LONGEST_SIGN = 8, /* in a quoted text */
    LINES_AT_ONCE =
        400, /* of one callback that are noted as they run; later ones when they matter */
    MOST_FRAMES = 16,
    MOST_TEXT = 4096,
    FIRST_FD = 900, /* out of the way of the numbers that programs see */
    ENDED = 125,
    LONGEST_SCRIPT_US = 3000,
};

bool ph_play_on;
static int notes_fd = -1;
static const char nowhere[] = "[\"at\"]";
static unsigned mark_name;
static unsigned long long note_count;
static size_t output_size;
static volatile sig_atomic_t is_late;

/* Where the thread's program is. */
static __thread struct {
    char noted[MOST_TEXT]; /* the last place that is in the notes */
    char now[MOST_TEXT];
    unsigned lines;  /* that were noted since the last other note */
    JSContext* seen; /* the thread's own */
    JSContext* ctx;  /* the same, if a function of the program was noted last; NULL: none */
} place;

static void write_line(const char* text, size_t length) {
    unsigned long long number = __atomic_add_fetch(&note_count, 1, __ATOMIC_RELAXED);
    /* One call, so that lines of several threads do not mix. The number finds the mark's note
     * whatever their order. */
    char line[MOST_TEXT * 2 + 32];
    int size = snprintf(line, sizeof(line), "%llu %.*s\n", number, (int)length, text);
    if (write(notes_fd, line, (size_t)size) == size)
        phasor_trace_mark(mark_name, PHASOR_MARK_PROGRAM, number);
}

static void end_program(const char* why) {
    char text[64];
    int size = snprintf(text, sizeof(text), "[\"stop\",\"%s\"]", why);
    ph_play_on = false;
    write_line(text, (size_t)size);
    phasor_trace_stop();
    _exit(ENDED);
}

static void note_place(void) {
    if (place.now[0] == '\0' || strcmp(place.now, place.noted) == 0)
        return;
    memcpy(place.noted, place.now, sizeof(place.noted));
    place.ctx = place.seen;
    write_line(place.now, strlen(place.now));
}

void ph_play_enters(void) {
    place.noted[0] = place.now[0] = '\0';
    place.lines = 0;
}

void ph_play_ends(void) {
    ph_play_enters();
    place.ctx = place.seen = NULL;
}

static bool is_program(JSContext* ctx, void* frame) {
    JSValueConst function;
    JSAtom atom;
    int line, column, kind;
    if (!js_frame_place(ctx, frame, &function, &atom, &line, &column, &kind) || kind < 0)
        return false;
    const char* file = JS_AtomToCString(ctx, atom);
    bool is = file != NULL && strncmp(file, "node:", 5) != 0;
    JS_FreeCString(ctx, file);
    return is;
}

/* What the runtime makes after the program's function has returned is not that function's. */
static void leave_place(void) {
    if (place.ctx == NULL)
        return;
    void* frame = js_frame_top(place.ctx);
    while (frame != NULL && !is_program(place.ctx, frame))
        frame = js_frame_up(frame);
    if (frame != NULL)
        return;
    write_line(nowhere, sizeof(nowhere) - 1);
    ph_play_enters();
    place.ctx = NULL;
}

static void write_note(const char* text, size_t length) {
    if (note_count >= MOST_NOTES)
        end_program("events");
    note_place();
    place.lines = 0;
    write_line(text, length);
}

void ph_play_note(const char* format, ...) {
    char text[256];
    va_list values;
    va_start(values, format);
    int size = vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    if (size <= 0 || (size_t)size >= sizeof(text))
        return;
    bool is_change = strchr("+-~", text[1 + strcspn(text + 2, "\"")]) != NULL;
    if (is_change)
        leave_place();
    write_note(text, (size_t)size);
    /* Something begins or ends: what runs next is noted, even if it is the same line. */
    if (!is_change)
        ph_play_enters();
}

/* As much of it as fits, without cutting a character in two; gives how much of the text that is. */
static size_t quote(char* out, size_t room, const char* text, size_t length) {
    size_t size = 0, used = 0;
    out[size++] = '"';
    for (; used < length; used++) {
        unsigned char c = (unsigned char)text[used];
        bool begins = (c & 0xc0) != 0x80;
        if (begins && size + LONGEST_SIGN + 2 >= room)
            break;
        if (c == '"' || c == '\\')
            size += (size_t)sprintf(out + size, "\\%c", c);
        else if (c < 0x20)
            size += (size_t)sprintf(out + size, "\\u%04x", c);
        else if (size + 2 < room)
            out[size++] = (char)c;
    }
    out[size++] = '"';
    out[size] = '\0';
    return used;
}

void ph_play_output(int fd, const char* text, size_t length) {
    static __thread char quoted[MOST_TEXT], note[MOST_TEXT + 16];
    if (!ph_play_on || fd < 1 || fd > 2)
        return;
    for (size_t used; length > 0; text += used, length -= used) {
        used = quote(quoted, sizeof(quoted), text, length);
        int size = snprintf(note, sizeof(note), "[\"out\",%d,%s]", fd, quoted);
        write_note(note, (size_t)size);
        output_size += used;
        if (output_size > MOST_OUTPUT)
            end_program("output");
    }
}

static size_t add_frame(JSContext* ctx, char* out, size_t room, JSValueConst function,
                        const char* file, int line) {
    JSValue value = ph_trace_own_name(ctx, function);
    const char* name = JS_IsString(value) ? JS_ToCString(ctx, value) : NULL;
    const char* base = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
    char named[128], filed[128];
    quote(named, sizeof(named), name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    quote(filed, sizeof(filed), base, strlen(base));
    int size = snprintf(out, room, ",[%s,%d,%s]", named, line, filed);
    JS_FreeCString(ctx, name);
    JS_FreeValue(ctx, value);
    return size > 0 && (size_t)size < room ? (size_t)size : 0;
}

/* The functions of the program that are running, innermost first. */
static void look_at_frames(JSContext* ctx, char* out, size_t room) {
    size_t size = (size_t)snprintf(out, room, "[\"at\"");
    int count = 0;
    for (void* frame = js_frame_top(ctx); frame != NULL && count < MOST_FRAMES;
         frame = js_frame_up(frame)) {
        JSValueConst function;
        JSAtom atom;
        int line, column, kind;
        if (!is_program(ctx, frame))
            continue;
        js_frame_place(ctx, frame, &function, &atom, &line, &column, &kind);
        const char* file = JS_AtomToCString(ctx, atom);
        size += add_frame(ctx, out + size, room - size - 2, function, file, line);
        count++;
        JS_FreeCString(ctx, file);
    }
    snprintf(out + size, room - size, "]");
}

/* The end of a function is no line of it. */
static bool is_end(JSContext* ctx) {
    JSValueConst function;
    JSAtom file;
    int line, column, kind;
    return !js_frame_place(ctx, js_frame_top(ctx), &function, &file, &line, &column, &kind) ||
           (kind & 7) == 1;
}

static int on_statement(JSContext* ctx) {
    if (!ph_play_on)
        return 0;
    ph_play_look();
    if (is_end(ctx))
        return 0;
    place.seen = ph_env_of(ctx)->ctx;
    look_at_frames(ctx, place.now, sizeof(place.now));
    if (strcmp(place.now, place.noted) == 0 || place.lines >= LINES_AT_ONCE)
        return 0;
    if (note_count >= MOST_NOTES)
        end_program("events");
    place.lines++;
    note_place();
    return 0;
}

static void on_job(JSContext* ctx) {
    (void)ctx;
    PH_PLAY("[\"job+\"]");
}

/* A script is asked to end at the next line. One that reaches none, in a wait for example, is ended
 * the next time: whatever it was doing, it does not go on. */
static void on_late(int number) {
    (void)number;
    if (is_late)
        end_program("time");
    is_late = 1;
}

void ph_play_look(void) {
    if (ph_play_on && is_late)
        end_program("time");
}

void ph_play_loop_begins(void) {
    if (!ph_play_on)
        return;
    ph_play_note("[\"loop\"]");
    if (phasor_sim_active() && phasor_sim_random(2) == 1)
        usleep((useconds_t)phasor_sim_random(LONGEST_SCRIPT_US));
}

/* What others do on the machine takes nothing from the time to compute. */
static void limit_time(void) {
    const struct sigaction action = {.sa_handler = on_late, .sa_flags = SA_RESTART};
    const struct itimerval computing = {.it_value.tv_sec = MOST_SECONDS, .it_interval.tv_sec = 2};
    const struct itimerval all = {.it_value.tv_sec = LONGEST_SECONDS, .it_interval.tv_sec = 2};
    sigaction(SIGVTALRM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &computing, NULL);
    setitimer(ITIMER_REAL, &all, NULL);
}

void ph_play_init(void) {
    const char* file = getenv("PHASOR_PLAY");
    if (file == NULL || *file == '\0')
        return;
    int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    notes_fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD) : -1;
    if (fd >= 0)
        close(fd);
    unsetenv("PHASOR_PLAY");
    if (notes_fd < 0)
        return;
    mark_name = phasor_trace_name(PH_PLAY_MARK, NULL, 0);
    ph_play_on = true;
    if (&js_job_hook != NULL)
        js_job_hook = on_job;
    if (&js_marks_statements != NULL) {
        js_marks_statements = true;
        js_statement_hook = on_statement;
    }
    limit_time();
    const struct rlimit memory = {MOST_MEMORY, MOST_MEMORY};
    setrlimit(RLIMIT_DATA, &memory);
}
