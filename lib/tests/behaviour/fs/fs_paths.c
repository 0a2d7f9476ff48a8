/* Making, linking, renaming and removing what paths name. */

#include "each_way.h"

#include <limits.h>

static void makes_and_removes_directory(void) {
    umask(022);
    CHECK_EQ(FS(mkdir, "dir", 0777), 0);
    CHECK_EQ(mode_of("dir"), 0755);
    CHECK_EQ(FS(mkdir, "dir", 0777), UV_EEXIST);
    CHECK_EQ(FS(mkdir, "missing/dir", 0777), UV_ENOENT);
    put_file("dir/file", "");
    CHECK_EQ(FS(rmdir, "dir"), UV_ENOTEMPTY);
    CHECK_EQ(FS(unlink, "dir/file"), 0);
    CHECK_EQ(FS(unlink, "dir/file"), UV_ENOENT);
    CHECK_EQ(FS(unlink, "dir"), UV_EISDIR);
    CHECK_EQ(FS(rmdir, "dir"), 0);
    CHECK_EQ(FS(rmdir, "dir"), UV_ENOENT);
    put_file("file", "");
    CHECK_EQ(FS(rmdir, "file"), UV_ENOTDIR);
}

TEST(fs_directories_are_made_and_removed) {
    EACH_WAY(makes_and_removes_directory);
}

static void renames(void) {
    put_file("a", "content");
    put_file("b", "other");
    CHECK_EQ(FS(rename, "a", "b"), 0);
    CHECK(!exists("a"));
    CHECK_STR(get_file("b"), "content");
    CHECK_EQ(FS(rename, "a", "c"), UV_ENOENT);
    CHECK_EQ(FS(mkdir, "dir", 0755), 0);
    CHECK_EQ(FS(rename, "b", "dir"), UV_EISDIR);
    CHECK_EQ(FS(rename, "dir", "b"), UV_ENOTDIR);
}

TEST(fs_rename_replaces_the_target) {
    EACH_WAY(renames);
}

static void links(void) {
    put_file("file", "content");
    CHECK_EQ(FS(link, "file", "hard"), 0);
    CHECK_EQ(FS(link, "file", "hard"), UV_EEXIST);
    CHECK_EQ(FS(link, "missing", "x"), UV_ENOENT);
    CHECK_EQ(FS(stat, "file"), 0);
    CHECK_EQ(req.statbuf.st_nlink, 2);
    CHECK_EQ(FS(symlink, "file", "soft", 0), 0);
    CHECK_EQ(FS(symlink, "file", "soft", 0), UV_EEXIST);
    CHECK_EQ(FS(readlink, "soft"), 0);
    CHECK_STR(req.ptr, "file");
    CHECK_STR(get_file("soft"), "content");
    CHECK_EQ(FS(readlink, "file"), UV_EINVAL);
    CHECK_EQ(FS(readlink, "missing"), UV_ENOENT);
    CHECK(req.ptr == NULL);
    CHECK_EQ(FS(symlink, "soft2", "soft2", UV_FS_SYMLINK_DIR), 0);
    CHECK_EQ(FS(stat, "soft2"), UV_ELOOP);
    CHECK_EQ(FS(lstat, "soft2"), 0);
    CHECK(S_ISLNK(req.statbuf.st_mode));
}

TEST(fs_links_are_made_and_read) {
    EACH_WAY(links);
}

/* CVE-2020-8252: the buffer for a link's target was sized by an assumption. */
static void reads_long_link(void) {
    static const int lengths[] = {1, 255, 256, 257, 511, 512, 1023, 1024, 4094, 4095};
    char target[PATH_MAX];
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        memset(target, 'x', sizeof(target));
        target[lengths[i]] = '\0';
        CHECK_EQ(FS(symlink, target, "link", 0), 0);
        CHECK_EQ(FS(readlink, "link"), 0);
        CHECK_STR(req.ptr, target);
        CHECK_OK(unlink("link"));
    }
}

TEST(fs_readlink_cve_2020_8252_reads_links_of_any_length) {
    EACH_WAY(reads_long_link);
}

static void resolves_long_path(void) {
    char name[201], cwd[PATH_MAX], wanted[PATH_MAX * 2];
    memset(name, 'd', 200);
    name[200] = '\0';
    CHECK(getcwd(cwd, sizeof(cwd)) != NULL);
    size_t length = (size_t)snprintf(wanted, sizeof(wanted), "%s", cwd);
    int depth = 0;
    while (length + 201 < PATH_MAX - 1) {
        CHECK_OK(mkdir(name, 0755));
        CHECK_OK(chdir(name));
        length += (size_t)snprintf(wanted + length, sizeof(wanted) - length, "/%s", name);
        depth++;
    }
    CHECK_EQ(FS(realpath, "."), 0);
    CHECK_STR(req.ptr, wanted);
    while (depth-- > 0)
        CHECK_OK(chdir(".."));
}

TEST(fs_realpath_cve_2020_8252_gives_paths_of_any_length) {
    EACH_WAY(resolves_long_path);
}

