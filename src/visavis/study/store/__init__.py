"""Where a study is kept; the only room that speaks SQL."""

from sqlalchemy import Connection

from visavis.study.store.database import NoStudy, Store, open_store, read_facts, set_fact
from visavis.study.store.migrate import WrongDatabase

__all__ = ["Connection", "NoStudy", "Store", "WrongDatabase", "open_store", "read_facts", "set_fact"]
