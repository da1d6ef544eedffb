"""What the results depend on."""

import platform

import numpy as np

from bench.machine import PACKAGES, facts, versions
from bench.peers import PEERS


def test_versions():
    found = versions(("numpy", "no-such-package"))
    assert found == {
        "Python": platform.python_version(),
        "numpy": np.__version__,
        "no-such-package": "not installed",
    }


def test_the_version_of_every_peer_is_told():
    assert {module for peer in PEERS.values() for module in peer.requires} | {"mincli"} <= set(PACKAGES)


def test_facts():
    found = facts()
    assert {"CPU", "CPUs that may be used", "memory", "system"} <= set(found)
    assert all(isinstance(value, str) and value for value in found.values())
