"""Benchmarks: ./dev bench. Figures are ratios against a peer in the same run, or medians."""
