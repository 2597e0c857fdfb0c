"""Matrices as heat maps."""

from collections.abc import Iterator

from headtohead.model.analysis.curves import Matrix
from headtohead.model.analysis.results import TreatmentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.chart import same_on_both
from headtohead.report.drawing.heat_map import Heat, blocks
from headtohead.report.experiment.memory_speed.matrix_tables import matrix_title, matrix_value_text, mirrored
from headtohead.report.experiment.memory_speed.sizes_and_titles_in_words import title_of
from headtohead.report.text.numbers.values_with_units import scale_for

_FEW = 4
"""Smaller matrices have only a table."""


def heat_maps(context: ExperimentContext, treatment: TreatmentResult, *, prefix: str) -> Iterator[Figure]:
    """Yield the heat maps of a treatment's matrices."""
    for number, matrix in enumerate(treatment.matrices):
        if max(len(matrix.rows), len(matrix.columns)) >= _FEW:
            yield _heat(context, treatment, mirrored(matrix), prefix=f"{prefix}x{number}")


def _heat(context: ExperimentContext, treatment: TreatmentResult, matrix: Matrix, *, prefix: str) -> Figure:
    times, values = blocks(matrix.values)
    known = [each for row in values for each in row if each is not None]
    scale = scale_for(matrix.unit, known)
    texts = tuple(tuple("" if each is None else matrix_value_text(each, scale) for each in row) for row in values)
    names = [tuple(str(each) for each in numbers[::times]) for numbers in (matrix.rows, matrix.columns)]
    title = f"{matrix_title(matrix)}{title_of(context, treatment)}"
    heat = Heat(
        rows=names[0],
        columns=names[1],
        values=values,
        texts=texts,
        title=f"{matrix_title(matrix)}, {scale.unit}",
        ends=(scale.full(min(known)), scale.full(max(known))),
    )
    caption = f"{title}: faint is little, strong is much. Geometric means over {matrix.n} runs."
    if times > 1:
        caption += f" Each square is the median of {times} by {times} pairs."
    described = f"from {heat.ends[0]} to {heat.ends[1]}"
    return Figure(same_on_both(heat, name=prefix, title=title, description=described), caption)
