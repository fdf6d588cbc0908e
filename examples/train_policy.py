"""Trains a tiny policy by self-play, with NumPy alone: ``python examples/train_policy.py``.

The game is Flume on 5x5 points; 512 matches are played at once by ``VectorGame``. The policy is a
net with one hidden layer, learned by REINFORCE with a baseline; every batch is seen through one of
the board's eight symmetries. Now and then it plays against random moves, and a plot shows how often
it won: well below a minute on one core. docs/tutorials/train-a-policy.md tells more.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import watermeet as wm
from watermeet.core.rendering import svg_element, svg_picture

Floats = npt.NDArray[np.float32]
GAME = wm.game("flume", size=5, pie=False)  # Without the swap every match has 25 actions.
MATCHES, HIDDEN = 512, 128
RATE, ENTROPY = 2e-3, 0.05


class Policy:
    """Features -> the logits of all actions and a guess of the return."""

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        inputs, codes = GAME.features.spec.size, GAME.features.spec.codes
        self.weights: list[Floats] = [
            (rng.standard_normal((inputs, HIDDEN)) / np.sqrt(inputs)).astype(np.float32),
            np.zeros(HIDDEN, dtype=np.float32),
            np.zeros((HIDDEN, codes + 1), dtype=np.float32),
            np.zeros(codes + 1, dtype=np.float32),
        ]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def forward(self, features: Floats) -> tuple[Floats, Floats, Floats]:
        """The hidden layer, the logits, and the guesses, of many states."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(features @ first + first_bias, 0)
        out = hidden @ second + second_bias
        return hidden, out[:, :-1], out[:, -1]

    def learn(self, features: Floats, masks: Any, actions: Any, gains: Floats) -> None:
        """One step of Adam: actions that gained more than was guessed become likelier."""
        hidden, logits, guesses = self.forward(features)
        chances = softmax(logits, masks)
        surprise = gains - guesses
        rows = np.arange(len(actions))
        slope = chances * surprise[:, None]
        slope[rows, actions] -= surprise
        logs = np.log(np.maximum(chances, 1e-9))
        mean_logs = (chances * logs).sum(axis=1, keepdims=True)
        slope += ENTROPY * chances * (logs - mean_logs)  # Keeps trying other actions.
        slope = np.concatenate([slope, -0.5 * surprise[:, None]], axis=1) / len(actions)
        back = (slope @ self.weights[2].T) * (hidden > 0)
        self._adam([features.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)])

    def _adam(self, slopes: list[Any]) -> None:
        self._steps += 1
        speed = RATE * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for place, slope in enumerate(slopes):
            self._means[place] += 0.1 * (slope - self._means[place])
            self._squares[place] += 0.001 * (slope * slope - self._squares[place])
            step = self._means[place] / (np.sqrt(self._squares[place]) + 1e-8)
            self.weights[place] -= speed * step


def softmax(logits: Floats, masks: Any) -> Floats:
    """Chances of the legal actions; the others have none."""
    shown = np.where(masks > 0, logits, -np.inf)
    powers = np.exp(shown - shown.max(axis=1, keepdims=True))
    chances: Floats = powers / powers.sum(axis=1, keepdims=True)
    return chances


def draw(chances: Floats, rng: np.random.Generator) -> Any:
    """An action for each row, by its chances."""
    sums = chances.cumsum(axis=1, dtype=np.float64)
    chosen = (sums > rng.random((len(chances), 1)) * sums[:, -1:]).argmax(axis=1)
    return chosen.astype(np.int32)


@dataclass
class Curve:
    """How often the policy won against random moves, after so many matches of training."""

    matches: list[int] = field(default_factory=list)
    won: list[float] = field(default_factory=list)


