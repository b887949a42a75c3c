"""Composable sharding of PyTorch models: verbs, plans, layouts, an engine and workers."""
