"""run.py BUILD [check]: the same server in several models, each asked the same; prints lines of
code and processor time per message. `check` asks each a little and says which are not installed."""

import os
import pathlib
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
CHECK = sys.argv[2:] == ["check"]
CONNECTIONS, MESSAGES = (3, 60) if CHECK else (50, 40000)
# How many connections the servers of ours and Go's are compared with, in turn so many times.
CROWDS, ROUNDS = (1, 50, 1000), 5
LINE = b"The quick brown fox jumps over the lazy dog.\n"
COMMENTS = {".c": ("/*", " *"), ".go": ("//",), ".py": ('"""',), ".rb": ("#",), ".erl": ("%",),
            ".js": ("//", "'use strict'")}


def compiled(source, *libraries):
    """The command of a C program, built against the build's libraries."""
    program = TEMP / pathlib.Path(source).stem
    subprocess.run([os.environ.get("CC", "gcc"), "-std=gnu11", "-O2", "-Wall", "-Wextra",
                    f"-I{ROOT}/lib/include", f"-I{ROOT}/go/include", FOLDER / source, "-o",
                    program, *libraries, f"-L{BUILD}/lib", "-luv", "-pthread",
                    f"-Wl,-rpath,{BUILD}/lib"], check=True)
    return [program]


def with_go():
    subprocess.run(["go", "build", "-o", TEMP / "goroutines", FOLDER / "goroutines.go"],
                   check=True, env={**os.environ, "GOCACHE": f"{TEMP}/cache", "GOFLAGS": ""})
    return [TEMP / "goroutines"]


def with_erlang():
    subprocess.run(["erlc", "-o", TEMP, FOLDER / "processes.erl"], check=True)
    return ["erl", "-noshell", "-pa", TEMP, "-s", "processes", "main"]


def has_twisted():
    return subprocess.run(["/usr/bin/python3", "-c", "import twisted"], capture_output=True,
                          check=False).returncode == 0


def has_eventmachine():
    return shutil.which("ruby") and subprocess.run(
        ["ruby", "-e", "require 'eventmachine'"], capture_output=True, check=False).returncode == 0


def always():
    return True


def has(*programs):
    return lambda: all(map(shutil.which, programs))


MODELS = (
    ("callbacks, C on this library", "callbacks.c", always, lambda: compiled("callbacks.c")),
    ("coroutines, C on this library", "coroutines.c", always,
     lambda: compiled("coroutines.c", BUILD / "lib/libphasor_go.a")),
    ("goroutines, Go", "goroutines.go", has("go"), with_go),
    ("processes, Erlang", "processes.erl", has("erl", "erlc"), with_erlang),
    ("callbacks, Node", "events.js", has("node"), lambda: ["node", FOLDER / "events.js"]),
    ("promises, Node", "promises.js", has("node"), lambda: ["node", FOLDER / "promises.js"]),
    ("callbacks, this runtime", "events.js", (BUILD / "bin/phasor").exists,
     lambda: [BUILD / "bin/phasor", FOLDER / "events.js"]),
    ("promises, this runtime", "promises.js", (BUILD / "bin/phasor").exists,
     lambda: [BUILD / "bin/phasor", FOLDER / "promises.js"]),
    ("coroutines, Python's asyncio", "asyncio_server.py", always,
     lambda: [sys.executable, FOLDER / "asyncio_server.py"]),
    ("objects with methods, Twisted", "twisted_server.py", has_twisted,
     lambda: ["/usr/bin/python3", FOLDER / "twisted_server.py"]),
    ("modules with methods, EventMachine", "eventmachine.rb", has_eventmachine,
     lambda: ["ruby", FOLDER / "eventmachine.rb"]),
)


def lines_of(name):
    """Lines of code: neither empty nor comments alone."""
    marks = COMMENTS[pathlib.Path(name).suffix]
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return sum(1 for line in lines if line.strip() and not line.startswith(marks))


def talk(port, connections):
    """Each connection has one line on its way."""
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(connections)]
    # Two lines at once, and one in two parts.
    clients[0].sendall(LINE + LINE + LINE[:9])
    clients[0].sendall(LINE[9:])
    expect(clients[0], LINE.upper() * 3)
    poller, left = select.epoll(), MESSAGES
    by_number = {client.fileno(): client for client in clients}
    for client in clients:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        poller.register(client, select.EPOLLIN)
        client.sendall(LINE)
    while left > 0:
        for number, _ in poller.poll():
            answer = by_number[number].recv(4096)
            assert answer == LINE.upper(), answer
            by_number[number].sendall(LINE)
            left -= 1
    for client in clients:
        client.close()


def expect(client, text):
    got = b""
    while len(got) < len(text):
        part = client.recv(4096)
        assert part, got
        got += part
    assert got == text, got


def processor_time(pid):
    """Seconds so far, of all its threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(command, connections=CONNECTIONS):
    """Microseconds of processor per message, without the start."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            port = int(server.stdout.readline())
            before = processor_time(server.pid)
            talk(port, connections)
            return (processor_time(server.pid) - before) / MESSAGES * 1e6
        finally:
            server.kill()


def compare_all():
    for title, source, is_there, command in MODELS:
        if not is_there():
            print(f"{title:36} is not installed", flush=True)
            continue
        used = measure(list(map(str, command())))
        print(f"{title:36} {lines_of(source):4} lines" +
              ("" if CHECK else f" {used:8.1f} us of processor per message"), flush=True)


def compare_with_go():
    """Coroutines and goroutines in turn, with few and with many connections."""
    commands = {"coroutines": [TEMP / "coroutines"], "goroutines": [TEMP / "goroutines"]}
    for connections in CROWDS:
        used = {name: [] for name in commands}
        for turn in range(ROUNDS):
            for name in sorted(commands, reverse=turn % 2 == 1):
                used[name].append(measure(commands[name], connections))
        ours, theirs = (statistics.median(used[name]) for name in commands)
        print(f"{connections:5} connections: coroutines {ours:.1f} us, Go {theirs:.1f} us of "
              f"processor per message; ratio {ours / theirs:.2f}", flush=True)


with tempfile.TemporaryDirectory() as folder:
    TEMP = pathlib.Path(folder)
    compare_all()
    if not CHECK and (TEMP / "goroutines").exists():
        compare_with_go()
