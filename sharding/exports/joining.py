"""How an exported script's rank finds the others: one text for every kind of script."""

JOIN_RANKS = '''

def join_ranks() -> torch.device:
    """The process group, and where this rank computes: NCCL if this machine has a GPU for each of its ranks."""
    local = int(os.environ["LOCAL_RANK"])
    if torch.cuda.device_count() >= int(os.environ["LOCAL_WORLD_SIZE"]):
        torch.cuda.set_device(local)
        dist.init_process_group("nccl", device_id=torch.device("cuda", local))
        return torch.device("cuda", local)
    dist.init_process_group("gloo")
    return torch.device("cpu")'''
