#include "spawn.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

TEST(spawn_passes_arguments_as_they_are) {
    struct child c;
    child_shell(&c, "printf '%s|' \"$0\" \"$@\"");
    c.args[3] = (char*)"zero";
    c.args[4] = (char*)"with space";
    c.args[5] = (char*)"";
    c.args[6] = (char*)"\"quoted'";
    CHECK_STR(child_output(&c), "zero|with space||\"quoted'|");
}

TEST(spawn_first_argument_may_differ_from_the_file) {
    struct child c;
    child_shell(&c, "cat /proc/$$/cmdline | tr '\\0' '|' | cut -c1-6");
    c.args[0] = (char*)"other";
    CHECK_STR(child_output(&c), "other|\n");
}

TEST(spawn_child_has_the_environment_that_it_was_given) {
    struct child c;
    char* env[] = {(char*)"A=1", (char*)"B=two words", NULL};
    child_shell(&c, "echo \"$A,$B,$HOME\"");
    setenv("HOME", "somewhere", 1);
    c.options.env = env;
    CHECK_STR(child_output(&c), "1,two words,\n");
}

TEST(spawn_child_has_the_environment_of_the_parent_by_default) {
    struct child c;
    setenv("FROM_PARENT", "yes", 1);
    child_shell(&c, "echo $FROM_PARENT");
    CHECK_STR(child_output(&c), "yes\n");
}

static void make_tool(const char* folder, const char* text) {
    char path[64];
    CHECK_OK(mkdir(folder, 0755));
    snprintf(path, sizeof(path), "%s/tool", folder);
    FILE* file = fopen(path, "w");
    fprintf(file, "#!/bin/sh\necho %s\n", text);
    fclose(file);
    CHECK_OK(chmod(path, 0755));
}

TEST(spawn_looks_for_the_program_in_the_path_of_the_child) {
    struct child c;
    char* env[] = {(char*)"A=1", (char*)"PATH=theirs:/bin", (char*)"PATH=ours", NULL};
    make_tool("ours", "ours");
    make_tool("theirs", "theirs");
    setenv("PATH", "ours", 1);
    child_shell(&c, "");
    c.options.file = "tool";
    c.options.env = env;
    CHECK_STR(child_output(&c), "theirs\n");
}

TEST(spawn_without_a_path_in_the_environment_looks_in_the_usual_folders) {
    struct child c;
    char* env[] = {(char*)"A=1", NULL};
    child_shell(&c, "echo found");
    c.options.file = "sh";
    c.options.env = env;
    CHECK_STR(child_output(&c), "found\n");
}

TEST(spawn_empty_part_of_the_path_is_the_folder_of_the_child) {
    struct child c;
    make_tool("here", "found");
    setenv("PATH", "missing::also-missing", 1);
    child_shell(&c, "");
    c.options.file = "tool";
    c.options.cwd = "here";
    CHECK_STR(child_output(&c), "found\n");
}

TEST(spawn_child_starts_in_the_folder_that_was_named) {
    struct child c;
    child_shell(&c, "pwd -P");
    c.options.cwd = "/usr";
    CHECK_STR(child_output(&c), "/usr\n");
}

TEST(spawn_detached_child_leads_a_session_of_its_own) {
    struct child c;
    child_shell(&c, "set -- $(cat /proc/$$/stat); [ $5 = $$ ] && [ $6 = $$ ] && echo leader");
    c.options.flags = UV_PROCESS_DETACHED;
    CHECK_STR(child_output(&c), "leader\n");
}

TEST(spawn_child_that_is_not_detached_stays_in_the_session) {
    struct child c;
    child_shell(&c, "set -- $(cat /proc/$$/stat); [ $5 = $$ ] || echo member");
    CHECK_STR(child_output(&c), "member\n");
}

/* The signals of the C library, and for a child with a user of its own all real-time signals, stay
 * ignored, and whoever started the tests may have ignored some: the line of /proc/self/status that
 * a child shows if the signals from 32 to `last` stay as they are. */
static const char* ignored_line(int last) {
    static char line[64];
    unsigned long long ignored = 0;
    for (int signum = 32; signum <= last; signum++) {
        struct sigaction old = {.sa_handler = SIG_DFL};
        if (syscall(SYS_rt_sigaction, signum, NULL, &old, 8) == 0 && old.sa_handler == SIG_IGN)
            ignored |= 1ULL << (signum - 1);
    }
    snprintf(line, sizeof(line), "SigIgn:\t%016llx", ignored);
    return line;
}

TEST(spawn_child_has_default_signals_and_an_empty_mask) {
    struct child c;
    sigset_t set;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    child_shell(&c, "");
    c.options.file = "/bin/cat";
    c.args[1] = (char*)"/proc/self/status";
    c.args[2] = NULL;
    const char* output = child_output(&c);
    CHECK(strstr(output, "SigBlk:\t0000000000000000") != NULL);
    CHECK(strstr(output, ignored_line(33)) != NULL);
    CHECK(strstr(output, "SigCgt:\t0000000000000000") != NULL);
}

static void show_status(struct child* c) {
    child_shell(c, "");
    c->options.file = "/bin/cat";
    c->args[1] = (char*)"/proc/self/status";
    c->args[2] = NULL;
}

