"""`phasor top --html`: who may have the page, and that it follows the process.

    live.py BUILD
"""

import http.client
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import chromium
from pages import contains, equal

PROGRAM = "setInterval(function tick() {}, 5); setTimeout(() => process.exit(), 100000);"


def ask(host, path, method="GET", **headers):
    connection = http.client.HTTPConnection(*host, timeout=20)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    return answer, body


def who_may_ask(host, path):
    answer, page = ask(host, path)
    equal(answer.status, 200)
    contains(page, "trace-live")
    equal(answer.getheader("Cache-Control"), "no-store")
    equal(answer.getheader("X-Frame-Options"), "DENY")
    equal(ask(host, path, Host=f"localhost:{host[1]}")[0].status, 200)
    until = time.monotonic() + 30
    while True:
        answer, data = ask(host, path + "data")
        equal(answer.status, 200)
        if "trace-rows" in data or time.monotonic() > until:
            break
        time.sleep(0.1)
    contains(data, "trace-rows")
    assert "<title>" not in data and "trace-live" not in data
    for other in ("example.com", f"example.com:{host[1]}", "127.0.0.1", f"127.0.0.1:{host[1]}.evil",
                  ""):
        answer, body = ask(host, path, Host=other)
        equal((other, answer.status), (other, 403))
        assert "trace" not in body
    for wrong in ("/", "/data", path[:-2] + "/", path + "x", "/" + "0" * 32 + "/", path + "../"):
        answer, body = ask(host, wrong)
        equal((wrong, answer.status), (wrong, 404))
    equal(ask(host, path, "POST")[0].status, 405)


def strange_clients(host, path):
    """Whoever is slow, says nothing or too much, keeps nobody else waiting."""
    silent = [socket.create_connection(host) for _ in range(5)]
    half = socket.create_connection(host)
    half.sendall(b"GET " + path.encode())
    long = socket.create_connection(host)
    long.settimeout(20)
    long.sendall(b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n")
    contains(long.recv(100), b"400")
    zero = socket.create_connection(host)
    zero.settimeout(20)
    zero.sendall(b"GET / HTTP/1.1\0\r\nHost: x\r\n")
    contains(zero.recv(100), b"400")
    equal(ask(host, path)[0].status, 200)
    for one in [*silent, half, long, zero]:
        one.close()
    # It listens on loopback, and nowhere else.
    with open("/proc/net/tcp", encoding="ascii") as table:
        own = [line.split()[1] for line in table if f":{host[1]:04X} 00000000:0000" in line]
    equal(own, [f"0100007F:{host[1]:04X}"])


def follows(b, url):
    b.size(1280, 800, still=True)
    b.send("Page.navigate", {"url": url})
    b.wait("document.body?.dataset.ready === 'true'")
    equal(b.text("#live"), "Live")
    contains(b.text("#functions"), "tick")
    end = b.run("phasorPage.model.end")
    b.wait(f"phasorPage.model.end > {end} + 1e9")
    equal(b.run("phasorPage.view.to >= phasorPage.model.end"), True)
    b.click("#live")
    equal(b.text("#live"), "Paused")
    b.run("new Promise(done => setTimeout(done, 100))")
    b.click("#live")
    equal(b.errors, [])


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    phasor = build / "bin" / "phasor"
    if not chromium.program() or not phasor.exists():
        print("Chromium or the phasor command is not there")
        sys.exit(77)
    folder = pathlib.Path(tempfile.mkdtemp())
    program = top = None
    try:
        file = folder / "r.trace"
        program = subprocess.Popen([phasor, "trace", "-o", file, "-e", PROGRAM], cwd=folder,
                                   stderr=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while not (file.exists() and file.stat().st_size > 4096) and time.monotonic() < until:
            time.sleep(0.05)
        top = subprocess.Popen([phasor, "top", file, "--html", "--interval", "0.5"],
                               stdout=subprocess.PIPE, text=True)
        url = top.stdout.readline().split()[0]
        port, path = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)", url).groups()
        host = ("127.0.0.1", int(port))
        who_may_ask(host, path)
        strange_clients(host, path)
        with chromium.Browser() as browser:
            follows(browser, url)
        top.send_signal(signal.SIGINT)
        equal(top.wait(20), 0)
        top = None
    finally:
        for one in (top, program):
            if one:
                one.terminate()
                one.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
