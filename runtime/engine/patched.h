/* What our patches add to the engine (runtime/engine/patches, C of ours in runtime/engine/inside).
 * An engine that we do not know, or one built with PHASOR_ENGINE_CHANGES=OFF, lacks some or all of
 * it: every name is weak, and whoever uses one asks first whether it is there. */
#ifndef PH_RUNTIME_PATCHED_H
#define PH_RUNTIME_PATCHED_H

#include <quickjs.h>
#include <stdbool.h>

#include "engine/message.h"
#include "engine/trace_frame.h"

#define PH_PATCHED extern __attribute__((weak))

/* hashing: the seed of all hashes, before the first runtime is made. */
PH_PATCHED void js_seed_hashes(const uint64_t seed[2]);
/* The same: Math.random of the context begins again, as in one that is made now. */
PH_PATCHED void js_seed_random(JSContext* ctx);

/* contexts: shown what is to run after a promise; gives what runs instead. */
PH_PATCHED JSValue (*js_reaction_hook)(JSContext* ctx, JSValueConst handler);

/* calls: asked before a function of a script runs, while calls are watched. 0: it passes; below 0:
 * it always will; above 0: js_call_ended is called when the function has returned or stopped at an
 * await. What it calls itself is not asked about. `note` is 0 at first and the hook's own. */
PH_PATCHED int (*js_call_hook)(JSContext* ctx, JSValueConst function, uint32_t* note,
                               bool is_whole_text, JSAtom file, int line, int column);
PH_PATCHED void (*js_call_ended)(JSContext* ctx);
PH_PATCHED void js_watch_calls(JSRuntime* rt, bool watched);

/* jobs: told of each promise job as it is queued. */
PH_PATCHED void (*js_job_hook)(JSContext* ctx);

/* readers: tells of each object and then of what it holds; strings, numbers and the like (NULL:
 * they have no place of their own) are told before the edge to them. Kinds are those of V8's
 * snapshots. */
PH_PATCHED void js_walk_heap(
    JSRuntime* rt, void* data,
    void (*node)(void* data, const void* address, int kind, const char* name, size_t size),
    void (*edge)(void* data, int kind, const char* name, uint32_t index, const void* to),
    void (*leaf)(void* data, const void* address, int kind, const char* name, size_t size));
PH_PATCHED size_t js_objects_below(JSRuntime* rt, JSValueConst prototype, JSValue* found,
                                   size_t room);

/* readers: tells of what is running, innermost first; of a C function without a file. */
PH_PATCHED void js_each_frame(JSContext* ctx,
                              void (*tell)(void* data, JSContext* ctx, JSValueConst function,
                                           bool is_whole_text, JSAtom file, int line, int column,
                                           int running),
                              void* data);

/* traces: errors keep what ran instead of a text, once this is set, before the first runtime. */
PH_PATCHED bool js_keeps_traces;
/* throws: [file, line, column] of the statement that threw a value last, or undefined. */
PH_PATCHED JSValue js_thrown_place(JSContext* ctx, JSValueConst value);

/* The function that runs handlers in their contexts; its first value is the handler. */
PH_PATCHED JSCFunctionData* js_reaction_runs;
/* A trace of what runs above a function, empty where it does not run; undefined: no memory. */
PH_PATCHED JSValue js_take_trace(JSContext* ctx, JSValueConst above);
/* Gives an error, where nothing ran when it was made, the stack of what waits for a promise. */
PH_PATCHED void js_show_waiters(JSContext* ctx, JSValueConst error, JSValueConst promise);
/* Gives an error that has no `stack` of its own another trace. */
PH_PATCHED bool js_give_trace(JSContext* ctx, JSValueConst error, JSValueConst trace);
/* -1: not a trace. */
PH_PATCHED int js_trace_length(JSValueConst trace);
PH_PATCHED void js_trace_read(JSContext* ctx, JSValueConst trace, int i, js_trace_frame* frame);
/* Texts or null. No getter, no proxy and nothing else of the program runs. */
PH_PATCHED JSValue js_trace_name(JSContext* ctx, JSValueConst function);
PH_PATCHED JSValue js_receiver_type(JSContext* ctx, JSValueConst receiver);
PH_PATCHED JSValue js_receiver_method(JSContext* ctx, JSValueConst receiver, JSValueConst function);

