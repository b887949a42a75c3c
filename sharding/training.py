"""What a training step is made of: where the model comes from, what each rank is fed, the loss, the random state.

A run of the explorer, a comparison of engines and an exported script train with these same pieces, so that the
same plan gives the same losses in all three. Model, inputs and loss are the user's; decided here is only the random
state, which is the same for the same rank and step whoever computes it, and what a loss is where none is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from sharding.errors import PlanError


@dataclass(frozen=True, eq=False)
class Training:
    """A model and the parts of its training.

    Attributes:
        given: the module (by value) or the builder.
        example_inputs: a tensor, tuple or dict, or `f(rank, step)` that returns one.
        loss: `loss(output, inputs) -> scalar`; None for `default_loss`.
        step: `step(model, optimizer, rank, step) -> dict of metrics`, instead of the two above.
        lr: learning rate of AdamW.
        seed: of the weights a builder makes, the same on every rank, and of each rank and step.
    """

    given: nn.Module | Callable[[], nn.Module]
    example_inputs: Any = None
    loss: Callable[..., Any] | None = None
    step: Callable[..., Any] | None = None
    lr: float = 1e-3
    seed: int = 0

    def fresh(self, device: torch.device) -> nn.Module:
        """The model with its starting values, on `device`. A module that was given is itself, moved."""
        if isinstance(self.given, nn.Module):
            return _on(device, self.given)
        torch.manual_seed(self.seed)
        return _on(device, self.given())

    def optimizer(self, model: nn.Module) -> torch.optim.Optimizer:
        """The optimizer of every step. Make it after the plan was applied."""
        return torch.optim.AdamW(model.parameters(), lr=self.lr)

    def do(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, rank: int, step: int, device: torch.device
    ) -> dict[str, Any]:
        """One step (from 0) of this rank; returns its metrics as plain numbers, "loss" among them unless the step is
        the user's own.
        """
        seed_step(self.seed, rank, step)
        if self.step is not None:
            return _plain(self.step(model, optimizer, rank, step))
        optimizer.zero_grad()
        loss = self.loss_of(model, rank, step, device)
        loss.backward()
        optimizer.step()
        return {"loss": loss.detach().item()}

    def do_unsharded(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, world_size: int, step: int, device: torch.device
    ) -> list[float]:
        """One step (from 0) of a whole model in one process: every rank's inputs one after the other, their gradients
        averaged; returns each rank's loss.
        """
        optimizer.zero_grad()
        losses = []
        for rank in range(world_size):
            seed_step(self.seed, rank, step)
            loss = self.loss_of(model, rank, step, device)
            (loss / world_size).backward()
            losses.append(loss.detach().item())
        optimizer.step()
        return losses

    def loss_of(self, model: nn.Module, rank: int, step: int, device: torch.device) -> Tensor:
        """Forward and loss on what this rank is fed in this step."""
        return loss_on(model, inputs_of(self.example_inputs, rank, step, device), self.loss)


def group_device() -> torch.device:
    """Where this rank of the default process group computes."""
    return torch.device("cuda", torch.cuda.current_device()) if dist.get_backend() == "nccl" else torch.device("cpu")


def seed_step(seed: int, rank: int, step: int) -> None:
    """The random state of one rank in one step."""
    torch.manual_seed(seed + 1_000_003 * (step + 1) + rank)


def inputs_of(example_inputs: Any, rank: int, step: int, device: torch.device) -> Any:
    """What this rank feeds the model in this step (from 0), on the device."""
    inputs = example_inputs(rank, step) if callable(example_inputs) else example_inputs
    return _moved(inputs, device)


def loss_on(model: nn.Module, inputs: Any, loss: Callable[..., Any] | None) -> Tensor:
    """The model's loss on these inputs: keyword arguments if they are a mapping, several if a tuple, else one.

    Raises:
        PlanError: it is no scalar that depends on the parameters.
    """
    if isinstance(inputs, Mapping):
        output = model(**inputs)
    else:
        output = model(*inputs) if isinstance(inputs, tuple) else model(inputs)
    value = loss(output, inputs) if loss is not None else default_loss(output)
    if not isinstance(value, Tensor) or value.numel() != 1 or not value.requires_grad:
        what = f"a tensor of shape {tuple(value.shape)}" if isinstance(value, Tensor) else type(value).__name__
        raise PlanError(
            f"the loss is {what}, not a scalar that depends on the parameters; give explore loss=f(output, inputs)"
        )
    return value.reshape(())


def default_loss(output: Any) -> Tensor:
    """`output.loss` or `output["loss"]` if there is one, else the mean square of the (first) output tensor."""
    loss = output.get("loss") if isinstance(output, Mapping) else getattr(output, "loss", None)
    if loss is not None:
        return loss
    values = output.values() if isinstance(output, Mapping) else output
    tensors = [output] if isinstance(output, Tensor) else [v for v in values if isinstance(v, Tensor)]
    if not tensors or not tensors[0].is_floating_point():
        raise PlanError(f"no loss can be made from {type(output).__name__}; give explore loss=f(output, inputs)")
    return tensors[0].float().square().mean()


def _on(device: torch.device, model: nn.Module) -> nn.Module:
    """The model on its device. Not asked of torch where it is there already: `to` never ends on a module in a cycle."""
    tensors = [*model.parameters(), *model.buffers()]
    return model if all(tensor.device == device for tensor in tensors) else model.to(device)


def _moved(value: Any, device: torch.device) -> Any:
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, Mapping):
        return {name: _moved(each, device) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(_moved(each, device) for each in value)
    return value


def _plain(metrics: Any) -> dict[str, Any]:
    if not isinstance(metrics, Mapping):
        raise PlanError(f"step must return a dict of metrics, such as {{'loss': ...}}, got {type(metrics).__name__}")
    return {
        str(name): value.detach().item() if isinstance(value, Tensor) else value
        for name, value in metrics.items()
        if name != "step"
    }
