from __future__ import annotations

import json
import re
import shlex

import pytest
from click.testing import CliRunner
from local_web import LocalWeb, page, redirect

from conftest import ROOT
from visavis.cli.collect import collect, show_ran
from visavis.collect.state.store import Store
from visavis.collect.steps.expand import NoMatch
from visavis.collect.steps.run import RunOptions, run_plan
from visavis.collect.steps.topic import read_plan
from visavis.collect.web.guard import Allowance
from visavis.corpus import read_corpus
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter

pytestmark = pytest.mark.usefixtures("one_reader")
POSTS = [
    ("1", "2018-02-14T10:00:00Z", "gun control now #Guns #Florida https://n.test/a"),
    ("2", "2018-02-15T10:00:00Z", "#guns https://n.test/a?utm_source=x http://bit.ly/b https://twitter.com/x/status/1"),
    ("3", "2018-02-16T10:00:00Z", "beef ban https://n.test/c"),
    ("4", "2018-02-17T10:00:00Z", "gun control \x1b[31m #guns"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"id": id_, "time": time, "text": text}) for id_, time, text in POSTS]
    (tmp_path / "posts.jsonl").write_text("\n".join([*lines, "torn", ""]))
    return tmp_path


def run(*arguments, answers=None):
    return CliRunner().invoke(collect, arguments, input=answers)


def told(*arguments, **more):
    """What a command prints, which must have worked."""
    result = run(*arguments, **more)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def gathered(folder):
    told("posts", "posts.jsonl")
    return folder


def test_posts_says_what_came_and_which_lines_could_not_be_read(folder):
    result = run("posts", "posts.jsonl")
    assert "posts.jsonl: 4 posts, 4 new\n4 posts in all" in result.stdout
    assert "line 5: neither JSON nor a URL" in result.stderr
    assert "posts.jsonl: 0 posts, 0 new" in told("posts", "posts.jsonl")
    assert told("drops", "--problems").startswith("posts.jsonl\t5\t")
    assert (folder / "collection.sqlite").exists()


@pytest.mark.usefixtures("folder")
def test_only_posts_that_match_are_kept_where_asked():
    assert "1 posts, 1 new" in told("posts", "--only", "beef ban", "posts.jsonl")


@pytest.mark.usefixtures("gathered")
def test_expand_prints_each_round_and_why_each_query_came_in_or_stayed_out():
    said = told("expand", "--topic", "guns", "--query", "gun control", "--fewest", "1", "--keep", "guns").splitlines()
    assert said[:2] == [
        "'gun control' over 4 posts, 2018-02-14 10:00 to 2018-02-28 10:00 UTC",
        "2 of 4 distinct texts hold the seed",
    ]
    assert said[2].startswith("note: the seed is very small: of 2 texts nothing can be learned")
    assert (
        said[3]
        == "  in   #guns  on the keep list: 3 texts, 2 with the seed (lift 1.33); 67% on its topic, at least 32%"
    )
    assert said[4] == "round 1: 3 texts of the topic; 0 in, 1 out, 0 in too few texts"
    assert said[5].startswith("  out  #florida  a place, Florida, a state: 1 texts, 1 with the seed")
    assert said[6:] == ["ended: fixed point after 1 rounds", "queries: gun control, #guns"]


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr("visavis.cli.collect_queries.has_terminal", lambda: True)


EXPAND = ("expand", "--topic", "guns", "--query", "gun control", "--fewest", "1")


@pytest.mark.usefixtures("gathered", "terminal")
def test_the_review_asks_about_every_query_that_is_near():
    said = run(*EXPAND, "--review", answers="y\ny\n")
    assert "keep #guns? [y/N]" in said.output
    assert "keep #florida? [y/N]" in said.output
    assert said.stdout.endswith("queries: gun control, #guns, #florida\n")


@pytest.mark.usefixtures("gathered")
def test_without_a_terminal_nobody_is_asked_and_a_file_decides(folder):
    refused = run(*EXPAND, "--review")
    assert isinstance(refused.exception, InvalidParameter)
    assert "--review asks in a terminal, and there is none: name queries with --keep" in str(refused.exception)
    told(*EXPAND, "--propose", "queries.toml")
    proposed = (folder / "queries.toml").read_text()
    (folder / "queries.toml").write_text(
        proposed.replace("keep = [\n", 'keep = [\n  "#guns",\n').replace('"#guns",  #', "#")
    )
    assert "queries: gun control, #guns\n" in told(*EXPAND, "--decisions", "queries.toml")


