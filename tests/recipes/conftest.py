"""Recipes need libraries that only the nightly tests install: elsewhere they aren't collected."""

from __future__ import annotations

import importlib.util

NEEDS = {
    "stable_baselines3": ("stable_baselines3", "sb3_contrib"),
    "supersuit": ("supersuit",),
    "tianshou": ("tianshou",),
    "torch": ("torch",),
    "torchrl": ("torchrl",),
}

collect_ignore = [
    f"test_{recipe}.py"
    for recipe, packages in NEEDS.items()
    if not all(map(importlib.util.find_spec, packages))
]
