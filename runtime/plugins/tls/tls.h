/* TLS on OpenSSL: contexts (SSL_CTX) and engines (SSL with memory on both sides), each in a box.
 *
 * An engine holds no JavaScript value: every call names its owner, whose methods are told what
 * happens. OpenSSL's callbacks leave a note in the engine; JavaScript is called when OpenSSL has
 * returned, so that it may do with the engine what it wants. */
#ifndef PH_PLUGIN_TLS_H
#define PH_PLUGIN_TLS_H

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "bindings/box.h"
#include "bindings/bytes.h"
#include "bindings/stream.h"
#include "engine/engine.h"

enum { TLS_TICKET_KEYS = 48, TLS_RECORD = 16384 };

/* What a context has beside what OpenSSL keeps; freed with the SSL_CTX. */
typedef struct {
    uint8_t ticket_keys[TLS_TICKET_KEYS]; /* name, HMAC and AES keys, 16 bytes each */
    X509* certificate;
    X509* issuer;
    bool shares_roots; /* its store is the one of all contexts */
} tls_extra;

extern const ph_box_kind tls_context_kind;
tls_extra* tls_extra_of(const SSL_CTX* ssl);
SSL_CTX* tls_context(JSContext* ctx, JSValueConst value);
/* Certificates that come with the program's settings: roots of the system and others. */
X509_STORE* tls_roots(void);
X509_STORE* tls_new_roots(void);

typedef enum {
    TLS_WAITS_FOR_NOTHING,
    TLS_WAITS_FOR_HELLO, /* JavaScript looks at what the client wants */
    TLS_WAITS_FOR_CERTIFICATE,
} tls_wait;

/* Notes of callbacks, in order. */
typedef struct tls_note {
    struct tls_note* next;
    const char* method;
    size_t length;
    size_t id_length; /* of a session: its id follows the bytes */
    uint8_t bytes[];
} tls_note;

typedef struct {
    ph_env* env;
    SSL* ssl;
    BIO* in;
    BIO* out;
    /* Of the call under way */
    JSValueConst owner;
    ph_handle* handle;
    /* Of what went past JavaScript */
    uint64_t plain_read;
    uint64_t plain_written;
    bool running; /* a step is under way: input that comes meanwhile is for it */
    bool again;
    bool inside; /* OpenSSL */
    bool closed; /* by JavaScript: nothing more happens */
    bool secure;
    bool ended; /* the other side will say no more, or an error was told */
    /* What JavaScript wants to be asked */
    bool wants_hello;
    bool wants_certificate;
    bool wants_psk;
    bool wants_sessions;
    tls_wait wait;
    bool saw_hello;
    bool saw_certificate;
    bool has_ticket;
    bool wants_ocsp; /* the client of a server */
    char* servername;
    uint8_t* alpn_offered;
    size_t alpn_offered_length;
    uint8_t* alpn; /* names that the server takes, the best first */
    size_t alpn_length;
    uint8_t* ocsp;
    size_t ocsp_length;
    SSL_SESSION* found; /* what JavaScript has for the id that the client gave */
    uint8_t session_id[SSL_MAX_SSL_SESSION_ID_LENGTH];
    size_t session_id_length;
    tls_note* notes;
    tls_note** last_note;
} tls_engine;

/* NULL and an exception if it is none, is closed, or OpenSSL is running in it. */
tls_engine* tls_engine_of(JSContext* ctx, JSValueConst value);
/* A function that JavaScript calls with an engine before its other arguments. */
typedef JSValue tls_method(JSContext* ctx, tls_engine* engine, JSValueConst* argv);
JSValue tls_call(JSContext* ctx, JSValueConst* argv, tls_method* method);
void tls_note_add(tls_engine* engine, const char* method, const void* bytes, size_t length,
                  const void* id, size_t id_length);
void tls_notes_drop(tls_engine* engine);
void tls_tell_notes(tls_engine* engine);
/* Calls a method of the owner through the gate, in the async context of the handle. */
void tls_emit(tls_engine* engine, const char* method, int argc, JSValue* argv_owned);
/* The same with a result, for OpenSSL's callbacks that can't wait. Never an exception. */
JSValue tls_ask(tls_engine* engine, const char* method, int argc, JSValue* argv_owned);
/* Handshake, reads and writes as far as they go. */
void tls_step(tls_engine* engine);
/* Whom a call is about. tls_enter sets it; what was before comes back with tls_leave. */
typedef struct {
    JSValueConst owner;
    ph_handle* handle;
} tls_call_state;
tls_call_state tls_enter(tls_engine* engine, JSContext* ctx, JSValueConst owner,
                         JSValueConst handle);
void tls_leave(tls_engine* engine, tls_call_state saved);
/* What comes in while JavaScript is told of what goes out is looked at afterwards. */
bool tls_begin(tls_engine* engine);
void tls_finish(tls_engine* engine, bool was_running);
/* Hands over all ciphertext that there is. 1, 0 or an error as ph_stream_send. */
int tls_flush_for(tls_engine* engine, JSValueConst callback, JSValueConst self);
/* The same when nobody waits for it. */
void tls_flush_quietly(tls_engine* engine);
JSValue tls_write(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);
extern const ph_seal tls_seal;
extern const ph_box_kind tls_engine_kind;
void tls_callbacks_init(SSL_CTX* ssl);
void tls_engine_callbacks_init(tls_engine* engine);

/* The error that OpenSSL has queued, as Node shows it; empties the queue. */
JSValue tls_error(JSContext* ctx, bool with_place, const char* otherwise);
JSValue tls_throw(JSContext* ctx, const char* otherwise);

JSValue tls_certificate_value(ph_env* env, X509* certificate);
/* A copy of the bytes, or NULL */
uint8_t* tls_copy(const void* bytes, size_t length);

void tls_export_context(JSContext* ctx, JSValueConst exports);
void tls_export_keys(JSContext* ctx, JSValueConst exports);
void tls_export_engine(JSContext* ctx, JSValueConst exports);
void tls_export_state(JSContext* ctx, JSValueConst exports);
void tls_export_settings(JSContext* ctx, JSValueConst exports);

#endif
