"""asyncio without uvloop: timers of hours, a server, clients, threads, chance."""
import asyncio
import os
import random
import threading
import time


def say(*words):
    print(f'{time.time():.6f}', *words, flush=True)


async def serve(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(random.random() / 100)
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def ask(port, name):
    reader, writer = await asyncio.open_connection('localhost', port)
    for i in range(3):
        writer.write(f'{name} {i}\n'.encode())
        say((await reader.readline()).decode().strip())
    writer.close()


def think(name):
    time.sleep(random.random())
    say(name, 'has slept')
    return name


async def main():
    say('chance', os.urandom(4).hex(), random.random())
    server = await asyncio.start_server(serve, '127.0.0.1', 0)
    port = server.sockets[0].getsockname()[1]
    await asyncio.gather(*(ask(port, name) for name in 'abcd'))
    loop = asyncio.get_running_loop()
    await asyncio.gather(*(loop.run_in_executor(None, think, name) for name in 'xyz'))
    server.close()
    await asyncio.sleep(3 * 3600)
    lock = threading.Event()
    threading.Timer(1800, lock.set).start()
    say('the event came', lock.wait(3600))

asyncio.run(main())
say('end')
