"""Templates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.execute.subject.fill_templates import fill, fill_argv, names
from headtohead.model.errors import WordsError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORD = st.builds(
    "{}{}".format, st.sampled_from(LETTERS), st.text(st.sampled_from(f"{LETTERS}0123456789_-"), max_size=8)
)


@given(words=st.dictionaries(WORD, st.integers(), min_size=1))
def test_every_word_is_replaced_by_its_value(words: dict[str, int]) -> None:
    text = " ".join(f"@{name}@" for name in words)

    assert fill(text, words, where="test") == " ".join(str(value) for value in words.values())


def test_an_unknown_word_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(WordsError, match="@port@") as caught:
        fill("listen @prot@", {"port": 1}, where="nginx.conf.in")

    assert "@prot@" in caught.value.what
    assert "nginx.conf.in" in caught.value.what


def test_a_mail_address_is_left_alone() -> None:
    assert fill("mail a@b.example", {}, where="test") == "mail a@b.example"


def test_a_product_is_of_numbers_only() -> None:
    assert fill("@a*b@ @b@", {"a": 2, "b": 256}, where="test") == "512 256"
    assert names(("@a*b@",)) == {"a", "b"}
    with pytest.raises(WordsError, match="not a number"):
        fill("@a*b@", {"a": "on", "b": 256}, where="test")


def test_the_names_that_arguments_ask_for_are_found() -> None:
    argv = ("speed", "-seconds", "@seconds@", "rsa@bits@")

    assert names(argv) == {"seconds", "bits"}
    assert fill_argv(argv, {"seconds": 1, "bits": 2048}, where="test")[-1] == "rsa2048"
