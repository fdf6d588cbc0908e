"""The learning libraries that recipes are for, and whether they are installed."""

from __future__ import annotations

import importlib.util

LIBRARIES = {
    "stable_baselines3": ("stable_baselines3", "sb3_contrib"),
    "supersuit": ("supersuit",),
    "tianshou": ("tianshou",),
    "torch": ("torch",),
    "torchrl": ("torchrl",),
}
"""By the name of the recipe's test, the packages it needs."""


def is_installed(*packages: str) -> bool:
    """Whether all these packages are installed; imports nothing."""
    return all(importlib.util.find_spec(package) is not None for package in packages)
