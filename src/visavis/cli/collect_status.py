"""`visavis collect status` and `drops`: where a collection stands, what was left out, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli import collecting as out
from visavis.cli.collect_options import any_topic, as_json
from visavis.errors import Incompatible, InvalidParameter

if TYPE_CHECKING:
    from visavis.collect.records import Drop
    from visavis.collect.state.store import Store


_there = click.option(
    "--state", type=click.Path(exists=True, dir_okay=False), default="collection.sqlite", show_default=True
)


@click.command()
@any_topic
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Also write a page, with the volume.")
@_there
@as_json
def status(state: str, topic: str | None, html: Path | None, as_json: bool) -> None:
    """Show how far every topic is: posts, links, pages, documents, and why others were left out.

    It works while another step is running.
    """
    from visavis.collect.state.store import Store
    from visavis.collect.steps.status import status as find
    from visavis.collect.steps.status import status_page
    from visavis.shared.files import replace_file

    with Store(state, readonly=True) as store:
        found, posts = find(store, topic), store.count("posts")
    if html is not None:
        replace_file(html, lambda: status_page(found, Path(state).name))
    if as_json:
        out.as_json({"posts": posts, "topics": [one.funnel for one in found]})
        return
    if not found:
        out.say(f"{posts:,} posts, no topic yet: `visavis collect expand` makes one")
    for one in found:
        out.show_funnel(one.funnel)


@click.command()
@any_topic
@click.option("--reason", help="Only this reason.")
@click.option("--step", type=click.Choice(("links", "fetch", "extract", "clean")), help="Only this step.")
@click.option("--undo", multiple=True, metavar="URL", help="Bring this back; repeat it.")
@click.option("--undo-all", is_flag=True, help="Bring back everything listed.")
@click.option("--redo", is_flag=True, help="With --undo or --undo-all: drop it again after all.")
@click.option("--problems", is_flag=True, help="List instead the lines of sources that could not be read.")
@_there
@as_json
def drops(state: str, as_json: bool, problems: bool, **asked: Any) -> None:
    """List what was dropped and why, or bring it back: the step honors it when it runs again.

    Listing works while another step is running.
    """
    from visavis.collect.state.store import Store

    changing = bool(asked["undo"] or asked["undo_all"])
    if asked["redo"] and not changing:
        raise Incompatible("--redo drops again what --undo or --undo-all names: give one of them")
    if problems and changing:
        raise Incompatible("--problems lists lines of sources, which cannot be brought back: leave out --undo")
    with Store(state, readonly=not changing) as store:
        if problems:
            found = list(store.problems())
            out.as_json(found) if as_json else out.show_problems(found)
            return
        store.chosen_topics(asked["topic"])
        listed = [drop for drop in store.drops(asked["topic"], asked["reason"]) if asked["step"] in (None, drop.step)]
        if changing:
            _bring_back(store, listed, as_json, **asked)
        elif as_json:
            out.as_json([out.drop_row(drop) for drop in listed])
        else:
            out.show_drops(listed)


def _bring_back(
    store: Store, listed: list[Drop], as_json: bool, undo: tuple[str, ...], undo_all: bool, redo: bool, **_: Any
) -> None:
    unknown = set(undo) - {drop.url for drop in listed}
    if unknown:
        raise InvalidParameter(f"nothing was dropped under {min(unknown)!r}; `visavis collect drops` lists what was")
    chosen = [drop for drop in listed if undo_all or drop.url in undo]
    changed = store.set_undone(chosen, undone=not redo)
    if as_json:
        out.as_json({"changed": changed, "undone": not redo})
    else:
        out.say(f"{changed:,} {'dropped again' if redo else 'brought back'}; run the step again to see it")
