// wrap: sched_getcpu pthread_getaffinity_np pthread_getschedparam
// wrap: setpriority getpriority pthread_attr_init pthread_attr_setstacksize
// wrap: pthread_condattr_init pthread_condattr_setclock pthread_getname_np getrlimit
// wrap: sem_wait sem_trywait sem_destroy pthread_mutex_trylock pthread_setaffinity_np
// wrap: pthread_rwlock_destroy pthread_barrier_destroy pthread_barrier_wait pthread_cond_timedwait
// wrap: sysconf pthread_mutex_destroy
/* Threads and locks that the C library or the kernel refuses. */

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

int __real_sched_getcpu(void);
int __wrap_sched_getcpu(void);

static bool shows_cpu_0;

int __wrap_sched_getcpu(void) {
    if (shows_cpu_0)
        return 0;
    return is_refused("sched_getcpu") ? -1 : __real_sched_getcpu();
}

static cpu_set_t set_to;
int __real_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set);
int __wrap_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set);

int __wrap_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) {
    (void)thread;
    CHECK_EQ(size, sizeof(set_to));
    set_to = *set;
    return 0;
}

static long shown_minimum; /* of a stack */
long __real_sysconf(int name);
long __wrap_sysconf(int name);

long __wrap_sysconf(int name) {
    return name == _SC_THREAD_STACK_MIN && shown_minimum != 0 ? shown_minimum
                                                              : __real_sysconf(name);
}

REPLACE_RETURNING(pthread_getaffinity_np, (pthread_t thread, size_t size, cpu_set_t* set), thread,
                  size, set)

static int shown_policy = -1;
int __real_pthread_getschedparam(pthread_t thread, int* policy, struct sched_param* param);
int __wrap_pthread_getschedparam(pthread_t thread, int* policy, struct sched_param* param);

int __wrap_pthread_getschedparam(pthread_t thread, int* policy, struct sched_param* param) {
    if (is_refused("pthread_getschedparam"))
        return refusal.error;
    int err = __real_pthread_getschedparam(thread, policy, param);
    if (shown_policy != -1) {
        *policy = shown_policy;
        param->sched_priority = 42;
    }
    return err;
}

REPLACE_RETURNING(pthread_attr_init, (pthread_attr_t * attr), attr)

static size_t asked_size;
int __real_pthread_attr_setstacksize(pthread_attr_t* attr, size_t size);
int __wrap_pthread_attr_setstacksize(pthread_attr_t* attr, size_t size);

int __wrap_pthread_attr_setstacksize(pthread_attr_t* attr, size_t size) {
    asked_size = size;
    return is_refused("pthread_attr_setstacksize") ? refusal.error
                                                   : __real_pthread_attr_setstacksize(attr, size);
}

REPLACE_RETURNING(pthread_mutex_destroy, (pthread_mutex_t * mutex), mutex)
REPLACE_RETURNING(pthread_rwlock_destroy, (pthread_rwlock_t * lock), lock)
REPLACE_RETURNING(pthread_barrier_destroy, (pthread_barrier_t * barrier), barrier)
REPLACE_RETURNING(pthread_barrier_wait, (pthread_barrier_t * barrier), barrier)
REPLACE_RETURNING(pthread_cond_timedwait,
                  (pthread_cond_t * cond, pthread_mutex_t* mutex, const struct timespec* time),
                  cond, mutex, time)
REPLACE_RETURNING(pthread_condattr_init, (pthread_condattr_t * attr), attr)
REPLACE_RETURNING(pthread_condattr_setclock, (pthread_condattr_t * attr, clockid_t clock), attr,
                  clock)
REPLACE_RETURNING(pthread_getname_np, (pthread_t thread, char* name, size_t size), thread, name,
                  size)
REPLACE_RETURNING(pthread_mutex_trylock, (pthread_mutex_t * mutex), mutex)
REPLACE(int, setpriority, (int which, id_t who, int priority), which, who, priority)

static bool shows_nice_of_minus_one;
int __real_getpriority(int which, id_t who);
int __wrap_getpriority(int which, id_t who);

int __wrap_getpriority(int which, id_t who) {
    if (shows_nice_of_minus_one || is_refused("getpriority"))
        return -1;
    return __real_getpriority(which, who);
}

