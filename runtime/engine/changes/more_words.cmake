# More errors of the language in V8's words; strings are at most as long as V8's.
without("some errors of the language have the engine's own words")
replace([[    return JS_ThrowReferenceError(ctx, "%s is not initialized",]]
        [[    if (name == JS_ATOM_this)
        return JS_ThrowReferenceError(ctx, "Must call super constructor in derived class "
            "before accessing 'this' or returning from derived constructor");
    return JS_ThrowReferenceError(ctx, "Cannot access '%s' before initialization",]])
replace([[                if (type == JS_THROW_VAR_RO)
                    JS_ThrowTypeErrorReadOnly(ctx, JS_PROP_THROW, atom);]]
        [[                if (type == JS_THROW_VAR_RO)
                    JS_ThrowTypeError(ctx, "Assignment to constant variable.");]])
replace([["Date value is NaN"]] [["Invalid time value"]])
replace([["BigInt are forbidden in JSON.stringify"]] [["Do not know how to serialize a BigInt"]])
replace([["cannot convert BigInt to number"]] [["Cannot convert a BigInt value to a number"]])
replace([["cannot convert symbol to number"]] [["Cannot convert a Symbol value to a number"]])
replace([["bad normalization form"]]
        [["The normalization form should be one of NFC, NFD, NFKC, NFKD."]])
replace([[JS_ThrowTypeError(ctx, "empty array");]]
        [[JS_ThrowTypeError(ctx, "Reduce of empty array with no initial value");]])
replace([["invalid 'instanceof' right operand"]]
        [["Right-hand side of 'instanceof' is not callable"]])
replace([["invalid value used as %s key", is_set ? "WeakSet" : "WeakMap"]]
        [["Invalid value used %s", is_set ? "in weak set" : "as weak map key"]])
replace([[            JS_ThrowTypeError(ctx, "circular reference");]]
        [[            JS_ThrowTypeError(ctx, "Converting circular structure to JSON");]])
replace([[        JS_ThrowRangeError(ctx, "invalid repeat count");]]
        [[        JS_ThrowRangeError(ctx, "Invalid count value: %d", (int)val);]])
replace([[    if (len > INT32_MAX) {
        JS_ThrowRangeError(ctx, "invalid array buffer length");]]
        [[    if (len > INT32_MAX) {
        JS_ThrowRangeError(ctx, "Array buffer allocation failed");]])
replace([[#define JS_STRING_LEN_MAX ((1 << 30) - 1)]]
        [[#define JS_STRING_LEN_MAX ((1 << 29) - 24)]])
foreach(kind string array)
  string(REPLACE "\"invalid ${kind} length\"" "\"Invalid ${kind} length\"" text "${text}")
endforeach()
