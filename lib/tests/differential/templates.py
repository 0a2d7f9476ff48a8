"""C for each kind of object and each operation, as emit.py puts it together."""

import process_templates

REQUESTS = ("work", "fs", "addrinfo", "nameinfo", "random")
WITH_ENDS = ("poll", "pipe", "tty")
WITHOUT_OBJECT = ("walk", "stop", "alive", "backend_timeout", "update_time", "now", "spend",
                  "settle", "run", "run_thread", "touch", "remove", "raise", "metrics",
                  "backend_ready", "thread_priority", "leave")
TYPES = {"addrinfo": "getaddrinfo", "nameinfo": "getnameinfo"}

PROLOGUE = """\
/* cc -D_GNU_SOURCE this.c -luv -lutil -pthread; then compare what it prints with
 * LD_LIBRARY_PATH=... ./a.out. */
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#define LOG(...) (printf(__VA_ARGS__), putchar('\\n'), fflush(stdout))

static uv_loop_t loops[3];
static uv_prepare_t prepares[3];
static uv_check_t checks[3];
static uv_timer_t guards[3];

static const char* name_of(long long result) {
    static char text[32];
    if (result < 0)
        return uv_err_name((int)result);
    snprintf(text, sizeof(text), "%lld", result);
    return text;
}

/* The pool and the children get time to finish before each poll. */
static void on_turn(uv_prepare_t* handle) {
    (void)handle;
    LOG("-- poll");
    usleep(20000);
}

static void on_turned(uv_check_t* handle) {
    (void)handle;
    LOG("-- check");
}

static void on_guard(uv_timer_t* handle) {
    LOG("blocked");
    uv_stop(handle->loop);
}

static void begin(uv_loop_t* loop) {
    uv_loop_init(loop);
    uv_prepare_init(loop, &prepares[loop - loops]);
    uv_prepare_start(&prepares[loop - loops], on_turn);
    uv_unref((uv_handle_t*)&prepares[loop - loops]);
    uv_check_init(loop, &checks[loop - loops]);
    uv_check_start(&checks[loop - loops], on_turned);
    uv_unref((uv_handle_t*)&checks[loop - loops]);
    uv_timer_init(loop, &guards[loop - loops]);
    prepares[loop - loops].data = checks[loop - loops].data = guards[loop - loops].data = loops;
}

static void run(uv_loop_t* loop, uv_run_mode mode) {
    uv_timer_start(&guards[loop - loops], on_guard, 3000, 0);
    uv_unref((uv_handle_t*)&guards[loop - loops]);
    LOG("run = %d", uv_run(loop, mode));
    uv_timer_stop(&guards[loop - loops]);
}

static void run_in_thread(void* loop) {
    run(loop, UV_RUN_DEFAULT);
}

static uv_buf_t bytes(size_t count) {
    return uv_buf_init(calloc(1, count + 1), (unsigned)count);
}

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    static char room[65536];
    (void)suggested;
    *buffer = uv_buf_init(room, (unsigned)(uintptr_t)handle->data);
}

static struct sockaddr* loopback(int port) {
    static struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", port, &address);
    return (struct sockaddr*)&address;
}

static struct sockaddr* tcp_address(uv_tcp_t* tcp) {
    static struct sockaddr_in address;
    int length = sizeof(address);
    uv_tcp_getsockname(tcp, (struct sockaddr*)&address, &length);
    return (struct sockaddr*)&address;
}

static struct sockaddr* udp_address(uv_udp_t* udp) {
    static struct sockaddr_in address;
    int length = sizeof(address);
    uv_udp_getsockname(udp, (struct sockaddr*)&address, &length);
    return (struct sockaddr*)&address;
}

static void do_work(uv_work_t* work) {
    (void)work;
}

static void touch(const char* name) {
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(fd, "touched", 7) != 7)
        abort();
    close(fd);
}

static int files[4] = {-1, -1, -1, -1};

static long long finished(uv_fs_t* request) {
    long long result = request->result;
    if (request->fs_type == UV_FS_OPEN && result >= 0) {
        files[(uintptr_t)request->data & 3] = (int)result;
        result = 0;
    }
    uv_fs_req_cleanup(request);
    return result;
}

static void on_walk(uv_handle_t* handle, void* data) {
    (void)data;
    if (handle->data != loops)
        LOG("  %s active %d", uv_handle_type_name(handle->type), uv_is_active(handle));
}

static void send_in_thread(void* async) {
    uv_async_send(async);
}

static void in_thread(void (*entry)(void*), void* data) {
    uv_thread_t thread;
    uv_thread_create(&thread, entry, data);
    uv_thread_join(&thread);
}
"""

