"""Many notebooks that launch ranks at the same time: does any launch meet another's, or fail?

    python benchmarks/parallel.py [--notebooks 20] [--launches 20]

Each notebook is a process of its own with its own zygote; each of its launches is a thread that runs one all-reduce of
a number nobody else has on two fresh ranks. Prints how many launches were wrong or failed (none, if all is well); exit
status 1 otherwise.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 20


def summed(number: int) -> int:
    """The number times three: it, and twice it, from two ranks."""
    import torch
    import torch.distributed as dist

    x = torch.tensor([number * (dist.get_rank() + 1)])
    dist.all_reduce(x)
    return int(x.item())


def notebook(index: int, launches: int) -> int:
    """All launches of one notebook at once; prints those that went wrong."""
    from sharding.workers import run

    def launch(number: int) -> None:
        try:
            got = run(summed, number, timeout=600)
        except Exception as error:
            print(f"{number}: {type(error).__name__}: {str(error).splitlines()[0]}")
            return
        if got != [3 * number] * 2:
            print(f"{number}: {got}")

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(launch, range(index * launches, (index + 1) * launches)))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--notebooks", type=int, default=20)
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--index", type=int, help="be the notebook with this number (for the command itself)")
    wish = parser.parse_args()
    if wish.index is not None:
        return notebook(wish.index, wish.launches)
    began = time.monotonic()
    command = [sys.executable, __file__, "--launches", str(wish.launches), "--index"]
    kernels = [
        subprocess.Popen([*command, str(index)], stdout=subprocess.PIPE, text=True) for index in range(wish.notebooks)
    ]
    wrong = [line for kernel in kernels for line in (kernel.communicate()[0] or "").splitlines()]
    broken = sum(kernel.returncode != 0 for kernel in kernels)
    print("\n".join(wrong))
    took = f"{time.monotonic() - began:.0f} s"
    print(f"{wish.notebooks} notebooks x {wish.launches} launches in {took}: {len(wrong)} wrong, {broken} broken")
    return 1 if wrong or broken else 0


if __name__ == "__main__":
    sys.exit(main())
