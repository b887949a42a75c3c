"""What a layout costs, before anything runs: bytes, collectives and the parameter-side peak, in plain Python.

    cost(layout)    setting ──▶ units, groups ──▶ traffic, resting ──▶ timeline ──▶ peak ──▶ Cost

`setting.py` reads and checks what was asked, `units.py` and `groups.py` say what each owner holds, `traffic.py` what
travels in a training step, `resting.py` what each rank keeps between steps, `timeline.py` and `peak.py` what is alive
when, `report.py` puts it together and `text.py` prints it. No process group, no device, no weights, no engine.
"""
