"""A stand-in for sentence-transformers, which is large and seldom installed."""

from __future__ import annotations

import importlib.machinery
import sys
import types

import numpy as np


def stand_in(monkeypatch):
    """Put it in the package's place; a model's vector is the length of the text and of its name.

    Gives the list of models that are loaded, which grows; one asked for without a network has " offline" after it.
    """
    asked = []

    class SentenceTransformer:
        def __init__(self, name, local_files_only=False):
            asked.append(name + " offline" * local_files_only)
            if "absent" in name:
                raise OSError("offline\nand more")
            self.name = name

        def encode(self, texts, **_):
            return np.array([[len(text), len(self.name)] for text in texts], dtype=np.float64)

    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer
    module.__spec__ = importlib.machinery.ModuleSpec("sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.delitem(sys.modules, "visavis.embed.neural", raising=False)
    return asked
