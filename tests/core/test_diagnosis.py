"""A kernel that can't be compiled says where it is wrong and which rule it breaks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.diagnosis import diagnose, is_compile_error
from watermeet.core.kernel import Kernel, in_rows, kernel, scratch, slot

N = 3
WORDS = {"a": 1}


def _plain(number: int) -> int:
    return number


@slot
def rule(number: int) -> int:
    """A slot that is never filled."""
    raise NotImplementedError


@kernel
def _variable_scratch(number: Any) -> Any:
    return scratch(2 * N)[0]  # Here.


@kernel
def _variable_rows(number: Any) -> Any:
    return in_rows(scratch(6), number)[0, 0]  # Here.


@kernel  # Here.
def _returned_scratch(number: Any) -> Any:
    return scratch(3)


@kernel
def _new_array(number: Any) -> Any:
    return np.zeros(3)[0]  # Here.


@kernel
def _new_list(number: Any) -> Any:
    return len([number])  # Here.


@kernel
def _plain_call(number: Any) -> Any:
    return _plain(number)  # Here.


@kernel
def _dictionary(number: Any) -> Any:
    return WORDS["a"]  # Here.


@kernel
def _undefined(number: Any) -> Any:
    return nowhere  # type: ignore[name-defined]  # noqa: F821 # Here.


@kernel
def _wrong_call(number: Any) -> Any:
    return _new_list(number, 1)  # type: ignore[call-arg] # Here.


@kernel
def _two_types(number: Any) -> Any:
    x = number
    if number:
        x = (number, 1)
    return x  # Here.


@kernel
def _attribute(number: Any) -> Any:
    return number.size  # Here.


@kernel
def _calls_it(number: Any) -> Any:
    return _plain_call(number) + 1


@kernel(inline=False, signature="int64")
def _linked(number: Any) -> Any:
    return _plain(number)  # Here.


@kernel
def _calls_linked(number: Any) -> Any:
    return _linked(number)


@kernel(inline=False, signature="int65")
def _misspelt(number: Any) -> Any:
    return number


@kernel
def _calls_misspelt(number: Any) -> Any:
    return _misspelt(number)


@kernel
def _calls_slot(number: Any) -> Any:
    return rule(number)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("broken", "culprit", "reason"),
    [
        (_variable_scratch, "_variable_scratch", "scratch memory has a constant size"),
        (_variable_rows, "_variable_rows", "a constant number of columns"),
        (_returned_scratch, "_returned_scratch", "never scratch memory"),
        (_new_array, "_new_array", "a kernel allocates nothing"),
        (_new_list, "_new_list", "a kernel allocates nothing"),
        (_plain_call, "_plain_call", "'_plain' is none of them; put @kernel on it"),
        (_dictionary, "_dictionary", "numbers, tuples and arrays"),
        (_undefined, "_undefined", "the name 'nowhere' is not defined"),
        (_wrong_call, "_wrong_call", "which are (number)"),
        (_two_types, "_two_types", "a variable keeps one type"),
        (_attribute, "_attribute", "Unknown attribute 'size' of type int64"),
        (_calls_it, "_plain_call", "'_plain' is none of them"),
        (_calls_linked, "_linked", "'_plain' is none of them"),
    ],
)
def test_an_error_names_the_kernel_the_line_and_the_rule(
    broken: Kernel[Any, Any], culprit: str, reason: str
) -> None:
    with pytest.raises(wm.InvalidKernel) as refused:
        broken(1)
    code = globals()[culprit].python.__code__
    with Path(__file__).open(encoding="utf-8") as file:
        marked = [
            number for number, line in enumerate(file, 1) if line.rstrip().endswith("# Here.")
        ]
    line = next(number for number in marked if number >= code.co_firstlineno)
    assert str(refused.value).startswith(f"{culprit} (test_diagnosis.py:{line}) does not compile: ")
    assert reason in str(refused.value)
    assert isinstance(refused.value.__cause__, Exception)
    assert is_compile_error(refused.value.__cause__)


@pytest.mark.compiled
def test_an_invalid_signature_and_an_empty_slot_are_named() -> None:
    with pytest.raises(wm.InvalidKernel, match="_misspelt has the signature 'int65'"):
        _calls_misspelt(1)
    with pytest.raises(wm.InvalidKernel, match="_calls_slot calls the slot 'rule', which is empty"):
        _calls_slot(1)


@pytest.mark.compiled
def test_other_errors_are_unchanged() -> None:
    with pytest.raises(TypeError, match="not enough arguments"):
        _attribute()  # type: ignore[call-arg]


def test_an_error_without_a_message_names_the_kernel() -> None:
    found = diagnose(RuntimeError(""), [_plain_call.python])
    assert str(found).startswith("_plain_call (test_diagnosis.py:")
