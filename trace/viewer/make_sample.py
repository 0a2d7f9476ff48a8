#!/usr/bin/env python3
"""Makes pages with made-up traces, for looking at the page and for its tests.

    make_sample.py SAMPLE OUT.html

Samples: puzzle (setTimeout against setImmediate), server (a blocked loop and a busy pool),
million (a million events), single (one iteration, nothing else), empty (no events), lossy (several
loops, dropped events), cluster (two processes, three loops, sends, marks, stacks, a busy machine),
minute (a long recording of which only parts are there in full). The same name always makes the same
file.
"""

import base64
import json
import pathlib
import random
import struct
import sys

import build
import sample_figures

(ITERATION, PHASE, WAIT, CALLBACK, TICK, WORK, SUBMIT, DONE, WAKE, BIRTH, CLOSE, DROPPED, MARK,
 OUTSIDE, SHARES, SAMPLE) = range(1, 17)
TIMERS, PENDING, IDLE, PREPARE, POLL, CHECK, CLOSING = range(7)
TYPES = ["", "timer", "tcp", "fs", "work", "immediate", "async", "script", "idle", "prepare"]
ROW = struct.Struct("<ddBBHIIi")
ROWS_PER_BLOCK = 65536
US, MS = 1e3, 1e6


class Trace:
    """Collects rows; `now` is the time of the loop that is being made up."""

    def __init__(self, program, tracks):
        self.rows = []
        self.strings = {"": 0}
        self.stacks = {}
        self.subjects = 0
        self.now = 0.0
        self.number = 0
        self.track = 0
        self.head = {"version": 1, "program": program, "startedAt": 1767225600000,
                     "processes": [{"pid": 4121, "name": program.split()[0]}],
                     "tracks": [{"kind": kind, "name": name, "process": 0}
                                for kind, name in tracks],
                     "types": TYPES}

    def subject(self):
        self.subjects += 1
        return self.subjects

    def row(self, kind, start, duration=0.0, detail=0, name="", subject=0, value=0, track=None):
        if isinstance(detail, str):
            detail = TYPES.index(detail)
        self.rows.append((start, duration, kind, detail, self.track if track is None else track,
                          self.strings.setdefault(name, len(self.strings)), subject, value))

    def callback(self, kind, name, duration, subject=0, late=0, inside=()):
        """A callback that starts now; `inside` lists (detail, name, duration) ticks in it."""
        start = self.now
        at = start + duration
        ticks = []
        for detail, tick, length in inside:
            ticks.append((at, length, detail, tick))
            at += length + 0.3 * US
        self.row(CALLBACK, start, at - start, kind, name, subject, late)
        for at_, length, detail, tick in ticks:
            self.row(TICK, at_, length, detail, tick)
        self.now = at + 0.4 * US

    def shares(self, kind, start, on, waiting, calls=0.0, track=None):
        """Where the time of the span that starts there went."""
        self.rows.append((start, on, SHARES, kind, self.track if track is None else track, 0,
                          int(waiting / US), int(calls / US)))

    def stack(self, *names):
        """The number of a stack, outermost first."""
        parent = -1
        for name in names:
            node = (parent, self.strings.setdefault(name, len(self.strings)))
            if node not in self.stacks:
                self.stacks[node] = len(self.stacks)
            parent = self.stacks[node]
        return parent

    def sample(self, time, node, period=10 * MS, track=None):
        self.row(SAMPLE, time, period, value=node, track=track)

    def iteration(self, phases, wait=None, gap=0.2 * US):
        """One turn: phases maps a phase to a function that runs its callbacks, wait is
        (planned in us, real in ns)."""
        start = self.now
        self.number += 1
        at = len(self.rows)
        for phase in range(7):
            begin = self.now
            here = len(self.rows)
            self.now += gap
            if phase == POLL and wait:
                self.row(WAIT, self.now, wait[1], value=wait[0])
                self.now += wait[1] + gap
            if phase in phases:
                phases[phase]()
            self.now += gap
            self.rows.insert(here, (begin, self.now - begin, PHASE, phase, self.track, 0, 0, 0))
        self.rows.insert(at, (start, self.now - start, ITERATION, 0, self.track, 0, 0, self.number))
        self.now += 0.1 * US

    def data(self):
        """The blocks of the page, as text."""
        # Enclosing rows first when two start together.
        self.rows.sort(key=lambda row: (row[0], -row[1]))
        ends = [row[0] + (0 if row[2] == SAMPLE else row[1]) for row in self.rows]
        self.head["duration"] = max(ends + [self.head.get("duration", 0)], default=0)
        self.head["strings"] = list(self.strings)
        if self.stacks:
            self.head["stacks"] = list(self.stacks)
        head = sample_figures.with_figures(self.head, self.rows, TYPES)
        text = json.dumps(head).replace("<", "\\u003c")
        blocks = [f'<script type="application/json" class="trace-head">{text}</script>\n']
        for at in range(0, len(self.rows), ROWS_PER_BLOCK):
            data = b"".join(ROW.pack(*row) for row in self.rows[at:at + ROWS_PER_BLOCK])
            text = base64.b64encode(data).decode()
            blocks.append(f'<script type="text/plain" class="trace-rows">{text}</script>\n')
        return "".join(blocks)

    def write(self, path, *others):
        """The page; with `others`, of several recordings."""
        head, tail = build.template().split(build.MARK)
        data = "".join(trace.data() for trace in (self, *others))
        pathlib.Path(path).write_text(head + data + tail, encoding="utf-8")


