"""Options: which values they accept, which they refuse, and the errors."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.core.options import Option, OptionValues, parse_assignments

SIZE = wm.Number("size", 7, "A size.", low=3, high=19, step=2, offered=(5, 7))
PIE = wm.Switch("pie", True, "Pie?")
TIE = wm.Choice("tie", "oldest", "Who?", words=("oldest", "youngest"))


@pytest.mark.parametrize("value", [4, 1, 21, "7", 7.0, True, None])
def test_a_number_must_be_in_range(value: object) -> None:
    with pytest.raises(wm.InvalidOptions, match=r"'size' can't be .*; it must be a whole number"):
        SIZE.encode(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["four", "4", "", "7.0"])
def test_a_number_refuses_texts(text: str) -> None:
    with pytest.raises(wm.InvalidOptions):
        SIZE.parse(text)


def test_samples_of_a_number_include_the_ends_of_its_range() -> None:
    assert SIZE.samples() == (3, 5, 7, 19)
    assert wm.Number("n", 2, "N.", low=1, high=3).samples() == (1, 2, 3)


@pytest.mark.parametrize(
    ("text", "value"), [("yes", True), ("ON", True), ("0", False), ("no", False)]
)
def test_a_switch_parses_words(text: str, value: bool) -> None:
    assert PIE.parse(text) is value


def test_a_switch_refuses_numbers_and_other_words() -> None:
    with pytest.raises(wm.InvalidOptions, match="yes or no"):
        PIE.encode(1)
    with pytest.raises(wm.InvalidOptions, match="yes or no"):
        PIE.parse("maybe")


def test_a_choice_is_one_of_its_words() -> None:
    assert TIE.parse(" Youngest ") == "youngest"
    assert TIE.decode(TIE.encode("youngest")) == "youngest"
    assert TIE.samples() == ("oldest", "youngest")
    for bad in ("eldest", 1):
        with pytest.raises(wm.InvalidOptions, match="one of oldest, youngest"):
            TIE.encode(bad)
    with pytest.raises(wm.InvalidOptions):
        TIE.parse("eldest")


def test_values_are_complete_and_in_order() -> None:
    values = OptionValues((SIZE, PIE, TIE), {"tie": "youngest"})
    assert dict(values) == {"size": 7, "pie": True, "tie": "youngest"}
    assert values.encoded == (7, 1, 1)
    assert values.changed() == {"tie": "youngest"}
    assert (values.number("tie"), len(values)) == (1, 3)
    assert "youngest" in repr(values)


def test_an_unknown_option_gets_a_suggestion() -> None:
    with pytest.raises(wm.InvalidOptions, match="there is no option 'sise'; did you mean 'size'"):
        OptionValues((SIZE,), {"sise": 5})
    with pytest.raises(wm.InvalidOptions, match="did you mean 'size'"):
        parse_assignments((SIZE,), {"sise": "5"})
    with pytest.raises(wm.InvalidOptions, match="there are none"):
        OptionValues((), {"size": 5})


def test_two_options_cannot_have_the_same_name() -> None:
    with pytest.raises(wm.InvalidGame, match="same name"):
        OptionValues((SIZE, SIZE), {})


def test_options_describe_themselves() -> None:
    assert SIZE.as_json() == {
        "name": "size",
        "kind": "number",
        "default": 7,
        "sentence": "A size.",
        "allowed": "a whole number from 3 to 19 in steps of 2",
        "low": 3,
        "high": 19,
        "step": 2,
        "offered": [5, 7],
    }
    assert TIE.as_json()["words"] == ["oldest", "youngest"]
    assert PIE.format(True) == "yes"
    assert SIZE.format(7) == "7"


def test_the_base_class_is_not_an_option() -> None:
    bare = Option("bare", 0, "Bare.")
    for call in (
        lambda: bare.allowed,
        lambda: bare.encode(0),
        lambda: bare.decode(0),
        lambda: bare.parse(""),
        bare.samples,
    ):
        with pytest.raises(NotImplementedError):
            call()
