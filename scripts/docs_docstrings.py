"""Shows the examples in docstrings as code: an extension of Griffe, which reads docstrings."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension


def fenced(text: str) -> str:
    r"""A docstring whose examples are blocks of code.

    >>> print(fenced("Adds.\n\n>>> 1 + 1\n2\n\nThat's all."))
    Adds.
    <BLANKLINE>
    ```python
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    That's all.
    """
    text = re.sub(r"^>>> .*\n(?:.+\n?)*", _fence, text, flags=re.MULTILINE)
    return re.sub(r"::$", ":", text, flags=re.MULTILINE)


def _fence(example: re.Match[str]) -> str:
    end = "\n" if example[0].endswith("\n") else ""
    return f"```python\n{example[0].rstrip()}\n```{end}"


class Examples(Extension):
    """Fences the examples of every docstring."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
