"""Masks rude words in chat. A first line only: it knows few words, and people find ways around it.

Every message is held against the lists of all languages, because nobody knows in which one it was
written. Simple evasions don't help: capitals, accents, repeated letters, digits and signs that look
like letters, letters with dots or spaces between them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from watermeet.server.errors import InvalidSettings

LANGUAGES = ("en", "fr", "de", "pl")
MASK = "•"
_LOOKS = dict(zip("01345789", "oieastbg", strict=True))
_SIGNS = dict(zip("@$!|€", "asiie", strict=True))
_LETTERS = {"ł": "l", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe"}


class WordFilter:
    """A set of words to mask; a star at the end of one stands for any ending.

    >>> WordFilter(["duck", "goose*"]).mask("A DÜCK, d.u.c.k, d u c k, duuck; ducks, g00seberry")
    'A ••••, •••••••, • • • •, •••••; ducks, ••••••••••'
    """

    def __init__(self, words: Iterable[str]) -> None:
        found = "|".join(_pattern(word) for word in sorted(set(words)))
        self._pattern = re.compile(found or r"(?!)")

    def mask(self, text: str) -> str:
        """The text, with dots instead of the letters of rude words."""
        shown = list(text)
        for start, end in _tokens(text):
            token = text[start:end]
            if any(self._pattern.fullmatch(each) for each in _readings(token)):
                shown[start:end] = [" " if each.isspace() else MASK for each in token]
        return "".join(shown)


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    """Where the words are; single letters in a row are one word. Punctuation at the end isn't."""
    found = [(each.start(), each.end()) for each in re.finditer(r"\S*\w", text)]
    is_single = lambda place: sum(map(str.isalnum, text[slice(*place)])) == 1  # noqa: E731
    for single, group in groupby(found, is_single):
        places = list(group)
        if single and len(places) > 1:
            yield places[0][0], places[-1][1]
        else:
            yield from places


def _readings(token: str) -> set[str]:
    """What a token may be read as: with signs as letters, and without them."""
    plain = "".join(_LETTERS.get(each, each) for each in token.casefold())
    plain = "".join(
        each for each in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(each)
    )
    if not any(map(str.isalpha, plain)):
        return set()  # 455 is a number.
    plain = "".join(_LOOKS.get(each, each) for each in plain)
    signs = "".join(_SIGNS.get(each, each) for each in plain)
    return {"".join(filter(str.isalnum, each)) for each in (plain, signs)}


def _pattern(word: str) -> str:
    letters = "".join(
        f"{re.escape(letter)}{{{len(list(run))},}}" for letter, run in groupby(word.rstrip("*"))
    )
    return letters + (".*" if word.endswith("*") else "")


def read_words(text: str) -> list[str]:
    """The words of a file, one a line; lines that begin with # are comments."""
    lines = (line.strip().casefold() for line in text.splitlines())
    return [line for line in lines if line.strip("*") and not line.startswith("#")]


def make_filter(more: str = "") -> WordFilter:
    """The filter with our words, and those of a file; raises InvalidSettings."""
    folder = files(__package__).joinpath("words")
    words = [
        word
        for language in LANGUAGES
        for word in read_words(folder.joinpath(f"{language}.txt").read_text(encoding="utf-8"))
    ]
    if more:
        try:
            words += read_words(Path(more).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidSettings(f"words_file = {more!r} can't be read", "check it") from error
    return WordFilter(words)
