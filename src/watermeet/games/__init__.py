"""One folder per game, all alike. Games never import each other, and nothing else names them.

``watermeet.games()`` lists the registered names, and this folder has the same name as that
function. Importing a game puts the folder in the function's place, so the folder can be called too.
"""

import sys
import types

from watermeet.core.registry import games


class _CallableFolder(types.ModuleType):
    def __call__(self) -> tuple[str, ...]:
        return games()


sys.modules[__name__].__class__ = _CallableFolder
