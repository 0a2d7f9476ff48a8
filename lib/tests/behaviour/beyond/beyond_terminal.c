/* Children in a terminal of their own, as phasor.h describes them. */

#include <phasor.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_process_t process;
static uv_pipe_t terminal;
static char output[8192];
static size_t output_size;
static int exits, ends;
static int64_t exit_status;
static const struct phasor_terminal_size SIZE = {.columns = 77, .rows = 33};

static void on_exit_cb(uv_process_t* handle, int64_t status, int signal) {
    CHECK_EQ(signal, 0);
    exits++;
    exit_status = status;
    uv_close((uv_handle_t*)handle, NULL);
}

static void give_memory(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle, (void)suggested;
    *buf = uv_buf_init(output + output_size, (unsigned)(sizeof(output) - 1 - output_size));
}

static const char* answer_to;
static char answer[64];
static void (*when_seen)(void);

static void on_read(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf) {
    (void)buf;
    if (n < 0) {
        CHECK_EQ(n, UV_EOF);
        ends++;
        uv_close((uv_handle_t*)stream, NULL);
        return;
    }
    output_size += (size_t)n;
    output[output_size] = '\0';
    if (answer_to == NULL || strstr(output, answer_to) == NULL)
        return;
    answer_to = NULL;
    if (when_seen != NULL)
        when_seen();
    uv_buf_t typed = uv_buf_init(answer, (unsigned)strlen(answer));
    CHECK_EQ(uv_try_write(stream, &typed, 1), (int)strlen(answer));
}

static int try_spawn(const char* script, uv_stdio_container_t* stdio, int count) {
    char* args[] = {(char*)"sh", (char*)"-c", (char*)script, NULL};
    uv_process_options_t options = {.file = "/bin/sh",
                                    .args = args,
                                    .exit_cb = on_exit_cb,
                                    .stdio = stdio,
                                    .stdio_count = count};
    return phasor_spawn_in_terminal(&loop, &process, &options, &terminal, &SIZE);
}

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe_init(&loop, &terminal, 0));
}

static void run(void) {
    CHECK_OK(uv_read_start((uv_stream_t*)&terminal, give_memory, on_read));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(exits, 1);
    CHECK_EQ(ends, 1);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_child_has_the_terminal_as_its_standard_streams_with_the_size_given) {
    open_loop();
    CHECK_OK(try_spawn("test -t 0 && test -t 1 && test -t 2 && stty size", NULL, 0));
    run();
    CHECK_EQ(exit_status, 0);
    CHECK_STR(output, "33 77\r\n");
}

TEST(the_terminal_controls_the_childs_session) {
    open_loop();
    /* /dev/tty is the controlling terminal; its reader is the leader of a session of its own. */
    CHECK_OK(try_spawn("echo hello >/dev/tty && test $(ps -o sid= -p $$) = $$", NULL, 0));
    run();
    CHECK_EQ(exit_status, 0);
    CHECK_STR(output, "hello\r\n");
}

TEST(what_is_written_is_typed) {
    open_loop();
    answer_to = "name?";
    strcpy(answer, "world\n");
    CHECK_OK(try_spawn("stty -echo; printf 'name? '; read name; echo hello $name", NULL, 0));
    run();
    CHECK_STR(output, "name? hello world\r\n");
}

TEST(an_interrupt_that_is_typed_reaches_the_foreground) {
    open_loop();
    answer_to = "ready";
    strcpy(answer, "\003");
    CHECK_OK(try_spawn("stty -echo; trap 'exit 3' INT; echo ready; "
                       "while :; do sleep 0.05; done",
                       NULL, 0));
    run();
    CHECK_EQ(exit_status, 3);
}

static void make_larger(void) {
    const struct phasor_terminal_size larger = {.columns = 120, .rows = 40};
    CHECK_OK(phasor_terminal_resize(&terminal, &larger));
}

TEST(a_new_size_is_told_to_the_child) {
    open_loop();
    answer_to = "ready";
    when_seen = make_larger;
    CHECK_OK(try_spawn("stty -echo; trap 'stty size; exit 5' WINCH; echo ready; "
                       "while :; do sleep 0.05; done",
                       NULL, 0));
    run();
    CHECK_EQ(exit_status, 5);
    CHECK_STR(output, "ready\r\n40 120\r\n");
}

TEST(streams_that_the_options_give_are_not_the_terminal) {
    int ends_of_pipe[2];
    char text[16] = {0};
    open_loop();
    CHECK_OK(pipe(ends_of_pipe));
    uv_stdio_container_t stdio[2] = {{.flags = UV_IGNORE}, {.flags = UV_INHERIT_FD}};
    stdio[1].data.fd = ends_of_pipe[1];
    CHECK_OK(try_spawn("test -t 0 && test -t 2 && echo past; echo seen >&2", stdio, 2));
    close(ends_of_pipe[1]);
    run();
    CHECK_EQ(read(ends_of_pipe[0], text, sizeof(text) - 1), 5);
    CHECK_STR(text, "past\n");
    CHECK_STR(output, "seen\r\n");
    close(ends_of_pipe[0]);
}

TEST(a_program_that_is_not_there_leaves_the_terminal_handle_as_it_was) {
    open_loop();
    uv_process_options_t options = {.file = "/there/is/none", .exit_cb = on_exit_cb};
    CHECK_EQ(phasor_spawn_in_terminal(&loop, &process, &options, &terminal, NULL), UV_ENOENT);
    CHECK_EQ(phasor_terminal_resize(&terminal, &SIZE), UV_EINVAL);
    uv_close((uv_handle_t*)&process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(try_spawn("echo well", NULL, 0));
    run();
    CHECK_STR(output, "well\r\n");
}

TEST(a_pipe_that_is_in_use_is_refused) {
    int fds[2];
    open_loop();
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_pipe_open(&terminal, fds[0]));
    CHECK_EQ(try_spawn("true", NULL, 0), UV_EINVAL);
    uv_close((uv_handle_t*)&process, NULL);
    uv_close((uv_handle_t*)&terminal, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fds[1]);
}
