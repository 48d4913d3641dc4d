"""A small web on loopback: pages by host and path, and a log of what was asked."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from visavis.collect.web.guard import Allowance

Reply = tuple[int, Mapping[str, str], bytes]
Route = Reply | Callable[[BaseHTTPRequestHandler], Reply | None]


def page(body: bytes | str, content_type: str = "text/html; charset=utf-8", **headers: str) -> Reply:
    data = body.encode() if isinstance(body, str) else body
    return 200, {"Content-Type": content_type, **headers}, data


def redirect(to: str, status: int = 302) -> Reply:
    return status, {"Location": to}, b""


class LocalWeb:
    """Serves `routes` {(host, path): reply or function of the handler}; unknown paths are 404, robots.txt too."""

    def __init__(self, routes: Mapping[tuple[str, str], Route], hosts: tuple[str, ...] = ()) -> None:
        self.routes = dict(routes)
        self.asked: Counter[tuple[str, str]] = Counter()
        self.agents: set[str] = set()
        self.at_once: Counter[str] = Counter()
        self.most_at_once = 0
        self._lock = threading.Lock()
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                web._answer(self)

            def log_message(self, *parts: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = int(self.server.server_address[1])
        names = {host for host, _ in self.routes} | set(hosts)
        self.allowance = Allowance(dict.fromkeys(names, ("127.0.0.1", self.port)))

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        host = handler.headers.get("Host", "")
        with self._lock:
            self.asked[host, handler.path] += 1
            self.agents.add(handler.headers.get("User-Agent", ""))
            self.at_once[host] += 1
            self.most_at_once = max(self.most_at_once, self.at_once[host])
        try:
            route = self.routes.get((host, handler.path), (404, {"Content-Type": "text/plain"}, b"not here"))
            try:
                reply = route(handler) if callable(route) else route
            finally:  # before the answer goes out: whoever has it may ask again at once
                with self._lock:
                    self.at_once[host] -= 1
            if reply is not None:
                self._send(handler, reply)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass
        finally:
            handler.close_connection = True

    @staticmethod
    def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        status, headers, body = reply
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        if "Content-Length" not in headers and "Transfer-Encoding" not in headers:
            handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body)

    def __enter__(self) -> LocalWeb:
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):
            self.server.shutdown()
            self.server.server_close()
