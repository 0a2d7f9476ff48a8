/* Users and groups of the system's database. Each result is one block of memory. */

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "uv.h"

/* Nobody knows how much room an entry needs: it is doubled until it fits. */
#define FIRST_SIZE 2000

/* Appends a copy of `text` (NULL stays NULL) at `*end`. */
static char* place(char** end, const char* text) {
    if (text == NULL)
        return NULL;
    size_t size = strlen(text) + 1;
    char* copy = memcpy(*end, text, size);
    *end += size;
    return copy;
}

static size_t size_of(const char* text) {
    return text != NULL ? strlen(text) + 1 : 0;
}

/* The name comes first in the block. */
static int copy_user(uv_passwd_t* pwd, const struct passwd* entry) {
    const char* name = entry->pw_name != NULL ? entry->pw_name : "";
    char* end = ph_malloc(size_of(name) + size_of(entry->pw_dir) + size_of(entry->pw_shell));
    if (end == NULL)
        return UV_ENOMEM;
    pwd->username = place(&end, name);
    pwd->homedir = place(&end, entry->pw_dir);
    pwd->shell = place(&end, entry->pw_shell);
    pwd->uid = entry->pw_uid;
    pwd->gid = entry->pw_gid;
    return 0;
}

int uv_os_get_passwd2(uv_passwd_t* pwd, uv_uid_t uid) {
    if (pwd == NULL)
        return UV_EINVAL;
    for (size_t size = FIRST_SIZE;; size *= 2) {
        struct passwd entry, *found;
        char* buffer = ph_malloc(size);
        if (buffer == NULL)
            return UV_ENOMEM;
        int err;
        do
            err = getpwuid_r(uid, &entry, buffer, size, &found);
        while (err == EINTR);
        int result = err != 0 ? -err : found == NULL ? UV_ENOENT : copy_user(pwd, found);
        ph_free(buffer);
        if (err != ERANGE)
            return result;
    }
}

int uv_os_get_passwd(uv_passwd_t* pwd) {
    return uv_os_get_passwd2(pwd, geteuid());
}

void uv_os_free_passwd(uv_passwd_t* pwd) {
    if (pwd == NULL)
        return;
    ph_free(pwd->username);
    pwd->username = NULL;
    pwd->shell = NULL;
    pwd->homedir = NULL;
}

/* The list of members comes first in the block. */
static int copy_group(uv_group_t* grp, const struct group* entry) {
    const char* name = entry->gr_name != NULL ? entry->gr_name : "";
    size_t count = 0, size = size_of(name);
    while (entry->gr_mem != NULL && entry->gr_mem[count] != NULL)
        size += size_of(entry->gr_mem[count++]);
    char** members = ph_malloc((count + 1) * sizeof(*members) + size);
    if (members == NULL)
        return UV_ENOMEM;
    char* end = (char*)(members + count + 1);
    for (size_t i = 0; i < count; i++)
        members[i] = place(&end, entry->gr_mem[i]);
    members[count] = NULL;
    grp->members = members;
    grp->groupname = place(&end, name);
    grp->gid = entry->gr_gid;
    return 0;
}

int uv_os_get_group(uv_group_t* grp, uv_uid_t gid) {
    if (grp == NULL)
        return UV_EINVAL;
    for (size_t size = FIRST_SIZE;; size *= 2) {
        struct group entry, *found;
        char* buffer = ph_malloc(size);
        if (buffer == NULL)
            return UV_ENOMEM;
        int err;
        do
            err = getgrgid_r(gid, &entry, buffer, size, &found);
        while (err == EINTR);
        int result = err != 0 ? -err : found == NULL ? UV_ENOENT : copy_group(grp, found);
        ph_free(buffer);
        if (err != ERANGE)
            return result;
    }
}

void uv_os_free_group(uv_group_t* grp) {
    if (grp == NULL)
        return;
    ph_free(grp->members);
    grp->members = NULL;
    grp->groupname = NULL;
}
