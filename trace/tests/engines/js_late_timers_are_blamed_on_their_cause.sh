#!/usr/bin/env bash
# Timers of the program, of which many share one of the loop's, are counted one by one.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'END'
setTimeout(function parseConfig() {
  for (let i = 0, sum = 0; i < 5e6; i++) sum += i;
}, 20);
for (let i = 0; i < 14; i++) setTimeout(function late() {}, 30 + i);
END
expect 0 "$phasor" trace -o file app.js
expect 0 "$phasor" report file
says out "by the timer callback parseConfig (app.js:1); 14 timers were late because of it."
expect_json file "report['loops'][0]['timerLateness']['count'] == 15"
expect_json file "report['loops'][0]['phases']['timers']['callbacks'] == 15"
# The page says it in the same words.
expect 0 "$phasor" report --html page.html file
says page.html "parseConfig (app.js:1); 14 timers were late because of it."