/* linking: the namespace; or a number: 1 if the graph has a top-level await, 2 if the module is
 * still being evaluated; or [name, importer] of one in the graph that is. */
PH_PATCHED JSValue js_require_module(JSContext* ctx, const char* base, const char* name);

/* linking: told what is wrong with a link, gives the error to throw. Kind: 1 no such export, 2
 * names of stars collide, 3 they go round in a circle. */
PH_PATCHED JSValue (*js_link_hook)(JSContext* ctx, int kind, JSAtom importer, JSAtom request,
                                   JSAtom name, JSAtom found);
/* Shown the error of an import before anybody sees it. */
PH_PATCHED void (*js_import_failed)(JSContext* ctx, JSValueConst error);
/* The function of a module that JavaScript links (what can be asked of it:
 * runtime/engine/inside/vm_modules.c). */
PH_PATCHED JSValue js_vm_module(JSContext* ctx, JSModuleDef* module);
/* NULL: it threw. */
PH_PATCHED JSModuleDef* js_vm_compile(JSContext* ctx, const char* source, size_t length,
                                      const char* name);
/* Shown an import() before the engine looks for the module: undefined lets it, anything else is
 * what the import gives. */
PH_PATCHED JSValue (*js_import_hook)(JSContext* ctx, JSValueConst base, JSValueConst specifier,
                                     JSValueConst attributes);
/* Fills the import.meta of a module that has none yet. */
PH_PATCHED JSValue (*js_meta_hook)(JSContext* ctx, JSModuleDef* module, JSValueConst meta);

/* bytes: memory of ArrayBuffers on its way to another thread, which free() frees. NULL: it has to
 * be copied, or there is no memory for the copy. Taking detaches, copying leaves the buffer. */
PH_PATCHED bool js_has_block(JSValueConst buffer);
PH_PATCHED void* js_take_block(JSContext* ctx, JSValueConst buffer, size_t* length);
PH_PATCHED void* js_copy_block(JSContext* ctx, JSValueConst buffer, size_t* length);
/* An ArrayBuffer with this memory; after an exception it is still the caller's. */
PH_PATCHED JSValue js_give_block(JSContext* ctx, void* block, size_t length);

/* lookups: the value of an own property that is plain, still the object's: it may go as soon as
 * anything runs. False: JS_GetProperty has to look. */
PH_PATCHED bool js_own_value(JSValueConst object, JSAtom name, JSValueConst* value);
/* The same of the object or of a prototype; undefined if none of them has it. */
PH_PATCHED bool js_known_value(JSValueConst object, JSAtom name, JSValueConst* value);

/* globals: another global object for a context; the context of a function; the promise jobs of a
 * context (how many ran, -1 if one threw). */
PH_PATCHED void js_set_global(JSContext* ctx, JSValue object);
PH_PATCHED JSContext* js_context_of(JSContext* ctx, JSValueConst function);
PH_PATCHED int js_run_jobs_of(JSContext* ctx);
/* Whether the code that runs is strict. */
PH_PATCHED bool js_is_strict(JSContext* ctx);

/* readers: whether the caller's is the only reference to the object and nobody has changed it. */
PH_PATCHED bool js_is_forgotten(JSContext* ctx, JSValueConst object);

/* readers: the keys of an array or a typed array that are no elements; undefined: ask the language.
 */
PH_PATCHED JSValue js_names_beside_elements(JSContext* ctx, JSValueConst value);

/* readers: what an iterator of a map or a set would still give, as [are they pairs?, values];
 * undefined: it is none. The bytes of all ArrayBuffers. */
PH_PATCHED JSValue js_iterator_rest(JSContext* ctx, JSValueConst value);
PH_PATCHED size_t js_buffer_bytes(JSRuntime* rt);

/* waits: ends the Atomics.wait that a thread of this runtime is in, and all that it would begin. */
PH_PATCHED void js_end_waits(JSRuntime* rt);

/* waits: asked for what Atomics.waitAsync gives; its waiters
 * (runtime/engine/inside/async_waits.c). */
PH_PATCHED JSValue (*js_wait_hook)(JSContext* ctx, JSValueConst* argv);
PH_PATCHED int js_begin_wait(JSContext* ctx, JSValueConst* argv, void (*told)(void* data),
                             void* data, double* timeout, void** wait);