GATE = """\
static uv_work_t gate;

/* Holds the pool's only thread, so that what is queued behind it can be cancelled. */
static void at_gate(uv_work_t* work) {
    (void)work;
    usleep(10000);
}
"""

BEGIN = {kind: f"uv_{kind}_init({{loop}}, &{{v}});" for kind in (
    "timer", "idle", "prepare", "check", "signal", "tcp", "udp", "fs_event", "fs_poll")}
BEGIN |= {
    "async": "uv_async_init({loop}, &{v}, on_async{n});",
    "pipe": "uv_pipe_init({loop}, &{v}, {n} & 1);",
    "poll": "socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends{n});\n"
            "    uv_poll_init({loop}, &{v}, ends{n}[0]);",
    "tty": "openpty(&ends{n}[1], &ends{n}[0], NULL, NULL, NULL);\n"
           "    uv_tty_init({loop}, &{v}, ends{n}[0], 0);",
}

ON_CLOSE = """\
static void on_close{n}(uv_handle_t* handle) {{
    LOG("closed {n} ref %d", uv_has_ref(handle));
    called{n}();
}}
"""


def applies(operation, names):
    """Whether the operation's first argument is an object that it can be used on."""
    if operation in WITHOUT_OBJECT:
        return True
    if operation == "begin":
        return names["kind"] in BEGIN
    if operation in ("close", "ref", "unref", "query"):
        return names["kind"] not in REQUESTS + ("",)
    return names["x"] != ""


def simple(kind, parameters="", text="", values=""):
    """A callback that prints one line; its first parameter is the handle or request."""
    kind_type = TYPES.get(kind, kind)
    return (f"static void on_{kind}{{n}}(uv_{kind_type}_t* it{parameters}) {{{{\n"
            f"    (void)it;\n    LOG(\"{kind} {{n}}{text}\"{values});\n    called{{n}}();\n}}}}\n")


STREAM = [
    ({"read_start"}, """\
static void on_read{n}(uv_stream_t* it, ssize_t count, const uv_buf_t* buffer) {{
    (void)it, (void)buffer;
    LOG("read {n} %s", name_of(count));
    called{n}();
}}
"""),
    ({"write", "pass", "write_cancel"}, """\
static uv_write_t* written{n};

static void on_write{n}(uv_write_t* it, int status) {{
    (void)it;
    LOG("written {n} %s", name_of(status));
    called{n}();
}}
"""),
    ({"shutdown"}, """\
static void on_shutdown{n}(uv_shutdown_t* it, int status) {{
    (void)it;
    LOG("shut {n} %s", name_of(status));
    called{n}();
}}
"""),
    ({"connect"}, """\
static void on_connect{n}(uv_connect_t* it, int status) {{
    (void)it;
    LOG("connected {n} %s", name_of(status));
    called{n}();
}}
"""),
    ({"listen"}, """\
static void on_connection{n}(uv_stream_t* it, int status) {{
    (void)it;
    LOG("connection {n} %s", name_of(status));
    called{n}();
}}
"""),
]

CALLBACKS = {
    "timer": [({"timer_start"}, simple("timer"))],
    "idle": [({"hook_start"}, simple("idle"))],
    "prepare": [({"hook_start"}, simple("prepare"))],
    "check": [({"hook_start"}, simple("check"))],
    "async": [(None, simple("async"))],
    "signal": [({"signal_start", "signal_oneshot"},
                simple("signal", ", int number", " %d", ", number"))],
    "poll": [({"poll_start"}, simple("poll", ", int status, int events", " %s %d",
                                     ", name_of(status), events"))],
    "pipe": STREAM, "tcp": STREAM, "tty": STREAM,
    "udp": [({"udp_recv_start"}, """\
static void on_datagram{n}(uv_udp_t* it, ssize_t count, const uv_buf_t* buffer,
                           const struct sockaddr* from, unsigned flags) {{
    (void)it, (void)buffer;
    LOG("datagram {n} %s from %d flags %u", name_of(count), from != NULL, flags);
    called{n}();
}}
"""), ({"udp_send"}, """\
static void on_send{n}(uv_udp_send_t* it, int status) {{
    (void)it;
    LOG("sent {n} %s", name_of(status));
    called{n}();
}}
""")],
    "process": [({"spawn"}, simple("process", ", int64_t status, int number", " %d %d",
                                   ", (int)status, number"))],
    "fs_event": [({"watch"}, simple("fs_event", ", const char* name, int events, int status",
                                    " %s %d %s", ", name, events, name_of(status)"))],
    "fs_poll": [({"watch"}, simple(
        "fs_poll", ", int status, const uv_stat_t* before, const uv_stat_t* after",
        " %s %d %d", ", name_of(status), (int)before->st_size, (int)after->st_size"))],
    "work": [({"work"}, simple("work", ", int status", " %s", ", name_of(status)"))],
    "fs": [(None, simple("fs", "", " %s", ", name_of(finished(it))"))],
    "addrinfo": [({"addrinfo"}, simple("addrinfo", ", int status, struct addrinfo* found",
                                       " %s found %d", ", name_of(status), found != NULL"))],
    "nameinfo": [({"nameinfo"}, simple(
        "nameinfo", ", int status, const char* host, const char* service", " %s %s %s",
        ", name_of(status), host, service"))],
    "random": [({"random"}, simple("random", ", int status, void* data, size_t size",
                                   " %s %d %d", ", name_of(status), data != NULL, (int)size"))],
}

