#include "streams.h"

#include <termios.h>

static uv_tty_t tty;

/* A new pseudoterminal: the slave is the terminal, the master its keyboard and screen. */
static void open_terminal(int* master, int* slave) {
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    if (*master < 0)
        test_skip("no pseudoterminals");
    CHECK_OK(grantpt(*master));
    CHECK_OK(unlockpt(*master));
    *slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
    if (*slave < 0)
        test_skip("no pseudoterminals");
}

static struct termios settings(int fd) {
    struct termios t;
    CHECK_OK(tcgetattr(fd, &t));
    return t;
}

TEST(tty_is_guessed_and_opened_for_both_directions) {
    int master, slave;
    open_terminal(&master, &slave);
    open_loop();
    CHECK_EQ(uv_guess_handle(slave), UV_TTY);
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK(uv_is_readable(STREAM(&tty)));
    CHECK(uv_is_writable(STREAM(&tty)));
    close_loop();
    close(master);
    close(slave);
}

TEST(tty_init_does_not_make_the_shared_file_nonblocking) {
    int master, slave;
    open_terminal(&master, &slave);
    int shared = dup(slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK(!(fcntl(shared, F_GETFL) & O_NONBLOCK));
    close_loop();
    close(shared);
    close(master);
    close(slave);
}

TEST(tty_init_refuses_files_and_bad_descriptors) {
    open_loop();
    int fd = open("/dev/null", O_RDWR);
    CHECK_EQ(uv_tty_init(&loop, &tty, fd, 0), UV_EINVAL);
    close(fd);
    CHECK_EQ(uv_tty_init(&loop, &tty, -1, 0), UV_EINVAL);
    CHECK_EQ(uv_tty_init(&loop, &tty, 12345, 0), UV_EINVAL);
    close_loop();
}

TEST(tty_reads_lines_and_writes) {
    int master, slave;
    char got[64] = {0};
    uv_write_t req;
    uv_buf_t buf = text_buf("out");
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_write(&req, STREAM(&tty), &buf, 1, on_write));
    CHECK_OK(uv_read_start(STREAM(&tty), give_room, on_read));
    while (writes == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(write_status);
    CHECK_EQ(read(master, got, sizeof(got) - 1), 3);
    CHECK_STR(got, "out");
    CHECK_EQ(write(master, "typed\n", 6), 6);
    while (reads == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(read_text, "typed\n");
    close_loop();
    close(master);
    close(slave);
}

TEST(tty_modes_change_the_terminal_and_back) {
    int master, slave;
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    struct termios before = settings(slave);
    CHECK(before.c_lflag & ICANON);
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    CHECK(!(settings(slave).c_lflag & (ICANON | ECHO | ISIG | IEXTEN)));
    CHECK(!(settings(slave).c_iflag & (ICRNL | IXON)));
    CHECK(settings(slave).c_oflag & ONLCR);
    CHECK_EQ(settings(slave).c_cc[VMIN], 1);
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_IO));
    CHECK(!(settings(slave).c_oflag & OPOST));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_IO));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL));
    CHECK_EQ(settings(slave).c_lflag, before.c_lflag);
    CHECK_EQ(settings(slave).c_iflag, before.c_iflag);
    CHECK_EQ(settings(slave).c_oflag, before.c_oflag);
    close_loop();
    close(master);
    close(slave);
}

TEST(tty_raw_vt_mode_is_raw_mode) {
    int master, slave;
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW_VT));
    CHECK(!(settings(slave).c_lflag & (ICANON | ECHO | ISIG | IEXTEN)));
    CHECK_EQ(uv_tty_set_mode(&tty, (uv_tty_mode_t)4), UV_EINVAL);
    close_loop();
    close(master);
    close(slave);
}

TEST(tty_reset_mode_restores_the_first_terminal) {
    int master, slave;
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_reset_mode());
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    errno = 77;
    CHECK_OK(uv_tty_reset_mode());
    CHECK_EQ(errno, 77);
    CHECK(settings(slave).c_lflag & ICANON);
    close_loop();
    close(master);
    close(slave);
}

TEST(tty_close_restores_the_terminal) {
    int master, slave;
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    close_loop();
    CHECK(settings(slave).c_lflag & ICANON);
    CHECK_OK(uv_tty_reset_mode());
    close(master);
    close(slave);
}

TEST(tty_tells_the_size_of_its_window) {
    int master, slave;
    int width, height;
    struct winsize size = {.ws_col = 123, .ws_row = 45};
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(ioctl(master, TIOCSWINSZ, &size));
    CHECK_OK(uv_tty_get_winsize(&tty, &width, &height));
    CHECK_EQ(width, 123);
    CHECK_EQ(height, 45);
    close_loop();
    close(master);
    close(slave);
}

TEST(tty_master_side_writes_without_being_reopened) {
    int master, slave;
    char got[8] = {0};
    uv_write_t req;
    uv_buf_t buf = text_buf("in\n");
    int fd;
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, master, 0));
    CHECK_OK(uv_fileno(HANDLE(&tty), &fd));
    CHECK_EQ(fd, master);
    CHECK(!(fcntl(master, F_GETFL) & O_NONBLOCK));
    CHECK_OK(uv_write(&req, STREAM(&tty), &buf, 1, on_write));
    CHECK_EQ(read(slave, got, sizeof(got)), 3);
    CHECK_STR(got, "in\n");
    close_loop();
    close(slave);
}

TEST(tty_on_a_pipe_has_no_modes) {
    int fds[2];
    int width, height;
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_tty_init(&loop, &tty, fds[0], 0));
    CHECK(uv_is_readable(STREAM(&tty)));
    CHECK(!uv_is_writable(STREAM(&tty)));
    CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), UV_ENOTTY);
    CHECK_EQ(uv_tty_get_winsize(&tty, &width, &height), UV_ENOTTY);
    close_loop();
    close(fds[1]);
}

TEST(tty_virtual_terminal_state_is_not_supported) {
    uv_tty_vtermstate_t state;
    uv_tty_set_vterm_state(UV_TTY_SUPPORTED);
    CHECK_EQ(uv_tty_get_vterm_state(&state), UV_ENOTSUP);
}

TEST(tty_that_was_hung_up_refuses_even_an_empty_write) {
    static uv_write_t req;
    int master, slave;
    uv_buf_t empty = uv_buf_init("", 0);
    open_terminal(&master, &slave);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    close(master);
    CHECK_OK(uv_write(&req, STREAM(&tty), &empty, 1, on_write));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(write_status, UV_EIO);
    close_loop();
    close(slave);
}
