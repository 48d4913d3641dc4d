"""The little web: one server on loopback that answers for all hosts of its pages, and the allowance that reaches it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from visavis.collect.trial.content import Reply, Routes
from visavis.collect.web.guard import Allowance

ADDRESS = "127.0.0.1"
NOTHING = Reply(404, "text/plain", "not here")


@contextmanager
def serving(routes: Routes) -> Iterator[Allowance]:
    """Serve the pages while the block runs; the allowance names their hosts, this one server, and nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            reply = routes.get((self.headers.get("Host", ""), self.path.partition("?")[0]), NOTHING)
            body = reply.body.encode()
            self.send_response(reply.status)
            if reply.location:
                self.send_header("Location", reply.location)
            if reply.media_type:
                self.send_header("Content-Type", reply.media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer((ADDRESS, 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield Allowance({host: (ADDRESS, int(server.server_address[1])) for host, _ in routes})
    finally:
        server.shutdown()
        server.server_close()
