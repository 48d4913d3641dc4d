import io
import json
import os
import pickle
import struct
import sys
import warnings
import zipfile

import numpy as np
import pytest

from unit.embed.models import stand_in
from visavis.embed import create_embedder
from visavis.embed.storing import FORMAT, load_embedder, store_embedder
from visavis.errors import InvalidParameter, MissingExtra, VisavisError

TEXTS = ["gun law court", "law and order", "court order", "the gun", "a law of the court", "virus and vaccine"]
GLOVE = [f"{text} {n}" for n, text in enumerate(TEXTS * 3)]


def npy(array, allow_pickle=False):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=allow_pickle)
    return stream.getvalue()


def text(content):
    return npy(np.frombuffer(content if isinstance(content, bytes) else content.encode(), np.uint8))


def archive(members, compression=zipfile.ZIP_STORED):
    """The bytes of a zip file; members in their order, names may repeat."""
    stream = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(stream, "w", compression) as file:
        for name, content in members:
            file.writestr(name, content)
    return stream.getvalue()


class Whole:
    """A file that can be loaded, and the same with one thing wrong."""

    def __init__(self, fitted):
        self.arrays = dict(fitted.arrays())
        self.parameters = dict(fitted.parameters)

    def header(self, **changed):
        header = {"format": FORMAT, "embedder": self.parameters["embedder"], "parameters": self.parameters} | changed
        return text(json.dumps({key: value for key, value in header.items() if value is not None}))

    def file(self, header=None, more=(), compression=zipfile.ZIP_STORED, **changed):
        arrays = {**{name: npy(array) for name, array in self.arrays.items()}, **changed}
        members = [(f"{name}.npy", content) for name, content in arrays.items() if content is not None]
        return archive([("header.npy", header or self.header()), *members, *more], compression)


TFIDF = Whole(create_embedder("tfidf").fit(TEXTS))
N_TERMS = len(TFIDF.arrays["idf"])
DIRECTIONS = TFIDF.arrays["directions"]
SIF = Whole(create_embedder("glove").fit(GLOVE))


def declaring(shape):
    """An array that says it has another shape than it has."""
    content = npy(np.ones(12, np.float32))
    (length,) = struct.unpack("<H", content[8:10])
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(length - 1) + b"\n"
    return content[:8] + struct.pack("<H", len(head)) + head + content[10 + length :]


def patched(content, before, after):
    assert before in content
    return content.replace(before, after)


def declaring_more(content):
    """The zip's own list says that a member is a thousand times as long as it is."""
    place = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 1)
    return content[: place + 20] + struct.pack("<II", 2**31 - 2, 2**31 - 2) + content[place + 28 :]


