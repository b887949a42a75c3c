"""A whole session as a plain script: look, plan, run on two workers, compare, take the plan along.

python tests/explorer/example_session.py
"""

from __future__ import annotations

import torch
from explored_models import GPT

from explorer import explore


def tokens(rank: int, step: int) -> torch.Tensor:
    return torch.randint(0, 16, (4, 8), generator=torch.Generator().manual_seed(100 * step + rank))


def main() -> None:
    ex = explore(lambda: GPT(depth=3, tied=True), example_inputs=tokens)
    print(ex)
    ex.fully_shard("")
    ex.fully_shard("h.*")
    ex.replicate("h.1")
    print(ex)
    run = ex.run(nprocs=2, steps=5, reference=True)
    run.result(timeout=120)
    for (step, *losses), whole in zip(run.losses, run.reference or [], strict=True):
        print(f"step {step}: mean {sum(losses) / len(losses):.5f}, unsharded {whole:.5f}")
    print(ex.export("python"))


if __name__ == "__main__":
    main()
