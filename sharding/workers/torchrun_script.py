"""A call as a script for torchrun: a way out of the notebook, to more machines or a scheduler.

Beside the script lies the call itself, pickled as it would travel to a rank: what the notebook defines by value, so no
notebook is needed to run it; what is installed by name. Called by `Workers.export`.
"""

from __future__ import annotations

from pathlib import Path

from sharding.workers.devices import Placement
from sharding.workers.shipping import Shipment

SCRIPT = '''\
"""{name}, as it ran on {nprocs} ranks over {backend}:

    {command}
"""

import os
import random
from pathlib import Path

import torch
import torch.distributed as dist

from sharding.workers import parcel

CALL = Path(__file__).with_name("call.bin")


def main() -> None:
    rank, local_rank = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    torch.set_num_threads({num_threads})
    random.seed({seed} + rank)
    torch.manual_seed({seed} + rank)
    device = torch.device("cuda", local_rank) if "{backend}" == "nccl" else None
    if device is not None:
        torch.cuda.set_device(device)
    dist.init_process_group("{backend}", device_id=device)
    fn, args, kwargs = parcel.unpack(bytearray(CALL.read_bytes()))
    print(f"[rank {{rank}}] {{fn(*args, **kwargs)!r}}\\n", end="", flush=True)  # unbuffered: one write a line
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
'''


def write(folder: Path, shipment: Shipment, placement: Placement, seed: int) -> str:
    """Write `run.py` and `call.bin` into `folder`; returns the command that runs them."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "run.py"
    command = f"torchrun --standalone --nproc-per-node={placement.nprocs} {script}"
    words = {"name": shipment.name, "nprocs": placement.nprocs, "backend": placement.backend, "command": command}
    script.write_text(SCRIPT.format(**words, num_threads=placement.num_threads, seed=seed))
    (folder / "call.bin").write_bytes(b"".join(shipment.payload))
    return command
