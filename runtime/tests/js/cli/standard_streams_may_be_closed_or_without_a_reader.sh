program=$1
told() { echo "$1 $?" >>told; }
"$program" -e 'console.log(1); process.exitCode = 4' >&-
told "closed output"
"$program" -e 'process.stdout.write("x", (error) => { process.exitCode = error ? 1 : 5 })' >&-
told "closed output, written"
"$program" -e 'console.error(1); process.exitCode = 6' 2>&-
told "closed errors"
"$program" -e 'process.stdin.on("data", () => {}).on("end", () => console.log("the end"))' \
    <&- >>told
told "closed input"
"$program" -e 'require("fs").openSync("told"); console.log("no file was hit")' >&-
told "closed output, file opened"
"$program" <&- >>told
told "a script on closed input"
# A reader that has gone.
gone_now() { # the reader ends first: the program waits until its input ends
    mkfifo gate
    {
        "$program" -e "process.stdin.resume().on('end', () => { $2 })" <gate 2>>said
        echo "$1 $?" >>told
    } | true &
    sleep 0.2
    : >gate
    wait
    rm gate
}
gone_now "console.log" 'for (let i = 0; i < 3; i++) console.log(i); process.exitCode = 3'
gone_now "write with a listener" '
    process.stdout.on("error", (e) => console.error("event", e.code, e.syscall));
    process.stdout.write("x", (e) => console.error("callback", e.code))'
gone_now "write without a listener" 'process.stdout.write("x")'
cat told
grep -E '^(event|callback)' said
