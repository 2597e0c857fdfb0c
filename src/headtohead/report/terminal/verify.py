"""What `headtohead verify` prints."""

from headtohead.model.harmless_text import harmless
from headtohead.model.proof import Proof
from headtohead.model.record import Recording
from headtohead.report.text.wording import plural


def render_proof(proof: Proof, recording: Recording) -> str:
    """Return each flaw on a line, or that there is none, and what the seal is."""
    lines = [f"{flaw}{': left out' if flaw.excluded else ''}" for flaw in proof.flaws]
    if proof.flaws:
        lines.append(f"{recording.name}: {plural(len(proof.flaws), 'place')} not as recorded.")
    elif not proof.seal:
        lines.append(f"{recording.name}: not sealed. Its sums fit; files may have been changed together with them.")
    elif proof.after:
        lines.append(f"{recording.name}: {', '.join(proof.after)} written after the last seal; run the study again.")
    else:
        lines.append(f"{recording.name}: as it was recorded. {plural(len(recording.runs), 'run')}, seal {proof.seal}.")
    return harmless("\n".join(lines))
