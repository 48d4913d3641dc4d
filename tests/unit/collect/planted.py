"""A web of a few hundred pages with a known harvest: what the corpus must be is written down as the web is made."""

from __future__ import annotations

import html
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from local_web import LocalWeb, Route, page, redirect
from prose import article, html_page, sentences

START = datetime(2026, 2, 1, 8, tzinfo=UTC)
HOSTS = ("alpha-news.test", "beta-post.test", "gamma-times.test", "delta-herald.test")
CHROME = {
    host: f"<p>Subscribe to our channel number {i} today.</p><p>Follow the {i} reporters of our house everywhere.</p>"
    for i, host in enumerate(HOSTS)
}
SPAM = (
    "BUY NOW! Click here, limited time offer on gun control books! Free shipping! Order now, best price $9! Use promo "
    "code GUN! Cheap, cheap, cheap! Act now! Earn $500 a day, work from home! "
) * 3
GERMAN = (
    "Der Ausschuss hat am Montag über das neue Gesetz beraten, und die Abgeordneten haben lange gestritten. Das ist "
    "gun control, sagen die einen, eine Gefahr für die Freiheit nennen es die anderen. Am Ende wurde alles vertagt, "
    "weil noch viele Fragen offen sind und niemand die Kosten kennt. Im Frühjahr soll es eine weitere Sitzung geben. "
)


