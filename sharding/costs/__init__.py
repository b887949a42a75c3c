"""What a layout costs, before anything runs: bytes, collectives and the peak, in plain Python.

    cost(layout)    setting ──▶ units, groups ─┬─▶ traffic, resting ──────────────────────┐
                                               └─▶ schedule ──▶ flat_step / torch_step ──▶ peak ──▶ Cost
                                                     assumed, or traced                ledger

`setting.py` reads and checks what was asked. `flat_buffers.py` and `row_buffers.py` say how each engine lays parameters
out and cuts them,
`units.py` and `groups.py` what each owner holds; units that look the same are worked out once. `traffic.py` says what
travels in a training step, `resting.py` what each rank keeps between steps. What is alive when is an engine's step
(`flat_step.py`, `torch_step.py`) gone through a schedule, assumed of the layout or seen by a trace, with the books in
`ledger.py`. `report.py` puts it together and `text.py` prints it. No process group, no device, no weights, no engine.
"""
