"""Profiles of one kernel: queries of the pages Timeline, Source, Details, Cache and On-Chip Memory."""
