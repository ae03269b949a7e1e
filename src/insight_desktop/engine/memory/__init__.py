"""Engine of the area Memory: MemScope dumps and PyTorch snapshots."""
