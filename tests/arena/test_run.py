"""Running a job: all runners agree, a crash costs one match, and SPRT stops early."""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from watermeet.arena.errors import InvalidJob
from watermeet.arena.job import Job, Results
from watermeet.arena.match import Conditions, MatchResult
from watermeet.arena.pairing import Fixture
from watermeet.arena.run import run_job
from watermeet.arena.sprt import NOT_STRONGER, STRONGER, Sprt
from watermeet.arena.workers import Runner, play_locally, play_on_ray, runner_for
from watermeet.core.game import Game


def job_of(game: Game, *bots: str, matches: int = 8, **extra: Any) -> Job:
    return Job((("", game),), bots, matches, **extra)


def run(job: Job, runner: Runner) -> list[MatchResult]:
    with Results(job) as results:
        run_job(job, results, runner)
        return [replace(each, seconds=0.0, seat_seconds=()) for each in results]


def shuffled(todo: Sequence[Fixture], conditions: Conditions) -> Generator[MatchResult, None, None]:
    """A runner whose matches finish in any order."""
    mixed = random.Random(3).sample(list(todo), len(todo))
    yield from play_locally(mixed, conditions)


@pytest.mark.slow
def test_processes_play_the_same_matches(dice: Game) -> None:
    job = job_of(dice, "often", "random", matches=20)
    assert run(job, runner_for(2)) == run(job, play_locally)


@pytest.mark.slow
def test_a_crashed_process_costs_one_match(dice: Game) -> None:
    job = job_of(dice.with_options(rounds=1), "counts", "deadly", matches=8)
    matches = run(job, runner_for(1))
    assert len(matches) == 8
    died = [each for each in matches if each.error]
    assert 0 < len(died) < 5
    assert all("exited with code 3" in each.error for each in died)


def test_sprt_stops_at_the_same_round_in_any_order(dice: Game) -> None:
    job, test = job_of(dice, "counts", "leaves", matches=400), Sprt(0, 100)
    verdicts = []
    for runner in (play_locally, shuffled):
        with Results(job) as results:
            verdicts.append(run_job(job, results, runner, test=test))
            if runner is play_locally:
                assert len(list(results)) < 100
    assert verdicts[0] == verdicts[1]
    assert verdicts[0] is not None
    assert verdicts[0].answer == STRONGER


def test_a_decided_sprt_plays_no_more_matches(dice: Game) -> None:
    job, test = job_of(dice, "leaves", "counts", matches=400), Sprt(0, 100)
    with Results(job) as results:
        first = run_job(job, results, play_locally, test=test)
        count = len(list(results))
        assert run_job(job, results, play_locally, test=test) == first
        assert len(list(results)) == count
    assert first is not None
    assert first.answer == NOT_STRONGER


def test_sprt_ignores_rounds_with_failures(dice: Game) -> None:
    job = job_of(dice.with_options(rounds=1), "failing", "leaves", matches=100)
    with Results(job) as results:
        verdict = run_job(job, results, play_locally, test=Sprt(0, 400))
    assert verdict is not None
    assert 0 < verdict.rounds < 50


def test_sprt_needs_two_bots(dice: Game) -> None:
    job = job_of(dice, "counts", "often", "leaves")
    with Results(job) as results, pytest.raises(InvalidJob):
        run_job(job, results, play_locally, test=Sprt(0, 10))


def test_every_match_is_reported_once_stored(dice: Game) -> None:
    job, reported = job_of(dice, "counts", "leaves"), list[MatchResult]()
    with Results(job) as results:
        run_job(job, results, play_locally, on_result=lambda played, _: reported.append(played))
        assert reported == list(results)


class FakeTask:
    """A task that runs when its result is fetched."""

    def __init__(self, function: Any, arguments: Any) -> None:
        self.function, self.arguments = function, arguments


class FakeRay(types.ModuleType):
    """As much of Ray as we use, in this process; a task with a match of round 5 is lost."""

    class exceptions:  # noqa: N801
        class RayError(Exception):
            pass

    def __init__(self) -> None:
        super().__init__("ray")
        self.cancelled: list[object] = []
        self.is_shut_down = False

    def is_initialized(self) -> bool:
        return False

    def init(self, **extra: object) -> None:
        pass

    def shutdown(self) -> None:
        self.is_shut_down = True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def remote(self, **extra: object) -> Any:
        return lambda function: types.SimpleNamespace(
            remote=lambda *arguments: FakeTask(function, arguments)
        )

    def wait(self, tasks: list[Any], num_returns: int) -> Any:
        return tasks[-num_returns:], tasks[:-num_returns]

    def get(self, task: Any) -> Any:
        if any(fixture.round == 5 for fixture in task.arguments[0]):
            raise self.exceptions.RayError
        return task.function(*task.arguments)

    def cancel(self, task: object, *, force: bool) -> None:
        self.cancelled.append(task)


def test_a_cluster_plays_the_same_matches(dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    job = job_of(dice, "often", "random", matches=20)
    alone, clustered = run(job, play_locally), run(job, play_on_ray)
    lost = [each for each in clustered if each.error]
    assert lost
    assert all("RayError" in each.error for each in lost)
    assert [each for each in clustered if not each.error] == [
        each for each in alone if each.key not in {other.key for other in lost}
    ]


def test_an_abandoned_job_cancels_its_tasks(dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    matches = play_on_ray(list(job_of(dice, "often", "random", matches=20).fixtures), Conditions())
    next(matches)
    matches.close()
    assert fake.cancelled
    assert fake.is_shut_down


def test_output_of_ray_goes_to_standard_error(
    dice: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def talk() -> dict[str, float]:
        sys.stdout.write("a node is ill\n")
        return {"CPU": 1.0}

    fake = FakeRay()
    monkeypatch.setattr(fake, "cluster_resources", talk)
    monkeypatch.setitem(sys.modules, "ray", fake)
    run(job_of(dice, "often", "random", matches=2), play_on_ray)
    assert capsys.readouterr() == ("", "a node is ill\n")


def test_a_lost_task_costs_one_match(dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even though it held several; one of them is lost again."""
    monkeypatch.setitem(sys.modules, "ray", FakeRay())
    job = job_of(dice, "often", "random", matches=80)
    lost = [each for each in run(job, play_on_ray) if each.error]
    assert [each.round for each in lost] == [5, 5]
