"""This project's own engine: flat parameters, gathered and freed around each unit's forward and backward.

Start with README.md beside this file. What users call is listed here and re-exported by `sharding`.
"""

from sharding.flat.accumulation import no_sync
from sharding.flat.clipping import clip_grad_norm_
from sharding.flat.forward_methods import register_forward_method
from sharding.flat.handle import FlatParamHandle
from sharding.flat.looking import (
    fully_sharded_modules_to_params,
    get_handles,
    get_root_states,
    get_states,
    unshard,
)
from sharding.flat.optimizer_check import check_optimizer
from sharding.flat.removal import remove
from sharding.flat.replicating import replicate
from sharding.flat.sharding_verb import fully_shard
from sharding.flat.state import ShardingState
from sharding.flat.wrapper import FullyShardedDataParallel

__all__ = [
    "FlatParamHandle",
    "FullyShardedDataParallel",
    "ShardingState",
    "check_optimizer",
    "clip_grad_norm_",
    "fully_shard",
    "fully_sharded_modules_to_params",
    "get_handles",
    "get_root_states",
    "get_states",
    "no_sync",
    "register_forward_method",
    "remove",
    "replicate",
    "unshard",
]
