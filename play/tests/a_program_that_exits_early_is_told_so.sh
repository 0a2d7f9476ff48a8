# process.exit and an error that nobody catches end a program: the loop does not begin.
. "$(dirname "$0")/common.bash"

for code in 'process.exit(3);' 'throw new Error("no");'; do
    printf '%s\nsetTimeout(() => console.log("never"), 1);\n' "$code" >program.js
    play program.js --events >events.txt
    [ "$(kinds loop turn exit timer+)" = exit ] ||
        fail "$code is told as: $(kinds loop turn exit timer+)"
done
