"""Measure sections, write each as bench/results/SECTION.json, and make bench/RESULTS.md from them.

The README's table of speeds is made again, too.

    python -m bench --list                all sections
    python -m bench all                   all that need no GPU, one after the other
    python -m bench games search          these
    python -m bench games --try           a quick look: prints the table, writes nothing
    python -m bench report                only make bench/RESULTS.md again

A tree with uncommitted changes isn't measured, except with --try. On a machine that has a copy of a
clean checkout, but no git, say which commit it is, and take the files along:

    python -m bench gpu --commit 1a2b3c4 --out somewhere
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path
from typing import cast

from bench import report
from bench.page import results_page, table, with_speeds
from bench.report import Missing, Section, progress

SECTIONS = (
    "games", "peers", "search", "environments", "networks", "compile", "browser", "load", "store",
    "leaderboard", "training", "gpu",
)  # fmt: skip
NEEDS_GPU = ("gpu",)
TRY_SECONDS = 0.05


def main() -> int:
    """Run the sections named on the command line; the status is 1 if one couldn't be measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    choices = [*SECTIONS, "all", "report"]
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(choices))
    parser.add_argument("--list", action="store_true", help="list the sections")
    parser.add_argument("--try", dest="is_try", action="store_true", help="print, write nothing")
    parser.add_argument("--seconds", type=float, help="per figure (default 1; with --try 0.05)")
    parser.add_argument("--games", nargs="+", default=[], help="only these; implies --try")
    parser.add_argument("--out", type=Path, default=report.FOLDER, help="where JSON files go")
    parser.add_argument("--commit", default="", help="what this tree is, where there is no git")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.sections if name not in choices]:
        parser.error(f"no section {unknown[0]!r}; there are {', '.join(choices)}")
    if chosen.list or not chosen.sections:
        for name in SECTIONS:
            print(f"{name:<13} {load_section(name).TITLE}")
        return 0
    names = [name for name in chosen.sections if name not in ("all", "report")]
    if "all" in chosen.sections:
        names = [name for name in SECTIONS if name not in NEEDS_GPU]
    report.is_strict = not (chosen.is_try or chosen.games)
    failed = []
    try:
        commit = report.clean_commit(chosen.commit) if report.is_strict and names else ""
        seconds = chosen.seconds or (1.0 if report.is_strict else TRY_SECONDS)
        for number, name in enumerate(names, 1):
            progress(f"[{number}/{len(names)}] {name}")
            try:
                run(name, seconds, chosen.games, commit, chosen.out)
            except Missing as missing:
                failed.append(f"{name} wasn't measured: {missing}")
    except report.NotClean as error:
        print(error, file=sys.stderr)
        return 1
    if report.is_strict and chosen.out == report.FOLDER:
        report.PAGE.write_text(results_page(all_sections(), report.FOLDER), encoding="utf-8")
        readme = with_speeds(report.README.read_text(encoding="utf-8"), report.FOLDER)
        report.README.write_text(readme, encoding="utf-8")
    print(*failed, sep="\n", file=sys.stderr)
    return int(bool(failed))


def run(name: str, seconds: float, games: list[str], commit: str, out: Path) -> None:
    """Measure a section and show its table; write its JSON unless it is only tried."""
    section, begin, load = load_section(name), time.monotonic(), report.load_average()
    rows = section.measure(seconds, games)
    if report.is_strict:
        report.clean_commit(commit)  # Nothing may have changed meanwhile.
        took = time.monotonic() - begin
        report.write(out / f"{name}.json", name, rows, commit=commit, load=load, took=took)
    print("\n".join(["", f"## {section.TITLE}", "", *table(section, rows), ""]), flush=True)


def all_sections() -> dict[str, Section]:
    """The modules of all sections, in the order of the page."""
    return {name: load_section(name) for name in SECTIONS}


def load_section(name: str) -> Section:
    """The module that measures a section."""
    return cast("Section", importlib.import_module(f"bench.{name}"))


if __name__ == "__main__":
    sys.exit(main())
