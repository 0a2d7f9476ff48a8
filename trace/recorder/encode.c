#include "recorder/encode.h"

#include <string.h>

void ph_encode_begin(struct ph_encoder* to, unsigned char* out, const struct ph_buffer* buffer,
                     uint64_t time) {
    size_t name_size = strnlen(buffer->name, sizeof(buffer->name));
    *to = (struct ph_encoder){.out = out, .time = time};
    to->size = ph_put_varint(out, (uint64_t)ph_buffer_owner(buffer));
    to->size += ph_put_varint(out + to->size, name_size);
    memcpy(out + to->size, buffer->name, name_size);
    to->size += name_size;
    to->size += ph_put_varint(out + to->size, time);
}

void ph_encode(struct ph_encoder* to, const struct ph_record* record) {
    unsigned char* out = to->out + to->size;
    uint32_t told = ph_record_type(record);
    unsigned type = told & PH_TYPE, took = told >> PH_TOOK_SHIFT;
    unsigned fields = ph_trace_fields(type);
    *out++ = (unsigned char)(took != 0 ? type | PH_AT_ONCE : type);
    out += ph_put_varint(out, record->time - to->time);
    to->time = record->time;
    if (took != 0) {
        out += ph_put_varint(out, took);
        if (type == PH_EV_WAIT_BEGIN)
            fields |= PH_HAS_DETAIL;
    }
    if (fields & PH_HAS_LOOP)
        out += ph_put_delta(out, record->loop, &to->loop);
    if (fields & PH_HAS_SUBJECT)
        out += ph_put_delta(out, record->subject, &to->subject);
    if (fields & PH_HAS_DETAIL)
        out += ph_put_delta(out, record->detail, &to->detail[type]);
    if (fields & PH_HAS_VALUE)
        out += ph_put_varint(out, record->value);
    to->size = (size_t)(out - to->out);
}
