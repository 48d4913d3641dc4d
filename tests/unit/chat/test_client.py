"""Asking a model: what is sent, what is taken for an answer, and what it may cost."""

from __future__ import annotations

import http.client
import json
import logging
import shutil
import socket
import ssl
import subprocess
import threading
import time
import traceback

import pytest

from conftest import require
from unit.chat.local_model import chat, local_model
from visavis.chat import Client, Endpoint, Limits, client
from visavis.chat.wire import Answer
from visavis.errors import InvalidParameter, NotSent, Unanswered

HUSH = "sk-hush-9f8e7d6c5b4a"
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(client, "PAUSE", 0.0)
    monkeypatch.delenv("VISAVIS_API_KEY", raising=False)


def ask(model, **limits):
    return Client(Endpoint(model.url, "small"), Limits(**limits)).ask(HELLO)


def test_messages_go_out_and_plain_text_comes_back():
    with local_model(chat("Good\u202e day\x07\x00!")) as model:
        assert ask(model) == "Good day!"
        ((path, headers, body),) = model.requests
    assert path == "/v1/chat/completions"
    assert body == {"model": "small", "messages": HELLO, "stream": False}
    assert "Authorization" not in headers


def test_localhost_is_this_machine_without_being_looked_up(monkeypatch):
    looked_up = []
    real = http.client.socket.getaddrinfo
    monkeypatch.setattr("socket.getaddrinfo", lambda host, *rest: looked_up.append(host) or real(host, *rest))
    with local_model(chat("yes")) as model:
        model.url = model.url.replace("127.0.0.1", "localhost")
        assert ask(model) == "yes"
        assert model.requests[0][1]["Host"].startswith("localhost:")
    assert "localhost" not in looked_up


def test_proxies_of_the_environment_are_passed_over(monkeypatch):
    with local_model(chat("from the proxy")) as proxy, local_model(chat("from the model")) as model:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
            monkeypatch.setenv(name, proxy.url)
        assert ask(model) == "from the model"
        assert proxy.requests == []


def test_the_key_is_sent_to_the_server_and_shown_to_nobody(monkeypatch, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("VISAVIS_API_KEY", HUSH)
    seen = []
    for answer in (
        chat("fine"),
        (401, {}, f"no such key: {HUSH}".encode()),
        chat(f"your key is {HUSH[:9]}\u200b{HUSH[9:]}"),
        b"{",
    ):
        with local_model(answer) as model:
            asking = Client(Endpoint(model.url, "small"))
            try:
                seen.append(asking.ask(HELLO))
            except Unanswered as error:
                seen.append("".join(traceback.format_exception(error)))
            assert model.requests[0][1]["Authorization"] == f"Bearer {HUSH}"
            seen.append(f"{asking!r} {vars(asking)}")
    assert "fine" in seen[0]
    assert "refuses the key" in seen[2]
    assert "repeats the key" in seen[4]
    assert not any(HUSH in text for text in (*seen, caplog.text, *capfd.readouterr()))


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_can_hold_is_refused_unseen(key, monkeypatch):
    monkeypatch.setenv("VISAVIS_API_KEY", key)
    with pytest.raises(InvalidParameter, match="VISAVIS_API_KEY") as refused:
        Client(Endpoint("http://localhost", "small"))
    assert key not in str(refused.value)


def test_a_key_in_the_model_name_is_refused_since_that_is_printed(monkeypatch):
    monkeypatch.setenv("VISAVIS_API_KEY", HUSH)
    with pytest.raises(InvalidParameter, match="holds the key") as refused:
        Client(Endpoint("http://localhost", HUSH))
    assert HUSH not in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((401, {}, b""), "wants a key: set VISAVIS_API_KEY"),
        ((404, {}, b"{}"), "has no model 'small'"),
        ((400, {}, b""), "does not understand"),
        ((418, {}, b""), "status 418"),
        (b"<html>", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b'{"choices": []}', "not that of a chat"),
        (b"[1]", "not that of a chat"),
        (chat(""), "is empty"),
        (chat(None), "is empty"),
    ],
)
def test_what_is_no_answer_is_said_in_plain_words(answer, said):
    with local_model(answer) as model, pytest.raises(Unanswered, match=said):
        ask(model)


def test_a_server_that_is_not_there_is_said_to_be_so():
    with local_model(b"") as model:
        pass
    with pytest.raises(Unanswered, match=r"cannot be reached .*is it running"):
        ask(model)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status):
    with local_model(chat("elsewhere")) as other, local_model((status, {"Location": other.url}, b"")) as model:
        with pytest.raises(Unanswered, match="not followed"):
            ask(model)
        assert other.requests == []


def test_an_answer_of_a_hundred_megabytes_is_not_read():
    sent = []

    def flood(handler):
        handler.send_response(200)
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"x" * 1_000_000)
            sent.append(1)

    with local_model(flood) as model, pytest.raises(Unanswered, match="more than 1,000,000 bytes"):
        ask(model)
    assert len(sent) < 100


