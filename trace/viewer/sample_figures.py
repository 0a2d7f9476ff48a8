"""What a report would say of a made-up trace: its figures and its quiet sentences (DATA.md)."""

ITERATION, PHASE, WAIT, CALLBACK, _, WORK, SUBMIT = range(1, 8)
OUTSIDE = 14
PHASES = ["timers", "pending", "idle", "prepare", "poll", "check", "closing"]
TIMERS, POLL = 0, 4
UNITS = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")]
LONGEST = 10


def spread(values):
    ordered = sorted(values)

    def at(part):
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0
    return {"count": len(ordered), "median": at(0.5), "p99": at(0.99),
            "worst": ordered[-1] if ordered else 0, "sum": sum(ordered)}


def time_words(ns):
    size, unit = next((one for one in UNITS if ns >= one[0]), UNITS[-1])
    value = ns / size
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f} {unit}"


class Loop:
    """The figures of one loop, while its rows are gone through in the order of time."""

    def __init__(self):
        self.turns = []  # [busy, what was outside before]
        self.turn_end = self.phase_end = self.callback_end = -1
        self.phase = None
        self.phase_times = [0.0] * len(PHASES)
        self.callbacks = []  # (duration, start, name, is inside of a turn)
        self.late = []
        self.time = self.waited = self.outside = self.before = 0.0

    def turn(self, start, duration):
        self.turns.append([duration, self.before])
        self.turn_end, self.before, self.phase = start + duration, 0.0, None
        self.time += duration

    def wait(self, start, duration):
        if start > self.turn_end:
            return
        self.turns[-1][0] -= duration
        self.waited += duration
        if self.phase is not None:
            self.phase_times[self.phase] -= duration

    def callback(self, row, name, kind):
        start, duration, value = row[0], row[1], row[7]
        if start < self.callback_end:
            return
        self.callback_end = start + duration
        self.callbacks.append((duration, start, name, start <= self.turn_end))
        if kind == "timer" and self.phase == TIMERS and start <= self.phase_end:
            self.late.append(value * 1000)

    def add(self, row, name, kind):
        start, duration, what, detail = row[:4]
        if what == ITERATION:
            self.turn(start, duration)
        elif what == PHASE and detail < len(PHASES):
            self.phase, self.phase_end = detail, start + duration
            self.phase_times[detail] += duration
        elif what == WAIT:
            self.wait(start, duration)
        elif what == CALLBACK:
            self.callback(row, name, kind)
        elif what == OUTSIDE:
            self.time += duration
            self.outside += duration
            self.before += duration

    def longest(self):
        return sorted(self.callbacks, key=lambda one: -one[0])[:LONGEST]

    def figures(self, track):
        lag = [busy + before for busy, before in self.turns]
        phases = {name: {"time": max(0, time)} for name, time in zip(PHASES, self.phase_times)}
        return {"track": track, "iterations": len(self.turns), "callbacks": len(self.callbacks),
                "busy": self.time - self.waited, "waiting": self.waited,
                "utilisation": 1 - self.waited / self.time if self.time else 0, "lag": spread(lag),
                "phases": phases, "timerLateness": spread(self.late),
                "outside": {"sum": self.outside},
                "longest": [{"start": start, "duration": duration}
                            for duration, start, _, _ in self.longest()]}


def pool_of(rows):
    submitted = {row[6]: row[0] for row in rows if row[2] == SUBMIT}
    called = {row[6]: row[0] for row in reversed(rows) if row[2] == CALLBACK}
    works = [row for row in rows if row[2] == WORK and row[6] in submitted]
    back = [called[row[6]] - row[0] - row[1] for row in works if row[6] in called]
    return {"requests": len(submitted), "ran": spread(row[1] for row in works),
            "queueWait": spread(row[0] - submitted[row[6]] for row in works),
            "wayBack": spread(max(0, one) for one in back)}


def turned(head, loop):
    if not loop["iterations"]:
        return "The loop did not turn while this was recorded."
    name = head["tracks"][loop["track"]]["name"]
    times = "once" if loop["iterations"] == 1 else f"{loop['iterations']:,} times"
    return (f"{name.capitalize() if name.startswith('loop') else 'The ' + name} turned {times} in "
            f"{time_words(loop['busy'] + loop['waiting'])} and was busy for "
            f"{loop['utilisation'] * 100:.0f} % of it.")


def calm(loops):
    inside = [(one, track) for track, loop in loops.items() for one in loop.callbacks if one[3]]
    if not inside:
        return []
    (duration, start, name, _), track = max(inside, key=lambda one: one[0][0])
    return [{"about": "calm", "track": track, "start": start, "text":
             f"Nothing blocked it: the longest callback, {name}, took {time_words(duration)}."}]


def with_figures(head, rows, types):
    """The head with what a report knows; what is there already stays. The rows are in order."""
    loops = {index: Loop() for index, track in enumerate(head["tracks"])
             if track["kind"] == "loop"}
    for row in rows:
        if row[4] in loops:
            kind = types[row[3]] if row[2] == CALLBACK and row[3] < len(types) else ""
            loops[row[4]].add(row, head["strings"][row[5]], kind)
    figures = head.get("figures") or {
        "loops": [loop.figures(track) for track, loop in loops.items()], "pool": pool_of(rows)}
    told = list(head.get("sentences", []))
    if all("start" not in one for one in told):
        told += calm(loops)
    told += [{"about": "turned", "text": turned(head, loop)} for loop in figures["loops"]]
    return {**head, "figures": figures, "sentences": told}
