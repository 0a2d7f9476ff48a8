/* The binding "icu". */
#include "icu.h"

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("toASCII", 1, icu_to_ascii),
        JS_CFUNC_DEF("toUnicode", 1, icu_to_unicode),
        JS_CFUNC_DEF("open", 2, icu_open),
        JS_CFUNC_DEF("decode", 3, icu_decode),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    return 0;
}
