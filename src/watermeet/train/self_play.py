"""Self-play: many matches at once, searched with the network, and what they leave to learn from.

Everything stays on one device, and no Python runs per match. Positions are kept in a ring: row
``t % window`` has the t-th move of every match. When a match ends, its outcome is written to all
its positions that are still there, and the network can learn from them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from watermeet.bots.levels import hint_level
from watermeet.core.batch import VectorGame
from watermeet.core.game import Game
from watermeet.nets.network import Network, split
from watermeet.nets.shape import logit_places
from watermeet.search.batch import BatchSearch
from watermeet.search.gumbel import GumbelSearch
from watermeet.search.settings import SETTING_NAMES, Settings
from watermeet.train.settings import TrainSettings

TARGETS = 64
"""So many actions of a policy are kept, the most probable ones."""


class Positions(NamedTuple):
    """A batch to learn from."""

    features: Tensor  # [batch, features]
    codes: Tensor  # [batch, targets]: actions
    policy: Tensor  # [batch, targets]: their probabilities
    legal: Tensor  # [batch, bytes]: a bit for each code, see unpack
    values: Tensor  # [batch, seats]: the outcome from -1 to 1, the observer's first


def pack(mask: Tensor) -> Tensor:
    """A mask [..., codes] with a bit instead of a byte for each code: [..., bytes].

    >>> pack(torch.tensor([True, False, True, False, False, False, False, False, True])).tolist()
    [5, 1]
    """
    padded = torch.nn.functional.pad(mask.to(torch.uint8), (0, -mask.shape[-1] % 8))
    bits = torch.arange(8, dtype=torch.uint8, device=mask.device)
    return (padded.unflatten(-1, (-1, 8)) << bits).sum(dim=-1, dtype=torch.uint8)


def unpack(packed: Tensor, codes: int) -> Tensor:
    """The mask that was packed.

    >>> unpack(torch.tensor([5], dtype=torch.uint8), 4).tolist()
    [True, False, True, False]
    """
    bits = torch.arange(8, dtype=torch.uint8, device=packed.device)
    return (packed[..., None] >> bits & 1).bool().flatten(-2)[..., :codes]


class Evaluator:
    """The network as the search asks it: features in, priors and values out.

    On a GPU it runs as a CUDA graph in half precision, always on the same memory.
    """

    def __init__(self, network: Network, game: Game, device: str) -> None:
        self._network, self._device = network, device
        self._planes = game.features.spec.shape
        self._places = torch.as_tensor(logit_places(game), device=device)
        low, high = game.returns_range
        self._middle, self._reach = (low + high) / 2, (high - low) / 2
        self._half: Any = torch.bfloat16 if device == "cuda" else torch.float32
        self._graph: Any = None

    def __call__(self, features: Any, wanted: Any) -> tuple[Any, Any]:
        """Priors [matches, codes] and values [matches, seats]."""
        del wanted
        if self._device == "cpu":
            priors, values = self._judge(torch.from_numpy(features))
            return priors.numpy(), values.numpy()
        if self._graph is None:
            self._record(torch.as_tensor(features, device="cuda"))
        self._graph.replay()
        priors, values = self._outputs
        return priors, values

    def _record(self, features: Tensor) -> None:
        """Make a graph of the network on this memory."""
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                self._judge(features)
        torch.cuda.current_stream().wait_stream(aside)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._outputs = self._judge(features)

    @torch.no_grad()
    def _judge(self, features: Tensor) -> tuple[Tensor, Tensor]:
        planes, numbers = split(features, self._planes, self._half)
        if self._device == "cuda":
            planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cuda", torch.bfloat16, enabled=self._device == "cuda"):
            logits, values = self._network(planes, numbers)
        priors = torch.softmax(logits.float()[:, self._places], dim=1)
        return priors, values.float() * self._reach + self._middle


def _teacher_of(game: Game, settings: TrainSettings, seed: int) -> BatchSearch:
    """A search as the game's strongest level does it without a network."""
    level, nodes = hint_level(game).by_tree(), _teacher_simulations(settings) + 2
    chosen = {name: each for name, each in level.settings.items() if name in SETTING_NAMES}
    return BatchSearch(
        game,
        settings.matches,
        Settings.of(chosen),
        seed=seed,
        ismcts=settings.ismcts,
        max_nodes=nodes,
        max_edges=max(nodes * min(game.sizes.actions, 256), game.sizes.actions),
        device=settings.device,
    )


def _teacher_simulations(settings: TrainSettings) -> int:
    return settings.teacher_simulations or settings.simulations


