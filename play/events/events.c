#include "events/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events/notes.h"
#include "read/model.h"
#include "read/stream.h"
#include "read/symbols.h"
#include "read/turns.h"
#include "read/types.h"

#define MARK "phasor play"

enum { MOST_REQUEST = 1024 /* bytes of a request: the pool knows an address inside of it */ };

/* A handle or a request, by the address that it had. */
struct thing {
    uint64_t address;
    uint64_t work; /* what the pool knows it by; 0: nothing */
};

struct merge {
    struct trace_file file;
    struct notes notes;
    struct symbols* symbols;
    struct turns* turns; /* by thread */
    struct thing* things;
    size_t thing_count;
    size_t thing_room;
    uint64_t began;
    FILE* out;
};

/* Numbers count from 1, the newest thing of an address is meant; 0: not known. */
static size_t find(const struct merge* m, uint64_t address) {
    for (size_t i = m->thing_count; i > 0; i--)
        if (m->things[i - 1].address == address || m->things[i - 1].work == address)
            return i;
    return 0;
}

static size_t add(struct merge* m, uint64_t address) {
    if (m->thing_count == m->thing_room) {
        size_t room = m->thing_room == 0 ? 64 : m->thing_room * 2;
        struct thing* larger = realloc(m->things, room * sizeof(*larger));
        if (larger == NULL)
            return 0;
        m->things = larger;
        m->thing_room = room;
    }
    m->things[m->thing_count++] = (struct thing){.address = address};
    return m->thing_count;
}

/* The request that an address lies in. */
static size_t find_around(struct merge* m, uint64_t address) {
    for (size_t i = m->thing_count; i > 0; i--) {
        struct thing* thing = &m->things[i - 1];
        if (address >= thing->address && address - thing->address < MOST_REQUEST) {
            thing->work = address;
            return i;
        }
    }
    size_t number = add(m, address);
    if (number != 0)
        m->things[number - 1].work = address;
    return number;
}

