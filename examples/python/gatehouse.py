"""The calls that the back end makes to Gatehouse, and the check of its webhooks. Only the standard library."""

import base64
import hashlib
import hmac
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

LONGEST_TOKEN = 4096
TOKEN_SECONDS = 5
MOST_TOKENS = 10_000
WEBHOOK_SECONDS = 300
TIMEOUT_SECONDS = 20


class Refusal(Exception):
    """What Gatehouse, or this module, refuses: a status and a code."""

    def __init__(self, status, code):
        super().__init__(code)
        self.status = status
        self.code = code


class Gatehouse:
    """Create it once. Its methods may run in several threads."""

    def __init__(self, url, key):
        self._url = url.rstrip("/")
        self._key = key
        self._tokens = {}
        self._lock = threading.Lock()

    def user_of(self, authorization):
        """The id of the user of an access token. An answer counts for five seconds, so that a busy page does not ask for every call."""
        scheme, _, token = (authorization or "").partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise Refusal(401, "ACCESS_TOKEN_MISSING")
        if len(token) > LONGEST_TOKEN:
            raise Refusal(401, "ACCESS_TOKEN_INVALID")
        # A copy of the memory of this process should not be a list of tokens.
        mark = hashlib.sha256(token.encode()).digest()
        with self._lock:
            user, until = self._tokens.get(mark, (None, 0))
        if time.monotonic() < until:
            return user
        answer = self.call("POST", "/api/service/tokens/check", {"token": token})
        if not answer["active"]:
            raise Refusal(401, "ACCESS_TOKEN_INVALID")
        with self._lock:
            if len(self._tokens) >= MOST_TOKENS:
                self._tokens.clear()
            self._tokens[mark] = (answer["sub"], time.monotonic() + TOKEN_SECONDS)
        return answer["sub"]

    def user(self, user_id):
        return self.call("GET", f"/api/service/users/{quote(user_id)}")

    def files_of(self, user_id):
        """All files of a user, the newest first, page by page."""
        cursor = None
        while True:
            query = urllib.parse.urlencode({"limit": 100, **({"cursor": cursor} if cursor else {})})
            page = self.call("GET", f"/api/service/users/{quote(user_id)}/files?{query}")
            yield from page["files"]
            cursor = page.get("next")
            if cursor is None:
                return

    def file(self, file_id):
        return self.call("GET", f"/api/service/files/{quote(file_id)}")

    def content(self, file_id):
        """The bytes of a file, with their type."""
        with self._open("GET", f"/api/service/files/{quote(file_id)}/content") as response:
            return response.read(), response.headers.get("content-type", "application/octet-stream")

    def upload(self, user_id, purpose, name, media_type, content):
        """Stores a file on behalf of a user. The same idempotency key would find the same file, also after a broken connection."""
        query = urllib.parse.urlencode({"user": user_id, "purpose": purpose, "name": name})
        headers = {"content-type": media_type, "idempotency-key": str(uuid.uuid4())}
        with self._open("POST", f"/api/service/files?{query}", content, headers) as response:
            return json.load(response)["data"]

    def call(self, method, path, body=None):
        """Returns the data of the answer."""
        content = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"content-type": "application/json"}
        with self._open(method, path, content, headers) as response:
            return json.load(response)["data"]

    def _open(self, method, path, content=None, headers=None):
        request = urllib.request.Request(self._url + path, data=content, method=method, headers=headers or {})
        request.add_header("authorization", f"Bearer {self._key}")
        try:
            return urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            with error:
                raise Refusal(error.code, read_code(error.read())) from None
        except OSError:
            raise Refusal(503, "SERVICE_UNAVAILABLE") from None


def quote(text):
    """An id of a request is one part of a path, whatever is in it."""
    return urllib.parse.quote(text, safe="")


def read_code(content):
    try:
        return json.loads(content)["codeError"]
    except (ValueError, KeyError, TypeError):
        return "SERVICE_UNAVAILABLE"


def verify_webhook(headers, body, secret):
    """Returns the event of a webhook if its signature is valid and it is at most five minutes old."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > WEBHOOK_SECONDS:
        raise Refusal(400, "WEBHOOK_INVALID")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    # All of them are compared: there are two signatures while the secret is replaced.
    if not any([hmac.compare_digest(expected.encode(), one.encode()) for one in given]):
        raise Refusal(400, "WEBHOOK_INVALID")
    return json.loads(body)
