"""Run the blocks of a plan on threads."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

import numpy as np

from mincli.streaming.plan import Plan
from mincli.tensors.tensor import Region

Progress = Callable[[int, int], None]
"""Is told, after blocks and on the caller's thread, how many blocks are done, and of how many."""


class Worker(Protocol):
    """What one thread does, with buffers of its own."""

    def work(self, region: Region) -> None:
        """Compute one block."""

    def finish(self) -> None:
        """Hand in what is left when there are no more blocks."""


def run(plan: Plan, workers: Sequence[Worker], progress: Progress | None = None) -> None:
    """Give each region of a plan to some worker, in order: the first on the caller's thread, each other on its own.

    Where the system has no more threads to give, those that there are do the work. The first error stops all workers
    and is raised here, after the blocks that they are at; so is an interrupt.
    """
    crew = _Crew(plan)
    first, *others = workers
    threads = [threading.Thread(target=crew.loop, args=(worker,), daemon=True) for worker in others]
    try:
        with suppress(RuntimeError):  # "can't start new thread"
            for thread in threads:
                thread.start()
        crew.loop(first, progress)
    except BaseException:
        crew.stop = True
        raise
    finally:
        for thread in threads:
            while thread.is_alive():  # Python 3.11's join(), when interrupted, takes a thread at work for ended
                time.sleep(0.001)
    if crew.failure:
        raise crew.failure
    if progress:
        progress(plan.blocks, plan.blocks)


class _Crew:
    """The regions that workers share, and what became of them."""

    def __init__(self, plan: Plan) -> None:
        self.regions, self.blocks = plan.regions(), plan.blocks
        self.lock = threading.Lock()
        self.done = 0
        self.stop = False
        self.failure: BaseException | None = None

    def loop(self, worker: Worker, progress: Progress | None = None) -> None:
        try:
            with np.errstate(all="ignore"):  # a signalling NaN is data here, no event
                while not self.stop and (region := self.next()) is not None:
                    worker.work(region)
                    with self.lock:
                        self.done += 1
                    if progress:
                        progress(self.done, self.blocks)
                if not self.stop:
                    worker.finish()
        except BaseException as error:  # raised again by `run`, on the caller's thread
            self.stop = True
            self.failure = self.failure or error

    def next(self) -> Region | None:
        with self.lock:
            return next(self.regions, None)
