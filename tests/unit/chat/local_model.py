"""A model on loopback that says whatever a test wants: canned answers, hostile ones, none at all."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def chat(content):
    """The body of an answer that says this."""
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


class LocalModel:
    """What was asked (`requests`: path, headers, body), and what is answered: (status, headers, body) or a function."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.url = ""

    def answer(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        self.requests.append((handler.path, dict(handler.headers), json.loads(body)))
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if callable(answer):
            answer(handler)
            return
        status, headers, body = (200, {}, answer) if isinstance(answer, bytes) else answer
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    @property
    def documents(self):
        """What the last request quoted, as the model sees it."""
        return json.loads(self.requests[-1][2]["messages"][-1]["content"])


@contextlib.contextmanager
def local_model(*answers, tls=None):
    """A server at a free port of 127.0.0.1 for as long as the block lasts; `tls` is the context of an https one."""
    model = LocalModel(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            with contextlib.suppress(ConnectionError):
                model.answer(self)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    model.url = f"http://127.0.0.1:{server.server_port}"
    if tls is not None:
        server.handle_error = lambda *_: None  # whoever hangs up in the handshake means it
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        model.url = f"https://localhost:{server.server_port}"
    worker = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    worker.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
