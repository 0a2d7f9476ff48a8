/* Streams: what a readable and a writable side are, and what may happen to them. The states and
 * their transitions are in docs/STREAMS.md; the functions here are named after its rows.
 *
 * A stream is any object of a program's with `_readableState` and `_writableState`; these are our
 * objects, each with one side below. A program may take them away in the middle of anything, so
 * whoever works on a stream holds its sides (ph_stream) until it is done. Functions that give an
 * int give 0, or -1 and an exception, unless they say otherwise. */
#ifndef PH_RUNTIME_STREAMS_H
#define PH_RUNTIME_STREAMS_H

#include "engine/engine.h"
#include "streams/atoms.h"

typedef enum {
    /* Both sides. */
    PH_OBJECT_MODE = 1 << 0,
    PH_CONSTRUCTED = 1 << 1,
    PH_SYNC = 1 << 2, /* inside of a call of the program's method */
    PH_DESTROYED = 1 << 3,
    PH_CLOSED = 1 << 4, /* destroyed, and the program's method has said so */
    PH_CLOSE_EMITTED = 1 << 5,
    PH_ERROR_EMITTED = 1 << 6,
    PH_EMIT_CLOSE = 1 << 7,
    PH_AUTO_DESTROY = 1 << 8,
    /* The readable side. */
    PH_ENDED = 1 << 9, /* push(null) */
    PH_END_EMITTED = 1 << 10,
    PH_READING = 1 << 11,
    PH_NEED_READABLE = 1 << 12,
    PH_EMITTED_READABLE = 1 << 13,
    PH_READABLE_LISTENING = 1 << 14,
    PH_RESUME_SCHEDULED = 1 << 15,
    PH_MULTI_AWAIT_DRAIN = 1 << 16,
    PH_READING_MORE = 1 << 17,
    PH_DATA_EMITTED = 1 << 18,
    PH_DATA_LISTENING = 1 << 19, /* until removeListener() has removed the last */
    /* The writable side. */
    PH_FINAL_CALLED = 1 << 9,
    PH_NEED_DRAIN = 1 << 10,
    PH_ENDING = 1 << 11, /* end() was called */
    PH_WRITE_ENDED = 1 << 12,
    PH_FINISHED = 1 << 13,
    PH_DECODE_STRINGS = 1 << 14,
    PH_WRITING = 1 << 15,
    PH_BUFFER_PROCESSING = 1 << 16,
    PH_PREFINISHED = 1 << 17,
    PH_ALL_BUFFERS = 1 << 18,
    PH_ALL_NOP = 1 << 19,
    PH_WRITE_WAITS = 1 << 20,      /* a write is under way that nobody has called back */
    PH_TRANSFORM_WAITS = 1 << 21,  /* a chunk is transformed; its result has not been taken */
    PH_DESTROY_WAITS = 1 << 22,    /* destroyed before it was constructed */
    PH_FINAL_RETURNED = 1 << 23,   /* the program has called back from _final */
    PH_DESTROY_RETURNED = 1 << 24, /* the same of _destroy; both sides */
    PH_CONSTRUCT_RETURNED = 1 << 25,
    PH_DRAIN_SCHEDULED = 1 << 26, /* the writable side */
} ph_flag_bit;

/* Three values: what was never said is not the same as no. */
typedef enum { PH_UNSAID = -1, PH_NO = 0, PH_YES = 1 } ph_said;

typedef struct {
    unsigned flags;
    ph_said enabled; /* `readable` or `writable` of the state */
    int64_t length;
    double mark; /* high-water mark */
    JSValue errored;
    JSValue default_encoding;
    JSValue destroy_error; /* while PH_DESTROY_WAITS, and what to call back then */
    JSValue destroy_callback;
} ph_side;

typedef struct {
    ph_side side;
    ph_said flowing;
    ph_said paused;
    JSValue* chunks; /* a circle; its capacity is a power of two */
    unsigned head, count, capacity;
    JSValue decoder; /* null if there is none */
    JSValue encoding;
    JSValue pipes; /* an array; undefined until somebody asks */
    JSValue* awaited;
    unsigned awaited_count;
} ph_readable;

typedef struct {
    JSValue chunk;
    JSValue encoding;
    JSValue callback; /* undefined: nobody wants to know */
} ph_write_entry;

typedef struct {
    JSValue callback;
    int64_t count;
} ph_write_group;

typedef struct {
    ph_side side;
    int corked;
    int64_t pending; /* callbacks that are to come before it finishes */
    int64_t write_length;
    JSValue callback; /* of the write that is under way */
    JSValue on_write; /* given to the program's _write; undefined until it is needed */
    ph_write_entry* entries;
    unsigned head, count, capacity;
    JSValue* finish_callbacks;
    unsigned finish_count;
    ph_write_group* groups; /* writes that later ticks call back */
    unsigned group_head, group_end, group_capacity;
    /* Of a Transform: */
    JSValue transformed; /* given to the program's _transform; undefined until it is needed */
    JSValue transform_callback;
    int64_t transform_length; /* what could be read when the chunk came */
} ph_writable;

