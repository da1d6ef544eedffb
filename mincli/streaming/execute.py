"""Run the blocks of a plan on threads."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from mincli.streaming.plan import Plan, Region

Progress = Callable[[int, int], None]
"""Is told, now and then and on the caller's thread, how many blocks are done, and of how many."""

_POLL_SECONDS = 0.1


class Worker(Protocol):
    """What one thread does, with buffers of its own."""

    def work(self, region: Region) -> None:
        """Compute one block."""

    def finish(self) -> None:
        """Hand in what is left when there are no more blocks."""


def run(plan: Plan, workers: Sequence[Worker], progress: Progress | None = None) -> None:
    """Give each region of a plan to some worker, in order, each worker on a thread of its own.

    The first error stops all workers and is raised here; so is an interrupt, after the workers have stopped.
    """
    if len(workers) == 1:
        crew = _Crew(plan, 1, progress)
        crew.loop(workers[0])
    else:
        crew = _Crew(plan, len(workers), None)
        threads = [threading.Thread(target=crew.loop, args=(worker,), daemon=True) for worker in workers]
        try:
            for thread in threads:
                thread.start()
            while not crew.all_ended.wait(_POLL_SECONDS):
                if progress:
                    progress(crew.done, plan.blocks)
        finally:
            crew.stop = True
            for thread in threads:
                while thread.is_alive():  # Python 3.11's join(), when interrupted, takes a thread at work for ended
                    time.sleep(0.001)
        if progress and not crew.failure:
            progress(crew.done, plan.blocks)
    if crew.failure:
        raise crew.failure


class _Crew:
    """The regions that workers share, and what became of them."""

    def __init__(self, plan: Plan, workers: int, after_block: Progress | None) -> None:
        self.regions, self.blocks, self.after_block = plan.regions(), plan.blocks, after_block
        self.lock = threading.Lock()
        self.done = 0
        self.at_work = workers
        self.all_ended = threading.Event()
        self.stop = False
        self.failure: BaseException | None = None

    def loop(self, worker: Worker) -> None:
        try:
            with np.errstate(all="ignore"):  # a signalling NaN is data here, no event
                while not self.stop and (region := self.next()) is not None:
                    worker.work(region)
                    with self.lock:
                        self.done += 1
                    if self.after_block:
                        self.after_block(self.done, self.blocks)
                if not self.stop:
                    worker.finish()
        except BaseException as error:  # raised again by `run`, on the caller's thread
            self.stop = True
            self.failure = self.failure or error
        with self.lock:
            self.at_work -= 1
            if not self.at_work:
                self.all_ended.set()

    def next(self) -> Region | None:
        with self.lock:
            return next(self.regions, None)
