"""The few names of torch this engine needs that torch does not document.

Run against torch 2.13; all of these have been there unchanged since before 2.11. Everything private is named here and
nowhere else in `flat` (`call_stack.py` also compares code objects with `nn.Module._call_impl`), so a new torch version
is checked by reading one page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from torch.autograd import Variable


def current_backward() -> int | None:
    """A number that names the backward pass this thread is inside of, or None outside of any."""
    task = torch._C._current_graph_task_id()
    return None if task == -1 else task


def at_end_of_backward(callback: Callable[[], None]) -> None:
    """Run `callback` when the backward pass we are inside of has finished all its nodes (not if it fails)."""
    Variable._execution_engine.queue_callback(callback)  # type: ignore[attr-defined]


def accumulates(node: Any) -> bool:
    """Whether the backward pass we are inside of will leave a gradient in the parameter of this accumulation node.

    `torch.autograd.grad` does not: it gives gradients to its caller.
    """
    try:
        return torch._C._will_engine_execute_node(node)
    except RuntimeError:  # how torch says that the node is a leaf of an autograd.grad()
        return False


def store_of(group: dist.ProcessGroup) -> dist.Store:
    """The key-value store the ranks of `group` met at."""
    from torch.distributed import distributed_c10d

    return distributed_c10d._get_process_group_store(group)
