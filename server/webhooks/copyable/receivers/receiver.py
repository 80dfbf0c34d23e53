# Receives webhooks of Parley and checks their signature. Needs Python 3.8 or newer, and nothing else:
#   WEBHOOK_SECRET='…' PORT=3000 python3 receiver.py
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "").encode("utf-8")
if not SECRET:
    raise SystemExit("set WEBHOOK_SECRET: without it anybody could send")
LIMIT = 1024 * 1024


def is_genuine(body, headers):
    # Over the raw bytes as they came, never over a re-serialised object. The second header is there while a secret
    # is being replaced: a receiver that still has the old one goes on working.
    expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest().encode()
    names = ("X-Service-Signature", "X-Service-Signature-Previous")
    return any(hmac.compare_digest(expected, headers.get(name, "").encode()) for name in names)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if length <= LIMIT else b""
        genuine = is_genuine(body, self.headers)
        # Answer at once, work afterwards. The same event may come twice: remember event["id"].
        self.send_response(204 if genuine else 401)
        self.send_header("Content-Length", "0")
        if not genuine:  # a body that was not read stands in the way of the next request
            self.send_header("Connection", "close")
        self.end_headers()
        if genuine:
            event = json.loads(body)
            print(event["type"], event["id"], json.dumps(event["data"]), flush=True)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver)
print("listening on port", server.server_address[1], flush=True)
server.serve_forever()
