/* Build tool: compiles the built-in JavaScript to bytecode, as one C file.
 *   compile OUTPUT FOLDER ID...    FOLDER/ID.js, sorted by id */
#include <quickjs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "(function (exports, require, module, process, binding) {";
static const char tail[] = "\n})";

static char* read_source(const char* folder, const char* id, size_t* length) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.js", folder, id);
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    size_t prefix = sizeof(head) - 1;
    char* source = malloc(prefix + (size_t)size + sizeof(tail));
    memcpy(source, head, prefix);
    if (fread(source + prefix, 1, (size_t)size, file) != (size_t)size)
        exit(1);
    fclose(file);
    memcpy(source + prefix + size, tail, sizeof(tail));
    *length = prefix + (size_t)size + sizeof(tail) - 1;
    return source;
}

static void report(JSContext* ctx) {
    JSValue error = JS_GetException(ctx);
    const char* text = JS_ToCString(ctx, error);
    JSValue stack = JS_GetPropertyStr(ctx, error, "stack");
    const char* where = JS_ToCString(ctx, stack);
    fprintf(stderr, "%s\n%s", text, where);
    exit(1);
}

static void compile(JSContext* ctx, FILE* out, const char* folder, const char* id, int number) {
    size_t length;
    char* source = read_source(folder, id, &length);
    char name[512];
    snprintf(name, sizeof(name), "node:%s", id);
    JSValue code =
        JS_Eval(ctx, source, length, name, JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY);
    free(source);
    if (JS_IsException(code))
        report(ctx);
    size_t size;
    uint8_t* bytes =
        JS_WriteObject(ctx, &size, code, JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE);
    if (bytes == NULL)
        report(ctx);
    fprintf(out, "static const uint8_t code%d[%zu] = {", number, size);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%s%u,", i % 24 == 0 ? "\n" : "", bytes[i]);
    fprintf(out, "};\n");
    js_free(ctx, bytes);
    JS_FreeValue(ctx, code);
}

int main(int argc, char** argv) {
    if (argc < 3)
        return 2;
    JSRuntime* rt = JS_NewRuntime();
    JSContext* ctx = JS_NewContext(rt);
    FILE* out = fopen(argv[1], "w");
    if (out == NULL) {
        perror(argv[1]);
        return 1;
    }
    fprintf(out, "#include \"engine/engine.h\"\n");
    for (int i = 3; i < argc; i++)
        compile(ctx, out, argv[2], argv[i], i);
    fprintf(out, "const ph_builtin ph_builtins[] = {\n");
    for (int i = 3; i < argc; i++)
        fprintf(out, "{\"%s\", code%d, sizeof(code%d)},\n", argv[i], i, i);
    fprintf(out, "};\nconst size_t ph_builtin_count = %d;\n", argc - 3);
    fclose(out);
    JS_FreeContext(ctx);
    JS_FreeRuntime(rt);
    return 0;
}
