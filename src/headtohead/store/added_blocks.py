"""Blocks added to a study that had ended (``more.json``): the plan itself is sealed, and stays as it was."""

from collections.abc import Iterable

from headtohead.model.plan import AddedBlocks, MoreBlocks
from headtohead.store.convert import read_document, to_json
from headtohead.store.durable import whole
from headtohead.store.layout import Layout
from headtohead.store.proof import seal


def read_more(layout: Layout) -> AddedBlocks | None:
    """Return the blocks that were added, in the order in which they were; None if the study ended once at most.

    There are none if a study that had run out of time went on to its planned analyses.
    """
    if not layout.more.is_symlink() and not layout.more.exists():
        return None
    return read_document(layout.more, AddedBlocks, within=layout.root)


def add_more(layout: Layout, added: Iterable[MoreBlocks], *, only: Iterable[str] = ()) -> None:
    """Add blocks to an ended study, which then goes on as an unfinished one, or ``only`` these experiments of it."""
    before = read_more(layout) or AddedBlocks(())
    whole(layout.more, to_json(AddedBlocks((*before.more, *added), tuple(only))))
    layout.markdown.unlink(missing_ok=True)
    layout.end.unlink(missing_ok=True)
    seal.reopen(layout, ())
