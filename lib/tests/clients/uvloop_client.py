"""uvloop at work: servers, clients, subprocesses, timers, threads, signals, datagrams."""

import asyncio
import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile

import uvloop


def note_library():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        found = {line.split()[5] for line in maps if "libuv.so" in line}
    with open(os.environ["CLIENT_LIBRARY"], "w", encoding="utf-8") as out:
        out.write(",".join(sorted(found)))


async def echo(reader, writer):
    while line := await reader.readline():
        writer.write(b"echo " + line)
        await writer.drain()
    writer.close()


async def clients(open_connection, count, rounds):
    async def one(i):
        reader, writer = await open_connection()
        answers = []
        for j in range(rounds):
            writer.write(f"client {i} line {j} {'x' * (i * j % 5000)}\n".encode())
            answers.append(await reader.readline())
        writer.close()
        await writer.wait_closed()
        return b"".join(answers)
    answers = await asyncio.gather(*(one(i) for i in range(count)))
    return hashlib.sha256(b"".join(answers)).hexdigest()[:16]


async def tcp():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    digest = await clients(lambda: asyncio.open_connection("127.0.0.1", port), 50, 20)
    server.close()
    await server.wait_closed()
    try:
        await asyncio.open_connection("127.0.0.1", 1)
    except OSError as error:
        return digest, type(error).__name__


async def unix():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        server = await asyncio.start_unix_server(echo, path)
        digest = await clients(lambda: asyncio.open_unix_connection(path), 10, 20)
        server.close()
        await server.wait_closed()
        return digest


async def large_transfer():
    size = 8 << 20

    async def send(_, writer):
        writer.write(b"a" * size)
        await writer.drain()
        writer.close()
    server = await asyncio.start_server(send, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    data = await reader.read(-1)
    writer.close()
    server.close()
    await server.wait_closed()
    return len(data)


async def subprocesses():
    pipe = asyncio.subprocess.PIPE
    cat = await asyncio.create_subprocess_exec("cat", stdin=pipe, stdout=pipe)
    out, _ = await cat.communicate(b"y" * 300000)
    shell = await asyncio.create_subprocess_shell("echo err >&2; exit 5", stderr=pipe)
    _, err = await shell.communicate()
    sleeper = await asyncio.create_subprocess_exec("sleep", "100")
    sleeper.kill()
    many = [await asyncio.create_subprocess_exec("sh", "-c", f"exit {i}") for i in range(20)]
    codes = await asyncio.gather(*(process.wait() for process in many))
    return len(out), cat.returncode, err, shell.returncode, await sleeper.wait(), sum(codes)


def become_nobody():
    os.setgid(65534)
    os.setuid(65534)


def fail():
    raise ValueError("refused")


async def output(*command, before):
    try:
        child = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, preexec_fn=before)
        return (await child.communicate())[0]
    except (OSError, subprocess.SubprocessError) as error:
        return type(error).__name__


async def changed_children():
    """What preexec_fn does happens in the child, between fork and exec."""
    outputs = [await output("id", "-u", before=become_nobody),
               await output("pwd", before=lambda: os.chdir("/usr")),
               await output("true", before=fail),
               await output("/no/such/program", before=os.setsid)]
    sleeper = await asyncio.create_subprocess_exec("sleep", "100", preexec_fn=os.setsid)
    leads = os.getsid(sleeper.pid) == sleeper.pid
    sleeper.kill()
    return outputs, leads, await sleeper.wait(), os.getuid()


async def timers():
    loop = asyncio.get_running_loop()
    order = []
    done = loop.create_future()
    for delay in (0.03, 0.01, 0.02):
        loop.call_later(delay, order.append, delay)
    loop.call_later(0.05, done.set_result, None)
    loop.call_soon(order.append, "soon")
    cancelled = loop.call_later(0.01, order.append, "never")
    cancelled.cancel()
    await done
    try:
        await asyncio.wait_for(asyncio.sleep(10), 0.02)
    except asyncio.TimeoutError:
        order.append("timed out")
    return order


async def others():
    loop = asyncio.get_running_loop()
    numbers = await asyncio.gather(*(loop.run_in_executor(None, pow, 3, n) for n in range(20)))
    seen = loop.create_future()
    loop.add_signal_handler(signal.SIGUSR1, seen.set_result, "SIGUSR1")
    os.kill(os.getpid(), signal.SIGUSR1)
    name = await seen
    addresses = await loop.getaddrinfo("localhost", 80, family=socket.AF_INET,
                                       type=socket.SOCK_STREAM)
    readable, writable = os.pipe()
    future = loop.create_future()
    loop.add_reader(readable, lambda: future.set_result(os.read(readable, 100)))
    os.write(writable, b"by hand")
    data = await future
    loop.remove_reader(readable)
    os.close(readable)
    os.close(writable)
    return sum(numbers), name, addresses[0][4], data


class Datagrams(asyncio.DatagramProtocol):
    def __init__(self, answer):
        self.answer = answer

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, addr):
        self.answer(self.transport, data, addr)


async def udp():
    loop = asyncio.get_running_loop()
    server, _ = await loop.create_datagram_endpoint(
        lambda: Datagrams(lambda transport, data, addr: transport.sendto(data.upper(), addr)),
        local_addr=("127.0.0.1", 0))
    answer = loop.create_future()
    client, _ = await loop.create_datagram_endpoint(
        lambda: Datagrams(lambda transport, data, addr: answer.set_result(data)),
        remote_addr=server.get_extra_info("sockname"))
    client.sendto(b"datagram")
    data = await answer
    client.close()
    server.close()
    return data


async def main():
    note_library()
    for part in (tcp, unix, large_transfer, subprocesses, changed_children, timers, others, udp):
        print(part.__name__, await part())


uvloop.install()
asyncio.run(main())
sys.stdout.flush()
