"""What runs in a training step and what it keeps: found by running shortened copies of a model without any memory.

    trace(model, inputs)    shadow (2 and 3 repeats) ──▶ listening ──▶ record ──▶ stretching ──▶ Trace

`shadow.py` copies a module tree without its data, `listening.py` runs it and notes what happens and what is alive,
`stretching.py` makes the trace of the whole model of two short ones, `record.py` is the trace itself, `verb.py` puts it
together; `tracker.py` asks torch's own memory tracker about the whole model, in a process of its own. The user's
model, its hooks' counters and the process group are left alone.
"""