class Planted:
    """`routes` for the web, `lines` of posts, a feed, and `expected` {url: (text, weight, hours after the start)}."""

    def __init__(self) -> None:
        self.routes: dict[tuple[str, str], Route] = {}
        self.lines: list[str] = []
        self.entries: list[str] = []
        self.expected: dict[str, list[object]] = {}
        self.reasons: dict[str, str] = {}
        self._good()
        self._copies()
        self._rubbish()
        self._unreachable()
        self._noise()
        items = "".join(self.entries)
        feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>All</title>{items}</channel></rss>'
        self.routes["feeds.test", "/all.rss"] = page(feed, "application/rss+xml")

    def web(self) -> LocalWeb:
        return LocalWeb(self.routes, hosts=("closed.test", "broken-robots.test"))

    def put(self, host: str, path: str, title: str, text: str) -> str:
        self.routes[host, path] = page(html_page(title, text, CHROME.get(host, "")))
        return f"http://{host}{path}"

    def post(self, link: str, hours: float, text: str = "On gun control:") -> None:
        time = START + timedelta(hours=hours)
        number = len(self.lines)
        self.lines.append(json.dumps({"id": str(number), "time": time.isoformat(), "text": f"{text} {link}"}))

    def entry(self, link: str, hours: float) -> None:
        when = format_datetime(START + timedelta(hours=hours))
        self.entries.append(
            f"<item><title>gun control news</title><link>{html.escape(link)}</link>"
            f"<guid>{len(self.entries)}</guid><pubDate>{when}</pubDate></item>"
        )

    def _good(self) -> None:
        """200 articles: linked by posts or the feed, directly, by short links, with tracking parameters."""
        for i in range(200):
            host = HOSTS[i % 4]
            text = article(f"good {i}")
            url = self.put(host, f"/2026/story-{i}.html", f"Story {i}", text)
            hours = 10.0 + i
            self.expected[url] = [text, 1, hours]
            if i % 5 == 0:
                self.entry(url, hours)
            elif i % 5 == 1:
                self.routes["bit.ly", f"/Good{i}"] = redirect(url, 301)
                self.post(f"http://bit.ly/Good{i}", hours)
            elif i % 5 == 2:
                self.post(f"{url}?utm_source=feed&utm_medium=social#top", hours)
                self.post(url, hours + 300, "More #gunreformnow")
                self.expected[url][1] = 2
            elif i % 5 == 3:
                self.routes["t.co", f"/a{i}"] = redirect(f"http://bit.ly/Two{i}")
                self.routes["bit.ly", f"/Two{i}"] = redirect(f"{url}?fbclid=1{i}")
                self.post(f"https://t.co/a{i}".replace("https", "http"), hours)
            else:
                self.post(url, hours)

    def _copies(self) -> None:
        """Near-duplicates, copies and moved pages: dropped, their posts counted with the first."""
        urls = list(self.expected)
        for i in range(20):
            first = urls[i]
            text = str(self.expected[first][0]).replace("number", "figure", 1) + " An editor added this."
            self._copy(first, self.put(HOSTS[(i + 1) % 4], f"/wire/copy-{i}.html", f"Copy {i}", text), 500 + i)
        for i in range(20, 30):
            first = urls[i]
            same = self.put(HOSTS[(i + 2) % 4], f"/wire/same-{i}.html", f"Same {i}", str(self.expected[first][0]))
            self._copy(first, same, 500 + i)
        for i in range(30, 36):
            first = urls[i]
            host = HOSTS[i % 4]
            self.routes[host, f"/old/{i}.html"] = redirect(first, 301)
            self._copy(first, f"http://{host}/old/{i}.html", 500 + i)

    def _copy(self, first: str, url: str, hours: float) -> None:
        self.post(url, hours)
        self.expected[first][1] = int(str(self.expected[first][1])) + 1
        self.reasons[url] = "duplicate"

    def _rubbish(self) -> None:
        kinds = {
            "spam": ("Great offer", SPAM),
            "short": ("Brief", "The vote on gun control was delayed until spring, officials of the city said."),
            "language": ("Beratung", GERMAN),
            "error": ("Page not found", "The page you requested about gun control could not be found. " * 4),
            "cookies": ("Welcome", "We use cookies here. Accept all cookies or open the cookie settings, please. " * 3),
        }
        for reason, (title, text) in kinds.items():
            for i in range(6):
                rest = " ".join(sentences(f"{reason} {i}", 3)) if reason in ("error", "cookies") else ""
                url = self.put(HOSTS[i % 4], f"/{reason}/{i}.html", f"{title} {i}", f"{text} {rest}".strip())
                self._bad(url, reason)
        for i in range(6):
            self._bad(
                self.put(HOSTS[i % 4], f"/far/{i}.html", f"Far {i}", " ".join(sentences(f"far {i}", 9))), "off-topic"
            )

    def _bad(self, url: str, reason: str) -> None:
        self.post(url, 900 + len(self.reasons))
        self.reasons[url] = reason

    def _unreachable(self) -> None:
        self.routes["closed.test", "/robots.txt"] = page("User-agent: *\nDisallow: /\n", "text/plain")
        self.routes["broken-robots.test", "/robots.txt"] = (500, {}, b"")
        self.routes[HOSTS[0], "/robots.txt"] = page("User-agent: *\nDisallow: /members/\n", "text/plain")
        for i in range(4):
            for host in ("closed.test", "broken-robots.test"):
                self._bad(self.put(host, f"/{i}.html", "No", article(f"{host} {i}")), "robots")
            self._bad(self.put(HOSTS[0], f"/members/{i}.html", "No", article(f"member {i}")), "robots")
            self._bad(f"http://{HOSTS[1]}/gone/{i}.html", "status 404")
            self.routes[HOSTS[2], f"/paper/{i}"] = page(b"%PDF-1.7", "application/pdf")
            self._bad(f"http://{HOSTS[2]}/paper/{i}", "type")
            self.routes[HOSTS[3], f"/trap/{i}"] = redirect("http://127.0.0.1/admin")
            self._bad(f"http://{HOSTS[3]}/trap/{i}", "address")

    def _noise(self) -> None:
        """Posts that do not match, and links that are no articles."""
        for i in range(10):
            self.put(HOSTS[i % 4], f"/unasked/{i}.html", "Unasked", article(f"unasked {i}"))
            self.post(f"http://{HOSTS[i % 4]}/unasked/{i}.html", i, "Lovely weather")
            self.post(f"https://twitter.com/someone/status/{i}", i)
            self.post(f"https://www.youtube.com/watch?v={i}", i)
