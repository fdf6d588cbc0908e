"""Games are found by folder and by entry point; broken ones affect nobody else."""

from __future__ import annotations

import collections
import subprocess
import sys
import types
from dataclasses import replace

import pytest

import watermeet as wm
from watermeet.core import registry
from watermeet.core.contract import FloatArray, StateArray, chance
from watermeet.core.kernel import kernel


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The registry's names, for a test to add to."""
    found = dict(registry.packages_by_name())
    monkeypatch.setattr(registry, "packages_by_name", lambda: found)
    return found


def _module(monkeypatch: pytest.MonkeyPatch, name: str, **content: object) -> None:
    module = types.ModuleType(name)
    module.__path__ = []  # So that a missing part of the folder is just missing.
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, name, module)


def test_installed_games_are_found_by_entry_point() -> None:
    """The fixture package is installed, and nothing else names it."""
    assert "kuhn_poker" in wm.games()
    assert wm.game("kuhn_poker").package == "watermeet_kuhn_poker"


def test_built_in_games_are_found_by_folder() -> None:
    assert any(path.startswith("watermeet.games.") for path in registry.packages_by_name().values())
    assert list(wm.games()) == sorted(wm.games())


def test_a_game_can_be_registered_for_one_process() -> None:
    registry.register("local_game", "watermeet_kuhn_poker")
    assert "local_game" in wm.games()
    registry.register("local_game", None)
    assert "local_game" not in wm.games()


def test_an_unknown_game_gets_a_suggestion() -> None:
    with pytest.raises(wm.UnknownGame, match="did you mean 'kuhn_poker'"):
        wm.game("kuhnpoker")


def test_a_package_that_cannot_be_imported_is_named(packages: dict[str, str]) -> None:
    packages["gone"] = "no.such.package"
    with pytest.raises(wm.InvalidGame, match=r"no\.such\.package can't be imported"):
        wm.game("gone")


def test_a_package_without_a_game_is_named(packages: dict[str, str]) -> None:
    packages["empty"] = "watermeet.core"
    with pytest.raises(wm.InvalidGame, match="defines no GAME"):
        wm.game("empty")


def test_the_name_must_be_the_registered_one(packages: dict[str, str]) -> None:
    packages["poker"] = "watermeet_kuhn_poker"
    with pytest.raises(wm.InvalidGame, match="calls itself 'kuhn_poker'"):
        wm.game("poker")


def test_a_game_without_rules_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    _module(monkeypatch, "bare_game")
    game = replace(wm.game("kuhn_poker"), package="bare_game")
    with pytest.raises(wm.InvalidGame, match=r"bare_game has no rules\.py"):
        game.start()


@pytest.mark.parametrize("missing", ["setup", "legal", "chance", "conceal", "resample"])
def test_a_game_with_a_missing_kernel_does_not_load(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """Chance and hidden information must come with their kernels."""
    from watermeet_kuhn_poker import rules

    kernels = {name: value for name, value in vars(rules).items() if name != missing}
    _module(monkeypatch, "incomplete_game")
    _module(monkeypatch, "incomplete_game.rules", **kernels | {"__name__": "incomplete_game.rules"})
    game = replace(wm.game("kuhn_poker"), package="incomplete_game")
    with pytest.raises(wm.InvalidGame, match=f"'{missing}' is missing from incomplete_game.rules"):
        game.start()


def test_a_kernel_without_its_decorator_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    from watermeet_kuhn_poker import rules

    content = {**vars(rules), "legal": rules.legal.python, "__name__": "plain_game.rules"}
    _module(monkeypatch, "plain_game")
    _module(monkeypatch, "plain_game.rules", **content)
    with pytest.raises(wm.InvalidGame, match="'legal' isn't a kernel in"):
        replace(wm.game("kuhn_poker"), package="plain_game").start()


@pytest.mark.parametrize("fields", [None, ("bet",), ("stake", "bet")])
def test_rules_must_name_the_declared_options(
    monkeypatch: pytest.MonkeyPatch, fields: tuple[str, ...] | None
) -> None:
    """Kernels read options by name, so a missing name or another order would read the wrong one."""
    from watermeet_kuhn_poker import rules

    options = fields and collections.namedtuple("Options", fields)
    _module(monkeypatch, "other_game")
    _module(
        monkeypatch,
        "other_game.rules",
        **{**vars(rules), "Options": options, "__name__": "other_game.rules"},
    )
    declared = (wm.Switch("bet", True, "Bet?"), wm.Switch("stake", True, "Stake?"))
    game = replace(wm.game("kuhn_poker"), package="other_game", declared_options=declared)
    with pytest.raises(wm.InvalidGame, match=r"NamedTuple of integers with the fields bet, stake"):
        game.start()


def test_a_broken_import_inside_the_rules_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the module itself may be missing; its own failed imports must be visible."""
    game = replace(wm.game("kuhn_poker"))

    def broken(name: str) -> types.ModuleType:
        raise ModuleNotFoundError("No module named 'nonsense'", name="nonsense")

    monkeypatch.setattr("watermeet.core.game.importlib.import_module", broken)
    with pytest.raises(ModuleNotFoundError, match="nonsense"):
        game.start()


def test_several_seats_need_an_option() -> None:
    with pytest.raises(wm.InvalidGame, match="declare an option 'seats'"):
        replace(wm.game("kuhn_poker"), seat_range=(2, 4))
    seats = wm.Number("seats", 3, "How many play.", low=2, high=4)
    game = replace(
        wm.game("kuhn_poker"),
        seat_range=(2, 4),
        declared_options=(seats,),
        options=type(wm.game("kuhn_poker").options)((seats,), {}),
    )
    assert game.seats == 3
    assert game.with_options(seats=4).teams == ((0,), (1,), (2,), (3,))


@kernel
def _asks_chance(state: StateArray, out: FloatArray) -> None:
    chance(state, out)


def test_specialize_names_the_missing_kernel() -> None:
    open_game = next(wm.game(name) for name in wm.games() if not wm.game(name).chance)
    with pytest.raises(wm.InvalidGame, match="no kernel 'chance'"):
        open_game.specialize(_asks_chance)


def test_games_stays_callable_after_imports() -> None:
    """The package watermeet.games replaces the function as soon as it is imported."""
    program = (
        "import watermeet as wm; a = wm.games(); import watermeet.games; print(a == wm.games())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout == "True\n"
