"""Recipes need libraries that are too large for every developer's machine.

Where one isn't installed, its tests aren't collected, and ``tests/conftest.py`` says so.
"""

from __future__ import annotations

from tests.libraries import LIBRARIES, is_installed

collect_ignore = [
    f"test_{recipe}.py" for recipe, packages in LIBRARIES.items() if not is_installed(*packages)
]
