"""Names by each function that there is, and a connection that a thread has looked up."""
import asyncio
import socket
import sys


async def main():
    print(socket.gethostbyname('server'), socket.gethostbyname('localhost'))
    print(socket.gethostbyaddr(socket.gethostbyname('server'))[0], socket.getfqdn('127.0.0.1'))
    try:
        socket.gethostbyname('nobody')
    except socket.gaierror as error:
        print('nobody', error.errno == socket.EAI_NONAME)
    for i in range(3):
        reader, writer = await asyncio.open_connection('server', 80)
        writer.write(b'%d\n' % i)
        print((await reader.readline()).decode().strip(), asyncio.get_running_loop().time())
        writer.close()


async def serve(reader, writer):
    await asyncio.sleep(0.05)
    writer.write(b'answer ' + await reader.readline())
    writer.close()


async def listen():
    server = await asyncio.start_server(serve, '0.0.0.0', 80)
    await server.serve_forever()

asyncio.run(listen() if len(sys.argv) > 1 else main())