@pytest.mark.usefixtures("gathered")
def test_match_links_and_drops_follow_and_a_drop_can_be_undone():
    told("expand", "--topic", "guns", "--query", "gun control", "--keep", "guns")
    assert told("fetch", "--topic", "guns") == "0 pages fetched\n"
    assert told("match", "--topic", "guns") == (
        "guns: 3 of 4 posts match\n          2  gun control\n          3  #guns\n"
    )
    said = told("links", "--topic", "guns", "--no-expand")
    assert said.startswith("guns: 4 links (1 short) → 1 articles\n")
    listed = told("drops", "--topic", "guns", "--reason", "social")
    assert listed == "dropped\tguns\tlinks\tsocial\thttps://twitter.com/x/status/1\ttwitter.com\n"
    assert told("drops", "--undo", "https://twitter.com/x/status/1").startswith("1 brought back")
    assert "2 articles" in told("links", "--topic", "guns", "--no-expand")
    assert told("drops", "--undo", "https://twitter.com/x/status/1", "--redo").startswith("1 dropped again")
    assert "1 articles" in told("links", "--topic", "guns", "--no-expand")
    result = run("drops", "--undo", "https://nowhere.example/")
    assert isinstance(result.exception, InvalidParameter)


@pytest.mark.usefixtures("gathered")
def test_every_step_speaks_json():
    assert json.loads(told("posts", "--json", "posts.jsonl"))["total"] == 4
    expanded = json.loads(told("expand", "--json", "--topic", "guns", "--query", "gun control", "--keep", "#guns"))
    assert expanded["by_hand"][0]["measure"]["texts"] == 3
    assert expanded["queries"] == ["gun control", "#guns"]
    assert expanded["start"] == "2018-02-14T10:00:00+00:00"
    for step, key in (("fetch", "fetched"), ("extract", "extracted"), ("clean", "kept")):
        assert json.loads(told(step, "--json"))[key] == 0
    assert json.loads(told("match", "--json", "--topic", "guns"))["matched"] == 3
    assert json.loads(told("links", "--json", "--no-expand", "--topic", "guns"))["articles"] == 1
    assert {drop["reason"] for drop in json.loads(told("drops", "--json"))} == {"social", "short link"}


def test_what_a_terminal_would_obey_is_written_out(gathered):
    (gathered / "odd.jsonl").write_text('{"id": "9", "text": "x", "time": "\\u001b[31m bad"}\n')
    result = run("posts", "odd.jsonl")
    assert "\x1b" not in result.output
    assert "\\x1b[31m bad" in result.stderr


@pytest.mark.usefixtures("gathered")
def test_drops_can_be_listed_while_another_step_holds_the_state():
    told("match", "--topic", "guns", "--query", "guns")
    told("links", "--topic", "guns", "--no-expand")
    with Store("collection.sqlite"):
        assert "social" in told("drops")
        assert "another process" in str(run("match", "--topic", "guns").exception)


PLAN = """
sources = ["posts.jsonl", "http://n.test/feed.xml"]
contact = "https://us.example/bot"
seconds_a_host = 0.0
[[topic]]
name = "guns"
query = "gun control"
keep = ["#guns"]
exclude = ["florida"]
out = "guns.jsonl"
[[topic]]
name = "beef"
query = "beef ban"
expand = false
out = "beef.csv"
"""
FEED = """<rss version="2.0"><channel><title>n</title><item><title>Gun control, a gun bill</title>
<link>https://n.test/d</link><pubDate>Fri, 16 Feb 2018 00:00:00 GMT</pubDate></item></channel></rss>"""


def story(about, place):
    """A page whose text is long enough, on its topic, and unlike any other."""
    debates = (
        f"On day {place}{n} member {n * 31 + place} spoke on {about} in room {n * 7 + place}." for n in range(20)
    )
    head = f"<html><head><title>{about} {place}</title></head>"
    return page(f"{head}<body><article><h1>{about} {place}</h1><p>{' '.join(debates)}</p></article></body></html>")


@pytest.fixture
def web():
    routes = {
        ("n.test", "/feed.xml"): page(FEED, "application/rss+xml"),
        ("n.test", "/a"): story("gun control", 1),
        ("n.test", "/b"): story("gun control", 2),
        ("n.test", "/c"): story("beef ban", 3),
        ("n.test", "/d"): story("gun control", 4),
        ("bit.ly", "/b"): redirect("http://n.test/b"),
    }
    with LocalWeb(routes) as web:
        yield web


@pytest.fixture
def plan(folder, web):
    """A plan whose pages are served here, without TLS."""
    (folder / "topic.toml").write_text(PLAN)
    for path in ("topic.toml", "posts.jsonl"):
        (folder / path).write_text((folder / path).read_text().replace("https://n.test", "http://n.test"))
    web.routes["n.test", "/feed.xml"] = page(FEED.replace("https:", "http:"), "application/rss+xml")
    return read_plan("topic.toml")


def ran(plan, web):
    with Store(plan.beside(plan.state)) as store:
        return run_plan(store, plan, RunOptions(allowance=Allowance(web.allowance.hosts)))