def puzzle():
    """Inside I/O, setImmediate always comes before setTimeout(0)."""
    t = Trace("phasor puzzle.js", [("loop", "main loop"), ("pool", "pool thread 1")])
    timer, immediate, read = t.subject(), t.subject(), t.subject()
    t.now = 40 * US
    t.row(SUBMIT, t.now + 310 * US, 0, "fs", "fs.readFile", read)
    t.row(WORK, t.now + 372 * US, 240 * US, "fs", "fs.readFile", read, track=1)
    t.callback("script", "puzzle.js", 420 * US, inside=[
        (0, "afterMain (puzzle.js:9)", 38 * US), (1, "afterMain promise (puzzle.js:10)", 21 * US)])

    def on_read():
        t.row(BIRTH, t.now + 35 * US, 0, "timer", "", timer)
        t.row(BIRTH, t.now + 61 * US, 0, "immediate", "", immediate)
        t.callback("fs", "onRead (puzzle.js:3)", 96 * US, read, inside=[
            (0, "tick (puzzle.js:6)", 18 * US), (1, "then (puzzle.js:7)", 14 * US),
            (1, "then (puzzle.js:7)", 9 * US)])

    t.iteration({POLL: on_read}, wait=(-1, 150 * US), gap=2 * US)

    def on_check():
        t.callback("immediate", "immediate (puzzle.js:5)", 62 * US, immediate,
                   inside=[(1, "await (puzzle.js:5)", 11 * US)])

    t.iteration({CHECK: on_check}, wait=(0, 1 * US), gap=2 * US)
    t.iteration({}, wait=(1000, 848 * US), gap=2 * US)

    def closing():
        t.row(CLOSE, t.now - 3 * US, 0, "timer", "", timer)
        t.callback("timer", "onClose (puzzle.js:12)", 22 * US, timer)

    t.iteration({TIMERS: lambda: t.callback("timer", "timeout (puzzle.js:4)", 55 * US, timer,
                                            late=41, inside=[(0, "tick (puzzle.js:4)", 8 * US)]),
                 CLOSING: closing}, gap=2 * US)
    return t


def request(t, rng, busy, name, callback):
    """Submits now, works on the pool thread that is free first; returns when it is done."""
    number = t.subject()
    thread = min(range(len(busy)), key=busy.__getitem__)
    start = max(t.now + rng.uniform(8, 30) * US, busy[thread])
    work = rng.lognormvariate(0, 0.7) * 3 * MS
    busy[thread] = start + work
    t.row(SUBMIT, t.now, 0, "fs", name, number)
    t.row(WORK, start, work, "fs", name, number, track=1 + thread)
    return start + work, number, callback


def sample_config(t, start):
    """Stacks while parse_config runs."""
    outer = ("parse_config (config.js:88)",)
    inner = [("readSections (config.js:95)", "JSON.parse"), ("readSections (config.js:95)",
             "expand (template.js:14)", "replaceAll"), ("validate (config.js:131)",),
             ("readSections (config.js:95)", "expand (template.js:14)", "lookup (template.js:40)")]
    for i in range(18):
        t.sample(start + (i + 1) * 10 * MS, t.stack(*outer, *inner[(i * i) % 7 % 4]))


