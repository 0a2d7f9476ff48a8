"""Every tenth seed draws a program about one subject, which those about everything seldom meet."""

# The kinds of objects, the versions of libuv to compare with, and how often it is drawn.
SUBJECTS = {
    "children": ({"process": 4, "signal": 2, "timer": 1, "async": 1}, ["1.44"], 5),
    "counts": ({"signal": 3, "timer": 2, "async": 1}, ["1.53"], 1),
    "priorities": ({"timer": 1}, ["1.53"], 1),
    "the end": ({"timer": 2, "pipe": 2, "signal": 1}, ["1.44", "1.53"], 1),
    "wide writes": ({"pipe": 4}, ["1.44", "1.53"], 2),
}
SIGCHLD = 4
PIECES = (1, 2, 1023, 1024, 1025, 1500, 2048, 3000)


def about_one_subject(base):
    class AboutOneSubject(base):
        def draw_objects(self):
            weights = [row[2] for row in SUBJECTS.values()]
            self.subject = self.rng.choices(list(SUBJECTS), weights)[0]
            kinds, self.compared, _ = SUBJECTS[self.subject]
            self.plain, self.swift = True, False
            for kind in self.rng.choices(list(kinds), list(kinds.values()),
                                         k=self.rng.randint(2, 7)):
                self.objects.append((kind, self.rng.randrange(self.loop_count)))

        def peers(self):
            return [peer for peer in super().peers() if peer in self.compared]

        def run(self):
            """In the main thread: which thread catches a signal is the kernel's choice."""
            return ("run",) + super().run()[1:]

        def common(self, i):
            rng = self.rng
            if rng.random() < 0.6:
                loop = rng.randrange(self.loop_count)
                if self.subject == "children":
                    return ("backend_ready", loop)
                if self.subject == "counts":
                    return ("metrics", loop)
                if self.subject == "priorities":
                    return ("thread_priority", rng.randint(-3, 3), rng.randrange(2))
            return super().common(i)

        def process(self, i):
            return self.rng.choice((("spawn", i, 3, 99), ("spawn", i, 3, 99), ("spawn", i, 0, 99),
                                    ("process_kill", i, 1), ("process_kill", i, 1),
                                    ("process_kill", i, 0), ("reap", i)))

        def signal(self, i):
            """Beside children the first lasting and the first one-shot handle have SIGCHLD."""
            name, *rest = super().signal(i)
            if self.subject != "children" or name == "signal_stop":
                return (name, *rest)
            if name == "raise":
                return ("raise", self.rng.choice((0, SIGCHLD)))
            return (name, i, SIGCHLD if rest[1] == 0 else rest[1] - 1)

        def stream(self, i):
            rng = self.rng
            if self.subject != "wide writes" or rng.random() < 0.5:
                return super().stream(i)
            return rng.choice((("write", i, rng.choice((10, 3000, 300000)), rng.choice(PIECES)),
                               ("stream_query", i)))

        def program(self):
            lines = super().program()
            if self.subject == "the end":
                callbacks = [n for n, line in enumerate(lines) if line.startswith("on ")]
                lines.insert((callbacks + [len(lines)])[0], f" leave {self.rng.randint(1, 3)}")
            return lines

    return AboutOneSubject


def generator(base, seed):
    return (about_one_subject(base) if seed % 10 == 0 else base)(seed)