def test_a_plan_runs_from_posts_to_corpora_that_can_be_read(plan, web):
    guns, beef = ran(plan, web).topics
    assert guns.expanded is not None
    assert beef.expanded is None
    assert (guns.row.queries, guns.row.posts, guns.row.articles, guns.row.cleaned) == (2, 4, 3, 3)
    assert (beef.row.queries, beef.row.posts, beef.row.articles, beef.row.cleaned) == (1, 1, 1, 1)
    weights = {document.url: document.weight for document in read_corpus("guns.jsonl").documents}
    assert weights == {"http://n.test/a": 2, "http://n.test/b": 1, "http://n.test/d": 1}
    assert [document.url for document in read_corpus("beef.csv").documents] == ["http://n.test/c"]
    assert all("us.example/bot" in agent for agent in web.agents)


def test_a_second_run_of_a_plan_finds_the_same_and_asks_for_no_page_again(plan, web):
    first = ran(plan, web)
    pages = {asked: count for asked, count in web.asked.items() if "feed" not in asked[1]}
    second = ran(plan, web)
    assert {asked: count for asked, count in web.asked.items() if asked in pages} == pages
    assert set(pages.values()) == {1}
    assert [topic.row for topic in first.topics] == [topic.row for topic in second.topics]


def test_export_writes_the_corpus_of_a_state_file_and_the_table(plan, web):
    ran(plan, web)
    said = told("export", "all.jsonl", "--table", "table.md")
    assert said.splitlines() == [
        "topic  queries  posts  articles  cleaned",
        "beef         1      1         1        1",
        "guns         2      4         3        3",
        "4 documents in all.jsonl",
    ]
    assert len(read_corpus("all.jsonl").documents) == 4
    assert "guns" in plan.beside("table.md").read_text()


