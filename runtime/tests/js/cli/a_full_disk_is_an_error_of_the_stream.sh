program=$1
[ -w /dev/full ] || exit 0
exec 3>&1
"$program" -e 'console.log(1); process.exitCode = 3' >/dev/full 2>/dev/null
echo "console.log $?"
"$program" -e 'console.error(1); process.exitCode = 3' 2>/dev/full
echo "console.error $?"
"$program" -e '
process.stdout.on("error", (error) => console.error("event", error.code, error.syscall));
process.stdout.write("abc", (error) => console.error("callback", error.code));
process.exitCode = 4' >/dev/full 2>&3
echo "a listener $?"
"$program" -e 'process.stdout.write("abc")' >/dev/full 2>/dev/null
echo "no listener $?"
"$program" -e '
const out = require("fs").createWriteStream("/dev/full");
out.on("error", (error) => console.error("event", error.code));
out.end("abc", () => console.error("never finished"));' 2>&3
echo "a file stream $?"
"$program" -e 'require("fs").writeFileSync("/dev/full", "abc")' 2>/dev/null
echo "writeFileSync $?"
