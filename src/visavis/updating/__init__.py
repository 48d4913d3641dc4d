"""What is new since last time: a state file that keeps documents, vectors and sums; a ledger of past summaries.

`state` alone speaks SQL; `sums` adds and takes out contributions of documents, `moves` says which picks stay, `ledger`
and `diff` tell of earlier summaries, `run` walks the corridor of a comparison with what the state has frozen.
"""

from __future__ import annotations

from visavis.updating.diff import diff, write_diff
from visavis.updating.ledger import ledger
from visavis.updating.run import Updated, update

__all__ = ["Updated", "diff", "ledger", "update", "write_diff"]
