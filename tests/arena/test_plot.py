"""The plot is well formed, complete, and within its bounds."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from watermeet.arena.plot import render_plot
from watermeet.arena.ratings import Interval
from watermeet.arena.report import Report, Row, Section

SVG = "{http://www.w3.org/2000/svg}"


def report_of(*sections: tuple[str, list[tuple[str, float, float]]], cooperative: bool) -> Report:
    return Report(
        cooperative,
        tuple(
            Section(name, tuple(Row(bot, Interval(v, v - e, v + e)) for bot, v, e in rows), ())
            for name, rows in sections
        ),
        (),
    )


REPORTS = {
    "elo": report_of(
        (
            "",
            [("sea:seconds=0.1", 240.0, 31.0), ("a<b & c", 0.0, 25.0), ("random", -240.0, 9000.0)],
        ),
        cooperative=False,
    ),
    "together": report_of(
        ("target=1", [("sea", 0.8, 0.1)]), ("target=2", [("sea", 0.3, 0.1)]), cooperative=True
    ),
    "equal": report_of(("", [("a", 0.0, 0.0), ("b", 0.0, 0.0)]), cooperative=False),
    "nobody": report_of(("", []), cooperative=False),
}


@pytest.mark.parametrize("name", REPORTS)
def test_the_plot_is_well_formed_and_shows_every_name(name: str) -> None:
    report = REPORTS[name]
    root = ET.fromstring(render_plot(report, "A <title> & more"))
    texts = {element.text for element in root.iter(f"{SVG}text")}
    for section in report.sections:
        assert not section.variation or section.variation in texts
        assert {row.bot for row in section.rows} <= texts
    assert "A <title> & more" in texts


@pytest.mark.parametrize("name", REPORTS)
def test_marks_stay_within_the_plot(name: str) -> None:
    root = ET.fromstring(render_plot(REPORTS[name], "title"))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter():
        for key, most in (
            ("x1", width),
            ("x2", width),
            ("cx", width),
            ("y1", height),
            ("y", height),
        ):
            assert 0 <= float(element.attrib.get(key, 0)) <= most


def test_a_long_name_is_truncated_with_a_tooltip() -> None:
    name = "exec:" + "x" * 80
    drawn = render_plot(report_of(("", [(name, 0.0, 1.0)]), cooperative=False), "title")
    root = ET.fromstring(drawn)
    assert any(name in (element.text or "") for element in root.iter(f"{SVG}title"))
    assert all(len(element.text or "") < 60 for element in root.iter(f"{SVG}text"))


def test_stronger_bots_are_further_to_the_right() -> None:
    root = ET.fromstring(render_plot(REPORTS["elo"], "title"))
    places = [float(element.attrib["cx"]) for element in root.iter(f"{SVG}circle")]
    assert places == sorted(places, reverse=True)