def drip(handler):
    """One byte at a time, for as long as somebody listens."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def drip_headers(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        handler.wfile.write(b"z")
        time.sleep(0.02)


@pytest.mark.parametrize("slow", [drip, drip_headers])
def test_an_endless_drip_ends_when_the_time_for_the_whole_answer_is_over(slow):
    started = time.monotonic()
    with local_model(slow) as model, pytest.raises(Unanswered, match="whole answer"):
        ask(model, seconds=0.3)
    assert time.monotonic() - started < 3


def test_who_cannot_be_reached_in_time_is_sent_nothing_later_either(monkeypatch):
    real, looked_up = socket.getaddrinfo, threading.Event()

    def slow(*place, **rest):
        time.sleep(0.4)
        looked_up.set()
        return real(*place, **rest)

    monkeypatch.setattr("socket.getaddrinfo", slow)
    with local_model(chat("too late")) as model:
        with pytest.raises(NotSent, match="could not be reached within"):
            ask(model, seconds=0.2)
        assert looked_up.wait(3)
        for worker in threading.enumerate():
            if worker.name == "visavis-chat":
                worker.join(3)
        time.sleep(0.1)
        assert model.requests == []


def test_whatever_else_goes_wrong_is_said_in_plain_words(monkeypatch):
    def fail(*_):
        raise RuntimeError(HUSH)

    monkeypatch.setattr("socket.create_connection", fail)
    with pytest.raises(NotSent, match=r"localhost could not be asked \(RuntimeError\)") as failed:
        Client(Endpoint("http://localhost", "small")).ask(HELLO)
    assert HUSH not in str(failed.value)


def test_a_server_that_is_gone_when_asked_again_was_sent_the_texts_before(monkeypatch):
    answers = iter([Answer(503, "", b""), NotSent("gone")])

    def post(*_):
        answer = next(answers)
        if isinstance(answer, NotSent):
            raise answer
        return answer

    monkeypatch.setattr(client, "post", post)
    with pytest.raises(Unanswered, match="gone") as failed:
        Client(Endpoint("http://localhost", "small")).ask(HELLO)
    assert not isinstance(failed.value, NotSent)


def test_a_key_that_became_none_is_sent_nowhere(monkeypatch):
    with local_model(chat("yes")) as model:
        asking = Client(Endpoint(model.url, "small"))
        monkeypatch.setenv("VISAVIS_API_KEY", "two words")
        with pytest.raises(NotSent, match="no key"):
            asking.ask(HELLO)
        assert model.requests == []


def test_a_busy_server_is_asked_again_and_not_forever():
    with local_model((503, {}, b""), (429, {"Retry-After": "0"}, b""), chat("at last")) as model:
        assert ask(model) == "at last"
        assert len(model.requests) == 3
    with local_model((429, {}, b"")) as model, pytest.raises(Unanswered, match="no more for now"):
        ask(model, tries=2)
    assert len(model.requests) == 2


@pytest.mark.parametrize("wait", ["3600", "1e300", "Fri, 31 Dec 2399 23:59:59 GMT"])
def test_a_wait_longer_than_there_is_time_for_is_not_waited_for(wait):
    with local_model((429, {"Retry-After": wait}, b"")) as model, pytest.raises(Unanswered, match="asks to wait"):
        ask(model)
    assert len(model.requests) == 1


def test_calls_are_counted():
    with local_model(chat("yes")) as model:
        asking = Client(Endpoint(model.url, "small"), Limits(calls=2))
        assert [asking.ask(HELLO), asking.ask(HELLO)] == ["yes", "yes"]
        with pytest.raises(Unanswered, match="asked 2 times"):
            asking.ask(HELLO)
        assert len(model.requests) == 2


def test_messages_are_sent_as_json_whatever_they_hold():
    odd = 'quote " brace } \u2028 \ud800 end'
    with local_model(chat("yes")) as model:
        Client(Endpoint(model.url, "small")).ask([{"role": "user", "content": odd}])
        assert json.loads(json.dumps(model.requests[0][2]))["messages"][0]["content"] == odd


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for `localhost` that nobody has signed: the server's context, and the file."""
    require(shutil.which("openssl") is not None, "openssl")
    folder = tmp_path_factory.mktemp("tls")
    key, pem = folder / "key.pem", folder / "cert.pem"
    call = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    named = ["-keyout", key, "-out", pem, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*call, *named], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    return context, pem


def test_https_is_spoken_with_whom_the_system_trusts_alone(certificate, monkeypatch):
    context, pem = certificate
    monkeypatch.setenv("VISAVIS_API_KEY", HUSH)
    with local_model(chat("safely"), tls=context) as model:
        with pytest.raises(NotSent, match="no certificate that this machine trusts"):
            ask(model)
        assert model.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        real, looked_up = socket.getaddrinfo, []
        monkeypatch.setattr("socket.getaddrinfo", lambda host, *rest: looked_up.append(host) or real(host, *rest))
        assert ask(model) == "safely"
        assert set(looked_up) == {"127.0.0.1"}
        model.url = model.url.replace("localhost", "127.0.0.1")
        with pytest.raises(NotSent, match="certificate"):
            ask(model)
        assert len(model.requests) == 1
