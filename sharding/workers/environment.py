"""Which environment variables a rank sees.

An allow-list: what Python, torch, the maths libraries and the GPU drivers read, and where a user's files and
caches are. Jupyter's connection data, tokens, keys and passwords stay in the kernel even where a prefix would
let them through. Called by the launcher for the zygote and by the group for each rank, so a variable set in a
cell reaches the next ranks.
"""

from __future__ import annotations

from collections.abc import Mapping

from sharding.workers import figures

# fmt: off
_NAMES = frozenset((
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP",
    "VIRTUAL_ENV", "LD_LIBRARY_PATH", "COLUMNS", "NO_COLOR", "MPLBACKEND",
))
_PREFIXES = (
    "LC_", "PYTHON", "CUDA", "NVIDIA_", "NCCL_", "GLOO_", "TORCH", "PYTORCH_", "TRITON_", "TP_", "OMP_",
    "MKL_", "OPENBLAS_", "KMP_", "GOMP_", "NUMEXPR_", "CONDA_", "XDG_", "HF_", "HUGGINGFACE_",
    "TRANSFORMERS_", "TOKENIZERS_", "DATASETS_", "HSA_", "HIP_", "ROCR_", "FI_", "UCX_", "COVERAGE_",
    "SHARDING_",
)
# fmt: on
_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL")
_HARMLESS = ("TOKENIZERS_",)
_NEVER = ("JPY_", "JUPYTER", "PYDEVD", "PYTHONSTARTUP", "PYTHONINSPECT")


def allowed(name: str) -> bool:
    """Whether the variable `name` may reach a rank."""
    if name.startswith(_NEVER):
        return False
    if any(word in name.upper() for word in _SECRET) and not name.startswith(_HARMLESS):
        return False
    return name in _NAMES or name.startswith(_PREFIXES)


def rank_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The part of `environ` that a rank sees, plus the loopback interface for gloo and NCCL, and a flight recorder that
    is quick to read.
    """
    kept = {name: value for name, value in environ.items() if allowed(name)}
    ours = {"GLOO_SOCKET_IFNAME": "lo", "NCCL_SOCKET_IFNAME": "lo", "TORCH_FR_BUFFER_SIZE": "256"}
    return {**ours, **kept, **figures.choose(environ)}


def zygote_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """As `rank_environment`, with the maths libraries held to one thread: a process with two threads cannot
    be forked.
    """
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**rank_environment(environ), **single}
