#!/usr/bin/env bash
# Wrapped between words on a terminal, a line per fact elsewhere; never more than the terminal has
# rows from top, and no signs that move the cursor where they are not understood.
. trace/tests/common.bash
PHASOR_TRACE=names "$program" names
PHASOR_TRACE=blocked "$program" blocked
python3 - "$phasor" <<'END'
import fcntl, os, pty, re, struct, subprocess, sys, termios

phasor = sys.argv[1]
CLEAR = "\x1b[H\x1b[2J"


def on_terminal(columns, rows, *command, kind="xterm"):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    child = subprocess.Popen([phasor, *command], stdout=theirs, env={**os.environ, "TERM": kind})
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        text += part
    os.close(ours)
    assert child.wait() == 0, command
    return text.decode().replace("\r\n", "\n")


def plain(*command):
    return subprocess.run([phasor, *command], check=True, capture_output=True).stdout.decode()


for name in ("names", "blocked"):
    whole = plain("report", name)
    assert "\x1b" not in whole and "\xff" not in whole, whole
    for columns in (40, 80):
        wrapped = on_terminal(columns, 24, "report", name)
        assert wrapped.split() == whole.split(), wrapped
        for line in wrapped.split("\n"):
            assert len(line) <= columns or len(line.split()) == 1, line
            assert line == line.rstrip(), repr(line)
            assert line.split()[:1] not in (["s"], ["ms"], ["\u00b5s"], ["ns"], ["%"]), line
    assert on_terminal(1000, 24, "report", name) == whole

shown = on_terminal(80, 12, "top", "blocked", "-n", "1")
assert shown.startswith(CLEAR), shown
assert shown.count("\n") <= 11, shown
assert re.search(r"The loop was blocked [0-9.]+ m?s", shown), shown
assert CLEAR not in on_terminal(80, 50, "top", "blocked", "-n", "1", kind="dumb")
assert CLEAR not in plain("top", "blocked", "-n", "1")
END

# Nobody reads the rest.
"$phasor" report --json blocked 2>err | head -c 1 >/dev/null || true
[ ! -s err ] || fail "$(cat err)"
"$program" clock >ticking &
clock=$!
children+=($clock)
wait_for 20 test -s ticking
("$phasor" top $clock --interval 0.2 2>err || true) | head -n 1 >/dev/null
expect 1 "$phasor" attach $clock --stop
says err "is not being recorded"
ls /tmp/phasor-top-$clock-* 2>/dev/null && fail "the file is still there"
kill $clock
wait $clock
