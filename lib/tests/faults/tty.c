// wrap: ioctl tcsetattr tcgetattr open dup3 fcntl ttyname_r
/* Terminals that can't be opened anew, and interruptions while they are set. */

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"
#include "stream/stream.h"

REPLACE_IOCTL()
REPLACE_OPEN()
REPLACE(int, dup3, (int from, int to, int flags), from, to, flags)
REPLACE_FCNTL()
REPLACE_RETURNING(ttyname_r, (int fd, char* name, size_t size), fd, name, size)

/* A line of seven bits, which a pseudoterminal never is. */
static bool has_seven_bits;
static tcflag_t bits_set;
int __real_tcgetattr(int fd, struct termios* t);
int __wrap_tcgetattr(int fd, struct termios* t);
int __wrap_tcgetattr(int fd, struct termios* t) {
    if (is_refused("tcgetattr"))
        return -1;
    int result = __real_tcgetattr(fd, t);
    if (has_seven_bits)
        t->c_cflag = (t->c_cflag & ~(tcflag_t)CSIZE) | CS7;
    return result;
}

static bool resets_inside;
static int inner_result = 1;
int __real_tcsetattr(int fd, int when, const struct termios* t);
int __wrap_tcsetattr(int fd, int when, const struct termios* t);

/* A signal handler that runs inside, and resets the mode too. */
int __wrap_tcsetattr(int fd, int when, const struct termios* t) {
    if (resets_inside) {
        resets_inside = false;
        inner_result = uv_tty_reset_mode();
    }
    bits_set = t->c_cflag & CSIZE;
    return is_refused("tcsetattr") ? -1 : __real_tcsetattr(fd, when, t);
}

static uv_loop_t loop;
static uv_tty_t tty;
static int master, slave, init_mode = O_RDWR;
static bool out_of_memory;

static void* my_malloc(size_t size) {
    return out_of_memory ? NULL : malloc(size);
}

static void* my_calloc(size_t count, size_t size) {
    return out_of_memory ? NULL : calloc(count, size);
}

static void* my_realloc(void* ptr, size_t size) {
    return out_of_memory ? NULL : realloc(ptr, size);
}

static void open_terminal(void) {
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0)
        test_skip("no pseudoterminals");
    CHECK_OK(grantpt(master));
    CHECK_OK(unlockpt(master));
    slave = open(ptsname(master), init_mode | O_NOCTTY | O_CLOEXEC);
    if (slave < 0)
        test_skip("no pseudoterminals");
    CHECK_OK(uv_loop_init(&loop));
}

static void close_tty(void) {
    allow_all();
    uv_close((uv_handle_t*)&tty, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
}

static void close_terminal(void) {
    CHECK_OK(uv_loop_close(&loop));
    close(master);
    close(slave);
}

/* 1: the terminal was opened anew. 0: it is shared. */
static int init(void) {
    int fd;
    int err = uv_tty_init(&loop, &tty, slave, 0);
    if (err != 0)
        return err;
    CHECK_OK(uv_fileno((uv_handle_t*)&tty, &fd));
    bool anew = fd != slave;
    CHECK_EQ((tty.flags & PH_TTY_BLOCKING_WRITES) != 0, !anew && init_mode != O_RDONLY);
    CHECK_EQ((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0, anew || init_mode == O_RDONLY);
    CHECK_EQ(uv_is_readable((uv_stream_t*)&tty), init_mode != O_WRONLY);
    CHECK_EQ(uv_is_writable((uv_stream_t*)&tty), init_mode != O_RDONLY);
    /* Its number stays the test's: a shared one would be closed with the handle. */
    if (!anew) {
        allow_all();
        slave = fcntl(slave, F_DUPFD_CLOEXEC, 0);
        CHECK_GE(slave, 0);
    }
    close_tty();
    return anew;
}

TEST(tty_that_can_not_be_opened_anew_is_shared) {
    static const struct refused_case cases[] = {
        {"ttyname_r", 0, ENODEV, init, 0}, {"open", 0, EACCES, init, 0}, {"dup3", 0, EIO, init, 0},
        {"dup3", 0, EINTR, init, 1},       {"dup3", 0, EBUSY, init, 1},
    };
    static const int modes[] = {O_RDWR, O_RDONLY, O_WRONLY};
    for (size_t i = 0; i < 3; i++) {
        init_mode = modes[i];
        open_terminal();
        CHECK_EQ(init(), 1);
        CHECK_OK(fcntl(slave, F_SETFL, 0));
        for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
            run_case(&cases[k]);
            CHECK_OK(fcntl(slave, F_SETFL, 0));
        }
        close_terminal();
    }
}

TEST(tty_that_can_not_be_set_up_leaves_nothing_open) {
    static const struct refused_case cases[] = {
        {"fcntl", 0, EBADF, init, UV_EBADF}, /* its mode */
        {"fcntl", 2, EPERM, init, UV_EPERM}, /* what makes it non-blocking */
        {"fcntl", 3, EPERM, init, UV_EPERM},
    };
    open_terminal();
    int before = test_open_fds();
    RUN_CASES(cases);
    init_mode = O_RDONLY;
    CHECK_EQ(test_open_fds(), before);
    close_terminal();
}

TEST(tty_without_memory_leaves_nothing_open) {
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, free));
    open_terminal();
    /* High numbers, which the loop has no room for yet. */
    int high = fcntl(slave, F_DUPFD_CLOEXEC, 900);
    CHECK_GE(high, 900);
    int before = test_open_fds();
    out_of_memory = true;
    refuse("open", 0, 1, EACCES);
    CHECK_EQ(uv_tty_init(&loop, &tty, high, 0), UV_ENOMEM);
    out_of_memory = false;
    allow_all();
    CHECK_EQ(test_open_fds(), before);
    close(high);
    close_terminal();
}

