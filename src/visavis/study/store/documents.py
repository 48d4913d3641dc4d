"""The documents of a design in the database: all with their vectors, and the texts of those that somebody reads."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sqlalchemy import Connection, insert

from visavis.study.store import schema

if TYPE_CHECKING:
    from visavis.study.design.articles import Articles


def save_documents(connection: Connection, articles: Articles, shown: Collection[int]) -> None:
    """Store the documents, and as articles those in the rows `shown`; article n is row n − 1."""
    parts = articles.parts
    tested = set(parts.test.tolist())
    vectors = parts.vectors.astype("<f4")
    rows = [
        {"name": document.id, "group_code": int(parts.codes[row]), "part": "test" if row in tested else "train",
         "vector": vectors[row].tobytes()}
        for row, document in enumerate(articles.documents)
    ]  # fmt: skip
    connection.execute(insert(schema.document), rows)
    texts = [
        {"id": row + 1, "document": articles.documents[row].id, "group_code": int(parts.codes[row]),
         "title": articles.texts[row].title, "lead": articles.texts[row].lead}
        for row in sorted(shown)
    ]  # fmt: skip
    connection.execute(insert(schema.article), texts)
