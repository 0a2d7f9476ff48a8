/* What the library asks of a recorder that the program has inside. */

#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "recording.h"

static char story[512];
static int asked_for;
static bool is_there = true;
static const struct ph_services* services;

__attribute__((format(printf, 1, 2))) static void say(const char* format, ...) {
    va_list args;
    size_t length = strlen(story);
    va_start(args, format);
    vsnprintf(story + length, sizeof(story) - length, format, args);
    va_end(args);
}

static void check_story(const char* expected) {
    CHECK_STR(story, expected);
    story[0] = '\0';
}

static void start_from_environment(void) {
    say("environment ");
}

static void obey(void) {
    say("obey ");
    *services->hooks = NULL;
}

static void obey_from_outside(void) {
    say("outside ");
    errno = EXDEV;
}

static bool says_that_it_leaves;

static void leave(void) {
    if (says_that_it_leaves)
        fputs("left", stderr);
}

static int start(const char* file) {
    say("start:%s ", file);
    *services->flag = 1;
    return 7;
}

static int stop(void) {
    say("stop ");
    *services->flag = 0;
    return 8;
}

static unsigned name(const char* function, const char* file, int line) {
    say("name:%s,%s,%d ", function, file != NULL ? file : "-", line);
    return 9;
}

static void begin(enum phasor_span span, unsigned number) {
    say("begin:%d,%u ", span, number);
}

static void end(enum phasor_span span) {
    say("end:%d ", span);
}

static void due(unsigned long long time) {
    say("due:%llu ", time);
}

static int stack_wanted(void) {
    return 10;
}

static void stack(const struct phasor_frame* frames, unsigned count) {
    say("stack:%d,%u ", frames == NULL, count);
}

static void request(const void* id, unsigned number) {
    say("request:%d,%u ", id == &story, number);
}

static unsigned long long last_ago;

static void mark(unsigned number, enum phasor_mark kind, unsigned long long ago) {
    say("mark:%u,%d ", number, kind);
    last_ago = ago;
}

static void task(const void* id, enum phasor_task_step step, unsigned number) {
    say("task:%d,%d,%u ", id == &story, step, number);
}

static void later(const void* id, enum phasor_later step) {
    say("later:%d,%d ", id == &story, step);
}

static const struct ph_recorder table = {
    start_from_environment, obey,  obey_from_outside, leave, start, stop, name, begin, end, due,
    stack_wanted,           stack, request,           mark,  task,  later};

const struct ph_recorder* phasor_recorder(const struct ph_services* given) {
    asked_for++;
    services = given;
    CHECK_EQ(given->recorder_version, PH_RECORDER_VERSION);
    errno = EXDEV;
    return is_there ? &table : NULL;
}

static void say_everything(void) {
    phasor_trace_begin(PHASOR_SPAN_TICK, 3);
    phasor_trace_end(PHASOR_SPAN_TICK);
    phasor_trace_due(4);
    phasor_trace_stack(NULL, 5);
    phasor_trace_request(&story, 6);
    phasor_trace_later(&story, PHASOR_LATER_RUNS);
    phasor_trace_mark(7, PHASOR_MARK_TIME, 8);
    phasor_trace_task(&story, PHASOR_TASK_RUNS, 9);
}

TEST(recorder_is_asked_for_when_it_is_needed_first) {
    CHECK_EQ(phasor_trace_stop(), 0);
    CHECK_EQ(phasor_trace_active(), 0);
    CHECK_EQ(asked_for, 0);
    errno = EIO;
    CHECK_EQ(phasor_trace_start("a file"), 7);
    CHECK_EQ(errno, EIO);
    CHECK_EQ(phasor_trace_active(), 1);
    CHECK_EQ(*phasor_trace_flag(), 1);
    check_story("start:a file ");
    CHECK_EQ(phasor_trace_stop(), 8);
    CHECK_EQ(asked_for, 1);
    check_story("stop ");
}

TEST(recorder_hears_what_a_program_says_while_it_records) {
    say_everything();
    CHECK_EQ(phasor_trace_stack_wanted(), 0);
    CHECK_EQ(phasor_trace_now(), 0);
    phasor_trace_measure("measure", 0);
    CHECK_EQ(asked_for, 0);
    CHECK_EQ(phasor_trace_start("file"), 7);
    story[0] = '\0';
    say_everything();
    check_story("begin:2,3 end:2 due:4 stack:1,5 request:1,6 later:1,1 mark:7,2 task:1,2,9 ");
    CHECK_EQ(last_ago, 8);
    CHECK_EQ(phasor_trace_stack_wanted(), 10);
    CHECK_EQ(phasor_trace_stop(), 8);
    story[0] = '\0';
    say_everything();
    check_story("");
}

