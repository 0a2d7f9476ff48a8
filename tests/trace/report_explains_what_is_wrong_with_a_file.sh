#!/usr/bin/env bash
# A message and a status for each kind of bad file; what can be read is reported; never a crash.
. tests/trace/common.bash
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

# Damaged in many ways: 0 or 1, whatever the bytes are.
python3 - "$phasor" <<'END'
import random, subprocess, sys
random.seed(1)
good = open("good", "rb").read()
for turn in range(150):
    data = bytearray(good)
    if turn % 3 == 0:
        data = data[:random.randrange(len(data))]
    for _ in range(random.randrange(1, 20)):
        if data:
            data[random.randrange(len(data))] = random.randrange(256)
    open("bad", "wb").write(data)
    done = subprocess.run([sys.argv[1], "report", "bad", "--json"], capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        sys.exit(f"turn {turn} ends with {done.returncode}: {done.stderr.decode()}")
END
