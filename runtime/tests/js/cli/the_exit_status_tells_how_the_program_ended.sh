program=$1
exec 2>/dev/null
status() {
    "$program" -e "$1" >/dev/null
    echo "$1: $?"
}
status ''
status 'process.exit()'
status 'process.exit(3)'
status 'process.exit(300)'
status 'process.exit(-1)'
status 'process.exit("4")'
status 'process.exit("no number")'
status 'process.exitCode = 5'
status 'process.exitCode = "6"'
status 'process.exitCode = 1.5'
status 'process.exitCode = 5; process.exit()'
status 'process.exitCode = 5; process.exit(0)'
status 'process.exitCode = 5; throw new Error("x")'
status 'throw new Error("x")'
status 'throw 0'
status 'throw undefined'
status 'Promise.reject(new Error("x"))'
status 'Promise.reject()'
status 'let a = ;'
status 'process.on("exit", () => { process.exitCode = 8 })'
status 'process.on("exit", () => { throw new Error("x") })'
status 'process.on("exit", (code) => process.exit(code + 1)); process.exit(4)'
status 'process.on("beforeExit", () => process.exit(9))'
status 'process.on("uncaughtException", () => {}); throw new Error("x")'
status 'process.on("uncaughtException", () => { throw new Error("y") }); throw new Error("x")'
status 'process.on("uncaughtException", () => process.exit(10)); throw new Error("x")'
status 'process.on("unhandledRejection", () => {}); Promise.reject(1)'
status 'process.setUncaughtExceptionCaptureCallback(() => process.exit(11)); throw 1'
status 'require("./missing")'
status 'process.reallyExit(12)'
status 'process.exitCode = 2; setTimeout(() => { process.exitCode = 0 }, 1)'
"$program" --input-type=module -e 'await new Promise(() => {})'
echo "an await without an end: $?"
"$program" --input-type=module -e 'process.exitCode = 3; await new Promise(() => {})'
echo "an await without an end, with a code: $?"
"$program" --input-type=module -e '
    process.on("exit", (code) => console.log("told", code));
    await new Promise(() => {})'
echo "an await without an end, with a listener: $?"
"$program" --input-type=module -e 'throw new Error("x")'
echo "a module that throws: $?"
"$program" missing.js
echo "no such file: $?"
"$program" --no-such-option
echo "a bad option: $?"
"$program" -e
echo "an option without its value: $?"
