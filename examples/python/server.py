"""The back end: serves the page, checks access tokens, and keeps files for its users with a service key. Only the standard library."""

import json
import mimetypes
import os
import signal
import threading
import urllib.parse
from collections import defaultdict, deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from gatehouse import Gatehouse, Refusal, verify_webhook

HERE = Path(__file__).parent
PORT = int(os.environ.get("PORT", "3000"))
GATEHOUSE_URL = os.environ["GATEHOUSE_URL"]
SECRET = Path(os.environ["WEBHOOK_SECRET_FILE"]).read_text().strip()
LONGEST_BODY = 10 * 1024 * 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; "
    f"connect-src 'self' {GATEHOUSE_URL}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

gatehouse = Gatehouse(GATEHOUSE_URL, Path(os.environ["SERVICE_KEY_FILE"]).read_text().strip())
# In memory, and only the last ones. A real app would keep what an event changes in its database.
events = defaultdict(lambda: deque(maxlen=20))


def load_pages():
    """Only files that were there at the start are served, so no path leads anywhere else."""
    pages = {}
    for folder, prefix in ((HERE / "public", "/"), (HERE / "node_modules/@gatehouse/client/dist", "/client/")):
        for path in folder.rglob("*"):
            if path.is_file():
                media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
                pages[prefix + path.relative_to(folder).as_posix()] = (path.read_bytes(), media_type)
    pages["/"] = pages["/index.html"]
    pages["/settings.json"] = (json.dumps({"gatehouse": GATEHOUSE_URL}).encode(), "application/json")
    return pages


pages = load_pages()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A caller that sends nothing more does not keep a thread for ever.
    timeout = 30

    def do_GET(self):
        self.answer(self.get)

    def do_POST(self):
        self.answer(self.post)

    def get(self, path, _query):
        if "transfer-encoding" in self.headers or self.headers.get("content-length", "0") != "0":
            # Nobody reads the body of a GET: it would be read as the next request.
            self.close_connection = True
        if path in pages:
            return self.send(200, *pages[path])
        if path == "/api/me":
            user = gatehouse.user_of(self.headers.get("authorization"))
            return self.send_json(200, {"phone": gatehouse.user(user)["phone"], "events": list(events[user])})
        if path == "/api/files":
            user = gatehouse.user_of(self.headers.get("authorization"))
            files = [{name: file[name] for name in ("id", "name", "size")} for file in gatehouse.files_of(user)]
            return self.send_json(200, {"files": files})
        if path.startswith("/api/files/"):
            return self.send_file(path.removeprefix("/api/files/"))
        raise Refusal(404, "NOT_FOUND")

    def post(self, path, query):
        body = self.read_body()
        if path == "/hooks/gatehouse":
            event = verify_webhook(self.headers, body, SECRET)
            known = events[event["data"].get("userId")]
            # An event can come more than once: its id tells.
            if all(event["id"] != one["id"] for one in known):
                known.appendleft({name: event[name] for name in ("id", "type", "timestamp")})
            return self.send(204, b"", "text/plain")
        if path == "/api/files":
            user = gatehouse.user_of(self.headers.get("authorization"))
            media_type = self.headers.get("content-type") or "application/octet-stream"
            file = gatehouse.upload(user, "document", query.get("name", "file"), media_type, body)
            return self.send_json(201, {"id": file["id"], "name": file["name"]})
        raise Refusal(404, "NOT_FOUND")

    def send_file(self, file_id):
        user = gatehouse.user_of(self.headers.get("authorization"))
        # A service key reads the files of all users, so the back end must ask whose file it is.
        if gatehouse.file(file_id)["userId"] != user:
            raise Refusal(404, "FILE_NOT_FOUND")
        self.send(200, *gatehouse.content(file_id), {"content-disposition": "attachment"})

    def answer(self, work):
        address = urllib.parse.urlsplit(self.path)
        try:
            work(address.path, dict(urllib.parse.parse_qsl(address.query)))
        except Refusal as refusal:
            self.send_json(refusal.status, {"code": refusal.code})

    def read_body(self):
        length = self.headers.get("content-length", "")
        # With both headers, a proxy may have read another length than this server would.
        is_plain = length.isdecimal() and "transfer-encoding" not in self.headers
        if not is_plain or len(length) > 9 or int(length) > LONGEST_BODY:
            # What is left of the body would be read as the next request.
            self.close_connection = True
            raise Refusal(413 if is_plain else 411, "BODY_TOO_LARGE")
        return self.rfile.read(int(length))

    def send_json(self, status, value):
        self.send(status, json.dumps(value).encode(), "application/json", {"cache-control": "no-store"})

    def send(self, status, content, media_type, headers=None):
        self.send_response(status)
        if status != 204:
            self.send_header("content-type", media_type)
            self.send_header("content-length", str(len(content)))
        self.send_header("content-security-policy", POLICY)
        self.send_header("x-content-type-options", "nosniff")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Nothing: a log of requests is the business of the proxy."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    server = Server(("localhost", PORT), Handler)

    def stop(*_):
        # From another thread: the loop that is to end must not wait for itself.
        threading.Thread(target=server.shutdown).start()

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    channel = os.environ.get("NODE_CHANNEL_FD")
    if channel is not None:
        threading.Thread(target=wait_for_end, args=(int(channel), stop), daemon=True).start()
    server.serve_forever(poll_interval=0.1)
    server.server_close()


def wait_for_end(channel, stop):
    """The command that started this program holds the other end: when that is gone, this program ends too."""
    while os.read(channel, 1024):
        pass
    stop()


main()
