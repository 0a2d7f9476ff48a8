/* The one place that turns JavaScript values into memory: bytes, places in them, names of files.
 * Nothing here trusts what a program can define itself, such as a `byteLength` of its own. */
#ifndef PH_RUNTIME_BYTES_H
#define PH_RUNTIME_BYTES_H

#include "engine/engine.h"

/* Without the engine's change "bytes" nothing can be pinned: what would move memory is taken away.
 */
void ph_bytes_init(ph_env* env);

/* The bytes of a typed array, DataView, ArrayBuffer or SharedArrayBuffer: as many as it has now,
 * none if it is detached or out of the bounds of a buffer that shrank. They hold until JavaScript
 * runs. Never NULL. -1 and an exception if the value has no bytes at all. */
int ph_bytes(JSContext* ctx, JSValueConst value, uint8_t** bytes, size_t* length);

/* A number as a place between 0 and `most`, whatever number it is; `otherwise` if it is none. */
size_t ph_index(JSContext* ctx, JSValueConst value, size_t otherwise, size_t most);

/* Memory that a pool thread or the system uses: it stays where it is until it is released, even if
 * the program transfers the ArrayBuffer, resizes it or lets go of it. */
typedef struct {
    void* first;
    void** more; /* all but the first */
    unsigned count;
} ph_pins;

/* As ph_bytes, and pins them. An empty ph_pins is all zero. */
int ph_pins_add(JSContext* ctx, ph_pins* pins, JSValueConst value, uint8_t** bytes, size_t* length);
/* The same for each of a list; the pieces come from malloc. */
int ph_pins_add_list(JSContext* ctx, ph_pins* pins, JSValueConst list, uv_buf_t** pieces,
                     unsigned* count);
void ph_pins_release(ph_env* env, ph_pins* pins);

/* Whether memory in use outlives its ArrayBuffer. */
bool ph_can_detach(void);
/* Moves the memory of one ArrayBuffer to another of the same size and detaches the first; what is
 * under way in it goes on. False if they are no such pair. */
bool ph_move_bytes(JSContext* ctx, JSValueConst from, JSValueConst to);
/* Is it a view without a length of its own, on a buffer that can be resized? */
bool ph_tracks_length(JSValueConst value);

/* The name of a file, from malloc: text as UTF-8, bytes as they are. NULL and an exception if it is
 * neither or has a zero in it, or if the program may not use the file so (see permission.h). */
char* ph_path(JSContext* ctx, JSValueConst value, unsigned access);

#endif