/* A stream that somebody works on. What was not asked for is not looked up. */
typedef struct {
    JSContext* ctx;
    JSValue self; /* held, as its sides are: the function that brought it may go */
    JSValue held_readable, held_writable;
    ph_readable* r;
    ph_writable* w;
    bool knows_readable, knows_writable;
} ph_stream;

ph_stream ph_stream_open(JSContext* ctx, JSValueConst self);
void ph_stream_close(ph_stream* s);
/* NULL if it has no such side; no exception. */
ph_readable* ph_stream_readable(ph_stream* s);
ph_writable* ph_stream_writable(ph_stream* s);
static inline bool ph_has(const ph_side* side, unsigned bit) {
    return (side->flags & bit) != 0;
}
static inline void ph_put(ph_side* side, unsigned bit, bool on) {
    side->flags = on ? side->flags | bit : side->flags & ~bit;
}
static inline bool ph_is_errored(const ph_side* side) {
    return !JS_IsNull(side->errored) && !JS_IsUndefined(side->errored);
}
static inline bool ph_is_one_of(const ph_side* side, unsigned bits) {
    return (side->flags & bits) != 0;
}

/* What JavaScript does for the streams. */
typedef enum {
    PH_STREAMS_ERROR,    /* (which, value, other) gives an error */
    PH_STREAMS_BUFFER,   /* (chunk, encoding) gives a Buffer */
    PH_STREAMS_DECODER,  /* (encoding) gives a StringDecoder */
    PH_STREAMS_ENCODING, /* (name) whether it is an encoding */
    PH_STREAMS_SIGNAL,   /* (signal, stream) */
    PH_STREAMS_HOOK_COUNT
} ph_streams_hook;

typedef enum {
    PH_ERROR_PUSH_AFTER_EOF,
    PH_ERROR_UNSHIFT_AFTER_END,
    PH_ERROR_NOT_IMPLEMENTED,   /* (name) */
    PH_ERROR_MULTIPLE_CALLBACK, /*  */
    PH_ERROR_WRITE_AFTER_END,
    PH_ERROR_STREAM_DESTROYED, /* (name) */
    PH_ERROR_ALREADY_FINISHED, /* (name) */
    PH_ERROR_NULL_VALUES,
    PH_ERROR_CHUNK,    /* (value) */
    PH_ERROR_ENCODING, /* (value) */
    PH_ERROR_SIZE,     /* (value) */
    PH_ERROR_MARK,     /* (name, value) */
    PH_ERROR_CANNOT_PIPE,
    PH_ERROR_BOTH, /* (one, other) */
} ph_stream_error;

typedef struct ph_streams {
    JSAtom atoms[PH_STREAM_ATOM_COUNT];
    JSValue hooks[PH_STREAMS_HOOK_COUNT];
    JSClassID readable_class, writable_class, pipe_class;
    JSValue readable_proto, writable_proto, pipe_proto;
    JSValue utf8, buffer; /* names of encodings */
    JSValue pipe_word, unpipe_word;
    JSValue nop;
    JSValue get_pending, set_pending; /* of `pendingcb`, which each writable state has itself */
    /* Methods of ours that C calls without JavaScript where the program has not replaced them. */
    JSValue own_transform_write, own_transform_read, own_pass, own_write, own_read, own_end,
        own_destroy, own_push;
    double default_bytes, default_objects;
} ph_streams;

static inline ph_streams* ph_streams_of(JSContext* ctx) {
    return ph_env_of(ctx)->streams;
}
static inline JSAtom ph_stream_name(JSContext* ctx, ph_stream_atom which) {
    return ph_streams_of(ctx)->atoms[which];
}
static inline bool ph_is_same_object(JSValueConst one, JSValueConst other) {
    return JS_IsObject(one) && JS_IsObject(other) &&
           JS_VALUE_GET_PTR(one) == JS_VALUE_GET_PTR(other);
}
static inline bool ph_is_given(JSValueConst value) {
    return !JS_IsUndefined(value) && !JS_IsNull(value);
}

/* common.c */
JSValue ph_streams_call(JSContext* ctx, ph_streams_hook hook, int argc, JSValueConst* argv);
/* A new error, the caller's. The value and the other may be undefined. */
JSValue ph_streams_error(JSContext* ctx, ph_stream_error which, JSValueConst value,
                         JSValueConst other);
JSValue ph_streams_error_of(JSContext* ctx, ph_stream_error which, const char* name);
/* Throws it. */
JSValue ph_streams_throw(JSContext* ctx, ph_stream_error which, JSValueConst value);
int ph_stream_emit(ph_stream* s, ph_stream_atom name, int argc, JSValueConst* argv);
bool ph_stream_has_listener(ph_stream* s, ph_stream_atom name);
JSValue ph_stream_method(ph_stream* s, ph_stream_atom name);
/* Whether the method is the function of ours that it was before a program could override it; else
 * it is the caller's, or an exception. */
bool ph_stream_is_ours(JSContext* ctx, JSValueConst self, ph_stream_atom name, JSValueConst ours,
                       JSValue* method);
