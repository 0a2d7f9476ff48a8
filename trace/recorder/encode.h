#ifndef PH_TRACE_ENCODE_H
#define PH_TRACE_ENCODE_H

/* Events of one thread as the payload of a block. */

#include "recorder/recorder.h"

enum { PH_MOST_EVENT = 64 /* bytes */ };

struct ph_encoder {
    unsigned char* out;
    size_t size;
    uint64_t time, loop, subject;
    uint64_t detail[PH_EV_COUNT];
};

/* `time` is that of the first event. Takes at most PH_MOST_EVENT bytes, as does each event. */
void ph_encode_begin(struct ph_encoder* to, unsigned char* out, const struct ph_buffer* buffer,
                     uint64_t time);
void ph_encode(struct ph_encoder* to, const struct ph_record* record);

/* Whether an event's detail is the number of a name. */
static inline bool ph_uses_name(const struct ph_record* record) {
    unsigned type = ph_record_type(record) & PH_TYPE;
    return type == PH_EV_SPAN_BEGIN || type == PH_EV_MARK || type == PH_EV_REQUEST_NAME ||
           type == PH_EV_TASK || type == PH_EV_HTTP_REQUEST;
}

#endif
