/* Which handle a child's terminal may have, and what becomes of it. */

#include <fcntl.h>
#include <phasor.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "faults/account.h"

static uv_loop_t loop;
static uv_process_t process;
static uv_pipe_t terminal;
static int64_t exit_status;

static void on_end(uv_process_t* handle, int64_t status, int signal) {
    CHECK_EQ(signal, 0);
    exit_status = status;
    uv_close((uv_handle_t*)handle, NULL);
}

static uv_stdio_container_t stdio[5];
static char *shell[4], script[200];
static uv_process_options_t options = {.file = "/bin/sh", .args = shell, .exit_cb = on_end};
static struct phasor_terminal_size size = {.columns = 77, .rows = 33, .width = 700, .height = 500};

static void open_loop(const char* command) {
    static char name[] = "sh", flag[] = "-c";
    snprintf(script, sizeof(script), "%s", command);
    shell[0] = name;
    shell[1] = flag;
    shell[2] = script;
    count_blocks();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe_init(&loop, &terminal, 0));
}

static void close_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    if (!uv_is_closing((uv_handle_t*)&terminal))
        uv_close((uv_handle_t*)&terminal, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(in_use, 0);
}

static void check_size(void) {
    struct winsize found;
    uv_os_fd_t fd;
    CHECK_OK(uv_fileno((uv_handle_t*)&terminal, &fd));
    CHECK_GT(fd, 2);
    CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
    CHECK_OK(ioctl(fd, TIOCGWINSZ, &found));
    CHECK_EQ(found.ws_col, size.columns);
    CHECK_EQ(found.ws_row, size.rows);
    CHECK_EQ(found.ws_xpixel, size.width);
    CHECK_EQ(found.ws_ypixel, size.height);
}

TEST(terminal_has_its_size_in_letters_and_in_points) {
    open_loop("exit 0");
    CHECK_OK(phasor_spawn_in_terminal(&loop, &process, &options, &terminal, &size));
    check_size();
    size.columns = size.rows = size.width = size.height = 10;
    CHECK_OK(phasor_terminal_resize(&terminal, &size));
    check_size();
    CHECK_EQ(phasor_terminal_resize(&terminal, NULL), UV_EINVAL);
    close_loop();
}

/* What watches the child may have these numbers. */
TEST(terminal_never_takes_the_number_of_a_standard_stream) {
    int saved[3];
    open_loop("test -t 0 && test -t 1 && test -t 2");
    for (int i = 0; i < 3; i++) {
        saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
        close(i);
    }
    CHECK_OK(phasor_spawn_in_terminal(&loop, &process, &options, &terminal, &size));
    check_size();
    close_loop();
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(dup2(saved[i], i), i);
        close(saved[i]);
    }
    CHECK_EQ(exit_status, 0);
}

TEST(terminal_leaves_descriptors_above_the_standard_ones_to_the_options) {
    open_loop("test -t 0 && test -t 2 && ! test -t 4 && test -e /proc/$$/fd/4");
    options.stdio = stdio;
    options.stdio_count = 5;
    stdio[4].flags = UV_INHERIT_FD;
    stdio[4].data.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK_OK(phasor_spawn_in_terminal(&loop, &process, &options, &terminal, NULL));
    CHECK_EQ(stdio[0].flags, UV_IGNORE);
    close_loop();
    CHECK_EQ(exit_status, 0);
    close(stdio[4].data.fd);
}

TEST(terminal_leaves_standard_streams_that_are_given_to_the_options) {
    open_loop("! test -t 0 && test -t 1");
    options.stdio = stdio;
    options.stdio_count = 1;
    stdio[0].flags = UV_INHERIT_FD;
    stdio[0].data.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK_OK(phasor_spawn_in_terminal(&loop, &process, &options, &terminal, NULL));
    close_loop();
    CHECK_EQ(exit_status, 0);
    close(stdio[0].data.fd);
}

static void* no_memory(size_t count, size_t size) {
    (void)count, (void)size;
    return NULL;
}

TEST(terminal_without_memory_for_its_options_is_an_error) {
    open_loop("");
    CHECK_OK(uv_replace_allocator(counted_malloc, counted_realloc, no_memory, counted_free));
    CHECK_EQ(phasor_spawn_in_terminal(&loop, &process, &options, &terminal, NULL), UV_ENOMEM);
    count_blocks();
    CHECK_EQ(phasor_terminal_resize(&terminal, &size), UV_EINVAL);
    uv_close((uv_handle_t*)&process, NULL);
    close_loop();
}

static void refuse_terminal(uv_pipe_t* handle) {
    CHECK_EQ(phasor_spawn_in_terminal(&loop, &process, &options, handle, &size), UV_EINVAL);
    CHECK_EQ(process.pid, 0);
    CHECK(!uv_is_active((uv_handle_t*)&process));
    uv_close((uv_handle_t*)&process, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
}

TEST(terminal_needs_a_free_pipe_of_the_same_loop) {
    uv_loop_t another;
    uv_pipe_t other;
    uv_tcp_t tcp;
    open_loop("");
    CHECK_OK(uv_loop_init(&another));
    refuse_terminal(NULL);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    refuse_terminal((uv_pipe_t*)&tcp);
    uv_close((uv_handle_t*)&tcp, NULL);
    CHECK_OK(uv_pipe_init(&another, &other, 0));
    refuse_terminal(&other);
    uv_close((uv_handle_t*)&other, NULL);
    CHECK_OK(uv_run(&another, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&another));
    CHECK_OK(uv_pipe_init(&loop, &other, 1));
    refuse_terminal(&other);
    uv_close((uv_handle_t*)&other, NULL);
    refuse_terminal(&other);
    options.stdio_count = 1;
    refuse_terminal(&terminal);
    options.stdio_count = -1;
    options.stdio = stdio;
    refuse_terminal(&terminal);
    close_loop();
}

TEST(pipe_that_is_no_terminal_has_no_size) {
    int fds[2];
    open_loop("");
    CHECK_EQ(phasor_terminal_resize(&terminal, &size), UV_EINVAL);
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_pipe_open(&terminal, fds[0]));
    CHECK_EQ(phasor_terminal_resize(&terminal, &size), UV_EINVAL);
    close(fds[1]);
    close_loop();
}

TEST(program_that_is_not_there_leaves_no_terminal_open) {
    open_loop("");
    int before = test_open_fds();
    options.file = "/no/such/program";
    CHECK_EQ(phasor_spawn_in_terminal(&loop, &process, &options, &terminal, &size), UV_ENOENT);
    CHECK_LE(test_open_fds(), before + 1); /* what watches children stays */
    uv_close((uv_handle_t*)&process, NULL);
    close_loop();
}
