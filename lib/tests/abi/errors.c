/* The rest of the program that generate.py begins with the table of errors. */

static int failures;

static void expect(const char* what, int value, const char* found, const char* wanted) {
    if (found != NULL && strcmp(found, wanted) == 0)
        return;
    printf("%s(%d) is \"%s\", not \"%s\"\n", what, value, found ? found : "(null)", wanted);
    failures++;
}

static void expect_text(int value, const char* name, const char* message) {
    char buffer[64];
    expect("uv_err_name", value, uv_err_name(value), name);
    expect("uv_strerror", value, uv_strerror(value), message);
    expect("uv_err_name_r", value, uv_err_name_r(value, buffer, sizeof(buffer)), name);
    expect("uv_strerror_r", value, uv_strerror_r(value, buffer, sizeof(buffer)), message);

    char cut[5] = "????";
    char start[5];
    snprintf(start, sizeof(start), "%s", message);
    expect("uv_strerror_r into 5 bytes", value, uv_strerror_r(value, cut, sizeof(cut)), start);
    snprintf(start, sizeof(start), "%s", name);
    expect("uv_err_name_r into 5 bytes", value, uv_err_name_r(value, cut, sizeof(cut)), start);
}

int main(void) {
    char text[64];
    size_t count = sizeof(table) / sizeof(table[0]);
    for (size_t i = 0; i < count; i++) {
        expect_text(table[i].value, table[i].name, table[i].message);
        if (uv_translate_sys_error(table[i].value) != table[i].value) {
            printf("uv_translate_sys_error(%d) changes it\n", table[i].value);
            failures++;
        }
    }
    const int unknown[] = {1, 12345, -2999, -100000};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        snprintf(text, sizeof(text), "Unknown system error %d", unknown[i]);
        expect_text(unknown[i], text, text);
    }
    printf("%zu errors checked, %d differences\n", count, failures);
    return failures != 0;
}
