"""Make all golden files in tests/golden anew.

    python scripts/goldens.py

They say what users see: picks, scores, tests, results of evaluations, a study's design. They are made anew only when
one of these is *meant* to change, and the changelog then says why; a change that is not meant is mended in the program.
Needs the folder of real data, named by VISAVIS_DATA (by default ../shared/data).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Write every golden, or none where the data is missing."""
    data = Path(os.environ.get("VISAVIS_DATA", ROOT.parent / "shared" / "data"))
    if not data.is_dir():
        raise SystemExit(f"there is no folder of real data at {data}: name it with VISAVIS_DATA")
    os.environ["VISAVIS_CACHE"] = "off"  # what an earlier version kept must not come in
    sys.path.insert(0, str(ROOT / "tests"))
    import conftest  # noqa: F401 (says how numbers are added, before NumPy comes in)

    for path, text in list(goldens(data)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


def goldens(data: Path) -> Iterator[tuple[Path, str]]:
    """Each file with its text."""
    from golden import cases

    for name, comparison in cases.COMPARISONS.items():
        yield cases.file_of("compare", name), cases.as_json(comparison.record(data))
    prototypes = {kernel: cases.estimator_record(kernel) for kernel in cases.KERNELS}
    yield cases.file_of("estimator", "prototypes"), cases.as_json(prototypes)
    yield cases.file_of("study", "sample"), cases.as_json(cases.study_record())
    for name in cases.EVALUATIONS:
        with TemporaryDirectory() as folder:
            yield cases.file_of("evaluate", name), cases.evaluate(name, Path(folder)).decode()


if __name__ == "__main__":
    main()