class SelfPlay:
    """Matches of one board that the network plays against itself."""

    def __init__(self, game: Game, network: Network, settings: TrainSettings, seed: int) -> None:
        self.game, self._network, self._settings = game, network, settings
        count, device = settings.matches, settings.device
        self._lessons = settings.steps * settings.teacher_rounds
        self._teacher = _teacher_of(game, settings, seed + 2) if self._lessons else None
        self.matches = VectorGame(game, count, seed=seed, device=device)
        nodes = settings.simulations + 2
        searched = Settings(evaluation_weight=settings.evaluation_weight)
        self._search = GumbelSearch(
            game,
            count,
            searched,
            considered=settings.considered,
            seed=seed + 1,
            use_evaluation=searched.asks_game,
            ismcts=settings.ismcts,
            max_nodes=nodes,
            max_edges=max(nodes * min(game.sizes.actions, 256), game.sizes.actions),
            device=device,
        )
        self._stagger()
        self._evaluator = Evaluator(network, game, device)
        spec, window = game.features.spec, settings.window
        targets = min(TARGETS, spec.codes)
        half = torch.float16 if device == "cuda" else torch.float32

        def new(*shape: int, dtype: Any) -> Tensor:
            return torch.zeros((window, count, *shape), dtype=dtype, device=device)

        self._features = new(spec.size, dtype=half)
        self._codes = new(targets, dtype=torch.int32)
        self._policy = new(targets, dtype=half)
        self._legal = new(-(-spec.codes // 8), dtype=torch.uint8)
        self._observers = new(dtype=torch.int64)
        self._outcomes = new(game.seats, dtype=torch.float32)
        self._is_known = new(dtype=torch.bool)
        self._is_taken = new(dtype=torch.bool)
        self._times = torch.full((window, 1), -1, device=device)
        self._begun = torch.zeros(count, dtype=torch.int64, device=device)
        self._random_left = self._draw_random_moves()
        self._time = 0
        self.ended, self.lengths = 0, 0
        self._seats = torch.arange(game.seats, device=device)

    def _tensor(self, array: Any) -> Tensor:
        return torch.as_tensor(array, device=self._settings.device)

    def _stagger(self) -> None:
        """Begin the matches at different times, or all would be in the same phase for ever."""
        count, length = (
            self._settings.matches,
            min(self.game.sizes.max_length, self._settings.window),
        )
        turns = torch.arange(count) * length // count
        for turn in range(length):
            self.matches.reset(rows=(turns == turn).numpy())
            self.matches.step(self.matches.sample_actions())

    def _draw_random_moves(self) -> Tensor:
        """[matches]: with how many random moves a new match begins."""
        most, count = self._settings.random_moves, self._settings.matches
        drawn = torch.randint(-most, most + 1, (count,), device=self._settings.device)
        return drawn.clamp_min(0)

    def play(self, steps: int) -> None:
        """Play some moves in every match."""
        self._network.eval()
        for _ in range(steps):
            self._step()

    def _step(self) -> None:
        matches, row = self.matches, self._time % self._settings.window
        self._features[row] = self._tensor(matches.features)
        self._legal[row] = pack(self._tensor(matches.masks))
        self._observers[row] = self._tensor(matches.to_move)
        policies, chosen = self._search_all() if self._teacher is None else self._ask_teacher()
        policy, codes = policies.topk(self._codes.shape[2], dim=1)
        self._codes[row], self._policy[row] = codes.int(), policy
        self._is_known[row] = self._is_taken[row] = False
        self._times[row] = self._time
        is_random = self._random_left > 0
        self._random_left = self._random_left - is_random.long()
        self._begun = torch.where(is_random, self._time + 1, self._begun)
        if self._settings.random_moves:
            chosen = torch.where(is_random, self._tensor(matches.sample_actions()), chosen)
        matches.step(chosen)
        self._note_ends()
        self._time += 1

    def _search_all(self) -> tuple[Tensor, Tensor]:
        """The policy to learn in each match [matches, codes], and the action to play."""
        search = self._search
        search.run(self.matches, self._settings.simulations, self._evaluator)
        return self._tensor(search.policies), self._tensor(search.actions)

    def _ask_teacher(self) -> tuple[Tensor, Tensor]:
        """The same from the game's own search, which plays as often as it has tried an action."""
        assert self._teacher is not None
        self._teacher.run(self.matches, _teacher_simulations(self._settings))
        best = self._tensor(self._teacher.actions).long()[:, None]
        tried = self._tensor(self._teacher.visits).float()
        tried = tried.scatter_add(1, best, torch.ones_like(best, dtype=tried.dtype))
        self._lessons -= 1
        if self._lessons == 0:
            self._teacher = None
        return tried / tried.sum(dim=1, keepdim=True), torch.multinomial(tried, 1)[:, 0].int()

    def _note_ends(self) -> None:
        """Write the outcomes of matches that have just ended to their positions."""
        is_over = self._tensor(self.matches.terminated)
        low, high = self.game.returns_range
        returns = (self._tensor(self.matches.returns).float() * 2 - (low + high)) / (high - low)
        belongs = (self._times >= self._begun) & is_over  # [window, matches]
        relative = (self._observers[:, :, None] + self._seats) % self.game.seats
        outcomes = returns.expand(len(belongs), -1, -1).gather(2, relative)
        torch.where(belongs[:, :, None], outcomes, self._outcomes, out=self._outcomes)
        self._is_known |= belongs
        self._begun = torch.where(is_over, self._time + 1, self._begun)
        drawn = self._draw_random_moves()
        self._random_left = torch.where(is_over, drawn, self._random_left)

    def known(self) -> Tensor:
        """The numbers of the positions whose outcome is known."""
        return self._is_known.flatten().nonzero()[:, 0]

    def positions(self, numbers: Tensor) -> Positions:
        """Some of them, as the network learns from them."""
        return Positions(
            self._features.flatten(0, 1)[numbers].float(),
            self._codes.flatten(0, 1)[numbers].long(),
            self._policy.flatten(0, 1)[numbers].float(),
            self._legal.flatten(0, 1)[numbers],
            self._outcomes.flatten(0, 1)[numbers],
        )

    def new(self) -> Tensor:
        """The numbers of the positions whose outcome has become known since the last call."""
        new = (self._is_known & ~self._is_taken).flatten().nonzero()[:, 0]
        self._is_taken |= self._is_known
        return new
