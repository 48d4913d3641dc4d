"""`visavis explore`: it prints its address, ends quietly, and says in one line what is in its way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar

import pytest

from unit.desks import put_articles
from visavis.cli.main import main
from visavis.web.local import listen


def call(folder, *words):
    command = [sys.executable, "-m", "visavis", "explore", *words, "--no-browser"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(folder)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment
    )


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_interrupted_and_leaves_nothing(tmp_path, ending):
    put_articles(tmp_path)
    server = call(tmp_path, "articles.csv", "--port", "0", "--by", "outlet", "--only", "Tideline,Meridian Post")
    try:
        line = server.stdout.readline()
        address = re.fullmatch(r"Explore: (http://127\.0\.0\.1:\d+/open\?token=\S+)\n", line)[1]
        assert address.endswith("&by=outlet&only=Tideline&only=Meridian+Post")
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with opened(browser, address) as page:
            assert page.status == 200
            assert "token" not in page.url
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address.partition("/open")[0])
        assert list(tmp_path.glob("visavis-explore-*"))
    finally:
        server.send_signal(ending)
    out, err = server.communicate(timeout=30)
    assert (server.returncode, out, err) == (0, "", "")
    assert not list(tmp_path.glob("visavis-explore-*"))


def opened(browser, address):
    """It listens before it answers."""
    for _ in range(100):
        try:
            return browser.open(address)
        except (ConnectionError, urllib.error.URLError):
            time.sleep(0.05)
    raise AssertionError("it does not answer")


def test_a_port_that_is_taken_is_one_clear_line(capsys):
    with listen() as taken, pytest.raises(SystemExit) as done:
        main(["explore", "--no-browser", "--port", str(taken.getsockname()[1])])
    said = capsys.readouterr().err
    assert done.value.code == 2
    assert said.count("\n") == 1
    assert "name another with --port" in said


def test_a_file_that_cannot_be_read_is_one_clear_line(capsys):
    with pytest.raises(SystemExit) as done:
        main(["explore", "nowhere.csv", "--no-browser"])
    assert done.value.code == 2
    assert "no such file" in capsys.readouterr().err


def test_help_and_other_commands_load_no_server():
    script = "import sys; sys.argv = ['visavis', '--help']; from visavis.cli.main import command\n" \
             "import click; command.main(['explore', '--help'], standalone_mode=False)\n" \
             "print([name for name in ('fastapi', 'uvicorn', 'sklearn') if name in sys.modules])"  # fmt: skip
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.rstrip().endswith("[]")


def test_a_missing_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(SystemExit) as done:
        main(["explore", "--no-browser"])
    assert done.value.code == 2
    assert "pip install 'visavis[web]'" in capsys.readouterr().err