def test_the_command_lets_no_loopback_server_through(folder, web):
    here = f"http://127.0.0.1:{web.port}"
    topic = '[[topic]]\nname = "t"\nquery = "beef ban"\n'
    (folder / "topic.toml").write_text(f'sources = ["{here}/feed.xml", "posts.jsonl"]\n{topic}')
    (folder / "posts.jsonl").write_text(f'{{"id": 1, "time": 2018, "text": "beef ban http://127.0.0.1/a {here}/b"}}\n')
    said = told("run", "topic.toml")
    assert not web.asked
    assert "1  dropped: address\n" in said
    assert "1  dropped: port\n" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", r"name at least one \[\[topic\]\]"),
        ("[[topic]]\nname = 't'\n", "topic 1: 'query' is missing"),
        ("[[topic]]\nname = 't'\nquery = '#'\n", "holds no word"),
        ("[[topic]]\nname = 't'\nquery = 'x'\nwindw = '3d'\n", "unknown entry 'windw'; did you mean 'window'"),
        ("[[topic]]\nname = 't'\nquery = 'x'\nwindow = 'soon'\n", "duration 'soon'"),
        ("[[topic]]\nname = 't'\nquery = 'x'\ntop = '3'\n", "topic 1: top must be a whole number, not '3'"),
        ("[[topic]]\nname = 't'\nquery = 'x'\ntop = true\n", "top must be a whole number"),
        ("[[topic]]\nname = 't'\nquery = 'x'\nkeep = 'a'\n", "keep must be a list of texts"),
        ("[[topic]]\nname = 't'\nquery = 'x'\nout = 'a.doc'\n", "a corpus can be written as .jsonl, .csv, .parquet"),
        ("[[topic]]\nname = 't'\nquery = 'x'\nout = 'none/a.csv'\n", "there is no folder '.*none'"),
        ("[[topic]]\nname = 't'\nquery = 'x'\ntop = 0\n", "topic 1: top=0"),
        ("[[topic]]\nname = 't'\nquery = 'x'\nkeep = ['a']\nexclude = ['A']\n", "topic 1: 'a' is to be kept and"),
        ("[[topic]]\nname = 't'\nquery = 'x'\nlanguage = 'english'\n", "topic 1: language 'english'"),
        ("contact = 'Jörg'\n[[topic]]\nname = 't'\nquery = 'x'\n", "cannot stand in a User-Agent"),
        ("seconds_a_host = nan\n[[topic]]\nname = 't'\nquery = 'x'\n", "seconds_a_host = nan"),
        (
            "[[topic]]\nname = 't'\nquery = 'x'\nout = 'a.csv'\n[[topic]]\nname = 'u'\nquery = 'x'\nout = './a.csv'\n",
            "two topics are written to",
        ),
        ("sources = ['jetstream:']\n[[topic]]\nname = 't'\nquery = 'x'\n", "say how long to listen"),
        ("workers = 0\n[[topic]]\nname = 't'\nquery = 'x'\n", "workers = 0"),
        ("folder = 'x'\n[[topic]]\nname = 't'\nquery = 'x'\n", "there is no entry 'folder'"),
        ("[[topic]]\nname = 't'\nquery = 'x'\n[[topic]]\nname = 't'\nquery = 'y'\n", "two topics are called 't'"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused_with_the_entry(tmp_path, text, says):
    (tmp_path / "topic.toml").write_text(text)
    with pytest.raises(InvalidParameter, match=says):
        read_plan(tmp_path / "topic.toml")


def test_a_plan_that_is_no_toml_or_not_there_is_refused(tmp_path):
    (tmp_path / "topic.toml").write_text("= 3")
    for name in ("topic.toml", "none.toml"):
        with pytest.raises(Unreadable):
            read_plan(tmp_path / name)


def test_paths_of_a_plan_lie_beside_it_and_addresses_stay(tmp_path):
    (tmp_path / "topic.toml").write_text("[topic]\nname = 't'\nquery = 'x'\n")
    plan = read_plan(tmp_path / "topic.toml")
    assert plan.source("a.jsonl") == str(tmp_path / "a.jsonl")
    assert plan.source("feed:a.xml") == f"feed:{tmp_path / 'a.xml'}"
    for name in ("-", "https://n.example/feed", "mastodon:s.example/t", "jetstream:", "feed:https://n.example/x"):
        assert plan.source(name) == name


GUIDE = (ROOT / "docs" / "collect.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", sorted(set(re.findall(r"^\$ visavis collect (.+)$", GUIDE, re.M))))
def test_documented_commands_can_be_read(line, folder):
    (folder / "collection.sqlite").touch()
    name, *rest = shlex.split(line)
    collect.commands[name].make_context(name, rest)


def test_the_documented_plan_can_be_read(tmp_path):
    (block,) = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.M | re.S)
    (tmp_path / "topic.toml").write_text(block, encoding="utf-8")
    plan = read_plan(tmp_path / "topic.toml")
    assert [topic.expand for topic in plan.topics] == [True, False]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("fetch", "--topic", "cats"), "there is no topic 'cats'"),
        (("clean", "--topic", "cats"), "there is no topic 'cats'"),
        (("links", "--topic", "cats"), "there is no topic 'cats'"),
        (("drops", "--topic", "cats"), "there is no topic 'cats'"),
        (("fetch", "--state", "typo.sqlite"), "there is no state file 'typo.sqlite'"),
        (("fetch", "--contact", "Jörg"), "cannot stand in a User-Agent"),
        (("posts", "jetstream:"), "jetstream: never ends: say how long to listen"),
        (("drops", "--redo"), "--redo drops again what --undo or --undo-all names"),
        (("drops", "--problems", "--undo-all"), "--problems lists lines of sources"),
    ],
)
def test_what_cannot_be_done_is_refused_and_leaves_nothing_behind(gathered, arguments, says):
    result = run(*arguments)
    assert says in str(result.exception)
    assert not list(gathered.glob("typo*"))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", [("posts", "posts.jsonl", "--most", "-1"), ("drops", "--step", "none")])
def test_options_out_of_range_are_refused(arguments):
    assert run(*arguments).exit_code == 2


@pytest.mark.usefixtures("gathered", "terminal")
def test_json_is_all_that_stdout_gets():
    reviewed = run(*EXPAND, "--review", "--json", answers="n\ny\n")
    assert json.loads(reviewed.stdout)["queries"] == ["gun control", "#guns"]
    assert "out  #florida  a place" in reviewed.stderr
    told("match", "--topic", "guns")
    told("links", "--topic", "guns", "--no-expand")
    assert json.loads(told("drops", "--undo-all", "--json")) == {"changed": 2, "undone": True}


@pytest.mark.usefixtures("plan")
def test_a_topic_without_a_post_does_not_keep_the_others_from_theirs(web, folder):
    (folder / "topic.toml").write_text(PLAN.replace("gun control", "zebra crossing").replace("https://n", "http://n"))
    found = ran(read_plan("topic.toml"), web)
    assert [topic.topic for topic in found.topics] == ["beef"]
    assert "no post matches 'zebra crossing'" in found.unmatched["guns"]
    (folder / "topic.toml").write_text('sources = ["posts.jsonl"]\n[topic]\nname = "t"\nquery = "zebra"\n')
    with pytest.raises(NoMatch):
        ran(read_plan("topic.toml"), web)


def test_a_run_says_what_extraction_missed(plan, web, capsys):
    web.routes["n.test", "/a"] = page(b"%PDF-1.7 no article", "text/html")
    found = ran(plan, web)
    assert found.topics[0].extracted.missed == {"not HTML": 1}
    show_ran(found)
    assert "1  dropped: not HTML" in capsys.readouterr().out
