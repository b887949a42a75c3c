"""Torch's own engine behind the same plans: FSDP2's `fully_shard`, and both of torch's `replicate`s.

Start with README.md beside this file. Plans come here from `sharding/apply.py`.
"""
