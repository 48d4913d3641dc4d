"""Every default and limit that the README and the pages of docs/ state is the one of the code.

A row has a page, a sentence of it with one group, and the value of the code: it fails if either of them changes.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, fields
from fractions import Fraction

import click
import numpy as np
import pytest

from conftest import ROOT
from unit.pages import PAGES, read
from visavis.chat import Limits
from visavis.cli.main import command
from visavis.collect.sources.mastodon import BACKFILL
from visavis.collect.steps.clean import CleanOptions
from visavis.collect.steps.expand import SMALL, ExpandOptions
from visavis.collect.steps.fetch import FetchOptions
from visavis.collect.steps.posts import PostOptions
from visavis.collect.steps.topic import Plan as TopicPlan
from visavis.collect.text import places
from visavis.collect.text.likeness import FEWEST
from visavis.collect.web.pace import Manners
from visavis.collect.web.waiting import LONGEST_WAIT
from visavis.comparing import choice, posing, shortlist, tune
from visavis.comparing.by_model import answer, editor, prompt, refusing
from visavis.comparing.documents import DocumentOptions
from visavis.comparing.embed import MOST_FITTED
from visavis.comparing.options import CompareOptions
from visavis.corpus import lead, proposals
from visavis.corpus.boilerplate import MEASURES
from visavis.corpus.grouping import MOST_GROUPS
from visavis.corpus.lead import STRETCH, lead_text
from visavis.corpus.reading import MOST_BROKEN
from visavis.datasets import sample_path
from visavis.eligible import shown
from visavis.embed import DEFAULT_EMBEDDER, cache, decode_images, pixels
from visavis.embed.tfidf import Tfidf
from visavis.embed.wordvectors import BUNDLED
from visavis.engines import local
from visavis.engines.choosing import WORTHWHILE
from visavis.errors import InvalidParameter
from visavis.evaluate.grid import GRIDS, PUBLISHED_CONTRASTS, Grid
from visavis.evaluate.material import load_material
from visavis.evaluate.plan import Plan
from visavis.evaluate.search import MOST_EXAMPLES
from visavis.explain import contrasts, difference, grounding, holdout, languages, planes, sentences, stability, words
from visavis.explore import workspace
from visavis.explore.app.guard import LARGEST_UPLOAD
from visavis.inputs import check_compute, check_groups
from visavis.kernel import bandwidth, group_sums, rbf, ties
from visavis.records import Compute, Points, gap
from visavis.report import by_model, json_
from visavis.report.html import scatter, volume
from visavis.report.html.overview import FEWEST_DOTS
from visavis.report.verdict import ALPHA
from visavis.select import leading, sampling, scored
from visavis.select import ties as copies
from visavis.select.baselines import kmeans
from visavis.select.estimators import ComparativeSummarizer
from visavis.select.methods import METHODS
from visavis.select.objectives import mmd, softmin
from visavis.select.optimizers import exchange
from visavis.select.session import pose
from visavis.shared import processes
from visavis.shared.texts import MOST_IN_MEMORY
from visavis.study import shape, tasks
from visavis.study.analysis import Options as AnalysisOptions
from visavis.study.analysis import intervals
from visavis.study.analysis import words as study_words
from visavis.study.analysis.preferring import statistics as preference_statistics
from visavis.study.app import ServeOptions, guard
from visavis.study.design import power, preference_power
from visavis.study.design import run as design
from visavis.study.design.plan import StudyPlan
from visavis.study.fieldwork import dispatch, quality, resume
from visavis.updating import drift
from visavis.updating.options import Settings
from visavis.web import patience
from walking import walk

pytestmark = pytest.mark.usefixtures("brief_assessment")

WORDS = dict(zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True))  # noqa: SIM905
PARTS = {
    "twice": 2,
    "half": 0.5,
    "one fifth": 0.2,
    "a fifth": 0.2,
    "four fifths": 0.8,
    "two thirds": 2 / 3,
    "¼": 0.25,
    "½": 0.5,
}
SAID = {  # what a sentence says otherwise than by a name or a number
    "calibrated": "auto",
    "not": False,
    "gibibyte": 2**30,
    "quarter of an hour": 15 * 60,
    "the file's other dates": None,
    "γ": 1,
    "4γ": 4,
    "16γ": 16,
}


def meaning(written):
    """A number, a name, or several of either."""
    parts = re.split(r", and | and |,(?!\d{3})\s*", written.strip("`"))
    if len(parts) > 1:
        return tuple(meaning(part) for part in parts)
    (one,) = parts
    for known in (WORDS, PARTS, SAID):
        if one.lower() in known:
            return known[one.lower()]
    number = one.replace(",", "").removesuffix(" %")
    try:
        return float(number) / (100 if one.endswith("%") else 1)
    except ValueError:
        return one


def defaults(function):
    """What the parameters of a function, or the fields of a record, are unless told otherwise."""
    named = inspect.signature(function).parameters.values()
    found = {parameter.name: parameter.default for parameter in named if parameter.default is not parameter.empty}
    if hasattr(function, "__dataclass_fields__"):
        found |= {f.name: f.default_factory() for f in fields(function) if f.default_factory is not MISSING}
    return found


def options_of(*names):
    """What the options of a command are unless told otherwise, by the library's names."""
    found = command
    for name in names:
        found = found.get_command(click.Context(found), name)
    context = click.Context(found)
    found = {option.name: option.get_default(context) for option in found.params if isinstance(option, click.Option)}
    return {name: value for name, value in found.items() if isinstance(value, int | float | str | tuple)}


