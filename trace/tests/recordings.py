"""Recordings that were never made by a program: a thread that says what it does, and keeps accounts
as the recorder does (docs/TRACE_FORMAT.md), so that what a report must say of it is known."""

import struct

(_, LOST, LOOP_OPEN, LOOP_CLOSE, ITERATION_BEGIN, ITERATION_END, PHASE, WAIT_BEGIN, WAIT_END,
 CALLBACK_BEGIN, CALLBACK_END, TIMER_DUE, REQUEST, WORK_SUBMIT, WORK_BEGIN, WORK_END) = range(16)
HANDLE_OPEN, HANDLE_CLOSE, HANDLE_CLOSED = 21, 22, 23
SPAN_BEGIN, SPAN_END, ACCOUNT, RUN_END = 24, 25, 27, 31
LOOP, SUBJECT, DETAIL, VALUE = 1, 2, 4, 8
FIELDS = {LOOP_OPEN: LOOP, ITERATION_BEGIN: LOOP | DETAIL | VALUE, ITERATION_END: LOOP,
          PHASE: LOOP | VALUE, WAIT_BEGIN: LOOP | VALUE, WAIT_END: LOOP | VALUE,
          CALLBACK_BEGIN: LOOP | SUBJECT | DETAIL | VALUE, CALLBACK_END: 0,
          TIMER_DUE: SUBJECT | DETAIL, REQUEST: LOOP | SUBJECT | VALUE,
          WORK_SUBMIT: LOOP | SUBJECT, HANDLE_OPEN: LOOP | SUBJECT | VALUE,
          HANDLE_CLOSE: LOOP | SUBJECT, HANDLE_CLOSED: LOOP | SUBJECT,
          SPAN_BEGIN: DETAIL | VALUE, SPAN_END: VALUE, ACCOUNT: DETAIL | VALUE,
          RUN_END: LOOP | VALUE}
TIMERS, PENDING, IDLE, PREPARE, POLL, CHECK, CLOSING = range(7)
TIMER_CB, IDLE_CB, CHECK_CB, READ_CB = 1, 2, 4, 8
FUNCTION, TICK, MICROTASK = 1, 2, 3
BEGAN = 1_000_000_000
SILENT, LATEST = 2_000_000, 10_000_000  # ns without a word, and without an account
PID = 1000


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def difference(value):
    return number((value << 1 ^ value >> 63) & (1 << 64) - 1)


def text(value):
    return number(len(value.encode())) + value.encode()


def checksum(data):
    total, mask = len(data), (1 << 64) - 1
    for at in range(0, len(data), 8):
        word = int.from_bytes(data[at:at + 8].ljust(8, b"\0"), "little")
        total = (total ^ word) * 0x9E3779B97F4A7C15 & mask
        total ^= total >> 32
    return total & 0xFFFFFFFF


class Thread:
    """The main thread. `run`, `queue` and `sleep` let time pass, each in its way."""

    def __init__(self):
        self.time, self.ran, self.queued = BEGAN, 0, 0
        self.spoke = self.told = BEGAN
        self.last = {"loop": 0, "subject": 0}
        self.events = bytearray(number(PID) + text("main") + number(BEGAN))
        self.written = BEGAN
        self.say(ACCOUNT, detail=0, value=1)

    def run(self, ns):
        self.time += ns
        self.ran += ns

    def queue(self, ns):
        ns -= ns % 1000
        self.time += ns
        self.queued += ns

    def sleep(self, ns):
        self.time += ns

    def say(self, type, loop=0x1000, subject=0, detail=0, value=0):
        if type != ACCOUNT and (self.time - self.spoke >= SILENT or
                                self.time - self.told >= LATEST):
            self.say(ACCOUNT, detail=self.ran, value=self.queued // 1000 + 1)
            self.told = self.time
        self.spoke = self.time
        self.events += bytes([type]) + number(self.time - self.written)
        self.written = self.time
        fields = FIELDS[type]
        if fields & LOOP:
            self.events += difference(loop - self.last["loop"])
            self.last["loop"] = loop
        if fields & SUBJECT:
            self.events += difference(subject - self.last["subject"])
            self.last["subject"] = subject
        if fields & DETAIL:
            self.events += difference(detail - self.last.get(type, 0))
            self.last[type] = detail
        if fields & VALUE:
            self.events += number(value)


def write(path, thread, names=(), **header):
    """`names`: (function, file, line), numbered from 1."""
    fields = {"status": 1, "error": 0, "ended": thread.time, "overwritten": 0, "end": 0,
              "end_value": 0, "clock": BEGAN, **header}
    blocks = [(1, b"argument=program\nfolder=/\nmain_thread=%d\n" % PID)]
    if names:
        blocks.append((4, b"".join(number(i + 1) + text(function) + text(file) + number(line)
                                   for i, (function, file, line) in enumerate(names))))
    blocks.append((5, bytes(thread.events)))
    with open(path, "wb") as out:
        out.write(struct.pack("<8sIIQQQQIIiIQQIi40x", b"PHASORTR", 2, 128, 128, 0,
                              fields["clock"], 1_700_000_000 * 10**9, PID, fields["status"],
                              fields["error"], 1, fields["ended"], fields["overwritten"],
                              fields["end"], fields["end_value"]))
        for sequence, (kind, data) in enumerate(blocks, 1):
            out.write(struct.pack("<IIIIQ", 0x4B4C4250, kind, len(data), checksum(data), sequence))
            out.write(data)
