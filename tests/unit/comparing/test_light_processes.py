"""Processes that pick again: what they load, and that what they do without is limited where it is loaded."""

from __future__ import annotations

import os
import subprocess
import sys

LATER = """
import os
from threadpoolctl import ThreadpoolController
from visavis.kernel.threads import limited_to
with limited_to(1):
    import visavis.comparing.run, visavis.embed.tfidf, sklearn.svm, scipy.stats
    print(sorted({library["num_threads"] for library in ThreadpoolController().info()}))
"""


def said(program, **more):
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", **more}
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment
    ).stdout.strip()


def test_picking_again_needs_no_scikit_learn():
    program = "import sys, visavis.comparing.again; print([name in sys.modules for name in ('sklearn', 'scipy.stats')])"
    assert said(program) == "[False, False]"


def test_libraries_that_are_loaded_later_are_limited_as_well():
    assert said(LATER) == "[1]"
