"""The pages of http/forum-v1 in a simple rendering, which a subject's pages must equal."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from messageboard.writing import Message, Thread


def escaped(text: str) -> str:
    """Return a text as a page holds it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def minute(seconds: int) -> str:
    """Return a time as a page shows it, to the minute; the day is its first ten characters."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def framed(title: str, body: str) -> bytes:
    """Return a whole page."""
    head = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n<body>\n'
    )
    return f"{head}<h1>{title}</h1>\n{body}</body>\n</html>\n".encode()


def board_page(title: str, about: str, threads: Sequence[Thread]) -> bytes:
    """Return the index of a board: its threads, the newest first, each a tree of messages."""
    replies: Mapping[int, list[Message]] = defaultdict(list)
    for thread in threads:
        for message, _ in thread.messages[1:]:
            replies[message.parent].append(message)

    def item(message: Message) -> str:
        below = "".join(item(reply) for reply in replies.get(message.id, ()))
        return (
            f'<li><a href="/message?id={message.id}">{escaped(message.subject)}</a>'
            f' by <span class="author">{escaped(message.author.name)}</span>'
            f' on <span class="posted">{minute(message.posted)[:10]}</span>'
            + (f"\n<ul>\n{below}</ul>\n</li>\n" if below else "</li>\n")
        )

    tree = "".join(item(thread.messages[0][0]) for thread in reversed(threads))
    count = sum(len(thread.messages) for thread in threads)
    told = f"<p>{escaped(about)}</p>\n<p>{count} messages in {len(threads)} threads</p>\n"
    return framed(escaped(title), f'{told}<ul class="threads">\n{tree}</ul>\n')


def article_page(title: str, body: str, *, name: str, posted: int) -> bytes:
    """Return the page of an article."""
    blocks = "".join(
        f"<h2>{escaped(block[2:])}</h2>\n" if block.startswith("= ") else f"<p>{escaped(block)}</p>\n"
        for block in body.split("\n")
    )
    when = f'<span class="posted">{minute(posted)}</span>'
    by = f'<p class="by">by <span class="author">{escaped(name)}</span> on {when}</p>\n'
    return framed(escaped(title), by + blocks)
