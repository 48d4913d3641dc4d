"""Where a study is kept."""

from visavis.study.store.database import (
    NoStudy,
    Store,
    copy_design,
    copy_study,
    has_workers,
    open_elsewhere,
    open_store,
    read_facts,
    set_fact,
)
from visavis.study.store.migrate import WrongDatabase

__all__ = [
    "NoStudy", "Store", "WrongDatabase", "copy_design", "copy_study", "has_workers", "open_elsewhere", "open_store",
    "read_facts", "set_fact",
]  # fmt: skip
