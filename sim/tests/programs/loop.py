"""A server and clients on uvloop: an hour's wait, and work in a thread."""

import asyncio
import time

import uvloop


async def answer(reader, writer):
    text = await reader.read(100)
    await asyncio.sleep(3600)
    writer.write(text.upper())
    await writer.drain()
    writer.close()


async def ask(number):
    reader, writer = await asyncio.open_connection("127.0.0.1", 9999)
    writer.write(b"hello %d" % number)
    print((await reader.read()).decode(), int(time.time()) // 3600)
    writer.close()


async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 9999)
    await asyncio.gather(*(ask(number) for number in range(5)))
    server.close()
    print(await asyncio.get_running_loop().run_in_executor(None, lambda: "from a thread"))


uvloop.install()
asyncio.run(main())
