/* A child with pipes on both sides: we write into its standard input and read its output. */

#include <string.h>

#include "must.h"

static uv_pipe_t input;
static uv_pipe_t output;
static uv_process_t child;
static char heard[256];
static size_t heard_length;

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    (void)handle, (void)suggested;
    *buffer = uv_buf_init(heard + heard_length, (unsigned)(sizeof(heard) - heard_length));
}

/* The end of its output and its exit are two events, in either order. */
static void on_output(uv_stream_t* stream, ssize_t length, const uv_buf_t* buffer) {
    (void)buffer;
    if (length >= 0) {
        heard_length += (size_t)length;
        return;
    }
    if (length != UV_EOF)
        must((int)length, "reading its output");
    uv_close((uv_handle_t*)stream, NULL);
}

static void on_exit_of_child(uv_process_t* process, int64_t status, int signal) {
    *(int64_t*)process->data = signal != 0 ? -1 : status;
    uv_close((uv_handle_t*)process, NULL);
}

static void on_written(uv_write_t* request, int status) {
    must(status, "writing its input");
    uv_close((uv_handle_t*)request->handle, NULL); /* the child sees the end of its input */
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    char* arguments[] = {"sort", NULL};
    char text[] = "timers\npoll\ncheck\nclosing\n";
    int64_t status = -1;
    uv_write_t write;
    uv_buf_t buffer = uv_buf_init(text, (unsigned)strlen(text));

    must(uv_pipe_init(loop, &input, 0), "pipe");
    must(uv_pipe_init(loop, &output, 0), "pipe");
    uv_stdio_container_t stdio[] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t*)&input},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t*)&output},
        {.flags = UV_INHERIT_FD, .data.fd = 2},
    };
    uv_process_options_t options = {.file = "sort",
                                    .args = arguments,
                                    .stdio = stdio,
                                    .stdio_count = 3,
                                    .exit_cb = on_exit_of_child};
    child.data = &status;
    must(uv_spawn(loop, &child, &options), "spawn");
    must(uv_read_start((uv_stream_t*)&output, on_alloc, on_output), "reading its output");
    must(uv_write(&write, (uv_stream_t*)&input, &buffer, 1, on_written), "writing its input");
    uv_run(loop, UV_RUN_DEFAULT);
    printf("%.*ssort has ended with status %d\n", (int)heard_length, heard, (int)status);
    return close_loop(loop);
}
