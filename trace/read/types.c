#include "read/types.h"

#include <uv.h>

#include "read/model.h"

enum { REQUESTS = 20, FILES = 40, FS_OPERATIONS = 40 };

static const char* const fs_names[FS_OPERATIONS] = {
    [UV_FS_CUSTOM] = "fs custom",       [UV_FS_OPEN] = "fs open",
    [UV_FS_CLOSE] = "fs close",         [UV_FS_READ] = "fs read",
    [UV_FS_WRITE] = "fs write",         [UV_FS_SENDFILE] = "fs sendfile",
    [UV_FS_STAT] = "fs stat",           [UV_FS_LSTAT] = "fs lstat",
    [UV_FS_FSTAT] = "fs fstat",         [UV_FS_FTRUNCATE] = "fs ftruncate",
    [UV_FS_UTIME] = "fs utime",         [UV_FS_FUTIME] = "fs futime",
    [UV_FS_ACCESS] = "fs access",       [UV_FS_CHMOD] = "fs chmod",
    [UV_FS_FCHMOD] = "fs fchmod",       [UV_FS_FSYNC] = "fs fsync",
    [UV_FS_FDATASYNC] = "fs fdatasync", [UV_FS_UNLINK] = "fs unlink",
    [UV_FS_RMDIR] = "fs rmdir",         [UV_FS_MKDIR] = "fs mkdir",
    [UV_FS_MKDTEMP] = "fs mkdtemp",     [UV_FS_RENAME] = "fs rename",
    [UV_FS_SCANDIR] = "fs scandir",     [UV_FS_LINK] = "fs link",
    [UV_FS_SYMLINK] = "fs symlink",     [UV_FS_READLINK] = "fs readlink",
    [UV_FS_CHOWN] = "fs chown",         [UV_FS_FCHOWN] = "fs fchown",
    [UV_FS_REALPATH] = "fs realpath",   [UV_FS_COPYFILE] = "fs copyfile",
    [UV_FS_LCHOWN] = "fs lchown",       [UV_FS_OPENDIR] = "fs opendir",
    [UV_FS_READDIR] = "fs readdir",     [UV_FS_CLOSEDIR] = "fs closedir",
    [UV_FS_STATFS] = "fs statfs",       [UV_FS_MKSTEMP] = "fs mkstemp",
    [UV_FS_LUTIME] = "fs lutime",
};

static const char* const handle_names[REQUESTS] = {
#define XX(uc, lc) [UV_##uc] = #lc,
    UV_HANDLE_TYPE_MAP(XX)
#undef XX
};

static const char* const request_names[FILES - REQUESTS] = {
#define XX(uc, lc) [UV_##uc] = #lc,
    UV_REQ_TYPE_MAP(XX)
#undef XX
};

unsigned handle_type(unsigned handle) {
    return handle < UV_HANDLE_TYPE_MAX ? handle : 0;
}

unsigned request_type(unsigned request, unsigned fs_type) {
    if (request == UV_FS && fs_type < FS_OPERATIONS && fs_names[fs_type] != NULL)
        return FILES + fs_type;
    return request < UV_REQ_TYPE_MAX ? REQUESTS + request : 0;
}

const char* object_type_name(unsigned type) {
    const char* name = NULL;
    if (type < REQUESTS)
        name = handle_names[type];
    else if (type < FILES)
        name = request_names[type - REQUESTS];
    else if (type < FILES + FS_OPERATIONS)
        name = fs_names[type - FILES];
    return name != NULL ? name : "";
}

const char* phase_name(unsigned phase) {
    static const char* const names[] = {"timers", "pending", "idle",   "prepare",
                                        "poll",   "check",   "closing"};
    return phase < PH_PHASE_COUNT ? names[phase] : "";
}

const char* callback_name(unsigned callback) {
    static const char* const names[PH_CB_COUNT] = {[PH_CB_OTHER] = "callback",
#define X(NAME, type) [PH_CB_##NAME] = #type,
                                                   PH_CALLBACKS(X)
#undef X
    };
    return callback < PH_CB_COUNT ? names[callback] : names[0];
}

/* By kind of callback: the type of its subject, 0 where it can be several. */
static const unsigned char types[PH_CB_COUNT] = {
    [PH_CB_TIMER] = UV_TIMER,
    [PH_CB_IDLE] = UV_IDLE,
    [PH_CB_PREPARE] = UV_PREPARE,
    [PH_CB_CHECK] = UV_CHECK,
    [PH_CB_ASYNC] = UV_ASYNC,
    [PH_CB_READ] = UV_STREAM,
    [PH_CB_CONNECTION] = UV_STREAM,
    [PH_CB_POLL] = UV_POLL,
    [PH_CB_EXIT] = UV_PROCESS,
    [PH_CB_FS_EVENT] = UV_FS_EVENT,
    [PH_CB_FS_POLL] = UV_FS_POLL,
    [PH_CB_SIGNAL] = UV_SIGNAL,
    [PH_CB_UDP_RECV] = UV_UDP,
    [PH_CB_WRITE] = REQUESTS + UV_WRITE,
    [PH_CB_CONNECT] = REQUESTS + UV_CONNECT,
    [PH_CB_SHUTDOWN] = REQUESTS + UV_SHUTDOWN,
    [PH_CB_UDP_SEND] = REQUESTS + UV_UDP_SEND,
    [PH_CB_FS] = REQUESTS + UV_FS,
    [PH_CB_WORK] = REQUESTS + UV_WORK,
    [PH_CB_AFTER_WORK] = REQUESTS + UV_WORK,
    [PH_CB_GETADDRINFO] = REQUESTS + UV_GETADDRINFO,
    [PH_CB_GETNAMEINFO] = REQUESTS + UV_GETNAMEINFO,
    [PH_CB_RANDOM] = REQUESTS + UV_RANDOM,
};

unsigned callback_type(unsigned callback) {
    return callback < PH_CB_COUNT ? types[callback] : 0;
}

bool callback_is_of_request(unsigned callback) {
    return callback_type(callback) >= REQUESTS;
}
