# Errors of syntax in V8's words: programs show them, and tools look for them.
without("errors of syntax have the engine's own words")
replace([[        return js_parse_error(s, "expecting '%c'", ';');]]
        [[        return js_parse_expect(s, INT32_MIN);]])
replace([[        return js_parse_error(s, "unexpected token in expression: '%.*s'",
                              (int)(s->buf_ptr - s->token.ptr), s->token.ptr);]]
        [[        return js_parse_expect(s, INT32_MIN);]])
replace([[    return js_parse_error(s, "unsupported keyword: %s",]]
        [[    return js_parse_error(s, atom == JS_ATOM_enum ? "Unexpected reserved word"
                                                   : "Unexpected token '%s'",]])
insert_file_before("static int define_var(JSParseState *s, JSFunctionDef *fd, JSAtom name,"
                   syntax.c)
foreach(place "                    /* redefining a scoped var in the same scope: error */
                    return js_parse_error(s, \"invalid redefinition of lexical identifier\")"
              "            /* error to redefine a var that inside a lexical scope */
            return js_parse_error(s, \"invalid redefinition of lexical identifier\")"
              "return js_parse_error(s, \"invalid redefinition of parameter name\")"
              "return js_parse_error(s, \"invalid redefinition of a variable\")"
              "return js_parse_error(s, \"invalid redefinition of global identifier\")")
  replace("${place}" "return js_parse_redeclared(s, name)")
endforeach()
replace([[js_parse_error(s, "invalid redefinition of global identifier in module code");]]
        [[js_parse_redeclared(s, func_name);]])
replace([[                js_parse_error(s, "invalid redefinition of global identifier");]]
        [[                js_parse_redeclared(s, func_name);]])
replace([[return js_parse_error(s, "invalid increment/decrement operand");]]
        [[return js_parse_error(s, "Invalid left-hand side expression in %s operation",
                                  s->token.val == tok ? "postfix" : "prefix");]])
replace([[return js_parse_error(s, "invalid assignment left-hand side");]]
        [[return js_parse_error(s, "Invalid left-hand side in assignment");]])
replace([["import.meta only valid in module code"]] [["Cannot use 'import.meta' outside a module"]])
replace([[        js_parse_error(s, "invalid property name");]]
        [[        js_parse_expect(s, INT32_MIN);]])
replace([["invalid number literal"]] [["Invalid or unexpected token"]])
replace([["unexpected character"]] [["Invalid or unexpected token"]])
replace([["unexpected line terminator in regexp"]] [["Invalid regular expression: missing /"]])
replace([["unexpected end of regexp"]] [["Invalid regular expression: missing /"]])
replace([["property constructor appears more than once"]]
        [["A class may only have one constructor"]])
replace([["super() is only valid in a derived class constructor"]]
        [["'super' keyword unexpected here"]])
replace([["continue must be inside loop"]]
        [["Illegal continue statement: no surrounding iteration statement"]])
replace([["break must be inside loop or switch"]] [["Illegal break statement"]])
replace([["missing initializer for variable"]] [["Missing initializer in const declaration"]])
replace([["invalid keyword: with"]] [["Strict mode code may not include a with statement"]])
replace([["return not in a function"]] [["Illegal return statement"]])
replace([["expecting catch or finally"]] [["Missing catch or finally after try"]])
replace([[return js_parse_error(s, "function name expected");]]
        [[return js_parse_error(s, "Function statements require a function name");]])
replace([[                js_parse_error(s, "duplicate label name");]]
        [[                {
                    char buf[ATOM_GET_STR_BUF_SIZE];
                    js_parse_error(s, "Label '%s' has already been declared",
                                   JS_AtomGetStr(ctx, buf, sizeof(buf), label_name));
                }]])
replace([[        if (next_token(s))
            return -1;
        if (s->token.val == '.') {
            if (next_token(s))
                return -1;
            if (!token_is_pseudo_keyword(s, JS_ATOM_meta))]]
        [[        if (next_token(s))
            return -1;
        if (s->token.val != '.' && s->token.val != '(')
            return js_parse_error(s, "Cannot use import statement outside a module");
        if (s->token.val == '.') {
            if (next_token(s))
                return -1;
            if (!token_is_pseudo_keyword(s, JS_ATOM_meta))]])
