#!/usr/bin/env python3
"""Receives webhooks and believes only what is signed. Needs ATALAYA_SECRET; listens on 127.0.0.1:PORT (8600).

Behind it belongs a web server with TLS: Atalaya sends to https addresses only.
"""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["ATALAYA_SECRET"].encode()
MAX_AGE_S = int(os.environ.get("MAX_AGE_S", "300"))
MAX_BODY = 1 << 20
seen = set()


def is_ours(header, body):
    parts = dict(part.split("=", 1) for part in header.split(",") if "=" in part)
    at, tag = parts.get("t", ""), parts.get("v1", "")
    good = hmac.new(SECRET, at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(good, tag) and abs(time.time() - int(at)) <= MAX_AGE_S


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", "0"))
        body = self.rfile.read(min(length, MAX_BODY))
        if not is_ours(self.headers.get("Atalaya-Signature", ""), body):
            self.send_response(401)
            self.end_headers()
            return
        event = json.loads(body)
        # An event may come twice; its id tells.
        if event["id"] not in seen:
            seen.add(event["id"])
            print(event["type"], json.dumps(event["data"], sort_keys=True), flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8600"))), Receiver)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()
