"""the_inspector_lets_only_debuggers_in.py PHASOR: pages of the web, wrong paths and broken frames
get nowhere, and the program goes on."""

import base64
import os
import random
import re
import socket
import struct
import subprocess
import sys

PROGRAM = "setInterval(() => {}, 1000)"


def start(phasor):
    child = subprocess.Popen([phasor, "--inspect=0", "-e", PROGRAM], stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL)
    line = child.stderr.readline().decode()
    host, port, path = re.search(r"ws://([\d.]+):(\d+)(/[-\w]+)$", line.strip()).groups()
    assert host == "127.0.0.1", line
    assert re.fullmatch(r"/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", path), path
    return child, int(port), path


def ask(port, path, **fields):
    """The status of an answer, and the connection."""
    fields = {"Host": f"127.0.0.1:{port}", **{key.replace("_", "-"): value
                                              for key, value in fields.items()}}
    head = f"GET {path} HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n"
                                                for key, value in fields.items())
    peer = socket.create_connection(("127.0.0.1", port), timeout=20)
    peer.sendall(head.encode() + b"\r\n")
    return int(peer.recv(4096).split()[1]), peer


def upgrade(port, path, **fields):
    return ask(port, path, Upgrade="websocket", Connection="Upgrade",
               Sec_WebSocket_Key=base64.b64encode(os.urandom(16)).decode(), **fields)


def frame(payload, opcode=1, last=0x80, masked=True):
    size = len(payload)
    head = bytes([last | opcode]) + (bytes([0x80 | size]) if size < 126
                                     else b"\xfe" + struct.pack(">H", size))
    if not masked:
        return bytes([head[0], head[1] & 0x7f]) + head[2:] + payload
    return head + b"\0\0\0\0" + payload


def is_ended(peer):
    try:
        while True:
            data = peer.recv(65536)
            if not data:
                return True
    except ConnectionResetError:
        return True


def check_requests(port, path):
    for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example",
                 "127.0.0.1.nip.io", "1.2.3.4:x", "localhost6", f"localhost6:{port}",
                 "ip6-localhost", "localhost.", "127.1", "::1"):
        assert ask(port, "/json", Host=host)[0] == 400, host
        assert upgrade(port, path, Host=host)[0] == 400, host
    for host in ("localhost", f"localhost:{port}", "127.0.0.1", "[::1]", f"[::1]:{port}"):
        assert ask(port, "/json", Host=host)[0] == 200, host
    for origin in ("http://evil.example", "https://localhost", "null", "file://"):
        assert ask(port, "/json", Origin=origin)[0] == 403, origin
        assert upgrade(port, path, Origin=origin)[0] == 403, origin
    assert upgrade(port, path, Origin="devtools://devtools")[0] == 101
    assert upgrade(port, path[:-1])[0] == 400
    assert upgrade(port, "/")[0] == 400
    assert ask(port, path)[0] == 400
    peer = socket.create_connection(("127.0.0.1", port), timeout=20)
    peer.sendall(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000)
    assert is_ended(peer)


def check_frames(port, path):
    broken = [frame(b"{}", masked=False), frame(b"{}", opcode=3), frame(b"{}", opcode=2),
              frame(b"{}", opcode=0), frame(b"x" * 126, opcode=9), b"\x81\xff" + b"\x7f" * 8,
              frame(b"{}", opcode=9, last=0), b"\xf1\x80\0\0\0\0",
              frame(b"{", last=0) + frame(b"{}")]
    for sent in broken:
        peer = upgrade(port, path)[1]
        peer.sendall(sent)
        assert is_ended(peer), sent[:20]
    peer = upgrade(port, path)[1]
    peer.sendall(frame(b'{"id":1,', last=0) + frame(b"pi", opcode=9) +
                 frame(b'"method":"Schema.getDomains"}', opcode=0))
    data = b""
    while b"Runtime" not in data:
        data += peer.recv(65536)
    assert b"\x8a\x02pi" in data
    for text in (b"", b"nothing", b"[]", b"{}", b'{"id":1}', b'{"id":1,"method":5}', b"\xff\xfe",
                 b'{"id":1,"method":"a.b","params":3}', b'{"id":1,"method":"__proto__.x"}'):
        peer.sendall(frame(text))
        assert b"error" in peer.recv(65536), text
    peer.sendall(frame(b"", opcode=8))
    assert is_ended(peer)


def check_chance(port, path):
    source = random.Random(1)
    for _ in range(100):
        peer = upgrade(port, path)[1]
        sent = bytearray(b"".join(
            frame(bytes(source.randrange(32, 127) for _ in range(source.randrange(100))),
                  source.choice([0, 1, 1, 1, 9, 10]), source.choice([0x80, 0x80, 0]))
            for _ in range(5)))
        for _ in range(source.randrange(3)):
            sent[source.randrange(len(sent))] = source.randrange(256)
        try:
            peer.sendall(sent)
        except OSError:
            pass
        peer.close()


def main():
    child, port, path = start(sys.argv[1])
    try:
        check_requests(port, path)
        check_frames(port, path)
        check_chance(port, path)
        assert ask(port, "/json")[0] == 200
        assert child.poll() is None
    finally:
        child.kill()
        errors = child.communicate()[1].decode()
    assert "Sanitizer" not in errors, errors


main()
