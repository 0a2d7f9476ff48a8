#!/usr/bin/env bash
# Not only the callback: the function inside of it, with the way to it; on each of five loops, in
# one that looks at the clock all the time, and in a child that was forked meanwhile.
. trace/tests/common.bash
program=$build/tests/trace/stacks
[ -z "$sanitizer" ] || skip "sanitizers have stacks of their own"
expect 0 "$phasor" trace -o deep "$program" deep
"$phasor" report deep >out
grep -q 'stacks.c' out || skip "this build has no names of functions"
says out "uv_timer_cb on_deep (stacks.c:"
# On a machine that is very busy the callback may only have waited for a processor.
if grep -q "was blocked" out; then
    grep -qE 'mostly in (grind|crunch) \(stacks.c:[0-9]+\)' out || fail "$(cat out)"
    grep -qE 'grind \(.*\) < crunch \(.*\) < on_deep \(' out || fail "$(cat out)"
    grep -qE 'on_deep \(stacks.c:[0-9]+\)$' out || fail "the loop's own are shown: $(cat out)"
fi

# For programs, and for the page: a tree, and when a thread was where in it.
"$phasor" report --json deep >report.json
"$phasor" report --html page.html deep
python3 - <<'CODE'
import json, re
report = json.load(open("report.json"))
frames, samples = report["stacks"]["frames"], report["stacks"]["samples"]
assert all(-1 <= parent < i for i, (parent, _) in enumerate(frames)), frames
block = report["longest"][0]
inside = [s for s in samples if block["start"] <= s["time"] <= block["start"] + block["duration"]]
assert inside and len(inside) == len(samples), samples
total = sum(s["duration"] for s in inside)
assert 0 < total <= block["duration"], (total, block)
names = []
node = max(inside, key=lambda s: s["duration"])["frame"]
while node >= 0:
    names.append(frames[node][1])
    node = frames[node][0]
assert names[-1].startswith("on_deep"), names
page = open("page.html", encoding="utf-8").read()
head = json.loads(re.search(r'"trace-head">(.*?)</script>', page, re.S)[1])
assert len(head["stacks"]) == len(frames)
assert [head["strings"][s] for _, s in head["stacks"]] == [name for _, name in frames]
CODE

expect 0 "$phasor" trace -o five "$program" five
says out "five loops"
"$phasor" report five >out
grep -qE '^Loop [1-5] \(thread [0-9]+, .+\)$' out || fail "$(cat out)"
"$phasor" report --json five >report.json
python3 - <<'CODE'
import json
report = json.load(open("report.json"))
assert len(report["loops"]) == 5, report["loops"]
threads = {loop["thread"] for loop in report["loops"]}
sampled = {s["thread"] for s in report["stacks"]["samples"]}
assert len(threads) == 5 and sampled and sampled <= threads, (sampled, threads)
assert all(one["function"].startswith("on_deep") for one in report["longest"][:5])
CODE

expect 0 "$phasor" trace -o clock "$program" clock
"$phasor" report clock >out
if grep -q "was blocked" out; then
    grep -qE '(9.|100) % of [0-9]+ stacks?: .*watch_the_clock \(.*\) < on_clock \(' out ||
        fail "$(cat out)"
fi

# Of a thread that only waits for a processor no stack is taken: then it is tried again.
names_both() {
    for file in fork fork.[0-9]*; do
        "$phasor" report --json "$file" >out || fail "$(cat out)"
        grep -qF '"crunch (stacks.c:' out || return 1
    done
}
for try in 1 2 3 4 5; do
    rm -f fork fork.[0-9]*
    expect 0 "$phasor" trace -o fork "$program" fork
    says out "the child ended with 0"
    if names_both; then break; fi
    [ "$try" -lt 5 ] || fail "$(cat out)"
done
