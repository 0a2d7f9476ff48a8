"""tls_clients.py PHASOR [REQUESTS]: other people's TLS and HTTP/2 with ours, both ways.

Python's ssl, openssl s_client and s_server, curl and Node 20: HTTPS and HTTP/2, client
certificates, resumption, names that do not fit. What is not installed is passed over.
`make tls-clients` sends 10,000 requests.
"""

import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

PHASOR = sys.argv[1]
REQUESTS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
KEYS = pathlib.Path(__file__).resolve().parent.parent / "tls" / "keys"
SERVER = """
const keys = require(process.argv[1]);
const http2 = require('http2');
const server = http2.createSecureServer({ ...keys.server, ca: keys.ca, allowHTTP1: true,
  requestCert: true, rejectUnauthorized: false }, (req, res) => {
  const socket = req.stream ? req.stream.session.socket : req.socket;
  let size = 0;
  req.on('data', (chunk) => { size += chunk.length; });
  req.on('end', () => res.end(`${req.httpVersion} ${req.url} ${size} ${socket.authorized} ${
    socket.isSessionReused()}`));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
"""
CLIENT = """
const [folder, port, count] = process.argv.slice(1);
const keys = require(folder);
const https = require('https');
const http2 = require('http2');
const agent = new https.Agent({ keepAlive: true, maxSockets: 8, ca: keys.ca, ...keys.client });
const get = (i) => new Promise((resolve, reject) => {
  https.get({ port, host: '127.0.0.1', path: `/${i}`, agent }, (res) => {
    let text = '';
    res.setEncoding('utf8').on('data', (piece) => { text += piece; });
    res.on('end', () => resolve(text));
  }).on('error', reject);
});
const ask = (session, i) => new Promise((resolve, reject) => {
  const req = session.request({ ':path': `/${i}` });
  let text = '';
  req.setEncoding('utf8').on('data', (piece) => { text += piece; }).on('end', () => resolve(text));
  req.on('error', reject);
});
(async () => {
  let right = 0;
  for (let i = 0; i < count; i += 50) {
    const all = await Promise.all(Array.from({ length: Math.min(50, count - i) },
      (_, j) => get(i + j)));
    right += all.filter((text, j) => text.startsWith(`1.1 /${i + j} 0 true`)).length;
  }
  agent.destroy();
  const session = http2.connect(`https://127.0.0.1:${port}`, { ca: keys.ca, ...keys.client });
  for (let i = 0; i < count; i += 50) {
    const all = await Promise.all(Array.from({ length: Math.min(50, count - i) },
      (_, j) => ask(session, i + j)));
    right += all.filter((text, j) => text.startsWith(`2.0 /${i + j} 0 true`)).length;
  }
  session.close();
  console.log(right);
})();
"""
failures = []


def check(title, condition, shown=""):
    print(f"{'ok' if condition else 'NOT'}: {title}{'' if condition else f' {shown!r}'}")
    if not condition:
        failures.append(title)


def serve(program):
    process = subprocess.Popen([program, "-e", SERVER, str(KEYS)], stdout=subprocess.PIPE,
                               text=True)
    return process, int(process.stdout.readline())


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=300, check=False, **options)


def python_client(port):
    context = ssl.create_default_context(cafile=KEYS / "ca.pem")
    context.load_cert_chain(KEYS / "client.pem", KEYS / "client.key")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    session = None
    for title, wanted in (("python, TLS 1.2", b"true false"), ("python, resumed", b"true true")):
        with socket.create_connection(("127.0.0.1", port)) as plain, \
                context.wrap_socket(plain, server_hostname="localhost", session=session) as secure:
            secure.sendall(b"GET /p HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            text = b"".join(iter(lambda: secure.recv(65536), b""))
            session = secure.session
        check(title, text.endswith(b"1.1 /p 0 " + wanted) or wanted in text, text[-80:])
    try:
        with socket.create_connection(("127.0.0.1", port)) as plain, \
                context.wrap_socket(plain, server_hostname="nobody.test"):
            check("python refuses another name", False)
    except ssl.SSLCertVerificationError:
        check("python refuses another name", True)


def openssl_client(port):
    asked = run("openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost",
                "-CAfile", KEYS / "ca.pem", "-verify_return_error", "-alpn", "http/1.1", "-quiet",
                input="GET /o HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    check("openssl s_client", "1.1 /o 0 false" in asked.stdout, asked.stderr[-300:])
    for option in ("-ssl3", "-tls1", "-tls1_1"):
        old = run("openssl", "s_client", "-connect", f"127.0.0.1:{port}", option, input="")
        check(f"openssl s_client {option} is refused", old.returncode != 0)


def curl_client(port):
    base = ["curl", "-sS", "--cacert", KEYS / "ca.pem", "--resolve", f"localhost:{port}:127.0.0.1"]
    identity = ["--cert", KEYS / "client.pem", "--key", KEYS / "client.key"]
    address = f"https://localhost:{port}/c"
    one = run(*base, "--http1.1", *identity, address)
    check("curl, HTTP/1.1, client certificate", one.stdout.startswith("1.1 /c 0 true"), one.stderr)
    two = run(*base, "--http2", address, address)
    check("curl, HTTP/2", two.stdout.count("2.0 /c 0 false") == 2, two.stdout + two.stderr)
    with tempfile.NamedTemporaryFile() as body:
        body.write(b"x" * 1_000_000)
        body.flush()
        sent = run(*base, "--http2", "--data-binary", f"@{body.name}", address)
    check("curl sends a megabyte", "2.0 /c 1000000" in sent.stdout, sent.stdout + sent.stderr)
    bad = run("curl", "-sS", "--resolve", f"localhost:{port}:127.0.0.1", address)
    check("curl does not believe an unknown root", bad.returncode == 60, bad.stderr)


def openssl_server():
    process = subprocess.Popen(["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-key",
                                KEYS / "server.key", "-cert", KEYS / "server.pem"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        port = next((line.split(":")[-1].strip() for line in process.stdout
                     if line.startswith("ACCEPT")), "")
        threading.Thread(target=process.stdout.read, daemon=True).start()
        asked = run(PHASOR, "-e", """
          const [folder, port] = process.argv.slice(1);
          require('https').get({ port, host: '127.0.0.1', ca: require(folder).ca }, (res) => {
            let size = 0;
            res.on('data', (chunk) => { size += chunk.length; });
            res.on('end', () => console.log(res.statusCode, size > 100));
          });""", KEYS, port)
        check("openssl s_server", asked.stdout == "200 true\n", asked.stdout + asked.stderr)
    finally:
        process.kill()
        process.wait()


def many(title, client, port):
    asked = run(client, "-e", CLIENT, KEYS, port, REQUESTS)
    check(f"{title}, {2 * REQUESTS} requests", asked.stdout == f"{2 * REQUESTS}\n",
          asked.stdout + asked.stderr)


def main():
    ours, port = serve(PHASOR)
    try:
        python_client(port)
        if shutil.which("openssl"):
            openssl_client(port)
            openssl_server()
        if shutil.which("curl"):
            curl_client(port)
        many("our client and server", PHASOR, port)
        if run("node", "--version").stdout.startswith("v20") if shutil.which("node") else False:
            many("Node's client", "node", port)
            theirs, other = serve("node")
            try:
                many("Node's server", PHASOR, other)
            finally:
                theirs.kill()
                theirs.wait()
    finally:
        ours.kill()
        ours.wait()
    sys.exit(len(failures))


main()
