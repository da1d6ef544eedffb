"""Blocks on threads: each done once, errors and interrupts raised on the caller, progress up to the total."""

import os
import signal
import threading
import time

import pytest

from mincli.streaming.execute import run
from mincli.streaming.plan import Plan
from mincli.streaming.space import Space

THREADS = [1, 2, 4]


def plan(blocks):
    return Plan(Space((blocks,), ((1,), (1,))), (1,), 1, 1, 1)


class Recorder:
    """A worker that notes what it is given, and calls `act` with the number of each block."""

    def __init__(self, act=lambda number: None):
        self.act, self.blocks, self.finished = act, [], 0

    def work(self, region):
        (part,) = region
        self.act(part.start)
        self.blocks.append(part.start)

    def finish(self):
        self.finished += 1


@pytest.fixture(autouse=True)
def no_thread_is_left():
    before = threading.active_count()
    yield
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", THREADS)
def test_each_block_is_done_once(threads):
    workers = [Recorder() for _ in range(threads)]
    run(plan(100), workers)
    assert sorted(block for worker in workers for block in worker.blocks) == list(range(100))
    assert all(worker.blocks == sorted(worker.blocks) for worker in workers)
    assert [worker.finished for worker in workers] == [1] * threads


def test_workers_share_the_blocks():
    both_at_work = threading.Barrier(2, timeout=10)
    workers = [Recorder(lambda number: both_at_work.wait()) for _ in range(2)]
    run(plan(10), workers)
    assert [len(worker.blocks) for worker in workers] == [5, 5]


def test_the_first_worker_works_on_the_callers_thread():
    seen, both_at_work = [], threading.Barrier(2, timeout=10)

    def note(number):
        both_at_work.wait()
        seen.append(threading.current_thread())

    workers = [Recorder(note) for _ in range(2)]
    run(plan(2), workers)
    assert len(set(seen)) == 2
    assert threading.current_thread() in seen


@pytest.mark.parametrize("given", [0, 1, 2])
def test_where_the_system_gives_no_more_threads_the_others_do_the_work(monkeypatch, given):
    start, started = threading.Thread.start, []

    def start_a_few(thread):
        if len(started) == given:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_a_few)
    workers = [Recorder() for _ in range(4)]
    run(plan(100), workers)
    assert sorted(block for worker in workers for block in worker.blocks) == list(range(100))
    assert [worker.finished for worker in workers] == [1] * (given + 1) + [0] * (3 - given)


@pytest.mark.parametrize("error", [ValueError("broken"), KeyboardInterrupt(), MemoryError()], ids=repr)
@pytest.mark.parametrize("threads", THREADS)
def test_an_error_is_raised_on_the_caller_and_the_others_stop(threads, error):
    def act(number):
        if number == 5:
            raise error
        time.sleep(0.001)

    workers = [Recorder(act) for _ in range(threads)]
    with pytest.raises(type(error)) as caught:
        run(plan(3000), workers)
    assert caught.value is error
    assert sum(len(worker.blocks) for worker in workers) < 1000
    assert [worker.finished for worker in workers] == [0] * threads


def test_the_first_of_several_errors_is_raised():
    both_at_work = threading.Barrier(2, timeout=10)

    def fail(error, seconds):
        both_at_work.wait()
        time.sleep(seconds)
        raise error

    first, second = ValueError("first"), ValueError("second")
    workers = [Recorder(lambda number: fail(second, 0.1)), Recorder(lambda number: fail(first, 0))]
    with pytest.raises(ValueError, match="first"):
        run(plan(10), workers)


@pytest.mark.parametrize("threads", THREADS)
def test_an_error_in_finish_is_raised(threads):
    class Broken(Recorder):
        def finish(self):
            raise OSError("cannot finish")

    with pytest.raises(OSError, match="cannot finish"):
        run(plan(3), [Broken() for _ in range(threads)])


@pytest.mark.parametrize("threads", THREADS)
def test_an_interrupt_stops_the_workers(threads):
    def act(number):
        if number == 100:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.001)

    workers = [Recorder(act) for _ in range(threads)]
    with pytest.raises(KeyboardInterrupt):
        run(plan(3000), workers)
    assert sum(len(worker.blocks) for worker in workers) < 2000
    assert [worker.finished for worker in workers] == [0] * threads


def test_an_interrupt_waits_for_blocks_at_work():
    both_at_work = threading.Barrier(2, timeout=10)

    def interrupted(number):
        both_at_work.wait()
        os.kill(os.getpid(), signal.SIGINT)

    def slow(number):
        both_at_work.wait()
        time.sleep(0.4)

    workers = [Recorder(interrupted), Recorder(slow)]
    with pytest.raises(KeyboardInterrupt):
        run(plan(2), workers)
    assert [len(worker.blocks) for worker in workers] == [0, 1]


def test_an_interrupt_while_the_workers_start_stops_those_at_work(monkeypatch):
    start, started = threading.Thread.start, []

    def interrupted_after_the_second(thread):
        start(thread)
        started.append(thread)
        if len(started) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted_after_the_second)
    with pytest.raises(KeyboardInterrupt):
        run(plan(500), [Recorder(lambda number: time.sleep(0.001)) for _ in range(4)])
    at_work = [thread.is_alive() for thread in started]
    for thread in started:
        thread.join()
    assert at_work == [False, False]


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("act", [id, lambda number: time.sleep(0.002)], ids=["quick", "slow"])
def test_progress_rises_to_the_total(threads, act):
    told, callers = [], set()

    def progress(done, total):
        told.append((done, total))
        callers.add(threading.current_thread())

    run(plan(80), [Recorder(act) for _ in range(threads)], progress)
    assert told == sorted(told)
    assert told[-1:] == [(80, 80)]
    assert {total for _, total in told} == {80}
    assert callers == {threading.current_thread()}


@pytest.mark.parametrize("threads", THREADS)
def test_an_error_in_progress_stops_the_workers(threads):
    def progress(done, total):
        raise KeyboardInterrupt

    workers = [Recorder(lambda number: time.sleep(0.001)) for _ in range(threads)]
    with pytest.raises(KeyboardInterrupt):
        run(plan(3000), workers, progress)
    assert sum(len(worker.blocks) for worker in workers) < 2000
