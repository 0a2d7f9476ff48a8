program=$1
keys=$(dirname "$0")/../tls/keys
cat >script.js <<'END'
const tls = require('tls');
const { ca, server: identity } = require(process.argv[2]);
const server = tls.createServer(identity, (socket) => socket.end('text'));
server.listen(0, '127.0.0.1', () => {
    tls.connect({ port: server.address().port, host: '127.0.0.1', ca }).resume()
        .on('close', () => server.close());
});
END
"$program" --no-warnings --tls-keylog=log script.js "$(realpath "$keys")"
echo "status $?"
cut -d ' ' -f 1 log | sort | uniq -c
stat -c %a log
