"""Renderers keep what they drew, and an image of another scene is refused, for real."""

from pathlib import Path

import pytest

from headtohead.store.layout import Layout
from headtohead.store.run import images
from tests.contract.bench import need, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_changed, home_with
from tests.contract.leftovers import left_by_us, nothing

PAIRS = {each.workload.name: each for each in pairs(HOME)}
DARK = """scene = out / "building.pov"
text = scene.read_text()
scene.write_text(text.replace("color rgb <1.00, 0.66, 0.42>*0.42", "color rgb 0"))"""

pytestmark = pytest.mark.real


def kept(folder: Path) -> list[str]:
    found = images.images(Layout(folder / "results").run(1) / images.FOLDER, within=folder)
    return [each.name for each in found]


def test_a_building_without_its_sun_is_refused_and_its_images_are_kept(tmp_path: Path) -> None:
    pair = PAIRS["render-architecture"]
    need(*pair.subjects)
    text = study_text(pair).replace("width = 100", "frame = [20]\nwidth = 100")

    recorded = one_run(question(text, tmp_path, home=home_changed(tmp_path, "building", DARK)), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("off the reference by" in each for each in recorded.run.reasons), recorded.run.reasons
    assert kept(tmp_path) == ["frame-20.png"]
    assert left_by_us() == nothing()


def test_a_hall_without_its_window_is_refused_and_its_image_is_kept(tmp_path: Path) -> None:
    pair = PAIRS["render-cinema"]
    need(*pair.subjects)
    folder = HOME.subjects / "blender"
    home = home_with(tmp_path, "dark", (folder / "subject.toml").read_text().replace('"blender"\nt', '"dark"\nt'))
    for script in ("render.py", "parse.py", "scene.py", "pictures.py"):
        (home.subjects / "dark" / script).write_text((folder / script).read_text().replace("glow=7.0", "glow=0.0"))
    text = study_text(pair).replace('"blender"', '"dark"')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("off the reference by" in each for each in recorded.run.reasons), recorded.run.reasons
    assert kept(tmp_path) == ["image.png"]
    assert left_by_us() == nothing()
