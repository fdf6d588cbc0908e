"""Train a small policy by self-play with NumPy alone: ``python examples/train_policy.py``.

The game is Flume on 5x5 points; ``VectorGame`` plays 512 matches at once. The policy is a network
with one hidden layer, trained by REINFORCE with a value baseline; each batch is augmented by one of
the board's eight symmetries. Every few batches it plays against random moves, and a plot shows its
win rate. It takes well under a minute on one core; see docs/tutorials/train-a-policy.md.
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
GAME = wm.game("flume", size=5, pie=False)  # Without swaps, every match has 25 actions.
MATCHES, HIDDEN = 512, 128
RATE, ENTROPY = 2e-3, 0.05


class Policy:
    """A network from features to the logits of all actions and a value, the expected return."""

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
        """The hidden layer, the logits and the values of a batch of states."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(features @ first + first_bias, 0)
        out = hidden @ second + second_bias
        return hidden, out[:, :-1], out[:, -1]

    def learn(self, features: Floats, masks: Any, actions: Any, returns: Floats) -> None:
        """One step of Adam on the policy gradient, the value loss and an entropy bonus."""
        hidden, logits, values = self.forward(features)
        probabilities = softmax(logits, masks)
        advantages = returns - values
        gradient = probabilities * advantages[:, None]
        gradient[np.arange(len(actions)), actions] -= advantages
        logs = np.log(np.maximum(probabilities, 1e-9))
        mean_logs = (probabilities * logs).sum(axis=1, keepdims=True)
        gradient += ENTROPY * probabilities * (logs - mean_logs)  # Encourages exploration.
        gradient = np.concatenate([gradient, -0.5 * advantages[:, None]], axis=1) / len(actions)
        back = (gradient @ self.weights[2].T) * (hidden > 0)
        self._adam([features.T @ back, back.sum(axis=0), hidden.T @ gradient, gradient.sum(axis=0)])

    def _adam(self, gradients: list[Any]) -> None:
        self._steps += 1
        rate = RATE * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for index, gradient in enumerate(gradients):
            self._means[index] += 0.1 * (gradient - self._means[index])
            self._squares[index] += 0.001 * (gradient * gradient - self._squares[index])
            step = self._means[index] / (np.sqrt(self._squares[index]) + 1e-8)
            self.weights[index] -= rate * step


def softmax(logits: Floats, masks: Any) -> Floats:
    """The probabilities of the legal actions; illegal ones have 0."""
    masked = np.where(masks > 0, logits, -np.inf)
    exponentials = np.exp(masked - masked.max(axis=1, keepdims=True))
    probabilities: Floats = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities


def sample(probabilities: Floats, rng: np.random.Generator) -> Any:
    """Sample an action for each row."""
    sums = probabilities.cumsum(axis=1, dtype=np.float64)
    chosen = (sums > rng.random((len(probabilities), 1)) * sums[:, -1:]).argmax(axis=1)
    return chosen.astype(np.int32)


@dataclass
class Curve:
    """The win rate against random moves, by the number of training matches."""

    matches: list[int] = field(default_factory=list)
    win_rates: list[float] = field(default_factory=list)


def play_batch(policy: Policy, many: wm.VectorGame, rng: np.random.Generator) -> tuple[Any, ...]:
    """Play a batch of matches of the policy against itself.

    Return the features, masks, actions and returns of all steps, mapped by a random symmetry.
    """
    length = GAME.sizes.max_length - 1
    symmetry = GAME.features.symmetries[rng.integers(len(GAME.features.symmetries))]
    features = np.zeros((length, *many.features.shape), dtype=np.float32)
    masks = np.zeros((length, *many.masks.shape), dtype=np.int8)
    actions = np.zeros((length, many.count), dtype=np.int32)
    seats = np.zeros((length, many.count), dtype=np.int32)
    inverse = np.argsort(symmetry.codes)  # From the action chosen to the action played.
    for step in range(length):
        features[step], seats[step] = symmetry.apply(many.features), many.to_move
        masks[step][:, symmetry.codes] = many.masks
        probabilities = softmax(policy.forward(features[step])[1], masks[step])
        actions[step] = sample(probabilities, rng)
        many.step(inverse[actions[step]])
    assert many.terminated.all(), "all matches have the same length"
    returns = many.returns[np.arange(many.count)[None, :], seats].astype(np.float32)
    flat = length * many.count
    return (
        features.reshape(flat, -1),
        masks.reshape(flat, -1),
        actions.reshape(-1),
        returns.reshape(-1),
    )


