"""A tls.connect() whose signal is aborted already makes no connection, and nothing stays open.

Node 20 connects, and fails an assertion: what it prints can't be compared.
"""

import pathlib
import subprocess
import sys

KEYS = pathlib.Path(__file__).resolve().parents[1] / "tls" / "keys"
PROGRAM = """
const tls = require('tls');
const server = tls.createServer(require(process.argv[1]).server);
server.on('connection', () => console.log('a connection'));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const socket = tls.connect({ port, host: '127.0.0.1', signal: AbortSignal.abort() });
  socket.on('error', (error) => console.log(error.name));
  socket.on('close', () => setTimeout(() => server.close(() => console.log('closed')), 100));
});
"""
done = subprocess.run([sys.argv[1], "-e", PROGRAM, KEYS], capture_output=True, text=True,
                      timeout=60, check=False)
print(done.stdout + done.stderr)
sys.exit(done.stdout != "AbortError\nclosed\n")
