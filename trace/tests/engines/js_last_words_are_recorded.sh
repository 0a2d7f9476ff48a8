#!/usr/bin/env bash
# The function in which a script is killed is in the recording, with its name.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'END'
setTimeout(function lastWords() {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}, 5);
END
expect 137 "$phasor" trace -o file app.js
expect 0 "$phasor" report file
says out "lastWords (app.js:1)"
