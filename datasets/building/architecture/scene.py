"""The scene in POV-Ray's language: camera, seven lights, fog, materials, and the meshes where they belong."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from architecture import garden, house
from architecture.mesh import Mesh, Point

THOUSAND = 1000
GRASS, HEDGE, TREE = 80_000, 11_000, 12_000
FEWEST_LEAVES = 200
CELL = 900
TREES = (
    (-23_000, -2_000, 900), (-30_000, 6_000, 1_250), (21_500, -4_000, 1_000), (29_000, 5_000, 1_300),
    (-38_000, 20_000, 1_500), (37_000, 24_000, 1_450), (-9_000, 26_000, 1_700), (12_000, 29_000, 1_800),
)  # fmt: skip
LAMPS = ((-11_000, -7_000), (11_000, -7_000), (-11_000, -20_000), (11_000, -20_000))

HEAD = """#version 3.7;
global_settings { assumed_gamma 1.0 max_trace_level 6 }
#default { finish { ambient rgb <0.035, 0.045, 0.07> diffuse 0.8 } }
// Millimeters. clock is the number of the frame: the camera moves on with it.
camera {
  perspective right x*5/3 up y angle 66
  location <-21000 + 1100*(clock - 20), 8600 + 500*(clock - 20), -27500 + 600*(clock - 20)>
  look_at <-800 + 500*(clock - 20), 4400, 0>
}
sky_sphere { pigment { gradient y color_map {
  [0.0 rgb <0.75, 0.40, 0.22>] [0.2 rgb <0.30, 0.30, 0.46>] [0.7 rgb <0.07, 0.11, 0.28>] } } }
fog { fog_type 1 distance 170000 color rgb <0.30, 0.26, 0.30> }
fog { fog_type 2 distance 34000 fog_offset 300 fog_alt 900 color rgb <0.33, 0.31, 0.36> }
light_source { <-90000, 52000, -70000> color rgb <1.00, 0.66, 0.42>*0.42 parallel point_at <0, 4000, 0> }
light_source { <-5200, 120, -6300> color rgb <1.00, 0.80, 0.55>*2.2
  spotlight point_at <-6500, 9000, 0> radius 22 falloff 40 fade_distance 8000 fade_power 2 }
light_source { <5200, 120, -6300> color rgb <0.75, 0.85, 1.00>*2.2
  spotlight point_at <6500, 9000, 0> radius 22 falloff 40 fade_distance 8000 fade_power 2 }
"""
LAMP = """light_source {{ <{x}, 3300, {z}> color rgb <1.00, 0.78, 0.45>*1.6 fade_distance 6000 fade_power 2
  looks_like {{ sphere {{ 0, 190 pigment {{ rgb <1, 0.9, 0.7> }} finish {{ emission 1.2 diffuse 0 ambient 0 }} }} }} }}
cylinder {{ <{x}, -40, {z}>, <{x}, 3120, {z}>, 55 pigment {{ rgb 0.06 }} finish {{ phong 0.4 }} }}
"""
MATERIALS: Mapping[str, str] = {
    "bricks_1": "texture { pigment { rgb <0.46, 0.17, 0.11> } }",
    "bricks_2": "texture { pigment { rgb <0.54, 0.23, 0.14> } }",
    "bricks_3": "texture { pigment { rgb <0.38, 0.15, 0.11> } }",
    "roof": "texture { pigment { rgb <0.20, 0.22, 0.27> } finish { phong 0.3 phong_size 30 } }",
    "stone": "texture { pigment { rgb <0.72, 0.68, 0.59> } }",
    "column": "texture { pigment { rgb <0.80, 0.77, 0.70> } finish { phong 0.25 phong_size 25 } }",
    "frame": "texture { pigment { rgb <0.85, 0.85, 0.82> } }",
    "baluster": "texture { pigment { rgb <0.80, 0.77, 0.70> } }",
    "ground": "texture { pigment { rgb <0.13, 0.21, 0.08> } }",
    "grass": "texture { pigment { rgb <0.20, 0.36, 0.10> } }",
    "hedge": "texture { pigment { rgb <0.10, 0.24, 0.08> } }",
    "crown_1": "texture { pigment { rgb <0.20, 0.34, 0.10> } }",
    "crown_2": "texture { pigment { rgb <0.36, 0.32, 0.10> } }",
}
REST = """
box { <-8100, -400, -18100>, <8100, 180, -8900> pigment { rgb <0.02, 0.05, 0.06> }
  normal { ripples 0.12 scale 900 translate <1500, 0, -9000> }
  finish { reflection { 0.25, 0.85 fresnel on } diffuse 0.4 }
  interior { ior 1.33 } }
