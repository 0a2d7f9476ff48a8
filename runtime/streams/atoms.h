/* The names that the streams ask objects of programs for. */
#ifndef PH_RUNTIME_STREAM_ATOMS_H
#define PH_RUNTIME_STREAM_ATOMS_H

#define PH_STREAM_ATOMS(X)                               \
    X(READABLE_STATE, "_readableState")                  \
    X(WRITABLE_STATE, "_writableState")                  \
    X(READ_METHOD, "_read")                              \
    X(WRITE_METHOD, "_write")                            \
    X(WRITEV_METHOD, "_writev")                          \
    X(TRANSFORM_METHOD, "_transform")                    \
    X(FLUSH_METHOD, "_flush")                            \
    X(FINAL_METHOD, "_final")                            \
    X(CONSTRUCT_METHOD, "_construct")                    \
    X(DESTROY_METHOD, "_destroy")                        \
    X(DESTROY, "destroy")                                \
    X(PUSH, "push")                                      \
    X(READ, "read")                                      \
    X(WRITE, "write")                                    \
    X(END, "end")                                        \
    X(ON, "on")                                          \
    X(ONCE, "once")                                      \
    X(EMIT, "emit")                                      \
    X(REMOVE_LISTENER, "removeListener")                 \
    X(PREPEND_LISTENER, "prependListener")               \
    X(LISTENER_COUNT, "listenerCount")                   \
    X(PAUSE, "pause")                                    \
    X(RESUME, "resume")                                  \
    X(UNPIPE, "unpipe")                                  \
    X(DATA, "data")                                      \
    X(READABLE, "readable")                              \
    X(WRITABLE, "writable")                              \
    X(ERROR, "error")                                    \
    X(CLOSE, "close")                                    \
    X(DRAIN, "drain")                                    \
    X(FINISH, "finish")                                  \
    X(PREFINISH, "prefinish")                            \
    X(PIPE, "pipe")                                      \
    X(ALLOW_HALF_OPEN, "allowHalfOpen")                  \
    X(WRITABLE_ENDED, "writableEnded")                   \
    X(WRITABLE_NEED_DRAIN, "writableNeedDrain")          \
    X(DESTROYED, "destroyed")                            \
    X(LENGTH, "length")                                  \
    X(PENDING, "pendingcb")                              \
    X(CHUNK, "chunk")                                    \
    X(ENCODING, "encoding")                              \
    X(CALLBACK, "callback")                              \
    X(ALL_BUFFERS, "allBuffers")                         \
    X(SUBARRAY, "subarray")                              \
    X(SLICE, "slice")                                    \
    X(TO_STRING, "toString")                             \
    X(STDOUT, "stdout")                                  \
    X(STDERR, "stderr")                                  \
    X(OBJECT_MODE, "objectMode")                         \
    X(READABLE_OBJECT_MODE, "readableObjectMode")        \
    X(WRITABLE_OBJECT_MODE, "writableObjectMode")        \
    X(HIGH_WATER_MARK, "highWaterMark")                  \
    X(READABLE_HIGH_WATER_MARK, "readableHighWaterMark") \
    X(WRITABLE_HIGH_WATER_MARK, "writableHighWaterMark") \
    X(EMIT_CLOSE, "emitClose")                           \
    X(AUTO_DESTROY, "autoDestroy")                       \
    X(DEFAULT_ENCODING, "defaultEncoding")               \
    X(DECODE_STRINGS, "decodeStrings")                   \
    X(SIGNAL, "signal")                                  \
    X(FINAL, "final")                                    \
    X(WRITEV, "writev")                                  \
    X(CONSTRUCT, "construct")                            \
    X(TRANSFORM, "transform")                            \
    X(FLUSH, "flush")

typedef enum {
#define X(name, text) PH_STREAM_##name,
    PH_STREAM_ATOMS(X)
#undef X
        PH_STREAM_ATOM_COUNT
} ph_stream_atom;

#endif
