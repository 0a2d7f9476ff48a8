#include "trace/encode.h"

#include <string.h>

void ph_encode_begin(struct ph_encoder* to, unsigned char* out, const struct ph_buffer* buffer,
                     uint64_t time) {
    size_t name_size = strnlen(buffer->name, sizeof(buffer->name));
    *to = (struct ph_encoder){.out = out, .time = time};
    to->size = ph_put_varint(out, (uint64_t)buffer->owner);
    to->size += ph_put_varint(out + to->size, name_size);
    memcpy(out + to->size, buffer->name, name_size);
    to->size += name_size;
    to->size += ph_put_varint(out + to->size, time);
    to->sum = ph_trace_checksum(out, to->size);
}

void ph_encode(struct ph_encoder* to, const struct ph_record* record) {
    unsigned char* out = to->out + to->size;
    unsigned fields = ph_trace_fields(record->type);
    *out++ = (unsigned char)record->type;
    out += ph_put_varint(out, record->time - to->time);
    to->time = record->time;
    if (fields & PH_HAS_LOOP)
        out += ph_put_delta(out, record->loop, &to->loop);
    if (fields & PH_HAS_SUBJECT)
        out += ph_put_delta(out, record->subject, &to->subject);
    if (fields & PH_HAS_DETAIL)
        out += ph_put_delta(out, record->detail, &to->detail[record->type]);
    if (fields & PH_HAS_VALUE)
        out += ph_put_varint(out, record->value);
    size_t before = to->size;
    to->size = (size_t)(out - to->out);
    to->sum = ph_trace_checksum_more(to->sum, to->out + before, to->size - before);
}
