#!/usr/bin/env bash
# Random recordings of programs on a runtime: timers that share a callback of the loop, ticks,
# turns inside of turns, a thread that runs, waits for a processor and is in system calls. No
# share is above the whole, sums are those of their parts, and nobody is blamed who did not run.
. trace/tests/common.bash
[ "$sanitizer" != thread ] || skip "one thread reads"
PYTHONPATH=$source/trace/tests python3 - "$phasor" "${SEEDS:-120}" <<'END'
import collections, json, random, re, subprocess, sys
from recordings import *

LIMIT = 10_000_000
Call = collections.namedtuple("Call", "took queued")


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.thread = Thread()
        self.functions = self.random.randint(1, 5)
        self.calls = collections.defaultdict(list)
        self.turns = self.depth = 0

    def names(self):
        return [(f"work{i}", "/app.js", i + 1) for i in range(self.functions)]

    # A part of a function: either clearly below the limit or clearly above it.
    def work(self, guilty):
        chance = self.random.random
        for _ in range(self.random.randint(1, 3)):
            self.thread.run(self.random.randint(12, 40) * 10**6 if guilty
                            else self.random.randint(1000, 600_000))
            if chance() < 0.3:
                self.thread.queue(self.random.randint(3, 300) * 10**6)
            if chance() < 0.1:
                self.thread.sleep(self.random.randint(100, 500) * 1000)

    def tick(self):
        kind = self.random.choice((TICK, MICROTASK))
        self.thread.say(SPAN_BEGIN, detail=1 + self.random.randrange(self.functions), value=kind)
        self.work(False)
        self.thread.say(SPAN_END, value=kind)

    def function(self):
        which = self.random.randrange(self.functions)
        guilty = which == 0 and self.random.random() < 0.2
        begun, queued = self.thread.time, self.thread.queued
        self.thread.say(SPAN_BEGIN, detail=which + 1, value=FUNCTION)
        self.work(guilty)
        self.thread.say(SPAN_END, value=FUNCTION)
        for _ in range(self.random.choice((0, 0, 1, 3))):
            self.tick()
        return f"work{which}", begun, queued

    # Functions that share one callback of the loop: each begins where the one before has ended.
    def callback(self, kind):
        self.thread.say(CALLBACK_BEGIN, subject=0x2000, detail=0x5000, value=kind)
        begun, queued, name = self.thread.time, self.thread.queued, None
        for _ in range(self.random.randint(0, 4)):
            self.thread.run(self.random.randint(100, 5000))
            name, started, had = self.function()
            if self.depth == 0 and self.random.random() < 0.05:
                self.turn()
            self.thread.run(self.random.randint(100, 5000))
            self.calls[name].append(Call(self.thread.time - started, self.thread.queued - had))
        self.thread.say(CALLBACK_END)

    def turn(self):
        thread = self.thread
        self.depth += 1
        thread.say(ITERATION_BEGIN, detail=self.turns, value=0)
        self.turns += 1
        for phase in range(7):
            thread.say(PHASE, value=phase)
            if phase == TIMERS:
                for _ in range(self.random.randint(0, 2)):
                    self.callback(TIMER_CB)
            if phase == POLL:
                thread.say(WAIT_BEGIN, value=5)
                thread.sleep(self.random.randint(0, 20) * 10**6)
                if self.random.random() < 0.2:
                    thread.queue(self.random.randint(1, 50) * 10**6)
                thread.run(2000)
                thread.say(WAIT_END, value=1 | 2 << 16)
                self.callback(READ_CB)
        thread.say(ITERATION_END)
        self.depth -= 1

    def run(self):
        self.thread.say(LOOP_OPEN)
        for _ in range(self.random.randint(1, 30)):
            self.turn()


def blamed(sentence):
    """Who, and for how many ns, if the sentence says that somebody blocked the loop."""
    said = re.match(r"The loop was blocked ([\d.]+) (s|ms) at [\d.]+ s.* by the \w+ callback "
                    r"(work\d)", sentence)
    return said and (said[3], float(said[1]) * {"s": 1e9, "ms": 1e6}[said[2]])


def check(report, program):
    for one in report["longest"] + report["functions"]:
        whole = one.get("duration", one.get("total"))
        on, waited = one.get("onCpu") or 0, one.get("waitedForCpu", 0)
        assert 0 <= on and 0 <= waited and on + waited <= whole, ("above the whole", one)
    loop = report["loops"][0]
    assert 0 <= loop["utilisation"] <= 1
    assert loop["busy"] + loop["waiting"] <= report["duration"], ("longer than the recording", loop)
    known = loop["processor"]
    assert known["on"] + known["waitedFor"] <= known["known"] <= loop["busy"], loop
    phases = sum(phase["time"] for phase in loop["phases"].values())
    assert phases <= loop["busy"] <= phases + 1e6, ("phases are not the whole", phases, loop)
    assert sum(f["total"] for f in report["functions"]) <= loop["busy"] + loop["waiting"], report
    for sentence in report["sentences"]:
        blame = blamed(sentence)
        if blame is None:
            assert "blocked" not in sentence or "more callback" in sentence, sentence
            continue
        name, said = blame
        own = max(call.took - call.queued for call in program.calls[name])
        # Accounts are taken every 2 ms at best, and a turn inside of a callback belongs to it.
        assert own >= LIMIT, (sentence, own)


for seed in range(int(sys.argv[2])):
    program = Program(seed)
    program.run()
    write("file", program.thread, program.names())
    done = subprocess.run([sys.argv[1], "report", "file", "--json"], capture_output=True,
                          text=True)
    assert done.returncode == 0, (seed, done.stderr)
    try:
        check(json.loads(done.stdout), program)
    except AssertionError:
        print("seed", seed, done.stdout, file=sys.stderr)
        raise
END
