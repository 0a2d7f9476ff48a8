"""aiohttp_client.py KEYS PORT COUNT: prints how many answers were right."""

import asyncio
import ssl
import sys

import aiohttp

KEYS, PORT, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])


async def main():
    context = ssl.create_default_context(cafile=f"{KEYS}/ca.pem")
    context.load_cert_chain(f"{KEYS}/client.pem", f"{KEYS}/client.key")
    right = 0
    connector = aiohttp.TCPConnector(ssl=context, limit=8)
    async with aiohttp.ClientSession(connector=connector) as session:
        async def ask(number):
            async with session.post(f"https://127.0.0.1:{PORT}/{number}", data=b"x" * 100) as told:
                return await told.text() == f"1.1 /{number} 100 true"
        for start in range(0, COUNT, 50):
            right += sum(await asyncio.gather(
                *(ask(number) for number in range(start, min(start + 50, COUNT)))))
    print(right)


asyncio.run(main())