TEST(measure_begins_when_it_was_said_to_and_never_later_than_now) {
    CHECK_EQ(phasor_trace_start("file"), 7);
    story[0] = '\0';
    unsigned long long began = phasor_trace_now(), before = uv_hrtime();
    CHECK(began != 0 && began <= before);
    phasor_trace_measure("measure", began);
    check_story("name:measure,-,0 mark:9,3 ");
    CHECK_GE(last_ago, before - began);
    CHECK_LE(last_ago, uv_hrtime() - began);
    phasor_trace_measure("mark", 0);
    CHECK_EQ(last_ago, 0);
    phasor_trace_measure("mark", uv_hrtime() + 1000000000);
    CHECK_EQ(last_ago, 0);
    CHECK_EQ(phasor_trace_stop(), 8);
}

TEST(names_may_be_given_before_the_first_recording) {
    CHECK_EQ(phasor_trace_name("function", "file", 3), 9);
    check_story("name:function,file,3 ");
}

static void a_callback(void) {}

TEST(recorder_knows_what_it_is_to_ignore) {
    CHECK_EQ(phasor_trace_start("file"), 7);
    CHECK_EQ(*services->ignored, 0);
    phasor_trace_ignore(a_callback);
    CHECK_EQ(*services->ignored, (uintptr_t)a_callback);
    CHECK_EQ(phasor_trace_stop(), 8);
}

TEST(recorder_that_is_of_another_version_is_none) {
    is_there = false;
    CHECK_EQ(phasor_trace_start("file"), UV_ENOSYS);
    CHECK_EQ(phasor_trace_name("function", "file", 3), 0);
    CHECK_EQ(asked_for, 2);
    is_there = true;
    CHECK_EQ(phasor_trace_start("file"), 7);
    CHECK_EQ(phasor_trace_stop(), 8);
}

static void open_a_loop(void) {
    uv_loop_t loop;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(recorder_begins_with_the_first_loop_if_the_environment_names_a_file) {
    setenv("PHASOR_TRACE", "", 1);
    pid_t child = fork();
    if (child == 0) {
        open_a_loop();
        check_story("");
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    setenv("PHASOR_TRACE", "file", 1);
    open_a_loop();
    open_a_loop();
    check_story("environment ");
}

static void complain(void) {
    is_there = false;
    open_a_loop();
    exit(0);
}

static void complain_into_a_file(void) {
    CHECK(freopen("said", "w", stderr) != NULL);
    complain();
}

TEST(recorder_that_is_missing_is_told_of_unless_somebody_else_does) {
    struct stat info;
    setenv("PHASOR_TRACE", "file", 1);
    test_child_dies(complain, 0, "phasor: can't record in file: there is no ");
    setenv("PHASOR_TRACE_KEEP", "0", 1);
    test_child_dies(complain, 0, "phasor: can't record in file: there is no ");
    setenv("PHASOR_TRACE_KEEP", "1", 1);
    test_child_dies(complain_into_a_file, 0, NULL);
    CHECK_OK(stat("said", &info));
    CHECK_EQ(info.st_size, 0);
}

/* Where attaching processes write. */
extern struct ph_trace_control phasor_trace_control;

TEST(recorder_is_obeyed_by_the_next_turn_of_a_loop) {
    uv_loop_t loop;
    CHECK_OK(uv_loop_init(&loop));
    uv_idle_t idle;
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, (uv_idle_cb)(void (*)(void))a_callback));
    *phasor_trace_control.hooks = phasor_trace_control.summons;
    if (ph_watcher() == NULL)
        test_skip("the library is built without hooks");
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    check_story("obey ");
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    check_story("");
    uv_close((uv_handle_t*)&idle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(recorder_is_obeyed_from_outside_and_errno_stays) {
    errno = EIO;
    phasor_trace_control.obey();
    CHECK_EQ(errno, EIO);
    check_story("outside ");
}

TEST(command_without_a_recorder_is_refused_once) {
    is_there = false;
    *phasor_trace_control.hooks = phasor_trace_control.summons;
    phasor_trace_control.command = PH_COMMAND_START;
    phasor_trace_control.obey();
    CHECK(*phasor_trace_control.hooks == NULL);
    CHECK_EQ(phasor_trace_control.command, PH_COMMAND_NONE);
    CHECK_EQ(phasor_trace_control.result, UV_ENOSYS);
    CHECK_EQ(phasor_trace_control.obeyed, 1);
    phasor_trace_control.result = 0;
    ph_recording_obey();
    CHECK_EQ(phasor_trace_control.obeyed, 1);
    CHECK_EQ(phasor_trace_control.result, 0);
    phasor_trace_control.command = PH_COMMAND_STOP;
    ph_recording_obey();
    CHECK_EQ(phasor_trace_control.obeyed, 2);
    CHECK_EQ(phasor_trace_control.result, UV_ENOSYS);
}

static void record_and_exit(void) {
    says_that_it_leaves = true;
    phasor_trace_start("file");
    exit(0);
}

TEST(recorder_leaves_when_the_process_ends) {
    test_child_dies(record_and_exit, 0, "left");
}
