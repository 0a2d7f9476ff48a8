#!/usr/bin/env bash
# A message and a status for each kind of bad file; what can be read is reported; never a crash.
. trace/tests/common.bash
PHASOR_TRACE=good "$program" all >/dev/null
expect 0 "$phasor" report good
says out "The loop"

expect 1 "$phasor" report missing
says err "can't read missing: No such file"
expect 1 "$phasor" report .
says err "is not a regular file"
: >empty
expect 1 "$phasor" report empty
says err "empty is empty"
echo "something else altogether" >foreign
expect 1 "$phasor" report foreign
says err "foreign is not a trace file"
head -c 40 good >short
expect 1 "$phasor" report short
says err "is cut off"
{ head -c 8 good; printf '\x63\0\0\0'; tail -c +13 good; } >newer
expect 1 "$phasor" report newer
says err "has version 99 of the format"
head -c -3 good >cut
expect 1 "$phasor" report cut
says err "ends in the middle of a block"
says out "The"
expect 2 "$phasor" report
expect 2 "$phasor" report good --nonsense
says err "unknown option --nonsense"
expect 1 "$phasor" report good --html /no/such/folder/x.html
says err "can't write /no/such/folder/x.html"
if [ "$(id -u)" != 0 ]; then
    chmod 0 good
    expect 1 "$phasor" report good
    says err "Permission denied"
    chmod 600 good
fi

# What can be read of a damaged one is compared and exported, but not without a word.
head -c $(($(stat -c %s good) - 7)) good >cut
expect 1 "$phasor" diff good cut
says err "cut: "
expect 1 "$phasor" export cut --prometheus -
says out "phasor_loop_iterations_total"
expect 2 "$phasor" report good --from 2s --to 1s
says err "--from has to be before --to"
expect 0 "$phasor" report good --from 1000s
says out "Nothing is in that part: the recording lasts "

# Damaged in many ways, half of them with checksums that are right again, so that the damage is
# found further inside: 0 or 1, whatever the bytes are. $TURNS sets how many; tests/fuzz has more.
PHASOR_TRACE=named "$program" names
PHASOR_TRACE=limited PHASOR_TRACE_LIMIT=1 "$program" turns 5000
python3 - "$phasor" "${TURNS:-40}" <<'END'
import random, struct, subprocess, sys

random.seed(1)
files = [open(name, "rb").read() for name in ("good", "named", "limited")]


def repair(data):
    at = data.find(b"PBLK")
    while at != -1 and at + 24 <= len(data):
        size = struct.unpack_from("<I", data, at + 8)[0]
        checksum = 2166136261
        for byte in data[at + 24:at + 24 + size]:
            checksum = (checksum ^ byte) * 16777619 & 0xffffffff
        struct.pack_into("<I", data, at + 12, checksum)
        at = data.find(b"PBLK", at + 24)


for turn in range(int(sys.argv[2])):
    data = bytearray(files[turn % 3])
    if turn % 5 == 0:
        data = data[:random.randrange(1, len(data))]
    for _ in range(random.randrange(1, 20)):
        data[random.randrange(len(data))] = random.choice((0, 1, 0x7f, 0x80, 0xff, turn & 0xff))
    if turn % 2 == 0:
        repair(data)
    open("bad", "wb").write(data)
    for form in (["--json"], ["--html", "-"], ["--perfetto", "-"]):
        command = [sys.argv[1], "report", "bad", *form]
        done = subprocess.run(command, capture_output=True, timeout=60)
        if done.returncode not in (0, 1):
            sys.exit(f"turn {turn} ends with {done.returncode}: {done.stderr.decode()}")
END
