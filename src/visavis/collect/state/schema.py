"""The tables of the state file, by schema version: a new version is a new row of MIGRATIONS."""

from __future__ import annotations

APPLICATION_ID = 0x76697361  # "visa": tells our files from other SQLite files

_FIRST = (
    """CREATE TABLE posts(
        number INTEGER PRIMARY KEY, platform TEXT NOT NULL, id TEXT NOT NULL, time TEXT, text TEXT NOT NULL,
        author TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '', urls TEXT NOT NULL DEFAULT '[]',
        UNIQUE(platform, id))""",
    """CREATE TABLE problems(
        source TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, UNIQUE(source, line, reason))""",
    "CREATE TABLE positions(source TEXT PRIMARY KEY, position TEXT NOT NULL)",
    """CREATE TABLE queries(
        number INTEGER PRIMARY KEY, topic TEXT NOT NULL, query TEXT NOT NULL, origin TEXT NOT NULL,
        kept INTEGER NOT NULL, reason TEXT NOT NULL DEFAULT '', UNIQUE(topic, query))""",
    """CREATE TABLE rounds(
        topic TEXT NOT NULL, round INTEGER NOT NULL, posts INTEGER NOT NULL, tags TEXT NOT NULL,
        PRIMARY KEY(topic, round))""",
    """CREATE TABLE matches(
        topic TEXT NOT NULL, query TEXT NOT NULL, post INTEGER NOT NULL REFERENCES posts(number),
        PRIMARY KEY(topic, post, query)) WITHOUT ROWID""",
    """CREATE TABLE articles(
        topic TEXT NOT NULL, url TEXT NOT NULL, time TEXT, weight INTEGER NOT NULL,
        PRIMARY KEY(topic, url)) WITHOUT ROWID""",
    "CREATE TABLE expansions(url TEXT PRIMARY KEY, target TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '')",
    """CREATE TABLE fetches(
        url TEXT PRIMARY KEY, state TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', status INTEGER,
        final_url TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 1)""",
    """CREATE TABLE pages(
        url TEXT PRIMARY KEY, final_url TEXT NOT NULL, content_type TEXT NOT NULL, body BLOB NOT NULL)""",
    """CREATE TABLE documents(
        url TEXT PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, date TEXT, author TEXT NOT NULL,
        language TEXT NOT NULL, outlet TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE cleaned(
        topic TEXT NOT NULL, url TEXT NOT NULL, text TEXT NOT NULL, time TEXT, weight INTEGER NOT NULL,
        duplicates INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(topic, url))""",
    """CREATE TABLE drops(
        topic TEXT NOT NULL, url TEXT NOT NULL, step TEXT NOT NULL, reason TEXT NOT NULL,
        detail TEXT NOT NULL DEFAULT '', undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(topic, url, step, reason))""",
)

_PASSED = (
    "timeout:%",
    "connect:%",
    "busy:%",
    "retry:%",
    "name:%",
    "robots:%so nothing is asked there",
    "url: the contact%",
)
_LIKE = " OR ".join(f"reason LIKE '{pattern}'" for pattern in _PASSED)
_SECOND = (
    "DROP TABLE rounds",
    "CREATE INDEX pages_by_final_url ON pages(final_url)",
    f"UPDATE fetches SET state = 'later' WHERE state <> 'fetched' AND ({_LIKE})",  # they used to be final
)
_THIRD = (  # a reason is a label and a detail, no longer both in one text
    *(f"ALTER TABLE {table} ADD COLUMN detail TEXT NOT NULL DEFAULT ''" for table in ("fetches", "expansions")),
    "ALTER TABLE documents ADD COLUMN detail TEXT NOT NULL DEFAULT ''",
    *(
        f"UPDATE {table} SET detail = substr(reason, instr(reason, ': ') + 2), "
        f"reason = substr(reason, 1, instr(reason, ': ') - 1) WHERE instr(reason, ': ') > 0"
        for table in ("fetches", "expansions")
    ),
    """CREATE TABLE IF NOT EXISTS robots(
        origin TEXT PRIMARY KEY, text TEXT NOT NULL, refusal TEXT NOT NULL, at REAL NOT NULL)""",
)

_FOURTH = (  # what pages say of themselves, copies of archives, and hosts that asked to be left alone
    *(f"ALTER TABLE documents ADD COLUMN {name} TEXT NOT NULL DEFAULT ''" for name in ("canonical", "wall", "said")),
    "ALTER TABLE pages ADD COLUMN copied TEXT",
    "CREATE TABLE rests(host TEXT PRIMARY KEY, until REAL NOT NULL)",
)

_FIFTH = (  # sources that have no position are sources too
    "CREATE TABLE sources(name TEXT PRIMARY KEY)",
    "INSERT INTO sources SELECT source FROM positions",
)
_SIXTH = (  # why a site could not be reached, and in which order steps last ran for a topic
    "ALTER TABLE robots ADD COLUMN cause TEXT NOT NULL DEFAULT ''",
    """CREATE TABLE runs(
        topic TEXT NOT NULL, step TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY(topic, step)) WITHOUT ROWID""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH)
VERSION = len(MIGRATIONS)
