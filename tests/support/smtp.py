"""A mail server for tests: python3 smtp.py FOLDER [PORT] [CERTIFICATE KEY]

Keeps each message's bytes as FOLDER/N.eml, from 1. Speaks JSON lines: {"port": N} at
first, {"message": N, "id": ..., "from": ..., "to": [...]} for each that it took, {"mode": ...} after
each command. Commands on standard input name how it behaves from then on:

    accept   as a mail server does
    later    451 for each recipient
    refuse   550 for each recipient
    busy     451 after the message
    hang     takes the recipient, then says nothing
    die      keeps the message, then cuts the connection without an answer
"""

import asyncio
import json
import os
import re
import ssl
import sys

from aiosmtpd.smtp import SMTP

folder = sys.argv[1]
mode = 'accept'
kept = sum(name.endswith('.eml') for name in os.listdir(folder))


def tell(**what):
    print(json.dumps(what), flush=True)


class Handler:
    def __init__(self):
        self.server = None

    async def handle_RCPT(self, server, session, envelope, address, options):
        if mode == 'later':
            return '451 4.3.0 come again later'
        if mode == 'hang':
            tell(hanging=address)
            await asyncio.sleep(3600)
        if mode == 'refuse':
            return '550 5.1.1 nobody of that name here'
        envelope.rcpt_tos.append(address)
        return '250 OK'

    async def handle_DATA(self, server, session, envelope):
        global kept
        if mode == 'busy':
            return '451 4.3.0 the disk is full'
        kept += 1
        path = os.path.join(folder, f'{kept}.eml')
        with open(f'{path}.part', 'wb') as file:
            file.write(envelope.original_content)
        os.rename(f'{path}.part', path)  # whole, for whoever looks
        found = re.search(rb'^message-id: <(.*)>', envelope.original_content,
                          re.IGNORECASE | re.MULTILINE)
        tell(message=kept, id=found and found[1].decode(), to=envelope.rcpt_tos, tls=session.ssl is not None,
             **{'from': envelope.mail_from})
        if mode == 'die':
            server.transport.abort()
            await asyncio.sleep(3600)
        return '250 2.0.0 taken'


async def commands(reader):
    global mode
    while line := await reader.readline():
        mode = line.decode().strip()
        tell(mode=mode)


async def main():
    loop = asyncio.get_running_loop()
    context = None
    if len(sys.argv) > 3:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(sys.argv[3], sys.argv[4])
    server = await loop.create_server(
        lambda: SMTP(Handler(), hostname='mx.example', tls_context=context,
                     require_starttls=context is not None),
        '127.0.0.1', int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tell(port=server.sockets[0].getsockname()[1])
    await commands(reader)


asyncio.run(main())
