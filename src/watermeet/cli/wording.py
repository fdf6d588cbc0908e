"""Names in a game's sentences and pictures, which call a seat by its label: ``Player 1``, ``Red``.

A label that ends with a number says nothing about the board, so the player's name takes its place.
Other labels stay, and the name stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from watermeet.core.rendering import Rendering, Span

YOU = "You"
_IRREGULAR = {"is": "are", "has": "have", "does": "do", "goes": "go"}


def is_number(label: str) -> bool:
    """Whether a label only counts seats.

    >>> is_number("Player 1"), is_number("Red")
    (True, False)
    """
    return label[-1:].isdecimal()


def called(name: str, label: str) -> str:
    """What to call a player: by the label too, unless it only counts seats.

    >>> called("Ada", "Red"), called("Ada", "Player 1"), called("", "Player 1")
    ('Ada (Red)', 'Ada', 'Player 1')
    """
    if not name:
        return label
    return name if is_number(label) else f"{name} ({label})"


def to_you(words: str) -> str:
    """What somebody does, said to them.

    >>> to_you("places a stone on c3"), to_you("passes"), to_you("has won")
    ('place a stone on c3', 'pass', 'have won')
    """
    verb, space, rest = words.partition(" ")
    if verb in _IRREGULAR:
        verb = _IRREGULAR[verb]
    elif re.search(r"(ss|sh|ch|x)es$", verb):
        verb = verb[:-2]
    elif verb.endswith("s"):
        verb = verb[:-1]
    return verb + space + rest


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A sentence with names for labels; ``You`` gets the grammar that it needs.

    >>> with_names("Player 2 draws a tile.", {"Player 2": "Stream"})
    'Stream draws a tile.'
    >>> with_names("Player 1 draws a tile.", {"Player 1": "You"})
    'You draw a tile.'
    >>> with_names("Player 1 has most tiles and begins.", {"Player 1": "You"})
    'You have most tiles and begin.'
    >>> with_names("Player 1 to place a tile.", {"Player 1": "You"})
    'Your turn: place a tile.'
    """
    for label, name in names.items():
        word = rf"\b{re.escape(label)}\b"
        if name == YOU:
            text = re.sub(rf"^{word} to ", "Your turn: ", text)
            text = re.sub(rf": {word} to ", ": ", text)
            text = re.sub(rf"{word}'s\b", "your", text)
            text = re.sub(rf"((?:^|[.!?] )){word} (\w+)", _you_act, text)
            text = re.sub(rf"{word} (draws|rolls|turns|must)\b", _you_act_inside, text)
            text = re.sub(r"^(You \w[\w ]* and) (\w+s)(?=\.)", _you_also_act, text)
            text = re.sub(word, "you", text)
        else:
            text = re.sub(word, lambda _, name=name: name, text)  # type: ignore[misc]
    return text


def _you_act(match: re.Match[str]) -> str:
    return f"{match[1]}{YOU} {to_you(match[2])}"


def _you_also_act(match: re.Match[str]) -> str:
    return f"{match[1]} {to_you(match[2])}"


def _you_act_inside(match: re.Match[str]) -> str:
    return f"you {to_you(match[1])}"


def with_names_in_picture(rendering: Rendering, names: Mapping[str, str]) -> Rendering:
    """A picture with names for labels; columns keep their places if the names leave space."""
    if not names:
        return rendering
    labels = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b( *)")

    def put(match: re.Match[str]) -> str:
        name, space = names[match[1]], len(match[2])
        padding = max(1, len(match[0]) - len(name)) if space > 1 else space
        return name + " " * padding

    return Rendering(
        tuple(
            tuple(Span(labels.sub(put, span.text), span.style, span.ascii) for span in line)
            for line in rendering.lines
        )
    )


def default_names(kinds: Sequence[str], human: str) -> tuple[str, ...]:
    """Names of players who were given none: bots by their kind, ``You`` if you play alone.

    People who share a screen stay without a name.

    >>> default_names(("human", "stream"), "human")
    ('You', 'Stream')
    >>> default_names(("human", "human", "sea", "sea:nodes=9"), "human")
    ('', '', 'Sea 1', 'Sea 2')
    """
    lone = YOU if kinds.count(human) == 1 else ""
    words = [lone if kind == human else _bot_name(kind) for kind in kinds]
    return tuple(
        f"{word} {words[: seat + 1].count(word)}" if word and words.count(word) > 1 else word
        for seat, word in enumerate(words)
    )


def _bot_name(kind: str) -> str:
    word = kind.partition(":")[0]
    return "Program" if word == "exec" else word[:1].upper() + word[1:]


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["Ada"]), listed(["Ada", "Bob", "Cy"])
    ('Ada', 'Ada, Bob and Cy')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def sentence(text: str) -> str:
    """A message or a hint as a sentence of its own.

    >>> sentence("use 'a1' or 'swap'"), sentence("'z9' isn't a point")
    ("Use 'a1' or 'swap'.", "'z9' isn't a point.")
    """
    end = "" if text.endswith((".", "!", "?", "…")) else "."
    return text[:1].upper() + text[1:] + end


def told(name: str, moves: Sequence[str], words: Sequence[str]) -> str:
    """What somebody did: the notation, then words where the game has them.

    >>> told("Ada", ["a1", "b1"], ["places a stone on a1", "places a stone on b1"])
    'Ada: a1 b1 (places a stone on a1, b1)'
    """
    known, before = "", ""
    for phrase in filter(None, words):
        head, _, end = phrase.rpartition(" ")
        known += f", {end if head and head == before else phrase}" if known else phrase
        before = head
    return f"{name}: {' '.join(moves)}" + (f" ({known})" if known else "")