def play_batch(policy: Policy, many: wm.VectorGame, rng: np.random.Generator) -> tuple[Any, ...]:
    """Features, masks, actions and gains of whole matches of the policy against itself.

    The policy sees the board through one of its symmetries, for each batch another.
    """
    length = GAME.sizes.max_length - 1
    view = GAME.features.symmetries[rng.integers(len(GAME.features.symmetries))]
    seen = np.zeros((length, *many.features.shape), dtype=np.float32)
    masks = np.zeros((length, *many.masks.shape), dtype=np.int8)
    actions = np.zeros((length, many.count), dtype=np.int32)
    seats = np.zeros((length, many.count), dtype=np.int32)
    back = np.argsort(view.codes)  # From what the policy chose to what is played.
    for step in range(length):
        seen[step], seats[step] = view.apply(many.features), many.to_move
        masks[step][:, view.codes] = many.masks
        chances = softmax(policy.forward(seen[step])[1], masks[step])
        actions[step] = draw(chances, rng)
        many.step(back[actions[step]])
    assert many.terminated.all(), "all matches are as long"
    gains = many.returns[np.arange(many.count)[None, :], seats].astype(np.float32)
    flat = length * many.count
    return seen.reshape(flat, -1), masks.reshape(flat, -1), actions.reshape(-1), gains.reshape(-1)


def wins_against_random(policy: Policy, seed: int) -> float:
    """The part of matches that the policy wins, at either seat."""
    many, rng = wm.VectorGame(GAME, 2 * MATCHES, seed=("test", seed)), np.random.default_rng(seed)
    seats = np.arange(many.count) % GAME.seats
    for _ in range(GAME.sizes.max_length - 1):
        chosen = draw(softmax(policy.forward(many.features)[1], many.masks), rng)
        many.step(np.where(many.to_move == seats, chosen, many.sample_actions()))
    return float((many.returns[np.arange(many.count), seats] > 0).mean())


def train(batches: int, *, seed: int = 0, look: int = 10) -> Curve:
    """Trains for some batches, and looks how good the policy is before, after and between."""
    policy, curve = Policy(seed), Curve()
    rng, many = np.random.default_rng(seed), wm.VectorGame(GAME, MATCHES, seed=seed)
    for batch in range(batches + 1):
        if batch % look == 0 or batch == batches:
            curve.matches.append(batch * MATCHES)
            curve.won.append(wins_against_random(policy, batch))
            print(f"after {curve.matches[-1]:6} matches: {curve.won[-1]:.0%} won against random")
        if batch < batches:
            policy.learn(*play_batch(policy, many, rng))
    return curve


def plot(curve: Curve) -> str:
    """The curve as SVG."""
    width, height, left, top = 640.0, 340.0, 60.0, 40.0
    title = "Matches won against random moves"
    across, down = width - left - 40, height - top - 50
    most = max(curve.matches)
    spots = [
        (left + across * match / most, top + down * (1 - won))
        for match, won in zip(curve.matches, curve.won, strict=True)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    parts = [svg_element("rect", width=width, height=height, fill="#ffffff")]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = top + down * (1 - share)
        parts.append(
            svg_element("line", x1=left, x2=left + across, y1=y, y2=y, stroke="#cccccc")
            + svg_element("text", f"{share:.0%}", x=left - 8, y=y + 4, **_words("end"))
        )
    for match in (0, most // 2, most):
        x = left + across * match / most
        parts.append(svg_element("text", f"{match:,}", x=x, y=height - 30, **_words("middle")))
    parts += [
        svg_element("polyline", points=line, fill="none", stroke="#1f5fa8", stroke_width=2),
        *(svg_element("circle", cx=x, cy=y, r=3, fill="#1f5fa8") for x, y in spots),
        svg_element("text", title, x=left, y=20, **_words("start")),
        svg_element("text", "matches of self-play", x=width / 2, y=height - 8, **_words("middle")),
    ]
    return svg_picture(width, height, title, *parts)


def _words(anchor: str) -> dict[str, str | float]:
    return {"font_family": "sans-serif", "font_size": 12, "fill": "#333333", "text_anchor": anchor}


def main() -> None:
    """Trains and writes the plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=300)
    parser.add_argument("--plot", type=Path, default=Path("train-policy.svg"))
    arguments = parser.parse_args()
    curve = train(arguments.batches)
    arguments.plot.write_text(plot(curve), encoding="utf-8")
    print(f"wrote {arguments.plot}")


if __name__ == "__main__":
    main()
