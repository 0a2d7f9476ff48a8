/* Values that the system gives, or is given, are those that were meant. */

#include <errno.h>
#include <malloc.h>
#include <phasor.h>
#include <pthread.h>
#include <sys/statfs.h>

#include "base/alloc.h"
#include "base/loop_alloc.h"
#include "behaviour/stream/streams.h"

static uv_udp_t udp;
static uv_fs_t req;

/* Other processes change the numbers: what was the same before and after is compared. */
TEST(statfs_gives_every_number_of_the_file_system) {
    struct statfs before = {0}, after = {0}; /* an emulator leaves the spare words alone */
#ifdef M_PERTURB
    mallopt(M_PERTURB, 0x5a); /* a number that is left out is not 0 by chance */
#endif
    for (int tries = 0; tries < 1000; tries++) {
        CHECK_OK(statfs(".", &before));
        CHECK_OK(uv_fs_statfs(NULL, &req, ".", NULL));
        CHECK_OK(statfs(".", &after));
        uv_statfs_t found = *(uv_statfs_t*)req.ptr;
        uv_fs_req_cleanup(&req);
        if (memcmp(&before, &after, sizeof(before)) != 0) {
            usleep(tries < 100 ? 0 : 10000); /* somebody writes all the time */
            continue;
        }
        CHECK_EQ(found.f_type, before.f_type);
        CHECK_EQ(found.f_bsize, before.f_bsize);
        CHECK_EQ(found.f_blocks, before.f_blocks);
        CHECK_EQ(found.f_bfree, before.f_bfree);
        CHECK_EQ(found.f_bavail, before.f_bavail);
        CHECK_EQ(found.f_files, before.f_files);
        CHECK_EQ(found.f_ffree, before.f_ffree);
        CHECK_EQ(found.f_frsize, before.f_frsize);
        return;
    }
    test_fail(__FILE__, __LINE__, "the file system never rests");
}

static void release_and_fail(void* memory) {
    free(memory);
    errno = ERANGE;
}

static void* allocate_for(void* context, size_t size) {
    (void)context;
    return malloc(size);
}

static void* allocate_clear_for(void* context, size_t count, size_t size) {
    (void)context;
    return calloc(count, size);
}

static void* allocate_again_for(void* context, void* memory, size_t size) {
    (void)context;
    return realloc(memory, size);
}

static void release_for(void* context, void* memory) {
    (void)context;
    release_and_fail(memory);
}

TEST(freeing_memory_leaves_errno) {
    const struct phasor_allocator own = {allocate_for, allocate_clear_for, allocate_again_for,
                                         release_for, NULL};
    CHECK_OK(uv_replace_allocator(malloc, realloc, calloc, release_and_fail));
    void* memory = ph_malloc(8);
    errno = EDOM;
    ph_free(memory);
    CHECK_EQ(errno, EDOM);
    CHECK_OK(phasor_loop_init(&loop, &own));
    memory = ph_loop_malloc(&loop, 8);
    errno = EDOM;
    ph_loop_free(&loop, memory);
    CHECK_EQ(errno, EDOM);
    close_loop();
}

static int option_of_udp(int level, int name) {
    int fd, value = -1;
    socklen_t size = sizeof(value);
    CHECK_OK(uv_fileno(HANDLE(&udp), &fd));
    CHECK_OK(getsockopt(fd, level, name, &value, &size));
    return value;
}