static void ignore_raw(int signum) {
    const unsigned long ignored[4] = {1};
    CHECK_OK(syscall(SYS_rt_sigaction, signum, ignored, NULL, 8));
}

static void do_nothing(void* arg) {
    (void)arg;
}

/* The C library catches one of its signals from a process' first thread on, which may be one of a
 * recorder: what is ignored after that stays ignored. */
static void have_had_a_thread(void) {
    uv_thread_t thread;
    CHECK_OK(uv_thread_create(&thread, do_nothing, NULL));
    CHECK_OK(uv_thread_join(&thread));
}

TEST(spawn_resets_ignored_real_time_signals_but_those_of_the_c_library) {
    struct child c;
    have_had_a_thread();
    for (int signum = 32; signum <= 64; signum++)
        ignore_raw(signum);
    show_status(&c);
    CHECK(strstr(child_output(&c), "SigIgn:\t0000000180000000") != NULL);
}

TEST(spawn_child_with_a_user_keeps_ignored_real_time_signals) {
    struct child c;
    ignore_raw(SIGRTMAX);
    show_status(&c);
    c.options.flags |= UV_PROCESS_SETUID;
    c.options.uid = getuid();
    CHECK(strstr(child_output(&c), ignored_line(64)) != NULL);
}

TEST(spawn_leaves_signals_of_the_parent_as_they_were) {
    struct child c;
    sigset_t set, after;
    struct sigaction action;
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_SETMASK, &set, NULL);
    child_shell(&c, "");
    child_output(&c);
    sigprocmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < 32; i++)
        CHECK_EQ(sigismember(&after, i), i == SIGUSR1);
    CHECK_OK(sigaction(SIGPIPE, NULL, &action));
    CHECK(action.sa_handler == SIG_IGN);
}

TEST(spawn_windows_flags_are_ignored) {
    struct child c;
    child_shell(&c, "echo ok");
    c.options.flags = UV_PROCESS_WINDOWS_VERBATIM_ARGUMENTS | UV_PROCESS_WINDOWS_HIDE |
                      UV_PROCESS_WINDOWS_HIDE_CONSOLE | UV_PROCESS_WINDOWS_HIDE_GUI;
    CHECK_STR(child_output(&c), "ok\n");
}

static void need_root(void) {
    if (getuid() != 0)
        test_skip("needs root");
}

TEST(spawn_that_changes_user_drops_supplementary_groups_cve_2015_0278) {
    struct child c;
    gid_t groups[] = {0, 4, 6};
    need_root();
    CHECK_OK(setgroups(3, groups));
    child_shell(&c, "grep -E '^(Uid|Gid|Groups)' /proc/self/status | tr -s '\\t ' ' '");
    c.options.flags = UV_PROCESS_SETUID | UV_PROCESS_SETGID;
    c.options.uid = 65534;
    c.options.gid = 65533;
    CHECK_STR(child_output(&c), "Uid: 65534 65534 65534 65534\nGid: 65533 65533 65533 65533\n"
                                "Groups: \n");
    CHECK_EQ(getuid(), 0);
    CHECK_EQ(getgroups(0, NULL), 3);
}

TEST(spawn_that_changes_user_leaves_the_parent_open_to_debuggers) {
    struct child c;
    need_root();
    child_shell(&c, "id -u; id -g");
    c.options.flags = UV_PROCESS_SETUID | UV_PROCESS_SETGID;
    c.options.uid = c.options.gid = 65534;
    CHECK_STR(child_output(&c), "65534\n65534\n");
    CHECK_EQ(prctl(PR_GET_DUMPABLE), 1);
}

TEST(spawn_enters_the_folder_before_it_changes_user) {
    struct child c;
    need_root();
    CHECK_OK(mkdir("private", 0700));
    CHECK_OK(mkdir("private/inner", 0755));
    child_shell(&c, "echo inside");
    c.options.flags = UV_PROCESS_SETUID;
    c.options.uid = 65534;
    c.options.cwd = "private/inner";
    CHECK_STR(child_output(&c), "inside\n");
}

static void spawn_as_root(void) {
    struct child c;
    CHECK_OK(setgid(65534));
    CHECK_OK(setuid(65534));
    loop_open();
    child_shell(&c, "");
    c.options.flags = UV_PROCESS_SETUID;
    c.options.uid = 0;
    check_spawn_fails(&c, UV_EPERM);
    c.options.flags = UV_PROCESS_SETGID;
    c.options.gid = 0;
    check_spawn_fails(&c, UV_EPERM);
    c.options.flags = UV_PROCESS_SETUID;
    c.options.uid = 65534;
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.exits, 1);
}

TEST(spawn_without_the_right_to_change_user_gets_eperm) {
    need_root();
    test_child_dies(spawn_as_root, 0, NULL);
}

TEST(disable_stdio_inheritance_keeps_open_descriptors_from_children) {
    struct child c;
    char script[64];
    int fd = dup(2);
    int far = fcntl(2, F_DUPFD, 500);
    uv_disable_stdio_inheritance();
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    CHECK(fcntl(far, F_GETFD) & FD_CLOEXEC);
    CHECK(fcntl(0, F_GETFD) & FD_CLOEXEC);
    snprintf(script, sizeof(script), "[ -e /proc/self/fd/%d ] || echo closed", fd);
    child_shell(&c, script);
    CHECK_STR(child_output(&c), "closed\n");
    close(fd);
    close(far);
}
