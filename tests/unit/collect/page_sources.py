"""Sources of every new kind, small ones: files in a folder, and servers of a local web."""

from __future__ import annotations

import io
import json
from pathlib import Path

from local_web import LocalWeb, page
from prose import article, html_page
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

MASTODON = tuple("/api/v1/timelines/tag/news?limit=40" + more for more in ("", "&max_id={}", "&min_id={}"))


def write_warc(path: Path, pages: list[tuple[str, str, str, bytes]]) -> None:
    """A WARC file of (URL, status, media type, body), a record of gzip each as in CC-NEWS."""
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=path.suffix == ".gz")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "a crawler"}))
        for url, status, kind, body in pages:
            head = StatusAndHeaders(f"{status} OK", [("Content-Type", kind)], protocol="HTTP/1.1")
            date = {"WARC-Date": "2018-02-14T10:00:00Z"}
            payload = io.BytesIO(body)
            record = writer.create_warc_record(
                url, "response", payload=payload, http_headers=head, warc_headers_dict=date
            )
            writer.write_record(record)


def warc_of(path: Path, n: int) -> None:
    pages = [(f"https://n{i % 3}.example/story/{i}", "200", "text/html", html_page(f"Story {i}", article(i)).encode())
             for i in range(n)]  # fmt: skip
    pages[1:1] = [
        ("https://n0.example/gone", "404", "text/html", b"gone"),
        ("https://n0.example/a.pdf", "200", "application/pdf", b"%PDF"),
    ]
    write_warc(path, pages)


def csv_of(path: Path, n: int) -> None:
    rows = [f'https://n.example/{i},"A title, {i}",2018-02-{i % 28 + 1:02d}' for i in range(n)]
    path.write_text("url,title,date\n" + "\n".join(rows) + "\n")


def posts_csv_of(path: Path, n: int) -> None:
    rows = [f'{i};"guns and\nmore #tag{i}";2018-02-{i % 28 + 1:02d} 10:00;https://n.example/{i}' for i in range(n)]
    path.write_text("id;text;time;link\n" + "\n".join(rows) + "\n")


def jsonl_of(path: Path, n: int) -> None:
    path.write_text("".join(json.dumps({"url": f"https://n.example/{i}", "title": f"A {i}"}) + "\n" for i in range(n)))


def folder_of(path: Path, n: int) -> None:
    path.mkdir()
    for i in range(n):
        head = f'<link rel="canonical" href="https://n.example/{i}"></head>'
        (path / f"{i:03d}.html").write_text(html_page(f"Story {i}", article(i)).replace("</head>", head))


FILES = {
    "a table of URLs": ("list.csv", csv_of), "a table of posts": ("posts.csv", posts_csv_of),
    "JSON lines of URLs": ("list.jsonl", jsonl_of), "a WARC file": ("news.warc.gz", warc_of),
    "saved pages": ("saved", folder_of),
}  # fmt: skip


def statuses(first: int, last: int, server: str = "a.test") -> list[dict[str, object]]:
    """Posts of a timeline, the newest first; every fifth was written on another server and is shown on all."""
    return [
        {
            "id": f"{i:06d}", "uri": f"https://{'shared.test' if i % 5 == 0 else server}/posts/{i}",
            "created_at": "2018-02-14T10:00:00Z", "tags": [{"name": "News"}], "account": {"acct": "ada"},
            "content": f'<p>Post {i} <a href="https://n.example/{i}">link</a></p>',
            "card": {"url": f"https://n.example/{i}", "title": "A vote on guns"},
        }
        for i in range(last, first - 1, -1)
    ]  # fmt: skip


class Timeline:
    """A server's timeline of so many posts, asked by pages."""

    def __init__(self, web: LocalWeb, server: str, count: int) -> None:
        self.count = count
        web.routes[server, MASTODON[0]] = lambda _: self._page(self.count)
        for i in range(count + 200):
            web.routes[server, MASTODON[1].format(f"{i:06d}")] = lambda _, i=i: self._page(i - 1)
            web.routes[server, MASTODON[2].format(f"{i:06d}")] = lambda _, i=i: self._page(
                min(i + 40, self.count), i + 1
            )
        self._server = server

    def _page(self, last: int, first: int | None = None) -> object:
        first = max(1, last - 39) if first is None else first
        return page(json.dumps(statuses(first, last, self._server)), "application/json")


def site_routes(n: int = 6) -> dict[tuple[str, str], object]:
    """A site with a feed, robots.txt, an index of sitemaps and a news sitemap."""
    feed = "".join(f"<item><title>Feed {i}</title><link>http://site.test/f/{i}</link></item>" for i in range(n))
    news = "".join(
        f"<url><loc>http://site.test/2018/gun-vote-{i}</loc><lastmod>2018-02-15</lastmod><n:news><n:publication>"
        f"</n:publication><n:publication_date>2018-02-14T10:0{i}:00-05:00</n:publication_date>"
        f"<n:title>News {i}</n:title>"
        f"<n:keywords>guns, law</n:keywords></n:news></url>"
        for i in range(n)
    )
    space = (
        'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"'
    )
    home = (
        '<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body>Home</body></html>'
    )
    listed = "".join(f"<sitemap><loc>http://site.test/{name}.xml</loc></sitemap>" for name in ("pages", "news"))
    return {
        ("site.test", "/"): page(home),
        ("site.test", "/robots.txt"): page("User-agent: *\nSitemap: http://site.test/index.xml\n", "text/plain"),
        ("site.test", "/feed.xml"): page(f"<rss version='2.0'><channel>{feed}</channel></rss>", "application/rss+xml"),
        ("site.test", "/index.xml"): page(f"<sitemapindex {space}>{listed}</sitemapindex>", "text/xml"),
        ("site.test", "/news.xml"): page(f"<urlset {space}>{news}</urlset>", "text/xml"),
        ("site.test", "/bare"): page("<html><body>nothing</body></html>"),
    }
