"""A running explorer without a browser: a client that holds the cookie, and small corpora."""

from __future__ import annotations

import contextlib
import json
import time

from fastapi.testclient import TestClient

from visavis.datasets import sample_path
from visavis.explore import Workspace, create_app
from visavis.explore.app.guard import Keys

PORT = 8321
HOST = f"127.0.0.1:{PORT}"
ORIGIN = {"origin": f"http://{HOST}"}


@contextlib.contextmanager
def exploring(source=None, called="own.csv", **base):
    """A client with the cookie, over a workspace that has read the source (by default none)."""
    workspace, keys = Workspace(base), Keys(PORT)
    try:
        if source is not None:
            workspace.load(source, "corpus", (called,))
        client = TestClient(create_app(workspace, keys), f"http://{HOST}", raise_server_exceptions=False)
        assert client.get("/open", params={"token": keys.token}).status_code == 200
        client.workspace, client.keys = workspace, keys
        yield client
    finally:
        workspace.close()


def ask(client, path, within=60.0, **query):
    """The answer, asked for again while it is being made."""
    until = time.monotonic() + within
    while (answer := client.get(path, params=query)).status_code == 202 and time.monotonic() < until:
        time.sleep(0.02)
    return answer


def read(client, path, **query):
    """The same as plain objects; it must be there."""
    answer = ask(client, path, **query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def sample_rows(count=None):
    """The bundled articles, so many of each month."""
    rows = [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]
    if count is None:
        return rows
    months = sorted({row["published"][:7] for row in rows})
    return [row for month in months for row in [r for r in rows if r["published"].startswith(month)][:count]]
