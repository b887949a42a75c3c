"""One hypothesis profile: the same examples in every run, no deadline on a busy machine."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "sharding",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("sharding")
