"""Python's asyncio: coroutines of the language on a loop."""
import asyncio


async def serve(reader, writer):
    try:
        while line := await asyncio.wait_for(reader.readline(), 30):
            writer.write(line.upper())
            await writer.drain()
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
