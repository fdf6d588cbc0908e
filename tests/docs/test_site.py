"""How the documentation site is made; scripts/check.sh builds it, which finds dead links."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))
pages: Any = import_module("docs_pages")
reference: Any = import_module("docs_reference")


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        ("guides/a.md", "[r](../../bench/RESULTS.md#games)", "[r](../results/index.md#games)"),
        ("project/changelog.md", "[s](docs/concepts/b.md)", "[s](../concepts/b.md)"),
        ("index.md", "[c](../CONTRIBUTING.md#style)", "[c](project/contributing.md#style)"),
        ("index.md", "[a folder](../examples)", "a folder"),
        ("index.md", "[dead](nowhere.md)", "[dead](nowhere.md)"),  # For the build to refuse.
        ("index.md", "```\n[code](../README.md)\n```", "```\n[code](../README.md)\n```"),
    ],
)
def test_a_link_of_the_repository_leads_to_the_page(page: str, text: str, expected: str) -> None:
    origin = "CHANGELOG.md" if page.startswith("project") else f"docs/{page}"
    assert pages.with_links(text, page, origin, set()) == expected


def test_a_linked_program_gets_a_page() -> None:
    sources = set[str]()
    text = pages.with_links(
        "[e](../examples/bots/network.py)", "index.md", "docs/index.md", sources
    )
    assert text == "[e](source/examples/bots/network.py.md)"
    assert sources == {"examples/bots/network.py"}


def test_the_reference_is_made_from_code() -> None:
    """One thing of each kind, found where its name and its words are."""
    parts = reference.PARTS
    assert "| `--divide` | Split by the first move. |" in parts["commands"]()
    assert "{ #watermeet-admin-invite }" in parts["commands"]()
    assert "| `name_taken` | `NameTaken` | 409 | Another user has this name" in parts["errors"]()
    assert "| `WATERMEET_PORT` | `8765` | Port to listen on;" in parts["settings"]()
    assert "| `log` | The truth: everything that happened" in parts["tables"]()
    assert "### `POST /api/matches`\n" in parts["routes"]()
    assert "| `document` | [MatchDocument](rest-routes.md#" in parts["messages"]("server")
    assert "### `timed_out`\n\nA seat's clock ran out.\n" in parts["messages"]("entries")
    assert "| `matches_terminate` | Random matches end" in parts["checks"]()
    assert "| numba | BSD" in parts["licenses"]()


def test_every_page_is_in_the_navigation() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    docs = ROOT / "docs"
    names = [page.relative_to(docs).as_posix() for page in docs.rglob("*.md")]
    assert [name for name in names if f" {name}\n" not in nav] == []
