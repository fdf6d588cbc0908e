"""``watermeet review``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

MATCH = """game: flume@1
options: size=3 pie=false
seats: Ada, Bob

1. a1 @1 2. c1 @3.5 3. b1 4. c2 5. b2 6. b3 7. a3 8. a2 9. c3
"""


@pytest.mark.slow
def test_a_review_shows_the_turning_point(tmp_path: Path, run: Any) -> None:
    file = tmp_path / "match.txt"
    file.write_text(MATCH)
    shown = run("review", str(file), "--nodes", "2000").stdout
    assert "Ada: accuracy" in shown
    assert "b3      blunder (turning point)  a2      100% → 0% proven" in shown
    assert "c2" not in shown, "a good move"
    assert "c2" in run("review", str(file), "--nodes", "2000", "--every-move").stdout
    found = json.loads(run("review", str(file), "--nodes", "2000", "--json").stdout)
    assert found["decisions"][found["turning_point"]]["move"] == "b3"
    assert [each["spent"] for each in found["decisions"][:2]] == [1.0, 2.5]
