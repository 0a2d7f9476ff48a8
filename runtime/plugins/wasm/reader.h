/* Reads the binary format. The first problem stays: after it everything reads as zeros. */
#ifndef PH_WASM_READER_H
#define PH_WASM_READER_H

#include "plugins/wasm/wasm.h"

typedef struct {
    const uint8_t* start; /* of the module */
    const uint8_t *at, *end;
    wasm_problem* problem; /* its text is empty until there is one */
} wasm_reader;

static inline bool wasm_failed(const wasm_reader* r) {
    return r->problem->text[0] != '\0';
}
static inline uint32_t wasm_position(const wasm_reader* r) {
    return (uint32_t)(r->at - r->start);
}

/* Always false. */
bool wasm_fail_at(wasm_reader* r, uint32_t at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
#define wasm_fail(r, ...) wasm_fail_at(r, wasm_position(r), __VA_ARGS__)

uint8_t wasm_read_byte(wasm_reader* r, const char* what);
uint32_t wasm_read_u32(wasm_reader* r, const char* what);
int32_t wasm_read_i32(wasm_reader* r);
int64_t wasm_read_i64(wasm_reader* r);
int64_t wasm_read_i33(wasm_reader* r);
/* So many bytes, or NULL. */
const uint8_t* wasm_read_bytes(wasm_reader* r, uint32_t count, const char* what);
wasm_name wasm_read_name(wasm_reader* r, const char* what);
wasm_type wasm_read_type(wasm_reader* r);
wasm_type wasm_read_reference(wasm_reader* r);
/* A number of things, each of which takes a byte at least. */
uint32_t wasm_read_count(wasm_reader* r, const char* what, uint32_t most);
const char* wasm_type_name(wasm_type type);

#endif