def smallest_refused(check, values):
    for value in values:
        try:
            check(value)
        except InvalidParameter:
            return value
    raise AssertionError("all are taken")


COMPARE, ESTIMATOR = defaults(CompareOptions), defaults(ComparativeSummarizer)
EVALUATE, MATERIAL, STUDY = defaults(Plan), defaults(load_material), defaults(StudyPlan)
EXPAND, SERVE = defaults(ExpandOptions), options_of("study", "serve")
ARTICLES = sample_path().read_text(encoding="utf-8").splitlines()
BELOW_ONE = smallest_refused(mmd.check_below_one, (0.5, 0.9, 0.99, 1.0, 2.0))
RESAMPLED = len(stability.resamples(np.zeros(1000, np.intp), 1, np.random.default_rng(0))[0]) / 1000
FLOAT32 = pose(Points.of(np.eye(4), np.ones(4)), check_groups(["a", "a", "b", "b"], 4)).problem().pairs.resolution
NEURAL = (ROOT / "src" / "visavis" / "embed" / "neural.py").read_text(encoding="utf-8")  # cannot be loaded everywhere
(MODEL,) = re.findall(r'^DEFAULT_MODEL = "[\w-]+/([\w-]+)"$', NEURAL, re.M)
SAMPLE_GROUPS = load_material(None, DocumentOptions(), "sample").groups
PERIOD = "month" if all(re.fullmatch(r"\d{4}-\d\d", group) for group in SAMPLE_GROUPS) else "something else"
N_WORDS, N_DIMENSIONS = np.load(BUNDLED)["codes"].shape

