"""Many webhook receivers in one process, on one port: receiver n is POST /r/<n>.

It shares nothing with the service: Python's standard library, its own reading of HTTP, its own signatures, its own log.
Each request gets one line in the log, and the log is on the disk BEFORE the request is answered: whatever the service
believes to have delivered must stand here. Lines of one round of the loop share one write and one fsync.

    python3 receiver.py <config.json> <log>

The config: {"seed": text, "receivers": {"<n>": {"secret": text or null, "payload": "full" or "ids", "behaviour": name}}}
"""

import base64
import hashlib
import heapq
import hmac
import json
import os
import random
import selectors
import signal
import socket
import struct
import sys
import time

# Behaviours that ever answer, with the status that the log promises; the others leave the caller without an answer.
ANSWERS = {
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
MOST_HEAD = 64 * 1024
# As a clock of the sender: an attempt that was frozen for longer than a lease still counts as fresh.
TIMESTAMP_TOLERANCE = 60
ENDLESS_PIECE = b'1000\r\n' + b'x' * 4096 + b'\r\n'
ENDLESS_PAUSE = 0.02
RESET = struct.pack('ii', 1, 0)


class Receiver:
    """What one receiver knows, and how it behaves."""

    def __init__(self, number, config, seed):
        self.number = number
        self.behaviour = config['behaviour']
        self.payload = config['payload']
        secret = config['secret']
        self.secret = secret and secret.encode()
        self.standard_key = secret and standard_key(secret)
        self.chance = random.Random(f'{seed}/{number}')

    def status(self):
        if self.behaviour == 'flaky':
            return 500 if self.chance.random() < FLAKY_FAILS else 200
        return ANSWERS.get(self.behaviour, 0)

    def problems(self, headers, body, told):
        """Everything that is wrong with a request, by name."""
        found = []
        if told is None:
            found.append('no json')
        else:
            if told.get('id') != headers.get('webhook-id'):
                found.append('id')
            if told.get('type') != headers.get('x-service-event'):
                found.append('type')
            if (self.payload == 'full') != has_content(told):
                found.append('payload')
        if not self.is_signed(headers, body):
            found.append('signature')
        if not self.is_signed_by_standard(headers, body):
            found.append('standard signature')
        return found

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


def has_content(told):
    data = told.get('data', {})
    return 'conversation' in data or 'report' in data


def parse_json(body):
    try:
        told = json.loads(body)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def key_of(told):
    """The change of state that the event tells of, as the ledger names it."""
    if told is None:
        return None
    data = told.get('data', {})
    return f"{told.get('type')}/{data.get('conversation_id') or data.get('report_id')}"


class Connection:
    def __init__(self, sock):
        self.sock = sock
        self.incoming = bytearray()
        self.outgoing = bytearray()
        # Set while the body of a request that was already answered is still to come.
        self.owed = None
        self.closing = False


class Server:
    def __init__(self, config, log):
        self.receivers = {
            number: Receiver(int(number), receiver, config['seed'])
            for number, receiver in config['receivers'].items()
        }
        self.log = log
        self.selector = selectors.DefaultSelector()
        self.timers = []
        self.timer_count = 0
        self.lines = []
        self.answers = []
        self.running = True

    def listen(self):
        listener = socket.create_server(('127.0.0.1', 0), backlog=4096)
        listener.setblocking(False)
        self.selector.register(listener, selectors.EVENT_READ, None)
        # A signal ends the wait of the loop.
        self.wake, self.waker = socket.socketpair()
        self.waker.setblocking(False)
        self.selector.register(self.wake, selectors.EVENT_READ, None)
        signal.set_wakeup_fd(self.waker.fileno())
        # Whoever started it holds the other end: when they die, however they die, it ends too.
        self.selector.register(sys.stdin, selectors.EVENT_READ, None)
        return listener

    def run(self, listener):
        while self.running:
            for key, mask in self.selector.select(self.patience()):
                if key.fileobj is listener:
                    self.accept(listener)
                elif key.fileobj is sys.stdin:
                    self.running = False
                elif key.data is not None:
                    self.serve(key.data, mask)
            self.commit()
            self.run_timers()

    def patience(self):
        return max(0, self.timers[0][0] - time.monotonic()) if self.timers else None

    def later(self, seconds, work):
        self.timer_count += 1
        heapq.heappush(self.timers, (time.monotonic() + seconds, self.timer_count, work))

    def run_timers(self):
        now = time.monotonic()
        while self.timers and self.timers[0][0] <= now:
            heapq.heappop(self.timers)[2]()

    def accept(self, listener):
        while True:
            try:
                sock, _ = listener.accept()
            except BlockingIOError:
                return
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(sock, selectors.EVENT_READ, Connection(sock))

    def serve(self, connection, mask):
        if mask & selectors.EVENT_WRITE:
            self.flush(connection)
        if mask & selectors.EVENT_READ and connection.sock.fileno() >= 0:
            self.read(connection)

    def read(self, connection):
        try:
            data = connection.sock.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b''
        if not data:
            self.close(connection)
            return
        connection.incoming += data
        while self.take_request(connection):
            pass

    def take_request(self, connection):
        """Takes one whole request from what has come in; False while there is none."""
        if connection.owed is not None:
            return self.take_owed_body(connection)
        end = connection.incoming.find(b'\r\n\r\n')
        if end < 0:
            if len(connection.incoming) > MOST_HEAD:
                self.close(connection)
            return False
        path, headers = parse_head(bytes(connection.incoming[:end]))
        length = int(headers.get('content-length', '0'))
        receiver = self.receivers.get(path[len('/r/'):]) if path.startswith('/r/') else None
        if receiver is not None and receiver.behaviour == 'early':
            del connection.incoming[:end + 4]
            connection.owed = (receiver, headers, length)
            self.note(receiver, headers, receiver.status(), 'head', None)
            self.answers.append((connection, receiver, 200))
            return True
        if len(connection.incoming) < end + 4 + length:
            return False
        body = bytes(connection.incoming[end + 4:end + 4 + length])
        del connection.incoming[:end + 4 + length]
        if receiver is None:
            self.lines.append(json.dumps({'stray': path, 'at': time.time()}))
            self.answers.append((connection, None, 404))
        else:
            status = receiver.status()
            self.note(receiver, headers, status, 'whole', body)
            self.answers.append((connection, receiver, status))
        return True

    def take_owed_body(self, connection):
        receiver, headers, length = connection.owed
        if len(connection.incoming) < length:
            return False
        body = bytes(connection.incoming[:length])
        del connection.incoming[:length]
        connection.owed = None
        self.note(receiver, headers, 0, 'body', body)
        return True

    def note(self, receiver, headers, status, part, body):
        """A line for the log. `part`: a whole request; or its head, answered before its body; or that body."""
        told = None if body is None else parse_json(body)
        self.lines.append(json.dumps({
            'receiver': receiver.number,
            'at': time.time(),
            'part': part,
            'event': headers.get('webhook-id'),
            'delivery': headers.get('x-service-delivery'),
            'attempt': int(headers.get('x-service-attempt', '0')),
            'sha': None if body is None else hashlib.sha256(body).hexdigest(),
            'length': None if body is None else len(body),
            'key': key_of(told),
            'problems': [] if body is None else receiver.problems(headers, body, told),
            'status': status,
        }))

    def commit(self):
        """What was received goes to the disk, and only then are the answers given."""
        if self.lines:
            write_all(self.log, ('\n'.join(self.lines) + '\n').encode())
            os.fsync(self.log)
            self.lines.clear()
        answers, self.answers = self.answers, []
        for connection, receiver, status in answers:
            if connection.sock.fileno() >= 0:
                self.answer(connection, receiver, status)

    def answer(self, connection, receiver, status):
        behaviour = receiver.behaviour if receiver else 'ok'
        if behaviour == 'hang':
            return
        if behaviour == 'reset':
            self.reset(connection)
        elif behaviour == 'garbage':
            self.send(connection, bytes(range(256)) + b'\r\n\r\n', then_close=True)
        elif behaviour == 'slow':
            self.later(receiver.chance.uniform(*SLOW_SECONDS), lambda: self.send(connection, plain(status)))
        elif behaviour == 'endless':
            self.send(connection, b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
            self.go_on(connection)
        elif behaviour == 'redirect':
            self.send(connection, plain(status, f'Location: /followed/{receiver.number}\r\n'))
        elif behaviour == 'busy':
            self.send(connection, plain(status, 'Retry-After: 5\r\n'))
        else:
            # The closing one promises nothing about the connection and then ends it, so that the next request may find
            # it gone.
            self.send(connection, plain(status), then_close=behaviour == 'closing')

    def go_on(self, connection):
        if connection.sock.fileno() < 0:
            return
        if len(connection.outgoing) < len(ENDLESS_PIECE):
            self.send(connection, ENDLESS_PIECE)
        self.later(ENDLESS_PAUSE, lambda: self.go_on(connection))

    def send(self, connection, data, then_close=False):
        if connection.sock.fileno() < 0:
            return
        connection.outgoing += data
        connection.closing = connection.closing or then_close
        self.flush(connection)

    def flush(self, connection):
        try:
            sent = connection.sock.send(connection.outgoing) if connection.outgoing else 0
            del connection.outgoing[:sent]
        except BlockingIOError:
            pass
        except OSError:
            self.close(connection)
            return
        if connection.closing and not connection.outgoing:
            self.close(connection)
            return
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if connection.outgoing else 0)
        if self.selector.get_key(connection.sock).events != wanted:
            self.selector.modify(connection.sock, wanted, connection)

    def reset(self, connection):
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.close(connection)

    def close(self, connection):
        if connection.sock.fileno() >= 0:
            self.selector.unregister(connection.sock)
            connection.sock.close()

    def stop(self, *_):
        self.running = False


def parse_head(head):
    lines = head.decode('latin-1').split('\r\n')
    path = lines[0].split(' ')[1] if lines[0].count(' ') == 2 else ''
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(':')
        headers[name.strip().lower()] = value.strip()
    return path, headers


def plain(status, more=''):
    return f'HTTP/1.1 {status} Answer\r\n{more}Content-Length: 2\r\n\r\nok'.encode()


def write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        config = json.load(file)
    log = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    server = Server(config, log)
    signal.signal(signal.SIGTERM, server.stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    listener = server.listen()
    print(f'listening {listener.getsockname()[1]}', flush=True)
    server.run(listener)


main()
