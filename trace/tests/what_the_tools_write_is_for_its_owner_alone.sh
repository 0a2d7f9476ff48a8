#!/usr/bin/env bash
# A recording holds names, paths and arguments of a program; so do the pages and figures that are
# made from it.
. trace/tests/common.bash
umask 000
PHASOR_TRACE=file "$program" names >/dev/null
expect 0 "$phasor" report file --html page.html --perfetto perfetto.json
expect 0 "$phasor" export file --prometheus metrics.txt --otlp otlp.json
expect 0 "$phasor" trace -o recorded -- "$program" names
for made in file page.html perfetto.json metrics.txt otlp.json recorded; do
    mode=$(stat -c %a "$made")
    [ "$mode" = 600 ] || fail "$made has mode $mode"
done
# A page that was readable by all and is made anew is no longer.
chmod 644 page.html
expect 0 "$phasor" report file --html page.html
[ "$(stat -c %a page.html)" = 600 ] || fail "a page that replaces another has its mode"
# Who made a file for a collector of figures to read has said so.
chmod 644 metrics.txt
expect 0 "$phasor" export file --prometheus metrics.txt
[ "$(stat -c %a metrics.txt)" = 644 ] || fail "the mode of a file that was there is not kept"
