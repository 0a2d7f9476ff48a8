#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "os/fd.h"
#include "stream/stream.h"

/*
 * The first terminal that left its normal mode, for uv_tty_reset_mode. That may run in a signal
 * handler, so it never waits: `busy` is taken with one exchange or not at all.
 */
static struct {
    int busy;
    int fd; /* -1: none */
    struct termios original;
} changed = {.fd = -1};

static bool take_changed(void) {
    return !__atomic_exchange_n(&changed.busy, 1, __ATOMIC_ACQUIRE);
}

static void leave_changed(void) {
    __atomic_store_n(&changed.busy, 0, __ATOMIC_RELEASE);
}

static int fd_of(const uv_tty_t* tty) {
    return ph_stream_fd((const uv_stream_t*)tty);
}

/* The master side of a pseudoterminal opens as another terminal: only a slave can be reopened. */
static bool is_slave(int fd) {
    int number;
    return ioctl(fd, TIOCGPTN, &number) != 0;
}

/*
 * Other processes share the descriptor's open file, and with it O_NONBLOCK. Opened anew, the file
 * is our own; `fd` gets it too, so that the program's own reads and writes see the same. -1 if that
 * can't be done.
 */
static int reopen(int fd, int mode) {
    char path[256];
    if (!is_slave(fd) || ttyname_r(fd, path, sizeof(path)) != 0)
        return -1;
    int own = open(path, mode | O_NOCTTY | O_CLOEXEC);
    if (own == -1)
        return -1;
    int flags = fcntl(fd, F_GETFD);
    int result;
    do
        result = dup3(own, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
    while (result == -1 && (errno == EINTR || errno == EBUSY));
    if (result == -1) {
        ph_fd_close(own);
        return -1;
    }
    return own;
}

int uv_tty_init(uv_loop_t* loop, uv_tty_t* tty, int fd, int unused) {
    (void)unused;
    uv_handle_type type = uv_guess_handle(fd);
    if (type == UV_FILE || type == UV_UNKNOWN_HANDLE)
        return UV_EINVAL;
    int status = fcntl(fd, F_GETFL);
    if (status == -1)
        return ph_errno();
    int mode = status & O_ACCMODE;
    int own = type == UV_TTY ? reopen(fd, mode) : -1;
    bool shared = type == UV_TTY && own == -1;
    int used = own != -1 ? own : fd;

    ph_stream_init(loop, PH_STREAM(tty), UV_TTY);
    /* Writes that others would see as O_NONBLOCK on their descriptor rather block. */
    bool blocking = shared && mode != O_RDONLY;
    int err = blocking ? 0 : ph_fd_set_nonblocking(used, true);
    unsigned int flags =
        (mode != O_WRONLY ? PH_READABLE : 0) | (mode != O_RDONLY ? PH_WRITABLE : 0);
    if (err == 0)
        err = ph_stream_open(PH_STREAM(tty), used, flags);
    if (err != 0) {
        ph_handle_forget(PH_HANDLE(tty));
        if (own != -1)
            ph_fd_close(own);
        return err;
    }
    ph_extra(PH_STREAM(tty))->blocking = blocking;
    if (blocking)
        tty->flags |= PH_TTY_BLOCKING_WRITES;
    tty->tty.mode = UV_TTY_MODE_NORMAL;
    return 0;
}

static int set_attributes(int fd, int when, const struct termios* attributes) {
    int result;
    do
        result = tcsetattr(fd, when, attributes);
    while (result == -1 && errno == EINTR);
    return result == 0 ? 0 : ph_errno();
}

/* Keeps what uv_tty_reset_mode will need. */
static int remember(uv_tty_t* tty) {
    int result;
    do
        result = tcgetattr(fd_of(tty), &tty->tty.original);
    while (result == -1 && errno == EINTR);
    if (result != 0)
        return ph_errno();
    while (!take_changed())
        continue;
    if (changed.fd == -1) {
        changed.original = tty->tty.original;
        changed.fd = fd_of(tty);
    }
    leave_changed();
    return 0;
}

/* Bytes arrive as typed, one at a time; output still ends its lines properly. */
static void make_raw(struct termios* t) {
    t->c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    t->c_oflag |= ONLCR;
    t->c_cflag |= CS8;
    t->c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
    t->c_cc[VMIN] = 1;
    t->c_cc[VTIME] = 0;
}

int uv_tty_set_mode(uv_tty_t* tty, uv_tty_mode_t mode) {
    if ((unsigned)mode > UV_TTY_MODE_RAW_VT)
        return UV_EINVAL;
    if (tty->tty.mode == (int)mode)
        return 0;
    if (tty->tty.mode == UV_TTY_MODE_NORMAL) {
        int err = remember(tty);
        if (err != 0)
            return err;
    }
    struct termios wanted = tty->tty.original;
    if (mode == UV_TTY_MODE_RAW || mode == UV_TTY_MODE_RAW_VT)
        make_raw(&wanted);
    else if (mode == UV_TTY_MODE_IO)
        cfmakeraw(&wanted);
    int err = set_attributes(fd_of(tty), TCSADRAIN, &wanted);
    if (err == 0)
        tty->tty.mode = (int)mode;
    return err;
}

int uv_tty_reset_mode(void) {
    int saved = errno;
    int err = 0;
    if (!take_changed())
        return UV_EBUSY; /* a signal handler inside uv_tty_set_mode */
    if (changed.fd != -1)
        err = set_attributes(changed.fd, TCSANOW, &changed.original);
    leave_changed();
    errno = saved;
    return err;
}

/* The descriptor's number will belong to something else: put the terminal in order now. */
void ph_tty_closing(uv_tty_t* tty) {
    if (fd_of(tty) <= STDERR_FILENO)
        return;
    while (!take_changed())
        continue;
    if (changed.fd == fd_of(tty)) {
        set_attributes(changed.fd, TCSANOW, &changed.original);
        changed.fd = -1;
    }
    leave_changed();
}

int uv_tty_get_winsize(uv_tty_t* tty, int* width, int* height) {
    struct winsize size;
    int result;
    do
        result = ioctl(fd_of(tty), TIOCGWINSZ, &size);
    while (result == -1 && errno == EINTR);
    if (result == -1)
        return ph_errno();
    *width = size.ws_col;
    *height = size.ws_row;
    return 0;
}

/* Settings of Windows. */
void uv_tty_set_vterm_state(uv_tty_vtermstate_t state) {
    (void)state;
}

int uv_tty_get_vterm_state(uv_tty_vtermstate_t* state) {
    (void)state;
    return UV_ENOTSUP;
}