NEW = "calloc(1, sizeof({type}))"


def returns(call):
    """An operation that prints what the call returns."""
    return 'LOG("{text} = %s", name_of(' + call + "));"


def number(call):
    return 'LOG("{text} = %d", (int)' + call + ");"


def plain(call):
    return 'LOG("{text}");\n' + call + ";"


def watch(names):
    path = '"."' if int(names["b"]) > 3 else '"file{b}"'
    if names["kind"] == "fs_event":
        return returns("uv_fs_event_start(&{x}, on_fs_event{a}, " + path + ", 0)")
    return returns("uv_fs_poll_start(&{x}, on_fs_poll{a}, " + path + ", {c})")


def connect(names):
    request = NEW.format(type="uv_connect_t")
    if names["kind"] == "pipe":
        return plain(f"uv_pipe_connect({request}, &{{x}}, \"pipe{{b}}\", on_connect{{a}})")
    return returns(f"uv_tcp_connect({request}, &{{x}}, tcp_address(&{{y}}), on_connect{{a}})")


def bind(names):
    return returns('uv_pipe_bind(&{x}, "pipe{b}")' if names["kind"] == "pipe"
                   else "uv_tcp_bind(&{x}, loopback(0), 0)")


def to_udp(names):
    return "udp_address(&{y})" if names["y"] else "NULL"


def udp_send(names):
    request = NEW.format(type="uv_udp_send_t")
    return ("{{\n    uv_buf_t buffer = bytes({c});\n    " + returns(
        f"uv_udp_send({request}, &{{x}}, &buffer, 1, {to_udp(names)}, on_send{{a}})") + "\n}}")


def udp_try_send(names):
    return ("{{\n    uv_buf_t buffer = bytes({c});\n    " + returns(
        f"uv_udp_try_send(&{{x}}, &buffer, 1, {to_udp(names)})") + "\n}}")


def spawn(names):
    commands = ('"/bin/true"', '"/bin/sh", "-c", "echo out; exit 3"',
                '"/bin/sh", "-c", "echo out; kill -9 $$"', '"/bin/sleep", "1000"')
    output = "{{.flags = UV_IGNORE}}"
    if names["z"].startswith("pipe"):
        output = ("{{.flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE,\n"
                  "         .data.stream = (uv_stream_t*)&{z}}}")
    return ("{{\n    char* args[] = {{" + commands[int(names["b"]) % 4] + ", NULL}};\n"
            "    uv_stdio_container_t stdio[3] = {{{{.flags = UV_IGNORE}}, " + output
            + ", {{.flags = UV_IGNORE}}}};\n"
            "    uv_process_options_t options = {{.exit_cb = on_process{a}, .file = args[0],\n"
            "                                    .args = args, .stdio = stdio,\n"
            "                                    .stdio_count = 3}};\n"
            "    " + returns("uv_spawn({loop}, &{x}, &options)") + "\n}}")


def file_operation(call):
    """FS requests: {{d}} says whether there is no callback."""
    def template(names):
        done = "NULL" if names["d"] != "0" else "on_fs{a}"
        before = "{x}.data = (void*){b};\n" if "uv_fs_open" in call else ""
        after = "\nfinished(&{x});" if names["d"] != "0" else ""
        return before + returns(call.replace("DONE", done)) + after
    return template