def server():
    """An HTTP server: steady requests, a pool of four, parse_config blocks it for 182 ms."""
    rng = random.Random(7)
    t = Trace("node server.js --port 8080",
              [("loop", "main loop")] + [("pool", f"pool thread {i}") for i in range(1, 5)])
    busy = [0.0] * 4
    waiting = []
    ticker, gc = t.subject(), t.subject()
    sockets = [t.subject() for _ in range(12)]
    due = 50 * MS
    t.now = 0.3 * MS
    t.callback("script", "server.js", 11 * MS, inside=[(0, "listening (server.js:40)", 0.2 * MS),
                                                       (1, "main (server.js:61)", 0.4 * MS)])
    t.row(BIRTH, 6 * MS, 0, "timer", "", ticker)
    for index, socket in enumerate(sockets):
        t.row(BIRTH, (12 + index) * MS, 0, "tcp", "", socket)
    arrival = t.now
    blocked = False
    while t.now < 4800 * MS:
        def timers():
            nonlocal due
            while due <= t.now:
                late = int((t.now - due) / US)
                t.callback("timer", "heartbeat (server.js:52)", rng.uniform(20, 90) * US, ticker,
                           late=late)
                due = max(due + 50 * MS, t.now - 120 * MS)

        def poll():
            nonlocal arrival, blocked
            if not blocked and t.now > 3204 * MS:
                blocked = True
                t.head["sentences"] = [{
                    "about": "blocked", "track": 0, "start": t.now,
                    "text": "The loop was blocked 183 ms at 3.239 s by the file callback "
                            "parse_config "
                            "(config.js:88); 4 timers were late because of it.",
                    "strong": ["183 ms", "parse_config (config.js:88)"]}]
                sample_config(t, t.now)
                t.shares(CALLBACK, t.now, 168.9 * MS, 4.1 * MS, 10.3 * MS)
                t.callback("fs", "parse_config (config.js:88)", 182 * MS, t.subject(), inside=[
                    (1, "applyConfig (config.js:120)", 1.3 * MS)])
            while waiting and waiting[0][0] <= t.now:
                done, number, name = waiting.pop(0)
                t.callback("fs", name, rng.lognormvariate(0, 0.6) * 0.25 * MS, number, inside=[
                    (1, "render (views.js:31)", rng.uniform(30, 200) * US)] * rng.randint(0, 2))
            while arrival <= t.now:
                at = t.now
                t.callback("tcp", "onRequest (server.js:12)", rng.lognormvariate(0, 0.5) * 0.2 * MS,
                           rng.choice(sockets), inside=[(0, "resume (stream.js:9)", 12 * US)])
                after, t.now = t.now, at + 60 * US
                waiting.append(request(t, rng, busy, "fs.readFile", "onFile (server.js:23)"))
                waiting.sort()
                t.now = after
                arrival += rng.expovariate(1 / (11 * MS if 1500 * MS < t.now < 2200 * MS
                                                else 24 * MS))

        wake = min([due, arrival] + [entry[0] for entry in waiting[:1]])
        planned = max(0, int((due - t.now) / US))
        asleep = max(0.8 * US, wake - t.now)
        phases = {TIMERS: timers, POLL: poll}
        if rng.random() < 0.3:
            phases[CHECK] = lambda: t.callback("immediate", "flush (log.js:14)",
                                               rng.uniform(15, 60) * US, gc)
        if rng.random() < 0.04:
            phases[PENDING] = lambda: t.callback("tcp", "onDrain (stream.js:77)", 40 * US,
                                                 rng.choice(sockets))
        t.iteration(phases, wait=(planned, asleep))
    return t


def million():
    """About a million events over 90 s on two loops and eight pool threads."""
    rng = random.Random(11)
    names = [f"handler{i} (app/module{i % 17}.js:{i * 7 % 300 + 1})" for i in range(120)]
    t = Trace("node big.js", [("loop", "main loop"), ("loop", "worker loop")]
              + [("pool", f"pool thread {i}") for i in range(1, 9)])
    for track, limit in ((0, 700_000), (1, 1_000_000)):
        t.track, t.now, t.number = track, 1 * MS, 0
        while len(t.rows) < limit:
            waiting = rng.random() < 0.4

            def poll():
                for _ in range(rng.randint(0, 4)):
                    number = 0
                    if rng.random() < 0.3:
                        number = t.subject()
                        begin = max(0.0, t.now - rng.uniform(300, 900) * US)
                        t.row(SUBMIT, begin, 0, "work", "compute", number)
                        t.row(WORK, begin + 50 * US, rng.uniform(60, 200) * US, "work", "compute",
                              number, track=2 + number % 8)
                    t.callback("tcp" if not number else "work", rng.choice(names),
                               rng.lognormvariate(0, 1) * 60 * US, number,
                               inside=[(rng.randint(0, 1), "step", 5 * US)] * rng.randint(0, 2))

            phases = {POLL: poll}
            if rng.random() < 0.2:
                phases[TIMERS] = lambda: t.callback("timer", rng.choice(names), 30 * US, 0,
                                                    late=rng.randint(0, 900))
            if rng.random() < 0.0004:
                phases[CHECK] = lambda: t.callback("immediate", "collect (gc.js:3)",
                                                   rng.uniform(5, 120) * MS)
            t.iteration(phases, wait=(1000, rng.uniform(50, 900) * US) if waiting else None)
    return t


