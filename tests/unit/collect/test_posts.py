from __future__ import annotations

import gzip
import io
import json
import sys
from datetime import UTC, datetime

import pytest
from gathering import kept, read, written
from hypothesis import given
from hypothesis import strategies as st

from visavis.collect.records import Post, Problem
from visavis.collect.sources import open_source, open_sources
from visavis.collect.sources.twitter import Malformed, posts_of
from visavis.collect.state.store import Store
from visavis.collect.steps.posts import PostOptions, gather
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter, UnknownName

LINE = '{"id": "%s", "time": "2018-02-14T14:55:52-05:00", "text": "post %s #Tag https://a.example/%s"}'


@pytest.fixture
def store():
    with Store(":memory:") as store:
        yield store


def test_every_file_of_both_versions_parses_and_its_one_torn_line_is_counted(store, data_folder):
    found = read(store, str(data_folder / "tweets" / "v1"), str(data_folder / "tweets" / "v2"))
    seen = {source.source.rpartition("/")[2]: source.seen for source in found.sources}
    assert seen == {
        "get_search_raw.json": 100,
        "streaming_lines.json": 72,
        "brexit.jsonl": 100,
        "empty.json": 0,
        "entities_test.jsonl": 474,
        "flat.jsonl": 100,
        "kpop.jsonl": 100,
        "many_urls.jsonl": 1,
        "streaming_output_with_error.jsonl": 7,
        "two_tweets.jsonl": 1,
    }
    problems = [problem for source in found.sources for problem in source.problems]
    assert [(problem.source.rpartition("/")[2], problem.line) for problem in problems] == [
        ("streaming_output_with_error.jsonl", 8)
    ]
    assert all(post.time is not None and post.platform == "x" for post in kept(store))
    assert all("://t.co/" not in url for post in kept(store) for url in post.urls)


def test_a_repeated_post_has_the_whole_text_tags_and_links_of_the_original(store, tmp_path):
    first = {
        "id_str": "1", "created_at": "Sat Mar 10 14:03:15 +0000 2018", "text": "RT @a: cut sh…",
        "user": {"screen_name": "b"},
        "retweeted_status": {
            "user": {"screen_name": "a"}, "text": "cut sh…",
            "extended_tweet": {
                "full_text": "cut short &amp; whole #Late https://t.co/x",
                "entities": {
                    "hashtags": [{"text": "Late"}],
                    "urls": [{"url": "https://t.co/x", "expanded_url": "https://bit.ly/y", "unwound": {"url": "https://n.example/z"}}],
                },
            },
        },
    }  # fmt: skip
    second = {
        "data": {"id": "2", "author_id": "9", "created_at": "2021-04-01T15:52:31.000Z", "text": "RT @a: cut sh…",
                 "referenced_tweets": [{"type": "retweeted", "id": "7"}]},
        "includes": {
            "users": [{"id": "9", "username": "b"}],
            "tweets": [{"id": "7", "text": "cut short &amp; whole #Late https://t.co/x",
                        "entities": {"urls": [{"url": "https://t.co/x", "unwound_url": "https://n.example/z"}]}}],
        },
    }  # fmt: skip
    read(store, str(written(tmp_path, json.dumps(first), json.dumps(second))))
    for post in kept(store):
        assert post.text == "RT @a: cut short & whole #Late https://t.co/x"
        assert (post.author, post.tags, post.urls) == ("b", ("late",), ("https://n.example/z",))
    assert [post.time for post in kept(store)] == [
        datetime(2018, 3, 10, 14, 3, 15, tzinfo=UTC),
        datetime(2021, 4, 1, 15, 52, 31, tzinfo=UTC),
    ]


