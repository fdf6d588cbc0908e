"""Jobs and their files: an interrupted job ends as if nothing had happened."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from watermeet.arena.errors import InvalidJob
from watermeet.arena.job import Job, Results, vary, write_record
from watermeet.arena.match import Conditions, MatchResult
from watermeet.arena.report import make_report
from watermeet.arena.run import run_job
from watermeet.arena.workers import play_locally
from watermeet.core.errors import Conflict
from watermeet.core.game import Game


def job_of(game: Game, *bots: str, matches: int = 8, **extra: Any) -> Job:
    return Job((("", game),), bots or ("counts", "often", "random"), matches, **extra)


def run(job: Job, file: Path | None = None) -> list[MatchResult]:
    """All matches in the order of the job, without their times."""
    with Results(job, file) as results:
        run_job(job, results, play_locally)
        return [replace(each, seconds=0.0, seat_seconds=(0.0,) * 6) for each in results]


def test_a_file_has_one_line_for_the_job_and_one_per_match(dice: Game, tmp_path: Path) -> None:
    job = job_of(dice)
    run(job, tmp_path / "job")
    head, *lines = map(json.loads, (tmp_path / "job").read_text().splitlines())
    assert head["game"] == "dice@1"
    assert len(lines) == len(job.fixtures) == 24
    needed = {
        "chance_seed",
        "bots",
        "seats",
        "returns",
        "moves",
        "seconds",
        "reason",
        "round",
        "rotation",
    }
    assert all(needed <= line.keys() for line in lines)


@pytest.mark.parametrize("kept", [0, 1, 40, 0.3, 0.5, 0.77, 0.999, 1.0], ids=str)
def test_a_truncated_file_is_completed(dice: Game, tmp_path: Path, kept: float) -> None:
    job, file = job_of(dice), tmp_path / "job"
    whole = run(job, file)
    content = file.read_bytes()
    file.write_bytes(content[: kept if isinstance(kept, int) else int(kept * len(content))])
    assert run(job, file) == whole == run(job)
    with Results(job, file) as results:
        assert not results.missing()
    assert len(file.read_text().splitlines()) == 1 + len(whole)


def test_matches_and_bots_can_be_added_to_a_job(dice: Game, tmp_path: Path) -> None:
    file = tmp_path / "job"
    run(job_of(dice, "counts", "often"), file)
    larger = job_of(dice, "counts", "often", "random", matches=12)
    with Results(larger, file) as results:
        assert len(results.missing()) == 3 * 12 - 8
    assert run(larger, file) == run(larger)


def test_matches_that_failed_are_tried_again(dice: Game, tmp_path: Path) -> None:
    job, file = job_of(dice, "counts", "cheating"), tmp_path / "job"
    assert all(each.error for each in run(job, file))
    with Results(job, file) as results:
        assert len(results.missing()) == 8


def test_the_timeout_may_change_when_a_job_is_resumed(dice: Game, tmp_path: Path) -> None:
    """It only decides which matches fail, and those are tried again."""
    file = tmp_path / "job"
    whole = run(job_of(dice), file)
    assert run(job_of(dice, conditions=Conditions(timeout=600.0)), file) == whole


def test_the_file_of_another_job_is_refused(dice: Game, tmp_path: Path) -> None:
    file = tmp_path / "job"
    run(job_of(dice), file)
    before = file.read_bytes()
    others = [
        job_of(dice.with_options(rounds=3)),
        job_of(dice, seed=1),
        job_of(dice, conditions=Conditions(openings=1)),
        job_of(dice, conditions=Conditions(nodes=5)),
    ]
    for other in others:
        with pytest.raises(InvalidJob, match="holds another job"):
            Results(other, file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", ["hello\n", "[]\n", '{"a": 1}\n'])
def test_a_file_that_is_not_a_job_is_refused(dice: Game, tmp_path: Path, content: str) -> None:
    (tmp_path / "job").write_text(content)
    with pytest.raises(InvalidJob):
        Results(job_of(dice), tmp_path / "job")
    assert (tmp_path / "job").read_text() == content


def test_a_broken_line_in_the_middle_is_reported(dice: Game, tmp_path: Path) -> None:
    file = tmp_path / "job"
    run(job_of(dice), file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:3], lines[3][:20] + "\n", *lines[4:]]))
    with pytest.raises(InvalidJob, match="line 4"):
        Results(job_of(dice), file)


def test_two_jobs_cannot_share_a_file(dice: Game, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with Results(job_of(dice), tmp_path / "job"), pytest.raises(Conflict):
        Results(job_of(dice), tmp_path / "job")


def test_invalid_jobs_are_refused(dice: Game) -> None:
    clocked, alone = dice.with_options(clock=True), dice.with_options(teams="together")
    for games in ([clocked], [dice, alone], [dice, dice.with_options(seats=3)]):
        with pytest.raises(InvalidJob):
            Job(tuple((str(each), each) for each in games), ("counts", "often"), 4)
    with pytest.raises(InvalidJob):
        job_of(dice, matches=0)


def test_variations_are_played_and_reported_separately(dice: Game, tmp_path: Path) -> None:
    together = dice.with_options(teams="together", seats=3)
    job = Job(vary(together, "target", ["0", "19", "72"]), ("counts", "leaves"), 10)
    matches = run(job, tmp_path / "job")
    assert len(matches) == 60
    report = make_report(job, matches)
    assert report.cooperative
    won = {s.variation: {row.bot: row.wins for row in s.rows} for s in report.sections}
    assert won["target=0"] == {"counts": 10, "leaves": 10}
    assert 0 < won["target=19"]["counts"] < 10
    assert won["target=72"] == {"counts": 0, "leaves": 0}
    (best, other) = report.sections[1].rows
    assert (best.bot, other.bot) == ("counts", "leaves")
    assert 12 < best.figures["total"] < 30
    assert other.figures["total"] == 0
    answer = json.loads(json.dumps(report.as_json()))
    assert answer["variations"][0]["bots"][0]["win_rate"]["value"] == 1.0


def test_records_have_unique_names_and_can_be_read(dice: Game, tmp_path: Path) -> None:
    job = job_of(dice, "counts", "often", conditions=Conditions(keeps_record=True))
    with Results(job) as results:
        run_job(job, results, play_locally)
        for played in results:
            write_record(tmp_path / "records", played)
            strange = replace(played, bots=("exec:./a b", "exec:./a-b" * 50))
            write_record(tmp_path / "records", strange)
    files = list((tmp_path / "records").iterdir())
    assert len(files) == 16
    assert all(
        file.suffix == ".txt" and file.read_text().startswith("game: dice@1") for file in files
    )