DEEP = text('{"format": ' + "[" * 20_000 + "]" * 20_000 + "}")
DAMAGED = {
    "empty": b"",
    "noise": np.random.default_rng(0).bytes(5000),
    "text": b"hello\n",
    "pickle": pickle.dumps(TFIDF.arrays),
    "half": TFIDF.file()[: len(TFIDF.file()) // 2],
    "end cut off": TFIDF.file()[:-30],
    "beginning cut off": TFIDF.file()[100:],
    "flipped bits": patched(TFIDF.file(), DIRECTIONS.tobytes()[40:80], b"\xaa" * 40),
    "foreign": archive([("x.npy", npy(np.ones(3)))]),
    "only a header": archive([("header.npy", TFIDF.header())]),
    "without header": archive([("idf.npy", npy(TFIDF.arrays["idf"]))]),
    "compressed": TFIDF.file(compression=zipfile.ZIP_DEFLATED),
    "objects": TFIDF.file(idf=npy(np.array([print], object), allow_pickle=True)),
    "text instead of numbers": TFIDF.file(idf=npy(np.array(["1.0"] * N_TERMS))),
    "terabytes declared": TFIDF.file(directions=declaring((1_000_000, 1_000_000))),
    "negative axes": TFIDF.file(directions=declaring((-3, -4))),
    "fewer declared": TFIDF.file(directions=declaring((3, 3))),
    "no array at all": TFIDF.file(directions=b"\x93NUMPY\x01\x00\x76\x00(((((((("),
    "array header of noise": TFIDF.file(directions=declaring("(" * 50)),
    "members longer than the file": declaring_more(TFIDF.file()),
    "a name twice": TFIDF.file(more=[("idf.npy", npy(TFIDF.arrays["idf"]))]),
    "a path for a name": TFIDF.file(more=[("../../etc/passwd", b"x")]),
    "too many members": TFIDF.file(more=[("a" * n + ".npy", npy(np.ones(1))) for n in range(1, 200)]),
    "an array too many": TFIDF.file(more=[("more.npy", npy(np.ones(1)))]),
    "an array too few": TFIDF.file(idf=None),
    "another format": TFIDF.file(TFIDF.header(format="visavis embedder 99")),
    "header of no format": TFIDF.file(TFIDF.header(format=None)),
    "header of noise": TFIDF.file(text(b"\xff\xfe{")),
    "header of numbers": TFIDF.file(npy(np.ones(5))),
    "header a list": TFIDF.file(text("[1, 2]")),
    "deep header": TFIDF.file(DEEP),
    "long header": TFIDF.file(TFIDF.header(note="x" * 2**21)),
    "no embedder": TFIDF.file(TFIDF.header(embedder=None)),
    "embedder of another kind": TFIDF.file(TFIDF.header(embedder=["tfidf"])),
    "unknown embedder": TFIDF.file(TFIDF.header(embedder="tfidff")),
    "embedder's name too long": TFIDF.file(TFIDF.header(embedder="x" * 300)),
    "embedder's name with a NUL": TFIDF.file(TFIDF.header(embedder="a\0b")),
    "another embedder": TFIDF.file(TFIDF.header(embedder="glove")),
    "a file that is not there": TFIDF.file(TFIDF.header(embedder="/nowhere/vectors.txt")),
    "parameters of another kind": TFIDF.file(TFIDF.header(parameters=[1])),
    "no parameters": TFIDF.file(TFIDF.header(parameters={})),
    "the version before": TFIDF.file(TFIDF.header(parameters={**TFIDF.parameters, "version": 1})),
    "another version of the method": TFIDF.file(TFIDF.header(parameters={**TFIDF.parameters, "version": 99})),
    "dimensions without sense": TFIDF.file(TFIDF.header(parameters={**TFIDF.parameters, "dimensions": -1})),
    "another type": TFIDF.file(idf=npy(TFIDF.arrays["idf"].astype(np.float64))),
    "another number of axes": TFIDF.file(idf=npy(TFIDF.arrays["idf"][None])),
    "NaN": TFIDF.file(idf=npy(np.full(N_TERMS, np.nan, np.float32))),
    "weights without sense": TFIDF.file(idf=npy(np.full(N_TERMS, 1e38, np.float32))),
    "directions without sense": TFIDF.file(directions=npy(DIRECTIONS * 1e30)),
    "fewer terms than weights": TFIDF.file(terms=text("gun\nlaw")),
    "the same term twice": TFIDF.file(terms=text("\n".join(["law"] * N_TERMS))),
    "terms of noise": TFIDF.file(terms=text(b"\xff\xfe\xfd")),
    "too few columns": TFIDF.file(directions=npy(DIRECTIONS[:, 1:])),
    "too many directions": TFIDF.file(directions=npy(np.zeros((101, N_TERMS), np.float32))),
    "direction of another length": SIF.file(direction=npy(np.full(100, 3.0))),
    "other word vectors": SIF.file(SIF.header(parameters={**SIF.parameters, "word vectors": "0" * 64})),
}  # fmt: skip


@pytest.mark.parametrize("whole", [TFIDF, SIF], ids=["tfidf", "glove"])
def test_the_files_are_damaged_by_what_is_changed_alone(whole, tmp_path):
    (tmp_path / "whole.npz").write_bytes(whole.file())
    assert len(load_embedder(tmp_path / "whole.npz").embed(TEXTS).vectors) == 6


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_or_hostile_file_is_refused_in_one_line_that_names_it(damage, tmp_path):
    path = tmp_path / "fitted.npz"
    path.write_bytes(DAMAGED[damage])
    with pytest.raises(InvalidParameter, match=r"fitted\.npz") as refused:
        load_embedder(path)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 700


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "absent.npz"):
        with pytest.raises(InvalidParameter, match="no such file"):
            load_embedder(path)


def test_a_direction_for_other_word_vectors_is_refused_when_it_is_used(tmp_path):
    (tmp_path / "fitted.npz").write_bytes(SIF.file(direction=npy(np.eye(3)[0])))
    fitted = load_embedder(tmp_path / "fitted.npz")
    with pytest.raises(InvalidParameter, match="3 numbers but the word vectors have 100"):
        fitted.embed(TEXTS)


# --- word vectors and models, which stay in their own files -----------------------------------------------------------
LINES = "the 1 0 0\ngun 0 1 0\nlaw 0 0 2\n"


