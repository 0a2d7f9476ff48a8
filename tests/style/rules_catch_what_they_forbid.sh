#!/usr/bin/env bash
# Each rule is tried on a small tree that breaks it, so that a rule that has gone blind is noticed.
set -euo pipefail
rules=$PWD/tests/style
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-style-XXXXXX")
trap 'rm -rf "$temp"' EXIT
cd "$temp"
export GIT_CEILING_DIRECTORIES=$temp
mkdir -p lib/{base,core,stream,net,thread,process,include,tests/{behaviour,unit}} docs
mkdir -p trace/{recorder,read} sim/world runtime/engine
failed=0

breaks() { # breaks RULE [objects] TEXT...: the rule fails, and says each text
    local rule=$1 text output folder=()
    shift
    [ "$1" != objects ] || { folder=(objects); shift; }
    if output=$(python3 -B "$rules/$rule.py" "${folder[@]}" 2>&1); then
        echo "$rule finds nothing: $output" >&2
        failed=1
    fi
    for text; do
        grep -qF "$text" <<<"$output" || { echo "$rule misses: $text" >&2; failed=1; }
    done
}

keeps() { # keeps RULE [objects]: the rule has nothing to say
    local output
    output=$(python3 -B "$rules/$1.py" "${@:2}" 2>&1) || { echo "$1: $output" >&2; failed=1; }
}

touch lib/tests/harness.h
touch lib/core/{loop.h,dispatch.h} lib/base/queue.h lib/thread/pool.h lib/stream/stream.h
echo '#include "base/queue.h"' >lib/core/loop.c
printf '#include "core/loop.h"\n#include "thread/pool.h"\n#include <uv.h>\n' >lib/net/dns.c
echo '#include "stream/stream.h"' >lib/process/spawn.c
printf '#include "harness.h"\n#include <uv.h>\n#include <stdio.h>\n' >lib/tests/behaviour/good.c
keeps includes
echo '#include "core/loop.h"' >lib/base/queue.c
echo '#include "stream/stream.h"' >lib/net/udp.c
printf '\n#include "stream/stream.h"\n' >lib/core/bad.c
touch lib/hooks.h trace/recorder/events.h
echo '#include "hooks.h"' >lib/core/told.c
echo '#include "recorder/events.h"' >lib/core/tracing.c
printf '#include "hooks.h"\n#include "core/loop.h"\n' >trace/recorder/hooks.c
echo '#include "queue.h"' >lib/base/near.c
echo '#include "base/queue.h"' >lib/tests/behaviour/bad.c
echo '#include <uv/private.h>' >lib/tests/behaviour/worse.c
breaks includes "lib/base/queue.c:1: base may not include core/loop.h" \
    "lib/net/udp.c:1: net may not include stream/stream.h" \
    "lib/core/bad.c:2: core may not include stream/stream.h" \
    "lib/base/near.c:1: queue.h is not in lib/" \
    "lib/core/tracing.c:1: recorder/events.h is not in lib/" \
    "trace/recorder/hooks.c:2: trace/recorder may not include lib/core/loop.h" \
    "lib/tests/behaviour/bad.c:1:" "lib/tests/behaviour/worse.c:1:"

object() { # object ROOM/NAME: compiles what stands on standard input
    mkdir -p "objects/${1%/*}"
    gcc -x c -c - -o "objects/$1.c.o"
}
object core/loop <<<'extern const int ph_parts; int uv_run(void) { return ph_parts; }'
object assembly/tables <<<'
    int ph_f(void); const int ph_parts = 1; int ph_top(void) { return ph_f(); }'
object thread/pool <<<'int uv_run(void); int ph_work_submit(void) { return uv_run(); }'
object net/udp <<<'int ph_work_submit(void); int uv_udp_open(void) { return ph_work_submit(); }'
object stream/tcp <<<'int uv_udp_open(void); int ph_f(void) { return uv_udp_open(); }'
keeps calls objects
object core/bad <<<'int ph_f(void), ph_top(void); int ph_g(void) { return ph_f() + ph_top(); }'
object os/clock <<<'int uv_run(void); int ph_h(void) { return uv_run(); }'
object net/dns <<<'int ph_f(void); int ph_i(void) { return ph_f(); }'
breaks calls objects "lib/core/bad.c.o:1: core may not use ph_f of stream" \
    "lib/core/bad.c.o:1: core may not use ph_top of assembly" \
    "lib/os/clock.c.o:1: os may not use uv_run of core" \
    "lib/net/dns.c.o:1: net may not use ph_f of stream"

