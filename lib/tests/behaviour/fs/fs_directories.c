/* Listing directories. */

#include "each_way.h"

#include <sys/socket.h>
#include <sys/un.h>

static void lists_sorted(void) {
    static const char* const sorted[] = {"A", "B", "a", "aa", "b", "c", "\xc3\xa4"};
    uv_dirent_t entry;
    CHECK_OK(mkdir("dir", 0755));
    CHECK_OK(chdir("dir"));
    for (int i = 6; i >= 0; i--)
        put_file(sorted[i], "");
    CHECK_OK(chdir(".."));
    CHECK_EQ(FS(scandir, "dir", 0), 7);
    for (int i = 0; i < 7; i++) {
        CHECK_EQ(uv_fs_scandir_next(&req, &entry), 0);
        CHECK_STR(entry.name, sorted[i]);
    }
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
}

TEST(fs_scandir_lists_in_byte_order) {
    EACH_WAY(lists_sorted);
}

static void make_one_of_each(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "dir/socket"};
    CHECK_OK(mkdir("dir", 0755));
    CHECK_OK(mkdir("dir/dir", 0755));
    CHECK_OK(mkfifo("dir/fifo", 0644));
    put_file("dir/file", "");
    CHECK_OK(symlink("file", "dir/link"));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_OK(bind(fd, (struct sockaddr*)&address, sizeof(address)));
    close(fd);
}

static void check_type(const uv_dirent_t* entry) {
    static const struct {
        const char* name;
        uv_dirent_type_t type;
    } known[] = {{"dir", UV_DIRENT_DIR},
                 {"fifo", UV_DIRENT_FIFO},
                 {"file", UV_DIRENT_FILE},
                 {"link", UV_DIRENT_LINK},
                 {"socket", UV_DIRENT_SOCKET}};
    for (int i = 0; i < 5; i++)
        if (strcmp(known[i].name, entry->name) == 0) {
            CHECK(entry->type == known[i].type || entry->type == UV_DIRENT_UNKNOWN);
            return;
        }
    CHECK(!"an unknown name");
}

static void tells_types(void) {
    uv_dirent_t entry, batch[16];
    make_one_of_each();
    CHECK_EQ(FS(scandir, "dir", 0), 5);
    for (int i = 0; i < 5; i++) {
        CHECK_EQ(uv_fs_scandir_next(&req, &entry), 0);
        check_type(&entry);
    }
    CHECK_EQ(FS(opendir, "dir"), 0);
    uv_dir_t* dir = req.ptr;
    dir->dirents = batch;
    dir->nentries = 16;
    CHECK_EQ(FS(readdir, dir), 5);
    for (int i = 0; i < 5; i++)
        check_type(&batch[i]);
    CHECK_EQ(FS(closedir, dir), 0);
}

TEST(fs_listings_tell_the_types) {
    EACH_WAY(tells_types);
}

static void handles_empty_and_errors(void) {
    uv_dirent_t entry;
    CHECK_OK(mkdir("empty", 0755));
    put_file("file", "");
    CHECK_EQ(FS(scandir, "empty", 0), 0);
    CHECK(req.ptr == NULL);
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
    CHECK_EQ(FS(scandir, "file", 0), UV_ENOTDIR);
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_ENOTDIR);
    CHECK_EQ(FS(scandir, "missing", 0), UV_ENOENT);
    CHECK_EQ(FS(opendir, "file"), UV_ENOTDIR);
    CHECK(req.ptr == NULL);
    CHECK_EQ(FS(opendir, "missing"), UV_ENOENT);
    CHECK_EQ(FS(readdir, NULL), UV_EINVAL);
    CHECK_EQ(FS(closedir, NULL), UV_EINVAL);
}

TEST(fs_listing_reports_each_error) {
    EACH_WAY(handles_empty_and_errors);
}

static void scans_part(void) {
    uv_dirent_t entry;
    put_file("a", "");
    put_file("b", "");
    CHECK_EQ(FS(scandir, ".", 0), 2);
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), 0);
    CHECK_STR(entry.name, "a");
}

