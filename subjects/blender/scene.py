"""Make a scene from a seed inside Blender, and render it with Cycles on the CPU: run by Blender itself.

    blender -b --factory-startup --python scene.py -- SEED WIDTH HEIGHT SAMPLES THREADS FILE

Instants (ns, CLOCK_MONOTONIC) are printed as ``h2h: <what> <ns>`` lines; render.py adds the beginning of the first
sample.
"""

import os
import random
import sys
import time
import traceback
from collections.abc import Sequence

import bpy

BALLS = 60


def tell(what: str) -> None:
    """Print an instant under its name."""
    sys.stdout.write(f"h2h: {what} {time.monotonic_ns()}\n")
    sys.stdout.flush()


def material(
    name: str,
    color: tuple[float, float, float],
    *,
    metallic: float = 0.0,
    roughness: float = 0.5,
    glass: float = 0.0,
    glow: float = 0.0,
) -> bpy.types.Material:
    """Return a material of the principled kind."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    inputs = made.node_tree.nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value = (*color, 1.0)
    inputs["Metallic"].default_value = metallic
    inputs["Roughness"].default_value = roughness
    inputs["Transmission"].default_value = glass
    inputs["Emission"].default_value = (*color, 1.0)
    inputs["Emission Strength"].default_value = glow
    return made


def put(made: bpy.types.Material, *, smooth: bool = False) -> None:
    """Give the object just added a material."""
    thing = bpy.context.object
    thing.data.materials.append(made)
    if smooth:
        bpy.ops.object.shade_smooth()


def build(rng: random.Random) -> None:
    """Make a hall with balls of metal, glass and clay, a lamp above, and the camera in front."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    bpy.ops.mesh.primitive_plane_add(size=40)
    put(material("floor", (0.55, 0.52, 0.48), roughness=0.25))
    bpy.ops.mesh.primitive_plane_add(size=40, location=(0, 9, 0), rotation=(1.5707963, 0, 0))
    put(material("wall", (0.25, 0.33, 0.50), roughness=0.9))
    bpy.ops.mesh.primitive_plane_add(size=5, location=(-3, 0, 9))
    put(material("lamp", (1.0, 0.86, 0.66), glow=9.0))
    bpy.ops.mesh.primitive_plane_add(size=3, location=(9, -3, 5), rotation=(0, -1.2, 0))
    put(material("window", (0.55, 0.75, 1.0), glow=7.0))
    kinds = [{"metallic": 1.0, "roughness": 0.08}, {"glass": 1.0, "roughness": 0.0}, {"roughness": 0.6}]
    for number in range(BALLS):
        radius = 0.25 + 0.55 * rng.random()
        place = (-7 + 14 * rng.random(), -3.5 + 10 * rng.random(), radius)
        color = (0.15 + 0.8 * rng.random(), 0.15 + 0.8 * rng.random(), 0.15 + 0.8 * rng.random())
        bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=radius, location=place)
        put(material(f"ball-{number}", color, **kinds[number % 3]), smooth=True)
    bpy.ops.object.camera_add(location=(0.5, -13.5, 4.6), rotation=(1.30, 0, 0.03))
    bpy.context.scene.camera = bpy.context.object


def settle(width: int, height: int, *, samples: int, threads: int) -> None:
    """Set how it is rendered: a fixed number of samples for each pixel, one seed, no denoising."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.seed = 1
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 8
    scene.cycles.sample_clamp_indirect = 4.0
    scene.view_settings.view_transform = "Standard"
    scene.render.threads_mode = "FIXED"
    scene.render.threads = threads
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "8"


def main(arguments: Sequence[str]) -> None:
    """Build, render, print the instants."""
    seed, width, height, samples, threads = map(int, arguments[:5])
    tell("building")
    build(random.Random(seed))
    settle(width, height, samples=samples, threads=threads)
    bpy.context.scene.render.filepath = arguments[5]
    tell("rendering")
    bpy.ops.render.render(write_still=True)
    tell("written")


try:
    main(sys.argv[sys.argv.index("--") + 1 :])
except Exception:  # noqa: BLE001 - Blender ends with 0 whatever its script raises
    traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)