static void write_text(FILE* out, const char* text) {
    fputc('"', out);
    for (const unsigned char* c = (const unsigned char*)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20 || *c >= 0x7f)
            fprintf(out, "\\u%04x", *c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void write_name(const struct merge* m, uint64_t number) {
    const struct trace_name* name = number < m->file.name_count ? &m->file.names[number] : NULL;
    write_text(m->out, name != NULL && name->function != NULL ? name->function : "");
    fprintf(m->out, ",%u,", name != NULL ? name->line : 0);
    write_text(m->out, name != NULL && name->file != NULL ? name->file : "");
}

static void begin(const struct merge* m, const struct trace_event* event, const char* kind) {
    uint64_t time = event->time > m->began ? event->time - m->began : 0;
    fprintf(m->out, "[%" PRIu64 ",%u,\"%s\"", time, event->thread, kind);
}

static void write_subject(struct merge* m, const struct trace_event* event, const char* kind,
                          size_t number) {
    begin(m, event, kind);
    fprintf(m->out, ",%zu]\n", number);
}

static void write_callback(struct merge* m, const struct trace_event* event) {
    begin(m, event, "cb");
    fprintf(m->out, ",\"%s\",%zu,", callback_name(event->value), find(m, event->subject));
    write_text(m->out, m->symbols != NULL ? symbols_name(m->symbols, event->detail) : "");
    fputs("]\n", m->out);
}

static void write_typed(struct merge* m, const struct trace_event* event, const char* kind,
                        unsigned type) {
    size_t number = add(m, event->subject);
    begin(m, event, kind);
    fprintf(m->out, ",%zu,\"%s\"]\n", number, object_type_name(type));
}

/* A handle that a note of a C program names by its address, "@0x55aa", has a number here. */
static void write_note(const struct merge* m, const char* note) {
    const char* at = strstr(note, "\"@0x");
    if (at == NULL) {
        fprintf(m->out, "%s\n", note);
        return;
    }
    char* end;
    uint64_t address = strtoull(at + 2, &end, 16);
    fprintf(m->out, "%.*s%zu%s\n", (int)(at - note), note, find(m, address),
            *end == '"' ? end + 1 : end);
}

static void write_mark(struct merge* m, const struct trace_event* event) {
    const struct trace_name* name =
        event->detail < m->file.name_count ? &m->file.names[event->detail] : NULL;
    if (name == NULL || name->function == NULL || strcmp(name->function, MARK) != 0)
        return;
    const char* note = notes_line(&m->notes, event->subject);
    if (note == NULL)
        return;
    uint64_t time = event->time > m->began ? event->time - m->began : 0;
    fprintf(m->out, "[%" PRIu64 ",%u,", time, event->thread);
    write_note(m, note + 1);
}

static void write_about_things(struct merge* m, const struct trace_event* event) {
    switch (event->type) {
    case PH_EV_REQUEST:
        write_typed(m, event, "req", request_type(event->value & 0xff, event->value >> 8));
        break;
    case PH_EV_REQUEST_END:
        write_subject(m, event, "req.", find(m, event->subject));
        break;
    case PH_EV_WORK_SUBMIT:
        write_subject(m, event, "submit", find_around(m, event->subject));
        break;
    case PH_EV_WORK_BEGIN:
        write_subject(m, event, "work", find_around(m, event->subject));
        break;
    case PH_EV_WORK_END:
        write_subject(m, event, "work.", find_around(m, event->subject));
        break;
    case PH_EV_WORK_CANCEL:
        write_subject(m, event, "cancel", find_around(m, event->subject));
        break;
    case PH_EV_SEND:
        write_subject(m, event, "send", find(m, event->subject));
        break;
    case PH_EV_HANDLE_OPEN:
        write_typed(m, event, "open", handle_type(event->value & 0xff));
        break;
    case PH_EV_HANDLE_CLOSE:
        write_subject(m, event, "close", find(m, event->subject));
        break;
    case PH_EV_HANDLE_CLOSED:
        write_subject(m, event, "closed", find(m, event->subject));
        break;
    case PH_EV_REQUEST_NAME:
        begin(m, event, "purpose");
        fprintf(m->out, ",%zu,", find_around(m, event->subject));
        write_name(m, event->detail);
        fputs("]\n", m->out);
        break;
    default:
        break;
    }
}

static void write_event(struct merge* m, const struct trace_event* event) {
    switch (event->type) {
    case PH_EV_ITERATION_BEGIN:
        begin(m, event, "turn");
        fprintf(m->out, ",%" PRIu64 ",%zu]\n", event->detail + 1, find(m, event->loop));
        break;
    case PH_EV_PHASE:
        begin(m, event, "phase");
        fprintf(m->out, ",%u]\n", event->value);
        break;
    case PH_EV_WAIT_BEGIN:
        begin(m, event, "wait");
        fprintf(m->out, ",%" PRId32 "]\n", (int32_t)event->value);
        break;
    case PH_EV_WAIT_END:
        begin(m, event, "wait.");
        fprintf(m->out, ",%u]\n", event->value & ((1u << PH_ASKED_SHIFT) - 1));
        break;
    case PH_EV_CALLBACK_BEGIN:
        write_callback(m, event);
        break;
    case PH_EV_CALLBACK_END:
    case PH_EV_ITERATION_END:
        begin(m, event, event->type == PH_EV_CALLBACK_END ? "cb." : "turn.");
        fputs("]\n", m->out);
        break;
    case PH_EV_SPAN_BEGIN:
        begin(m, event, "fn");
        fprintf(m->out, ",%u,", event->value);
        write_name(m, event->detail);
        fputs("]\n", m->out);
        break;
    case PH_EV_MARK:
        write_mark(m, event);
        break;
    default:
        write_about_things(m, event);
    }
}

static void write_head(const struct merge* m) {
    fprintf(m->out, "{\"began\":%" PRIu64 ",\"end\":%u,\"status\":%d,\"threads\":[", m->began,
            m->file.header.end, m->file.header.end_value);
    for (size_t i = 0; i < m->file.thread_count; i++) {
        fputs(i > 0 ? "," : "", m->out);
        write_text(m->out, m->file.threads[i].name);
    }
    fputs("]}\n", m->out);
}

bool play_write_events(const char* recording, const char* notes, FILE* out, char* error,
                       size_t error_size) {
    struct merge m = {.out = out};
    if (!trace_file_open(&m.file, recording, 0, error, error_size))
        return false;
    if (!notes_open(&m.notes, notes)) {
        snprintf(error, error_size, "%s can't be read", notes);
        trace_file_close(&m.file);
        return false;
    }
    uint64_t duration;
    model_bounds(&m.file, &m.began, &duration);
    m.symbols = symbols_open(&m.file);
    m.turns = calloc(m.file.thread_count + 1, sizeof(*m.turns));
    struct trace_stream* stream = trace_stream_open(&m.file);
    write_head(&m);
    for (const struct trace_event* event;
         m.turns != NULL && (event = trace_stream_next(stream)) != NULL;) {
        struct trace_event all[MOST_IMPLIED];
        unsigned count = turns_expand(&m.turns[event->thread], event, all);
        for (unsigned i = 0; i < count; i++)
            write_event(&m, &all[i]);
    }
    trace_stream_close(stream);
    symbols_close(m.symbols);
    notes_close(&m.notes);
    free(m.things);
    free(m.turns);
    trace_file_close(&m.file);
    return true;
}