FILE = {
    "fs_open": 'uv_fs_open({loop}, &{x}, "file{b}", O_RDWR | O_CREAT, 0600, DONE)',
    "fs_close": "uv_fs_close({loop}, &{x}, files[{b} & 3], DONE)",
    "fs_stat": 'uv_fs_stat({loop}, &{x}, "file{b}", DONE)',
    "fs_unlink": 'uv_fs_unlink({loop}, &{x}, "file{b}", DONE)',
    "fs_mkdir": 'uv_fs_mkdir({loop}, &{x}, "folder{b}", 0700, DONE)',
    "fs_rmdir": 'uv_fs_rmdir({loop}, &{x}, "folder{b}", DONE)',
    "fs_readlink": 'uv_fs_readlink({loop}, &{x}, "file{b}", DONE)',
    "fs_access": 'uv_fs_access({loop}, &{x}, "file{b}", {c} & 7, DONE)',
    "fs_scandir": 'uv_fs_scandir({loop}, &{x}, ".", 0, DONE)',
    "fs_rename": 'uv_fs_rename({loop}, &{x}, "file{b}", "file{c}", DONE)',
    "fs_copyfile": 'uv_fs_copyfile({loop}, &{x}, "file{b}", "file{c}", 0, DONE)',
    "fs_symlink": 'uv_fs_symlink({loop}, &{x}, "file{b}", "file{c}", 0, DONE)',
    "fs_ftruncate": "uv_fs_ftruncate({loop}, &{x}, files[{b} & 3], {c}, DONE)",
    "fs_read": "uv_fs_read({loop}, &{x}, files[{b} & 3], (uv_buf_t[]){{bytes({c})}}, 1, 0, DONE)",
    "fs_write": "uv_fs_write({loop}, &{x}, files[{b} & 3], (uv_buf_t[]){{bytes({c})}}, 1, 0, DONE)",
}