TEST(fs_scandir_may_be_left_half_read) {
    EACH_WAY(scans_part);
}

static void reads_in_batches(void) {
    uv_dirent_t batch[7];
    char name[16], seen[100] = "";
    CHECK_OK(mkdir("dir", 0755));
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "dir/%d", i);
        put_file(name, "");
    }
    CHECK_EQ(FS(opendir, "dir"), 0);
    uv_dir_t* dir = req.ptr;
    dir->dirents = batch;
    dir->nentries = 7;
    long long n, total = 0;
    while ((n = FS(readdir, dir)) > 0) {
        CHECK_LE(n, 7);
        CHECK(req.ptr == dir);
        for (int i = 0; i < n; i++) {
            CHECK_EQ(seen[atoi(batch[i].name)], 0);
            seen[atoi(batch[i].name)] = 1;
        }
        total += n;
    }
    CHECK_EQ(n, 0);
    CHECK_EQ(total, 100);
    CHECK_EQ(FS(readdir, dir), 0);
    CHECK_EQ(FS(closedir, dir), 0);
}

TEST(fs_readdir_gives_each_entry_once) {
    EACH_WAY(reads_in_batches);
}

static void needs_entries(void) {
    CHECK_EQ(FS(opendir, "."), 0);
    uv_dir_t* dir = req.ptr;
    dir->dirents = NULL;
    dir->nentries = 0;
    CHECK_EQ(FS(readdir, dir), UV_EINVAL);
    CHECK_EQ(FS(closedir, dir), 0);
}

TEST(fs_readdir_without_room_for_entries_gets_einval) {
    EACH_WAY(needs_entries);
}

static void lists_many(void) {
    enum { COUNT = 3000 };
    char name[32];
    uv_dirent_t entry;
    CHECK_OK(mkdir("dir", 0755));
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof(name), "dir/%05d", (i * 1009) % COUNT);
        put_file(name, "");
    }
    CHECK_EQ(FS(scandir, "dir", 0), COUNT);
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQ(uv_fs_scandir_next(&req, &entry), 0);
        CHECK_EQ(atoi(entry.name), i);
    }
}

TEST(fs_scandir_lists_thousands) {
    EACH_WAY(lists_many);
}

/* With a common beginning, one name that is nothing else, and names that differ late, early, by
 * their length only, and in bytes above 127. */
static void lists_alike(void) {
    static const char* const ends[] = {
        "", "1", "10", "\xff", "-long-and-alike-1", "-long-and-alike"};
    enum { GROUPS = 40, ENDS = sizeof(ends) / sizeof(ends[0]) };
    char name[64], previous[64] = "";
    uv_dirent_t entry;
    CHECK_OK(mkdir("dir", 0755));
    put_file("dir/photo-", "");
    for (int i = 0; i < GROUPS * ENDS; i++) {
        snprintf(name, sizeof(name), "dir/photo-%d%s", i / ENDS * 7 % GROUPS + 11, ends[i % ENDS]);
        int fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        CHECK(fd != -1);
        close(fd);
    }
    ssize_t count = FS(scandir, "dir", 0);
    CHECK(count > 200);
    for (ssize_t i = 0; i < count; i++) {
        CHECK_EQ(uv_fs_scandir_next(&req, &entry), 0);
        CHECK(strcmp(previous, entry.name) < 0);
        snprintf(previous, sizeof(previous), "%s", entry.name);
    }
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
}

TEST(fs_scandir_sorts_names_that_are_alike) {
    EACH_WAY(lists_alike);
}

TEST(fs_scandir_cleanup_without_reading_frees_all) {
    uv_fs_t fs;
    put_file("a", "");
    CHECK_EQ(uv_fs_scandir(NULL, &fs, ".", 0, NULL), 1);
    CHECK(fs.ptr != NULL);
    uv_fs_req_cleanup(&fs);
    CHECK(fs.ptr == NULL);
}
