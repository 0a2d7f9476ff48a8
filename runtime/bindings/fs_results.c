#include "bindings/fs_results.h"

#include <string.h>

static double milliseconds(const uv_timespec_t* time) {
    return (double)time->tv_sec * 1e3 + (double)time->tv_nsec / 1e6;
}

/* A flat array; the order is known to Stats in JavaScript. */
static JSValue stat_array(JSContext* ctx, const uv_stat_t* stat) {
    const uv_timespec_t* times[] = {&stat->st_atim, &stat->st_mtim, &stat->st_ctim,
                                    &stat->st_birthtim};
    JSValue values[18] = {
        JS_NewFloat64(ctx, (double)stat->st_dev),    JS_NewInt64(ctx, (int64_t)stat->st_mode),
        JS_NewInt64(ctx, (int64_t)stat->st_nlink),   JS_NewInt64(ctx, (int64_t)stat->st_uid),
        JS_NewInt64(ctx, (int64_t)stat->st_gid),     JS_NewInt64(ctx, (int64_t)stat->st_rdev),
        JS_NewInt64(ctx, (int64_t)stat->st_blksize), JS_NewFloat64(ctx, (double)stat->st_ino),
        JS_NewInt64(ctx, (int64_t)stat->st_size),    JS_NewInt64(ctx, (int64_t)stat->st_blocks),
    };
    for (int i = 0; i < 4; i++) {
        values[10 + i] = JS_NewFloat64(ctx, milliseconds(times[i]));
        values[14 + i] = JS_NewInt64(ctx, (int64_t)times[i]->tv_nsec);
    }
    return JS_NewArrayFrom(ctx, 18, values);
}

static JSValue statfs_array(JSContext* ctx, const uv_statfs_t* stat) {
    JSValue values[7] = {
        JS_NewInt64(ctx, (int64_t)stat->f_type),   JS_NewInt64(ctx, (int64_t)stat->f_bsize),
        JS_NewInt64(ctx, (int64_t)stat->f_blocks), JS_NewInt64(ctx, (int64_t)stat->f_bfree),
        JS_NewInt64(ctx, (int64_t)stat->f_bavail), JS_NewInt64(ctx, (int64_t)stat->f_files),
        JS_NewInt64(ctx, (int64_t)stat->f_ffree),
    };
    return JS_NewArrayFrom(ctx, 7, values);
}

static JSValue name_value(JSContext* ctx, const char* name, bool as_bytes) {
    return as_bytes ? ph_buffer_copy(ph_env_of(ctx), name, strlen(name)) : JS_NewString(ctx, name);
}

/* [names, types] */
static JSValue entries(JSContext* ctx, uv_fs_t* uv, bool as_bytes) {
    JSValue names = JS_NewArray(ctx);
    JSValue types = JS_NewArray(ctx);
    uv_dirent_t entry;
    for (uint32_t i = 0; uv_fs_scandir_next(uv, &entry) == 0; i++) {
        JS_SetPropertyUint32(ctx, names, i, name_value(ctx, entry.name, as_bytes));
        JS_SetPropertyUint32(ctx, types, i, JS_NewInt32(ctx, (int32_t)entry.type));
    }
    JSValue pair[2] = {names, types};
    return JS_NewArrayFrom(ctx, 2, pair);
}

JSValue ph_fs_result(JSContext* ctx, uv_fs_t* uv, bool names_as_bytes) {
    switch (uv->fs_type) {
    case UV_FS_OPEN:
    case UV_FS_READ:
    case UV_FS_WRITE:
    case UV_FS_SENDFILE:
        return JS_NewInt64(ctx, uv->result);
    case UV_FS_STAT:
    case UV_FS_LSTAT:
    case UV_FS_FSTAT:
        return stat_array(ctx, &uv->statbuf);
    case UV_FS_STATFS:
        return statfs_array(ctx, uv->ptr);
    case UV_FS_READLINK:
    case UV_FS_REALPATH:
        return name_value(ctx, uv->ptr, names_as_bytes);
    case UV_FS_MKDTEMP:
        return name_value(ctx, uv->path, names_as_bytes);
    case UV_FS_SCANDIR:
        return entries(ctx, uv, names_as_bytes);
    default:
        return JS_UNDEFINED;
    }
}
