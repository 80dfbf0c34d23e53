# Receives webhooks of Parley and verifies their signature. Needs only Python 3.8 or newer:
#   WEBHOOK_SECRET='…' PORT=3000 python3 receiver.py
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "").encode("utf-8")
if not SECRET:
    raise SystemExit("Set WEBHOOK_SECRET. Without it, anyone could send events.")
LIMIT = 1024 * 1024


def is_genuine(body, headers):
    # Uses the raw bytes, never a re-serialised object. The second header is sent while the secret is rotated, so
    # that a receiver with the old secret continues to work.
    expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest().encode()
    names = ("X-Service-Signature", "X-Service-Signature-Previous")
    return any(hmac.compare_digest(expected, headers.get(name, "").encode()) for name in names)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if length <= LIMIT else b""
        genuine = is_genuine(body, self.headers)
        # Respond first, process afterwards. An event can arrive twice: store event["id"] to detect it.
        self.send_response(204 if genuine else 401)
        self.send_header("Content-Length", "0")
        if not genuine:  # an unread body would be parsed as the next request
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
