"""The same plan on several engines, beside baselines: losses, step times, memory, collectives. README.md inside."""
