import numpy as np
import pytest

from visavis.embed import create_embedder, pixels
from visavis.embed.pixels import DIED, decode, principal_components

Image = pytest.importorskip("PIL.Image")


def picture(path, shade, mode="L", size=(40, 20)):
    Image.new(mode, size, shade).save(path)
    return str(path)


@pytest.fixture
def folder(tmp_path):
    """Ten pictures whose left half grows lighter, and their right half darker."""
    paths = []
    for number in range(10):
        image = Image.new("L", (64, 64), 250 - 25 * number)
        image.paste(25 * number, (0, 0, 32, 64))
        path = tmp_path / f"{number}.png"
        image.save(path)
        paths.append(str(path))
    return paths


def test_one_direction_of_change_needs_one_dimension(folder):
    found = create_embedder("pixels").embed(folder)
    assert found.vectors.shape == (10, 1)
    steps = np.diff(found.vectors[:, 0])
    assert np.all(steps > 0) or np.all(steps < 0)


def test_pictures_that_cannot_be_read_are_missing_with_the_reason(folder, tmp_path):
    (tmp_path / "text.png").write_text("no picture")
    found = create_embedder("pixels").embed([folder[0], str(tmp_path / "text.png"), "nowhere.png", folder[1]])
    assert found.kept.tolist() == [0, 3]
    assert found.missing[0] == (1, "not a picture that can be read (UnidentifiedImageError)")
    assert found.missing[1] == (2, "there is no such file")


def test_transparent_parts_are_white(tmp_path):
    clear = picture(tmp_path / "clear.png", (0, 0, 0, 0), "RGBA")
    assert decode([clear]) == ["ff" * 1024]


def test_a_picture_that_kills_the_decoder_costs_only_itself(folder, monkeypatch):
    real = pixels._decode_batch

    def dies_at_three(paths):
        return real(paths[: paths.index(folder[3])]) if folder[3] in paths else real(paths)

    monkeypatch.setattr(pixels, "_decode_batch", dies_at_three)
    answers = decode(folder[:6])
    assert [answer == f"! {DIED}" for answer in answers] == [False, False, False, True, False, False]


def test_a_decoder_that_hangs_is_stopped(folder, monkeypatch, tmp_path):
    script = tmp_path / "slow.py"
    script.write_text("print('ready', flush=True)\nimport time\ntime.sleep(60)\n")
    monkeypatch.setattr(pixels.decode_images, "__file__", str(script))
    monkeypatch.setattr(pixels, "SECONDS", 1.0)
    assert decode(folder[:1]) == [f"! {DIED}"]


def test_a_decoder_that_does_not_start_is_a_failure_of_ours(folder, monkeypatch):
    monkeypatch.setattr(pixels.decode_images, "__file__", "nowhere.py")
    with pytest.raises(RuntimeError, match="did not start"):
        decode(folder)


def test_components_hold_the_share_of_variance_asked_for_and_no_more():
    images = np.random.default_rng(0).normal(size=(200, 6)) * [8, 4, 2, 1, 0.5, 0.1]
    center, components = principal_components(images, 0.85)
    total = ((images - center) ** 2).sum()
    shares = (((images - center) @ components) ** 2).sum(axis=0) / total
    assert shares.sum() >= 0.85 > shares[:-1].sum()


def test_components_are_fitted_on_the_named_rows_only(folder):
    found = create_embedder("pixels").embed(folder, fit_on=np.array([0, 1, 2]))
    assert found.vectors[:3].mean() == pytest.approx(0, abs=1e-4)


def test_a_changed_picture_changes_the_fingerprint(tmp_path):
    path = picture(tmp_path / "a.png", 10)
    before = create_embedder("pixels").fingerprint([path])
    picture(tmp_path / "a.png", 10, size=(80, 80))
    assert create_embedder("pixels").fingerprint([path]) != before
