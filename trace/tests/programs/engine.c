/* engine [set-up]: has what the recorder asks of a V8 of Node 18, and blocks its loop. Until the
 * engine is set up, it takes what somebody else keeps for its isolate, as V8 does. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

#define TRY_GET_CURRENT _ZN2v87Isolate13TryGetCurrentEv
#define REQUEST_INTERRUPT _ZN2v87Isolate16RequestInterruptEPFvPS0_PvES2_
#define CREATED _ZN2v88internal7Isolate20isolate_key_created_E

void* TRY_GET_CURRENT(void);
void REQUEST_INTERRUPT(void* isolate, void (*call)(void*, void*), void* data);

static char own_isolate, of_somebody_else;
bool CREATED;
static int asked;

void* TRY_GET_CURRENT(void) {
    return CREATED ? &own_isolate : &of_somebody_else;
}

/* On the recorder's thread. */
void REQUEST_INTERRUPT(void* isolate, void (*call)(void*, void*), void* data) {
    (void)call;
    (void)data;
    if (isolate != &own_isolate)
        abort();
    __atomic_store_n(&asked, 1, __ATOMIC_RELAXED);
}

/* The rest is there to be found: nobody answers, so nobody calls it. */
#define UNUSED(name)  \
    void name(void);  \
    void name(void) { \
        abort();      \
    }
UNUSED(_ZN2v810StackTrace17CurrentStackTraceEPNS_7IsolateEiNS0_17StackTraceOptionsE)
UNUSED(_ZNK2v810StackTrace13GetFrameCountEv)
UNUSED(_ZNK2v810StackTrace8GetFrameEPNS_7IsolateEj)
UNUSED(_ZNK2v810StackFrame11GetLocationEv)
UNUSED(_ZNK2v810StackFrame15GetFunctionNameEv)
UNUSED(_ZNK2v810StackFrame13GetScriptNameEv)
UNUSED(_ZN2v86String9Utf8ValueC1EPNS_7IsolateENS_5LocalINS_5ValueEEE)
UNUSED(_ZN2v86String9Utf8ValueD1Ev)

/* Long enough, on a processor, that the recorder looks at it many times; one that is expected to be
 * asked waits until it is. */
static void on_timer(uv_timer_t* timer) {
    const clock_t start = clock();
    (void)timer;
    while (clock() - start < CLOCKS_PER_SEC / 5 ||
           (CREATED && !__atomic_load_n(&asked, __ATOMIC_RELAXED)))
        continue;
}

int main(int argc, char** argv) {
    uv_timer_t timer;
    CREATED = argc > 1 && strcmp(argv[1], "set-up") == 0;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    puts(asked ? "asked" : "not asked");
    return 0;
}
