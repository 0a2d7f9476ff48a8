// wrap: copy_file_range sendfile write pread read poll
/* Bytes on their way from one descriptor to another, call by call: what each moves, and which call
 * comes next. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

/* What the next call of its kind does instead of all that was asked for. */
struct answer {
    char call;
    int error;   /* it fails */
    size_t most; /* it moves at most so many bytes */
    bool is_said /* it moves nothing and says that it was `most` */;
};

static const struct answer* next_answer;
static char calls[64]; /* one letter for each */
static bool watched;

/* True: `result` is the answer. */
static bool is_answered(char call, size_t* size, ssize_t* result) {
    if (!watched)
        return false;
    CHECK_LT(strlen(calls), sizeof(calls) - 1);
    calls[strlen(calls)] = call;
    if (next_answer->call != call)
        return false;
    const struct answer* answer = next_answer++;
    if (answer->error == 0 && !answer->is_said) {
        *size = *size < answer->most ? *size : answer->most;
        return false;
    }
    errno = answer->error != 0 ? answer->error : EBADF; /* errno of a call that succeeds is noise */
    *result = answer->error != 0 ? -1 : (ssize_t)answer->most;
    return true;
}

#define REPLACE(name, letter, parameters, ...)   \
    ssize_t __real_##name parameters;            \
    ssize_t __wrap_##name parameters;            \
    ssize_t __wrap_##name parameters {           \
        ssize_t result;                          \
        if (is_answered(letter, &size, &result)) \
            return result;                       \
        return __real_##name(__VA_ARGS__);       \
    }

REPLACE(copy_file_range, 'c',
        (int in, off_t* from, int out, off_t* to, size_t size, unsigned flags), in, from, out, to,
        size, flags)
REPLACE(sendfile, 's', (int out, int in, off_t* offset, size_t size), out, in, offset, size)
REPLACE(write, 'w', (int fd, const void* bytes, size_t size), fd, bytes, size)
REPLACE(pread, 'p', (int fd, void* bytes, size_t size, off_t offset), fd, bytes, size, offset)
REPLACE(read, 'r', (int fd, void* bytes, size_t size), fd, bytes, size)

int __wrap_poll(struct pollfd* items, nfds_t count, int timeout);
int __wrap_poll(struct pollfd* items, nfds_t count, int timeout) {
    CHECK_EQ(count, 1);
    CHECK_EQ(items->events, POLLOUT);
    CHECK_LT(timeout, 0);
    calls[strlen(calls)] = 'o';
    return 1;
}

static int held; /* blocks of memory */

static void* allocate(size_t size) {
    held++;
    return malloc(size);
}

static void* allocate_clear(size_t count, size_t size) {
    held++;
    return calloc(count, size);
}

static void release(void* block) {
    held -= block != NULL;
    free(block);
}

static int in, out;

