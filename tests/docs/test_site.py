"""What the documentation site is made of; scripts/check.sh builds it."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


pages, site = _script("docs_pages"), _script("docs")


def test_examples_of_the_scripts_are_right() -> None:
    assert doctest.testmod(pages).failed == 0


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        ("guides/train.md", "[r](../../bench/RESULTS.md)", "[r](../results/index.md)"),
        ("guides/train.md", "[r](../../bench/RESULTS.md#games)", "[r](../results/games.md)"),
        ("games/flume/facts.md", "[rules](../RULES.md)", "[rules](rules.md)"),
        ("index.md", "[c](../CONTRIBUTING.md#style)", "[c](project/contributing.md#style)"),
        ("project/changelog.md", "[s](docs/concepts/search.md)", "[s](../concepts/search.md)"),
        ("index.md", "[e](../examples/bots/network.py)", "[e](source/examples/bots/network.py.md)"),
        ("index.md", "[a folder](../examples)", "a folder"),
        ("index.md", "[dead](nowhere.md)", "[dead](nowhere.md)"),  # For the build to refuse.
        (
            "index.md",
            "```\n[code](../CONTRIBUTING.md)\n```",
            "```\n[code](../CONTRIBUTING.md)\n```",
        ),
        (
            "index.md",
            "[![p](../src/watermeet/games/flume/docs/position.svg)](games/flume.md)",
            "[![p](games/flume/position.svg)](games/flume.md)",
        ),
    ],
)
def test_a_link_of_the_repository_leads_to_the_page(page: str, text: str, expected: str) -> None:
    assert pages.with_links(text, page) == expected


def test_figures_are_those_of_the_results() -> None:
    results = (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    text = pages.with_results("<!-- results: Games | rows: flume@1`.*legal lists -->", "index.md")
    (row,) = re.findall(r"^\| `flume@1` .*$", text, flags=re.MULTILINE)
    assert row in results
    assert "(results/games.md)" in text
    with pytest.raises(pages.MissingResults, match="no such section"):
        pages.with_results("<!-- results: no such section -->", "index.md")


def test_a_figure_in_a_link_must_be_in_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    part = (
        "**Part**\n\n    command\n\n![p](ratings.svg)\n\n| 7 |\n|---|\n| 8 |\n\n**Next**\n\n| 9 |"
    )
    found = {"Games": "| 1,234 |", "Self-play": f"103,537 positions\n\n{part}"}
    monkeypatch.setattr(pages, "sections", lambda: found)
    link = "[103,537 a second](../../bench/RESULTS.md)"
    assert pages.with_links(link, "guides/a.md") == "[103,537 a second](../results/self-play.md)"
    for wrong in ("[103,538 a second](../../bench/RESULTS.md)", f"{link[:-1]}#games)"):
        with pytest.raises(pages.MissingResults, match="a second"):
            pages.with_links(wrong, "guides/a.md")
    whole = pages.with_results("<!-- results: Self-play | whole: Part** -->", "guides/a.md")
    assert whole.startswith(
        "    command\n\n![p](../results/ratings.svg)\n\n| 7 |\n|---|\n| 8 |\n\n<small>"
    )


def test_no_speed_is_typed_into_a_table() -> None:
    """It would be wrong after the next measurement: <!-- results: ... --> shows the newest one."""
    speed = re.compile(r"^\|.*\d ?M? ?(?:actions|matches|playouts|positions|simulations|steps)/s")
    typed = [
        f"{page.relative_to(ROOT)}: {line}"
        for page in (ROOT / "docs").rglob("*.md")
        if "decisions" not in page.parts  # They say what was known on their day.
        for line in page.read_text(encoding="utf-8").splitlines()
        if speed.search(line)
    ]
    assert typed == []


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"[\w/-]+\.md", json.dumps(site.configuration())))
    written = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert sorted(written - listed) == []


def test_every_route_is_described() -> None:
    from watermeet.server.api.openapi import describe

    text = pages.routes()
    paths = describe()["paths"]
    assert len(paths) > 50
    wanted = [f"### `{method.upper()} {path}`\n" for path in paths for method in paths[path]]
    assert [each for each in wanted if each not in text] == []


def test_dead_links_and_what_is_fetched_from_elsewhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "guide").mkdir()
    (tmp_path / "icon.svg").write_text("<svg/>", encoding="utf-8")
    (tmp_path / "guide" / "index.html").write_text('<h2 id="there">', encoding="utf-8")
    good = '<a href="guide/#there"></a><img src="icon.svg"><a href="https://example.org/">'
    (tmp_path / "index.html").write_text(good, encoding="utf-8")
    assert site.dead_links(tmp_path) == site.fetched(tmp_path) == []
    assert site.outward(tmp_path) == {"https://example.org/": ["index.html"]}
    bad = '<a href="guide/#gone"></a><img src="../icon.svg"><script src="//cdn.example/x.js">'
    (tmp_path / "other.html").write_text(bad, encoding="utf-8")
    (tmp_path / "x.css").write_text("@import url(https://fonts.example/a.css)", encoding="utf-8")
    assert site.dead_links(tmp_path) == [
        "other.html: nothing is named guide/#gone",
        "other.html: there is no ../icon.svg",
    ]
    assert site.fetched(tmp_path) == [
        "other.html: loads //cdn.example/x.js",
        "x.css: loads https://fonts.example/a.css",
    ]


def test_versions_stand_beside_each_other(tmp_path: Path) -> None:
    built, folder = tmp_path / "site", tmp_path / "all"
    built.mkdir()
    for version in ("0.1", "0.2"):
        (built / "index.html").write_text(version, encoding="utf-8")
        site.publish(built, folder, version, "latest")
    listed = json.loads((folder / "versions.json").read_text(encoding="utf-8"))
    assert [(each["version"], each["aliases"]) for each in listed] == [
        ("0.2", ["latest"]),
        ("0.1", []),
    ]
    read = {name: (folder / name / "index.html").read_text("utf-8") for name in ("latest", "0.1")}
    assert read == {"latest": "0.2", "0.1": "0.1"}
    assert 'url=latest/"' in (folder / "index.html").read_text(encoding="utf-8")
