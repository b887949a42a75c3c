"""Accelerate's configuration file: what it says, and that it admits what it cannot say."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from exported_models import Block, Decoder
from torch import nn

from sharding import ConflictError, Plan, PlanError, by_class, export

POLICY = Plan().fully_shard("", policy=by_class(Block))


def read(plan: Plan, build: Any = Decoder, **settings: Any) -> tuple[dict[str, Any], list[str]]:
    """The file as accelerate reads it, and what it says is not in it."""
    text = export(plan, build, kind="accelerate", **settings)
    missing = [line.removeprefix("# - ") for line in text.splitlines() if line.startswith("# - ")]
    return yaml.safe_load(text), missing


def test_units_of_classes_are_said_whole():
    """Class names, reshard, precision, ranks; nothing is missing, and the file does not say so."""
    bfloat = {"param_dtype": "bfloat16"}
    config, missing = read(POLICY.defaults(mixed_precision=bfloat), nprocs=8)
    assert missing == []
    assert "says less" not in export(POLICY, Decoder, kind="accelerate")
    assert (config["distributed_type"], config["mixed_precision"], config["num_processes"]) == ("FSDP", "bf16", 8)
    assert config["fsdp_config"] == {
        "fsdp_version": 2,
        "fsdp_auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
        "fsdp_transformer_layer_cls_to_wrap": "Block",
        "fsdp_reshard_after_forward": True,
        "fsdp_offload_params": False,
        "fsdp_cpu_ram_efficient_loading": False,
        "fsdp_state_dict_type": "SHARDED_STATE_DICT",
    }


def test_a_root_alone_wraps_nothing():
    """With keeping and offloading; several ignored modules are one pattern."""
    plan = Plan().fully_shard("", cpu_offload=True).ignore(["norm", "layers.0.up"])
    config, missing = read(plan)
    assert missing == []
    assert config["mixed_precision"] == "no"
    assert config["fsdp_config"]["fsdp_auto_wrap_policy"] == "NO_WRAP"
    assert config["fsdp_config"]["fsdp_offload_params"] is True
    assert config["fsdp_config"]["fsdp_ignored_modules"] == r"layers\.0\.up|norm"


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (POLICY.clear("layers.2"), "'layers.0' is a unit and 'layers.2' is none, and both are a Block"),
        (POLICY.fully_shard(["norm", "head"]), "one unit of 'norm', 'head'"),
        (POLICY.replicate("head"), "'head' is replicated"),
        (POLICY.ignore("norm.bias"), "the parameter 'norm.bias' is ignored by itself"),
        (
            POLICY.fully_shard("layers.1", reshard_after_forward=False),
            "unit 'layers.1' has reshard_after_forward=False, others True",
        ),
        (
            POLICY.fully_shard("layers.1", mixed_precision={"param_dtype": "float16"}),
            "unit 'layers.1' has a mixed precision of its own",
        ),
        (POLICY.fully_shard("layers.1", cpu_offload=True), "unit 'layers.1' has cpu_offload=True, the root False"),
        (
            POLICY.defaults(mixed_precision={"param_dtype": "bfloat16", "reduce_dtype": "float32"}),
            "gradients reduced in torch.float32: accelerate reduces in what it computes in",
        ),
        (
            POLICY.defaults(mixed_precision={"param_dtype": "float64"}),
            "a mixed precision that computes in torch.float64",
        ),
        (
            Plan().fully_shard("", strategy="hybrid_shard").defaults(mesh_shape=(2, 2)),
            "unit '' runs with 'hybrid_shard': give accelerate a parallelism_config",
        ),
    ],
)
def test_what_is_not_in_it_is_said(plan, text):
    """One comment each; the file is still one that accelerate reads."""
    config, missing = read(plan)
    assert missing == [text]
    assert config["fsdp_config"]["fsdp_version"] == 2
    assert "# This file says less than the plan. Not in it:" in export(plan, Decoder, kind="accelerate")


def test_what_accelerate_adds_by_itself_is_said():
    """Models that name their embedding get more units than the plan has."""

    class Language(Decoder):
        def get_input_embeddings(self) -> nn.Module:
            return self.embed

    assert "newer accelerate also makes units of the embedding" in read(POLICY, Language)[1][0]


def test_what_it_cannot_be_written_for_is_refused():
    """No unit at the root; a plan torch's engine does not run."""
    with pytest.raises(PlanError, match="accelerate always makes the root a unit, and this plan does not: mark it"):
        export(Plan().fully_shard("layers.*"), Decoder, kind="accelerate")
    with pytest.raises(ConflictError, match="'no_shard', which torch's fully_shard does not have"):
        export(Plan().fully_shard("", strategy="no_shard"), Decoder, kind="accelerate")


def test_accelerate_reads_it(tmp_path):
    """Its own loader, where it is installed."""
    config_args = pytest.importorskip("accelerate.commands.config.config_args")
    path = tmp_path / "fsdp.yaml"
    path.write_text(export(POLICY, Decoder, kind="accelerate"))
    loaded = config_args.load_config_from_file(str(path))
    assert loaded.fsdp_config["fsdp_transformer_layer_cls_to_wrap"] == "Block"
    assert loaded.num_processes == 2