REPLACE(int, getrlimit, (int resource, struct rlimit* limit), resource, limit)
REPLACE(int, sem_wait, (sem_t * sem), sem)
REPLACE(int, sem_trywait, (sem_t * sem), sem)
REPLACE(int, sem_destroy, (sem_t * sem), sem)

static uv_thread_t self(void) {
    return uv_thread_self();
}

static int ask_cpu(void) {
    return uv_thread_getcpu();
}

static int ask_affinity(void) {
    uv_thread_t tid = self();
    char mask[CPU_SETSIZE];
    return uv_thread_getaffinity(&tid, mask, sizeof(mask));
}

static int exchange_affinity(void) {
    uv_thread_t tid = self();
    char mask[CPU_SETSIZE], old[CPU_SETSIZE];
    memset(mask, 1, sizeof(mask));
    return uv_thread_setaffinity(&tid, mask, old, sizeof(mask));
}

static int set_priority(void) {
    return uv_thread_setpriority(self(), UV_THREAD_PRIORITY_BELOW_NORMAL);
}

static int ask_priority(void) {
    int priority;
    return uv_thread_getpriority(self(), &priority);
}

static int make_condition(void) {
    uv_cond_t cond;
    return uv_cond_init(&cond);
}

static void do_nothing(void* arg) {
    (void)arg;
}

static int make_thread(void) {
    uv_thread_t tid;
    int err = uv_thread_create(&tid, do_nothing, NULL);
    if (err == 0)
        CHECK_OK(uv_thread_join(&tid));
    return err;
}

static int ask_name(void) {
    uv_thread_t tid = self();
    char name[32];
    return uv_thread_getname(&tid, name, sizeof(name));
}

static int wait_for_semaphore(void) {
    uv_sem_t sem;
    CHECK_OK(uv_sem_init(&sem, 2));
    uv_sem_wait(&sem);
    CHECK_OK(uv_sem_trywait(&sem));
    int err = uv_sem_trywait(&sem);
    uv_sem_destroy(&sem);
    return err;
}

static int try_mutex(void) {
    uv_mutex_t mutex;
    CHECK_OK(uv_mutex_init(&mutex));
    int err = uv_mutex_trylock(&mutex);
    uv_mutex_destroy(&mutex);
    return err;
}

TEST(what_is_refused_to_a_thread_is_told_as_an_error) {
    static const struct refused_case cases[] = {
        {"sched_getcpu", 0, ENOSYS, ask_cpu, UV_ENOSYS},
        {"pthread_getaffinity_np", 0, ESRCH, ask_affinity, UV_ESRCH},
        {"pthread_getaffinity_np", 0, ESRCH, exchange_affinity, UV_ESRCH},
        {"pthread_getschedparam", 0, ESRCH, set_priority, UV_ESRCH},
        {"setpriority", 0, EACCES, set_priority, UV_EACCES},
        {"pthread_getschedparam", 0, ESRCH, ask_priority, UV_ESRCH},
        {"getpriority", 0, EPERM, ask_priority, UV_EPERM},
        {"pthread_condattr_init", 0, ENOMEM, make_condition, UV_ENOMEM},
        {"pthread_condattr_setclock", 0, EINVAL, make_condition, UV_EINVAL},
        {"pthread_attr_init", 0, ENOMEM, make_thread, UV_ENOMEM},
        {"pthread_attr_setstacksize", 0, EINVAL, make_thread, UV_EINVAL},
        {"getrlimit", 0, EFAULT, make_thread, 0},
        {"pthread_getname_np", 0, ENOENT, ask_name, UV_ENOENT},
        {"pthread_mutex_trylock", 0, EAGAIN, try_mutex, UV_EBUSY},
        {"pthread_mutex_trylock", 0, EBUSY, try_mutex, UV_EBUSY},
    };
    RUN_CASES(cases);
}

TEST(waits_for_semaphores_go_on_after_interruptions) {
    static const struct refused_case cases[] = {
        {"sem_wait", 0, EINTR, wait_for_semaphore, UV_EAGAIN},
        {"sem_trywait", 0, EINTR, wait_for_semaphore, UV_EAGAIN},
        {"sem_trywait", 1, EINTR, wait_for_semaphore, UV_EAGAIN},
    };
    RUN_CASES(cases);
}