def single():
    t = Trace("./hello", [("loop", "main loop")])
    t.iteration({TIMERS: lambda: t.callback("timer", "say_hello", 12 * US, t.subject(), late=3)})
    return t


def empty():
    return Trace("./nothing", [("loop", "main loop")])


def lossy():
    t = Trace("./</script><b>odd & \u0163ame", [("loop", "main loop"), ("loop", "worker 1 loop"),
                                                ("pool", "pool thread 1")])
    for number in range(200):
        t.track = number % 2
        handle = t.subject()
        t.row(WAKE, t.now + 5 * US, 0, "async", "", handle, value=1 - t.track)
        t.iteration({POLL: lambda: t.callback("async", "", 40 * US, handle)},
                    wait=(-1, 300 * US))
    t.row(DROPPED, 20 * MS, 9 * MS, value=5120, track=0)
    t.row(MARK, 31 * MS, 0, 0, "cache is warm", track=0)
    t.head["sentences"] = [
        {"about": "recording", "text": "The oldest 12 s were overwritten to stay within 64 MB."},
        {"about": "recording", "text": "5,120 events were lost."}]
    return t


def worker_loop(t, rng, track, main, until, sends):
    """A worker: sleeps until it is sent something, computes, sends the result to the main loop."""
    t.track, t.now, t.number = track, 3 * MS, 0
    inbox = t.subject()
    answers = []
    for at in [send for send in sends if send < until]:
        if at < t.now:
            continue
        t.row(WAKE, at, 0, "async", "", inbox, value=main)
        took = rng.uniform(1.5, 6) * MS

        def poll(took=took):
            answers.append(t.now + took)
            t.shares(CALLBACK, t.now, took * 0.93, took * 0.04, took * 0.02)
            t.callback("async", "onMessage (worker.js:8)", took, inbox)

        t.iteration({POLL: poll}, wait=(-1, at - t.now + 9 * US))
    return answers


def cluster():
    """A server with a worker thread and a child process, on a machine with too few processors."""
    rng = random.Random(5)
    t = Trace("node cluster.js", [("loop", "main loop"), ("loop", "loop 2"), ("loop", "main loop"),
                                  ("pool", "pool thread 1")])
    t.head["processes"] = [{"pid": 4121, "name": "node cluster.js", "exit": {"code": 0}},
                           {"pid": 4130, "name": "node resize.js", "parent": 4121,
                            "exit": {"signal": "SIGTERM"}}]
    for index, (process, tid, thread) in enumerate(
            [(0, 4121, "node"), (0, 4127, "worker"), (1, 4130, "node"), (1, 4133, "libuv-worker")]):
        t.head["tracks"][index].update(process=process, tid=tid, thread=thread)
    t.head["tracks"][0]["main"] = t.head["tracks"][2]["main"] = True
    until, sends, ticker = 300 * MS, [], t.subject()
    t.now = 1 * MS
    t.row(MARK, 2 * MS, 0, 0, "server ready")
    for turn in range(14):
        def timers(turn=turn):
            start, slow = t.now, turn == 7
            took = 62 * MS if slow else rng.uniform(0.4, 3) * MS
            sends.append(start + 0.3 * MS)
            if slow:
                t.shares(CALLBACK, start, 3.1 * MS, 58.2 * MS, 0.5 * MS)
                t.row(MARK, start + 0.2 * MS, 60 * MS, 1, "resize image")
                t.head["sentences"] = [
                    {"about": "blocked", "track": 0, "start": start, "text":
                     f"The main loop waited 58 ms for a processor at {start / 1e9:.3f} s in the "
                     "timer callback dispatch (cluster.js:20)."}]
            t.callback("timer", "dispatch (cluster.js:20)", took, ticker, late=300)
        t.iteration({TIMERS: timers}, wait=(12000, 11 * MS))
        if turn == 10:
            t.row(OUTSIDE, t.now, 24 * MS)
            t.head["sentences"].append({
                "about": "blocked", "track": 0, "start": t.now, "text":
                f"The program took 24 ms at {t.now / 1e9:.3f} s outside of the loop."})
            t.now += 24 * MS
    inbox = t.subject()
    answers = worker_loop(t, rng, 1, 0, until, sends)
    for at in answers:
        t.row(WAKE, at, 0, "async", "", inbox, value=1, track=0)
    child_loop(t, rng, until)
    return t