def test_plain_posts_urls_notices_and_blank_lines_share_a_file(store, tmp_path):
    path = written(
        tmp_path, LINE % (1, 1, 1), "", '{"delete": {"status": {"id": 3}}}', "# a remark", "https://b.example/c",
        '{"text": "no id, no time"}', '{"errors": [{"title": "Not Found"}]}',
    )  # fmt: skip
    source = read(store, str(path)).sources[0]
    assert (source.seen, source.new, source.notices, source.problems) == (3, 3, 2, ())
    first, listed, bare = kept(store)
    assert (first.platform, first.id, first.tags, first.urls) == ("plain", "1", ("tag",), ("https://a.example/1",))
    assert first.time == datetime(2018, 2, 14, 19, 55, 52, tzinfo=UTC)
    assert (listed.platform, listed.urls, listed.time) == ("url", ("https://b.example/c",), None)
    assert bare.time is None
    assert len(bare.id) == 20


def test_lines_that_cannot_be_read_are_counted_with_their_numbers_and_the_rest_is_kept(store, tmp_path):
    path = tmp_path / "bad.jsonl"
    bad = [
        b"not json", b'{"id": 1', b"[1]", b'"text"', b"{}", b'{"id": 1, "time": "someday", "text": "x"}',
        b"\xff\xfe", b"[" * 100_000, b'{"data": 3}', b'{"id_str": "5", "created_at": "Sat Mar 10 14:03:15 +0000 2018"}',
        b'{"data": {"text": "no id", "author_id": "1", "created_at": "2021-04-01T15:52:31.000Z"}}',
    ]  # fmt: skip
    path.write_bytes(b"\n".join([(LINE % (1, 1, 1)).encode(), *bad, (LINE % (2, 2, 2)).encode(), b""]))
    source = read(store, str(path)).sources[0]
    assert [problem.line for problem in source.problems] == list(range(2, 2 + len(bad)))
    assert [post.id for post in kept(store)] == ["1", "2"]
    assert list(store.problems()) == list(source.problems)


def test_one_json_value_over_many_lines_is_read_as_one(store, tmp_path):
    path = tmp_path / "pretty.json"
    path.write_text(json.dumps([json.loads(LINE % (n, n, n)) for n in range(3)], indent=1))
    assert read(store, str(path)).sources[0].new == 3


def test_a_file_is_read_on_where_it_grew_and_anew_where_it_was_replaced(store, tmp_path):
    path = written(tmp_path, LINE % (1, 1, 1), LINE % (2, 2, 2))
    assert read(store, str(path)).sources[0].seen == 2
    assert read(store, str(path)).sources[0].seen == 0
    with path.open("a") as grown:
        grown.write((LINE % (3, 3, 3))[:40])
    torn = read(store, str(path)).sources[0]
    assert (torn.seen, [problem.line for problem in torn.problems]) == (0, [3])
    assert store.count("problems") == 1
    with path.open("a") as grown:
        grown.write((LINE % (3, 3, 3))[40:] + "\n" + LINE % (4, 4, 4) + "\n")
    assert read(store, str(path)).sources[0].seen == 2
    assert store.count("problems") == 0
    written(tmp_path, LINE % (9, 9, 9))
    assert read(store, str(path)).sources[0].seen == 1
    assert [post.id for post in kept(store)] == ["1", "2", "3", "4", "9"]


def test_a_run_that_stops_halfway_goes_on_after_the_last_batch(store, tmp_path, monkeypatch):
    monkeypatch.setattr("visavis.collect.sources.lines.BATCH", 10)
    path = written(tmp_path, *(LINE % (n, n, n) for n in range(35)))
    source = open_source(str(path))

    def stop(_: str, seen: int) -> None:
        if seen == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather(store, PostOptions((source,), progress=stop))
    assert store.count("posts") == 20
    again = gather(store, PostOptions((source,)))
    assert (again.sources[0].seen, again.total) == (15, 35)