def win_rate_against_random(policy: Policy, seed: int) -> float:
    """The share of matches that the policy wins, half of them at each seat."""
    many, rng = wm.VectorGame(GAME, 2 * MATCHES, seed=("test", seed)), np.random.default_rng(seed)
    seats = np.arange(many.count) % GAME.seats
    for _ in range(GAME.sizes.max_length - 1):
        chosen = sample(softmax(policy.forward(many.features)[1], many.masks), rng)
        many.step(np.where(many.to_move == seats, chosen, many.sample_actions()))
    return float((many.returns[np.arange(many.count), seats] > 0).mean())


def train(batches: int, *, seed: int = 0, evaluate_every: int = 10) -> Curve:
    """Train for some batches, and measure the win rate before, in between and after."""
    policy, curve = Policy(seed), Curve()
    rng, many = np.random.default_rng(seed), wm.VectorGame(GAME, MATCHES, seed=seed)
    for batch in range(batches + 1):
        if batch % evaluate_every == 0 or batch == batches:
            curve.matches.append(batch * MATCHES)
            curve.win_rates.append(win_rate_against_random(policy, batch))
            print(
                f"after {curve.matches[-1]:6} matches: {curve.win_rates[-1]:.0%} won against random"
            )
        if batch < batches:
            policy.learn(*play_batch(policy, many, rng))
    return curve


def plot(curve: Curve) -> str:
    """The curve as SVG."""
    width, height, left, top = 640.0, 340.0, 60.0, 40.0
    title = "Matches won against random moves"
    across, down = width - left - 40, height - top - 50
    most = max(curve.matches)
    points = [
        (left + across * match / most, top + down * (1 - rate))
        for match, rate in zip(curve.matches, curve.win_rates, strict=True)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [svg_element("rect", width=width, height=height, fill="#ffffff")]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = top + down * (1 - share)
        parts.append(
            svg_element("line", x1=left, x2=left + across, y1=y, y2=y, stroke="#cccccc")
            + svg_element("text", f"{share:.0%}", x=left - 8, y=y + 4, **_text_style("end"))
        )
    for match in (0, most // 2, most):
        x = left + across * match / most
        parts.append(svg_element("text", f"{match:,}", x=x, y=height - 30, **_text_style("middle")))
    parts += [
        svg_element("polyline", points=line, fill="none", stroke="#1f5fa8", stroke_width=2),
        *(svg_element("circle", cx=x, cy=y, r=3, fill="#1f5fa8") for x, y in points),
        svg_element("text", title, x=left, y=20, **_text_style("start")),
        svg_element(
            "text", "matches of self-play", x=width / 2, y=height - 8, **_text_style("middle")
        ),
    ]
    return svg_picture(width, height, title, *parts)


def _text_style(anchor: str) -> dict[str, str | float]:
    return {"font_family": "sans-serif", "font_size": 12, "fill": "#333333", "text_anchor": anchor}


def main() -> None:
    """Train, and write the plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=300)
    parser.add_argument("--plot", type=Path, default=Path("train-policy.svg"))
    arguments = parser.parse_args()
    curve = train(arguments.batches)
    arguments.plot.write_text(plot(curve), encoding="utf-8")
    print(f"wrote {arguments.plot}")


if __name__ == "__main__":
    main()
