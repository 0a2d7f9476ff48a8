/* Users and groups. */

#include <grp.h>
#include <pwd.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

/* A number that nobody has. */
static unsigned int unused_number(bool group) {
    unsigned int number = 1999999999;
    while (group ? getgrgid(number) != NULL : getpwuid(number) != NULL)
        number--;
    return number;
}

TEST(passwd_is_that_of_the_current_user) {
    uv_passwd_t pwd;
    struct passwd* expected = getpwuid(geteuid());
    if (expected == NULL)
        test_skip("this user is not in the database");
    CHECK_OK(uv_os_get_passwd(&pwd));
    CHECK_STR(pwd.username, expected->pw_name);
    CHECK_STR(pwd.homedir, expected->pw_dir);
    CHECK_STR(pwd.shell, expected->pw_shell);
    CHECK_EQ(pwd.uid, expected->pw_uid);
    CHECK_EQ(pwd.gid, expected->pw_gid);
    uv_os_free_passwd(&pwd);
    CHECK(pwd.username == NULL);
    CHECK(pwd.homedir == NULL);
    CHECK(pwd.shell == NULL);
    uv_os_free_passwd(&pwd);
}

TEST(passwd_needs_a_place_for_the_result) {
    CHECK_EQ(uv_os_get_passwd(NULL), UV_EINVAL);
    uv_os_free_passwd(NULL);
}

TEST(passwd_of_every_user_is_found_by_its_number) {
    struct passwd* entry;
    setpwent();
    while ((entry = getpwent()) != NULL) {
        uv_passwd_t pwd;
        CHECK_OK(uv_os_get_passwd2(&pwd, entry->pw_uid));
        CHECK_EQ(pwd.uid, entry->pw_uid);
        CHECK(pwd.username[0] != '\0');
        uv_os_free_passwd(&pwd);
    }
    endpwent();
}

TEST(passwd_of_nobody_reports_enoent) {
    uv_passwd_t pwd;
    CHECK_EQ(uv_os_get_passwd2(&pwd, unused_number(false)), UV_ENOENT);
    CHECK_EQ(uv_os_get_passwd2(NULL, 0), UV_EINVAL);
}

TEST(group_is_found_by_its_number_with_its_members) {
    struct group* expected = getgrgid(getgid());
    uv_group_t grp;
    if (expected == NULL)
        test_skip("this group is not in the database");
    CHECK_OK(uv_os_get_group(&grp, getgid()));
    CHECK_STR(grp.groupname, expected->gr_name);
    CHECK_EQ(grp.gid, expected->gr_gid);
    size_t i = 0;
    for (; expected->gr_mem[i] != NULL; i++)
        CHECK_STR(grp.members[i], expected->gr_mem[i]);
    CHECK(grp.members[i] == NULL);
    uv_os_free_group(&grp);
    CHECK(grp.groupname == NULL);
    CHECK(grp.members == NULL);
    uv_os_free_group(&grp);
    uv_os_free_group(NULL);
}

TEST(group_of_every_number_is_found_with_all_members) {
    struct group* entry;
    setgrent();
    while ((entry = getgrent()) != NULL) {
        uv_group_t grp;
        gid_t gid = entry->gr_gid;
        CHECK_OK(uv_os_get_group(&grp, gid));
        CHECK_EQ(grp.gid, gid);
        for (char** member = grp.members; *member != NULL; member++)
            CHECK(strlen(*member) > 0);
        uv_os_free_group(&grp);
    }
    endgrent();
}

TEST(group_of_nobody_reports_enoent) {
    uv_group_t grp;
    CHECK_EQ(uv_os_get_group(&grp, unused_number(true)), UV_ENOENT);
    CHECK_EQ(uv_os_get_group(NULL, 0), UV_EINVAL);
}
