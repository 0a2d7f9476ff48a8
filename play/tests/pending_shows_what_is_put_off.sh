# An answer that is there at once is put off to the pending phase, or to the end of poll: the page
# shows it in its box until then, and says why.
. "$(dirname "$0")/common.bash"

says() { # says PATTERN: one of the steps, as a whole line
    grep -qx -- "$1" steps.txt || fail "no step says: $1
$(cat steps.txt)"
}

cat >connect.js <<'END'
const net = require('net');
net.connect('missing.sock').on('error', function onError(error) { console.log(error.code); });
END
steps connect.js pending >steps.txt
says 'req-pending pending: Line 2 asks.* put off to the pending phase\. \[connect (line 2)\]'
says 'phase-1 phases: Pending: 1 put off to this turn\. \[connect (line 2)\]'
says 'cb-pending pending: .*waited for this phase\.'

cat >shutdown.js <<'END'
const net = require('net');
const server = net.createServer(function onClient(client) {
  client.end('bye', function ended() { console.log('ended'); });
  server.close();
}).listen(0, '127.0.0.1', () => net.connect(server.address().port, '127.0.0.1').resume());
END
steps shutdown.js pending >steps.txt
says 'req-pending pending: Line 3 asks.* put off to the pending phase\. \[shutdown (line 3)\]'
says 'cb-pending-poll pending: Poll has called all that was ready\..*'
! grep -q '^phase-5.*\[' steps.txt || fail "it waits longer than poll: $(cat steps.txt)"

# What the kernel has to be asked for is not put off.
cat >refused.js <<'END'
require('net').connect(1, '127.0.0.1').on('error', (error) => console.log(error.code));
END
steps refused.js pending >steps.txt
! grep -q 'pending: ' steps.txt || fail "a connect that takes its time: $(cat steps.txt)"
says 'print -: Prints: ECONNREFUSED'
