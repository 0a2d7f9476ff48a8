# What can't be played is refused in one sentence; what is wrong in a program is told by its line.
. "$(dirname "$0")/common.bash"

refused() { # refused STATUS TEXT ARGUMENTS...
    local status=$1 text=$2 got=0
    shift 2
    play "$@" >out.txt 2>err.txt || got=$?
    [ "$got" = "$status" ] || fail "phasor play $*: status $got, not $status"
    [ "$(wc -l <err.txt)" = 1 ] || fail "phasor play $* says: $(cat err.txt)"
    grep -qF -- "$text" err.txt || fail "phasor play $* says: $(cat err.txt)"
}
echo 'console.log(1);' >good.js
echo hello >notes.txt
refused 2 "missing.js is not there" missing.js --events
refused 2 "notes.txt is neither JavaScript nor C" notes.txt --events
refused 2 "unknown option --sed" --sed 1 good.js
refused 2 '--seed wants a number' --seed x good.js
refused 2 '--port wants a number' --port 99999 good.js
refused 2 '--save wants the name of a file' good.js --save
refused 2 '--language is en or zh' --language fr good.js
refused 2 'more than one program' good.js good.js
refused 2 "can't be written" good.js --save nowhere/page.html

printf 'let a = 1;\nlet a = 2;\n' >broken.js
play broken.js --events >events.txt
grep -q 'broken.js:2' events.txt || fail "the line of the syntax error is not told"
grep -q 'SyntaxError' events.txt || fail "the syntax error is not told"
