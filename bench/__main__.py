"""Run benchmarks and write their sections of RESULTS.md.

    python -m bench games search          these sections
    python -m bench --list                all sections
    python -m bench games --seconds 0.2   a quick look
    python -m bench games --print         leave RESULTS.md alone
    python -m bench load -- --matches 1000 --rate 500   a section's own arguments

Other libraries are measured if they are installed: pip install "watermeet[bench]".
"""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Protocol, cast

from bench import report
from watermeet.testing.speed import Measurement

SECTIONS = (
    "games",
    "compile",
    "peers",
    "search",
    "environments",
    "gpu",
    "self_play",
    "wasm",
    "devices",
    "strength",
    "leaderboard",
    "learning",
    "flume_decisive",
    "raw_policy",
    "inference",
    "first_moves",
    "information",
    "page",
    "store",
    "load",
    "idle",
    "soak",
    "scaling",
    "kills",
    "ratings",
    "pairing",
)


class Section(Protocol):
    """A module of this folder: what it measures, and how."""

    TITLE: str

    @staticmethod
    def measure(seconds: float, arguments: list[str]) -> list[Measurement] | str:
        """The figures, or the section's Markdown; empty if nothing could be measured."""
        ...


def main() -> None:
    """Run the sections named on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", nargs="*", choices=[*SECTIONS, []], help="what to measure")
    parser.add_argument("--seconds", type=float, default=1.0, help="per figure (default 1)")
    parser.add_argument("--print", action="store_true", help="don't write RESULTS.md")
    parser.add_argument("--list", action="store_true", help="list the sections")
    given = sys.argv[1:]
    split = given.index("--") if "--" in given else len(given)
    chosen = parser.parse_args(given[:split])
    if chosen.list or not chosen.sections:
        for name in SECTIONS:
            print(f"{name:<13} {_section(name).TITLE}")
    for name in chosen.sections:
        section = _section(name)
        found = section.measure(chosen.seconds, given[split + 1 :])
        body = found if isinstance(found, str) else report.markdown(found)
        print(f"\n## {section.TITLE}\n\n{body}\n", flush=True)
        if found and not chosen.print:
            report.write_section(name, section.TITLE, body)


def _section(name: str) -> Section:
    return cast("Section", importlib.import_module(f"bench.{name}"))


if __name__ == "__main__":
    main()
