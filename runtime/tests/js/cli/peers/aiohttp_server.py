"""aiohttp_server.py KEYS: HTTPS for clients with a certificate, on a free port, which it prints."""

import asyncio
import ssl
import sys

from aiohttp import web

KEYS = sys.argv[1]


async def answer(request):
    peer = request.transport.get_extra_info("peercert")
    return web.Response(text=f"{request.path} {'true' if peer else 'false'}")


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=f"{KEYS}/ca.pem")
    context.load_cert_chain(f"{KEYS}/server.pem", f"{KEYS}/server.key")
    context.verify_mode = ssl.CERT_REQUIRED
    app = web.Application()
    app.router.add_get("/{number:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
