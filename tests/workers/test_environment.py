"""What of the kernel's environment reaches a rank."""

from __future__ import annotations

import pytest

from sharding.workers.environment import allowed, rank_environment, zygote_environment


@pytest.mark.parametrize("name", ["PATH", "HOME", "LC_ALL", "CUDA_VISIBLE_DEVICES", "NCCL_DEBUG", "HF_HOME"])
def test_what_libraries_read_is_let_through(name: str) -> None:
    """Names and prefixes of the list."""
    assert allowed(name)


@pytest.mark.parametrize(
    "name",
    ["JPY_PARENT_PID", "JUPYTER_TOKEN", "HF_TOKEN", "CUDA_API_KEY", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "X"],
)
def test_secrets_and_the_unknown_stay(name: str) -> None:
    """Even behind an allowed prefix."""
    assert not allowed(name)


def test_ranks_talk_over_loopback_unless_the_user_says_otherwise() -> None:
    """The user's own interface wins."""
    assert rank_environment({})["GLOO_SOCKET_IFNAME"] == "lo"
    assert rank_environment({"NCCL_SOCKET_IFNAME": "eth0"})["NCCL_SOCKET_IFNAME"] == "eth0"


def test_the_zygote_is_held_to_one_thread() -> None:
    """Whatever the kernel uses."""
    assert zygote_environment({"OMP_NUM_THREADS": "8"})["OMP_NUM_THREADS"] == "1"
