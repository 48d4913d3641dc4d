from __future__ import annotations

import ast
from pathlib import Path

import visavis

SOURCE = Path(visavis.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
LONGEST_FUNCTION, LONGEST_FILE = 40, 300
LONGER = {"select/estimators.py:__init__"}  # scikit-learn has every parameter named and kept, one by one


def functions(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{file.relative_to(SOURCE).as_posix()}:{node.name}", node.end_lineno - node.lineno + 1


def test_a_function_fits_a_screen():
    assert {name for file in FILES for name, lines in functions(file) if lines > LONGEST_FUNCTION} == LONGER


def test_a_file_fits_a_sitting():
    lines = {file.relative_to(SOURCE): len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert {file: count for file, count in lines.items() if count > LONGEST_FILE} == {}
