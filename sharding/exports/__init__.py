"""Plans as text to take elsewhere: scripts for torch and torchrun, JSON, accelerate's YAML. README.md inside."""