def test_an_id_that_already_stands_for_another_text_is_a_problem_not_a_silence(store, tmp_path):
    read(store, str(written(tmp_path, '{"id": 1, "text": "one"}', name="a.jsonl")))
    found = read(
        store, str(written(tmp_path, '{"id": 1, "text": "other"}', '{"id": 2, "text": "two"}', name="b.jsonl"))
    )
    assert "'1' already stands for another post" in found.sources[0].problems[0].reason
    assert [post.text for post in kept(store)] == ["one", "two"]


def test_compressed_files_and_stdin_are_read_and_damage_is_told(store, tmp_path, monkeypatch):
    whole = gzip.compress("".join(f"{LINE % (n, n, n)}\n" for n in range(400)).encode())
    (tmp_path / "whole.jsonl.gz").write_bytes(whole)
    (tmp_path / "torn.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    torn = read(store, str(tmp_path / "torn.jsonl.gz")).sources[0]
    assert 0 < torn.seen < 400
    assert any("damaged from here on" in problem.reason for problem in torn.problems)
    assert read(store, str(tmp_path / "whole.jsonl.gz")).total == 400
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"https://a.example/b\nhttps://a.example/c")))
    assert read(store, "-").sources[0].new == 2


def test_sources_that_are_not_there_are_refused_by_name(store, tmp_path):
    with pytest.raises(InvalidParameter, match="there is no file"):
        open_source(str(tmp_path / "none.jsonl"))
    with pytest.raises(UnknownName, match="unknown source 'mastodont'; did you mean 'mastodon'"):
        open_source("mastodont:a.example/b")
    with pytest.raises(InvalidParameter, match="mastodon:SERVER/TAG"):
        open_source("mastodon:a.example")
    with pytest.raises(Unreadable):
        read(store, f"feed:{tmp_path / 'none.xml'}")


def test_problems_are_kept_once_however_often_a_file_is_read(store, tmp_path):
    path = written(tmp_path, "bad", LINE % (1, 1, 1))
    read(store, str(path))
    store.set_position(str(path), "0 ")
    read(store, str(path))
    assert [(problem.line, problem.source) for problem in store.problems()] == [(1, str(path))]
    assert isinstance(next(store.problems()), Problem)


def test_one_bad_post_of_a_page_does_not_take_the_others_with_it(store, tmp_path):
    good = {"id": "1", "author_id": "2", "created_at": "2021-04-01T15:52:31.000Z", "text": "good"}
    value = {"data": [good, {**good, "id": None}, 7, {**good, "id": "3"}], "includes": {"users": [{"id": []}]}}
    source = read(store, str(written(tmp_path, json.dumps(value), json.dumps({"data": [], "meta": {}})))).sources[0]
    assert [post.id for post in kept(store)] == ["1", "3"]
    assert [problem.line for problem in source.problems] == [1, 1]
    assert source.notices == 1


KEYS = st.sampled_from(
    ("data", "includes", "id", "id_str", "text", "created_at", "author_id", "users", "tweets", "referenced_tweets",
     "type", "entities", "hashtags", "urls", "user", "retweeted_status", "extended_tweet", "note_tweet", "statuses")
)  # fmt: skip
LEAVES = st.none() | st.integers() | st.floats() | st.sampled_from(["retweeted", "2021-04-01T15:52:31Z", "RT @a: #x"])
VALUES = st.recursive(
    LEAVES, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=6), max_leaves=30
)


@given(VALUES, VALUES)
def test_no_json_value_is_more_than_posts_and_reasons(value, odd):
    post = {"id": "1", "text": "RT @a: x", "created_at": "2021-04-01T15:52:31Z", "author_id": odd}
    again = {**post, "referenced_tweets": [{"type": "retweeted", "id": odd}], "entities": odd}
    for whole in (value, {"data": [again], "includes": value}, {"id_str": "1", **post, "user": odd, "entities": value}):
        assert all(isinstance(found, Post | Malformed) for found in posts_of(whole))


