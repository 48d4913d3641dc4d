"""A blind study with people: designed from a corpus, run on one's own server, analyzed."""
