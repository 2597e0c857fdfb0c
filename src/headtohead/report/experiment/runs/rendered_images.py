"""The images that runs kept, as rows of pictures inside the page itself."""

from base64 import b64encode
from collections.abc import Sequence

from headtohead.model.record import Image, Recorded
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Frames, Heading, Picture

MOST_ROWS = 4
"""The most rows of different images in an experiment, as each picture is part of the page."""


def frames_blocks(context: ExperimentContext) -> Blocks:
    """Yield the images that runs kept; nothing if they kept none."""
    rows = draw_frames(context.runs, pictures=context.study.pictures)
    if rows:
        yield Heading("The rendered frames")
        yield from rows


def draw_frames(runs: Sequence[Recorded], *, pictures: bool) -> tuple[Frames, ...]:
    """Return the images of one run of each treatment; equal images are shown once, and the others named."""
    rows: list[list[Recorded]] = []
    for run in (each for each in runs if each.images):
        same = [row for row in rows if row[0].images == run.images]
        if same:
            same[0].append(run)
        else:
            rows.append([run])
    drawn = [_row(row, pictures=pictures) for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        others = ", ".join(run.run.label for row in rows[MOST_ROWS:] for run in row)
        caption = f"Not shown here are the images of {others}, which differ from these: see runs/ in this folder."
        drawn.append(Frames((), caption, "runs"))
    return tuple(drawn)


def _row(row: Sequence[Recorded], *, pictures: bool) -> Frames:
    first, *others = row
    it, those = ("it", "That") if len(first.images) == 1 else ("them", "Those")
    labels = ", ".join(each.run.label for each in others)
    same = f" {those} of {labels} {'is' if it == 'it' else 'are'} the same, pixel for pixel." if others else ""
    names = ", ".join(each.name for each in first.images)
    return Frames(
        pictures=tuple(_picture(each, first.run.label, drawn=pictures) for each in first.images),
        caption=f"{first.run.label}: {names}, as run {first.run.run} drew {it}.{same}",
        where=f"runs/{first.run.run:04d}/images",
    )


def _picture(image: Image, label: str, *, drawn: bool) -> Picture:
    return Picture(
        name=image.name,
        width=image.width,
        height=image.height,
        alt=f"what {label} drew as {image.name}, {image.width} x {image.height} pixels",
        source=f"data:image/png;base64,{b64encode(image.png).decode('ascii')}" if drawn else "",
    )