def child_loop(t, rng, until):
    """The child process: works on files, blocked once by its own computing."""
    t.track, t.now, t.number = 2, 30 * MS, 0
    while t.now < until - 60 * MS:
        number = t.subject()
        t.row(SUBMIT, t.now, 0, "fs", "fs.readFile", number)
        work = rng.uniform(2, 8) * MS
        t.row(WORK, t.now + 40 * US, work, "fs", "fs.readFile", number, track=3)
        slow = t.number == 9

        def poll(slow=slow, number=number):
            start, took = t.now, 41 * MS if slow else rng.uniform(0.2, 2) * MS
            if slow:
                t.head["sentences"].append({
                    "about": "blocked", "track": 2, "start": start, "text":
                    f"The main loop of process 4130 was blocked 41 ms at {start / 1e9:.3f} s by "
                    "the fs callback resize (resize.js:31)."})
                for i in range(4):
                    t.sample(start + (i + 1) * 10 * MS, t.stack(
                        "resize (resize.js:31)", *(("scale (image.js:9)",) if i else ()), "blur"))
            t.callback("fs", "resize (resize.js:31)", took, number)

        t.iteration({POLL: poll}, wait=(-1, work + 90 * US))


def minute():
    """A minute, of which the page has each second's summary and the rows around two outliers."""
    rng = random.Random(3)
    t = Trace("node busy.js", [("loop", "main loop")])
    seconds, detail = 60, []
    turns = [rng.randint(800, 1200) for _ in range(seconds)]
    busy = [rng.uniform(0.2, 0.7) * 1e9 for _ in range(seconds)]
    worst = [rng.uniform(0.5, 6) * MS for _ in range(seconds)]
    for second, took in ((17, 240 * MS), (42, 95 * MS)):
        t.now, t.number = second * 1e9, sum(turns[:second])
        while t.now < (second + 1) * 1e9:
            slow = t.number == sum(turns[:second]) + 300
            if slow:
                t.head.setdefault("sentences", []).append({
                    "about": "blocked", "track": 0, "start": t.now + 0.2 * US, "text":
                    f"The loop was blocked {took / MS:.0f} ms at {t.now / 1e9:.3f} s by the timer "
                    "callback sweep (busy.js:9)."})
            t.iteration({TIMERS: lambda slow=slow, took=took: t.callback(
                "timer", "sweep (busy.js:9)", took if slow else rng.uniform(50, 700) * US)},
                wait=(1000, rng.uniform(300, 900) * US))
        detail.append([second * 1e9, (second + 1) * 1e9])
        worst[second] = took + 5 * US
    lag = {"count": sum(turns), "median": 0.4 * MS, "p99": 5.2 * MS, "worst": max(worst),
           "sum": sum(busy)}
    t.head["seconds"] = {"width": 1e9, "tracks": [{"track": 0, "turns": turns, "busy": busy,
                                                   "worst": worst}]}
    t.head["detail"] = detail
    t.head["figures"] = {"loops": [{
        "track": 0, "iterations": sum(turns), "callbacks": sum(turns), "busy": sum(busy),
        "waiting": 60e9 - sum(busy), "utilisation": sum(busy) / 60e9, "lag": lag, "phases": {},
        "timerLateness": {"count": 0}, "longest": [
            {"start": one["start"]} for one in t.head["sentences"]]}], "pool": {"requests": 0}}
    t.head["functions"] = [{
        "function": "sweep (busy.js:9)", "kind": "uv_timer_cb", "track": 0, "calls": sum(turns),
        "total": sum(busy), "median": 0.4 * MS, "p99": 5.2 * MS, "worst": 240 * MS,
        "worstAt": t.head["sentences"][0]["start"], "onCpu": sum(busy) * 0.9}]
    t.head["duration"] = 60e9
    return t


def main():
    samples = [puzzle, server, million, single, empty, lossy, cluster, minute]
    by_name = {sample.__name__: sample for sample in samples}
    if len(sys.argv) != 3 or sys.argv[1] not in by_name:
        sys.exit(__doc__)
    by_name[sys.argv[1]]().write(pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