cat >lib/core/calls.c <<'END'
/* handle->close_cb(handle) */
static void (*on_cb)(int a);
int uv_x_start(uv_x_t* handle, uv_x_cb cb) {
    handle->x_cb = cb;
    dispatch_x(handle, cb);
    return handle->x_cb != NULL;
}
END
keeps callbacks
cat >lib/core/calls.c <<'END'
int uv_x_start(uv_x_t* handle, uv_x_cb cb, uv_y_cb then) {
    handle->x_cb(handle);
    cb(handle);
    (*then)(handle);
    if (handle->internal.cb)
        (handle->internal.cb)(0);
    return 0;
}
END
breaks callbacks calls.c:2: calls.c:3: calls.c:4: calls.c:6:

a_function() { # a_function LINES
    printf 'static int long_one(int a,\n                    int b) {\n'
    for ((i = 3; i < $1; i++)); do echo "    a += b;"; done
    echo "}"
}
a_function 60 >lib/core/long.c
keeps lengths
a_function 61 >lib/core/long.c
breaks lengths "lib/core/long.c:1: static int long_one has 61 lines"
a_method() { # a_method LINES
    printf 'class One {\n  #two(a, b) {\n'
    for ((i = 2; i < $1; i++)); do echo "    if (a) { b(); }"; done
    printf '  }\n\n  three() {\n    return () => {\n    };\n  }\n}\n'
}
rm lib/core/long.c
a_method 60 >lib/core/long.js
keeps lengths
a_method 61 >lib/core/long.js
breaks lengths "lib/core/long.js:2: two has 61 lines"
rm lib/core/long.js
seq -f 'int declaration_%g(void);' 701 >lib/core/long.c
breaks lengths "lib/core/long.c:1: 701 lines"
rm lib/core/long.c

echo 'mkdtemp("phasor-XXXXXX"); XX(ASYNC, async) "$prefix/work/a" "//home."' >lib/core/tidy.c
printf '// wrap: read write\n// threaded\n// alone\n"ab//c" /* // */\n' >>lib/core/tidy.c
keeps tidiness
echo 'int a; // alone or not' >>lib/core/tidy.c
breaks tidiness "tidy.c:6: a // comment"
{
    echo "// TO""DO: later"
    echo "// FIX""ME"
    printf 'int\ta;\n'
    printf '%0101d\n' 0
    echo 'int b; '
    echo '"/wo''rk/main"'
    echo 'ht''tp://deb.example.org/'
    printf 'int end;'
} >lib/core/tidy.c
echo '  void unused;' >lib/core/tidy.js
breaks tidiness "tidy.c:1: a note" "tidy.c:2: a note" "tidy.c:3: a tab" "tidy.c:4: 101 columns" \
    "tidy.c:5: blanks" "tidy.c:6: a path" "tidy.c:7: the host" "tidy.c:8: no newline" \
    "tidy.js:1: a name"
rm lib/core/tidy.c lib/core/tidy.js
mkdir -p runtime/tests/js/expected
printf 'blanks \nno end' >runtime/tests/js/expected/printed.txt
keeps tidiness
printf 'PATH=/ro''ot/.tools:/bin' >runtime/tests/js/expected/printed.txt
breaks tidiness "printed.txt:1: a path"
rm -r runtime/tests/js/expected

printf '\nTEST(a_timer_fires_once) {\n}\n' >lib/tests/unit/timer.c
keeps names
printf '\nTEST(timer) {\n}\n  TEST(it_is_indented_here) {\n}\n' >lib/tests/unit/timer.c
printf '\nTEST(one_two_three) {}\nTEST(one_two_three) {}\n' >lib/tests/unit/twice.c
breaks names "timer.c:2: TEST(timer) has fewer" "timer.c:4: TEST(it_is_indented_here) does not" \
    "twice.c:3: TEST(one_two_three) is there twice"

printf '# The map\nbase/ core/ stream/ net/ thread/ process/ include/ tests/\n%s\n' \
    '[x](#the-map) [y](../lib/core)' >docs/ARCHITECTURE.md
mkdir -p runtime/js/internal/url
touch runtime/js/internal/url/parse.js
printf '`internal/url/parse.js` `internal/url/`\n' >docs/SCRIPTS.md
keeps documents
printf '`internal/url_parse`\n' >docs/SCRIPTS.md
printf '# The map\nbase/ core/\n[x](gone.md)\n[y](#no)\n`[z](code)`\n' >docs/ARCHITECTURE.md
printf '`nobody_has_written_it`\n' >docs/PROMISES.md
breaks documents "does not name lib/stream/" "ARCHITECTURE.md:3: leads nowhere: gone.md" \
    "SCRIPTS.md:1: there is no runtime/js/internal/url_parse.js" \
    "ARCHITECTURE.md:4: no such heading" "PROMISES.md:1: no such test: nobody_has_written_it"

printf '# A\n```\nmake\n```\n| a | 1 |\n' | tee page.md page.zh.md >/dev/null
keeps translations
printf '# A\n## B\n```\nmake all\n```\n| a | 2 |\n' >page.zh.md
breaks translations "other headings" "other blocks" "other rows"
exit $failed
