"""Shows the examples in docstrings as code: an extension of Griffe, which reads docstrings.

In its module an example needs no import; on a page it does, so each begins with what it takes.
"""

from __future__ import annotations

import ast
import doctest
import re
from typing import Any

from griffe import Extension


def fenced(text: str, module: Any = None) -> str:
    r"""A docstring whose examples are blocks of code; the first begins with imports.

    >>> fenced("Adds.\n\n>>> 1 + 1\n2\n\nThat's all.").splitlines()
    ['Adds.', '', '```python', '>>> 1 + 1', '2', '```', '', "That's all."]
    """
    lines = "".join(f">>> {line}\n" for line in imports_of(text, module)) if module else ""
    text = re.sub(r"^>>> ", f"{lines}>>> ", text, count=1, flags=re.MULTILINE)
    text = re.sub(r"^>>> .*\n(?:.+\n?)*", _fence, text, flags=re.MULTILINE)
    return re.sub(r"::$", ":", text, flags=re.MULTILINE)


def _fence(example: re.Match[str]) -> str:
    end = "\n" if example[0].endswith("\n") else ""
    return f"```python\n{example[0].rstrip()}\n```{end}"


def imports_of(text: str, module: Any) -> list[str]:
    r"""The imports that a docstring's examples need outside of their module.

    >>> from types import SimpleNamespace as Space
    >>> buy = Space(is_alias=False, path="shop.buy")
    >>> coin = Space(is_alias=True, target_path="a.Coin")
    >>> imports_of(">>> buy(Coin(1))\n", Space(members={"buy": buy, "Coin": coin}))
    ['from a import Coin', 'from shop import buy']
    """
    made, used = set[str](), set[str]()
    for example in doctest.DocTestParser().get_examples(text):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Name):
                (made if isinstance(node.ctx, ast.Store) else used).add(node.id)
            elif isinstance(node, ast.alias):
                made.add(node.asname or node.name)
    found: dict[str, list[str]] = {}
    for name in sorted((used - made) & set(module.members)):
        member = module.members[name]
        where, _, what = (member.target_path if member.is_alias else member.path).rpartition(".")
        words = what if what == name else f"{what} as {name}"
        found.setdefault(where, []).append(words)
    return [
        f"from {where} import {', '.join(names)}" if where else f"import {names[0]}"
        for where, names in found.items()
    ]


class Examples(Extension):
    """Fences the examples of every docstring."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            module = obj if obj.is_module else obj.module
            obj.docstring.value = fenced(obj.docstring.value, module)
