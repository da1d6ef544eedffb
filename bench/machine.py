"""What the results depend on: `python -m bench.machine` prints the machine and the versions as JSON."""

import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from mincli.streaming.plan import usable_cpus

PACKAGES = ("mincli", "numpy", "ml_dtypes", "onnx", "torch", "onnxruntime", "dask")


def versions(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Return the versions of Python and of packages; "not installed" for those that are not."""
    found = {"Python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def facts() -> dict[str, str]:
    """Return what the machine is."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    found = {
        "CPU": _cpu(),
        "CPUs that may be used": str(usable_cpus()),
        "memory": f"{memory / 2**30:.1f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
    try:
        import psutil
    except ImportError:
        return found
    found["physical cores"] = str(psutil.cpu_count(logical=False))
    found["busy before the run"] = f"{psutil.cpu_percent(1):.0f} %"
    return found


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        models = []
    return models[0] if models else platform.processor() or platform.machine()


if __name__ == "__main__":
    print(json.dumps({"machine": facts(), "versions": versions()}))
