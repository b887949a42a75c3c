"""One `replicate` group at run time: parameters whole on every rank, gradients averaged in buckets during backward.

Gradients move into buckets (`bucket.py`) as they come. A full bucket is all-reduced at once, strictly in bucket order
(last parameters first, as backward reaches them), so all ranks speak in the same order even when a rank misses some
gradients; what is left goes out when backward ends. Under `no_sync` gradients simply add up in `param.grad`.

[Note: order] When a bucket is full depends on which gradients a rank gets, and sharded units and other groups
speak over the same process group. So a group that is not alone averages everything when backward ends, where
the order is the same on every rank: in a local tree that of the tree, else that of `turns.py`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from sharding.annotations import Annotation
from sharding.buckets import MIB
from sharding.flat.axes import Axes
from sharding.flat.bucket import Bucket, pack
from sharding.flat.cast_loan import lend_casts
from sharding.flat.kept_buffers import KeptBuffers
from sharding.flat.live_only import LiveOnly
from sharding.flat.order_check import OrderCheck
from sharding.flat.recording import Recorder
from sharding.flat.slot import Slot
from sharding.flat.tensors import tensors_in
from sharding.flat.torch_private import at_end_of_backward, current_backward
from sharding.flat.turns import Turns
from sharding.precision import Precision

_KEY = "_sharding_replica"


class Replica(LiveOnly):
    """One replicate group.

    Attributes:
        module: the module `replicate` was applied to.
        annotation: the mark that made it.
        slots: its parameters, in order.
        axes: its ranks.
        fqn: its name, relative to the module of the last verb or looking call.
        recorder: writes its events.
        precision: the dtypes it computes and reduces in; None for those that are there.
        buffers: its buffers, in the dtype they are kept in.
        sync: whether backward averages (False inside `no_sync`).
        tree_check: what compares the backwards of the local tree it lies in; None outside of any.
        turns: the groups it takes turns with outside of any local tree.
        number: its place among them.
        is_alone: whether no sharded unit or other group was marked with it; see the note on order.
        buckets: its trainable parameters, in the order they are averaged.
    """

    def __init__(
        self,
        module: nn.Module,
        annotation: Annotation,
        slots: Sequence[Slot],
        axes: Axes,
        fqn: str,
        bucket_cap_mb: float,
        precision: Precision | None = None,
    ) -> None:
        self.module = module
        self.annotation = annotation
        self.slots = tuple(slots)
        self.axes = axes
        self.fqn = fqn
        self.recorder = Recorder(fqn, axes.rank)
        self.sync = True
        self.precision = precision
        self.buffers: KeptBuffers
        trainable = [slot for slot in slots if slot.param.requires_grad and slot.numel]
        num_ranks = axes.replicate.world_size
        self.buckets = [Bucket(each, precision, num_ranks) for each in pack(trainable, int(bucket_cap_mb * MIB))]
        self._places: dict[int, tuple[Bucket, int]] = {}
        self.tree_check: OrderCheck | None = None
        self.turns = Turns()
        self.number = 0
        self.is_alone = True
        self._backward: int | None = None
        self._next = 0
        self._hooks: list[RemovableHandle] = []

    def attach(self, modules: Sequence[nn.Module]) -> None:
        """Hang it on its module and take gradients as they come.

        Args:
            modules: the modules the group decides for.
        """
        self.module.__dict__[_KEY] = self
        self._hooks += self.buffers.hooks
        if self.precision is not None:
            self._hooks += lend_casts(self.module, modules, self.slots, self.precision, self._take_cast)
        if self.axes.replicate.world_size == 1:
            return
        self._hooks.append(self.module.register_forward_hook(self._watch_outputs))
        for bucket in self.buckets:
            for index, slot in enumerate(bucket.slots):
                self._places[id(slot)] = (bucket, index)
                hook = slot.param.register_post_accumulate_grad_hook(self._taker(bucket, index))
                self._hooks.append(hook)

    def detach(self) -> None:
        """Leave module and gradients alone again."""
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()
        self.module.__dict__.pop(_KEY, None)

    def _watch_outputs(self, module: nn.Module, args: object, output: object) -> None:
        """A backward that reaches what the module returned concerns the group, whatever gradients this rank gets."""
        if torch.is_grad_enabled() and current_backward() is None:
            for tensor in tensors_in(output):
                if tensor.grad_fn is not None:
                    tensor.register_hook(self._hear_of_backward)

    def _hear_of_backward(self, grad: torch.Tensor) -> None:
        self.take_part()

    def take_part(self) -> None:
        """Average in the backward that is running, even if no gradient comes on this rank."""
        if self.sync and self.buckets and self.axes.replicate.world_size > 1:
            self._start()

    def _taker(self, bucket: Bucket, index: int):
        def take(param: nn.Parameter) -> None:
            if not self.sync:
                return
            self._start()
            bucket.take(index)
            self._launch_full()

        return take

    def _take_cast(self, slot: Slot, grad: torch.Tensor) -> bool:
        """Take a gradient before autograd has cast it; False where autograd must add it to others."""
        if not self.sync or slot.param.grad is not None or id(slot) not in self._places:
            return False
        self._start()
        bucket, index = self._places[id(slot)]
        bucket.put(index, grad)
        return True

    def _start(self) -> None:
        """The first gradient of a backward."""
        now = current_backward()
        if self._backward == now:
            return
        self._backward = now
        self._next = 0
        self.recorder.stage.phase = "backward"
        for bucket in self.buckets:  # what a failed backward left
            bucket.clear()
        if self.tree_check is None:
            self.turns.enter(self)
        else:
            at_end_of_backward(self._finish)

    def _launch_full(self) -> None:
        may_hurry = self.is_alone and self.turns.may_hurry(self)
        while may_hurry and self._next < len(self.buckets) and self.buckets[self._next].is_full:
            self._launch(self.buckets[self._next])
            self._next += 1

    def _launch(self, bucket: Bucket) -> None:
        check = self.turns.check if self.tree_check is None else self.tree_check
        check.compare(self.recorder.fqn, bucket.numel, "averaging ")
        start = self.recorder.start()
        bucket.launch(self.axes.replicate)
        self.recorder.end("all_reduce", start, bucket.nbytes)

    @torch.no_grad()
    def _finish(self) -> None:
        self.launch_rest()
        self.finish()

    def launch_rest(self) -> None:
        """Backward is over: average what is left."""
        for bucket in self.buckets[self._next :]:
            self._launch(bucket)

    def finish(self) -> None:
        """Wait for everything."""
        for bucket in self.buckets:
            bucket.finish(self.axes.replicate.world_size, self.recorder)
        self._backward = None
        self.recorder.stage.phase = "other"

    def __repr__(self) -> str:
        return f"Replica({self.fqn!r}, {len(self.slots)} parameters)"


def replica_of(module: nn.Module) -> Replica | None:
    """The replica on this very module object, if any."""
    return module.__dict__.get(_KEY)
