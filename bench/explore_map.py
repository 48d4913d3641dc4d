"""Frames per second of the explorer's map, in WebGL and on a plain canvas, in headless Chromium.

    python -m bench.explore_map [10000 100000 1000000] [--seconds 2]

Every frame is a step closer or farther and is waited for until it is drawn, so that no clock of the screen holds it
back. Where there is no graphics card Chromium draws WebGL in software (SwiftShader), and the figures are those of the
processor. It needs playwright (the extra `dev`) and the system's Chromium.
"""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import visavis

CHROMIUM = "/usr/bin/chromium"
OPTIONS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"]
STATIC = Path(visavis.__file__).parent / "explore" / "app" / "static"
SIZES = (10_000, 100_000, 1_000_000)
MEASURE = """
async ([count, kind, seconds]) => {
  const { DocumentMap } = await import("/map.js");
  document.body.innerHTML = "<div id='field' style='position:relative;width:900px;height:560px'></div>";
  const field = document.getElementById("field");
  const map = new DocumentMap(field, { kind });
  let seed = 1;
  const draw = () => { seed = (seed * 16807) % 2147483647; return seed / 2147483647; };
  const x = Float32Array.from({ length: count }, () => (draw() + draw() + draw()) / 3);
  const y = Float32Array.from({ length: count }, () => (draw() + draw() + draw()) / 3);
  const group = Uint16Array.from({ length: count }, () => Math.floor(draw() * 4));
  const colors = ["#532496", "#983f04", "#067f7a", "#7b3a49"];
  map.show({ x, y, group }, colors.map((light) => ({ name: light, color: { light, dark: light } })), []);
  map.pick(Array.from({ length: 16 }, (_, at) => ({ row: at, group: at % 4, key: `A${at}` })));
  await new Promise((resolve) => { setTimeout(resolve, 300); });
  map.drawNow();
  let frames = 0;
  const begun = performance.now();
  while (frames < 3 || performance.now() - begun < 1000 * seconds) map.drawNow(frames++ % 40 < 20 ? 1.05 : 1 / 1.05);
  return [map.painter, frames / ((performance.now() - begun) / 1000)];
}
"""


class _Quiet(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        """The empty page that the map is put on, or a script."""
        if self.path == "/":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>map</title><body></body>")
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@contextmanager
def served() -> Iterator[str]:
    """The explorer's scripts, on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(STATIC)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def main() -> None:
    """Print a row for each number of points."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        print("| points | WebGL 2, frames a second | canvas, frames a second |\n|---:|---:|---:|")
        for count in options.sizes:
            found = [page.evaluate(MEASURE, [count, kind, options.seconds]) for kind in ("webgl", "canvas")]
            if found[0][0] != "webgl":
                raise SystemExit("this browser has no WebGL 2")
            print(f"| {count:,} | {found[0][1]:.0f} | {found[1][1]:.0f} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