OPERATIONS = {
    "close": plain("uv_close((uv_handle_t*)&{x}, on_close{a})"),
    "begin": lambda names: plain(BEGIN[names["kind"]].rstrip(";").replace("{v}", "{x}")
                                 .replace("{n}", "{a}")),
    "ref": plain("uv_ref((uv_handle_t*)&{x})"),
    "unref": plain("uv_unref((uv_handle_t*)&{x})"),
    "query": 'LOG("{text} = active %d ref %d closing %d", uv_is_active((uv_handle_t*)&{x}),\n'
             "    uv_has_ref((uv_handle_t*)&{x}), uv_is_closing((uv_handle_t*)&{x}));",
    "walk": plain("uv_walk(&loops[{a}], on_walk, NULL)"),
    "stop": plain("uv_stop(&loops[{a}])"),
    "alive": number("uv_loop_alive(&loops[{a}])"),
    "backend_timeout": number("uv_backend_timeout(&loops[{a}])"),
    "update_time": plain("uv_update_time(&loops[{a}])"),
    "now": number("uv_now(&loops[{a}])"),
    "spend": plain("usleep({a} * 1000)"),
    "settle": plain("usleep(20000)"),
    "run": plain("run(&loops[{a}], {b})"),
    "run_thread": plain("in_thread(run_in_thread, &loops[{a}])"),
    "timer_start": returns("uv_timer_start(&{x}, on_timer{a}, {b}, {c})"),
    "timer_stop": returns("uv_timer_stop(&{x})"),
    "timer_again": returns("uv_timer_again(&{x})"),
    "timer_set_repeat": plain("uv_timer_set_repeat(&{x}, {b})"),
    "timer_query": number("uv_timer_get_due_in(&{x})"),
    "hook_start": returns("uv_{kind}_start(&{x}, on_{kind}{a})"),
    "hook_stop": returns("uv_{kind}_stop(&{x})"),
    "async_send": returns("uv_async_send(&{x})"),
    "async_send_thread": plain("in_thread(send_in_thread, &{x})"),
    "poll_start": returns("uv_poll_start(&{x}, {b}, on_poll{a})"),
    "poll_stop": returns("uv_poll_stop(&{x})"),
    "near_read": number("read(ends{a}[0], bytes(4096).base, 4096)"),
    "far_write": number("send(ends{a}[1], bytes({b}).base, {b}, MSG_NOSIGNAL)"),
    "far_read": number("read(ends{a}[1], bytes(65536).base, 65536)"),
    "far_close": plain("close(ends{a}[1])"),
    "pair": "uv_socketpair(SOCK_STREAM, 0, ends{a}, 0, 0);\n"
            'LOG("{text} = %d %d", uv_pipe_open(&{x}, ends{a}[0]),\n'
            "    uv_pipe_open(&{y}, ends{a}[1]));",
    "open": "uv_socketpair(SOCK_STREAM, 0, ends{a}, 0, UV_NONBLOCK_PIPE);\n"
            + returns("uv_pipe_open(&{x}, ends{a}[0])"),
    "type": number('write(ends{a}[1], "typed\\n", 6)'),
    "tty_mode": returns("uv_tty_set_mode(&{x}, {b})"),
    "bind": bind,
    "listen": returns("uv_listen((uv_stream_t*)&{x}, {b}, on_connection{a})"),
    "accept": returns("uv_accept((uv_stream_t*)&{x}, (uv_stream_t*)&{y})"),
    "connect": connect,
    "read_start": "{x}.data = (void*){b};\n"
                  + returns("uv_read_start((uv_stream_t*)&{x}, on_alloc, on_read{a})"),
    "read_stop": returns("uv_read_stop((uv_stream_t*)&{x})"),
    "write": "written{a} = calloc(1, sizeof(uv_write_t));\n" + returns(
        "uv_write(written{a}, (uv_stream_t*)&{x}, pieces({b}, {c}), {c}, on_write{a})"),
    "pass": "{{\n    uv_buf_t buffer = bytes(2);\n    " + returns(
        "uv_write2(calloc(1, sizeof(uv_write_t)), (uv_stream_t*)&{x}, &buffer, 1,\n"
        "              (uv_stream_t*)&{y}, on_write{a})") + "\n}}",
    "write_cancel": returns("uv_cancel((uv_req_t*)written{a})"),
    "reset": returns("uv_tcp_close_reset(&{x}, on_close{a})"),
    "try_write": returns("uv_try_write((uv_stream_t*)&{x}, (uv_buf_t[]){{bytes({b})}}, 1)"),
    "shutdown": returns("uv_shutdown(calloc(1, sizeof(uv_shutdown_t)), (uv_stream_t*)&{x}, "
                        "on_shutdown{a})"),
    "stream_query": 'LOG("{text} = readable %d writable %d", '
                    "uv_is_readable((uv_stream_t*)&{x}),\n"
                    "    uv_is_writable((uv_stream_t*)&{x}));",
    "udp_bind": returns("uv_udp_bind(&{x}, loopback(0), 0)"),
    "udp_connect": lambda names: returns(f"uv_udp_connect(&{{x}}, {to_udp(names)})"),
    "udp_send": udp_send,
    "udp_try_send": udp_try_send,
    "udp_recv_start": "{x}.data = (void*){b};\n"
                      + returns("uv_udp_recv_start(&{x}, on_alloc, on_datagram{a})"),
    "udp_recv_stop": returns("uv_udp_recv_stop(&{x})"),
    "work": returns("uv_queue_work({loop}, &{x}, do_work, on_work{a})"),
    "random": lambda names: returns(
        "uv_random(NULL, NULL, bytes({b}).base, {b}, 0, NULL)" if names["c"] != "0" else
        "uv_random({loop}, &{x}, bytes({b}).base, {b}, 0, on_random{a})"),
    "addrinfo": returns('uv_getaddrinfo({loop}, &{x}, on_addrinfo{a}, "127.0.0.1", NULL, NULL)'),
    "nameinfo": returns("uv_getnameinfo({loop}, &{x}, on_nameinfo{a}, loopback({b}), "
                        "NI_NUMERICHOST | NI_NUMERICSERV)"),
    "cancel": returns("uv_cancel((uv_req_t*)&{x})"),
    "touch": plain('touch("file{a}")'),
    "remove": plain('unlink("file{a}")'),
    "watch": watch,
    "unwatch": returns("uv_{kind}_stop(&{x})"),
    "signal_start": returns("uv_signal_start(&{x}, on_signal{a}, numbers[{b}])"),
    "signal_oneshot": returns("uv_signal_start_oneshot(&{x}, on_signal{a}, numbers[{b}])"),
    "signal_stop": returns("uv_signal_stop(&{x})"),
    "raise": plain("raise(numbers[{a}])"),
    "spawn": spawn,
    "process_kill": returns("uv_process_kill(&{x}, {b} ? SIGTERM : 0)"),
}
OPERATIONS |= {name: file_operation(call) for name, call in FILE.items()}
OPERATIONS |= process_templates.OPERATIONS
PROLOGUE += process_templates.HELPERS
