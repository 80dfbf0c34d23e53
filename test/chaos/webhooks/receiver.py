"""Many webhook receivers in one process, on one port: receiver n is POST /r/<n>.

It shares no code with the service: only Python's standard library, its own signature check and its own log. Each request gets
one line in the log, and the line is on disk BEFORE the response is sent: every delivery that the service believes in must be
here. Lines of one turn of the event loop share one write and one fsync.

    python3 receiver.py <config.json> <log>

The config: {"seed": text, "receivers": {"<n>": {"secret": text or null, "payload": "full" or "ids", "behaviour": name}}}
It prints its port, and exits when its standard input closes.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import random
import signal
import socket
import struct
import sys
import time

# The status of each behaviour that responds; the others leave the caller without a response.
STATUSES = {
    'ok': 200,
    'error': 500,
    'busy': 429,
    'redirect': 302,
    'slow': 200,
    'endless': 200,
    'closing': 200,
    'early': 200,
}
FLAKY_FAILS = 0.4
SLOW_SECONDS = (1.0, 3.0)
# A dispatcher that was stopped for longer than its lease sends a timestamp that is still accepted.
TIMESTAMP_TOLERANCE = 60
ENDLESS_CHUNK = b'1000\r\n' + b'x' * 4096 + b'\r\n'
ENDLESS_PAUSE = 0.02
# Closing a socket with this option sends RST instead of FIN.
RESET = struct.pack('ii', 1, 0)


class Receiver:
    def __init__(self, number, config, seed):
        self.number = number
        self.behaviour = config['behaviour']
        self.payload = config['payload']
        secret = config['secret']
        self.secret = secret and secret.encode()
        self.standard_key = secret and standard_key(secret)
        self.random = random.Random(f'{seed}/{number}')

    def status(self):
        if self.behaviour == 'flaky':
            return 500 if self.random.random() < FLAKY_FAILS else 200
        return STATUSES.get(self.behaviour, 0)

    def problems(self, headers, body, event):
        """Everything that is wrong with a request, by name."""
        if event is None:
            checks = {'no json': False}
        else:
            data = event.get('data', {})
            checks = {
                'id': event.get('id') == headers.get('webhook-id'),
                'type': event.get('type') == headers.get('x-service-event'),
                'payload': (self.payload == 'full') == ('conversation' in data or 'report' in data),
            }
        checks['signature'] = self.is_signed(headers, body)
        checks['standard signature'] = self.is_signed_by_standard(headers, body)
        return [name for name, is_right in checks.items() if not is_right]

    def is_signed(self, headers, body):
        sent = headers.get('x-service-signature')
        if self.secret is None:
            return sent is None
        return sent == hmac.new(self.secret, body, hashlib.sha256).hexdigest()

    def is_signed_by_standard(self, headers, body):
        sent = headers.get('webhook-signature')
        stamp = headers.get('webhook-timestamp', '')
        if not stamp.isdigit() or abs(time.time() - int(stamp)) > TIMESTAMP_TOLERANCE:
            return False
        if self.secret is None:
            return sent is None
        text = b'.'.join([headers.get('webhook-id', '').encode(), stamp.encode(), body])
        digest = base64.b64encode(hmac.new(self.standard_key, text, hashlib.sha256).digest()).decode()
        return sent == f'v1,{digest}'


def standard_key(secret):
    if secret.startswith('whsec_'):
        return base64.b64decode(secret[len('whsec_'):])
    return secret.encode()


def parse_json(body):
    try:
        event = json.loads(body)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def ledger_key(event):
    if event is None:
        return None
    data = event.get('data', {})
    return f"{event.get('type')}/{data.get('conversation_id') or data.get('report_id')}"


class Log:
    def __init__(self, path):
        self.file = open(path, 'ab', buffering=0)
        self.lines = []
        self.flushed = None

    async def write(self, entry):
        """Returns once the entry is on disk."""
        self.lines.append(json.dumps(entry) + '\n')
        if self.flushed is None:
            loop = asyncio.get_running_loop()
            self.flushed = loop.create_future()
            loop.call_soon(self.flush)
        await self.flushed

    def flush(self):
        data = ''.join(self.lines).encode()
        while data:
            data = data[self.file.write(data):]
        os.fsync(self.file.fileno())
        self.lines.clear()
        self.flushed.set_result(None)
        self.flushed = None

    async def write_request(self, receiver, headers, status, part, body):
        """`part`: a whole request; or its head, when the response is sent before the body comes; or that body."""
        event = None if body is None else parse_json(body)
        await self.write({
            'receiver': receiver.number,
            'at': time.time(),
            'part': part,
            'event': headers.get('webhook-id'),
            'delivery': headers.get('x-service-delivery'),
            'attempt': int(headers.get('x-service-attempt', '0')),
            'sha': None if body is None else hashlib.sha256(body).hexdigest(),
            'length': None if body is None else len(body),
            'key': ledger_key(event),
            'problems': [] if body is None else receiver.problems(headers, body, event),
            'status': status,
        })


class Server:
    def __init__(self, config, log):
        self.receivers = {
            f'/r/{number}': Receiver(int(number), receiver, config['seed'])
            for number, receiver in config['receivers'].items()
        }
        self.log = log

    async def serve(self, reader, writer):
        try:
            while await self.serve_request(reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass
        writer.close()

    async def serve_request(self, reader, writer):
        """False when the connection is to be closed."""
        path, headers = parse_head(await reader.readuntil(b'\r\n\r\n'))
        length = int(headers.get('content-length', '0'))
        receiver = self.receivers.get(path)
        if receiver is not None and receiver.behaviour == 'early':
            await self.log.write_request(receiver, headers, receiver.status(), 'head', None)
            writer.write(response(200))
            body = await reader.readexactly(length)
            await self.log.write_request(receiver, headers, 0, 'body', body)
            return True
        body = await reader.readexactly(length)
        if receiver is None:
            await self.log.write({'unknown_path': path, 'at': time.time()})
            writer.write(response(404))
            return True
        status = receiver.status()
        await self.log.write_request(receiver, headers, status, 'whole', body)
        return await self.respond(receiver, status, writer)

    async def respond(self, receiver, status, writer):
        behaviour = receiver.behaviour
        if behaviour == 'reset':
            writer.get_extra_info('socket').setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            return False
        if behaviour == 'garbage':
            writer.write(bytes(range(256)) + b'\r\n\r\n')
            return False
        if behaviour == 'endless':
            writer.write(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
            while not writer.is_closing():
                writer.write(ENDLESS_CHUNK)
                await writer.drain()
                await asyncio.sleep(ENDLESS_PAUSE)
            return False
        if behaviour == 'slow':
            await asyncio.sleep(receiver.random.uniform(*SLOW_SECONDS))
        more = {'redirect': f'Location: /followed/{receiver.number}\r\n', 'busy': 'Retry-After: 5\r\n'}
        if behaviour != 'hang':
            writer.write(response(status, more.get(behaviour, '')))
        # `closing` does not announce that it closes the connection, so that the next request can find it closed.
        return behaviour != 'closing'


def parse_head(head):
    lines = head.decode('latin-1').rstrip().split('\r\n')
    path = lines[0].split(' ')[1] if lines[0].count(' ') == 2 else ''
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(':')
        headers[name.strip().lower()] = value.strip()
    return path, headers


def response(status, more=''):
    return f'HTTP/1.1 {status} Status\r\n{more}Content-Length: 2\r\n\r\nok'.encode()


async def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        config = json.load(file)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    loop.add_reader(sys.stdin, stop.set)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = Server(config, Log(sys.argv[2]))
    listener = await asyncio.start_server(server.serve, '127.0.0.1', 0, backlog=4096)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await stop.wait()
    os._exit(0)


asyncio.run(main())
