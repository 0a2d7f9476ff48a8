/* SQLite's five types as JavaScript values, and back. */
#include <stdint.h>

#include "plugins/sqlite/sqlite.h"

static const int64_t most_exact = 9007199254740991;

static JSValue integer_value(JSContext* ctx, int64_t number, bool bigints) {
    if (bigints)
        return JS_NewBigInt64(ctx, number);
    if (number <= most_exact && number >= -most_exact)
        return JS_NewInt64(ctx, number);
    JSValue error =
        JS_NewRangeError(ctx, "Value is too large to be represented as a JavaScript number: %lld",
                         (long long)number);
    ph_set(ctx, error, "code", JS_NewString(ctx, "ERR_OUT_OF_RANGE"));
    return JS_Throw(ctx, error);
}

static JSValue text_value(JSContext* ctx, const void* text, int length) {
    return text == NULL ? JS_NewString(ctx, "") : JS_NewStringLen(ctx, text, (size_t)length);
}

static JSValue blob_value(JSContext* ctx, const void* bytes, int length) {
    return JS_NewUint8ArrayCopy(ctx, bytes == NULL ? (const uint8_t*)"" : bytes, (size_t)length);
}

JSValue sq_column(JSContext* ctx, sqlite3_stmt* handle, int index, bool bigints) {
    switch (sqlite3_column_type(handle, index)) {
    case SQLITE_INTEGER:
        return integer_value(ctx, sqlite3_column_int64(handle, index), bigints);
    case SQLITE_FLOAT:
        return JS_NewFloat64(ctx, sqlite3_column_double(handle, index));
    case SQLITE_TEXT: {
        const void* text = sqlite3_column_text(handle, index);
        return text_value(ctx, text, sqlite3_column_bytes(handle, index));
    }
    case SQLITE_BLOB: {
        const void* bytes = sqlite3_column_blob(handle, index);
        return blob_value(ctx, bytes, sqlite3_column_bytes(handle, index));
    }
    default:
        return JS_NULL;
    }
}

JSValue sq_argument(JSContext* ctx, sqlite3_value* value, bool bigints) {
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
        return integer_value(ctx, sqlite3_value_int64(value), bigints);
    case SQLITE_FLOAT:
        return JS_NewFloat64(ctx, sqlite3_value_double(value));
    case SQLITE_TEXT: {
        const void* text = sqlite3_value_text(value);
        return text_value(ctx, text, sqlite3_value_bytes(value));
    }
    case SQLITE_BLOB: {
        const void* bytes = sqlite3_value_blob(value);
        return blob_value(ctx, bytes, sqlite3_value_bytes(value));
    }
    default:
        return JS_NULL;
    }
}

static int refuse(JSContext* ctx, const char* code, const char* format, int index) {
    JSValue error = JS_NewTypeError(ctx, format, index);
    ph_set(ctx, error, "code", JS_NewString(ctx, code));
    JS_Throw(ctx, error);
    return -1;
}

/* Whether it is in the range of int64; JS_ToBigInt64 wraps. */
static bool big_number(JSContext* ctx, JSValueConst value, int64_t* number) {
    if (JS_ToBigInt64(ctx, number, value) != 0) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return false;
    }
    JSValue back = JS_NewBigInt64(ctx, *number);
    bool same = JS_IsStrictEqual(ctx, back, value);
    JS_FreeValue(ctx, back);
    return same;
}

static int bind_bytes(JSContext* ctx, sqlite3_stmt* handle, int index, JSValueConst value) {
    uint8_t* bytes;
    size_t length;
    if (ph_bytes(ctx, value, &bytes, &length) != 0) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return refuse(ctx, "ERR_INVALID_ARG_TYPE",
                      "Provided value cannot be bound to SQLite parameter %d.", index);
    }
    return length == 0 ? sqlite3_bind_zeroblob(handle, index, 0)
                       : sqlite3_bind_blob64(handle, index, bytes, length, SQLITE_TRANSIENT);
}

int sq_bind(JSContext* ctx, sqlite3_stmt* handle, int index, JSValueConst value) {
    int64_t number;
    if (JS_IsNumber(value))
        return sqlite3_bind_double(handle, index, ph_number(ctx, value, 0));
    if (JS_IsNull(value))
        return sqlite3_bind_null(handle, index);
    if (JS_IsBool(value))
        return sqlite3_bind_int(handle, index, ph_flag(ctx, value));
    if (JS_IsString(value)) {
        size_t length;
        const char* text = ph_text(ctx, value, &length);
        if (text == NULL)
            return -1;
        int status =
            sqlite3_bind_text64(handle, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
        JS_FreeCString(ctx, text);
        return status;
    }
    if (JS_IsBigInt(value))
        return big_number(ctx, value, &number)
                   ? sqlite3_bind_int64(handle, index, number)
                   : refuse(ctx, "ERR_INVALID_ARG_VALUE", "BigInt value is too large to bind.", 0);
    return bind_bytes(ctx, handle, index, value);
}

void sq_result(JSContext* ctx, sqlite3_context* call, JSValueConst value) {
    uint8_t* bytes;
    size_t length;
    int64_t number;
    if (JS_IsNumber(value)) {
        sqlite3_result_double(call, ph_number(ctx, value, 0));
    } else if (JS_IsNull(value) || JS_IsUndefined(value)) {
        sqlite3_result_null(call);
    } else if (JS_IsString(value)) {
        const char* text = ph_text(ctx, value, &length);
        if (text == NULL)
            sqlite3_result_error_nomem(call);
        else
            sqlite3_result_text64(call, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
        JS_FreeCString(ctx, text);
    } else if (JS_IsBigInt(value)) {
        if (big_number(ctx, value, &number))
            sqlite3_result_int64(call, number);
        else
            sqlite3_result_error(call, "BigInt value is too large for SQLite", -1);
    } else if (JS_IsPromise(value)) {
        sqlite3_result_error(call, "Asynchronous user-defined functions are not supported", -1);
    } else if (JS_IsObject(value) && ph_bytes(ctx, value, &bytes, &length) == 0) {
        sqlite3_result_blob64(call, bytes, length, SQLITE_TRANSIENT);
    } else {
        JS_FreeValue(ctx, JS_GetException(ctx));
        sqlite3_result_error(call,
                             "Returned JavaScript value cannot be converted to a SQLite value", -1);
    }
}
