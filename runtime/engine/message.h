/* Messages as the engine's change "messages" writes and reads them: bytes in V8's format. */
#ifndef PH_RUNTIME_MESSAGE_H
#define PH_RUNTIME_MESSAGE_H

#include <quickjs.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    PH_MESSAGE_CLONE,  /* views with their whole buffers */
    PH_MESSAGE_APART,  /* views with their own bytes, as v8.serialize writes them */
    PH_MESSAGE_MARKED, /* the same, behind a zero: messages between processes */
} ph_message_form;

/* The first bytes are in the struct itself; more are the engine's. */
typedef struct {
    ph_message_form form;
    JSValueConst buffer_proto; /* Buffer.prototype */
    uint8_t* bytes;
    size_t length;
    size_t room;
    uint8_t own[1000];
} ph_message;

typedef struct {
    ph_message_form form;
    JSValueConst buffer_proto;
    JSValueConst buffer; /* of which the bytes are a part, for views that share them */
    size_t offset;       /* of the bytes in it */
    const uint8_t* bytes;
    size_t length;
} ph_message_source;

#endif
