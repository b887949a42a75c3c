"""Whether an optimizer updates what a model on torch's engine holds now.

Torch replaces parameters when it cuts them, so an optimizer made before goes on stepping the old ones, and one made
while parameters are whole steps copies that are thrown away. Neither is an error to torch.
"""

from __future__ import annotations

from torch import nn
from torch.optim.optimizer import Optimizer

from sharding.errors import StateError
from sharding.native.torch_private import pairs_of_forms
from sharding.native.walking import running_at_rest
from sharding.traversal import tree_of


def check_optimizer(module: nn.Module, optimizer: Optimizer) -> None:
    """See `sharding.check_optimizer`."""
    tree = tree_of(module)
    copies: set[int] = set()
    for each in running_at_rest(tree, "check_optimizer"):
        for group in each.groups:
            copies.update(id(whole) for _, whole in pairs_of_forms(group) if whole is not None)
    names = resting_names(module)
    for group in optimizer.param_groups:
        for param in group["params"]:
            if id(param) in names:
                continue
            what = (
                "a whole copy of a parameter, which the next reshard throws away"
                if id(param) in copies
                else "a parameter that the model does not have, as it was before sharding"
            )
            raise StateError(
                f"the optimizer ({type(optimizer).__name__}) holds {what} (shape {tuple(param.shape)}); make the "
                "optimizer after applying the plan, between steps"
            )


def resting_names(module: nn.Module) -> dict[int, str]:
    """Name by id of every parameter in the form it rests in, which is the one optimizers step."""
    resting = {
        id(whole): param
        for each in running_at_rest(tree_of(module), "looking for parameters")
        for group in each.groups
        for param, whole in pairs_of_forms(group)
        if whole is not None
    }
    return {id(resting.get(id(param), param)): name for name, param in module.named_parameters()}
