from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from visavis.datasets.compsumm import load_compsumm
from visavis.datasets.digits import load_digits
from visavis.datasets.usps import fetch_usps
from visavis.errors import InvalidParameter, VisavisError


@pytest.fixture
def stored(data_folder):
    with np.load(data_folder / "usps" / "usps_u16.npz", allow_pickle=False) as file:
        return {key: file[key] for key in file}


def test_digits_are_all_there():
    data = load_digits()
    assert data.vectors.shape == (1797, 64)
    assert sorted(set(data.groups.tolist())) == list(range(10))


def test_usps_has_pixels_from_minus_one_to_one_and_the_standard_part_first(data_folder):
    data = fetch_usps(data_folder / "usps" / "usps_u16.npz")
    assert data.vectors.shape == (9298, 256)
    assert (data.vectors.min(), data.vectors.max()) == (-1.0, 1.0)
    assert (data.n_train, data.grid, data.init, data.variance) == (7291, "usps", "kmeans", 0.85)
    assert set(data.groups.tolist()) == set(range(10))


def test_usps_is_found_where_the_environment_says(data_folder, monkeypatch, tmp_path):
    monkeypatch.setenv("VISAVIS_CACHE", str(tmp_path))
    monkeypatch.setenv("VISAVIS_DATA", str(data_folder))
    assert len(fetch_usps().groups) == 9298


def test_other_data_under_the_name_of_usps_are_refused(stored, tmp_path):
    stored["x_test"][0, 0] += 1
    np.savez(tmp_path / "x.npz", **stored)
    with pytest.raises(VisavisError, match="digest differs"):
        fetch_usps(tmp_path / "x.npz")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_a_file_that_is_no_npz_is_refused(content, tmp_path):
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(InvalidParameter, match=r"no \.npz file"):
        fetch_usps(tmp_path / "x.npz")


def test_what_openml_sends_is_checked_and_kept(stored, monkeypatch, tmp_path):
    pixels = np.concatenate([stored["x_train"], stored["x_test"]]) / 1000.0 - 1.0
    labels = np.concatenate([stored["y_train"], stored["y_test"]]).astype(int)
    calls: list[int] = []

    def answer(**_):
        calls.append(1)
        return SimpleNamespace(data=pixels, target=np.array([str(label + 1) for label in labels]))

    monkeypatch.setenv("VISAVIS_CACHE", str(tmp_path))
    monkeypatch.delenv("VISAVIS_DATA", raising=False)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", answer)
    first, second = fetch_usps(), fetch_usps()
    assert len(calls) == 1
    assert np.array_equal(first.vectors, second.vectors)
    assert np.array_equal(first.groups, labels)


def test_without_a_network_the_way_out_is_told(monkeypatch, tmp_path):
    def fail(**_):
        raise OSError("no route")

    monkeypatch.setenv("VISAVIS_CACHE", str(tmp_path))
    monkeypatch.delenv("VISAVIS_DATA", raising=False)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", fail)
    with pytest.raises(VisavisError, match="VISAVIS_DATA"):
        fetch_usps()


def test_files_of_the_authors_without_vectors_or_groups_are_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["title"] = [b"a", b"b"]
    with pytest.raises(InvalidParameter, match="no array 'data'"):
        load_compsumm(tmp_path / "a.h5")
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["title"] = [b"a", b"b"]
        file["data"] = np.eye(2)
    with pytest.raises(InvalidParameter, match="no array 'target'"):
        load_compsumm(tmp_path / "b.h5")
