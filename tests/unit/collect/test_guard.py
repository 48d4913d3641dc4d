from __future__ import annotations

import pytest

from visavis.collect.web.guard import Allowance, Guard, Problem, plain_host, refused
from visavis.errors import InvalidParameter
from walking import walk

REFUSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:10::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00::1",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    "fec0::1",
    "ff02::1",
    "2606:4700::1111%lo",
]
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "126.255.255.255",
    "128.0.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.1",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001::1",
    "2001:4860:4860::8888",
]
ODD_SPELLINGS = [
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0x7f.1",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0127.0.0.1",
    "127.0.0.01",
    "0x7f.0x0.0x0.0x1",
    "1.2.3.4.5",
    "134744072",
    "8.8.2056",
    "999.1.1.1",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "127。0。0。1.5",
    "127.0.0.0x1",
    "[::1%25lo]",
    "[fe80::1%eth0]",
    "[::1]x]",
    "1.2.3",
]


@walk("address", REFUSED)
def test_no_address_outside_the_public_internet_passes(address):
    assert refused(address)


@walk("address", PUBLIC)
def test_public_addresses_pass_up_to_the_edge_of_each_refused_block(address):
    assert refused(address) is None


@walk("host", ODD_SPELLINGS)
def test_an_address_in_any_spelling_but_the_standard_one_is_refused(host):
    with pytest.raises(Problem) as problem:
        Guard(resolve=lambda _: ["8.8.8.8"]).targets(host, 80, 5.0)
    assert problem.value.reason == "address"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "a.localhost", "printer", "box.local", "vm.internal"])
def test_names_of_this_machine_and_this_network_are_refused(host):
    with pytest.raises(Problem):
        plain_host(host)


@pytest.mark.parametrize("host", ["a..b.com", "-a.com", "a%2f.com", "a b.com", "x" * 64 + ".com", "a." * 130 + "com"])
def test_what_is_no_host_name_is_refused(host):
    with pytest.raises(Problem):
        plain_host(host)


def test_the_same_host_in_other_dress_is_one_name():
    assert (
        plain_host("News.Example.") == plain_host("ｎｅｗｓ.example") == plain_host("news。example") == "news.example"
    )
    assert plain_host("[2606:4700:0:0::1111]") == "2606:4700::1111"


def targets(addresses, port=443, host="news.example", **more):
    return Guard(resolve=lambda _: addresses, **more).targets(host, port, 5.0)


def test_a_name_leads_to_the_addresses_that_were_checked():
    assert targets(["93.184.216.34", "2606:4700::1"]) == [("93.184.216.34", 443), ("2606:4700::1", 443)]


@walk("address", REFUSED)
def test_one_bad_address_among_good_ones_refuses_the_name(address):
    with pytest.raises(Problem) as problem:
        targets(["93.184.216.34", address])
    assert problem.value.reason == "address"


def test_what_a_resolver_returns_must_be_an_address():
    with pytest.raises(Problem, match="not public"):
        targets(["localhost"])


def test_each_connection_looks_the_name_up_anew_so_that_rebinding_meets_the_check():
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    guard = Guard(resolve=lambda _: next(answers))
    assert guard.targets("rebind.example", 80, 5.0)
    with pytest.raises(Problem, match="loopback"):
        guard.targets("rebind.example", 80, 5.0)


@pytest.mark.parametrize("port", [0, 22, 25, 8080, 65535])
def test_only_the_ports_of_the_web_are_used(port):
    with pytest.raises(Problem) as problem:
        targets(["93.184.216.34"], port=port)
    assert problem.value.reason == "port"


def test_a_resolver_that_hangs_ends_with_the_time():
    import threading

    stuck = threading.Event()
    with pytest.raises(Problem) as problem:
        Guard(resolve=lambda _: stuck.wait(20) and []).targets("slow.example", 80, 0.05)
    stuck.set()
    assert problem.value.reason == "timeout"


def test_a_name_without_address_says_so():
    def fails(_):
        raise OSError("no such name")

    for resolve in (fails, lambda _: []):
        with pytest.raises(Problem) as problem:
            Guard(resolve=resolve).targets("gone.example", 80, 5.0)
        assert problem.value.reason == "name"


def test_a_loopback_server_is_reached_only_under_the_name_that_was_let_through():
    allowance = Allowance({"news.test": ("127.0.0.1", 8081)})
    assert targets([], host="news.test", port=80, allowance=allowance) == [("127.0.0.1", 8081)]
    for host in ("127.0.0.1", "[::1]"):
        with pytest.raises(Problem, match="loopback"):
            targets([], host=host, port=80, allowance=allowance)
    with pytest.raises(Problem):
        targets(["127.0.0.1"], host="other.test", port=80, allowance=allowance)
    with pytest.raises(Problem):
        targets([], host="news.test", port=8081, allowance=allowance)


@pytest.mark.parametrize(
    "hosts", [{"x.test": ("10.0.0.1", 80)}, {"x.test": ("8.8.8.8", 80)}, {"127.0.0.1": ("127.0.0.1", 80)}]
)
def test_only_loopback_can_be_let_through_and_only_by_name(hosts):
    with pytest.raises(InvalidParameter):
        Allowance(hosts)


def test_nothing_is_let_through_by_default():
    assert Guard().allowance.hosts == {}
