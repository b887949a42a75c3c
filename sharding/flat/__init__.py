"""This project's own engine: flat parameters, gathered and freed around each unit's forward and backward.

Start with README.md beside this file. The public names are re-exported by `sharding`.
"""