TEST(lifetimes_of_datagrams_go_up_to_255) {
    open_loop();
    CHECK_OK(uv_udp_init_ex(&loop, &udp, AF_INET));
    CHECK_OK(uv_udp_set_ttl(&udp, 1));
    CHECK_EQ(option_of_udp(IPPROTO_IP, IP_TTL), 1);
    CHECK_OK(uv_udp_set_ttl(&udp, 255));
    CHECK_EQ(option_of_udp(IPPROTO_IP, IP_TTL), 255);
    CHECK_EQ(uv_udp_set_ttl(&udp, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_set_ttl(&udp, 256), UV_EINVAL);
    CHECK_OK(uv_udp_set_multicast_ttl(&udp, 0));
    CHECK_EQ(option_of_udp(IPPROTO_IP, IP_MULTICAST_TTL), 0);
    CHECK_OK(uv_udp_set_multicast_ttl(&udp, 255));
    CHECK_EQ(option_of_udp(IPPROTO_IP, IP_MULTICAST_TTL), 255);
    CHECK_EQ(uv_udp_set_multicast_ttl(&udp, 256), UV_EINVAL);
    CHECK_OK(uv_udp_set_multicast_loop(&udp, 0));
    CHECK_EQ(option_of_udp(IPPROTO_IP, IP_MULTICAST_LOOP), 0);
    CHECK_OK(uv_udp_set_multicast_loop(&udp, 255));
    CHECK_EQ(option_of_udp(IPPROTO_IP, IP_MULTICAST_LOOP), 1);
    CHECK_EQ(uv_udp_set_multicast_loop(&udp, 256), UV_EINVAL);
    CHECK_OK(uv_udp_set_broadcast(&udp, 1));
    CHECK_EQ(option_of_udp(SOL_SOCKET, SO_BROADCAST), 1);
    CHECK_OK(uv_udp_set_broadcast(&udp, 0));
    CHECK_EQ(option_of_udp(SOL_SOCKET, SO_BROADCAST), 0);
    close_loop();
}

static size_t stack_size(void) {
    pthread_attr_t attributes;
    size_t size;
    CHECK_OK(pthread_getattr_np(pthread_self(), &attributes));
    CHECK_OK(pthread_attr_getstacksize(&attributes, &size));
    pthread_attr_destroy(&attributes);
    return size;
}

static size_t found_size;

static void look_at_stack(uv_work_t* work) {
    (void)work;
    found_size = stack_size();
}

static void after_look(uv_work_t* work, int status) {
    (void)work;
    CHECK_EQ(status, 0);
}

/* New threads of the program have less. */
TEST(threads_of_both_pools_have_stacks_of_8_megabytes) {
    enum { WANTED = 8 << 20 };
    pthread_attr_t small;
    uv_work_t work;
    phasor_pool_t* pool;
    struct phasor_pool_options options = {.threads_most = 1};
    CHECK_OK(pthread_attr_init(&small));
    CHECK_OK(pthread_attr_setstacksize(&small, 1 << 20));
    CHECK_OK(pthread_setattr_default_np(&small));
    pthread_attr_destroy(&small);
    open_loop();
    CHECK_OK(uv_queue_work(&loop, &work, look_at_stack, after_look));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(found_size, WANTED);
    CHECK_OK(phasor_pool_new(&pool, &options));
    CHECK_OK(phasor_pool_queue(pool, &loop, &work, 0, look_at_stack, after_look));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(found_size, WANTED);
    CHECK_OK(phasor_pool_free(pool));
    close_loop();
}

static void look_at_own_stack(void* arg) {
    (void)arg;
    found_size = stack_size();
}

TEST(stack_of_a_thread_is_what_was_asked_for_in_whole_pages) {
    size_t page = (size_t)getpagesize();
    uv_thread_t thread;
    uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE};
    for (size_t more = 0; more <= page; more += page / 2) {
        options.stack_size = (1 << 20) + more;
        CHECK_OK(uv_thread_create_ex(&thread, &options, look_at_own_stack, NULL));
        CHECK_OK(uv_thread_join(&thread));
        CHECK_EQ(found_size, (1 << 20) + (more + page - 1) / page * page);
    }
}

TEST(datagrams_are_cut_into_at_most_as_many_as_the_kernel_takes) {
    static char bytes[70000];
    struct sockaddr_in address = localhost(9);
    uv_buf_t buf = uv_buf_init(bytes, 100);
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(phasor_udp_try_send_segments(&udp, NULL, 10, (struct sockaddr*)&address), UV_EINVAL);
    CHECK_EQ(phasor_udp_try_send_segments(&udp, &buf, 0, (struct sockaddr*)&address), UV_EINVAL);
    CHECK_EQ(phasor_udp_try_send_segments(&udp, &buf, 65001, (struct sockaddr*)&address),
             UV_EINVAL);
    CHECK_EQ(phasor_udp_try_send_segments(&udp, &buf, 65000, (struct sockaddr*)&address), 100);
    buf.len = 64;
    int n = phasor_udp_try_send_segments(&udp, &buf, 1, (struct sockaddr*)&address);
    CHECK(n == 64 || n == UV_ENOTSUP);
    buf.len = 65;
    CHECK_EQ(phasor_udp_try_send_segments(&udp, &buf, 1, (struct sockaddr*)&address), UV_EMSGSIZE);
    buf.len = 65001;
    CHECK_EQ(phasor_udp_try_send_segments(&udp, &buf, 60000, (struct sockaddr*)&address),
             UV_EMSGSIZE);
    close_loop();
}
