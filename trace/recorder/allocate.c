#include "recorder/services.h"

void* ph_recorder_malloc(size_t size) {
    return ph_services->malloc(size);
}

void* ph_recorder_calloc(size_t count, size_t size) {
    return ph_services->calloc(count, size);
}

void* ph_recorder_realloc(void* memory, size_t size) {
    return ph_services->realloc(memory, size);
}

void ph_recorder_free(void* memory) {
    ph_services->free(memory);
}