box { <-8300, 281, -3500>, <8300, 300, -60> pigment { checker rgb 0.75, rgb <0.16, 0.14, 0.13> scale 700 }
  finish { reflection 0.25 } }
#declare Pane = box { <0, 0, 95>, <1400, 2300, 105> pigment { rgb <0.05, 0.06, 0.09> }
  finish { reflection 0.45 phong 0.6 phong_size 120 diffuse 0.3 } }
#declare Lit = box { <0, 0, 95>, <1400, 2300, 105> pigment { rgb <1.0, 0.75, 0.40> }
  finish { emission 0.75 reflection 0.12 diffuse 0.2 } }
"""


@dataclass(frozen=True)
class Scene:
    """The meshes that stand in the file once, by name, and all places of those that stand there as instances."""

    once: Mapping[str, Mesh]
    parts: Mapping[str, Mesh]
    placed: Mapping[str, tuple[str, ...]]

    @property
    def distinct(self) -> int:
        """The triangles that the file holds."""
        return sum(len(each.faces) for each in (*self.once.values(), *self.parts.values()))

    @property
    def shown(self) -> int:
        """The triangles that rays meet: those of every instance."""
        instances = sum(len(self.parts[name].faces) * len(places) for name, places in self.placed.items())
        return instances + sum(len(each.faces) for each in self.once.values())

    def lines(self) -> Iterator[str]:
        """Yield the whole file."""
        yield f"// {self.distinct} distinct triangles, {self.shown} with all instances. Written by a program."
        yield HEAD
        yield from (LAMP.format(x=x, z=z) for x, z in LAMPS)
        yield REST
        for name, mesh in self.once.items():
            yield from ("mesh2 {", *mesh.lines(), f"{MATERIALS[name]} }}")
        for name, mesh in self.parts.items():
            yield from (f"#declare Part_{name} = mesh2 {{", *mesh.lines(), f"{MATERIALS[name]} }}")
            yield from (f"object {{ Part_{name} {place} }}" for place in self.placed[name])
        for number, (corner, degrees) in enumerate(house.windows()):
            yield f"object {{ {'Lit' if number % 7 in (1, 3) else 'Pane'} {_at(corner, degrees)} }}"


def make_scene(rng: Random, *, scale: float) -> Scene:
    """Return the building; ``scale`` times as many bricks, tiles, blades and leaves, each so much smaller."""
    k = math.isqrt(round(THOUSAND * THOUSAND / scale))
    hedge, crown = (max(FEWEST_LEAVES, round(count * scale)) for count in (HEDGE, TREE))
    one, two, three = house.bricks(rng, k=k)
    once = {"bricks_1": one, "bricks_2": two, "bricks_3": three, "roof": house.roof(k=k), "stone": house.stone()}
    once |= {
        "ground": garden.ground(rng, cell=CELL * k // THOUSAND),
        "grass": garden.grass(rng, count=round(GRASS * scale)),
    }
    parts = {
        "hedge": garden.hedge(rng, count=hedge, size=60 * k // THOUSAND),
        "crown_1": garden.tree(rng, count=crown, size=110 * k // THOUSAND),
        "crown_2": garden.tree(rng, count=crown, size=100 * k // THOUSAND),
        "column": house.column(),
        "baluster": house.baluster(),
        "frame": house.window(),
    }
    return Scene(once, parts, _placed())


def _placed() -> Mapping[str, tuple[str, ...]]:
    rail = house.COLUMNS[-1] + 600
    return {
        "hedge": tuple(_at((x, -30, z), 0) for x in (-12_800, 12_800) for z in (-30_500, -19_000)),
        "crown_1": tuple(_tree(*each) for each in TREES[::2]),
        "crown_2": tuple(_tree(*each) for each in TREES[1::2]),
        "column": tuple(_at((x, 420, -house.PORCH), 0) for x in house.COLUMNS),
        "baluster": tuple(_at((x, house.PORCH_HIGH + 520, -house.PORCH - 450), 0) for x in range(-rail, rail + 1, 220)),
        "frame": tuple(_at(corner, degrees) for corner, degrees in house.windows()),
    }


def _at(corner: Point, degrees: int) -> str:
    x, y, z = corner
    return f"{f'rotate {degrees}*y ' if degrees else ''}translate <{x}, {y}, {z}>"


def _tree(x: int, z: int, size: int) -> str:
    return f"scale {size}/1000 translate <{x}, -100, {z}>"
