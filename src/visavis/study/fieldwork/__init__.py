"""A study while it runs: who is asked what, whose answers count, what leaves it."""
