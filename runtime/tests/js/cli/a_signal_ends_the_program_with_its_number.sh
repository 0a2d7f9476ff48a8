program=$1
for signal in HUP INT QUIT TERM USR2 ALRM KILL; do
    # In a shell of its own, which tells of the signal.
    bash -c '"$0" -e "process.kill(process.pid, \"SIG$1\"); setTimeout(() => {}, 5000)"
        echo "$1 $?"' \
        "$program" $signal 2>/dev/null
done
bash -c '"$0" -e "process.abort()" ; echo "abort $?"' "$program" 2>/dev/null
for signal in HUP INT TERM USR2; do
    "$program" -e "
        process.on('SIG$signal', (name, number) => {
            console.log('got', name, number);
            process.exitCode = 128 + number;
            clearInterval(timer);
        });
        const timer = setInterval(() => {}, 1000);
        process.kill(process.pid, 'SIG$signal');"
    echo "$signal $?"
done
# Without its last listener a signal is deadly again.
bash -c '"$0" -e "
    const f = () => {};
    process.on(\"SIGTERM\", f);
    process.off(\"SIGTERM\", f);
    setTimeout(() => process.kill(process.pid, \"SIGTERM\"), 10);
    setTimeout(() => {}, 5000);"; echo "removed $?"' "$program" 2>/dev/null
