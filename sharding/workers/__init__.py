"""Real processes to run functions on, from a notebook: live ranks, one-shot runs, events.

The picture, the rules and the traps are in README.md beside this file. Importing it starts and opens nothing.
"""

from sharding.workers.call import Run
from sharding.workers.emission import emit
from sharding.workers.one_shot import run
from sharding.workers.pool import Workers
from sharding.workers.record import RunEvent
from sharding.workers.saving import read_events

__all__ = ["Run", "RunEvent", "Workers", "emit", "read_events", "run"]
