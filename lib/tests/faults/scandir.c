// wrap: readdir
/* Lists of folders whose names come in a chosen order; memory is written to its end and no further.
 */

#include <dirent.h>

#include "guarded.h"

enum { MOST_NAMES = 400 };

static char names[MOST_NAMES][64];
static int name_count, next_name;
static bool shown; /* instead of what is there */

struct dirent* __real_readdir(DIR* dir);
struct dirent* __wrap_readdir(DIR* dir);
struct dirent* __wrap_readdir(DIR* dir) {
    static struct dirent entry;
    if (!shown)
        return __real_readdir(dir);
    if (next_name == name_count)
        return NULL;
    strcpy(entry.d_name, names[next_name++]);
    entry.d_type = DT_REG;
    return &entry;
}

static int compare(const void* a, const void* b) {
    return strcmp(a, b);
}

/* The names that are set, beginning with the one at `from`. */
static void check_sorted(int from) {
    static char sorted[MOST_NAMES][64];
    uv_fs_t req;
    uv_dirent_t entry;
    for (int i = 0; i < name_count; i++)
        strcpy(sorted[i], names[(from + i) % name_count]);
    memcpy(names, sorted, sizeof(names));
    qsort(sorted, (size_t)name_count, sizeof(*sorted), compare);
    next_name = 0;
    shown = true;
    CHECK_EQ(uv_fs_scandir(NULL, &req, ".", 0, NULL), name_count);
    for (int i = 0; i < name_count; i++) {
        CHECK_OK(uv_fs_scandir_next(&req, &entry));
        CHECK_STR(entry.name, sorted[i]);
        CHECK_EQ(entry.type, UV_DIRENT_FILE);
    }
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
    uv_fs_req_cleanup(&req);
    shown = false;
    CHECK_EQ(held, 0);
}

static void check_sorted_from_anywhere(void) {
    guard_memory();
    for (int turn = 0; turn < 8; turn++)
        check_sorted(name_count / 7);
    name_count = 0;
}

TEST(names_are_sorted_whatever_the_first_of_them_have_in_common) {
    for (int i = 0; i < 260; i++)
        snprintf(names[name_count++], sizeof(*names), "%c%c", 'a' + i / 26, 'a' + i % 26);
    check_sorted_from_anywhere();
    for (int i = 0; i < 100; i++)
        snprintf(names[name_count++], sizeof(*names), "%.*s%d", i % 3, "xx", i);
    check_sorted_from_anywhere();
}

/* Behind what they share, names are looked at by eight bytes, and then by all. */
TEST(names_that_differ_late_are_sorted_to_their_last_byte) {
    for (int i = 0; i < 320; i++)
        snprintf(names[name_count++], sizeof(*names), "image-%08d", (i * 7919 + 13) % 100000 * 999);
    check_sorted_from_anywhere();
    for (int i = 0; i < 200; i++)
        snprintf(names[name_count++], sizeof(*names), "%08d", i / 100 * 90000000 + 199 - i);
    check_sorted_from_anywhere();
    for (int i = 0; i < 120; i++)
        snprintf(names[name_count++], sizeof(*names), "%d-0123456789-%d", i % 3, 1000 - i);
    check_sorted_from_anywhere();
    for (int i = 0; i < 70; i++)
        snprintf(names[name_count++], sizeof(*names), "%.*s", 1 + i % 20 + i / 20,
                 "aaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    check_sorted_from_anywhere();
    for (int i = 0; i < 250; i++)
        snprintf(names[name_count++], sizeof(*names), "%c-or-not", 255 - i);
    check_sorted_from_anywhere();
}

TEST(list_of_any_length_takes_the_memory_that_it_asked_for) {
    guard_memory();
    for (int count = 1; count < 140; count++) {
        snprintf(names[count - 1], sizeof(*names), "%03d", 999 - count);
        name_count = count;
        check_sorted(0);
        for (int i = 0; i < count; i++)
            snprintf(names[i], sizeof(*names), "%.*s%03d", count % 5, "wide", 999 - i);
        check_sorted(0);
    }
}
