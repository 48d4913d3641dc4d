"""Scripts that take hours are not run here, but what they ask of the library must be there."""

from __future__ import annotations

import ast
import importlib
import importlib.util

from conftest import ROOT
from walking import walk

SCRIPTS = sorted([*(ROOT / "scripts").glob("*.py"), *(ROOT / "research").rglob("*.py")])


@walk("script", SCRIPTS, ids=lambda path: path.stem)
def test_whatever_a_script_imports_from_the_library_is_there(script):
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "visavis":
            module = importlib.import_module(node.module)
            assert [name.name for name in node.names if not _has(module, name.name)] == []


def _has(module, name):
    is_package = hasattr(module, "__path__")
    return hasattr(module, name) or (is_package and importlib.util.find_spec(f"{module.__name__}.{name}") is not None)