static struct termios settings(void) {
    struct termios t;
    CHECK_OK(tcgetattr(slave, &t));
    return t;
}

static int set_raw(void) {
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    int err = uv_tty_set_mode(&tty, UV_TTY_MODE_RAW);
    CHECK_EQ((settings().c_lflag & ICANON) == 0, err == 0);
    close_tty();
    return err;
}

TEST(tty_in_raw_mode_has_eight_bits) {
    open_terminal();
    has_seven_bits = true;
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    CHECK_EQ(bits_set, CS8);
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL));
    CHECK_EQ(bits_set, CS7);
    has_seven_bits = false;
    close_tty();
    close_terminal();
}

TEST(tty_modes_go_on_after_interruptions_and_tell_errors) {
    static const struct refused_case cases[] = {
        {"tcgetattr", 0, EINTR, set_raw, 0},
        {"tcsetattr", 0, EINTR, set_raw, 0},
        {"tcsetattr", 0, EIO, set_raw, UV_EIO},
    };
    open_terminal();
    RUN_CASES(cases);
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    refuse("tcgetattr", 0, 1, EIO);
    CHECK_EQ(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW), UV_EIO);
    refuse("ioctl", 0, 1, EINTR);
    int width, height;
    CHECK_OK(uv_tty_get_winsize(&tty, &width, &height));
    refuse("ioctl", 0, 1, EIO);
    CHECK_EQ(uv_tty_get_winsize(&tty, &width, &height), UV_EIO);
    close_tty();
    close_terminal();
}

TEST(tty_raw_mode_gives_each_byte_at_once_whatever_was_set_before) {
    open_terminal();
    struct termios slow = settings();
    slow.c_cc[VMIN] = 5;
    slow.c_cc[VTIME] = 3;
    slow.c_oflag &= ~(tcflag_t)ONLCR;
    slow.c_cflag = (slow.c_cflag & ~(tcflag_t)CSIZE) | CS7;
    slow.c_iflag |= BRKINT | ICRNL | INPCK | ISTRIP | IXON;
    CHECK_OK(tcsetattr(slave, TCSANOW, &slow));
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    struct termios raw = settings();
    CHECK_EQ(raw.c_cc[VMIN], 1);
    CHECK_EQ(raw.c_cc[VTIME], 0);
    CHECK(raw.c_oflag & ONLCR);
    CHECK_EQ(raw.c_iflag & (BRKINT | ICRNL | INPCK | ISTRIP | IXON), 0);
    CHECK_EQ(raw.c_lflag & (ECHO | ICANON | IEXTEN | ISIG), 0);
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_NORMAL));
    CHECK_EQ(settings().c_cc[VMIN], 5);
    close_tty();
    close_terminal();
}

TEST(tty_reset_inside_of_a_reset_is_busy_and_of_the_first_terminal_only) {
    uv_tty_t other;
    open_terminal();
    int second_master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK_OK(unlockpt(second_master));
    int second = open(ptsname(second_master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_tty_init(&loop, &other, second, 0));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    CHECK_OK(uv_tty_set_mode(&other, UV_TTY_MODE_RAW));
    resets_inside = true;
    CHECK_OK(uv_tty_reset_mode());
    CHECK_EQ(inner_result, UV_EBUSY);
    CHECK(settings().c_lflag & ICANON);
    struct termios t;
    CHECK_OK(tcgetattr(second, &t));
    CHECK(!(t.c_lflag & ICANON));
    uv_close((uv_handle_t*)&other, NULL);
    close_tty();
    close(second);
    close(second_master);
    close_terminal();
}

TEST(tty_reset_that_fails_says_so_and_leaves_errno) {
    open_terminal();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    refuse("tcsetattr", 0, 1, EIO);
    errno = EDOM;
    CHECK_EQ(uv_tty_reset_mode(), UV_EIO);
    CHECK_EQ(errno, EDOM);
    CHECK_OK(uv_tty_reset_mode());
    close_tty();
    close_terminal();
}

TEST(tty_on_standard_input_stays_open_and_in_its_mode_when_the_handle_closes) {
    open_terminal();
    int saved = fcntl(0, F_DUPFD_CLOEXEC, 10);
    CHECK_EQ(dup2(slave, 0), 0);
    refuse("open", 0, 1, EACCES); /* shared, so that the handle has the number 0 itself */
    CHECK_OK(uv_tty_init(&loop, &tty, 0, 1));
    allow_all();
    CHECK_OK(uv_tty_set_mode(&tty, UV_TTY_MODE_RAW));
    close_tty();
    CHECK(!(settings().c_lflag & ICANON));
    CHECK_GE(fcntl(0, F_GETFD), 0);
    CHECK_OK(uv_tty_reset_mode());
    CHECK(settings().c_lflag & ICANON);
    CHECK_EQ(dup2(saved, 0), 0);
    close(saved);
    close_terminal();
}
