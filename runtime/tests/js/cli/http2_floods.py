"""http2_floods.py PHASOR: an HTTP/2 server ends connections that make it work for nothing.

Each flood is one that servers have been brought down by. The same frames in small numbers pass.
"""

import socket
import struct
import subprocess
import sys

SERVER = """
const server = require('http2').createServer((req, res) => { req.resume(); res.end('x'); });
server.on('sessionError', () => {});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
"""
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 6, 7, 9
END_STREAM, END_HEADERS = 1, 4
GET = b"\x82\x84\x86\x41\x01a"  # GET / of http://a
POST = b"\x83" + GET[1:]
NO_ERROR = 0


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + \
        struct.pack(">I", stream) + payload


class Peer:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.sendall(PREFACE + frame(SETTINGS, 0, 0))
        self.rest = b""
        self.is_waiting = False

    def send(self, frames, group=500):
        """All frames; False when the server has ended the connection."""
        try:
            for at in range(0, len(frames), group):
                self.socket.sendall(b"".join(frames[at:at + group]))
        except OSError:
            return False
        return True

    def frames(self):
        """(kind, payload) of what the server says until it ends."""
        while True:
            while len(self.rest) >= 9:
                length = int.from_bytes(self.rest[:3], "big")
                if len(self.rest) < 9 + length:
                    break
                yield self.rest[3], self.rest[9:9 + length]
                self.rest = self.rest[9 + length:]
            try:
                more = self.socket.recv(65536)
            except socket.timeout:
                self.is_waiting = True
                return
            except OSError:
                return
            if not more:
                return
            self.rest += more

    def is_ended(self):
        """Does the server end the connection, and call it an error if it says anything?"""
        codes = [int.from_bytes(payload[4:8], "big") for kind, payload in self.frames()
                 if kind == GOAWAY]
        return not self.is_waiting and all(code != NO_ERROR for code in codes)


def reset(count):
    return [frame(HEADERS, END_HEADERS | END_STREAM, 1 + 2 * i, GET) +
            frame(RST_STREAM, 0, 1 + 2 * i, struct.pack(">I", 8)) for i in range(count)]


def continuation(count):
    return [frame(HEADERS, END_STREAM, 1, GET)] + [frame(CONTINUATION, 0, 1)] * count


def long_head(count):
    field = b"\x00\x04name\x64" + b"v" * 100  # a literal that is not indexed
    return [frame(HEADERS, END_STREAM, 1, GET)] + \
        [frame(CONTINUATION, 0, 1, field * 60)] * count + [frame(CONTINUATION, END_HEADERS, 1)]


def empty_data(count):
    return [frame(HEADERS, END_HEADERS, 1, POST)] + [frame(DATA, 0, 1)] * count


FLOODS = {"empty DATA": empty_data(100000), "rapid reset": reset(20000),
          "empty CONTINUATION": continuation(100000),
          "SETTINGS": [frame(SETTINGS, 0, 0)] * 100000,
          "PING": [frame(PING, 0, 0, b"12345678")] * 100000}
SMALL = {"empty DATA": empty_data(50), "resets": reset(50),
         "pings": [frame(PING, 0, 0, b"12345678")] * 50,
         "settings": [frame(SETTINGS, 0, 0)] * 50}


def answers(port, frames):
    """Is there an answer to a request that comes after the frames?"""
    peer = Peer(port)
    peer.send(frames + [frame(HEADERS, END_HEADERS | END_STREAM, 9999, GET)])
    return any(kind == DATA and payload == b"x" for kind, payload in peer.frames())


def main():
    server = subprocess.Popen([sys.argv[1], "-e", SERVER], stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline())
    failures = []
    try:
        for name, frames in FLOODS.items():
            peer = Peer(port)
            peer.send(frames)
            if not peer.is_ended():
                failures.append(f"the flood of {name} was taken")
        peer = Peer(port)
        frames = FLOODS["empty DATA"]
        peer.send(frames[:100])
        any(kind == DATA for kind, _ in peer.frames())  # the answer
        peer.send(frames[100:])
        if not peer.is_ended():
            failures.append("the flood of empty DATA was taken after the answer")
        for name, frames in SMALL.items():
            if not answers(port, frames):
                failures.append(f"a few {name} were refused")
        if not answers(port, []):
            failures.append("the server does not answer any more")
        peer = Peer(port)
        peer.send(long_head(20) + [frame(PING, 0, 0, b"12345678")])
        kinds = []
        for kind, _ in peer.frames():
            kinds.append(kind)
            if kind == PING:
                break
        if HEADERS in kinds:
            failures.append("a head of more than a hundred kilobytes was taken")
    finally:
        server.kill()
        server.wait()
    print("\n".join(failures) or "all floods were refused")
    sys.exit(bool(failures))


main()
