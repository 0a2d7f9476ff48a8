/* Every function that allocates, with each of its allocations failing in turn. */

#include <uv.h>

#include "harness.h"

static int until_failure; /* allocations that still succeed; negative: all do */
static int live;

static bool fails(void) {
    return until_failure >= 0 && until_failure-- == 0;
}

static void* failing_malloc(size_t size) {
    if (fails())
        return NULL;
    live++;
    return malloc(size);
}

static void* failing_calloc(size_t count, size_t size) {
    if (fails())
        return NULL;
    live++;
    return calloc(count, size);
}

static void* failing_realloc(void* ptr, size_t size) {
    if (fails())
        return NULL;
    live += ptr == NULL;
    return realloc(ptr, size);
}

static void counting_free(void* ptr) {
    live -= ptr != NULL;
    free(ptr);
}

/* `call` must report UV_ENOMEM and keep nothing until it gets all the memory it asks for. */
static void check_each_failure(int (*call)(void), int least) {
    CHECK_OK(uv_replace_allocator(failing_malloc, failing_realloc, failing_calloc, counting_free));
    int err = UV_ENOMEM, failures = 0;
    for (; err != 0; failures++) {
        until_failure = failures;
        err = call();
        until_failure = -1;
        CHECK(err == 0 || err == UV_ENOMEM);
        CHECK_EQ(live, 0);
    }
    CHECK_GT(failures, least);
    CHECK_OK(call());
    CHECK_EQ(live, 0);
}

static int get_cpu_info(void) {
    uv_cpu_info_t* infos = (void*)-1;
    int count = -1, err = uv_cpu_info(&infos, &count);
    if (err == 0)
        uv_free_cpu_info(infos, count);
    return err;
}

TEST(cpu_info_without_memory_reports_enomem) {
    check_each_failure(get_cpu_info, 1);
}

static int get_interfaces(void) {
    uv_interface_address_t* addresses = (void*)-1;
    int count = -1, err = uv_interface_addresses(&addresses, &count);
    if (err == 0)
        uv_free_interface_addresses(addresses, count);
    return err;
}

TEST(interface_addresses_without_memory_report_enomem) {
    check_each_failure(get_interfaces, 0);
}

static int get_passwd(void) {
    uv_passwd_t pwd;
    int err = uv_os_get_passwd2(&pwd, 0);
    if (err == 0)
        uv_os_free_passwd(&pwd);
    return err;
}

TEST(passwd_without_memory_reports_enomem) {
    check_each_failure(get_passwd, 2);
}

static int get_group(void) {
    uv_group_t grp;
    int err = uv_os_get_group(&grp, 0);
    if (err == 0)
        uv_os_free_group(&grp);
    return err;
}

TEST(group_without_memory_reports_enomem) {
    check_each_failure(get_group, 2);
}

static int get_homedir(void) {
    char buffer[1024];
    size_t size = sizeof(buffer);
    return uv_os_homedir(buffer, &size);
}

TEST(homedir_without_memory_reports_enomem) {
    CHECK_OK(uv_os_unsetenv("HOME"));
    check_each_failure(get_homedir, 1);
}

static int get_environ(void) {
    uv_env_item_t* items = (void*)-1;
    int count = -1, err = uv_os_environ(&items, &count);
    if (err == 0)
        uv_os_free_environ(items, count);
    return err;
}

TEST(environ_without_memory_reports_enomem) {
    CHECK_OK(uv_os_setenv("PHASOR_X", "1"));
    check_each_failure(get_environ, 1);
}

static int convert_text(void) {
    const uint16_t units[] = {'a', 0xE9, 0};
    char* target = NULL;
    size_t length = 7;
    int err = uv_utf16_to_wtf8(units, -1, &target, &length);
    if (err == 0)
        counting_free(target);
    else
        CHECK(target == NULL);
    return err;
}

TEST(text_without_memory_reports_enomem) {
    check_each_failure(convert_text, 1);
}

TEST(library_error_without_memory_still_fails_and_still_says_something) {
    uv_lib_t lib;
    CHECK_OK(uv_replace_allocator(failing_malloc, failing_realloc, failing_calloc, counting_free));
    until_failure = 0;
    CHECK_EQ(uv_dlopen("./missing.so", &lib), -1);
    until_failure = -1;
    CHECK(strlen(uv_dlerror(&lib)) > 0);
    uv_dlclose(&lib);
    CHECK_EQ(live, 0);
}

TEST(setup_args_without_memory_gives_back_the_arguments) {
    char name[] = "name", *argv[] = {name, NULL}, buffer[8];
    CHECK_OK(uv_replace_allocator(failing_malloc, failing_realloc, failing_calloc, counting_free));
    until_failure = 0;
    CHECK(uv_setup_args(1, argv) == argv);
    CHECK_EQ(uv_get_process_title(buffer, sizeof(buffer)), UV_ENOBUFS);
    until_failure = -1;
    CHECK(uv_setup_args(1, argv) != argv);
    CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
    CHECK_STR(buffer, "name");
}
