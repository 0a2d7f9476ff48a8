"""http_peers.py PHASOR [REQUESTS]: other people's servers, clients and proxies of HTTPS and HTTP/2
with ours: nginx, nghttp, nghttpd, nghttpx, h2load, aiohttp; client certificates and resumption.

They are installed, or unpacked below the build folder by `make tls-clients`, which sends 10,000
requests through each; what is not there is passed over. Prints a table.
"""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[2] / "userland"))
from unpacked import Unpacked, free_port  # noqa: E402

PHASOR = str(pathlib.Path(sys.argv[1]).resolve())
REQUESTS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
KEYS = HERE.parents[1] / "tls" / "keys"
PEERS = HERE.parent / "peers"
UNPACKED = Unpacked(pathlib.Path(PHASOR).parents[1] / "servers" / "root")
IDENTITY = [KEYS / "client.key", KEYS / "client.pem"]
rows = []


def row(peer, what, count, is_right, shown=""):
    rows.append((peer, what, count, "ok" if is_right else "WRONG"))
    if not is_right:
        print(f"{peer}, {what}: {shown[-600:]}")


class Running:
    """A program that runs while its block does."""

    def __init__(self, *words, port=None, folder=None):
        self.words = [str(word) for word in words]
        self.port = port
        self.folder = folder

    def __enter__(self):
        prints = subprocess.PIPE if self.port is None else subprocess.DEVNULL
        self.process = subprocess.Popen(self.words, stdout=prints, stdin=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, text=True, cwd=self.folder,
                                        env=environment(self.words))
        if self.port is None:
            self.port = self.process.stdout.readline().strip()
        else:
            self.wait()
        return self.port

    def wait(self):
        until = time.monotonic() + 30
        while time.monotonic() < until and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", int(self.port)), timeout=5).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{self.words[0]} does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def environment(words):
    return None if words[0] == PHASOR else UNPACKED.environment


def run(*words):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False,
                          stdin=subprocess.DEVNULL, env=environment(words))
    return done.stdout + done.stderr


def ours():
    """Our server: it answers with what it was asked, and by whom."""
    return Running(PHASOR, PEERS / "server.js", KEYS)


def ask(port, protocol, *options):
    """Our client's report: how many answers were right, and whether sessions were resumed."""
    text = run(PHASOR, PEERS / "client.js", KEYS, port, protocol, REQUESTS, *options)
    try:
        return json.loads(text)
    except ValueError:
        return {"right": -1, "error": text}


def client_of(peer, port, *options):
    for protocol in ("https", "http2"):
        if protocol in options:
            continue
        told = ask(port, protocol)
        row(f"{peer} as server", f"our {protocol} client", REQUESTS, told["right"] == REQUESTS,
            str(told))
        row(f"{peer} as server", f"our {protocol} client resumes", 2, told.get("resumed") is True,
            str(told))


