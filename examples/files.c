/* A file written, synced and read back piece by piece, without blocking the loop. Each request's
 * callback starts the next step; a request is cleaned up before it is used again. */

#include <fcntl.h>
#include <string.h>

#include "must.h"

static uv_loop_t* loop;
static uv_fs_t request;
static const char name[] = "phasor-example-XXXXXX";
static char path[4096];
static uv_file file;
static char piece[8];
static int64_t offset;
static int pieces;

static const char text[] = "what is started in a turn calls back in a later one\n";

static int64_t result_of(uv_fs_t* req, const char* what) {
    int64_t result = req->result;
    uv_fs_req_cleanup(req);
    must(result < 0 ? (int)result : 0, what);
    return result;
}

static void on_missing(uv_fs_t* req) {
    printf("a file that is not there: %s\n", uv_err_name((int)req->result));
    uv_fs_req_cleanup(req);
}

static void on_removed(uv_fs_t* req) {
    result_of(req, "unlink");
    must(uv_fs_open(loop, &request, path, O_RDONLY, 0, on_missing), "open");
}

static void on_closed(uv_fs_t* req) {
    result_of(req, "close");
    must(uv_fs_unlink(loop, &request, path, on_removed), "unlink");
}

static void read_on(void);

static void on_read(uv_fs_t* req) {
    int64_t length = result_of(req, "read");
    if (length > 0) {
        fwrite(piece, 1, (size_t)length, stdout);
        offset += length;
        pieces++;
        read_on();
        return;
    }
    printf("%d bytes in %d pieces\n", (int)offset, pieces);
    must(uv_fs_close(loop, &request, file, on_closed), "close");
}

static void read_on(void) {
    uv_buf_t buffer = uv_buf_init(piece, sizeof(piece));
    must(uv_fs_read(loop, &request, file, &buffer, 1, offset, on_read), "read");
}

static void on_synced(uv_fs_t* req) {
    result_of(req, "fsync");
    read_on();
}

/* The kernel may take less than it was offered: write the rest, or report it. */
static void on_written(uv_fs_t* req) {
    int64_t length = result_of(req, "write");
    must(length == (int64_t)strlen(text) ? 0 : UV_EIO, "write, all of it");
    must(uv_fs_fsync(loop, &request, file, on_synced), "fsync");
}

static void on_made(uv_fs_t* req) {
    snprintf(path, sizeof(path), "%s", req->path); /* the name that it was given */
    file = (uv_file)result_of(req, "mkstemp");
    uv_buf_t buffer = uv_buf_init((char*)text, (unsigned)strlen(text));
    must(uv_fs_write(loop, &request, file, &buffer, 1, 0, on_written), "write");
}

int main(void) {
    char pattern[4096];
    size_t size = sizeof(pattern) - sizeof(name) - 1;
    loop = uv_default_loop();
    must(uv_os_tmpdir(pattern, &size), "temporary folder");
    snprintf(pattern + size, sizeof(pattern) - size, "/%s", name);
    must(uv_fs_mkstemp(loop, &request, pattern, on_made), "mkstemp");
    uv_run(loop, UV_RUN_DEFAULT);
    return close_loop(loop);
}
