"""What torch knows of the collectives of this process: the one file that reads its flight recorder.

The recorder is on by default and keeps the last collectives of every process group with their operation, sizes,
number, and whether they are over. Private parts of torch, all of them: checked with torch 2.13 and 2.14. Where one is
missing the answer is "nothing known", and no hang is ever reported. Runs in the rank; point-to-point messages are not
seen.
"""

from __future__ import annotations

import contextlib
import math
import pickle
import time
from typing import Any

from sharding.unit_notes import unit_notes

RECENT = 16
_NBYTES = {"Byte": 1, "Char": 1, "Bool": 1, "Short": 2, "Half": 2, "BFloat16": 2, "Int": 4, "Float": 4, "Long": 8}
_NBYTES |= {"Double": 8, "ComplexFloat": 8, "ComplexDouble": 16, "Float8_e4m3fn": 1, "Float8_e5m2": 1}


def num_entered() -> dict[str, dict[str, Any]]:
    """For each process group this rank is in, by torch's name for it: its global ranks, and how many collectives this
    rank has entered. A few microseconds.
    """
    import torch.distributed as dist

    groups: dict[str, dict[str, Any]] = {}
    with contextlib.suppress(Exception):
        for group, name in list(dist.distributed_c10d._world.pg_names.items()):
            with contextlib.suppress(Exception):
                number = group._get_sequence_number_for_group()  # pyright: ignore[reportAttributeAccessIssue]
                groups[name] = {"ranks": dist.get_process_group_ranks(group), "entered": number}
    return groups


def recent_collectives() -> dict[str, list[dict[str, Any]]]:
    """The last collectives this rank entered, by group, oldest first. Some milliseconds at most."""
    by_group: dict[str, list[dict[str, Any]]] = {}
    for entry in _entries():
        if not entry.get("is_p2p"):
            by_group.setdefault(entry["process_group"][0], []).append(_collective(entry))
    return {name: collectives[-RECENT:] for name, collectives in by_group.items()}


def collectives_after(record: int) -> tuple[int, int, list[dict[str, Any]]]:
    """What was entered after the entry with this number: the last entry's number, how many the recorder had already
    forgotten, and the collectives, oldest first. `time_ns` is when each was entered, on the monotonic clock.
    """
    entries = sorted((entry for entry in _entries() if entry["record_id"] > record), key=lambda e: e["record_id"])
    if not entries:
        return record, 0, []
    monotonic_ns = time.monotonic_ns() - time.time_ns()
    found = [
        {**_collective(entry), "time_ns": entry["time_created_ns"] + monotonic_ns}
        for entry in entries
        if not entry.get("is_p2p")
    ]
    return entries[-1]["record_id"], entries[0]["record_id"] - record - 1, found


def _entries() -> list[dict[str, Any]]:
    try:
        from torch._C import _distributed_c10d as c10d

        dump = c10d._dump_fr_trace  # pyright: ignore[reportAttributeAccessIssue]
        return pickle.loads(dump(includeCollectives=True, includeStackTraces=False))["entries"]
    except Exception:
        return []


def _collective(entry: dict[str, Any]) -> dict[str, Any]:
    backend, _, op = entry["profiling_name"].rpartition(":")
    parts = zip(entry["input_dtypes"], entry["input_sizes"], strict=False)
    return {
        "seq": entry["collective_seq_id"],
        "op": op or backend,
        "sizes": entry["input_sizes"],
        "dtypes": entry["input_dtypes"],
        "nbytes": sum(_NBYTES.get(dtype, 0) * math.prod(size) for dtype, size in parts),
        "group": entry["process_group"][1],
        "over": bool(entry["retired"]),
        "waits_s": max(0.0, (time.time_ns() - entry["time_created_ns"]) / 1e9),
        "unit": unit_notes.unit_at(entry["time_created_ns"]),
    }
