"""From posts to a corpus: queries, posts, links, pages, documents; all state in one SQLite file (see `store`)."""
