"""Threads for work that one person's text or address can make long: nobody waits for another's.

They are apart from those that everything else shares. Each person, or address, has a few of them at
most, and whoever has had the least while they were waiting is next; whoever waits for too long is
refused. A thread can't be stopped, so what is done here has to end by itself.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

from watermeet.server.errors import TooMany

P = ParamSpec("P")
T = TypeVar("T")
SHARE, MAX_WAITING, DEADLINE_S = 1, 100, 30.0
"""Of one person: threads at once, work that waits for them, and how long they wait in all. On a
busy server a first record takes 10 seconds to read, as its game isn't compiled yet."""


@dataclass(eq=False)
class _Task:
    work: Callable[[], Any]
    done: asyncio.Future[Any]


class FairThreads:
    """A few threads; ``who`` says whose work it is."""

    def __init__(self, name: str, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = threads
        self._busy = Counter[str]()
        self._begun = Counter[str]()
        """How much was begun for whoever waits, or has something done, since that is so."""
        self._waiting = OrderedDict[str, deque[_Task]]()

    async def run(self, who: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do some work; raises what it does, or TooMany."""
        task = _Task(partial(work, *args, **kwargs), asyncio.get_running_loop().create_future())
        waiting = self._waiting.setdefault(who, deque())
        if len(waiting) >= MAX_WAITING:
            raise TooMany("too much of yours is being worked on", "wait a moment")
        waiting.append(task)
        self._begin()
        deadline = asyncio.timeout(DEADLINE_S)
        try:
            async with deadline:
                found: T = await task.done
                return found
        except TimeoutError as error:
            if not deadline.expired():
                raise
            raise TooMany("this takes too long", "try again later, or with less") from error
        finally:
            self._forget(who, task)

    def close(self) -> None:
        """Stop; what is under way may finish."""
        for task in [task for waiting in self._waiting.values() for task in waiting]:
            task.done.cancel()
        self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _forget(self, who: str, task: _Task) -> None:
        """Nobody waits for it any more."""
        waiting = self._waiting.get(who, deque())
        if task in waiting:
            waiting.remove(task)
        if not waiting:
            self._waiting.pop(who, None)
            self._rest(who)

    def _rest(self, who: str) -> None:
        """Forget those who wait for nothing and whose work is done: they count as new again."""
        if who not in self._waiting and who not in self._busy:
            self._begun.pop(who, None)

    def _begin(self) -> None:
        """Begin what there are threads for, of whoever has had the least."""
        while self._free:
            ready = (each for each in self._waiting if self._busy[each] < SHARE)
            who = min(ready, key=self._begun.__getitem__, default=None)
            if who is None:
                return
            waiting = self._waiting.pop(who)
            task = waiting.popleft()
            if waiting:
                self._waiting[who] = waiting
            self._free -= 1
            self._busy[who] += 1
            self._begun[who] += 1
            running = asyncio.get_running_loop().run_in_executor(self._threads, task.work)
            running.add_done_callback(partial(self._end, who, task.done))

    def _end(self, who: str, done: asyncio.Future[Any], running: asyncio.Future[Any]) -> None:
        self._free += 1
        self._busy[who] -= 1
        if not self._busy[who]:
            del self._busy[who]
            self._rest(who)
        error = None if running.cancelled() else running.exception()
        if done.done():  # Nobody waits for it any more.
            pass
        elif error is not None:
            done.set_exception(error)
        elif running.cancelled():
            done.cancel()
        else:
            done.set_result(running.result())
        self._begin()
