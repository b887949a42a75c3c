"""What a rank holds of a parameter while nothing runs, told by its engine without talking to other ranks.

A `DTensor` says this by itself. A parameter that was cut flat does not, so its engine tells it: the settings of its
annotation have `pieces_in(tree)`, the pieces of a model by the ids of their parameters. Whoever sends a model somewhere
reads them; nobody here decides how anything is cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True, eq=False)
class RestingPiece:
    """One rank's piece of one parameter.

    Attributes:
        shape: of the whole parameter.
        held: its elements that this rank holds, 1-D, in their order; in the whole's shape where nothing is cut.
        ranks: who holds the pieces, as ranks of the job, in the order of the pieces; one where nothing is cut.
        place: whose of these pieces this is.
    """

    shape: torch.Size
    held: torch.Tensor
    ranks: tuple[int, ...]
    place: int