PH_PATCHED bool js_was_told(void* wait);
PH_PATCHED bool js_end_wait(JSRuntime* rt, void* wait);

/* readers: fetches what freeing the block, or calling the function, will need into the caches. */
PH_PATCHED void js_prefetch_block(const void* block);
PH_PATCHED void js_prefetch_function(const void* function);

/* bytes: the bytes that a value has now; false if it is no buffer and no view. */
PH_PATCHED bool js_bytes(JSValueConst value, uint8_t** data, size_t* length);
/* How many bytes a Uint8Array has now; false if it is none. */
PH_PATCHED bool js_byte_count(JSValueConst value, size_t* length);
/* The same, and they stay in their place until js_unpin; no pin if there are none. -1: no memory.
 */
PH_PATCHED int js_pin_bytes(JSContext* ctx, JSValueConst value, uint8_t** data, size_t* length,
                            void** pin);
PH_PATCHED void js_unpin(JSRuntime* rt, void* pin);
PH_PATCHED bool js_move_bytes(JSContext* ctx, JSValueConst from, JSValueConst to);
PH_PATCHED bool js_tracks_length(JSValueConst value);

/* messages: writes a value of which nothing of the program has to be asked (no getters, proxies,
 * objects of the runtime). False: it is another one, or there is no memory, and nothing happened.
 */
PH_PATCHED bool js_message_write(JSContext* ctx, JSValueConst value, ph_message* to);
PH_PATCHED void js_message_release(JSContext* ctx, ph_message* to);
/* JS_UNINITIALIZED: the bytes are wrong, or not for this reader, and nothing happened. */
PH_PATCHED JSValue js_message_read(JSContext* ctx, const ph_message_source* from);

/* statements: marks where a debugger may stop, in what is compiled while this is set. Kinds: 0 a
 * statement, 1 the end of a function, 2 "debugger"; 8 more inside of a try. */
PH_PATCHED bool js_marks_statements;
typedef struct {
    int line, column, kind;
} ph_mark;
PH_PATCHED int (*js_statement_hook)(JSContext* ctx); /* nonzero: it threw */
PH_PATCHED void (*js_throw_hook)(JSContext* ctx);
PH_PATCHED void (*js_script_hook)(JSContext* ctx, const char* source, size_t length,
                                  const char* file, int flags, const ph_mark* marks, int count);
/* What this thread has noted of marks is given back. */
PH_PATCHED void js_forget_marks(void);
/* Functions that are running, innermost first; NULL: no more. */
PH_PATCHED void* js_frame_top(JSContext* ctx);
PH_PATCHED void* js_frame_up(void* frame);
PH_PATCHED bool js_frame_is_coroutine(void* frame);
PH_PATCHED const void* js_frame_pc(void* frame);
/* False: not a function of a script. The kind is that of the last mark, -1 if there is none. */
PH_PATCHED bool js_frame_place(JSContext* ctx, void* frame, JSValueConst* function, JSAtom* file,
                               int* line, int* column, int* kind);
/* Rows of [name, value, slot, depth]: depth of the block, 0 function, -1 functions around it. */
PH_PATCHED JSValue js_frame_variables(JSContext* ctx, void* frame);
PH_PATCHED void js_frame_set(JSContext* ctx, void* frame, int slot, JSValue value_owned);

/* counts: how often functions and blocks run, of what this thread compiles while it counts. Places
 * are bytes of the text; an end of -1: the block goes on to the next range beside it, or to the end
 * of what it is in. Function: which range is the one that it is in. Kinds: 0 a function, 1 a block,
 * 2 the fields of a class, 3 its static ones. The count of range N is at `first` + N. */
typedef struct {
    int start, end, function, kind;
} ph_counted;
PH_PATCHED void js_count_blocks(bool is_on);
PH_PATCHED void (*js_counted_hook)(JSContext* ctx, const char* source, size_t length,
                                   const char* file, const ph_counted* ranges, int count,
                                   uint32_t first);
PH_PATCHED uint64_t js_counted_at(uint32_t place);
PH_PATCHED void js_counts_clear(void);
/* What this thread has counted is given back. */
PH_PATCHED void js_forget_counts(void);

#endif
