#!/usr/bin/env bash
# Files of a megabyte that are made to be expensive: many beginnings of large blocks, many
# threads, loops, functions and names, much that ends without having begun. $SIZE is in bytes.
. trace/tests/common.bash
[ "$sanitizer" != thread ] || skip "one thread reads, and the sanitizer has memory of its own"
python3 - "$phasor" "$sanitizer" "${SIZE:-1000000}" <<'END'
import resource, struct, subprocess, sys

SLOWEST = 20 * (5 if sys.argv[2] else 1)  # s of a processor; they take less than one
LARGEST = 500_000 * (4 if sys.argv[2] else 1)  # kB
SIZE = int(sys.argv[3])
BLOCK = struct.Struct("<IIIIQ")
MAGIC, MAPS, NAMES, EVENTS, STACK = 0x4b4c4250, 2, 4, 5, 6
LOOP_OPEN, CALLBACK_BEGIN, CALLBACK_END, WORK_BEGIN = 2, 9, 10, 14


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (SLOWEST, SLOWEST))


def block(kind, payload, sequence=1):
    checksum = 2166136261
    for byte in payload:
        checksum = (checksum ^ byte) * 16777619 & 0xffffffff
    return BLOCK.pack(MAGIC, kind, len(payload), checksum, sequence) + payload


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def events(event, size=SIZE):
    """As many of one event as fit."""
    return b"\x01\x01t\x01" + event * (size // len(event))


STEP = number(2 * 64)  # to the next address
SAME = number(0)
CALL = bytes([CALLBACK_BEGIN, 1]) + SAME + SAME + STEP + b"\x01" + bytes([CALLBACK_END, 1])
count = SIZE // BLOCK.size - 10
shapes = {
    "beginnings": b"".join(BLOCK.pack(MAGIC, EVENTS, SIZE - BLOCK.size * (i + 1), 1, 1)
                           for i in range(count)) + bytes(SIZE - count * BLOCK.size),
    "threads": b"".join(block(EVENTS, number(i) + b"\x01t\x01", i + 1) for i in range(SIZE // 30)),
    "loops": block(EVENTS, events(bytes([LOOP_OPEN, 1]) + STEP)),
    "ends": block(EVENTS, events(bytes([CALLBACK_END, 1]))),
    "works": block(EVENTS, events(bytes([WORK_BEGIN, 1]) + STEP)),
    "names": block(NAMES, (number((1 << 20) - 1) + b"\0\0\0") * (SIZE // 6)),
    "functions": block(MAPS, b"".join(b"%x-%x r-xp 00000000 08:01 1 /lib/x%d\n" %
                                      (i * 4096, (i + 1) * 4096, i) for i in range(SIZE // 100)))
    + block(EVENTS, events(CALL, SIZE // 2), 2),
}
# Stacks of one endless callback, each frame another one; and as many long callbacks around them.
long_call = bytes([CALLBACK_BEGIN]) + number(20_000_000) + SAME + SAME + STEP + b"\x01" + bytes(
    [CALLBACK_END]) + number(20_000_000)
shapes["stacks"] = b"".join(
    block(STACK, b"\x01" + number(40_000_000 * i + 1) + b"\x01\x01\x01" + b"".join(
        b"\x03" + b"%03x" % (i % 4096) + b"\x01f" + number(i * 100 + j) + b"\x01"
        for j in range(100)), i + 1)
    for i in range(SIZE // 1100)) + block(EVENTS, events(long_call, SIZE // 4), SIZE)
shapes["machines"] = b"".join(
    block(STACK, b"\x01" + number(40_000_000 * i + 1) + b"\x01\x01\x02" + number(4096 * i) +
          number((1 << 64) - 1) + number(i) * 64 + bytes(64), i + 1)
    for i in range(SIZE // 260)) + block(EVENTS, events(long_call, SIZE // 4), SIZE)
# What an engine ran below code of the machine: well-formed, too long, and not there.
shapes["callers"] = b"".join(
    block(STACK, b"\x01" + number(40_000_000 * i + 1) + b"\x01\x01\x03" + part + number(4096 * i) +
          number(1 << 7) + number(i) + bytes(64), i + 1)
    for i in range(SIZE // 300)
    for part in [(number(203) + b"\xc8\x01" + b"%0200d" % i + b"\x01f",
                  number(1 << 40) + bytes(200), number(200) + b"\xff" * 200)[i % 3]]
) + block(EVENTS, events(long_call, SIZE // 4), SIZE)
header = struct.pack("<8sIIQQQQIIiIQQ48x", b"PHASORTR", 1, 128, 128, 0, 0, 0, 1, 1, 0, 0, 0, 0)
for name, data in shapes.items():
    with open("hostile", "wb") as out:
        out.write(header + data)
    for form in ([], ["--json"], ["--html", "-"], ["--perfetto", "-"]):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([sys.argv[1], "report", "hostile", *form], preexec_fn=limit_time,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert done.returncode in (0, 1), (name, form, done)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert used.ru_maxrss < LARGEST, (name, form, used)
        print(f"{name} {' '.join(form)}: {used.ru_utime - before:.2f} s, up to {used.ru_maxrss} kB")
END
