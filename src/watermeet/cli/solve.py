"""``watermeet solve``: the exact value of a state, for games with a solver.

A game's solver is the function ``solve`` in its module ``solver``; see ``core.solution``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watermeet.cli.arguments import Json, OptionTexts, RecordFile, chosen_state
from watermeet.cli.errors import InvalidUsage, NoSolver

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.solution import Solution, Solver
    from watermeet.core.state import State


GameAndState = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME [STATE]",
        help='STATE is a state\'s text in quotes, or "start". With --record, give neither.',
        show_default=False,
    ),
]
NodeLimit = Annotated[
    int | None,
    typer.Option(
        "--node-limit",
        metavar="N",
        min=1,
        help="Give up after searching N nodes; default: the solver's own limit.",
    ),
]
EveryMove = Annotated[bool, typer.Option("--every-move", help="Show the value of every move.")]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("solve")(solve)


def solve(
    words: GameAndState = None,
    *,
    options: OptionTexts = None,
    record: RecordFile = None,
    node_limit: NodeLimit = None,
    every_move: EveryMove = False,
    json: Json = False,
) -> None:
    """Find out who wins with best play, and with which moves."""
    from watermeet.cli.console import make_console, write_json
    from watermeet.cli.progress import Counter, run_with_progress
    from watermeet.core.kernel import plain_python

    with plain_python():
        state, rest = chosen_state(words or [], options, record)
        if rest:
            raise InvalidUsage(f"unexpected argument {rest[0]!r}", "put a state's text in quotes")
        if state.to_move < 0:
            raise InvalidUsage(f"no seat is to move in {state.text!r}", "solve an earlier state")
    solver, counter = find_solver(state.game), Counter()
    limits = {} if node_limit is None else {"node_limit": node_limit}
    solution = run_with_progress(
        lambda: solver(state, every_move=every_move, progress=counter, **limits),
        "solving",
        counter,
    )
    with plain_python():
        answer = _as_json(state, solution, every_move)
        if json:
            write_json(answer)
            return
        console = make_console()
        for line in _in_words(state, answer):
            console.print(line)


def _solver_of(game: Game) -> Solver | None:
    from watermeet.core.hooks import import_optional

    found: Solver | None = getattr(import_optional(game.package, "solver"), "solve", None)
    return found


def find_solver(game: Game) -> Solver:
    """The game's solver; raises NoSolver, listing the games that have one."""
    from watermeet.cli.menu import loadable_games

    solver = _solver_of(game)
    if solver is None:
        others = [other.name for other in loadable_games() if _solver_of(other) is not None]
        known = f"games with a solver: {', '.join(others)}" if others else "no game has one"
        raise NoSolver(f"{game.name} has no exact solver", known)
    return solver


def _as_json(state: State, solution: Solution[float], every_move: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "game": state.game.name,
        "version": state.game.version,
        "options": dict(state.game.options),
        "state": state.text,
        "seat": state.to_move,
        "value": _plain(solution.value),
        "best_moves": [state.format(int(action)) for action in solution.best_actions],
        "is_expected": solution.is_expected,
        "nodes": int(solution.nodes),
    }
    if every_move:
        values = {int(each): _plain(value) for each, value in (solution.values or {}).items()}
        answer["moves"] = {state.format(action): value for action, value in values.items()}
    return answer


def _plain(value: float) -> float:
    """Whole numbers as int; solvers return NumPy numbers."""
    return int(value) if value == int(value) else float(value)


def _in_words(state: State, answer: Mapping[str, Any]) -> list[str]:
    mover = str(state.view(None)["seats"][state.to_move]["label"])
    best = answer["best_moves"]
    verdict = _expectation if answer["is_expected"] else _verdict
    lines = [
        f"{mover} to move {verdict(answer['value'])} with best play.",
        f"Best {'move' if len(best) == 1 else 'moves'}: {' '.join(best)}",
    ]
    moves: Mapping[str, float] = answer.get("moves", {})
    width = max((len(move) for move in moves), default=0)
    for move, value in sorted(moves.items(), key=lambda item: -item[1]):
        margin = "" if answer["is_expected"] else f"{value:+g}  "
        lines.append(f"  {move:<{width}}  {margin}{verdict(value)}")
    return [*lines, f"{answer['nodes']:,} nodes searched."]


def _expectation(value: float) -> str:
    return f"expects a return of {value:+.3f}"


def _verdict(value: float) -> str:
    if value == 0:
        return "draws"
    return f"wins by {value:g}" if value > 0 else f"loses by {-value:g}"