def test_a_file_whose_first_line_stayed_but_not_the_rest_is_read_anew(store, tmp_path):
    path = written(tmp_path, LINE % (1, 1, 1), LINE % (2, 2, 2), LINE % (3, 3, 3))
    read(store, str(path))
    written(tmp_path, LINE % (1, 1, 1), LINE % (7, 7, 7), LINE % (8, 8, 8))
    assert read(store, str(path)).sources[0].new == 2
    assert read(store, str(path)).sources[0].seen == 0
    written(tmp_path, LINE % (1, 1, 1), LINE % (9, 9, 9))
    assert read(store, str(path)).sources[0].new == 1


def test_one_json_value_that_grew_is_read_anew(store, tmp_path):
    path = tmp_path / "all.json"
    posts = [json.loads(LINE % (n, n, n)) for n in range(100)]
    path.write_text(json.dumps(posts[:60]))
    assert read(store, str(path)).sources[0].new == 60
    path.write_text(json.dumps(posts))
    assert read(store, str(path)).sources[0].new == 40


def test_a_last_url_without_its_end_is_read_and_taken_back_when_its_line_has_grown(store, tmp_path):
    path = tmp_path / "urls.txt"
    path.write_text("https://a.example/1\nhttps://a.example/st")
    assert read(store, str(path)).sources[0].new == 2
    assert read(store, str(path)).sources[0].seen == 0
    with path.open("a") as grown:
        grown.write("ory\nhttps://a.example/1")
    assert read(store, str(path)).sources[0].new == 1
    assert [post.id for post in kept(store)] == ["https://a.example/1", "https://a.example/story"]
    with path.open("a") as grown:
        grown.write("2\n")
    read(store, str(path))
    assert [post.id for post in kept(store)] == [f"https://a.example/{name}" for name in ("1", "story", "12")]
    assert read(store, str(path)).sources[0].seen == 0


def test_standard_input_has_no_position_and_can_be_named_twice(store, monkeypatch):
    for text in (b"https://a.example/b\n", b"https://a.example/b\nhttps://a.example/c\n"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        read(store, "-", "-")
    assert [post.id for post in kept(store)] == ["https://a.example/b", "https://a.example/c"]
    assert store.count("positions") == 0


def test_a_damaged_first_line_costs_no_other(store, tmp_path, monkeypatch):
    monkeypatch.setattr("visavis.collect.sources.lines.LONGEST_LINE", 300)
    lines = [
        '{"id": 0, "te',
        *(json.dumps({"id": n, "text": f"hello {n}"}) for n in range(1, 30)),
        '{"id": 99,\r"text": "x"}',
    ]
    source = read(store, str(written(tmp_path, *lines))).sources[0]
    assert (source.new, [problem.line for problem in source.problems]) == (30, [1])


def test_what_only_left_out_is_still_there_for_another_query_and_for_all(store, tmp_path):
    path = str(written(tmp_path, '{"id": 1, "text": "beef ban"}', '{"id": 2, "text": "gun control"}'))
    assert read(store, path, only=("beef ban",)).sources[0].new == 1
    assert read(store, path, only=(" Beef ban",)).sources[0].seen == 0
    assert read(store, path, only=("gun control",)).sources[0].new == 1
    assert read(store, path).sources[0].seen == 2


def test_no_more_posts_are_kept_than_asked_for_and_the_next_run_goes_on(store, tmp_path):
    path = written(tmp_path, *(LINE % (n, n, n) for n in range(10)), "bad")
    for new in (4, 4, 2):
        found = gather(store, PostOptions((open_source(str(path)),), most=4))
        assert found.sources[0].new == new
    assert [post.id for post in kept(store)] == [str(n) for n in range(10)]
    assert store.count("problems") == 1


def test_a_folder_does_not_hold_its_own_state_file(tmp_path):
    written(tmp_path, LINE % (1, 1, 1))
    with Store(tmp_path / "collection.sqlite") as store:
        sources = open_sources([str(tmp_path)], store.path)
    assert [source.name for source in sources] == [str(tmp_path / "posts.jsonl")]