static void wait_for_a_broken_one(void) {
    refuse("sem_wait", 0, -1, EINVAL);
    wait_for_semaphore();
}

static void try_a_broken_one(void) {
    refuse("sem_trywait", 0, -1, EINVAL);
    wait_for_semaphore();
}

static void destroy_a_broken_one(void) {
    refuse("sem_destroy", 0, -1, EINVAL);
    wait_for_semaphore();
}

TEST(semaphores_that_are_none_end_the_process) {
    test_child_dies(wait_for_a_broken_one, SIGABRT, "uv_sem_wait: Invalid argument");
    test_child_dies(try_a_broken_one, SIGABRT, "uv_sem_trywait: Invalid argument");
    test_child_dies(destroy_a_broken_one, SIGABRT, "uv_sem_destroy: Invalid argument");
}

TEST(thread_of_a_size_that_can_not_be_rounded_up_is_refused) {
    uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = SIZE_MAX};
    uv_thread_t tid;
    CHECK_LT(uv_thread_create_ex(&tid, &options, do_nothing, NULL), 0);
}

TEST(priority_of_a_thread_is_its_static_one_where_it_has_one) {
    static const int policies[] = {SCHED_FIFO, SCHED_RR};
    int priority;
    for (int i = 0; i < 2; i++) {
        shown_policy = policies[i];
        CHECK_OK(uv_thread_getpriority(self(), &priority));
        CHECK_EQ(priority, 42);
        int err = uv_thread_setpriority(self(), UV_THREAD_PRIORITY_NORMAL);
        CHECK(err == 0 || err == UV_EPERM);
        shown_policy = -1;
        struct sched_param none = {0};
        CHECK_OK(pthread_setschedparam(pthread_self(), SCHED_OTHER, &none));
    }
}

TEST(priority_of_minus_one_is_no_error) {
    int priority = 0;
    shows_nice_of_minus_one = true;
    errno = EIO; /* of something before */
    CHECK_OK(uv_thread_getpriority(self(), &priority));
    CHECK_EQ(priority, -1);
}

TEST(priority_that_was_set_is_no_error_whatever_failed_before) {
    bool would_be_raised = getpriority(PRIO_PROCESS, 0) > 2;
    errno = EIO;
    int err = set_priority();
    if (would_be_raised && err == UV_EACCES)
        test_skip("only root may raise its priority");
    CHECK_OK(err);
}

TEST(first_processor_is_one_like_the_others) {
    uv_thread_t tid = self();
    static char mask[CPU_SETSIZE];
    errno = EIO;
    shows_cpu_0 = true;
    CHECK_EQ(uv_thread_getcpu(), 0);
    mask[0] = mask[CPU_SETSIZE - 1] = 1;
    CHECK_OK(uv_thread_setaffinity(&tid, mask, NULL, sizeof(mask)));
    CHECK(CPU_ISSET(0, &set_to) && CPU_ISSET(CPU_SETSIZE - 1, &set_to));
    CHECK_EQ(CPU_COUNT(&set_to), 2);
}

static void try_a_broken_mutex(void) {
    refuse("pthread_mutex_trylock", 0, -1, EINVAL);
    try_mutex();
}

static void destroy_a_broken_mutex(void) {
    uv_mutex_t mutex;
    CHECK_OK(uv_mutex_init(&mutex));
    refuse("pthread_mutex_destroy", 0, -1, EINVAL);
    uv_mutex_destroy(&mutex);
}

static void destroy_a_broken_rwlock(void) {
    uv_rwlock_t lock;
    CHECK_OK(uv_rwlock_init(&lock));
    refuse("pthread_rwlock_destroy", 0, -1, EINVAL);
    uv_rwlock_destroy(&lock);
}

static void wait_at_a_broken_barrier(void) {
    uv_barrier_t barrier;
    CHECK_OK(uv_barrier_init(&barrier, 1));
    refuse("pthread_barrier_wait", 0, -1, EINVAL);
    uv_barrier_wait(&barrier);
}

static void destroy_a_broken_barrier(void) {
    uv_barrier_t barrier;
    CHECK_OK(uv_barrier_init(&barrier, 1));
    refuse("pthread_barrier_destroy", 0, -1, EINVAL);
    uv_barrier_destroy(&barrier);
}