/* Nobody holds memory before or after a test's transfers. */
static void open_files(void) {
    CHECK_OK(uv_replace_allocator(allocate, realloc, allocate_clear, release));
    in = open("from", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    CHECK_EQ(write(in, "0123456789", 10), 10);
    out = open("to", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
}

static void close_files(void) {
    CHECK_EQ(held, 0);
    close(in);
    close(out);
}

static void watch(const struct answer* answers) {
    memset(calls, 0, sizeof(calls));
    next_answer = answers;
    watched = true;
}

static void check_calls(const char* expected) {
    watched = false;
    CHECK_EQ(next_answer->call, 0);
    CHECK_STR(calls, expected);
}

#define ANSWERS(...) ((const struct answer[]){__VA_ARGS__, {0}})
static const struct answer nothing_special[] = {{0}};

static ssize_t send_bytes(int64_t offset, size_t length) {
    uv_fs_t req;
    CHECK_OK(ftruncate(out, 0));
    CHECK_EQ(lseek(out, 0, SEEK_SET), 0);
    ssize_t result = uv_fs_sendfile(NULL, &req, out, in, offset, length, NULL);
    uv_fs_req_cleanup(&req);
    return result;
}

static void check_target(const char* expected) {
    char got[32] = "";
    CHECK_GE(pread(out, got, sizeof(got) - 1, 0), 0);
    CHECK_STR(got, expected);
}

TEST(sendfile_asks_again_for_what_is_left) {
    open_files();
    watch(nothing_special);
    CHECK_EQ(send_bytes(3, 1), 1);
    check_calls("s");
    check_target("3");
    watch(ANSWERS({'s', 0, 3, false}, {'s', EINTR, 0, false}, {'s', 0, 1, false}));
    CHECK_EQ(send_bytes(2, 5), 5);
    check_calls("ssss");
    check_target("23456");
    close_files();
}

TEST(sendfile_that_fails_after_some_bytes_says_how_many) {
    static const int errors[] = {EIO, EINVAL, ESPIPE, EBADF};
    open_files();
    for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
        watch(ANSWERS({'s', 0, 1, false}, {'s', errors[i], 0, false}));
        CHECK_EQ(send_bytes(0, 5), 1);
        check_calls("ss");
        check_target("0");
    }
    close_files();
}

TEST(bytes_moved_by_hand_are_written_to_the_last) {
    open_files();
    watch(ANSWERS({'s', EINVAL, 0, false}, {'w', 0, 3, false}, {'w', 0, 0, true},
                  {'w', EAGAIN, 0, false}, {'w', EINTR, 0, false}));
    CHECK_EQ(send_bytes(2, 5), 5);
    check_calls("spwwwoww");
    check_target("23456");
    watch(ANSWERS({'s', EINVAL, 0, false}));
    CHECK_EQ(send_bytes(0, 1), 1);
    check_calls("spw");
    check_target("0");
    watch(ANSWERS({'s', EINVAL, 0, false}, {'p', 0, 2, false}));
    CHECK_EQ(send_bytes(9, 4), 1);
    check_calls("spwp");
    close_files();
}

TEST(input_without_offsets_is_asked_for_them_once) {
    int ends[2];
    open_files();
    CHECK_OK(pipe2(ends, O_CLOEXEC));
    CHECK_EQ(write(ends[1], "abcde", 5), 5);
    close(in);
    in = ends[0];
    watch(ANSWERS({'s', ESPIPE, 0, false}, {'r', 0, 3, false}));
    CHECK_EQ(send_bytes(0, 5), 5);
    check_calls("sprwrw");
    check_target("abcde");
    close(ends[1]);
    close_files();
}

TEST(moving_nothing_by_hand_needs_descriptors_that_could) {
    open_files();
    int write_only = open("from", O_WRONLY | O_CLOEXEC);
    int read_only = open("to", O_RDONLY | O_CLOEXEC);
    const int pairs[][2] = {{-1, out}, {in, -1}, {write_only, out}, {in, read_only}, {in, out}};
    for (int i = 0; i < 5; i++) {
        uv_fs_t req;
        watch(ANSWERS({'s', EINVAL, 0, false}));
        CHECK_EQ(uv_fs_sendfile(NULL, &req, pairs[i][1], pairs[i][0], 0, 0, NULL),
                 i < 4 ? UV_EBADF : 0);
        uv_fs_req_cleanup(&req);
        check_calls("s");
    }
    close(read_only);
    close(write_only);
    close_files();
}

/* `Impossible` offsets: copy_file_range says what is wrong, or moves the bytes. */
TEST(refused_offset_is_explained_only_if_no_file_has_it) {
    open_files();
    watch(ANSWERS({'s', EINVAL, 0, false}, {'c', 0, 2, true}));
    CHECK_EQ(send_bytes(-1, 5), 2);
    check_calls("sc");
    watch(ANSWERS({'s', EINVAL, 0, false}, {'c', 0, 0, true}));
    CHECK_EQ(send_bytes(INT64_MAX - 4, 5), 0);
    check_calls("sc");
    static const int told[] = {EOVERFLOW, EBADF, EISDIR};
    for (int i = 0; i < 3; i++) {
        watch(ANSWERS({'s', EINVAL, 0, false}, {'c', told[i], 0, false}));
        CHECK_EQ(send_bytes(-1, 5), -told[i]);
        check_calls("sc");
    }
    watch(ANSWERS({'s', EINVAL, 0, false}, {'c', EINVAL, 0, false}, {'p', 0, 0, true}));
    CHECK_EQ(send_bytes(-1, 5), 0);
    check_calls("scp");
    static const int64_t possible[] = {0, INT64_MAX - 5};
    for (int i = 0; i < 2; i++) {
        watch(ANSWERS({'s', EINVAL, 0, false}, {'p', 0, 0, true}));
        CHECK_EQ(send_bytes(possible[i], 5), 0);
        check_calls("sp");
    }
    close_files();
}

static int copy(void) {
    uv_fs_t req;
    int result = uv_fs_copyfile(NULL, &req, "from", "to", 0, NULL);
    uv_fs_req_cleanup(&req);
    return result;
}

TEST(copy_by_sendfile_that_fails_half_way_is_an_error) {
    open_files();
    watch(ANSWERS({'c', EXDEV, 0, false}, {'s', 0, 3, false}, {'s', EIO, 0, false}));
    CHECK_EQ(copy(), UV_EIO);
    check_calls("css");
    watch(ANSWERS({'c', EXDEV, 0, false}, {'s', 0, 3, false}));
    CHECK_OK(copy());
    check_calls("csss");
    close_files();
}

TEST(copy_of_one_byte_reads_the_file_once) {
    open_files();
    CHECK_OK(ftruncate(in, 1));
    watch(ANSWERS({'c', EINTR, 0, false}));
    CHECK_OK(copy());
    check_calls("ccc");
    check_target("0");
    close_files();
}

static ssize_t write_bytes(void) {
    uv_fs_t req;
    uv_buf_t buf = uv_buf_init("abcde", 5);
    ssize_t result = uv_fs_write(NULL, &req, out, &buf, 1, -1, NULL);
    uv_fs_req_cleanup(&req);
    return result;
}

TEST(write_goes_on_until_everything_is_written_or_nothing_more_is) {
    open_files();
    watch(ANSWERS({'w', 0, 3, false}, {'w', EINTR, 0, false}, {'w', 0, 1, false}));
    CHECK_EQ(write_bytes(), 5);
    check_calls("wwww");
    check_target("abcde");
    watch(ANSWERS({'w', 0, 3, false}, {'w', 0, 0, true}));
    CHECK_EQ(write_bytes(), 3);
    check_calls("ww");
    watch(ANSWERS({'w', 0, 0, true}));
    CHECK_EQ(write_bytes(), 0);
    check_calls("w");
    watch(ANSWERS({'w', 0, 1, false}, {'w', ENOSPC, 0, false}));
    CHECK_EQ(write_bytes(), 1);
    check_calls("ww");
    close_files();
}
