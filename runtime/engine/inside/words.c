/* The engine's errors in V8's words, which programs and their tests look for: what the engine says,
 * and what is said instead. Both have the same arguments, or ours leaves out the last ones. Errors
 * whose words need other arguments are changed where they are made. */
static const char* const js_words_table[][2] = {
    {"%s in JSON at position %d (line %d column %d)", "%s in JSON at position %d"},
    {"%s is not initialized", "Cannot access '%s' before initialization"},
    {"BigInt are forbidden in JSON.stringify", "Do not know how to serialize a BigInt"},
    {"BigInt division by zero", "Division by zero"},
    {"BigInt operands are forbidden for >>>",
     "BigInts have no unsigned right shift, use >> instead"},
    {"Date value is NaN", "Invalid time value"},
    {"bad normalization form", "The normalization form should be one of NFC, NFD, NFKC, NFKD."},
    {"bigint argument with unary +", "Cannot convert a BigInt value to a number"},
    {"break must be inside loop or switch", "Illegal break statement"},
    {"cannot convert BigInt to number", "Cannot convert a BigInt value to a number"},
    {"cannot convert symbol to number", "Cannot convert a Symbol value to a number"},
    {"cannot convert symbol to string", "Cannot convert a Symbol value to a string"},
    {"cannot invoke a running generator", "Generator is already running"},
    {"cannot read property '%s' of null", "Cannot read properties of null (reading '%s')"},
    {"cannot read property '%s' of undefined",
     "Cannot read properties of undefined (reading '%s')"},
    {"cannot set property '%s' of null", "Cannot set properties of null (setting '%s')"},
    {"cannot set property '%s' of undefined", "Cannot set properties of undefined (setting '%s')"},
    {"circular prototype chain", "Cyclic __proto__ value"},
    {"continue must be inside loop",
     "Illegal continue statement: no surrounding iteration statement"},
    {"empty array", "Reduce of empty array with no initial value"},
    {"expecting catch or finally", "Missing catch or finally after try"},
    {"function name expected", "Function statements require a function name"},
    {"import.meta only valid in module code", "Cannot use 'import.meta' outside a module"},
    {"invalid 'instanceof' right operand", "Right-hand side of 'instanceof' is not callable"},
    {"invalid array length", "Invalid array length"},
    {"invalid assignment left-hand side", "Invalid left-hand side in assignment"},
    {"invalid keyword: with", "Strict mode code may not include a with statement"},
    {"invalid number literal", "Invalid or unexpected token"},
    {"invalid string length", "Invalid string length"},
    {"missing initializer for variable", "Missing initializer in const declaration"},
    {"not a Date object", "this is not a Date object."},
    {"private class field '%s' does not exist",
     "Cannot read private member %s from an object whose class did not declare it"},
    {"promise self resolution", "Chaining cycle detected for promise #<Promise>"},
    {"property constructor appears more than once", "A class may only have one constructor"},
    {"return not in a function", "Illegal return statement"},
    {"super() is only valid in a derived class constructor", "'super' keyword unexpected here"},
    {"toPrimitive", "Cannot convert object to primitive value"},
    {"unexpected character", "Invalid or unexpected token"},
    {"unexpected end of regexp", "Invalid regular expression: missing /"},
    {"unexpected line terminator in regexp", "Invalid regular expression: missing /"},
};

static const char* js_words(JSErrorEnum kind, const char* words) {
    size_t low = 0, high = countof(js_words_table);
    if (kind == JS_URI_ERROR)
        return "URI malformed";
    while (low < high) { /* the table is sorted */
        size_t middle = (low + high) / 2;
        int order = strcmp(words, js_words_table[middle][0]);
        if (order == 0)
            return js_words_table[middle][1];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return words;
}
