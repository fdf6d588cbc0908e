"""Names: which ones people may have, and which ones look alike.

Nobody can take a name that looks like somebody else's. Unicode TR39 says what looks alike: two
texts with the same skeleton. It also says which scripts are written together.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from watermeet.server.errors import BadName

_NAME = re.compile(r"[^\W_](?:(?:[^\W_]|[ .'\u2019-]){0,22}(?:[^\W_]|\.))?")
_LONGEST = 40
"""With the marks of letters, which some scripts need for every syllable."""
_MOST_MARKS = 4
"""Of one letter, as TR39 has it."""
_OVERLAY = 1
"""Unicode's class of marks that strike a letter out."""
_WRITTEN_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""Japanese, Chinese and Korean: TR39's level "highly restrictive"."""
_ANYWHERE = {"COMMON", "INHERITED"}
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point: what is shown as nothing, letters among it."""
_PUNCTUATION = re.compile(
    r"[ .'\u2019\u02b0-\u02ff\u0374\u0559\u0640\u07fa\ua717-\ua71f\ua788\ua78b\ua78c-]+"
)
"""With what are letters to Unicode, but are shown as apostrophes, raised signs or longer lines."""
_SHAPES = (
    "[\u1100-\u11ff\u3005\u3007\u309d\u309e\u30a8\u30cb\u30ce\u30ed\u30fc-\u30fe\u3130-\u318f"
    "\u4e00\u4e28\u4e36\u4e3f\u4e85\u4e8c\u53e3\u56d7\u5de5]"
)
_PLAIN = "[0-9A-Za-z\u00c0-\u024f\u1e00-\u1eff]"
_DISGUISED = re.compile(f"{_PLAIN}{_SHAPES}|{_SHAPES}{_PLAIN}")
"""What looks like a hyphen, l or o beside Latin letters: lone strokes, circles, boxes and jamo."""
_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")
"""A word among others as in ModBob, or beside digits."""

OFFICIAL = ("mod", "mods", "staff")
"""Nobody's name contains one of these words."""
OFFICIAL_PARTS = ("admin", "moderator", "official", "watermeet")
"""And no word of it begins or ends with one of these, as Admins or WatermeetTeam."""
RESERVED = (
    *("anonymous", "bot", "deleted user", "everybody", "everyone", "guest"),
    *("root", "server", "spectator", "support", "system"),
    *("drop", "brook", "stream", "river", "sea", "ocean"),  # The levels of the bots.
)
"""Nobody's name is one of these."""


def clean_name(name: str) -> str:
    """A name as it is stored: normalised, without extra spaces; raises BadName."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    letters = "".join([each for each in name if not _is_mark(each)])
    is_name = len(name) <= _LONGEST and _NAME.fullmatch(letters) and _has_plain_marks(name)
    if not is_name or _INVISIBLE.search(name) or _has_small_capitals(name):
        raise BadName(
            f"{name[:40]!r} isn't a name",
            "use 1 to 24 letters and digits, with single spaces, points, hyphens or apostrophes",
        )
    scripts = _scripts(name) - _ANYWHERE
    is_mixed = len(scripts) > 1 and not any(scripts <= known for known in _WRITTEN_TOGETHER)
    if is_mixed or _DISGUISED.search(name):
        raise BadName(f"{name!r} mixes alphabets", "use the letters of one alphabet")
    if _is_reserved(name) or _is_reserved(name.casefold()):
        raise BadName(f"the name {name!r} is reserved", "choose another")
    return name


def skeleton(name: str) -> str:
    r"""A key that is equal for names that look alike, in whatever case.

    Spaces and punctuation don't count.

    >>> skeleton("\N{CYRILLIC CAPITAL LETTER A}da") == skeleton("Ada")
    True
    >>> skeleton("Arnold") == skeleton("Amo1d"), skeleton("Zoe") == skeleton("Zoë")
    (True, False)
    >>> skeleton("Carla Smith") == skeleton("CarlaSmith") == skeleton("Carla-Smith.")
    True
    """
    name = _PUNCTUATION.sub("", name) or name
    shown = _replaced(_replaced(name).casefold())  # An m looks like rn, an M does not.
    return shown.replace("i\u0307", "i").replace("j\u0307", "j")  # One dot hides the other.


def _is_reserved(name: str) -> bool:
    whole, (reserved, official, parts) = skeleton(name), _reserved()
    words = {skeleton(word) for word in _PUNCTUATION.split(name) + _WORD.findall(name) if word}
    return (
        whole in reserved
        or not official.isdisjoint({whole, *words})
        or any(word.startswith(parts) or word.endswith(parts) for word in (whole, *words))
    )


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _has_plain_marks(name: str) -> bool:
    """Whether marks stand on letters, few and different ones on each, and strike none out."""
    base, marks = "", ""
    for each in unicodedata.normalize("NFD", name):
        if not _is_mark(each):
            base, marks = each, ""
            continue
        if unicodedata.category(each) == "Me" or unicodedata.combining(each) == _OVERLAY:
            return False
        if not base.isalnum() or each in marks or len(marks) == _MOST_MARKS:
            return False
        marks += each
    return True


def _has_small_capitals(name: str) -> bool:
    """Whether it has letters of phonetic alphabets that look like capitals."""
    return any("SMALL CAPITAL" in unicodedata.name(each, "") for each in name)


def _replaced(text: str) -> str:
    shown = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(map(_prototype, shown)))


@cache
def _reserved() -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    reserved, official, parts = (
        frozenset(skeleton(form) for name in names for form in (name, name.upper()))
        for names in (RESERVED, OFFICIAL, OFFICIAL_PARTS)
    )
    return reserved, official, tuple(parts)


# The library's tables take some time to load, so they are imported on demand.


def _scripts(name: str) -> set[str]:
    from confusable_homoglyphs import categories

    return set(categories.unique_aliases(name))


def _prototype(character: str) -> str:
    """What TR39 replaces a character by.

    The library has the table in both directions. What is replaced is a single character with a
    single partner; of two that have only each other, either may stand for both.
    """
    from confusable_homoglyphs.confusables import confusables_data

    partners = confusables_data.get(character, ())
    if len(partners) != 1:
        return character
    partner: str = partners[0]["c"].strip("\u200e")
    if len(partner) > 1 or len(confusables_data.get(partner, ())) > 1:
        return partner
    return min(character, partner)