static void resolves_path(void) {
    char cwd[PATH_MAX], wanted[PATH_MAX + 8];
    CHECK(getcwd(cwd, sizeof(cwd)) != NULL);
    CHECK_OK(mkdir("dir", 0755));
    CHECK_OK(symlink("dir", "link"));
    put_file("dir/f", "");
    snprintf(wanted, sizeof(wanted), "%s/dir/f", cwd);
    CHECK_EQ(FS(realpath, "./link/../link/./f"), 0);
    CHECK_STR(req.ptr, wanted);
    CHECK_EQ(FS(realpath, "missing"), UV_ENOENT);
    CHECK(req.ptr == NULL);
    CHECK_EQ(FS(realpath, "dir/f/x"), UV_ENOTDIR);
}

TEST(fs_realpath_resolves_links_and_dots) {
    EACH_WAY(resolves_path);
}

static void changes_modes(void) {
    put_file("file", "");
    CHECK_EQ(FS(chmod, "file", 0400), 0);
    CHECK_EQ(mode_of("file"), 0400);
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(FS(fchmod, fd, 0640), 0);
    CHECK_EQ(mode_of("file"), 0640);
    close(fd);
    CHECK_EQ(FS(chmod, "missing", 0400), UV_ENOENT);
    CHECK_EQ(FS(fchmod, fd, 0400), UV_EBADF);
}

TEST(fs_modes_are_changed) {
    EACH_WAY(changes_modes);
}

static void changes_owners(void) {
    uv_uid_t same = (uv_uid_t)-1;
    put_file("file", "");
    CHECK_OK(symlink("missing", "link"));
    int fd = open("file", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(FS(chown, "file", same, getgid()), 0);
    CHECK_EQ(FS(fchown, fd, getuid(), same), 0);
    CHECK_EQ(FS(lchown, "link", getuid(), getgid()), 0);
    CHECK_EQ(FS(chown, "link", getuid(), getgid()), UV_ENOENT);
    if (getuid() == 0) {
        CHECK_EQ(FS(chown, "file", 12, 34), 0);
        CHECK_EQ(FS(fstat, fd), 0);
        CHECK_EQ(req.statbuf.st_uid, 12);
        CHECK_EQ(req.statbuf.st_gid, 34);
    }
    close(fd);
    CHECK_EQ(FS(fchown, fd, same, same), UV_EBADF);
}

TEST(fs_owners_are_changed) {
    EACH_WAY(changes_owners);
}

static void checks_access(void) {
    put_file("file", "");
    CHECK_EQ(FS(access, "file", F_OK), 0);
    CHECK_EQ(FS(access, "file", R_OK | W_OK), 0);
    CHECK_EQ(FS(access, "file", X_OK), UV_EACCES);
    CHECK_EQ(FS(access, "missing", F_OK), UV_ENOENT);
    CHECK_EQ(FS(access, "file", 99), UV_EINVAL);
}

TEST(fs_access_tells_what_is_allowed) {
    EACH_WAY(checks_access);
}

static void makes_temporaries(void) {
    CHECK_EQ(FS(mkdtemp, "dir-XXXXXX"), 0);
    CHECK_EQ(strncmp(req.path, "dir-", 4), 0);
    CHECK_EQ(strlen(req.path), 10);
    CHECK(strcmp(req.path, "dir-XXXXXX") != 0);
    CHECK_EQ(mode_of(req.path), 0700);
    long long fd = FS(mkstemp, "file-XXXXXX");
    CHECK_GE(fd, 0);
    CHECK_EQ(strncmp(req.path, "file-", 5), 0);
    CHECK_EQ(mode_of(req.path), 0600);
    CHECK_EQ(fcntl((int)fd, F_GETFD), FD_CLOEXEC);
    CHECK_EQ(write((int)fd, "x", 1), 1);
    CHECK_STR(get_file(req.path), "x");
    close((int)fd);
    CHECK_EQ(FS(mkdtemp, "no-template"), UV_EINVAL);
    CHECK_EQ(FS(mkstemp, "no-template"), UV_EINVAL);
    CHECK_STR(req.path, "");
    CHECK_EQ(FS(mkdtemp, "missing/XXXXXX"), UV_ENOENT);
    CHECK_EQ(FS(mkstemp, "missing/XXXXXX"), UV_ENOENT);
    CHECK_EQ(FS(mkstemp, "XX"), UV_EINVAL);
}

TEST(fs_temporary_files_and_directories_get_new_names) {
    EACH_WAY(makes_temporaries);
}

TEST(fs_temporary_template_of_the_caller_is_not_changed) {
    char tpl[] = "XXXXXX";
    uv_fs_t fs;
    CHECK_EQ(uv_fs_mkdtemp(NULL, &fs, tpl, NULL), 0);
    CHECK_STR(tpl, "XXXXXX");
    CHECK(fs.path != tpl);
    uv_fs_req_cleanup(&fs);
}

static void refuses_null_paths(void) {
    CHECK_EQ(FS(stat, NULL), UV_EINVAL);
    CHECK_EQ(FS(open, NULL, 0, 0), UV_EINVAL);
    CHECK_EQ(FS(rename, NULL, "x"), UV_EINVAL);
    CHECK_EQ(FS(rename, "x", NULL), UV_EINVAL);
    CHECK_EQ(FS(copyfile, "x", NULL, 0), UV_EINVAL);
    CHECK_EQ(FS(mkdtemp, NULL), UV_EINVAL);
    CHECK_EQ(FS(mkstemp, NULL), UV_EINVAL);
    CHECK_EQ(FS(scandir, NULL, 0), UV_EINVAL);
    CHECK_EQ(uv_loop_alive(&loop), 0);
}

TEST(fs_missing_path_gets_einval) {
    EACH_WAY(refuses_null_paths);
}
