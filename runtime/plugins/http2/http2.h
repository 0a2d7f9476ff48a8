/* HTTP/2 on nghttp2: sessions in boxes. A session holds no JavaScript value: every call names the
 * owner, whose methods are told of frames. They may submit frames; to read, to write out and to end
 * the session wait until nghttp2 has returned. */
#ifndef PH_PLUGIN_HTTP2_H
#define PH_PLUGIN_HTTP2_H

#include <nghttp2/nghttp2.h>

#include "bindings/box.h"
#include "bindings/bytes.h"
#include "engine/engine.h"

/* Bytes that wait for their turn in a stream. */
typedef struct h2_piece {
    struct h2_piece* next;
    size_t length;
    size_t used;
    uint8_t bytes[];
} h2_piece;

typedef struct h2_stream {
    struct h2_stream* next; /* in its bucket */
    int32_t id;
    h2_piece* first;
    h2_piece** last;
    size_t queued;
    bool ends;     /* nothing follows what is queued */
    bool trailers; /* trailers follow it */
    bool asked;    /* the owner has been asked for them */
    bool deferred; /* nghttp2 waits for bytes */
    bool told;     /* the owner knows that nothing is queued */
} h2_stream;

enum { H2_BUCKETS = 64 };

typedef struct {
    ph_env* env;
    nghttp2_session* session;
    JSValueConst owner; /* of the call under way */
    bool is_server;
    bool inside; /* nghttp2 is working */
    bool closed;
    bool threw; /* an owner's method; the exception is pending */
    /* Limits, and what counts towards them */
    uint32_t max_pairs;
    uint32_t max_head; /* bytes of names and values, with 32 for each pair */
    uint64_t max_memory;
    uint32_t max_invalid;
    uint32_t invalid;
    uint32_t max_refused;
    uint32_t refused;       /* streams that came while there was too much in memory */
    uint32_t continuations; /* in a row */
    uint32_t resets;        /* by the peer, in the present second */
    uint32_t controls;      /* SETTINGS and PING of the peer, in the present second */
    uint64_t second;
    uint64_t memory; /* bytes queued and heads under way */
    const char* flood;
    uint32_t padding;
    uint32_t frames_received;
    uint32_t frames_sent;
    /* The head under way: names, values and flags one after the other */
    int32_t head_id;
    uint32_t pairs;
    char* head;
    size_t head_length;
    size_t head_capacity;
    size_t head_size; /* as max_head counts it */
    bool head_too_large;
    JSAtom secret; /* the symbol below which a head has the names that are never indexed */
    h2_stream* buckets[H2_BUCKETS];
} h2_session;

h2_session* h2_get(JSContext* ctx, JSValueConst value);
h2_stream* h2_stream_find(h2_session* h2, int32_t id, bool make);
void h2_stream_drop(h2_session* h2, int32_t id);
/* Calls a method of the owner; an exception stays pending and ends the work. */
void h2_tell(h2_session* h2, const char* method, int argc, JSValue* argv_owned);
void h2_set_callbacks(nghttp2_session_callbacks* callbacks);
/* [name, value, is it never indexed?, ...] as nghttp2 wants it. False and an exception. */
typedef struct {
    nghttp2_nv* list;
    size_t count;
    char** texts;
} h2_fields;
bool h2_fields_read(JSContext* ctx, JSValueConst list, h2_fields* fields);
void h2_fields_free(h2_fields* fields);
/* The fields of the head under way, one after the other from `at` 0 on. */
typedef struct {
    size_t at;
    const char* name;
    const char* value;
    size_t name_length;
    size_t value_length;
    bool never; /* indexed */
} h2_field;
bool h2_next_field(const h2_session* h2, h2_field* field);
/* All of them as [name, value, is it never indexed?, ...] */
JSValue h2_head_list(const h2_session* h2);
/* The head under way, which ends: an object and [name, value, ...], or undefined and the list of
 * h2_head_list if something in it is odd. */
void h2_head_values(h2_session* h2, JSValue values[2]);
nghttp2_data_provider h2_provider(void);

void h2_export_frames(JSContext* ctx, JSValueConst exports);
void h2_export_state(JSContext* ctx, JSValueConst exports);
void h2_export_heads(JSContext* ctx, JSValueConst exports);
void h2_export_session(JSContext* ctx, JSValueConst exports);

#endif
