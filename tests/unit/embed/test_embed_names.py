import sys

import numpy as np
import pytest

from unit.embed.models import stand_in
from visavis.embed import EMBEDDERS, create_embedder
from visavis.errors import InvalidParameter, MissingExtra, UnknownName


@pytest.fixture
def fake_models(monkeypatch):
    """The names of the models that were loaded, by a stand-in for the package."""
    yield stand_in(monkeypatch)
    sys.modules.pop("visavis.embed.neural", None)


@pytest.mark.parametrize("name", ["glove", "glove-mean", "tfidf", "pixels"])
def test_an_embedder_answers_to_its_name(name):
    assert create_embedder(name).name == name


@pytest.mark.parametrize("name", ["glov", "glove-meen", "tfidff", "bert"])
def test_a_misspelled_name_is_not_taken_for_a_model(name):
    with pytest.raises(UnknownName, match="There are: glove"):
        create_embedder(name)


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "intfloat/e5-small"])
def test_models_are_found_by_name_and_loaded_when_first_used(fake_models, name):
    model = create_embedder(name)
    assert fake_models == []
    found = model.embed(["gun law", " ", "law"])
    assert fake_models == [name]
    assert found.vectors.tolist() == [[7, len(name)], [3, len(name)]]
    assert found.vectors.dtype == np.float32
    assert found.missing == ((1, "the text is empty"),)


@pytest.mark.usefixtures("fake_models")
def test_a_folder_is_a_model_and_its_files_are_part_of_its_identity(tmp_path):
    model = create_embedder(str(tmp_path))
    before = model.fingerprint([])
    (tmp_path / "weights").write_text("1")
    assert model.fingerprint([]) != before


def test_blank_texts_need_no_model(fake_models):
    assert len(create_embedder("a/b").embed(["", " "]).vectors) == 0
    assert fake_models == []


@pytest.mark.usefixtures("fake_models")
def test_a_model_that_cannot_be_loaded_says_what_would_work():
    with pytest.raises(InvalidParameter, match=r"'some/absent' could not be loaded \(offline\).*folder"):
        create_embedder("some/absent").embed(["x"])


def test_without_the_package_the_error_names_the_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "visavis.embed.neural", raising=False)
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(MissingExtra, match=r"pip install 'visavis\[neural\]'"):
        EMBEDDERS.create("neural")
