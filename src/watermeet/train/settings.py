"""The settings of a training run: plain data, kept with every checkpoint."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from watermeet.core.game import Game
from watermeet.core.registry import game as find_game

Options = dict[str, Any]


@dataclass(frozen=True)
class TrainSettings:
    """What to train, and how."""

    game: str
    boards: tuple[Options, ...] = ({},)
    """The options of each board that the network learns to play; it is one network for all."""
    channels: int = 64
    blocks: int = 6
    matches: int = 256
    """How many matches of each board are played at a time."""
    simulations: int = 16
    considered: int = 16
    """Among how many actions the simulations are shared out."""
    ismcts: bool | None = None
    """Whether each simulation draws what the seat to move doesn't know; by default where the game
    hides anything."""
    teacher_rounds: int = 0
    """For so many rounds at first the game's own search plays, and the network learns from that.
    Where random play never wins, it would learn nothing otherwise."""
    teacher_simulations: int = 0
    """How many simulations that search makes for each move; 0 for as many as in self-play. It
    asks no network, so they cost little."""
    evaluation_weight: float = 0.0
    """The share of the game's own evaluation beside the network's in a search, from 0 to 1."""
    steps: int = 16
    """How many moves are played in each match before the network learns from them."""
    random_moves: int = 4
    """Every second match begins with up to this many random moves, so that the network learns to
    play from positions that it would avoid. It doesn't learn from those moves themselves."""
    window: int = 256
    """For how many moves of each match a position stays in memory."""
    batch: int = 512
    reuse: float = 2.0
    """How often the network learns from each position, on average."""
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4
    warm_up: int = 4
    """For so many rounds matches are played and nothing is learnt, after a restart as well."""
    start: str = ""
    """The folder of another run, or the file of a network: this one begins with its weights, as far
    as they fit."""
    seed: int = 0
    device: str = "cpu"
    threads: int = 1
    """PyTorch's on a CPU; small networks gain little by more, and lose much on a busy machine."""
    details: Options = field(default_factory=dict, compare=False)
    """What else a model card should say, such as the commit; a run may resume with another."""

    def games(self) -> list[Game]:
        """The boards."""
        return [find_game(self.game, **options) for options in self.boards]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> TrainSettings:
        """From plain data; what this version doesn't know is ignored."""
        known = {each.name for each in fields(cls)}
        values = {name: value for name, value in data.items() if name in known}
        values["boards"] = tuple(values.get("boards", ({},)))
        return cls(**values)