/* Calls function(value) and forgets what it gives. */
int ph_call_back(JSContext* ctx, JSValueConst function, JSValueConst value);
/* The exception that is pending becomes a value, the caller's. */
JSValue ph_caught(JSContext* ctx);
/* A task for the next tick, on the stream and with up to two values. */
typedef int ph_stream_task(ph_stream* s, JSValueConst* values);
int ph_stream_later(ph_stream* s, ph_stream_task* task, JSValueConst value, JSValueConst other);
void ph_replace(JSContext* ctx, JSValue* place, JSValue value_owned);
/* The caller's; -1: an exception. */
int ph_chunk_length(JSContext* ctx, JSValueConst chunk, int64_t* length);
bool ph_is_bytes(JSContext* ctx, JSValueConst chunk);
/* A Buffer of a text or of an object with bytes; undefined if it has none. */
JSValue ph_chunk_buffer(JSContext* ctx, JSValueConst chunk, JSValueConst encoding);
bool ph_is_text(JSContext* ctx, JSValueConst value, const char* text);

/* chunks.c: what a readable side has in store. */
int ph_chunks_add(JSContext* ctx, ph_readable* r, JSValueConst chunk, bool first);
/* The first `count` bytes, characters or objects; the caller's. Null if there is nothing. */
JSValue ph_chunks_take(JSContext* ctx, ph_readable* r, int64_t count);
JSValue ph_chunks_all(JSContext* ctx, ph_readable* r);
void ph_chunks_clear(JSRuntime* rt, ph_readable* r);
JSValue ph_chunks_list(JSContext* ctx, ph_readable* r);

/* readable.c
 * 1: more is wanted, 0: no more for now. */
int ph_readable_push(ph_stream* s, JSValueConst chunk, JSValueConst encoding, bool first);
/* The chunk, the caller's. `count` below 0: whatever there is. */
JSValue ph_readable_read(ph_stream* s, int64_t count);
int ph_readable_read_nothing(ph_stream* s); /* read(0) */
int ph_readable_set_encoding(ph_stream* s, JSValueConst encoding);
int ph_readable_more(ph_stream* s); /* fills the store, in a later tick */

/* flow.c */
int ph_flow_announce(ph_stream* s);     /* 'readable', in a later tick */
int ph_flow_announce_now(ph_stream* s); /* 'readable', now, and then flows */
int ph_flow_end(ph_stream* s);          /* 'end', in a later tick */
int ph_flow_run(ph_stream* s);          /* gives out while it flows */
int ph_flow_resume(ph_stream* s);
int ph_flow_pause(ph_stream* s);
int ph_flow_listened(ph_stream* s, JSAtom event);
int ph_flow_unlistened(ph_stream* s, bool any, JSAtom event, bool all);

/* writable.c
 * 1: more is wanted, 0: no more for now, -1: an exception. A failure that was told to the stream
 * is given to the caller, too, if it wants to know. */
int ph_writable_write(ph_stream* s, JSValueConst chunk, JSValueConst encoding,
                      JSValueConst callback, JSValue* failure);
int ph_writable_written(ph_stream* s, JSValueConst error);
int ph_writable_clear_buffer(ph_stream* s);
int ph_writable_fail_buffer(ph_stream* s);

/* entries.c */
int ph_entries_add(ph_stream* s, JSValueConst chunk, JSValueConst encoding, JSValueConst callback);
ph_write_entry ph_entries_take(ph_writable* w);
void ph_entries_drop(JSContext* ctx, ph_write_entry* entry);
void ph_entries_begin(ph_writable* w); /* there are none, of which all can be said */
JSValue ph_writable_list(JSContext* ctx, ph_writable* w);

/* finish.c */
int ph_finish_end(ph_stream* s, int argc, JSValueConst* argv);
int ph_finish_maybe(ph_stream* s);
/* Calls those that wait for the end, with an error or null. */
int ph_finish_tell(ph_stream* s, JSValueConst error);

/* destroy.c */
int ph_destroy(ph_stream* s, JSValueConst error, JSValueConst callback);
/* Destroys it if it is one that destroys itself, else tells of the error. */
int ph_fail(ph_stream* s, JSValueConst error, bool later);
/* The same; the error passes to it. */
int ph_fail_with(ph_stream* s, JSValue error_owned, bool later);
void ph_undestroy(ph_stream* s);

/* construct.c */
int ph_construct(ph_stream* s);
/* Goes on with destroying what was destroyed before it was constructed. */
int ph_destroy_go_on(ph_stream* s, JSValueConst error);

/* transform.c */
int ph_transform_write(ph_stream* s, JSValueConst chunk, JSValueConst encoding,
                       JSValueConst callback);
int ph_transform_read(ph_stream* s);
void ph_transform_export(JSContext* ctx, JSValueConst binding);

/* pipe.c */
void ph_pipe_init(JSContext* ctx);
void ph_pipe_export(JSContext* ctx, JSValueConst binding);

/* state.c */
void ph_states_init(JSContext* ctx);
void ph_states_export(JSContext* ctx, JSValueConst binding);
/* accessors.c */
void ph_accessors_export(JSContext* ctx, JSValueConst binding);

#endif
