"""A search with a network wholly in native code, leaf by leaf, for one match.

It computes with bytes, which takes a processor with VNNI; others search with onnxruntime
(``search.network_search``). The trees are the same, except that batches need virtual losses. What
the network said is remembered: the same position is often reached by other ways.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray, legal
from watermeet.core.errors import InvalidOptions
from watermeet.core.features import NO_CODE, encode
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.state import State
from watermeet.nets.forward import Net, evaluate_some
from watermeet.nets.packed import suits_bytes, unpack
from watermeet.nets.packing import packed_network
from watermeet.nets.products import Singles, Words, has_vnni
from watermeet.search.batch import bind_search
from watermeet.search.guided import descend, descend_hidden, finish, observe_leaf
from watermeet.search.limits import Limits, run_in_chunks
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.settings import Settings
from watermeet.search.tree import NONE, ROOT, Scratch, Tree

MEMORY = 64 * 2**20
"""How many bytes of answers are remembered."""
MAX_NODES = 100_000


class Answers(NamedTuple):
    """A network, and what it said of positions."""

    net: Net
    bits: Words
    """``net.features``, as integers."""
    keys: npt.NDArray[np.uint64]  # [slots]: the hashes of positions
    codes: Words  # [actions]: those of the legal actions; a buffer
    priors: Singles  # [slots, actions], flat: those of the legal actions
    values: Singles  # [slots, seats], flat
    seen: StateArray  # A buffer.
    reach: float
    middle: float
    """A value of 1 stands for a return of ``middle + reach``."""


@kernel
def simulate_natively(
    tree: Tree,
    scratch: Scratch,
    settings: Settings,
    root: StateArray,
    seat: int,
    is_hidden: bool,
    uses_information_sets: bool,
    count: int,
    answers: Answers,
) -> int:
    """Simulate with a network's priors and values; return how often."""
    net = answers.net
    for done in range(count):
        if not uses_information_sets and tree.node_proven[ROOT] != 0:
            return done
        if uses_information_sets:
            leaf, depth = descend_hidden(tree, scratch, settings, root, seat, NONE)
        else:
            leaf, depth = descend(tree, scratch, settings, root, NONE)
        observer = NONE
        if uses_information_sets or leaf == NONE or tree.node_proven[leaf] == 0:
            for index in range(len(net.features)):
                net.features[index] = 0
            observer = observe_leaf(scratch, is_hidden, answers.seen, net.features)
        if observer != NONE:
            _ask(scratch, answers)
        finish(
            tree, scratch, settings, leaf, depth, observer, net.priors, net.values,
            uses_information_sets,
        )  # fmt: skip
    return count


@kernel
def _ask(scratch: Scratch, answers: Answers) -> None:
    """Write the network's values, and its priors of legal actions; or what it said before."""
    net, codes, slots = answers.net, answers.codes, len(answers.keys)
    count, most, seats = int(legal(scratch.state, scratch.actions)), len(codes), len(net.values)
    key = np.uint64(14_695_981_039_346_656_037)
    for index in range(len(answers.bits)):
        key = _mixed(key, int(answers.bits[index]))
    for index in range(count):
        codes[index] = encode(scratch.state, int(scratch.actions[index]))
        key = _mixed(key, int(codes[index]))
    slot = int(key % np.uint64(slots))
    priors = answers.priors[slot * most : slot * most + count]
    values = answers.values[slot * seats : (slot + 1) * seats]
    if answers.keys[slot] != key:
        evaluate_some(net, codes, count)
        for index in range(count):
            priors[index] = net.priors[codes[index]] if codes[index] != NO_CODE else 0.0
        for step in range(seats):
            values[step] = net.values[step] * answers.reach + answers.middle
        answers.keys[slot] = key
    for index in range(count):
        if codes[index] != NO_CODE:
            net.priors[codes[index]] = priors[index]
    for step in range(seats):
        net.values[step] = values[step]


@kernel
def _mixed(key: np.uint64, number: int) -> np.uint64:
    """A hash with another number in it."""
    key = (key ^ np.uint64(number)) * np.uint64(1_099_511_628_211)
    return key ^ (key >> np.uint64(29))


def native_network(game: Game, file: Path) -> bytes | None:
    """What kernels read of a network, if it is quantized and this processor is fast.

    None as well if it isn't for this game, which onnxruntime reports.
    """
    packed = packed_network(file) if has_vnni() else None
    return packed[1] if packed is not None and suits_bytes(packed[1], game) else None


class NativeNetworkSearch(MonteCarlo):
    """A search for one game with a network from its file for kernels."""

    def __init__(
        self,
        game: Game,
        content: bytes,
        settings: Settings | None = None,
        *,
        seed: object = 0,
        ismcts: bool | None = None,
        max_nodes: int = MAX_NODES,
    ) -> None:
        if not suits_bytes(content, game):
            raise InvalidOptions(
                f"the network isn't one for {game.describe()}",
                "its planes, numbers or seats differ",
            )
        chosen = settings or Settings()
        super().__init__(
            game, chosen, seed=seed, ismcts=ismcts, use_evaluation=chosen.asks_game,
            max_nodes=max_nodes,
        )  # fmt: skip
        self._guided = self.settings._replace(use_priors=True, expand_after=0)
        net = unpack(content, game, with_bytes=True)
        actions, (low, high) = game.sizes.actions, game.returns_range
        slots = max(1, MEMORY // (4 * actions))
        self._answers = Answers(
            net,
            net.features.view(np.int32),
            np.zeros(slots, dtype=np.uint64),
            np.zeros(actions, dtype=np.int32),
            np.empty(slots * actions, dtype=np.float32),
            np.empty(slots * game.seats, dtype=np.float32),
            np.zeros(game.sizes.identity, dtype=game.dtype),
            (high - low) / 2,
            (high + low) / 2,
        )
        self._natively: Any = bind_search(game, simulate_natively, self.use_evaluation)

    def _load_simulation(self, known: State) -> None:
        self._simulate_natively(self._scratches[0], known, known.array.copy(), 0)

    def _simulate_natively(
        self, scratch: Scratch, known: State, root: StateArray, count: int
    ) -> int:
        found: int = self._natively(
            self.tree, scratch, self._guided, root, known.known_to, self.game.hidden, self.ismcts,
            count, self._answers,
        )  # fmt: skip
        return found

    def _run(self, scratch: Scratch, known: State, limits: Limits, started: float) -> int:
        """Simulate until a limit is reached."""
        root = known.array.copy()

        def work(count: int) -> tuple[int, bool]:
            done = self._simulate_natively(scratch, known, root, count)
            return done, done < count

        return run_in_chunks(work, limits, started)[0]