@pytest.mark.parametrize("suffix", ["", ":mean"])
def test_a_changed_file_of_word_vectors_is_told_plainly(suffix, tmp_path):
    vectors, stored = tmp_path / "v.txt", tmp_path / "fitted.npz"
    vectors.write_text(LINES)
    fitted = create_embedder(f"{vectors}{suffix}").fit(["gun law"])
    store_embedder(fitted, stored)
    os.utime(vectors, (1, 1))  # copied or touched, but the same
    assert len(load_embedder(stored).embed(["the law"]).vectors) == 1
    vectors.write_text(LINES.replace("2", "3"))
    for use in (lambda: load_embedder(stored), lambda: fitted.embed(["gun"]), lambda: store_embedder(fitted, stored)):
        with pytest.raises(InvalidParameter, match=r"v\.txt.* have changed since it was fitted: fit it again"):
            use()
    vectors.unlink()
    with pytest.raises(InvalidParameter, match="no file of word vectors"):
        load_embedder(stored)


def test_a_file_of_word_vectors_is_found_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v.txt").write_text(LINES)
    store_embedder(create_embedder("v.txt:mean").fit([]), "fitted.npz")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert load_embedder("../fitted.npz").embed(["gun law"]).vectors.tolist() == [[0, 0.5, 1]]


@pytest.fixture
def models(monkeypatch):
    yield stand_in(monkeypatch)
    sys.modules.pop("visavis.embed.neural", None)


def test_a_model_that_a_file_names_is_never_downloaded(models, tmp_path):
    store_embedder(create_embedder("some/model").fit([]), tmp_path / "fitted.npz")
    loaded = load_embedder(tmp_path / "fitted.npz")
    assert models == []
    assert loaded.embed(["gun"]).vectors.tolist() == [[3, 10]]
    assert models == ["some/model offline"]


@pytest.mark.usefixtures("models")
def test_a_changed_model_is_told_plainly(tmp_path):
    folder, stored = tmp_path / "model", tmp_path / "fitted.npz"
    folder.mkdir()
    (folder / "weights").write_text("1")
    store_embedder(create_embedder(str(folder)).fit([]), stored)
    assert load_embedder(stored).parameters["embedder"] == str(folder)
    (folder / "weights").write_text("22")
    with pytest.raises(InvalidParameter, match=r"model'.* have changed"):
        load_embedder(stored)


@pytest.mark.usefixtures("models")
def test_a_folder_that_is_no_model_is_not_read_through(tmp_path, monkeypatch):
    neural = type(create_embedder("neural")).__module__
    monkeypatch.setattr(sys.modules[neural], "MOST_FILES", 3)
    for n in range(5):
        (tmp_path / str(n)).write_text("x")
    with pytest.raises(InvalidParameter, match="more than 3 files"):
        store_embedder(create_embedder(str(tmp_path)).fit([]), tmp_path / "fitted.npz")


def test_without_the_package_a_stored_model_names_the_extra(models, tmp_path, monkeypatch):  # noqa: ARG001
    store_embedder(create_embedder("some/model").fit([]), tmp_path / "fitted.npz")
    sys.modules.pop("visavis.embed.neural")  # for good: it was loaded with the stand-in
    monkeypatch.delitem(sys.modules, "sentence_transformers")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(MissingExtra, match=r"pip install 'visavis\[neural\]'"):
        load_embedder(tmp_path / "fitted.npz")


# --- writing ----------------------------------------------------------------------------------------------------------
class Odd:
    """Says what no file can hold."""

    def __init__(self, parameters, arrays):
        self.parameters, self._arrays = parameters, arrays

    def arrays(self):
        return self._arrays


@pytest.mark.parametrize(
    ("parameters", "arrays"),
    [
        ({"embedder": "odd"}, {"thing": np.array([print], object)}),
        ({"embedder": "odd"}, {"header": np.ones(2)}),
        ({"embedder": "odd"}, {"../x": np.ones(2)}),
        ({"embedder": "odd", "what": np.ones(2)}, {}),
        ({"embedder": "odd", "what": float("nan")}, {}),
        ({}, {}),
    ],
)
def test_what_a_file_cannot_hold_is_refused_and_the_old_file_stays(parameters, arrays, tmp_path):
    path = tmp_path / "fitted.npz"
    path.write_text("old")
    with pytest.raises(InvalidParameter, match="cannot be stored"):
        store_embedder(Odd(parameters, arrays), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(VisavisError, match="cannot write"):
        store_embedder(create_embedder("tfidf").fit(TEXTS), tmp_path / "nowhere" / "fitted.npz")
    with pytest.raises(VisavisError, match="cannot write"):
        store_embedder(create_embedder("tfidf").fit(TEXTS), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "fitted.npz"
    path.write_text("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(VisavisError, match="No space left"):
        store_embedder(create_embedder("tfidf").fit(TEXTS), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
