"""Shows the examples in docstrings as code: an extension of Griffe, which reads docstrings."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension


class Examples(Extension):
    """Fences the examples of every docstring."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            example = r"^>>> .*\n?(?:.+\n?)*"
            text = re.sub(example, _fence, obj.docstring.value, flags=re.MULTILINE)
            obj.docstring.value = re.sub(r"::$", ":", text, flags=re.MULTILINE)


def _fence(example: re.Match[str]) -> str:
    return f"```python\n{example[0].rstrip()}\n```\n"
