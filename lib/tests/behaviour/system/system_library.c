/* Loading shared libraries. */

#include <uv.h>

#include "harness.h"

TEST(dlopen_gives_the_symbols_of_a_library) {
    uv_lib_t lib;
    double (*cosine)(double) = NULL;
    CHECK_OK(uv_dlopen("libm.so.6", &lib));
    CHECK_STR(uv_dlerror(&lib), "no error");
    CHECK_OK(uv_dlsym(&lib, "cos", (void**)&cosine));
    CHECK(cosine(0) == 1);
    uv_dlclose(&lib);
    CHECK(lib.handle == NULL);
    uv_dlclose(&lib);
}

TEST(dlopen_without_a_name_is_the_program_itself) {
    uv_lib_t lib;
    void* symbol = NULL;
    CHECK_OK(uv_dlopen(NULL, &lib));
    CHECK_OK(uv_dlsym(&lib, "malloc", &symbol));
    CHECK(symbol != NULL);
    uv_dlclose(&lib);
}

TEST(dlopen_of_a_missing_file_keeps_the_message) {
    uv_lib_t lib;
    CHECK_EQ(uv_dlopen("./missing.so", &lib), -1);
    CHECK(strstr(uv_dlerror(&lib), "./missing.so") != NULL);
    uv_dlclose(&lib);
    CHECK_STR(uv_dlerror(&lib), "no error");
}

TEST(dlopen_of_a_file_that_is_no_library_keeps_the_message) {
    uv_lib_t lib;
    FILE* file = fopen("text.so", "w");
    fputs("not a library", file);
    fclose(file);
    CHECK_EQ(uv_dlopen("./text.so", &lib), -1);
    CHECK(strstr(uv_dlerror(&lib), "text.so") != NULL);
    uv_dlclose(&lib);
}

TEST(dlsym_of_a_missing_symbol_keeps_the_message) {
    uv_lib_t lib;
    void* symbol = &lib;
    CHECK_OK(uv_dlopen("libm.so.6", &lib));
    CHECK_EQ(uv_dlsym(&lib, "no_such_function", &symbol), -1);
    CHECK(symbol == NULL);
    CHECK(strstr(uv_dlerror(&lib), "no_such_function") != NULL);
    CHECK_EQ(uv_dlsym(&lib, "nor_this_one", &symbol), -1);
    CHECK(strstr(uv_dlerror(&lib), "nor_this_one") != NULL);
    CHECK_OK(uv_dlsym(&lib, "cos", &symbol));
    CHECK(symbol != NULL);
    uv_dlclose(&lib);
}
