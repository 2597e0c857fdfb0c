"""Who works in process, without a server, and what that means for its numbers."""

from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.text.wording import listed


def in_process_sentence(result: ExperimentResult) -> str:
    """Return who works in process and what that means for its numbers, with a leading space; empty if none does."""
    names = [each.label for each in result.treatments if each.card and each.card.in_process]
    if not names:
        return ""
    verb, whose = ("works", "its") if len(names) == 1 else ("work", "their")
    return (
        f" {listed(names)} {verb} in process: there is no server and no load generator, so what the client does "
        f"counts as {whose} own work."
    )
