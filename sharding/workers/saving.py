"""A call in files: its events to replay, each rank's output, and how it failed, in the form torchrun's tools read.

`save` writes `events.jsonl` (one event a line), `rank0.log`, `rank1.log`, ... without the labels, and `error.json` (the
error file of torch elastic) if the call failed. `read_events` reads the events back. Called by `Run.save`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from sharding.errors import WorkerError
from sharding.workers.record import VERSION, RunEvent


def save(folder: Path, events: Iterable[RunEvent], output: str, ranks: Sequence[int], error: str) -> list[Path]:
    """Write the files of a call into `folder`, which is made if need be; returns them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / "events.jsonl"]
    files[0].write_text("".join(json.dumps(event.to_dict()) + "\n" for event in list(events)))
    lines = output.splitlines(keepends=True)
    for rank in ranks:
        label = f"[rank {rank}] "
        files.append(folder / f"rank{rank}.log")
        files[-1].write_text("".join(line.removeprefix(label) for line in lines if line.startswith(label)))
    if error:
        files.append(folder / "error.json")
        files[-1].write_text(json.dumps(_elastic_error(error)))
    return files


def _elastic_error(text: str) -> dict[str, object]:
    head = text.partition("\n")[0]
    return {"message": {"message": head, "extraInfo": {"py_callstack": text, "timestamp": str(int(time.time()))}}}


def read_events(path: str | Path) -> list[RunEvent]:
    """The events of a call that was saved: of a folder, or of its `events.jsonl`.

    Raises:
        WorkerError: a line is no event of this version; the message says which.
    """
    path = Path(path)
    file = path / "events.jsonl" if path.is_dir() else path
    return [_event(line, f"{file}, line {number}") for number, line in enumerate(file.read_text().splitlines(), 1)]


def _event(line: str, where: str) -> RunEvent:
    try:
        fields = json.loads(line)
        version = fields.pop("v")
        event = RunEvent(**fields)
    except (ValueError, TypeError, AttributeError, KeyError) as problem:
        raise WorkerError(f"{where} is no event of a call: {problem}") from problem
    if version != VERSION:
        raise WorkerError(f"{where} is of version {version}; this program reads version {VERSION}.")
    return event