def nginx(folder, listen, location):
    for name in ("www", "nginx"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "www" / "file").write_text("a file of nginx\n")
    temporary = "\n".join(f"{kind}_temp_path nginx/{kind};" for kind in
                          ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(f"""
daemon off; master_process off; pid nginx/pid; error_log stderr;
events {{ worker_connections 1000; }}
http {{
  {temporary}
  access_log off; keepalive_requests 100000;
  ssl_certificate {KEYS}/server.pem; ssl_certificate_key {KEYS}/server.key;
  ssl_client_certificate {KEYS}/ca.pem; ssl_verify_client optional;
  ssl_session_cache shared:sessions:1m;
  upstream ours {{ server {location}; keepalive 8; keepalive_requests 100000; }}
  server {{
    listen 127.0.0.1:{listen} ssl http2;
    root www;
    location /via/ {{
      proxy_pass https://ours/; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_ssl_certificate {KEYS}/client.pem; proxy_ssl_certificate_key {KEYS}/client.key;
      proxy_ssl_trusted_certificate {KEYS}/ca.pem; proxy_ssl_verify on;
      proxy_ssl_name localhost; proxy_ssl_server_name on; proxy_ssl_session_reuse on;
    }}
    location / {{ return 200 "$request_uri $ssl_client_verify $ssl_session_reused\\n"; }}
  }}
}}
""")
    return Running(UNPACKED.find("nginx"), "-p", folder, "-e", "stderr", "-c",
                   folder / "nginx.conf", port=listen)


def with_nginx(folder):
    with ours() as port, nginx(folder, free_port(), f"127.0.0.1:{port}") as front:
        client_of("nginx", front)
        for protocol in ("https", "http2"):
            told = ask(front, protocol, "/via/")
            row("nginx as proxy", f"our {protocol} client, our server behind", REQUESTS,
                told["right"] == REQUESTS, str(told))


def load(peer, port, path, *options):
    """h2load through 8 connections, 20 requests at a time each."""
    if UNPACKED.find("h2load") is None:
        return
    for name, more in (("HTTP/2", ["-m20"]), ("HTTP/1.1", ["--h1"])):
        if name in options:
            continue
        text = run(UNPACKED.find("h2load"), f"-n{REQUESTS}", "-c8", *more,
                   f"https://127.0.0.1:{port}{path}")
        row(peer, name, REQUESTS, f"{REQUESTS} succeeded" in text and
            f"{REQUESTS} 2xx" in text, text)


def with_nghttp2(folder):
    with ours() as port:
        text = run(UNPACKED.find("nghttp"), "--key", IDENTITY[0], "--cert", IDENTITY[1],
                   f"https://127.0.0.1:{port}/one", f"https://127.0.0.1:{port}/two")
        row("nghttp as client", "HTTP/2, client certificate", 2,
            "2.0 /one 0 true" in text and "2.0 /two 0 true" in text, text)
        load("h2load as client", port, "/load")
        front = free_port()
        with Running(UNPACKED.find("nghttpx"), "--conf=/dev/null", f"-f127.0.0.1,{front}",
                     f"-b127.0.0.1,{port};;proto=h2;tls;sni=localhost", f"--cacert={KEYS}/ca.pem",
                     f"--client-cert-file={IDENTITY[1]}",
                     f"--client-private-key-file={IDENTITY[0]}",
                     "--no-ocsp", "--backend-address-family=IPv4", "--single-process",
                     "--workers=1", KEYS / "server.key", KEYS / "server.pem", port=front) as proxy:
            for protocol in ("https", "http2"):
                told = ask(proxy, protocol, "/")
                row("nghttpx as proxy", f"our {protocol} client, our server behind by HTTP/2",
                    REQUESTS, told["right"] == REQUESTS, str(told))
    (folder / "file").write_text("a file of nghttpd\n")
    origin = free_port()
    with Running(UNPACKED.find("nghttpd"), "--verify-client", "-d", folder, "-a", "127.0.0.1",
                 origin, KEYS / "server.key", KEYS / "server.pem", port=origin):
        told = ask(origin, "http2", "/file?")
        row("nghttpd as server", "our http2 client, client certificate", REQUESTS,
            told["right"] == REQUESTS, str(told))


def with_aiohttp(_):
    python = "/usr/bin/python3"
    if run(python, "-c", "import aiohttp; print('ok')").strip() != "ok":
        return
    with ours() as port:
        text = run(python, PEERS / "aiohttp_client.py", KEYS, port, REQUESTS)
        row("aiohttp as client", "HTTPS, client certificate", REQUESTS,
            text.strip() == str(REQUESTS), text)
    with Running(python, PEERS / "aiohttp_server.py", KEYS) as port:
        client_of("aiohttp", port, "http2")


def print_table():
    wide = [max(len(str(one[i])) for one in rows) for i in range(4)]
    for one in rows:
        print("  ".join(str(one[i]).ljust(wide[i]) for i in range(4)).rstrip())


def main():
    needed = {with_nginx: ["nginx"], with_aiohttp: [],
              with_nghttp2: ["nghttp", "nghttpd", "nghttpx"]}
    for work, names in needed.items():
        if all(UNPACKED.find(name) for name in names):
            with tempfile.TemporaryDirectory(prefix="peers-") as folder:
                work(pathlib.Path(folder))
    if rows:
        print_table()
    sys.exit(any(one[3] != "ok" for one in rows))


main()
