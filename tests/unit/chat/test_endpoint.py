"""Where a model may stand, and that a refusal repeats nothing secret."""

from __future__ import annotations

import pytest

from visavis.chat import Endpoint
from visavis.chat.endpoint import is_loopback
from visavis.errors import InvalidParameter


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("http://localhost:11434", "localhost:11434", "/v1/chat/completions"),
        ("http://127.0.0.1:8080/v1/", "127.0.0.1:8080", "/v1/chat/completions"),
        ("http://[::1]:8080", "[::1]:8080", "/v1/chat/completions"),
        ("https://API.example.com/v1", "api.example.com", "/v1/chat/completions"),
        ("https://example.com:8443/v1beta/openai", "example.com:8443", "/v1beta/openai/chat/completions"),
        ("https://example.com/v1/chat/completions", "example.com", "/v1/chat/completions"),
    ],
)
def test_an_endpoint_names_its_host_and_what_is_asked_for(url, host, path):
    endpoint = Endpoint(url, "m")
    assert (endpoint.host, endpoint.path) == (host, path)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/v1",
        "http://192.168.1.2:11434",
        "http://10.0.0.1",
        "http://0.0.0.0:11434",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "http://localhost.",
        "http://127.1",
        "http://2130706433",
        "http://0x7f000001",
        "http://[::ffff:127.0.0.1]",
        "http://[::1%25eth0]",
    ],
)
def test_plain_http_to_anything_but_this_machine_is_refused(url):
    with pytest.raises(InvalidParameter, match=r"https|host"):
        Endpoint(url, "m")


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:11434", "ftp://localhost", "file:///etc/passwd", "https://", "https://exa mple.com",
        "https://example.com\\@localhost", "https://example.com:99999", "https://example.com:0", "https://exämple.com",
        "https://example.com/\n", 7,
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_model_is_refused(url):
    with pytest.raises(InvalidParameter, match="endpoint"):
        Endpoint(url, "m")


@pytest.mark.parametrize(
    "url", ["https://me:hush@example.com", "https://example.com/v1?key=hush", "http://h.test#hush"]
)
def test_an_address_with_a_secret_is_refused_without_repeating_it(url):
    with pytest.raises(InvalidParameter, match="VISAVIS_API_KEY alone") as refused:
        Endpoint(url, "m")
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("model", ["", " ", "a\nb", "x" * 201, None])
def test_a_model_has_a_printable_name(model):
    with pytest.raises(InvalidParameter, match="name"):
        Endpoint("https://example.com", model)


def test_only_literal_loopback_addresses_and_localhost_are_this_machine():
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.255.0.3", "::1")))
    assert not any(map(is_loopback, ("localhost.", "127.0.0.1.nip.io", "0.0.0.0", "::", "::ffff:127.0.0.1", "")))
