"""The network, as a PyTorch module: residual blocks of convolutions that also see the whole board.

Every block adds to each channel what the mean and the maximum of the channels over the board say,
so that news travels across it at once. Nothing depends on the height and width of the planes. A
game without planes gets one cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from watermeet.nets.shape import Shape


@dataclass(frozen=True)
class Size:
    """How large a network is."""

    channels: int = 64
    blocks: int = 6


def pooled(x: Tensor) -> Tensor:
    """The mean and the maximum of each channel: [batch, 2 * channels]."""
    return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


class Block(nn.Module):
    """Two convolutions, and what the whole board says to each channel."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.board = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        nn.init.zeros_(self.second_norm.weight)  # A new block changes nothing.

    def forward(self, x: Tensor) -> Tensor:
        """[batch, channels, height, width], before and after."""
        y = self.first_norm(self.first(x))
        y = torch.relu(y + self.board(pooled(x))[:, :, None, None])
        return torch.relu(x + self.second_norm(self.second(y)))


class Network(nn.Module):
    """Judges positions: logits of actions, and what each seat can expect, the observer first."""

    def __init__(self, shape: Shape, size: Size) -> None:
        super().__init__()
        self.shape, self.size = shape, size
        channels = size.channels
        self.planes = nn.Conv2d(max(1, shape.planes), channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.numbers = nn.Linear(max(1, shape.numbers), channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(size.blocks)))
        self.kinds = nn.Conv2d(channels, max(1, shape.kinds), 1)
        self.loose = nn.Linear(2 * channels, max(1, shape.loose))
        self.value = nn.Sequential(
            nn.Linear(2 * channels, 2 * channels), nn.ReLU(), nn.Linear(2 * channels, shape.seats)
        )
        for head in (self.kinds, self.loose, self.value[2]):
            nn.init.zeros_(head.weight)  # A new network finds all actions equally good.
            nn.init.zeros_(head.bias)

    def forward(self, planes: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [batch, kinds * cells + loose], and values [batch, seats] from -1 to 1."""
        x = self.norm(self.planes(planes)) + self.numbers(numbers)[:, :, None, None]
        x = self.blocks(torch.relu(x))
        board = pooled(x)
        parts = []
        if self.shape.kinds:
            parts.append(self.kinds(x).flatten(1))
        if self.shape.loose:
            parts.append(self.loose(board))
        return torch.cat(parts, dim=1), torch.tanh(self.value(board))

    def parameter_count(self) -> int:
        """How many numbers training can change."""
        return sum(each.numel() for each in self.parameters())


def split(features: Tensor, planes: tuple[int, int, int], dtype: Any = None) -> tuple[Any, Any]:
    """Planes and numbers of features [batch, features]; empty ones become a zero each."""
    count, height, width = planes
    size, batch = count * height * width, features.shape[0]
    board, numbers = features[:, :size], features[:, size:]
    if not size:
        board, planes = features.new_zeros((batch, 1)), (1, 1, 1)
    if not numbers.shape[1]:
        numbers = features.new_zeros((batch, 1))
    return board.reshape(batch, *planes).to(dtype), numbers.to(dtype)
