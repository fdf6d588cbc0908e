"""Tables fit a terminal and lose nothing; a section of a page is replaced, the rest is kept."""

from __future__ import annotations

import platform

import pytest

from watermeet.bench.report import COLUMNS, machine, markdown, table, with_section
from watermeet.bench.runner import Measurement

MEASUREMENTS = [
    Measurement("game@1 size=9", "random playouts", 1_234_567.0, "playouts/s", "best 1,300,000"),
    Measurement(
        "game@1 size=9",
        "random playouts by a worker with quite a long description",
        1.873,
        "times",
        "1.62 to 1.91; got 1.9 of 2 cores, load 0.3, and other remarks that need room",
    ),
    Measurement("another library", "compiling", 0.25, "s"),
]


def test_a_table_has_eighty_columns_at_most() -> None:
    lines = table(MEASUREMENTS).splitlines()
    assert max(len(line) for line in lines) <= COLUMNS == 80
    assert not any(line.endswith(" ") for line in lines)


def test_a_table_loses_no_word() -> None:
    words = table(MEASUREMENTS).split()
    for measurement in MEASUREMENTS:
        for text in (measurement.name, measurement.what, measurement.unit, measurement.note):
            assert set(text.split()) <= set(words)
    assert {"1,234,567", "1.87", "0.25"} <= set(words)


def test_a_name_is_a_heading_once() -> None:
    assert table(MEASUREMENTS).splitlines().count("game@1 size=9") == 1


def test_figures_stand_under_each_other() -> None:
    lines = table(MEASUREMENTS).splitlines()
    ends = {
        line.index(figure) + len(figure)
        for line in lines
        for figure in ("1,234,567", " 1.87", " 0.25")
        if figure in line
    }
    assert len(ends) == 1


def test_markdown_has_a_row_for_each_figure() -> None:
    rows = markdown(MEASUREMENTS).splitlines()
    assert len(rows) == 2 + len(MEASUREMENTS)
    assert rows[2] == (
        "| `game@1 size=9` | random playouts | 1,234,567 | playouts/s | best 1,300,000 |"
    )
    odd = markdown([Measurement("a|b", "work", 1.0, "s")])
    assert r"`a\|b`" in odd


def test_a_section_is_replaced_and_the_rest_kept() -> None:
    page = with_section(with_section("# Results\n", "games", "old"), "peers", "theirs")
    page += "\nA remark by hand.\n"
    changed = with_section(page, "games", "new")
    assert changed == page.replace("old", "new")


def test_a_section_that_does_not_end_is_our_mistake() -> None:
    with pytest.raises(AssertionError, match="end games"):
        with_section("<!-- begin games -->\n", "games", "new")


def test_the_machine_is_told_without_its_name() -> None:
    line = machine()
    assert f"Python {platform.python_version()}" in line
    assert "numba" in line
    assert "cores" in line
    assert platform.node() not in line.split()
    assert "\n" not in line