ROWS = [
    # where pairs are compared
    ("docs/scale.md", r"`--device (\w+)`, the default", COMPARE["device"]),
    ("docs/scale.md", r"`ComparativeSummarizer`, where `(\w+)` is the default", ESTIMATOR["device"]),
    ("docs/scale.md", r"from (10¹²) on", "10¹²" if WORTHWHILE == 1e12 else "another number"),
    # the method and its parameters, for documents and for vectors
    ("README.md", r"`([\w-]+)` is the default for documents", COMPARE["method"]),
    ("README.md", r"and `([\w-]+)` for the estimator", ESTIMATOR["method"]),
    ("docs/commands.md", r"The default is `([\w-]+)`", COMPARE["method"]),
    ("docs/commands.md", r"For the `mmd` methods, ([\d.]+) by default", COMPARE["contrast"]),
    ("docs/commands.md", r"by default; below (\d) for `mmd-diff`", BELOW_ONE),
    ("docs/commands.md", r"A number, or `(\w+)`, the default", COMPARE["sharpness"]),
    ("docs/commands.md", r"By default (the file's other dates) decide", COMPARE["date_order"]),
    ("docs/data-scientists.md", r"It picks by `([\w-]+)` at contrast", COMPARE["method"]),
    ("docs/data-scientists.md", r"at contrast ([\d.]+), the paper's method", COMPARE["contrast"]),
    ("docs/data-scientists.md", r"picks by `([\w-]+)`, and methods", ESTIMATOR["method"]),
    ("docs/data-scientists.md", r"and methods with a contrast use ([\d.]+) \(", ESTIMATOR["contrast"]),
    ("docs/data-scientists.md", r"below (\d) for `mmd-diff`", BELOW_ONE),
    ("docs/data-scientists.md", r"uses (\w+) thread unless", check_compute("float32", ESTIMATOR["n_jobs"], 1).threads),
    ("docs/decisions.md", r"`visavis compare` picks by `([\w-]+)`", COMPARE["method"]),
    ("docs/decisions.md", r"at contrast ([\d.]+), the paper's method", COMPARE["contrast"]),
    ("docs/decisions.md", r"the picks of `([\w-]+)` tell digits", ESTIMATOR["method"]),
    ("docs/decisions.md", r"Methods with a contrast use ([\d.]+) there", ESTIMATOR["contrast"]),
    ("docs/methods.md", r"picks by\s+`([\w-]+)` at contrast", COMPARE["method"]),
    ("docs/methods.md", r"at contrast ([\d.]+), the paper's own", COMPARE["contrast"]),
    ("docs/defaults.md", r"\| method \| `([\w-]+)` \|", COMPARE["method"]),
    ("docs/defaults.md", r"\| method \| `[\w-]+` \| `([\w-]+)`", ESTIMATOR["method"]),
    ("docs/defaults.md", r"\| contrast \| ([\d.]+) \|", COMPARE["contrast"]),
    ("docs/defaults.md", r"\| contrast \| [\d.]+ \| ([\d.]+)", ESTIMATOR["contrast"]),
    ("docs/defaults.md", r"\| γ \| 1 / (\w+) squared distance", COMPARE["gamma"]),
    ("docs/defaults.md", r"\| embedder \| `(\w+)`", DEFAULT_EMBEDDER),
    ("docs/defaults.md", r"`tfidf`, (\d+) dimensions", Tfidf().dimensions),
    ("docs/defaults.md", r"([\d,]+) sentences in all", lead.SENTENCES_IN_ALL),
    ("docs/defaults.md", r"sentences in all, at least (\d+) of each", lead.FEWEST_SENTENCES),
    ("docs/defaults.md", r"\| the longest (\d+ %) of each group; one", shown.SHARE_SHOWN),
    ("docs/journalists.md", r"Only the longest (\d+ %) of each group may", shown.SHARE_SHOWN),
    ("docs/journalists.md", r"that tell at least (\d+) stories, and at least", shown.FEWEST_SHOWN),
    ("docs/journalists.md", r"and at least (\w+) as many as there are picks", shown.SHOWN_FOR_EACH_PICK),
    ("docs/methods.md", r"shows the longest (\d+ %) of each group", shown.SHARE_SHOWN),
    ("docs/methods.md", r"that tell at least (\d+) stories, and twice", shown.FEWEST_SHOWN),
    # documents and vectors
    ("docs/journalists.md", r"up to ([\d,]+) characters of each", lead.LONGEST),
    ("docs/journalists.md", r"or line that (\d+) % of the documents have", 100 * MEASURES["sentence"].share),
    ("docs/journalists.md", r"a letterhead of (\d+) words and more", MEASURES["beginning"].shortest),
    ("docs/journalists.md", r"and more with which (\d+) % begin", 100 * MEASURES["beginning"].share),
    ("docs/journalists.md", r"a stretch of (\d+) words and more", MEASURES["stretch"].shortest),
    ("docs/journalists.md", r"that (\d+) % share \(of a source", 100 * MEASURES["stretch"].share),
    ("docs/journalists.md", r"of a source (\d+) documents at least", MEASURES["sentence"].fewest[0]),
    ("docs/journalists.md", r"documents at least, of all (\d+)\)", MEASURES["sentence"].fewest[1]),
    ("docs/journalists.md", r"At most (\d+) groups are compared", MOST_GROUPS),
    ("docs/journalists.md", r"A file of which more than (\w+) cannot be used is refused", MOST_BROKEN),
    ("docs/journalists.md", r"phrases of (\d+) characters or more count as a sentence", STRETCH),
    ("docs/journalists.md", r"at most (\d+) documents of a group are picked", choice.MOST_PICKS),
    ("docs/journalists.md", r"picks per group \((\d+) by default\)", COMPARE["size"]),
    ("docs/journalists.md", r"tries sizes from (\d+) to \d+", min(tune.SIZES)),
    ("docs/journalists.md", r"tries sizes from \d+ to (\d+)", max(tune.SIZES)),
    ("docs/journalists.md", r"from the files: ([\d,]+) sentences are shared out", lead.SENTENCES_IN_ALL),
    ("docs/journalists.md", r"and at least (\w+) of each are read after its", lead.FEWEST_SENTENCES),
    ("docs/journalists.md", r"of more than ([\d,]+) articles\s+three", lead.SENTENCES_IN_ALL // 4),
    ("docs/decisions.md", r"so\s+([\d,]+) sentences are shared out", lead.SENTENCES_IN_ALL),
    ("docs/decisions.md", r"and nothing changes above ([\d,]+) documents", lead.SENTENCES_IN_ALL // 4),
    ("docs/journalists.md", r"writes (\d+) fictional articles", len(ARTICLES)),
    ("docs/embedding.md", r"`(\w+)` \(default\)", COMPARE["embedder"]),
    ("docs/embedding.md", r"for pictures, else `(\w+)`", DEFAULT_EMBEDDER),
    ("docs/embedding.md", r"reduced to (\d+) dimensions: any language", Tfidf().dimensions),
    ("docs/embedding.md", r"pictures as (\d+) × \d+ gray", decode_images.SIDE),
    ("docs/embedding.md", r"gray values, reduced to (\d+ %) of", pixels.VARIANCE),
    ("docs/embedding.md", r"\(`([\w-]+)` for `neural`\)", MODEL),
    ("docs/embedding.md", r"GloVe 6B, (\d+) dimensions", N_DIMENSIONS),
    ("docs/embedding.md", r"dimensions, the ([\d,]+) most frequent", N_WORDS),
    ("docs/embedding.md", r"that say something \(`(\w+)`: [\d,]+ for all", COMPARE["lead"]),
    ("docs/embedding.md", r": ([\d,]+) for all documents together", lead.SENTENCES_IN_ALL),
    ("docs/embedding.md", r"at\s+least (\d+) of each", lead.FEWEST_SENTENCES),
    ("docs/embedding.md", r"go first when a (\w+) is full", cache.LIMIT),
    ("docs/evaluation.md", r"`sample` is the bundled sample, by (\w+) unless", PERIOD),
    ("docs/decisions.md", r"makes at most (\d+) picks of a group", choice.MOST_PICKS),
    # how far picks can be trusted
    ("docs/journalists.md", r"among the groups, (\d+) times or more", difference.PERMUTATIONS),
    ("docs/journalists.md", r"larger than (\d+ %) of those", 1 - ALPHA),
    ("docs/journalists.md", r"It takes (\w+) documents in every group", holdout.FOLDS),
    ("docs/journalists.md", r"in how many of (\d+) resamples", stability.RESAMPLES),
    ("docs/journalists.md", r"each leaves out (a fifth) of the documents", 1 - RESAMPLED),
    ("docs/journalists.md", r"a fifth of the documents, above ([\d,]+) more", stability.RESAMPLE_UP_TO),
    ("docs/methods.md", r"shuffles at least (\d+) times", difference.PERMUTATIONS),
    ("docs/methods.md", r"up to ([\d,]+) documents of a group", difference.PER_GROUP),
    ("docs/methods.md", r"of a group, ([\d,]+) of two groups together", difference.IN_ALL),
    ("docs/methods.md", r"two groups together, ([\d,]+) of more", difference.IN_MANY),
    ("docs/methods.md", r"Held-out accuracy has (\d+) folds", holdout.FOLDS),
    ("docs/methods.md", r"folds; above ([\d,]+) documents", holdout.ALL_UP_TO),
    ("docs/methods.md", r"they are those of a sample of ([\d,]+)\.", holdout.SAMPLE),
    ("docs/methods.md", r"that of (\d+) resamples", stability.RESAMPLES),
    ("docs/methods.md", r"resamples of (four fifths) of the documents", RESAMPLED),
    ("docs/methods.md", r"of the documents, or of ([\d,]+) where there are more", stability.RESAMPLE_UP_TO),
    # languages
    ("docs/journalists.md", r"at\s+least (\d) of 100 texts are in its language", round(100 * languages.NOTABLE)),
    ("docs/decisions.md", r"two words and (15)\s+of 100 or more", round(100 * languages.COVERED)),
    ("docs/decisions.md", r"if that are (two) words", languages.FEWEST),
    # headlines
    ("docs/editor.md", r"up to (\w+) times in a row", editor.ROUNDS),
    ("docs/editor.md", r"The report names the first (\w+) that were refused", by_model.MOST_NAMED),
    ("docs/editor.md", r"more than (twice)\s+as many documents refused", editor.MOST_REFUSED),
    ("docs/editor.md", r"each group (\w+) documents drawn at random", editor.DRAWN),
    ("docs/editor.md", r"drawn at random, cut to (\d+) characters", editor.LONGEST_DRAWN),
    ("docs/editor.md", r"its picks, cut to (\d+)", prompt.LONGEST_TEXT),
    ("docs/editor.md", r"(\d+) picks at most are asked of at once", prompt.MOST_TEXTS),
    ("docs/editor.md", r"and (\d+) times in all, values", Limits().calls),
    ("docs/editor.md", r"longer than (\d+) characters, are left out", refusing.LONGEST_REASON),
    ("docs/headlines.md", r"cut to (\d+) characters", prompt.LONGEST_TEXT),
    ("docs/headlines.md", r"at most (\d+) texts in all", prompt.MOST_TEXTS),
    ("docs/headlines.md", r"with more than (\d+) groups", prompt.MOST_GROUPS),
    ("docs/headlines.md", r"once for each value, (\d+) times in all", Limits().calls),
    ("docs/headlines.md", r"whole answer may take (\d+) seconds", Limits().seconds),
    ("docs/headlines.md", r"seconds and have ([\d,]+) bytes", Limits().answer_bytes),
    ("docs/headlines.md", r"busy server is asked (\d) times", Limits().tries),
    ("docs/headlines.md", r"It has at most (\d+) characters", answer.LONGEST),
    ("docs/headlines.md", r"At least (\w+) of its telling words", grounding.LEAST_WORDS),
    ("docs/headlines.md", r"better than chance, p < (\.\d+)", ALPHA),
    ("docs/headlines.md", r"each of (\d+) deals has writers", sentences.ROUNDS),
    ("docs/decisions.md", r"The statistic is taken at (γ, 4γ and 16γ)", difference.WIDTHS),
    ("docs/reports.md", r"`schema` \| (\d+),", json_.SCHEMA),
    ("docs/reports.md", r"[Aa]t most (\d+) picks?\b[^.]*are marked", scatter.MOST_LABELED),
    ("docs/reports.md", r"tallest bars differ by more than (\d+) times", volume.COMPARABLE),
    ("docs/reports.md", r"above them, from (\w+) values on", FEWEST_DOTS),
    ("docs/reports.md", r"from 0 to ([\d.]+) in steps of 0.05", shortlist.CONTRASTS[-1]),
    ("docs/reports.md", r"in steps of ([\d.]+), the first \d+ picks", shortlist.CONTRASTS[1]),
    ("docs/reports.md", r"the first (\d+) picks among all documents", shortlist.PICKS),
    ("docs/reports.md", r"Among more than ([\d,]+) documents that are not stored", shortlist.MOST_OUTSIDE),
    ("docs/scale.md", r"Of a table with more than ([\d,]+) documents", MOST_IN_MEMORY),
    ("docs/scale.md", r"by chunks of ([\d,]+) texts", processes.CHUNK),
    ("docs/scale.md", r"from (\w+)\s+chunks on", processes.FEWEST_TASKS),
    ("docs/scale.md", r"Up to ([\d,]+) documents, TF-IDF", MOST_FITTED),
    ("docs/scale.md", r"fitted on the ([\d,]+) documents", MOST_FITTED),
    ("docs/scale.md", r"Signatures of (\d+) numbers", proposals.BANDS * proposals.ROWS),
    ("docs/scale.md", r"where more than (\d+) agree", proposals.CROWD),
    ("docs/scale.md", r"10¹² \(([\d,]+) documents of 100 dimensions", (local.REACH / 100) ** 0.5),
    (
        "docs/commands.md",
        r"auto samples above 10\^(\d+) pairs times dimensions, and says so\. \[default: auto\] See",
        np.log10(local.REACH),
    ),
    (
        "docs/commands.md",
        r"auto samples above 10\^(\d+) pairs times dimensions, and says so\. \[default: auto\] - ",
        np.log10(local.REACH),
    ),
    ("docs/scale.md", r"The ([\d,]+) documents of a group with the smallest hash", sampling.SAMPLE),
    ("docs/scale.md", r"at three contrasts the (\d+) documents", leading.CLOSE),
    ("docs/scale.md", r"at each of the first (\w+)\s+steps", leading.STEPS),
    ("docs/scale.md", r"plus ([\d.]+)\s+standard errors", gap.SURE),
    ("docs/scale.md", r"Above ([\d,]+) documents the telling words", words.MOST_READ),
    ("docs/scale.md", r"above ([\d,]+) the map's axes", planes.MOST_FITTED),
    ("docs/scale.md", r"draws at most ([\d,]+) points", scatter.MOST_DRAWN),
    ("docs/scale.md", r"points and names ([\d,]+)", scatter.MOST_NAMED),
    ("docs/scale.md", r"at most (\d+) MB are", Compute().memory_mb),
    # search and numerics
    ("docs/methods.md", r"Above ([\d,]+) documents L is searched", scored.SCORED),
    ("docs/methods.md", r"group of more than ([\d,]+) documents the candidates", exchange.DRAWN_PER_GROUP),
    ("docs/methods.md", r"the (\d+) documents nearest to each pick", exchange.NEAREST_PER_PICK),
    ("docs/methods.md", r"The estimators pick by `([\w-]+)`", ESTIMATOR["method"]),
    ("docs/decisions.md", r"likelihood lies within ([\d.]+ %)", softmin.SLACK_SHARE_OF_CHANCE),
    ("docs/methods.md", r"k-means\+\+, (\w+) starts", kmeans.RESTARTS),
    ("docs/methods.md", r"γ‖x‖² exceeds ([\d,]+) the tiles", rbf.FLOAT32_REACH),
    ("docs/methods.md", r"Gains that tie within (1e-\d+),", ties.TIE),
    ("docs/methods.md", r"own noise \((1e-\d+) of the largest\)", FLOAT32),
    ("docs/methods.md", r"over at most ([\d,]+) evenly spaced documents", bandwidth.SAMPLE),
    ("docs/decisions.md", r"Above ([\d,]+) documents an embedder is fitted", MOST_FITTED),
    ("docs/decisions.md", r"Above ([\d,]+) documents each group gives", scored.SCORED),
    ("docs/decisions.md", r"Above ([\d,]+) documents a new grouping or filter therefore", workspace.FEW),
    ("docs/explore.md", r"Above ([\d,]+) documents a new grouping or filter first shows", workspace.FEW),
    ("docs/decisions.md", r"Such searches \((\d+) picks or more", posing.MANY_PICKS),
    ("docs/decisions.md", r"picks or more, and ([\d,]+) pairs of picks", posing.LONG_SEARCH),
    ("docs/explore.md", r"\(at most (\d+) MB; binary", LARGEST_UPLOAD / 2**20),
    ("docs/update.md", r"By default \(a stickiness of (\d+)\)", Settings().stickiness),
    ("docs/update.md", r"falls by more than (\d+) points", 100 * drift.LESS_KNOWN),
    ("docs/verdicts.md", r"By default \(`(\w+)`\) they are looked for", COMPARE["blocks"][0]),
    ("docs/verdicts.md", r"at most (\d+) % are expected to be false", 100 * contrasts.FALSE_SHARE),
    ("docs/verdicts.md", r"each two groups are dealt anew (\d+) times", difference.PERMUTATIONS),
    ("docs/decisions.md", r"Among candidates within (1e-\d+) of", copies.COPY),
    ("docs/decisions.md", r"asks for ties within (1e-\d+)", ties.TIE),
    ("docs/decisions.md", r"the tie is (1e-\d+) of the largest", FLOAT32),
    ("docs/decisions.md", r"Beyond ([\d,]+) \(typical data", rbf.FLOAT32_REACH),
    ("docs/decisions.md", r"in float64; beyond (1e\d+) every", rbf.FLOAT64_REACH),
    ("docs/decisions.md", r"## Tiles of (\d+)", group_sums.TILE),
    # evaluation
    ("docs/evaluation.md", r"divisions of the documents \((\d+),", EVALUATE["splits"]),
    ("docs/evaluation.md", r"to train and (one fifth) to test", EVALUATE["test_share"]),
    ("docs/evaluation.md", r"(\d+)-fold stratified cross-validation", EVALUATE["folds"]),
    ("docs/evaluation.md", r"drawn on its own \(`--blocks (\w+)`\)", MATERIAL["blocks"]),
    ("docs/evaluation.md", r"`--grid default` \| (\S.*? and 4) times", GRIDS["default"].gammas),
    ("docs/evaluation.md", r"`--grid usps` \| ([.\d, ]+) \|", GRIDS["usps"].gammas),
    ("docs/evaluation.md", r"nothing else \| ([.\d, ]+) \|", GRIDS["notebook"].gammas),
    ("docs/evaluation.md", r"\| contrast \| ([.\d, ]+);", GRIDS["default"].contrasts),
    ("docs/evaluation.md", r"`notebook` ([.\d, ]+), as published", GRIDS["usps"].contrasts),
    ("docs/evaluation.md", r"`notebook` ([.\d, ]+), as published", GRIDS["notebook"].contrasts),
    ("docs/evaluation.md", r"\| sharpness \| (\w+) \|", GRIDS["default"].sharpness[0]),
    ("docs/evaluation.md", r"\| C \| ([.\d, ]+) \|", GRIDS["default"].costs),
    ("docs/evaluation.md", r"tunes nothing: the median γ, a contrast of ([\d.]+),", GRIDS["fixed"].contrasts[0]),
    ("docs/evaluation.md", r"the (calibrated) sharpness, C = 10", GRIDS["fixed"].sharpness[0]),
    ("docs/evaluation.md", r"the calibrated sharpness, C = (\d+)", GRIDS["fixed"].costs[0]),
    ("docs/evaluation.md", r"The classifiers are (`1-nn`)", f"{EVALUATE['classifiers'][0]}"),
    ("docs/evaluation.md", r"nearest pick\) and `(\w+)` \(RBF", EVALUATE["classifiers"][1]),
    ("docs/evaluation.md", r"Above ([\d,]+) training documents the ceilings", MOST_EXAMPLES),
    ("docs/evaluation.md", r"ceilings are trained on ([\d,]+) of them", MOST_EXAMPLES),
    ("docs/evaluation.md", r"fit into (two thirds) of its training part", 1 - 1 / EVALUATE["folds"]),
    ("docs/evaluation.md", r"the standard one, (\w+) more have", EVALUATE["splits"] - 1),
    ("docs/decisions.md", r"The default grid reaches a contrast of ([\d.]+)", max(Grid().contrasts)),
    ("docs/decisions.md", r"The published one, ([.\d, ]+ and \.3), leaves", PUBLISHED_CONTRASTS),
    ("docs/decisions.md", r"the grid is\s+([.\d, ]+ and \.9), and", Grid().contrasts),
    # studies
    ("docs/study.md", r"--methods ([\w,-]+) --size", STUDY["methods"]),
    ("docs/study.md", r"--size (\d+) --pairs", STUDY["size"]),
    ("docs/study.md", r"--pairs top:(\d+)", STUDY["top"]),
    ("docs/study.md", r"--min-accuracy ([\d.]+) --", STUDY["min_accuracy"]),
    ("docs/study.md", r"--questions (\d+) --", STUDY["questions"]),
    ("docs/study.md", r"--judgements (\d+) --", STUDY["judgements"]),
    ("docs/study.md", r"--judgements \d+ --seed (\d+)", STUDY["seed"]),
    ("docs/study.md", r"\*\*One split\*\* \(80/(\d+),", 100 * STUDY["test_share"]),
    ("docs/study.md", r"Of each method the `top:(\d+)` pairs", STUDY["top"]),
    ("docs/study.md", r"at least (\w+) of each group, or", design.OF_EACH),
    ("docs/study.md", r"in questionnaires of (\w+)\.", shape.PER_SHEET),
    ("docs/study.md", r"a lead of (\d+) points would be shown", round(100 * power.EXPECTED)),
    ("docs/study.md", r"would be shown in less than (\d+ %) of studies", power.ENOUGH),
    ("docs/study.md", r"You need at least (\d+): two", shape.FEWEST_GOLDS),
    ("docs/study.md", r"You need at least \d+: (\w+) for the entry quiz", shape.QUIZ_GOLDS),
    ("docs/study.md", r"for the entry quiz and (\w+) for the rule", tasks.RULES["sort"].rule_at // shape.PER_SHEET),
    ("docs/study.md", r"more than (\d+ %) of at least \d+ workers", quality.REVIEW_SHARE),
    ("docs/study.md", r"of at least (\d+) workers miss", quality.REVIEW_WORKERS),
    ("docs/study.md", r"`--lease (\d+)`", SERVE["lease"]),
    ("docs/study.md", r"`--rate (\d+)`", SERVE["rate"]),
    ("docs/study.md", r"A unit is (\w+) questionnaires", shape.PER_UNIT),
    ("docs/study.md", r"in units of (\w+) questionnaire and a gold", dispatch.PER_SHORT_UNIT),
    ("docs/study.md", r"The entry quiz is (\w+) golds", shape.QUIZ_GOLDS),
    ("docs/study.md", r"golds; (\w+) of six questions pass", tasks.RULES["sort"].quiz_pass),
    ("docs/study.md", r"of (\w+) questions pass", shape.QUIZ_GOLDS * shape.PER_SHEET),
    ("docs/study.md", r"taken up to (\w+) times", tasks.RULES["sort"].attempts),
    ("docs/study.md", r"once, when (\d+) gold questions", tasks.RULES["sort"].rule_at),
    ("docs/study.md", r"fewer than (\d+) right excludes", tasks.RULES["sort"].rule_pass),
    ("docs/study.md", r"`--gold`, at least (\d+), in a", tasks.RULES["prefer"].fewest_golds),
    ("docs/study.md", r"so that the quiz is (\w+) of them, all", tasks.RULES["prefer"].quiz_golds),
    ("docs/study.md", r"so that the quiz is (\w+) of them, all", tasks.RULES["prefer"].quiz_pass),
    ("docs/study.md", r"the rule is judged at (\d+) golds, of", tasks.RULES["prefer"].rule_at),
    ("docs/study.md", r"judged at \d+ golds, of which (\d+) must", tasks.RULES["prefer"].rule_pass),
    ("docs/study.md", r"`--comparisons (\d+)` sets of documents", StudyPlan(by="x").comparisons),
    ("docs/study.md", r"`--documents (\d+)` drawn at random", StudyPlan(by="x").documents),
    ("docs/study.md", r"`--checks (\d+)`", StudyPlan(by="x").checks),
    ("docs/study.md", r"Of the corpus, (\d+ %) is held out", StudyPlan(by="x").test_share),
    ("docs/study.md", r"from (\w+) sets\s+on", preference_statistics.FEWEST),
    ("docs/study.md", r"a preference of (\d+ %) would be", preference_power.EXPECTED),
    ("docs/study.md", r"in less than (\d+ %) of cases", preference_power.ENOUGH),
    ("docs/study.md", r"every method exceeds (\d+ %), the report", study_words.TOO_EASY),
    ("docs/study.md", r"faster than (\w+) seconds a question", quality.FASTEST),
    ("docs/study.md", r"whose headers take more than (\d+) seconds", patience.HEADERS_WITHIN),
    ("docs/study.md", r"whose body\s+takes more than (\d+) seconds", guard.BODY_WITHIN),
    ("docs/study.md", r"seconds or (\d+) KiB", guard.LARGEST_BODY // 1024),
    ("docs/study.md", r"that work once and for (\d+) minutes", resume.MINUTES),
    ("docs/study.md", r"an address may try\s+(\d+) a minute", guard.RESUMES),
    ("docs/study.md", r"so from (\w+) pairs on", intervals.FEWEST_PAIRS),
    ("docs/study.md", r"cover what they claim \((\d+ %)\)", intervals.LEVEL),
    ("docs/decisions.md", r"A single quiz of (\w+) golds", shape.QUIZ_GOLDS * shape.PER_SHEET),
    ("docs/decisions.md", r"golds, passed with (\w+),", tasks.RULES["sort"].quiz_pass),
    ("docs/decisions.md", r"(\w+) attempts, each with golds", tasks.RULES["sort"].attempts),
    ("docs/decisions.md", r"rule at (\d+) golds together", tasks.RULES["sort"].rule_at),
    # collecting
    ("docs/collect.md", r"\(`--state`, `([\w.]+)` unless told otherwise\)", options_of("collect", "posts")["state"]),
    ("docs/collect.md", r"At most (\w+) \(`--top`\) come in a round", EXPAND["top"]),
    ("docs/collect.md", r"at least (\d+) \(`--fewest`\) texts", EXPAND["fewest"]),
    ("docs/collect.md", r"its lower bound is (\d+) % or more", 100 * (1 - EXPAND["generality"])),
    ("docs/collect.md", r"half\s+as pure, (\d+) %", 100 * (1 - EXPAND["generality"]) / 2),
    ("docs/collect.md", r"must be purer, (\d+) %", 100 * (1 - EXPAND["generality"] / 2)),
    ("docs/collect.md", r"of fewer than (\d+) texts figures are rough", SMALL),
    ("docs/collect.md", r"and of fewer than (\d+) nothing can be learned", FEWEST),
    ("docs/collect.md", r"`--window` is `(\w+)`", EXPAND["window"]),
    ("docs/collect.md", r"no more than ([\d.]+) \(`--generality`\)", EXPAND["generality"]),
    ("docs/collect.md", r"cities from ([\d,]+) inhabitants", places.SMALLEST_CITY),
    ("docs/collect.md", r"asks for more than a (quarter of an hour)", LONGEST_WAIT),
    ("docs/collect.md", r"client, (\w+) request a second a host", 1 / Manners().seconds_a_host),
    ("docs/collect.md", r"(\w+) request a second goes to a host by default", 1 / Manners().seconds_a_host),
    ("docs/collect.md", r"are tried (\d+) times in\s+a run", Manners().attempts),
    ("docs/collect.md", r"after (\d+) seconds, then 10", Manners().first_retry),
    ("docs/collect.md", r"given up after (\d+) attempts in all", Manners().most_attempts),
    ("docs/collect.md", r"a hashtag, (\w+) pages backwards the first time", BACKFILL),
    ("docs/collect.md", r"seconds_a_host = ([\d.]+)", defaults(TopicPlan)["seconds_a_host"]),
    ("docs/collect.md", r"workers = (\d+)", defaults(TopicPlan)["workers"]),
]

SAYS_DEFAULT = re.compile(
    r"\bby default\b|\(default\)|\bdefault is\b|\bis the default\b|\bthe default,|unless told otherwise|\b[Aa]t most \d"
    r"|\b[Aa]bove \d"
)
NO_VALUE = ("`news`, the default",)  # told by the help, which another test holds

ALL = {"methods": "all" if EVALUATE["methods"] == tuple(METHODS) else EVALUATE["methods"]}
SAME = [  # what a command and the library call alike must be alike
    (options_of("compare"), COMPARE),
    (
        options_of("evaluate"),
        COMPARE | EVALUATE | MATERIAL | ALL,
    ),
    (options_of("study", "design"), STUDY),
    (options_of("study", "serve"), defaults(ServeOptions) | {"lease": ServeOptions.lease / 60}),
    (options_of("study", "analyze"), defaults(AnalysisOptions)),
    (options_of("collect", "posts"), defaults(PostOptions)),
    (options_of("collect", "expand"), EXPAND),
    (options_of("collect", "clean"), defaults(CleanOptions)),
    (options_of("collect", "fetch"), defaults(FetchOptions) | {"seconds_a_host": Manners().seconds_a_host}),
]


def text_of(name):
    return " ".join(re.sub(r"\\\n", " ", read(ROOT / name)).split())


@walk("page, sentence, value", ROWS)
def test_what_a_page_states_is_what_the_code_does(page, sentence, value):
    found = re.findall(sentence, text_of(page))
    assert len(found) == 1, f"{page} has {len(found)} of these sentences: {sentence}"
    said = meaning(found[0])
    expected = value if isinstance(value, str | bool | tuple) or value is None else pytest.approx(float(value))
    assert said == expected, f"{page} says {found[0]!r}, the code {value!r}"


@walk("page", PAGES, ids=lambda page: page.name)
def test_no_sentence_that_states_a_default_is_left_to_itself(page):
    name = str(page.relative_to(ROOT))
    text = text_of(name)
    held = [match.span() for row, sentence, _ in ROWS if row == name for match in re.finditer(sentence, text)]
    alone = [
        text[max(0, found.start() - 60) : found.end() + 20]
        for found in SAYS_DEFAULT.finditer(text)
        if not any(start - 60 <= found.start() <= end + 60 for start, end in held)
    ]
    assert [said for said in alone if not any(known in said for known in NO_VALUE)] == []


@pytest.mark.parametrize(("options", "library"), SAME)
def test_a_command_and_the_library_have_the_same_defaults(options, library):
    given = {name for name, value in options.items() if value not in ("", ()) and value is not False}
    shared = sorted(given & library.keys())  # the others are left open
    assert shared
    assert {name: plain(options[name]) for name in shared} == {name: plain(library[name]) for name in shared}


def plain(value):
    """A default however it is written: 4 or "4", "2,4" or (2, 4), top:10 or 10."""
    if isinstance(value, list | tuple):
        return ",".join(str(one) for one in value)
    return str(Fraction(value).limit_denominator()) if isinstance(value, int | float) else str(value)


def test_the_library_has_one_default_wherever_it_is_written():
    assert inspect.signature(lead_text).parameters["sentences"].default == lead.FEWEST_SENTENCES == STUDY["lead"]
    assert choice.USUAL_SIZE == COMPARE["size"] == ESTIMATOR["n_prototypes"] == STUDY["size"]
    assert options_of("study", "design")["pairs"] == f"top:{STUDY['top']}"
    assert options_of("demo")["size"] == COMPARE["size"]
    assert mmd.CONTRAST.default == ESTIMATOR["contrast"] == STUDY["contrast"]
    assert defaults(TopicPlan)["state"] == options_of("collect", "posts")["state"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("three", 3), ("10,000", 10_000), (".03, .1 and .9", (0.03, 0.1, 0.9)), ("30 %", 0.3), ("mmd-diff", "mmd-diff"),
     ("¼, ½, 1, 2 and 4", (0.25, 0.5, 1, 2, 4)), ("1e-7", 1e-7), ("a,b-c", ("a", "b-c")), ("`1-nn`", "1-nn")],
)  # fmt: skip
def test_what_is_written_is_understood(written, meant):
    assert meaning(written) == meant