static void wait_for_a_broken_condition(void) {
    uv_cond_t cond;
    uv_mutex_t mutex;
    CHECK_OK(uv_cond_init(&cond));
    CHECK_OK(uv_mutex_init(&mutex));
    refuse("pthread_cond_timedwait", 0, -1, EINVAL);
    uv_cond_timedwait(&cond, &mutex, 1);
}

TEST(locks_that_are_none_end_the_process) {
    test_child_dies(try_a_broken_mutex, SIGABRT, "uv_mutex_trylock: Invalid argument");
    test_child_dies(destroy_a_broken_mutex, SIGABRT, "uv_mutex_destroy: Invalid argument");
    test_child_dies(destroy_a_broken_rwlock, SIGABRT, "uv_rwlock_destroy: Invalid argument");
    test_child_dies(wait_at_a_broken_barrier, SIGABRT, "uv_barrier_wait: Invalid argument");
    test_child_dies(destroy_a_broken_barrier, SIGABRT, "uv_barrier_destroy: Invalid argument");
    test_child_dies(wait_for_a_broken_condition, SIGABRT, "uv_cond_timedwait: Invalid argument");
}

TEST(barrier_tells_its_last_thread_with_one) {
    uv_barrier_t barrier;
    CHECK_OK(uv_barrier_init(&barrier, 1));
    CHECK_EQ(uv_barrier_wait(&barrier), 1);
    uv_barrier_destroy(&barrier);
}

static __attribute__((noinline)) void leave_rubbish_on_the_stack(void) {
    volatile char rubbish[4096];
    for (size_t i = 0; i < sizeof(rubbish); i++)
        rubbish[i] = (char)0xff;
}

TEST(recursive_mutex_is_one_whatever_the_stack_held) {
    uv_mutex_t mutex;
    leave_rubbish_on_the_stack();
    CHECK_OK(uv_mutex_init_recursive(&mutex));
    uv_mutex_lock(&mutex);
    CHECK_OK(uv_mutex_trylock(&mutex));
    uv_mutex_unlock(&mutex);
    uv_mutex_unlock(&mutex);
    uv_mutex_destroy(&mutex);
}

/* 0: as without options. */
static size_t stack_for(size_t wanted) {
    uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = wanted};
    uv_thread_t tid;
    refuse("pthread_attr_setstacksize", 0, 1, EINVAL);
    CHECK_EQ(uv_thread_create_ex(&tid, &options, do_nothing, NULL), UV_EINVAL);
    allow_all();
    return asked_size;
}

TEST(stacks_are_whole_pages_and_never_below_the_least_that_the_system_takes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    CHECK_EQ(stack_for((1 << 20) + 1), (1 << 20) + page);
    CHECK_EQ(stack_for((1 << 20) + page), (1 << 20) + page);
    CHECK_EQ(stack_for(SIZE_MAX - (page - 1)), SIZE_MAX - (page - 1));
    CHECK_EQ(stack_for(SIZE_MAX - page), SIZE_MAX - (page - 1));
    CHECK_EQ(stack_for(SIZE_MAX - (page - 2)), SIZE_MAX - (page - 1));
    CHECK_EQ(stack_for(SIZE_MAX), SIZE_MAX - (page - 1));
    shown_minimum = 1;
    CHECK_EQ(stack_for(1), 8192);
    shown_minimum = 8193;
    CHECK_EQ(stack_for(1), 8193);
    shown_minimum = 100 * (long)page;
    CHECK_EQ(stack_for(1), 100 * page);
}

static void limit_stack(size_t size) {
    struct rlimit limit;
    CHECK_OK(getrlimit(RLIMIT_STACK, &limit));
    limit.rlim_cur = size;
    CHECK_OK(setrlimit(RLIMIT_STACK, &limit));
}

TEST(stack_of_a_thread_is_by_default_what_the_limit_holds_of_whole_pages) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    limit_stack((1 << 20) + page + 100);
    CHECK_EQ(stack_for(0), (1 << 20) + page);
    shown_minimum = 1 << 20;
    limit_stack(1 << 20);
    CHECK_EQ(stack_for(0), 1 << 20);
    limit_stack((1 << 20) - 1);
    CHECK_EQ(stack_for(0), 2 << 20);
}
