#!/usr/bin/env bash
# As many as strace counts, also where the idle time is measured, which takes one more per sleep.
. trace/tests/common.bash
command -v strace >/dev/null || skip "there is no strace"
[ -z "$sanitizer" ] || skip "the sanitizer does not like to be traced"
for way in all "clock 20"; do
    PHASOR_TRACE=file strace -f -qq -e trace=epoll_wait,epoll_pwait,epoll_pwait2 -e signal=none \
        -o calls "$program" $way >/dev/null || skip "strace may not trace here"
    expect 0 "$phasor" report file --json
    asked=$(python3 -c 'import json; print(json.load(open("out"))["loops"][0]["polls"]["count"])')
    counted=$(grep -c 'epoll_p*wait2*(' calls)
    [ "$asked" = "$counted" ] || fail "$way: $asked polls, and strace has $counted"
done
