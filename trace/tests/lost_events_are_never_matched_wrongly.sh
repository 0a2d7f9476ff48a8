#!/usr/bin/env bash
# Addresses are used again: where events are missing, what follows is not taken for the rest of what
# came before. And a recording that could not be written any more does not stretch what was open.
. trace/tests/common.bash
cat >make.py <<'END'
import struct, sys

FIELDS = {"LOST": (1, 8), "ITERATION_BEGIN": (4, 1 | 4 | 8), "ITERATION_END": (5, 1),
          "CALLBACK_BEGIN": (9, 1 | 2 | 4 | 8), "CALLBACK_END": (10, 0), "REQUEST": (12, 1 | 2 | 8),
          "WORK_SUBMIT": (13, 1 | 2), "WORK_BEGIN": (14, 2), "WORK_END": (15, 2),
          "GAP": (28, 4 | 8)}
AFTER_WORK = 18
MS = 1_000_000
REQUEST, WORK = 0x5000, 0x5040


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def events(thread, *rows):
    """(ms, name, subject, detail, value): all differences are written from 0."""
    out = number(thread) + b"\x01t" + number(rows[0][0] * MS)
    time, last = rows[0][0], {}
    for at, name, *rest in rows:
        kind, fields = FIELDS[name]
        subject, detail, value = (list(rest) + [0, 0, 0])[:3]
        out += bytes([kind]) + number((at - time) * MS)
        time = at
        for bit, key, now in ((1, "loop", 0x1000), (2, "subject", subject), (4, kind, detail)):
            if fields & bit:
                delta = now - last.get(key, 0)
                out += number(delta * 2 if delta >= 0 else -delta * 2 - 1)
                last[key] = now
        if fields & 8:
            out += number(value)
    return out


def write(path, *blocks, status=1, ended=0):
    with open(path, "wb") as out:
        out.write(struct.pack("<8sIIQQQQIIiIQQ48x", b"PHASORTR", 1, 128, 128, 0, MS, MS, 1, status,
                              -28 if status == 2 else 0, 0, ended, 0))
        for i, payload in enumerate(blocks):
            checksum = 2166136261
            for byte in payload:
                checksum = (checksum ^ byte) * 16777619 & 0xffffffff
            out.write(struct.pack("<IIIIQ", 0x4b4c4250, 5, len(payload), checksum, i + 1) + payload)


FIRST = [(10, "ITERATION_BEGIN", 0, 0, 0), (11, "REQUEST", REQUEST, 0, 7),
         (11, "WORK_SUBMIT", WORK)]
LAST = [(7020, "CALLBACK_BEGIN", REQUEST, 0x77, AFTER_WORK), (7021, "CALLBACK_END"),
        (7022, "ITERATION_END")]
RUN = [(12, "WORK_BEGIN", WORK), (13, "WORK_END", WORK)]
AGAIN = [(7010, "WORK_BEGIN", WORK), (7011, "WORK_END", WORK)]
# The loop has lost the first callback and the second submission: its thread tells in time, or late.
write("gap", events(1, *FIRST, (14, "GAP", 0, 7000 * MS, 5), *LAST), events(2, *RUN, *AGAIN))
write("lost", events(1, *FIRST, (7015, "LOST", 0, 0, 5), *LAST), events(2, *RUN, *AGAIN))
# The pool's thread has lost the first run, the loop the rest.
write("pool", events(1, *FIRST, (7015, "LOST", 0, 0, 5), *LAST),
      events(2, (7012, "LOST", 0, 0, 2)), events(3, *AGAIN))
# Nothing tells of what is missing, but no work begins twice.
write("twice", events(1, *FIRST, *LAST), events(2, *RUN, *AGAIN))
write("disk", events(1, (10, "ITERATION_BEGIN", 0, 0, 0), (11, "CALLBACK_BEGIN", 0, 0x77, 1),
                     (12, "CALLBACK_END")), status=2, ended=9000 * MS)
# A callback whose end may be among what is missing.
write("cut", events(1, (10, "ITERATION_BEGIN", 0, 0, 0), (20, "CALLBACK_BEGIN", REQUEST, 0x77, 1),
                    (60, "GAP", 0, 900 * MS, 5), (970, "ITERATION_BEGIN", 0, 1, 0),
                    (971, "ITERATION_END")))
END
python3 make.py
for file in gap lost pool twice; do
    expect 0 "$phasor" report "$file" --json
    python3 - "$file" <<'END'
import json, sys
pool = json.load(open("out"))["pool"]
for name in ("queueWait", "wayBack"):
    assert pool[name]["worst"] < 100_000_000, (sys.argv[1], name, pool)
runs = 1 if sys.argv[1] == "pool" else 2
assert pool["ran"]["count"] == runs and pool["ran"]["worst"] == 1_000_000, (sys.argv[1], pool)
END
done
expect 0 "$phasor" report cut
says out "was blocked 40.0 ms at "
says out "at least (its end is missing)"
! grep -q "when the recording ended" out || fail "$(cat out)"
expect 0 "$phasor" report disk --json
python3 -c 'import json; assert json.load(open("out"))["loops"][0]["lag"]["worst"] < 10_000_000'
