"""generate.py SEED...: prints the programs that the seeds stand for (docs/DIFFERENTIAL.md)."""

import random
import sys

import subjects

# Kinds that go together, with how often each is drawn.
FAMILIES = [
    ({"timer": 4, "idle": 1, "prepare": 1, "check": 2}, 3),
    ({"timer": 2, "idle": 1, "prepare": 1, "check": 1, "async": 3}, 3),
    ({"async": 3, "work": 4, "timer": 1, "check": 1}, 3),
    ({"fs": 5, "work": 1, "check": 1, "timer": 1}, 3),
    ({"pipe": 5, "check": 1, "timer": 1, "async": 1}, 4),
    ({"pipe": 5, "tcp": 1, "udp": 1, "check": 1}, 2),
    ({"tcp": 5, "check": 1, "timer": 1}, 4),
    ({"udp": 4, "check": 1, "timer": 1}, 3),
    ({"poll": 4, "async": 1, "check": 1, "timer": 1}, 3),
    ({"signal": 4, "check": 1, "timer": 1, "async": 1}, 2),
    ({"process": 2, "pipe": 2, "timer": 1}, 1),
    ({"fs_event": 2, "fs_poll": 2, "timer": 2, "fs": 1}, 2),
    ({"tty": 2, "timer": 1, "check": 1}, 1),
    ({"addrinfo": 2, "nameinfo": 1, "random": 2, "work": 2, "fs": 1}, 2),
    ({"timer": 2, "idle": 1, "prepare": 1, "check": 1, "async": 1, "signal": 1, "poll": 1,
      "pipe": 2, "tcp": 2, "udp": 1, "tty": 1, "process": 1, "fs_event": 1, "fs_poll": 1,
      "work": 2, "fs": 2, "addrinfo": 1, "nameinfo": 1, "random": 1}, 5),
]
REQUESTS = ("work", "fs", "addrinfo", "nameinfo", "random")
HOOKS = ("idle", "prepare", "check")
DELAYS = (0, 0, 0, 1, 1, 2, 3, 5, 8, 50, 1000)
SIZES = (0, 1, 3, 10, 100, 1000, 4096)
BIG_SIZES = SIZES + (70000, 300000)
READ_SIZES = (65536, 65536, 65536, 1, 7, 100, 0)
FILE_OPERATIONS = ("fs_open", "fs_open", "fs_close", "fs_read", "fs_write", "fs_stat", "fs_unlink",
                   "fs_rename", "fs_copyfile", "fs_mkdir", "fs_rmdir", "fs_symlink", "fs_readlink",
                   "fs_access", "fs_ftruncate", "fs_scandir")


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.objects = []  # (kind, loop)
        # Where the libraries run timers at different times on purpose (docs/DIFFERENTIAL.md), a
        # program is compared with the one that the contract follows. Plain ones run each loop to
        # its end; swift ones start timers of 0 ms in a timer's callback.
        self.plain = self.rng.random() < 0.6
        self.swift = self.plain and self.rng.random() < 0.25
        self.in_timer = False
        self.urgent = False  # somebody may ask whether descriptors are readable or urgent
        self.cancels_writes = False
        self.accepting = set()  # objects whose callbacks accept
        self.listens = False  # one of them listens, too
        self.loop_count = self.rng.choice((1, 1, 1, 1, 2, 3))

    def pick(self, *kinds):
        """The number of an object of one of the kinds; None if there is none."""
        found = [i for i, (kind, _) in enumerate(self.objects) if kind in kinds]
        return self.rng.choice(found) if found else None

    def any_or_none(self, *kinds):
        found = self.pick(*kinds)
        return 99 if found is None or self.rng.random() < 0.2 else found

    def draw_objects(self):
        family = self.rng.choices([f for f, _ in FAMILIES], [w for _, w in FAMILIES])[0]
        count = self.rng.randint(2, 9)
        kinds = self.rng.choices(list(family), list(family.values()), k=count)
        if "process" in kinds:  # libuv's first child wakes the loop for nothing
            self.plain = True
            kinds = [kind for kind in kinds if kind not in HOOKS + ("signal",)]
        for kind in kinds:
            loop = self.rng.randrange(self.loop_count)
            self.objects.append((kind, loop))

    def common(self, i):
        """What can be done with any handle, or with the loop."""
        rng = self.rng
        loop = rng.randrange(self.loop_count)
        choices = [("close", i)] * 5 + [("query", i)] * 2 + [("begin", i)] * 2 + [
            ("alive", loop), ("backend_timeout", loop), ("update_time", loop), ("now", loop),
            ("spend", rng.choice((1, 2, 5, 50))), ("settle",),
            ("walk", loop, rng.choice((0, 0, 0, 1 << rng.randrange(14))))]
        if not self.plain:
            choices += [("unref", i)] * 3 + [("ref", i)] * 2 + [("stop", loop)] * 2
        found = rng.choice(choices)
        if found[0] == "update_time" and self.in_timer and not self.swift:
            return ("now", loop)
        if found[0] in ("alive", "query", "walk") and self.in_timer:  # are due ones still active?
            return ("now", loop)
        if found[0] == "backend_timeout" and (self.in_timer or self.has_descriptors()):
            return ("now", loop)
        return found

    def special(self, i):
        """What can be done with an object of this kind."""
        kind = self.objects[i][0]
        if kind in HOOKS:
            return self.rng.choice((("hook_start", i), ("hook_start", i), ("hook_stop", i)))
        return getattr(self, kind)(i)

    def timer(self, i):
        rng = self.rng
        delay = rng.choice(DELAYS)
        if self.in_timer and not self.swift:
            delay = max(delay, 1)
        return rng.choice([("timer_start", i, delay, rng.choice((0, 0, 0, 1, 3, 10)))]
                          * 5 + [("timer_stop", i), ("timer_again", i), ("timer_query", i),
                                 ("timer_set_repeat", i, rng.choice((0, 1, 5)))])

    def async_(self, i):
        return self.rng.choice((("async_send", i),) * 3 + (("async_send_thread", i),))

    def signal(self, i):
        """Handles of one signal are called in the order of their addresses, but one-shot ones after
        the others: so at most one of each kind has the same number."""
        rng = self.rng
        mine = [n for n, (kind, _) in enumerate(self.objects) if kind == "signal"].index(i)
        start = ("signal_oneshot" if mine % 2 else "signal_start", i, mine // 2)
        return rng.choice((start, start, ("signal_stop", i), ("raise", mine // 2),
                           ("raise", mine // 2), ("raise", rng.randrange(2))))

    def poll(self, i):
        rng = self.rng
        events = rng.choice((1, 1, 2, 3, 4, 5, 8, 9))
        self.urgent |= events == 9
        return rng.choice((("poll_start", i, events),
                           ("poll_start", i, 1), ("poll_stop", i), ("far_write", i, 3),
                           ("far_write", i, 3), ("near_read", i), ("near_read", i),
                           ("far_close", i)))

    def stream(self, i):
        rng = self.rng
        sizes = BIG_SIZES if self.objects[i][0] == "pipe" else SIZES
        return rng.choice([("read_start", i, rng.choice(READ_SIZES))] * 4 + [("read_stop", i)] * 2
                          + [("write", i, rng.choice(sizes), rng.choice((1, 1, 2, 5)))] * 6
                          + [("try_write", i, rng.choice(SIZES)), ("shutdown", i), ("shutdown", i),
                             ("stream_query", i)])

    def pipe(self, i):
        rng = self.rng
        if rng.random() < 0.55:
            return self.stream(i)
        name = rng.randrange(2)
        return rng.choice([("pair", i, self.pick("pipe"))] * 6 + [("open", i)] * 2 + [
            ("far_write", i, rng.choice((1, 10, 500))), ("far_read", i), ("far_close", i),
            ("bind", i, name), ("listen", i, 5), ("connect", i, name), ("connect", i, name),
            ("accept", i, self.pick("pipe")), ("pass", i, self.pick("pipe", "tcp", "udp"))])

    def tcp(self, i):
        rng = self.rng
        if rng.random() < 0.55:
            return self.stream(i)
        other = self.pick("tcp")
        return rng.choice([("bind", i, 0), ("listen", i, 5)] * 3 + [("connect", i, other)] * 6
                          + [("accept", i, other)] * 6 + [("reset", i)] * 2)

    def udp(self, i):
        rng = self.rng
        other = self.any_or_none("udp")
        return rng.choice([("udp_bind", i)] * 2 + [("udp_connect", i, other)]
                          + [("udp_send", i, other, rng.choice(SIZES))] * 4
                          + [("udp_try_send", i, other, rng.choice(SIZES))]
                          + [("udp_recv_start", i, rng.choice((65536, 65536, 65536, 2, 0)))] * 3
                          + [("udp_recv_stop", i)])

    def tty(self, i):
        rng = self.rng
        return rng.choice((("read_start", i, 65536), ("read_start", i, 65536), ("read_stop", i),
                           ("write", i, rng.choice((0, 1, 10)), 1), ("try_write", i, 3),
                           ("type", i, rng.randrange(10)), ("type", i, 2), ("tty_mode", i, 0),
                           ("tty_mode", i, 1), ("far_read", i), ("far_close", i)))

    def process(self, i):
        rng = self.rng
        pipe = self.any_or_none("pipe")
        return rng.choice([("spawn", i, rng.randrange(4), pipe)] * 4
                          + [("process_kill", i, rng.randrange(2))])

    def fs_event(self, i):
        rng = self.rng
        return rng.choice((("watch", i, rng.randrange(5), rng.choice((1, 5, 20))),) * 3 + (
            ("unwatch", i), ("touch", rng.randrange(4)), ("touch", rng.randrange(4)),
            ("remove", rng.randrange(4))))

    fs_poll = fs_event

    def work(self, i):
        return self.rng.choice((("work", i),) * 4 + (("cancel", i),))

    def fs(self, i):
        rng = self.rng
        if rng.random() < 0.1:
            return ("cancel", i)
        return (rng.choice(FILE_OPERATIONS), i, rng.randrange(2), rng.randrange(60),
                int(rng.random() < 0.2))

    def addrinfo(self, i):
        return self.rng.choice((("addrinfo", i, self.rng.randrange(4), self.rng.randrange(2)),) * 4
                               + (("cancel", i),))

    def nameinfo(self, i):
        return self.rng.choice((("nameinfo", i, self.rng.choice((80, 4242)),
                                 int(self.rng.random() < 0.2)),) * 4 + (("cancel", i),))

    def random(self, i):
        return self.rng.choice((("random", i, self.rng.choice((0, 8, 64, 100)),
                                 int(self.rng.random() < 0.2)),) * 4 + (("cancel", i),))

    def operation(self):
        i = self.rng.randrange(len(self.objects))
        kind = self.objects[i][0]
        if self.rng.random() < (0.1 if kind in REQUESTS else 0.25):
            return self.common(i)
        return self.special(i)

    def operations(self, count):
        found = []
        for _ in range(count):
            found.append(self.operation())
            if found[-1][0] == "write" and found[-1][2] > 4096 and self.rng.random() < 0.2:
                self.cancels_writes = True
                found.append(("write_cancel", found[-1][1]))
        return found

    def in_callback(self, i):
        """Listeners, and pipes over which handles come, often take what is there."""
        kind = self.objects[i][0]
        first = []
        if kind in ("pipe", "tcp") and self.rng.random() < 0.3:
            kinds = ("pipe", "tcp", "udp") if kind == "pipe" else ("tcp",)
            first = [("accept", i, self.pick(*kinds))]
            self.accepting.add(i)
        return first + self.operations(self.rng.randint(1, 3))

    def start(self, i):
        """What an object usually begins with, so that most programs do something."""
        rng = self.rng
        kind = self.objects[i][0]
        if kind == "pipe":
            passed = [("pass", i, self.pick("pipe", "tcp", "udp"))] if rng.random() < 0.3 else []
            return [("pair", i, self.pick("pipe")), ("read_start", i, 65536)] + passed
        if kind == "tcp":
            return rng.choice(([("bind", i, 0), ("listen", i, 5)],
                               [("connect", i, self.pick("tcp"))]))
        if kind == "udp":
            return [("udp_bind", i), ("udp_recv_start", i, 65536)]
        if kind == "poll":
            return [("poll_start", i, 1), ("far_write", i, 3)]
        if kind in ("fs_event", "fs_poll"):
            return [("touch", 0), ("watch", i, 0, 5)]
        return [self.special(i)]

    def run(self):
        rng = self.rng
        loop = rng.randrange(self.loop_count)
        mode = 0 if self.plain else rng.choice((0, 0, 2) if self.has_timers() else (0, 0, 1, 1, 2))
        return (rng.choice(("run", "run", "run", "run_thread")), loop, mode)

    def has_timers(self):
        return any(kind in ("timer", "fs_poll") for kind, _ in self.objects)

    def has_descriptors(self):
        return any(kind not in HOOKS + ("timer",) for kind, _ in self.objects)

    def peers(self):
        """The versions of libuv whose timers behave alike in such a program."""
        peers = ["1.44", "1.53"]
        if (self.has_timers() and self.swift or self.urgent or self.cancels_writes
                or self.listens):
            peers.remove("1.44")
        if self.has_timers() and not self.plain:
            peers.remove("1.53")
        return peers

    def program(self):
        rng = self.rng
        self.draw_objects()
        lines = [f"object {i} {kind} {loop}" for i, (kind, loop) in enumerate(self.objects)]
        lines.append("main")
        steps = []
        for i in range(len(self.objects)):
            if rng.random() < 0.7:
                steps.append(self.start(i))
        rng.shuffle(steps)
        steps = [step for group in steps for step in group]
        for _ in range(rng.randint(1, 3)):
            steps += self.operations(rng.randint(0, 5))
            steps.append(self.run())
        lines += [" ".join(map(str, ("",) + step)) for step in steps]
        for i, (kind, _) in enumerate(self.objects):
            self.in_timer = kind == "timer"
            for n in range(1, 4):
                if rng.random() < 0.55:
                    lines.append(f"on {i} {n}")
                    for step in self.in_callback(i):
                        lines.append(" ".join(map(str, ("",) + step)))
        self.listens = any(f" listen {i} 5" in lines for i in self.accepting)
        return ["for " + " ".join(self.peers())] + lines


setattr(Generator, "async", Generator.async_)


def program(seed):
    """The program's text, without the line that names it."""
    return "\n".join(subjects.generator(Generator, seed).program()) + "\n"


if __name__ == "__main__":
    for number in sys.argv[1:]:
        print(f"program {number}\n{program(int(number))}", end="")
